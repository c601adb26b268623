//! The sources that quotations are looked up in: files, and the passages that a record has pinned.

use std::sync::OnceLock;

use super::ledger::CitationClaim;
use super::report::CitationReport;
use cited_core::finding::Code;
use cited_core::page::sha256_hex;
use cited_core::verdict::Passage;
use cited_judge::quotations;
use cited_report::Record;
use cited_text::Span;
use cited_text::fold::Folded;
use cited_text::quotation::Match;

/// A quotation longer than this is no quotation, in bytes; what is compared must be compared whole.
const LONGEST_QUOTE: usize = 8 << 10;

/// What a reader sees of words as they are written.
type Shown = fn(&str) -> String;

/// A text that can be quoted.
#[derive(Debug)]
pub struct Source {
    /// What claims may call it.
    pub names: Vec<String>,
    /// Where it is: a path or an address.
    pub place: String,
    /// Its texts: one for a file, one a pinned passage for a source of a record.
    texts: Vec<Text>,
    /// How a text that is read as it is shown was written, and what a reader sees of words so written.
    written: Option<(Text, Shown)>,
}

/// A text that words are looked up in.
#[derive(Debug, Default)]
struct Text {
    words: String,
    sha256: String,
    /// Where the text begins in the text that was hashed.
    offset: usize,
    folded: OnceLock<Folded>,
}

impl Text {
    fn find(&self, quote: &str) -> Match {
        self.folded.get_or_init(|| Folded::new(&self.words)).find(&self.words, quote)
    }
}

impl Source {
    /// A file with its text, called by its name and its stem.
    pub fn file(name: &str, place: impl Into<String>, words: String) -> Self {
        let stem = name.rsplit_once('.').map(|(stem, _)| stem);
        let names = [name].into_iter().chain(stem).map(str::to_owned).collect();
        let texts = vec![Text { sha256: sha256_hex(words.as_bytes()), words, ..Text::default() }];
        Source { names, place: place.into(), texts, written: None }
    }

    /// The same with how its text was written, and what shows words so written: who quotes the markup with the words quotes
    /// what is shown.
    #[must_use]
    pub fn written_as(mut self, words: String, shown: Shown) -> Self {
        self.written = Some((Text { words, ..Text::default() }, shown));
        self
    }

    /// What a reader sees of a quotation that has the markup of the source, if it stands there as it is written.
    fn shown(&self, quote: &str) -> Option<String> {
        let (written, shown) = self.written.as_ref()?;
        let is_there = matches!(written.find(quote), Match::Found(_) | Match::CutShort(..));
        // A row of a table is none without the rows above it: *| North | 1,200 |*.
        is_there.then(|| shown(quote).replace('|', " "))
    }

    /// Whether there is any text to quote.
    pub fn has_text(&self) -> bool {
        self.texts.iter().any(|text| !text.words.trim().is_empty())
    }
}

/// The sources of a record: its cited and listed sources with the passages that were pinned of them. A passage that is
/// not as long as its place says was changed, and is no evidence.
pub fn of_record(record: &Record) -> Vec<Source> {
    let mut sources: Vec<Source> = record
        .sources
        .iter()
        .map(|source| {
            let number = source.number.map(|number| number.to_string());
            let addresses = [&source.url].into_iter().chain(&source.aliases).chain(&source.final_url).cloned();
            let names = number.into_iter().chain(addresses).filter(|name| !name.is_empty()).collect();
            Source { names, place: source.url.clone(), texts: Vec::new(), written: None }
        })
        .collect();
    for said in record.verifications.iter().flat_map(|verification| &verification.sources_reconciled) {
        let words = &said.source_passage;
        let (Some(sha256), Some(offsets)) = (&said.text_sha256, said.offsets) else { continue };
        let source = sources.iter_mut().find(|source| source.names.contains(&said.source_url));
        if let Some(source) = source.filter(|_| !words.is_empty() && words.len() == offsets.len())
            && !source.texts.iter().any(|text| text.offset == offsets.start && text.words == *words)
        {
            let (words, sha256, offset) = (words.clone(), sha256.clone(), offsets.start);
            source.texts.push(Text { words, sha256, offset, ..Text::default() });
        }
    }
    sources
}

impl CitationReport {
    fn fault(code: Code, source: Option<&Source>, words: impl Into<String>) -> CitationReport {
        let source = source.map(|source| source.place.clone());
        CitationReport { source, fault: Some((code, words.into())), ..CitationReport::default() }
    }
}

/// Looks a quotation up in the source that its claim names.
pub fn look_up(claim: &CitationClaim, sources: &[Source]) -> CitationReport {
    let CitationClaim { quote, source_id, .. } = claim;
    // What is empty is a fault of how it is written.
    let is_empty = quote.trim().is_empty() || source_id.is_empty();
    let found = if is_empty { CitationReport::default() } else { find_in(quote, source_id, sources) };
    CitationReport { quote: quote.clone(), source_id: source_id.clone(), ..found }
}

fn find_in(quote: &str, id: &String, sources: &[Source]) -> CitationReport {
    if quote.len() > LONGEST_QUOTE {
        return CitationReport::fault(Code::QuoteMismatch, None, "the quotation is longer than can be compared");
    }
    let named: Vec<&Source> = sources.iter().filter(|source| source.names.contains(id)).collect();
    let unknown = |words: String| CitationReport::fault(Code::SourceUnknown, None, words);
    let source = match named.as_slice() {
        [] => {
            return unknown(format!("no source `{id}`; name files or folders with --sources, a record with --record"));
        }
        [source] => source,
        several => {
            let places: Vec<&str> = several.iter().map(|source| source.place.as_str()).collect();
            return unknown(format!("`{id}` could be {}", places.join(" or ")));
        }
    };
    let place = &source.place;
    if !source.has_text() {
        let words = format!("source `{id}` has no text: {place}");
        return CitationReport::fault(Code::SourceUnknown, Some(source), words);
    }
    let nearest = match find(quote, source) {
        Ok(quoted) => return quoted,
        Err(nearest) => nearest,
    };
    if let Some(Ok(second)) = source.shown(quote).map(|shown| find(&shown, source))
        && second.passage.is_some()
    {
        return second;
    }
    let has = nearest.map(|words| format!(", which has “{}”", cited_text::escape::plain(&words)));
    let words = format!("the quotation is not in {place}{}", has.unwrap_or_default());
    CitationReport::fault(Code::QuoteMismatch, Some(source), words)
}

/// Looks words up in the texts of a source. The error is what is most like them there.
fn find(quote: &str, source: &Source) -> Result<CitationReport, Option<String>> {
    let mut nearest: Option<(u8, String)> = None;
    let mut cut: Option<CitationReport> = None;
    for text in &source.texts {
        let found = |span: Span, cut_before: Option<String>| {
            if let Some(word) = quotations::cut(&text.words, quote) {
                let joins = "the quotation joins what stands apart".to_owned();
                let words = if word.is_empty() { joins } else { format!("the quotation leaves out “{word}”") };
                return CitationReport::fault(Code::QuoteMismatch, Some(source), words);
            }
            let passage = Passage {
                text: span.slice(&text.words).to_owned(),
                offsets: Span::new(span.start + text.offset, span.end + text.offset),
                text_sha256: text.sha256.clone(),
            };
            let short = |word| (Code::QuoteCutShort, format!("the quotation stops right before “{word}”"));
            let (source, passage) = (Some(source.place.clone()), Some(passage));
            CitationReport { source, passage, fault: cut_before.map(short), ..CitationReport::default() }
        };
        match text.find(quote) {
            Match::Found(span) => return Ok(found(span, None)),
            Match::CutShort(span, word) => cut = Some(found(span, Some(word))),
            Match::Empty => {
                return Ok(CitationReport::fault(Code::QuoteMismatch, None, "an empty quotation says nothing"));
            }
            Match::Missing(near) => {
                if let Some((span, share)) = near
                    && nearest.as_ref().is_none_or(|(best, _)| share > *best)
                {
                    nearest = Some((share, span.slice(&text.words).to_owned()));
                }
            }
        }
    }
    cut.ok_or_else(|| nearest.map(|(_, words)| words))
}
