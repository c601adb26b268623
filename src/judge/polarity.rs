//! Negation, direction and opposites: whether a passage that has the claim's words says the contrary.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::evidence::search::SourceIndex;
use crate::text::Span;
use crate::text::words::{self, Word};

/// The classes of `data/polarity.tsv`.
#[derive(Debug, Default)]
struct Table {
    /// The classes of each word in lower case, as bits.
    classes: HashMap<&'static str, u8>,
    phrases: HashMap<&'static str, Vec<&'static str>>,
    /// For each word in lower case the words that exclude it.
    opposites: HashMap<&'static str, Vec<&'static str>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table::default();
    for line in include_str!("data/polarity.tsv").lines().filter(|line| !line.starts_with('#')) {
        let Some((class, words)) = line.split_once('\t') else { continue };
        for word in words.split('|') {
            match class {
                "pair" => {
                    let Some((a, b)) = word.split_once('/') else { continue };
                    table.opposites.entry(a).or_default().push(b);
                    table.opposites.entry(b).or_default().push(a);
                }
                "keep" | "cjk" | "cjkup" | "cjkdown" | "cjkqualifier" => {
                    table.phrases.entry(class).or_default().push(word);
                }
                _ => *table.classes.entry(word).or_default() |= Class::named(class),
            }
        }
    }
    table
});

/// A class of words.
#[derive(Debug, Clone, Copy)]
enum Class {
    Negator = 1,
    Hedge = 2,
    Certain = 4,
    Up = 8,
    Down = 16,
    Superlative = 32,
    Qualifier = 64,
}

impl Class {
    /// The bit of the class of this name; none for a name that the table does not define.
    fn named(name: &str) -> u8 {
        let class = match name {
            "negator" => Class::Negator,
            "hedge" => Class::Hedge,
            "certain" => Class::Certain,
            "up" => Class::Up,
            "down" => Class::Down,
            "superlative" => Class::Superlative,
            "qualifier" => Class::Qualifier,
            _ => return 0,
        };
        class as u8
    }
}

/// The classes of a word in lower case, as bits.
fn classes_of(lower: &str) -> u8 {
    TABLE.classes.get(lower).copied().unwrap_or(0)
}

fn phrases(class: &str) -> &'static [&'static str] {
    TABLE.phrases.get(class).map_or(&[], Vec::as_slice)
}

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
}

/// Reads the stance of a stretch of text.
pub fn stance(text: &str) -> Stance {
    let lower = text.to_lowercase();
    let mut stance = Stance::default();
    for word in words::words(&lower) {
        let form = word.span.of(&lower);
        let classes = classes_of(form);
        let has = |class: Class| classes & class as u8 != 0;
        // "don't", "isn’t", "can't".
        let contracted = form == "t" && lower[..word.span.start].ends_with(['\'', '’']);
        // "No. 5" numbers something.
        let numbers = form == "no"
            && lower[word.span.end..].trim_start_matches(['.', ' ']).starts_with(|c: char| c.is_ascii_digit());
        let denies = contracted || has(Class::Negator) && !numbers;
        stance.negators += usize::from(denies);
        stance.up |= has(Class::Up);
        stance.down |= has(Class::Down);
        stance.hedged |= has(Class::Hedge);
        stance.certain += usize::from(has(Class::Certain));
        stance.superlatives += usize::from(has(Class::Superlative));
        if has(Class::Qualifier) {
            stance.qualifiers.push(word.key);
        }
    }
    if !lower.is_ascii() {
        stance.negators += phrases("cjk").iter().map(|form| lower.matches(form).count()).sum::<usize>();
        stance.up |= phrases("cjkup").iter().any(|form| lower.contains(form));
        stance.down |= phrases("cjkdown").iter().any(|form| lower.contains(form));
        let marks = phrases("cjkqualifier").iter().filter(|form| lower.contains(**form));
        stance.qualifiers.extend(marks.map(|form| words::key(form)));
    }
    let kept: usize = phrases("keep").iter().map(|form| lower.matches(form).count()).sum();
    stance.negators = stance.negators.saturating_sub(kept);
    stance
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

/// Whether a word only says in which direction something goes: it is no part of what a statement is about.
pub fn is_direction(lower: &str) -> bool {
    classes_of(lower) & (Class::Up as u8 | Class::Down as u8) != 0
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
pub fn align(claim: &str, index: &SourceIndex<'_>, first: usize, last: usize) -> Alignment {
    let content = |word: &Word| !word.stop || is_telling(word.key);
    let left: Vec<Word> = words::words(claim).filter(content).take(MOST_ALIGNED).collect();
    let right: Vec<Word> = index.words_of(first, last).iter().copied().filter(content).take(MOST_ALIGNED * 2).collect();
    let (n, m) = (left.len(), right.len());
    if n == 0 || m == 0 {
        return Alignment { words: n, missing: left, ..Alignment::default() };
    }
    let mut table = vec![0u16; (n + 1) * (m + 1)];
    for i in (0..n).rev() {
        for j in (0..m).rev() {
            table[i * (m + 1) + j] = if left[i].key == right[j].key {
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
    alignment.missing =
        (0..n).filter(|k| !matched[*k] && !right.iter().any(|w| w.key == left[*k].key)).map(|k| left[k]).collect();
    alignment
}

/// Function words that tell two statements apart.
fn is_telling(key: u64) -> bool {
    static TELLING: LazyLock<HashSet<u64>> = LazyLock::new(|| {
        let table = &*TABLE;
        table.opposites.keys().copied().map(words::key).collect()
    });
    TELLING.contains(&key)
}

/// Opposites that are told by the words alone: a word of the claim that the passage lacks while it has the opposite.
pub fn opposites(claim: &str, source: &str, alignment: &Alignment) -> Option<Clash> {
    for missing in &alignment.missing {
        let claimed = missing.span.of(claim).to_lowercase();
        let Some(against) = TABLE.opposites.get(claimed.as_str()) else { continue };
        for extra in &alignment.extra {
            let found = extra.span.of(source).to_lowercase();
            let unsaid = !words::words(claim).any(|word| word.key == extra.key);
            if unsaid && against.contains(&found.as_str()) {
                return Some(Clash { claimed, found, kind: ClashKind::Opposite });
            }
        }
    }
    None
}

/// Opposite directions: the claim only goes up where the passage only goes down, or the other way round.
pub fn directions(claim: &str, source: &str, alignment: &Alignment) -> Option<Clash> {
    let claimed = stance(claim);
    let region = widened(source, alignment.region?);
    let found = stance(region);
    let against = claimed.up && !claimed.down && found.down && !found.up
        || claimed.down && !claimed.up && found.up && !found.down;
    if !against {
        return None;
    }
    let (mine, theirs) = if claimed.up { (Class::Up, Class::Down) } else { (Class::Down, Class::Up) };
    Some(Clash { claimed: first_of(mine, claim)?, found: first_of(theirs, region)?, kind: ClashKind::Direction })
}

/// One of the two is denied and the other is not, neither where the claim's words stand nor in the whole `sentence`.
pub fn negation(claim: &str, source: &str, sentence: &str, alignment: &Alignment) -> Option<Clash> {
    let region = widened(source, alignment.region?);
    let (claimed, found) = (stance(claim).negators, stance(region).negators);
    let around = stance(sentence).negators;
    // "Neither … nor" against "not" is no contradiction: one side has to deny nothing at all.
    let one_sided = claimed == 0 && found % 2 == 1 && around % 2 == 1 || claimed % 2 == 1 && found == 0 && around == 0;
    if !one_sided {
        return None;
    }
    let word = |text| first_of(Class::Negator, text).unwrap_or_default();
    Some(Clash { claimed: word(claim), found: word(region), kind: ClashKind::Negation })
}

/// The region with up to two words before and after it, inside its sentence.
fn widened(source: &str, region: Span) -> &str {
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
    &source[start..end]
}

/// The first word of a class in a text, or the first phrase.
fn first_of(class: Class, text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let of_class = |form: &&str| classes_of(form) & class as u8 != 0;
    let word = words::words(&lower).map(|word| word.span.of(&lower)).find(of_class);
    let cjk = match class {
        Class::Up => "cjkup",
        Class::Down => "cjkdown",
        _ => "cjk",
    };
    word.or_else(|| phrases(cjk).iter().copied().find(|form| lower.contains(form))).map(str::to_owned)
}
