//! Ctrl-C, SIGTERM and SIGHUP at any moment of a run: it ends, with the status that is documented, and leaves nothing half done.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a run may go on after it was told to end. It is told to be 0.2 s; a test machine may be busy with other things.
const PATIENCE: Duration = Duration::from_secs(5);
/// Moments of a run at which it is told to end.
const MOMENTS: u32 = 8;
/// Paragraphs of the draft: enough for the whole run to take some seconds.
const PARAGRAPHS: usize = 4_000;

const SIGNALS: [&str; 3] = ["INT", "TERM", "HUP"];

/// Runs cited with signals as a program gets them from a terminal: where this test runs in the background of a shell, SIGINT is
/// ignored, which programs inherit. `None` when that cannot be undone here.
fn cited(folder: &Path, arguments: &[&str]) -> Option<Child> {
    let binary = env!("CARGO_BIN_EXE_cited");
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
    let ignored = u64::from_str_radix(mask.trim(), 16).unwrap_or(0) & 0b11 != 0;
    let mut command = if ignored {
        let can = Command::new("env").args(["--default-signal=INT", "true"]).stderr(Stdio::null()).status();
        if !can.is_ok_and(|status| status.success()) {
            return None;
        }
        let mut command = Command::new("env");
        command.args(["--default-signal=INT,HUP", binary]);
        command
    } else {
        Command::new(binary)
    };
    let child = command
        .args(arguments)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", folder.join(".cache"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    Some(child.unwrap())
}

fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap().success());
}

/// How a run ended, and what it said.
fn end(mut child: Child) -> (Option<i32>, String) {
    let told = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(told.elapsed() < PATIENCE, "it went on");
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn write_draft(path: &Path) {
    let paragraph =
        |i: usize| format!("Station {i} measured {i}.5 percent in 2021 [{}]. It was *cold* there.\n\n", i % 9 + 1);
    let text: String = (0..PARAGRAPHS).map(paragraph).collect();
    let list = (1..=9).map(|i| format!("{i}. Station {i} — https://s{i}.example/\n")).collect::<Vec<_>>().concat();
    std::fs::write(path, format!("# Stations\n\n{text}## Sources\n\n{list}")).unwrap();
}

#[test]
fn a_run_ends_in_every_stage_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write_draft(&path.join("large.md"));
    std::fs::write(path.join("large-brief.md"), "").unwrap();
    // Nobody listens there, and everybody is asked again.
    let verify =
        ["verify", "large.md", "--connect-to", "::127.0.0.1:1", "--record", "run.warc.gz", "--progress", "never"];
    let before = names(path);
    let check = ["check", "large.md", "--online", "--connect-to", "::127.0.0.1:1", "--report", "r.json"];
    for arguments in [&verify[..], &check] {
        let Some(mut child) = cited(path, arguments) else { return };
        let began = Instant::now();
        child.stderr.take();
        child.wait().unwrap();
        let whole = began.elapsed();
        let clear = || {
            for name in names(path).iter().filter(|name| !before.contains(name) && *name != ".cache") {
                std::fs::remove_file(path.join(name)).unwrap();
            }
        };
        clear();
        let mut heard = 0;
        for moment in 0..MOMENTS {
            let signal = SIGNALS[moment as usize % SIGNALS.len()];
            let mut child = cited(path, arguments).unwrap();
            // Before it listens a signal ends it as it would any program.
            std::thread::sleep(Duration::from_millis(50) + whole * moment / (MOMENTS + 1));
            if child.try_wait().unwrap().is_some() {
                // The first run took longer than this one: no signal met it.
                clear();
                continue;
            }
            send(signal, &child);
            let (status, told) = end(child);
            let name = format!("{} at {moment} of {MOMENTS}: {status:?} {told}", arguments[0]);
            if status.is_some() && !told.contains("nothing was written") {
                // It had written before the signal, on a machine that does other work: what it leaves is its own.
                clear();
                continue;
            }
            if status.is_some() {
                heard += 1;
                assert_eq!(status, Some(3), "{name}");
                assert!(told.contains(&format!("interrupted by SIG{signal}; nothing was written\n")), "{name}");
            }
            let left: Vec<String> = names(path).into_iter().filter(|name| name != ".cache").collect();
            assert_eq!(left, before, "{name}");
        }
        assert!(heard > 0, "no signal met a run of {}", arguments[0]);
    }
}

#[test]
fn what_ends_a_run_ends_the_judge_that_it_asks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in ["tests/cmd/judge-command/in/draft.md", "testdata/example/heat-pumps.warc.gz"] {
        let from = root.join(file);
        std::fs::copy(&from, path.join(from.file_name().unwrap())).unwrap();
    }
    let judge = "touch begun; sleep 2; touch late";
    let arguments = ["verify", "draft.md", "--replay", "heat-pumps.warc.gz", "--judge", judge];
    let Some(child) = cited(path, &arguments) else { return };
    let began = Instant::now();
    while !path.join("begun").exists() {
        assert!(began.elapsed() < Duration::from_mins(1), "the judge is not asked");
        std::thread::sleep(Duration::from_millis(5));
    }
    send("TERM", &child);
    let (status, told) = end(child);
    assert_eq!((status, told.as_str()), (Some(3), "interrupted by SIGTERM; nothing was written\n"));
    std::thread::sleep(Duration::from_millis(2500));
    assert!(!path.join("late").exists() && !path.join("draft-brief.md").exists());
}

#[test]
fn what_was_ignored_at_the_start_stays_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write_draft(&path.join("large.md"));
    let script =
        format!("trap '' INT HUP; exec {:?} verify large.md --offline --cache off -q", env!("CARGO_BIN_EXE_cited"));
    let mut command = Command::new("sh");
    let mut child = command.args(["-c", &script]).current_dir(path).stdout(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(200));
    send("INT", &child);
    send("HUP", &child);
    assert_eq!(child.wait().unwrap().code(), Some(3), "offline it is blocked, and nothing else");
    assert!(path.join("large-brief.md").exists());
}
