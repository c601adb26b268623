//! What research notes say of how good a source or a finding is: its type, how sure they are of it, how much of it they read.

use serde::{Deserialize, Serialize};

use cited_text::lexicon::{self, Languages};

/// Words for the three levels, by what they are said of.
const TABLE: &str = include_str!("data/quality.tsv");

/// How good a source is by what research notes say, from the least on. With `--min-quality` what is asked of at least one source of a claim.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Quality {
    /// Any will do.
    #[default]
    Any,
    /// Notes are unsure of it, or it is a blog, a forum, an advertisement.
    Low,
    /// In between: news, reports of an industry, preprints.
    Medium,
    /// Notes are sure of it, or it is a primary, official or peer-reviewed source.
    High,
}

impl Quality {
    /// The level as users write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Quality::Any => "any",
            Quality::Low => "low",
            Quality::Medium => "medium",
            Quality::High => "high",
        }
    }
}

impl std::fmt::Display for Quality {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What notes say of a source or of a finding of it, as they write it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Rating {
    /// What kind of source it is: *primary*, *peer-reviewed*, *blog*.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// How sure they are: *high*, *0.8*, `[INFERRED]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<String>,
    /// How much of it was read: *full text*, *abstract only*.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<String>,
    /// How much rests on it: *critical*, *background*.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<String>,
}

impl Rating {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        *self == Rating::default()
    }

    /// What it says, for readers: *primary, high, full text*.
    pub fn in_words(&self) -> String {
        let said = [&self.kind, &self.confidence, &self.coverage, &self.weight];
        said.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(", ")
    }

    /// The level that it comes to: by the confidence, else by the type, and no higher than the coverage allows. None where none of these
    /// says anything that is known.
    ///
    /// ```
    /// use cited_core::source::research::{Quality, Rating};
    /// let rating = |kind: &str, confidence: &str| Rating {
    ///     kind: Some(kind.into()),
    ///     confidence: (!confidence.is_empty()).then(|| confidence.into()),
    ///     ..Rating::default()
    /// };
    /// assert_eq!(rating("Company blog", "").quality(), Some(Quality::Low));
    /// assert_eq!(rating("Blog", "High").quality(), Some(Quality::High));
    /// assert_eq!(rating("?", "").quality(), None);
    /// ```
    pub fn quality(&self) -> Option<Quality> {
        let sure = self.confidence.as_deref().and_then(|words| measured(words).or_else(|| level("confidence", words)));
        let kind = || self.kind.as_deref().and_then(|words| level("type", words));
        let read = self.coverage.as_deref().and_then(|words| measured(words).or_else(|| level("coverage", words)));
        let quality = sure.or_else(kind);
        // To have read all of a source makes it no better.
        match (quality, read) {
            (Some(quality), Some(read)) => Some(quality.min(read)),
            (None, Some(read)) if read < Quality::High => Some(read),
            (quality, _) => quality,
        }
    }

    /// What the notes call it, when that is a word for what nobody has read: *inferred*, *unverified*, *blocked*.
    pub fn doubt(&self) -> Option<&str> {
        self.confidence.as_deref().filter(|words| level("doubt", words).is_some())
    }

    /// Whether much rests on it, by the notes' own word.
    pub fn is_critical(&self) -> bool {
        self.weight.as_deref().is_some_and(|words| level("weight", words) == Some(Quality::High))
    }
}

impl std::fmt::Display for Rating {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let named = [
            ("type", &self.kind),
            ("confidence", &self.confidence),
            ("coverage", &self.coverage),
            ("weight", &self.weight),
        ];
        let said = named.iter().filter_map(|(name, words)| Some(format!("{name} {}", words.as_ref()?)));
        f.write_str(&said.collect::<Vec<_>>().join(", "))
    }
}

/// The level that words name. Of several the lowest counts: an *official blog* is one.
fn level(of: &str, words: &str) -> Option<Quality> {
    let lower = words.to_lowercase();
    let parted: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let named = |form: &str| {
        if !form.is_ascii() && form.chars().all(cited_text::script::is_cjk) {
            return lower.contains(form);
        }
        let form: Vec<&str> = form.split([' ', '-']).collect();
        parted.windows(form.len()).any(|window| window == form)
    };
    let levels = [Quality::Low, Quality::Medium, Quality::High];
    levels.into_iter().find(|quality| {
        lexicon::rows(TABLE)
            .filter(|row| {
                row.class.split_once('.').is_some_and(|(class, level)| class == of && level == quality.as_str())
            })
            .filter(|row| row.languages.meet(Languages::ALL))
            .any(|row| row.forms().any(named))
    })
}

/// The level of a number: `0.8`, `80%`, `4/5`, `★★★☆☆`.
fn measured(words: &str) -> Option<Quality> {
    let stars = words.chars().filter(|c| matches!(c, '★' | '⭐')).count();
    let words = words.trim();
    let share = if stars > 0 {
        stars as f64 / 5.0
    } else if let Some((part, whole)) = words.split_once('/') {
        part.trim().parse::<f64>().ok()? / whole.trim().parse::<f64>().ok()?
    } else if let Some(percent) = words.strip_suffix('%') {
        percent.trim().parse::<f64>().ok()? / 100.0
    } else {
        words.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share) && words.contains('.'))?
    };
    Some(if share >= 0.75 {
        Quality::High
    } else if share >= 0.4 {
        Quality::Medium
    } else {
        Quality::Low
    })
}

#[cfg(test)]
mod tests {
    use super::{Quality, Rating};

    #[test]
    fn levels_of_what_notes_write() {
        let check = |kind: &str, confidence: &str, coverage: &str, expected: Option<Quality>| {
            let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            let rating =
                Rating { kind: some(kind), confidence: some(confidence), coverage: some(coverage), weight: None };
            assert_eq!(rating.quality(), expected, "{kind} | {confidence} | {coverage}");
        };
        let (low, medium, high) = (Some(Quality::Low), Some(Quality::Medium), Some(Quality::High));
        check("", "High", "", high);
        check("", "medium", "", medium);
        check("", "low (one post)", "", low);
        check("", "0.85", "", high);
        check("", "50%", "", medium);
        check("", "1/5", "", low);
        check("", "★★★★☆", "", high);
        check("", "中", "", medium);
        check("", "hoch", "", high);
        check("Peer-reviewed article", "", "", high);
        check("Official blog", "", "", low);
        check("News", "", "", medium);
        check("博客", "", "", low);
        check("Primary", "", "abstract only", low);
        check("Primary", "", "full text", high);
        check("", "", "partial", medium);
        check("", "", "full", None);
        check("Primary", "[UNVERIFIED]", "", low);
        check("banana", "purple", "", None);
    }

    #[test]
    fn notes_say_what_is_critical() {
        let of = |weight: &str| Rating { weight: Some(weight.to_owned()), ..Rating::default() }.is_critical();
        assert!(of("Critical") && of("yes") && of("load-bearing") && !of("background") && !of("no"));
    }
}
