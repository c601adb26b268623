//! Reading the tables of this room: lines of a class, a tab, and forms with bars between them.

use std::collections::HashMap;

/// The forms of each class of a table.
pub(super) fn read(table: &'static str) -> HashMap<&'static str, Vec<&'static str>> {
    let mut classes: HashMap<&'static str, Vec<&'static str>> = HashMap::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        if let Some((class, forms)) = line.split_once('\t') {
            classes.entry(class).or_default().extend(forms.split('|'));
        }
    }
    classes
}
