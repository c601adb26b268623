//! What is answered instead of a result: problem details (RFC 9457), and when it is worth trying again.

use axum::Json;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::serve::tools::{Failure, FailureKind};

/// Seconds after which a client that was refused for load may try again.
const LATER: u64 = 5;

/// A problem, with its status.
#[derive(Debug, Clone)]
pub struct Problem {
    status: StatusCode,
    kind: &'static str,
    detail: String,
    /// What to do, as a header says it to programs.
    advice: Option<(HeaderName, HeaderValue)>,
}

impl Problem {
    /// A problem of this kind.
    pub fn new(status: StatusCode, kind: &'static str, detail: impl Into<String>) -> Problem {
        Problem { status, kind, detail: detail.into(), advice: None }
    }

    /// The same, worth another try in some seconds.
    #[must_use]
    pub fn later(self, seconds: u64) -> Problem {
        Problem { advice: Some((header::RETRY_AFTER, seconds.max(1).into())), ..self }
    }

    /// The same, with how a token is to be shown.
    #[must_use]
    pub fn challenging(self, how: &'static str) -> Problem {
        Problem { advice: Some((header::WWW_AUTHENTICATE, HeaderValue::from_static(how))), ..self }
    }

    /// Nothing is there.
    pub fn not_found(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "not-found", detail)
    }

    /// As JSON: a job keeps it so.
    pub fn value(&self) -> serde_json::Value {
        json!({
            "type": format!("urn:cited:problem:{}", self.kind),
            "title": self.status.canonical_reason().unwrap_or("Problem"),
            "status": self.status.as_u16(),
            "detail": self.detail,
        })
    }
}

/// What stands in an address for a name; an error where it is no text.
pub type Named = Result<Path<String>, PathRejection>;

/// The name that stands in an address.
pub fn part_of(named: Named) -> Result<String, Problem> {
    named.map(|Path(name)| name).map_err(|_| Problem::not_found("nothing is here; the name in the address is no text"))
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Problem {
        let status = match failure.kind {
            FailureKind::Arguments => StatusCode::UNPROCESSABLE_ENTITY,
            FailureKind::Forbidden => StatusCode::FORBIDDEN,
            FailureKind::Blocked => StatusCode::BAD_GATEWAY,
            FailureKind::Cancelled => StatusCode::CONFLICT,
            FailureKind::TimedOut => StatusCode::GATEWAY_TIMEOUT,
            FailureKind::Busy => StatusCode::TOO_MANY_REQUESTS,
            FailureKind::Defect => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let problem = Problem::new(status, failure.kind.into(), failure.message);
        if failure.kind == FailureKind::Busy { problem.later(LATER) } else { problem }
    }
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
