//! What a brief says behind an entry of how its source was found: written here and read here, so that one is the reverse of the other.

use jiff::civil::Date;

/// What stands behind title and address of an entry that a run wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remark {
    /// A copy in an archive is shown in place of the page: when it was taken, and the address of the page.
    Archived {
        /// The day of the copy, when it is known.
        taken: Option<Date>,
        /// The address of the page.
        original: String,
    },
    /// Nobody could look: why, as Markdown.
    NotVerified(String),
    /// The page is gone, and cited because the user wants it so: why, as Markdown.
    Dead(String),
}

const ARCHIVED: (&str, &str, &str) = (" (archived ", "; original ", ")");
const NOT_VERIFIED: (&str, &str) = (" (not verified: ", ")");
const DEAD: (&str, &str) = (" (dead: ", ", no archive)");

impl Remark {
    /// What is written behind the entry, the space before it included.
    pub fn written(&self) -> String {
        match self {
            Remark::Archived { taken, original } => {
                let taken = taken.map(|taken| taken.to_string()).unwrap_or_default();
                [ARCHIVED.0, &taken, ARCHIVED.1, original, ARCHIVED.2].concat()
            }
            Remark::NotVerified(why) => [NOT_VERIFIED.0, why, NOT_VERIFIED.1].concat(),
            Remark::Dead(why) => [DEAD.0, why, DEAD.1].concat(),
        }
    }

    /// The remark that `text` ends with, and where it begins.
    pub fn read(text: &str) -> Option<(Self, usize)> {
        let inside = |open: &str, close: &str| {
            let at = text.rfind(open)?;
            Some((text[at + open.len()..].strip_suffix(close)?, at))
        };
        if let Some((inner, at)) = inside(ARCHIVED.0, ARCHIVED.2)
            && let Some((taken, original)) = inner.split_once(ARCHIVED.1)
        {
            let (taken, original) = (taken.trim().parse().ok(), original.trim().to_owned());
            return Some((Remark::Archived { taken, original }, at));
        }
        if let Some((why, at)) = inside(NOT_VERIFIED.0, NOT_VERIFIED.1) {
            return Some((Remark::NotVerified(why.to_owned()), at));
        }
        inside(DEAD.0, DEAD.1).map(|(why, at)| (Remark::Dead(why.to_owned()), at))
    }

    /// The address of the page of which a copy is shown.
    pub fn original(&self) -> Option<&str> {
        if let Remark::Archived { original, .. } = self { Some(original) } else { None }
    }
}
