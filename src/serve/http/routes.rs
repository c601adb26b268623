//! What is answered where, what every request works with, and what is counted and logged of it.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::HttpBody as _;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{DefaultBodyLimit, Extension, FromRequest as _, MatchedPath, Path, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::{Stream, StreamExt as _};
use jiff::Timestamp;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::guard::{Door, Guard};
use super::jobs::{Job, Jobs, State as Standing};
use crate::cli::say;
use crate::pipeline::audit::{Shared as Audit, look};
use crate::serve::problem::{Problem, Result};
use crate::serve::tools::{self, Call, Context, TOOLS, output_schema};
use cited_core::error::Error;
use cited_report::html::verified;
use cited_report::record::Record;

/// Bytes of a request's body.
const LONGEST_BODY: usize = 16 << 20;
/// How long a body may take to come.
const BODY: Duration = Duration::from_mins(1);
/// How often a stream of events says that it is still there.
const STILL: Duration = Duration::from_secs(15);
/// What a browser may do with a page beside what the page itself says: no other site frames it.
const POLICY: &str = "frame-ancestors 'none'";
/// Sessions of the Model Context Protocol that may be open at once, each some 50 KB.
const MOST_SESSIONS: usize = 500;
/// The header that names such a session.
const SESSION: &str = "mcp-session-id";

/// The service as every route has it.
pub type Shared = Arc<Service>;

/// What every request works with.
pub struct Service {
    /// What tools work with.
    pub context: Arc<Context>,
    /// Who may ask.
    pub guard: Guard,
    /// Calls that nobody waits for.
    pub jobs: Arc<Jobs>,
    /// Counts.
    pub metrics: Metrics,
    /// The audit that is shown.
    pub audit: Option<Audit>,
    /// It takes no more, and what waits for clients ends: event streams, sessions, connections.
    pub stopping: CancellationToken,
}

/// A line of the log, JSON on standard error. It never holds what clients sent or pages say.
pub fn log(mut event: Value) {
    event["time"] = jiff::Timestamp::now().to_string().into();
    say(format_args!("{event}\n"));
}

/// Requests that were answered, by route and status.
pub type Metrics = Mutex<BTreeMap<(String, u16), u64>>;

/// All routes of the service.
pub fn router(service: &Shared) -> Router {
    Router::new()
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .route("/openapi.json", get(async || Json(document())))
        .route("/v1/tools/{name}", post(run_tool))
        .route("/v1/jobs", post(begin_job))
        .route("/v1/jobs/{id}", get(job).delete(cancel_job))
        .route("/v1/jobs/{id}/events", get(events))
        .route("/audit", get(audit))
        .route("/reports/{id}", get(report))
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .fallback(async || Problem::not_found("nothing is here; /openapi.json says what there is"))
        .method_not_allowed_fallback(async || {
            let advice = "this address takes another method; see /openapi.json";
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, advice)
        })
        .merge(mcp(service))
        .with_state(Arc::clone(service))
        .layer(middleware::from_fn_with_state(Arc::clone(service), watched))
}

/// The `OpenAPI` 3.1 document of the service: `openapi.json`, to which the table of tools and the type of a job are added.
fn document() -> Value {
    let mut document: Value = serde_json::from_str(include_str!("openapi.json")).unwrap_or_default();
    document["info"]["version"] = env!("CARGO_PKG_VERSION").into();
    document["components"]["schemas"]["Job"] = output_schema::<Job>().to_value();
    for tool in TOOLS.iter() {
        let result = json!({"type": "object", "required": ["text", "result"],
            "properties": {"text": {"type": "string", "description": "A few lines for a model"}, "result": tool.output}});
        document["paths"][format!("/v1/tools/{}", tool.name)] = json!({"post": {
            "operationId": tool.name, "description": tool.description, "tags": ["tools"],
            "requestBody": {"required": true, "content": {"application/json": {"schema": tool.input}}},
            "responses": {
                "200": {"description": "Done", "content": {"application/json": {"schema": result}}},
                "default": {"$ref": "#/components/responses/Problem"},
            },
        }});
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All references of a value.
    fn references<'v>(value: &'v Value, all: &mut Vec<&'v str>) {
        match value {
            Value::Object(fields) => {
                all.extend(fields.get("$ref").and_then(Value::as_str));
                fields.values().for_each(|field| references(field, all));
            }
            Value::Array(list) => list.iter().for_each(|one| references(one, all)),
            _ => {}
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        let document = document();
        let mut all = Vec::new();
        references(&document, &mut all);
        assert!(all.len() > TOOLS.len(), "{}", all.len());
        for target in all {
            let pointer = target.strip_prefix('#').unwrap();
            assert!(document.pointer(pointer).is_some(), "{target}");
        }
        for tool in TOOLS.iter() {
            assert!(document["paths"].get(format!("/v1/tools/{}", tool.name)).is_some());
        }
    }
}

/// The Model Context Protocol over streamable HTTP. Hosts, origins and tokens are vetted before it is asked. A session that nobody uses
/// ends after five minutes; until then there are only so many.
fn mcp(service: &Shared) -> Router<Shared> {
    let mut config = StreamableHttpServerConfig::default().disable_allowed_hosts();
    config = config.with_cancellation_token(service.stopping.child_token()).with_max_request_body_bytes(LONGEST_BODY);
    let context = Arc::clone(&service.context);
    let session = move || Ok(crate::serve::mcp::Session(Arc::clone(&context)));
    let sessions = Arc::new(LocalSessionManager::default());
    let protocol = StreamableHttpService::new(session, Arc::clone(&sessions), config);
    let few = async |State(sessions): State<Arc<LocalSessionManager>>, request: Request, next: Next| {
        if !request.headers().contains_key(SESSION) && sessions.sessions.read().await.len() >= MOST_SESSIONS {
            let why = format!("{MOST_SESSIONS} sessions are open already; end one with DELETE, or try again later");
            return Err(Problem::busy(why).later(60));
        }
        Ok(next.run(request).await)
    };
    Router::new().route_service("/mcp", protocol).layer(middleware::from_fn_with_state(sessions, few))
}

/// Vets a request, counts it and writes it down.
async fn watched(
    State(service): State<Shared>,
    Extension(client): Extension<IpAddr>,
    route: Option<MatchedPath>,
    mut request: Request,
    next: Next,
) -> Response {
    let begun = Instant::now();
    let method = request.method().clone();
    let route = route.map_or_else(|| "none".to_owned(), |route| route.as_str().to_owned());
    let door = match route.as_str() {
        "/healthz" | "/readyz" => Door::Open,
        "/audit" | "/reports/{id}" => Door::People,
        _ => Door::Programs,
    };
    // Behind a proxy that reads lengths otherwise, what follows a request in chunks may be somebody else's: nothing is read after it.
    let last = request.headers().contains_key(header::TRANSFER_ENCODING);
    let mut response = match service.guard.admit(client, request.uri(), request.headers(), door, begun) {
        Ok(()) => {
            // The token is for this service alone.
            request.headers_mut().remove(header::AUTHORIZATION);
            next.run(request).await
        }
        Err(problem) => problem.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if last {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    let (status, elapsed) = (response.status().as_u16(), begun.elapsed().as_millis() as u64);
    log(json!({"method": method.as_str(), "route": route, "status": status, "elapsed_ms": elapsed}));
    *service.metrics.lock().unwrap_or_else(PoisonError::into_inner).entry((route, status)).or_default() += 1;
    response
}

async fn ready(State(service): State<Shared>) -> Result<&'static str> {
    let ending = || Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the service is ending").later(30);
    if service.stopping.is_cancelled() { Err(ending()) } else { Ok("ready\n") }
}

/// For Prometheus, in its text format: what was counted, and the calls that run and wait now.
async fn metrics(State(service): State<Shared>) -> impl IntoResponse {
    let (running, waiting) = service.context.load();
    let counted = service.metrics.lock().unwrap_or_else(PoisonError::into_inner);
    let line = |((route, status), count): (&(String, u16), &u64)| {
        format!("cited_http_requests_total{{route=\"{route}\",status=\"{status}\"}} {count}\n")
    };
    let requests: String = counted.iter().map(line).collect();
    let text = format!(
        "# TYPE cited_http_requests_total counter\n{requests}# TYPE cited_calls gauge\n\
         cited_calls{{state=\"running\"}} {running}\ncited_calls{{state=\"waiting\"}} {waiting}\n"
    );
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text)
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.value())).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        headers.extend(self.advice);
        response
    }
}

/// What stands in an address for a name; an error where it is no text.
type Named = Result<Path<String>, PathRejection>;

/// The name that stands in an address.
fn part_of(named: Named) -> Result<String> {
    named.map(|Path(name)| name).map_err(|_| Problem::not_found("nothing is here; the name in the address is no text"))
}

/// The body of a request to do something, as JSON. A form of another site could send anything else without asking.
async fn body(service: &Shared, request: Request) -> Result<Value> {
    ready(State(Arc::clone(service))).await?;
    if request.body().size_hint().lower() > LONGEST_BODY as u64 {
        let detail = format!("the body is longer than {} MiB", LONGEST_BODY >> 20);
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail));
    }
    let read = tokio::time::timeout(BODY, Json::<Value>::from_request(request, &())).await;
    let slow = |_| Problem::new(StatusCode::REQUEST_TIMEOUT, "the body came too slowly");
    let unread =
        |why: JsonRejection| Problem::new(why.status(), format!("send the arguments as JSON: {}", why.body_text()));
    read.map_err(slow)?.map(|Json(value)| value).map_err(unread)
}

async fn run_tool(State(service): State<Shared>, name: Named, request: Request) -> Result<Json<Value>> {
    let tool = tools::tool(&part_of(name)?).map_err(Problem::not_found)?;
    let arguments = body(&service, request).await?;
    let answer = tools::call(Arc::clone(&service.context), tool, arguments, Call::default()).await?;
    Ok(Json(json!({"text": answer.text, "result": answer.value})))
}

/// What a job is asked for with.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Begin {
    tool: String,
    #[serde(default)]
    arguments: Map<String, Value>,
}

async fn begin_job(State(service): State<Shared>, request: Request) -> Result<Response> {
    let begin: Begin = cited_core::shape::read(&body(&service, request).await?)
        .map_err(|why| Problem::arguments(format!("the body is not {{\"tool\": …, \"arguments\": …}}: {why}")))?;
    let tool = tools::tool(&begin.tool).map_err(Problem::arguments)?;
    let job = service.jobs.add(tool, Value::Object(begin.arguments))?;
    let location = format!("/v1/jobs/{}", job.id);
    Ok((StatusCode::ACCEPTED, [(header::LOCATION, location)], Json(job)).into_response())
}

async fn job(State(service): State<Shared>, id: Named) -> Result<Json<Job>> {
    service.jobs.look(&part_of(id)?).map(|(job, _)| Json(job.borrow().clone()))
}

async fn cancel_job(State(service): State<Shared>, id: Named) -> Result<Json<Job>> {
    service.jobs.cancel(&part_of(id)?).map(Json)
}

/// The steps of a job as they come, and at the end the job itself.
async fn events(
    State(service): State<Shared>,
    id: Named,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let mut news = service.jobs.look(&part_of(id)?)?.0.subscribe();
    // What is known already is told first.
    news.mark_changed();
    let ending = service.stopping.clone().cancelled_owned();
    let stream = futures_util::stream::unfold(Some(news), |watching| async move {
        let mut news = watching?;
        let is_over = news.changed().await.is_err();
        let job = news.borrow_and_update().clone();
        if is_over || job.state != Standing::Open {
            return Some((Ok(Event::default().event("over").data(json!(job).to_string())), None));
        }
        Some((Ok(Event::default().event("progress").data(json!(job.step).to_string())), Some(news)))
    });
    Ok(Sse::new(stream.take_until(ending)).keep_alive(KeepAlive::new().interval(STILL)))
}

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
async fn audit(State(service): State<Shared>) -> Result<Response> {
    let Some(audit) = service.audit.clone() else {
        return Err(Problem::not_found("no audit is shown here; start cited with --state FILE|URL"));
    };
    let unreadable = |error: Error| Problem::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string()).later(10);
    let made = audit.with(|store| {
        let report = look(store, Timestamp::now())?;
        Ok(report.map(|report| cited_report::audit::sheet(&report).html()))
    });
    let Some(text) = made.await.map_err(unreadable)? else {
        return Err(Problem::not_found("no night of the audit is over yet; run `cited audit` with the same --state"));
    };
    Ok(page(text))
}

/// The report of a draft that was checked.
async fn report(State(service): State<Shared>, id: Named) -> Result<Response> {
    let result = service.jobs.look(&part_of(id)?)?.0.borrow().result.clone().unwrap_or_default();
    let Ok(record) = serde_json::from_value::<Record>(result["record"].clone()) else {
        let detail = "this job has no report; one of `verify_draft` with `record: true` has, once it is done";
        return Err(Problem::not_found(detail));
    };
    // A long record takes a while, and other clients wait for this thread.
    let made = tokio::task::spawn_blocking(move || verified::report(&record)).await;
    Ok(made.map(page).map_err(Error::defect)?)
}
