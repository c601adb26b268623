//! Reading the tables of words: lines of a class, a tab, and forms with bars between them. `#` begins a remark.

use std::collections::HashMap;

/// The lines of a table: a class, and its forms with bars between them.
pub(crate) fn rows(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'))
}

/// The forms of each class of a table.
pub(crate) fn read(table: &'static str) -> HashMap<&'static str, Vec<&'static str>> {
    let mut classes: HashMap<&'static str, Vec<&'static str>> = HashMap::new();
    for (class, listed) in rows(table) {
        classes.entry(class).or_default().extend(listed.split('|'));
    }
    classes
}

/// The forms of one class of a table.
pub(crate) fn forms(table: &'static str, wanted: &'static str) -> impl Iterator<Item = &'static str> {
    rows(table).filter(move |(class, _)| *class == wanted).flat_map(|(_, listed)| listed.split('|'))
}

/// Each form of a table with its classes as bits. Classes without bits are left out.
pub(crate) fn bits(table: &'static str, classes: &[(&str, u16)]) -> HashMap<&'static str, u16> {
    let mut forms = HashMap::new();
    for (class, listed) in rows(table) {
        let Some((_, bit)) = classes.iter().find(|(name, _)| *name == class) else { continue };
        for form in listed.split('|') {
            *forms.entry(form).or_insert(0) |= bit;
        }
    }
    forms
}
