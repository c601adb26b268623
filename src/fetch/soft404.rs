//! Pages that say "not found" with status 200, parked domains, and redirects that lead astray (checking.md, deciding,
//! rules 3 and 4). The phrases are data in `data/`.

use std::collections::HashSet;
use std::sync::LazyLock;

use url::Url;

use super::document::{Document, is_cjk};
use super::fold::{Finder, fold, holds, place, rows, words};
use super::rule::Rule;

/// What speaks against a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suspicion {
    /// Whether it decides by itself; otherwise a probe has to.
    pub sure: bool,
    /// The rule that says so.
    pub rule: Rule,
    /// In words for a reader.
    pub reason: String,
}

/// A page with at most this many words in its main part has nothing else to say than its title says. One with more may be an
/// article about errors or domains, of which some are short.
const BARE_PAGE: usize = 30;

/// A page with at most this many words is one that its opening phrase speaks for …
const TINY_PAGE: usize = 60;
/// … and that speaks for one with as many where the title says the same.
const SHORT_PAGE: usize = 120;

/// Beyond this an opening phrase is part of a text.
const OPENING_PAGE: usize = 200;

/// How much of the opening is looked at, in characters: headline and first sentence.
const OPENING: usize = 220;

/// Words that a title may have beside the phrase: an apology, a number, a site's name without a divider.
const SPARE_WORDS: usize = 3;

/// Words that may stand before the phrase in a sentence that says nothing else ("Sorry, but …"), after one that is
/// complete, and after one that goes on.
const WORDS_BEFORE: usize = 6;
const WORDS_AFTER: usize = 4;
const WORDS_AFTER_OPEN: usize = 14;

/// What divides the parts of a title.
const DIVIDERS: [char; 10] = ['|', '–', '—', '·', '•', '»', '«', ':', '/', '›'];

/// Names of a site's front page.
const HOME_SEGMENTS: [&str; 14] = [
    "index",
    "index.html",
    "index.htm",
    "index.php",
    "index.asp",
    "index.aspx",
    "index.jsp",
    "index.shtml",
    "home",
    "home.html",
    "home.htm",
    "home.php",
    "home.aspx",
    "default.aspx",
];

struct Phrase {
    text: String,
    words: usize,
    /// Whether the sentence goes on after it.
    goes_on: bool,
}

static PHRASES: LazyLock<Vec<Phrase>> = LazyLock::new(|| {
    rows(include_str!("data/error_phrases.tsv"))
        .filter_map(|row| {
            let phrase = row.get(1)?;
            let text = fold(phrase, 200);
            Some(Phrase { words: words(&text), text, goes_on: phrase.ends_with('…') })
        })
        .collect()
});

static PHRASE_FINDER: LazyLock<Finder> =
    LazyLock::new(|| Finder::of(PHRASES.iter().map(|phrase| phrase.text.as_str())));

/// The phrases that a folded text holds.
fn phrases_in(folded: &str) -> impl Iterator<Item = &'static Phrase> {
    PHRASE_FINDER
        .found_in(folded.as_bytes())
        .filter_map(|number| PHRASES.get(number))
        .filter(move |phrase| holds(folded, &phrase.text))
}

static EXPLAINERS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    rows(include_str!("data/explainers.tsv")).filter_map(|row| row.get(1).map(|word| fold(word, 60))).collect()
});

static APOLOGIES: LazyLock<HashSet<String>> = LazyLock::new(|| {
    rows(include_str!("data/apologies.tsv")).filter_map(|row| row.get(1).map(|word| fold(word, 60))).collect()
});

/// What parts of paths are names of error pages, without case, ending and dividers: the names of the table, and the phrases that
/// error pages say (*nicht-gefunden*).
static ERROR_NAMES: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let names = rows(include_str!("data/error_paths.tsv")).filter_map(|row| row.first().map(|name| squeezed(name)));
    let said = PHRASES.iter().filter(|phrase| !phrase.goes_on).map(|phrase| squeezed(&phrase.text));
    names.chain(said).collect()
});

/// Letters and digits of a part of a path or of a phrase.
fn squeezed(text: &str) -> String {
    fold(text, 200).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Whether a part of a path is what sites call their error pages.
fn names_error(part: &str) -> bool {
    // A name without a value, as far as decoding goes.
    let mut decoded = url::form_urlencoded::parse(stem(part).as_bytes());
    decoded.next().is_some_and(|(name, _)| ERROR_NAMES.contains(&squeezed(&name)))
}

static PARKED: LazyLock<(Vec<&'static str>, Vec<String>)> = LazyLock::new(|| {
    let of = |kind: &'static str| {
        rows(include_str!("data/parked.tsv"))
            .filter(move |row| row.first() == Some(&kind))
            .filter_map(|row| row.get(1).copied())
    };
    (of("host").collect(), of("phrase").map(|phrase| fold(phrase, 200)).collect())
});

/// What the text of a page says against it.
pub fn by_text(document: &Document, landed: &Url) -> Option<Suspicion> {
    parked(document, landed).or_else(|| error_page(document))
}

fn parked(document: &Document, landed: &Url) -> Option<Suspicion> {
    let sure = |reason: &str| Some(Suspicion { sure: true, rule: Rule::Parked, reason: reason.to_owned() });
    let host = landed.host_str().unwrap_or_default();
    let (hosts, phrases) = &*PARKED;
    let of_parker =
        |parker: &&str| host == *parker || host.strip_suffix(*parker).is_some_and(|head| head.ends_with('.'));
    let count = document.main_words;
    if hosts.iter().any(of_parker) && count <= OPENING_PAGE {
        return sure("parked domain");
    }
    if count > OPENING_PAGE {
        return None;
    }
    let title = fold(document.page.title.as_deref().unwrap_or_default(), 300);
    let text = fold(&document.page.text, 4000);
    let said = phrases.iter().filter(|phrase| holds(&title, phrase) || holds(&text, phrase)).count();
    let titled = phrases.iter().any(|phrase| holds(&title, phrase));
    let parked = said >= 2 || titled && count <= TINY_PAGE;
    parked.then(|| Suspicion { sure: count <= BARE_PAGE, rule: Rule::Parked, reason: "parked domain".to_owned() })
}

fn error_page(document: &Document) -> Option<Suspicion> {
    let count = document.main_words;
    let spoken = |said: &str, sure: bool| {
        Some(Suspicion { sure, rule: Rule::Soft404, reason: format!("soft 404: page says “{}”", said.trim()) })
    };
    let title = document.page.title.as_deref().unwrap_or_default();
    let heading = document.heading.as_deref().unwrap_or_default();
    if let Some(part) = says_error(title).or_else(|| says_error(heading)) {
        let opening = || said_at_the_opening(document, &[title, heading]).is_some_and(|(_, plain)| plain);
        return spoken(part, count <= BARE_PAGE || count <= SHORT_PAGE && opening());
    }
    if count > OPENING_PAGE || fold(title, 300).split(' ').any(|word| EXPLAINERS.contains(word)) {
        return None;
    }
    let (sentence, plain) = said_at_the_opening(document, &[])?;
    spoken(&sentence, plain && count <= TINY_PAGE)
}

/// The first sentence of the opening that says that there is no page, and whether it says nothing else. Sentences that are one of
/// these are left out.
fn said_at_the_opening(document: &Document, without: &[&str]) -> Option<(String, bool)> {
    let opening: String = document.page.main().chars().take(OPENING).collect();
    let without: Vec<String> = without.iter().map(|text| fold(text, OPENING)).collect();
    opening.split(['\n', '.', '!', '?', '。', '！', '？']).find_map(|sentence| {
        let folded = fold(sentence, OPENING);
        let mut said = phrases_in(&folded).filter(|phrase| phrase.words >= 3 || phrase.goes_on).peekable();
        said.peek()?;
        let plain = said.any(|phrase| is_plain(sentence, &folded, phrase));
        (!without.contains(&folded)).then(|| (sentence.to_owned(), plain))
    })
}

/// Whether a sentence says that there is no page and nothing else: an apology before, a little after, and no quotation
/// marks, for a page may quote an error message.
fn is_plain(sentence: &str, folded: &str, phrase: &Phrase) -> bool {
    let Some(at) = place(folded, &phrase.text) else { return false };
    let before = folded.get(..at).unwrap_or_default().trim();
    // Scripts without spaces have no words to compare; there the length has to do.
    let apology = before.split(' ').all(|word| word.is_empty() || word.chars().any(is_cjk) || APOLOGIES.contains(word));
    let before = words(before);
    let after = words(folded.get(at + phrase.text.len()..).unwrap_or_default().trim());
    let limit = if phrase.goes_on { WORDS_AFTER_OPEN } else { WORDS_AFTER };
    apology
        && before <= WORDS_BEFORE
        && after <= limit
        && !sentence.contains(['“', '”', '"', '„', '«', '»', '「', '」'])
}

/// The part of a title that says that there is no page, if one says nothing but that.
pub(super) fn says_error(title: &str) -> Option<&str> {
    if fold(title, 300).split(' ').any(|word| EXPLAINERS.contains(word)) {
        return None;
    }
    parts_of_title(title).find(|part| {
        let folded = fold(part, 300);
        phrases_in(&folded).any(|phrase| {
            let Some(at) = place(&folded, &phrase.text) else { return false };
            let spare = words(&folded).saturating_sub(phrase.words);
            // A number or a short phrase must be all that the part says.
            let allowed = match phrase.words {
                0 | 1 => 0,
                2 => 1,
                _ => SPARE_WORDS + usize::from(at == 0),
            };
            spare <= allowed
        })
    })
}

/// The parts of a title: *Page not found | Acme* has two.
pub fn parts_of_title(title: &str) -> impl Iterator<Item = &str> {
    title.split(DIVIDERS).flat_map(|part| part.split(" - "))
}

/// What the way to a page says against it.
pub fn by_redirect(asked: &Url, landed: &Url) -> Option<Suspicion> {
    let (from, to) = (segments(asked), segments(landed));
    if same_place(asked, landed) {
        return None;
    }
    let last = |path: &[String]| path.last().cloned().unwrap_or_default();
    let is_error = |path: &[String]| path.iter().any(|part| names_error(part));
    if is_error(&to) && !is_error(&from) {
        let reason = "redirects to an error page".to_owned();
        return Some(Suspicion { sure: true, rule: Rule::RedirectToError, reason });
    }
    let to_front = is_front(&to) && landed.query().is_none_or(is_tracking);
    let from_front = is_front(&from) && asked.query().is_none();
    if to_front && !from_front {
        let reason = "redirects to the home page".to_owned();
        return Some(Suspicion { sure: true, rule: Rule::RedirectToHome, reason });
    }
    if from_front {
        return None;
    }
    let home = |path: &[String]| HOME_SEGMENTS.contains(&last(path).as_str());
    if home(&to) && !home(&from) && slug(&from) != slug(to.get(..to.len() - 1).unwrap_or_default()) {
        let reason = "redirects to an index page".to_owned();
        return Some(Suspicion { sure: false, rule: Rule::RedirectToIndex, reason });
    }
    if from.len() >= 3 && to.len() == 1 && slug(&from) != slug(&to) {
        let reason = "redirects to a page further up".to_owned();
        return Some(Suspicion { sure: false, rule: Rule::RedirectCollapsed, reason });
    }
    // Cut short on the way up: /blog/2019/post to /blog.
    if to.len() < from.len() && from.starts_with(&to) {
        let reason = "redirects to a page further up".to_owned();
        return Some(Suspicion { sure: false, rule: Rule::RedirectCollapsed, reason });
    }
    None
}

/// Whether a redirect stays with the same page: scheme, `www.`, slash, case, ending, or language aside.
pub fn same_place(one: &Url, other: &Url) -> bool {
    let host =
        |url: &Url| url.host_str().unwrap_or_default().trim_start_matches("www.").trim_start_matches("m.").to_owned();
    host(one) == host(other) && one.query() == other.query() && bare_path(one) == bare_path(other)
}

/// Whether two addresses end in the same slug.
pub fn same_slug(one: &Url, other: &Url) -> bool {
    let (one, other) = (slug(&segments(one)), slug(&segments(other)));
    !one.is_empty() && one == other
}

fn bare_path(url: &Url) -> Vec<String> {
    let mut path = segments(url);
    if path.last().is_some_and(|last| HOME_SEGMENTS.contains(&last.as_str())) {
        path.pop();
    }
    if path.first().is_some_and(|first| is_locale(first)) {
        path.remove(0);
    }
    if let Some(last) = path.last_mut() {
        *last = stem(last).to_owned();
    }
    path
}

fn segments(url: &Url) -> Vec<String> {
    url.path_segments().into_iter().flatten().filter(|part| !part.is_empty()).map(str::to_lowercase).collect()
}

/// The last part of a path, without its ending.
fn slug(path: &[String]) -> String {
    path.last().map(|last| stem(last).to_owned()).unwrap_or_default()
}

fn stem(part: &str) -> &str {
    [".html", ".htm", ".php", ".aspx", ".asp", ".jsp", ".shtml", ".xhtml"]
        .iter()
        .find_map(|ending| part.strip_suffix(ending))
        .unwrap_or(part)
}

/// Whether a path is a site's front page: nothing, a front page's name, or a language.
fn is_front(path: &[String]) -> bool {
    match path {
        [] => true,
        [only] => HOME_SEGMENTS.contains(&only.as_str()) || is_locale(only),
        [locale, only] => is_locale(locale) && HOME_SEGMENTS.contains(&only.as_str()),
        _ => false,
    }
}

/// Languages that sites have versions in (ISO 639-1), and scripts that tell versions apart.
const LANGUAGES: [&str; 44] = [
    "en", "de", "fr", "es", "pt", "it", "nl", "sv", "da", "nb", "no", "fi", "pl", "cs", "sk", "hu", "ro", "tr", "ru",
    "uk", "bg", "sr", "hr", "sl", "el", "he", "iw", "ar", "fa", "hi", "bn", "th", "vi", "id", "ms", "ja", "zh", "ko",
    "ca", "et", "lv", "lt", "is", "eu",
];
const SCRIPTS: [&str; 4] = ["hans", "hant", "latn", "cyrl"];

/// `en`, `en-us`, `en_us`, `zh-hans`.
fn is_locale(part: &str) -> bool {
    let mut pieces = part.split(['-', '_']);
    let language = pieces.next().unwrap_or_default();
    let region = pieces.next();
    let is_region =
        |region: &str| region.len() == 2 && region.bytes().all(|b| b.is_ascii_lowercase()) || SCRIPTS.contains(&region);
    pieces.next().is_none() && LANGUAGES.contains(&language) && region.is_none_or(is_region)
}

/// Whether a query only says where a visitor came from.
fn is_tracking(query: &str) -> bool {
    query.split('&').all(|pair| {
        let name = pair.split('=').next().unwrap_or_default();
        name.starts_with("utm_") || matches!(name, "ref" | "source" | "from" | "redirect" | "redirected" | "src" | "")
    })
}

/// Words of a text for comparing pages: folded, in scripts without spaces by character, at most 20,000.
pub fn bag(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in fold(text, 200_000).split(' ') {
        if word.chars().any(is_cjk) {
            words.extend(word.chars().map(String::from));
        } else if !word.is_empty() {
            words.push(word.to_owned());
        }
        if words.len() > 20_000 {
            break;
        }
    }
    words.sort_unstable();
    words
}

/// How alike two bags of words are: twice what they share by what they have (Dice).
pub fn likeness(one: &[String], other: &[String]) -> f64 {
    if one.is_empty() && other.is_empty() {
        return 1.0;
    }
    let (mut left, mut right) = (one.iter().peekable(), other.iter().peekable());
    let mut shared = 0_usize;
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        match a.cmp(b) {
            std::cmp::Ordering::Less => drop(left.next()),
            std::cmp::Ordering::Greater => drop(right.next()),
            std::cmp::Ordering::Equal => {
                shared += 1;
                left.next();
                right.next();
            }
        }
    }
    2.0 * shared as f64 / (one.len() + other.len()) as f64
}

#[cfg(test)]
mod tests;
