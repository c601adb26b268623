//! One night made by hand, with all that there is to tell and with titles, addresses, sentences and names of files that mean harm.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;

use cited_audit::compare::{Compared, PinState};
use cited_audit::report::{Entry, FinishedRound, Remedy, SCHEMA, Settled, Verdict};
use cited_audit::state::{Moving, Streak};
use cited_audit::{Acknowledgement, AuditReport, CitationPosition, News, Observation, Remembered, Seen, State};
use cited_core::outcome::{ArchiveCopy, Outcome};

/// The beginning of day `day` of 2026.
pub(super) fn at(day: i64) -> Timestamp {
    Timestamp::from_second(1_767_225_600 + day * 86_400).expect("a day of 2026")
}

fn position(document: &str, line: i64, sentence: &str) -> CitationPosition {
    CitationPosition { document: document.into(), line, sentence: sentence.into(), is_claim: !sentence.is_empty() }
}

fn source(state: State, address: &str) -> Remembered {
    Remembered { state, since: at(8), ..Remembered::new(address, at(0)) }
}

fn entry(news: News, source: Remembered, remedy: Remedy, places: Vec<CitationPosition>) -> Entry {
    let in_all = places.len() as u64;
    Entry { remedy, ..Entry::new(source, news, Some(at(20)), places, in_all) }
}

/// The last check of a source.
fn checked(outcome: Outcome, reason: &str) -> Observation {
    Observation { reason: reason.to_owned(), ..Observation::new(at(8), Seen::Gone, outcome) }
}

/// A night with news of every kind.
#[allow(clippy::too_many_lines, reason = "a table")]
pub(super) fn report() -> AuditReport {
    let hostile = position(
        "docs/a,b:\u{202e}c.md",
        3,
        "@everyone see #12 ![x](javascript:alert(1)) <script>alert(1)</script> | a | \u{1b}[31m`code` [l](https://evil.example) \"q\" & ]]>\n::error::x",
    );
    let copy = || ArchiveCopy {
        url: "https://web.archive.org/web/20230105000000/https://gone.example/a_b_c?x=1&y=%22".into(),
        taken: Timestamp::from_second(1_672_876_800).expect("a time"),
        original: "https://gone.example/a_b_c?x=1&y=%22".into(),
    };
    let streak =
        Streak { failures: 3, since: Some(at(1)), gone: 3, first: Some(at(1)), last: Some(at(8)), ..Streak::default() };
    let archived = Remembered {
        titles: vec!["<b>A *title*</b> ](https://evil.example) @admin\u{7}".into()],
        last: Some(checked(Outcome::Archived, "HTTP 404")),
        streak: streak.clone(),
        snapshot: Some(copy()),
        ..source(State::Rotten, "https://gone.example/a_b_c?x=1&y=%22")
    };
    let hopeless = Remembered {
        last: Some(checked(Outcome::Dead, "HTTP 410 <x> & \"y\"")),
        streak: Streak { gone: 2, ..streak.clone() },
        ..source(State::Rotten, "https://evil.example/\"><img src=x onerror=alert(1)>")
    };
    let drifted = Remembered {
        drift: vec![Compared {
            claim: "The share is 49.2%.".into(),
            passage: "A share of 49.2% <i>.".into(),
            state: PinState::Changed,
            found: Some("A share of 51%.\u{1b}".into()),
        }],
        ..source(State::Drifted, "https://c.example/")
    };
    let moved = Remembered {
        moving: Some(Moving { to: "https://new.example/d".into(), checks: 2, last: at(8) }),
        ..source(State::Moved, "https://d.example/")
    };
    let expired = Remembered {
        last: Some(checked(Outcome::Dead, "HTTP 404")),
        acknowledgement: Some(Acknowledgement { who: "Ann".into(), reason: "the owner is @work".into(), until: at(7) }),
        ..source(State::Rotten, "https://e.example/")
    };
    let still = Remembered { streak, ..source(State::Rotten, "https://g.example/") };
    let two = vec![position("docs/b.md", 1, "One sentence."), position("docs/b.md", 7, "Another sentence.")];
    let entries = vec![
        Entry {
            places_in_all: 14,
            ..entry(
                News::NewRot,
                archived,
                Remedy::ArchivedCopy { address: copy().url, taken: copy().taken },
                vec![position("README.md", 12, ""), hostile],
            )
        },
        entry(News::NewRot, hopeless, Remedy::Replace, two),
        entry(News::Drifted, drifted, Remedy::ReadAgain, vec![position("docs/b.md", 9, "The share is 49.2%.")]),
        entry(
            News::Moved,
            moved,
            Remedy::NewAddress { address: "https://new.example/d".into() },
            vec![position("docs/b.md", 11, "")],
        ),
        entry(News::AcknowledgementExpired, expired, Remedy::ArchiveUnasked, vec![position("list.txt", 2, "")]),
        entry(
            News::Recovered,
            source(State::Alive, "https://f.example/"),
            Remedy::None,
            vec![position("docs/b.md", 13, "It is back.")],
        ),
        entry(News::StillRotten, still, Remedy::Replace, vec![position("x.record.json", 0, "A claim.")]),
    ];
    AuditReport {
        schema: SCHEMA.into(),
        at: at(9),
        round: 9,
        verdict: Verdict::News,
        blocked: None,
        unread: Vec::new(),
        documents: 5,
        settled: Settled {
            checked: 6,
            carried: 2,
            outcomes: BTreeMap::from([("live".into(), 3), ("dead".into(), 2), ("moved".into(), 1)]),
            states: BTreeMap::from([
                (State::Rotten, 4),
                (State::Drifted, 1),
                (State::Moved, 1),
                (State::Suspect, 1),
                (State::Alive, 21),
            ]),
            ..Settled::default()
        },
        entries,
        left_out: 1,
        days: (0..10)
            .map(|day| FinishedRound {
                round: day,
                began: at(day),
                settled: Settled {
                    checked: 6,
                    outcomes: BTreeMap::from([("live".into(), 6 - day as u64 / 3), ("dead".into(), day as u64 / 3)]),
                    states: BTreeMap::from([(State::Alive, 28 - day as u64 / 2), (State::Rotten, day as u64 / 2)]),
                    ..Settled::default()
                },
            })
            .collect(),
    }
}

/// A night without news, and with nothing left.
pub(super) fn quiet() -> AuditReport {
    AuditReport {
        verdict: Verdict::Quiet,
        documents: 2,
        settled: Settled {
            checked: 3,
            outcomes: BTreeMap::from([("live".into(), 3)]),
            states: BTreeMap::from([(State::Alive, 3)]),
            ..Settled::default()
        },
        entries: Vec::new(),
        left_out: 0,
        ..report()
    }
}

/// A night that proves nothing.
pub(super) fn blocked() -> AuditReport {
    AuditReport {
        verdict: Verdict::Blocked,
        blocked: Some("9 of 10 hosts that used to answer did not\n::error::x".into()),
        ..quiet()
    }
}

/// Holds what was printed against the file of that name; with `UPDATE_SNAPSHOTS=1` it is written.
#[track_caller]
pub(super) fn snapshot(name: &str, printed: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/audit").join(name);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, printed).expect("a file");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(printed, kept, "{}", path.display());
}
