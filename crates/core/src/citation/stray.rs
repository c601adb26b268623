//! Numbers of a text that a reader takes for citations of its list, and that are none which cited reads and writes.

use super::brackets;
use super::form;
use super::label::Label;
use super::marker::{Citations, MarkerForm, Placement};
use super::members::Member;
use super::plain;
use crate::markdown::{Document, Inline, InlineKind, Link, LinkStyle};
use cited_text::Span;

/// Such a number, or several in one pair of brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stray {
    /// Where it stands.
    pub span: Span,
    /// What it says.
    pub numbers: Vec<u32>,
    /// Where the words lead, when they are a link's: it says which work is meant, whatever the number.
    pub address: Option<String>,
}

/// The stray numbers of a document, in order.
pub fn strays(document: &Document, citations: &Citations) -> Vec<Stray> {
    let text = document.text();
    let held = citations.held();
    let is_free = |span: Span| !held.overlap(span) && citations.marker_over(span).is_none();
    let mut found: Vec<Stray> = Vec::new();
    let mut keep = |span: Span, numbers: Vec<u32>| {
        if is_free(span) {
            found.push(Stray { span, numbers, address: None });
        }
    };
    for (block, _) in document.leaves() {
        let inlines = document.inlines(block);
        for (i, inline) in inlines.iter().enumerate() {
            if inline.kind != InlineKind::Text || inline.link.is_some() {
                continue;
            }
            let raised = i.checked_sub(1).and_then(|open| raised_on_a_value(document, inlines.get(open..i + 2)?));
            if let Some((span, numbers)) = raised {
                keep(span, numbers);
            }
            for at in inline.span.slice(text).match_indices(brackets::opens).map(|(at, _)| inline.span.start + at) {
                if let Some((span, numbers)) = numbers_at(text, at, inline.span) {
                    keep(span, numbers);
                }
            }
        }
    }
    let entries = citations.lists.iter().flat_map(|list| &list.entries);
    let highest = entries.filter_map(|entry| entry.label.as_ref()?.number()).max();
    // Behind stops plain numbers stand, and what a brief has in their place.
    let cites_plainly = citations.placement == Placement::AfterStop
        || citations.markers.iter().any(|marker| marker.form == MarkerForm::Plain);
    for (span, numbers) in plain::unread(document, highest.unwrap_or_default(), cites_plainly, is_free) {
        keep(span, numbers);
    }
    let is_inline = |link: &&Link| link.style == LinkStyle::Inline && !link.image;
    for link in document.links().iter().filter(is_inline).filter(|link| is_free(link.span)) {
        if let Some(Label::Number(number)) = Label::parse(document.slice(link.text)) {
            found.push(Stray { span: link.span, numbers: vec![number], address: Some(link.address.clone()) });
        }
    }
    found.sort_by_key(|stray| stray.span.start);
    found
}

/// The numbers in the brackets at `at`. Escaped brackets are text by their author's own sign.
fn numbers_at(text: &str, at: usize, inline: Span) -> Option<(Span, Vec<u32>)> {
    let token = form::token_at(text, at, inline.end)?;
    let numbers = token.members.into_iter().flat_map(|member| match member {
        Member::One(Label::Number(number)) => vec![Some(number)],
        Member::Range(from, to) => vec![Some(from), Some(to)],
        Member::One(Label::Name(_)) => vec![None],
    });
    Some((token.span, numbers.collect::<Option<Vec<u32>>>()?))
}

/// The number in `<sup>2</sup>` behind a value, which may be a power or a citation: *1.21<sup>2</sup>*. Those of ten are powers.
fn raised_on_a_value(document: &Document, inlines: &[Inline]) -> Option<(Span, Vec<u32>)> {
    let [open, inner, close] = inlines else { return None };
    let is = |inline: &Inline, tag: &str| document.slice(inline.span).eq_ignore_ascii_case(tag);
    let before = &document.text()[..open.span.start];
    let number = before.rsplit(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',')).next()?;
    let Some(Label::Number(value)) = Label::parse(document.slice(inner.span)) else { return None };
    let may_cite =
        is(open, "<sup>") && is(close, "</sup>") && number != "10" && number.ends_with(|c: char| c.is_ascii_digit());
    may_cite.then(|| (open.span.cover(close.span), vec![value]))
}
