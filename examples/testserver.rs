//! Serves a described web on loopback: `cargo run --example testserver -- web.json [--latency MS] [--http1] [--ca FILE]
//! [--until-eof]`.
//!
//! Prints one line of JSON with the two ports and the file of the test authority, then serves until it is killed, or
//! with `--until-eof` until its standard input ends: then it prints a second line, with how many requests there were for
//! addresses that the site describes, for how many of them, and how many at most for one.

#[path = "../tests/support/server/mod.rs"]
#[allow(dead_code)]
mod server;

use std::io::{Read, Write};
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let mut web = None;
    let mut ca = None;
    let mut until_eof = false;
    let mut options = server::Options::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--latency" => {
                let value = arguments.next().and_then(|value| value.parse().ok());
                options.latency = Duration::from_millis(value.unwrap_or_default());
            }
            "--http1" => options.http1_only = true,
            "--until-eof" => until_eof = true,
            "--ca" => ca = arguments.next(),
            path => web = Some(path.to_owned()),
        }
    }
    let Some(path) = web else {
        eprintln!("usage: testserver WEB.json [--latency MS] [--http1] [--ca FILE] [--until-eof]");
        return ExitCode::from(2);
    };
    let json = match std::fs::read_to_string(&path) {
        Ok(json) => json,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::from(2);
        }
    };
    let server = server::Server::start_with(&json, options);
    let file = match ca {
        Some(file) => {
            if let Err(error) = std::fs::write(&file, server.ca_pem()) {
                eprintln!("{file}: {error}");
                return ExitCode::from(2);
            }
            file
        }
        None => server.ca_file().display().to_string(),
    };
    let places = serde_json::json!({
        "http": server.http().port(),
        "https": server.https().port(),
        "ca": file,
        "connect_to": server.connect_to(),
    });
    println!("{places}");
    let _ = std::io::stdout().flush();
    if until_eof {
        // A parent that goes away closes the pipe.
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        let served = server.served();
        let counts = serde_json::json!({
            "requests": served.values().sum::<usize>(),
            "addresses": served.len(),
            "most": served.values().max(),
        });
        // Whoever started it may be gone.
        let _ = writeln!(std::io::stdout(), "{counts}");
        return ExitCode::SUCCESS;
    }
    loop {
        std::thread::park();
    }
}
