//! When addresses are one source.

use super::identity::{arxiv_version, better_address, is_detour, key_of, without_arxiv_version, without_tracking};

#[track_caller]
fn same(addresses: &[&str]) {
    for address in addresses {
        assert_eq!(key_of(address), key_of(addresses[0]), "{address} and {}", addresses[0]);
    }
}

#[track_caller]
fn assert_distinct(addresses: &[&str]) {
    for (i, address) in addresses.iter().enumerate() {
        for other in &addresses[..i] {
            assert_ne!(key_of(address), key_of(other), "{address} and {other}");
        }
    }
}

#[test]
fn what_does_not_tell_two_addresses_apart() {
    same(&[
        "https://example.org/a",
        "http://example.org/a/",
        "https://www.example.org/a",
        "HTTPS://EXAMPLE.ORG/a",
        "https://example.org:443/a",
        "https://example.org./a",
        "example.org/a",
        "https://example.org/a/index.html",
        "https://example.org/a#part",
        "https://example.org/a?utm_source=x&UTM_Medium=y",
        "https://example.org/a?srsltid=abc",
        "https://example.org/a?",
        "https://example.org/a#:~:text=words",
    ]);
    same(&["https://example.org/%c3%bc", "https://example.org/%C3%BC", "https://example.org/ü"]);
    same(&["https://example.org/~a", "https://example.org/%7Ea"]);
    same(&["https://bücher.example/", "https://xn--bcher-kva.example"]);
    same(&["https://example.org/?id=1&gclid=2&x=3", "https://example.org/?id=1&x=3"]);
    // A list writes as escapes what Markdown would read.
    same(&["https://example.org/a[1]*b*?c[]=$x", "https://example.org/a%5B1%5D%2Ab%2a?c%5B%5D=%24x"]);
    same(&["https://example.org/a{b}|c^d", "https://example.org/a%7Bb%7D%7Cc%5Ed"]);
    same(&["https://example.org/a~b_c", "https://example.org/a%7Eb%5Fc"]);
    assert_distinct(&[
        "https://example.org/a%2Fb",
        "https://example.org/a/b",
        "https://example.org/a%26b",
        "https://example.org/a%3Fb",
    ]);
}

#[test]
fn what_only_sends_on_is_the_address_to_which_it_leads() {
    let end = "https://canal.example/history?id=1";
    let over_bing = "https://www.bing.com/ck/a?!&&p=8c&u=a1aHR0cHM6Ly9jYW5hbC5leGFtcGxlL2hpc3Rvcnk_aWQ9MQ&ntb=1";
    for way in [
        "https://www.google.com/url?q=https%3A%2F%2Fcanal.example%2Fhistory%3Fid%3D1&sa=D&usg=AOv",
        "https://www.google.co.uk/url?sa=t&url=https%3A%2F%2Fcanal.example%2Fhistory%3Fid%3D1%26utm_source%3Dx",
        over_bing,
    ] {
        same(&[way, end]);
        assert_eq!(without_tracking(way), end);
        assert!(better_address(end, way) && !better_address(way, end), "{way}");
    }
    let hidden = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQH2xKq8vT_bW2n";
    assert!(is_detour(hidden));
    for own in
        [hidden, "https://www.google.com/search?q=https%3A%2F%2Fa.example", "https://a.example/url?q=https://b.example"]
    {
        assert_eq!(without_tracking(own), own);
    }
}

#[test]
fn what_tells_two_addresses_apart() {
    assert_distinct(&[
        "https://example.org/a",
        "https://example.org/A",
        "https://example.org/a?x=1",
        "https://example.org/a?x=2",
        "https://sub.example.org/a",
        "https://example.org:8080/a",
        "https://example.org/a#!/b",
        "https://example.org/a#/c",
        "ftp://example.org/a",
    ]);
    assert_distinct(&["https://docs.spot.io/?/ocean/a", "https://docs.spot.io/?/ocean/b"]);
    assert_distinct(&["https://example.org/?a=1&b=2", "https://example.org/?b=2&a=1"]);
    assert_distinct(&["not an address", "nor this one", ""]);
}

#[test]
fn works_are_known_by_their_names() {
    same(&[
        "https://arxiv.org/abs/2208.05335",
        "http://arxiv.org/abs/2208.05335v1",
        "https://arxiv.org/pdf/2208.05335v3.pdf",
        "https://arxiv.org/pdf/2208.05335",
        "https://www.arxiv.org/html/2208.05335v2",
        "https://export.arxiv.org/abs/2208.05335",
        "https://www.alphaxiv.org/abs/2208.05335",
        "https://ar5iv.labs.arxiv.org/html/2208.05335",
        "https://doi.org/10.48550/arXiv.2208.05335",
        "arXiv:2208.05335v2",
        "10.48550/arxiv.2208.05335",
    ]);
    same(&["http://arxiv.org/abs/q-bio/0312011v1", "arXiv:q-bio/0312011"]);
    same(&[
        "https://doi.org/10.1016/0022(94)90302-6",
        "http://dx.doi.org/10.1016/0022(94)90302-6",
        "doi:10.1016/0022(94)90302-6",
        "10.1016/0022(94)90302-6",
        "https://doi.org/10.1016/0022%2894%2990302-6",
        "https://doi.org/10.1016%2F0022%2894%2990302-6",
    ]);
    same(&["https://doi.org/10.1000/ABC", "https://doi.org/10.1000/abc", "DOI: 10.1000/AbC"]);
    same(&[
        "https://pubmed.ncbi.nlm.nih.gov/20808258/",
        "https://www.ncbi.nlm.nih.gov/pubmed/20808258",
        "PMID: 20808258",
        "https://europepmc.org/article/MED/20808258",
    ]);
    same(&[
        "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC7028380/",
        "https://pmc.ncbi.nlm.nih.gov/articles/PMC7028380",
        "PMCID: PMC7028380",
        "https://europepmc.org/articles/PMC7028380",
    ]);
    same(&[
        "https://www.rfc-editor.org/rfc/rfc9110.html",
        "https://datatracker.ietf.org/doc/html/rfc9110#section-2",
        "https://tools.ietf.org/html/rfc9110",
        "https://www.rfc-editor.org/info/rfc9110",
        "RFC 9110",
    ]);
    same(&[
        "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=3s",
        "https://youtu.be/dQw4w9WgXcQ?si=x",
        "https://m.youtube.com/watch?v=dQw4w9WgXcQ",
        "https://www.youtube.com/embed/dQw4w9WgXcQ",
        "https://www.youtube.com/shorts/dQw4w9WgXcQ",
    ]);
    same(&[
        "https://github.com/BurntSushi/ripgrep",
        "https://github.com/burntsushi/ripgrep/",
        "https://github.com/BurntSushi/ripgrep.git",
        "https://github.com/BurntSushi/ripgrep#readme",
        "https://github.com/BurntSushi/ripgrep?tab=readme-ov-file",
    ]);
    same(&[
        "ISBN 0-306-40615-2",
        "ISBN-13: 978-0-306-40615-7",
        "urn:isbn:9780306406157",
        "https://openlibrary.org/isbn/0306406152",
    ]);
    same(&[
        "https://example.org/a",
        "https://web.archive.org/web/20230105000000/https://example.org/a",
        "https://web.archive.org/web/2023id_/http://www.example.org/a/",
        "http://archive.org/web/20230105/https:/example.org/a",
    ]);
    same(&["https://arxiv.org/abs/2208.05335", "https://web.archive.org/web/2023/https://arxiv.org/abs/2208.05335v1"]);
}

#[test]
fn parts_of_works_are_others() {
    assert_distinct(&[
        "https://github.com/a/b",
        "https://github.com/a/c",
        "https://github.com/a/b/blob/main/x.rs",
        "https://github.com/a/b/commit/abc",
        "https://github.com/a",
    ]);
    assert_distinct(&[
        "https://arxiv.org/list/cs.CL/recent",
        "https://arxiv.org/abs/2208.05335",
        "https://arxiv.org/abs/2208.05336",
    ]);
    assert_distinct(&[
        "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        "https://www.youtube.com/watch?v=dQw4w9WgXcR",
        "https://www.youtube.com/@name",
    ]);
    assert_distinct(&[
        "https://web.archive.org/web/2023/https://a.example/",
        "https://web.archive.org/web/2023/https://b.example/",
        "https://web.archive.org/",
    ]);
}

#[test]
fn the_best_address_is_shown() {
    assert!(better_address("https://a.example/x", "http://a.example/x"));
    assert!(better_address("https://a.example/x", "https://a.example/x/"));
    assert!(better_address("https://a.example/x/?page=1", "https://a.example/x?utm_source=y"));
    assert!(!better_address("https://a.example/x", "https://a.example/x"));
    assert!(!better_address("https://www.a.example/x#:~:text=a", "https://a.example/x#:~:text=a%20long%20text"));
    assert!(!better_address("https://a.example/x#:~:text=a", "https://a.example/x"));
    assert!(better_address("http://a.example/long/long/long", "https://web.archive.org/web/2023/http://a.example/"));
}

#[test]
fn versions_of_preprints() {
    assert_eq!(arxiv_version("https://arxiv.org/abs/2208.05335v2"), Some(2));
    assert_eq!(arxiv_version("https://arxiv.org/abs/2208.05335"), None);
    assert_eq!(
        without_arxiv_version("https://arxiv.org/pdf/2208.05335v2.pdf").as_deref(),
        Some("https://arxiv.org/pdf/2208.05335.pdf")
    );
}
