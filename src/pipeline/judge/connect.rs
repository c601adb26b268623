//! A draft that lists sources and cites none of them: what the pages say may connect the two.

use super::judging::Judging;
use super::others::UnmetClaims;
use crate::pipeline::ask::Asked;
use crate::pipeline::options::Options;
use crate::pipeline::read::Lists;
use cited_core::claim::ClaimPosition;
use cited_core::source::SourceId;
use cited_core::verdict::Standing;

/// Pairs of claims and pages that are judged; where there are more, the list stays unconnected.
const MOST_JUDGED: usize = 40_000;

/// Gives each claim of a draft that lists sources and cites none of them the listed source whose page says it. Where every entry is the source
/// of a claim, the draft is one with citations from here on; otherwise the list stays as it is, and no number is written beside it.
pub(in crate::pipeline) fn connect(mut asked: Asked) -> Asked {
    let read = &asked.read;
    let Lists::Unconnected { looks_cited, .. } = &read.lists else { return asked };
    let mut listed: Vec<SourceId> = read.listed.iter().flatten().map(|id| read.registry.resolve(*id)).collect();
    listed.sort_unstable();
    listed.dedup();
    if !read.options.support || *looks_cited || listed.len() * read.claims.len() > MOST_JUDGED {
        return asked;
    }
    let anchored = said_by(&asked, &listed);
    let read = &mut asked.read;
    for (i, sources) in anchored {
        read.sources[i].anchored = sources;
    }
    if listed.iter().all(|source| read.sources.iter().any(|sources| sources.anchored.contains(source))) {
        read.lists = Lists::Cited;
    }
    asked
}

/// For each claim that has no source, those of the listed whose pages say it.
fn said_by(asked: &Asked, listed: &[SourceId]) -> Vec<(usize, Box<[SourceId]>)> {
    let read = &asked.read;
    let options = Options { judge: None, ..read.options.clone() };
    let mut judging = Judging::new(asked, None, &options);
    let wants = |i: &usize| {
        let claim = &read.claims[*i];
        claim.kind.is_factual() && claim.position != ClaimPosition::Figure && read.sources[*i].cited.is_empty()
    };
    let wanting: Vec<usize> = (0..read.claims.len()).filter(wants).collect();
    let pairs = wanting.iter().flat_map(|i| listed.iter().map(|source| (*i, *source)));
    judging.judge(pairs, &mut UnmetClaims::default());
    let says = |i: usize, source: &SourceId| {
        judging.verdicts.get(&(i, *source)).is_some_and(|verdict| verdict.standing == Standing::Supported)
    };
    let said_by = |i: usize| listed.iter().copied().filter(|source| says(i, source)).collect();
    wanting.into_iter().map(|i| (i, said_by(i))).collect()
}
