//! Where results go, and writing them so that a crash, a full disk or a kill leaves the old file or the new one.

use std::fs::{File, Permissions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::input::{STANDARD, folder_of, read, same_file, slug};
use crate::cli::args::VerifyFlags;
use crate::cli::say;
use cited_core::error::{Error, Result};
use cited_core::input::Input;
use cited_core::page::sha256_hex;
use cited_fetch::leftovers::{self, Leftover, Noted};
use cited_report::difference;
use cited_report::printers::{self, Outcome, Printer};
use cited_report::summary::shown;

/// The brief of a draft on standard input.
const DEFAULT_BRIEF: &str = "cited.md";

/// Where the results of one run go.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The brief; `None` for standard output.
    pub brief: Option<PathBuf>,
    /// The record, when it is written.
    pub record: Option<PathBuf>,
    /// The side-car, when it is written.
    pub provenance: Option<PathBuf>,
    /// Further reports.
    pub reports: Vec<(&'static Printer, PathBuf)>,
    /// The evidence bundle, when one is recorded.
    pub evidence: Option<PathBuf>,
    /// Where the draft is kept before the brief is written over it.
    pub backup: Option<PathBuf>,
}

/// What is written into each of `paths`, by its ending.
///
/// # Errors
/// When an ending means nothing.
pub fn reports(paths: &[PathBuf]) -> Result<Vec<(&'static Printer, PathBuf)>> {
    paths.iter().map(|path| Ok((printers::of_file(path)?, path.clone()))).collect()
}

/// Each of `reports` as it is written.
///
/// # Errors
/// When one has no form in its format: a fault of cited.
pub fn printed<'a>(reports: &'a [(&Printer, PathBuf)], outcome: &Outcome<'_>) -> Result<Vec<(&'a Path, String)>> {
    let plain = |text: String| anstream::adapter::strip_str(&text).to_string();
    reports.iter().map(|(printer, path)| Ok((path.as_path(), plain((printer.print)(outcome, true)?)))).collect()
}

/// Writes each of `reports`.
///
/// # Errors
/// As [`printed`] and [`write()`].
pub fn write_reports(reports: &[(&Printer, PathBuf)], outcome: &Outcome<'_>) -> Result<()> {
    let contents = printed(reports, outcome)?;
    write(&contents.iter().map(|(path, text)| (*path, text.as_bytes())).collect::<Vec<_>>())
}

/// Makes sure, before any work, that each of `files` can be written, once, and is none of `inputs`.
///
/// # Errors
/// When one cannot.
pub fn vet<'a>(files: impl IntoIterator<Item = &'a Path>, inputs: &[impl AsRef<Path>]) -> Result<()> {
    let files: Vec<&Path> = files.into_iter().collect();
    for (i, path) in files.iter().enumerate() {
        if inputs.iter().any(|input| same_file(path, input.as_ref())) {
            return Err(Error::usage(format!("{}: is an input of this run; name another output", path.display())));
        }
        if files[..i].iter().any(|other| resolve_target(other) == resolve_target(path)) {
            return Err(Error::usage(format!("{}: two results would be written to this file", path.display())));
        }
        probe(path).map_err(|error| Error::write(path, error))?;
    }
    Ok(())
}

impl Plan {
    /// Where the results for `draft` go.
    ///
    /// # Errors
    /// When a report has an ending that means nothing, or the draft cannot be written over.
    pub fn new(draft: &Path, flags: &VerifyFlags, evidence: Option<&Path>) -> Result<Plan> {
        let standard = Path::new(STANDARD);
        let brief = match &flags.output {
            _ if flags.in_place && draft == standard => {
                return Err(Error::usage("--in-place needs a draft in a file, not on standard input"));
            }
            _ if flags.in_place => Some(draft.to_path_buf()),
            Some(path) if path == standard => None,
            Some(path) => Some(path.clone()),
            None if draft == standard => Some(PathBuf::from(DEFAULT_BRIEF)),
            None => {
                let name = slug(draft).map_or_else(|| stem_of(draft), str::to_owned);
                Some(draft.with_file_name(format!("{name}-brief.md")))
            }
        };
        // A pipe or device has no folder to put side files into.
        let sides = brief.as_deref().filter(|path| !is_special(path));
        let beside = |ending: &str| sides.map(|brief| brief.with_file_name(format!("{}{ending}", stem(brief))));
        Ok(Plan {
            record: beside(".record.json"),
            provenance: beside(".provenance.md"),
            reports: reports(&flags.report)?,
            evidence: evidence.map(Path::to_path_buf),
            backup: flags.in_place.then(|| free_backup(draft)),
            brief,
        })
    }

    /// The files of the run itself.
    fn own(&self) -> impl Iterator<Item = &PathBuf> {
        self.brief.iter().chain(&self.record).chain(&self.provenance)
    }

    /// Every file that is written.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let reports = self.reports.iter().map(|(_, path)| path);
        self.own().chain(&self.evidence).chain(reports).map(PathBuf::as_path)
    }

    /// The files that an earlier run with this plan left: they may lie among the research files and are none. Without a
    /// record beside it a file of the brief's name is somebody else's.
    pub fn left_before(&self) -> Vec<PathBuf> {
        let ours = self.record.as_ref().is_some_and(|record| record.is_file());
        self.own().filter(|_| ours).cloned().collect()
    }

    /// Makes sure that the brief takes the place of nothing that somebody wrote: only of one that cited wrote and that is as it
    /// was. `force` gives that up.
    ///
    /// # Errors
    /// When something else is there.
    pub fn spare(&self, force: bool) -> Result<()> {
        let in_place = self.backup.is_some();
        let Some(brief) = self.brief.as_deref().filter(|path| !force && !in_place && keeps(path)) else {
            return Ok(());
        };
        let there = std::fs::read(brief).map_err(|error| Error::read(brief, error))?;
        let ours = self.record.as_deref().and_then(hash_of_brief).filter(|hash| !hash.is_empty());
        let hash = Some(sha256_hex(&there));
        // A run that was killed between the two has left the record of this brief beside its place.
        let waits = |record: &Path| {
            let beside = std::fs::read_dir(folder_of(&resolve_target(record))).into_iter().flatten().flatten();
            let mut staged = beside.filter(|entry| entry.file_name().to_string_lossy().ends_with(STAGED));
            staged.any(|entry| hash_of_brief(&entry.path()) == hash)
        };
        if there.is_empty() || ours == hash || self.record.as_deref().is_some_and(waits) {
            return Ok(());
        }
        let what = match ours {
            Some(_) => "was changed since cited wrote it",
            None => "is there, and no record beside it says that cited wrote it",
        };
        let path = brief.display();
        Err(Error::usage(format!("{path}: {what}: name another file with -o, or write over it with --force")))
    }

    /// Whether files of the run itself, reports apart, exist already; the record of a run that was held back is none.
    pub fn exists(&self) -> bool {
        let was_written = |path: &Path| status_in(path).is_none_or(|old| old.not_written.is_none());
        self.own().any(|path| keeps(path) && (Some(path) != self.record.as_ref() || was_written(path)))
    }
}

/// What a record says of its brief.
#[derive(serde::Deserialize)]
struct BriefStatus {
    schema: String,
    brief_sha256: String,
    not_written: Option<String>,
}

/// The hash that a record gives for the brief beside it. What is no record of ours gives none.
pub fn hash_of_brief(record: &Path) -> Option<String> {
    status_in(record).map(|status| status.brief_sha256)
}

fn status_in(record: &Path) -> Option<BriefStatus> {
    let status: BriefStatus = serde_json::from_slice(&std::fs::read(record).ok()?).ok()?;
    (status.schema == cited_report::record::SCHEMA).then_some(status)
}

fn stem_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The name that side files share with a brief: its stem without `-brief`.
fn stem(brief: &Path) -> String {
    let stem = stem_of(brief);
    let short = stem.strip_suffix("-brief").filter(|short| !short.is_empty());
    short.unwrap_or(&stem).to_owned()
}

/// The first name for a backup that is not taken: `draft.md.bak`, `draft.md.bak1`, …
fn free_backup(draft: &Path) -> PathBuf {
    let name = draft.file_name().unwrap_or_default().to_string_lossy();
    let endings = std::iter::once(String::new()).chain((1u32..).map(|number| number.to_string()));
    let mut names = endings.map(|ending| draft.with_file_name(format!("{name}.bak{ending}")));
    names.find(|path| path.symlink_metadata().is_err()).unwrap_or_else(|| draft.with_extension("bak"))
}

/// Whether there is something at `path` that writing would put an end to; a device or pipe has nothing to lose.
pub fn keeps(path: &Path) -> bool {
    path.exists() && !is_special(path)
}

/// Whether `path` is there and is neither a file nor a folder: a device, a pipe.
fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// The file that writing to `path` changes or makes: what a link leads to, and one place however it is written.
fn resolve_target(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| real_folder(path).join(path.file_name().unwrap_or_default()))
}

/// The folder that a file stands in, without links on the way as far as it is there.
pub fn real_folder(path: &Path) -> PathBuf {
    let folder = folder_of(path);
    folder.canonicalize().or_else(|_| std::path::absolute(folder)).unwrap_or_default()
}

/// Whether `path` could be written now, without writing it.
fn probe(path: &Path) -> io::Result<()> {
    if let Ok(metadata) = path.metadata() {
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if metadata.permissions().readonly() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        if is_special(path) {
            return Ok(());
        }
    }
    let place = resolve_target(path);
    // Folders that do not exist are made when there is something to put into them.
    let there = folder_of(&place).ancestors().find(|folder| folder.exists()).unwrap_or(Path::new("."));
    tempfile::NamedTempFile::new_in(there).map(drop).map_err(|error| bare(&error))
}

/// The error of the system without the name of the temporary file, which means nothing to a user.
fn bare(error: &io::Error) -> io::Error {
    error.kind().into()
}

/// A file that is ready to take its place.
struct Staged<'a> {
    asked: &'a Path,
    /// The new content in a file beside the place.
    temporary: tempfile::NamedTempFile,
    place: PathBuf,
    noted: Noted,
    content: &'a [u8],
}

/// Writes files so that each is, at any moment, as it was or as it is to be. All of them are on disk under other names
/// before the first takes its place, so a full disk changes none.
///
/// # Errors
/// When one cannot be written.
pub fn write(files: &[(&Path, &[u8])]) -> Result<()> {
    write_with(files, None)
}

/// Writes files as [`write()`] does; of two paths in `backup` the first gets the permissions of the second, from the moment
/// that it is there: what nobody else may read in a draft nobody else may read in its backup.
///
/// # Errors
/// As [`write()`].
pub fn write_with(files: &[(&Path, &[u8])], backup: Option<(&Path, &Path)>) -> Result<()> {
    let (devices, files): (Vec<_>, Vec<_>) = files.iter().copied().partition(|(path, _)| is_special(path));
    let staged = files.into_iter().map(|(path, content)| {
        let like = backup.filter(|(copy, _)| *copy == path).map(|(_, draft)| draft);
        stage(path, content, like).map_err(|error| Error::write(path, error))
    });
    let staged = staged.collect::<Result<Vec<_>>>()?;
    // Two runs at once over one folder put their files in place one after the other. Where folders cannot be locked, each
    // file still is whole.
    let folder = staged.first().and_then(|file| File::open(folder_of(&file.place)).ok());
    let _lock = folder.inspect(|folder| drop(folder.lock()));
    // An end from outside comes before the first of them or after the last. A device may let us wait.
    leftovers::place_files(|| {
        staged.into_iter().try_for_each(|Staged { asked, temporary, place, noted: _noted, content }| {
            let persisted = temporary.persist(&place).map(drop).map_err(|error| error.error);
            #[cfg(unix)]
            let persisted = persisted.and_then(|()| File::open(folder_of(&place))?.sync_all());
            let is_whole = persisted.and_then(|()| Ok(std::fs::read(&place)? == content));
            let other = "reading it back gave other bytes; another program may have written it at the same time";
            is_whole
                .and_then(|whole| whole.then_some(()).ok_or_else(|| io::Error::other(other)))
                .map_err(|error| Error::write(asked, error))
        })
    })?;
    devices.into_iter().try_for_each(|(path, content)| {
        let device = File::options().write(true).open(path);
        let written = device.and_then(|mut device| device.write_all(content).and_then(|()| device.flush()));
        unless_broken_pipe(written).map_err(|error| Error::write(path, error))
    })
}

/// How the name of a file ends that is to take a place; it begins with the name of the place and the process.
const STAGED: &str = ".tmp";

/// Puts the content into a file beside its place, with the permissions of the file `like`, or of what is there already.
fn stage<'a>(path: &'a Path, content: &'a [u8], like: Option<&Path>) -> io::Result<Staged<'a>> {
    let place = resolve_target(path);
    std::fs::create_dir_all(folder_of(&place))?;
    let named = format!(".{}.", place.file_name().unwrap_or_default().to_string_lossy());
    leftovers::remove_left_over(folder_of(&place), |name| {
        name.strip_prefix(&named)?.strip_suffix(STAGED)?.split_once('-')?.0.parse().ok()
    });
    let mut builder = tempfile::Builder::new();
    let prefix = format!("{named}{}-", std::process::id());
    builder.prefix(&prefix).suffix(STAGED);
    let permissions = like.map(Path::metadata).transpose()?.or_else(|| place.metadata().ok());
    let permissions = permissions.map(|metadata| metadata.permissions());
    #[cfg(unix)]
    let ordinary = <Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666);
    // Not only later: who opened it before may read what is written after.
    #[cfg(unix)]
    builder.permissions(permissions.clone().unwrap_or(ordinary));
    let (mut temporary, noted) = leftovers::noted(|| {
        let temporary = builder.tempfile_in(folder_of(&place)).map_err(|error| bare(&error))?;
        let leftover = Leftover::File(temporary.path().to_path_buf());
        Ok((temporary, leftover))
    })?;
    if let Some(permissions) = permissions {
        // What the process masks at creation it may still give.
        temporary.as_file().set_permissions(permissions)?;
    }
    temporary.as_file_mut().write_all(content)?;
    temporary.as_file().sync_all()?;
    Ok(Staged { asked: path, temporary, place, noted, content })
}

/// Prints results on standard output. A reader that has seen enough and closed the pipe is no error.
///
/// # Errors
/// When standard output takes no more for another reason.
pub fn print(text: &str) -> Result<()> {
    put_out(&mut anstream::stdout().lock(), text.as_bytes())
}

/// Prints results on standard output; `aside` of something else that stands there, on standard error.
///
/// # Errors
/// As [`print()`].
pub fn print_beside(text: &str, aside: bool) -> Result<()> {
    if aside {
        say(format_args!("{text}"));
        return Ok(());
    }
    print(text)
}

/// Prints a document on standard output, to the byte.
///
/// # Errors
/// As [`print()`].
pub fn print_bytes(bytes: &[u8]) -> Result<()> {
    put_out(&mut io::stdout().lock(), bytes)
}

fn put_out(out: &mut dyn io::Write, bytes: &[u8]) -> Result<()> {
    unless_broken_pipe(out.write_all(bytes).and_then(|()| out.flush())).map_err(Error::print)
}

fn unless_broken_pipe(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// A document that is to be changed.
pub struct Rewrite {
    /// Where it lies.
    pub path: PathBuf,
    /// As it was read.
    pub before: Input,
    /// As it is to be.
    pub after: String,
    /// What is changed, in words.
    pub changes: Vec<String>,
}

/// Prints the differences.
///
/// # Errors
/// When standard output takes nothing.
pub fn show_changes(all: &[Rewrite]) -> Result<()> {
    let difference = |one: &Rewrite| difference::changes(&one.before.path, &one.before.text, &one.after);
    all.iter().try_for_each(|one| print(&difference(one)))
}

/// Writes the documents, but none that changed since it was read, and tells which; a `dry_run` only tells.
///
/// # Errors
/// When one cannot be written: then none was.
pub fn write_changes(mut all: Vec<Rewrite>, dry_run: bool) -> Result<()> {
    all.retain(|one| {
        let same = dry_run || read(&one.path).is_ok_and(|now| now.text == one.before.text);
        if !same {
            say(format_args!("{}: changed while cited was working; it was not written\n", shown(&one.before.path)));
        }
        same
    });
    let files: Vec<(&Path, &[u8])> = all.iter().map(|one| (one.path.as_path(), one.after.as_bytes())).collect();
    if !dry_run {
        write(&files)?;
    }
    let verb = if dry_run { "would be repaired" } else { "repaired" };
    for one in &all {
        say(format_args!("{verb}: {} ({})\n", shown(&one.before.path), one.changes.join(", ")));
    }
    Ok(())
}

/// So many addresses, in words.
pub fn addresses(count: usize) -> String {
    if count == 1 { "1 address".to_owned() } else { format!("{count} addresses") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_folder_names_no_file_of_ours() {
        let error =
            tempfile::NamedTempFile::new_in("/proc/self/no-such-folder").map_err(|error| bare(&error)).unwrap_err();
        assert_eq!((error.kind(), error.to_string().contains("/proc")), (io::ErrorKind::NotFound, false), "{error}");
    }

    fn plan(draft: &str, output: Option<&str>) -> Plan {
        let flags = VerifyFlags { output: output.map(PathBuf::from), ..VerifyFlags::default() };
        Plan::new(Path::new(draft), &flags, None).unwrap()
    }

    #[track_caller]
    fn check(draft: &str, output: Option<&str>, expected: [&str; 3]) {
        let plan = plan(draft, output);
        let files: Vec<_> = plan.files().map(|path| path.to_str().unwrap()).collect();
        assert_eq!(files, expected);
    }

    #[test]
    fn outputs_are_named_after_the_draft() {
        check("out/ai-draft.md", None, ["out/ai-brief.md", "out/ai.record.json", "out/ai.provenance.md"]);
        check("d/notes.md", None, ["d/notes-brief.md", "d/notes.record.json", "d/notes.provenance.md"]);
        check("v1.2", None, ["v1-brief.md", "v1.record.json", "v1.provenance.md"]);
        check("-", None, ["cited.md", "cited.record.json", "cited.provenance.md"]);
        check("notes.md", Some("d/out.md"), ["d/out.md", "d/out.record.json", "d/out.provenance.md"]);
        check("x-draft.md", Some("y-brief.md"), ["y-brief.md", "y.record.json", "y.provenance.md"]);
        assert_eq!(plan("notes.md", Some("-")).files().count(), 0);
        assert_eq!(plan("-", Some("-")).files().count(), 0);
    }

    #[test]
    fn only_a_brief_that_is_as_cited_wrote_it_is_written_over() {
        let root = tempfile::tempdir().unwrap();
        let (draft, brief) = (root.path().join("x-draft.md"), root.path().join("x-brief.md"));
        let check = |expected: Option<&str>| {
            let plan = Plan::new(&draft, &VerifyFlags::default(), None).unwrap();
            let told = plan.spare(false).err().map(|error| error.to_string());
            match expected {
                None => assert_eq!(told, None),
                Some(words) => assert!(told.as_deref().is_some_and(|told| told.contains(words)), "{told:?}"),
            }
            plan.spare(true).unwrap();
        };
        check(None);
        std::fs::write(&brief, "").unwrap();
        check(None);
        std::fs::write(&brief, "mine").unwrap();
        check(Some("no record beside it says that cited wrote it"));
        let record = |schema: &str, text: &str| {
            let record = serde_json::json!({"schema": schema, "brief_sha256": sha256_hex(text.as_bytes())});
            std::fs::write(root.path().join("x.record.json"), record.to_string()).unwrap();
        };
        record("else/1", "mine");
        check(Some("no record beside it says that cited wrote it"));
        record(cited_report::record::SCHEMA, "as it was");
        check(Some("was changed since cited wrote it"));
        record(cited_report::record::SCHEMA, "mine");
        check(None);
    }

    #[test]
    fn files_take_their_place_whole_and_keep_their_permissions() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("brief.md");
        std::fs::write(&path, "old").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            std::fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        }
        write(&[(&path, b"new"), (&root.path().join("side.json"), b"{}")]).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o640);
        }
        assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 2, "no temporary file is left");
    }

    #[cfg(unix)]
    #[test]
    fn a_backup_is_no_easier_to_read_than_the_draft_at_any_moment() {
        use std::os::unix::fs::PermissionsExt as _;
        let root = tempfile::tempdir().unwrap();
        let (draft, backup) = (root.path().join("draft.md"), root.path().join("draft.md.bak"));
        std::fs::write(&draft, "old").unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        for wanted in [0o600, 0o640, 0o666] {
            std::fs::set_permissions(&draft, Permissions::from_mode(wanted)).unwrap();
            let staged = stage(&backup, b"old", Some(&draft)).unwrap();
            assert_eq!(mode(staged.temporary.path()), wanted, "while it is staged");
            drop(staged);
            write_with(&[(&backup, b"old"), (&draft, b"new")], Some((&backup, &draft))).unwrap();
            assert_eq!((mode(&backup), mode(&draft)), (wanted, wanted));
            std::fs::remove_file(&backup).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let root = tempfile::tempdir().unwrap();
        let (real, link) = (root.path().join("real.md"), root.path().join("link.md"));
        std::fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write(&[(&link, b"new")]).unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(std::fs::read(&real).unwrap(), b"new");
    }

    #[test]
    fn nothing_changes_when_one_of_several_cannot_be_written() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("brief.md");
        std::fs::write(&path, "old").unwrap();
        // A file is no folder.
        let error = write(&[(&path, b"new"), (&path.join("side.json"), b"{}")]).unwrap_err();
        assert!(error.to_string().contains("cannot be written"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
    }

    #[test]
    fn backups_never_cover_one_another() {
        let root = tempfile::tempdir().unwrap();
        let draft = root.path().join("draft.md");
        assert_eq!(free_backup(&draft), root.path().join("draft.md.bak"));
        std::fs::write(root.path().join("draft.md.bak"), "").unwrap();
        assert_eq!(free_backup(&draft), root.path().join("draft.md.bak1"));
    }
}
