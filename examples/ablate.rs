//! What each sign of the judge is worth: takes one out after the other and counts what labelled claims gain and lose.
//!
//! ```text
//! cargo run --release --example ablate -- [FOLDER | FILE.jsonl | FILE.txt]...
//! ```
//!
//! A folder has `claims.jsonl` (`{"claim", "page", "label"}`) and its pages, or sets as `evaluate` reads them; a `.txt` is a table as
//! `testdata/dense-pages.txt`. Without arguments it reads what the repository has.
//!
//! A sign earns its place by false claims that are called supported without it. It costs true ones that would be.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use cited::claim::ClaimKind;
use cited::fetch::document::{self, Limits};
use cited::judge::signs::{OTHER_WORD, SIGNS, SignId};
use cited::judge::{ClaimText, Settings, SourceText, Standing, judge};
use serde_json::Value;

/// A claim, and whether its source supports it.
struct Labelled {
    claim: String,
    is_true: bool,
}

/// A source and what is claimed with it.
struct Page {
    set: String,
    text: String,
    title: String,
    complete: bool,
    claims: Vec<Labelled>,
}

/// What taking a sign out changes.
#[derive(Default)]
struct Worth {
    fired: usize,
    true_gained: usize,
    false_gained: BTreeMap<String, usize>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut inputs: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if inputs.is_empty() {
        inputs = ["blind/a", "blind/b", "dense-pages.txt"].map(|name| Path::new("testdata").join(name)).into();
    }
    let mut pages = Vec::new();
    for input in &inputs {
        read(input, &mut pages)?;
    }
    let mut worths: BTreeMap<SignId, Worth> =
        SIGNS.iter().map(|sign| sign.id).chain([OTHER_WORD]).map(|id| (id, Worth::default())).collect();
    let (mut supported, mut all) = ([0_usize; 2], [0_usize; 2]);
    for page in &pages {
        let source = SourceText::new(&page.text, "").complete(page.complete).about(&page.title);
        for labelled in &page.claims {
            let claim = ClaimText::new(&labelled.claim, ClaimKind::Plain);
            let verdict = judge(&claim, &source, &Settings::default());
            all[usize::from(labelled.is_true)] += 1;
            supported[usize::from(labelled.is_true)] += usize::from(verdict.standing == Standing::Supported);
            let Some((id, worth)) =
                verdict.sign.as_deref().and_then(|id| worths.iter_mut().find(|(known, _)| **known == id))
            else {
                continue;
            };
            worth.fired += 1;
            let without = judge(&claim, &source, &Settings { without: Some(*id), ..Settings::default() });
            if without.standing != Standing::Supported {
                continue;
            }
            if labelled.is_true {
                worth.true_gained += 1;
            } else {
                *worth.false_gained.entry(page.set.clone()).or_default() += 1;
            }
            if std::env::var_os("ABLATE_CLAIMS").is_some() {
                println!("{id}\t{}\t{}\t{}", labelled.is_true, page.set, labelled.claim);
            }
        }
    }
    println!("{} of {} true claims are supported, {} of {} false ones", supported[1], all[1], supported[0], all[0]);
    println!("{:<26} {:>6} {:>13} {:>13}  in", "without", "fired", "true gained", "false gained");
    for (id, worth) in &worths {
        let wrong: usize = worth.false_gained.values().sum();
        let sets: Vec<String> = worth.false_gained.iter().map(|(set, count)| format!("{set} {count}")).collect();
        println!("{id:<26} {:>6} {:>13} {wrong:>13}  {}", worth.fired, worth.true_gained, sets.join(", "));
    }
    Ok(())
}

fn read(path: &Path, pages: &mut Vec<Page>) -> Result<(), Box<dyn Error>> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let labelled = path.join("claims.jsonl");
    if labelled.exists() {
        return blind(path, &labelled, &name, pages);
    }
    if path.is_dir() {
        let mut files: Vec<PathBuf> = fs::read_dir(path)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "jsonl"));
        files.sort();
        return files.iter().try_for_each(|file| read(file, pages));
    }
    if path.extension().is_some_and(|extension| extension == "txt") {
        return table(path, &name, pages);
    }
    for line in fs::read_to_string(path)?.lines() {
        let value: Value = serde_json::from_str(line)?;
        let text = |names: [&str; 2]| names.iter().find_map(|name| value.get(name)?.as_str()).map(str::to_owned);
        let (Some(claim), Some(source)) = (text(["claim", "hypothesis"]), text(["source_text", "premise"])) else {
            continue;
        };
        let is_true = text(["label", "label"]).as_deref() == Some("supported");
        let claims = vec![Labelled { claim, is_true }];
        // Some sets have excerpts of pages for sources; what is absent from them only matters to contradictions.
        pages.push(Page { set: name.clone(), text: source, title: String::new(), complete: false, claims });
    }
    Ok(())
}

fn blind(folder: &Path, labelled: &Path, set: &str, pages: &mut Vec<Page>) -> Result<(), Box<dyn Error>> {
    let mut claims: BTreeMap<String, Vec<Labelled>> = BTreeMap::new();
    for line in fs::read_to_string(labelled)?.lines() {
        let value: Value = serde_json::from_str(line)?;
        let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let is_true = value.get("label").is_some_and(|label| label == true || label == "true");
        claims.entry(text("page")).or_default().push(Labelled { claim: text("claim"), is_true });
    }
    for (name, claims) in claims {
        let limits = Limits { max_body: 16 << 20, max_title: 4096, words: None, pdf: None, seen_only: false };
        let page = document::of_file(fs::read(folder.join(&name))?, &name, &limits).page;
        let title = page.title.unwrap_or_default();
        pages.push(Page { set: set.to_owned(), text: page.text, title, complete: page.complete, claims });
    }
    Ok(())
}

fn table(path: &Path, set: &str, pages: &mut Vec<Page>) -> Result<(), Box<dyn Error>> {
    let table = fs::read_to_string(path)?;
    let mut parts = table.split("---\n").skip(1);
    while let (Some(page), Some(claims)) = (parts.next(), parts.next()) {
        let claims = claims
            .lines()
            .filter_map(|line| line.split_once(' '))
            .map(|(sign, claim)| Labelled { claim: claim.to_owned(), is_true: matches!(sign, "=" | "~" | "+") });
        let (text, claims) = (page.trim_end().to_owned(), claims.collect());
        pages.push(Page { set: set.to_owned(), text, title: String::new(), complete: true, claims });
    }
    Ok(())
}
