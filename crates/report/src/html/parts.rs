//! What the views of reports are made of.

use std::borrow::Cow;
use std::collections::HashSet;

use maud::{Markup, html};

use crate::record::{SourceRecord, Verification};
use crate::wording::{counted, day, grouped};
use crate::words::{self, Tone};
use cited_core::address::is_web;
use cited_core::outcome::{Kept, Outcome};
use cited_text::Span;
use cited_text::escape::is_unsafe;
use cited_text::words::{Word, words};

/// Text from outside without what reorders or hides text. The template escapes the rest.
pub fn shown(text: &str) -> Cow<'_, str> {
    if text.contains(is_unsafe) {
        text.chars().filter(|c| !is_unsafe(*c)).collect::<String>().into()
    } else {
        text.into()
    }
}

/// An address as a link that tells its target nothing; as text when it is none of the web.
pub fn address(url: &str) -> Markup {
    let url = shown(url);
    html! {
        @if is_web(&url) {
            a.url href=(url) rel="noreferrer" target="_blank" { (url) }
        } @else if !url.is_empty() {
            bdi.url { (url) }
        }
    }
}

/// Bars, one under the other: what each counts, how many, and how it is coloured. Those that count nothing are left out.
pub fn bars(title: &str, bars: impl IntoIterator<Item = (&'static str, usize, Tone)>) -> Markup {
    let bars: Vec<_> = bars.into_iter().filter(|(_, count, _)| *count > 0).collect();
    let most = bars.iter().map(|(_, count, _)| *count).max();
    html! {
        figure.chart {
            figcaption { (title) }
            @for (name, count, tone) in &bars {
                p { span { (name) } meter.(tone.class()) aria-label=(name) max=[most] value=(count) {} span { (grouped(count)) } }
            }
            @if bars.is_empty() { p.empty { "Nothing to count." } }
        }
    }
}

/// A line over time: the history of one count. `points` are in order, each with the name of its time.
pub fn history(title: &str, points: &[(String, usize)]) -> Markup {
    const WIDE: usize = 320;
    const HIGH: usize = 96;
    let most = points.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
    let steps = points.len().saturating_sub(1).max(1);
    let place =
        |(i, (_, count)): (usize, &(String, usize))| format!("{},{}", i * WIDE / steps, HIGH - count * HIGH / most);
    let line: Vec<String> = points.iter().enumerate().map(place).collect();
    let told: Vec<String> = points.iter().map(|(name, count)| format!("{name}: {count}")).collect();
    html! {
        figure.chart {
            @if let [(first, _), .., (last, count)] = points {
                figcaption { (title) ": " (count) " on " (last) }
                svg role="img" aria-label={ (title) ": " (told.join(", ")) } viewBox={ "0 -2 " (WIDE) " " (HIGH + 4) } {
                    polyline.line points=(line.join(" ")) fill="none" {}
                }
                p { "since " (first) }
            } @else {
                figcaption { (title) }
                p.empty { "Nothing to count." }
            }
        }
    }
}

/// Keys of words.
pub type Keys = HashSet<u64>;

/// The words of a text that say something.
pub fn keys(text: &str) -> Keys {
    pieces(text).into_iter().map(|word| word.key).collect()
}

/// The words of a text that say something, a number with its dividers as one: of 1.5 and 1.4 the 1 is nothing in common.
fn pieces(text: &str) -> Vec<Word> {
    let is_one = |a: &Word, b: &Word| a.number && b.number && matches!(a.span.until(b.span, text), "." | ",");
    let whole = |parts: &[Word]| Word {
        span: parts[0].span.cover(parts[parts.len() - 1].span),
        key: parts.iter().fold(0, |key: u64, part| key.rotate_left(5) ^ part.key),
        ..parts[0]
    };
    words(text).collect::<Vec<_>>().chunk_by(is_one).map(whole).filter(|word| !word.stop).collect()
}

/// A text with those of its words marked that another has, too: `others`. Those that follow each other are one mark.
pub fn marked(text: &str, others: &Keys) -> Markup {
    let mut runs: Vec<Span> = Vec::new();
    for Word { span, .. } in pieces(text).into_iter().filter(|word| others.contains(&word.key)) {
        // Pairs of characters of scripts without spaces overlap.
        match runs.last_mut().filter(|run| span.start <= run.end || text.get(run.end..span.start) == Some(" ")) {
            Some(run) => run.end = run.end.max(span.end),
            None => runs.push(span),
        }
    }
    let starts = std::iter::once(0).chain(runs.iter().map(|run| run.end));
    let rest = runs.last().map_or(0, |run| run.end);
    html! {
        @for (at, run) in starts.zip(&runs) { (shown(Span::new(at, run.start).slice(text))) mark { (shown(run.slice(text))) } }
        (shown(text.get(rest..).unwrap_or_default()))
    }
}

/// An outcome as a badge, with the rule that decided.
pub fn badge(outcome: Outcome, rule: &str) -> Markup {
    let tone = Tone::from(outcome);
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
                    h3 dir="auto" { (shown(title)) }
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
                        @if !source.rule.is_empty() { dt { "Decided by" } dd { (shown(words::word("rule", &source.rule).unwrap_or_default())) " " code { (shown(&source.rule)) @for sign in &source.signs { " " (shown(sign)) } } } }
                        @if let Some(hash) = text_sha256 { dt { "Text, SHA-256" } dd.hash { (shown(hash)) } }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_are_links() {
        assert!(address("https://a.example/").into_string().starts_with("<a "));
        for text in
            ["javascript:alert(1)", "data:text/html,x", "JaVaScRiPt:x", " https://a", "//a.example", "file:///etc"]
        {
            assert!(address(text).into_string().starts_with("<bdi"), "{text}");
        }
        assert_eq!(address("https://a/\"><script>").into_string().matches('<').count(), 2);
    }

    #[test]
    fn counts_are_told_as_people_read_them() {
        let told: Vec<String> = [0, 7, 999, 1000, 54_321, 1_234_567].into_iter().map(grouped).collect();
        assert_eq!(told, ["0", "7", "999", "1,000", "54,321", "1,234,567"]);
        assert_eq!(crate::wording::counted(5000, "claim"), "5,000 claims");
    }

    #[test]
    fn what_reorders_text_is_taken_out() {
        assert_eq!(shown("a\u{202e}b\u{2066}c\u{7}d\te\nf"), "abcd\te\nf");
        assert!(matches!(shown("plain, 日本語, עברית"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_chart_says_its_numbers_in_words() {
        let chart = bars("Sources", [("live", 3, Tone::Good), ("dead", 0, Tone::Bad)]).into_string();
        assert!(chart.contains("<span>live</span><meter class=\"good\" aria-label=\"live\" max=\"3\" value=\"3\"></meter><span>3</span>"), "{chart}");
        assert!(!chart.contains("dead"), "{chart}");
        let empty = [bars("x", []), history("x", &[])];
        empty.iter().for_each(|chart| assert!(chart.0.contains("Nothing to count."), "{}", chart.0));
        let line = history("Rot", &[("May".into(), 1), ("June".into(), 4)]).into_string();
        assert!(line.contains("aria-label=\"Rot: May: 1, June: 4\""), "{line}");
    }

    #[track_caller]
    fn check(text: &str, other: &str, expected: &str) {
        assert_eq!(marked(text, &keys(other)).into_string(), expected);
    }

    #[test]
    fn words_of_both_texts_are_marked() {
        check(
            "Beta runs 640 stations.",
            "There are 640 stations of Beta",
            "<mark>Beta</mark> runs <mark>640 stations</mark>.",
        );
        check("the end of the road", "an end to a road", "the <mark>end</mark> of the <mark>road</mark>");
        check(
            "6,965 of 1.5 million in 2013",
            "6,303 of 1.4 million in 2013",
            "6,965 of 1.5 <mark>million</mark> in <mark>2013</mark>",
        );
        check("1.5 million", "1.5 thousand", "<mark>1.5</mark> million");
        check("nothing alike", "some other words", "nothing alike");
        check("<b>640</b>", "640", "&lt;b&gt;<mark>640</mark>&lt;/b&gt;");
        check("東京都の人口", "東京都", "<mark>東京都</mark>の人口");
    }
}
