//! The difference that a run made, in the unified format.

use std::fmt::Write as _;

use owo_colors::{OwoColorize as _, Style};

use super::findings;

/// Lines of unchanged text around a change in a diff, as in `diff -u`.
const DIFF_CONTEXT: usize = 3;

/// The difference between a draft and its brief in the unified format. With `color`, as ANSI sequences.
pub fn diff(path: &str, draft: &str, brief: &str, color: bool) -> String {
    unified((path, "the brief"), draft, brief, color)
}

/// The difference between a document and the same one with changes, as `git apply` takes it. With `color`, as ANSI sequences.
pub fn changes(path: &str, before: &str, after: &str, color: bool) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    unified((&format!("a/{path}"), &format!("b/{path}")), before, after, color)
}

fn unified((from, to): (&str, &str), before: &str, after: &str, color: bool) -> String {
    let diff = similar::TextDiff::from_lines(before, after);
    let mut unified = diff.unified_diff();
    let text = unified.context_radius(DIFF_CONTEXT).header(from, to).to_string();
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let style = match line.as_bytes() {
            [b'+', ..] => Style::new().green(),
            [b'-', ..] => Style::new().red(),
            [b'@', ..] => Style::new().cyan(),
            _ => Style::new(),
        };
        let (words, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        let words: String = words.chars().map(|c| if c == '\t' { c } else { findings::shown(c) }).collect();
        let style = if color { style } else { Style::new() };
        let _ = write!(out, "{}{end}", words.style(style));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_is_in_the_unified_format() {
        let text = diff("d.md", "a\nb [2]\nc\n", "a\nb [1]\nc\n", false);
        assert_eq!(text, "--- d.md\n+++ the brief\n@@ -1,3 +1,3 @@\n a\n-b [2]\n+b [1]\n c\n");
        assert_eq!(diff("d.md", "a\n", "a\n", false), "");
    }
}
