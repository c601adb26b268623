//! The published schemas: a row for each shape that other programs write or read.

use schemars::Schema;

/// A published schema.
#[derive(Debug, Clone, Copy)]
pub struct Published {
    /// The name users ask for it by.
    pub name: &'static str,
    /// What a value of this shape has in its `schema` field, the version included: `cited/NAME/1`.
    pub version: &'static str,
    /// What it is the shape of.
    pub about: &'static str,
    /// The schema itself.
    pub make: fn() -> Schema,
}

/// Every published schema. Fields may be added within a version, never renamed or removed.
pub const PUBLISHED: &[Published] = &[
    Published {
        name: "record",
        version: cited_report::record::SCHEMA,
        about: "SLUG.record.json and --report FILE.record.json",
        make: || schemars::schema_for!(cited_report::Record),
    },
    Published {
        name: "decisions",
        version: cited_core::decide::review::SCHEMA,
        about: "`cited verify --decisions FILE`: what reviewers decided",
        make: || schemars::schema_for!(cited_core::decide::review::Decisions),
    },
    Published {
        name: "mapping",
        version: cited_report::prose::SCHEMA,
        about: "`cited render RECORD`: what a record must have at least",
        make: || schemars::schema_for!(cited_report::prose::Mapping),
    },
    Published {
        name: "findings",
        version: cited_report::findings::json::SCHEMA,
        about: "`cited verify --format json` and --report FILE.json",
        make: || schemars::schema_for!(cited_report::findings::json::Report),
    },
    Published {
        name: "check",
        version: cited_report::findings::checked::SCHEMA,
        about: "`cited check --format json` and --report FILE.json",
        make: || schemars::schema_for!(cited_report::findings::checked::Report),
    },
    Published {
        name: "baseline",
        version: cited_core::check::baseline::SCHEMA,
        about: "`cited check --baseline FILE`",
        make: || schemars::schema_for!(cited_core::check::baseline::Baseline),
    },
    Published {
        name: "audit",
        version: cited_audit::report::SCHEMA,
        about: "`cited audit --format json` and --report FILE.json",
        make: || schemars::schema_for!(cited_audit::AuditReport),
    },
    Published {
        name: "judgement",
        version: cited_report::judgement::SCHEMA,
        about: "`cited judge CLAIM PAGE... --format json`, one a line",
        make: || schemars::schema_for!(cited_report::judgement::Judgement<'static>),
    },
    Published {
        name: "works",
        version: cited_works::SCHEMA,
        about: "`cited works --format json`",
        make: || schemars::schema_for!(cited_works::Report),
    },
    Published {
        name: "view",
        version: cited_report::view::SCHEMA,
        about: "`cited show FILE --format json`",
        make: || schemars::schema_for!(cited_report::view::View),
    },
    Published {
        name: "gate",
        version: cited_gate::report::SCHEMA,
        about: "`cited gate --format json` and --report FILE.json",
        make: || schemars::schema_for!(cited_gate::report::Report),
    },
    Published {
        name: "gate-event",
        version: "cited/gate-event/1",
        about: "a line of `cited gate --events FILE`",
        make: || schemars::schema_for!(cited_gate::criteria::events::Line),
    },
    Published {
        name: "ledger",
        version: "cited/ledger/1",
        about: "`cited gate LEDGER`",
        make: || schemars::schema_for!(cited_gate::shape::Ledger),
    },
    Published {
        name: "manifest",
        version: "cited/manifest/1",
        about: "`cited gate --manifest FILE`",
        make: || schemars::schema_for!(cited_gate::shape::Manifest),
    },
    Published {
        name: "criteria",
        version: "cited/criteria/1",
        about: "`cited gate --criteria FILE`",
        make: || schemars::schema_for!(cited_gate::criteria::read::CriteriaFile),
    },
    Published {
        name: "plugin",
        version: "cited/plugin/1",
        about: "criteria/NAME/plugin.json",
        make: || schemars::schema_for!(cited_gate::criteria::plugin::Plugin),
    },
    Published {
        name: "judge",
        version: cited_judge::outside::SCHEMA,
        about: "what `cited verify --judge` asks",
        make: || schemars::schema_for!(cited_judge::outside::Question<'static>),
    },
    Published {
        name: "criterion-question",
        version: cited_gate::criteria::agent::SCHEMA,
        about: "what a judge of a criterion is given",
        make: || schemars::schema_for!(cited_gate::criteria::agent::Question),
    },
    Published {
        name: "criterion-answer",
        version: "cited/criterion-answer/1",
        about: "what a judge of a criterion answers",
        make: || schemars::schema_for!(cited_gate::criteria::agent::Answer),
    },
];

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
            jsonschema::validator_for(&value).unwrap_or_else(|error| panic!("{}: {error}", published.name));
            assert!(published.version.starts_with(&format!("cited/{}/", published.name)), "{}", published.name);
            assert!(!PUBLISHED[..i].iter().any(|other| other.name == published.name));
        }
    }
}
