//! `cited check`: any number of documents, read only, for pipelines.

pub(super) mod files;
pub(super) mod search;
mod tree;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::input;
use super::output;
use crate::cli::args::{Check, TalkFlags, is_text};
use crate::cli::settings::{Settings, Typed};
use crate::cli::{Exit, say};
use crate::pipeline::Input;
use cited_core::check::baseline::{Baseline, Known};
use cited_core::check::targets::{Skip, Tally};
use cited_core::check::{Item, State};
use cited_core::error::{Error, Result};
use cited_core::finding::{Code, Depth};
use cited_report::findings::{Checked, Incomplete, Stream};
use cited_report::printers::json::pretty as json;
use cited_report::printers::{Outcome, TEXT};
use cited_report::summary;
use cited_report::wording::{counted, grouped, listed};
use files::Excluded;
use search::{Search, map_all};
use tree::Tree;

/// Checks documents.
///
/// # Errors
/// When it could not be done: a path that is not there, settings that cannot be used, a report that cannot be written.
pub fn run(args: Check, settings: &Settings) -> Result<Exit> {
    let Check { talk, support, works, .. } = args;
    let reports = output::reports(&args.report, false)?;
    let excluded = Excluded::new(&settings.check.exclude, &settings.check.exclude_links)?;
    let (mut paths, mut incomplete) = files::find(&args.paths, |_| false)?;
    let is_found = !paths.is_empty();
    paths.retain(|path| args.paths.contains(path) || !excluded.has_file(path));
    if is_found && paths.is_empty() {
        // Nothing passes unseen.
        return Err(Error::input("every document is excluded; look at --exclude and `exclude` in cited.toml"));
    }
    let baseline = BaselineFile::open(settings.check.baseline.as_deref(), args.write_baseline)?;
    let target = baseline.as_ref().filter(|_| args.write_baseline).map(|baseline| baseline.path);
    let reported = reports.iter().map(|(_, path)| path.as_path());
    output::vet(reported.chain(target).chain(settings.network.record.as_deref()), &paths)?;
    let research = input::research(Path::new(input::STANDARD), &args.research, &[])?;

    let tree = Tree::open(args.paths.iter().map(PathBuf::as_path), settings.check.root_dir.as_deref(), excluded);
    let mut documents = Vec::new();
    for (path, read) in paths.iter().zip(map_all(&paths, |path| input::read_document(path))) {
        match read {
            Ok(document) => documents.push(document),
            Err(error) => incomplete.push(not_read(path, &error)),
        }
    }
    let search = Search { settings, talk: &talk, research: &research, tree, support, works };
    let (mut examined, missed) = search.look(documents)?;
    incomplete.extend(missed);

    // What was not asked is neither there nor gone: a baseline of it would hide the one and forget the other.
    let writes = incomplete.is_empty();
    if let Some(baseline) = baseline.as_ref().filter(|_| writes && args.write_baseline) {
        baseline.write(&examined, search.depth())?;
        // What is written down does not fail the run that writes it.
        let found = examined.iter_mut().flat_map(|one| &mut one.items);
        found.filter(|item| item.state == State::New).for_each(|item| item.state = State::Known);
    }
    conclude(&search, (examined, incomplete), baseline.as_ref(), |outcome| {
        output::write_reports(&reports, outcome)?;
        if !talk.quiet || !is_text(settings.format) {
            output::print(&(settings.format.print)(outcome, talk.verbose)?)?;
        }
        if let Some(path) = target.filter(|_| !talk.quiet) {
            let path = path.display();
            if writes {
                say(format_args!("wrote {path}\n"));
            } else {
                say(format_args!("{path}: not written: checking could not be completed\n"));
            }
        }
        if !talk.quiet {
            tell(&outcome.stream);
        }
        Ok(())
    })
}

/// Checks the chapters of a book that lies in `root`, with `support` also what its sources say; tells of findings on standard error, as standard output takes the book.
///
/// # Errors
/// When settings or the baseline cannot be used.
pub fn book(chapters: Vec<Input>, root: &Path, support: bool) -> Result<Exit> {
    let settings = Settings::resolve(&Typed::default(), root)?;
    let excluded = Excluded::new(&settings.check.exclude, &settings.check.exclude_links)?;
    let baseline = BaselineFile::open(settings.check.baseline.as_deref(), false)?;
    let tree = Tree::of_book(root, &chapters, excluded);
    let talk = &TalkFlags::default();
    let search = Search { settings: &settings, talk, research: &[], tree, support, works: false };
    conclude(&search, search.look(chapters)?, baseline.as_ref(), |outcome| {
        say(format_args!("{}", (TEXT.print)(outcome, false)?));
        tell(&outcome.stream);
        Ok(())
    })
}

/// Shows what was found, and what could not be looked at, beside what was known, and says how that ends.
fn conclude(
    search: &Search<'_>,
    (mut documents, incomplete): (Vec<Checked>, Vec<Incomplete>),
    baseline: Option<&BaselineFile<'_>>,
    show: impl FnOnce(&Outcome<'_>) -> Result<()>,
) -> Result<Exit> {
    if let Some(file) = baseline {
        documents.iter_mut().for_each(|one| file.baseline.mark(&file.name(&one.document.path), &mut one.items));
    }
    let (fail_on, fail_on_codes) = search.settings.check.fails();
    let (depth, with_baseline) = (search.depth(), baseline.is_some());
    let stream = Stream { documents, depth, incomplete, with_baseline, fail_on, fail_on_codes };
    let outcome = Outcome { stream, run: None, own: None };
    show(&outcome)?;
    Ok(match (outcome.stream.falls_short(), outcome.stream.incomplete.is_empty()) {
        (true, _) => Exit::FallsShort,
        (false, false) => Exit::Blocked,
        (false, true) => Exit::Done,
    })
}

/// A document that could not be read.
fn not_read(path: &Path, error: &Error) -> Incomplete {
    let (path, reason) = (path.display().to_string(), error.to_string());
    let reason = reason.strip_prefix(&format!("{path}: ")).map_or(reason.clone(), str::to_owned);
    Incomplete { file: Some(path), reason }
}

/// Says on standard error how the run ended.
fn tell(stream: &Stream) {
    for incomplete in &stream.incomplete {
        let file = incomplete.file.as_ref().map(|file| format!("{file}: ")).unwrap_or_default();
        say(format_args!("not checked: {}\n", summary::shown(&format!("{file}{}", incomplete.reason))));
    }
    say(format_args!("{}\n", stream.counts().in_words()));
    let links = stream.links();
    if links.count_all() > 0 {
        say(format_args!("{}\n", links_in_words(&links, stream.documents.len())));
    }
}

/// The links of a run in words, in numbers that add up.
fn links_in_words(links: &Tally, files: usize) -> String {
    let s = if links.nowhere == 1 { "s" } else { "" };
    let passed: usize = links.not_looked_at.values().sum();
    let reasons = links.not_looked_at.iter().map(|(why, count)| format!("{} {}", grouped(*count), why.in_words()));
    let reasons = reasons.collect::<Vec<_>>().join(", ");
    let told = listed([
        (1, format!("{} good", grouped(links.good))),
        (links.nowhere, format!("{} lead{s} nowhere", grouped(links.nowhere))),
        (passed, format!("{} not looked at ({reasons})", grouped(passed))),
    ]);
    format!("{} in {}: {told}", counted(links.count_all(), "link"), counted(files, "file"))
}

/// How deep a document was looked at. Where a source could not be asked, what sources show was not looked for: its being
/// found no more proves nothing.
fn asked_to(one: &Checked, depth: Depth) -> Depth {
    let is_unasked = |item: &Item| matches!(item.finding.code, Code::UncheckedSource | Code::RefusedAddress);
    let in_part = one.links.not_looked_at.contains_key(&Skip::Unreachable) || one.items.iter().any(is_unasked);
    if in_part { Depth::Structure } else { depth }
}

/// The baseline of a run, and where paths in it start from.
struct BaselineFile<'a> {
    path: &'a Path,
    baseline: Baseline,
}

impl<'a> BaselineFile<'a> {
    fn open(path: Option<&'a Path>, writes: bool) -> Result<Option<BaselineFile<'a>>> {
        let Some(path) = path else {
            let unnamed = || Error::usage("--write-baseline needs to know the file; name it with --baseline FILE");
            return (!writes).then_some(None).ok_or_else(unnamed);
        };
        let wrong = |why: String| Error::input(format!("{}: {why}", path.display()));
        let baseline = match std::fs::read_to_string(path) {
            Ok(text) => Baseline::read(&text)
                .map_err(|why| wrong(format!("is no baseline of cited: {why}; name another file")))?,
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(Error::read(path, error)),
            Err(_) if writes => Baseline::new(Vec::new()),
            Err(_) => return Err(wrong("there is no such baseline; write it first with --write-baseline".to_owned())),
        };
        Ok(Some(BaselineFile { path, baseline }))
    }

    /// How the baseline names a file: from its own folder, so that neither the working folder nor the place of a clone makes a
    /// difference.
    fn name(&self, file: &str) -> String {
        if file == input::STANDARD {
            return file.to_owned();
        }
        let folder = output::real_folder(self.path);
        // The file may be gone, or be a link: its folder says where it is.
        let own = output::real_folder(Path::new(file)).join(Path::new(file).file_name().unwrap_or_default());
        let shared = folder.components().zip(own.components()).take_while(|(a, b)| a == b).count();
        let up = folder.components().skip(shared).map(|_| "..".to_owned());
        let down = own.components().skip(shared).map(|part| part.as_os_str().to_string_lossy().into_owned());
        up.chain(down).collect::<Vec<_>>().join("/")
    }

    /// Writes what was found, and what was known and not looked for this time.
    fn write(&self, examined: &[Checked], depth: Depth) -> Result<()> {
        let (mut found, mut depths): (Vec<Known>, _) = (Vec::new(), HashMap::new());
        for one in examined {
            let file = self.name(&one.document.path);
            let counted = one.items.iter().filter(|item| !matches!(item.state, State::Suppressed(_)));
            found.extend(counted.map(|item| Known {
                file: file.clone(),
                fingerprint: item.fingerprint.clone(),
                code: item.finding.code.as_str().to_owned(),
                message: cited_text::escape::plain(&item.finding.message).into_owned(),
            }));
            depths.insert(file, asked_to(one, depth));
        }
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let kept = self.baseline.findings.iter().filter(|known| {
            let Some(asked) = depths.get(&known.file) else { return folder.join(&known.file).exists() };
            let not_looked_for = Code::parse(&known.code).is_some_and(|code| code.depth() > *asked);
            // What was looked for in part was found or not.
            let is_it = |one: &Known| one.file == known.file && one.fingerprint == known.fingerprint;
            not_looked_for && !found.iter().any(is_it)
        });
        let kept: Vec<Known> = kept.cloned().collect();
        found.extend(kept);
        output::write(&[(self.path, json(&Baseline::new(found))?.as_bytes())])
    }
}
