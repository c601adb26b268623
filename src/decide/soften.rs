//! A softer sentence in the place of a claim that says more than its sources: proposed by a judge of the user's, and
//! written only when the user asks for it. Every other edit deletes or adds a mark; this one alone changes words.

use std::collections::BTreeMap;

use super::beside::is_closing;
use super::edit::{Because, Edit};
use super::policy::Decision;
use crate::citation::Citations;
use crate::claim::{Claim, ClaimId, Place};
use crate::judge::Standing;
use crate::markdown::{Document, InlineKind};
use crate::source::SourceId;
use crate::text::{Span, escape};

/// What a judge proposes for a claim.
#[derive(Debug, Clone)]
pub struct Softening {
    /// The source whose passage it was proposed for.
    pub source: SourceId,
    /// The sentence, as a reader would see it. `None` when what was proposed is no use.
    pub sentence: Option<String>,
    /// What that source says of the sentence.
    pub standing: Standing,
    /// Where it would be written. `None` when it cannot be.
    pub words: Option<Words>,
    /// Why it is no use, in words that go on from *it*; or why it cannot be written.
    pub why_not: Option<&'static str>,
    /// Whether the brief has it in the place of the claim.
    pub written: bool,
    /// The decision on the claim with the other of the two sentences: the softer one as long as it is not written.
    pub other: Decision,
}

/// What is proposed, by position of the claim.
pub type Softenings = BTreeMap<usize, Softening>;

impl Softening {
    /// The edit that writes it, when it can be written.
    pub fn edit(&self, claim: usize) -> Option<Edit> {
        let (words, sentence) = (self.words.as_ref()?, self.sentence.as_deref()?);
        let replacement = escape::inline(words.of(sentence));
        Some(Edit::new(words.span, replacement, Because::Softened).for_claim(ClaimId(claim as u32)))
    }

    /// Takes the one decision for the other, and says so.
    pub fn turn(&mut self, decision: &mut Decision) {
        std::mem::swap(&mut self.other, decision);
        self.written = !self.written;
    }
}

/// The words of a claim that a sentence can take the place of: its citations and its stop stay as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// Their bytes.
    pub span: Span,
    /// The stop of the sentence, when it lies behind them.
    stop: String,
}

impl Words {
    /// Where the words of the claim at position `at` stand, when a sentence can take their place.
    ///
    /// Only sentences and list items of plain text can be rewritten: where emphasis, links, code or citations stand inside,
    /// nobody could say which words of the new sentence they belong to.
    ///
    /// # Errors
    /// Why not, in words for the writer.
    pub fn find(
        document: &Document,
        citations: &Citations,
        claims: &[Claim],
        at: usize,
    ) -> Result<Words, &'static str> {
        let claim = &claims[at];
        match claim.place {
            Place::Sentence | Place::Item => {}
            Place::Cell => return Err("a cell of a table is no sentence"),
            Place::Heading | Place::Figure => return Err("only sentences and list items are rewritten"),
        }
        let next = claims.get(at + 1).filter(|next| next.block == claim.block);
        if claim.continues || next.is_some_and(|next| next.continues) {
            return Err("it is a clause of a longer sentence");
        }
        if claim.introduces || claim.captions {
            return Err("it belongs to what it introduces");
        }
        let text = document.text();
        let mut end = claim.span.end;
        if let [first, ..] = citations.markers_in(claim.span) {
            end = first.span.start;
            let mut from = end;
            for marker in citations.markers_in(claim.span) {
                if !marker.standalone || has_words(text.get(from..marker.span.start)) {
                    return Err("a citation stands inside the sentence");
                }
                from = marker.span.end;
            }
            if has_words(text.get(from..claim.span.end)) {
                return Err("a citation stands inside the sentence");
            }
        }
        let span = plain_words(document, claim, end)?;
        let words = span.of(text);
        if words.contains("://") || words.contains("www.") {
            return Err("an address stands inside the sentence");
        }
        let stem = without_stop(words);
        let own_stop = &claim.text[without_stop(&claim.text).len()..];
        let span = Span::new(span.start, span.start + stem.len());
        let mut from = span.end;
        let mut stops = false;
        for marker in citations.markers_in(Span::new(span.end, claim.span.end)) {
            stops |= text.get(from..marker.span.start).is_some_and(|gap| gap.contains(is_stop));
            from = marker.span.end;
        }
        stops |= text.get(from..claim.span.end).is_some_and(|rest| rest.contains(is_stop));
        if stem.is_empty() || (stops && own_stop.is_empty()) {
            return Err("its end cannot be told");
        }
        Ok(Words { span, stop: if stops { own_stop.to_owned() } else { String::new() } })
    }

    /// `sentence` with the stop that the claim has, or without one where it has none.
    pub fn closed(&self, claim: &str, sentence: &str) -> String {
        let stem = without_stop(sentence);
        let inner = claim.trim_end_matches(is_closing);
        match inner.chars().next_back().filter(|c| is_stop(*c)) {
            _ if !self.stop.is_empty() => format!("{stem}{}", self.stop),
            // The claim's stop stands inside of quotation marks or brackets, and goes with its words.
            Some(_) if stem.trim_end_matches(is_closing).ends_with(is_stop) => stem.to_owned(),
            Some(stop) => format!("{stem}{stop}"),
            None => stem.to_owned(),
        }
    }

    /// What of a [closed](Self::closed) sentence is written: the stop behind the words is there.
    fn of<'s>(&self, closed: &'s str) -> &'s str {
        closed.strip_suffix(self.stop.as_str()).unwrap_or(closed)
    }
}

/// The bytes of a claim up to `end` from its first to its last word, when they are plain text on one or more lines.
fn plain_words(document: &Document, claim: &Claim, end: usize) -> Result<Span, &'static str> {
    let inlines = document.inlines(claim.block);
    let first = inlines.partition_point(|inline| inline.span.end <= claim.span.start);
    let mut span: Option<Span> = None;
    for inline in inlines[first..].iter().take_while(|inline| inline.span.start < end) {
        match inline.kind {
            InlineKind::Text | InlineKind::Spelled(_) | InlineKind::SoftBreak if inline.link.is_none() => {}
            InlineKind::Code => return Err("code stands inside the sentence"),
            InlineKind::HardBreak => return Err("a line ends for good inside the sentence"),
            InlineKind::Text | InlineKind::Spelled(_) | InlineKind::SoftBreak => {
                return Err("a link stands inside the sentence");
            }
            _ => return Err("markup stands inside the sentence"),
        }
        let own = Span::new(inline.span.start.max(claim.span.start), inline.span.end.min(end));
        // A stop behind the end of formatting is no word in it.
        if !own.of(document.text()).contains(|c: char| !c.is_whitespace() && !is_stop(c)) {
            continue;
        }
        span = Some(span.map_or(own, |span| span.cover(own)));
    }
    let text = document.text();
    let span = span.ok_or("it has no words")?;
    let span = Span::new(span.start, span.start + span.of(text).trim_end().len());
    let emphases = document.emphases();
    let before = &emphases[..emphases.partition_point(|emphasis| emphasis.span.start < span.end)];
    if before.iter().any(|emphasis| emphasis.span.overlaps(span) && !emphasis.inner.contains(span)) {
        return Err("formatting stands inside the sentence");
    }
    // Formatting around a claim and its citation ends behind the citation; a backslash before the first word would show.
    if text[..span.start].ends_with('\\') {
        return Err("its beginning cannot be told");
    }
    Ok(span)
}

fn has_words(text: Option<&str>) -> bool {
    text.is_none_or(|text| text.contains(char::is_alphanumeric))
}

/// Whether a sign ends a sentence. A colon leads on.
fn is_stop(c: char) -> bool {
    super::beside::is_stop(c) && !matches!(c, ':' | '：')
}

fn without_stop(text: &str) -> &str {
    text.trim_end().trim_end_matches(is_stop).trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::citation::{self, KnownLabels};
    use crate::decide::apply;

    const SOURCES: &str = "\n\n## Sources\n\n1. A: https://a.example/\n2. B: https://b.example/\n";

    /// What becomes of `draft` when the first of its claims with `word` is softened to `sentence`.
    #[track_caller]
    fn check(draft: &str, word: &str, sentence: &str, expected: Result<&str, &str>) {
        let text = format!("{draft}{SOURCES}");
        let document = Document::read(text.as_str());
        let citations = citation::read(&document, &KnownLabels::default());
        let claims = crate::claim::split(&document, &citations);
        let at = claims.iter().position(|claim| claim.text.contains(word)).expect("a claim with the word");
        let written = Words::find(&document, &citations, &claims, at).map(|words| {
            let closed = words.closed(&claims[at].text, sentence);
            let edit = Edit::new(words.span, escape::inline(words.of(&closed)), Because::Softened);
            apply(&text, &[edit]).unwrap().strip_suffix(SOURCES).unwrap().to_owned()
        });
        assert_eq!(written.as_deref().map_err(|why| *why), expected, "{draft:?}");
    }

    #[test]
    fn the_words_change_and_nothing_around_them() {
        for (draft, sentence, expected) in [
            ("One. The drug cures all [1]. Two.", "The drug may help.", "One. The drug may help [1]. Two."),
            ("One. The drug cures all. [1] Two.", "The drug may help.", "One. The drug may help. [1] Two."),
            ("The drug cures all[1][2].", "The drug may help", "The drug may help[1][2]."),
            ("The drug cures all [1] !", "The drug may help.", "The drug may help [1] !"),
            ("The drug\ncures all [1]. Two.", "The drug may help.", "The drug may help [1]. Two."),
            ("> The drug\n> cures all [1].\n> Two.", "The drug may help.", "> The drug may help [1].\n> Two."),
            ("- The drug cures all [1]\n- Two", "The drug may help.", "- The drug may help [1]\n- Two"),
            ("- The drug cures all. [1]\n- Two", "The drug may help", "- The drug may help. [1]\n- Two"),
            ("*The drug cures all [1].*", "The drug may help.", "*The drug may help [1].*"),
            ("**The drug cures all** [1].", "The drug may help.", "**The drug may help** [1]."),
            ("**The drug cures all**. [1]", "The drug may help.", "**The drug may help**. [1]"),
            ("He said: “The drug cures all.” [1] Two.", "The drug may help.", "The drug may help. [1] Two."),
            ("药物 the drug 治愈所有病人[1]。二。", "药物可能有帮助。", "药物可能有帮助[1]。二。"),
            ("Ça — the drug « guérit » tout… [1]", "Ça peut aider…", "Ça peut aider… [1]"),
            (
                "The drug cures all [1].",
                "The drug [may] *help* `a` lot.",
                "The drug \\[may\\] \\*help\\* \\`a\\` lot [1].",
            ),
        ] {
            check(draft, "drug", sentence, Ok(expected));
        }
    }

    #[test]
    fn where_the_place_of_a_word_would_be_guessed_nothing_changes() {
        let citation = "a citation stands inside the sentence";
        for (draft, why) in [
            ("The *drug* cures all [1].", "formatting stands inside the sentence"),
            ("The [drug](https://c.example/) cures all [1].", "a link stands inside the sentence"),
            ("The drug `x` cures all [1].", "code stands inside the sentence"),
            ("The drug <b>cures</b> all [1].", "markup stands inside the sentence"),
            ("The drug cures $x^2$ all [1].", "markup stands inside the sentence"),
            ("The drug [1] cures all [2].", citation),
            ("The drug  \ncures all [1].", "a line ends for good inside the sentence"),
            ("| A | B |\n|---|---|\n| x | the drug cures all [1] |", "a cell of a table is no sentence"),
            ("# The drug cures all [1]", "only sentences and list items are rewritten"),
            ("![The drug cures all](drug.png)", "only sentences and list items are rewritten"),
            ("The drug cures all of these [1]:\n\n- one\n- two", "it belongs to what it introduces"),
        ] {
            check(draft, "drug", "The drug may help.", Err(why));
        }
    }
}
