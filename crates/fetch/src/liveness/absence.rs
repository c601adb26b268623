//! Question 3: does the page say of itself that what was asked for is not there? Sentences are understood by `composed`; here it
//! counts where they stand, and what else the page has to say.

use std::sync::LazyLock;

use url::Url;

use super::super::document::Document;
use super::super::fold::{count_words, fold, holds};
use super::composed::{Absence, Sentence, absence_in, sentences};
use super::way::{Doubt, Sibling};
use cited_core::rule::Rule;
use cited_text::lexicon::table;
use cited_text::marks::is_mark;

/// Words that a page may have beside what it says of its absence (suggestions, a search) and still say nothing else, where
/// the title or the heading says it …
const BESIDE_HEADING: usize = 70;
/// … and where only a sentence says it.
const BESIDE_SENTENCE: usize = 35;

/// … and where that is all that it says, of whatever was asked for.
const BESIDE_ALL: usize = 10;

/// Own sentences in which a page may say what it says of itself.
const SENTENCES: usize = 4;

/// Own sentences that are looked at for what else it tells.
const LOOKED_AT: usize = 24;

/// A page with more words of its own than this is no default page of a server or seller of names.
const HOSTING_WORDS: usize = 150;

/// What divides the parts of a title.
const DIVIDERS: [char; 10] = ['|', '–', '—', '·', '•', '»', '«', ':', '/', '›'];

/// The parts of a title: *Page not found | Acme* has two.
pub fn parts_of_title(title: &str) -> impl Iterator<Item = &str> {
    title.split(DIVIDERS).flat_map(|part| part.split(" - ")).map(str::trim).filter(|part| !part.is_empty())
}

/// The part of a title that says that nothing is there, if one says nothing but that.
pub fn says_absence(title: &str) -> Option<&str> {
    parts_of_title(title).find(|part| absence_in(part).is_some_and(|absence| absence.plain))
}

/// What a page says first of an absence and of nothing else: in its title, its heading, or the beginning of its text.
pub fn saying(document: &Document) -> Option<String> {
    let [title, heading] = document.names();
    let titles = parts_of_title(title).map(Sentence::new);
    let said = titles.chain(sentences(heading)).chain(sentences(&document.html.own).take(SENTENCES));
    let mut plain = said.filter(|part| part.absence().is_some_and(|absence| absence.plain));
    plain.next().map(|part| part.folded.clone())
}

/// What such pages are called, and what title and text of each have; empty for what does not matter.
static HOSTING: LazyLock<Vec<(&str, String, String)>> = LazyLock::new(|| {
    let part = |text: &str| if text == "-" { String::new() } else { fold(text, 200) };
    let rows = table::cells(include_str!("data/hosting.tsv"));
    rows.filter_map(|row| matches!(row[..], [_, _, _, _]).then(|| (row[0], part(row[2]), part(row[3])))).collect()
});

/// A page that stands where no site is.
fn hosting(document: &Document, landed: &Url) -> Option<Doubt> {
    if document.html.own_words > HOSTING_WORDS {
        return None;
    }
    let [title, heading] = document.names().map(|name| fold(name, 300));
    let text = fold(&document.page.text, 3000);
    let shown = |(_, of_title, of_text): &&(&str, String, String)| {
        (of_title.is_empty() || holds(&title, of_title))
            && (of_text.is_empty() || [&text, &title, &heading].into_iter().any(|place| holds(place, of_text)))
    };
    let (id, ..) = HOSTING.iter().find(shown)?;
    let reason = match *id {
        "suspended" => "hosting is suspended",
        "parked" | "for-sale" => "parked domain",
        _ => "default page of a server",
    };
    // What a page quotes or tells at length is not said of itself.
    let told = || sentences(&document.html.own).take(LOOKED_AT).any(|one| one.tells());
    let sure = id.starts_with("default") || !told();
    // It stands for a whole site: an honest sibling speaks against it, but at the front page, or where the name for sale is its own.
    let own = landed.host_str().unwrap_or_default().trim_start_matches("www.");
    let of_itself =
        landed.path() == "/" && *id != "for-sale" || holds(&format!("{title} {heading} {text}"), &fold(own, 200));
    Some(Doubt::new(Rule::Parked, reason, format!("absence:{id}"), up_to(sure, of_itself)))
}

/// How much of a sibling's word a doubt stands against that is sure, and one that the page says of the item itself.
fn up_to(is_sure: bool, of_item: bool) -> Sibling {
    let most = if of_item { Sibling::Other } else { Sibling::Silent };
    if is_sure { most } else { Sibling::Same }
}

/// What a page says against itself: that no site is there, or what title, heading and first own sentences say.
pub fn find_doubt(document: &Document, landed: &Url) -> Option<Doubt> {
    if let Some(doubt) = hosting(document, landed) {
        return Some(doubt);
    }
    let [title, heading] = document.names();
    let titles: Vec<Sentence<'_>> = parts_of_title(title).map(Sentence::new).collect();
    // A heading may have the name of the site in it, too.
    let headings: Vec<Sentence<'_>> = parts_of_title(heading).flat_map(sentences).collect();
    let folded_heading = fold(heading, 1000);
    let own = || sentences(&document.html.own).filter(|sentence| !holds(&folded_heading, &sentence.folded));
    // *Sorry!*, *Oops*: what is said before something is said.
    let opening: Vec<Sentence<'_>> =
        own().filter(|sentence| count_words(&sentence.folded) > 2).take(SENTENCES).collect();
    let opened = opening.first();
    let (in_title, in_heading) =
        (titles.iter().find_map(Sentence::with_absence), headings.iter().find_map(Sentence::with_absence));
    let first = opened.and_then(Sentence::with_absence);
    let later = opening.iter().skip(1).find_map(Sentence::with_absence);
    let mut all = [in_title, in_heading, first, later].into_iter().flatten();
    let any = all.clone().next()?;
    let (sentence, absence) = all.find(|(_, absence)| absence.plain).unwrap_or(any);
    // Words that speak of the absence and of nothing else.
    let looked_at = || sentences(&document.html.own).take(LOOKED_AT);
    let spoken: usize = looked_at().filter(|one| one.absence().is_some()).map(|one| count_words(&one.folded)).sum();
    let beside = document.html.own_words.saturating_sub(spoken);
    let plain = |found: &Option<(&Sentence<'_>, Absence)>| found.is_some_and(|(_, absence)| absence.plain);
    let headed =
        plain(&in_heading) || plain(&in_title) && (heading.is_empty() || in_heading.is_some() || plain(&first));
    let enough = if headed { BESIDE_HEADING } else { BESIDE_SENTENCE };
    // What is told beside it is told of something that is there.
    let tells_more = looked_at().any(|one| !holds(&folded_heading, &one.folded) && one.tells());
    // A title that quotes such a sentence is of a page about it.
    let about = [title, heading]
        .iter()
        .any(|text| text.contains(is_mark) && text.split(is_mark).any(|part| absence_in(part).is_some()));
    let bare = beside <= enough && !about;
    let item = |found: &Option<(&Sentence<'_>, Absence)>| {
        found.is_some_and(|(_, Absence { thing, state, plain })| {
            plain && thing.is_some_and(|thing| thing != "site" && (thing != "page" || state == "gone"))
        })
    };
    // What is over may still be shown (results of a poll); a job is not.
    let over = first.is_some_and(|(_, said)| said.state == "closed" && said.thing != Some("job"));
    let of_item =
        item(&in_heading) || item(&first) && !over || item(&in_title) && (heading.is_empty() || in_heading.is_some());
    // *Page not found* over *Sorry, we can't find that page*, and nothing else but what leads a reader on.
    let above = plain(&in_heading) || heading.is_empty() && plain(&in_title);
    // *Visitors who see that a page does not exist leave* tells something.
    let all_it_says = above && (first.is_none() || plain(&first)) && beside <= BESIDE_ALL;
    let thing = absence.thing.unwrap_or("page");
    let (rule, what) = match thing {
        "site" => (Rule::Parked, "no site here"),
        "page" => (Rule::Soft404, "soft 404"),
        _ => (Rule::ItemGone, "item is gone"),
    };
    let reason = format!("{what}: page says “{}”", sentence.text.trim());
    let is_sure = bare && !tells_more && (headed || plain(&first));
    Some(Doubt::new(rule, reason, format!("absence:{thing}-{}", absence.state), up_to(is_sure, of_item || all_it_says)))
}
