//! Sentences that ask for something to be done: *Aim for at least 8 hours*. They state nothing, so no page could support them.
//!
//! A number in one is what the writer wants, unless it stands in a clause that gives a reason (*…, which saves 30%*). Words like
//! *use* and *report* begin both kinds of sentences: where a finite verb follows, they are nouns (*Use fell by 5%*).

use std::collections::HashMap;
use std::sync::LazyLock;

use super::labels::label_of;
use cited_text::language::languages_in;
use cited_text::lexicon::{Classes, Languages, table};
use cited_text::quantity::{is_measured, quantities};
use cited_text::script::is_cjk;
use cited_text::words::words;

const TABLE: &str = include_str!("data/imperatives.tsv");

static WORDS: Classes = Classes::new(TABLE);

/// Verbs in the form that asks, in languages whose imperatives have no ending of their own.
static ASKING: LazyLock<HashMap<&'static str, Languages>> = LazyLock::new(|| table::by_language(TABLE, "asking"));

/// The classes of verbs that may ask.
const VERBS: &[&str] = &["verb", "bare", "noun"];

/// The longest label before what is asked for, in words: *Spot or on-demand: use …*
const LONGEST_LABEL: usize = 7;
/// So many words may stand before the verb.
const MOST_BEFORE: usize = 3;

/// Whether a word is of one of these classes of the table.
pub(super) fn is(word: &str, of: &[&str]) -> bool {
    WORDS.are(of, word)
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
    /// Longer conditions are none: a search of every comma of a long sentence would be quadratic.
    const MOST: usize = 6;
    let body = labelled(text).map_or(text, |(_, rest)| rest);
    if behind_a_form(body, "asks").is_some() {
        return gives_no_fact(body);
    }
    if let Some(rest) = behind_a_form(body, "polite") {
        // Whatever verb follows is one that asks.
        return asks(rest, text, true);
    }
    // A condition or a purpose may stand before what is asked for: *To save time, use …*, *如果发烧，请及时就医*.
    let opens = tokens(body).next().is_some_and(|(first, _)| is(&first, &["clause"]));
    let behind = |(at, comma): (usize, &str)| &body[at + comma.len()..];
    let mut clauses = body.match_indices(", ").map(behind).take(if opens { MOST } else { 0 });
    let mut unspaced = body.match_indices(['，', '、']).map(behind).take(MOST);
    // In languages that put the verb last a sentence ends with it: 医師に相談してください, 의사와 상담하세요.
    let said = body.trim_end_matches(['.', '。', '!', '！', ' ', ')', '）', '」']);
    asks(body, text, false)
        || clauses.any(|clause| asks(clause, text, false))
        || unspaced.any(|clause| behind_a_form(clause, "polite").is_some() && gives_no_fact(clause))
        || WORDS.of("final").iter().any(|last| said.ends_with(last))
            && !WORDS.of("unspaced-fact").iter().any(|fact| body.contains(fact))
}

/// What stands behind a form of this class at the start of a text.
fn behind_a_form<'t>(text: &'t str, class: &str) -> Option<&'t str> {
    let behind = |form: &&str| {
        let rest = &text[text.get(..form.len()).filter(|start| start.to_lowercase() == **form)?.len()..];
        let parts = form.ends_with(is_cjk) || !rest.starts_with(char::is_alphanumeric);
        parts.then(|| rest.trim_start_matches([' ', ',', '，']))
    };
    WORDS.of(class).iter().filter_map(behind).min_by_key(|rest| rest.len())
}

/// Whether a sentence says what somebody should do: *Cities should plant lindens*, 城市应当种植椴树. What follows the word is a verb
/// that names no past, and nothing but a short subject stands before it.
pub(super) fn is_norm(text: &str) -> bool {
    /// Words of the longest subject, and characters of the longest one in a script without spaces.
    const LONGEST_SUBJECT: usize = 5;
    const LONGEST_UNSPACED_SUBJECT: usize = 12;
    let body = labelled(text).map_or(text, |(_, rest)| rest);
    let mut words = tokens(body).peekable();
    let mut before = 0;
    while let Some((word, end)) = words.next() {
        let next = words.peek().map(|(next, _)| next.as_str()).filter(|_| body[end..].starts_with(' '));
        // *Users need to …*, and not *the need to …*.
        let in_two = || next.is_some_and(|next| is(&format!("{word} {next}"), &["modal"]));
        if is(&word, &["modal"]) || in_two() {
            return before > 0 && next.is_some_and(|next| !is(next, &["past"]));
        }
        before += 1;
        let goes_on =
            !is(&word, &["finite", "fact", "clause", "opens", "article"]) || before == 1 && is(&word, &["article"]);
        if before > LONGEST_SUBJECT || !goes_on || body[end..].starts_with([',', ';', ':']) {
            break;
        }
    }
    let unspaced = WORDS.of("unspaced-modal").iter().filter_map(|modal| body.find(modal)).min();
    unspaced.is_some_and(|at| at > 0 && body[..at].chars().count() <= LONGEST_UNSPACED_SUBJECT && gives_no_fact(body))
        && !body.contains(['，', '；'])
}

/// Whether a clause of a sentence begins with a verb that asks for something, and no number stands beside what is asked for. `any`: whatever
/// its first word is, it is such a verb.
///
/// A verb is one by the list of its language (*acuda a un médico*), by its form, by the list of English, or as a bare word right before an
/// article or pronoun, *Contact a clinician within a day*; of the last two no finite verb may follow.
fn asks(clause: &str, text: &str, any: bool) -> bool {
    if any && clause.starts_with(is_cjk) {
        return gives_no_fact(clause);
    }
    let mut tokens = tokens(clause).peekable();
    let (mut before, mut foreign) = (0, false);
    while let Some((word, _)) = tokens.next_if(|(word, _)| {
        is(word, &["before", "before-asking"]) && !is(word, VERBS) && !ASKING.contains_key(word.as_str())
    }) {
        before += 1;
        foreign |= !is(&word, &["before"]);
    }
    let Some((verb, end)) = tokens.next().filter(|_| before <= MOST_BEFORE) else { return false };
    let rest = &clause[end..];
    // *Use* is a word of three languages, and asks in each of them.
    let asking = ASKING.get(verb.as_str()).is_some_and(|own| own.meet(languages_in(text, Languages::ALL)));
    if asking && rest.starts_with([' ', '.']) || before == 0 && asks_in_its_form(&verb, rest) {
        return gives_no_fact(clause);
    }
    // *Report: 45% …* and *Use, …* name something.
    let known = any || is(&verb, VERBS);
    let mut object = || tokens.peek().is_some_and(|(next, _)| is(next, &["object"])) && may_be_a_verb(&verb);
    if foreign || !rest.starts_with(' ') || is_named_by_a_letter(rest) || !known && !object() {
        return false;
    }
    let (bare, noun) = (!any && is(&verb, &["bare"]), !any && is(&verb, &["noun"]));
    let mut previous = verb;
    for (at, (word, end)) in tokens.enumerate() {
        let numbered = word.starts_with(|c: char| c.is_ascii_digit());
        let says = known && at <= 1 && is(&word, &["attention"])
            || bare && at == 0 && is(&word, &["preposition"])
            || noun && at == 0 && !is(&word, &["follows"]) && !numbered;
        // *Report costs*, *to offer three plans*: no finite verbs, though they look like ones.
        let looks =
            known && at == 0 && is(&word, VERBS) || is(&previous, &["joins"]) || !known && is(&previous, &["object"]);
        let participle = !known && word.ends_with("ed") && !is(&previous, &["preposition"]);
        if says || (participle || is(&word, &["finite"])) && !looks {
            return false;
        }
        // Behind these another clause begins, which may have a verb of its own.
        let ends = is(&word, &["clause"]) || clause[end..].starts_with([',', ';', '.', ':']);
        if is(&word, &["fact", "opens"]) || !known && ends {
            break;
        }
        previous = word;
    }
    gives_no_fact(clause)
}

/// Whether the form of a word alone asks: *Stellen Sie …*, *Réglez …*, *Установите …*.
fn asks_in_its_form(verb: &str, rest: &str) -> bool {
    let german = verb.ends_with("en") && rest.starts_with(" Sie ");
    let formed = !verb.is_ascii() || verb.ends_with("ez");
    let mut stems = WORDS.of("ending").iter().filter_map(|ending| verb.strip_suffix(ending));
    let plural = formed && stems.any(|stem| stem.chars().count() > 1);
    german || plural && rest.starts_with(' ') && !is(verb, &["attention"])
}

/// Whether a word that no list has may be a verb that asks: it is no function word, and no form in *-ing*, *-ed*, *-ly* or *-s*.
fn may_be_a_verb(word: &str) -> bool {
    let known = ["finite", "fact", "opens", "clause", "preposition", "modal", "attention", "example"];
    let formed = ["ing", "ed", "ly", "s"].iter().any(|ending| word.ends_with(ending)) && !word.ends_with("ss");
    let function = words(word).next().is_none_or(|word| word.stop);
    !is(word, &known) && !formed && !function && word.chars().all(char::is_alphabetic)
}

/// Whether a noun is told from others of its kind by what stands behind it: *Model A reaches*, *Plan One costs*. An article or a number in
/// words has no capital inside of a sentence, unless all words have one.
fn is_named_by_a_letter(behind: &str) -> bool {
    let mut words = tokens(behind);
    let Some((letter, end)) = words.next() else { return false };
    let capital = behind.trim_start().starts_with(char::is_uppercase);
    let goes_on = behind[end..].strip_prefix(' ').is_some_and(|rest| rest.starts_with(char::is_lowercase));
    let joins = words.next().is_some_and(|(next, _)| is(&next, &["joins", "preposition"]));
    capital && is(&letter, &["follows"]) && goes_on && !joins
}

/// A short label before a colon and what stands behind it: *Timing: start with …*
pub fn labelled(text: &str) -> Option<(&str, &str)> {
    label_of(text)
        .filter(|(label, rest)| tokens(label).count() <= LONGEST_LABEL && rest.starts_with(char::is_alphabetic))
}

/// Whether no number stands in a clause beside what is asked for.
fn gives_no_fact(text: &str) -> bool {
    let signs =
        text.find([';', '—', '–', ':']).filter(|at| text[*at..].chars().nth(1).is_some_and(char::is_whitespace));
    let words = tokens(text).find(|(word, _)| is(word, &["fact"])).map(|(_, end)| end);
    let unspaced = WORDS.of("unspaced-fact").iter().filter_map(|fact| text.find(fact)).min();
    let behind = [signs, words, unspaced].into_iter().flatten().all(|at| !is_measured(&text[at..]));
    // What stands behind an opening bracket is a number that is no example: *add a classifier (~91% accuracy)*.
    let tells_a_fact = |behind: &str| {
        let inner = behind.split(')').next().unwrap_or(behind);
        let example = tokens(inner).next().is_some_and(|(word, _)| is(&word, &["example"]));
        !example && quantities(inner).iter().any(|quantity| quantity.is_measured() && !quantity.is_temporal())
    };
    behind && !text.split('(').skip(1).any(tells_a_fact)
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
