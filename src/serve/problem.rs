//! What is told instead of a result: problem details (RFC 9457), with words that say what to do, and when it is worth trying again.

use http::{HeaderName, HeaderValue, StatusCode, header};
use serde_json::json;

use cited_core::error::Error;

/// Seconds after which a client that was refused for load may try again.
const LATER: u64 = 5;

/// A problem. Its status says to programs what kind it is.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The status of HTTP.
    pub status: StatusCode,
    /// What happened, and what to do.
    pub message: String,
    /// What to do, as a header says it to programs.
    pub advice: Option<(HeaderName, HeaderValue)>,
}

/// A result whose error is a [`Problem`] unless it says another.
pub type Result<T, E = Problem> = std::result::Result<T, E>;

impl Problem {
    /// A problem with this status.
    pub fn new(status: StatusCode, message: impl Into<String>) -> Problem {
        Problem { status, message: message.into(), advice: None }
    }

    /// Wrong arguments.
    pub fn arguments(message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    /// A file outside the folders that were opened, or a thing that this service does not do for its clients.
    pub fn forbidden(message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::FORBIDDEN, message)
    }

    /// Nothing is there.
    pub fn not_found(message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, message)
    }

    /// Too much is asked for at once.
    pub fn busy(message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::TOO_MANY_REQUESTS, message).later(LATER)
    }

    /// Whoever asked has cancelled it.
    pub fn cancelled() -> Problem {
        Problem::new(StatusCode::CONFLICT, "cancelled: nothing was written")
    }

    /// The same, worth another try in some seconds.
    #[must_use]
    pub fn later(self, seconds: u64) -> Problem {
        Problem { advice: Some((header::RETRY_AFTER, seconds.max(1).into())), ..self }
    }

    /// As JSON: a job keeps it so.
    pub fn value(&self) -> serde_json::Value {
        let title = self.status.canonical_reason().unwrap_or("Problem");
        json!({"title": title, "status": self.status.as_u16(), "detail": self.message})
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let status = match (error.is_blocked(), error.is_defect()) {
            (true, _) => StatusCode::BAD_GATEWAY,
            (_, true) => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Problem::new(status, error.to_string())
    }
}
