//! A PostgreSQL server for tests: a real one, in a folder of its own, that ends with the process that started it.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Where Debian and others put what is in no path.
const PLACES: [&str; 4] = ["/usr/lib/postgresql", "/usr/pgsql", "/opt/homebrew/opt", "/usr/local/opt"];

/// A database of its own.
pub struct Server {
    /// `postgres://…`
    pub address: String,
}

struct Running {
    folder: tempfile::TempDir,
    bin: PathBuf,
    port: u16,
    made: AtomicU32,
    /// While its standard input is open, the server runs.
    _guard: Child,
}

static RUNNING: OnceLock<Option<Running>> = OnceLock::new();

impl Server {
    /// An empty database on the server of this process; `None`, with a word, where there is no PostgreSQL.
    pub fn start() -> Option<Server> {
        let running = RUNNING.get_or_init(|| {
            let running =
                bin().and_then(|bin| Running::start(bin).map_err(|error| eprintln!("PostgreSQL: {error}")).ok());
            assert!(
                running.is_some() || std::env::var_os("CITED_NEEDS_POSTGRES").is_none(),
                "PostgreSQL is needed here and does not start"
            );
            running
        });
        let Some(running) = running else {
            eprintln!("skipped: there is no PostgreSQL here (Debian: apt-get install postgresql)");
            return None;
        };
        let name = format!("audit{}", running.made.fetch_add(1, Ordering::Relaxed));
        running.sql("postgres", &format!("CREATE DATABASE {name}"));
        Some(Server { address: format!("postgres://tester:secret@127.0.0.1:{}/{name}", running.port) })
    }

    /// Carries a statement out in this database.
    pub fn sql(&self, statement: &str) -> String {
        let name = self.address.rsplit('/').next().unwrap();
        RUNNING.get().and_then(Option::as_ref).unwrap().sql(name, statement)
    }

    /// Restarts the server under everybody, and waits until this database answers.
    pub fn restart(&self) {
        RUNNING.get().and_then(Option::as_ref).unwrap().control(&["restart", "-m", "immediate"]);
        self.sql("SELECT 1");
    }
}

impl Running {
    fn start(bin: PathBuf) -> std::io::Result<Running> {
        let folder = tempfile::Builder::new().prefix("cited-postgres").tempdir()?;
        let data = folder.path().join("data");
        std::fs::create_dir(&data)?;
        std::fs::write(folder.path().join("password"), "secret\n")?;
        if is_root() {
            let owner = format!("{}", folder.path().display());
            run(Command::new("chown").args(["-R", "postgres", &owner]))?;
        }
        let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let password = folder.path().join("password");
        run(as_user(&bin.join("initdb"))
            .args(["-U", "tester", "-A", "password", "--no-sync", "-E", "UTF8", "--locale=C", "--pwfile"])
            .arg(password)
            .arg("-D")
            .arg(&data))?;
        let settings = format!(
            "port = {port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nfsync = off\nmax_connections = 200\nlog_min_messages = fatal\n"
        );
        let file = data.join("postgresql.conf");
        let known = std::fs::read_to_string(&file)?;
        std::fs::write(&file, known + &settings)?;
        // Its standard input is closed when this process ends, however it ends.
        let script = "trap '' INT TERM; read -r _; \"$0\" stop -m immediate -D \"$1\" >/dev/null 2>&1; rm -rf \"$2\"";
        let guard = as_user(Path::new("sh"))
            .arg("-c")
            .arg(script)
            .arg(bin.join("pg_ctl"))
            .arg(&data)
            .arg(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let running = Running { folder, bin, port, made: AtomicU32::new(0), _guard: guard };
        running.control(&["start"]);
        Ok(running)
    }

    fn control(&self, what: &[&str]) {
        let data = self.folder.path().join("data");
        let log = self.folder.path().join("log");
        let mut command = as_user(&self.bin.join("pg_ctl"));
        command.args(what).arg("-w").arg("-D").arg(data).arg("-l").arg(log).stdout(Stdio::null()).stderr(Stdio::null());
        let status = command.status().unwrap();
        assert!(status.success(), "pg_ctl {what:?}: {status}");
    }

    fn sql(&self, database: &str, statement: &str) -> String {
        let address = format!("postgres://tester:secret@127.0.0.1:{}/{database}", self.port);
        for _ in 0..50 {
            let out = Command::new(self.bin.join("psql")).args([&address, "-Atqc", statement]).output().unwrap();
            if out.status.success() {
                return String::from_utf8_lossy(&out.stdout).trim().to_owned();
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        panic!("{statement} is not carried out");
    }
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|out| out.stdout.trim_ascii() == b"0")
}

/// PostgreSQL does not run as root.
fn as_user(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(program);
    command
}

fn run(command: &mut Command) -> std::io::Result<()> {
    let out = command.output()?;
    if out.status.success() {
        return Ok(());
    }
    Err(std::io::Error::other(format!("{command:?}: {}", String::from_utf8_lossy(&out.stderr))))
}

/// The folder of the server's programs.
fn bin() -> Option<PathBuf> {
    let versions = PLACES.iter().filter_map(|place| std::fs::read_dir(place).ok()).flatten().flatten();
    let mut found: Vec<PathBuf> =
        versions.map(|entry| entry.path().join("bin")).filter(|bin| bin.join("initdb").exists()).collect();
    found.sort();
    found.pop()
}
