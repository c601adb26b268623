//! Files that a claim names and that hold its value. Pure: the caller reads the file.

use super::certainty::CLASSES;
use super::{cues, polarity};
use cited_text::Span;
use cited_text::lexicon::Languages;
use cited_text::quantity::{Agreement, Bound, Measure, Quantity, agree, compare, quantities};
use cited_text::words::words;

/// How far round a value the words of the claim are looked for, in bytes.
const REACH: usize = 120;

/// Whether a caption says that its data were made up: *illustrative*, *simulated*. An example may well be measured.
pub fn is_made_up(text: &str) -> bool {
    let lower = text.to_lowercase();
    words(&lower).any(|word| CLASSES.has("madeup", word.span.slice(&lower)))
        || CLASSES.of("cjkmadeup").iter().any(|form| lower.contains(form))
}

/// The paths of data files that a text names: `results/run1.json`. Addresses are none.
///
/// ```
/// use cited_judge::artifact::named_files;
/// assert_eq!(named_files("31.5 tokens/s (see results/run1.json)."), ["results/run1.json"]);
/// ```
pub fn named_files(text: &str) -> Vec<String> {
    spans(text, "data").into_iter().map(|span| span.slice(text).to_owned()).collect()
}

/// The paths in a text whose endings are of a class.
fn spans(text: &str, class: &'static str) -> Vec<Span> {
    let mut found = Vec::new();
    // The extensions of the table start with letters.
    let extended = |at: usize| text.as_bytes().get(at + 1).is_some_and(u8::is_ascii_alphabetic);
    if !memchr::memchr_iter(b'.', text.as_bytes()).any(extended) {
        return found;
    }
    let edge = |c: char| {
        c.is_whitespace() || matches!(c, '`' | '"' | '\'' | '(' | ')' | '[' | ']' | '<' | '>' | ',' | ';' | '“' | '”')
    };
    let mut start = 0;
    for written in text.split_inclusive(edge) {
        let token = written.trim_end_matches(edge).trim_end_matches(['.', ':', '。', '，', '、']);
        let extension = token.rsplit_once('.').map(|(stem, extension)| (stem, extension.to_lowercase()));
        if let Some((stem, extension)) = extension {
            let named = stem.chars().any(char::is_alphanumeric) && !token.contains("://") && !token.starts_with("www.");
            if named && CLASSES.has(class, &extension) {
                found.push(Span::new(start, start + token.len()));
            }
        }
        start += written.len();
    }
    found
}

/// What code sets otherwise than a claim says that names what is set; nothing where one line of it sets it so.
///
/// ```
/// use cited_judge::artifact::set_otherwise;
/// let code = "TIMEOUT_SECONDS = 45\nDEBUG = False";
/// assert_eq!(set_otherwise("The timeout is 45 minutes.", code).as_deref(), Some("`TIMEOUT_SECONDS` is 45"));
/// assert_eq!(set_otherwise("The timeout is 45 seconds.", code), None);
/// assert_eq!(set_otherwise("`DEBUG` is true.", code).as_deref(), Some("`DEBUG` is False"));
/// ```
pub fn set_otherwise(claim: &str, code: &str) -> Option<String> {
    let settings: Vec<_> = code.lines().filter_map(setting).collect();
    let said = settings.iter().filter_map(|(name, value)| Some(((name, value), is_as_set(claim, name, value)?)));
    let (as_set, otherwise): (Vec<_>, Vec<_>) = said.partition(|(_, is_so)| *is_so);
    let ((name, value), _) = otherwise.first().filter(|_| as_set.is_empty())?;
    Some(format!("`{name}` is {value}"))
}

/// The name that a line of code gives a value, and the value: `const LIMIT: u64 = 3;`, `timeout: 45`.
fn setting(line: &str) -> Option<(&str, &str)> {
    let (head, value) = line.split_once('=').or_else(|| line.split_once(':'))?;
    let head = head.split(':').next()?.trim_end_matches([' ', '"', '\'']);
    let name = head.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    let end = value.find(['#', ';', ',']).or_else(|| value.find("//")).unwrap_or(value.len());
    Some((name, value[..end].trim_matches([' ', '"', '\'']))).filter(|_| !name.is_empty())
}

/// Whether a claim says of a setting what it is; none where it does not name it, or the value is no number and no switch.
fn is_as_set(claim: &str, name: &str, value: &str) -> Option<bool> {
    let mut written = String::new();
    for c in name.chars() {
        let begins = c.is_uppercase() && written.ends_with(char::is_lowercase);
        written.extend((begins || c == '_').then_some(' ').into_iter().chain(Some(c).filter(|c| *c != '_')));
    }
    let parts: Vec<String> = written.to_lowercase().split(' ').map(str::to_owned).collect();
    let number: Option<f64> = value.replace('_', "").parse().ok();
    let unit = parts.last().and_then(|last| quantities(&format!("{} {last}", number?)).into_iter().next());
    let unit = unit.filter(|q| q.measure != Measure::Count);
    let own: Vec<u64> = words(claim).map(|word| word.key).collect();
    let named = parts[..parts.len() - usize::from(unit.is_some())]
        .iter()
        .filter(|part| !["most", "least"].iter().any(|bound| CLASSES.has(bound, part)));
    let named = named.flat_map(|part| words(part)).filter(|word| !word.stop);
    let mut named = named.map(|word| own.contains(&word.key)).peekable();
    if !claim.contains(&format!("`{name}`")) && (named.peek().is_none() || !named.all(|is_there| is_there)) {
        return None;
    }
    let Some(number) = number else {
        let is_on = cues::answer(value, Languages::ALL)?;
        let answers = words(claim).filter(|word| !polarity::denies(claim, word));
        let said = answers.filter_map(|word| cues::answer(word.span.slice(claim), Languages::ALL)).last()?;
        return Some((said == is_on) != (polarity::stance(claim).denials() % 2 == 1));
    };
    let is_bound = |class| parts.iter().any(|part| CLASSES.has(class, part));
    let (most, least) = (is_bound("most"), is_bound("least"));
    let bounded = |q: &Quantity| q.bound == Bound::AtLeast && most || q.bound == Bound::AtMost && least;
    let is_it = |q: &Quantity| match &unit {
        Some(set) if q.measure != Measure::Count => compare(q, set) == Agreement::Same,
        _ => (q.raw - number).abs() <= f64::EPSILON * number.abs(),
    };
    let mut said = quantities(claim).into_iter().filter(|q| q.is_measured() && !q.is_temporal()).peekable();
    said.peek()?;
    Some(said.any(|q| is_it(&q) && !bounded(&q)))
}

/// Whether the text of a file holds every measured value of a claim.
///
/// Files write values without units and shares as decimals, so the bare figure is enough; a small whole number, which
/// every file has, needs a word of the claim beside it.
///
/// ```
/// use cited_judge::artifact::file_carries;
/// let claim = "Our run averaged 31.5 tokens/s (see results/run1.json).";
/// assert!(file_carries(claim, "results/run1.json", r#"{"tokens_per_s": 31.5}"#));
/// assert!(!file_carries(claim, "results/run1.json", r#"{"tokens_per_s": 13.5}"#));
/// ```
pub fn file_carries(claim: &str, path: &str, text: &str) -> bool {
    let paths = spans(claim, "data");
    let in_path = |q: &Quantity| paths.iter().any(|span| span.overlaps(q.span)) || path.contains(q.span.slice(claim));
    let wanted: Vec<Quantity> =
        quantities(claim).into_iter().filter(|q| q.is_measured() && !q.is_temporal() && !in_path(q)).collect();
    if wanted.is_empty() {
        return false;
    }
    let held = quantities(text);
    // Whether a figure is too particular to be in a file by chance.
    let is_telling = |q: &Quantity| q.raw.fract() != 0.0 || q.raw.abs() >= 100.0;
    wanted.iter().all(|q| {
        held.iter().any(|value| holds(q, value) && (is_telling(q) || stands_beside(claim, q, text, value.span)))
    })
}

/// Whether a value of a file is that of the claim, with its unit or without.
fn holds(q: &Quantity, value: &Quantity) -> bool {
    // The tolerance of the figure as written, before its unit was applied.
    let scale = if q.value == 0.0 { 1.0 } else { (q.raw / q.value).abs() };
    agree(q, value) || !value.is_label() && (q.raw - value.raw).abs() <= q.tolerance * scale + 1e-9
}

fn stands_beside(claim: &str, q: &Quantity, text: &str, span: Span) -> bool {
    let around = span.widened(text, REACH).slice(text);
    let near: Vec<u64> = words(around).filter(|word| !word.stop).map(|word| word.key).collect();
    words(claim).any(|word| !word.stop && !word.number && !q.span.contains(word.span) && near.contains(&word.key))
}

#[cfg(test)]
mod tests {
    use super::{file_carries, is_made_up, named_files};

    #[test]
    fn paths_are_told_from_addresses_and_words() {
        assert_eq!(named_files("see `a/b.csv`, c.log. and d.json"), ["a/b.csv", "c.log", "d.json"]);
        assert!(named_files("https://x.example/a.json and e.g. this").is_empty());
    }

    #[test]
    fn a_file_holds_shares_as_decimals_and_small_numbers_beside_their_word() {
        assert!(file_carries("Accuracy is 94.2% (eval.csv).", "eval.csv", "metric,value\naccuracy,0.942\n"));
        assert!(file_carries("It took 12 retries (a.log).", "a.log", "retries: 12"));
        assert!(!file_carries("It took 12 retries (a.log).", "a.log", "port 12"));
        assert!(!file_carries("It works (a.log).", "a.log", "port 12"));
    }

    #[test]
    fn captions_say_when_nothing_was_measured() {
        assert!(
            is_made_up("Adoption curve (illustrative)")
                && is_made_up("Simulated output")
                && is_made_up("图 2：模拟数据")
        );
        assert!(!is_made_up("An example of a trilobite") && !is_made_up("图 2：示意"));
    }
}
