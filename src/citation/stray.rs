//! Numbers of a text that a reader takes for citations of its list, and that are none which cited reads and writes.

use super::form::{self, Lexed};
use super::label::Label;
use super::marker::{Citations, MarkerForm};
use super::members::Member;
use super::plain;
use super::read::held_spans;
use crate::markdown::{Document, InlineKind};
use crate::text::Span;

/// Such a number, or several in one pair of brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stray {
    pub(crate) span: Span,
    pub(crate) numbers: Vec<u32>,
}

/// The stray numbers of a document, in order.
pub(crate) fn strays(document: &Document, citations: &Citations) -> Vec<Stray> {
    let text = document.text();
    let held = held_spans(&citations.lists, &citations.own_sections);
    let is_free = |span: Span| {
        let after = held.partition_point(|held| held.start < span.end);
        let is_held = after > 0 && held[after - 1].end > span.start;
        let at = citations.markers.partition_point(|marker| marker.span.end <= span.start);
        !is_held && citations.markers.get(at).is_none_or(|marker| marker.span.start >= span.end)
    };
    let mut found: Vec<Stray> = Vec::new();
    let mut keep = |span: Span, numbers: Vec<u32>| {
        if is_free(span) {
            found.push(Stray { span, numbers });
        }
    };
    for (block, _) in document.leaves() {
        for inline in
            document.inlines(block).iter().filter(|inline| inline.kind == InlineKind::Text && inline.link.is_none())
        {
            for at in inline.span.of(text).match_indices(['[', '【', '［']).map(|(at, _)| inline.span.start + at) {
                if let Some((span, numbers)) = numbers_at(text, at, inline.span) {
                    keep(span, numbers);
                }
            }
        }
    }
    if citations.markers.iter().any(|marker| marker.form == MarkerForm::Plain) {
        let labels = citations.lists.iter().flat_map(|list| &list.entries).filter_map(|entry| entry.label.as_ref());
        let highest =
            labels.filter_map(|label| if let Label::Number(number) = label { Some(*number) } else { None }).max();
        for (span, numbers) in plain::unread(document, highest.unwrap_or_default(), is_free) {
            keep(span, numbers);
        }
    }
    found.sort_by_key(|stray| stray.span.start);
    found
}

/// The numbers in the brackets at `at`. Escaped brackets are text by their author's own sign.
fn numbers_at(text: &str, at: usize, inline: Span) -> Option<(Span, Vec<u32>)> {
    let Lexed::Token(token) = form::token_at(text, at, inline.end) else { return None };
    let numbers = token.members.into_iter().flat_map(|member| match member {
        Member::One(Label::Number(number)) => vec![Some(number)],
        Member::Range(from, to) => vec![Some(from), Some(to)],
        Member::One(Label::Name(_)) => vec![None],
    });
    Some((token.span, numbers.collect::<Option<Vec<u32>>>()?))
}
