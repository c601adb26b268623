//! Small charts, each with its numbers as words.

use maud::{Markup, html};

use crate::html::Tone;
use crate::wording::grouped;

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
