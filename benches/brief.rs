//! Draft in, brief out, beside bare Markdown parsing of the same bytes.
//!
//! `cargo bench --bench brief`; the ratios in one table, and memory: `cargo run --release --package xtask -- footprint`.

#[allow(dead_code, reason = "`cargo xtask footprint` prints what the benchmark does not")]
mod draft;
#[allow(dead_code, reason = "`cargo xtask footprint` prints what the benchmark does not")]
#[path = "draft/run.rs"]
mod run;

use std::collections::HashMap;
use std::hint::black_box;
use std::time::Duration;

use cited::citation::{self, KnownLabels};
use cited::claim;
use cited::markdown::{Document, parser_options};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pulldown_cmark::Parser;

fn stages(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("brief");
    group.sample_size(10).measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_millis(500));
    for megabytes in [1, 2, 4] {
        let text = draft::draft(megabytes * 1_000_000).text;
        group.throughput(Throughput::Bytes(text.len() as u64));
        let document = Document::read(text.as_str());
        let citations = citation::read(&document, &KnownLabels::default());
        let id = |stage: &str| BenchmarkId::new(stage, format!("{megabytes}MB"));
        group.bench_function(id("parse"), |b| {
            b.iter(|| Parser::new_ext(black_box(&text), parser_options()).into_offset_iter().count());
        });
        group.bench_function(id("read"), |b| b.iter(|| Document::read(black_box(text.as_str()))));
        group.bench_function(id("citations"), |b| b.iter(|| citation::read(&document, &KnownLabels::default())));
        group.bench_function(id("claims"), |b| b.iter(|| claim::split(&document, &citations)));
        let of_run = |part: fn(run::Times) -> Duration| {
            let text = &text;
            move |rounds: u64| (0..rounds).map(|_| part(run::run(text, &HashMap::new()).1)).sum()
        };
        group.bench_function(id("rewrite"), |b| b.iter_custom(of_run(|times| times.decide + times.write)));
        group.bench_function(id("whole"), |b| b.iter_custom(of_run(run::Times::brief)));
        group.bench_function(id("check"), |b| b.iter_custom(of_run(|times| times.check)));
    }
    group.finish();
}

criterion_group!(benches, stages);
criterion_main!(benches);
