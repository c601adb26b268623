//! The parts of the brief that cited writes itself: removed claims, notes, the source list.

use memchr::memmem;

use super::record::SourceRecord;
use super::wording::day;
use cited_core::address::identity::key_of;
use cited_core::address::in_text;
use cited_core::citation::heading::{OwnSection, is_own_section, language_of};
use cited_core::citation::line_label::line_label;
use cited_core::citation::remark::Remark;
use cited_core::citation::title;
use cited_core::citation::written::{BREAK, ListLayout, Written};
use cited_core::citation::{self, Citations, Label};
use cited_core::decide::{Cause, CitationForm, Edit, Rewrite};
use cited_core::markdown::{BlockKind, Document, Inline, InlineKind};
use cited_core::outcome::Outcome;
use cited_text::{Span, escape, lines};

/// What cited writes after the body, each as finished lines without line ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sections {
    /// One line for each claim or figure that went.
    pub removed: Vec<String>,
    /// One line for each noted claim, when the user asked for them.
    pub notes: Vec<String>,
    /// The source list without its heading, in order of number; its lines end as `\n`.
    pub sources: String,
}

/// Pieces of text that tell the language of a document.
const MOST_READ: usize = 2_000;

/// The language that cited writes its headings in: that of the text, else that of the heading of the draft's own list.
pub(crate) fn language(document: &Document, citations: &Citations) -> &'static str {
    let of_list = || citations.lists.iter().find_map(|list| language_of(list.title.as_deref()?));
    // Destinations of links are of no language, nor is what an earlier run wrote.
    let held = citations.held();
    let inlines = document.leaves().flat_map(|(id, _)| document.inlines(id));
    let is_read = |inline: &&Inline| inline.kind == InlineKind::Text && !held.overlap(inline.span);
    let words = inlines.filter(is_read).map(|inline| document.slice(inline.span));
    let shown: String = words.take(MOST_READ).collect::<Vec<_>>().join(" ");
    cited_text::language::language(&shown).or_else(of_list).unwrap_or("en")
}

/// The line for a claim that went or was noted: `- “claim text” — reason`. A figure and a table are called so before their words.
pub fn claim_line(what: &str, claim: &str, reason: &str) -> String {
    let (claim, reason) = (escape::inline(claim), escape_reason(reason));
    ["- ", what, "“", &claim, "” — ", &reason].concat()
}

/// A reason holds addresses, which stay as they are, and words of pages, which must not become markup.
fn escape_reason(reason: &str) -> String {
    // A label as the draft wrote it, `[9]`: nothing stands behind it that could make it a link.
    let is_label = |word: &str| {
        let inner = word.strip_prefix('[').and_then(|word| word.strip_suffix(']'));
        inner.is_some_and(|inner| !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_alphanumeric()))
    };
    let written = |word: &str| match in_text::starts(word).next() {
        _ if is_label(word) => word.to_owned(),
        Some(at) => [&escape::inline(&word[..at]), address(&word[at..]).as_str()].concat(),
        None => escape::inline(word).into_owned(),
    };
    escape::plain(reason).split(' ').map(written).collect::<Vec<_>>().join(" ")
}

/// A source, with the entry that the draft has of it.
pub type Listed<'a> = (&'a SourceRecord, Option<Written>);

/// The entries of all sources: in the layout of the draft's own list where they are read there as what they are, else in cited's.
pub fn source_lines(sources: &[Listed<'_>], form: CitationForm, layout: Option<ListLayout>) -> String {
    // In the layout of the draft, else in that of cited's own, of which there is one for each form.
    let written = |layout: Option<ListLayout>, whole: bool| -> Vec<String> {
        sources.iter().map(|listed| source_line(listed, (form, layout), whole)).collect()
    };
    if let Some(layout) = layout.filter(|_| form != CitationForm::Footnotes) {
        let lines = written(Some(layout), true);
        let (read, again) = read_again(&lines, sources, layout.loose);
        // One that could not be told from what is written would be another in the next run.
        if read.iter().all(|read| *read) && again.is_some_and(|again| again.is_like(layout)) {
            let end = if layout.broken { BREAK } else { "" };
            return lines.join(&[end, if layout.loose { "\n\n" } else { "\n" }].concat());
        }
    }
    let mut lines = written(None, true);
    if form != CitationForm::Footnotes {
        // What stands behind an address goes where it would be read as the entry's own.
        let (read, _) = read_again(&lines, sources, false);
        let bare = written(None, false).into_iter().zip(read);
        lines.iter_mut().zip(bare).filter(|(_, (_, read))| !read).for_each(|(line, (bare, _))| *line = bare);
    }
    lines.join("\n")
}

/// For each entry whether it is read as that of the source it was written for, and the layout that they share.
fn read_again(lines: &[String], sources: &[Listed<'_>], loose: bool) -> (Vec<bool>, Option<ListLayout>) {
    let document = Document::read(format!("## Sources\n\n{}\n", lines.join(if loose { "\n\n" } else { "\n" })));
    let lists = citation::list::lists_of(&document);
    let entries = lists.first().map(|list| list.entries.as_slice()).unwrap_or_default();
    if lists.len() != 1 || entries.len() != lines.len() {
        return (vec![false; lines.len()], None);
    }
    let same = |(entry, (source, _)): (&citation::Entry, &Listed<'_>)| {
        let address = entry.addresses.first().map(String::as_str).unwrap_or_default();
        let shown = source.archive.as_ref().map(|archive| key_of(&archive.url));
        entry.label == source.number.map(Label::Number)
            && key_of(address) == key_of(&source.url)
            && shown.is_none_or(|shown| entry.addresses.iter().any(|address| key_of(address) == shown))
    };
    (entries.iter().zip(sources).map(same).collect(), ListLayout::detect(&document, &lists))
}

/// The entry of a source: `1. Title — URL (archived 2023-01-05; original URL)`.
///
/// `whole` says that what the draft's entry says beside title and address is written, too.
fn source_line(
    (source, written): &Listed<'_>,
    (form, layout): (CitationForm, Option<ListLayout>),
    whole: bool,
) -> String {
    let (number, written) = (source.number.unwrap_or_default(), written.as_ref());
    let shown = address(source.archive.as_ref().map_or(&source.url, |archive| &archive.url));
    let title = without_address(&escape::plain(&source.title), Some(&*source.url).filter(|_| whole));
    let title = escape::title(&title_in_line(&title, !shown.is_empty()));
    let line = match layout {
        Some(layout) => {
            // A name in the place of the address stays what it is; a copy is shown in the place of neither.
            let written = written.filter(|written| written.own.is_some() || source.archive.is_none());
            // What the draft has in its own list makes no more of itself here than there.
            let own = written.filter(|written| source.archive.is_none() && written.own.as_ref() == Some(&source.url));
            let shown = if own.is_some() { &source.url } else { &shown };
            layout.line(number as usize, written, &title, shown)
        }
        None => {
            let label = if form == CitationForm::Footnotes { format!("[^{number}]:") } else { format!("{number}.") };
            // Rows of tables and entries of several lines say it in places of their own.
            let notes = source.entry_notes.iter().filter(|_| whole);
            let notes = || notes.flat_map(|note| [". ".into(), escape::inline(note)]).collect();
            let rest = written.map_or_else(notes, |written| written.rest(&shown));
            let rest = if shown.is_empty() { String::new() } else { rest };
            let words: Vec<&str> = [title.as_str(), &shown].into_iter().filter(|part| !part.is_empty()).collect();
            let words = if words.is_empty() { "(no title)".to_owned() } else { words.join(" — ") };
            format!("{label} {words}{rest}")
        }
    };
    escape::plain(&line).into_owned() + &remark(source).map(|remark| remark.written()).unwrap_or_default()
}

/// What is said behind the entry of a source.
fn remark(source: &SourceRecord) -> Option<Remark> {
    // Another program may give none.
    let reason = if source.reason.is_empty() { "no reason given" } else { &source.reason };
    let why = || escape::inline(reason).into_owned();
    // Of one without an address, or that nobody has said anything of, nothing is to be told.
    let is_unknown = source.outcome == Outcome::Unasked && (source.url.is_empty() || source.reason.is_empty());
    match &source.archive {
        Some(copy) => Some(Remark::Archived { taken: Some(day(copy.taken)), original: address(&source.url) }),
        None if source.outcome.is_proven_dead() => Some(Remark::Dead(why())),
        None if source.outcome.is_unknown() && !is_unknown => Some(Remark::NotVerified(why())),
        None => None,
    }
}

/// A title without the source's own address, or without any: one that stands before that of the entry would be read as the entry's, and
/// the words behind it as a note.
fn without_address(title: &str, own: Option<&str>) -> String {
    let own = own.map(key_of);
    let (mut out, mut at) = (String::with_capacity(title.len()), 0);
    for found in in_text::each(title) {
        if found.start >= at && own.as_ref().is_none_or(|own| key_of(found.slice(title)) == *own) {
            out.push_str(&title[at..found.start]);
            at = found.end;
        }
    }
    out + &title[at..]
}

/// A title as it is read from its line.
fn title_in_line(title: &str, before_address: bool) -> String {
    let mut title = without_label(&escape::plain(title)).to_owned();
    loop {
        let read = title::title_in_line(without_label(&title), before_address);
        if read.len() >= title.len() {
            return title;
        }
        title = read;
    }
}

/// A title without labels at its start: behind the number of the entry they would be read as labels, and lost.
fn without_label(title: &str) -> &str {
    // A dash at either end would be read as what parts a title from its address.
    let dashes = |c: char| c.is_whitespace() || matches!(c, '-' | '–' | '—');
    let mut title = title.trim_matches(dashes);
    while let Some(label) = line_label(title).filter(|label| label.end > 0 && label.style.is_written_in_brackets()) {
        title = title[label.end.min(title.len())..].trim_start_matches(dashes);
    }
    title
}

/// An address as it may stand in running Markdown: without the few signs that would end or wrap it, and without those that would
/// make a link or an image of its end, as *!\[i\](p.png)* would.
fn address(url: &str) -> String {
    let mut out = escape::plain(url).to_string();
    // What would end the address in running text, such as a space, a full-width comma or another's bracket, is written as URLs write it;
    // punctuation behind it stays.
    loop {
        let end = in_text::end_in(&out, 0, out.len());
        let goes_on = out[end..].contains(char::is_alphanumeric);
        let ends = |cut: &char| {
            !cut.is_ascii() || goes_on || matches!(cut, ' ' | '<' | '>' | '"' | '`' | '|' | '^' | '{' | '}')
        };
        let Some(cut) = out[end..].chars().next().filter(ends) else { break };
        let rest = out.split_off(end);
        rest.bytes().take(cut.len_utf8()).for_each(|byte| out.push_str(&format!("%{byte:02X}")));
        // What closes it goes with it, and no other bracket.
        let behind = &rest[cut.len_utf8()..];
        out.push_str(&if cut == '[' { behind.replacen(']', "%5D", 1) } else { behind.to_owned() });
    }
    without_markup(out)
}

/// An address that would be shown as it is. In one that would not, the signs of markup behind its host are escapes, which servers read as the
/// same.
fn without_markup(address: String) -> String {
    let is_sign = |c: char| matches!(c, '[' | ']' | '*' | '_' | '~' | '$');
    if !address.contains(is_sign) {
        return address;
    }
    // It may stand twice in a line, beside its copy, which is of the whole page.
    let page = address.split("#:~:").next().unwrap_or(&address);
    let document = Document::read(format!("x {page} {address}"));
    let mut inlines = document.blocks().flat_map(|(id, _)| document.inlines(id));
    let is_shown = inlines.all(|inline| matches!(inline.kind, InlineKind::Text | InlineKind::Spelled(_)));
    if is_shown && document.links().is_empty() && document.emphases.is_empty() {
        return address;
    }
    let host = address.find("://").map_or(0, |at| at + 3);
    let path = address[host..].find(['/', '?', '#']).map_or(address.len(), |at| host + at);
    let written = |c: char| if is_sign(c) { format!("%{:02X}", u32::from(c)) } else { c.to_string() };
    let escaped: String = address[path..].chars().map(written).collect();
    // A browser follows `#:~:` only as it is.
    format!("{}{}", &address[..path], escaped.replace("#:%7E:", "#:~:"))
}

/// All edits of a rewritten document: those of the body, which are taken out of `rewrite`, and those that write the
/// sections.
pub fn finish(document: &Document, citations: &Citations, rewrite: &mut Rewrite, sections: &Sections) -> Vec<Edit> {
    let (eol, language) = (document.line_end(), language(document, citations));
    let edits = std::mem::take(&mut rewrite.edits);
    let mut writer = SectionWriter { document, citations, eol, language, edits };
    // A section of an earlier run stays where it stands. One that gets new lines stands right before the list, and so do all where a list goes,
    // as what follows it would become part of them.
    let moves = citations.lists.len() > usize::from(rewrite.holes.home.is_some());
    let mut new = String::new();
    for (own, lines) in [(OwnSection::Removed, &sections.removed), (OwnSection::Notes, &sections.notes)] {
        let written = match writer.own_section(own) {
            Some(section) => {
                let written = document.slice(section).trim_end();
                let new = not_written_yet(written, lines, own == OwnSection::Removed);
                if new.is_empty() && !moves {
                    continue;
                }
                writer.take(section);
                written.lines().chain(new).flat_map(|line| [line, eol]).collect()
            }
            None if lines.is_empty() => continue,
            None => format!("## {}{eol}{eol}{}{eol}", own.heading(language), lines.join(eol)),
        };
        new.push_str(&(written + eol));
    }
    let sources = sections.sources.replace('\n', eol);
    match rewrite.holes.home {
        Some(home) => writer.write_home(home, &new, &sources, rewrite),
        None => {
            // Footnotes need no heading, but keep that of the draft's list.
            let is_bare =
                rewrite.form == CitationForm::Footnotes && citations.lists.iter().all(|l| l.heading.is_none());
            let heading = writer.own_heading();
            let list = if sources.is_empty() || is_bare { sources } else { [&heading, eol, eol, &sources].concat() };
            writer.append(rewrite.body_end, (new + &list).trim_end());
        }
    }
    writer.edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    writer.edits
}

/// What ends the last block of the text that stays, when it is a code block or HTML that nothing ends: it would swallow
/// all that is written after it.
fn unclosed(document: &Document, until: usize) -> Option<String> {
    let last = document.roots.iter().rev().find(|id| document.block(**id).span.start < until)?;
    let block = document.block(*last);
    let written = document.slice(block.span);
    let written = written.get(..until - block.span.start).unwrap_or(written);
    if !matches!(block.kind, BlockKind::Code { fenced: true } | BlockKind::Html) {
        return None;
    }
    let swallows = |close: &str| {
        let text = format!("{written}\n{close}\n\nx\n");
        let after = Document::read(text);
        after.roots.last().is_none_or(|last| after.slice(after.block(*last).span).trim() != "x")
    };
    let head = written.trim_start().to_ascii_lowercase();
    let mark = head.chars().next()?;
    let fence: String = head.chars().take_while(|c| *c == mark).collect();
    // A reader's browser ends an element by its own end alone.
    let is_its_own = |close: &&str| {
        close.strip_prefix("</").is_none_or(|name| head.starts_with(&["<", name.trim_end_matches('>')].concat()))
    };
    let close = ["", &fence].into_iter().chain(CLOSING).filter(is_its_own).find(|close| !swallows(close))?;
    (!close.is_empty()).then(|| close.to_owned())
}

/// What ends the kinds of HTML blocks that an empty line does not end (`CommonMark` 0.31, section 4.6).
const CLOSING: [&str; 8] = [">", "-->", "?>", "]]>", "</pre>", "</script>", "</style>", "</textarea>"];

/// The lines that a section of an earlier run does not have yet. What was removed is added to. A claim that is noted there, if with others in
/// one sentence, stays as it was noted: the record and the findings have what is known of it now.
fn not_written_yet<'l>(section: &str, lines: &'l [String], removed: bool) -> Vec<&'l str> {
    let is_new = |line: &&String| {
        let claim = line.split_once("” — ").map_or(line.as_str(), |(claim, _)| claim);
        // A clause that another one went behind ends in a stop now.
        let words = claim.strip_prefix("- “").unwrap_or(claim).trim_end_matches(|sign: char| !sign.is_alphanumeric());
        removed || memmem::find(section.as_bytes(), words.as_bytes()).is_none()
    };
    lines.iter().filter(is_new).map(String::as_str).collect()
}

struct SectionWriter<'a> {
    document: &'a Document,
    citations: &'a Citations,
    eol: &'static str,
    /// That of the headings that are written.
    language: &'static str,
    edits: Vec<Edit>,
}

impl SectionWriter<'_> {
    fn own_section(&self, own: OwnSection) -> Option<Span> {
        let is_it = |span: &&Span| {
            self.document.slice(**span).lines().next().is_some_and(|line| OwnSection::from_heading(line) == Some(own))
        };
        self.citations.own_sections.iter().find(is_it).copied()
    }

    /// Takes a section of an earlier run out.
    fn take(&mut self, section: Span) {
        let shown = section.start + self.document.slice(section).trim_end().len();
        let until = self.edits.iter().map(|edit| edit.span.start).filter(|start| *start >= shown).min();
        let taken = Span::new(section.start, until.unwrap_or(section.end).min(section.end));
        self.edits.retain(|edit| !taken.contains(edit.span));
        // A heading may stand right below a paragraph; what follows its section may not.
        let gap = if self.blank_line_stands_before(section.start) { "" } else { self.eol };
        self.edits.push(Edit::new(taken, gap, Cause::ReportWritten));
    }

    /// The heading of the draft's own list, as a line.
    fn own_heading(&self) -> String {
        // One that says nothing of sources was taken for a list's by what stands below it.
        let mut lists = self.citations.lists.iter().rev().filter(|list| list.is_named());
        let Some((list, title)) = lists.find_map(|list| Some((list, list.title.as_deref()?))) else {
            return format!("## {}", OwnSection::Sources.heading(self.language));
        };
        // One that is a paragraph stays as it is written: `**References**`, `Sources:`.
        let written = list.heading.filter(|_| list.level.is_none()).map(|span| self.document.slice(span).trim());
        let level = usize::from(list.level.unwrap_or(2));
        let anew = || format!("{} {}", "#".repeat(level), escape::inline(title));
        written.filter(|written| !written.contains('\n')).map_or_else(anew, str::to_owned)
    }

    /// Writes the list where it stands, unless it stays, and new sections before its heading.
    fn write_home(&mut self, home: usize, new: &str, lines: &str, rewrite: &Rewrite) {
        let list = &self.citations.lists[home];
        let text = self.document.text();
        let sources = OwnSection::Sources.heading(self.language);
        let parts = list.parts(self.document);
        let entries = parts.get(usize::from(list.heading.is_some())..).filter(|_| !rewrite.spares_list);
        let mut entries = entries.unwrap_or_default();
        if let [first, rest @ ..] = entries {
            let written = if list.heading.is_some() || rewrite.form == CitationForm::Footnotes {
                lines.to_owned()
            } else {
                format!("## {sources}{eol}{eol}{lines}", eol = self.eol)
            };
            // The line ends of a list that says the same stay as they are.
            let plain = |text: &str| text.trim_end().replace("\r\n", "\n").replace('\r', "\n");
            if plain(first.slice(text)) != plain(&written) {
                // A definition may stand right below others; below an item a line that stays would go on with that.
                let below = text[first.end..].trim_start_matches([' ', '\t', '\r']).strip_prefix('\n');
                let goes_on = below.is_some_and(|below| {
                    let start = text.len() - below.len();
                    let goes = entries.iter().any(|entry| entry.start <= start && start < entry.end);
                    !goes && below.lines().next().is_some_and(|line| !line.trim().is_empty())
                });
                let written = if goes_on { written + self.eol } else { written };
                self.edits.push(Edit::new(*first, written, Cause::SourcesWritten));
            }
            entries = rest;
        }
        for entry in entries {
            self.edits.push(Edit::new(*entry, "", Cause::SourcesWritten));
        }
        if !new.is_empty() {
            let top = list.heading.unwrap_or(list.span).start;
            let top = self.own_section(OwnSection::Notes).map_or(top, |notes| notes.start.min(top));
            let at = lines::line_start(text, top);
            let gap = if self.blank_line_stands_before(at) { "" } else { self.eol };
            // A fence that an agent forgot holds the list: what cited writes is no code.
            let close = unclosed(self.document, at).map_or_else(String::new, |close| close + self.eol + self.eol);
            self.edits.push(Edit::new(Span::at(at), format!("{gap}{close}{new}"), Cause::ReportWritten));
        }
    }

    /// Puts `tail` after the text that stays, which ends at `body_end`; with no tail nothing changes there.
    fn append(&mut self, mut body_end: usize, tail: &str) {
        if tail.is_empty() {
            return;
        }
        let (text, eol) = (self.document.text(), self.eol);
        // A block that nothing ends is closed.
        let close = unclosed(self.document, body_end).map(|close| format!("{eol}{close}")).unwrap_or_default();
        let stays = |edit: &Edit| edit.span.start < body_end || (edit.span.is_empty() && edit.span.start == body_end);
        self.edits.retain(stays);
        // A section of an earlier run that moves may end with the text that stays.
        while let Some(at) = self.edits.iter().position(|edit| edit.span.end >= body_end && edit.span.start < body_end)
        {
            if !self.edits[at].replacement.trim().is_empty() {
                self.edits[at].span.end = body_end;
                break;
            }
            body_end = lines::trim_end(&text[..self.edits.remove(at).span.start]).len();
        }
        let is_first = text[..body_end].trim_start_matches('\u{feff}').is_empty();
        let gap = if is_first { String::new() } else { eol.repeat(2) };
        let reports = tail.lines().any(is_own_section);
        let because = if reports { Cause::ReportWritten } else { Cause::SourcesWritten };
        self.edits.push(Edit::new(Span::new(body_end, text.len()), format!("{close}{gap}{tail}{eol}"), because));
    }

    /// Whether the text that stays before `at` ends with an empty line, or there is none.
    fn blank_line_stands_before(&self, at: usize) -> bool {
        let mut end = at;
        while let Some(edit) = self.edits.iter().find(|edit| edit.span.end == end && edit.span.start < end) {
            if !edit.replacement.is_empty() {
                return edit.replacement.trim().is_empty();
            }
            end = edit.span.start;
        }
        let before = self.document.text()[..end].trim_start_matches('\u{feff}');
        let line = before.trim_end_matches([' ', '\t']);
        line.is_empty() || line[line.trim_end_matches(['\n', '\r']).len()..].matches('\n').count() > 1
    }
}

#[cfg(test)]
mod tests {
    use super::{
        SourceRecord, address, escape_reason, not_written_yet, remark, source_lines, unclosed, without_address,
    };
    use cited_core::address::identity::key_of;
    use cited_core::citation::remark::Remark;
    use cited_core::citation::written::ListLayout;
    use cited_core::citation::{Label, list};
    use cited_core::decide::CitationForm;
    use cited_core::markdown::Document;
    use cited_core::outcome::{ArchiveCopy, Outcome};

    fn source(number: u32, (title, url): (&str, &str), outcome: Outcome) -> SourceRecord {
        let copy = || ArchiveCopy {
            url: format!("https://web.archive.org/web/20240301120000/{url}"),
            taken: "2024-03-01T12:00:00Z".parse().unwrap(),
            original: url.to_owned(),
        };
        SourceRecord {
            number: Some(number),
            title: title.to_owned(),
            url: url.to_owned(),
            key: key_of(url),
            aliases: Vec::new(),
            origins: Vec::new(),
            entry_notes: Vec::new(),
            work: None,
            retracted: None,
            outcome,
            reason: "HTTP 403 (a *wall*): see [1]".to_owned(),
            rule: String::new(),
            signs: Vec::new(),
            others: Vec::new(),
            hops: Vec::new(),
            final_url: None,
            archive: (outcome == Outcome::Archived).then(copy),
            kept: None,
        }
    }

    /// What is written of a source is read back as that: the address that is shown, the page of which a copy is shown, and why nobody
    /// could look, for all outcomes, forms and layouts.
    #[test]
    fn what_is_written_of_a_source_is_read_back() {
        let layouts = [
            "1. A — https://a.example/\n2. B — https://b.example/",
            "[1] A. https://a.example/\n[2] B. https://b.example/",
            "1. [A](https://a.example/)\n2. [B](https://b.example/)",
            "[1] https://a.example/ - A\n[2] https://b.example/ - B",
            "- [1] A: https://a.example/\n- [2] B: https://b.example/",
        ];
        let layouts = layouts.map(|text| {
            let document = Document::read(format!("## Sources\n\n{text}\n"));
            ListLayout::detect(&document, &list::lists_of(&document))
        });
        let named = [
            ("Harbour news", "https://harbour.example/news?utm_source=chatgpt.com"),
            ("harbour.example", "https://harbour.example/a_(b)?q=1&utm_medium=x#top"),
            ("The *loud* one (archived 2020)", "https://loud.example/x"),
            ("", "https://bare.example/index.html"),
        ];
        let forms = [CitationForm::Numeric, CitationForm::Kept, CitationForm::Footnotes];
        for &outcome in Outcome::ALL {
            for one in named {
                for (form, layout) in
                    forms.into_iter().flat_map(|form| layouts.iter().map(move |layout| (form, *layout)))
                {
                    let sources =
                        [source(1, one, outcome), source(2, ("Other", "https://other.example/"), Outcome::Live)];
                    let written: Vec<_> = sources.iter().map(|source| (source, None)).collect();
                    let lines = source_lines(&written, form, layout);
                    let text = match form {
                        CitationForm::Footnotes => format!("A[^1] b[^2].\n\n{lines}\n"),
                        CitationForm::Numeric | CitationForm::Kept => format!("## Sources\n\n{lines}\n"),
                    };
                    let document = Document::read(text.as_str());
                    let lists = list::lists_of(&document);
                    let [list] = lists.as_slice() else { panic!("{} lists in {text}", lists.len()) };
                    assert_eq!(list.entries.len(), 2, "{text}");
                    let entry = &list.entries[0];
                    assert_eq!(entry.label, Some(Label::Number(1)), "{text}");
                    assert_eq!(entry.addresses.first().map(String::as_str), Some(one.1), "{text}");
                    let copy = sources[0].archive.as_ref().map(|copy| copy.url.as_str());
                    assert_eq!(entry.addresses.get(1).map(String::as_str), copy, "{text}");
                    let read = Remark::read(document.slice(entry.span)).map(|(remark, _)| remark);
                    assert_eq!(
                        read.as_ref().map(Remark::written),
                        remark(&sources[0]).as_ref().map(Remark::written),
                        "{text}"
                    );
                }
            }
        }
    }

    #[test]
    fn an_address_is_no_markup() {
        let check = |url: &str, expected: &str| assert_eq!(address(url), expected);
        check("https://b.example/by-]generac/", "https://b.example/by-%5Dgenerac/");
        check("https://b.example/x];", "https://b.example/x];");
        check(
            "http://a.example/x![i](http://evil.example/p.png)",
            "http://a.example/x!%5Bi%5D(http://evil.example/p.png)",
        );
        check("http://a.example/x[click](javascript:alert(1))", "http://a.example/x%5Bclick%5D(javascript:alert(1))");
        check("http://a.example/x*em*", "http://a.example/x%2Aem%2A");
        check("http://a.example/a*b", "http://a.example/a%2Ab");
        check("http://a.example/~~x~~", "http://a.example/%7E%7Ex%7E%7E");
        check("https://a.example/~a#:~:text=2.6%20cups", "https://a.example/%7Ea#:~:text=2.6%20cups");
        check("http://a.example/<b>`c`", "http://a.example/%3Cb%3E%60c%60");
        check("http://a.example/{#a}/b|c", "http://a.example/%7B#a%7D/b%7Cc");
        // What makes no markup goes on as it was written.
        check(
            "https://a.example/~home/a_b_c/x?filter[name]=1&b=$5",
            "https://a.example/~home/a_b_c/x?filter[name]=1&b=$5",
        );
        check("https://a.example/Foo_(bar)!", "https://a.example/Foo_(bar)!");
        check("http://[::1]/x[1](y)", "http://[::1]/x%5B1%5D(y)");
    }

    #[test]
    fn what_nothing_ends_is_ended() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(unclosed(&Document::read(text), text.len()).as_deref(), expected, "{text}");
        };
        check("Words.\n\n````rust\nlet x;\n```", Some("````"));
        check("~~~\ncode\n~~~", None);
        check("<!-- a note\n\nmore", Some("-->"));
        check("<!-- a note -->", None);
        check("<SCRIPT>\nlet x = 1 > 2;", Some("</script>"));
        check("<pre>\nx", Some("</pre>"));
        check("<?php x", Some("?>"));
        check("<!DOCTYPE x", Some(">"));
        check("<div>\nx", None);
        check("Words.", None);
    }

    #[test]
    fn a_reason_is_no_markup() {
        let check = |reason: &str, expected: &str| assert_eq!(escape_reason(reason), expected);
        check("dead source: https://a.example/x_y (HTTP 404)", "dead source: https://a.example/x_y (HTTP 404)");
        check("citation [9] has no source entry", "citation [9] has no source entry");
        check("says ![i](http://evil.example/p.png) here", "says !\\[i\\](http://evil.example/p.png) here");
        check("![i](ftp://evil.example/p.png)", "!\\[i\\](ftp://evil.example/p.png)");
    }

    #[test]
    fn what_an_earlier_run_noted_is_known_by_its_words() {
        let noted = "- “It rose, and it fell” — dead source: https://a.example; weak: https://b.example\n";
        let new = |line: &str, removed| not_written_yet(noted, &[line.to_owned()], removed).len();
        assert_eq!(new("- “It rose, and it fell.” — weak: https://b.example", false), 0, "a clause behind it went");
        assert_eq!(new("- “It rose” — weak: https://c.example", false), 0, "one of its sentences");
        assert_eq!(new("- “It stayed” — weak: https://b.example", false), 1, "another claim");
        assert_eq!(new("- “It rose” — dead source: https://a.example", true), 1, "what went is added to");
    }

    #[test]
    fn a_title_is_without_the_address_behind_it() {
        let check = |title: &str, expected: &str| {
            assert_eq!(without_address(title, Some("http://a.example/x")).trim(), expected, "{title}");
        };
        check("Foo http://a.example/x", "Foo");
        check("http://a.example/x bar", "bar");
        check("Foo at http://b.example/", "Foo at http://b.example/");
        check("Foo", "Foo");
        check("http://a.example/x/http://a.example/x and http://a.example/x bar", "http://a.example/x/ and  bar");
        assert_eq!(without_address("Foo at http://b.example/, bar", None), "Foo at , bar");
    }
}
