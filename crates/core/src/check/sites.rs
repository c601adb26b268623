//! A site as its generator makes it: the addresses of its pages, by their files, front matter and settings.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use regex::Regex;

use super::generators::Generator;
use super::page::Known;
use crate::citation::each_once;
use crate::pattern::Pattern;

/// A site.
#[derive(Debug, Default)]
pub struct Site {
    /// What makes it.
    pub generator: Generator,
    /// The folder of its settings.
    pub root: PathBuf,
    /// The text of its settings and of the files of redirects beside them.
    pub settings: String,
    /// Its folders of pages, with the address that each is shown under.
    pub contents: Vec<(PathBuf, String)>,
    /// Folders whose files are shown as they are.
    pub statics: Vec<PathBuf>,
    /// What it makes that no file shows.
    pub made: Vec<&'static str>,
    /// The path of its address.
    bases: Vec<String>,
    /// Patterns of addresses (`/:year/:title/`).
    permalinks: Vec<String>,
    pages: HashMap<String, PathBuf>,
    addresses: HashMap<PathBuf, Vec<String>>,
    /// Names of places that any page may link to by name alone, in lower case.
    pub labels: HashSet<String>,
}

static DATED: Pattern = Pattern::new(r"^(\d{4})[-/](\d\d)[-/](\d\d)[-/](.+)$");
static NUMBERED: Pattern = Pattern::new(r"^\d+(?:[-_.]\s*|\s+-\s*)(\D.*)$");
static PERMALINK: Pattern = Pattern::new(r#"[:=]\s*["']?((?:/[\w.-]+)*/?:\w[^\s"',#]*)"#);
static PLACE: Pattern = Pattern::new(r":(\w+)");
// The name of an object in a module or a class: `package.Class`.
static OBJECT: Pattern =
    Pattern::new(r"^\.*[_\p{L}][_\p{Alphabetic}\p{N}]*(?:\.[_\p{L}][_\p{Alphabetic}\p{N}]*)+(?:\(\))*$");
static BASE: Pattern = Pattern::new(
    r#"(?m)\b(?:base|baseUrl|baseURL|baseurl|base_url|basePath|site-url|site_url|pathPrefix)["']?\s*[:=]\s*["']?(?:https?://[^/\s"']+)?(/[^\s"',]*)"#,
);

/// The addresses of pages whose files are named by a date.
const DATES: [&str; 3] = ["/:above/:slug", "/:above/:year/:month/:day/:slug", "/:categories/:year/:month/:day/:slug"];

/// The values that a text of settings gives to a key, whatever it is written in.
pub fn values<'t>(settings: &'t str, key: &str) -> Vec<&'t str> {
    let value = r#""([^"]*)|'([^']*)|`([^`]*)|([^,\n#}\]]*)"#;
    let pattern = format!(r#"(?:^|[^\w.-]){}["']*[ \t]*[:=][ \t]*(?:{value})"#, regex::escape(key));
    let Ok(pattern) = Regex::new(&pattern) else { return Vec::new() };
    let found = pattern.captures_iter(settings).filter_map(|found| found.iter().skip(1).flatten().last());
    found.map(|value| value.as_str().trim()).filter(|value| !value.is_empty()).collect()
}

/// The values of a key of front matter, one or a list.
pub fn front_matter_values(matter: &str, key: &str) -> Vec<String> {
    let mut lines = matter.lines();
    let value = lines.find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix([':', '=']));
    let Some(value) = value.map(str::trim) else { return Vec::new() };
    let plain = |value: &str| value.trim().trim_matches(['"', '\'', ',']).trim().to_owned();
    let listed = lines.map(str::trim).map_while(|line| line.strip_prefix('-').or(line.strip_prefix('"')));
    match value.strip_prefix('[') {
        Some(list) if list.contains(']') => list.trim_end_matches(']').split(',').map(plain).collect(),
        _ if value.is_empty() || value.starts_with('[') => listed.map(plain).collect(),
        _ => vec![plain(value.split(" #").next().unwrap_or(value))],
    }
}

/// An address as pages are looked up by: without its slashes and what a server adds.
pub fn key(address: &str) -> String {
    let path = address.trim_matches('/');
    let path =
        [".html", ".htm", ".md", ".mdx", ".markdown"].iter().find_map(|end| path.strip_suffix(end)).unwrap_or(path);
    let path = path.strip_suffix("index").filter(|rest| rest.is_empty() || rest.ends_with('/')).unwrap_or(path);
    path.trim_matches('/').to_owned()
}

impl Site {
    /// A site without its pages yet.
    pub fn new(generator: Generator, root: PathBuf, settings: String) -> Site {
        let bases = BASE.captures_iter(&settings).map(|found| key(&found[1])).filter(|base| !base.is_empty());
        let bases = bases.chain([String::new()]).collect();
        let permalinks = PERMALINK.captures_iter(&settings).map(|found| found[1].to_owned()).collect();
        let made = generator.makes(&settings);
        Site { generator, root, settings, made, bases, permalinks, ..Site::default() }
    }

    /// Adds a page: its file, its path from a folder of pages that is shown under `prefix`, its front matter.
    pub fn add(&mut self, file: &Path, relative: &str, prefix: &str, matter: &str) {
        let addresses = self.addresses(relative, prefix, matter);
        for address in &addresses {
            // What is named so by its file is so, whatever else may be named so as well.
            self.pages.entry(key(address)).or_insert_with(|| file.to_path_buf());
        }
        self.addresses.entry(file.to_path_buf()).or_default().extend(addresses);
    }

    /// The addresses that a page may have, the likeliest first.
    fn addresses(&self, relative: &str, prefix: &str, matter: &str) -> Vec<String> {
        let path = relative.rsplit_once('.').map_or(relative, |(stem, _)| stem);
        let (folder, stem) = path.rsplit_once('/').unwrap_or(("", path));
        let is_index = ["index", "_index", "README", "readme"].contains(&stem)
            || folder.rsplit('/').next() == Some(stem) && self.generator.has("front", "id");
        let path = if is_index { folder } else { path };
        // Numbers that put files in order, and the folders of collections and of groups, are no part of an address.
        let part = |part: &str| {
            let part = part.strip_prefix("version-").unwrap_or(part);
            let part = part.strip_prefix('_').unwrap_or(part);
            NUMBERED.captures(part).map_or(part.to_owned(), |found| found[1].to_owned())
        };
        let parts: Vec<&str> = path.split('/').filter(|part| !part.starts_with('(') && *part != "_posts").collect();
        let clean = parts.iter().map(|one| part(one)).collect::<Vec<_>>().join("/");
        let mut found = Vec::new();
        let mut tell = |path: &str| {
            let under = |prefix: &str| {
                let parts = prefix.split('/').chain(path.split('/')).filter(|part| !part.is_empty());
                parts.collect::<Vec<_>>().join("/")
            };
            found.push(under(prefix));
            found.push(under(""));
        };
        let above = clean.rsplit_once('/').map_or("", |(above, _)| above);
        for name in self.generator.list("front") {
            for value in front_matter_values(matter, name) {
                // A name takes the place of the last part; an address is one from the root, or from the folder of pages.
                tell(&value);
                tell(&format!("{above}/{value}"));
            }
        }
        tell(path);
        tell(&clean);
        tell(&parts.join("/"));
        let patterns = DATES.into_iter().chain(self.permalinks.iter().map(String::as_str));
        patterns.filter_map(|pattern| expanded(pattern, path, matter)).for_each(|address| tell(&address));
        each_once(found)
    }

    /// The page at an address from the root of the site.
    pub fn page(&self, address: &str) -> Option<&PathBuf> {
        self.paths_within(address).find_map(|path| self.pages.get(&key(path)))
    }

    /// An address from the root of the site, and the same without the path that the site lies under.
    pub fn paths_within<'a>(&'a self, address: &'a str) -> impl Iterator<Item = &'a str> {
        let address = address.trim_start_matches('/');
        self.bases.iter().rev().filter_map(move |base| {
            let rest = address.strip_prefix(base.as_str())?;
            (base.is_empty() || rest.is_empty() || rest.starts_with('/')).then_some(rest)
        })
    }

    /// The folders, from the root of the site, that relative addresses of a page start from.
    pub fn starts(&self, file: &Path) -> Vec<String> {
        let mut starts = Vec::new();
        for address in self.addresses.get(file).into_iter().flatten() {
            let is_index =
                file.file_stem().is_some_and(|stem| ["index", "_index", "README"].iter().any(|name| stem == *name));
            let own = address.trim_matches('/');
            let above = own.rsplit_once('/').map_or("", |(above, _)| above);
            starts.extend((!self.generator.has("address", "file") || is_index).then_some(own));
            starts.extend((!self.generator.has("address", "folder") && !is_index).then_some(above));
        }
        each_once(starts).into_iter().map(str::to_owned).collect()
    }

    /// Whether the site, one of its plugins or its settings may make a page at an address.
    pub fn makes(&self, address: &str) -> bool {
        let is_named = |path: &str| {
            let path = key(path);
            let named = format!(r#"(?:^|[\s"'`:])/?{}(?:\.md|\.html)?/*(?:[\s"'`:]|$)"#, regex::escape(&path));
            path.len() > 2 && Regex::new(&named).is_ok_and(|named| named.is_match(&self.settings))
        };
        self.paths_within(address).any(|path| {
            let path = path.trim_start_matches('/');
            let made = |made: &&'static str| match made.strip_suffix('/') {
                _ if made.starts_with(['#', ':', '[', '<']) => false,
                Some(folder) => path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')),
                None if *made == "*" => true,
                None => path.starts_with(made),
            };
            self.made.iter().any(made) || is_named(path)
        })
    }

    /// What is known of an anchor that a page itself does not have.
    pub fn anchor(&self, fragment: &str) -> Known {
        let made = |made: &&'static str| match made.strip_prefix('#') {
            Some(".") => OBJECT.is_match(fragment),
            Some(start) => fragment.starts_with(start),
            None => false,
        };
        match self.label(fragment) {
            Known::Missing if self.made.iter().any(made) => Known::Open,
            known => known,
        }
    }

    /// Whether labels begin as a name does up to its colon, which then ends no scheme: `buttons:source`.
    pub fn begins_labels(&self, name: &str) -> bool {
        let start = name.split_inclusive(':').next().unwrap_or_default().to_lowercase();
        self.labels.iter().any(|label| label.starts_with(&start))
    }

    /// What is known of a name that any page may link to: a label is there; what belongs to an object that a page documents, and
    /// what the settings put together (`f"api-{name}"`), may be.
    pub fn label(&self, name: &str) -> Known {
        let has = |name: &str| self.labels.contains(&name.to_lowercase());
        let formed = |(at, _)| ['"', '\''].iter().any(|q| self.settings.contains(&format!("{q}{}{{", &name[..=at])));
        match has(name) {
            true => Known::There,
            false if OBJECT.is_match(name) && name.split('.').any(has) || name.match_indices('-').any(formed) => {
                Known::Open
            }
            false => Known::Missing,
        }
    }
}

/// A pattern of addresses with what stands for its names; `None` where one is not known.
fn expanded(pattern: &str, path: &str, matter: &str) -> Option<String> {
    let front = |key: &str| front_matter_values(matter, key);
    let written = front("date").into_iter().next().unwrap_or_default();
    let mut starts = std::iter::once(0).chain(path.match_indices('/').map(|(at, _)| at + 1));
    let dated = starts.find_map(|start| Some((&path[..start], DATED.captures(&path[start..])?.extract::<4>().1)));
    let (above, date, title) = match dated {
        Some((above, [year, month, day, title])) => (Some(above), vec![year, month, day], title),
        None => (None, written.split(['T', ' ', '-']).collect(), path.rsplit('/').next().unwrap_or(path)),
    };
    let title = title.strip_suffix("/index").unwrap_or(title);
    let collection = path.strip_prefix('_').and_then(|path| path.split_once('/'));
    let of_date = |part: usize| date.get(part).filter(|_| date.len() >= 3).map(|part| (*part).to_owned());
    let mut complete = true;
    let out = PLACE.replace_all(pattern, |found: &regex::Captures<'_>| {
        let value = match &found[1] {
            "above" => above.map(|above| above.split("_posts").next().unwrap_or_default().to_owned()),
            "year" => of_date(0),
            "month" => of_date(1),
            "day" => of_date(2),
            "i_month" => of_date(1).map(|part| part.trim_start_matches('0').to_owned()),
            "i_day" => of_date(2).map(|part| part.trim_start_matches('0').to_owned()),
            "title" | "slug" | "slugorfilename" | "slugorcontentbasename" => {
                Some(front("slug").into_iter().next().unwrap_or_else(|| title.to_owned()))
            }
            "filename" | "contentbasename" | "basename" | "name" => Some(title.to_owned()),
            "categories" => Some(front("categories").join("/").replace(' ', "/").to_lowercase()),
            "collection" => collection.map(|(name, _)| name.to_owned()),
            "path" => Some(collection.map_or(path, |(_, rest)| rest).to_owned()),
            "section" => path.split_once('/').map(|(section, _)| section.to_owned()),
            "sections" => path.rsplit_once('/').map(|(sections, _)| sections.to_owned()),
            "output_ext" => Some(String::new()),
            _ => None,
        };
        complete &= value.is_some();
        value.unwrap_or_default()
    });
    complete.then(|| out.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::generators;

    fn site(name: &str, settings: &str, pages: &[(&str, &str, &str)]) -> Site {
        let row = generators::all().into_iter().find(|row| row.has("name", name)).unwrap();
        let mut site = Site::new(row, PathBuf::from("/s"), settings.to_owned());
        for (relative, prefix, matter) in pages {
            site.add(&Path::new("/s").join(relative), relative, prefix, matter);
        }
        site
    }

    #[test]
    fn pages_have_the_addresses_that_their_generator_gives_them() {
        for (name, settings, page, address) in [
            ("MkDocs", "", ("guide/README.md", "", ""), "/guide/"),
            ("Docusaurus", "", ("01-intro/02-set-up.md", "docs", ""), "/docs/intro/set-up"),
            ("Docusaurus", "", ("a/b.md", "docs", "id: c"), "/docs/a/c"),
            ("Docusaurus", "", ("a/b.md", "docs", "slug: /d"), "/docs/d"),
            ("Docusaurus", "", ("2018-07-27-removing.md", "blog", ""), "/blog/2018/07/27/removing"),
            ("Docusaurus", "baseUrl: '/project/'", ("a.md", "docs", ""), "/project/docs/a"),
            (
                "Jekyll",
                "permalink: \"/news/:year/:month/:title/\"",
                ("_posts/2020-01-02-x-y.md", "", ""),
                "/news/2020/01/x-y",
            ),
            ("Jekyll", "permalink: /:collection/:path/", ("_docs/a/b.md", "", ""), "/docs/a/b/"),
            ("Jekyll", "", ("a.md", "", "permalink: /b/c/"), "/b/c"),
            ("Jekyll", "", ("a.md", "", "redirect_from:\n  - /old/\n  - /older/"), "/older/"),
            ("Jekyll", "", ("blog/_posts/2020-01-02-x.md", "", "categories: [a, b]"), "/a/b/2020/01/02/x.html"),
            ("Hugo", "", ("docs/_index.md", "", ""), "/docs/"),
            ("Hugo", "", ("docs/a.md", "", "slug = \"b\""), "/docs/b/"),
            ("Hugo", "", ("docs/a.md", "", "aliases: [/x/, \"/y/\"]"), "/y"),
            ("Hugo", "posts = \"/:year/:slug/\"", ("posts/a.md", "", "date: 2021-03-04"), "/2021/a/"),
            ("Zola", "", ("blog/2020-01-02-x.md", "", ""), "/blog/x/"),
            ("Starlight", "", ("en/guides/a.mdx", "", ""), "/en/guides/a/"),
        ] {
            let site = site(name, settings, &[page]);
            assert!(site.page(address).is_some(), "{name}: {} at {address}: {:?}", page.0, site.pages.keys());
            assert!(site.page("/not/there").is_none());
        }
    }

    #[test]
    fn what_plugins_and_settings_make_is_known_as_theirs() {
        let site = site("MkDocs", "plugins:\n  - blog\n  - mkdocstrings\nredirect_maps:\n  'old.md': new.md\n", &[]);
        assert!(site.makes("/blog/archive/2020/") && site.makes("/old/") && !site.makes("/older/"));
        assert_eq!([site.anchor("package.Class"), site.anchor("package")], [Known::Open, Known::Missing]);
    }

    #[test]
    fn settings_are_read_whatever_they_are_written_in() {
        assert_eq!(values("docs_dir: pages\n", "docs_dir"), ["pages"]);
        assert_eq!(values("src = \"text\"", "src"), ["text"]);
        assert_eq!(values("docs: {\n  path: '../docs',\n}", "path"), ["../docs"]);
        assert_eq!(values("mysrc = 1", "src"), [""; 0]);
    }
}
