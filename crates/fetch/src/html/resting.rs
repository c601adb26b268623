//! A reader that lets the tokenizer's stack empty itself.
//!
//! html5gum goes from one double-quoted attribute of a tag to the next by a call, and returns only at the end of the tag:
//! *`<p a="x" a="x" …>`* with some thousand attributes overflows the stack, which no page may do. What a reader says went wrong
//! makes all those calls return. The tokenizer then stands where it stood, and can be asked to go on.

use html5gum::{Reader, StringReader};

/// Reads of attribute values between two rests. A few calls lie between two reads, so this bounds the stack to some kilobytes.
const READS_AT_A_TIME: u32 = 128;

/// What the tokenizer looks for first in a double-quoted value. Between two reads of one it keeps nothing on its stack that
/// is not in its state too; in other states a rest might lose what was read.
const IN_A_VALUE: &[u8] = b"\"&";

/// A page that stops now and then.
pub struct Resting<'a> {
    pub page: StringReader<'a>,
    pub reads: u32,
}

/// Nothing is wrong: go on.
#[derive(Debug, thiserror::Error)]
#[error("a rest")]
pub struct Rest;

#[expect(clippy::inline_always, reason = "what is looked for is known at each call")]
impl Reader for Resting<'_> {
    type Error = Rest;

    #[inline(always)]
    fn read_byte(&mut self) -> Result<Option<u8>, Rest> {
        self.page.read_byte().map_err(|never| match never {})
    }

    #[inline(always)]
    fn try_read_string(&mut self, text: &[u8], case_sensitive: bool) -> Result<bool, Rest> {
        self.page.try_read_string(text, case_sensitive).map_err(|never| match never {})
    }

    #[inline(always)]
    fn read_until<'b>(&'b mut self, needle: &[u8], buffer: &'b mut [u8; 4]) -> Result<Option<&'b [u8]>, Rest> {
        if needle.starts_with(IN_A_VALUE) {
            self.reads += 1;
            if self.reads >= READS_AT_A_TIME {
                self.reads = 0;
                return Err(Rest);
            }
        }
        self.page.read_until(needle, buffer).map_err(|never| match never {})
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;

    /// What is in the tag is the same, however many attributes stand before it, and the text after it is read.
    #[test]
    fn no_number_of_attributes_overflows_the_stack() {
        for attribute in [
            "a=\"x\" ",
            "a=\"x\"",
            "a=\"\"\n",
            "a='x' ",
            "a=x ",
            "a ",
            "a=\"&amp;\" ",
            "a=\"&\" ",
            "a = \"x\"\r\n",
            "a/",
        ] {
            for count in [0, 1, 126, 127, 128, 129, 100_000] {
                let many = attribute.repeat(count);
                let page = format!("<html {many} lang=\"de\"><body {many}><p {many}>hi</p {many}><p>there");
                let html = read(&page, None, false);
                assert_eq!(html.language.as_deref(), Some("de"), "{count} times {attribute:?}");
                assert_eq!(html.main, "hi\nthere", "{count} times {attribute:?}");
            }
        }
    }

    #[test]
    fn a_rest_loses_nothing_of_a_value() {
        for count in 0..300 {
            let page = format!("<link rel=\"canonical\" {} href=\"/a&amp;b&c\td\">", "a=\"&lt;\" ".repeat(count));
            assert_eq!(read(&page, None, false).canonical.as_deref(), Some("/a&b&c\td"), "{count}");
        }
    }
}
