//! What looks mean, one a row.

use reqwest::header::{HeaderMap, HeaderValue};
use url::Url;

use super::super::document::{self, Limits};
use super::super::look::{End, Landing, Look};
use super::super::outcome::Hop;
use super::super::transport::{Answer, BodyEnd};
use super::{Cited, Distance, Ruling, by_content, distance, rule};

const MARKET: &str = "The autumn market opens on Saturday with apples, pears and cider from nine growers of the region. There will \
    be music in the evening and a bus back to town. Tickets are sold at the gate and in the shop on the square.";

const SLATE: &str = "Welcome to the shop of Orvik where we sell all sorts of slate and stone for house and garden, at good prices, \
    every day of the week.";

/// A look at `asked` that ended at a page of `landed`.
fn look(asked: &str, landed: &str, title: &str, text: &str) -> (Look, Url) {
    let mut headers = HeaderMap::new();
    headers.insert("content-type", HeaderValue::from_static("text/html; charset=utf-8"));
    let body = format!("<title>{title}</title><body><main><h1>{title}</h1><p>{text}</p></main>");
    let answer = Answer { status: 200, headers, body: body.into(), end: BodyEnd::Complete };
    let (asked, final_url) = (Url::parse(asked).unwrap(), Url::parse(landed).unwrap());
    let document = document::read(
        &answer,
        &final_url,
        &Limits { max_body: 1 << 20, max_title: 4096, words: None, pdf: None, seen_only: false },
    );
    let hop = |url: &Url| Hop { url: url.to_string(), status: None, location: None, error: None };
    let hops = if asked == final_url { vec![hop(&asked)] } else { vec![hop(&asked), hop(&final_url)] };
    let end = End::Answer(Box::new(Landing { answer, document }));
    (Look { hops, final_url, permanent: true, end, at: jiff::Timestamp::UNIX_EPOCH }, asked)
}

fn name(ruling: &Ruling) -> String {
    match ruling {
        Ruling::Settled { rule, .. } => rule.to_string(),
        Ruling::Gone { rule, .. } => format!("gone: {rule}"),
        Ruling::Doubtful(suspicion) => format!("doubt: {}", suspicion.rule),
    }
}

/// The rule for a redirect to a page, before a probe and after one that came back clean.
#[track_caller]
fn way(asked: &str, landed: &str, (title, text): (&str, &str), (claim, cited): (&str, &str), expected: (&str, &str)) {
    let (look, asked) = look(asked, landed, title, text);
    let titles = [cited.to_owned()];
    let cited = Cited { titles: &titles, claims: &[claim], supports: None };
    let before = name(&rule(&look, &asked, cited));
    let after = name(&by_content(&look, &asked, cited));
    assert_eq!((before.as_str(), after.as_str()), expected, "{asked} -> {landed}: {title}");
}

#[test]
fn a_clean_probe_does_not_end_the_questions() {
    let rum = ("The works made 31,000 casks of rum in 1871 for the colonies", "Rum works of Demerara");
    let market = ("Autumn market", MARKET);
    let gone = "gone: redirect-unrelated";
    let up = "doubt: redirect-collapsed";
    way("https://a.example/archive/2019/rum-works", "https://a.example/news", market, rum, (up, gone));
    way("https://a.example/news/2019/rum-works", "https://a.example/news/2019", market, rum, (up, gone));
    way("https://a.example/rum", "https://a.example/stories/4711", market, rum, (gone, gone));
    way("https://a.example/rum", "https://b.example/bonus", market, rum, (gone, gone));
    // The same content, and another that has enough of it.
    let right = ("Demerara", "The works of Demerara made rum for the colonies; in 1871 there were 31,000 casks of it.");
    way("https://a.example/archive/2019/rum-works", "https://a.example/rum", right, rum, (up, "moved"));
    // Too little is there, or said, to tell.
    way(
        "https://a.example/archive/2019/rum-works",
        "https://a.example/news",
        ("News", "Read all."),
        rum,
        (up, "off-topic"),
    );
    let little = ("Aspen share was 42.5%", "Aspen");
    way("https://a.example/a/b/neem", "https://a.example/news", ("Orvik", SLATE), little, (up, "off-topic"));
    // Without a redirect nothing is proven.
    let video = "Video unavailable. This video is no longer available because the account has been terminated.";
    let skye = ("The Skye works made 700 barrels in the summer", "Skye works report");
    let here = "https://a.example/watch/skye";
    way(here, here, ("YouTube", video), skye, ("doubt: soft-404", "off-topic"));
}

#[test]
fn the_name_of_a_site_is_no_title() {
    let who = ("The Skye works made 811 barrels in the winter", "World Health Organization");
    let error = "The page you requested could not be found.";
    let here = "https://who.example/a/lewis";
    let gone = "gone: soft-404";
    let said = |title: &str, cited: &str, expected: &str| {
        let (look, asked) = look(here, here, title, error);
        let titles = [cited.to_owned()];
        let cited = Cited { titles: &titles, claims: &[who.0], supports: None };
        assert_eq!(name(&rule(&look, &asked, cited)), expected, "{title}");
    };
    said("Page not found - World Health Organization", who.1, gone);
    said("World Health Organization | Page not found", who.1, gone);
    said("Page not found", who.1, gone);
    // The title of the work is a proof: it is what was asked for.
    said("Page not found: a play in three acts", "Page not found: a play in three acts", "live");
    said("Page not found is a play - Example", "Page not found is a play", "live");
    // The title of a front page is the name of its site, that of an article is not.
    let home =
        ("World Health Organization", "Health for all. News and events of the week from our offices around the globe.");
    let (look, asked) = look(here, "https://who.example/", home.0, home.1);
    let titles = [who.1.to_owned()];
    let cited = Cited { titles: &titles, claims: &[who.0], supports: None };
    assert_eq!(name(&rule(&look, &asked, cited)), "gone: redirect-to-home");
}

#[track_caller]
fn far(claim: &str, title: &str, page: (&str, &str), expected: Option<Distance>) {
    let here = "https://a.example/x";
    let (look, _) = look(here, here, page.0, page.1);
    let End::Answer(landing) = &look.end else { unreachable!() };
    let titles = [title.to_owned()];
    let cited = Cited { titles: &titles, claims: &[claim], supports: None };
    assert_eq!(distance(&landing.document, cited, &["a.example"]), expected, "{claim} / {page:?}");
}

#[test]
fn pages_about_something_else() {
    let (market, slate) = (("Autumn market", MARKET), ("Orvik shop", SLATE));
    let (proven, likely) = (Some(Distance::Proven), Some(Distance::Likely));
    // Function words and one common word are on any page.
    far("The Alden plant drew workers from distant villages", "Alden plant history", market, proven);
    far("The hut at Lunde was built by people of the town", "The hut at Lunde", market, proven);
    far(
        "Workers from distant villages came in summer",
        "The history of the plant",
        ("A page", "Summer is here, and so are the new shoes for boys and girls at all our branches."),
        proven,
    );
    far("Neem grows 31 m tall", "Neem", slate, proven);
    far("Aspen share was 42.5%", "Aspen", slate, likely);
    far("Ink is black", "Ink", slate, None);
    // One word that is not common, an inflected one, two common ones: nothing is said.
    far("The Alden plant drew workers from distant villages", "Alden", ("Alden", MARKET), None);
    far("The growing of pear trees is old here", "Pear trees in gardens", market, None);
    far("The market for open stalls is old", "Stalls of Dover town", market, None);
    far(
        "Neem grows 31 m tall",
        "Neem",
        ("Orvik", "The neem tree is an evergreen of the mahogany family, and gives oil."),
        None,
    );
    // In another language.
    far(
        "The Alden plant drew workers from distant villages",
        "Alden plant history",
        (
            "Werk",
            "Das Werk zog Arbeiter aus fernen Orten an, die mit der Bahn und zu Fuß kamen und in der Nähe wohnten.",
        ),
        None,
    );
}
