//! When two addresses mean one source.
//!
//! A work that has a name of its own (DOI, arXiv id, PMID, …) is known by that name wherever it is found; anything else
//! is known by its address without the parts that do not say what is shown. Nothing here asks the network.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::{LazyLock, OnceLock};

use data_encoding::BASE64URL_NOPAD;
use url::{Host, Url};

use cited_text::lexicon::table;

/// The parameters that no key holds; the file says where they come from.
const TRACKING_PARAMETERS: &str = include_str!("data/tracking_parameters.tsv");

/// The pages that only send on; the file says what its columns are.
static DETOURS: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| table::cells(include_str!("data/detours.tsv")).collect());

/// What two entries are compared by. Equal keys, one source. Never shown as an address.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
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

    /// Whether it is such a key.
    pub(crate) fn is_numbered(&self) -> bool {
        self.0.contains(NUMBERED)
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

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
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
    if let Some(key) = named_work(address) {
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
    let key = named_work(name.trim())?;
    let (kind, id) = key.split_once(':')?;
    match kind {
        "doi" => Some(address_of_doi(id)),
        "arxiv" => {
            let version = arxiv_version_of_name(name).map(|version| format!("v{version}")).unwrap_or_default();
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

/// The version that the name of a paper gives: the 3 of `arXiv:2001.04321v3`.
fn arxiv_version_of_name(name: &str) -> Option<u32> {
    let id = name.trim().rsplit([':', ' ', '\u{a0}']).next()?;
    let id = id
        .get(..ARXIV_PREFIX.len())
        .filter(|start| start.eq_ignore_ascii_case(ARXIV_PREFIX))
        .map_or(id, |start| &id[start.len()..]);
    arxiv_id(id)?.1
}

/// What the DOIs of arXiv begin with.
const ARXIV_PREFIX: &str = "10.48550/arxiv.";

/// Whether `candidate` is the better one to show of two addresses of one source: https before http, without tracking,
/// the work itself before a copy in an archive, shorter before longer.
pub fn better_address(candidate: &str, current: &str) -> bool {
    let rank = |address: &str| {
        // Words that a browser marks on the page are no part of its address.
        let page = address.split("#:~:").next().unwrap_or(address);
        let lower = page.get(..8).unwrap_or(page).to_ascii_lowercase();
        let length = (page.chars().count(), address.chars().count());
        (is_archived(page), is_detour(page), !lower.starts_with("https://"), has_tracking(page), length)
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

/// Whether an address carries a parameter that only says where a reader came from.
fn has_tracking(address: &str) -> bool {
    let Some((_, query)) = address.split_once('?') else { return false };
    let query = query.split('#').next().unwrap_or(query);
    query.split('&').any(|pair| is_tracking(pair.split('=').next().unwrap_or(pair)))
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
    if !has_tracking(address) {
        return Cow::Borrowed(address);
    }
    let Some((head, rest)) = address.split_once('?') else { return Cow::Borrowed(address) };
    let (query, fragment) = rest.find('#').map_or((rest, ""), |at| rest.split_at(at));
    let own = query.split('&').filter(|pair| !is_tracking(pair.split('=').next().unwrap_or(pair)));
    let query = own.collect::<Vec<_>>().join("&");
    let sign = if query.is_empty() { "" } else { "?" };
    Cow::Owned([head, sign, &query, fragment].concat())
}

/// The version that an arXiv address names, such as `v2`; `None` when it names none or is no arXiv address.
pub fn arxiv_version(address: &str) -> Option<u32> {
    arxiv_of(address).and_then(|(_, version)| version)
}

/// An arXiv address without its version; `None` when it has none.
pub fn without_arxiv_version(address: &str) -> Option<String> {
    let (id, version) = arxiv_of(address)?;
    let versioned = format!("{id}v{}", version?);
    let at = address.find(&versioned)?;
    Some(format!("{}{id}{}", &address[..at], &address[at + versioned.len()..]))
}

/// How often an address may be wrapped in another (an archive, a redirect) before the rest is taken as it is.
const WRAPPED_ADDRESSES: u8 = 3;

fn parse(address: &str) -> Option<Url> {
    let lower = address.get(..7).map(str::to_ascii_lowercase);
    let has_scheme = address.split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
    });
    if has_scheme || lower.as_deref() == Some("mailto:") {
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
    let host = match url.host() {
        Some(Host::Domain(name)) => name.trim_end_matches('.').to_ascii_lowercase(),
        Some(host) => host.to_string(),
        None => String::new(),
    };
    match host.strip_prefix("www.") {
        Some(rest) if rest.contains('.') => rest.to_owned(),
        _ => host,
    }
}

fn address_key(url: &Url) -> String {
    let mut key = String::with_capacity(url.as_str().len());
    if !matches!(url.scheme(), "http" | "https") {
        key.push_str(url.scheme());
        key.push_str("://");
    }
    key.push_str(&host_of(url));
    if let Some(port) = url.port().filter(|port| !matches!(port, 80 | 443)) {
        key.push(':');
        key.push_str(&port.to_string());
    }
    let path = fold_percent(url.path());
    let path = path.strip_suffix("/index.html").unwrap_or(&path);
    key.push_str(path.trim_end_matches('/'));
    if let Some(query) = url.query() {
        let mut separator = '?';
        for pair in query.split('&') {
            let name = pair.split('=').next().unwrap_or(pair);
            if pair.is_empty() || is_tracking(name) {
                continue;
            }
            key.push(separator);
            key.push_str(&fold_percent(pair));
            separator = '&';
        }
    }
    if let Some(fragment) = url.fragment().filter(|fragment| fragment.starts_with(['!', '/'])) {
        key.push('#');
        key.push_str(&fold_percent(fragment));
    }
    key
}

/// The parameters of the table: whole names, and beginnings of names.
fn tracking() -> &'static (HashSet<&'static str>, Vec<&'static str>) {
    static TRACKING: OnceLock<(HashSet<&'static str>, Vec<&'static str>)> = OnceLock::new();
    TRACKING.get_or_init(|| {
        let all = table::words(TRACKING_PARAMETERS, "");
        let (prefixes, names): (Vec<_>, Vec<_>) = all.partition(|name| name.ends_with('*'));
        (names.into_iter().collect(), prefixes.into_iter().map(|prefix| prefix.trim_end_matches('*')).collect())
    })
}

fn is_tracking(name: &str) -> bool {
    let (names, prefixes) = tracking();
    let is = |name: &str| names.contains(name) || prefixes.iter().any(|prefix| name.starts_with(prefix));
    // Percent-encoded names are not seen in the wild.
    if name.bytes().any(|b| b.is_ascii_uppercase()) { is(&name.to_ascii_lowercase()) } else { is(name) }
}

/// Signs that addresses have as they are or as escapes, and that Markdown would read: a list writes the escape.
const WRITTEN_EITHER_WAY: &[u8] = b"[]*$`{}|^";

/// Percent escapes with upper-case digits; those of unreserved characters (RFC 3986, 2.3) and of signs that are written either
/// way resolved.
fn fold_percent(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut rest = 0;
    for at in memchr::memchr_iter(b'%', bytes) {
        if at < rest {
            continue;
        }
        let (Some(high), Some(low)) = (hex(bytes.get(at + 1)), hex(bytes.get(at + 2))) else { continue };
        out.push_str(&text[rest..at]);
        let byte = high * 16 + low;
        if byte.is_ascii_alphanumeric()
            || matches!(byte, b'-' | b'.' | b'_' | b'~')
            || WRITTEN_EITHER_WAY.contains(&byte)
        {
            out.push(char::from(byte));
        } else {
            out.push_str(&text[at..at + 3].to_ascii_uppercase());
        }
        rest = at + 3;
    }
    out.push_str(&text[rest..]);
    out
}

fn hex(byte: Option<&u8>) -> Option<u8> {
    byte.and_then(|byte| char::from(*byte).to_digit(16)).map(|digit| digit as u8)
}

/// The key that the number or the rest of a name gives.
type KeyOf = fn(&str) -> Option<String>;

/// What stands before the names of works, and the key of what stands behind it. The first that fits counts.
const NAMES: [(&str, KeyOf); 10] = [
    ("urn:isbn", isbn_key),
    ("isbn-13", isbn_key),
    ("isbn-10", isbn_key),
    ("isbn", isbn_key),
    ("doi", doi_key),
    ("arxiv", |id| arxiv_id(id).map(|(id, _)| format!("arxiv:{id}"))),
    ("pmcid", pmc_key),
    ("pmc", pmc_key),
    ("pmid", |id| digits_key("pmid", id)),
    ("rfc", |id| digits_key("rfc", id)),
];

/// The key of a name without an address: `doi:…`, `arXiv:…`, `PMID: …`, `RFC 9110`, `ISBN …`, a bare DOI.
fn named_work(name: &str) -> Option<String> {
    if starts_with_doi(name) {
        return doi_key(name);
    }
    let begins = |kind: &str| name.get(..kind.len()).is_some_and(|start| start.eq_ignore_ascii_case(kind));
    let (kind, key) = NAMES.iter().find(|(kind, _)| begins(kind))?;
    key(name[kind.len()..].trim_start_matches([':', ' ', '\u{a0}']).trim_end())
}

fn digits_key(kind: &str, digits: &str) -> Option<String> {
    let id = digits.trim_start_matches('0');
    (!id.is_empty() && id.len() <= 12 && id.bytes().all(|b| b.is_ascii_digit())).then(|| format!("{kind}:{id}"))
}

fn pmc_key(id: &str) -> Option<String> {
    let digits = id.strip_prefix("PMC").or_else(|| id.strip_prefix("pmc")).unwrap_or(id);
    digits_key("pmc", digits)
}

fn starts_with_doi(text: &str) -> bool {
    text.strip_prefix("10.").is_some_and(|rest| {
        let digits = rest.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
        digits >= 4 && rest[digits..].starts_with('/') && rest.len() > digits + 1
    })
}

/// DOIs are case-insensitive (DOI Handbook, 2.4); a DOI of arXiv is the arXiv id.
fn doi_key(doi: &str) -> Option<String> {
    let end = doi.find(char::is_whitespace).unwrap_or(doi.len());
    let doi = crate::address::in_text::trim_end(&doi[..end]);
    if !starts_with_doi(doi) {
        return None;
    }
    let doi = percent_decoded(doi).to_lowercase();
    if let Some((id, _)) = doi.strip_prefix("10.48550/arxiv.").and_then(arxiv_id) {
        return Some(format!("arxiv:{id}"));
    }
    Some(format!("doi:{doi}"))
}

/// A text with its percent signs resolved; as it is when that gives no text.
pub fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while let Some(&byte) = bytes.get(i) {
        if let (b'%', Some(high), Some(low)) = (byte, hex(bytes.get(i + 1)), hex(bytes.get(i + 2))) {
            out.push(high * 16 + low);
            i += 3;
        } else {
            out.push(byte);
            i += 1;
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

fn isbn_key(text: &str) -> Option<String> {
    let digits: Vec<u8> =
        text.bytes().filter(|b| !matches!(b, b'-' | b' ')).take(14).map(|b| b.to_ascii_uppercase()).collect();
    let isbn13 = match digits.len() {
        13 if digits.iter().all(u8::is_ascii_digit) => digits,
        10 if digits[..9].iter().all(u8::is_ascii_digit) => {
            let mut isbn: Vec<u8> = b"978".iter().chain(&digits[..9]).copied().collect();
            let sum: u32 = isbn.iter().zip([1, 3].iter().cycle()).map(|(d, w)| u32::from(d - b'0') * w).sum();
            isbn.push(b'0' + ((10 - sum % 10) % 10) as u8);
            isbn
        }
        _ => return None,
    };
    String::from_utf8(isbn13).ok().map(|isbn| format!("isbn:{isbn}"))
}

/// An arXiv id of the new (`2208.05335`) or the old form (`q-bio/0312011`), with its version.
fn arxiv_id(text: &str) -> Option<(String, Option<u32>)> {
    let text = text.trim_end_matches(['/', '.']);
    let text = text.strip_suffix(".pdf").unwrap_or(text);
    let (id, version) = match text.rfind(['v', 'V']) {
        Some(at) if at > 0 && !text[at + 1..].is_empty() && text[at + 1..].bytes().all(|b| b.is_ascii_digit()) => {
            (&text[..at], text[at + 1..].parse().ok())
        }
        _ => (text, None),
    };
    let is_new = id.split_once('.').is_some_and(|(month, number)| {
        month.len() == 4
            && matches!(number.len(), 4 | 5)
            && (month.bytes().chain(number.bytes())).all(|b| b.is_ascii_digit())
    });
    let is_old = || {
        id.split_once('/').is_some_and(|(archive, number)| {
            number.len() == 7
                && number.bytes().all(|b| b.is_ascii_digit())
                && archive.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'-' | b'.'))
                && !archive.is_empty()
        })
    };
    if is_new {
        return Some((id.to_owned(), version));
    }
    // The old form's subject class says nothing more: `math.GT/0309136` is `math/0309136`.
    is_old().then(|| {
        let (archive, number) = id.split_once('/').unwrap_or((id, ""));
        let archive = archive.split('.').next().unwrap_or(archive).to_ascii_lowercase();
        (format!("{archive}/{number}"), version)
    })
}

fn arxiv_of(address: &str) -> Option<(String, Option<u32>)> {
    let url = parse(address)?;
    arxiv_in(&host_of(&url), url.path())
}

fn arxiv_in(host: &str, path: &str) -> Option<(String, Option<u32>)> {
    let host = host.strip_prefix("export.").or_else(|| host.strip_prefix("browse.")).unwrap_or(host);
    if !matches!(
        host,
        "arxiv.org" | "ar5iv.org" | "ar5iv.labs.arxiv.org" | "alphaxiv.org" | "lanl.arxiv.org" | "xxx.lanl.gov"
    ) {
        return None;
    }
    let (view, id) = path.strip_prefix('/')?.split_once('/')?;
    if matches!(view, "abs" | "pdf" | "html" | "format" | "ps" | "e-print" | "src" | "overview" | "tex") {
        arxiv_id(id)
    } else {
        None
    }
}

/// The address of which a Wayback address is a copy: `web.archive.org/web/20230105000000id_/https://…`.
fn wayback_original(url: &Url) -> Option<String> {
    let host = host_of(url);
    if !matches!(host.as_str(), "web.archive.org" | "wayback.archive.org" | "archive.org") {
        return None;
    }
    let whole = &url[url::Position::BeforePath..];
    let (stamp, original) = whole.strip_prefix("/web/")?.split_once('/')?;
    let is_stamp = stamp.starts_with(|c: char| c.is_ascii_digit() || c == '*');
    // Browsers and some servers squeeze the two slashes of the address inside.
    let original = match original.split_once(":/") {
        Some((scheme @ ("http" | "https"), rest)) => format!("{scheme}://{}", rest.trim_start_matches('/')),
        _ => original.to_owned(),
    };
    (is_stamp && original.contains('.')).then_some(original)
}

fn work_key(url: &Url, depth: u8) -> Option<String> {
    let host = host_of(url);
    let path = url.path();
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let parameter = |name: &str| url.query_pairs().find(|(n, _)| n == name).map(|(_, value)| value.into_owned());
    if let Some(original) = wayback_original(url).or_else(|| end_of_way(url)) {
        let depth = depth.checked_sub(1)?;
        return match (named_work(&original), parse(&original)) {
            (Some(key), _) => Some(key),
            (None, Some(inner)) => Some(work_key(&inner, depth).unwrap_or_else(|| address_key(&inner))),
            (None, None) => None,
        };
    }
    if let Some((id, _)) = arxiv_in(&host, path) {
        return Some(format!("arxiv:{id}"));
    }
    match (host.as_str(), segments.as_slice()) {
        ("doi.org" | "dx.doi.org", [_, ..]) => doi_key(&percent_decoded(path.trim_start_matches('/'))),
        ("pubmed.ncbi.nlm.nih.gov", [id])
        | ("ncbi.nlm.nih.gov", ["pubmed", id])
        | ("europepmc.org", ["article" | "abstract", "MED" | "med", id]) => digits_key("pmid", id),
        ("pmc.ncbi.nlm.nih.gov", ["articles", id])
        | ("ncbi.nlm.nih.gov", ["pmc", "articles", id])
        | ("europepmc.org", ["articles", id] | ["article", "PMC" | "pmc", id]) => pmc_key(id),
        ("rfc-editor.org", ["rfc" | "info", name])
        | ("datatracker.ietf.org", ["doc", name] | ["doc", "html" | "pdf", name])
        | ("tools.ietf.org", ["html" | "pdf" | "rfc", name])
        | ("ietf.org", ["rfc", name])
        | ("faqs.org", ["rfcs", name]) => rfc_key(name),
        ("openlibrary.org" | "worldcat.org", ["isbn", id]) => isbn_key(id),
        ("youtube.com" | "m.youtube.com" | "music.youtube.com", ["watch"]) => {
            parameter("v").as_deref().and_then(youtube_key)
        }
        ("youtu.be", [id])
        | ("youtube.com" | "m.youtube.com" | "youtube-nocookie.com", ["embed" | "shorts" | "live" | "v", id]) => {
            youtube_key(id)
        }
        ("github.com", [owner, repository]) if url.query().is_none_or(|query| query.starts_with("tab=")) => {
            let repository = repository.strip_suffix(".git").unwrap_or(repository);
            Some(format!("github:{}/{}", owner.to_ascii_lowercase(), repository.to_ascii_lowercase()))
        }
        _ => None,
    }
}

fn rfc_key(name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    let digits = name.strip_prefix("rfc")?;
    let digits = digits.split('.').next().unwrap_or(digits);
    digits_key("rfc", digits)
}

/// `YouTube` ids are eleven characters of the URL-safe base64 alphabet.
fn youtube_key(id: &str) -> Option<String> {
    (id.len() == 11 && id.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')))
        .then(|| format!("youtube:{id}"))
}
