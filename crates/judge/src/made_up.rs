//! Parts of a page that say of themselves that their data were not measured: simulated, illustrative, hypothetical, sample data.
//!
//! What says so is a caption, a heading, or a sentence; what it says it of is the caption with its table, what stands under the heading,
//! the paragraph of the sentence, and what follows where it points there. One such word is nothing said of a page.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use cited_text::Span;
use cited_text::lexicon::Classes;
use cited_text::script::is_cjk;

use super::retracted::normalize;

/// A heading has at most so many words.
const HEADING_WORDS: usize = 9;
/// What stands under a heading that nothing ends, in lines.
const SECTION_LINES: usize = 40;
/// What is called made up, and the word that says so, stand so near, in words.
const NEAR: usize = 4;

static CLASSES: Classes = Classes::new(include_str!("data/made_up.tsv"));

/// The words of a text in lower case, with a space before each and behind the last.
fn words_of(text: &str) -> String {
    format!(" {} ", normalize(text))
}

/// At which of the words of a line forms of a class stand.
fn places(class: &str, line: &str) -> Vec<usize> {
    let starts: Vec<usize> = line.match_indices(' ').map(|(space, _)| space + 1).collect();
    let of = |form: &&'static str| {
        let is_whole = |at: usize| line[..at].ends_with(' ') && line[at + form.len()..].starts_with(' ');
        let found = line.match_indices(*form).map(|(at, _)| at);
        let whole = found.filter(|at| form.contains(is_unparted) || is_whole(*at));
        whole.map(|at| starts.partition_point(|start| *start <= at) - 1).collect::<Vec<_>>()
    };
    CLASSES.of(class).iter().flat_map(of).collect()
}

/// Whether a line has a form of a class.
fn has(class: &str, line: &str) -> bool {
    !places(class, line).is_empty()
}

/// Chinese, Japanese, and Korean, whose words carry endings.
fn is_unparted(c: char) -> bool {
    is_cjk(c) || matches!(c, '\u{ac00}'..='\u{d7af}')
}

/// The classes of what says that data were made up.
const TELLING_CLASSES: [&str; 3] = ["made-up", "phrase", "label"];

/// Looks for the longest word of each form that says so.
static TELLING: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let forms = TELLING_CLASSES.into_iter().flat_map(|class| CLASSES.of(class));
    let longest = forms.filter_map(|form| form.split(' ').max_by_key(|word| word.len()));
    AhoCorasick::new(longest.map(str::to_lowercase)).expect("a few hundred words")
});

/// Whether a claim speaks of data that were made up itself: then a passage of such data is what it means.
pub fn is_of_made_up(claim: &str) -> bool {
    let words = words_of(claim);
    TELLING_CLASSES.iter().any(|class| has(class, &words))
}

/// The parts of a page's text whose data were made up by its own words, in order and apart. Linear in the text.
///
/// ```
/// use cited_judge::made_up::parts;
/// let page = "Sales rose by 4% in 2020.\nFigure 2: Hypothetical data of a shop\nShop\t12%\nStaff grew by 9%.";
/// let found: Vec<&str> = parts(page).into_iter().map(|span| span.slice(page)).collect();
/// assert_eq!(found, ["Figure 2: Hypothetical data of a shop\nShop\t12%"]);
/// ```
pub fn parts(text: &str) -> Vec<Span> {
    let lines: Vec<Span> = cited_text::lines::spans(text).collect();
    let is_table = |at: usize| lines.get(at).is_some_and(|line| line.slice(text).contains('\t'));
    let mut parts: Vec<Span> = Vec::new();
    let mut add = |from: usize, to: usize| {
        let span = lines[from].cover(lines[to]);
        match parts.last_mut() {
            Some(last) if last.end + 1 >= span.start => *last = last.cover(span),
            _ => parts.push(span),
        }
    };
    for at in 0..lines.len() {
        let line = lines[at].slice(text);
        // Most lines have none of it.
        if line.len() < 4 || !TELLING.is_match(&line.to_lowercase()) {
            continue;
        }
        let words = words_of(line);
        let said = has("phrase", &words) || is_called_so(&words);
        let labelled = || has("label", &words);
        // What follows, until the next heading.
        let section = || {
            let under = (at + 1..lines.len()).take(SECTION_LINES);
            under.take_while(|next| is_table(*next) || !is_heading(lines[*next].slice(text))).last().unwrap_or(at)
        };
        if is_caption(line, &words) {
            // Itself, and the table that it stands at.
            let behind = || (at + 1..lines.len()).take_while(|next| is_table(*next)).last();
            let before = || (0..at).rev().take_while(|before| is_table(*before)).last();
            match behind() {
                _ if !said && !labelled() => {}
                Some(last) => add(at, last),
                None => add(before().unwrap_or(at), at),
            }
        } else if is_heading(line) {
            if said || labelled() && words.split_whitespace().count() <= NEAR {
                add(at, section());
            }
        } else if said {
            // *The following figures are hypothetical* speaks of what follows when it says no figure itself.
            let is_onward = has("onward", &words) && !line.contains(|c: char| c.is_ascii_digit());
            add(at, if is_onward { section() } else { at });
        }
    }
    parts
}

/// Whether data are called made up: both words stand near each other, and nobody denies it.
fn is_called_so(words: &str) -> bool {
    let [called, data, denied] = ["made-up", "data", "not"].map(|class| places(class, words));
    called.iter().any(|at| {
        let near = data.iter().any(|data| data.abs_diff(*at) <= NEAR && data != at);
        near && !denied.iter().any(|denied| denied < at && at - denied <= 2)
    })
}

/// *Figure 3: …*, *Abb. 1 …*, *图2 …*
fn is_caption(line: &str, words: &str) -> bool {
    let trimmed = line.trim_start();
    let mut joined = CLASSES.of("caption").iter().filter(|form| form.contains(is_unparted));
    if let Some(rest) = joined.find_map(|form| trimmed.strip_prefix(form)) {
        return rest.trim_start().starts_with(|c: char| c.is_ascii_digit() || matches!(c, '一'..='十'));
    }
    let mut words = words.split_whitespace();
    words.next().is_some_and(|word| CLASSES.has("caption", word))
        && words.next().is_some_and(|word| word.chars().next().is_some_and(|c| c.is_ascii_digit()) || word.len() <= 2)
}

/// A short line that is no sentence and no row of a table.
fn is_heading(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty()
        && !line.contains('\t')
        && !line.ends_with(['.', '!', '?', ';', ',', ':', '。', '！', '？', '；', '：', '，'])
        && line.split_whitespace().count() <= HEADING_WORDS
        && line.chars().filter(|c| is_cjk(*c)).count() <= 20
        && !line.contains(|c: char| c.is_ascii_digit())
        && line.chars().next().is_some_and(|c| c.is_uppercase() || !c.is_lowercase() && c.is_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::{is_of_made_up, parts};

    #[track_caller]
    fn check(page: &str, expected: &[&str]) {
        let found: Vec<&str> = parts(page).into_iter().map(|span| span.slice(page)).collect();
        assert_eq!(found, expected, "{page}");
    }

    #[test]
    fn a_caption_speaks_of_its_table() {
        check("A\t1\nB\t2\nTable 3: Illustrative values\nSales rose.", &["A\t1\nB\t2\nTable 3: Illustrative values"]);
        check("Table 3: Sample data\nA\t1\nSales rose.", &["Table 3: Sample data\nA\t1"]);
        for caption in [
            "Figure 3: Simulated growth",
            "Abb. 2: Hypothetische Werte",
            "Figure 2 : données simulées",
            "Gráfico 1: datos ficticios",
            "Figura 4: dati simulati",
            "Tabela 2: dados hipotéticos",
            "Figuur 1: fictieve cijfers",
            "Figur 1: påhittade siffror",
            "Tabela 1: dane przykładowe",
            "Рис. 2: условные данные",
            "Рис. 2: вигадані дані",
            "Şekil 1: varsayımsal veriler",
            "图2：模拟数据",
            "図3 サンプルデータ",
            "그림 1: 가상 데이터",
        ] {
            check(&format!("Sales rose by 4%.\n{caption}\nThey fell by 2%."), &[caption]);
        }
        check("Figure 3: Growth of sales\nTable 1: Example companies", &[]);
    }

    #[test]
    fn a_heading_speaks_of_what_stands_under_it() {
        check(
            "Sales rose by 4%.\nHypothetical example\nA shop sells 12% more.\nIt hires 3 people.\nMarket data\nSales fell.",
            &["Hypothetical example\nA shop sells 12% more.\nIt hires 3 people."],
        );
    }

    #[test]
    fn a_sentence_speaks_of_its_paragraph_and_of_what_it_points_at() {
        let own = "In this hypothetical example, a shop grows by 12%.";
        check(&format!("Sales rose.\n{own}\nSales fell by 3%."), &[own]);
        check(
            "Sales rose.\nThe following numbers are fictitious.\nA shop grows by 12%.\nMarket data\nSales fell by 3%.",
            &["The following numbers are fictitious.\nA shop grows by 12%."],
        );
        check(
            "All values of the shop, 12% and 14%, are for illustrative purposes only.\nSales fell.",
            &["All values of the shop, 12% and 14%, are for illustrative purposes only."],
        );
        check("以下数据为模拟，仅供示意。\n增长12%。", &["以下数据为模拟，仅供示意。\n增长12%。"]);
    }

    #[test]
    fn one_word_is_nothing_said_of_a_page() {
        for page in [
            "Simulated annealing needs 40 steps.\nSales rose by 4%.",
            "A representative sample of 1,200 adults was asked.",
            "The hypothetical bias of such surveys is known.",
            "These are measured and not simulated data.",
            "For example, sales rose by 4%.",
            "The sample data show a mean of 4%.",
            "Synthetic fibres make up 62% of the market.",
            "Illustrative of the trend is that sales rose by 4%.",
        ] {
            check(page, &[]);
        }
    }

    #[test]
    fn a_claim_may_speak_of_such_data_itself() {
        assert!(is_of_made_up("In a simulated run the shop grows by 12%.") && is_of_made_up("模拟数据显示增长12%"));
        assert!(!is_of_made_up("The shop grows by 12%."));
    }
}
