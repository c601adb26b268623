use std::borrow::Cow;

use super::tiny::{Tiny, Words};
use super::{Card, CrossEncoder, Recipe, Weights, published};
use crate::judge::meaning::{Entailment, Reading};

const CARD: &str = include_str!("../../../testdata/model/card.json");
const MODEL: &[u8] = include_bytes!("../../../testdata/model/model.onnx");
const TOKENIZER: &[u8] = include_bytes!("../../../testdata/model/tokenizer.json");

fn bytes(model: &[u8]) -> Cow<'static, [u8]> {
    Cow::Owned(model.to_vec())
}

fn check(card: &str, model: &[u8], tokenizer: &[u8], problem: &str) {
    let loaded = Card::read(card).and_then(|card| CrossEncoder::load(card.recipe(), bytes(model), tokenizer));
    let loaded = loaded.and_then(|encoder| encoder.read(&[("A passage.", "A claim.")]).map(|_| ()));
    assert!(loaded.as_ref().is_err_and(|why| why.contains(problem)), "{loaded:?} without {problem:?}");
}

#[test]
fn the_model_of_the_tests_gives_what_it_gave_when_it_was_trained() {
    let encoder = CrossEncoder::load(Card::read(CARD).unwrap().recipe(), bytes(MODEL), TOKENIZER).unwrap();
    let long = "word ".repeat(4000);
    let first = ("A man rides a red motorcycle in the street.", "A man rides.");
    let read = encoder.read(&[first, (&long, "A man rides."), ("", "A man rides.")]).unwrap();
    assert_eq!(read.len(), 3);
    for one in &read {
        assert!((0.0..=1.0).contains(&one.entails) && (0.0..=1.0).contains(&one.contradicts), "{one:?}");
    }
    // Alone or among others, a pair means the same.
    let alone = encoder.read(&[first]).unwrap();
    assert_eq!(alone[0], read[0]);
    let expected: serde_json::Value = serde_json::from_str(CARD).unwrap();
    let said = expected["example"]["probabilities"][0].as_f64().unwrap();
    let example = |name: &str| expected["example"][name].as_str().unwrap().to_owned();
    let read = encoder.read(&[(&example("premise"), &example("hypothesis"))]).unwrap();
    assert!((read[0].entails - said).abs() < 0.02, "{read:?} and {said} in the card");
}

#[test]
fn what_is_no_model_is_an_error_in_words() {
    check("{", MODEL, TOKENIZER, "card cannot be read");
    check(&CARD.replace("entailment", "yes"), MODEL, TOKENIZER, "label");
    let with = |part: &str| CARD.replacen('{', &format!("{{{part}, "), 1);
    check(&with(r#""combination": {"bias": 0, "word": 1, "entailment": 1}"#), MODEL, TOKENIZER, "unknown field");
    check(&with(r#""combination": {"bias": 1e300, "words": 1, "entailment": 1}"#), MODEL, TOKENIZER, "combination");
    check(&with(r#""entailment": 2"#), MODEL, TOKENIZER, "0 to 1");
    check(&CARD.replace("model.onnx", "../model.onnx"), MODEL, TOKENIZER, "beside the card");
    check(CARD, b"not a model", TOKENIZER, "model cannot be read");
    check(CARD, &MODEL[..MODEL.len() / 2], TOKENIZER, "cut short");
    check(CARD, MODEL, b"{}", "tokenizer cannot be read");
    check(&CARD.replace("\"neutral\",", ""), MODEL, TOKENIZER, "labels");
}

#[test]
fn a_card_without_a_fit_raises_nothing_and_one_that_never_raises_is_never_sure_enough() {
    let plain = Card::read(CARD).unwrap().recipe();
    assert!(!plain.manner.raises && matches!(plain.reading, Reading::Units { .. }), "{plain:?}");
    let fitted = r#""combination": {"bias": 0, "words": 1, "entailment": 1}, "entailment": 1.0"#;
    let fitted = Card::read(&CARD.replacen('{', &format!("{{{fitted}, "), 1)).unwrap().recipe();
    assert!(fitted.manner.raises && fitted.reading == Reading::Windows, "{fitted:?}");
    // A probability may be exactly one.
    assert!(1.0 < fitted.manner.entailment);
}

/// Loads a tiny model as its publisher gives it.
fn publish(tiny: &Tiny) -> Result<CrossEncoder, String> {
    let recipe = published::read(&tiny.config(), Some(&Tiny::tokenizer_config()))?;
    load(tiny, recipe)
}

fn load(tiny: &Tiny, recipe: Recipe) -> Result<CrossEncoder, String> {
    let beside = tiny.external.map(|name| (name.to_owned(), tiny.external_bytes()));
    let weights = Weights { model: tiny.onnx().into(), beside: beside.into_iter().collect() };
    CrossEncoder::load(recipe, weights, tiny.tokenizer().as_bytes())
}

fn says(tiny: &Tiny, passage: &str, claim: &str) -> Entailment {
    publish(tiny).unwrap().read(&[(passage, claim)]).unwrap()[0]
}

const CLAIM: &str = "the bridge is open";

#[test]
fn tokenizers_of_each_kind_and_labels_in_any_order_are_read() {
    let orders: [&[&str]; 5] = [
        &["entailment", "neutral", "contradiction"],
        &["CONTRADICTION", "NEUTRAL", "ENTAILMENT"],
        &["Neutral", "Entailment", "Contradiction"],
        &["entailment", "not_entailment"],
        &["REFUTES", "SUPPORTS", "NOT ENOUGH INFO"],
    ];
    for words in [Words::WordPiece, Words::Bpe, Words::Unigram] {
        for labels in orders {
            let tiny = Tiny { words, labels, ..Tiny::new() };
            let yes = says(&tiny, "yes the road is long", CLAIM);
            let no = says(&tiny, "the road said no", CLAIM);
            assert!(yes.entails > 0.8 && yes.contradicts < 0.1, "{words:?} {labels:?}: {yes:?}");
            let against = if labels.len() == 2 { 0.0..=0.0 } else { 0.8..=1.0 };
            assert!(no.entails < 0.1 && against.contains(&no.contradicts), "{words:?} {labels:?}: {no:?}");
        }
        let one = Tiny { words, labels: &["entailment"], ..Tiny::new() };
        assert!(says(&one, "yes", CLAIM).entails > 0.9 && says(&one, "no", CLAIM).entails < 0.1);
    }
}

#[test]
fn models_want_what_they_want() {
    let kinds = [
        Tiny { sides: true, ..Tiny::new() },
        Tiny { words: Words::Bpe, positions: Some(2), ..Tiny::new() },
        Tiny { words: Words::Unigram, positions: Some(0), sides: true, ..Tiny::new() },
        Tiny { whole_numbers: true, ..Tiny::new() },
        Tiny { external: Some("model.onnx_data"), ..Tiny::new() },
        Tiny { fixed: Some((1, 24)), ..Tiny::new() },
    ];
    for tiny in &kinds {
        let yes = says(tiny, "the council said yes", CLAIM);
        let no = says(tiny, "the council said no", CLAIM);
        assert!(yes.entails > 0.8 && no.contradicts > 0.8, "{tiny:?}: {yes:?} {no:?}");
        // The first token of the passage has its place, too.
        assert!(says(tiny, "yes", CLAIM).entails > 0.8, "{tiny:?}");
    }
    // A model that is told which side a word is on does not hear the claim speak for itself.
    assert!(says(&kinds[0], "the road", "yes").entails < 0.5 && says(&Tiny::new(), "the road", "yes").entails > 0.8);
    let other = publish(&Tiny { first_input: "decoder_input_ids", ..Tiny::new() });
    assert!(other.as_ref().is_err_and(|why| why.contains("decoder_input_ids")), "{:?}", other.err());
    let short = publish(&Tiny { fixed: Some((1, 8)), ..Tiny::new() });
    assert!(short.as_ref().is_err_and(|why| why.contains("8 tokens at most")), "{:?}", short.err());
    let many = publish(&Tiny { fixed: Some((4, 24)), ..Tiny::new() });
    assert!(many.as_ref().is_err_and(|why| why.contains("batch of any size")), "{:?}", many.err());
}

#[test]
fn a_batch_says_what_each_pair_says_alone() {
    let passages =
        ["yes", "no", "the road is long, maybe", "yes yes", "", "the council said so and the road is no road"];
    let pairs: Vec<(&str, &str)> = passages.iter().cycle().take(40).map(|passage| (*passage, CLAIM)).collect();
    for tiny in [
        Tiny::new(),
        Tiny { words: Words::Bpe, positions: Some(2), sides: true, ..Tiny::new() },
        Tiny { whole_numbers: true, ..Tiny::new() },
    ] {
        let encoder = publish(&tiny).unwrap();
        assert_eq!(encoder.counts_whole(), tiny.whole_numbers);
        let together = encoder.read(&pairs).unwrap();
        for (pair, read) in pairs.iter().zip(&together) {
            let alone = encoder.read(&[*pair]).unwrap()[0];
            let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
            let same = near(alone.entails, read.entails) && near(alone.contradicts, read.contradicts);
            assert!(same, "{pair:?}: {alone:?} {read:?}");
        }
    }
}

#[test]
fn long_inputs_are_run_in_smaller_batches() {
    let encoder = publish(&Tiny { longest: 4096, ..Tiny::new() }).unwrap();
    for (words, together) in [(20, 16), (500, 16), (1000, 4), (4000, 1)] {
        let input = encoder.windows(&"road ".repeat(words), CLAIM).unwrap().remove(0);
        let inputs: Vec<(usize, tokenizers::Encoding)> = (0..20).map(|place| (place, input.clone())).collect();
        assert_eq!(encoder.together(&inputs), together, "{words} words, {} tokens", input.len());
    }
}

#[test]
fn what_is_no_number_is_no_answer() {
    let tiny = Tiny { external: Some("model.onnx_data"), ..Tiny::new() };
    for damaged in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
        let bytes = tiny.external_bytes().chunks(4).flat_map(|_| damaged.to_le_bytes()).collect();
        let weights = Weights { model: tiny.onnx().into(), beside: vec![("model.onnx_data".to_owned(), bytes)] };
        let recipe = published::read(&tiny.config(), None).unwrap();
        let encoder = CrossEncoder::load(recipe, weights, tiny.tokenizer().as_bytes()).unwrap();
        let read = encoder.read(&[("yes", CLAIM)]);
        assert!(read.as_ref().is_err_and(|why| why.contains("no number")), "{read:?}");
    }
}

#[test]
fn what_is_longer_than_the_model_reads_is_read_in_windows() {
    for words in [Words::WordPiece, Words::Bpe, Words::Unigram] {
        let tiny = Tiny { words, longest: 32, ..Tiny::new() };
        let encoder = publish(&tiny).unwrap();
        let late = format!("{} yes", "the road is long ".repeat(30));
        let read = encoder.read(&[(&late, CLAIM), ("the road is long", CLAIM)]).unwrap();
        assert!(read[0].entails > 0.8 && read[1].entails < 0.5, "{words:?}: {read:?}");
        // Letters that are tokens of their own, and no spaces between them.
        let dense = "zq".repeat(4000);
        assert!(encoder.read(&[(&dense, CLAIM)]).unwrap()[0].entails < 0.5, "{words:?}");
        // Of a claim that does not fit nothing is said.
        let claim = "the bridge ".repeat(40);
        assert!(encoder.takes(CLAIM) && !encoder.takes(&claim));
        let read = encoder.read(&[("yes", &claim)]);
        assert!(read.as_ref().is_err_and(|why| why.contains("longer than the model reads")), "{read:?}");
    }
}

#[test]
fn files_that_do_not_belong_together_are_told() {
    let tiny = Tiny::new();
    let config = tiny.config().replace("\"vocab_size\":", "\"vocab_size\": 6, \"was\":");
    let encoder = load(&tiny, published::read(&config, None).unwrap()).unwrap();
    let read = encoder.read(&[("yes", CLAIM)]);
    assert!(read.as_ref().is_err_and(|why| why.contains("not of one model")), "{read:?}");
    let other = Tiny { labels: &["entailment", "not_entailment"], ..Tiny::new() };
    let encoder = load(&tiny, published::read(&other.config(), None).unwrap()).unwrap();
    let read = encoder.read(&[("yes", CLAIM)]);
    assert!(read.as_ref().is_err_and(|why| why.contains("3 outputs and 2 labels")), "{read:?}");
    let absent =
        Weights { model: Tiny { external: Some("model.onnx_data"), ..Tiny::new() }.onnx().into(), beside: Vec::new() };
    let recipe = published::read(&tiny.config(), None).unwrap();
    assert!(CrossEncoder::load(recipe, absent, tiny.tokenizer().as_bytes()).is_err());
}
