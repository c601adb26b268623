//! Negation, direction and opposites: whether a passage that has the claim's words says the contrary.

use super::cues::{Class, classes_of, compares, has, is_of_class, is_telling, opposites_of, phrases, phrases_in};
use crate::evidence::search::SourceIndex;
use crate::lexicon::Languages;
use crate::text::Span;
use crate::text::language::{Spoken, languages_in};
use crate::text::words::{self, Word};

/// What a stretch of text asserts, beside its content words.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stance {
    /// How often it denies.
    pub negators: usize,
    /// Whether something goes up.
    pub up: bool,
    /// Whether something goes down.
    pub down: bool,
    /// Whether it is only possible.
    pub hedged: bool,
    /// Words of certainty.
    pub certain: usize,
    /// Superlatives and other extremes.
    pub superlatives: usize,
    /// Words that restrict what a number is about, as keys.
    pub qualifiers: Vec<u64>,
    /// Whether it denies in more than one word (*turned down*), in a way that is not counted.
    pub denying_phrase: bool,
}

/// Reads the stance of a text that shows its language by itself.
pub fn stance(text: &str) -> Stance {
    stance_in(Spoken { text, languages: languages_in(text, Languages::ALL) })
}

/// Reads the stance of a stretch of text whose languages are known.
pub fn stance_in(part: Spoken<'_>) -> Stance {
    stance_of(part, words::words_in(part.text, part.languages))
}

/// The same for a text whose words were read already.
pub fn stance_of(part: Spoken<'_>, words: impl Iterator<Item = Word>) -> Stance {
    let text = part.text;
    let mut stance = Stance::default();
    let mut ups = 0;
    for word in words {
        // *Neither paid nor asked* denies once, for both.
        let goes_on = stance.negators > 0 && has(&word, Class::Continuing);
        stance.negators += usize::from(denies(text, &word) && !goes_on);
        let classes = classes_of(&word);
        if classes == 0 {
            continue;
        }
        let is = |class: Class| classes & class as u64 != 0;
        ups += usize::from(is(Class::Up));
        stance.down |= is(Class::Down);
        stance.hedged |= is(Class::Hedge);
        stance.certain += usize::from(is(Class::Certain));
        stance.superlatives += usize::from(is(Class::Superlative));
        if is(Class::Qualifier) {
            stance.qualifiers.push(word.key);
        }
    }
    let mut kept = 0;
    // *Negative growth* goes down.
    let shrinking = phrases_in(text, part.languages).filter(|(class, _)| *class == "shrinking").count();
    // *Growth: −2.2%* grows by no means.
    stance.up = ups > shrinking && !has_a_negative_value(text);
    stance.down |= shrinking > 0;
    for (class, phrase) in phrases_in(text, part.languages) {
        match class {
            "cjk" => stance.negators += 1,
            "cjkup" => stance.up = true,
            "cjkdown" => stance.down = true,
            "cjkqualifier" => stance.qualifiers.push(words::key(phrase)),
            "phrase" => stance.denying_phrase = true,
            "keep" => kept += 1,
            _ => {}
        }
    }
    stance.negators = stance.negators.saturating_sub(kept);
    stance
}

/// Whether a value of a text is below zero by its sign.
fn has_a_negative_value(text: &str) -> bool {
    let apart =
        |at: usize| text[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || matches!(c, '(' | ':' | '：'));
    text.match_indices(['-', '−'])
        .any(|(at, sign)| apart(at) && text[at + sign.len()..].starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a word of a text denies.
pub(crate) fn denies(text: &str, word: &Word) -> bool {
    let before = word.span.before(text);
    // "don't", "isn’t", "can't".
    if word.span.len() == 1 && word.span.of(text).eq_ignore_ascii_case("t") {
        return before.ends_with(['\'', '’']);
    }
    if !has(word, Class::Negator) {
        return false;
    }
    if !word.span.of(text).eq_ignore_ascii_case("no") {
        return true;
    }
    // *No. 5* numbers something, and who *voted no* gave an answer.
    let behind = word.span.after(text);
    let numbers = behind.trim_start_matches(['.', ' ']).starts_with(|c: char| c.is_ascii_digit());
    let answers = behind.is_empty() || behind.starts_with(['.', ',', ';', '!', ')', '"', '”', '’']);
    !(numbers || answers)
}

/// Whether a word sets what follows it off against what was said before: *but*.
pub(crate) fn sets_off(word: &Word) -> bool {
    has(word, Class::SetOff)
}

/// The words of a text that restrict what a number is about, as keys; `words` are those of the text.
pub fn qualifiers(text: &str, words: impl Iterator<Item = Word>) -> Vec<u64> {
    let mut found: Vec<u64> = words.filter(|word| has(word, Class::Qualifier)).map(|word| word.key).collect();
    if !text.is_ascii() {
        let marks = phrases(text).filter(|(class, _)| *class == "cjkqualifier");
        found.extend(marks.map(|(_, phrase)| words::key(phrase)));
    }
    found
}

/// How a passage contradicts a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    /// The claim's words.
    pub claimed: String,
    /// The source's words.
    pub found: String,
    /// What kind of contradiction.
    pub kind: ClashKind,
}

impl Clash {
    /// The clash in words that a writer understands.
    pub fn reason(&self) -> String {
        match (self.claimed.is_empty(), self.found.is_empty()) {
            (true, _) => format!("source says the opposite: it denies it (“{}”)", self.found),
            (_, true) => format!("source says the opposite: it does not deny it (the claim has “{}”)", self.claimed),
            _ => format!("source says the opposite: “{}”, not “{}”", self.found, self.claimed),
        }
    }
}

/// Whether a passage has the words of a quotation in the same order, with other articles, auxiliaries, inflections or
/// words of denial at most, and denies as much: it says the same, and not verbatim.
pub fn same_but_for_particles(quotation: &str, passage: Spoken<'_>) -> bool {
    // A quotation is in the language of what it is taken from.
    let languages = passage.languages;
    let passage = passage.text;
    let telling = |text: &str| -> Vec<u64> {
        let small = |word: &Word| has(word, Class::Particle) || has(word, Class::Negator) || denies(text, word);
        words::words_in(text, languages).filter(|word| !small(word)).map(|word| word.key).collect()
    };
    let denials = |text: &str| stance_in(Spoken { text, languages }).negators;
    // *Hardly ever* is no *never*.
    let nearly = |text: &str| words::words_in(text, languages).filter(|word| has(word, Class::Nearly)).count();
    let (mine, theirs) = (telling(quotation), telling(passage));
    nearly(quotation) == nearly(passage)
        && mine.len() >= 2
        && theirs.windows(mine.len()).any(|part| part == mine)
        && denials(quotation) % 2 == denials(passage) % 2
}

/// Whether a word only says in which direction something goes: it is no part of what a statement is about.
pub fn is_direction(lower: &str) -> bool {
    table_has(lower, Class::Up) || table_has(lower, Class::Down)
}

/// Whether a word in lower case is of a class in some language.
fn table_has(lower: &str, class: Class) -> bool {
    is_of_class(words::form(lower), class, Languages::ALL)
}

/// Kinds of contradiction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClashKind {
    /// One of the two is denied.
    Negation,
    /// One goes up, the other down.
    Direction,
    /// They have opposite words in the same place.
    Opposite,
}

/// The words of a claim in the order in which a passage has them, and what lies between.
#[derive(Debug, Clone, Default)]
pub struct Alignment {
    /// Claim words that the passage has in the same order, as a part of the claim's content words.
    pub ordered: f64,
    /// How many content words the claim has.
    pub words: usize,
    /// Bytes of the source from the first to the last aligned word.
    pub region: Option<Span>,
    /// Claim words that have no partner.
    pub missing: Vec<Word>,
    /// Source words inside the region that have no partner.
    pub extra: Vec<Word>,
}

impl Alignment {
    /// [`ordered`](Self::ordered) with so many of the claim's words left out of account.
    pub fn ordered_without(&self, words: usize) -> f64 {
        let rest = self.words.saturating_sub(words).max(1);
        (self.ordered * self.words as f64 / rest as f64).min(1.0)
    }
}

/// The most words of a claim and of a passage that are aligned.
const MOST_ALIGNED: usize = 160;

/// Aligns the content words of a claim with those of the sentences `first..=last` by their longest common subsequence.
pub fn align(claim: &[Word], index: &SourceIndex<'_>, first: usize, last: usize) -> Alignment {
    let content = |word: &Word| !word.stop || is_telling(word.key);
    let left: Vec<Word> = claim.iter().copied().filter(content).take(MOST_ALIGNED).collect();
    let right: Vec<Word> = index.words_of(first, last).iter().copied().filter(content).take(MOST_ALIGNED * 2).collect();
    let (n, m) = (left.len(), right.len());
    if n == 0 || m == 0 {
        return Alignment { words: n, missing: left, ..Alignment::default() };
    }
    let keys: Vec<u64> = right.iter().map(|word| word.key).collect();
    let mut table = vec![0u16; (n + 1) * (m + 1)];
    for i in (0..n).rev() {
        for j in (0..m).rev() {
            table[i * (m + 1) + j] = if left[i].key == keys[j] {
                table[(i + 1) * (m + 1) + j + 1] + 1
            } else {
                table[(i + 1) * (m + 1) + j].max(table[i * (m + 1) + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut partner = vec![false; m];
    let mut matched = vec![false; n];
    while i < n && j < m {
        if left[i].key == right[j].key {
            (partner[j], matched[i]) = (true, true);
            i += 1;
            j += 1;
        } else if table[(i + 1) * (m + 1) + j] >= table[i * (m + 1) + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    let from = partner.iter().position(|p| *p);
    let to = partner.iter().rposition(|p| *p);
    let mut alignment = Alignment { ordered: f64::from(table[0]) / n as f64, words: n, ..Alignment::default() };
    if let (Some(from), Some(to)) = (from, to) {
        alignment.region = Some(right[from].span.cover(right[to].span));
        // Words just outside the region belong to it too: "fell" at its end, "not" at its beginning.
        let (low, high) = (from.saturating_sub(3), (to + 4).min(m));
        alignment.extra = (low..high).filter(|k| !partner[*k]).map(|k| right[k]).collect();
    }
    // Words that the passage has in another place are not missing from it.
    alignment.missing = (0..n).filter(|k| !matched[*k] && !keys.contains(&left[*k].key)).map(|k| left[k]).collect();
    alignment
}

/// Opposites that are told by the words alone: a word of the claim that the passage lacks while it has the opposite.
///
/// *Not effective* is no contrary of *ineffective*: a word of denial on one side only turns the opposite round.
pub fn opposites(claim: Spoken<'_>, source: Spoken<'_>, alignment: &Alignment) -> Option<Clash> {
    for missing in &alignment.missing {
        let against = opposites_of(missing);
        for extra in alignment.extra.iter().filter(|extra| against.contains(&extra.form)) {
            let region = alignment.region.map_or("", |region| widened(source.text, region.cover(extra.span)));
            let region = Spoken { text: region, ..source };
            if !words::words(claim.text).any(|word| word.key == extra.key)
                && denials_beside(claim, missing.form) % 2 == denials_beside(region, extra.form) % 2
            {
                let lower = |word: &Word, text| word.span.of(text).to_lowercase();
                let (claimed, found) = (lower(missing, claim.text), lower(extra, source.text));
                return Some(Clash { claimed, found, kind: ClashKind::Opposite });
            }
        }
    }
    None
}

/// What a text compares with: *the north is richer than the south* says that the south is poorer.
fn compared_with(part: Spoken<'_>) -> Option<u64> {
    let mut rest = words::words_in(part.text, part.languages).skip_while(|word| !compares(word)).skip(1);
    rest.find(|word| !word.stop).map(|word| word.key)
}

/// How often a text denies, not counting one of its words.
fn denials_beside(part: Spoken<'_>, form: u64) -> usize {
    let words = words::words_in(part.text, part.languages);
    let own = words.filter(|word| word.form == form && denies(part.text, word)).count();
    stance_in(part).negators.saturating_sub(own)
}

/// Opposite directions: the claim only goes up where the passage only goes down, or the other way round.
pub fn directions(claim: Spoken<'_>, claimed: &Stance, source: Spoken<'_>, alignment: &Alignment) -> Option<Clash> {
    if claimed.up == claimed.down {
        return None;
    }
    let region = Spoken { text: widened(source.text, alignment.region?), ..source };
    let found = stance_in(region);
    let against = claimed.up && found.down && !found.up || claimed.down && found.up && !found.down;
    // What did not rise may have fallen.
    if !against || claimed.negators % 2 != found.negators % 2 {
        return None;
    }
    let (mine, theirs) = if claimed.up { (Class::Up, Class::Down) } else { (Class::Down, Class::Up) };
    Some(Clash { claimed: first_of(mine, claim)?, found: first_of(theirs, region)?, kind: ClashKind::Direction })
}

/// One of the two is denied and the other is not, neither where the claim's words stand nor in the whole `sentence`.
pub fn negation(
    claim: Spoken<'_>,
    stand: &Stance,
    source: Spoken<'_>,
    sentence: Span,
    alignment: &Alignment,
) -> Option<Clash> {
    let widest = widened_span(source.text, alignment.region?);
    let region = source.part(widest);
    let (claimed, found) = (stand.negators, stance_in(region).negators);
    // "Neither … nor" against "not" is no contradiction: one side has to deny nothing at all.
    let (mine, theirs) = (claimed % 2 == 1 && found == 0, claimed == 0 && found % 2 == 1 && !stand.denying_phrase);
    if !mine && !theirs {
        return None;
    }
    let whole = stance_in(source.part(sentence));
    let mine = mine && whole.negators == 0 && !whole.denying_phrase;
    let theirs = theirs && whole.negators % 2 == 1;
    // What the one denies the other has to say: "did not compete" is no contrary of a sentence without "compete".
    // The denied word may stand behind the words that both have: *a lower temperature, not a higher one*.
    let onwards = source.part(widest.cover(Span::new(widest.start, sentence.end)));
    if !(mine && says_what_is_denied(claim, source.part(sentence).text)
        || theirs && says_what_is_denied(onwards, claim.text))
    {
        return None;
    }
    let word = |part| first_of(Class::Negator, part).unwrap_or_default();
    Some(Clash { claimed: word(claim), found: word(region), kind: ClashKind::Negation })
}

/// Whether a sentence denies, right before the words that it shares with a claim that denies nothing: *No question was asked
/// about religion*.
pub fn denied_before(stand: &Stance, source: Spoken<'_>, sentence: Span, alignment: &Alignment) -> bool {
    let Some(region) = alignment.region.filter(|region| region.start >= sentence.start) else { return false };
    let before = source.part(Span::new(sentence.start, region.start)).text;
    let clause = before.rfind([',', ';', ':', '，', '；']).map_or(before, |at| &before[at..]);
    // What both have in the shared words, such as *fails*, makes no difference.
    let shared = stance_in(source.part(region)).negators;
    !stand.denying_phrase
        && stand.negators % 2 == shared % 2
        && stance_in(Spoken { text: clause, ..source }).negators % 2 == 1
}

/// Whether a clash with a sentence proves anything: a sign may be of something else that the sentence says.
///
/// *Unlike earlier systems, this one does not need it* denies nothing of earlier systems; *the north is richer than the south*
/// says that the south is poorer; *the bank, which raised rates in May, cut them in June* goes both ways; of someone *born in
/// London, 1922–2009* the sentence, which has several years, says when he died.
///
/// Where the language of one of them is not sure, a word of the clash may mean something else there, and proves nothing.
pub fn proves(clash: &Clash, claim: Spoken<'_>, stand: &Stance, sentence: Spoken<'_>, several_years: bool) -> bool {
    if !claim.languages.are_sure() || !sentence.languages.are_sure() {
        return false;
    }
    match clash.kind {
        ClashKind::Negation => {
            let aside = clash.claimed.is_empty() && is_said_in_another_part(claim, sentence);
            // *They pay no more than before* denies the difference, and not that they pay.
            let of_a_difference = compared_with(claim).is_some() != compared_with(sentence).is_some();
            !contrasts(claim.text) && !contrasts(sentence.text) && !aside && !of_a_difference
        }
        ClashKind::Opposite => {
            let event = table_has(&clash.claimed, Class::Event) && table_has(&clash.found, Class::Event);
            !(event && several_years) && compared_with(claim) == compared_with(sentence)
        }
        ClashKind::Direction => {
            let whole = stance_in(sentence);
            !(stand.up && whole.up || stand.down && whole.down)
        }
    }
}

/// Whether the part of a sentence that denies lacks a word of the claim that another part has: *uncooked, it is not safe; when
/// cooked it is*.
fn is_said_in_another_part(claim: Spoken<'_>, sentence: Spoken<'_>) -> bool {
    let within = |text| Spoken { text, ..sentence };
    let parts = sentence.text.split([';', '；']).flat_map(|part| at_contrasts(within(part)));
    let Some(denying) = parts.into_iter().find(|part| stance_in(within(part)).negators % 2 == 1) else {
        return false;
    };
    let content = |word: &Word| !word.stop && !has(word, Class::Particle);
    let has_key = |text: &str, key: u64| words::words(text).any(|word| word.key == key);
    let mut own = words::words_in(claim.text, claim.languages).filter(content);
    own.any(|word| has_key(sentence.text, word.key) && !has_key(denying, word.key))
}

/// The parts of a sentence on both sides of a comma with a word of contrast behind it: *it did not help, but it was cheap*.
fn at_contrasts(spoken: Spoken<'_>) -> Vec<&str> {
    let part = spoken.text;
    let behind_a_comma = |at: usize| part[..at].trim_end().ends_with(',');
    let words = words::words_in(part, spoken.languages);
    let words = words.filter(|word| has(word, Class::SetOff) || has(word, Class::Adversative));
    let mut cuts: Vec<usize> = words.map(|word| word.span.start).filter(|at| behind_a_comma(*at)).collect();
    cuts.extend(["，但", "，而"].iter().flat_map(|contrast| part.match_indices(contrast)).map(|(at, _)| at));
    cuts.sort_unstable();
    let mut parts = Vec::with_capacity(cuts.len() + 1);
    let mut from = 0;
    for cut in cuts {
        parts.push(&part[from..cut]);
        from = cut;
    }
    parts.push(&part[from..]);
    parts
}

/// Whether a text sets one thing off against another.
fn contrasts(text: &str) -> bool {
    phrases(text).any(|(class, _)| class == "contrast")
}

/// Whether `other` has the content word that `text` denies: the first after its word of denial.
fn says_what_is_denied(part: Spoken<'_>, other: &str) -> bool {
    let text = part.text;
    let mut rest = words::words_in(text, part.languages).skip_while(|word| !denies(text, word));
    let Some(denial) = rest.next() else { return true };
    // Writing without spaces has no words to compare.
    if !denial.span.of(text).is_ascii() {
        return true;
    }
    let denied = rest.find(|word| !word.stop && !has(word, Class::Particle));
    denied.is_none_or(|denied| words::words(other).any(|word| word.key == denied.key))
}

/// The region with up to two words before and after it, inside its sentence.
fn widened(source: &str, region: Span) -> &str {
    widened_span(source, region).get(source).unwrap_or_default()
}

/// See [`widened`].
fn widened_span(source: &str, region: Span) -> Span {
    let head = &source[..region.start];
    let mut start = region.start;
    for (words, (i, c)) in head.char_indices().rev().take(40).filter(|(_, c)| *c == ' ').enumerate() {
        start = i + c.len_utf8();
        if words == 2 {
            break;
        }
    }
    let tail = &source[region.end..];
    let mut end = region.end;
    let mut words = 0;
    for (i, c) in tail.char_indices().take(30) {
        if matches!(c, '.' | ';' | '\n' | '。') {
            break;
        }
        if c == ' ' {
            words += 1;
            if words > 2 {
                break;
            }
        }
        end = region.end + i + c.len_utf8();
    }
    if source[start..region.start].contains(['.', ';', '\n', '。']) {
        start = region.start;
    }
    Span::new(start, end)
}

/// The first word of a class in a text, or the first phrase.
fn first_of(class: Class, part: Spoken<'_>) -> Option<String> {
    let text = part.text;
    let word = words::words_in(text, part.languages)
        .find(|word| has(word, class))
        .map(|word| word.span.of(text).to_lowercase());
    let cjk = match class {
        Class::Up => "cjkup",
        Class::Down => "cjkdown",
        _ => "cjk",
    };
    let is_it = |of: &str| of == cjk || of == "shrinking" && cjk == "cjkdown";
    word.or_else(|| phrases_in(text, part.languages).find(|(of, _)| is_it(of)).map(|(_, phrase)| phrase.to_owned()))
}
