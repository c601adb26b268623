//! Whether a page says of itself that the work was retracted, withdrawn, or is doubted by its publisher.
//!
//! Signs are composed, not remembered: *this* + a kind of work + what became of it, in the words of one language, in the place of the
//! page's main content; the same as a label before its title or as a line of its own. A text about retractions, a list of retracted works
//! and a product that was withdrawn have one of these, and not the others.

use std::collections::HashSet;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use serde::{Deserialize, Serialize};

use cited_core::fate::Fate;
use cited_core::page::Page;
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
/// Words between the work and what became of it.
const GAP: usize = 4;
/// How far before an act it may be said that it was none, in words.
const BEFORE: usize = 4;
/// A label stands before a title of so many words at least.
const TITLE_WORDS: usize = 2;

/// The words of one language.
struct Tongue {
    fates: Vec<(Fate, Vec<Form>)>,
    said: Vec<(Fate, Vec<Form>)>,
    acts: Vec<(Fate, Vec<Form>)>,
    concern: Vec<Form>,
    notice: Vec<Form>,
    this: Vec<Form>,
    work: Vec<Form>,
    joined: Vec<&'static str>,
    lines: Vec<&'static str>,
    link: Vec<Form>,
    not: Vec<Form>,
}

/// A form as its words.
type Form = Vec<&'static str>;

static TONGUES: LazyLock<Vec<Tongue>> = LazyLock::new(|| {
    let languages = Languages::ALL.iter();
    languages.map(Tongue::load).filter(|tongue| !tongue.notice.is_empty() || !tongue.fates.is_empty()).collect()
});

/// Looks for the longest word of each form of a fate, an act or a concern.
static TELLING: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let fates = TONGUES.iter().flat_map(|tongue| tongue.fates.iter().chain(&tongue.said).chain(&tongue.acts));
    let concerns = TONGUES.iter().flat_map(|tongue| &tongue.concern);
    let longest = |form: &'static Form| form.iter().copied().max_by_key(|word| word.len());
    let telling: HashSet<&str> = fates.flat_map(|(_, forms)| forms).chain(concerns).filter_map(longest).collect();
    AhoCorasick::new(telling).expect("a few hundred words")
});

impl Tongue {
    fn load(language: Language) -> Tongue {
        let texts = |class| lexicon::forms(TABLE, class, Languages::from(language));
        let forms = |class| -> Vec<Form> {
            let mut forms: Vec<Form> = texts(class).map(|form| form.split(' ').collect()).collect();
            // The longest that fits is meant.
            forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
            forms
        };
        Tongue {
            fates: vec![(Fate::Retracted, forms("retracted")), (Fate::Withdrawn, forms("withdrawn"))],
            said: vec![(Fate::Retracted, forms("retracted-said"))],
            acts: vec![(Fate::Retracted, forms("retracted-act")), (Fate::Withdrawn, forms("withdrawn-act"))],
            concern: forms("concern"),
            notice: forms("notice"),
            this: forms("this"),
            work: forms("work"),
            joined: texts("this-work").collect(),
            lines: texts("work-line").collect(),
            link: forms("link"),
            not: forms("not"),
        }
    }

    /// Every fate with its forms, as participles and as predicates.
    fn all_fates(&self) -> impl Iterator<Item = (Fate, &Vec<Form>)> {
        self.fates.iter().chain(&self.said).map(|(fate, forms)| (*fate, forms))
    }

    /// The same with what a notice and a concern are called.
    fn all_names(&self) -> impl Iterator<Item = (Fate, &Vec<Form>)> {
        self.all_fates().chain([(Fate::Retracted, &self.notice), (Fate::Doubted, &self.concern)])
    }
}

/// What a page says of the work that it is. `titles` are those that entries give it: what is called *retracted* there is told already,
/// and a label before one of these titles is surely one.
///
/// ```
/// use cited_core::page::Page;
/// use cited_core::fate::Fate;
/// use cited_judge::retracted::retraction;
/// let page = Page::of_text("This article has been retracted.\nBirds sleep while they fly.", "text/html");
/// assert_eq!(retraction(&page, &[]).map(|found| found.fate), Some(Fate::Retracted));
/// let about = Page::of_text("Ten papers on birds have been retracted. This article tells why.", "text/html");
/// assert_eq!(retraction(&about, &[]), None);
/// ```
pub fn retraction(page: &Page, titles: &[String]) -> Option<Retraction> {
    let is_work = page.imprint.published_work || page.doi.is_some();
    let state = page.imprint.state.as_deref().and_then(|state| fate_of(state).map(|fate| new_retraction(fate, state)));
    let own = || page.title.iter().chain(&page.imprint.titles);
    let labelled = || own().find_map(|title| label(title, is_work, titles).map(|fate| new_retraction(fate, title)));
    state.or_else(labelled).or_else(|| {
        let main = page.main();
        let beginning = &main[..main.floor_char_boundary(BEGINNING)];
        let rest = page.text.get(main.len()..).unwrap_or_default();
        let rest = &rest[..rest.floor_char_boundary(BEGINNING)];
        let lines = beginning.lines().chain(rest.lines().filter(|_| is_work));
        // Most lines have no such word. In scripts from here on words are not parted.
        let telling = |line: &&str| TELLING.is_match(&line.to_lowercase());
        let mut lines = lines.filter(|line| line.contains(|c| c >= '\u{2e80}') || telling(line));
        lines.find_map(|line| banner(line, is_work).or_else(|| self_said(line)))
    })
}

fn new_retraction(fate: Fate, words: &str) -> Retraction {
    Retraction { fate, words: words.trim().to_owned(), by: None }
}

/// Whether words speak of a retraction themselves: then nobody has to be told.
pub fn speaks_of_it(text: &str) -> bool {
    let tokens = tokens(text);
    TONGUES.iter().flat_map(Tongue::all_names).flat_map(|(_, forms)| forms).any(|form| has_form(&tokens, form, text))
}

/// The words of a text in lower case.
fn tokens(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{652}'))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn begins(tokens: &[String], form: &Form) -> bool {
    tokens.len() >= form.len() && form.iter().zip(tokens).all(|(word, token)| word == token)
}

/// The length of the longest of these forms that `tokens` begin with.
fn first_of(tokens: &[String], forms: &[Form]) -> Option<usize> {
    forms.iter().find(|form| begins(tokens, form)).map(Vec::len)
}

/// Whether a form is among the words; where words are not parted, in the text.
fn has_form(tokens: &[String], form: &Form, text: &str) -> bool {
    if form.iter().any(|word| word.chars().any(is_cjk)) {
        return text.contains(&form.join(" "));
    }
    (0..tokens.len()).any(|at| begins(&tokens[at..], form))
}

/// The fate that a text names, and nothing else.
fn fate_of(text: &str) -> Option<Fate> {
    let tokens = tokens(text);
    TONGUES.iter().flat_map(Tongue::all_fates).find_map(|(fate, forms)| {
        let length = first_of(&tokens, forms)?;
        (length == tokens.len()).then_some(fate)
    })
}

/// The fate that a label before or behind a title names: *RETRACTED: …*, `[Withdrawn] …`, *Retraction notice to “…”*, *… (retracted)*.
fn label(title: &str, is_work: bool, titles: &[String]) -> Option<Fate> {
    let title = title.trim();
    let (label, rest) = split_title(title)?;
    let (label, rest) = if read_label(label).is_some() { (label, rest) } else { (rest, label) };
    let fate = read_label(label)?;
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

/// The fate that a label names: *Retracted*, *RETRACTED ARTICLE*, *Retraction notice to*, *Expression of concern*.
fn read_label(label: &str) -> Option<Fate> {
    let tokens = tokens(label);
    TONGUES.iter().find_map(|tongue| {
        let rest = |length: usize| {
            let rest = &tokens[length..];
            rest.is_empty() || first_of(rest, &tongue.work) == Some(rest.len())
        };
        let mut names = tongue.all_names();
        let fate = names.find_map(|(fate, forms)| first_of(&tokens, forms).filter(|n| rest(*n)).map(|_| fate));
        fate.or_else(|| tongue.lines.contains(&label.trim()).then_some(Fate::Retracted))
    })
}

/// A line of its own that only says so: *Retracted article*. The bare word is enough on a published work.
fn banner(line: &str, is_work: bool) -> Option<Retraction> {
    let tokens = tokens(line);
    if tokens.is_empty() || tokens.len() > GAP {
        return None;
    }
    let fate = TONGUES.iter().find_map(|tongue| {
        let line_of = |fate: Fate, forms: &[Form]| {
            let after = first_of(&tokens, forms).map(|n| &tokens[n..]);
            let before = first_of(&tokens, &tongue.work).map(|n| &tokens[n..]);
            let work_behind = after.is_some_and(|rest| first_of(rest, &tongue.work) == Some(rest.len()));
            let work_before = before.is_some_and(|rest| {
                let links = rest.iter().take_while(|word| first_of(&[(*word).clone()], &tongue.link).is_some()).count();
                first_of(&rest[links..], forms) == Some(rest.len() - links)
            });
            let alone = is_work && after.is_some_and(<[String]>::is_empty);
            (work_behind || work_before || alone).then_some(fate)
        };
        let concern = || (is_work && first_of(&tokens, &tongue.concern) == Some(tokens.len())).then_some(Fate::Doubted);
        let line = || {
            let bare = line.trim().trim_matches(['【', '】', '[', ']', '。', '！', '!']);
            tongue.lines.contains(&bare).then_some(Fate::Retracted)
        };
        tongue.all_fates().find_map(|(fate, forms)| line_of(fate, forms)).or_else(line).or_else(concern)
    })?;
    Some(new_retraction(fate, line))
}

/// What a sentence of a line says of the work that the line is part of.
fn self_said(line: &str) -> Option<Retraction> {
    sentences(line).into_iter().find_map(|span| {
        let sentence = span.slice(line);
        let bare = unquoted(sentence);
        let tokens = tokens(&bare);
        if tokens.len() > LONGEST || sentence.trim_end().ends_with(['?', '？']) {
            return None;
        }
        let fate = TONGUES.iter().find_map(|tongue| said_in(tongue, &tokens, &bare))?;
        Some(new_retraction(fate, sentence))
    })
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

fn said_in(tongue: &Tongue, tokens: &[String], text: &str) -> Option<Fate> {
    let denied = |tokens: &[String]| (0..tokens.len()).any(|at| first_of(&tokens[at..], &tongue.not).is_some());
    for at in 0..tokens.len() {
        let here = &tokens[at..];
        // *… have retracted this article*
        for (fate, forms) in &tongue.acts {
            let behind = first_of(here, forms).and_then(|n| this_work(tongue, &here[n..]));
            if behind.is_some() && !denied(&tokens[at.saturating_sub(BEFORE)..at]) {
                return Some(*fate);
            }
        }
        let Some(length) = this_work(tongue, here) else { continue };
        // *This article has been retracted*
        let rest = &here[length..];
        let links = rest.iter().take_while(|word| first_of(&[(*word).clone()], &tongue.link).is_some()).count();
        let after = &rest[links..];
        let led = tongue.fates.iter().filter(|_| links > 0).chain(&tongue.said);
        let fate = led.filter(|(_, forms)| first_of(after, forms).is_some()).map(|(fate, _)| *fate).next();
        if fate.is_some() && !denied(&tokens[at.saturating_sub(1)..at]) {
            return fate;
        }
        // *An expression of concern was published for this article*, *This article is the subject of an expression of concern*
        if tongue.concern.iter().any(|form| has_form(tokens, form, text)) && !denied(tokens) {
            return Some(Fate::Doubted);
        }
    }
    tongue.joined.iter().find_map(|this| {
        let after = text.split_once(this)?.1;
        let after = after.trim_start_matches(['因', '故', '于', 'は', 'が', '，', ' ']);
        tongue.said.iter().find_map(|(fate, forms)| {
            let rest = forms.iter().find_map(|form| after.strip_prefix(form.join(" ").as_str()))?;
            // *本文已撤稿的* begins another thing.
            let ends = rest.chars().next().is_none_or(|c| !c.is_alphanumeric());
            ends.then_some(*fate)
        })
    })
}

/// How many words point at the work that speaks: *this article*, *this research article*.
fn this_work(tongue: &Tongue, tokens: &[String]) -> Option<usize> {
    let this = first_of(tokens, &tongue.this)?;
    (0..2).find_map(|between| {
        let rest = tokens.get(this + between..)?;
        first_of(rest, &tongue.work).map(|work| this + between + work)
    })
}

#[cfg(test)]
mod tests {
    use super::{retraction, speaks_of_it};
    use cited_core::fate::Fate;
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
