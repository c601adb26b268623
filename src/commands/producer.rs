//! A command of the user's that makes records: asked with a text on standard input, it answers on standard output.
//!
//! It runs in a shell with the few variables that programs of the gate get, and in a process group of its own, which ends
//! with it. What leaves the group may live on and hold its pipes open, which nobody waits for.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use cited_core::error::{Error, Result};
use cited_fetch::leftovers;
use cited_gate::process::shield;

/// The longest answer that is taken, in bytes.
const LONGEST_ANSWER: u64 = 32 << 20;
/// How often a command is looked at while it is waited for.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// What `command` answers to `question`.
///
/// # Errors
/// When it cannot be run, ends with another status than 0, takes longer than `timeout`, or answers more than 32 MiB.
pub fn ask(command: &str, question: &str, timeout: Duration) -> Result<String> {
    let failed = |why: String| Error::input(format!("the producer `{command}` {why}"));
    let mut shell = shell(command);
    shield(&mut shell, &[]);
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let (mut child, _noted) =
        leftovers::group(&mut shell).map_err(|error| failed(format!("cannot be run: {error}")))?;
    let deadline = Instant::now() + timeout;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let question = question.to_owned();
    // A command may answer without reading the question; then the pipe breaks, which is its own affair.
    std::thread::spawn(move || input.map(|mut input| input.write_all(question.as_bytes())));
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let mut answer = Vec::new();
        let read = output.map_or(Ok(0), |output| output.take(LONGEST_ANSWER + 1).read_to_end(&mut answer));
        // Nobody listens any more when the time is over.
        let _ = send.send(read.map(|_| answer));
    });
    let answer = receive.recv_timeout(timeout);
    let too_long = matches!(&answer, Ok(Ok(answer)) if answer.len() as u64 > LONGEST_ANSWER);
    let status = if too_long || answer.is_err() { None } else { wait(&mut child, deadline) };
    // Neither thread is joined: what left the group may hold the pipes open for as long as it likes.
    end(&mut child);
    match answer {
        Err(RecvTimeoutError::Timeout) => {
            Err(failed(format!("took longer than {} s and was ended", timeout.as_secs_f64())))
        }
        Err(RecvTimeoutError::Disconnected) => Err(failed("gave no answer".to_owned())),
        Ok(Err(error)) => Err(failed(format!("cannot be read: {error}"))),
        Ok(Ok(_)) if too_long => Err(failed(format!("answered more than {} MiB and was ended", LONGEST_ANSWER >> 20))),
        Ok(Ok(answer)) => match status {
            None => Err(failed(format!("took longer than {} s and was ended", timeout.as_secs_f64()))),
            Some(status) if !status.success() => Err(failed(format!("ended with {status}"))),
            Some(_) => String::from_utf8(answer).map_err(|_| failed("answered something that is not UTF-8".to_owned())),
        },
    }
}

fn wait(child: &mut Child, deadline: Instant) -> Option<std::process::ExitStatus> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => std::thread::sleep(LOOK_EVERY),
            Ok(None) | Err(_) => return None,
        }
    }
}

#[cfg(unix)]
fn shell(command: &str) -> Command {
    use std::os::unix::process::CommandExt as _;
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).process_group(0);
    shell
}

#[cfg(not(unix))]
fn shell(command: &str) -> Command {
    let mut shell = Command::new("cmd");
    shell.arg("/C").arg(command);
    shell
}

/// Ends whatever is left of a command.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(child.id()) {
        // What has ended already cannot be ended, which is as good.
        let _ = nix::sys::signal::killpg(nix::unistd::Pid::from_raw(group), nix::sys::signal::Signal::SIGKILL);
    }
    let _ = child.kill();
    let _ = child.wait();
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
        let command = format!("trap '' TERM; (sleep 1; touch {}) & wait", file.display());
        check(&command, Err("took longer than 0.4 s"));
        std::thread::sleep(Duration::from_millis(1200));
        assert!(!file.exists(), "a child lived on");
    }

    #[test]
    fn what_left_the_group_and_holds_the_pipes_is_not_waited_for() {
        if Command::new("setsid").arg("true").status().is_err() {
            return;
        }
        let begun = Instant::now();
        check("setsid sleep 20 & echo a", Err("took longer than 0.4 s"));
        check("setsid sleep 20 & sleep 20", Err("took longer than 0.4 s"));
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    }

    #[test]
    fn a_flood_is_cut_off() {
        let answer = ask("yes", "", Duration::from_secs(20));
        assert!(answer.unwrap_err().to_string().contains("more than 32 MiB"));
    }
}
