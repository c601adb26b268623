//! Every JSON output is held against its published schema.

use std::path::Path;
use std::sync::OnceLock;

use cited::schemas::{PUBLISHED, schema};
use jsonschema::Validator;
use libtest_mimic::Failed;
use serde_json::Value;

/// What outputs say of their shape, and the schema of it.
fn validators() -> &'static [(&'static str, Validator)] {
    static VALIDATORS: OnceLock<Vec<(&'static str, Validator)>> = OnceLock::new();
    VALIDATORS.get_or_init(|| {
        let validator = |schema: Value| jsonschema::validator_for(&schema).expect("a published schema is one");
        PUBLISHED.iter().map(|published| (published.version, validator(schema(published).to_value()))).collect()
    })
}

/// Holds an output against the schema that it names; what is not JSON or names none of ours is nothing to us.
pub fn validate(output: &[u8]) -> Result<(), Failed> {
    let Ok(value) = serde_json::from_slice::<Value>(output) else { return Ok(()) };
    let Some(named) = value.get("schema").and_then(Value::as_str).filter(|named| named.starts_with("cited/")) else {
        return Ok(());
    };
    let Some((_, validator)) = validators().iter().find(|(version, _)| *version == named) else {
        return Err(format!("the output names {named}, which is not published").into());
    };
    let errors: Vec<String> =
        validator.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    if errors.is_empty() { Ok(()) } else { Err(format!("not as {named} says:\n{}", errors.join("\n")).into()) }
}

/// The same for the JSON files of a folder.
pub fn validate_folder(folder: &Path) -> Result<(), Failed> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !path.is_symlink() {
            validate_folder(&path)?;
        } else if path.extension().is_some_and(|ending| ending == "json") && path.is_file() {
            validate(&std::fs::read(&path)?).map_err(|error| format!("{}: {error:?}", path.display()))?;
        }
    }
    Ok(())
}
