//! A report that is told entry by entry: one layout for a terminal, for a page, and for Markdown.

use std::fmt::Write as _;

use maud::{Markup, html};
use owo_colors::OwoColorize as _;

use crate::findings::Texts;
use crate::findings::text::line_at;
use crate::html::parts::{address, shown};
use crate::html::{Tone, View, page};
use crate::page::Page;
use crate::wording::{cut, one_line};
use cited_core::finding::Finding;

/// Characters of words that a line of a terminal shows; Markdown shows four times as many.
const MOST_WORDS: usize = 160;
/// Lines of output that a terminal shows of an entry.
const MOST_LINES: usize = 20;
/// Bytes of Markdown: forges take 65,536 characters of an issue, less what a pipeline may put around it.
const LONGEST: usize = 60_000;
/// Entries of a part that Markdown names at first; fewer when their text is too long.
const MOST_ENTRIES: usize = 250;

/// A report of parts, each with its entries.
#[derive(Default)]
pub struct Sheet {
    /// What it is a report on.
    pub title: String,
    /// How it ended, and how good that is.
    pub verdict: (String, Tone),
    /// One sentence under the title, which sums up.
    pub lead: String,
    /// What is told, in order.
    pub parts: Vec<Part>,
    /// How it went over time, which a page shows.
    pub history: Option<Markup>,
    /// What a pipeline reads in the first line of the Markdown, a comment.
    pub comment: Option<String>,
}

/// What stands under one name.
pub struct Part {
    /// How the address of the page names it.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Entries, in groups with a name each; those without one are not told apart.
    pub groups: Vec<(String, Vec<Entry>)>,
    /// Whether a terminal does without it.
    pub aside: bool,
}

/// One thing that is told.
pub struct Entry {
    /// Its state in a word, and how good that is.
    pub state: (Tone, String),
    /// What it is called: an id, a file, or the address of a source.
    pub name: String,
    /// Its own words.
    pub text: String,
    /// Where it is, or what else is said in brackets.
    pub place: String,
    /// What there is to say of it.
    pub lines: Vec<Line>,
    /// What only a page says of it.
    pub details: Vec<Line>,
}

/// One line on an entry.
pub enum Line {
    /// Words.
    Words(String),
    /// Output of a program, or a query.
    Code(String),
}

impl Part {
    /// A part with these entries, which a terminal shows, too.
    pub fn new(id: &'static str, name: &'static str, groups: Vec<(String, Vec<Entry>)>) -> Part {
        Part { id, name, groups, aside: false }
    }
}

impl Sheet {
    /// For a terminal, with ANSI sequences.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for part in self.parts.iter().filter(|part| !part.aside) {
            for (name, entries) in &part.groups {
                let indent = if name.is_empty() { "" } else { "  " };
                if let Some(first) = entries.first().filter(|_| !name.is_empty()) {
                    // Writing to a String cannot fail.
                    let _ = writeln!(out, "{} ({})", name.style(first.state.0.ansi().bold()), entries.len());
                }
                entries.iter().for_each(|entry| entry.write(&mut out, indent));
            }
        }
        if !self.lead.is_empty() {
            out.push_str(&(one_line(&self.lead) + "\n"));
        }
        let (verdict, tone) = &self.verdict;
        if !verdict.is_empty() {
            let _ = writeln!(out, "{}", verdict.style(tone.ansi().bold()));
        }
        out
    }

    /// As a page.
    pub fn html(&self) -> String {
        let count = |part: &Part| part.groups.iter().map(|(_, entries)| entries.len()).sum();
        let view = |id, name, count, content| View { id, name, count, content };
        let views = self.parts.iter().map(|part| view(part.id, part.name, Some(count(part)), entries(&part.groups)));
        let history = self.history.iter().map(|history| view("history", "Over time", None, history.clone()));
        page(
            &self.title,
            (&self.verdict.0, self.verdict.1),
            &self.lead,
            &views.chain(history).collect::<Vec<_>>(),
            None,
        )
    }

    /// As Markdown that a forge takes. Its first part, which weighs most, is cut last.
    pub fn markdown(&self) -> String {
        let fewer = || std::iter::successors(Some(MOST_ENTRIES), |most| (*most > 0).then_some(most / 2));
        let limits = fewer().map(|others| (MOST_ENTRIES, others)).chain(fewer().map(|first| (first, 0)));
        let mut texts = limits.map(|limits| self.markdown_of(limits));
        texts.find(|text| text.len() <= LONGEST).unwrap_or_else(|| self.markdown_of((0, 0)))
    }

    /// The Markdown with so many entries of the first part at most, and of each other one.
    fn markdown_of(&self, (first, others): (usize, usize)) -> String {
        let mut page = Page::default();
        page.heading(2, &format!("cited: {}: {}", self.title, self.verdict.0));
        page.paragraph(&self.lead);
        let parts = self.parts.iter().filter(|part| part.groups.iter().any(|(_, entries)| !entries.is_empty()));
        for (i, part) in parts.enumerate() {
            let most = if i == 0 { first } else { others };
            page.heading(3, part.name);
            let is_good = |entry: &Entry| entry.state.0 == Tone::Good;
            let all = || part.groups.iter().flat_map(|(_, entries)| entries);
            // What is good gives way to what somebody should look at.
            let bad = all().filter(|entry| !is_good(entry)).count();
            let mut rooms = [most, most.saturating_sub(bad)];
            for (name, entries) in &part.groups {
                let named = entries.iter().filter(|entry| {
                    let room = &mut rooms[usize::from(is_good(entry))];
                    let is_named = *room > 0;
                    *room -= usize::from(is_named);
                    is_named
                });
                page.section(4, name, named, |page, entry| entry.markdown(page));
            }
            let more = all().count().saturating_sub(most);
            if more > 0 {
                page.paragraph(&format!("… and {more} more."));
            }
        }
        let comment = self.comment.as_ref().map(|comment| format!("<!-- {comment} -->\n\n")).unwrap_or_default();
        comment + &page.write()
    }
}

/// Entries of a page, group by group.
pub(crate) fn entries(groups: &[(String, Vec<Entry>)]) -> Markup {
    html! {
        @if groups.iter().all(|(_, entries)| entries.is_empty()) { p.empty { "There is nothing." } }
        @for (name, entries) in groups {
            section.group {
                @if !name.is_empty() { h3 dir="auto" { (shown(name)) " " span.n { (entries.len()) } } }
                @for entry in entries { (entry.html()) }
            }
        }
    }
}

impl Entry {
    /// What is told of one thing: its state and how good that is, what it is called, and its own words.
    pub fn new((tone, state): (Tone, &str), name: &str, text: impl Into<String>) -> Entry {
        let (state, name) = ((tone, state.to_owned()), name.to_owned());
        Entry { state, name, text: text.into(), place: String::new(), lines: Vec::new(), details: Vec::new() }
    }

    /// A finding: where it is, the line that it is in, and what to do.
    pub(crate) fn of_finding(finding: &Finding, texts: &Texts<'_>) -> Entry {
        let line = texts.find_text(finding).zip(finding.span).and_then(|(text, span)| line_at(text, span));
        let url = finding.about.as_ref().and_then(|about| about.url.clone());
        let url = url.filter(|url| !finding.message.contains(url));
        let remedy = finding.remedy.as_ref().map(|remedy| format!("What to do: {remedy}"));
        let quote = line.map(|(line, ..)| line).filter(|line| !line.is_empty());
        let state = (finding.severity.into(), finding.severity.as_str());
        Entry {
            place: texts.locate(finding).format_position(),
            lines: quote.into_iter().chain(remedy).chain(url).map(Line::Words).collect(),
            ..Entry::new(state, finding.code.as_str(), &finding.message)
        }
    }

    fn write(&self, out: &mut String, indent: &str) {
        let Entry { state: (tone, state), name, text, place, .. } = self;
        let short = |words: &str| cut(words, MOST_WORDS);
        let name = if name.is_empty() { String::new() } else { format!(" {}", one_line(name)) };
        let text = if text.is_empty() { String::new() } else { format!(": {}", short(text)) };
        let place = if place.is_empty() { String::new() } else { format!(" ({})", one_line(place)) };
        let _ = writeln!(out, "{indent}{}{name}{text}{place}", state.style(tone.ansi()));
        for line in &self.lines {
            let shown: Vec<String> = match line {
                // Only output has lines of its own: what a page says begins none, in which a pipeline would read a command.
                Line::Code(words) => words.lines().take(MOST_LINES).map(one_line).collect(),
                Line::Words(words) => vec![one_line(words)],
            };
            shown.iter().for_each(|words| out.push_str(&format!("{indent}  {words}\n")));
        }
    }

    fn markdown(&self, page: &mut Page) {
        let Entry { state: (_, state), name, text, place, .. } = self;
        page.fact(state, "");
        page.address(name);
        let colon = if name.is_empty() || text.is_empty() { "" } else { ": " };
        let place = if place.is_empty() { String::new() } else { format!(" ({place})") };
        page.quiet_text(&format!("{colon}{text}{place}"));
        page.section(0, "", &self.lines, |page, line| {
            let (Line::Words(words) | Line::Code(words)) = line;
            let (before, address) = before_address(words);
            page.quiet_text(&cut(before, 4 * MOST_WORDS));
            if !address.is_empty() {
                if !before.is_empty() {
                    page.quiet_text(":");
                    page.quiet_text(" ");
                }
                page.address(address);
            }
        });
    }

    fn html(&self) -> Markup {
        let Entry { state: (tone, state), name, text, place, .. } = self;
        html! {
            article {
                p.state {
                    b.(tone.class()) { (tone.sign()) " " (state) } " "
                    @if name.starts_with("http") { (address(name)) } @else { bdi.no { (shown(name)) } }
                    @if !place.is_empty() { " " span.place { (shown(place)) } }
                }
                @if !text.is_empty() { p.text dir="auto" { (shown(text)) } }
                @for line in self.lines.iter().chain(&self.details) {
                    @match line {
                        Line::Words(words) => p.why dir="auto" {
                            // Words of ours may end with an address, which is a link then.
                            @let (before, last) = before_address(words);
                            (shown(before))
                            @if !last.is_empty() { @if !before.is_empty() { ": " } (address(last)) }
                        },
                        Line::Code(words) => pre.evidence tabindex="0" { (shown(words)) },
                    }
                }
            }
        }
    }
}

/// Words, and the address that they may end with.
pub(crate) fn before_address(words: &str) -> (&str, &str) {
    let (before, last) = words.rsplit_once(": ").unwrap_or(("", words));
    if last.starts_with("http") && !last.contains(' ') { (before, last) } else { (words, "") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_good_gives_way_to_what_is_not() {
        let entry = |i: usize| {
            let state = if i == 299 { (Tone::Bad, "rejected") } else { (Tone::Good, "verified") };
            Entry::new(state, &format!("c{i}"), "")
        };
        let parts = vec![Part::new("claims", "Claims", vec![(String::new(), (0..300).map(entry).collect())])];
        let text = Sheet { parts, ..Sheet::default() }.markdown();
        assert!(text.contains(" c248\n") && text.contains("**rejected:** c299\n"), "{text}");
        assert!(!text.contains(" c249\n") && text.contains("… and 50 more."), "{text}");
    }
}
