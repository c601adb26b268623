//! Reads answers, whatever a model writes round them: fences, a thought before it, other case, other words for the same, numbers as text or of
//! a hundred, objects in objects, trailing commas, single quotes.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use cited_text::quantity::{Measure, quantities};

/// The longest answer that is read, in bytes.
pub const LONGEST_ANSWER: usize = 64 << 10;
/// So many opening brackets of an answer are looked at.
const MOST_OBJECTS: usize = 500;
/// How models mark what they think before they answer.
const THOUGHTS: [(&str, &str); 4] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("[THINK]", "[/THINK]"),
    ("<|channel|>analysis", "<|channel|>final"),
];

/// What a judge can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opinion {
    Supported,
    Contradicted,
    NotInSource,
    Partly,
}

/// What it says about one claim.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Answer {
    pub(super) opinion: Opinion,
    pub(super) confidence: f64,
    pub(super) quotation: String,
    pub(super) missing: String,
}

/// The answers about so many claims, by their numbers from 1 on; those that can be read.
pub(super) fn read(answer: &str, claims: usize) -> BTreeMap<usize, Answer> {
    let mut given = Vec::new();
    for value in objects(answer) {
        collect(&value, None, &mut |id, answer| given.push((id, answer)));
    }
    // Some count from nought.
    let first = usize::from(!given.iter().any(|(id, _)| *id == Some(0)));
    let numbered = given.into_iter().enumerate().map(|(at, (id, answer))| {
        // Without numbers they stand in the order of the claims.
        (id.map_or(if claims == 1 { 1 } else { at + 1 }, |id| id + 1 - first), answer)
    });
    numbered.filter(|(id, _)| (1..=claims).contains(id)).collect()
}

/// The outermost JSON values of an answer, whatever a model writes round them.
pub fn objects(answer: &str) -> Vec<Value> {
    // A thought that never ends is no answer: a verdict in it is one that was weighed.
    let end = THOUGHTS.iter().filter_map(|(_, end)| Some(answer.rfind(end)? + end.len())).max();
    let begun = THOUGHTS.iter().any(|(begin, _)| answer.trim_start().starts_with(begin));
    if answer.len() > LONGEST_ANSWER || end.is_none() && begun {
        Vec::new()
    } else {
        values(&answer[end.unwrap_or(0)..])
    }
}

/// The outermost values of a text that are JSON, or nearly.
fn values(text: &str) -> Vec<Value> {
    let (mut rest, mut found) = (text, Vec::new());
    for _ in 0..MOST_OBJECTS {
        let Some(begin) = rest.find(['{', '[']) else { break };
        rest = &rest[begin..];
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        if let Some(Ok(value)) = stream.next() {
            rest = &rest[stream.byte_offset()..];
            found.push(value);
        } else if let Some((value, end)) = mended(rest) {
            rest = &rest[end..];
            found.push(value);
        } else {
            rest = &rest[1..];
        }
    }
    found
}

/// How Python writes what JSON writes otherwise.
const OF_PYTHON: [(&str, &str); 3] = [("None", "null"), ("True", "true"), ("False", "false")];

/// The value that a text begins with when its trailing commas go and its other quotes are double, and where it ends.
fn mended(text: &str) -> Option<(Value, usize)> {
    let (mut depth, mut out) = (0_usize, String::new());
    let mut open: Option<char> = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if let Some(quote) = open {
            let next = text[at + c.len_utf8()..].trim_start();
            // An apostrophe is none that closes, nor is a quotation mark inside.
            if c == quote && !escaped && next.starts_with([',', ':', '}', ']']) {
                open = None;
                out.push('"');
            } else if c == '"' && !escaped {
                out.push_str("\\\"");
            } else if c == '\n' {
                out.push_str("\\n");
            } else if !(c == '\'' && escaped) {
                out.push(c);
            } else {
                out.pop();
                out.push(c);
            }
            escaped = c == '\\' && !escaped;
            continue;
        }
        match c {
            '"' | '\'' | '“' => {
                open = Some(if c == '“' { '”' } else { c });
                out.push('"');
            }
            '{' | '[' => {
                depth += 1;
                out.push(c);
            }
            '}' | ']' => {
                out.truncate(out.trim_end().trim_end_matches(',').len());
                out.push(c);
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    let of_python =
                        |out: String, (own, json): (&str, &str)| out.replace(&format!(": {own}"), &format!(": {json}"));
                    let out = OF_PYTHON.into_iter().fold(out, of_python);
                    return Some((serde_json::from_str(&out).ok()?, at + 1));
                }
            }
            _ => out.push(c),
        }
    }
    None
}

/// Gives every object that names a verdict, with its number.
fn collect(value: &Value, key: Option<&str>, give: &mut impl FnMut(Option<usize>, Answer)) {
    match value {
        Value::Array(all) => all.iter().for_each(|one| collect(one, None, give)),
        Value::Object(object) => match answer_of(object) {
            Some(answer) => give(number(object, key), answer),
            None => object.iter().for_each(|(name, one)| collect(one, Some(name), give)),
        },
        _ => {}
    }
}

fn number(object: &Map<String, Value>, key: Option<&str>) -> Option<usize> {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>().parse().ok();
    match ["id", "claim", "number", "claim_id"].iter().find_map(|name| field(object, name)) {
        Some(Value::Number(number)) => number.as_u64().and_then(|number| usize::try_from(number).ok()),
        Some(Value::String(text)) => digits(text),
        _ => key.and_then(digits),
    }
}

fn answer_of(object: &Map<String, Value>) -> Option<Answer> {
    let verdict = ["verdict", "answer", "label"].iter().find_map(|name| field(object, name)?.as_str())?;
    let opinion = opinion(verdict)?;
    let confidence = share(field(object, "confidence"))?;
    let text = |names: &[&str]| {
        names.iter().find_map(|name| field(object, name)?.as_str()).unwrap_or_default().trim().to_owned()
    };
    let (quotation, missing) = (text(&["quotation", "quote", "sentence", "evidence"]), text(&["missing", "reason"]));
    Some(Answer { opinion, confidence, quotation, missing })
}

/// How sure a judge is, from 0 to 1, written as a part or of a hundred, as a number or a text; quite sure when it does not say.
pub fn share(confidence: Option<&Value>) -> Option<f64> {
    let confidence = match confidence {
        None | Some(Value::Null) => 1.0,
        Some(Value::Number(number)) => number.as_f64()?,
        Some(Value::String(text)) => in_words(text.trim())?,
        Some(_) => return None,
    };
    let confidence = if confidence > 1.0 { confidence / 100.0 } else { confidence };
    (0.0..=1.0).contains(&confidence).then_some(confidence)
}

/// A part or so many of a hundred, in figures or in words: *0.81*, *81%*, *8 out of 10*, *ninety percent*.
fn in_words(text: &str) -> Option<f64> {
    text.parse().ok().or_else(|| {
        let found = quantities(text);
        let q = found.first().filter(|_| found.len() == 1)?;
        Some(if q.measure == Measure::Percent { q.value / 100.0 } else { q.value })
    })
}

/// How the words begin that say that the source agrees or does not, …
const DECIDED: [&str; 5] = ["support", "entail", "confirm", "contradict", "refut"];
/// … and those that say no more beside them.
const BESIDE: [&str; 4] = ["fully", "clearly", "directly", "is"];

/// The opinion that a word for it means.
fn opinion(verdict: &str) -> Option<Opinion> {
    let plain: String = verdict.to_lowercase().chars().map(|c| if c.is_alphabetic() { c } else { ' ' }).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let begins = |stems: &[&str]| words.iter().any(|word| stems.iter().any(|stem| word.starts_with(stem)));
    if words.len() > 4 {
        return None;
    }
    // What stands beside the word may turn it round, in any language: *no support*, *non supporté*, *supported: false*.
    let is_one_of = |word: &&&str, stems: &[&str]| stems.iter().any(|stem| word.starts_with(stem));
    let alone = words.iter().filter(|word| is_one_of(word, &DECIDED)).count() == 1
        && words.iter().all(|word| is_one_of(&word, &DECIDED) || is_one_of(&word, &BESIDE));
    if begins(&["part", "weak"]) {
        Some(Opinion::Partly)
    } else if begins(&["contradict", "refut"]) {
        alone.then_some(Opinion::Contradicted)
    } else if words.contains(&"not") || begins(&["unsupport", "unverif", "absent", "neutral"]) {
        Some(Opinion::NotInSource)
    } else {
        (alone && begins(&["support", "entail", "confirm"])).then_some(Opinion::Supported)
    }
}

/// A field of an object, in whatever case its name is written.
pub fn field<'o>(object: &'o Map<String, Value>, name: &str) -> Option<&'o Value> {
    object.iter().find(|(key, _)| key.trim().eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::{Opinion, read};

    #[track_caller]
    fn check(answer: &str, claims: usize, expected: &[(usize, Opinion, f64)]) {
        let found: Vec<_> =
            read(answer, claims).into_iter().map(|(id, one)| (id, one.opinion, one.confidence)).collect();
        assert_eq!(found, expected, "{answer}");
    }

    #[test]
    fn answers_are_found_in_whatever_a_model_writes_round_them() {
        use Opinion::{Contradicted, NotInSource, Partly, Supported};
        check(r#"{"answers": [{"id": 1, "verdict": "supported", "confidence": 0.9}]}"#, 1, &[(1, Supported, 0.9)]);
        check("```json\n{\"verdict\": \"Supported.\", \"confidence\": \"90%\"}\n```", 1, &[(1, Supported, 0.9)]);
        check(
            "Sure! Here it is:\n[{\"id\": \"2\", \"verdict\": \"NOT IN SOURCE\"},{\"id\":1,\"verdict\":\"partly\"}]",
            2,
            &[(1, Partly, 1.0), (2, NotInSource, 1.0)],
        );
        check(
            "<think>{\"verdict\": \"contradicted\"}</think>{'verdict': 'supports', 'confidence': 85,}",
            1,
            &[(1, Supported, 0.85)],
        );
        check(
            r#"{"claim_1": {"verdict": "not supported"}, "claim_2": {"Verdict": "refuted"}}"#,
            2,
            &[(1, NotInSource, 1.0), (2, Contradicted, 1.0)],
        );
        check(
            r#"{"results": {"list": [{"verdict": "entailment"}, {"verdict": "unsupported"}]}}"#,
            2,
            &[(1, Supported, 1.0), (2, NotInSource, 1.0)],
        );
        check("{'quotation': 'It's the firm's own', 'verdict': 'supported'}", 1, &[(1, Supported, 1.0)]);
        check("{\"verdict\": \"supported\",\n\"quotation\": \"a\nb\"}", 1, &[(1, Supported, 1.0)]);
        for none in [
            "",
            "supported",
            "[]",
            "<think>{\"verdict\": \"supported\"}",
            r#"{"verdict": "maybe"}"#,
            r#"{"verdict": "supported", "confidence": -1}"#,
            &"{".repeat(9000),
        ] {
            check(none, 1, &[]);
        }
        check(r#"{"id": 7, "verdict": "supported"}"#, 2, &[]);
    }

    #[test]
    fn a_messy_answer_is_read_as_it_is_meant_or_not_at_all() {
        use Opinion::{Contradicted, NotInSource, Supported};
        let of = |verdict: &str| format!("{{\"id\": 1, \"verdict\": \"{verdict}\"}}");
        for (verdict, opinion) in [
            ("fully supported", Some(Supported)),
            ("is supported", Some(Supported)),
            ("NOT_SUPPORTED", Some(NotInSource)),
            ("is not entailed", Some(NotInSource)),
            ("no support found", None),
            ("isn't supported", None),
            ("lacks support", None),
            ("non supporté", None),
            ("nicht unterstützt", None),
            ("支持", None),
            ("supported: false", None),
            ("not contradicted", None),
            ("supported | contradicted", None),
            ("directly contradicted", Some(Contradicted)),
        ] {
            let expected: Vec<_> = opinion.map(|opinion| (1, opinion, 1.0)).into_iter().collect();
            check(&of(verdict), 1, &expected);
        }
        for (confidence, share) in [
            ("0.81", Some(0.81)),
            ("81", Some(0.81)),
            ("\"81%\"", Some(0.81)),
            ("\"1%\"", Some(0.01)),
            ("\"ninety percent\"", Some(0.9)),
            ("\"8 out of 10\"", Some(0.8)),
            ("null", Some(1.0)),
            ("\"high\"", None),
            ("[0.9]", None),
        ] {
            let expected: Vec<_> = share.map(|share| (1, Supported, share)).into_iter().collect();
            check(&format!("{{\"verdict\": \"supported\", \"confidence\": {confidence}}}"), 1, &expected);
        }
        let two = [(1, Supported, 1.0), (2, NotInSource, 1.0)];
        for answer in [
            // They count from nought, in words, or not at all.
            r#"{"answers": [{"id": 0, "verdict": "supported"}, {"id": 1, "verdict": "not_in_source"}]}"#,
            r#"[{"id": "Claim 1", "verdict": "supported"}, {"id": "Claim 2", "verdict": "not_in_source"}]"#,
            r#"{"verdict": "supported"} and {"verdict": "not_in_source"}"#,
            // They changed their mind.
            r#"{"id": 1, "verdict": "partly"}, {"id": 2, "verdict": "not_in_source"}. On reflection: {"id": 1, "verdict": "supported"}"#,
            "{“answers”: [{“id”: 1, “verdict”: “supported”}, {“id”: 2, “verdict”: “not_in_source”}]}",
            "{'answers': [{'id': 1, 'missing': None, 'verdict': 'supported'}, {'id': 2, 'verdict': 'not_in_source'},]}",
            r#"{"answers": [{"id": 1, "quotation": "He said "no" to it", "verdict": "supported"}, {"id": 2, "verdict": "not_in_source"}]}"#,
            "Gern! Hier ist das Ergebnis:\n{\"answers\": [{\"id\": 1, \"verdict\": \"supported\"}, {\"id\": 2, \"verdict\": \"not_in_source\"}]}",
            "[THINK]{\"id\": 2, \"verdict\": \"supported\"}[/THINK][{\"id\": 1, \"verdict\": \"supported\"}, {\"id\": 2, \"verdict\": \"not_in_source\"}]",
            "<|channel|>analysis<|message|>{\"id\": 2, \"verdict\": \"partly\"}<|end|><|start|>assistant<|channel|>final<|message|>[{\"id\": 1, \"verdict\": \"supported\"}, {\"id\": 2, \"verdict\": \"not_in_source\"}]",
        ] {
            check(answer, 2, &two);
        }
        // Cut off: what is whole counts.
        check("{\"answers\": [{\"id\": 1, \"verdict\": \"supported\"}, {\"id\": 2, \"quota", 2, &two[..1]);
        check("[THINK]It may be {\"id\": 1, \"verdict\": \"supported\"}", 2, &[]);
    }
}
