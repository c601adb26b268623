//! One pass over the bytes of a text: its stops, and the quotations and brackets that no sentence ends in.

use crate::Span;

/// Longest quotation or bracket, in bytes, that is kept whole. Longer ones hold passages of many sentences, or were
/// never closed.
const LONGEST: usize = 700;

/// Deepest nesting that is followed; deeper openings are ignored. Bounds the work per closing sign.
const DEEPEST: usize = 12;

/// How a sentence may end; of several signs the one that says most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum StopKind {
    /// A single full stop: the one that has other uses.
    Dot,
    /// `...`, `…`
    Ellipsis,
    /// `!` or `?`.
    Exclamation,
    /// `。！？।` and their kin, which end sentences without a space.
    Full,
}

/// How a sign may end a sentence, if it may.
pub(super) fn stop_kind(c: char) -> Option<StopKind> {
    Some(match c {
        '.' => StopKind::Dot,
        '!' | '?' | '؟' => StopKind::Exclamation,
        '…' => StopKind::Ellipsis,
        '。' | '！' | '？' | '｡' | '．' | '।' | '॥' | '۔' | '։' | '።' | '។' | '။' => StopKind::Full,
        _ => return None,
    })
}

/// The signs that close what one of the others has opened.
const CLOSING: [(char, &str); 11] = [
    (')', "("),
    (']', "["),
    ('}', "{"),
    ('」', "「"),
    ('』', "『"),
    ('）', "（("),
    ('］', "［"),
    ('】', "【"),
    ('》', "《"),
    ('〉', "〈"),
    ('”', "“„”"),
];

/// What a text holds that sentence ends depend on.
pub(super) struct Scan {
    /// The stops, in order.
    pub stops: Vec<usize>,
    /// What stands between quotes or brackets, in order, not overlapping.
    enclosed: Vec<Span>,
}

impl Scan {
    pub(super) fn read(text: &str) -> Scan {
        let mut scan = Scan { stops: Vec::new(), enclosed: Vec::new() };
        let mut open: Vec<(char, usize)> = Vec::new();
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            // A sign is ASCII, or begins as «», ؟ ۔ ։, । ። ။ ។, “”„…‹›, CJK punctuation and full-width forms do.
            let byte = bytes[at];
            if !b".!?\"()[]{}".contains(&byte) && !matches!(byte, 0xc2 | 0xd6 | 0xd8 | 0xdb | 0xe0..=0xe3 | 0xef) {
                at += 1;
                continue;
            }
            let Some(sign) = text[at..].chars().next() else { break };
            match sign {
                '(' | '[' | '{' | '「' | '『' | '（' | '［' | '【' | '《' | '〈' | '„' => {
                    push(&mut open, sign, at);
                }
                // German closes with the sign that English opens with.
                '“' if is_open(&open, '„') => scan.close(&mut open, "„", at + 3),
                '»' if is_open(&open, '«') => scan.close(&mut open, "«", at + 2),
                '«' if is_open(&open, '»') => scan.close(&mut open, "»", at + 2),
                '“' | '«' | '»' => push(&mut open, sign, at),
                '"' => {
                    let spaced = text[..at].chars().next_back().is_none_or(char::is_whitespace);
                    let opening = spaced && text[at + 1..].starts_with(char::is_alphanumeric);
                    let was_open = open.iter().rposition(|(other, _)| *other == '"');
                    match was_open {
                        // One was never closed: this one opens, whatever the count says.
                        Some(depth) if opening => {
                            open.truncate(depth);
                            push(&mut open, sign, at);
                        }
                        Some(_) => scan.close(&mut open, "\"", at + 1),
                        // After a digit it is inches.
                        None if text[..at].ends_with(|c: char| c.is_ascii_digit()) => {}
                        None => push(&mut open, sign, at),
                    }
                }
                _ if stop_kind(sign).is_some() => scan.stops.push(at),
                _ => {
                    let closed = CLOSING.iter().find(|(closing, _)| *closing == sign);
                    closed.into_iter().for_each(|(_, opening)| scan.close(&mut open, opening, at + sign.len_utf8()));
                }
            }
            at += sign.len_utf8();
        }
        scan.enclosed.sort_unstable();
        scan.enclosed.dedup_by(|later, earlier| later.start < earlier.end);
        scan
    }

    fn close(&mut self, open: &mut Vec<(char, usize)>, signs: &str, end: usize) {
        let Some(depth) = open.iter().rposition(|(sign, _)| signs.contains(*sign)) else { return };
        let start = open[depth].1;
        open.truncate(depth);
        if end - start <= LONGEST {
            self.enclosed.push(Span::new(start, end));
        }
    }

    /// Whether `offset` stands between quotes or brackets.
    pub(super) fn is_inside(&self, offset: usize) -> bool {
        let after = self.enclosed.partition_point(|span| span.end <= offset);
        self.enclosed.get(after).is_some_and(|span| span.start < offset)
    }
}

fn push(open: &mut Vec<(char, usize)>, sign: char, at: usize) {
    if open.len() == DEEPEST {
        open.remove(0);
    }
    open.push((sign, at));
}

fn is_open(open: &[(char, usize)], sign: char) -> bool {
    open.iter().any(|(other, _)| *other == sign)
}
