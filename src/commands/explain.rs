//! `cited explain`: more about a kind of finding, or a check of the judge.

use super::output;
use crate::cli::args::Explain;
use crate::cli::exit::Exit;
use crate::cli::layers::advice;
use cited_core::error::{Error, Result};
use cited_core::finding::Code;
use cited_core::verdict::CheckKind;
use cited_judge::checks;
use cited_report::html::words;

/// Prints the section of a code, the page of a check, or the names of all of them.
///
/// # Errors
/// When there is no such code and no such check.
pub fn run(args: &Explain) -> Result<Exit> {
    output::print(&args.code.as_deref().map_or_else(|| Ok(list()), told)?)?;
    Ok(Exit::Done)
}

/// What is told of a name.
fn told(asked: &str) -> Result<String> {
    let of_code = Code::named(asked).map(|code| format!("{code} ({})\n\n{}\n", code.severity(), code.page()));
    let of_check = || checks::pages().find(|(id, _)| *id == asked).map(|(id, page)| format!("{id} (check)\n\n{page}"));
    of_code.or_else(of_check).or_else(|| named_in_records(asked)).ok_or_else(|| {
        let names = Code::ALL.iter().map(|code| code.as_str()).chain(checks::pages().map(|(id, _)| id));
        let advice = advice(asked, names, "explain");
        Error::usage(format!("no finding has the code `{asked}`, and no check that name; {advice}"))
    })
}

/// What a kind of check asks, a rule found or a sign means: records, `cited judge` and `cited show` name them.
fn named_in_records(asked: &str) -> Option<String> {
    let mut kinds = CheckKind::ALL.into_iter().map(|kind| (kind, words::check(kind)));
    if let Some((kind, (name, question))) = kinds.find(|(kind, (name, _))| [kind.as_str(), *name].contains(&asked)) {
        let checks = checks::CHECKS.iter().filter(|check| check.kind == kind).map(|check| check.id);
        let checks = checks.collect::<Vec<_>>().join(", ");
        let checks = if checks.is_empty() { checks } else { format!("\n\nChecks of this kind: {checks}") };
        return Some(format!("{} (kind of check; reports say “{name}”)\n\n{question}{checks}\n", kind.as_str()));
    }
    let meaning = words::rule(asked).map(str::to_owned).or_else(|| words::sign(asked))?;
    Some(format!("{asked} (how a source was found to be there or gone)\n\n{meaning}\n"))
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
