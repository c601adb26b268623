//! The main job on damaged reports.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use cited::pipeline::Options;

use crate::mutation::{self, Chance, Classes, Fault, asked_for, class, mutated};
use crate::{Result, files};

/// Damages the reports of a folder at random, verifies what comes out by pages in memory, and counts panics, refusals by the
/// self-check, and broken promises, by class.
#[derive(clap::Args)]
pub struct Arguments {
    folder: PathBuf,
    #[arg(long, default_value_t = 10_000)]
    drafts: u64,
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// A file with the names of reports that are left out, each at the end of a line.
    #[arg(long)]
    except: Option<PathBuf>,
    /// Runs the draft of this seed, and prints what is wrong with it, with draft and brief.
    #[arg(long)]
    only: Option<u64>,
    /// Writes the drafts of faults there.
    #[arg(long)]
    save: Option<PathBuf>,
}

/// The reports of the folder. Those that are left out are not opened.
fn reports(arguments: &Arguments) -> Result<Vec<String>> {
    let except = arguments.except.as_deref().map(files::text).transpose()?.unwrap_or_default();
    let mut paths = files::reports(&arguments.folder)?;
    paths.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        !except.lines().any(|line| line.ends_with(&*name))
    });
    if paths.is_empty() {
        return Err(format!("{}: no reports there", arguments.folder.display()).into());
    }
    paths.iter().map(|path| files::text(path)).collect()
}

fn draft(reports: &[String], seed: u64) -> (String, Options) {
    let mut chance = Chance::new(seed);
    let count = reports.len() as u64;
    let text = &reports[(seed % count) as usize];
    let other = &reports[((seed / count + seed * 7) % count) as usize];
    let text = mutated(text, other, &mut chance);
    (text, asked_for(&mut chance))
}

pub fn run(arguments: &Arguments) -> Result {
    let reports = reports(arguments)?;
    if let Some(seed) = arguments.only {
        let (text, options) = draft(&reports, seed);
        println!("support {}, notes {}, {:?}, {:?}", options.support, options.notes, options.style, options.policy);
        match mutation::run(&text, &options) {
            Ok(()) => println!("nothing wrong"),
            Err((fault, message)) => println!("{fault:?}: {message}"),
        }
        return Ok(());
    }
    std::panic::set_hook(Box::new(|_| {}));
    let next = AtomicU64::new(arguments.seed);
    let end = arguments.seed + arguments.drafts;
    let classes: Mutex<Classes> = Mutex::default();
    let work = || {
        while let Some(seed) = Some(next.fetch_add(1, Relaxed)).filter(|seed| *seed < end) {
            let (text, options) = draft(&reports, seed);
            let Err((fault, message)) = mutation::run(&text, &options) else { continue };
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
    if count(Fault::Panic) == 0 { Ok(()) } else { Err("the program must not panic".into()) }
}
