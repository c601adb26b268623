//! When two addresses mean one source.
//!
//! A work that has a name of its own (DOI, arXiv id, PMID, …) is known by that name wherever it is found; anything else
//! is known by its address without the parts that do not say what is shown. Nothing here asks the network.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use data_encoding::BASE64URL_NOPAD;
use regex::{Captures, Regex};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use url::Url;

use super::in_text;
use crate::pattern::{Pattern, build};
use cited_text::lexicon::table;

/// The parameters that no key holds, whole names and beginnings of names; the file says where they come from.
static TRACKING: LazyLock<Vec<&str>> =
    LazyLock::new(|| table::words(include_str!("data/tracking_parameters.tsv"), "").collect());

/// The pages that only send on; the file says what its columns are.
static DETOURS: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| table::cells(include_str!("data/detours.tsv")).collect());

/// What two entries are compared by. Equal keys, one source. Never shown as an address.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Key(pub String);

/// What stands before the number of a further source with one key; no address has it.
const NUMBERED: &str = " #";

impl Key {
    /// Whether it is the identifier of one work: a DOI, the name of a paper, a book.
    pub(crate) fn names_a_work(&self) -> bool {
        self.0.split_once(':').is_some_and(|(kind, _)| matches!(kind, "doi" | "arxiv" | "pmid" | "pmc" | "isbn"))
    }

    /// The key of the second, third, … work that is listed under this one.
    #[must_use]
    pub fn numbered(&self, number: u32) -> Key {
        Key(format!("{}{NUMBERED}{number}", self.unnumbered()))
    }

    /// The key without that number.
    pub fn unnumbered(&self) -> &str {
        self.0.split(NUMBERED).next().unwrap_or_default()
    }
}

/// Whether the titles of two entries name two works: both say much, and next to nothing of it is the same.
pub(crate) fn are_of_two_works(one: &str, other: &str) -> bool {
    /// Words that a title has at least that says what it is of.
    const FEWEST: usize = 4;
    let words = |title: &str| -> HashSet<String> {
        // Of other scripts nobody can tell whether one is the translation of the other.
        let is_latin = |word: &&str| word.chars().all(|c| c < '\u{250}');
        let words = title.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 3).filter(is_latin);
        words.map(str::to_lowercase).collect()
    };
    let (one, other) = (words(one), words(other));
    let fewest = one.len().min(other.len());
    fewest >= FEWEST && one.intersection(&other).count() * FEWEST < fewest
}

/// The host of a link whose words only name it, with the number of further links that some products add: *nature* and
/// *pmc.ncbi.nlm.nih+2* for `www.nature.com` and `pmc.ncbi.nlm.nih.gov`. The page's own title says more.
pub fn named_host(words: &str, address: &str) -> Option<String> {
    let words = words.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix('+').unwrap_or(words).to_lowercase();
    let url = Url::parse(address).ok()?;
    let host = url.host_str()?.trim_start_matches("www.");
    let (labels, named) = (host.split('.').collect::<Vec<_>>(), words.split('.').collect::<Vec<_>>());
    labels.windows(named.len()).any(|labels| labels == named).then(|| host.to_owned())
}

/// The key of an address as written, or of a name such as `doi:10.1000/182` or `arXiv:2208.05335`.
///
/// ```
/// use cited_core::address::identity::key_of;
/// assert_eq!(key_of("http://www.Example.org/a/index.html?utm_source=x#top"), key_of("https://example.org/a"));
/// assert_eq!(key_of("https://arxiv.org/pdf/2208.05335v2.pdf"), key_of("arXiv:2208.05335"));
/// assert_ne!(key_of("https://docs.spot.io/?/ocean/a"), key_of("https://docs.spot.io/?/ocean/b"));
/// ```
pub fn key_of(address: &str) -> Key {
    let address = address.trim();
    if let Some(key) = work_in("name", address) {
        return Key(key);
    }
    match parse(address) {
        Some(url) => Key(work_key(&url, WRAPPED_ADDRESSES).unwrap_or_else(|| address_key(&url))),
        None => Key(address.to_lowercase()),
    }
}

/// The address under which a named work is found: `doi:…` and `arXiv:…` become addresses, others are kept. The version that the
/// name of a paper gives stays.
///
/// `None` when `name` is neither.
pub fn address_of_name(name: &str) -> Option<String> {
    let key = work_in("name", name.trim())?;
    let (kind, id) = key.split_once(':')?;
    match kind {
        "doi" => Some(address_of_doi(id)),
        "arxiv" => {
            let version = arxiv_version(name).map(|version| format!("v{version}")).unwrap_or_default();
            Some(format!("https://arxiv.org/abs/{id}{version}"))
        }
        "pmid" => Some(format!("https://pubmed.ncbi.nlm.nih.gov/{id}/")),
        "pmc" => Some(format!("https://pmc.ncbi.nlm.nih.gov/articles/PMC{id}/")),
        "rfc" => Some(format!("https://www.rfc-editor.org/rfc/rfc{id}")),
        _ => None,
    }
}

/// The address of a DOI, with its signs as an address has them: those of older journals hold angle brackets.
///
/// # Panics
///
/// Never: the address that the path is put into is fixed.
pub fn address_of_doi(doi: &str) -> String {
    let mut url = Url::parse("https://doi.org/").expect("the address is fixed");
    url.set_path(doi);
    url.into()
}

/// Whether `candidate` is the better one to show of two addresses of one source: https before http, without tracking,
/// the work itself before a copy in an archive, shorter before longer.
pub fn better_address(candidate: &str, current: &str) -> bool {
    let rank = |address: &str| {
        // Words that a browser marks on the page are no part of its address.
        let page = address.split("#:~:").next().unwrap_or(address);
        let lower = page.get(..8).unwrap_or(page).to_ascii_lowercase();
        let length = (page.chars().count(), address.chars().count());
        (is_archived(page), is_detour(page), !lower.starts_with("https://"), *without_tracking(page) != *page, length)
    };
    rank(candidate) < rank(current)
}

/// Whether an address is of a copy in the Wayback Machine.
pub fn is_archived(address: &str) -> bool {
    // Most addresses need not be taken apart.
    address.contains("web") && parse(address).is_some_and(|url| wayback_original(&url).is_some())
}

/// What a source is followed by over time: its key. A copy in an archive that is cited in place of its page is followed by its own
/// address: it may be there when the page is gone.
pub fn followed_key(address: &str) -> Key {
    if is_archived(address) { Key(format!("copy:{}", address.trim())) } else { key_of(address) }
}

/// Whether an address is only the way to another, over a page that counts who goes there.
pub fn is_detour(address: &str) -> bool {
    Url::parse(address).is_ok_and(|url| parameters_of_detour(&url).is_some())
}

/// The address to which an address leads that is only the way there, where that carries it.
pub fn end_of_detour(address: &str) -> Option<String> {
    end_of_way(&Url::parse(address).ok()?)
}

/// The parameters that carry the address to which a page leads that only sends on, with bars between them.
fn parameters_of_detour(url: &Url) -> Option<&'static str> {
    let (host, path) = (host_of(url), url.path());
    let is_host = |known: &str| known.strip_suffix('*').map_or(known == host, |start| host.starts_with(start));
    let is_path = |known: &str| path == known || known.ends_with('/') && path.starts_with(known);
    DETOURS.iter().find_map(|row| match row[..] {
        [_, known, place, parameters] => (is_host(known) && is_path(place)).then_some(parameters),
        _ => None,
    })
}

fn end_of_way(url: &Url) -> Option<String> {
    let parameters = parameters_of_detour(url).filter(|_| url.query().is_some())?;
    let (_, value) = url.query_pairs().find(|(name, _)| parameters.split('|').any(|own| own == name))?;
    // Bing writes the address in the letters of base 64, behind the number of its own way to do so.
    let spelled = value.strip_prefix("a1").and_then(|rest| BASE64URL_NOPAD.decode(rest.as_bytes()).ok());
    let address = spelled.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_else(|| value.into_owned());
    Url::parse(&address).is_ok_and(|end| matches!(end.scheme(), "http" | "https")).then_some(address)
}

/// The pairs of a query without those that only say where a reader came from.
fn own_query(query: &str) -> String {
    let is_own = |pair: &&str| {
        // Percent-encoded names are not seen in the wild.
        let name = pair.split('=').next().unwrap_or(pair).to_ascii_lowercase();
        let is_it = |known: &&str| known.strip_suffix('*').map_or(*known == name, |start| name.starts_with(start));
        !TRACKING.iter().any(is_it)
    };
    let own = query.split('&').filter(is_own);
    own.collect::<Vec<_>>().join("&")
}

/// An address without what only says where a reader came from: parameters, and the page over which it leads.
///
/// ```
/// use cited_core::address::identity::without_tracking;
/// assert_eq!(without_tracking("https://a.example/x?utm_source=b&id=1#s"), "https://a.example/x?id=1#s");
/// ```
pub fn without_tracking(address: &str) -> Cow<'_, str> {
    if let Some(end) = end_of_detour(address) {
        return Cow::Owned(without_tracking(&end).into_owned());
    }
    let Some((head, rest)) = address.split_once('?') else { return Cow::Borrowed(address) };
    let (written, fragment) = rest.find('#').map_or((rest, ""), |at| rest.split_at(at));
    let query = own_query(written);
    if query == written {
        return Cow::Borrowed(address);
    }
    let sign = if query.is_empty() { "" } else { "?" };
    Cow::Owned([head, sign, &query, fragment].concat())
}

/// The version of a paper of arXiv, at the end of its address or name.
static VERSION: Pattern = Pattern::new(r"(?i)[0-9]v([0-9]+)(?:\.pdf)?[/.]*(?:[?#].*)?$");

/// The version that an arXiv address names, such as `v2`; `None` when it names none or is no arXiv address.
pub fn arxiv_version(address: &str) -> Option<u32> {
    let version = VERSION.captures(address.trim())?.get(1)?.as_str();
    key_of(address).0.starts_with("arxiv:").then(|| version.parse().ok())?
}

/// An arXiv address without its version; `None` when it has none.
pub fn without_arxiv_version(address: &str) -> Option<String> {
    let (before, behind) = address.rsplit_once(&format!("v{}", arxiv_version(address)?))?;
    Some(format!("{before}{behind}"))
}

/// How often an address may be wrapped in another (an archive, a redirect) before the rest is taken as it is.
const WRAPPED_ADDRESSES: u8 = 3;

fn parse(address: &str) -> Option<Url> {
    static SCHEME: Pattern = Pattern::new("^(?i:mailto:|[a-z0-9+.-]+://)");
    if SCHEME.is_match(address) {
        return Url::parse(address).ok().filter(Url::has_host);
    }
    if let Some(rest) = address.strip_prefix("//") {
        return parse(&format!("https://{rest}"));
    }
    let host = address.split(['/', '?', '#']).next().unwrap_or(address);
    let looks_like_host = host.contains('.') && !host.contains(char::is_whitespace) && !host.starts_with('.');
    if looks_like_host { Url::parse(&format!("https://{address}")).ok() } else { None }
}

/// The host without `www.`, lower-case, without a dot at its end.
fn host_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.').to_ascii_lowercase();
    host.strip_prefix("www.").filter(|rest| rest.contains('.')).map_or_else(|| host.clone(), str::to_owned)
}

fn address_key(url: &Url) -> String {
    static ESCAPE: Pattern = Pattern::new("%([0-9A-Fa-f]{2})");
    let scheme = Some(url.scheme()).filter(|scheme| !matches!(*scheme, "http" | "https"));
    let scheme = scheme.map(|scheme| format!("{scheme}://"));
    let port = url.port().filter(|port| !matches!(port, 80 | 443)).map(|port| format!(":{port}"));
    let path = url.path().strip_suffix("/index.html").unwrap_or(url.path()).trim_end_matches('/');
    let query = url.query().map(own_query).map(|query| format!("?{}", query.trim_matches('&')));
    let query = query.filter(|query| query != "?");
    let fragment = url.fragment().filter(|fragment| fragment.starts_with(['!', '/']));
    let fragment = fragment.map(|fragment| format!("#{fragment}"));
    let parts = [scheme, Some(host_of(url)), port, Some(path.to_owned()), query, fragment];
    let key: String = parts.into_iter().flatten().collect();
    // Percent escapes with upper-case digits; resolved are those of unreserved characters (RFC 3986, 2.3), and of signs that addresses have
    // as they are or as escapes and that Markdown would read: a list writes the escape.
    let folded = ESCAPE.replace_all(&key, |escape: &Captures<'_>| match u8::from_str_radix(&escape[1], 16) {
        Ok(byte) if byte.is_ascii_alphanumeric() || b"-._~[]*$`{}|^".contains(&byte) => char::from(byte).to_string(),
        _ => escape[0].to_ascii_uppercase(),
    });
    folded.into_owned()
}

/// What names or shows works of each kind: its identifier, in one part or two.
static WORKS: LazyLock<Vec<(&str, &str, Regex)>> = LazyLock::new(|| {
    let row = |cells: Vec<&'static str>| (cells[0], cells[1], build(&format!("^(?:{})$", cells[3])));
    table::cells(include_str!("data/works.tsv")).map(row).collect()
});

/// The key of the work that a name (`doi:…`, `arXiv:…`, `PMID: …`, `RFC 9110`, `ISBN …`, a bare DOI) or the host, path and query of a page
/// is of.
fn work_in(place: &str, text: &str) -> Option<String> {
    let mut here = WORKS.iter().filter(|(own, ..)| *own == place);
    let (kind, found) = here.find_map(|(_, kind, pattern)| Some((*kind, pattern.captures(text)?)))?;
    let id = found.iter().skip(1).flatten().map(|part| part.as_str()).collect::<Vec<_>>().join("/");
    match kind {
        "name" => work_in("name", &percent_decoded(&id)),
        "doi" => doi_key(&id),
        "isbn" => isbn_key(&id),
        // The only ones whose capitals matter.
        "youtube" => Some(format!("youtube:{id}")),
        _ => Some(format!("{kind}:{}", id.to_lowercase())),
    }
}

/// DOIs are case-insensitive (DOI Handbook, 2.4).
fn doi_key(doi: &str) -> Option<String> {
    let decoded = percent_decoded(doi);
    let doi = decoded.split(char::is_whitespace).next().unwrap_or_default();
    let doi = in_text::trim_end(doi);
    DOI.is_match(doi).then(|| format!("doi:{}", doi.to_lowercase()))
}

static DOI: Pattern = Pattern::new(r"^10\.[0-9.]{4,}/.");

/// A text with its percent signs resolved; as it is when that gives no text.
pub fn percent_decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_owned(), Cow::into_owned)
}

fn isbn_key(text: &str) -> Option<String> {
    let digits = text.bytes().filter(|b| !matches!(b, b'-' | b' ')).take(14).map(|b| b.to_ascii_uppercase());
    let mut digits: Vec<u8> = digits.collect();
    if digits.len() == 10 && digits[..9].iter().all(u8::is_ascii_digit) {
        digits.splice(9.., []);
        digits.splice(..0, *b"978");
        let sum: u32 = digits.iter().zip([1, 3].iter().cycle()).map(|(d, w)| u32::from(d - b'0') * w).sum();
        digits.push(b'0' + ((10 - sum % 10) % 10) as u8);
    }
    let is_isbn = digits.len() == 13 && digits.iter().all(u8::is_ascii_digit);
    is_isbn.then(|| format!("isbn:{}", String::from_utf8_lossy(&digits)))
}

/// The address of which a Wayback address is a copy: `web.archive.org/web/20230105000000id_/https://…`. Browsers and some servers squeeze
/// the two slashes of the address inside.
fn wayback_original(url: &Url) -> Option<String> {
    static COPY: Pattern =
        Pattern::new(r"^(?:(?:web|wayback)\.)?archive\.org/web/[0-9*][^/]*/(?:(https?):/+)?(.*\..*)$");
    let whole = format!("{}{}", host_of(url), &url[url::Position::BeforePath..]);
    let copy = COPY.captures(&whole)?;
    let scheme = copy.get(1).map(|scheme| format!("{}://", scheme.as_str())).unwrap_or_default();
    Some(format!("{scheme}{}", &copy[2]))
}

fn work_key(url: &Url, depth: u8) -> Option<String> {
    if let Some(original) = wayback_original(url).or_else(|| end_of_way(url)) {
        let depth = depth.checked_sub(1)?;
        return work_in("name", &original).or_else(|| {
            let inner = parse(&original)?;
            Some(work_key(&inner, depth).unwrap_or_else(|| address_key(&inner)))
        });
    }
    let path = url.path().split('/').filter(|segment| !segment.is_empty()).collect::<Vec<_>>().join("/");
    work_in("page", &format!("{}/{path}?{}", host_of(url), url.query().unwrap_or_default()))
}
