//! Ledgers against data and sources: what is accepted, and what each bad one is rejected for.

use super::data::Format;
use super::engine::Engine;
use super::examine::{Declared, Evidence, Examined, collect_metrics, examine};
use super::ledger;
use super::sources::Source;

/// Sales of two shops in two weeks: 10,000 and 10,800, which is 8% more.
const SALES: &str = "week,shop,revenue,note\n23,a,4000,\n23,b,6000,ok\n24,a,5000,ok\n24,b,5800,\n";
/// Sizes and prices that are text because of one cell each.
const MIXED: &str = "size,maker,price\n9,a,10\n50,a,\"1,200\"\n1000,b,30\nn/a,b,40\n";
const REPORT: &str = "It was, we think, the best week yet, but the quarter was slow. Costs were 12% lower. The shops will not close in May.";

/// A ledger examined against the tables and sources of these tests.
pub(super) fn gate(ledger: &str, trusted_only: bool) -> Examined {
    gate_with(ledger, trusted_only, false)
}

fn gate_with(ledger: &str, trusted_only: bool, allow_empty: bool) -> Examined {
    let tables = [
        ("sales.csv", SALES),
        ("costs.tsv", "week\tcost\n23\t70\n24\t60\n"),
        ("empty.csv", "x,y\n"),
        ("mixed.csv", MIXED),
    ];
    let mut engine = Engine::new(std::time::Duration::from_millis(500)).unwrap();
    for (file, text) in tables {
        let format = Format::of_name(file).unwrap();
        engine.load_records(file, format, text.as_bytes()).unwrap();
    }
    let ledger = ledger::read(ledger);
    let callers = [("trusted", "SELECT sum(revenue) FROM sales WHERE week = 24")];
    let callers = callers.map(|(name, metric)| {
        (name.to_owned(), Declared { definition: metric.to_owned(), origin: "metrics.json".to_owned() })
    });
    let metrics = collect_metrics(&ledger, "ledger.json", callers.into(), trusted_only);
    let sources = [
        Source::file("report-24.md", "src/report-24.md", REPORT.to_owned()),
        Source::file("blank.md", "src/blank.md", String::new()),
        Source::file("twin.md", "a/twin.md", REPORT.to_owned()),
        Source::file("twin.md", "b/twin.md", REPORT.to_owned()),
    ];
    let evidence = Evidence { engine, metrics, sources: sources.into(), allow_empty };
    examine(&ledger, "ledger.json", None, evidence).unwrap()
}

#[track_caller]
pub(super) fn check(ledger: &str, expected: &str) {
    let examined = gate(ledger, false);
    let messages: Vec<&str> = examined.findings.iter().map(|finding| finding.message.as_str()).collect();
    assert!(!examined.accepted(), "accepted: {ledger}");
    assert!(messages.iter().any(|message| message.contains(expected)), "{ledger}\n{messages:#?}\nwithout {expected:?}");
}

#[track_caller]
pub(super) fn check_accepted(ledger: &str) {
    let examined = gate(ledger, false);
    assert!(examined.accepted(), "{:#?}", examined.findings);
}

/// A ledger of one number claim: what the summary says of it, its value and its metric.
pub(super) fn number(summary: &str, value: &str, metric: &str) -> String {
    let [summary, metric] = [summary, metric].map(|text| serde_json::to_string(text).unwrap());
    format!(
        r#"{{"summary": {summary}, "claims": [{{"id": "n", "kind": "number", "statement": {summary}, "metric": "m", "value": {value}}}], "metrics": {{"m": {metric}}}}}"#
    )
}

/// A ledger of one citation claim.
pub(super) fn quote(summary: &str, statement: &str, quote: &str, source: &str) -> String {
    let [summary, statement, quote, source] =
        [summary, statement, quote, source].map(|text| serde_json::to_string(text).unwrap());
    format!(
        r#"{{"summary": {summary}, "claims": [{{"id": "q", "kind": "citation", "statement": {statement}, "quote": {quote}, "sourceId": {source}}}]}}"#
    )
}

/// A number claim whose metric has to fail with these words.
#[track_caller]
fn check_metric(metric: &str, expected: &str) {
    check(&number("It is 18.", "18", metric), expected);
}

const CLASSIC: &str =
    "select (sum(revenue) filter (where week = 24) / sum(revenue) filter (where week = 23) - 1) * 100 from sales";
const COUNT: &str = "SELECT count(*) FROM sales";

#[test]
fn the_classic_is_rejected_with_both_values_and_the_rows() {
    let examined = gate(&number("Revenue rose 18% week over week.", "18", CLASSIC), false);
    assert!(!examined.accepted());
    let number = examined.report.claims[0].number.as_ref().unwrap();
    assert_eq!((number.claimed, number.recomputed), (18.0, Some(8.000_000_000_000_007)));
    let reads: Vec<_> =
        number.reads.iter().map(|read| (read.table.as_str(), read.columns.join(", "), read.rows)).collect();
    assert_eq!(reads, [("sales", "revenue, week".to_owned(), 4)]);
    assert_eq!(examined.report.claims[0].reasons, ["claimed 18, the data gives 8 (difference 10, allowed 0.04)"]);
}

#[test]
fn what_the_data_and_the_sources_carry_is_accepted() {
    check_accepted(&number("It is 4.", "4", "SELECT count(*) FROM sales"));
    check_accepted(&number("Revenue rose 8% week over week.", "8", CLASSIC));
    check_accepted(&number(
        "Revenue rose 8% week over week.",
        "8",
        "SELECT pct_change(sum(revenue) FILTER (WHERE week = 24), sum(revenue) FILTER (WHERE week = 23)) FROM sales",
    ));
    check_accepted(&number(
        "Revenue rose 8% week over week.",
        "0.08",
        "SELECT sum(revenue) FILTER (WHERE week = 24) / sum(revenue) FILTER (WHERE week = 23) - 1 FROM sales",
    ));
    check_accepted(&number(
        "Costs fell from week to week by 10.",
        "-10",
        "SELECT sum(cost) FILTER (WHERE week = 24) - sum(cost) FILTER (WHERE week = 23) FROM costs",
    ));
    check_accepted(&number("Revenue was $10.8 thousand.", "10800", "SELECT sum(revenue) FROM sales WHERE week = 24"));
    check_accepted(&number("In week 24 of 2031, revenue rose 8% from week 23 on.", "8", CLASSIC));
    check_accepted(&number(
        "Revenue was $10.8 thousand.",
        "10.8",
        "SELECT sum(revenue) / 1000 FROM sales WHERE week = 24",
    ));
    check_accepted(&number("There are 4 rows.", "4", COUNT));
    // A stroke in a text, a name or a comment divides nothing.
    check_accepted(&number(
        "It is 0.5.",
        "0.5",
        "SELECT 2 /* 1/2 */ / count(*) AS \"a/b\" FROM sales WHERE shop <> 'a''/b' -- 1/2",
    ));
    check_accepted(&number("There are 2 notes.", "2", "SELECT count(note) FROM sales"));
    check_accepted(&number("There are 2 shops.", "2", "SELECT count(DISTINCT shop) FROM sales"));
    check_accepted(&number("The median is 5,400.", "5400", "SELECT median(revenue) FROM sales"));
    check_accepted(&number("The mean is 5,200.", "5200", "SELECT avg(revenue) FROM sales"));
    check_accepted(&number("The most is 6,000.", "6000", "SELECT max(revenue) FROM sales"));
    check_accepted(&number("The difference is 0.", "0", "SELECT sum(revenue) - 10800 FROM sales WHERE week = 24"));
    check_accepted(&quote(
        "They call it “the best week yet”.",
        "They call it “the best week yet”",
        "the best week yet",
        "report-24",
    ));
    // A long dash may stand for a dash with spaces.
    check_accepted(&quote("It is a fact—“the best week yet”.", "It is a fact - …", "the best week yet", "report-24"));
    check_accepted(&quote(
        "They call it “the best week yet”.",
        "They call it …",
        "It was, we think, the best week yet",
        "report-24.md",
    ));
    let empty = r#"{"summary": "Nothing happened.", "claims": []}"#;
    check(empty, "the ledger has no claim: nothing was claimed, so nothing is verified");
    assert!(gate_with(empty, false, true).accepted());
    // What has something to claim is no empty artifact, whatever the caller allows.
    assert!(!gate_with(r#"{"summary": "Up 8%.", "claims": []}"#, false, true).accepted());
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table")]
fn every_bad_ledger_is_rejected_for_its_own_reason() {
    // What is no ledger.
    check("", "not a ledger, as it is not JSON: EOF while parsing a value");
    check("revenue rose", "not a ledger, as it is not JSON: expected value");
    check("[]", "not a ledger: a list where an object should be");
    check(r#"{"claims": []}"#, "not a ledger: `summary` is missing");
    check(r#"{"summary": "Up."}"#, "not a ledger: `claims` is missing");
    check(r#"{"summary": "  ", "claims": []}"#, "the summary is empty");
    check(r#"{"summary": 8, "claims": []}"#, "not a ledger: `summary`: is a whole number and should be a text");
    check(r#"{"summary": "Up.", "claims": {}}"#, "not a ledger: `claims`: is an object and should be a list");
    check(
        r#"{"summary": "Up.", "claims": [], "metrics": []}"#,
        "not a ledger: `metrics`: is a list and should be an object",
    );
    check(r#"{"summary": "Up.", "claims": [], "metrics": {"m": 8}}"#, "`metrics.m` is a number; it must be a text");
    check(r#"{"summary": "Up.", "claims": [], "verdict": "accepted"}"#, "unknown field `verdict`");
    check(r#"{"summary": "Up.", "summary": "Down.", "claims": []}"#, "`summary` is named twice");
    check(r#"{"summary": "Up 8%.", "claims": []}"#, "the ledger has no claim");
    check(r#"{"summary": "They said “it was the best”.", "claims": []}"#, "the ledger has no claim");
    // Claims that are none.
    let one = |claim: &str| format!(r#"{{"summary": "Up 8%.", "claims": [{claim}], "metrics": {{"m": "{CLASSIC}"}}}}"#);
    let good = r#""kind": "number", "statement": "Up 8%", "metric": "m", "value": 8"#;
    check_accepted(&one(&format!(r#"{{"id": "n", {good}}}"#)));
    check(&one("8"), "claim `claims[0]`: a number where an object should be");
    check(&one(&format!("{{{good}}}")), "claim `claims[0]`: `id` is missing");
    check(&one(&format!(r#"{{"id": "", {good}}}"#)), "`id` is empty");
    check(&one(&format!(r#"{{"id": 1, {good}}}"#)), "`id`: is a whole number and should be a text");
    check(&one(&format!(r#"{{"id": "n", {good}}}, {{"id": "n", {good}}}"#)), "this id is taken by another claim");
    check(&one(&format!(r#"{{"id": "n", {good}, "verified": true}}"#)), "unknown field `verified`");
    check(&one(&format!(r#"{{"id": "n", {good}, "quote": "x"}}"#)), "unknown field `quote`");
    check(&one(&format!(r#"{{"id": "n", {good}, "value": 8}}"#)), "`value` is named twice");
    check(
        &one(r#"{"id": "n", "statement": "Up 8%", "metric": "m", "value": 8}"#),
        "its `kind` must be `number` or `citation`",
    );
    check(
        &one(&good.replace("number", "fact").replacen("\"kind", "{\"id\": \"n\", \"kind", 1).add("}")),
        "its `kind` must be `number` or `citation`",
    );
    check(&one(r#"{"id": "n", "kind": "number", "metric": "m", "value": 8}"#), "`statement` is missing");
    check(
        &one(r#"{"id": "n", "kind": "number", "statement": " ", "metric": "m", "value": 8}"#),
        "`statement` is empty",
    );
    check(&one(r#"{"id": "n", "kind": "number", "statement": "Up 8%", "value": 8}"#), "`metric` is missing");
    check(
        &one(r#"{"id": "n", "kind": "number", "statement": "Up 8%", "metric": "", "value": 8}"#),
        "`metric` is empty",
    );
    check(&one(r#"{"id": "n", "kind": "number", "statement": "Up 8%", "metric": "m"}"#), "`value` is missing");
    check(
        &one(r#"{"id": "n", "kind": "number", "statement": "Up 8%", "metric": "m", "value": "8"}"#),
        "`value`: is a text and should be a number",
    );
    check(
        &one(r#"{"id": "n", "kind": "number", "statement": "Up 8%", "metric": "m", "value": null}"#),
        "`value`: is null and should be a number",
    );
    check(
        &one(r#"{"id": "n", "kind": "number", "statement": "Up 8%", "metric": "m", "value": NaN}"#),
        "not a ledger, as it is not JSON: expected value",
    );
    check(
        &one(r#"{"id": "n", "kind": "number", "statement": "Up 8%", "metric": "m", "value": 1e999}"#),
        "number out of range",
    );
    check(&one(&format!(r#"{{"id": "n", {good}, "tolerance": -0.1}}"#)), "`tolerance` is a part of the value");
    check(&one(&format!(r#"{{"id": "n", {good}, "tolerance": 1}}"#)), "`tolerance` is a part of the value");
    check(
        &one(&format!(r#"{{"id": "n", {good}, "tolerance": "0.1"}}"#)),
        "`tolerance`: is a text and should be a number",
    );
    // Statements that are not the summary's, and what no statement speaks for.
    let stated = |statement: &str, value: &str| {
        format!(
            r#"{{"summary": "Up 8% in all shops.", "claims": [{{"id": "n", "kind": "number", "statement": "{statement}", "metric": "m", "value": {value}}}], "metrics": {{"m": "{CLASSIC}"}}}}"#
        )
    };
    check_accepted(&stated("Up 8%", "8"));
    check(&stated("Down 8%", "8"), "its statement is not in the summary");
    check(&stated("p 8% in", "8"), "its statement is not in the summary");
    check(&stated("in all shops", "8"), "“8%” in the summary stands in no statement of a claim");
    check(&stated("Up 8%", "18"), "its statement says 8%, its value is 18");
    check(&stated("Up 8%", "-8"), "in the other direction than its value -8");
    check(&number("Revenue fell 8%.", "8", CLASSIC), "in the other direction than its value 8");
    check(&number("Up 8% and 9%.", "8", CLASSIC), "“9%” in the summary is the value of no claim that states it");
    check(&number("Up 8% in three regions.", "8", CLASSIC), "“three” in the summary is the value of no claim");
    check(&number("“It was good, all in all”: up 8%.", "8", CLASSIC), "is quoted by no claim that states it");
    check(
        &stated("Up 8%", "8").replace("Up 8% in all shops.", "Up 8% in all shops. In 2031, too."),
        "“2031” in the summary stands in no statement",
    );
    // Values.
    check(&number("Up 8.1%.", "8.1", CLASSIC), "claimed 8.1, the data gives 8 (difference 0.1, allowed 0.04)");
    check(
        &number("It is 10801.", "10801, \"tolerance\": 0", "SELECT sum(revenue) FROM sales WHERE week = 24"),
        "claimed 10801, the data gives 10800",
    );
    // Equal as decimals: `(1.08 - 1) * 100` is 8, and not 8.001.
    check_accepted(&number("Up 8%.", "8, \"tolerance\": 0", CLASSIC));
    check(&number("Up 8%.", "8.001, \"tolerance\": 0", CLASSIC), "claimed 8.001, the data gives 8 (difference 0.00");
    check(
        &number("It is 1.", "1", "SELECT sum(revenue) - 10800 FROM sales WHERE week = 24"),
        "claimed 1, the data gives 0 (difference 1, allowed 1e-9)",
    );
    check(
        &number("It is 0.", "0", "SELECT sum(revenue) FROM sales WHERE week = 24"),
        "claimed 0, the data gives 10800",
    );
    // Metrics.
    check(
        &number("Up 8%.", "8", CLASSIC).replace("\"metric\": \"m\"", "\"metric\": \"other\""),
        "metric `other` is not declared",
    );
    for no_query in ["", "18", "sum(revenue)", "SELEC sum(revenue) FROM sales"] {
        check_metric(no_query, "a metric is a query, as in `SELECT sum(revenue) FROM sales`");
    }
    check_metric("SELECT sum(revenue FROM sales", "near \"FROM\": syntax error");
    check_metric("SELECT average(revenue) FROM sales", "no such function: average");
    check_metric("SELECT sum(revenue) FROM shops", "no such table: shops");
    check_metric("SELECT sum(revenue) FROM sales WHERE week = 99", "gives nothing (NULL)");
    check_metric("SELECT sum(revenue) / (count(*) - 4) FROM sales", "gives nothing (NULL)");
    check_metric("SELECT pct_change(sum(revenue), 0) FROM sales", "gives nothing (NULL)");
    check_metric("SELECT sum(x) FROM empty", "gives nothing (NULL)");
    check_metric("SELECT sum(revenue) * 1e308 * 1e308 FROM sales", "gives infinity");
    // Columns that are text because of some cells.
    let size = "column `size` holds text, not numbers: row 5 has `n/a`";
    let price = "column `price` holds text, not numbers: row 3 has `1,200`";
    check_metric("SELECT count(*) FROM mixed WHERE size = 9", size);
    check_metric("SELECT count(*) FROM mixed WHERE size BETWEEN 1 AND 100", size);
    check_accepted(&number("There are 2.", "2", "SELECT count(*) FROM mixed WHERE length(maker) > 0 AND maker > 'a'"));
    check_accepted(&number("There are 4.", "4", "SELECT count(*) FROM mixed WHERE maker IN ('a', 'b') AND 1 < 5"));
    check_metric("SELECT count(*) FROM mixed WHERE size > 100", size);
    check_metric("SELECT count(*) FROM mixed WHERE 100 < mixed.size", size);
    check_metric("SELECT count(*) FROM mixed WHERE size IN (9, 50)", size);
    check_metric("SELECT sum(price * 1) FROM mixed", price);
    check_metric("SELECT sum(cast(price AS real)) FROM mixed", price);
    check_metric("SELECT avg(\"price\" + 0) FROM mixed", price);
    check_metric("SELECT avg([PRICE] + 0) FROM mixed", price);
    check_metric("SELECT sum(v) FROM (SELECT price AS v FROM mixed)", price);
    check_metric("WITH t(a, b, c) AS (SELECT * FROM mixed) SELECT sum(c) FROM t", price);
    check_metric("SELECT max(price) + 0 FROM mixed", price);
    check_metric("SELECT count(*) FROM mixed WHERE size <> 'n/a'", size);
    check_metric("SELECT count(DISTINCT price) FROM mixed", price);
    check_metric("SELECT count(*) FROM mixed WHERE size IN ('9', '50')", size);
    check_metric("SELECT count(*) FROM (SELECT 1 FROM mixed GROUP BY price)", price);
    check_accepted(&number("There are 2.", "2", "SELECT count(*) FROM mixed WHERE maker = 'a'"));
    // What comes from no data.
    check_metric("SELECT max(18) FROM sales", "reads no data");
    check_metric("SELECT sum(revenue) FROM sales\0 WHERE week = 24", "has a null character in it");
    check_metric("SELECT revenue FROM sales", "gives more than one row");
    check_metric("SELECT revenue FROM sales WHERE week = 99", "gives no row");
    check_metric("SELECT week, revenue FROM sales LIMIT 1", "gives 2 columns");
    check_metric("SELECT shop FROM sales LIMIT 1", "gives the text `a`");
    check_metric("SELECT note FROM sales LIMIT 1", "gives nothing (NULL)");
    check_metric("SELECT 9e999 * week FROM sales LIMIT 1", "gives infinity");
    check_metric("SELECT 18", "reads no data");
    check_metric("SELECT 18 FROM sales LIMIT 1", "reads no data");
    check_metric("SELECT 18 WHERE EXISTS (SELECT 1 FROM sales)", "reads no data");
    check_metric("SELECT sum(turnover) FROM sales", "no such column: turnover");
    check_metric("SELECT \"turnover\" FROM sales LIMIT 1", "no such column");
    check_metric("SELECT sum(revenue) FROM sales; SELECT 18", "has several statements");
    check_metric("SELECT sum(revenue) FROM sales WHERE week = ?", "has parameters");
    // Quotations.
    check(&quote("They call it “the best week yet”.", "They call it …", "", "report-24"), "`quote` is empty");
    check(&quote("They call it “”.", "They call it …", "the best week yet", "report-24"), "quotes nothing");
    check(
        &quote("They call it “the worst week yet”.", "They call it …", "the worst week yet", "report-24"),
        "the quotation is not in src/report-24.md, which has “the best week yet”",
    );
    check(
        &quote("They call it “the best week yet”.", "They call it …", "the best week yet", "report-25"),
        "no source `report-25`",
    );
    check(
        &quote("They call it “the best week yet”.", "They call it …", "the best week yet", ""),
        "`sourceId` is empty",
    );
    check(
        &quote("They call it “the best week yet”.", "They call it …", "the best week yet", "blank"),
        "source `blank` has no text",
    );
    check(
        &quote("They call it “the best week yet”.", "They call it …", "the best week yet", "twin"),
        "`twin` could be a/twin.md or b/twin.md",
    );
    check(
        &quote("They call it “the best week yet”.", "They call it …", "the quarter was slow", "report-24"),
        "is quoted by no claim that states it",
    );
    let cut = "we think … but the quarter was slow";
    check_accepted(&quote(&format!("It says “{cut}”."), "It says …", cut, "report-24"));
    let cut = quote("It says “shops … close in May”.", "It says …", "shops … close in May", "report-24");
    check(&cut, "the quotation leaves out “not”");
    check(
        &quote("They call it “the best week yet”.", "They call it …", "… …", "report-24"),
        "an empty quotation says nothing",
    );
    check(
        &quote("They call it “the best week yet”.", "…", "the best week yet", "report-24"),
        "its statement is not in the summary",
    );
}

/// A summary that says 4 of the sales and also what is to be found uncovered.
#[track_caller]
fn check_uncovered(summary: &str, expected: &str) {
    check(&number(summary, "4", COUNT), &format!("“{expected}” in the summary"));
}

#[track_caller]
fn check_covered(summary: &str) {
    check_accepted(&number(summary, "4", COUNT));
}

#[test]
fn whatever_has_digits_is_covered_unless_it_is_evidently_a_name_or_a_date() {
    check_uncovered("Revenue rose [18]% to 4", "18");
    check_uncovered("(18) million of 4", "18");
    check_uncovered("#5 million users, 4", "5");
    check_uncovered("In the 18th percent 4", "18th");
    check_uncovered("It halved to 4", "halved");
    check_uncovered("It cut by half, to 4", "by half");
    check_uncovered("It quintupled to 4", "quintupled");
    check_uncovered("One and a half of 4", "One and a half");
    check_uncovered("Total is 4 of 2024 shops", "2024");
    check_uncovered("We sold 1987 with 4 staff", "1987");
    check_uncovered("In March 18 shops of 4 closed", "18");
    check_uncovered("⑥ shops of 4", "⑥");
    check_uncovered("𝟒𝟐 shops of 4", "𝟒𝟐");
    check_uncovered("Ⅻ shops of 4", "Ⅻ");
    check_uncovered("&#52;&#50; shops of 4", "&#52");
    check_uncovered("Article 5 people came, 4 left", "5");
    check_uncovered("No 5 users left 4", "5");
    check_uncovered("It is 4×10^3", "4×10^3");
    check_uncovered("It is 4/10", "4/10");
    check(&number("It is 4 + 5", "4", COUNT), "is an expression");
    check(&number("It is 4–7", "4", COUNT), "has two ends");
    check_covered("It is 4.");
    check_covered("In 2024 shops sold 4.");
    check_covered("Figure 3 shows 4.");
    check_covered("Section 4.2 says 4 of GPT-5 users.");
    check_covered("On March 18, 2024 it was 4.");
    check_covered("Sales in 2023 and 2024 were 4 m².");
    check_covered("4 COVID-19 cases [3].");
    check_covered("4 of 24/7 users");
    check_covered("FY2024: 4");
    check_covered("Between 2019 and 2021 it was 4 (see p. 12).");
    check_covered("2024 was a year of 4");
    check_covered("④ shops");
    for (written, value, metric) in [
        ("Es waren acht Zeilen.", "8", "SELECT count(*) * 2 FROM sales"),
        ("有八家商店关闭。", "8", "SELECT count(*) * 2 FROM sales"),
        ("Profit was minus twelve.", "-12", "SELECT count(*) - 16 FROM sales"),
    ] {
        check_accepted(&number(written, value, metric));
        let said = number(written, value, metric).replace(&format!("\"value\": {value}"), "\"value\": 4");
        assert!(!gate(&said, false).accepted(), "{written}");
        let beside =
            number("It is 4.", "4", COUNT).replace("It is 4.\", \"claims", &format!("It is 4. {written}\", \"claims"));
        check(&beside, "in the summary");
    }
    check(
        &number("Dozens of shops, 4 in all.", "4", COUNT),
        "“Dozens” in the summary is no number that can be compared",
    );
    let half = "SELECT count(*) FILTER (WHERE week = 23) / count(*) FROM sales";
    check_accepted(&number("It halved.", "0.5", half));
    check(&number("It was not halved.", "0.5", half), "in the other direction than its value 0.5");
    check_accepted(&number("We sold 1987 units.", "1987", "SELECT count(*) + 1983 FROM sales"));
}

#[test]
fn a_number_alone_speaks_for_one_place() {
    let claim = number("Sales are 4, staff is 4.", "4", COUNT);
    check(&claim, "“4” in the summary is the value of no claim");
    let alone = claim.replace(r#""statement": "Sales are 4, staff is 4.""#, r#""statement": "4""#);
    check(&alone, "“4” in the summary stands in no statement");
}

/// A ledger whose claims, statements with values, are all of 4, the number of the sales.
fn fours(summary: &str, statements: &[&str]) -> String {
    let claims: Vec<_> = statements
        .iter()
        .enumerate()
        .map(|(index, statement)| {
            serde_json::json!({"id": format!("n{index}"), "kind": "number", "statement": statement, "metric": "m", "value": 4})
        })
        .collect();
    serde_json::json!({"summary": summary, "claims": claims, "metrics": {"m": COUNT}}).to_string()
}

#[test]
fn a_claim_speaks_for_one_place() {
    let twice = "Sales of shop a are 4 units. Sales of shop b are 4 units.";
    let uncovered = "“4” in the summary is the value of no claim";
    check(&fours(twice, &["4 units"]), uncovered);
    check(&fours(twice, &["Sales … units"]), uncovered);
    check(&fours(twice, &[twice]), uncovered);
    check_accepted(&fours(twice, &["4 units", "4 units"]));
    check_accepted(&fours(twice, &[twice, twice]));
    // None takes the place that another needs.
    check_accepted(&fours(twice, &[twice, "Sales of shop a are 4 units"]));
    check_accepted(&fours(twice, &[twice, "Sales of shop b are 4 units"]));
    check_accepted(&fours(twice, &["Sales of shop b are 4 units", "Sales of shop a are 4 units"]));
    check_accepted(&fours("It is 4.", &["It is 4", "4"]));
    check_accepted(&fours("Sales are 4, staff is 4.", &["Sales are 4", "staff is 4"]));
    check_accepted(&fours("④ shops", &["④ shops"]));
    check(&fours("④ shops and ④ more", &["④ shops and ④ more"]), "“④” in the summary is the value of no claim");
    // Dates and weeks say which rows are meant: any statement may have them.
    check_accepted(&fours("In week 24 of 2031 it was 4.", &["In week 24 of 2031 it was 4"]));
    let said = "Shop a calls it “the best week yet”. Shop b calls it “the best week yet”.";
    check(&quote(said, "calls it …", "the best week yet", "report-24"), "is quoted by no claim that states it");
}

#[test]
fn words_of_direction_say_the_sign_of_a_change() {
    let change =
        "SELECT pct_change(sum(revenue) FILTER (WHERE week = 24), sum(revenue) FILTER (WHERE week = 23)) FROM sales";
    for summary in [
        "Revenue slipped 8%.",
        "Revenue tumbled by 8%.",
        "Revenue slid 8%.",
        "Revenue eased by 8%.",
        "Revenue did not rise 8%.",
        "Revenue didn’t rise 8%.",
        "Revenue is 8% less than before.",
        "There were 8% fewer.",
        "A negative growth of 8%.",
        "Revenue is 8% below the last week’s.",
        "Revenue is 8% under last week’s.",
    ] {
        check(&number(summary, "8", change), "in the other direction than its value 8");
    }
    for summary in ["Revenue rose 8%.", "Revenue rallied by 8%.", "Revenue rose less than 9%, by 8%."] {
        check(&number(summary, "-8", change), "in the other direction than its value -8");
    }
    check_accepted(&number("Revenue rallied by 8%.", "8", change));
    let fall = "SELECT pct_change(sum(cost) FILTER (WHERE week = 24), sum(cost) FILTER (WHERE week = 23)) FROM costs";
    check_accepted(&number("Costs slipped 14.3%.", "-14.2857", fall));
    check_accepted(&number("Costs are 14.3% below the last week’s.", "-14.2857", fall));
}

#[test]
fn quotation_marks_of_any_kind_quote() {
    for summary in [
        "They call it ”the best week yet”.",
        "They call it ‚the best week yet‘.",
        "They call it ＂the best week yet＂.",
        "They call it 〝the best week yet〞.",
        "They call it ``the best week yet''.",
        "They call it ❝the best week yet❞.",
        "They call it 'the best week yet'.",
    ] {
        let ledger = format!(r#"{{"summary": {}, "claims": []}}"#, serde_json::to_string(summary).unwrap());
        check(&ledger, "is quoted by no claim");
        check_accepted(&quote(summary, summary, "the best week yet", "report-24"));
    }
    for summary in
        ["It is &ldquo;the best week yet&rdquo;.", "It is &quot;the best week yet&quot;.", "<q>The best yet</q>"]
    {
        let ledger = format!(r#"{{"summary": {}, "claims": []}}"#, serde_json::to_string(summary).unwrap());
        check(&ledger, "is not written as it is read");
    }
    assert!(
        gate_with(r#"{"summary": "The shops' owners' wives' week wasn't good.", "claims": []}"#, false, true)
            .accepted()
    );
}

#[test]
fn what_a_metric_may_not_do_is_refused_or_stopped() {
    check_metric("SELECT readfile('/etc/passwd') FROM sales", "no such function: readfile");
    check_metric(
        "SELECT load_extension('x') FROM sales",
        "not allowed; a metric may read the loaded tables and nothing else",
    );
    check_metric("ATTACH DATABASE '/etc/passwd' AS p", "ATTACH is not allowed");
    check_metric("PRAGMA database_list", "PRAGMA database_list is not allowed");
    check_metric("SELECT count(*) FROM pragma_table_info('sales')", "is no loaded table");
    check_metric("SELECT count(*) FROM sqlite_master a JOIN sqlite_master b USING (name)", "is no loaded table");
    check_metric("SELECT count(*) FROM sqlite_master", "is no loaded table");
    check_metric("SELECT count(*) FROM dbstat", "is no loaded table");
    check_metric("SELECT count(*) FROM json_each('[1]')", "is no loaded table");
    check_metric("DELETE FROM sales", "changing data is not allowed");
    check_metric("UPDATE sales SET revenue = 18", "changing data is not allowed");
    check_metric("INSERT INTO sales (revenue) VALUES (18) RETURNING revenue", "changing data is not allowed");
    check_metric("CREATE TABLE t AS SELECT 18", "changing data is not allowed");
    check_metric("DROP TABLE sales", "changing data is not allowed");
    check_metric("VACUUM INTO '/tmp/stolen.db'", "only SELECT is allowed");
    check_metric("BEGIN", "a transaction is not allowed");
    check_metric("EXPLAIN SELECT sum(revenue) FROM sales", "only SELECT is allowed");
    check_metric("SELECT randomblob(1000000000) FROM sales", "the function randomblob() is not allowed");
    check_metric("SELECT zeroblob(1000000000) FROM sales", "the function zeroblob() is not allowed");
    check_metric("SELECT random() FROM sales LIMIT 1", "the function random() is not allowed");
    check_metric("SELECT julianday('now') FROM sales LIMIT 1", "the function julianday() is not allowed");
    check_metric("SELECT sqlite_version() FROM sales LIMIT 1", "is no loaded table");
    check_metric(
        "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT max(x) FROM t",
        "a recursive query is not allowed",
    );
    let joined: Vec<String> = (0..30).map(|number| format!("sales s{number}")).collect();
    check_metric(&format!("SELECT count(*) FROM {}", joined.join(", ")), "took longer than 0.5 s and was stopped");
    check_metric(&format!("SELECT median(s0.revenue) FROM {}", joined.join(", ")), "took longer than 0.5 s");
    check_metric("SELECT length(printf('%.*c', 2000000000, 'x')) FROM sales LIMIT 1", "too long");
    let long = "instr(printf('%.*c', 7000000, 'a'), printf('%.*c', 3500000, 'a') || 'b')";
    check_metric(&format!("SELECT {long} + revenue FROM sales LIMIT 1"), "too long");
    check_metric("SELECT printf('%.*c', 60000, 'a') LIKE printf('%.*c', 30000, '%a') FROM sales LIMIT 1", "too");
    check_metric(
        "SELECT length(replace(hex(replace(printf('%.*c', 4000000, 'x'), 'x', 'yyyyyyyy')), '7', 'zzzz')) FROM sales LIMIT 1",
        "too long",
    );
}

#[test]
fn the_callers_metrics_win_and_can_be_the_only_ones() {
    let own = r#"{"summary": "It is 18.", "claims": [{"id": "n", "kind": "number", "statement": "It is 18", "metric": "trusted", "value": 18}], "metrics": {"trusted": "SELECT sum(revenue) - 10782 FROM sales WHERE week = 24"}}"#;
    check(own, "claimed 18, the data gives 10800");
    let ledger = number("Up 8%.", "8", CLASSIC);
    assert!(gate(&ledger, false).accepted());
    let findings = gate(&ledger, true).findings;
    assert!(findings[0].message.contains("declared by the ledger itself"), "{findings:?}");
}

#[test]
fn every_claim_is_reported_when_one_is_wrong() {
    let ledger = format!(
        r#"{{"summary": "Up 8%, to 10,900.", "claims": [
            {{"id": "a", "kind": "number", "statement": "Up 8%", "metric": "m", "value": 8}},
            {{"id": "b", "kind": "number", "statement": "to 10,900", "metric": "trusted", "value": 10900}}], "metrics": {{"m": "{CLASSIC}"}}}}"#
    );
    let examined = gate(&ledger, false);
    let claims: Vec<_> = examined.report.claims.iter().map(|claim| (claim.id.as_str(), claim.verified)).collect();
    assert_eq!((claims, examined.accepted()), (vec![("a", true), ("b", false)], false));
}

#[test]
fn a_quotation_that_stops_before_but_is_told_and_taken() {
    let examined =
        gate(&quote("They call it “the best week yet”.", "They call it …", "the best week yet", "report-24"), false);
    assert!(examined.accepted());
    let codes: Vec<_> = examined.findings.iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!(codes, ["quote-cut-short"]);
}

/// `+` for texts, so that tables read well.
trait Add {
    fn add(self, more: &str) -> String;
}

impl Add for String {
    fn add(mut self, more: &str) -> String {
        self.push_str(more);
        self
    }
}
