//! Walls: pages that stand before the page (checking.md, deciding, rule 1). The signs are data in `data/walls.tsv`.

use std::sync::LazyLock;

use reqwest::header::HeaderMap;
use url::Url;

use super::document::Document;
use super::fold::{Finder, fold, place, rows};

/// What kind of wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wall {
    /// A challenge, a captcha, a block: for robots.
    Bot,
    /// A login form.
    Login,
    /// A consent form.
    Consent,
    /// A subscription form.
    Paywall,
}

impl Wall {
    /// The stable name of the rule.
    pub fn rule(self) -> &'static str {
        match self {
            Wall::Bot => "bot-wall",
            Wall::Login => "login-wall",
            Wall::Consent => "consent-wall",
            Wall::Paywall => "paywall",
        }
    }

    /// In words for a reader.
    pub fn reason(self) -> &'static str {
        match self {
            Wall::Bot => "bot wall",
            Wall::Login => "login page",
            Wall::Consent => "consent page",
            Wall::Paywall => "paywall",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Always,
    Short,
    Hint,
    Login,
}

enum Where {
    Header(&'static str),
    Body,
    Title,
    Text,
    Host,
}

struct Sign {
    wall: Wall,
    place: Where,
    text: String,
    when: When,
}

/// A page with more words than this is not a wall, whatever it mentions.
const SHORT: usize = 120;

/// Last segments of paths that lead to a login.
const LOGIN_SEGMENTS: [&str; 14] = [
    "login",
    "log-in",
    "log_in",
    "signin",
    "sign-in",
    "sign_in",
    "sso",
    "auth",
    "oauth",
    "authorize",
    "authenticate",
    "login.php",
    "login.html",
    "login.aspx",
];

static SIGNS: LazyLock<Vec<Sign>> = LazyLock::new(|| {
    rows(include_str!("data/walls.tsv"))
        .filter_map(|row| {
            let [wall, place, text, when] = row.as_slice() else { return None };
            let wall = match *wall {
                "bot" => Wall::Bot,
                "login" => Wall::Login,
                "consent" => Wall::Consent,
                "paywall" => Wall::Paywall,
                _ => return None,
            };
            let (place, text) = match *place {
                "body" => (Where::Body, text.to_lowercase()),
                "title" => (Where::Title, fold(text, 200)),
                "text" => (Where::Text, fold(text, 200)),
                "host" => (Where::Host, (*text).to_owned()),
                header => (Where::Header(header.strip_prefix("header ")?), text.to_lowercase()),
            };
            let when = match *when {
                "always" => When::Always,
                "short" => When::Short,
                "hint" => When::Hint,
                "login" => When::Login,
                _ => return None,
            };
            Some(Sign { wall, place, text, when })
        })
        .collect()
});

/// Which signs are looked for in the source.
static BODY_PLACES: LazyLock<Vec<usize>> = LazyLock::new(|| {
    SIGNS.iter().enumerate().filter(|(_, sign)| matches!(sign.place, Where::Body)).map(|(number, _)| number).collect()
});

/// What finds them, whatever their case.
static BODY_SIGNS: LazyLock<Finder> = LazyLock::new(|| {
    let texts = BODY_PLACES.iter().filter_map(|&number| SIGNS.get(number)).map(|sign| sign.text.as_str());
    Finder::of(texts)
});

/// The wall that an answer shows, if any. `asked` is the address that the way began at.
pub fn find(status: u16, headers: &HeaderMap, document: &Document, asked: &Url, landed: &Url) -> Option<Wall> {
    let title = fold(document.page.title.as_deref().unwrap_or_default(), 200);
    let words = document.main_words;
    let short = words <= SHORT;
    let text = if short { fold(&document.page.text, 4000) } else { String::new() };
    // A long page is no wall; only what a challenge cannot do without is looked for, near its top.
    let reach = if short || status >= 400 || status == 202 { usize::MAX } else { 4096 };
    let source = document.source.as_bytes();
    let in_body: Vec<usize> = BODY_SIGNS
        .found_in(source.get(..reach).unwrap_or(source))
        .filter_map(|number| BODY_PLACES.get(number).copied())
        .collect();
    let host = landed.host_str().unwrap_or_default();
    let (mut hints, mut first) = (0, None);
    for (number, sign) in SIGNS.iter().enumerate() {
        let shown = match sign.place {
            Where::Header(name) => headers.get(name).is_some_and(|value| {
                sign.text == "*" || String::from_utf8_lossy(value.as_bytes()).to_lowercase().contains(&sign.text)
            }),
            Where::Body => in_body.contains(&number),
            Where::Title => place(&title, &sign.text) == Some(0),
            Where::Text => place(&text, &sign.text).is_some(),
            Where::Host => {
                asked.host_str() != Some(host)
                    && (host == sign.text || host.strip_suffix(&sign.text).is_some_and(|head| head.ends_with('.')))
            }
        };
        if !shown {
            continue;
        }
        match sign.when {
            When::Always => return Some(sign.wall),
            When::Short if short => return Some(sign.wall),
            When::Login if document.has_password && short => return Some(sign.wall),
            When::Hint if short => {
                hints += 1;
                first = first.or(Some(sign.wall));
            }
            _ => {}
        }
    }
    if hints >= 2 || hints == 1 && matches!(status, 403 | 429 | 503) {
        return first;
    }
    let to_login = leads_to_login(landed) && !leads_to_login(asked) && landed.path() != asked.path();
    (to_login && (document.has_password || short)).then_some(Wall::Login)
}

fn leads_to_login(url: &Url) -> bool {
    url.path_segments()
        .into_iter()
        .flatten()
        .any(|segment| LOGIN_SEGMENTS.contains(&segment.to_ascii_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderMap;
    use reqwest::header::{HeaderName, HeaderValue};
    use url::Url;

    use super::super::document::{self, Limits};
    use super::super::transport::{Answer, BodyEnd};
    use super::{SIGNS, Wall, find};

    fn check(status: u16, headers: &[(&'static str, &str)], body: &str, landed: &str, expected: Option<Wall>) {
        let mut map = HeaderMap::new();
        map.insert("content-type", HeaderValue::from_static("text/html; charset=utf-8"));
        for (name, value) in headers {
            map.insert(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
        }
        let asked = Url::parse("https://a.example/article").unwrap();
        let landed = Url::parse(landed).unwrap();
        let answer = Answer { status, headers: map, body: body.to_owned().into(), end: BodyEnd::Complete };
        let document =
            document::read(&answer, &landed, &Limits { max_body: 1 << 20, max_title: 4096, words: None, pdf: None });
        assert_eq!(find(status, &answer.headers, &document, &asked, &landed), expected, "{status} {body}");
    }

    #[test]
    fn every_sign_is_read() {
        let rows = super::rows(include_str!("data/walls.tsv")).count();
        assert_eq!(SIGNS.len(), rows);
    }

    #[test]
    fn walls_are_told_from_pages() {
        let here = "https://a.example/article";
        let page = |title: &str, text: &str| format!("<title>{title}</title><body><p>{text}</p>");
        let long = "The measured values were stable over the whole year. ".repeat(40);
        check(403, &[("cf-mitigated", "challenge")], "", here, Some(Wall::Bot));
        check(404, &[("cf-mitigated", "challenge")], "", here, Some(Wall::Bot));
        check(202, &[("x-amzn-waf-action", "challenge")], "", here, Some(Wall::Bot));
        check(403, &[], &page("Just a moment...", "Checking your browser"), here, Some(Wall::Bot));
        check(200, &[], &page("Just a moment...", "A poem about time."), here, None);
        check(
            200,
            &[],
            &page("Just a moment...", "Please complete the CAPTCHA. Verify you are human."),
            here,
            Some(Wall::Bot),
        );
        check(200, &[], &page("Contact", &format!("{long}<div class=g-recaptcha></div>")), here, None);
        check(
            200,
            &[],
            &page("How bot walls work", &format!("Sites ask you to verify you are human. {long}")),
            here,
            None,
        );
        check(200, &[], "<script>window._cf_chl_opt={}</script>", here, Some(Wall::Bot));
        check(200, &[], "<title>Sign in</title><form><input type=password></form>", here, Some(Wall::Login));
        check(200, &[], "<title>Anmelden</title><form><input type=password></form>", here, Some(Wall::Login));
        check(200, &[], &page("Sign in rates rose", "Sign in rates rose by 4%."), here, None);
        check(
            200,
            &[],
            &page("Welcome", "Please identify."),
            "https://a.example/login?next=/article",
            Some(Wall::Login),
        );
        check(
            200,
            &[],
            &page("Before you continue", "We use cookies."),
            "https://consent.google.com/ml",
            Some(Wall::Consent),
        );
        check(200, &[], &page("News", "Subscribe to continue reading."), here, Some(Wall::Paywall));
        check(200, &[], &page("请稍候…", "请完成安全验证"), here, Some(Wall::Bot));
    }
}
