//! What a webhook gets, and what becomes of it when its server is not ready.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use cited::fetch::Settings;
use cited::fetch::webhook::{DELIVERY, SIGNATURE, Webhook, signature};

/// A request as it came: its head in lower case, and its body.
type Got = (String, Vec<u8>);

/// A server that answers one request with each of `answers`, and tells of what it got.
fn serve(answers: &'static [&'static str]) -> (String, Receiver<Got>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/hook/SECRET", listener.local_addr().unwrap());
    let (tell, told) = channel();
    std::thread::spawn(move || {
        for answer in answers {
            let (stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(stream);
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                reader.read_line(&mut head).unwrap();
            }
            let head = head.to_ascii_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
            let mut body = vec![0; length.parse().unwrap()];
            reader.read_exact(&mut body).unwrap();
            tell.send((head, body)).unwrap();
            write!(reader.get_mut(), "HTTP/1.1 {answer}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
        }
    });
    (address, told)
}

fn send(settings: &Settings, address: &str, key: Option<&str>) -> Result<(), String> {
    let webhook = Webhook::new(settings).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(webhook.send(&address.parse().unwrap(), b"{\"round\":1}", key))
}

fn open() -> Settings {
    let allow_net = vec!["127.0.0.0/8".parse().unwrap()];
    Settings { allow_net, backoff: Duration::from_millis(1), ..Settings::default() }
        .with_timeout(Duration::from_secs(2))
}

#[test]
fn news_is_signed_and_tried_again_until_the_server_is_ready() {
    let (address, told) = serve(&["503 Busy", "429 Slowly", "204 Thanks"]);
    send(&open(), &address, Some("a key")).unwrap();
    let got: Vec<Got> = told.iter().collect();
    assert_eq!(got.len(), 3);
    for (head, body) in &got {
        assert_eq!(body, b"{\"round\":1}");
        assert!(head.starts_with("post /hook/secret http/1.1\r\n"), "{head}");
        assert!(head.contains("content-type: application/json\r\n"), "{head}");
        assert!(head.contains(&format!("{SIGNATURE}: {}\r\n", signature("a key", body))), "{head}");
        assert!(!head.contains("a key"), "{head}");
    }
    let delivery = |head: &str| head.lines().find(|line| line.starts_with(DELIVERY)).map(str::to_owned);
    assert!(delivery(&got[0].0).is_some() && delivery(&got[0].0) == delivery(&got[2].0));
}

#[test]
fn without_a_key_nothing_is_signed() {
    let (address, told) = serve(&["200 OK"]);
    send(&open(), &address, None).unwrap();
    assert!(!told.recv().unwrap().0.contains(SIGNATURE));
}

#[test]
fn a_no_is_taken_and_says_nothing_of_the_address() {
    let check = |answers, expected: &str| {
        let (address, told) = serve(answers);
        assert_eq!(send(&open(), &address, Some("a key")).unwrap_err(), expected);
        assert_eq!(told.iter().count(), answers.len());
    };
    check(&["404 Not Found"], "HTTP 404");
    check(&["302 Found\r\nlocation: http://127.0.0.1:1/elsewhere"], "HTTP 302");
    check(&["500 Oh", "500 Oh", "500 Oh", "500 Oh", "500 Oh"], "HTTP 500, 5 times");
    // Nobody listens there any more.
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert_eq!(send(&open(), &format!("http://{closed}/SECRET"), None).unwrap_err(), "no connection, 5 times");
}

#[test]
fn the_address_guard_holds() {
    let (address, told) = serve(&["200 OK"]);
    let guarded = Settings { allow_net: Vec::new(), ..open() };
    let check = |settings: &Settings, address: &str, expected: &str| {
        let why = send(settings, address, None).unwrap_err();
        assert!(why.starts_with(expected) && !why.contains("SECRET"), "{why}");
    };
    check(&guarded, &address, "refused: address 127.0.0.1 is not public");
    check(&guarded, "http://[::1]/SECRET", "refused: address ::1 is not public");
    check(&guarded, "http://localhost/SECRET", "refused: ");
    check(&guarded, "ftp://hooks.example/SECRET", "refused: scheme ftp");
    check(&guarded, "https://user:SECRET@hooks.example/", "refused: user name in the address");
    check(&Settings { offline: true, ..open() }, &address, "nobody is asked with --offline");
    assert!(told.try_recv().is_err(), "it was asked");
}
