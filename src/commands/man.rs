//! `cited man`: manual pages, made from the command line's own description.

use std::path::Path;

use clap::CommandFactory as _;

use super::output;
use crate::cli::Args;
use crate::cli::args::Man;
use crate::cli::exit::Exit;
use cited_core::error::{Error, Result};

/// Prints the page of cited, or writes a page for it and for each command into a folder.
///
/// # Errors
/// When a page cannot be written.
pub fn run(args: &Man) -> Result<Exit> {
    let mut command = Args::command();
    command.build();
    let Some(folder) = &args.dir else {
        output::print_bytes(&page(command, Path::new("standard output"))?)?;
        return Ok(Exit::Done);
    };
    std::fs::create_dir_all(folder).map_err(|error| Error::write(folder, error))?;
    let commands = command.get_subcommands().filter(|command| command.get_name() != "help").cloned();
    let mut pages = vec![("cited.1".to_owned(), command.clone())];
    pages.extend(commands.map(|command| {
        let name = format!("cited-{}", command.get_name());
        (format!("{name}.1"), command.display_name(name))
    }));
    for (name, command) in pages {
        let path = folder.join(name);
        output::write(&[(&path, &page(command, &path)?)])?;
    }
    Ok(Exit::Done)
}

fn page(command: clap::Command, place: &Path) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page).map_err(|error| Error::write(place, error))?;
    Ok(page)
}
