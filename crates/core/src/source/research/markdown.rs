//! Research files in Markdown: evidence table, findings, Sources list, excerpts.

use crate::address::is_web;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::file::{Rated, ResearchFile, ResearchNote};
use super::rating::Rating;
use super::words::{behind_address_word, is_only_a_label, unquoted, without_label, without_lead};
use crate::address::identity::{Key, key_of};
use crate::citation::evidence_label::is_evidence_label;
use crate::citation::nearby::only_separates;
use crate::citation::{
    self, Citations, Entry, KnownLabels, Label, ListKind, Marker, SourceList, Target, columns, table,
};
use crate::finding::{Code, Finding};
use crate::markdown::{BlockId, BlockKind, Document, Rendered};
use cited_text::lexicon;
use cited_text::marks::is_closing_mark;
use cited_text::quantity::is_measured;
use cited_text::quotation;
use cited_text::{Span, sentence};
use regex::Regex;

pub(super) fn read(text: &str) -> ResearchFile {
    let document = Document::read(text);
    let mut reader = Reader {
        document: &document,
        file: ResearchFile::default(),
        labels: HashMap::new(),
        addresses: HashMap::new(),
        listed: Vec::new(),
        tables: Vec::new(),
        blocks: document.blocks().map(|(id, block)| (block.span.start, id)).collect(),
        titles: HashMap::new(),
        address_lines: HashSet::new(),
        mixed: HashSet::new(),
    };
    reader.evidence_tables();
    reader.section_sources(&citation::list::lists_of(&document));
    let mut known = reader.known();
    if known.has_no_labels() {
        // Notes without a list name their sources where they stand.
        let written = document.links().iter().filter(|link| !link.image).map(|link| link.address.clone());
        let bare = document.leaves().flat_map(|(id, _)| citation::bare_address::bare_in(&document, id));
        let addresses = written.chain(bare.map(|(_, address)| address));
        // `http:host`, which a browser would mend, is no address that a document can cite.
        addresses.filter(|address| is_web(address)).for_each(|address| known.add_address(&address));
    }
    let citations = citation::read(&document, &known);
    reader.lists(&citations);
    reader.findings(&citations);
    reader.file.date = date_of(&document);
    let Reader { mut file, .. } = reader;
    file.findings.extend(citations.findings);
    file
}

struct Reader<'a> {
    document: &'a Document,
    file: ResearchFile,
    /// The entry that a label means: of the list before that of the table.
    labels: HashMap<Label, usize>,
    addresses: HashMap<Key, usize>,
    /// For each list of the document, the entries of the file that its entries became.
    listed: Vec<Vec<usize>>,
    tables: Vec<Span>,
    /// Every block with its start, in order.
    blocks: Vec<(usize, BlockId)>,
    /// The entries that headings name, by the words of the heading and by the title of the entry.
    titles: HashMap<String, usize>,
    /// Lines that only give the address of their section's source.
    address_lines: HashSet<BlockId>,
    /// Headings whose section says something before it names a source: what stands below is not all of that source.
    mixed: HashSet<BlockId>,
}

impl Reader<'_> {
    /// Rows of evidence tables: an entry each, with their claim and their quotation as notes.
    fn evidence_tables(&mut self) {
        use columns::Column::{Address, Claim, Quote, Title};
        let document = self.document;
        for (id, block) in document.blocks().filter(|(_, block)| block.kind == BlockKind::Table) {
            let columns = table::columns_of(document, id);
            let has = |wanted: &[columns::Column]| columns.iter().flatten().any(|column| wanted.contains(column));
            if !has(&[Address, Title]) || !has(&[Address, Claim, Quote]) {
                continue;
            }
            // In a table of data each row says what its other cells say.
            let is_data = !has(&[Claim, Quote]);
            let rows = table::entries_of(document, id);
            if rows.iter().all(|row| row.entry.addresses.is_empty()) {
                continue;
            }
            self.tables.push(block.span);
            for row in rows {
                let (quote, confidence) = (row.quote, row.confidence);
                // A column that no word names has the value of the claim: *Claim | Value | Source*.
                let beside =
                    row.entry.note.clone().filter(|note| is_data || columns.contains(&None) && is_measured(note));
                let claim = match (row.claim, beside) {
                    (Some(claim), Some(beside)) => Some(format!("{claim}: {beside}")),
                    (claim, beside) => claim.or(beside),
                };
                let span = row.entry.span;
                if row.entry.addresses.is_empty() {
                    let message = format!("the row “{}” has no address and cannot be cited", row.entry.title);
                    self.file.findings.push(Finding::new(Code::UnusableEntry, message).at(span));
                    continue;
                }
                let addresses = row.entry.addresses.join(" ").replace(|c: char| !c.is_alphanumeric(), " ");
                let about = format!("{} {addresses}", row.entry.title);
                let entry = self.add_entry(row.entry);
                let rating = Rating {
                    kind: row.kind,
                    confidence: confidence.clone(),
                    coverage: row.coverage,
                    weight: row.weight,
                };
                let of = claim.clone().unwrap_or_default();
                self.rate(entry, of, rating);
                let label = confidence.filter(|words| is_evidence_label(words.trim_matches(['[', ']'])));
                if let Some(claim) = claim {
                    let before = self.file.notes.len();
                    self.note_words(&claim, vec![entry], false, label.clone(), span);
                    // *ag releases | … | no release since 2018*: the row says of what.
                    self.file.notes[before..].iter_mut().for_each(|note| note.about.clone_from(&about));
                }
                if let Some(quote) = quote {
                    let words = unquoted(&quote).to_owned();
                    self.note_words(&words, vec![entry], true, label, span);
                }
            }
        }
    }

    fn rate(&mut self, entry: usize, of: String, rating: Rating) {
        if !rating.is_empty() {
            self.file.ratings.push(Rated { entry, of, rating });
        }
    }

    fn known(&self) -> KnownLabels {
        let mut known = KnownLabels::default();
        known.add_entries(&self.file.entries);
        known
    }

    /// Adds an entry, or finds the one that says the same: a list repeats the rows of the evidence table.
    fn add_entry(&mut self, entry: Entry) -> usize {
        let keys: Vec<Key> = entry.addresses.iter().map(|address| key_of(address)).collect();
        let same = keys.first().and_then(|key| self.addresses.get(key).copied());
        let fits = |known: &Option<Label>| known.is_none() || entry.label.is_none() || *known == entry.label;
        let at = if let Some(at) = same.filter(|at| fits(&self.file.entries[*at].label)) {
            let known = &mut self.file.entries[at];
            known.label = known.label.take().or_else(|| entry.label.clone());
            at
        } else {
            self.file.entries.push(entry.clone());
            self.file.entries.len() - 1
        };
        for (i, key) in keys.into_iter().enumerate() {
            // Another one's further address is the entry's that has it for its own.
            let first =
                |of: usize| self.file.entries[of].addresses.first().is_some_and(|address| key_of(address) == key);
            if i == 0 && self.addresses.get(&key).is_some_and(|of| !first(*of)) {
                self.addresses.remove(&key);
            }
            self.addresses.entry(key).or_insert(at);
        }
        if !entry.title.is_empty() {
            self.titles.entry(entry.title).or_insert(at);
        }
        if let Some(label) = entry.label {
            self.labels.entry(label).or_insert(at);
        }
        at
    }

    fn lists(&mut self, citations: &Citations) {
        // What a list says about a label goes before what a table says.
        let of_tables = std::mem::take(&mut self.labels);
        for list in &citations.lists {
            let of_evidence = list.kind == ListKind::Table;
            let mut ids = Vec::with_capacity(list.entries.len());
            for entry in &list.entries {
                let at = self.add_entry(entry.clone());
                ids.push(at);
                if of_evidence {
                    continue;
                }
                let before = self.file.notes.len();
                self.excerpts_in(entry.span, at);
                // What stands behind an address says what its page says, in its own words or in others.
                let Some(note) = entry.note.as_deref() else { continue };
                if self.file.notes.len() == before {
                    self.quotations_in(note, &[at], entry.span);
                }
                if self.file.notes.len() == before {
                    self.note_words(note, vec![at], false, None, entry.span);
                }
            }
            self.listed.push(ids);
        }
        for (label, at) in of_tables {
            self.labels.entry(label).or_insert(at);
        }
    }

    /// Quotes and quoted words that stand inside an entry are its source's own.
    fn excerpts_in(&mut self, span: Span, entry: usize) {
        let document = self.document;
        if !document.slice(span).contains('\n') {
            return;
        }
        let quotes: Vec<BlockId> =
            self.blocks_in(span).filter(|id| document.block(*id).kind == BlockKind::Quote).collect();
        for quote in quotes {
            self.excerpt(quote, &[entry]);
        }
        let leaves: Vec<BlockId> = self.blocks_in(span).filter(|id| document.block(*id).is_leaf()).collect();
        let items = |leaf| document.ancestors(leaf).filter(|id| document.block(*id).kind == BlockKind::Item).count();
        for leaf in leaves.iter().skip(1).copied() {
            let in_quote = document.ancestors(leaf).any(|id| document.block(id).kind == BlockKind::Quote);
            let text = Rendered::render(document, leaf, &[]);
            let is_words = !text.text.contains("://") && quotation::quotations(&text.text).is_empty();
            if is_words && items(leaf) > items(leaves[0]) {
                // The items below an entry are what its source says.
                self.note_whole(leaf, &[entry]);
            } else if !in_quote {
                self.quotations(&text, &[entry]);
            }
        }
    }

    fn blocks_in(&self, span: Span) -> impl Iterator<Item = BlockId> + use<'_> {
        let first = self.blocks.partition_point(|(start, _)| *start < span.start);
        self.blocks[first..].iter().take_while(move |(start, _)| *start < span.end).map(|(_, id)| *id)
    }

    /// Sections that are about one source: `### [2] Title` or `### Title`, then `URL: https://…`.
    fn section_sources(&mut self, lists: &[SourceList]) {
        let document = self.document;
        let mut heading: Option<BlockId> = None;
        let mut right_below = false;
        let headings: Vec<Span> = lists.iter().filter_map(|list| list.heading).collect();
        let lists: Vec<Span> = lists.iter().map(|list| list.span).collect();
        for (id, block) in document.leaves() {
            if matches!(block.kind, BlockKind::Heading(_)) {
                let span = document.content_span(id);
                let parsed =
                    citation::layout::entry_of(citation::shown::Shown::render(document, &[id], span), None, span);
                let held = in_any(&headings, span);
                heading = (!held).then_some(id);
                right_below = true;
                if parsed.pure && !held {
                    self.section_entry(id, parsed.entry.addresses, span);
                    heading = None;
                }
                continue;
            }
            let Some(head) = heading else { continue };
            let span = document.content_span(id);
            if in_any(&lists, span) || in_any(&self.tables, span) {
                continue;
            }
            let rendered = Rendered::render(document, id, &[]).text;
            let is_first = std::mem::take(&mut right_below);
            let in_item = document.ancestors(id).any(|id| document.block(id).kind == BlockKind::Item);
            let is_named = behind_address_word(&rendered).is_some();
            if (is_named || is_first) && !(in_item && self.list_below(id).is_some()) {
                let parsed =
                    citation::layout::entry_of(citation::shown::Shown::render(document, &[id], span), None, span);
                // Right below the heading an address may stand without a word.
                if !is_named && (!parsed.pure || !parsed.entry.title.is_empty()) {
                    continue;
                }
                if !parsed.entry.addresses.is_empty() {
                    self.section_entry(head, parsed.entry.addresses, span);
                    self.address_lines.insert(id);
                    if !is_first {
                        self.mixed.insert(head);
                    }
                    heading = None;
                }
            }
        }
    }

    fn section_entry(&mut self, heading: BlockId, addresses: Vec<String>, span: Span) {
        let shown = Rendered::render(self.document, heading, &[]).text;
        let found = citation::line_label::line_label(&shown);
        let (label, title) = match found {
            Some(found) => (Some(found.label), shown[found.end..].trim().to_owned()),
            None => (None, shown.trim().trim_start_matches("Source:").trim().to_owned()),
        };
        let known = addresses.iter().any(|address| self.addresses.contains_key(&key_of(address)));
        if !known {
            self.add_entry(Entry { label, span, title, addresses, ..Entry::default() });
        }
    }

    /// Every statement outside tables and lists, with the sources that its markers mean.
    fn findings(&mut self, citations: &Citations) {
        let document = self.document;
        let held: Vec<Span> = citations.held().within(Span::new(0, document.text().len())).collect();
        let mut markers = citations.markers.as_slice();
        let mut previous: Vec<usize> = Vec::new();
        // The source that the section is about, that of a list, and the leaf before when nothing is cited there.
        let of_file: Vec<usize> = self.source_of_file().into_iter().collect();
        let mut section = of_file.clone();
        let mut of_list: (Span, Vec<usize>) = (Span::at(0), Vec::new());
        let mut open: Option<BlockId> = None;
        for (id, block) in document.leaves() {
            let own_count = markers.iter().take_while(|marker| marker.block <= id).count();
            let (own, rest) = markers.split_at(own_count);
            let own: Vec<&Marker> = own.iter().filter(|marker| marker.block == id).collect();
            markers = rest;
            let span = document.content_span(id);
            if in_any(&held, span) || in_any(&self.tables, span) {
                continue;
            }
            let before = open.take();
            if matches!(block.kind, BlockKind::Heading(_)) {
                previous = self.sources_of_heading(id, &own);
                section = if self.mixed.contains(&id) { Vec::new() } else { previous.clone() };
                if section.is_empty() {
                    section.clone_from(&of_file);
                }
                continue;
            }
            if let Some(list) = self.list_of_source(id, &own) {
                own.iter().for_each(|marker| self.add_addresses(marker));
                of_list = (list, self.entries_of(&own));
                self.note_leaf(id, &own);
                continue;
            }
            if own.is_empty() && of_list.0.contains(span) {
                self.note_whole(id, &of_list.1);
                continue;
            }
            if let Some(sources) = self.only_names_sources(id, &own) {
                // *Finding: …* and *Source: …*, each in a paragraph or an item of its own.
                if let Some(before) = before {
                    self.note_whole(before, &sources);
                }
                continue;
            }
            let in_quote = document.ancestors(id).any(|id| document.block(id).kind == BlockKind::Quote);
            if in_quote {
                let above = if previous.is_empty() { &section } else { &previous };
                let sources = if own.is_empty() { above.clone() } else { self.entries_of(&own) };
                self.note_leaf_verbatim(id, &own, sources);
                continue;
            }
            if own.is_empty() && block.kind == BlockKind::TableCell {
                self.note_row(id, &section);
                continue;
            }
            if own.is_empty() && !section.is_empty() {
                self.note_whole(id, &section);
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
        let head = (self.file.entries.is_empty() && lines.next()? == "---")
            .then(|| lines.take_while(|line| *line != "---").collect::<Vec<_>>())?;
        let unquoted = |said: &str| said.trim().trim_matches(['"', '\'']).to_owned();
        let named = head.iter().find_map(|line| behind_address_word(line).map(unquoted).filter(|said| is_web(said)));
        let title = head.iter().find_map(|line| line.strip_prefix("title:")).map(unquoted).unwrap_or_default();
        Some(self.add_entry(Entry { title, addresses: vec![named?], ..Entry::default() }))
    }

    /// The list below a leaf that may only name the source of its items: *City council (https://…)*, *url: https://… title: …*.
    fn list_of_source(&self, id: BlockId, own: &[&Marker]) -> Option<Span> {
        let document = self.document;
        let spans: Vec<Span> = own.iter().map(|marker| marker.span).collect();
        let rest = || Rendered::render(document, id, &spans).text;
        // Fields of YAML may hold any title: *title: Report 2024, url: https://…, facts:*.
        let has_fields =
            || document.slice(document.content_span(id)).lines().any(|line| behind_address_word(line).is_some());
        let names =
            |rest: String| has_fields() || !is_measured(&rest) && !rest.trim_end().ends_with(['.', '。', '!', '?']);
        self.list_below(id).filter(|_| !own.is_empty() && names(rest()))
    }

    /// The list right below a leaf.
    fn list_below(&self, id: BlockId) -> Option<Span> {
        let end = self.document.block(id).span.end;
        let (start, below) = *self.blocks.get(self.blocks.partition_point(|(start, _)| *start < end))?;
        let block = self.document.block(below);
        let is_near = self.document.text().get(end..start)?.trim().is_empty();
        (is_near && matches!(block.kind, BlockKind::List(_))).then_some(block.span)
    }

    /// The sources of a leaf that says nothing but where its neighbour stands: *Source: https://…*.
    fn only_names_sources(&mut self, id: BlockId, own: &[&Marker]) -> Option<Vec<usize>> {
        let document = self.document;
        let shown = Rendered::render(document, id, &[]).text;
        let named = behind_address_word(&shown).is_some();
        if self.address_lines.contains(&id) {
            let span = document.content_span(id);
            let parsed = citation::layout::entry_of(citation::shown::Shown::render(document, &[id], span), None, span);
            let keys = parsed.entry.addresses.iter().map(|address| key_of(address));
            return Some(keys.filter_map(|key| self.addresses.get(&key).copied()).take(1).collect());
        }
        if !named || own.is_empty() {
            return None;
        }
        let spans: Vec<Span> = own.iter().map(|marker| marker.span).collect();
        let rest = Rendered::render(document, id, &spans).text;
        let rest = behind_address_word(&rest)?;
        if rest.contains(char::is_alphanumeric) {
            return None;
        }
        own.iter().for_each(|marker| self.add_addresses(marker));
        Some(self.entries_of(own))
    }

    /// Notes every statement of a leaf for `sources`.
    fn note_whole(&mut self, id: BlockId, sources: &[usize]) {
        let text = Rendered::render(self.document, id, &[]).text;
        self.note_sentences(&text, sources, id);
    }

    /// Notes the row that a cell begins: each value with the head of its column.
    fn note_row(&mut self, cell: BlockId, sources: &[usize]) {
        let document = self.document;
        let row = document.block(cell).parent.map(|row| document.block(row));
        let Some(row) = row.filter(|row| row.kind == BlockKind::TableRow && row.children.first() == Some(&cell)) else {
            return;
        };
        let head = row.parent.and_then(|table| document.block(table).children.first());
        let shown = |id: &BlockId| Rendered::render(document, *id, &[]).text;
        let heads = head.map(|head| document.block(*head).children.iter().map(shown).collect::<Vec<_>>());
        let cells = row.children.iter().map(shown).zip(heads.unwrap_or_default());
        let cells: Vec<String> = cells.map(|(cell, head)| format!("{head}: {cell}")).collect();
        self.note_plain(&cells.join("; "), sources.to_vec(), cell);
    }

    fn note_sentences(&mut self, text: &str, sources: &[usize], id: BlockId) {
        for sentence in sentence::sentences(text) {
            self.note_plain(sentence.slice(text), sources.to_vec(), id);
        }
        self.quotations_in(text, sources, self.document.content_span(id));
    }

    /// The source that a heading names: by a marker, a link, a label, or the title of an entry.
    fn sources_of_heading(&self, id: BlockId, own: &[&Marker]) -> Vec<usize> {
        if !own.is_empty() {
            return self.entries_of(own);
        }
        let shown = Rendered::render(self.document, id, &[]).text;
        let title = shown.trim();
        let title = citation::line_label::line_label(title).map_or(title, |found| &title[found.end..]);
        self.titles.get(title.trim().trim_start_matches("Source:").trim()).copied().into_iter().collect()
    }

    fn entries_of(&self, markers: &[&Marker]) -> Vec<usize> {
        let mut entries = Vec::new();
        for target in markers.iter().flat_map(|marker| &marker.targets) {
            let at = match target {
                Target::Entry(id) => {
                    self.listed.get(id.list as usize).and_then(|list| list.get(id.entry as usize)).copied()
                }
                Target::Label(label) => self.labels.get(label).copied(),
                Target::Address(address) => self.addresses.get(&key_of(address)).copied(),
            };
            let also = at.iter().flat_map(|at| &self.file.entries[*at].also);
            let also = also.filter_map(|address| self.addresses.get(&key_of(address)).copied());
            for at in at.into_iter().chain(also) {
                if !entries.contains(&at) {
                    entries.push(at);
                }
            }
        }
        entries
    }

    /// Notes the statements of a leaf; gives the sources of all of them.
    fn note_leaf(&mut self, id: BlockId, own: &[&Marker]) -> Vec<usize> {
        let document = self.document;
        for marker in own {
            self.add_addresses(marker);
        }
        if let [first, ..] = own
            && let Some(reference) = reference_before(document, first)
            && let [at] = self.entries_of(&own[..1]).as_slice()
            && self.file.entries[*at].title.is_empty()
        {
            reference.clone_into(&mut self.file.entries[*at].title);
        }
        let hidden: Vec<Span> = own.iter().filter(|marker| marker.standalone).map(|marker| marker.span).collect();
        let rendered = Rendered::render(document, id, &hidden);
        let text = rendered.text.as_str();
        if let Some(led) = self.led_by_citations(own, &rendered) {
            let mut all = Vec::new();
            for (markers, said) in led {
                let sources = self.entries_of(markers);
                self.note_sentences(said, &sources, id);
                all.extend(sources);
            }
            return all;
        }
        let sentences = sentence::sentences(text);
        let mut start = 0;
        let mut all = Vec::new();
        // An item is one note: what is cited at its end, and nowhere before, is cited for all of it.
        let is_item = document.ancestors(id).any(|above| document.block(above).kind == BlockKind::Item);
        let gap = |pair: &[&Marker]| document.text().get(pair[0].span.end..pair[1].span.start);
        let is_noted_whole = is_item && own.windows(2).all(|pair| gap(pair).is_some_and(only_separates));
        // The leaf falls into pieces that end with their citation; of each, the last sentence is what is cited.
        for (i, marker) in own.iter().enumerate() {
            let from = rendered.shown(marker.span.start).max(start).min(text.len());
            let mut end = rendered.shown(marker.span.end).max(from).min(text.len());
            let (before, led) = without_lead(&text[start..from]);
            let stands_apart = led || !marker.standalone && before.trim_end().ends_with(is_closing);
            if !marker.standalone && !stands_apart {
                // *According to [P](…), …*: the whole sentence, unless it goes on to another source.
                let whole = sentences.partition_point(|sentence| sentence.end < end);
                let whole = sentences.get(whole).map_or(end, |sentence| sentence.end);
                let next = own.get(i + 1).map_or(text.len(), |next| rendered.shown(next.span.start));
                if whole <= next {
                    end = whole.max(end);
                }
            }
            let stop: usize = text[end..].chars().take_while(|c| is_closing(*c)).map(char::len_utf8).sum();
            // Of *… tokens. [P](…)* and *… tokens. Source: …* the title and the lead are no words of the finding.
            let body = if stands_apart { before.trim_end() } else { text[start..end].trim_end() };
            let stop_at = if stands_apart { 0 } else { stop };
            end += stop;
            let sources = self.entries_of(&own[i..=i]);
            all.extend(sources.iter().filter(|source| !all.contains(*source)).copied().collect::<Vec<_>>());
            // The space before the marker is no part of the words.
            let piece = format!("{body}{}", &text[end - stop..end - stop + stop_at]);
            let piece = piece.as_str();
            let mut sentences = sentence::sentences(piece);
            if let [.., said, label] = sentences.as_slice()
                && is_only_a_label(label.slice(piece))
            {
                // *Water is wet. [VERIFIED] [1]*
                let said = said.cover(*label);
                sentences.truncate(sentences.len() - 2);
                sentences.push(said);
            }
            if let Some((last, before)) = sentences.split_last() {
                for sentence in before {
                    // *Source: …* at the end is that of all of them.
                    let ends = is_noted_whole && !text[end..].contains(char::is_alphanumeric);
                    let sources = if led {
                        sources.clone()
                    } else if ends {
                        self.entries_of(own)
                    } else {
                        Vec::new()
                    };
                    self.note_plain(sentence.slice(piece), sources, id);
                }
                self.note_plain(last.slice(piece), sources.clone(), id);
                self.quotations_in(last.slice(piece), &sources, document.content_span(id));
            }
            start = end;
        }
        let rest = &text[start..];
        if start > 0 && is_only_a_label(rest) {
            // *Water is wet [1] (inferred).*
            let label = without_label(rest).1;
            if let Some(note) = self.file.notes.iter_mut().rev().find(|note| !note.verbatim) {
                note.label = note.label.take().or(label);
            }
            return all;
        }
        for sentence in sentence::sentences(rest) {
            self.note_plain(sentence.slice(rest), Vec::new(), id);
        }
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
            let is_reference = at == 0 && reference_before(self.document, last).is_some();
            let begins = match at {
                0 => is_reference || text.get(..rendered.shown(first.span.start))?.trim().is_empty(),
                _ => before.ends_with(['\n', '\\']) || before.ends_with(is_closing),
            };
            let end = runs.get(at + 1).map_or(text.len(), |next| rendered.shown(next[0].span.start));
            let rest = text.get(rendered.shown(last.span.end)..end)?;
            let said = if is_reference || run.iter().all(|marker| marker.standalone) {
                rest.trim_start_matches([':', '：', '—', '–', '-', ' '])
            } else {
                rest.trim_start().strip_prefix([':', '：', '—', '–', '-'])?
            };
            (begins && said.contains(char::is_alphanumeric)).then(|| (*run, said.trim()))
        });
        led.collect::<Option<Vec<_>>>().filter(|led| !led.is_empty())
    }

    /// `[3](url)` in a file without a list: the address is a source of the file.
    fn add_addresses(&mut self, marker: &Marker) {
        for target in &marker.targets {
            if let Target::Address(address) = target
                && !self.addresses.contains_key(&key_of(address))
            {
                let title = marker
                    .link
                    .map(|link| self.document.slice(self.document.link(link).text))
                    .filter(|words| words.chars().any(char::is_alphabetic))
                    .map(|words| words.trim_start_matches("citation:").trim().to_owned());
                let (title, addresses) = (title.unwrap_or_default(), vec![address.clone()]);
                self.add_entry(Entry { span: marker.span, title, addresses, ..Entry::default() });
            }
        }
    }

    fn note_plain(&mut self, words: &str, entries: Vec<usize>, id: BlockId) {
        let (text, label) = without_label(words);
        let span = self.document.content_span(id);
        self.note_words(&text, entries, false, label, span);
    }

    fn note_leaf_verbatim(&mut self, id: BlockId, own: &[&Marker], entries: Vec<usize>) {
        let hidden: Vec<Span> = own.iter().filter(|marker| marker.standalone).map(|marker| marker.span).collect();
        let text = Rendered::render(self.document, id, &hidden).text;
        let (text, label) = without_label(&text);
        let span = self.document.content_span(id);
        self.note_words(unquoted(&text), entries, true, label, span);
    }

    fn excerpt(&mut self, quote: BlockId, entries: &[usize]) {
        let span = self.document.block(quote).span;
        let leaves: Vec<BlockId> = self.blocks_in(span).filter(|id| self.document.block(*id).is_leaf()).collect();
        for leaf in leaves {
            self.note_leaf_verbatim(leaf, &[], entries.to_vec());
        }
    }

    fn quotations(&mut self, rendered: &Rendered, entries: &[usize]) {
        let span = Span::new(rendered.source_start(0), rendered.source_end(rendered.text.len()));
        self.quotations_in(&rendered.text, entries, span);
    }

    /// Words between quotation marks beside a citation are the source's own.
    fn quotations_in(&mut self, text: &str, entries: &[usize], span: Span) {
        if entries.is_empty() {
            return;
        }
        for quotation in quotation::quotations(text) {
            if quotation.is_verbatim() {
                self.note_words(quotation.inner.slice(text), entries.to_vec(), true, None, span);
            }
        }
    }

    fn note_words(&mut self, words: &str, entries: Vec<usize>, verbatim: bool, label: Option<String>, span: Span) {
        let words = words.trim();
        // An address alone says nothing.
        let says = words.split_whitespace().any(|word| !word.contains("://") && word.contains(char::is_alphabetic));
        if says && words.chars().filter(|c| c.is_alphanumeric()).count() >= FEWEST_SIGNS {
            let text = words.to_owned();
            self.file.notes.push(ResearchNote { text, entries, verbatim, label, span, ..ResearchNote::default() });
        }
    }
}

/// The reference to a work that a line is up to its address, with what the work says on the lines below: *Pew (2024). Title. https://…*.
fn reference_before<'d>(document: &'d Document, marker: &Marker) -> Option<&'d str> {
    static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^\p{Lu}[^()!?]{1,120} \((?:19|20)\d\d[a-z]?\)\. \p{Lu}").expect("a fixed pattern")
    });
    let (before, after) = (&document.text()[..marker.span.start], &document.text()[marker.span.end..]);
    let line = before.rsplit('\n').next()?.trim_start_matches(['-', '*', '+', ' ', '\t']);
    let ends_line = after.trim_start_matches(['.', ' ', '\r']).starts_with('\n');
    (ends_line && REFERENCE.is_match(line)).then(|| line.trim_end_matches([' ', '.']))
}

/// Letters and digits that a note has at least.
const FEWEST_SIGNS: usize = 4;

fn is_closing(c: char) -> bool {
    is_closing_mark(c) || matches!(c, '.' | '!' | '?' | '。' | '！' | '？' | '…')
}

/// Whether one of `spans` holds `span`. They are in order and do not overlap.
fn in_any(spans: &[Span], span: Span) -> bool {
    let at = spans.partition_point(|held| held.start <= span.start);
    at > 0 && spans[at - 1].end > span.start
}

/// Labels of the line that says when the research was done.
static DATE_LABELS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| lexicon::table::words(include_str!("data/date_labels.tsv"), "date").collect());

/// When the sources of a file were looked at: by the newest line that says so (*Accessed 1 March 2025*), else front matter `date:`, or a
/// line `Date: 2025-03-01` before the first section. Lines with an address are of one source.
pub fn date_of(document: &Document) -> Option<jiff::civil::Date> {
    let signs = ['-', '*', '_', '#', '>', ' ', '|', '(', '['];
    let lines = || document.text().lines().map(|line| line.trim().trim_start_matches(signs));
    let accessed =
        lines().filter(|line| line.len() <= LONGEST_ACCESS_LINE && !line.contains("://")).filter_map(|line| {
            let (date, found) = citation::accessed::find(line)?;
            let opens = found.start == 0 && !citation::accessed::may_be_a_title(line);
            let closes =
                !line[found.end..].contains(char::is_alphanumeric) && !citation::accessed::may_be_a_title(&line[found]);
            (opens || closes).then_some(date)
        });
    accessed.max().or_else(|| {
        lines().take(LINES_WITH_DATE).find_map(|line| {
            let (word, rest) = line.split_once([':', '：'])?;
            let word = word.trim_matches(['*', '_', ' ']).to_lowercase();
            let rest = rest.trim_start_matches(['*', '_', ' ', '"', '\'']);
            DATE_LABELS
                .contains(word.as_str())
                .then(|| citation::accessed::leading_date(rest))
                .flatten()
                .map(|(date, _)| date)
        })
    })
}

/// Bytes of the longest line that says when all sources of a file were looked at.
const LONGEST_ACCESS_LINE: usize = 160;

/// Lines at the start of a file that may say when the research was done.
const LINES_WITH_DATE: usize = 40;
