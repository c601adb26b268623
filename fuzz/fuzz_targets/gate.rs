//! Any text is read as a ledger, a manifest, criteria, a judge's answer and a metric; what is found lies where it says.

#![no_main]

use cited::gate::coverage::{Summary, coverage};
use cited::gate::criteria::{agent, read as criteria};
use cited::gate::data::Format;
use cited::gate::engine::{Engine, TIME};
use cited::gate::examine::recompute;
use cited::gate::{ledger, manifest};
use libfuzzer_sys::fuzz_target;

const TABLE: &str = "k,v,name\n1,10,a\n2,-5,b\n3,,c\n";

fuzz_target!(|text: &str| {
    let ledger = ledger::read(text);
    for finding in ledger.faults.iter().chain(ledger.claims.iter().flat_map(|claim| &claim.faults)) {
        assert!(finding.span.is_none_or(|span| text.get(span.start..span.end).is_some()), "{finding:?}");
    }
    let summary = Summary::new(&ledger.summary);
    for gap in coverage(&ledger, &summary, &|_| true).uncovered {
        assert!(ledger.summary.get(gap.span.start..gap.span.end).is_some(), "{gap:?}");
    }
    manifest::read(text);
    drop(criteria::read(text, false));
    drop(agent::weigh("c", text));
    let Ok(mut engine) = Engine::new(TIME) else { panic!("there is memory") };
    assert!(engine.load_records("t.csv", Format::Csv, TABLE.as_bytes()).is_ok());
    assert!(engine.close().is_ok());
    let _ = recompute(&engine, text);
});
