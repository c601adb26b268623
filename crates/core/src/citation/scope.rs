//! Which part of a document a source list explains.

use std::collections::HashMap;

use super::brackets;
use super::label::Label;
use super::source_list::{Entry, ListKind, SourceList};
use crate::address::identity::key_of;
use crate::markdown::{Block, BlockKind, Document};
use cited_text::Span;

/// One list explains the whole document; lists whose labels mean different things explain their sections.
pub(super) fn set_scopes(document: &Document, lists: &mut [SourceList]) {
    if lists.len() < 2 || !labels_collide(lists) {
        return;
    }
    let end = document.text().len();
    let blocks = document.roots.iter().map(|id| document.block(*id));
    let level = |block: &Block| if let BlockKind::Heading(level) = block.kind { Some(level) } else { None };
    let headings: Vec<(usize, u8)> = blocks.filter_map(|block| Some((block.span.start, level(block)?))).collect();
    let mut before = 0;
    let last = lists.len() - 1;
    for (i, list) in lists.iter_mut().enumerate() {
        let start = list.heading.map_or(list.span.start, |heading| heading.start);
        // The section that holds the list begins at the heading above it of a lower level.
        let is_above = |(at, level): &&(usize, u8)| *at < start && list.level.is_none_or(|own| *level < own);
        let section = headings.iter().rev().find(is_above).filter(|(at, _)| *at >= before);
        let from = section.map_or(before, |(at, _)| *at);
        let ends = |(at, level): &&(usize, u8)| *at > list.span.end && section.is_some_and(|(_, own)| level <= own);
        let until = headings.iter().find(ends).map(|(at, _)| *at);
        let is_open = section.is_some() || i == last;
        let until = until.unwrap_or(if is_open { end } else { list.span.end });
        // Nothing between two lists is left without one.
        list.scope = Span::new(if i == 0 { from } else { from.min(start) }, until.max(list.span.end));
        let above = Span::new(list.scope.start.max(before).min(start), start);
        list.cited_above = document.slice(above).contains(|c| c == '^' || brackets::opens(c));
        before = list.span.end;
    }
    // A list in whose section nothing is cited explains what stands above the one before it, too; which of the two is meant, the writing of
    // their labels says.
    for i in 1..lists.len() {
        if lists[i].cited_above {
            continue;
        }
        let end = lists[i].span.end.max(lists[i - 1].scope.end);
        let scope = Span::new(lists[i - 1].scope.start, end);
        lists[i - 1].scope = scope;
        lists[i].scope = scope;
    }
}

fn labels_collide(lists: &[SourceList]) -> bool {
    let mut seen: HashMap<&Label, (usize, &Entry)> = HashMap::new();
    let lists = lists.iter().enumerate().filter(|(_, list)| list.kind != ListKind::Footnotes);
    let mut entries = lists.flat_map(|(i, list)| list.entries.iter().map(move |entry| (i, entry)));
    entries.any(|(i, entry)| {
        let Some(label) = &entry.label else { return false };
        let (other, first) = *seen.entry(label).or_insert((i, entry));
        other != i && !first.addresses.iter().any(|a| entry.addresses.iter().any(|b| key_of(a) == key_of(b)))
    })
}
