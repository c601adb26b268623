//! Measures the text of HTML pages against gold text: `text_quality DIR [NAME=DIR...]`.
//!
//! DIR holds pages as `NAME.html` with the text that a reader would want as `NAME.txt`; each further folder holds what
//! another extractor gave for the same pages, as `NAME.txt`. Words are compared as bags (runs of letters and digits in
//! lower case, CJK characters one by one), and precision, recall and F1 are means over the pages. With the environment
//! variable `TEXT_QUALITY_PAGES` each page is shown.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use cited::fetch::document::{self, Limits};
use cited::fetch::transport::{Answer, BodyEnd};
use cited::text::script::is_cjk;
use url::Url;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("text_quality DIR [NAME=DIR...]")?);
    let pages = pages(&folder)?;
    if pages.is_empty() {
        return Err(format!("{}: no page with its text beside it", folder.display()));
    }
    println!("{} pages of {}\n", pages.len(), folder.display());
    println!("| text | precision | recall | F1 | pages under .5 |\n|---|---|---|---|---|");
    let start = Instant::now();
    let read: Vec<_> = pages.iter().map(|page| read(&page.html)).collect();
    let each = start.elapsed().as_secs_f64() * 1000.0 / pages.len() as f64;
    let golds: Vec<&str> = pages.iter().map(|page| page.gold.as_str()).collect();
    let mains: Vec<(&str, &str)> = read.iter().map(|d| d.page.main()).zip(golds.iter().copied()).collect();
    let wholes: Vec<(&str, &str)> = read.iter().map(|d| d.page.text.as_str()).zip(golds.iter().copied()).collect();
    row("cited, main part", &mains);
    row("cited, whole text", &wholes);
    for argument in arguments {
        let (name, folder) = argument.split_once('=').ok_or_else(|| format!("`{argument}` is not NAME=DIR"))?;
        let texts: Vec<String> = pages
            .iter()
            .map(|page| {
                std::fs::read_to_string(Path::new(folder).join(format!("{}.txt", page.name))).unwrap_or_default()
            })
            .collect();
        row(name, &texts.iter().map(String::as_str).zip(golds.iter().copied()).collect::<Vec<_>>());
    }
    println!("\nReading took {each:.2} ms a page.");
    if std::env::var_os("TEXT_QUALITY_PAGES").is_some() {
        for (page, (main, gold)) in pages.iter().zip(&mains) {
            let [precision, recall, f1] = score(main, gold);
            println!("{f1:.3} p {precision:.3} r {recall:.3} {}", page.name);
        }
    }
    Ok(())
}

struct Page {
    name: String,
    html: Vec<u8>,
    gold: String,
}

fn pages(folder: &Path) -> Result<Vec<Page>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "html") && path.with_extension("txt").exists());
    let load = |path: &PathBuf| -> std::io::Result<Page> {
        Ok(Page {
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            html: std::fs::read(path)?,
            gold: std::fs::read_to_string(path.with_extension("txt"))?,
        })
    };
    paths.iter().map(load).collect::<std::io::Result<_>>().map_err(|error| error.to_string())
}

fn read(html: &[u8]) -> document::Document {
    let mut headers = reqwest::header::HeaderMap::new();
    headers.insert("content-type", reqwest::header::HeaderValue::from_static("text/html"));
    let answer = Answer { status: 200, headers, body: html.to_vec().into(), end: BodyEnd::Complete };
    let url = Url::parse("https://page.example/article").expect("an address");
    document::read(
        &answer,
        &url,
        &Limits { max_body: 64 << 20, max_title: 4096, words: None, pdf: None, seen_only: false },
    )
}

fn row(name: &str, texts: &[(&str, &str)]) {
    let scores: Vec<[f64; 3]> = texts.iter().map(|(text, gold)| score(text, gold)).collect();
    let mean = |at: usize| scores.iter().map(|score| score[at]).sum::<f64>() / scores.len() as f64;
    let poor = scores.iter().filter(|score| score[2] < 0.5).count();
    println!("| {name} | {:.3} | {:.3} | {:.3} | {poor} |", mean(0), mean(1), mean(2));
}

fn score(text: &str, gold: &str) -> [f64; 3] {
    let (text, gold) = (bag(text), bag(gold));
    let common: usize = text.iter().map(|(word, count)| (*count).min(gold.get(word).copied().unwrap_or(0))).sum();
    let share = |of: &HashMap<String, usize>| common as f64 / of.values().sum::<usize>().max(1) as f64;
    let (precision, recall) = (share(&text), share(&gold));
    [precision, recall, 2.0 * precision * recall / (precision + recall).max(f64::EPSILON)]
}

fn bag(text: &str) -> HashMap<String, usize> {
    let mut words: HashMap<String, usize> = HashMap::new();
    for run in text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
        let run = run.to_lowercase();
        if run.chars().any(is_cjk) {
            run.chars().for_each(|c| *words.entry(c.to_string()).or_default() += 1);
        } else {
            *words.entry(run).or_default() += 1;
        }
    }
    words
}
