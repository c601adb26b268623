//! Whether the text of a place shows a claim: its quantities, names and quotations are there, word for word, and what is written there
//! in sentences does not say otherwise. That is for the judge of all claims to say.

use std::collections::HashSet;

use regex::Captures;

use cited_core::claim::kind_of;
use cited_core::page::Page;
use cited_core::pattern::Pattern;
use cited_core::verdict::{Check, CheckKind, CheckResult, Standing};
use cited_judge::evidence::search::terms;
use cited_judge::{ClaimText, Settings, SourceText, artifact, judge, replaced};
use cited_text::fold::Folded;
use cited_text::quantity::{Agreement, Quantity, compare, quantities};
use cited_text::quotation::{FEWEST_WORDS, Match, quotations};
use cited_text::words::words;

/// A claim without quantities, names and quotations is shown by a text that has this part of its content words.
const SHARED: f64 = 0.5;

/// What a comment begins with, the longer signs first.
const COMMENTS: [&str; 8] = ["//!", "///", "//", "/*", "*/", "* ", "# ", "-- "];
/// Endings of files that are written in sentences.
const DOCUMENTS: [&str; 5] = [".md", ".markdown", ".txt", ".rst", ".adoc"];

/// `10_000` as code has it.
static SEPARATED: Pattern = Pattern::new(r"[0-9](?:_[0-9]+)+");
/// What stands between backticks.
static CODE: Pattern = Pattern::new(r"`([^`]*)`");

/// Why `text`, found at `place`, does not show `claim`; nothing when it does.
///
/// ```
/// use cited_gate::manifest::check;
/// assert!(check("The limit is 10 MiB.", "const LIMIT: u64 = 10 << 20; // 10 MiB", "src/a.rs").is_empty());
/// assert_eq!(check("The limit is 20 MiB.", "10 MiB", "src/a.rs"), ["20 MiB is not there"]);
/// assert_eq!(check("The timeout is 45 minutes.", "TIMEOUT_SECONDS = 45", "a.py"), ["`TIMEOUT_SECONDS` is 45"]);
/// assert_eq!(check("`DEBUG` is true.", "DEBUG = False", "a.py"), ["`DEBUG` is False"]);
/// ```
pub fn check(claim: &str, text: &str, place: &str) -> Vec<String> {
    let mut reasons = Vec::new();
    let written = text;
    let text = &*SEPARATED.replace_all(text, |found: &Captures<'_>| found[0].replace('_', ""));
    let quoted: Vec<_> = quotations(claim).into_iter().filter(|q| q.is_empty() || q.words >= FEWEST_WORDS).collect();
    let wanted: Vec<Quantity> = quantities(claim).into_iter().filter(Quantity::is_measured).collect();
    let there = quantities(text);
    // Every run of digits with at most one point.
    let runs = text.split(|c: char| !(c.is_ascii_digit() || c == '.'));
    let numbers = runs.filter_map(|run| run.trim_matches('.').parse().ok()).map(f64::to_bits);
    let numbers: HashSet<u64> = numbers.collect();
    for quantity in &wanted {
        let same = |other: &Quantity| match compare(quantity, other) {
            Agreement::Same => true,
            // Code has numbers without their unit: `from_secs(30)`.
            Agreement::Compatible => (quantity.raw - other.raw).abs() <= f64::EPSILON * quantity.raw.abs(),
            Agreement::Different | Agreement::Unrelated => false,
        };
        let plain = [quantity.raw, quantity.value].iter().any(|value| numbers.contains(&value.to_bits()));
        if !plain && !there.iter().any(same) {
            reasons.push(format!("{} is not there", quantity.span.slice(claim).trim()));
        }
    }
    let folded = Folded::new(text);
    for quotation in &quoted {
        match folded.find(text, quotation.inner.slice(claim)) {
            Match::Found(_) | Match::CutShort(..) => {}
            Match::Empty => reasons.push("an empty quotation says nothing".to_owned()),
            Match::Missing(_) => reasons.push(format!("“{}” is not there", quotation.inner.slice(claim))),
        }
    }
    let all = format!("{text}\n{place}");
    let keys: HashSet<u64> = words(&all).map(|word| word.key).collect();
    let code = CODE.captures_iter(claim).map(|found| found.extract::<1>().1[0]);
    let code: Vec<&str> = code.filter(|span| !span.trim().is_empty()).collect();
    for span in &code {
        if !all.contains(span) {
            reasons.push(format!("`{span}` is not there"));
        }
    }
    let terms = terms(claim);
    let mut names = terms
        .iter()
        .filter(|term| term.name && !code.iter().any(|span| span.contains(term.span.slice(claim))))
        .peekable();
    let checkable = !wanted.is_empty() || !quoted.is_empty() || !code.is_empty() || names.peek().is_some();
    for name in names.filter(|name| !keys.contains(&name.key)) {
        reasons.push(format!("{} is not there", name.span.slice(claim)));
    }
    if !checkable {
        let all: f64 = terms.iter().map(|term| term.weight).sum();
        let shared: f64 = terms.iter().filter(|term| keys.contains(&term.key)).map(|term| term.weight).sum();
        if terms.is_empty() || shared < SHARED * all {
            reasons.push("its words are not there".to_owned());
        }
    }
    reasons.dedup();
    if reasons.is_empty() {
        reasons.extend(objection(claim, written, place).or_else(|| artifact::set_otherwise(claim, written)));
    }
    reasons
}

/// What the sentences of a text have against a claim: those of a document, and those of comments in code. Where there is nothing but
/// sentences, they have to show it; code shows it by its words.
fn objection(claim: &str, text: &str, place: &str) -> Option<String> {
    let path = place.split([':', '#']).next().unwrap_or_default();
    let is_document = place.contains("://") || DOCUMENTS.iter().any(|ending| path.ends_with(ending));
    let comment = |line: &str| COMMENTS.iter().find_map(|sign| line.trim().strip_prefix(sign).map(str::to_owned));
    let said: Vec<Option<String>> = if is_document {
        vec![Some(text.to_owned())]
    } else {
        text.lines().filter(|line| !line.trim().is_empty()).map(comment).collect()
    };
    let is_all = said.iter().all(Option::is_some);
    let sentences = said.into_iter().flatten().collect::<Vec<_>>().join("\n");
    let page = Page::of_text(sentences, "text/plain");
    let claim = ClaimText::new(claim, kind_of(claim));
    let source = SourceText::of_page(&page);
    let verdict = judge(&claim, &source, &Settings::default());
    // A word of the sentence in the place of one of the claim's may be the one that turns it round.
    let is_open = verdict.standing == Standing::Weak && verdict.check.is_none();
    if let Some((mine, theirs)) = is_open.then(|| replaced(&claim, &source)).flatten() {
        let it_says = if theirs.is_empty() { String::new() } else { format!("; it says “{theirs}”") };
        return Some(format!("it does not say “{mine}”{it_says}"));
    }
    let objects = match verdict.standing {
        Standing::Contradicted => true,
        // *At least* by *at most*: nobody can tell that it is the same number.
        Standing::Weak => {
            let is_open = |check: &Check| check.kind == CheckKind::Quantity && check.result != CheckResult::Agrees;
            verdict.check.is_some() || is_all && verdict.checks.iter().any(is_open)
        }
        Standing::Unverifiable => is_all,
        Standing::Supported | Standing::Unchecked => false,
    };
    objects.then_some(verdict.reason)
}

/// Why the text at a place is not what it was, when a hash says so.
pub fn check_hash(expected: Option<&str>, found: &str) -> Option<String> {
    let expected = expected.filter(|expected| *expected != found)?;
    Some(format!("the text has changed: its SHA-256 is {found}, not {expected}"))
}
