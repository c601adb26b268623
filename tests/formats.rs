//! Samples of citation formats, each read as is written beside it: those of `testdata/formats.txt`, which tells the format,
//! and those of a folder that is not part of the project. `CITED_SHARED` names the one above it, else `../shared` is looked
//! for; without it only the project's own are read.

use std::path::PathBuf;

use cited::citation::{self, Citations, KnownLabels};
use cited::markdown::Document;

fn folder() -> Option<PathBuf> {
    let shared = std::env::var_os("CITED_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    Some(shared.join("formats")).filter(|folder| folder.is_dir())
}

/// The sample whose name begins with `number`, with a list of `listed` entries after it.
fn read(number: &str, listed: usize) -> Option<(Document, Citations)> {
    let Some(folder) = folder() else {
        eprintln!("skipped: no folder of samples");
        return None;
    };
    let path = std::fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(number)))?;
    Some(reading(std::fs::read_to_string(path).expect("a readable sample"), listed))
}

/// A text with a list of `listed` entries after it.
fn reading(mut text: String, listed: usize) -> (Document, Citations) {
    // A nested item without its list would be indented code.
    if let Some(at) = text.find("\n    - ") {
        text.insert_str(at, "\n- a\n  - b");
    }
    if listed > 0 {
        text.push_str("\n\n## Sources\n\n");
        for n in 1..=listed {
            text.push_str(&format!("{n}. Title {n} — https://s{n}.example/\n"));
        }
    }
    let document = Document::read(text);
    let citations = citation::read(&document, &KnownLabels::default());
    (document, citations)
}

/// `label|title|address` of each entry.
fn listed(citations: &Citations) -> Vec<String> {
    let entries = citations.lists.iter().flat_map(|list| &list.entries);
    entries
        .map(|entry| {
            let label = entry.label.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("{label}|{}|{}", entry.title, entry.addresses.join(" "))
        })
        .collect()
}

#[test]
fn own_samples_are_read_as_they_say() {
    let table = include_str!("../testdata/formats.txt");
    let mut parts = table.split("---\n").skip(1);
    let (mut read, mut wrong) = (0, Vec::new());
    while let (Some(sample), Some(expected)) = (parts.next(), parts.next()) {
        let of = |sign: &str| expected.lines().filter_map(|line| line.strip_prefix(sign)).collect::<Vec<_>>();
        let (markers, entries) = (of("= "), of("@ "));
        let (document, citations) = reading(sample.to_owned(), if entries.is_empty() { 150 } else { 0 });
        let mut found: Vec<&str> = citations.markers.iter().map(|marker| document.slice(marker.span)).collect();
        if found.is_empty() {
            found.push("none");
        }
        let lines = listed(&citations);
        if found != markers || !entries.is_empty() && lines != entries {
            wrong.push(format!("{sample}{found:?} and not {markers:?}\n{lines:?} and not {entries:?}"));
        }
        read += 1;
    }
    assert!(read >= 24, "the table was read: {read}");
    assert!(wrong.is_empty(), "{} of {read}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Markers of a sample that has a list of 150 entries.
#[track_caller]
fn markers(number: &str, expected: &[&str]) {
    let Some((document, citations)) = read(number, 150) else { return };
    let found: Vec<&str> = citations.markers.iter().map(|marker| document.slice(marker.span)).collect();
    assert_eq!(found, expected, "in sample {number}");
}

/// Entries of a sample: `label|title|address`, those asked for.
#[track_caller]
fn entries(number: &str, count: usize, expected: &[&str]) {
    let Some((_, citations)) = read(number, 0) else { return };
    let found = listed(&citations);
    assert_eq!(found.len(), count, "in sample {number}: {found:#?}");
    for entry in expected {
        assert!(found.iter().any(|found| found == entry), "{entry} is not in sample {number}: {found:#?}");
    }
}

#[test]
fn inline_forms() {
    markers("01", &["[1][2][3][4][5]"]);
    markers("02", &["[1]"]);
    markers("03", &["[1]"]);
    markers("04", &["[1]"]);
    markers("05", &["[1][2][3][4]"]);
    markers("06", &["[10,11]"]);
    markers("07", &["[1,2,3]"]);
    markers("08", &["[1, 2]", "[1, 3]", "[1, 3]", "[1, 3]", "[1, 3]", "[1]"]);
    markers("09", &["[6-8]"]);
    markers("10", &["[21–25]"]);
    markers("11", &["[8], [13]"]);
    markers("12", &["[^1][^2][^3][^4]"]);
    markers("13", &["【1】【2】"]);
    markers("14", &["【1,2】"]);
    markers("15", &["【1-8，14-17】"]);
    markers("17", &["[[1]]"]);
    markers("22", &["[6]"]);
    markers("23", &["[38]"]);
    markers("24", &["[4][5][6][7][10]"]);
    markers("20", &[]);
}

#[test]
fn links_that_are_citations() {
    for (number, count, targets) in [("16", 1, 1), ("18", 1, 5), ("19", 1, 2), ("21", 1, 1), ("59", 4, 4)] {
        let Some((_, citations)) = read(number, 0) else { return };
        assert_eq!(citations.markers.len(), count, "in sample {number}");
        assert!(citations.markers.iter().all(|marker| marker.standalone), "in sample {number}");
        assert_eq!(citations.markers.iter().map(|marker| marker.targets.len()).sum::<usize>(), targets);
    }
}

#[test]
fn false_friends() {
    markers("25", &["[15-17]"]);
    markers("26", &["[24][15]"]);
    markers("27", &["[20]"]);
    markers("28", &[]);
    markers("32", &[]);
    markers("57", &[]);
}

#[test]
fn faults_are_told() {
    for (number, listed, missing) in [("29", 89, true), ("30", 60, true), ("31", 14, true)] {
        let Some((_, citations)) = read(number, listed) else { return };
        assert_eq!(citations.markers.len(), 1, "in sample {number}: one run is one citation");
        assert_eq!(!citations.findings.is_empty(), missing, "in sample {number}");
    }
}

#[test]
fn list_layouts() {
    entries(
        "33",
        4,
        &[
            "3|Asia Pacific Mackerel Market|https://www.marketdataforecast.com/market-reports/asia-pacific-mackerel-market",
        ],
    );
    entries(
        "34",
        4,
        &[
            "4|Parkinson's Disease: What It Is, Causes, Symptoms & ... - Cleveland Clinic|https://my.clevelandclinic.org/health/diseases/8525-parkinsons-disease-an-overview",
        ],
    );
    entries("35", 4, &[]);
    entries(
        "36",
        4,
        &[
            "2|SNM Analysis of 6T SRAM at 32NM and 45NM Technique|https://research.ijcaonline.org/volume98/number7/pxc3897398.pdf",
        ],
    );
    entries("37", 5, &["3|Cislunar Space Domain Awareness Sensor | SBIR.gov|https://www.sbir.gov/node/2214501"]);
    entries("38", 5, &[]);
    entries(
        "39",
        2,
        &["2|金价历史走势 - Macrotrends|https://www.macrotrends.net/1333/historical-gold-prices-100-year-chart"],
    );
    entries("40", 4, &[]);
    entries("41", 4, &[]);
    entries(
        "42",
        2,
        &[
            "6|世界黄金协会：2025年中国黄金市场展望|https://china.gold.org/goldhub/research/publication/2024/12/06/18865",
        ],
    );
    entries(
        "45",
        2,
        &[
            "50|Spot by NetApp Ocean for EKS: features and limitations - spot.io blogs/docs|",
            "51|Scaling (Kubernetes) - Spot Documentation|https://docs.spot.io/?/ocean/features/scaling-kubernetes",
        ],
    );
    entries("49", 2, &["6||https://agencyanalytics.com/kpi-definitions/serviceable-obtainable-market"]);
    entries("51", 4, &["1||https://iep.utm.edu/plato/"]);
    entries("52", 4, &["4|GOV.UK|https://www.gov.uk/government/publications/employment-rights-bill-factsheets"]);
    entries("53", 3, &["|Progress of the anti-obesity of Berberine (2025)|http://arxiv.org/abs/2501.02282v1"]);
    entries("54", 3, &["||https://www.netl.doe.gov/projects/files/CostofCapturingCO2fromIndustrialSources_071522.pdf"]);
    entries("56", 2, &[]);
    entries("58", 5, &["||https://www.tomshardware.com/reviews/gpu-hierarchy,4388.html"]);
    entries("59", 3, &["|DeerFlow Documentation|https://deer-flow.dev/docs"]);
}

/// Samples of one line are read below a heading.
#[test]
fn single_entries() {
    for (number, address) in [
        (
            "43",
            "https://learn.microsoft.com/en-us/answers/questions/2281577/the-azure-vm-scale-set-(vmss)-autoscaler-is-not-su",
        ),
        ("46", "https://docs.spot.io/?/ocean/features/headroom"),
        ("47", "https://kubernetes.io/docs/concepts/workloads/pods/disruptions/"),
        ("48", "https://kubernetes.io/docs/concepts/workloads/pods/disruptions/"),
        ("50", "https://www.fnqh.com.cn/newsInfo/21625.html"),
    ] {
        let Some((document, _)) = read(number, 0) else { return };
        let line = document.text().lines().find(|line| line.starts_with('[')).expect("an entry");
        let headed = Document::read(format!("## Sources\n\n{line}\n"));
        let citations = citation::read(&headed, &KnownLabels::default());
        assert_eq!(citations.lists[0].entries[0].addresses, [address], "in sample {number}");
        assert!(!citations.lists[0].entries[0].title.is_empty(), "in sample {number}");
    }
}
