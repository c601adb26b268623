//! Data files: what is read, and that nothing is dropped in silence.

use proptest::prelude::*;
use rusqlite::types::ValueRef;

use super::*;
use crate::engine::{Engine, TIME};

fn loaded(file: &str, text: &[u8]) -> Result<(Engine, Table), String> {
    let mut engine = Engine::new(TIME).unwrap();
    let loaded = engine.load_records(file, Format::of_name(file).unwrap(), text);
    loaded.map_err(|error| error.to_string())?;
    let table = engine.files()[0].tables[0].clone();
    Ok((engine, table))
}

/// The columns with their kinds, and all rows as the engine has them.
#[track_caller]
fn check(file: &str, text: &str, columns: &[(&str, Kind)], rows: &[&str]) {
    let (engine, table) = loaded(file, text.as_bytes()).unwrap();
    let found: Vec<(&str, Kind)> = table.columns.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
    assert_eq!(found, columns);
    let sql = format!("SELECT * FROM {}", quoted(&table.name));
    let mut statement = engine.connection.prepare(&sql).unwrap();
    let found = statement.query_map([], |row| {
        let values = (0..columns.len()).map(|index| match row.get_ref(index).unwrap() {
            ValueRef::Null => "-".to_owned(),
            ValueRef::Integer(whole) => whole.to_string(),
            ValueRef::Real(real) => format!("{real:?}"),
            ValueRef::Text(text) => format!("'{}'", String::from_utf8_lossy(text)),
            ValueRef::Blob(_) => "bytes".to_owned(),
        });
        Ok(values.collect::<Vec<_>>().join(" "))
    });
    let found: Vec<String> = found.unwrap().map(Result::unwrap).collect();
    assert_eq!(found, rows);
    assert_eq!(table.rows, rows.len() as u64);
}

#[track_caller]
fn check_refused(file: &str, text: &[u8], expected: &str) {
    assert_eq!(loaded(file, text).unwrap_err(), expected);
}

#[test]
fn columns_are_what_all_their_values_are() {
    use Kind::{Integer, Real, Text};
    let text = "\u{feff}id,share,code,name,none\r\n1,0.5,007,Ann,\r\n-2,3,12,\"B, \"\"Bo\"\"\nx\",\r\n3,,,\"\",\r\n";
    check(
        "a.csv",
        text,
        &[("id", Integer), ("share", Real), ("code", Text), ("name", Text), ("none", Text)],
        &["1 0.5 '007' 'Ann' -", "-2 3.0 '12' 'B, \"Bo\"\nx' -", "3 - - - -"],
    );
    check("a.tsv", "a\tb\n1\tx y\n", &[("a", Integer), ("b", Text)], &["1 'x y'"]);
    check("a.csv", "a;b\n1;2,5\n", &[("a", Integer), ("b", Text)], &["1 '2,5'"]);
    check("a.csv", "rowid,n\n7,1\n", &[("rowid", Integer), ("n", Integer)], &["7 1"]);
    check("a.csv", "n\n9223372036854775808\n", &[("n", Text)], &["'9223372036854775808'"]);
    check("a.csv", "n\n1e999\nNaN\n", &[("n", Text)], &["'1e999'", "'NaN'"]);
    check(
        "a.json",
        "[{\"a\": 1, \"b\": \"x\"},\n {\"b\": null, \"c\": true, \"a\": 2.5}]",
        &[("a", Real), ("b", Text), ("c", Integer)],
        &["1.0 'x' -", "2.5 - 1"],
    );
    check("a.ndjson", "{\"a\": 1}\n\n{\"a\": 2}\n", &[("a", Integer)], &["1", "2"]);
}

#[test]
fn what_does_not_fit_is_an_error_with_its_line() {
    check_refused("a.csv", b"", "a.csv: is empty: there is no data in it");
    check_refused("a.csv", b"a,b\n1,2\n3\n", "a.csv:3: 1 field where the header has 2");
    check_refused("a.csv", b"a,b\n1,2\n3,4,5\n", "a.csv:3: 3 fields where the header has 2");
    check_refused("a.csv", b"a,b\n1,\"x\n2,y\n", "a.csv:2: a quotation mark that is never closed");
    check_refused("a.csv", b"a,b\n1,\"x\"y\n", "a.csv:2: text after the closing quotation mark of a field");
    check_refused("a.csv", b"a,b\n1,\"\"y\n", "a.csv:2: text after the closing quotation mark of a field");
    check_refused(
        "a.csv",
        b"a,b\n1,\"x\ny\"\n2,\xff\n",
        "a.csv:4: not UTF-8; convert it first, for example with `iconv -f windows-1252 -t utf-8`",
    );
    check_refused("a.csv", b"a,b\n1,2\n\n3,4\n", "a.csv:3: an empty line inside the data");
    let wide: Vec<String> = (0..200_000).map(|column| format!("c{column}")).collect();
    check_refused("a.csv", wide.join(",").as_bytes(), "a.csv: more than 1000 columns");
    check_refused("a.csv", b"a,A\n1,2\n", "a.csv:1: two columns are named `A`");
    check_refused("a.csv", b"a,\n1,2\n", "a.csv:1: column 2 has no name");
    check_refused("a.json", b"{\"a\": 1}", "a.json:1: not a list of objects");
    check_refused("a.json", b"[{\"a\": 1},\n 2]", "a.json:2: a number where an object should be");
    check_refused("a.json", b"[{\"a\": 1},\n {\"a\": 1, \"a\": 2}]", "a.json:2: `a` is named twice");
    check_refused("a.json", b"[{\"a\": [1]}]", "a.json:1: `a` is a list; a value must be a number or a text");
    check_refused("a.json", b"[{\"a\": 1}", "a.json:1: EOF while parsing a list");
    check_refused("a.json", b"[{\"a\": 1}] x", "a.json:1: trailing characters");
    check_refused("a.jsonl", b"{\"a\": 1}\n{\"a\": }\n", "a.jsonl:2: expected value");
    check_refused("a.jsonl", b"{\"a\": 1}\n{\"A\": 2}\n", "a.jsonl:2: `a` and `A` differ in letter case only");
}

proptest! {
    #[test]
    fn what_was_written_as_csv_is_read_back(rows in proptest::collection::vec(("[a-z,\"\n ]{0,8}", -99i64..99), 1..20)) {
        let mut text = "t,n\n".to_owned();
        for (t, n) in &rows {
            text.push_str(&format!("\"{}\",{n}\n", t.replace('"', "\"\"")));
        }
        let (engine, _) = loaded("a.csv", text.as_bytes()).unwrap();
        let mut statement = engine.connection.prepare("SELECT coalesce(t, ''), n FROM a").unwrap();
        let found = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)));
        let found: Vec<(String, i64)> = found.unwrap().map(Result::unwrap).collect();
        prop_assert_eq!(found, rows);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        for file in ["a.csv", "a.tsv", "a.json", "a.jsonl"] {
            let _ = loaded(file, &bytes);
        }
    }
}
