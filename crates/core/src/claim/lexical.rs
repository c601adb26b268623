//! Claims matched to notes by their words: the quantities and quotations they share, then rare words and names.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};

use super::{Claim, ClaimPosition};
use crate::source::ResearchNote;
use cited_text::quantity::{Agreement, Habit, Measure, Quantity, compare, quantities, quantities_in};
use cited_text::quotation::quotations;
use cited_text::words::{RARE, Word, rarity, words};
use cited_text::{Span, Spans};

/// How much more the claim's words count than the note's: a note may say more than one claim, a claim that says more
/// than its note is not carried by it. The beta of an F-measure.
const BETA: f64 = 2.0;

/// Notes that a claim is compared with in full.
const MOST_COMPARED: usize = 48;

/// Entries of the index that are read for a claim, rarest words first, before the rest of its words is left out of the
/// search. Keeps hostile notes (all with the same words) from costing claims × notes.
const MOST_READ: usize = 2048;

/// The score from which a note carries a claim whose quantities it has.
pub const THRESHOLD_WITH_QUANTITY: f64 = 0.45;

/// So many names in common are those of one subject.
const SEVERAL: usize = 2;

/// From this part of their words on, both ways, a claim and a note say the same thing.
const SAME: f64 = 0.9;

/// Fewer words and quantities in common than this say nothing: *High* in two tables.
const FEWEST_SHARED: usize = 3;

/// A cell says little: the name of its row and a measured value in common are enough.
const FEWEST_SHARED_BY_CELL: usize = 2;

/// From this score on, claim and note are word for word the same.
const WHOLE: f64 = 0.99;

/// A note that may carry a claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// Position of the note.
    pub note: usize,
    /// How well it fits, 0 to 1.
    pub score: f64,
    /// How much the words say that both have: each from 0 to 1 by how rare it is.
    pub weight: f64,
    /// Whether the claim has several names and the note has them all.
    pub named: bool,
    /// How many of the claim's measured quantities it has.
    pub carried: usize,
    /// How many of them it has when each number of the note stands for one of the claim.
    pub paired: usize,
    /// How many of them it lacks.
    pub lacking: usize,
    /// How many words and quantities both have.
    pub shared: usize,
    /// Whether claim and note say the same thing, neither more than the other.
    pub same: bool,
}

/// Notes by how well they fit; of equal ones the first is the best.
pub(super) fn order(a: &Candidate, b: &Candidate) -> Ordering {
    a.score.total_cmp(&b.score).then(b.note.cmp(&a.note))
}

/// What is compared of a text.
#[derive(Debug, Default)]
struct Features {
    /// Keys of its words without function words and the words of its quantities.
    terms: BTreeSet<u64>,
    /// Those of the words inside of it that begin with a capital.
    names: BTreeSet<u64>,
    /// What it measures.
    quantities: Vec<Quantity>,
    /// Keys of the words that name what it is about: a claim that has them says no more than the note.
    about: BTreeSet<u64>,
}

impl Features {
    /// Those of a text that writes decimals by this habit.
    fn of(text: &str, habit: Habit) -> Features {
        let mut measured = quantities_in(text, habit);
        measured.retain(Quantity::is_measured);
        let spans: Spans = measured.iter().map(|quantity| quantity.span).collect();
        // US is a country, us is none; in a text of capitals they cannot be told.
        let shouts = !text.contains(char::is_lowercase);
        let is_acronym = |span: Span| !shouts && span.len() > 1 && span.slice(text).chars().all(char::is_uppercase);
        let own = words(text).filter(|word| !spans.overlap(word.span));
        let (stops, own): (Vec<Word>, Vec<Word>) = own.partition(|word| word.stop && !is_acronym(word.span));
        let own = if own.is_empty() { stops } else { own };
        let terms: BTreeSet<u64> = own.into_iter().map(|word| word.key).collect();
        let inside = words(text).skip(1).filter(|word| !word.stop && word.capital).map(|word| word.key);
        let names = inside.filter(|key| terms.contains(key)).collect();
        Features { terms, names, quantities: measured, about: BTreeSet::new() }
    }
}

fn is_same(quantity: &Quantity, other: &Quantity) -> bool {
    let agreement = compare(quantity, other);
    // A bare number is the same with a unit that the note puts elsewhere, as tables do.
    let bare = matches!(quantity.measure, Measure::Count) || matches!(other.measure, Measure::Count);
    agreement == Agreement::Same
        || (bare
            && agreement == Agreement::Compatible
            && (quantity.raw - other.raw).abs() <= f64::EPSILON * quantity.raw.abs())
}

/// Whether a note may mean this quantity by another: in another unit or form, as the end of a range, as a change without its sign.
fn is_near(quantity: &Quantity, other: &Quantity) -> bool {
    let equal = |raw: f64| (raw.abs() - quantity.raw.abs()).abs() <= f64::EPSILON * quantity.raw.abs();
    equal(other.raw) || other.upper.is_some_and(equal) || is_same(quantity, other)
}

/// Matches claims to notes by words. Built once for all notes.
#[derive(Debug)]
pub(super) struct Lexical {
    notes: Vec<Features>,
    /// For each term the notes that have it, in order; and for the sizes of quantities without signs and the ends of ranges, to a few digits,
    /// those without sources, too.
    index: HashMap<u64, Vec<u32>>,
    /// How many notes have sources.
    sourced: usize,
    /// How the claims write decimals.
    habit: Habit,
}

impl Lexical {
    /// Indexes `notes` for `claims`.
    pub(super) fn new(claims: &[&Claim], notes: &[ResearchNote]) -> Self {
        let features = |note: &ResearchNote, habit: Habit| {
            let about = Features::of(&note.about, Habit::NONE).terms;
            Features { about, ..Features::of(&note.text, habit) }
        };
        let habit = Habit::detect_in(&claims.iter().map(|claim| claim.text.as_str()).collect::<Vec<_>>().join("\n"));
        // Terse notes rarely show their language one by one: *1.503 Befragte*.
        let of_file = |of_file: &[ResearchNote]| {
            let texts: Vec<&str> = of_file.iter().map(|note| note.text.as_str()).collect();
            let habit = Habit::detect_in(&texts.join("\n"));
            of_file.iter().map(|note| features(note, habit)).collect::<Vec<_>>()
        };
        let features: Vec<Features> = notes.chunk_by(|a, b| a.file == b.file).flat_map(of_file).collect();
        let mut index: HashMap<u64, Vec<u32>> = HashMap::new();
        for (i, (note, features)) in notes.iter().zip(&features).enumerate() {
            let of = |q: &Quantity| [q.raw, q.value].into_iter().chain(q.upper).map(|size| value_key(size.abs()));
            let terms = features.terms.iter().copied().filter(|_| !note.sources.is_empty());
            for key in features.quantities.iter().flat_map(of).chain(terms) {
                let list = index.entry(key).or_default();
                if list.last() != Some(&(i as u32)) {
                    list.push(i as u32);
                }
            }
        }
        let sourced = notes.iter().filter(|note| !note.sources.is_empty()).count();
        Lexical { notes: features, index, sourced, habit }
    }

    /// How much a term says: rare among the notes and rare in general. 0 to 1.
    fn weight(&self, term: u64) -> f64 {
        let total = self.sourced as f64;
        let having = self.index.get(&term).map_or(0.5, |list| list.len() as f64);
        let among_notes = (1.0 + total / having).ln() / (1.0 + total / 0.5).ln();
        let in_general = f64::from(rarity(term) / RARE);
        (among_notes * in_general).max(0.01)
    }

    /// The notes to compare with, by a first look at the rarest terms and the quantities.
    fn compared(&self, claim: &Features) -> Vec<u32> {
        let terms = claim.terms.iter().map(|term| (*term, self.weight(*term)));
        let sizes = claim.quantities.iter().map(|quantity| (value_key(quantity.raw.abs()), 1.0));
        let of_notes = |(key, weight)| Some((self.index.get(&key)?, weight));
        let mut lists: Vec<(&Vec<u32>, f64)> = terms.chain(sizes).filter_map(of_notes).collect();
        lists.sort_by_key(|(list, _)| list.len());
        let mut first: HashMap<u32, f64> = HashMap::new();
        let mut read = 0;
        for (list, weight) in lists {
            if read > 0 && read + list.len() > MOST_READ {
                break;
            }
            read += list.len();
            for note in list.iter().take(MOST_READ) {
                *first.entry(*note).or_default() += weight;
            }
        }
        let mut found: Vec<(u32, f64)> = first.into_iter().collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(MOST_COMPARED);
        found.into_iter().map(|(note, _)| note).collect()
    }

    fn compare(&self, claim: &Features, note: u32) -> Candidate {
        let features = &self.notes[note as usize];
        let sum = |terms: &BTreeSet<u64>| terms.iter().map(|term| self.weight(*term)).sum::<f64>();
        let (both, mut rest): (BTreeSet<u64>, BTreeSet<u64>) =
            claim.terms.iter().partition(|term| features.terms.contains(term));
        rest.retain(|term| !features.about.contains(term));
        let has = |own: &[Quantity], quantity: &Quantity| own.iter().any(|other| is_same(quantity, other));
        let lacking = claim.quantities.iter().filter(|quantity| !has(&features.quantities, quantity)).count();
        let carried = claim.quantities.len() - lacking;
        let mentioned = features.quantities.iter().filter(|quantity| has(&claim.quantities, quantity)).count();
        // *4 firms sold 29 units of type 4* is not told by *firm 29 sold 7 units of type 4*.
        let mut free: Vec<&Quantity> = features.quantities.iter().collect();
        let mut take = |quantity: &&Quantity| {
            free.iter().position(|other| is_same(quantity, other)).map(|at| free.swap_remove(at)).is_some()
        };
        let paired = claim.quantities.iter().filter(&mut take).count();
        // A quantity counts as much as a word as rare as any.
        let (shared, shared_terms) = (sum(&both), both.len());
        let of_claim = shared + sum(&rest) + claim.quantities.len() as f64;
        let of_note = sum(&features.terms) + features.quantities.len() as f64;
        let part = |quantities: usize, of: f64| if of > 0.0 { (shared + quantities as f64) / of } else { 0.0 };
        let (recall, precision) = (part(carried, of_claim), part(mentioned, of_note));
        let score = if recall > 0.0 && precision > 0.0 {
            (1.0 + BETA * BETA) * precision * recall / (BETA * BETA * precision + recall)
        } else {
            0.0
        };
        Candidate {
            note: note as usize,
            score,
            weight: shared,
            named: claim.names.len() >= SEVERAL && claim.names.is_subset(&features.terms),
            carried,
            paired,
            lacking,
            same: lacking == 0 && recall >= SAME && precision >= SAME && shared_terms + carried >= FEWEST_SHARED,
            shared: shared_terms + carried,
        }
    }

    /// The notes that may carry `claim`, in any order; those that certainly do not are left out.
    pub(super) fn candidates(&self, claim: &Claim) -> Vec<Candidate> {
        let text = claim.text_in_context();
        let features = Features::of(&text, self.habit);
        // A cell is found by the name of its row.
        let cell =
            claim.context.as_ref().filter(|cell| claim.position == ClaimPosition::Cell && !cell.column.is_empty());
        // A bare number may be of anything.
        let has_unit = |q: &Quantity| !matches!(q.measure, Measure::Count);
        let row = cell.filter(|_| quantities(&claim.text).iter().any(|q| q.is_measured() && has_unit(q)));
        let row = row.map(|cell| Features::of(&cell.row, Habit::NONE)).filter(|name| !name.terms.is_empty());
        // Of little that is said, all: *and 1.2 trillion in GLaM*.
        let fewest = if features.names.is_empty() {
            FEWEST_SHARED
        } else {
            FEWEST_SHARED.min(features.terms.len() + features.quantities.len())
        };
        let candidates = self.compared(&features).into_iter().map(|note| self.compare(&features, note));
        candidates.filter_map(|candidate| self.telling(candidate, row.as_ref(), fewest)).collect()
    }

    /// The note that may say what the claim says, where no note carries it: notes have half of what it measures, in any unit and near its
    /// bounds, and this one most of that. A single number of two digits without a unit, or a year, that several notes have may be in any note:
    /// then a word has to be, too; so it has to be where a part of the claim is in none, as a difference of two values is.
    pub(super) fn nearest(&self, claim: &Claim) -> Option<usize> {
        const FROM_HERE_TELLING: f64 = 100.0;
        let features = Features::of(&claim.text, self.habit);
        if features.quantities.is_empty() {
            return self.quoting(&claim.text);
        }
        // Of *the Longtail 7 weighs 3.9 kg* the 7 may be part of the name.
        let may_be_of_a_name = |q: &&Quantity| {
            let before = claim.text[..q.span.start].trim_end().rsplit(' ').next().unwrap_or_default();
            q.measure == Measure::Count && before.starts_with(char::is_uppercase) && q.span.start > before.len() + 1
        };
        let (named, mut wanted): (Vec<_>, Vec<_>) = features.quantities.iter().partition(may_be_of_a_name);
        if wanted.is_empty() {
            wanted = named;
        }
        let sizes = wanted.iter().flat_map(|q| [q.raw, q.value]);
        let by_value = sizes.filter_map(|size| self.index.get(&value_key(size.abs())));
        let by_value = by_value.flat_map(|notes| notes.iter().copied().take(MOST_COMPARED));
        let near: BTreeSet<u32> = by_value.chain(self.compared(&features)).collect();
        let has = |note: u32, q: &Quantity| self.notes[note as usize].quantities.iter().any(|other| is_near(q, other));
        let counted = wanted.iter().map(|q| (*q, near.iter().filter(|note| has(**note, q)).count()));
        let found: Vec<(&Quantity, usize)> = counted.filter(|(_, notes)| *notes > 0).collect();
        let look = |note: u32| {
            let of_note = &self.notes[note as usize].quantities;
            let had: Vec<_> = found.iter().filter(|(q, _)| has(note, q)).collect();
            let has_unit = |q: &Quantity| of_note.iter().any(|other| q.measure == other.measure && is_same(q, other));
            let is_telling = |(q, notes): &&(&Quantity, usize)| {
                let is_bare = q.is_temporal() || q.measure == Measure::Count;
                is_bare && *notes == 1
                    || !q.is_temporal() && (q.raw.abs() >= FROM_HERE_TELLING || !is_bare && has_unit(q))
            };
            let compared = (!had.is_empty()).then(|| self.compare(&features, note))?;
            let (words, tells) = (compared.weight > 0.0, had.iter().any(is_telling));
            let is_said = if found.len() == wanted.len() { words || tells || had.len() > 1 } else { words && tells };
            is_said.then_some((had.len(), compared))
        };
        let said = near.iter().copied().filter_map(look).filter(|_| found.len() * 2 >= wanted.len());
        let best = said.max_by(|(a, one), (b, other)| a.cmp(b).then_with(|| order(one, other)));
        best.map(|(_, candidate)| candidate.note)
    }

    /// The note that has the words of a quotation, whoever said them and to whom.
    fn quoting(&self, text: &str) -> Option<usize> {
        quotations(text).iter().filter(|quotation| quotation.is_verbatim()).find_map(|quotation| {
            let quoted = Features::of(quotation.inner.slice(text), Habit::NONE);
            let notes = self.compared(&quoted).into_iter().map(|note| note as usize);
            notes.into_iter().find(|note| quoted.terms.is_subset(&self.notes[*note].terms))
        })
    }

    /// A candidate that has enough in common with the claim, which stands in a table's row of this name; so much at least, where it has a
    /// quantity of the claim.
    fn telling(&self, candidate: Candidate, row: Option<&Features>, fewest: usize) -> Option<Candidate> {
        let is_whole = candidate.carried > 0 && candidate.lacking == 0;
        let note = &self.notes[candidate.note];
        // Whatever else the note says of other rows.
        let is_of_row = is_whole && row.is_some_and(|row| row.terms.is_subset(&note.terms));
        // *Noise: 31 dB*: a note that says little is found by all of it.
        let all = note.terms.len() + note.quantities.len();
        if is_of_row || is_whole && note.about.is_empty() && candidate.shared == all {
            let score = if is_of_row { candidate.score.max(THRESHOLD_WITH_QUANTITY) } else { candidate.score };
            return (candidate.shared >= FEWEST_SHARED_BY_CELL).then_some(Candidate { score, ..candidate });
        }
        // A word or two in common are no statement, unless they are all there is.
        let fewest = if candidate.carried > 0 { fewest.max(FEWEST_SHARED_BY_CELL) } else { FEWEST_SHARED };
        (candidate.shared >= fewest || candidate.score >= WHOLE).then_some(candidate)
    }
}

/// The value to three digits, whatever the unit: only to find notes, not to compare.
fn value_key(value: f64) -> u64 {
    if value == 0.0 || !value.is_finite() {
        return 0;
    }
    let scale = 10f64.powi(2 - value.abs().log10().floor() as i32);
    ((value * scale).round() / scale).to_bits()
}
