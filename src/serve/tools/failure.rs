//! Why a tool gave nothing: a few kinds that faces turn into statuses, and words that say what to do.

use cited_core::error::Error;

/// What kind of failure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum FailureKind {
    /// The arguments are wrong.
    #[strum(serialize = "invalid-arguments")]
    Arguments,
    /// A file outside the folders that were opened, or a thing that this service does not do for its clients.
    Forbidden,
    /// Checking could not be completed.
    Blocked,
    /// Whoever asked has cancelled it.
    Cancelled,
    /// It took longer than this service allows.
    TimedOut,
    /// Too much is asked for at once.
    Busy,
    /// cited itself is at fault.
    Defect,
}

/// Why a tool gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What kind of failure it is.
    pub kind: FailureKind,
    /// What happened, and what to do.
    pub message: String,
}

impl Failure {
    /// A failure of this kind.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Failure { kind, message: message.into() }
    }

    /// Wrong arguments.
    pub fn arguments(message: impl Into<String>) -> Self {
        Failure::new(FailureKind::Arguments, message)
    }

    /// Something that is not allowed here.
    pub fn forbidden(message: impl Into<String>) -> Self {
        Failure::new(FailureKind::Forbidden, message)
    }

    /// A fault of cited.
    pub fn defect(message: impl Into<String>) -> Self {
        Failure::new(FailureKind::Defect, message)
    }

    /// It was cancelled.
    pub fn cancelled() -> Self {
        Failure::new(FailureKind::Cancelled, "cancelled: nothing was written")
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let kind = if error.is_blocked() {
            FailureKind::Blocked
        } else if error.is_defect() {
            FailureKind::Defect
        } else {
            FailureKind::Arguments
        };
        Failure::new(kind, error.to_string())
    }
}
