//! Third stage: what each source says about each claim that stands on it, and what becomes of the claim.

mod judging;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::ask::Asked;
use super::options::{FOUND, Options};
use super::read::{ClaimSources, Read};
use cited_core::citation::{MarkerId, bare_address, each_once};
use cited_core::claim::{self, Claim, ClaimKind, ClaimPosition, kind_of};
use cited_core::decide::policy::{Case, Standpoint};
use cited_core::decide::review::{Binder, Binding, Choice};
use cited_core::decide::{self, Action, Decision, Note, Rewrite, UNVERIFIED};
use cited_core::finding::{Code, Finding};
use cited_core::markdown::{BlockId, InlineKind};
use cited_core::outcome::Fate;
use cited_core::page::Page;
use cited_core::pattern::Pattern;
use cited_core::shares;
use cited_core::source::research::Rating;
use cited_core::source::{Source, SourceId};
use cited_core::verdict::Verdict;
use cited_judge::conflict::Conflict;
use cited_judge::outside::Tally;
use cited_judge::retracted::{Retraction, retraction, speaks_of_it};
use cited_judge::{ClaimText, SourceText, artifact, certainty};
use cited_report::record::Around;
use cited_text::quantity::Habit;
use cited_text::words::words;
use cited_works::{Look, NoteKind, Outcome as Existence};

/// Pairs of claims and pages that are judged; where there are more, the list stays unconnected.
const MOST_JUDGED: usize = 40_000;

/// The part of the shorter one's words that a claim and a finding of the notes share when they say the same.
const SAME: f64 = 0.5;

/// A claim, by its position, and a source that it is held against.
type Pair = (usize, SourceId);

/// Whether a claim is to be judged by a source of its own, where not all are: what nobody judged yet, in the reading of a brief.
type IsNew<'a> = dyn Fn(&Claim, &Source) -> bool + 'a;

/// What was asked, judged: what the pages say of the claims, and what becomes of each.
#[derive(Default)]
pub(super) struct Judged {
    pub(super) asked: Asked,
    /// How the draft writes decimals.
    habit: Option<Habit>,
    pub(super) verdicts: BTreeMap<Pair, Verdict>,
    /// What passages hang on, on their pages.
    pub(super) around: HashMap<Pair, Vec<Around>>,
    /// For claims whose own sources do not say it, by position, a listed one that does.
    better: HashMap<usize, SourceId>,
    pub(super) decisions: Vec<Decision>,
    conflicts: Vec<(usize, usize, Conflict)>,
    /// The sources that say of themselves that they were retracted or withdrawn.
    pub(super) retracted: HashMap<SourceId, Retraction>,
    /// What decisions of reviewers on each claim are bound to.
    pub(super) bindings: Vec<Binding>,
    /// The last rewriting of the draft by these decisions.
    pub(super) rewrite: Rewrite,
}

impl Judged {
    /// Nothing is judged yet.
    fn new(asked: Asked) -> Judged {
        let read = &asked.read;
        let own = || Habit::detect_in(&read.citations.held().outside(read.document.text()));
        let habit = read.options.support.then(own);
        Judged { asked, habit, ..Judged::default() }
    }

    /// The conflicts between claims that both stay.
    pub(super) fn standing_conflicts(&self) -> impl Iterator<Item = (usize, usize, &Conflict)> {
        let stands = |i: &usize| !self.decisions[*i].action.removes();
        self.conflicts.iter().filter(move |(a, b, _)| stands(a) && stands(b)).map(|(a, b, conflict)| (*a, *b, conflict))
    }

    /// With which others that stay a claim disagrees, when it stays itself, and what may explain it.
    pub(super) fn disagreements(&self, i: usize) -> impl Iterator<Item = String> {
        self.standing_conflicts().filter(move |(a, b, _)| *a == i || *b == i).map(move |(a, b, conflict)| {
            let other = &self.asked.read.claims[if a == i { b } else { a }];
            format!("disagrees with “{}”: {}", other.text, conflict.difference)
        })
    }
}

/// Judges every claim by the pages that bear on it, or only what `is_new`, and decides what becomes of it.
pub(super) fn judge(asked: Asked, is_new: Option<&IsNew<'_>>) -> Judged {
    let mut judged = Judged::new(asked);
    let read = &judged.asked.read;
    if read.options.support {
        let own = read.sources.iter().enumerate().flat_map(|(i, sources)| sources.all().map(move |source| (i, source)));
        let is_asked =
            |(i, source): &Pair| is_new.is_none_or(|is_new| is_new(&read.claims[*i], read.registry.get(*source)));
        let own = own.filter(is_asked).collect();
        judged.judge(own, &|_, _| true);
        judged.hold_against_each_other();
        judged.find_better();
        if is_new.is_none() {
            judged.conflicts = judged.find_conflicts();
        }
    }
    // A run in which the judge that was asked for failed too often was not judged.
    let tally = judged.asked.read.options.judge.as_ref().map(|panel| panel.tally()).filter(Tally::is_failed);
    let failed = tally
        .map(|tally| format!("the judge gave no usable answer to {} of {} questions", tally.failures, tally.questions));
    judged.asked.blocked = judged.asked.blocked.take().or(failed);
    let read = &judged.asked.read;
    let threads = shares::threads_for(read.document.text().len());
    let mut decisions = shares::run_each(read.claims.len(), threads, |i| judged.decide(i));
    decide::protect(&read.document, &read.claims, &mut decisions);
    judged.hand_on(&mut decisions);
    if read.unconnected.is_some() {
        let entries = read.citations.lists.iter().flat_map(|list| &list.entries);
        let entries = entries.map(|entry| entry.span).collect();
        decide::protect_entries(&read.document, &read.claims, &entries, &mut decisions);
        // A number would point at nothing: the list stays without any.
        for decision in decisions.iter_mut().filter(|decision| decision.action == Action::Cite) {
            (decision.action, decision.sources) = (Action::Keep, Vec::new());
        }
    }
    let bindings = judged.apply_reviews(is_new.is_none(), &mut decisions);
    let retracted = retracted(&judged.asked);
    note(read, &retracted, &mut decisions);
    Judged { decisions, retracted, bindings, ..judged }
}

/// Gives each claim of a draft that lists sources and cites none of them the listed source whose page says it. Where every entry is the source
/// of a claim, the draft is one with citations from here on; otherwise the list stays as it is, and no number is written beside it.
pub(super) fn connect(mut asked: Asked) -> Asked {
    let read = &mut asked.read;
    let listed: BTreeSet<SourceId> = read.listed.iter().flatten().copied().collect();
    let is_judged = read.unconnected.is_some() && read.options.support;
    if !is_judged || listed.len() * read.claims.len() > MOST_JUDGED || read.looks_cited() {
        return asked;
    }
    // The rules alone say which pages connect.
    let judge = read.options.judge.take();
    let wants = |i: &usize| {
        let claim = &read.claims[*i];
        claim.kind.is_factual() && claim.position != ClaimPosition::Figure && read.sources[*i].cited.is_empty()
    };
    let wanting: Vec<usize> = (0..read.claims.len()).filter(wants).collect();
    let mut judged = Judged::new(asked);
    let pairs = wanting.iter().flat_map(|i| listed.iter().map(|source| (*i, *source)));
    judged.judge(pairs.collect(), &|_, _| true);
    for i in wanting {
        let said = listed.iter().copied().filter(|source| judged.supports(i, *source)).collect();
        judged.asked.read.sources[i].anchored = said;
    }
    let mut asked = judged.asked;
    let read = &mut asked.read;
    read.options.judge = judge;
    if listed.iter().all(|source| read.sources.iter().any(|sources| sources.anchored.contains(source))) {
        read.unconnected = None;
    }
    asked
}

impl Judged {
    /// What a source is and says, with its verdict on a claim. Of one that an archive stands in for the address is that of the copy.
    fn standpoint(&self, i: usize, source: SourceId) -> Standpoint<'_> {
        let answer = self.asked.answer(source);
        let known = self.asked.read.registry.get(source);
        // Every index that covers its work answered, and none has it.
        let is_unfound = |look: &Look| look.outcome == Existence::NotFound && look.is_warning();
        let unfound = answer.outcome.is_unknown() && self.asked.works.chosen.get(&source).is_some_and(is_unfound);
        Standpoint {
            source,
            address: answer.archive.as_ref().map_or(known.named(), |copy| &copy.url),
            outcome: answer.outcome,
            word: if unfound { "not found" } else { answer.in_words() },
            why: if unfound { "no index that covers it has the work, which proves nothing" } else { &answer.reason },
            unfound,
            whole: answer.page.as_ref().is_some_and(Page::is_whole),
            may_say_more: answer.may_say_more,
            verdict: self.verdicts.get(&(i, source)),
        }
    }

    /// What becomes of a claim by itself.
    fn decide(&self, i: usize) -> Decision {
        let read = &self.asked.read;
        let (claim, sources, anchoring) = (&read.claims[i], &read.sources[i], read.anchors.get(&i));
        let all = |sources: &[SourceId]| sources.iter().map(|source| self.standpoint(i, *source)).collect::<Vec<_>>();
        let no_citation = sources.cited.is_empty();
        let marked = claim.text.contains(UNVERIFIED);
        // What the claim names or links to itself matters only where no citation speaks for it.
        let unresolved = read.unresolved_of(claim);
        let elsewhere = !sources.inherited.is_empty() && unresolved.is_empty() && !marked;
        let alone = no_citation && sources.anchored.is_empty() && !elsewhere;
        // Notes have other parts of it than these.
        let unanchored = anchoring.filter(|_| !sources.anchored.is_empty()).map(|anchoring| anchoring.lacking.clone());
        // Why it has no source of the notes that may say it.
        let is_ambiguous =
            |finding: &Finding| finding.code == Code::AmbiguousCitation && finding.span == Some(claim.span);
        let unchosen = if read.findings.iter().any(is_ambiguous) {
            Some(Note::Other("several notes of the research files fit it equally well".to_owned()))
        } else {
            let near = anchoring.filter(|anchoring| anchoring.sources.is_empty());
            near.map(|anchoring| Note::near(&read.notes[anchoring.note].text))
        };
        // A cited claim says that its subject was checked, and none of the pages that it cites has such a word.
        let unrecorded = || {
            let mut pages = sources.cited.iter().filter_map(|source| self.asked.answer(*source).page.as_ref());
            let records = |page: &Page| certainty::certainty_word(&page.text).is_some();
            certainty::checked_word(&claim.text).filter(|_| !pages.any(records))
        };
        let case = Case {
            cited: all(&sources.cited),
            anchored: all(&sources.anchored),
            unanchored: unanchored.unwrap_or_default(),
            inherited: all(&sources.inherited),
            unresolved,
            miscited: self.better.get(&i).map(|source| self.standpoint(i, *source)),
            artifact: alone.then(|| self.artifact(claim)).flatten(),
            not_held: (alone && claim.kind.is_factual()).then(|| self.not_held(claim)).flatten(),
            dead_clause: self.dead_clause(i),
            has_notes: !read.has_unread_notes()
                && read.notes.iter().any(|note| !note.sources.is_empty() && note.file != FOUND),
            unchosen,
            marked,
            fake_certainty: match claim.kind {
                ClaimKind::Certainty if alone => certainty::certainty_word(&claim.text),
                ClaimKind::Certainty if !no_citation => unrecorded(),
                _ => None,
            },
            no_provenance: claim.position == ClaimPosition::Figure && self.lacks_provenance(i),
        };
        decide::policy::decide(claim, case, read.options.policy)
    }

    /// What stands on the citation of another claim, at the end of its paragraph, row or table, keeps it when that claim goes or loses
    /// it: a citation on a line or in a cell of its own stays there, in the place of another one each that stands on it is cited itself.
    fn hand_on(&self, decisions: &mut [Decision]) {
        let read = &self.asked.read;
        let mut heirs: HashMap<MarkerId, Vec<usize>> = HashMap::new();
        for (i, claim) in read.claims.iter().enumerate() {
            if claim.kind.must_have_source() && decisions[i].action == Action::Keep {
                claim.inherited.iter().for_each(|marker| heirs.entry(*marker).or_default().push(i));
            }
        }
        let row =
            |claim: &Claim| read.document.block(claim.block).parent.filter(|_| claim.position == ClaimPosition::Cell);
        for (at, owner) in read.claims.iter().enumerate() {
            let loses = !matches!(decisions[at].action, Action::Keep | Action::Cite | Action::Recite);
            if !loses || !decisions[at].sources.is_empty() {
                continue;
            }
            for marker in &owner.markers {
                let apart = read.citations.marker(*marker).block != owner.block;
                for &i in heirs.get(marker).into_iter().flatten() {
                    let heir = &read.claims[i];
                    let beside = heir.block == owner.block || row(owner).is_some_and(|own| row(heir) == Some(own));
                    let cited = read.resolved[marker.0 as usize].iter().filter(|_| apart || beside);
                    let standpoints: Vec<_> = cited.map(|source| self.standpoint(i, *source)).collect();
                    let sources = decide::policy::holding(&standpoints);
                    if !sources.is_empty() && !apart {
                        decisions[i].action = Action::Cite;
                    }
                    let kept = &mut decisions[if apart { at } else { i }].sources;
                    *kept = each_once(kept.iter().copied().chain(sources));
                }
            }
        }
    }

    /// The sources of the first clause with citations of its own that only dead ones back, where others of the sentence are backed by more.
    fn dead_clause(&self, i: usize) -> Vec<Standpoint<'_>> {
        let read = &self.asked.read;
        let is_gone = |source: &SourceId| self.asked.is_gone(*source);
        let cited = &read.sources[i].cited;
        if !cited.iter().any(is_gone) || cited.iter().all(is_gone) {
            return Vec::new();
        }
        let clauses = claim::markers_by_clause(&read.document, &read.citations, &read.claims[i]);
        let mut cited = clauses.iter().map(|markers| read.cited_by(markers));
        let dead = cited.find(|sources| !sources.is_empty() && sources.iter().all(is_gone));
        dead.into_iter().flatten().map(|source| self.standpoint(i, source)).collect()
    }

    /// Whether a figure that stands alone says nothing of its data: its caption calls it an illustration, or it is a file
    /// beside the draft that no research file names. A picture from the web has its own address.
    ///
    /// A citation that is there speaks for it, but not for data that it says were made up, unless the source has them.
    fn lacks_provenance(&self, i: usize) -> bool {
        /// An address of a photograph, by the format that cameras write.
        static PHOTOGRAPH: Pattern = Pattern::new(r"(?i)^[^?#]*\.(?:jpe?g|heic)(?:[?#]|$)");
        let read = &self.asked.read;
        let (document, claim) = (&read.document, &read.claims[i]);
        let alone = document.inlines(claim.block).iter().all(|inline| {
            matches!(inline.kind, InlineKind::Image(_) | InlineKind::SoftBreak | InlineKind::HardBreak)
                || claim.span.contains(inline.span)
        });
        if !alone || claim.text.is_empty() {
            return false;
        }
        let caption = read.claims.get(i + 1).filter(|next| next.captions && next.position != ClaimPosition::Figure);
        let is_said = |says: fn(&str) -> bool| says(&claim.text) || caption.is_some_and(|caption| says(&caption.text));
        if is_said(artifact::is_made_up) {
            let markers = caption.into_iter().flat_map(|caption| &caption.markers);
            let mut sources = markers.flat_map(|marker| &read.resolved[marker.0 as usize]);
            return !sources.any(|source| self.supports(i + 1, *source));
        }
        if read.sources[i].inherited.iter().any(|source| !self.asked.is_gone(*source)) {
            return false;
        }
        // A logo, a photograph, a screenshot shows no data that anybody measured.
        let images = document.links_in(claim.span);
        let shows_data = is_said(claim::calls_it_a_chart)
            || caption.is_some() && !images.iter().all(|link| PHOTOGRAPH.is_match(&link.address));
        // It, or the line behind it or its caption, may say where it is from: *Source: World Bank*. What stands behind another figure is of that one.
        let behind = document.neighbours(claim.block).1;
        let captioned = read.claims.iter().any(|claim| claim.captions && behind.first() == Some(&claim.block));
        let beside = std::iter::once(&claim.block).chain(behind.iter().take(if captioned { 2 } else { 1 }));
        let names_source = |block: &BlockId| {
            let written = document.slice(document.content_span(*block)).replace(['*', '_'], "");
            document.block(*block).is_leaf() && claim::names_its_source(&written)
        };
        let is_unnamed = |address: &String| !read.notes.iter().any(|note| note.text.contains(address));
        let mut local = images.iter().filter(|link| link.image && !link.address.contains("://"));
        shows_data && !beside.into_iter().any(names_source) && local.any(|image| is_unnamed(&image.address))
    }

    /// That the claim names a file which holds its value, else, of a statement of fact, one that could not be read.
    fn artifact(&self, claim: &Claim) -> Option<String> {
        let mut unread = None;
        for path in artifact::named_files(&claim.text) {
            match (self.asked.read.options.artifact)(&path) {
                Some(Ok(text)) if artifact::file_carries(&claim.text, &path, &text) => {
                    return Some(format!("stands on the file {path}"));
                }
                Some(Err(why)) => {
                    unread.get_or_insert_with(|| format!("the file {path} could not be read: {why}"));
                }
                _ => {}
            }
        }
        unread.filter(|_| claim.kind.is_factual())
    }

    /// What names a source of a claim that cites none: a link of its own to a page that is not known to be dead, or a citation that nothing
    /// explains.
    fn not_held(&self, claim: &Claim) -> Option<&'static str> {
        let document = &self.asked.read.document;
        let citations = &self.asked.read.citations;
        if citations.unexplained.iter().any(|span| claim.span.contains(*span)) {
            return Some("its citation is not understood, or names a work that no list and no research file has");
        }
        // Of what nobody asked nothing is known.
        let link = |address: &str| self.asked.links.get(address);
        let lives = |address: &str| link(address).is_some_and(|link| !link.outcome.is_proven_dead());
        let bare = || bare_address::bare_in(document, claim.span).into_iter();
        let is_linked = document.links_in(claim.span).iter().any(|link| !link.image && lives(&link.address))
            || bare().any(|(_, address)| lives(&address));
        is_linked.then_some("a link is part of it, and no citation: what it leads to was not held against it")
    }

    /// Applies the decisions of reviewers. Gives what each claim is bound to. `strictly`: only on the evidence that was reviewed; in the reading of
    /// a brief, whose citations are others, the words of a claim are enough.
    fn apply_reviews(&self, strictly: bool, decisions: &mut [Decision]) -> Vec<Binding> {
        let read = &self.asked.read;
        let review = &read.options.review;
        let mut binder = Binder::default();
        let claims = read.claims.iter().zip(&read.sources).zip(decisions).enumerate();
        let apply = |(i, ((claim, sources), decision)): (usize, ((&Claim, &ClaimSources), &mut Decision))| {
            // What a source was and said of it: its address, outcome, verdict, and the words or the text that this rests on.
            let witnesses = sources.all().map(|source| {
                let (answer, verdict) = (self.asked.answer(source), self.verdicts.get(&(i, source)));
                let passage = verdict.and_then(|verdict| verdict.passage.as_ref()).map(|passage| passage.text.as_str());
                let whole = || answer.page.as_ref().map(|page| page.text_sha256.as_str());
                let address = read.registry.get(source).address.as_deref().unwrap_or_default();
                let standing = verdict.map_or("", |verdict| verdict.standing.as_str());
                [address, answer.outcome.as_str(), standing, passage.or_else(whole).unwrap_or_default()]
            });
            let binding = binder.bind(&claim.text_in_context(), witnesses);
            // What carries the mark already is marked.
            let marked = claim.text.contains(UNVERIFIED);
            let decided = review.on(&binding, strictly);
            if let Some(decided) = decided.filter(|decided| decided.reviewed.decision != Choice::Mark || !marked) {
                let given: Vec<SourceId> = sources.cited.iter().chain(&sources.anchored).copied().collect();
                decided.apply(&given, decision);
            }
            binding
        };
        claims.map(apply).collect()
    }
}

/// The sources that were retracted or withdrawn, by their own word or that of an index of works.
fn retracted(asked: &Asked) -> HashMap<SourceId, Retraction> {
    let readable = asked.answers.iter().filter(|(_, answer)| answer.outcome.is_readable() && !answer.is_off_topic());
    let pages = readable.filter_map(|(id, answer)| Some((*id, answer.page.as_ref()?)));
    let own = pages.filter_map(|(id, page)| Some((id, retraction(page, &asked.read.registry.get(id).titles)?)));
    // What the page says itself counts first.
    let of_index = |look| notices(look).find(|notice| notice.fate != Fate::Corrected);
    asked.works.chosen.iter().filter_map(|(id, look)| Some((*id, of_index(look)?))).chain(own).collect()
}

/// What indexes say became of a work.
pub(super) fn notices(look: &Look) -> impl Iterator<Item = Retraction> {
    look.notes.iter().filter_map(|note| {
        let NoteKind::Fate(fate) = note.code else { return None };
        let notice = note.notice.as_ref().map(|doi| format!("https://doi.org/{doi}"));
        let words = [note.words.clone(), note.date.clone(), notice].into_iter().flatten().collect::<Vec<_>>();
        Some(Retraction { fate, words: words.join(", "), by: note.by.clone() })
    })
}

/// Whether the author says so already, in the entry.
pub(super) fn is_told(read: &Read, source: SourceId) -> bool {
    read.registry.get(source).titles.iter().any(|title| speaks_of_it(title))
}

impl Read {
    /// What the research notes say of a source for a claim: of the finding of it that is most like the claim, else of the source.
    pub(super) fn rating_for(&self, source: SourceId, claim: &str) -> Option<&Rating> {
        let keys = |text: &str| words(text).map(|word| word.key).collect::<Vec<u64>>();
        let share = |finding: &str| {
            let (own, claimed) = (keys(finding), keys(claim));
            let shared = own.iter().filter(|key| claimed.contains(key)).count();
            shared as f64 / own.len().min(claimed.len()).max(1) as f64
        };
        let said = || self.ratings.iter().filter(|(id, ..)| *id == source);
        let alike = said().filter(|(_, finding, _)| !finding.is_empty());
        let alike = alike.map(|(_, finding, rating)| (share(finding), rating));
        let best = alike.filter(|(share, _)| *share >= SAME).max_by(|a, b| a.0.total_cmp(&b.0));
        let whole = || said().find(|(_, finding, _)| finding.is_empty()).map(|(.., rating)| rating);
        best.map(|(_, rating)| rating).or_else(whole)
    }
}

/// Notes what is known of the sources of the claims that stay.
fn note(read: &Read, retracted: &HashMap<SourceId, Retraction>, decisions: &mut [Decision]) {
    let untold: HashSet<SourceId> = retracted.keys().copied().filter(|source| !is_told(read, *source)).collect();
    if untold.is_empty() && read.ratings.is_empty() {
        return;
    }
    let staying = read.claims.iter().zip(&read.sources).zip(decisions);
    for ((claim, stands_on), decision) in staying.filter(|(_, decision)| !decision.action.removes()) {
        let own = &decision.sources;
        let sources: Vec<SourceId> = if own.is_empty() { stands_on.inherited.clone() } else { own.clone() };
        for source in sources.iter().filter(|source| untold.contains(source) && !speaks_of_it(&claim.text)) {
            let address = read.registry.get(*source).named().to_owned();
            let fate = retracted[source].fate;
            decision.note_once(Note::Told(None, format!("the source is {fate}: {address}")));
        }
        // A finding that nobody read is no worse for what was found on its page; but who reads the brief has to know.
        let doubts = sources.iter().filter_map(|source| read.rating_for(*source, &claim.text)?.doubt());
        if let Some(doubt) = doubts.min().filter(|_| claim.kind.is_factual()) {
            let told = format!("the research files call it {}", doubt.trim_matches(['[', ']']));
            decision.note_once(Note::Told(Some(Code::Noted), told));
        }
    }
}

/// What a page says about a claim, by the rules, then the judge of `options`.
///
/// ```
/// use cited::{Options, Standing, judge_claim, read_page};
/// let page = read_page("<p>The ferry line runs 12 electric ferries.</p>", "fleet.html").unwrap();
/// let of = |claim| judge_claim(claim, &page, &Options::default());
/// assert_eq!(of("The line runs 12 electric ferries.").standing, Standing::Supported);
/// // A number that the page has otherwise removes a claim; so does no other check that is not exact.
/// let verdict = of("The ferry line runs 21 electric ferries.");
/// assert!(verdict.hard && verdict.standing == Standing::Contradicted);
/// assert_eq!(verdict.passage.unwrap().text, "The ferry line runs 12 electric ferries.");
/// ```
pub fn judge_claim(claim: &str, page: &Page, options: &Options) -> Verdict {
    judge_prepared(claim, &SourceText::of_page(page), options)
}

/// The same with a page that was made ready.
pub fn judge_prepared(claim: &str, source: &SourceText<'_>, options: &Options) -> Verdict {
    let verdict = cited_judge::judge(&ClaimText::new(claim, kind_of(claim)), source, &options.judging);
    options.revise(claim, verdict, source)
}
