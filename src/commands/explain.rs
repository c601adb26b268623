//! `cited explain`: more about a kind of finding, or a check of the judge.

use super::output;
use crate::cli::args::Explain;
use crate::cli::exit::Exit;
use crate::cli::layers::nearest;
use cited_core::error::{Error, Result};
use cited_core::finding::Code;
use cited_judge::checks;

/// Prints the section of a code, the page of a check, or the names of all of them.
///
/// # Errors
/// When there is no such code and no such check.
pub fn run(args: &Explain) -> Result<Exit> {
    let Some(asked) = args.code.as_deref() else {
        output::print(&list())?;
        return Ok(Exit::Done);
    };
    if let Some(code) = Code::named(asked) {
        output::print(&format!("{code} ({})\n\n{}\n", code.severity(), code.page()))?;
        return Ok(Exit::Done);
    }
    if let Some((id, page)) = checks::pages().find(|(id, _)| *id == asked) {
        output::print(&format!("{id} (check)\n\n{page}"))?;
        return Ok(Exit::Done);
    }
    let names = || Code::ALL.iter().map(|code| code.as_str()).chain(checks::pages().map(|(id, _)| id));
    let advice = match nearest(asked, names()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => {
            let alike: Vec<String> =
                names().filter(|name| name.contains(asked)).map(|name| format!("`{name}`")).collect();
            match alike.as_slice() {
                [] => "`cited explain` lists them".to_owned(),
                alike => format!("did you mean {}?", alike.join(" or ")),
            }
        }
    };
    Err(Error::usage(format!("no finding has the code `{asked}`, and no check that name; {advice}")))
}

/// All codes and all checks, each with the first sentence about it.
fn list() -> String {
    let names = Code::ALL.iter().map(|code| code.as_str()).chain(checks::pages().map(|(id, _)| id));
    let width = names.map(str::len).max().unwrap_or(0);
    let line = |name: &str, meaning: &str| format!("{name:width$}  {meaning}\n");
    let codes = Code::ALL.iter().map(|code| {
        let meaning: Vec<&str> = code.meaning().lines().map(str::trim).collect();
        line(code.as_str(), &meaning.join(" "))
    });
    let asked = checks::pages().map(|(id, page)| line(id, page.lines().next().unwrap_or_default()));
    format!("{}\nChecks of the judge:\n\n{}", codes.collect::<String>(), asked.collect::<String>())
}
