//! What the user lends, as a judge, a search or a judge of criteria: a command that reads a question on its standard input and answers on its
//! standard output, or an address that is sent it; within a time and a length. A command runs as programs of the gate do.

use cited_core::address::is_web;
use std::path::Path;
use std::time::Duration;

use url::Url;

use crate::cli::settings::Settings;
use cited_core::error::{self, Error};
use cited_fetch::post::{Post, Unanswered, post};
use cited_gate::process::{End, Ended, Job, Output, Program, run};

/// A command or an address.
#[derive(Debug)]
pub struct Lent {
    /// As the setting names it.
    pub named: String,
    /// The address that it is; none for a command.
    pub address: Option<Url>,
    /// Names of further variables that a command gets of the environment.
    pub allowed: Vec<String>,
    /// The key of an address, if there is one.
    key: Option<String>,
    /// The certificates that are trusted beside the system's.
    trusted: Vec<Vec<u8>>,
}

/// What it answers, or why it does not.
pub type Answer = Result<String, Unanswered>;

impl Lent {
    /// What a setting lends. The key of an address stands in a variable, and never in it.
    ///
    /// # Errors
    /// When it is empty or an address that cannot be used.
    pub fn open(setting: &str, named: &str, key_variable: &str, settings: &Settings) -> error::Result<Lent> {
        let wrong = |why: &str| Err(Error::settings(format!("{setting}: {why}")));
        let named = named.trim().to_owned();
        if named.is_empty() {
            return wrong("name a command or an http or https address");
        }
        let address = match is_web(&named).then(|| Url::parse(&named)).transpose() {
            Err(_) => return wrong("the address cannot be read"),
            Ok(Some(url)) if !url.username().is_empty() || url.password().is_some() => {
                return wrong(&format!("an address holds no password; put the key into {key_variable}"));
            }
            Ok(address) => address,
        };
        let key = std::env::var(key_variable).ok().filter(|key| !key.is_empty());
        Ok(Lent { named, address, allowed: Vec::new(), key, trusted: settings.fetch.extra_ca_pem.clone() })
    }

    /// Sends an address a body, or only asks it without one; gives the answer.
    ///
    /// # Errors
    /// When there is none.
    pub fn send(&self, address: &Url, body: Option<Vec<u8>>, timeout: Duration, longest: usize) -> Answer {
        post(&Post { address, key: self.key.as_deref(), body, timeout, longest, trusted: &self.trusted })
    }

    /// Asks it a question. What a command says on standard error is dropped.
    ///
    /// # Errors
    /// When there is no answer: a command does not start, takes too long, writes too much or no text, or ends in failure.
    pub fn ask(&self, question: Vec<u8>, patience: Duration, longest: usize) -> Answer {
        if let Some(address) = &self.address {
            return self.send(address, Some(question), patience, longest);
        }
        let ended = run(Job {
            program: Program::shell(&self.named),
            folder: Path::new("."),
            allowed: &self.allowed,
            variables: Vec::new(),
            input: question,
            timeout: patience,
            output: Output { kept: longest, flood: longest as u64, errors: false },
        });
        Err(Unanswered::Failed(match ended.end {
            End::Flooded(_) => format!("it wrote more than {longest} bytes"),
            End::Exit(0) => match String::from_utf8(ended.stdout) {
                Ok(answer) => return Ok(answer),
                Err(_) => "its output is not UTF-8".to_owned(),
            },
            // What it wrote is no answer, and is not shown.
            _ => Ended { stdout: Vec::new(), ..ended }.evidence(patience),
        }))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::cli::layers::Typed;

    const LONGEST: usize = 32 << 20;

    fn ask(command: &str, question: &[u8], patience: Duration) -> Result<String, String> {
        let settings = Settings::resolve(&Typed::default(), Path::new("/nonexistent")).unwrap();
        let lent = Lent::open("judge", command, "CITED_NO_KEY", &settings).unwrap();
        lent.ask(question.to_vec(), patience, LONGEST).map_err(|why| why.to_string())
    }

    #[track_caller]
    fn check(command: &str, expected: Result<&str, &str>) {
        let answer = ask(command, b"question", Duration::from_millis(400));
        match (answer, expected) {
            (Ok(answer), Ok(expected)) => assert_eq!(answer, expected, "{command}"),
            (Err(error), Err(expected)) => assert!(error.contains(expected), "{error}"),
            (answer, expected) => panic!("{command}: {answer:?}, not {expected:?}"),
        }
    }

    #[test]
    fn answers_are_taken_and_failures_told() {
        check("cat", Ok("question"));
        check("echo a; exec <&-", Ok("a\n"));
        check("echo a; exit 3", Err("exit status 3"));
        check("printf '\\377'", Err("not UTF-8"));
        // Cargo has set this one for us; it is none that a program of the user gets.
        check("echo \"${CARGO_MANIFEST_DIR-none} ${PATH:+path}\"", Ok("none path\n"));
        check("no-such-command-here 2>/dev/null", Err("exit status 127"));
    }

    #[test]
    fn what_takes_too_long_is_ended_with_all_that_it_started() {
        let marker = tempfile::tempdir().unwrap();
        let file = marker.path().join("alive");
        let command = format!("trap '' TERM; (sleep 3; touch {}) & wait", file.display());
        check(&command, Err("took longer than 0.4 s"));
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
        check("setsid sleep 20 & sleep 20", Err("took longer than 0.4 s"));
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    }

    #[test]
    fn a_flood_is_cut_off() {
        let answer = ask("yes", b"", Duration::from_secs(20));
        assert!(answer.unwrap_err().contains("more than 33554432 bytes"));
    }
}
