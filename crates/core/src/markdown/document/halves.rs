//! A large text, read in two halves at once.
//!
//! Markdown is read from its start: what stands in the second half may depend on the first. It does not where the second
//! begins with a heading behind an empty line and nothing of the first is open there; where that cannot be told without
//! reading, the text is read as a whole.

use super::reader::{Tree, read as read_part};
use crate::markdown::parts::{Block, BlockId, BlockKind, InlineKind, LinkId};
use crate::shares;
use cited_text::Span;

/// The tree of `text` from `offset` on, when it could be read in halves.
pub(super) fn read(text: &str, offset: usize) -> Option<Tree> {
    if shares::threads_for(text.len()) < 2 {
        return None;
    }
    let middle = offset + (text.len() - offset) / 2;
    read_at(text, offset, place_to_part(text, offset, middle)?)
}

fn read_at(text: &str, offset: usize, at: usize) -> Option<Tree> {
    let parts = [Span::new(offset, at), Span::new(at, text.len())];
    let mut trees = shares::each_run(parts.len(), parts.len(), |run| read_part(text, parts[run.start])).into_iter();
    let (mut first, second) = (trees.next()?, trees.next()?);
    // Code between fences and HTML go on over empty lines, and the last item of a list may end elsewhere.
    let ends = |block: &Block| matches!(block.kind, BlockKind::Paragraph | BlockKind::Table | BlockKind::Heading(_));
    if !first.roots.last().is_some_and(|id| ends(&first.blocks[id.index()])) {
        return None;
    }
    append(&mut first, second);
    Some(first)
}

/// The start of the first heading behind `middle`, when no more than the block before it can tell whether it is one.
fn place_to_part(text: &str, offset: usize, middle: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    // Definitions of links and footnotes hold for the whole text, and declarations and comments may end anywhere.
    let reaches_far = |sign: &str| memchr::memmem::find(bytes, sign.as_bytes()).is_some();
    if ["]:", "<!", "<?"].into_iter().any(reaches_far) {
        return None;
    }
    let at = memchr::memmem::find_iter(&bytes[middle..], "\n#").map(|at| middle + at + 1).find(|at| {
        let before = text[..*at - 1].trim_end_matches('\r');
        let line = before.trim_end().rsplit('\n').next().and_then(|line| line.bytes().next());
        let marks = bytes[*at..].iter().take_while(|byte| **byte == b'#').count();
        // A line that begins so is most likely one of a paragraph or table.
        let is_words = line.is_some_and(|first| first.is_ascii_alphabetic() || first == b'|' || first >= 0x80);
        before.ends_with('\n') && is_words && marks <= 6 && bytes.get(at + marks) == Some(&b' ')
    })?;
    let front_matter = ["---", "+++"].into_iter().any(|sign| may_begin_front_matter(&text[offset..at], sign));
    (!front_matter).then_some(at)
}

/// Whether a line of nothing but `sign` has words right below it: to the parser front matter begins there, wherever it
/// stands, if the same line comes again anywhere.
fn may_begin_front_matter(text: &str, sign: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), sign).any(|at| {
        let mut lines = text[at + sign.len()..].split('\n');
        let rest = lines.next().unwrap_or_default();
        rest.trim().is_empty() && lines.next().is_some_and(|below| !below.trim().is_empty())
    })
}

/// Puts what `second` holds behind `first`.
fn append(first: &mut Tree, mut second: Tree) {
    let (blocks, links) = (first.blocks.len() as u32, first.links.len() as u32);
    let inlines = first.inlines.len() as u32;
    let moved = |id: &mut BlockId| id.0 += blocks;
    for block in &mut second.blocks {
        block.parent.iter_mut().chain(&mut block.children).for_each(moved);
        block.inlines = block.inlines.start + inlines..block.inlines.end + inlines;
    }
    second.roots.iter_mut().for_each(moved);
    for inline in &mut second.inlines {
        let image = match &mut inline.kind {
            InlineKind::Image(id) => Some(id),
            _ => None,
        };
        inline.link.iter_mut().chain(image).for_each(|LinkId(id)| *id += links);
    }
    second.links.iter_mut().for_each(|link| moved(&mut link.block));
    first.blocks.reserve_exact(second.blocks.len());
    first.blocks.append(&mut second.blocks);
    first.roots.append(&mut second.roots);
    first.inlines.reserve_exact(second.inlines.len());
    first.inlines.append(&mut second.inlines);
    first.links.append(&mut second.links);
    first.emphases.append(&mut second.emphases);
    first.definitions.append(&mut second.definitions);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The halves of a text say what the whole says, wherever it may be parted.
    #[track_caller]
    fn check(text: &str) -> usize {
        let whole = format!("{:?}", read_part(text, Span::new(0, text.len())));
        let mut parted = 0;
        for middle in 0..text.len() {
            let place = place_to_part(text, 0, middle);
            if let Some(tree) = place.and_then(|place| read_at(text, 0, place)) {
                assert_eq!(format!("{tree:?}"), whole, "{text:?} at {place:?}");
                parted += 1;
            }
        }
        parted
    }

    #[test]
    fn texts_are_parted_where_a_heading_stands_alone() {
        for (text, parted) in [
            ("a\n\n# b\n", true),
            ("- a\n\n  b\n\nc\n\n## d [e](f) ![g](h)\n\n| i |\n|---|\n| j |\n", true),
            ("- a\n\n# b\n", false),
            ("a\r\n\r\n# b\r\n", true),
            ("a\n# b\n", false),
            ("```\na\n\n# b\n", false),
            ("<pre>\n\n# b\n", false),
            ("a [b]\n\n# c\n\n[b]: d\n", false),
            ("---\na\n\n# b\n---\n", false),
            ("a <!-- b\n\n# c -->\n", false),
            ("a\n\n#b\n", false),
        ] {
            assert_eq!(check(text) > 0, parted, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn halves_are_the_whole(pieces in proptest::collection::vec(
            proptest::sample::select(vec![
                "a", "*b", "**", "[c](d)", "![e](f)", "`", "```", "~~~", "- ", "1. ", "> ", "  ", "    ", "| g | h |", "|---|---|",
                "\n", "\n", "\n", "\n\n", "\n\n# i", "\n\n## j\n\n", "---", "+++", "===", "<b>", "<pre>", "<!--", "-->", "</pre>", "[^1]",
                "[^1]: k", "[l]", "[l]: m", "\\", "\r\n", "\t", "&amp;", "<https://n.example>", "- [x] ", "é", "~~", "_",
            ]), 1..40)) {
            check(&pieces.concat());
        }
    }
}
