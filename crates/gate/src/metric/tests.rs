//! Short forms against the engine itself: what we compute is what their SQL gives.

use std::io::Cursor;

use proptest::prelude::*;

use super::expression::read;
use super::translate;
use crate::data::{self, Format};
use crate::engine::{Engine, Limits};
use crate::recompute::{prepare, recompute};
use crate::scalar::Scalar;

const TABLE: &str = "k,v,w,name\n1,10,0.5,a\n1,20,,b\n2,-5,1.25,a\n3,0,2,\n";

fn engine() -> Engine {
    let open = || -> std::io::Result<Box<dyn std::io::Read>> { Ok(Box::new(Cursor::new(TABLE))) };
    let scanned = data::scan("t.csv", Format::Csv, &open).unwrap();
    let mut engine = Engine::new(vec![scanned.table.clone()], Limits::default()).unwrap();
    let all = scanned.table.columns.iter().map(|column| column.name.clone()).collect();
    data::load(engine.connection(), &scanned, Format::Csv, &all, &open).unwrap();
    engine.close().unwrap();
    engine
}

#[track_caller]
fn check(metric: &str, expected: f64) {
    let mut engine = engine();
    let prepared = prepare(metric, engine.tables());
    let found = recompute(&mut engine, &prepared).unwrap_or_else(|why| panic!("{metric}: {why}"));
    assert!((found.value.as_f64() - expected).abs() < 1e-9, "{metric}: {:?}", found.value);
}

#[test]
fn short_forms_are_what_they_say() {
    check("sum(v)", 25.0);
    check("sum(v where k = 1)", 30.0);
    check("sum(v * 2 + 1 where k = 1 and name = 'a')", 21.0);
    check("sum(v where (k = 1 or k = 2) and not name = 'b')", 5.0);
    check("sum(v where (k + 1) * 2 >= 6)", -5.0);
    check("count(from t)", 4.0);
    check("count(*)", 4.0);
    check("count(w)", 3.0);
    check("count(where name is null)", 1.0);
    check("count(where name is not null and k in (1, 2))", 3.0);
    check("count(where k not in (1))", 2.0);
    check("count(where v between -5 and 10)", 3.0);
    check("count(where name like 'A%')", 2.0);
    check("count(distinct name)", 2.0);
    check("mean(w)", 1.25);
    check("median(v)", 5.0);
    check("median(v where k < 3)", 10.0);
    check("median(w)", 1.25);
    check("min(v)", -5.0);
    check("max(t.v)", 20.0);
    check("ratio(sum(v where k = 1), 4)", 7.5);
    check("delta(sum(v where k = 1), sum(v where k = 2))", 35.0);
    check("pct_change(sum(v where k = 1), sum(v where name = 'a'))", 500.0);
    check("count(*) / 8", 0.5);
    check("-sum(v) + 2 * (3 - 1)", -21.0);
    check("sum(\"v\" where `name` = 'a')", 5.0);
    check("SELECT count(*) FROM t AS x JOIN t AS y USING (k)", 6.0);
}

/// Expressions over the table of these tests.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (0..20u8).prop_map(|number| number.to_string()),
        Just("2.5".to_owned()),
        Just("sum(v)".to_owned()),
        Just("sum(v where k = 9)".to_owned()),
        Just("count(from t)".to_owned()),
        Just("mean(w where k < 3)".to_owned()),
        Just("median(v)".to_owned()),
    ];
    leaf.prop_recursive(4, 24, 2, |inner| {
        prop_oneof![
            (inner.clone(), "[-+*/]", inner.clone()).prop_map(|(a, sign, b)| format!("({a} {sign} {b})")),
            inner.clone().prop_map(|a| format!("-{a}")),
            ("ratio|delta|pct_change", inner.clone(), inner).prop_map(|(name, a, b)| format!("{name}({a}, {b})")),
        ]
    })
}

proptest! {
    #[test]
    fn arithmetic_is_that_of_the_engine(metric in expression()) {
        let mut engine = engine();
        let prepared = prepare(&metric, engine.tables());
        if let Some(sql) = prepared.sql().map(str::to_owned) {
            let ours = recompute(&mut engine, &prepared).map(|found| found.value);
            let theirs = engine.query(&sql).map(|(value, _)| value);
            match (ours, theirs) {
                (Ok(Scalar::Whole(a)), Ok(Scalar::Whole(b))) => prop_assert_eq!(a, b),
                (Ok(a), Ok(b)) => {
                    let (a, b) = (a.as_f64(), b.as_f64());
                    prop_assert!((a - b).abs() <= 1e-12 * a.abs().max(b.abs()), "{metric}: {a} {b}");
                }
                (a, b) => prop_assert!(a.is_err() == b.is_err(), "{metric}: {a:?} {b:?}"),
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused_at_a_place(metric in "[a-z0-9 ()'\"*+/<>=.,-]{0,60}|\\PC{0,30}") {
        if let Err(fault) = read(&metric) {
            prop_assert!(metric.get(fault.span.start..fault.span.end).is_some(), "{fault:?}");
        }
        let engine = engine();
        if let Ok(expression) = read(&metric) {
            let _ = translate(&metric, &expression, engine.tables());
        }
    }
}
