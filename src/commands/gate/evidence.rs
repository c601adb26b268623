//! The files of a gate: data into the engine, sources as texts, metrics by name.

use std::collections::{BTreeSet, HashSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{Connection, OpenFlags};

use crate::cli::gate_args::EvidenceFlags;
use crate::commands::input;
use crate::error::{Error, Result};
use crate::fetch::document::{self, Limits};
use crate::fetch::markdown;
use crate::fetch::page::sha256_hex;
use crate::fetch::pdf::{PdfCommand, PdfReader};
use crate::gate::data::{self, Fault, Format, Held, Scanned};
use crate::gate::engine::{self, Engine};
use crate::gate::examine::{Declared, Metrics, choose};
use crate::gate::ledger::Ledger;
use crate::gate::recompute::{Prepared, prepare};
use crate::gate::report::is_own_output;
use crate::gate::report::{DataFile, DataTable};
use crate::gate::sources::{Source, of_record};
use crate::render::Record;

/// The largest file that is read as a source, in bytes.
const LARGEST_SOURCE: u64 = 64 << 20;
/// Pages of a PDF that are read.
const MOST_PAGES: usize = 200;
/// Folders below a folder of sources that are looked into.
const DEEPEST_FOLDER: usize = 16;
/// The longest time for one metric that is not a slip of the hand, in seconds.
const LONGEST_TIME: f64 = 86_400.0;

/// A data file that was looked at.
enum Looked {
    Records { path: PathBuf, format: Format, scanned: Scanned },
    Database { path: PathBuf, connection: Connection, held: Held, sha256: String, bytes: u64 },
}

/// The engine with all data, and the metrics that count.
pub struct Loaded {
    pub engine: Engine,
    pub metrics: Metrics,
    pub data: Vec<DataFile>,
}

/// Loads all data that a metric reads.
///
/// # Errors
/// When a file cannot be read or is malformed.
pub fn load(ledger: &Ledger, path: &str, flags: &EvidenceFlags) -> Result<Loaded> {
    let callers = callers_metrics(&flags.metrics)?;
    let mut looked = Vec::new();
    for path in data_files(&flags.data)? {
        looked.push(look(&path)?);
    }
    let tables = looked.iter().flat_map(|file| match file {
        Looked::Records { scanned, .. } => std::slice::from_ref(&scanned.table),
        Looked::Database { held, .. } => held.tables.as_slice(),
    });
    let tables: Vec<data::Table> = tables.cloned().collect();
    let mut seen: Vec<&data::Table> = Vec::new();
    for table in &tables {
        if let Some(other) = seen.iter().find(|other| other.name.eq_ignore_ascii_case(&table.name)) {
            let (one, two) = (&other.file, &table.file);
            return Err(Error::input(format!(
                "{two}: its table `{}` is already that of {one}; rename one",
                table.name
            )));
        }
        seen.push(table);
    }
    let limits = limits(flags)?;
    let engine_fault = |fault: Fault| Error::input(fault.in_file("the engine"));
    let mut engine = Engine::new(tables, limits).map_err(engine_fault)?;
    let chosen = choose(ledger, path, &callers, flags.trusted_metrics_only);
    let mut metrics = Metrics::default();
    for (name, definition, origin) in chosen {
        let prepared = prepare(&definition, engine.tables());
        metrics.declared.insert(name, Declared { definition, origin, prepared });
    }
    if flags.trusted_metrics_only {
        let own = ledger.metrics.iter().map(|(name, _)| name.text.clone());
        metrics.untrusted = own.filter(|name| !metrics.declared.contains_key(name)).collect();
    }
    // What no metric reads need not be in memory. What a query reads is known when it is prepared.
    engine.close().map_err(engine_fault)?;
    let mut used: HashSet<(String, String)> = HashSet::new();
    let mut terms = Vec::new();
    let mut claimed: Vec<&str> = ledger.claims.iter().filter_map(metric_of).collect();
    claimed.sort_unstable();
    claimed.dedup();
    for metric in claimed.iter().filter_map(|name| metrics.declared.get(*name)) {
        if let Prepared::Sql(sql) = &metric.prepared {
            used.extend(engine.reads(sql));
        }
        for term in metric.prepared.terms() {
            used.extend(term.columns.iter().map(|column| (term.table.clone(), column.clone())));
            terms.push(term.clone());
        }
    }
    engine.open().map_err(engine_fault)?;
    let mut data = Vec::new();
    for file in looked {
        data.push(fill(&engine, file, &used)?);
    }
    terms.sort_by(|a, b| a.select.cmp(&b.select));
    terms.dedup();
    engine.index(&terms).map_err(engine_fault)?;
    engine.close().map_err(engine_fault)?;
    Ok(Loaded { engine, metrics, data })
}

fn metric_of(claim: &crate::gate::ledger::Claim) -> Option<&str> {
    match &claim.body {
        crate::gate::ledger::Body::Number(number) => Some(&number.metric.text),
        _ => None,
    }
}

fn limits(flags: &EvidenceFlags) -> Result<engine::Limits> {
    let standard = engine::Limits::default();
    let time = match flags.metric_timeout {
        None => standard.time,
        Some(seconds) if seconds > 0.0 && seconds <= LONGEST_TIME => std::time::Duration::from_secs_f64(seconds),
        Some(_) => return Err(Error::usage("--metric-timeout must be more than 0 seconds and at most a day")),
    };
    let memory = match flags.max_memory {
        Some(0..=7) => return Err(Error::usage("--max-memory must be at least 8 MiB")),
        memory => memory.unwrap_or(standard.memory),
    };
    Ok(engine::Limits { time, memory })
}

/// The data files that were named, folders spelled out in order of names.
fn data_files(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            if Format::of_name(&path.to_string_lossy()).is_none() {
                let known = Format::endings();
                return Err(Error::usage(format!(
                    "--data {}: the ending says what it is; it must be one of {known}",
                    path.display()
                )));
            }
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        for name in names(path)? {
            if Format::of_name(&name).is_some() && !name.starts_with('.') {
                files.push(path.join(name));
            }
        }
        if files.len() == before {
            let known = Format::endings();
            return Err(Error::input(format!(
                "{}: no data file in this folder; it needs one of {known}",
                path.display()
            )));
        }
    }
    let mut seen = HashSet::new();
    files.retain(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    Ok(files)
}

/// The names of the files of a folder, in order.
fn names(folder: &Path) -> Result<Vec<String>> {
    let entries = std::fs::read_dir(folder).map_err(|error| Error::read(folder, error))?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| Error::read(folder, error))?;
        if let (true, Ok(name)) = (entry.path().is_file(), entry.file_name().into_string()) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

fn opened(path: &Path) -> io::Result<Box<dyn Read>> {
    Ok(Box::new(File::open(path)?))
}

fn look(path: &Path) -> Result<Looked> {
    let name = path.display().to_string();
    let format = Format::of_name(&name).unwrap_or(Format::Csv);
    let fault = |fault: Fault| match fault {
        Fault::Io(error) => Error::read(path, error),
        fault => Error::input(fault.in_file(&name)),
    };
    if format != Format::Sqlite {
        let scanned = data::scan(&name, format, &|| opened(path)).map_err(fault)?;
        return Ok(Looked::Records { path: path.to_path_buf(), format, scanned });
    }
    let (sha256, bytes) = hash(path)?;
    if bytes == 0 {
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
    let database = || -> std::result::Result<_, Fault> {
        // Opened as it is: no journal is played back, no lock taken, nothing written.
        let mut address = url::Url::from_file_path(std::path::absolute(path)?)
            .map_err(|()| io::Error::other("the path has no address"))?;
        address.set_query(Some("immutable=1"));
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(address.as_str(), flags)?;
        let held = data::look(&name, &connection)?;
        Ok((connection, held))
    };
    let (connection, held) = database().map_err(fault)?;
    Ok(Looked::Database { path: path.to_path_buf(), connection, held, sha256, bytes })
}

/// The files that data and sources are read from, in order: what a log of a run is of. One that is not there is among them.
pub fn files(flags: &EvidenceFlags) -> Vec<PathBuf> {
    let mut files = data_files(&flags.data).unwrap_or_else(|_| flags.data.clone());
    for path in &flags.sources {
        let mut found = Vec::new();
        if path.is_dir() && collect(path, path, &mut found, 0).is_ok() {
            files.extend(found.into_iter().map(|(_, file)| file));
        } else {
            files.push(path.clone());
        }
    }
    files.extend(flags.record.iter().cloned());
    files
}

/// SHA-256 of a file, and its bytes.
pub fn hash(path: &Path) -> Result<(String, u64)> {
    use sha2::Digest as _;
    let mut file = File::open(path).map_err(|error| Error::read(path, error))?;
    let mut digest = sha2::Sha256::new();
    let mut buffer = vec![0; 256 << 10];
    let mut bytes = 0;
    loop {
        let read = file.read(&mut buffer).map_err(|error| Error::read(path, error))?;
        if read == 0 {
            break;
        }
        digest.update(&buffer[..read]);
        bytes += read as u64;
    }
    Ok((data_encoding::HEXLOWER.encode(&digest.finalize()), bytes))
}

fn fill(engine: &Engine, file: Looked, used: &HashSet<(String, String)>) -> Result<DataFile> {
    let columns = |table: &data::Table| -> BTreeSet<String> {
        let of = |(name, _): &&(String, String)| name.eq_ignore_ascii_case(&table.name);
        used.iter().filter(of).filter_map(|(_, column)| Some(table.column(column)?.name.clone())).collect()
    };
    let described = |table: &data::Table| DataTable {
        name: table.name.clone(),
        rows: table.rows,
        columns: table.columns.iter().map(|column| (column.name.clone(), column.kind)).collect(),
    };
    let (path, result, file) = match file {
        Looked::Records { path, format, scanned } => {
            let used = columns(&scanned.table);
            let result = data::load(engine.connection(), &scanned, format, &used, &|| opened(&path));
            let Scanned { table, sha256, bytes } = scanned;
            let tables = vec![described(&table)];
            (table.file.clone(), result, DataFile { path: table.file, sha256, bytes, tables, left: Vec::new() })
        }
        Looked::Database { path, connection, held, sha256, bytes } => {
            let copy =
                |table: &data::Table| data::copy_tables(&connection, engine.connection(), table, &columns(table));
            let result = held.tables.iter().try_for_each(copy);
            let name = path.display().to_string();
            let tables = held.tables.iter().map(described).collect();
            if hash(&path)?.0 != sha256 {
                return Err(Error::input(format!("{name}: changed while it was read; run again when it is complete")));
            }
            (name.clone(), result, DataFile { path: name, sha256, bytes, tables, left: held.left })
        }
    };
    result.map_err(|fault| Error::input(fault.in_file(&path)))?;
    Ok(file)
}

/// The metrics of the caller's files: name, definition, file.
fn callers_metrics(files: &[PathBuf]) -> Result<Vec<(String, String, String)>> {
    let mut metrics: Vec<(String, String, String)> = Vec::new();
    for path in files {
        let input = input::read(path)?;
        let wrong = |what: String| Error::input(format!("{}: {what}", input.path));
        let read: Vec<(String, Option<String>)> = if path.extension().is_some_and(|ending| ending == "toml") {
            let table: toml::Table = input.text.parse().map_err(|error: toml::de::Error| wrong(error.to_string()))?;
            table.into_iter().map(|(name, value)| (name, value.as_str().map(str::to_owned))).collect()
        } else {
            let node = crate::gate::json::read(&input.text).map_err(|fault| wrong(fault.to_string()))?;
            let crate::gate::json::Value::Object(members) = node.value else {
                return Err(wrong("must be an object of names and metrics".to_owned()));
            };
            let text = |value| match value {
                crate::gate::json::Value::Text(text) => Some(text),
                _ => None,
            };
            members.into_iter().map(|(name, node)| (name.text, text(node.value))).collect()
        };
        for (name, definition) in read {
            let Some(definition) = definition else { return Err(wrong(format!("metric `{name}` must be a text"))) };
            if let Some((.., other)) = metrics.iter().find(|(known, ..)| *known == name) {
                return Err(wrong(format!("metric `{name}` is declared in {other} already")));
            }
            metrics.push((name, definition, input.path.clone()));
        }
    }
    Ok(metrics)
}

/// The sources that may be quoted. The files that are `checked` are no evidence for themselves.
///
/// # Errors
/// When one that was named cannot be read.
pub fn sources(flags: &EvidenceFlags, checked: &[&Path]) -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for path in &flags.sources {
        if path.is_dir() {
            let mut files = Vec::new();
            collect(path, path, &mut files, 0)?;
            if files.is_empty() {
                return Err(Error::input(format!("{}: no file in this folder", path.display())));
            }
            for (name, file) in files {
                sources.push(source(&file, &name, checked)?);
            }
        } else {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            sources.push(source(path, &name, checked)?);
        }
    }
    if let Some(path) = &flags.record {
        let input = input::read(path)?;
        let record: Record = serde_json::from_str(input.text.strip_prefix('\u{feff}').unwrap_or(&input.text))
            .map_err(|error| Error::input(format!("{}: is no record of cited: {error}", input.path)))?;
        if record.schema != crate::render::record::SCHEMA {
            let message = format!(
                "{}: is `{}`; this version reads `{}`",
                input.path,
                record.schema,
                crate::render::record::SCHEMA
            );
            return Err(Error::input(message));
        }
        sources.extend(of_record(&record));
    }
    Ok(sources)
}

/// Files of a folder and below, with their paths from it; no link is followed.
fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, PathBuf)>, depth: usize) -> Result<()> {
    let entries = std::fs::read_dir(folder).map_err(|error| Error::read(folder, error))?;
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in entries {
        paths.push(entry.map_err(|error| Error::read(folder, error))?.path());
    }
    paths.sort();
    for path in paths {
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        let metadata = path.symlink_metadata().map_err(|error| Error::read(&path, error))?;
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')) {
            continue;
        }
        if metadata.is_dir() && depth < DEEPEST_FOLDER {
            collect(root, &path, files, depth + 1)?;
        } else if metadata.is_file() {
            files.push((name, path));
        }
    }
    Ok(())
}

/// The text of a file as a reader sees it; `None` when there is none that can be read.
struct FileText {
    shown: String,
    /// The text with its markup, of Markdown.
    written: Option<String>,
}

/// The text of a file, read as the same bytes from the web would be, without what no reader sees.
fn text_of(bytes: Vec<u8>, name: &str) -> Option<FileText> {
    let limits = Limits {
        max_body: LARGEST_SOURCE as usize,
        max_title: 4096,
        words: None,
        pdf: PdfCommand::ourselves().map(|command| Arc::new(PdfReader::new(command, MOST_PAGES))),
        seen_only: true,
    };
    let bytes = bytes::Bytes::from(bytes);
    let document = document::of_file(bytes.clone(), name, &limits);
    let text = document.page.text;
    if document.unreadable.is_some() || text.trim().is_empty() {
        return None;
    }
    if document.page.media_type != "text/markdown" {
        return Some(FileText { shown: text, written: None });
    }
    // The text of the page has lost the white space at the start of lines, by which code and lists are known.
    let shown = markdown::shown(std::str::from_utf8(&bytes).unwrap_or(&text));
    Some(FileText { shown, written: Some(text) })
}

/// Whether a text is what a gate has written: a report in any format, or the log of its events.
fn is_written_by_a_gate(text: &str) -> bool {
    if is_own_output(text) {
        return true;
    }
    let start: String = text.chars().filter(|c| !c.is_whitespace()).take(2048).collect();
    let formats = ["\"driver\":{\"name\":\"cited\"", "<testsuitesname=\"cited\""];
    if formats.iter().any(|mark| start.contains(mark)) || text.starts_with("## cited: ") {
        return true;
    }
    let verdict = text.lines().rfind(|line| !line.trim().is_empty());
    let verdict = verdict.is_some_and(|line| matches!(line.trim(), "ACCEPTED" | "REJECTED" | "DISPUTED"));
    verdict && (text.contains(" claims verified; ") || text.starts_with("verified ") || text.starts_with("rework "))
}

/// One file as a source, called by its path and its stem.
fn source(path: &Path, name: &str, checked: &[&Path]) -> Result<Source> {
    let metadata = path.metadata().map_err(|error| Error::read(path, error))?;
    let mut names = vec![name.to_owned()];
    if let Some((stem, _)) = name.rsplit_once('.') {
        names.push(stem.to_owned());
    }
    let place = path.display().to_string();
    let nothing = |names| Source::file(names, place.clone(), String::new(), String::new());
    let no_evidence = |names, why: &str| Source::file(names, format!("{place} {why}"), String::new(), String::new());
    if checked.iter().any(|other| input::same_file(path, other)) {
        return Ok(no_evidence(names, "is what is checked, and no evidence for itself"));
    }
    if metadata.len() > LARGEST_SOURCE {
        return Ok(nothing(names));
    }
    let bytes = std::fs::read(path).map_err(|error| Error::read(path, error))?;
    let text = text_of(bytes, name);
    if text.as_ref().is_some_and(|text| is_written_by_a_gate(text.written.as_ref().unwrap_or(&text.shown))) {
        return Ok(no_evidence(names, "is what a gate has written, and no evidence"));
    }
    Ok(match text {
        Some(FileText { shown, written }) => {
            let sha256 = sha256_hex(shown.as_bytes());
            let source = Source::file(names, place, shown, sha256);
            match written {
                Some(written) => source.written_as(written, markdown::shown),
                None => source,
            }
        }
        None => nothing(names),
    })
}
