//! Other sources of the draft and of the notes that say what a claim says whose own sources do not.
//!
//! Which claims a page may say is found while the page is in hand, by the rarest word of each and then by its numbers or its quotation: no page
//! is read for one claim.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::pipeline::ask::Asked;
use crate::pipeline::read::Read;
use cited_core::claim::{Claim, labelled};
use cited_core::source::SourceId;
use cited_core::verdict::{Standing, Verdict};
use cited_judge::SourceText;
use cited_judge::evidence::search::{Term, terms};
use cited_text::quantity::{Quantity, agree, quantities};
use cited_text::quotation::{FEWEST_WORDS, quotations};
use cited_text::words::words;

/// Listed sources that a claim does not cite and is held against, once its own are found wanting.
const MOST_OTHERS: usize = 24;

/// Claims that are looked for by the same word. What more of them have tells none from the others.
const MOST_ALIKE: usize = 128;

/// The words of a sentence that is looked for as it stands are more than these: fewer may stand anywhere.
const FEWEST_OF_A_SENTENCE: usize = 4;

/// A claim that may need another source than its own. Only a number, a quotation, or else all of its words that are found carry it there.
struct UnmetClaim<'a> {
    claim: usize,
    cited: &'a [SourceId],
    numbers: Vec<Quantity>,
    /// Its quotations; the whole of one that has no number either.
    quoted: Vec<&'a str>,
    /// The rarest first.
    terms: Vec<Term>,
    /// The listed sources that have its numbers or its quotation, those with most of its words first.
    held_by: Vec<(Reverse<usize>, SourceId)>,
}

/// A listed source that has the numbers or the quotation of a claim, by the claim's place among those that want one, and how many of its
/// words.
pub(super) type OtherSource = (usize, Reverse<usize>, SourceId);

/// The claims that may need another source than their own.
#[derive(Default)]
pub(super) struct UnmetClaims<'a> {
    wanted: Vec<UnmetClaim<'a>>,
    /// The sources that may be one: what the draft lists or cites anywhere, and what notes give.
    pub(super) listed: BTreeSet<SourceId>,
}

impl<'a> UnmetClaims<'a> {
    /// The claims of a draft of which `may_want` says of every cited source that it is gone or can be found wanting.
    pub(super) fn collect(asked: &'a Asked, may_want: impl Fn(&Claim, SourceId) -> bool) -> Self {
        let Read { claims, sources, .. } = &asked.read;
        let mut alike: HashMap<u64, usize> = HashMap::new();
        let wanted = claims.iter().zip(sources).enumerate().filter_map(|(i, (Claim { text, .. }, sources))| {
            let cited = sources.stands_on();
            if cited.is_empty() || !cited.iter().all(|source| may_want(&claims[i], *source)) {
                return None;
            }
            let numbers: Vec<Quantity> = quantities(text).into_iter().filter(Quantity::is_measured).collect();
            let quoted = quotations(text).into_iter().filter(|quotation| quotation.words >= FEWEST_WORDS);
            let mut quoted: Vec<&str> = quoted.map(|quotation| quotation.inner.slice(text)).collect();
            if numbers.is_empty() && quoted.is_empty() && words(text).nth(FEWEST_OF_A_SENTENCE).is_some() {
                quoted.push(labelled(text).map_or(text, |(_, sentence)| sentence));
            }
            let mut terms = terms(text);
            terms.sort_by(|a, b| b.weight.total_cmp(&a.weight));
            let alike = alike.entry(terms.first()?.key).or_default();
            *alike += 1;
            (*alike <= MOST_ALIKE).then(|| UnmetClaim { claim: i, cited, numbers, quoted, terms, held_by: Vec::new() })
        });
        let wanted: Vec<UnmetClaim<'_>> = wanted.collect();
        if wanted.is_empty() {
            return UnmetClaims::default();
        }
        // A page about something else is no better source: cited for one claim more, it would be judged as another page.
        // What a wall shows is no page to cite either.
        let may_say = |source: &SourceId| {
            let answer = asked.answer(*source);
            !answer.is_off_topic() && !answer.outcome.is_unknown()
        };
        let of_claims = sources.iter().flat_map(|sources| sources.all().chain(sources.noted.iter().copied()));
        let listed = asked.read.listed.iter().flatten().copied().chain(of_claims);
        UnmetClaims { listed: listed.filter(may_say).collect(), wanted }
    }

    /// The claims whose numbers or quotation a page has.
    pub(super) fn held_by(&self, source: SourceId, page: &SourceText<'_>) -> Vec<OtherSource> {
        let index = &page.index;
        let has = |claimed: &Quantity| index.agreeing(claimed).any(|held| agree(claimed, held));
        let holds = |quotation: &&str| index.folded().holds(quotation);
        let is_held = |UnmetClaim { cited, numbers, quoted, terms, .. }: &UnmetClaim<'_>| {
            index.has(terms[0].key)
                && !cited.contains(&source)
                && (!numbers.is_empty() && numbers.iter().all(has) || quoted.iter().any(holds))
        };
        let wanted = self.wanted.iter().enumerate().filter(|_| self.listed.contains(&source));
        let held = wanted.filter(|(_, wanted)| is_held(wanted)).map(|(at, UnmetClaim { terms, .. })| {
            (at, Reverse(terms.iter().filter(|term| index.has(term.key)).count()), source)
        });
        held.collect()
    }

    /// Takes in what a page has.
    pub(super) fn add(&mut self, (at, shared, source): OtherSource) {
        self.wanted[at].held_by.push((shared, source));
    }

    /// The listed sources that are held against the claims of which every cited source `is_wanting`, by claim.
    pub(super) fn candidates(
        self,
        is_wanting: impl Fn((usize, SourceId)) -> bool,
    ) -> BTreeMap<usize, BTreeSet<SourceId>> {
        let mut wanted = self.wanted;
        wanted.retain(|UnmetClaim { claim, cited, .. }| cited.iter().all(|source| is_wanting((*claim, *source))));
        // Where a list has hundreds of pages with a number, the ones that have most of the words of the claim are asked.
        let sources = |mut held_by: Vec<(_, SourceId)>| {
            held_by.sort_unstable();
            held_by.into_iter().take(MOST_OTHERS).map(|(_, source)| source).collect()
        };
        wanted.into_iter().map(|wanted| (wanted.claim, sources(wanted.held_by))).collect()
    }
}

/// Whether a verdict carries a claim to a source that it does not cite: a hard check says so, or the source has it word for word.
pub(super) fn carries(claim: &str, verdict: &Verdict) -> bool {
    let keys = |text: &str| words(text).map(|word| word.key).collect::<Vec<u64>>();
    let is_word_for_word = || {
        let (claimed, there) = (keys(claim), verdict.passage.as_ref().map(|passage| keys(&passage.text)));
        !claimed.is_empty() && there.is_some_and(|there| there.windows(claimed.len()).any(|window| window == claimed))
    };
    verdict.standing == Standing::Supported && (verdict.hard || is_word_for_word())
}
