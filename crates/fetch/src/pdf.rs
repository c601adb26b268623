//! PDF to text, in a process of its own: a file that makes the parser panic, loop or blow up costs that process and
//! nothing else.
//!
//! The program that uses this library is started again with [`ARGUMENT`] as its only argument and hands over to
//! [`serve`]; the file goes in on standard input, a line of JSON a page comes out, and a last one that says whether these are all. Pages that
//! came before a failure count. Text in pictures is not read: such a file has no text.

mod lines;
mod widths;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rlimit::Resource as R;

use super::document::{PdfText, ReadPdf};
use super::plain;
use crate::leftovers::{Leftover, noted};

/// What asks a program to be the reader.
pub const ARGUMENT: &str = "--read-pdf";

/// Memory of the reader beside its stack. A 200-page paper takes a fraction of it; a small file that unpacks to hundreds of
/// megabytes ends there.
const MEMORY: u64 = 192 << 20;

/// Address space of the reader, most of which is never used. It bounds memory where that cannot be bounded itself.
const ADDRESSES: u64 = 1 << 30;

/// Processor time of the reader, in seconds.
const SECONDS: u64 = 20;

/// Readers at once: they are heavy, and a page that waits for one keeps no other waiting.
const AT_ONCE: usize = 2;

/// Bytes of text of one page, and of all.
const TEXT_LIMIT: (usize, usize) = (1 << 20, 16 << 20);

/// Stack of the thread that parses: hostile files nest.
const STACK: usize = 64 << 20;

/// This very program as a reader, where it knows where it is.
pub fn ourselves(max_pages: usize) -> Option<ReadPdf> {
    Some(reader(std::env::current_exe().ok()?, max_pages))
}

/// A reader of at most `max_pages` pages: a program whose `main` hands over to [`serve`] when [`ARGUMENT`] is its first argument.
pub fn reader(program: PathBuf, max_pages: usize) -> ReadPdf {
    let (turns, next) = ([const { Mutex::new(()) }; AT_ONCE], AtomicUsize::new(0));
    Arc::new(move |file| {
        let turn = &turns[next.fetch_add(1, Ordering::Relaxed) % AT_ONCE];
        let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        run(&program, max_pages, file).filter(|text| text.pages.iter().any(|page| !page.is_empty()))
    })
}

/// Starts a reader for one file.
fn run(program: &Path, max_pages: usize, file: &[u8]) -> Option<PdfText> {
    let mut command = Command::new(program);
    command.arg(ARGUMENT).arg(max_pages.to_string()).env_clear();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let (mut child, _noted) = noted(|| {
        let child = command.spawn()?;
        let leftover = Leftover::Process(child.id());
        Ok((child, leftover))
    })
    .ok()?;
    let (mut input, output) = (child.stdin.take()?, child.stdout.take()?);
    let (send, pieces) = mpsc::channel();
    std::thread::spawn(move || {
        let output = BufReader::new(output.take(TEXT_LIMIT.1 as u64 * 2));
        let pieces = serde_json::Deserializer::from_reader(output).into_iter::<PdfText>();
        pieces.map_while(Result::ok).try_for_each(|piece| send.send(piece))
    });
    let limit = Instant::now() + Duration::from_secs(SECONDS + 5);
    let (mut text, mut size) = (PdfText::default(), 0);
    std::thread::scope(|scope| {
        // A reader that is gone has no use for the rest.
        scope.spawn(move || input.write_all(file));
        while let Ok(piece) = pieces.recv_timeout(limit.saturating_duration_since(Instant::now())) {
            size += piece.pages.iter().map(String::len).sum::<usize>();
            if size > TEXT_LIMIT.1 {
                break;
            }
            text.title = text.title.take().or(piece.title);
            text.author = text.author.take().or(piece.author);
            text.pages.extend(piece.pages);
            text.complete = piece.complete;
        }
        // Ends the writer too, if the reader has not taken everything.
        let _ = child.kill();
    });
    let _ = child.wait();
    Some(text)
}

/// Is the reader: takes a PDF from standard input, gives its pages on standard output. `argument` is how many pages at
/// most. To be called by `main`, before anything else is set up.
pub fn serve(argument: Option<&str>) -> ExitCode {
    let max_pages = argument.and_then(|text| text.parse().ok()).unwrap_or(200);
    // Limits that cannot be set (not on this system) leave the time limit of the one who started us.
    let memory = MEMORY + STACK as u64;
    for (what, most) in [(R::DATA, memory), (R::AS, ADDRESSES), (R::CPU, SECONDS), (R::CORE, 0)] {
        let _ = rlimit::setrlimit(what, most, most);
    }
    std::panic::set_hook(Box::new(|_| {}));
    let mut file = Vec::new();
    if std::io::stdin().lock().read_to_end(&mut file).is_err() {
        return ExitCode::FAILURE;
    }
    let work = std::thread::Builder::new().stack_size(STACK).spawn(move || parse(&file, max_pages));
    match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(Some(()))) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn parse(file: &[u8], max_pages: usize) -> Option<()> {
    let mut document = pdf_extract::Document::load_mem(file)
        .or_else(|_| pdf_extract::Document::load_mem(&with_new_table(file)))
        .ok()?;
    if document.is_encrypted() {
        document.decrypt("").ok()?;
    }
    widths::spell_out(&mut document);
    let pages: Vec<u32> = document.get_pages().keys().copied().collect();
    let about = |key: &[u8]| {
        let info = document.trailer.get(b"Info").ok()?.as_reference().ok()?;
        let value = document.get_dictionary(info).ok()?.get(key).ok()?;
        plain::one_line(&pdf_extract::decode_text_string(value).ok()?, 4096)
    };
    say(&PdfText { title: about(b"Title"), author: about(b"Author"), ..PdfText::default() })?;
    let mut complete = pages.len() <= max_pages;
    for &number in pages.iter().take(max_pages) {
        let attempt = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let mut out = lines::Lines::default();
            pdf_extract::output_doc_page(&document, &mut out, number).map(|()| out.text())
        }));
        let mut page = attempt.ok().and_then(Result::ok).map(|text| plain::normalise(&text, true));
        complete &= page.as_ref().is_some_and(|page| page.len() <= TEXT_LIMIT.0);
        if let Some(page) = &mut page {
            page.truncate(page.floor_char_boundary(TEXT_LIMIT.0));
        }
        say(&PdfText { pages: vec![page.unwrap_or_default()], ..PdfText::default() })?;
    }
    say(&PdfText { complete, ..PdfText::default() })
}

/// The file with a table of its objects made anew: many files have none, or one that is wrong, or were cut before it, and
/// every viewer reads them all the same by looking for `N G obj`.
fn with_new_table(file: &[u8]) -> Vec<u8> {
    let mut places: BTreeMap<u32, (usize, u16)> = BTreeMap::new();
    let mut root = None;
    for at in memchr::memmem::find_iter(file, b" obj") {
        let head = file.get(..at).unwrap_or_default();
        let start = head.iter().rposition(|byte| !byte.is_ascii_digit() && *byte != b' ').map_or(0, |last| last + 1);
        let words = std::str::from_utf8(head.get(start..).unwrap_or_default()).unwrap_or_default();
        let mut numbers = words.split_ascii_whitespace();
        let (Some(number), Some(generation)) = (numbers.next(), numbers.next()) else { continue };
        let (Ok(number), Ok(generation)) = (number.parse(), generation.parse()) else { continue };
        let place = start + words.len() - words.trim_start().len();
        places.insert(number, (place, generation));
        let body = file.get(at..(at + 400).min(file.len())).unwrap_or_default();
        let body = body.get(..memchr::memmem::find(body, b"endobj").unwrap_or(body.len())).unwrap_or_default();
        if memchr::memmem::find(body, b"/Catalog").is_some() {
            root = Some((number, generation));
        }
    }
    let mut rebuilt = file.to_vec();
    let Some((number, generation)) = root else { return rebuilt };
    let size = places.keys().next_back().map_or(0, |last| u64::from(*last) + 1);
    rebuilt.extend_from_slice(b"\n");
    let table = rebuilt.len();
    let mut text = String::from("xref\n0 1\n0000000000 65535 f \n");
    for (number, (place, generation)) in &places {
        let _ = write!(text, "{number} 1\n{place:010} {generation:05} n \n");
    }
    let _ = write!(text, "trailer\n<</Root {number} {generation} R/Size {size}>>\nstartxref\n{table}\n%%EOF\n");
    rebuilt.extend_from_slice(text.as_bytes());
    rebuilt
}

fn say(line: &PdfText) -> Option<()> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, line).ok()?;
    out.write_all(b"\n").ok()?;
    out.flush().ok()
}
