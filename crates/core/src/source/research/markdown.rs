//! Research files in Markdown: evidence table, findings, Sources list, excerpts.

use crate::address::is_web;
use crate::pattern::{Pattern, any_of};
use std::collections::HashMap;

use super::file::{Rating, Reading, ResearchFile, ResearchNote};
use super::words::{behind_address_word, is_only_a_label, without_label, without_lead};
use crate::citation::evidence_label::is_evidence_label;
use crate::citation::nearby::only_separates;
use crate::citation::{
    self, Citations, Entry, KnownLabels, Label, ListKind, Marker, SourceList, Target, each_once, table,
};
use crate::finding::{Code, Finding};
use crate::markdown::{BlockId, BlockKind, Document, Rendered};
use cited_text::lexicon;
use cited_text::marks::{is_closing_mark, unquoted};
use cited_text::quantity::is_measured;
use cited_text::quotation;
use cited_text::{Span, Spans, sentence};

pub(super) fn read(text: &str) -> ResearchFile {
    let document = Document::read(text);
    let mut reader = Reader {
        document: &document,
        read: Reading::default(),
        labels: HashMap::new(),
        listed: Vec::new(),
        tables: Spans::default(),
        about: HashMap::new(),
    };
    reader.evidence_tables();
    reader.section_sources(&citation::list::lists_of(&document));
    let mut known = KnownLabels::default();
    known.add_file(&reader.read.file.entries, "");
    if known.labels.is_empty() {
        // Notes without a list name their sources where they stand.
        let written = document.links().iter().filter(|link| !link.image).map(|link| link.address.clone());
        let bare =
            document.leaves().flat_map(|(id, _)| citation::bare_address::bare_in(&document, document.content_span(id)));
        let addresses = written.chain(bare.map(|(_, address)| address));
        // `http:host`, which a browser would mend, is no address that a document can cite.
        addresses.filter(|address| is_web(address)).for_each(|address| known.add_address(&address));
    }
    let citations = citation::read(&document, &known);
    reader.lists(&citations);
    reader.findings(&citations);
    let mut file = reader.read.file;
    file.date = date_of(&document);
    file.findings.extend(citations.findings);
    file
}

struct Reader<'a> {
    document: &'a Document,
    read: Reading,
    /// The entry that a label means: of the list before that of the table.
    labels: HashMap<Label, usize>,
    /// For each list of the document, the entries of the file that its entries became.
    listed: Vec<Vec<usize>>,
    tables: Spans,
    /// The entry of a section's source: of the line that only gives its address, and of the heading where nothing is said before that line.
    about: HashMap<BlockId, usize>,
}

impl Reader<'_> {
    /// Rows of evidence tables: an entry each, with their claim and their quotation as notes.
    fn evidence_tables(&mut self) {
        use table::Column::{Address, Claim, Confidence, Quote, Title, Type};
        let document = self.document;
        let mut tables = Vec::new();
        for (id, block) in document.blocks().filter(|(_, block)| block.kind == BlockKind::Table) {
            let columns = table::columns_of(document, id);
            let has = |wanted: &[table::Column]| columns.iter().flatten().any(|column| wanted.contains(column));
            if !has(&[Address, Title]) || !has(&[Address, Claim, Quote]) {
                continue;
            }
            // In a table of data each row says what its other cells say.
            let is_data = !has(&[Claim, Quote]);
            let rows = table::entries_of(document, id);
            if rows.iter().all(|row| row.entry.addresses.is_empty()) {
                continue;
            }
            tables.push(block.span);
            for mut row in rows {
                // A column that no word names has the value of the claim: *Claim | Value | Source*.
                let beside =
                    row.entry.note.clone().filter(|note| is_data || columns.contains(&None) && is_measured(note));
                let claim = match (row.words.remove(&Claim), beside) {
                    (Some(claim), Some(beside)) => Some(format!("{claim}: {beside}")),
                    (claim, beside) => claim.or(beside),
                };
                let span = row.entry.span;
                if row.entry.addresses.is_empty() {
                    let message = format!("the row “{}” has no address and cannot be cited", row.entry.title);
                    self.read.file.findings.push(Finding::new(Code::UnusableEntry, message).at(span));
                    continue;
                }
                let addresses = row.entry.addresses.join(" ").replace(|c: char| !c.is_alphanumeric(), " ");
                let about = format!("{} {addresses}", row.entry.title);
                let entry = self.read.add(row.entry);
                let [kind, confidence] = [Type, Confidence].map(|column| row.words.remove(&column));
                let label = confidence.clone().filter(|words| is_evidence_label(words.trim_matches(['[', ']'])));
                let rating = Rating { kind, confidence };
                self.read.rate(entry, claim.clone().unwrap_or_default(), rating);
                // *ag releases | … | no release since 2018*: the row says of what.
                for (words, verbatim, about) in [(claim, false, about), (row.words.remove(&Quote), true, String::new())]
                {
                    if let Some(note) = self.note(&words.unwrap_or_default(), &[entry], verbatim, span) {
                        note.about = about;
                        note.label = label.clone().or(note.label.take());
                    }
                }
            }
        }
        self.tables = tables.into_iter().collect();
    }

    fn lists(&mut self, citations: &Citations) {
        for list in &citations.lists {
            let of_evidence = list.kind == ListKind::Table;
            let mut ids = Vec::with_capacity(list.entries.len());
            for entry in &list.entries {
                let at = self.read.add(entry.clone());
                ids.push(at);
                if of_evidence {
                    continue;
                }
                let before = self.read.file.notes.len();
                self.excerpts_in(entry.span, at);
                // What stands behind an address says what its page says, in its own words or in others.
                let Some(note) = entry.note.as_deref() else { continue };
                if self.read.file.notes.len() == before {
                    self.quotations_in(note, &[at], entry.span);
                }
                if self.read.file.notes.len() == before {
                    self.note(note, &[at], false, entry.span);
                }
            }
            self.listed.push(ids);
        }
        // What a list says about a label goes before what a table says.
        let all = self.listed.iter().flatten().copied().chain(0..self.read.file.entries.len());
        let labelled = |at: usize| Some((self.read.file.entries[at].label.clone()?, at));
        self.labels = all.collect::<Vec<_>>().into_iter().rev().filter_map(labelled).collect();
    }

    /// Quotes and quoted words that stand inside an entry are its source's own.
    fn excerpts_in(&mut self, span: Span, entry: usize) {
        let document = self.document;
        if !document.slice(span).contains('\n') {
            return;
        }
        let leaves: Vec<BlockId> = document.leaves_in(span).collect();
        let items = |leaf| document.ancestors(leaf).filter(|id| document.block(*id).kind == BlockKind::Item).count();
        let is_quote =
            |id: BlockId| document.block(id).kind == BlockKind::Quote && span.start <= document.block(id).span.start;
        for leaf in leaves.iter().skip(1).copied() {
            let text = self.shown(leaf, &[]);
            if document.ancestors(leaf).any(is_quote) {
                self.note(&text, &[entry], true, document.content_span(leaf));
            } else if !text.contains("://") && quotation::quotations(&text).is_empty() && items(leaf) > items(leaves[0])
            {
                // The items below an entry are what its source says.
                self.note_sentences(&text, &[entry], leaf);
            } else {
                self.quotations_in(&text, &[entry], document.content_span(leaf));
            }
        }
    }

    fn is_in(&self, id: BlockId, kind: &BlockKind) -> bool {
        self.document.ancestors(id).any(|above| self.document.block(above).kind == *kind)
    }

    /// The words of a leaf without these markers.
    fn shown(&self, id: BlockId, without: &[&Marker]) -> String {
        let hidden: Vec<Span> = without.iter().map(|marker| marker.span).collect();
        Rendered::render(self.document, id, &hidden).text
    }

    /// A leaf as an entry of a list.
    fn parsed(&self, id: BlockId) -> Entry {
        let span = self.document.content_span(id);
        citation::layout::entry_of(citation::shown::Shown::render(self.document, &[id], span), None, span)
    }

    /// Sections that are about one source: `### [2] Title` or `### Title`, then `URL: https://…`.
    fn section_sources(&mut self, lists: &[SourceList]) {
        let document = self.document;
        let mut heading: Option<BlockId> = None;
        let mut right_below = false;
        let headings: Spans = lists.iter().filter_map(|list| list.heading).collect();
        let lists: Spans = lists.iter().map(|list| list.span).collect();
        for (id, block) in document.leaves() {
            let span = document.content_span(id);
            if matches!(block.kind, BlockKind::Heading(_)) {
                heading = Some(id).filter(|_| !headings.overlap(span));
                right_below = true;
                let parsed = self.parsed(id);
                if parsed.is_pure && heading.take().is_some() {
                    let entry = self.section_entry(id, parsed.addresses, span);
                    self.about.insert(id, entry);
                }
                continue;
            }
            let Some(head) = heading.filter(|_| !lists.overlap(span) && !self.tables.overlap(span)) else { continue };
            let is_first = std::mem::take(&mut right_below);
            let is_named = behind_address_word(&self.shown(id, &[])).is_some();
            if !is_named && !is_first || self.is_in(id, &BlockKind::Item) && self.list_below(id).is_some() {
                continue;
            }
            let parsed = self.parsed(id);
            // Right below the heading an address may stand without a word.
            if (is_named || parsed.is_pure && parsed.title.is_empty()) && !parsed.addresses.is_empty() {
                let entry = self.section_entry(head, parsed.addresses, span);
                self.about.insert(id, entry);
                heading.take().filter(|_| is_first).into_iter().for_each(|head| _ = self.about.insert(head, entry));
            }
        }
    }

    fn section_entry(&mut self, heading: BlockId, addresses: Vec<String>, span: Span) -> usize {
        let known = addresses.iter().find_map(|address| self.read.entry_of(address));
        // *\[2\] The page*, *Source: The page*
        let head = self.shown(heading, &[]);
        let label = citation::line_label::line_label(head.trim());
        let title = label.as_ref().map_or(head.trim(), |label| &head.trim()[label.end..]);
        let title = title.trim().trim_start_matches("Source:").trim().to_owned();
        let label = label.map(|found| found.label);
        known.unwrap_or_else(|| self.read.add(Entry { label, span, title, addresses, ..Entry::default() }))
    }

    /// Every statement outside tables and lists, with the sources that its markers mean.
    fn findings(&mut self, citations: &Citations) {
        let document = self.document;
        let held = citations.held();
        let mut markers: HashMap<BlockId, Vec<&Marker>> = HashMap::new();
        for marker in &citations.markers {
            // `[3](url)` in a file without a list: the address is a source of the file.
            for address in marker.targets.iter().filter_map(Target::address) {
                if self.read.entry_of(address).is_none() {
                    let words = marker.link.map(|link| document.slice(document.link(link).text)).unwrap_or_default();
                    let words = Some(words).filter(|words| words.contains(char::is_alphabetic)).unwrap_or_default();
                    let title = words.trim_start_matches("citation:").trim().to_owned();
                    let addresses = vec![address.to_owned()];
                    self.read.add(Entry { span: marker.span, title, addresses, ..Entry::default() });
                }
            }
            markers.entry(marker.block).or_default().push(marker);
        }
        let mut previous: Vec<usize> = Vec::new();
        // The source that the section is about, that of a list, and the leaf before when nothing is cited there.
        let of_file: Vec<usize> = self.source_of_file().into_iter().collect();
        let mut section = of_file.clone();
        let mut of_list: (Span, Vec<usize>) = (Span::at(0), Vec::new());
        let mut open: Option<BlockId> = None;
        for (id, block) in document.leaves() {
            let own = markers.remove(&id).unwrap_or_default();
            let span = document.content_span(id);
            if held.overlap(span) || self.tables.overlap(span) {
                continue;
            }
            let before = open.take();
            if matches!(block.kind, BlockKind::Heading(_)) {
                let named = self.about.get(&id).copied().into_iter().collect();
                previous = if own.is_empty() { named } else { self.entries_of(&own) };
                section.clone_from(if previous.is_empty() { &of_file } else { &previous });
                continue;
            }
            if let Some(list) = self.list_of_source(id, &own) {
                of_list = (list, self.entries_of(&own));
                self.note_leaf(id, &own);
                continue;
            }
            if let Some(sources) = self.only_names_sources(id, &own) {
                // *Finding: …* and *Source: …*, each in a paragraph or an item of its own.
                if let Some(before) = before {
                    self.note_sentences(&self.shown(before, &[]), &sources, before);
                }
                continue;
            }
            let is_listed = of_list.0.contains(span);
            let around = if is_listed { of_list.1.clone() } else { section.clone() };
            if self.is_in(id, &BlockKind::Quote) {
                let sources = match own.as_slice() {
                    [] if is_listed || previous.is_empty() => around,
                    [] => previous.clone(),
                    own => self.entries_of(own),
                };
                let standalone: Vec<&Marker> = own.into_iter().filter(|marker| marker.standalone).collect();
                self.note(&self.shown(id, &standalone), &sources, true, span);
                continue;
            }
            if own.is_empty() && block.kind == BlockKind::TableCell {
                self.note_row(id, &around);
                continue;
            }
            if own.is_empty() && !around.is_empty() {
                self.note_sentences(&self.shown(id, &[]), &around, id);
                continue;
            }
            let cited = self.note_leaf(id, &own);
            if cited.is_empty() {
                open = Some(id);
            } else {
                previous = cited;
            }
        }
    }

    /// The page that front matter names, in a file that names no other source, as a clipper of pages writes it.
    fn source_of_file(&mut self) -> Option<usize> {
        let mut lines = self.document.text().lines().map(str::trim_end);
        let head = (self.read.file.entries.is_empty() && lines.next()? == "---")
            .then(|| lines.take_while(|line| *line != "---").collect::<Vec<_>>())?;
        let unquoted = |said: &str| said.trim().trim_matches(['"', '\'']).to_owned();
        let named = head.iter().find_map(|line| behind_address_word(line).map(unquoted).filter(|said| is_web(said)));
        let title = head.iter().find_map(|line| line.strip_prefix("title:")).map(unquoted).unwrap_or_default();
        Some(self.read.add(Entry { title, addresses: vec![named?], ..Entry::default() }))
    }

    /// The list below a leaf that may only name the source of its items: *City council (https://…)*, *url: https://… title: …*.
    fn list_of_source(&self, id: BlockId, own: &[&Marker]) -> Option<Span> {
        let document = self.document;
        // Fields of YAML may hold any title: *title: Report 2024, url: https://…, facts:*.
        let has_fields =
            || document.slice(document.content_span(id)).lines().any(|line| behind_address_word(line).is_some());
        let names =
            |rest: String| has_fields() || !is_measured(&rest) && !rest.trim_end().ends_with(['.', '。', '!', '?']);
        self.list_below(id).filter(|_| !own.is_empty() && names(self.shown(id, own)))
    }

    /// The list right below a leaf.
    fn list_below(&self, id: BlockId) -> Option<Span> {
        let end = self.document.block(id).span.end;
        let (_, block) = self.document.blocks_from(end).next()?;
        let is_near = self.document.text().get(end..block.span.start)?.trim().is_empty();
        (is_near && matches!(block.kind, BlockKind::List(_))).then_some(block.span)
    }

    /// The sources of a leaf that says nothing but where its neighbour stands: *Source: https://…*.
    fn only_names_sources(&self, id: BlockId, own: &[&Marker]) -> Option<Vec<usize>> {
        if let Some(entry) = self.about.get(&id) {
            return Some(vec![*entry]);
        }
        let is_named = !own.is_empty() && behind_address_word(&self.shown(id, &[])).is_some();
        let rest = self.shown(id, own);
        if !is_named || behind_address_word(&rest)?.contains(char::is_alphanumeric) {
            return None;
        }
        Some(self.entries_of(own))
    }

    /// Notes the row that a cell begins: each value with the head of its column.
    fn note_row(&mut self, cell: BlockId, sources: &[usize]) {
        let document = self.document;
        let row = document.block(cell).parent.map(|row| document.block(row));
        let Some(row) = row.filter(|row| row.kind == BlockKind::TableRow && row.children.first() == Some(&cell)) else {
            return;
        };
        let head = row.parent.and_then(|table| document.block(table).children.first());
        let shown = |id: &BlockId| self.shown(*id, &[]);
        let heads = head.map(|head| document.block(*head).children.iter().map(shown).collect::<Vec<_>>());
        let cells = row.children.iter().map(shown).zip(heads.unwrap_or_default());
        let cells: Vec<String> = cells.map(|(cell, head)| format!("{head}: {cell}")).collect();
        self.note(&cells.join("; "), sources, false, document.content_span(cell));
    }

    fn note_sentences(&mut self, text: &str, sources: &[usize], id: BlockId) {
        let span = self.document.content_span(id);
        for sentence in sentence::sentences(text) {
            self.note(sentence.slice(text), sources, false, span);
        }
        self.quotations_in(text, sources, span);
    }

    fn entries_of(&self, markers: &[&Marker]) -> Vec<usize> {
        let named = |target: &Target| match target {
            Target::Entry(id) => self.listed.get(id.list as usize)?.get(id.entry as usize).copied(),
            Target::Label(label) => self.labels.get(label).copied(),
            Target::Address(address) => self.read.entry_of(address),
        };
        let all = markers.iter().flat_map(|marker| &marker.targets).filter_map(named).flat_map(|at| {
            let also = self.read.file.entries[at].also.iter();
            std::iter::once(at).chain(also.filter_map(move |address| self.read.entry_of(address)))
        });
        each_once(all)
    }

    /// Notes the statements of a leaf; gives the sources of all of them.
    fn note_leaf(&mut self, id: BlockId, own: &[&Marker]) -> Vec<usize> {
        let document = self.document;
        let hidden: Vec<Span> = own.iter().filter(|marker| marker.standalone).map(|marker| marker.span).collect();
        let rendered = Rendered::render(document, id, &hidden);
        let (text, span) = (rendered.text.as_str(), document.content_span(id));
        let all = self.entries_of(own);
        if let Some(led) = self.led_by_citations(own, &rendered) {
            for (markers, said) in led {
                self.note_sentences(said, &self.entries_of(markers), id);
            }
            return all;
        }
        let sentences = sentence::sentences(text);
        let mut start = 0;
        // An item is one note: what is cited at its end, and nowhere before, is cited for all of it.
        let gap = |pair: &[&Marker]| document.text().get(pair[0].span.end..pair[1].span.start);
        let is_noted_whole =
            self.is_in(id, &BlockKind::Item) && own.windows(2).all(|pair| gap(pair).is_some_and(only_separates));
        // The leaf falls into pieces that end with their citation; of each, the last sentence is what is cited.
        for (i, marker) in own.iter().enumerate() {
            let from = rendered.shown(marker.span.start).max(start).min(text.len());
            let mut end = rendered.shown(marker.span.end).max(from).min(text.len());
            let (before, led) = without_lead(&text[start..from]);
            let stands_apart = led || !marker.standalone && before.trim_end().ends_with(is_closing);
            if !marker.standalone && !stands_apart {
                // *According to [P](…), …*: the whole sentence, unless it goes on to another source.
                let whole = sentences.iter().map(|sentence| sentence.end).find(|sentence| *sentence >= end);
                let next = own.get(i + 1).map_or(text.len(), |next| rendered.shown(next.span.start));
                end = whole.filter(|whole| *whole <= next).unwrap_or(end);
            }
            let rest = &text[end..];
            // *Water is wet [1] (inferred).*
            let behind = if is_only_a_label(rest) { "" } else { rest.trim_start_matches(is_closing) };
            let stop = rest.len() - behind.len();
            // Of *… tokens. [P](…)* and *… tokens. Source: …* the title and the lead are no words of the finding; nor is the space before
            // the marker.
            let piece = if stands_apart {
                before.trim_end().to_owned()
            } else {
                format!("{}{}", text[start..end].trim_end(), &text[end..end + stop])
            };
            start = end + stop;
            let sources = self.entries_of(&own[i..=i]);
            let mut sentences = sentence::sentences(&piece);
            if let [.., said, label] = sentences.as_mut_slice()
                && is_only_a_label(label.slice(&piece))
            {
                // *Water is wet. [VERIFIED] [1]*
                *said = said.cover(*label);
                sentences.pop();
            }
            let Some(last) = sentences.pop() else { continue };
            // *Source: …* at the end is that of all of them.
            let ends = is_noted_whole && !text[start..].contains(char::is_alphanumeric);
            let of_all =
                [(led, &sources), (ends, &all)].into_iter().find_map(|(is_it, of)| is_it.then_some(of.as_slice()));
            for sentence in sentences {
                self.note(sentence.slice(&piece), of_all.unwrap_or_default(), false, span);
            }
            self.note(last.slice(&piece), &sources, false, span);
            self.quotations_in(last.slice(&piece), &sources, span);
        }
        self.note_sentences(&text[start..], &[], id);
        all
    }

    /// What a leaf says behind each of its citations, where all of them lead: *\[1\] …*, *[P](…): …*, and one at the start of each
    /// line or sentence that is for another source.
    fn led_by_citations<'t, 'm>(
        &self,
        own: &'m [&'m Marker],
        rendered: &'t Rendered,
    ) -> Option<Vec<(&'m [&'m Marker], &'t str)>> {
        let gap = |a: &Marker, b: &Marker| self.document.text().get(a.span.end..b.span.start);
        let runs: Vec<_> = own.chunk_by(|a, b| gap(a, b).is_some_and(only_separates)).collect();
        let text = rendered.text.as_str();
        let led = runs.iter().enumerate().map(|(at, run)| {
            let (first, last) = (run.first()?, run.last()?);
            let before = self.document.text()[..first.span.start].trim_end_matches([' ', '*', '_', '>']);
            let begins = match at {
                0 => text.get(..rendered.shown(first.span.start))?.trim().is_empty(),
                _ => before.ends_with(['\n', '\\']) || before.ends_with(is_closing),
            };
            let end = runs.get(at + 1).map_or(text.len(), |next| rendered.shown(next[0].span.start));
            let rest = text.get(rendered.shown(last.span.end)..end)?;
            let said = if run.iter().all(|marker| marker.standalone) {
                rest.trim_start_matches([':', '：', '—', '–', '-', ' '])
            } else {
                rest.trim_start().strip_prefix([':', '：', '—', '–', '-'])?
            };
            (begins && said.contains(char::is_alphanumeric)).then(|| (*run, said.trim()))
        });
        led.collect::<Option<Vec<_>>>().filter(|led| !led.is_empty())
    }

    /// Words between quotation marks beside a citation are the source's own.
    fn quotations_in(&mut self, text: &str, entries: &[usize], span: Span) {
        if entries.is_empty() {
            return;
        }
        for quotation in quotation::quotations(text) {
            if quotation.is_verbatim() {
                self.note(quotation.inner.slice(text), entries, true, span);
            }
        }
    }

    /// Notes words for these entries, where they say something; those of the source itself without the quotation marks around them.
    fn note(&mut self, words: &str, entries: &[usize], verbatim: bool, span: Span) -> Option<&mut ResearchNote> {
        let (text, label) = without_label(words);
        let text = unquoted(&text).filter(|_| verbatim).map_or(&*text, str::trim);
        // An address alone says nothing.
        let says = text.split_whitespace().any(|word| !word.contains("://") && word.contains(char::is_alphabetic));
        if !says || text.chars().filter(|c| c.is_alphanumeric()).count() < FEWEST_SIGNS {
            return None;
        }
        let (text, entries) = (text.to_owned(), entries.to_vec());
        self.read.file.notes.push(ResearchNote { text, entries, verbatim, label, span, ..ResearchNote::default() });
        self.read.file.notes.last_mut()
    }
}

/// Letters and digits that a note has at least.
const FEWEST_SIGNS: usize = 4;

fn is_closing(c: char) -> bool {
    is_closing_mark(c) || matches!(c, '.' | '!' | '?' | '。' | '！' | '？' | '…')
}

/// When the sources of a file were looked at: by the newest line that says so (*Accessed 1 March 2025*), else front matter `date:`, or a
/// line `Date: 2025-03-01` before the first section. Lines with an address are of one source.
pub fn date_of(document: &Document) -> Option<jiff::civil::Date> {
    /// The line that says when the research was done, up to its date.
    static DATED: Pattern = Pattern::made(|| {
        let words = any_of(lexicon::table::words(include_str!("data/date_labels.tsv"), "date"));
        format!(r#"(?im)^[-*_#> |(\[]*(?:{words})[*_ ]*[:：][*_ "']*"#)
    });
    let text = document.text();
    let lines = text.lines().filter(|line| line.len() <= LONGEST_ACCESS_LINE && !line.contains("://"));
    let accessed = lines.filter_map(|line| {
        let (date, found) = citation::accessed::find(line)?;
        let apart = |words: &str| !words.contains(char::is_alphanumeric);
        (apart(&line[..found.start]) || apart(&line[found.end..])).then_some(date)
    });
    let labelled = || {
        let mut labels = DATED.find_iter(&text[..text.floor_char_boundary(HEAD)]);
        labels.find_map(|label| Some(citation::accessed::leading_date(&text[label.end()..])?.0))
    };
    accessed.max().or_else(labelled)
}

/// Bytes of the longest line that says when all sources of a file were looked at.
const LONGEST_ACCESS_LINE: usize = 160;

/// Bytes at the start of a file that may say when the research was done.
const HEAD: usize = 4096;
