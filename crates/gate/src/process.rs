//! Programs of a user, run so that they end: in a process group of their own, with an allow-listed environment, a time
//! limit, and output that is bounded while it is read. The only place that starts programs of a user: those of the gate, and judges, searches
//! and producers that are lent.

use std::io::{Read, Write};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;

/// Variables that a program gets of ours. Everything else may hold a secret.
pub const ENVIRONMENT: [&str; 10] =
    ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "USER", "LOGNAME", "SHELL"];
/// Variable that marks a program and all that it starts as run by a gate.
pub const MARK: &str = "INSIDE_CITED_GATE";
/// What of the output of a program is kept of which the last words are shown.
pub const SHOWABLE: Output = Output { kept: 1 << 20, flood: 32 << 20, errors: true };
/// How long a program has after SIGTERM to end by itself.
const GRACE: Duration = Duration::from_secs(2);
/// How long the end of a stream is waited for when nothing of the group is left.
const STREAM_END: Duration = Duration::from_secs(1);

/// A program to run.
#[derive(Debug)]
pub struct Job<'a> {
    /// What runs.
    pub program: Program,
    /// The folder that it runs in.
    pub folder: &'a Path,
    /// Names of further variables that it gets of ours.
    pub allowed: &'a [String],
    /// Variables that are set for it.
    pub variables: Vec<(String, String)>,
    /// What it reads on standard input.
    pub input: Vec<u8>,
    /// How long it may take.
    pub timeout: Duration,
    /// How much it may write, and what is kept of it.
    pub output: Output,
}

/// How much output of a program is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Output {
    /// Bytes of each stream that are kept.
    pub kept: usize,
    /// A program that writes more than this is flooding.
    pub flood: u64,
    /// Whether its standard error is kept, too; else nobody reads it.
    pub errors: bool,
}

/// A file, or a program of the path, with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program(pub PathBuf, pub Vec<String>);

impl Program {
    /// A line of a POSIX shell.
    pub fn shell(line: &str) -> Program {
        Program("/bin/sh".into(), vec!["-c".to_owned(), line.to_owned()])
    }
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// By itself, with this status.
    Exit(i32),
    /// By a signal that was not ours.
    Signal(i32),
    /// We ended it when its time was over.
    TimedOut,
    /// We ended it when it had written more than this.
    Flooded(u64),
    /// It never began.
    NotStarted(String),
}

/// A program that ran.
#[derive(Debug, Clone)]
pub struct Ended {
    /// How it ended.
    pub end: End,
    /// The first of what it wrote on standard output.
    pub stdout: Vec<u8>,
    /// The first of what it wrote on standard error.
    pub stderr: Vec<u8>,
    /// How long it took.
    pub duration: Duration,
}

impl Ended {
    /// The exit status, when it ended by itself.
    pub fn exit_code(&self) -> Option<i32> {
        match self.end {
            End::Exit(code) => Some(code),
            _ => None,
        }
    }

    /// How it ended in words, with the last of what it wrote.
    pub fn evidence(&self, timeout: Duration) -> String {
        let mut out = match &self.end {
            End::Exit(code) => format!("exit status {code}"),
            End::Signal(signal) => format!("killed by signal {signal}"),
            End::TimedOut => {
                format!("took longer than {} s and was ended with all its processes", timeout.as_secs_f64())
            }
            End::Flooded(most) => format!("wrote more than {} MiB and was ended with all its processes", most >> 20),
            End::NotStarted(why) => format!("could not be started: {why}"),
        };
        for stream in [&self.stdout, &self.stderr] {
            let text = String::from_utf8_lossy(stream);
            let text: Vec<char> = text.trim().chars().collect();
            if !text.is_empty() {
                let from = text.len().saturating_sub(SHOWN);
                out.push_str(if from > 0 { "\n… " } else { "\n" });
                out.extend(&text[from..]);
            }
        }
        out
    }
}

/// Characters of each stream that evidence shows, the last ones.
const SHOWN: usize = 2_000;

/// The groups of the programs that run now; `None` when all were told to end and none may begin.
static RUNNING: Mutex<Option<Vec<Pid>>> = Mutex::new(Some(Vec::new()));

/// Ends every program that runs, with all it has started, and lets none begin any more: for the end of this process.
pub fn end_all() {
    let running = running().take().unwrap_or_default();
    ask_to_end(&running);
    for group in running {
        let _ = killpg(group, Signal::SIGKILL);
    }
}

/// Asks programs to end by themselves, and waits for that a while.
fn ask_to_end(groups: &[Pid]) {
    for group in groups {
        let _ = killpg(*group, Signal::SIGTERM);
    }
    let asked = Instant::now();
    while asked.elapsed() < GRACE && !groups.iter().all(|group| has_ended(*group)) {
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn running() -> MutexGuard<'static, Option<Vec<Pid>>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something with the programs that run. While they are ended for good it waits for the end of this process: nothing
/// may begin, and nothing be told of programs that we have killed.
fn with_running<T>(act: impl FnOnce(&mut Vec<Pid>) -> T) -> T {
    loop {
        if let Some(running) = running().as_mut() {
            return act(running);
        }
        std::thread::park();
    }
}

/// Runs a program to its end, whatever it does.
pub fn run(job: Job<'_>) -> Ended {
    let began = Instant::now();
    let Program(program, arguments) = &job.program;
    let mut command = Command::new(program);
    // Keys and the credentials of proxies lie in the other variables.
    let names = ENVIRONMENT.iter().copied().chain(job.allowed.iter().map(String::as_str));
    command.env_clear().envs(names.filter_map(|name| Some((name.to_owned(), std::env::var_os(name)?)))).env(MARK, "1");
    command.args(arguments).current_dir(job.folder).process_group(0).envs(job.variables);
    let errors = if job.output.errors { Stdio::piped() } else { Stdio::null() };
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors);
    let started =
        with_running(|running| command.spawn().inspect(|child| running.push(Pid::from_raw(child.id().cast_signed()))));
    let mut child = match started {
        Ok(child) => child,
        Err(error) => {
            let end = End::NotStarted(error.to_string());
            return Ended { end, stdout: Vec::new(), stderr: Vec::new(), duration: Duration::ZERO };
        }
    };
    if let Some(mut stdin) = child.stdin.take() {
        // Beside it: it may read late, or not at all. A program that does not want its input closes the pipe; that is its right.
        std::thread::spawn(move || drop(stdin.write_all(&job.input)));
    }
    let written = Arc::new(AtomicU64::new(0));
    let stdout = child.stdout.take().map(|stream| read(stream, job.output.kept, Arc::clone(&written)));
    let stderr = child.stderr.take().map(|stream| read(stream, job.output.kept, Arc::clone(&written)));
    let group = Pid::from_raw(child.id().cast_signed());
    let end = wait(group, began, job.timeout, &written, job.output.flood);
    if end.is_some() {
        // The leader is not reaped yet, so the group cannot be anybody else's.
        ask_to_end(&[group]);
    }
    let _ = killpg(group, Signal::SIGKILL);
    // From when it is reaped its number may be somebody else's, so it is noted no more.
    let status = with_running(|running| {
        running.retain(|other| *other != group);
        child.wait()
    });
    let [stdout, stderr] = [stdout, stderr].map(|kept| kept.as_ref().map(kept_of).unwrap_or_default());
    let end = end.unwrap_or_else(|| match status {
        Ok(status) => match (status.code(), status.signal()) {
            (Some(code), _) => End::Exit(code),
            (None, signal) => End::Signal(signal.unwrap_or(0)),
        },
        Err(error) => End::NotStarted(error.to_string()),
    });
    Ended { end, stdout, stderr, duration: began.elapsed() }
}

/// Waits until the program ends, `None`, or has to be ended.
fn wait(group: Pid, began: Instant, timeout: Duration, written: &AtomicU64, flood: u64) -> Option<End> {
    let mut pause = Duration::from_millis(1);
    loop {
        if written.load(Ordering::Relaxed) > flood {
            return Some(End::Flooded(flood));
        }
        if has_ended(group) {
            return None;
        }
        if began.elapsed() >= timeout {
            return Some(End::TimedOut);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Whether the leader of the group has ended; it is not reaped.
fn has_ended(leader: Pid) -> bool {
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    !matches!(waitid(Id::Pid(leader), flags), Ok(WaitStatus::StillAlive))
}

/// Reads a stream to its end, and sends on the first bytes of it.
fn read(mut from: impl Read + Send + 'static, mut room: usize, written: Arc<AtomicU64>) -> mpsc::Receiver<Vec<u8>> {
    let (send, kept) = mpsc::channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 16 << 10];
        while let Ok(read @ 1..) = from.read(&mut buffer) {
            written.fetch_add(read as u64, Ordering::Relaxed);
            let part = &buffer[..read.min(room)];
            room -= part.len();
            // Nobody may be waiting any more.
            let _ = send.send(part.to_vec());
        }
    });
    kept
}

/// What was kept of a stream. A process that hides from us may hold the other end open: it is not waited for.
fn kept_of(kept: &mpsc::Receiver<Vec<u8>>) -> Vec<u8> {
    let until = Instant::now() + STREAM_END;
    let next = || kept.recv_timeout(until.saturating_duration_since(Instant::now())).ok();
    std::iter::from_fn(next).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(line: &str, seconds: f64) -> Ended {
        run(Job {
            program: Program::shell(line),
            folder: Path::new("/"),
            allowed: &[],
            variables: vec![("GIVEN".to_owned(), "yes".to_owned())],
            input: b"input".to_vec(),
            timeout: Duration::from_secs_f64(seconds),
            output: SHOWABLE,
        })
    }

    #[track_caller]
    fn check(line: &str, seconds: f64, end: &End, stdout: &str) {
        let ended = ran(line, seconds);
        assert_eq!((&ended.end, String::from_utf8_lossy(&ended.stdout).as_ref()), (end, stdout), "{line}");
    }

    #[test]
    fn programs_end_and_say_how() {
        check("echo out; exit 3", 30.0, &End::Exit(3), "out\n");
        check("cat", 30.0, &End::Exit(0), "input");
        check("exec <&-; sleep 0.05", 30.0, &End::Exit(0), "");
        check("kill -9 $$", 30.0, &End::Signal(9), "");
        check("echo $GIVEN${CARGO_MANIFEST_DIR}", 30.0, &End::Exit(0), "yes\n");
        check("sleep 30", 0.2, &End::TimedOut, "");
    }

    /// Whether a process with these words in its command line is alive.
    fn alive(words: &str) -> bool {
        let of = |entry: std::fs::DirEntry| std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let lines = std::fs::read_dir("/proc").unwrap().filter_map(|entry| Some(of(entry.ok()?)));
        let words = words.replace(' ', "\0");
        lines.into_iter().any(|line| String::from_utf8_lossy(&line).contains(&words))
    }

    #[test]
    fn what_forks_ignores_sigterm_or_floods_is_ended_and_told() {
        let ended = ran("trap '' TERM; sleep 97531 & sleep 97531; sleep 97531", 0.3);
        assert_eq!(ended.end, End::TimedOut);
        assert!(ended.duration < Duration::from_secs(20));
        assert_eq!(ran("sleep 97532 & sleep 97532 & echo done", 30.0).end, End::Exit(0));
        let ended = ran("yes 97533", 30.0);
        assert_eq!((ended.end, ended.stdout.len()), (End::Flooded(SHOWABLE.flood), SHOWABLE.kept));
        for words in ["sleep 97531", "sleep 97532", "yes 97533"] {
            assert!(!alive(words), "{words} is alive");
        }
    }
}
