//! What looks mean, one a row.

use http::header::{HeaderMap, HeaderValue};
use url::Url;

use super::super::document::{self, Limits};
use super::super::transport::{Answer, BodyEnd};
use super::Sibling;
use super::{Doubt, after_sibling, is_far, rule};
use super::{Landing, Look};
use crate::Request;
use cited_core::outcome::{Fetched, Hop, Outcome};

const MARKET: &str = "The autumn market opens on Saturday with apples, pears and cider from nine growers of the region. There will \
    be music in the evening and a bus back to town. Tickets are sold at the gate and in the shop on the square.";

const SLATE: &str = "Welcome to the shop of Orvik where we sell all sorts of slate and stone for house and garden, at good prices, \
    every day of the week.";

/// A look at `asked` that ended at a page of `landed`.
fn look(asked: &str, landed: &str, title: &str, text: &str) -> (Look, Url) {
    look_at(asked, landed, &format!("<title>{title}</title><body><main><h1>{title}</h1><p>{text}</p></main>"))
}

fn look_at(asked: &str, landed: &str, body: &str) -> (Look, Url) {
    let mut headers = HeaderMap::new();
    headers.insert("content-type", HeaderValue::from_static("text/html; charset=utf-8"));
    let answer = Answer { status: 200, headers, body: body.to_owned().into(), end: BodyEnd::Complete };
    let (asked, final_url) = (Url::parse(asked).unwrap(), Url::parse(landed).unwrap());
    let document = document::read(&answer, &final_url, &Limits { max_body: 1 << 20, ..Limits::default() });
    let hop = |url: &Url| Hop { url: url.to_string(), status: None, location: None, error: None };
    let hops = if asked == final_url { vec![hop(&asked)] } else { vec![hop(&asked), hop(&final_url)] };
    let end = Ok(Box::new(Landing { answer, document }));
    (Look { hops, final_url, permanent: true, end, at: jiff::Timestamp::UNIX_EPOCH }, asked)
}

fn name(ruling: &Fetched) -> String {
    let gone = if ruling.outcome == Outcome::Dead { "gone: " } else { "" };
    format!("{gone}{}", ruling.rule)
}

/// What the document says of the source.
fn saying<'c>(claim: &'c str, title: &str) -> Request<'c> {
    Request { titles: vec![title.to_owned()], claims: vec![claim], ..Request::default() }
}

/// What a look comes to with each answer of a sibling: the same, another, none.
fn decided(look: &Look, asked: &Url, cited: &Request<'_>) -> [String; 3] {
    [Sibling::Same, Sibling::Other, Sibling::Silent].map(|sibling| {
        name(&rule(look, asked, cited).unwrap_or_else(|doubt| after_sibling(doubt, sibling, look, asked, cited)))
    })
}

/// What a page comes to, as a sibling gets the same, another answer, or none.
#[track_caller]
fn way(asked: &str, landed: &str, (title, text): (&str, &str), (claim, cited): (&str, &str), expected: [&str; 3]) {
    let (look, asked) = look(asked, landed, title, text);
    assert_eq!(decided(&look, &asked, &saying(claim, cited)), expected, "{asked} -> {landed}: {title}");
}

#[test]
fn redirects_are_dead_when_a_sibling_is_sent_there_too() {
    let rum = ("The works made 31,000 casks of rum in 1871 for the colonies", "Rum works of Demerara");
    let market = ("Autumn market", MARKET);
    let up = ["gone: redirect-collapsed", "off-topic", "off-topic"];
    way("https://a.example/archive/2019/rum-works", "https://a.example/news", market, rum, up);
    way("https://a.example/news/2019/rum-works", "https://a.example/news/2019", market, rum, up);
    let elsewhere = ["gone: redirect-unrelated", "off-topic", "off-topic"];
    way("https://a.example/rum", "https://a.example/stories/4711", market, rum, elsewhere);
    way("https://a.example/rum", "https://b.example/bonus", market, rum, elsewhere);
    let home = ["gone: redirect-to-home", "off-topic", "off-topic"];
    way("https://a.example/rum", "https://b.example/", market, rum, home);
    // The front page of its own site has nothing of it.
    let own_home = ["gone: redirect-to-home", "gone: redirect-to-home", "off-topic"];
    way("https://a.example/rum", "https://a.example/", market, rum, own_home);
    // The same content, and another that has enough of it.
    let right = ("Demerara", "The works of Demerara made rum for the colonies; in 1871 there were 31,000 casks of it.");
    let moved = ["gone: redirect-collapsed", "moved", "moved"];
    way("https://a.example/archive/2019/rum-works", "https://a.example/news", right, rum, moved);
    // An error page.
    let sorry = ("Acme", "Try our front page.");
    way(
        "https://a.example/rum",
        "https://a.example/not-found",
        sorry,
        ("", ""),
        ["gone: redirect-to-error", "moved", "gone: redirect-to-error"],
    );
}

#[test]
fn a_front_page_that_is_called_like_what_was_asked_for_is_where_it_moved_to() {
    let none = ("", "");
    let page = ("A. Hartmann", "Hydrologist at the school of mines.");
    way("https://uni.example/~hartmann/", "https://hartmann.example/", page, none, ["moved"; 3]);
    way("https://uni.example/projects/hydro/", "https://hydro.example/", ("Project", "Six boats."), none, ["moved"; 3]);
    // Its own front page is asked for by nobody who names a page.
    way(
        "https://uni.example/boats",
        "https://uni.example/",
        ("Boats", "Six boats."),
        none,
        ["gone: redirect-to-home", "moved", "moved"],
    );
}

#[test]
fn items_that_are_gone_are_dead_though_their_site_knows_the_address() {
    let none = ("", "");
    let at = "https://a.example/v/8812";
    let said = |title: &str, text: &str, expected: [&str; 3]| way(at, at, (title, text), none, expected);
    let (gone, gone_page) = (["gone: item-gone"; 3], ["gone: soft-404"; 3]);
    said("This job is no longer available", "See similar jobs.", gone);
    said("Questo annuncio è scaduto", "", gone);
    said("この動画は削除されました", "", gone);
    // That a page is not found is believed of a site that says so honestly of others where that is all that the page says.
    said("Page not found", "Try our search for boats.", gone_page);
    said("Page not found | Acme", "Sorry, we can't find that page.", gone_page);
    let more = "Plum, pear and quince. Oak, ash and birch. Salmon, perch and pike. Rye, oats and barley. Copper, tin and lead.";
    said("Page not found", more, ["gone: soft-404", "live", "gone: soft-404"]);
    said("Page not found", "", ["gone: soft-404"; 3]);
    said("Page not found", "Sorry, this page does not exist.", ["gone: soft-404"; 3]);
    // Where the item is still told at length it is there.
    let long =
        "The measured values were stable over the whole year, and every station reported them on time. ".repeat(8);
    said("This product is no longer available", &long, ["gone: item-gone", "live", "live"]);
    // A thin page that says nothing of the kind.
    said("Note 12", "Remember the milk.", ["gone: catch-all", "live", "live"]);
    // A title that its address names.
    let named = "https://a.example/songs/page-not-found";
    way(named, named, ("Page not found", "I typed your name into the night."), none, ["live"; 3]);
    // Without a redirect nothing is proven by what a page is about.
    let video = "Video unavailable. This video is no longer available because the account has been terminated.";
    let skye = ("The Skye works made 700 barrels in the summer", "Skye works report");
    way("https://a.example/watch/8812", "https://a.example/watch/8812", ("Tube", video), skye, gone);
}

#[test]
fn the_name_of_a_site_is_no_title() {
    let who = ("The Skye works made 811 barrels in the winter", "World Health Organization");
    let error = "The page you requested could not be found.";
    let here = "https://who.example/a/lewis";
    let gone = "gone: soft-404";
    let said = |title: &str, cited: &str, expected: &str| {
        let (look, asked) = look(here, here, title, error);
        assert_eq!(decided(&look, &asked, &saying(who.0, cited))[2], expected, "{title}");
    };
    said("Page not found - World Health Organization", who.1, gone);
    said("World Health Organization | Page not found", who.1, gone);
    said("Page not found", who.1, gone);
    let of_host = "https://tides-of-the-coast.example/a/lewis";
    let (look_there, asked) = look(of_host, of_host, "Tides of the Coast", error);
    assert_eq!(decided(&look_there, &asked, &saying(who.0, "Tides of the Coast"))[2], gone);
    // The title of the work is a proof: it is what was asked for.
    said("Page not found: a play in three acts", "Page not found: a play in three acts", "live");
    said("Page not found is a play - Example", "Page not found is a play", "live");
    // The title of a front page is the name of its site, that of an article is not.
    let home =
        ("World Health Organization", "Health for all. News and events of the week from our offices around the globe.");
    let (look, asked) = look(here, "https://who.example/", home.0, home.1);
    assert_eq!(decided(&look, &asked, &saying(who.0, who.1))[0], "gone: redirect-to-home");
}

#[track_caller]
fn far(claim: &str, title: &str, page: (&str, &str), expected: bool) {
    let (look, asked) = look("https://a.example/y", "https://a.example/x", page.0, page.1);
    let document = &look.end.as_ref().unwrap().document;
    assert_eq!(is_far(&look, &asked, document, &saying(claim, title)), expected, "{claim} / {page:?}");
}

#[test]
fn pages_about_something_else() {
    let (market, slate) = (("Autumn market", MARKET), ("Orvik shop", SLATE));
    // Function words and one common word are on any page.
    far("The Alden plant drew workers from distant villages", "Alden plant history", market, true);
    far("The hut at Lunde was built by people of the town", "The hut at Lunde", market, true);
    far(
        "Workers from distant villages came in summer",
        "The history of the plant",
        ("A page", "Summer is here, and so are the new shoes for boys and girls at all our branches."),
        true,
    );
    far("Neem grows 31 m tall", "Neem", slate, true);
    far("Aspen share was 42.5%", "Aspen", slate, true);
    far("Ink is black", "Ink", slate, false);
    // One word that is not common, an inflected one, two common ones: nothing is said.
    far("The Alden plant drew workers from distant villages", "Alden", ("Alden", MARKET), false);
    far("The growing of pear trees is old here", "Pear trees in gardens", market, false);
    far("The market for open stalls is old", "Stalls of Dover town", market, false);
    far(
        "Neem grows 31 m tall",
        "Neem",
        ("Orvik", "The neem tree is an evergreen of the mahogany family, and gives oil."),
        false,
    );
    // In another language.
    far(
        "The Alden plant drew workers from distant villages",
        "Alden plant history",
        (
            "Werk",
            "Das Werk zog Arbeiter aus fernen Orten an, die mit der Bahn und zu Fuß kamen und in der Nähe wohnten.",
        ),
        false,
    );
}

#[test]
fn what_is_over_or_is_a_part_is_there_when_its_site_knows_it() {
    let here = "https://a.example/t/8812";
    let page = |text, expected| way(here, here, ("Town talk", text), ("", ""), expected);
    page("The poll is closed.", ["gone: item-gone", "live", "gone: item-gone"]);
    page("Two replies so far. This comment has been removed.", ["gone: item-gone", "live", "live"]);
}

#[test]
fn what_nothing_proves_is_doubted() {
    let said = |asked: &str, head: &str, text: &str, expected: &str| {
        let body = format!("<title>Garden notes</title>{head}<body><main><h1>Garden notes</h1><p>{text}</p></main>");
        let (look, asked) = look_at(asked, asked, &body);
        let signs = |doubt: Doubt| doubt.signs.join(" ");
        let found = rule(&look, &asked, &Request::default()).map_or_else(signs, |ruling| name(&ruling));
        assert_eq!(found, expected, "{asked} {head}");
    };
    let (number, slug) = ("https://a.example/p/8812", "https://a.example/p/copper-mining");
    let long = "The soil is warm enough when a hand feels no chill in it at noon. ".repeat(5);
    said(number, "", &long, "live");
    said("https://a.example/p/881", "", &long, "live");
    said(number, "", "Nine growers.", "unproven:thin");
    said(slug, "", &long, "unproven:not-named");
}

/// A short page with words that a wall may say, and with what was cited, is no wall.
#[test]
fn what_was_cited_stands_on_no_wall() {
    let check = |claim: &str, text: &str, expected: &str| {
        let (look, asked) = look("https://a.example/x/12", "https://a.example/x/12", "Page", text);
        let cited = Request { claims: vec![claim], ..Request::default() };
        assert_eq!(decided(&look, &asked, &cited)[1], expected, "{text}");
    };
    let text = "This article is not available in your country.";
    check("This article is not available in your country.", text, "live");
    check("The harbour of Orvik was dredged in the spring of 1911.", text, "country-block");
    // The rest of it is not there, and its absence must prove nothing.
    let text = "The harbour of Orvik was dredged in the spring of 1911. Subscribe to read the rest of this article.";
    check("The harbour of Orvik was dredged in the spring of 1911.", text, "paywall");
    let text = "财政压力大：随着城市扩张和运营维护需求增长，单一政府拨款难以长期覆盖高额设施更新和管理投资，特别是中小城市与县域财政捉襟见肘。";
    check("", text, "live");
    check("", "系统维护中，请稍后再访问。", "failing");
}

/// Short pages that somebody wrote without sight of the rules, alive, failing or before something else, none of which has a sibling to ask.
#[test]
fn short_pages_that_nobody_looked_at() {
    let cases = include_str!("../../../../testdata/blind/walls/pages.jsonl");
    let mut counts = std::collections::BTreeMap::new();
    for case in cases.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()) {
        let (look, asked) =
            look_at("https://a.example/x/1042", "https://a.example/x/1042", case["html"].as_str().unwrap());
        let cited = Request::default();
        let ruling = rule(&look, &asked, &cited)
            .unwrap_or_else(|doubt| after_sibling(doubt, Sibling::Silent, &look, &asked, &cited));
        let found = match ruling.outcome {
            Outcome::Live => "live",
            Outcome::Unreachable => "failing",
            Outcome::Dead => "dead",
            _ => "wall",
        };
        *counts.entry((case["truth"].as_str().unwrap().to_owned(), found)).or_insert(0) += 1;
    }
    let count = |truth: &str, found: &'static str| counts.get(&(truth.to_owned(), found)).copied().unwrap_or(0);
    assert_eq!(count("live", "dead"), 0);
    let seen = count("live", "live") >= 48 && count("wall", "wall") >= 14 && count("failing", "failing") >= 7;
    assert!(seen && count("failing", "dead") <= 2, "{counts:?}");
}
