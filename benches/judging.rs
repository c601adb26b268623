//! What judging costs: reading a page once, a claim on a page that was read, for pages of 1,500 and 100,000 words, and
//! claims a second when each has a page of its own to be read first, and many claims on one page.
//!
//! ```text
//! cargo bench --bench judging
//! ```

use std::hint::black_box;

use cited::claim::ClaimKind;
use cited::judge::{ClaimText, Settings, SourceText, judge};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// A page of about so many words, with numbers, dates and names in it; the sentence that speaks to the claim is its last.
fn page(words: usize) -> String {
    let mut page = String::new();
    for n in 0..words / 16 {
        page.push_str(&format!(
            "In {} the harbour of Port {} handled {}.{} million tonnes of cargo, not less than the year before. ",
            1900 + n % 120,
            ["Alba", "Brava", "Clara", "Dora"][n % 4],
            n % 90,
            n % 10
        ));
    }
    page.push_str("The lighthouse of Port Alba was rebuilt in 1987 at a cost of 4.2 million euros.");
    page
}

/// A claim with a number and a year, of few different words; another number where it is `changed`.
fn statement(n: usize, changed: bool) -> String {
    let port = ["Alba", "Brava", "Clara", "Dora", "Elma", "Fara", "Gorda", "Hanko"][n * 7 % 8];
    let thing = ["tonnes of cargo", "containers", "passengers", "tonnes of fish", "cars"][n / 3 % 5];
    let verb = ["handled", "moved", "shipped", "reported", "counted"][n / 5 % 5];
    let number = 1_000 + n * 37 + usize::from(changed) * 5;
    format!("In {} the harbour of {port} {verb} {number} {thing}.", 1950 + n * 11 % 70)
}

/// Many claims on one page of their own, every second one with another number.
fn on_one_page(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("claims on one page of their own");
    for count in [625, 1_250, 2_500, 5_000] {
        let page: Vec<String> = (0..count).map(|n| statement(n, false)).collect();
        let page = page.chunks(5).map(|lines| lines.join(" ")).collect::<Vec<_>>().join("\n\n");
        let claims: Vec<String> = (0..count).map(|n| statement(n, n % 2 == 0)).collect();
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(count.to_string(), |bench| {
            bench.iter(|| {
                let source = SourceText::new(black_box(&page), "");
                for claim in &claims {
                    black_box(judge(&ClaimText::new(claim, ClaimKind::Plain), &source, &Settings::default()));
                }
            });
        });
    }
    group.finish();
}

fn judging(criterion: &mut Criterion) {
    let claims = [
        "The lighthouse of Port Alba was rebuilt in 1987 for 4.2 million euros.",
        "The lighthouse of Port Alba was rebuilt in 1978 for 2.4 million euros.",
        "The harbour of Port Brava never handled more than 90 million tonnes of cargo in a year.",
        "The keeper called the rebuilt lighthouse “a gift to every sailor of the coast”.",
    ];
    for words in [1_500, 100_000] {
        let text = page(words);
        criterion.bench_function(&format!("read a page of {words} words"), |bench| {
            bench.iter(|| SourceText::new(black_box(&text), ""));
        });
        let mut both = criterion.benchmark_group(format!("a page of {words} words for each claim"));
        both.throughput(Throughput::Elements(claims.len() as u64));
        both.bench_function("read and judge", |bench| {
            bench.iter(|| {
                for claim in claims {
                    let source = SourceText::new(black_box(&text), "");
                    black_box(judge(&ClaimText::new(claim, ClaimKind::Plain), &source, &Settings::default()));
                }
            });
        });
        both.finish();
        let source = SourceText::new(&text, "");
        for (n, claim) in claims.iter().enumerate() {
            let claim = ClaimText::new(claim, ClaimKind::Plain);
            criterion.bench_function(&format!("judge claim {n} on {words} words"), |bench| {
                bench.iter(|| judge(black_box(&claim), &source, &Settings::default()));
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = judging, on_one_page
}
criterion_main!(benches);
