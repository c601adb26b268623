//! Pages for people: the audit as its last night left it, and the reports of drafts that were checked.

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;

use super::problem::{Named, Problem, part_of};
use super::service::Shared;
use crate::pipeline::audit::look;
use cited_core::error::Error;
use cited_report::audit::told;
use cited_report::html::verified::report;
use cited_report::record::Record;

/// What a browser may do with a page beside what the page itself says: no other site frames it.
const POLICY: &str = "frame-ancestors 'none'";

/// A page. Its own policy stands in its head.
fn page(text: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ];
    (headers, text).into_response()
}

/// The audit as its last night left it.
pub async fn audit(State(service): State<Shared>) -> Result<Response, Problem> {
    let Some(audit) = service.audit.clone() else {
        return Err(Problem::not_found("no audit is shown here; start cited with --state FILE|URL"));
    };
    let unreadable = |error: Error| Problem::new(StatusCode::SERVICE_UNAVAILABLE, "store", error.to_string()).later(10);
    let made = audit.with(|store| {
        let told = look(store, Timestamp::now())?.map(|report| told(&report)).transpose()?;
        Ok(told.map(|told| told.sheet.html(&told.view)))
    });
    let Some(text) = made.await.map_err(unreadable)? else {
        return Err(Problem::not_found("no night of the audit is over yet; run `cited audit` with the same --state"));
    };
    Ok(page(text))
}

/// The report of a draft that was checked.
pub async fn of_job(State(service): State<Shared>, id: Named) -> Result<Response, Problem> {
    let result = service.jobs.get(&part_of(id)?)?.result.unwrap_or_default();
    let Ok(record) = serde_json::from_value::<Record>(result["record"].clone()) else {
        let detail = "this job has no report; one of `verify_draft` with `record: true` has, once it is done";
        return Err(Problem::not_found(detail));
    };
    // A long record takes a while, and other clients wait for this thread.
    let made = tokio::task::spawn_blocking(move || report(&record)).await;
    made.map(page).map_err(|error| {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "defect", format!("the page could not be made: {error}"))
    })
}
