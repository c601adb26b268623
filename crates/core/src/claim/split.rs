//! A document's claims: which of its sentences, items, cells, headings and pictures are kept or dropped as one.

use std::collections::HashMap;

use super::detect::{is_dated_label, statement, statement_in_cell};
use super::labels::{is_caption, is_named_source, is_source_line, says_something};
use super::{Cell, Claim, ClaimKind, ClaimPosition, imprint};
use crate::address::is_web;
use crate::citation::marker::Target;
use crate::citation::quoted::signs_a_quote;
use crate::citation::{Citations, MarkerId};
use crate::finding::{Code, Finding};
use crate::markdown::{BlockId, BlockKind, Document, Inline, InlineKind, Link, LinkId, Rendered};
use cited_text::language::languages_in;
use cited_text::lexicon::Languages;
use cited_text::quantity::{Measure, Quantity, is_measured, quantities};
use cited_text::words::words;
use cited_text::{Span, Spans};

/// The claims of a document, in document order.
///
/// Sentences of paragraphs, quotes, footnotes and captions; list items; body cells of tables (the first column, which
/// labels the row, only with a marker, like header cells and headings, or as a sentence beside one); pictures. Source lists, sections of an earlier
/// run, code and front matter hold none.
///
/// Every marker of the prose belongs to exactly one claim ([`Claim::markers`]), mostly one that it stands in. A block or
/// cell of nothing but markers speaks for what is before it: those markers belong to the last claim before, and lie
/// outside of its span. A marker that stands where nothing is claimed at all, under no claim of its section, gets a
/// claim of its own, a transition that is never at fault.
///
/// Claims without markers [inherit](Claim::inherited) those that visibly speak for them as well.
///
/// ```
/// use cited_core::{citation, claim, markdown::Document};
/// let document = Document::read("One is so. Two is **not**.\n");
/// let claims = claim::split(&document, &citation::Citations::default());
/// let texts: Vec<_> = claims.iter().map(|claim| claim.text.as_str()).collect();
/// assert_eq!(texts, ["One is so.", "Two is not."]);
/// ```
pub fn split(document: &Document, citations: &Citations) -> Vec<Claim> {
    let lists = citations.held();
    let languages = languages_in(&lists.outside(document.text()), Languages::ALL);
    let (claims, heads) = (Vec::new(), Vec::new());
    let mut splitter = Splitter { document, citations, lists, languages, claims, section: 0, table: None, heads };
    let mut last = None;
    for (id, block) in document.leaves() {
        match block.parent.filter(|_| block.kind == BlockKind::TableCell) {
            None => splitter.leaf(id),
            // Empty cells are no leaves: all cells of a row are read with the first that is not empty.
            Some(row) if last.replace(row) != Some(row) => splitter.row(row),
            Some(_) => {}
        }
    }
    splitter.inherit_from_beside();
    splitter.inherit_from_introduced();
    splitter.inherit_from_footnotes();
    for claim in &mut splitter.claims {
        claim.markers.sort_unstable();
        if !claim.markers.is_empty() {
            claim.inherited.clear();
        }
    }
    imprint::settle(document, &mut splitter.claims);
    splitter.claims.shrink_to_fit();
    splitter.claims
}

/// What kind of statement a claim without a document around it is: the kind of its sentence, and of several that which asks most.
pub fn kind_of(claim: &str) -> ClaimKind {
    let kinds = split(&Document::read(claim), &Citations::default()).into_iter().map(|claim| claim.kind);
    kinds.max_by_key(|kind| (kind.must_have_source(), kind.is_factual())).unwrap_or(ClaimKind::Plain)
}

/// A finding for each claim that is the agent's own talk.
pub fn findings(claims: &[Claim]) -> Vec<Finding> {
    let talk = claims.iter().filter(|claim| claim.kind == ClaimKind::Chatter);
    talk.map(|claim| Finding::new(Code::Chatter, "the agent's own talk was left in the document").at(claim.span))
        .collect()
}

/// A leaf with what it says.
#[derive(Debug, Default)]
struct CutLeaf {
    /// Its sentences and pictures as claims of their own, in order; a cell or heading is one.
    claims: Vec<Claim>,
    /// Markers that nothing takes: the leaf holds nothing but markers, or lines of a source list stand between.
    loose: Vec<MarkerId>,
    /// Whether it is nothing but what leads to its citations: *Sources:*
    only_cites: bool,
    /// Whether a cell has more than a sign for nothing.
    says_something: bool,
}

impl CutLeaf {
    /// All its markers, in order.
    fn markers(&self) -> Vec<MarkerId> {
        self.claims.iter().flat_map(|claim| &claim.markers).chain(&self.loose).copied().collect()
    }
}

/// A sentence or picture of a leaf.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    /// Its bytes: formatting at its edges and its markers included, white space around it not.
    pub source: Span,
    /// Its words in the shown text of the leaf; empty for a picture.
    pub shown: Span,
    /// Its markers, in order.
    pub markers: Vec<MarkerId>,
    /// The picture that it is.
    pub picture: Option<LinkId>,
}

pub(super) struct Splitter<'a> {
    pub document: &'a Document,
    pub citations: &'a Citations,
    /// The headings and entries of all source lists: in a leaf that holds prose as well they say nothing.
    pub lists: Spans,
    /// The languages of the document.
    languages: Languages,
    claims: Vec<Claim>,
    /// The first claim after the last heading.
    section: usize,
    /// The table of the last row, with the shown text of its heads and their markers.
    table: Option<BlockId>,
    heads: Vec<(String, Vec<MarkerId>)>,
}

impl Splitter<'_> {
    /// Cuts a leaf, and tells its pieces apart: what each sentence, cell and picture of it says, taken by itself.
    fn cut(&self, id: BlockId) -> CutLeaf {
        let document = self.document;
        let position = match document.block(id).kind {
            BlockKind::Heading(_) | BlockKind::Html => ClaimPosition::Heading,
            BlockKind::TableCell => ClaimPosition::Cell,
            _ => ClaimPosition::Sentence,
        };
        // Only a marker makes a claim of a heading.
        if position == ClaimPosition::Heading && self.citations.markers_in(document.content_span(id)).is_empty() {
            return CutLeaf::default();
        }
        let (rendered, pieces, loose) = self.pieces(id, position != ClaimPosition::Sentence);
        let state = |text: &str, cited: bool| match position {
            ClaimPosition::Heading => (ClaimKind::Heading, false),
            ClaimPosition::Cell => (statement_in_cell(text, cited), false),
            _ => statement(text, cited, self.languages),
        };
        let claim = |piece: Piece| {
            let claim = Claim { block: id, span: piece.source, position, markers: piece.markers, ..Claim::default() };
            if let Some(picture) = piece.picture {
                let text = name_of(document, document.link(picture));
                return Claim { text, position: ClaimPosition::Figure, ..claim };
            }
            let text = fold_spaces(piece.shown.slice(&rendered.text));
            let words = fold_spaces(&rendered.words(piece.shown));
            // A formula alone states nothing that a page could be asked for.
            let states = words == text || words.contains(char::is_alphabetic);
            let stated = states.then(|| state(&words, !claim.markers.is_empty()));
            let (kind, dangling) = stated.unwrap_or((ClaimKind::Transition, false));
            Claim { text, kind, dangling, ..claim }
        };
        let claims: Vec<Claim> = pieces.into_iter().map(claim).collect();
        let pictured = claims.iter().any(Claim::is_figure);
        let only_cites = !pictured && is_source_line(&rendered.text);
        CutLeaf { claims, loose, only_cites, says_something: pictured || says_something(rendered.text.trim()) }
    }

    fn leaf(&mut self, id: BlockId) {
        let leaf = self.cut(id);
        match self.document.block(id).kind {
            BlockKind::Heading(_) => self.section = self.claims.len(),
            BlockKind::Html => {}
            _ => return self.prose(id, leaf),
        }
        // A claim only by its markers, and never removed: nothing is taken out of markup, and its citations are kept true.
        let cited = leaf.claims.into_iter().filter(|claim| !claim.markers.is_empty());
        let heading = |claim| Claim { kind: ClaimKind::Heading, position: ClaimPosition::Heading, ..claim };
        self.claims.extend(cited.map(heading));
        self.stand_alone(id, leaf.loose);
    }

    fn prose(&mut self, id: BlockId, mut leaf: CutLeaf) {
        let markers = if leaf.only_cites { leaf.markers() } else { leaf.loose };
        let is_cited = leaf.only_cites && !markers.is_empty();
        self.speak_for_before(id, markers);
        if is_cited {
            return;
        }
        let parent = self.document.block(id).parent;
        let item = parent.map(|parent| self.document.block(parent)).filter(|block| block.kind == BlockKind::Item);
        if let ([only], Some(item)) = (leaf.claims.as_mut_slice(), item)
            && !only.is_figure()
            && item.children.iter().filter(|child| self.document.block(**child).is_leaf()).take(2).count() == 1
        {
            only.position = ClaimPosition::Item;
        }
        let Some(opening) = leaf.claims.first_mut() else { return };
        opening.dangling = false;
        let (before, behind) = self.document.neighbours(id);
        let mut beside = before.last().into_iter().chain(behind.first()).chain([&id]);
        opening.captions = is_caption(&opening.text) && beside.any(|block| self.shows(*block));
        let Some((last, before)) = leaf.claims.split_last_mut() else { return };
        if let Some(next) = behind.first().map(|next| &self.document.block(*next).kind) {
            let follows =
                matches!(next, BlockKind::List(_) | BlockKind::Table | BlockKind::Quote | BlockKind::Code { .. });
            if follows && last.kind == ClaimKind::Quantitative && last.markers.is_empty() && is_dated_label(&last.text)
            {
                last.kind = ClaimKind::Transition;
            }
            last.introduces = last.text.ends_with([':', '：']) && (follows || *next == BlockKind::Paragraph)
                || follows && last.kind == ClaimKind::Transition;
        }
        // A link in a sentence says where that is from.
        let is_linked =
            |claim: &Claim| self.document.links_in(claim.span).iter().any(|link| !link.image && is_web(&link.address));
        // Sentences of a paragraph that is cited only at its end stand on that citation.
        if last.markers.iter().any(|id| self.speaks(*id)) && before.iter().all(|claim| claim.markers.is_empty()) {
            before.iter_mut().filter(|claim| !is_linked(claim)).for_each(|claim| inherit(claim, &last.markers));
        }
        self.claims.extend(leaf.claims);
    }

    /// Markers of a block of nothing else that no claim of their section stands before get a claim of their own.
    fn stand_alone(&mut self, block: BlockId, markers: Vec<MarkerId>) {
        for marker in markers {
            let (span, kind) = (self.citations.marker(marker).span, ClaimKind::Transition);
            self.claims.push(Claim { block, span, kind, markers: vec![marker], ..Claim::default() });
        }
    }

    /// Gives the markers of a block of nothing else to the last claim before it in its section.
    fn speak_for_before(&mut self, id: BlockId, markers: Vec<MarkerId>) {
        if markers.is_empty() {
            return;
        }
        // Those of a footnote speak for the claim that refers to it.
        if let Some(label) = footnote_around(self.document, id)
            && let Some(claim) =
                self.claims.iter_mut().find(|claim| footnotes_of(self.document, claim).any(|of| of == label))
        {
            claim.markers.extend(markers);
            return;
        }
        if self.claims.len() == self.section {
            self.stand_alone(id, markers);
            return;
        }
        let last = self.claims.len() - 1;
        // Under a table or a list they speak for all of its cells and items that have no marker of their own.
        let above = std::iter::once(self.claims[last].block).chain(self.document.ancestors(self.claims[last].block));
        let ended = |block: BlockId| self.document.ancestors(id).all(|own| own != block);
        let speaks_for = |block: &BlockId| match self.document.block(*block).kind {
            BlockKind::List(_) => ended(*block),
            ref kind => *kind == BlockKind::Table,
        };
        let whole = above.filter(speaks_for).last();
        self.claims[last].markers.extend(&markers);
        if let Some(whole) = whole {
            self.inherit_in(whole, &markers, true);
        }
    }

    /// Whether a marker can speak for other claims than its own: a label that no list of the document explains is looked up
    /// by the claim's own words.
    fn speaks(&self, marker: MarkerId) -> bool {
        self.citations.marker(marker).targets.iter().any(|target| !matches!(target, Target::Label(_)))
    }

    /// A row of a table: its cells share what speaks for all of them.
    fn row(&mut self, row: BlockId) {
        /// A label has fewer words.
        const LABEL_WORDS: usize = 5;
        let block = self.document.block(row);
        let head = block.kind == BlockKind::TableHead;
        if self.table != block.parent {
            (self.table, self.heads) = (block.parent, Vec::new());
        }
        let first = self.claims.len();
        // The column of each claim, the row's label, what it states, and the markers that stand in a cell of nothing else.
        let (mut columns, mut label, mut stated, mut loose) = (Vec::new(), String::new(), Vec::new(), Vec::new());
        let leaves: Vec<CutLeaf> = block.children.iter().map(|id| self.cut(*id)).collect();
        let has_words = |cell: &Claim, number: usize| words(&cell.text).nth(number - 1).is_some();
        let has_stop = |cell: &Claim| !cell.is_figure() && cell.text.ends_with(['.', '。']);
        let is_whole = |cell: &Claim| has_stop(cell) && has_words(cell, LABEL_WORDS);
        // Beside a whole sentence with its citation a word or two rate it: *| 3 | The frame went up in 29 weeks. | high | [1] |*.
        let in_words = !head
            && leaves.iter().flat_map(|leaf| &leaf.claims).any(is_whole)
            && leaves.iter().any(|leaf| !leaf.markers().is_empty());
        let is_short = |claim: &Claim| claim.markers.is_empty() && !claim.is_figure() && !has_words(claim, 3);
        let rates = |claim: &Claim| is_short(claim) && !claim.kind.must_have_source();
        let at = block.parent.and_then(|table| self.document.block(table).children.binary_search(&row).ok());
        for (column, leaf) in leaves.into_iter().enumerate() {
            let markers = leaf.markers();
            let text = leaf.claims.iter().find(|claim| !claim.is_figure()).map_or("", |claim| claim.text.as_str());
            // A number that the row goes by, and that states nothing: a date, *2019*.
            let is_date =
                |only: &Quantity| matches!(only.measure, Measure::Date(_)) && only.span.slice(text) == text.trim();
            let is_name = !head && column == 0 && matches!(quantities(text).as_slice(), [only] if is_date(only));
            // The first cell only counts the row below a head of no letters, or in a row that says a sentence.
            let is_counted = || self.heads.first().is_some_and(|(head, _)| !head.contains(char::is_alphanumeric));
            let number = text.trim_end_matches('.').parse().ok();
            let is_ordinal = number.is_some() && (in_words && number == at || is_counted());
            if head {
                self.heads.push((text.to_owned(), markers.clone()));
            } else if column == 0 && (markers.is_empty() || is_name || !is_measured(text)) && !is_ordinal {
                // A first cell with a citation and a number is a claim of its own, and no name of what the others say.
                text.clone_into(&mut label);
            }
            if leaf.only_cites || is_name {
                loose.extend(markers);
                continue;
            }
            let is_claim = || leaf.says_something && !(in_words && leaf.claims.iter().all(rates));
            let claims_something = if head || column == 0 { !markers.is_empty() } else { is_claim() };
            if !claims_something {
                // The first cell may be a sentence, and no label of what the others say: the title of a work has as many words.
                let states = |cell: &Claim| cell.kind.must_have_source() && has_words(cell, LABEL_WORDS);
                let is_sentence = |cell: &Claim| has_stop(cell) || !cell.is_figure() && states(cell);
                stated.extend(leaf.claims.into_iter().filter(|claim| !head && column == 0 && is_sentence(claim)));
                continue;
            }
            for mut claim in leaf.claims {
                // The head of a column and the label of a row name what others say: they keep their words.
                let states = claim.kind.must_have_source() || claim.text.ends_with(['.', '。']);
                if !claim.is_figure() && (head || (column == 0 && !states)) {
                    (claim.kind, claim.position) = (ClaimKind::Heading, ClaimPosition::Heading);
                }
                // A whole sentence says of what it is; its head says that it is a finding.
                let of = self.heads.get(column).filter(|_| !is_whole(&claim)).map_or("", |(text, _)| text.as_str());
                // A label of signs alone, such as one that was removed, names nothing.
                let row = if column > 0 && label.contains(char::is_alphanumeric) { label.as_str() } else { "" };
                let is_named = !(head || row.is_empty() && of.is_empty());
                claim.context = is_named.then(|| Box::new(Cell { row: row.to_owned(), column: of.to_owned() }));
                self.claims.push(claim);
                columns.push(column);
            }
        }
        let Some((last, before)) = self.claims[first..].split_last_mut() else {
            // A row of a statement and its citation, or of a label and one: that speaks for the claim before, if there is one.
            if stated.is_empty() || loose.is_empty() {
                self.speak_for_before(row, loose);
            } else {
                self.claims.extend(stated.into_iter().map(|claim| Claim { markers: loose.clone(), ..claim }));
            }
            return;
        };
        before.iter_mut().for_each(|claim| inherit(claim, &loose));
        last.markers.extend(loose);
        if head {
            return;
        }
        let claims = &mut self.claims[first..];
        // The only citation of the row, in its first or last cell, is one for the row.
        let mut cited = (0..claims.len()).filter(|i| !claims[*i].markers.is_empty());
        if let (Some(only), None) = (cited.next(), cited.next())
            && (columns[only] == 0 || only + 1 == claims.len())
        {
            let markers = claims[only].markers.clone();
            claims.iter_mut().for_each(|claim| inherit(claim, &markers));
        }
        for (claim, column) in claims.iter_mut().zip(&columns) {
            if let Some((_, markers)) = self.heads.get(*column) {
                inherit(claim, markers);
            }
        }
    }

    /// A table or picture stands on the citation of its caption, of the line of its sources, and of the heading right above it; items,
    /// tables, pictures and quotations on that of the sentence that introduces them, a quotation on that of the line that signs it, too.
    fn inherit_from_beside(&mut self) {
        for at in 0..self.claims.len() {
            let claim = &self.claims[at];
            if claim.markers.is_empty() {
                continue;
            }
            let document = self.document;
            let names_sources = is_named_source(&claim.text);
            let heads = !names_sources && claim.position == ClaimPosition::Heading;
            let (before, behind) = document.neighbours(claim.block);
            let (before, next) = (before.last().copied(), behind.first().copied());
            // The caption of a table stands above it, that of a picture below.
            let mut beside = [next.filter(|_| !names_sources), before.filter(|_| !heads)];
            if beside[1].is_some_and(|before| self.shows_a_picture(before)) {
                beside.reverse();
            }
            let captions = (claim.captions || names_sources || heads) && claim.context.is_none();
            let captioned = beside.into_iter().flatten().find(|block| captions && self.shows(*block));
            let quote = document.block(claim.block).parent.filter(|_| signs_a_quote(&claim.text));
            let quote = quote.filter(|block| document.block(*block).kind == BlockKind::Quote);
            let introduced = quote.or(next.filter(|_| claim.introduces)).filter(|block| {
                matches!(document.block(*block).kind, BlockKind::List(_) | BlockKind::Quote) || self.shows(*block)
            });
            let markers = claim.markers.clone();
            for shown in captioned.into_iter().chain(introduced) {
                self.inherit_in(shown, &markers, false);
            }
        }
    }

    /// Notes markers for all claims in a block that have none; of a list for its own items, or also for those `below` them.
    fn inherit_in(&mut self, shown: BlockId, markers: &[MarkerId], below: bool) {
        let (document, block) = (self.document, self.document.block(shown));
        let is_list = matches!(block.kind, BlockKind::List(_)) && !below;
        let first = self.claims.partition_point(|other| other.span.start < block.span.start);
        let inside = self.claims[first..].iter_mut().take_while(|other| other.span.start < block.span.end);
        let own = inside.filter(|other| !is_list || document.ancestors(other.block).nth(1) == Some(shown));
        own.for_each(|other| inherit(other, markers));
    }

    /// Whether a block is a table or has a picture.
    fn shows(&self, block: BlockId) -> bool {
        self.document.block(block).kind == BlockKind::Table || self.shows_a_picture(block)
    }

    fn shows_a_picture(&self, block: BlockId) -> bool {
        let pictured = |inline: &Inline| matches!(inline.kind, InlineKind::Image(_));
        self.document.inlines(block).iter().any(pictured)
    }

    /// A statement that introduces a list or table without a citation stands on those of what it introduces: *Rapid City
    /// (338,000 passengers):*
    fn inherit_from_introduced(&mut self) {
        for at in 0..self.claims.len() {
            let introduction = &self.claims[at];
            if !introduction.introduces || !introduction.kind.must_have_source() || !introduction.inherited.is_empty() {
                continue;
            }
            let Some(introduced) = self.document.neighbours(introduction.block).1.first() else { continue };
            let end = self.document.block(*introduced).span.end;
            let below = self.claims[at + 1..].iter().take_while(|claim| claim.span.start < end);
            let markers =
                below.flat_map(|claim| &claim.markers).copied().filter(|id| self.speaks(*id)).collect::<Vec<_>>();
            inherit(&mut self.claims[at], &markers);
        }
    }

    /// A claim without a citation of its own stands on those in the footnote that it refers to.
    fn inherit_from_footnotes(&mut self) {
        let mut cited: HashMap<&str, Vec<MarkerId>> = HashMap::new();
        for (i, marker) in self.citations.markers.iter().enumerate() {
            if let Some(label) = footnote_around(self.document, marker.block) {
                cited.entry(label).or_default().push(MarkerId(i as u32));
            }
        }
        for claim in self.claims.iter_mut().filter(|_| !cited.is_empty()) {
            let cited = footnotes_of(self.document, claim).filter_map(|label| cited.get(label));
            let markers: Vec<MarkerId> = cited.flatten().copied().collect();
            if !markers.is_empty() {
                claim.inherited = markers;
            }
        }
    }
}

/// The label of the footnote that a block is a part of.
pub fn footnote_around(document: &Document, id: BlockId) -> Option<&str> {
    document.ancestors(id).find_map(|above| match &document.block(above).kind {
        BlockKind::FootnoteDefinition(label) => Some(&**label),
        _ => None,
    })
}

/// The labels of the footnotes that a claim refers to.
fn footnotes_of<'a>(document: &'a Document, claim: &Claim) -> impl Iterator<Item = &'a str> {
    document.inlines_in(claim.block, claim.span).iter().filter_map(|inline| match &inline.kind {
        InlineKind::FootnoteReference(label) => Some(&**label),
        _ => None,
    })
}

/// Notes markers that speak for a claim which has none.
fn inherit(claim: &mut Claim, markers: &[MarkerId]) {
    /// More add nothing that a reader would follow; bounds what a line of citations under a large table costs.
    const MOST: usize = 64;
    if !claim.markers.is_empty() || claim.kind == ClaimKind::Heading {
        return;
    }
    for marker in markers.iter().take(MOST) {
        if !claim.inherited.contains(marker) && claim.inherited.len() < MOST {
            claim.inherited.push(*marker);
        }
    }
}

/// What a picture is called: its words, else the last part of its address.
fn name_of(document: &Document, picture: &Link) -> String {
    let alternative = Document::read(document.slice(picture.text));
    let shown = alternative.leaves().map(|(id, _)| Rendered::render(&alternative, id, &[]).text);
    let words = fold_spaces(&shown.collect::<Vec<_>>().join(" "));
    if !words.is_empty() {
        return words;
    }
    // A picture that is its own address has no name but how it is written.
    let is_inline = picture.address.starts_with("data:");
    let name = picture.address.rsplit('/').next().filter(|_| !is_inline);
    name.unwrap_or(document.slice(picture.span)).to_owned()
}

/// `text` with each run of white space as one space, none at the ends, and without the brackets that hidden markers left
/// empty.
fn fold_spaces(text: &str) -> String {
    let mut folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for empty in [" ()", " （）", "（）"] {
        if folded.contains(empty) {
            folded = folded.replace(empty, "");
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::fold_spaces;

    #[test]
    fn spaces_are_folded_and_empty_brackets_dropped() {
        for (text, expected) in [
            (" a  b ", "a b"),
            ("a\nb\tc", "a b c"),
            ("a\u{a0}b\u{3000}c\u{2009}d\u{2003}e", "a b c d e"),
            ("a () b", "a b"),
            ("增长（）。", "增长。"),
            ("增长（见）。", "增长（见）。"),
            ("f(x)", "f(x)"),
            ("", ""),
        ] {
            assert_eq!(fold_spaces(text), expected);
        }
    }
}
