const MOST: usize = 10_000;

fn guard() {}
