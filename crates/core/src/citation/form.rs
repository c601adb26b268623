//! What a bracket in running text can be as a citation, from its bytes alone.
//!
//! Whether it is one is not decided here: that takes the labels of the document.

use std::sync::LazyLock;

use regex::Regex;

use super::brackets;
use super::label::Label;
use super::locator;
use super::marker::MarkerForm;
use super::members::{self, MOST_MEMBERS, Member, number, numbers};
use super::nearby::parts_members;
use super::pandoc::{key_label, key_of, keyed};
use cited_text::Span;
use cited_text::lexicon::table;
use cited_text::quantity::digit;

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

/// Prefixes in brackets that products put before a number or a name: `[citation:5]`, `[cite: 1, 16]`, `[doc1]`.
static PREFIXES: LazyLock<Vec<&str>> =
    LazyLock::new(|| table::words(include_str!("data/product_prefixes.tsv"), "").collect());

/// The opening brackets that [`token_at`] reads.
pub(crate) fn token_at(text: &str, at: usize, limit: usize) -> Option<Token> {
    let rest = text.get(at..limit)?;
    let first = rest.chars().next()?;
    let brackets = brackets::opened_by(first)?;
    if first == '[' {
        match rest.as_bytes().get(1) {
            Some(b'[') => return double_bracket(text, at, limit),
            Some(b'^') => return caret(text, at, limit),
            Some(b'@') => return pandoc(text, at, limit),
            Some(b'-') if rest.as_bytes().get(2) == Some(&b'@') => return pandoc(text, at, limit),
            _ => {}
        }
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

/// Numbers with decimal commas: semicolons part them, and each has a comma with a digit right behind it.
static DECIMALS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*[0-9]+,[0-9]+\s*(?:;\s*[0-9]+,[0-9]+\s*)+$").expect("a fixed pattern"));

/// `[[3]]`: one number only; `[[48,4,7]]` is the name of a code.
fn double_bracket(text: &str, at: usize, limit: usize) -> Option<Token> {
    let open = at + 2;
    let open = if text[open..limit].starts_with('^') { open + 1 } else { open };
    let (value, end) = number(text, open, limit)?;
    let rest = &text[end..limit];
    let members = vec![Member::One(Label::Number(value))];
    rest.starts_with("]]").then(|| Token::new(Span::new(at, end + 2), MarkerForm::DoubleBracket, members))
}

/// `[^3]`, `[^note]`, and the product form `[^3^]`.
fn caret(text: &str, at: usize, limit: usize) -> Option<Token> {
    let rest = &text[at + 2..limit];
    let close = rest.bytes().take(LONGEST_NAME).position(|b| b == b']' || b == b'[')?;
    if rest.as_bytes()[close] == b'[' {
        return None;
    }
    let span = Span::new(at, at + 2 + close + 1);
    let (words, form) = match rest[..close].strip_suffix('^') {
        Some(words) => (words, MarkerForm::Product),
        None => (&rest[..close], MarkerForm::Footnote),
    };
    if form == MarkerForm::Product
        && let Some((members, end)) = numbers(words, 0, words.len())
        && end == words.len()
    {
        return Some(Token::new(span, form, members));
    }
    match Label::parse(words) {
        Some(label) if !words.contains(char::is_whitespace) => Some(Token::new(span, form, vec![Member::One(label)])),
        _ => None,
    }
}

/// `[@key]`, `[see @a, pp. 33 and *passim*; also -@b{ii, A}]` (Pandoc's manual, *Citation syntax*).
fn pandoc(text: &str, at: usize, limit: usize) -> Option<Token> {
    let rest = &text[at + 1..text.floor_char_boundary(limit.min(at + 1 + LONGEST_KEYED))];
    let close = closing_bracket(rest)?;
    let members = keyed(&rest[..close]).into_iter().flatten().map(|keyed| keyed.label).map(Member::One);
    let members: Vec<Member> = members.collect();
    // `^[Measured by @lee.]` is a note, and its text prose.
    if members.is_empty() || text[..at].ends_with('^') {
        return None;
    }
    Some(Token::new(Span::new(at, at + 1 + close + 1), MarkerForm::Pandoc, members))
}

/// Bytes of a citation by keys.
const LONGEST_KEYED: usize = 640;

/// The place of the bracket that closes a text, with those that are open in it closed.
fn closing_bracket(text: &str) -> Option<usize> {
    let mut open = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '[' => open += 1,
            ']' if open == 0 => return Some(at),
            ']' => open -= 1,
            _ => {}
        }
    }
    None
}

/// The keys of a citation that is a part of its sentence, at the sign `@`, and where it ends: `@smith2020 [p. 33] found that`, `@smith2020
/// [chap. 1; also @lee]`.
pub(crate) fn narrative(text: &str, at: usize, limit: usize) -> Option<(Vec<Label>, usize)> {
    let before = text[..at].chars().next_back();
    if before.is_some_and(|c| !(c.is_whitespace() || matches!(c, '(' | '"' | '“' | '*' | '_' | '—' | '–'))) {
        return None;
    }
    let (key, length) = key_of(text.get(at + 1..limit)?);
    let end = at + 1 + length;
    let mut labels = vec![key_label(key)?];
    let place = text[end..limit].strip_prefix(" [").and_then(|place| place.split_once(']'));
    let Some((place, _)) = place else { return Some((labels, end)) };
    let whole = [&text[at..end], ";", place].concat();
    let others = keyed(&whole).filter(|_| place.contains('@')).unwrap_or_default();
    if others.is_empty() && !locator::is_tail(&[", ", place].concat()) {
        return Some((labels, end));
    }
    labels.extend(others.into_iter().skip(1).map(|other| other.label));
    Some((labels, end + place.len() + " []".len()))
}

/// Numbers with signs or words between them, *1, 3 and 5*, and where they end.
fn joined_numbers(text: &str, at: usize, limit: usize) -> Option<(Vec<Member>, usize)> {
    let (mut members, mut end) = numbers(text, at, limit)?;
    while members.len() <= MOST_MEMBERS {
        let rest = &text[end..limit];
        let joint = rest.find(|c: char| digit(c).is_some()).filter(|joint| *joint > 0);
        let is_joint = |joint: &usize| locator::parts_numbers(rest[..*joint].trim_matches([' ', ',']));
        let Some((more, behind)) = joint.filter(is_joint).and_then(|joint| numbers(text, end + joint, limit)) else {
            break;
        };
        members.extend(more);
        end = behind;
    }
    Some((members, end))
}

/// Where running text names sources by word and number, *as source 3 says*, and their numbers.
pub(crate) fn sources_in_words(text: &str, inline: Span) -> Vec<(Span, Vec<u32>)> {
    let mut found: Vec<(Span, Vec<u32>)> = Vec::new();
    let slice = inline.slice(text);
    for (at, _) in slice.char_indices().filter(|(_, c)| digit(*c).is_some()) {
        let start = found.last().map_or(0, |(span, _)| span.end - inline.start);
        let Some(word) = slice.get(start..at).and_then(locator::source_at_end) else { continue };
        let Some((members, end)) = joined_numbers(text, inline.start + at, inline.end) else { continue };
        let end = end - (text[..end].len() - text[..end].trim_end().len());
        let measures = |c: char| c.is_ascii_alphanumeric() || matches!(c, '%' | '-' | '°');
        let rest = &text[end..inline.end];
        let has_decimals = rest.starts_with(['.', ',', ':']) && rest[1..].starts_with(|c: char| c.is_ascii_digit());
        if let Some(numbers) = members::values(members).filter(|_| !rest.starts_with(measures) && !has_decimals) {
            found.push((Span::new(inline.start + at - word, end), numbers));
        }
    }
    found
}

/// Brackets with words in them: a product's form, or a name that a list may have for a label.
fn named(text: &str, at: usize, open: usize, limit: usize, close: &[char]) -> Option<Token> {
    static EXPORTED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^oaicite:[0-9]+[\]］】〕](?:\{index=[0-9]+\})?").expect("a fixed pattern"));
    let rest = &text[open..limit];
    let inside = |(i, c): &(usize, char)| *i <= locator::LONGEST && !brackets::opens(*c) && *c != '\n';
    let (length, sign) = rest.char_indices().take_while(inside).find(|(_, c)| close.contains(c))?;
    let words = &rest[..length];
    let is_name = length <= LONGEST_NAME;
    if words.contains(" @") || words.contains(" -@") {
        return pandoc(text, at, limit);
    }
    let span = Span::new(at, open + length + sign.len_utf8());
    let product = |members: Vec<Member>| Some(Token::new(span, MarkerForm::Product, members));
    // `【21†L231-L239】`, `[21†source]`
    if let Some((number, _)) = words.split_once('†')
        && let Some(label @ Label::Number(_)) = Label::parse(number.rsplit(':').next().unwrap_or(number))
    {
        return product(vec![Member::One(label)]);
    }
    // `:contentReference[oaicite:1]{index=1}`: a number of the conversation, from 0 on, and of no list.
    if let Some(found) = EXPORTED.find(rest) {
        let start = text[..at].strip_suffix(":contentReference").map_or(at, str::len);
        let span = Span::new(start, open + found.len());
        return Some(Token::new(span, MarkerForm::Product, vec![Member::One(Label::Name(words.into()))]));
    }
    for prefix in PREFIXES.iter() {
        if !words.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix)) {
            continue;
        }
        let behind = |part: &str| {
            let part = part.trim();
            let bare = part.get(..prefix.len()).filter(|start| start.eq_ignore_ascii_case(prefix));
            part[bare.map_or(0, str::len)..].trim_start_matches([':', '：', ' ', '_']).to_owned()
        };
        // `[Source 3, Source 7]` as `[Source 3, 7]`.
        let inner = words.split(parts_members).map(behind).collect::<Vec<_>>().join(",");
        if let Some((members, end)) = numbers(&inner, 0, inner.len())
            && end == inner.len()
        {
            let prefix = words[..words.find(|c: char| digit(c).is_some()).unwrap_or(0)].to_owned();
            let alias = |number: &str| Label::parse(&[&prefix, number.trim()].concat());
            let aliases = inner.split(',').map(alias).collect::<Option<_>>().unwrap_or_default();
            return Some(Token { span, form: MarkerForm::Product, members, aliases });
        }
    }
    if let Some(located) = locator::each_located(words) {
        return Some(Token {
            span,
            form: MarkerForm::Bracket,
            members: located.into_iter().flat_map(|part| part.members).collect(),
            aliases: Label::parse(words).filter(|_| is_name).into_iter().collect(),
        });
    }
    // A name that a list may use as a label, or several: `[S1, S2]`.
    let label = Label::parse(words).filter(|_| is_name)?;
    let parts: Option<Vec<Member>> =
        words.split(parts_members).map(|part| Label::parse(part).map(Member::One)).collect();
    match parts.filter(|parts| (2..=MOST_MEMBERS).contains(&parts.len())) {
        Some(members) => Some(Token { span, form: MarkerForm::Bracket, members, aliases: vec![label] }),
        None => Some(Token::new(span, MarkerForm::Bracket, vec![Member::One(label)])),
    }
}
