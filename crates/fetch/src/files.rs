//! Pages that show a file: the file itself is the text, the page around it is the identity.

use url::Url;

use super::looker::Looker;
use super::transport::Purpose;
use cited_core::page::Page;

/// Where sites keep the raw file of a page that shows it, by the forms of their addresses, as their own "Raw" links have them (seen November
/// 2026): the host, or none for software that anybody runs; what stands in the path of such a page, after owner and repository; what stands
/// there for the raw file; and the host of the raw files, when it is another.
const SITES: [(&str, &str, &str, Option<&str>); 5] = [
    ("github.com", "/blob/", "/", Some("raw.githubusercontent.com")),
    ("huggingface.co", "/blob/", "/raw/", None),
    ("codeberg.org", "/src/", "/raw/", None),
    ("bitbucket.org", "/src/", "/raw/", None),
    // GitLab wherever it runs.
    ("", "/-/blob/", "/-/raw/", None),
];

/// Where the file is that a page shows, when the address is that of such a page.
pub fn raw_of(page: &Url) -> Option<Url> {
    let host = page.host_str()?;
    let path = page.path();
    let after_repository = path.splitn(4, '/').nth(3).is_some();
    let (_, shown, raw_path, raw_host) = SITES
        .iter()
        .find(|(site, shown, ..)| (site.is_empty() || *site == host) && after_repository && path.contains(shown))?;
    let (repository, file) = path.split_once(shown)?;
    // A branch and a path below it.
    let (_, inside) = file.split_once('/')?;
    if repository.len() < 2 || inside.is_empty() {
        return None;
    }
    let mut raw = page.clone();
    raw.set_query(None);
    raw.set_fragment(None);
    raw.set_path(&format!("{repository}{raw_path}{file}"));
    if let Some(host) = raw_host {
        raw.set_host(Some(host)).ok()?;
    }
    Some(raw)
}

/// The page with the text of the file that it shows; `None` when the file cannot be had.
pub async fn with_text(looker: &Looker, page: &Page, at: &Url, origin: &str) -> Option<Page> {
    let raw = raw_of(at)?;
    let look = looker.look(&raw, Purpose::File, origin, None).await;
    let landing = look.end.ok()?;
    let file = landing.document.page;
    let is_text = landing.answer.status == 200 && landing.document.unreadable.is_none() && !file.text.trim().is_empty();
    is_text.then(|| Page {
        title: page.title.clone().or(file.title),
        canonical: page.canonical.clone(),
        published: page.published.or(file.published),
        author: page.author.clone().or(file.author),
        doi: page.doi.clone().or(file.doi),
        ..file
    })
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::raw_of;

    #[track_caller]
    fn check(page: &str, expected: Option<&str>) {
        assert_eq!(raw_of(&Url::parse(page).unwrap()).map(String::from).as_deref(), expected, "{page}");
    }

    #[test]
    fn files_behind_their_pages() {
        check(
            "https://github.com/o/r/blob/main/docs/a.md?plain=1#L3",
            Some("https://raw.githubusercontent.com/o/r/main/docs/a.md"),
        );
        check(
            "https://gitlab.example/g/sub/r/-/blob/v1/README.md",
            Some("https://gitlab.example/g/sub/r/-/raw/v1/README.md"),
        );
        check("https://codeberg.org/o/r/src/branch/main/a.rs", Some("https://codeberg.org/o/r/raw/branch/main/a.rs"));
        check(
            "https://huggingface.co/o/m/blob/main/config.json",
            Some("https://huggingface.co/o/m/raw/main/config.json"),
        );
        check("https://github.com/o/r", None);
        check("https://github.com/o/r/blob/main", None);
        check("https://github.com/o/r/issues/3", None);
        check("https://example.org/blog/blob/of/slime", None);
    }
}
