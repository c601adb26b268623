//! One claim by one page, and why.
//!
//!     cargo run --example judge_a_claim

use cited::{Options, Page, Verdict, judge_claim, read_page};

const CLAIMS: [&str; 3] = [
    "The plant made 5,200 tonnes of steel in 2023.",
    "The plant made 5.2 kilotonnes of steel in 2023.",
    "The plant made 6,100 tonnes of steel in 2023.",
];

fn page() -> Page {
    let rows = "<tr><th>Year</th><th>Steel (t)</th></tr><tr><td>2022</td><td>4,900</td></tr>";
    let html =
        format!("<title>The plant</title><p>In 2023 the plant made 5,200 tonnes of steel.</p><table>{rows}</table>");
    read_page(html, "plant.html").expect("a page with text")
}

fn verdicts() -> Vec<Verdict> {
    let (page, options) = (page(), Options::default());
    CLAIMS.iter().map(|claim| judge_claim(claim, &page, &options)).collect()
}

fn main() {
    for (claim, verdict) in CLAIMS.iter().zip(verdicts()) {
        println!("{claim}\n  {:?}, {:.2}: {}", verdict.standing, verdict.confidence, verdict.reason);
        if let Some(passage) = verdict.passage {
            println!("  “{}”", passage.text);
        }
    }
}

#[test]
fn the_same_in_another_unit_is_supported_and_another_number_is_not() {
    use cited::Standing;
    let standings: Vec<Standing> = verdicts().into_iter().map(|verdict| verdict.standing).collect();
    assert_eq!(standings, [Standing::Supported, Standing::Supported, Standing::Contradicted]);
}
