//! Repair of documents: a new or archived address in the place of one that is gone, as edits on byte spans.
//!
//! Only addresses change, and behind an entry of a source list the note `(archived DAY; original ADDRESS)` that `verify` writes there, too.
//! Every other byte stays as it is. What was edited is read again and compared with what was meant: an edit that would change more than
//! its address is not made. A document that was repaired once has nothing left to edit.
//!
//! What is code, metadata or a name (`doi:…`) is no link and stays.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use url::Url;

use super::AuditReport;
use super::report::Remedy;
use super::state::State;
use cited_core::address::identity::{Key, is_archived, key_of};
use cited_core::address::in_text;
use cited_core::citation::bare_address::bare_in;
use cited_core::citation::layout::shows_copy;
use cited_core::citation::remark::Remark;
use cited_core::citation::{self, KnownLabels, ListKind};
use cited_core::decide::{Cause, Edit, apply};
use cited_core::markdown::{Block, Document, InlineKind, Link, LinkStyle};
use cited_text::{Span, escape};

/// What stands in for an address: where the page is now, or a copy with when it was taken.
type Replacement = (Url, Option<Timestamp>);

/// What to write in the place of which addresses.
#[derive(Debug, Clone, Default)]
pub struct Repairs(HashMap<Key, Replacement>);

/// A document that was repaired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// Its text.
    pub text: String,
    /// What was changed, in order.
    pub edits: Vec<Edit>,
    /// Addresses that were left as they are because the document would have been read otherwise.
    pub left: Vec<String>,
}

impl Repairs {
    /// What a report says can be written: the new address of what has moved, the archived copy of what is rotten. A page that drifted is
    /// there: whether an older copy of it is meant is for its reader to say.
    pub fn from_report(report: &AuditReport) -> Repairs {
        let mut all = HashMap::new();
        for entry in &report.entries {
            let (address, taken) = match (&entry.remedy, entry.source.state) {
                (Remedy::NewAddress { address }, State::Moved) => (address, None),
                (Remedy::ArchivedCopy { address, taken }, State::Rotten) => (address, Some(*taken)),
                _ => continue,
            };
            let parsed = Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
            let Some(url) = parsed else { continue };
            let instead = (url, taken);
            all.insert(key_of(entry.source.address()), instead.clone());
            // The address that the archive took may be another one of the source.
            if let Some(copy) = entry.source.snapshot.as_ref().filter(|_| taken.is_some())
                && entry.source.addresses.contains(&copy.original)
            {
                all.insert(key_of(&copy.original), instead);
            }
        }
        Repairs(all)
    }

    /// What to write in the place of an address as it is written, with the part behind `#` that it has.
    fn find_replacement(&self, written: &str) -> Option<(&Replacement, String)> {
        if is_archived(written) {
            return None;
        }
        let instead = self.0.get(&key_of(written))?;
        let mut address = instead.0.clone();
        if address.fragment().is_none()
            && let Some((_, fragment)) = written.split_once('#').filter(|(_, fragment)| !fragment.is_empty())
        {
            address.set_fragment(Some(fragment));
        }
        let address = address.to_string();
        (address != written && *instead.0.as_str() != *written).then_some((instead, address))
    }

    /// The document with what can be repaired in it.
    pub fn repair(&self, text: &str) -> Repaired {
        let before = Document::read(text);
        let (mut kept, mut left) = (self.find(&before), Vec::new());
        // One of them may do more than it is meant to: then each is tried.
        if !is_read_alike(&before, &kept) {
            for change in std::mem::take(&mut kept) {
                kept.push(change);
                if !is_read_alike(&before, &kept) {
                    left.extend(kept.pop().map(|change| change.was));
                }
            }
            left.dedup();
        }
        let edits = edits_of(&kept);
        let text = apply(text, &edits).unwrap_or_else(|_| text.to_owned());
        Repaired { text, edits, left }
    }

    /// Every address that is to change, in order of place.
    fn find(&self, document: &Document) -> Vec<Change> {
        let citations = citation::read(document, &KnownLabels::default());
        let entries: Vec<(Span, ListKind)> =
            citations.lists.iter().flat_map(|list| list.entries.iter().map(|entry| (entry.span, list.kind))).collect();
        // An entry that shows a copy was repaired before; its note names the address that is gone.
        let repaired: Vec<Span> =
            entries.iter().map(|(span, _)| *span).filter(|span| shows_copy(document.slice(*span))).collect();
        let mut noted: Vec<Span> = Vec::new();
        let mut changes = Vec::new();
        for at in find_addresses(document) {
            if repaired.iter().any(|entry| entry.contains(at.span)) {
                continue;
            }
            let was = at.address.as_str();
            let Some((instead, now)) = self.find_replacement(was) else { continue };
            let Some(token) = at.style.token(&now).filter(|token| token != document.slice(at.span)) else { continue };
            let now = in_text::unescaped(&token);
            let mut edits = vec![Edit::new(at.span, token.clone(), Cause::AddressReplaced)];
            if let Some(words) = at.shown.filter(|_| instead.1.is_none()) {
                edits.push(Edit::new(words, token.clone(), Cause::AddressReplaced));
            }
            let entry = entries
                .iter()
                .find(|(span, kind)| span.contains(at.span) && matches!(kind, ListKind::Lines | ListKind::Footnotes));
            if let (Some((entry, _)), (_, Some(taken))) = (entry, instead)
                && !noted.contains(entry)
            {
                noted.push(*entry);
                edits.push(note(document, *entry, at.span, was, *taken));
            }
            changes.push(Change { was: was.to_owned(), now, edits });
        }
        changes
    }
}

/// One address that changes, with its note.
#[derive(Debug, Clone)]
struct Change {
    was: String,
    now: String,
    edits: Vec<Edit>,
}

/// How an address is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// As it is, in the text.
    Bare,
    /// The target of a link or definition, and an address in `<…>`.
    Target,
    /// The value of an attribute.
    Attribute,
}

impl Style {
    /// An address as it is written so; nothing when it cannot be.
    fn token(self, address: &str) -> Option<String> {
        let is_balanced = address
            .bytes()
            .try_fold(0usize, |depth, byte| match byte {
                b'(' => Some(depth + 1),
                b')' => depth.checked_sub(1),
                _ => Some(depth),
            })
            .is_some_and(|depth| depth == 0);
        // What Markdown or HTML would read as a sign of its own is written by its number, which means the same to the server.
        let mut out = String::with_capacity(address.len());
        // Only a host may have square brackets.
        let host_end = address.find("://").map_or(0, |at| at + 3);
        let host_end = host_end + address[host_end..].find(['/', '?', '#']).unwrap_or(0);
        for (at, c) in address.char_indices() {
            let sign =
                matches!(c, '\\' | '`' | '|' | '<' | '>' | '"' | '\'' | '^' | '{' | '}' | '*') || c.is_whitespace();
            let bracket = matches!(c, '(' | ')') && !is_balanced && self != Style::Attribute
                || matches!(c, '[' | ']') && at >= host_end;
            if escape::is_unsafe(c) {
                return None;
            } else if sign || bracket {
                c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| out.push_str(&format!("%{byte:02X}")));
            } else if c == '&' && self == Style::Attribute {
                out.push_str("&amp;");
            } else {
                out.push(c);
            }
        }
        if self == Style::Bare {
            // Punctuation at the end would be the sentence's.
            while let Some(last) = out.chars().next_back().filter(|_| in_text::trim_end(&out).len() < out.len()) {
                out.truncate(out.len() - last.len_utf8());
                out.push_str(&format!("%{:02X}", u32::from(last) & 0xff));
            }
        }
        Some(out)
    }
}

/// An address in a document.
#[derive(Debug, Clone)]
struct Mention {
    /// The bytes of the address.
    span: Span,
    /// The address that they mean.
    address: String,
    style: Style,
    /// The words of the link, when they are the address again.
    shown: Option<Span>,
}

/// Every address that a document links to or shows, in order of place.
fn find_addresses(document: &Document) -> Vec<Mention> {
    let is_written = |link: &&Link| !link.image && matches!(link.style, LinkStyle::Autolink | LinkStyle::Inline);
    let linked = document.links().iter().filter(is_written).map(|link| (link.span, &link.address, Some(link.text)));
    let defined = document.definitions.iter().map(|definition| (definition.span, &definition.address, None));
    let target = |(whole, address, words): (Span, &String, Option<Span>)| {
        let span = find_target(document, whole, address)?;
        let style = if span == whole { Style::Bare } else { Style::Target };
        let shown = words.filter(|words| *words != span && document.slice(*words) == document.slice(span));
        Some(Mention { span, address: address.clone(), style, shown })
    };
    let mut all: Vec<Mention> = linked.chain(defined).filter_map(target).collect();
    for (id, _) in document.leaves() {
        let bare = bare_in(document, document.content_span(id)).into_iter();
        all.extend(bare.map(|(span, address)| Mention { span, address, style: Style::Bare, shown: None }));
        let tags =
            document.inlines(id).iter().filter(|inline| inline.kind == InlineKind::Html && inline.link.is_none());
        all.extend(tags.filter_map(|tag| in_tag(document, tag.span)));
    }
    all.sort_by_key(|at| at.span.start);
    // What an address holds, such as that of a copy, is none of its own.
    let mut end = 0;
    all.retain(|at| {
        let is_apart = at.span.start >= end;
        end = end.max(at.span.end);
        is_apart
    });
    all
}

/// Where a link or a definition has its target: the last place in it that means this address.
fn find_target(document: &Document, span: Span, address: &str) -> Option<Span> {
    let written = document.slice(span);
    let starts: Vec<usize> = in_text::starts(written).collect();
    starts.into_iter().rev().find_map(|start| {
        let rest = &written[start..];
        let ends = [rest.find(char::is_whitespace), rest.find('>'), rest.rfind(')'), Some(rest.len())];
        let is_it = |end: &usize| rest[..*end] == *address || in_text::unescaped(&rest[..*end]) == *address;
        let end = start + ends.into_iter().flatten().find(is_it)?;
        Some(Span::new(span.start + start, span.start + end))
    })
}

/// The address that a tag of HTML leads to.
fn in_tag(document: &Document, span: Span) -> Option<Mention> {
    let tag = document.slice(span);
    let lower = tag.to_ascii_lowercase();
    let start = lower.starts_with("<a ").then(|| lower.find("href=\""))?? + "href=\"".len();
    let length = tag.get(start..)?.find('"')?;
    let span = Span::new(span.start + start, span.start + start + length);
    let address = document.slice(span).replace("&amp;", "&");
    Some(Mention { span, address, style: Style::Attribute, shown: None })
}

/// The note behind an entry whose address became that of a copy. A note that an earlier run left there goes.
fn note(document: &Document, entry: Span, at: Span, was: &str, taken: Timestamp) -> Edit {
    let text = document.text();
    let leaf = document.leaves().filter(|(_, block)| block.span.contains(at)).last();
    let end = leaf.map_or(entry.end, |(id, _)| document.content_span(id).end.min(entry.end)).max(at.end);
    // The bracket of a link belongs to it.
    let rest = Span::new(entry.start, end).slice(text);
    let kept = rest.trim_end_matches(['\\', ' ', '\t', '\n', '\r']);
    let own = Remark::read(kept).map(|(_, from)| from);
    let from = own.filter(|from| entry.start + from >= at.end).unwrap_or(kept.len());
    let day = taken.to_zoned(TimeZone::UTC).date();
    let original = Style::Bare.token(was).unwrap_or_default();
    let span = Span::new(entry.start + from, entry.start + kept.len());
    Edit::new(span, Remark::Archived { taken: Some(day), original: original.clone() }.written(), Cause::AddressReplaced)
}

/// Whether the edited text is read as it was but for the addresses that were meant to change.
fn is_read_alike(before: &Document, changes: &[Change]) -> bool {
    let Ok(text) = apply(before.written(), &edits_of(changes)) else { return false };
    let after = Document::read(text);
    let shape = |block: &Block| (std::mem::discriminant(&block.kind), block.parent, block.children.clone());
    let is_same_tree = before.blocks().map(|(_, one)| shape(one)).eq(after.blocks().map(|(_, other)| shape(other)));
    let is_same_links = before.links().iter().map(|link| link.style).eq(after.links().iter().map(|link| link.style));
    let is_same_definitions = before.definitions.len() == after.definitions.len();
    // Each address that was to change is there under its new name.
    let is_there = || {
        let now: Vec<Key> = find_addresses(&after).iter().map(|at| key_of(&at.address)).collect();
        changes.iter().all(|change| now.contains(&key_of(&change.now)))
    };
    is_same_tree && is_same_links && is_same_definitions && is_there()
}

/// The edits of changes, in order of place.
fn edits_of(changes: &[Change]) -> Vec<Edit> {
    let mut edits: Vec<Edit> = changes.iter().flat_map(|change| change.edits.clone()).collect();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    edits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const GONE: &str = "https://gone.example/a_b?x=1";
    const COPY: &str = "https://web.archive.org/web/20230105000000/https://gone.example/a_b?x=1";
    const OLD: &str = "https://old.example/p";
    const NEW: &str = "https://new.example/q";

    fn repairs() -> Repairs {
        let taken = Timestamp::from_second(1_672_876_800).unwrap();
        Repairs(HashMap::from([
            (key_of(GONE), (Url::parse(COPY).unwrap(), Some(taken))),
            (key_of(OLD), (Url::parse(NEW).unwrap(), None)),
        ]))
    }

    /// The text with `{gone}`, `{copy}`, `{old}`, `{new}` and `{note}` filled in.
    fn filled(text: &str) -> String {
        let note = format!(" (archived 2023-01-05; original {GONE})");
        text.replace("{gone}", GONE)
            .replace("{copy}", COPY)
            .replace("{old}", OLD)
            .replace("{new}", NEW)
            .replace("{note}", &note)
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let text = filled(text);
        let repaired = repairs().repair(&text);
        assert_eq!(repaired.text, filled(expected));
        assert_eq!(apply(&text, &repaired.edits).unwrap(), repaired.text);
        let again = repairs().repair(&repaired.text);
        assert_eq!((again.text, again.edits.len()), (repaired.text, 0), "a second run edits");
    }

    #[test]
    fn every_form_of_link() {
        check(
            "See [the page]({gone}) and [p]({old} \"Title\").\n",
            "See [the page]({copy}) and [p]({new} \"Title\").\n",
        );
        check("[p](<{old}>) [q]( {old} 'T' )\n", "[p](<{new}>) [q]( {new} 'T' )\n");
        check("[{old}]({old}) and [{gone}]({gone})\n", "[{new}]({new}) and [{gone}]({copy})\n");
        check("<{old}> and <{gone}>\n", "<{new}> and <{copy}>\n");
        check("See {old}, or ({gone}).\n", "See {new}, or ({copy}).\n");
        check(
            "[a][1] and [b]\n\n[1]: {gone} \"T\"\n[b]: <{old}>\n",
            "[a][1] and [b]\n\n[1]: {copy} \"T\"\n[b]: <{new}>\n",
        );
        check("x <a class=\"y\" href=\"{old}\">p</a>\n", "x <a class=\"y\" href=\"{new}\">p</a>\n");
        check("| a | b |\n|---|---|\n| {old} | [x]({gone}) |\n", "| a | b |\n|---|---|\n| {new} | [x]({copy}) |\n");
        check("> - {old}\r\n>   more\r\n", "> - {new}\r\n>   more\r\n");
        check("A claim.[^1]\n\n[^1]: A page. {gone}\n", "A claim.[^1]\n\n[^1]: A page. {copy}{note}\n");
    }

    #[test]
    fn entries_of_a_list_say_what_was_archived() {
        check(
            "A claim [1]. B [2].\n\n## Sources\n\n[1] A page. {gone}\n[2] Another. {old}\n",
            "A claim [1]. B [2].\n\n## Sources\n\n[1] A page. {copy}{note}\n[2] Another. {new}\n",
        );
        check(
            "A claim [1].\n\n## Sources\n\n1. [A page]({gone}), 2020\n",
            "A claim [1].\n\n## Sources\n\n1. [A page]({copy}), 2020{note}\n",
        );
        check(
            "A claim [1].\n\n## Sources\n\n1. A page — {gone} (dead: HTTP 404, no archive)\n",
            "A claim [1].\n\n## Sources\n\n1. A page — {copy}{note}\n",
        );
    }

    #[test]
    fn what_is_no_link_stays() {
        for text in [
            "`{gone}`\n",
            "```\n{gone}\n```\n",
            "    {gone}\n",
            "---\nurl: {gone}\n---\n\nx\n",
            "![a picture]({gone})\n",
            "{copy}\n",
            "A [1].\n\n## Sources\n\n1. A page — {copy}{note}\n",
            "{gone}x {gone}/more https://other.example/?u={gone}\n",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn the_part_behind_the_hash_stays() {
        check("[p]({old}#part) {old}#x.\n", "[p]({new}#part) {new}#x.\n");
    }

    #[test]
    fn an_address_from_outside_stays_one_address() {
        for hostile in [
            "https://new.example/a)b",
            "https://new.example/*x*`y`|z",
            "https://new.example/q?a=\"><script>.",
            "https://new.example/a(b(c)",
            "https://new.example/[x](y)",
        ] {
            let address = Url::parse(hostile).unwrap();
            let repairs = Repairs(HashMap::from([(key_of(OLD), (address.clone(), None))]));
            for text in [
                "a [p](OLD) b OLD. c <OLD> d\n",
                "[p]\n\n[p]: OLD\n",
                "| a |\n|---|\n| OLD |\n",
                "<a href=\"OLD\">x</a> y\n",
                "*OLD* **[x](OLD)**\n",
            ] {
                let text = text.replace("OLD", OLD);
                let repaired = repairs.repair(&text);
                assert!(repaired.left.is_empty(), "{hostile} in {text:?}: {repaired:?}");
                assert!(!repaired.text.contains(OLD) && !repaired.text.contains("<script"), "{}", repaired.text);
                assert_eq!(repairs.repair(&repaired.text).edits, [], "{}", repaired.text);
            }
        }
    }

    /// Pieces of documents, with and without the addresses.
    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("See [the page](GONE \"T\") and OLD.\n\n".to_owned()),
            Just("- <OLD>\n- GONE\n\n".to_owned()),
            Just("| a | b |\n|---|---|\n| GONE | x |\n\n".to_owned()),
            Just("> [x]\n\n[x]: GONE\n\n".to_owned()),
            Just("A claim [1] here.[^2]\n\n".to_owned()),
            Just("## Sources\n\n[1] A page. GONE\n[2] OLD\n\n".to_owned()),
            Just("[^2]: GONE\n\n".to_owned()),
            Just("```\nGONE\n```\n\n".to_owned()),
            "[ -~é\\n]{0,40}".prop_map(|text| text + "\n\n"),
        ];
        (proptest::collection::vec(piece, 0..8), any::<bool>()).prop_map(|(pieces, crlf)| {
            let text = pieces.concat().replace("GONE", GONE).replace("OLD", OLD);
            if crlf { text.replace('\n', "\r\n") } else { text }
        })
    }

    proptest! {
        #[test]
        fn outside_the_edits_nothing_changes_and_a_second_run_changes_nothing(text in pieces()) {
            let repaired = repairs().repair(&text);
            prop_assert_eq!(&apply(&text, &repaired.edits).unwrap(), &repaired.text);
            // Edits hold an address or a note, and nothing else.
            for edit in &repaired.edits {
                let was = edit.span.slice(&text);
                prop_assert!(was.is_empty() || was.starts_with("https://") || was.starts_with(" ("), "{:?}", was);
                let now = &edit.replacement;
                prop_assert!(now.starts_with("https://") || now.starts_with(" (archived "), "{:?}", now);
            }
            let kinds = |text: &str| Document::read(text).blocks().map(|(_, block)| format!("{:?}", block.kind)).collect::<Vec<_>>();
            prop_assert_eq!(kinds(&text), kinds(&repaired.text));
            let again = repairs().repair(&repaired.text);
            prop_assert_eq!(again.edits, []);
        }
    }
}
