//! The `OpenAPI` 3.1 document of the service, made from the table of tools and the types that are answered.

use schemars::Schema;
use serde_json::{Map, Value, json};

use super::jobs::Job;
use crate::serve::tools::{TOOLS, given};

/// Moves the definitions of a schema among the components, each with `prefix` before its name, and gives the rest.
fn component(schema: &Schema, prefix: &str, components: &mut Map<String, Value>) -> Value {
    let mut value = schema.clone().to_value();
    if let Some(fields) = value.as_object_mut() {
        fields.remove("$schema");
        if let Some(Value::Object(definitions)) = fields.remove("$defs") {
            for (name, mut definition) in definitions {
                point(&mut definition, prefix);
                components.insert(format!("{prefix}.{name}"), definition);
            }
        }
    }
    point(&mut value, prefix);
    value
}

/// Points references where the definitions are now.
fn point(value: &mut Value, prefix: &str) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                match field {
                    Value::String(target) if name == "$ref" => {
                        if let Some(definition) = target.strip_prefix("#/$defs/") {
                            *target = format!("#/components/schemas/{prefix}.{definition}");
                        }
                    }
                    field => point(field, prefix),
                }
            }
        }
        Value::Array(all) => all.iter_mut().for_each(|one| point(one, prefix)),
        _ => {}
    }
}

fn content(kind: &str, schema: &Value) -> Value {
    json!({kind: {"schema": schema}})
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// The responses of an operation, and that anything else is a problem.
fn or_problem(mut responses: Value) -> Value {
    responses["default"] = json!({
        "description": "Problem details (RFC 9457): the status and the words say what is wrong",
        "content": content("application/problem+json", &reference("Problem")),
        "headers": {"Retry-After": {"description": "Seconds, with 429", "schema": {"type": "integer"}}},
    });
    responses
}

/// The answer that says which job was begun.
fn accepted() -> Value {
    json!({"description": "A job was begun", "content": content("application/json", &reference("Job")),
        "headers": {"Location": {"description": "Where the job is", "schema": {"type": "string"}}}})
}

/// The tools, each a path.
fn tools(components: &mut Map<String, Value>, paths: &mut Map<String, Value>) {
    for tool in &TOOLS {
        let input = component(&(tool.input)(), &format!("{}.input", tool.name), components);
        let output = component(&(tool.output)(), &format!("{}.output", tool.name), components);
        let result = json!({"type": "object", "required": ["text", "result"],
            "properties": {"text": {"type": "string", "description": "A few lines for a model"}, "result": output}});
        let responses = json!({"200": {"description": "Done", "content": content("application/json", &result)}});
        paths.insert(
            format!("/v1/tools/{}", tool.name),
            json!({"post": {
                "operationId": tool.name, "summary": tool.title, "description": tool.description, "tags": ["tools"],
                "requestBody": {"required": true, "content": content("application/json", &input)},
                "responses": or_problem(responses),
            }}),
        );
    }
}

/// Jobs: begun, asked for, cancelled, followed.
fn jobs(paths: &mut Map<String, Value>) {
    let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    let asked = json!({"type": "object", "additionalProperties": false, "required": ["tool"],
        "properties": {"tool": {"type": "string", "enum": names}, "arguments": {"type": "object"}}});
    paths.insert(
        "/v1/jobs".to_owned(),
        json!({"post": {"operationId": "begin_job", "summary": "Begin a job", "tags": ["jobs"],
            "requestBody": {"required": true, "content": content("application/json", &asked)},
            "responses": or_problem(json!({"202": accepted()}))}}),
    );
    let id = json!({"name": "id", "in": "path", "required": true, "schema": {"type": "string"}});
    let one = json!({"200": {"description": "The job", "content": content("application/json", &reference("Job"))}});
    paths.insert(
        "/v1/jobs/{id}".to_owned(),
        json!({
            "parameters": [id],
            "get": {"operationId": "job", "summary": "A job and its result", "tags": ["jobs"],
                "responses": or_problem(one.clone())},
            "delete": {"operationId": "cancel_job", "summary": "Cancel a job", "tags": ["jobs"],
                "responses": or_problem(one)},
        }),
    );
    // Of a stream the schema is that of each event.
    let event = json!({"type": "object", "required": ["event", "data"], "properties": {
        "event": {"type": "string", "enum": ["progress", "over"]},
        "data": {"type": "string", "description": "JSON: `done`, `total` and `message`, or the job"}}});
    let events = json!({"200": {"description": "`progress` events, then one `over` with the job",
        "content": content("text/event-stream", &event)}});
    paths.insert(
        "/v1/jobs/{id}/events".to_owned(),
        json!({"parameters": [id], "get": {"operationId": "job_events", "summary": "What is going on with a job",
            "tags": ["jobs"], "responses": or_problem(events)}}),
    );
}

/// What tells of the service itself.
fn service(paths: &mut Map<String, Value>) {
    for (path, name, about, kind) in [
        ("/v1/tools", "tools", "All tools with their schemas", "application/json"),
        ("/openapi.json", "openapi", "This document", "application/json"),
        ("/metrics", "metrics", "Counts for Prometheus", "text/plain"),
        ("/healthz", "healthz", "Whether the service runs", "text/plain"),
        ("/readyz", "readyz", "Whether the service takes calls", "text/plain"),
    ] {
        let schema = if kind == "text/plain" { json!({"type": "string"}) } else { json!({}) };
        let responses = json!({"200": {"description": about, "content": content(kind, &schema)}});
        let mut operation = json!({"operationId": name, "summary": about, "tags": ["service"],
            "responses": or_problem(responses)});
        if name.ends_with('z') {
            operation["security"] = json!([]);
        }
        paths.insert(path.to_owned(), json!({"get": operation}));
    }
}

/// The document.
pub fn document() -> Value {
    let mut components = Map::new();
    components.insert(
        "Problem".to_owned(),
        json!({"type": "object", "description": "Problem details (RFC 9457)",
            "required": ["type", "title", "status", "detail"],
            "properties": {"type": {"type": "string"}, "title": {"type": "string"}, "status": {"type": "integer"},
                "detail": {"type": "string"}}}),
    );
    let job = component(&given::<Job>(), "Job", &mut components);
    components.insert("Job".to_owned(), job);
    let mut paths = Map::new();
    tools(&mut components, &mut paths);
    jobs(&mut paths);
    service(&mut paths);
    json!({
        "openapi": "3.1.0",
        "info": {"title": "cited", "version": env!("CARGO_PKG_VERSION"),
            "description": "Checks that the sources of a text say what the text says they say."},
        "security": [{"token": []}, {}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    })
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
        assert!(all.len() > 50, "{}", all.len());
        for target in all {
            let pointer = target.strip_prefix('#').unwrap();
            assert!(document.pointer(pointer).is_some(), "{target}");
        }
        for tool in &TOOLS {
            assert!(document["paths"].get(format!("/v1/tools/{}", tool.name)).is_some());
        }
    }
}
