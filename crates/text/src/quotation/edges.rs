//! The edges of a quotation: no number is cut there, its sign is a part of it, and what turns it round should be.

use crate::lexicon::Classes;
use crate::marks::MARKS;
use crate::words::is_unspaced;

/// The words at the edges of quotations.
pub(super) static EDGES: Classes = Classes::new(include_str!("data/quotation.tsv"));

/// The word that turns a quotation round, where a folded source goes on with it in the same sentence, or begins the next one with it: *We
/// regret it. But …*
pub(super) fn turn_at(rest: &str) -> Option<&'static str> {
    let begins = |rest: &str, turn: &&'static str| {
        rest.strip_prefix(*turn).is_some_and(|tail| {
            !turn.is_ascii() && turn.starts_with(is_unspaced) || !tail.starts_with(char::is_alphanumeric)
        })
    };
    let within = rest.trim_start_matches([',', ' ', ';', '-']);
    let in_sentence = EDGES.of("turn").iter().copied().find(|turn| begins(within, turn));
    in_sentence.or_else(|| {
        let next = rest.strip_prefix(['.', '!', '。', '！'])?.trim_start();
        EDGES.of("counter").iter().copied().find(|turn| begins(next, turn))
    })
}

/// Whether a source goes on with the closing of quotation marks of its own: then it was its speaker who ended there.
pub(super) fn closes_at(behind: &str) -> bool {
    let mark = behind.trim_start_matches([',', '.', '!', '。', '，']).chars().next();
    mark.is_some_and(|c| MARKS.iter().any(|(_, closing)| closing.contains(&c)))
}

/// Whether a number goes on over `at` in a folded text: *18|.5*, *18|,500*, *18| 500*, *0.|5*, *-|5*.
pub(super) fn parts_number(text: &str, at: usize) -> bool {
    let digit = |c: char| c.is_ascii_digit();
    let (before, after) = (&text[..at], &text[at..]);
    // What joins two parts of a number stands right behind the place, or right before it.
    let (mut head, mut tail) = (before.chars(), after.chars());
    let sign = if before.ends_with(digit) {
        tail.next()
    } else if after.starts_with(digit) {
        head.next_back()
    } else {
        None
    };
    let first = head.as_str().bytes().rev().take_while(u8::is_ascii_digit).count();
    let rest = tail.as_str().bytes().take_while(u8::is_ascii_digit).count();
    let outer = head.as_str()[..head.as_str().len() - first].chars().next_back();
    let begins = outer.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '[' | '$' | '€' | '£' | '¥'));
    match sign {
        // A space groups digits by three; other than that it parts numbers.
        Some(' ') => (1..=3).contains(&first) && rest == 3 && !outer.is_some_and(char::is_alphanumeric),
        Some('.' | ',' | '\'') if first > 0 => rest > 0,
        Some('.' | '-' | '+' | '±') => first == 0 && rest > 0 && begins,
        _ => false,
    }
}

/// A stretch without what stands around its words; the sign or point that its first number begins with is kept.
pub(super) fn trimmed(folded: &str) -> &str {
    let text = folded.trim_matches(|c: char| !c.is_alphanumeric());
    let whole = folded.trim_end_matches(|c: char| !c.is_alphanumeric());
    let lead = &whole[..whole.len() - text.len()];
    let signed = lead.trim_end_matches(['-', '+', '±', '.']);
    let kept = lead.len() - signed.len();
    let parted = signed.chars().next_back().is_none_or(|c| !c.is_alphanumeric());
    if kept > 0 && kept <= '±'.len_utf8() && parted && text.starts_with(|c: char| c.is_ascii_digit()) {
        return &whole[signed.len()..];
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::fold::Folded;
    use crate::quotation::Match;

    #[test]
    fn a_quotation_is_cut_short_before_what_turns_it_round() {
        let cut = |text: &str, quotation: &str| -> Option<String> {
            let folded = Folded::new(text);
            match folded.find(text, quotation) {
                Match::CutShort(_, word) => Some(word),
                Match::Found(_) => None,
                other => panic!("{quotation}: {other:?}"),
            }
        };
        for (text, quotation, word) in [
            ("The drug is safe, unless they smoke.", "The drug is safe", Some("unless")),
            ("The treaty is binding on all members not parties to it.", "binding on all members", Some("not")),
            ("It said: “We regret the error. But the story stands.”", "We regret the error.", Some("but")),
            ("她说我们很抱歉。但是报道没错。", "我们很抱歉", Some("但")),
            ("The drug is safe. Nothing else is known.", "The drug is safe", None),
            ("The drug is safe. However, it is dear.", "The drug is safe", None),
            ("She said “the drug is safe”, but few agree.", "the drug is safe", None),
            ("The drug is safe. Butter is not.", "The drug is safe", None),
        ] {
            assert_eq!(cut(text, quotation).as_deref(), word, "{text}");
        }
    }
}
