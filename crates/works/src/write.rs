//! Writing the addresses that were found into entries: nothing else of their words is changed.

use super::look::{Field, Look};
use cited_core::address::identity::address_of_doi;
use cited_core::citation::reference::dois_in;
use cited_core::citation::remark::Remark;
use cited_core::decide::{Cause, Edit};
use cited_core::pattern::Pattern;
use cited_text::Span;

/// The field that holds a DOI in BibTeX.
static FIELD: Pattern = Pattern::new(r#"(?i)\bdoi\s*=\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}|"[^"]*")"#);
/// What stands in front of the next field of an entry of BibTeX.
static INDENT: Pattern = Pattern::new(r"^[^,]*,(\s*)");

/// The edit of the text that an entry stands in which writes the address that is offered for it. `None` when it has one, or when its form has no
/// place for it.
pub fn edit(text: &str, span: Span, look: &Look) -> Option<Edit> {
    let (offer, work) = (look.offer.as_ref()?, look.work.as_ref()?);
    let written = span.slice(text);
    let put = |start: usize, end: usize, words: String| {
        Some(Edit::new(Span::new(span.start + start, span.start + end), words, Cause::AddressReplaced))
    };
    // A work by others may not be the one that is meant.
    let by_others = look.differs.iter().any(|differ| differ.field == Field::Authors);
    if by_others || offer.replaces.is_none() && written.contains("://") {
        return None;
    }
    if written.starts_with('@') {
        let field = work.doi.as_ref().map_or(format!("url = {{{}}}", offer.url), |doi| format!("doi = {{{doi}}}"));
        if let Some(old) = FIELD.find(written).filter(|_| work.doi.is_some()) {
            return put(old.start(), old.end(), field);
        }
        let space = INDENT.captures(written)?.get(1)?;
        return put(space.end(), space.end(), format!("{field},{}", space.as_str()));
    }
    if let Some(old) = &offer.replaces {
        let (found, _) = dois_in(written).find(|(_, doi)| doi == old)?;
        return match &work.doi {
            // In an address its signs are written as an address has them.
            Some(doi) => put(found.start, found.end, address_of_doi(doi).replace("https://doi.org/", "")),
            None => {
                let start = written[..found.start].rfind(char::is_whitespace).map_or(0, |space| space + 1);
                put(start, found.end, offer.url.clone()).filter(|_| written[start..].starts_with("http"))
            }
        };
    }
    if written.starts_with("TY  -") {
        let end = written.rfind("ER  -")?;
        return put(end, end, format!("UR  - {}\n", offer.url));
    }
    let end = Remark::read(written).map_or(written, |(_, at)| &written[..at]).trim_end().len();
    put(end, end, format!(" {}", offer.url)).filter(|_| end > 0)
}

#[cfg(test)]
mod tests {
    use super::{Look, edit};
    use crate::look::{Offer, Work};
    use cited_core::decide::apply;
    use cited_text::Span;

    #[test]
    fn addresses_go_where_the_layout_has_them() {
        let check = |text: &str, doi: Option<&str>, replaces: Option<&str>, expected: &str| {
            let url = doi.map_or("https://arxiv.org/abs/2101.00001".to_owned(), |doi| format!("https://doi.org/{doi}"));
            let work = Work {
                title: String::new(),
                authors: Vec::new(),
                year: None,
                venue: None,
                kind: String::new(),
                doi: doi.map(str::to_owned),
                url: Some(url.clone()),
                versions: Vec::new(),
                summary: None,
            };
            let offer = Some(Offer { url, replaces: replaces.map(str::to_owned) });
            let look = Look { work: Some(work), offer, ..Look::unasked("") };
            let edits: Vec<_> = edit(text, Span::new(0, text.len()), &look).into_iter().collect();
            assert_eq!(apply(text, &edits).unwrap(), expected, "{text}");
        };
        let new = Some("10.5555/new");
        check("Doe, J. Tides. 2019.\n", new, None, "Doe, J. Tides. 2019. https://doi.org/10.5555/new\n");
        check("Doe, J. Tides. https://a.example/", new, None, "Doe, J. Tides. https://a.example/");
        check("Doe, J. Tides. 2019.", None, None, "Doe, J. Tides. 2019. https://arxiv.org/abs/2101.00001");
        check("Tides, doi: 10.5555/OLD.", new, Some("10.5555/old"), "Tides, doi: 10.5555/new.");
        check("Tides. https://doi.org/10.5555/old.", new, Some("10.5555/old"), "Tides. https://doi.org/10.5555/new.");
        check(
            "Tides. https://doi.org/10.5555/old.",
            None,
            Some("10.5555/old"),
            "Tides. https://arxiv.org/abs/2101.00001.",
        );
        check("@misc{a,\n  title = {Tides}\n}", new, None, "@misc{a,\n  doi = {10.5555/new},\n  title = {Tides}\n}");
        check("@misc{a, doi = {10.5555/old}}", new, Some("10.5555/old"), "@misc{a, doi = {10.5555/new}}");
        check("@misc{a}", new, None, "@misc{a}");
        let (of_issue, encoded) = ("10.5555/15(91)4<957:ad>2.0.co;2", "10.5555/15(91)4%3C957:ad%3E2.0.co;2");
        for written in ["10.5555/15(91)4<957:AD>2.0.CO;2", "10.5555/15(91)4\\<957:AD\\>2.0.CO;2", encoded] {
            check(&format!("Tides. doi: {written}."), new, Some(of_issue), "Tides. doi: 10.5555/new.");
        }
        check(
            "Tides. https://doi.org/10.5555/old",
            Some(of_issue),
            Some("10.5555/old"),
            &format!("Tides. https://doi.org/{encoded}"),
        );
        let tex = "@misc{a, doi = {10.5555/15(91)4{\\textless}957:AD{\\textgreater}2.0.CO;2}}";
        check(tex, new, Some(of_issue), "@misc{a, doi = {10.5555/new}}");
        check(
            "TY  - JOUR\nTI  - Tides\nER  - \n",
            new,
            None,
            "TY  - JOUR\nTI  - Tides\nUR  - https://doi.org/10.5555/new\nER  - \n",
        );
        check("Tides.", None, Some("10.5555/old"), "Tides.");
    }
}
