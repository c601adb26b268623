//! `cited mcp` and `cited serve` as their clients see them: over pipes and sockets, with a loopback web behind them.
//!
//! Clients of others are in `services/clients.rs`, those that mean harm in `services/hostile.rs` and `services/inside.rs`.

#![allow(
    clippy::needless_pass_by_value,
    clippy::format_collect,
    reason = "calls read as they are written, and texts are short"
)]

#[path = "services/clients.rs"]
mod clients;
#[path = "services/hostile.rs"]
mod hostile;
#[path = "services/inside.rs"]
mod inside;
#[path = "services/pages.rs"]
mod pages;
#[path = "support/server/mod.rs"]
#[allow(dead_code)]
mod server;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use server::Server;

const CITED: &str = env!("CARGO_BIN_EXE_cited");
const WEB: &str = r#"{
    "http://a.example/bridge": {"title": "The bridge", "text": "The bridge opened in 1932. It carries eight lanes of traffic over the harbour, and trains run on its eastern side."}
}"#;

/// The tools, in their order.
const TOOLS: [&str; 7] =
    ["verify_draft", "verify_citations", "check_claim", "check_references", "show_source", "gate", "explain"];

/// Flags that lead `a.example` to the loopback web and keep everything else as it is.
fn flags(web: &Server) -> Vec<String> {
    let to = format!("a.example:80:{}:{}", web.http().ip(), web.http().port());
    ["--connect-to", &to, "--cache", "off", "--archive", "none", "--timeout", "3"].map(str::to_owned).to_vec()
}

/// A service that ends with the test.
struct Service {
    child: Child,
    address: SocketAddr,
}

impl Service {
    fn start(flags: &[String], token: Option<&str>) -> Service {
        let mut command = Command::new(CITED);
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(flags).stderr(Stdio::piped()).stdin(Stdio::null());
        command.env_remove("CITED_TOKEN");
        if let Some(token) = token {
            command.env("CITED_TOKEN", token);
        }
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let first =
            lines.find_map(|line| line.unwrap().strip_prefix("listening at http://").map(str::to_owned)).unwrap();
        // The log goes on; nobody may wait for its reader.
        std::thread::spawn(move || lines.for_each(drop));
        Service { child, address: first.parse().unwrap() }
    }

    /// A request as it stands on the wire; gives the status, the head in lower case and the body.
    fn raw(&self, request: &[u8]) -> (u16, String, String) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        // A request that is refused early is not read to its end.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let body =
            if head.to_lowercase().contains("transfer-encoding: chunked") { unchunked(body) } else { body.to_owned() };
        (status, head.to_lowercase(), body)
    }

    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&Value>) -> (u16, String, Value) {
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut request =
            format!("{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            request.push_str(&format!("host: {}\r\n", self.address));
        }
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
            request.push_str("content-type: application/json\r\n");
        }
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        let (status, head, body) = self.raw(format!("{request}\r\n{body}").as_bytes());
        let value = serde_json::from_str(&body).unwrap_or(Value::String(body));
        (status, head, value)
    }

    /// A field of what Linux says of its memory, in kB.
    fn memory(&self, field: &str) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let value = status.lines().find_map(|line| line.strip_prefix(field))?;
        value.trim().trim_end_matches(" kB").parse().ok()
    }

    fn tool(&self, name: &str, arguments: &Value) -> (u16, Value) {
        let (status, _, body) = self.ask("POST", &format!("/v1/tools/{name}"), &[], Some(arguments));
        (status, body)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn unchunked(mut body: &str) -> String {
    let mut out = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 || rest.len() < size {
            break;
        }
        out.push_str(&rest[..size]);
        body = rest[size..].trim_start_matches("\r\n");
    }
    out
}

#[test]
fn tools_over_http() {
    let web = Server::start(WEB);
    let service = Service::start(&flags(&web), None);
    let (status, body) = service.tool(
        "check_claim",
        &json!({"claim": "The bridge opened in 1932.", "pages": [{"url": "http://a.example/bridge"}]}),
    );
    assert_eq!((status, &body["result"]["verdict"]), (200, &json!("supported")), "{body:#}");
    assert_eq!(body["result"]["pages"][0]["passage"]["text"], "The bridge opened in 1932.");
    let draft = "# B\n\nThe bridge opened in 1932 [1]. The bridge opened in 1958 [1].\n\n## Sources\n\n[1] The bridge. http://a.example/bridge\n";
    let (status, body) = service.tool("verify_draft", &json!({"text": draft}));
    assert_eq!((status, &body["result"]["verdict"]), (200, &json!("pass_with_notes")), "{body:#}");
    let brief = body["result"]["brief"].as_str().unwrap();
    // What went is named with its reason, and cites nothing any more.
    assert!(brief.contains("opened in 1932 [1].\n") && !brief.contains("1958 [1]"), "{brief}");
    assert!(brief.contains("“The bridge opened in 1958.” — number not in source: 1958 (source has 1932)"), "{brief}");
    let ledger = json!({"summary": "Sales rose 15% in May.",
        "claims": [{"id": "n1", "kind": "number", "statement": "Sales rose 15% in May", "metric": "rise", "value": 15}],
        "metrics": {"rise": "SELECT pct_change(sum(amount) FILTER (WHERE month = 'may'), sum(amount) FILTER (WHERE month = 'april')) FROM sales"}});
    let data = json!([{"name": "sales.csv", "content": "month,amount\napril,400\nmay,460\n"}]);
    let (status, body) = service.tool("gate", &json!({"ledger": ledger, "data": data}));
    assert_eq!((status, &body["result"]["accepted"]), (200, &json!(true)), "{body:#}");
    let (status, body) = service.tool("gate", &seed_ledger());
    assert_eq!((status, &body["result"]["accepted"]), (200, &json!(true)), "{body:#}");
    let mut fallen = seed_ledger();
    for place in ["/ledger/summary", "/ledger/claims/0/statement"] {
        let words = fallen.pointer(place).unwrap().as_str().unwrap().replace("rose", "fell");
        *fallen.pointer_mut(place).unwrap() = json!(words);
    }
    let (status, body) = service.tool("gate", &fallen);
    assert_eq!((status, &body["result"]["accepted"]), (200, &json!(false)), "{body:#}");
    // Metrics of the caller win over those of the ledger.
    let callers = json!({"rise": "SELECT sum(amount) FROM sales"});
    let (status, body) = service.tool("gate", &json!({"ledger": ledger, "data": data, "metrics": callers}));
    assert_eq!((status, &body["result"]["accepted"]), (200, &json!(false)), "{body:#}");
    let mut wrong = ledger.clone();
    wrong["claims"][0]["value"] = json!(25);
    let (status, body) = service.tool("gate", &json!({"ledger": wrong, "data": data}));
    assert_eq!((status, &body["result"]["accepted"]), (200, &json!(false)), "{body:#}");
    let (status, body) = service.tool("show_source", &json!({"url": "http://a.example/bridge", "max_chars": 10}));
    assert_eq!((status, &body["result"]["outcome"]), (200, &json!("live")), "{body:#}");
    assert!(body["result"]["next_offset"].is_u64());
    let (status, _, document) = service.ask("GET", "/openapi.json", &[], None);
    assert_eq!((status, &document["openapi"]), (200, &json!("3.1.0")));
    let (status, _, metrics) = service.ask("GET", "/metrics", &[], None);
    assert!(
        status == 200 && metrics.as_str().unwrap().contains("route=\"/v1/tools/{name}\",status=\"200\"} 8"),
        "{metrics}"
    );
}

/// The examples of the documentation of `AgentOS`, and what comes out here: docs/services.md has the same table.
#[cfg(unix)]
#[test]
fn citations_as_agentos_documents_them() {
    let web = Server::start(
        r#"{"http://a.example/mars": {"title": "Mars", "text": "Mars has two moons, Phobos and Deimos."}}"#,
    );
    let flags: Vec<String> =
        flags(&web).into_iter().chain(["--search", "echo http://a.example/mars"].map(str::to_owned)).collect();
    let service = Service::start(&flags, None);
    let tokyo = json!([
        {"content": "Tokyo proper has a population of about 14 million.", "url": "https://example.com"},
        {"content": "Tokyo is the capital of Japan, established in 1603.", "url": "https://example.com/history"},
    ]);
    let light = json!([{"content": "Light travels at 299,792 km/s in vacuum.", "title": "Physics Reference"}]);
    let sun = json!([{"content": "The Earth orbits the Sun at an average distance of 149.6 million km."}]);
    let (status, body) = service.tool("check_claim", &json!({"claim": "Mars has two moons."}));
    let found = &body["result"];
    assert_eq!((status, &found["searched"], &found["verdict"]), (200, &json!(true), &json!("supported")), "{body:#}");
    assert_eq!(found["pages"][0]["page"], "http://a.example/mars", "{body:#}");
    for (arguments, verdicts, summary, grounded) in [
        (
            json!({"text": "Tokyo has 14 million people. It was founded in 1457.", "sources": tokyo}),
            &["supported", "unverifiable"][..],
            "1/2 claims verified (50%)",
            true,
        ),
        (
            json!({"text": "The speed of light is 300,000 km/s in a vacuum.", "sources": light}),
            &["weak"],
            "0/1 claims verified (0%)",
            false,
        ),
        (
            json!({"text": "The Earth orbits the Sun at ~150 million km.", "sources": sun}),
            &["supported"],
            "1/1 claims verified (100%)",
            true,
        ),
        (
            json!({"text": "The Earth orbits the Sun at ~150 million km.", "webFallback": true,
                "sources": [{"content": "Earth's orbital distance averages 149.6 million km."}]}),
            &["supported"],
            "1/1 claims verified (100%)",
            true,
        ),
        (
            json!({"claims": ["Mars has two moons."], "sources": sun, "webFallback": true}),
            &["supported"],
            "1/1 claims verified (100%)",
            true,
        ),
    ] {
        for compat in ["cited", "agentos"] {
            let mut arguments = arguments.clone();
            arguments["compat"] = json!(compat);
            let (status, body) = service.tool("verify_citations", &arguments);
            let result = &body["result"];
            let found: Vec<&Value> =
                result["claims"].as_array().unwrap().iter().map(|claim| &claim["verdict"]).collect();
            assert_eq!(
                (status, found),
                (200, verdicts.iter().map(|word| json!(word)).collect::<Vec<_>>().iter().collect()),
                "{body:#}"
            );
            assert_eq!(
                (&result["summary"], &result["overallGrounded"]),
                (&json!(summary), &json!(grounded)),
                "{body:#}"
            );
            // Only what no source shows is searched for.
            let searched = arguments["claims"].is_array();
            assert_eq!(result["claims"][0]["webVerified"] == true, searched, "{body:#}");
        }
    }
}

/// What is refused, with its status and as problem details.
#[test]
fn requests_that_are_refused() {
    let service = Service::start(&["--rate".to_owned(), "10000".to_owned()], None);
    let explain = json!({"code": "dead-source"});
    let host = service.address.to_string();
    let own = format!("http://{host}");
    for (method, path, headers, body, status) in [
        ("POST", "/v1/tools/explain", &[][..], Some(&explain), 200),
        ("GET", "/nothing", &[], None, 404),
        ("POST", "/v1/tools/nothing", &[], Some(&explain), 404),
        ("GET", "/v1/tools/explain", &[], None, 405),
        ("DELETE", "/openapi.json", &[], None, 405),
        ("GET", "/v1/jobs/00000000", &[], None, 404),
        ("GET", "/v1/jobs/%ff", &[], None, 404),
        ("DELETE", "/v1/jobs/%ff", &[], None, 404),
        ("GET", "/v1/jobs/%00", &[], None, 404),
        ("GET", "/v1/jobs/%ff/events", &[], None, 404),
        ("GET", "/reports/%ff", &[], None, 404),
        ("POST", "/v1/tools/%ff", &[], Some(&explain), 404),
        ("POST", "/v1/tools/explain", &[("content-type", "text/plain")], Some(&explain), 415),
        ("POST", "/v1/tools/explain", &[("content-type", "application/x-www-form-urlencoded")], Some(&explain), 415),
        ("POST", "/v1/tools/explain", &[], Some(&json!({"kode": 1})), 422),
        ("POST", "/v1/tools/explain", &[], Some(&json!([1])), 422),
        ("POST", "/v1/tools/verify_draft", &[], Some(&json!({"path": "/etc/passwd"})), 403),
        ("POST", "/v1/tools/explain", &[], Some(&json!([])), 422),
        ("POST", "/v1/jobs", &[], Some(&json!({"tool": "nothing"})), 422),
        ("POST", "/v1/jobs", &[], Some(&json!(["explain"])), 422),
        ("POST", "/v1/jobs", &[], Some(&json!({"tool": "explain", "arguments": []})), 422),
        ("POST", "/v1/jobs", &[], Some(&json!({"arguments": {}})), 422),
        ("GET", "/healthz", &[("host", "evil.example")], None, 421),
        ("POST", "/v1/tools/explain", &[("host", "evil.example:80")], Some(&explain), 421),
        ("POST", "/v1/tools/explain", &[("origin", "https://evil.example")], Some(&explain), 403),
        ("POST", "/v1/tools/explain", &[("origin", "null")], Some(&explain), 403),
        ("POST", "/v1/tools/explain", &[("origin", &own), ("origin", "https://evil.example")], Some(&explain), 403),
        ("POST", "/v1/tools/explain", &[("origin", &own)], Some(&explain), 200),
        ("GET", "/healthz", &[("host", &host), ("host", "evil.example")], None, 421),
        ("GET", "/healthz", &[("host", "evil.example"), ("x-forwarded-host", &host)], None, 421),
        ("GET", "http://evil.example/healthz", &[("host", "evil.example")], None, 421),
        ("OPTIONS", "/v1/tools/explain", &[("origin", "https://evil.example")], None, 403),
        ("POST", "/mcp", &[("host", "evil.example")], Some(&json!({})), 421),
        ("POST", "/mcp", &[("origin", "https://evil.example")], Some(&json!({})), 403),
    ] {
        let (got, head, body) = service.ask(method, path, headers, body);
        assert_eq!(got, status, "{method} {path} {headers:?}: {body}");
        assert!(!head.contains("access-control-"), "{head}");
        if status >= 400 {
            assert!(head.contains("content-type: application/problem+json"), "{method} {path}: {head}");
            assert_eq!(body["status"], status);
            assert!(body["detail"].as_str().is_some_and(|detail| detail.len() > 10), "{body}");
        }
    }
    let huge = format!(
        "POST /v1/tools/explain HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: 1073741824\r\n\r\n{{"
    );
    assert_eq!(service.raw(huge.as_bytes()).0, 413);
    let no_json = format!(
        "POST /v1/tools/explain HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 3\r\n\r\n{{\"a"
    );
    assert_eq!(service.raw(no_json.as_bytes()).0, 400);
    assert_eq!(service.ask("GET", "/healthz", &[], None).0, 200);
}

#[test]
fn the_token_is_wanted_for_everything_but_health() {
    let token = "0123456789abcdef0123";
    let service = Service::start(&[], Some(token));
    let (right, wrong) = (format!("Bearer {token}"), format!("Bearer {}", &token[1..]));
    for (path, headers, status) in [
        ("/healthz", &[][..], 200),
        ("/readyz", &[], 200),
        ("/metrics", &[], 401),
        ("/openapi.json", &[], 401),
        ("/openapi.json", &[("authorization", wrong.as_str())], 401),
        ("/openapi.json", &[("authorization", right.as_str())], 200),
        ("/v1/jobs/x", &[("authorization", right.as_str())], 404),
        ("/nothing", &[], 401),
        ("/mcp", &[], 401),
    ] {
        let (got, head, body) = service.ask("GET", path, headers, None);
        assert_eq!(got, status, "{path} {headers:?}: {body}");
        assert_eq!(head.contains("www-authenticate: bearer"), status == 401, "{head}");
    }
    // Others can reach this address: it needs a token, and a long one.
    for token in [None, Some("short")] {
        let mut command = Command::new(CITED);
        command.args(["serve", "--listen", "0.0.0.0:0"]).env_remove("CITED_TOKEN");
        token.map(|token| command.env("CITED_TOKEN", token));
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("CITED_TOKEN"), "{output:?}");
    }
}

#[test]
fn a_client_that_asks_too_often_is_told_when_to_come_back() {
    let service = Service::start(&["--rate".to_owned(), "3".to_owned()], None);
    let statuses: Vec<u16> = (0..3).map(|_| service.ask("GET", "/healthz", &[], None).0).collect();
    assert_eq!(statuses, [200; 3]);
    let (status, head, body) = service.ask("GET", "/healthz", &[], None);
    assert_eq!((status, &body["status"]), (429, &json!(429)));
    assert!(head.contains("retry-after: "), "{head}");
}

#[test]
fn jobs_are_kept_told_of_and_cancelled() {
    let web = Server::start(WEB);
    // A page that never answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let to = format!("slow.example:80:127.0.0.1:{}", silent.local_addr().unwrap().port());
    let slow_flags = ["--connect-to".to_owned(), to, "--timeout".to_owned(), "60".to_owned()];
    let flags: Vec<String> = without(&flags(&web), "3").into_iter().chain(slow_flags).collect();
    let service = Service::start(&flags, None);
    let begin = |url: &str| {
        let begin = json!({"tool": "show_source", "arguments": {"url": url}});
        let (status, head, job) = service.ask("POST", "/v1/jobs", &[], Some(&begin));
        assert_eq!((status, &job["tool"], &job["state"]), (202, &json!("show_source"), &json!("open")), "{job}");
        let place = format!("/v1/jobs/{}", job["id"].as_str().unwrap());
        assert!(head.contains(&format!("location: {place}")), "{head}");
        place
    };
    let place = begin("http://a.example/bridge");
    let (status, head, events) = service.ask("GET", &format!("{place}/events"), &[], None);
    let events = events.as_str().unwrap();
    assert!(status == 200 && head.contains("text/event-stream"), "{head}");
    assert!(events.contains("event: progress") && events.contains("\"state\":\"done\""), "{events}");
    let (_, _, done) = service.ask("GET", &place, &[], None);
    assert_eq!((&done["state"], &done["result"]["outcome"]), (&json!("done"), &json!("live")), "{done}");
    // What is over is told at once, as often as it is asked.
    let (_, _, again) = service.ask("GET", &format!("{place}/events"), &[], None);
    assert!(again.as_str().unwrap().starts_with("event: over") && events.ends_with(again.as_str().unwrap()), "{again}");
    let place = begin("http://slow.example/");
    assert_eq!(service.ask("GET", &place, &[], None).2["state"], "open");
    let (status, _, cancelled) = service.ask("DELETE", &place, &[], None);
    assert_eq!((status, &cancelled["state"]), (200, &json!("cancelled")));
    let (_, _, over) = service.ask("GET", &format!("{place}/events"), &[], None);
    assert!(over.as_str().unwrap().contains("event: over"), "{over}");
    assert_eq!(service.ask("GET", &place, &[], None).2["state"], "cancelled");
    let (_, _, metrics) = service.ask("GET", "/metrics", &[], None);
    assert!(metrics.as_str().unwrap().contains("cited_calls{state=\"waiting\"} 0\n"), "{metrics}");
    assert_eq!(service.ask("DELETE", "/v1/jobs/nothing", &[], None).0, 404);
}

/// The flags without `--timeout VALUE` of this value.
fn without(flags: &[String], value: &str) -> Vec<String> {
    let at = flags.windows(2).position(|pair| pair[0] == "--timeout" && pair[1] == value).unwrap();
    flags.iter().enumerate().filter(|(i, _)| *i != at && *i != at + 1).map(|(_, flag)| flag.clone()).collect()
}

#[cfg(unix)]
#[test]
fn a_service_ends_when_it_is_told_to() {
    let mut service = Service::start(&[], None);
    let pid = service.child.id().to_string();
    assert!(Command::new("kill").arg(&pid).status().unwrap().success());
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = service.child.try_wait().unwrap() {
            break status;
        }
        assert!(begun.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(status.code(), Some(0));
}

/// A client of `cited mcp` that writes its messages itself.
struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    notices: Vec<Value>,
}

impl Client {
    fn start(flags: &[String]) -> Client {
        let mut command = Command::new(CITED);
        command.arg("mcp").args(flags).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut client = Client { child, stdin, stdout, notices: Vec::new() };
        let greeting = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let told = client.ask("initialize", greeting);
        assert_eq!(told["result"]["serverInfo"]["name"], "cited", "{told}");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().unwrap();
        writeln!(stdin, "{message}").unwrap();
        stdin.flush().unwrap();
    }

    /// The next message.
    fn next(&mut self) -> Value {
        let mut line = String::new();
        assert!(self.stdout.read_line(&mut line).unwrap() > 0, "the service has hung up");
        serde_json::from_str(&line).unwrap()
    }

    /// The answer to the request of this id.
    fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.next();
            if message["id"] == id {
                return message;
            }
            self.notices.push(message);
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}));
        self.answer(1)
    }

    fn call(&mut self, name: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": name, "arguments": arguments, "_meta": {"progressToken": "t"}}))["result"]
            .clone()
    }

    /// Hangs up; the service ends by itself.
    fn end(mut self) {
        self.stdin = None;
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}

/// The ledger as the specification prints it, with the metric of the caller by its name.
fn seed_ledger() -> Value {
    json!({"ledger": {"summary": "Revenue rose 18% week over week; the report calls it “the best week yet”.",
        "claims": [
            {"id": "n1", "kind": "number", "statement": "Revenue rose 18% week over week", "metric": "revenue_wow", "value": 18, "tolerance": 0.005},
            {"id": "q1", "kind": "citation", "statement": "the report calls it …", "quote": "the best week yet", "sourceId": "report-24"}]},
    "metrics": {"revenue_wow": "select (sum(revenue) filter (where week = 24) / sum(revenue) filter (where week = 23) - 1) * 100 from sales"},
    "data": [{"name": "sales.csv", "content": "week,revenue\n23,4000\n23,6000\n24,5000\n24,6800\n"}],
    "sources": [{"name": "report-24.md", "content": "It was the best week yet."}]})
}

#[test]
fn tools_by_the_model_context_protocol() {
    let web = Server::start(WEB);
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    std::fs::write(
        root.join("x-draft.md"),
        "# B\n\nThe bridge opened in 1932 [1].\n\n## Sources\n\n[1] The bridge. http://a.example/bridge\n",
    )
    .unwrap();
    let flags: Vec<String> = flags(&web).into_iter().chain(["--root".to_owned(), root.display().to_string()]).collect();
    let mut client = Client::start(&flags);
    let tools = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    let names: Vec<&str> = tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, TOOLS);
    for tool in tools.as_array().unwrap() {
        assert!(tool["inputSchema"]["type"] == "object" && tool["outputSchema"]["type"] == "object", "{tool}");
        assert_eq!(tool["annotations"]["readOnlyHint"], tool["name"] != "verify_draft", "{tool}");
    }
    let written = client.call("verify_draft", json!({"path": "x-draft.md", "output": "x.md"}));
    assert_eq!(
        (&written["isError"], &written["structuredContent"]["verdict"]),
        (&json!(false), &json!("pass")),
        "{written:#}"
    );
    assert!(std::fs::read_to_string(root.join("x.md")).unwrap().contains("opened in 1932 [1]"));
    assert!(root.join("x.record.json").is_file() && root.join("x.provenance.md").is_file());
    let is = |notice: &&Value, method: &str| notice["method"] == method;
    let progress: Vec<f64> = client
        .notices
        .iter()
        .filter(|notice| is(notice, "notifications/progress"))
        .map(|notice| notice["params"]["progress"].as_f64().unwrap())
        .collect();
    assert!(progress.len() >= 3 && progress.windows(2).all(|pair| pair[0] < pair[1]), "{progress:?}");
    // What somebody else wrote is not written over, and nothing outside is touched: the model reads why.
    std::fs::write(root.join("x.md"), "Words of somebody else.").unwrap();
    for arguments in [json!({"path": "x-draft.md", "output": "x.md"}), json!({"path": "../x-draft.md"})] {
        let failed = client.call("verify_draft", arguments);
        assert_eq!(failed["isError"], true, "{failed}");
        assert!(failed["content"][0]["text"].as_str().unwrap().len() > 20);
    }
    for (method, params, code) in [
        ("tools/call", json!({"name": "nothing", "arguments": {}}), -32602),
        ("tools/call", json!({"arguments": {}}), -32602),
        ("resources/read", json!({"uri": "file:///etc/passwd"}), -32002),
        ("prompts/get", json!({"name": "verifier"}), -32602),
        ("prompts/get", json!({"name": "nothing"}), -32602),
    ] {
        let told = client.ask(method, params.clone());
        let code_told = told["error"]["code"].as_i64().unwrap_or_default();
        assert!(code_told == code || code_told == -32601 && params.get("name").is_none(), "{method} {params}: {told}");
    }
    let malformed = client.call("check_claim", json!({"claim": 7}));
    assert_eq!(malformed["isError"], true);
    let gated = client.call("gate", seed_ledger());
    assert_eq!(gated["structuredContent"]["accepted"], json!(true), "{gated:#}");
    let listed = client.ask("resources/list", json!({}));
    assert!(listed["result"]["resources"].as_array().unwrap().len() > 30, "{listed}");
    let record = client.ask("resources/read", json!({"uri": "cited://schemas/record"}));
    assert!(record["result"]["contents"][0]["text"].as_str().unwrap().contains("urn:cited:record:1"), "{record}");
    let finding = client.ask("resources/read", json!({"uri": "cited://findings/dead-source"}));
    assert_eq!(finding["result"]["contents"][0]["mimeType"], "text/markdown");
    let prompt = client.ask("prompts/get", json!({"name": "verifier", "arguments": {"draft": "x-draft.md"}}));
    assert!(prompt["result"]["messages"][0]["content"]["text"].as_str().unwrap().contains("x-draft.md"), "{prompt}");
    client.end();
}

#[test]
fn a_cancelled_call_asks_no_more_and_the_session_goes_on() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let to = format!("slow.example:80:127.0.0.1:{}", silent.local_addr().unwrap().port());
    let flags = ["--connect-to", &to, "--cache", "off", "--archive", "none", "--timeout", "60"].map(str::to_owned);
    let mut client = Client::start(&flags);
    let params = json!({"name": "show_source", "arguments": {"url": "http://slow.example/"}});
    client.send(&json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}));
    client.send(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7, "reason": "test"}}),
    );
    let begun = Instant::now();
    let explained = client.call("explain", json!({"code": "dead-source"}));
    assert_eq!(explained["structuredContent"]["explanations"][0]["name"], "dead-source");
    client.end();
    assert!(begun.elapsed() < Duration::from_secs(30));
}

#[test]
fn the_model_context_protocol_over_http() {
    let service = Service::start(&[], None);
    let accept = ("accept", "application/json, text/event-stream");
    let greeting = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
        "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}});
    let (status, head, body) = service.ask("POST", "/mcp", &[accept], Some(&greeting));
    assert!(status == 200 && body.to_string().contains("serverInfo"), "{status} {head} {body}");
    let session = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap().to_owned();
    let headers = [accept, ("mcp-session-id", session.as_str()), ("mcp-protocol-version", "2025-06-18")];
    let began = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(service.ask("POST", "/mcp", &headers, Some(&began)).0, 202);
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "explain", "arguments": {"code": "dead-source"}}});
    let (status, _, body) = service.ask("POST", "/mcp", &headers, Some(&call));
    assert!(status == 200 && body.to_string().contains("dead-source"), "{body}");
}
