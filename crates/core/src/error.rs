//! The one error type of the crate: opaque, with predicates and an exit status.
//!
//! Only input, output and settings can fail. Reading a document, judging and deciding cannot: they return values and
//! [findings](crate::finding::Finding).

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;

/// What kept a command from running to its end.
///
/// The message says what happened, where, why, and what to do; it is complete without its
/// [source](std::error::Error::source).
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    kind: Kind,
    message: String,
    source: Option<io::Error>,
}

/// What callers tell errors apart by.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    /// Something that the user can mend: a call, a setting, a file.
    User,
    /// A file that was read is no text.
    NotText,
    /// cited itself is at fault.
    Defect,
    /// Checking could not be completed.
    Blocked,
}

/// A result whose error is [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    fn new(kind: Kind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), source: None }
    }

    fn of_system(message: String, source: io::Error) -> Self {
        Error { source: Some(source), ..Error::new(Kind::User, message) }
    }

    /// A call that makes no sense as typed, or a settings file, variable or flag with a value that cannot be used.
    pub fn usage(message: impl Into<String>) -> Self {
        Error::new(Kind::User, message)
    }

    /// `path` could not be read.
    pub fn read(path: impl AsRef<Path>, source: io::Error) -> Self {
        let advice = match source.kind() {
            ErrorKind::NotFound => "check the path",
            ErrorKind::PermissionDenied => "check its permissions",
            ErrorKind::IsADirectory => "name a file in it",
            _ => "check that it is a readable file",
        };
        let path = path.as_ref().display();
        Error::of_system(format!("{path}: cannot be read: {}; {advice}", in_words(&source)), source)
    }

    /// `path` holds bytes that are not UTF-8, the first in `line`.
    pub fn not_utf8(path: impl AsRef<Path>, line: usize) -> Self {
        let path = path.as_ref().display();
        let advice = format!("for example with `iconv -f windows-1252 -t utf-8 {path} > utf8.md`");
        Error::new(Kind::NotText, format!("{path}: not UTF-8 in line {line}; convert it first, {advice}"))
    }

    /// `path` could not be written; what was there before is unchanged.
    pub fn write(path: impl AsRef<Path>, source: io::Error) -> Self {
        let (path, why) = (path.as_ref().display(), in_words(&source));
        let advice = "nothing was changed, name another place";
        Error::of_system(format!("{path}: cannot be written: {why}; {advice}"), source)
    }

    /// Standard output takes no more. Files that were asked for are written, or not, whatever becomes of it.
    pub fn print(source: io::Error) -> Self {
        let advice = "what it got is not whole, send it elsewhere or into a file";
        Error::of_system(format!("standard output: cannot be written: {}; {advice}", in_words(&source)), source)
    }

    /// Input that was read and cannot be worked on.
    pub fn input(message: impl Into<String>) -> Self {
        Error::new(Kind::User, message)
    }

    /// An evidence bundle that is not a well-formed WARC file.
    pub fn bundle(path: impl AsRef<Path>, reason: impl fmt::Display) -> Self {
        let path = path.as_ref().display();
        Error::input(format!("{path}: not a usable evidence bundle: {reason}; record it again with --record"))
    }

    /// The output failed its own check, so nothing was written.
    pub fn defect(message: impl fmt::Display) -> Self {
        let what = "the result failed its own check, so nothing was written";
        Self::new(Kind::Defect, format!("{what}: {message}; this is a fault of cited, please report it with the draft"))
    }

    /// cited itself broke off, in the words of its panic.
    pub fn panicked(message: impl fmt::Display) -> Self {
        let what = "cited broke off, and no file was written half";
        Self::new(Kind::Defect, format!("{what}: {message}; this is a fault of cited, please report it with the draft"))
    }

    /// Checking could not be completed.
    pub fn blocked(message: impl Into<String>) -> Self {
        Error::new(Kind::Blocked, message)
    }

    /// Whether checking could not be completed (network down, time over, interrupted).
    pub fn is_blocked(&self) -> bool {
        self.kind == Kind::Blocked
    }

    /// Whether a file that was read is no text.
    pub fn is_not_text(&self) -> bool {
        self.kind == Kind::NotText
    }

    /// Whether cited itself is at fault.
    pub fn is_defect(&self) -> bool {
        self.kind == Kind::Defect
    }

    /// The exit status for this error: 3 when blocked, 2 otherwise.
    pub fn exit_status(&self) -> u8 {
        if self.is_blocked() { 3 } else { 2 }
    }
}

/// An error of the system without its number, which helps nobody who reads the words.
fn in_words(error: &io::Error) -> String {
    match (error.kind(), error.raw_os_error()) {
        (ErrorKind::NotFound, Some(_)) => "it is not there".to_owned(),
        (ErrorKind::IsADirectory, _) => "it is a folder".to_owned(),
        (_, number) => {
            let number = number.map(|number| format!(" (os error {number})")).unwrap_or_default();
            let words = error.to_string();
            words.strip_suffix(&number).unwrap_or(&words).to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Error;

    #[test]
    fn messages_say_where_and_what_to_do() {
        let error = Error::not_utf8("draft.md", 17);
        assert_eq!(
            error.to_string(),
            "draft.md: not UTF-8 in line 17; convert it first, for example with `iconv -f windows-1252 -t utf-8 draft.md > utf8.md`"
        );
        assert_eq!(error.exit_status(), 2);
        assert_eq!(Error::blocked("the network is at fault").exit_status(), 3);
    }
}
