//! Words that say what a block is for: captions, lines of sources.

use cited_text::lexicon::Classes;
use cited_text::script::is_cjk;
use cited_text::words::Word;

static LABELS: Classes = Classes::new(include_str!("data/labels.tsv"));

/// Whether a word leads to the sources of something: *Source*, *via*.
fn leads(word: &str) -> bool {
    LABELS.are(&["source-line", "pointer"], word)
}

/// Whether a cell has more than a dash, a bare link or a word for nothing.
pub(super) fn says_something(cell: &str) -> bool {
    let is_said = |c: char| c.is_alphanumeric() || matches!(c, '✓' | '✔' | '✗' | '✘' | '✅' | '❌' | '★');
    cell.contains(is_said) && !LABELS.has("nothing", &cell.to_lowercase())
}

/// Whether `text` starts like the caption of a table or figure: *Table 2: …*, 图1 ….
pub(super) fn is_caption(text: &str) -> bool {
    let ends = |c: char| c.is_whitespace() || c.is_ascii_digit() || matches!(c, ':' | '：');
    let (word, rest) = text.split_at(text.find(ends).unwrap_or(text.len()));
    rest.trim_start().starts_with(|c: char| c.is_ascii_digit() || matches!(c, ':' | '：'))
        && LABELS.has("caption", &word.to_lowercase())
}

/// Whether `text` is the label of a caption and nothing else: *Table 1.*
pub(super) fn is_caption_label(text: &str) -> bool {
    let mut words = text.split_whitespace().skip(1);
    let is_numbered = words.next().is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()));
    is_numbered && words.next().is_none() && text.ends_with('.') && is_caption(text)
}

/// Whether `text`, a block without its markers, only leads to them: `Sources:`, `来源：`, or no word at all.
pub(super) fn is_source_line(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.all(|word| leads(&word.to_lowercase()))
}

/// The two sides of `Label: value`.
pub(super) fn label_of(text: &str) -> Option<(&str, &str)> {
    let (label, value) = text.split_once([':', '：'])?;
    Some((label.trim(), value.trim())).filter(|(label, _)| !label.is_empty())
}

/// Whether `text` names what something above it was taken from: *Source: Beta study*, *Source of the table: Beta study*.
pub(super) fn is_named_source(text: &str) -> bool {
    let Some((label, _)) = label_of(text) else { return false };
    let lower = label.to_lowercase();
    let mut forms = lower.split_whitespace();
    let is_of_it = |word: &Word| word.stop || LABELS.has("caption", word.span.slice(&lower));
    forms.next().is_some_and(leads) && cited_text::words::words(&lower).skip(1).all(|word| is_of_it(&word))
}

/// Whether a line says where a picture or its data are from: *Source: World Bank*, *(Photo credit: Jane Doe)*, *© 2024 The Institute*.
pub fn names_its_source(text: &str) -> bool {
    let forms = || ["source-line", "pointer", "credit"].into_iter().flat_map(|class| LABELS.of(class));
    // 图片来源 is two words without a space between them.
    let ends = |word: &str, form: &str| word.chars().chain(form.chars()).all(is_cjk) && word.ends_with(form);
    let is_known = |word: &str| forms().any(|form| *form == word || ends(word, form));
    let is_label = |label: &str| {
        let mut words = label.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).peekable();
        words.peek().is_some() && words.all(|word| is_known(&word.to_lowercase()))
    };
    let parts = text.split(['.', '(', '（', ';', '；', '。', '|', '—', '\n']);
    text.contains('©')
        || parts.filter_map(label_of).any(|(label, named)| is_label(label) && named.contains(char::is_alphanumeric))
}

/// Whether a text calls a picture one that shows data: *Growth curve*, 趋势图.
pub fn calls_it_a_chart(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    // One that is written without spaces stands anywhere.
    words.any(|word| LABELS.has("chart", word))
        || LABELS.of("chart").iter().any(|one| !one.is_ascii() && one.chars().all(is_cjk) && lower.contains(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_captions() {
        for (text, expected) in [
            ("Table 1.", true),
            ("Figure 2.3.", true),
            ("Table 1", false),
            ("Table 1 is long.", false),
            ("Page 4.", false),
        ] {
            assert_eq!(is_caption_label(text), expected, "{text}");
        }
    }

    #[test]
    fn captions() {
        for text in [
            "Table 2: Sales",
            "Table: traffic of the ferry",
            "Fig. 3. A curve",
            "图1：增长",
            "图 1 增长",
            "Abb. 4 Kurve",
            "Рис. 5. График",
        ] {
            assert!(is_caption(text), "{text}");
        }
        for text in ["Table tennis is a sport", "Figures rose 3%", "The table 3", "图像识别", "2 tables"] {
            assert!(!is_caption(text), "{text}");
        }
    }

    #[test]
    fn named_sources() {
        for text in [
            "Source: Beta study",
            "Source of the table: report",
            "Source du tableau : rapport",
            "Quelle der Tabelle: X",
        ] {
            assert!(is_named_source(text), "{text}");
        }
        for text in [
            "Source code of the table: 5 files",
            "The table: report",
            "Sources of heat",
            "As you see: x",
            "被广泛引用：x",
            ": x",
        ] {
            assert!(!is_named_source(text), "{text}");
        }
    }

    #[test]
    fn where_a_picture_is_from() {
        for text in [
            "Source: World Bank",
            "The harbour (photo: Jane Doe)",
            "Data source: own survey",
            "© 2024 X",
            "Quelle: Eurostat",
            "图片来源：新华社",
        ] {
            assert!(names_its_source(text), "{text}");
        }
        for text in ["The harbour in 2019", "Sales: 5 million", "Figure 2: Growth"] {
            assert!(!names_its_source(text), "{text}");
        }
        assert!(
            calls_it_a_chart("Growth curve 2020") && calls_it_a_chart("销量趋势图") && !calls_it_a_chart("The charter")
        );
    }

    #[test]
    fn source_lines() {
        for text in ["", "Sources:", "(Source: , )", "来源：", "Quellen:", "; ,"] {
            assert!(is_source_line(text), "{text}");
        }
        assert!(!is_source_line("Sources of energy:") && !is_source_line("来源丰富"));
    }
}
