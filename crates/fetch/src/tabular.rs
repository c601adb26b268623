//! Files whose values a sign parts (CSV, TSV) as a person sees them in a viewer: rows under their heads.
//!
//! CSV is read by the `csv` crate, which forgives what is not as it should be. Here that is right: what the file itself says stands
//! below its tables, so nothing that a claim may quote is lost. The gate, which computes with such files, forgives nothing.

use std::collections::HashMap;

use csv::{ReaderBuilder, StringRecord};

use cited_text::quantity::quantities;

/// A larger file, in bytes, is left as it is.
const LARGEST: usize = 8 << 20;
/// So many lines tell which sign parts the values of a file.
const LINES_THAT_TELL: usize = 200;
/// A longer part of a name, in characters, is a word and no unit.
const LONGEST_UNIT: usize = 4;
/// Signs that part the values of a line.
const SEPARATORS: [u8; 4] = *b",;\t|";

/// The tables of a file whose values a sign parts, as lines: cells are parted by tabs. `None` where the file has none.
pub(super) fn laid_out(text: &str) -> Option<String> {
    let separator = separator(text).filter(|_| text.len() <= LARGEST)?;
    let mut out = String::new();
    let mut before = 0;
    let mut records = records(text, separator).peekable();
    while let Some(record) = records.next() {
        // A line without a word ends what stands above it.
        if record.iter().all(|cell| cell.trim().is_empty()) {
            before = usize::MAX;
            continue;
        }
        // Lines of another length are another table, or say something of the one below.
        let begins = record.len() != before;
        if begins && before > 0 {
            out.push('\n');
        }
        before = record.len();
        let is_head = begins && records.peek().is_some_and(|next| next.len() == before);
        let cell = |cell: &str| if is_head { in_words(cell) } else { one_line(cell) };
        out.push_str(&record.iter().map(cell).collect::<Vec<_>>().join("\t"));
        out.push('\n');
    }
    Some(out)
}

/// The sign that parts the values of a file: the one by which most of its first lines have as many values as each other. `None` where
/// each line is one value.
fn separator(text: &str) -> Option<u8> {
    let agreement = |separator| {
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for record in records(text, separator).take(LINES_THAT_TELL).filter(|record| record.len() > 1) {
            *counts.entry(record.len()).or_default() += 1;
        }
        counts.into_iter().map(|(values, lines)| (lines, values)).max()
    };
    let agreed = SEPARATORS.into_iter().filter_map(|separator| Some((agreement(separator)?, separator)));
    agreed.max_by_key(|(agreement, _)| *agreement).map(|(_, separator)| separator)
}

/// The lines of a file whose values this sign parts, one after the other.
fn records(text: &str, separator: u8) -> impl Iterator<Item = StringRecord> {
    let mut reader = ReaderBuilder::new();
    let reader = reader.has_headers(false).flexible(true).delimiter(separator).from_reader(text.as_bytes());
    reader.into_records().filter_map(Result::ok)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name as words, with the unit that it ends with in brackets: `depth_m`, `depthM` and `depth.m` are *depth (m)*, `flow_l_s` is *flow
/// (l/s)*.
fn in_words(name: &str) -> String {
    let parts = parts_of(name);
    let units = parts.iter().skip(1).rev().take(2).map_while(|part| unit_of(part));
    let units: Vec<String> = units.collect::<Vec<_>>().into_iter().rev().collect();
    let words = one_line(&parts[..parts.len() - units.len()].join(" "));
    if units.is_empty() { words } else { format!("{words} ({})", units.join("/")) }
}

/// The words of a name that a program gives: parted by `_` or points, or each with a capital. *GDP* stays one.
fn parts_of(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut parts = vec![String::new()];
    for (at, &c) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| letters[at]);
        let is_small = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let ends_word = |b: char| b.is_lowercase() || b.is_numeric() || b.is_uppercase() && is_small;
        let begins = c.is_uppercase() && before.is_some_and(ends_word);
        let divides = c == '_' || c == '.' && before.is_some_and(char::is_alphabetic);
        if begins || divides {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut().filter(|_| !divides) {
            if begins && is_small { part.extend(c.to_lowercase()) } else { part.push(c) }
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The unit that a part of a name writes: a small letter where both are one, as `M` of `depthM`.
fn unit_of(part: &str) -> Option<String> {
    let is_unit = |unit: &String| {
        let value = format!("7 {unit}");
        matches!(quantities(&value).as_slice(), [q] if q.span.len() == value.len() && q.has_unit())
    };
    let short = part.chars().count() <= LONGEST_UNIT && !part.contains(' ');
    short.then(|| [part.to_lowercase(), part.to_owned()])?.into_iter().find(is_unit)
}

#[cfg(test)]
mod tests {
    use super::{in_words, laid_out};

    #[track_caller]
    fn check(file: &str, expected: Option<&str>) {
        assert_eq!(laid_out(file).as_deref(), expected, "{file}");
    }

    #[test]
    fn values_that_a_sign_separates_are_rows() {
        check("mine,output_2021\nKorsa,\"1,204\"\n", Some("mine\toutput 2021\nKorsa\t1,204\n"));
        check("Ort;Preis\nJena;1,5\nUlm;2,5\n", Some("Ort\tPreis\nJena\t1,5\nUlm\t2,5\n"));
        check("a\tb\n\"x\ny\"\t2\n", Some("a\tb\nx y\t2\n"));
        // What stands above the table is not its head.
        let above = "Source,Survey of mines\nmine,2020,2021\nKorsa,3,4\n";
        check(above, Some("Source\tSurvey of mines\n\nmine\t2020\t2021\nKorsa\t3\t4\n"));
        check(
            "Mines of Korsa\n,,\nmine,2020,2021\nKorsa,3,4\n",
            Some("Mines of Korsa\n\nmine\t2020\t2021\nKorsa\t3\t4\n"),
        );
        check("only\none\ncolumn\n", None);
        check("", None);
        // A quotation mark that is never closed loses no word.
        check("a,b\n\"x,1\ny,2\n", Some("a\tb\n\nx,1 y,2\n"));
    }

    #[test]
    fn names_of_programs_are_words_with_their_units() {
        for (name, words) in [
            ("output_2021_t", "output 2021 (t)"),
            ("maxSpeedKn", "max speed (kn)"),
            ("lengthM", "length (m)"),
            ("sizeMB", "size (MB)"),
            ("yield_l_s", "yield (l/s)"),
            ("GDPGrowth", "GDP growth"),
            ("passengers2022", "passengers2022"),
            ("Besucher_2021", "Besucher 2021"),
            ("Length (km)", "Length (km)"),
            ("vs. last year", "vs last year"),
            ("region_id", "region id"),
            ("m", "m"),
        ] {
            assert_eq!(in_words(name), words, "{name}");
        }
    }
}
