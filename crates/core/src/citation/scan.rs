//! One pass over the text of a document for everything that is written as a citation.

mod links;
pub(super) mod superscripts;

use super::author_year;
use super::brackets::BRACKETS;
use super::collection;
use super::form::{self, Token};
use super::label::{Label, raised_digit};
use super::marker::{Marker, MarkerForm, Shape, Target};
use super::members::{self, Member};
use super::nearby::{is_stop, parts_members};
use super::vocabulary::Vocabulary;
use crate::address::in_text;
use crate::markdown::{BlockId, Document, Inline, InlineKind, Link, LinkStyle};
use crate::pattern::Pattern;
use crate::shares;
use cited_text::Span;

/// Something that is written as a citation, with what its members mean: a marker, if it cites.
pub type Candidate = Marker;

/// The longest range that is meant.
pub(super) const LONGEST_RANGE: u32 = 50;
/// Inlines that a group broken over lines may take.
const MOST_PARTS: usize = 6;

/// What Gemini opens a sentence with that a citation behind it stands for: it means nothing to a reader.
pub(crate) const OPENS: &str = "[cite_start]";

/// What products put in place of citations: labels between private-use characters or bare, also without their *cite*; a number of the
/// conversation, from 0 on; a number with lines of the page; a raised one; and what is a label as a whole, or none.
static PRODUCTS: Pattern = Pattern::made(|| {
    let turns = r"\x{e200}?(?:cite)?((?:\x{e202}?turn[0-9]+[a-z]{1,16}[0-9]+)+)\x{e201}?";
    let numbered = r"[\[【](?:[^\[\]【】\n†]*:)?([0-9]{1,5})†[^\[\]【】\n]*[\]】]|\[\^([0-9 ,-]+)\^\]";
    let exported = r"(?::contentReference)?[\[【](oaicite:[0-9]+)[\]】](?:\{index=[0-9]+\})?";
    let whole = r"(\[cite_start\])|(<grok:render.*?</grok:render>)";
    format!("(?s)^(?:{turns}|{numbered}|{exported}|{whole})")
});

/// Where a citation may begin: brackets, parentheses, addresses, carets, raised digits, keys, and the signs of products.
static BEGINS: Pattern = Pattern::made(|| {
    let brackets = regex::escape(&BRACKETS.iter().map(|brackets| brackets.open).collect::<String>());
    let products = r":contentReference|\x{e200}?(?:cite)?\x{e202}?turn|<grok:render";
    format!("[{brackets}(（^@¹²³⁰⁴-⁹①-⑳]|://|{products}")
});

/// Scans the leaves that `is_read` admits.
pub fn candidates(
    document: &Document,
    vocabulary: &Vocabulary<'_>,
    is_read: impl Fn(BlockId) -> bool,
) -> Vec<Candidate> {
    let leaves: Vec<BlockId> = document.leaves().map(|(id, _)| id).filter(|id| is_read(*id)).collect();
    let text = document.text();
    let leaf = |block: &BlockId| {
        let mut scanner = Scanner { document, text, vocabulary, block: *block, found: Vec::new() };
        scanner.leaf();
        scanner.found
    };
    let scan = |leaves: &[BlockId]| leaves.iter().flat_map(leaf).collect::<Vec<_>>();
    let runs = shares::each_run(leaves.len(), shares::threads_for(text.len()), |run| scan(&leaves[run]));
    runs.into_iter().flatten().collect()
}

struct Scanner<'a> {
    document: &'a Document,
    text: &'a str,
    vocabulary: &'a Vocabulary<'a>,
    /// The leaf that is scanned.
    block: BlockId,
    found: Vec<Candidate>,
}

impl Scanner<'_> {
    fn leaf(&mut self) {
        let document = self.document;
        let inlines = document.inlines(self.block);
        let mut link = None;
        let mut done = 0;
        for (i, inline) in inlines.iter().enumerate() {
            if let Some(id) = inline.link {
                // An address in the text of a link is part of that text.
                if link != Some(id) && document.link(id).span.start >= done {
                    done = self.link(id).max(done);
                }
                link = Some(id);
                continue;
            }
            link = None;
            match &inline.kind {
                InlineKind::Text if inline.span.end > done => done = self.text(inlines, i, done).max(done),
                InlineKind::FootnoteReference(label) => {
                    // A footnote that is defined is a source or a remark; only the first is a citation.
                    let source = Label::parse(label).and_then(|label| self.vocabulary.source_footnote(&label));
                    source.map(|source| self.keep(inline.span, MarkerForm::Footnote, Shape::Known, vec![source]));
                }
                InlineKind::Html if inline.span.start >= done => {
                    done = self.superscript(inline.span.start).unwrap_or(done);
                }
                _ => {}
            }
        }
        // `[](url)`: a citation of which a product's export has lost the number. No inline stands for it. What shows nothing can be nothing
        // else, also where no list has its address.
        let is_empty = |link: &&Link| link.style == LinkStyle::Inline && !link.image && link.text.is_empty();
        for link in document.links_in(document.block(self.block).span).iter().filter(is_empty) {
            if in_text::is_at_start(&link.address) {
                self.keep_address(link.span, MarkerForm::NumberLink, Shape::Known, &link.address);
            }
        }
        self.found.sort_by_key(|candidate| candidate.span.start);
    }

    /// Scans the text inline at `i` from `done` on; returns where it got.
    fn text(&mut self, inlines: &[Inline], i: usize, done: usize) -> usize {
        let span = inlines[i].span;
        let mut at = span.start.max(done);
        while at <= span.end
            && let Some(found) = BEGINS.find_at(&self.text[..span.end], at)
            && let (begin, Some(sign)) = (found.start(), found.as_str().chars().next())
        {
            let taken = match sign {
                '[' if begin == span.start && self.text[..begin].ends_with('\\') => self.escaped(begin - 1),
                ':' if found.as_str() == "://" => self.bare_address(begin, span),
                ':' => self.product(begin, Span::new(at, span.end)),
                '^' => self.caret(begin, span),
                't' | 'c' | '<' | '\u{e200}' | '\u{e202}' => self.product(begin, Span::new(at, span.end)),
                '(' | '（' => self.author_year(inlines, begin),
                '@' => self.narrative(begin, Span::new(span.start, self.stretch_end(inlines, i))),
                c if raised_digit(c).is_some() => self.raised(begin, span),
                '[' if !self.vocabulary.works.is_empty() => {
                    self.author_year(inlines, begin).or_else(|| self.bracket(inlines, i, begin))
                }
                _ => self.bracket(inlines, i, begin),
            };
            at = taken.unwrap_or(begin + sign.len_utf8());
        }
        at.max(span.end)
    }

    /// The citation by author and year in the parenthesis at `at`, and where it ends.
    fn author_year(&mut self, inlines: &[Inline], at: usize) -> Option<usize> {
        // Emphasis in it, *et al.*, parts the inlines.
        let last = inlines.last().map_or(at, |inline| inline.span.end);
        let limit = self.text.floor_char_boundary(last.min(at + author_year::LONGEST));
        let (inner, length) = author_year::read_inside(self.text.get(at..limit)?)?;
        let (inner, end) = (inner.as_str(), at + length);
        if !inner.contains(|c: char| c.is_ascii_digit()) && !inner.contains("n.d.") {
            return None;
        }
        let works = &self.vocabulary.works;
        let start = self.text.floor_char_boundary(at.saturating_sub(author_year::LONGEST).max(inlines[0].span.start));
        let before = &self.text[start..at];
        let is_written_so =
            || author_year::is_one(inner) || author_year::is_year_of_one(before, inner, &self.text[end..last.max(end)]);
        let (shape, targets) = match works.cited(inner).or_else(|| works.cited_behind(before, inner)) {
            Some(targets) => (Shape::Known, targets),
            None if is_written_so() => (Shape::Unlisted, Vec::new()),
            None => return None,
        };
        self.keep(Span::new(at, end), MarkerForm::AuthorYear, shape, targets);
        Some(end)
    }

    /// Keeps what is written as a citation. The words of a title and an address may be a part of the sentence.
    fn keep(&mut self, span: Span, form: MarkerForm, shape: Shape, targets: Vec<Target>) -> &mut Candidate {
        let missing = self.vocabulary.missing(&targets);
        let standalone = !matches!(form, MarkerForm::TitleLink | MarkerForm::Address);
        let known = Candidate::known(self.block, span, form, targets);
        self.found.push_mut(Candidate { standalone, missing, shape, ..known })
    }

    /// Keeps a link or an address.
    fn keep_address(&mut self, span: Span, form: MarkerForm, shape: Shape, address: &str) -> &mut Candidate {
        self.keep(span, form, shape, vec![Target::Address(address.to_owned())])
    }

    /// A key of a bibliography that is a part of its sentence, `@smith2020`, and where it ends. Those in the bracket behind it may mean
    /// nothing.
    fn narrative(&mut self, at: usize, inline: Span) -> Option<usize> {
        let token = form::narrative(self.text, at, inline.end)?;
        let end = token.span.end;
        let Some(Member::One(key)) = token.members.first() else { return None };
        self.vocabulary.target(key, at)?;
        self.push(token, Shape::Word);
        Some(end)
    }

    /// The token at `at`, and where it ends.
    fn bracket(&mut self, inlines: &[Inline], i: usize, at: usize) -> Option<usize> {
        if let Some(end) = self.product(at, inlines[i].span) {
            return Some(end);
        }
        // Words beside a label may be emphasised, `[@a, pp. 33 and *passim*]`, and a group be broken over lines.
        let token = form::token_at(self.text, at, inlines[i].span.end)
            .or_else(|| form::token_at(self.text, at, self.stretch_end(inlines, i)))?;
        let is_name = token.members.iter().any(|member| matches!(member, Member::One(Label::Name(_))));
        let shape = match (token.form, token.members.as_slice()) {
            (MarkerForm::Pandoc, _) => Shape::Word,
            (MarkerForm::Bracket | MarkerForm::Footnote, _) if is_name => Shape::Word,
            (MarkerForm::Bracket, [Member::One(_)]) => Shape::Single,
            (MarkerForm::Bracket, _) => Shape::Group,
            _ => Shape::Unmistakable,
        };
        let (end, found) = (token.span.end, self.found.len());
        // `[[48,4,7]]` is the name of a code.
        let doubled = self.text[..at].ends_with('[') && self.text[end..].starts_with(']');
        let is_value = || collection::is_value(self.text, token.span);
        if !(doubled && shape == Shape::Group || matches!(shape, Shape::Single | Shape::Group) && is_value()) {
            self.push(token, shape);
        }
        // Words in brackets that are no label may cite themselves.
        (shape != Shape::Word || self.found.len() > found).then_some(end)
    }

    /// Where the text ends that begins with an inline and that nothing but the marks of emphasis part.
    fn stretch_end(&self, inlines: &[Inline], i: usize) -> usize {
        let joins = |pair: &&[Inline]| {
            let marks = self.text.get(pair[0].span.end..pair[1].span.start);
            marks.is_some_and(|marks| marks.chars().all(|c| matches!(c, '*' | '_')))
                && matches!(pair[1].kind, InlineKind::Text | InlineKind::SoftBreak | InlineKind::HardBreak)
                && pair[1].link.is_none()
        };
        let joined = inlines[i..].windows(2).take(MOST_PARTS).take_while(joins);
        joined.last().map_or(inlines[i].span.end, |pair| pair[1].span.end)
    }

    /// Resolves a token and keeps it, unless it is a word that nothing knows.
    #[allow(clippy::needless_pass_by_value)] // A token is read once.
    fn push(&mut self, token: Token, shape: Shape) {
        let Some(targets) = self.resolve(&token) else { return };
        // *Book room [2b]* is a name; `[2b].` ends its sentence as citations do.
        let (before, after) = (token.span.before(self.text).trim_end(), token.span.after(self.text));
        let stops = |c: char| is_stop(c) || parts_members(c);
        let ends_a_sentence = before.ends_with(stops) || after.trim_start_matches([' ', ')']).starts_with(stops);
        let is_listed = |label: &Label| match token.form {
            // What a key that nothing knows means is decided where all are known.
            MarkerForm::Pandoc => true,
            MarkerForm::DoubleBracket => shape == Shape::Single,
            form => shape != Shape::Word || self.vocabulary.may_be_listed(label, form) && ends_a_sentence,
        };
        if self.vocabulary.missing(&targets).iter().all(is_listed) {
            let shape = if targets.is_empty() { Shape::BadRange } else { shape };
            self.keep(token.span, token.form, shape, targets);
        }
    }

    /// Targets in order; none of a range that cannot be meant, and `None` for what is no citation.
    fn resolve(&self, token: &Token) -> Option<Vec<Target>> {
        let at = token.span.start;
        let of_aliases: Option<Vec<Target>> =
            token.aliases.iter().map(|label| self.vocabulary.target(label, at)).collect();
        if let Some(targets) = of_aliases.filter(|targets| !targets.is_empty()) {
            return Some(targets);
        }
        let target = |label: Label| {
            let footnote = self.vocabulary.source_footnote(&label).filter(|_| token.form == MarkerForm::Footnote);
            footnote.or_else(|| self.vocabulary.target(&label, at)).unwrap_or(Target::Label(label))
        };
        let mut targets = Vec::with_capacity(token.members.len());
        for member in &token.members {
            match member {
                Member::One(label) => targets.push(target(label.clone())),
                Member::Range(from, to) => {
                    let ends = [*from, *to].map(|end| self.vocabulary.target(&Label::Number(end), at).is_some());
                    let is_meant = from < to && to - from < LONGEST_RANGE;
                    // Nothing but citations is written between such brackets.
                    let unmistakable = token.form == MarkerForm::Lenticular && *from > 0;
                    // One that runs past the end of the list, as in a report that was cut off, still cites what it begins with.
                    if !(is_meant && (ends[0] || unmistakable)) {
                        // `[2019-2021]` and `[0-9]` are no ranges of citations at all.
                        return (ends[0] && (ends[1] || from < to)).then(Vec::new);
                    }
                    targets.extend((*from..=*to).map(Label::Number).map(target));
                }
            }
        }
        Some(targets)
    }

    /// `\[1\]` with its backslash at `at`.
    fn escaped(&mut self, at: usize) -> Option<usize> {
        let limit = self.text.floor_char_boundary(at + 400);
        let (members, end) = members::numbers(self.text, at + 2, limit).filter(|_| self.vocabulary.escaped)?;
        let close = ["\\]", "]"].into_iter().find(|close| self.text[end..].starts_with(close))?;
        let span = Span::new(at, end + close.len());
        self.push(Token::new(span, MarkerForm::Escaped, members), Shape::Group);
        Some(span.end)
    }

    /// What a product puts in place of a citation at `at`, in what is left of an inline.
    fn product(&mut self, at: usize, rest: Span) -> Option<usize> {
        /// Bytes of the longest that is looked for: it has some two hundred, and what is never closed is not read to the end for each.
        const LONGEST: usize = 1 << 10;
        let limit = self.document.block(self.block).span.end.min(self.text.floor_char_boundary(at + LONGEST));
        let found = PRODUCTS.captures(self.text.get(at..limit)?)?;
        let span = Span::new(at, at + found[0].len());
        // A bare one is a word of its own, and no part of an address or a longer name.
        let goes_on = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '=' | '-' | '_');
        if found[0].starts_with('t') && self.text[rest.start..at].ends_with(goes_on) {
            return None;
        }
        let part = |group| found.get(group).map(|part| part.as_str());
        let members = if let Some(turns) = part(1) {
            let label = |label: &str| Label::Name(format!("turn{}", label.trim_end_matches('\u{e202}')).into());
            turns.split("turn").skip(1).map(label).map(Member::One).collect()
        } else if let Some(numbers) = part(2).or(part(3)) {
            members::all_numbers(numbers)?
        } else if let Some(name) = part(4) {
            vec![Member::One(Label::Name(name.into()))]
        } else {
            let label = part(6).map(|written| Target::Label(Label::Name(written.into())));
            self.keep(span, MarkerForm::Product, Shape::Unlisted, label.into_iter().collect());
            return Some(span.end);
        };
        self.push(Token::new(span, MarkerForm::Product, members), Shape::Unmistakable);
        Some(span.end)
    }

    /// An address in running text that a list or a research file has.
    fn bare_address(&mut self, colon: usize, span: Span) -> Option<usize> {
        let start = in_text::start_before(self.text, colon)?;
        if start < span.start {
            return None;
        }
        let end = in_text::end_in(self.text, start, span.end);
        let in_note = self.document.notes.contain(Span::new(start, end));
        // Words glued to an address are no part of it where they are not ASCII: `https://a.b的报告`.
        let ascii = self.text[start..end].find(|c: char| !c.is_ascii()).map_or(end, |at| start + at);
        let known = [end, ascii].into_iter().find(|end| self.vocabulary.knows(&self.text[start..*end]));
        let (is_known, end) = (known.is_some(), known.unwrap_or(end));
        if is_known || self.vocabulary.lists_nothing || in_note {
            let address = in_text::unescaped(&self.text[start..end]);
            let shape = if is_known || in_note { Shape::Known } else { Shape::Unlisted };
            self.keep_address(Span::new(start, end), MarkerForm::Address, shape, &address);
        }
        // An address that is not known is passed over whole.
        Some(end)
    }
}
