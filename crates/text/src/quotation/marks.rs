//! The marks of quotations, and the words at their edges by the table.

/// Pairs of marks, opening and closing. German and Chinese usage share characters with English in other places.
pub(super) const MARKS: &[(char, &[char])] = &[
    ('“', &['”', '"']),
    ('„', &['“', '”']),
    ('«', &['»']),
    ('»', &['«']),
    ('‹', &['›']),
    ('「', &['」']),
    ('『', &['』']),
    ('《', &['》']),
    ('〝', &['〟']),
    ('‘', &['’']),
    ('"', &['"']),
];

/// The words of a class of the table.
pub(super) fn class(name: &str) -> Vec<&'static str> {
    let rows = include_str!("data/quotation.tsv").lines().filter_map(|line| line.strip_prefix(name));
    rows.flat_map(|forms| forms.split('|')).collect()
}
