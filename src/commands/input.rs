//! Reading drafts and research files, and finding the research files of a draft.

use cited_core::pattern::Pattern;
use std::collections::HashSet;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use serde::de::IgnoredAny;

use crate::pipeline::ReadArtifact;
use cited_core::check::page::front_matter;
use cited_core::check::sites::front_matter_values;
use cited_core::decide::review::Review;
use cited_core::error::{Error, Result};
use cited_core::input::Input;
use cited_core::shape;
use cited_core::source::research::{ENDINGS, candidates, slug_of};
use cited_report::provenance::Plan;
use cited_report::record::{self, Record};

pub use cited_core::input::STANDARD;

/// The text of `path`, or of standard input for `-`.
///
/// # Errors
/// When it cannot be read or is not UTF-8.
pub fn read(path: &Path) -> Result<Input> {
    let bytes = if path == Path::new(STANDARD) {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    let bytes = bytes.map_err(|error| Error::read(path, error))?;
    let refused = |why: &str| Err(Error::input(format!("{}: {why}", path.display())));
    if is_foreign(&bytes) {
        let convert = "convert it first, with `pandoc -t gfm` or, of a PDF, `pdftotext -layout`";
        return refused(&format!("is a PDF, a packed file, RTF or HTML, not Markdown; {convert}"));
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") || is_wide(&bytes) {
        return refused("is UTF-16, not UTF-8; convert it first, for example with `iconv -f utf-16 -t utf-8`");
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        Error::not_utf8(path, 1 + memchr::memchr_iter(b'\n', good).count())
    })?;
    Ok(Input { path: path.display().to_string(), text: text.into() })
}

/// The bytes of a file of at most so many.
///
/// # Errors
/// In words that go on from its name, when it is no file, has more or cannot be read.
pub fn read_bounded(path: &Path, most: u64) -> std::result::Result<Vec<u8>, String> {
    match path.metadata() {
        Ok(metadata) if !metadata.is_file() => Err("is no file".to_owned()),
        Ok(metadata) if metadata.len() > most => Err(format!("is larger than {} MiB", most >> 20)),
        _ => std::fs::read(path).map_err(|error| format!("cannot be read: {error}")),
    }
}

/// Whether a file is no Markdown, by how it begins (ISO 32000, APPNOTE of ZIP, RTF 1.9.1, HTML).
fn is_foreign(bytes: &[u8]) -> bool {
    let begin = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let begin = begin.iter().take(14).map(u8::to_ascii_lowercase).collect::<Vec<u8>>();
    ["%pdf-", "pk\x03\x04", "{\\rtf", "<!doctype html", "<html"].iter().any(|mark| begin.starts_with(mark.as_bytes()))
}

/// Whether a text is UTF-16 without a byte order mark, which is valid UTF-8 as long as it is ASCII: a quarter of it or more is NUL.
/// A stray one, which Markdown reads as a replacement character, is not.
fn is_wide(bytes: &[u8]) -> bool {
    let count = memchr::memchr_iter(0, bytes).count();
    count > 0 && count * 4 >= bytes.len() && std::str::from_utf8(bytes).is_ok()
}

/// A document: no JSON, such as the record that lies beside a draft.
///
/// # Errors
/// Also when it is one.
pub fn read_document(path: &Path) -> Result<Input> {
    let file = read(path)?;
    if !file.text.trim_start().starts_with('{') || serde_json::from_str::<IgnoredAny>(&file.text).is_err() {
        return Ok(file);
    }
    let advice = "copy or export the answer itself as Markdown, and name that file";
    Err(Error::input(format!("{}: is JSON, not Markdown; {advice}", file.path)))
}

/// A draft; one without a word in it is an error.
pub fn read_draft(path: &Path) -> Result<Input> {
    let draft = read_document(path)?;
    if draft.text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').is_empty() {
        let name = if draft.path == STANDARD { "standard input" } else { &draft.path };
        return Err(Error::input(format!("{name}: is empty; name a draft with something in it")));
    }
    Ok(draft)
}

/// The research files of `draft`: those named, folders spelled out, else those found by its name. The draft itself and
/// `outputs` are none, wherever they lie.
///
/// # Errors
/// When one that was named or found cannot be read, or a folder that was named has none: one that is left out would speak
/// against every claim that stands on it.
pub fn research(draft: &Path, named: &[PathBuf], outputs: &[PathBuf]) -> Result<Vec<Input>> {
    let is_own = |path: &PathBuf| {
        [draft].into_iter().chain(outputs.iter().map(PathBuf::as_path)).any(|own| same_file(path, own))
    };
    let mut paths = if named.is_empty() && draft != Path::new(STANDARD) { find_research(draft)? } else { Vec::new() };
    paths.retain(|path| !is_own(path));
    for path in named {
        let shown = path.display();
        if same_file(path, draft) {
            return Err(Error::usage(format!("{shown}: is the draft; a draft is no research file for itself")));
        }
        let before = paths.len();
        if path.is_dir() {
            paths.extend(only_files(in_folder(path, has_ending)?)?.into_iter().filter(|path| !is_own(path)));
        } else {
            paths.push(path.clone());
        }
        if paths.len() == before {
            let needs = "it needs a .md, .txt, .json or .bib file beside the draft";
            return Err(Error::input(format!("{shown}: no research file in this folder; {needs}")));
        }
    }
    paths.extend(bibliographies(draft));
    each_once(&mut paths);
    paths.iter().map(|path| read(path)).collect()
}

/// The bibliographies that the front matter of a draft names, `bibliography: refs.bib`, as far as they are in its folder: what it names
/// elsewhere, and what a link there leads to, is not for a draft to give away.
fn bibliographies(draft: &Path) -> Vec<PathBuf> {
    let text = std::fs::read_to_string(draft).unwrap_or_default();
    let folder = draft.canonicalize().unwrap_or_default().with_file_name("");
    let is_inside = |name: &String| has_ending(name) && inside(&folder, name).is_some_and(|file| file.is_file());
    let named = front_matter_values(front_matter(&text), "bibliography").into_iter();
    named.filter(is_inside).map(|name| draft.with_file_name(name)).collect()
}

/// Where a folder really is that an option names.
///
/// # Errors
/// When it is not there or is no folder.
pub fn folder(option: &str, path: &Path) -> Result<PathBuf> {
    match path.canonicalize() {
        Ok(real) if real.is_dir() => Ok(real),
        Ok(_) => Err(Error::usage(format!("{option} {}: is no folder; name one", path.display()))),
        Err(error) => Err(Error::read(path, error)),
    }
}

/// Where a path really is, when that is inside of a folder, which is named by its own place: neither `..` nor a link leads out.
pub fn inside(folder: &Path, path: impl AsRef<Path>) -> Option<PathBuf> {
    folder.join(path).canonicalize().ok().filter(|real| real.starts_with(folder))
}

/// How a plan says how many rounds of research there were: `- **Rounds:** 3`, `| Rounds | 3 |`.
static ROUNDS: Pattern = Pattern::new(r"(?im)^[-*_ |]*rounds[*_ ]*[:|][*_ |]*([0-9]+)");

/// The plan of the research for a draft, with its rounds: `<slug>.md` in a folder `.plans` beside the draft or one folder up. What
/// cannot be read is none.
pub fn plan(draft: &Path) -> Option<Plan> {
    let slug = slug(draft)?;
    let folder = draft.parent()?;
    let paths = [folder.to_path_buf(), above(folder)].map(|base| base.join(format!(".plans/{slug}.md")));
    let path = paths.into_iter().find(|path| path.is_file())?;
    let text = read(&path).ok()?.text;
    let rounds = ROUNDS.captures(&text).and_then(|found| found[1].parse().ok());
    Some(Plan { path: path.display().to_string(), rounds })
}

/// The files in a folder that the user named whose names are wanted; what is hidden is left out.
///
/// # Errors
/// When it cannot be read.
pub fn in_folder(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>> {
    let names = list(folder)?.into_iter().filter(|name| !name.starts_with('.') && wanted(name));
    Ok(names.map(|name| folder.join(name)).collect())
}

/// The research files that belong to a draft by name: beside it, one folder up, and in the working folder.
///
/// # Errors
/// When what has the name of one is none.
pub fn find_research(draft: &Path) -> Result<Vec<PathBuf>> {
    let Some(slug) = slug(draft) else { return Ok(Vec::new()) };
    let folder = draft.parent().unwrap_or(Path::new(""));
    let mut files = Vec::new();
    for folder in [folder, &above(folder), Path::new("")] {
        // A folder above that we may not list holds nothing for us.
        let names = list(folder).unwrap_or_default();
        files.extend(candidates(slug, names.iter().map(String::as_str)).iter().map(|name| folder.join(name)));
    }
    only_files(files)
}

/// Refuses what has the name of a research file and is none: a link to nothing, a folder, a pipe, which nobody may ever write to.
fn only_files(files: Vec<PathBuf>) -> Result<Vec<PathBuf>> {
    for path in &files {
        if !std::fs::metadata(path).map_err(|error| Error::read(path, error))?.is_file() {
            let advice = "give it another name, or name the research files with -r";
            let why = format!("{}: has the name of a research file and is no file; {advice}", path.display());
            return Err(Error::input(why));
        }
    }
    Ok(files)
}

/// The folder that a folder lies in.
fn above(folder: &Path) -> PathBuf {
    match folder.components().next_back() {
        Some(Component::Normal(_)) => folder.parent().unwrap_or(Path::new("")).to_path_buf(),
        _ => folder.join(".."),
    }
}

/// The slug of `<slug>-draft.md`.
pub fn slug(draft: &Path) -> Option<&str> {
    slug_of(draft.file_name()?.to_str()?)
}

/// The names of what is in a folder, in order. A name that is not UTF-8 is none of ours.
///
/// # Errors
/// When it cannot be read.
pub fn list(folder: &Path) -> Result<Vec<String>> {
    let shown = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(shown).map_err(|error| Error::read(shown, error))?;
    let names: std::io::Result<Vec<_>> = entries.map(|entry| Ok(entry?.file_name().into_string().ok())).collect();
    let mut names: Vec<String> = names.map_err(|error| Error::read(shown, error))?.into_iter().flatten().collect();
    names.sort();
    Ok(names)
}

/// Whether a file is one of those that research is kept in.
fn has_ending(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
}

/// Keeps each file once, whatever paths lead to it.
pub fn each_once(paths: &mut Vec<PathBuf>) {
    let mut seen = HashSet::new();
    paths.retain(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
}

/// Whether two paths lead to one existing file.
pub fn same_file(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// The record of a run in a file that was read.
///
/// # Errors
/// When it is none.
pub fn record(file: &Input) -> Result<Record> {
    let wrong =
        |why| Error::input(format!("{}: is not a record of a run: {why}; `cited verify` writes one", file.path));
    let record: Record = shape::read_text(&file.text).map_err(wrong)?;
    let other = || wrong(format!("its schema is “{}” and not {}", record.schema, record::SCHEMA));
    if record.schema == record::SCHEMA { Ok(record) } else { Err(other()) }
}

/// The decisions of reviewers in a file.
///
/// # Errors
/// When it cannot be read or is none.
pub fn decisions(path: &Path) -> Result<Review> {
    let file = read(path)?;
    Review::read(&file.text)
        .map_err(|why| Error::input(format!("{}: is no file of decisions: {why}; a report exports one", file.path)))
}

/// The folder that a file stands in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The largest file that is looked into for the values of a claim.
const LARGEST_ARTIFACT: u64 = 8 << 20;

/// Endings of files that hold values and not prose: what a document says about itself is no evidence for it.
const OF_VALUES: [&str; 14] =
    ["csv", "dat", "json", "jsonl", "log", "ndjson", "out", "text", "toml", "tsv", "txt", "xml", "yaml", "yml"];

/// A lookup inside the folders of `files`. Paths in `never` are not found: what the run itself reads as research, and what
/// it writes.
pub fn artifacts<'a>(files: impl Iterator<Item = &'a Path>, never: Vec<PathBuf>) -> ReadArtifact {
    let mut folders: Vec<PathBuf> = files.filter_map(|file| folder_of(file).canonicalize().ok()).collect();
    folders.dedup();
    Arc::new(move |name| {
        let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
        let holds_values = ending.is_some_and(|ending| OF_VALUES.contains(&ending.as_str()));
        // Our own records repeat what documents claim.
        if !holds_values || name.ends_with(".record.json") {
            return None;
        }
        let is_found = |path: &PathBuf| path.is_file() && !never.iter().any(|other| same_file(path, other));
        let path = folders.iter().find_map(|folder| inside(folder, name).filter(is_found))?;
        let text = read_bounded(&path, LARGEST_ARTIFACT);
        let text = text.and_then(|text| String::from_utf8(text).map_err(|_| "is not UTF-8".to_owned()));
        Some(text.map_err(|why| format!("it {why}")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_come_from_the_name_of_the_draft() {
        assert_eq!(slug(Path::new("outputs/ai-2025-draft.md")), Some("ai-2025"));
        assert_eq!(slug(Path::new("-draft.md")), None);
        assert_eq!(slug(Path::new("notes.md")), None);
    }

    #[test]
    fn bibliographies_of_front_matter_lie_in_the_folder_of_the_draft() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("in");
        std::fs::create_dir(&folder).unwrap();
        for path in ["secret.bib", "in/a.bib", "in/b.json", "in/c.key"] {
            std::fs::write(place.path().join(path), "").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(place.path().join("secret.bib"), folder.join("link.bib")).unwrap();
        let draft = folder.join("d.md");
        let outside = place.path().join("secret.bib");
        let check = |named: &str, expected: &[&str]| {
            std::fs::write(&draft, format!("---\nbibliography: {named}\n---\n\nText.\n")).unwrap();
            let expected: Vec<PathBuf> = expected.iter().map(|name| folder.join(name)).collect();
            assert_eq!(bibliographies(&draft), expected, "{named}");
        };
        check("a.bib", &["a.bib"]);
        check("[a.bib, \"b.json\"]", &["a.bib", "b.json"]);
        check("\n- ./a.bib\n- none.bib", &["./a.bib"]);
        check("../secret.bib", &[]);
        check("link.bib", &[]);
        check("c.key", &[]);
        check(&outside.display().to_string(), &[]);
        assert_eq!(bibliographies(Path::new(STANDARD)), Vec::<PathBuf>::new());
    }

    #[test]
    fn research_files_are_found_beside_a_draft_and_above_it() {
        let root = tempfile::tempdir().unwrap();
        let drafts = root.path().join("drafts");
        std::fs::create_dir(&drafts).unwrap();
        for name in ["x-research.md", "x-research-b.md", "y-research.md", "drafts/x-research-a.md", "drafts/x-draft.md"]
        {
            std::fs::write(root.path().join(name), "text").unwrap();
        }
        let found = research(&drafts.join("x-draft.md"), &[], &[]).unwrap();
        let names: Vec<_> = found.iter().map(|input| input.path.rsplit('/').next().unwrap()).collect();
        assert_eq!(names, ["x-research-a.md", "x-research-b.md", "x-research.md"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_has_the_name_of_a_research_file_is_read_or_told() {
        let root = tempfile::tempdir().unwrap();
        let draft = root.path().join("x-draft.md");
        std::fs::write(&draft, "text").unwrap();
        std::fs::write(root.path().join("x-research.md"), "text").unwrap();
        let folder = [root.path().to_path_buf()];
        let check = |expected: Option<&str>| {
            for named in [&[], folder.as_slice()] {
                let told = research(&draft, named, &[]).err().map(|error| (error.exit_status(), error.to_string()));
                match (&told, expected) {
                    (None, None) => {}
                    (Some((2, message)), Some(words)) if message.contains(words) => {}
                    _ => panic!("{expected:?}: {told:?}"),
                }
            }
        };
        check(None);
        let other = root.path().join("x-research-2.md");
        std::os::unix::fs::symlink("nowhere.md", &other).unwrap();
        check(Some("x-research-2.md"));
        std::fs::remove_file(&other).unwrap();
        std::fs::create_dir(&other).unwrap();
        check(Some("has the name of a research file and is no file"));
        std::fs::remove_dir(&other).unwrap();
        std::os::unix::fs::symlink("/dev/null", &other).unwrap();
        check(Some("has the name of a research file and is no file"));
        // What has another name is nobody's business.
        std::fs::remove_file(&other).unwrap();
        std::os::unix::fs::symlink("nowhere", root.path().join("x-notes")).unwrap();
        std::fs::create_dir(root.path().join("x-research")).unwrap();
        check(None);
    }

    #[test]
    fn other_formats_are_known_by_how_they_begin() {
        let check = |bytes: &[u8], expected: bool| {
            assert_eq!(is_foreign(bytes), expected, "{}", String::from_utf8_lossy(bytes));
        };
        check(b"%PDF-1.7\n", true);
        check(b"PK\x03\x04....word/document.xml", true);
        check(b"{\\rtf1\\ansi", true);
        check("\u{feff}\n<!DOCTYPE HTML>".as_bytes(), true);
        check(b"<html lang=en>", true);
        check(b"<h1 align=center>Title</h1>", false);
        check(b"# A title\n\nOf %PDF- and {\\rtf.", false);
        check(b"", false);
    }

    #[test]
    fn wide_text_is_no_text() {
        let check = |text: &str, expected: bool| assert_eq!(is_wide(text.as_bytes()), expected, "{text:?}");
        check("#\0 \0D\0", true);
        check("\0#\0 \0D", true);
        check("\0\0\0#", true);
        check("", false);
        check("# D\n\nA claim with a stray \0 in it.", false);
    }

    #[test]
    fn a_folder_without_research_files_is_an_error() {
        let root = tempfile::tempdir().unwrap();
        let draft = root.path().join("draft.md");
        std::fs::write(&draft, "text").unwrap();
        let error = research(&draft, &[root.path().to_path_buf()], &[]).unwrap_err();
        assert!(error.to_string().contains("no research file in this folder"), "{error}");
    }

    #[test]
    fn only_files_inside_the_folders_are_found() {
        let root = tempfile::tempdir().unwrap();
        let inside = root.path().join("work");
        std::fs::create_dir_all(inside.join("results")).unwrap();
        std::fs::write(root.path().join("secret.txt"), "secret").unwrap();
        std::fs::write(inside.join("results/run1.json"), "31.5").unwrap();
        std::fs::write(inside.join("notes.md"), "31.5").unwrap();
        std::fs::write(inside.join("read.txt"), "31.5").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(root.path().join("secret.txt"), inside.join("link.txt")).unwrap();
        let lookup = artifacts([inside.join("draft.md").as_path()].into_iter(), vec![inside.join("read.txt")]);
        assert_eq!(lookup("results/run1.json"), Some(Ok("31.5".to_owned())));
        assert_eq!(lookup("./results/run1.json"), Some(Ok("31.5".to_owned())));
        std::fs::write(inside.join("wide.csv"), [0xff, 0xfe, b'3', 0]).unwrap();
        assert_eq!(lookup("wide.csv"), Some(Err("it is not UTF-8".to_owned())));
        std::fs::File::create(inside.join("large.csv")).unwrap().set_len(LARGEST_ARTIFACT + 1).unwrap();
        assert_eq!(lookup("large.csv"), Some(Err("it is larger than 8 MiB".to_owned())));
        let absolute = root.path().join("secret.txt");
        for name in ["../secret.txt", "link.txt", "notes.md", "read.txt", "results", "", absolute.to_str().unwrap()] {
            assert_eq!(lookup(name), None, "{name}");
        }
    }
}
