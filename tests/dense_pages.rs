//! Pages in which many numbers stand close together, and pages as the web has them, with claims about them:
//! `testdata/dense-pages.txt` tells the format.

#[path = "support/pass.rs"]
mod pass;

use cited::claim::ClaimKind;
use cited::judge::{ClaimText, Settings, SourceText, Standing, Verdict, judge};

#[test]
fn a_number_is_support_only_for_what_it_is_the_number_of() {
    check("dense-pages", include_str!("../testdata/dense-pages.txt"));
}

#[test]
fn what_pages_of_the_web_say_is_neither_removed_nor_turned_round() {
    check("web-pages", include_str!("../testdata/web-pages.txt"));
    check("web-pages-more", include_str!("../testdata/web-pages-more.txt"));
}

#[track_caller]
fn check(name: &str, table: &str) {
    let mut parts = table.split("---\n").skip(1);
    let (mut lines, mut wrong) = (Vec::new(), Vec::new());
    while let (Some(page), Some(claims)) = (parts.next(), parts.next()) {
        let source = SourceText::new(page.trim_end(), "");
        for line in claims.lines() {
            let (expected, claim) = line.split_once(' ').expect("a sign and a claim");
            let verdict = judge(&ClaimText::new(claim, ClaimKind::Plain), &source, &Settings::default());
            let as_expected = match expected {
                "=" | "~" => verdict.standing == Standing::Supported,
                // What removes it: a contradiction, or a value that is nowhere on the page.
                "+" => verdict.standing != Standing::Contradicted && !is_proven_absent(&verdict),
                "!" => verdict.standing == Standing::Contradicted || is_proven_absent(&verdict),
                "-" => verdict.standing != Standing::Supported,
                other => panic!("no such sign: {other}"),
            };
            let check = verdict.check.as_deref().unwrap_or("-");
            lines.push(format!("{line} | {} {check}", verdict.standing.as_str()));
            if !as_expected {
                wrong.push(format!("{line}: {:?}, {}", verdict.standing, verdict.reason));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), lines.len(), wrong.join("\n"));
    pass::hold(name, &lines);
}

fn is_proven_absent(verdict: &Verdict) -> bool {
    verdict.hard && verdict.standing == Standing::Unverifiable
}
