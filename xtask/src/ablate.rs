//! What each sign of the judge is worth.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use cited::claim::ClaimKind;
use cited::fetch::document::{self, Limits};
use cited::judge::signs::{OTHER_WORD, SIGNS, SignId};
use cited::judge::{ClaimText, Settings, SourceText, Standing, judge};
use serde_json::Value;

use crate::{Result, files, labelled};

/// What each sign of the judge is worth: takes one out after the other and counts what labelled claims gain and lose.
///
/// A sign earns its place by false claims that are called supported without it. It costs true ones that would be.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folders with `claims.jsonl` (`{"claim", "page", "label"}`) and its pages, or with sets as `evaluate` reads them; such sets;
    /// tables as testdata/dense-pages.txt.
    #[arg(default_values = ["testdata/blind/a", "testdata/blind/b", "testdata/blind/c", "testdata/blind/d", "testdata/blind/e", "testdata/blind/f", "testdata/blind/g", "testdata/blind/h", "testdata/blind/i", "testdata/dense-pages.txt"])]
    inputs: Vec<PathBuf>,
    /// Names each claim for which a sign decides.
    #[arg(long)]
    claims: bool,
}

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

pub fn run(arguments: &Arguments) -> Result {
    let mut pages = Vec::new();
    for input in &arguments.inputs {
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
            if arguments.claims {
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

fn read(path: &Path, pages: &mut Vec<Page>) -> Result {
    let labelled = path.join("claims.jsonl");
    if labelled.exists() {
        return blind(path, &labelled, pages);
    }
    if path.is_dir() {
        return files::below(path, "jsonl")?.iter().try_for_each(|file| read(file, pages));
    }
    if path.extension().is_some_and(|extension| extension == "txt") {
        return table(path, pages);
    }
    pages.extend(labelled::rows(path)?.into_iter().map(|row| {
        let claims = vec![Labelled { is_true: row.is_supported(), claim: row.claim }];
        // Some sets have excerpts of pages for sources; what is absent from them only matters to contradictions.
        Page { set: labelled::name(path), text: row.source, title: String::new(), complete: false, claims }
    }));
    Ok(())
}

fn blind(folder: &Path, labelled: &Path, pages: &mut Vec<Page>) -> Result {
    let mut claims: BTreeMap<String, Vec<Labelled>> = BTreeMap::new();
    for line in files::text(labelled)?.lines() {
        let value: Value = serde_json::from_str(line)?;
        let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let is_true = ["label", "truth"].iter().find_map(|name| value.get(name)).and_then(Value::as_bool);
        let is_true =
            is_true.ok_or_else(|| format!("{}: a claim is neither true nor false: {line}", labelled.display()))?;
        claims.entry(text("page")).or_default().push(Labelled { claim: text("claim"), is_true });
    }
    for (name, claims) in claims {
        let limits = Limits { max_body: 16 << 20, max_title: 4096, words: None, pdf: None, seen_only: false };
        let page = document::of_file(fs::read(folder.join(&name))?, &name, &limits).page;
        let title = page.title.unwrap_or_default();
        pages.push(Page { set: files::stem(folder), text: page.text, title, complete: page.complete, claims });
    }
    Ok(())
}

fn table(path: &Path, pages: &mut Vec<Page>) -> Result {
    let table = files::text(path)?;
    let mut parts = table.split("---\n").skip(1);
    while let (Some(page), Some(claims)) = (parts.next(), parts.next()) {
        let claims = claims
            .lines()
            .filter_map(|line| line.split_once(' '))
            .map(|(sign, claim)| Labelled { claim: claim.to_owned(), is_true: matches!(sign, "=" | "~" | "+") });
        let (text, claims) = (page.trim_end().to_owned(), claims.collect());
        pages.push(Page { set: files::stem(path), text, title: String::new(), complete: true, claims });
    }
    Ok(())
}
