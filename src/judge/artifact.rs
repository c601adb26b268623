//! Claims that stand on a file: a path that the claim names, and a value that the file holds.

use crate::text::Span;
use crate::text::quantity::{Quantity, quantities};

/// Endings of the files that hold values as text.
const ENDINGS: &[&str] =
    &["csv", "tsv", "json", "jsonl", "ndjson", "txt", "log", "out", "yaml", "yml", "toml", "md", "xml", "html"];

/// Words that say of a figure or table that it shows no measured data.
const SYNTHETIC: &[&str] = &[
    "illustrative", "illustration only", "simulated", "synthetic", "representative", "hypothetical", "example",
    "schematic", "mock-up", "made-up", "beispielhaft", "illustratif", "ilustrativo", "示意", "模拟", "示例", "イメージ図",
];

/// The paths that a text names, as written: words with a known ending, and a folder or a name before it.
///
/// ```
/// use cited::judge::artifact::named_files;
/// assert_eq!(named_files("It ran at 31.5 tokens/s (see results/run1.json)."), ["results/run1.json"]);
/// assert!(named_files("See https://a.example/b.json and example.com.").is_empty());
/// ```
pub fn named_files(text: &str) -> Vec<String> {
    let is_edge = |c: char| !(c.is_alphanumeric() || matches!(c, '/' | '\\' | '_'));
    text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | '"' | '“' | '”' | '`' | ',' | '，' | '；' | '。'))
        .filter(|word| !word.contains("://"))
        .map(|word| word.trim_matches(is_edge))
        .filter(|word| {
            let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
            name.rsplit_once('.').is_some_and(|(stem, ending)| {
                !stem.is_empty() && ENDINGS.contains(&ending.to_ascii_lowercase().as_str())
            })
        })
        .map(str::to_owned)
        .collect()
}

/// Whether a file carries a claim that names it: every measured number of the claim, the path apart, stands in the file,
/// at the claim's own precision. A claim without a number is not carried by a file's being there.
pub fn carries(claim: &str, path: &str, file: &str) -> bool {
    let path_at = claim.find(path).map(|at| Span::new(at, at + path.len()));
    let claimed: Vec<Quantity> = quantities(claim)
        .into_iter()
        .filter(|quantity| quantity.is_measured() && path_at.is_none_or(|path| !path.overlaps(quantity.span)))
        .collect();
    if claimed.is_empty() {
        return false;
    }
    let held = numbers(file);
    claimed.iter().all(|quantity| {
        let precision = half_last_place(quantity.span.of(claim));
        held.iter().any(|value| (value - quantity.raw).abs() <= precision.max(quantity.raw.abs() * 1e-9))
    })
}

/// Half a unit in the last written place of a number: 0.05 for `31.5`, 0.5 for `31`.
fn half_last_place(written: &str) -> f64 {
    let digits: String = written.chars().skip_while(|c| !c.is_ascii_digit()).take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let decimals = digits.trim_end_matches('.').split_once('.').map_or(0, |(_, decimals)| decimals.len());
    0.5 * 10f64.powi(-(decimals.min(15) as i32))
}

/// The plain numbers of a data file.
fn numbers(file: &str) -> Vec<f64> {
    file.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E')))
        .filter(|word| word.bytes().any(|b| b.is_ascii_digit()))
        .filter_map(|word| word.trim_matches(['.', '+']).parse().ok())
        .filter(|value: &f64| value.is_finite())
        .collect()
}

/// Whether a caption calls its figure or table an illustration.
pub fn is_synthetic(caption: &str) -> bool {
    let caption = caption.to_lowercase();
    SYNTHETIC.iter().any(|word| {
        caption.match_indices(word).any(|(at, _)| {
            let touches = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
            !touches(caption[..at].chars().next_back()) && !touches(caption[at + word.len()..].chars().next())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(claim: &str, file: &str, expected: bool) {
        let path = &named_files(claim)[0];
        assert_eq!(carries(claim, path, file), expected, "{claim:?} by {file:?}");
    }

    #[test]
    fn every_number_has_to_be_in_the_file() {
        check("It averaged 31.5 tokens/s (see `results/run1.json`).", "{\"tokens_per_s\": 31.5}", true);
        check("It averaged 31.5 tokens/s (see run.json).", "{\"tokens_per_s\": 31.54}", true);
        check("It averaged 31.5 tokens/s (see run.json).", "{\"tokens_per_s\": 31.6}", false);
        check("It ran 3 times at 31.5 tokens/s (run.csv).", "run,tps\n1,31.5\n", false);
        check("It was fast (run.csv).", "run,tps\n1,31.5\n", false);
    }

    #[test]
    fn captions_say_what_they_are() {
        assert!(is_synthetic("Adoption curve (illustrative)"));
        assert!(is_synthetic("增长曲线（示意）"));
        assert!(!is_synthetic("Counterexamples found in 2020"));
    }
}
