//! Reading JSON of indexes.

use serde_json::Value;

use crate::fold::unmarked;

pub(super) fn text<'v>(value: &'v Value, at: &str) -> Option<&'v str> {
    value.pointer(at)?.as_str().map(str::trim).filter(|text| !text.is_empty())
}

pub(super) fn clean(value: &Value, at: &str) -> Option<String> {
    text(value, at).map(unmarked)
}

pub(super) fn list<'v>(value: &'v Value, at: &str) -> Option<&'v Vec<Value>> {
    value.pointer(at)?.as_array()
}

/// The members of a list, or the one that stands in its place, or none.
pub(super) fn each<'v>(value: &'v Value, at: &str) -> impl Iterator<Item = &'v Value> + use<'v> {
    let found =
        value.pointer(at).map_or(&[][..], |found| found.as_array().map_or(std::slice::from_ref(found), Vec::as_slice));
    found.iter().filter(|one| !one.is_null())
}

/// The texts of a list.
pub(super) fn texts<'v>(value: &'v Value, at: &str) -> impl Iterator<Item = String> + use<'v> {
    each(value, at).filter_map(Value::as_str).map(unmarked).filter(|text| !text.is_empty())
}

/// A number, written as one or as text that begins with it.
pub(super) fn year(value: &Value, at: &str) -> Option<i16> {
    let found = value.pointer(at)?;
    found.as_i64().and_then(|year| year.try_into().ok()).or_else(|| crate::fields::year_in(found.as_str()?))
}
