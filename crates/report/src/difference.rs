//! The difference that a run made: by words for people, in the unified format for programs.

use std::fmt::Write as _;

use owo_colors::{OwoColorize as _, Style};

use super::findings;
use super::refine::{Change, refined, without_targets};
use cited_core::decide::Edit;
use cited_text::lines::line_start;

/// What the edits of a run change in a draft, by words, for a terminal: the lines in which something goes (red) or comes (green). New numbers
/// of citations are told in one line.
pub fn by_words(draft: &str, edits: &[Edit]) -> String {
    let changes = refined(draft, edits);
    let line_of = |at: usize| 1 + draft.get(..at).unwrap_or_default().matches('\n').count();
    let ends = |at: usize| draft.get(at..).and_then(|after| after.find('\n')).map_or(draft.len(), |end| at + end);
    let mut numbers: Vec<String> = Vec::new();
    let mut out = String::new();
    // The lines that changes share are shown once.
    for together in changes.chunk_by(|first, second| second.edit.span.start <= ends(first.edit.span.end)) {
        let (start, end) = (together[0].edit.span.start, together.last().map_or(0, |last| ends(last.edit.span.end)));
        let mut at = line_start(draft, start);
        let mut block = String::new();
        let mut is_changed = false;
        for change @ Change { edit, .. } in together {
            let (old, new) = (shown(edit.span.slice(draft)), shown(&edit.replacement));
            block.push_str(&shown(draft.get(at..edit.span.start).unwrap_or_default()));
            at = edit.span.end;
            if change.renumbers(draft) {
                let told = format!("{} → {}", without_targets(old.trim()), new.trim());
                block.push_str(&new.style(Style::new().dimmed()).to_string());
                numbers.extend((!numbers.contains(&told)).then_some(told));
            } else {
                is_changed = true;
                let _ = write!(block, "{}{}", old.red().strikethrough(), new.green());
            }
        }
        block.push_str(&shown(draft.get(at..end).unwrap_or_default()));
        if is_changed {
            let _ = write!(out, "{}\n{}\n", format!("line {}", line_of(start)).cyan(), block.trim_end());
        }
    }
    if !numbers.is_empty() {
        let _ = writeln!(out, "{} {}", "new numbers".cyan(), numbers.join(", "));
    }
    out
}

fn shown(text: &str) -> String {
    text.chars().map(|c| if matches!(c, '\t' | '\n') { c } else { findings::shown(c) }).collect()
}

/// The difference between a document and the same one with changes, as `git apply` takes it.
pub fn changes(path: &str, before: &str, after: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    unified((&format!("a/{path}"), &format!("b/{path}")), before, after)
}

/// The difference between two texts of these names in the unified format.
pub fn unified((from, to): (&str, &str), before: &str, after: &str) -> String {
    shown(&similar::TextDiff::from_lines(before, after).unified_diff().header(from, to).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_go_and_come_and_numbers_in_one_line() {
        use cited_core::decide::Cause;
        use cited_text::Span;

        let draft = "A rose by 3% [2].\nB fell [4]. C came [2].\n\nD.\n";
        let edit = |from: &str, nth: usize, to: &str, because| {
            let start = draft.match_indices(from).nth(nth).expect("it is there").0;
            Edit::new(Span::new(start, start + from.len()), to, because)
        };
        let edits = [
            edit("[2]", 0, "[1]", Cause::Renumbered),
            edit(" C came [2].", 0, "", Cause::ClaimRemoved),
            edit("[4]", 0, "[2]", Cause::Renumbered),
        ];
        let plain = anstream::adapter::strip_str(&by_words(draft, &edits)).to_string();
        assert_eq!(plain, "line 2\nB fell [2]. C came [2].\nnew numbers [2] → [1], [4] → [2]\n");
        let told = |draft: &str, to: &str| {
            let edit = Edit::new(Span::new(2, draft.len() - 1), to, Cause::Renumbered);
            anstream::adapter::strip_str(&by_words(draft, &[edit])).to_string()
        };
        assert_eq!(told("A [2][4].", "[1, 2]"), "new numbers [2][4] → [1, 2]\n");
        assert_eq!(told("A [2](https://a.example/x).", "[1]"), "new numbers [2] → [1]\n");
        // One citation less is more than new numbers.
        assert_eq!(told("A [2][4].", "[1]"), "line 1\nA [2][4][1].\n");
    }

    #[test]
    fn a_diff_is_in_the_unified_format() {
        let text = unified(("d.md", "the brief"), "a\nb [2]\nc\n", "a\nb [1]\nc\n");
        let text = anstream::adapter::strip_str(&text).to_string();
        assert_eq!(text, "--- d.md\n+++ the brief\n@@ -1,3 +1,3 @@\n a\n-b [2]\n+b [1]\n c\n");
        assert_eq!(unified(("d.md", "the brief"), "a\n", "a\n"), "");
    }
}
