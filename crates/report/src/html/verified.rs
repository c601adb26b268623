//! The report of a run: the document with its changes, each claim with what its sources say, sources, what went, counts.

use std::collections::{BTreeSet, HashMap};

use maud::{Markup, html};

use super::document::{JudgedClaim, document, title};
use super::parts::{Keys, badge, bars, keys, marked, render_source, shown};
use super::sheet::{Entry, entries};
use super::{View, page};
use crate::findings::Texts;
use crate::record::{Around, ReconciledSource, Record, SourceRecord, Verification};
use crate::summary::{Headline, headline, is_done, list_lines};
use crate::wording::{counted, cut as cut_at, grouped, head, tally, word_of};
use crate::words::{self, Tone, Verdict, action_words, kind_words};
use cited_core::citation::each_once;
use cited_core::decide::Action;
use cited_core::finding::{Code, Finding, Severity};
use cited_core::input::Input;
use cited_core::outcome::Outcome;
use cited_core::rule::Rule;
use cited_core::verdict::{Derivation, Standing};
use cited_judge::evidence::ContextKind;
use cited_text::language::language;

/// Characters of a passage that are shown.
const LONGEST_PASSAGE: usize = 600;

/// Characters of a claim that is told with others.
const SHORT: usize = 80;

/// So many claims stand in one element: a browser leaves alone the insides of those that are out of sight.
const LOT: usize = 10;

/// The report of a record as a page.
pub fn report(record: &Record) -> String {
    // Of sources without an address nothing says which claim stands on which; of those with the same the first counts.
    let sources = record.sources.iter().enumerate().rev().filter(|(_, source)| !source.url.is_empty());
    let by_url: HashMap<&str, usize> = sources.map(|(i, source)| (source.url.as_str(), i)).collect();
    let mut stands = vec![Vec::new(); record.sources.len()];
    for claim in &record.verifications {
        let sources = claim.sources_reconciled.iter().filter_map(|source| by_url.get(source.source_url.as_str()));
        sources.for_each(|at| stands[*at].push(claim));
    }
    let mut found: HashMap<&str, Vec<&Finding>> = HashMap::new();
    for finding in &record.findings {
        claim_of(finding).into_iter().for_each(|claim| found.entry(claim).or_default().push(finding));
    }
    let claims = record.verifications.iter().zip(Verdict::all_of(record)).collect();
    Report { record, claims, by_url, stands, found, draft: record.input(), is_done: is_done(record, false) }.page()
}

/// Whether a reviewer should say something: of what the first line counts all that is not confirmed.
fn asks(claim: &Verification, verdict: Verdict) -> bool {
    let stays = matches!(claim.action, Action::Keep | Action::Cite | Action::Recite);
    !stays || !matches!(verdict, Verdict::Confirmed | Verdict::Exempt)
}

/// Everything that the views look up.
struct Report<'a> {
    record: &'a Record,
    claims: Vec<JudgedClaim<'a>>,
    /// Sources by their address.
    by_url: HashMap<&'a str, usize>,
    /// For each source, the claims that stand on it.
    stands: Vec<Vec<&'a Verification>>,
    /// What was found on each claim, by its id.
    found: HashMap<&'a str, Vec<&'a Finding>>,
    draft: Input,
    is_done: bool,
}

impl Report<'_> {
    fn page(&self) -> String {
        let record = self.record;
        let removed: Vec<&Verification> = record.verifications.iter().filter(|claim| claim.action.removes()).collect();
        let view = |id, name, count, content| View { id, name, count, content };
        let sources = record.sources.iter().zip(&self.stands).zip(1..);
        let sources = html! {
            @if record.sources.is_empty() { p.empty { "No source is known." } } @else {
                ol.sources { @for ((source, claims), place) in sources { (render_source(place, source, claims)) } }
            }
        };
        let mut findings: Vec<_> = record.findings.iter().filter(|found| claim_of(found).is_none()).collect();
        // Hundreds of notes are no reason to overlook one error.
        findings.sort_by_key(|found| std::cmp::Reverse(found.severity));
        let texts = Texts::new(&self.draft, &[]);
        let findings: Vec<Entry> = findings.into_iter().map(|found| Entry::of_finding(found, &texts)).collect();
        let views = [
            view("document", "Document", None, self.document()),
            view("claims", "Claims", Some(record.verifications.len()), self.claims()),
            view("sources", "Sources", Some(record.sources.len()), sources),
            view("removed", "Removed", Some(removed.len()), self.removed(&removed)),
            view("findings", "Findings", Some(findings.len()), entries(&[(String::new(), findings)])),
            view("summary", "Summary", None, self.summary()),
        ];
        let Headline { verdict, tone, mut counts, .. } = headline(record, false);
        // Where nothing else is the verdict, what went is.
        let verdict = if verdict.is_empty() { counts.remove(0) } else { verdict.to_owned() };
        let path = &self.draft.path;
        let cited = format!("{} cited.", counted(record.stats.cited, "source"));
        let lead = if counts.is_empty() { cited } else { format!("{}; {cited}", counts.join(", ")) };
        let (title, lead) = match title(&self.draft.text) {
            Some(title) => (title, format!("{path}: {lead}")),
            None => (path.clone(), lead),
        };
        page(&title, (&verdict, tone), &lead, &views, Some((record, self.to_look_at())))
    }

    /// What to look at, the weightiest first, as the terminal has it.
    fn to_look_at(&self) -> Markup {
        let lines = list_lines(self.record, &Texts::new(&self.draft, &[]), false, false);
        html! {
            @if !lines.is_empty() {
                h2 { "What to look at" }
                ol {
                    @for line in &lines {
                        @let (label, tone) = line.label;
                        li {
                            b.(tone.class()) { (label) } " "
                            @for claim in &line.claims {
                                a href={ "#" (shown(&claim.claim_id)) } title=(shown(&cut_at(&claim.words(), SHORT))) { "line " (claim.line) } " "
                            }
                            @if line.claims.is_empty() && !line.name_lines().is_empty() { a href="#view-findings" { (line.name_lines()) } }
                            @if let [claim] = line.claims[..] { p.text dir="auto" { (shown(&claim.words())) } }
                            p.why { (shown(&line.in_words())) }
                        }
                    }
                }
            }
        }
    }

    fn document(&self) -> Markup {
        let met: BTreeSet<_> = self.claims.iter().map(|(_, verdict)| *verdict).collect();
        html! {
            fieldset.modes {
                legend.vh { "How the document is shown" }
                @for (id, words, js) in [
                    ("one", "One text", false),
                    ("split", "Side by side", true),
                    ("was", "Draft", false),
                    ("is", "Brief", false),
                    ("changes", "Only changes", false),
                ] {
                    label.js[js] { input type="radio" name="mode" id={ "m-" (id) } value=(id) checked[id == "one"]; " " (words) }
                }
            }
            // What the underlines that occur mean, and the other marks.
            p.legend {
                @for verdict in met.into_iter().filter(|verdict| *verdict != Verdict::Exempt) {
                    span { span.c.(verdict.shown().class) { (verdict.shown().word) } @if verdict != Verdict::Confirmed { " " i { (verdict.shown().sign) } } }
                }
                span { del { "removed" } } " " span { ins { "added" } }
            }
            @if !self.claims.is_empty() {
                p.hint.js { "Choose what is underlined to see what its sources say, and decide." span.keys { " By keyboard: " kbd { "j" } ", then " kbd { "Enter" } "." } }
            }
            div.doc lang=[language(&self.draft.text)] { (document(&self.draft.text, &self.record.edits, &self.claims, self.is_done)) }
            p.empty.none { "Nothing changed." }
        }
    }

    fn claims(&self) -> Markup {
        html! {
            (self.filters())
            div.claims {
                @for lot in self.claims.chunks(LOT) {
                    div.lot { @for (claim, verdict) in lot { (self.claim(claim, *verdict)) } }
                }
            }
            p.empty.none { "No claim fits these filters." }
        }
    }

    /// The fields by which a reader picks claims, with one to search in their words. On a phone they are folded away.
    fn filters(&self) -> Markup {
        let verdicts = tally(self.claims.iter().map(|(_, verdict)| *verdict));
        let kinds = tally(self.record.verifications.iter().map(|claim| kind_words(claim.kind)));
        // The claims that each kind of finding is on: why somebody should look at them.
        let codes = |found: &Vec<&Finding>| found.iter().map(|found| found.code).collect::<BTreeSet<Code>>();
        let reasons = tally(self.found.values().flat_map(codes));
        let counted = |word: &str, count: &usize| format!("{word} ({})", grouped(*count));
        let verdicts = verdicts.iter().map(|(one, count)| (one.shown().key, counted(one.shown().word, count)));
        let kinds = kinds.iter().map(|(kind, count)| (*kind, counted(kind, count)));
        let reasons = reasons.iter().map(|(code, count)| (code.as_str(), counted(code.as_str(), count)));
        let review = vec![("open", "to decide".to_owned()), ("done", "decided".to_owned())];
        let fields = [
            ("Verdict", "verdict", verdicts.collect()),
            ("Kind", "kind", kinds.collect()),
            ("Reason", "reason", reasons.collect()),
            ("Review", "review", review),
        ];
        html! {
            details.fold.js open {
                summary { "Filter claims" }
                form.filters role="search" aria-label="Filter claims" {
                    @for (label, name, choices) in fields {
                        label { (label) " " select name=(name) {
                            option value="" { "all" }
                            @for (value, words) in choices { option value=(value) { (words) } }
                        } }
                    }
                    label { "Source " input type="number" name="source" min="1" inputmode="numeric" size="4"; }
                    label { "Search " input type="search" name="q" autocomplete="off"; }
                    button type="reset" { "Clear" }
                    output {}
                }
            }
        }
    }

    /// One claim. Its markup is short, as there may be thousands: the style sheet and the script know its parts by their place.
    fn claim(&self, claim: &Verification, verdict: Verdict) -> Markup {
        let mine = keys(&claim.claim_text);
        let theirs: Keys = claim.sources_reconciled.iter().flat_map(|source| keys(&source.source_passage)).collect();
        let binding = claim.binding.as_ref().map(|binding| format!("{} {}", binding.claim, binding.evidence));
        let confidence = claim.confidence.filter(|_| claim.sources_reconciled.len() != 1);
        let action = (claim.action != Action::Keep).then_some(claim.action.word());
        let (done, shape) = (claim.review.as_ref(), verdict.shown());
        let found = self.found.get(claim.claim_id.as_str()).map_or(&[][..], Vec::as_slice);
        let codes = found.iter().map(|found| found.code.as_str()).collect::<Vec<_>>().join(" ");
        let codes = (!codes.is_empty()).then_some(codes);
        // What it hangs on, as the script reads it: how, whether it has a citation of its own, whether it went, and the others.
        let hangs = claim.hangs.as_ref().map(|hangs| {
            let (how, is_cited, fell) = (word_of(hangs.how), u8::from(hangs.is_cited), u8::from(hangs.fell));
            hangs.on.iter().fold(format!("{how} {is_cited} {fell}"), |told, on| format!("{told} {on}"))
        });
        let is_noted = |found: &Finding| {
            matches!(found.code, Code::WeakSupport | Code::Unverifiable | Code::Unchecked)
                || claim.notes.contains(&found.message)
        };
        html! {
            article #(shown(&claim.claim_id)) data-v=(shape.key) data-k=(kind_words(claim.kind)) data-a=[action]
                data-ask=[asks(claim, verdict).then_some("")] data-codes=[codes] data-l=(claim.line) data-on=[binding] data-hangs=[hangs]
                data-done=[done.map(|done| <&str>::from(done.decision))] data-who=[done.map(|done| shown(&done.who))] data-why=[done.map(|done| shown(&done.why))] {
                p {
                    a href={ "#" (shown(&claim.claim_id)) } { (shown(&claim.claim_id)) } " "
                    b.(shape.tone.class()) { (shape.sign) " " (shape.word) } " "
                    @if action.is_some() { b.did { (action_words(claim.action.word(), self.is_done)) } " " }
                    (kind_words(claim.kind)) ", line " (claim.line)
                    @if let Some(confidence) = confidence { (format!(", support {:.0}%", confidence * 100.0)) }
                }
                p.text dir="auto" {
                    @if let Some(context) = &claim.context { span.of { (shown(context)) ": " } }
                    (marked(&claim.claim_text, &theirs))
                }
                @if !claim.notes.is_empty() { p.why dir="auto" { (shown(&claim.notes)) } }
                @for found in found.iter().filter(|found| found.severity > Severity::Note && !is_noted(found)) {
                    p.why { (shown(&found.message)) }
                }
                @for remedy in found.iter().filter(|found| found.severity > Severity::Note || asks(claim, verdict)).filter_map(|found| found.remedy.as_ref()) {
                    p.remedy { "What to do: " (shown(remedy)) }
                }
                @for source in &claim.sources_reconciled { (self.evidence(source, &mine, claim)) }
                @if let Some(done) = done { p.decided { "● " (shown(&done.in_words())) } }
            }
        }
    }

    /// What one source says of a claim with these words, as far as the claim's own notes do not say it.
    fn evidence(&self, said: &ReconciledSource, words_of_claim: &Keys, claim: &Verification) -> Markup {
        let at = self.by_url.get(said.source_url.as_str()).copied();
        let source = at.map(|at| &self.record.sources[at]);
        let title = source.map(|source| &source.title).filter(|title| !title.is_empty()).unwrap_or(&said.source_url);
        let number = source.and_then(|source| source.number);
        let standing = Verdict::from(said.verdict).shown();
        let share = said.confidence.map(|share| format!(", support {:.0}%", share * 100.0));
        // What needs no source was not judged by the one that it has.
        let is_judged = said.verdict != Standing::Unchecked || claim.kind.is_factual();
        // Why it does not support the claim stands in the notes of the claim, too.
        let is_told = said.verdict == Standing::Supported || claim.notes.contains(&said.context);
        let unread = source.filter(|source| !source.outcome.is_readable());
        let passage = head(&said.source_passage, LONGEST_PASSAGE);
        let ruled = source.filter(|source| source.rule != Rule::Live.as_str());
        // The title of its page is told already, and a row of cells stands in no column.
        let is_row = said.source_passage.contains('\t');
        let is_named = |around: &&Around| around.text == *title || is_row && around.kind == ContextKind::ColumnHead;
        let around: Vec<&Around> = said.around.iter().filter(|around| !is_named(around)).collect();
        html! {
            div.says {
                p {
                    @if let Some(at) = at {
                        a href={ "#s" (at + 1) } dir="auto" { @if let Some(number) = number { "[" (number) "] " } (shown(title)) }
                    } @else { bdi { (shown(title)) } }
                    " "
                    @if let Some(source) = unread { (badge(source.outcome, &source.rule)) } @else if is_judged {
                        b.(standing.tone.class()) { (standing.sign) " " (standing.word) @if let Some(share) = share { (share) } }
                    }
                }
                @if let Some(source) = ruled { p.why { (shown(words::word("rule", &source.rule).unwrap_or(&source.rule))) } }
                @if !said.source_passage.is_empty() {
                    @if !around.is_empty() {
                        p.around { @for (i, around) in around.into_iter().enumerate() {
                            (if i > 0 { " · " } else { "" }) (words::word("around", &word_of(around.kind)).unwrap_or_default()) " " bdi { (shown(&cut_at(&around.text, SHORT))) }
                        } }
                    }
                    q dir="auto" { (marked(passage, words_of_claim)) @if said.source_passage.len() > passage.len() { " …" } }
                }
                @if let Some(derivation) = &said.derivation { (worked_out(derivation, &said.source_passage)) }
                @if unread.is_none() && is_judged {
                    @if !is_told { p.why dir="auto" { (shown(&said.context)) } }
                    @let results = each_once(said.results.iter().map(words::result));
                    @if !results.is_empty() { ul { @for (tone, words) in results { li.(tone.class()) { (tone.sign()) " " (shown(&words)) } } } }
                }
                @if let Some(rating) = said.rating.as_ref().filter(|rating| !rating.is_empty()) { p.around { "The research files call it " bdi { (shown(&rating.in_words())) } } }
                @if let Some(date) = &said.publication_date { p.around { "Page of " (shown(date)) } }
            }
        }
    }

    fn removed(&self, removed: &[&Verification]) -> Markup {
        html! {
            p.empty.none.shown[removed.is_empty()] { "Nothing was removed." }
            ul.gone-list {
                    @for claim in removed {
                        li {
                            p.state { a.no href={ "#" (shown(&claim.claim_id)) } { (shown(&claim.claim_id)) } " " b.did { (action_words(claim.action.word(), self.is_done)) } " " span.place { "line " (claim.line) } }
                            p.text dir="auto" { @if let Some(context) = &claim.context { span.of { (shown(context)) ": " } } (shown(&claim.claim_text)) }
                            p.why dir="auto" { (shown(&claim.notes)) }
                        }
                    }
            }
        }
    }

    fn summary(&self) -> Markup {
        let outcomes = tally(self.wanted().map(|(_, source)| source.outcome)).into_iter();
        let outcomes = outcomes.map(|(one, count)| (one.as_str(), count, Tone::from(one)));
        html! {
            @if let Some(why) = &self.record.not_written {
                p { "The brief was not written, and nothing was removed from the draft: " (why) }
            }
            div.charts {
                (bars("What became of the claims", headline(self.record, false).bars))
                (bars("Sources by outcome", outcomes))
            }
            h3 { "What was not checked" }
            (entries(&[(String::new(), self.unchecked())]))
            p.wish { label { input #print-claims type="checkbox"; " Print all claims with their evidence, too" } }
        }
    }

    /// Sources that the document rests on, and others that were asked.
    fn wanted(&self) -> impl Iterator<Item = (usize, &SourceRecord)> {
        let rests = |i: usize, source: &SourceRecord| source.number.is_some() || !self.stands[i].is_empty();
        let sources = self.record.sources.iter().enumerate();
        sources.filter(move |&(i, source)| rests(i, source) || source.rule != Rule::Unasked.as_str())
    }

    /// What could not be checked, and why. What nobody asked for is named once for each reason.
    fn unchecked(&self) -> Vec<Entry> {
        let unknown = self.wanted().filter(|(_, source)| source.outcome.is_unknown());
        let (unasked, sources): (Vec<_>, Vec<_>) = unknown.partition(|(_, source)| source.is_unasked());
        let unasked = tally(unasked.iter().map(|(_, source)| &source.reason)).into_iter().map(|(reason, count)| {
            Entry::new((Tone::Neutral, Outcome::Unasked.in_words("")), &counted(count, "source"), reason)
        });
        let sources = sources.into_iter().map(|(i, source)| {
            let state = source.outcome.in_words(&source.rule);
            let place = counted(self.stands[i].len(), "claim");
            Entry { place, ..Entry::new((source.outcome.into(), state), &source.url, &source.reason) }
        });
        unasked.chain(sources).collect()
    }
}

/// The claim of the draft that a finding is on.
fn claim_of(found: &Finding) -> Option<&str> {
    found.about.as_ref().filter(|_| found.file.is_none())?.claim_id.as_deref()
}

/// How a value follows from those of the source, and what it starts from as far as the passage has it not.
fn worked_out(derivation: &Derivation, passage: &str) -> Markup {
    let operands = derivation.operands.iter().map(|operand| operand.text.as_str());
    let mut others: Vec<&str> =
        operands.filter(|text| !passage.contains(text) && !derivation.written.contains(text)).collect();
    others.dedup();
    html! {
        p.around {
            "From the source " bdi { (shown(&derivation.written)) }
            @for (i, text) in others.into_iter().enumerate() { (if i == 0 { ", from " } else { ", " }) q dir="auto" { (shown(text)) } }
        }
    }
}
