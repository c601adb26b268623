//! HTML to text: one pass over the tokens, no tree, so that time and memory are linear in the page whatever it nests.
//!
//! Everything visible is kept. Blocks that look like a page's furniture (navigation, footer, side columns, cookie
//! banners, lists of links) go behind the main content instead of away.
//!
//! The tokens are those of `html5gum`. Crates that give the text of a page (`trafilatura` 0.6, `dom_smoothie` 0.19) build its tree first, and
//! take 17 to 60 s for 20,000 nested `<div>`.

use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::{Emitter, ForwardingEmitter, Readable, Span, Tokenizer};

mod arrange;
mod parts;
mod resting;
mod unseen;

pub use self::parts::Html;
use self::parts::{ATTRIBUTES, Block, Columns, Definition, ELEMENTS, FURNITURE_ROLES, KeptElement, Tag, is_hidden};
use self::resting::Resting;
use self::unseen::HiddenElement;
use super::fold::count_words;
use super::plain::push_collapsed;

/// Elements kept on the stack. Deeper ones are counted, not kept: nobody nests so deep but to make parsers work.
const DEPTH_LIMIT: usize = 512;

/// Bytes of JSON-LD that are looked at.
const JSON_LD_LIMIT: usize = 256 << 10;

/// Bytes of markup that are kept to look for walls in. Their scripts stand near the top.
const MARKUP_REACH: usize = 64 << 10;

/// Kinds of fields into which something is written or given that is for the site: who fills them in has read the page.
const WRITTEN: [&str; 5] = ["email", "password", "tel", "file", "search"];

#[derive(Default)]
struct Reader {
    html: Html,
    /// The kept elements that are open, by their places.
    stack: Vec<usize>,
    overflow: usize,
    blocks: Vec<Block>,
    current: Block,
    in_link: bool,
    leads_away: bool,
    places: Vec<KeptElement>,
    tag: Tag,
    /// Whether the value that comes is of an attribute that is looked at.
    in_attribute: bool,
    in_tag: bool,
    /// Whether what the tag says is kept.
    is_marked: bool,
    raw: Option<Raw>,
    in_heading: bool,
    heading: String,
    in_pre: bool,
    /// Where raised text begins in the current block.
    raised: Option<usize>,
    /// Where the markup of the tag begins, and that of the form that is open.
    tag_at: usize,
    form_at: Option<usize>,
    /// Whether something is written into the form: a comment, a login, a subscription.
    is_written: bool,
    enough: Option<usize>,
    /// Words and bytes of the main part so far.
    words: usize,
    bytes: usize,
    /// Whether only what is seen is read, and what is not seen at the moment.
    is_seen_only: bool,
    unseen: Option<HiddenElement>,
    /// Where the row that is read is in its table.
    columns: Columns,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Raw {
    Title,
    JsonLd,
    Script,
    Noscript,
    Other,
}

/// An emitter that does not ask for parse errors: looking for them takes a sixth of the time, and every page has some.
struct Careless<F: Callback<(), ()>>(CallbackEmitter<F, (), ()>);

impl<F: Callback<(), ()>> ForwardingEmitter for Careless<F> {
    type Token = ();

    fn inner(&mut self) -> &mut impl Emitter<Token = ()> {
        &mut self.0
    }

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }
}

/// Bytes of a word at least, where only so many words are read: in scripts without spaces every character is one.
const WORD: usize = 6;

/// Reads a page; with `enough`, until its main part has so many words. With `seen_only` what a reader of the page sees, nothing hidden or struck
/// out: what may be quoted from it. Without it such text counts, because scripts may show it.
pub fn read(html: &str, enough: Option<usize>, seen_only: bool) -> Html {
    let mut reader = Reader { enough, is_seen_only: seen_only, ..Reader::default() };
    {
        let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| -> Option<()> {
            reader.event(&event);
            reader.html.cut.then_some(())
        });
        emitter.naively_switch_states(true);
        let mut tokens = Tokenizer::new_with_emitter(Resting { page: html.to_reader(), reads: 0 }, Careless(emitter));
        // The only things that come out are rests and the word to stop.
        while let Some(Err(_)) = tokens.next() {}
    }
    reader.finish()
}

impl Reader {
    fn event(&mut self, event: &CallbackEvent<'_>) {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.in_tag = true;
                self.in_attribute = false;
                self.tag.name.clear();
                self.tag.name.extend_from_slice(name);
                self.tag.attributes.clear();
                // `<meta>` says in words what the page is about.
                self.is_marked = *name != b"meta";
                self.tag_at = self.html.markup.len();
                self.mark(&[b"\n", name]);
            }
            CallbackEvent::AttributeName { name } if self.in_tag => {
                self.mark(&[b"\" ", name, b"=\""]);
                let known = ATTRIBUTES.get(*name).copied();
                self.in_attribute = known.is_some();
                self.tag.attributes.extend(known.map(|name| (name, Vec::new())));
            }
            CallbackEvent::AttributeValue { value } if self.in_tag => {
                self.mark(&[value]);
                if let Some((_, slot)) = self.tag.attributes.last_mut().filter(|_| self.in_attribute) {
                    slot.extend_from_slice(value);
                }
            }
            CallbackEvent::CloseStartTag { self_closing } => {
                self.in_tag = false;
                self.mark(&[b"\"\n"]);
                let tag = std::mem::take(&mut self.tag);
                self.open(&tag, *self_closing);
                self.tag = tag;
            }
            CallbackEvent::EndTag { name } => {
                self.in_tag = false;
                self.close(name);
            }
            CallbackEvent::String { value } => match std::str::from_utf8(value) {
                Ok(text) => self.text(text),
                Err(_) => self.text(&String::from_utf8_lossy(value)),
            },
            _ => {}
        }
    }

    /// Keeps what a tag or a script says.
    fn mark(&mut self, parts: &[&[u8]]) {
        let markup = &mut self.html.markup;
        if self.is_marked && markup.len() < MARKUP_REACH {
            parts.iter().for_each(|part| markup.push_str(&String::from_utf8_lossy(part)));
        }
    }

    fn open(&mut self, tag: &Tag, self_closing: bool) {
        let name = tag.name.as_slice();
        if self.is_seen_only {
            HiddenElement::open(&mut self.unseen, tag, self_closing, self.stack.len() + self.overflow);
        }
        let named = if name == b"a" { tag.owned("name") } else { None };
        self.html.ids.extend(tag.owned("id").into_iter().chain(named));
        match name {
            b"html" => self.html.language = tag.owned("lang").or_else(|| tag.owned("xml:lang")),
            b"meta" => self.meta(tag),
            b"link"
                if tag.text("rel").is_some_and(|rel| rel.eq_ignore_ascii_case("canonical"))
                    && self.html.canonical.is_none() =>
            {
                self.html.canonical = tag.owned("href");
            }
            b"time" => self.html.times.extend(tag.owned("datetime")),
            b"form" => {
                self.end_form();
                self.form_at = Some(self.tag_at);
            }
            b"textarea" => self.is_written = true,
            b"input" => {
                let kind = tag.text("type").unwrap_or_default().to_ascii_lowercase();
                self.html.has_password |= kind == "password";
                self.is_written |= WRITTEN.contains(&kind.as_str());
            }
            b"br" => self.line_break(),
            b"td" | b"th" => self.cell(tag),
            b"base" if self.html.base.is_none() => self.html.base = tag.owned("href"),
            b"a" => {
                self.in_link = tag.value("href").is_some();
                self.leads_away = self.in_link && !tag.text("href").is_none_or(|href| href.starts_with('#'));
            }
            b"sup" => self.raised = Some(self.current.text.len()),
            b"title" if self.is_within(|open| open.element.name == b"svg") => self.raw = Some(Raw::Other),
            b"title" => self.raw = Some(Raw::Title),
            b"script" => {
                self.html.has_script = true;
                let kind = tag.text("type").unwrap_or_default().to_ascii_lowercase();
                self.raw = Some(match kind.as_str() {
                    "application/ld+json" => Raw::JsonLd,
                    kind if kind.contains("json") => Raw::Other,
                    _ => Raw::Script,
                });
            }
            b"noscript" => self.raw = Some(Raw::Noscript),
            b"style" | b"iframe" | b"noembed" | b"noframe" | b"xmp" => self.raw = Some(Raw::Other),
            _ => {}
        }
        let known = ELEMENTS.get(name);
        if known.is_some_and(|known| known.block) {
            self.end_block();
        }
        match name {
            b"table" => self.columns = Columns::default(),
            b"tr" => {
                self.end_row();
                self.columns.begin_row(self.blocks.len());
            }
            b"dt" => self.current.definition = Definition::Term(0),
            b"dd" => self.current.definition = Definition::Detail,
            b"body" => self.pop_to(b"head"),
            b"pre" => self.in_pre = true,
            b"h1" => {
                self.in_heading = self.heading.is_empty();
                self.current.heading = true;
            }
            b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"caption" => self.current.heading = true,
            _ => {}
        }
        // What has no end tag of its own is not kept; it hides its own block.
        self.current.furniture |= known.is_some_and(|known| known.block && !known.kept) && is_hidden(tag);
        if self_closing && name == b"svg" {
            return;
        }
        if let Some(known) = known.filter(|known| known.kept) {
            if self.stack.len() >= DEPTH_LIMIT {
                self.overflow += 1;
                return;
            }
            let around = self.stack.last().copied();
            let is_page = matches!(name, b"body" | b"main" | b"article" | b"h1");
            let role = tag.text("role").unwrap_or_default().to_ascii_lowercase();
            let has_role = FURNITURE_ROLES.contains(&role.as_str());
            self.stack.push(self.places.len());
            self.places.push(KeptElement {
                element: known,
                around,
                // An element's attributes may say that it stands around the content, or that it is not shown at first.
                furniture: known.furniture || is_hidden(tag) || !is_page && has_role,
                content: matches!(name, b"main" | b"article") || tag.text("role").as_deref() == Some("main"),
            });
        }
    }

    fn close(&mut self, name: &[u8]) {
        // What is read raw holds no other end than its own.
        self.raw = None;
        match name {
            b"a" => self.in_link = false,
            b"sup" => self.lower(),
            b"pre" => self.in_pre = false,
            b"form" => self.end_form(),
            _ => {}
        }
        let known = ELEMENTS.get(name);
        if known.is_some_and(|known| known.block) {
            self.end_block();
        }
        match name {
            b"tr" | b"table" => self.end_row(),
            b"dt" | b"dd" | b"dl" => self.current.definition = Definition::None,
            b"h1" => self.in_heading = false,
            _ => {}
        }
        if known.is_some_and(|known| known.kept) {
            if self.overflow > 0 {
                self.overflow -= 1;
            } else {
                self.pop_to(name);
            }
        }
        HiddenElement::close(&mut self.unseen, name, self.stack.len() + self.overflow);
    }

    fn pop_to(&mut self, name: &[u8]) {
        if let Some(at) = self.stack.iter().rposition(|open| self.places[*open].element.name == name) {
            self.stack.truncate(at);
        }
    }

    /// Ends a form, of which a wall may be told where nothing is written into it.
    fn end_form(&mut self) {
        let is_written = std::mem::take(&mut self.is_written);
        if let Some(at) = self.form_at.take().filter(|_| !is_written) {
            self.html.forms.push_str(&self.html.markup[at..]);
        }
    }

    /// Whether an element of some kind is open.
    fn is_within(&self, is: impl Fn(&KeptElement) -> bool) -> bool {
        self.stack.iter().any(|open| is(&self.places[*open]))
    }

    fn text(&mut self, text: &str) {
        if let Some(raw) = self.raw {
            match raw {
                Raw::Title if self.html.title.is_none() => self.html.title = Some(text.to_owned()),
                Raw::JsonLd if text.len() <= JSON_LD_LIMIT => self.html.json_ld.push(text.to_owned()),
                Raw::Script => self.mark(&[text.as_bytes()]),
                Raw::Noscript if self.html.noscript.len() < 4096 => self.html.noscript.push_str(text),
                _ => {}
            }
            return;
        }
        if self.is_within(|open| open.element.silent) || self.unseen.is_some() {
            return;
        }
        if self.in_heading {
            push_collapsed(&mut self.heading, text);
        }
        let before = self.current.text.len();
        if self.in_pre {
            for (number, line) in text.split('\n').enumerate() {
                if number > 0 {
                    self.line_break();
                }
                push_collapsed(&mut self.current.text, line);
            }
        } else {
            push_collapsed(&mut self.current.text, text);
        }
        if self.in_link {
            let length = self.current.text.len().saturating_sub(before);
            self.current.linked += length;
            self.current.away += if self.leads_away { length } else { 0 };
        }
    }

    /// Ends raised text: figures over a ten are its power, and are written as such, for a reader sees *10²⁵* and not *1025*. A note that a
    /// link leads to is none, but behind another figure it stays raised: *2023¹* is no five figures.
    fn lower(&mut self) {
        let Some(at) = self.raised.take() else { return };
        let text = &mut self.current.text;
        let Some((base, raised)) = text.split_at_checked(at) else { return };
        let ten = base
            .strip_suffix("10")
            .is_some_and(|head| !head.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | ',')));
        // *m²*, and *Wh¹* with a note: neither is a word with a figure in it.
        let unit = base.ends_with(char::is_alphabetic) && raised.len() <= 2;
        let figures = raised.strip_prefix(['-', '−']).unwrap_or(raised);
        let power = (1..=3).contains(&figures.len()) && figures.bytes().all(|b| b.is_ascii_digit());
        let note = base.ends_with(|c: char| c.is_ascii_digit()) && !ten && raised.len() <= 2;
        // *101* with the mark of a note. *3ᵉ* is an ordinal.
        let letter = raised.len() == 1 && raised.contains(|c: char| matches!(c, 'a'..='d' | 'f'..='h' | '*'));
        if base.ends_with(|c: char| c.is_ascii_digit()) && letter {
            text.truncate(at);
            return;
        }
        if !(note || !self.in_link && (ten || unit)) || !power {
            return;
        }
        let small = |c: char| match c {
            '-' | '−' => Some('⁻'),
            c => "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(c.to_digit(10)? as usize),
        };
        let small: String = raised.chars().filter_map(small).collect();
        text.truncate(at);
        text.push_str(&small);
    }

    fn line_break(&mut self) {
        if !self.current.text.is_empty() && !self.current.text.ends_with('\n') {
            self.current.text.truncate(self.current.text.trim_end_matches(' ').len());
            self.current.text.push('\n');
        }
    }

    /// Begins a cell: a tab for each column that it is away from the cell before, so that what stands in one column of a table has as many tabs
    /// before it in each row.
    fn cell(&mut self, tag: &Tag) {
        self.in_link = false;
        let tabs = self.columns.begin_cell(tag.number("colspan"), tag.number("rowspan"));
        // Rows of which a part stands in lines of its own lay out a page, or their cells have paragraphs: that is told when the row ends.
        if self.current.text.is_empty() && self.columns.row.is_none_or(|row| self.blocks.len() > row) {
            self.columns.owed += tabs;
            return;
        }
        self.current.text.truncate(self.current.text.trim_end_matches(' ').len());
        self.current.text.extend(std::iter::repeat_n('\t', tabs));
    }

    fn end_block(&mut self) {
        let mut block = std::mem::take(&mut self.current);
        let kept = block.text.trim_end().len();
        // The cell that has begun is that of the next block.
        let begun = block.text[kept..].bytes().filter(|byte| *byte == b'\t').count();
        if kept == 0 {
            self.columns.owed += begun;
            self.current.definition = block.definition;
        } else {
            block.text.truncate(kept);
            block.columns = std::mem::replace(&mut self.columns.owed, begun);
            block.words = count_words(&block.text);
            block.furniture |= self.is_within(|open| open.furniture);
            block.content = self.is_within(|open| open.content);
            block.place = self.stack.last().copied();
            if let Some(enough) = self.enough.filter(|_| !block.furniture) {
                self.words += block.words;
                self.bytes += block.text.len();
                self.html.cut = self.words > enough && self.bytes > enough * WORD;
            }
            let term = self.blocks.last_mut().filter(|_| block.definition == Definition::Detail);
            if !term.is_some_and(|term| term.take(&block)) {
                self.blocks.push(block);
            }
        }
    }

    /// Ends a row: what its cells say in paragraphs or lines of their own becomes one line, unless they lay out a page.
    fn end_row(&mut self) {
        let Some(row) = self.columns.row.take() else { return };
        self.columns.owed = 0;
        let Some(cells) = self.blocks.get_mut(row..).filter(|cells| parts::are_cells(cells)) else { return };
        let Some((first, others)) = cells.split_first_mut() else { return };
        first.text.insert_str(0, &"\t".repeat(first.columns));
        for other in others {
            first.add(&if other.columns == 0 { " ".to_owned() } else { "\t".repeat(other.columns) }, other);
        }
        first.text = first.text.replace('\n', " ");
        first.place = self.stack.last().copied();
        self.blocks.truncate(row + 1);
    }

    fn meta(&mut self, tag: &Tag) {
        let Some(content) = tag.text("content") else { return };
        if tag.text("http-equiv").is_some_and(|name| name.eq_ignore_ascii_case("refresh")) {
            self.html.refresh = refresh_target(&content);
        }
        for key in ["name", "property", "itemprop", "http-equiv"] {
            if let Some(name) = tag.text(key) {
                self.html.metas.push((name.to_ascii_lowercase(), content.clone().into_owned()));
            }
        }
    }

    fn finish(mut self) -> Html {
        self.end_block();
        self.end_row();
        arrange::arrange(&self.blocks, &self.places, &mut self.html);
        self.end_form();
        self.html.markup.make_ascii_lowercase();
        self.html.forms.make_ascii_lowercase();
        self.html.heading = Some(self.heading.trim().to_owned()).filter(|heading| !heading.is_empty());
        self.html
    }
}

/// Seconds and target of a refresh, from `0; url=/there`: of the element, or of the header of that name. Without a target, `20`, the page
/// loads itself again: the target is empty.
pub fn refresh_target(content: &str) -> Option<(u32, String)> {
    let (delay, rest) = content.split_once([';', ',']).unwrap_or((content, ""));
    let delay: f64 = delay.trim().parse().ok()?;
    let seconds = delay.clamp(0.0, 1e6) as u32;
    if rest.trim().is_empty() {
        return Some((seconds, String::new()));
    }
    let (name, target) = rest.split_once('=')?;
    let target = target.trim().trim_matches(['"', '\'']);
    (name.trim().eq_ignore_ascii_case("url") && !target.is_empty()).then(|| (seconds, target.to_owned()))
}
