//! What codes of findings and checks of the judge mean.

use serde::Serialize;

use cited_core::finding::Code;
use cited_judge::checks;

/// What a name means.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Explanation {
    /// The name, as in reports.
    pub name: &'static str,
    /// What it is a name of; of the code of a finding how much the finding matters.
    pub about: &'static str,
    /// What it means and what can be done, Markdown; of one among all its first sentence.
    pub meaning: &'static str,
}

impl Explanation {
    /// As text for people.
    pub fn text(&self) -> String {
        format!("{} ({})\n\n{}\n", self.name, self.about, self.meaning.trim_end())
    }
}

/// All codes of findings and all checks of the judge, each with its first sentence, or `whole`.
pub fn all(whole: bool) -> impl Iterator<Item = Explanation> {
    let of_code = move |code: &Code| {
        let meaning = if whole { code.page() } else { code.meaning() };
        Explanation { name: code.as_str(), about: code.severity().as_str(), meaning }
    };
    let of_check = move |(name, page): (&'static str, &'static str)| {
        let meaning = if whole { page } else { page.lines().next().unwrap_or_default() };
        Explanation { name, about: "check", meaning }
    };
    Code::ALL.iter().map(of_code).chain(checks::pages().map(of_check))
}
