//! A command that the user lends, a judge's, a search's or a producer's: a question on its standard input, an answer on its standard output,
//! within a time and a length. It gets the few variables that programs of the gate get.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use cited_fetch::leftovers;
use cited_gate::process::shield;

/// How often a running command is looked at.
const GLANCE: Duration = Duration::from_millis(2);

/// Runs it and gives what it wrote; `errors` is where its standard error goes.
///
/// # Errors
/// In words: it does not start, takes too long, writes too much or no text, or ends in failure.
pub fn ask(
    command: &str,
    question: Vec<u8>,
    patience: Duration,
    longest: usize,
    errors: Stdio,
) -> Result<String, String> {
    let mut shell = if cfg!(windows) { Command::new("cmd") } else { Command::new("sh") };
    shell.arg(if cfg!(windows) { "/C" } else { "-c" }).arg(command);
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors);
    // The key is the endpoint's and nobody else's.
    shield(&mut shell, &[]);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    let (mut child, _noted) =
        leftovers::group(&mut shell).map_err(|error| format!("the command does not start: {error}"))?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    // A command that does not read, or writes before it reads, must not block us: both ends have a thread. Neither is
    // joined, since what the command started may hold the pipes open for longer than we wait.
    thread::spawn(move || {
        if let Some(mut stdin) = stdin {
            // Who does not read its question may still answer.
            let _ = stdin.write_all(&question);
        }
    });
    let (send, answers) = mpsc::channel();
    thread::spawn(move || {
        let mut answer = Vec::new();
        let limit = longest as u64 + 1;
        let read = stdout.map(|stdout| stdout.take(limit).read_to_end(&mut answer));
        // Nobody listens any more when the time was over.
        let _ = send.send(read.and_then(std::result::Result::ok).map(|_| answer));
    });
    let answer = answers.recv_timeout(patience);
    let ended = if answer.is_ok() { wait(&mut child, Duration::from_secs(1)) } else { None };
    end(&mut child);
    let answer = answer.map_err(|_| format!("timed out after {} s", patience.as_secs_f64()))?;
    let answer = answer.ok_or("its output cannot be read")?;
    if answer.len() > longest {
        return Err(format!("it wrote more than {longest} bytes"));
    }
    match ended {
        Some(status) if status.success() => String::from_utf8(answer).map_err(|_| "its output is not UTF-8".to_owned()),
        Some(status) => Err(status.to_string()),
        None => Err("it closed its output and did not end".to_owned()),
    }
}

/// Waits for the end of a command, for a while.
fn wait(child: &mut Child, patience: Duration) -> Option<std::process::ExitStatus> {
    let until = Instant::now() + patience;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < until => thread::sleep(GLANCE),
            _ => return None,
        }
    }
}

/// Ends a command and whatever it started.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(child.id()) {
        // The group may be gone; then there is nothing to end.
        let _ = nix::sys::signal::killpg(nix::unistd::Pid::from_raw(group), nix::sys::signal::Signal::SIGKILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}
