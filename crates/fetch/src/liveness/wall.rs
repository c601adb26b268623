//! Question 1: is it a wall, a page that stands before the page? By who answers, by where it leads, by its form, by what it asks
//! for. The signs are data in `data/` (`walls.tsv`, `gates.tsv`, `gate_paths.tsv`).

use std::collections::HashMap;
use std::sync::LazyLock;

use http::header::{HeaderMap, RETRY_AFTER};
use url::Url;

use super::super::document::Document;
use super::super::fold::{count_words, find_phrase, fold, holds};
use super::absence::{self, parts_of_title};
use super::composed::{self, Sentence, sentences};
use super::proof::{self, SlugMatch};
use super::way;
use cited_core::rule::Rule;
use cited_text::lexicon::table;
use cited_text::marks::is_mark;

/// Each kind of wall by the rule that finds it, as tables call it, those first that are mistaken least: itself in words for a reader. The last but
/// one is none, but as much in the way; the last is one of whatever kind, told by what it does.
const WALLS: [(Rule, &str); 10] = [
    (Rule::WaitingRoom, "waiting room"),
    (Rule::AgeGate, "age check"),
    (Rule::CountryBlock, "not shown in this country"),
    (Rule::CookieCheck, "asks for cookies"),
    (Rule::BotWall, "bot wall"),
    (Rule::ConsentWall, "consent page"),
    (Rule::LoginWall, "login page"),
    (Rule::Paywall, "paywall"),
    (Rule::Failing, "the site says that it fails for now"),
    (Rule::Interstitial, "another page stands before it"),
];

/// A wall in words for a reader.
pub fn describe(wall: Rule) -> &'static str {
    WALLS.iter().find(|row| row.0 == wall).map_or("", |row| row.1)
}

/// A wall that was found, as the rule that finds it, and the sign that showed it.
pub type FoundWall = (Rule, String);

/// What the sign begins with where only the words of a page show a wall.
pub const SAYS: &str = "wall:says-";

/// A row of the table of signs: what the wall is, where to look for it, what to find, and when it counts.
struct Sign {
    wall: Rule,
    place: &'static str,
    text: String,
    when: &'static str,
}

/// A page with more words than this is not a wall, whatever it mentions.
const SHORT: usize = 120;

/// A page with at most this many words has nothing but its form.
const BARE: usize = 60;

/// Words of its own that a page may have where a sentence alone says that it is a wall …
const SAID: usize = 80;
/// … and where that sentence is about logging in, and there is no field for a password …
const SAID_LOGIN: usize = 30;
/// … and where it asks for a subscription after the beginning of an article.
const SAID_PAYWALL: usize = 160;

/// Own sentences that are looked at for what a wall asks for.
const SENTENCES: usize = 6;

static SIGNS: LazyLock<Vec<Sign>> = LazyLock::new(|| {
    let sign = |row: Vec<&'static str>| {
        let [wall, _, place, text, when]: [&str; 5] = row.try_into().ok()?;
        let text = if matches!(place, "title" | "text") { fold(text, 200) } else { text.to_lowercase() };
        Some(Sign { wall: wall.parse().ok()?, place, text, when })
    };
    table::cells(include_str!("data/walls.tsv")).filter_map(sign).collect()
});

/// The wall that an answer shows, if any. `asked` is the address that the way began at.
pub fn find(status: u16, headers: &HeaderMap, document: &Document, asked: &Url, landed: &Url) -> Option<FoundWall> {
    by_signs(status, headers, document, asked, landed)
        .or_else(|| by_way(status, document, asked, landed))
        // Sites ask for a login with any status.
        .or_else(|| if status < 500 { by_form(document, asked) } else { None })
        .or_else(|| if status < 400 { cut_off(document) } else { None })
        .or_else(|| if status < 400 || status == 503 { by_words(document, asked) } else { None })
}

fn by_signs(status: u16, headers: &HeaderMap, document: &Document, asked: &Url, landed: &Url) -> Option<FoundWall> {
    let title = fold(document.page.title.as_deref().unwrap_or_default(), 200);
    let words = document.html.main_words;
    let short = words <= SHORT;
    let text = if short { fold(&document.page.text, 4000) } else { String::new() };
    let host = landed.host_str().unwrap_or_default();
    let shown = |sign: &&Sign| match sign.place {
        "markup" => document.html.markup.contains(&sign.text),
        "form" => document.html.forms.contains(&sign.text),
        "title" => find_phrase(&title, &sign.text, false) == Some(0),
        "text" => holds(&text, &sign.text),
        // An address of that host itself leads to no wall.
        "host" => asked.host_str() != Some(host) && format!(".{host}").ends_with(&format!(".{}", sign.text)),
        header => header.strip_prefix("header ").and_then(|name| headers.get(name)).is_some_and(|value| {
            sign.text == "*" || String::from_utf8_lossy(value.as_bytes()).to_lowercase().contains(&sign.text)
        }),
    };
    let counts = |sign: &&Sign| match sign.when {
        "always" => true,
        "short" => short,
        "bare" => words <= BARE,
        _ => false,
    };
    let found = |sign: &Sign| (sign.wall, format!("wall:{}", sign.text.replace(' ', "-")));
    if let Some(sign) = SIGNS.iter().filter(counts).find(shown) {
        return Some(found(sign));
    }
    let mut hints = SIGNS.iter().filter(|sign| short && sign.when == "hint").filter(shown);
    let first = hints.next()?;
    (hints.next().is_some() || matches!(status, 403 | 429 | 503)).then(|| found(first))
}

static GATE_PATHS: LazyLock<HashMap<&str, Rule>> =
    LazyLock::new(|| table::named(include_str!("data/gate_paths.tsv")).collect());

/// The wall that an address is called after: by a part of its path, or a label of its host.
fn names_gate(url: &Url) -> Option<(Rule, String)> {
    let host = url.host_str().unwrap_or_default();
    let labels = host.split('.').rev().skip(2).map(str::to_owned);
    way::segments(url).iter().map(|part| way::stem(part).to_owned()).chain(labels).find_map(|part| {
        let name = way::squeezed(&part);
        GATE_PATHS.get(name.as_str()).map(|wall| (*wall, name))
    })
}

/// A redirect to a place that is called after a wall, or that has the asked address to come back to and the form of a wall.
fn by_way(status: u16, document: &Document, asked: &Url, landed: &Url) -> Option<FoundWall> {
    if way::same_place(asked, landed) || document.html.main_words > SHORT {
        return None;
    }
    if let Some((wall, name)) = names_gate(landed)
        && names_gate(asked).is_none_or(|(known, _)| known != wall)
    {
        return Some((wall, format!("wall:path-{name}")));
    }
    // A redirect may carry the address that was asked for as a parameter, to come back to.
    let path = asked.path().trim_end_matches('/');
    let bare = |text: &str| text.split_once("://").map_or(text, |(_, rest)| rest).trim_end_matches('/').to_owned();
    let is_asked =
        |value: &str| value.starts_with(path) || bare(value).ends_with(path) || bare(value) == bare(asked.as_str());
    if status >= 400 || path.len() <= 1 || !landed.query_pairs().any(|(_, value)| is_asked(&value)) {
        return None;
    }
    // Sites that know an address no more name it, too, on the error page or the front page that they lead to.
    let led = way::by_redirect(asked, landed).map(|doubt| doubt.rule);
    let is_home = led == Some(Rule::RedirectToHome) && landed.host_str() == asked.host_str();
    let is_lost = is_home || led == Some(Rule::RedirectToError);
    (!is_lost).then(|| (Rule::Interstitial, "wall:comes-back".to_owned()))
}

/// The sign that an answer asks to come back later: by `Retry-After`, or as a page that loads itself again.
pub fn asks_to_wait(headers: &HeaderMap, document: &Document, landed: &Url) -> Option<&'static str> {
    let itself = |target: &str| {
        let again = |again: Url| again.host() == landed.host() && again.path() == landed.path();
        target.is_empty() || landed.join(target).is_ok_and(again)
    };
    let again = || document.html.refresh.as_ref().is_some_and(|(_, target)| itself(target));
    let signs = [("wall:retry-after", headers.contains_key(RETRY_AFTER)), ("wall:waits", again())];
    signs.into_iter().find(|(_, shown)| *shown).map(|(sign, _)| sign)
}

/// A page with nothing but a form that a password is written into; what it is called is not what its address names.
fn by_form(document: &Document, asked: &Url) -> Option<FoundWall> {
    let bare = document.html.has_password && count_words(&document.page.text) <= BARE && asked.path() != "/";
    let found = bare
        && absence::saying(document).is_none()
        && !sentences(&document.html.own).any(|one| one.tells())
        && proof::match_slug(document, asked) != SlugMatch::InTitle;
    found.then(|| (Rule::LoginWall, "wall:password-only".to_owned()))
}

/// The beginning of a text that is not free: by what the page says to machines (schema.org), or by a part of it that is named
/// after such a wall and asks for a subscription.
fn cut_off(document: &Document) -> Option<FoundWall> {
    if document.html.own_words > SAID_PAYWALL {
        return None;
    }
    let found = |sign: &str| Some((Rule::Paywall, format!("wall:{sign}")));
    if document.is_not_free {
        return found("not-free");
    }
    let name = table::words(include_str!("data/paywalls.tsv"), "").find(|name| document.html.markup.contains(name))?;
    let said: Vec<&str> = composed::sentence_texts(&document.page.text).collect();
    let asks = |pair: &[&str]| asked_in(&Sentence::new(&pair.join(" ")), Rule::Paywall);
    if said.windows(2).any(asks) { found(name) } else { None }
}

/// Groups of words of which one of each has to stand there, and whether any ending may follow it.
type Groups = Vec<Vec<(String, bool)>>;

static GATES: LazyLock<Vec<(Rule, Groups)>> = LazyLock::new(|| {
    let gate = |row: Vec<&'static str>| {
        let [wall, _, groups] = row[..] else { return None };
        let word = |word: &str| (fold(word, 100), word.trim_end().ends_with('*'));
        Some((wall.parse().ok()?, groups.split('+').map(|group| group.split(',').map(word).collect()).collect()))
    };
    table::cells(include_str!("data/gates.tsv")).filter_map(gate).collect()
});

/// What a sentence asks for before it lets a reader pass.
fn asked_in(sentence: &Sentence<'_>, wall: Rule) -> bool {
    if sentence.text.contains(is_mark) {
        return false;
    }
    let folded = &sentence.folded;
    let stands = |(word, open): &(String, bool)| find_phrase(folded, word, *open).is_some();
    GATES.iter().any(|(of, groups)| *of == wall && groups.iter().all(|group| group.iter().any(stands)))
}

/// A page whose title, heading, or first own sentences ask for something before it shows what was asked for, and that says little else.
fn by_words(document: &Document, asked: &Url) -> Option<FoundWall> {
    let own = document.html.own_words;
    if own > SAID_PAYWALL {
        return None;
    }
    let [title, heading] = document.names();
    // What is asked for comes first, but for robots, who are told at length.
    let folded_heading = fold(heading, 1000);
    let own_sentences = sentences(&document.html.own).filter(|one| !holds(&folded_heading, &one.folded));
    let titles: Vec<Sentence<'_>> = parts_of_title(title).map(Sentence::new).chain(sentences(heading)).collect();
    let opens = titles.len() + 2;
    let all: Vec<Sentence<'_>> = titles.into_iter().chain(own_sentences.take(SENTENCES)).collect();
    let opening = all.get(..opens).unwrap_or(&all);
    let last = || composed::sentence_texts(&document.html.own).collect::<Vec<_>>().into_iter().rev().take(SENTENCES);
    let wall = WALLS.iter().map(|wall| wall.0).find(|&wall| {
        let told = if matches!(wall, Rule::BotWall | Rule::ConsentWall | Rule::LoginWall) { &all } else { opening };
        let said = || told.iter().any(|sentence| asked_in(sentence, wall));
        match wall {
            // Its text may be the beginning of an article; what asks comes last then.
            Rule::Paywall => last().any(|sentence| asked_in(&Sentence::new(sentence), wall)),
            Rule::LoginWall => own <= if document.html.has_password { SAID } else { SAID_LOGIN } && said(),
            _ => own <= SAID && said(),
        }
    })?;
    // A page whose heading is what its address names says such words of its subject; what asks for money shows the title, too.
    let heading = document.html.heading.as_deref().or(document.page.title.as_deref()).unwrap_or_default();
    let alone = Document::headed(heading);
    let shows_title = wall == Rule::Paywall || wall == Rule::CountryBlock && own <= SAID / 2;
    if !shows_title && proof::match_slug(&alone, asked) == SlugMatch::InTitle {
        return None;
    }
    Some((wall, format!("{SAYS}{wall}")))
}

#[cfg(test)]
mod tests {
    use http::header::HeaderMap;
    use http::header::{HeaderName, HeaderValue};
    use url::Url;

    use super::super::super::document::{self, Limits};
    use super::super::super::transport::{Answer, BodyEnd};
    use super::{Document, Rule, SIGNS, find};

    fn check(status: u16, headers: &[(&'static str, &str)], body: &str, landed: &str, expected: Option<Rule>) {
        let mut map = HeaderMap::new();
        map.insert("content-type", HeaderValue::from_static("text/html; charset=utf-8"));
        for (name, value) in headers {
            map.insert(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
        }
        let asked = Url::parse("https://a.example/article").unwrap();
        let landed = Url::parse(landed).unwrap();
        let answer = Answer { status, headers: map, body: body.to_owned().into(), end: BodyEnd::Complete };
        let document = document::read(&answer, &landed, &Limits { max_body: 1 << 20, ..Limits::default() });
        assert_eq!(
            find(status, &answer.headers, &document, &asked, &landed).map(|(wall, _)| wall),
            expected,
            "{status} {body}"
        );
    }

    #[test]
    fn every_sign_is_read() {
        let rows = super::table::cells(include_str!("data/walls.tsv")).count();
        assert_eq!(SIGNS.len(), rows);
    }

    #[test]
    fn walls_are_told_from_pages() {
        let here = "https://a.example/article";
        let page = |title: &str, text: &str| format!("<title>{title}</title><body><p>{text}</p>");
        let long = "The measured values were stable over the whole year. ".repeat(40);
        check(403, &[("cf-mitigated", "challenge")], "", here, Some(Rule::BotWall));
        check(404, &[("cf-mitigated", "challenge")], "", here, Some(Rule::BotWall));
        check(202, &[("x-amzn-waf-action", "challenge")], "", here, Some(Rule::BotWall));
        check(403, &[], &page("Just a moment...", "Checking your browser"), here, Some(Rule::BotWall));
        check(200, &[], &page("Just a moment...", "A poem about time."), here, None);
        check(
            200,
            &[],
            &page("Just a moment...", "Please complete the CAPTCHA. Verify you are human."),
            here,
            Some(Rule::BotWall),
        );
        check(200, &[], &page("Contact", &format!("{long}<div class=g-recaptcha></div>")), here, None);
        check(
            200,
            &[],
            &page("How bot walls work", &format!("Sites ask you to verify you are human. {long}")),
            here,
            None,
        );
        check(200, &[], "<script>window._cf_chl_opt={}</script>", here, Some(Rule::BotWall));
        check(200, &[], "<title>Sign in</title><form><input type=password></form>", here, Some(Rule::LoginWall));
        check(200, &[], "<title>Anmelden</title><form><input type=password></form>", here, Some(Rule::LoginWall));
        check(200, &[], &page("Sign in rates rose", "Sign in rates rose by 4%."), here, None);
        check(
            200,
            &[],
            &page("Welcome", "Please identify."),
            "https://a.example/login?next=/article",
            Some(Rule::LoginWall),
        );
        check(
            200,
            &[],
            &page("Before you continue", "We use cookies."),
            "https://consent.google.com/ml",
            Some(Rule::ConsentWall),
        );
        check(200, &[], &page("News", "Subscribe to continue reading."), here, Some(Rule::Paywall));
        check(200, &[], &page("请稍候…", "请完成安全验证"), here, Some(Rule::BotWall));
    }

    #[test]
    fn walls_by_way_and_form() {
        let here = "https://a.example/article";
        let page = |title: &str, text: &str| format!("<title>{title}</title><body><p>{text}</p>");
        let gate = "https://a.example/gate?next=/article";
        let form = "<form><input type=password></form>";
        // What is called like its address says such words of its subject, unless it carries the address to come back to.
        let login = "<title>Article</title><body><p>Please log in to continue.";
        check(200, &[], login, here, None);
        check(200, &[], login, gate, Some(Rule::Interstitial));
        // Whoever has no account is told at length.
        let told = "The archive of the county was founded by nine growers of the region in a barn. ".repeat(5);
        check(200, &[], &format!("<title>Article</title><body><p>{told}</p>{form}"), gate, Some(Rule::Interstitial));
        check(200, &[], &format!("<title>Article</title><body><p>{told}</p>{form}"), here, None);
        check(200, &[], &format!("<title>Members</title><body>{form}"), here, Some(Rule::LoginWall));
        check(200, &[], &format!("<title>Article</title><body>{form}"), here, None);
        check(200, &[], &format!("<title>Board</title><body><h1>The page does not exist</h1>{form}"), here, None);
        // Whatever the status; but what says that it is not there asks for no login.
        for status in [401, 403, 404] {
            check(status, &[], &format!("<title>Members</title><body>{form}"), here, Some(Rule::LoginWall));
            check(status, &[], &format!("<title>404</title><body><h1>Not found</h1>{form}"), here, None);
        }
        let free = "<script type=application/ld+json>{\"isAccessibleForFree\": false}</script><p>Nine growers met.";
        check(200, &[], free, here, Some(Rule::Paywall));
        check(200, &[], &free.replace("false", "true"), here, None);
        check(200, &[], &page("Shop", "Your browser has cookies disabled."), here, Some(Rule::CookieCheck));
        let partners = "We and our partners use cookies: accept, or manage your choices.";
        check(200, &[], &page("Shop", partners), here, Some(Rule::ConsentWall));
        let found = |asked: &str, landed: &str| {
            let (asked, landed) = (Url::parse(asked).unwrap(), Url::parse(landed).unwrap());
            find(200, &HeaderMap::new(), &Document::default(), &asked, &landed).map(|(wall, _)| wall)
        };
        assert_eq!(found("https://a.example/article", "https://a.example/login/x"), Some(Rule::LoginWall));
        // A page about such pages may move.
        assert_eq!(found("https://a.example/login/intro", "https://a.example/login/introduction"), None);
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
                Some(Rule::BotWall),
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
                check(status, &[], &body(form, text), here, Some(Rule::BotWall));
                check(status, &[], &body(form, ""), here, Some(Rule::BotWall));
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
