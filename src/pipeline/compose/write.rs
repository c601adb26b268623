//! Writes a brief once and reads it again: its structure and numbers are to be those that were meant ([`check`]).

use std::sync::Arc;

use crate::pipeline::ask::Asked;
use crate::pipeline::decided::{Decided, claim_lines};
use crate::pipeline::judge::Assessment;
use crate::pipeline::options::{Progress, Watch};
use crate::pipeline::read::{Lists, Reading, by_key, without_lists};
use cited_core::citation::Label;
use cited_core::decide::check::{self, Defect};
use cited_core::decide::edit::Places;
use cited_core::decide::{self, CitationForm, Edit, Manner, Rewrite};
use cited_text::Span;

/// How often what is read as a citation or a list, and is none, is kept apart from what makes it look like one.
const MOST_ESCAPES: usize = 3;

/// A brief and how it was made.
pub(super) struct Composed {
    pub(super) rewrite: Rewrite,
    pub(super) edits: Vec<Edit>,
    pub(super) brief: Arc<str>,
}

/// What is wrong with a brief, with the place in the draft where it is known.
pub(super) struct Misread {
    pub(super) message: String,
    pub(super) at: Option<usize>,
}

/// The edits that make the brief, with the rewriting that they are of. `escapes` keep text apart from what makes it look like a citation.
pub(super) fn make_edits(
    asked: &Asked,
    assessment: &mut Assessment,
    manner: &Manner,
    escapes: &[Edit],
) -> (Rewrite, Vec<Edit>) {
    let read = &asked.read;
    let mut rewrite = decide::rewrite(&read.plan(), &mut assessment.decisions, manner);
    let lines = claim_lines(read, assessment);
    rewrite.edits.extend(escapes.iter().cloned());
    let decided = Decided { read, asked, assessment, rewrite: &rewrite };
    let sections = decided.sections(&decided.sources(), lines);
    let edits = cited_report::brief::finish(&read.document, read.citations_to_write(), &mut rewrite, &sections);
    (rewrite, edits)
}

/// Writes the brief. The reading of the result comes with it, when anything was edited.
///
/// # Errors
/// When the result is read as something else than was meant.
pub(super) fn write(
    asked: &Asked,
    assessment: &mut Assessment,
    manner: &Manner,
    watch: Watch<'_>,
) -> Result<(Composed, Option<Reading>), Misread> {
    let read = &asked.read;
    let (document, citations, draft) = (&read.document, &read.citations, &read.draft);
    let mut escapes: Vec<Edit> = Vec::new();
    for attempt in 1..=MOST_ESCAPES {
        let (rewrite, edits) = make_edits(asked, assessment, manner, &escapes);
        let brief: Arc<str> = decide::apply(&draft.text, &edits)
            .map_err(|overlap| Misread { message: overlap.to_string(), at: Some(overlap.0.1.span.start) })?
            .into();
        if edits.is_empty() {
            return Ok((Composed { rewrite, edits, brief }, None));
        }
        watch(Progress::Checking);
        let again = Reading::read(&brief, &read.known);
        // A list that nothing cites is none to what writes the brief, and stays one to its readers.
        let home = match read.lists {
            Lists::Unconnected { .. } => citations.lists.as_slice(),
            Lists::Cited => rewrite.home.and_then(|home| citations.lists.get(home..=home)).unwrap_or_default(),
        };
        let home: Vec<Span> = home.iter().flat_map(|list| list.parts(document)).collect();
        let mut more = check::escapes((document, citations), &edits, (&again.document, &again.citations));
        more.extend(check::unlisted(&home, &edits, &again.document, &again.citations));
        more.retain(|edit| !escapes.contains(edit));
        if attempt < MOST_ESCAPES && !more.is_empty() {
            escapes.append(&mut more);
            continue;
        }
        let links_count = rewrite.form == CitationForm::Kept;
        let prose = matches!(read.lists, Lists::Unconnected { .. }).then(|| without_lists(&again.citations));
        let cited_again = prose.as_ref().unwrap_or(&again.citations);
        let (before, after) = ((document, read.citations_to_write()), (&again.document, cited_again));
        let number_of = |label: &Label| rewrite.numbering.get(by_key(&read.registry, &read.research, label)?);
        return match check::check(before, &rewrite.holes, after, links_count, &rewrite.numbering, &number_of) {
            Ok(()) => Ok((Composed { rewrite, edits, brief }, Some(again))),
            Err(Defect { message, at }) => Err(Misread { message, at: at.map(|at| Places::new(&edits).in_draft(at)) }),
        };
    }
    Err(Misread { message: "a text is read as a citation".to_owned(), at: None })
}
