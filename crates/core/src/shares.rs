//! Work on a large document, shared out among the processors.

use std::ops::Range;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;

/// Bytes of text for which another thread is worth starting: some milliseconds of work.
const WORTH_A_THREAD: usize = 256 * 1024;

/// More threads than this gain little: what is left is done by one.
const MOST_THREADS: usize = 8;

/// The stack of a thread: as large as that of a program, for documents that nest deeply.
const STACK: usize = 8 << 20;

/// How many threads run at once on this machine. Asked once: the answer is read from files.
static CORES: LazyLock<usize> =
    LazyLock::new(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get));

/// On how many threads work on a text of so many bytes is shared out.
pub fn threads_for(bytes: usize) -> usize {
    let worth = (bytes / WORTH_A_THREAD).min(MOST_THREADS);
    worth.min(*CORES)
}

/// Has `work` done on the numbers below `count`, in as many runs of the same length as there are `threads`, all but the first
/// on threads of their own; gives what each run made, in order.
///
/// A panic of a thread goes on here. Without a thread its run is worked on here.
pub fn each_run<R: Send>(count: usize, threads: usize, work: impl Fn(Range<usize>) -> R + Sync) -> Vec<R> {
    let threads = threads.max(1);
    let run = |i: usize| count * i / threads..count * (i + 1) / threads;
    let work = &work;
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads)
            .map(|i| (i, std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || work(run(i)))))
            .collect();
        let mut made = Vec::with_capacity(threads);
        made.push(work(run(0)));
        made.extend(others.into_iter().map(|(i, thread)| join_thread(thread).unwrap_or_else(|| work(run(i)))));
        made
    })
}

/// Has `work` done on each number below `count`, on so many threads: whoever is done takes the next. Gives what each made, in order.
pub fn run_each<R: Send>(count: usize, threads: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|i| *i < count);
    let runs =
        each_run(threads, threads, |_| std::iter::from_fn(take).map(|i| (i, work(i))).collect::<Vec<(usize, R)>>());
    let mut made: Vec<(usize, R)> = runs.into_iter().flatten().collect();
    made.sort_unstable_by_key(|(i, _)| *i);
    made.into_iter().map(|(_, made)| made).collect()
}

/// What a thread made; `None` when it could not be started. Its panic goes on here.
fn join_thread<R>(thread: std::io::Result<ScopedJoinHandle<'_, R>>) -> Option<R> {
    match thread.ok()?.join() {
        Ok(made) => Some(made),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
