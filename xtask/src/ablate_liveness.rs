//! What each part of the judgement whether a page is alive is worth.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cited::fetch::liveness::parts::{Part, Parts};
use cited::fetch::transport::{Ask, Exchange, Exchanging, Transport};
use cited::fetch::wire::Wire;
use cited::fetch::{Network, Outcome, Request, Settings, fetch_all, time_is_over};
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::server::Server;
use crate::{Result, files};

/// What each part of the judgement whether a page is alive is worth: takes one out after the other and looks at pages whose
/// truth is known.
///
/// A part earns its place by what goes wrong without it: a page that is there is called dead or a wall, one that is gone or
/// a wall is missed.
#[derive(clap::Args)]
pub struct Arguments {
    /// Sets as testdata/liveness/pages-1.json; folders with `pages.json`, one object a line with `id`, `url` and `truth`, and a
    /// `server.py` that answers them as any host: it is started with the name of a file for its certificate and prints its ports.
    #[arg(default_value = "testdata/liveness/pages-1.json")]
    inputs: Vec<PathBuf>,
    /// Names every page for which a part decides.
    #[arg(long)]
    pages: bool,
    /// Takes each part out for good when nothing goes wrong without it and those before it, and prints them: of two that do
    /// the same, one stays.
    #[arg(long)]
    together: bool,
}

/// How long an answer is waited for.
const LIMIT: Duration = Duration::from_secs(5);

/// A page, and what a careful reader says of it.
struct Labelled {
    id: String,
    url: String,
    truth: Truth,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Truth {
    Live,
    Dead,
    Wall,
    /// Anything but dead.
    Open,
}

/// Pages, and what answers them.
struct Set {
    name: String,
    pages: Vec<Labelled>,
    known: Arc<Known>,
    _answers: Answers,
}

/// What an address answered once, it answers ever after.
struct Known {
    wire: Wire,
    answers: Mutex<HashMap<String, Exchange>>,
}

impl Known {
    fn new(connect_to: &[String], ca_pem: Vec<u8>) -> Result<Arc<Known>> {
        let connect_to = connect_to.iter().map(|route| route.parse()).collect::<std::result::Result<_, _>>()?;
        let settings = Settings { connect_to, extra_ca_pem: vec![ca_pem], ..Settings::default() };
        Ok(Arc::new(Known { wire: Wire::new(&settings.with_timeout(LIMIT))?, answers: Mutex::default() }))
    }

    fn answers(&self) -> MutexGuard<'_, HashMap<String, Exchange>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Transport for Known {
    fn exchange<'a>(&'a self, ask: &'a Ask) -> Exchanging<'a> {
        let key = format!("{} {:?}", ask.url, ask.headers);
        Box::pin(async move {
            if let Some(exchange) = self.answers().get(&key) {
                return exchange.clone();
            }
            let exchange = self.wire.exchange(ask).await;
            let exchange = Exchange::new(exchange.result, exchange.at);
            self.answers().insert(key, exchange.clone());
            exchange
        })
    }

    fn is_replay(&self) -> bool {
        true
    }
}

enum Answers {
    Here(#[expect(dead_code, reason = "it answers as long as it is held")] Server),
    Elsewhere(Child),
}

impl Drop for Answers {
    fn drop(&mut self) {
        if let Answers::Elsewhere(child) = self {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// How an outcome stands to the truth, from what must not be to what shall be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Judged {
    CalledDead,
    CalledWall,
    DeadMissed,
    WallMissed,
    Right,
}

/// How the outcomes of a set's pages stand to their truth.
fn look(runtime: &Runtime, set: &Set, parts: Parts) -> Vec<Judged> {
    let settings = Settings { archives: Vec::new(), retries: 0, parts, ..Settings::default() };
    let requests: Vec<Request> = set
        .pages
        .iter()
        .map(|page| Request { addresses: vec![page.url.clone()], glance: true, ..Request::default() })
        .collect();
    let network = Network::with_transport(settings, set.known.clone());
    let results = runtime.block_on(fetch_all(&network, &requests, 64, time_is_over(None), &|_| {}));
    set.pages.iter().zip(&results).map(|(page, result)| judged(page.truth, result.outcome)).collect()
}

pub fn run(arguments: &Arguments) -> Result {
    let sets = arguments.inputs.iter().map(|input| read(input)).collect::<Result<Vec<Set>>>()?;
    let runtime = Runtime::new()?;
    let mut known = Vec::new();
    for set in &sets {
        let whole = look(&runtime, set, Parts::default());
        let right = whole.iter().filter(|judged| **judged == Judged::Right).count();
        println!("{}: {right} of {} right with all parts", set.name, set.pages.len());
        known.push(whole);
    }
    if arguments.together {
        let mut parts = Parts::default();
        for &part in Part::ALL {
            let without = parts.without(part);
            let is_worse = |(set, known): (&Set, &Vec<Judged>)| {
                look(&runtime, set, without)
                    .iter()
                    .zip(known)
                    .any(|(after, before)| after != before && *after != Judged::Right)
            };
            if !sets.iter().zip(&known).any(is_worse) {
                parts = without;
                println!("`{}`: {}", part.as_str(), part.does());
            }
        }
        return Ok(());
    }
    println!(
        "\n| without | called dead | called a wall | dead missed | walls missed | better | what it does |\n|---|---|---|---|---|---|---|"
    );
    for &part in Part::ALL {
        let (mut worse, mut better, mut pages) = ([0_usize; 4], 0, Vec::new());
        for (set, whole) in sets.iter().zip(&known) {
            let without = look(&runtime, set, Parts::default().without(part));
            for ((page, before), after) in set.pages.iter().zip(whole).zip(without) {
                if *before == after {
                    continue;
                }
                if after == Judged::Right {
                    better += 1;
                } else if let Some(count) = worse.get_mut(after as usize) {
                    *count += 1;
                }
                pages.push(format!("    {} {before:?} -> {after:?}", page.id));
            }
        }
        let [dead, wall, dead_missed, walls_missed] =
            worse.map(|count| if count == 0 { String::new() } else { count.to_string() });
        let gained = if better == 0 { String::new() } else { better.to_string() };
        println!(
            "| `{}` | {dead} | {wall} | {dead_missed} | {walls_missed} | {gained} | {} |",
            part.as_str(),
            part.does()
        );
        if arguments.pages && !pages.is_empty() {
            println!("{}", pages.join("\n"));
        }
    }
    Ok(())
}

fn judged(truth: Truth, outcome: Outcome) -> Judged {
    let wall = matches!(outcome, Outcome::Blocked | Outcome::Restricted);
    let dead = matches!(outcome, Outcome::Dead | Outcome::Archived);
    match truth {
        Truth::Dead if dead => Judged::Right,
        Truth::Wall if wall => Judged::Right,
        _ if dead => Judged::CalledDead,
        Truth::Dead => Judged::DeadMissed,
        Truth::Wall => Judged::WallMissed,
        Truth::Live if wall => Judged::CalledWall,
        Truth::Live | Truth::Open => Judged::Right,
    }
}

/// The page that a JSON object describes, if its truth counts.
fn page_of(value: &Value) -> Option<Labelled> {
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let truth = match text("truth")?.as_str() {
        "live" => Truth::Live,
        "dead" => Truth::Dead,
        "wall" => Truth::Wall,
        "open" => Truth::Open,
        _ => return None,
    };
    Some(Labelled { id: text("id")?, url: text("url")?, truth })
}

fn read(input: &Path) -> Result<Set> {
    let name = files::stem(input);
    if input.is_dir() {
        let lines = files::text(&input.join("pages.json"))?;
        let pages = lines.lines().filter_map(|line| page_of(&serde_json::from_str(line).ok()?)).collect();
        let folder = tempfile::tempdir()?;
        let certificate = folder.path().join("ca.pem");
        let mut command = Command::new("python3");
        command.arg(input.join("server.py")).arg(&certificate).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let out = child.stdout.take().ok_or("the server has no output")?;
        let answers = Answers::Elsewhere(child);
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line)?;
        let ports: Value = serde_json::from_str(&line)?;
        let route = |from: u16, name: &str| format!(":{from}:127.0.0.1:{}", ports[name]);
        let connect_to = [route(80, "http"), route(443, "https")];
        let ca_pem = std::fs::read(&certificate)?;
        return Ok(Set { name, pages, known: Known::new(&connect_to, ca_pem)?, _answers: answers });
    }
    let value: Value = serde_json::from_str(&files::text(input)?)?;
    let pages = value["pages"].as_array().into_iter().flatten().filter_map(page_of).collect();
    let server = Server::start(&value["web"].to_string());
    let known = Known::new(&server.connect_to(), server.ca_pem().as_bytes().to_vec())?;
    Ok(Set { name, pages, known, _answers: Answers::Here(server) })
}
