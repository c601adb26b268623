//! Models for tests, made on the spot: each sums up what its tokens weigh. `yes` speaks for entailment, `no` for
//! contradiction, `maybe` for neither, any other token for nothing; padding that is read says `no`.

use std::path::Path;

use serde_json::{Value, json};

/// How text becomes tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Words {
    /// As BERT has it.
    WordPiece,
    /// As `RoBERTa` has it.
    Bpe,
    /// As XLM-R and `DeBERTa` have it.
    Unigram,
}

/// A model to be made.
#[derive(Debug, Clone)]
pub struct Tiny {
    /// Its tokenizer.
    pub words: Words,
    /// Its labels, by place.
    pub labels: &'static [&'static str],
    /// Whether it counts with whole numbers that are scaled by the input.
    pub whole_numbers: bool,
    /// The file beside it that its weights are in.
    pub external: Option<&'static str>,
    /// Whether it wants `token_type_ids`: then the claim's own words count for nothing.
    pub sides: bool,
    /// Whether it wants `position_ids`, and where they begin.
    pub positions: Option<usize>,
    /// Tokens of its longest input.
    pub longest: usize,
    /// Pairs and tokens of its only input, when it takes no other.
    pub fixed: Option<(u64, u64)>,
    /// The name of its first input.
    pub first_input: &'static str,
}

const KNOWN: [&str; 14] =
    ["yes", "no", "maybe", "the", "bridge", "is", "open", "long", "word", "council", "said", "so", "road", "lorries"];

impl Tiny {
    /// A model of the usual shape.
    pub fn new() -> Tiny {
        Tiny {
            words: Words::WordPiece,
            labels: &["entailment", "neutral", "contradiction"],
            whole_numbers: false,
            external: None,
            sides: false,
            positions: None,
            longest: 64,
            fixed: None,
            first_input: "input_ids",
        }
    }

    /// Its tokens by their numbers. The first four are padding, unknown, begin and end.
    pub fn tokens(&self) -> Vec<String> {
        let special = match self.words {
            Words::WordPiece => ["[PAD]", "[UNK]", "[CLS]", "[SEP]"],
            _ => ["<pad>", "<unk>", "<s>", "</s>"],
        };
        let mut tokens: Vec<String> = special.map(str::to_owned).to_vec();
        let mut add = |token: String| {
            if !tokens.contains(&token) {
                tokens.push(token);
            }
        };
        let letters = ('a'..='z').chain("ABT0123456789.,;:!?'-".chars());
        match self.words {
            Words::WordPiece => {
                KNOWN.iter().for_each(|word| add((*word).to_owned()));
                letters.for_each(|letter| {
                    add(letter.to_string());
                    add(format!("##{letter}"));
                });
            }
            Words::Bpe => {
                add("Ġ".to_owned());
                letters.for_each(|letter| add(letter.to_string()));
                for word in KNOWN {
                    (1..=word.len()).for_each(|end| add(format!("Ġ{}", &word[..end])));
                }
            }
            Words::Unigram => {
                add("▁".to_owned());
                letters.for_each(|letter| add(letter.to_string()));
                KNOWN.iter().for_each(|word| add(format!("▁{word}")));
            }
        }
        tokens
    }

    /// `tokenizer.json`.
    pub fn tokenizer(&self) -> String {
        let tokens = self.tokens();
        let numbered = || tokens.iter().enumerate().map(|(id, token)| (token.clone(), json!(id)));
        let vocabulary: serde_json::Map<String, Value> = numbered().collect();
        let (begin, end) = (&tokens[2], &tokens[3]);
        let special = |token: &str, side: u8| json!({"SpecialToken": {"id": token, "type_id": side}});
        let text = |id: &str, side: u8| json!({"Sequence": {"id": id, "type_id": side}});
        let template = json!({
            "type": "TemplateProcessing",
            "single": [special(begin, 0), text("A", 0), special(end, 0)],
            "pair": [special(begin, 0), text("A", 0), special(end, 0), text("B", 1), special(end, 1)],
            "special_tokens": {
                begin: {"id": begin, "ids": [2], "tokens": [begin]},
                end: {"id": end, "ids": [3], "tokens": [end]}
            }
        });
        let (normalizer, pre, post, model) = match self.words {
            Words::WordPiece => (
                json!({"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true}),
                json!({"type": "BertPreTokenizer"}),
                template,
                json!({"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                    "max_input_chars_per_word": 100, "vocab": vocabulary}),
            ),
            Words::Bpe => {
                let merges: Vec<Value> = tokens
                    .iter()
                    .filter(|token| token.starts_with('Ġ') && token.chars().count() > 1)
                    .map(|token| {
                        let last = token.char_indices().next_back().map_or(0, |(place, _)| place);
                        json!([&token[..last], &token[last..]])
                    })
                    .collect();
                (
                    json!({"type": "Lowercase"}),
                    json!({"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true}),
                    json!({"type": "RobertaProcessing", "sep": [end, 3], "cls": [begin, 2], "trim_offsets": true, "add_prefix_space": true}),
                    json!({"type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": "",
                        "end_of_word_suffix": "", "fuse_unk": false, "byte_fallback": false, "vocab": vocabulary, "merges": merges}),
                )
            }
            Words::Unigram => {
                let score = |token: &str| if token.chars().count() > 2 { -1.0 } else { -8.0 };
                let pieces: Vec<Value> = tokens.iter().map(|token| json!([token, score(token)])).collect();
                (
                    json!({"type": "Lowercase"}),
                    json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true}),
                    template,
                    json!({"type": "Unigram", "unk_id": 1, "vocab": pieces, "byte_fallback": false}),
                )
            }
        };
        let added: Vec<Value> = numbered()
            .take(4)
            .map(|(content, id)| {
                json!({"id": id, "content": content, "single_word": false, "lstrip": false, "rstrip": false,
                    "normalized": false, "special": true})
            })
            .collect();
        json!({"version": "1.0", "truncation": null, "padding": null, "added_tokens": added, "normalizer": normalizer,
            "pre_tokenizer": pre, "post_processor": post, "decoder": null, "model": model})
        .to_string()
    }

    /// `config.json`.
    pub fn config(&self) -> String {
        let by_number: serde_json::Map<String, Value> =
            self.labels.iter().enumerate().map(|(place, label)| (place.to_string(), json!(label))).collect();
        let family = if self.positions.is_some_and(|first| first > 0) { "roberta" } else { "bert" };
        json!({"model_type": family, "id2label": by_number, "pad_token_id": self.positions.unwrap_or(1).saturating_sub(1),
            "max_position_embeddings": self.longest + self.positions.unwrap_or(0), "vocab_size": self.tokens().len()})
        .to_string()
    }

    /// `tokenizer_config.json`, with the number that stands there when nobody knows the length.
    pub fn tokenizer_config() -> String {
        r#"{"model_max_length": 1000000000000000019884624838656}"#.to_owned()
    }

    fn weights(&self) -> Vec<f32> {
        let of = |token: &str, label: &str| {
            let label = label.to_lowercase();
            let against = label.starts_with("contra") || label.starts_with("not_") || label.starts_with("refutes");
            match token.trim_start_matches(['Ġ', '▁']) {
                "yes" if label.starts_with("entail") || label.starts_with("support") => 3.0,
                "no" | "[PAD]" | "<pad>" if against => 3.0,
                "no" | "[PAD]" | "<pad>" if self.labels.len() == 1 => -3.0,
                "maybe" if label.starts_with("neutral") => 3.0,
                _ => 0.0,
            }
        };
        self.tokens().iter().flat_map(|token| self.labels.iter().map(move |label| of(token, label))).collect()
    }

    /// The bytes of its weights, as they lie in another file.
    pub fn external_bytes(&self) -> Vec<u8> {
        self.weights().iter().flat_map(|weight| weight.to_le_bytes()).collect()
    }

    /// `model.onnx`.
    pub fn onnx(&self) -> Vec<u8> {
        let (tokens, labels) = (self.tokens().len(), self.labels.len());
        let mut graph = Vec::new();
        let mut put = |number: u64, content: Vec<u8>| graph.extend(field(number, &content));
        put(1, node("Gather", &["weights", self.first_input], &["said"], &[]));
        let mut last = "said";
        if self.sides {
            put(1, node("Gather", &["side_weights", "token_type_ids"], &["sided"], &[]));
            put(1, node("Mul", &[last, "sided"], &["said_by_side"], &[]));
            last = "said_by_side";
        }
        if self.positions.is_some() {
            put(1, node("Gather", &["place_weights", "position_ids"], &["placed"], &[]));
            put(1, node("Mul", &[last, "placed"], &["said_by_place"], &[]));
            last = "said_by_place";
        }
        put(1, node("Cast", &["attention_mask"], &["mask"], &[("to", 1)]));
        put(1, node("Unsqueeze", &["mask", "behind"], &["masks"], &[]));
        put(1, node("Mul", &[last, "masks"], &["heard"], &[]));
        let sum = if self.whole_numbers { "sum" } else { "logits" };
        put(1, node("ReduceSum", &["heard", "along"], &[sum], &[("keepdims", 0)]));
        if self.whole_numbers {
            put(1, node("DynamicQuantizeLinear", &["sum"], &["whole", "scale", "zero"], &[]));
            put(1, node("MatMulInteger", &["whole", "same", "zero"], &["product"], &[]));
            put(1, node("Cast", &["product"], &["product_cast"], &[("to", 1)]));
            put(1, node("Mul", &["product_cast", "scale"], &["logits"], &[]));
        }
        put(2, b"tiny".to_vec());
        let floats = |values: &[f32]| -> Vec<u8> { values.iter().flat_map(|value| value.to_le_bytes()).collect() };
        let longs = |values: &[i64]| -> Vec<u8> { values.iter().flat_map(|value| value.to_le_bytes()).collect() };
        put(5, tensor("weights", 1, &[tokens, labels], &self.external_bytes(), self.external));
        put(5, tensor("side_weights", 1, &[2, 1], &floats(&[1.0, 0.0]), None));
        let first = self.positions.unwrap_or(0);
        let places: Vec<f32> = (0..first + self.longest).map(|place| if place < first { 0.0 } else { 1.0 }).collect();
        put(5, tensor("place_weights", 1, &[places.len(), 1], &floats(&places), None));
        put(5, tensor("behind", 7, &[1], &longs(&[-1]), None));
        put(5, tensor("along", 7, &[1], &longs(&[1]), None));
        let same: Vec<u8> =
            (0..labels * labels).map(|cell| u8::from(cell / labels.max(1) == cell % labels.max(1))).collect();
        put(5, tensor("same", 3, &[labels, labels], &same, None));
        for name in [self.first_input, "attention_mask"] {
            put(11, self.input(name));
        }
        if self.sides {
            put(11, self.input("token_type_ids"));
        }
        if self.positions.is_some() {
            put(11, self.input("position_ids"));
        }
        put(12, value("logits", 1, &[None, Some(labels as u64)]));
        let opset = field(8, &[field(1, b""), number(2, 17)].concat());
        [number(1, 8), field(2, b"cited"), field(7, &graph), opset].concat()
    }

    fn input(&self, name: &str) -> Vec<u8> {
        let (pairs, tokens) = self.fixed.unzip();
        value(name, 7, &[pairs, tokens])
    }

    /// Writes it as its publisher would, with the model at `model` in the folder.
    pub fn write(&self, folder: &Path, model: &str) {
        let path = folder.join(model);
        let place = path.parent().unwrap();
        std::fs::create_dir_all(place).unwrap();
        std::fs::write(&path, self.onnx()).unwrap();
        if let Some(name) = self.external {
            std::fs::write(place.join(name), self.external_bytes()).unwrap();
        }
        std::fs::write(folder.join("config.json"), self.config()).unwrap();
        std::fs::write(folder.join("tokenizer.json"), self.tokenizer()).unwrap();
        std::fs::write(folder.join("tokenizer_config.json"), Tiny::tokenizer_config()).unwrap();
    }
}

/// A field of a protocol buffer that holds bytes.
pub fn field(number: u64, content: &[u8]) -> Vec<u8> {
    [varint(number << 3 | 2), varint(content.len() as u64), content.to_vec()].concat()
}

fn number(field: u64, value: u64) -> Vec<u8> {
    [varint(field << 3), varint(value)].concat()
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn node(kind: &str, inputs: &[&str], outputs: &[&str], numbers: &[(&str, u64)]) -> Vec<u8> {
    let names = |place: u64, names: &[&str]| names.iter().flat_map(|name| field(place, name.as_bytes())).collect();
    let mut node: Vec<u8> = names(1, inputs);
    node.extend::<Vec<u8>>(names(2, outputs));
    node.extend(field(3, outputs[0].as_bytes()));
    node.extend(field(4, kind.as_bytes()));
    for (name, value) in numbers {
        node.extend(field(5, &[field(1, name.as_bytes()), number(3, *value), number(20, 2)].concat()));
    }
    node
}

fn tensor(name: &str, kind: u64, shape: &[usize], bytes: &[u8], external: Option<&str>) -> Vec<u8> {
    let mut tensor: Vec<u8> = shape.iter().flat_map(|size| number(1, *size as u64)).collect();
    tensor.extend(number(2, kind));
    tensor.extend(field(8, name.as_bytes()));
    match external {
        None => tensor.extend(field(9, bytes)),
        Some(place) => {
            let entry =
                |key: &str, value: &str| field(13, &[field(1, key.as_bytes()), field(2, value.as_bytes())].concat());
            tensor.extend(entry("location", place));
            tensor.extend(entry("offset", "0"));
            tensor.extend(entry("length", &bytes.len().to_string()));
            tensor.extend(number(14, 1));
        }
    }
    tensor
}

fn value(name: &str, kind: u64, shape: &[Option<u64>]) -> Vec<u8> {
    let dimensions: Vec<u8> = shape
        .iter()
        .enumerate()
        .flat_map(|(place, size)| {
            let size = size.map_or_else(|| field(2, format!("any_{place}").as_bytes()), |size| number(1, size));
            field(1, &size)
        })
        .collect();
    let kind = [number(1, kind), field(2, &dimensions)].concat();
    [field(1, name.as_bytes()), field(2, &field(1, &kind))].concat()
}
