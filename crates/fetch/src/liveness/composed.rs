//! Sentences that say that something is not there: a thing and a state of absence, put together by each language's tables
//! (`data/absence.tsv`), whatever their order, with nothing else beside them but words that say nothing of their own.

use std::cell::OnceCell;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::super::fold::{count_words, fold, is_unspaced};
use cited_text::lexicon::table;
use cited_text::marks::is_mark;

/// A sentence that says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Absence {
    /// What, as the table calls it: a page, a site, or a kind of item; `None` where only the state is said (*Not found*).
    pub thing: Option<&'static str>,
    /// How, as the table calls it.
    pub state: &'static str,
    /// Whether the sentence says nothing else.
    pub plain: bool,
}

struct Form {
    text: String,
    language: &'static str,
    /// What it says: the row of the table, or of an item its kind.
    role: &'static str,
    is_thing: bool,
    /// Whether any ending may follow.
    open: bool,
    /// Whether it has characters of a script without spaces, so that it may stand within a run of them.
    wide: bool,
}

/// The rows of the table that name things.
const THINGS: [&str; 3] = ["page", "item", "site"];

/// Kinds that are over when they are closed: a closed topic can still be read.
const CLOSABLE: [&str; 6] = ["job", "listing", "ad", "survey", "offer", "product"];

/// Kinds that are shut out.
const BARRABLE: [&str; 6] = ["account", "group", "profile", "channel", "app", "repository"];

/// The forms of all languages, and what finds them.
static TABLE: LazyLock<(Vec<Form>, AhoCorasick)> = LazyLock::new(|| {
    let mut forms = Vec::new();
    for row in table::cells(include_str!("data/absence.tsv")) {
        let [language, role, list] = row[..] else { continue };
        // Items are listed by their kinds.
        let kinds = list.split(';').filter(|_| role == "item").filter_map(|kind| kind.split_once(':'));
        let lists = kinds.chain((role != "item").then_some((role, list)));
        for (kind, form) in lists.flat_map(|(kind, list)| list.split(',').map(move |form| (kind.trim(), form))) {
            let text = fold(form, 100);
            let (open, wide) = (form.trim_end().ends_with('*'), text.chars().any(is_unspaced));
            if !text.is_empty() {
                forms.push(Form { text, language, role: kind, is_thing: THINGS.contains(&role), open, wide });
            }
        }
    }
    let finder = AhoCorasick::new(forms.iter().map(|form: &Form| form.text.as_str())).expect("a table of usual size");
    (forms, finder)
});

/// A form found in a sentence.
#[derive(Clone, Copy)]
struct FoundForm {
    form: &'static Form,
    start: usize,
    end: usize,
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
            all.push(FoundForm { form, start, end: start + end });
        }
    }
    all.sort_by_key(|found| (found.form.language, found.start, found.end));
    all
}

/// The forms of each language that has some, with those of every language; at last those alone.
fn by_language(all: &[FoundForm]) -> impl Iterator<Item = Vec<FoundForm>> {
    let (shared, others) = all.split_at(all.partition_point(|found| found.form.language == "*"));
    let chunks = others.chunk_by(|one, other| one.form.language == other.form.language);
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

    /// What it says of something that is not there, in the language that leaves the least of it unsaid.
    pub fn absence(&self) -> Option<Absence> {
        if count_words(&self.folded) > MOST_WORDS {
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
        let speaks = found.iter().any(|found| found.form.role == "reader");
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
    let has = |role: &str| kept.iter().any(|found| found.form.role == role);
    let things = kept.iter().filter(|found| found.form.is_thing);
    let thing = things.min_by_key(|found| found.start).map(|found| found.form.role);
    let kind = |kinds: &[&str]| thing.is_some_and(|thing| kinds.contains(&thing));
    let of_site = has("site");
    let (not, no_more, can_be) = (has("not"), has("no-more"), has("has"));
    let is_gone = has("gone") || (no_more && can_be) || (no_more || not) && has("available");
    let is_unknown = has("unknown") || not && can_be || matches!(thing, None | Some("page")) && has("status");
    let states = [
        ("for-sale", of_site && has("for-sale")),
        ("barred", (kind(&BARRABLE) || of_site) && has("barred")),
        ("gone", is_gone),
        ("closed", kind(&CLOSABLE) && has("closed")),
        ("unknown", is_unknown),
    ];
    let state = states.into_iter().find(|(_, is_so)| *is_so)?.0;
    let is_of_the_site = state == "for-sale" || of_site && state == "barred" && !kind(&BARRABLE);
    let thing = if is_of_the_site { Some("site") } else { thing };
    // A state alone has to be one that nothing else is said of (*Not found*, *404*).
    if thing.is_none() && state != "unknown" {
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
            one.start < other.end && other.start < one.end && !(same && one.form.role != other.form.role)
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
    use super::{Absence, absence_in};

    #[track_caller]
    fn says(sentence: &str, thing: &'static str, state: &'static str) {
        assert_eq!(absence_in(sentence), Some(Absence { thing: Some(thing), state, plain: true }), "{sentence}");
    }

    #[test]
    fn things_and_states_in_many_languages() {
        for (sentence, thing, state) in [
            ("Page not found", "page", "unknown"),
            ("We couldn’t find the page you were looking for", "page", "unknown"),
            ("Sorry, this job is no longer available", "job", "gone"),
            ("This vacancy has been filled", "job", "closed"),
            ("The poll is closed", "survey", "closed"),
            ("This video has been removed by the uploader", "video", "gone"),
            ("The recipe you are looking for doesn’t exist", "recipe", "unknown"),
            ("This account has been suspended", "account", "barred"),
            ("This domain name is for sale", "site", "for-sale"),
            ("Diese Stellenanzeige ist nicht mehr verfügbar", "job", "gone"),
            ("Das von Ihnen gesuchte Rezept wurde leider nicht gefunden", "recipe", "unknown"),
            ("Cette annonce a expiré", "ad", "gone"),
            ("La vidéo que vous recherchez n’existe plus", "video", "gone"),
            ("La oferta de empleo ha caducado", "job", "gone"),
            ("Este anúncio já não está disponível", "ad", "gone"),
            ("Questo annuncio non è più disponibile", "ad", "gone"),
            ("Deze vacature is verlopen", "job", "gone"),
            ("Annonsen har tagits bort", "job", "gone"),
            ("Opskriften findes ikke længere", "recipe", "gone"),
            ("Arrangementet ble ikke funnet", "event", "unknown"),
            ("Videota ei löytynyt", "video", "unknown"),
            ("To ogłoszenie wygasło", "ad", "gone"),
            ("Produkt již není dostupný", "product", "gone"),
            ("Inzerát bol vymazaný", "ad", "gone"),
            ("A keresett termék nem található", "product", "unknown"),
            ("Anunțul a fost dezactivat", "ad", "gone"),
            ("Bu ilan yayından kaldırılmıştır", "ad", "gone"),
            ("Вакансия закрыта", "job", "closed"),
            ("Запрашиваемое объявление было удалено", "ad", "gone"),
            ("Товар більше не доступний", "product", "gone"),
            ("Обявата е изтрита", "ad", "gone"),
            ("Oglas je istekao", "ad", "gone"),
            ("Η αγγελία έχει λήξει", "ad", "gone"),
            ("המודעה הוסרה", "ad", "gone"),
            ("هذا الفيديو غير متاح", "video", "gone"),
            ("آگهی مورد نظر یافت نشد", "ad", "unknown"),
            ("यह वीडियो उपलब्ध नहीं है", "video", "gone"),
            ("ไม่พบสินค้าที่คุณต้องการ", "product", "unknown"),
            ("Tin tuyển dụng đã hết hạn", "job", "gone"),
            ("Produk ini sudah tidak tersedia", "product", "gone"),
            ("この求人は募集を終了しました", "job", "closed"),
            ("お探しの商品は見つかりませんでした", "product", "unknown"),
            ("该视频已被删除", "video", "gone"),
            ("삭제된 게시글입니다", "post", "gone"),
        ] {
            says(sentence, thing, state);
        }
    }

    #[test]
    fn whoever_took_it_away_may_be_named() {
        let wrong: Vec<_> = [
            ("Bu listeyi sahibi silmiş", "playlist", "gone"),
            ("Pořadatel tuto akci zrušil", "event", "gone"),
            ("Autorka usunęła ten przepis", "recipe", "gone"),
            ("Myyjä on poistanut ilmoituksen", "ad", "gone"),
            ("De eigenaar heeft deze advertentie verwijderd", "ad", "gone"),
            ("Säljaren har tagit bort bilden", "image", "gone"),
            ("Владелец удалил этот документ", "document", "gone"),
            ("Автор видалив цей рецепт", "recipe", "gone"),
            ("El organizador canceló el evento", "event", "gone"),
            ("O organizador cancelou o evento", "event", "gone"),
            ("A szerző törölte a receptet", "recipe", "gone"),
            ("Požadované téma neexistuje", "topic", "unknown"),
            (
                "Deze activiteit werd door de organisator verwijderd of is intussen afgelopen en niet langer raadpleegbaar",
                "event",
                "gone",
            ),
        ]
        .into_iter()
        .filter(|(sentence, thing, state)| {
            absence_in(sentence) != Some(Absence { thing: Some(*thing), state, plain: true })
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
