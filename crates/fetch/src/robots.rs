//! robots.txt (RFC 9309), obeyed when the user asks for it.
//!
//! A site that has none, or that answers with 4xx, forbids nothing; one that answers with 5xx forbids everything until it
//! is well again (section 2.3.1). When no answer comes at all, nobody has forbidden anything, and the page's own answer
//! will say what is wrong: a host that is gone stays a host that is gone.
//!
//! The crate `texting_robots` 0.2.2 was tried in its place. It does not bring escapes into one spelling (section 2.2.2), so that pages are
//! asked which a site forbids: `/%61` by `Disallow: /a`, `/~joe/` by `Disallow: /%7Ejoe/`, `/%c3%bc` by `Disallow: /ü`; and a group for
//! `Cited/1.0` is nobody's.

use cited_core::address::identity::percent_decoded;

/// The name by which sites may address cited in their robots.txt.
pub const PRODUCT: &str = "cited";

/// Bytes of a robots.txt that are read; section 2.5 asks for at least this much.
pub const READ: usize = 500 << 10;

/// Redirects that are followed (section 2.3.1.2 asks for at least five).
pub const REDIRECTS: u32 = 5;

/// The rules of a robots.txt for one product: patterns, and whether they allow.
#[derive(Debug, Default, PartialEq)]
pub struct Rules(Vec<(String, bool)>);

impl Rules {
    /// The groups that name the product, all of them together; else the groups for everybody (section 2.2.1).
    pub fn read(text: &str, product: &str) -> Self {
        let [mut own, mut all] = [const { Vec::new() }; 2];
        let mut named = false;
        // Which of the two the lines of the current group count for, and whether the group has had a rule: the next
        // User-agent line then begins another.
        let (mut for_own, mut for_all, mut begun) = (false, false, true);
        for line in text.trim_start_matches('\u{feff}').lines() {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else { continue };
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            match key.as_str() {
                "user-agent" | "useragent" | "user agent" => {
                    let token = value.split(|c: char| !c.is_ascii_alphabetic() && !matches!(c, '-' | '_')).next();
                    for_own = for_own && !begun || token.is_some_and(|token| token.eq_ignore_ascii_case(product));
                    for_all = for_all && !begun || value.starts_with('*');
                    begun = false;
                    named |= for_own;
                }
                "allow" | "disallow" => {
                    begun = true;
                    let rule = Some((value.to_owned(), key == "allow")).filter(|_| !value.is_empty());
                    own.extend(rule.clone().filter(|_| for_own));
                    all.extend(rule.filter(|_| for_all));
                }
                _ => {}
            }
        }
        Rules(if named { own } else { all })
    }

    /// Whether a path with its query may be asked: the longest pattern that fits decides, and of two as long the one that
    /// allows (section 2.2.2). Escapes are compared as what they stand for.
    pub fn allow(&self, path: &str) -> bool {
        let path = percent_decoded(path);
        let fitting = self.0.iter().filter(|(pattern, _)| fits(pattern, &path));
        let longest = fitting.max_by_key(|(pattern, allows)| (percent_decoded(pattern).len(), *allows));
        longest.is_none_or(|(_, allows)| *allows)
    }
}

/// Whether a pattern fits the beginning of a path: `*` stands for anything, `$` at the end for the end, and their escapes for themselves.
fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, to_the_end) = pattern.strip_suffix('$').map_or((pattern, false), |pattern| (pattern, true));
    let parts: Vec<String> = pattern.split('*').map(percent_decoded).collect();
    let [first, middle @ .., last] = &parts[..] else {
        return path.strip_prefix(&parts[0]).is_some_and(|rest| !to_the_end || rest.is_empty());
    };
    let rest = path.strip_prefix(first);
    let rest =
        rest.and_then(|rest| middle.iter().try_fold(rest, |rest, part| rest.get(rest.find(part)? + part.len()..)));
    rest.is_some_and(|rest| if to_the_end { rest.ends_with(last) } else { rest.contains(last) })
}

#[cfg(test)]
mod tests {
    use super::Rules;

    #[track_caller]
    fn check(text: &str, path: &str, allowed: bool) {
        let rules = Rules::read(text, "cited");
        assert_eq!(rules.allow(path), allowed, "{path} by {rules:?}");
    }

    #[test]
    fn the_longest_pattern_that_fits_decides() {
        let text = "User-agent: *\nDisallow: /a\nAllow: /a/public\nDisallow: /*.pdf$\nAllow: /both\nDisallow: /both\n";
        for (path, allowed) in [
            ("/", true),
            ("/a", false),
            ("/about", false),
            ("/a/private", false),
            ("/a/public/x", true),
            ("/x/y.pdf", false),
            ("/x/y.pdf?v=1", true),
            ("/both/x", true),
            ("/%61", false),
        ] {
            check(text, path, allowed);
        }
        check("User-agent: *\nDisallow: /ü", "/%c3%bc/x", false);
        check("User-agent: *\nDisallow: /\nAllow: /a-%2A", "/a-b", false);
        check("User-agent: *\nDisallow: /\nAllow: /a-%2A", "/a-*", true);
        check("User-agent: *\nDisallow: /%24", "/$/x", false);
        check("User-agent: *\nDisallow: /a*b*c", "/a-b", true);
        check("User-agent: *\nDisallow: /a*b*c", "/axxbyyczz", false);
        check("User-agent: *\nDisallow:", "/x", true);
        check("User-agent: *\nDisallow: *", "/x", false);
    }

    #[test]
    fn our_own_group_counts_before_that_for_everybody() {
        let text = "User-agent: other\nDisallow: /o\n\nUser-agent: *\nDisallow: /\n\nUser-Agent: Cited/1.0\nuser-agent: \
                    friend\nDisallow: /c # not this\nUser-agent: last\nDisallow: /l\n";
        check(text, "/x", true);
        check(text, "/c/x", false);
        check(text, "/l", true);
        check("User-agent: other\nDisallow: /", "/x", true);
        check("\u{feff}User-agent: cited\nDisallow: /x", "/x", false);
        check("<html>Disallow: /</html>", "/x", true);
        check("User-agent: cited\nUser-agent: *\nSitemap: /s\nDisallow: /x", "/x", false);
    }
}
