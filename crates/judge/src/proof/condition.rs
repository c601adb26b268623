//! What a claim asks of the rows of a table: words of their cells (*Danish*), values (*more than 10,000 visitors*, *after 1950*), yes or no,
//! nothing at all.

use std::cmp::Ordering;

use super::account::{is_alike, stands_over};
use super::grid::{Grid, Line};
use super::steps::is_the_value;
use crate::cues::{self, Class};
use cited_text::Span;
use cited_text::quantity::{Bound, Quantity};
use cited_text::words::Word;

/// What a claim asks of a row.
pub(super) struct Condition {
    /// The words and values of the claim that ask it.
    pub(super) spans: Vec<Span>,
    /// The column that has the answer; `None` for what stands over groups of rows.
    pub(super) column: Option<usize>,
    /// Whether each of the rows meets it; `None` where its cell does not say.
    pub(super) met: Vec<Option<bool>>,
    /// Whether it is to have a value, and not more or less than one.
    pub(super) is_equality: bool,
    /// How it is told.
    pub(super) written: String,
}

/// Some rows of a table, of which a claim may ask something.
pub(super) struct Rows<'g, 't> {
    pub(super) grid: &'g Grid<'t>,
    /// Their places in the table.
    pub(super) at: Vec<usize>,
}

impl Rows<'_, '_> {
    /// What a claim asks of the rows by words that stand in a column: *Danish*, *closed*; `None` where a cell says more than such words, so
    /// that nobody knows whether it is meant.
    pub(super) fn categories(&self) -> Option<Vec<Condition>> {
        let columns = (0..self.grid.table.columns)
            .filter(|column| !self.grid.all_columns.contains(column) && !self.grid.names_rows(*column));
        let columns = columns.filter(|column| self.answers_in(*column).is_none());
        let mut conditions = Vec::new();
        for column in columns.map(Some).chain([None]) {
            let cells: Vec<Span> = self.at.iter().map(|row| self.cell_in(*row, column).unwrap_or_default()).collect();
            let mut all = self.read_categories(&cells);
            // What has the very words goes before what has others of their stems.
            if all.iter().any(|own| own.named == Some(Likeness::Same)) {
                all.iter_mut().filter(|own| own.named == Some(Likeness::Alike)).for_each(|own| own.named = None);
            }
            let meant: Vec<&Category<'_>> = all.iter().filter(|own| own.named.is_some()).collect();
            // *North* beside *North Harbour*.
            let outdone = |own: &Category<'_>| meant.iter().any(|other| own.is_within(other));
            let meant: Vec<&Category<'_>> = meant.iter().copied().filter(|own| !outdone(own)).collect();
            let Some(first) = meant.first() else { continue };
            let is_meant = |own: &Category<'_>| meant.iter().any(|other| other.keys == own.keys);
            let unclear = all.iter().any(|own| !is_meant(own) && meant.iter().any(|meant| meant.is_within(own)));
            let guessed = first.named == Some(Likeness::Alike) && meant.iter().any(|other| other.keys != first.keys);
            if unclear {
                return None;
            }
            // *Brücke*, beside kinds of bridges.
            if guessed {
                continue;
            }
            let met = all.iter().map(|own| (!own.written.is_empty()).then(|| is_meant(own))).collect();
            let mut written: Vec<&str> = meant.iter().map(|own| own.written).collect();
            written.sort_unstable();
            written.dedup();
            let head = column.map(|column| format!(" ({})", self.head(column))).unwrap_or_default();
            let written = format!("{}{head}", written.join(" or "));
            let spans = meant.iter().flat_map(|own| own.spans.iter().copied()).collect();
            conditions.push(Condition { spans, column, met, is_equality: false, written });
        }
        Some(conditions)
    }

    /// What cells say in words: all of them where the words that tell something are not enough to tell them apart (*good*, *very good*).
    fn read_categories<'c>(&'c self, cells: &[Span]) -> Vec<Category<'c>> {
        let read =
            |whole| -> Vec<Category<'c>> { cells.iter().map(|cell| Category::new(self.grid, *cell, whole)).collect() };
        let all = read(false);
        let same = |a: &Category<'_>, b: &Category<'_>| a.keys == b.keys && !a.written.eq_ignore_ascii_case(b.written);
        let alike = all.iter().enumerate().any(|(at, own)| all[..at].iter().any(|other| same(own, other)));
        if alike { read(true) } else { all }
    }

    /// What a column is called right above its cells.
    fn head(&self, column: usize) -> &str {
        self.grid.table.column_heads(column).last().map_or("", |head| head.slice(self.grid.text()).trim())
    }

    /// The cell of a row in a column, or what stands over its group.
    pub(super) fn cell_in(&self, row: usize, column: Option<usize>) -> Option<Span> {
        match column {
            Some(column) => self.grid.span(row, column),
            None => self.grid.table.rows.get(row).and_then(|row| row.group),
        }
    }

    /// Whether a time, or a name with a number, stands over the columns that the claim names, or over the whole table.
    pub(super) fn is_placed(&self, q: &Quantity) -> bool {
        let heads = self.grid.columns.iter().flat_map(|column| self.grid.table.column_heads(column.at));
        q.is_temporal() && heads.chain(self.grid.over.iter().copied()).any(|head| stands_over(self.grid.case, q, head))
    }

    /// What a claim asks of the rows by a value: *more than 10,000 visitors*, *after 1950*.
    pub(super) fn by_value(&self, q: &Quantity) -> Option<Condition> {
        let (side, column) = (self.side(q)?, self.column(q)?);
        let mut met = Vec::new();
        for row in &self.at {
            met.push(match (self.grid.value(q, *row, column), side) {
                (None, _) => None,
                (Some(value), None) => Some(is_the_value(q, &value)),
                (Some(value), Some(side)) => match value.year_or_value().partial_cmp(&q.year_or_value())? {
                    // *More than* and *at least* are not told apart.
                    Ordering::Equal => return None,
                    order => Some(side == order),
                },
            });
        }
        let head = self.head(column);
        let sign = match side {
            None => "",
            Some(Ordering::Less) => "< ",
            Some(_) => "> ",
        };
        let written = format!("{sign}{} ({head})", q.span.slice(self.grid.case.claim.text).trim());
        Some(Condition { spans: vec![q.span], column: Some(column), met, is_equality: side.is_none(), written })
    }

    /// What a claim asks of the rows by the head of a column of yes and no.
    pub(super) fn answers(&self) -> Vec<Condition> {
        let condition = |column: usize| {
            let met = self.answers_in(column)?;
            let head = self.grid.table.column_heads(column).last()?;
            let mut spans = Vec::new();
            for word in self.grid.words(head).filter(|word| !word.stop) {
                spans.push(self.grid.case.claim.words.iter().find(|own| own.key == word.key)?.span);
            }
            let written = format!("{}: yes", head.slice(self.grid.text()).trim());
            (!spans.is_empty()).then_some(Condition { spans, column: Some(column), met, is_equality: false, written })
        };
        (0..self.grid.table.columns).filter(|column| !self.grid.names_rows(*column)).filter_map(condition).collect()
    }

    /// What each row answers in a column of yes and no; `None` where that is no such column.
    fn answers_in(&self, column: usize) -> Option<Vec<Option<bool>>> {
        let languages = self.grid.case.source.index.languages;
        let mut answers = Vec::new();
        for row in &self.at {
            let cell = self.grid.span(*row, column)?.slice(self.grid.text()).trim();
            answers.push(if cell.is_empty() { None } else { Some(cues::answer(cell, languages)?) });
        }
        answers.contains(&Some(true)).then_some(answers)
    }

    /// That a row has nothing in a column that a word behind *no* names: *carries no cars*.
    pub(super) fn none_of(&self, at: usize) -> Option<Condition> {
        let word = self.grid.case.claim.words.get(at).filter(|word| cues::has(word, Class::NoneOf))?;
        let named = |line: &&Line| line.words.contains(&(at + 1));
        let line = crate::only::only(self.grid.columns.iter().filter(named))?;
        let languages = self.grid.case.source.index.languages;
        let met = |row: &usize| match self.grid.scaled(*row, line.at) {
            Some(value) => Some(value.value == 0.0),
            None => {
                cues::answer(self.grid.span(*row, line.at)?.slice(self.grid.text()), languages).map(|answer| !answer)
            }
        };
        let head = self.head(line.at);
        let spans = vec![word.span, self.grid.case.claim.words[at + 1].span];
        let met = self.at.iter().map(met).collect();
        Some(Condition { spans, column: Some(line.at), met, is_equality: false, written: format!("0 ({head})") })
    }

    /// On which side of a value those that are meant lie: `Some(None)` where they are the same; `None` where it does not say.
    #[allow(clippy::option_option)]
    fn side(&self, q: &Quantity) -> Option<Option<Ordering>> {
        let before = self.grid.case.claim.words.iter().rev().find(|word| word.span.end <= q.span.start);
        let has = |class| before.is_some_and(|word| cues::has(word, class));
        match q.bound {
            _ if q.upper.is_some() => None,
            Bound::AtLeast => Some(Some(Ordering::Greater)),
            Bound::AtMost => Some(Some(Ordering::Less)),
            Bound::About => None,
            Bound::Exact if q.is_temporal() && has(Class::Before) => Some(Some(Ordering::Less)),
            Bound::Exact if q.is_temporal() && has(Class::After) => Some(Some(Ordering::Greater)),
            Bound::Exact if has(Class::Than) => None,
            Bound::Exact => Some(None),
        }
    }

    /// The column whose values a value of the claim is compared with: the one that it names, or the only one with such values.
    fn column(&self, q: &Quantity) -> Option<usize> {
        let of_kind = |column: &usize| {
            let mut values = self.at.iter().filter_map(|row| self.grid.value(q, *row, *column)).peekable();
            values.peek().is_some()
                && values.all(|value| match (q.year(), value.year()) {
                    (None, None) => value.measure == q.measure && value.upper.is_none(),
                    (own, other) => own.is_some() == other.is_some(),
                })
        };
        let most = self.grid.columns.iter().map(|line| line.named).fold(0.0, f64::max);
        let named = self.grid.columns.iter().filter(|line| line.named >= most).map(|line| line.at).filter(of_kind);
        let named: Vec<usize> = named.collect();
        let all = || self.grid.all_columns.iter().copied().filter(of_kind).collect::<Vec<_>>();
        let alone = q.has_unit() || q.is_temporal();
        match if named.is_empty() && alone { all() } else { named }.as_slice() {
            [column] => Some(*column),
            _ => None,
        }
    }
}

/// How a claim names what a cell says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Likeness {
    /// By its words.
    Same,
    /// By words of their stems: *eléctricos*, of *eléctrica*.
    Alike,
}

/// What a cell says of its row in words.
struct Category<'t> {
    written: &'t str,
    keys: Vec<u64>,
    /// How the claim names it, if it does …
    named: Option<Likeness>,
    /// … by these of its words.
    spans: Vec<Span>,
}

impl<'t> Category<'t> {
    /// What a cell says by the words that tell something, or by all of them (`whole`).
    fn new(grid: &Grid<'t>, cell: Span, whole: bool) -> Self {
        let (case, text) = (grid.case, grid.text());
        let written = cell.slice(text).trim();
        let tells = |word: &&Word| whole || !word.stop || cues::has(word, Class::Negator);
        let content: Vec<&Word> = grid.words(cell).filter(tells).collect();
        // *Crew C*.
        let all = if content.is_empty() { grid.words(cell).collect() } else { content };
        let same = |word: &Word| {
            let own = case.claim.words.iter().filter(|own| own.key == word.key);
            own.into_iter()
                .find(|own| !word.stop || tells(&word) || own.span.slice(case.claim.text) == word.span.slice(text))
        };
        let alike = |word: &Word| {
            let theirs = word.span.slice(text).to_lowercase();
            let lower = |own: &Word| own.span.slice(case.claim.text).to_lowercase();
            case.claim.words.iter().find(|own| !own.stop && is_alike(&lower(own), &theirs))
        };
        let named = |spans: &Vec<Span>| !all.is_empty() && spans.len() == all.len();
        let very: Vec<Span> = all.iter().filter_map(|word| same(word)).map(|own| own.span).collect();
        let near: Vec<Span> =
            all.iter().filter_map(|word| same(word).or_else(|| alike(word))).map(|own| own.span).collect();
        let whole = grid.place_in_claim(written);
        let (named, spans) = if let Some(whole) = whole.filter(|_| named(&very)) {
            (Some(Likeness::Same), vec![whole])
        } else if named(&very) {
            (Some(Likeness::Same), very)
        } else if named(&near) {
            (Some(Likeness::Alike), near)
        } else {
            (None, Vec::new())
        };
        Category { written, keys: all.iter().map(|word| word.key).collect(), named, spans }
    }

    /// Whether another one says this and more.
    fn is_within(&self, other: &Category<'_>) -> bool {
        self.keys.len() < other.keys.len() && self.keys.iter().all(|key| other.keys.contains(key))
    }
}
