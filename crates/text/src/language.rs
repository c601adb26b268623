//! What language a text is in: told by its script and by frequent words, and by what it is part of.
//!
//! Every frequent word speaks for the languages that have it, the more the fewer they are. A language is *sure* when it has
//! more than one word's weight for it and clearly more than any other. A part of a document whose words do not say it is in the
//! document's language; one that clearly is in another is in that one. A text that is neither is in any of the languages of its
//! script: then a word of any of them may mean what it means there, and contradicts nothing.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Span;
use super::words::{LANGUAGES, RARE, Word, rarity, words};
use crate::lexicon::{Language, Languages, table};

/// How much of a text is read to tell its language, in bytes.
const SAMPLE: usize = 16 * 1024;
/// What a word that is of one language alone says for it; of several, for each of them a part of it.
const WORD: u32 = 12;
/// So many words that say something of the language of a text are heard.
const MOST_TELLING: usize = 2000;
/// What an ordinary word of English says for it: other languages have some of them.
const ORDINARY: u32 = WORD / 3;
/// A language is told by so much: more than one word, for one may be a name or a borrowed one.
const FEWEST: u32 = WORD + ORDINARY;
/// A part of a document is in another language than the document when so much says so.
const FEWEST_OF_ANOTHER: u32 = 2 * WORD + WORD / 2;
/// So many characters of a script without spaces show a language.
const FEWEST_UNSPACED: usize = 5;

/// The languages that are written in Latin letters.
static LATIN: LazyLock<Languages> = LazyLock::new(|| Languages::of_column("en,de,fr,es,pt,it,nl,pl,sv,tr"));

/// How much speaks for each language.
#[derive(Debug, Clone, Copy, Default)]
struct Votes([u32; 16]);

impl Votes {
    /// What some words say. One that comes again says nothing more, and one with a capital may be of a name: *AI*, *Los Angeles*.
    fn count(words: impl Iterator<Item = Word>) -> Votes {
        // General English has a table of its words: *died*, *singer*. It is the first of the languages.
        let is_english = |word: &Word| !word.number && !word.stop && rarity(word.key) < RARE;
        let mut telling: Vec<(u64, Languages)> = words
            .filter(|word| !word.capital && (!word.votes.is_empty() || is_english(word)))
            .take(MOST_TELLING)
            .map(|word| (word.form, word.votes))
            .collect();
        telling.sort_unstable_by_key(|(form, _)| *form);
        telling.dedup_by_key(|(form, _)| *form);
        let mut votes = Votes::default();
        for (_, languages) in telling {
            if languages.is_empty() {
                votes.0[0] += ORDINARY;
            }
            let weight = WORD / (languages.len() as u32).max(1);
            for language in languages.iter() {
                votes.0[language.index()] += weight;
            }
        }
        votes
    }

    /// The language that is sure, if one is, with what speaks for it.
    fn decide(&self) -> Option<(Language, u32)> {
        let weighed = || Languages::ALL.iter().map(|language| (language, self.0[language.index()]));
        // Of equal ones the first.
        let (first, best) = weighed().reduce(|best, other| if other.1 > best.1 { other } else { best })?;
        let second = weighed().filter(|(other, _)| *other != first).map(|(_, votes)| votes).max()?;
        let sure = best >= FEWEST && best >= second + second / 2 + WORD / 3;
        sure.then_some((first, best))
    }
}

/// The writing of a text: the languages that are written so.
fn written_in(text: &str) -> Languages {
    if text.is_ascii() {
        return *LATIN;
    }
    let mut letters = [0usize; 6];
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        let writing = match c {
            '\u{3040}'..='\u{30FF}' => 0,
            '\u{3400}'..='\u{9FFF}' => 1,
            '\u{1100}'..='\u{11FF}' | '\u{AC00}'..='\u{D7AF}' => 2,
            '\u{0400}'..='\u{04FF}' => 3,
            '\u{0600}'..='\u{06FF}' => 4,
            _ => 5,
        };
        letters[writing] += 1;
    }
    let [kana, han, hangul, cyrillic, arabic, other] = letters;
    let unspaced = kana + han;
    if unspaced * 3 > other && unspaced >= hangul && unspaced > 0 {
        let tag = match (kana * 10 > han, unspaced >= FEWEST_UNSPACED) {
            (true, _) => "ja",
            (false, true) => "zh",
            (false, false) => "zh,ja",
        };
        return Languages::of_column(tag);
    }
    let most = [(hangul, "ko"), (cyrillic, "ru,uk"), (arabic, "ar")].into_iter().max();
    most.filter(|(most, _)| *most > other).map_or(*LATIN, |(_, tags)| Languages::of_column(tags))
}

/// The languages that a text may be in, which has these words: one when it is sure. `beside` are those of what it is part of.
pub fn languages_of(text: &str, words: &[Word], beside: Languages) -> Languages {
    let end = text.floor_char_boundary(SAMPLE);
    let from = words.first().map_or(0, |word| word.span.start);
    let sample = &words[..words.partition_point(|word| word.span.end <= end + from)];
    decide(&text[..end], &Votes::count(sample.iter().copied()), beside)
}

/// The same for a text whose words were not read.
pub fn languages_in(text: &str, beside: Languages) -> Languages {
    let end = text.floor_char_boundary(SAMPLE);
    let sample = &text[..end];
    decide(sample, &Votes::count(words(sample)), beside)
}

/// The languages of two texts that are about the same thing, of which neither is sure by itself.
pub fn languages_of_both(one: (&str, &[Word]), other: (&str, &[Word])) -> Languages {
    decide(one.0, &Votes::count(one.1.iter().chain(other.1).copied()), Languages::ALL)
}

fn decide(text: &str, votes: &Votes, beside: Languages) -> Languages {
    let script = written_in(text);
    if script.only().is_some() {
        return script;
    }
    let writes = |language: Language| script.contain(language.into()) && !has_foreign_letters(text, language);
    let own = votes.decide().filter(|(language, _)| writes(*language));
    match (beside.only(), own) {
        // What is part of a document is in its language unless it clearly is not.
        (Some(usual), Some((language, votes_of_it))) if usual != language => {
            let usual_votes = votes.0[usual.index()];
            let clear = usual_votes == 0 || votes_of_it >= FEWEST_OF_ANOTHER && usual_votes * 3 <= votes_of_it;
            if clear || !script.contain(usual.into()) { language.into() } else { usual.into() }
        }
        (Some(usual), _) if script.contain(usual.into()) => usual.into(),
        (_, Some((language, _))) => language.into(),
        _ => script.narrowed(beside),
    }
}

/// Whether a text has letters that a language does not write, more than names bring: Czech is no Polish.
fn has_foreign_letters(text: &str, language: Language) -> bool {
    /// Letters, with the languages that do not write them.
    static FOREIGN: LazyLock<HashMap<&str, Languages>> = LazyLock::new(|| table::by_language(LANGUAGES, "foreign"));
    /// So many times as long is a text with a few of them.
    const FEW: usize = 100;
    let is_foreign = |c: &char| {
        let is_it =
            |(letter, languages): (&&str, &Languages)| languages.meet(language.into()) && letter.starts_with(*c);
        !c.is_ascii() && FOREIGN.iter().any(is_it)
    };
    text.chars().filter(is_foreign).count() * FEW > text.chars().count()
}

/// The language of a text, when it is sure.
///
/// ```
/// use cited_text::language::language;
/// assert_eq!(language("El impuesto recaudó 40 millones sin subir los precios."), Some("es"));
/// assert_eq!(language("The sin tax on tobacco raised 40 million."), Some("en"));
/// assert_eq!(language("42"), None);
/// ```
pub fn language(text: &str) -> Option<&'static str> {
    languages_in(text, Languages::ALL).only().map(Language::tag)
}

/// The same for a text whose words were read already.
pub fn language_of(text: &str, words: &[Word]) -> Option<&'static str> {
    languages_of(text, words, Languages::ALL).only().map(Language::tag)
}

/// Whether the frequent words of a text, too few to tell its language, are of other languages than this one.
pub fn speaks_otherwise(words: &[Word], language: &str) -> bool {
    let Some(language) = Language::of_tag(language).map(Languages::from) else { return false };
    let mut telling = words.iter().filter(|word| !word.votes.is_empty()).peekable();
    telling.peek().is_some() && telling.all(|word| !word.votes.meet(language))
}

/// A stretch of text with the languages that it may be in.
#[derive(Debug, Clone, Copy)]
pub struct Spoken<'t> {
    /// The text.
    pub text: &'t str,
    /// Its languages: one when it is sure.
    pub languages: Languages,
}

impl<'t> Spoken<'t> {
    /// A part of it, in the same languages; empty where the span is not one of this text.
    #[must_use]
    pub fn part(self, span: Span) -> Spoken<'t> {
        Spoken { text: span.get(self.text).unwrap_or_default(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::{Languages, language, languages_in};
    use crate::lexicon::Language;

    #[test]
    fn a_sentence_shows_its_language() {
        for (text, expected) in [
            ("The keeper of the lighthouse was not there when they came.", Some("en")),
            ("The sin tax on tobacco raised 40 million.", Some("en")),
            ("Der Wärter war nicht da, und die Tür ist offen.", Some("de")),
            ("Le taux de chômage était de 12 % dans la région.", Some("fr")),
            ("La tasa de desempleo fue del 12 % en 2023.", Some("es")),
            (
                "Huset ved åen blev bygget i 1931, og der bor nu en læge med sin kone, som også ejer køerne på øen.",
                None,
            ),
            ("Hráz byla opravena na jaře a od té doby se na ní nesmí jezdit.", None),
            ("A taxa de desemprego foi de 12% no ano passado.", Some("pt")),
            ("Il tasso di disoccupazione è stato del 12% nel 2023.", Some("it")),
            ("Het werkloosheidspercentage was 12 procent van de bevolking.", Some("nl")),
            ("Stopa bezrobocia w tym roku nie wzrosła.", Some("pl")),
            ("Arbetslösheten var 12 procent och det är mer än i fjol.", Some("sv")),
            ("İşsizlik oranı bir yıl sonra yüzde 12 oldu.", Some("tr")),
            ("Уровень безработицы в этом году составил 12 %.", Some("ru")),
            ("Рівень безробіття у цьому році і далі зріс.", Some("uk")),
            ("灯台の番人はそこにいませんでした。", Some("ja")),
            ("失业率在二零二三年上升。", Some("zh")),
            ("실업률은 12퍼센트였다.", Some("ko")),
            ("42", None),
            ("Berlin 2023", None),
        ] {
            assert_eq!(language(text), expected, "{text}");
        }
    }

    #[test]
    fn a_part_is_in_the_language_of_its_document_unless_it_clearly_is_not() {
        let within = |text: &str, document: &str| {
            let beside = Language::of_tag(document).map_or(Languages::ALL, Languages::from);
            languages_in(text, beside).only().map(Language::tag)
        };
        for (text, document, expected) in [
            ("Sin tax revenue: 40 million", "en", Some("en")),
            ("Sin cambios en 2023", "es", Some("es")),
            ("La Paz y Los Angeles", "en", Some("en")),
            ("Der Preis ist nicht gestiegen, und die Löhne auch nicht.", "en", Some("de")),
            ("Die Mühle ist nicht alt.", "en", Some("de")),
            ("收入增长", "en", None),
            ("收入增长百分之十二", "en", Some("zh")),
        ] {
            assert_eq!(within(text, document), expected, "{text} in {document}");
        }
    }
}
