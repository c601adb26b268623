//! What a brief says behind an entry of how its source was found: written here and read here, so that one is the reverse of the other.

use crate::pattern::Pattern;

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

/// The last of them that a text ends with.
static REMARK: Pattern =
    Pattern::new(r"(?s)^(.*) \((?:archived (.*?); original (.*)|not verified: (.*)|dead: (.*), no archive)\)$");

impl Remark {
    /// What is written behind the entry, the space before it included.
    pub fn written(&self) -> String {
        match self {
            Remark::Archived { taken, original } => {
                let taken = taken.map(|taken| taken.to_string()).unwrap_or_default();
                format!(" (archived {taken}; original {original})")
            }
            Remark::NotVerified(why) => format!(" (not verified: {why})"),
            Remark::Dead(why) => format!(" (dead: {why}, no archive)"),
        }
    }

    /// The remark that `text` ends with, and where it begins.
    pub fn read(text: &str) -> Option<(Self, usize)> {
        let found = REMARK.captures(text)?;
        let said = |group: usize| found.get(group).map(|part| part.as_str().trim().to_owned());
        let remark = match (said(3), said(4)) {
            (Some(original), _) => Remark::Archived { taken: said(2)?.parse().ok(), original },
            (_, Some(why)) => Remark::NotVerified(why),
            _ => Remark::Dead(said(5)?),
        };
        Some((remark, found[1].len()))
    }

    /// The address of the page of which a copy is shown.
    pub fn original(&self) -> Option<&str> {
        if let Remark::Archived { original, .. } = self { Some(original) } else { None }
    }
}
