//! How the time of each stage grows with the size of a text, for many kinds of pieces repeated.
//!
//! ```text
//! cargo bench --bench growth                     all kinds at 64 and 256 KB
//! cargo bench --bench growth -- quote            kinds with "quote" in their name
//! cargo bench --bench growth -- --size 256       at 256 KB and 1 MB
//! cargo bench --bench growth -- --all            a line for every measurement
//! cargo bench --bench growth -- --stages check,verify
//! ```
//!
//! Each kind is measured by a process of its own, so that one that never ends or runs out of stack or memory is a line of the table
//! and not the end of it. Time is that of the processor where Linux says it, so that other work of the machine counts for little. A
//! line is printed for what took more than [`MOST`] or grew faster than size to the power of [`POWER`]; the exit status is 1 when
//! there was one.

mod pieces;
#[allow(dead_code, reason = "tests need more of it")]
#[path = "../../tests/support/scripted.rs"]
mod scripted;

use std::hint::black_box;
use std::io::Read as _;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use cited::check::{structure::structure, suppression};
use cited::citation::{self, KnownLabels};
use cited::claim::{self, ClaimKind};
use cited::fetch::document::{Limits, read as read_page};
use cited::fetch::transport::{Answer, BodyEnd};
use cited::fetch::{Fetcher, Fetching, Outcome, Page, Request};
use cited::gate::data::Format;
use cited::gate::engine::{self, Engine};
use cited::judge::{ClaimText, Settings, SourceText, judge};
use cited::markdown::Document;
use cited::pipeline::Input;
use cited::source::research::read_research;
use http::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use pieces::{Kind, kinds};
use url::Url;

/// Nothing takes longer at the smaller size.
const MOST: Duration = Duration::from_secs(2);
/// Growth that is taken for linear: sorting, and caches that grow too small, cost a little.
const POWER: f64 = 1.2;
/// What takes less than this at the larger size has no growth that could be measured.
const MEASURABLE: Duration = Duration::from_millis(25);
/// The larger size is so many times the smaller one.
const TIMES: usize = 4;
/// A process that takes longer is ended.
const PATIENCE: Duration = Duration::from_mins(2);
/// Bytes of memory at the peak of a process that are worth a line.
const MOST_MEMORY: u64 = 400 << 20;

type Stage = (&'static str, fn(&Kind, &str));

/// What is measured: a name, and the work on a text of a kind.
const STAGES: &[Stage] = &[
    ("check", |_, text| check(text)),
    ("verify", |kind, text| verify(kind, text, &[])),
    ("research", |kind, text| {
        let notes = format!("{text}\n\n## Sources\n\n1. Title — https://s1.example/1\n");
        let given = ["r.md", "r.bib", "r.json"].map(|path| Input { path: path.into(), text: notes.as_str().into() });
        given[1..].iter().for_each(|input| drop(read_research(&input.path, &input.text)));
        verify(kind, text, &given[..1]);
    }),
    // Short claims and a long page.
    ("judge", |kind, text| {
        let source = SourceText::new(text, "").about(text);
        for claim in [kind.claim(), "Output grew by 5 percent in 2020, Acme said.".to_owned()] {
            black_box(judge(&ClaimText::new(&claim, ClaimKind::Quantitative), &source, &Settings::default()));
        }
    }),
    // A long claim and a short page.
    ("claim", |_, text| {
        let source = SourceText::new("Output grew by 4 percent in 2020, Acme said. It was never so.", "");
        black_box(judge(&ClaimText::new(text, ClaimKind::Plain), &source, &Settings::default()));
    }),
    ("page", |_, text| page(text)),
    ("table", |_, text| table(text)),
];

fn check(text: &str) {
    let document = Document::read(text);
    let citations = citation::read(&document, &KnownLabels::default());
    let findings = structure(&citations);
    black_box(suppression::read(&document));
    black_box(cited::check::items(&findings, |_| Some(text)));
    black_box(claim::split(&document, &citations));
}

/// Sources of three kinds: there, with a page of the same pieces; dead; out of reach.
struct Web(String);

impl Fetcher for Web {
    fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a> {
        // By all its bytes: addresses of one kind differ in digits, and their lengths in steps.
        let outcome = |address: &str| match address.bytes().map(usize::from).sum::<usize>() % 3 {
            0 => Outcome::Dead,
            1 => Outcome::Unreachable,
            _ => Outcome::Live,
        };
        let mut fetched = scripted::answer(request, outcome);
        if fetched.outcome.is_readable() {
            fetched.page = Some(Page::of_text(self.0.as_str(), "text/plain"));
        }
        Box::pin(std::future::ready(fetched))
    }
}

fn verify(kind: &Kind, text: &str, research: &[Input]) {
    let web = Web(format!("{}\n\nOutput grew by 4 percent in 2020.", kind.text(1000)));
    let options = cited::pipeline::Options { support: true, notes: true, ..scripted::options() };
    let list = "## Sources\n\n1. Title — https://s1.example/1\n2. Title — https://s22.example/2\n";
    let draft =
        format!("Output grew by 4 percent in 2020 [1] and fell [2].\n\n{text}\n\nIt fell by 3 percent [2].\n\n{list}");
    drop(black_box(scripted::run(&draft, research, &web, &options)));
}

fn page(text: &str) {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    let body = format!("<html><head><title>{text}</title></head><body><main>{text}</main></body></html>");
    let answer = Answer { status: 200, headers, body: body.into(), end: BodyEnd::Complete };
    let url = Url::parse("https://s.example/a/page.html").expect("a fixed address");
    let limits = Limits { max_body: 64 << 20, ..Limits::default() };
    let document = read_page(&answer, &url, &limits);
    cited::fetch::liveness::wall::find(answer.status, &answer.headers, &document, &url, &url);
    black_box(cited::fetch::liveness::absence::find_doubt(&document, &url));
}

fn table(text: &str) {
    for format in [Format::Csv, Format::Tsv, Format::Json, Format::Ndjson] {
        let mut engine = Engine::new(engine::TIME).expect("there is memory");
        drop(black_box(engine.load_records("t.csv", format, text.as_bytes())));
    }
}

/// Time of the processor that this thread has had.
fn now(start: Instant) -> Duration {
    let of_linux = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = of_linux.and_then(|stat| stat.split(' ').next()?.parse().ok()).map(Duration::from_nanos);
    nanoseconds.unwrap_or_else(|| start.elapsed())
}

/// How long `work` takes: the mean of as many rounds as it takes to tell.
fn timed(work: impl Fn()) -> Duration {
    /// The clock of a thread moves in steps.
    const ENOUGH: Duration = Duration::from_millis(50);
    let start = Instant::now();
    let before = now(start);
    let mut rounds = 0;
    loop {
        work();
        rounds += 1;
        let spent = now(start).saturating_sub(before);
        if spent > ENOUGH || start.elapsed() > 4 * ENOUGH {
            return spent / rounds;
        }
    }
}

/// The process of one kind: a line for each stage, and what memory it took.
fn measure(name: &str, size: usize, stages: &[Stage]) {
    let Some(kind) = kinds().into_iter().find(|kind| kind.name == name) else { return };
    // Tables are read at their first use.
    let warm = kind.text(1000);
    stages.iter().for_each(|(_, work)| work(&kind, &warm));
    let [small_text, large_text] = [kind.text(size), kind.text(size * TIMES)];
    for (name, work) in stages {
        println!("at {name}");
        let small = timed(|| work(&kind, &small_text));
        // What is too slow already need not be waited for.
        let large = if small > MOST { Duration::ZERO } else { timed(|| work(&kind, &large_text)) };
        println!("{} {} {}", small.as_nanos(), large.as_nanos(), peak().unwrap_or(0));
    }
}

fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

struct Arguments {
    size: usize,
    all: bool,
    stages: Vec<Stage>,
    one: Option<String>,
    names: Vec<String>,
}

fn arguments() -> Arguments {
    let mut given = std::env::args().skip(1);
    let mut read = Arguments { size: 64 << 10, all: false, stages: STAGES.to_vec(), one: None, names: Vec::new() };
    while let Some(argument) = given.next() {
        let mut value = || given.next().unwrap_or_default();
        match argument.as_str() {
            // Handed over by cargo.
            "--bench" => {}
            "--all" => read.all = true,
            "--size" => read.size = value().parse::<usize>().map_or(read.size, |kilobytes| kilobytes << 10),
            "--stages" => {
                let wanted = value();
                read.stages.retain(|(name, _)| wanted.split(',').any(|wanted| wanted == *name));
            }
            "--one" => read.one = Some(value()),
            _ => read.names.push(argument),
        }
    }
    read
}

/// What a process said, and how it ended when it did not end well.
fn ask(kind: &str, arguments: &Arguments) -> (String, Option<String>) {
    let Ok(program) = std::env::current_exe() else { return (String::new(), Some("no program".to_owned())) };
    let stages: Vec<&str> = arguments.stages.iter().map(|(name, _)| *name).collect();
    let size = (arguments.size >> 10).to_string();
    let mut command = Command::new(program);
    command.args(["--one", kind, "--size", &size, "--stages", &stages.join(",")]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = child else { return (String::new(), Some("could not be started".to_owned())) };
    let start = Instant::now();
    let ended = loop {
        match child.try_wait() {
            Ok(Some(status)) => break (!status.success()).then(|| status.to_string()),
            Ok(None) if start.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(5)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                break Some(format!("not done after {PATIENCE:?}"));
            }
        }
    };
    let mut said = String::new();
    if let Some(mut pipe) = child.stdout.take() {
        let _ = pipe.read_to_string(&mut said);
    }
    (said, ended)
}

fn main() -> ExitCode {
    let arguments = arguments();
    if let Some(one) = &arguments.one {
        measure(one, arguments.size, &arguments.stages);
        return ExitCode::SUCCESS;
    }
    let wanted =
        |kind: &Kind| arguments.names.is_empty() || arguments.names.iter().any(|name| kind.name.contains(name));
    let kinds: Vec<Kind> = kinds().into_iter().filter(wanted).collect();
    let (mut measured, mut faults) = (0, 0);
    println!("{:<44} {:<9} {:>9} {:>9} {:>6} {:>7}", "kind", "stage", "small ms", "large ms", "power", "peak MB");
    for kind in &kinds {
        let (said, ended) = ask(&kind.name, &arguments);
        let mut stage = "";
        for line in said.lines() {
            if let Some(name) = line.strip_prefix("at ") {
                stage = name;
                continue;
            }
            let mut figures = line.split(' ').filter_map(|figure| figure.parse::<u64>().ok());
            let (Some(small), Some(large), Some(peak)) = (figures.next(), figures.next(), figures.next()) else {
                continue;
            };
            let [small, large] = [small, large].map(Duration::from_nanos);
            let power = (large.as_secs_f64() / small.as_secs_f64().max(1e-9)).log(TIMES as f64);
            let grows = power > POWER && large > MEASURABLE;
            let fault = small > MOST || grows || peak > MOST_MEMORY;
            measured += 1;
            faults += usize::from(fault);
            if fault || arguments.all {
                let [small, large] = [small, large].map(|time| time.as_secs_f64() * 1e3);
                let peak = peak as f64 / 1e6;
                println!("{:<44} {stage:<9} {small:>9.2} {large:>9.2} {power:>6.2} {peak:>7.1}", kind.name);
            }
        }
        if let Some(ended) = ended {
            faults += 1;
            println!("{:<44} {stage:<9} {ended}", kind.name);
        }
    }
    println!("{} kinds, {measured} measurements, {faults} too slow", kinds.len());
    if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
