//! Walls: pages that stand before the page (checking.md, deciding, rule 1). The signs are data in `data/walls.tsv`.

use std::sync::LazyLock;

use reqwest::header::HeaderMap;
use url::Url;

use super::document::Document;
use super::fold::{Finder, fold, place, rows};
use super::markup;
use super::rule::Rule;

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
    /// The rule that finds it.
    pub fn rule(self) -> Rule {
        match self {
            Wall::Bot => Rule::BotWall,
            Wall::Login => Rule::LoginWall,
            Wall::Consent => Rule::ConsentWall,
            Wall::Paywall => Rule::Paywall,
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
    Bare,
    Hint,
    Login,
}

enum Where {
    Header(&'static str),
    Body,
    Script,
    Tag,
    Form,
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

/// A page with at most this many words has nothing but its form.
const BARE: usize = 60;

/// Bytes of the source of a longer page that are looked at.
const REACH: usize = 4096;

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
                "script" => (Where::Script, text.to_lowercase()),
                "tag" => (Where::Tag, text.to_lowercase()),
                "form" => (Where::Form, text.to_lowercase()),
                "title" => (Where::Title, fold(text, 200)),
                "text" => (Where::Text, fold(text, 200)),
                "host" => (Where::Host, (*text).to_owned()),
                header => (Where::Header(header.strip_prefix("header ")?), text.to_lowercase()),
            };
            let when = match *when {
                "always" => When::Always,
                "short" => When::Short,
                "bare" => When::Bare,
                "hint" => When::Hint,
                "login" => When::Login,
                _ => return None,
            };
            Some(Sign { wall, place, text, when })
        })
        .collect()
});

/// What finds the signs of some places, whatever their case.
struct Signs {
    /// Their numbers in the table.
    numbers: Vec<usize>,
    finder: Finder,
}

impl Signs {
    fn at(place: fn(&Where) -> bool) -> Self {
        let signs = || SIGNS.iter().enumerate().filter(|(_, sign)| place(&sign.place));
        let finder = Finder::of(signs().map(|(_, sign)| sign.text.as_str()));
        Signs { numbers: signs().map(|(number, _)| number).collect(), finder }
    }

    /// The numbers of those that stand in the first bytes of a text.
    fn shown<'a>(&'a self, text: &'a str, reach: usize) -> impl Iterator<Item = usize> + 'a {
        let text = text.as_bytes();
        let found = self.finder.found_in(text.get(..reach).unwrap_or(text));
        found.filter_map(|number| self.numbers.get(number).copied())
    }
}

static IN_BODY: LazyLock<Signs> = LazyLock::new(|| Signs::at(|place| matches!(place, Where::Body)));
static IN_SCRIPTS: LazyLock<Signs> = LazyLock::new(|| Signs::at(|place| matches!(place, Where::Script)));
static IN_TAGS: LazyLock<Signs> = LazyLock::new(|| Signs::at(|place| matches!(place, Where::Tag)));
static IN_FORMS: LazyLock<Signs> = LazyLock::new(|| Signs::at(|place| matches!(place, Where::Form)));

/// The signs that the source of a page shows.
fn in_source(document: &Document, reach: usize) -> Vec<usize> {
    let source = document.source.as_str();
    let cut = (0..=reach.min(source.len())).rev().find(|&at| source.is_char_boundary(at)).unwrap_or(0);
    let mut shown: Vec<usize> =
        IN_BODY.shown(source, reach).chain(IN_FORMS.shown(&document.forms, usize::MAX)).collect();
    let markup = markup::of(source.get(..cut).unwrap_or_default());
    shown.extend(IN_SCRIPTS.shown(&markup.scripts, usize::MAX).chain(IN_TAGS.shown(&markup.tags, usize::MAX)));
    shown
}

/// The wall that an answer shows, if any. `asked` is the address that the way began at.
pub fn find(status: u16, headers: &HeaderMap, document: &Document, asked: &Url, landed: &Url) -> Option<Wall> {
    let title = fold(document.page.title.as_deref().unwrap_or_default(), 200);
    let words = document.main_words;
    let short = words <= SHORT;
    let text = if short { fold(&document.page.text, 4000) } else { String::new() };
    // A long page is no wall; only what a challenge cannot do without is looked for, near its top.
    let reach = if short || status >= 400 || status == 202 { usize::MAX } else { REACH };
    let in_source = in_source(document, reach);
    let host = landed.host_str().unwrap_or_default();
    let (mut hints, mut first) = (0, None);
    for (number, sign) in SIGNS.iter().enumerate() {
        let shown = match sign.place {
            Where::Header(name) => headers.get(name).is_some_and(|value| {
                sign.text == "*" || String::from_utf8_lossy(value.as_bytes()).to_lowercase().contains(&sign.text)
            }),
            Where::Body | Where::Script | Where::Tag | Where::Form => in_source.contains(&number),
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
            When::Bare if words <= BARE => return Some(sign.wall),
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
        let document = document::read(
            &answer,
            &landed,
            &Limits { max_body: 1 << 20, max_title: 4096, words: None, pdf: None, seen_only: false },
        );
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

    #[test]
    fn signs_of_machines_count_in_markup_only() {
        let here = "https://a.example/article";
        let prose = "The element <code>anubis_challenge</code> is set by one proxy, <code>_cf_chl_opt</code> and \
            <code>window._pxAppId</code> by others; <code>&lt;div id=\"px-captcha\"&gt;</code> and g-recaptcha stand for boxes.";
        let meta = "<title>How walls work</title><meta name=description content='What _cf_chl_opt and kpsdk are'>";
        for text in
            [prose.to_owned(), format!("{prose}{}", "The measured values were stable over the year. ".repeat(250))]
        {
            check(200, &[], &format!("{meta}<body><p>{text}</p>"), here, None);
            check(403, &[], &format!("{meta}<body><p>{text}</p>"), here, None);
            let data = "<script type=application/json>{\"text\": \"_cf_chl_opt, window._pxAppId\"}</script>";
            check(200, &[], &format!("{data}<body><p>{text}</p>"), here, None);
        }
        for markup in [
            "<script>(function(){window._cf_chl_opt={cvId:'3'};}());</script>",
            "<script>window._pxAppId = 'PX1';</script>",
            "<script id=\"anubis_challenge\" type=\"application/json\">{}</script>",
            "<div id=\"px-captcha\"></div>",
            "<div id=\"sec-if-cpt-container\"></div>",
            "<script src=\"https://geo.captcha-delivery.com/c.js\"></script>",
        ] {
            check(
                200,
                &[],
                &format!("<title>a.example</title><body>{markup}<p>One moment.</p>"),
                here,
                Some(Wall::Bot),
            );
        }
    }

    #[test]
    fn captcha_forms() {
        let here = "https://a.example/article";
        let amazon = "<form method=get action=/errors/validateCaptcha><img src=/c.jpg><input type=text id=captchacharacters \
            name=field-keywords><button>Continue shopping</button></form>";
        let plain = "<form action=\"/captcha\" method=post><img src=/captcha.png><input name=captcha><button>Go</button></form>";
        let sorry = "<form id=\"captcha-form\" action=\"index\" method=\"post\"></form>";
        let turnstile = "<form method=post><div class=\"cf-turnstile\" data-sitekey=0x4></div></form>";
        let comment = "<form action=/comment><textarea name=c></textarea><div class=g-recaptcha></div><input name=captcha></form>";
        let news = "<form action=/subscribe><input type=email name=m><div class=cf-turnstile></div></form>";
        let search = "<form action=/search><input name=q></form>";
        let long = "The measured values were stable over the whole year. ".repeat(10);
        for status in [200, 404, 503] {
            for form in [amazon, plain, sorry, turnstile] {
                let text = "<p>Enter the characters you see below. We just need to make sure that you are there.</p>";
                let body = |form: &str, text: &str| format!("<title>Acme</title><body>{text}{form}");
                check(status, &[], &body(form, text), here, Some(Wall::Bot));
                check(status, &[], &body(form, ""), here, Some(Wall::Bot));
                check(status, &[], &body(form, &format!("<p>{long}</p>")), here, None);
            }
        }
        for status in [200, 404] {
            for form in [comment, news, search] {
                let text = "<p>Plant the early potatoes when the soil is warm.</p>";
                check(status, &[], &format!("<title>Acme</title><body>{text}{form}"), here, None);
            }
        }
    }
}
