//! Sentences that ask for something to be done: *Aim for at least 8 hours*. They state nothing, so no page could support them.
//!
//! A number in one is what the writer wants, unless it stands in a clause that gives a reason (*…, which saves 30%*). Words like
//! *use* and *report* begin both kinds of sentences: where a finite verb follows, they are nouns (*Use fell by 5%*).

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use cited_text::language::languages_in;
use cited_text::lexicon::{Languages, table};
use cited_text::quantity::{is_measured, quantities};
use cited_text::script::is_cjk;
use cited_text::words::words;

const TABLE: &str = include_str!("data/imperatives.tsv");

/// The words of `data/imperatives.tsv`, with their classes as bits.
static WORDS: LazyLock<HashMap<&'static str, u16>> = LazyLock::new(|| {
    let classes = [
        ("verb", VERB),
        ("bare", VERB | BARE),
        ("noun", VERB | NOUN),
        ("follows", FOLLOWS),
        ("preposition", PREPOSITION),
        ("before", BEFORE),
        ("clause", CLAUSE),
        ("attention", ATTENTION),
        ("finite", FINITE),
        ("fact", FACT),
        ("opens", OPENS),
        ("joins", JOINS),
        ("example", EXAMPLE),
        ("modal", MODAL),
        ("past", PAST),
        ("article", ARTICLE),
    ];
    table::bits(TABLE, &classes)
});

/// How a sentence begins that asks politely: *Please*, *Bitte*, 请.
static POLITE: LazyLock<Vec<&'static str>> = LazyLock::new(|| table::words(TABLE, "polite").collect());
/// What begins a call to hear a fact in Chinese and Japanese, or gives one beside what is asked for.
static UNSPACED_FACTS: LazyLock<Vec<&'static str>> = LazyLock::new(|| table::words(TABLE, "unspaced-fact").collect());
static UNSPACED_MODALS: LazyLock<Vec<&'static str>> = LazyLock::new(|| table::words(TABLE, "unspaced-modal").collect());
static ASKS: LazyLock<Vec<&'static str>> = LazyLock::new(|| table::words(TABLE, "asks").collect());
/// What begins the object of a verb: articles, possessives, pronouns.
static OBJECTS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| table::words(TABLE, "object").collect());
/// Verbs in the form that asks, in languages whose imperatives have no ending of their own.
static ASKING: LazyLock<HashMap<&'static str, Languages>> = LazyLock::new(|| table::by_language(TABLE, "asking"));
/// What may stand before such a verb.
static BEFORE_ASKING: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| table::words(TABLE, "before-asking").collect());
/// How a sentence ends that asks, in languages that put the verb last.
static FINALS: LazyLock<Vec<&'static str>> = LazyLock::new(|| table::words(TABLE, "final").collect());
/// How verbs end that ask somebody addressed politely, in French and Russian.
static ENDINGS: LazyLock<Vec<&'static str>> = LazyLock::new(|| table::words(TABLE, "ending").collect());

const VERB: u16 = 1;
const BARE: u16 = 1 << 1;
const PREPOSITION: u16 = 1 << 2;
const BEFORE: u16 = 1 << 3;
const CLAUSE: u16 = 1 << 4;
const ATTENTION: u16 = 1 << 5;
const FINITE: u16 = 1 << 6;
const FACT: u16 = 1 << 7;
const JOINS: u16 = 1 << 8;
const NOUN: u16 = 1 << 9;
const FOLLOWS: u16 = 1 << 10;
const EXAMPLE: u16 = 1 << 11;
const OPENS: u16 = 1 << 12;
const MODAL: u16 = 1 << 13;
const PAST: u16 = 1 << 14;
const ARTICLE: u16 = 1 << 15;

/// The longest label before what is asked for, in words: *Spot or on-demand: use …*
const LONGEST_LABEL: usize = 7;
/// So many words may stand before the verb.
const MOST_BEFORE: usize = 3;

fn classes(word: &str) -> u16 {
    WORDS.get(word).copied().unwrap_or(0)
}

/// Whether an English word in small letters is a common finite verb.
pub(super) fn is_finite_verb(word: &str) -> bool {
    classes(word) & FINITE != 0
}

/// Whether a sign stands in a word.
pub(super) fn is_inner(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '\'' | '’')
}

/// The words of a text in small letters, each with where it ends.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = (String, usize)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_inner)?;
        at = text[start..].find(|c| !is_inner(c)).map_or(text.len(), |length| start + length);
        Some((text[start..at].to_lowercase().replace('’', "'"), at))
    })
}

/// Whether a sentence asks for something, and gives no number as a reason for it.
pub fn is_imperative(text: &str) -> bool {
    let body = behind_a_label(text);
    let lower = body.to_lowercase().replace('’', "'");
    if ASKS.iter().any(|asks| lower.strip_prefix(asks).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))) {
        return gives_no_fact(body);
    }
    if let Some(rest) = POLITE.iter().find_map(|polite| behind_a_form(body, &lower, polite)) {
        // Whatever verb follows is one that asks.
        return asks_by(rest, true);
    }
    let otherwise = |clause: &str| asks_otherwise(clause, text);
    asks(body)
        || otherwise(body)
        || behind_clauses(body).any(|rest| asks(rest) || otherwise(rest))
        || behind_unspaced_clauses(body).any(gives_no_fact)
        || asks_at_its_end(body)
}

/// Whether a clause of `text` asks by a form or an object, and no number stands beside what is asked for.
fn asks_otherwise(clause: &str, text: &str) -> bool {
    (asks_in_its_form(clause) || asks_for_an_object(clause) || asks_by_its_verb(clause, text)) && gives_no_fact(clause)
}

/// Whether a clause begins with a verb that is known in the form that asks: *acuda a un médico*, *no tome más de 2*.
fn asks_by_its_verb(clause: &str, text: &str) -> bool {
    let mut before = 0;
    for (word, end) in tokens(clause) {
        if let Some(languages) = ASKING.get(word.as_str()) {
            // *Use* is a word of three languages, and asks in each of them.
            return clause[end..].starts_with([' ', '.']) && languages.meet(languages_in(text, Languages::ALL));
        }
        before += 1;
        let leads = classes(&word) & BEFORE != 0 || BEFORE_ASKING.contains(word.as_str());
        if !leads || before > MOST_BEFORE {
            return false;
        }
    }
    false
}

/// Whether a sentence ends with a verb in the form that asks: 医師に相談してください, 의사와 상담하세요.
fn asks_at_its_end(text: &str) -> bool {
    let said = text.trim_end_matches(['.', '。', '!', '！', ' ', ')', '）', '」']);
    FINALS.iter().any(|last| said.ends_with(last)) && !UNSPACED_FACTS.iter().any(|fact| text.contains(fact))
}

/// What stands in `body` behind `form` at its start; `lower` is the same in small letters.
fn behind_a_form<'t>(body: &'t str, lower: &str, form: &str) -> Option<&'t str> {
    let rest = lower.strip_prefix(form)?;
    let parts = form.ends_with(is_cjk) || !rest.starts_with(char::is_alphanumeric);
    body.get(form.len()..)
        .filter(|_| parts && lower.len() == body.len())
        .map(|rest| rest.trim_start_matches([' ', ',', '，']))
}

/// Whether a sentence says what somebody should do: *Cities should plant lindens*, 城市应当种植椴树. What follows the word is a verb
/// that names no past, and nothing but a short subject stands before it.
pub(super) fn is_norm(text: &str) -> bool {
    /// Words of the longest subject, and characters of the longest one in a script without spaces.
    const LONGEST_SUBJECT: usize = 5;
    const LONGEST_UNSPACED_SUBJECT: usize = 12;
    let body = behind_a_label(text);
    let mut words = tokens(body).peekable();
    let mut before = 0;
    while let Some((word, end)) = words.next() {
        let class = classes(&word);
        let next = words.peek().map(|(next, _)| next.as_str()).filter(|_| body[end..].starts_with(' '));
        // *Users need to …*, and not *the need to …*.
        let in_two = || next.is_some_and(|next| classes(&format!("{word} {next}")) & MODAL != 0);
        if class & MODAL != 0 || in_two() {
            return before > 0 && next.is_some_and(|next| classes(next) & PAST == 0);
        }
        before += 1;
        let goes_on = class & (FINITE | FACT | CLAUSE | OPENS | ARTICLE) == 0 || before == 1 && class & ARTICLE != 0;
        if before > LONGEST_SUBJECT || !goes_on || body[end..].starts_with([',', ';', ':']) {
            break;
        }
    }
    let unspaced = UNSPACED_MODALS.iter().filter_map(|modal| body.find(modal)).min();
    unspaced.is_some_and(|at| at > 0 && body[..at].chars().count() <= LONGEST_UNSPACED_SUBJECT && gives_no_fact(body))
        && !body.contains(['，', '；'])
}

/// Whether the form of the first word alone asks: *Stellen Sie …*, *Réglez …*, *Установите …*.
fn asks_in_its_form(text: &str) -> bool {
    let Some((verb, end)) = tokens(text).next() else { return false };
    let rest = &text[end..];
    let german = verb.ends_with("en") && rest.starts_with(" Sie ");
    let formed = !verb.is_ascii() || verb.ends_with("ez");
    let plural =
        formed && ENDINGS.iter().any(|ending| verb.strip_suffix(ending).is_some_and(|stem| stem.chars().count() > 1));
    german || plural && rest.starts_with(' ') && classes(&verb) & ATTENTION == 0
}

/// Whether a sentence begins with a bare word and its object, and has no finite verb behind them: *Contact a clinician within a day*. What
/// is no function word and no form of a verb in *-ing* or *-ed*, and stands right before an article or a pronoun, is an imperative.
fn asks_for_an_object(text: &str) -> bool {
    let mut tokens = tokens(text).peekable();
    while tokens.peek().is_some_and(|(word, _)| classes(word) & BEFORE != 0) {
        tokens.next();
    }
    let Some((verb, end)) = tokens.next() else { return false };
    let known =
        classes(&verb) & (VERB | FINITE | FACT | OPENS | CLAUSE | PREPOSITION | MODAL | ATTENTION | EXAMPLE) != 0;
    let formed = ["ing", "ed", "ly", "s"].iter().any(|ending| verb.ends_with(ending)) && !verb.ends_with("ss");
    let function = words(&verb).next().is_none_or(|word| word.stop);
    let object = tokens.peek().is_some_and(|(next, _)| OBJECTS.contains(next.as_str())) && text[end..].starts_with(' ');
    let named = is_named_by_a_letter(&text[end..]);
    if known || formed || function || !object || named || !verb.chars().all(char::is_alphabetic) {
        return false;
    }
    let mut previous = verb;
    for (word, end) in tokens {
        let this = classes(&word);
        let joined = classes(&previous) & JOINS != 0 || OBJECTS.contains(previous.as_str());
        let participle = word.ends_with("ed") && classes(&previous) & PREPOSITION == 0;
        if (this & FINITE != 0 || participle) && !joined {
            return false;
        }
        // Behind these another clause begins, which may have a verb of its own.
        if this & (FACT | OPENS | CLAUSE) != 0 || text[end..].starts_with([',', ';', '.', ':']) {
            break;
        }
        previous = word;
    }
    true
}

/// Whether a noun is told from others of its kind by what stands behind it: *Model A reaches*, *Plan One costs*. An article or a number in
/// words has no capital inside of a sentence, unless all words have one.
fn is_named_by_a_letter(behind: &str) -> bool {
    let mut words = tokens(behind);
    let Some((letter, end)) = words.next() else { return false };
    let capital = behind.trim_start().starts_with(char::is_uppercase);
    let goes_on = behind[end..].strip_prefix(' ').is_some_and(|rest| rest.starts_with(char::is_lowercase));
    let joins = words.next().is_some_and(|(next, _)| classes(&next) & (JOINS | PREPOSITION) != 0);
    capital && classes(&letter) & FOLLOWS != 0 && goes_on && !joins
}

/// A short label before a colon and what stands behind it: *Timing: start with …*
pub fn labelled(text: &str) -> Option<(&str, &str)> {
    let (label, rest) = text.split_once([':', '：'])?;
    let rest = rest.trim_start();
    let is_label = tokens(label).count() <= LONGEST_LABEL && rest.starts_with(char::is_alphabetic);
    is_label.then_some((label, rest))
}

/// What stands behind a short label, or all where there is none.
fn behind_a_label(text: &str) -> &str {
    labelled(text).map_or(text, |(_, rest)| rest)
}

/// What stands behind each comma of a sentence that begins with a condition or a purpose: *To save time, use …*
fn behind_clauses(text: &str) -> impl Iterator<Item = &str> {
    /// Longer conditions are none: a search of every comma of a long sentence would be quadratic.
    const MOST: usize = 6;
    let opens = tokens(text).next().is_some_and(|(first, _)| classes(&first) & CLAUSE != 0);
    text.match_indices(", ").map(|(at, comma)| &text[at + comma.len()..]).take(if opens { MOST } else { 0 })
}

/// What asks politely behind a comma of a script without spaces: *如果发烧，请及时就医*.
fn behind_unspaced_clauses(text: &str) -> impl Iterator<Item = &str> {
    const MOST: usize = 6;
    let clauses = text.match_indices(['，', '、']).map(|(at, comma)| &text[at + comma.len()..]).take(MOST);
    clauses.filter(|clause| POLITE.iter().any(|polite| polite.ends_with(is_cjk) && clause.starts_with(polite)))
}

fn asks(text: &str) -> bool {
    asks_by(text, false)
}

/// Whether a sentence begins with a verb that asks for something. `any`: whatever its first word is, it is such a verb.
fn asks_by(text: &str, any: bool) -> bool {
    if any && text.starts_with(is_cjk) {
        return gives_no_fact(text);
    }
    let mut words = tokens(text).peekable();
    let mut before = 0;
    while words.peek().is_some_and(|(word, _)| classes(word) & BEFORE != 0 && classes(word) & VERB == 0) {
        words.next();
        before += 1;
    }
    let Some((verb, end)) = words.next().filter(|_| before <= MOST_BEFORE) else { return false };
    let class = classes(&verb);
    // *Report: 45% …* and *Use, …* name something.
    if !any && class & VERB == 0 || !text[end..].starts_with(' ') || is_named_by_a_letter(&text[end..]) {
        return false;
    }
    // *Plant lindens.*: all that follows is what to plant.
    let rest = text[end..].trim();
    let named = |object: &str| object.ends_with('s') && object.chars().all(char::is_alphabetic);
    if class & NOUN != 0
        && rest.strip_suffix('.').is_some_and(named)
        && classes(rest.trim_end_matches('.')) & FINITE == 0
    {
        return true;
    }
    let class = if any { class & !(BARE | NOUN) } else { class };
    let mut previous = verb;
    for (at, (word, _)) in words.enumerate() {
        let this = classes(&word);
        let numbered = word.starts_with(|c: char| c.is_ascii_digit());
        let said = this & ATTENTION != 0 && at <= 1
            || class & BARE != 0 && at == 0 && this & PREPOSITION != 0
            || class & NOUN != 0 && at == 0 && this & FOLLOWS == 0 && !numbered;
        // *Report costs*, *to offer three plans*: no finite verbs, though they look like ones.
        let looks = this & VERB != 0 && at == 0 || classes(&previous) & JOINS != 0;
        if said || this & FINITE != 0 && !looks {
            return false;
        }
        // Behind these another clause begins, which may have a verb of its own.
        if this & (FACT | OPENS) != 0 {
            break;
        }
        previous = word;
    }
    gives_no_fact(text)
}

/// Whether no number stands in a clause beside what is asked for.
fn gives_no_fact(text: &str) -> bool {
    let signs =
        text.find([';', '—', '–', ':']).filter(|at| text[*at..].chars().nth(1).is_some_and(char::is_whitespace));
    let words = tokens(text).find(|(word, _)| classes(word) & FACT != 0).map(|(_, end)| end);
    let unspaced = UNSPACED_FACTS.iter().filter_map(|fact| text.find(fact)).min();
    let behind = [signs, words, unspaced].into_iter().flatten().all(|at| !is_measured(&text[at..]));
    behind && !text.split('(').skip(1).any(tells_a_fact)
}

/// Whether what stands behind an opening bracket is a number that is no example: *add a classifier (~91% accuracy)*.
fn tells_a_fact(behind: &str) -> bool {
    let inner = behind.split(')').next().unwrap_or(behind);
    let example = tokens(inner).next().is_some_and(|(word, _)| classes(&word) & EXAMPLE != 0);
    !example && quantities(inner).iter().any(|quantity| quantity.is_measured() && !quantity.is_temporal())
}

#[cfg(test)]
mod tests {
    use super::{is_imperative, is_norm};

    fn check(text: &str, expected: bool) {
        assert_eq!(is_imperative(text), expected, "{text}");
    }

    #[test]
    fn what_asks_for_something_states_nothing() {
        for text in [
            "Start with 3 pilots in Q1 2026.",
            "Compare A with B for 3 weeks.",
            "Model a load of 94 kg.",
            "Set A Timeout Of 30 Seconds.",
            "Aim for at least 8 hours of battery life.",
            "Set the timeout to 30 seconds.",
            "Hire 2 engineers by June 2026.",
            "You should keep at least 20% of the budget in reserve.",
            "Report all returns, risks, and costs per standardized capital base (e.g., per $1M).",
            "Spot vs. On-demand: Use platforms (Spot Ocean, CAST AI) to maximize spot use with safe fallbacks.",
            "To cut latency by half, cache the 100 largest tables.",
            "If you need more than 10 GB, choose the largest plan.",
            "Do not exceed 4 doses a day.",
            "Never run more than 3 jobs at once.",
            "Suppose a company has 200 widgets and sells 5% of them each month.",
            "For example, if a user has 3 items at $10 each, the total is $30.",
            "Let n be the number of widgets, with n > 10.",
            "Benchmark and profile frequently, at least every 2 weeks.",
            "Call us on +44 20 7946 0958.",
            "Choose a plan that has 20% more memory.",
            "Setzen Sie das Zeitlimit auf 30 Sekunden.",
            "Réglez le délai sur 30 secondes.",
            "Установите время ожидания 30 секунд.",
            "Please feed 200 g a day.",
            "Feed 200 g a day.",
            "Plant lindens.",
            "Let kittens rest for 16 hours.",
            "Bitte füttern Sie 200 g am Tag.",
            "Bitte täglich 200 g füttern.",
            "Veuillez donner 200 g par jour.",
            "请每天喂200克。",
            "建议每天喂200克。",
            "请勿超过2片。",
            "It is advisable to plant 3 lindens.",
            "Fainting: contact a clinician within 1 day.",
            "Fever over 39 °C: call the ward.",
            "Titrate the dose to 5 mg.",
            "Discard any opened bottle after 30 days.",
            "Rinse it for 2 minutes and dry it.",
            "If you wake up at night for more than 3 weeks, see a doctor.",
            "Wenn das Fieber über 39 Grad steigt, rufen Sie einen Arzt.",
            "Si la fièvre dépasse 39 degrés, consultez un médecin.",
            "Если температура выше 39, вызовите врача.",
            "Пейте не менее 2 литров воды в день.",
            "Si la fiebre supera los 39 grados, llame a su clínica.",
            "Cuando el dolor dure más de 2 semanas, consulte con un especialista.",
            "No tome más de 4 pastillas al día.",
            "Se a febre passar de 39 graus por 3 dias, procure um médico.",
            "Caso a dor dure mais de 2 semanas, ligue para a clínica.",
            "Beba pelo menos 2 litros de água por dia.",
            "Se la febbre supera i 39 gradi per 3 giorni, consulti un medico.",
            "Non superi le 4 dosi al giorno.",
            "Als de koorts boven 39 graden komt, bel de huisarts.",
            "Jeśli gorączka przekracza 39 stopni, skonsultuj się z lekarzem.",
            "Если температура выше 39 градусов держится 3 дня, обратитесь к врачу.",
            "熱が39度を超えて3日続く場合は、医師に相談してください。",
            "1日2リットルの水を飲みましょう。",
            "열이 39도를 넘고 3일 이상 지속되면 의사와 상담하세요.",
            "如果发烧超过39度并持续3天，请及时就医。",
            "若疼痛持续2周以上，应尽快联系医生。",
            "If the fever stays above 39 °C, or the child is under 3 months, call a doctor.",
        ] {
            check(text, true);
        }
    }

    #[test]
    fn what_states_a_fact_asks_for_nothing() {
        for text in [
            "Si la fiebre supera los 39 grados, la mortalidad sube un 20%.",
            "Si el precio sube un 10%, aumenta el consumo de pan un 4%.",
            "Se a febre passar de 39 graus, o risco sobe 20%.",
            "Se la febbre supera i 39 gradi, il rischio sale del 20%.",
            "如果发烧超过39度，死亡率上升20%。",
            "熱が39度を超えた人は20%であった。",
            "열이 39도를 넘은 사람은 20%였다.",
            "Use fell by 5% in 2024.",
            "Use of the drug rose to 12%.",
            "Use cases include 3 of the largest banks.",
            "Report cards cost $5.",
            "Reports show that 45% left.",
            "Set in 1920, the film made $5 million.",
            "Run by 12 volunteers, it is the largest of its kind.",
            "Note that 45% of users left.",
            "Keep in mind that 45% of users left.",
            "Remember: 45% of users left.",
            "Consider that 45% of users left.",
            "Add caching, which cuts latency by 30%.",
            "Use caching, because it cuts latency by 30%.",
            "Adopt the tool: 45% of teams did so in 2024.",
            "Sales grew by 20%.",
            "If inflation stays at 3%, wages fall by 1%.",
            "In 2024, use of the drug rose to 12%.",
            "Test results were 20% better.",
            "Plan B cost $5 million.",
            "Base performance score (30%)",
            "Robustness: Phase margin >45°, gain margin >6 dB.",
            "Target price $300 by 2026",
            "Implement a 2D-CNN (~91% accuracy).",
            "Review of 12 studies",
            "Chez 45 % des patients, la fièvre baisse.",
            "Assez de 30 pays ont signé.",
            "Beachten Sie, dass 45 % der Nutzer gingen.",
            "Notez que 45 % des utilisateurs sont partis.",
            "Обратите внимание, что 45 % ушли.",
            "Nutzen Sie den Cache, weil er 30 % spart.",
            "Google Search handles 5 billion queries a day.",
            "Please note that 45% of users left.",
            "Please remember: 45% of users left.",
            "Bitte beachten Sie, dass 45 % der Nutzer gingen.",
            "请注意，45%的用户离开了。",
            "请记住45%的用户离开了。",
            "建议采用缓存，因为它可节省30%。",
            "Model A reaches 94.2% on MMLU.",
            "Study A found a drop of 17%.",
            "Vaccine A reduced hospital stays by 47%.",
            "Plan One costs 20% more.",
            "Feed costs $5 a day.",
            "Feed prices rose by 5%.",
            "Plant capacity is 5 GW.",
            "Plant growth slowed by 5%.",
            "Pleased users gave it 5 stars.",
            "Alexander the Great conquered 12 lands.",
            "Today the bank raised its rate to 5%.",
            "Sales: the firm sold 300 units.",
            "Result: all 14 sites failed.",
            "Given the 5% rise, it fell.",
            "Both the plants closed in 2019.",
            "Wenn das Fieber über 39 Grad steigt, sterben 5 % der Patienten.",
            "Si la fièvre dépasse 39 degrés, 5 % des patients meurent.",
            "If the fever exceeds 39 °C, 5% of them die.",
        ] {
            check(text, false);
        }
    }

    #[test]
    fn what_somebody_should_do_is_no_fact() {
        for (text, expected) in [
            ("Cities should plant 3 trees per resident.", true),
            ("Owners must vaccinate 80% of kittens.", true),
            ("You should plant lindens.", true),
            ("Users need to water trees for 3 years.", true),
            ("Städte sollten 3 Linden je Einwohner pflanzen.", true),
            ("Les villes doivent planter 3 arbres par habitant.", true),
            ("Las ciudades deben plantar 3 árboles por habitante.", true),
            ("城市应当种植椴树。", true),
            ("业主必须为80%的幼猫接种。", true),
            // What is inferred, what was, and what a subject of its own verb says.
            ("Patients need 3 doses.", false),
            ("The need for closure is a desire.", false),
            ("The gap highlights the need to teach 3 skills.", false),
            ("The challenges that need to be met number 3.", false),
            ("The owners need to vaccinate 80% of kittens.", true),
            ("Das Werk soll 5 GW liefern.", false),
            ("It must have cost $5 million.", false),
            ("Sales should have risen 5%.", false),
            ("The survey found that cities should plant 3 trees.", false),
            ("In 2024, 40% said that cities should plant trees.", false),
            ("Must-have items cost $5.", false),
            ("Cities planted 3 trees per resident.", false),
            ("反应温度为80度。", false),
        ] {
            assert_eq!(is_norm(text), expected, "{text}");
        }
    }
}
