//! What the scripts of a page do that has no words of its own.

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

/// Bytes of tags and scripts that may only lead elsewhere.
const MOST_LEADING: usize = 4096;

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

#[cfg(test)]
mod tests {
    use super::{alerts, leads_to};

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
}
