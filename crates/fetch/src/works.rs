//! Other addresses of the same work: where a paper or standard may still be had when the cited address is gone, and where the file is that a
//! page shows.
//!
//! Only services that stand for works by their number are named here; what they answer is looked at like any page.

use url::Url;

use super::meta::doi;
use cited_core::address::identity::key_of;

/// Other addresses of the work that an address stands for, best first; none when it stands for no work that we know.
pub fn other_addresses(address: &Url) -> Vec<Url> {
    let (host, path) = (address.host_str().unwrap_or_default(), address.path());
    let key = key_of(address.as_str());
    let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    let at_head = |branch: usize| {
        vec![format!("https://{host}/{}/HEAD/{}", parts[..branch].join("/"), parts[branch + 1..].join("/"))]
    };
    let found = match (key.0.split_once(':'), host, &parts[..]) {
        (Some(("arxiv", id)), ..) => {
            vec![format!("https://export.arxiv.org/abs/{id}"), format!("https://arxiv.org/abs/{id}")]
        }
        (Some(("rfc", number)), ..) => vec![format!("https://www.rfc-editor.org/rfc/rfc{number}.html")],
        (Some(("doi", _)), ..) => Vec::new(),
        // Whoever cites the branch that a repository begins with means the newest state, whatever that is called today. Repositories that were
        // renamed are redirected by GitHub itself.
        (_, "github.com", [_, _, "blob" | "tree", "main" | "master", file, ..]) if !file.is_empty() => at_head(3),
        (_, "raw.githubusercontent.com", [_, _, "main" | "master", file, ..]) if !file.is_empty() => at_head(2),
        (_, "github.com" | "raw.githubusercontent.com", _) => Vec::new(),
        _ => doi_in(path).map(|doi| format!("https://doi.org/{doi}")).into_iter().collect(),
    };
    found.iter().filter_map(|text| Url::parse(text).ok()).filter(|url| url != address).collect()
}

/// The DOI in a publisher's path: `/doi/10.1145/123`, `/doi/abs/10.1145/123`, `/article/10.1007/s1`.
fn doi_in(path: &str) -> Option<String> {
    let at = path.find("/10.")?;
    let found = doi(path.get(at + 1..)?)?;
    let endings = ["/abstract", "/full", "/pdf", "/epdf", "/html", ".pdf", ".html"];
    let bare = endings.iter().find_map(|ending| found.strip_suffix(ending)).unwrap_or(&found);
    Some(bare.trim_end_matches('/').to_owned())
}

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
    let (host, path) = (page.host_str()?, page.path());
    let mut sites = SITES.iter().filter(|(site, ..)| site.is_empty() || *site == host);
    let (repository, raw_path, file, raw_host) = sites.find_map(|(_, shown, raw_path, raw_host)| {
        let (repository, file) = path.split_once(shown)?;
        // A branch and a path below it.
        let (_, inside) = file.split_once('/')?;
        (repository.len() > 1 && !inside.is_empty()).then_some((repository, raw_path, file, raw_host))
    })?;
    let mut raw = page.clone();
    raw.set_query(None);
    raw.set_fragment(None);
    raw.set_path(&format!("{repository}{raw_path}{file}"));
    if let Some(host) = raw_host {
        raw.set_host(Some(host)).ok()?;
    }
    Some(raw)
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::{other_addresses, raw_of};

    #[track_caller]
    fn check(address: &str, expected: &[&str]) {
        let found: Vec<String> = other_addresses(&Url::parse(address).unwrap()).into_iter().map(String::from).collect();
        assert_eq!(found, expected, "{address}");
    }

    #[test]
    fn works_by_their_numbers() {
        check(
            "https://arxiv.org/pdf/2401.01234v2.pdf",
            &["https://export.arxiv.org/abs/2401.01234", "https://arxiv.org/abs/2401.01234"],
        );
        check("https://arxiv.org/abs/hep-th/9901001", &["https://export.arxiv.org/abs/hep-th/9901001"]);
        check("https://tools.ietf.org/html/rfc2616#section-14", &["https://www.rfc-editor.org/rfc/rfc2616.html"]);
        check("https://www.ietf.org/rfc/rfc7089.txt", &["https://www.rfc-editor.org/rfc/rfc7089.html"]);
        check("https://dl.acm.org/doi/abs/10.1145/3290605.3300233", &["https://doi.org/10.1145/3290605.3300233"]);
        check(
            "https://link.springer.com/article/10.1007/s10115-022-01705-2/",
            &["https://doi.org/10.1007/s10115-022-01705-2"],
        );
        check("https://onlinelibrary.wiley.com/doi/10.1002/asi.24000/full", &["https://doi.org/10.1002/asi.24000"]);
        check("https://doi.org/10.1002/asi.24000", &[]);
        check("https://github.com/o/r/blob/master/a/b.md", &["https://github.com/o/r/blob/HEAD/a/b.md"]);
        check("https://raw.githubusercontent.com/o/r/main/b.md", &["https://raw.githubusercontent.com/o/r/HEAD/b.md"]);
        check("https://github.com/o/r/blob/v1.2/b.md", &[]);
        check("https://github.com/o/r/issues/3", &[]);
        check("https://arxiv.org/list/cs.CL/recent", &[]);
        check("https://example.org/releases/10.2", &[]);
        check("https://www.ietf.org/about", &[]);
    }

    #[track_caller]
    fn check_raw(page: &str, expected: Option<&str>) {
        assert_eq!(raw_of(&Url::parse(page).unwrap()).map(String::from).as_deref(), expected, "{page}");
    }

    #[test]
    fn files_behind_their_pages() {
        check_raw(
            "https://github.com/o/r/blob/main/docs/a.md?plain=1#L3",
            Some("https://raw.githubusercontent.com/o/r/main/docs/a.md"),
        );
        check_raw(
            "https://gitlab.example/g/sub/r/-/blob/v1/README.md",
            Some("https://gitlab.example/g/sub/r/-/raw/v1/README.md"),
        );
        check_raw(
            "https://codeberg.org/o/r/src/branch/main/a.rs",
            Some("https://codeberg.org/o/r/raw/branch/main/a.rs"),
        );
        check_raw(
            "https://huggingface.co/o/m/blob/main/config.json",
            Some("https://huggingface.co/o/m/raw/main/config.json"),
        );
        check_raw("https://github.com/o/r", None);
        check_raw("https://github.com/o/r/blob/main", None);
        check_raw("https://github.com/o/r/issues/3", None);
        check_raw("https://example.org/blog/blob/of/slime", None);
    }
}
