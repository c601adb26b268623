//! What the way to a page says against it: redirects to front pages, error pages, lists, or just elsewhere.

use std::collections::HashSet;
use std::sync::LazyLock;

use url::Url;

use super::super::fold::fold;
use super::composed::absence_in;
use cited_core::rule::Rule;
use cited_text::lexicon::table;

/// What a site says of an address that it cannot have, beside one that it may have; as a sign `sibling:same`. What speaks
/// most against the address comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::Display)]
#[strum(serialize_all = "kebab-case", prefix = "sibling:")]
pub enum Sibling {
    /// The same: it answers anything.
    Same,
    /// Nothing that could be compared.
    Silent,
    /// Something else, such as an honest error: it knows the address that was asked for.
    Other,
}

/// What speaks against a page, as long as no sibling was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    /// The rule that it would be dead by.
    pub rule: Rule,
    /// In words for a reader.
    pub reason: String,
    /// The signs that raise it.
    pub signs: Vec<String>,
    /// The last word of a sibling that it is dead by. After the first, it is dead where no sibling can be asked, and after the
    /// last even though its site knows the address: the page says so of the item itself.
    pub up_to: Sibling,
}

impl Doubt {
    /// A doubt by one sign.
    pub fn new(rule: Rule, reason: impl Into<String>, sign: impl Into<String>, up_to: Sibling) -> Self {
        Doubt { rule, reason: reason.into(), signs: vec![sign.into()], up_to }
    }
}

/// Names of a site's front page.
static HOME_SEGMENTS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| table::words(include_str!("data/front_pages.tsv"), "").collect());

/// What parts of paths are names of error pages, without case, ending and dividers.
static ERROR_NAMES: LazyLock<HashSet<String>> =
    LazyLock::new(|| table::words(include_str!("data/error_paths.tsv"), "").map(squeezed).collect());

/// Letters and digits of a part of a path or of a phrase.
pub(super) fn squeezed(text: &str) -> String {
    fold(text, 200).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Whether a part of a path is what sites call their error pages, or says that nothing is there (*nicht-gefunden*).
fn names_error(part: &str) -> bool {
    // A name without a value, as far as decoding goes.
    let mut decoded = url::form_urlencoded::parse(stem(part).as_bytes());
    decoded.next().is_some_and(|(name, _)| {
        ERROR_NAMES.contains(&squeezed(&name))
            || name.len() >= 8 && absence_in(&name.replace(['-', '_', '.'], " ")).is_some_and(|absence| absence.plain)
    })
}

/// What the way to a page says against it.
pub fn by_redirect(asked: &Url, landed: &Url) -> Option<Doubt> {
    let (from, to) = (segments(asked), segments(landed));
    if same_place(asked, landed) {
        return None;
    }
    let is_error = |path: &[String]| path.iter().any(|part| names_error(part));
    let asks_error = |url: &Url| {
        url.query_pairs().any(|(name, value)| names_error(&value) || names_error(&name) && !value.is_empty())
    };
    if is_error(&to) && !is_error(&from) || asks_error(landed) && !asks_error(asked) {
        return Some(Doubt::new(Rule::RedirectToError, "redirects to an error page", "way:to-error", Sibling::Silent));
    }
    // Where a visitor came from.
    let is_tracking = |name: &str| {
        name.starts_with("utm_") || matches!(name, "ref" | "source" | "from" | "redirect" | "redirected" | "src" | "")
    };
    let only_tracks = || asked.query_pairs().all(|(name, _)| is_tracking(&name));
    let names_language = || asked.query_pairs().all(|(_, value)| is_locale(&value.to_lowercase()));
    if is_front(&from) && (only_tracks() || names_language()) {
        return None;
    }
    if is_front(&to) {
        return Some(Doubt::new(
            Rule::RedirectToHome,
            "redirects to the home page",
            "way:to-front-page",
            Sibling::Same,
        ));
    }
    if same_slug(asked, landed) {
        return None;
    }
    // Cut short on the way up: /blog/2019/post to /blog.
    if to.len() < from.len() && from.starts_with(&to) || from.len() >= 3 && to.len() == 1 {
        return Some(Doubt::new(
            Rule::RedirectCollapsed,
            "redirects to a page further up",
            "way:further-up",
            Sibling::Same,
        ));
    }
    Some(Doubt::new(Rule::RedirectUnrelated, "redirects to unrelated content", "way:elsewhere", Sibling::Same))
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
    if path.last().is_some_and(|last| HOME_SEGMENTS.contains(last.as_str())) {
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

pub(crate) fn segments(url: &Url) -> Vec<String> {
    url.path_segments().into_iter().flatten().filter(|part| !part.is_empty()).map(str::to_lowercase).collect()
}

/// The last part of a path, without its ending.
pub(crate) fn slug(path: &[String]) -> String {
    path.last().map(|last| stem(last).to_owned()).unwrap_or_default()
}

pub(super) fn stem(part: &str) -> &str {
    [".html", ".htm", ".php", ".aspx", ".asp", ".jsp", ".shtml", ".xhtml"]
        .iter()
        .find_map(|ending| part.strip_suffix(ending))
        .unwrap_or(part)
}

/// Whether a path is a site's front page: nothing, a front page's name, or a language.
fn is_front(path: &[String]) -> bool {
    match path {
        [] => true,
        [only] => HOME_SEGMENTS.contains(only.as_str()) || is_locale(only),
        [locale, only] => is_locale(locale) && HOME_SEGMENTS.contains(only.as_str()),
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
