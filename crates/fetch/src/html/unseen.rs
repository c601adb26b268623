//! What no reader of a page sees, or sees struck out: elements that are hidden, fields of forms, deleted text.

use super::parts::{ELEMENTS, Tag, is_hidden};

/// Elements whose text is no statement of the page: what somebody is to type, and what was taken back.
const TAKEN_BACK: [&[u8]; 4] = [b"textarea", b"del", b"s", b"strike"];

/// Elements without an end; nothing is in them.
const VOID: [&[u8]; 13] =
    [b"area", b"base", b"br", b"col", b"embed", b"hr", b"img", b"input", b"link", b"meta", b"source", b"track", b"wbr"];

/// The element that is not seen, as long as its end has not come.
pub struct HiddenElement {
    name: Vec<u8>,
    /// Elements that were open around it.
    around: usize,
    /// Elements of its name that are open, itself among them.
    depth: usize,
}

impl HiddenElement {
    /// A start tag, with so many kept elements open around it.
    pub fn open(hidden: &mut Option<Self>, tag: &Tag, closed: bool, around: usize) {
        let name = tag.name.as_slice();
        // One that has no end tag of its own ends where one of that name begins: *`<li hidden>a<li>b`*.
        let ends_before = |hidden: &HiddenElement| match hidden.name.as_slice() {
            b"p" => ELEMENTS.get(name).is_some_and(|known| known.block),
            b"td" | b"th" => matches!(name, b"td" | b"th" | b"tr"),
            b"dt" | b"dd" => matches!(name, b"dt" | b"dd"),
            b"li" | b"tr" | b"option" => hidden.name == name,
            _ => false,
        };
        if hidden.as_ref().is_some_and(|hidden| around <= hidden.around && ends_before(hidden)) {
            *hidden = None;
        }
        let says_so =
            || is_hidden(tag) || tag.text("aria-hidden").is_some_and(|value| value.eq_ignore_ascii_case("true"));
        match hidden {
            _ if closed || VOID.contains(&name) => {}
            Some(hidden) => hidden.depth += usize::from(hidden.name == name),
            None if TAKEN_BACK.contains(&name) || says_so() => {
                *hidden = Some(HiddenElement { name: name.to_vec(), around, depth: 1 });
            }
            None => {}
        }
    }

    /// An end tag, behind which so many kept elements are open.
    pub fn close(hidden: &mut Option<Self>, name: &[u8], around: usize) {
        let Some(open) = hidden else { return };
        open.depth -= usize::from(open.name == name);
        let ends_row = name == b"tr" && matches!(open.name.as_slice(), b"td" | b"th");
        if open.depth == 0 || around < open.around || ends_row && around == open.around {
            *hidden = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::html::read;

    #[track_caller]
    fn check(html: &str, expected: &str) {
        let seen = read(html, None, true);
        assert_eq!(format!("{} {}", seen.main, seen.rest).split_whitespace().collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn what_is_hidden_or_taken_back_is_not_seen() {
        check("<p>One.</p><p hidden>Two.</p><p>Three.</p>", "One. Three.");
        check("<p hidden>Two.<p>Three.", "Three.");
        check("<div style='display: none'><div>Two.</div>Too.</div>Three.", "Three.");
        check("<p>It is <span aria-hidden=true>not</span> so.</p>", "It is so.");
        check("<p aria-hidden=false>It is so.</p>", "It is so.");
        check("<p>It was <del>good</del> bad.</p><textarea>Two.</textarea>", "It was bad.");
        check("<ul><li hidden>a<ul><li>b</ul><li>c</ul>", "c");
        check("<ul><li hidden>a<li>b</ul><p>c", "b c");
        check("<table><tr><td hidden>a<td>b<tr><td hidden>c</tr><tr><td>d</table>", "b d");
        check("<div><span hidden>a</div><p>b", "b");
        check("<p>a<br hidden>b<img hidden>c", "a bc");
        check("<p>One.</p><script>Two.</script><style>Three.</style><!-- Four. -->", "One.");
    }

    #[test]
    fn a_page_is_read_with_what_scripts_may_show() {
        let page = read("<p>One.</p><p hidden>Two.</p>", None, false);
        assert!(format!("{} {}", page.main, page.rest).contains("Two."));
    }
}
