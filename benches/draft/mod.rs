//! A draft of any size as deep-research agents write them, the same for the same size: headings, prose, lists, tables,
//! quotes, English and some Chinese, with numbered citations and their list at the end.

use std::collections::HashMap;

/// Bytes of body for one citation, and citations for one source: 5,000 citations of 500 sources in 2 MB.
const BYTES_PER_MARKER: usize = 400;
const MARKERS_PER_SOURCE: usize = 10;

/// A draft with what it holds.
pub struct Draft {
    /// The Markdown text.
    pub text: String,
    /// How many citations it has.
    pub markers: usize,
    /// How many sources it lists.
    pub sources: usize,
}

/// A draft of about `size` bytes.
pub fn draft(size: usize) -> Draft {
    let sources = (size / BYTES_PER_MARKER / MARKERS_PER_SOURCE).max(1);
    let list: String = (1..=sources).map(entry).collect();
    let body = size.saturating_sub(list.len() + 16);
    let mut writer = Writer { text: String::with_capacity(size + 1024), random: Random(17), markers: 0, sources, body };
    writer.text.push_str("# Storage, transport and demand: a review\n\n");
    while writer.text.len() < body {
        writer.section();
    }
    let Writer { mut text, markers, .. } = writer;
    text.push_str("## Sources\n\n");
    text.push_str(&list);
    Draft { text, markers, sources }
}

fn entry(number: usize) -> String {
    let (topic, place) = (TOPICS[number % TOPICS.len()], PLACES[number / 7 % PLACES.len()]);
    format!("{number}. Report on {topic} in {place}, part {number} — {}\n", address(number))
}

fn address(number: usize) -> String {
    format!("https://site{}.example/reports/{number}", number % 97)
}

/// The addresses of the sources of a draft, with texts of about `size` bytes: of what the draft says with each its text has two in three, so that
/// a better source is looked for where the third is, and other sentences of the kind.
pub fn pages(draft: &Draft, size: usize) -> HashMap<String, String> {
    let mut said: Vec<Vec<&str>> = vec![Vec::new(); draft.sources + 1];
    for (at, line) in draft.text.lines().enumerate() {
        let Some((before, marker)) = line.rsplit_once(" [") else { continue };
        let sentence = before.rsplit(". ").next().unwrap_or(before);
        let number = marker.split([',', ']']).next().and_then(|number| number.parse::<usize>().ok());
        said[number.filter(|number| at % 3 > 0 && *number <= draft.sources).unwrap_or(0)].push(sentence);
    }
    let page = |number: usize| {
        let random = Random(number as u64);
        let mut writer = Writer { text: String::new(), random, markers: 0, sources: draft.sources, body: 0 };
        for sentence in &said[number] {
            writer.text.push_str(sentence);
            writer.text.push_str(".\n");
        }
        while writer.text.len() < size {
            writer.sentence();
            writer.text.push_str(".\n");
        }
        (address(number), writer.text)
    };
    (1..=draft.sources).map(page).collect()
}

/// The 64-bit generator of Knuth's MMIX: the same numbers everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

struct Writer {
    text: String,
    random: Random,
    markers: usize,
    sources: usize,
    body: usize,
}

const TOPICS: &[&str] = &[
    "battery storage",
    "grid expansion",
    "rail freight",
    "heat pumps",
    "district heating",
    "solar parks",
    "offshore wind",
    "hydrogen pipelines",
    "building insulation",
    "electric buses",
    "data centres",
    "cold chains",
];
const PLACES: &[&str] =
    &["Norway", "Lower Saxony", "Jiangsu", "Texas", "Ontario", "the Basque Country", "Kyushu", "Gujarat"];
const WHO: &[&str] =
    &["the regulator", "the operators’ association", "a 2023 survey", "the national laboratory", "Dr. K. Lindqvist"];
const VERBS: &[&str] = &["grew", "fell", "rose", "shrank", "doubled its share and grew"];
const PLAIN: &[&str] = &[
    "Most of the plants stand near the coast, where the grid is strong and land is cheap",
    "Local councils decide on the routes, and their decisions are hard to appeal",
    "Maintenance is done by the makers themselves under long contracts",
    "The older lines use *direct current*, which needs fewer towers but costlier ends",
    "Suppliers from several countries compete for the same few factories",
    "Such projects depend on patient lenders and on rules that do not change midway",
    "However, the permits for the second phase are still being discussed",
    "This may change once the tariffs are revised, e.g. by the proposals of the spring",
];
const TAILS: &[&str] = &[
    ", which is more than most observers of the sector had thought possible when the plans were drawn up",
    ", and the effect was strongest in the regions that had been connected first",
    ", although the figures for the smaller towns are not complete",
    ", mainly because the makers moved their factories closer to the ports",
    ", as the comparison with the earlier programme of the same ministry makes plain",
];
const CHINESE: &[&str] = &["装机容量", "货运量", "电网投资", "储能规模", "用电需求"];

impl Writer {
    fn section(&mut self) {
        let (topic, place) = (self.random.pick(TOPICS), self.random.pick(PLACES));
        let level = if self.random.below(3) == 0 { "##" } else { "###" };
        self.text.push_str(&format!("{level} On {topic} in {place}\n\n"));
        for _ in 0..3 + self.random.below(3) {
            match self.random.below(10) {
                0 => self.list(),
                1 => self.table(),
                2 => self.chinese(),
                3 => self.quote(),
                _ => self.paragraph(),
            }
        }
    }

    /// The next citation, when the text is due one: so many for each byte, in order of first appearance.
    fn cite(&mut self) -> String {
        let due = self.text.len() / BYTES_PER_MARKER;
        if self.markers >= due || self.text.len() > self.body + 4096 {
            return String::new();
        }
        let first = self.markers;
        self.markers += 1;
        // Every source is cited; later citations come back to earlier ones.
        let newest = (first / MARKERS_PER_SOURCE).min(self.sources - 1) + 1;
        let number = if first.is_multiple_of(MARKERS_PER_SOURCE) { newest } else { self.random.below(newest) + 1 };
        if first % 9 == 4 && number > 1 { format!(" [{}, {number}]", number - 1) } else { format!(" [{number}]") }
    }

    fn sentence(&mut self) {
        let (topic, place, who) = (self.random.pick(TOPICS), self.random.pick(PLACES), self.random.pick(WHO));
        let (a, b) = (self.random.below(900) + 11, self.random.below(90) + 3);
        let year = 2001 + self.random.below(24);
        let verb = self.random.pick(VERBS);
        let words = match self.random.below(8) {
            0 => format!("In {year}, spending on {topic} in {place} {verb} by {b}.{}%", a % 10),
            1 => format!("According to {who}, {topic} in {place} carried {a} million tonnes in {year}"),
            2 => format!("The share of **{topic}** in {place} {verb} from {b}% to {}%", b + 9),
            3 => format!(
                "Costs of {topic} are ${a} per kWh, about {b} times those of [the old plants](https://plants{}.example/a)",
                a % 40
            ),
            4 => format!(
                "{} calls {topic} “the quiet half of the transition in {place}, seldom seen and never praised”",
                capital(who)
            ),
            5 => format!("Deliveries for {topic} take {b} weeks, longer than for {}", self.random.pick(TOPICS)),
            _ => self.random.pick(PLAIN).to_owned(),
        };
        self.text.push_str(&words);
        if self.random.below(4) > 0 {
            let tail = self.random.pick(TAILS);
            self.text.push_str(tail);
        }
    }

    /// A sentence with the citations that are due.
    fn cited(&mut self) {
        self.sentence();
        for _ in 0..2 {
            let citation = self.cite();
            self.text.push_str(&citation);
        }
        self.text.push('.');
    }

    fn paragraph(&mut self) {
        // Agents cite most paragraphs at their end.
        for _ in 0..=self.random.below(3) {
            self.sentence();
            self.text.push_str(". ");
        }
        self.cited();
        self.text.push_str("\n\n");
    }

    fn quote(&mut self) {
        self.text.push_str("> ");
        self.cited();
        self.text.push_str("\n\n");
    }

    fn list(&mut self) {
        self.text.push_str("Three points stand out:\n\n");
        for _ in 0..3 + self.random.below(4) {
            self.text.push_str("- ");
            self.cited();
            self.text.push('\n');
        }
        self.text.push('\n');
    }

    fn table(&mut self) {
        self.text.push_str("| Place | Output (GWh) | Change | Remark |\n|---|---|---|---|\n");
        for _ in 0..4 + self.random.below(5) {
            let (place, topic) = (self.random.pick(PLACES), self.random.pick(TOPICS));
            let (a, b) = (self.random.below(9000) + 100, self.random.below(40) + 1);
            let citation = self.cite();
            self.text.push_str(&format!("| {place} | {a}{citation} | +{b}.5% | mostly {topic} |\n"));
        }
        self.text.push('\n');
    }

    fn chinese(&mut self) {
        for _ in 0..4 {
            let (what, a, b) = (self.random.pick(CHINESE), self.random.below(900) + 10, self.random.below(60) + 2);
            let year = 2005 + self.random.below(20);
            let citation = self.cite();
            let citation = citation.trim_start();
            self.text.push_str(&format!(
                "{year}年，该地区{what}达到{a}万吨，同比增长{b}%{citation}。沿海省份的新建项目较多，审批仍在进行。"
            ));
        }
        self.text.push_str("\n\n");
    }
}

fn capital(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
