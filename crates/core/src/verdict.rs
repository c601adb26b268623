//! The verdict of one source about one claim, and the verbatim words of the source that it rests on.

use serde::{Deserialize, Serialize};

use crate::finding::Code;
use cited_text::Span;
use cited_text::lexicon::table;

/// What a source says about a claim.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[derive(strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Standing {
    /// The source says it.
    Supported,
    /// The source says something like it.
    Weak,
    /// The source was read and does not show it.
    Unverifiable,
    /// The source says something else.
    Contradicted,
    /// There was no text to judge by, or nobody asked for judging.
    #[default]
    Unchecked,
}

/// What verdicts are called.
pub const WORDS: &str = include_str!("data/verdicts.tsv");

impl Standing {
    /// Its name, as in the record.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The word for it, as every report has it.
    pub fn in_words(self) -> &'static str {
        let class = match self {
            Standing::Supported => "verdict confirmed",
            Standing::Weak | Standing::Unverifiable => "verdict unconfirmed",
            Standing::Contradicted => "verdict conflicts",
            Standing::Unchecked => "verdict unchecked",
        };
        table::words(WORDS, class).next().unwrap_or_default()
    }

    /// The finding that tells of it; none of what a source says.
    pub fn code(self) -> Option<Code> {
        match self {
            Standing::Supported => None,
            Standing::Weak => Some(Code::WeakSupport),
            Standing::Unverifiable => Some(Code::Unverifiable),
            Standing::Contradicted => Some(Code::Contradicted),
            Standing::Unchecked => Some(Code::Unchecked),
        }
    }
}

/// A check that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[derive(strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum CheckKind {
    /// The words between quotation marks.
    Quotation,
    /// Numbers with their units.
    Quantity,
    /// Numbers that stand in the cell of a table that the claim names, or follow from others by a step of arithmetic.
    Derived,
    /// From–to order of numbers.
    Order,
    /// Negation, direction, comparison, superlative.
    Polarity,
    /// Words, weighted by rarity.
    Wording,
    /// A certainty word and the check that it speaks of.
    Certainty,
    /// A file that holds the value.
    Artifact,
    /// A judge of the user's.
    Outside,
}

impl CheckKind {
    /// Every check.
    pub const ALL: &[CheckKind] = <CheckKind as strum::VariantArray>::VARIANTS;

    /// Its name, as in the record.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// What a check gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "result")]
pub enum CheckResult {
    /// The source agrees.
    Agrees,
    /// The source has another value for the same thing.
    Differs {
        /// The claim's words.
        claimed: String,
        /// The source's words.
        found: String,
    },
    /// The words or the number are nowhere in the whole text of the source.
    Absent {
        /// The claim's words.
        claimed: String,
    },
    /// The check could not decide.
    Unknown,
}

/// One check and what it gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Check {
    /// What was checked.
    pub kind: CheckKind,
    /// What it gave.
    #[serde(flatten)]
    pub result: CheckResult,
}

/// A verbatim slice of a source's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Passage {
    /// The words, exactly as in the text.
    pub text: String,
    /// Where they stand in that text, in bytes.
    pub offsets: Span,
    /// SHA-256 of the whole text, in hexadecimal.
    pub text_sha256: String,
}

impl Passage {
    /// The words of `text` at `offsets`.
    pub fn pin(text: &str, text_sha256: &str, offsets: Span) -> Self {
        Passage { text: offsets.slice(text).to_owned(), offsets, text_sha256: text_sha256.to_owned() }
    }
}

/// How the values of a claim follow from those of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Derivation {
    /// The step, as one would write it: `280 → 380 = 36%`; of a cell its words and heads: `2.5 (South Coast, Starts, Q4 2021)`.
    pub written: String,
    /// The values, or cells, of the source that it starts from.
    pub operands: Vec<Passage>,
}

/// What one source says about one claim, and why.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Verdict {
    /// What the source says.
    pub standing: Standing,
    /// Calibrated probability that the source supports the claim, 0 to 1.
    pub confidence: f64,
    /// Whether a hard check (quotation, quantity, order, polarity) decided, for the claim or against it. Only then may a
    /// claim be dropped for it.
    pub hard: bool,
    /// The hard check that speaks against the claim, when one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<CheckKind>,
    /// Every check that was made.
    pub checks: Vec<Check>,
    /// The words of the source that speak to the claim best.
    pub passage: Option<Passage>,
    /// How the claim's values follow from those of the source, where they do not stand there as they are, or stand in a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derivation: Option<Derivation>,
    /// The check of the judge that decided; none where nothing was found either way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// Why, in words that a writer understands; the brief quotes it: `number not in source: 94.2% (source has 49.2%)`.
    pub reason: String,
    /// The word that turns a quotation round, right before which the claim stops quoting: *but*.
    #[serde(skip)]
    pub cut_before: Option<String>,
}

impl Verdict {
    /// No text, or no judge: nothing was decided.
    pub fn unchecked(reason: impl Into<String>) -> Self {
        Verdict { reason: reason.into(), ..Verdict::default() }
    }
}
