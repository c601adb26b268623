//! The text of HTML pages against gold text.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use cited::fetch::document::{self, Limits};
use cited::fetch::transport::{Answer, BodyEnd};
use cited::text::script::is_cjk;
use url::Url;

use crate::{Result, files};

/// Measures the text of HTML pages against gold text.
///
/// Words are compared as bags (runs of letters and digits in lower case, CJK characters one by one), and precision, recall and
/// F1 are means over the pages.
#[derive(clap::Args)]
pub struct Arguments {
    /// Pages as `NAME.html` with the text that a reader would want as `NAME.txt`.
    dir: PathBuf,
    /// What other extractors gave for the same pages: a name and a folder with `NAME.txt`, as `NAME=DIR`.
    others: Vec<String>,
    /// Shows each page.
    #[arg(long)]
    pages: bool,
}

pub fn run(arguments: &Arguments) -> Result {
    let pages = pages(&arguments.dir)?;
    if pages.is_empty() {
        return Err(format!("{}: no page with its text beside it", arguments.dir.display()).into());
    }
    println!("{} pages of {}\n", pages.len(), arguments.dir.display());
    println!("| text | precision | recall | F1 | pages under .5 |\n|---|---|---|---|---|");
    let start = Instant::now();
    let read: Vec<_> = pages.iter().map(|page| read(&page.html)).collect();
    let each = start.elapsed().as_secs_f64() * 1000.0 / pages.len() as f64;
    let golds: Vec<&str> = pages.iter().map(|page| page.gold.as_str()).collect();
    let mains: Vec<(&str, &str)> = read.iter().map(|d| d.page.main()).zip(golds.iter().copied()).collect();
    let wholes: Vec<(&str, &str)> = read.iter().map(|d| d.page.text.as_str()).zip(golds.iter().copied()).collect();
    row("cited, main part", &mains);
    row("cited, whole text", &wholes);
    for argument in &arguments.others {
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
    if arguments.pages {
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

fn pages(folder: &Path) -> Result<Vec<Page>> {
    let mut paths = files::below(folder, "html")?;
    paths.retain(|path| path.with_extension("txt").exists());
    let load = |path: &PathBuf| -> Result<Page> {
        Ok(Page {
            name: files::stem(path),
            html: std::fs::read(path)?,
            gold: files::text(&path.with_extension("txt"))?,
        })
    };
    paths.iter().map(load).collect()
}

fn read(html: &[u8]) -> document::Document {
    let mut headers = http::HeaderMap::new();
    headers.insert("content-type", http::HeaderValue::from_static("text/html"));
    let answer = Answer { status: 200, headers, body: html.to_vec().into(), end: BodyEnd::Complete };
    let url = Url::parse("https://page.example/article").expect("an address");
    document::read(&answer, &url, &Limits { max_body: 64 << 20, ..Limits::default() })
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
