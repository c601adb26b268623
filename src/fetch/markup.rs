//! The source of a page without what its reader sees: what bot walls leave in scripts and tags, an article about them has in
//! its text (*the element `anubis_challenge` is set by the proxy*).

/// Scripts and tags of a source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Markup {
    /// What scripts do, without data for them (JSON).
    pub scripts: String,
    /// Tags, `<meta>` left out: it says in words what the page is about.
    pub tags: String,
}

/// Takes a source apart, as far as it goes: it may be cut anywhere. One pass.
pub fn of(source: &str) -> Markup {
    let mut markup = Markup::default();
    let mut rest = source;
    while let Some(at) = memchr::memchr(b'<', rest.as_bytes()) {
        rest = rest.get(at + 1..).unwrap_or_default();
        if let Some(comment) = rest.strip_prefix("!--") {
            rest =
                memchr::memmem::find(comment.as_bytes(), b"-->").and_then(|at| comment.get(at..)).unwrap_or_default();
            continue;
        }
        if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            continue;
        }
        let end = end_of_tag(rest);
        let (tag, after) = rest.split_at(end);
        rest = after.strip_prefix('>').unwrap_or(after);
        let name = tag.split(|c: char| c.is_ascii_whitespace() || c == '/').next().unwrap_or_default();
        if !name.eq_ignore_ascii_case("meta") {
            markup.tags.push_str(tag);
            markup.tags.push('\n');
        }
        if !name.eq_ignore_ascii_case("script") {
            continue;
        }
        let end = end_of_script(rest);
        if !tag.to_ascii_lowercase().contains("json") {
            markup.scripts.push_str(rest.get(..end).unwrap_or_default());
            markup.scripts.push('\n');
        }
        rest = rest.get(end..).unwrap_or_default();
    }
    markup
}

/// Where a tag ends that begins at the beginning: at `>` outside quotation marks that follow an equals sign.
fn end_of_tag(text: &str) -> usize {
    let mut quote = None;
    let mut before = b' ';
    for (at, byte) in text.bytes().enumerate() {
        match quote {
            Some(open) if byte == open => quote = None,
            Some(_) => {}
            None if byte == b'>' => return at,
            None if matches!(byte, b'"' | b'\'') && before == b'=' => quote = Some(byte),
            None => {}
        }
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
    }
    text.len()
}

/// Where the text of a script ends that begins at the beginning.
fn end_of_script(text: &str) -> usize {
    let name = b"/script";
    let ends =
        |at: &usize| text.as_bytes().get(at + 1..at + 1 + name.len()).is_some_and(|n| n.eq_ignore_ascii_case(name));
    memchr::memchr_iter(b'<', text.as_bytes()).find(ends).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::of;

    #[track_caller]
    fn check(source: &str, scripts: &str, tags: &str) {
        let markup = of(source);
        assert_eq!((markup.scripts.trim(), markup.tags.trim()), (scripts, tags), "{source}");
    }

    #[test]
    fn scripts_and_tags_without_text() {
        check("<p class=a>text</p> text", "", "p class=a");
        check("<script src='x>y'>var a = '<p>';</script>text", "var a = '<p>';", "script src='x>y'");
        check("<SCRIPT>a</SCRIPT ><b>", "a", "SCRIPT\nb");
        check("<script type=\"application/ld+json\">{\"a\": 1}</script>", "", "script type=\"application/ld+json\"");
        check("<code>&lt;script id=x&gt;</code>", "", "code");
        check("<meta content='_cf_chl_opt'><!-- <b> --><i title=\"a > b\">1 < 2", "", "i title=\"a > b\"");
        check("<script>open", "open", "script");
        check("<p it's>x", "", "p it's");
        check("<", "", "");
        check("<!-- open <b>", "", "");
    }
}
