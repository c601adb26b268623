//! Fourth stage: the brief, written from the decisions, read again, and written with more care until it is understood as meant.
//!
//! Two things are asked of a brief before it is given out: that its structure and numbers are those that were meant
//! ([`write()`]), and, when something was removed, that a second run would edit nothing ([`run_again`]). A removal can make two remains one
//! sentence, leave a picture alone, or let a citation be read as that of another sentence. The brief is therefore decided and rewritten once
//! more, from the reading of it that its check made and with the answers of the first run, and compared claim by claim with what was meant.
//! Where the answer is no, the leaf in question is written with more [`Care`].

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::ask::Asked;
use super::judge::{Judged, judge};
use super::options::Options;
use super::read::{Read, Reading, by_key, read_again};
use cited_core::address::identity::key_of;
use cited_core::address::is_web;
use cited_core::citation::written::{ListLayout, Written as Layout};
use cited_core::citation::{Citations, Entry, Label, SourceList, each_once};
use cited_core::claim::{Claim, ClaimKind, ClaimPosition};
use cited_core::decide::check::{self, Defect};
use cited_core::decide::edit::{Overlap, Places};
use cited_core::decide::review::Binder;
use cited_core::decide::{self, Action, Care, CitationForm, Edit, Manner, Note, without_mark};
use cited_core::error::{Error, Result};
use cited_core::markdown::{BlockId, Document};
use cited_core::outcome::Outcome;
use cited_core::pattern::Pattern;
use cited_core::source::{Source, SourceId};
use cited_report::brief::{self, Sections};
use cited_report::record::SourceRecord;
use cited_text::lines::LineIndex;
use cited_text::{Span, escape};

/// How often a brief is written anew. Drafts that people write settle in one or two rounds.
const MOST_ROUNDS: usize = 32;

/// How often one leaf takes over what a second run would decide. A paragraph that loses sentence after sentence settles
/// long before.
const MOST_DECISIONS: u8 = 4;

/// How often what is read as a citation or a list, and is none, is kept apart from what makes it look like one.
const MOST_ESCAPES: usize = 3;

/// The edits that make a brief, and the brief.
pub(super) type Written = (Vec<Edit>, Arc<str>);

/// Writes the brief, as tidy as it can be. The decisions get those on claims that go with others.
///
/// # Errors
/// When no manner of writing gives a brief that passes its check and that a second run would not edit: what was wrong
/// with the tidiest one.
pub(super) fn compose(judged: &mut Judged) -> Result<Written> {
    let (support, decisions) = (judged.asked.read.options.support, judged.decisions.clone());
    let settled = match settle(judged, support) {
        // A brief that says what its sources do not say where they stand by other claims now is better than none.
        Err(_) if support => {
            judged.decisions = decisions;
            settle(judged, false)
        }
        settled => settled,
    };
    settled.map_err(Error::defect)
}

/// The same, with what a second run would judge anew or without.
fn settle(judged: &mut Judged, judges: bool) -> std::result::Result<Written, String> {
    let mut manner = Manner::default();
    let mut complaint: Option<String> = None;
    let mut adopted: HashMap<BlockId, u8> = HashMap::new();
    for _ in 0..MOST_ROUNDS {
        let places = match write(judged, &manner) {
            Ok((written, reading)) => {
                // Where the run fails for a claim nothing is written that a second run could edit.
                let fails = judged.decisions.iter().any(|decision| decision.action == Action::Fail);
                let again = reading.filter(|_| !fails).and_then(|reading| run_again(judged, reading, judges));
                let Some((again, edits)) = again.filter(|(_, edits)| !edits.is_empty()) else { return Ok(written) };
                complaint.get_or_insert_with(|| {
                    let line = LineIndex::new(again.asked.read.document.text()).line(edits[0].span.start);
                    format!("a second run would edit the brief again, at line {line}")
                });
                adopt(judged, (&written.0, &again, &edits), &mut manner, &mut adopted)
            }
            Err(Defect { message, at }) => {
                complaint.get_or_insert(message);
                Some(at.into_iter().collect())
            }
        };
        if places.is_some_and(|places| !more_care(&judged.asked.read, &places, &mut manner)) {
            break;
        }
    }
    Err(complaint.unwrap_or_default())
}

impl Judged {
    /// The sources as the record and the list show them: cited ones by number, then the others.
    pub(super) fn sources(&self) -> Vec<(SourceId, SourceRecord)> {
        let numbering = &self.rewrite.numbering;
        let mut ids: Vec<SourceId> = numbering.sources().to_vec();
        ids.extend(self.asked.read.registry.iter().map(|(id, _)| id).filter(|id| numbering.get(*id).is_none()));
        let mut notes = self.asked.read.entry_notes();
        let record = |id: SourceId| {
            let source = self.asked.read.registry.get(id);
            let answer = self.asked.answer(id);
            let page = answer.page.as_ref();
            // A page about something else does not name the source: with its title the next run would take it for the right one.
            let named = page.filter(|_| !answer.is_off_topic());
            let page_title = named.and_then(|page| page.title.as_deref()).map(without_links);
            // Some titles are only the address again.
            let host =
                || source.titles.iter().map(|title| title.trim()).find(|title| !title.is_empty() && !is_web(title));
            let own_titles = page.map_or(&[][..], |page| &page.imprint.titles);
            let title = source.best_title(own_titles).or(page_title.as_deref()).or_else(host);
            let notes = notes.remove(&id).unwrap_or_default();
            let record = SourceRecord {
                number: numbering.get(id),
                title: escape::plain(title.unwrap_or_default()).into_owned(),
                url: source.address.clone().unwrap_or_default(),
                key: source.key.clone(),
                aliases: source.aliases.clone(),
                origins: source.origins.iter().map(|origin| (origin.file.clone(), origin.label.clone())).collect(),
                entry_notes: notes.into_iter().map(|note| escape::plain(&note).into_owned()).collect(),
                work: self.asked.works.chosen.get(&id).cloned().map(Box::new),
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
            };
            (id, record)
        };
        ids.into_iter().map(record).collect()
    }

    /// What the brief says beside the document.
    fn sections(&self, sources: &[(SourceId, SourceRecord)]) -> Sections {
        let (read, decisions) = (&self.asked.read, &self.decisions);
        let document = &read.document;
        let mut entries: HashMap<SourceId, Vec<(&SourceList, &Entry)>> = HashMap::new();
        for (list, entry, id) in read.entries() {
            entries.entry(id).or_default().push((list, entry));
        }
        let mut written = |(id, record): &(SourceId, SourceRecord)| {
            let fit = |entry: &Entry| {
                let shown = entry.addresses.first().is_some_and(|address| key_of(address) == key_of(&record.url));
                (entry.title == record.title, shown)
            };
            // The first of those that fit best.
            let (list, entry) = entries.remove(id)?.into_iter().rev().max_by_key(|(_, entry)| fit(entry))?;
            Layout::read(document, list, entry)
        };
        let cited = sources.iter().filter(|(_, source)| source.number.is_some());
        let cited: Vec<_> = cited.map(|source| (&source.1, written(source))).collect();
        let layout = ListLayout::detect(document, &read.citations.lists);
        let sources = brief::source_lines(&cited, self.rewrite.form, layout);
        let mut lines = Sections { sources, ..Sections::default() };
        let table_of = |claim: &Claim| {
            let row = document.block(claim.block).parent.filter(|_| claim.position == ClaimPosition::Cell)?;
            document.block(row).parent
        };
        // The tables of several cells that all went for one reason, with the claims that their cells are: they are named as one.
        let mut tables: HashMap<BlockId, Vec<usize>> = HashMap::new();
        for (i, claim) in read.claims.iter().enumerate() {
            table_of(claim).into_iter().for_each(|table| tables.entry(table).or_default().push(i));
        }
        tables.retain(|_, cells| {
            let first = &decisions[cells[0]];
            let mut went = cells.iter().map(|i| &decisions[*i]);
            cells.len() > 1 && went.all(|went| went.action == Action::Drop && went.reason == first.reason)
        });
        for (i, (claim, decision)) in read.claims.iter().zip(decisions).enumerate() {
            if decision.action.removes() {
                let table = table_of(claim).and_then(|table| Some((table, tables.get(&table)?[0])));
                let (what, words) = match table {
                    Some((_, first)) if first != i => continue,
                    Some((table, _)) => {
                        let heads = document.block(table).children.first().map(|head| &document.block(*head).children);
                        let heads = heads.into_iter().flatten();
                        let heads = heads.map(|cell| document.slice(document.content_span(*cell)).trim());
                        ("Table ", heads.filter(|words| !words.is_empty()).collect::<Vec<_>>().join(", ").into())
                    }
                    None if claim.position == ClaimPosition::Figure => ("Figure ", claim.text.as_str().into()),
                    None => ("", claim.text_in_context()),
                };
                lines.removed.push(brief::claim_line(what, &words, &decision.reason));
            } else if read.options.notes {
                let mut notes: Vec<String> = decision.all_notes().map(Note::to_string).collect();
                notes.extend(self.disagreements(i));
                if !notes.is_empty() {
                    let words = claim.text_in_context();
                    lines.notes.push(brief::claim_line("", &without_mark(&words), &notes.join("; ")));
                }
            }
        }
        lines
    }
}

/// The title of a page without what renderers of Markdown make links of: `https://…`, `www.…`.
fn without_links(title: &str) -> String {
    // An address behind the title is no part of it.
    static LINKS: Pattern = Pattern::new(r"(?i) \S*://\S*\s*$|[a-z]*://(?:www\.)?|(^| )www\.");
    LINKS.replace_all(title, "$1").into_owned()
}

/// Rewrites the draft: the edits that make the brief. `escapes` keep text apart from what makes it look like a citation.
fn make_edits(judged: &mut Judged, manner: &Manner, escapes: &[Edit]) -> Vec<Edit> {
    judged.rewrite = decide::rewrite(&judged.asked.read.plan(), &mut judged.decisions, manner);
    judged.rewrite.edits.extend(escapes.iter().cloned());
    let sections = judged.sections(&judged.sources());
    let read = &judged.asked.read;
    brief::finish(&read.document, read.citations_to_write(), &mut judged.rewrite, &sections)
}

/// Writes the brief. The reading of the result comes with it, when anything was edited.
///
/// # Errors
/// When the result is read as something else than was meant, with the place in the draft.
fn write(judged: &mut Judged, manner: &Manner) -> std::result::Result<(Written, Option<Reading>), Defect> {
    let mut escapes: Vec<Edit> = Vec::new();
    for attempt in 1..=MOST_ESCAPES {
        let edits = make_edits(judged, manner, &escapes);
        let Judged { asked: Asked { read, .. }, rewrite, .. } = &*judged;
        let (document, citations, draft) = (&read.document, &read.citations, &read.draft);
        let overlaps = |overlap: Overlap| Defect { message: overlap.to_string(), at: Some(overlap.0.1.span.start) };
        let brief: Arc<str> = decide::apply(&draft.text, &edits).map_err(overlaps)?.into();
        if edits.is_empty() {
            return Ok(((edits, brief), None));
        }
        let again = Reading::read(&brief, &read.known);
        // A list that nothing cites is none to what writes the brief, and stays one to its readers.
        let one = || rewrite.holes.home.and_then(|home| citations.lists.get(home..=home)).unwrap_or_default();
        let home = if read.unconnected.is_some() { &citations.lists } else { one() };
        let home: Vec<Span> = home.iter().flat_map(|list| list.parts(document)).collect();
        let mut more = check::escapes((document, citations), &edits, (&again.document, &again.citations));
        more.extend(check::unlisted(&home, &edits, &again.document, &again.citations));
        more.extend(check::reopened(document, &edits, &again.document));
        more.retain(|edit| !escapes.contains(edit));
        if attempt < MOST_ESCAPES && !more.is_empty() {
            escapes.append(&mut more);
            continue;
        }
        let links_count = rewrite.form == CitationForm::Kept;
        let prose = || Citations { lists: Vec::new(), ..again.citations.clone() };
        let prose = read.unconnected.is_some().then(prose);
        let cited_again = prose.as_ref().unwrap_or(&again.citations);
        let (before, after) = ((document, read.citations_to_write()), (&again.document, cited_again));
        let number_of = |label: &Label| rewrite.numbering.get(by_key(&read.registry, &read.research, label)?);
        let checked = check::check(before, &rewrite.holes, after, links_count, &rewrite.numbering, &number_of);
        checked
            .map_err(|Defect { message, at }| Defect { message, at: at.map(|at| Places::new(&edits).in_draft(at)) })?;
        return Ok(((edits, brief), Some(again)));
    }
    Err(Defect { message: "a text is read as a citation".to_owned(), at: None })
}

/// What a claim says and cites.
type Meaning = (String, BTreeSet<SourceId>);

/// Decides and rewrites a brief as a second run would; gives what that would edit, too. `None` when a second run would refuse it: there is
/// nothing left to check.
///
/// What sources say of a claim was judged in the first round. When it `judges`, it is asked of them where they stand by a claim that they did
/// not stand by: a sentence that is read as an instruction beside another may be a statement without it, and a citation behind one that goes
/// may speak for the one before it. Of the decisions of reviewers those that were applied hold.
fn run_again(draft: &Judged, reading: Reading, judges: bool) -> Option<(Judged, Vec<Edit>)> {
    let first = &draft.asked.read;
    // A sentence that the draft has twice stands once in the brief when the first of the two goes.
    let mut binder = Binder::default();
    let claims = first.claims.iter().zip(&draft.decisions).zip(&draft.bindings);
    let stand = claims.filter(|((_, decision), _)| !decision.action.removes());
    let bound = stand.map(|((claim, _), of)| (of, binder.bind(&claim.text_in_context(), std::iter::empty())));
    let review = first.options.review.on_these(bound).into();
    // The judge was asked what no hard check decided; nothing new hangs on it.
    let options = Options { support: judges, judge: None, review, ..first.options.clone() };
    let asked = draft.asked.reuse_answers(read_again(first, reading, &options)?);
    let before = draft.verdicts.keys().filter(|_| judges);
    let before: HashSet<_> = before.map(|(i, source)| (*source, without_mark(&first.claims[*i].text))).collect();
    let is_new = |claim: &Claim, source: &Source| {
        let source = first.registry.counterpart(source);
        source.is_some_and(|source| !before.contains(&(source, without_mark(&claim.text))))
    };
    let mut judged = judge(asked, Some(&is_new));
    let edits = make_edits(&mut judged, &Manner::default(), &[]);
    Some((judged, edits))
}

/// Takes over what a second run would do with a brief that `made` made of the draft, and that it has judged and would edit: first that leaves are
/// read as they were meant, then its decisions on claims that stay without a citation, the sources that it would cite for an address that a
/// claim shows, and its notes. `adopted` counts how often a leaf took over a decision. Where there is nothing to take over: where the leaves of
/// the draft begin that are read otherwise or would be edited.
fn adopt(
    draft: &mut Judged,
    (made, again, edits): (&[Edit], &Judged, &[Edit]),
    manner: &mut Manner,
    adopted: &mut HashMap<BlockId, u8>,
) -> Option<Vec<usize>> {
    let Judged { asked: Asked { read: draft, .. }, decisions, .. } = draft;
    let brief = &again.asked.read;
    let in_draft = |source: &SourceId| draft.registry.counterpart(brief.registry.get(*source));
    let leaves = leaves_of(&draft.document);
    let mut places = Places::new(made);
    let spans =
        brief.claims.iter().map(|claim| Span::new(places.in_draft(claim.span.start), places.in_draft(claim.span.end)));
    let spans: Vec<Span> = spans.collect();
    let mut read: BTreeMap<BlockId, Vec<Meaning>> = BTreeMap::new();
    for (claim, span) in brief.claims.iter().zip(&spans).filter(|(claim, _)| claim.kind != ClaimKind::Todo) {
        let cited = claim.markers.iter().flat_map(|marker| &brief.resolved[marker.0 as usize]);
        let cited = cited.filter_map(in_draft).collect();
        if let Some((_, leaf)) = split_at(&leaves, span.start).0.last() {
            read.entry(*leaf).or_default().push((without_mark(&claim.text).into_owned(), cited));
        }
    }
    let mut meant: HashMap<BlockId, Vec<Meaning>> = HashMap::new();
    for (claim, decision) in draft.claims.iter().zip(&*decisions).filter(|(_, decision)| !decision.action.removes()) {
        let sources = decision.sources.iter().copied().collect();
        meant.entry(claim.block).or_default().push((without_mark(&claim.text).into_owned(), sources));
    }
    let misread = read.iter().filter(|(leaf, read)| meant.get(leaf).is_some_and(|meant| meant != *read));
    let misread: Vec<BlockId> = misread.map(|(leaf, _)| *leaf).collect();
    if misread.iter().filter(|leaf| raise(**leaf, Care::Glued, manner)).count() > 0 {
        return None;
    }
    let mut changed = false;
    for (span, decision) in spans.iter().zip(&again.decisions) {
        let from = draft.claims.partition_point(|own| own.span.end <= span.start);
        let own = from..from + draft.claims[from..].iter().take_while(|own| own.span.start < span.end).count();
        if !matches!(decision.action, Action::Keep | Action::Cite | Action::Recite) {
            for i in own {
                let held = &mut decisions[i];
                let stays = !held.action.removes() && held.action != Action::Mark && held.sources.is_empty();
                let times = adopted.entry(draft.claims[i].block).or_default();
                if stays && *times < MOST_DECISIONS {
                    *times += 1;
                    *held = decision.clone();
                    changed = true;
                }
            }
        } else if let Some(i) = own.into_iter().find(|i| !decisions[*i].action.removes()) {
            let words = draft.document.slice(draft.claims[i].span);
            let shows =
                |source: &SourceId| draft.registry.get(*source).addresses().any(|address| words.contains(address));
            let held = &mut decisions[i];
            let before = (held.sources.len(), held.notes.len());
            let more = decision.sources.iter().filter_map(in_draft).filter(shows);
            held.sources = each_once(held.sources.iter().copied().chain(more));
            let notes = decision.all_notes().filter(|_| draft.options.notes);
            notes.for_each(|note| held.note_once(note.clone()));
            changed |= before != (held.sources.len(), held.notes.len());
        }
    }
    let mut places = Places::new(made);
    let edited = edits.iter().filter_map(|edit| split_at(&leaves, places.in_draft(edit.span.start)).0.last());
    let misread = misread.iter().map(|leaf| draft.document.content_span(*leaf).start);
    let mut places: Vec<usize> = edited.map(|(start, _)| *start).chain(misread).collect();
    places.dedup();
    (!changed).then_some(places)
}

/// Writes the last leaf at or before each of these places of the draft with more care, or where that is not enough those around it,
/// from near to far: what is difficult about one leaf is none of the others' business. Where they have it all, the whole document: each way
/// changes less of what stands around the edits than the one before. Says whether there was one that could have more.
fn more_care(read: &Read, places: &[usize], manner: &mut Manner) -> bool {
    /// Leaves on either side, step by step; beyond them nothing of a leaf is felt.
    const REACHES: [usize; 4] = [0, 1, 3, 12];
    let leaves = leaves_of(&read.document);
    let has_more = REACHES.into_iter().any(|reach| {
        let around = places.iter().flat_map(|place| {
            let at = split_at(&leaves, *place).0.len();
            &leaves[at.saturating_sub(reach + 1)..(at + reach).min(leaves.len())]
        });
        // All of a step, not only the first.
        around.filter(|(_, leaf)| raise(*leaf, Care::Held, manner)).count() > 0
    });
    match (manner.all, manner.list_moves) {
        _ if has_more => {}
        (_, false) => manner.list_moves = true,
        (Care::Held, true) => return false,
        (_, true) => (manner.all, manner.list_moves) = (Care::Held, false),
    }
    true
}

/// Gives a leaf more care; says whether it had less.
fn raise(leaf: BlockId, care: Care, manner: &mut Manner) -> bool {
    let more = manner.care_in(leaf) < care;
    if more {
        manner.leaves.insert(leaf, care);
    }
    more
}

/// A leaf of a document, with where it begins.
type Leaf = (usize, BlockId);

/// The leaves of a document.
fn leaves_of(document: &Document) -> Vec<Leaf> {
    document.leaves().map(|(id, _)| (document.content_span(id).start, id)).collect()
}

/// The leaves up to a place, of which the last one is at it or before it, and those behind.
fn split_at(leaves: &[Leaf], place: usize) -> (&[Leaf], &[Leaf]) {
    leaves.split_at(leaves.partition_point(|(start, _)| *start <= place))
}
