#![allow(missing_docs)]
use std::io::BufRead;
fn main() {
    for l in std::io::stdin().lock().lines() {
        let l = l.unwrap();
        println!("{l}");
        for q in cited::text::quantity::quantities(&l) {
            println!(
                "    {:?} {:?} v={} up={:?} tol={} alt={:?} {:?} {:?} meas={} counted={:?}",
                q.span.of(&l),
                q.measure,
                q.value,
                q.upper,
                q.tolerance,
                q.alternative,
                q.bound,
                q.role,
                q.is_measured(),
                q.counted.map(|s| s.of(&l).to_owned())
            );
        }
    }
}
