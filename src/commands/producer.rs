//! A command of the user's that makes records: asked with a text on standard input, it answers on standard output.

use std::time::Duration;

use crate::setup::lent_command;
use cited_core::error::{Error, Result};
use cited_gate::process::Errors;

/// The longest answer that is taken, in bytes.
const LONGEST_ANSWER: usize = 32 << 20;

/// What `command` answers to `question`. What it writes on standard error is shown.
///
/// # Errors
/// When it cannot be run, ends with another status than 0, takes longer than `timeout`, or answers more than 32 MiB.
pub fn ask(command: &str, question: &str, timeout: Duration) -> Result<String> {
    lent_command::ask(command, question.as_bytes().to_vec(), timeout, LONGEST_ANSWER, Errors::Shown)
        .map_err(|why| Error::input(format!("the producer `{command}`: {why}")))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[track_caller]
    fn check(command: &str, expected: std::result::Result<&str, &str>) {
        let answer = ask(command, "question", Duration::from_millis(400));
        match (answer, expected) {
            (Ok(answer), Ok(expected)) => assert_eq!(answer, expected, "{command}"),
            (Err(error), Err(expected)) => assert!(error.to_string().contains(expected), "{error}"),
            (answer, expected) => panic!("{command}: {answer:?}, not {expected:?}"),
        }
    }

    #[test]
    fn answers_are_taken_and_failures_told() {
        check("cat", Ok("question"));
        check("echo a; exec <&-", Ok("a\n"));
        check("echo a; exit 3", Err("exit status: 3"));
        check("printf '\\377'", Err("not UTF-8"));
        // Cargo has set this one for us; it is none that a producer gets.
        check("echo \"${CARGO_MANIFEST_DIR-none} ${PATH:+path}\"", Ok("none path\n"));
        check("no-such-command-here 2>/dev/null", Err("exit status: 127"));
    }

    #[test]
    fn what_takes_too_long_is_ended_with_all_that_it_started() {
        let marker = tempfile::tempdir().unwrap();
        let file = marker.path().join("alive");
        let command = format!("trap '' TERM; (sleep 3; touch {}) & wait", file.display());
        check(&command, Err("timed out after 0.4 s"));
        std::thread::sleep(Duration::from_millis(1200));
        assert!(!file.exists(), "a child lived on");
    }

    #[test]
    fn what_left_the_group_and_holds_the_pipes_is_not_waited_for() {
        if std::process::Command::new("setsid").arg("true").status().is_err() {
            return;
        }
        let begun = std::time::Instant::now();
        check("setsid sleep 20 & echo a", Ok("a\n"));
        check("setsid sleep 20 & sleep 20", Err("timed out after 0.4 s"));
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    }

    #[test]
    fn a_flood_is_cut_off() {
        let answer = ask("yes", "", Duration::from_secs(20));
        assert!(answer.unwrap_err().to_string().contains("more than 33554432 bytes"));
    }
}
