//! Quotations against sources, in many writings.

use cited::quotation::Match;
use cited::text::fold::Folded;

const PAIRS: &str = include_str!("../testdata/quotations/pairs.tsv");

fn check(quotation: &str, source: &str, expected: &str) -> Result<(), String> {
    let source = source.replace("\\n", "\n");
    let folded = Folded::new(&source);
    let found = match folded.find(&source, quotation) {
        Match::Found(span) if span.slice(&source).is_empty() => "nowhere",
        Match::Found(_) => "found",
        Match::CutShort(..) => "cut",
        Match::Missing(_) => "missing",
        Match::Empty => "empty",
    };
    if found == expected { Ok(()) } else { Err(format!("{quotation:?} in {source:?} is {found}, not {expected}")) }
}

#[test]
fn quotations_stand_as_the_table_says() {
    let rows: Vec<Vec<&str>> = PAIRS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
        .collect();
    assert!(rows.len() >= 80, "only {} pairs", rows.len());
    let wrong: Vec<String> = rows.iter().filter_map(|row| check(row[0], row[1], row[2]).err()).collect();
    assert!(wrong.is_empty(), "{} of {} pairs:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn the_span_of_a_quotation_is_that_of_the_page() {
    let page = "Intro. The “ﬁrst”\u{a0}of many re-\nsults, they say.";
    let folded = Folded::new(page);
    let Match::Found(span) = folded.find(page, "first of many results") else { panic!("not found") };
    assert_eq!(span.slice(page), "ﬁrst”\u{a0}of many re-\nsults");
}

#[test]
fn the_closest_passage_is_named() {
    let page = "Nothing here. Revenue grew by a tenth in the last quarter of the year. Nothing there.";
    let folded = Folded::new(page);
    let quotation = "revenue grew by a third in the last quarter";
    let Match::Missing(Some((span, share))) = folded.find(page, quotation) else { panic!("found") };
    assert_eq!(span.slice(page), "Revenue grew by a tenth in the last quarter");
    assert!(share >= 80, "{share}");
}

#[test]
fn hostile_repetition_is_searched_in_bounded_work() {
    let page = "a ".repeat(200_000);
    let folded = Folded::new(&page);
    let quotation = format!("a [x] {} b", "a ".repeat(2000));
    assert!(matches!(folded.find(&page, &quotation), Match::Missing(_)));
}
