//! The walk of `cited check`: what the sources of a document show, without writing anything.

use super::decided::Decided;
use super::options::{Options, Watch};
use super::{ask, compose, judge, read};
use crate::decide::{self, Manner};
use crate::fetch::Fetcher;
use crate::finding::Finding;
use crate::input::Input;

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
    watch: Watch<'_>,
) -> Checked {
    let read = read::read(document, research, options);
    let cites = read.cites();
    let judge::Judged { asked, mut assessment } = judge::judge(ask::ask(read, fetcher, watch).await);
    // What would be rewritten tells which sources would stay cited.
    let rewrite = decide::rewrite(&compose::plan(&asked.read), &mut assessment.decisions, &Manner::default());
    let decided = Decided { read: &asked.read, asked: &asked, assessment: &assessment, rewrite: &rewrite };
    let sources = decided.sources();
    let judged = options.support && cites;
    let mut findings = if judged { decided.findings(&sources) } else { decided.findings_on_sources(&sources) };
    findings.extend(asked.unchecked_links());
    findings.sort_by(|a, b| (&a.file, a.span, a.code).cmp(&(&b.file, b.span, b.code)));
    let blocked = asked.blocked.clone().or_else(|| asked.blocked_links());
    Checked { findings, blocked }
}
