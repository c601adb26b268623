//! The one format of tables, and what reads it.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::OnceLock;

use super::language::Languages;
use crate::ascii::{ByForm, Forms, form};

/// A row of a table.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// What its words mean.
    pub class: &'static str,
    /// In which languages.
    pub languages: Languages,
    /// The tag of the language, as it is written.
    pub lang: &'static str,
    /// The words, with bars between them.
    words: &'static str,
}

impl Row {
    /// What stands in the column of words, where that is no list of words.
    pub fn written(self) -> &'static str {
        self.words
    }

    /// Its words.
    pub fn forms(self) -> impl Iterator<Item = &'static str> {
        self.words.split('|').filter(|form| !form.is_empty())
    }
}

/// The lines of a table that are no remarks, and its header.
fn lines(table: &'static str) -> (Option<&'static str>, impl Iterator<Item = &'static str>) {
    let mut lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).peekable();
    let header = lines.next_if(|line| line.split('\t').any(|name| name == "lang"));
    (header, lines)
}

/// The cells of each row, in the order of the header: for tables that have other columns than those of [`Row`].
pub fn cells(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    lines(table).1.map(|line| line.split('\t').collect())
}

/// The rows of a table.
pub fn rows(table: &'static str) -> impl Iterator<Item = Row> {
    let (header, lines) = lines(table);
    let place = |name: &str| header.and_then(|header| header.split('\t').position(|own| own == name));
    let places = [place("class"), place("lang"), place("words")];
    lines.filter_map(move |line| {
        let cells: Vec<&'static str> = line.split('\t').collect();
        let [class, lang, words] = match (header, cells.len()) {
            (Some(_), _) => places,
            // A table without a header is one of classes, languages and words, or of classes and words.
            (None, 2) => [Some(0), None, Some(1)],
            (None, _) => [Some(0), Some(1), Some(2)],
        };
        let cell = |place: Option<usize>, otherwise| place.map_or(Some(otherwise), |place| cells.get(place).copied());
        let lang = cell(lang, "*")?;
        Some(Row { class: cell(class, "")?, languages: Languages::of_column(lang), lang, words: cell(words, "")? })
    })
}

/// The words of one class of a table that are words of one of `languages`.
pub fn forms(table: &'static str, wanted: &'static str, languages: Languages) -> impl Iterator<Item = &'static str> {
    rows(table).filter(move |row| row.class == wanted && row.languages.meet(languages)).flat_map(Row::forms)
}

/// The words of one class of a table, of all languages: for what is compared whole, and so is its own text.
pub fn words(table: &'static str, wanted: &'static str) -> impl Iterator<Item = &'static str> {
    forms(table, wanted, Languages::ALL)
}

/// The words of one class of a table, each with all languages that have it.
pub fn by_language(table: &'static str, wanted: &str) -> HashMap<&'static str, Languages> {
    let mut words = HashMap::new();
    for row in rows(table).filter(|row| row.class == wanted) {
        for form in row.forms() {
            let known = words.entry(form).or_insert(Languages::NONE);
            *known = known.and(row.languages);
        }
    }
    words
}

/// The words of a table, each with what its class names. Rows of other classes are left out.
pub fn named<T: FromStr + Copy>(table: &'static str) -> impl Iterator<Item = (&'static str, T)> {
    let of = |row: Row| row.class.parse().ok().map(|class: T| row.forms().map(move |form| (form, class)));
    rows(table).filter_map(of).flatten()
}

/// The words of each class of a table.
pub fn read(table: &'static str) -> HashMap<&'static str, Vec<&'static str>> {
    let mut classes: HashMap<&'static str, Vec<&'static str>> = HashMap::new();
    for row in rows(table) {
        classes.entry(row.class).or_default().extend(row.forms());
    }
    classes
}

/// The words of each class of a table, which is read once, where one is asked for: as they are written, and to look a word up.
#[derive(Debug)]
pub struct Classes {
    table: &'static str,
    words: OnceLock<ByForm<(Vec<&'static str>, Forms)>>,
}

impl Classes {
    /// Those of this table.
    pub const fn new(table: &'static str) -> Self {
        Classes { table, words: OnceLock::new() }
    }

    fn class(&self, class: &str) -> Option<&(Vec<&'static str>, Forms)> {
        let known = |(class, words): (&str, Vec<&'static str>)| {
            let forms = words.iter().map(|word| form(word)).collect();
            (form(class), (words, forms))
        };
        self.words.get_or_init(|| read(self.table).into_iter().map(known).collect()).get(&form(class))
    }

    /// The words of a class.
    pub fn of(&self, class: &str) -> &[&'static str] {
        self.class(class).map_or(&[], |(words, _)| words)
    }

    /// Whether a word is of a class.
    pub fn has(&self, class: &str, word: &str) -> bool {
        self.class(class).is_some_and(|(_, words)| words.contains(&form(word)))
    }

    /// Whether a word is of one of these classes.
    pub fn are(&self, classes: &[&str], word: &str) -> bool {
        classes.iter().any(|class| self.has(class, word))
    }
}

/// What a word may mean, by language: few words mean something in more than one way.
#[derive(Debug, Clone)]
pub struct Meanings<T>(Vec<(Languages, T)>);

impl<T> Default for Meanings<T> {
    fn default() -> Self {
        Meanings(Vec::new())
    }
}

impl<T: Copy> Meanings<T> {
    /// Adds what it means in some languages.
    pub fn add(&mut self, languages: Languages, meaning: T) {
        self.0.push((languages, meaning));
    }

    /// What it means in a text that is in one of these languages, as far as is known.
    pub fn in_any(&self, languages: Languages) -> impl Iterator<Item = T> + '_ {
        self.0.iter().filter(move |(own, _)| own.meet(languages)).map(|(_, meaning)| *meaning)
    }
}

#[cfg(test)]
mod tests {
    use super::{Classes, Meanings, cells, forms, rows, words};
    use crate::lexicon::{Language, Languages};

    const TABLE: &str = "# remark\n# source: us\nclass\tlang\twords\ndenies\tes\tsin|nunca\ndenies\ten\tnot\nsign\t*\t%\nsign\tfr,es\tpor ciento";

    #[test]
    fn a_word_means_something_in_its_language_only() {
        for (form, tag, expected) in [
            ("sin", "es", vec!["denies"]),
            ("sin", "en", vec![]),
            ("not", "en", vec!["denies"]),
            ("%", "ja", vec!["sign"]),
            ("por ciento", "fr", vec!["sign"]),
            ("sin", "?", vec!["denies"]),
        ] {
            let mut meanings = Meanings::default();
            let having = rows(TABLE).filter(|row| row.forms().any(|own| own == form));
            having.for_each(|row| meanings.add(row.languages, row.class));
            let language = Language::of_tag(tag).map_or(Languages::ALL, Languages::from);
            assert_eq!(meanings.in_any(language).collect::<Vec<_>>(), expected, "{form} {tag}");
        }
    }

    #[test]
    fn forms_of_a_class_are_those_of_the_language() {
        let spanish = Language::of_tag("es").map_or(Languages::NONE, Languages::from);
        assert_eq!(forms(TABLE, "denies", spanish).collect::<Vec<_>>(), ["sin", "nunca"]);
        assert_eq!(forms(TABLE, "sign", spanish).collect::<Vec<_>>(), ["%", "por ciento"]);
    }

    #[test]
    fn columns_are_known_by_their_header() {
        let table = "lang\twords\n*\ta|b\nen\tc\n";
        assert_eq!(rows(table).flat_map(super::Row::forms).collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(cells(table).collect::<Vec<_>>(), [["*", "a|b"], ["en", "c"]]);
        assert_eq!(words("x\ta|b\ny\tc", "x").collect::<Vec<_>>(), ["a", "b"]);
        let classes = Classes::new(TABLE);
        assert_eq!(classes.of("denies"), ["sin", "nunca", "not"]);
        assert!(classes.has("sign", "%") && !classes.has("denies", "%") && classes.are(&["denies", "sign"], "%"));
    }
}
