const MOST: usize = 10_000;

#[test]
fn reads_no_more_than_the_limit() {
    assert_eq!(read(20_000).len(), 10_000);
}
