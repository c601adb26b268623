//! The promises, asserted on one run: shared by the property tests and the fuzz targets.
//!
//! What is asserted is worked out from the draft and the script of the fetcher, not taken from what the run says of itself.

#[path = "proof.rs"]
mod proof;
#[path = "scripted.rs"]
mod scripted;
#[path = "untouched.rs"]
mod untouched;
#[path = "withheld.rs"]
mod withheld;

use cited::citation::{self, Citations, KnownLabels, Target};
use cited::claim::{self, Claim, ClaimKind, ClaimPosition, is_imperative};
use cited::decide::{Action, CitationForm, Policy, apply, check};
use cited::fetch::{Fetcher, Fetching, Outcome, Request};
use cited::finding::Code;
use cited::markdown::Document;
use cited::pipeline::{Input, Options, Run};
use cited::render::record::SourceRecord;
use cited::source::key_of;
use cited::source::research::read_research;
#[allow(unused_imports)] // The fuzz targets need less.
pub use scripted::{Facts, answer, options, run};

/// What is there to be asked: what an address answers, and what the page at it says.
pub trait Web: Fetcher {
    /// The outcome of one address.
    fn outcome_of(&self, address: &str) -> Outcome;

    /// The text of the page there, and whether that is all of it.
    fn page_of(&self, _address: &str) -> Option<(String, bool)> {
        None
    }
}

/// What the hosts `s1.example`, `s2.example`, … answer. All others are live.
#[derive(Clone)]
pub struct Script(pub Vec<Outcome>);

impl std::fmt::Debug for Script {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Script({:?})", self.0)
    }
}

impl Script {
    /// The number of a source, by its host: that of `https://s1.example/a` is 1.
    pub fn number(address: &str) -> Option<usize> {
        let rest = address.split_once("://").map_or(address, |(_, rest)| rest).to_ascii_lowercase();
        let host = rest.split(['/', '?', '#', ':']).next().unwrap_or_default();
        let number = host.strip_suffix(".example").and_then(|host| host.rsplit('.').next()?.strip_prefix('s'));
        number.and_then(|number| number.parse().ok())
    }
}

impl Web for Script {
    fn outcome_of(&self, address: &str) -> Outcome {
        let at = Script::number(address).and_then(|number| number.checked_sub(1));
        at.and_then(|at| self.0.get(at)).copied().unwrap_or(Outcome::Live)
    }
}

impl Fetcher for Script {
    fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a> {
        let fetched = scripted::answer(request, |address| self.outcome_of(address));
        Box::pin(async move { fetched })
    }
}

/// How the complaint about a draft begins of which no brief is given.
pub const REFUSED: &str = "refused: ";

/// Runs `text` and its brief, and says which promise is broken, if one is.
pub fn hold(text: &str, research: &[Input], script: &impl Web, options: &Options) -> Result<(), String> {
    let first = match scripted::run(text, research, script, options) {
        Ok(run) => run,
        Err(error) if error.is_defect() => return Err(format!("{REFUSED}{error}\n--- draft\n{text}")),
        Err(_) => return Ok(()),
    };
    let brief = &first.brief;
    let fault = |what: &str| Err(format!("{what}\n--- draft\n{text}\n--- brief\n{brief}"));
    if apply(text, &[]).as_deref() != Ok(text) {
        return fault("no edits, and the text changes");
    }
    if apply(text, &first.record.edits).as_deref() != Ok(&**brief) {
        return fault("the edits do not make the brief");
    }
    let mut known = KnownLabels::default();
    research.iter().for_each(|input| known.add_file(&read_research(&input.path, &input.text).entries, ""));
    let before = Document::read(text);
    let citations_before = read_as_runs_do(&before, &known);
    let after = Document::read(brief.clone());
    let citations_after = read_as_runs_do(&after, &KnownLabels::default());
    let links_count = CitationForm::choose(&citations_before, options.style) == CitationForm::Kept;
    // A list that nothing cites stays as it is, unless its pages connect it with the text. What stands in a fence that is closed is code.
    let are_among = |some: &[&str], all: &[&str]| some.iter().all(|entry| all.contains(entry));
    let stays = research.is_empty()
        && withheld::nothing_is_cited(&citations_before)
        && are_among(&withheld::entries(&after, &citations_after), &withheld::entries(&before, &citations_before))
        && citations_after.markers.iter().all(|marker| !marker.standalone);
    let kept = first.record.findings.iter().any(|finding| finding.code == Code::NumbersKept);
    if !first.record.edits.is_empty()
        && !stays
        && let Err(error) = check::numbers(&after, &citations_after, links_count, kept, &|_| None)
    {
        return fault(&error.message);
    }
    let claims = claim::split(&before, &citations_before);
    let claims = if options.clauses { claim::clauses(&before, &citations_before, claims) } else { claims };
    if claims.len() != first.record.verifications.len() {
        return fault(&format!("{} claims, and {} of them recorded", claims.len(), first.record.verifications.len()));
    }
    // What is asserted here is the brief that `--force` writes: it keeps the promises, whether it is written or not.
    if let Err(error) = withheld::hold(&first, &claims, &citations_before, &citations_after) {
        return fault(&error);
    }
    if let Err(error) = untouched::hold(&first, (&before, &citations_before), &claims, (&after, &citations_after)) {
        return fault(&error);
    }
    let cited = |claim: &Claim| cited_sources(claim, &citations_before, &first.record.sources);
    // Of several clauses with citations of their own one may be dead: without its citation it would stand there as if the living ones said it.
    let has_a_dead_clause = |claim: &Claim| {
        let parts = claim::clauses(&before, &citations_before, vec![claim.clone()]);
        let is_dead = |part: &Claim| {
            let mut cited = cited(part);
            cited.retain(|cited| *cited != Cited::Nothing);
            !cited.is_empty() && cited.iter().all(|cited| cited.is_dead(&first.record.sources))
        };
        parts.len() > 1 && parts.iter().any(is_dead)
    };
    let whole: Vec<bool> = claims.iter().map(|claim| !has_a_dead_clause(claim)).collect();
    if options.policy == Policy::default()
        && let Err(error) = claims_hold(&first, &claims, &whole, &citations_before, &citations_after, options.support)
    {
        return fault(&error);
    }
    if options.support
        && options.policy == Policy::default()
        && let Err(error) = proof::hold(&first, script, &claims, &whole, cited)
    {
        return fault(&error);
    }
    if let Err(error) = everything_removed_is_named(&first, &citations_after) {
        return fault(&error);
    }
    if let Some(wrong) = first.record.sources.iter().find(|source| !told_truly(source, script)) {
        return fault(&format!("{} is said to be {}", wrong.url, wrong.outcome));
    }
    match scripted::run(brief, research, script, options) {
        Ok(second) if second.record.edits.is_empty() && second.brief == *brief => Ok(()),
        Ok(second) => fault(&format!("a second run edits: {:?}", second.record.edits)),
        Err(error) if error.is_defect() => fault(&format!("a second run fails: {error}")),
        // A brief of which no source is left has nothing to check.
        Err(_) if first.record.stats.cited == 0 => Ok(()),
        Err(error) => fault(&format!("a second run is refused: {error}")),
    }
}

/// The citations of a document. An address that one citation gives is known to all.
fn read_as_runs_do(document: &Document, known: &KnownLabels) -> Citations {
    let citations = citation::read(document, known);
    let mut known = known.clone();
    for target in citations.markers.iter().flat_map(|marker| &marker.targets) {
        if let Target::Address(address) = target {
            known.add_address(address);
        }
    }
    citation::read(document, &known)
}

/// A source is dead only when all its addresses are, and it is in a state that one of them is in.
fn told_truly(source: &SourceRecord, script: &impl Web) -> bool {
    let addresses = || source.aliases.iter().chain(Some(&source.url)).filter(|address| !address.is_empty());
    match source.outcome {
        Outcome::Dead => addresses().all(|address| script.outcome_of(address) == Outcome::Dead),
        // What has no address, and what nothing cites, was not asked.
        Outcome::Unasked => true,
        outcome => addresses().any(|address| script.outcome_of(address) == outcome),
    }
}

/// What a claim's own marker cites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cited {
    /// The source at this place of the record.
    Source(usize),
    /// An entry that cannot be asked: it has no address.
    Entry,
    /// Nothing that is known.
    Nothing,
}

impl Cited {
    fn is_dead(self, sources: &[SourceRecord]) -> bool {
        matches!(self, Cited::Source(at) if sources[at].outcome.is_proven_dead())
    }
}

/// What a claim's own markers cite.
fn cited_sources(claim: &Claim, citations: &Citations, sources: &[SourceRecord]) -> Vec<Cited> {
    let by_address = |address: &str| {
        let key = key_of(address);
        let at = sources.iter().position(|source| {
            source.aliases.iter().chain(Some(&source.url)).any(|alias| !alias.is_empty() && key_of(alias) == key)
        });
        at.map_or(Cited::Nothing, Cited::Source)
    };
    let targets = claim.markers.iter().flat_map(|marker| &citations.marker(*marker).targets);
    targets
        .map(|target| match target {
            Target::Entry(id) => {
                let entry = &citations.lists[id.list as usize].entries[id.entry as usize];
                entry.addresses.first().map_or(Cited::Entry, |address| by_address(address))
            }
            Target::Address(address) => by_address(address),
            Target::Label(_) => Cited::Nothing,
        })
        .collect()
}

/// No claim with a live source of its own is lost, unless it has several clauses; none stays that cites only dead ones, but for instructions.
fn claims_hold(
    run: &Run,
    claims: &[Claim],
    whole: &[bool],
    citations: &Citations,
    after: &Citations,
    judged: bool,
) -> Result<(), String> {
    let sources = &run.record.sources;
    for ((claim, verification), whole) in claims.iter().zip(&run.record.verifications).zip(whole) {
        let cited = cited_sources(claim, citations, sources);
        let is_dead = |cited: &Cited| cited.is_dead(sources);
        let removed = verification.action.removes();
        if !judged && removed && *whole && !cited.iter().all(|cited| is_dead(cited) || *cited == Cited::Nothing) {
            return Err(format!("lost with a source that is not dead: {:?}", claim.text));
        }
        let asks = verification.kind == ClaimKind::Instruction || is_imperative(&claim.text);
        let keeps_words = asks
            || claim.introduces
            || claim.position == ClaimPosition::Heading
            || verification.action == Action::Recite;
        if !removed && !keeps_words && !cited.is_empty() && cited.iter().all(is_dead) {
            return Err(format!("kept with dead sources only: {:?}", claim.text));
        }
    }
    // The words of what stays are all there, in their order.
    let (body, _) = halves(&run.brief, after);
    let mut found = body.chars().filter(|c| c.is_alphabetic());
    for (claim, verification) in claims.iter().zip(&run.record.verifications) {
        let stays = !matches!(verification.action, Action::Drop | Action::Todo);
        if stays
            && claim.position != ClaimPosition::Heading
            && !claim.text.chars().filter(|c| c.is_alphabetic()).all(|c| found.any(|other| other == c))
        {
            return Err(format!("lost without a word: {:?}", claim.text));
        }
    }
    Ok(())
}

/// The brief without the sections that cited writes, and those sections. A section ends where the next heading of its level
/// stands: the document may go on behind it.
fn halves(brief: &str, citations: &Citations) -> (String, String) {
    let (mut body, mut own, mut at) = (String::new(), String::new(), 0);
    for section in &citations.own_sections {
        body += &brief[at..section.start];
        own += &brief[section.start..section.end];
        at = section.end;
    }
    (body + &brief[at..], own)
}

/// Every claim that goes is in the section of the brief and has its reason in the record.
fn everything_removed_is_named(run: &Run, after: &Citations) -> Result<(), String> {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).collect::<String>();
    let (_, section) = halves(&run.brief, after);
    let mut lines: Vec<String> = section.split(['\n', '\r']).map(letters).collect();
    for verification in &run.record.verifications {
        if !matches!(verification.action, Action::Drop | Action::Todo) {
            continue;
        }
        let claim = letters(&verification.claim_text);
        let Some(at) = lines.iter().position(|line| line.contains(&claim)) else {
            return Err(format!("not named in the brief: {:?}", verification.claim_text));
        };
        lines.remove(at);
        if verification.notes.is_empty() {
            return Err(format!("removed without a reason in the record: {:?}", verification.claim_text));
        }
    }
    Ok(())
}
