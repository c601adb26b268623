//! Which blocks of a page are its main content.
//!
//! Nothing is lost: what is not main content comes behind it, so that a passage is found wherever it stands.

use super::super::plain::composed;
use super::parts::{Block, Html, KeptElement};

/// Blocks with fewer words are captions, buttons, teasers as often as they are prose.
const PARAGRAPH: usize = 10;

/// The main content is the innermost element that holds at least this share of the prose of the one around it.
const MOST: f64 = 0.85;

/// Lists of links are shorter than this.
const LINK_LIST: usize = 60;

/// Bytes that are kept of what the main content says of itself.
const OWN_REACH: usize = 4096;

/// Writes the main content of a page, the rest apart, and what the main content says of itself.
///
/// A block is furniture by where it stands, or because most of it is links. Where a page marks its main part (`<main>`,
/// `<article>`) and there is something in it, what stands outside is not main content.
pub fn arrange(blocks: &[Block], places: &[KeptElement], html: &mut Html) {
    let own = |block: &Block| {
        let list_of_links = block.linked * 10 > block.text.len() * 6 && block.words < LINK_LIST;
        !block.furniture && !list_of_links
    };
    let words = |block: &Block| block.words;
    let marked: usize = blocks.iter().filter(|block| block.content && own(block)).map(words).sum();
    let all: usize = blocks.iter().filter(|block| own(block)).map(words).sum();
    // A marked part with less than a third of the words is a teaser list or an empty shell.
    let by_mark = marked > 0 && marked * 3 >= all;
    let counts = |block: &Block| own(block) && (!by_mark || block.content);
    let inside = inside_of_most(blocks, places, counts);
    let Html { main, main_words, rest, own: own_text, own_words, .. } = html;
    let mut other_words = 0;
    // A heading that is a link to another page, and what stands below it, is a teaser of that page.
    let mut teaser = false;
    for block in blocks {
        let is_main = counts(block) && block.place.is_none_or(|place| inside[place]);
        let (out, words) = if is_main { (&mut *main, &mut *main_words) } else { (&mut *rest, &mut other_words) };
        *words += block.words;
        if block.heading && (!by_mark || block.content) {
            teaser = block.away * 2 > block.text.len();
        }
        if is_main && !teaser {
            *own_words += block.words;
            own_text.push_str(&block.text);
            own_text.push('\n');
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&block.text);
    }
    own_text.truncate(own_text.floor_char_boundary(OWN_REACH));
    if main.is_empty() {
        (*main, *main_words) = (std::mem::take(rest), other_words);
    }
    for text in [main, rest, own_text] {
        *text = composed(std::mem::take(text));
    }
}

/// Which elements are, or stand in, the innermost one that holds most of the prose.
fn inside_of_most(blocks: &[Block], places: &[KeptElement], counts: impl Fn(&Block) -> bool) -> Vec<bool> {
    let paragraph = |block: &Block| {
        let is_prose = counts(block) && block.linked * 2 <= block.text.len() && block.words >= PARAGRAPH;
        if is_prose { block.words } else { 0 }
    };
    // Words in each element, those of the elements inside it included.
    let mut sums = vec![0; places.len()];
    for block in blocks {
        block.place.into_iter().for_each(|place| sums[place] += paragraph(block));
    }
    for (at, place) in places.iter().enumerate().rev() {
        place.around.into_iter().for_each(|around| sums[around] += sums[at]);
    }
    let mut most: Option<usize> = None;
    let mut held: usize = blocks.iter().map(paragraph).sum();
    // Those inside come after those around them, so one pass goes down all the way.
    for (at, place) in places.iter().enumerate() {
        if place.around == most && held > 0 && sums[at] as f64 >= held as f64 * MOST {
            (most, held) = (Some(at), sums[at]);
        }
    }
    let mut inside = vec![most.is_none(); places.len()];
    for (at, place) in places.iter().enumerate() {
        inside[at] |= most == Some(at) || place.around.is_some_and(|around| inside[around]);
    }
    inside
}
