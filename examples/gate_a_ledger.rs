//! A ledger of claims by the data that they are of.
//!
//!     cargo run --example gate_a_ledger

use cited::{Examined, Input, examine_texts};

const SALES: &str = "week,shop,sales\n1,north,100\n1,south,140\n2,north,130\n2,south,150\n";

const LEDGER: &str = r#"{
  "summary": "Sales were 520. The north shop sold 240.",
  "metrics": {"total": "SELECT sum(sales) FROM sales", "north": "SELECT sum(sales) FROM sales WHERE shop = 'north'"},
  "claims": [
    {"id": "a", "kind": "number", "statement": "Sales were 520", "metric": "total", "value": 520},
    {"id": "b", "kind": "number", "statement": "The north shop sold 240", "metric": "north", "value": 240}
  ]
}"#;

fn examined() -> cited::Result<Examined> {
    let input = |path: &str, text: &str| Input { path: path.to_owned(), text: text.into() };
    examine_texts(&input("ledger.json", LEDGER), &[input("sales.csv", SALES)], &[])
}

fn main() -> cited::Result<()> {
    let examined = examined()?;
    for finding in &examined.findings {
        println!("{}: {}", finding.code, finding.message);
    }
    println!("{}", if examined.accepted() { "accepted" } else { "rejected" });
    Ok(())
}

#[test]
fn a_wrong_number_rejects_the_ledger() {
    let examined = examined().unwrap();
    assert!(!examined.accepted());
    let verified: Vec<bool> = examined.report.claims.iter().map(|claim| claim.verified).collect();
    assert_eq!(verified, [true, false]);
}
