//! What `verify` does with sources that an audit has proven gone: its answers come from the report, and nobody is asked.

use std::collections::HashMap;
use std::future::ready;

use super::cites::cites;
use crate::pipeline::{Options, Run, verify};
use cited_audit::State;
use cited_audit::report::{AuditReport, Remedy};
use cited_core::address::identity::{Key, key_of};
use cited_core::citation::{self, KnownLabels};
use cited_core::decide::policy::Treatment;
use cited_core::decide::{Policy, Style};
use cited_core::error::Result;
use cited_core::input::Input;
use cited_core::markdown::Document;
use cited_core::outcome::{Fetched, Outcome};
use cited_core::rule::Rule;
use cited_fetch::{Fetcher, Fetching, Request};

/// Sources that are gone for good: proven, and no archive has a copy.
pub struct GoneForGood {
    reasons: HashMap<Key, String>,
    now: jiff::Timestamp,
}

impl GoneForGood {
    /// Those of a report.
    pub fn of(report: &AuditReport) -> GoneForGood {
        let gone =
            report.entries.iter().filter(|entry| entry.state == State::Rotten && entry.remedy == Remedy::Replace);
        let reasons = gone.map(|entry| (key_of(&entry.address), entry.reason.clone())).collect();
        GoneForGood { reasons, now: report.at }
    }

    /// Whether a document stands on one of them.
    pub fn concerns(&self, document: &Input) -> bool {
        !self.reasons.is_empty()
            && cites(document)
                .iter()
                .any(|source| source.addresses.iter().all(|address| self.reason(address).is_some()))
    }

    fn reason(&self, address: &str) -> Option<&String> {
        self.reasons.get(&key_of(address))
    }

    /// The document as `verify` writes it when all its other sources are there, and without anything else in its body: links stay links,
    /// and what only lacks a source stays. What pages say is not judged.
    ///
    /// # Errors
    /// Those of [`verify()`].
    pub async fn drop_from(&self, document: &Input, options: &Options) -> Result<Run> {
        let policy = Policy {
            uncited: Some(Treatment::Keep),
            on_unverifiable: Treatment::Keep,
            strict: false,
            ..options.policy
        };
        let (style, notes, now) = (Style::Keep, false, self.now);
        let own = Options { policy, style, notes, support: false, judge: None, now, ..options.clone() };
        let mut run = verify(document, &[], self, &own, &|_| {}).await?;
        let lists = |text: &str| citation::read(&Document::read(text), &KnownLabels::default()).lists;
        // A document that cites by links alone gets no list.
        if lists(&document.text).is_empty()
            && let Some(list) = lists(&run.brief).last()
        {
            let body = run.brief[..list.heading.unwrap_or(list.span).start].trim_end().len();
            let line_end = run.brief[body..].find('\n').map_or(body, |at| body + at + 1);
            run.brief = run.brief[..line_end].into();
        }
        Ok(run)
    }
}

impl Fetcher for GoneForGood {
    fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a> {
        let first = request.addresses.first().cloned().unwrap_or_default();
        let known = Fetched::unasked(first, "", self.now);
        // A source is gone when each of its addresses is.
        let reasons: Option<Vec<&String>> = request.addresses.iter().map(|address| self.reason(address)).collect();
        let fetched = match reasons.as_deref() {
            Some([reason, ..]) => {
                Fetched { outcome: Outcome::Dead, rule: Rule::HttpGone, reason: (*reason).clone(), ..known }
            }
            _ => Fetched { outcome: Outcome::Live, rule: Rule::Live, ..known },
        };
        Box::pin(ready(fetched))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_on_nothing_but_what_is_gone_goes() {
        let gone = GoneForGood {
            reasons: HashMap::from([(key_of("https://gone.example/"), "HTTP 410".to_owned())]),
            now: jiff::Timestamp::UNIX_EPOCH,
        };
        let check = |text: &str, concerned: bool, kept: &[&str], goes: &[&str]| {
            let input = Input { path: "a.md".into(), text: text.into() };
            assert_eq!(gone.concerns(&input), concerned, "{text}");
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let run = runtime.block_on(gone.drop_from(&input, &Options::default())).unwrap();
            let body = run.brief.split("\n## ").next().unwrap_or_default().to_owned();
            kept.iter().for_each(|words| assert!(body.contains(words), "{words}: {}", run.brief));
            goes.iter().for_each(|words| assert!(!body.contains(words), "{words}: {}", run.brief));
        };
        let list = "\n\n## Sources\n\n[1] A page. https://gone.example/\n[2] Another. https://there.example/\n";
        check(
            &format!(
                "# T\n\nAlpha fell to 3 in 2020 [1]. Beta rose to 5 in 2021 [2]. Gamma is 7 in 2022 [1][2].{list}"
            ),
            true,
            &["Beta rose to 5", "Gamma is 7"],
            &["Alpha fell"],
        );
        // Living links, instructions and what lacks a source stay.
        let links = "# T\n\nAlpha fell to 3 in 2020 ([page](https://gone.example/)). Beta rose to 5 in 2021 \
            ([other](https://there.example/)). Gamma was 7 in 2022.\n\nSee [the guide](https://there.example/guide). Let me know if you \
            want me to expand this section.\n";
        let expected = links.replace("Alpha fell to 3 in 2020 ([page](https://gone.example/)). ", "");
        let input = Input { path: "a.md".into(), text: links.into() };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let run = runtime.block_on(gone.drop_from(&input, &Options::default())).unwrap();
        let removed = "\n## Removed Unsupported Claims\n\n- “Alpha fell to 3 in 2020.” — dead source: https://gone.example/ (HTTP 410, no \
            archive)\n";
        assert_eq!(&*run.brief, expected + removed);
        let there = "# T\n\nBeta rose to 5 in 2021 [1].\n\n## Sources\n\n[1] Another. https://there.example/\n";
        check(there, false, &["Beta rose to 5"], &[]);
    }
}
