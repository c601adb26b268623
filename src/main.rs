//! argv to exit status, nothing else.

fn main() {}
