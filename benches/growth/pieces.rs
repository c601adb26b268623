//! What drafts, source lists and pages are made of, and the kinds of text that repeat it.
//!
//! A new piece is a row of a table here; the texts that it makes, alone, within words, beside other pieces, in a source list, follow
//! from it.

use std::fmt::Write as _;

/// Pieces that are repeated. `{n}` is the number of the repetition.
const PIECES: &[(&str, &str)] = &[
    // Addresses.
    ("scheme", "http://"),
    ("address", "https://a{n}.example/b?c={n}#d "),
    ("address in address", "https://web.example/2020/https://b.example/"),
    ("bare host", "www.example.org/path "),
    ("e-mail", "name{n}@host.example "),
    ("at signs", "a@"),
    ("autolink", "<https://a{n}.example/> "),
    ("DOI", "doi:10.1000/182.{n} "),
    ("arXiv", "arXiv:2301.{n} "),
    ("render open", "<grok:render "),
    ("slashes", "//"),
    ("percent", "%41"),
    ("colons", "a:b"),
    // Links and brackets.
    ("open brackets", "["),
    ("close brackets", "]"),
    ("images open", "!["),
    ("brackets", "[]"),
    ("link", "[Words](https://a.example/{n}) "),
    ("link open", "[a]("),
    ("link title", "[a](b \""),
    ("reference", "[a][b{n}] "),
    ("shortcut", "[label {n}] "),
    ("definition", "[label {n}]: https://a.example/{n} \"Title\"\n"),
    ("definition open", "[a]:\n"),
    ("image", "![Alt](i{n}.png) "),
    ("image in link", "[![a](b)](c) "),
    ("wiki link", "[[1]](https://a.example/{n}) "),
    ("parentheses", "("),
    ("parentheses shut", "a)"),
    ("braces", "{"),
    // Citations.
    ("number", "[{n}]"),
    ("claim", "Output grew by {n} percent in 2020 [1]. "),
    ("claim cited anew", "Output grew by {n} percent in 2020 [{n}].\n\n"),
    ("claim uncited", "The harbour handled {n}.5 million tonnes of cargo in 2019. "),
    ("range", "[1-3, 5] "),
    ("range unbounded", "[1-999] "),
    ("superscript", "word¹ "),
    ("superscripts", "²"),
    ("raised", "word<sup>1</sup> "),
    ("raised link", "<sup>[1](https://a.example/{n})</sup> "),
    ("lenticular", "【{n}†source】"),
    ("footnote reference", "word[^{n}] "),
    ("footnote", "[^{n}]: Note — https://a.example/{n}\n"),
    ("footnote in footnote", "[^{n}]: a [^{n}]\n    "),
    ("inline footnote", "^[note {n}] "),
    ("author and year", "(Smith and Jones, 19{n}; Wang et al., 2020a) "),
    ("author", "Smith et al. (2020) found that. "),
    ("number behind a stop", "It grew in 2024.{n} "),
    ("commas of numbers", "1, "),
    ("pandoc", "[@smith{n}; @jones, p. 3] "),
    ("source word", "(Source: Agency {n}) "),
    ("source heading", "## Sources\n\n{n}. Title — https://a.example/{n}\n\n"),
    ("source heading alone", "## References\n\n"),
    ("source label", "Sources: [1] https://a.example/{n}\n\n"),
    ("entry", "{n}. Title {n} — https://a.example/{n}\n"),
    ("entry in brackets", "[{n}] Author, A. (2020). *Title*. Accessed 3 May 2021. https://a.example/{n}\n"),
    ("entry without an address", "{n}. Author, “A title”, Journal 3 (2), pp. 4–5.\n"),
    ("retrieved", "Retrieved January 3, 2021, from "),
    // Blocks.
    ("quote", ">"),
    ("quote spaced", "> "),
    ("quote lines", "> words\n"),
    ("quote and item", "> - "),
    ("item", "- "),
    ("numbered item", "1. "),
    ("items", "- Item {n} of the list\n"),
    ("loose items", "- Item {n}\n\n"),
    ("numbered items", "{n}. Item of the list\n"),
    ("item in item", "- a\n  - b\n    - c\n"),
    ("task", "- [ ] do this\n"),
    ("heading", "# Heading {n}\n\n"),
    ("heading empty", "#\n"),
    ("heading and words", "## Part {n}\n\nIt has 4 million inhabitants [1].\n\n"),
    ("setext", "a\n=\n"),
    ("rule", "---\n"),
    ("rule apart", "\n***\n\n"),
    ("front matter", "---\nkey: value\n---\n"),
    ("front matter open", "---\nkey: value\n\n"),
    ("fence", "```\n"),
    ("fence with words", "```rust\nlet a = {n};\n```\n\n"),
    ("tildes", "~~~"),
    ("indented", "    code\n"),
    ("row", "| a | {n} |\n"),
    ("table", "| a | b |\n|---|---|\n| {n} million | 4% [1] |\n\n"),
    ("pipes", "|"),
    ("pipes and dashes", "|-"),
    ("wide head", "| a\n|---"),
    ("term", "Term\n: meaning\n\n"),
    ("label", "**Label {n}:** The value is {n} million euros.\n\n"),
    ("empty lines", "\n"),
    ("carriage returns", "\r"),
    ("line ends of Windows", "a\r\n"),
    ("hard break", "a  \n"),
    ("backslash break", "a\\\n"),
    ("tabs", "\t"),
    ("spaces", " "),
    ("comment", "<!-- a -->"),
    ("comment open", "<!--"),
    ("suppression", "<!-- cited: allow dead-source reason -->\n\n"),
    ("suppression of a line", "words <!-- cited: allow orphan-citation reason --> [{n}]\n"),
    ("tag", "<b>"),
    ("tag shut", "</b>"),
    ("tag open", "<a href=\""),
    ("less than", "<"),
    ("declaration", "<!D"),
    ("instruction", "<?"),
    ("character data", "<![CDATA["),
    ("block of HTML", "<div>\n[1] words\n</div>\n\n"),
    ("HTML and number", "<p>a [1]"),
    ("details", "<details><summary>a</summary>\n\nb\n\n</details>\n\n"),
    ("separator", "<!-- -->\n\n"),
    // Inlines.
    ("star", "*"),
    ("star and word", "*a "),
    ("word and star", "a* "),
    ("stars and underscores", "*a_"),
    ("two stars", "**a "),
    ("emphasis", "*a* **b** ***c*** "),
    ("underscore", "_"),
    ("tilde", "~"),
    ("strikethrough", "~~a~~ "),
    ("tick", "`"),
    ("ticks that grow", "`a``b```c"),
    ("code", "`code {n}` "),
    ("backslash", "\\"),
    ("escapes", "\\[\\*"),
    ("entity", "&amp;"),
    ("entity open", "&"),
    ("entity by number", "&#x41;"),
    ("dollar", "$"),
    ("money", "$5 "),
    ("formula", "$x^{n}$ "),
    ("formula displayed", "$$\na\n$$\n\n"),
    ("caret", "^"),
    ("equals", "=="),
    // Words and sentences.
    ("letter", "a"),
    ("words", "words "),
    ("sentence", "It is so. "),
    ("sentence of one letter", "A. "),
    ("sentence that names", "Dr. J. R. Smith Jr. of Acme Inc. said so in St. Louis. "),
    ("question", "Is it so? "),
    ("stop", "."),
    ("stops", "a."),
    ("ellipsis", "… "),
    ("semicolon", "one is 4; "),
    ("dash", " — "),
    ("clause", "and it fell, but it rose, because it was so, "),
    ("instruction to do", "Contact a clinician within a day. "),
    ("about itself", "This report covers the years 2010 to 2020. "),
    ("negation", "not never no "),
    ("comparison", "more than twice as much as "),
    ("capitals", "The Alder Bank Group Of Norway "),
    ("hyphens", "a-b-"),
    ("apostrophes", "it's "),
    ("quotation", "He said “it is so and it was so then”. "),
    ("quotation open", "“"),
    ("quotation straight", "\""),
    ("quotation straight and word", "\"a "),
    ("quotation single", "‘a’ "),
    ("quotation French", "« a » "),
    ("quotation German", "„a“ "),
    ("quotation Japanese", "「"),
    ("quotation said", "\"It is so,\" he said, \"and it was so.\" "),
    // Numbers.
    ("digit", "1"),
    ("digits", "12 "),
    ("digits grouped", "1,000"),
    ("digits grouped by spaces", "1 000 "),
    ("decimals", "1.5 "),
    ("points", "1."),
    ("per cent", "4.5% "),
    ("amount", "$4.5 million "),
    ("amount in euros", "9,99 € "),
    ("range of numbers", "10–20 "),
    ("range of numbers in words", "from 10 to 20 "),
    ("number in words", "twenty-one thousand "),
    ("numbers in words", "one "),
    ("times", "3 times "),
    ("year", "2020 "),
    ("date", "3 May 2021, "),
    ("ISO date", "2021-05-03 "),
    ("clock", "10:30 "),
    ("ratio", "4.5/5 "),
    ("power", "10^6 "),
    ("minus", "-"),
    ("minus and number", "−2.2% "),
    ("plus", "+1"),
    ("multiplied", "2×3 "),
    ("unit", "5 kg "),
    ("hours", "2h 45m "),
    ("scores", "3-2 "),
    ("roman", "XIV "),
    ("fractions", "½ "),
    ("ordinals", "1st 2nd "),
    // Other scripts and signs.
    ("CJK", "热泵销量在2020年增长了23%。"),
    ("CJK letter", "中"),
    ("CJK book", "《A》，53岁："),
    ("CJK stops", "。"),
    ("CJK numbers", "三千五百万"),
    ("kana", "これはペンです。"),
    ("Korean", "한국어 "),
    ("Arabic", "العربية ١٢ "),
    ("Hebrew", "עברית "),
    ("Thai", "ภาษาไทย"),
    ("Hindi", "यह है। "),
    ("Russian", "Это так. "),
    ("German", "Die Ausgaben stiegen um 4,5 Mio. Euro. "),
    ("Spanish", "El gasto subió un 4,5 % en 2020. "),
    ("emoji", "😀"),
    ("family", "👨‍👩‍👧‍👦"),
    ("flags", "🇩🇪"),
    ("joiner", "\u{200d}"),
    ("combining", "e\u{301}"),
    ("combining alone", "\u{301}"),
    ("byte order mark", "\u{feff}"),
    ("no-break space", "\u{a0}"),
    ("thin space", "1\u{2009}000 "),
    ("ideographic space", "\u{3000}"),
    ("no width", "\u{200b}"),
    ("right to left", "\u{202e}a"),
    ("soft hyphen", "a\u{ad}"),
    ("control", "\u{1}"),
    ("nul", "\0"),
    ("private use", "\u{e200}cite\u{e202}turn{n}search0\u{e201}"),
    ("ligature", "ﬁ"),
    ("full width", "１２［１］"),
    ("separator of lines", "\u{2028}"),
];

/// Pieces that open and shut: all are opened before one is shut.
const NESTS: &[(&str, &str, &str)] = &[
    ("parentheses", "(", ")"),
    ("brackets", "[", "]"),
    ("links", "[a ", "](b)"),
    ("images", "![a ", "](b)"),
    ("strong", "**a ", " b**"),
    ("emphasis", "*a ", " b*"),
    ("mixed emphasis", "*a **b ", " c** d*"),
    ("quotations", "“a ", " b”"),
    ("corner quotations", "「", "」"),
    ("French quotations", "« ", " »"),
    ("tags", "<div>", "</div>"),
    ("tags of words", "<i>a", "</i>"),
    ("lists in HTML", "<ul><li>a", "</li></ul>"),
    ("tables in HTML", "<table><tr><td>", "</td></tr></table>"),
    ("footnotes", "^[a ", "]"),
    ("objects", "{\"a\":", "}"),
    ("arrays", "[1,", "2]"),
];

/// How deep lists and quotes stand in each other.
const DEEP: &[(&str, &str)] = &[
    ("quotes", "> "),
    ("items", "- "),
    ("numbered items", "1. "),
    ("quotes and items", "> - "),
    ("items and numbers", "- 1. "),
    ("footnotes and quotes", "[^1]: > "),
];

/// A kind of text.
#[derive(Debug, Clone)]
pub struct Kind {
    /// What it is called.
    pub name: String,
    make: Make,
}

#[derive(Debug, Clone)]
enum Make {
    /// The piece again and again.
    Repeated(String),
    /// Entries of a list, each cited by a sentence.
    Listed(String),
    /// One entry that holds the piece again and again.
    LongEntry(String),
    Nested(&'static str, &'static str),
    /// Lines that stand deeper and deeper.
    Deeper(&'static str),
    /// A line that stands so deep, and one that goes on, again and again.
    Deep(&'static str),
}

/// How far apart the two pieces of a pair stand in the table. No divisor of its length, so that pieces of all sorts meet.
const APART: usize = 61;

/// All kinds.
pub fn kinds() -> Vec<Kind> {
    let kind = |name: String, make: Make| Kind { name, make };
    let alone = PIECES.iter().map(|(name, piece)| kind((*name).into(), Make::Repeated((*piece).into())));
    let among = PIECES.iter().map(|(name, piece)| {
        kind(format!("{name} among words"), Make::Repeated(format!("The value {piece}is 4 so. ")))
    });
    let pairs = PIECES.iter().enumerate().map(|(i, (name, piece))| {
        let (other, next) = PIECES[(i * 3 + APART) % PIECES.len()];
        kind(format!("{name} + {other}"), Make::Repeated(format!("{piece}{next}")))
    });
    let flat = |piece: &str| piece.replace(['\n', '\r'], " ");
    let listed = PIECES.iter().map(|(name, piece)| kind(format!("entries: {name}"), Make::Listed(flat(piece))));
    let long = PIECES.iter().map(|(name, piece)| kind(format!("one entry: {name}"), Make::LongEntry(flat(piece))));
    let nested = NESTS.iter().map(|(name, open, shut)| kind(format!("nested {name}"), Make::Nested(open, shut)));
    let deeper = DEEP.iter().map(|(name, open)| kind(format!("deeper {name}"), Make::Deeper(open)));
    let deep = DEEP.iter().map(|(name, open)| kind(format!("deep {name}"), Make::Deep(open)));
    alone.chain(among).chain(pairs).chain(listed).chain(long).chain(nested).chain(deeper).chain(deep).collect()
}

impl Kind {
    /// A text of this kind of about `size` bytes.
    pub fn text(&self, size: usize) -> String {
        let mut text = String::with_capacity(size + 256);
        match &self.make {
            Make::Repeated(piece) => repeat(&mut text, piece, size),
            Make::Listed(piece) => {
                let mut list = String::from("\n## Sources\n\n");
                let mut n = 0;
                while text.len() + list.len() < size {
                    n += 1;
                    let _ = write!(text, "Output grew by {n} percent in place {n} [{n}]. ");
                    if n % 5 == 0 {
                        text.push_str("\n\n");
                    }
                    let piece = numbered(piece, n);
                    let _ = writeln!(list, "{n}. Title {piece} of {n} — https://s{n}.example/{n}");
                }
                text.push('\n');
                text.push_str(&list);
            }
            Make::LongEntry(piece) => {
                text.push_str("Output grew by 4 percent [1].\n\n## Sources\n\n1. Title ");
                repeat(&mut text, piece, size);
                text.push_str(" — https://s1.example/1\n");
            }
            Make::Nested(open, shut) => {
                let times = size / (open.len() + shut.len());
                (0..times).for_each(|_| text.push_str(open));
                text.push('x');
                (0..times).for_each(|_| text.push_str(shut));
            }
            Make::Deeper(open) => {
                let mut depth = 0;
                while text.len() < size {
                    depth += 1;
                    (0..depth).for_each(|_| text.push_str(open));
                    text.push_str("words\n");
                }
            }
            Make::Deep(open) => {
                // A line has the depth that a text of this size has room for ten times.
                let line = format!("{}words [1]\n", open.repeat((size / 20 / open.len()).max(1)));
                while text.len() < size {
                    text.push_str(&line);
                    text.push_str("more words\n");
                }
            }
        }
        text
    }

    /// A sentence with the piece in it, as a claim.
    pub fn claim(&self) -> String {
        let mut some = self.text(200).replace(['\n', '\r'], " ");
        let mut end = some.len().min(300);
        while !some.is_char_boundary(end) {
            end -= 1;
        }
        some.truncate(end);
        format!("The value {some} grew by 4 percent in 2020.")
    }
}

fn numbered(piece: &str, n: usize) -> String {
    piece.replace("{n}", &n.to_string())
}

fn repeat(text: &mut String, piece: &str, size: usize) {
    let numbers = piece.contains("{n}");
    let end = text.len() + size;
    let mut n = 0;
    while text.len() < end {
        n += 1;
        if numbers {
            text.push_str(&numbered(piece, n));
        } else {
            text.push_str(piece);
        }
    }
}
