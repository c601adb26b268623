//! Damages the reports of a folder at random, verifies what comes out by pages in memory, and counts panics, refusals by the
//! self-check, and broken promises, by class.
//!
//! ```sh
//! cargo run --release --example mutate -- FOLDER [--drafts 10000] [--seed 0] [--except LIST] [--only SEED] [--save FOLDER]
//! ```
//!
//! `--except` names a file with the names of reports that are left out, each at the end of a line. `--only` runs the draft of one seed and prints
//! what is wrong with it, with draft and brief. `--save` writes the drafts of faults there.

#[path = "../tests/support/mutation.rs"]
mod mutation;
#[allow(dead_code, reason = "the tests need more of it")]
#[path = "../tests/support/promises.rs"]
mod promises;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use cited::pipeline::Options;
use mutation::{Chance, Classes, Fault, asked_for, class, mutated, run};

struct Arguments {
    folder: PathBuf,
    drafts: u64,
    seed: u64,
    except: Vec<String>,
    only: Option<u64>,
    save: Option<PathBuf>,
}

fn arguments() -> Option<Arguments> {
    let mut given = std::env::args().skip(1);
    let mut read =
        Arguments { folder: PathBuf::new(), drafts: 10_000, seed: 0, except: Vec::new(), only: None, save: None };
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--drafts" => read.drafts = given.next()?.parse().ok()?,
            "--seed" => read.seed = given.next()?.parse().ok()?,
            "--only" => read.only = Some(given.next()?.parse().ok()?),
            "--save" => read.save = Some(given.next()?.into()),
            "--except" => {
                let list = std::fs::read_to_string(given.next()?).ok()?;
                read.except = list.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
            }
            _ => read.folder = argument.into(),
        }
    }
    (!read.folder.as_os_str().is_empty()).then_some(read)
}

/// The reports below a folder. Those that are left out are not opened.
fn reports(folder: &Path, except: &[String]) -> Vec<String> {
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())) {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if path.is_dir() {
                folders.push(path);
            } else if std::path::Path::new(&name).extension().is_some_and(|end| end == "md")
                && name != "README.md"
                && !except.iter().any(|line| line.ends_with(&name))
            {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

fn draft(reports: &[String], seed: u64) -> (String, Options) {
    let mut chance = Chance::new(seed);
    let count = reports.len() as u64;
    let text = &reports[(seed % count) as usize];
    let other = &reports[((seed / count + seed * 7) % count) as usize];
    let text = mutated(text, other, &mut chance);
    (text, asked_for(&mut chance))
}

fn main() -> ExitCode {
    let Some(arguments) = arguments() else {
        eprintln!("usage: mutate FOLDER [--drafts N] [--seed N] [--except LIST] [--only SEED] [--save FOLDER]");
        return ExitCode::from(2);
    };
    let reports = reports(&arguments.folder, &arguments.except);
    if reports.is_empty() {
        eprintln!("{}: no reports there", arguments.folder.display());
        return ExitCode::from(2);
    }
    if let Some(seed) = arguments.only {
        let (text, options) = draft(&reports, seed);
        println!("support {}, notes {}, {:?}, {:?}", options.support, options.notes, options.style, options.policy);
        match run(&text, &options) {
            Ok(()) => println!("nothing wrong"),
            Err((fault, message)) => println!("{fault:?}: {message}"),
        }
        return ExitCode::SUCCESS;
    }
    std::panic::set_hook(Box::new(|_| {}));
    let next = AtomicU64::new(arguments.seed);
    let end = arguments.seed + arguments.drafts;
    let classes: Mutex<Classes> = Mutex::default();
    let work = || {
        while let Some(seed) = Some(next.fetch_add(1, Relaxed)).filter(|seed| *seed < end) {
            let (text, options) = draft(&reports, seed);
            let Err((fault, message)) = run(&text, &options) else { continue };
            if let Some(folder) = &arguments.save {
                let _ = std::fs::write(folder.join(format!("{seed}.md")), &text);
            }
            if let Ok(mut classes) = classes.lock() {
                classes.entry((fault, class(&message))).or_default().push(seed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            // As much stack as a main thread has.
            let _ = std::thread::Builder::new().stack_size(8 << 20).spawn_scoped(scope, work);
        }
    });
    let classes = classes.into_inner().unwrap_or_default();
    let mut classes: Vec<_> = classes.into_iter().collect();
    classes.sort_by_key(|((fault, _), seeds)| (*fault, std::cmp::Reverse(seeds.len())));
    let count = |wanted: Fault| -> usize {
        classes.iter().filter(|((fault, _), _)| *fault == wanted).map(|(_, seeds)| seeds.len()).sum()
    };
    println!(
        "{} reports, {} drafts: {} panics, {} refused, {} with a broken promise",
        reports.len(),
        arguments.drafts,
        count(Fault::Panic),
        count(Fault::Refused),
        count(Fault::Broken)
    );
    for ((fault, class), seeds) in &classes {
        println!("{:>5} {fault:?} {class}  ({:?})", seeds.len(), &seeds[..seeds.len().min(4)]);
    }
    if count(Fault::Panic) == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
