//! Whether a page is the work that an entry names.

use crate::text::words::words;

/// What an entry or a page says of a work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Work<'a> {
    /// Its title.
    pub title: Option<&'a str>,
    /// Its first author.
    pub author: Option<&'a str>,
    /// The year it was published.
    pub year: Option<i16>,
}

/// How a page differs from its entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// What the entry says.
    pub entry: String,
    /// What the page says.
    pub page: String,
}

/// A title with fewer content words than this is a label (*Model card*), not the name of a work.
const FEWEST_WORDS: usize = 3;
/// Titles that share this part of the shorter one's words name the same work.
const SAME_TITLE: f64 = 0.5;
/// A page whose beginning has this part of the entry's title is the work, whatever its own title says.
const IN_TEXT: f64 = 0.7;
/// How much of a page is its beginning, in bytes.
const BEGINNING: usize = 6000;
/// Preprint and publication may be so many years apart.
const YEARS_APART: i16 = 2;

/// Tells when the page is another work than the entry says. Silent when in doubt: entries carry labels and short
/// titles, pages carry the names of their sites.
///
/// ```
/// use cited::judge::identity::{Work, mismatch};
/// let entry = Work { title: Some("Attention Is All You Need: Transformers"), author: Some("Vaswani"), year: Some(2017) };
/// let other = Work { title: Some("Deep residual learning for image recognition"), author: Some("Kaiming He"), year: Some(2015) };
/// assert!(mismatch(&entry, &other, "Deeper neural networks are more difficult to train.").is_some());
/// assert!(mismatch(&entry, &Work { title: Some("[1706.03762] Attention is all you need"), ..other }, "").is_none());
/// ```
pub fn mismatch(entry: &Work<'_>, page: &Work<'_>, text: &str) -> Option<Mismatch> {
    let (ours, theirs) = (entry.title?, page.title?);
    let (mine, other) = (keys(ours), keys(theirs));
    if mine.len() < FEWEST_WORDS || other.len() < FEWEST_WORDS {
        return None;
    }
    let shared = mine.iter().filter(|key| other.contains(key)).count() as f64;
    if shared / mine.len().min(other.len()) as f64 >= SAME_TITLE {
        return None;
    }
    let beginning = keys(&text[..text.floor_char_boundary(BEGINNING)]);
    let said = mine.iter().filter(|key| beginning.contains(key)).count() as f64 / mine.len() as f64;
    if said >= IN_TEXT {
        return None;
    }
    // A title alone may be a translation or the author's own words for the page: author or year has to differ too.
    let author = entry.author.zip(page.author).map(|(mine, theirs)| {
        let theirs = keys(theirs);
        !keys(mine).iter().any(|key| theirs.contains(key) || beginning.contains(key))
    });
    let year = entry.year.zip(page.year).map(|(mine, theirs)| (mine - theirs).abs() > YEARS_APART);
    let disagrees = match (author, year) {
        (Some(author), Some(year)) => author || year,
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => false,
    };
    disagrees.then(|| Mismatch { entry: ours.to_owned(), page: theirs.to_owned() })
}

fn keys(text: &str) -> Vec<u64> {
    let mut keys: Vec<u64> = words(text).filter(|word| !word.stop && !word.number).map(|word| word.key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

#[cfg(test)]
mod tests {
    use super::{Work, mismatch};

    #[test]
    fn a_label_is_no_title_and_a_title_in_the_text_is_enough() {
        let label = Work { title: Some("Model card"), author: None, year: Some(2020) };
        let page = Work { title: Some("The model scores well on many tasks"), author: Some("X"), year: Some(2010) };
        assert!(mismatch(&label, &page, "").is_none());
        let entry =
            Work { title: Some("Churn of enterprise software customers"), author: Some("Lee"), year: Some(2020) };
        assert!(mismatch(&entry, &page, "Churn of enterprise software customers, by Lee").is_none());
        assert!(mismatch(&entry, &page, "Something else").is_some());
    }
}
