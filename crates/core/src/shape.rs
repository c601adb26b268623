//! The shapes of values that people, models and programs hand in as JSON: what is wrong with one, in the words of whoever wrote it.

use schemars::generate::{Contract, SchemaSettings};
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::Value;

type IsOfType = fn(&Value) -> bool;

/// The types of JSON Schema, what they are called here, and whether a value is of them.
const TYPES: [(&str, &str, IsOfType); 7] = [
    ("string", "a text", Value::is_string),
    ("integer", "a whole number", |value| value.is_u64() || value.is_i64()),
    ("number", "a number", Value::is_number),
    ("boolean", "true or false", Value::is_boolean),
    ("array", "a list", Value::is_array),
    ("object", "an object", Value::is_object),
    ("null", "null", Value::is_null),
];

/// Reads a value of this type.
///
/// # Errors
/// What is wrong with it, after its place.
pub fn read<T: DeserializeOwned + JsonSchema>(value: &Value) -> Result<T, String> {
    let read = T::deserialize(value);
    match (fault(schema::<T>().as_value(), value, read.is_ok()), read) {
        (None, Ok(read)) => Ok(read),
        (Some(why), _) => Err(why),
        (None, Err(error)) => Err(error.to_string()),
    }
}

/// The same of a text. One that is long and right is read once.
///
/// ```
/// #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
/// struct Claim { text: String }
/// let read = |text| cited_core::shape::read_text::<Claim>(text).unwrap_err();
/// assert_eq!(read(r#"{"text": []}"#), "`text`: is a list and should be a text");
/// assert_eq!(read("{}"), "`text` is missing");
/// ```
///
/// # Errors
/// What is wrong with it: it is no JSON, or not of this type.
pub fn read_text<T: DeserializeOwned + JsonSchema>(text: &str) -> Result<T, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(text).map_err(|error| match serde_json::from_str::<Value>(text) {
        Ok(value) => fault(schema::<T>().as_value(), &value, false).unwrap_or_else(|| error.to_string()),
        Err(error) => format!("it is no JSON: {error}"),
    })
}

/// The schema of what is read as this type.
pub fn schema<T: JsonSchema>() -> Schema {
    make_schema::<T>(Contract::Deserialize)
}

/// The schema of what is written as this type: what may be left out of it is not required.
pub fn output_schema<T: JsonSchema>() -> Schema {
    make_schema::<T>(Contract::Serialize)
}

/// A schema without what is of our code and not of JSON: names of types, formats such as `uint`.
fn make_schema<T: JsonSchema>(contract: Contract) -> Schema {
    let plain = |schema: &mut Schema| {
        let is_ours = |format: &Value| format.as_str().is_some_and(|name| !name.contains("date") && name != "uri");
        if schema.get("format").is_some_and(is_ours) {
            schema.remove("format");
        }
        schema.remove("title");
    };
    let mut settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(plain));
    settings.meta_schema = None;
    settings.inline_subschemas = true;
    settings.contract = contract;
    settings.into_generator().into_root_schema_for::<T>()
}

/// What is wrong with a value of this schema, after its place, as in `pages/0: …`. Serde would say it in the words of our code, and
/// reads a list as an object, field by field. A word that serde knows may be in no schema: an older one for the same.
pub fn fault(schema: &Value, value: &Value, is_read: bool) -> Option<String> {
    let (place, why) = look(schema, schema, value, "", is_read)?;
    Some(if place.is_empty() { why } else { format!("`{}`: {why}", &place[1..]) })
}

/// The place of the first fault, and what is wrong there.
fn look(root: &Value, schema: &Value, value: &Value, path: &str, is_read: bool) -> Option<(String, String)> {
    let all = alternatives(root, schema);
    let fault = |why: String| Some((path.to_owned(), why));
    // A schema that names no type lets a value be anything.
    let has_type = |schema: &Value, name: &str| strings(schema, "type").any(|own| own == name);
    let is_of = |schema: &Value| TYPES.iter().any(|(name, _, is_of)| has_type(schema, name) && is_of(value));
    if !all.iter().any(|one| one.get("type").is_none() || is_of(one)) {
        let wanted = TYPES.iter().filter(|(name, ..)| *name != "null" && all.iter().any(|one| has_type(one, name)));
        let wanted: Vec<&str> = wanted.map(|(_, words, _)| *words).collect();
        let found = TYPES.iter().find(|(.., is_of)| is_of(value)).map_or("", |(_, words, _)| words);
        return fault(format!("is {found} and should be {}", wanted.join(" or ")));
    }
    let known: Vec<&str> = all.iter().flat_map(|one| strings(one, "enum").chain(strings(one, "const"))).collect();
    if !is_read && value.is_string() && !known.is_empty() && !known.iter().any(|word| value == word) {
        return fault(format!("is {value} and should be one of {}", known.join(", ")));
    }
    let least = all.iter().find_map(|one| one.get("minimum")?.as_f64());
    if let Some(least) = least.filter(|least| value.as_f64().is_some_and(|number| number < *least)) {
        return fault(format!("is {value} and should be at least {least}"));
    }
    match value {
        Value::Array(entries) => {
            let items = all.iter().find_map(|one| one.get("items"))?;
            let mut entries = entries.iter().enumerate();
            entries.find_map(|(i, entry)| look(root, items, entry, &format!("{path}/{i}"), is_read))
        }
        Value::Object(fields) => {
            let missing =
                |of: &&Value| strings(of, "required").find(|name| !fields.contains_key(*name)).map(str::to_owned);
            // Of several shapes the one whose fields are there.
            let mut shapes = all.iter().copied().filter(|one| one.get("properties").is_some()).peekable();
            let first = shapes.peek().copied()?;
            let of = shapes.find(|one| missing(one).is_none()).unwrap_or(first);
            let known = of.get("properties")?.as_object()?;
            if let Some(name) = missing(&of) {
                return fault(format!("`{name}` is missing"));
            }
            let is_closed = of.get("additionalProperties") == Some(&Value::Bool(false));
            fields.iter().find_map(|(name, field)| match known.get(name) {
                Some(schema) => look(root, schema, field, &format!("{path}/{name}"), is_read),
                None if is_closed => {
                    let known: Vec<&str> = known.keys().map(String::as_str).collect();
                    fault(format!("unknown field `{name}`; there are {}", known.join(", ")))
                }
                None => None,
            })
        }
        _ => None,
    }
}

/// The schemas that a value may be of, one of which has to fit.
fn alternatives<'s>(root: &'s Value, schema: &'s Value) -> Vec<&'s Value> {
    let target = schema.get("$ref").and_then(Value::as_str).and_then(|target| root.pointer(target.strip_prefix('#')?));
    match (target, schema.get("anyOf").or_else(|| schema.get("oneOf"))) {
        (Some(target), _) => alternatives(root, target),
        (None, Some(Value::Array(all))) => all.iter().flat_map(|one| alternatives(root, one)).collect(),
        _ => vec![schema],
    }
}

/// The texts that a schema has under a key: one, or a list.
fn strings<'s>(schema: &'s Value, key: &str) -> impl Iterator<Item = &'s str> + use<'s> {
    let of = schema.get(key);
    let listed = of.and_then(Value::as_array).into_iter().flatten();
    listed.chain(of).filter_map(Value::as_str)
}
