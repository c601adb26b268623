//! The claim is a sentence of the page.

use super::found::Found;
use crate::pair::Pair;
use crate::verbatim;

pub(super) fn look(pair: &Pair<'_>) -> Option<Found> {
    let at = verbatim::find_sentence(pair)?;
    Some(Found { span: Some(at), reason: "the source says it word for word".to_owned(), ..Found::default() })
}
