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
pub fn read(source: &str) -> Markup {
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

/// What scripts show in a box of the browser (`alert("…")`), one line for each.
pub fn alerts(scripts: &str) -> String {
    let shown = scripts.split("alert(").skip(1).filter_map(literal).map(|(text, _)| text);
    shown.collect::<Vec<_>>().join("\n")
}

/// Where scripts lead that do nothing else: to the literal that they make the place of the window, under no condition.
pub fn leads_to(scripts: &str) -> Option<String> {
    if scripts.len() > MOST_LEADING || scripts.contains("if(") || scripts.contains("if (") || scripts.contains("cookie")
    {
        return None;
    }
    scripts.split("location").skip(1).find_map(|after| {
        let after = after.trim_start();
        let after = after.strip_prefix(".href").unwrap_or(after).trim_start();
        let called =
            || after.strip_prefix(".replace").or_else(|| after.strip_prefix(".assign"))?.trim_start().strip_prefix('(');
        let (target, _) = literal(after.strip_prefix('=').or_else(called)?)?;
        (!target.is_empty()).then_some(target)
    })
}

/// Bytes of scripts that may only lead elsewhere.
const MOST_LEADING: usize = 2048;

/// The string that a text begins with, as scripts write it, and what follows.
fn literal(text: &str) -> Option<(String, &str)> {
    let text = text.trim_start();
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let (mut value, mut escaped) = (String::new(), false);
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => {
                value.push(if matches!(c, 'n' | 'r' | 't') { '\n' } else { c });
                escaped = false;
            }
            '\\' => escaped = true,
            _ if c == quote => return Some((value, text.get(at + 1..)?)),
            _ => value.push(c),
        }
    }
    None
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
    use super::{alerts, leads_to, read};

    #[track_caller]
    fn check(source: &str, scripts: &str, tags: &str) {
        let markup = read(source);
        assert_eq!((markup.scripts.trim(), markup.tags.trim()), (scripts, tags), "{source}");
    }

    #[test]
    fn scripts_that_speak_and_lead() {
        assert_eq!(alerts("x();alert( 'It\\'s gone.\\nSorry' ); alert(\"b\")"), "It's gone.\nSorry\nb");
        assert_eq!(alerts("alert(message)"), "");
        let leads = |scripts: &str| leads_to(scripts);
        assert_eq!(leads("window.onload=function(){window.location.href=\"/lander\"}").as_deref(), Some("/lander"));
        assert_eq!(leads("document.location.replace('/a')").as_deref(), Some("/a"));
        assert_eq!(leads("location = `/b`").as_deref(), Some("/b"));
        for other in [
            "if (mobile) location.href = '/m'",
            "document.cookie='a=b';location.href='/c'",
            "location.href == '/x'",
            "location.href = to",
        ] {
            assert_eq!(leads(other), None, "{other}");
        }
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
