//! `cited explain`: more about a kind of finding.

use super::output;
use crate::cli::args::Explain;
use crate::cli::exit::Exit;
use crate::cli::layers::nearest;
use crate::error::{Error, Result};
use crate::finding::Code;

/// Prints the section of a code, or all codes.
///
/// # Errors
/// When there is no such code.
pub fn run(args: &Explain) -> Result<Exit> {
    let Some(asked) = args.code.as_deref().filter(|_| !args.list) else {
        let width = Code::ALL.iter().map(|code| code.as_str().len()).max().unwrap_or(0);
        let lines = Code::ALL.iter().map(|code| {
            let meaning: Vec<&str> = code.meaning().lines().map(str::trim).collect();
            format!("{:width$}  {}\n", code.as_str(), meaning.join(" "))
        });
        output::print(&lines.collect::<String>())?;
        return Ok(Exit::Done);
    };
    let Some(code) = Code::named(asked) else {
        let advice = match nearest(asked, Code::ALL.iter().map(|code| code.as_str())) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => {
                let alike: Vec<String> = Code::ALL
                    .iter()
                    .filter(|code| code.as_str().contains(asked))
                    .map(|code| format!("`{code}`"))
                    .collect();
                match alike.as_slice() {
                    [] => "`cited explain --list` has all codes".to_owned(),
                    alike => format!("did you mean {}?", alike.join(" or ")),
                }
            }
        };
        return Err(Error::usage(format!("no finding has the code `{asked}`; {advice}")));
    };
    output::print(&format!("{code} ({})\n\n{}\n", code.severity(), code.page()))?;
    Ok(Exit::Done)
}
