//! Work on a large document, shared out among the processors.

use std::ops::Range;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// Has `work` done on the numbers below `count`, in as many runs of the same length as there are `threads`; gives what each run made, in
/// order.
pub fn each_run<R: Send>(count: usize, threads: usize, work: impl Fn(Range<usize>) -> R + Sync) -> Vec<R> {
    let threads = threads.max(1);
    run_each(threads, threads, |i| work(count * i / threads..count * (i + 1) / threads))
}

/// Has `work` done on each number below `count`, here and on so many threads less one: whoever is done takes the next, so that nothing waits
/// for a thread that could not be started. Gives what each made, in order. A panic of a thread goes on here.
pub fn run_each<R: Send>(count: usize, threads: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|i| *i < count);
    let work = || std::iter::from_fn(take).map(|i| (i, work(i))).collect::<Vec<_>>();
    let mut made = std::thread::scope(|scope| {
        let start = |_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..threads).filter_map(start).collect();
        let mut made = work();
        for other in others {
            made.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        made
    });
    made.sort_unstable_by_key(|(i, _)| *i);
    made.into_iter().map(|(_, made)| made).collect()
}
