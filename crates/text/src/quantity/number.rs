//! How one number is written: grouping, decimals, powers of ten, and Chinese and Japanese numerals.

use unicode_normalization::UnicodeNormalization;

/// Which sign a text writes before decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decimals {
    /// `1,200.5`
    Point,
    /// `1.200,5`
    Comma,
    /// The text does not say.
    Unknown,
    /// Little speaks for a comma: one word, which may be one of a name (*Rio de Janeiro*).
    PerhapsComma,
}

/// A number before its unit is known.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Number {
    /// Offset of its first figure; what reads figures alone leaves that to who asked it.
    pub start: usize,
    /// Offset just past it.
    pub end: usize,
    /// Its value.
    pub value: f64,
    /// One unit of the last place that is written.
    pub ulp: f64,
    /// The other reading of a number such as `1.200`.
    pub alternative: Option<f64>,
    /// How many digits stand in it when nothing else does; 0 when separators do.
    pub plain: usize,
    /// Components of a dotted number with three or more of them, and how many there are.
    pub dotted: Option<([u32; 4], u8)>,
    /// Whether it is written in words.
    pub spelled: bool,
}

/// More groups than any number has; what follows is not part of it.
const MAX_GROUPS: usize = 16;

/// Whole numbers of so many digits are exact, however they are read.
const EXACT_DIGITS: usize = 15;

/// The zeros of the decimal digits beyond ASCII, each followed by its nine others (Unicode, category Nd): Arabic-Indic, Persian,
/// Devanagari, Bengali, Gujarati, Tamil, Thai, full-width.
const ZEROS: [u32; 8] = [0x0660, 0x06F0, 0x0966, 0x09E6, 0x0AE6, 0x0BE6, 0x0E50, 0xFF10];

/// The value of a character as a decimal digit, those of other scripts included.
pub fn digit(c: char) -> Option<u32> {
    match c {
        '0'..='9' => Some(c as u32 - '0' as u32),
        _ if c < '\u{660}' => None,
        _ => ZEROS.iter().map(|zero| (c as u32).wrapping_sub(*zero)).find(|value| *value <= 9),
    }
}

/// The end of the run of digits at `at`, and how many they are.
fn run(text: &str, at: usize) -> (usize, usize) {
    let digits = text[at..].chars().take_while(|c| digit(*c).is_some());
    digits.fold((at, 0), |(end, count), c| (end + c.len_utf8(), count + 1))
}

/// The digits of `text`, folded to ASCII.
fn ascii(text: &str) -> String {
    text.chars().filter_map(digit).filter_map(|d| char::from_digit(d, 10)).collect()
}

/// What may stand between groups of digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Separator {
    Point,
    Comma,
    Space,
    Apostrophe,
}

/// Spaces that do not break a line: between figures they part thousands, whatever the language (ISO 80000-1, 7.3.1).
pub(super) const UNBROKEN_SPACES: [char; 5] = ['\u{A0}', '\u{202F}', '\u{2009}', '\u{2007}', '\u{2006}'];

/// The separator at `at`, with its length. A plain space separates where the text writes decimals with a comma, and elsewhere
/// between the groups of a number that stands in running words.
fn separator(text: &str, start: usize, at: usize, decimals: impl Fn() -> Decimals) -> Option<(Separator, usize)> {
    let c = text[at..].chars().next()?;
    let separator = match c {
        '.' | '．' | '\u{066B}' => Separator::Point,
        ',' | '，' | '\u{066C}' => Separator::Comma,
        '\'' | '’' => Separator::Apostrophe,
        c if UNBROKEN_SPACES.contains(&c) => Separator::Space,
        ' ' if is_thousands(&text[at + 1..]) => Separator::Space,
        ' ' if text[at + 1..].starts_with(|c: char| c.is_ascii_digit())
            && (decimals() != Decimals::Point || is_among_words(text, start)) =>
        {
            Separator::Space
        }
        _ => return None,
    };
    Some((separator, c.len_utf8()))
}

/// The letters that a text ends with.
pub(super) fn last_word(text: &str) -> &str {
    text.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default()
}

/// Whether figures in groups of three from `start` on, with spaces between, stand in running words: a word before them, or a
/// sign of money, and a word or a sign of a unit behind. In a row of figures each is a number of its own: *Tarn 912 845*.
fn is_among_words(text: &str, start: usize) -> bool {
    let before = text[..start].trim_end_matches([' ', '~', '≈', '(', '>', '<', '≥', '≤']);
    let word = before.chars().next_back();
    let led = word.is_none_or(|c| c.is_alphabetic() || matches!(c, ',' | ':' | '$' | '€' | '£' | '¥' | '.'));
    // *Boeing 737 800*: a number right behind a name is part of it.
    let last = last_word(before);
    let begins = before.len() == last.len();
    let named = text[..start].ends_with(' ') && last.starts_with(char::is_uppercase) && !begins;
    let mut rest = &text[run(text, start).0..];
    let mut groups = 0;
    while let Some(next) = rest.strip_prefix(' ').filter(|next| run(next, 0).1 > 0) {
        if run(next, 0).1 != 3 || groups == MAX_GROUPS {
            return false;
        }
        (rest, groups) = (&next[3..], groups + 1);
    }
    let behind = rest.trim_start_matches([' ', '\u{A0}']);
    let goes_on = behind.starts_with(|c: char| c.is_lowercase() || matches!(c, '%' | '€' | '$' | '£' | '°'));
    led && !named && goes_on && !text[start..].starts_with('0')
}

/// Whether a text begins with `000` and no further digit: no number does.
fn is_thousands(text: &str) -> bool {
    text.strip_prefix("000").is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Reads the digits at `at`. `decimals` is asked only where it matters.
pub(super) fn digits(text: &str, at: usize, decimals: impl Fn() -> Decimals + Copy) -> Option<Number> {
    let (first_end, first_len) = run(text, at);
    if first_len == 0 {
        return None;
    }
    if separator(text, at, first_end, decimals).is_none() && first_end - at == first_len && first_len <= EXACT_DIGITS {
        let value = text.as_bytes()[at..first_end].iter().fold(0u64, |n, digit| n * 10 + u64::from(digit - b'0'));
        let value = value as f64;
        return Some(Number { end: first_end, value, ulp: 1.0, plain: first_len, ..Number::default() });
    }
    let mut groups = vec![(at, first_end, first_len)];
    let mut separators: Vec<Separator> = Vec::new();
    let mut end = first_end;
    while groups.len() < MAX_GROUPS {
        let Some((separator, len)) = separator(text, at, end, decimals) else { break };
        let (next_end, count) = run(text, end + len);
        let grouping_only = matches!(separator, Separator::Space | Separator::Apostrophe);
        if count == 0 || (grouping_only && (count != 3 || groups.len() == 1 && first_len > 3)) {
            break;
        }
        groups.push((end + len, next_end, count));
        separators.push(separator);
        end = next_end;
    }
    Some(read(text, &groups, &separators, decimals))
}

/// Decides what the separators of a number mean.
fn read(
    text: &str,
    groups: &[(usize, usize, usize)],
    separators: &[Separator],
    decimals: impl Fn() -> Decimals,
) -> Number {
    let thousands = |from: usize, to: usize| {
        groups[0].2 <= 3 && groups[from..to].iter().all(|group| group.2 == 3) && !text[groups[0].0..].starts_with('0')
    };
    let n = groups.len();
    let Some(&last) = separators.last() else { return built(text, groups, 1, false) };
    let alike = separators.iter().all(|s| *s == last);
    if alike && n > 2 {
        let indian = last == Separator::Comma
            && groups[n - 1].2 == 3
            && groups[0].2 <= 2
            && groups[1..n - 1].iter().all(|group| group.2 == 2);
        return match last {
            _ if thousands(1, n) || indian => built(text, groups, n, false),
            // A version or a date.
            Separator::Point => {
                let end = groups[n - 1].1;
                let dotted = components(&text[groups[0].0..end]);
                Number { end, value: f64::from(dotted.0[0]), ulp: 1.0, dotted: Some(dotted), ..Number::default() }
            }
            _ => built(text, groups, 1, false),
        };
    }
    if alike {
        let ambiguous = thousands(1, 2);
        return match (last, decimals()) {
            (Separator::Space | Separator::Apostrophe, _) => built(text, groups, 2, false),
            (Separator::Point, Decimals::Comma) | (Separator::Comma, Decimals::Point) if ambiguous => {
                built(text, groups, 2, false)
            }
            (Separator::Point, Decimals::Unknown) if ambiguous => {
                let grouped = built(text, groups, 2, false);
                Number { alternative: Some(grouped.value), ..built(text, groups, 2, true) }
            }
            (Separator::Comma, Decimals::Unknown) | (_, Decimals::PerhapsComma) if ambiguous => {
                let decimal = built(text, groups, 2, true);
                Number { alternative: Some(decimal.value), ..built(text, groups, 2, false) }
            }
            (Separator::Comma, Decimals::Point) => built(text, groups, 1, false),
            _ => built(text, groups, 2, true),
        };
    }
    let inner = &separators[..n - 2];
    let grouped = inner.iter().all(|s| *s == inner[0] && *s != last);
    if grouped && matches!(last, Separator::Point | Separator::Comma) && thousands(1, n - 1) {
        built(text, groups, n, true)
    } else {
        built(text, groups, 1, false)
    }
}

/// The number whose whole part was read, with one or two decimals behind a comma, or behind a stop and a space as text has it whose
/// signs were parted: `9,99`, `98. 7`.
pub(super) fn with_decimals(text: &str, whole: &Number, sign: char) -> Option<Number> {
    let rest = text[whole.end..].strip_prefix(sign)?;
    let rest = if sign == '.' { rest.strip_prefix(' ')? } else { rest };
    let start = text.len() - rest.len();
    let (end, places) = run(text, start);
    let value: f64 = ascii(&text[start..end]).parse().ok().filter(|_| matches!(places, 1 | 2))?;
    let ulp = if places == 1 { 0.1 } else { 0.01 };
    Some(Number { end, value: whole.value + value * ulp, ulp, ..Number::default() })
}

/// How the comma between thousands stands in text whose signs were parted.
const PARTED_COMMAS: [&str; 3] = [", ", " , ", " ,"];

/// The number whose thousands stand behind a parted comma, and whether it is surely one: no number begins with a zero, so `1, 056` is one
/// and `1, 156` may be two, of which the second is kept as its other reading.
pub(super) fn parted_thousands(text: &str, at: usize, first: &Number) -> Option<(Number, bool)> {
    let (mut end, mut value, mut sure) = (first.end, first.value, false);
    let mut alternative = None;
    while let Some(rest) = PARTED_COMMAS.iter().find_map(|comma| text[end..].strip_prefix(comma)) {
        let start = text.len() - rest.len();
        let (after, count) = run(text, start);
        if count != 3 {
            break;
        }
        sure |= rest.starts_with('0');
        let group = ascii(&text[start..after]).parse::<f64>().ok()?;
        alternative = (end == first.end).then_some(group);
        value = value * 1000.0 + group;
        end = after;
    }
    let lists = text[..at].trim_end_matches(' ').ends_with(',') || text[end..].starts_with(", ") && !sure;
    let grouped = end > first.end && first.value >= 1.0 && !lists;
    grouped.then_some((Number { end, value, ulp: 1.0, alternative, ..Number::default() }, sure))
}

/// Whether a text has a number that is surely one with its thousands parted so: then others are as well.
pub(super) fn has_parted_thousands(text: &str) -> bool {
    let sample = &text[..text.floor_char_boundary(PARTED_SAMPLE)];
    let behind = |at: usize| sample[at + 2..].bytes().take_while(u8::is_ascii_digit).count() == 3;
    sample.match_indices(", 0").any(|(at, _)| sample[..at].ends_with(|c: char| c.is_ascii_digit()) && behind(at))
}

/// How much of a text is read for its habit of parting signs from figures, in bytes.
const PARTED_SAMPLE: usize = 16 * 1024;

/// The first `count` groups as one number, the last of them its decimals where it has any.
fn built(text: &str, groups: &[(usize, usize, usize)], count: usize, decimals: bool) -> Number {
    let mut all = String::new();
    for (at, (start, end, _)) in groups[..count].iter().enumerate() {
        if decimals && at + 1 == count {
            all.push('.');
        }
        all.push_str(&ascii(&text[*start..*end]));
    }
    let (_, end, places) = groups[count - 1];
    Number {
        end,
        value: all.parse().unwrap_or(f64::INFINITY),
        ulp: if decimals { 10f64.powi(-i32::try_from(places).unwrap_or(300)) } else { 1.0 },
        plain: if count == 1 { places } else { 0 },
        ..Number::default()
    }
}

/// The components between the points of a version, and how many there are.
pub(super) fn components(written: &str) -> ([u32; 4], u8) {
    let (mut parts, mut count) = ([0; 4], 0);
    for (part, digits) in parts.iter_mut().zip(written.split(['.', '．', '\u{066B}'])) {
        *part = ascii(digits).parse().unwrap_or(u32::MAX);
        count += 1;
    }
    (parts, count)
}

/// A power of ten without a factor, written with a sign or small figures: `10^25`, `10²⁵`, `10^{25}`. Gives the value and the offset just
/// past it.
pub(super) fn bare_power_of_ten(text: &str, at: usize) -> Option<(f64, usize)> {
    let written = text[at..].strip_prefix("10")?;
    let is_raised = written.starts_with(|c: char| matches!(c, '^' | '¹' | '²' | '³' | '⁰'..='⁻'));
    is_raised.then(|| exponent_of_ten(text, written)).flatten()
}

/// A power of ten after a number: `e8`, `×10^8`, `· 10⁸`. Gives the factor and the offset just past it.
pub(super) fn power_of_ten(text: &str, at: usize) -> Option<(f64, usize)> {
    let rest = &text[at..];
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let sign = exponent.starts_with(['-', '+']);
        let digits = exponent[usize::from(sign)..].bytes().take_while(u8::is_ascii_digit).count();
        let end = 1 + usize::from(sign) + digits;
        let is_one = (1..=3).contains(&digits) && !rest[end..].starts_with(|c: char| c.is_alphanumeric());
        let power = rest[1..end].parse().ok().filter(|_| is_one);
        return power.map(|power| (10f64.powi(power), at + end));
    }
    let trimmed = rest.trim_start_matches([' ', '\u{A0}']);
    let base =
        ["×", "·", "*", "x", "⋅", "\\times", "\\cdot"].into_iter().find_map(|sign| trimmed.strip_prefix(sign))?;
    let base = base.trim_start_matches([' ', '\u{A0}']).strip_prefix("10")?;
    exponent_of_ten(text, base)
}

/// The power of ten whose exponent begins `base`, a tail of `text`.
fn exponent_of_ten(text: &str, base: &str) -> Option<(f64, usize)> {
    let base = base.strip_prefix('^').unwrap_or(base);
    let base = base.strip_prefix('{').unwrap_or(base);
    let mut exponent = String::new();
    let mut used = 0;
    for c in base.chars().take(4) {
        match std::iter::once(c).nfkc().next()? {
            '-' | '−' if exponent.is_empty() => exponent.push('-'),
            digit @ '0'..='9' => exponent.push(digit),
            _ => break,
        }
        used += c.len_utf8();
    }
    let exponent: i32 = exponent.parse().ok()?;
    let end = text.len() - base.len() + used;
    let closed = text[end..].starts_with('}');
    Some((10f64.powi(exponent), end + usize::from(closed)))
}

/// A common fraction in one character at `at`, and its end: `½`, which Unicode takes apart as `1⁄2`.
pub(super) fn vulgar_fraction(text: &str, at: usize) -> Option<(f64, usize)> {
    let c = text[at..].chars().next().filter(|c| matches!(c, '¼'..='¾' | '⅐'..='⅞'))?;
    let written: String = std::iter::once(c).nfkc().collect();
    let (over, under) = written.split_once('⁄')?;
    Some((over.parse::<f64>().ok()? / under.parse::<f64>().ok()?, at + c.len_utf8()))
}

/// The value of a Chinese or Japanese numeral: a digit below ten, or a scale.
pub(super) fn han_value(c: char) -> Option<f64> {
    Some(match c {
        '〇' | '零' => 0.0,
        '一' | '壱' => 1.0,
        '二' | '两' | '兩' | '弐' => 2.0,
        '三' => 3.0,
        '四' => 4.0,
        '五' => 5.0,
        '六' => 6.0,
        '七' => 7.0,
        '八' => 8.0,
        '九' => 9.0,
        '十' => 10.0,
        '百' => 100.0,
        '千' => 1000.0,
        '万' | '萬' => 1e4,
        '亿' | '億' => 1e8,
        '兆' => 1e12,
        _ => return None,
    })
}

/// Reads the Chinese or Japanese number at `at`: its value, how many characters it has, and its end.
pub(super) fn han(text: &str, at: usize) -> Option<(f64, usize, usize)> {
    let (mut total, mut section, mut current) = (0.0, 0.0, None);
    let mut positional = String::new();
    let mut only_digits = true;
    let mut length = 0;
    let mut end = at;
    for c in text[at..].chars().take(24) {
        let Some(value) = han_value(c) else { break };
        if value < 10.0 {
            positional.push(char::from_digit(value as u32, 10)?);
            current = Some(value);
        } else if value >= 1e4 {
            section += current.take().unwrap_or(0.0);
            total += if section == 0.0 { 1.0 } else { section } * value;
            section = 0.0;
        } else {
            section += current.take().unwrap_or(1.0) * value;
        }
        only_digits &= value < 10.0;
        length += 1;
        end += c.len_utf8();
    }
    if length == 0 {
        return None;
    }
    let value = if only_digits { positional.parse().ok()? } else { total + section + current.unwrap_or(0.0) };
    Some((value, length, end))
}
