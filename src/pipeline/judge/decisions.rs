//! What becomes of each claim by itself: what is known of it, as a case for the policy.

use std::collections::HashMap;
use std::path::Path;

use super::Judged;
use crate::pipeline::FOUND;
use cited_core::citation::{MarkerId, bare_address, each_once};
use cited_core::claim::{self, Claim, ClaimKind, ClaimPosition};
use cited_core::decide::policy::{Case, Standpoint};
use cited_core::decide::{self, Action, Decision, Note, UNVERIFIED};
use cited_core::finding::{Code, Finding};
use cited_core::markdown::{BlockId, InlineKind};
use cited_core::page::Page;
use cited_core::source::SourceId;
use cited_judge::artifact;
use cited_works::{Look, Outcome as Existence};

impl Judged {
    /// What a source is and says, with its verdict on a claim. Of one that an archive stands in for the address is that of the copy.
    fn standpoint(&self, i: usize, source: SourceId) -> Standpoint<'_> {
        let answer = self.asked.answer(source);
        let known = self.asked.read.registry.get(source);
        // Every index that covers its work answered, and none has it.
        let is_unfound = |look: &Look| look.outcome == Existence::NotFound && look.is_warning();
        let unfound = answer.outcome.is_unknown() && self.asked.works.find_look(source).is_some_and(is_unfound);
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
    pub(super) fn decide(&self, i: usize) -> Decision {
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
            let records = |page: &Page| cited_judge::certainty::certainty_word(&page.text).is_some();
            cited_judge::certainty::checked_word(&claim.text).filter(|_| !pages.any(records))
        };
        let living_caption = !sources.inherited.iter().all(|source| self.asked.is_gone(*source));
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
            has_notes: !read.has_unread_notes
                && read.notes.iter().any(|note| !note.sources.is_empty() && note.file != FOUND),
            unchosen,
            marked,
            fake_certainty: match claim.kind {
                ClaimKind::Certainty if alone => cited_judge::certainty::certainty_word(&claim.text),
                ClaimKind::Certainty if !no_citation => unrecorded(),
                _ => None,
            },
            no_provenance: claim.position == ClaimPosition::Figure && self.lacks_provenance(i, claim, living_caption),
        };
        decide::policy::decide(claim, case, read.options.policy)
    }

    /// What stands on the citation of another claim, at the end of its paragraph, row or table, keeps it when that claim goes or loses
    /// it: a citation on a line or in a cell of its own stays there, in the place of another one each that stands on it is cited itself.
    pub(super) fn hand_on(&self, decisions: &mut [Decision]) {
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
        let is_gone = |source: &SourceId| self.asked.is_gone(*source);
        let cited = &self.asked.read.sources[i].cited;
        if !cited.iter().any(is_gone) || cited.iter().all(is_gone) {
            return Vec::new();
        }
        let clauses =
            claim::markers_by_clause(&self.asked.read.document, &self.asked.read.citations, &self.asked.read.claims[i]);
        let mut cited = clauses.iter().map(|markers| self.asked.read.cited_by(markers));
        let dead = cited.find(|sources| !sources.is_empty() && sources.iter().all(is_gone));
        dead.into_iter().flatten().map(|source| self.standpoint(i, source)).collect()
    }

    /// Whether a figure that stands alone says nothing of its data: its caption calls it an illustration, or it is a file
    /// beside the draft that no research file names. A picture from the web has its own address.
    ///
    /// A citation that is there speaks for it, but not for data that it says were made up, unless the source has them.
    fn lacks_provenance(&self, i: usize, claim: &Claim, living_caption: bool) -> bool {
        let read = &self.asked.read;
        let document = &read.document;
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
        if living_caption {
            return false;
        }
        // A logo, a photograph (by the format that cameras write), a screenshot shows no data that anybody measured.
        let is_photograph = |address: &str| {
            let path = Path::new(address.split(['?', '#']).next().unwrap_or(address));
            let format = path.extension().and_then(|format| format.to_str()).unwrap_or_default();
            ["jpg", "jpeg", "heic"].iter().any(|camera| format.eq_ignore_ascii_case(camera))
        };
        let images = document.links_in(claim.span);
        let shows_data = is_said(claim::calls_it_a_chart)
            || caption.is_some() && !images.iter().all(|link| is_photograph(&link.address));
        // It, or the line behind it or its caption, may say where it is from: *Source: World Bank*. That is its own paragraph, the one behind it,
        // and the one behind its caption.
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
        if let Some(kept) = citations.unexplained.iter().find(|span| claim.span.contains(**span)) {
            return Some(if document.slice(*kept).contains('@') {
                "what stands beside the key of its citation is not understood"
            } else {
                "no list and no research file has the work that it cites"
            });
        }
        // Of what nobody asked nothing is known.
        let link = |address: &str| self.asked.links.get(address);
        let lives = |address: &str| link(address).is_some_and(|link| !link.outcome.is_proven_dead());
        let bare = || bare_address::bare_within(document, claim.block, claim.span).into_iter();
        let is_linked = document.links_in(claim.span).iter().any(|link| !link.image && lives(&link.address))
            || bare().any(|(_, address)| lives(&address));
        is_linked.then_some("a link is part of it, and no citation: what it leads to was not held against it")
    }
}
