//! What a bracket in running text can be as a citation, from its bytes alone.
//!
//! Whether it is one is not decided here: that takes the labels of the document.

use super::brackets;
use super::label::Label;
use super::locator;
use super::marker::MarkerForm;
use super::members::{DASHES, MOST_MEMBERS, Member, all_numbers, numbers};
use super::nearby::parts_members;
use super::pandoc::{key_label, key_of, keyed};
use crate::pattern::{Pattern, any_of};
use cited_text::Span;
use cited_text::lexicon::table;
use cited_text::quantity::digit;
use cited_text::script::is_cjk;

/// A piece of text that is written as a citation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub span: Span,
    pub form: MarkerForm,
    pub members: Vec<Member>,
    /// The labels that its words are, where a list may have them: `[doc1]` is `doc1` before it is 1, `[cite: 1, 2]` is `cite: 1` and `cite: 2`.
    pub aliases: Vec<Label>,
}

impl Token {
    /// One whose words are no label of their own.
    pub(crate) fn new(span: Span, form: MarkerForm, members: Vec<Member>) -> Self {
        Token { span, form, members, aliases: Vec::new() }
    }
}

/// Bytes of a name or a product's reference.
const LONGEST_NAME: usize = 80;

/// What products put in brackets before a number: `[citation:5]`, `[cite: 1, 16]`, `[doc1]`.
static PREFIX: Pattern =
    Pattern::made(|| format!("^(?i:{})[:： _]*", any_of(table::words(include_str!("data/product_prefixes.tsv"), ""))));

/// What the opening bracket at a place begins as a citation.
pub(crate) fn token_at(text: &str, at: usize, limit: usize) -> Option<Token> {
    let rest = text.get(at..limit)?;
    let first = rest.chars().next()?;
    let brackets = brackets::opened_by(first)?;
    if rest.starts_with("[^") {
        // `[^3]`, `[^note]`
        let close = rest.bytes().take(LONGEST_NAME).position(|b| b == b']')?;
        let words = rest["[^".len()..close].trim_end_matches('^');
        let label = Label::parse(words).filter(|_| !words.contains(|c: char| c.is_whitespace() || c == '['))?;
        return Some(Token::new(Span::new(at, at + close + 1), MarkerForm::Footnote, vec![Member::One(label)]));
    } else if rest.starts_with("[[") {
        // One number only: `[[48,4,7]]` is the name of a code.
        let found = DOUBLED.captures(rest)?;
        let members = vec![Member::One(Label::parse(&found[1])?)];
        return Some(Token::new(Span::new(at, at + found[0].len()), MarkerForm::DoubleBracket, members));
    } else if rest.starts_with("[@") || rest.starts_with("[-@") {
        return pandoc(text, at, limit);
    }
    let form = if brackets.square { MarkerForm::Bracket } else { MarkerForm::Lenticular };
    let open = at + first.len_utf8();
    let closing = |end: usize| text[end..limit].chars().next().filter(|c| brackets.close.contains(c));
    match numbers(text, open, limit) {
        Some((_, end)) if DECIMALS.is_match(&text[open..end]) => None,
        Some((members, end)) if let Some(close) = closing(end) => {
            Some(Token::new(Span::new(at, end + close.len_utf8()), form, members))
        }
        _ => named(text, at, open, limit, brackets.close),
    }
}

/// `[[3]]`
static DOUBLED: Pattern = Pattern::new(r"^\[\[\^?(\p{Nd}{1,5})\]\]");

/// Numbers with decimal commas: semicolons part them, and each has a comma with a digit right behind it.
static DECIMALS: Pattern = Pattern::new(r"^\s*[0-9]+,[0-9]+\s*(?:;\s*[0-9]+,[0-9]+\s*)+$");

/// `[@key]`, `[see @a, pp. 33 and *passim*; also -@b{ii, A}]` (Pandoc's manual, *Citation syntax*).
fn pandoc(text: &str, at: usize, limit: usize) -> Option<Token> {
    /// What the brackets hold, with brackets in them.
    static INSIDE: Pattern = Pattern::new(r"^\[((?:[^\[\]]|\[[^\[\]]*\])*)\]");
    /// Bytes of a citation by keys.
    const LONGEST: usize = 640;
    let found = INSIDE.captures(&text[at..text.floor_char_boundary(limit.min(at + LONGEST))])?;
    let (all, inside) = (found.get_match(), found.get(1)?.as_str());
    let members: Vec<Member> = keyed(inside)?.into_iter().flat_map(|keyed| keyed.members).collect();
    // `^[Measured by @lee.]` is a note, and its text prose.
    (!text[..at].ends_with('^')).then(|| Token::new(Span::new(at, at + all.len()), MarkerForm::Pandoc, members))
}

/// The keys of a citation that is a part of its sentence, at the sign `@`, and where it ends: `@smith2020 [p. 33] found that`, `@smith2020
/// [chap. 1; also @lee]`.
pub(crate) fn narrative(text: &str, at: usize, limit: usize) -> Option<Token> {
    let before = text[..at].chars().next_back();
    if before.is_some_and(|c| !(c.is_whitespace() || matches!(c, '(' | '"' | '“' | '*' | '_' | '—' | '–'))) {
        return None;
    }
    let (key, length) = key_of(text.get(at + 1..limit)?);
    let (mut members, mut end) = (vec![Member::One(key_label(key)?)], at + 1 + length);
    let place = text[end..limit].strip_prefix(" [").and_then(|place| place.split_once(']'));
    if let Some((place, _)) = place {
        let whole = [&text[at..end], ";", place].concat();
        let others = keyed(&whole).filter(|_| place.contains('@')).unwrap_or_default();
        if !others.is_empty() || locator::is_tail(&[", ", place].concat()) {
            members.extend(others.into_iter().skip(1).flat_map(|other| other.members));
            end += place.len() + " []".len();
        }
    }
    Some(Token::new(Span::new(at, end), MarkerForm::Pandoc, members))
}

/// What a source is called, and numbers with signs or words between them: *source 3*, *sources 3, 4 and 6*, 文献3.
static SOURCES: Pattern = Pattern::made(|| {
    // In writing without spaces it may stand behind any sign.
    let (glued, parted): (Vec<&str>, Vec<&str>) =
        locator::WORDS.of("source").iter().partition(|word| word.starts_with(is_cjk));
    let joint = format!(r"[ \x{{a0}},]*(?:[{DASHES},;，；、]|{})[ \x{{a0}}]*", any_of(locator::WORDS.of("sequence")));
    let (glued, parted, number) = (any_of(glued), any_of(parted), r"\p{Nd}{1,5}");
    format!(
        r"(?i)(?:^|[^\p{{L}}\p{{N}}])((?:{parted})[ \x{{a0}}#]*{number}(?:{joint}{number})*)|((?:{glued})[ \x{{a0}}#]*{number}(?:{joint}{number})*)"
    )
});

/// Where running text names sources by word and number, *as source 3 says*, and their numbers.
pub(crate) fn sources_in_words(text: &str, inline: Span) -> impl Iterator<Item = (Span, Vec<u32>)> {
    SOURCES.captures_iter(inline.slice(text)).filter_map(move |found| {
        let found = found.get(1).or(found.get(2))?;
        let span = Span::new(inline.start + found.start(), inline.start + found.end());
        let measures = |c: char| c.is_ascii_alphanumeric() || matches!(c, '%' | '-' | '°');
        let rest = &text[span.end..inline.end];
        let has_decimals = rest.starts_with(['.', ',', ':']) && rest[1..].starts_with(|c: char| c.is_ascii_digit());
        let numbers = found.as_str().split(|c| digit(c).is_none()).filter_map(|number| Label::parse(number)?.number());
        (!rest.starts_with(measures) && !has_decimals).then(|| (span, numbers.collect()))
    })
}

/// Brackets with words in them: a product's form, or a name that a list may have for a label.
fn named(text: &str, at: usize, open: usize, limit: usize, close: &[char]) -> Option<Token> {
    let rest = &text[open..limit];
    let inside = |(i, c): &(usize, char)| *i <= locator::LONGEST && !brackets::opens(*c) && *c != '\n';
    let (length, sign) = rest.char_indices().take_while(inside).find(|(_, c)| close.contains(c))?;
    let words = &rest[..length];
    if words.contains(" @") || words.contains(" -@") {
        return pandoc(text, at, limit);
    }
    let span = Span::new(at, open + length + sign.len_utf8());
    let token = |form, members, aliases| Some(Token { span, form, members, aliases });
    // `[Source 3, Source 7]` as `[Source 3, 7]`.
    let inner = words.split(parts_members).map(|part| PREFIX.replace(part.trim(), "")).collect::<Vec<_>>().join(",");
    let parts: Option<Vec<Label>> = words.split(parts_members).map(Label::parse).collect();
    if PREFIX.is_match(words)
        && let Some(members) = all_numbers(&inner)
    {
        let prefix = words.split(|c| digit(c).is_some()).next().unwrap_or_default();
        let alias = |number: &str| Label::parse(&[prefix, number.trim()].concat());
        let aliases = inner.split(',').map(alias).collect::<Option<_>>().unwrap_or_default();
        return token(MarkerForm::Product, members, aliases);
    }
    let label = Label::parse(words).filter(|_| length <= LONGEST_NAME);
    if let Some(located) = locator::each_located(words) {
        let members = located.into_iter().flat_map(|part| part.members).collect();
        return token(MarkerForm::Bracket, members, label.into_iter().collect());
    }
    // A name that a list may use as a label, or several: `[S1, S2]`.
    let label = label?;
    let parts = parts.filter(|parts| (2..=MOST_MEMBERS).contains(&parts.len())).unwrap_or_else(|| vec![label.clone()]);
    token(MarkerForm::Bracket, parts.into_iter().map(Member::One).collect(), vec![label])
}
