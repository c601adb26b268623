//! One call of a tool: its progress, its cancellation, the folders that its client stays in.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio_util::sync::CancellationToken;

use super::failure::Failure;
use crate::pipeline::Progress;
use crate::setup;

/// How far a call has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What is done, in steps. It only grows.
    pub done: usize,
    /// How many steps there are, as far as is known.
    pub total: Option<usize>,
    /// What is going on.
    pub message: String,
}

/// Who is told how far a call has come.
pub type StepListener = Arc<dyn Fn(Step) + Send + Sync>;

/// What a tool knows of its call beside the arguments.
pub struct Call {
    /// Ends the call.
    pub cancelled: CancellationToken,
    /// Whether it waits for its turn for as long as it takes, as a job does.
    pub is_patient: bool,
    listener: StepListener,
    /// Steps that are known of; none yet while it is zero.
    total: AtomicUsize,
    done: AtomicUsize,
}

impl Default for Call {
    fn default() -> Self {
        Call::new(CancellationToken::new(), Arc::new(|_| {}))
    }
}

impl Call {
    /// A call that `cancelled` ends and that tells `told` of its steps.
    pub fn new(cancelled: CancellationToken, told: StepListener) -> Self {
        Call { cancelled, is_patient: false, listener: told, total: AtomicUsize::new(0), done: AtomicUsize::new(0) }
    }

    /// So many more steps are to be done.
    pub fn expect(&self, more: usize) {
        self.total.fetch_add(more, Ordering::Relaxed);
    }

    /// One step more is done.
    pub fn step(&self, message: impl Into<String>) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let total = Some(self.total.load(Ordering::Relaxed)).filter(|total| *total > 0);
        (self.listener)(Step { done, total: total.map(|total| total.max(done)), message: message.into() });
    }

    /// Takes note of a step of the pipeline.
    pub fn note(&self, progress: Progress<'_>) {
        match progress {
            Progress::Fetching(sources) => self.expect(sources),
            Progress::Fetched(fetched) => self.step(format!("{}: {}", fetched.in_words(), fetched.address)),
            Progress::Judging(claims) => self.step(format!("judging {claims} claims")),
            Progress::Writing => self.step("writing"),
            Progress::Checking => self.step("checking the brief"),
            Progress::Reporting => self.step("writing the record"),
        }
    }

    /// Fails once the call is cancelled.
    pub fn alive(&self) -> std::result::Result<(), Failure> {
        if self.cancelled.is_cancelled() { Err(Failure::cancelled()) } else { Ok(()) }
    }

    /// Waits for work that asks the web, until the call is cancelled: then nothing more is asked.
    pub fn wait<T>(&self, work: impl Future<Output = T>) -> std::result::Result<T, Failure> {
        let waited = setup::block_on(async { Ok(self.cancelled.run_until_cancelled(work).await) });
        self.alive()?;
        waited?.ok_or_else(Failure::cancelled)
    }
}
