//! Many documents at once: each by itself, on as many threads as there are cores, in an order that never changes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::tree::Tree;
use cited_core::check::page::Page;
use cited_core::check::results::Results;
use cited_core::check::structure::structure;
use cited_core::check::{State, footnotes, suppression};
use cited_core::citation::{self, KnownLabels};
use cited_core::finding::{Code, Depth, Severity};
use cited_core::input::Input;
use cited_core::markdown::Document;
use cited_core::shares;
use cited_report::findings::Checked;
use cited_text::{Span, Spans};

/// What is looked for in every document.
#[derive(Debug)]
pub struct Search<'a> {
    /// How deep.
    pub depth: Depth,
    /// Labels and addresses that research files give a meaning.
    pub known: &'a KnownLabels,
    /// The research files.
    pub research: &'a [Input],
    /// What links lead to.
    pub tree: &'a Tree,
    /// The severities that the user gives to codes.
    pub severity: &'a BTreeMap<Code, Severity>,
}

impl Search<'_> {
    /// Looks at one document. `asked` is what was found with the help of its sources and links.
    pub fn examine(&self, input: Input, asked: Results) -> Checked {
        let Input { path, text } = input;
        let document = Document::read(Arc::clone(&text));
        let citations = citation::read(&document, self.known);
        let mut findings = structure(&citations);
        let footnotes = footnotes::undefined(&document, &citations);
        // What nothing defines is told once, as what it is written as.
        let told: Spans = footnotes.iter().filter_map(|finding| finding.span).collect();
        let is_told = |span: Span| told.overlap(span);
        findings.retain(|finding| finding.code != Code::OrphanCitation || !finding.span.is_some_and(is_told));
        findings.extend(footnotes);
        // What a template or the site makes an address of has one.
        let is_made = |span: Span| {
            let own = span.slice(&text);
            own.contains("{{")
                || own.contains("{%")
                || document.links_in(span).iter().any(|link| !link.address.is_empty())
        };
        let of_made = [Code::NoAddress, Code::NumberingGap, Code::OrphanCitation];
        findings.retain(|finding| !of_made.contains(&finding.code) || !finding.span.is_some_and(is_made));
        let page = Page::read(&text, &self.tree.dialect(&path));
        let (of_links, mut links) = self.tree.targets(&path, &page);
        findings.extend(of_links);
        let (deeper, asked, answered) = asked.into_parts();
        links.answered(&answered);
        findings.extend(deeper);
        for finding in &mut findings {
            finding.severity = self.severity.get(&finding.code).copied().unwrap_or(finding.severity);
        }
        let (suppressions, wrong) = suppression::read(&document);
        let unused = suppression::unused(&findings, &suppressions, |code: Code| code.depth() <= self.depth);
        findings.extend(wrong);
        findings.extend(unused);
        findings.sort_by(|a, b| (&a.file, a.span, a.code, &a.message).cmp(&(&b.file, b.span, b.code, &b.message)));
        let mut checked = Checked { asked, links, ..Checked::new(Input { path, text }, self.research, &findings) };
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
pub fn map_all<T: Send, R: Send>(inputs: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(inputs.len());
    let slots: Vec<Mutex<Option<T>>> = inputs.into_iter().map(|input| Some(input).into()).collect();
    let take = |i: usize| slots[i].lock().unwrap_or_else(PoisonError::into_inner).take();
    shares::run_each(slots.len(), cores, |i| take(i).map(&work)).into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_their_inputs() {
        let inputs: Vec<usize> = (0..1000).collect();
        let doubled = map_all(inputs, |i| i * 2);
        assert!(doubled.iter().enumerate().all(|(i, two)| i * 2 == *two));
        assert!(map_all(Vec::<u8>::new(), |i| i).is_empty());
    }
}
