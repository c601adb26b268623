//! What a report calls what a record names, and how good that is: the verdict on a claim as a whole, what was done with it, checks and rules.
//!
//! The words are those of one table, `data/words.tsv`; those of verdicts are `core`'s. A name that the table has not, of a record that a later
//! version has written, is shown as it is.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use owo_colors::Style;

use super::record::{Record, Verification};
use super::wording::word_of;
use cited_core::claim::ClaimKind;
use cited_core::decide::Action;
use cited_core::finding::{Code, Severity};
use cited_core::outcome::Outcome;
use cited_core::verdict::{Check, CheckResult, Standing};
use cited_text::Span;
use cited_text::lexicon::table;

/// How good a thing is, for its colour and its sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tone {
    /// As it should be.
    Good,
    /// Somebody should look.
    Doubtful,
    /// Not as it should be.
    Bad,
    /// Nothing is known, or nothing is asked.
    #[default]
    Neutral,
}

impl Tone {
    /// The class of the style sheet, the sign beside words, and how a terminal shows them.
    fn row(self) -> (&'static str, &'static str, Style) {
        match self {
            Tone::Good => ("good", "✓", Style::new().green()),
            Tone::Doubtful => ("doubt", "≈", Style::new().yellow()),
            Tone::Bad => ("bad", "✗", Style::new().red()),
            Tone::Neutral => ("flat", "–", Style::new()),
        }
    }

    /// The class of the style sheet.
    pub fn class(self) -> &'static str {
        self.row().0
    }

    /// The sign beside words of this tone: a colour is never all.
    pub(crate) fn sign(self) -> &'static str {
        self.row().1
    }

    /// How a terminal shows it.
    pub(crate) fn ansi(self) -> Style {
        self.row().2
    }
}

/// What an outcome means for whoever stands on the source.
impl From<Outcome> for Tone {
    fn from(outcome: Outcome) -> Tone {
        match outcome {
            Outcome::Live => Tone::Good,
            Outcome::Moved | Outcome::Archived => Tone::Doubtful,
            Outcome::Dead => Tone::Bad,
            _ => Tone::Neutral,
        }
    }
}

impl From<Severity> for Tone {
    fn from(severity: Severity) -> Tone {
        match severity {
            Severity::Error => Tone::Bad,
            Severity::Warning => Tone::Doubtful,
            Severity::Note => Tone::Neutral,
        }
    }
}

/// What became of a claim, or what is said of it as a whole, what weighs most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// It went.
    Removed,
    /// A task stands in its place.
    Task,
    /// The run fails because of it.
    Failed,
    /// It stays with a mark.
    Marked,
    /// A source says something else.
    Conflicts,
    /// All its sources are proven gone.
    Gone,
    /// No source could be read or judged.
    Unchecked,
    /// It must have a source and has none.
    Unsourced,
    /// Its sources were read, and none says just this.
    Unconfirmed,
    /// A passage supports it.
    Confirmed,
    /// It needs no source.
    Exempt,
}

impl Verdict {
    /// What became of each claim of a record, so that the counts add up; what is said of those that stay as they are.
    pub(crate) fn outcomes(record: &Record) -> Vec<Verdict> {
        let of = |(claim, verdict): (&Verification, Verdict)| match claim.action {
            Action::Drop => Verdict::Removed,
            Action::Todo => Verdict::Task,
            Action::Fail => Verdict::Failed,
            Action::Mark => Verdict::Marked,
            _ => verdict,
        };
        record.verifications.iter().zip(Verdict::all_of(record)).map(of).collect()
    }

    /// What is said of each claim of a record, whatever was done with it.
    pub(crate) fn all_of(record: &Record) -> Vec<Verdict> {
        let gone = record.sources.iter().filter(|source| source.outcome == Outcome::Dead);
        let gone: HashSet<&str> = gone.map(|source| source.url.as_str()).collect();
        let orphans = record.findings.iter().filter(|told| told.code == Code::OrphanCitation && told.file.is_none());
        let orphans: Vec<Span> = orphans.filter_map(|told| told.span).collect();
        let of = |claim: &Verification| {
            let sources = &claim.sources_reconciled;
            // What cites by what means nothing wants a source and has none.
            let is_orphan = || claim.kind.is_factual() && orphans.iter().any(|span| claim.span.contains(*span));
            let is_gone = !sources.is_empty() && sources.iter().all(|source| gone.contains(source.source_url.as_str()));
            match sources.iter().map(|source| source.verdict).min() {
                _ if claim.verified => Verdict::Confirmed,
                _ if is_gone => Verdict::Gone,
                Some(Standing::Unchecked) if !claim.kind.is_factual() => Verdict::Exempt,
                Some(standing) => standing.into(),
                None if claim.kind.must_have_source() || is_orphan() => Verdict::Unsourced,
                None => Verdict::Exempt,
            }
        };
        record.verifications.iter().map(of).collect()
    }

    /// What a report shows of it.
    pub(crate) fn shown(self) -> Shown {
        let (of, key, tone, class, sign) = match self {
            Verdict::Removed => ("action", Action::Drop.word(), Tone::Bad, "", ""),
            Verdict::Task => ("action", Action::Todo.word(), Tone::Doubtful, "", ""),
            Verdict::Failed => ("action", Action::Fail.word(), Tone::Bad, "", ""),
            Verdict::Marked => ("action", Action::Mark.word(), Tone::Doubtful, "", ""),
            Verdict::Confirmed => ("verdict", "confirmed", Tone::Good, "s", "✓"),
            Verdict::Unconfirmed => ("verdict", "unconfirmed", Tone::Doubtful, "w", "≈"),
            Verdict::Conflicts => ("verdict", "conflicts", Tone::Bad, "x", "✗"),
            Verdict::Gone => ("verdict", "gone", Tone::Bad, "g", "∅"),
            Verdict::Unchecked => ("verdict", "unchecked", Tone::Neutral, "u", "–"),
            Verdict::Unsourced => ("verdict", "unsourced", Tone::Doubtful, "o", "○"),
            Verdict::Exempt => ("verdict", "exempt", Tone::Neutral, "e", "·"),
        };
        let word = word(of, key).unwrap_or_default();
        Shown { key, word, counted: counted(of, key), tone, class, sign }
    }
}

impl From<Standing> for Verdict {
    fn from(standing: Standing) -> Verdict {
        match standing {
            Standing::Supported => Verdict::Confirmed,
            Standing::Weak | Standing::Unverifiable => Verdict::Unconfirmed,
            Standing::Contradicted => Verdict::Conflicts,
            Standing::Unchecked => Verdict::Unchecked,
        }
    }
}

/// What a report shows of a verdict.
pub(crate) struct Shown {
    /// How filters and the table of words name it.
    pub(crate) key: &'static str,
    /// What everybody calls it: the one word for it.
    pub(crate) word: &'static str,
    /// The same behind a number of claims.
    pub(crate) counted: &'static str,
    /// How good it is.
    pub(crate) tone: Tone,
    /// The class of what is underlined.
    pub(crate) class: &'static str,
    /// The sign that says it without colour.
    pub(crate) sign: &'static str,
}

/// What was done with a claim, by the name of the action; or would be, where nothing was written.
pub(crate) fn action_words(action: &str, is_done: bool) -> String {
    let words = counted("action", action);
    if is_done { words.to_owned() } else { ["would be ", words].concat() }
}

/// What kind of statement a claim is.
pub(crate) fn kind_words(kind: ClaimKind) -> &'static str {
    word("kind", &word_of(kind)).unwrap_or_default()
}

static WORDS: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    [include_str!("data/words.tsv"), cited_core::verdict::WORDS].into_iter().flat_map(table::read).collect()
});

/// What the table says of a name of a class: `rule no-text`.
fn forms(class: &str, name: &str) -> &'static [&'static str] {
    WORDS.get(format!("{class} {name}").as_str()).map_or(&[], Vec::as_slice)
}

/// What a name is called: a check, a rule, a kind of claim, the one word for a verdict.
pub(crate) fn word(class: &str, name: &str) -> Option<&'static str> {
    forms(class, name).first().copied()
}

/// What stands behind a number of claims of a verdict or an action.
pub(crate) fn counted(class: &str, name: &str) -> &'static str {
    forms(class, name).get(1).copied().unwrap_or_default()
}

/// What a check gave, in words, and how good that is.
pub(crate) fn result(made: &Check) -> (Tone, String) {
    let name = word("check", made.kind.as_str()).unwrap_or(made.kind.as_str());
    let (tone, told) = match &made.result {
        CheckResult::Agrees => return (Tone::Good, format!("{name} agrees")),
        CheckResult::Differs { claimed, found } if claimed.is_empty() => (Tone::Bad, format!("the source has {found}")),
        CheckResult::Differs { claimed, found } => (Tone::Bad, format!("the claim has {claimed}, the source {found}")),
        CheckResult::Absent { claimed } if claimed.is_empty() => {
            (Tone::Doubtful, "there is nothing between its marks".to_owned())
        }
        CheckResult::Absent { claimed } => (Tone::Doubtful, format!("{claimed} is nowhere in the source")),
        CheckResult::Unknown => (Tone::Neutral, "could not decide".to_owned()),
    };
    (tone, format!("{name}: {told}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cited_core::rule::Rule;
    use cited_core::verdict::CheckKind;

    #[test]
    fn every_check_and_rule_has_its_words() {
        for action in
            [Action::Keep, Action::Cite, Action::Recite, Action::Mark, Action::Todo, Action::Drop, Action::Fail]
        {
            assert!(!counted("action", action.word()).is_empty(), "{}", action.word());
        }
        let schema = serde_json::to_value(schemars::schema_for!(ClaimKind)).unwrap();
        let kinds: Vec<&str> =
            schema["oneOf"].as_array().unwrap().iter().filter_map(|kind| kind["const"].as_str()).collect();
        assert!(kinds.len() >= 14, "{schema}");
        kinds.iter().for_each(|kind| assert!(word("kind", kind).is_some(), "{kind}"));
        for &kind in CheckKind::ALL {
            assert!(word("check", kind.as_str()).is_some(), "{}", kind.as_str());
        }
        let unnamed: Vec<&str> =
            Rule::ALL.iter().map(|rule| rule.as_str()).filter(|name| word("rule", name).is_none()).collect();
        assert!(unnamed.is_empty(), "{unnamed:?}");
    }
}
