//! Widths of glyphs, spelled out one by one.
//!
//! A composite font gives them as `first [w w w]` or as `first last w` (ISO 32000-2, 9.7.4.3). `pdf-extract` 0.12 reads the second form
//! as nothing, takes such glyphs for glyphs of no width, and puts a space behind each that is placed by itself: *2 0 2 3* in files
//! that Chromium prints, whose digits share one width.

use pdf_extract::{Document, Object, ObjectId};

/// Widths of one font, at most: no font has more codes.
const MOST: i64 = 1 << 16;

/// Writes all widths of the composite fonts of a document in the first form.
pub(super) fn spell_out(document: &mut Document) {
    let arrays: Vec<(ObjectId, Vec<Object>)> = document
        .objects
        .iter()
        .filter_map(|(&id, object)| {
            let font = object.as_dict().ok()?;
            let kind = font.get(b"Subtype").ok()?.as_name().ok()?;
            let widths = kind.starts_with(b"CIDFontType").then(|| font.get(b"W").ok())??;
            let mut left = whole(document, widths)?.as_array().ok()?.iter();
            // Up to what is no width.
            Some((id, std::iter::from_fn(|| entry(document, &mut left)).flatten().collect()))
        })
        .collect();
    for (id, widths) in arrays {
        if let Some(Object::Dictionary(font)) = document.objects.get_mut(&id) {
            font.set("W", widths);
        }
    }
}

/// What a reference stands for, or the object itself.
fn whole<'d>(document: &'d Document, object: &'d Object) -> Option<&'d Object> {
    document.dereference(object).ok().map(|(_, object)| object)
}

fn entry<'d>(document: &'d Document, widths: &mut impl Iterator<Item = &'d Object>) -> Option<[Object; 2]> {
    let mut next = || widths.next().and_then(|object| whole(document, object));
    let first = next()?.as_i64().ok()?;
    let of = match next()? {
        Object::Array(each) => each.clone(),
        last => {
            let codes = first..=last.as_i64().ok()?.min(first.saturating_add(MOST));
            let width = next()?.clone();
            codes.map(|_| width.clone()).collect()
        }
    };
    Some([first.into(), of.into()])
}
