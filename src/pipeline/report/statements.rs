//! What the statements of a brief are from: each result, figure, table, chart, image and benchmark is mapped to addresses, notes of
//! the research, files that hold it, and scripts that made it.

use std::collections::HashSet;

use crate::claim::{self, Claim, ClaimKind, Place};
use crate::judge::artifact;
use crate::pipeline::decided::Decided;
use crate::pipeline::judge::shared_words;
use crate::render::record::{Origin, OriginClass, Statement, StatementKind};
use crate::source::SourceId;

impl Decided<'_> {
    /// What each claim states and where it is from; nothing for one that is no such statement, or that goes.
    pub(super) fn statements(&self, claims: &[Claim]) -> Vec<Option<Statement>> {
        let each = claims.iter().enumerate();
        each.map(|(i, claim)| self.statement(i, claim, claims.get(i + 1), &self.standing_on(i, claim))).collect()
    }

    fn statement(&self, i: usize, claim: &Claim, next: Option<&Claim>, standing_on: &[SourceId]) -> Option<Statement> {
        if self.decision(i).action.removes() {
            return None;
        }
        let caption = next.filter(|next| next.captions && next.place != Place::Figure);
        let kind = kind_of(claim, caption)?;
        let mut origins: Vec<Origin> = Vec::new();
        let mut add = |class: OriginClass, name: String| {
            let origin = Origin { class, name };
            if !origin.name.is_empty() && !origins.contains(&origin) {
                origins.push(origin);
            }
        };
        let of_caption = caption.into_iter().flat_map(|caption| &caption.markers);
        let of_caption = of_caption.flat_map(|marker| self.read.resolved.get(marker.0 as usize).into_iter().flatten());
        for source in standing_on.iter().chain(of_caption) {
            if self.asked.answer(*source).is_some_and(|answer| answer.outcome.is_readable()) {
                add(OriginClass::Address, self.address_of(*source));
            }
        }
        let texts = || std::iter::once(claim).chain(caption).map(|claim| claim.text.as_str());
        let images: Vec<String> = self.images(claim);
        for image in images.iter().filter(|image| image.contains("://")) {
            add(OriginClass::Address, image.clone());
        }
        let sources: HashSet<SourceId> = standing_on.iter().copied().collect();
        for note in &self.read.notes {
            let says = note.sources.iter().any(|source| sources.contains(source))
                && texts().any(|text| same_words(&note.text, text) || note.text.contains(text.trim_end_matches('.')));
            if says || images.iter().any(|image| !image.contains("://") && note.text.contains(image.as_str())) {
                add(OriginClass::Note, note.file.clone());
            }
        }
        for text in texts() {
            for path in artifact::named_files(text) {
                if let Some(Ok(held)) = (self.read.options.artifact)(&path)
                    && artifact::file_carries(text, &path, &held)
                {
                    add(OriginClass::Artifact, path);
                }
            }
            for path in artifact::named_scripts(text) {
                if (self.read.options.script)(&path) {
                    add(OriginClass::Script, path);
                }
            }
        }
        Some(Statement { kind, origins })
    }

    /// The addresses of the pictures of a figure.
    fn images(&self, claim: &Claim) -> Vec<String> {
        if claim.place != Place::Figure {
            return Vec::new();
        }
        let links = self.read.document.links_in(claim.span);
        links.iter().filter(|link| link.image).map(|link| link.address.clone()).collect()
    }
}

/// Which of the statements that need an origin a claim is.
fn kind_of(claim: &Claim, caption: Option<&Claim>) -> Option<StatementKind> {
    let is_chart =
        claim::calls_it_a_chart(&claim.text) || caption.is_some_and(|caption| claim::calls_it_a_chart(&caption.text));
    match claim.place {
        Place::Figure if is_chart => Some(StatementKind::Chart),
        Place::Figure if caption.is_some() => Some(StatementKind::Figure),
        Place::Figure => Some(StatementKind::Image),
        Place::Heading => None,
        Place::Cell => claim.kind.must_have_source().then_some(StatementKind::Table),
        Place::Sentence | Place::Item => match claim.kind {
            ClaimKind::Quantitative | ClaimKind::Comparison if claim::names_a_benchmark(&claim.text) => {
                Some(StatementKind::Benchmark)
            }
            ClaimKind::Quantitative => Some(StatementKind::Result),
            _ => None,
        },
    }
}

pub(super) fn same_words(a: &str, b: &str) -> bool {
    shared_words(a, b) >= 0.5
}
