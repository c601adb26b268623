//! `cited man`: manual pages, made from the command line's own description.

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
    let Some(folder) = &args.dir else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Args::command()).render(&mut page).map_err(Error::print)?;
        return output::print_bytes(&page).map(|()| Exit::Done);
    };
    let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Args::command(), folder));
    written.map(|()| Exit::Done).map_err(|error| Error::write(folder, error))
}
