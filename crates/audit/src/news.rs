//! What a report has to tell of a source that the one before did not.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::state::{Remembered, State};
use cited_core::finding::Severity;

/// What there is to tell of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[derive(strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum News {
    /// It is rotten now.
    NewRot,
    /// Its work was retracted or withdrawn, or is doubted by its publisher.
    Retracted,
    /// What is cited from it is gone or changed.
    Drifted,
    /// It has moved for good, or moved again.
    Moved,
    /// Nobody has had an answer from it for two weeks. Told once.
    Unreachable,
    /// A correction of its work was published. Told once.
    Corrected,
    /// It was acknowledged until a date that has passed, and is still broken.
    AcknowledgementExpired,
    /// It is back.
    Recovered,
    /// It is rotten, and a report has said so before. Told for completeness, as the next two are: not new.
    StillRotten,
    /// A document still cites what was retracted.
    StillRetracted,
    /// What is cited from it is still gone or changed.
    StillDrifted,
    /// A document still has its old address.
    StillMoved,
}

impl News {
    /// All, in the order of reports.
    pub const ALL: &[News] = <News as strum::VariantArray>::VARIANTS;

    /// Its heading, what stands behind a number of them, and how grave it is: what a document loses is an error, what goes on under
    /// another address a warning, what is back or was told before a note.
    fn row(self) -> (&'static str, &'static str, Severity) {
        use Severity::{Error, Note, Warning};
        match self {
            News::NewRot => ("Newly rotten", "newly rotten", Error),
            News::Retracted => ("Retracted, withdrawn or doubted", "retracted", Error),
            News::Drifted => ("Drifted: the page lives, what was cited is gone or changed", "drifted", Error),
            News::Moved => ("Moved", "moved", Warning),
            News::Unreachable => ("Unreachable for two weeks", "unreachable", Warning),
            News::Corrected => ("Corrected", "corrected", Note),
            News::AcknowledgementExpired => {
                ("Acknowledged until a date that has passed", "no longer acknowledged", Error)
            }
            News::Recovered => ("Back", "back", Note),
            News::StillRotten => ("Still rotten", "still rotten", Note),
            News::StillRetracted => ("Still cited, though retracted", "still cited though retracted", Note),
            News::StillDrifted => ("Still drifted", "still drifted", Note),
            News::StillMoved => ("Still cited under the old address", "still under the old address", Note),
        }
    }

    /// Its name, as in reports.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// As a heading for readers.
    pub fn title(self) -> &'static str {
        self.row().0
    }

    /// In a word or two behind a number.
    pub fn short_name(self) -> &'static str {
        self.row().1
    }

    /// Whether a report without it would be silent.
    pub fn is_new(self) -> bool {
        !matches!(self, News::StillRotten | News::StillRetracted | News::StillDrifted | News::StillMoved)
    }

    /// How grave it is.
    pub fn severity(self) -> Severity {
        self.row().2
    }

    /// What there is to tell of a source.
    pub fn read(source: &Remembered, now: Timestamp) -> Option<News> {
        if let Some(given) = source.acknowledgement.as_ref().filter(|_| source.state.is_broken()) {
            return (!given.holds(now)).then_some(News::AcknowledgementExpired);
        }
        let told = source.reported == Some(source.state);
        let corrected = source.has_new_correction().then_some(News::Corrected);
        let of_state = match source.state {
            State::Rotten if told => Some(News::StillRotten),
            State::Rotten => Some(News::NewRot),
            State::Retracted if told => Some(News::StillRetracted),
            State::Retracted => Some(News::Retracted),
            State::Drifted if told => Some(News::StillDrifted),
            State::Drifted => Some(News::Drifted),
            State::Moved if told && source.reported_move.as_deref() == source.new_address() => Some(News::StillMoved),
            State::Moved => Some(News::Moved),
            State::Suspect => {
                let known = source.acknowledgement.as_ref().is_some_and(|given| given.holds(now));
                (source.is_silent() && !told && !known).then_some(News::Unreachable)
            }
            State::Alive => {
                let was =
                    source.reported.is_some_and(|was| was.is_broken() && was != State::Moved || was == State::Suspect);
                was.then_some(News::Recovered)
            }
            State::Unknown | State::Walled | State::Acknowledged => None,
        };
        // What is new of the page goes first; the correction is told the next time.
        of_state.filter(|news| news.is_new()).or(corrected).or(of_state)
    }
}

impl Remembered {
    /// Takes note that a report has told what there was to tell.
    pub fn mark_reported(&mut self, news: News) {
        if news == News::AcknowledgementExpired {
            self.acknowledgement = None;
        }
        if news == News::Corrected {
            self.told_correction = true;
            return;
        }
        self.reported = (news != News::Recovered).then_some(self.state);
        self.reported_move = self.new_address().map(str::to_owned);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Acknowledgement;

    fn at(day: i64) -> Timestamp {
        Timestamp::from_second(1_767_225_600 + day * 86_400).unwrap()
    }

    #[test]
    fn what_was_told_is_not_new_and_what_is_acknowledged_comes_back() {
        let mut source = Remembered::new("k", at(0));
        let night = |source: &mut Remembered, day: i64, state: State| {
            source.state = state;
            let news = News::read(source, at(day));
            news.into_iter().for_each(|news| source.mark_reported(news));
            news
        };
        assert_eq!(night(&mut source, 1, State::Alive), None);
        assert_eq!(night(&mut source, 2, State::Suspect), None);
        assert_eq!(night(&mut source, 9, State::Rotten), Some(News::NewRot));
        assert_eq!(night(&mut source, 10, State::Rotten), Some(News::StillRotten));
        assert_eq!(night(&mut source, 11, State::Alive), Some(News::Recovered));
        assert_eq!(night(&mut source, 12, State::Alive), None);
        assert_eq!(night(&mut source, 13, State::Drifted), Some(News::Drifted));
        assert_eq!(night(&mut source, 14, State::Drifted), Some(News::StillDrifted));
        source.acknowledgement = Some(Acknowledgement { who: String::new(), reason: "known".into(), until: at(20) });
        assert!(source.acknowledgement.as_ref().unwrap().holds(at(15)));
        assert_eq!(night(&mut source, 19, State::Rotten), None);
        assert_eq!(night(&mut source, 20, State::Rotten), Some(News::AcknowledgementExpired));
        assert_eq!(source.acknowledgement, None);
        assert_eq!(night(&mut source, 21, State::Rotten), Some(News::StillRotten));
        // What became good while it was acknowledged is told, and the acknowledgement waits for its date.
        source.acknowledgement = Some(Acknowledgement { who: String::new(), reason: "known".into(), until: at(40) });
        assert_eq!(night(&mut source, 22, State::Alive), Some(News::Recovered));
        assert!(source.acknowledgement.is_some());
        assert_eq!(night(&mut source, 23, State::Rotten), None);
    }

    #[test]
    fn what_never_answers_is_told_once_and_again_when_it_is_back() {
        use crate::{Observation, Seen};
        use cited_core::outcome::Outcome;
        let mut source = Remembered::new("k", at(0));
        let mut told = Vec::new();
        let mut night = |source: &mut Remembered, day: i64, seen: Seen, outcome: Outcome| {
            source.take(&Observation::new(at(day), seen, outcome));
            if let Some(news) = News::read(source, at(day)) {
                assert!(source.is_worth_a_look());
                source.mark_reported(news);
                told.push((day, news));
            }
        };
        for day in [1, 2, 5, 8, 11, 14] {
            night(&mut source, day, Seen::Failing, Outcome::Unreachable);
        }
        // Five checks, and two weeks from the first of them.
        night(&mut source, 15, Seen::Failing, Outcome::Unreachable);
        night(&mut source, 18, Seen::Failing, Outcome::Unreachable);
        night(&mut source, 21, Seen::Good, Outcome::Live);
        assert_eq!(told, [(15, News::Unreachable), (21, News::Recovered)]);
    }

    #[test]
    fn what_becomes_of_a_work_is_told_behind_walls_too() {
        use crate::{Observation, Seen};
        use cited_core::outcome::Fate;
        use cited_core::outcome::Outcome;
        use cited_judge::retracted::Retraction;

        let mut source = Remembered::new("k", at(0));
        let mut night = |day: i64, fates: Option<&[Fate]>| {
            let notice = |fate: &Fate| Retraction { fate: *fate, words: String::new(), by: None };
            let notices = fates.map(|fates| fates.iter().map(notice).collect());
            source.take(&Observation { notices, ..Observation::new(at(day), Seen::Walled, Outcome::Blocked) });
            let news = News::read(&source, at(day));
            assert!(news.is_none() || source.is_worth_a_look());
            news.into_iter().for_each(|news| source.mark_reported(news));
            (source.state, news)
        };
        assert_eq!(night(1, Some(&[])), (State::Walled, None));
        assert_eq!(night(2, Some(&[Fate::Corrected])), (State::Walled, Some(News::Corrected)));
        assert_eq!(night(3, None), (State::Walled, None));
        assert_eq!(night(4, Some(&[Fate::Corrected, Fate::Retracted])), (State::Retracted, Some(News::Retracted)));
        // What an index did not say anew stays.
        assert_eq!(night(5, None), (State::Retracted, Some(News::StillRetracted)));
        assert_eq!(night(6, Some(&[])), (State::Walled, None));
    }

    #[test]
    fn a_second_move_is_told_again() {
        let mut source = Remembered::new("k", at(0));
        source.state = State::Moved;
        let moving = |to: &str| super::super::state::Moving { to: to.into(), checks: 2, last: at(1) };
        source.moving = Some(moving("https://b.example/"));
        assert_eq!(News::read(&source, at(1)), Some(News::Moved));
        source.mark_reported(News::Moved);
        assert_eq!(News::read(&source, at(2)), Some(News::StillMoved));
        source.moving = Some(moving("https://c.example/"));
        assert_eq!(News::read(&source, at(3)), Some(News::Moved));
    }
}
