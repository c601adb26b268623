//! The document as it was and as it is, in one text: what goes struck, what comes marked, every claim underlined by its verdict.
//!
//! Lines that come are written into the draft, behind those that go, and the whole is read once: they stand in the list or table that they come
//! into. Of each piece of it is known whether it goes, comes or stays, and which claim it is of; what an edit writes within a line stands where
//! the edit ends. The page then shows one text or the other by hiding what is struck or what is marked.
//!
//! Nothing of the document becomes markup here: links and images are shown with their words and lead nowhere, HTML is shown as text.

use maud::{Escaper, Markup, PreEscaped};
use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};
use std::fmt::Write as _;
use std::ops::Range;

use super::parts::shown;
use crate::record::Verification;
use crate::refine::{Change, refined};
use crate::words::{Shown, Verdict, action_words};
use cited_core::decide::{Action, Cause, Edit};
use cited_core::markdown::{Block, BlockId, BlockKind, Document, Rendered, parser_options};
use cited_text::Span;

/// Blocks that stand deeper in others are shown as if they stood here: no reader tells them apart, and no browser likes them.
const DEEPEST: usize = 24;

/// A claim in the document, with its verdict.
pub(super) type JudgedClaim<'a> = (&'a Verification, Verdict);

/// The document: `draft` with `edits` on it, which `is_done` says are made, and `claims` in order of place.
pub(super) fn document(draft: &str, edits: &[Edit], claims: &[JudgedClaim<'_>], is_done: bool) -> Markup {
    let changes = refined(draft, edits);
    let mut merged = Merged::build(draft, &changes, claims);
    let mut walker = Walker {
        marks: claims.iter().map(|claim| marks(*claim, is_done)).collect(),
        ends: std::mem::take(&mut merged.ends),
        merged: &merged,
        frames: Vec::new(),
        out: String::with_capacity(draft.len() * 3),
        next: 0,
        at: 0,
        open: OUTSIDE,
        above: Vec::new(),
    };
    walker.walk();
    PreEscaped(walker.out)
}

/// What stands round a claim: what opens its element, the sign behind one at which a reader should look, and what closes it.
fn marks((claim, verdict): JudgedClaim<'_>, is_done: bool) -> [String; 3] {
    // A reader is led to what is known of it, or the page only knows where it stands.
    let is_told = verdict != Verdict::Exempt || claim.action != Action::Keep;
    let (element, name) = if is_told { ("a", "href=\"#") } else { ("span", "data-c=\"") };
    let (gone, [open, close]) = if claim.action.removes() { (" gone", ["<del>", "</del>"]) } else { ("", ["", ""]) };
    let did = match claim.action {
        Action::Keep => String::new(),
        action => format!(", {}", action_words(action.word(), is_done)),
    };
    let (id, Shown { word, class, sign, .. }) = (escaped(&claim.claim_id), verdict.shown());
    let sign = match verdict {
        Verdict::Confirmed | Verdict::Exempt => String::new(),
        _ => format!("{open}<i>{sign}</i>{close}"),
    };
    let opening = format!("<{element} class=\"c {class}{gone}\" {name}{id}\" title=\"{word}{did}\">");
    [opening, sign, format!("</{element}>")]
}

/// The words of the first heading of the first level, or of the heading or the bold line that the draft begins with.
pub(super) fn title(draft: &str) -> Option<String> {
    let document = Document::read(draft);
    let is_bold =
        |text: &str| text.starts_with("**") && text.lines().next().is_some_and(|line| line.trim_end().ends_with("**"));
    let is_title = |(i, (_, block)): &(usize, (BlockId, &Block))| match block.kind {
        BlockKind::Heading(level) => level == 1 || *i == 0,
        BlockKind::Paragraph => *i == 0 && is_bold(document.slice(block.span)),
        _ => false,
    };
    let (_, (id, _)) = document.blocks().enumerate().find(is_title)?;
    Some(Rendered::render(&document, id, &[]).text).filter(|title| !title.trim().is_empty())
}

/// What a piece of text is of: a claim, and in it what stays, goes or comes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Open {
    claim: Option<usize>,
    fate: Fate,
}

/// What becomes of words: what opens the element round them, what closes that, and what they are to the elements that they stand in, as a
/// set of bits.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Fate {
    open: &'static str,
    close: &'static str,
    bit: u8,
}

const STAYS: Fate = Fate { open: "", close: "", bit: 1 };
const GOES: Fate = Fate { open: "<del>", close: "</del>", bit: 2 };
const COMES: Fate = Fate { open: "<ins>", close: "</ins>", bit: 4 };
/// The number of a citation or an entry that gets another one: no change to a reader.
const OLD_NUMBER: Fate = Fate { open: "<del class=\"re\">", close: "</del>", bit: STAYS.bit };
const NEW_NUMBER: Fate = Fate { open: "<ins class=\"re\">", close: "</ins>", bit: STAYS.bit };
/// What is of no claim and stays.
const OUTSIDE: Open = Open { claim: None, fate: STAYS };

/// A piece of the text that ends here; or what comes at this place within a line, which stands beside the text, where nothing is read with it.
struct Piece<'a> {
    end: usize,
    beside: Option<&'a str>,
    open: Open,
}

/// The draft with what comes written into it.
#[derive(Default)]
struct Merged<'a> {
    text: String,
    pieces: Vec<Piece<'a>>,
    /// Where the words of each claim end.
    ends: Vec<usize>,
}

impl<'a> Merged<'a> {
    fn build(draft: &str, changes: &'a [Change], claims: &[JudgedClaim<'_>]) -> Self {
        let mut merged = Merged { ends: vec![usize::MAX; claims.len()], ..Merged::default() };
        let mut at = 0;
        for change @ Change { edit, .. } in changes {
            merged.keep(draft, Span::new(at, edit.span.start), claims, STAYS);
            let renumbers = change.renumbers(draft);
            let [old, new] = if renumbers { [OLD_NUMBER, NEW_NUMBER] } else { [GOES, COMES] };
            let claim = claim_at(claims, edit.span.start.min(edit.span.end.saturating_sub(1)));
            let of_lines = is_of_lines(change, draft);
            let words = Some(edit.replacement.trim_matches('\n')).filter(|words| !of_lines && !words.trim().is_empty());
            let piece = |end| Piece { end, beside: words, open: Open { claim, fate: new } };
            // What takes the place of a line end stands in the line.
            let is_blank = edit.span.slice(draft).trim().is_empty();
            let start = merged.text.len();
            merged.pieces.extend(is_blank.then(|| piece(start)));
            merged.keep(draft, edit.span, claims, old);
            let end = merged.text.len();
            merged.pieces.extend((!is_blank).then(|| piece(end)));
            at = edit.span.end.max(at);
            if of_lines && !edit.replacement.trim().is_empty() {
                merged.add_lines(&edit.replacement, draft.get(at..).unwrap_or_default());
            }
        }
        merged.keep(draft, Span::new(at, draft.len()), claims, STAYS);
        merged
    }

    fn push(&mut self, words: &str, open: Open) {
        self.text.push_str(words);
        self.pieces.push(Piece { end: self.text.len(), beside: None, open });
    }

    /// Words of the draft, cut where claims begin and end.
    fn keep(&mut self, draft: &str, span: Span, claims: &[JudgedClaim<'_>], fate: Fate) {
        let mut at = span.start;
        let until = draft.floor_char_boundary(span.end);
        while at < until {
            let claim = claim_at(claims, at);
            let next = claims
                .get(claims.partition_point(|(claim, _)| claim.span.start <= at))
                .map(|(next, _)| next.span.start);
            let own = claim.map(|i| claims[i].0.span.end);
            let end = draft.ceil_char_boundary([next, own].into_iter().flatten().fold(until, usize::min));
            self.push(draft.get(at..end).unwrap_or_default(), Open { claim, fate });
            if let Some(i) = claim.filter(|i| claims[*i].0.span.end == end) {
                self.ends[i] = self.text.len();
            }
            at = end;
        }
    }

    /// Lines that come before `rest`. What would be read with the lines around it, and is of another kind, stands apart from them.
    fn add_lines(&mut self, lines: &str, rest: &str) {
        let kind = |line: &str| line.chars().next().map(|c| if c.is_ascii_digit() { '1' } else { c });
        let differs = |above: Option<&str>, below: Option<&str>| {
            let kinds = above.zip(below).map(|(above, below)| (kind(above.trim_start()), kind(below.trim_end())));
            kinds.is_some_and(|(above, below)| above.is_some() && below.is_some_and(|c| c != ' ') && above != below)
        };
        let goes_on = !self.text.is_empty() && !self.text.ends_with('\n') && !lines.starts_with(['\r', '\n']);
        let is_parted = rest.is_empty() || rest.starts_with(['\r', '\n']);
        let breaks = [
            goes_on,
            differs(self.text.lines().next_back(), lines.lines().next()),
            !is_parted && !lines.ends_with('\n'),
            !is_parted && differs(lines.lines().next_back(), rest.lines().next()),
        ];
        let [above, own, below, next] = breaks.map(|is_there| if is_there { "\n" } else { "" });
        self.push(&[above, own, lines, below, next].concat(), Open { claim: None, fate: COMES });
    }
}

/// The claim that a byte of the draft belongs to.
fn claim_at(claims: &[JudgedClaim<'_>], at: usize) -> Option<usize> {
    /// Claims that stand in others are few; so many are looked at.
    const BACK: usize = 4;
    let after = claims.partition_point(|(claim, _)| claim.span.start <= at);
    (after.saturating_sub(BACK)..after).rev().find(|i| claims[*i].0.span.end > at)
}

/// Whether a change writes whole lines: several, or a list of sources or a report in the place of other lines, or where nothing stands.
fn is_of_lines(Change { edit, lines }: &Change, draft: &str) -> bool {
    let (before, after, words) = (edit.span.before(draft), edit.span.after(draft), &edit.replacement);
    let old = edit.span.slice(draft);
    let starts = before.is_empty() || before.ends_with('\n');
    let ends = after.is_empty() || after.starts_with(['\n', '\r']) || old.ends_with('\n');
    let is_own = matches!(edit.because, Cause::SourcesWritten | Cause::ReportWritten) || old.trim().is_empty();
    *lines || words.trim_end().contains('\n') || starts && (words.ends_with('\n') || ends && is_own)
}

/// An element that is open.
struct Frame {
    tag: &'static str,
    class: &'static str,
    /// Where its classes are written once it is known what becomes of the words in it.
    at: usize,
    fates: u8,
}

struct Walker<'a> {
    merged: &'a Merged<'a>,
    /// What stands round each claim.
    marks: Vec<[String; 3]>,
    /// Where the words of each claim end whose sign is still to come.
    ends: Vec<usize>,
    frames: Vec<Frame>,
    out: String,
    /// The first piece beside which nothing is written yet, and the end of the last words.
    next: usize,
    at: usize,
    open: Open,
    /// The levels of the headings that the next one stands below.
    above: Vec<HeadingLevel>,
}

impl<'a> Walker<'a> {
    fn walk(&mut self) {
        let text: &'a str = &self.merged.text;
        // How deep it is, where the last block ended that stands in no other, and the last words.
        let (mut depth, mut over, mut read) = (0usize, 0, 0);
        let parser = Parser::new_ext(text, parser_options());
        let mut definitions: Vec<usize> =
            parser.reference_definitions().iter().map(|(_, own)| own.span.start).collect();
        definitions.sort_unstable();
        for (event, range) in parser.into_offset_iter() {
            if depth == 0 {
                self.write_between(over, range.start);
                self.open_row();
            }
            if !matches!(event, Event::Start(_) | Event::End(_)) {
                read = range.end;
            }
            // The parser has definitions that stand below a list in it.
            let behind = definitions.get(definitions.partition_point(|start| *start < read));
            over = behind.map_or(range.end, |start| range.end.min(*start));
            match event {
                Event::Start(tag) => {
                    depth += 1;
                    self.start(&tag, range);
                }
                Event::End(tag) => {
                    self.end(tag, over.min(range.start + text[range].trim_end().len()));
                    depth -= 1;
                }
                Event::Text(words) | Event::Html(words) | Event::InlineHtml(words) => self.words(&words, range),
                Event::Code(words) => {
                    let (_, open) = self.piece_at(range.start);
                    self.put(&["<code>", &escaped(&words), "</code>"].concat(), &words, open, range.end);
                }
                Event::SoftBreak => self.words("\n", range),
                Event::HardBreak => {
                    // The line goes or comes with its end.
                    let (_, open) = self.piece_at(range.start);
                    self.put("<br>", "", open, range.start);
                }
                Event::TaskListMarker(done) => self.words(if done { "☑ " } else { "☐ " }, range),
                Event::Rule => self.tag("<hr>"),
                _ => self.words(text.get(range.clone()).unwrap_or_default(), range),
            }
            if depth == 0 {
                self.close_row();
            }
        }
        self.write_between(over, text.len());
    }

    /// What no block has: definitions of links, as they are written.
    fn write_between(&mut self, from: usize, to: usize) {
        let mut at = from;
        for line in self.merged.text.get(from..to).unwrap_or_default().split_inclusive('\n') {
            let start = at + (line.len() - line.trim_start().len());
            at += line.len();
            if !shown(line).trim().is_empty() {
                self.open_row();
                self.open("p", "note", "");
                self.words(line.trim(), start..start + line.trim().len());
                self.end(TagEnd::Paragraph, at);
                self.close_row();
            }
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        let written = self.merged.text.get(range.clone()).unwrap_or_default();
        let has_label = |line: &str| line.trim_start().starts_with('[');
        let (name, class, attributes) = match tag {
            // A source list without a form of Markdown: its entries stand in lines, each behind its label.
            Tag::Paragraph if written.trim_end().contains('\n') && written.lines().all(has_label) => ("p", "lines", ""),
            Tag::Paragraph => ("p", "", ""),
            Tag::Heading { level, .. } => {
                // The page has headings of its own above these; and none is more than one level below the one above it.
                self.above.retain(|above| above < level);
                self.above.push(*level);
                let class = ["h1", "h2", "h3", "h4"][(*level as usize).min(4) - 1];
                (["h3", "h4", "h5", "h6"][self.above.len().min(4) - 1], class, "")
            }
            Tag::BlockQuote(_) => ("blockquote", "", ""),
            Tag::CodeBlock(_) | Tag::MetadataBlock(_) | Tag::HtmlBlock => ("pre", "", " tabindex=\"0\""),
            Tag::List(Some(_)) => ("ol", "", ""),
            Tag::List(None) => ("ul", "", ""),
            Tag::Item => ("li", "", ""),
            Tag::FootnoteDefinition(_) => ("div", "note", ""),
            Tag::Table(_) => {
                self.tag("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">");
                ("table", "", "")
            }
            Tag::TableHead => ("tr", "th", ""),
            Tag::TableRow => ("tr", "", ""),
            Tag::TableCell if self.frames.last().is_some_and(|row| row.class == "th") => ("th", "", " scope=\"col\""),
            Tag::TableCell => ("td", "", ""),
            Tag::Emphasis => return self.tag("<em>"),
            Tag::Strong => return self.tag("<strong>"),
            Tag::Strikethrough => return self.tag("<s>"),
            Tag::Link { .. } => return self.tag("<span class=\"link\">"),
            Tag::Image { .. } => return self.tag("<span class=\"image\">"),
            // What is not read: formulas, definitions, raised words.
            _ => ("div", "", ""),
        };
        self.open(name, class, attributes);
        // Of several numbers that follow each other, a browser could not show that one changed: they are words of the document.
        let number = match tag {
            Tag::Item => match written.bytes().take_while(u8::is_ascii_digit).count() {
                digits if digits > 0 && written[digits..].starts_with(['.', ')']) => digits + 1,
                _ => return,
            },
            Tag::FootnoteDefinition(label) => "[^]:".len() + label.len(),
            _ => return,
        };
        if let Some(words) = written.get(..number) {
            self.out.push_str("<span class=\"nr\">");
            self.words(words, range.start..range.start + number);
            self.tag("</span> ");
        }
    }

    /// Closes an element whose text ends at `at`.
    fn end(&mut self, tag: TagEnd, at: usize) {
        match tag {
            TagEnd::Emphasis => return self.tag("</em>"),
            TagEnd::Strong => return self.tag("</strong>"),
            TagEnd::Strikethrough => return self.tag("</s>"),
            TagEnd::Link | TagEnd::Image => return self.tag("</span>"),
            _ => {}
        }
        self.piece_at(at);
        self.close();
        if tag == TagEnd::Table {
            self.out.push_str("</div>");
        }
    }

    fn open(&mut self, tag: &'static str, class: &'static str, attributes: &str) {
        let shown = if self.frames.len() < DEEPEST { ["<", tag, attributes, ">"].concat() } else { String::new() };
        self.tag(&shown);
        let at = self.out.len().saturating_sub(attributes.len() + 1);
        self.frames.push(Frame { tag, class, at, fates: 0 });
    }

    /// Closes the innermost element, and says what becomes of the whole of it.
    fn close(&mut self) {
        self.switch(OUTSIDE);
        let Some(Frame { tag, class, at, fates }) = self.frames.pop() else { return };
        if let Some(parent) = self.frames.last_mut() {
            parent.fates |= fates;
        }
        let changed = if self.frames.is_empty() && fates > STAYS.bit { "ch" } else { "" };
        let whole = match fates {
            bits if bits == GOES.bit => "gone",
            bits if bits == COMES.bit => "new",
            _ => "",
        };
        let classes: Vec<&str> = [class, changed, whole].into_iter().filter(|class| !class.is_empty()).collect();
        if self.frames.len() < DEEPEST {
            if !classes.is_empty() {
                self.out.insert_str(at, &format!(" class=\"{}\"", classes.join(" ")));
            }
            self.out.extend(["</", tag, ">"]);
        }
    }

    /// Begins the row of a block that stands in no other. The direction of a paragraph, a list, a table is one: that of its words.
    fn open_row(&mut self) {
        self.open("div", "row", "");
        self.out.push_str("<div class=\"cell\" dir=\"auto\">");
    }

    fn close_row(&mut self) {
        self.tag("</div>");
        self.close();
    }

    /// Words that the parser has found at these bytes.
    fn words(&mut self, words: &str, range: Range<usize>) {
        // An entity, an escape, a break: one piece.
        let is_verbatim = self.merged.text.get(range.clone()) == Some(words);
        let mut at = range.start;
        while at < range.end {
            let (end, open) = self.piece_at(at);
            let end = if is_verbatim { end.min(range.end) } else { range.end };
            let words = if is_verbatim { &self.merged.text[at..end] } else { words };
            self.put(&escaped(words), words, open, end);
            at = end;
        }
        self.piece_at(at);
    }

    /// What stands at a byte, and where that ends; what stands beside the text up to there is written.
    fn piece_at(&mut self, at: usize) -> (usize, Open) {
        let pieces = &self.merged.pieces;
        while let Some(Piece { end, beside, open }) = pieces.get(self.next).filter(|piece| piece.end <= at) {
            self.next += 1;
            if let Some(words) = beside {
                self.put(&escaped(words), words, *open, *end);
            }
        }
        let piece = pieces.get(pieces.partition_point(|piece| piece.end <= at));
        piece.map_or((self.merged.text.len(), OUTSIDE), |piece| (piece.end, piece.open))
    }

    /// Writes words up to a byte with the elements round them that say what they are.
    fn put(&mut self, markup: &str, words: &str, open: Open, end: usize) {
        self.switch(open);
        self.out.push_str(markup);
        self.at = end;
        if let Some(frame) = self.frames.last_mut().filter(|_| !shown(words).trim().is_empty()) {
            frame.fates |= open.fate.bit;
        }
    }

    /// Closes what is open and opens what is wanted.
    fn switch(&mut self, to: Open) {
        let from = std::mem::replace(&mut self.open, to);
        if from == to {
            return;
        }
        self.out.push_str(from.fate.close);
        if let Some(i) = from.claim.filter(|_| from.claim != to.claim) {
            let [_, sign, close] = &self.marks[i];
            if self.ends[i] <= self.at {
                self.ends[i] = usize::MAX;
                self.out.push_str(sign);
            }
            self.out.push_str(close);
        }
        if let Some(i) = to.claim.filter(|_| from.claim != to.claim) {
            self.out.push_str(&self.marks[i][0]);
        }
        self.out.push_str(to.fate.open);
    }

    /// A tag inside a block: what is open is closed round it.
    fn tag(&mut self, tag: &str) {
        self.switch(OUTSIDE);
        self.out.push_str(tag);
    }
}

/// Words from outside as text of a page.
fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    // Writing to a string cannot fail.
    let _ = Escaper::new(&mut out).write_str(&shown(words));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use cited_core::claim::ClaimKind;
    use cited_core::decide::apply;

    fn edit(text: &str, from: &str, to: &str) -> Edit {
        let start = text.find(from).expect("the words are in the text");
        Edit::new(Span::new(start, start + from.len()), to, Cause::Renumbered)
    }

    /// The words that a page shows without what is struck or without what is marked.
    fn read(html: &str, hidden: &str) -> String {
        let html = html.replace(" class=\"re\"", "");
        let (open, close) = (format!("<{hidden}>"), format!("</{hidden}>"));
        let mut rest = html.as_str();
        let mut kept = String::new();
        while let Some(start) = rest.find(&open) {
            kept.push_str(&rest[..start]);
            rest = &rest[start + rest[start..].find(&close).expect("it is closed") + close.len()..];
        }
        kept.push_str(rest);
        let mut words = String::new();
        let (mut inside, mut tag) = (false, String::new());
        for c in kept.chars() {
            match c {
                '<' => {
                    inside = true;
                    tag.clear();
                }
                '>' => {
                    inside = false;
                    let inline = ["a", "i", "span", "del", "ins", "em", "strong", "code", "s", "sup", "sub"];
                    let name = tag.trim_start_matches('/').split(' ').next().unwrap_or_default();
                    words.push_str(if inline.contains(&name) { "" } else { " " });
                }
                c if inside => tag.push(c),
                c => words.push(c),
            }
        }
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn check(draft: &str, edits: &[(&str, &str)]) -> String {
        let edits: Vec<Edit> = edits.iter().map(|(from, to)| edit(draft, from, to)).collect();
        let html = document(draft, &edits, &[], true).into_string();
        let plain = |text: &str| read(&document(text, &[], &[], true).into_string(), "none");
        assert_eq!(read(&html, "ins"), plain(draft), "{html}");
        assert_eq!(read(&html, "del"), plain(&apply(draft, &edits).expect("edits fit")), "{html}");
        html
    }

    #[test]
    fn a_title_is_the_first_heading_or_the_bold_line_at_the_top() {
        let check = |draft: &str, expected: Option<&str>| assert_eq!(title(draft).as_deref(), expected, "{draft}");
        check("Words.\n\n# A *title* of `code`\n\n# Another", Some("A title of code"));
        check("**The harbour of Tornes**\n\nIt has 9 piers.", Some("The harbour of Tornes"));
        check("## Part **one**, again\n\n## Part two", Some("Part one, again"));
        check("**Loud** words begin a sentence.\n\n## Part one", None);
        check("Words.", None);
    }

    #[test]
    fn both_texts_can_be_read_from_the_one() {
        check(
            "# A\n\nBeta *runs* 640 stations [3]. Gamma left.\n\n- one\n- two\n",
            &[("[3]", "[1]"), (" Gamma left.", "")],
        );
        check("a [2].\n\nb\n", &[("\n\nb", "")]);
        check("a.\n", &[("a.\n", "a.\n\n## Sources\n\n1. X — https://x.example\n")]);
        check("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n", &[("| 3 | 4 |\n", "")]);
        check("x & y \\* z &amp; `c` [l](https://a.example) ![i](p.png)\n", &[("z", "q")]);
        check("بتا تشغل 640 محطة [2].\n", &[("[2]", "[1]")]);
    }

    /// A list that is written whole, shown entry by entry; gives the entries.
    #[track_caller]
    fn relisted(old: &str, new: &str) -> String {
        let draft = format!("Words [1].\n\n{old}\n");
        let span = Span::new(draft.len() - old.len() - 1, draft.len() - 1);
        let edits = [Edit::new(span, new, Cause::SourcesWritten)];
        let html = document(&draft, &edits, &[], true).into_string();
        let after = apply(&draft, &edits).expect("edits fit");
        let plain = |text: &str| read(&document(text, &[], &[], true).into_string(), "none");
        assert_eq!(read(&html, "ins"), plain(&draft), "{html}");
        assert_eq!(read(&html, "del"), plain(&after), "{html}");
        html.rsplit_once("<div class=\"row").map(|(_, row)| row.to_owned()).unwrap_or_default()
    }

    #[test]
    fn a_source_list_is_shown_entry_by_entry() {
        let html = relisted(
            "1. Gone — https://g.example\n2. Alpha report — https://a.example\n3. Beta — https://b.example",
            "1. Alpha report — https://a.example\n2. Beta — https://b.example (gone)\n3. New one — https://n.example",
        );
        let entries = [
            "<li class=\"gone\"><span class=\"nr\"><del>1.</del></span> <del>Gone — https://g.example</del></li>",
            "<li><span class=\"nr\"><del class=\"re\">2.</del><ins class=\"re\">1.</ins></span> Alpha report — https://a.example</li>",
            "<li><span class=\"nr\"><del class=\"re\">3.</del><ins class=\"re\">2.</ins></span> Beta — https://b.example<ins> (gone)</ins></li>",
            "<li class=\"new\"><span class=\"nr\"><ins>3.</ins></span> <ins>New one — https://n.example</ins></li>",
        ];
        assert!(html.contains(&entries.concat()), "{html}");
        // One that comes between others; entries with empty lines between them.
        let html = relisted("1. Alpha\n2. Gamma", "1. Alpha\n2. Beta\n3. Gamma");
        let comes = "<li class=\"new\"><span class=\"nr\"><ins>2.</ins></span> <ins>Beta</ins></li><li><span class=\"nr\"><del class=\"re\">2.</del><ins class=\"re\">3.</ins></span> Gamma";
        assert!(html.contains(comes), "{html}");
        relisted("1. Alpha\n\n2. Gamma", "1. Alpha\n\n2. Beta\n\n3. Gamma");
        relisted("1. Alpha", "1. Alpha\n2. Beta\n\n## Removed\n\n- c");
    }

    #[test]
    fn lists_of_other_forms_are_shown_entry_by_entry() {
        let html = relisted("[1] Alpha\n[2] Beta\n[3] Gamma", "[1] Beta\n[2] Gamma\n[3] Delta");
        assert!(
            html.contains("[2]</del><ins class=\"re\">[1]</ins> Beta\n<del class=\"re\">[3]</del><ins class=\"re\">[2]</ins> Gamma<ins>\n[3] Delta</ins>"),
            "{html}"
        );
        let html = relisted(
            "[1] Alpha report https://a.example  \n[2] Beta  \n[3] Gamma",
            "[1] Alpha report https://a.example (dead)  \n[2] Gamma",
        );
        assert!(html.contains("[1] Alpha report https://a.example<ins> (dead)</ins><br>"), "{html}");
        assert!(
            html.contains("<br><del>[2] Beta<br></del><del class=\"re\">[3]</del><ins class=\"re\">[2]</ins> Gamma"),
            "{html}"
        );
        let html = relisted("[^1]: Alpha report\n[^2]: Beta study", "[^1]: Beta study\n[^2]: Gamma");
        assert!(
            html.contains(
                "<div class=\"note new\"><span class=\"nr\"><ins>[^2]:</ins></span> <p class=\"new\"><ins>Gamma</ins></p></div>"
            ),
            "{html}"
        );
        let html = relisted("- [2] Alpha\n- [1] Beta", "- [1] Alpha\n- [2] Gamma\n- [3] Delta");
        assert!(html.contains("<li class=\"new\"><ins>[3] Delta</ins></li>"), "{html}");
        let head = "| # | Source |\n|---|---|\n";
        let html = relisted(
            &format!("{head}| 1 | Alpha report |\n| 2 | Beta study |"),
            &format!("{head}| 1 | Beta study |\n| 2 | Gamma |"),
        );
        assert!(html.contains("<td><del>2</del><ins>1</ins></td><td>Beta study</td>"), "{html}");
        assert!(html.contains("<tr class=\"new\"><td class=\"new\"><ins>2</ins></td>"), "{html}");
        relisted("[1]: https://a.example \"Alpha\"", "[1]: https://b.example \"Alpha\"");
    }

    #[test]
    fn lines_that_come_stand_where_they_are_written() {
        let order = |old: &str, new: &str, words: [&str; 2]| {
            let draft = format!("Words [1].\n\n{old}\n");
            let span = Span::new(draft.len() - old.len() - 1, draft.len() - 1);
            let html = document(&draft, &[Edit::new(span, new, Cause::SourcesWritten)], &[], true).into_string();
            let [first, second] = words.map(|words| html.find(words).expect("it is shown"));
            assert!(first < second, "{html}");
            html
        };
        order("(1) Ferries\n(2) Harbour guide", "## Sources\n\n1. Harbour guide", ["Sources", "Harbour"]);
        let (old, new) =
            ("[^1]: Alpha report, https://a.example\n\n[^2]: Beta", "1. Alpha report, https://a.example (dead)");
        let html = order(old, new, ["(dead)", "Beta"]);
        assert!(html.contains("Alpha report, https://a.example<ins> (dead)</ins>"), "{html}");
        let html = order("| a |\n|---|\n| 1 |", "## Removed\n\n- one", ["a</del>", "Removed"]);
        assert!(html.contains("<table class=\"gone\">"), "{html}");
    }

    #[test]
    fn a_block_that_goes_whole_is_told_from_one_that_changes() {
        let html = check("- one\n- two\n\nkept words\n", &[("- two\n", "")]);
        assert!(html.contains("<li class=\"gone\"><del>two</del></li>"), "{html}");
        assert!(html.contains("<div class=\"row ch\"><div class=\"cell\" dir=\"auto\"><ul>"), "{html}");
        assert!(html.contains("<div class=\"row\"><div class=\"cell\" dir=\"auto\"><p"), "{html}");
    }

    #[test]
    fn a_claim_is_one_link_whatever_changes_in_it() {
        let text = "Beta runs 640 stations [3]. More.\n";
        let claim = Verification {
            claim_id: "c\"1".to_owned(),
            claim_text: String::new(),
            context: None,
            verified: false,
            confidence: None,
            sources_reconciled: Vec::new(),
            notes: String::new(),
            kind: ClaimKind::Plain,
            action: Action::Keep,
            span: Span::new(0, 27),
            line: 1,
            hangs: None,
            binding: None,
            review: None,
        };
        let edits = [edit(text, "[3]", "[1]")];
        let html = document(text, &edits, &[(&claim, Verdict::Unconfirmed)], true).into_string();
        let expected = "<a class=\"c w\" href=\"#c&quot;1\" title=\"not confirmed\">Beta runs 640 stations <del class=\"re\">[3]</del><ins class=\"re\">[1]</ins>.<i>≈</i></a> More.";
        assert!(html.contains(expected), "{html}");
        // One that ends with a link has its sign, too.
        let text = "Beta runs 640 stations [3](https://a.example)\n";
        let claim = Verification { span: Span::new(0, text.len() - 1), ..claim };
        let edits = [edit(text, "[3](https://a.example)", "[1]")];
        let html = document(text, &edits, &[(&claim, Verdict::Unconfirmed)], true).into_string();
        assert!(html.contains("<ins class=\"re\">[1]</ins><i>≈</i></a>"), "{html}");
    }

    #[test]
    fn definitions_are_shown_and_rules_are_no_words() {
        let check = |draft: &str, expected: &str| {
            let html = document(draft, &[], &[], true).into_string();
            assert_eq!(read(&html, "none"), expected, "{html}");
        };
        check("a\n\n---\n\n[x]: https://x.example\n\nb\n", "a [x]: https://x.example b");
        check("- a\n\n[x]: https://x.example\n", "a [x]: https://x.example");
    }

    #[test]
    fn nothing_of_a_document_is_markup() {
        let text = "<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> [x](javascript:alert(1)) ![y](https://evil.example/p)\n\n```\n</pre><script>\n```\n";
        let html = document(text, &[], &[], true).into_string();
        assert!(!html.contains("<script") && !html.contains("<img") && !html.contains("href"), "{html}");
        assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{html}");
    }

    #[test]
    fn what_is_deep_is_flat() {
        let text = format!("{}x\n", "> ".repeat(3000));
        let html = document(&text, &[], &[], true).into_string();
        assert!(html.matches("<blockquote").count() < DEEPEST && html.contains('x'));
    }
}
