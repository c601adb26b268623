//! The one error type of the crate: opaque, with predicates and an exit status.
//!
//! Only input, output and settings can fail. Reading a document, judging and deciding cannot: they return values and
//! [findings](crate::finding::Finding).

use std::fmt;
use std::path::{Path, PathBuf};

/// What kept a command from running to its end.
///
/// The message says what happened, where, why, and what to do; it is complete without its
/// [source](std::error::Error::source).
#[derive(Debug)]
pub struct Error {
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Usage(String),
    Settings(String),
    Read { path: PathBuf, source: std::io::Error, advice: &'static str },
    NotUtf8 { path: PathBuf, line: usize },
    Write { path: PathBuf, source: std::io::Error },
    Print(std::io::Error),
    Input(String),
    Bundle { path: PathBuf, reason: String },
    Defect(String),
    Panic(String),
    Blocked(String),
}

/// A result whose error is [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// A call that makes no sense as typed.
    pub fn usage(message: impl Into<String>) -> Self {
        Kind::Usage(message.into()).into()
    }

    /// A settings file, variable or flag with a value that cannot be used.
    pub fn settings(message: impl Into<String>) -> Self {
        Kind::Settings(message.into()).into()
    }

    /// `path` could not be read.
    pub fn read(path: impl AsRef<Path>, source: std::io::Error) -> Self {
        let advice = match source.kind() {
            std::io::ErrorKind::NotFound => "check the path",
            std::io::ErrorKind::PermissionDenied => "check its permissions",
            std::io::ErrorKind::IsADirectory => "name a file in it",
            _ => "check that it is a readable file",
        };
        Kind::Read { path: path.as_ref().into(), source, advice }.into()
    }

    /// `path` holds bytes that are not UTF-8, the first in `line`.
    pub fn not_utf8(path: impl AsRef<Path>, line: usize) -> Self {
        Kind::NotUtf8 { path: path.as_ref().into(), line }.into()
    }

    /// `path` could not be written; what was there before is unchanged.
    pub fn write(path: impl AsRef<Path>, source: std::io::Error) -> Self {
        Kind::Write { path: path.as_ref().into(), source }.into()
    }

    /// Standard output takes no more. Files that were asked for are written, or not, whatever becomes of it.
    pub fn print(source: std::io::Error) -> Self {
        Kind::Print(source).into()
    }

    /// Input that was read and cannot be worked on.
    pub fn input(message: impl Into<String>) -> Self {
        Kind::Input(message.into()).into()
    }

    /// An evidence bundle that is not a well-formed WARC file.
    pub fn bundle(path: impl AsRef<Path>, reason: impl Into<String>) -> Self {
        Kind::Bundle { path: path.as_ref().into(), reason: reason.into() }.into()
    }

    /// The output failed its own check, so nothing was written.
    pub fn defect(message: impl Into<String>) -> Self {
        Kind::Defect(message.into()).into()
    }

    /// cited itself broke off, in the words of its panic.
    pub fn panicked(message: impl Into<String>) -> Self {
        Kind::Panic(message.into()).into()
    }

    /// Checking could not be completed.
    pub fn blocked(message: impl Into<String>) -> Self {
        Kind::Blocked(message.into()).into()
    }

    /// Whether checking could not be completed (network down, time over, interrupted).
    pub fn is_blocked(&self) -> bool {
        matches!(self.kind, Kind::Blocked(_))
    }

    /// Whether a file that was read is no text.
    pub fn is_not_text(&self) -> bool {
        matches!(self.kind, Kind::NotUtf8 { .. })
    }

    /// Whether cited itself is at fault.
    pub fn is_defect(&self) -> bool {
        matches!(self.kind, Kind::Defect(_) | Kind::Panic(_))
    }

    /// The exit status for this error: 3 when blocked, 2 otherwise.
    pub fn exit_status(&self) -> u8 {
        if self.is_blocked() { 3 } else { 2 }
    }
}

impl From<Kind> for Error {
    fn from(kind: Kind) -> Self {
        Error { kind }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Usage(message) | Kind::Settings(message) | Kind::Input(message) | Kind::Blocked(message) => {
                f.write_str(message)
            }
            Kind::Read { path, source, advice } => {
                write!(f, "{}: cannot be read: {}; {advice}", path.display(), InWords(source))
            }
            Kind::NotUtf8 { path, line } => write!(
                f,
                "{}: not UTF-8 in line {line}; convert it first, for example with `iconv -f windows-1252 -t utf-8 {0} > utf8.md`",
                path.display()
            ),
            Kind::Write { path, source } => {
                write!(
                    f,
                    "{}: cannot be written: {}; nothing was changed, name another place",
                    path.display(),
                    InWords(source)
                )
            }
            Kind::Print(source) => write!(
                f,
                "standard output: cannot be written: {}; what it got is not whole, send it elsewhere or into a file",
                InWords(source)
            ),
            Kind::Bundle { path, reason } => {
                write!(f, "{}: not a usable evidence bundle: {reason}; record it again with --record", path.display())
            }
            Kind::Defect(message) => write!(
                f,
                "the result failed its own check, so nothing was written: {message}; this is a fault of cited, please report it with the draft"
            ),
            Kind::Panic(message) => write!(
                f,
                "cited broke off, and no file was written half: {message}; this is a fault of cited, please report it with the draft"
            ),
        }
    }
}

/// An error of the system without its number, which helps nobody who reads the words.
struct InWords<'a>(&'a std::io::Error);

impl fmt::Display for InWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self.0.kind() {
            std::io::ErrorKind::NotFound if self.0.raw_os_error().is_some() => return f.write_str("it is not there"),
            std::io::ErrorKind::IsADirectory => return f.write_str("it is a folder"),
            _ => self.0.to_string(),
        };
        let number = self.0.raw_os_error().map(|number| format!(" (os error {number})"));
        f.write_str(number.and_then(|number| words.strip_suffix(&number)).unwrap_or(&words))
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            Kind::Read { source, .. } | Kind::Write { source, .. } | Kind::Print(source) => Some(source),
            _ => None,
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
