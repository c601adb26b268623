//! Kinds of pages and faults, one a row, with the truth beside them: a web that has everything that goes wrong.
//!
//! What must hold: no page that is there is called dead, ever; every wall is blocked or restricted; what is gone is dead.

#[path = "support/server/mod.rs"]
#[allow(dead_code)]
mod server;

use std::time::{Duration, Instant};

use cited::fetch::document::Limits;
use cited::fetch::{Network, Outcome, Request, Settings, fetch_all};
use serde_json::{Value, json};
use server::Server;

/// One kind: name, what the address answers (with `HOST` for its host), expected outcome, start of the reason.
type Kind = (&'static str, Value, Outcome, &'static str);

fn page(title: &str, text: &str) -> Value {
    json!({"title": title, "text": text})
}

fn long(text: &str) -> String {
    let filler = "The stations reported stable values over the whole year, and every report was checked twice.";
    let mut long = text.to_owned();
    for _ in 0..25 {
        long.push_str("\n\n");
        long.push_str(filler);
    }
    long
}

fn wall(status: u16, title: &str, text: &str) -> Value {
    json!({"status": status, "title": title, "text": text})
}

/// Why bytes are no page.
const NO_TEXT: &str = "bytes that are no text";

/// Bytes of any value behind those that a kind of file begins with.
fn packed(start: &[u8], kind: &str) -> Value {
    let noise = (0..30_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8);
    let body: Vec<u8> = start.iter().copied().chain(noise).collect();
    json!({"base64": data_encoding::BASE64.encode(&body), "headers": {"content-type": kind}})
}

/// A page in UTF-16 that says so nowhere.
fn unmarked() -> Value {
    let page = format!("<title>Wide</title><p>{}</p>", long("A wide page."));
    let body: Vec<u8> = page.encode_utf16().flat_map(u16::to_le_bytes).collect();
    json!({"base64": data_encoding::BASE64.encode(&body), "headers": {"content-type": "text/html"}})
}

fn login(title: &str) -> Value {
    json!({"body": format!("<html><title>{title}</title><body><form><input name=u><input type=password></form>")})
}

#[allow(clippy::too_many_lines, reason = "a table")]
fn kinds() -> Vec<Kind> {
    use Outcome::{Blocked, Dead, Live, Refused, Restricted, Unreachable, Unreadable};
    let soft = "soft 404";
    vec![
        // There.
        ("article", page("Grids", "The grid lost 3% of its power in 2021."), Live, ""),
        (
            "about-404",
            page("What a 404 page not found error means", &long("A 404 page not found error says that")),
            Live,
            "",
        ),
        ("about-404-short", page("How to fix error 404", "Error 404 is fixed by restoring the page."), Live, ""),
        ("quotes-an-error", page("Note 17", "The message “page not found” appears when the cache is cold."), Live, ""),
        (
            "error-in-a-list",
            page("Release notes", "Fixed: page not found after login.\n\nFixed: crash on start."),
            Live,
            "",
        ),
        ("error-handling/intro", page("Error handling", "Errors are values here."), Live, ""),
        ("not-found-in-nature", page("Minerals", "The mineral was not found in nature before 1958."), Live, ""),
        ("domain-article", page("Domain trading", &long("Brokers write “buy this domain” on pages")), Live, ""),
        (
            "about-captchas",
            page("Captchas", &long("Sites ask you to verify you are human and complete the captcha.")),
            Live,
            "",
        ),
        ("login-article", page("Log in everywhere", "Single sign-on lets staff log in once for 40 tools."), Live, ""),
        (
            "long-with-recaptcha",
            json!({"body": format!("<title>Contact</title><body><p>{}</p><div class=g-recaptcha>", long("Write to us."))}),
            Live,
            "",
        ),
        ("one-sentence", page("", "Yes."), Live, ""),
        (
            "latin1",
            json!({"base64": data_encoding::BASE64.encode(b"<title>D\xe9j\xe0</title><p>Les \xe9l\xe8ves sont l\xe0."), "headers": {"content-type": "text/html; charset=iso-8859-1"}}),
            Live,
            "",
        ),
        ("gzipped", json!({"title": "Z", "text": "A text that was packed.", "error": "gzip"}), Live, ""),
        ("plain-text", json!({"body": "Only text.\nTwo lines.", "headers": {"content-type": "text/plain"}}), Live, ""),
        ("json", json!({"body": "{\"rate\": 3.2}", "headers": {"content-type": "application/json"}}), Live, ""),
        ("status-203", json!({"status": 203, "title": "Proxy", "text": "It came through a proxy."}), Live, ""),
        ("temporary-redirect", json!({"status": 302, "location": "/article"}), Live, ""),
        ("slash", json!({"status": 301, "location": "/slash/"}), Live, ""),
        ("slash/", page("Slash", "With a slash."), Live, ""),
        ("refresh", json!({"body": "<meta http-equiv=refresh content='0; url=/article'>"}), Live, ""),
        ("slow", json!({"title": "Slow", "text": "It took a while.", "delay_ms": 300}), Live, ""),
        ("once-503", json!({"status": 503, "then": [page("Up", "Up again.")]}), Live, ""),
        ("once-reset", json!({"error": "reset", "then": [page("Up", "Up again.")]}), Live, ""),
        (
            "cookie-gate",
            json!({"status": 302, "location": "/cookie-gate", "headers": {"set-cookie": "gate=1"}, "then": [page("In", "Inside.")]}),
            Live,
            "",
        ),
        // A page of text with a stray NUL is one.
        ("stray-nul", json!({"body": format!("<title>N</title><p>{}\0</p>", long("A stray one."))}), Live, ""),
        ("doubt-honest", page("Page not found", &long("A long page under an odd title.")), Live, ""),
        // Gone.
        ("404", json!({"status": 404}), Dead, "HTTP 404"),
        ("410", json!({"status": 410}), Dead, "HTTP 410"),
        ("to-404", json!({"status": 302, "location": "/missing"}), Dead, "HTTP 404"),
        ("refresh-to-404", json!({"body": "<meta http-equiv=refresh content='0; url=/missing'>"}), Dead, "HTTP 404"),
        // Siblings of these get an honest 404: their sites know the addresses.
        ("to-home", json!({"status": 302, "location": "/"}), Live, ""),
        ("to-error-page", json!({"status": 302, "location": "/error/404.html"}), Live, ""),
        ("error/404.html", page("Hm", "Nothing to see."), Live, ""),
        ("soft-en", page("Page not found | Site", "Sorry."), Dead, soft),
        // Said once, on a site that says so honestly of other addresses.
        ("soft-opening", page("Site", "Sorry, the page you are looking for could not be found."), Live, ""),
        ("soft-de", page("Seite nicht gefunden", "Leider."), Dead, soft),
        ("soft-fr", page("Page introuvable", "Désolé."), Dead, soft),
        ("soft-es", page("Página no encontrada", "Lo sentimos."), Dead, soft),
        ("soft-pt", page("Página não encontrada", "Desculpe."), Dead, soft),
        ("soft-it", page("Pagina non trovata", "Ci dispiace."), Dead, soft),
        ("soft-ru", page("Страница не найдена", "Извините."), Dead, soft),
        ("soft-ja", page("ページが見つかりません", "申し訳ありません。"), Dead, soft),
        ("soft-zh", page("页面不存在", "抱歉。"), Dead, soft),
        ("soft-ko", page("페이지를 찾을 수 없습니다", "죄송합니다."), Dead, soft),
        ("soft-ar", page("الصفحة غير موجودة", "عذرا."), Dead, soft),
        ("soft-tr", page("Sayfa bulunamadı", "Üzgünüz."), Dead, soft),
        ("parked", page("HOST is for sale", "Buy this domain. Sponsored listings."), Dead, "parked"),
        ("parked-de", page("HOST", "Diese Domain steht zum Verkauf. Domain kaufen."), Dead, "parked"),
        // Walls.
        ("403", json!({"status": 403}), Blocked, "HTTP 403"),
        ("999", json!({"status": 999}), Blocked, "HTTP 999"),
        ("429", json!({"status": 429}), Blocked, "HTTP 429"),
        ("429-for-an-hour", json!({"status": 429, "headers": {"retry-after": "3600"}}), Blocked, "HTTP 429"),
        ("404-challenge", json!({"status": 404, "headers": {"cf-mitigated": "challenge"}}), Blocked, "HTTP 404"),
        ("202-challenge", json!({"status": 202, "headers": {"x-amzn-waf-action": "challenge"}}), Blocked, "bot wall"),
        (
            "200-challenge",
            json!({"body": "<title>a</title><script>window._cf_chl_opt={}</script>"}),
            Blocked,
            "bot wall",
        ),
        (
            "anubis",
            json!({"body": "<title>Making sure you're not a bot!</title><script id=\"anubis_challenge\">{}</script>"}),
            Blocked,
            "bot wall",
        ),
        (
            "captcha",
            wall(200, "Just a moment...", "Please complete the CAPTCHA. Verify you are human."),
            Blocked,
            "bot wall",
        ),
        ("captcha-de", wall(403, "Nur einen Moment…", "Ihr Browser wird überprüft"), Blocked, "HTTP 403"),
        ("captcha-fr", wall(200, "Un instant…", "Vérifiez que vous êtes humain"), Blocked, "bot wall"),
        ("captcha-es", wall(200, "Un momento…", "Verifica que eres humano"), Blocked, "bot wall"),
        ("captcha-pt", wall(200, "Um momento…", "Verifique se você é humano"), Blocked, "bot wall"),
        ("captcha-ru", wall(200, "Один момент…", "Подтвердите, что вы человек"), Blocked, "bot wall"),
        ("captcha-zh", wall(503, "请稍候…", "请完成安全验证"), Blocked, "HTTP 503"),
        ("captcha-ja", wall(200, "しばらくお待ちください...", "人間であることを確認します"), Blocked, "bot wall"),
        ("captcha-ko", wall(200, "잠시만 기다리십시오…", "사람인지 확인"), Blocked, "bot wall"),
        ("captcha-tr", wall(200, "Bir dakika lütfen...", "İnsan olduğunuzu doğrulayın"), Blocked, "bot wall"),
        ("401", json!({"status": 401}), Restricted, "HTTP 401"),
        ("402", json!({"status": 402}), Restricted, "HTTP 402"),
        ("451", json!({"status": 451}), Restricted, "HTTP 451"),
        ("to-login", json!({"status": 302, "location": "/login?next=/to-login"}), Restricted, "login page"),
        ("login-de", login("Anmelden"), Restricted, "login page"),
        ("login-fr", login("Connexion"), Restricted, "login page"),
        ("login-es", login("Iniciar sesión"), Restricted, "login page"),
        ("login-ja", login("ログイン"), Restricted, "login page"),
        ("login-ru", login("Вход"), Restricted, "login page"),
        (
            "consent",
            json!({"status": 302, "location": "https://consent.google.com/ml?continue=x"}),
            Restricted,
            "consent page",
        ),
        ("paywall", page("News", "Subscribe to continue reading."), Restricted, "paywall"),
        ("paywall-de", page("Nachrichten", "Dieser Artikel ist nur für Abonnenten."), Restricted, "paywall"),
        // Bytes that are no text, whatever the header calls them, prove nothing, also behind a redirect.
        ("gzip-as-html", packed(&[0x1f, 0x8b, 8, 0], "text/html"), Unreadable, NO_TEXT),
        ("gzip-as-text", packed(&[0x1f, 0x8b, 8, 0], "text/plain"), Unreadable, NO_TEXT),
        ("zstd-as-html", packed(&[0x28, 0xb5, 0x2f, 0xfd], "text/html"), Unreadable, NO_TEXT),
        ("png-as-html", packed(b"\x89PNG\r\n\x1a\n", "text/html; charset=utf-8"), Unreadable, NO_TEXT),
        ("zip-as-html", packed(b"PK\x03\x04", "text/html"), Unreadable, NO_TEXT),
        ("ole-as-text", packed(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "text/plain"), Unreadable, NO_TEXT),
        ("bytes-as-html", packed(b"", "text/html"), Unreadable, NO_TEXT),
        ("bytes-as-text", packed(b"", "text/plain; charset=utf-8"), Unreadable, ""),
        ("to-gzip", json!({"status": 301, "location": "/packed"}), Unreadable, NO_TEXT),
        ("utf-16-unmarked", unmarked(), Unreadable, NO_TEXT),
        // Said nothing.
        ("500", json!({"status": 500}), Unreachable, "HTTP 500"),
        ("503-later", json!({"status": 503, "headers": {"retry-after": "7200"}}), Unreachable, "HTTP 503"),
        ("400", json!({"status": 400}), Unreachable, "HTTP 400"),
        ("hang", json!({"error": "timeout"}), Unreachable, "timeout"),
        ("drip", json!({"error": "drip"}), Unreachable, "timeout"),
        ("reset", json!({"error": "reset"}), Unreachable, "connection reset"),
        ("truncated", json!({"error": "truncate"}), Unreachable, "body cut short"),
        ("500-headers", json!({"error": "headers"}), Unreachable, "too many headers"),
        ("1-mb-header", json!({"error": "big-header"}), Unreachable, ""),
        ("circle", json!({"status": 302, "location": "/circle-2"}), Unreachable, "redirects in a circle"),
        ("circle-2", json!({"status": 302, "location": "/circle"}), Unreachable, "redirects in a circle"),
        (
            "bad-location",
            json!({"status": 302, "location": "http://[::bad/"}),
            Unreachable,
            "redirects to what is no address",
        ),
        ("no-location", json!({"status": 302}), Unreachable, "HTTP 302"),
        (
            "to-ftp",
            json!({"status": 302, "location": "ftp://a.example/x"}),
            Refused,
            "refused: redirects to scheme ftp",
        ),
        (
            "expired-certificate",
            json!({"tls": "expired", "title": "X", "text": "X."}),
            Unreachable,
            "TLS: certificate expired",
        ),
        (
            "foreign-certificate",
            json!({"tls": "wrong-host", "title": "X", "text": "X."}),
            Unreachable,
            "TLS: certificate of another host",
        ),
        ("self-signed", json!({"tls": "self-signed", "title": "X", "text": "X."}), Unreachable, "TLS: "),
        // There, and not to be read.
        (
            "script-shell",
            json!({"body": "<title>App</title><div id=root></div><script>start()</script>"}),
            Unreadable,
            "needs JavaScript",
        ),
        ("empty", json!({"body": ""}), Unreadable, "no text"),
        ("204", json!({"status": 204}), Unreadable, "HTTP 204"),
        ("image", json!({"body": "x", "headers": {"content-type": "image/png"}}), Unreadable, "a type"),
        ("endless", json!({"error": "endless"}), Unreadable, "over the size limit"),
        ("bomb", json!({"error": "bomb"}), Unreadable, "over the size limit"),
    ]
}

fn settings(server: &Server) -> Settings {
    Settings {
        connect_to: server.connect_to().iter().map(|route| route.parse().unwrap()).collect(),
        extra_ca_pem: vec![server.ca_pem().as_bytes().to_vec()],
        second_look_after: Duration::from_millis(20),
        backoff: Duration::from_millis(5),
        host_pause: Duration::ZERO,
        archives: Vec::new(),
        reading: Limits { max_body: 1 << 20, ..Limits::default() },
        ..Settings::default()
    }
    .with_timeout(Duration::from_secs(3))
}

#[test]
fn every_kind_is_told_from_the_others() {
    let kinds = kinds();
    let mut web = serde_json::Map::new();
    let mut requests = Vec::new();
    for (number, (name, answer, _, _)) in kinds.iter().enumerate() {
        // A host each, so that a fault of one is none of another; what a row refers to is there on every host.
        let host = format!("https://k{number}.example");
        for (path, there) in [
            ("/", page("Site", "Welcome to the site.")),
            ("/article", page("Grids", "The grid lost 3% of its power in 2021.")),
            ("/login?next=/to-login", login("Sign in")),
            ("/error/404.html", page("Hm", "Nothing to see.")),
            ("/slash/", page("Slash", "With a slash.")),
            ("/packed", packed(&[0x1f, 0x8b, 8, 0], "text/html")),
            ("/circle", json!({"status": 302, "location": "/circle-2"})),
            ("/circle-2", json!({"status": 302, "location": "/circle"})),
        ] {
            web.insert(format!("{host}{path}"), there);
        }
        let url = format!("{host}/{name}");
        web.insert(url.clone(), answer.clone());
        requests.push(Request { addresses: vec![url], ..Request::default() });
    }
    web.insert("https://consent.google.com/ml?continue=x".to_owned(), page("Before you continue", "We use cookies."));
    let server = Server::start(&Value::Object(web).to_string());
    let network = Network::new(settings(&server)).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let start = Instant::now();
    let results = runtime.block_on(fetch_all(&network, &requests, 256, &|_| {}));
    println!("{} kinds in {:?}", kinds.len(), start.elapsed());
    let mut wrong = Vec::new();
    for ((name, _, outcome, reason), fetched) in kinds.iter().zip(&results) {
        let right = fetched.outcome == *outcome && fetched.reason.starts_with(reason);
        let right = right && (!reason.is_empty() || *outcome != Outcome::Live || fetched.reason.is_empty());
        if !right {
            wrong.push(format!(
                "{name}: wanted {outcome} {reason}, got {} {} ({})",
                fetched.outcome, fetched.reason, fetched.rule
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_probe_tells_a_site_that_answers_anything() {
    // Every address under /soft answers the same page with a title that leaves doubt.
    let text = long("Nothing under this name, but see our offers.");
    let server = Server::start(
        &json!({"https://a.example/soft/x": page("Page not found", &text), "https://a.example/honest/x": page("Page not found", &text)})
            .to_string(),
    );
    let network = Network::new(settings(&server)).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let look = |url: &str| {
        let requests = [Request { addresses: vec![url.to_owned()], ..Request::default() }];
        runtime.block_on(fetch_all(&network, &requests, 1, &|_| {})).remove(0)
    };
    assert_eq!(look("https://a.example/honest/x").outcome, Outcome::Live);
    let probe = server
        .log()
        .into_iter()
        .find(|logged| logged.url.starts_with("https://a.example/honest/") && !logged.url.ends_with("/x"));
    let sibling = probe.unwrap().url;
    assert_eq!(sibling.len(), "https://a.example/honest/".len() + 25);
    drop(server);

    // The same seed gives the same sibling: now it is there.
    let sibling_of_soft = {
        let server = Server::start(&json!({"https://b.example/soft/x": page("Page not found", &text)}).to_string());
        let network = Network::new(settings(&server)).unwrap();
        let requests = [Request { addresses: vec!["https://b.example/soft/x".to_owned()], ..Request::default() }];
        runtime.block_on(fetch_all(&network, &requests, 1, &|_| {}));
        server.log().into_iter().map(|logged| logged.url).find(|url| !url.ends_with("/x")).unwrap()
    };
    let server = Server::start(
        &json!({"https://b.example/soft/x": page("Page not found", &text), sibling_of_soft: page("Page not found", &text)})
            .to_string(),
    );
    let network = Network::new(settings(&server)).unwrap();
    let requests = [Request { addresses: vec!["https://b.example/soft/x".to_owned()], ..Request::default() }];
    let results = runtime.block_on(fetch_all(&network, &requests, 1, &|_| {}));
    assert_eq!(results[0].outcome, Outcome::Dead, "{:?}", results[0]);
}

#[test]
fn what_was_cited_is_there_whatever_else_looks_odd() {
    let quoted = "Visitors who see that a page does not exist go back to the search engine at once.";
    let server = Server::start(
        &json!({
            "https://a.example/post": {"status": 301, "location": "https://a.example/"},
            "https://a.example/": page("Acme", "Our report on cold caches in small data centres is out. It found 12 faults in 40 rooms."),
            "https://a.example/ux": page("Page not found", quoted),
        })
        .to_string(),
    );
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let look = |url: &str, titles: &[&str], claims: &[&str]| {
        let network = Network::new(settings(&server)).unwrap();
        let requests = [Request {
            addresses: vec![url.to_owned()],
            titles: titles.iter().map(|&text| text.to_owned()).collect(),
            claims: claims.to_vec(),
            ..Request::default()
        }];
        runtime.block_on(fetch_all(&network, &requests, 1, &|_| {})).remove(0).outcome
    };
    assert_eq!(look("https://a.example/post", &["Acme"], &["The report counts faults."]), Outcome::Moved);
    assert_eq!(
        look("https://a.example/post", &["Rum works"], &["The works made 31 casks of rum in 1871."]),
        Outcome::Dead
    );
    let title = "Our report on cold caches in small data centres";
    assert_eq!(look("https://a.example/post", &[title], &[]), Outcome::Moved);
    assert_eq!(look("https://a.example/post", &[], &["“It found 12 faults in 40 rooms”, they write."]), Outcome::Moved);
    // It tells something, and its site says honestly of other addresses that they are not there.
    assert_eq!(look("https://a.example/ux", &[], &[]), Outcome::Live);
    assert_eq!(look("https://a.example/ux", &[], &[quoted]), Outcome::Live);
}
