//! What the names in reports mean: codes of findings, checks of the judge, what became of claims, sources and runs, rules and signs by which a
//! source was found to be there or gone.

use serde::Serialize;

use crate::words;
use cited_core::finding::Code;
use cited_core::verdict::CheckKind;
use cited_judge::checks;

/// What a name means.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Explanation {
    /// The name, as in reports.
    pub name: String,
    /// What it is a name of; of the code of a finding how much the finding matters.
    pub about: String,
    /// What it means and what can be done, Markdown; of one among all its first sentence.
    pub meaning: String,
}

impl Explanation {
    fn new(name: &str, about: impl Into<String>, meaning: impl Into<String>) -> Explanation {
        Explanation { name: name.to_owned(), about: about.into(), meaning: meaning.into() }
    }

    /// As text for people.
    pub fn text(&self) -> String {
        format!("{} ({})\n\n{}\n", self.name, self.about, self.meaning.trim_end())
    }
}

/// All codes of findings, each with its first sentence.
pub fn codes() -> impl Iterator<Item = Explanation> {
    Code::ALL.iter().map(|code| Explanation::new(code.as_str(), code.severity().as_str(), code.meaning()))
}

/// All checks of the judge, each with its first sentence.
pub fn checks() -> impl Iterator<Item = Explanation> {
    checks::pages().map(|(id, page)| Explanation::new(id, "check", page.lines().next().unwrap_or_default()))
}

/// What is told of a name.
pub fn explain(name: &str) -> Option<Explanation> {
    let of_code = Code::parse(name).map(|code| Explanation::new(code.as_str(), code.severity().as_str(), code.page()));
    let of_check = || checks::pages().find(|(id, _)| *id == name).map(|(id, page)| Explanation::new(id, "check", page));
    of_code.or_else(of_check).or_else(|| named_in_records(name))
}

/// What became of a claim, a source or a run, what a kind of check asks, a rule found or a sign means: reports, records, `cited judge` and
/// `cited show` name them.
fn named_in_records(asked: &str) -> Option<Explanation> {
    let seen = words::seen(asked);
    if let Some((word, _)) = seen.first() {
        let meanings: Vec<&str> = seen.iter().map(|(_, meaning)| *meaning).collect();
        return Some(Explanation::new(asked, format!("reports say “{word}”"), meanings.join("\n\n")));
    }
    let mut kinds = CheckKind::ALL.iter().map(|kind| (*kind, words::check(*kind)));
    if let Some((kind, (name, question))) = kinds.find(|(kind, (name, _))| [kind.as_str(), *name].contains(&asked)) {
        let checks = checks::CHECKS.iter().filter(|check| check.kind == kind).map(|check| check.id);
        let checks: Vec<&str> = checks.collect();
        let checks = if checks.is_empty() { "" } else { &format!("\n\nChecks of this kind: {}", checks.join(", ")) };
        let about = format!("kind of check; reports say “{name}”");
        return Some(Explanation::new(kind.as_str(), about, format!("{question}{checks}")));
    }
    let meaning = words::rule(asked).map(str::to_owned).or_else(|| words::sign(asked))?;
    Some(Explanation::new(asked, "how a source was found to be there or gone", meaning))
}
