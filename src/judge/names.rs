//! Names that a number stands beside, as part of them: *World War 2*, *2 Chainz*.

use super::case::Case;
use super::once::Keyed;
use crate::quantity::Quantity;
use crate::text::Span;
use crate::text::words::{Word, words};

/// The last word of the name that a number belongs to: *World War 2*, *Despicable Me 2*.
pub(super) fn name_before(text: &str, span: Span) -> Option<Word> {
    name_at_end(text[..span.start].strip_suffix(' ')?)
}

/// The values of the page that stand behind a name with this last word.
pub(super) fn behind_a_name<'i>(case: &Case<'_, 'i, '_>, name: u64) -> impl Iterator<Item = &'i Quantity> + use<'i> {
    let (text, all) = (case.index.text(), case.index.quantities());
    let read = || Keyed::new(all.iter().map(|other| name_before(text, other.span).map(|name| name.key)));
    case.once.names.get_or_init(read).of(name, all)
}

/// The name that a number stands right before, as part of it: *2 Chainz*, *the 2016 Tour de France*.
pub(super) fn name_after(text: &str, span: Span) -> Option<Word> {
    let rest = text[span.end..].strip_prefix(' ')?;
    let rest = &rest[..text[span.end + 1..].find(' ').map_or(rest.len(), |at| at)];
    let word = words(rest).next()?;
    (word.capital && !word.stop && !word.number && word.span.start == 0).then_some(word)
}

/// The last word of a text, when it is that of a name. Where it stands is not told.
pub(super) fn name_at_end(text: &str) -> Option<Word> {
    let mut tokens = text.rsplit(' ').map(|token| words(token).last());
    let last = tokens.next().flatten().filter(|word| word.capital && text.ends_with(char::is_alphanumeric))?;
    // A function word is part of a name behind another word of it.
    let mut goes_on = || tokens.next().flatten().is_some_and(|word| word.capital && !word.stop);
    (!last.stop || goes_on()).then_some(last)
}
