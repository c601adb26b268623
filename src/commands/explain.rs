//! `cited explain`: more about a kind of finding.

use super::output;
use crate::cli::args::Explain;
use crate::cli::exit::Exit;
use crate::cli::layers::nearest;
use crate::error::{Error, Result};
use crate::finding::Code;

/// What to know about each code: a section each.
const PAGES: &str = include_str!("../../docs/findings.md");

/// Prints the section of a code, or all codes.
///
/// # Errors
/// When there is no such code.
pub fn run(args: &Explain) -> Result<Exit> {
    let Some(asked) = &args.code else {
        let width = Code::ALL.iter().map(|code| code.as_str().len()).max().unwrap_or(0);
        let lines = Code::ALL.iter().map(|code| {
            let meaning: Vec<&str> = code.meaning().lines().map(str::trim).collect();
            format!("{:width$}  {}\n", code.as_str(), meaning.join(" "))
        });
        output::print(&lines.collect::<String>())?;
        return Ok(Exit::Done);
    };
    let Some(code) = Code::ALL.iter().find(|code| code.as_str() == asked) else {
        let advice = match nearest(asked, Code::ALL.iter().map(|code| code.as_str())) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "`cited explain` lists all codes".to_owned(),
        };
        return Err(Error::usage(format!("no finding has the code `{asked}`; {advice}")));
    };
    let severity = match code.severity() {
        crate::finding::Severity::Error => "error",
        crate::finding::Severity::Warning => "warning",
        crate::finding::Severity::Note => "note",
    };
    output::print(&format!("{code} ({severity})\n\n{}\n", page(*code).unwrap_or(code.meaning())))?;
    Ok(Exit::Done)
}

/// The section of a code, without its heading.
fn page(code: Code) -> Option<&'static str> {
    let heading = format!("\n## {code}\n");
    let start = PAGES.find(&heading)? + heading.len();
    let rest = &PAGES[start..];
    Some(rest[..rest.find("\n## ").unwrap_or(rest.len())].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_section_with_advice() {
        for code in Code::ALL {
            let page = page(*code).unwrap_or_else(|| panic!("docs/findings.md has no section on {code}"));
            assert!(page.split("\n\n").count() >= 2, "{code} needs advice");
        }
        assert_eq!(PAGES.matches("\n## ").count(), Code::ALL.len(), "a section of docs/findings.md is of no code");
    }
}
