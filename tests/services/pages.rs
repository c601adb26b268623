//! Pages for people: the audit and the reports of drafts, as a browser gets them.

use std::process::Command;

use serde_json::json;

use super::{CITED, Server, Service, WEB, flags};

#[test]
fn the_audit_and_reports_are_pages() {
    let web = Server::start(WEB);
    let folder = tempfile::tempdir().unwrap();
    let (list, state) = (folder.path().join("list.txt"), folder.path().join("audit.sqlite"));
    std::fs::write(&list, "http://a.example/bridge\nhttp://a.example/gone<b>\n").unwrap();
    let mut service_flags = flags(&web);
    // A state that is not there is not made.
    let state_flag = ["--state".to_owned(), state.display().to_string()];
    let refused = Command::new(CITED).args(["serve", "--listen", "127.0.0.1:0"]).args(&state_flag).output().unwrap();
    let told = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(2) && told.contains("run `cited audit --state") && !state.exists(), "{told}");
    let audit = Command::new(CITED).arg("audit").arg(&list).args(&state_flag).args(flags(&web)).output().unwrap();
    assert!(state.exists(), "{audit:?}");
    service_flags.extend(state_flag);
    let service = Service::start(&service_flags, None);
    let page = |path: &str| {
        let (status, head, body) = service.ask("GET", path, &[], None);
        assert_eq!(status, 200, "{path}: {body}");
        assert!(head.contains("content-type: text/html") && head.contains("frame-ancestors 'none'"), "{head}");
        let text = body.as_str().unwrap().to_owned();
        assert!(text.starts_with("<!DOCTYPE html>") && text.contains("default-src 'none'"), "{text}");
        text
    };
    let audit = page("/audit");
    assert!(audit.contains("<h1 dir=\"auto\">Audit of "), "{audit}");
    assert!(!audit.contains("gone<b>"));
    // The report of a draft that was checked as a job, when its record was asked for.
    let draft = "# B\n\nThe bridge opened in 1932 [1]. The bridge opened in 1958 [1].\n\n## Sources\n\n[1] The bridge. http://a.example/bridge\n";
    let report = |record: bool| {
        let begin = json!({"tool": "verify_draft", "arguments": {"text": draft, "record": record}});
        let (_, _, job) = service.ask("POST", "/v1/jobs", &[], Some(&begin));
        let id = job["id"].as_str().unwrap().to_owned();
        service.ask("GET", &format!("/v1/jobs/{id}/events"), &[], None);
        id
    };
    let (with, without) = (report(true), report(false));
    let text = page(&format!("/reports/{with}"));
    assert!(text.contains("The bridge opened in 1958") && text.contains("number not in source"), "{text}");
    for (path, words) in
        [(format!("/reports/{without}"), "record: true"), ("/reports/nothing".to_owned(), "no such job")]
    {
        let (status, _, problem) = service.ask("GET", &path, &[], None);
        assert!(status == 404 && problem["detail"].as_str().unwrap().contains(words), "{path}: {problem}");
    }
    let (status, _, problem) = Service::start(&flags(&web), None).ask("GET", "/audit", &[], None);
    assert!(status == 404 && problem["detail"].as_str().unwrap().contains("--state"), "{problem}");
}
