//! The claim is a sentence of the page.

use super::found::Found;
use crate::asked::Asked;
use crate::verbatim;

pub(super) fn look(asked: &Asked<'_>) -> Option<Found> {
    let at = verbatim::said(asked)?;
    Some(Found { span: Some(at), reason: "the source says it word for word".to_owned(), ..Found::default() })
}
