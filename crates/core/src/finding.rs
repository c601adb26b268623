//! Findings: what is worth telling, with a stable code, a severity, a place and a remedy.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use cited_text::Span;
use cited_text::lexicon::table;

/// What helps where an assistant's references lead into its own conversation.
pub const EXPORT_AGAIN: &str = "export the answer with its sources: of ChatGPT the report as Word or Markdown (Download), of Gemini through Google Docs, of \
                                Perplexity by Export as Markdown; or give the sources with -r FILE";

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[derive(strum::Display, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing has to be done.
    Note,
    /// Somebody should look.
    Warning,
    /// The document says something that its sources do not carry, or is broken.
    Error,
}

/// How deep a check looks. Each level holds those before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    /// What the document alone shows.
    #[default]
    Structure,
    /// Whether its sources and links are there.
    Sources,
    /// Whether the sources say it.
    Support,
}

/// One thing worth telling.
#[must_use]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Finding {
    /// What kind of thing it is.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// The file it is in, as given by the user; `None` for the draft itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Where in that file, in bytes; `None` when it has no place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// What was found, in one sentence without a full stop.
    pub message: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<Cow<'static, str>>,
    /// The claim and the source that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<Box<About>>,
}

/// The claim and the source that a finding is about, as far as it is about one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct About {
    /// The claim, as the record names it.
    pub claim_id: Option<String>,
    /// What was done with the claim: keep, cite, recite, mark, todo, drop, fail.
    pub action: Option<Cow<'static, str>>,
    /// The address of the source or link.
    pub url: Option<String>,
    /// What asking the address gave: live, dead, blocked, …
    pub outcome: Option<Cow<'static, str>>,
    /// The HTTP status of the last answer; `None` when none came.
    pub status: Option<u16>,
}

impl Finding {
    /// A finding with the severity and the advice that its code has by default.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        // What to do about it, where that is always the same.
        let remedy = REMEDIES.get(code.as_str()).copied().map(Cow::Borrowed);
        let severity = code.severity();
        Finding { code, severity, file: None, span: None, message: message.into(), remedy, about: None }
    }

    /// The same finding at a place.
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// The same finding in another file than the draft.
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// The same finding on a claim with this id, with what was done with it, if anything was.
    pub fn on_claim(mut self, claim_id: impl Into<String>, action: impl Into<Option<&'static str>>) -> Self {
        let about = self.about.get_or_insert_default();
        (about.claim_id, about.action) = (Some(claim_id.into()), action.into().map(Cow::Borrowed));
        self
    }

    /// The same finding on a source or link, with what asking it gave.
    pub fn on_address(mut self, url: impl Into<String>, outcome: &'static str, status: Option<u16>) -> Self {
        let about = self.about.get_or_insert_default();
        (about.url, about.outcome, about.status) = (Some(url.into()), Some(outcome.into()), status);
        self
    }

    /// The same finding with other advice.
    pub fn remedy(mut self, remedy: impl Into<Cow<'static, str>>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal, $severity:ident, $depth:ident;)+) => {
        /// The kinds of findings. Their names are stable: suppressions, baselines and dashboards rest on them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
        #[derive(strum::Display, strum::EnumString, strum::IntoStaticStr)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[doc = $doc])+ #[serde(rename = $text)] #[strum(serialize = $text)] $name,)+
        }

        impl Code {
            /// Every code, in the order of this table.
            pub const ALL: &'static [Code] = &[$(Code::$name),+];

            /// The code as users write it.
            pub fn as_str(self) -> &'static str {
                self.into()
            }

            /// The severity of a finding of this kind unless something raises or lowers it.
            pub fn severity(self) -> Severity {
                match self { $(Code::$name => Severity::$severity),+ }
            }

            /// How deep a check has to look for it.
            pub fn depth(self) -> Depth {
                match self { $(Code::$name => Depth::$depth),+ }
            }

            /// What a finding of this kind means, in a few sentences.
            pub fn meaning(self) -> &'static str {
                match self { $(Code::$name => concat!($($doc),+).trim_ascii()),+ }
            }
        }
    };
}

codes! {
    /// A citation that no source list has an entry for.
    OrphanCitation = "orphan-citation", Error, Structure;
    /// A listed source that nothing cites.
    OrphanSource = "orphan-source", Note, Structure;
    /// A source list whose entries the text does not cite.
    ListWithoutCitations = "list-without-citations", Warning, Support;
    /// Two entries of a list are the same source.
    DuplicateSource = "duplicate-source", Note, Structure;
    /// Two entries of one list have the same label.
    DuplicateLabel = "duplicate-label", Warning, Structure;
    /// A claim or a bare number that several notes of the research files fit equally well.
    AmbiguousCitation = "ambiguous-citation", Warning, Support;
    /// A product's own citation form that nothing here can resolve.
    UnresolvableMarker = "unresolvable-marker", Warning, Structure;
    /// The numbers of a source list jump or do not begin with 1.
    NumberingGap = "numbering-gap", Warning, Structure;
    /// The numbers of a source list are not in the order in which the text cites them first.
    NumberingOrder = "numbering-order", Note, Structure;
    /// Some numbers in the text look like citations and are none. With a new list they would point at other works, so the list keeps its numbers.
    NumbersKept = "numbers-kept", Warning, Support;
    /// A text that keeps the keys of a bibliography cites a source that has none there.
    NoKey = "no-key", Warning, Support;
    /// A range of citations that runs backwards or is too long to be meant.
    BadRange = "bad-range", Warning, Structure;
    /// A source entry without an address: it cannot be checked.
    NoAddress = "no-address", Warning, Structure;
    /// A reference to a footnote that the document does not define.
    UndefinedFootnote = "undefined-footnote", Error, Structure;
    /// A relative link to a file that is not there.
    MissingTarget = "missing-target", Error, Structure;
    /// A link to a heading or anchor that its document does not have.
    MissingAnchor = "missing-anchor", Error, Structure;
    /// A reference (`[text][label]`) that the document does not define.
    UndefinedReference = "undefined-reference", Error, Structure;
    /// A research file has text beside its sources, and none of it could be read. No claim is removed then because no note has it.
    UnreadNotes = "unread-notes", Warning, Support;
    /// A row or entry of a research file that could not be used.
    UnusableEntry = "unusable-entry", Note, Support;
    /// The source is proven gone and no archive has a copy.
    DeadSource = "dead-source", Error, Sources;
    /// The source is gone; an archived copy stands in for it.
    ArchivedSource = "archived-source", Note, Sources;
    /// The source has moved for good; the new address is offered.
    MovedSource = "moved-source", Note, Sources;
    /// The source could not be asked, so nothing was proven either way.
    UncheckedSource = "unchecked-source", Warning, Sources;
    /// The address is one that cited will not ask: its scheme, address or port is forbidden.
    RefusedAddress = "refused-address", Warning, Sources;
    /// After a redirect the page has nothing to do with what is cited.
    RedirectsElsewhere = "redirects-elsewhere", Warning, Sources;
    /// The page is there, and has nothing to do with what is cited.
    OffTopic = "off-topic", Warning, Sources;
    /// The page is another work than the entry says: its own title, author or year disagree.
    IdentityMismatch = "identity-mismatch", Warning, Sources;
    /// The source says that it was retracted or withdrawn, or its publisher doubts it.
    RetractedSource = "retracted-source", Warning, Sources;
    /// The source is there, but what is cited from it is gone or changed.
    DriftedSource = "drifted-source", Error, Support;
    /// A publisher has corrected the work.
    CorrectedSource = "corrected-source", Note, Sources;
    /// The work of an entry was found, and a field of the entry differs from its records.
    ReferenceDiffers = "reference-differs", Warning, Sources;
    /// Every index that covers the kind of an entry answered, and none has its work. That proves nothing.
    WorkNotFound = "work-not-found", Warning, Sources;
    /// A work that is cited as a preprint was published since.
    PublishedElsewhere = "published-elsewhere", Note, Sources;
    /// No record confirms the venue of an entry, and none names another: a preprint of the work is known, or the series that it stands in.
    VenueUnconfirmed = "venue-unconfirmed", Note, Sources;
    /// Volume, pages or the check digit of an entry differ from those of the record.
    DetailDiffers = "detail-differs", Note, Sources;
    /// An index of works did not answer, and entries wait for it.
    IndexUnasked = "index-unasked", Note, Sources;
    /// A link whose page is proven gone, also when an archive has a copy of it.
    DeadLink = "dead-link", Error, Sources;
    /// A link that could not be checked, or whose target cannot be known.
    UncheckedLink = "unchecked-link", Note, Sources;
    /// A link whose page has moved for good.
    MovedLink = "moved-link", Note, Sources;
    /// A link to a place or to words that a page of the web does not have.
    MissingFragment = "missing-fragment", Note, Sources;
    /// A statement that must have a source and has none.
    Unanchored = "unanchored", Error, Support;
    /// A statement of fact without a source.
    Uncited = "uncited", Note, Support;
    /// The search has found a page that supports a claim without a source.
    SourceFound = "source-found", Warning, Support;
    /// Claims without a source were not searched for: the search failed.
    SearchFailed = "search-failed", Warning, Support;
    /// A claim that was given a source from the research files.
    Anchored = "anchored", Note, Support;
    /// The source has another value for the same thing.
    NumberMismatch = "number-mismatch", Error, Support;
    /// The number is nowhere in the source.
    NumberAbsent = "number-absent", Error, Support;
    /// The words between quotation marks are not in the source.
    QuoteMismatch = "quote-mismatch", Error, Support;
    /// A quotation that stops right before a word that reverses its meaning.
    QuoteCutShort = "quote-cut-short", Warning, Support;
    /// The source says the opposite.
    Contradicted = "contradicted", Error, Support;
    /// The cited source does not say it; another one of the list does.
    Miscited = "miscited", Warning, Support;
    /// The source says something like it; the score is too low to call it support.
    WeakSupport = "weak-support", Warning, Support;
    /// The source was read and does not show it.
    Unverifiable = "unverifiable", Warning, Support;
    /// A judge gave no usable answer about the claim.
    Unchecked = "unchecked", Warning, Support;
    /// A claim that was removed or marked because a reviewer decided so.
    Reviewed = "reviewed", Note, Support;
    /// A decision of a reviewer that was not applied: its claim is gone, or what its sources are or say has changed.
    StaleDecision = "stale-decision", Warning, Support;
    /// A claim that stays with a note: the research files call what it rests on inferred, unverified or blocked, or one of its sources is no
    /// longer cited.
    Noted = "noted", Warning, Support;
    /// *Verified*, *confirmed*, *proves* without a recorded check.
    FakeCertainty = "fake-certainty", Warning, Support;
    /// Two sources disagree about the same quantity.
    Conflict = "conflict", Warning, Support;
    /// A figure, table or chart without provenance.
    NoProvenance = "no-provenance", Warning, Support;
    /// The agent's own talk was left in the document.
    Chatter = "chatter", Note, Support;
    /// A sentence leans on one that was removed.
    DanglingOpener = "dangling-opener", Warning, Support;
    /// A claim ledger that is not written as one: missing, no JSON, a field or kind that is not known.
    LedgerMalformed = "ledger-malformed", Error, Support;
    /// A ledger without a claim under a summary that needs some, or without a summary.
    LedgerEmpty = "ledger-empty", Error, Support;
    /// Two claims of a ledger have one id.
    DuplicateClaim = "duplicate-claim", Error, Support;
    /// A claimed value that the data does not give.
    ValueMismatch = "value-mismatch", Error, Support;
    /// A metric that nobody declares, or that the caller does not trust.
    MetricUnknown = "metric-unknown", Error, Support;
    /// A metric that gives no number: refused, stopped, or no single finite value.
    MetricFailed = "metric-failed", Error, Support;
    /// A source that a claim names and that is not there, or has no text.
    SourceUnknown = "source-unknown", Error, Support;
    /// A claim whose statement is not in the summary, or says another value.
    StatementAbsent = "statement-absent", Error, Support;
    /// A quantity or quotation of a summary that no claim speaks for.
    Uncovered = "uncovered", Error, Support;
    /// A claim of a manifest that its evidence does not carry.
    EvidenceAbsent = "evidence-absent", Error, Support;
    /// An acceptance criterion that did not pass.
    CriterionFailed = "criterion-failed", Error, Support;
    /// What a judge is not sure of: somebody should look.
    JudgeQuestion = "judge-question", Warning, Support;
    /// A claim or artifact that three rounds of rework did not mend.
    Disputed = "disputed", Error, Support;
    /// A suppression comment that cannot be understood, or that says no reason: it suppresses nothing.
    UnknownSuppression = "unknown-suppression", Warning, Structure;
}

/// What to do about a finding of each code.
static REMEDIES: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| table::rows(include_str!("data/remedies.tsv")).map(|row| (row.class, row.written())).collect());

/// What to know about each code: a section each.
const PAGES: &str = include_str!("findings.md");

impl Code {
    /// The code that users write as `text`.
    pub fn parse(text: &str) -> Option<Code> {
        text.parse().ok()
    }

    /// What to know about it and what to do, in Markdown: its section of `docs/findings.md` without the heading.
    pub fn page(self) -> &'static str {
        let heading = format!("\n## {self}\n");
        let section = PAGES.find(&heading).map(|start| &PAGES[start + heading.len()..]);
        section.map_or(self.meaning(), |rest| rest[..rest.find("\n## ").unwrap_or(rest.len())].trim())
    }
}

impl Severity {
    /// The severity as users write it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Gives findings of a run that mended what it could the severities that its exit status has: an error is what made it fall
/// short. With `strict` that is everything that keeps claims and sources from passing, else what somebody asked to fail for.
pub fn agree_with_exit(findings: &mut [Finding], strict: bool) {
    for finding in findings {
        let about = finding.about.as_deref();
        // On a claim, a source, or a list that nothing cites: what keeps a run from passing.
        let is_counted = match finding.code {
            Code::DeadLink => false,
            Code::ListWithoutCitations | Code::UnresolvableMarker => true,
            _ => about.is_some(),
        };
        let fails = about.is_some_and(|about| about.action.as_deref() == Some(FAIL))
            || strict && (finding.severity == Severity::Error || is_counted);
        finding.severity = match finding.severity {
            Severity::Note => Severity::Note,
            _ if fails => Severity::Error,
            _ => Severity::Warning,
        };
    }
}

/// The action of a claim that somebody asked to fail for.
pub const FAIL: &str = "fail";

#[cfg(test)]
mod tests {
    use super::{Code, Finding, PAGES, REMEDIES, Severity, agree_with_exit};

    #[test]
    fn an_error_is_what_made_a_run_fall_short() {
        use Severity::{Error, Note, Warning};
        let dropped = || Finding::new(Code::NumberMismatch, "m").on_claim("c1", "drop");
        let failed = || Finding::new(Code::Unanchored, "m").on_claim("c2", "fail");
        let weak = || Finding::new(Code::WeakSupport, "m").on_claim("c3", "keep");
        let all =
            || vec![dropped(), failed(), weak(), Finding::new(Code::DeadLink, "m"), Finding::new(Code::Uncited, "m")];
        let check = |strict: bool, expected: [Severity; 5]| {
            let mut findings = all();
            agree_with_exit(&mut findings, strict);
            assert_eq!(findings.iter().map(|finding| finding.severity).collect::<Vec<_>>(), expected);
        };
        check(false, [Warning, Error, Warning, Warning, Note]);
        check(true, [Error, Error, Error, Error, Note]);
    }

    #[test]
    fn every_code_has_a_section_with_advice() {
        for code in Code::ALL {
            assert!(PAGES.contains(&format!("\n## {code}\n")), "docs/findings.md has no section on {code}");
            assert!(code.page().split("\n\n").count() >= 2, "{code} needs advice");
            assert_eq!(Code::parse(code.as_str()), Some(*code));
        }
        assert!(REMEDIES.keys().all(|name| Code::parse(name).is_some()), "{REMEDIES:?}");
        assert_eq!(PAGES.matches("\n## ").count(), Code::ALL.len(), "a section of docs/findings.md is of no code");
    }

    #[test]
    fn names_are_unique_and_serialise_as_they_are_written() {
        for (i, code) in Code::ALL.iter().enumerate() {
            assert_eq!(serde_json::to_string(code).unwrap(), format!("{:?}", code.as_str()));
            assert!(!Code::ALL[..i].iter().any(|other| other.as_str() == code.as_str()));
            assert!(code.meaning().ends_with('.'), "{code} needs a meaning");
        }
    }
}
