//! A folder with documents, a web for one night, and cited run on both.

use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use cited::audit::Remembered;
use cited::store::Store;

use super::server::{Options, Server};

/// The night of this number, at three o'clock.
pub fn night(number: i64) -> String {
    jiff::Timestamp::from_second(1_767_225_600 + number * 86_400 + 3 * 3600).unwrap().to_string()
}

/// How a run ended.
pub struct Ended {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl Ended {
    pub fn read(output: &Output) -> Ended {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ended { status: output.status.code().unwrap_or(-1), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// What was printed, when the run ended as expected.
    #[track_caller]
    pub fn with(self, status: i32) -> String {
        assert_eq!(self.status, status, "{}\n{}", self.out, self.err);
        self.out
    }

    /// The report.
    #[track_caller]
    pub fn report(self, status: i32) -> serde_json::Value {
        serde_json::from_str(&self.with(status)).unwrap()
    }
}

/// A folder to run cited in.
pub struct World {
    folder: tempfile::TempDir,
}

impl World {
    pub fn new() -> World {
        World { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// cited with these arguments, as cron would start it.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cited"));
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("CITED_")) {
            command.env_remove(name);
        }
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ended {
        Ended::read(&self.command(arguments).output().unwrap())
    }

    /// `cited audit` on a web at a time.
    pub fn audit_command(&self, web: &Server, number: i64, arguments: &[&str]) -> Command {
        let mut command = self.command(&["audit"]);
        command.args(arguments).args(["--now", &night(number)]);
        command.args(manners(web));
        command
    }

    pub fn audit(&self, web: &Server, number: i64, arguments: &[&str]) -> Ended {
        Ended::read(&self.audit_command(web, number, arguments).output().unwrap())
    }

    /// The sources that the state in a file holds.
    pub fn sources(&self, state: &str) -> Vec<Remembered> {
        sources(self.path(state).to_str().unwrap())
    }

    pub fn start(&self, web: &Server, number: i64, arguments: &[&str]) -> Child {
        let mut command = self.audit_command(web, number, arguments);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }
}

/// The sources that a state holds.
pub fn sources(state: &str) -> Vec<Remembered> {
    let held = Store::open(state).unwrap().page(true, i64::MIN, 1 << 20).unwrap();
    held.into_iter().map(|told| told.source).collect()
}

/// Makes sure that there are so many sources, and that each has learnt from exactly one check.
#[track_caller]
pub fn checked_once(held: &[Remembered], sources: usize) {
    let checks = held.iter().map(|source| source.history.iter().map(|one| one.checks).sum::<u32>());
    assert_eq!(checks.collect::<Vec<_>>(), vec![1; sources]);
}

/// The flags by which everything is asked of a web.
pub fn manners(web: &Server) -> Vec<String> {
    let [http, https] = web.connect_to();
    let ca = web.ca_file().display().to_string();
    let fixed =
        ["--cache", "off", "--timeout", "3", "--progress", "never", "--archive", "https://web.archive.org/web/"];
    let mut all: Vec<String> = fixed.iter().map(|&text| text.to_owned()).collect();
    all.extend(["--connect-to".to_owned(), http, "--connect-to".to_owned(), https, "--cacert".to_owned(), ca]);
    all.extend(["--pause".to_owned(), "0".to_owned()]);
    all
}

/// A web by what each address answers.
pub fn web(answers: &[(&str, serde_json::Value)]) -> Server {
    web_with(answers, Options::default())
}

pub fn web_with(answers: &[(&str, serde_json::Value)], options: Options) -> Server {
    let site: serde_json::Map<String, serde_json::Value> =
        answers.iter().map(|(address, answer)| ((*address).to_owned(), answer.clone())).collect();
    Server::start_with(&serde_json::Value::Object(site).to_string(), options)
}

/// A page that is there.
pub fn page(text: &str) -> serde_json::Value {
    serde_json::json!({"title": "A page", "text": text})
}

/// Waits for a file or anything else, for as long as a busy machine may need.
pub fn wait_for(what: &str, is_there: impl Fn() -> bool) {
    let begun = std::time::Instant::now();
    while !is_there() {
        assert!(begun.elapsed().as_secs() < 60, "{what} did not come");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}
