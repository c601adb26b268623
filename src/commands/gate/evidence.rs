//! The files of a gate: data into the engine, sources as texts, metrics by name; and the places of a manifest: lines and sections of files of
//! a corpus, commits of its repository.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ignore::WalkBuilder;
use rusqlite::{Connection, OpenFlags};

use crate::cli::args::Gate;
use crate::commands::input::{self, inside, read_bounded};
use crate::setup::read_page;
use cited_core::check::slugs::Rule;
use cited_core::error::{Error, Result};
use cited_core::markdown::Document;
use cited_core::shape;
use cited_fetch::markdown;
use cited_gate::data::{self, Format};
use cited_gate::engine::{self, Engine};
use cited_gate::examine::{Declared, Metrics};
use cited_gate::json::Node;
use cited_gate::manifest::Locator;
use cited_gate::process::{self, End, Job, Program};
use cited_gate::report::is_own_output;
use cited_gate::sources::{Source, of_record};
use cited_report::wording::counted;

/// The largest file that is looked into, in bytes.
const LARGEST_OF_CORPUS: u64 = 16 << 20;
/// How long git may take for one answer.
const GIT_TIME: Duration = Duration::from_secs(20);
/// Settings that keep git from running anything that a repository asks for, and from asking the network.
const GIT_SETTINGS: &[&str] = &[
    "core.fsmonitor=false",
    "protocol.allow=never",
    "core.hooksPath=/dev/null",
    "safe.bareRepository=explicit",
    "i18n.logOutputEncoding=UTF-8",
];

/// What asks git for the message of a commit and, behind a zero character, for what it changes.
const GIT_DIFF: &[&str] =
    &["diff-tree", "--always", "--root", "-r", "-p", "--format=%B%x00", "--no-ext-diff", "--no-textconv", "--no-color"];

/// Loads all data: the files that were named, folders spelled out in order of names.
///
/// # Errors
/// When a file cannot be read or is malformed.
pub fn load(named: &[PathBuf]) -> Result<Engine> {
    let known = Format::endings();
    let mut files = Vec::new();
    for path in named {
        let (before, shown) = (files.len(), path.display());
        if path.is_dir() {
            let held = input::in_folder(path, |name| Format::of_name(name).is_some())?;
            files.extend(held.into_iter().filter(|file| file.is_file()));
            if files.len() == before {
                return Err(Error::input(format!("{shown}: no data file in this folder; it needs one of {known}")));
            }
        } else if Format::of_name(&path.to_string_lossy()).is_some() {
            files.push(path.clone());
        } else {
            let why = format!("--data {shown}: the ending says what it is; it must be one of {known}");
            return Err(Error::usage(why));
        }
    }
    input::each_once(&mut files);
    let mut engine = Engine::new(engine::TIME)?;
    files.iter().try_for_each(|path| load_file(&mut engine, path))?;
    Ok(engine)
}

fn load_file(engine: &mut Engine, path: &Path) -> Result<()> {
    let name = path.display().to_string();
    let format = Format::of_name(&name).unwrap_or(Format::Csv);
    if format != Format::Sqlite {
        let file = File::open(path).map_err(|error| Error::read(path, error))?;
        return engine.load_records(&name, format, file);
    }
    let sha256 = hash(path)?;
    if path.metadata().is_ok_and(|metadata| metadata.len() == 0) {
        return Err(Error::input(format!("{name}: is empty: there is no data in it")));
    }
    // Changes that are not in the file itself would be read by nobody.
    let log = PathBuf::from(format!("{name}-wal"));
    if log.metadata().is_ok_and(|metadata| metadata.len() > 0) {
        let message = format!(
            "{name}: has changes in {}; close the program that writes it, or run `PRAGMA wal_checkpoint`",
            log.display()
        );
        return Err(Error::input(message));
    }
    let broken = |why: &dyn std::fmt::Display| Error::input(format!("{name}: cannot be loaded: {why}"));
    // Opened as it is: no journal is played back, no lock taken, nothing written.
    let whole = std::path::absolute(path).map_err(|error| Error::read(path, error))?;
    let mut address = url::Url::from_file_path(whole).map_err(|()| broken(&"the path has no address"))?;
    address.set_query(Some("immutable=1"));
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let database = Connection::open_with_flags(address.as_str(), flags).map_err(|error| broken(&error))?;
    engine.load_database(&name, &database, sha256.clone())?;
    if hash(path)? != sha256 {
        return Err(Error::input(format!("{name}: changed while it was read; run again when it is complete")));
    }
    Ok(())
}

/// SHA-256 of a file.
fn hash(path: &Path) -> Result<String> {
    File::open(path).and_then(data::hash).map_err(|error| Error::read(path, error))
}

/// The metrics of the caller's files: name, definition, file.
///
/// # Errors
/// When a file cannot be read, or declares what is no text or is declared already.
pub fn callers_metrics(files: &[PathBuf]) -> Result<Metrics> {
    let mut metrics = Metrics::new();
    for path in files {
        let input = input::read(path)?;
        let wrong = |what: String| Error::input(format!("{}: {what}", input.path));
        let read = if path.extension().is_some_and(|ending| ending == "toml") {
            toml::from_str::<BTreeMap<String, String>>(&input.text).map_err(|error| error.to_string())
        } else {
            let named = Node::read(&input.text).and_then(|node| node.vet_names().map(|()| node));
            named.map_err(|fault| fault.to_string()).and_then(|node| shape::read_text(node.written))
        };
        for (name, definition) in read.map_err(wrong)? {
            if let Some(other) = metrics.get(&name) {
                return Err(wrong(format!("metric `{name}` is declared in {} already", other.origin)));
            }
            metrics.insert(name, Declared { definition, origin: input.path.clone() });
        }
    }
    Ok(metrics)
}

/// The sources that may be quoted. The files that are `checked` are no evidence for themselves.
///
/// # Errors
/// When one that was named cannot be read.
pub fn sources(args: &Gate, checked: &[&Path]) -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for path in &args.sources {
        if !path.is_dir() {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            sources.push(source(path, &name, checked)?);
            continue;
        }
        // Files of a folder and below are called by their paths from it; no link is followed, and what is hidden is left out.
        let mut walk = WalkBuilder::new(path);
        walk.standard_filters(false).hidden(true).sort_by_file_path(Path::cmp);
        let before = sources.len();
        for entry in walk.build() {
            let entry = entry.map_err(|error| Error::input(error.to_string()))?;
            if entry.file_type().is_some_and(|kind| kind.is_file()) {
                let name = entry.path().strip_prefix(path).unwrap_or(entry.path()).to_string_lossy();
                sources.push(source(entry.path(), &name.replace('\\', "/"), checked)?);
            }
        }
        if sources.len() == before {
            return Err(Error::input(format!("{}: no file in this folder", path.display())));
        }
    }
    if let Some(path) = &args.citation_record {
        sources.extend(of_record(&input::record(&input::read(path)?)?));
    }
    Ok(sources)
}

/// One file as a source, called by its path and its stem: read as the same bytes from the web would be, without what no reader sees.
fn source(path: &Path, name: &str, checked: &[&Path]) -> Result<Source> {
    let metadata = path.metadata().map_err(|error| Error::read(path, error))?;
    let place = path.display().to_string();
    let without_text = |why: &str| Source::file(name, format!("{place}{why}"), String::new());
    if checked.iter().any(|other| input::same_file(path, other)) {
        return Ok(without_text(" is what is checked, and no evidence for itself"));
    }
    if metadata.len() > read_page::LARGEST as u64 {
        return Ok(without_text(""));
    }
    let bytes = bytes::Bytes::from(std::fs::read(path).map_err(|error| Error::read(path, error))?);
    let document = read_page::of_bytes(bytes.clone(), name, true);
    // What is quoted of a file of data are its own words, at their own places.
    let text = document.page.written().to_owned();
    if document.unreadable.is_some() || text.trim().is_empty() {
        return Ok(without_text(""));
    }
    if is_own_output(&text) {
        return Ok(without_text(" is what a gate has written, and no evidence"));
    }
    if document.page.media_type != "text/markdown" {
        return Ok(Source::file(name, place, text));
    }
    // The text of the page has lost the white space at the start of lines, by which code and lists are known.
    let shown = markdown::shown(std::str::from_utf8(&bytes).unwrap_or(&text));
    Ok(Source::file(name, place, shown).written_as(text, markdown::shown))
}

/// The text at a place of a corpus, which is named by its own place; an address is none.
///
/// # Errors
/// In words, when there is none.
pub fn text_at(corpus: &Path, place: &Locator) -> std::result::Result<String, String> {
    match place {
        Locator::Lines(path, first, last) => {
            let text = file_of(corpus, path)?;
            let lines: Vec<&str> = text.lines().collect();
            let cited = lines.get(first - 1..*last).map(|lines| lines.join("\n"));
            cited.ok_or_else(|| format!("{path} has {}", counted(lines.len(), "line")))
        }
        Locator::Heading(path, heading) => {
            section(&file_of(corpus, path)?, heading).ok_or_else(|| format!("{path} has no heading `{heading}`"))
        }
        Locator::Commit(name) => commit(corpus, name),
        Locator::Address(_) => Err("an address is no place of the corpus".to_owned()),
    }
}

/// The text of a file; no link leads out.
fn file_of(corpus: &Path, path: &str) -> std::result::Result<String, String> {
    let real = inside(corpus, path).ok_or_else(|| format!("{path} is not in the corpus"))?;
    // What the path itself names was refused when it was read; a link may lead there all the same: *g* that is `.git`.
    let inside = real.strip_prefix(corpus).unwrap_or(&real);
    if inside.components().any(|part| part.as_os_str().eq_ignore_ascii_case(".git")) {
        return Err(format!("{path} leads into .git, which is no file of the corpus"));
    }
    let bytes = read_bounded(&real, LARGEST_OF_CORPUS).map_err(|why| format!("{path} {why}"))?;
    String::from_utf8(bytes).map_err(|_| format!("{path} is not UTF-8"))
}

/// What a commit says and changes, as git tells it: its message, then the lines that it takes and brings.
fn commit(corpus: &Path, name: &str) -> std::result::Result<String, String> {
    if !corpus.join(".git").exists() {
        return Err("the corpus is no git repository".to_owned());
    }
    let above = corpus.parent().unwrap_or(corpus).to_string_lossy().into_owned();
    let variables = [
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_ATTR_NOSYSTEM", "1"),
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_NO_LAZY_FETCH", "1"),
        ("GIT_NO_REPLACE_OBJECTS", "1"),
        ("GIT_CEILING_DIRECTORIES", &above),
    ];
    let settings = GIT_SETTINGS.iter().flat_map(|setting| [&"-c", setting]);
    let arguments = [&"--no-pager"].into_iter().chain(settings).chain(GIT_DIFF).chain([&name]);
    let ended = process::run(Job {
        program: Program("git".into(), arguments.map(|text| (*text).to_owned()).collect()),
        folder: corpus,
        allowed: &[],
        variables: variables.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
        input: Vec::new(),
        timeout: GIT_TIME,
        output: process::SHOWABLE,
    });
    // Of what is no commit git tells nothing, and of one that it cannot read no more than a part.
    let none = || format!("the repository has no commit {name}");
    match ended.end {
        End::Exit(0) => {}
        End::Exit(_) => return Err(none()),
        _ => return Err(format!("git {}", ended.evidence(GIT_TIME))),
    }
    let told = String::from_utf8_lossy(&ended.stdout);
    let (message, diff) = told.split_once('\0').ok_or_else(none)?;
    let changed = |line: &&str| line.starts_with(['+', '-']) && !line.starts_with("+++ ") && !line.starts_with("--- ");
    let lines: Vec<&str> = diff.lines().filter(changed).map(|line| &line[1..]).collect();
    Ok(format!("{message}\n{}", lines.join("\n")))
}

/// The first section whose heading says these words or has them for its anchor.
fn section(text: &str, heading: &str) -> Option<String> {
    let slug = |words: &str| Some(Rule::from_name("github")?.name(words.trim(), words));
    let document = Document::read(text);
    let wanted = slug(heading);
    let sections = document.sections(|words| slug(words) == wanted);
    sections.first().map(|section| document.slice(*section).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_corpus_is_read() {
        let root = tempfile::tempdir().unwrap();
        let inside = root.path().join("corpus");
        std::fs::create_dir_all(inside.join("src")).unwrap();
        std::fs::write(root.path().join("secret.rs"), "secret 7").unwrap();
        std::fs::write(inside.join("src/a.rs"), "one\ntwo\nthree\n").unwrap();
        std::fs::write(inside.join("r.md"), "# A\n\ntext a\n\n## Sub *one*\n\ntext b\n\n# C\n\ntext c\n").unwrap();
        std::os::unix::fs::symlink(root.path().join("secret.rs"), inside.join("link.rs")).unwrap();
        std::os::unix::fs::symlink(root.path(), inside.join("up")).unwrap();
        std::fs::create_dir_all(inside.join(".git")).unwrap();
        std::fs::write(inside.join(".git/config"), "one").unwrap();
        std::fs::write(inside.join("x.git"), "one").unwrap();
        std::os::unix::fs::symlink(".git", inside.join("g")).unwrap();
        std::os::unix::fs::symlink(".git/config", inside.join("c")).unwrap();
        let corpus = inside.canonicalize().unwrap();
        let text = |evidence: &str| Locator::read(evidence).and_then(|place| text_at(&corpus, &place));
        let check = |evidence: &str, expected: std::result::Result<&str, &str>| {
            assert_eq!(text(evidence), expected.map(str::to_owned).map_err(str::to_owned), "{evidence}");
        };
        check("src/a.rs:2-3", Ok("two\nthree"));
        check("src/a.rs:3-4", Err("src/a.rs has 3 lines"));
        check("src/b.rs:1", Err("src/b.rs is not in the corpus"));
        check("src:1", Err("src is no file"));
        check("link.rs:1", Err("link.rs is not in the corpus"));
        check("up/secret.rs:1", Err("up/secret.rs is not in the corpus"));
        check("g/config:1", Err("g/config leads into .git, which is no file of the corpus"));
        check("c:1", Err("c leads into .git, which is no file of the corpus"));
        check("x.git:1", Ok("one"));
        check("r.md#a", Ok("# A\n\ntext a\n\n## Sub *one*\n\ntext b"));
        check("r.md#sub-one", Ok("## Sub *one*\n\ntext b"));
        check("r.md#C", Ok("# C\n\ntext c"));
        check("r.md#d", Err("r.md has no heading `d`"));
        std::fs::remove_dir_all(inside.join(".git")).unwrap();
        check("commit:abcdef1", Err("the corpus is no git repository"));
    }
}
