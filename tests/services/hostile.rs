//! Clients that mean harm or are broken: what is slow, endless, too much or not meant as one request is refused within limits.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::Service;

/// Everything that comes back until the service closes the connection.
fn answer(service: &Service, request: &[u8], patience: Duration) -> String {
    let mut stream = TcpStream::connect(service.address).unwrap();
    stream.set_read_timeout(Some(patience)).unwrap();
    // A request that is refused early is not read to its end.
    let _ = stream.write_all(request);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn free(service: &Service) {
    assert_eq!(service.ask("GET", "/healthz", &[], None).0, 200);
}

#[test]
fn slow_and_silent_clients_are_let_go() {
    let service = Service::start(&[], None);
    let host = service.address.to_string();
    let whole = format!("GET /healthz HTTP/1.1\r\nhost: {host}\r\n\r\n");
    let began = Instant::now();
    std::thread::scope(|scope| {
        // Nothing at all, half a head, and a connection that is kept and not used any more.
        for (name, beginning, drips) in [
            ("silent", "", false),
            ("half", &whole[..20], false),
            ("kept", &whole, false),
            ("dripping", &whole[..20], true),
        ] {
            let service = &service;
            scope.spawn(move || {
                let mut stream = TcpStream::connect(service.address).unwrap();
                stream.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
                stream.write_all(beginning.as_bytes()).unwrap();
                let mut buffer = [0; 4096];
                loop {
                    assert!(began.elapsed() < Duration::from_secs(25), "{name}: the connection is still open");
                    // One header that never ends, a letter at a time.
                    if drips && stream.write_all(b"x").is_err() {
                        break;
                    }
                    match stream.read(&mut buffer) {
                        Ok(0) => break,
                        Ok(_) => {}
                        Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                        Err(error) if error.kind() == std::io::ErrorKind::TimedOut => {}
                        Err(_) => break,
                    }
                }
            });
        }
        // Nobody else waits for them.
        while began.elapsed() < Duration::from_secs(2) {
            free(&service);
            std::thread::sleep(Duration::from_millis(200));
        }
    });
}

/// A body in chunks that would be a gigabyte: it is not read, and not kept.
#[test]
fn a_body_without_end_is_refused() {
    let service = Service::start(&[], None);
    for path in ["/v1/tools/explain", "/v1/jobs", "/mcp"] {
        let mut stream = TcpStream::connect(service.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n\
             transfer-encoding: chunked\r\n\r\n",
            service.address
        );
        stream.write_all(head.as_bytes()).unwrap();
        let chunk = [b"100000\r\n".to_vec(), vec![b' '; 1 << 20], b"\r\n".to_vec()].concat();
        let sent = (0..1024).take_while(|_| stream.write_all(&chunk).is_ok()).count();
        assert!(sent < 64, "{path}: {sent} MiB were taken");
        let mut told = Vec::new();
        // What was sent and not read can take the answer with it.
        let _ = stream.read_to_end(&mut told);
        let told = String::from_utf8_lossy(&told);
        assert!(told.is_empty() || told.starts_with("HTTP/1.1 413 "), "{path}: {told}");
    }
    free(&service);
    if let Some(most) = service.memory("VmHWM:") {
        assert!(most < 200_000, "{most} kB at most");
    }
}

#[test]
fn heads_without_end_are_refused() {
    let service = Service::start(&[], None);
    let host = service.address;
    let long = "x".repeat(1 << 20);
    let many: String = (0..10_000).map(|i| format!("x-{i}: y\r\n")).collect();
    for (name, request) in [
        ("headers", format!("GET /healthz HTTP/1.1\r\nhost: {host}\r\n{many}\r\n")),
        ("a long header", format!("GET /healthz HTTP/1.1\r\nhost: {host}\r\nx: {long}\r\n\r\n")),
        ("a long address", format!("GET /{long} HTTP/1.1\r\nhost: {host}\r\n\r\n")),
        ("a long method", format!("{long} / HTTP/1.1\r\nhost: {host}\r\n\r\n")),
        ("a long host", format!("GET /healthz HTTP/1.1\r\nhost: {long}\r\n\r\n")),
    ] {
        let told = answer(&service, request.as_bytes(), Duration::from_secs(10));
        let status = told.split(' ').nth(1).unwrap_or_default();
        assert!(["", "400", "414", "431"].contains(&status), "{name}: {}", &told[..told.len().min(200)]);
    }
    free(&service);
}

/// A request that two readers could take for two: whatever it is answered with, what follows is not read as a request.
#[test]
fn no_request_is_smuggled_in_another() {
    let service = Service::start(&["--rate".to_owned(), "100000".to_owned()], None);
    let host = service.address;
    let second = format!("GET /openapi.json HTTP/1.1\r\nhost: {host}\r\n\r\n");
    for (headers, body) in [
        ("content-length: 0\r\ncontent-length: 5", ""),
        ("content-length: 2\r\ncontent-length: 0", "{}"),
        ("content-length: 0, 2", "{}"),
        ("content-length: +0", ""),
        ("content-length: -1", ""),
        ("content-length: 0x2", "{}"),
        ("content-length : 2", "{}"),
        ("content-length: 99999999999999999999", ""),
        ("content-length: 0\r\ntransfer-encoding: chunked", "2\r\n{}\r\n0\r\n\r\n"),
        ("transfer-encoding: chunked\r\ncontent-length: 0", "2\r\n{}\r\n0\r\n\r\n"),
        ("transfer-encoding: chunked", "2\r\n{}\r\n0\r\n\r\n"),
        ("transfer-encoding: chunked, identity\r\ncontent-length: 2", "{}"),
        ("transfer-encoding: identity\r\ncontent-length: 2", "{}"),
        ("transfer-encoding: xchunked\r\ncontent-length: 2", "{}"),
        ("transfer-encoding : chunked\r\ncontent-length: 2", "{}"),
        ("transfer-encoding:\u{b}chunked\r\ncontent-length: 2", "{}"),
        ("transfer-encoding: chunked\r\ntransfer-encoding: identity", "2\r\n{}\r\n0\r\n\r\n"),
        ("transfer-encoding: chunked", "g\r\n{}\r\n0\r\n\r\n"),
        ("transfer-encoding: chunked", "fffffffffffffffff2\r\n{}\r\n0\r\n\r\n"),
        ("transfer-encoding: chunked", "2\r\n{}x\r\n0\r\n\r\n"),
        ("x: y\r\n content-length: 2", "{}"),
        ("x\0: y\r\ncontent-length: 2", "{}"),
        ("x: y\rcontent-length: 2", "{}"),
    ] {
        let request = format!(
            "POST /v1/tools/explain HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n{headers}\r\n\r\n{body}{second}"
        );
        let told = answer(&service, request.as_bytes(), Duration::from_secs(5));
        assert!(!told.contains("\"openapi\""), "{headers:?} {body:?}: {told}");
        assert!(told.matches("HTTP/1.1 ").count() <= 1, "{headers:?} {body:?}: {told}");
    }
    // Old requests have neither chunks nor a second request behind them.
    let old = format!(
        "POST /v1/tools/explain HTTP/1.0\r\nhost: {host}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n{second}"
    );
    assert!(!answer(&service, old.as_bytes(), Duration::from_secs(5)).contains("\"openapi\""));
    free(&service);
}

#[test]
fn a_token_is_not_guessed_around() {
    let token = "0123456789abcdef0123";
    let service = Service::start(&["--rate".to_owned(), "100000".to_owned()], Some(token));
    let bearer = format!("Bearer {token}");
    assert_eq!(service.ask("GET", "/openapi.json", &[("authorization", &bearer)], None).0, 200);
    let (short, long, basic) = (&token[..19], format!("{token}0"), "Basic eDowMTIzNDU2Nzg5YWJjZGVmMDEyMw==");
    for (path, name, value) in [
        ("/openapi.json", "authorization", String::new()),
        ("/openapi.json", "authorization", "Bearer".to_owned()),
        ("/openapi.json", "authorization", "Bearer ".to_owned()),
        ("/openapi.json", "authorization", format!("Bearer {short}")),
        ("/openapi.json", "authorization", format!("Bearer {long}")),
        ("/openapi.json", "authorization", format!("Bearer {}", token.to_uppercase())),
        ("/openapi.json", "authorization", format!("Bearer {token},{token}")),
        ("/openapi.json", "authorization", format!("Bearer \"{token}\"")),
        ("/openapi.json", "authorization", format!("Bearer {}", "0".repeat(10_000))),
        ("/openapi.json", "authorization", token.to_owned()),
        ("/openapi.json", "authorization", basic.to_owned()),
        ("/openapi.json", "x-authorization", bearer.clone()),
        ("/openapi.json", "x-original-url", "/healthz".to_owned()),
        ("/openapi.json", "x-forwarded-for", "127.0.0.1".to_owned()),
        ("/openapi.json", "cookie", format!("token={token}")),
        ("/openapi.json?token=0123456789abcdef0123", "x", "y".to_owned()),
        ("/openapi.json?access_token=0123456789abcdef0123", "x", "y".to_owned()),
        ("/healthz/../openapi.json", "x", "y".to_owned()),
        ("//openapi.json", "x", "y".to_owned()),
        ("/V1/tools", "x", "y".to_owned()),
        ("/v1/tools/", "x", "y".to_owned()),
        ("/openapi.json;/healthz", "x", "y".to_owned()),
        ("/healthz%2f..%2fopenapi.json", "x", "y".to_owned()),
        ("/audit", "x", "y".to_owned()),
        ("/reports/x", "authorization", format!("Basic {token}")),
    ] {
        let (status, head, body) = service.ask("GET", path, &[(name, value.as_str())], None);
        assert_eq!(status, 401, "{path} {name}: {value}: {body}");
        assert!(!body.to_string().contains(token) && !head.contains(token), "{head} {body}");
    }
    // A browser is asked for the password where there are pages, and nowhere else.
    let (status, head, _) = service.ask("GET", "/audit", &[], None);
    assert!(status == 401 && head.contains("www-authenticate: basic "), "{head}");
    assert_eq!(service.ask("GET", "/audit", &[("authorization", basic)], None).0, 404);
    let (status, head, _) =
        service.ask("POST", "/v1/tools/explain", &[("authorization", basic)], Some(&serde_json::json!({})));
    assert!(status == 401 && head.contains("www-authenticate: bearer"), "{head}");
}

/// Sessions that are begun and never ended: there are only so many, and whoever has one goes on.
#[test]
fn sessions_without_end_are_refused() {
    let service = Service::start(&["--rate".to_owned(), "100000".to_owned()], None);
    let begin = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}});
    let accept = ("accept", "application/json, text/event-stream");
    let (status, head, _) = service.ask("POST", "/mcp", &[accept], Some(&begin));
    let session = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap().to_owned();
    let mut statuses = vec![status];
    statuses.extend((0..600).map(|_| service.ask("POST", "/mcp", &[accept], Some(&begin)).0));
    let taken = statuses.iter().take_while(|status| **status == 200).count();
    assert!((400..600).contains(&taken) && statuses[taken..].iter().all(|status| *status == 429), "{statuses:?}");
    let list = serde_json::json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
    let ready = serde_json::json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let mine = [accept, ("mcp-session-id", session.as_str())];
    assert_eq!(service.ask("POST", "/mcp", &mine, Some(&ready)).0, 202);
    assert_eq!(service.ask("POST", "/mcp", &mine, Some(&list)).0, 200);
    // A place that is given back is free.
    assert!((200..300).contains(&service.ask("DELETE", "/mcp", &mine, None).0));
    assert_eq!(service.ask("POST", "/mcp", &[accept], Some(&begin)).0, 200);
}
