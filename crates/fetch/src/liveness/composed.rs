//! Sentences that say that something is not there: a thing and a state of absence, put together by each language's tables
//! (`data/absence.tsv`), whatever their order, with nothing else beside them but words that say nothing of their own.

use std::cell::OnceCell;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::super::fold::{count_words, fold, holds, is_unspaced};
use cited_text::lexicon::table;
use cited_text::marks::is_mark;

/// What a form of a language says: a thing, how it is not there, or what such sentences are made of beside these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display, strum::EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum Role {
    /// A thing: what was asked for, whatever it is, a page or an address.
    Page,
    /// A thing: an item of this kind.
    Item(&'static str),
    /// A thing: a site or its name.
    Site,
    /// A state: nothing of the kind is known here (not found, does not exist).
    Unknown,
    /// A state: it was there (removed, expired, private, no longer available).
    Gone,
    /// A state: it is over (of jobs, advertisements, surveys).
    Closed,
    /// A state: it was shut out (of accounts, groups, sites).
    Barred,
    /// A state: a name is for sale.
    ForSale,
    /// A negation.
    Not,
    /// A negation of what was once.
    NoMore,
    /// What an absent thing does not do (be found, exist).
    Has,
    /// What a thing is not that was there.
    Available,
    /// The number of an error.
    Status,
    /// A word by which a site speaks to its reader, or leads on.
    Reader,
    /// A word that says nothing here.
    Fill,
}

/// A sentence that says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Absence {
    /// What; `None` where only the state is said (*Not found*).
    pub thing: Option<Role>,
    /// How.
    pub state: Role,
    /// Whether the sentence says nothing else.
    pub plain: bool,
}

struct Form {
    text: String,
    language: &'static str,
    role: Role,
    /// Whether any ending may follow.
    open: bool,
    /// Whether it has characters of a script without spaces, so that it may stand within a run of them.
    wide: bool,
}

/// Kinds that are over when they are closed: a closed topic can still be read.
const CLOSABLE: [&str; 6] = ["job", "listing", "ad", "survey", "offer", "product"];

/// Kinds that are shut out.
const BARRABLE: [&str; 6] = ["account", "group", "profile", "channel", "app", "repository"];

/// The forms of all languages, and what finds them.
static TABLE: LazyLock<(Vec<Form>, AhoCorasick)> = LazyLock::new(|| {
    let mut forms = Vec::new();
    let mut add = |language: &'static str, role: Role, list: &'static str| {
        for form in list.split(',') {
            let text = fold(form, 100);
            let (open, wide) = (form.trim_end().ends_with('*'), text.chars().any(is_unspaced));
            if !text.is_empty() {
                forms.push(Form { text, language, role, open, wide });
            }
        }
    };
    for row in table::cells(include_str!("data/absence.tsv")) {
        let [language, role, list] = row.as_slice() else { continue };
        let role = match *role {
            "item" => {
                for kind in list.split(';') {
                    if let Some((kind, list)) = kind.split_once(':') {
                        add(language, Role::Item(kind.trim()), list);
                    }
                }
                continue;
            }
            name => name.parse().expect("a role of this table"),
        };
        add(language, role, list);
    }
    let finder = AhoCorasick::new(forms.iter().map(|form: &Form| form.text.as_str())).expect("a table of usual size");
    (forms, finder)
});

/// A form found in a sentence.
#[derive(Clone, Copy)]
struct FoundForm {
    language: &'static str,
    start: usize,
    end: usize,
    role: Role,
}

/// The forms that a folded sentence has, by language; what is said in every language stands first. A form begins where a word does, and at
/// each character of a script without spaces and behind it.
fn forms_in(folded: &str) -> Vec<FoundForm> {
    let edge = |c: char| matches!(c, ' ' | '\'') || is_unspaced(c);
    let mut all = Vec::new();
    let (forms, finder) = &*TABLE;
    for found in finder.find_overlapping_iter(folded) {
        let (form, start) = (&forms[found.pattern()], found.start());
        let (before, rest) = folded.split_at(start);
        if !before.chars().next_back().is_none_or(edge) && !rest.starts_with(is_unspaced) {
            continue;
        }
        let mut end = form.text.len();
        let after = rest.get(end..).unwrap_or_default();
        if form.open && !form.wide {
            end += after.find([' ', '\'']).unwrap_or(after.len());
        }
        if form.wide || form.open || after.chars().next().is_none_or(edge) {
            all.push(FoundForm { language: form.language, start, end: start + end, role: form.role });
        }
    }
    all.sort_by_key(|found| (found.language, found.start, found.end));
    all
}

/// The forms of each language that has some, with those of every language; at last those alone.
fn by_language(all: &[FoundForm]) -> impl Iterator<Item = Vec<FoundForm>> {
    let (shared, others) = all.split_at(all.partition_point(|found| found.language == "*"));
    let chunks = others.chunk_by(|one, other| one.language == other.language);
    chunks.map(move |chunk| [chunk, shared].concat()).chain(std::iter::once(shared.to_vec()))
}

/// Characters of a sentence that are read.
const LONGEST: usize = 400;

/// A sentence with more words than this tells something, whatever else it says.
const MOST_WORDS: usize = 30;

/// Words of a sentence from which on it tells something, if as many of them say something of their own.
const TELLING: (usize, usize) = (5, 3);

/// A sentence, folded once, whose forms are looked for once, when they are asked for.
pub struct Sentence<'t> {
    /// As it is written.
    pub text: &'t str,
    /// Its words in lower case, divided by single spaces.
    pub folded: String,
    forms: OnceCell<Vec<FoundForm>>,
}

impl<'t> Sentence<'t> {
    /// A sentence of a page.
    pub fn new(text: &'t str) -> Self {
        Sentence { text, folded: fold(text, LONGEST), forms: OnceCell::new() }
    }

    fn forms(&self) -> &[FoundForm] {
        self.forms.get_or_init(|| forms_in(&self.folded))
    }

    /// How many words it has.
    pub fn words(&self) -> usize {
        count_words(&self.folded)
    }

    /// Whether a folded text has it.
    pub fn stands_in(&self, folded: &str) -> bool {
        holds(folded, &self.folded)
    }

    /// What it says of something that is not there, in the language that leaves the least of it unsaid.
    pub fn absence(&self) -> Option<Absence> {
        if self.words() > MOST_WORDS {
            return None;
        }
        let read = by_language(self.forms()).filter_map(|found| read(&self.folded, &found));
        let (_, absence) = read.min_by_key(|(left, _)| *left)?;
        Some(Absence { plain: absence.plain && !self.text.contains(is_mark), ..absence })
    }

    /// It and its absence, where it says one.
    pub fn with_absence(&self) -> Option<(&Self, Absence)> {
        Some((self, self.absence()?))
    }

    /// Whether it tells something: it neither says that something is not there, nor does a site speak to its reader in it.
    pub fn tells(&self) -> bool {
        let counted = by_language(self.forms()).map(|found| (count(&self.folded, &found), found));
        let Some(((all, left), found)) = counted.min_by_key(|((_, left), _)| *left) else { return false };
        let speaks = found.iter().any(|found| found.role == Role::Reader);
        !speaks && all >= TELLING.0 && left >= TELLING.1 && !self.absence().is_some_and(|absence| absence.plain)
    }
}

/// What a sentence says of something that is not there.
pub fn absence_in(sentence: &str) -> Option<Absence> {
    Sentence::new(sentence).absence()
}

/// What the forms of one language make of a sentence, and how many words they leave.
fn read(folded: &str, found: &[FoundForm]) -> Option<(usize, Absence)> {
    let kept = longest(found);
    let has = |role: Role| kept.iter().any(|found| found.role == role);
    let things = kept.iter().filter(|found| matches!(found.role, Role::Page | Role::Item(_) | Role::Site));
    let thing = things.min_by_key(|found| found.start).map(|found| found.role);
    let kind = |kinds: &[&str]| matches!(thing, Some(Role::Item(kind)) if kinds.contains(&kind));
    let of_site = has(Role::Site);
    let (not, no_more, can_be) = (has(Role::Not), has(Role::NoMore), has(Role::Has));
    let is_gone = has(Role::Gone) || (no_more && can_be) || (no_more || not) && has(Role::Available);
    let is_unknown = has(Role::Unknown) || not && can_be;
    let state = if of_site && has(Role::ForSale) {
        Role::ForSale
    } else if (kind(&BARRABLE) || of_site) && has(Role::Barred) {
        Role::Barred
    } else if is_gone {
        Role::Gone
    } else if kind(&CLOSABLE) && has(Role::Closed) {
        Role::Closed
    } else if is_unknown || matches!(thing, None | Some(Role::Page)) && has(Role::Status) {
        Role::Unknown
    } else {
        return None;
    };
    let is_of_the_site = state == Role::ForSale || of_site && state == Role::Barred && !kind(&BARRABLE);
    let thing = if is_of_the_site { Some(Role::Site) } else { thing };
    // A state alone has to be one that nothing else is said of (*Not found*, *404*).
    if thing.is_none() && state != Role::Unknown {
        return None;
    }
    let (all, left) = count(folded, &kept);
    let spare = match all {
        0..=9 => 0,
        10..=16 => 1,
        _ => 2,
    };
    let plain = left <= if thing.is_none() { 0 } else { spare };
    (thing.is_some() || plain).then_some((left, Absence { thing, state, plain }))
}

/// The longest forms.
fn longest(found: &[FoundForm]) -> Vec<FoundForm> {
    let mut found = found.to_vec();
    found.sort_by_key(|found| (std::cmp::Reverse(found.end - found.start), found.start));
    let mut kept: Vec<FoundForm> = Vec::new();
    for one in found {
        // A form may be of two roles (a product that is an article), not half of one.
        let clashes = |other: &FoundForm| {
            let same = one.start == other.start && one.end == other.end;
            one.start < other.end && other.start < one.end && !(same && one.role != other.role)
        };
        if !kept.iter().any(clashes) {
            kept.push(one);
        }
    }
    kept
}

/// Words of a sentence, and those that no form covers. In scripts without spaces two characters count as a word.
fn count(folded: &str, kept: &[FoundForm]) -> (usize, usize) {
    let (mut all, mut left) = (0, 0);
    let (mut wide, mut wide_left) = (0, 0);
    let covered = |at: usize| kept.iter().any(|found| (found.start..found.end).contains(&at));
    let mut start = 0;
    for word in folded.split([' ', '\'']) {
        let length = word.chars().count();
        if word.chars().any(is_unspaced) {
            for (at, _) in word.char_indices() {
                wide += 1;
                wide_left += usize::from(!covered(start + at));
            }
        } else if length > 0 {
            all += 1;
            // Statuses and the shortest words say nothing; a year does.
            let small = length <= 2 || length == 3 && word.bytes().all(|byte| byte.is_ascii_digit());
            left += usize::from(!small && !covered(start));
        }
        start += word.len() + 1;
    }
    (all + usize::div_ceil(wide, 2), left + wide_left / 2)
}

/// The sentences of a text.
pub fn sentences(text: &str) -> impl Iterator<Item = Sentence<'_>> {
    sentence_texts(text).map(Sentence::new)
}

/// The sentences of a text, as they are written.
pub fn sentence_texts(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '\t', '!', '?', '。', '！', '？', '؟', '।', '…'])
        .flat_map(|part| part.split(". "))
        .map(|part| part.trim().trim_end_matches('.'))
        .filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{Absence, Role, absence_in};

    #[track_caller]
    fn says(sentence: &str, thing: Role, state: Role) {
        assert_eq!(absence_in(sentence), Some(Absence { thing: Some(thing), state, plain: true }), "{sentence}");
    }

    #[test]
    fn things_and_states_in_many_languages() {
        use Role::{Barred, Closed, ForSale, Gone, Unknown};
        use Role::{Item, Page, Site};
        for (sentence, thing, state) in [
            ("Page not found", Page, Unknown),
            ("We couldn’t find the page you were looking for", Page, Unknown),
            ("Sorry, this job is no longer available", Item("job"), Gone),
            ("This vacancy has been filled", Item("job"), Closed),
            ("The poll is closed", Item("survey"), Closed),
            ("This video has been removed by the uploader", Item("video"), Gone),
            ("The recipe you are looking for doesn’t exist", Item("recipe"), Unknown),
            ("This account has been suspended", Item("account"), Barred),
            ("This domain name is for sale", Site, ForSale),
            ("Diese Stellenanzeige ist nicht mehr verfügbar", Item("job"), Gone),
            ("Das von Ihnen gesuchte Rezept wurde leider nicht gefunden", Item("recipe"), Unknown),
            ("Cette annonce a expiré", Item("ad"), Gone),
            ("La vidéo que vous recherchez n’existe plus", Item("video"), Gone),
            ("La oferta de empleo ha caducado", Item("job"), Gone),
            ("Este anúncio já não está disponível", Item("ad"), Gone),
            ("Questo annuncio non è più disponibile", Item("ad"), Gone),
            ("Deze vacature is verlopen", Item("job"), Gone),
            ("Annonsen har tagits bort", Item("job"), Gone),
            ("Opskriften findes ikke længere", Item("recipe"), Gone),
            ("Arrangementet ble ikke funnet", Item("event"), Unknown),
            ("Videota ei löytynyt", Item("video"), Unknown),
            ("To ogłoszenie wygasło", Item("ad"), Gone),
            ("Produkt již není dostupný", Item("product"), Gone),
            ("Inzerát bol vymazaný", Item("ad"), Gone),
            ("A keresett termék nem található", Item("product"), Unknown),
            ("Anunțul a fost dezactivat", Item("ad"), Gone),
            ("Bu ilan yayından kaldırılmıştır", Item("ad"), Gone),
            ("Вакансия закрыта", Item("job"), Closed),
            ("Запрашиваемое объявление было удалено", Item("ad"), Gone),
            ("Товар більше не доступний", Item("product"), Gone),
            ("Обявата е изтрита", Item("ad"), Gone),
            ("Oglas je istekao", Item("ad"), Gone),
            ("Η αγγελία έχει λήξει", Item("ad"), Gone),
            ("המודעה הוסרה", Item("ad"), Gone),
            ("هذا الفيديو غير متاح", Item("video"), Gone),
            ("آگهی مورد نظر یافت نشد", Item("ad"), Unknown),
            ("यह वीडियो उपलब्ध नहीं है", Item("video"), Gone),
            ("ไม่พบสินค้าที่คุณต้องการ", Item("product"), Unknown),
            ("Tin tuyển dụng đã hết hạn", Item("job"), Gone),
            ("Produk ini sudah tidak tersedia", Item("product"), Gone),
            ("この求人は募集を終了しました", Item("job"), Closed),
            ("お探しの商品は見つかりませんでした", Item("product"), Unknown),
            ("该视频已被删除", Item("video"), Gone),
            ("삭제된 게시글입니다", Item("post"), Gone),
        ] {
            says(sentence, thing, state);
        }
    }

    #[test]
    fn whoever_took_it_away_may_be_named() {
        use Role::Item;
        use Role::{Gone, Unknown};
        let wrong: Vec<_> = [
            ("Bu listeyi sahibi silmiş", Item("playlist"), Gone),
            ("Pořadatel tuto akci zrušil", Item("event"), Gone),
            ("Autorka usunęła ten przepis", Item("recipe"), Gone),
            ("Myyjä on poistanut ilmoituksen", Item("ad"), Gone),
            ("De eigenaar heeft deze advertentie verwijderd", Item("ad"), Gone),
            ("Säljaren har tagit bort bilden", Item("image"), Gone),
            ("Владелец удалил этот документ", Item("document"), Gone),
            ("Автор видалив цей рецепт", Item("recipe"), Gone),
            ("El organizador canceló el evento", Item("event"), Gone),
            ("O organizador cancelou o evento", Item("event"), Gone),
            ("A szerző törölte a receptet", Item("recipe"), Gone),
            ("Požadované téma neexistuje", Item("topic"), Unknown),
            (
                "Deze activiteit werd door de organisator verwijderd of is intussen afgelopen en niet langer raadpleegbaar",
                Item("event"),
                Gone,
            ),
        ]
        .into_iter()
        .filter(|(sentence, thing, state)| {
            absence_in(sentence) != Some(Absence { thing: Some(*thing), state: *state, plain: true })
        })
        .map(|(sentence, ..)| (sentence, absence_in(sentence)))
        .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn sentences_that_speak_of_something_else() {
        for sentence in [
            "The property has been removed from the vocabulary in the second edition of the standard",
            "Umbrellas that were not found by their owners are sold in May",
            "The thread is closed",
            "In 1852 gold was not found here",
            "How to fix a missing page in your child theme",
            "Die Leiche wurde nicht gefunden",
            "The colour moss is no longer available",
            "After 31 years the inn has closed permanently",
        ] {
            assert!(
                absence_in(sentence).is_none_or(|absence| !absence.plain),
                "{sentence}: {:?}",
                absence_in(sentence)
            );
        }
    }
}
