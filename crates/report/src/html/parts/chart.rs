//! Small charts as SVG, each with the same numbers as words.

use maud::{Markup, html};

use crate::html::Tone;
use crate::wording::grouped;

/// Width of a chart in its own units, of which a page makes pixels.
const WIDTH: usize = 320;
/// Where bars begin: before them stand their names.
const LEFT: usize = 112;
/// The height of a bar with its distance to the next.
const STEP: usize = 24;
/// What is left for a number behind the longest bar.
const RIGHT: usize = 44;

/// Bars from left to right, one under the other: what each counts, how many, and how it is coloured. Those that count nothing are left out.
pub fn bars(title: &str, bars: impl IntoIterator<Item = (&'static str, usize, Tone)>) -> Markup {
    let bars: Vec<_> = bars.into_iter().filter(|(_, count, _)| *count > 0).collect();
    let most = bars.iter().map(|(_, count, _)| *count).max().unwrap_or(1);
    let told: Vec<String> = bars.iter().map(|(name, count, _)| format!("{name} {count}")).collect();
    let drawn = html! {
        @for (i, (name, count, tone)) in bars.iter().enumerate() {
            @let y = i * STEP;
            @let length = (count * (WIDTH - LEFT - RIGHT)).div_ceil(most);
            text x=(LEFT - 8) y=(y + 16) text-anchor="end" { (name) }
            rect.(tone.class()) x=(LEFT) y=(y + 4) width=(length) height=(STEP - 8) rx="2" {}
            text.num x=(LEFT + length + 6) y=(y + 16) { (grouped(count)) }
        }
    };
    figure((title, title), &told, bars.len() * STEP, &drawn)
}

/// A line over time: the history of one count. `points` are in order, each with the name of its time.
pub fn history(title: &str, points: &[(String, usize)]) -> Markup {
    const HIGH: usize = 96;
    const ROOM: usize = 20;
    let most = points.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
    let steps = points.len().saturating_sub(1).max(1);
    let place = |(i, (_, count)): (usize, &(String, usize))| {
        format!("{},{}", 8 + i * (WIDTH - RIGHT) / steps, ROOM + HIGH - count * HIGH / most)
    };
    let line: Vec<String> = points.iter().enumerate().map(place).collect();
    let told: Vec<String> = points.iter().map(|(name, count)| format!("{name}: {count}")).collect();
    let drawn = html! {
        polyline.line points=(line.join(" ")) fill="none" {}
        text x="8" y=(HIGH + 2 * ROOM - 5) { @if let Some((first, _)) = points.first() { (first) } }
    };
    let caption = points.last().map(|(name, count)| format!("{title}: {count} on {name}"));
    figure((title, caption.as_deref().unwrap_or(title)), &told, HIGH + 2 * ROOM, &drawn)
}

/// What is `drawn` under its title, with the same in words; a line where nothing is told.
fn figure((title, caption): (&str, &str), told: &[String], height: usize, drawn: &Markup) -> Markup {
    html! {
        figure.chart {
            figcaption { (caption) }
            @if told.is_empty() {
                p.empty { "Nothing to count." }
            } @else {
                svg role="img" aria-label={ (title) ": " (told.join(", ")) } width=(WIDTH) height=(height)
                    viewBox={ "0 0 " (WIDTH) " " (height) } { (drawn) }
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
        assert!(chart.contains("aria-label=\"Sources: live 3\""), "{chart}");
        assert!(!chart.contains("dead"), "{chart}");
        let empty = [bars("x", []), history("x", &[])];
        empty.iter().for_each(|chart| assert!(chart.0.contains("Nothing to count."), "{}", chart.0));
        let line = history("Rot", &[("May".into(), 1), ("June".into(), 4)]).into_string();
        assert!(line.contains("aria-label=\"Rot: May: 1, June: 4\""), "{line}");
    }
}
