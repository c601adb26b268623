//! The pass lists: a line for each row of a labelled set, with what became of it (`tests/pass/NAME.txt`). A change of the code shows there what
//! it changes, which is what a reviewer reads.

use std::path::Path;

/// Holds `lines`, what became of the rows of a set, against the list of that name; with `UPDATE_PASS=1` it is written.
#[track_caller]
pub fn hold(name: &str, lines: &[String]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pass").join(format!("{name}.txt"));
    let found = lines.join("\n") + "\n";
    if std::env::var_os("UPDATE_PASS").is_some() {
        std::fs::write(&path, &found).expect("the list is written");
        return;
    }
    let known = std::fs::read_to_string(&path).expect("the list");
    let changes = similar::TextDiff::from_lines(&known, &found).unified_diff().context_radius(0).to_string();
    assert!(changes.is_empty(), "{name}: read what changed, then keep it with UPDATE_PASS=1:\n{changes}");
}
