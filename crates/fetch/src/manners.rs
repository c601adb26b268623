//! What was learnt of hosts, kept beside the answers of the cache for the next run: how often each could be asked.

use std::collections::HashMap;
use std::path::PathBuf;

use super::politeness::Known;
use super::settings::CachePlace;

/// Name of the file.
const FILE: &str = "manners.json";

/// What was learnt longer ago than this, in seconds, says little: thirty days.
const KEPT: i64 = 30 * 24 * 3600;

/// Hosts that are remembered, the ones asked last first.
const MOST: usize = 20_000;

fn file(place: &CachePlace) -> PathBuf {
    place.folder.join(FILE)
}

/// What earlier runs learnt. A file that cannot be read counts as not there.
pub fn remembered(place: &CachePlace, now: jiff::Timestamp) -> HashMap<String, Known> {
    let read = || serde_json::from_slice(&std::fs::read(file(place)).ok()?).ok();
    let mut hosts: HashMap<String, Known> = read().unwrap_or_default();
    hosts.retain(|_, known| now.as_second().saturating_sub(known.at) <= KEPT);
    hosts
}

/// Adds what this run learnt to what others did meanwhile. A failure costs some pauses next time, nothing else.
pub fn remember(place: &CachePlace, learnt: HashMap<String, Known>) {
    let Some(now) = learnt.values().map(|known| known.at).max() else { return };
    let mut hosts = remembered(place, jiff::Timestamp::from_second(now).unwrap_or_default());
    hosts.extend(learnt);
    let mut hosts: Vec<(String, Known)> = hosts.into_iter().collect();
    hosts.sort_by(|(one, a), (other, b)| b.at.cmp(&a.at).then_with(|| one.cmp(other)));
    hosts.truncate(MOST);
    hosts.sort_by(|(one, _), (other, _)| one.cmp(other));
    let write = || -> std::io::Result<()> {
        let map: serde_json::Map<String, serde_json::Value> = hosts
            .into_iter()
            .map(|(host, known)| Ok((host, serde_json::to_value(known)?)))
            .collect::<serde_json::Result<_>>()?;
        place.write(&file(place), &serde_json::to_vec(&map)?)
    };
    let _ = write();
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::time::Duration;

    use super::super::politeness::Known;
    use super::CachePlace;
    use super::{remember, remembered};

    #[test]
    fn two_runs_add_to_each_other_and_what_is_old_goes() {
        let folder = tempfile::tempdir().unwrap();
        let place = CachePlace { folder: folder.path().to_owned(), max_age: Duration::ZERO };
        std::fs::create_dir_all(folder.path().join("parts")).unwrap();
        let now = jiff::Timestamp::from_second(100_000_000).unwrap();
        let known = |at: i64| Known { at_once: 2, gap_ms: 400, at };
        remember(&place, HashMap::from([("a.example".to_owned(), known(100_000_000))]));
        remember(&place, HashMap::from([("b.example".to_owned(), known(99_000_000))]));
        remember(&place, HashMap::from([("old.example".to_owned(), known(9))]));
        let hosts = remembered(&place, now);
        assert_eq!((hosts.len(), hosts["a.example"], hosts["b.example"].at), (2, known(100_000_000), 99_000_000));
        std::fs::write(folder.path().join("manners.json"), "{\"a.example\": 1}").unwrap();
        assert!(remembered(&place, now).is_empty());
    }
}
