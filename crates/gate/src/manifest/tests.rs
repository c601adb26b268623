//! Manifests: what a place must have, and what is no place.

use super::*;

#[track_caller]
fn check_place(evidence: &str, expected: Result<Locator, &str>) {
    assert_eq!(Locator::read(evidence), expected.map_err(str::to_owned), "{evidence}");
}

#[test]
fn places_stay_inside_the_corpus() {
    let form = || Err("a place is `file:line`, `file:first-last`, `commit:NAME`, `file#heading` or an address");
    check_place("a.rs:3", Ok(Locator::Lines("a.rs".into(), 3, 3)));
    check_place("a/b.md#Install it", Ok(Locator::Heading("a/b.md".into(), "Install it".into())));
    check_place("commit:ABCDEF1", Ok(Locator::Commit("abcdef1".into())));
    check_place("https://example.org/a:3", Ok(Locator::Address("https://example.org/a:3".into())));
    check_place("a.rs", form());
    check_place("a.rs:x", form());
    check_place("a.rs:-3", form());
    check_place("a.rs:0", Err("lines 0 to 0 are none; they count from 1"));
    check_place("a.rs:5-3", Err("lines 5 to 3 are none; they count from 1"));
    check_place("../a.rs:3", Err("`../a.rs` is no path inside the corpus"));
    check_place("/etc/passwd:1", Err("`/etc/passwd` is no path inside the corpus"));
    check_place("a/../../b:1", Err("`a/../../b` is no path inside the corpus"));
    check_place(".git/config:1", Err("`.git/config` is no file of the corpus"));
    check_place("#top", Err("`` is no path inside the corpus"));
    check_place("commit:HEAD", Err("a commit is named by 7 to 64 hexadecimal digits"));
    check_place("commit:--output=x", Err("a commit is named by 7 to 64 hexadecimal digits"));
    check_place("ftp://example.org/", form());
}

#[track_caller]
fn check_shown(claim: &str, text: &str, reasons: &[&str]) {
    assert_eq!(check(claim, text, "src/guard.rs"), reasons, "{claim}");
}

#[test]
fn a_place_has_the_quantities_names_and_quotations_of_its_claim() {
    check_shown("It waits 30 seconds.", "let wait = Duration::from_secs(30);", &[]);
    check_shown("It waits 30 seconds.", "let wait = Duration::from_secs(45);", &["30 seconds is not there"]);
    check_shown("At most 10,000 rows are read.", "const MOST: usize = 10_000;", &[]);
    check_shown("The guard refuses Teredo addresses.", "// Teredo is refused", &[]);
    check_shown("The guard refuses Teredo addresses.", "// 6to4 is refused", &["Teredo is not there"]);
    check_shown("It calls `Guard::vet` first.", "Guard::vet(address)?;", &[]);
    check_shown("It calls `Guard::vet` first.", "vet(address)?;", &["`Guard::vet` is not there"]);
    check_shown("They say “one bad address refuses the name”.", "// One bad address refuses the name.", &[]);
    check_shown(
        "They say “one bad address is enough”.",
        "// One bad address refuses the name.",
        &["“one bad address is enough” is not there"],
    );
    check_shown("Redirects are followed by hand.", "/// Follows redirects by hand, each hop vetted.", &[]);
    check_shown("Redirects are followed by hand.", "fn main() {}", &["its words are not there"]);
    check_shown("…", "fn main() {}", &["its words are not there"]);
    // What is said in sentences is read as on any page.
    let line = "    // At most 10,000 rows are read.";
    check_shown("At most 10,000 rows are read.", line, &[]);
    for falsehood in [
        "10,000 rows are read.",
        "At least 10,000 rows are read.",
        "Never are 10,000 rows read.",
        "10,000 columns are written to disk.",
        "Rows are not read at most.",
        "At most 10,000 columns are read.",
        "At most 10,000 rows are written.",
    ] {
        assert_eq!(check(falsehood, line, "src/read.rs:7").len(), 1, "{falsehood}");
        assert_eq!(check(falsehood, "At most 10,000 rows are read.", "guide.md#limits").len(), 1, "{falsehood}");
    }
}

#[test]
fn a_word_in_the_place_of_another_is_told() {
    for (line, falsehood, words) in [
        ("Passwords are never written to the log.", "Passwords are always written to the log.", "always"),
        ("Passwords are never written to the log.", "User names are never written to the log.", "User names"),
        ("Retries are always logged.", "Retries are rarely logged.", "rarely"),
        ("Reading is 40% faster than before.", "Reading is 40% slower than before.", "slower"),
        ("The cache is enabled by default.", "The cache is disabled by default.", "disabled"),
    ] {
        for (text, place) in [(line.to_owned(), "guide.md#log"), (format!("# {line}\nwrite(log)\n"), "log.py:3")] {
            assert_eq!(check(line, &text, place), [""; 0], "{line}");
            let reasons = check(falsehood, &text, place);
            assert!(reasons.len() == 1 && reasons[0].contains(words), "{falsehood} at {place}: {reasons:?}");
        }
    }
}

#[track_caller]
fn check_malformed(manifest: &str, expected: &str) {
    let faults = read(manifest).faults;
    assert!(faults.iter().any(|fault| fault.message.contains(expected)), "{faults:?}");
}

#[test]
fn manifests_are_read_strictly() {
    let one = |claim: &str| format!(r#"{{"claims": [{claim}]}}"#);
    assert!(read(&one(r#"{"id": "a", "text": "t", "evidence": "a:1"}"#)).faults.is_empty());
    check_malformed("", "not a manifest");
    check_malformed("[]", "not a manifest: a list where an object should be");
    check_malformed("{}", "not a manifest: `claims` is missing");
    check_malformed(r#"{"claims": [], "verdict": "verified"}"#, "unknown field `verdict`");
    check_malformed(&one("1"), "a number where an object should be");
    check_malformed(&one(r#"{"id": "a", "text": "t"}"#), "`evidence` is missing");
    check_malformed(&one(r#"{"id": "a", "text": " ", "evidence": "a:1"}"#), "claim `a`: `text` is empty");
    check_malformed(&one(r#"{"id": "a", "text": "t", "evidence": "a:1", "ok": true}"#), "unknown field `ok`");
    check_malformed(
        &one(r#"{"id": "a", "text": "t", "evidence": "a:1", "textSha256": "12"}"#),
        "64 hexadecimal digits",
    );
    let claim = r#"{"id": "a", "text": "t", "evidence": "a:1"}"#;
    check_malformed(&one(&format!("{claim}, {claim}")), "this id is taken by another claim");
}
