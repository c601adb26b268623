//! Any claim is judged by any page; the verdict is a probability, and its passage stands on the page.

#![no_main]

use cited::claim::ClaimKind;
use cited::judge::{ClaimText, Settings, SourceText, judge};
use libfuzzer_sys::fuzz_target;

const KINDS: [ClaimKind; 4] =
    [ClaimKind::Plain, ClaimKind::Quantitative, ClaimKind::Quotation, ClaimKind::Attribution];

fuzz_target!(|input: (u8, &str, &str)| {
    let (choice, claim, page) = input;
    // What an agent copies from its source, whole or with words round it, is read beside any text.
    let page = match choice & 3 {
        0 => format!("{page} {claim}"),
        1 => format!("{claim}\n{page}"),
        _ => page.to_owned(),
    };
    let mut source = SourceText::new(&page, "").about(claim);
    source.complete = choice & 4 == 0;
    let verdict = judge(&ClaimText::new(claim, KINDS[usize::from(choice >> 4) % KINDS.len()]), &source, &Settings::default());
    assert!((0.0..=1.0).contains(&verdict.confidence), "{verdict:?}");
    assert!(verdict.passage.as_ref().is_none_or(|passage| passage.offsets.get(&page) == Some(&*passage.text)), "{verdict:?}");
});
