//! What Pandoc has in a line and the parser does not know: formulas, so that their brackets are never read as citations, and notes,
//! `text^[Smith 2020, https://…]`, footnotes whose text stands at their place.
//!
//! An opening `$` is followed by a character that is not white space; a closing `$` comes after one and is not followed
//! by a digit; `$$…$$` may hold anything but a blank line (Pandoc's Manual, extension `tex_math_dollars`). One guard
//! is added: an amount of money (`$5 [1] and US$ rose`) is not a formula unless something between the dollars looks
//! like TeX. TeX's own marks, `\(…\)` and `\[…\]`, are escaped brackets to Markdown: they are a formula only when what they hold
//! looks like TeX.

use super::parts::{Inline, InlineKind};
use crate::pattern::Pattern;
use cited_text::Span;

/// What may be a formula, and escapes, which are passed over.
static FORMULA: Pattern = Pattern::made(|| {
    let between = r"\\[(\[]((?:[^\\]|\\[^()\[\]])*)\\[)\]]";
    format!(r"(?s){between}|\\.|\$\$(?:[^\\]|\\.)*?\$\$|\$(?:[^\\$]|\\.)*\$")
});

/// The spans of all formulas of a leaf, in order.
pub(super) fn formulas(text: &str, inlines: &[Inline]) -> Vec<Span> {
    let is_text = |inline: &Inline| inline.kind == InlineKind::Text;
    let (start, words) = only(text, inlines, [b'$', b'\\'], is_text);
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(part) = FORMULA.captures_at(&words, at) {
        let all = part.get_match();
        let span = Span::new(start + all.start(), start + all.end());
        let inner = part.get(1).map(|inner| &text[start + inner.start()..start + inner.end()]);
        let opens = all.as_str().starts_with('$');
        let is_tex = |inner| COMMAND.is_match(inner) || inner.contains(['=', '^', '_', '[']) && !PROSE.is_match(inner);
        if inner.is_some_and(is_tex) || opens && is_between_dollars(text, span) {
            found.push(span);
            at = all.end();
        } else {
            at = if opens || inner.is_some() { all.start() + if opens { 1 } else { 2 } } else { all.end() };
        }
    }
    found
}

/// Where a leaf starts, and its bytes with all blanked that are in no such inline and escape none; nothing where it has none of these signs.
pub(super) fn only(
    text: &str,
    inlines: &[Inline],
    signs: [u8; 2],
    wanted: impl Fn(&Inline) -> bool,
) -> (usize, String) {
    let ([first, ..], Some(last)) = (inlines, inlines.last()) else { return (0, String::new()) };
    let escape = |at: usize| at - usize::from(text[..at].ends_with('\\'));
    let own = Span::new(escape(first.span.start), last.span.end);
    let mut words = String::new();
    if memchr::memchr2(signs[0], signs[1], own.slice(text).as_bytes()).is_some() {
        for inline in inlines.iter().filter(|inline| wanted(inline)) {
            let from = escape(inline.span.start).max(own.start + words.len());
            words.extend(std::iter::repeat_n('x', from - own.start - words.len()));
            words.push_str(&text[from..inline.span.end]);
        }
    }
    (own.start, words)
}

/// A command: a backslash that is not escaped itself, and a letter.
static COMMAND: Pattern = Pattern::new(r"(?s)^(?:[^\\]|\\[^A-Za-z])*\\[A-Za-z]");

/// Letters that stand together as they do in prose, and a bracket that does not stand right behind a single letter, as an index does.
static PROSE: Pattern = Pattern::new(r"\p{Alphabetic}{3}|(?:^|[^\p{Alphabetic}]|[\p{Alphabetic}\p{N}]{2})\[");

/// A sign of a formula, and no escape or comment of the Markdown that cited writes.
static SIGN: Pattern = Pattern::new(r"[\^_{=+]|(?:^|[^-])>|\\(?:[^\[\]()]|$)|<(?:[^!]|$)");

/// Whether what stands between dollars is a formula.
fn is_between_dollars(text: &str, span: Span) -> bool {
    let formula = span.slice(text);
    let inner = &formula[1..formula.len() - 1];
    let is_display = inner.len() > 1 && inner.starts_with('$') && inner.ends_with('$');
    let is_open = inner.is_empty() || inner.starts_with(|c: char| c.is_ascii_whitespace());
    let closes = !inner.ends_with(|c: char| c.is_ascii_whitespace())
        && !span.after(text).starts_with(|c: char| c.is_ascii_digit());
    // More likely two amounts with prose between them.
    let is_money = inner.starts_with(|c: char| c.is_ascii_digit()) && inner.contains(' ') && !SIGN.is_match(inner);
    is_display || !is_open && closes && !is_money
}

/// A note, with brackets in brackets; and escapes, which are passed over.
static NOTE: Pattern = Pattern::new(r"(?s)\\.|\^\[(?:[^\[\]\\]|\\.|\[(?:[^\[\]\\]|\\.)*\])*\]");

/// The most bytes of a note.
const LONGEST_NOTE: usize = 4096;

/// The notes in a leaf with these inlines, in order: brackets of code and links are none of their own. A raised number `^[3]` or link
/// `^[a](url)^` is none.
pub(super) fn notes(text: &str, inlines: &[Inline]) -> Vec<Span> {
    let is_own = |inline: &Inline| inline.kind == InlineKind::Text && inline.link.is_none();
    let (start, words) = only(text, inlines, [b'^', b'^'], is_own);
    let found = NOTE.find_iter(&words).map(|note| Span::new(start + note.start(), start + note.end()));
    let is_note = |note: &Span| {
        let own = note.slice(text);
        let is_raised = note.after(text).starts_with(['^', '(']) || note.before(text).ends_with('[');
        let has_word = || own.split(|c: char| !c.is_alphabetic()).any(|word| word.len() > 1);
        own.starts_with('^') && own.len() <= LONGEST_NOTE && !is_raised && has_word()
    };
    found.filter(is_note).collect()
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
