//! Plugins: named programs with a manifest, `criteria/<name>/plugin.json`. Other programs read such manifests, too: what is not known
//! here is told and left alone.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::process::ENVIRONMENT;
use cited_core::pattern::Pattern;
use cited_core::shape;

/// What a plugin says of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Plugin {
    /// Its name, that of its folder.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What it checks.
    pub description: String,
    /// The program, a path inside its folder.
    pub entrypoint: String,
    /// What it can be given.
    #[serde(default)]
    pub inputs: BTreeMap<String, InputField>,
    /// What is not known here.
    #[serde(flatten)]
    pub more: BTreeMap<String, Value>,
}

impl Plugin {
    /// The names in it that are not known here.
    pub fn unknown(&self) -> Vec<String> {
        let fields = self.inputs.iter().flat_map(|(input, field)| field.more.keys().map(move |name| (input, name)));
        let fields = fields.map(|(input, name)| format!("inputs.{input}.{name}"));
        fields.chain(self.more.keys().cloned()).collect()
    }
}

/// Something that a plugin can be given.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct InputField {
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it must be given.
    #[serde(default)]
    pub required: bool,
    /// What it is when it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// What is not known here.
    #[serde(flatten)]
    pub more: BTreeMap<String, Value>,
}

/// What a criterion gives.
pub type Inputs = BTreeMap<String, Value>;

/// The name of a plugin, which cannot lead out of the folder of plugins.
pub static NAME: Pattern = Pattern::new("^[A-Za-z0-9_-]{1,64}$");

/// Reads a manifest.
///
/// # Errors
/// When it is not in the schema, is of another name, or its entrypoint leads out of its folder.
pub fn read(manifest: &str, name: &str) -> Result<Plugin, String> {
    let plugin: Plugin = shape::read_text(manifest)?;
    if plugin.name != name {
        return Err(format!("is named `{}`, its folder `{name}`", plugin.name));
    }
    let inside =
        Path::new(&plugin.entrypoint).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if plugin.entrypoint.is_empty() || !inside {
        return Err(format!("its entrypoint `{}` is no path inside its folder", plugin.entrypoint));
    }
    Ok(plugin)
}

/// What a plugin gets: what was given, and defaults.
///
/// # Errors
/// When something required is missing, or something unknown is given.
pub fn inputs(plugin: &Plugin, given: &Inputs) -> Result<Inputs, String> {
    if let Some(unknown) = given.keys().find(|name| !plugin.inputs.contains_key(*name)) {
        return Err(format!("plugin `{}` has no input `{unknown}`", plugin.name));
    }
    let mut all = Inputs::new();
    for (name, field) in &plugin.inputs {
        match given.get(name).or(field.default.as_ref()) {
            Some(value) => drop(all.insert(name.clone(), value.clone())),
            None if field.required => return Err(format!("plugin `{}` needs the input `{name}`", plugin.name)),
            None => {}
        }
    }
    Ok(all)
}

/// The variables that inputs are given as: `INPUT_` and the name in capitals, and the name itself where it is one of a variable and not
/// of what every program gets.
pub fn variables(inputs: &Inputs) -> Vec<(String, String)> {
    let variables = |(name, value): (&String, &Value)| {
        let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let prefixed: String = name.chars().map(|c| if part(c) { c.to_ascii_uppercase() } else { '_' }).collect();
        let is_free = !ENVIRONMENT.contains(&name.as_str()) && !name.starts_with("LD_");
        let plain = is_free && name.chars().all(part) && !name.starts_with(|c: char| c.is_ascii_digit());
        // A null character ends a variable; none can hold it.
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned).replace('\0', "");
        let own = plain.then(|| (name.clone(), text.clone()));
        std::iter::once((format!("INPUT_{prefixed}"), text)).chain(own)
    };
    inputs.iter().flat_map(variables).collect()
}
