//! Looking up in a small catalogue of the tests' own, with indexes that are silent at random.

use std::collections::HashMap;

use super::look::{Note, NoteKind};
use super::question::{Asking, Index, IndexAnswer, Question};
use super::record::Record;
use super::{Entry, Field, Ids, Look, Name, Outcome, look_up};
use cited_core::outcome::Fate;

/// An index that knows some works, or keeps silent.
struct Shelf {
    name: &'static str,
    works: Vec<Record>,
    silent: bool,
}

impl Index for Shelf {
    fn name(&self) -> &'static str {
        self.name
    }

    fn ask<'a>(&'a self, question: &'a Question) -> Option<Asking<'a>> {
        let can = match question {
            Question::Agency(_) => self.name == "doi.org",
            Question::Record(Field::Arxiv, _) => self.name == "arxiv",
            Question::Record(Field::Pmid | Field::Pmcid, _) => self.name == "pubmed",
            Question::Record(Field::Isbn, _) => self.name == "openlibrary",
            Question::Record(Field::Acl, _) => self.name == "semanticscholar",
            Question::Updates(_) => self.name == "crossref",
            Question::Record(..) => matches!(self.name, "crossref" | "datacite" | "doi.org" | "openalex" | "pubmed"),
            Question::Words(_) => self.name == "crossref",
            Question::Title(_, Some(_)) => self.name != "doi.org",
            Question::Title(_, None) => !matches!(self.name, "crossref" | "doi.org"),
        };
        let has = |work: &&Record| match question {
            Question::Record(Field::Doi, doi) | Question::Agency(doi) => work.ids.doi.as_ref() == Some(doi),
            Question::Record(Field::Acl, id) => id == "2019.tides-main.7" && work.title().starts_with("Nets"),
            Question::Record(field, ids) => field.find_in(&work.ids).is_some_and(|id| ids.contains(id)),
            Question::Updates(_) => false,
            // A search always gives something.
            Question::Words(_) => true,
            Question::Title(title, _) => {
                let first = title.split(' ').next().unwrap_or_default().to_lowercase();
                work.title().to_lowercase().contains(&first)
            }
        };
        if matches!(question, Question::Updates(doi) if doi == "10.5555/tides") {
            let fates = vec![Note::with_words(NoteKind::Fate(Fate::Withdrawn), "crossref", "Withdrawal")];
            let answer = Ok(vec![Record { fates, ..Record::default() }]);
            let notice = IndexAnswer { answer, text_sha256: String::new(), at: None };
            return can.then(|| Box::pin(std::future::ready(notice)) as Asking<'a>);
        }
        let found: Vec<Record> =
            self.works.iter().filter(has).map(|work| Record { by: self.name, ..work.clone() }).collect();
        let answer = if self.silent { Err("HTTP 503".to_owned()) } else { Ok(found) };
        can.then(|| {
            Box::pin(std::future::ready(IndexAnswer { answer, text_sha256: String::new(), at: None })) as Asking<'a>
        })
    }
}

const NAMES: [&str; 9] =
    ["crossref", "datacite", "dblp", "pubmed", "openalex", "semanticscholar", "arxiv", "openlibrary", "doi.org"];

fn work(title: &str, authors: &[&str], year: i16, venue: &str, doi: Option<&str>) -> Record {
    Record {
        titles: vec![title.to_owned()],
        authors: authors.iter().map(|name| Name::read(name)).collect(),
        years: vec![year],
        venues: vec![venue.to_owned()],
        ids: Ids { doi: doi.map(str::to_owned), ..Ids::default() },
        ..Record::default()
    }
}

/// The works of the tests, each with the indexes that have it.
fn shelves(silent: &[&str]) -> Vec<Shelf> {
    let tides = work(
        "Tides of the far coast",
        &["Doe, Jane", "Roe, Ann K.", "Poe, Ed"],
        2019,
        "Coastal Records",
        Some("10.5555/tides"),
    );
    let gulls = Record {
        fates: vec![Note::with_words(NoteKind::Fate(Fate::Retracted), "crossref", "Retraction")],
        ..work("Gulls that count their own eggs", &["Poe, Ed"], 2018, "Coastal Records", Some("10.5555/gulls"))
    };
    let nets = work("Nets that learn the sea", &["Moe, Ida", "Doe, Jane"], 2021, "ICML", None);
    let reefs = Record {
        ids: Ids { pmcid: Some("7654321".to_owned()), ..Ids::default() },
        ..work("Reefs of the far coast", &["Roe, Ann K."], 2017, "Coastal Medicine", None)
    };
    let kelp = Record {
        is_preprint: true,
        ids: Ids { arxiv: Some("2101.00001".to_owned()), ..Ids::default() },
        ..work("Kelp and the learning of shores", &["Moe, Ida"], 2021, "arXiv", None)
    };
    let quiet = Record {
        years: vec![1999, 1985],
        any_year: true,
        first_year: Some(1985),
        ..work("Quiet Shores: A Book of Gulls", &["Coe, Ida"], 1999, "", None)
    };
    let low =
        Record { any_year: true, ..work("Low Water: A Book of Kelp", &["Coe, Ida"], 2006, "", Some("10.5555/low")) };
    let notice = work(
        "Retraction: Gulls that count their own eggs",
        &["The Editors of Coastal Records"],
        2025,
        "Coastal Records",
        Some("10.5555/notice"),
    );
    let moss = Record {
        is_preprint: true,
        ..work("Moss on the far coast", &["Moe, Ida"], 2019, "SSRN Electronic Journal", Some("10.5555/moss"))
    };
    let published = work("Moss on the far coast", &["Moe, Ida"], 2019, "Coastal Records", None);
    let shores = work("Shores", &["Roe, Ann K.", "Poe, Ed"], 2009, "Coastal Records", None);
    let of_others = work("Shores", &["Moe, Ida", "Roe, Ann K."], 2016, "Annals of Kelp", None);
    let has: HashMap<&str, Vec<&Record>> = HashMap::from([
        ("openlibrary", vec![&quiet]),
        ("crossref", vec![&tides, &gulls, &low, &notice, &moss, &published, &shores, &of_others]),
        ("openalex", vec![&tides, &gulls, &nets, &kelp]),
        ("dblp", vec![&nets]),
        ("pubmed", vec![&reefs]),
        ("semanticscholar", vec![&tides, &nets, &kelp]),
        ("arxiv", vec![&kelp]),
        ("doi.org", vec![&tides, &gulls]),
    ]);
    let shelf = |name: &'static str| Shelf {
        name,
        works: has.get(name).into_iter().flatten().map(|work| (*work).clone()).collect(),
        silent: silent.contains(&name),
    };
    NAMES.map(shelf).into()
}

fn looked_up(entry: &str, silent: &[&str]) -> Look {
    looked_up_of(Entry::of_words(entry), silent)
}

fn looked_up_of(entry: Entry, silent: &[&str]) -> Look {
    let shelves = shelves(silent);
    let indexes: Vec<&dyn Index> = shelves.iter().map(|shelf| shelf as &dyn Index).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(look_up(&[entry], &indexes, 2026)).looks.remove(0)
}

#[test]
fn entries_and_their_outcomes() {
    use Field::{Authors, Doi, Title, Venue, Year};
    use Outcome::{Differs, Exists, NotFound, Unasked};

    let check = |entry: &str, outcome: Outcome, fields: &[Field], notes: &[&str]| {
        let look = looked_up(entry, &[]);
        assert_eq!(look.outcome, outcome, "{entry}\n{look:?}");
        assert_eq!(look.differs.iter().map(|differ| differ.field).collect::<Vec<_>>(), fields, "{entry}");
        assert_eq!(
            look.notes.iter().map(|note| serde_json::json!(note.code).as_str().unwrap().to_owned()).collect::<Vec<_>>(),
            notes,
            "{entry}"
        );
    };
    let tides = "Doe, J., Roe, A. K., & Poe, E. (2019). Tides of the far coast. *Coastal Records*, 3(2), 1–9.";
    check(tides, Exists, &[], &[]);
    check(&tides.replace("2019", "2020"), Exists, &[], &[]);
    check(&tides.replace("2019", "2014"), Differs, &[Year], &[]);
    check(&tides.replace("2019", "2031"), Differs, &[Year], &[]);
    check(&tides.replace("Coastal Records", "Annals of Kelp"), Differs, &[Venue], &[]);
    check(&tides.replace("far coast", "fra coast"), Differs, &[Title], &[]);
    check(&tides.replace("Roe, A. K.", "Coe, B."), Differs, &[Authors], &[]);
    check(&tides.replace("Roe, A. K., & Poe, E.", "et al."), Exists, &[], &[]);
    check(&tides.replace("Roe, A. K., & ", ""), Differs, &[Authors], &[]);
    check(&format!("{tides} https://doi.org/10.5555/tides"), Exists, &[], &[]);
    check(&format!("{tides} https://doi.org/10.5555/gulls"), Differs, &[Doi], &[]);
    check(&format!("{tides} https://doi.org/10.5555/none"), Differs, &[Doi], &[]);
    check(
        "Poe, E. (2018). Gulls that count their own eggs. *Coastal Records*, 2(1), 3–4.",
        Exists,
        &[],
        &["retracted"],
    );
    check(
        "Poe, E. (2018). Gulls that count their own eggs [Retracted]. *Coastal Records*, 2(1), 3–4.",
        Exists,
        &[],
        &[],
    );
    check("Ida Moe and Jane Doe. Nets that learn the sea. In NeurIPS, 2021.", Differs, &[Venue], &[]);
    check("Ida Moe. Kelp and the learning of shores. In ICML, 2021.", Exists, &[], &["venue-unconfirmed"]);
    check("Ida Moe. arXiv:2101.00001v2.", Exists, &[], &[]);
    check("Ann Roe. PMCID: PMC7654321.", Exists, &[], &[]);
    check("Ann Roe. PMCID: PMC7654322.", Unasked, &[], &[]);
    check("Ida Moe. https://aclanthology.org/2019.tides-main.7/", Exists, &[], &[]);
    check("Coe, B. (2019). On the patience of limpets. *Coastal Records*, 3(2), 1–9.", NotFound, &[], &[]);
    check(
        "Coe, B. (2019). Patience. *Coastal Records*, 3(2), 1–9. https://doi.org/10.5555/gulls",
        Differs,
        &[Doi],
        &[],
    );
    check("Harbour Office. “Tides of the far coast.” Accessed 3 May 2020.", Unasked, &[], &[]);
    // Names that cannot be read are looked for in the words.
    let unread = "Doe (Jane), Roe. “Tides of the far coast.” *Coastal Records* 3, no. 2 (2019): 1–9.";
    check(unread, Exists, &[], &[]);
    check(&unread.replace("Doe (Jane), Roe", "Coe (Ida), Moe"), Differs, &[Authors], &[]);
    check(&unread.replace("Doe (Jane), Roe", "Harbour Office, Lindos"), Exists, &[], &[]);
    // A book without its subtitle, in any edition since the first.
    let book = "Coe, Ida. *Quiet Shores*. 2nd ed. Lindos: Harrow, 1999.";
    check(book, Exists, &[], &[]);
    check(&book.replace("1999", "1991"), Exists, &[], &[]);
    check(&book.replace("1999", "1971"), Differs, &[Year], &[]);
    check(&book.replace("Coe, Ida", "Doe, Bo"), NotFound, &[], &[]);
    check("Coe, Ida. *Low Water*. Lindos: Harrow, 1971.", Exists, &[], &[]);
    check("Coe IB. Quiet Shores. Lindos: Harrow; 1999.", Exists, &[], &[]);
    // A notice by a body, and what it is about.
    let notice =
        "The Editors of Coastal Records. Retraction: Gulls that count their own eggs. Coastal Records. 2025;9(1):3.";
    check(notice, Exists, &[], &[]);
    check(&notice.replace("eggs", "stolen and hidden eggs"), NotFound, &[], &[]);
    // A preprint cannot say where it was published: others are asked.
    let moss = "Moe, I. (2019). Moss on the far coast. *Coastal Records*, 3(2), 1–9. https://doi.org/10.5555/moss";
    check(moss, Exists, &[], &[]);
    check(&moss.replace("Coastal Records", "Annals of Kelp"), Differs, &[Venue], &[]);
    // A title with a question in it, of which the rest is taken for the beginning of the venue.
    let asks =
        "Doe J, Roe AK, Poe E. Tides of the far coast? Evidence from panel data. Coastal Records. 2019;3(2):1-9.";
    check(asks, Exists, &[], &[]);
    check(&asks.replace("Coastal Records", "Annals of Kelp"), Differs, &[Venue], &[]);
    // Another work of the year has the title, and one of the authors.
    check("Roe, A. K., & Poe, E. (2016). Shores. *Coastal Records*, 3(2), 1–9.", Differs, &[Year], &[]);
}

/// Of each index what only that one knows: none of the others stands in for it.
#[test]
fn what_became_of_works_that_claims_stand_on_is_asked_of_each_index_that_may_know() {
    let known = |name: &'static str, code: Option<NoteKind>| {
        let fates = code.map(|code| Note::with_words(code, name, "told")).into_iter().collect();
        let ids = Ids { pmid: Some("31101777".to_owned()), doi: Some("10.5555/asthma".to_owned()), ..Ids::default() };
        let asthma = work("Asthma of the far coast", &["Doe, Jane"], 2019, "Coastal Records", None);
        Shelf { name, works: vec![Record { ids, fates, ..asthma }], silent: false }
    };
    let entry = "Doe, J. (2019). Asthma of the far coast. *Coastal Records*, 3(2), 1–9. https://doi.org/10.5555/asthma";
    let check = |entry: &str, of_claim: bool, knows: &[(&'static str, Option<NoteKind>)], expected: &[NoteKind]| {
        let shelves: Vec<Shelf> = knows.iter().map(|(name, code)| known(name, *code)).collect();
        let indexes: Vec<&dyn Index> = shelves.iter().map(|shelf| shelf as &dyn Index).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let entry = Entry { of_claim, ..Entry::of_words(entry) };
        let look = runtime.block_on(look_up(&[entry], &indexes, 2026)).looks.remove(0);
        let codes: Vec<NoteKind> = look.notes.iter().map(|note| note.code).collect();
        assert_eq!((look.outcome, codes.as_slice()), (Outcome::Exists, expected), "{knows:?} {of_claim}");
    };
    let (retracted, corrected) = (Some(NoteKind::Fate(Fate::Retracted)), Some(NoteKind::Fate(Fate::Corrected)));
    check(entry, true, &[("crossref", None), ("openalex", retracted)], &[NoteKind::Fate(Fate::Retracted)]);
    check(
        entry,
        true,
        &[("crossref", None), ("openalex", None), ("pubmed", retracted)],
        &[NoteKind::Fate(Fate::Retracted)],
    );
    check(entry, true, &[("crossref", None), ("pubmed", retracted)], &[NoteKind::Fate(Fate::Retracted)]);
    check(
        "https://doi.org/10.5555/asthma",
        true,
        &[("crossref", None), ("openalex", retracted)],
        &[NoteKind::Fate(Fate::Retracted)],
    );
    let both = [NoteKind::Fate(Fate::Corrected), NoteKind::Fate(Fate::Retracted)];
    check(entry, true, &[("crossref", corrected), ("openalex", None), ("pubmed", retracted)], &both);
    check(entry, false, &[("crossref", None), ("openalex", retracted)], &[]);
    // Of a notice that Crossref has, and of a work that it has not, nobody else need be asked.
    let tides = Entry { of_claim: true, ..Entry::of_words("https://doi.org/10.5555/tides") };
    let codes: Vec<NoteKind> = looked_up_of(tides, &[]).notes.iter().map(|note| note.code).collect();
    assert_eq!(codes, [NoteKind::Fate(Fate::Withdrawn)]);
    check(entry, false, &[("openalex", None), ("pubmed", retracted)], &[NoteKind::Fate(Fate::Retracted)]);
}

#[test]
fn a_year_to_come_is_in_no_record_and_nobody_further_is_asked_for_it() {
    let asked = |year: &str| {
        let entry =
            format!("Doe, J., Roe, A. K., & Poe, E. ({year}). Tides of the far coast. *Coastal Records*, 3(2), 1–9.");
        looked_up(&entry, &[]).asked.iter().map(|asked| asked.index.clone()).collect::<Vec<String>>()
    };
    assert_eq!(asked("2087"), ["crossref"]);
    assert_eq!(asked("2014"), ["crossref", "openalex"]);
}

#[test]
fn a_silent_index_is_told_with_its_reason() {
    let look = looked_up("Coe, B. (2019). On the patience of limpets. *Coastal Records*, 3(2), 1–9.", &["openalex"]);
    assert_eq!((look.outcome, look.reason.as_deref()), (Outcome::Unasked, Some("openalex: HTTP 503")));
    let medicine = "Coe, B. (2019). Asthma of limpets. *Coastal Records*, 3(2), 1–9.";
    assert_eq!(looked_up(medicine, &["pubmed"]).outcome, Outcome::Unasked);
    // What one index alone says otherwise is not held against an entry while another that could have it is silent.
    let other = "Doe, J., Roe, A. K., & Poe, E. (2014). Tides of the far coast. *Coastal Records*, 3(2), 1–9.";
    let look = looked_up(other, &["openalex"]);
    assert_eq!((look.outcome, look.reason.as_deref()), (Outcome::Unasked, Some("openalex: HTTP 503")));
    assert_eq!(looked_up(other, &["arxiv", "dblp"]).outcome, Outcome::Differs);
    // One that has the record of its DOI is not silent, though it was not searched.
    let led = "Bo Doe. Low water: a book of kelp. In Proceedings of ICML, 2006. https://doi.org/10.5555/low";
    assert_eq!(looked_up(led, &["semanticscholar"]).outcome, Outcome::Differs);
    // One that may know where it was published.
    let look = looked_up("Ida Moe. Kelp and the learning of shores. In ICML, 2021.", &["dblp"]);
    assert_eq!((look.outcome, look.reason.as_deref()), (Outcome::Exists, Some("dblp: HTTP 503")));
    let offer =
        looked_up("Doe, J., Roe, A. K., & Poe, E. (2019). Tides of the far coast. *Coastal Records*, 3(2), 1–9.", &[])
            .offer;
    assert_eq!(offer.map(|offer| offer.url).as_deref(), Some("https://doi.org/10.5555/tides"));
}

/// Whatever is silent, of all ways in which indexes can be: nothing is called not found while a silent one that covers the kind may have it.
#[test]
fn nothing_is_not_found_while_an_index_that_covers_it_is_silent() {
    let entries: [(&str, &[&str]); 4] = [
        ("Coe, B. (2019). On the patience of limpets. *Coastal Records*, 3(2), 1–9.", &["crossref", "openalex"]),
        (
            "Bo Coe. Limpets that wait. In Proceedings of ICML, 2020.",
            &["crossref", "dblp", "openalex", "semanticscholar", "arxiv"],
        ),
        ("Bo Coe. Limpets and shores. arXiv preprint, 2020.", &["arxiv", "openalex", "crossref", "semanticscholar"]),
        ("Coe, Bo. *The Limpet Almanac*. London: Harrow & Finch, 2016.", &["openlibrary", "crossref"]),
    ];
    let searched = ["crossref", "dblp", "openalex", "semanticscholar", "arxiv", "openlibrary"];
    for mask in 0..1u32 << searched.len() {
        let silent: Vec<&str> = (0..searched.len()).filter(|at| mask & (1 << at) != 0).map(|at| searched[at]).collect();
        for (entry, covered) in entries {
            let look = looked_up(entry, &silent);
            let heard = !covered.iter().any(|name| silent.contains(name));
            let expected = if heard { Outcome::NotFound } else { Outcome::Unasked };
            assert_eq!(look.outcome, expected, "{entry} {silent:?} {look:?}");
        }
    }
}
