//! Drafts of many forms and kinds that somebody wrote without sight of the code (`testdata/blind/forms`): of each the brief cites what a careful editor
//! would cite, keeps what is no citation, and has lost what only dead sources back.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use cited::address::key_of;
use cited::citation::{self, Citations, KnownLabels, Target};
use cited::markdown::Document;
use cited::{Fetched, Fetcher, Fetching, Input, Options, Outcome, Request, read_page, verify};
use serde_json::Value;

/// Drafts that are not as they should be, and why.
const KNOWN: &[(&str, &str)] = &[
    ("07-sourdough-recipe", "(1) is no form of a citation: refused"),
    ("16-biography-mla", "(Author Page) without a year is no form of a citation"),
    ("25-yaml-front-matter-sources", "front matter is not read: refused"),
    ("29-pandoc-bibtex", "a bibliography in a fence of code is code: refused"),
];

/// The same of the second set.
const KNOWN_OF_MORE: &[(&str, &str)] = &[
    (
        "11-readme-badges",
        "the value of a cell whose source is gone stands on a page that its row cites: cited from there",
    ),
    ("28-reading-list", "the citation stands in the middle of the sentence, which the case does not say"),
    ("44-same-page-twice", "a short link that leads to another entry is that source; the case names the link"),
];

/// What an address gives: a page, or nothing any more; and where some lead.
struct World(BTreeMap<String, Option<String>>, BTreeMap<String, String>);

impl World {
    fn collect(sources: &[Value]) -> World {
        let own = |source: &Value| {
            let alive = source["alive"].as_bool().unwrap_or(true);
            alive.then(|| source["page"].as_str().unwrap_or_default().to_owned())
        };
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let mut pages: BTreeMap<String, Option<String>> =
            sources.iter().filter_map(|source| Some((text(&source["url"])?, own(source)))).collect();
        for source in sources {
            let same = text(&source["same_as"]).and_then(|same| pages.get(&same).cloned());
            if let (Some(url), Some(page)) = (text(&source["url"]), same) {
                pages.insert(url, page);
            }
        }
        let moved = sources.iter().filter(|source| source["redirect"].as_bool() == Some(true));
        let led = moved.filter_map(|source| Some((key(&text(&source["url"])?), text(&source["same_as"])?)));
        World(pages.into_iter().map(|(url, page)| (key(&url), page)).collect(), led.collect())
    }
}

fn key(address: &str) -> String {
    format!("{:?}", key_of(address))
}

impl Fetcher for World {
    fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a> {
        let now = jiff::Timestamp::UNIX_EPOCH;
        let found = request.addresses.iter().find_map(|address| Some((address, self.0.get(&key(address))?.as_ref()?)));
        let fetched = match found {
            Some((address, text)) => {
                let page = read_page(format!("<main><p>{text}</p></main>"), "page.html").expect("a page");
                let fetched = Fetched::live(address, page, now);
                match self.1.get(&key(address)) {
                    Some(led) => Fetched { outcome: Outcome::Moved, final_url: Some(led.clone()), ..fetched },
                    None => fetched,
                }
            }
            None => Fetched::dead(&request.addresses[0], "HTTP 404", now),
        };
        Box::pin(std::future::ready(fetched))
    }
}

/// What is wrong with the brief of one draft.
fn faults(folder: &Path, name: &str) -> Vec<String> {
    let read = |ending: &str| std::fs::read_to_string(folder.join(format!("{name}.{ending}"))).expect("a file");
    let truth: Value = serde_json::from_str(&read("json")).expect("JSON");
    let list = |field: &str| truth[field].as_array().cloned().unwrap_or_default();
    let draft = Input { path: format!("{name}.md"), text: read("md").into() };
    let options = Options { now: jiff::Timestamp::UNIX_EPOCH, ..Options::default() };
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let run = runtime.block_on(verify(&draft, &[], &World::collect(&list("sources")), &options, &|_| {}));
    let run = match run {
        Ok(run) if run.withheld.is_none() => run,
        Ok(run) => return run.withheld.into_iter().collect(),
        Err(error) => return vec![error.to_string()],
    };
    // What the brief says of removed claims is no part of its text.
    let stays = |line: &&str| !line.starts_with("- “");
    let body: String = run.brief.split_inclusive('\n').filter(stays).collect();
    let mut faults = Vec::new();
    let words = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    for gone in list("gone").iter().map(words).filter(|gone| body.contains(gone.as_str())) {
        faults.push(format!("still there: {gone}"));
    }
    for kept in list("kept").iter().map(words).filter(|kept| !body.contains(kept.as_str())) {
        faults.push(format!("not there: {kept}"));
    }
    let document = Document::read(&*run.brief);
    let citations = citation::read(&document, &KnownLabels::default());
    for expected in list("citations") {
        let wanted: BTreeSet<String> =
            expected["urls"].as_array().into_iter().flatten().filter_map(Value::as_str).map(key).collect();
        let titled = expected["urls"].as_array().into_iter().flatten().filter_map(Value::as_str);
        if titled.clone().any(|url| url.starts_with("title:")) {
            continue;
        }
        let piece = words(&expected["sentence"]);
        let whole = expected["where"].as_str() == Some("sentence");
        let found = cited_behind(&run.brief, &citations, &piece, whole);
        // Where the whole sentence counts, so does what else its line cites.
        let fits = |found: &BTreeSet<String>| if whole { found.is_superset(&wanted) } else { *found == wanted };
        if !found.as_ref().is_some_and(fits) {
            faults.push(format!("behind {piece:?}: {found:?} for {wanted:?}"));
        }
    }
    faults
}

/// The sources of the citation behind some words, or of all citations of their line from there on.
fn cited_behind(body: &str, citations: &Citations, piece: &str, whole: bool) -> Option<BTreeSet<String>> {
    let start = body.find(piece)?;
    // The words may stand on several lines.
    let end = start + piece.len();
    let line = body[end..].find('\n').map_or(body.len(), |at| end + at);
    // The citation may stand in the middle of its sentence: *Ho (2022) found that …*.
    let from = if whole { body[..start].rfind('\n').map_or(0, |at| at + 1) } else { start + piece.len() };
    let mut end = None;
    let mut found = BTreeSet::new();
    for marker in citations.markers.iter().filter(|marker| marker.span.start >= from && marker.span.end <= line) {
        let joins = end.is_none_or(|end: usize| is_nothing(&body[end..marker.span.start]));
        if !(joins || whole) {
            break;
        }
        end = Some(marker.span.end);
        for target in &marker.targets {
            match target {
                Target::Address(address) => found.extend([key(address)]),
                Target::Entry(id) => {
                    let addresses = citations.entry(*id).map(|entry| entry.addresses.as_slice()).unwrap_or_default();
                    found.extend(addresses.first().map(|address| key(address)));
                }
                Target::Label(_) => {}
            }
        }
    }
    Some(found)
}

/// Whether nothing is said between two citations: tags are not read.
fn is_nothing(between: &str) -> bool {
    let shown = between.split('<').map(|part| part.rsplit('>').next().unwrap_or_default());
    shown.collect::<String>().trim_matches([' ', ',', '[', ']']).is_empty()
}

/// The drafts of a folder that are not as they should be, but for those that are known to be so.
fn wrong(folder: &str, count: usize, known: &[(&str, &str)]) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("the drafts")
        .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".md")?.to_owned()))
        .collect();
    names.sort();
    assert_eq!(names.len(), count);
    let mut wrong = String::new();
    for name in &names {
        let faults = faults(&folder, name);
        let known = known.iter().any(|(known, _)| known == name);
        if known == faults.is_empty() {
            wrong.push_str(&format!("{name}: {}\n", if known { "mended".to_owned() } else { faults.join("\n    ") }));
        }
    }
    wrong
}

#[test]
fn drafts_of_others_are_read_as_a_careful_editor_would() {
    let wrong = wrong("testdata/blind/forms", 68, KNOWN);
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn more_drafts_of_others_are_read_as_a_careful_editor_would() {
    let wrong = wrong("testdata/blind/forms2", 50, KNOWN_OF_MORE);
    assert!(wrong.is_empty(), "\n{wrong}");
}
