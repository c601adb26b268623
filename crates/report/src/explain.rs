//! What codes of findings and checks of the judge mean.

use serde::Serialize;

use cited_core::finding::Code;
use cited_judge::checks;

/// What a name means.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Explanation {
    /// The name, as in reports.
    pub name: String,
    /// What it is a name of; of the code of a finding how much the finding matters.
    pub about: &'static str,
    /// What it means and what can be done, Markdown; of one among all its first sentence.
    pub meaning: String,
}

impl Explanation {
    fn new(name: &str, about: &'static str, meaning: &str) -> Explanation {
        Explanation { name: name.to_owned(), about, meaning: meaning.to_owned() }
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
    of_code.or_else(of_check)
}
