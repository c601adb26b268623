//! What a tool is, what its calls work with, and how one runs: from typed input to typed output on a thread of its own, with its
//! progress, its cancellation, a place among those that run at once, and a limit of time. What every call works with is made once
//! from the settings of whoever runs the service.

use std::path::{Component, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use http::StatusCode;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::cli::args::ServiceFlags;
use crate::cli::settings::Settings;
use crate::commands::input::{self, folder, inside};
use crate::pipeline::{Options, Progress};
use crate::serve::problem::{Problem, Result};
use crate::setup::lent::{self, Lent};
use crate::setup::{self, SILENT, Setup};
use cited_core::error::{self, Error};
use cited_core::input::Input;
use cited_core::shape;
pub use cited_core::shape::output_schema;
use cited_core::shape::schema;
use cited_report::wording::cut;

/// What a tool gives: a short text for a model and the structure for programs.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// A few lines.
    pub text: String,
    /// A value of the tool's output schema.
    pub value: Value,
}

/// One tool.
pub struct Tool {
    /// The name that it is called by.
    pub name: &'static str,
    /// What it does and when to use it.
    pub description: String,
    /// Whether it changes nothing outside, as a hint for whoever lets it be called.
    pub read_only: bool,
    /// Whether it asks the web, as another.
    pub open_world: bool,
    /// The schema of its arguments.
    pub input: Schema,
    /// The schema of what it gives.
    pub output: Schema,
    /// Does it. Blocks its thread; [`call()`] gives it one.
    pub run: Box<Run>,
}

/// From arguments as they came to an answer.
type Run = dyn Fn(&Context, Value, &Call) -> Result<Answer> + Send + Sync;

impl Answer {
    /// The text, as a terminal shows it, and the value.
    pub(super) fn new(text: &str, value: &impl Serialize) -> Result<Answer> {
        let value = serde_json::to_value(value).map_err(Error::defect)?;
        Ok(Answer { text: anstream::adapter::strip_str(text).to_string(), value })
    }
}

impl Tool {
    /// A tool that takes an `I`, whose documentation says what the tool is for, and gives an `O`. It asks the web and changes nothing.
    pub(super) fn new<I: DeserializeOwned + JsonSchema + 'static, O: JsonSchema>(
        name: &'static str,
        run: fn(&Context, &I, &Call) -> Result<Answer>,
    ) -> Tool {
        let typed = move |context: &Context, arguments: Value, call: &Call| {
            let unfit = |why| Problem::arguments(format!("the arguments do not fit: {why}"));
            run(context, &shape::read::<I>(&arguments).map_err(unfit)?, call)
        };
        let (mut input, output, run) = (schema::<I>(), output_schema::<O>(), Box::new(typed));
        let words = input.remove("description").unwrap_or_default();
        let description = words.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        Tool { name, description, read_only: true, open_world: true, input, output, run }
    }
}

/// A line of a text for a model: without controls, on one line, cut.
pub(super) fn line(text: &str) -> String {
    const LONGEST: usize = 300;
    cut(text, LONGEST)
}

/// How far a call has come.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What is done, in steps. It only grows.
    pub done: usize,
    /// What is going on.
    pub message: String,
}

/// Who is told how far a call has come.
pub type StepListener = Arc<dyn Fn(Step) + Send + Sync>;

/// What a tool knows of its call beside the arguments.
#[derive(Default)]
pub struct Call {
    /// Ends the call.
    pub cancelled: CancellationToken,
    /// Whether it waits for its turn for as long as it takes, as a job does.
    pub is_patient: bool,
    /// Who is told of its steps.
    pub listener: Option<StepListener>,
    /// The last of them.
    pub last: Mutex<Step>,
}

impl Call {
    /// One step more is done.
    pub fn step(&self, message: impl Into<String>) {
        // It is told while it is held, so that nobody hears of a later step first.
        let mut step = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *step = Step { done: step.done + 1, message: message.into() };
        self.listener.iter().for_each(|listener| listener(step.clone()));
    }

    /// Takes note of a step of the pipeline.
    pub fn note(&self, progress: Progress<'_>) {
        match progress {
            Progress::Fetching(_) => {}
            Progress::Fetched(fetched) => self.step(format!("{}: {}", fetched.in_words(), fetched.address)),
            Progress::Stage(words) => self.step(words),
        }
    }

    /// Fails once the call is cancelled.
    pub fn alive(&self) -> Result<()> {
        if self.cancelled.is_cancelled() { Err(Problem::cancelled()) } else { Ok(()) }
    }

    /// Waits for work that asks the web, until the call is cancelled: then nothing more is asked.
    pub fn wait<T>(&self, work: impl Future<Output = T>) -> Result<T> {
        let waited = setup::block_on(async { Ok(self.cancelled.run_until_cancelled(work).await) });
        waited?.ok_or_else(Problem::cancelled)
    }
}

/// Runs a tool on a thread of its own and waits for it, within the limits of `context`. A call that is cancelled or takes too
/// long is answered at once; its thread ends when it next looks, and holds its place until then.
pub async fn call(context: Arc<Context>, tool: &'static Tool, arguments: Value, call: Call) -> Result<Answer> {
    let (token, limit) = (call.cancelled.clone(), context.flags.call_timeout);
    let place = token.run_until_cancelled(context.acquire_permit(call.is_patient)).await;
    let place = place.unwrap_or_else(|| Err(Problem::cancelled()))?;
    // Whoever waits no longer, a client that hung up for one, does not leave the work running.
    let _guard = token.clone().drop_guard();
    let work = tokio::task::spawn_blocking(move || {
        let _place = place;
        (tool.run)(&context, arguments, &call)
    });
    tokio::select! {
        biased;
        () = token.cancelled() => Err(Problem::cancelled()),
        done = work => done.unwrap_or_else(|cause| {
            let why = if cause.is_panic() { "a panic" } else { "the service is ending" };
            let message = format!("cited broke off: {why}; this is a fault of cited, please report it with the arguments");
            Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, message))
        }),
        () = tokio::time::sleep(limit) => {
            let message = format!("not done after {} s, which is the limit here; ask for less at once", limit.as_secs());
            Err(Problem::new(StatusCode::GATEWAY_TIMEOUT, message))
        }
    }
}

/// Bytes of one text that is given or read.
const LONGEST_TEXT: usize = 8 << 20;
/// Sources, references or addresses in one call.
pub(super) const MOST_SOURCES: usize = 1000;

/// What every call of a tool works with.
pub struct Context {
    /// What counts unless a call says otherwise.
    pub(super) settings: Settings,
    /// Holds the judge, which is made once, and the options of a call that asks nobody.
    pub(super) judging: Setup,
    /// The folders that files may lie in.
    pub(super) roots: Roots,
    /// The search of the service, when it has one.
    pub(super) search: Option<Lent>,
    /// What calls may cost.
    pub(super) flags: ServiceFlags,
    places: Arc<Semaphore>,
    /// For the calls that run and those that may wait.
    seats: Arc<Semaphore>,
}

/// A place among the calls that run at once, and a seat among those that run or wait; dropping it gives both back.
pub type CallPermit = (OwnedSemaphorePermit, OwnedSemaphorePermit);

impl Context {
    /// What calls work with by these settings. Files are read and written inside the roots of `flags` alone.
    ///
    /// # Errors
    /// When a folder, the judge, a certificate or a bundle cannot be used.
    pub fn new(flags: ServiceFlags, settings: Settings) -> error::Result<Context> {
        let roots = Roots(flags.root.iter().map(|path| folder("--root", path)).collect::<error::Result<_>>()?);
        let judging = Setup::judging(&settings, &SILENT)?;
        let search = settings.search.as_deref().map(|named| Lent::open(lent::SEARCH, named, &settings)).transpose()?;
        let places = Arc::new(Semaphore::new(flags.at_once));
        let seats = Arc::new(Semaphore::new(flags.at_once + flags.queue));
        Ok(Context { settings, judging, roots, search, flags, places, seats })
    }

    /// The way to the sources for one call: what one call sees of hosts is no other call's business.
    pub(super) fn asking(&self) -> error::Result<Setup> {
        Setup::asking(&self.settings, &SILENT)
    }

    /// The options of a call that asks through `setup`.
    pub(super) fn options(&self, setup: &Setup) -> Options {
        let (now, indexes) = (setup.options.now, setup.options.indexes.clone());
        Options { indexes, now, ..self.judging.options.clone() }
    }

    /// How many calls run now, and how many wait.
    pub fn load(&self) -> (usize, usize) {
        let running = self.flags.at_once - self.places.available_permits();
        let seated = self.flags.at_once + self.flags.queue - self.seats.available_permits();
        (running, seated.saturating_sub(running))
    }

    /// Waits for a place among the calls that run at once; unless it `is_patient` only while few others wait.
    pub(super) async fn acquire_permit(&self, is_patient: bool) -> Result<CallPermit> {
        let seats = Arc::clone(&self.seats);
        let seat = if is_patient { seats.acquire_owned().await.ok() } else { seats.try_acquire_owned().ok() };
        let busy = || Problem::busy(format!("{} calls wait already; try again in a few seconds", self.flags.queue));
        let seat = seat.ok_or_else(busy)?;
        let place = Arc::clone(&self.places).acquire_owned().await;
        place.map(|place| (place, seat)).map_err(|_| Problem::busy("the service is ending"))
    }

    /// The text of a file that a client names, and where that is.
    pub(super) fn read_file(&self, path: &str) -> Result<(Input, PathBuf)> {
        let file = self.roots.file(path)?;
        let text = input::read(&file)?.text;
        Context::fits(path, &text)?;
        Ok((Input { path: path.to_owned(), text }, file))
    }

    /// Refuses a text that is too long.
    pub(super) fn fits(name: &str, text: &str) -> Result<()> {
        Self::limit_length(name, text.len(), LONGEST_TEXT)
    }

    /// Refuses a text of more bytes, or a list of more entries.
    pub(super) fn limit_length(name: &str, length: usize, most: usize) -> Result<()> {
        let too_long = || Problem::arguments(format!("`{name}` has a length of {length}; at most {most} is taken"));
        (length <= most).then_some(()).ok_or_else(too_long)
    }
}

/// Folders that were opened with `--root`; none means that no file is read or written. No `..`, no link and no absolute path leads out of them.
#[derive(Debug, Clone, Default)]
pub struct Roots(Vec<PathBuf>);

impl Roots {
    /// The file that a client may read by this name.
    pub(super) fn file(&self, path: &str) -> Result<PathBuf> {
        // Where it leads is asked, and the answer is what is opened. A path outside is told nothing about, not even whether it is there.
        let real = self.resolve(path, |root| inside(root, path))?;
        if real.is_file() { Ok(real) } else { Err(Problem::arguments(format!("{path}: is no file"))) }
    }

    /// The place that a client may write to by this name: a new file, or one that is there, in a folder that is there.
    pub(super) fn resolve_writable(&self, path: &str) -> Result<PathBuf> {
        // A relative path may be meant from any of the folders; one that is whole stays as it is.
        let place = self.resolve(path, |root| {
            let candidate = root.join(path);
            let Some(Component::Normal(name)) = candidate.components().next_back() else { return None };
            Some(inside(root, candidate.parent()?)?.join(name))
        })?;
        // A link would be written through, wherever it leads.
        match place.symlink_metadata() {
            Ok(metadata) if !metadata.is_file() => {
                Err(Problem::forbidden(format!("{path}: is there and is no plain file; name another place")))
            }
            _ => Ok(place),
        }
    }

    /// What a path is in the first folder that has a place for it.
    fn resolve(&self, path: &str, place: impl Fn(&PathBuf) -> Option<PathBuf>) -> Result<PathBuf> {
        if self.0.is_empty() {
            return Err(Problem::forbidden(format!(
                "{path}: no folder is open to clients here; give the text itself, or start cited with --root DIR"
            )));
        }
        if path.is_empty() || path.contains('\0') {
            return Err(Problem::arguments("a path is empty or holds a zero character"));
        }
        self.0.iter().find_map(place).ok_or_else(|| {
            let open: Vec<String> = self.0.iter().map(|folder| folder.display().to_string()).collect();
            Problem::forbidden(format!(
                "{path}: is not there, or is outside the folders that are open to clients ({})",
                open.join(", ")
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn nothing_leads_out_of_the_roots() {
        let place = tempfile::tempdir().unwrap();
        let base = place.path().canonicalize().unwrap();
        let root = base.join("open");
        std::fs::create_dir_all(root.join("sub")).unwrap();
        std::fs::write(root.join("sub/draft.md"), "text").unwrap();
        std::fs::write(base.join("secret.md"), "secret").unwrap();
        std::os::unix::fs::symlink(base.join("secret.md"), root.join("link.md")).unwrap();
        std::os::unix::fs::symlink(&base, root.join("up")).unwrap();
        std::fs::create_dir(base.join("open-not")).unwrap();
        std::fs::write(base.join("open-not/x.md"), "secret").unwrap();
        let roots = Roots(vec![root.clone()]);
        let absolute = |name: &str| base.join(name).display().to_string();
        assert_eq!(roots.file("sub/draft.md").unwrap(), root.join("sub/draft.md"));
        assert_eq!(roots.file(&absolute("open/sub/draft.md")).unwrap(), root.join("sub/draft.md"));
        assert_eq!(roots.file("sub/../sub/draft.md").unwrap(), root.join("sub/draft.md"));
        let escapes =
            ["../secret.md", "link.md", "up/secret.md", "sub/../../secret.md", "nowhere.md", "../open-not/x.md"];
        let outside = [absolute("secret.md"), absolute("open-not/x.md"), "/etc/passwd".to_owned()];
        for path in escapes.into_iter().map(str::to_owned).chain(outside) {
            let failure = roots.file(&path).unwrap_err();
            assert_eq!(failure.status, 403, "{path}");
        }
        for (path, allowed) in [
            ("new.md", true),
            ("sub/new.md", true),
            ("../new.md", false),
            ("link.md", false),
            ("up/new.md", false),
            ("sub", false),
            ("nowhere/new.md", false),
            ("sub/..", false),
        ] {
            assert_eq!(roots.resolve_writable(path).is_ok(), allowed, "{path}");
        }
        assert_eq!(roots.file("sub").unwrap_err().status, 422);
        let none = Roots::default().file("sub/draft.md").unwrap_err();
        assert!(none.message.contains("--root"), "{none:?}");
    }
}
