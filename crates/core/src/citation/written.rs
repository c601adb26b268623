//! How the entries of a list are written, so that the list of a brief can be written alike: what its author put before and behind
//! the address stays as it is.

use std::borrow::Cow;

use regex::Regex;

use super::label::LabelStyle;
use super::line_label::line_label;
use super::reference::dois_in;
use super::remark::Remark;
use super::source_list::{Entry, ListKind, SourceList};
use crate::address::identity::{address_of_doi, key_of};
use crate::markdown::Document;
use crate::pattern::Pattern;
use cited_text::Span;

/// How the number of an entry is written: behind a bullet, and before a sign; `1.`, `1)`, `[1]`, `- [1]`.
type Mark = (Option<char>, char);

/// `1.`
const DOT: Mark = (None, '.');

/// Where the address of an entry stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Body {
    /// Behind its words: `[Title](URL)`.
    Linked,
    /// Before the title, with this sign between them.
    First(char),
    /// Behind the title and this sign; a stop stands for all that end a title.
    Last(char),
    /// Without a title: `[1] URL`.
    Alone,
}

/// One entry as written, without its label and without what an earlier run wrote behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    mark: Mark,
    /// What stands before its address, with what opens a link: all of it where it has none that can be shown in another place.
    before: String,
    after: String,
    /// Whether it has no address, so that all of it is words.
    is_words: bool,
    /// The address as it stands there: it may stand there again as it is, whatever Markdown makes of its signs.
    pub own: Option<String>,
}

/// What ends a line for good.
pub const BREAK: &str = "  ";

/// How all entries of a document's lists are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListLayout {
    mark: Mark,
    body: Body,
    /// Whether an empty line stands between the entries.
    pub loose: bool,
    /// Whether each line of the list ends for good, with two spaces behind it: entries of one paragraph would run into each other without.
    pub broken: bool,
}

impl ListLayout {
    /// The layout that all entries of `lists` share.
    pub fn detect(document: &Document, lists: &[SourceList]) -> Option<Self> {
        // Notes are written as such, or in cited's own layout.
        let is_written = |list: &&SourceList| list.kind != ListKind::Footnotes;
        let read = |list| move |entry| Written::read(document, list, entry);
        let lists = lists.iter().map(|list| Some(list).filter(is_written)).collect::<Option<Vec<_>>>()?;
        let written = lists.iter().flat_map(|list| list.entries.iter().map(read(list))).collect::<Option<Vec<_>>>()?;
        let (mark, mut bodies) = (written.first()?.mark, written.iter().filter_map(Written::body));
        let body = bodies.next();
        if written.iter().any(|one| one.mark != mark) || bodies.any(|other| Some(other) != body) {
            return None;
        }
        // `1. URL` is cited's own layout without a title, which it gives where the page has one.
        let is_address = |one: &Written| one.own.is_some() && !one.is_linked();
        let body = body.or((written.iter().all(is_address) && mark != DOT).then_some(Body::Alone))?;
        let between = |pair: &[Entry]| Span::new(pair[0].span.end, pair[1].span.start.max(pair[0].span.end));
        let gaps = lists.iter().flat_map(|list| list.entries.windows(2)).map(|pair| document.slice(between(pair)));
        let is_labelled = lists.iter().flat_map(|list| &list.entries).all(|entry| entry.label.is_some());
        let all = |is_so: fn(&str) -> bool| is_labelled && gaps.clone().next().is_some() && gaps.clone().all(is_so);
        let loose = all(|gap| gap.matches('\n').count() > 1);
        Some(ListLayout { mark, body, loose, broken: all(|gap| gap.starts_with(BREAK)) && mark == (None, ']') })
    }

    /// Whether entries are written alike, whatever stands between them.
    pub fn is_like(self, other: Self) -> bool {
        (self.mark, self.body) == (other.mark, other.body)
    }

    /// The entry of a source in this layout: as its author wrote it, else of its title and address.
    pub fn line(self, number: usize, written: Option<&Written>, title: &str, address: &str) -> String {
        let (bullet, close) = self.mark;
        let bullet = bullet.map(|bullet| format!("{bullet} ")).unwrap_or_default();
        let open = if close == ']' { "[" } else { "" };
        // An address that was found is added to the words as they are.
        let words = written.filter(|written| written.is_words && !written.before.is_empty());
        let title = words.map_or(title, |words| words.before.trim_end());
        let body = match written {
            // What its author wrote, with the address in the place of its own.
            Some(written) if written.body().is_some() || title.is_empty() || address.is_empty() => {
                let shown = match &written.own {
                    Some(_) if written.is_linked() => &destination(address),
                    Some(_) => address,
                    None => "",
                };
                format!("{}{shown}{}", written.before, written.text_behind(address)).trim().to_owned()
            }
            _ if address.is_empty() => title.to_owned(),
            _ if title.is_empty() => address.to_owned(),
            _ => match self.body {
                Body::Linked => format!("[{title}]({})", destination(address)),
                Body::First(sign) => format!("{address}{}{title}", separator(sign, address)),
                Body::Alone => address.to_owned(),
                Body::Last('(') => format!("{title} ({address})"),
                Body::Last(sign) => format!("{title}{}{address}", separator(sign, title)),
            },
        };
        format!("{bullet}{open}{number}{close} {body}")
    }
}

/// What stands between two parts of an entry.
fn separator(sign: char, before: &str) -> String {
    match sign {
        '.' if before.ends_with(['.', '?', '!', '。', '？', '！']) => " ".to_owned(),
        '.' | ',' | ':' => format!("{sign} "),
        '：' | '，' | '。' => sign.to_string(),
        ' ' => " ".to_owned(),
        _ => format!(" {sign} "),
    }
}

/// An address as the destination of a link.
pub(crate) fn destination(address: &str) -> String {
    let address = address.replace('<', "%3C").replace('>', "%3E");
    let depth = address.bytes().try_fold(0usize, |depth, byte| match byte {
        b'(' => Some(depth + 1),
        b')' => depth.checked_sub(1),
        _ => Some(depth),
    });
    if depth == Some(0) && !address.contains(' ') { address } else { format!("<{address}>") }
}

impl Written {
    /// How an entry is written; `None` where that can be written in no other place: a row of a table, an entry of several blocks.
    pub fn read(document: &Document, list: &SourceList, entry: &Entry) -> Option<Self> {
        if !matches!(list.kind, ListKind::Lines | ListKind::Footnotes) || list.blocks.is_empty() {
            return None;
        }
        let source = document.text();
        let whole = entry.span.slice(source);
        let start = entry.words.checked_sub(entry.span.start)?;
        let mark = mark_of(whole.get(..start)?, entry.style)?;
        let remark = Remark::read(whole);
        let content = remark.as_ref().map_or(whole, |(_, at)| &whole[..*at]);
        let content = content.get(start..)?;
        let mut lines = content.lines().skip(1).map(|line| line.trim_start_matches([' ', '\t', '>']));
        if lines.any(|line| line.is_empty() || line_label(line).is_some() || line.starts_with(['-', '*', '+', '|'])) {
            return None;
        }
        let span = Span::new(entry.span.start + start, entry.span.start + start + content.len());
        // Behind the address of a copy stands that of the page, which is the entry's.
        let is_copy = remark.is_some_and(|(remark, _)| remark.original().is_some());
        let address = entry.addresses.get(usize::from(is_copy)).or(entry.addresses.first());
        let place = entry.place.filter(|place| span.contains(*place));
        let place = place.or_else(|| place_of_doi(document, span, address?));
        let Some((address, at)) = address.zip(place) else {
            let is_words = entry.addresses.is_empty();
            return Some(Written { mark, before: one_line(content), after: String::new(), is_words, own: None });
        };
        // One that is written elsewhere, `[Title][1]`, cannot be written again.
        if at.is_empty() {
            return None;
        }
        let (before, after) =
            (Span::new(span.start, at.start).slice(source), Span::new(at.end, span.end).slice(source));
        let own = Some(address.clone());
        Some(Written { mark, before: one_line(before), after: one_line(after), is_words: false, own })
    }

    /// Whether words stand for the address.
    fn is_linked(&self) -> bool {
        self.before.ends_with("](")
    }

    /// Where the address stands; `None` for an entry of nothing but an address, or without one.
    fn body(&self) -> Option<Body> {
        self.own.as_ref()?;
        let sign = |sign: Option<char>| match sign {
            Some(sign @ ('—' | '–' | '-' | ':' | '：' | ',' | '，' | '|' | '(')) => sign,
            Some(sign) if sign.is_alphanumeric() => ' ',
            _ => '.',
        };
        let has_words = |text: &str| text.contains(char::is_alphanumeric);
        let (before, after) = (self.before.trim_end_matches(['<', ' ']), self.after.trim_start_matches(['>', ' ']));
        if self.is_linked() {
            Some(Body::Linked)
        } else if has_words(before) {
            Some(Body::Last(sign(before.chars().next_back())))
        } else {
            has_words(after).then(|| Body::First(sign(after.chars().next())))
        }
    }

    /// What stands behind the address. Where another of the addresses is shown in its place, what leads to that one goes: it would
    /// stand there twice. All else that the entry says stays.
    fn text_behind(&self, address: &str) -> String {
        let is_there = !address.is_empty() && self.after.contains(address);
        let is_other = is_there && self.own.as_ref().is_some_and(|own| key_of(own) != key_of(address));
        let is_closed = self.before.ends_with('<') || self.is_linked();
        let (close, words) = self.after.split_at(usize::from(is_closed && self.after.starts_with(['>', ')'])));
        if is_other { [close, &without_pointer(words, address)].concat() } else { self.after.clone() }
    }

    /// What stands behind title and address, to be written behind them in another layout; empty for nothing but signs.
    pub fn rest(&self, address: &str) -> String {
        let is_title = matches!(self.body(), Some(Body::First(_)) | None);
        let behind = self.text_behind(address);
        let rest = behind.trim_start_matches([')', '>', ']', '）']);
        if is_title || !rest.contains(char::is_alphanumeric) { String::new() } else { rest.trim_end().to_owned() }
    }
}

/// Words behind the address of an entry without another address in them, and the words that lead to that one from the last sign that ends
/// something on: *, mirror: URL*, *(copy: URL)* with its brackets where nothing else stands in them, `[a copy](URL)`.
fn without_pointer<'w>(words: &'w str, address: &str) -> Cow<'w, str> {
    let url = regex::escape(address);
    let url = format!(r"[^.;,(\[。；，（|·—]*?(?:\[[^\[]*\]\({url}\)|<{url}>|{url})");
    let enclosed = format!(r"\s*[(\[（]{url}\s*[)\]）]|(?P<open>[(\[（]){url}[,; ，；]*");
    let pattern = Regex::new(&format!(r"{enclosed}|\s*[.;,。；，|·—]{url}|^{url}"));
    pattern.map_or(Cow::Borrowed(words), |pattern| pattern.replace(words, "$open"))
}

/// How an entry is labelled, from all that stands before its words; `None` for a number that is a link.
fn mark_of(written: &str, style: LabelStyle) -> Option<Mark> {
    let number = written.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < written.len();
    Some(match style {
        LabelStyle::NumberLink => return None,
        LabelStyle::Bracket | LabelStyle::Escaped if !is_numbered => {
            let is_bullet = written.chars().nth(1).is_some_and(char::is_whitespace);
            (written.chars().next().filter(|c| is_bullet && matches!(c, '-' | '*' | '+')), ']')
        }
        // Behind the number of an item another label may stand: `1) [1] Title`.
        LabelStyle::Dot | LabelStyle::None if is_numbered && number.starts_with(')') => (None, ')'),
        _ => DOT,
    })
}

/// Where a DOI stands as words, with what introduces it: its address takes the place of both.
fn place_of_doi(document: &Document, span: Span, address: &str) -> Option<Span> {
    let text = document.slice(span);
    let (at, _) = dois_in(text).find(|(_, doi)| key_of(&address_of_doi(doi)) == key_of(address))?;
    let before = text[..at.start].trim_end_matches([' ', ':']);
    let word = before.get(before.len().saturating_sub(3)..).filter(|word| word.eq_ignore_ascii_case("doi"));
    let start = word.map_or(at.start, |word| before.len() - word.len());
    // In a code span it could not be followed.
    let coded = usize::from(text[..start].ends_with('`') && text[at.end..].starts_with('`'));
    Some(Span::new(span.start + start - coded, span.start + at.end + coded))
}

/// Line ends in words that go on behind them, with the signs that Markdown wants round them.
static LINE_ENDS: Pattern = Pattern::new(r"(?:[\\ ]*\r*\n[ \t>]*)+");

/// Words that go on over line ends, on one line. What parts them from what stands behind them stays.
fn one_line(text: &str) -> String {
    LINE_ENDS.replace_all(text.trim_end_matches('\r'), " ").into_owned()
}

#[cfg(test)]
mod tests {
    use super::{DOT, Mark, Written, without_pointer};
    use crate::citation::{KnownLabels, read};
    use crate::markdown::Document;

    #[test]
    fn an_entry_is_written_again_with_its_own_words_and_mark() {
        #[track_caller]
        fn check(entries: &str, mark: Mark, before: [&str; 2]) {
            let document = Document::read(format!("It is so [1]. It was so [2].\n\n## Sources\n\n{entries}\n"));
            let list = &read(&document, &KnownLabels::default()).lists[0];
            let written = list.entries.iter().filter_map(|entry| Written::read(&document, list, entry));
            let written: Vec<(Mark, String)> = written.map(|written| (written.mark, written.before)).collect();
            assert_eq!(written, before.map(|before| (mark, before.to_owned())), "{entries}");
        }
        check("1 A: https://a.example/\n2 B: https://b.example/", DOT, ["A: ", "B: "]);
        // What stands round the number goes on behind it.
        check("- [1 A](https://a.example/)\n- [2 B](https://b.example/)", DOT, ["[1 A](", "[2 B]("]);
        check("**[1]** A: https://a.example/\n**[2]** B: https://b.example/", (None, ']'), ["A: ", "B: "]);
        check("* [1] A: https://a.example/\n* [2] B: https://b.example/", (Some('*'), ']'), ["A: ", "B: "]);
        check("1) A: https://a.example/\n2) B: https://b.example/", (None, ')'), ["A: ", "B: "]);
        check("1) [1] A: https://a.example/\n2) [2] B: https://b.example/", DOT, ["A: ", "B: "]);
    }

    #[test]
    fn what_leads_to_an_address_goes_with_it_and_nothing_else() {
        let check = |words: &str, expected: &str| {
            let url = "https://b.example/";
            assert_eq!(without_pointer(words, url), expected, "{words}");
        };
        check(" (mirror: https://b.example/)", "");
        check(", mirror: https://b.example/ (read 2 May 2023, table 4)", " (read 2 May 2023, table 4)");
        check(" (read 2 May 2023; mirror: https://b.example/)", " (read 2 May 2023)");
        check(" (mirror: https://b.example/, table 4)", " (table 4)");
        check(". Read in May. Copy: <https://b.example/>. Table 4.", ". Read in May. Table 4.");
        check(", [a copy](https://b.example/), table 4", ", table 4");
        check(" and https://b.example/ table 4", " table 4");
    }
}
