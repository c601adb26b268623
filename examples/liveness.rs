//! Looks at the addresses on standard input and prints one JSON object a line, as `cited show - --format json` does, with
//! limits that can be turned: `liveness [--allow-net CIDR] [--cacert FILE] [--concurrency N] [--per-host N]
//! [--pause MS] [--timeout MS] [--second-look MS] [--retries N] [--backoff MS] [--archive URL|none] [--record FILE]
//! [--replay FILE] [--cache DIR] [--connect-to ROUTE] [--glance]
//! [--quiet]`.
//!
//! A measuring tool: with `--quiet` it prints only how many addresses had which outcome, and how long it took.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use cited::fetch::{Bundle, CachePlace, Endpoint, Network, Request, Settings, Shown, fetch_each, pdf, time_is_over};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some(pdf::ARGUMENT) {
        return pdf::serve(arguments.next().as_deref());
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let mut settings = Settings { archives: Vec::new(), pdf: pdf::PdfReader::ourselves(200), ..Settings::default() };
    let (mut quiet, mut glance) = (false, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        if name == "--quiet" {
            quiet = true;
            continue;
        }
        if name == "--glance" {
            glance = true;
            continue;
        }
        let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|error| format!("{name}: {error}"));
        let millis = || number().map(Duration::from_millis);
        match name.as_str() {
            "--allow-net" => settings.allow_net.push(value.parse().map_err(|error| format!("{name}: {error}"))?),
            "--connect-to" => settings.connect_to.push(value.parse()?),
            "--cacert" => settings.extra_ca_pem.push(std::fs::read(&value).map_err(|error| error.to_string())?),
            "--concurrency" => settings.concurrency = number()? as usize,
            "--per-host" => settings.per_host = number()? as usize,
            "--pause" => settings.host_pause = millis()?,
            "--timeout" => settings = settings.with_timeout(millis()?),
            "--second-look" => settings.second_look_after = millis()?,
            "--retries" => settings.retries = number()? as u32,
            "--backoff" => settings.backoff = millis()?,
            "--record" => settings.bundle = Bundle::Record(value.into()),
            "--replay" => settings.bundle = Bundle::Replay(value.into()),
            "--cache" => {
                let max_age = Duration::from_hours(24);
                settings.cache = Some(CachePlace { folder: value.into(), max_age });
            }
            "--archive" if value == "none" => settings.archives.clear(),
            "--archive" => settings.archives.push(Endpoint::parse(&value)?),
            _ => return Err(format!("unknown: {name}")),
        }
    }
    let lines = std::io::stdin().lock().lines();
    let requests = lines.map_while(Result::ok).map(|line| line.trim().to_owned()).filter(|line| !line.is_empty());
    let requests = requests.map(|url| Request { addresses: vec![url], glance, ..Request::default() });
    let at_once = (settings.concurrency * 2).max(1024);
    let network = Network::new(settings).map_err(|error| error.to_string())?;
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let start = Instant::now();
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut out = std::io::BufWriter::new(std::io::stdout());
    runtime.block_on(fetch_each(&network, requests, at_once, time_is_over(None), |_, fetched| {
        *counts.entry(fetched.outcome.as_str()).or_default() += 1;
        if !quiet && let Ok(line) = serde_json::to_string(&Shown::of(&fetched)) {
            let _ = writeln!(out, "{line}");
        }
    }));
    let _ = out.flush();
    network.finish().map_err(|error| error.to_string())?;
    eprintln!("{:.3} s  {counts:?}  at fault: {}", start.elapsed().as_secs_f64(), network.network_at_fault());
    Ok(())
}
