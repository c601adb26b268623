//! A document as a page: its links, in Markdown and in HTML, and the places that a link may lead to, in one reading.
//!
//! A mark of a template stands for what is made elsewhere: the link or heading that it is part of is open, and nothing else.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use pulldown_cmark::{BrokenLink, Event, LinkType, Options, Parser, Tag, TagEnd};
use regex::{Captures, Regex};

use super::slugs::{OPEN, Rule};
use crate::citation::each_once;
use crate::markdown;
use crate::markdown::tags::tags;
use crate::pattern::Pattern;
use cited_text::{Span, lines};

/// How a document is read: as its generator does.
#[derive(Debug, Clone, Default)]
pub struct Dialect {
    /// How headings are named; a name by any of them counts.
    pub rules: Vec<&'static Rule>,
    /// Whether anchors are found in any case of letters, as GitHub finds them.
    pub any_case: bool,
    /// Whether blocks begin with a mark and are indented (`!!! note`, `=== "Tab"`), as Python-Markdown's extensions have them.
    pub blocks: bool,
    /// What goes before the name of an included file; `import` for the modules of MDX.
    pub includes: Vec<&'static str>,
    /// Whether comments are what something else makes of them.
    pub comments: bool,
}

/// A link, as it is written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    /// Where it stands.
    pub span: Span,
    /// Where it leads, entities resolved.
    pub address: String,
    /// What it is.
    pub kind: Kind,
}

/// What a link is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A link of Markdown.
    Link,
    /// An image or another file that a page shows, of Markdown.
    Image,
    /// An attribute of HTML that is a link.
    Html,
    /// An attribute of HTML that is shown.
    HtmlImage,
    /// A reference (`[text][label]`) that nothing defines; the address is the label.
    Undefined,
}

/// The part of a document that is its front matter, between lines of `---` or `+++`.
pub fn front_matter(text: &str) -> &str {
    FRONT.captures(text).and_then(|found| found.iter().skip(1).flatten().last()).map_or("", |matter| matter.as_str())
}

/// What is known of an anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// It is there.
    There,
    /// A heading that is made elsewhere may have this name.
    Open,
    /// It is not there.
    Missing,
}

/// The places of a document that a link may lead to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Anchors {
    names: HashSet<String>,
    /// Names of which parts are made elsewhere, and filled.
    open: Vec<String>,
    /// The letters and digits of headings that are wholly made elsewhere.
    made: Vec<String>,
    any_case: bool,
}

/// A document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// Its links, in order of place.
    pub links: Vec<Link>,
    /// Its anchors.
    pub anchors: Anchors,
    /// The files that it includes, as they are named.
    pub includes: Vec<String>,
}

// A value that goes on over paragraphs is no mark but two that have nothing to do with each other.
static MARKS: Pattern = Pattern::new(
    r"(?s)\{%-?\s*(?:highlight|comment)\b.*?\{%-?\s*end(?:highlight|comment)\s*-?%\}|\{\{(?:\n?[^\n])*?\n?\}\}|\{%.*?%\}|<%(?:\n?[^\n])*?\n?%>",
);
static ATTRIBUTES: Pattern =
    Pattern::new(r#"\{:?\s*[^{}\n]*?(?:#([^\s{}"=]+)|\bid=["']?([^"'\s}]+))[^{}\n]*\}|\{/\*\s*#([\w-]+)\s*\*/\}"#);
static LABEL: Pattern = Pattern::new(
    r"(?m)^\(([^()\s]+)\)=\s*$|^\s*:(?:name|label):\s*(\S+)\s*$|^\.\. _([^:\n]+):\s*$|^\s*\.\. auto\w+::\s*(?:\w+\.)*(\w+)\s*$",
);
static TAB: Pattern = Pattern::new(r#"(?m)^[ >]*===[!+]*\s+"([^"\n]+)""#);
static MODULE: Pattern = Pattern::new(r#"(?m)^(?:import|export)\b[^\n]*?(?:from\s+["']([^"']+)["'][^\n]*)?$"#);
static BLOCK: Pattern = Pattern::new(r#"(?m)^([ \t]*)(?:!!!|\?\?\?|===)([+!]? +[\w"])"#);
static FRONT: Pattern = Pattern::new(r"(?s)^\u{feff}*(?:---(.*?)\n---|\+\+\+(.*?)\n\+\+\+)");
// The attributes of HTML by which a page shows another file.
static SHOWN: Pattern =
    Pattern::new(r"^(?:(?:img|script|iframe|embed|audio|video|source|track|input) src|video poster|object data)$");
static HEADING: Pattern = Pattern::new(r"^/?[hH][1-6]$");
static QUOTE: Pattern = Pattern::new(r"\n[ >]+");
static FILLING: Pattern = Pattern::new(r"(?:jx)+j?");
static EMOJI: Pattern = Pattern::new(r":[a-z0-9_+-]+:");

/// The names that a text gives to places of its own and to what it documents: `(name)=`, `:name: name`, `.. autoclass:: name`.
pub fn labels(text: &str) -> impl Iterator<Item = &str> {
    LABEL.captures_iter(text).filter_map(|found| found.iter().skip(1).flatten().last().map(|name| name.as_str()))
}

impl Page {
    /// Reads a document of Markdown.
    pub fn read(text: &str, dialect: &Dialect) -> Page {
        let mut reader = Reader::new(dialect, text);
        let prepared = reader.prepare(text);
        let options = markdown::parser_options() | Options::ENABLE_HEADING_ATTRIBUTES;
        let mut undefined = Vec::new();
        let broken = |link: BrokenLink<'_>| {
            undefined
                .extend((link.link_type == LinkType::Reference).then(|| (link.span, link.reference.into_string())));
            None
        };
        for (event, range) in Parser::new_with_broken_link_callback(&prepared, options, Some(broken)).into_offset_iter()
        {
            reader.take(event, range, &prepared);
        }
        // A reference that nothing defines: Markdown shows its brackets.
        for (range, address) in undefined {
            let (before, all) = (prepared[..range.start].chars().next_back(), &prepared[range.clone()]);
            let words = all.trim_start_matches(['!', '[']).split("][").next().unwrap_or_default();
            // Numbers are citations, and `[x]` is a box that is ticked.
            let is_text = words.contains(char::is_alphabetic) && !words.eq_ignore_ascii_case("x");
            let is_label = address.chars().filter(|c| c.is_alphabetic()).count() > 1;
            let apart = before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '\\' | ']' | '_' | '`'));
            if is_text && is_label && apart && !words.starts_with('^') && !address.starts_with('^') && !is_open(all) {
                let span = Span::new(range.start, range.end);
                reader.page.links.push(Link { span, address, kind: Kind::Undefined });
            }
        }
        reader.end(&prepared)
    }

    /// Reads a page of HTML.
    pub fn of_html(text: &str) -> Page {
        let dialect = Dialect::default();
        let mut reader = Reader::new(&dialect, text);
        let prepared = reader.prepare(text);
        reader.html(&prepared, 0);
        reader.page
    }
}

impl Anchors {
    /// What is known of an anchor.
    pub fn has(&self, fragment: &str) -> Known {
        let name = if self.any_case { fold(fragment) } else { plain(fragment) };
        let name = name.strip_prefix("user-content-").unwrap_or(&name);
        if self.names.contains(name) {
            return Known::There;
        }
        let letters = letters(name);
        let is_made = |made: &String| !letters.is_empty() && made.contains(&letters);
        // The parts between what is filled stand in the name in this order, the first at its start and the last at its end.
        let fits = |open: &String| {
            let parts: Vec<String> = FILLING.split(open).map(regex::escape).collect();
            Regex::new(&format!("(?s)^{}$", parts.join(".*"))).is_ok_and(|pattern| pattern.is_match(name))
        };
        if self.open.iter().any(fits) || self.made.iter().any(is_made) {
            return Known::Open;
        }
        Known::Missing
    }

    /// Adds the anchors of an included document.
    pub fn add(&mut self, other: &Anchors) {
        self.names.extend(other.names.iter().cloned());
        self.open.extend(other.open.iter().cloned());
        self.made.extend(other.made.iter().cloned());
    }
}

/// A name without signs that only choose how a character looks (variation selectors, the frame of a key).
fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{20e3}' | '\u{200d}')).collect()
}

fn fold(name: &str) -> String {
    plain(name).split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a text has a part that is made elsewhere.
fn is_open(text: &str) -> bool {
    text.to_ascii_lowercase().contains(FILLED)
}

/// What a mark of a template is filled with: long enough to be nothing that anybody writes.
const FILLED: &str = "jxjx";

struct Reader<'a> {
    dialect: &'a Dialect,
    original: &'a str,
    page: Page,
    /// Included files, with their places.
    includes: Vec<(usize, String)>,
    /// How often each name was given, by rule.
    given: HashMap<(usize, String), usize>,
    /// The words of a heading that is being read, as they are shown.
    heading: Option<String>,
    images: usize,
    code: Vec<Range<usize>>,
}

impl<'a> Reader<'a> {
    fn new(dialect: &'a Dialect, original: &'a str) -> Self {
        let anchors = Anchors { any_case: dialect.any_case, ..Anchors::default() };
        let page = Page { anchors, ..Page::default() };
        let (includes, given, code) = (Vec::new(), HashMap::new(), Vec::new());
        Reader { dialect, original, page, includes, given, heading: None, images: 0, code }
    }

    /// The text as the parser gets it, every byte in its place: marks of templates are filled, indented blocks (`!!! note`,
    /// `=== "Tab"`) are items, modules are gone.
    fn prepare(&mut self, text: &str) -> String {
        for opener in &self.dialect.includes {
            if *opener == "import" {
                let named = MODULE.captures_iter(text).filter_map(|found| found.get(1));
                let documents = named.filter(|path| markdown::is_markdown(path.as_str()));
                self.includes.extend(documents.map(|path| (path.start(), path.as_str().to_owned())));
                continue;
            }
            for (at, _) in text.match_indices(opener) {
                let rest = text[at + opener.len()..].trim_start_matches([' ', '"', '\'']);
                // Lines and anchors of a file are no part of its name: `a.md:2:9`, `a.md{2,9}`, `a.md#part`.
                let ends = |c: char| c.is_whitespace() || "\"'}%>:{#".contains(c);
                let name = rest.split(ends).next().unwrap_or_default();
                // A directive is written as code is.
                let place = if opener.starts_with("```") { usize::MAX } else { at };
                self.includes.push((place, name.trim_end_matches("-->").to_owned()));
            }
        }
        // A mark becomes the same length of what stands for words that are made elsewhere; lines stay lines.
        let sign = |(own, letter)| if own == b'\n' { '\n' } else { char::from(letter) };
        let filled = |found: &Captures<'_>| found[0].bytes().zip(OPEN.bytes().cycle()).map(sign).collect::<String>();
        let mut text = MARKS.replace_all(text, filled).into_owned();
        if self.dialect.includes.contains(&"import") {
            text = MODULE.replace_all(&text, |found: &Captures<'_>| " ".repeat(found[0].len())).into_owned();
        }
        // Front matter is no text, nor are the lines round it; the parser knows none behind a byte order mark or an empty line.
        let matter = front_matter(&text);
        if let Some(at) = text.find(matter).filter(|_| !matter.is_empty()) {
            let end = (at + matter.len() + "\n---".len()).min(text.len());
            let head: String = text[..end].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
            text.replace_range(..end, &head);
        }
        // The text under a mark of a block is indented as that of an item is.
        if self.dialect.blocks { BLOCK.replace_all(&text, "$1-  $2").into_owned() } else { text }
    }

    fn take(&mut self, event: Event<'_>, range: Range<usize>, text: &str) {
        match event {
            Event::Start(Tag::Heading { .. }) => self.heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let written = text[range].trim_start_matches(['#', ' ', '\t']).lines().next().unwrap_or_default();
                let heading = self.heading.take().unwrap_or_default();
                self.name(&heading, written);
            }
            Event::Start(Tag::Image { dest_url, .. }) => {
                self.images += 1;
                self.link(range, &dest_url, Kind::Image);
            }
            Event::End(TagEnd::Image) => self.images = self.images.saturating_sub(1),
            Event::Start(Tag::Link { link_type, dest_url, .. }) if link_type != LinkType::Email => {
                self.link(range, &dest_url, Kind::Link);
            }
            Event::Start(Tag::CodeBlock(_)) => self.code.push(range),
            Event::Start(Tag::FootnoteDefinition(label)) => {
                let label = self.folded(&label);
                let forms = ["", "fn", "fn-", "fn:", "fnref", "fnref-", "fnref:", "footnote-"];
                self.page.anchors.names.extend(forms.map(|before| format!("{before}{label}")));
            }
            Event::Start(Tag::HtmlBlock) | Event::InlineHtml(_) => {
                // The lines of a quote have marks before them that are no part of it.
                let line = lines::line_start(text, range.start);
                let is_quoted = text[line..range.start].contains('>');
                let blank = |found: &Captures<'_>| format!("\n{}", " ".repeat(found[0].len() - 1));
                let own = Cow::Borrowed(&text[range.clone()]);
                let own = if is_quoted { QUOTE.replace_all(&text[range.clone()], blank) } else { own };
                self.html(&own, range.start);
            }
            Event::Code(words) => {
                // What looks like a mark of a template is text in code.
                let own = self.original[range.clone()].trim_matches('`');
                let own = if is_open(&words) { own.to_owned() } else { words.into_string() };
                self.code.push(range);
                self.shown(own.trim());
            }
            Event::Text(words) => self.shown(&words),
            Event::SoftBreak | Event::HardBreak => self.shown(" "),
            _ => {}
        }
    }

    fn link(&mut self, range: Range<usize>, address: &str, kind: Kind) {
        // What a template makes is shown as it is written.
        let open = is_open(address);
        let address = if open { self.original[range.clone()].to_owned() } else { address.to_owned() };
        let address = if open && !address.contains(['{', '<']) { format!("{{{address}") } else { address };
        self.page.links.push(Link { span: Span::new(range.start, range.end), address, kind });
    }

    fn folded(&self, name: &str) -> String {
        if self.dialect.any_case { fold(name) } else { plain(name) }
    }

    /// Adds the name of a place; one of which parts are made elsewhere only where some of it is known.
    fn anchor(&mut self, name: &str, is_open: bool) {
        let (name, anchors) = (self.folded(name), &mut self.page.anchors);
        if !is_open {
            anchors.names.insert(name);
        } else if FILLING.split(&name).any(|part| part.contains(char::is_alphanumeric)) {
            anchors.open.push(name);
        }
    }

    fn shown(&mut self, words: &str) {
        // The words of an image are shown only where it is not.
        if let Some(heading) = self.heading.as_mut().filter(|_| self.images == 0) {
            heading.push_str(words);
        }
    }

    fn html(&mut self, html: &str, start: usize) {
        let mut before = 0;
        for tag in tags(html) {
            self.shown(&html[before..tag.span.start]);
            before = tag.span.end;
            for (attribute, value) in tag.attributes(html) {
                let own = value.slice(html).replace("&amp;", "&");
                let range = start + value.start..start + value.end;
                match format!("{} {attribute}", tag.name).to_ascii_lowercase().as_str() {
                    "a href" | "area href" => self.link(range, own.trim(), Kind::Html),
                    "img srcset" | "source srcset" => {
                        for one in own.split(", ").filter_map(|one| one.split_whitespace().next()) {
                            self.link(range.clone(), one, Kind::HtmlImage);
                        }
                    }
                    name if name.ends_with(" id") || name.ends_with(" name") => self.anchor(own.trim(), is_open(&own)),
                    name if SHOWN.is_match(name) => self.link(range, own.trim(), Kind::HtmlImage),
                    _ => {}
                }
            }
            if HEADING.is_match(tag.name) {
                let heading = self.heading.take();
                if tag.name.starts_with('/') {
                    heading.into_iter().for_each(|heading| self.name(&heading, heading.trim()));
                } else {
                    self.heading = Some(String::new());
                }
            }
        }
        if html.starts_with("<!") {
            if self.dialect.comments {
                self.page.anchors.made.push(letters(html));
            }
        } else {
            self.shown(&html[before..]);
        }
    }

    /// Names a heading, as each rule of the dialect does.
    fn name(&mut self, heading: &str, written: &str) {
        // GitHub knows no names in braces; for all others they are the only name.
        if ATTRIBUTES.is_match(written) && !self.dialect.any_case {
            return;
        }
        let shown = ATTRIBUTES.replace_all(heading, "");
        let written = ATTRIBUTES.replace_all(written, "");
        let (shown, written) = (shown.trim_end(), written.trim());
        let without = EMOJI.replace_all(shown, "");
        for shown in each_once([shown, without.trim_end()]) {
            for (index, rule) in self.dialect.rules.iter().enumerate() {
                let name = rule.name(shown, written);
                if name.contains(OPEN) && (is_open(shown) || !shown.is_ascii()) {
                    self.anchor(&name, true);
                    continue;
                }
                let count = self.given.entry((index, name.clone())).or_default();
                let repeated = rule.repeated;
                let name = if *count == 0 { name } else { format!("{name}{repeated}{count}") };
                *count += 1;
                self.anchor(&name, false);
            }
        }
    }

    /// What is found in the words of the whole text: names in braces, labels, tabs, references.
    fn end(mut self, text: &str) -> Page {
        let code = std::mem::take(&mut self.code);
        let is_code = |at: usize| {
            let next = code.partition_point(|range| range.start <= at);
            next > 0 && code[..next].iter().rev().take(2).any(|range| range.contains(&at))
        };
        let braces = ATTRIBUTES.captures_iter(self.original).filter(|found| !is_code(found.get_match().start()));
        let braces = braces.filter_map(|found| found.iter().skip(1).flatten().last().map(|name| name.as_str()));
        let mut names: Vec<String> = braces.chain(labels(text)).map(str::to_owned).collect();
        if self.dialect.blocks {
            for found in TAB.captures_iter(self.original).filter(|found| !is_code(found.get_match().start())) {
                let title = EMOJI.replace_all(&found[1], "");
                let own = self.dialect.rules.iter().map(|rule| rule.name(title.trim(), title.trim()));
                names.extend(own.flat_map(|name| {
                    // A tab is called by the heading that it stands under, too, where the settings say so.
                    let headings = self.page.anchors.names.iter().map(|heading| format!("{heading}-{name}"));
                    headings.chain([name.clone()]).collect::<Vec<_>>()
                }));
            }
        }
        names.iter().for_each(|name| self.anchor(name, false));
        self.page.includes =
            self.includes.iter().filter(|(at, _)| !is_code(*at)).map(|(_, path)| path.clone()).collect();
        self.page.links.sort();
        self.page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dialect(rule: &str) -> Dialect {
        let (any_case, blocks) = (rule == "github", rule == "python-markdown");
        Dialect { rules: vec![Rule::from_name(rule).unwrap()], any_case, blocks, ..Dialect::default() }
    }

    #[track_caller]
    fn check(rule: &str, text: &str, fragment: &str, expected: Known) {
        assert_eq!(Page::read(text, &dialect(rule)).anchors.has(fragment), expected, "#{fragment} of {text:?}");
    }

    #[test]
    fn headings_ids_names_and_footnotes_are_anchors() {
        for (rule, text, fragment) in [
            ("github", "## [A link](https://a.example/) in it\n", "a-link-in-it"),
            ("github", "## **Bold** and `x-y`\n", "bold-and-x-y"),
            ("github", "## ⚙️ Settings\n", "️-settings"),
            ("github", "## ![logo](l.png) Name\n", "-name"),
            ("github", "> ## In a quote\n\n- ## In a list\n", "In-A-List"),
            ("github", "# A\n\n# A\n\n# A\n", "a-2"),
            ("github", "<h1 align=\"center\">The <b>Tool</b></h1>\n", "the-tool"),
            ("github", "<h2>\n\nIn *between*\n\n</h2>\n", "in-between"),
            ("github", "<a name=\"Old\"></a>\n\nText.\n", "old"),
            ("github", "Text[^a].\n\n[^a]: Note.\n", "user-content-fn-a"),
            ("github", "---\ntitle: x\n---\n# Below\n", "below"),
            ("github", "---\n---\n# Below\n", "below"),
            ("mdbook", "## Title {#own}\n", "own"),
            ("python-markdown", "![A](i.png){ #fig .wide width=\"3\" }\n", "fig"),
            ("python-markdown", "Words.\n{: #words }\n", "words"),
            ("python-markdown", "# A { id=\"9.7.0\" }\n", "9.7.0"),
            ("python-markdown", "# A\n\n=== \":icon: Tab\"\n\n    Text.\n", "a-tab"),
            ("python-markdown", "!!! note\n\n    ## Deep\n", "deep"),
            ("python-markdown", "# A\n\n# A\n", "a_1"),
            ("vitepress", "## :tada: Fine\n", "fine"),
            ("hugo", "## The [link](https://a.example)\n", "the-linkhttpsaexample"),
            ("myst", "(label)=\nText.\n", "label"),
        ] {
            check(rule, text, fragment, Known::There);
        }
        check("github", "```\n# Not a heading\n```\n", "not-a-heading", Known::Missing);
        check("mdbook", "## Title {#own}\n", "title", Known::Missing);
        check("vitepress", "# Upper\n", "Upper", Known::Missing);
    }

    #[test]
    fn a_mark_of_a_template_makes_one_heading_open_and_no_more() {
        let text =
            "# Use {{ name }} with it\n\n# <!-- md:setting config.blog_dir -->\n\n## Known\n\n`{{ x }}` and {{ y }}\n";
        for (fragment, expected) in [
            ("use-cited-with-it", Known::Open),
            ("use-with", Known::Missing),
            ("config.blog_dir", Known::Open),
            ("known", Known::There),
            ("gone", Known::Missing),
        ] {
            let page = Page::read(text, &Dialect { comments: true, ..dialect("github") });
            assert_eq!(page.anchors.has(fragment), expected, "{fragment}");
        }
        check("github", "## The `{{ x }}` mark\n", "the--x--mark", Known::There);
    }

    #[test]
    fn links_are_found_in_markdown_and_html_with_their_places() {
        let told = |text: &str| -> Vec<String> {
            let page = Page::read(text, &dialect("python-markdown"));
            page.links
                .iter()
                .map(|link| format!("{:?} {} {}", link.kind, link.address, link.span.slice(text)))
                .collect()
        };
        for (text, expected) in [
            (
                "A [b](c.md) <https://a.example>\n",
                vec!["Link c.md [b](c.md)", "Link https://a.example <https://a.example>"],
            ),
            ("![p](i.png)\n", vec!["Image i.png ![p](i.png)"]),
            ("<a href=\"x.md?a&amp;b\">t</a>\n", vec!["Html x.md?a&b x.md?a&amp;b"]),
            ("> <img\n> src=\"i.png\">\n", vec!["HtmlImage i.png i.png"]),
            ("<video poster=\"p.png\" src='v.mp4'></video>\n", vec!["HtmlImage p.png p.png", "HtmlImage v.mp4 v.mp4"]),
            ("[a]({{ base }}/x.md)\n", vec!["Link [a]({{ base }}/x.md) [a]({{ base }}/x.md)"]),
            ("A [b][label] and `[c][d2]`\n", vec!["Undefined label [b][label]"]),
            ("A [b][label]\n\n[Label]: x.md\n", vec!["Link x.md [b][label]"]),
            (
                "A [`b`][label] and ![*c*][other]\n",
                vec!["Undefined label [`b`][label]", "Undefined other ![*c*][other]"],
            ),
            ("See a[index][other], [1][2] and \\[b][label]\n", vec![]),
            ("`[a](x.md)`\n\n```\n[a](x.md)\n```\n\n<!-- <a href=\"x.md\"> -->\n", vec![]),
            ("!!! note\n\n    [a](x.md)\n", vec!["Link x.md [a](x.md)"]),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
    }

    #[test]
    fn included_files_are_named() {
        let of = |opener: &'static str, text: &str| {
            Page::read(text, &Dialect { includes: vec![opener], ..dialect("github") }).includes
        };
        assert_eq!(of("{{#include ", "{{#include a.md:2:9}}\n"), ["a.md"]);
        assert_eq!(of("--8<-- ", "--8<-- \"a/b.md\"\n"), ["a/b.md"]);
        assert_eq!(of("{% include ", "{% include x.md y=1 %}\n"), ["x.md"]);
        assert_eq!(of("```{include} ", "```{include} a.md\n```\n"), ["a.md"]);
        assert_eq!(of("import", "import A from './_a.mdx';\n\n<A />\n"), ["./_a.mdx"]);
        assert_eq!(of("{{#include ", "`{{#include a.md}}`\n"), [""; 0]);
    }
}
