//! Scratch: hashes of briefs, records, findings and verdicts.
#![allow(clippy::all, clippy::pedantic, missing_docs, dead_code)]
#[path = "../tests/support/scripted.rs"]
mod scripted;
use cited::claim::ClaimKind;
use cited::fetch::{Fetcher, Fetching, Outcome, Request};
use cited::judge::{ClaimText, Settings, SourceText, judge};
use cited::pipeline::Input;
use sha2::{Digest, Sha256};
struct Scripted {
    dead: fn(&str) -> bool,
}
impl Fetcher for Scripted {
    fn fetch<'a>(&'a self, request: &'a Request) -> Fetching<'a> {
        let dead = |a: &str| if (self.dead)(&host(a)) { Outcome::Dead } else { Outcome::Live };
        let fetched = scripted::answer(request, dead);
        Box::pin(async move { fetched })
    }
}
fn host(a: &str) -> String {
    let rest = a.split_once("://").map_or(a, |(_, r)| r);
    rest.split(['/', '?', '#']).next().unwrap_or(rest).to_lowercase()
}
fn nobody(_: &str) -> bool {
    false
}
fn a_third(host: &str) -> bool {
    let h = host.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    h.is_multiple_of(3)
}
fn hash(t: &str) -> String {
    let d = Sha256::digest(t.as_bytes());
    d.iter().take(6).map(|b| format!("{b:02x}")).collect()
}
fn main() {
    let out = std::env::args().nth(1).expect("a folder");
    std::fs::create_dir_all(&out).unwrap();
    let mut drafts: Vec<(String, std::path::PathBuf)> = vec![];
    let mut names: Vec<_> = std::fs::read_dir("/work/shared/corpus")
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "md") && !p.ends_with("README.md"))
        .collect();
    names.sort_by_key(|p| hash(&p.file_name().unwrap().to_string_lossy()));
    for p in names.into_iter().take(25) {
        drafts.push((format!("corpus-{}", p.file_stem().unwrap().to_string_lossy()), p));
    }
    for base in ["tests/cases", "/work/shared/cases"] {
        let mut d: Vec<_> = std::fs::read_dir(base)
            .unwrap()
            .map(|e| e.unwrap().path())
            .filter(|p| p.join("draft.md").is_file())
            .collect();
        d.sort();
        for p in d {
            drafts.push((
                format!("case-{}-{}", base.len(), p.file_name().unwrap().to_string_lossy()),
                p.join("draft.md"),
            ));
        }
    }
    let next = std::sync::atomic::AtomicUsize::new(0);
    let lines = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|s| {
        for _ in 0..2 {
            s.spawn(|| {
                loop {
                    let i = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some((name, path)) = drafts.get(i) else { break };
                    let Ok(text) = std::fs::read_to_string(path) else { continue };
                    let mut research = vec![];
                    if name.starts_with("case") {
                        let folder = path.parent().unwrap();
                        let mut rs: Vec<_> = walk(folder)
                            .into_iter()
                            .filter(|p| p != path && p.to_string_lossy().contains("research"))
                            .collect();
                        rs.sort();
                        for r in rs {
                            if let Ok(t) = std::fs::read_to_string(&r) {
                                research.push(Input {
                                    path: r.file_name().unwrap().to_string_lossy().into_owned().into(),
                                    text: t.into(),
                                });
                            }
                        }
                    }
                    for (mode, dead) in [("live", nobody as fn(&str) -> bool), ("third", a_third)] {
                        let whole = match scripted::run(&text, &research, &Scripted { dead }, &scripted::options()) {
                            Ok(run) => format!(
                                "{}\n=====\n{}\n=====\n{}",
                                run.brief,
                                serde_json::to_string_pretty(&run.record).unwrap(),
                                run.findings().iter().map(|f| format!("{f:?}\n")).collect::<String>()
                            ),
                            Err(e) => format!("ERROR {e}"),
                        };
                        std::fs::write(format!("{out}/{name}.{mode}"), &whole).unwrap();
                        lines.lock().unwrap().push(format!("{} {name}.{mode}", hash(&whole)));
                    }
                }
            });
        }
    });
    let mut lines = lines.into_inner().unwrap();
    let mut sets: Vec<_> = std::fs::read_dir("/work/shared/eval/dev").unwrap().map(|e| e.unwrap().path()).collect();
    sets.sort();
    for p in sets {
        let name = p.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&p).unwrap();
        let mut all = String::new();
        for line in text.lines().take(40) {
            let v: serde_json::Value = serde_json::from_str(line).unwrap();
            let get = |a: &str, b: &str| v[a].as_str().or(v[b].as_str()).unwrap_or("").to_owned();
            let (c, s) = (get("claim", "hypothesis"), get("source_text", "premise"));
            let verdict = judge(&ClaimText::new(&c, ClaimKind::Plain), &SourceText::new(&s, ""), &Settings::default());
            all += &format!("{c}\n   {verdict:?}\n");
        }
        std::fs::write(format!("{out}/judge-{name}"), &all).unwrap();
        lines.push(format!("{} judge-{name}", hash(&all)));
    }
    lines.sort_by(|a, b| a[13..].cmp(&b[13..]));
    println!("{}", lines.join("\n"));
}
fn walk(p: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut v = vec![];
    for e in std::fs::read_dir(p).unwrap().flatten() {
        let p = e.path();
        if p.is_dir() {
            v.extend(walk(&p));
        } else {
            v.push(p);
        }
    }
    v
}
