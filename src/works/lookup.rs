//! Entries looked up: each as one, many at once.

use futures_util::StreamExt as _;

use super::entry::Entry;
use super::kind::Kind;
use super::look::{Look, Outcome};
use super::question::Index;
use super::verdict::verdict;
use super::walk::{Asker, Batches, Led, Walk};

/// Entries that are looked up at once: more than any index is asked at once, so that no index waits for another.
const AT_ONCE: usize = 32;
/// A run in which more than half of so many entries with an identifier are not found has found fault with its way to the indexes.
const MANY: usize = 10;

/// Looks entries up in indexes, each entry as one: the order in which indexes answer changes nothing. `now` is the year of the run.
pub async fn look_up(entries: &[Entry], indexes: &[&dyn Index], now: i16) -> Vec<Look> {
    let batches = Batches::of(entries);
    let asker = Asker::new(indexes);
    let walks = entries.iter().map(|entry| walk(entry, &asker, &batches, now));
    let mut looks: Vec<Look> = futures_util::stream::iter(walks).buffered(AT_ONCE).collect().await;
    let named: Vec<usize> = (0..entries.len()).filter(|at| entries[*at].read.ids.is_any()).collect();
    let lost = named.iter().filter(|at| looks[**at].outcome == Outcome::NotFound).count();
    if named.len() >= MANY && lost * 2 > named.len() {
        for at in named.into_iter().filter(|at| looks[*at].outcome == Outcome::NotFound).collect::<Vec<_>>() {
            looks[at].outcome = Outcome::Unasked;
            looks[at].reason = Some(
                "more than half of the entries with an identifier were not found: the way to the indexes is at fault"
                    .to_owned(),
            );
        }
    }
    looks
}

async fn walk(entry: &Entry, asker: &Asker<'_>, batches: &Batches, now: i16) -> Look {
    let uncovered = entry.kind == Kind::Uncovered || entry.kind == Kind::Deposit;
    if uncovered && !entry.read.ids.is_any() {
        return Look::unasked("kind");
    }
    let mut walk = Walk::new(entry, now);
    walk.follow_identifiers(asker, batches).await;
    let leads = walk.led.values().any(|led| *led == Led::Somewhere);
    // A title of a kind that no index covers is never searched for: what would be found is another work.
    let leads_there = leads && entry.read.title.is_none() && walk.works().next().is_some();
    if !(uncovered || walk.is_confirmed() || leads_there) {
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
