//! `cited index FOLDER`: the documents of a folder, made ready for `--search index:FOLDER`.

use std::collections::HashSet;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use ignore::WalkBuilder;

use crate::cli::args::MakeIndex;
use crate::cli::exit::Exit;
use crate::cli::say;
use crate::error::{Error, Result};
use crate::fetch::page::sha256_hex;
use crate::markdown;
use crate::render::summary::shown;
use crate::setup::file_page;
use crate::setup::search::is_web;
use crate::setup::search::local_index::{Entry, Stamp, Writer, place};

/// Endings of the files that are documents, beside those of Markdown.
const ENDINGS: [&str; 5] = ["txt", "html", "htm", "xhtml", "pdf"];
/// Keys of front matter that say where a document is on the web.
const ADDRESS_KEYS: [&str; 4] = ["url", "source", "source_url", "canonical"];
/// The largest file that is indexed, in bytes.
const LARGEST: u64 = 64 << 20;
/// A file that was changed so shortly before it was read may have been changed again within one tick of its clock, in nanoseconds.
const TICK: i64 = 2_000_000_000;

/// What became of the files.
#[derive(Debug, Default)]
struct Counts {
    new: usize,
    changed: usize,
    unchanged: usize,
    gone: usize,
    /// Files without a text, with why.
    empty: Vec<(String, String)>,
    /// Files that could not be read, with why.
    unread: Vec<(String, String)>,
}

/// Brings the index of a folder up to date.
///
/// # Errors
/// When the folder cannot be read, or the index cannot be written; then the index is as it was.
pub fn run(args: &MakeIndex) -> Result<Exit> {
    let metadata = std::fs::metadata(&args.folder).map_err(|error| Error::read(&args.folder, error))?;
    if !metadata.is_dir() {
        let path = args.folder.display();
        return Err(Error::usage(format!("{path}: is no folder; name the one whose documents are to be found")));
    }
    let root = args.folder.canonicalize().map_err(|error| Error::read(&args.folder, error))?;
    let database = match &args.output {
        Some(path) => path.clone(),
        None => {
            let database = place(&root);
            if let Some(folder) = database.parent() {
                std::fs::create_dir_all(folder).map_err(|error| Error::write(folder, error))?;
            }
            database
        }
    };
    let writer = Writer::open(&database, &root)?;
    let mut counts = Counts::default();
    let mut there: HashSet<String> = HashSet::new();
    for found in documents(&root, &database) {
        match found {
            Ok((path, name)) => {
                take(&writer, &path, &name, &mut counts)?;
                there.insert(name);
            }
            Err((name, why)) => counts.unread.push((name, why)),
        }
    }
    for name in writer.paths()? {
        // What could not be looked at is not found, either: nobody knows what it says now.
        let unread = counts.unread.iter().any(|(other, _)| *other == name);
        if !there.contains(&name) || unread {
            writer.remove(&name)?;
            counts.gone += usize::from(!unread);
        }
    }
    writer.finish()?;
    tell(&counts, args);
    Ok(if counts.unread.is_empty() { Exit::Done } else { Exit::Blocked })
}

/// The documents of a folder, in order: the path, and the name in the index; or what could not be looked into, and why. What
/// `.gitignore` names, what is hidden, and what cited itself has written is none.
fn documents(
    root: &Path,
    database: &Path,
) -> impl Iterator<Item = std::result::Result<(PathBuf, String), (String, String)>> {
    let walk = WalkBuilder::new(root).require_git(false).sort_by_file_path(Path::cmp).build();
    walk.filter_map(move |entry| {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return Some(Err((root.display().to_string(), error.to_string()))),
        };
        let path = entry.path();
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        if !is_file || !is_document(path) || is_own(path) || path == database {
            return None;
        }
        let name = path.strip_prefix(root).unwrap_or(path);
        Some(match name.to_str() {
            Some(name) => Ok((path.to_path_buf(), name.replace('\\', "/"))),
            None => Err((name.to_string_lossy().into_owned(), "its name is not UTF-8".to_owned())),
        })
    })
}

fn documents_end() -> impl Iterator<Item = &'static str> {
    markdown::ENDINGS.into_iter().chain(ENDINGS)
}

fn is_document(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| documents_end().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// Whether cited has written a file: what a brief says is no evidence for another.
fn is_own(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name.ends_with(".provenance.md") {
        return true;
    }
    let Some(stem) = path.file_stem().map(|stem| stem.to_string_lossy()) else { return false };
    let stem = stem.strip_suffix("-brief").unwrap_or(&stem);
    path.with_file_name(format!("{stem}.record.json")).is_file()
}

fn stamp(metadata: &Metadata) -> Stamp {
    let since = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let changed = since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or(0);
    Stamp { size: i64::try_from(metadata.len()).unwrap_or(i64::MAX), changed }
}

/// Puts one document into the index, unless it is there as it is.
fn take(writer: &Writer, path: &Path, name: &str, counts: &mut Counts) -> Result<()> {
    let known = writer.known(name)?;
    let note_empty = |counts: &mut Counts, why: Option<String>| {
        counts.empty.extend(why.map(|why| (name.to_owned(), why)));
    };
    let read = || -> std::io::Result<(Stamp, Option<Vec<u8>>)> {
        let metadata = std::fs::metadata(path)?;
        let stamp = stamp(&metadata);
        let settled = |read_at: i64| read_at - stamp.changed > TICK;
        if known.as_ref().is_some_and(|known| known.stamp == stamp && settled(known.read_at)) {
            return Ok((stamp, None));
        }
        if metadata.len() > LARGEST {
            return Err(std::io::Error::other(format!("larger than {} MiB", LARGEST >> 20)));
        }
        std::fs::read(path).map(|bytes| (stamp, Some(bytes)))
    };
    let now = i64::try_from(jiff::Timestamp::now().as_nanosecond()).unwrap_or(i64::MAX);
    let (stamp, bytes) = match read() {
        Ok((_, None)) => {
            counts.unchanged += 1;
            note_empty(counts, known.and_then(|known| known.empty));
            return Ok(());
        }
        Ok((stamp, Some(bytes))) => (stamp, bytes),
        Err(error) => {
            counts.unread.push((name.to_owned(), error.to_string()));
            return Ok(());
        }
    };
    let sha256 = sha256_hex(&bytes);
    if known.as_ref().is_some_and(|known| known.sha256 == sha256) {
        counts.unchanged += 1;
        note_empty(counts, known.and_then(|known| known.empty));
        return writer.touch(name, stamp, now);
    }
    let own = address_in_front_matter(&bytes, path);
    let document = file_page::of_bytes(bytes, name);
    let url = own.or_else(|| document.page.canonical.clone()).filter(|url| is_web(url));
    let empty = document.page.text.trim().is_empty().then(|| document.unreadable.unwrap_or("it has no text"));
    let entry = Entry {
        stamp,
        sha256: &sha256,
        read_at: now,
        title: document.page.title.as_deref(),
        url: url.as_deref(),
        text: &document.page.text,
        empty,
    };
    writer.put(name, &entry)?;
    if known.is_some() {
        counts.changed += 1;
    } else {
        counts.new += 1;
    }
    note_empty(counts, empty.map(str::to_owned));
    Ok(())
}

/// The address that the front matter of a Markdown document says.
fn address_in_front_matter(bytes: &[u8], path: &Path) -> Option<String> {
    if !markdown::is_markdown(path.to_str()?) {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let matter = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"))?;
    let lines = matter.lines().take_while(|line| !matches!(line.trim_end(), "---" | "..."));
    let mut fields = lines.filter_map(|line| line.split_once(':'));
    fields.find_map(|(key, value)| {
        let value = value.trim().trim_matches(['"', '\'']);
        (ADDRESS_KEYS.contains(&key.trim_end()) && is_web(value)).then(|| value.to_owned())
    })
}

fn tell(counts: &Counts, args: &MakeIndex) {
    for (name, why) in &counts.unread {
        say(format_args!("not read: {}: {}\n", shown(name), shown(why)));
    }
    if args.quiet {
        return;
    }
    if args.verbose {
        for (name, why) in &counts.empty {
            say(format_args!("nothing to find in {}: {}\n", shown(name), shown(why)));
        }
    }
    let all = counts.new + counts.changed + counts.unchanged;
    let mut parts: Vec<String> = [
        (counts.new, "new"),
        (counts.changed, "changed"),
        (counts.unchanged, "unchanged"),
        (counts.gone, "gone"),
        (counts.empty.len(), "without text"),
        (counts.unread.len(), "not read"),
    ]
    .iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| format!("{count} {what}"))
    .collect();
    if parts.is_empty() {
        parts.push(format!("none of .{}", documents_end().collect::<Vec<_>>().join(", .")));
    }
    say(format_args!("{all} document{}: {}\n", if all == 1 { "" } else { "s" }, parts.join(", ")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_says_where_a_document_is() {
        let check = |text: &str, name: &str, expected: Option<&str>| {
            assert_eq!(address_in_front_matter(text.as_bytes(), Path::new(name)).as_deref(), expected, "{text}");
        };
        check("---\ntitle: A\nurl: https://a.example/x\n---\n# A\n", "a.md", Some("https://a.example/x"));
        check("---\r\nsource: \"https://a.example/x\"\r\n---\r\n", "a.md", Some("https://a.example/x"));
        check("---\ntitle: A\n---\nurl: https://a.example/x\n", "a.md", None);
        check("---\nurl: file:///etc/passwd\n---\n", "a.md", None);
        check("url: https://a.example/x\n", "a.md", None);
        check("---\nurl: https://a.example/x\n---\n", "a.txt", None);
    }
}
