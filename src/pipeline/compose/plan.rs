//! What writing a brief needs to know.

use crate::pipeline::read::Read;
use cited_core::decide::Plan;

/// What a rewriting of what was read needs to know.
pub(in crate::pipeline) fn plan(read: &Read) -> Plan<'_> {
    Plan {
        document: &read.document,
        citations: read.citations_to_write(),
        claims: &read.claims,
        resolved: &read.resolved,
        listed: &read.listed,
        strays: &read.strays,
        style: read.options.style,
        registry: &read.registry,
    }
}
