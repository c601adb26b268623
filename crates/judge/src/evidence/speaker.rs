//! Who speaks: to whom a sentence gives what it says. *X said*, *“…”, said X*, *according to X*, *so X*.
//!
//! What stands between quotation marks names nobody: that is what was said. Where it is not clear who is meant, nobody is: whoever asks
//! leaves it at that.

use std::sync::LazyLock;

use cited_text::Span;
use cited_text::lexicon::{self, Languages, Meanings};
use cited_text::quotation::quotations;
use cited_text::words::{self, ByForm, Word};

/// So many words before a verb of saying its speaker may stand, and so many behind it.
const REACH: usize = 12;
/// Every noun has a capital in it, and parts of its verbs stand apart.
static GERMAN: LazyLock<Languages> = LazyLock::new(|| Languages::of_column("de"));
/// What ends a part of a sentence.
const STOPS: [char; 14] = [',', ';', ':', '(', ')', '–', '—', '"', '“', '”', '„', '«', '»', '|'];

/// Who is said to say something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// Somebody with this name, with what they are where that is written as a part of it.
    Named(Span),
    /// Whoever was named before.
    Pronoun,
    /// Somebody who is not named here, or it is not clear who.
    Unclear,
}

/// That a sentence gives something to somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribution {
    /// Who is said to say it.
    pub by: Speaker,
    /// The words that say so, with the name where that stands beside them.
    pub span: Span,
}

impl Attribution {
    /// Who it is, where that is named.
    pub fn name(&self) -> Option<Span> {
        if let Speaker::Named(name) = self.by { Some(name) } else { None }
    }
}

/// The words of `data/speech.tsv`.
struct Table {
    /// The cues by their first words: class, all of the words.
    cues: ByForm<Meanings<(&'static str, &'static str)>>,
    /// The classes of small words, by their forms.
    small: ByForm<Meanings<&'static str>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let (mut cues, mut small): (ByForm<Meanings<_>>, ByForm<Meanings<_>>) = Default::default();
    for row in lexicon::rows(include_str!("data/speech.tsv")) {
        for form in row.forms() {
            if matches!(row.class, "verb" | "behind" | "before" | "close") {
                let first = form.split([' ', '\'', '’']).next().unwrap_or(form);
                cues.entry(words::form(first)).or_default().add(row.languages, (row.class, form));
            } else {
                small.entry(words::form(form)).or_default().add(row.languages, row.class);
            }
        }
    }
    Table { cues, small }
});

/// Whether a word is one of a class of the table.
pub(super) fn is(word: &Word, class: &str) -> bool {
    TABLE.small.get(&word.form).is_some_and(|all| all.in_any(word.spoken).any(|name| name == class))
}

/// Whether a sentence begins with a word of a class of the table: a pronoun, or whose somebody is, *her co-author Pieter Vandeloo*.
pub(super) fn begins_with(words: &[Word], class: &str) -> bool {
    words.first().is_some_and(|first| is(first, class))
}

/// Who is said to say something in a sentence; its words stand where they do in `text`. Whoever is quoted in a quotation is not meant.
///
/// ```
/// use cited_judge::evidence::{Speaker, speakers};
/// use cited_text::{Span, words::words};
/// let said = "“It smells the same,” said Dalia Okonjo, who directed the works.";
/// let whole = Span::new(0, said.len());
/// let Speaker::Named(name) = speakers(said, whole, &words(said).collect::<Vec<_>>())[0].by else { panic!() };
/// assert_eq!(name.slice(said), "Dalia Okonjo");
/// ```
pub fn speakers(text: &str, sentence: Span, words: &[Word]) -> Vec<Attribution> {
    if !words.iter().any(|word| TABLE.cues.contains_key(&word.form)) {
        return Vec::new();
    }
    let found = quotations(sentence.slice(text)).into_iter().map(|quote| quote.span);
    let quoted: Vec<Span> =
        found.map(|quote| Span::new(quote.start + sentence.start, quote.end + sentence.start)).collect();
    let outside = |word: &&Word| !quoted.iter().any(|quote| quote.contains(word.span));
    let words: Vec<Word> = words.iter().filter(outside).copied().collect();
    let said = Sentence { text, span: sentence, words: &words, quoted: &quoted };
    (0..words.len()).filter_map(|at| said.speaker(at)).collect()
}

/// A sentence without its quotations.
struct Sentence<'s> {
    text: &'s str,
    span: Span,
    words: &'s [Word],
    quoted: &'s [Span],
}

impl Sentence<'_> {
    /// Who is said to speak by the cue that begins with this word; `None` when it is none.
    fn speaker(&self, at: usize) -> Option<Attribution> {
        let (cue, length) = self.cue(at)?;
        let end = at + length;
        let by = match cue {
            "verb" => self.subject(at, end),
            "behind" => self.named_behind(end),
            "before" => self.named_before(at),
            // *So* is a cue only there.
            _ => {
                let apart = self.behind_a_quote(at) || self.gap(at).contains(',');
                Some(self.name_from(end).filter(|_| apart).map(Speaker::Named)?)
            }
        };
        let by = by.unwrap_or(Speaker::Unclear);
        let cue = self.words[at].span.cover(self.words[end.min(self.words.len()) - 1].span);
        // *“…” Ana Ruiz said*, and not *Ana Ruiz, who …, said*.
        let beside = |name: Span| {
            let between = Span::new(name.end.min(cue.end), name.start.max(cue.start)).get(self.text);
            between.is_some_and(|between| !between.contains(STOPS))
        };
        let span = match by {
            Speaker::Named(name) if beside(name) => cue.cover(name),
            Speaker::Pronoun if at > 0 && is(&self.words[at - 1], "pronoun") => cue.cover(self.words[at - 1].span),
            _ => cue,
        };
        Some(Attribution { by, span })
    }

    /// The cue that begins with a word, and of how many words it is. Parts of German verbs stand apart: *räumte … ein*.
    fn cue(&self, at: usize) -> Option<(&'static str, usize)> {
        // *The United States*.
        let word = self.words.get(at).filter(|word| at == 0 || !word.capital)?;
        let fits = |form: &str| -> Option<usize> {
            let rest = self.text.get(word.span.start..self.span.end)?;
            let head: String = rest.chars().take(form.chars().count()).flat_map(char::to_lowercase).collect();
            let whole = head == form && !rest[form.len().min(rest.len())..].starts_with(char::is_alphanumeric);
            if whole {
                return Some(
                    self.words[at..].iter().take_while(|w| w.span.start < word.span.start + form.len()).count(),
                );
            }
            let (verb, part) = form.split_once(' ').filter(|(_, part)| !part.contains(' '))?;
            let apart = word.spoken.meet(*GERMAN)
                && word.form == words::form(verb)
                && self.words[at..].iter().skip(1).take(REACH).any(|w| w.form == words::form(part));
            apart.then_some(1)
        };
        let known = TABLE.cues.get(&word.form)?.in_any(word.spoken);
        known.filter_map(|(cue, form)| Some((cue, fits(form)?.max(1)))).max_by_key(|(_, length)| *length)
    }

    /// What stands between a word and the one before it.
    fn gap(&self, at: usize) -> &str {
        let before = at.checked_sub(1).and_then(|before| self.words.get(before));
        let start = before.map_or(self.span.start, |before| before.span.end);
        self.words.get(at).and_then(|word| self.text.get(start..word.span.start)).unwrap_or_default()
    }

    /// Whether a quotation ends right before a word.
    fn behind_a_quote(&self, at: usize) -> bool {
        let Some(word) = self.words.get(at) else { return false };
        let between = |quote: &Span| self.text.get(quote.end..word.span.start).unwrap_or("x");
        let mut before = self.quoted.iter().filter(|quote| quote.end <= word.span.start);
        before.any(|quote| between(quote).chars().all(|c| !c.is_alphanumeric()))
    }

    /// Who is the subject of a verb.
    fn subject(&self, at: usize, end: usize) -> Option<Speaker> {
        if self.behind_a_quote(at) {
            return self.named_behind(end);
        }
        if !self.gap(at).contains([',', '–', '—']) {
            return self.named_before(at);
        }
        // *Rents would rise, said Ana Ruiz.*
        // *Teilte Ludmilla Greifzu mit.*
        let ends = |name: &Span| {
            let rest = self.text.get(name.end..self.span.end).unwrap_or_default().trim_start();
            let behind = self.words.iter().filter(|word| word.span.start >= name.end).count();
            rest.is_empty() || rest.starts_with(|c: char| !c.is_alphanumeric()) || behind == 1
        };
        if let Some(name) = self.name_from(end).filter(ends) {
            return Some(Speaker::Named(name));
        }
        // *Pieter Vandeloo, who did the statistics, said*; *the leader of the council, Joan Brackwell, said*.
        let opened = (1..at).rev().find(|before| self.gap(*before).contains([',', '–', '—']))?;
        let name = self.name_from(opened).filter(|name| self.words[at - 1].span.end <= name.end);
        name.map(Speaker::Named).or_else(|| self.named_before(opened))
    }

    /// The name, or the pronoun, that stands nearest before a word in the same part of the sentence.
    fn named_before(&self, at: usize) -> Option<Speaker> {
        let mut thing = false;
        let mut place = at;
        while place > 0 && at - place < REACH && (place == at || !self.gap(place).contains(STOPS)) {
            place -= 1;
            let word = &self.words[place];
            if is(word, "pronoun") && !thing {
                return Some(Speaker::Pronoun);
            }
            if is_name(word) {
                let mut first = place;
                while first > 0 && is_name(&self.words[first - 1]) && self.joined(first) {
                    first -= 1;
                }
                if self.is_of_something(0, first) {
                    place = first;
                    thing = false;
                    continue;
                }
                let name = self.words[first].span.cover(word.span);
                return self.is_somebody(first, place).then_some(Speaker::Named(name)).filter(|_| !thing);
            }
            // *The council said.*
            if thing && is(word, "article") {
                return None;
            }
            thing |= !word.stop && !is(word, "of");
            // An adverb, or a verb before it, is no thing: only what has an article is.
            if thing && place > 0 && !self.has_an_article(place) {
                thing = false;
            }
        }
        None
    }

    /// Whether an article stands before a word, with words for what it is like between them.
    fn has_an_article(&self, at: usize) -> bool {
        let before = self.words[..at].iter().enumerate().rev().take(3);
        let mut before = before.take_while(|(place, word)| !is_name(word) && !self.gap(place + 1).contains(STOPS));
        before.any(|(_, word)| is(word, "article"))
    }

    /// The name, or the pronoun, that stands behind a verb or *according to*, with what its bearer is before it.
    fn named_behind(&self, from: usize) -> Option<Speaker> {
        if self.words.get(from).is_some_and(|word| is(word, "pronoun")) {
            return Some(Speaker::Pronoun);
        }
        // *Said the leader of the council, Joan Brackwell.*
        let apart = |at: usize| at > from && self.gap(at).contains(STOPS);
        let named = |at: &usize| apart(*at) || is_name(&self.words[*at]) && !self.is_of_something(from, *at);
        let at = (from..(from + REACH).min(self.words.len())).find(named)?;
        self.name_from(at).map(Speaker::Named)
    }

    /// The name that begins with a word.
    fn name_from(&self, at: usize) -> Option<Span> {
        let first = self.words.get(at).filter(|word| is_name(word))?;
        let mut last = at;
        while self.words.get(last + 1).is_some_and(is_name) && self.joined(last + 1) {
            last += 1;
        }
        self.is_somebody(at, last).then(|| first.span.cover(self.words[last].span))
    }

    /// Whether a word is part of one name with the word before it.
    fn joined(&self, at: usize) -> bool {
        let gap = self.gap(at);
        !gap.is_empty() && gap.chars().all(|c| matches!(c, ' ' | '\u{a0}' | '-' | '’' | '\'' | '.'))
    }

    /// Whether the name that begins with a word only says, by a word behind `from`, of what somebody is: *the mayor of Larkfield*.
    fn is_of_something(&self, from: usize, first: usize) -> bool {
        if self.gap(first).contains(STOPS) {
            return false;
        }
        let before = self.words[from..first].iter().rev().take(2);
        let mut before = before.skip_while(|word| is(word, "article") && !is(word, "of"));
        before.next().is_some_and(|word| is(word, "of"))
    }

    /// Whether some words with capitals name somebody. One alone is no name where every noun has a capital and an article stands before it,
    /// nor where it begins a sentence and is a usual word.
    fn is_somebody(&self, first: usize, last: usize) -> bool {
        let word = &self.words[first];
        let before = first.checked_sub(1).map(|at| &self.words[at]).filter(|_| !self.gap(first).contains(STOPS));
        let is_kind = word.spoken.meet(*GERMAN) && before.is_some_and(|word| is(word, "article") || is(word, "of"));
        let begins = first == 0 && words::rarity(word.key) < words::RARE;
        first < last || !is_kind && !begins
    }
}

/// Whether a word may be part of a name.
fn is_name(word: &Word) -> bool {
    word.capital && !word.stop && !word.number
}

#[cfg(test)]
mod tests {
    use super::{Attribution, Speaker, speakers};
    use cited_text::Span;
    use cited_text::words::words;

    #[track_caller]
    fn check(said: &str, expected: &[&str]) {
        let all: Vec<_> = words(said).collect();
        let shown = |told: Attribution| match told.by {
            Speaker::Named(span) => span.slice(said),
            Speaker::Pronoun => "<pronoun>",
            Speaker::Unclear => "<unclear>",
        };
        let found: Vec<&str> = speakers(said, Span::new(0, said.len()), &all).into_iter().map(shown).collect();
        assert_eq!(found, expected, "{said}");
    }

    #[test]
    fn who_speaks_is_found_on_either_side_of_the_verb() {
        for (said, expected) in [
            ("“We took up the tiles,” said Dalia Okonjo, who directed the works.", &["Dalia Okonjo"][..]),
            ("“It smells the same,” she said.", &["<pronoun>"]),
            ("The leader of the council, Joan Brackwell, replied that it had not risen.", &["Joan Brackwell"]),
            ("Pieter Vandeloo, who did the statistics, said that it was early.", &["Pieter Vandeloo"]),
            ("Anselm Drury, a zoologist at the Gellhaven Institute, warned of it.", &["Anselm Drury"]),
            ("Brackwell said that a decision was near; Okonjo believes that it is not.", &["Brackwell", "Okonjo"]),
            ("It was Lena Stroud who said so.", &["Lena Stroud"]),
            ("The mayor of Larkfield said that it was closed.", &["<unclear>"]),
            ("The council said that it was closed.", &["<unclear>"]),
            ("According to the Gellhaven Institute, it is closed.", &["Gellhaven Institute"]),
            ("Rents would rise, said Ana Ruiz.", &["Ana Ruiz"]),
            ("“Who said that?” is a film.", &[]),
            ("“Not so,” said the leader of the council, Joan Brackwell.", &["Joan Brackwell"]),
            ("Joan smiled and the council said nothing.", &["<unclear>"]),
        ] {
            check(said, expected);
        }
    }

    #[test]
    fn who_speaks_in_other_languages() {
        for (said, expected) in [
            (
                "„Wir haben weniger Räder verkauft“, sagte die Vorstandsvorsitzende Katrin Mehldorn.",
                &["Vorstandsvorsitzende Katrin Mehldorn"][..],
            ),
            ("„Das Schlimmste liegt hinter uns“, sagte er.", &["<pronoun>"]),
            ("Der Sprecher sagte, das sei falsch.", &["<unclear>"]),
            ("Es werde teurer, so Mehldorn.", &["Mehldorn"]),
            ("So Gott will, wird es gut.", &[]),
            ("Katrin Mehldorn zufolge wird es teurer.", &["Katrin Mehldorn"]),
            ("Mehldorn räumte am Montag Fehler ein.", &["Mehldorn"]),
            ("«No es así», dijo Ana Ruiz.", &["Ana Ruiz"]),
            ("Es seien acht gewesen, teilte Sprecherin Ludmilla Greifzu mit.", &["Sprecherin Ludmilla Greifzu"]),
            ("Según Ana Ruiz, la obra no ha terminado.", &["Ana Ruiz"]),
        ] {
            check(said, expected);
        }
    }
}
