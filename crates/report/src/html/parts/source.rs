//! Sources as a list: number, title, address, what asking gave and how, what stands on each.

use maud::{Markup, html};

use super::{address, direction, shown};
use crate::record::{SourceRecord, Verification};
use crate::wording::{counted, day};
use crate::words::{self, Tone};
use cited_core::outcome::{Kept, Outcome};

/// What an outcome means for whoever stands on the source.
pub fn tone(outcome: Outcome) -> Tone {
    match outcome {
        Outcome::Live => Tone::Good,
        Outcome::Moved | Outcome::Archived => Tone::Doubtful,
        Outcome::Dead => Tone::Bad,
        _ => Tone::Neutral,
    }
}

/// An outcome as a badge, with the rule that decided.
pub fn badge(outcome: Outcome, rule: &str) -> Markup {
    let tone = tone(outcome);
    html! { b.(tone.class()) { (tone.sign()) " " (outcome.in_words(rule)) } }
}

/// A source in the list of them: its place there, from 1, names it on the page. With it the claims that stand on it.
pub fn render_source(place: usize, source: &SourceRecord, claims: &[&Verification]) -> Markup {
    let title = &source.title;
    let mut said =
        claims.iter().flat_map(|claim| &claim.sources_reconciled).filter(|said| said.source_url == source.url);
    let text_sha256 = said.find_map(|said| said.text_sha256.as_deref());
    html! {
        li.source #{ "s" (place) } {
            span.no { @if let Some(number) = source.number { (number) } @else { span title="not cited in the brief" { "–" } } }
            div.what {
                @if title.is_empty() { h3 { (address(&source.url)) } } @else {
                    h3 dir=[direction(title)] { (shown(title)) }
                    p { (address(&source.url)) }
                }
                p.state { (badge(source.outcome, &source.rule)) " " (shown(&source.reason)) }
                @if let Some(to) = &source.final_url { p { "Now at " (address(to)) } }
                @if let Some(copy) = &source.archive { p { "Copy of " (day(copy.taken)) ": " (address(&copy.url)) } }
                @match &source.kept {
                    Some(Kept::Had(copy)) => p { "An archive has it: " (address(&copy.url)) },
                    Some(Kept::Taken(copy)) => p { "An archive took a copy: " (address(&copy.url)) },
                    Some(Kept::Not { reason }) => p { "No archive has it: " (shown(reason)) },
                    None => {},
                }
                @if let Some(found) = &source.retracted { p.remark dir="auto" { (shown(&format!("{}: “{}”", found.fate, found.words))) } }
                @for differ in source.work.iter().flat_map(|look| &look.differs) { p.remark dir="auto" { "The entry differs: " (shown(&differ.to_string())) } }
                @for note in &source.entry_notes { p.remark dir="auto" { (shown(note)) } }
                @if !claims.is_empty() {
                    details.stands {
                        summary { "used by " (counted(claims.len(), "claim")) }
                        p { @for (i, claim) in claims.iter().enumerate() {
                            @if i > 0 { ", " }
                            a href={ "#" (claim.claim_id) } { (claim.claim_id) }
                        } }
                    }
                }
                details {
                    summary { "how it was checked" }
                    @if !source.hops.is_empty() {
                        ol.hops {
                            @for hop in &source.hops {
                                li {
                                    @if hop.url == source.url { "its address: " } @else { (address(&hop.url)) " " }
                                    @match (&hop.status, &hop.error) {
                                        (Some(status), _) => (status),
                                        (None, Some(error)) => (shown(error)),
                                        (None, None) => "no answer",
                                    }
                                    @if let Some(location) = &hop.location { " to " bdi.url { (shown(location)) } }
                                }
                            }
                        }
                    }
                    dl.facts {
                        @if !source.rule.is_empty() { dt { "Decided by" } dd { (render_rule(&source.rule, &source.signs)) " " code { (shown(&source.rule)) @for sign in &source.signs { " " (shown(sign)) } } } }
                        @if let Some(hash) = text_sha256 { dt { "Text, SHA-256" } dd.hash { (shown(hash)) } }
                    }
                }
            }
        }
    }
}

/// What the rule found that decided on an outcome, and the signs that it rests on, in words.
pub fn render_rule(rule: &str, signs: &[String]) -> Markup {
    html! {
        bdi { (shown(words::word("rule", rule).unwrap_or(rule))) }
        @for sign in signs { "; " bdi { (shown(&words::sign(sign).unwrap_or_else(|| sign.clone()))) } }
    }
}
