//! Claim manifests: claims that name the place of a corpus which shows them.

mod check;
#[cfg(test)]
mod tests;

pub use check::{check, check_hash};

use cited_core::address::is_web;
use serde::{Deserialize, Serialize};

use super::ledger::{Entry, duplicate, named, root};
use cited_core::finding::Finding;
use cited_text::Span;

/// How the name of the criterion begins that a manifest is; its path follows.
pub const CRITERION: &str = "manifest:";

/// A manifest as handed in.
#[derive(Debug, Clone, Default)]
pub struct Manifest {
    /// Its claims.
    pub claims: Vec<Claim>,
    /// What is wrong with how it is written; then nothing in it is checked.
    pub faults: Vec<Finding>,
}

// `C` is the shape of its claims: each is read by itself.
/// A claim manifest.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Manifest")]
pub struct Shape<C> {
    /// The claims.
    pub claims: Vec<C>,
}

/// A claim of a manifest, and the place that shows it.
#[derive(Debug, Clone, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ManifestClaim")]
pub struct Claim {
    /// Its name.
    #[schemars(length(min = 1))]
    pub id: String,
    /// What it claims.
    #[schemars(length(min = 1))]
    pub text: String,
    /// The place that shows it: `file:line`, `file:first-last`, `commit:HEX`, `file#heading` or an address.
    #[schemars(length(min = 1))]
    pub evidence: String,
    /// SHA-256 of the text at the place, in hexadecimal.
    #[serde(alias = "text_sha256", alias = "sha256")]
    pub text_sha256: Option<String>,
    /// Where the place stands in the manifest.
    #[serde(skip)]
    pub span: Span,
}

/// A place of a corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Locator {
    /// Lines of a file, from 1, both included: `src/a.rs:10-12`.
    Lines(String, usize, usize),
    /// A commit, by its hexadecimal name: `commit:1a2b3c4`.
    Commit(String),
    /// The section under a heading, by its words or its anchor: `README.md#install`.
    Heading(String, String),
    /// A page.
    Address(String),
}

/// What became of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ManifestReport {
    /// The file.
    pub path: String,
    /// The corpus.
    pub corpus: String,
    /// Every claim, in order.
    pub claims: Vec<ManifestClaim>,
}

/// What became of a claim of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ManifestClaim {
    /// Its name.
    pub id: String,
    /// What it claims.
    pub text: String,
    /// The place as written.
    pub evidence: String,
    /// What became of it.
    pub verdict: Standing,
    /// Why it needs rework.
    pub reasons: Vec<String>,
    /// SHA-256 of the text at the place, when there is one.
    pub text_sha256: Option<String>,
}

/// What became of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Standing {
    /// The place shows it.
    Verified,
    /// It does not.
    Rework,
    /// It did not after three rounds of rework.
    Disputed,
}

impl Locator {
    /// Reads a place as written.
    ///
    /// # Errors
    /// When it is none, or leads out of the corpus.
    ///
    /// ```
    /// use cited_gate::manifest::Locator;
    /// assert_eq!(Locator::read("src/a.rs:10-12"), Ok(Locator::Lines("src/a.rs".into(), 10, 12)));
    /// assert_eq!(Locator::read("src/a.rs#Reading"), Ok(Locator::Heading("src/a.rs".into(), "Reading".into())));
    /// assert!(Locator::read("../secret:1").is_err());
    /// ```
    pub fn read(evidence: &str) -> Result<Locator, String> {
        if let Some(revision) = evidence.strip_prefix("commit:") {
            let name = (7..=64).contains(&revision.len()) && revision.bytes().all(|byte| byte.is_ascii_hexdigit());
            let why = "a commit is named by 7 to 64 hexadecimal digits";
            return if name { Ok(Locator::Commit(revision.to_ascii_lowercase())) } else { Err(why.to_owned()) };
        }
        if is_web(evidence) {
            return Ok(Locator::Address(evidence.to_owned()));
        }
        if let Some((path, heading)) = evidence.split_once('#') {
            inside(path)?;
            if heading.trim().is_empty() {
                return Err("`#` needs a heading behind it".to_owned());
            }
            return Ok(Locator::Heading(path.to_owned(), heading.to_owned()));
        }
        let form = "a place is `file:line`, `file:first-last`, `commit:NAME`, `file#heading` or an address";
        let (path, lines) = evidence.rsplit_once(':').ok_or(form)?;
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse::<usize>()) else {
            return Err(form.to_owned());
        };
        inside(path)?;
        if first == 0 || last < first {
            return Err(format!("lines {first} to {last} are none; they count from 1"));
        }
        Ok(Locator::Lines(path.to_owned(), first, last))
    }
}

/// Makes sure that a path does not lead out of the corpus by its words. Links are looked at where files are read.
fn inside(path: &str) -> Result<(), String> {
    use std::path::{Component, Path};
    let stays = Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if path.is_empty() || path.contains(['\\', '\0']) || !stays {
        return Err(format!("`{path}` is no path inside the corpus"));
    }
    // The corpus is what people wrote, not what its version control keeps.
    if path.split('/').any(|part| part.eq_ignore_ascii_case(".git")) {
        return Err(format!("`{path}` is no file of the corpus"));
    }
    Ok(())
}

/// Reads a manifest. Cannot fail: what is wrong is in its faults.
pub fn read(text: &str) -> Manifest {
    let mut manifest = Manifest::default();
    let members = root::<Shape<serde_json::Value>>(text, "manifest", &mut manifest.faults);
    let claims = members.into_iter().find(|(name, _)| name == "claims").and_then(|(_, claims)| claims.items().ok());
    for (index, node) in claims.unwrap_or_default().into_iter().enumerate() {
        let mut entry = Entry::new((index, node));
        if let Some(mut claim) = entry.read::<Claim>() {
            claim.span = entry.members.get("evidence").unwrap_or(&node).span();
            let hash_of = |hash: String| hash.strip_prefix("sha256:").unwrap_or(&hash).to_ascii_lowercase();
            claim.text_sha256 = claim.text_sha256.map(hash_of);
            let is_hash = |hash: &String| hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
            if !claim.text_sha256.as_ref().is_none_or(is_hash) {
                entry.fault("`textSha256` must be 64 hexadecimal digits");
            }
            if manifest.claims.iter().any(|other| other.id == claim.id) {
                entry.faults.push(duplicate(node.span()));
            }
            manifest.claims.push(claim);
        }
        manifest.faults.extend(entry.faults.into_iter().map(|fault| named(&entry.id, fault)));
    }
    manifest
}
