//! Sources as a list: number, title, address, what asking gave and how, what stands on each.

use maud::{Markup, html};

use super::{address, counted, direction, shown};
use crate::html::{Tone, sign, words};
use cited_core::outcome::{Hop, Kept, Outcome};

/// A source as a list shows it.
pub struct Shown<'a> {
    /// What names it on the page.
    pub anchor: String,
    /// Its number in the brief.
    pub number: Option<u32>,
    /// Its title.
    pub title: &'a str,
    /// Its address.
    pub url: &'a str,
    /// Its other addresses.
    pub aliases: &'a [String],
    /// Where it was listed: file and label.
    pub origins: &'a [(String, String)],
    /// What asking gave.
    pub outcome: Outcome,
    /// Why, in words.
    pub reason: &'a str,
    /// The rule that decided, and the signs that it rests on.
    pub rule: &'a str,
    /// See `rule`.
    pub signs: &'a [String],
    /// Every request on the way.
    pub hops: &'a [Hop],
    /// Where it has moved to.
    pub moved_to: Option<&'a str>,
    /// The copy that stands in for it.
    pub copy: Option<(&'a str, String)>,
    /// What became of having an archive keep it.
    pub kept: Option<&'a Kept>,
    /// What else is worth telling, in words.
    pub remarks: Vec<String>,
    /// SHA-256 of its text.
    pub text_sha256: Option<&'a str>,
    /// The claims that stand on it, by their names on the page.
    pub claims: Vec<&'a str>,
}

/// What an outcome means for whoever stands on the source.
pub fn tone(outcome: Outcome) -> Tone {
    match outcome {
        Outcome::Live => Tone::Good,
        Outcome::Moved | Outcome::Archived => Tone::Doubtful,
        Outcome::Dead => Tone::Bad,
        Outcome::Restricted
        | Outcome::Blocked
        | Outcome::Unreachable
        | Outcome::Unreadable
        | Outcome::Refused
        | Outcome::Unasked => Tone::Neutral,
    }
}

/// An outcome as a badge.
pub fn badge(outcome: Outcome) -> Markup {
    let tone = tone(outcome);
    html! { b.(tone.class()) { (sign(tone)) " " (outcome.as_str()) } }
}

/// Sources, one under the other.
pub fn list(sources: &[Shown<'_>]) -> Markup {
    html! {
        @if sources.is_empty() {
            p.empty { "No source is known." }
        } @else {
            ol.sources { @for source in sources { (one(source)) } }
        }
    }
}

fn one(source: &Shown<'_>) -> Markup {
    let title = if source.title.is_empty() { source.url } else { source.title };
    let more = !source.hops.is_empty()
        || !source.aliases.is_empty()
        || !source.origins.is_empty()
        || source.text_sha256.is_some();
    html! {
        li.source #(source.anchor) {
            span.no { @if let Some(number) = source.number { (number) } @else { span title="not cited in the brief" { "–" } } }
            div.what {
                h3 dir=[direction(title)] { (shown(title)) }
                @if !source.title.is_empty() { p { (address(source.url)) } }
                p.state { (badge(source.outcome)) " " (shown(source.reason)) }
                @if let Some(to) = source.moved_to { p { "Now at " (address(to)) } }
                @if let Some((url, taken)) = &source.copy { p { "Copy of " (taken) ": " (address(url)) } }
                @match source.kept {
                    Some(Kept::Had(copy)) => p { "An archive has it: " (address(&copy.url)) },
                    Some(Kept::Taken(copy)) => p { "An archive took a copy: " (address(&copy.url)) },
                    Some(Kept::Not { reason }) => p { "No archive has it: " (shown(reason)) },
                    None => {},
                }
                @for remark in &source.remarks { p.remark dir="auto" { (shown(remark)) } }
                @if !source.claims.is_empty() {
                    details.stands {
                        summary { (counted(source.claims.len(), "claim stands on it", "claims stand on it")) }
                        p { @for (i, claim) in source.claims.iter().enumerate() {
                            @if i > 0 { ", " }
                            a href={ "#" (claim) } { (claim) }
                        } }
                    }
                }
                @if more { details { summary { "How it was asked" } (asked(source)) } }
            }
        }
    }
}

/// What the rule found that decided on an outcome, and the signs that it rests on, in words.
pub fn found(rule: &str, signs: &[String]) -> Markup {
    html! {
        bdi { (shown(words::rule(rule).unwrap_or(rule))) }
        @for sign in signs { "; " bdi { (shown(&words::sign(sign).unwrap_or_else(|| sign.clone()))) } }
    }
}

fn asked(source: &Shown<'_>) -> Markup {
    html! {
        @if !source.hops.is_empty() {
            ol.hops {
                @for hop in source.hops {
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
            @if !source.rule.is_empty() { dt { "Decided by" } dd { (found(source.rule, source.signs)) " " code { (shown(source.rule)) @for sign in source.signs { " " (shown(sign)) } } } }
            @if let Some(hash) = source.text_sha256 { dt { "Text, SHA-256" } dd.hash { (shown(hash)) } }
            @if !source.aliases.is_empty() { dt { "Also at" } dd { @for alias in source.aliases { (address(alias)) br; } } }
            @if !source.origins.is_empty() {
                dt { "Listed in" }
                dd { @for (i, (file, label)) in source.origins.iter().enumerate() {
                    @if i > 0 { "; " }
                    bdi { (shown(file)) } " " bdi { (shown(label)) }
                } }
            }
        }
    }
}
