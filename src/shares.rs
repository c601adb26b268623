//! Work on a large document, shared out among the processors.

use crate::markdown::{BlockId, Document};

/// Bytes of text for which another thread is worth starting: some milliseconds of work.
const WORTH_A_THREAD: usize = 256 * 1024;

/// More threads than this gain little: what is left is done by one.
const MOST_THREADS: usize = 8;

/// On how many threads work on the leaves of `document` is shared out.
pub(crate) fn threads_for(document: &Document) -> usize {
    let worth = (document.text().len() / WORTH_A_THREAD).min(MOST_THREADS);
    worth.min(std::thread::available_parallelism().map_or(1, std::num::NonZero::get))
}

/// Has `here` work on the first share of `leaves`, which are in document order, on this thread, and `apart` on each of the
/// others on threads of their own; then `join` takes the results of the others, in order.
///
/// A panic of a thread goes on here. Without a thread its share is worked on here.
pub(crate) fn each_share<R: Send>(
    document: &Document,
    leaves: &[BlockId],
    threads: usize,
    here: impl FnOnce(&[BlockId]),
    apart: impl Fn(&[BlockId]) -> R + Sync,
    mut join: impl FnMut(&[BlockId], R),
) {
    if threads < 2 {
        here(leaves);
        return;
    }
    let shares = shares(document, leaves, threads, MINE);
    let (mine, others) = shares.split_first().unwrap_or((&leaves, &[]));
    let apart = &apart;
    std::thread::scope(|scope| {
        let others: Vec<_> = others
            .iter()
            .map(|share| (*share, std::thread::Builder::new().spawn_scoped(scope, move || apart(share))))
            .collect();
        here(mine);
        for (share, thread) in others {
            match thread.ok().map(std::thread::ScopedJoinHandle::join) {
                Some(Ok(done)) => join(share, done),
                Some(Err(panic)) => std::panic::resume_unwind(panic),
                None => join(share, apart(share)),
            }
        }
    });
}

/// The share of this thread beside that of another, in hundredths: it has to join the results as well.
const MINE: usize = 83;

/// `leaves` in `count` runs of about as many bytes each; the first is `mine` hundredths of another.
fn shares<'l>(document: &Document, leaves: &'l [BlockId], count: usize, mine: usize) -> Vec<&'l [BlockId]> {
    let unit = document.text().len() / (100 * (count - 1) + mine);
    let mut rest = leaves;
    let mut shares = Vec::with_capacity(count);
    for i in 1..count {
        let end = unit * (mine + 100 * (i - 1));
        let (share, after) = rest.split_at(rest.partition_point(|id| document.block(*id).span.start < end));
        shares.push(share);
        rest = after;
    }
    shares.push(rest);
    shares
}
