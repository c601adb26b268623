//! What was decided, as brief and record show it: sources with their numbers, and what is said beside the document.

use cited_core::address::is_web;
use std::collections::HashMap;

use super::judge::Judged;
use super::read::Read;
use cited_core::address::identity::key_of;
use cited_core::citation::written::{ListLayout, Written};
use cited_core::citation::{Entry, SourceList};
use cited_core::claim::{Claim, ClaimPosition};
use cited_core::decide::{Action, Decision, Note, without_mark};
use cited_core::markdown::BlockId;
use cited_core::outcome::Outcome;
use cited_core::source::SourceId;
use cited_report::brief::{self, Sections};
use cited_report::record::SourceRecord;
use cited_text::escape;

/// What the brief says of each claim beside the document.
fn claim_lines(judged: &Judged) -> Sections {
    let (read, decisions) = (&judged.asked.read, &judged.decisions);
    let mut lines = Sections::default();
    let tables = removed_tables(read, decisions);
    for (i, (claim, decision)) in read.claims.iter().zip(decisions).enumerate() {
        if decision.action.removes() {
            let table = table_of(read, claim).filter(|table| tables.contains_key(table));
            lines.removed.push(match table {
                Some(table) if tables[&table] != i => continue,
                Some(table) => brief::claim_line("Table ", &heads_of(read, table), &decision.reason),
                None if claim.position == ClaimPosition::Figure => {
                    brief::claim_line("Figure ", &claim.text, &decision.reason)
                }
                None => brief::claim_line("", &claim.text_in_context(), &decision.reason),
            });
        } else if read.options.notes {
            let mut notes: Vec<String> = decision.all_notes().map(Note::to_string).collect();
            notes.extend(judged.disagreements(i, &read.claims));
            if !notes.is_empty() {
                lines.notes.push(brief::claim_line("", &without_mark(&claim.text_in_context()), &notes.join("; ")));
            }
        }
    }
    lines
}

/// The table that a claim is a cell of.
fn table_of(read: &Read, claim: &Claim) -> Option<BlockId> {
    let row = read.document.block(claim.block).parent.filter(|_| claim.position == ClaimPosition::Cell)?;
    read.document.block(row).parent
}

/// The tables of several cells that all went for one reason, each with the first of the claims that its cells are: they are named as one.
fn removed_tables(read: &Read, decisions: &[Decision]) -> HashMap<BlockId, usize> {
    let mut cells: HashMap<BlockId, Vec<usize>> = HashMap::new();
    for (i, claim) in read.claims.iter().enumerate() {
        table_of(read, claim).into_iter().for_each(|table| cells.entry(table).or_default().push(i));
    }
    cells.retain(|_, cells| {
        let mut went = cells.iter().map(|i| &decisions[*i]);
        let first = went.next().filter(|first| first.action == Action::Drop);
        cells.len() > 1 && first.is_some_and(|first| went.all(|d| d.action == first.action && d.reason == first.reason))
    });
    cells.into_iter().map(|(table, cells)| (table, cells[0])).collect()
}

/// The heads of the columns of a table.
fn heads_of(read: &Read, table: BlockId) -> String {
    let document = &read.document;
    let head = document.block(table).children.first().map_or(&[][..], |head| &document.block(*head).children);
    let words = head.iter().map(|cell| document.slice(document.content_span(*cell)).trim());
    words.filter(|words| !words.is_empty()).collect::<Vec<_>>().join(", ")
}

impl Judged {
    /// The sources as the record and the list show them: cited ones by number, then the others.
    pub(super) fn sources(&self) -> Vec<SourceRecord> {
        let numbering = &self.rewrite.numbering;
        let mut ids: Vec<SourceId> = numbering.sources().to_vec();
        ids.extend(self.asked.read.registry.iter().map(|(id, _)| id).filter(|id| numbering.get(*id).is_none()));
        let mut notes = self.asked.read.entry_notes();
        ids.into_iter().map(|id| self.source(id, notes.remove(&id).unwrap_or_default())).collect()
    }

    /// The address of a source, the same wherever the record has it.
    pub(super) fn address_of(&self, id: SourceId) -> String {
        self.asked.read.registry.get(id).address.clone().unwrap_or_default()
    }

    fn source(&self, id: SourceId, entry_notes: Vec<String>) -> SourceRecord {
        let source = self.asked.read.registry.get(id);
        let answer = self.asked.answer(id);
        let page = answer.page.as_ref();
        let page_title = page.and_then(|page| page.title.as_deref()).map(without_links);
        // Some titles are only the address again.
        let is_title = |title: &&str| !title.is_empty() && !is_web(title);
        let host = || source.titles.iter().map(|title| title.trim()).find(is_title);
        let own_titles = page.map_or(&[][..], |page| &page.imprint.titles);
        let title = source.best_title(own_titles).or(page_title.as_deref()).or_else(host);
        SourceRecord {
            number: self.rewrite.numbering.get(id),
            title: escape::plain(title.unwrap_or_default()).into_owned(),
            url: self.address_of(id),
            key: source.key.clone(),
            aliases: source.aliases.clone(),
            origins: source.origins.iter().map(|origin| (origin.file.clone(), origin.label.clone())).collect(),
            entry_notes: entry_notes.into_iter().map(|note| escape::plain(&note).into_owned()).collect(),
            work: self.asked.works.find_look(id).cloned().map(Box::new),
            retracted: self.retracted.get(&id).cloned(),
            outcome: answer.outcome,
            reason: answer.reason.clone(),
            rule: answer.rule.to_string(),
            signs: answer.signs.clone(),
            others: answer.others.clone(),
            hops: answer.hops.clone(),
            final_url: answer.final_url.clone().filter(|_| answer.outcome == Outcome::Moved),
            archive: answer.archive.clone(),
            kept: None,
        }
    }

    /// What the brief says beside the document.
    pub(super) fn sections(&self, sources: &[SourceRecord]) -> Sections {
        let mut entries: HashMap<SourceId, Vec<(&SourceList, &Entry)>> = HashMap::new();
        for (list, entry, id) in self.asked.read.entries() {
            entries.entry(id).or_default().push((list, entry));
        }
        let mut written = |id: &SourceId, record: &SourceRecord| {
            let fit = |entry: &Entry| {
                let shown = entry.addresses.first().is_some_and(|address| key_of(address) == key_of(&record.url));
                (entry.title == record.title, shown)
            };
            // The first of those that fit best.
            let own = entries.remove(id)?.into_iter();
            let (list, entry) = own.reduce(|best, next| if fit(next.1) > fit(best.1) { next } else { best })?;
            Written::read(&self.asked.read.document, list, entry)
        };
        let cited = sources.iter().filter(|source| source.number.is_some()).zip(self.rewrite.numbering.sources());
        let cited: Vec<_> = cited.map(|(source, id)| (source, written(id, source))).collect();
        let layout = ListLayout::detect(&self.asked.read.document, &self.asked.read.citations.lists);
        Sections { sources: brief::source_lines(&cited, self.rewrite.form, layout), ..claim_lines(self) }
    }
}

/// The title of a page without what renderers of Markdown make links of: `https://…`, `www.…`.
fn without_links(title: &str) -> String {
    let bare = |word: &str| {
        let (before, rest) = word.split_once("://").unwrap_or(("", word));
        let prefix = rest.get(..4).filter(|start| start.eq_ignore_ascii_case("www."));
        let before = before.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        format!("{before}{}", &rest[prefix.map_or(0, str::len)..])
    };
    // An address behind the title is no part of it.
    let title =
        title.trim_end().rsplit_once(' ').filter(|(_, last)| last.contains("://")).map_or(title, |(title, _)| title);
    title.split(' ').map(bare).collect::<Vec<_>>().join(" ")
}
