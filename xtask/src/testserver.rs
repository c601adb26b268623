//! The web of the tests for programs outside of them.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::time::Duration;

use crate::server::{Options, Server};
use crate::{Result, files};

/// Serves a described web on loopback.
///
/// Prints one line of JSON with the two ports and the file of the test authority, then serves until it is killed.
#[derive(clap::Args)]
pub struct Arguments {
    /// What each address answers, as tests/README.md says of `web.json`.
    web: PathBuf,
    /// Milliseconds before every answer.
    #[arg(long, default_value_t = 0)]
    latency: u64,
    /// Speaks HTTP/1.1 only.
    #[arg(long)]
    http1: bool,
    /// Where the certificate of the test authority is written.
    #[arg(long)]
    ca: Option<PathBuf>,
    /// Serves until the standard input ends, then prints a second line: how many requests there were for addresses that the site
    /// describes, for how many of them, and how many at most for one.
    #[arg(long)]
    until_eof: bool,
}

pub fn run(arguments: &Arguments) -> Result {
    let latency = Duration::from_millis(arguments.latency);
    let options = Options { latency, http1_only: arguments.http1, ..Options::default() };
    let server = Server::start_with(&files::text(&arguments.web)?, options);
    if let Some(file) = &arguments.ca {
        std::fs::write(file, server.ca_pem())?;
    }
    let places = serde_json::json!({
        "http": server.http().port(),
        "https": server.https().port(),
        "ca": arguments.ca.clone().unwrap_or_else(|| server.ca_file()),
        "connect_to": server.connect_to(),
    });
    println!("{places}");
    std::io::stdout().flush()?;
    if arguments.until_eof {
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
        return Ok(());
    }
    loop {
        std::thread::park();
    }
}
