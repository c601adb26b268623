//! Whether arguments have lists only where the schema has some. Serde also reads a list as an object, field by field in their order:
//! that is no shape that a schema names, and what a client means by it nobody knows.

use serde_json::Value;

/// Objects within objects that are looked into; no schema of ours goes deeper.
const DEEPEST: usize = 16;

/// Where a list stands that should be something else, as a path such as `part` or `pages/0`.
pub fn misplaced_list(schema: &Value, value: &Value) -> Option<String> {
    look(schema, schema, value, "", DEEPEST)
}

fn look(root: &Value, schema: &Value, value: &Value, path: &str, deep: usize) -> Option<String> {
    let deep = deep.checked_sub(1)?;
    let all = alternatives(root, schema, deep);
    match value {
        Value::Array(entries) => {
            if !all.iter().any(|one| may_be(one, "array")) {
                return Some(if path.is_empty() { "the whole".to_owned() } else { path.to_owned() });
            }
            let items = all.iter().filter_map(|one| one.get("items"));
            items
                .flat_map(|items| entries.iter().enumerate().map(move |at| (items, at)))
                .find_map(|(items, (i, entry))| look(root, items, entry, &below(path, &i.to_string()), deep))
        }
        Value::Object(fields) => fields.iter().find_map(|(name, field)| {
            let of = all.iter().find_map(|one| one.get("properties")?.get(name))?;
            look(root, of, field, &below(path, name), deep)
        }),
        _ => None,
    }
}

fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") }
}

/// The schemas that a value may be of, one of which has to fit.
fn alternatives<'s>(root: &'s Value, schema: &'s Value, deep: usize) -> Vec<&'s Value> {
    let Some(deep) = deep.checked_sub(1) else { return vec![schema] };
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        let found = target.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
        return found.map_or_else(|| vec![schema], |found| alternatives(root, found, deep));
    }
    match schema.get("anyOf").or_else(|| schema.get("oneOf")) {
        Some(Value::Array(all)) => all.iter().flat_map(|one| alternatives(root, one, deep)).collect(),
        _ => vec![schema],
    }
}

/// Whether a schema lets a value be of this type. One that names no type lets it be anything, unless it names the values themselves.
fn may_be(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::Array(types)) => types.iter().any(|one| one == name),
        Some(one) => one == name,
        None => schema.get("enum").is_none() && schema.get("const").is_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::TOOLS;
    use super::*;
    use serde_json::json;

    #[test]
    fn lists_stand_where_the_schema_has_them() {
        let check = |tool: &str, arguments: Value, misplaced: Option<&str>| {
            let tool = TOOLS.iter().find(|one| one.name == tool).unwrap();
            let found = misplaced_list(&(tool.input)().to_value(), &arguments);
            assert_eq!(found.as_deref(), misplaced, "{arguments}");
        };
        check("explain", json!([]), Some("the whole"));
        check("explain", json!({"code": []}), Some("code"));
        check("explain", json!({"code": null}), None);
        check("check_claim", json!({"claim": "x", "pages": [{"text": "x"}]}), None);
        check("check_claim", json!({"claim": "x", "pages": [{"text": "x"}, ["x"]]}), Some("pages/1"));
        check("check_claim", json!({"claim": "x", "pages": [], "part": [1, 2, 3]}), Some("part"));
        check("check_claim", json!({"claim": "x", "pages": [], "thresholds": [0.6]}), Some("thresholds"));
        check("check_sources", json!({"urls": ["https://a.example/"], "part": {"limit": [1]}}), Some("part/limit"));
        check("verify_draft", json!({"text": "x", "policies": {"on_dead": ["drop"]}}), Some("policies/on_dead"));
        check("verify_citations", json!({"claims": ["x"], "sources": [{"content": "x"}]}), None);
        // A ledger is whatever the gate makes of it.
        check("gate", json!({"ledger": {"claims": [[1], {"x": []}]}}), None);
        check("gate", json!({"ledger": []}), None);
    }
}
