//! What became of the links of documents. Each is counted: as good, as leading nowhere, or as not looked at, with the reason. An address that
//! was asked on the web has a row, and a finding unless its page is there: there is no other way to make a result.
//!
//! Links inside a tree are looked up by who may read its files, those to the web by who may ask it.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};
use strum::EnumMessage as _;

use crate::address::identity::percent_decoded;
use crate::finding::{Code, Finding};
use crate::outcome::{Fetched, Outcome};
use crate::page::Page;
use crate::pattern::Pattern;
use cited_text::Span;

/// Why a link was not looked at: in words after a number, and for one link, of which some are told elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[derive(strum::EnumMessage)]
pub enum Skip {
    /// A template makes it, or the heading that it may lead to.
    #[strum(message = "of templates", detailed_message = "a template makes it, or the heading that it leads to")]
    Template,
    /// The settings leave it out.
    #[strum(message = "excluded", detailed_message = "")]
    Excluded,
    /// It is on the web, and nobody asked for that.
    #[strum(message = "on the web, which --online asks", detailed_message = "")]
    Web,
    /// It was asked on the web, and could not be looked at.
    #[strum(message = "could not be read", detailed_message = "")]
    Unreachable,
    /// It leads out of the tree.
    #[strum(message = "outside of the tree", detailed_message = "it leads out of the tree")]
    Outside,
    /// The generator or one of its plugins may make it.
    #[strum(message = "of plugins", detailed_message = "the site or a plugin of it may make what it leads to")]
    Plugin,
    /// It is not there, and `.gitignore` names it.
    #[strum(message = "generated", detailed_message = "it is not there, and .gitignore names it: it is generated")]
    Generated,
    /// The document is shown as a part of others.
    #[strum(
        message = "in included parts",
        detailed_message = "this document is shown as a part of others, which may have the anchor"
    )]
    Snippet,
}

impl Skip {
    /// The reason in words, after a number.
    pub fn in_words(self) -> &'static str {
        self.get_message().unwrap_or_default()
    }

    /// What is told of one link.
    pub fn of_link(self, address: &str) -> Option<String> {
        let why = self.get_detailed_message().filter(|why| !why.is_empty())?;
        Some(format!("`{address}` was not looked at: {why}"))
    }
}

/// The links of documents, counted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Tally {
    /// Links that lead somewhere.
    pub good: usize,
    /// Links that lead nowhere.
    pub nowhere: usize,
    /// Links that were not looked at, by reason.
    pub not_looked_at: BTreeMap<Skip, usize>,
}

impl Tally {
    /// Takes note of a link that was not looked at.
    pub fn pass(&mut self, why: Skip) {
        *self.not_looked_at.entry(why).or_default() += 1;
    }

    /// Takes note of the links to the web that were asked: whether each is good, leads nowhere, or could not be looked at.
    pub fn answered(&mut self, links: &Tally) {
        if links.count_all() > 0 {
            self.not_looked_at.remove(&Skip::Web);
        }
        self.add(links);
    }

    /// All links.
    pub fn count_all(&self) -> usize {
        self.good + self.nowhere + self.not_looked_at.values().sum::<usize>()
    }

    /// The sum of two counts.
    pub fn add(&mut self, other: &Tally) {
        self.good += other.good;
        self.nowhere += other.nowhere;
        for (why, count) in &other.not_looked_at {
            *self.not_looked_at.entry(*why).or_default() += count;
        }
    }
}

static EVERYWHERE: Pattern = Pattern::new(r"^(?:(?i:top))?$|^[:/!?]|^L[0-9]");

/// Whether a fragment leads somewhere in any document: to its top, to words or lines of it, or to what a script makes of it.
pub fn is_everywhere(fragment: &str) -> bool {
    EVERYWHERE.is_match(fragment)
}

/// An address that was asked, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RequestedAddress {
    /// The address.
    pub url: String,
    /// What asking it gave.
    pub outcome: Outcome,
    /// Why, in a few words.
    reason: String,
    /// The HTTP status of the last answer; `None` when none came.
    status: Option<u16>,
    /// The copy that an archive has, where the page is gone.
    copy: Option<String>,
}

/// Findings, and what was asked for them.
#[derive(Debug, Clone, Default)]
pub struct Results {
    findings: Vec<Finding>,
    /// Which addresses are told of as sources, and where.
    told: HashSet<(Option<Span>, String)>,
    asked: Vec<RequestedAddress>,
    links: Tally,
}

impl Results {
    /// Results of which the findings on listed sources are told already.
    pub fn new(findings: Vec<Finding>) -> Self {
        let told = findings.iter().filter_map(|finding| Some((finding.span, url_of(finding)?))).collect();
        Results { findings, told, ..Results::default() }
    }

    /// Tells what is to be told of a link to an address that was asked.
    pub fn link(&mut self, span: Span, address: &str, answer: &Fetched) {
        self.count(answer.outcome);
        let is_told = self.told.contains(&(Some(span), address.to_owned()));
        let own = finding(address, answer).filter(|_| !is_told);
        let page = answer.page.as_ref().filter(|_| is_there(answer.outcome));
        let missing = page.and_then(|page| missing_fragment(address, page)).map(|message| {
            let finding = Finding::new(Code::MissingFragment, message);
            finding.on_address(address, answer.outcome.as_str(), answer.status())
        });
        self.findings.extend(own.into_iter().chain(missing).map(|finding| finding.at(span)));
    }

    /// Counts a link of a list, of which findings on sources tell.
    pub fn count(&mut self, outcome: Outcome) {
        if is_there(outcome) {
            self.links.good += 1;
        } else if matches!(outcome, Outcome::Dead | Outcome::Archived) {
            self.links.nowhere += 1;
        } else {
            self.links.pass(Skip::Unreachable);
        }
    }

    /// Adds rows for addresses that were asked as one. Where their page is not there and nothing was told of any of them, that
    /// is told now.
    pub fn answer(&mut self, addresses: &[&str], answer: &Fetched) {
        self.asked.extend(addresses.iter().map(|address| RequestedAddress {
            url: (*address).to_owned(),
            outcome: answer.outcome,
            reason: answer.reason.clone(),
            status: answer.status(),
            copy: answer.archive.as_ref().map(|copy| copy.url.clone()),
        }));
        let is_told = self.findings.iter().filter_map(url_of).any(|url| addresses.contains(&url.as_str()));
        if !is_told && let Some(address) = addresses.first() {
            self.findings.extend(finding(address, answer));
        }
    }

    /// Keeps the findings of which the code is wanted.
    pub fn keep(&mut self, wanted: impl Fn(Code) -> bool) {
        self.findings.retain(|finding| wanted(finding.code));
    }

    /// The findings in order of place, what was asked in order of address, and the links, counted.
    pub fn into_parts(mut self) -> (Vec<Finding>, Vec<RequestedAddress>, Tally) {
        self.findings.sort_by(|a, b| (&a.file, a.span, a.code).cmp(&(&b.file, b.span, b.code)));
        self.asked.sort_by(|a, b| a.url.cmp(&b.url));
        (self.findings, self.asked, self.links)
    }
}

/// The address that a finding is about.
pub fn url_of(finding: &Finding) -> Option<String> {
    finding.about.as_deref().and_then(|about| about.url.clone())
}

/// Whether a reader who follows a link gets its page.
fn is_there(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Live | Outcome::Moved | Outcome::Unreadable)
}

/// What is told of an address that was asked; nothing where its page is there.
fn finding(address: &str, answer: &Fetched) -> Option<Finding> {
    let reason = &answer.reason;
    let (code, message, remedy) = match answer.outcome {
        Outcome::Live | Outcome::Unreadable => return None,
        Outcome::Moved => {
            let now = answer.final_url.as_deref().unwrap_or("another address");
            let message = format!("the link to {address} has moved for good to {now}");
            (Code::MovedLink, message, "use the new address".to_owned())
        }
        Outcome::Dead | Outcome::Archived => {
            let copy = answer.archive.as_ref().map(|copy| format!("the archived copy {}", copy.url));
            let remedy = format!("link to another page, or to {}", copy.as_deref().unwrap_or("an archived copy"));
            (Code::DeadLink, format!("the link to {address} is dead ({reason})"), remedy)
        }
        Outcome::Restricted | Outcome::Blocked | Outcome::Unreachable | Outcome::Refused | Outcome::Unasked => {
            let message = format!("the link to {address} could not be checked: {reason}");
            (Code::UncheckedLink, message, "open it yourself, or try again later".to_owned())
        }
    };
    let status = answer.status();
    Some(Finding::new(code, message).remedy(remedy).on_address(address, answer.outcome.as_str(), status))
}

/// What is missing of a page that was read whole and to whose place or words an address leads.
fn missing_fragment(address: &str, page: &Page) -> Option<String> {
    let (_, fragment) = address.split_once('#')?;
    let (name, directive) = fragment.split_once(":~:").map_or((fragment, None), |(name, rest)| (name, Some(rest)));
    let is_html = page.complete && page.media_type == "text/html";
    if !is_html {
        return None;
    }
    let is_there = |name: &str| page.ids.iter().any(|id| id == name.strip_prefix("user-content-").unwrap_or(name));
    let known = is_everywhere(name) || is_there(name) || is_there(&percent_decoded(name));
    // Of a page without a single name a script may make them all.
    if !known && !page.ids.is_empty() {
        return Some(format!("the page of {address} has no anchor `#{name}`"));
    }
    let words = directive?.split('&').filter_map(|part| part.strip_prefix("text="));
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let text = folded(&page.text);
    let is_context = |part: &&str| !part.ends_with('-') && !part.starts_with('-');
    let parts = words.flat_map(|words| words.split(',').filter(is_context));
    let missing = parts.map(percent_decoded).find(|part| !text.contains(&folded(part)))?;
    Some(format!("the page of {address} does not have the words “{missing}”"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(outcome: Outcome) -> Fetched {
        Fetched { outcome, ..Fetched::unasked("https://a.example/", "HTTP 410", jiff::Timestamp::UNIX_EPOCH) }
    }

    #[test]
    fn every_outcome_but_a_page_that_is_there_is_told_and_every_address_has_a_row() {
        for &outcome in Outcome::ALL {
            let mut by_answer = Results::default();
            by_answer.answer(&["https://a.example/", "https://b.example/"], &answer(outcome));
            let mut by_link = Results::default();
            by_link.link(Span::new(1, 2), "https://a.example/", &answer(outcome));
            by_link.answer(&["https://a.example/"], &answer(outcome));
            let expected = usize::from(!matches!(outcome, Outcome::Live | Outcome::Unreadable));
            for (results, rows) in [(by_answer, 2), (by_link, 1)] {
                let (findings, asked, _) = results.into_parts();
                assert_eq!((findings.len(), asked.len()), (expected, rows), "{outcome:?}: {findings:?}");
            }
        }
    }

    #[test]
    fn fragments_are_looked_up_on_the_page() {
        let page = Page {
            ids: vec!["real".to_owned(), "größe".to_owned()],
            ..Page::of_text("The moon is far\naway.", "text/html")
        };
        for (fragment, missing) in [
            ("real", false),
            ("fake", true),
            ("gr%C3%B6%C3%9Fe", false),
            ("L20", false),
            (":~:text=moon%20is%20FAR%20away", false),
            (":~:text=The-,moon,away", false),
            (":~:text=sun", true),
            ("real:~:text=sun", true),
        ] {
            let found = missing_fragment(&format!("https://a.example/#{fragment}"), &page);
            assert_eq!(found.is_some(), missing, "{fragment}: {found:?}");
        }
        let other = Page { ids: Vec::new(), ..page };
        assert_eq!(missing_fragment("https://a.example/#fake", &other), None);
    }
}
