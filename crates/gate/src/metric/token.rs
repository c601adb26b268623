//! The words and signs of a short form, with their places.

use super::Fault;
use cited_text::Span;

/// A word or sign.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A name or key word, as written.
    Word(String),
    /// A name between `"` or backticks: never a key word.
    Quoted(String),
    /// A number, as written.
    Number(String),
    /// A text between `'`.
    Text(String),
    /// An operator, bracket or comma.
    Sign(&'static str),
}

/// Signs, longer ones first.
const SIGNS: [&str; 17] = ["<=", ">=", "==", "!=", "<>", "(", ")", ",", ".", "+", "-", "*", "/", "=", "<", ">", ";"];

/// The tokens of `text`.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, Span)>, Fault> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let rest = &text[at..];
        let (token, length) = match c {
            '\'' => quoted(rest, '\'', at).map(|(text, length)| (Token::Text(text), length))?,
            '"' | '`' => quoted(rest, c, at).map(|(text, length)| (Token::Quoted(text), length))?,
            _ if c.is_ascii_digit() || c == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                let length = number(rest, at)?;
                (Token::Number(rest[..length].to_owned()), length)
            }
            _ if c.is_alphabetic() || c == '_' => {
                let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                (Token::Word(rest[..length].to_owned()), length)
            }
            _ => match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => (Token::Sign(sign), sign.len()),
                None => {
                    let span = Span::new(at, at + c.len_utf8());
                    return Err(Fault::new(format!("`{c}` has no meaning here"), span));
                }
            },
        };
        out.push((token, Span::new(at, at + length)));
        at += length;
    }
    Ok(out)
}

/// A text between two marks, in which a doubled mark stands for itself, and its length with the marks.
fn quoted(rest: &str, mark: char, at: usize) -> Result<(String, usize), Fault> {
    let mut out = String::new();
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((i, c)) = chars.next() {
        if c != mark {
            out.push(c);
        } else if chars.next_if(|(_, next)| *next == mark).is_some() {
            out.push(mark);
        } else {
            return Ok((out, i + 1));
        }
    }
    Err(Fault::new(format!("{mark} is never closed"), Span::new(at, at + 1)))
}

/// The length of the number at the start of `rest`.
fn number(rest: &str, at: usize) -> Result<usize, Fault> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut length = digits(rest);
    if rest[length..].starts_with('.') {
        length += 1 + digits(&rest[length + 1..]);
    }
    if rest[length..].starts_with(['e', 'E']) {
        let exponent = &rest[length + 1..];
        let signed = usize::from(exponent.starts_with(['+', '-']));
        if digits(&exponent[signed..]) > 0 {
            length += 1 + signed + digits(&exponent[signed..]);
        }
    }
    let tail =
        rest[length..].find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').unwrap_or(rest.len() - length);
    let finite = rest[..length].parse::<f64>().is_ok_and(f64::is_finite);
    if tail == 0 && finite {
        return Ok(length);
    }
    Err(Fault::new(format!("`{}` is no number", &rest[..length + tail]), Span::new(at, at + length + tail)))
}
