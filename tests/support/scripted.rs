//! Runs without a network: every source answers by a rule on its address, and nothing but that decides.
//!
//! Shared by the property tests, the fuzz targets and `cargo xtask corpus`.

use cited::fetch::{ArchiveCopy, Fetched, Fetcher, Outcome, Request};
use cited::pipeline::{Input, Options, Run, verify};

/// The answer to `request` when each address is in the state that `outcome` gives it: one that can be read is enough, and
/// one that could not be asked keeps a source from being dead.
pub fn answer(request: &Request, outcome: impl Fn(&str) -> Outcome) -> Fetched {
    let outcomes: Vec<Outcome> = request.addresses.iter().map(|address| outcome(address)).collect();
    let best = outcomes.iter().position(|outcome| outcome.is_readable());
    let at = best.or_else(|| outcomes.iter().position(|outcome| outcome.is_unknown())).unwrap_or(0);
    let address = request.addresses[at].clone();
    let mut fetched = Fetched::unasked(address.clone(), "HTTP 200", jiff::Timestamp::UNIX_EPOCH);
    fetched.outcome = outcomes[at];
    let why = match fetched.outcome {
        Outcome::Live | Outcome::Moved => "HTTP 200",
        Outcome::Dead | Outcome::Archived => "HTTP 404",
        Outcome::Restricted => "HTTP 401",
        Outcome::Blocked => "HTTP 403",
        Outcome::Unreachable => "timeout",
        Outcome::Unreadable => "no text",
        Outcome::Refused => "forbidden address",
        Outcome::Unasked => "offline",
    };
    why.clone_into(&mut fetched.reason);
    match fetched.outcome {
        Outcome::Live => fetched.final_url = Some(address),
        Outcome::Moved => fetched.final_url = Some(format!("{address}/moved")),
        Outcome::Archived => {
            fetched.archive = Some(ArchiveCopy {
                url: format!("https://archive.example/web/20200101000000/{address}"),
                taken: jiff::Timestamp::UNIX_EPOCH,
                original: address,
            });
        }
        _ => {}
    }
    fetched
}

/// Statements with a value that nothing else has, and other values for the same.
#[allow(dead_code, reason = "not every user has pages")]
pub struct Facts;

#[allow(dead_code, reason = "not every user has pages")]
impl Facts {
    const STATEMENTS: [(&str, [&str; 3]); 8] = [
        ("The Alder plant made {} tonnes of steel in 2019.", ["4,317", "5,628", "7,951"]),
        ("Borealis employs {} people in Norway.", ["2,406", "3,981", "6,175"]),
        ("The Cadiz ferry carried {} passengers in 2021.", ["8,024", "9,436", "1,753"]),
        ("Delta Bank lent {} million euros to farms.", ["613", "742", "895"]),
        ("Eastmoor has {} empty homes.", ["1,284", "3,597", "7,068"]),
        ("Fernham council found that {} percent of its wells are dry.", ["31", "47", "68"]),
        (
            "The survey of owners says “{}”.",
            [
                "heat pumps paid for themselves early",
                "nobody wanted the old boilers back",
                "most would buy again at once",
            ],
        ),
        ("热泵销量在2020年增长了{}%。", ["23", "39", "56"]),
    ];

    /// How many there are.
    pub const COUNT: usize = Self::STATEMENTS.len();

    /// One of them, with one of its values.
    pub fn written(statement: usize, value: usize) -> String {
        let (words, values) = Self::STATEMENTS[statement];
        words.replace("{}", values[value])
    }

    /// Whether `text` is one of them.
    pub fn is_one(text: &str) -> bool {
        (0..Self::COUNT).any(|statement| (0..3).any(|value| Self::written(statement, value) == text))
    }

    /// The value of the statement that `text` is.
    pub fn values_in(text: &str) -> Vec<&'static str> {
        let is_it = |(words, value): &(&str, &str)| words.replace("{}", value) == text;
        let all = Self::STATEMENTS.into_iter().flat_map(|(words, values)| values.map(|value| (words, value)));
        all.filter(is_it).map(|(_, value)| value).collect()
    }

    /// Whether a value stands in `text`, and not as a part of another number.
    pub fn has(text: &str, value: &str) -> bool {
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit() || c == ',');
        text.match_indices(value).any(|(at, _)| {
            !is_digit(text[..at].chars().next_back()) && !is_digit(text[at + value.len()..].chars().next())
        })
    }
}

/// The settings with which the promises hold: support is not judged, nothing but outcomes decides.
pub fn options() -> Options {
    Options { support: false, concurrency: 1, now: jiff::Timestamp::UNIX_EPOCH, ..Options::default() }
}

/// One run.
pub fn run(text: &str, research: &[Input], fetcher: &dyn Fetcher, options: &Options) -> Result<Run, cited::Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let draft = Input { path: "draft.md".into(), text: text.into() };
    runtime.block_on(verify(&draft, research, fetcher, options, &|_| {}))
}
