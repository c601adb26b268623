//! Links as the only citations of a document: in one that lists nothing, those that close a sentence are its sources.

use super::marker::MarkerForm;
use super::read::{ends_in_leading_word, is_stop, near_end};
use super::scan::{Candidate, Shape};
use crate::markdown::{BlockKind, Document};
use crate::text::Span;
use crate::text::script::is_cjk;

/// The candidates without the links that only are links; those that cite are as good as known.
///
/// A link cites when it closes its sentence, and so do the others of that sentence: a claim with several links is not judged
/// by the last of them.
pub(super) fn cited(document: &Document, candidates: Vec<Candidate>) -> Vec<Candidate> {
    let text = document.text();
    let places: Vec<Place> = candidates.iter().map(|c| place(document, c)).collect();
    // Where another sentence follows, the link could as well begin it: then one that ends a block shows how the document cites.
    let cites_behind = places.contains(&Place::Last);
    let mut cites = vec![false; candidates.len()];
    for i in (0..candidates.len()).rev() {
        let c = &candidates[i];
        let leads_to_one = || {
            let next = candidates.get(i + 1).filter(|next| cites[i + 1] && next.block == c.block);
            next.and_then(|next| text.get(c.span.end..next.span.start)).is_some_and(|gap| !ends_a_sentence(gap))
        };
        cites[i] = match places[i] {
            Place::Nowhere => false,
            Place::Closing | Place::Last => true,
            Place::Between => cites_behind,
            Place::Inside => leads_to_one(),
        };
    }
    let mut found = Vec::with_capacity(candidates.len());
    for ((mut c, cites), place) in candidates.into_iter().zip(cites).zip(places) {
        if c.shape == Shape::Unlisted && !cites {
            continue;
        }
        if c.shape == Shape::Unlisted {
            c.shape = Shape::Known;
        }
        // An address has no words that could be part of its sentence, unless they lead to it: *is at https://…*.
        c.standalone |= c.form == MarkerForm::Address && place != Place::Inside && cites && !is_led_to(document, &c);
        found.push(c);
    }
    found
}

fn is_led_to(document: &Document, c: &Candidate) -> bool {
    let content = document.content_span(c.block);
    let before = near_end(Span::new(content.start.min(c.span.start), c.span.start).of(document.text()));
    let lead = before.trim_end_matches([' ', '\n', '\r', '\t', '(', '（', '*', '_', '<']);
    lead.ends_with([':', '：', '-', '–', '—']) || ends_in_leading_word(lead)
}

/// Where a link stands in its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// There is nothing that it could cite for.
    Nowhere,
    /// Before the stop, or where there is no stop before the end.
    Closing,
    /// Behind the stop of the last sentence of its block.
    Last,
    /// Behind a stop, with another sentence behind it.
    Between,
    /// More of its sentence follows.
    Inside,
}

/// Signs between a link and the end of its sentence.
fn closes(c: char) -> bool {
    matches!(c, ')' | '）' | ']' | '*' | '_' | '"' | '”' | '’' | '»' | '」' | '>')
}

fn place(document: &Document, c: &Candidate) -> Place {
    let text = document.text();
    let content = document.content_span(c.block);
    let before = Span::new(content.start.min(c.span.start), c.span.start).of(text);
    let after = Span::new(c.span.end, content.end.max(c.span.end)).of(text);
    let in_heading = matches!(document.block(c.block).kind, BlockKind::Heading(_));
    if in_heading || !before.contains(char::is_alphanumeric) {
        return Place::Nowhere;
    }
    let behind = after.trim_start_matches(closes);
    let lead = before.trim_end_matches([' ', '\n', '\r', '\t', '(', '（', '[', '*', '_', '<']);
    if lead.ends_with(is_stop) && lead.len() < before.len() || lead.ends_with(['。', '！', '？']) {
        if behind.trim_matches([' ', '\n', '\r', '.', '。']).is_empty() {
            return Place::Last;
        }
        let next = behind.trim_start().chars().next();
        let parted = behind.starts_with(char::is_whitespace) || next.is_some_and(is_cjk);
        return match next.filter(|_| parted) {
            Some(next) if next.is_uppercase() || is_cjk(next) => Place::Between,
            _ => Place::Inside,
        };
    }
    if behind.trim().is_empty() || behind.starts_with('|') || begins_with_a_stop(behind) {
        return Place::Closing;
    }
    Place::Inside
}

fn begins_with_a_stop(text: &str) -> bool {
    let rest = text.trim_start_matches(is_stop);
    let end = text.len() - rest.len();
    end > 0 && ends_a_sentence(&text[..end]) && {
        let rest = rest.trim_start_matches(closes);
        rest.is_empty() || rest.starts_with(char::is_whitespace) || rest.starts_with(is_cjk) || !text[..end].is_ascii()
    }
}

/// Whether a sentence ends in a text: a stop with white space or nothing behind it, or one that wants none.
fn ends_a_sentence(text: &str) -> bool {
    text.char_indices().filter(|(_, c)| is_stop(*c)).any(|(at, c)| {
        let rest = text[at + c.len_utf8()..].trim_start_matches(closes);
        !c.is_ascii() || rest.is_empty() || rest.starts_with(char::is_whitespace)
    })
}
