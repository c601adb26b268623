//! A draft that lists sources and cites none of them: what the pages say may connect the two.

use super::judging::{Judging, Pairs};
use super::made_up;
use crate::pipeline::ask::Asked;
use crate::pipeline::options::Options;
use crate::pipeline::read::Lists;
use cited_core::claim::Place;
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
    let made_up = made_up::parts(asked);
    let mut judging = Judging::new(asked, &Pairs::All, &made_up, &options);
    let mut found = Vec::new();
    for (i, (claim, sources)) in read.claims.iter().zip(&read.sources).enumerate() {
        if !claim.kind.is_factual() || claim.place == Place::Figure || !sources.cited.is_empty() {
            continue;
        }
        listed.iter().for_each(|source| judging.judge(i, claim, *source));
        let says = |source: &&SourceId| {
            judging.verdicts.get(&(i, **source)).is_some_and(|verdict| verdict.standing == Standing::Supported)
        };
        found.push((i, listed.iter().filter(says).copied().collect()));
    }
    found
}
