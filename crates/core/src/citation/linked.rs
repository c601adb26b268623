//! Where links stand, and which of them cite by it: in a document that lists nothing, those that close a sentence are its sources. And
//! where a document puts its citations.

use super::brackets::closes_aside;
use super::heading::{list_heading, source_label};
use super::leading_words::DocumentLanguages;
use super::marker::{Marker, MarkerForm, Placement, Shape};
use super::nearby::{begins_a_sentence, ends_with_a_stop, is_stop, near_end, near_start, only_separates};
use super::scan::Candidate;
use super::title::is_empty_text;
use crate::address::identity::named_host;
use crate::markdown::{BlockId, BlockKind, Document};
use cited_text::Span;
use cited_text::marks::is_closing_mark;
use cited_text::quantity::is_measured;
use cited_text::script::is_cjk;

/// The candidates without the links that only are links; those that cite are as good as known.
///
/// A link cites when it closes its sentence, and so do the others of that sentence: a claim with several links is not judged
/// by the last of them.
pub(super) fn cited(document: &Document, spoken: &DocumentLanguages, candidates: Vec<Candidate>) -> Vec<Candidate> {
    let text = document.text();
    let places = find_positions(document, spoken, &candidates.iter().collect::<Vec<_>>());
    // Where another sentence follows, the link could as well begin it: then one that ends a block shows how the document cites.
    let cites_behind = places.contains(&LinkPosition::Last);
    let mut cites = vec![false; candidates.len()];
    for i in (0..candidates.len()).rev() {
        let c = &candidates[i];
        let leads_to_one = || {
            let next = candidates.get(i + 1).filter(|next| cites[i + 1] && next.block == c.block);
            next.and_then(|next| text.get(c.span.end..next.span.start)).is_some_and(|gap| !ends_a_sentence(gap))
        };
        cites[i] = match places[i] {
            LinkPosition::Nowhere => false,
            LinkPosition::Closing | LinkPosition::Last | LinkPosition::Unstopped | LinkPosition::Listed => true,
            LinkPosition::Between => cites_behind,
            LinkPosition::Inside => leads_to_one(),
        };
    }
    let mut found = Vec::with_capacity(candidates.len());
    for ((mut c, cites), place) in candidates.into_iter().zip(cites).zip(places) {
        if c.shape == Shape::Unlisted {
            if !cites {
                continue;
            }
            c.shape = Shape::Known;
        }
        // An address has no words that could be part of its sentence, unless they lead to it: *is at https://…*. Nor have the names of hosts
        // that products write before the stop: *rose [nature+2](https://www.nature.com/x).*, and what is labelled: *rose [Source: IEA](…).*
        let is_chip = |words: &str, address: &str| {
            words.contains(['+', '.', '-']) && words == words.to_lowercase() && named_host(words, address).is_some()
        };
        let is_labelled = |words: &str| words.split_once(':').is_some_and(|(head, _)| list_heading(head).is_some());
        let link = c.link.map(|id| (document.slice(document.link(id).text), &document.link(id).address));
        let is_named = |(words, address): (&str, &String)| is_chip(words, address) || is_labelled(words);
        let by_itself = c.form == MarkerForm::Address || link.is_some_and(is_named);
        let closes = || by_itself && !is_led_to(document, spoken, c.block, c.span.start);
        c.standalone |= place == LinkPosition::Listed || place == LinkPosition::Closing && closes();
        found.push(c);
    }
    found
}

/// Where the document puts its citations: what most markers at a full stop do.
pub(super) fn placement_of(document: &Document, markers: &[Marker]) -> Placement {
    let text = document.text();
    let is_text = |marker: &&Marker| {
        marker.standalone && !matches!(document.block(marker.block).kind, BlockKind::Heading(_) | BlockKind::TableCell)
    };
    let sides = markers.iter().filter(is_text).map(|marker| {
        let head = near_end(&text[..marker.span.start]).trim_end_matches([' ', '*', '_', '"', '”', '’']);
        match (near_start(&text[marker.span.end..]).starts_with(is_stop), head.ends_with(is_stop)) {
            (true, _) => -1,
            (false, is_behind) => i32::from(is_behind),
        }
    });
    if sides.sum::<i32>() > 0 { Placement::AfterStop } else { Placement::BeforeStop }
}

/// Links to sources that stand by themselves behind a sentence are its citations: *Wind grew 7%. [Report](url)*. Where another sentence
/// follows, the link could as well begin it: then one that ends a block shows how the document cites. In a cell a value needs no stop:
/// *33% [board](url)*.
pub(super) fn stand_behind_sentences(document: &Document, spoken: &DocumentLanguages, markers: &mut [Marker]) {
    let is_link = |m: &Marker| matches!(m.form, MarkerForm::Address | MarkerForm::TitleLink) && !m.standalone;
    let links: Vec<&Marker> = markers.iter().filter(|marker| is_link(marker)).collect();
    let positions = find_positions(document, spoken, &links);
    let cites_so = positions.contains(&LinkPosition::Last);
    for (marker, position) in markers.iter_mut().filter(|marker| is_link(marker)).zip(positions) {
        let in_cell = document.block(marker.block).kind == BlockKind::TableCell;
        marker.standalone = match position {
            LinkPosition::Last => true,
            LinkPosition::Between => cites_so,
            position => position == LinkPosition::Unstopped && in_cell,
        };
    }
}

/// Whether words lead to a link that stands at a byte of a block.
fn is_led_to(document: &Document, spoken: &DocumentLanguages, block: BlockId, at: usize) -> bool {
    let content = document.content_span(block);
    let before = near_end(Span::new(content.start.min(at), at).slice(document.text()));
    if source_label(before).is_some() {
        return false;
    }
    let lead = before.trim_end_matches([' ', '\n', '\r', '\t', '(', '（', '*', '_', '<']);
    // In brackets with words of its own, `(Source: IEA, https://…)`, it is one of those.
    let enclosed = before.rfind(['(', '（']).filter(|at| !before[*at..].contains([')', '）']));
    let among_words = enclosed.is_some_and(|at| before[at..].contains(char::is_alphanumeric));
    among_words || lead.ends_with([':', '：', '-', '–', '—']) || spoken.ends_in_leading_word(lead)
}

/// Where a link stands in its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LinkPosition {
    /// There is nothing that it could cite for.
    Nowhere,
    /// Before the stop.
    Closing,
    /// At the end of words without a stop.
    Unstopped,
    /// In a cell of nothing else, in the column that gives the sources of the rows, or on a line of nothing else that gives those of what
    /// stands above it: *Sources: [A](…), [B](…)*.
    Listed,
    /// Behind the stop of the last sentence of its block.
    Last,
    /// Behind a stop, with another sentence behind it.
    Between,
    /// More of its sentence follows.
    Inside,
}

/// Signs between a link and the end of its sentence.
fn closes(c: char) -> bool {
    closes_aside(c) || is_closing_mark(c) || matches!(c, '*' | '_' | '>')
}

/// Where links stand. Those with nothing but separators between them stand where they stand together.
fn find_positions(document: &Document, spoken: &DocumentLanguages, links: &[&Candidate]) -> Vec<LinkPosition> {
    let joined = |a: &&Candidate, b: &&Candidate| {
        a.block == b.block && document.text().get(a.span.end..b.span.start).is_some_and(only_separates)
    };
    let runs = links.chunk_by(joined).flat_map(|run| {
        let span = run[0].span.cover(run[run.len() - 1].span);
        run.iter().map(move |link| find_position(document, spoken, link, span))
    });
    runs.collect()
}

/// Where a link of a run of links with these bytes stands.
fn find_position(document: &Document, spoken: &DocumentLanguages, c: &Candidate, run: Span) -> LinkPosition {
    let (text, block) = (document.text(), c.block);
    let content = document.content_span(block);
    let before = Span::new(content.start.min(run.start), run.start).slice(text);
    let mut after = Span::new(run.end, content.end.max(run.end)).slice(text);
    let kind = &document.block(block).kind;
    if *kind == BlockKind::Html {
        // A tag ends what is said, and is no words.
        after = after.split('<').next().unwrap_or(after);
    }
    let in_heading = matches!(kind, BlockKind::Heading(_));
    // What stands in a note in the line, `^[IEA, https://…]`, is that note's.
    let near = near_end(before);
    if in_heading || document.notes.contain(run) {
        return LinkPosition::Nowhere;
    }
    // A cell of nothing but links in a column of sources.
    let mut words = document.inlines(block).iter().filter(|inline| inline.link.is_none());
    if is_below_sources(document, block)
        && !words.any(|inline| document.slice(inline.span).contains(char::is_alphanumeric))
    {
        return LinkPosition::Listed;
    }
    let before = source_label(near).map_or(before, |open| &before[..before.len() - near.len() + open]);
    if !before.contains(char::is_alphanumeric) {
        return LinkPosition::Inside;
    }
    let behind = after.trim_start_matches(closes);
    let is_all = behind.trim_matches([' ', '\n', '\r', '.', '。']).is_empty();
    // A heading of several words, *Further reading:*, is no label of a line.
    if is_all && list_heading(before).is_some_and(|words| !words.contains(' ')) {
        return LinkPosition::Listed;
    }
    let lead = before.trim_end_matches([' ', '\n', '\r', '\t', '(', '（', '[', '*', '_', '<']);
    if ends_with_a_stop(lead) && (lead.len() < before.len() || c.form != MarkerForm::Address || c.link.is_some()) {
        if is_all {
            return LinkPosition::Last;
        }
        return if begins_a_sentence(behind) { LinkPosition::Between } else { LinkPosition::Inside };
    }
    let rest = behind.trim_start_matches(is_stop);
    let (stops, next) = (&behind[..behind.len() - rest.len()], rest.trim_start_matches(closes));
    let is_end = || next.is_empty() || next.starts_with(|c: char| c.is_whitespace() || is_cjk(c));
    if !stops.is_empty() && (!stops.is_ascii() || is_end()) {
        return LinkPosition::Closing;
    }
    if !behind.trim().is_empty() && !behind.starts_with('|') {
        return LinkPosition::Inside;
    }
    // Without a stop it need not be a sentence: a line of a list of things to read is none. A title in brackets behind words, or any
    // link behind a measured value, is a citation all the same.
    let enclosed = before.ends_with(['(', '（', '[', ',', ' ']) && after.starts_with([')', '）', ']']);
    let says_title = || c.link.is_some_and(|id| !is_empty_text(document.slice(document.link(id).text)));
    if enclosed && says_title() {
        LinkPosition::Closing
    } else if is_measured(before) && !is_led_to(document, spoken, block, run.start) {
        LinkPosition::Unstopped
    } else {
        LinkPosition::Nowhere
    }
}

/// Whether a block is a cell of a column that is headed as lists of sources are: *Source*, *Quelle*.
pub(super) fn is_below_sources(document: &Document, cell: BlockId) -> bool {
    let block = document.block(cell);
    let head = block.parent.filter(|_| block.kind == BlockKind::TableCell).and_then(|row| {
        let column = document.block(row).children.binary_search(&cell).ok()?;
        let table = document.block(document.block(row).parent?);
        table.children.first().filter(|head| **head != row).and_then(|head| document.block(*head).children.get(column))
    });
    head.is_some_and(|head| list_heading(document.slice(document.content_span(*head))).is_some())
}

/// Whether a sentence ends in a text: a stop with white space or nothing behind it, or one that wants none.
fn ends_a_sentence(text: &str) -> bool {
    text.char_indices().filter(|(_, c)| is_stop(*c)).any(|(at, c)| {
        let rest = text[at + c.len_utf8()..].trim_start_matches(closes);
        !c.is_ascii() || rest.is_empty() || rest.starts_with(char::is_whitespace)
    })
}

#[cfg(test)]
mod tests {
    use crate::citation::{KnownLabels, read};
    use crate::markdown::Document;

    /// `= …` is a citation that a number can take the place of, `~ …` words that speak for their claim.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let document = Document::read(text);
        let citations = read(&document, &KnownLabels::default());
        let sign = |standalone| if standalone { "=" } else { "~" };
        let found = citations.markers.iter();
        let found = found.map(|marker| format!("{} {}", sign(marker.standalone), document.slice(marker.span)));
        assert_eq!(found.collect::<Vec<_>>(), expected, "in {text:?}");
    }

    #[test]
    fn links_in_brackets_of_their_own_cite() {
        check("Sales rose ([A](https://a.example)).", &["= ([A](https://a.example))"]);
        check("Sales rose. ([A](https://a.example))", &["= ([A](https://a.example))"]);
        check(
            "Sales rose ([A](https://a.example), [B](https://b.example)).",
            &["= ([A](https://a.example), [B](https://b.example))"],
        );
        check(
            "Sales rose ([A](https://a.example)), costs fell ([B](https://b.example)).",
            &["= ([A](https://a.example))", "= ([B](https://b.example))"],
        );
        check("销量上升（[甲](https://a.example)）。", &["= （[甲](https://a.example)）"]);
        check("- Sales rose ([A](https://a.example))", &["= ([A](https://a.example))"]);
        check("Sales rose (https://a.example).", &["= (https://a.example)"]);
        check("Sales rose [Source: https://a.example/x].", &["= [Source: https://a.example/x]"]);
        check("Sales rose. (Source: https://a.example)", &["= (Source: https://a.example)"]);
        check("Der Absatz stieg (Quelle: https://a.example/x).", &["= (Quelle: https://a.example/x)"]);
        check("销量上升【来源：https://a.example/x】。", &["= 【来源：https://a.example/x】"]);
        check("Sales rose [a+1](https://www.a.example/x).", &["= [a+1](https://www.a.example/x)"]);
        check("Sales rose [Source: A B](https://a.example/x).", &["= [Source: A B](https://a.example/x)"]);
        check("Sales rose, says [a](https://a.example).", &["~ [a](https://a.example)"]);
        check("| a | Sales rose ([A](https://a.example)) |\n|---|---|", &["= ([A](https://a.example))"]);
    }

    #[test]
    fn links_behind_a_sentence_cite() {
        check("Sales rose. [A](https://a.example)", &["= [A](https://a.example)"]);
        check("Sales rose. <https://a.example>", &["= <https://a.example>"]);
        check(
            "Sales rose https://a.example/x. Costs fell <https://b.example>.",
            &["= https://a.example/x", "= <https://b.example>"],
        );
        check("销量上升。[甲](https://a.example)", &["= [甲](https://a.example)"]);
        check(
            "Sales rose. [A](https://a.example)[B](https://b.example) Costs fell. [C](https://c.example)",
            &["= [A](https://a.example)", "= [B](https://b.example)", "= [C](https://c.example)"],
        );
        check("Sales rose. [A](https://a.example) [B](https://b.example) say so.", &[]);
        check(
            "Sales rose. [A](https://a.example), [B](https://b.example)",
            &["= [A](https://a.example)", "= [B](https://b.example)"],
        );
        check("Sales rose. [A](https://a.example), [B](https://b.example) and I say so.", &[]);
        let behind = |first: &str, next: &str| {
            let text = format!("{first} [A](https://a.example) {next} [B](https://b.example)");
            check(&text, &["= [A](https://a.example)", "= [B](https://b.example)"]);
        };
        behind("She said: “We were paid nothing.”", "It sold.");
        for glued in ["[](https://a.example)", "<https://a.example>"] {
            let text = format!("Sales rose.{glued} Costs fell.[B](https://b.example)");
            check(&text, &[&format!("= {glued}"), "= [B](https://b.example)"]);
        }
        behind("**Sales rose.**", "**Costs fell.**");
        behind("Sales rose (by half.)", "1,730 were sold.");
        behind("급여는 올랐습니다.", "가게는 문을 열었습니다.");
    }

    #[test]
    fn links_on_a_line_of_sources_cite() {
        let links = ["= [A](https://a.example), [B](https://b.example)"];
        for label in ["Sources:", "**Source:**", "Quellen:"] {
            check(
                &format!("Sales rose.\n\n{label} [A](https://a.example), [B](https://b.example)\n\nCosts fell."),
                &links,
            );
        }
        check("Sales rose.\n\nFurther reading: [A](https://a.example), [B](https://b.example)", &[]);
        check("Sales rose.\n\nSee also: [A](https://a.example), [B](https://b.example)", &[]);
        check("Sales rose.\n\nSources: [A](https://a.example) and other papers", &[]);
    }

    #[test]
    fn words_of_the_sentence_speak_for_it() {
        check("Details are in [the survey](https://a.example).", &["~ [the survey](https://a.example)"]);
        check("The data is at https://a.example/x.", &["~ https://a.example/x"]);
        check("Die Daten stehen unter https://a.example/x.", &["~ https://a.example/x"]);
        check("Sales rose (see [A](https://a.example)).", &["~ [A](https://a.example)"]);
        check("Sales rose (Source: A, https://a.example).", &["~ https://a.example"]);
        check(
            "[A](https://a.example) sold 5, says [B](https://b.example).",
            &["~ [A](https://a.example)", "~ [B](https://b.example)"],
        );
        check("- Sales rose by 5% https://a.example", &["~ https://a.example"]);
        check(
            "Sales rose.^[A [sic], https://a.example.] Costs fell.^[B, <https://b.example>]",
            &["~ https://a.example", "~ <https://b.example>"],
        );
    }

    #[test]
    fn links_in_a_column_of_sources_cite_for_their_rows() {
        let table = |head: &str, cell: &str| format!("| Trees | {head} |\n|---|---|\n| 300 | {cell} |");
        check(&table("Source", "[A](https://a.example)"), &["= [A](https://a.example)"]);
        check(
            &table("Quelle", "[A](https://a.example), <https://b.example>"),
            &["= [A](https://a.example)", "= <https://b.example>"],
        );
        check(&table("Website", "[A](https://a.example)"), &[]);
        check(&table("Source", "[A](https://a.example) of 2020"), &[]);
    }

    #[test]
    fn other_links_are_links() {
        check("[A](https://a.example) sold 5 million cars.", &[]);
        check("Read [A](https://a.example) and go on.", &[]);
        check("## About [A](https://a.example)", &[]);
        check("- [A](https://a.example)\n- [B](https://b.example)", &[]);
        check("- The A report: https://a.example\n- The B report <https://b.example>", &[]);
        check("- The A report ([link](https://a.example))", &[]);
        check("> — [A](https://a.example)", &[]);
        check("Sales rose ([A](mailto:a@a.example)).", &[]);
    }
}
