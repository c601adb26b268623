//! The gate for programs: a ledger, data and sources that are texts.

use super::data::Format;
use super::engine::{Engine, Limits};
use super::examine::{Evidence, Examined, Metrics, collect_metrics, examine};
use super::ledger;
use super::sources::Source;
use cited_core::error::{Error, Result};
use cited_core::input::Input;
use cited_core::page::sha256_hex;

/// Examines a ledger with data and sources that are texts, each called by its path and its stem: the gate for programs.
///
/// # Errors
/// When data is malformed, or its ending is none that is known. A ledger that cannot be read is no error: it is not accepted, and says why.
pub fn examine_texts(ledger: &Input, data: &[Input], sources: &[Input]) -> Result<Examined> {
    let read = ledger::read(&ledger.text);
    let mut engine = Engine::new(Limits::default())?;
    for Input { path, text } in data {
        let format = Format::of_name(path).filter(|format| *format != Format::Sqlite);
        let Some(format) = format else {
            let known = Format::endings();
            return Err(Error::input(format!("{path}: the ending says what data is; it must be one of {known}")));
        };
        engine.load_records(path, format, text.as_bytes())?;
    }
    let source = |input: &Input| {
        let name = input.path.rsplit(['/', '\\']).next().unwrap_or(&input.path);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let names = vec![name.to_owned(), stem.to_owned()];
        Source::file(names, &input.path, input.text.to_string(), sha256_hex(input.text.as_bytes()))
    };
    let sources: Vec<Source> = sources.iter().map(source).collect();
    let sha256 = Some(sha256_hex(ledger.text.as_bytes()));
    let metrics = collect_metrics(&read, &ledger.path, Metrics::new(), false);
    examine(&read, &ledger.path, sha256, Evidence { engine, metrics, sources, allow_empty: false })
}
