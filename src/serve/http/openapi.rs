//! The `OpenAPI` 3.1 document of the service: `openapi.json`, to which the table of tools and the type of a job are added.

use serde_json::{Value, json};

use super::jobs::Job;
use crate::serve::tools::{TOOLS, output_schema};

/// The whole document.
pub fn document() -> Value {
    let mut document: Value = serde_json::from_str(include_str!("openapi.json")).unwrap_or_default();
    document["info"]["version"] = env!("CARGO_PKG_VERSION").into();
    document["components"]["schemas"]["Job"] = output_schema::<Job>().to_value();
    let asked =
        document.pointer_mut("/paths/~1v1~1jobs/post/requestBody/content/application~1json/schema/properties/tool");
    if let Some(asked) = asked {
        asked["enum"] = TOOLS.iter().map(|tool| tool.name).collect();
    }
    for tool in TOOLS.iter() {
        let result = json!({"type": "object", "required": ["text", "result"],
            "properties": {"text": {"type": "string", "description": "A few lines for a model"}, "result": tool.output}});
        document["paths"][format!("/v1/tools/{}", tool.name)] = json!({"post": {
            "operationId": tool.name, "summary": tool.title(), "description": tool.description, "tags": ["tools"],
            "requestBody": {"required": true, "content": {"application/json": {"schema": tool.input}}},
            "responses": {
                "200": {"description": "Done", "content": {"application/json": {"schema": result}}},
                "default": {"$ref": "#/components/responses/Problem"},
            },
        }});
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All references of a value.
    fn references<'v>(value: &'v Value, all: &mut Vec<&'v str>) {
        match value {
            Value::Object(fields) => {
                all.extend(fields.get("$ref").and_then(Value::as_str));
                fields.values().for_each(|field| references(field, all));
            }
            Value::Array(list) => list.iter().for_each(|one| references(one, all)),
            _ => {}
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        let document = document();
        let mut all = Vec::new();
        references(&document, &mut all);
        assert!(all.len() > TOOLS.len(), "{}", all.len());
        for target in all {
            let pointer = target.strip_prefix('#').unwrap();
            assert!(document.pointer(pointer).is_some(), "{target}");
        }
        assert_eq!(
            document["paths"]["/v1/jobs"]["post"]["requestBody"]["content"]["application/json"]["schema"]["properties"]
                ["tool"]["enum"][0],
            TOOLS[0].name
        );
        for tool in TOOLS.iter() {
            assert!(document["paths"].get(format!("/v1/tools/{}", tool.name)).is_some());
        }
    }
}
