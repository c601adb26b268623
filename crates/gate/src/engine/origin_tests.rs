//! Queries of a ledger's own that take their number from the data, and those that only look like it.

use crate::tests::{check, check_accepted, number};

/// A query that gives this value of the data.
#[track_caller]
fn reads(value: &str, metric: &str) {
    check_accepted(&number(&format!("It is {value}."), value, metric));
}

/// A query that gives 18, or 0, whatever the data are.
#[track_caller]
fn constant(metric: &str) {
    check(&number("It is 18.", "18", metric), "gives the same whatever the data are");
}

#[test]
fn a_query_that_gives_one_number_whatever_the_data_are_is_refused() {
    constant("SELECT 18 FROM sales WHERE revenue > 0 LIMIT 1");
    constant("SELECT 18 + 0*sum(revenue) FROM sales");
    constant("SELECT CASE WHEN count(*) > 0 THEN 18 END FROM sales");
    constant("SELECT CASE WHEN count(*) = 4 THEN 18 ELSE 0 END FROM sales");
    constant("SELECT CASE WHEN sum(revenue) = 20800 THEN 18 ELSE -1 END FROM sales");
    constant("SELECT coalesce(nullif(18, max(revenue)), 0) FROM sales");
    constant("SELECT iif(min(shop) = 'a', 18, 17) FROM sales");
    constant("SELECT max(18, 0 * min(week)) FROM sales");
    constant("SELECT 18.0 * sum(revenue) / sum(revenue) FROM sales");
    constant("SELECT 18 + count(shop) - count(shop) FROM sales");
    constant("SELECT length('123456789012345678') FROM sales WHERE shop = 'b' LIMIT 1");
    constant("WITH t AS (SELECT 18 AS v, revenue FROM sales) SELECT max(v) FROM t WHERE revenue > 0");
    constant("SELECT max(18 + 0 * cost) FROM sales JOIN costs USING (week)");
    constant("SELECT CASE WHEN key = 'a' THEN 18 END FROM single");
    constant("SELECT 18 * count(DISTINCT key) / count(DISTINCT key) FROM single");
}

#[test]
fn what_the_caller_means_is_the_callers_affair() {
    let ledger = number("It is 18.", "18", "SELECT sum(revenue) FROM sales");
    check_accepted(&ledger.replace(r#""metric": "m""#, r#""metric": "of_the_caller""#));
}

#[test]
fn a_query_that_takes_its_number_from_the_data_is_accepted() {
    reads("20800", "SELECT sum(revenue) FROM sales");
    reads("20800", "SELECT sum(revenue) FROM main.sales");
    reads("10800", "SELECT sum(revenue) FROM sales WHERE week = 24");
    reads("5000", "SELECT revenue FROM sales WHERE week = 24 AND shop = 'a'");
    reads("5200", "SELECT avg(revenue) FROM sales");
    reads("4500", "SELECT avg(revenue) FROM sales WHERE shop = 'a'");
    reads("4000", "SELECT min(revenue) FROM sales");
    reads("6000", "SELECT max(revenue) FROM sales WHERE shop = 'b'");
    reads("4", "SELECT count(*) FROM sales");
    reads("2", "SELECT count(*) FROM sales WHERE shop = 'a'");
    reads("2", "SELECT count(note) FROM sales");
    reads("2", "SELECT count(DISTINCT shop) FROM sales");
    reads("2", "SELECT count(*) FROM (SELECT shop FROM sales GROUP BY shop HAVING count(*) > 1)");
    reads("2", "SELECT count(*) FROM (SELECT shop FROM sales GROUP BY shop HAVING sum(revenue) > 5000)");
    reads("24", "SELECT week FROM sales GROUP BY week ORDER BY sum(revenue) DESC LIMIT 1");
    reads("0.5", "SELECT count(*) * 1.0 / (SELECT count(*) FROM sales) FROM sales WHERE shop = 'a'");
    reads("2", "SELECT sum(CASE WHEN shop = 'a' THEN 1 ELSE 0 END) FROM sales");
    reads("50", "SELECT round(100.0 * sum(shop = 'a') / count(*), 1) FROM sales");
    reads("130", "SELECT sum(cost) FROM costs JOIN (SELECT DISTINCT week FROM sales) USING (week)");
    reads("260", "SELECT sum(cost) FROM sales JOIN costs ON sales.week = costs.week");
    reads("4", "SELECT count(*) FROM sales NATURAL JOIN costs");
    let change = "WITH new AS (SELECT sum(revenue) AS v FROM sales WHERE week = 24), \
                  old AS (SELECT sum(revenue) AS v FROM sales WHERE week = 23) \
                  SELECT (new.v * 1.0 / old.v - 1) * 100 FROM new, old";
    check_accepted(&number("Revenue rose 8%.", "8", change));
    // A table of one row.
    reads("18", "SELECT amount FROM single");
    reads("1", "SELECT count(*) FROM single WHERE key = 'a'");
    reads("1", "SELECT count(DISTINCT key) FROM single");
    reads("1", "SELECT count(DISTINCT key) FROM single WHERE amount > 1");
    reads("1", "SELECT count(*) FROM (SELECT key FROM single GROUP BY key HAVING max(amount) > 10)");
    reads("0", "SELECT max(amount) - min(amount) FROM single");
    // Nothing found is a number too.
    reads("0", "SELECT count(*) FROM sales WHERE shop = 'failed'");
    reads("0", "SELECT count(*) FROM sales WHERE note = 'failed' AND week > 30 AND revenue < 0");
    reads("0", "SELECT count(*) FROM sales WHERE lower(note) LIKE '%fail%'");
    reads("0", "SELECT sum(CASE WHEN revenue < 0 THEN 1 ELSE 0 END) FROM sales");
    reads("0", "SELECT count(*) FROM sales WHERE revenue IS NULL");
    reads("0", "SELECT count(*) FROM sales WHERE shop NOT IN ('a', 'b')");
    reads("0", "SELECT count(*) FROM empty WHERE x = 'a'");
    reads("0", "SELECT count(*) FROM sales LEFT JOIN costs ON sales.week = costs.week WHERE costs.week IS NULL");
    reads("0", "SELECT coalesce(sum(revenue), 0) FROM sales WHERE shop IN ('c', 'd')");
}
