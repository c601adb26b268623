//! What a document says of its authors: what they did, have or plan. No page could be asked for it.
//!
//! Told by grammar: who wrote it is the subject of a clause (*In May I interviewed 14 teachers*, *our budget is 3 million*). What is said to
//! have been found out is a claim like any other (*we found that 40% left*). A generic *we* cannot be told from the authors; so such
//! statements stay claims, are noted, and are only never dropped for want of a citation.

use super::imperative::{is_inner, tokens};
use super::sections_headed;
use crate::markdown::Document;
use cited_text::Spans;
use cited_text::lexicon::Classes;
use cited_text::marks::is_opening_mark;

static FORMS: Classes = Classes::new(include_str!("data/authors.tsv"));

/// Words between a subject of the first person and what was found out: *our survey of 500 users found*.
const REACH: usize = 8;

/// The sections of a document on what its authors plan and how they worked.
pub(crate) fn plans_of_its_authors(document: &Document) -> Spans {
    sections_headed(document, |words| FORMS.has("plan", words))
}

/// Whether a claim says what the authors of its document did, have or plan: the first person is the subject of a clause, or who wrote the
/// document is one in the third person (*The authors plan to visit 40 mills*), and nothing follows that was found out.
pub(crate) fn tells_of_its_authors(text: &str) -> bool {
    // What somebody else says in the first person stands in quotation marks.
    let is_own = !text.contains(is_opening_mark);
    let unspaced = |clause: &str| {
        let begins = |person: &&str| clause.trim_start().starts_with(person);
        FORMS.of("unspaced-person").iter().any(begins)
            && !FORMS.of("unspaced-finding").iter().any(|finding| clause.contains(finding))
    };
    let mut last = 0;
    let with_start = |(word, end): (String, usize)| {
        let start = std::mem::replace(&mut last, end);
        let before = text[start..end].trim_end_matches(is_inner);
        (word, start == 0 || before.contains([',', ';', ':', '—', '–', '(']))
    };
    // The words in small letters, each with whether a clause starts there.
    let words: Vec<(String, bool)> = tokens(text).map(with_start).collect();
    let word = |at: usize| words.get(at).map_or("", |(word, _)| word.as_str());
    let first_person = |at: usize, opens: bool| {
        // *In May 2024 we collected*: the year ends what stands before the subject.
        let behind_a_date = at > 0 && word(at - 1).chars().all(|c| c.is_ascii_digit());
        let person = (opens || behind_a_date) && FORMS.has("person", word(at));
        // *I* is a numeral and a letter, too: a verb in small letters follows, and no number.
        (person || opens && FORMS.has("possessive", word(at)))
            && word(at + 1).starts_with(char::is_alphabetic)
            && !find(&words[at..])
    };
    let third_person = |at: usize| {
        // Russian has no article; French writes it to the noun.
        let name = at + usize::from(FORMS.has("opening", word(at)) && !FORMS.has("author", word(at)));
        let of_two = FORMS.has("author", &format!("{} {}", word(name), word(name + 1)));
        let verb = name + if of_two { 2 } else { 1 };
        (of_two || FORMS.has("author", word(name)))
            && FORMS.are(&["intent", "inquiry"], word(verb))
            && !find(&words[verb - 1..])
    };
    let told =
        |(at, (_, opens)): (usize, &(String, bool))| is_own && first_person(at, *opens) || *opens && third_person(at);
    is_own && text.split(['，', '；', '：']).any(unspaced) || words.iter().enumerate().any(told)
}

/// Whether what was found out follows soon. *For this report* names a thing: no verb stands behind a determiner.
fn find(words: &[(String, bool)]) -> bool {
    words.windows(2).take(REACH).any(|pair| FORMS.has("finding", &pair[1].0) && !FORMS.has("determiner", &pair[0].0))
}

#[cfg(test)]
mod tests {
    use super::tells_of_its_authors;

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
            assert_eq!(tells_of_its_authors(text), expected, "{text}");
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
            assert_eq!(tells_of_its_authors(text), expected, "{text}");
        }
    }
}
