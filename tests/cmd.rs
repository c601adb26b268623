//! Runs every folder of `tests/cmd`: a command line, what it finds, what it says, what it leaves behind.
//!
//! `tests/README.md` tells what a folder holds. `UPDATE_CMD=1` writes what was found into the folders.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};

#[path = "support/schemas.rs"]
mod schemas;

/// There are at least so many scenes: a run that finds fewer looked in the wrong place.
const FEWEST: usize = 100;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd");
    let entries = std::fs::read_dir(&root).unwrap_or_else(|error| panic!("{}: {error}", root.display()));
    let mut scenes: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder that can be read").path())
        .filter(|path| path.join("cmd").is_file())
        .collect();
    assert!(scenes.len() >= FEWEST, "only {} scenes were found", scenes.len());
    scenes.sort();
    let trial = |path: PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // The commands are lines of a POSIX shell.
        Trial::test(name, move || run(&path)).with_ignored_flag(cfg!(not(unix)))
    };
    libtest_mimic::run(&arguments, scenes.into_iter().map(trial).collect()).exit_code()
}

fn run(scene: &Path) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    if scene.join("in").is_dir() {
        copy(&scene.join("in"), folder.path())?;
    }
    let binary = Path::new(env!("CARGO_BIN_EXE_cited"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", binary.parent().unwrap_or(Path::new("/")).display());
    let mut command = Command::new("sh");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CITED_")) {
        command.env_remove(name);
    }
    let script = std::fs::read_to_string(scene.join("cmd"))?;
    let output = command
        .args(["-c", &script])
        .current_dir(folder.path())
        .env("PATH", path)
        .env("ROOT", env!("CARGO_MANIFEST_DIR"))
        .env("COLUMNS", "100")
        .env("XDG_CACHE_HOME", folder.path().join(".cache"))
        .stdin(Stdio::null())
        .output()?;
    let status = output.status.code().map_or_else(|| "killed".to_owned(), |code| code.to_string());
    let found = [
        ("stdout", String::from_utf8_lossy(&output.stdout).into_owned()),
        ("stderr", String::from_utf8_lossy(&output.stderr).into_owned()),
        ("status", status + "\n"),
    ];
    schemas::validate(&output.stdout)?;
    schemas::validate_folder(folder.path())?;
    if std::env::var_os("UPDATE_CMD").is_some() {
        for (name, text) in &found {
            let file = scene.join(name);
            if !matches(&std::fs::read_to_string(&file).unwrap_or_default(), text) {
                std::fs::write(file, text)?;
            }
        }
        return Ok(());
    }
    for (name, text) in &found {
        let expected = std::fs::read_to_string(scene.join(name)).unwrap_or_default();
        if !matches(&expected, text) {
            let all: Vec<String> = found.iter().map(|(name, text)| format!("--- {name}\n{text}")).collect();
            return Err(format!("{name} differs; expected\n{expected}\nfound\n{}", all.join("")).into());
        }
    }
    if scene.join("after").is_dir() {
        compare(&scene.join("after"), folder.path())?;
    }
    Ok(())
}

/// Whether `found` is `expected`, in which `[..]` stands for anything within a line and a line `...` for any lines.
fn matches(expected: &str, found: &str) -> bool {
    let expected: Vec<&str> = expected.lines().collect();
    let found: Vec<&str> = found.lines().collect();
    lines_match(&expected, &found)
}

fn lines_match(expected: &[&str], found: &[&str]) -> bool {
    match expected {
        [] => found.is_empty(),
        ["...", rest @ ..] => (0..=found.len()).any(|skipped| lines_match(rest, &found[skipped..])),
        [line, rest @ ..] => {
            found.first().is_some_and(|first| line_matches(line, first) && lines_match(rest, &found[1..]))
        }
    }
}

fn line_matches(expected: &str, found: &str) -> bool {
    match expected.split_once("[..]") {
        None => expected == found,
        Some((before, after)) => found.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices().map(|(at, _)| at).chain([rest.len()]).any(|at| line_matches(after, &rest[at..]))
        }),
    }
}

/// Every file of `expected` is in `folder` and the same there; an empty file named `NAME.absent` says that NAME is not.
fn compare(expected: &Path, folder: &Path) -> Result<(), Failed> {
    for entry in std::fs::read_dir(expected)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if let Some(absent) = name.strip_suffix(".absent") {
            if folder.join(absent).exists() {
                return Err(format!("{absent} should not be there").into());
            }
            continue;
        }
        let wanted = std::fs::read_to_string(expected.join(&name))?;
        let found = std::fs::read_to_string(folder.join(&name)).map_err(|error| format!("{name}: {error}"))?;
        if !matches(&wanted, &found) {
            return Err(format!("{name} differs; expected\n{wanted}\nfound\n{found}").into());
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            std::fs::create_dir(&place)?;
            copy(&entry.path(), &place)?;
        } else {
            std::fs::copy(entry.path(), place)?;
        }
    }
    Ok(())
}
