//! TeX formulas by Pandoc's rule, so that their brackets are never read as citations.
//!
//! An opening `$` is followed by a character that is not white space; a closing `$` comes after one and is not followed
//! by a digit; `$$…$$` may hold anything but a blank line (Pandoc's Manual, extension `tex_math_dollars`). One guard
//! is added: an amount of money (`$5 [1] and US$ rose`) is not a formula unless something between the dollars looks
//! like TeX. TeX's own marks, `\(…\)` and `\[…\]`, are escaped brackets to Markdown: they are a formula only when what they hold
//! looks like TeX.

use super::SEPARATOR;
use super::parts::{Inline, InlineKind};
use cited_text::Span;

/// Copies `inlines` to `out` with each of the `parts` of their text as an inline of its own kind.
pub(super) fn split(inlines: &[Inline], parts: &[(Span, &InlineKind)], out: &mut Vec<Inline>) {
    let mut begun = None;
    for inline in inlines {
        let mut from = inline.span.start;
        let over = &parts[parts.partition_point(|(own, _)| own.end <= from)..];
        for (own, kind) in over.iter().take_while(|(own, _)| own.start < inline.span.end) {
            if from < own.start {
                out.push(part(inline, from, own.start));
            }
            // What opens it stands for the whole; a part over several lines hides the rest.
            if begun != Some(*own) {
                begun = Some(*own);
                out.push(Inline { kind: (*kind).clone(), span: *own, link: inline.link });
            }
            from = own.end;
        }
        if from < inline.span.end {
            out.push(part(inline, from, inline.span.end));
        }
    }
}

fn part(inline: &Inline, start: usize, end: usize) -> Inline {
    let mut part = inline.clone();
    if part.kind == InlineKind::Text {
        part.span = Span::new(start.max(part.span.start), end);
    }
    part
}

/// The spans of all formulas of a leaf, in order.
pub(super) fn formulas(text: &str, inlines: &[Inline]) -> Vec<Span> {
    let mut found = between_dollars(text, inlines);
    found.extend(between_escapes(text, inlines));
    found.sort_unstable();
    found.dedup_by(|later, earlier| later.start < earlier.end);
    found
}

/// Formulas between `\(` and `\)`, or `\[` and `\]`.
fn between_escapes(text: &str, inlines: &[Inline]) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut open: Option<(usize, u8)> = None;
    for inline in inlines.iter().filter(|inline| inline.kind == InlineKind::Text && !inline.span.is_empty()) {
        // Text that begins right behind a backslash begins with what that escapes.
        let at = inline.span.start;
        if at == 0 || bytes[at - 1] != b'\\' {
            continue;
        }
        match (bytes[at], open) {
            (b'(', _) => open = Some((at - 1, b')')),
            (b'[', _) => open = Some((at - 1, b']')),
            (close, Some((start, expected))) if close == expected => {
                open = None;
                let inner = &text[start + 2..at - 1];
                let is_formula = has_command(inner)
                    || inner.contains(['=', '^', '_', '[']) && !has_words(inner) && is_indexed(inner);
                if is_formula {
                    found.push(Span::new(start, at + 1));
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether a backslash that is not escaped itself begins the name of a command.
fn has_command(inner: &str) -> bool {
    let mut rest = inner;
    while let Some((_, after)) = rest.split_once('\\') {
        if after.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return true;
        }
        rest = after.strip_prefix('\\').unwrap_or(after);
    }
    false
}

/// Whether all brackets stand right behind a single letter, as an index does.
fn is_indexed(inner: &str) -> bool {
    let ends = |before: &str| before.chars().rev().take_while(|c| c.is_alphanumeric()).collect::<String>();
    inner.split('[').rev().skip(1).map(ends).all(|end| end.chars().count() == 1 && end.contains(char::is_alphabetic))
}

/// Whether letters stand together as they do in prose.
fn has_words(inner: &str) -> bool {
    inner.split(|c: char| !c.is_alphabetic()).any(|run| run.chars().count() > 2)
}

/// Formulas between dollars.
fn between_dollars(text: &str, inlines: &[Inline]) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut dollars = Vec::new();
    for inline in inlines.iter().filter(|inline| inline.kind == InlineKind::Text) {
        for at in memchr::memchr_iter(b'$', inline.span.slice(text).as_bytes()) {
            let at = inline.span.start + at;
            if at == 0 || bytes[at - 1] != b'\\' {
                dollars.push(at);
            }
        }
    }
    let mut found = Vec::new();
    let mut i = 0;
    // A failed search for two closing dollars ends all later ones: linear.
    let mut no_double_close = false;
    while i < dollars.len() {
        let at = dollars[i];
        if dollars.get(i + 1) == Some(&(at + 1)) && !no_double_close {
            let close = (i + 2..dollars.len().saturating_sub(1)).find(|&j| dollars[j + 1] == dollars[j] + 1);
            if let Some(close) = close {
                found.push(Span::new(at, dollars[close + 1] + 1));
                i = close + 2;
                continue;
            }
            no_double_close = true;
        }
        // The next dollar decides: where it closes nothing, this one opens nothing.
        let Some(&close) = dollars.get(i + 1) else { break };
        let span = Span::new(at, close + 1);
        let opens = bytes.get(at + 1).is_some_and(|next| !next.is_ascii_whitespace() && *next != b'$');
        if opens && closes(bytes, close) && !is_money(span.slice(text)) {
            found.push(span);
            i += 1;
        }
        i += 1;
    }
    found
}

fn closes(bytes: &[u8], at: usize) -> bool {
    !bytes[at - 1].is_ascii_whitespace() && bytes.get(at + 1).is_none_or(|next| !next.is_ascii_digit())
}

/// Whether `$…$` is more likely two amounts with prose between them: starts with a digit, has a space, and no TeX sign.
fn is_money(formula: &str) -> bool {
    let inner = &formula[1..formula.len() - 1];
    inner.starts_with(|c: char| c.is_ascii_digit())
        && inner.contains(' ')
        && !inner.match_indices(['\\', '^', '_', '{', '=', '+', '<', '>']).any(|(at, sign)| is_tex(&inner[at..], sign))
}

/// Whether a sign is one of a formula, and not an escape or a comment of the Markdown that cited writes.
fn is_tex(rest: &str, sign: &str) -> bool {
    match sign {
        "\\" => !rest[1..].starts_with(['[', ']', '(', ')']),
        "<" => !rest.starts_with(SEPARATOR),
        _ => true,
    }
}

/// TeX's signs for what writers say about a number.
const OF_NUMBERS: [&str; 8] = ["times", "cdot", "sim", "approx", "pm", "geq", "leq", "text"];

/// Whether a formula relates signs (`x = 3`, `\alpha_1`) and does not just set a number in TeX (`94.2\%`, `10^7 \sim 10^8`).
pub(super) fn relates_signs(formula: &str) -> bool {
    let is_command = |rest: &str| {
        let name = rest.find(|c: char| !c.is_ascii_alphabetic()).map_or(rest, |end| &rest[..end]);
        !name.is_empty() && !OF_NUMBERS.contains(&name)
    };
    let mut letters = formula.split(|c: char| !c.is_alphabetic()).filter(|run| !run.is_empty()).peekable();
    formula.contains('=')
        || formula.split('\\').skip(1).any(is_command)
        || letters.peek().is_some() && letters.all(|run| run.chars().count() == 1)
}

#[cfg(test)]
mod tests {
    use super::relates_signs;
    use crate::markdown::{Document, InlineKind};

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let document = Document::read(text);
        let found: Vec<_> = document
            .leaves()
            .flat_map(|(id, _)| document.inlines(id))
            .filter(|inline| inline.kind == InlineKind::Math)
            .map(|inline| document.slice(inline.span))
            .collect();
        assert_eq!(found, expected, "of {text:?}");
    }

    #[test]
    fn pandocs_rule() {
        check("$x[1]$ and $y$.", &["$x[1]$", "$y$"]);
        check("from $5 to $10", &[]);
        check("US$5bn … US$7bn", &[]);
        check("costs $5,000 to $10,000 [1]. Call it $W_q$ from here.", &["$W_q$"]);
        check("$2^5 to $10 and $x$", &["$x$"]);
        check("$ x$ and $x $", &[]);
        check("\\$x$ y$", &[]);
        check("$$a[1]\nb$$ c", &["$$a[1]\nb$$"]);
        check("`$a$` $b$", &["$b$"]);
    }

    #[test]
    fn the_marks_of_tex() {
        check("\\[ \\alpha = b[1] \\] and \\(x^2\\).", &["\\[ \\alpha = b[1] \\]", "\\(x^2\\)"]);
        check("\\[\n|\\psi\\rangle\n\\]", &["\\[\n|\\psi\\rangle\n\\]"]);
        check("\\[1\\], \\[2\\] \\(a\\) \\[snake\\_case\\] \\[Pw_forum\\] \\(GDP = 5\\)", &[]);
        check("at \\(a[2]\\), \\[ v = w[1] + w[2] \\]", &["\\(a[2]\\)", "\\[ v = w[1] + w[2] \\]"]);
        check("\\(Jo[2]\\) \\(see 5[2]\\)", &[]);
        check("\\[a \\\\a\\]a [1] \\(n = 5 [1]\\)", &[]);
        check("\\(a = b", &[]);
        check("`\\(a\\)` \\\\(b = c\\\\)", &[]);
    }

    #[test]
    fn numbers_set_in_tex_are_numbers() {
        for formula in ["$x = 3$", "$E > 1$", "$$|0\\rangle$$", "\\(c_1\\)", "$P(\\theta)$"] {
            assert!(relates_signs(formula), "{formula}");
        }
        for number in ["$94.2\\%$", "$10^7\\sim 10^8$", "\\(1.26 \\times 10^{30}\\)", "$>5$", "$150–$", "$，如液晶$"]
        {
            assert!(!relates_signs(number), "{number}");
        }
    }

    #[test]
    fn money_is_no_formula() {
        check("costs $5 [1] and US$ rose", &[]);
        check("costs $5 [1]\\(a) and \\[b\\] US$ rose", &[]);
        check("$2 \\times 3$ [1]", &["$2 \\times 3$"]);
        check("$5$ is math", &["$5$"]);
    }
}
