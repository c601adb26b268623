//! Looking an entry up: identifiers first, then searches, until a record agrees in everything that the entry gives.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::compare::{FoundRecord, Match, Relation, compare_record};
use super::entry::Entry;
use super::kind::Kind;
use super::look::{AnswerKind, Field, IndexQuery, Note, NoteKind, QueryKind};
use super::question::{Index, IndexAnswer, Question};
use super::record::Record;
use super::{name, title, venue};
use cited_core::outcome::Fate;
use cited_text::script::is_latin;

/// Identifiers beside the DOI: who has their records, and how many are asked for in one request.
const NUMBERS: [(Field, &str, usize); 5] = [
    (Field::Arxiv, "arxiv", 50),
    (Field::Pmid, "pubmed", 100),
    (Field::Pmcid, "pubmed", 100),
    (Field::Acl, "semanticscholar", 1),
    (Field::Isbn, "openlibrary", 1),
];
/// Who says whether an identifier is registered.
pub(super) fn registrar(field: Field) -> &'static str {
    NUMBERS.iter().find(|(own, ..)| *own == field).map_or("doi.org", |(_, name, _)| *name)
}

/// DOIs that `DataCite` registers, by their prefixes.
const DATACITE: [&str; 4] = ["10.48550/", "10.5281/", "10.6084/", "10.17605/"];

/// Indexes that are asked for titles in any script.
const ANY_SCRIPT: [&str; 3] = ["crossref", "openalex", "openlibrary"];

/// What an identifier of an entry led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Led {
    /// To a record.
    Somewhere,
    /// To nothing: it is not registered.
    Nowhere,
    /// Nobody said.
    Unknown,
}

/// The indexes of a run.
pub(super) struct Asker<'a> {
    indexes: &'a [&'a dyn Index],
    /// The identifiers of a run that are asked for together, by each of them.
    batches: HashMap<(Field, String), String>,
}

impl<'a> Asker<'a> {
    pub(super) fn new(entries: &[Entry], indexes: &'a [&'a dyn Index]) -> Self {
        let mut batches = HashMap::new();
        for (field, _, size) in NUMBERS {
            let ids: BTreeSet<&str> = entries.iter().filter_map(|entry| field.find_in(&entry.read.ids)).collect();
            for batch in ids.into_iter().collect::<Vec<_>>().chunks(size) {
                batches.extend(batch.iter().map(|id| ((field, (*id).to_owned()), batch.join(","))));
            }
        }
        Asker { indexes, batches }
    }
}

/// An entry with what the indexes have said of it so far.
pub(super) struct Walk<'a> {
    pub entry: &'a Entry,
    now: i16,
    pub records: Vec<FoundRecord>,
    /// What became of each identifier.
    pub led: BTreeMap<Field, Led>,
    /// The indexes that were searched, and whether each answered whatever it was asked.
    pub searched: BTreeMap<String, bool>,
    pub asked: Vec<IndexQuery>,
    /// What its records say became of the work, and notices and records that were asked for beside them.
    pub fates: Vec<Note>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(entry: &'a Entry, now: i16) -> Self {
        let mut walk = Walk {
            entry,
            now,
            records: Vec::new(),
            led: BTreeMap::new(),
            searched: BTreeMap::new(),
            asked: Vec::new(),
            fates: Vec::new(),
        };
        // A page confirms what it says of itself; what it leaves out or shortens refutes nothing.
        walk.take(entry.page.clone(), None);
        let same = |found: &FoundRecord, field: &Field| found.said(*field) == Match::Same;
        let read = [Field::Title, Field::Authors, Field::Year];
        walk.records.retain(|it| it.relation == Relation::Work && read.iter().all(|field| same(it, field)));
        walk
    }

    /// Takes records, to which the identifier of a field led.
    fn take(&mut self, records: impl IntoIterator<Item = Record>, led: Option<Field>) {
        for record in records {
            self.led.extend(led.map(|field| (field, Led::Somewhere)));
            self.records.push(compare_record(self.entry, record, led, self.now));
        }
    }

    /// Asks an index, and takes note; `None` when it did not answer.
    async fn ask(&mut self, asker: &Asker<'_>, name: &str, question: Question) -> Option<Vec<Record>> {
        let asking = asker.indexes.iter().find(|index| index.name() == name).and_then(|index| index.ask(&question));
        let is_on = asking.is_some();
        let off = std::future::ready(IndexAnswer::unasked("off"));
        let IndexAnswer { answer, text_sha256, at } = asking.unwrap_or_else(|| Box::pin(off)).await;
        let kind = match &answer {
            Ok(found) if found.is_empty() => AnswerKind::No,
            Ok(_) => AnswerKind::Records,
            Err(_) => AnswerKind::Unasked,
        };
        if is_on && question.query_kind() == QueryKind::Search {
            *self.searched.entry(name.to_owned()).or_insert(true) &= answer.is_ok();
        }
        self.asked.push(IndexQuery {
            index: name.to_owned(),
            how: question.query_kind(),
            answer: kind,
            records: answer.as_ref().map(Vec::len).ok().filter(|count| *count > 0),
            reason: answer.as_ref().err().cloned(),
            text_sha256: Some(text_sha256).filter(|hash| !hash.is_empty()),
            at,
        });
        answer.ok()
    }

    pub(super) async fn follow_identifiers(&mut self, asker: &Asker<'_>) {
        let ids = &self.entry.read.ids;
        if let Some(doi) = &ids.doi {
            self.follow_doi(asker, doi).await;
        }
        for (field, name, _) in NUMBERS {
            // An ISBN with a wrong check digit is a slip and leads nowhere.
            let is_slip = field == Field::Isbn && ids.isbn_is_wrong;
            let Some(id) = field.find_in(ids).filter(|_| !is_slip) else { continue };
            let batch = asker.batches.get(&(field, id.to_owned())).cloned().unwrap_or_default();
            let records = self.ask(asker, name, Question::Record(field, batch)).await;
            self.led.insert(field, if records.is_some() { Led::Nowhere } else { Led::Unknown });
            let is_it = |record: &Record| field.find_in(&record.ids).is_none_or(|own| own == id);
            self.take(records.into_iter().flatten().filter(is_it), Some(field));
        }
    }

    async fn follow_doi(&mut self, asker: &Asker<'_>, doi: &str) {
        self.led.insert(Field::Doi, Led::Unknown);
        let of_datacite = DATACITE.iter().any(|prefix| doi.starts_with(prefix));
        let order = if of_datacite { ["datacite", "crossref", "doi.org"] } else { ["crossref", "datacite", "doi.org"] };
        for name in order {
            if name == "doi.org" {
                let Some(agencies) = self.ask(asker, name, Question::Agency(doi.to_owned())).await else { return };
                if agencies.is_empty() {
                    self.led.insert(Field::Doi, Led::Nowhere);
                    return;
                }
            }
            let found = self.ask(asker, name, Question::Record(Field::Doi, doi.to_owned())).await;
            self.take(found.into_iter().flatten(), Some(Field::Doi));
            if self.led[&Field::Doi] == Led::Somewhere {
                return;
            }
        }
    }

    /// The searches that may find the work, in order.
    pub(super) fn searches(&self) -> Vec<(&'static str, Question)> {
        let (kind, read) = (self.entry.kind, &self.entry.read);
        let title = read.title.as_deref().unwrap_or_default();
        let bare = title::bare(title);
        // Open Library knows many books without their subtitles.
        let main = title::main_title(bare).filter(|_| kind == Kind::Book);
        let terms = title::terms(main.unwrap_or(bare));
        let latin = is_latin(bare) == Some(true);
        let family = read.authors.first().map(|name| name::family_words(name).concat()).filter(|name| !name.is_empty());
        let by = || family.clone().map(|family| Question::Title(terms.clone(), Some(family)));
        let is_likely = |name: &str| match name {
            "dblp" => venue::is_of("computing", &read.words) || venue::alias_of(&read.words).is_some(),
            "pubmed" => self.is_of_medicine(),
            "datacite" => read.ids.arxiv.is_none(),
            _ => true,
        };
        let step = |name: &'static str| {
            let unlikely = name.strip_suffix('?').filter(|name| !is_likely(name));
            let name = name.trim_end_matches('?');
            if name == "crossref" {
                // A preprint cannot say where it was published.
                let tells = |record: &Record| record.by == name && !(self.is_at_venue() && record.is_of_preprint());
                let is_known = self.works().any(|found| tells(&found.record)) || read.words.is_empty();
                return (!is_known).then(|| (name, Question::Words(read.words.clone())));
            }
            let is_asked = unlikely.is_none() && !bare.is_empty() && (latin || ANY_SCRIPT.contains(&name));
            // A short title is had by too many works to be found among them.
            let short = by().filter(|_| title::is_common(title) && matches!(name, "dblp" | "openlibrary"));
            is_asked.then(|| (name, short.unwrap_or_else(|| Question::Title(terms.clone(), None))))
        };
        let last = by().filter(|_| !bare.is_empty()).map(|question| ("crossref", question));
        kind.covered("asks").filter_map(step).chain(last).collect()
    }

    pub(super) async fn search(&mut self, asker: &Asker<'_>, name: &'static str, question: Question) {
        let is_spared = self.works().next().is_some()
            && match (name, &question) {
                // One of the two is enough where the work is known.
                ("arxiv", _) => {
                    self.entry.kind != Kind::Preprint && self.searched.get("semanticscholar") == Some(&true)
                }
                // Without a key its budget of a day is small: it is spent where nobody had the work yet, and before an entry is said to differ.
                ("openalex", _) => {
                    let agrees =
                        |found: &FoundRecord| Field::OF_WORDS.iter().all(|field| found.said(*field) <= Match::Same);
                    let mut indexes = asker.indexes.iter().filter(|index| index.name() == name);
                    let is_sparing = indexes.any(|index| index.account().missing_key.is_some());
                    is_sparing && self.works().all(agrees)
                }
                // Asked once more by title and author alone, before it is not found.
                ("crossref", Question::Title(..)) => true,
                // What may be a book is looked for among books when it is nothing else.
                ("openlibrary", _) => self.entry.kind == Kind::Work,
                _ => false,
            };
        if is_spared {
            return;
        }
        let found = self.ask(asker, name, question).await;
        self.take(found.into_iter().flatten(), None);
    }

    /// Asks what became of a work where its records do not say so: Crossref for notices about it, `OpenAlex` and `PubMed` for its record, as
    /// each of them knows of retractions that the others do not. Where no claim stands on it only `PubMed` is asked, for what Crossref lacks.
    pub(super) async fn ask_for_fate(&mut self, asker: &Asker<'_>) {
        let records: Vec<&Record> = self.works().map(|found| &found.record).collect();
        let has = ["crossref", "openalex", "pubmed"].map(|name| (name, records.iter().any(|record| record.by == name)));
        let id = |field: Field| records.iter().find_map(|record| field.find_in(&record.ids).map(str::to_owned));
        let mut pmid = id(Field::Pmid);
        let doi = id(Field::Doi).filter(|_| self.entry.of_claim);
        let by_doi = || Some(Question::Record(Field::Doi, doi.clone()?));
        self.fates = records.iter().flat_map(|record| record.fates.clone()).collect();
        for (name, is_known) in has {
            let question = match name {
                _ if self.fates.iter().any(|fate| fate.code != NoteKind::Fate(Fate::Corrected)) => None,
                "crossref" => doi.clone().filter(|_| is_known && self.fates.is_empty()).map(Question::Updates),
                _ if is_known => None,
                "openalex" => by_doi(),
                _ => match pmid.take().filter(|_| self.entry.of_claim || !has[0].1) {
                    Some(pmid) => Some(Question::Record(Field::Pmid, pmid)),
                    None => by_doi().filter(|_| self.is_of_medicine()),
                },
            };
            let Some(question) = question else { continue };
            for record in self.ask(asker, name, question).await.unwrap_or_default() {
                let found = compare_record(self.entry, record, Some(Field::Doi), self.now);
                if found.relation == Relation::Work {
                    pmid = pmid.or(found.record.ids.pmid);
                    self.fates.extend(found.record.fates);
                }
            }
        }
    }

    /// The records of the work.
    pub(super) fn works(&self) -> impl Iterator<Item = &FoundRecord> {
        self.records.iter().filter(|found| found.relation == Relation::Work)
    }

    /// Whether the entry names a venue, and no server of preprints.
    fn is_at_venue(&self) -> bool {
        self.entry.read.container.as_deref().is_some_and(|own| !venue::is_server(own))
    }

    /// Whether records of the work agree in everything that the entry gives.
    pub(super) fn is_confirmed(&self) -> bool {
        let read = &self.entry.read;
        let same = |field| self.works().any(|found| found.said(field) == Match::Same);
        let shown = self.records.first().is_some_and(|found| Some(&found.record) == self.entry.page.as_ref());
        // What the web has answered is not asked for again.
        let other_venue = self.works().any(|found| found.denies(Field::Venue));
        self.works().next().is_some()
            && (read.title.is_none() || same(Field::Title))
            && (read.authors.is_empty() || same(Field::Authors))
            // No record has a year that is still to come.
            && (read.year.is_none_or(|year| year > self.now + 1) || same(Field::Year))
            && (!self.is_at_venue() || same(Field::Venue) || shown && !other_venue)
    }

    /// The index that covers the kind and has not answered a search, with why; `None` when all have.
    pub(super) fn silent(&self) -> Option<(String, String)> {
        let (entry, read) = (self.entry, &self.entry.read);
        let by_id_alone = matches!(entry.kind, Kind::Deposit | Kind::Uncovered);
        // Where nobody said whether an identifier leads anywhere, it may lead to the work.
        if self.led.values().any(|led| *led == Led::Unknown) || by_id_alone && self.led.is_empty() {
            let mut asked = self.asked.iter().rev().filter(|asked| asked.how != QueryKind::Search);
            let why = asked.find_map(|asked| Some((asked.index.clone(), asked.reason.clone()?)));
            return Some(why.unwrap_or_else(|| ("doi.org".to_owned(), "no record of it".to_owned())));
        }
        if by_id_alone {
            return None;
        }
        // One that has a record of the work has answered, by whatever it was asked.
        let is_silent =
            |name: &str| self.searched.get(name) != Some(&true) && !self.works().any(|found| found.record.by == name);
        let class = match entry.kind {
            Kind::Article if self.is_of_medicine() => "medicine",
            Kind::Preprint if read.ids.arxiv.is_some() || super::fold::letters(&entry.read.words).contains("arxiv") => {
                "arxiv"
            }
            _ => "covers",
        };
        // A title in another script is had by some of them alone.
        let latin = read.title.as_deref().is_none_or(|title| is_latin(title) != Some(false));
        let covers = entry.kind.covered(class).filter(|names| latin || ANY_SCRIPT.contains(names));
        let mut missing = covers.filter(|names| names.split('/').all(is_silent));
        let name = missing.find_map(|names| names.split('/').next())?;
        let mut asked = self.asked.iter().rev().filter(|asked| asked.index == name);
        let why = asked.find_map(|asked| asked.reason.clone()).unwrap_or_else(|| "not asked".to_owned());
        Some((name.to_owned(), why))
    }

    /// An index that was searched because it may have the work, and did not answer, with why.
    pub(super) fn failed(&self) -> Option<(String, String)> {
        let mut asked = self.asked.iter().filter(|asked| self.searched.get(&asked.index) == Some(&false));
        asked.find_map(|asked| Some((asked.index.clone(), asked.reason.clone()?)))
    }

    fn is_of_medicine(&self) -> bool {
        self.entry.read.ids.pmid.is_some() || venue::is_of("medicine", &self.entry.read.words)
    }
}
