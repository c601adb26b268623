//! The promises hold for any text with a source list and any subset of dead and blocked sources.

#![no_main]

#[path = "../../tests/support/promises.rs"]
mod promises;

use cited::fetch::Outcome;
use libfuzzer_sys::fuzz_target;
use promises::{Script, hold, options};

const LIST: &str = "\n\n## Sources\n\n1. Title 1 — https://s1.example/1\n2. Title 2 — https://s2.example/2\n3. Title 3 — https://s3.example/3\n";

fuzz_target!(|input: (u8, &str)| {
    let (states, text) = input;
    let outcome = |shift: u8| match (states >> shift) & 3 {
        0 | 1 => Outcome::Dead,
        2 => Outcome::Live,
        _ => Outcome::Blocked,
    };
    let script = Script(vec![outcome(0), outcome(2), outcome(4)]);
    let text = if states & 0x40 == 0 { format!("{text}{LIST}") } else { text.to_owned() };
    if let Err(broken) = hold(&text, &[], &script, &options()) {
        panic!("{script:?}\n{broken}");
    }
});
