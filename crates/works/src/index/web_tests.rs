//! Indexes over a transport that fails at random.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use proptest::prelude::*;

use super::Web;
use crate::question::Question;
use crate::{Account, Entry, Field, Index, Lookups, Outcome, accounts, look_up};
use cited_fetch::transport::{Answer, Ask, BodyEnd, Exchange, Exchanging, Failure, Transport};
use cited_fetch::{Bundle, Network, Rule, Settings};

/// How an index fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Status(u16),
    /// A page with status 200.
    Page,
    /// Its own form without what belongs into it.
    Hollow,
    /// Half of its answer, as if it was whole.
    Half,
    /// An answer that breaks off.
    Broken,
    Silence(Rule),
    /// It fails once and answers then.
    Once,
}

/// Where each index is, what it says when it has nothing, and to what kind of request that is an answer.
const EMPTY: [(&str, &str, u16, &str); 11] = [
    ("crossref", "api.crossref.org/works?", 200, r#"{"message":{"items":[]}}"#),
    ("crossref-doi", "api.crossref.org/works/", 404, "Resource not found."),
    ("datacite", "api.datacite.org/dois?", 200, r#"{"data":[]}"#),
    ("datacite-doi", "api.datacite.org/dois/", 404, r#"{"errors":[]}"#),
    ("dblp", "dblp.org/", 200, r#"{"result":{"hits":{"@total":"0"}}}"#),
    ("openalex", "api.openalex.org/", 200, r#"{"results":[]}"#),
    ("semanticscholar", "api.semanticscholar.org/", 404, r#"{"error":"Title match not found"}"#),
    ("arxiv", "export.arxiv.org/", 200, "<feed xmlns=\"http://www.w3.org/2005/Atom\"></feed>"),
    ("pubmed", "eutils.ncbi.nlm.nih.gov/", 200, r#"{"esearchresult":{"idlist":[]}}"#),
    ("openlibrary", "openlibrary.org/", 200, r#"{"docs":[]}"#),
    ("doi.org", "doi.org/doiRA/", 200, r#"[{"DOI":"10.5555/none","status":"DOI does not exist"}]"#),
];

/// Entries of no work, and who must have said so.
const ENTRIES: [(&str, &[&str]); 6] = [
    ("Coe, B. (2019). On the patience of limpets. *Coastal Records*, 3(2), 1–9.", &["crossref", "openalex"]),
    (
        "Coe, B. (2019). Surgery on patients with limpets. *Clinical Medicine*, 3(2), 1–9.",
        &["crossref", "openalex", "pubmed"],
    ),
    (
        "Bo Coe. Limpets that wait. In Proceedings of ICML, 2020.",
        &["crossref", "dblp", "openalex", "semanticscholar", "arxiv"],
    ),
    (
        "Bo Coe. Limpets and shores. arXiv preprint, 2020.",
        &["arxiv", "openalex", "crossref", "semanticscholar", "datacite"],
    ),
    ("Coe, Bo. *The Limpet Almanac*. London: Harrow & Finch, 2016.", &["openlibrary", "crossref"]),
    (
        "Coe, B. (2019). On the calm of limpets. *Coastal Records*, 3(2), 1–9. https://doi.org/10.5555/none",
        &["crossref", "openalex", "doi.org"],
    ),
];

/// Indexes that fail at some of their addresses.
struct Faulty {
    faults: Vec<(&'static str, Fault, u64)>,
    /// Who was asked at which address, and whether that was answered in the end.
    heard: Mutex<BTreeMap<String, (&'static str, bool)>>,
}

impl Faulty {
    fn answer(&self, ask: &Ask) -> Result<Answer, Failure> {
        let url = ask.url.as_str();
        let said = EMPTY.iter().find(|(_, place, ..)| url.starts_with(&format!("https://{place}")));
        let (name, status, body) = said.map_or(("", 404, ""), |(name, _, status, body)| (*name, *status, *body));
        let is_hit = |share: &u64| {
            let mut hasher = DefaultHasher::new();
            url.hash(&mut hasher);
            hasher.finish() % 100 < *share
        };
        let fault = self.faults.iter().find(|(of, _, share)| name.starts_with(of) && is_hit(share));
        let whole = |status, body: String| {
            Ok(Answer { status, headers: http::HeaderMap::default(), body: body.into(), end: BodyEnd::Complete })
        };
        let answers = matches!(fault, None | Some((_, Fault::Once, _)));
        self.heard.lock().unwrap().insert(url.to_owned(), (name, answers));
        match fault.map(|(_, fault, _)| *fault) {
            Some(Fault::Status(status)) => whole(status, "Too many requests".to_owned()),
            Some(Fault::Page) => whole(200, "<!doctype html><title>Just a moment…</title>".to_owned()),
            Some(Fault::Hollow) => whole(200, "{}".to_owned()),
            Some(Fault::Half) => whole(200, body[..body.len() / 2].to_owned()),
            Some(Fault::Broken) => {
                whole(200, body[..body.len() / 2].to_owned()).map(|answer| Answer { end: BodyEnd::Broken, ..answer })
            }
            Some(Fault::Silence(rule)) => Err(Failure::new(rule, "no answer")),
            Some(Fault::Once) if ask.attempt == 0 => whole(503, String::new()),
            Some(Fault::Once) | None => whole(status, body.to_owned()),
        }
    }
}

impl Transport for Faulty {
    fn exchange<'a>(&'a self, ask: &'a Ask) -> Exchanging<'a> {
        Box::pin(std::future::ready(Exchange::new(self.answer(ask), jiff::Timestamp::UNIX_EPOCH)))
    }
}

fn faults() -> impl Strategy<Value = Vec<(&'static str, Fault, u64)>> {
    let status = prop::sample::select(vec![301u16, 400, 401, 403, 404, 429, 500, 503]).prop_map(Fault::Status);
    let kinds = vec![Rule::Timeout, Rule::Connection, Rule::Tls, Rule::NoSuchHost];
    let fault = prop_oneof![
        3 => status,
        1 => prop::sample::select(kinds).prop_map(Fault::Silence),
        2 => prop::sample::select(vec![Fault::Page, Fault::Hollow, Fault::Half, Fault::Broken, Fault::Once]),
    ];
    let names = EMPTY.map(|(name, ..)| name).to_vec();
    prop::collection::vec((prop::sample::select(names), fault, prop::sample::select(vec![30u64, 60, 100])), 0..5)
}

/// The outcomes of all entries, looked up together, and who was heard.
fn looked_up(faults: Vec<(&'static str, Fault, u64)>) -> (Vec<Outcome>, HashSet<&'static str>) {
    let transport = Arc::new(Faulty { faults, heard: Mutex::default() });
    let settings = Settings { backoff: Duration::ZERO, host_pause: Duration::from_micros(1), ..Settings::default() };
    let network = Arc::new(Network::with_transport(settings, Arc::clone(&transport) as Arc<dyn Transport>).unwrap());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    let outcome = |entry: &str| {
        let indexes = Web::all(&network, &[], None, |_| None).unwrap();
        let indexes: Vec<&dyn Index> = indexes.iter().map(|index| index as &dyn Index).collect();
        transport.heard.lock().unwrap().clear();
        let looked = runtime.block_on(look_up(&[Entry::of_words(entry)], &indexes, 2026));
        let asked: Vec<(&'static str, bool)> = transport.heard.lock().unwrap().values().copied().collect();
        let answered = |(name, _): &&(&str, bool)| asked.iter().all(|(other, well)| other != name || *well);
        let heard = asked.iter().filter(answered).map(|(name, _)| *name).collect::<HashSet<&'static str>>();
        (looked.looks[0].outcome, heard)
    };
    let all = ENTRIES.map(|(entry, covered)| (outcome(entry), covered));
    for ((outcome, heard), covered) in &all {
        let said = covered.iter().all(|name| heard.contains(name));
        let expected = if said { Outcome::NotFound } else { Outcome::Unasked };
        assert_eq!(*outcome, expected, "{covered:?} {heard:?}");
    }
    let outcomes = all.iter().map(|((outcome, _), _)| *outcome).collect();
    (outcomes, all.into_iter().flat_map(|((_, heard), _)| heard).collect())
}

#[test]
fn without_faults_all_are_heard_and_nothing_is_found() {
    let (outcomes, heard) = looked_up(Vec::new());
    assert_eq!(outcomes, vec![Outcome::NotFound; ENTRIES.len()]);
    let silent: Vec<&str> = EMPTY.map(|(name, ..)| name).into_iter().filter(|name| !heard.contains(name)).collect();
    // Each of these was to be asked by some entry.
    assert_eq!(silent, Vec::<&str>::new());
}

/// An index that takes its time, and how many ask it at once.
#[derive(Default)]
struct Slow {
    busy: AtomicUsize,
    peak: AtomicUsize,
}

impl Transport for Slow {
    fn exchange<'a>(&'a self, _: &'a Ask) -> Exchanging<'a> {
        Box::pin(async {
            self.peak.fetch_max(self.busy.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
            tokio::time::sleep(Duration::from_secs(2)).await;
            self.busy.fetch_sub(1, Ordering::Relaxed);
            let (headers, body) = (http::HeaderMap::default(), Vec::new().into());
            let answer = Answer { status: 404, headers, body, end: BodyEnd::Complete };
            Exchange::new(Ok(answer), jiff::Timestamp::UNIX_EPOCH)
        })
    }
}

#[tokio::test(start_paused = true)]
async fn an_index_is_asked_by_as_many_at_once_as_it_takes_from_who_gives_a_contact_and_who_does_not() {
    for (contact, most) in [(None, 1), (Some("doe@lindos.example"), 3)] {
        let slow = Arc::new(Slow::default());
        let transport = Arc::clone(&slow) as Arc<dyn Transport>;
        let network = Arc::new(Network::with_transport(Settings::default(), transport).unwrap());
        let indexes = Web::all(&network, &[], contact, |_| None).unwrap();
        let crossref = indexes.iter().find(|index| index.name() == "crossref").unwrap();
        let questions: Vec<Question> =
            (0..9).map(|number| Question::Record(Field::Doi, format!("10.5555/{number}"))).collect();
        futures_util::future::join_all(questions.iter().filter_map(|question| crossref.ask(question))).await;
        assert_eq!(slow.peak.load(Ordering::Relaxed), most, "{contact:?}");
    }
}

/// An index of a few addresses.
struct Shelf;

impl Transport for Shelf {
    fn exchange<'a>(&'a self, ask: &'a Ask) -> Exchanging<'a> {
        let (status, headers, body): (u16, &[(&'static str, &'static str)], &str) = match ask.url.path() {
            "/isbn/9780306406157.json" => (302, &[("location", "/books/OL1M.json")], ""),
            "/books/OL1M.json" => (200, &[], r#"{"title": "The Limpet Almanac"}"#),
            "/isbn/9780306406164.json" => (302, &[("location", "https://elsewhere.example/")], ""),
            _ => (200, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "54000")], r#"{"results":[]}"#),
        };
        let headers = headers
            .iter()
            .map(|(name, value)| (http::HeaderName::from_static(name), http::HeaderValue::from_static(value)));
        let answer =
            Answer { status, headers: headers.collect(), body: body.to_owned().into(), end: BodyEnd::Complete };
        Box::pin(std::future::ready(Exchange::new(Ok(answer), jiff::Timestamp::UNIX_EPOCH)))
    }
}

#[test]
fn an_index_may_answer_from_another_of_its_addresses_and_says_when_its_budget_is_gone() {
    let settings = Settings::default();
    let network = Arc::new(Network::with_transport(settings, Arc::new(Shelf)).unwrap());
    let all = Web::all(&network, &[], None, |_| None).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let ask = |name: &str, question: Question| {
        let index = all.iter().find(|index| index.name() == name).unwrap();
        (runtime.block_on(index.ask(&question).unwrap()).answer, index.account())
    };
    let isbn = |number: &str| Question::Record(Field::Isbn, number.to_owned());
    let (book, _) = ask("openlibrary", isbn("9780306406157"));
    assert!(matches!(&book, Ok(records) if records[0].title() == "The Limpet Almanac"), "{book:?}");
    assert_eq!(ask("openlibrary", isbn("9780306406164")).0, Err("HTTP 302".to_owned()));
    let (first, account) = ask("openalex", Question::Title("Limpets".to_owned(), None));
    assert_eq!((first, account.left), (Ok(Vec::new()), Some(0)));
    let (second, _) = ask("openalex", Question::Title("Gulls".to_owned(), None));
    assert_eq!(second, Err("nothing is left of its budget".to_owned()));
}

/// Entries of no work, each with a title of its own.
fn limpets(count: u32) -> Vec<Entry> {
    let title =
        |number: u32| format!("Coe, B. (2019). On the patience of {number} limpets. *Coastal Records*, 3(2), 1–9.");
    (0..count).map(|number| Entry::of_words(&title(number))).collect()
}

/// What became of entries that are looked up together, and of the indexes.
fn looked_up_together(
    entries: &[Entry],
    transport: Arc<dyn Transport>,
    bundle: Bundle,
) -> (Lookups, BTreeMap<String, Account>) {
    let pause = Duration::from_micros(1);
    let settings = Settings { backoff: Duration::ZERO, host_pause: pause, bundle, ..Settings::default() };
    let network = Arc::new(Network::with_transport(settings, transport).unwrap());
    let all = Web::all(&network, &[], None, |_| None).unwrap();
    let indexes: Vec<&dyn Index> = all.iter().map(|index| index as &dyn Index).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let looked = runtime.block_on(look_up(entries, &indexes, 2026));
    let accounts = accounts(looked.looks.iter(), &indexes);
    network.finish().unwrap();
    (looked, accounts)
}

#[test]
fn a_replay_says_of_an_index_that_was_given_up_what_the_run_said() {
    let path = std::env::temp_dir().join(format!("cited-works-{}.warc.gz", std::process::id()));
    let entries = limpets(9);
    let faulty = Faulty { faults: vec![("openalex", Fault::Status(403), 100)], heard: Mutex::default() };
    let recorded = looked_up_together(&entries, Arc::new(faulty), Bundle::Record(path.clone()));
    assert_eq!(recorded.1["openalex"].reason.as_deref(), Some("HTTP 403"));
    // Which of them was asked before it was given up is not told.
    let asked = recorded.0.looks.iter().flat_map(|look| &look.asked).filter(|asked| asked.index == "openalex");
    let hashes: Vec<Option<&String>> = asked.map(|asked| asked.text_sha256.as_ref()).collect();
    assert_eq!(hashes, vec![None; entries.len()]);
    // Nobody is asked for what the bundle has: the shelf answers nothing of the kind.
    assert_eq!(looked_up_together(&entries, Arc::new(Shelf), Bundle::Replay(path.clone())), recorded);
    std::fs::remove_file(path).unwrap();
}

/// What becomes of an entry does not depend on which others came before it.
#[test]
fn pages_in_the_place_of_some_answers_keep_nobody_from_being_asked() {
    let mut entries = limpets(24);
    let mut run = |fault: Fault| {
        let faulty = || Arc::new(Faulty { faults: vec![("openalex", fault, 60)], heard: Mutex::default() });
        let outcomes = |looked: &Lookups| looked.looks.iter().map(|look| look.outcome).collect::<Vec<_>>();
        let forth = outcomes(&looked_up_together(&entries, faulty(), Bundle::None).0);
        entries.reverse();
        let mut back = outcomes(&looked_up_together(&entries, faulty(), Bundle::None).0);
        entries.reverse();
        back.reverse();
        assert_eq!(forth, back, "{fault:?}");
        assert!(forth.contains(&Outcome::NotFound) && forth.contains(&Outcome::Unasked), "{forth:?}");
    };
    run(Fault::Page);
    run(Fault::Half);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Nothing is called not found unless everybody who covers it gave an answer that is one; and then it is.
    #[test]
    fn nothing_is_not_found_while_a_fault_keeps_an_index_silent(faults in faults()) {
        looked_up(faults);
    }
}
