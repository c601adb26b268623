//! Whether a page is the work that an entry names.
//!
//! Entries carry labels and short titles, pages carry the names of their sites, translations have other words, and a preprint has another
//! year. So one difference says nothing: two of title, author and year have to differ, and the page has to say its own.

use cited_core::citation::reference::{Name, Reference, is_person, is_same_name, name_words};
use cited_core::page::Page;
use cited_text::script::is_cjk;
use cited_text::words::words;

/// How a page differs from its entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// What the entry says.
    pub entry: String,
    /// What the page says.
    pub page: String,
}

/// A title with fewer words than this is a label (*Model card*), not the name of a work.
const FEWEST_WORDS: usize = 3;
/// Titles that share this part of the shorter one's words name the same work.
const SAME_TITLE: f64 = 0.5;
/// A page whose beginning has this part of the entry's title is the work, whatever its own title says.
const IN_TEXT: f64 = 0.7;
/// How much of a page is its beginning, in bytes.
const BEGINNING: usize = 6000;
/// Preprint and publication may be so many years apart.
const YEARS_APART: i16 = 2;

/// Tells when the page is surely another work than the words of the entry say. Silent when in doubt.
///
/// ```
/// use cited_fetch::{Imprint, Page};
/// use cited_judge::identity::mismatch;
/// let imprint = Imprint {
///     titles: vec!["Deep residual learning for image recognition".into()],
///     authors: vec!["Kaiming He".into()],
///     year: Some(2015),
///     ..Imprint::default()
/// };
/// let page = Page { imprint, ..Page::of_text("Deeper neural networks are more difficult to train.", "text/html") };
/// let entry = "Vaswani, A., et al. (2017). Attention is all you need: transformers. NeurIPS";
/// let found = mismatch(entry, "https://papers.example/1", &page).expect("another work");
/// assert_eq!(found.entry, "“Attention is all you need: transformers”, Vaswani, A., 2017");
/// assert!(mismatch("He, K. (2015). Residual networks explained", "https://papers.example/1", &page).is_none());
/// ```
pub fn mismatch(entry: &str, address: &str, page: &Page) -> Option<Mismatch> {
    let imprint = &page.imprint;
    let reference = Reference::parse(entry);
    // An entry of which nothing is surely the title may be one as a whole.
    let title = reference.title.as_deref().unwrap_or(&reference.words);
    let is_one = |name: &&Name| !name.given.is_empty() || is_person(&name.family);
    let people: Vec<String> = reference.authors.iter().filter(is_one).map(Name::shown).collect();
    let beginning = &page.text[..page.text.floor_char_boundary(BEGINNING)];
    // Of each whether it is the same; nothing where one of them does not say it, or not so that it can be compared.
    let apart = reference.year.zip(imprint.year).map(|(ours, theirs)| (ours - theirs).abs());
    // A page's own date may be that of its last change; a published work has one.
    let is_later = apart.is_some_and(|apart| apart > YEARS_APART) && imprint.published_work;
    let is_of_others = || compare_authors(&people, &imprint.authors, beginning) == Some(false);
    let other = match compare_titles(title, imprint.titles.iter().map(String::as_str)) {
        Some(true) => false,
        None if !is_later => false,
        _ if is_named(title, [address, beginning]) => false,
        Some(false) => is_later || is_of_others(),
        None => is_of_others(),
    };
    other.then(|| Mismatch {
        entry: described(Some(title), people.first(), reference.year),
        page: described(
            page.title.as_deref().or(imprint.titles.first().map(String::as_str)),
            imprint.authors.first(),
            imprint.year,
        ),
    })
}

/// `“Title”, Author, 2019`
fn described(title: Option<&str>, author: Option<&String>, year: Option<i16>) -> String {
    let title = title.filter(|title| !title.is_empty()).map(|title| format!("“{title}”"));
    let parts = [title, author.cloned(), year.map(|year| year.to_string())];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The words by which a title is known; none where it is a label.
fn title_keys(title: &str) -> Option<(Vec<u64>, bool)> {
    // *Attention is all you need* has two words of content: all of its words name it.
    let with_stops = keys(title, false).len() < FEWEST_WORDS;
    let keys = keys(title, with_stops);
    (keys.len() >= FEWEST_WORDS).then_some((keys, with_stops))
}

fn shared(ours: &[u64], theirs: &[u64]) -> f64 {
    ours.iter().filter(|key| theirs.contains(key)).count() as f64
}

/// Whether a page is the work by its address, whose words often are those of the title, or by its beginning.
fn is_named(title: &str, [address, beginning]: [&str; 2]) -> bool {
    title_keys(title).is_some_and(|(mine, with_stops)| {
        let has = |text: &str| shared(&mine, &keys(text, with_stops)) >= IN_TEXT * mine.len() as f64;
        has(&address.replace(|c: char| !c.is_alphanumeric(), " ")) || has(beginning)
    })
}

fn compare_titles<'a>(ours: &str, theirs: impl Iterator<Item = &'a str>) -> Option<bool> {
    let (mine, with_stops) = title_keys(ours)?;
    let theirs = theirs.filter(|title| same_script(ours, title)).map(|title| keys(title, with_stops));
    let is_same = |other: Vec<u64>| shared(&mine, &other) / mine.len().min(other.len()) as f64 >= SAME_TITLE;
    theirs.filter(|keys| keys.len() >= FEWEST_WORDS).map(is_same).reduce(|any, same| any || same)
}

/// Whether one of the names of the one is among those of the other. The page's beginning counts: authors stand there without marks.
fn compare_authors(ours: &[String], theirs: &[String], beginning: &str) -> Option<bool> {
    let comparable: Vec<&String> =
        theirs.iter().filter(|name| ours.iter().any(|own| same_script(own, name)) && name.contains(' ')).collect();
    let mine: Vec<String> = ours.iter().flat_map(|name| name_words(name)).collect();
    let others: Vec<String> = theirs.iter().flat_map(|name| name_words(name)).collect();
    let is_mine = |word: &String| mine.iter().any(|own| is_same_name(own, word));
    if others.iter().any(is_mine) || !mine.is_empty() && name_words(beginning).any(|word| mine.contains(&word)) {
        return Some(true);
    }
    (!mine.is_empty() && !comparable.is_empty()).then_some(false)
}

/// Whether two texts are written in one kind of letters, so that their words can be the same.
fn same_script(a: &str, b: &str) -> bool {
    let kind = |text: &str| {
        let letters = || text.chars().filter(|c| c.is_alphabetic());
        let all = letters().count();
        let cjk = letters().filter(|c| is_cjk(*c)).count();
        let ascii = letters().filter(|c| c.is_ascii() || ('\u{c0}'..='\u{24f}').contains(c)).count();
        // A few names in other letters do not make a title foreign.
        (cjk * 2 > all, cjk * 2 <= all && ascii * 2 > all)
    };
    kind(a) == kind(b)
}

fn keys(text: &str, with_stops: bool) -> Vec<u64> {
    let wanted = words(text).filter(|word| (with_stops || !word.stop) && !word.number);
    let mut keys: Vec<u64> = wanted.map(|word| word.key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

#[cfg(test)]
mod tests {
    use super::mismatch;
    use cited_core::page::{Imprint, Page};

    /// A page by what it says: title, author, year, and whether it is marked as a published work.
    fn page(title: &str, author: &str, year: Option<i16>, published_work: bool, text: &str) -> Page {
        let authors = if author.is_empty() { Vec::new() } else { vec![author.to_owned()] };
        let imprint = Imprint { titles: vec![title.to_owned()], authors, year, published_work, state: None };
        Page { imprint, title: Some(title.to_owned()), ..Page::of_text(text, "text/html") }
    }

    #[track_caller]
    fn check(entry: &str, page: &Page, expected: bool) {
        let found = mismatch(entry, "https://site.example/p/17", page);
        assert_eq!(found.is_some(), expected, "{entry}: {found:?}");
    }

    #[test]
    fn two_of_title_author_and_year_have_to_differ() {
        let other = page("Soil moisture in alpine meadows", "Anna Berg", Some(2011), true, "Soil holds water.");
        for entry in [
            "Doe, J., & Roe, K. (2019). Churn among enterprise software customers. J. Serv. Res.",
            "Doe, J. (2011). Churn among enterprise software customers.",
            "Doe J, Roe K. Churn among enterprise software customers. J Serv Res. 2019;3:1-9.",
            "Jane Doe, Churn among enterprise software customers (2019)",
            "Jane Doe, \"Churn among enterprise software customers\", 2019",
            "Doe et al. 2019. Churn among enterprise software customers. Journal.",
            // The title and the year of a published work are enough.
            "Churn among enterprise software customers (2019)",
            "Doe, J. (2019). To be and not to be. J. Serv. Res.",
            // Another work of the same author.
            "Berg, A. (2019). Churn among enterprise software customers. J. Serv. Res.",
        ] {
            check(entry, &other, true);
        }
        for entry in [
            "Berg, A. (2011). Churn among enterprise software customers",
            "Churn among enterprise software customers",
            "Churn among enterprise software customers (2011)",
            "Moisture of alpine soil, meadows and pastures (2019)",
            "Doe, J. (2019). Moisture in alpine meadows of the Alps",
            "Model card (2019)",
            "",
        ] {
            check(entry, &other, false);
        }
        // A web page's own date and a site's name for it are no proof.
        let site = page("Soil moisture in alpine meadows", "", Some(2011), false, "Soil holds water.");
        check("Churn among enterprise software customers (2019)", &site, false);
        let unnamed = page("Soil moisture in alpine meadows", "admin", Some(2011), false, "Soil holds water.");
        check("Doe, J. (2019). Churn among enterprise software customers", &unnamed, false);
    }

    #[test]
    fn what_only_looks_different_is_the_same_work() {
        let text = "By Jane Doe. Churn among enterprise software customers. We study churn.";
        check(
            "Doe, J. (2019). Churn among enterprise software customers",
            &page("Home page of the research lab", "Anna Berg", Some(2011), true, text),
            false,
        );
        for (entry, title, author) in [
            // Translated, transliterated, in another order.
            ("Чехов А. П. Вишневый сад и другие пьесы. 1904.", "The cherry orchard and other plays", "Anton Chekhov"),
            (
                "Dostoyevsky, F. (1880). Die Brüder im Roman der Zeit",
                "The brothers of our own age",
                "Fyodor Dostoevsky",
            ),
            ("王伟, 李强. 睡眠与记忆研究[J]. 睡眠, 2001.", "Sleep and memory in adults", "Wei Wang"),
            ("Mueller, H. (2001). Waldboden und Wasserhaushalt", "Soil water under forest stands", "Müller, Hans"),
        ] {
            check(entry, &page(title, author, Some(1985), false, "Text."), false);
        }
        let preprint = page("Attention is all you need", "Vaswani, Ashish", Some(2017), true, "");
        check("Vaswani, A. et al. (2023). [1706.03762] Attention Is All You Need. arXiv.", &preprint, false);
    }

    #[test]
    fn the_words_of_the_address_are_those_of_a_title() {
        let other = page("Soil moisture in alpine meadows", "Anna Berg", Some(2011), true, "");
        let entry = "Doe, J. (2019). Churn among enterprise customers";
        assert!(mismatch(entry, "https://s.example/churn-among-enterprise-customers", &other).is_none());
    }
}
