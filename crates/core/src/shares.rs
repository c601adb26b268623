//! Work on a large document, shared out among the processors.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};
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
        made.extend(others.into_iter().map(|(i, thread)| joined(thread).unwrap_or_else(|| work(run(i)))));
        made
    })
}

/// Has `work` done on each number below `count`, on so many threads: whoever is done takes the next. Gives what each made, in order.
pub fn each<R: Send>(count: usize, threads: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|i| *i < count);
    let runs =
        each_run(threads, threads, |_| std::iter::from_fn(take).map(|i| (i, work(i))).collect::<Vec<(usize, R)>>());
    let mut made: Vec<(usize, R)> = runs.into_iter().flatten().collect();
    made.sort_unstable_by_key(|(i, _)| *i);
    made.into_iter().map(|(_, made)| made).collect()
}

/// What a thread made; `None` when it could not be started. Its panic goes on here.
fn joined<R>(thread: std::io::Result<ScopedJoinHandle<'_, R>>) -> Option<R> {
    match thread.ok()?.join() {
        Ok(made) => Some(made),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// The text that leaves are of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text {
    /// How long it is.
    pub bytes: usize,
    /// On how many threads the work on it is shared out.
    pub threads: usize,
}

/// Has `leaves`, in the order in which they start in a text, worked on in parts: by `here` on this thread when all before is done, else by
/// `apart` on this or another one, whose results are handed to `join`. The calls of `here` and `join` are in order.
///
/// Whoever is done with a part takes the next one, so that a thread that is held up by other work of the machine does less
/// of it. A panic of a thread goes on here.
pub(crate) fn each_share<L: Sync, R: Send>(
    leaves: &[L],
    Text { bytes, threads }: Text,
    starts: impl Fn(&L) -> usize,
    mut here: impl FnMut(&[L]),
    apart: impl Fn(&[L]) -> R + Sync,
    mut join: impl FnMut(&[L], R),
) {
    if threads < 2 {
        here(leaves);
        return;
    }
    let parts = parts(leaves, bytes, starts, threads * PARTS_A_THREAD);
    let next = AtomicUsize::new(0);
    let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|part| *part < parts.len());
    let results: Vec<Mutex<Option<R>>> = parts.iter().map(|_| Mutex::new(None)).collect();
    let result = |part: usize| results[part].lock().unwrap_or_else(PoisonError::into_inner);
    let mut joined_parts = 0;
    let mut join_ready = |joined_parts: &mut usize| {
        while let Some(done) = (*joined_parts < parts.len()).then(|| result(*joined_parts).take()).flatten() {
            join(parts[*joined_parts], done);
            *joined_parts += 1;
        }
    };
    std::thread::scope(|scope| {
        let work = || {
            while let Some(part) = take() {
                let done = apart(parts[part]);
                *result(part) = Some(done);
            }
        };
        let others: Vec<_> = (1..threads).map(|_| std::thread::Builder::new().spawn_scoped(scope, work)).collect();
        while let Some(part) = take() {
            join_ready(&mut joined_parts);
            if part == joined_parts {
                here(parts[part]);
                joined_parts += 1;
            } else {
                let done = apart(parts[part]);
                *result(part) = Some(done);
            }
        }
        others.into_iter().for_each(|thread| {
            joined(thread);
        });
    });
    join_ready(&mut joined_parts);
}

/// Parts for each thread: enough that none waits long for another at the end.
const PARTS_A_THREAD: usize = 8;

/// `leaves` in `count` parts of about as many bytes each.
fn parts<L>(leaves: &[L], bytes: usize, starts: impl Fn(&L) -> usize, count: usize) -> Vec<&[L]> {
    let unit = bytes / count;
    let mut rest = leaves;
    let mut parts = Vec::with_capacity(count);
    for i in 1..count {
        let (part, after) = rest.split_at(rest.partition_point(|leaf| starts(leaf) < unit * i));
        parts.push(part);
        rest = after;
    }
    parts.push(rest);
    parts
}
