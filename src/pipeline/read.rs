//! First stage: the draft and its research files as claims, citations and one registry of sources, with the sources that each claim
//! stands on. Nothing is asked.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use url::Url;

use super::options::Options;
use cited_core::address::identity::{is_archived, key_of, named_host};
use cited_core::address::stamp::{copy_of, instant};
use cited_core::check::page::front_matter;
use cited_core::citation::layout::shows_copy;
use cited_core::citation::stray::{Stray, strays};
use cited_core::citation::{
    self, Citations, Entry, EntryId, KnownLabels, Label, Marker, MarkerForm, MarkerId, SourceList, Target, author_year,
    each_once, pandoc,
};
use cited_core::claim::{self, Anchoring, Claim, ClaimKind, ClaimPosition};
use cited_core::decide::Plan;
use cited_core::error::{Error, Result};
use cited_core::finding::{Code, EXPORT_AGAIN, Finding};
use cited_core::input::Input;
use cited_core::markdown::Document;
use cited_core::outcome::ArchiveCopy;
use cited_core::pattern::Pattern;
use cited_core::source::research::{Rating, csl_of_yaml, date_of, read_research};
use cited_core::source::{Registry, ResearchFile, ResearchNote, Source, SourceId};
use cited_text::Span;

/// Why nothing is verified, and what helps.
const NO_SOURCE: &str = "no source in the draft: no list, no link behind a sentence; name a research file that has some with -r FILE, or a search with --find --search COMMAND";

/// Everything that was read, with one registry of sources.
#[derive(Default)]
pub(super) struct Read {
    pub(super) draft: Input,
    pub(super) research: Arc<[Input]>,
    /// The same as they were read.
    pub(super) files: Arc<[ResearchFile]>,
    pub(super) options: Options,
    pub(super) document: Document,
    pub(super) citations: Citations,
    pub(super) claims: Vec<Claim>,
    /// For each claim, the sources that it stands on.
    pub(super) sources: Vec<ClaimSources>,
    /// What notes of the research files anchor, by position of the claim.
    pub(super) anchors: HashMap<usize, Anchoring>,
    pub(super) registry: Registry,
    /// What the research files give a meaning.
    pub(super) known: KnownLabels,
    pub(super) notes: Vec<ResearchNote>,
    /// The sources of the entries of the research files.
    pub(super) noted: Vec<Vec<SourceId>>,
    /// What research files say of how good sources and findings are: the source, the finding if it is one, what is said.
    pub(super) ratings: Vec<(SourceId, String, Rating)>,
    /// The citations of the draft without its lists, where nothing in the text is a citation of a source: without its list such a draft would
    /// have no source at all, so it stays as it is, unless what the pages say connects every entry with a claim.
    pub(super) unconnected: Option<Citations>,
    /// Whether nothing in the text of the draft cites what it lists.
    pub(super) list_without_citations: bool,
    /// For each marker, the sources that its targets mean.
    pub(super) resolved: Vec<Vec<SourceId>>,
    /// For each marker, the labels that mean nothing.
    pub(super) unresolved: Vec<Vec<Label>>,
    /// The sources of the draft's own lists, by entry.
    pub(super) listed: Vec<Vec<SourceId>>,
    /// When its sources were looked at, as the draft says.
    date: Option<jiff::civil::Date>,
    /// Numbers of the text that a reader takes for citations of the list, and that are none.
    pub(super) strays: Vec<Stray>,
    pub(super) findings: Vec<Finding>,
    /// The links of the prose, once they were looked for.
    pub(super) prose: OnceLock<Vec<(Span, String)>>,
}

/// The sources that a claim stands on.
#[derive(Debug, Clone, Default)]
pub(super) struct ClaimSources {
    /// Cited by its own markers.
    pub(super) cited: Vec<SourceId>,
    /// Given by research notes, for a claim that cites nothing of its own.
    pub(super) anchored: Vec<SourceId>,
    /// Given by research notes, for a claim that cites none of them: its own may be the wrong ones.
    pub(super) noted: Vec<SourceId>,
    /// Cited by markers that speak for it from another place.
    pub(super) inherited: Vec<SourceId>,
}

impl ClaimSources {
    /// All of them, its own first.
    pub(super) fn all(&self) -> impl Iterator<Item = SourceId> + '_ {
        self.cited.iter().chain(&self.anchored).chain(&self.inherited).copied()
    }

    /// Those that are cited for it: its own, else those of another place.
    pub(super) fn stands_on(&self) -> &[SourceId] {
        if self.cited.is_empty() { &self.inherited } else { &self.cited }
    }
}

/// A text and its citations.
pub(super) struct Reading {
    pub(super) document: Document,
    pub(super) citations: Citations,
}

impl Reading {
    /// An address that one citation gives is known to all: `[3](url)` and `([Title](url))`.
    pub(super) fn read(text: &Arc<str>, known: &KnownLabels) -> Self {
        let document = Document::read(Arc::clone(text));
        let mut citations = citation::read(&document, known);
        let targets = citations.markers.iter().flat_map(|marker| &marker.targets);
        let addresses: Vec<String> = targets.filter_map(Target::address).map(str::to_owned).collect();
        if !addresses.is_empty() {
            let mut known = known.clone();
            addresses.iter().for_each(|address| known.add_address(address));
            citations = citation::read(&document, &known);
        }
        Reading { document, citations }
    }
}

/// Reads a draft and its research files, whatever they hold.
pub(super) fn read(draft: &Input, research: &[Input], options: &Options) -> Read {
    // A bibliography in the front matter of the draft is a research file of its own.
    let own = csl_of_yaml(front_matter(&draft.text));
    let own = own.map(|text| Input { path: draft.path.clone(), text: text.into() });
    let research: Vec<Input> = research.iter().cloned().chain(own).collect();
    let files: Vec<ResearchFile> = research.iter().map(|input| read_research(&input.path, &input.text)).collect();
    let mut known = KnownLabels::default();
    for (file, input) in files.iter().zip(&research) {
        known.add_file(&file.entries, &input.text);
    }
    let reading = Reading::read(&draft.text, &known);
    Read::assemble(draft, (research.into(), files.into()), reading, known, options)
}

/// Reads a brief as its next run would, from a reading of its text and with the research files of the first. `None` when that run would
/// refuse it.
pub(super) fn read_again(first: &Read, reading: Reading, options: &Options) -> Option<Read> {
    let brief = Input { path: first.draft.path.clone(), text: "".into() };
    let research = (Arc::clone(&first.research), Arc::clone(&first.files));
    let read = Read::assemble(&brief, research, reading, first.known.clone(), options);
    read.has_sources().then_some(read)
}

/// Makes sure that a research file was read to its end.
///
/// # Errors
/// When it is broken: to go on would take its silence for a word against every claim that stands on it.
pub(crate) fn refuse_broken(file: &ResearchFile) -> Result<()> {
    let Some(why) = &file.broken else { return Ok(()) };
    Err(Error::input(format!("{}: {why}; mend the file, or leave it out", file.path)))
}

impl Read {
    fn assemble(
        draft: &Input,
        (research, files): (Arc<[Input]>, Arc<[ResearchFile]>),
        reading: Reading,
        known: KnownLabels,
        options: &Options,
    ) -> Read {
        let Reading { document, citations } = reading;
        let mut registry = Registry::default();
        let mut registered = |list: &SourceList| list.entries.iter().map(|e| registry.add(&draft.path, e)).collect();
        let listed = citations.lists.iter().map(&mut registered).collect();
        let strays = strays(&document, &citations);
        let claims = claim::split(&document, &citations);
        let claims = if options.clauses { claim::clauses(&document, &citations, claims) } else { claims };
        let mut read = Read {
            draft: draft.clone(),
            research,
            files: Arc::clone(&files),
            options: options.clone(),
            claims,
            date: date_of(&document),
            document,
            citations,
            registry,
            known,
            listed,
            strays,
            ..Read::default()
        };
        files.iter().for_each(|file| read.add_research(file));
        read.resolve_markers();
        read.name_authors();
        let prose = || Citations { lists: Vec::new(), ..read.citations.clone() };
        let cited: HashSet<&SourceId> = read.resolved.iter().flatten().collect();
        // A text that cites other sources by number or address is one with citations: what it does not cite goes.
        let cites = |(marker, cited): (&Marker, &Vec<SourceId>)| marker.standalone && !cited.is_empty();
        let is_connected = read.has_notes()
            || read.listed.iter().flatten().any(|source| cited.contains(source))
            || read.unresolved.iter().any(|labels| !labels.is_empty())
            || read.citations.markers.iter().zip(&read.resolved).any(cites);
        let lists = read.listed.iter().any(|list| !list.is_empty());
        read.unconnected = (lists && !is_connected).then(prose);
        read.list_without_citations = read.unconnected.is_some();
        read.findings.extend(read.citations.findings.iter().cloned());
        read.anchor();
        read.attribute();
        read
    }

    /// Puts the authors into claims of whose sentence a key is a part: of *As @hede shows, the sluice lifts boats* nothing else says who
    /// shows it.
    fn name_authors(&mut self) {
        for claim in &mut self.claims {
            for id in claim.markers.iter().rev() {
                let marker = self.citations.marker(*id);
                let is_part = marker.form == MarkerForm::Pandoc
                    && self.document.slice(marker.span).starts_with('@')
                    && marker.span.start >= claim.span.start;
                let first = self.resolved[id.0 as usize].first().filter(|_| is_part);
                let mut titles = first.into_iter().flat_map(|first| &self.registry.get(*first).titles);
                let Some(names) = titles.find_map(|title| author_year::names(title)) else { continue };
                // As many words stand before it in the claim as in the document.
                let written = self.document.slice(Span::new(claim.span.start, marker.span.start));
                let before = written.split_whitespace().count();
                let mut words: Vec<&str> = claim.text.split(' ').collect();
                // A sign that stood behind it stands behind the word before it now: *According to @hede, …*.
                let last = before.checked_sub(1).and_then(|at| words.get_mut(at));
                let moved = last.filter(|last| !written.trim_end().ends_with(**last)).map(|last| {
                    let (word, sign) = last.split_at(last.trim_end_matches([',', ';', ':']).len());
                    *last = word;
                    sign
                });
                let names = [names, moved.unwrap_or_default()].concat();
                words.insert(before.min(words.len()), &names);
                claim.text = words.join(" ");
            }
        }
    }

    /// Makes sure that there is something to verify by.
    ///
    /// # Errors
    /// When a research file is broken, or neither the draft nor the files have a source and the draft is no brief of an earlier run that
    /// lost its last one.
    pub(super) fn vet(&self) -> Result<()> {
        self.files.iter().try_for_each(refuse_broken)?;
        if self.has_sources() || self.options.sources_may_be_found {
            return Ok(());
        }
        // Their marks say that there were sources, where the answer was written.
        let lost = self.findings.iter().find(|finding| finding.code == Code::UnresolvableMarker);
        let lost = lost.map(|lost| format!("{}; {EXPORT_AGAIN}", lost.message));
        Err(Error::input(format!("{}: {}", self.draft.path, lost.as_deref().unwrap_or(NO_SOURCE))))
    }

    /// Whether there is a source, or was one before an earlier run.
    fn has_sources(&self) -> bool {
        // A brief that lost its last source has nothing that a second run would ask for.
        let is_done = !self.citations.own_sections.is_empty() && self.citations.markers.is_empty();
        self.cites() || is_done
    }

    /// Whether a research file has findings that could not be read: that no note has a claim proves nothing then.
    pub(super) fn has_unread_notes(&self) -> bool {
        self.files.iter().any(|file| file.unread)
    }

    /// Whether anything in the draft or the research files is a source.
    pub(super) fn cites(&self) -> bool {
        self.registry.iter().next().is_some()
    }

    /// Whether a finding of the research files stands on a source.
    pub(super) fn has_notes(&self) -> bool {
        self.notes.iter().any(|note| !note.sources.is_empty())
    }

    /// Matches claims to the notes of the research files. What cites nothing that means something is anchored to them; what cites something
    /// may be said by others.
    fn anchor(&mut self) {
        let cites = |claim: &Claim| !claim.inherited.is_empty() || !self.cited_by(&claim.markers).is_empty();
        let wants = |claim: &Claim| {
            // What needs no source is anchored only to a note that says the same word for word; see `claim::anchor`.
            let says_something = !matches!(claim.position, ClaimPosition::Heading | ClaimPosition::Figure)
                && !matches!(claim.kind, ClaimKind::Chatter | ClaimKind::Todo | ClaimKind::Heading);
            says_something || !cites(claim) && claim.markers.iter().any(|id| !self.unresolved[id.0 as usize].is_empty())
        };
        let has_notes = self.has_notes();
        let wanting = (0..self.claims.len()).filter(|i| has_notes && wants(&self.claims[*i]));
        let (citing, wanting): (Vec<usize>, Vec<usize>) = wanting.partition(|i| cites(&self.claims[*i]));
        let anchored =
            |of: &[usize]| claim::anchor(&of.iter().map(|i| &self.claims[*i]).collect::<Vec<_>>(), &self.notes);
        let (found, findings) = anchored(&wanting);
        let (said, _) = anchored(&citing);
        let found = wanting.into_iter().zip(found).chain(citing.into_iter().zip(said));
        self.anchors = found.filter_map(|(i, anchoring)| Some((i, anchoring?))).collect();
        self.findings.extend(findings);
    }

    /// The sources that markers cite, each once.
    pub(super) fn cited_by(&self, markers: &[MarkerId]) -> Vec<SourceId> {
        each_once(markers.iter().flat_map(|marker| self.resolved[marker.0 as usize].iter().copied()))
    }

    /// Says for each claim which sources it stands on.
    fn attribute(&mut self) {
        let attribute = |(i, claim): (usize, &Claim)| {
            let said = self.anchors.get(&i).into_iter().flat_map(|anchor| &anchor.sources);
            let said: Vec<SourceId> = said.map(|source| self.registry.resolve(*source)).collect();
            let (cited, inherited) = (self.cited_by(&claim.markers), self.cited_by(&claim.inherited));
            let mut sources = ClaimSources { cited, inherited, ..ClaimSources::default() };
            if sources.stands_on().is_empty() {
                sources.anchored = said;
            } else if !said.iter().any(|source| sources.stands_on().contains(source)) {
                sources.noted = said;
            }
            sources
        };
        self.sources = self.claims.iter().enumerate().map(attribute).collect();
    }

    /// The sources that somebody has a reason to ask, each with the claims that stand on it: all that the draft lists, and those that
    /// notes give, for a claim that cites others, too.
    pub(super) fn wanted(&self) -> BTreeMap<SourceId, Vec<&str>> {
        let noted = self.sources.iter().flat_map(|sources| &sources.noted);
        let others = self.listed.iter().flatten().chain(self.resolved.iter().flatten()).chain(noted);
        let mut wanted: BTreeMap<SourceId, Vec<&str>> = others.map(|source| (*source, Vec::new())).collect();
        for (claim, sources) in self.claims.iter().zip(&self.sources) {
            sources.all().for_each(|source| wanted.entry(source).or_default().push(&claim.text));
        }
        wanted
    }

    /// What a rewriting of the draft needs to know.
    pub(super) fn plan(&self) -> Plan<'_> {
        Plan {
            document: &self.document,
            citations: self.citations_to_write(),
            claims: &self.claims,
            resolved: &self.resolved,
            listed: &self.listed,
            strays: &self.strays,
            style: self.options.style,
            registry: &self.registry,
            research: &self.research,
        }
    }

    /// The citations as the brief is written by them: a list that stays is prose.
    pub(super) fn citations_to_write(&self) -> &Citations {
        self.unconnected.as_ref().unwrap_or(&self.citations)
    }

    /// Where the first list that has an entry begins, and how many entries all of them have.
    pub(super) fn first_list(&self) -> Option<(Span, usize)> {
        let list = self.citations.lists.iter().find(|list| !list.entries.is_empty())?;
        Some((list.heading.unwrap_or(list.span), self.citations.lists.iter().map(|list| list.entries.len()).sum()))
    }

    /// The entries of the draft's lists, each with its list and its source.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&SourceList, &Entry, SourceId)> + Clone {
        let lists = self.citations.lists.iter().zip(&self.listed);
        lists.flat_map(move |(list, ids)| list.entries.iter().zip(ids).map(move |(entry, id)| (list, entry, *id)))
    }

    /// What the entries of the draft's lists say beside title and address, by source.
    pub(super) fn entry_notes(&self) -> HashMap<SourceId, Vec<String>> {
        let mut notes: HashMap<SourceId, Vec<String>> = HashMap::new();
        for (_, entry, id) in self.entries() {
            notes.entry(id).or_default().extend(entry.note.clone());
        }
        notes
    }

    /// When an author looked at a source: by its entry, the files that list it, or else the newest file that says when.
    pub(super) fn accessed(&self, source: &Source) -> Option<jiff::civil::Date> {
        let research = || self.files.iter().filter(|file| file.path != self.draft.path);
        let lists = |file: &&ResearchFile| source.origins.iter().any(|origin| origin.file == file.path);
        let listed = || research().filter(lists).filter_map(|file| file.date).max();
        let newest = || research().filter_map(|file| file.date).max();
        source.accessed.or_else(listed).or_else(newest).or(self.date)
    }

    /// The addresses of a source. A copy in an archive, as `held` is one, says nothing of the page itself, unless the author cited only the copy.
    pub(super) fn own_addresses(&self, source: SourceId, held: Option<&ArchiveCopy>) -> Vec<&String> {
        let source = self.registry.get(source);
        let is_copy = |address: &String| is_archived(address) || held.is_some_and(|copy| copy.url == *address);
        let known: Vec<&String> = source.address.iter().chain(&source.aliases).collect();
        let originals: Vec<&String> = known.iter().copied().filter(|address| !is_copy(address)).collect();
        if originals.is_empty() { known } else { originals }
    }

    /// The archived copies that entries of the draft show as an earlier run wrote them, by source.
    pub(super) fn known_copies(&self) -> HashMap<SourceId, ArchiveCopy> {
        let shown = self.entries().filter(|(_, entry, _)| shows_copy(self.document.slice(entry.span)));
        let copy = |(_, entry, id): (_, &Entry, SourceId)| {
            let (original, others) = entry.addresses.split_first()?;
            let copy = others.iter().find_map(|address| {
                let (of, stamp) = copy_of(&Url::parse(address).ok()?)?;
                let taken = instant(&stamp).filter(|_| key_of(of.as_str()) == key_of(original))?;
                Some(ArchiveCopy { url: address.clone(), taken, original: original.clone() })
            });
            Some((id, copy?))
        };
        shown.filter_map(copy).collect()
    }

    fn add_research(&mut self, file: &ResearchFile) {
        let ids: Vec<SourceId> = file.entries.iter().map(|entry| self.registry.add(&file.path, entry)).collect();
        self.findings.extend(file.findings.iter().map(|finding| finding.clone().in_file(&file.path)));
        self.ratings.extend(file.ratings.iter().cloned().map(|(entry, of, rating)| (ids[entry], of, rating)));
        for mut note in file.notes.iter().cloned() {
            note.sources = note.entries.iter().filter_map(|entry| ids.get(*entry).copied()).collect();
            note.file.clone_from(&file.path);
            // *[INFERRED] …* says how sure the notes are of it.
            if note.label.is_some() {
                let rating = Rating { confidence: note.label.clone(), ..Rating::default() };
                self.ratings.extend(note.sources.iter().map(|source| (*source, note.text.clone(), rating.clone())));
            }
            self.notes.push(note);
        }
        self.noted.push(ids);
    }

    fn resolve_markers(&mut self) {
        for marker in &self.citations.markers {
            let mut sources = Vec::new();
            let mut unresolved = Vec::new();
            for target in &marker.targets {
                match target {
                    Target::Entry(EntryId { list, entry }) => {
                        let (list, entry) = (*list as usize, *entry as usize);
                        sources.push(self.listed[list][entry]);
                        // *IEA, https://…; GWEC, https://…*: an entry of two works cites both.
                        let also = &self.citations.lists[list].entries[entry].also;
                        sources.extend(also.iter().filter_map(|address| self.registry.by_own_address(address)));
                    }
                    Target::Address(address) => {
                        let title = link_title(&self.document, marker, address);
                        sources.push(self.registry.add_address(&self.draft.path, address, title));
                    }
                    Target::Label(label) => match by_key(&self.registry, &self.research, label) {
                        Some(source) => sources.push(source),
                        None => unresolved.push(label.clone()),
                    },
                }
            }
            self.resolved.push(each_once(sources));
            self.unresolved.push(unresolved);
        }
    }

    /// Whether a draft without a known citation has something that may be meant for one: `(1)`, `[1]`, `(Smith, 2020)`, `[Smi]`, `so.¹`.
    pub(super) fn looks_cited(&self) -> bool {
        /// Of so many entries one at least would be cited by a form that is not known.
        const FEWEST_CITED: usize = 4;
        static SIGNS: Pattern = Pattern::new(
            r"[(\[]\d{1,3}(?:[,–-] ?\d{1,3})*[)\]]|\(\p{Lu}[^()]{1,80}\b(?:19|20)\d\d[a-z]?\)|\[\p{L}[\p{L}\d+:_-]{0,20}\]|[.,\p{L}][⁰¹²³⁴-⁹]|[①-⑳]",
        );
        // One bracket in a long report is a remark; a text that cites has many.
        let entries: usize = self.listed.iter().map(Vec::len).sum();
        let signs = self.claims.iter().filter(|claim| SIGNS.is_match(&claim.text)).take(entries).count();
        self.list_without_citations && self.citations.markers.is_empty() && signs > 0 && signs * FEWEST_CITED >= entries
    }

    /// The labels in the markers of a claim that mean nothing, as they are written.
    pub(super) fn unresolved_of(&self, claim: &Claim) -> Vec<String> {
        let of = |id: &MarkerId| {
            let (marker, labels) = (self.citations.marker(*id), &self.unresolved[id.0 as usize]);
            let written = self.document.slice(marker.span);
            // Of a product's own reference without brackets around it nobody knows the number: it is named whole.
            let is_whole = marker.form == MarkerForm::Product && !written.starts_with(['[', '【', '(', '（']);
            if is_whole && !labels.is_empty() { vec![written.to_owned()] } else { pandoc::labels_in(written, labels) }
        };
        claim.markers.iter().flat_map(of).collect()
    }

    /// Replaces every number of a source by the one it was merged into.
    pub(super) fn settle_merges(&mut self) {
        let registry = &self.registry;
        let settle = |sources: &mut Vec<SourceId>| {
            *sources = each_once(sources.iter().map(|source| registry.resolve(*source)));
        };
        self.resolved.iter_mut().for_each(settle);
        self.notes.iter_mut().for_each(|note| settle(&mut note.sources));
        let entries = self.listed.iter_mut().chain(&mut self.noted).flatten();
        let rated = self.ratings.iter_mut().map(|(source, ..)| source);
        entries.chain(rated).for_each(|source| *source = registry.resolve(*source));
        self.attribute();
    }
}

/// The source that research files give a named label. A key of a bibliography is a name by design, unlike a number, which
/// means something in its own file only; where two files mean different sources by it, it means nothing.
pub(super) fn by_key(registry: &Registry, research: &[Input], label: &Label) -> Option<SourceId> {
    let Label::Name(_) = label else { return None };
    let mut found = research.iter().filter_map(|file| registry.by_label(&file.path, label));
    let first = found.next()?;
    found.all(|other| other == first).then_some(first)
}

/// The words of a link that is a citation by its address, when they are a title and not a number.
fn link_title(document: &Document, marker: &Marker, address: &str) -> Option<String> {
    let link = document.links_in(marker.span).iter().find(|link| link.address == address);
    let link = link.unwrap_or(document.link(marker.link?));
    let text = document.slice(link.text).trim_matches(['[', ']', '*', '_']).trim();
    let title = text.strip_prefix("citation:").unwrap_or(text).trim();
    // ChatGPT names the host behind a sign of its own: *oai_citation:0‡example.org*.
    let title =
        title.strip_prefix("oai_citation").and_then(|title| title.split_once('‡')).map_or(title, |(_, host)| host);
    let is_title = title.chars().any(char::is_alphabetic) && !title.contains("://");
    is_title.then(|| named_host(title, address).unwrap_or_else(|| title.to_owned()))
}
