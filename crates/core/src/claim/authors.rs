//! What a document says of its authors: what they did, have or plan. No page could be asked for it.
//!
//! Told by grammar: who wrote it is the subject of a clause (*In May I interviewed 14 teachers*, *our budget is 3 million*). What is said to
//! have been found out is a claim like any other (*we found that 40% left*). A generic *we* cannot be told from the authors; so such
//! statements stay claims, are noted, and are only never dropped for want of a citation.

use std::sync::LazyLock;

use super::imperative::{is_inner, tokens};
use super::{Claim, Classes, classes, sections_headed};
use crate::markdown::Document;
use cited_text::Spans;
use cited_text::marks::is_opening_mark;

static FORMS: LazyLock<Classes> = LazyLock::new(|| classes(include_str!("data/authors.tsv")));

/// Whether a form is of one of these classes of the table.
fn is(form: &str, of: &[&str]) -> bool {
    of.iter().any(|class| FORMS[class].contains(form))
}

/// Words between a subject of the first person and what was found out: *our survey of 500 users found*.
const REACH: usize = 8;

/// What tells which claims of a document are of its authors.
#[derive(Debug)]
pub(crate) struct Authors {
    /// The sections on what the authors plan and how they worked.
    plans: Spans,
}

impl Authors {
    /// Reads a document for its authors.
    pub fn read(document: &Document) -> Self {
        Authors { plans: sections_headed(document, |words| is(words, &["plan"])) }
    }

    /// Whether a claim says what the authors did, have or plan.
    pub(crate) fn are_told_of(&self, claim: &Claim) -> bool {
        speaks_in_first_person(&claim.text)
            || tells_what_the_authors_plan(&claim.text)
            || self.plans.contain(claim.span)
    }
}

/// The words of a text in small letters, each with whether a clause starts there.
fn words(text: &str) -> impl Iterator<Item = (String, bool)> + '_ {
    let mut at = 0;
    tokens(text).map(move |(word, end)| {
        let before = text[at..end].trim_end_matches(is_inner);
        let opens = at == 0 || before.contains([',', ';', ':', '—', '–', '(']);
        at = end;
        (word, opens)
    })
}

/// Whether the first person is the subject of a clause, and nothing that was found out follows. What somebody else says in the first
/// person stands in quotation marks.
fn speaks_in_first_person(text: &str) -> bool {
    if text.contains(is_opening_mark) {
        return false;
    }
    let unspaced = |clause: &str| {
        let clause = clause.trim_start();
        FORMS["unspaced-person"].iter().any(|person| clause.starts_with(person))
            && !FORMS["unspaced-finding"].iter().any(|finding| clause.contains(finding))
    };
    if text.split(['，', '；', '：']).any(unspaced) {
        return true;
    }
    let words: Vec<(String, bool)> = words(text).collect();
    words.iter().enumerate().any(|(at, (word, opens))| {
        // *In May 2024 we collected*: the year ends what stands before the subject.
        let behind_a_date = at.checked_sub(1).is_some_and(|before| words[before].0.chars().all(|c| c.is_ascii_digit()));
        let subject = *opens && is(word, &["person", "possessive"]) || behind_a_date && is(word, &["person"]);
        // *I* is a numeral and a letter, too: a verb in small letters follows, and no number.
        let follows = words.get(at + 1).is_some_and(|(next, _)| next.starts_with(char::is_alphabetic));
        subject && follows && !find(&words[at..])
    })
}

/// Whether what was found out follows soon. *For this report* names a thing: no verb stands behind a determiner.
fn find(words: &[(String, bool)]) -> bool {
    words.windows(2).take(REACH).any(|pair| is(&pair[1].0, &["finding"]) && !is(&pair[0].0, &["determiner"]))
}

/// Whether the subject of a clause is who wrote the document, in the third person, and what follows says what they plan or whom they asked:
/// *The authors plan to visit 40 mills*. Of what they found it does not tell.
fn tells_what_the_authors_plan(text: &str) -> bool {
    let words: Vec<(String, bool)> = words(text).collect();
    let word = |at: usize| words.get(at).map_or("", |(word, _)| word.as_str());
    words.iter().enumerate().filter(|(_, (_, opens))| *opens).any(|(at, (first, _))| {
        // Russian has no article; French writes it to the noun.
        let name = at + usize::from(is(first, &["opening"]) && !is(first, &["author"]));
        let of_two = format!("{} {}", word(name), word(name + 1));
        let verb = name + if is(&of_two, &["author"]) { 2 } else { 1 };
        (verb == name + 2 || is(word(name), &["author"]))
            && is(word(verb), &["intent", "inquiry"])
            && !find(&words[verb - 1..])
    })
}

#[cfg(test)]
mod tests {
    use super::{speaks_in_first_person, tells_what_the_authors_plan};

    #[test]
    fn authors_in_the_third_person_plan() {
        for (text, expected) in [
            ("The authors plan to visit 40 mills in 2026.", true),
            ("The project team will repeat the count in 12 months.", true),
            ("In spring, the team intends to survey 300 users.", true),
            ("The authors interviewed 14 millers.", true),
            ("Die Autoren planen 40 Besuche.", true),
            ("Los autores planean visitar 40 molinos.", true),
            ("L'équipe prévoit 40 visites.", true),
            ("Авторы планируют 40 поездок.", true),
            ("The authors found that 40% of them left.", false),
            ("The company plans to build 40 plants.", false),
            ("The team won 12 games in 2020.", false),
            ("Authors earned 40% more in 2020.", false),
        ] {
            assert_eq!(tells_what_the_authors_plan(text), expected, "{text}");
        }
    }

    #[test]
    fn the_first_person_as_subject_speaks_of_the_authors() {
        for (text, expected) in [
            ("I interviewed 14 teachers in May 2024.", true),
            ("Our budget is 3 million euros.", true),
            ("In May 2024, we visited 12 schools.", true),
            ("We plan to hire 5 engineers by June.", true),
            ("Unser Budget beträgt 3 Millionen Euro.", true),
            ("我们访谈了14位教师。", true),
            ("We interviewed 14 nurses for this report.", true),
            ("Between March and May 2024 we collected 120 samples.", true),
            ("Nous avons interrogé 14 infirmières pour ce rapport.", true),
            ("Nous avons constaté une hausse de 12 %.", false),
            ("In 2024 we found that 40% of them left.", false),
            ("We found that 40% of them left.", false),
            ("Our analysis shows a rise of 12%.", false),
            ("Our run averaged 31.5 tokens/s.", false),
            ("我们发现40%的人离开了。", false),
            ("“We hired 300 people in 2020,” the chief said.", false),
            ("Sales grew by 12%.", false),
            ("Phase I 2020 trials cost $3 million.", false),
            ("It gives us 20% more.", false),
        ] {
            assert_eq!(speaks_in_first_person(text), expected, "{text}");
        }
    }
}
