//! Question 2: does the page prove itself? What was cited stands on it, or it is about what its address names.

use std::collections::HashSet;
use std::sync::LazyLock;

use url::Url;

use super::super::Request;
use super::super::document::Document;
use super::super::fold::{count_words, fold, holds, is_unspaced};
use super::absence::{parts_of_title, says_absence};
use super::way;
use cited_core::address::identity::percent_decoded;
use cited_core::citation::reference::folded;
use cited_core::rule::Rule;
use cited_text::lexicon::table;
use cited_text::marks::is_mark;

/// Words a claim or title must have to be told from chance when it is found on a page.
const TELLING_WORDS: usize = 4;

/// Words of its own that a page has to have where only its text, not its title, is about what its address names.
const OWN_TEXT: usize = 40;

/// Characters of a page in which a passage is looked for.
const LONGEST_PAGE: usize = 400_000;

/// Whether a page carries a cited passage, or supports what is said with it.
pub fn carries(document: &Document, cited: &Request<'_>) -> bool {
    let folded = fold(&document.page.text, LONGEST_PAGE);
    let carried = |passage: &str| {
        let passage = fold(passage, 2000);
        count_words(&passage) >= TELLING_WORDS && holds(&folded, &passage)
    };
    // What stands between quotation marks in a claim is cited, too.
    cited.claims.iter().any(|claim| carried(claim) || claim.split(is_mark).skip(1).step_by(2).any(carried))
        || cited.supports.as_ref().is_some_and(|supports| supports(&document.page.text))
}

/// Whether the page is the one that was cited, whatever else looks odd: it carries a cited passage or the cited title.
pub fn is_the_page(document: &Document, cited: &Request<'_>, asked: &Url, rule: Rule) -> bool {
    if carries(document, cited) {
        return true;
    }
    // The front page of a site carries the titles of its articles, and an error page repeats what was asked for; there
    // a title must be the page's own.
    let own = fold(&document.names().join(" "), 1000);
    cited.titles.iter().any(|title| {
        let title = fold(title, 1000);
        let telling = count_words(&title) >= 3 && !names_site(document, &title, asked, rule);
        let in_text = || holds(&fold(&document.page.text, LONGEST_PAGE), &title);
        telling
            && (holds(&own, &title) || rule.as_str().starts_with("redirect-") && count_words(&title) >= 6 && in_text())
    })
}

/// Whether a folded title is only the name of the site, which all of its pages carry, those that say *page not found* too: the
/// last part of the page's title (*Page not found - World Health Organization*) or what stands beside the error, its host (*Our World in Data*), or the title of the front page that a redirect led to.
fn names_site(document: &Document, title: &str, asked: &Url, rule: Rule) -> bool {
    let [own, _] = document.names();
    let is = |part: &str| fold(part, 1000) == title;
    let parts: Vec<&str> = parts_of_title(own).collect();
    let is_end = match parts.as_slice() {
        [first, .., last] => is(last) || is(first) && says_absence(last).is_some(),
        _ => false,
    };
    let squeezed: String = title.chars().filter(|c| c.is_alphanumeric()).collect();
    let is_host = asked.host_str().is_some_and(|host| host.replace('-', "").split('.').any(|label| label == squeezed));
    is_end || is_host || rule == Rule::RedirectToHome && (is(own) || document.html.heading.as_deref().is_some_and(is))
}

/// How a page is about what its address names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlugMatch {
    /// The address has no words: nothing can be told.
    Opaque,
    /// Neither title nor text has most of its words.
    Nowhere,
    /// The text has them.
    InText,
    /// Title or heading have them.
    InTitle,
}

/// Whether a page is about what its address names: has most words of the slug, beside an echo of the address.
pub fn match_slug(document: &Document, asked: &Url) -> SlugMatch {
    let slug = slug_words(asked);
    let last = way::segments(asked).last().map(|last| fold(&percent_decoded(way::stem(last)), 300)).unwrap_or_default();
    let called = |name: &Option<String>| name.as_deref().is_some_and(|name| fold(name, 300) == last);
    let host = asked.host_str().unwrap_or_default();
    if !last.is_empty()
        && host.split('.').all(|label| label != last)
        && (called(&document.page.title) || called(&document.html.heading))
    {
        return SlugMatch::InTitle;
    }
    if slug.is_empty() {
        return SlugMatch::Opaque;
    }
    if has_most(&slug, &without_echo(&document.names().join(" "), asked)) {
        return SlugMatch::InTitle;
    }
    if document.html.own_words >= OWN_TEXT && has_most(&slug, &without_echo(&document.html.own, asked)) {
        return SlugMatch::InText;
    }
    // A page called *410 Gone* may have its number for a name; that one lacks its number says nothing.
    let has_letters = |word: &String| word.contains(char::is_alphabetic);
    if slug.iter().any(has_letters) { SlugMatch::Nowhere } else { SlugMatch::Opaque }
}

/// Whether a text, such as the name of a host, is called like the slug of an address.
pub fn called_like(asked: &Url, text: &str) -> bool {
    let slug = slug_words(asked);
    let text: String = folded(text).chars().filter(char::is_ascii_alphanumeric).collect();
    !slug.is_empty() && slug.iter().all(|word| text.contains(&folded(word)))
}

/// The words of what an address names that tell something, without those of the host: of its query's values, where it has
/// some, otherwise of its last segment. What stands before names a collection.
fn slug_words(asked: &Url) -> Vec<String> {
    let host = asked.host_str().unwrap_or_default().to_lowercase();
    let decoded: String = if asked.query().is_some_and(|query| query.contains('=')) {
        asked.query_pairs().map(|(_, value)| value.into_owned()).collect::<Vec<_>>().join(" ")
    } else {
        let segments = way::segments(asked);
        percent_decoded(segments.last().map(|last| way::stem(last)).unwrap_or_default())
    };
    fold(&decoded.replace(['_', '-', '.', ',', '+'], " "), 300)
        .split(' ')
        .filter(|word| tells(word) && !host.contains(*word))
        .map(str::to_owned)
        .collect()
}

/// Whether a part of a slug is a word: not a number, an identifier, or one of the shortest.
fn tells(word: &str) -> bool {
    if word.chars().any(is_unspaced) {
        return word.chars().count() >= 2;
    }
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let status = digits == 3 && letters == 0;
    let vowels = folded(word).chars().any(|c| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y'));
    let latin = word.is_ascii();
    status || letters >= 3 && digits <= 4 && letters > digits && (vowels || !latin) && !EMPTY.contains(word)
}

/// Words of slugs that name no subject.
static EMPTY: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| table::words(include_str!("data/slug_words.tsv"), "").collect());

fn has_most(slug: &[String], text: &str) -> bool {
    let text = folded(&fold(text, 6000).replace('\'', " "));
    let found = slug.iter().filter(|word| {
        let word = folded(word);
        if word.chars().any(is_unspaced) {
            return text.contains(&word);
        }
        text.split(' ').any(|other| word == other)
    });
    found.count() * 2 >= slug.len().max(1)
}

/// A text without the address, its path and its last segment, as error pages repeat them.
pub fn without_echo(text: &str, asked: &Url) -> String {
    let mut text = text.to_lowercase();
    let path = asked.path().to_lowercase();
    let decoded = percent_decoded(&path).trim().to_owned();
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
    let echoes = [asked.as_str().to_lowercase(), path.clone(), decoded, last];
    for echo in echoes {
        let is_echo = echo.len() >= 5 && echo.contains(['/', '-', '_', '.', '%']);
        if is_echo && memchr::memmem::find(text.as_bytes(), echo.as_bytes()).is_some() {
            text = text.replace(&echo, " ");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::super::super::document::Document;
    use super::{SlugMatch, called_like, match_slug};

    #[track_caller]
    fn check(asked: &str, title: &str, own: &str, expected: SlugMatch) {
        let mut document = Document::default();
        document.html.own = own.to_owned();
        document.html.own_words = own.split(' ').count();
        document.page.title = Some(title.to_owned());
        assert_eq!(match_slug(&document, &Url::parse(asked).unwrap()), expected, "{asked} {title}");
    }

    #[test]
    fn pages_are_about_what_their_address_names() {
        let at = "https://acme.example/blog/2019/early-potatoes.html";
        let soil = "The soil is warm enough for potatoes when a hand feels no chill. ".repeat(6);
        check(at, "Early potatoes | Acme", "", SlugMatch::InTitle);
        check(at, "Potato days: early or late?", "", SlugMatch::InTitle);
        check(at, "Garden notes", &soil, SlugMatch::InText);
        check(at, "Garden notes", "Potatoes.", SlugMatch::Nowhere);
        check(at, "Nothing here: early-potatoes.html", "", SlugMatch::Nowhere);
        check("https://acme.example/p/88172", "Page not found", "", SlugMatch::Opaque);
        check("https://acme.example/x/acme", "Acme", "", SlugMatch::Opaque);
        check("https://acme.example/status/410", "410 Gone", "", SlugMatch::InTitle);
        check(
            "https://acme.example/garten/Kartoffeln_f%C3%BCr_%C3%84ngstliche",
            "Kartoffeln für Ängstliche",
            "",
            SlugMatch::InTitle,
        );
        check("https://acme.example/konyv-ajanlo", "Könyv ajánló", "", SlugMatch::InTitle);
    }

    #[test]
    fn hosts_that_are_called_like_what_was_asked_for() {
        let like = |asked: &str, host: &str| called_like(&Url::parse(asked).unwrap(), host);
        assert!(like("https://uni.example/~smith/", "smith.example"));
        assert!(like("https://uni.example/projects/hydro", "hydro-project.example"));
        assert!(!like("https://uni.example/projects/hydro", "buyer.example"));
        assert!(!like("https://uni.example/123", "buyer.example"));
    }
}
