//! A year of nights over 2,000 sources, each with a fate: what the rules promise, held against what they do.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::due::{ALIVE_MOST, due};
use super::{Compared, News, Night, Observation, Pin, PinState, Remembered, Seen, State};
use cited_core::outcome::Outcome;
use cited_fetch::jitter::mix;

const SOURCES: usize = 2_000;
const NIGHTS: i64 = 365;
/// Our own network is down for a week.
const OUTAGE: std::ops::Range<i64> = 150..157;
/// The archive cannot be asked: what is gone is gone all the same.
const ARCHIVE_DOWN: std::ops::Range<i64> = 90..120;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// Is there every night.
    Stays,
    /// Gone from a night on: 404.
    Dies,
    /// Gone from a night on: 410.
    DiesForGood,
    /// Its host is gone from a night on.
    HostDies,
    /// Gone for at most five nights, there for at least twelve, again and again.
    Flaps,
    /// Answers 503 for a month.
    Fails,
    /// At another address from a night on.
    Moves,
    /// Says something else from a night on.
    Drifts,
    /// Behind a wall from a night on.
    Walled,
    /// Gone for sixty nights from a night on.
    ComesBack,
}

struct Script {
    fate: Fate,
    /// The night on which it happens.
    on: i64,
    host: String,
}

impl Script {
    fn from_index(index: usize) -> Script {
        use Fate::*;
        let fate = match index % 20 {
            0 => Dies,
            1 => DiesForGood,
            2 => Flaps,
            3 => Fails,
            4 => Moves,
            5 => Drifts,
            6 => Walled,
            7 => ComesBack,
            8 => HostDies,
            _ => Stays,
        };
        let on = 5 + i64::try_from(mix(7, &index.to_string(), 0) % 280).unwrap();
        // A host of its own for what takes its host with it.
        let host =
            if fate == HostDies { format!("gone{index}.example") } else { format!("h{}.example", index / 20 % 97) };
        Script { fate, on, host }
    }

    /// What its site gives on a night.
    fn site(&self, night: i64) -> Seen {
        let since = night - self.on;
        match self.fate {
            Fate::Dies if since >= 0 => Seen::Gone,
            Fate::DiesForGood if since >= 0 => Seen::GoneForGood,
            Fate::HostDies if since >= 0 => Seen::NoHost,
            Fate::Flaps if since >= 0 && since % 17 < 5 => Seen::Gone,
            Fate::Fails if (0..30).contains(&since) => Seen::Silent,
            Fate::Moves if since >= 0 => Seen::Moved,
            Fate::Walled if since >= 0 => Seen::Walled,
            Fate::ComesBack if (0..60).contains(&since) => Seen::Gone,
            _ => Seen::Good,
        }
    }

    fn check(&self, key: &str, night: i64, at: Timestamp) -> Observation {
        let seen = match self.site(night) {
            _ if OUTAGE.contains(&night) => Seen::Silent,
            seen => seen,
        };
        let outcome = match seen {
            Seen::Good => Outcome::Live,
            Seen::Moved => Outcome::Moved,
            seen if seen.is_gone() && ARCHIVE_DOWN.contains(&night) => Outcome::Unasked,
            Seen::Gone | Seen::GoneForGood | Seen::NoHost => Outcome::Dead,
            Seen::Failing | Seen::Silent => Outcome::Unreachable,
            Seen::Walled => Outcome::Blocked,
            Seen::Nothing => Outcome::Unasked,
        };
        let mut observation = Observation::new(at, seen, outcome);
        if seen.is_good() {
            observation.final_url = Some(if seen == Seen::Moved { format!("{key}/new") } else { key.to_owned() });
            let drifted = self.fate == Fate::Drifts && night >= self.on;
            let state = if drifted { PinState::Changed } else { PinState::Holds };
            observation.passages = vec![Compared { claim: "c".into(), passage: "p".into(), state, found: None }];
        }
        observation
    }
}

fn at(night: i64, second: i64) -> Timestamp {
    Timestamp::from_second(1_767_225_600 + night * 86_400 + 3 * 3600 + second).unwrap()
}

/// What a year gave.
struct Year {
    scripts: Vec<Script>,
    sources: Vec<Remembered>,
    /// For each source what was told, and on which night.
    told: Vec<Vec<(i64, News)>>,
    /// How many were asked each night.
    asked: Vec<usize>,
}

/// Runs the year.
fn year() -> Year {
    let scripts: Vec<Script> = (0..SOURCES).map(Script::from_index).collect();
    let mut sources: Vec<Remembered> = scripts
        .iter()
        .enumerate()
        .map(|(index, script)| {
            let mut source = Remembered::new(format!("https://{}/{index}", script.host), at(0, 0));
            source.pins = vec![Pin { claim: "c".into(), passage: "p".into() }];
            source
        })
        .collect();
    let mut dates = vec![at(0, 0); SOURCES];
    let mut told: Vec<Vec<(i64, News)>> = vec![Vec::new(); SOURCES];
    let mut asked = Vec::new();
    for night in 0..NIGHTS {
        // Each run takes half an hour, and none begins at the same minute.
        let begin = i64::try_from(mix(1, "begin", night.cast_unsigned()) % 600).unwrap();
        let wanted: Vec<usize> = (0..SOURCES).filter(|index| dates[*index] <= at(night, begin)).collect();
        let mut weather = Night::default();
        let mut seen = Vec::new();
        for index in &wanted {
            let second = begin + i64::try_from(mix(2, &index.to_string(), night.cast_unsigned()) % 1800).unwrap();
            let observation = scripts[*index].check(&sources[*index].key, night, at(night, second));
            weather.note(&scripts[*index].host, sources[*index].state, observation.seen);
            seen.push((*index, observation));
        }
        asked.push(wanted.len());
        if weather.failed_hosts().is_some() {
            assert!(OUTAGE.contains(&night), "night {night} is called bad");
            continue;
        }
        for (index, observation) in seen {
            let source = &mut sources[index];
            let was = source.state;
            source.take(&observation);
            dates[index] = due(source, Some(observation.at));
            if source.state == State::Rotten && was != State::Rotten {
                assert!(
                    observation.seen.is_gone(),
                    "{:?} rotten on night {night} by {observation:?}",
                    scripts[index].fate
                );
            }
            if let Some(news) = News::read(source, at(night, 3600)).filter(|news| news.is_new()) {
                source.mark_reported(news);
                told[index].push((night, news));
            }
        }
        let again = (0..SOURCES).filter(|index| dates[*index] <= at(night, 3600)).count();
        assert_eq!(again, 0, "the second run of night {night} has something to ask");
    }
    Year { scripts, sources, told, asked }
}

#[test]
fn a_year_of_nights() {
    let Year { scripts, sources, told, asked } = year();
    let longest = ALIVE_MOST;
    let outage = OUTAGE.end - OUTAGE.start;
    let mut latest: BTreeMap<Fate, i64> = BTreeMap::new();
    for (index, script) in scripts.iter().enumerate() {
        let told = &told[index];
        let names: Vec<News> = told.iter().map(|(_, news)| *news).collect();
        // One that fails for so long is told once, and again when it is back.
        let failed = script.fate == Fate::Fails && names == [News::Unreachable, News::Recovered];
        let names: Vec<News> = if failed { Vec::new() } else { names };
        let (expected, state): (&[News], State) = match script.fate {
            Fate::Stays | Fate::Flaps | Fate::Fails => (&[], State::Alive),
            Fate::Walled => (&[], State::Walled),
            Fate::Dies | Fate::DiesForGood | Fate::HostDies => (&[News::NewRot], State::Rotten),
            Fate::Moves => (&[News::Moved], State::Moved),
            Fate::Drifts => (&[News::Drifted], State::Drifted),
            Fate::ComesBack => (&[News::NewRot, News::Recovered], State::Alive),
        };
        assert_eq!(names, expected, "{index} {:?} on {}: {told:?}", script.fate, script.on);
        let flapping = script.fate == Fate::Flaps && sources[index].state == State::Suspect;
        assert!(sources[index].state == state || flapping, "{index} {:?}: {}", script.fate, sources[index].state);
        // No later than the rules allow: the next check of what is long alive, the proof, a week in which nobody could look.
        let proof = match script.fate {
            Fate::Dies | Fate::ComesBack => 9,
            Fate::DiesForGood | Fate::HostDies | Fate::Moves => 2,
            _ => 0,
        };
        for (night, news) in told.iter().filter(|_| !failed) {
            let (since, bound) = match news {
                News::Recovered => (night - script.on - 60, 7),
                _ => (night - script.on, longest + proof),
            };
            let bound = bound + if script.on < OUTAGE.end && *night >= OUTAGE.start { outage } else { 0 };
            assert!(
                since >= 0 && since <= bound,
                "{index} {:?} on {}: {news:?} after {since} nights",
                script.fate,
                script.on
            );
            let late = latest.entry(script.fate).or_default();
            *late = since.max(*late);
            if matches!(script.fate, Fate::Dies | Fate::ComesBack) && *news == News::NewRot {
                assert!(since >= 7, "{index}: rotten after {since} nights");
            }
        }
    }
    // In time few are asked a night: what is long alive is asked seldom.
    let late: usize = asked[330..].iter().sum::<usize>() / asked[330..].len();
    assert!(late < SOURCES / 8, "{late} sources a night after 330 nights");
    assert!(latest.len() >= 5, "{latest:?}");
}
