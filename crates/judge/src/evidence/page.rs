//! Reads a page into its units of evidence, once, in the order of its text. Linear in the text.

use std::cell::LazyCell;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::scale;
use super::search::SourceIndex;
use super::speaker::{self, Attribution, Speaker, speakers};
use super::unit::{Cell, Context, ContextKind, Row, Table, Unit};
use cited_text::Span;
use cited_text::layout::{Block, BlockKind, Layout};
use cited_text::lexicon;
use cited_text::quantity::{Measure, Quantity, month, quantities};
use cited_text::words::{self, Word};

/// A page as a reader sees it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    units: Vec<Unit>,
    /// The tables, in the order of the page.
    pub tables: Vec<Table>,
}

/// A title of a table is no longer than this, in bytes.
const LONGEST_TITLE: usize = 200;
/// A label of a row is no longer than this, in bytes.
const LONGEST_LABEL: usize = 160;
/// So many names with values right above a table say something of it.
const MOST_NAMED: usize = 6;
/// So many rows on top of a table may hold heads.
const MOST_HEAD_ROWS: usize = 4;
/// So many rows tell whether a column holds labels.
const TELLING_ROWS: usize = 30;
/// A pronoun stands for somebody who was named fewer sentences ago than this.
const NAMED_SO_LONG_AGO: usize = 4;
/// A name that a sentence begins with may stand behind so many words: *In 2023 the*.
const NAME_REACH: usize = 6;
/// No words for what was named before are so long, in bytes.
const LONGEST_REFERENCE: usize = 40;

impl Evidence {
    /// Reads a page that is laid out so.
    ///
    /// ```
    /// use cited_judge::evidence::{ContextKind, Evidence, SourceIndex};
    /// use cited_text::layout::Layout;
    /// let text = "Tornes Line carries cars. It sails daily.";
    /// let page = Evidence::new(&SourceIndex::new(text), &Layout::of_text(text));
    /// let stands_for: Vec<&str> = page.unit_at(26).unwrap().hangs_on(ContextKind::Antecedent).map(|span| span.slice(text)).collect();
    /// assert_eq!(stands_for, ["Tornes Line"]);
    /// ```
    pub fn new(index: &SourceIndex<'_>, layout: &Layout) -> Evidence {
        let mut tables: Vec<Table> = layout.tables.iter().filter_map(|rows| table(index, layout, rows)).collect();
        tables.sort_by_key(|table| table.span.start);
        let mut reader =
            Reader { index, units: Vec::with_capacity(index.len()), path: Vec::new(), name: None, somebody: None };
        let (mut introduction, mut before): (Option<Span>, Option<Block>) = (None, None);
        let (mut sentence, mut next_table) = (0, 0);
        for block in &layout.blocks {
            while index.span_of(sentence, sentence).end <= block.span.start && sentence < index.len() {
                sentence += 1;
            }
            if block.kind != BlockKind::Item {
                introduction = None;
            } else if !before.is_some_and(|before| before.kind == BlockKind::Item) {
                // The last sentence of the block before it.
                introduction = before.map(|before| {
                    let at = index.sentence_at(before.span.end.saturating_sub(1));
                    let span = index.span_of(at, at);
                    Span::new(span.start.max(before.span.start), span.end)
                });
            }
            if block.kind == BlockKind::Row {
                // A table is read as a whole where its first row stands.
                while let Some(table) = tables.get(next_table).filter(|table| table.span.start < block.span.end) {
                    reader.add_table(table);
                    next_table += 1;
                }
            } else {
                sentence = reader.add_block(*block, sentence, introduction);
            }
            before = Some(*block).filter(|_| block.kind != BlockKind::Row || before.is_none());
        }
        let mut units = reader.units;
        units.sort_by_key(|unit| unit.span.start);
        Evidence { units, tables }
    }

    /// The unit that the byte at `offset` stands in.
    pub fn unit_at(&self, offset: usize) -> Option<&Unit> {
        let at = self.units.partition_point(|unit| unit.span.start <= offset).checked_sub(1)?;
        self.units.get(at).filter(|unit| offset < unit.span.end)
    }

    /// The one value of a cell, read with the unit and the magnitude that its heads, its label and the titles of its table give: `8.9` under
    /// *million dollars* is 8.9 million dollars. Its span is a place in the text of the page.
    pub fn value(&self, index: &SourceIndex<'_>, (table, row, column): (usize, usize, usize)) -> Option<Quantity> {
        let table = self.tables.get(table)?;
        let cell = table.rows.get(row)?.cells.get(column)?;
        let bare = crate::only::only(index.quantities_in(cell.span).iter().filter(|value| !value.is_label()))?;
        let mut over: Vec<Span> = table.column_heads(column).collect();
        over.reverse();
        // A unit without the stop behind its short form: *Mio.*
        let unit = table.unit_of(row).filter(|unit| *unit != cell.span);
        let length = |unit: Span| unit.slice(index.text()).trim_end_matches('.').len();
        over.extend(unit.map(|unit| Span::new(unit.start, unit.start + length(unit))));
        over.extend(table.row_heads(row));
        over.extend(table.corner());
        over.extend(table.titles.iter().rev());
        scale::read(index.text(), bare, &over).or_else(|| Some(bare.clone()))
    }
}

/// What is known on the way down the page.
struct Reader<'r, 'a> {
    index: &'r SourceIndex<'a>,
    units: Vec<Unit>,
    /// The headings above, with their levels.
    path: Vec<(u8, Span)>,
    /// The name that the last sentence that has one is about.
    name: Option<Span>,
    /// Who spoke last, or who was named at the head of a sentence since, and how many sentences ago.
    somebody: Option<(Span, usize)>,
}

impl Reader<'_, '_> {
    fn headings(&self) -> Vec<Context> {
        self.path.iter().map(|(_, span)| Context { kind: ContextKind::Heading, span: *span }).collect()
    }

    /// Adds the sentences of a block, from `sentence` on; the first sentence behind the block.
    fn add_block(&mut self, block: Block, sentence: usize, introduction: Option<Span>) -> usize {
        let level = if let BlockKind::Heading(level) = block.kind { Some(level) } else { None };
        if let Some(level) = level {
            self.path.truncate(self.path.iter().rposition(|(above, _)| *above < level).map_or(0, |at| at + 1));
        }
        let text = self.index.text();
        let mut at = sentence;
        while at < self.index.len() && self.index.span_of(at, at).start < block.span.end {
            let whole = self.index.span_of(at, at);
            // A sentence may go on behind the line of its block.
            let span = if at == sentence { Span::new(whole.start.max(block.span.start), whole.end) } else { whole };
            let mut context = self.headings();
            context.extend(introduction.map(|span| Context { kind: ContextKind::Introduction, span }));
            let words = self.index.words_of(at, at);
            if refers_back(text, words) {
                // *He* is somebody, and no harbour.
                let somebody = self.somebody.filter(|_| speaker::begins_with(words, "pronoun")).map(|(name, _)| name);
                context.extend(somebody.or(self.name).map(|span| Context { kind: ContextKind::Antecedent, span }));
            } else if level.is_none() {
                self.name = name_at_head(text, words).or(self.name);
            }
            let speaker = self.speaker(span, words).filter(|name| !span.contains(*name));
            context.extend(speaker.map(|span| Context { kind: ContextKind::Speaker, span }));
            self.units.push(Unit { span, context });
            at += 1;
        }
        self.path.extend(level.map(|level| (level, block.span)));
        at
    }

    /// Who speaks in a sentence; `None` when nobody does, or it is not clear who.
    fn speaker(&mut self, span: Span, words: &[Word]) -> Option<Span> {
        let text = self.index.text();
        let said = speakers(text, span, words);
        let last = self.somebody.filter(|(_, ago)| *ago < NAMED_SO_LONG_AGO).map(|(name, _)| name);
        let named = said.iter().rev().find_map(Attribution::name);
        let owned = || !refers_back(text, words) || speaker::begins_with(words, "owner");
        let head = || name_at_head(text, words).filter(|name| owned() && name.slice(text).contains([' ', '-']));
        match named.or_else(head) {
            Some(name) => self.somebody = Some((name, 0)),
            None => self.somebody = self.somebody.map(|(name, ago)| (name, ago + 1)),
        }
        let by: Vec<Speaker> = said.iter().map(|said| said.by).collect();
        match by.as_slice() {
            [Speaker::Named(name)] => Some(*name),
            [Speaker::Pronoun] => last,
            _ => None,
        }
    }

    fn add_table(&mut self, table: &Table) {
        for one in &table.rows {
            let written = one.cells.iter().map(|cell| cell.span).filter(|span| !span.is_empty());
            let Some(span) = written.reduce(Span::cover).or(one.group) else { continue };
            let mut context = self.headings();
            let mut add = |kind, span| context.push(Context { kind, span });
            table.titles.iter().for_each(|title| add(ContextKind::Caption, *title));
            if !one.is_head {
                one.group.into_iter().for_each(|group| add(ContextKind::RowHead, group));
                for head in table.head_rows() {
                    let mut last = None;
                    for cell in head.cells.iter().filter(|cell| !cell.span.is_empty()) {
                        if last.replace(cell.span) != Some(cell.span) {
                            add(ContextKind::ColumnHead, cell.span);
                        }
                    }
                }
            }
            self.units.push(Unit { span, context });
        }
    }
}

/// Words for what was named before, by the form of their first word: whether they are a pronoun, and all of the words.
static REFERENCES: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut forms: HashMap<&str, Vec<&str>> = HashMap::new();
    for row in lexicon::rows(include_str!("data/references.tsv")) {
        for form in row.forms() {
            forms.entry(form.split(' ').next().unwrap_or(form)).or_default().push(form);
        }
    }
    forms
});

/// Whether a sentence begins with words that stand for something named before it.
fn refers_back(text: &str, words: &[Word]) -> bool {
    let Some(first) = words.first() else { return false };
    let rest = Span::new(first.span.start, words.last().map_or(first.span.end, |last| last.span.end)).slice(text);
    let head = LazyCell::new(|| rest[..rest.floor_char_boundary(LONGEST_REFERENCE)].to_lowercase());
    let begins = |form: &&str| {
        let rest = head.strip_prefix(form);
        rest.is_some_and(|rest| form.contains(cited_text::script::is_cjk) || !rest.starts_with(char::is_alphanumeric))
    };
    let word = first.span.slice(text).to_lowercase();
    REFERENCES.get(word.as_str()).into_iter().flatten().any(&begins)
        || rest.chars().next().is_some_and(cited_text::script::is_cjk)
            && REFERENCES.values().flatten().filter(|form| !form.is_ascii()).any(begins)
}

/// The name that stands at the head of a sentence: words with capitals in a row, the first of them no ordinary word of a sentence.
fn name_at_head(text: &str, words: &[Word]) -> Option<Span> {
    let is_name = |word: &Word| word.capital && !word.stop && !word.number && month(word.span.slice(text)).is_none();
    let begin = words.iter().take(NAME_REACH).position(is_name)?;
    let mut end = begin;
    while let Some(next) = words.get(end + 1)
        && is_name(next)
        && words[end].span.until(next.span, text).chars().all(|c| matches!(c, ' ' | '-' | '’' | '\'' | '.'))
    {
        end += 1;
    }
    let first = words.get(begin)?;
    // *Prices rose* begins with a capital for it begins.
    let ordinary = begin == 0 && end == begin && words::rarity(first.key) < words::RARE;
    (!ordinary).then(|| first.span.cover(words[end].span))
}

/// The column that gives each row of a table its unit: words or signs, and nothing with a figure, which are units in a good part of the rows.
fn unit_column(index: &SourceIndex<'_>, table: &Table) -> Option<usize> {
    /// A longer cell tells more than a unit, in characters.
    const LONGEST: usize = 20;
    /// In this part of the rows at least: others may say *number*, or nothing.
    const PART: f64 = 0.3;
    /// Units stand in the first columns.
    const FIRST: usize = 4;
    let is_it = |column: &usize| {
        let cells = || table.column(*column).map(|(_, cell)| cell.slice(index.text()).trim());
        let short = |cell: &str| cell.chars().count() <= LONGEST && !cell.contains(|c: char| c.is_ascii_digit());
        let units =
            || cells().filter(|cell| !cell.is_empty() && scale::names_a_scale(cell.trim_end_matches('.'))).count();
        cells().count() > 1 && cells().all(short) && units() as f64 >= PART * cells().count() as f64
    };
    (1..table.columns.min(FIRST)).find(is_it)
}

/// A table of these cells; none where nothing is written in them, or where there is but one cell.
fn table(index: &SourceIndex<'_>, layout: &Layout, rows: &[Vec<Cell>]) -> Option<Table> {
    let (text, cells) = (index.text(), || rows.iter().flatten());
    let span = cells().map(|cell| cell.span).filter(|span| !span.is_empty()).reduce(Span::cover)?;
    let columns = rows.iter().map(Vec::len).max().filter(|columns| *columns > 1)?;
    // Names with their values have no heads over them.
    let named = cells().any(|cell| cell.is_head);
    let mut rows: Vec<Row> = rows.iter().map(|cells| Row { cells: cells.clone(), ..Row::default() }).collect();
    if !named {
        mark_heads(text, &mut rows, columns);
    }
    spread_heads(&mut rows);
    mark_groups(&mut rows, columns);
    mark_labels(text, &mut rows, columns);
    repeat_labels(&mut rows);
    let table = Table { span, titles: titles(text, layout, span), columns, rows, unit_column: None };
    Some(Table { unit_column: unit_column(index, &table), ..table })
}

/// Marks the rows on top that say what the columns are.
fn mark_heads(text: &str, rows: &mut [Row], columns: usize) {
    let most = rows.len().saturating_sub(1).min(MOST_HEAD_ROWS);
    let (mut before_spans, mut before_ends) = (true, false);
    let gives_units: Vec<bool> = rows.iter().take(most + 1).map(|row| is_row_of_units(text, row, columns)).collect();
    for (at, row) in rows.iter_mut().enumerate().take(most) {
        let written = row.cells.iter().filter(|cell| !cell.span.is_empty()).count();
        let names = || row.cells.iter().skip(1).all(|cell| is_label(cell.span.slice(text)));
        // The head over the labels reaches into a second row of heads.
        let reached = at > 0 && row.cells.first().is_some_and(|corner| corner.span.is_empty());
        let below_heads = before_spans && (reached || names()) || before_ends && reached;
        if !(at > 0 && gives_units[at] || written > 1 && below_heads) {
            break;
        }
        // Below heads that reach over several columns stand those of each.
        before_spans = row.cells.iter().skip(2).any(|cell| cell.span.is_empty());
        // One over the last columns shows by what stands in them below.
        before_ends = row.cells.len() < columns;
        row.is_head = true;
        row.cells.iter_mut().for_each(|cell| cell.is_head = true);
        if !before_spans && !before_ends && at == 0 && !gives_units.get(1).is_some_and(|units| *units) {
            break;
        }
    }
}

/// Whether a row below the heads only gives the units of what stands below it: *km* under each year. One alone over several columns is the
/// label of a group.
fn is_row_of_units(text: &str, row: &Row, columns: usize) -> bool {
    let Some((corner, cells)) = row.cells.split_first() else { return false };
    let written = || cells.iter().map(|cell| cell.span).filter(|span| !span.is_empty());
    let enough = written().count() > usize::from(columns > 2);
    corner.span.is_empty() && enough && written().all(|cell| scale::names_a_scale(cell.slice(text)))
}

/// A head over several columns stands over each: where nothing is written behind it, and heads of their own stand below, it goes on.
fn spread_heads(rows: &mut [Row]) {
    let heads = rows.iter().take_while(|row| row.is_head).count();
    let columns = rows.iter().take(heads).map(|row| row.cells.len()).max().unwrap_or(0);
    for at in 0..heads.saturating_sub(1) {
        let (above, below) = rows.split_at_mut(at + 1);
        let Some(row) = above.last_mut() else { continue };
        row.cells.resize(columns, Cell { is_head: true, ..Cell::default() });
        let has_own = |column: usize| {
            let mut under = below.iter().take(heads - at - 1).filter_map(|row| row.cells.get(column));
            under.any(|cell| !cell.span.is_empty())
        };
        for column in 2..columns {
            if row.cells[column].span.is_empty() && has_own(column) {
                row.cells[column].span = row.cells[column - 1].span;
            }
        }
    }
}

/// A label over several rows is that of each: where nothing is written below it, and other labels stand beside, it goes on.
fn repeat_labels(rows: &mut [Row]) {
    let mut above = Cell::default();
    for row in rows.iter_mut().filter(|row| !row.is_head && !row.cells.is_empty()) {
        let labelled = row.cells.iter().skip(1).any(|cell| cell.is_head && !cell.span.is_empty());
        let Some(first) = row.cells.first_mut().filter(|cell| cell.is_head) else { continue };
        if first.span.is_empty() && labelled {
            first.span = above.span;
        }
        above = *first;
    }
}

/// Marks the rows that only say what those below them are of.
fn mark_groups(rows: &mut [Row], columns: usize) {
    let mut group = None;
    for row in rows.iter_mut().filter(|row| !row.is_head) {
        let written: Vec<Span> = row.cells.iter().map(|cell| cell.span).filter(|span| !span.is_empty()).collect();
        if let ([one], true) = (written.as_slice(), columns > 2) {
            group = Some(*one);
            row.cells.clear();
        }
        row.group = group;
    }
}

/// Marks the cells that say what their row is: those of the first column, or of the one behind ranks, when they are no figures.
fn mark_labels(text: &str, rows: &mut [Row], columns: usize) {
    let body = || rows.iter().filter(|row| !row.is_head && !row.cells.is_empty()).take(TELLING_ROWS);
    let labels = |column: usize| {
        let written = || body().filter_map(|row| row.cells.get(column)).filter(|cell| !cell.span.is_empty());
        let named = written().filter(|cell| is_label(cell.span.slice(text))).count();
        named > 0 && named * 2 > written().count()
    };
    // Where no column has names, the first says what a row is of: *60 minutes*.
    let mut first = (0..columns.min(3)).find(|column| labels(*column)).unwrap_or(0);
    // Beside labels that reach over several rows stand those of each row.
    let blank = |row: &Row| row.cells.get(first).is_some_and(|cell| cell.span.is_empty());
    if !body().any(|row| row.cells.get(first).is_some_and(|cell| !cell.span.is_empty())) {
        return;
    }
    if body().skip(1).any(blank) && body().next().is_some_and(|row| !blank(row)) && labels(first + 1) {
        first += 1;
    }
    for row in rows.iter_mut().filter(|row| !row.is_head) {
        for cell in row.cells.iter_mut().take(first + 1).filter(|cell| cell.span.len() <= LONGEST_LABEL) {
            cell.is_head = true;
        }
    }
}

/// Whether a cell names something and gives no value: words, or a year, or nothing.
fn is_label(written: &str) -> bool {
    let names = |q: &Quantity| match q.measure {
        Measure::Label | Measure::Date(_) | Measure::Ordinal | Measure::Time => true,
        // *2023* is a year over a column.
        Measure::Count => q.raw.fract() == 0.0 && (1000.0..2200.0).contains(&q.raw) && q.span.len() == 4,
        _ => false,
    };
    let letters = written.chars().filter(|c| c.is_alphabetic()).count();
    let figures = written.chars().filter(char::is_ascii_digit).count();
    letters > figures * 2 || quantities(written).iter().all(names)
}

/// What says what a table is of: its caption, the short lines right above it, names with their values among them: *Unit: tonnes*.
fn titles(text: &str, layout: &Layout, span: Span) -> Vec<Span> {
    let first = layout.blocks.partition_point(|block| block.span.end <= span.start);
    let above = layout.blocks.get(..first).unwrap_or_default().iter().rev();
    let is_named = |written: &str| !written.contains(['\t', '|']) && written.len() <= LONGEST_TITLE;
    let named = above.clone().take_while(|block| block.kind == BlockKind::Row && is_named(block.span.slice(text)));
    let mut titles: Vec<Span> = named.take(MOST_NAMED).map(|block| block.span).collect();
    for block in above.skip(titles.len()).take(if titles.is_empty() { 2 } else { 1 }) {
        if !matches!(block.kind, BlockKind::Paragraph | BlockKind::Heading(_)) || block.span.len() > LONGEST_TITLE {
            break;
        }
        titles.push(block.span);
    }
    titles.sort_by_key(|title| title.start);
    titles
}

#[cfg(test)]
mod tests {
    use super::Evidence;
    use crate::evidence::search::SourceIndex;
    use crate::evidence::unit::ContextKind;
    use cited_text::layout::Layout;
    use cited_text::quantity::{Agreement, compare, quantities};

    #[test]
    fn a_row_of_units_below_the_heads_is_one_of_them() {
        let years = "Dam\t2021\t2022\n\tGWh\tGWh\nUpper\t212\t187\nMill\t58\t61";
        check_value(years, "61", &["Mill", "2022", "GWh"], "61 GWh");
        let german = "Träger\t2022\t2023\n\tGWh\tGWh\nWind\t3.120\t3.460\nSonne\t2.410\t2.871\n\nDas sind 1,5 Prozent.";
        check_value(german, "2.871", &["Sonne", "2023", "GWh"], "2,871 GWh");
        let one = "Dam\tOutput\n\tGWh\nUpper\t187\nMill\t61";
        check_value(one, "61", &["Mill", "Output", "GWh"], "61 million kWh");
        let over = "Place\tHomes\tFarms\n\tmillion litres\nNorth\t41\t112\nSouth\t37\t86";
        check_value(over, "86", &["million litres", "South", "Farms"], "86 million litres");
    }

    #[test]
    fn names_with_values_above_a_table_are_said_of_it() {
        let table = "Landings by port: 2019 to 2023\nUnit: tonnes live weight\nReleased: 18 June 2024\n\nPort\t2022\t2023\nAldersund\t12,310\t12,790";
        check_value(table, "12,790", &["Aldersund", "2023"], "12,790 tonnes");
    }

    fn read(text: &str) -> (SourceIndex<'_>, Evidence) {
        let index = SourceIndex::new(text);
        let evidence = Evidence::new(&index, &Layout::of_text(text));
        (index, evidence)
    }

    /// The table, row and column of the cell that the byte at `offset` stands in.
    fn cell_at(evidence: &Evidence, offset: usize) -> Option<(usize, usize, usize)> {
        let tables = evidence.tables.iter().enumerate();
        let mut rows =
            tables.flat_map(|(at, table)| table.rows.iter().enumerate().map(move |(row, one)| (at, row, one)));
        rows.find_map(|(table, row, one)| Some((table, row, one.cells.iter().position(|cell| cell.span.has(offset))?)))
    }

    #[track_caller]
    fn check_value(text: &str, figures: &str, heads: &[&str], value: &str) {
        let (index, evidence) = read(text);
        let place = cell_at(&evidence, text.rfind(figures).unwrap()).unwrap();
        let table = &evidence.tables[place.0];
        let found: Vec<&str> =
            table.row_heads(place.1).chain(table.column_heads(place.2)).map(|span| span.slice(text)).collect();
        assert_eq!(found, heads, "{text}");
        let found = evidence.value(&index, place).unwrap();
        assert_eq!(compare(&quantities(value)[0], &found), Agreement::Same, "{found:?}");
    }

    #[test]
    fn a_cell_hangs_on_its_heads() {
        let budget =
            "Spending (million dollars)\n\nDepartment\tFY2023\tFY2024\nPolice\t48.9\t50.3\nLibraries\t8.1\t8.4";
        check_value(budget, "8.4", &["Libraries", "FY2024"], "$8.4 million");
        let levels = "Segment\tRevenue ($ million)\t\tStaff\n\tQ3 2023\tQ3 2022\tend\nFlow\t82.4\t85.1\t1,910\nGas\t60.0\t61.2\t980";
        check_value(levels, "82.4", &["Flow", "Revenue ($ million)", "Q3 2023"], "$82.4 million");
        let reaching = "District\tWheat\t\tBarley\t\tMills\n\tMay 2018\tMay 2019\tMay 2018\tMay 2019\nTarn\t3.1\t3.3\t2.2\t2.6\t14\nBrenn\t5.0\t4.1\t6.7\t7.9\t9";
        check_value(reaching, "7.9", &["Brenn", "Barley", "May 2019"], "7.9");
        check_value(reaching, "9", &["Brenn", "Mills"], "9");
        let last = "District\tMills\tOutput (t)\n\t\t2021\t2022\nTarn\t22\t120\t118\nBrenn\t9\t25\t20";
        check_value(last, "20", &["Brenn", "Output (t)", "2022"], "20 t");
        let labels = "Type\tTenure\tNumber\tArea (m²)\nHouses\tOwned\t7.9\t126\n\tRented\t1.3\t98\nFlats\tOwned\t4.1\t71\n\tRented\t5.1\t58";
        check_value(labels, "58", &["Flats", "Rented", "Area (m²)"], "58 m²");
        let ranks = "Place\tRider\tTime\n1\tNerea Aldasoro\t3 h\n2\tHolly Marsden\t4 h";
        check_value(ranks, "4 h", &["2", "Holly Marsden", "Time"], "4 h");
        let groups = "Port\t2022 (t)\t2023 (t)\nNorth\t\t\nAverill\t5\t6\nSouth\t\t\nTarn\t7\t9";
        check_value(groups, "9", &["South", "Tarn", "2023 (t)"], "9 t");
    }

    #[test]
    fn a_sentence_hangs_on_headings_names_and_introductions() {
        let text = "# Ports\n\nTarn Harbour is old. It has two piers.\n\nThe fund pays for:\n- cranes\n- roads";
        let (_, evidence) = read(text);
        let hung =
            |at: usize, kind| -> Vec<&str> { evidence.units[at].hangs_on(kind).map(|span| span.slice(text)).collect() };
        assert_eq!(hung(2, ContextKind::Antecedent), ["Tarn Harbour"]);
        assert_eq!(hung(2, ContextKind::Heading), ["# Ports"]);
        assert_eq!(hung(5, ContextKind::Introduction), ["The fund pays for:"]);
        let people = "Rhona Halloran led it. In October Pieter Vandeloo joined. He says that rain washed trails away.";
        let (_, evidence) = read(people);
        for kind in [ContextKind::Antecedent, ContextKind::Speaker] {
            let names: Vec<&str> = evidence.units[2].hangs_on(kind).map(|span| span.slice(people)).collect();
            assert_eq!(names, ["Pieter Vandeloo"], "{kind:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_page_is_read(text in "[A-Za-z0-9 .|\t\n#:()%-]{0,300}") {
            let (index, evidence) = read(&text);
            for unit in &evidence.units {
                for span in unit.context.iter().map(|context| context.span).chain([unit.span]) {
                    proptest::prop_assert!(span.get(&text).is_some());
                }
            }
            for (number, table) in evidence.tables.iter().enumerate() {
                for row in 0..table.rows.len() {
                    for column in 0..table.columns {
                        evidence.value(&index, (number, row, column));
                    }
                }
            }
        }
    }
}
