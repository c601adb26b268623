//! Pages that are made to hurt: each costs little, none brings anything down, and a good page is read afterwards.

use std::collections::HashMap;
use std::future::ready;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use cited::fetch::transport::{Answer, Ask, BodyEnd, Exchange, Exchanging, Failure, Transport};
use cited::fetch::{Fetched, Network, Outcome, Request, Rule, Settings, fetch_all};

/// Answers from memory: the library's decisions over a transport of one's own.
struct Memory(HashMap<String, Vec<u8>>);

impl Transport for Memory {
    fn exchange<'a>(&'a self, ask: &'a Ask) -> Exchanging<'a> {
        let answer = self.0.get(ask.url.as_str()).map(|body| {
            let mut headers = hyper::HeaderMap::new();
            headers.insert("content-type", hyper::header::HeaderValue::from_static("text/html; charset=utf-8"));
            Answer { status: 200, headers, body: body.clone().into(), end: BodyEnd::Complete }
        });
        let result = answer.ok_or_else(|| Failure::new(Rule::Unasked, "not asked"));
        Box::pin(ready(Exchange::new(result, jiff::Timestamp::UNIX_EPOCH)))
    }
}

fn hostile() -> Vec<(String, Vec<u8>)> {
    let mut pages: Vec<(String, Vec<u8>)> = Vec::new();
    let mut add = |name: &str, body: Vec<u8>| pages.push((name.to_owned(), body));
    for (name, piece) in [
        ("nested divs", "<div>"),
        ("nested tables", "<table><tr><td>"),
        ("nested lists", "<ul><li>"),
        ("nested quotes", "<blockquote>"),
        ("nested inline", "<b><i><u>"),
        ("nested links", "<a href=x>"),
        ("nested forms", "<form>"),
        ("nested svg", "<svg>"),
        ("nested navs", "<nav>"),
        ("nested mains", "<main>"),
        ("closing tags", "</div>"),
        ("closing what is not open", "</main></nav></table>"),
        ("open brackets", "<"),
        ("close brackets", ">"),
        ("ampersands", "&"),
        ("entities", "&NotAnEntity;"),
        ("numeric entities", "&#x110000;"),
        ("long entities", "&aaaaaaaaaaaaaaaaaaaaaaaa"),
        ("comments", "<!--"),
        ("half comments", "<!-"),
        ("doctypes", "<!DOCTYPE "),
        ("cdata", "<![CDATA["),
        ("scripts", "<script>"),
        ("scripts in comments", "<script><!--<script>"),
        ("styles", "<style>"),
        ("titles", "<title>"),
        ("text areas", "<textarea>"),
        ("templates", "<template>"),
        ("plaintext", "<plaintext>"),
        ("metas", "<meta name=date content=2020-01-01>"),
        ("json-ld", "<script type=application/ld+json>[[[[</script>"),
        ("headings", "<h1>"),
        ("spaces", " "),
        ("line ends", "\n"),
        ("nul bytes", "\0"),
        ("bidi", "\u{202e}"),
        ("combining marks", "e\u{301}\u{302}\u{303}"),
        ("zero width", "\u{200b}"),
        ("one word", "x"),
        ("cjk", "页面"),
        ("asterisks", "*a_"),
        ("error phrases", "page not found "),
        ("quotes", "\"“"),
    ] {
        add(name, piece.repeat((1 << 18) / piece.len()).into_bytes());
    }
    add("one attribute", format!("<p class=\"{}\">x", "a".repeat(1 << 20)).into_bytes());
    add("many attributes", format!("<p {}>x", "a=1 ".repeat(1 << 18)).into_bytes());
    for (name, attribute) in [
        ("double quotes", "a=\"x\" "),
        ("double quotes without spaces", "a=\"x\""),
        ("empty values", "a=\"\"\n"),
        ("single quotes", "a='x' "),
        ("entities in values", "a=\"&amp;&lt\" "),
        ("what is looked at", "class=\"nav\" "),
        ("no values", "a "),
        ("slashes", "a/"),
        ("equals signs", "="),
    ] {
        for tag in ["p", "div", "meta", "link", "body", "/p", "!DOCTYPE", "svg"] {
            let page = format!("<html><body><{tag} {}>hi</p>", attribute.repeat((1 << 18) / attribute.len()));
            add(&format!("many attributes in {tag}: {name}"), page.into_bytes());
        }
    }
    add("many classes", format!("<p class=\"{}\">x", "nav-x ".repeat(1 << 17)).into_bytes());
    add("unclosed tag", format!("<p {}", "x".repeat(1 << 20)).into_bytes());
    add("unclosed quote", format!("<p x=\"{}", "<p>y</p>".repeat(1 << 17)).into_bytes());
    add("deep json", format!("<script type=application/ld+json>{}</script>x", "[".repeat(200_000)).into_bytes());
    add("not utf-8", (0..1 << 20).map(|n: u32| (n * 7 % 256) as u8).collect());
    add("one row", format!("<table><tr>{}", "<td>1</td>".repeat(1 << 17)).into_bytes());
    add("long title", format!("<title>{}</title>x", "t".repeat(1 << 20)).into_bytes());
    let refresh = format!("<meta http-equiv=refresh content='0; url=https://a.example/{}'>", pages.len());
    pages.push(("refresh to itself".to_owned(), refresh.into_bytes()));
    pages
}

fn run(pages: &[(String, Vec<u8>)]) -> Vec<Fetched> {
    let url = |number: usize| format!("https://a.example/{number}");
    let mut bodies: HashMap<String, Vec<u8>> =
        pages.iter().enumerate().map(|(number, (_, body))| (url(number), body.clone())).collect();
    bodies.insert(url(pages.len()), b"<title>Good</title><p>The rate was 7 percent.".to_vec());
    // Nobody is waited for.
    let (host_pause, second_look_after) = (Duration::ZERO, Duration::ZERO);
    let settings = Settings { archives: Vec::new(), host_pause, second_look_after, ..Settings::default() };
    let network = Network::with_transport(settings, Arc::new(Memory(bodies))).unwrap();
    let requests: Vec<Request> =
        (0..=pages.len()).map(|number| Request { addresses: vec![url(number)], ..Request::default() }).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(fetch_all(&network, &requests, 4, &|_| {}))
}

#[test]
fn hostile_pages_cost_nothing_else() {
    let pages = hostile();
    assert!(pages.len() >= 50);
    let start = Instant::now();
    let results = run(&pages);
    println!("{} pages in {:?}", pages.len(), start.elapsed());
    let (good, rest) = results.split_last().unwrap();
    assert_eq!(good.outcome, Outcome::Live);
    assert_eq!(good.page.as_ref().unwrap().text, "The rate was 7 percent.");
    for (fetched, (name, body)) in rest.iter().zip(&pages) {
        if let Some(page) = &fetched.page {
            assert!(page.text.len() <= body.len() * 3 + 16, "{name}: {} bytes", page.text.len());
            assert!(page.title.as_ref().is_none_or(|title| title.len() <= 4096), "{name}");
            let noise = |c: char| c.is_control() && c != '\n' && c != '\t' || c == '\u{202e}';
            assert!(!page.text.contains(noise), "{name}: noise in the text");
            assert!(page.text.is_char_boundary(page.main_end), "{name}");
        }
    }
}

/// A server that answers every host with `say`, for as long as it is listened to.
fn server(say: fn(&mut TcpStream, &str) -> std::io::Result<()>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                let mut head = [0; 4096];
                let read = stream.read(&mut head).unwrap_or(0);
                let head = String::from_utf8_lossy(&head[..read]).into_owned();
                // Whoever hangs up has heard enough.
                let _ = say(&mut stream, &head);
            });
        }
    });
    port
}

/// Answers that never end, one a host, as fast as a line of 100 Mbit/s or slow; and a page beside them.
fn endless(stream: &mut TcpStream, head: &str) -> std::io::Result<()> {
    const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n";
    let (first, piece, pause) = if head.contains("host: continue.example") {
        (String::new(), "HTTP/1.1 100 Continue\r\n\r\n".repeat(500), 1)
    } else if head.contains("host: hints.example") {
        (String::new(), "HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n".repeat(500), 1)
    } else if head.contains("host: slow-hints.example") {
        (String::new(), "HTTP/1.1 103 Early Hints\r\n\r\n".to_owned(), 50)
    } else if head.contains("host: slow-headers.example") {
        (HEAD.to_owned(), "x: y\r\n".to_owned(), 50)
    } else if head.contains("host: slow-body.example") {
        (format!("{HEAD}\r\n"), "x".to_owned(), 50)
    } else if head.contains("host: small-chunks.example") {
        (format!("{HEAD}transfer-encoding: chunked\r\n\r\n"), "1\r\nx\r\n".repeat(500), 1)
    } else if !head.starts_with("GET /x ") {
        return write!(stream, "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    } else {
        let page = "<title>Good</title><p>The rate was 7 percent.";
        return write!(stream, "{HEAD}content-length: {}\r\nconnection: close\r\n\r\n{page}", page.len());
    };
    stream.write_all(first.as_bytes())?;
    loop {
        stream.write_all(piece.as_bytes())?;
        std::thread::sleep(Duration::from_millis(pause));
    }
}

#[test]
fn answers_that_never_end_cost_their_limit_and_nothing_else() {
    let port = server(endless);
    let limit = Duration::from_secs(1);
    let settings = Settings {
        connect_to: vec![format!(":80:127.0.0.1:{port}").parse().unwrap()],
        archives: Vec::new(),
        backoff: Duration::from_millis(10),
        ..Settings::default()
    }
    .with_timeout(limit);
    let network = Network::new(settings).unwrap();
    // The page is asked for last, and all at once.
    let hosts = ["continue", "hints", "slow-hints", "slow-headers", "slow-body", "small-chunks", "good"]
        .map(|name| format!("http://{name}.example/x"));
    let requests: Vec<Request> =
        hosts.iter().map(|url| Request { addresses: vec![url.clone()], ..Request::default() }).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let start = Instant::now();
    let results = runtime.block_on(fetch_all(&network, &requests, 16, &|_| {}));
    let took = start.elapsed();
    let (good, endless) = results.split_last().unwrap();
    assert_eq!(good.outcome, Outcome::Live, "{}", good.reason);
    for fetched in endless {
        // Crumbs may be given up before the time is over.
        let expected = match (fetched.address.as_str(), fetched.outcome) {
            ("http://small-chunks.example/x", Outcome::Unreadable) => (Outcome::Unreadable, "over the size limit"),
            _ => (Outcome::Unreachable, "timeout"),
        };
        assert_eq!((fetched.outcome, fetched.reason.as_str()), expected, "{}", fetched.address);
    }
    // A timeout is tried once more; the rest is for a busy machine.
    assert!(took < limit * 20, "{took:?}");
}
