//! The local search: the documents of a folder in a full-text index of SQLite (FTS5), one file, no service.
//!
//! What is indexed are the stems that evidence is searched by, so that it knows inflected words and writing without spaces as
//! judging does. The index has no text: a document that was found is read again, as it is then.

use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension as _, params};

use super::hit::{Hit, is_web};
use crate::error::{Error, Result};
use crate::fetch::Page;
use crate::setup::file_page;
use crate::text::words::words;

/// What a setting of the search begins with that names an index.
pub const PREFIX: &str = "index:";
/// Where the index of a folder lies in it.
const PLACE: &str = ".cited/index.sqlite";
/// What marks a file as an index of cited: `cidx`.
const APPLICATION: i64 = 0x6369_6478;
/// The version of its shape.
const SHAPE: i64 = 1;
/// How long a statement waits for another process that writes.
const BUSY: Duration = Duration::from_secs(30);
/// Words with a meaning in a part of a document: what stands near each other counts together.
const PART: usize = 200;
/// Words of a claim that are looked for.
const MOST_WORDS: usize = 64;
/// Parts that are looked at for one claim.
const MOST_PARTS: i64 = 200;

/// Where the index of a folder lies; of a file, that is the file.
pub fn place(named: &Path) -> PathBuf {
    if named.is_dir() { named.join(PLACE) } else { named.to_path_buf() }
}

/// An index that is asked.
#[derive(Debug)]
pub struct LocalIndex {
    database: PathBuf,
}

impl LocalIndex {
    /// Opens the index of a folder, or in a file.
    ///
    /// # Errors
    /// When there is none.
    pub fn open(named: &Path) -> Result<LocalIndex> {
        let database = place(named);
        if !database.is_file() {
            let (shown, named) = (database.display(), named.display());
            let advice = format!("search: {shown}: there is no index; make one with `cited index {named}`");
            return Err(Error::settings(advice));
        }
        let index = LocalIndex { database };
        index.connect().map_err(|why| Error::settings(format!("search: {}: {why}", index.database.display())))?;
        Ok(index)
    }

    fn connect(&self) -> std::result::Result<(Connection, PathBuf), String> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let told = |error: rusqlite::Error| {
            format!("is no index that can be read ({error}); make it again with `cited index`")
        };
        let connection = Connection::open_with_flags(&self.database, flags).map_err(told)?;
        connection.busy_timeout(BUSY).map_err(told)?;
        // The file may come from anybody.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false).map_err(told)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true).map_err(told)?;
        match shape(&connection).map_err(told)? {
            (APPLICATION, SHAPE) => {}
            (APPLICATION, _) => {
                return Err("is of another version of cited; make it again with `cited index`".to_owned());
            }
            _ => return Err("is no index of cited; name the folder that `cited index` was run on".to_owned()),
        }
        let root = root_of(&connection, &self.database).map_err(told)?;
        Ok((connection, root))
    }

    /// At most `most` documents that have words of a claim, best first. A document that says where it is on the web is given by
    /// that address; any other is read.
    ///
    /// # Errors
    /// In words, when the index cannot be read.
    pub fn find(&self, claim: &str, most: usize) -> std::result::Result<Vec<Hit>, String> {
        let (connection, root) = self.connect()?;
        let mut wanted = tokens(claim);
        wanted.sort();
        wanted.dedup();
        wanted.truncate(MOST_WORDS);
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let told = |error: rusqlite::Error| error.to_string();
        let mut statement = connection
            .prepare(
                "SELECT files.path, files.title, files.url
                 FROM (SELECT rowid AS part, rank FROM stems WHERE stems MATCH ?1 ORDER BY rank LIMIT ?2) AS found
                 JOIN parts ON parts.id = found.part JOIN files ON files.id = parts.file ORDER BY found.rank",
            )
            .map_err(told)?;
        let query = wanted.join(" OR ");
        let rows = statement
            .query_map(params![query, MOST_PARTS], |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?, row.get::<_, Option<String>>(2)?))
            })
            .map_err(told)?;
        let mut hits: Vec<Hit> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for row in rows {
            let (path, title, url) = row.map_err(told)?;
            if hits.len() >= most {
                break;
            }
            if !seen.insert(path.clone()) {
                continue;
            }
            // A document that is gone since is found no more.
            let Some(file) = inside(&root, &path) else { continue };
            if let Some(url) = url.filter(|url| is_web(url)) {
                hits.push(Hit { url, title, page: None, file: Some(file) });
                continue;
            }
            let Ok(document) = file_page::read(&file) else { continue };
            if document.page.text.is_empty() {
                continue;
            }
            let page = Page { title: document.page.title.clone().or_else(|| title.clone()), ..document.page };
            hits.push(Hit { url: path, title, page: Some(page), file: Some(file) });
        }
        Ok(hits)
    }
}

/// The file at a path of the index: inside its folder, also where links lead.
fn inside(root: &Path, path: &str) -> Option<PathBuf> {
    let relative = Path::new(path);
    let plain = relative.components().all(|part| matches!(part, Component::Normal(_)));
    let real = root.join(relative).canonicalize().ok().filter(|_| plain)?;
    (real.starts_with(root) && real.is_file()).then_some(real)
}

/// The mark and the version of a database.
fn shape(connection: &Connection) -> rusqlite::Result<(i64, i64)> {
    let pragma = |name: &str| connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0));
    Ok((pragma("application_id")?, pragma("user_version")?))
}

/// The folder that an index is of, as it lies now: an index inside its folder moves with it.
fn root_of(connection: &Connection, database: &Path) -> rusqlite::Result<PathBuf> {
    let written: String = connection.query_row("SELECT root FROM index_of", [], |row| row.get(0))?;
    let beside = database.parent().unwrap_or(Path::new("")).join(written);
    Ok(beside.canonicalize().unwrap_or(beside))
}

/// The words of a text that mean something, as the index has them.
fn tokens(text: &str) -> Vec<String> {
    words(text).filter(|word| !word.stop).map(|word| format!("w{:x}", word.key)).collect()
}

/// What is known of a file that was indexed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Its size and when it was changed, as the system says.
    pub stamp: Stamp,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// When it was read, in nanoseconds.
    pub read_at: i64,
    /// Why it has no text, when it has none.
    pub empty: Option<String>,
}

/// Size and time of a file: while they stay, it is not read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Bytes.
    pub size: i64,
    /// The last change, in nanoseconds since 1970.
    pub changed: i64,
}

/// A document as it is put into the index.
#[derive(Debug, Clone)]
pub struct Entry<'e> {
    /// Size and time.
    pub stamp: Stamp,
    /// SHA-256 of its bytes.
    pub sha256: &'e str,
    /// Now, in nanoseconds.
    pub read_at: i64,
    /// Its title.
    pub title: Option<&'e str>,
    /// Its address on the web, when it says one.
    pub url: Option<&'e str>,
    /// Its text.
    pub text: &'e str,
    /// Why there is none.
    pub empty: Option<&'e str>,
}

/// An index that is written: all that is done to it, or nothing.
#[derive(Debug)]
pub struct Writer {
    connection: Connection,
    database: PathBuf,
}

impl Writer {
    /// Opens or makes the index of `root` in `database`.
    ///
    /// # Errors
    /// When it cannot be made, or is of another program or folder.
    pub fn open(database: &Path, root: &Path) -> Result<Writer> {
        let wrong = |why: String| Error::input(format!("{}: {why}", database.display()));
        let told = |error: rusqlite::Error| wrong(format!("no index can be written there: {error}"));
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(database, flags).map_err(told)?;
        connection.busy_timeout(BUSY).map_err(told)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false).map_err(told)?;
        let foreign =
            || wrong("is there and is no index of cited; nothing was changed, name another file with -o".to_owned());
        let (application, shape) = shape(&connection).map_err(|_| foreign())?;
        let tables: i64 =
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(|_| foreign())?;
        if tables > 0 && application != APPLICATION {
            return Err(foreign());
        }
        connection.execute_batch("BEGIN IMMEDIATE").map_err(told)?;
        if tables > 0 && shape != SHAPE {
            // What it had is read again from the files.
            let all = "DROP TABLE IF EXISTS stems; DROP TABLE IF EXISTS parts; DROP TABLE IF EXISTS files; DROP TABLE IF EXISTS index_of;";
            connection.execute_batch(all).map_err(told)?;
        }
        let make = format!(
            "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SHAPE};
             CREATE TABLE IF NOT EXISTS index_of (root TEXT NOT NULL);
             CREATE TABLE IF NOT EXISTS files (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL,
                 changed INTEGER NOT NULL, sha256 TEXT NOT NULL, read_at INTEGER NOT NULL, title TEXT, url TEXT, empty TEXT);
             CREATE TABLE IF NOT EXISTS parts (id INTEGER PRIMARY KEY, file INTEGER NOT NULL);
             CREATE INDEX IF NOT EXISTS parts_of ON parts (file);
             CREATE VIRTUAL TABLE IF NOT EXISTS stems USING fts5 (words, content = '', contentless_delete = 1);"
        );
        connection.execute_batch(&make).map_err(told)?;
        let writer = Writer { connection, database: database.to_path_buf() };
        writer.settle_root(root)?;
        Ok(writer)
    }

    fn settle_root(&self, root: &Path) -> Result<()> {
        let folder = self.database.parent().unwrap_or(Path::new(""));
        let here = folder.canonicalize().map_err(|error| Error::read(folder, error))?;
        let written: Option<String> = self
            .connection
            .query_row("SELECT root FROM index_of", [], |row| row.get(0))
            .optional()
            .map_err(|error| self.fault(&error))?;
        if let Some(written) = written {
            let of = here.join(&written);
            return if of.canonicalize().is_ok_and(|of| of == root) {
                Ok(())
            } else {
                let message =
                    format!("is the index of {}; nothing was changed, name another file with -o", of.display());
                Err(Error::input(format!("{}: {message}", self.database.display())))
            };
        }
        let up = here.strip_prefix(root).ok().map(|below| below.components().map(|_| "..").collect::<PathBuf>());
        let written = up.unwrap_or_else(|| root.to_path_buf());
        let Some(written) = written.to_str() else {
            return Err(Error::input(format!("{}: its name is not UTF-8", root.display())));
        };
        self.run("INSERT INTO index_of (root) VALUES (?1)", params![written])
    }

    /// The files that are indexed.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn paths(&self) -> Result<Vec<String>> {
        let mut statement =
            self.connection.prepare("SELECT path FROM files ORDER BY path").map_err(|error| self.fault(&error))?;
        let paths = statement.query_map([], |row| row.get(0)).and_then(Iterator::collect);
        paths.map_err(|error| self.fault(&error))
    }

    /// What is known of a file.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn known(&self, path: &str) -> Result<Option<Known>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT size, changed, sha256, read_at, empty FROM files WHERE path = ?1")
            .map_err(|error| self.fault(&error))?;
        let known = statement.query_row([path], |row| {
            let stamp = Stamp { size: row.get(0)?, changed: row.get(1)? };
            Ok(Known { stamp, sha256: row.get(2)?, read_at: row.get(3)?, empty: row.get(4)? })
        });
        known.optional().map_err(|error| self.fault(&error))
    }

    /// Notes that a file has another time and the same bytes.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn touch(&self, path: &str, stamp: Stamp, read_at: i64) -> Result<()> {
        let update = "UPDATE files SET size = ?2, changed = ?3, read_at = ?4 WHERE path = ?1";
        self.run(update, params![path, stamp.size, stamp.changed, read_at])
    }

    /// Puts a file in, in the place of what it was.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn put(&self, path: &str, entry: &Entry<'_>) -> Result<()> {
        self.remove(path)?;
        let insert = "INSERT INTO files (path, size, changed, sha256, read_at, title, url, empty)
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let Entry { stamp, sha256, read_at, title, url, text, empty } = entry;
        self.run(insert, params![path, stamp.size, stamp.changed, sha256, read_at, title, url, empty])?;
        let file = self.connection.last_insert_rowid();
        // Its name and title speak for all of it.
        let about = tokens(&format!("{} {path}", title.unwrap_or_default()));
        for part in tokens(text).chunks(PART) {
            self.run("INSERT INTO parts (file) VALUES (?1)", params![file])?;
            let id = self.connection.last_insert_rowid();
            let words = [part, about.as_slice()].concat().join(" ");
            self.run("INSERT INTO stems (rowid, words) VALUES (?1, ?2)", params![id, words])?;
        }
        Ok(())
    }

    /// Takes a file out.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn remove(&self, path: &str) -> Result<()> {
        let parts = "SELECT parts.id FROM parts JOIN files ON files.id = parts.file WHERE files.path = ?1";
        self.run(&format!("DELETE FROM stems WHERE rowid IN ({parts})"), [path])?;
        self.run("DELETE FROM parts WHERE file IN (SELECT id FROM files WHERE path = ?1)", [path])?;
        self.run("DELETE FROM files WHERE path = ?1", [path])
    }

    /// Makes what was done last. Without it nothing was done.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn finish(self) -> Result<()> {
        self.connection.execute_batch("COMMIT").map_err(|error| self.fault(&error))
    }

    fn run(&self, sql: &str, values: impl rusqlite::Params) -> Result<()> {
        let done = self.connection.prepare_cached(sql).and_then(|mut statement| statement.execute(values));
        done.map(drop).map_err(|error| self.fault(&error))
    }

    fn fault(&self, error: &rusqlite::Error) -> Error {
        Error::input(format!("{}: the index cannot be used: {error}; nothing was changed", self.database.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: &str) -> Entry<'_> {
        let stamp = Stamp { size: 1, changed: 1 };
        Entry { stamp, sha256: "00", read_at: 2, title: None, url: None, text, empty: None }
    }

    /// A folder with these files, all of them indexed.
    fn indexed(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir(root.join(".cited")).unwrap();
        let database = place(&root);
        let writer = Writer::open(&root.join(PLACE), &root).unwrap();
        for (name, text) in files {
            std::fs::write(root.join(name), text).unwrap();
            writer.put(name, &entry(text)).unwrap();
        }
        writer.finish().unwrap();
        (folder, database)
    }

    #[track_caller]
    fn check(database: &Path, claim: &str, expected: &[&str]) {
        let hits = LocalIndex::open(database).unwrap().find(claim, 5).unwrap();
        let names: Vec<&str> = hits.iter().map(|hit| hit.url.as_str()).collect();
        assert_eq!(names, expected, "{claim}");
    }

    #[test]
    fn documents_are_found_by_the_words_of_a_claim() {
        let (_folder, database) = indexed(&[
            ("pumps.md", "Norway had 1.5 million heat pumps in 2023."),
            ("ships.txt", "Ships carry cargo between harbours."),
            ("zh.md", "本周收入比上周增长8%。"),
        ]);
        check(&database, "The heat pump is common in Norway.", &["pumps.md"]);
        check(&database, "A ship carries cargo.", &["ships.txt"]);
        check(&database, "收入增长了", &["zh.md"]);
        check(&database, "Whales sing.", &[]);
        check(&database, "the of and", &[]);
        check(&database, "\" OR stems : * NEAR(", &[]);
    }

    #[test]
    fn what_is_gone_or_outside_is_not_found() {
        let (folder, database) = indexed(&[("a.md", "Heat pumps."), ("b.md", "Heat pumps, too.")]);
        std::fs::remove_file(folder.path().join("a.md")).unwrap();
        let writer = Writer::open(&database, &folder.path().canonicalize().unwrap()).unwrap();
        writer.put("../secret.md", &entry("Heat pumps in secret.")).unwrap();
        writer.put("/etc/hostname", &entry("Heat pumps of a host.")).unwrap();
        writer.finish().unwrap();
        check(&database, "heat pumps", &["b.md"]);
    }

    #[test]
    fn a_document_with_an_address_is_given_by_it_and_not_read() {
        let (folder, database) = indexed(&[("a.md", "Heat pumps."), ("b.md", "Heat pumps of a page.")]);
        let writer = Writer::open(&database, &folder.path().canonicalize().unwrap()).unwrap();
        let page = Entry { url: Some("https://a.example/pumps"), ..entry("Heat pumps of a page.") };
        writer.put("b.md", &page).unwrap();
        writer.put("a.md", &Entry { url: Some("file:///etc/passwd"), ..entry("Heat pumps.") }).unwrap();
        writer.finish().unwrap();
        let hits = LocalIndex::open(&database).unwrap().find("heat pumps", 5).unwrap();
        let mut told: Vec<_> = hits.iter().map(|hit| (hit.url.as_str(), hit.page.is_some())).collect();
        told.sort_unstable();
        assert_eq!(told, [("a.md", true), ("https://a.example/pumps", false)]);
    }

    #[test]
    fn a_removed_file_leaves_no_words() {
        let (folder, database) = indexed(&[("a.md", "Heat pumps."), ("b.md", "Ships.")]);
        let root = folder.path().canonicalize().unwrap();
        let writer = Writer::open(&database, &root).unwrap();
        writer.remove("a.md").unwrap();
        assert_eq!(writer.paths().unwrap(), ["b.md"]);
        writer.finish().unwrap();
        check(&database, "heat pumps", &[]);
        // What is not finished was not done.
        let writer = Writer::open(&database, &root).unwrap();
        writer.remove("b.md").unwrap();
        drop(writer);
        check(&database, "ships", &["b.md"]);
    }

    #[test]
    fn another_file_is_no_index() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.sqlite");
        assert!(LocalIndex::open(&path).unwrap_err().to_string().contains("make one with `cited index"));
        std::fs::write(&path, "no database at all, but a text").unwrap();
        assert!(LocalIndex::open(&path).is_err());
        assert!(Writer::open(&path, folder.path()).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "no database at all, but a text");
        let other = folder.path().join("y.sqlite");
        Connection::open(&other).unwrap().execute_batch("CREATE TABLE t (a)").unwrap();
        assert!(LocalIndex::open(&other).unwrap_err().to_string().contains("is no index of cited"));
        assert!(Writer::open(&other, folder.path()).unwrap_err().to_string().contains("is no index of cited"));
    }
}
