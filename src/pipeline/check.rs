//! What the sources of a document show, without writing anything: the stages of a run up to the decisions.

use std::collections::HashMap;

use super::{Input, Options, Progress, anchor, ask, blocked, compose, gather, links, report, wanted, weigh};
use crate::decide::{self, Manner};
use crate::fetch::Fetcher;
use crate::finding::Finding;

/// What a check of one document gives.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// What was worth telling, in order of place.
    pub findings: Vec<Finding>,
    /// Why checking could not be completed, when it could not.
    pub blocked: Option<String>,
}

/// Asks the sources and links of a document and tells what they show; with [`Options::support`] also what they say of each
/// claim. A document that cites nothing and comes without research files is not held to cite: then only its links are asked.
pub async fn check(
    document: &Input,
    research: &[Input],
    fetcher: &dyn Fetcher,
    options: &Options,
    progress: &(dyn Fn(Progress<'_>) + Sync),
) -> Checked {
    let mut gathered = gather::read(document, research, options.clauses);
    let cites = gathered.registry.iter().next().is_some();
    let anchors = anchor(&mut gathered);
    let mut bearings = weigh::bearings(&gathered, &anchors);
    let wanted = wanted(&gathered, &bearings);
    let mut answers = ask::ask(&gathered, &wanted, fetcher, options, progress).await;
    drop(wanted);
    let asked = links::ask(&gathered, &answers, fetcher, options).await;
    if ask::merge(&mut gathered, &mut answers) {
        bearings = weigh::bearings(&gathered, &anchors);
    }
    let living: HashMap<String, bool> =
        asked.iter().map(|(address, link)| (address.clone(), !link.outcome.is_proven_dead())).collect();
    let mut weighed = weigh::weigh(&gathered, &bearings, &answers, &living, &weigh::Judged::All, options);
    // What would be rewritten tells which sources would stay cited.
    let plan = compose::plan(&gathered, options);
    let rewrite = decide::rewrite(&plan, &mut weighed.decisions, &Manner::default());
    let dead_links = links::dead(&gathered, &asked);
    let blocked = blocked(fetcher, &answers).or_else(|| links::blocked(&answers, &asked));
    let outcomes = report::Outcomes {
        gathered: &gathered,
        bearings: &bearings,
        answers: &answers,
        weighed: &weighed,
        rewrite: &rewrite,
        dead_links: &dead_links,
        blocked: blocked.as_deref(),
        judged: options.support,
        min_quality: options.policy.min_quality,
    };
    let sources = outcomes.sources();
    let mut findings =
        if options.support && cites { outcomes.findings(&sources) } else { outcomes.findings_on_sources(&sources) };
    findings.extend(links::unchecked(&gathered, &asked));
    findings.sort_by(|a, b| (&a.file, a.span, a.code).cmp(&(&b.file, b.span, b.code)));
    Checked { findings, blocked }
}
