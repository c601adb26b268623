//! `cited check`: any number of documents, read only, for pipelines.
//!
//! The sources of all are asked, each address that several of them link to once; then each is looked at by itself, on as many threads as
//! there are cores, in an order that never changes.

pub(super) mod files;
mod tree;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::StreamExt as _;

use super::input;
use super::output;
use crate::cli::args::{Check, TalkFlags, is_text};
use crate::cli::settings::{Settings, Typed};
use crate::cli::{Exit, say};
use crate::pipeline::{self, Input, Options, Progress, Scope, Style};
use crate::setup::{Setup, block_on};
use cited_core::check::baseline::{Baseline, Known};
use cited_core::check::page::Page;
use cited_core::check::results::{Results, Skip};
use cited_core::check::structure::{structure, undefined_footnotes};
use cited_core::check::{Item, State, suppression};
use cited_core::citation::{self, KnownLabels};
use cited_core::error::{Error, Result};
use cited_core::finding::{Code, Depth};
use cited_core::markdown::Document;
use cited_core::outcome::Fetched;
use cited_core::shares;
use cited_core::source::research::read_research;
use cited_fetch::asked_once::{AskedOnce, cell_of};
use cited_fetch::{Fetcher, Fetching, Request};
use cited_report::findings::{Checked, Incomplete, Stream};
use cited_report::printers::{Outcome, TEXT, pretty as json};
use cited_report::summary;
use cited_report::wording::{counted, grouped, listed};
use cited_text::{Span, Spans};
use files::Excluded;
use tree::Tree;

/// Documents that are worked on at once: their pages are held in memory, whole where claims are judged by them …
const JUDGED_AT_ONCE: usize = 8;
/// … and else their beginnings.
const ASKED_AT_ONCE: usize = 64;

/// Checks documents.
///
/// # Errors
/// When it could not be done: a path that is not there, settings that cannot be used, a report that cannot be written.
pub fn run(args: Check, settings: &Settings) -> Result<Exit> {
    let Check { talk, support, works, .. } = args;
    let reports = output::reports(&args.report)?;
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
    output::vet(reported.chain(target).chain(settings.record.as_deref()), &paths)?;
    let research = input::research(Path::new(input::STANDARD), &args.research, &[])?;

    let tree = Tree::open(args.paths.iter().map(PathBuf::as_path), settings.check.root_dir.as_deref(), excluded);
    let mut documents = Vec::new();
    for (path, read) in paths.iter().zip(map_all(&paths, |path| input::read_document(path))) {
        match read {
            Ok(document) => documents.push(document),
            Err(error) => {
                let (path, reason) = (path.display().to_string(), error.to_string());
                let reason = reason.strip_prefix(&format!("{path}: ")).map_or(reason.clone(), str::to_owned);
                incomplete.push(Incomplete { file: Some(path), reason });
            }
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
    let outcome = Outcome { stream, ..Outcome::default() };
    show(&outcome)?;
    Ok(match (outcome.stream.falls_short(), outcome.stream.incomplete.is_empty()) {
        (true, _) => Exit::FallsShort,
        (false, false) => Exit::Blocked,
        (false, true) => Exit::Done,
    })
}

/// Says on standard error how the run ended.
fn tell(stream: &Stream) {
    for incomplete in &stream.incomplete {
        let file = incomplete.file.as_ref().map(|file| format!("{file}: ")).unwrap_or_default();
        say(format_args!("not checked: {}\n", summary::shown(&format!("{file}{}", incomplete.reason))));
    }
    say(format_args!("{}\n", stream.counts().in_words()));
    let links = stream.links();
    if links.count_all() == 0 {
        return;
    }
    let s = if links.nowhere == 1 { "s" } else { "" };
    let passed: usize = links.not_looked_at.values().sum();
    let reasons = links.not_looked_at.iter().map(|(why, count)| format!("{} {}", grouped(*count), why.in_words()));
    let reasons = reasons.collect::<Vec<_>>().join(", ");
    let told = listed([
        (1, format!("{} good", grouped(links.good))),
        (links.nowhere, format!("{} lead{s} nowhere", grouped(links.nowhere))),
        (passed, format!("{} not looked at ({reasons})", grouped(passed))),
    ]);
    let (all, files) = (counted(links.count_all(), "link"), counted(stream.documents.len(), "file"));
    say(format_args!("{all} in {files}: {told}\n"));
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
            // Where a source could not be asked, what sources show was not looked for: its being found no more proves nothing.
            let is_unasked = |item: &Item| matches!(item.finding.code, Code::UncheckedSource | Code::RefusedAddress);
            let in_part = one.links.not_looked_at.contains_key(&Skip::Unreachable) || one.items.iter().any(is_unasked);
            depths.insert(file, if in_part { Depth::Structure } else { depth });
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

/// What is looked for in every document, and with what.
struct Search<'a> {
    /// What steers it.
    settings: &'a Settings,
    /// What it says while it asks.
    talk: &'a TalkFlags,
    /// The research files, which give labels and addresses a meaning.
    research: &'a [Input],
    /// What links lead to.
    tree: Tree,
    /// Whether it is judged what sources say.
    support: bool,
    /// Whether works are looked up.
    works: bool,
}

impl Search<'_> {
    /// How deep it looks.
    fn depth(&self) -> Depth {
        match (self.support, self.settings.check.online || self.works) {
            (true, _) => Depth::Support,
            (false, true) => Depth::Sources,
            (false, false) => Depth::Structure,
        }
    }

    /// What is found in each document, and what could not be checked.
    ///
    /// # Errors
    /// When a research file is broken, or the settings cannot be used.
    fn look(&self, documents: Vec<Input>) -> Result<(Vec<Checked>, Vec<Incomplete>)> {
        let mut known = KnownLabels::default();
        for file in self.research {
            let file = read_research(&file.path, &file.text);
            pipeline::refuse_broken(&file)?;
            known.add_file(&file.entries, "");
        }
        let asks = self.depth() > Depth::Structure;
        let (mut asked, incomplete) = if asks { self.ask(&documents)? } else { Default::default() };
        asked.resize_with(documents.len(), Results::default);
        let each: Vec<(Input, Results)> = documents.into_iter().zip(asked).collect();
        Ok((map_all(&each, |(document, asked)| self.examine(document, asked, &known)), incomplete))
    }

    /// What the sources and links of each document show; and what could not be checked.
    fn ask(&self, documents: &[Input]) -> Result<(Vec<Results>, Vec<Incomplete>)> {
        let setup = Setup::asking(self.settings, self.talk)?;
        let excluded = self.tree.excluded.clone();
        let options = Options {
            style: Style::Keep,
            works: if self.works { Scope::On } else { Scope::Off },
            support: self.support,
            every_link: true,
            wants: Arc::new(move |address| !excluded.has_link(address)),
            ..setup.options.clone()
        };
        let progress = |step: Progress<'_>| {
            // One document may be judged while others still wait for their sources.
            if matches!(step, Progress::Fetching(_) | Progress::Fetched(_)) {
                setup.reporter.note(step);
            }
        };
        let once = Once { fetcher: &setup, links: AskedOnce::default() };
        let (once, options, progress) = (&once, &options, &progress);
        let checked = block_on(async {
            let each = futures_util::stream::iter(documents.iter().enumerate()).map(|(i, document)| async move {
                (i, pipeline::check(document, self.research, once, options, progress).await)
            });
            let at_once = if self.support { JUDGED_AT_ONCE } else { ASKED_AT_ONCE };
            Ok(each.buffer_unordered(at_once).collect::<Vec<_>>().await)
        });
        setup.finish()?;
        let mut checked = checked?;
        checked.sort_by_key(|(i, _)| *i);
        // A fault of the network is everybody's and said once.
        let down = setup.down();
        let fault = down.clone().or_else(|| setup.network.fault());
        let (mut told, mut incomplete) = (Vec::with_capacity(checked.len()), Vec::new());
        incomplete.extend(fault.iter().map(|reason| Incomplete { file: None, reason: reason.clone() }));
        for (i, mut one) in checked {
            // Without a network there is one thing to tell, and not one a source.
            one.results.keep(|code| {
                let unchecked = [Code::UncheckedSource, Code::UncheckedLink].contains(&code);
                code.depth() > Depth::Structure && !(down.is_some() && unchecked)
            });
            let own = one.blocked.filter(|_| fault.is_none());
            incomplete.extend(own.map(|reason| Incomplete { file: Some(documents[i].path.clone()), reason }));
            told.push(one.results);
        }
        Ok((told, incomplete))
    }

    /// Looks at one document. `asked` is what was found with the help of its sources and links.
    fn examine(&self, input: &Input, asked: &Results, known: &KnownLabels) -> Checked {
        let Input { path, text } = input;
        let document = Document::read(Arc::clone(text));
        let citations = citation::read(&document, known);
        let mut findings = structure(&citations);
        let footnotes = undefined_footnotes(&document, &citations);
        // What nothing defines is told once, as what it is written as.
        let told: Spans = footnotes.iter().filter_map(|finding| finding.span).collect();
        let is_told = |span: Span| told.overlap(span);
        findings.retain(|finding| finding.code != Code::OrphanCitation || !finding.span.is_some_and(is_told));
        findings.extend(footnotes);
        // What a template or the site makes an address of has one.
        let is_made = |span: Span| {
            let own = span.slice(text);
            own.contains("{{")
                || own.contains("{%")
                || document.links_in(span).iter().any(|link| !link.address.is_empty())
        };
        let of_made = [Code::NoAddress, Code::NumberingGap, Code::OrphanCitation];
        findings.retain(|finding| !of_made.contains(&finding.code) || !finding.span.is_some_and(is_made));
        let page = Page::read(text, &self.tree.dialect(path));
        let (of_links, mut links) = self.tree.targets(path, &page);
        findings.extend(of_links);
        let (deeper, asked, answered) = asked.clone().into_parts();
        links.answered(&answered);
        findings.extend(deeper);
        for finding in &mut findings {
            let own = self.settings.severity.iter().rfind(|(code, _)| *code == finding.code);
            finding.severity = own.map_or(finding.severity, |(_, severity)| *severity);
        }
        let (suppressions, wrong) = suppression::read(&document);
        findings.extend(wrong);
        findings.sort_by(|a, b| (&a.file, a.span, a.code, &a.message).cmp(&(&b.file, b.span, b.code, &b.message)));
        let mut checked = Checked { asked, links, ..Checked::new(input.clone(), self.research, &findings) };
        for item in &mut checked.items {
            if let Some(allowed) = suppressions.iter().find(|one| one.allows(&item.finding)) {
                item.state = State::Suppressed(allowed.reason.clone());
            }
        }
        if checked.items.is_empty() {
            checked.document.text = Arc::default();
        }
        checked
    }
}

/// `work` done on each of `inputs`, in their order, on all cores.
pub fn map_all<T: Sync, R: Send>(inputs: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(inputs.len());
    shares::run_each(inputs.len(), cores, |i| work(&inputs[i]))
}

/// A fetcher that asks an address for which nothing is claimed only once: the links of many documents are alike.
struct Once<'a> {
    fetcher: &'a dyn Fetcher,
    links: AskedOnce<Fetched>,
}

impl Fetcher for Once<'_> {
    fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a> {
        let is_link =
            request.claims.is_empty() && request.titles.is_empty() && request.accessed.is_none() && !request.in_company;
        if !is_link {
            return self.fetcher.fetch(request);
        }
        Box::pin(async move {
            let cell = cell_of(&self.links, request.addresses.join(" ")).await;
            let ask = || async {
                let fetched = self.fetcher.fetch(request).await;
                // What a link leads to is of interest, not what stands there, unless it leads to a place there.
                let has_place = request.addresses.iter().any(|address| address.contains('#'));
                Fetched { page: fetched.page.filter(|_| has_place), ..fetched }
            };
            cell.get_or_init(ask).await.clone()
        })
    }

    fn inner(&self) -> Option<&dyn Fetcher> {
        Some(self.fetcher)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_their_inputs() {
        let inputs: Vec<usize> = (0..1000).collect();
        let doubled = map_all(&inputs, |i| i * 2);
        assert!(doubled.iter().enumerate().all(|(i, two)| i * 2 == *two));
        assert!(map_all(&[], |i: &u8| *i).is_empty());
    }
}
