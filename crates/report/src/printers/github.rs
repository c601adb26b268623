//! Findings as workflow commands of GitHub Actions: annotations at the lines of a pull request.
//!
//! The escapes are those of GitHub's own toolkit (`@actions/core`, `command.ts`): in data `%`, CR and LF, in properties `:`
//! and `,` as well. A runner reads a command where a line begins with `::`; nothing that was read from outside can begin one.

use std::fmt::Write as _;

use crate::findings::Stream;
use cited_core::check::State;
use cited_core::finding::{Finding, Severity};
use cited_text::escape;

/// One command a line for each new finding and for everything that could not be checked.
pub fn render(stream: &Stream) -> String {
    let mut out = String::new();
    for (_, at) in stream.located().filter(|(item, _)| item.state == State::New) {
        let Finding { code, severity, message, remedy, file, .. } = &at.finding;
        let command = if *severity == Severity::Note { "notice" } else { severity.as_str() };
        let mut properties = format!("file={}", property(file.as_deref().unwrap_or_default()));
        if let (Some(line), Some(end_line)) = (at.line, at.end_line) {
            // Writing to a String cannot fail. Columns of a place of several lines are refused.
            let _ = write!(properties, ",line={line},endLine={end_line}");
            if let Some((column, end)) = at.column.zip(at.end_column).filter(|_| line == end_line) {
                let _ = write!(properties, ",col={column},endColumn={end}");
            }
        }
        let remedy = remedy.as_ref().map(|remedy| format!("\nhelp: {}", escape::plain(remedy)));
        let message = format!("{}{}", escape::plain(message), remedy.unwrap_or_default());
        let _ = writeln!(out, "::{command} {properties},title={}::{}", property(code.as_str()), data(&message));
    }
    for incomplete in &stream.incomplete {
        let file = incomplete.file.as_ref().map(|file| format!("file={},", property(file))).unwrap_or_default();
        let reason = data(&escape::plain(&incomplete.reason));
        let _ = writeln!(out, "::error {file}title=not checked::{reason}");
    }
    out
}

/// The data of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a command. Controls are encoded away before: a path may hold any.
fn property(text: &str) -> String {
    let shown: String = text.chars().map(|c| if escape::is_unsafe(c) { '\u{fffd}' } else { c }).collect();
    data(&shown).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::stream::tests::Sample;

    #[track_caller]
    fn check(path: &str, message: &str, expected: &str) {
        let sample = Sample::new(&[(path, "é\né [9].\n", "[9]", message, State::New)]);
        assert_eq!(render(&sample.stream()), expected);
    }

    #[test]
    fn a_finding_is_a_command_at_its_place() {
        check(
            "docs/a.md",
            "citation [9] has no source entry",
            "::error file=docs/a.md,line=2,endLine=2,col=3,endColumn=6,title=orphan-citation::citation [9] has no source entry%0Ahelp: add the source\n",
        );
    }

    #[test]
    fn nothing_from_outside_can_begin_a_command() {
        check(
            "a\r\n::set-output name=x::y,line=1:%0A.md",
            "title\n::stop-commands::t\r::error file=x::%0A 100%\u{1b}[31m",
            "::error file=a%0D%0A%3A%3Aset-output name=x%3A%3Ay%2Cline=1%3A%250A.md,line=2,endLine=2,col=3,endColumn=6,title=orphan-citation::title ::stop-commands::t ::error file=x::%250A 100%25[31m%0Ahelp: add the source\n",
        );
    }

    proptest::proptest! {
        #[test]
        fn every_line_is_one_command_of_ours(path in "\\PC{0,20}", message in "[\\x00-\\x7f\u{85}\u{2028}]{0,40}") {
            let sample = Sample::new(&[(&path, "x [9].\n", "[9]", &message, State::New)]);
            let text = render(&sample.stream());
            proptest::prop_assert_eq!(text.matches('\n').count(), 1);
            proptest::prop_assert!(!text.contains('\r'));
            let (properties, _) = text.strip_prefix("::error ").and_then(|rest| rest.split_once("::")).expect("a command");
            let names: Vec<&str> = properties.split(',').filter_map(|pair| Some(pair.split_once('=')?.0)).collect();
            proptest::prop_assert_eq!(names, ["file", "line", "endLine", "col", "endColumn", "title"]);
        }
    }

    #[test]
    fn what_is_allowed_is_not_annotated() {
        let sample = Sample::new(&[
            ("a.md", "x [9]", "[9]", "m", State::Known),
            ("b.md", "x [9]", "[9]", "m", State::Suppressed("r".into())),
        ]);
        assert_eq!(render(&sample.stream()), "");
    }
}
