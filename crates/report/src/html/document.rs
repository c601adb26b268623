//! The document as it was and as it is, in one text: what goes struck, what comes marked, every claim underlined by its verdict.
//!
//! The draft is walked along the events of its parser. Each stretch of text is cut where an edit or a claim begins or ends; what an edit writes
//! stands where the edit ends. Lines that come stand in the list or table that they come into, as entries of it; other blocks that an edit
//! writes follow the block that it stands in. The page then shows one text or the other by hiding what is struck or what is marked.
//!
//! Nothing of the document becomes markup here: links and images are shown with their words and lead nowhere, HTML is shown as text.

use maud::{Escaper, Markup, PreEscaped};
use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};
use std::fmt::Write as _;
use std::ops::Range;

use super::parts::{is_rtl, shown};
use crate::refine::{Change, refined};
use cited_core::decide::{Because, Edit};
use cited_core::markdown::parser_options;
use cited_text::Span;

/// Blocks that stand deeper in others are shown as if they stood here: no reader tells them apart, and no browser likes them.
const DEEPEST: usize = 24;

/// The attribute of what runs from right to left.
const RTL: &str = " dir=\"rtl\"";

/// A claim in the document.
pub(super) struct Place<'a> {
    /// Its bytes in the draft.
    pub(super) span: Span,
    /// Its name in the record and on the page: `c17`.
    pub(super) id: &'a str,
    /// The class of its verdict.
    pub(super) class: &'static str,
    /// The sign behind it, where a reader should look; empty where all is well.
    pub(super) sign: &'static str,
    /// Its verdict in words.
    pub(super) words: String,
    /// Whether its words leave the document, and its sign with them.
    pub(super) goes: bool,
    /// Whether a reader is led to what is known of it; else the page only knows where it stands.
    pub(super) leads: bool,
}

/// The document: `draft` with `edits` on it, and `claims` in order of place.
pub(super) fn document(draft: &str, edits: &[Edit], claims: &[Place<'_>]) -> Markup {
    PreEscaped(walk(draft, &refined(draft, edits), claims, Shape::Rows))
}

/// The words of the first heading of the first level, or of the heading or the bold line that the draft begins with.
pub(super) fn title(draft: &str) -> Option<String> {
    let begins_bold = draft.trim_start().lines().next().is_some_and(|line| line.trim_end().ends_with("**"));
    let mut title: Option<String> = None;
    for (i, event) in Parser::new_ext(draft, parser_options()).enumerate() {
        match (event, &mut title) {
            (Event::Start(Tag::Heading { level, .. }), None) if level == HeadingLevel::H1 || i == 0 => {
                title = Some(String::new());
            }
            (Event::Start(Tag::Strong), None) if i == 1 && begins_bold => title = Some(String::new()),
            (Event::Text(words) | Event::Code(words), Some(title)) => title.push_str(&words),
            (Event::SoftBreak, Some(title)) => title.push(' '),
            (Event::End(TagEnd::Heading(_) | TagEnd::Paragraph), Some(_)) => break,
            _ => {}
        }
    }
    title.filter(|title| !title.trim().is_empty())
}

/// What stands round the blocks of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Each block that stands in no other gets an element of its own.
    Rows,
    /// The blocks stand one after the other with nothing round them.
    Blocks,
    /// All of it comes, and of lists only the entries are there, of tables only the rows.
    Entries,
}

fn walk(draft: &str, edits: &[Change<'_>], claims: &[Place<'_>], shape: Shape) -> String {
    let mut walker = Walker {
        text: draft,
        edits,
        shape,
        written: 0,
        claims,
        frames: Vec::new(),
        deeper: 0,
        out: String::with_capacity(draft.len() * 3),
        blocks: Vec::new(),
        open: None,
        signed: None,
        number: None,
        columns: 0,
        in_head: false,
        above: Vec::new(),
    };
    walker.walk();
    walker.out
}

/// Whether the lines of a paragraph begin with labels, as those of a source list do, which may stand right below its heading.
fn is_of_entries(paragraph: &str) -> bool {
    let labelled = |line: &str| line.trim_start().starts_with('[');
    let mut lines = paragraph.trim_end().lines();
    let first = lines.next().is_some_and(labelled);
    let rest = lines.clone().count();
    rest + usize::from(first) > 1 && lines.all(labelled)
}

/// An element that is open.
struct Frame {
    tag: &'static str,
    attributes: &'static str,
    content: String,
    /// Whether something in it stays, goes, comes.
    stays: bool,
    goes: bool,
    comes: bool,
}

impl Frame {
    fn new(tag: &'static str, attributes: &'static str) -> Frame {
        Frame { tag, attributes, content: String::new(), stays: false, goes: false, comes: false }
    }

    /// What becomes of the whole of it.
    fn class(&self) -> &'static str {
        match (self.stays, self.goes, self.comes) {
            (false, true, false) => "gone",
            (false, false, true) => "new",
            _ => "",
        }
    }
}

/// What is open inside a block: a claim, and in it what stays, goes or comes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Open {
    claim: Option<usize>,
    fate: Fate,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Stays,
    Goes,
    Comes,
    /// The number of a citation or an entry that gets another one: no change to a reader.
    OldNumber,
    NewNumber,
}

impl Fate {
    /// The element round it: what opens it and what closes it.
    fn element(self) -> Option<(&'static str, &'static str)> {
        match self {
            Fate::Stays => None,
            Fate::Goes => Some(("<del>", "</del>")),
            Fate::Comes => Some(("<ins>", "</ins>")),
            Fate::OldNumber => Some(("<del class=\"re\">", "</del>")),
            Fate::NewNumber => Some(("<ins class=\"re\">", "</ins>")),
        }
    }
}

struct Walker<'a> {
    text: &'a str,
    /// In order of place.
    edits: &'a [Change<'a>],
    shape: Shape,
    /// How many of them are written already.
    written: usize,
    claims: &'a [Place<'a>],
    frames: Vec<Frame>,
    /// How many elements are open that are too deep to be shown as such.
    deeper: usize,
    out: String,
    /// What edits write in lines of their own, for after the entry or block.
    blocks: Vec<&'a str>,
    open: Option<Open>,
    /// The claim whose words are over and whose sign is still to come.
    signed: Option<usize>,
    /// The number of an entry, which stands before its first words.
    number: Option<Range<usize>>,
    /// Those of the table.
    columns: usize,
    in_head: bool,
    /// The levels of the headings that the next one stands below.
    above: Vec<HeadingLevel>,
}

impl<'a> Walker<'a> {
    fn walk(&mut self) {
        let mut depth = 0usize;
        // Where the last block ended that stands in no other.
        let mut over = 0;
        for (event, range) in Parser::new_ext(self.text, parser_options()).into_offset_iter() {
            if depth == 0 {
                self.between(over, range.start);
                over = range.end;
            }
            match event {
                Event::Start(tag) => {
                    if depth == 0 {
                        self.write_until(range.start);
                        self.flush_blocks();
                        self.frames.push(Frame::new("div", ""));
                    }
                    depth += 1;
                    self.start(&tag, range);
                }
                Event::End(tag) => {
                    let content = range.start + self.text.get(range.clone()).unwrap_or_default().trim_end().len();
                    if !matches!(
                        tag,
                        TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image
                    ) {
                        self.write_until(content);
                    }
                    self.end(tag);
                    depth -= 1;
                    if depth == 0 {
                        self.close_row();
                        self.flush_blocks();
                    }
                }
                Event::Text(words) => self.words(&words, range),
                Event::Code(words) => self.code(&words, range),
                Event::Html(words) | Event::InlineHtml(words) => {
                    // A block of HTML has no frame of its own where it stands alone.
                    self.within(depth, |walker| walker.words(&words, range.clone()));
                }
                Event::InlineMath(words) | Event::DisplayMath(words) => self.words(&words, range),
                Event::FootnoteReference(_) => {
                    let written = self.text.get(range.clone()).unwrap_or_default().to_owned();
                    self.words(&written, range);
                }
                Event::SoftBreak => self.words("\n", range),
                Event::HardBreak => {
                    self.write_until(range.start);
                    match self.fate_at(range.start) {
                        Fate::Stays => self.tag("<br>"),
                        // The line goes or comes with its end.
                        fate => {
                            self.switch(Some(Open { claim: self.claim_at(range.start), fate }));
                            self.push("<br>");
                        }
                    }
                }
                Event::TaskListMarker(done) => self.words(if done { "☑ " } else { "☐ " }, range),
                Event::Rule => self.within(depth, |walker| walker.tag("<hr>")),
            }
        }
        self.between(over, self.text.len());
        self.write_until(self.text.len());
        self.flush_blocks();
    }

    /// What no block has: definitions of links, as they are written.
    fn between(&mut self, from: usize, to: usize) {
        let text = self.text.get(from..to).unwrap_or_default();
        if shown(text).trim().is_empty() {
            return;
        }
        let mut at = from;
        for line in text.split_inclusive('\n') {
            let words = line.trim();
            let start = at + (line.len() - line.trim_start().len());
            at += line.len();
            if words.is_empty() {
                continue;
            }
            self.write_until(start);
            self.flush_blocks();
            self.frames.push(Frame::new("div", ""));
            self.frames.push(Frame::new("p", " class=\"note\" dir=\"auto\""));
            self.words(words, start..start + words.len());
            self.write_until(start + words.len());
            self.end(TagEnd::Paragraph);
            self.close_row();
            self.flush_blocks();
        }
    }

    /// Does something in a row of its own when nothing is open.
    fn within(&mut self, depth: usize, act: impl FnOnce(&mut Self)) {
        let alone = depth == 0;
        if alone {
            self.flush_blocks();
            self.frames.push(Frame::new("div", ""));
        }
        act(self);
        if alone {
            self.close_row();
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        let begins = range.start;
        let (name, attributes) = match tag {
            // The direction of a list or quotation is one: that of its words.
            Tag::Paragraph if self.frames.iter().any(|frame| matches!(frame.tag, "ul" | "ol" | "blockquote")) => {
                ("p", "")
            }
            // A source list without a form of Markdown: its entries stand in lines.
            Tag::Paragraph if is_of_entries(self.text.get(range.clone()).unwrap_or_default()) => {
                ("p", " class=\"lines\" dir=\"auto\"")
            }
            Tag::Paragraph => ("p", " dir=\"auto\""),
            Tag::Heading { level, .. } => {
                // The page has headings of its own above these; and none is more than one level below the one above it.
                self.above.retain(|above| above < level);
                self.above.push(*level);
                let attributes = match *level as usize {
                    1 => " class=\"h1\" dir=\"auto\"",
                    2 => " class=\"h2\" dir=\"auto\"",
                    3 => " class=\"h3\" dir=\"auto\"",
                    _ => " class=\"h4\" dir=\"auto\"",
                };
                (["h3", "h4", "h5", "h6"][self.above.len().min(4) - 1], attributes)
            }
            Tag::BlockQuote(_) => ("blockquote", " dir=\"auto\""),
            Tag::CodeBlock(_) | Tag::MetadataBlock(_) => ("pre", " tabindex=\"0\""),
            Tag::HtmlBlock => ("pre", " class=\"raw\" tabindex=\"0\""),
            Tag::List(Some(_)) => ("ol", " dir=\"auto\""),
            Tag::List(None) => ("ul", " dir=\"auto\""),
            Tag::Item => ("li", ""),
            Tag::FootnoteDefinition(_) => ("div", " class=\"note\""),
            Tag::DefinitionList => ("dl", ""),
            Tag::DefinitionListTitle => ("dt", ""),
            Tag::DefinitionListDefinition => ("dd", ""),
            // Its columns run as its words do; each cell has a direction of its own, from which no browser could tell.
            Tag::Table(_) if is_rtl(self.text.get(range).unwrap_or_default()) => ("table", RTL),
            Tag::Table(_) => ("table", ""),
            Tag::TableHead => {
                self.in_head = true;
                ("tr", " class=\"th\"")
            }
            Tag::TableRow => ("tr", ""),
            Tag::TableCell if self.in_head => ("th", " dir=\"auto\" scope=\"col\""),
            Tag::TableCell => ("td", " dir=\"auto\""),
            Tag::Emphasis => return self.tag("<em>"),
            Tag::Strong => return self.tag("<strong>"),
            Tag::Strikethrough => return self.tag("<s>"),
            Tag::Superscript => return self.tag("<sup>"),
            Tag::Subscript => return self.tag("<sub>"),
            Tag::Link { .. } => return self.tag("<span class=\"link\">"),
            Tag::Image { .. } => return self.tag("<span class=\"image\">"),
        };
        if matches!(tag, Tag::Item | Tag::TableRow) {
            self.write_until(begins);
            self.flush_entries();
        }
        if !matches!(tag, Tag::Paragraph) {
            self.write_number();
        }
        self.close_words();
        if self.frames.len() >= DEEPEST {
            self.deeper += 1;
        } else {
            self.frames.push(Frame::new(name, attributes));
        }
        match tag {
            Tag::Item => self.number = self.number_at(begins),
            Tag::FootnoteDefinition(label) => self.number = Some(begins..begins + "[^]:".len() + label.len()),
            Tag::Table(columns) => self.columns = columns.len(),
            _ => {}
        }
    }

    /// The number that an entry of a list begins with: of several that follow each other, a browser could not show that one changed.
    fn number_at(&self, at: usize) -> Option<Range<usize>> {
        let written = self.text.get(at..)?;
        let digits = written.bytes().take_while(u8::is_ascii_digit).count();
        let closed = written.get(digits..)?.starts_with(['.', ')']);
        (digits > 0 && closed).then(|| at..at + digits + 1)
    }

    /// Writes the number of the entry that was begun, once what stands round its words is open.
    fn write_number(&mut self) {
        let Some(range) = self.number.take() else { return };
        let Some(words) = self.text.get(range.clone()) else { return };
        self.close_words();
        self.push("<span class=\"nr\">");
        self.words(words, range.clone());
        self.write_until(range.end);
        self.close_words();
        self.push("</span> ");
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Emphasis => return self.tag("</em>"),
            TagEnd::Strong => return self.tag("</strong>"),
            TagEnd::Strikethrough => return self.tag("</s>"),
            TagEnd::Superscript => return self.tag("</sup>"),
            TagEnd::Subscript => return self.tag("</sub>"),
            TagEnd::Link | TagEnd::Image => return self.tag("</span>"),
            TagEnd::TableHead => self.in_head = false,
            _ => {}
        }
        self.write_number();
        self.close_words();
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        let Some(frame) = self.frames.pop() else { return };
        let class = frame.class();
        let Some(parent) = self.frames.last_mut() else { return };
        let (stays, goes, comes) = (frame.stays, frame.goes, frame.comes);
        parent.stays |= stays || frame.tag == "pre" && !goes;
        parent.goes |= goes;
        parent.comes |= comes;
        let Frame { tag, attributes, content, .. } = frame;
        if self.shape == Shape::Entries && self.frames.len() == 1 && matches!(tag, "ol" | "ul" | "table") {
            self.push(&content);
            return;
        }
        if self.shape == Shape::Entries && attributes.contains("th") {
            return;
        }
        let Some(parent) = self.frames.last_mut() else { return };
        let into = &mut parent.content;
        if tag == "table" {
            // What a narrow table leaves free is at the end of its lines, too.
            let _ = write!(into, "<div class=\"wide\"{attributes} tabindex=\"0\" role=\"group\" aria-label=\"Table\">");
        }
        let attributes = if class.is_empty() || attributes.contains("class=") {
            attributes.to_owned()
        } else {
            format!("{attributes} class=\"{class}\"")
        };
        let _ = write!(into, "<{tag}{attributes}>{content}</{tag}>");
        if tag == "table" {
            into.push_str("</div>");
        }
        if matches!(tag, "li" | "tr") {
            self.flush_entries();
        }
    }

    /// Closes the row of a block that stands in no other.
    fn close_row(&mut self) {
        self.close_words();
        let Some(row) = self.frames.pop() else { return };
        if self.shape != Shape::Rows {
            self.out.push_str(&row.content);
            return;
        }
        let changed = if row.goes || row.comes { " ch" } else { "" };
        let class = row.class();
        let space = if class.is_empty() { "" } else { " " };
        let _ = write!(
            self.out,
            "<div class=\"row{changed}{space}{class}\"><div class=\"cell\">{}</div></div>",
            row.content
        );
    }

    /// What edits wrote in lines of their own, as rows.
    fn flush_blocks(&mut self) {
        for block in std::mem::take(&mut self.blocks) {
            let inner = walk(block, &[], &[], Shape::Blocks);
            let side = if is_rtl(block) { RTL } else { "" };
            let _ =
                write!(self.out, "<div class=\"row ch new\"><div class=\"cell\"><ins{side}>{inner}</ins></div></div>");
        }
    }

    /// What edits wrote in lines of their own, as entries of the list or rows of the table that is open. What is no entry waits for the end
    /// of the block, with all that follows it.
    fn flush_entries(&mut self) {
        let Some(within) = self.frames.last().map(|frame| frame.tag) else { return };
        let fits = |block: &&str| match within {
            "ol" | "ul" => matches!(Parser::new_ext(block, parser_options()).next(), Some(Event::Start(Tag::List(_)))),
            "table" => block.trim_start().starts_with('|'),
            _ => false,
        };
        let many = self.blocks.iter().take_while(|block| fits(block)).count();
        for block in self.blocks.drain(..many).collect::<Vec<_>>() {
            let entries = if within == "table" {
                // A row is one below a head only.
                let head = ["|".repeat(self.columns + 1), "|-".repeat(self.columns) + "|"].join("\n");
                walk(&format!("{head}\n{block}"), &[], &[], Shape::Entries)
            } else {
                walk(block, &[], &[], Shape::Entries)
            };
            self.push(&entries);
            if let Some(frame) = self.frames.last_mut() {
                frame.comes = true;
            }
        }
    }

    /// Writes what the edits that end at or before `at` put there.
    fn write_until(&mut self, at: usize) {
        let edits = self.edits;
        while let Some(edit) = edits.get(self.written).filter(|edit| edit.span.end <= at) {
            self.written += 1;
            let replacement = &*edit.words;
            if replacement.trim().is_empty() {
                continue;
            }
            if edit.lines {
                self.lines(replacement, edit.span.start);
                continue;
            }
            if replacement.trim_end().contains('\n') || self.frames.len() < 2 || self.is_of_lines(edit) {
                self.blocks.push(replacement);
                continue;
            }
            let claim = self.claim_at(edit.span.start.min(edit.span.end.saturating_sub(1)));
            let words = if edit.because == Because::LinkInlined { replacement } else { replacement.trim_matches('\n') };
            let fate = if edit.renumbers(self.text) { Fate::NewNumber } else { Fate::Comes };
            self.put(words, Open { claim, fate });
        }
    }

    /// Lines that come: more of the paragraph that they come into, else block by block.
    fn lines(&mut self, lines: &'a str, at: usize) {
        let mut depth = 0usize;
        let mut blocks: Vec<Range<usize>> = Vec::new();
        let mut running = false;
        for (event, range) in Parser::new_ext(lines, parser_options()).into_offset_iter() {
            match event {
                Event::Start(tag) => {
                    if depth == 0 {
                        running = matches!(tag, Tag::Paragraph);
                        blocks.push(range);
                    }
                    depth += 1;
                }
                Event::End(_) => depth -= 1,
                _ if depth == 0 => blocks.push(range),
                _ => {}
            }
        }
        let within = self.frames.last().map_or("", |frame| frame.tag);
        if running && blocks.len() == 1 && within == "p" {
            let claim = self.claim_at(at);
            // The line before may have no end of its own; then these stand at the end.
            let before = self.text.get(..at).unwrap_or_default();
            let words = if before.ends_with('\n') { lines.to_owned() } else { format!("\n{}", lines.trim_end()) };
            self.put(&words, Open { claim, fate: Fate::Comes });
            return;
        }
        // What no block has, a definition, stands with the block before it.
        let starts: Vec<usize> = blocks.iter().skip(1).map(|block| block.start).chain([lines.len()]).collect();
        let mut from = 0;
        for to in starts {
            self.blocks.push(lines.get(from..to).unwrap_or_default());
            from = to;
        }
    }

    /// Whether an edit writes whole lines in the place of others: a list of sources, a report.
    fn is_of_lines(&self, edit: &Change<'_>) -> bool {
        let (before, after) = (edit.span.before(self.text), edit.span.after(self.text));
        let whole = |text: &str, end: bool| {
            text.is_empty() || if end { text.ends_with('\n') } else { text.starts_with(['\n', '\r']) }
        };
        matches!(edit.because, Because::SourcesWritten | Because::ReportWritten)
            && whole(before, true)
            && (whole(after, false) || edit.span.of(self.text).ends_with('\n'))
    }

    /// The claim that a byte of the draft belongs to.
    fn claim_at(&self, at: usize) -> Option<usize> {
        /// Claims that stand in others are few; so many are looked at.
        const BACK: usize = 4;
        let after = self.claims.partition_point(|claim| claim.span.start <= at);
        (after.saturating_sub(BACK)..after).rev().find(|i| self.claims[*i].span.end > at)
    }

    /// The edit that takes a byte of the draft away.
    fn edit_at(&self, at: usize) -> Option<&Change<'_>> {
        let edit = self.edits[self.written..].iter().find(|edit| edit.span.end > at)?;
        (edit.span.start <= at).then_some(edit)
    }

    /// Words of the draft.
    fn words(&mut self, words: &str, range: Range<usize>) {
        self.write_number();
        let verbatim = self.text.get(range.clone()) == Some(words);
        if !verbatim {
            // An entity, an escape, a break: one piece.
            self.piece(words, range.start, range.end);
            return;
        }
        let mut at = range.start;
        while at < range.end {
            self.write_until(at);
            let edit = self
                .edits
                .get(self.written)
                .map(|edit| if edit.span.start > at { edit.span.start } else { edit.span.end });
            let claim = self.claim_at(at).map(|i| self.claims[i].span.end);
            let next = self.claims.partition_point(|claim| claim.span.start <= at);
            let next = self.claims.get(next).map(|claim| claim.span.start);
            let end = self.text.ceil_char_boundary(
                [edit, claim, next].into_iter().flatten().filter(|end| *end > at).fold(range.end, usize::min),
            );
            let piece = self.text.get(at..end).unwrap_or_default();
            self.piece(piece, at, end);
            at = end;
        }
    }

    fn fate_at(&self, at: usize) -> Fate {
        match self.shape {
            Shape::Entries => Fate::Comes,
            _ => match self.edit_at(at) {
                Some(edit) if edit.renumbers(self.text) => Fate::OldNumber,
                Some(_) => Fate::Goes,
                None => Fate::Stays,
            },
        }
    }

    fn piece(&mut self, words: &str, start: usize, end: usize) {
        self.within_claim(start, end, |walker, open| walker.put(words, open));
    }

    /// Writes what stands at some bytes of the draft; the sign of a claim that ends with it comes next.
    fn within_claim(&mut self, start: usize, end: usize, write: impl FnOnce(&mut Self, Open)) {
        self.write_until(start);
        let (fate, claim) = (self.fate_at(start), self.claim_at(start));
        write(self, Open { claim, fate });
        if let Some(i) = claim.filter(|i| self.claims[*i].span.end <= end) {
            self.signed = Some(i);
        }
    }

    fn code(&mut self, words: &str, range: Range<usize>) {
        self.write_number();
        self.within_claim(range.start, range.end, |walker, open| {
            walker.sign(open.claim);
            walker.switch(Some(open));
            walker.push("<code>");
            walker.escape(words);
            walker.push("</code>");
            walker.note(open.fate, words);
        });
    }

    /// Writes words with the elements round them that say what they are.
    fn put(&mut self, words: &str, open: Open) {
        self.sign(open.claim);
        self.switch(Some(open));
        self.escape(words);
        self.note(open.fate, words);
    }

    /// Keeps in mind what the block has.
    fn note(&mut self, fate: Fate, words: &str) {
        let Some(frame) = self.frames.last_mut().filter(|_| !words.trim().is_empty()) else { return };
        match fate {
            Fate::Stays | Fate::OldNumber | Fate::NewNumber => frame.stays = true,
            Fate::Goes => frame.goes = true,
            Fate::Comes => frame.comes = true,
        }
    }

    /// The sign behind a claim at which a reader should look, once something else than the claim follows. It goes with the claim.
    fn sign(&mut self, next: Option<usize>) {
        let Some(i) = self.signed.filter(|i| next != Some(*i)) else { return };
        self.signed = None;
        let Place { sign, goes, .. } = self.claims[i];
        let fate = if goes { Fate::Goes } else { Fate::Stays };
        if !sign.is_empty() {
            self.switch(Some(Open { claim: Some(i), fate }));
            self.push("<i>");
            self.push(sign);
            self.push("</i>");
        }
    }

    /// Closes what is open and opens what is wanted.
    fn switch(&mut self, to: Option<Open>) {
        if self.open == to {
            return;
        }
        let from = self.open;
        if let Some((_, end)) = from.and_then(|open| open.fate.element()) {
            self.push(end);
        }
        let (before, after) = (from.and_then(|open| open.claim), to.and_then(|open| open.claim));
        if before != after {
            if let Some(i) = before {
                self.push(if self.claims[i].leads { "</a>" } else { "</span>" });
            }
            if let Some(i) = after {
                self.open_claim(i);
            }
        }
        if let Some((start, _)) = to.and_then(|open| open.fate.element()) {
            self.push(start);
        }
        self.open = to;
    }

    fn open_claim(&mut self, i: usize) {
        let Place { id, class, words, goes, leads, .. } = &self.claims[i];
        let (id, words) = (shown(id), words.clone());
        let mut out = String::new();
        let (element, name) = if *leads { ("a", "href=\"#") } else { ("span", "data-c=\"") };
        let _ = write!(out, "<{element} class=\"c {class}{}\" {name}", if *goes { " gone" } else { "" });
        let _ = Escaper::new(&mut out).write_str(&id);
        if !words.is_empty() {
            let _ = write!(out, "\" title=\"");
            let _ = Escaper::new(&mut out).write_str(&words);
        }
        let _ = write!(out, "\">");
        self.push(&out);
    }

    fn close_words(&mut self) {
        self.sign(None);
        self.switch(None);
    }

    /// A tag inside a block: what is open is closed round it.
    fn tag(&mut self, tag: &'static str) {
        self.write_number();
        self.switch(None);
        self.push(tag);
    }

    fn escape(&mut self, words: &str) {
        let words = shown(words);
        // Writing to a string cannot fail.
        let _ = Escaper::new(self.content()).write_str(&words);
    }

    fn push(&mut self, markup: &str) {
        self.content().push_str(markup);
    }

    fn content(&mut self) -> &mut String {
        match self.frames.last_mut() {
            Some(frame) => &mut frame.content,
            None => &mut self.out,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cited_core::decide::apply;

    fn edit(text: &str, from: &str, to: &str) -> Edit {
        let start = text.find(from).expect("the words are in the text");
        Edit::new(Span::new(start, start + from.len()), to, Because::Renumbered)
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
        let html = document(draft, &edits, &[]).into_string();
        let plain = |text: &str| read(&document(text, &[], &[]).into_string(), "none");
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
        let edits = [Edit::new(span, new, Because::SourcesWritten)];
        let html = document(&draft, &edits, &[]).into_string();
        let after = apply(&draft, &edits).expect("edits fit");
        let plain = |text: &str| read(&document(text, &[], &[]).into_string(), "none");
        assert_eq!(read(&html, "ins"), plain(&draft), "{html}");
        assert_eq!(read(&html, "del"), plain(&after), "{html}");
        html.rsplit_once("<div class=\"row").map(|(_, row)| row.to_owned()).unwrap_or_default()
    }

    #[test]
    fn a_source_list_is_shown_entry_by_entry() {
        let html = relisted(
            "1. Gone — https://g.example\n2. Alpha report — https://a.example\n3. Beta — https://b.example",
            "1. Alpha report — https://a.example\n2. Beta study — https://b.example\n3. New one — https://n.example",
        );
        let entries = [
            "<li class=\"gone\"><span class=\"nr\"><del>1.</del></span> <del>Gone — https://g.example</del></li>",
            "<li><span class=\"nr\"><del class=\"re\">2.</del><ins class=\"re\">1.</ins></span> Alpha report — https://a.example</li>",
            "<li><span class=\"nr\"><del class=\"re\">3.</del><ins class=\"re\">2.</ins></span> Beta <ins>study </ins>— https://b.example</li>",
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
            "[1] Alpha report on stations  \n[2] Beta  \n[3] Gamma",
            "[1] Alpha report on stations (dead)  \n[2] Gamma",
        );
        assert!(html.contains("[1] Alpha report on stations<ins> (dead)</ins><br>"), "{html}");
        assert!(
            html.contains("<br><del>[2] Beta<br></del><del class=\"re\">[3]</del><ins class=\"re\">[2]</ins> Gamma"),
            "{html}"
        );
        let html = relisted("[^1]: Alpha report\n[^2]: Beta study", "[^1]: Beta study\n[^2]: Gamma");
        assert!(
            html.contains(
                "<ins><div class=\"note\"><p dir=\"auto\"><span class=\"nr\">[^2]:</span> Gamma</p></div></ins>"
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
        assert!(
            html.contains("<td dir=\"auto\"><del>2</del><ins>1</ins></td><td dir=\"auto\">Beta study</td>"),
            "{html}"
        );
        assert!(html.contains("<tr class=\"new\"><td dir=\"auto\" class=\"new\"><ins>2</ins></td>"), "{html}");
        relisted("[1]: https://a.example \"Alpha\"", "[1]: https://b.example \"Alpha\"");
    }

    #[test]
    fn a_block_that_goes_whole_is_told_from_one_that_changes() {
        let html = check("- one\n- two\n\nkept words\n", &[("- two\n", "")]);
        assert!(html.contains("<li class=\"gone\"><del>two</del></li>"), "{html}");
        assert!(html.contains("<div class=\"row ch\"><div class=\"cell\"><ul dir=\"auto\">"), "{html}");
        assert!(html.contains("<div class=\"row\"><div class=\"cell\"><p"), "{html}");
    }

    #[test]
    fn a_claim_is_one_link_whatever_changes_in_it() {
        let text = "Beta runs 640 stations [3]. More.\n";
        let place = Place {
            span: Span::new(0, 27),
            id: "c1",
            class: "s",
            sign: "≈",
            words: "weak \"x\"".into(),
            goes: false,
            leads: true,
        };
        let html = document(text, &[edit(text, "[3]", "[1]")], &[place]).into_string();
        let expected = "<a class=\"c s\" href=\"#c1\" title=\"weak &quot;x&quot;\">Beta runs 640 stations <del class=\"re\">[3]</del><ins class=\"re\">[1]</ins>.<i>≈</i></a> More.";
        assert!(html.contains(expected), "{html}");
    }

    #[test]
    fn definitions_are_shown_and_rules_are_no_words() {
        let html = document("a\n\n---\n\n[x]: https://x.example\n\nb\n", &[], &[]).into_string();
        assert_eq!(read(&html, "none"), "a [x]: https://x.example b", "{html}");
    }

    #[test]
    fn nothing_of_a_document_is_markup() {
        let text = "<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> [x](javascript:alert(1)) ![y](https://evil.example/p)\n\n```\n</pre><script>\n```\n";
        let html = document(text, &[], &[]).into_string();
        assert!(!html.contains("<script") && !html.contains("<img") && !html.contains("href"), "{html}");
        assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{html}");
    }

    #[test]
    fn what_is_deep_is_flat() {
        let text = format!("{}x\n", "> ".repeat(3000));
        let html = document(&text, &[], &[]).into_string();
        assert!(html.matches("<blockquote").count() < DEEPEST && html.contains('x'));
    }
}
