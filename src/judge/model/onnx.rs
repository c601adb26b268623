//! What is asked of a file in ONNX before a runtime reads it: its operators, the files that its weights are in, and whether it is sane.
//!
//! A walk over the protocol buffers of `onnx.proto` that looks at messages and steps over everything else.

/// Deeper graphs within graphs are nobody's model; the runtime reads them by recursion.
const DEEPEST: usize = 64;

/// What a model says of itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Whether whole numbers are scaled by what is in the input: then what is run together changes what comes out.
    pub scales_by_input: bool,
    /// The names of the files that hold weights, each once.
    pub external: Vec<String>,
}

/// Messages of `onnx.proto` that hold others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Message {
    Model,
    Function,
    Graph,
    Node,
    Attribute,
    Sparse,
    Tensor,
    Entry,
    Value,
    Type,
    Element,
    Map,
}

impl Message {
    /// The message in a field, where there is one that is looked into.
    fn holds(self, field: u64) -> Option<Message> {
        Some(match (self, field) {
            (Message::Model, 7) | (Message::Attribute, 6 | 11) => Message::Graph,
            (Message::Model, 25) => Message::Function,
            (Message::Function, 7) | (Message::Graph, 1) => Message::Node,
            (Message::Graph, 5) | (Message::Attribute, 5 | 10) | (Message::Sparse, 1 | 2) => Message::Tensor,
            (Message::Graph, 11..=13) => Message::Value,
            (Message::Graph, 15) | (Message::Attribute, 22 | 23) => Message::Sparse,
            (Message::Node, 5) => Message::Attribute,
            (Message::Tensor, 13) => Message::Entry,
            (Message::Value | Message::Map, 2) | (Message::Element, 1) | (Message::Attribute, 14 | 15) => Message::Type,
            (Message::Type, 4 | 9) => Message::Element,
            (Message::Type, 5) => Message::Map,
            _ => return None,
        })
    }
}

/// Reads the outline of a model.
///
/// # Errors
/// When the bytes are no protocol buffers, are cut short, or nest without end; or a file of weights is not beside the model.
pub fn outline(bytes: &[u8]) -> Result<Outline, String> {
    let mut outline = Outline::default();
    walk(bytes, Message::Model, 0, &mut outline)?;
    for name in &outline.external {
        let plain = !name.is_empty() && !name.contains(['/', '\\', ':', '\0']) && name != "." && name != "..";
        if !plain {
            return Err(format!("it wants weights from {name:?}, which is not a file beside it; it is not loaded"));
        }
    }
    Ok(outline)
}

fn walk(mut bytes: &[u8], message: Message, depth: usize, outline: &mut Outline) -> Result<(), String> {
    if depth > DEEPEST {
        return Err("its graphs nest without end".to_owned());
    }
    let (mut key, mut value) = ("", "");
    while !bytes.is_empty() {
        let tag = varint(&mut bytes)?;
        let field = tag >> 3;
        match tag & 7 {
            0 => {
                varint(&mut bytes)?;
            }
            1 => take(&mut bytes, 8).map(|_| ())?,
            5 => take(&mut bytes, 4).map(|_| ())?,
            2 => {
                let length = varint(&mut bytes)?;
                let length = usize::try_from(length).map_err(|_| cut())?;
                let content = take(&mut bytes, length)?;
                let text = || std::str::from_utf8(content).unwrap_or_default();
                match (message, field) {
                    (Message::Node, 4) => outline.scales_by_input |= text() == "DynamicQuantizeLinear",
                    (Message::Entry, 1) => key = text(),
                    (Message::Entry, 2) => value = text(),
                    _ => {}
                }
                if let Some(inner) = message.holds(field) {
                    walk(content, inner, depth + 1, outline)?;
                }
            }
            _ => return Err("it is no file in ONNX".to_owned()),
        }
    }
    if message == Message::Entry && key == "location" && !outline.external.iter().any(|known| known == value) {
        outline.external.push(value.to_owned());
    }
    Ok(())
}

fn cut() -> String {
    "it is cut short, or no file in ONNX; get it again".to_owned()
}

fn take<'b>(bytes: &mut &'b [u8], length: usize) -> Result<&'b [u8], String> {
    let (taken, rest) = bytes.split_at_checked(length).ok_or_else(cut)?;
    *bytes = rest;
    Ok(taken)
}

fn varint(bytes: &mut &[u8]) -> Result<u64, String> {
    let mut number = 0;
    for place in 0..10 {
        let [byte] = *take(bytes, 1)? else { return Err(cut()) };
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err("it is no file in ONNX".to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::tiny::{Tiny, field};
    use super::outline;

    #[test]
    fn an_outline_names_files_and_scaling() {
        let plain = outline(&Tiny::new().onnx()).unwrap();
        assert!(!plain.scales_by_input && plain.external.is_empty(), "{plain:?}");
        let whole = outline(&Tiny { whole_numbers: true, ..Tiny::new() }.onnx()).unwrap();
        assert!(whole.scales_by_input);
        let apart = outline(&Tiny { external: Some("model.onnx_data"), ..Tiny::new() }.onnx()).unwrap();
        assert_eq!(apart.external, ["model.onnx_data"]);
    }

    #[test]
    fn what_is_hostile_is_refused_before_a_runtime_reads_it() {
        let check = |bytes: &[u8], part: &str| {
            let found = outline(bytes);
            assert!(found.as_ref().is_err_and(|why| why.contains(part)), "{part}: {found:?}");
        };
        for place in ["../../etc/passwd", "/etc/passwd", "..", "sub/model.onnx_data", "C:\\data", ""] {
            check(&Tiny { external: Some(place), ..Tiny::new() }.onnx(), "not a file beside it");
        }
        let whole = Tiny::new().onnx();
        for length in [whole.len() / 3, whole.len() / 2, whole.len() - 1] {
            check(&whole[..length], "cut short");
        }
        check(b"not a model at all", "");
        check(&[0xff; 64], "no file in ONNX");
        // A graph in an attribute of a node of a graph, and so on.
        let mut nested = Vec::new();
        for _ in 0..2000 {
            nested = field(1, &field(5, &field(6, &nested)));
        }
        check(&field(7, &nested), "nest without end");
    }
}
