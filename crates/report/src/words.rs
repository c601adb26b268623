//! What a report calls the checks, rules and signs that a record names: one table, `data/words.tsv`. Verdicts are `core`'s.
//!
//! A name that the table has not, of a record that a later version has written, is shown as it is.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::tone::Tone;
use cited_core::verdict::{Check, CheckResult};
use cited_text::lexicon::table;

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
    match &made.result {
        CheckResult::Agrees => (Tone::Good, format!("{name} agrees")),
        CheckResult::Differs { claimed, found } if claimed.is_empty() => {
            (Tone::Bad, format!("{name}: the source has {found}"))
        }
        CheckResult::Differs { claimed, found } => {
            (Tone::Bad, format!("{name}: the claim has {claimed}, the source {found}"))
        }
        CheckResult::Absent { claimed } if claimed.is_empty() => {
            (Tone::Doubtful, format!("{name}: there is nothing between its marks"))
        }
        CheckResult::Absent { claimed } => (Tone::Doubtful, format!("{name}: {claimed} is nowhere in the source")),
        CheckResult::Unknown => (Tone::Neutral, format!("{name}: could not decide")),
    }
}

/// What a sign is that a rule rests on. Of several rows with a star that fit, the one that says most of it counts.
pub(crate) fn sign(name: &str) -> Option<String> {
    let class = format!("sign {name}");
    let open = WORDS.iter().filter_map(|(pattern, words)| {
        let (before, behind) = pattern.split_once('*')?;
        let part = class.strip_prefix(before)?.strip_suffix(behind).filter(|part| !part.is_empty())?;
        Some((pattern.len(), words.first()?.replace("{}", &part.replace('-', " "))))
    });
    word("sign", name).map(str::to_owned).or_else(|| Some(open.max()?.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cited_core::claim::ClaimKind;
    use cited_core::decide::Action;
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

    #[test]
    fn every_kind_of_sign_has_its_words() {
        #[track_caller]
        fn check(name: &str, expected: &str) {
            assert_eq!(sign(name).as_deref(), Some(expected), "{name}");
        }
        check("sibling:same", "an invented address of the same site answers the same");
        check("absence:job-closed", "the page says that the job is closed");
        check("absence:page-for-sale", "the page says that the page is for sale");
        check("absence:for-sale", "the page offers its name for sale");
        check("absence:default-nginx", "the page is the default page of a server or panel: nginx");
        check("wall:says-bot-wall", "the page says so itself: bot wall");
        check("wall:_cf_chl_opt", "it has what only such pages have: _cf_chl_opt");
        check("unproven:thin", "the page says next to nothing");
        assert_eq!(sign("of a later version"), None);
        // What the rules of liveness write that stands in the code: each sign, or each family of signs, is one of the table.
        let sources = [
            include_str!("../../fetch/src/liveness/mod.rs"),
            include_str!("../../fetch/src/liveness/absence.rs"),
            include_str!("../../fetch/src/liveness/wall.rs"),
        ];
        for source in sources {
            let code = source.split("#[cfg(test)]").next().unwrap_or_default();
            for family in ["\"sibling:", "\"unproven:", "\"absence:", "\"wall:"] {
                for (at, _) in code.match_indices(family) {
                    let name = code[at + 1..].split('"').next().unwrap_or_default();
                    let example = name.replace("{thing}-{}", "page-gone").replace("{id}", "parked");
                    // The names behind a prefix are made of those of an enum.
                    let example = if name.ends_with(':') { format!("{name}same") } else { example };
                    assert!(sign(&example).is_some(), "{name}");
                }
            }
        }
    }
}
