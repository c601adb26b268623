//! From where a look ended to what it means (checking.md, "Liveness"), in the order that the specification gives.

use std::collections::HashMap;

use url::Url;

use super::document::{Document, is_cjk};
use super::fold::{fold, holds, words};
use super::look::{End, Look};
use super::outcome::Outcome;
use super::rule::Rule;
use super::soft404::{self, Suspicion};
use super::transport::{BodyEnd, FailureKind};
use super::walls::{self, Wall};
use crate::text::language::{language_of, speaks_otherwise};
use crate::text::words::{Word, rarity, words as text_words};

/// What a look means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruling {
    /// Decided, and not dead.
    Settled {
        /// The state.
        outcome: Outcome,
        /// In words.
        reason: String,
        /// The rule that decided.
        rule: Rule,
    },
    /// Gone, if a second look says so too.
    Gone {
        /// In words.
        reason: String,
        /// The rule that decided.
        rule: Rule,
    },
    /// A probe has to tell.
    Doubtful(Suspicion),
}

/// What the document says of the source, for telling the right page from another.
#[derive(Clone, Copy, Default)]
pub struct Cited<'a> {
    /// Titles of its entries.
    pub titles: &'a [String],
    /// Sentences that cite it.
    pub claims: &'a [&'a str],
    /// Whether a text supports one of them.
    pub supports: Option<&'a (dyn Fn(&str) -> bool + Send + Sync)>,
}

/// Words a claim or title must have to be told from chance when it is found on a page.
const TELLING_WORDS: usize = 4;

/// A page on which fewer than this share of the telling words of claims and titles occur is about something else.
const RELATED_SHARE: f64 = 0.08;

/// Telling words that are needed to say that a page is about something else …
const ENOUGH_WORDS: usize = 8;
/// … and of which next to none may be on it where it is told from fewer of them, and from a shorter page. A redirect to it is
/// a proof only with so many …
const FEW_WORDS: usize = 4;
/// … and nothing is said of a page with fewer than these (*Aspen share was 42.5%* has three).
const FEWEST_WORDS: usize = 3;
/// A word that is more frequent than this is on many pages by chance, so that one alone says nothing: it counts half. As
/// [`rarity`] counts; about every four hundredth text.
const COMMON: f32 = 6.0;
/// Words of a page from which on some of the telling ones are too few.
const LONG_PAGE: usize = 40;
/// Words of a page from which on a redirect to it leads to unrelated content.
const SHORT_PAGE: usize = 12;

/// Rules on a look. `asked` is the address as cited.
pub fn rule(look: &Look, asked: &Url, cited: Cited<'_>) -> Ruling {
    let landing = match &look.end {
        End::Answer(landing) => landing,
        End::Failure(failure) => return by_failure(failure.kind, &failure.reason),
        End::Lost(reason) => return settled(Outcome::Unreachable, *reason, Rule::RedirectLost),
    };
    let (answer, document) = (&landing.answer, &landing.document);
    let status = answer.status;
    if let Some(wall) = walls::find(status, &answer.headers, document, asked, &look.final_url) {
        let outcome = if wall == Wall::Bot { Outcome::Blocked } else { Outcome::Restricted };
        let reason = if status >= 400 { format!("HTTP {status}") } else { wall.reason().to_owned() };
        return settled(outcome, reason, wall.rule());
    }
    if let Some(ruling) = by_status(status) {
        return ruling;
    }
    match answer.end {
        BodyEnd::Broken => return settled(Outcome::Unreachable, "body cut short", Rule::Truncated),
        BodyEnd::TimedOut => return settled(Outcome::Unreachable, "timeout", Rule::Timeout),
        BodyEnd::TooLong => return settled(Outcome::Unreadable, "over the size limit", Rule::SizeLimit),
        BodyEnd::Complete if document.torn => {
            return settled(Outcome::Unreachable, "body cut short or damaged", Rule::Truncated);
        }
        BodyEnd::Complete => {}
    }
    if let Some(reason) = document.unreadable {
        return settled(Outcome::Unreadable, reason, Rule::NoText);
    }
    let suspicion = suspicion(look, asked, document);
    if let Some(suspicion) = suspicion {
        if is_the_page(document, cited, asked, suspicion.rule) {
            return live(look, asked);
        }
        return if suspicion.sure {
            Ruling::Gone { reason: suspicion.reason, rule: suspicion.rule }
        } else {
            Ruling::Doubtful(suspicion)
        };
    }
    by_content(look, asked, cited)
}

/// What a page is that nothing speaks against but, perhaps, what it is about (rule 6): one without a suspicion, or one for which
/// a probe has spoken.
pub fn by_content(look: &Look, asked: &Url, cited: Cited<'_>) -> Ruling {
    let End::Answer(landing) = &look.end else { return settled(Outcome::Unreachable, "no answer", Rule::Connection) };
    let document = &landing.document;
    if document.is_shell {
        return settled(Outcome::Unreadable, "needs JavaScript", Rule::ScriptShell);
    }
    if document.page.text.trim().is_empty() {
        return settled(Outcome::Unreadable, "no text", Rule::Empty);
    }
    // A page that was not sent elsewhere is of its site, and that says something.
    let hosts = [asked, &look.final_url].map(|url| url.host_str().unwrap_or_default());
    let hosts: &[&str] = if look.redirected() { &hosts } else { &[] };
    let Some(distance) = distance(document, cited, hosts) else { return live(look, asked) };
    let stays = soft404::same_place(asked, &look.final_url) || soft404::same_slug(asked, &look.final_url);
    // Of a handful of words nobody can say what they are about.
    if look.redirected() && !stays && distance == Distance::Proven && words(&document.page.text) >= SHORT_PAGE {
        return Ruling::Gone { reason: "redirects to unrelated content".to_owned(), rule: Rule::RedirectUnrelated };
    }
    settled(Outcome::Live, "about something else", Rule::OffTopic)
}

fn live(look: &Look, asked: &Url) -> Ruling {
    let related = soft404::same_place(asked, &look.final_url) || soft404::same_slug(asked, &look.final_url);
    if look.redirected() && look.permanent && !related {
        return settled(Outcome::Moved, "moved permanently", Rule::Moved);
    }
    settled(Outcome::Live, "", Rule::Live)
}

fn suspicion(look: &Look, asked: &Url, document: &Document) -> Option<Suspicion> {
    let by_way = if look.redirected() { soft404::by_redirect(asked, &look.final_url) } else { None };
    match (by_way, soft404::by_text(document, &look.final_url)) {
        (Some(way), _) if way.sure => Some(way),
        (_, Some(text)) if text.sure => Some(text),
        (way, text) => way.or(text),
    }
}

fn settled(outcome: Outcome, reason: impl Into<String>, rule: Rule) -> Ruling {
    Ruling::Settled { outcome, reason: reason.into(), rule }
}

fn by_failure(kind: FailureKind, reason: &str) -> Ruling {
    match kind {
        FailureKind::NoSuchHost => Ruling::Gone { reason: reason.to_owned(), rule: Rule::NoSuchHost },
        FailureKind::Refused => settled(Outcome::Refused, reason, Rule::Refused),
        FailureKind::Unasked | FailureKind::OurSide => settled(Outcome::Unasked, reason, Rule::Unasked),
        FailureKind::ConnectTimeout | FailureKind::Timeout => settled(Outcome::Unreachable, reason, Rule::Timeout),
        FailureKind::Tls => settled(Outcome::Unreachable, reason, Rule::Tls),
        FailureKind::Dns => settled(Outcome::Unreachable, reason, Rule::Dns),
        FailureKind::TooManyHeaders | FailureKind::Malformed => settled(Outcome::Unreachable, reason, Rule::Malformed),
        FailureKind::ConnectionRefused | FailureKind::Reset | FailureKind::Closed | FailureKind::Unreachable => {
            settled(Outcome::Unreachable, reason, Rule::Connection)
        }
    }
}

/// What a status decides by itself; `None` when the page has to be looked at.
fn by_status(status: u16) -> Option<Ruling> {
    let reason = format!("HTTP {status}");
    Some(match status {
        200..=203 | 206 => return None,
        // Nothing to read, and nothing that says it is gone.
        204 | 205 => settled(Outcome::Unreadable, reason, Rule::NoContent),
        404 | 410 => Ruling::Gone { reason, rule: Rule::HttpGone },
        401 | 402 | 451 => settled(Outcome::Restricted, reason, Rule::HttpRestricted),
        // 406 and 418 are what filters answer to clients that they take for robots; 999 is LinkedIn's.
        403 | 406 | 418 | 429 | 430 | 999 => settled(Outcome::Blocked, reason, Rule::HttpBlocked),
        _ => settled(Outcome::Unreachable, reason, Rule::HttpOther),
    })
}

/// Whether the page is the one that was cited, whatever else looks odd: it carries a cited passage or the cited title
/// (rule 2).
pub fn is_the_page(document: &Document, cited: Cited<'_>, asked: &Url, rule: Rule) -> bool {
    let text = fold(&document.page.text, 400_000);
    let carried = |passage: &str| {
        let passage = fold(passage, 2000);
        words(&passage) >= TELLING_WORDS && holds(&text, &passage)
    };
    if cited.claims.iter().any(|claim| carried(claim) || quotations(claim).any(carried)) {
        return true;
    }
    if cited.supports.is_some_and(|supports| supports(&document.page.text)) {
        return true;
    }
    // The front page of a site carries the titles of its articles, and an error page repeats what was asked for; there
    // a title must be the page's own.
    let title = document.page.title.as_deref().unwrap_or_default();
    let own = fold(&format!("{title} {}", document.heading.as_deref().unwrap_or_default()), 1000);
    cited.titles.iter().any(|title| {
        let title = fold(title, 1000);
        let telling = words(&title) >= 3 && !names_site(document, &title, asked, rule);
        telling && (holds(&own, &title) || rule.is_redirect() && words(&title) >= 6 && holds(&text, &title))
    })
}

/// Whether a folded title is only the name of the site, which all of its pages carry, those that say *page not found* too: the
/// last part of the page's title (*Page not found - World Health Organization*) or what stands beside the error, what the page
/// calls its site, the host, or the title of the front page that a redirect led to.
fn names_site(document: &Document, title: &str, asked: &Url, rule: Rule) -> bool {
    let own = document.page.title.as_deref().unwrap_or_default();
    let is = |part: &str| fold(part, 1000) == title;
    let parts: Vec<&str> = soft404::parts_of_title(own).filter(|part| !part.trim().is_empty()).collect();
    let is_end = match parts.as_slice() {
        [first, .., last] => is(last) || is(first) && soft404::says_error(last).is_some(),
        _ => false,
    };
    let squeezed: String = title.chars().filter(|c| c.is_alphanumeric()).collect();
    let is_host = asked
        .host_str()
        .is_some_and(|host| host.split('.').any(|label| label.chars().filter(|&c| c != '-').eq(squeezed.chars())));
    is_end
        || is_host
        || document.site.as_deref().is_some_and(is)
        || rule == Rule::RedirectToHome && (is(own) || document.heading.as_deref().is_some_and(is))
}

/// What stands between quotation marks in a claim.
fn quotations(claim: &str) -> impl Iterator<Item = &str> {
    claim.split(['“', '”', '„', '"', '«', '»', '「', '」', '『', '』']).skip(1).step_by(2)
}

/// How sure it is that a page is about something else than what is said with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distance {
    /// Too little is said to take a redirect to it for a proof.
    Likely,
    /// Enough is said.
    Proven,
}

/// Whether a page has next to nothing of what the document says with it. Unknown counts as no.
///
/// Content words are compared by their stems; what is written in another language shares none. The words of its `hosts` are on
/// every page of a site.
pub fn distance(document: &Document, cited: Cited<'_>, hosts: &[&str]) -> Option<Distance> {
    // Content words by stem and function words by form, each with whether it was met; of the former how much they count.
    let mut telling: HashMap<u64, (f64, bool)> = HashMap::new();
    let mut small: HashMap<u64, bool> = HashMap::new();
    let mut figures = false;
    for text in cited.claims.iter().copied().chain(cited.titles.iter().map(String::as_str)) {
        for word in text_words(text) {
            let written = word.span.of(text);
            let length = written.chars().count();
            let figure = written.chars().any(|c| c.is_ascii_digit());
            if word.stop {
                small.insert(word.form, false);
            } else if (length >= 3 || length > 1 && (figure || written.chars().all(is_cjk)))
                && !hosts.iter().any(|host| length > 3 && host.contains(&written.to_lowercase()))
            {
                let weight = if rarity(word.key) < COMMON { 0.5 } else { 1.0 };
                telling.insert(word.key, (weight, false));
                figures |= figure;
            }
        }
    }
    let count = telling.len();
    let few = count < ENOUGH_WORDS || small.len() < 3;
    if count < FEWEST_WORDS || !document.page.complete {
        return None;
    }
    // Sentence by sentence, until enough is found: on a page that is the right one that is soon.
    let enough = if few { 1.0 } else { (count as f64 * RELATED_SHARE).ceil() };
    let (mut met, mut met_small, mut page_words) = (0.0, 0, 0_usize);
    let title = document.page.title.as_deref().unwrap_or_default();
    let parts = document.page.text.lines().flat_map(|line| line.split_inclusive(". "));
    for part in std::iter::once(title).chain(parts) {
        for word in text_words(part) {
            page_words += 1;
            if let Some((weight, was_met)) = telling.get_mut(&word.key)
                && !std::mem::replace(was_met, true)
            {
                met += *weight;
            } else if let Some(was_met) = small.get_mut(&word.form)
                && !std::mem::replace(was_met, true)
            {
                met_small += 1;
            }
        }
        if met >= enough {
            return None;
        }
    }
    // A page in another language has the figures, when there are any.
    let alike = || {
        let said = cited.claims.join(" ");
        let own: Vec<Word> = text_words(&said).collect();
        let page = language_of(&document.page.text, &text_words(&document.page.text).collect::<Vec<_>>());
        page.is_none_or(|page| match language_of(&said, &own) {
            Some(own) => own == page,
            None => !speaks_otherwise(&own, page),
        })
    };
    let nothing = met < 1.0 && (figures || alike());
    if nothing && count < FEW_WORDS {
        return Some(Distance::Likely);
    }
    let far = nothing || !few && page_words >= LONG_PAGE && met_small * 2 >= small.len();
    far.then_some(Distance::Proven)
}

#[cfg(test)]
mod tests;
