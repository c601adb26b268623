//! Lists and texts cut to what was asked for: a model reads little at once.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use cited_text::Span;

/// Entries of a list that are given unless the caller says how many.
const ENTRIES: usize = 50;
/// Entries of a list that are given at most.
const MOST_ENTRIES: usize = 1000;
/// Characters of a passage that are given unless the caller says how many.
const PASSAGE: usize = 600;

/// Which part of the lists of a result is wanted.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// How many entries to leave out: the `next_offset` of the part before.
    pub offset: Option<usize>,
    /// How many entries of each list to give, at most 1000. 50 unless you say so.
    pub limit: Option<usize>,
    /// How many characters of a passage to give. 600 unless you say so.
    pub passage_chars: Option<usize>,
}

/// A list, or a part of it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Listed<T> {
    /// How many entries there are in all.
    pub total: usize,
    /// The entries of this part.
    pub entries: Vec<T>,
    /// What to give as `part.offset` for the next part; null when this is the last.
    pub next_offset: Option<usize>,
}

impl Part {
    /// The part of `all` that is wanted.
    pub fn take_from<T>(self, all: Vec<T>) -> Listed<T> {
        let total = all.len();
        let offset = self.offset.unwrap_or(0);
        let limit = self.limit.unwrap_or(ENTRIES).clamp(1, MOST_ENTRIES);
        let entries: Vec<T> = all.into_iter().skip(offset).take(limit).collect();
        let end = offset.saturating_add(entries.len());
        Listed { total, next_offset: (end < total && !entries.is_empty()).then_some(end), entries }
    }

    /// A passage cut to its budget. What is left is still at its place, byte for byte.
    pub fn cut(self, passage: &mut String, offsets: Option<&mut Span>) {
        passage.truncate(head(passage, self.passage_chars.unwrap_or(PASSAGE)).len());
        if let Some(offsets) = offsets {
            offsets.end = offsets.end.min(offsets.start + passage.len());
        }
    }
}

/// The first characters of a text.
pub fn head(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).map_or(text, |(at, _)| &text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use cited_core::passage::Passage;

    #[test]
    fn parts_follow_one_another() {
        let part = |offset| Part { offset, limit: Some(2), passage_chars: Some(2) };
        let mut seen = Vec::new();
        let mut offset = None;
        loop {
            let listed = part(offset).take_from(vec![1, 2, 3, 4, 5]);
            seen.extend(listed.entries);
            offset = listed.next_offset;
            if offset.is_none() {
                break;
            }
        }
        assert_eq!(seen, [1, 2, 3, 4, 5]);
        assert_eq!(part(Some(9)).take_from(vec![1]).next_offset, None);
        let text = "aéb and more";
        let mut passage = Passage::pin(text, "", Span::new(0, text.len()));
        part(None).cut(&mut passage.text, Some(&mut passage.offsets));
        assert_eq!(passage.text, "aé");
        assert!(passage.holds_in(text));
    }
}
