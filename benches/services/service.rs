//! The service that is measured, and the bundle that its calls are answered from.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;

use crate::server::Server;

/// Bytes of the text of a page.
const PAGE: usize = 9_000;

/// A draft and what its sources answered once.
pub struct Bundle {
    /// The draft.
    pub draft: String,
    folder: tempfile::TempDir,
}

impl Bundle {
    /// Verifies a draft against a loopback web and keeps what that answered. Its pages say what the draft says.
    pub fn record(cited: &Path, draft: &str) -> Bundle {
        let web = Server::start(&json!(pages(draft)).to_string());
        let folder = tempfile::tempdir().expect("a scratch folder");
        let bundle = Bundle { draft: draft.to_owned(), folder };
        let path = bundle.folder.path().join("draft.md");
        std::fs::write(&path, draft).expect("the draft is written");
        let [http, https] = web.connect_to();
        let output = Command::new(cited)
            .arg("verify")
            .arg(&path)
            .arg("-o")
            .arg(bundle.folder.path().join("brief.md"))
            .arg("--record")
            .arg(bundle.path())
            .args(["--connect-to", &http, "--connect-to", &https, "--cacert"])
            .arg(web.ca_file())
            .args(["--cache", "off", "--archive", "none", "--pause", "0", "--progress", "never"])
            .output()
            .expect("cited runs");
        assert!(bundle.path().is_file(), "nothing was recorded: {}", String::from_utf8_lossy(&output.stderr));
        bundle
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("web.warc.gz")
    }
}

/// What pages are filled up with.
const PROSE: [&str; 8] = [
    "The board met in the old town hall and heard the engineers before lunch.",
    "Most of what was said there concerned the budget of the coming years, and little was decided.",
    "Visitors who come by train are asked to walk along the river, since the road is being repaired.",
    "A second opinion was asked for, and the answer differed from the first in every point but one.",
    "The archive keeps letters and drawings, which are shown to anybody who asks for them in writing.",
    "Whether the plan is carried out depends on the ministry, which has been silent so far.",
    "Farmers in the valley remember the flood and do not want to see the dam lowered again.",
    "The report closes with thanks to all who helped, and with a list of open questions.",
];

/// A page for each source of a draft: the lines that cite it, between prose of its own.
fn pages(draft: &str) -> BTreeMap<String, serde_json::Value> {
    let (body, list) = draft.split_once("## Sources").expect("the draft has a list of sources");
    let mut pages = BTreeMap::new();
    for (i, entry) in list.lines().filter(|line| !line.is_empty()).enumerate() {
        let Some((title, url)) = entry.split_once(" — ") else { continue };
        let mut prose = PROSE.iter().cycle().skip(i);
        let mut text = String::new();
        for line in body.lines().filter(|line| line.contains(&format!("[{}]", i + 1))) {
            let plain = line.split(" [").map(|part| part.split_once(']').map_or(part, |(_, rest)| rest));
            prose.by_ref().take(3).for_each(|sentence| text.push_str(&format!("{sentence} ")));
            text.push_str(&format!("{}\n\n", plain.collect::<String>()));
        }
        while text.len() < PAGE {
            prose.by_ref().take(4).for_each(|sentence| text.push_str(&format!("{sentence} ")));
            text.push_str("\n\n");
        }
        pages.insert(url.to_owned(), json!({"title": title, "text": text}));
    }
    pages
}

/// A service that ends when it is dropped.
pub struct Service {
    /// Where it listens.
    pub address: SocketAddr,
    child: Child,
}

impl Service {
    /// Starts one that answers from the bundle.
    pub fn start(cited: &Path, bundle: &Bundle, flags: &[&str]) -> Service {
        let mut child = Command::new(cited)
            .args(["serve", "--listen", "127.0.0.1:0", "--rate", "1000000000", "--cache", "off", "--replay"])
            .arg(bundle.path())
            .args(flags)
            .env_remove("CITED_TOKEN")
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("cited runs");
        let mut lines = BufReader::new(child.stderr.take().expect("its standard error")).lines().map_while(Result::ok);
        let address = lines.find_map(|line| line.strip_prefix("listening at http://")?.parse().ok());
        // The log goes on; nobody may wait for its reader.
        std::thread::spawn(move || lines.for_each(drop));
        Service { address: address.expect("the service listens"), child }
    }

    /// Its resident memory and the most there was, in MB, where the system says so.
    pub fn memory(&self) -> String {
        let megabytes = |field| Some(self.status(field)?.trim_end_matches(" kB").parse::<u64>().ok()? / 1024);
        match (megabytes("VmRSS:"), megabytes("VmHWM:")) {
            (Some(now), Some(most)) => format!("{now} MB, at most {most}"),
            _ => "not known".to_owned(),
        }
    }

    /// How many threads it has, where the system says so.
    pub fn threads(&self) -> String {
        self.status("Threads:").unwrap_or_else(|| "not known".to_owned())
    }

    /// A field of what Linux says of it.
    fn status(&self, field: &str) -> Option<String> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        status.lines().find_map(|line| line.strip_prefix(field)).map(|value| value.trim().to_owned())
    }

    /// The processor time that it used, where the system says so.
    pub fn processor(&self) -> Option<Duration> {
        /// Ticks of a second, on all Linux systems of today.
        const TICKS: u64 = 100;
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // Behind the name, which may hold anything, stand the state and numbers: the 12th and 13th word are user and system time.
        let mut numbers = stat.rsplit_once(')')?.1.split_whitespace().skip(11).map(str::parse::<u64>);
        let (user, system) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
        Some(Duration::from_millis((user + system) * 1000 / TICKS))
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
