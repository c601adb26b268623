//! `cited explain`: more about a kind of finding, or a sign that weakened a verdict.

use super::output;
use crate::cli::args::Explain;
use crate::cli::exit::Exit;
use crate::cli::layers::nearest;
use crate::error::{Error, Result};
use crate::finding::Code;
use crate::judge::signs;

/// Prints the section of a code, the page of a sign, or the names of all of them.
///
/// # Errors
/// When there is no such code and no such sign.
pub fn run(args: &Explain) -> Result<Exit> {
    let Some(asked) = args.code.as_deref().filter(|_| !args.list) else {
        output::print(&list())?;
        return Ok(Exit::Done);
    };
    if let Some(code) = Code::named(asked) {
        output::print(&format!("{code} ({})\n\n{}\n", code.severity(), code.page()))?;
        return Ok(Exit::Done);
    }
    if let Some((id, page)) = signs::pages().find(|(id, _)| *id == asked) {
        output::print(&format!("{id} (sign)\n\n{page}"))?;
        return Ok(Exit::Done);
    }
    let names = || Code::ALL.iter().map(|code| code.as_str()).chain(signs::pages().map(|(id, _)| id));
    let advice = match nearest(asked, names()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => {
            let alike: Vec<String> =
                names().filter(|name| name.contains(asked)).map(|name| format!("`{name}`")).collect();
            match alike.as_slice() {
                [] => "`cited explain --list` has all of them".to_owned(),
                alike => format!("did you mean {}?", alike.join(" or ")),
            }
        }
    };
    Err(Error::usage(format!("no finding has the code `{asked}`, and no sign that name; {advice}")))
}

/// All codes and all signs, each with the first sentence about it.
fn list() -> String {
    let names = Code::ALL.iter().map(|code| code.as_str()).chain(signs::pages().map(|(id, _)| id));
    let width = names.map(str::len).max().unwrap_or(0);
    let line = |name: &str, meaning: &str| format!("{name:width$}  {meaning}\n");
    let codes = Code::ALL.iter().map(|code| {
        let meaning: Vec<&str> = code.meaning().lines().map(str::trim).collect();
        line(code.as_str(), &meaning.join(" "))
    });
    let signs = signs::pages().map(|(id, page)| line(id, page.lines().next().unwrap_or_default()));
    format!("{}\nSigns, which make a verdict weak:\n\n{}", codes.collect::<String>(), signs.collect::<String>())
}
