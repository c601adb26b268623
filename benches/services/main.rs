//! What `cited serve` costs under load: answers to many clients at once, and memory over many calls.
//!
//! ```text
//! cargo bench --bench services --features serve                     all of it, a few minutes
//! cargo bench --bench services --features serve -- load             200 clients at once
//! cargo bench --bench services --features serve -- memory --draft 2000  over 10,000 calls with a short draft
//! … -- --cited PROGRAM                                                  measures another build
//! ```
//!
//! Every call is `verify_draft` with a draft of 40 KB (`--draft BYTES`) that has a source for each 4 KB, with pages of 9 KB that are
//! replayed from a bundle: nothing but loopback is asked. Clients and service share the processors. The exit status is 1 when a call was answered otherwise
//! than it has to be.

mod client;
#[allow(dead_code, reason = "the other benchmarks count what is in a draft")]
#[path = "../draft/mod.rs"]
mod draft;
#[allow(dead_code, reason = "tests need more of it")]
#[path = "../../tests/support/server/mod.rs"]
mod server;
mod service;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use client::Connection;
use service::{Bundle, Service};

/// Bytes of the draft, unless another size is asked for.
const DRAFT: usize = 40_000;
/// Clients of the measurement of memory: as many as calls run at once.
const STEADY: usize = 8;
/// Lines of the table of memory.
const LINES: usize = 10;

struct Wanted {
    load: bool,
    memory: bool,
    calls: usize,
    clients: usize,
    rounds: usize,
    draft: usize,
    cited: PathBuf,
}

impl Wanted {
    fn read() -> Result<Wanted, String> {
        let mut wanted = Wanted {
            load: false,
            memory: false,
            calls: 10_000,
            clients: 200,
            rounds: 5,
            draft: DRAFT,
            cited: PathBuf::from(env!("CARGO_BIN_EXE_cited")),
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut number = || {
                let value = arguments.next().and_then(|value| value.parse().ok());
                value.filter(|value| *value > 0).ok_or(format!("{argument}: needs a number over 0"))
            };
            match argument.as_str() {
                // cargo's own.
                "--bench" => {}
                "load" => wanted.load = true,
                "memory" => wanted.memory = true,
                "--calls" => wanted.calls = number()?,
                "--clients" => wanted.clients = number()?,
                "--rounds" => wanted.rounds = number()?,
                "--draft" => wanted.draft = number()?,
                "--cited" => wanted.cited = arguments.next().ok_or("--cited: needs a program")?.into(),
                other => return Err(format!("{other}: is not known; see the beginning of benches/services/main.rs")),
            }
        }
        if !wanted.load && !wanted.memory {
            (wanted.load, wanted.memory) = (true, true);
        }
        Ok(wanted)
    }
}

fn main() -> ExitCode {
    let wanted = match Wanted::read() {
        Ok(wanted) => wanted,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    // The list alone names pages: what is linked in passing is not there to be asked.
    let text = draft::draft(wanted.draft).text;
    let text: String = text
        .split("](https://plants")
        .map(|part| part.split_once(".example/a)").map_or(part, |(_, rest)| rest))
        .collect();
    let bundle = Bundle::record(&wanted.cited, &text.replace("[the old plants", "the old plants"));
    let call = serde_json::json!({"text": bundle.draft}).to_string();
    let mut right = true;
    if wanted.load {
        println!(
            "| {} clients at once, {} calls each | 200 | 429 | other | calls/s | p50 ms | p99 ms | slowest ms | processor ms a call | memory at the end |",
            wanted.clients, wanted.rounds
        );
        println!("|---|---|---|---|---|---|---|---|---|---|");
        // With room for all of them no call fails; with the usual room what is too much is refused at once, and nothing else is.
        let room = wanted.clients.to_string();
        for (name, flags, all) in
            [("under the limits", &["--queue", room.as_str()][..], true), ("over the limits", &[], false)]
        {
            let service = Service::start(&wanted.cited, &bundle, flags);
            let load = load(&service, &call, wanted.clients, wanted.rounds);
            println!("{}", load.line(name, &service));
            let refused = load.count(429);
            right &= load.count(200) + refused == load.took.len() && (!all || refused == 0) && load.count(200) > 0;
        }
    }
    if wanted.memory {
        right &= memory(&Service::start(&wanted.cited, &bundle, &[]), &call, wanted.calls);
    }
    if right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What calls were answered with, and how long each took.
struct Load {
    took: Vec<(u16, Duration)>,
    wall: Duration,
}

/// All clients begin at once, and each sends its next call when the one before is answered.
fn load(service: &Service, call: &str, clients: usize, rounds: usize) -> Load {
    let (all, gate) = (Mutex::new(Vec::new()), Barrier::new(clients));
    let begun = Instant::now();
    thread::scope(|scope| {
        for _ in 0..clients {
            scope.spawn(|| {
                let mut connection = Connection::open(service.address);
                gate.wait();
                let took: Vec<_> = (0..rounds).map(|_| connection.call(call)).collect();
                all.lock().expect("no client panics").extend(took);
            });
        }
    });
    Load { took: all.into_inner().expect("no client panics"), wall: begun.elapsed() }
}

impl Load {
    fn count(&self, status: u16) -> usize {
        self.took.iter().filter(|(got, _)| *got == status).count()
    }

    fn line(&self, name: &str, service: &Service) -> String {
        let mut done: Vec<Duration> =
            self.took.iter().filter(|(status, _)| *status == 200).map(|(_, took)| *took).collect();
        done.sort();
        let at = |part: f64| done.get(((done.len() as f64 * part) as usize).min(done.len().saturating_sub(1)));
        let ms = |part: f64| at(part).map_or(0.0, |took| took.as_secs_f64() * 1000.0);
        let (done, refused) = (done.len(), self.count(429));
        let processor = service
            .processor()
            .map_or("not known".to_owned(), |used| format!("{:.0}", used.as_secs_f64() * 1000.0 / done.max(1) as f64));
        format!(
            "| {name} | {done} | {refused} | {} | {:.1} | {:.0} | {:.0} | {:.0} | {processor} | {} |",
            self.took.len() - done - refused,
            done as f64 / self.wall.as_secs_f64(),
            ms(0.5),
            ms(0.99),
            ms(1.0),
            service.memory()
        )
    }
}

/// A few clients call for a long time; memory is read on the way.
fn memory(service: &Service, call: &str, calls: usize) -> bool {
    println!("\n| calls | memory | threads | processor ms a call |\n|---|---|---|---|");
    let (begun, statuses) = (AtomicUsize::new(0), Arc::new(Mutex::new(BTreeMap::<u16, usize>::new())));
    let (each, mut before) = (calls.div_ceil(LINES), Duration::ZERO);
    println!("| 0 | {} | {} | |", service.memory(), service.threads());
    let mut done = 0;
    while done < calls {
        let until = (done + each).min(calls);
        thread::scope(|scope| {
            for _ in 0..STEADY {
                scope.spawn(|| {
                    let mut connection = Connection::open(service.address);
                    while begun.fetch_add(1, Ordering::Relaxed) < until {
                        let (status, _) = connection.call(call);
                        *statuses.lock().expect("no client panics").entry(status).or_default() += 1;
                    }
                });
            }
        });
        begun.store(until, Ordering::Relaxed);
        let used = service.processor().unwrap_or_default();
        let each = (used.saturating_sub(before)).as_secs_f64() * 1000.0 / (until - done) as f64;
        println!("| {until} | {} | {} | {each:.0} |", service.memory(), service.threads());
        (done, before) = (until, used);
    }
    let statuses = statuses.lock().expect("no client panics").clone();
    println!("\nanswers by status: {statuses:?}");
    statuses.len() == 1 && statuses.contains_key(&200)
}
