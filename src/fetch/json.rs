//! JSON as a reader sees it: what an object says of itself as lines of names and values, lists of like objects as tables, all below headings
//! with the names that lead to them.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// A table with more columns is data for programs.
const MOST_COLUMNS: usize = 60;
/// Objects are rows of one table when this part of its cells is written.
const WRITTEN: f64 = 0.5;
/// A longer value stands below its name and not beside it, in bytes.
const LONGEST_BESIDE: usize = 200;

/// A value, its members in the order of the page.
enum Node {
    Scalar(String),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

/// The text of a page of JSON; `None` when it is none.
///
/// Linear in the page: what is no table of like objects is written member by member.
pub(super) fn text_of(source: &str) -> Option<String> {
    let node: Node = serde_json::from_str(source).ok()?;
    if matches!(node, Node::Scalar(_)) {
        return None;
    }
    let mut out = String::new();
    write(&node, "", &mut out);
    Some(out.trim_matches('\n').to_owned())
}

/// Writes a value that this name leads to.
fn write(node: &Node, name: &str, out: &mut String) {
    match node {
        Node::Scalar(value) => field(name, value, out),
        Node::List(items) => list(items, name, out),
        Node::Object(members) => {
            heading(name, out);
            let (own, inner): (Vec<_>, Vec<_>) = members.iter().partition(|(_, node)| node.is_said_beside());
            for (name, node) in own.into_iter().chain(inner) {
                write(node, &spoken(name), out);
            }
        }
    }
}

fn list(items: &[Node], name: &str, out: &mut String) {
    if let Some(values) = items.iter().map(Node::scalar).collect::<Option<Vec<_>>>() {
        let joined = values.iter().filter(|value| !value.is_empty()).copied().collect::<Vec<_>>().join(", ");
        if joined.len() <= LONGEST_BESIDE {
            return field(name, &joined, out);
        }
        heading(name, out);
        for value in values.into_iter().filter(|value| !value.is_empty()) {
            line(&["- ", value].concat(), out);
        }
        return out.push('\n');
    }
    heading(name, out);
    if table(items, out) {
        return;
    }
    for item in items {
        match item {
            Node::Object(members) => {
                // An item is known by the first thing that it says of itself.
                let label = members.iter().find_map(|(_, node)| node.scalar().filter(|value| !value.is_empty()));
                write(item, label.unwrap_or_default(), out);
            }
            _ => write(item, "", out),
        }
        blank(out);
    }
}

/// Writes objects, or lists, of values as the rows of a table, when that is what they are.
fn table(items: &[Node], out: &mut String) -> bool {
    let mut columns: Vec<&str> = Vec::new();
    let mut rows: Vec<Vec<&str>> = Vec::new();
    let mut written = 0;
    for item in items {
        let mut row = vec![""; columns.len()];
        match item {
            Node::Object(members) => {
                for (name, node) in members {
                    let Some(value) = node.scalar() else { return false };
                    let at = columns.iter().position(|column| column == name).unwrap_or_else(|| {
                        columns.push(name);
                        row.push("");
                        columns.len() - 1
                    });
                    if columns.len() > MOST_COLUMNS {
                        return false;
                    }
                    row[at] = value;
                }
            }
            Node::List(values) if columns.is_empty() && values.len() <= MOST_COLUMNS => {
                let Some(values) = values.iter().map(Node::scalar).collect() else { return false };
                row = values;
            }
            _ => return false,
        }
        written += row.iter().filter(|value| !value.is_empty()).count();
        rows.push(row);
    }
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    if rows.len() < 2 || width < 2 || (written as f64) < WRITTEN * (rows.len() * width) as f64 {
        return false;
    }
    if !columns.is_empty() {
        line(&columns.into_iter().map(spoken).collect::<Vec<_>>().join("\t"), out);
    }
    for row in rows {
        line(&row.into_iter().map(one_line).collect::<Vec<_>>().join("\t"), out);
    }
    blank(out);
    true
}

/// A name with its value: beside it, or below when it is long.
fn field(name: &str, value: &str, out: &mut String) {
    if value.is_empty() {
        return;
    }
    if name.is_empty() || value.len() > LONGEST_BESIDE || value.contains('\n') {
        heading(name, out);
        value.lines().for_each(|part| line(part, out));
        return blank(out);
    }
    line(&[name, ": ", value].concat(), out);
}

fn heading(name: &str, out: &mut String) {
    if !name.is_empty() {
        blank(out);
        line(name, out);
        blank(out);
    }
}

fn line(text: &str, out: &mut String) {
    out.push_str(text.trim_end());
    out.push('\n');
}

fn blank(out: &mut String) {
    if !out.is_empty() && !out.ends_with("\n\n") {
        out.push('\n');
    }
}

fn one_line(value: &str) -> String {
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name in words: `daily_riders` and `dailyRiders` are *daily riders*.
fn spoken(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut letters = name.chars().peekable();
    let mut before = ' ';
    while let Some(c) = letters.next() {
        let begins = before.is_lowercase() && c.is_uppercase();
        if begins {
            out.push(' ');
        }
        match c {
            '_' | '\t' | '\n' | '\r' => out.push(' '),
            _ if begins && letters.peek().is_some_and(|next| next.is_lowercase()) => out.extend(c.to_lowercase()),
            _ => out.push(c),
        }
        before = c;
    }
    out.trim().to_owned()
}

impl Node {
    fn scalar(&self) -> Option<&str> {
        match self {
            Node::Scalar(value) => Some(value),
            _ => None,
        }
    }

    /// Whether it is written beside its name, and needs no heading.
    fn is_said_beside(&self) -> bool {
        match self {
            Node::Scalar(value) => value.len() <= LONGEST_BESIDE && !value.contains('\n'),
            Node::List(items) => {
                let length = items.iter().map(|item| item.scalar().map(|value| value.len() + 2)).sum::<Option<usize>>();
                length.is_some_and(|length| length <= LONGEST_BESIDE)
            }
            Node::Object(_) => false,
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Scalar(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Scalar(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Scalar(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Scalar(value.to_string()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Scalar(super::plain::normalise(value)))
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Scalar(String::new()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut members = Vec::new();
        while let Some((name, node)) = map.next_entry::<String, Node>()? {
            members.push((super::plain::normalise(&name), node));
        }
        Ok(Node::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::text_of;

    #[test]
    fn objects_are_fields_and_lists_of_them_are_tables() {
        for (source, expected) in [
            (r#"{"network": "Velda", "builtIn": 1987, "closed": null}"#, "network: Velda\nbuilt in: 1987"),
            (
                r#"{"lines": [{"name": "Hill", "length_km": 6.80}, {"name": "Ring", "daily": 21}], "city": "Orsund"}"#,
                "city: Orsund\n\nlines\n\nname\tlength km\tdaily\nHill\t6.8\nRing\t\t21",
            ),
            (r#"{"depot": {"trams": 38, "tags": ["old", "red"]}}"#, "depot\n\ntrams: 38\ntags: old, red"),
            (r#"[["Place", "Rain"], ["Tarn", 41]]"#, "Place\tRain\nTarn\t41"),
            (
                r#"[{"id": "a1", "sizes": {"m": 3}}, {"id": "b2", "sizes": {"m": 5}}]"#,
                "a1\n\nid: a1\n\nsizes\n\nm: 3\n\nb2\n\nid: b2\n\nsizes\n\nm: 5",
            ),
        ] {
            assert_eq!(text_of(source).as_deref(), Some(expected), "{source}");
        }
        for source in ["{\"cut\": [1, 2", "\"a text\"", "42", ""] {
            assert_eq!(text_of(source), None, "{source}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_page_is_written_in_little_more_than_its_length(source in "[\\[\\]{}\",: a-c0-9]{0,80}") {
            let length = text_of(&source).map_or(0, |text| text.len());
            proptest::prop_assert!(length <= source.len() * 4);
        }
    }
}
