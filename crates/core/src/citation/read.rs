//! Reading the citations of a document: lists, then candidates, then what they are.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::author_year::{self, Works};
use super::brackets;
use super::heading::source_label;
use super::label::{Label, raised_digit};
use super::leading_words::DocumentLanguages;
use super::marker::{Citations, Marker, MarkerForm, Shape, Target};
use super::members::DASHES;
use super::nearby::{is_stop, near_end, near_start, parts_members};
use super::scan::{self, Candidate, LONGEST_RANGE, superscripts};
use super::scope::set_scopes;
use super::source_list::{Entry, SourceList, held_spans};
use super::vocabulary::{KnownLabels, Vocabulary};
use super::{linked, list, pandoc, plain, quoted};
use crate::address::identity::{Key, are_of_two_works, key_of};
use crate::finding::{Code, Finding, Severity};
use crate::markdown::{BlockId, Document, SEPARATOR};
use crate::pattern::Pattern;
use cited_text::Span;

/// Numbers above this are years or data, never citations without an entry.
const HIGHEST_ORPHAN: u32 = 999;

fn is_orphan_number(label: &Label) -> bool {
    matches!(label, Label::Number(1..=HIGHEST_ORPHAN))
}

/// Whether a label is told of where a citation could stand: few lists begin with 0, so that it may be an index, and stays as it is inside of a
/// sentence.
fn may_be_orphan(label: &Label) -> bool {
    is_orphan_number(label) || *label == Label::Number(0)
}
/// Reads the citations of `document`. Cannot fail: what is odd becomes a finding.
///
/// `known` are the labels and addresses that research files give a meaning: `[2]` in a draft without a list, a link to
/// a page that a research file lists.
///
/// ```
/// use cited_core::citation::{self, KnownLabels};
/// use cited_core::markdown::Document;
/// let document = Document::read("Water is wet [1].\n\n## Sources\n\n1. Water — https://water.example/\n");
/// let citations = citation::read(&document, &KnownLabels::default());
/// assert_eq!(citations.markers.len(), 1);
/// assert_eq!(citations.lists[0].entries[0].title, "Water");
/// ```
pub fn read(document: &Document, known: &KnownLabels) -> Citations {
    let citations = read_by(document, known, list::lists_of(document));
    // Works without addresses that no marker means, beside a list that is cited and has an address for each of their labels, are text: such
    // a bibliography only happens to be numbered.
    let list_of = |target: &Target| if let Target::Entry(id) = target { Some(id.list as usize) } else { None };
    let cited: HashSet<usize> =
        citations.markers.iter().flat_map(|marker| &marker.targets).filter_map(list_of).collect();
    let is_list = |(at, list): &(usize, &SourceList)| {
        let has = |cited: &usize, work: &Entry| {
            let entries = &citations.lists[*cited].entries;
            entries.iter().any(|entry| entry.label == work.label && !entry.addresses.is_empty())
        };
        let is_of = |cited: &usize, work: &Entry| work.addresses.is_empty() && work.label.is_some() && has(cited, work);
        cited.contains(at) || !cited.iter().any(|cited| list.entries.iter().all(|work| is_of(cited, work)))
    };
    if citations.lists.iter().enumerate().all(|list| is_list(&list)) {
        return citations;
    }
    let lists = citations.lists.iter().enumerate().filter(is_list);
    let mut lists: Vec<SourceList> = lists.map(|(_, list)| list.clone()).collect();
    set_scopes(document, &mut lists);
    read_by(document, known, lists)
}

fn read_by(document: &Document, known: &KnownLabels, lists: Vec<SourceList>) -> Citations {
    let own_sections = list::own_sections(document, &lists);
    let mut vocabulary = Vocabulary::new(&lists, known);
    let held = held_spans(&lists, &own_sections);
    let spoken = DocumentLanguages { text: held.outside(document.text()), ..DocumentLanguages::default() };
    let is_held = |at: usize| held.overlap(Span::new(at, at + 1));
    let is_read = |id| !is_held(document.block(id).span.start);
    let mut candidates = scan::candidates(document, &vocabulary, is_read);
    let nothing_cites = candidates.iter().all(|c| c.missing.len() == c.targets.len());
    if vocabulary.works.is_empty() && nothing_cites {
        vocabulary.works = Works::read(&lists, &known.works, true);
        if !vocabulary.works.is_empty() {
            candidates = scan::candidates(document, &vocabulary, is_read);
        }
    }
    // Among keys that are known nobody writes another one by chance: one that means nothing is a citation without a source. What would lose
    // words beside a number stays as it is.
    let is_keyed = |c: &Candidate| c.form == MarkerForm::Pandoc;
    let is_known = |c: &Candidate| is_keyed(c) && c.missing.len() < c.targets.len();
    let has_keys = candidates.iter().any(is_known);
    candidates.retain(|c| has_keys || !is_keyed(c));
    candidates.iter_mut().filter(|c| is_keyed(c)).for_each(|c| c.shape = Shape::Known);
    // A year behind a name is a word where numbers cite in the same paragraph: *Pearce (2022) made it [1](…)*.
    let links = candidates.iter().filter(|c| c.form == MarkerForm::NumberLink);
    let numbers: HashSet<BlockId> = links.map(|c| c.block).collect();
    let is_year = |c: &Candidate| author_year::is_a_year(document.slice(c.span));
    let stays = |c: &Candidate| match c.form {
        MarkerForm::AuthorYear => c.shape == Shape::Unlisted || is_year(c) && numbers.contains(&c.block),
        MarkerForm::Product => c.shape == Shape::Unlisted,
        _ => is_known(c) && pandoc::loses_words(document.slice(c.span)),
    };
    // Where numbers cite, a name with a year is a word; where there is no list at all, nothing is missing from it.
    let is_missing = !vocabulary.works.is_empty() || nothing_cites && !(lists.is_empty() && known.is_empty());
    let (mut findings, mut unlisted, mut unexplained) = (list_findings(&lists), Vec::new(), Vec::new());
    for c in candidates.extract_if(.., |c| stays(c)).filter(|c| !is_held(c.span.start)) {
        unlisted.push(c.span);
        let is_name = c.form == MarkerForm::AuthorYear;
        if c.form == MarkerForm::Pandoc || is_name && c.shape == Shape::Unlisted {
            unexplained.push(c.span);
        }
        if !is_name {
            report_missing(document.text(), &mut findings, &c);
        } else if c.shape == Shape::Unlisted && is_missing {
            // What it means may stand in a list that the author has elsewhere: it warns.
            let work = author_year::with_its_name(document.text(), c.span);
            let message = format!("no list and no research file has the work that {work} cites");
            let finding = Finding::new(Code::OrphanCitation, message).at(c.span);
            findings.push(Finding { severity: Severity::Warning, ..finding });
        }
        if c.form == MarkerForm::Pandoc {
            let beside = "would not be read beside a number: it stays as it is";
            let message = format!("what stands beside the key in {} {beside}", document.slice(c.span));
            findings.push(Finding::new(Code::UnresolvableMarker, message).at(c.span));
        }
    }
    // Where citations stand in brackets, raised digits are exponents and remarks.
    let raised = |c: &Candidate| document.slice(c.span).starts_with(|c| raised_digit(c).is_some());
    if candidates.iter().any(|c| c.standalone && c.missing.is_empty() && c.form != MarkerForm::Superscript) {
        candidates.retain(|c| !raised(c));
    }
    superscripts::drop_powers(document, &mut candidates);
    if vocabulary.lists_nothing {
        candidates = linked::cited(document, &spoken, candidates);
    }
    if let Some(plain) = plain::cited(document, &vocabulary, &candidates, is_read) {
        candidates = plain;
    }
    candidates = quoted::drop_quoted(document, candidates);
    // A paragraph may begin with prose and go on with entries.
    candidates.retain(|candidate| !is_held(candidate.span.start));
    let (text, vocabulary, spoken) = (document.text(), &vocabulary, &spoken);
    let mut markers =
        Decider { text, vocabulary, findings: &mut findings, spoken, is_numeric: false, number_links_prevail: false }
            .markers(candidates);
    linked::stand_behind_sentences(document, spoken, &mut markers);
    findings.sort_by_key(|finding| finding.span.map_or(0, |span| span.start));
    let placement = linked::placement_of(document, &markers);
    Citations { markers, lists, placement, own_sections, unlisted, unexplained, findings }
}

fn list_findings(lists: &[SourceList]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut keys: HashMap<Key, (String, &str)> = HashMap::new();
    for list in lists {
        let mut labels: HashMap<&Label, Vec<Key>> = HashMap::new();
        for entry in &list.entries {
            let own: Vec<Key> = entry.addresses.iter().map(|address| key_of(address)).collect();
            let mut tell = |code, message: String| findings.push(Finding::new(code, message).at(entry.span));
            let name = match &entry.label {
                Some(label) => format!("[{label}]"),
                None => format!("“{}”", if entry.title.is_empty() { "an entry" } else { &entry.title }),
            };
            if own.is_empty() {
                tell(Code::NoAddress, format!("source {name} has no address"));
            }
            if let Some(label) = &entry.label {
                let is_again = labels.contains_key(label);
                let first = labels.entry(label).or_insert_with(|| own.clone());
                if is_again && !own.iter().any(|key| first.contains(key)) {
                    tell(Code::DuplicateLabel, format!("two entries of this list are labelled {name}"));
                }
            }
            // Further addresses make no two sources one, nor does an entry of two works.
            let Some(key) = own.first().filter(|_| entry.also.is_empty()) else { continue };
            let (first, title) = keys.entry(key.clone()).or_insert_with(|| (name.clone(), &entry.title));
            if key.names_a_work() && are_of_two_works(title, &entry.title) {
                let message = format!("{first} and {name} are two works with one address: {}", entry.addresses[0]);
                let remedy = "find out whose address it is, and give the other work its own";
                findings.push(Finding::new(Code::DuplicateSource, message).at(entry.span).remedy(remedy));
            } else if *first != name {
                let message = format!("sources {first} and {name} are one: {}", entry.addresses[0]);
                findings.push(Finding { remedy: None, ..Finding::new(Code::DuplicateSource, message).at(entry.span) });
            }
        }
    }
    findings
}

struct Decider<'a> {
    text: &'a str,
    vocabulary: &'a Vocabulary<'a>,
    findings: &'a mut Vec<Finding>,
    spoken: &'a DocumentLanguages,
    /// Whether plain numbers that are labels are among the document's citations, or would be: its list has numbers, and nothing else cites.
    is_numeric: bool,
    /// Whether numbers that are links outnumber plain ones.
    number_links_prevail: bool,
}

/// What may stand between two brackets that are one citation, however far the next line is indented, and raised or not, as Pandoc writes it,
/// `^1^ ^,^ ^2^`: nothing or a comma; a dash, of a range over two brackets, which begins no line; `), (`, of two parentheses.
static GAP: Pattern = Pattern::made(|| {
    format!(
        r"^(?:[\s^]*[·,;，；、،؛]?|(?:[^\S\n]|\^)*(?<dash>[{DASHES}])|[\s^]*(?<close>[)）])[ )）,;，；、،؛]*[(（])[\s^]*$"
    )
});

impl Decider<'_> {
    fn markers(mut self, mut candidates: Vec<Candidate>) -> Vec<Marker> {
        // Where none of them stands as a citation, beside others in single brackets, `[[2]]` is a link of a wiki.
        let is_doubled = |c: &Candidate| c.form == MarkerForm::DoubleBracket && c.span.slice(self.text).ends_with("]]");
        let cites_so = |c: &Candidate| is_doubled(c) && self.ends_sentence(c.span) && !self.is_led_to(c.span);
        let is_single = |c: &Candidate| c.form == MarkerForm::Bracket && c.missing.is_empty();
        if candidates.iter().any(is_single) && !candidates.iter().any(cites_so) {
            candidates.retain(|c| !is_doubled(c));
        }
        let is_link = |c: &&Candidate| c.form == MarkerForm::NumberLink;
        let is_plain = |c: &&Candidate| {
            matches!(c.shape, Shape::Single | Shape::Group | Shape::Unmistakable) && c.missing.is_empty() && !is_link(c)
        };
        let (links, plain) = (candidates.iter().filter(is_link).count(), candidates.iter().filter(is_plain).count());
        let nothing_cites = candidates.iter().all(|c| c.missing.len() == c.targets.len());
        self.is_numeric = plain > 0 || self.vocabulary.numbered && nothing_cites || self.lacks_its_list(&candidates);
        self.number_links_prevail = links > plain;
        if !self.is_numeric && (self.vocabulary.has_no_labels() || nothing_cites) {
            // What counts up from nowhere, as in a report that was cut off, or past the end of its list, makes no claim one without a
            // source, but is told.
            let told: Vec<&Candidate> = candidates.iter().filter(|c| self.stands_as_citation(c)).collect();
            told.into_iter().for_each(|c| report_missing(self.text, self.findings, c));
        }
        let text = self.text;
        let joined = |a: &Candidate, b: &Candidate| {
            a.block == b.block && text.get(a.span.end..b.span.start).is_some_and(|gap| GAP.is_match(gap))
        };
        let mut markers = Vec::with_capacity(candidates.len());
        candidates.chunk_by(joined).for_each(|run| self.decide(run, &mut markers));
        let mut end = 0;
        for marker in &mut markers {
            // A bracket may be a part of the address before it.
            let whole = self.wrapped(marker.clone());
            if end <= whole.span.start {
                *marker = whole;
            }
            end = marker.span.end;
        }
        markers
    }

    /// Whether a document that lists nothing cites all the same: it has numbers in brackets behind its sentences, and they
    /// count up from 1. `Sales rose. [1] Costs fell. [2]`
    fn lacks_its_list(&self, candidates: &[Candidate]) -> bool {
        if !self.vocabulary.is_empty() {
            return false;
        }
        let numbers: BTreeSet<u32> = candidates
            .iter()
            .filter(|c| self.stands_as_citation(c))
            .flat_map(|c| &c.missing)
            .filter_map(Label::number)
            .collect();
        let few_holes = numbers.last().is_some_and(|last| *last as usize <= 2 * numbers.len());
        numbers.len() > 1 && numbers.first() == Some(&1) && few_holes
    }

    /// Whether numbers in brackets stand where citations do: behind the words of a sentence, and before its stop or its end.
    fn stands_as_citation(&self, c: &Candidate) -> bool {
        let end =
            |c: char| c.is_whitespace() || is_stop(c) || !c.is_ascii() || matches!(c, ')' | ']' | '"' | '*' | '_');
        matches!(c.shape, Shape::Single | Shape::Group)
            && c.form == MarkerForm::Bracket
            && c.missing.iter().all(may_be_orphan)
            && self.text[..c.span.start].ends_with(end)
            && (self.ends_sentence(c.span) || self.text[c.span.end..].starts_with('['))
            && !self.is_led_to(c.span)
    }

    /// Whether a number in brackets may be a citation inside of a sentence: it is a hole in the list, or stands behind words and before a
    /// comma or bracket.
    fn may_cite_inside(&self, c: &Candidate) -> bool {
        let is_hole = |label: &Label| matches!(label, Label::Number(number) if *number < self.vocabulary.highest);
        let before = self.before(c.span).trim_end();
        let behind_words = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '%' | ')' | '”' | '"'));
        let closes = self.after(c.span).starts_with([',', ';', ':', ')', '，', '；', '：', '）']);
        let stands = behind_words && closes && !self.is_led_to(c.span);
        c.missing.iter().all(may_be_orphan) && (stands || c.missing.iter().all(is_hole))
    }

    /// Decides a run of neighbours, each with the others in sight.
    fn decide(&mut self, run: &[Candidate], markers: &mut Vec<Marker>) {
        // The run as a whole stands where a citation stands, or does not.
        let whole = run.iter().map(|c| c.span).reduce(Span::cover).unwrap_or(Span::at(0));
        // *The test is at [50] and [55].*: what a small word leads to is a part of the sentence.
        let ends_sentence = self.is_numeric && self.ends_sentence(whole) && !self.is_led_to(whole);
        let has_known =
            run.iter().any(|c| c.missing.is_empty() && !c.targets.is_empty() && c.shape != Shape::NumberLink);
        let mut is_open = false;
        for candidate in run {
            let cites = self.accepts(candidate, has_known, ends_sentence);
            let is_told = || self.may_cite_inside(candidate) || self.stands_as_citation(candidate);
            if cites || self.is_numeric && candidate.shape == Shape::Single && is_told() {
                report_missing(self.text, self.findings, candidate);
            }
            if is_open
                && cites
                && let Some(marker) = markers.last_mut()
                && marker.form == candidate.form
                && self.joins(marker, candidate)
            {
                marker.span = marker.span.cover(candidate.span);
                marker.targets.extend(candidate.targets.iter().cloned());
            } else if cites {
                markers.push(candidate.clone());
            }
            is_open = cites;
        }
    }

    /// Whether `next` belongs to `marker`; spells out the range that a dash between them means.
    fn joins(&self, marker: &mut Marker, next: &Marker) -> bool {
        if marker.standalone != next.standalone {
            return false;
        }
        let between = self.text.get(marker.span.end..next.span.start);
        let Some(gap) = between.and_then(|between| GAP.captures(between)) else { return false };
        let opens = self.text[..marker.span.start].ends_with(['(', '（']);
        if gap.name("close").is_some() {
            return opens && self.text[next.span.end..].starts_with([')', '）']);
        }
        if gap.name("dash").is_none() {
            // Titles are words: only a parenthesis makes one citation of several.
            return marker.standalone || opens && !gap[0].trim().is_empty();
        }
        let [Target::Entry(_), ..] = next.targets.as_slice() else { return false };
        let ends = [marker.span, next.span].map(|span| Label::parse(span.slice(self.text).trim_matches(['[', ']'])));
        let [Some(Label::Number(from)), Some(Label::Number(to))] = ends else { return false };
        if marker.form != MarkerForm::Bracket || from >= to || to - from >= LONGEST_RANGE {
            return false;
        }
        let inner = (from + 1..to).filter_map(|number| self.vocabulary.target(&Label::Number(number), next.span.start));
        marker.targets.extend(inner);
        true
    }

    /// Whether a candidate cites.
    fn accepts(&mut self, c: &Candidate, has_known: bool, ends_sentence: bool) -> bool {
        // An earlier run may have written behind a number that is a link that it is no citation.
        if c.form == MarkerForm::NumberLink && self.text[c.span.end..].starts_with(SEPARATOR) {
            return false;
        }
        match c.shape {
            Shape::BadRange => {
                let message = format!("{} is no range of citations that can be meant", c.span.slice(self.text));
                self.findings.push(Finding::new(Code::BadRange, message).at(c.span));
                false
            }
            Shape::NumberLink => self.number_links_prevail || self.cites_here(c.span, self.is_numeric),
            Shape::Known => true,
            Shape::Unlisted => false,
            _ if c.missing.is_empty() => true,
            // A name that is written like those of the list.
            Shape::Word => has_known || c.missing.len() < c.targets.len() || self.ends_sentence(c.span),
            Shape::Unmistakable => c.form == MarkerForm::Product || c.missing.iter().all(is_orphan_number),
            Shape::Single => {
                c.missing.iter().all(is_orphan_number) && (has_known || ends_sentence)
                    || c.missing.iter().all(may_be_orphan) && ends_sentence && self.before(c.span).ends_with(' ')
            }
            Shape::Group => {
                /// Characters that a unit or a name of an interval takes.
                const NEAR: usize = 16;
                // A value right before it may have it for its interval: *7.2 kg [5, 10]*.
                let before = self.before(c.span).chars().rev().take(NEAR);
                let follows_value = || before.take_while(|c| !matches!(c, ']' | ';' | '。')).any(char::is_numeric);
                let some_known = c.missing.len() < c.targets.len();
                // `[1, 0]`, and no interval: that would begin with 0.
                let has_zero = c.missing == [Label::Number(0)] && !matches!(c.targets[0], Target::Label(_));
                // A citation with one label too many, and no interval: *lies in [1, 9]*.
                has_zero && ends_sentence
                    || c.missing.iter().all(is_orphan_number)
                        && (has_known
                            || some_known && c.targets.len() > 2
                            || ends_sentence && (some_known || !follows_value()))
            }
        }
    }

    /// The marker with the parentheses, superscript tags or emphasis that hold nothing else.
    fn wrapped(&self, mut marker: Marker) -> Marker {
        const WRAPS: &[(&str, &str)] = &[
            ("(", ")"),
            ("（", "）"),
            ("[", "]"),
            ("\\[", "\\]"),
            ("<sup>", "</sup>"),
            ("^", "^"),
            ("**", "**"),
            ("*", "*"),
            ("_", "_"),
        ];
        let (before, after) = (marker.span.before(self.text), marker.span.after(self.text));
        if marker.form == MarkerForm::Address
            && let Some(open) = source_label(near_end(before))
            && let Some(close) = after.chars().next().filter(|c| brackets::closes_aside(*c))
        {
            let start = before.len() - near_end(before).len() + open;
            marker.span = Span::new(start, marker.span.end + close.len_utf8());
            marker.standalone = true;
            return marker;
        }
        let wraps = |(open, close): &&(&str, &str)| {
            let (Some(before), Some(after)) = (before.strip_suffix(open), after.strip_prefix(close)) else {
                return false;
            };
            // A sign behind a backslash opens nothing, and would leave it to escape what takes its place.
            let is_escaped = before.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
            let is_number = matches!(marker.form, MarkerForm::Bracket | MarkerForm::NumberLink) && marker.standalone;
            let opens_words =
                after.strip_prefix('[').is_some_and(|inner| !inner.starts_with(|c: char| c.is_ascii_digit()));
            !is_escaped
                && match *open {
                    "(" => marker.form != MarkerForm::Bracket || !before.ends_with(|c: char| c.is_ascii_alphanumeric()),
                    // The caret behind it is that of the number there: `^1^<https://a.example>^2^`.
                    "^" => !after.starts_with(char::is_numeric),
                    "（" | "<sup>" => true,
                    // `[[6],[7]]`, but not `[[6]](url)` or `[[6]][label]`.
                    "[" | "\\[" => is_number && !after.starts_with('(') && !opens_words,
                    _ => {
                        marker.standalone
                            && !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '*' | '_'))
                            && !after.starts_with(char::is_alphanumeric)
                    }
                }
        };
        let Some((open, close)) = WRAPS.iter().find(wraps) else { return marker };
        marker.span = Span::new(marker.span.start - open.len(), marker.span.end + close.len());
        marker.standalone = true;
        if matches!(*open, "<sup>" | "^") {
            marker.form = MarkerForm::Superscript;
        }
        self.wrapped(marker)
    }

    /// The bytes of the line right before `span`, as far as they matter; of the line above where it begins a line.
    fn before(&self, span: Span) -> &str {
        let near = near_end(&self.text[..span.start]);
        let mut lines = near.rsplit('\n');
        let line = lines.next().unwrap_or(near);
        let begins = line.trim_start_matches(['>', ' ', '\t']).is_empty();
        lines.next().filter(|_| begins).map_or(line, |above| above.trim_end_matches(['\r', ' ']))
    }

    /// The bytes of the line right after `span`, as far as they matter.
    fn after(&self, span: Span) -> &str {
        let near = near_start(&self.text[span.end..]);
        near.split(['\r', '\n']).next().unwrap_or(near)
    }

    /// Whether a word stands before `span` that leads to what follows: *in*, *from*, *see*.
    fn is_led_to(&self, span: Span) -> bool {
        let before = self.before(span).trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_'));
        let ends = |c: char| c.is_alphanumeric() || is_stop(c) || matches!(c, '%' | ')' | '）' | ']' | '"' | '”');
        !before.ends_with(ends) || self.spoken.ends_in_leading_word(before)
    }

    /// Whether a citation that ends a sentence stands at `span`.
    fn ends_sentence(&self, span: Span) -> bool {
        let before = self.before(span).trim_end_matches([' ', '*', '_', '"', '”', '’', '」', ')', '）']);
        let after = self.after(span).trim_start_matches(['*', '_', ' ']);
        let word_before = before.ends_with(|c: char| c.is_alphanumeric() || is_stop(c) || matches!(c, '%' | ']' | '}'));
        word_before
            && (before.ends_with(is_stop) || after.is_empty() || after.starts_with(is_stop) || after.starts_with('|'))
    }

    /// Whether a number that is a link cites where it stands: in parentheses, or after words and before punctuation or
    /// the end; where the text cites by numbers, before any word. As the object of a sentence (`See [2](url) and …`) it is a link.
    fn cites_here(&self, span: Span, among_numbers: bool) -> bool {
        let (before, after) = (self.before(span), self.after(span));
        let words = before.trim_end();
        let goes_on =
            |c: char| is_stop(c) || parts_members(c) || matches!(c, ':' | '：' | ')' | '）' | '|' | '[' | '(');
        let behind = after.trim_start_matches(['*', '_']);
        let stands = behind.trim().is_empty()
            || behind.starts_with(goes_on)
            || behind.starts_with(' ') && words.ends_with(|c: char| is_stop(c) || among_numbers && c.is_alphanumeric());
        let encloses = |(open, close): (&str, &str)| {
            before.ends_with(|c| open.contains(c)) && after.starts_with(|c| close.contains(c))
        };
        [("(（", ")）,;，；、"), ("[", "],;"), ("^", "^")].into_iter().any(encloses)
            || before.ends_with("<sup>") && after.starts_with("</sup>")
            || stands && !self.is_led_to(span)
    }
}

/// Tells of labels that mean nothing.
fn report_missing(text: &str, findings: &mut Vec<Finding>, c: &Candidate) {
    if c.missing.is_empty() {
        return;
    }
    if c.form == MarkerForm::Product {
        let written = c.span.slice(text);
        let message = format!("{written} means something only to the product that wrote it");
        let remedy = crate::finding::EXPORT_AGAIN;
        findings.push(Finding::new(Code::UnresolvableMarker, message).at(c.span).remedy(remedy));
        return;
    }
    let labels = pandoc::labels_in(c.span.slice(text), &c.missing);
    let names: Vec<String> = labels.into_iter().map(|label| format!("[{label}]")).collect();
    let message = match names.as_slice() {
        [only] => format!("citation {only} has no source entry"),
        names => format!("citations {} have no source entry", names.join(", ")),
    };
    findings.push(Finding::new(Code::OrphanCitation, message).at(c.span));
}
