//! What the links of documents lead to, looked up inside the tree that each document stands in, and nowhere else.
//!
//! The tree is the repository of a document; where there is none, the working folder, or else the folder that was named. What
//! an address means in it is the generator's to say that makes pages of the document.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::WalkBuilder;
use ignore::gitignore::Gitignore;

use super::files::Excluded;
use crate::commands::input::{STANDARD, inside};
use cited_core::address::identity::percent_decoded;
use cited_core::check::generators::{self, Generator};
use cited_core::check::page::{Anchors, Dialect, Kind, Known, Link, Page, front_matter, labels};
use cited_core::check::results::{Skip, Tally, is_everywhere};
use cited_core::check::sites::{Site, values};
use cited_core::finding::{Code, Finding};
use cited_core::input::Input;
use cited_core::markdown::is_markdown;
use cited_core::pattern::Pattern;

/// The largest document whose anchors are read, in bytes.
const LARGEST: u64 = 16 << 20;
/// What a repository has at its root.
const REPOSITORY: &str = ".git";
/// The document that a folder is shown by, the first that is there.
const OF_FOLDERS: [&str; 8] =
    ["index.md", "_index.md", "index.mdx", "README.md", "readme.md", "index.markdown", "index.html", "README.markdown"];
/// Endings of what pages are made from.
const SOURCES: [&str; 15] = [
    "md", "mdx", "markdown", "html", "htm", "rst", "ipynb", "tsx", "jsx", "ts", "js", "vue", "astro", "svelte", "adoc",
];
/// Endings of pages.
const PAGES: [&str; 2] = [".html", ".htm"];
/// Files beside the settings that say which addresses lead elsewhere.
const REDIRECTS: [&str; 4] = ["_redirects", "static/_redirects", "public/_redirects", "netlify.toml"];
/// Folders of parts that pages are put together from.
const PARTS: [&str; 6] = ["_includes", "includes", "_partials", "partials", "snippets", "_snippets"];
/// How deep files may include files.
const DEEPEST: usize = 8;

/// What an address on the web begins with.
static WEB: Pattern = Pattern::new(r"(?i)^(?:https?:)?//");
/// What an address begins with that is none of a file: `mailto:`.
static SCHEME: Pattern = Pattern::new(r"^[A-Za-z][A-Za-z0-9+.-]*:");
/// The name of an item of Rust: `Option`, `mod@derive`, `vec!`, `main()`.
static ITEM: Pattern = Pattern::new(r"^(?:[^@]*@)?[_\p{Alphabetic}\p{N}]+(?:!|\(\))?$");

/// The trees of the documents of a run.
#[derive(Debug, Default)]
pub struct Tree {
    /// Where the paths of documents start from.
    base: PathBuf,
    /// Where a tree may begin that no repository begins.
    tops: Vec<PathBuf>,
    /// Where addresses with a slash at their start begin, when the user says so.
    root_dir: Option<PathBuf>,
    /// Addresses that the user leaves out.
    pub excluded: Excluded,
    generators: Vec<Generator>,
    /// Texts that stand for those of the files, by place.
    texts: HashMap<PathBuf, Arc<str>>,
    folders: Cache<PathBuf, Option<Arc<Folder>>>,
    settings: Cache<PathBuf, Arc<Vec<(usize, String)>>>,
    sites: Cache<(PathBuf, usize), Arc<Site>>,
    names: Cache<PathBuf, Arc<HashSet<OsString>>>,
    anchors: Cache<PathBuf, Option<Arc<Anchors>>>,
}

/// What was found once, by what was looked for.
type Cache<K, V> = Mutex<HashMap<K, V>>;

fn cached<K: std::hash::Hash + Eq + Clone, V: Clone>(cache: &Cache<K, V>, key: &K, find: impl FnOnce() -> V) -> V {
    if let Some(known) = cache.lock().unwrap_or_else(PoisonError::into_inner).get(key) {
        return known.clone();
    }
    let found = find();
    cache.lock().unwrap_or_else(PoisonError::into_inner).entry(key.clone()).or_insert(found).clone()
}

/// A folder with documents.
#[derive(Debug, Clone)]
struct Folder {
    /// Its place, without links.
    place: PathBuf,
    /// The root of its tree.
    root: PathBuf,
    /// What is made of its documents.
    site: Arc<Site>,
}

/// What is at a path.
#[derive(Debug, Clone)]
enum Target {
    /// Nothing.
    Missing,
    /// It cannot be said.
    Unknown(Skip),
    /// Something, whose anchors are these when it is a document.
    There(Option<Arc<Anchors>>),
}

/// What looking for one link gave.
enum LinkResult {
    Good,
    NoLink,
    Passed(Skip),
    Nowhere(Finding),
}

/// What lies around one document.
struct View<'a> {
    tree: &'a Tree,
    /// Its folder; `None` where it has none.
    folder: Option<Arc<Folder>>,
    /// Its place.
    file: PathBuf,
}

impl Tree {
    /// The trees of documents below the folders `named`, or of those in the working folder.
    pub fn open<'a>(named: impl Iterator<Item = &'a Path>, root_dir: Option<&Path>, excluded: Excluded) -> Tree {
        let folders = named.filter(|path| path.is_dir()).map(Path::to_path_buf);
        let tops = folders.chain([PathBuf::from(".")]).filter_map(|path| path.canonicalize().ok());
        let root_dir = root_dir.map(|path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf()));
        Tree { tops: tops.collect(), root_dir, excluded, generators: generators::all(), ..Tree::default() }
    }

    /// The tree of a book that lies in `root`, whose chapters have these texts.
    pub fn of_book(root: &Path, chapters: &[Input], excluded: Excluded) -> Tree {
        let place = |input: &Input| Some((root.join(&input.path).canonicalize().ok()?, Arc::clone(&input.text)));
        let texts = chapters.iter().filter_map(place).collect();
        let tops = root.canonicalize().into_iter().collect();
        Tree { base: root.to_path_buf(), texts, tops, ..Tree::open([].into_iter(), None, excluded) }
    }

    /// How a document is read.
    pub fn dialect(&self, document: &str) -> Dialect {
        match self.folder(document) {
            Some(folder) => folder.site.generator.dialect(&folder.site.settings),
            None => self.generators.last().map(|row| row.dialect("")).unwrap_or_default(),
        }
    }

    /// What is told of the links of a document that was read as `page`, and their number. Links to the web are counted as not asked.
    pub fn targets(&self, document: &str, page: &Page) -> (Vec<Finding>, Tally) {
        let (view, mut findings, mut tally) = (self.view(document), Vec::new(), Tally::default());
        let own = self.with_included(page, &view.file, 0);
        for link in &page.links {
            match view.look_for(link, page, &own) {
                LinkResult::Good => tally.good += 1,
                LinkResult::NoLink => {}
                LinkResult::Passed(why) => {
                    tally.pass(why);
                    let told = why.of_link(&link.address);
                    findings.extend(told.map(|message| Finding::new(Code::UncheckedLink, message).at(link.span)));
                }
                LinkResult::Nowhere(finding) => {
                    tally.nowhere += 1;
                    findings.push(finding.at(link.span));
                }
            }
        }
        (findings, tally)
    }

    fn view(&self, document: &str) -> View<'_> {
        let folder = self.folder(document);
        let name = Path::new(document).file_name().unwrap_or_default();
        View { tree: self, file: folder.as_ref().map(|folder| folder.place.join(name)).unwrap_or_default(), folder }
    }

    /// The folder of a document; `None` where it has none.
    fn folder(&self, document: &str) -> Option<Arc<Folder>> {
        if document == STANDARD {
            return None;
        }
        let path = self.base.join(document);
        let parent = path.parent().unwrap_or(Path::new("")).to_path_buf();
        cached(&self.folders, &parent, || {
            let place = Path::new(".").join(&parent).canonicalize().ok()?;
            let repository = place.ancestors().find(|folder| folder.join(REPOSITORY).exists());
            let top = || self.tops.iter().filter(|top| place.starts_with(top)).min_by_key(|top| top.as_os_str().len());
            let root = repository.or_else(|| top().map(PathBuf::as_path)).unwrap_or(&place).to_path_buf();
            let site = self.site(&place, &root)?;
            Some(Arc::new(Folder { place, root, site }))
        })
    }

    /// What makes pages of the documents of a folder: of those that are recognised in it, above it, or in a folder beside it
    /// whose settings name it, the nearest that shows it.
    fn site(&self, place: &Path, root: &Path) -> Option<Arc<Site>> {
        let mut found: Vec<(u8, usize, PathBuf, usize, String)> = Vec::new();
        let above = place.ancestors().take_while(|folder| folder.starts_with(root));
        for (distance, folder) in above.enumerate() {
            let mut beside = vec![folder.to_path_buf()];
            if let Ok(entries) = std::fs::read_dir(folder) {
                let folders = entries.flatten().map(|entry| entry.path());
                beside.extend(folders.filter(|path| path.is_dir() && !place.starts_with(path)));
            }
            let relative = place.strip_prefix(folder).unwrap_or(place);
            let below: Vec<String> =
                relative.ancestors().filter(|path| !path.as_os_str().is_empty()).map(shown).collect();
            for candidate in beside {
                for (row, text) in self.settings(&candidate).iter() {
                    let named = || below.iter().any(|path| text.contains(&format!("../{path}")));
                    let rank = self.generators[*row].list("rank").find_map(|rank| rank.parse().ok()).unwrap_or(u8::MAX);
                    if candidate == folder || rank == 1 && named() {
                        found.push((rank, distance, candidate.clone(), *row, text.clone()));
                    }
                }
            }
        }
        found.sort();
        // Where nothing else makes pages of it, the repository shows it.
        found.push((u8::MAX, usize::MAX, root.to_path_buf(), self.generators.len().checked_sub(1)?, String::new()));
        let mut sites = found.into_iter().map(|(.., folder, row, text)| {
            cached(&self.sites, &(folder.clone(), row), || Arc::new(self.read_site(&folder, row, text)))
        });
        let shows = |site: &Arc<Site>| {
            let is_below = place.starts_with(&site.root) && place != site.root;
            let is_shown = site.contents.iter().any(|(content, _)| place.starts_with(content));
            site.generator.list("content").next().is_none() || !site.contents.is_empty() && (is_shown || is_below)
        };
        sites.find(shows)
    }

    /// The generators whose settings lie in a folder, with the text of these.
    fn settings(&self, folder: &Path) -> Arc<Vec<(usize, String)>> {
        cached(&self.settings, &folder.to_path_buf(), || {
            let rows = self.generators.iter().enumerate().filter_map(|(index, row)| {
                let own = row.list("settings").map(|name| folder.join(name)).find(|path| path.exists())?;
                let text = std::fs::read_to_string(own).unwrap_or_default();
                row.is_marked(&text).then_some((index, text))
            });
            Arc::new(rows.collect())
        })
    }

    fn read_site(&self, folder: &Path, row: usize, mut settings: String) -> Site {
        let row = self.generators[row].clone();
        let root = folder.ancestors().find(|above| above.join(REPOSITORY).exists()).unwrap_or(folder);
        for name in REDIRECTS.iter().flat_map(|name| [folder.join(name), root.join(name)]).collect::<HashSet<_>>() {
            settings.extend(std::fs::read_to_string(name).map(|text| format!("\n{text}")));
        }
        let mut site = Site::new(row, folder.to_path_buf(), settings);
        let default = site.generator.pairs("content").map(|(path, prefix)| (path.to_owned(), prefix.to_owned()));
        let prefixed = site.generator.pairs("content").any(|(_, prefix)| !prefix.is_empty());
        let routes = values(&site.settings, "routeBasePath");
        let named = site.generator.list("keys").flat_map(|key| values(&site.settings, key)).flat_map(|path| {
            let path = path.trim_start_matches('/');
            let own = path.rsplit('/').next().filter(|_| prefixed).unwrap_or_default();
            let prefixes = routes.iter().map(|route| route.trim_matches('/')).chain([own]);
            prefixes.map(|prefix| (path.to_owned(), prefix.to_owned()))
        });
        let mut contents: Vec<(PathBuf, String)> = Vec::new();
        for (path, prefix) in default.chain(named) {
            let content = folder.join(&path).canonicalize().ok().filter(|place| place.is_dir());
            let content = content.map(|place| (place, prefix)).filter(|content| !contents.contains(content));
            contents.extend(content);
        }
        let statics = site.generator.list("statics").flat_map(|path| match path.split_once("/*/") {
            Some((above, below)) => {
                let entries = std::fs::read_dir(folder.join(above)).into_iter().flatten().flatten();
                entries.map(|entry| entry.path().join(below)).collect()
            }
            None => vec![folder.join(path)],
        });
        site.statics = statics.filter(|path| path.is_dir()).collect();
        for (content, prefix) in &contents {
            for entry in WalkBuilder::new(content).require_git(false).build().flatten() {
                let path = entry.path();
                let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
                if !entry.file_type().is_some_and(|kind| kind.is_file()) || !SOURCES.contains(&ending) {
                    continue;
                }
                let mut text = Vec::new();
                if site.generator.list("front").next().is_some() {
                    let _ = std::fs::File::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut text));
                }
                let text = String::from_utf8_lossy(&text);
                let relative = shown(path.strip_prefix(content).unwrap_or(path));
                site.add(path, &relative, prefix, front_matter(&text));
                if site.generator.has("front", "labels") {
                    site.labels.extend(labels(&text).map(str::to_lowercase));
                }
            }
        }
        site.contents = contents;
        site
    }

    fn names(&self, folder: &Path) -> Arc<HashSet<OsString>> {
        cached(&self.names, &folder.to_path_buf(), || {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            Arc::new(entries.map(|entry| entry.file_name()).collect())
        })
    }

    /// What is at a place, when something is: itself, or the document that the page there is made from.
    fn find(&self, place: &Path, root: &Path) -> Option<PathBuf> {
        let real = |place: &Path| {
            // A disk may find it in other letters, too.
            let named = place.parent().zip(place.file_name());
            inside(root, place).filter(|_| named.is_none_or(|(folder, name)| self.names(folder).contains(name)))
        };
        if let Some(own) = real(place) {
            return Some(own);
        }
        let name = place.file_name()?.to_str()?;
        let stem = PAGES.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
        let sources = SOURCES.iter().map(|ending| place.with_file_name(format!("{stem}.{ending}")));
        // What is made of `README.md` is called `index.html`.
        let index = (stem == "index" && stem != name).then(|| place.with_file_name("README.md"));
        sources.chain(index).find_map(|source| real(&source))
    }

    /// What is at a place, as a link finds it.
    fn there(&self, place: &Path, root: &Path) -> Option<Target> {
        self.find(place, root).map(|real| Target::There(self.anchors(&real, 0)))
    }

    /// The anchors of what is at a place, when it is a document or a folder that is shown by one.
    fn anchors(&self, place: &Path, depth: usize) -> Option<Arc<Anchors>> {
        if place.is_dir() {
            let shown = OF_FOLDERS.iter().map(|name| place.join(name)).find(|path| path.is_file())?;
            // A link may lead out of the tree.
            return self.anchors(&inside(place, &shown)?, depth);
        }
        let name = place.to_str()?;
        let is_html = PAGES.iter().any(|ending| name.ends_with(ending));
        if !is_markdown(name) && !is_html {
            return None;
        }
        cached(&self.anchors, &place.to_path_buf(), || {
            let text = self.texts.get(place).cloned().or_else(|| {
                let small = place.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() <= LARGEST);
                small.then(|| std::fs::read_to_string(place).ok()).flatten().map(Arc::from)
            })?;
            let page = if is_html { Page::of_html(&text) } else { Page::read(&text, &self.dialect(name)) };
            Some(self.with_included(&page, place, depth))
        })
    }

    /// The anchors of a page with those of the files that it includes.
    fn with_included(&self, page: &Page, file: &Path, depth: usize) -> Arc<Anchors> {
        let mut anchors = page.anchors.clone();
        let folder = file.parent().unwrap_or(Path::new(""));
        if let Some(own) = self.folder(&file.to_string_lossy()).filter(|_| depth < DEEPEST) {
            for included in &page.includes {
                let path = included.trim_start_matches("@site/").trim_start_matches("@/").trim_start_matches('/');
                let site = &own.site.root;
                let near = [folder, site, &own.root].map(Path::to_path_buf);
                let parts = PARTS.iter().map(|part| site.join(part));
                let starts =
                    near.into_iter().chain(parts).chain(own.site.contents.iter().map(|(place, _)| place.clone()));
                let mut places = starts.map(|start| normal(&start.join(path)));
                let found = places.find_map(|place| inside(&own.root, &place).filter(|place| place.is_file()));
                if let Some(more) =
                    found.filter(|place| place != file).and_then(|place| self.anchors(&place, depth + 1))
                {
                    anchors.add(&more);
                }
            }
        }
        Arc::new(anchors)
    }
}

impl View<'_> {
    /// What is at a place, or is made there.
    fn look(&self, folder: &Folder, place: &Path) -> Target {
        let (tree, root) = (self.tree, folder.root.as_path());
        if let Some(there) = tree.there(place, root) {
            return there;
        }
        // It is not in the tree itself, or behind a link that leads out.
        let leaves = |above: &Path| above.canonicalize().is_ok_and(|real| !real.starts_with(root));
        if place.ancestors().take_while(|above| *above != root).any(leaves) {
            return Target::Unknown(Skip::Outside);
        }
        if is_ignored(place, root) { Target::Unknown(Skip::Generated) } else { Target::Missing }
    }

    /// What is at an address from the root of the site.
    fn at_root(&self, folder: &Folder, address: &str) -> Target {
        let site = &folder.site;
        if let Some(page) = site.page(address) {
            return Target::There(self.tree.anchors(page, 0));
        }
        let contents = site.contents.iter().map(|(place, _)| place);
        let starts = site.statics.iter().chain(contents).chain([&site.root]);
        for path in site.paths_within(address) {
            for start in starts.clone() {
                match self.look(folder, &normal(&start.join(path))) {
                    Target::Missing => {}
                    found => return found,
                }
            }
        }
        if site.makes(address) { Target::Unknown(Skip::Plugin) } else { Target::Missing }
    }

    /// Looks for what a link of the document leads to, which was read as `page` and of which `own` are the anchors.
    fn look_for(&self, link: &Link, page: &Page, own: &Arc<Anchors>) -> LinkResult {
        let (address, site) = (link.address.trim(), self.folder.as_ref().map(|folder| &folder.site));
        if self.tree.excluded.has_link(address) {
            return LinkResult::Passed(Skip::Excluded);
        }
        if link.kind == Kind::Undefined {
            let made = |sign: &str| site.is_some_and(|site| site.made.contains(&sign));
            if made("[") || made("::") && ITEM.is_match(address.trim_matches('`')) {
                return LinkResult::Passed(Skip::Plugin);
            }
            if site.is_some() && !page.includes.is_empty() {
                return LinkResult::Passed(Skip::Snippet);
            }
            let message = format!("the reference `[{address}]` is not defined");
            let finding = Finding::new(Code::UndefinedReference, message);
            return LinkResult::Nowhere(finding.remedy("define it, or correct its label"));
        }
        if WEB.is_match(address) {
            return LinkResult::Passed(Skip::Web);
        }
        if address.contains(['{', '<', '$']) {
            return LinkResult::Passed(Skip::Template);
        }
        let (rest, fragment) = address.split_once('#').map_or((address, None), |(rest, part)| (rest, Some(part)));
        let path = rest.split('?').next().unwrap_or(rest);
        // Of what is no address of a file, and of an address that says nothing, there is nothing to look for.
        let is_scheme = SCHEME.is_match(path) && !site.is_some_and(|site| site.begins_labels(path));
        if is_scheme || path.is_empty() && fragment.is_none() {
            return LinkResult::NoLink;
        }
        // As an address, its percent signs resolved and its query dropped; else as it is written.
        let found = || match self.target_at(&percent_decoded(path), link.kind) {
            Target::Missing => self.target_at(rest, link.kind),
            other => other,
        };
        let anchors = match if path.is_empty() { Target::There(Some(Arc::clone(own))) } else { found() } {
            Target::Missing => {
                let what = if matches!(link.kind, Kind::Image | Kind::HtmlImage) { "image" } else { "link" };
                let message = format!("the {what} leads to `{path}`, which is not there");
                let finding = Finding::new(Code::MissingTarget, message);
                return LinkResult::Nowhere(finding.remedy("correct the path, letter case included, or add the file"));
            }
            Target::Unknown(why) => return LinkResult::Passed(why),
            Target::There(anchors) => anchors,
        };
        let is_page = matches!(link.kind, Kind::Link | Kind::Html);
        let Some((anchors, fragment)) = anchors.zip(fragment.filter(|part| is_page && !is_everywhere(part))) else {
            return LinkResult::Good;
        };
        // Browsers look for the name as it is written before they resolve its percent signs.
        let known = [fragment, &percent_decoded(fragment)].map(|name| anchors.has(name));
        let of_site = site.map_or(Known::Missing, |site| site.anchor(fragment));
        if known.contains(&Known::There) || of_site == Known::There {
            LinkResult::Good
        } else if known.contains(&Known::Open) {
            LinkResult::Passed(Skip::Template)
        } else if of_site == Known::Open {
            LinkResult::Passed(Skip::Plugin)
        } else if path.is_empty() && self.is_snippet() {
            LinkResult::Passed(Skip::Snippet)
        } else {
            let whose = if path.is_empty() { "this document".to_owned() } else { format!("`{path}`") };
            let message = format!("{whose} has no heading and no anchor `#{fragment}`");
            let finding = Finding::new(Code::MissingAnchor, message);
            LinkResult::Nowhere(finding.remedy("correct the link, or give the place that name"))
        }
    }

    /// What is at a path, as a link of this kind writes it.
    fn target_at(&self, path: &str, kind: Kind) -> Target {
        let Some(folder) = &self.folder else { return Target::Unknown(Skip::Outside) };
        let site = &folder.site;
        let is_site = !site.contents.is_empty();
        if let Some(rest) = path.strip_prefix('/') {
            return match &self.tree.root_dir {
                Some(root) => self.tree.there(&normal(&root.join(rest)), root).unwrap_or(Target::Missing),
                None if is_site => self.at_root(folder, rest),
                None => self.look(folder, &normal(&folder.root.join(rest))),
            };
        }
        let alias = site.generator.pairs("alias").find_map(|(sign, place)| Some((path.strip_prefix(sign)?, place)));
        if let Some((rest, place)) = alias {
            return self.look(folder, &normal(&site.root.join(place).join(rest)));
        }
        if path.starts_with(['@', '~', '^'])
            || site.made.contains(&"::") && (path.contains("::") || ITEM.is_match(path))
        {
            let there = self.tree.there(&normal(&folder.place.join(path)), &folder.root);
            return there.unwrap_or(Target::Unknown(Skip::Plugin));
        }
        // In HTML an address starts from that of the page, which generators leave as it is.
        let starts = if is_site { site.starts(&self.file) } else { Vec::new() };
        let is_html = matches!(kind, Kind::Html | Kind::HtmlImage);
        let only_page = is_html && !starts.is_empty() && !site.makes(&starts[0]);
        let place = normal(&folder.place.join(path));
        let own = || self.look(folder, &place);
        let mut found = if only_page { Target::Missing } else { own() };
        // What leads above the root of a site, and is not there as a file, is made by something beside it.
        let ups = path.split('/').filter(|part| *part != ".").take_while(|part| *part == "..").count();
        let depth = |start: &String| start.split('/').filter(|part| !part.is_empty()).count();
        let leaves = !starts.is_empty() && starts.iter().all(|start| ups > depth(start)) && !is_markdown(path);
        for start in starts {
            if !matches!(found, Target::Missing | Target::Unknown(Skip::Outside)) {
                break;
            }
            let address = normal(&Path::new("/").join(start).join(path));
            let address = format!("{}{}", shown(&address), if path.ends_with('/') { "/" } else { "" });
            match self.at_root(folder, &address) {
                Target::Missing => {}
                other => found = other,
            }
        }
        // Where names are known in the whole project, an address that is no file's is one. One in the letters of a file in another case is
        // none: it leads nowhere.
        let is_near =
            |own: &OsString| place.file_name().is_some_and(|name| name != own && name.eq_ignore_ascii_case(own));
        let near = || !only_page && place.parent().is_some_and(|above| self.tree.names(above).iter().any(is_near));
        match site.label(path) {
            _ if !matches!(found, Target::Missing) || near() => found,
            Known::There => Target::There(None),
            Known::Open => Target::Unknown(Skip::Plugin),
            Known::Missing if leaves => Target::Unknown(Skip::Outside),
            Known::Missing => found,
        }
    }

    /// Whether the document is shown as a part of others.
    fn is_snippet(&self) -> bool {
        let Some(folder) = &self.folder else { return false };
        let site = &folder.site;
        let stem = self.file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let below = self.file.strip_prefix(&site.root).unwrap_or(&self.file);
        let in_parts = below.components().any(|part| PARTS.iter().any(|name| part.as_os_str() == *name));
        let is_part = stem.starts_with('_') && stem != "_index";
        let is_shown = site.contents.iter().any(|(place, _)| self.file.starts_with(place));
        let is_readme = !stem.chars().any(char::is_lowercase);
        !site.contents.is_empty()
            && (in_parts || is_part || !is_shown && !is_readme && self.file.starts_with(&site.root))
    }
}

/// Whether `.gitignore` names a place in a tree.
fn is_ignored(place: &Path, root: &Path) -> bool {
    place.ancestors().skip(1).take_while(|folder| folder.starts_with(root)).any(|folder| {
        let rules = Gitignore::new(folder.join(".gitignore")).0;
        [false, true].iter().any(|is_folder| rules.matched_path_or_any_parents(place, *is_folder).is_ignore())
    })
}

/// A path with `/` between its parts.
fn shown(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// A path without `.` and `..`: these lead up from where it is written, whatever links lie on the way.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is told of the links of a document, and how they are counted: good, nowhere, not looked at.
    #[track_caller]
    fn check(tree: &Tree, document: &Path, text: &str, counts: [usize; 3], expected: &[&str]) {
        let document = document.to_str().unwrap();
        let page = Page::read(text, &tree.dialect(document));
        let (findings, tally) = tree.targets(document, &page);
        let told: Vec<String> = findings
            .iter()
            .filter(|finding| finding.code != Code::UncheckedLink)
            .map(|finding| format!("{} {}", finding.code, finding.span.map_or("", |span| span.slice(text))))
            .collect();
        assert_eq!(told, expected, "{text}: {findings:#?}");
        assert_eq!([tally.good, tally.nowhere, tally.not_looked_at.values().sum()], counts, "{text}");
    }

    #[test]
    fn links_are_told_where_they_stand_and_counted() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("repository");
        std::fs::create_dir_all(root.join("docs")).unwrap();
        std::fs::create_dir(root.join(".git")).unwrap();
        for (name, text) in [
            ("guide.md", "# Set up\n"),
            ("docs/README.md", "# Use\n\n<a id=\"a%20b\"></a>\n"),
            ("a b.md", ""),
            ("%41.md", ""),
            ("logo.png", ""),
        ] {
            std::fs::write(root.join(name), text).unwrap();
        }
        let excluded = Excluded::new(&[], &["*excluded*".to_owned()]).unwrap();
        let tree = Tree::open([root.as_path()].into_iter(), None, excluded);
        let check = |text: &str, counts: [usize; 3], expected: &[&str]| {
            check(&tree, &root.join("own.md"), text, counts, expected);
        };
        check("[a](guide.md) [b](./guide.md#set-up) [c](docs/#use) ![l](logo.png)\n", [4, 0, 0], &[]);
        check("[d](a%20b.md) [e](<a b.md>) [raw](%41.md) [id](docs#a%20b)\n", [4, 0, 0], &[]);
        check("[a](guide.md?plain=1#L3) [b][r]\n\n[r]: guide.md \"title\"\n", [2, 0, 0], &[]);
        check("# Own\n\n[a](#own) [b](#) [c](#top) [d](logo.png#x)\n", [4, 0, 0], &[]);
        check("[mail](mailto:a@b.example) [empty]() <x@a.example>\n", [0, 0, 0], &[]);
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
        check("[a](https://a.example/x) [b](//a.example/x)\n", [0, 0, 2], &[]);
        check("[c]({{ base }}/gone.md) [d](../gone.md) [h](excluded.md)\n", [0, 0, 3], &[]);
    }

    #[test]
    fn what_a_plugin_may_make_is_not_looked_at() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("docs")).unwrap();
        std::fs::write(root.path().join("mkdocs.yml"), "plugins:\n  - mkdocstrings\n  - tags\n").unwrap();
        std::fs::write(root.path().join("docs/guide.md"), "# Set up\n").unwrap();
        let document = root.path().join("docs/index.md");
        std::fs::write(&document, "").unwrap();
        std::fs::write(root.path().join("logo.png"), "").unwrap();
        let tree = Tree::open([root.path()].into_iter(), None, Excluded::default());
        check(&tree, &document, "[e](tags/) [f](guide.md#pkg.Class) [g][pkg.Class]\n", [0, 0, 3], &[]);
        // What leads out of the site is made beside it, but for a file of the tree in another case.
        check(&tree, &document, "[e](../x.png) [f](../LOGO.png)\n", [0, 1, 1], &["missing-target [f](../LOGO.png)"]);
    }

    /// What a link from a document leads to.
    fn look(tree: &Tree, document: &str, path: &str) -> &'static str {
        match tree.view(document).target_at(path, Kind::Link) {
            Target::Missing => "missing",
            Target::Unknown(Skip::Outside) => "outside",
            Target::Unknown(Skip::Generated) => "generated",
            Target::Unknown(_) => "unknown",
            Target::There(None) => "there",
            Target::There(Some(_)) => "document",
        }
    }

    #[test]
    fn links_are_looked_up_inside_the_tree_only() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("repository");
        std::fs::create_dir_all(root.join("docs/deep")).unwrap();
        std::fs::create_dir(root.join(".git")).unwrap();
        std::fs::write(outer.path().join("secret.md"), "# Secret\n").unwrap();
        std::fs::write(root.join(".gitignore"), "build/\n").unwrap();
        for name in ["README.md", "LICENSE", "docs/a.md", "docs/deep/b.md"] {
            std::fs::write(root.join(name), "# Title\n").unwrap();
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../secret.md", root.join("out.md")).unwrap();
            std::os::unix::fs::symlink("..", root.join("up")).unwrap();
            std::os::unix::fs::symlink("nowhere", root.join("dangling")).unwrap();
            std::os::unix::fs::symlink("docs/a.md", root.join("in.md")).unwrap();
        }
        let tree = Tree::open([root.join("docs").as_path()].into_iter(), None, Excluded::default());
        let document = root.join("docs/a.md");
        for (path, expected) in [
            ("deep/b.md", "document"),
            ("./deep/../a.md", "document"),
            ("..", "document"),
            ("deep", "there"),
            ("../LICENSE", "there"),
            ("../in.md", "document"),
            ("/LICENSE", "there"),
            ("/docs/a.md", "document"),
            ("gone.md", "missing"),
            ("/gone.md", "missing"),
            ("../gone/x.md", "missing"),
            ("../dangling", "missing"),
            ("../readme.md", "missing"),
            ("../build/x.md", "generated"),
            ("../../secret.md", "outside"),
            ("../../gone.md", "outside"),
            ("../out.md", "outside"),
            ("../up/secret.md", "outside"),
            ("../up/gone.md", "outside"),
        ] {
            assert_eq!(look(&tree, document.to_str().unwrap(), path), expected, "{path}");
        }
        assert_eq!(look(&tree, STANDARD, "docs/a.md"), "outside");
        let tree = Tree::open(std::iter::empty(), Some(&root.join("docs")), Excluded::default());
        assert_eq!(look(&tree, document.to_str().unwrap(), "/deep/b.md"), "document");
        assert_eq!(look(&tree, document.to_str().unwrap(), "/LICENSE"), "missing");
    }

    #[test]
    fn chapters_of_a_book_have_the_anchors_that_they_have_now() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("src")).unwrap();
        std::fs::write(root.path().join("src/a.md"), "# Before\n").unwrap();
        let chapter = Input { path: "src/a.md".into(), text: "# After\n".into() };
        let tree = Tree::of_book(root.path(), &[chapter], Excluded::default());
        let found = tree.view("src/a.md").target_at("a.md", Kind::Link);
        let Target::There(Some(anchors)) = found else { panic!("it is there") };
        assert_eq!([anchors.has("after"), anchors.has("before")], [Known::There, Known::Missing]);
    }
}
