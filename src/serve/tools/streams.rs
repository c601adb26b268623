//! Texts that arrive in pieces: what has come of each, until its last piece or until nobody sends any more.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::failure::Failure;
use super::page::ReadPage;
use crate::text::sentence::sentences;

/// Texts that arrive at once.
const MOST: usize = 100;
/// A text of which nothing came for so long is over.
const STALE: Duration = Duration::from_mins(5);

/// Texts that arrive in pieces, by the names that their senders give them.
#[derive(Debug, Default)]
pub struct Streams(Mutex<HashMap<String, Stream>>);

/// One of them.
#[derive(Debug)]
pub struct Stream {
    /// What came and is no whole sentence yet.
    rest: String,
    /// Bytes that came in all.
    pub length: usize,
    /// The sources that it is held against.
    pub sources: std::sync::Arc<Vec<ReadPage>>,
    /// How many claims of it had which verdict, as the tool counts them.
    pub counts: [usize; 4],
    last: Instant,
}

impl Stream {
    /// A text of which nothing came yet.
    pub fn new(sources: Vec<ReadPage>) -> Self {
        let sources = std::sync::Arc::new(sources);
        Stream { rest: String::new(), length: 0, sources, counts: [0; 4], last: Instant::now() }
    }

    /// Adds a piece; gives the sentences that are whole now. The last one of a text that is not over may go on.
    pub fn add(&mut self, piece: &str, over: bool) -> String {
        self.rest.push_str(piece);
        self.length += piece.len();
        self.last = Instant::now();
        if over {
            return std::mem::take(&mut self.rest);
        }
        // A line that is over ends its sentence; otherwise the sentence behind the last stop may still grow.
        let line = self.rest.rfind('\n').map_or(0, |at| at + 1);
        let tail = &self.rest[line..];
        let last = sentences(tail).last().map_or(0, |span| span.start);
        let rest = self.rest.split_off(line + last);
        std::mem::replace(&mut self.rest, rest)
    }

    /// Bytes that wait for the end of their sentence.
    pub fn waiting(&self) -> usize {
        self.rest.len()
    }
}

impl Streams {
    /// Takes the text of this name out, to work on it. Two pieces of one text are never worked on at once.
    pub fn take(&self, name: &str) -> Option<Stream> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(name)
    }

    /// Puts a text back.
    pub fn keep(&self, name: &str, stream: Stream) -> Result<(), Failure> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, stream| stream.last.elapsed() < STALE);
        if all.len() >= MOST {
            let message = format!("{MOST} texts are arriving already; end one with `final: true`, or try again later");
            return Err(Failure::new(super::failure::FailureKind::Busy, message));
        }
        all.insert(name.to_owned(), stream);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_given_when_they_are_whole() {
        let mut stream = Stream::new(Vec::new());
        assert_eq!(stream.add("The rate is 4.", false), "");
        assert_eq!(stream.add("5 percent. It ro", false), "The rate is 4.5 percent. ");
        assert_eq!(stream.add("se in May.\nThen", false), "It rose in May.\n");
        assert_eq!(stream.add(" it fell.", true), "Then it fell.");
        assert_eq!((stream.waiting(), stream.length), (0, 54));
    }

    #[test]
    fn texts_are_few_and_end() {
        let streams = Streams::default();
        for i in 0..MOST {
            streams.keep(&i.to_string(), Stream::new(Vec::new())).unwrap();
        }
        assert!(streams.keep("more", Stream::new(Vec::new())).is_err());
        assert!(streams.take("7").is_some() && streams.take("7").is_none());
        streams.keep("more", Stream::new(Vec::new())).unwrap();
    }
}
