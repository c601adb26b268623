//! Whether a page says of itself that the work was retracted, withdrawn, or is doubted by its publisher.
//!
//! Signs are composed, not remembered: *this* + a kind of work + what became of it, in the words of one language, in the place of the
//! page's main content; the same as a label before its title or as a line of its own. A text about retractions, a list of retracted works
//! and a product that was withdrawn have one of these, and not the others.

use std::cmp::Reverse;
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use cited_core::outcome::Fate;
use cited_core::page::Page;
use cited_text::language::languages_in;
use cited_text::lexicon::{self, Language, Languages};
use cited_text::script::is_cjk;
use cited_text::sentence::sentences;
use cited_text::words::words;

const TABLE: &str = include_str!("data/retracted.tsv");

/// What a page says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Retraction {
    /// What became of the work.
    pub fate: Fate,
    /// The words for it.
    pub words: String,
    /// The index of works that says so; none where its own page does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

impl Retraction {
    /// Who says so, in words.
    pub fn who(&self) -> String {
        self.by.clone().unwrap_or_else(|| "its own word".to_owned())
    }
}

/// How much of a page's main content is the place where it speaks of itself first, in bytes.
const BEGINNING: usize = 4000;
/// Sentences with more words go into particulars, and are not only about the work as a whole.
const LONGEST: usize = 60;
/// So many words at most are a line that says nothing else.
const LINE_WORDS: usize = 4;
/// How far before an act it may be said that it was none, in words.
const BEFORE: usize = 4;
/// A label stands before a title of so many words at least.
const TITLE_WORDS: usize = 2;

/// What a work becomes, with the classes of the table that call it so: as a participle, as a predicate, as an act, in a notice, and in a line
/// of its own.
const FATES: [(Fate, [&str; 5]); 3] = [
    (Fate::Retracted, ["retracted", "retracted-said", "retracted-act", "notice", "work-line"]),
    (Fate::Withdrawn, ["withdrawn", "withdrawn-said", "withdrawn-act", "", ""]),
    (Fate::Doubted, ["", "concern", "", "", ""]),
];

/// What the templates of signs name these classes by.
const ROLES: [&str; 5] = ["led", "said", "act", "notice", "line"];

/// How texts call each of [`FATES`], as patterns over [`normalize`]d text. Each is made when it is first asked for.
type Signs = LazyLock<[Regex; 3]>;

/// Anywhere.
static NAMES: Signs = LazyLock::new(|| signs("<{led said act notice}>"));
/// As the label of a title: *Retracted*, *RETRACTED ARTICLE*, *Retraction notice to*, *Expression of concern*.
static LABELS: Signs = LazyLock::new(|| signs("^(?:{led said notice}(?: {work})?|{line})$"));
/// In a line that only says so: *Retracted article*.
static LINES: Signs = LazyLock::new(|| signs("^(?:{led said} {work}|{work}(?: {link})* {led said}|{line})$"));
/// The same by a bare word, which is enough on a published work.
static WORDS: Signs = LazyLock::new(|| signs("^{led said}$"));
/// In a sentence: *This article has been retracted*.
static SAID: Signs = LazyLock::new(|| {
    signs(
        "(?:^| )(?:{this}(?: \\S+)? {work}(?:(?: {link})+ {led}|(?: {link})* {said})\
         |{this-work}[因故于はが ]*{said})(?: |$)",
    )
});
/// As an act: *… have retracted this article*.
static ACTS: Signs = LazyLock::new(|| signs(r"(?:^| ){act} {this}(?: \S+)? {work}(?: |$)"));
static THIS_WORK: LazyLock<Regex> = LazyLock::new(|| sign(r"<{this}(?: \S+)? {work}>", [""; 5]));
static CONCERN: LazyLock<Regex> = LazyLock::new(|| sign("<{concern}>", [""; 5]));

fn signs(template: &'static str) -> [Regex; 3] {
    FATES.map(|(_, classes)| sign(template, classes))
}

/// What a template says in each language, as one pattern: the classes in its braces stand for their words, and `<` and `>` for the edges
/// of words, which scripts that do not part words have not.
fn sign(template: &'static str, classes: [&'static str; 5]) -> Regex {
    let class = |name: &'static str| ROLES.iter().position(|role| *role == name).map_or(name, |at| classes[at]);
    let of = |language: Language| {
        let words = |names: &'static str| forms(names.split(' ').map(class), language);
        let parts = template.split(['{', '}']).enumerate();
        let pattern: String = parts.map(|(at, part)| if at % 2 == 0 { part.to_owned() } else { words(part) }).collect();
        let edges = if pattern.contains(is_cjk) { ["", ""] } else { ["(?:^| )", "(?: |$)"] };
        pattern.replace('<', edges[0]).replace('>', edges[1])
    };
    let all: Vec<String> = Languages::ALL.iter().map(of).collect();
    Regex::new(&all.join("|")).expect("words and what stands between them")
}

/// The forms of these classes in a language as one pattern. One that matches nothing where it has none.
fn forms(classes: impl Iterator<Item = &'static str>, language: Language) -> String {
    let all = classes.flat_map(|class| lexicon::forms(TABLE, class, Languages::from(language)));
    let mut all: Vec<String> = all.map(normalize).collect();
    // The longest that fits is meant.
    all.sort_by_key(|form| Reverse(form.len()));
    if all.is_empty() { r"[^\s\S]".to_owned() } else { format!("(?:{})", all.join("|")) }
}

/// What a page says of the work that it is. `titles` are those that entries give it: what is called *retracted* there is told already,
/// and a label before one of these titles is surely one.
///
/// ```
/// use cited_core::page::Page;
/// use cited_core::outcome::Fate;
/// use cited_judge::retracted::retraction;
/// let page = Page::of_text("This article has been retracted.\nBirds sleep while they fly.", "text/html");
/// assert_eq!(retraction(&page, &[]).map(|found| found.fate), Some(Fate::Retracted));
/// let about = Page::of_text("Ten papers on birds have been retracted. This article tells why.", "text/html");
/// assert_eq!(retraction(&about, &[]), None);
/// ```
pub fn retraction(page: &Page, titles: &[String]) -> Option<Retraction> {
    let is_work = page.imprint.published_work || page.doi.is_some();
    let state = page.imprint.state.as_deref();
    let state = state.and_then(|state| Some(new_retraction(fate_in(state, &WORDS)?, state)));
    let own = || page.title.iter().chain(&page.imprint.titles);
    let labelled = || own().find_map(|title| label(title, is_work, titles).map(|fate| new_retraction(fate, title)));
    state.or_else(labelled).or_else(|| {
        let main = page.main();
        let beginning = &main[..main.floor_char_boundary(BEGINNING)];
        let rest = page.text.get(main.len()..).unwrap_or_default();
        let rest = &rest[..rest.floor_char_boundary(BEGINNING)];
        let lines = beginning.lines().chain(rest.lines().filter(|_| is_work));
        lines.into_iter().find_map(|line| banner(line, is_work).or_else(|| self_said(line)))
    })
}

fn new_retraction(fate: Fate, words: &str) -> Retraction {
    Retraction { fate, words: words.trim().to_owned(), by: None }
}

/// Whether words speak of a retraction themselves: then nobody has to be told.
pub fn speaks_of_it(text: &str) -> bool {
    fate_in(text, &NAMES).is_some()
}

/// The words of a text in lower case, with one space between them.
pub(super) fn normalize(text: &str) -> String {
    let parts = |c: char| !c.is_alphanumeric() && !matches!(c, '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{652}');
    let words: Vec<&str> = text.split(parts).filter(|word| !word.is_empty()).collect();
    words.join(" ").to_lowercase()
}

/// The first fate of which a text has signs of a kind.
fn fate_in(text: &str, signs: &Signs) -> Option<Fate> {
    let text = normalize(text);
    signs.iter().position(|sign| sign.is_match(&text)).map(|at| FATES[at].0)
}

/// The fate that a label before or behind a title names: *RETRACTED: …*, `[Withdrawn] …`, *Retraction notice to “…”*, *… (retracted)*.
fn label(title: &str, is_work: bool, titles: &[String]) -> Option<Fate> {
    let title = title.trim();
    let (label, rest) = split_title(title)?;
    let read = |label| fate_in(label, &LABELS);
    let (fate, rest) = read(label).map(|fate| (fate, rest)).or_else(|| Some((read(rest)?, label)))?;
    let long = rest.split_whitespace().count() >= TITLE_WORDS || rest.chars().filter(|c| is_cjk(*c)).count() >= 4;
    let keys = |text: &str| words(text).filter(|word| !word.stop).map(|word| word.key).collect::<Vec<_>>();
    let own = keys(rest);
    let cited = || {
        titles.iter().map(|title| keys(title)).any(|keys| {
            let shared = keys.iter().filter(|key| own.contains(key)).count();
            keys.len() >= TITLE_WORDS && shared * 2 >= keys.len()
        })
    };
    (long && (is_work || cited())).then_some(fate)
}

/// A title in two at the sign that parts a label from it.
fn split_title(title: &str) -> Option<(&str, &str)> {
    let brackets = [('[', ']'), ('(', ')'), ('【', '】'), ('（', '）'), ('〔', '〕')];
    for (open, close) in brackets {
        if let Some((label, rest)) = title.strip_prefix(open).and_then(|inner| inner.split_once(close)) {
            return Some((label, rest));
        }
        if let Some((rest, label)) = title.strip_suffix(close).and_then(|inner| inner.rsplit_once(open)) {
            return Some((label, rest));
        }
    }
    let signs = [":", "：", " – ", " — ", " - ", " | ", "“", "《", "\""];
    let at = signs.iter().filter_map(|sign| title.find(sign).map(|at| (at, sign.len()))).min()?;
    Some((&title[..at.0], &title[at.0 + at.1..]))
}

/// A line of its own that only says so: *Retracted article*. The bare word is enough on a published work.
fn banner(line: &str, is_work: bool) -> Option<Retraction> {
    let short = normalize(line).split(' ').count() <= LINE_WORDS;
    let word = || fate_in(line, &WORDS).filter(|_| is_work);
    let fate = fate_in(line, &LINES).or_else(word).filter(|_| short);
    fate.map(|fate| new_retraction(fate, line))
}

/// What a sentence of a line says of the work that the line is part of.
fn self_said(line: &str) -> Option<Retraction> {
    // Most lines have no such word, in any language.
    fate_in(line, &NAMES)?;
    sentences(line).into_iter().find_map(|span| {
        let sentence = span.slice(line);
        let unquoted = unquoted(sentence);
        let (words, languages) = (normalize(&unquoted), languages_in(&unquoted, Languages::ALL));
        if words.split(' ').count() > LONGEST || sentence.trim_end().ends_with(['?', '？']) {
            return None;
        }
        Some(new_retraction(fate_of_this(&words, languages)?, sentence))
    })
}

/// What a sentence says that became of the work that it stands in.
fn fate_of_this(words: &str, languages: Languages) -> Option<Fate> {
    let denies = |word: &str| lexicon::forms(TABLE, "not", languages).any(|form| form == word);
    let denied = |before: &str, most: usize| before.split(' ').rev().take(most).any(denies);
    let found = |signs: &Signs, most: usize| {
        let says = |sign: &Regex| sign.find_iter(words).any(|at| !denied(words[..at.start()].trim_end(), most));
        signs.iter().position(says).map(|at| FATES[at].0)
    };
    // *An expression of concern was published for this article*, *This article is the subject of an expression of concern*.
    let doubted = || CONCERN.is_match(words) && THIS_WORK.is_match(words) && !words.split(' ').any(denies);
    let told = found(&ACTS, BEFORE).or_else(|| found(&SAID, 1));
    told.or_else(|| doubted().then_some(Fate::Doubted))
}

/// A sentence without what stands between quotation marks: that somebody else says.
fn unquoted(sentence: &str) -> String {
    const MARKS: [(char, char); 5] = [('“', '”'), ('„', '“'), ('"', '"'), ('«', '»'), ('「', '」')];
    let mut open: Option<char> = None;
    let own = |c: &char| {
        let (before, opens) = (open, MARKS.iter().find(|(mark, _)| mark == c).map(|(_, close)| *close));
        open = if before.is_some() { before.filter(|close| close != c) } else { opens };
        before.is_none() && open.is_none()
    };
    sentence.chars().filter(own).collect()
}

#[cfg(test)]
mod tests {
    use super::{retraction, speaks_of_it};
    use cited_core::outcome::Fate;
    use cited_core::page::{Imprint, Page};

    #[track_caller]
    fn check(title: &str, text: &str, published_work: bool, expected: Option<Fate>) {
        let imprint = Imprint { titles: vec![title.to_owned()], published_work, ..Imprint::default() };
        let page = Page { imprint, title: Some(title.to_owned()), ..Page::of_text(text, "text/html") };
        assert_eq!(retraction(&page, &[]).map(|found| found.fate), expected, "{title} | {text}");
    }

    #[test]
    fn a_work_says_so_of_itself() {
        let (retracted, withdrawn) = (Some(Fate::Retracted), Some(Fate::Withdrawn));
        for title in [
            "RETRACTED: Sleep of birds in flight",
            "RETRACTED ARTICLE: Sleep of birds in flight",
            "[Retracted] Sleep of birds in flight",
            "Sleep of birds in flight (retracted)",
            "Retraction notice to “Sleep of birds in flight”",
            "Retraction Note: Sleep of birds in flight",
            "【撤稿】鸟类飞行中的睡眠研究",
            "RÉTRACTÉ : Le sommeil des oiseaux",
        ] {
            check(title, "Birds sleep.", true, retracted);
            check(title, "Birds sleep.", false, None);
        }
        check("WITHDRAWN: Sleep of birds in flight", "Birds sleep.", true, withdrawn);
        check("Expression of Concern: Sleep of birds", "Birds sleep.", true, Some(Fate::Doubted));
        for text in [
            "This article has been retracted.",
            "This article was retracted on 3 May 2021 at the request of the authors.",
            "The Editor-in-Chief has retracted this article because its data overlap.",
            "Dieser Artikel wurde zurückgezogen.",
            "Diese Studie ist zurückgezogen worden.",
            "Cet article a été rétracté à la demande des auteurs.",
            "Este artículo ha sido retractado por los editores.",
            "Questo articolo è stato ritrattato.",
            "Este artigo foi retratado.",
            "Dit artikel is ingetrokken.",
            "Den här artikel har blivit tillbakadragen.",
            "Ten artykuł został wycofany.",
            "Эта статья отозвана по просьбе авторов.",
            "Данная статья была отозвана редакцией.",
            "Ця стаття відкликана.",
            "Bu makale geri çekilmiştir.",
            "本文已被撤稿。",
            "该论文已撤回，原因见声明。",
            "この論文は撤回されました。",
            "이 논문은 철회되었습니다.",
            "تم سحب هذا المقال بناء على طلب المؤلفين.",
            "Retracted article",
            "Artículo retractado",
            "撤稿文章",
        ] {
            check("Sleep of birds", &format!("{text}\nBirds sleep while they fly."), false, retracted);
        }
        check("Sleep of birds", "This paper has been withdrawn by the authors.", false, withdrawn);
        check("Advice on sleep", "This guidance was withdrawn on 3 May 2021.", false, withdrawn);
        check("Sleep", "Birds.\nRETRACTED\nThey sleep.", true, retracted);
        let concern = "An expression of concern has been published for this article.";
        check("Sleep of birds", concern, false, Some(Fate::Doubted));
    }

    #[test]
    fn what_speaks_of_others_does_not() {
        for (title, text) in [
            ("Why papers are retracted", "Ten papers were retracted last year. This article tells why."),
            ("Retracted papers: a list", "RETRACTED: Sleep of birds\nRETRACTED: Sleep of bees"),
            ("Retracted papers", "Retracted articles\nThis article discusses retracted papers."),
            ("News", "The paper was retracted in 2010. Its author withdrew this claim."),
            ("News", "“This article has been retracted,” the notice said."),
            ("News", "This article has not been retracted."),
            ("News", "Why was this article retracted?"),
            ("News", "The journal may have retracted this article by then."),
            ("Withdrawn: the Alpha car seat", "The seat has been withdrawn from the market."),
            ("Recall", "This product has been withdrawn. This seat was withdrawn in May."),
            ("Papers cited", "Retracted papers that are cited in this article are marked."),
            ("News", "Die zurückgezogene Studie wird in diesem Artikel erklärt."),
            ("新闻", "本文讨论已撤稿论文。本文已撤稿的内容。"),
            ("Новости", "В этой статье мы говорим о том, как отозвана лицензия."),
            ("Comments", "I wish they retracted it"),
            ("Withdrawal of troops: what is known", "Troops were withdrawn."),
            ("", ""),
        ] {
            check(title, text, false, None);
        }
        check("Retracted papers: a list of the year", "Birds.", true, None);
        let late = format!("{}This article has been retracted.", "Birds sleep while they fly.\n".repeat(300));
        check("Sleep", &late, false, None);
    }

    #[test]
    fn an_entry_or_claim_may_speak_of_it_itself() {
        assert!(speaks_of_it("Wakefield's paper (retracted in 2010)") && speaks_of_it("论文已撤稿"));
        assert!(!speaks_of_it("Birds sleep while they fly"));
    }

    #[test]
    fn a_label_before_the_cited_title_is_one_on_any_page() {
        let page =
            Page { title: Some("Withdrawn: Sleep of birds in flight".into()), ..Page::of_text("Birds.", "text/html") };
        let titles = ["Doe, J. (2019). Sleep of birds in flight".to_owned()];
        assert_eq!(retraction(&page, &titles).map(|found| found.fate), Some(Fate::Withdrawn));
        assert_eq!(retraction(&page, &["Alpha car seats".to_owned()]), None);
    }
}
