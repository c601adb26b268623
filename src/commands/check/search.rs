//! Many documents at once: their sources are asked, each address that several of them link to once; then each is looked at by itself, on
//! as many threads as there are cores, in an order that never changes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::StreamExt as _;
use tokio::sync::OnceCell;

use super::tree::Tree;
use crate::cli::args::TalkFlags;
use crate::cli::settings::Settings;
use crate::pipeline::{self, Input, Options, Progress, Scope, Style};
use crate::setup::{Setup, block_on};
use cited_core::check::page::Page;
use cited_core::check::results::Results;
use cited_core::check::structure::structure;
use cited_core::check::{State, footnotes, suppression};
use cited_core::citation::{self, KnownLabels};
use cited_core::error::Result;
use cited_core::finding::{Code, Depth};
use cited_core::markdown::Document;
use cited_core::outcome::Fetched;
use cited_core::shares;
use cited_core::source::research::read_research;
use cited_fetch::{Fetcher, Fetching, Request};
use cited_report::findings::{Checked, Incomplete};
use cited_text::{Span, Spans};

/// Documents that are worked on at once: their pages are held in memory, whole where claims are judged by them …
const JUDGED_AT_ONCE: usize = 8;
/// … and else their beginnings.
const ASKED_AT_ONCE: usize = 64;

/// What is looked for in every document, and with what.
pub struct Search<'a> {
    /// What steers it.
    pub settings: &'a Settings,
    /// What it says while it asks.
    pub talk: &'a TalkFlags,
    /// The research files, which give labels and addresses a meaning.
    pub research: &'a [Input],
    /// What links lead to.
    pub tree: Tree,
    /// Whether it is judged what sources say.
    pub support: bool,
    /// Whether works are looked up.
    pub works: bool,
}

impl Search<'_> {
    /// How deep it looks.
    pub fn depth(&self) -> Depth {
        match (self.support, self.settings.check.online || self.works) {
            (true, _) => Depth::Support,
            (false, true) => Depth::Sources,
            (false, false) => Depth::Structure,
        }
    }

    /// What is found in each document, and what could not be checked.
    ///
    /// # Errors
    /// When a research file is broken, or the settings cannot be used.
    pub fn look(&self, documents: Vec<Input>) -> Result<(Vec<Checked>, Vec<Incomplete>)> {
        let mut known = KnownLabels::default();
        for file in self.research {
            known.add_entries(&pipeline::refuse_broken(read_research(&file.path, &file.text))?.entries);
        }
        let asks = self.depth() > Depth::Structure;
        let (mut asked, incomplete) = if asks { self.ask(&documents)? } else { Default::default() };
        asked.resize_with(documents.len(), Results::default);
        let each: Vec<(Input, Results)> = documents.into_iter().zip(asked).collect();
        Ok((map_all(&each, |(document, asked)| self.examine(document, asked, &known)), incomplete))
    }

    /// What the sources and links of each document show; and what could not be checked.
    fn ask(&self, documents: &[Input]) -> Result<(Vec<Results>, Vec<Incomplete>)> {
        let setup = Setup::asking(self.settings, self.talk)?;
        let excluded = self.tree.excluded.clone();
        let options = Options {
            style: Style::Keep,
            works: if self.works { Scope::On } else { Scope::Off },
            support: self.support,
            every_link: true,
            wants: Arc::new(move |address| !excluded.has_link(address)),
            ..setup.options.clone()
        };
        let progress = |step: Progress<'_>| {
            // One document may be judged while others still wait for their sources.
            if matches!(step, Progress::Fetching(_) | Progress::Fetched(_)) {
                setup.reporter.note(step);
            }
        };
        let once = Once { fetcher: &setup.watched(), links: Mutex::default() };
        let (once, options, progress) = (&once, &options, &progress);
        let checked = block_on(async {
            let each = futures_util::stream::iter(documents.iter().enumerate()).map(|(i, document)| async move {
                (i, pipeline::check(document, self.research, once, options, progress).await)
            });
            let at_once = if self.support { JUDGED_AT_ONCE } else { ASKED_AT_ONCE };
            Ok(each.buffer_unordered(at_once).collect::<Vec<_>>().await)
        });
        setup.finish()?;
        let mut checked = checked?;
        checked.sort_by_key(|(i, _)| *i);
        // A fault of the network is everybody's and said once.
        let down = setup.down();
        let fault = down.clone().or_else(|| setup.network.fault());
        let (mut told, mut incomplete) = (Vec::with_capacity(checked.len()), Vec::new());
        incomplete.extend(fault.iter().map(|reason| Incomplete { file: None, reason: reason.clone() }));
        for (i, mut one) in checked {
            // Without a network there is one thing to tell, and not one a source.
            one.results.keep(|code| {
                let unchecked = [Code::UncheckedSource, Code::UncheckedLink].contains(&code);
                code.depth() > Depth::Structure && !(down.is_some() && unchecked)
            });
            let own = one.blocked.filter(|_| fault.is_none());
            incomplete.extend(own.map(|reason| Incomplete { file: Some(documents[i].path.clone()), reason }));
            told.push(one.results);
        }
        Ok((told, incomplete))
    }

    /// Looks at one document. `asked` is what was found with the help of its sources and links.
    fn examine(&self, input: &Input, asked: &Results, known: &KnownLabels) -> Checked {
        let Input { path, text } = input;
        let document = Document::read(Arc::clone(text));
        let citations = citation::read(&document, known);
        let mut findings = structure(&citations);
        let footnotes = footnotes::undefined(&document, &citations);
        // What nothing defines is told once, as what it is written as.
        let told: Spans = footnotes.iter().filter_map(|finding| finding.span).collect();
        let is_told = |span: Span| told.overlap(span);
        findings.retain(|finding| finding.code != Code::OrphanCitation || !finding.span.is_some_and(is_told));
        findings.extend(footnotes);
        // What a template or the site makes an address of has one.
        let is_made = |span: Span| {
            let own = span.slice(text);
            own.contains("{{")
                || own.contains("{%")
                || document.links_in(span).iter().any(|link| !link.address.is_empty())
        };
        let of_made = [Code::NoAddress, Code::NumberingGap, Code::OrphanCitation];
        findings.retain(|finding| !of_made.contains(&finding.code) || !finding.span.is_some_and(is_made));
        let page = Page::read(text, &self.tree.dialect(path));
        let (of_links, mut links) = self.tree.targets(path, &page);
        findings.extend(of_links);
        let (deeper, asked, answered) = asked.clone().into_parts();
        links.answered(&answered);
        findings.extend(deeper);
        for finding in &mut findings {
            let own = self.settings.severity.iter().rfind(|(code, _)| *code == finding.code);
            finding.severity = own.map_or(finding.severity, |(_, severity)| *severity);
        }
        let (suppressions, wrong) = suppression::read(&document);
        let depth = self.depth();
        let unused = suppression::unused(&findings, &suppressions, |code: Code| code.depth() <= depth);
        findings.extend(wrong);
        findings.extend(unused);
        findings.sort_by(|a, b| (&a.file, a.span, a.code, &a.message).cmp(&(&b.file, b.span, b.code, &b.message)));
        let mut checked = Checked { asked, links, ..Checked::new(input.clone(), self.research, &findings) };
        for item in &mut checked.items {
            if let Some(allowed) = suppressions.iter().find(|one| one.allows(&item.finding)) {
                item.state = State::Suppressed(allowed.reason.clone());
            }
        }
        if checked.items.is_empty() {
            checked.document.text = Arc::default();
        }
        checked
    }
}

/// `work` done on each of `inputs`, in their order, on all cores.
pub fn map_all<T: Sync, R: Send>(inputs: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(inputs.len());
    shares::run_each(inputs.len(), cores, |i| work(&inputs[i]))
}

/// A fetcher that asks an address for which nothing is claimed only once: the links of many documents are alike.
struct Once<'a> {
    fetcher: &'a dyn Fetcher,
    links: Mutex<HashMap<Vec<String>, Arc<OnceCell<Fetched>>>>,
}

impl Fetcher for Once<'_> {
    fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a> {
        let is_link =
            request.claims.is_empty() && request.titles.is_empty() && request.accessed.is_none() && !request.in_company;
        if !is_link {
            return self.fetcher.fetch(request);
        }
        Box::pin(async move {
            let cell = {
                let mut links = self.links.lock().unwrap_or_else(PoisonError::into_inner);
                Arc::clone(links.entry(request.addresses.clone()).or_default())
            };
            let ask = || async {
                let fetched = self.fetcher.fetch(request).await;
                // What a link leads to is of interest, not what stands there, unless it leads to a place there.
                let has_place = request.addresses.iter().any(|address| address.contains('#'));
                Fetched { page: fetched.page.filter(|_| has_place), ..fetched }
            };
            cell.get_or_init(ask).await.clone()
        })
    }

    fn inner(&self) -> Option<&dyn Fetcher> {
        Some(self.fetcher)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_their_inputs() {
        let inputs: Vec<usize> = (0..1000).collect();
        let doubled = map_all(&inputs, |i| i * 2);
        assert!(doubled.iter().enumerate().all(|(i, two)| i * 2 == *two));
        assert!(map_all(&[], |i: &u8| *i).is_empty());
    }
}
