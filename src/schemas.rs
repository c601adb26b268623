//! The published schemas: a row for each shape that other programs write or read.

use schemars::{JsonSchema, Schema};

use cited_core::decide::review;
use cited_gate::criteria::agent;
use cited_report::findings::checked;
use cited_report::{judgement, prose};

/// A published schema.
#[derive(Debug, Clone, Copy)]
pub struct Published {
    /// What a value of this shape has in its `schema` field, the version included: `cited/NAME/1`.
    pub version: &'static str,
    /// What it is the shape of.
    pub about: &'static str,
    /// The schema itself.
    pub make: fn() -> Schema,
}

/// Every published schema. Fields may be added within a version, never renamed or removed.
pub const PUBLISHED: &[Published] = &[
    row::<cited_report::Record>(cited_report::record::SCHEMA, "SLUG.record.json and --report FILE.record.json"),
    row::<review::Decisions>(review::SCHEMA, "`cited verify --decisions FILE`: what reviewers decided"),
    row::<prose::Mapping>(prose::SCHEMA, "`cited render RECORD`: what a record must have at least"),
    row::<checked::Report>(checked::SCHEMA, "`cited check` and `cited verify --format json`, and --report FILE.json"),
    row::<cited_core::check::baseline::Baseline>(cited_core::check::baseline::SCHEMA, "`cited check --baseline FILE`"),
    row::<cited_audit::AuditReport>(cited_audit::report::SCHEMA, "`cited audit --format json` and --report FILE.json"),
    row::<judgement::Judgement<'static>>(judgement::SCHEMA, "`cited judge CLAIM PAGE... --format json`, one a line"),
    row::<cited_works::Report>(cited_works::SCHEMA, "`cited works --format json`"),
    row::<cited_report::view::View<'static>>(cited_report::view::SCHEMA, "`cited show FILE --format json`"),
    row::<cited_gate::report::Report>(cited_gate::report::SCHEMA, "`cited gate --format json` and --report FILE.json"),
    row::<cited_gate::criteria::run::Line>("cited/gate-event/1", "a line of `cited gate --events FILE`"),
    row::<cited_gate::ledger::Shape<cited_gate::ledger::Body, String>>("cited/ledger/1", "`cited gate LEDGER`"),
    row::<cited_gate::manifest::Shape<cited_gate::manifest::Claim>>("cited/manifest/1", "`cited gate --manifest FILE`"),
    row::<cited_gate::criteria::Criteria>("cited/criteria/1", "`cited gate --criteria FILE`"),
    row::<cited_gate::criteria::plugin::Plugin>("cited/plugin/1", "criteria/NAME/plugin.json"),
    row::<cited_judge::outside::Question<'static>>(cited_judge::outside::SCHEMA, "what `cited verify --judge` asks"),
    row::<agent::Question>(agent::SCHEMA, "what a judge of a criterion is given"),
    row::<agent::Answer>("cited/criterion-answer/1", "what a judge of a criterion answers"),
];

/// A row of the table: the schema is that of `T`.
const fn row<T: JsonSchema>(version: &'static str, about: &'static str) -> Published {
    Published { version, about, make: || schemars::schema_for!(T) }
}

impl Published {
    /// The name users ask for it by.
    pub fn name(&self) -> &'static str {
        self.version.split('/').nth(1).unwrap_or(self.version)
    }
}

/// The schema with its version as its name.
pub fn schema(published: &Published) -> Schema {
    let mut schema = (published.make)();
    schema.insert("$id".to_owned(), format!("urn:{}", published.version.replace('/', ":")).into());
    let field = schema.pointer_mut("/properties/schema").and_then(|field| field.as_object_mut());
    // One that takes other versions, too, says so itself.
    if let Some(field) = field.filter(|field| !field.contains_key("enum")) {
        field.insert("const".to_owned(), published.version.into());
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_is_one_and_names_its_version() {
        for (i, published) in PUBLISHED.iter().enumerate() {
            let value = schema(published).to_value();
            jsonschema::validator_for(&value).unwrap_or_else(|error| panic!("{}: {error}", published.version));
            assert!(published.version.starts_with("cited/"), "{}", published.version);
            assert!(!PUBLISHED[..i].iter().any(|other| other.name() == published.name()));
        }
    }
}
