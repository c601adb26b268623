//! Which way the sentence of a summary says that a number goes, however little of it a statement has.

use super::tests::{check, check_accepted, number};

/// +8%.
const ROSE: &str =
    "SELECT pct_change(sum(revenue) FILTER (WHERE week = 24), sum(revenue) FILTER (WHERE week = 23)) FROM sales";
/// 10,800, and less than zero.
const GAIN: &str = "SELECT sum(revenue) FROM sales WHERE week = 24";
const LOSS: &str = "SELECT 0 - sum(revenue) FROM sales WHERE week = 24";
/// −14.3%.
const FELL: &str =
    "SELECT pct_change(sum(cost) FILTER (WHERE week = 24), sum(cost) FILTER (WHERE week = 23)) FROM costs";

/// A ledger with a statement that has only a part of the sentence.
fn part(summary: &str, statement: &str, value: &str, metric: &str) -> String {
    let whole = format!(r#""statement": {}"#, serde_json::to_string(summary).unwrap());
    let part = format!(r#""statement": {}"#, serde_json::to_string(statement).unwrap());
    let ledger = number(summary, value, metric);
    assert!(ledger.contains(&whole) && summary.contains(statement), "{summary}");
    ledger.replace(&whole, &part)
}

/// The number of the summary is that of a rise by 8%.
#[track_caller]
fn check_rise(summary: &str) {
    check_accepted(&number(summary, "8", ROSE));
    let said = ["8%", "8 %", "acht Prozent"].into_iter().find(|said| summary.contains(said)).unwrap();
    check_accepted(&part(summary, said, "8", ROSE));
}

/// It is not, however short the statement.
#[track_caller]
fn check_no_rise(summary: &str, statement: &str) {
    check(&number(summary, "8", ROSE), "in the other direction than its value 8");
    check(&part(summary, statement, "8", ROSE), "in the other direction than its value 8");
}

#[test]
fn a_direction_or_denial_outside_the_statement_counts() {
    check_no_rise("Revenue fell 8%.", "8%");
    check_no_rise("Revenue did not rise 8%.", "rise 8%");
    check_no_rise("Revenue was 8% lower.", "Revenue was 8%");
    check_no_rise("Revenue saw a fall of 8%.", "of 8%");
    check_no_rise("It is not true that revenue rose 8%.", "revenue rose 8%");
    check_no_rise("It is false that revenue rose 8%.", "revenue rose 8%");
    check_no_rise("Revenue did not, as many feared, rise 8%.", "rise 8%");
    check_no_rise("Revenue fell in all shops, by 8%.", "by 8%");
    check_no_rise("Revenue fell sharply, the change being 8%.", "the change being 8%");
    check_no_rise("Revenue rose, but not by 8%.", "8%");
    check_no_rise("Revenue rose anything but 8%.", "8%");
    check_no_rise("Der Umsatz stieg nicht um 8 %.", "8 %");
    check_no_rise("Der Umsatz sank um acht Prozent.", "acht Prozent");
    check_no_rise("Der Umsatz ging um 8 % zurück.", "8 %");
    check_no_rise("Der Umsatz nahm um 8 % ab.", "8 %");
    check_no_rise("Der Umsatz gab um acht Prozent nach, wie erwartet.", "acht Prozent");
    check_no_rise("Revenue was ↓ 8%.", "8%");
    check_no_rise("Revenue: ▼8%", "8%");
    check_no_rise("Costs rose in May, and revenue was 8% lower.", "revenue was 8%");
    check_no_rise("Revenue fell in May and June by 8%.", "June by 8%");
    check(&part("Profit was not 10,800.", "Profit", "10800", GAIN), "stands in no statement");
    check(&part("Profit was not 10,800.", "10,800", "10800", GAIN), "in the other direction");
    check(&part("Profit was never 10,800.", "10,800", "10800", GAIN), "in the other direction");
    check(&part("It is not true that, in May, profit was 10,800.", "profit was 10,800", "10800", GAIN), "in the other");
}

#[test]
fn a_word_of_direction_or_denial_belongs_to_what_it_stands_with() {
    check_rise("Revenue didn't fall; it rose 8%");
    check_rise("Revenue rose, not fell, 8%");
    check_rise("Profit, not counting tax, rose 8%");
    check_rise("Profit not counting tax rose 8%");
    check_rise("Lower taxes lifted profit by 8%");
    check_rise("Higher prices raised revenue by 8%.");
    check_rise("Costs fell, but revenue rose 8%.");
    check_rise("Not only did revenue rise, it rose by 8%.");
    check_rise("Revenue rose by no less than 8%.");
    check_rise("Revenue was ↑ 8%.");
    check_rise("Der Umsatz stieg um acht Prozent.");
    check_rise("Der Umsatz stieg um 8 % nach Steuern.");
    check_rise("After a fall in May, revenue was 8% higher.");
    check_rise("Revenue rose, according to the office, 8%.");
    check_accepted(&part("Revenue did not rise in May, and profit was 10,800.", "profit was 10,800", "10800", GAIN));
    check_accepted(&part("Revenue fell in May, and profit was 10,800.", "profit was 10,800", "10800", GAIN));
    check_accepted(&number("We do not know why, but profit was 10,800.", "10800", GAIN));
    check_accepted(&number("The office lacks 10,800 euros.", "10800", GAIN));
    check_accepted(&number("Not more than 10,800 euros came in.", "10800", GAIN));
    check_accepted(&number("The loss was 10,800 euros.", "-10800", LOSS));
    check_accepted(&number("Revenue fell in all shops, by 14.3%.", "-14.2857", FELL));
    check_accepted(&number("Higher costs cut revenue by 14.3%.", "-14.2857", FELL));
    check_accepted(&number("Revenue slumped, a change of 14.3%.", "-14.2857", FELL));
    // What fell is not what the number is of.
    check(
        &number("Costs fell, and profit was 10,800.", "-10800", LOSS),
        "in the other direction than its value -10800",
    );
}

/// What is written is less than zero.
#[track_caller]
fn check_negative(written: &str) {
    let summary = format!("Profit was {written} euros.");
    check_accepted(&number(&summary, "-10800", LOSS));
    check(&number(&summary, "10800", GAIN), "in the other direction than its value 10800");
}

/// It is not.
#[track_caller]
fn check_positive(summary: &str) {
    check_accepted(&number(summary, "10800", GAIN));
    check(&number(summary, "-10800", LOSS), "in the other direction than its value -10800");
}

#[test]
fn a_minus_is_read_however_it_is_written() {
    check_negative("-10,800");
    check_negative("−10,800");
    check_negative("–10,800");
    check_negative("‑10,800");
    check_negative("‐10,800");
    check_negative("－10,800");
    check_negative("➖10,800");
    check_negative("- 10,800");
    check_negative("– 10,800");
    check_negative("− 10,800");
    check_negative("(10,800)");
    check_negative("negative 10,800");
    check_negative("minus 10,800");
    check_negative("minus **10,800**");
    check_negative("−**10,800**");
    check_negative("-**10,800**");
    check_negative("**-10,800**");
    check_negative("&minus;10,800");
    check_negative("-€10,800");
    check_no_rise("Growth of − 8 % is told.", "8 %");
    check_no_rise("Growth of –8% is told.", "8%");
    check_positive("Profit was 10,800 euros.");
    check_positive("The profit – 10,800 euros – was good.");
    check_positive("The profit - 10,800 euros - was good.");
    check_positive("The profit (10,800 euros) was good.");
    check_positive("The profit in May (10,800) was good.");
    check_positive("- 10,800 euros of profit");
    check_positive("Sales:\n- 10,800 euros of profit");
    check_positive("Profit—10,800 euros—was good.");
    check_positive("Profit was **10,800** euros.");
    check_positive("A mid-10,800 profit.");
}

/// Chinese, Japanese and Korean are written without spaces, and words of them overlap.
#[test]
fn summaries_without_spaces_are_read() {
    for rise in [
        "收入增长了8%。",
        "本周收入比上周增长8%，超过预期。",
        "売上高は前週比8%増加した。",
        "売上は8%の増収となった。",
        "매출이 8% 증가했다.",
        "รายได้เพิ่มขึ้น 8%",
    ] {
        check_accepted(&number(rise, "8", ROSE));
    }
    for summary in [
        "收入没有增长8%，而是下降了。",
        "収入は8%減少した。しかし、利益は増えた（8%）。",
        "全体の8%が増、8%が減",
        "８％の増加、８％の減少。",
        "增长8%增长8%增长8%",
        "“增长”了8%；不是9%。",
    ] {
        // Whatever the verdict is: there is one, and what no claim states is no part of it.
        let examined = super::tests::gate(&number(summary, "8", ROSE), false);
        assert_eq!(examined.report.claims.len(), 1, "{summary}");
    }
}

proptest::proptest! {
    #[test]
    fn no_summary_ends_the_gate(summary in "([增减没不是了，。8%０-９上昇減少は がを\\-−(（）)a-z. \n]|8%|增长|下降|減少){1,24}", value in "-?[0-9]{1,3}") {
        super::tests::gate(&number(&summary, &value, ROSE), false);
    }
}
