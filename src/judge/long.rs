//! Claims that are too long to be judged as one statement: judged part by part.
//!
//! A sentence of pages is mostly a list or a table that lost its lines. What one part of it lacks proves nothing against the whole, so no hard
//! check decides against such a claim; it is supported where each of its parts is.

use super::{ClaimText, Standing, Verdict};

/// The longest claim that is judged as one statement, in bytes.
pub(super) const LONGEST: usize = 4096;
/// The longest one that is judged at all.
const LONGEST_OF_ALL: usize = 16 * LONGEST;

/// The verdict on a long claim, of those on its parts; none for a claim that is judged whole.
pub(super) fn judged(claim: &ClaimText<'_>, judge: impl Fn(&ClaimText<'_>) -> Verdict) -> Option<Verdict> {
    if claim.text.len() <= LONGEST {
        return None;
    }
    if claim.text.len() > LONGEST_OF_ALL {
        return Some(Verdict::unchecked("too long to be judged as one statement"));
    }
    let of_part = |text: &str| judge(&ClaimText { text, kind: claim.kind, habit: claim.habit });
    let verdicts = parts(claim.text).map(of_part);
    let weakest = verdicts.min_by(|a, b| a.confidence.total_cmp(&b.confidence))?;
    if weakest.standing == Standing::Supported {
        return Some(weakest);
    }
    let standing = if weakest.standing == Standing::Contradicted { Standing::Unverifiable } else { weakest.standing };
    let reason = format!("in a part of the statement: {}", weakest.reason);
    Some(Verdict { standing, hard: false, against: None, reason, ..weakest })
}

/// The parts of a text, each of which ends where something ends in it.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    /// The signs at which a text is parted, the best first.
    const SIGNS: [&[char]; 3] = [&['.', '。', ';', '；', '\n'], &[',', '，', '、'], &[' ']];
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let limit = rest.floor_char_boundary(LONGEST);
        let end = if limit == rest.len() {
            limit
        } else {
            let behind = |signs: &&[char]| {
                let at = rest[..limit].rfind(|c| signs.contains(&c))?;
                Some(at + rest[at..].chars().next().map_or(0, char::len_utf8))
            };
            SIGNS.iter().find_map(behind).unwrap_or(limit)
        };
        let (part, behind) = rest.split_at(end);
        rest = behind;
        Some(part.trim())
    })
    .filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, parts};
    use crate::claim::ClaimKind;
    use crate::judge::{ClaimText, Settings, SourceText, Standing, judge};

    /// A sentence that lists what `count` mills ground.
    fn list(count: usize) -> String {
        let each = (1..=count).map(|n| format!("mill number {n} ground {} tonnes of grain", n + 20));
        format!("In 1890 {}.", each.collect::<Vec<_>>().join(", "))
    }

    #[test]
    fn parts_are_short_and_lose_nothing() {
        let text = list(300);
        let all: Vec<&str> = parts(&text).collect();
        assert!(all.len() > 2 && all.iter().all(|part| part.len() <= LONGEST));
        assert_eq!(all.join(" "), text);
        assert_eq!(parts(&"中".repeat(LONGEST)).map(str::len).sum::<usize>(), 3 * LONGEST);
    }

    #[test]
    fn a_long_statement_is_judged_part_by_part_and_never_contradicted() {
        let check = |claim: &str, page: &str| {
            let source = SourceText::new(page, "");
            let verdict = judge(&ClaimText::new(claim, ClaimKind::Quantitative), &source, &Settings::default());
            (verdict.standing, verdict.hard)
        };
        let said = list(200);
        assert_eq!(check(&said, &said).0, Standing::Supported);
        let other = said.replace("ground 150 tonnes", "ground 151 tonnes");
        let (standing, hard) = check(&other, &said);
        assert!(!matches!(standing, Standing::Supported | Standing::Contradicted) && !hard, "{standing:?}");
    }
}
