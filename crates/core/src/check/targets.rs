//! Links of a document that lead nowhere: to files that are not there, to anchors that no document has, to references that
//! nothing defines.
//!
//! Every link is counted: as good, as leading nowhere, or as not looked at, with the reason. What is on the web is asked
//! elsewhere.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::page::{Anchors, Kind, Known, Link, Page};
use crate::address::identity::percent_decoded;
use crate::finding::{Code, Finding};

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Nothing; and what may help, when something is near.
    Missing(Option<String>),
    /// It cannot be said.
    Unknown(Skip),
    /// Something, whose anchors are these when it is a document.
    There(Option<Arc<Anchors>>),
}

/// Why a link was not looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Skip {
    /// A template makes it, or the heading that it may lead to.
    Template,
    /// The settings leave it out.
    Excluded,
    /// It is on the web, and nobody asked for that.
    Web,
    /// It was asked on the web, and could not be looked at.
    Unreachable,
    /// It leads out of the tree.
    Outside,
    /// The generator or one of its plugins may make it.
    Plugin,
    /// It is not there, and `.gitignore` names it.
    Generated,
    /// The document is shown as a part of others.
    Snippet,
}

impl Skip {
    /// The reason in words after a number, and for one link, of which some are told elsewhere.
    fn words(self) -> (&'static str, Option<&'static str>) {
        match self {
            Skip::Template => ("of templates", Some("a template makes it, or the heading that it leads to")),
            Skip::Excluded => ("excluded", None),
            Skip::Web => ("on the web, which --online asks", None),
            Skip::Unreachable => ("could not be read", None),
            Skip::Outside => ("outside of the tree", Some("it leads out of the tree")),
            Skip::Plugin => ("of plugins", Some("the site or a plugin of it may make what it leads to")),
            Skip::Generated => ("generated", Some("it is not there, and .gitignore names it: it is generated")),
            Skip::Snippet => {
                ("in included parts", Some("this document is shown as a part of others, which may have the anchor"))
            }
        }
    }

    /// The reason in words, after a number.
    pub fn in_words(self) -> &'static str {
        self.words().0
    }

    /// What is told of one link.
    fn message(self, address: &str) -> Option<String> {
        Some(format!("`{address}` was not looked at: {}", self.words().1?))
    }
}

/// The links of documents, counted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Tally {
    /// Links that lead somewhere.
    pub good: usize,
    /// Links that lead nowhere.
    pub nowhere: usize,
    /// Links that were not looked at, by reason.
    pub not_looked_at: BTreeMap<Skip, usize>,
}

impl Tally {
    /// Takes note of a link that was not looked at.
    pub fn pass(&mut self, why: Skip) {
        *self.not_looked_at.entry(why).or_default() += 1;
    }

    /// Takes note of the links to the web that were asked: whether each is good, leads nowhere, or could not be looked at.
    pub fn answered(&mut self, links: &Tally) {
        if links.count_all() > 0 {
            self.not_looked_at.remove(&Skip::Web);
        }
        self.add(links);
    }

    /// All links.
    pub fn count_all(&self) -> usize {
        self.good + self.nowhere + self.not_looked_at.values().sum::<usize>()
    }

    /// The sum of two counts.
    pub fn add(&mut self, other: &Tally) {
        self.good += other.good;
        self.nowhere += other.nowhere;
        for (why, count) in &other.not_looked_at {
            *self.not_looked_at.entry(*why).or_default() += count;
        }
    }
}

/// What lies around a document: where its links are looked up.
pub trait LinkContext {
    /// What is at a path, as a link of this kind writes it.
    fn target_at(&self, path: &str, kind: Kind) -> Target;
    /// The anchors of the document itself, with those of what it includes.
    fn own_anchors(&self) -> Arc<Anchors>;
    /// What the site knows of an anchor that a page itself does not have.
    fn anchor(&self, fragment: &str) -> Known;
    /// Why a reference that nothing defines here may be defined elsewhere.
    fn may_define(&self, label: &str) -> Option<Skip>;
    /// Whether the document is shown as a part of others.
    fn is_snippet(&self) -> bool;
    /// Whether the user leaves an address out.
    fn is_excluded(&self, address: &str) -> bool;
    /// Whether what looks like a scheme begins names of the project.
    fn is_name(&self, address: &str) -> bool;
}

pattern!(WEB, r"(?i)^(?:https?:)?//");
pattern!(SCHEME, r"^[A-Za-z][A-Za-z0-9+.-]*:");
pattern!(EVERYWHERE, r"^(?:(?i:top))?$|^[:/!?]|^L[0-9]");
pattern!(ITEM, r"^(?:[^@]*@)?[_\p{Alphabetic}\p{N}]+(?:!|\(\))?$");

/// What is told of the links of `page`, and their number. Links to the web are counted as not asked.
pub fn targets(page: &Page, around: &dyn LinkContext) -> (Vec<Finding>, Tally) {
    let mut findings = Vec::new();
    let mut tally = Tally::default();
    for link in &page.links {
        match look(link, around) {
            LinkResult::Good => tally.good += 1,
            LinkResult::NoLink => {}
            LinkResult::Passed(why) => {
                tally.pass(why);
                let told = why.message(&link.address);
                findings.extend(told.map(|message| Finding::new(Code::UncheckedLink, message).at(link.span)));
            }
            LinkResult::Nowhere(code, message, remedy) => {
                tally.nowhere += 1;
                findings.push(Finding::new(code, message).at(link.span).remedy(remedy));
            }
        }
    }
    (findings, tally)
}

/// What looking for one link gave.
enum LinkResult {
    Good,
    NoLink,
    Passed(Skip),
    Nowhere(Code, String, Cow<'static, str>),
}

fn look(link: &Link, around: &dyn LinkContext) -> LinkResult {
    let address = link.address.trim();
    if around.is_excluded(address) {
        return LinkResult::Passed(Skip::Excluded);
    }
    if link.kind == Kind::Undefined {
        return around.may_define(address).map_or_else(
            || {
                let message = format!("the reference `[{address}]` is not defined");
                LinkResult::Nowhere(Code::UndefinedReference, message, "define it, or correct its label".into())
            },
            LinkResult::Passed,
        );
    }
    if WEB.is_match(address) {
        return LinkResult::Passed(Skip::Web);
    }
    if address.contains(['{', '<', '$']) {
        return LinkResult::Passed(Skip::Template);
    }
    let (rest, fragment) = address.split_once('#').map_or((address, None), |(rest, part)| (rest, Some(part)));
    let path = rest.split('?').next().unwrap_or(rest);
    // Of what is no address of a file (`mailto:`), and of an address that says nothing, there is nothing to look for.
    if SCHEME.is_match(path) && !around.is_name(path) || address.is_empty() || path.is_empty() && fragment.is_none() {
        return LinkResult::NoLink;
    }
    let anchors = if path.is_empty() {
        Some(around.own_anchors())
    } else {
        match find_target(path, rest, link.kind, around) {
            Target::Missing(near) => {
                let what = if matches!(link.kind, Kind::Image | Kind::HtmlImage) { "image" } else { "link" };
                let message = format!("the {what} leads to `{path}`, which is not there");
                let remedy = near.map_or("correct the path, or add the file".into(), Cow::from);
                return LinkResult::Nowhere(Code::MissingTarget, message, remedy);
            }
            Target::Unknown(why) => return LinkResult::Passed(why),
            Target::There(anchors) => anchors,
        }
    };
    let is_page = matches!(link.kind, Kind::Link | Kind::Html);
    let Some((anchors, fragment)) = anchors.zip(fragment.filter(|part| is_page && !is_everywhere(part))) else {
        return LinkResult::Good;
    };
    // Browsers look for the name as it is written before they resolve its percent signs.
    let known = [fragment, &percent_decoded(fragment)].map(|name| anchors.has(name));
    let of_site = around.anchor(fragment);
    if known.contains(&Known::There) || of_site == Known::There {
        LinkResult::Good
    } else if known.contains(&Known::Open) {
        LinkResult::Passed(Skip::Template)
    } else if of_site == Known::Open {
        LinkResult::Passed(Skip::Plugin)
    } else if path.is_empty() && around.is_snippet() {
        LinkResult::Passed(Skip::Snippet)
    } else {
        let whose = if path.is_empty() { "this document".to_owned() } else { format!("`{path}`") };
        let message = format!("{whose} has no heading and no anchor `#{fragment}`");
        LinkResult::Nowhere(Code::MissingAnchor, message, "correct the link, or give the place that name".into())
    }
}

/// What is at a path: as an address, its percent signs resolved and its query dropped; else as it is written.
fn find_target(path: &str, written: &str, kind: Kind, around: &dyn LinkContext) -> Target {
    let first = around.target_at(&percent_decoded(path), kind);
    if !matches!(first, Target::Missing(_)) {
        return first;
    }
    match around.target_at(written, kind) {
        Target::Missing(_) => first,
        other => other,
    }
}

/// Whether a fragment leads somewhere in any document: to its top, to words or lines of it, or to what a script makes of it.
pub fn is_everywhere(fragment: &str) -> bool {
    EVERYWHERE.is_match(fragment)
}

/// Whether a link is written as the name of an item of Rust: `Option`, `mod@derive`, `vec!`, `main()`.
pub fn is_item(path: &str) -> bool {
    ITEM.is_match(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::generators;
    use crate::check::page::Dialect;

    fn github() -> Dialect {
        generators::all().last().map(|row| row.dialect("")).unwrap_or_default()
    }

    /// A folder that holds `guide.md` (with a heading *Set up*), `logo.png`, `docs/` (with a heading *Use*), `a b.md` and `%41.md`.
    struct Folder(Arc<Anchors>);

    impl LinkContext for Folder {
        fn target_at(&self, path: &str, _: Kind) -> Target {
            let there = |text: &str| Target::There(Some(Arc::new(Page::read(text, &github()).anchors)));
            match path.trim_start_matches("./").trim_end_matches('/') {
                "guide.md" => there("# Set up\n"),
                "docs" | "docs/README.md" => there("# Use\n\n<a id=\"a%20b\"></a>\n"),
                "a b.md" | "%41.md" => there(""),
                "logo.png" => Target::There(None),
                "Guide.md" => Target::Missing(Some("guide.md".to_owned())),
                "made" => Target::Unknown(Skip::Plugin),
                path if path.starts_with("../") => Target::Unknown(Skip::Outside),
                _ => Target::Missing(None),
            }
        }

        fn own_anchors(&self) -> Arc<Anchors> {
            Arc::clone(&self.0)
        }

        fn anchor(&self, fragment: &str) -> Known {
            if fragment == "pkg.Class" { Known::Open } else { Known::Missing }
        }

        fn may_define(&self, label: &str) -> Option<Skip> {
            (label == "pkg.Class").then_some(Skip::Plugin)
        }

        fn is_snippet(&self) -> bool {
            false
        }

        fn is_excluded(&self, address: &str) -> bool {
            address.contains("excluded")
        }

        fn is_name(&self, _: &str) -> bool {
            false
        }
    }

    /// What is told of the links of a document, and how they are counted: good, nowhere, not looked at.
    #[track_caller]
    fn check(text: &str, counts: [usize; 3], expected: &[&str]) {
        let page = Page::read(text, &github());
        let around = Folder(Arc::new(page.anchors.clone()));
        let (findings, tally) = targets(&page, &around);
        let told: Vec<String> = findings
            .iter()
            .filter(|finding| finding.code != Code::UncheckedLink)
            .map(|finding| format!("{} {}", finding.code, finding.span.map_or("", |span| span.slice(text))))
            .collect();
        assert_eq!(told, expected, "{text}: {findings:#?}");
        assert_eq!([tally.good, tally.nowhere, tally.not_looked_at.values().sum()], counts, "{text}");
    }

    #[test]
    fn what_is_there_is_no_finding() {
        check("[a](guide.md) [b](./guide.md#set-up) [c](docs/#use) ![l](logo.png)\n", [4, 0, 0], &[]);
        check("[d](a%20b.md) [e](<a b.md>) [raw](%41.md) [id](docs#a%20b)\n", [4, 0, 0], &[]);
        check("[a](guide.md?plain=1#L3) [b][r]\n\n[r]: guide.md \"title\"\n", [2, 0, 0], &[]);
        check("# Own\n\n[a](#own) [b](#) [c](#top) [d](logo.png#x)\n", [4, 0, 0], &[]);
        check("[mail](mailto:a@b.example) [empty]() <x@a.example>\n", [0, 0, 0], &[]);
    }

    #[test]
    fn what_is_not_there_is_told_where_it_stands() {
        check("A [link](gone.md) here.\n", [0, 1, 0], &["missing-target [link](gone.md)"]);
        check(
            "[a](guide.md#setup) [b](#owm)\n",
            [0, 2, 0],
            &["missing-anchor [a](guide.md#setup)", "missing-anchor [b](#owm)"],
        );
        check(
            "[a](Guide.md) [b](docs\\x.md)\n",
            [0, 2, 0],
            &["missing-target [a](Guide.md)", "missing-target [b](docs\\x.md)"],
        );
        check("[a][nobody]\n", [0, 1, 0], &["undefined-reference [a][nobody]"]);
    }

    #[test]
    fn what_cannot_be_known_is_counted_and_told_as_such() {
        check("[a](https://a.example/x) [b](//a.example/x)\n", [0, 0, 2], &[]);
        check("[c]({{ base }}/gone.md) [d](../gone.md) [e](made)\n", [0, 0, 3], &[]);
        check("[f](guide.md#pkg.Class) [g][pkg.Class] [h](excluded.md)\n", [0, 0, 3], &[]);
    }
}
