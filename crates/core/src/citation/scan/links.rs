//! Links that are citations: by their text, by their address, by their definition.

use super::Scanner;
use crate::address::in_text;
use crate::citation::evidence_label::is_evidence_label;
use crate::citation::form::{self, Token};
use crate::citation::label::Label;
use crate::citation::marker::{MarkerForm, Shape};
use crate::citation::members::Member;
use crate::markdown::{LinkId, LinkStyle};
use crate::pattern::Pattern;
use cited_text::Span;

/// What stands behind the inner link of `[[3]](url)`. Of `[[1]](#ref-1)` the jump goes with the number.
static DOUBLED: Pattern = Pattern::new(r"^\](?:\((?:(https?://[^)\s]+)|#[^)\s]*)\))?");

impl Scanner<'_> {
    /// A link: by its text a number, a product's form, a title. Returns where it ends.
    pub(super) fn link(&mut self, id: LinkId) -> usize {
        let document = self.document;
        let link = document.link(id);
        let words = document.slice(link.text).trim();
        let raised = words.strip_prefix("<sup>").and_then(|inner| inner.strip_suffix("</sup>"));
        let number = raised.unwrap_or(words).strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).or(raised);
        let written = number.unwrap_or(words).trim_matches('^').trim_start_matches("\\[").trim_end_matches("\\]");
        let label = Label::parse(written).filter(|label| label.number().is_some());
        if matches!(link.style, LinkStyle::Shortcut | LinkStyle::Collapsed | LinkStyle::Reference) {
            if label.is_some()
                && let Some(end) = self.doubled(id)
            {
                return end;
            }
            if label.is_none() {
                // `[VERIFIED][2]` is a tag and a citation, whatever the definitions say.
                if link.style == LinkStyle::Reference && is_evidence_label(document.slice(link.text)) {
                    let token = form::token_at(self.text, link.text.end + 1, link.span.end);
                    token.into_iter().for_each(|token| self.push(token, Shape::Single));
                } else {
                    self.titled(id, link.span);
                }
            }
            // `[2]` with a definition is a citation; `[1][2]` with definitions are two of them.
            let mut at = if label.is_some() { link.span.start } else { link.span.end };
            while let Some(token) = form::token_at(self.text, at, link.span.end) {
                at = token.span.end;
                self.push(token, Shape::Single);
                if let Some(last) = self.found.last_mut().filter(|last| last.span.end == at) {
                    last.link = Some(id);
                }
            }
            return link.span.end;
        }
        let address = link.address.as_str();
        if let Some(label) = label.filter(|_| !link.image && !address.is_empty()) {
            if address.starts_with('#') {
                // `[[3]](#ref-3)`: the number is what is meant.
                self.push(Token::new(link.span, MarkerForm::NumberLink, vec![Member::One(label)]), Shape::Single);
            } else if in_text::is_at_start(address) {
                let shape = number.map_or(Shape::NumberLink, |_| Shape::Known);
                self.keep_address(link.span, MarkerForm::NumberLink, shape, address).link = Some(id);
            }
            return link.span.end;
        }
        let is_product = words.starts_with("oai_citation");
        if (is_product || words.starts_with("citation:") || words.starts_with("citation："))
            && in_text::is_at_start(address)
        {
            let form = if is_product { MarkerForm::Product } else { MarkerForm::TitleLink };
            let found = self.keep_address(link.span, form, Shape::Known, address);
            (found.link, found.standalone) = (Some(id), true);
        } else {
            // How many more links stand behind one is said in a sign of its own: `[nature](https://www.nature.com/)+1`.
            let behind = self.text[link.span.end..].strip_prefix('+').unwrap_or_default();
            let more = behind.bytes().take_while(u8::is_ascii_digit).count();
            let end = link.span.end + if more > 0 { more + 1 } else { 0 };
            self.titled(id, Span::new(link.span.start, end));
        }
        link.span.end
    }

    /// A link by its words: a citation where its address is known, or where nothing is listed.
    fn titled(&mut self, id: LinkId, span: Span) {
        let link = self.document.link(id);
        let is_web = in_text::is_at_start(&link.address);
        // A note in the line gives it for its claim.
        let known = is_web && self.document.notes.contain(link.span) || self.vocabulary.knows(&link.address);
        let may_cite = self.vocabulary.lists_nothing && is_web;
        if link.image || !known && !may_cite {
            return;
        }
        let form = if link.style == LinkStyle::Autolink { MarkerForm::Address } else { MarkerForm::TitleLink };
        let shape = if known { Shape::Known } else { Shape::Unlisted };
        self.keep_address(span, form, shape, &link.address).link = Some(id);
    }

    /// `[[3]](url)` and `[[3]]` where a definition makes a link of the inner `[3]`. Returns where it ends.
    fn doubled(&mut self, id: LinkId) -> Option<usize> {
        let link = self.document.link(id);
        let label = Label::parse(self.document.slice(link.text).trim())?;
        let before = link.span.before(self.text);
        let opens = before.ends_with('[') && !before.ends_with("\\[") && link.style == LinkStyle::Shortcut;
        let found = DOUBLED.captures(link.span.after(self.text)).filter(|_| opens)?;
        let span = Span::new(link.span.start - 1, link.span.end + found[0].len());
        match found.get(1) {
            Some(address) => {
                self.keep_address(span, MarkerForm::NumberLink, Shape::Known, address.as_str()).link = Some(id);
            }
            None => self.push(Token::new(span, MarkerForm::DoubleBracket, vec![Member::One(label)]), Shape::Single),
        }
        Some(span.end)
    }
}
