//! Entries looked up: each as one, many at once.

use futures_util::StreamExt as _;

use super::entry::Entry;
use super::kind::Kind;
use super::look::{Look, Outcome};
use super::question::Index;
use super::verdict::verdict;
use super::walk::{Asker, Walk};

/// Entries that are looked up at once: more than any index is asked at once, so that no index waits for another.
const AT_ONCE: usize = 32;
/// A run in which more than half of so many entries with an identifier are not found has found fault with its way to the indexes.
const MANY: usize = 10;

/// What became of entries that were looked up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lookups {
    /// What became of each, in order.
    pub looks: Vec<Look>,
    /// Why nothing of it can be trusted, when the way to the indexes is at fault.
    pub at_fault: Option<&'static str>,
}

/// Looks entries up in indexes, each entry as one: the order in which indexes answer changes nothing. `now` is the year of the run.
pub async fn look_up(entries: &[Entry], indexes: &[&dyn Index], now: i16) -> Lookups {
    let asker = Asker::new(entries, indexes);
    let walks = entries.iter().map(|entry| walk(entry, &asker, now));
    let mut looks: Vec<Look> = futures_util::stream::iter(walks).buffered(AT_ONCE).collect().await;
    let named = entries.iter().filter(|entry| entry.read.ids.is_any()).count();
    let is_lost = |(entry, look): &(&Entry, &mut Look)| entry.read.ids.is_any() && look.outcome == Outcome::NotFound;
    let lost: Vec<(&Entry, &mut Look)> = entries.iter().zip(&mut looks).filter(is_lost).collect();
    let at_fault = (named >= MANY && lost.len() * 2 > named).then_some(
        "more than half of the entries with an identifier were not found: the way to the indexes is at fault",
    );
    for (_, look) in lost.into_iter().filter(|_| at_fault.is_some()) {
        (look.outcome, look.reason) = (Outcome::Unasked, at_fault.map(str::to_owned));
    }
    Lookups { looks, at_fault }
}

async fn walk(entry: &Entry, asker: &Asker<'_>, now: i16) -> Look {
    if !entry.is_covered() {
        return Look::unasked(if entry.kind == Kind::Unlisted { "stands in no list" } else { "kind" });
    }
    let mut walk = Walk::new(entry, now);
    walk.follow_identifiers(asker).await;
    // What has no title is found by its identifier alone.
    let leads_there = entry.read.title.is_none() && walk.works().next().is_some();
    if !(matches!(entry.kind, Kind::Uncovered | Kind::Deposit) || walk.is_confirmed() || leads_there) {
        for (name, question) in walk.searches() {
            walk.search(asker, name, question).await;
            if walk.is_confirmed() {
                break;
            }
        }
    }
    walk.ask_for_fate(asker).await;
    verdict(&walk)
}
