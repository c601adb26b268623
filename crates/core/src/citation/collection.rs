//! Members of vectors, sets and arguments, which are written in brackets as citations are: `w = [1, 2, 3]`, `{[1], [2]}`, `f([2])`.

/// Whether brackets between `before` and `after`, both of one line, are a value and no citation.
pub(super) fn is_value(before: &str, after: &str) -> bool {
    let (before, after) = (without_brackets_at_end(before), without_brackets_at_start(after));
    let in_braces = before.ends_with('{') && after.starts_with('}');
    let takes = |name: &str| is_function(name) || is_assigned(name.trim_end());
    is_assigned(before) || in_braces || before.strip_suffix('(').is_some_and(takes) && after.starts_with(')')
}

/// Whether a text ends with a sign that takes a value. `==marked==[1]` is formatting with a citation behind it.
fn is_assigned(before: &str) -> bool {
    before.ends_with(['=', '∈', '∉', '⊂', '⊆', '←']) && !before.ends_with("==")
}

/// Whether a text ends with the name of a function: one letter. `the study([2])` cites.
fn is_function(before: &str) -> bool {
    let mut signs = before.chars().rev();
    signs.next().is_some_and(|c| c.is_ascii_alphabetic()) && signs.next().is_none_or(|c| !c.is_alphanumeric())
}

/// A text without the brackets that it ends with, and without those that are open there: of members that are vectors themselves.
fn without_brackets_at_end(text: &str) -> &str {
    let mut text = text.trim_end();
    loop {
        if let Some(rest) = text.strip_suffix('[') {
            text = rest.trim_end();
            continue;
        }
        let rest = text.strip_suffix(',').unwrap_or(text).trim_end();
        match rest.strip_suffix(']').and_then(|inner| inner.rfind('[')) {
            Some(open) => text = rest[..open].trim_end(),
            None => return text,
        }
    }
}

/// A text without the brackets that it begins with, and without those that end there.
fn without_brackets_at_start(text: &str) -> &str {
    let mut text = text.trim_start();
    loop {
        if let Some(rest) = text.strip_prefix(']') {
            text = rest.trim_start();
            continue;
        }
        let rest = text.strip_prefix(',').unwrap_or(text).trim_start();
        let inner = rest.strip_prefix('[').and_then(|inner| inner.split_once(']'));
        match inner {
            Some((_, behind)) => text = behind.trim_start(),
            None => return text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_value;

    #[test]
    fn values_are_told_by_what_stands_round_them() {
        let check = |text: &str, expected: bool| {
            let (before, rest) = text.split_once('^').unwrap();
            let after = &rest[rest.find(']').unwrap() + 1..];
            assert_eq!(is_value(before, after), expected, "{text}");
        };
        for value in [
            "w = ^[1, 2, 3] is long",
            "y=^[2, 1]",
            "{^[1], [2]}",
            "{[1], ^[2]} holds",
            "f(^[2]) = 3",
            "(u, v) = (^[3], [4])",
            "(u, v) = ([3], ^[4])",
            "A = [[1, 2], ^[3, 4]]",
        ] {
            check(value, true);
        }
        for citation in [
            "Sales rose ^[1].",
            "Sales rose (^[1]).",
            "the study(^[2])",
            "at n = 120 ^[1]",
            "==marked==^[1]",
            "with a = b, ^[2]",
            "Sales rose [1], ^[2]",
            "Sales rose [1] ^[2]",
        ] {
            check(citation, false);
        }
    }
}
