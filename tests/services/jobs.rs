//! Jobs of a service that is killed in the middle of its work.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::server::Options;
use super::{Server, Service, flags};

/// Jobs that are asked for.
const JOBS: usize = 16;

fn jobs(service: &Service, places: &BTreeMap<String, String>) -> BTreeMap<String, Value> {
    places.keys().map(|key| (key.clone(), service.ask("GET", &places[key], &[], None).2)).collect()
}

fn done(jobs: &BTreeMap<String, Value>) -> usize {
    jobs.values().filter(|job| job["state"] == "done").count()
}

/// A web of pages that each take a while.
fn web() -> Server {
    let pages: BTreeMap<String, Value> = (0..JOBS)
        .map(|i| {
            (
                format!("http://a.example/{i}"),
                json!({"title": format!("Page {i}"), "text": format!("Words of page {i}, which is there.")}),
            )
        })
        .collect();
    let options = Options { latency: Duration::from_millis(300), ..Options::default() };
    Server::start_with(&json!(pages).to_string(), options)
}

/// Flags of a service that keeps its jobs there.
fn kept_at(web: &Server, place: &[&str]) -> Vec<String> {
    let more = ["--at-once", "2", "--rate", "100000", "--pause", "0"];
    flags(web).into_iter().chain(more.iter().chain(place).map(|flag| (*flag).to_owned())).collect()
}

/// Asks for a job by its key; gives where it is.
fn begin(service: &Service, i: usize) -> String {
    let body = json!({"tool": "check_sources", "arguments": {"urls": [format!("http://a.example/{i}")]}});
    let (status, _, job) = service.ask("POST", "/v1/jobs", &[("idempotency-key", &format!("k{i}"))], Some(&body));
    assert_eq!(status, 202, "{job}");
    format!("/v1/jobs/{}", job["id"].as_str().unwrap())
}

#[test]
fn a_killed_service_has_every_job_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jobs.db").display().to_string();
    killed_in_the_middle(&["--jobs", &file]);
}

/// Some jobs are done, some run, some wait when it is killed (SIGKILL). All are there afterwards; what was done is as it was and is
/// not done again; what was asked for again with its key is the same job.
fn killed_in_the_middle(place: &[&str]) {
    let web = web();
    let flags = kept_at(&web, place);
    let mut service = Service::start(&flags, None);
    let places: BTreeMap<String, String> =
        (0..JOBS).map(|i| (format!("http://a.example/{i}"), begin(&service, i))).collect();
    let begun = Instant::now();
    let (mut kills, mut before) = (0, jobs(&service, &places));
    while done(&before) < JOBS {
        assert!(begun.elapsed() < Duration::from_secs(100), "{before:#?}");
        if done(&before) >= 4 * (kills + 1) && kills < 2 {
            kills += 1;
            // Drop kills with SIGKILL.
            drop(service);
            let asked: BTreeMap<&String, usize> = places.keys().map(|url| (url, web.hits(url))).collect();
            service = Service::start(&flags, None);
            let after = jobs(&service, &places);
            for (url, job) in &before {
                assert_eq!(after[url]["id"], job["id"]);
                if job["state"] == "done" {
                    assert_eq!((&after[url], web.hits(url)), (job, asked[url]), "done again");
                }
            }
            // Clients that do not know what became of their call send it again.
            for i in 0..JOBS {
                assert_eq!(begin(&service, i), places[&format!("http://a.example/{i}")]);
            }
        }
        std::thread::sleep(Duration::from_millis(50));
        before = jobs(&service, &places);
    }
    assert_eq!(kills, 2);
    for (url, job) in &before {
        assert_eq!(job["result"]["counts"], json!({"live": 1}), "{url}");
        // Once, and once more only for each time that the service was killed while it was asked.
        assert!((1..=3).contains(&web.hits(url)), "{url}: {}", web.hits(url));
    }
    let (_, _, metrics) = service.ask("GET", "/metrics", &[], None);
    assert!(metrics.as_str().unwrap().contains(&format!("cited_jobs{{state=\"done\"}} {JOBS}\n")), "{metrics}");
}
