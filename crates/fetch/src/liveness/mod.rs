//! Alive, gone, or behind a wall: four questions, each in a file of its own, and here the one place
//! that combines them. Phrases, thinness and odd redirects raise doubt; what the site does decides.

pub mod absence;
pub mod composed;
pub mod proof;
pub mod wall;
pub mod way;

use std::collections::HashMap;

use url::Url;

use self::proof::SlugMatch;
pub use self::way::{Doubt, Sibling};
use super::Request;
use super::document::Document;
use super::fold::is_unspaced;
use super::transport::{Answer, BodyEnd, Failure};
use cited_core::outcome::{Fetched, Hop, Outcome};
use cited_core::rule::Rule;
use cited_text::language::{language_of, speaks_otherwise};
use cited_text::words::{Word, rarity, words as text_words};

/// A page with at most this many words of its own says next to nothing.
const THIN: usize = 40;

/// A page on which fewer than this share of the telling words of claims and titles occur is about something else.
const RELATED_SHARE: f64 = 0.08;

/// Telling words that are needed to say that a page is about something else (*Aspen share was 42.5%* has three).
const FEWEST_WORDS: usize = 3;
/// A word that is more frequent than this is on many pages by chance, so that one alone says nothing: it counts half. As
/// [`rarity`] counts; about every four hundredth text.
const COMMON: f32 = 6.0;

/// Where the way ended.
#[derive(Debug)]
pub struct Landing {
    /// The answer without its body, which is read.
    pub answer: Answer,
    /// What was read in it.
    pub document: Document,
}

/// A way from an address to where it led.
#[derive(Debug)]
pub struct Look {
    /// Every request, in order.
    pub hops: Vec<Hop>,
    /// The last address asked.
    pub final_url: Url,
    /// Whether there was a redirect and all were permanent.
    pub permanent: bool,
    /// The answer where it ended, or why there is none.
    pub end: Result<Box<Landing>, Failure>,
    /// When it ended.
    pub at: jiff::Timestamp,
}

impl Look {
    /// Whether any redirect was followed.
    pub fn redirected(&self) -> bool {
        self.hops.len() > 1
    }
}

/// Rules on a look, or says what raises a doubt of which a sibling has to tell. `asked` is the address as cited. What is dead is so if a second
/// look says the same.
pub fn rule(look: &Look, asked: &Url, cited: &Request<'_>) -> Result<Fetched, Doubt> {
    let landing = match &look.end {
        Ok(landing) => landing,
        Err(failure) => {
            return Ok(settled(failure.outcome(), failure.reason.as_str(), failure.rule.unwrap_or_default()));
        }
    };
    let (answer, document) = (&landing.answer, &landing.document);
    let status = answer.status;
    // Words that a wall may say are words of the page where it has what was cited; but what shows only a beginning is not read as a whole.
    let is_the_page = |wall: Rule, sign: &str| {
        let shows_a_beginning = matches!(wall, Rule::Paywall | Rule::LoginWall);
        sign.starts_with(wall::SAYS) && !shows_a_beginning && proof::carries(document, cited)
    };
    if let Some((rule, sign)) = wall::find(status, &answer.headers, document, asked, &look.final_url)
        && !is_the_page(rule, &sign)
    {
        let outcome = match rule {
            Rule::BotWall => Outcome::Blocked,
            Rule::Failing => Outcome::Unreachable,
            _ => Outcome::Restricted,
        };
        let reason = match outcome {
            _ if status < 400 => wall::describe(rule).to_owned(),
            Outcome::Restricted => format!("{}, HTTP {status}", wall::describe(rule)),
            _ => format!("HTTP {status}"),
        };
        return Ok(Fetched { signs: vec![sign], ..settled(outcome, reason, rule) });
    }
    let http = format!("HTTP {status}");
    let (outcome, reason, rule) = match (status, answer.end) {
        // Nothing to read, and nothing that says it is gone.
        (204 | 205, _) => (Outcome::Unreadable, http.as_str(), Rule::NoContent),
        (404 | 410, _) => (Outcome::Dead, http.as_str(), Rule::HttpGone),
        (401 | 402 | 451, _) => (Outcome::Restricted, http.as_str(), Rule::HttpRestricted),
        // 406 and 418 are what filters answer to clients that they take for robots; 999 is LinkedIn's.
        (403 | 406 | 418 | 429 | 430 | 999, _) => (Outcome::Blocked, http.as_str(), Rule::HttpBlocked),
        (..200 | 207.., _) => (Outcome::Unreachable, http.as_str(), Rule::HttpOther),
        (_, BodyEnd::Broken) => (Outcome::Unreachable, "body cut short", Rule::Truncated),
        (_, BodyEnd::TimedOut) => (Outcome::Unreachable, "timeout", Rule::Timeout),
        (_, BodyEnd::TooLong) => (Outcome::Unreadable, "over the size limit", Rule::SizeLimit),
        (_, BodyEnd::Complete) if document.torn => (Outcome::Unreachable, "body cut short or damaged", Rule::Truncated),
        (_, BodyEnd::Complete) => match doubt(look, asked, document, cited) {
            Some(doubt) if proof::is_the_page(document, cited, asked, doubt.rule) => return Ok(live(look, asked)),
            Some(doubt) => return Err(doubt),
            None => return Ok(by_content(look, asked, document, cited)),
        },
    };
    Ok(settled(outcome, reason, rule))
}

/// What a doubt about where a look landed comes to once a sibling was asked.
pub fn after_sibling(doubt: Doubt, sibling: Sibling, look: &Look, asked: &Url, cited: &Request<'_>) -> Fetched {
    let Ok(landing) = &look.end else { return settled(Outcome::Unreachable, "no answer", Rule::Connection) };
    let document = &landing.document;
    let Doubt { rule, reason, mut signs, up_to } = doubt;
    signs.push(sibling.to_string());
    // The front page of the same host may have nothing of what the document says of the page that led to it.
    let is_home = rule == Rule::RedirectToHome && asked.host_str() == look.final_url.host_str();
    let is_dead = sibling <= up_to || sibling == Sibling::Other && is_home && is_far(look, asked, document, cited);
    // What stands before all pages of a site answers any address alike, as nothing does.
    if sibling == Sibling::Same
        && rule == Rule::CatchAll
        && let Some(sign) = wall::asks_to_wait(&landing.answer.headers, document, &look.final_url)
    {
        signs.push(sign.to_owned());
        let rule = Rule::Interstitial;
        return Fetched { signs, ..settled(Outcome::Restricted, wall::describe(rule), rule) };
    }
    let ruling = if is_dead { settled(Outcome::Dead, reason, rule) } else { by_content(look, asked, document, cited) };
    Fetched { signs, ..ruling }
}

/// What speaks against a page: the way to it, what it says of itself, or that nothing speaks for it; and that other addresses
/// of the run ended there, in `company`, though it is about nothing that this one names. Then the redirect needs no sibling's word,
/// and a page that nobody can compare is not given the benefit of the doubt.
fn doubt(look: &Look, asked: &Url, document: &Document, cited: &Request<'_>) -> Option<Doubt> {
    if document.unreadable.is_some() {
        return None;
    }
    let landed = &look.final_url;
    let named = proof::match_slug(document, asked);
    let said = says_absence(document, asked, landed);
    let way = if look.redirected() { led_astray(asked, landed, named) } else { None };
    let led = way.is_some();
    let both = |way: Doubt, said: Doubt| Doubt {
        signs: [way.signs, said.signs].concat(),
        up_to: way.up_to.max(said.up_to),
        ..way
    };
    let doubt = way.into_iter().chain(said).reduce(both).or_else(|| unproven(look, asked, document, named));
    doubt.map(|mut doubt| {
        if cited.in_company && named == SlugMatch::Nowhere {
            doubt.signs.push("run:one-page".to_owned());
            doubt.up_to = doubt.up_to.max(if led { Sibling::Other } else { Sibling::Silent });
        }
        doubt
    })
}

/// What the way to a page says against it, as the page is called.
fn led_astray(asked: &Url, landed: &Url, named: SlugMatch) -> Option<Doubt> {
    way::by_redirect(asked, landed).filter(|doubt| {
        let stays = doubt.rule == Rule::RedirectToHome && landed.host_str() == asked.host_str();
        let place = format!("{}{}", landed.host_str().unwrap_or_default(), landed.path());
        // The front page of another host that is called like what was asked for is where it moved to.
        stays
            || doubt.rule == Rule::RedirectToError
            || named != SlugMatch::InTitle && !proof::called_like(asked, &place)
    })
}

/// What a page says against itself, unless the words that it says so in are those that its address names: a page called *410 Gone*.
fn says_absence(document: &Document, asked: &Url, landed: &Url) -> Option<Doubt> {
    let doubt = absence::find_doubt(document, landed)?;
    let title = document.page.title.as_deref().unwrap_or_default();
    let saying = match document.html.heading.as_deref() {
        Some(heading) if composed::sentences(heading).any(|part| part.absence().is_some()) => heading,
        _ => absence::says_absence(title).unwrap_or_default(),
    };
    (proof::match_slug(&Document::headed(saying), asked) != SlugMatch::InTitle).then_some(doubt)
}

/// Whether a page that counts as the one that was asked for raises doubt about itself all the same, so that what it lacks proves
/// nothing: it says that something is not there, has the words of a wall, or next to none of its own without its scripts.
pub fn doubts_itself(answer: &Answer, document: &Document, asked: &Url, landed: &Url) -> bool {
    document.needs_script && document.html.own_words <= THIN
        || says_absence(document, asked, landed).is_some()
        || wall::find(answer.status, &answer.headers, document, asked, landed).is_some()
}

/// A page that says next to nothing of its own, or nothing that its address names: it may be what its site answers for anything.
fn unproven(look: &Look, asked: &Url, document: &Document, named: SlugMatch) -> Option<Doubt> {
    if matches!(named, SlugMatch::InTitle | SlugMatch::InText) || asked.path() == "/" && asked.query().is_none() {
        return None;
    }
    let kept = !look.redirected() || way::same_place(asked, &look.final_url) || way::same_slug(asked, &look.final_url);
    if !kept || document.page.media_type != "text/html" {
        return None;
    }
    // Scripts may show a page at any address.
    if document.is_shell || document.needs_script {
        return None;
    }
    let sign = match named {
        _ if document.html.own_words <= THIN => "unproven:thin",
        SlugMatch::Nowhere => "unproven:not-named",
        _ => return None,
    };
    Some(Doubt::new(Rule::CatchAll, "answers any address alike", sign, Sibling::Same))
}

/// Whether a copy in an archive, where no sibling can be asked, may be of another page, so that what it lacks proves nothing; `None` for one
/// of an error, of the site's front page, or of nothing. `landed` is the address whose copy it is after redirects inside the archive: one that
/// leads to the front page of the site, or to its error page, has no copy of what was asked for.
pub fn doubts_copy(document: &Document, asked: &Url, landed: &Url, cited: &Request<'_>) -> Option<bool> {
    let said = says_absence(document, asked, landed);
    let way = led_astray(asked, landed, proof::match_slug(document, asked));
    // Whoever follows the copy meets the front page: what it says of the claim is said by another page.
    let is_nothing = |doubt: &Doubt| {
        let is_sure = doubt.up_to > Sibling::Same && !proof::is_the_page(document, cited, asked, doubt.rule);
        doubt.rule == Rule::RedirectToHome || is_sure
    };
    let is_doubtful = said.is_some() || way.is_some();
    (!said.iter().chain(&way).any(is_nothing)).then_some(is_doubtful)
}

/// What a page is that nothing speaks against but, perhaps, what it is about (rule 6): one without a suspicion, or one for which
/// a probe has spoken.
fn by_content(look: &Look, asked: &Url, document: &Document, cited: &Request<'_>) -> Fetched {
    if let Some(reason) = document.unreadable {
        return settled(Outcome::Unreadable, reason, Rule::NoText);
    }
    if document.is_shell {
        return settled(Outcome::Unreadable, "needs JavaScript", Rule::ScriptShell);
    }
    if document.page.text.trim().is_empty() {
        return settled(Outcome::Unreadable, "no text", Rule::Empty);
    }
    if is_far(look, asked, document, cited) {
        return settled(Outcome::Live, "about something else", Rule::OffTopic);
    }
    live(look, asked)
}

fn live(look: &Look, asked: &Url) -> Fetched {
    if look.redirected() && look.permanent && !way::same_place(asked, &look.final_url) {
        return settled(Outcome::Moved, "moved permanently", Rule::Moved);
    }
    settled(Outcome::Live, "", Rule::Live)
}

fn settled(outcome: Outcome, reason: impl Into<String>, rule: Rule) -> Fetched {
    Fetched { outcome, reason: reason.into(), rule, ..Fetched::default() }
}

/// Whether a page has next to nothing of what the document says with it. Unknown counts as no.
///
/// Content words are compared by their stems; what is written in another language shares none. The words of the hosts of
/// a way elsewhere are on every page of a site.
fn is_far(look: &Look, asked: &Url, document: &Document, cited: &Request<'_>) -> bool {
    // A page that was not sent elsewhere is of its site, and that says something.
    let hosts = [asked, &look.final_url].map(|url| url.host_str().filter(|_| look.redirected()).unwrap_or_default());
    // Content words by stem, with how much they count. What is met goes.
    let mut telling: HashMap<u64, f64> = HashMap::new();
    let mut figures = false;
    for text in cited.claims.iter().copied().chain(cited.titles.iter().map(String::as_str)) {
        for word in text_words(text).filter(|word| !word.stop) {
            let written = word.span.slice(text);
            let length = written.chars().count();
            let figure = written.chars().any(|c| c.is_ascii_digit());
            if (length >= 3 || length > 1 && (figure || written.chars().all(is_unspaced)))
                && !hosts.iter().any(|host| length > 3 && host.contains(&written.to_lowercase()))
            {
                telling.insert(word.key, if rarity(word.key) < COMMON { 0.5 } else { 1.0 });
                figures |= figure;
            }
        }
    }
    if telling.len() < FEWEST_WORDS || !document.page.complete {
        return false;
    }
    // Sentence by sentence, until enough is found: on a page that is the right one that is soon.
    let enough = (telling.len() as f64 * RELATED_SHARE).max(1.0);
    let mut met = 0.0;
    let title = document.page.title.as_deref().unwrap_or_default();
    let parts = document.page.text.lines().flat_map(|line| line.split_inclusive(". "));
    for part in std::iter::once(title).chain(parts) {
        met += text_words(part).filter_map(|word| telling.remove(&word.key)).sum::<f64>();
        if met >= enough {
            return false;
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
    met < 1.0 && figures || alike()
}

#[cfg(test)]
mod signs_tests;
#[cfg(test)]
mod tests;
