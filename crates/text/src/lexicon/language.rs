//! The languages that tables have words of, and sets of them.

/// The languages that tables know, by their tags of ISO 639-1, in the order of their bits.
const TAGS: [&str; 16] =
    ["en", "de", "fr", "es", "ru", "zh", "ja", "pt", "it", "nl", "pl", "sv", "ko", "tr", "uk", "ar"];

/// A language that tables have words of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Language(u8);

impl Language {
    /// The language of a tag: `de`, `pt-BR`, `zh_CN`. None for one that no table has words of.
    ///
    /// ```
    /// use cited_text::lexicon::Language;
    /// assert_eq!(Language::of_tag("pt-BR").map(Language::tag), Some("pt"));
    /// assert_eq!(Language::of_tag("eo"), None);
    /// ```
    pub fn of_tag(tag: &str) -> Option<Language> {
        let own = tag.split(['-', '_']).next()?.trim();
        let place = TAGS.iter().position(|known| known.eq_ignore_ascii_case(own))?;
        u8::try_from(place).ok().map(Language)
    }

    /// Its place among all of them.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Its tag of ISO 639-1.
    pub fn tag(self) -> &'static str {
        TAGS.get(usize::from(self.0)).copied().unwrap_or_default()
    }
}

/// A set of languages: those that a word is one of, or that a text may be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Languages(u16);

impl Default for Languages {
    /// Nothing is known.
    fn default() -> Self {
        Languages::ALL
    }
}

impl From<Language> for Languages {
    fn from(language: Language) -> Self {
        Languages(1 << language.0)
    }
}

impl Languages {
    /// All of them: a sign that is the same everywhere, or a text of which nothing is known.
    pub const ALL: Languages = Languages(u16::MAX);
    /// None of them.
    pub const NONE: Languages = Languages(0);

    /// The languages of a column: tags with commas between them, `*` for all.
    pub fn of_column(column: &str) -> Languages {
        let known = column.split(',').filter_map(Language::of_tag);
        if column == "*" {
            Languages::ALL
        } else {
            known.fold(Languages::NONE, |set, language| set.and(language.into()))
        }
    }

    /// Those of this set and of another.
    #[must_use]
    pub fn and(self, other: Languages) -> Languages {
        Languages(self.0 | other.0)
    }

    /// Those that both have.
    #[must_use]
    pub fn shared(self, other: Languages) -> Languages {
        Languages(self.0 & other.0)
    }

    /// Whether both have one.
    pub fn meet(self, other: Languages) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether all of `other` are in it.
    pub fn contain(self, other: Languages) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The one that it is, when it is one: the language of a text is then sure.
    pub fn only(self) -> Option<Language> {
        (self.len() == 1).then(|| Language(self.0.trailing_zeros() as u8))
    }

    /// Whether a text in one of these is sure to be read right: it is one, or two that are written with the same words.
    pub fn are_sure(self) -> bool {
        matches!(self.len(), 1 | 2)
    }

    /// Those of them that `others` have too, if there are any; else these.
    #[must_use]
    pub fn narrowed(self, others: Languages) -> Languages {
        if self.meet(others) { self.shared(others) } else { self }
    }

    /// Each of them.
    pub fn iter(self) -> impl Iterator<Item = Language> {
        (0u8..16).filter(move |bit| self.0 >> bit & 1 == 1).map(Language)
    }
}

#[cfg(test)]
mod tests {
    use super::{Language, Languages};

    #[test]
    fn a_set_of_one_is_sure() {
        let one = Languages::of_column("de-AT");
        assert_eq!(one.only().map(Language::tag), Some("de"));
        assert_eq!(Languages::ALL.only(), None);
        assert!(Languages::ALL.contain(one) && !one.contain(Languages::ALL));
    }
}
