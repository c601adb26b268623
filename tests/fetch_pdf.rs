//! PDF files, whole, broken and hostile, read by a process of its own. This program is that process too, which is why it
//! has a `main` instead of a test harness.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use cited::fetch::document::PdfText;
use cited::fetch::pdf::{ARGUMENT, reader, serve};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some(ARGUMENT) {
        return serve(arguments.next().as_deref());
    }
    let tests: [(&str, fn()); 8] = [
        ("files without a table are read", files_without_a_table_are_read),
        ("pages are read in order", pages_are_read_in_order),
        ("what stands in columns is a table", what_stands_in_columns_is_a_table),
        ("long files are cut and say so", long_files_are_cut_and_say_so),
        ("widths of several glyphs at once are read", widths_of_several_glyphs_at_once_are_read),
        ("two hundred pages are read", two_hundred_pages_are_read),
        ("broken files cost nothing else", broken_files_cost_nothing_else),
        ("hostile files cost nothing else", hostile_files_cost_nothing_else),
    ];
    for (name, test) in tests {
        let start = Instant::now();
        test();
        println!("{name}: ok ({:.1} s)", start.elapsed().as_secs_f64());
    }
    println!("{} passed, 0 failed", tests.len());
    ExitCode::SUCCESS
}

fn read(file: &[u8], max_pages: usize) -> Option<PdfText> {
    reader(std::env::current_exe().expect("this program"), max_pages)(file)
}

/// A PDF with these pages, each a list of lines.
fn pdf(pages: &[Vec<String>]) -> Vec<u8> {
    let written = |lines: &Vec<String>| {
        let mut content = String::from("BT /F1 12 Tf 72 720 Td 14 TL ");
        for line in lines {
            let _ = write!(content, "({}) Tj T* ", line.replace(['(', ')', '\\'], ""));
        }
        content + "ET"
    };
    pdf_of(&pages.iter().map(written).collect::<Vec<_>>())
}

/// A PDF with these pages, each what is drawn on it.
fn pdf_of(pages: &[String]) -> Vec<u8> {
    let mut objects = vec![String::new(), String::new(), "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned()];
    let mut kids = String::new();
    for content in pages {
        let page = objects.len() + 1;
        let _ = write!(kids, "{page} 0 R ");
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents {} 0 R/Resources<</Font<</F1 3 0 R>>>>>>",
            page + 1
        ));
        objects.push(format!("<</Length {}>>\nstream\n{content}\nendstream", content.len()));
    }
    "<</Type/Catalog/Pages 2 0 R>>".clone_into(&mut objects[0]);
    objects[1] = format!("<</Type/Pages/Kids[{kids}]/Count {}>>", pages.len());
    assemble(&objects)
}

fn assemble(objects: &[String]) -> Vec<u8> {
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        places.push(file.len());
        writeln!(file, "{} 0 obj\n{object}\nendobj", number + 1).expect("memory");
    }
    let start = file.len();
    writeln!(file, "xref\n0 {}\n0000000000 65535 f ", places.len() + 1).expect("memory");
    for place in &places {
        writeln!(file, "{place:010} 00000 n ").expect("memory");
    }
    writeln!(file, "trailer<</Root 1 0 R/Size {}>>\nstartxref\n{start}\n%%EOF", places.len() + 1).expect("memory");
    file
}

fn numbered(count: usize, lines: usize) -> Vec<Vec<String>> {
    (1..=count)
        .map(|page| {
            (1..=lines)
                .map(|line| format!("Page {page} line {line} reports a rate of {page}.{line} percent."))
                .collect()
        })
        .collect()
}

fn pages_are_read_in_order() {
    let text = read(&pdf(&numbered(3, 2)), 200).expect("text");
    assert!(text.complete);
    assert_eq!(text.pages.len(), 3);
    for (number, page) in text.pages.iter().enumerate() {
        assert!(
            page.contains(&format!("Page {} line 2 reports a rate of {}.2 percent.", number + 1, number + 1)),
            "{page}"
        );
    }
}

fn what_stands_in_columns_is_a_table() {
    // Text at these places, which are counted from below.
    let draw = |pieces: &[(u32, u32, &str)]| {
        let mut content = String::from("BT /F1 10 Tf ");
        for (x, y, text) in pieces {
            let _ = write!(content, "1 0 0 1 {x} {y} Tm ({text}) Tj ");
        }
        content + "ET"
    };
    let table = draw(&[
        (72, 720, "Mills made less in the second year than in the first."),
        (72, 700, "Mill"),
        (200, 700, "Output 2022"),
        (300, 700, "Staff"),
        (72, 686, "Upper mill"),
        (225, 686, "412"),
        (310, 686, "14"),
        (72, 672, "Weir mill"),
        (216, 672, "1,380"),
        (72, 658, "Old mill"),
        (310, 658, "7"),
        (72, 630, "Prices follow in spring."),
    ]);
    let prose = draw(&[
        (72, 720, "The harbour was dug by hand and"),
        (320, 720, "the other bank was left as it was"),
        (72, 706, "took four winters to be finished;"),
        (320, 706, "until the railway came to the town"),
    ]);
    let text = read(&pdf_of(&[table, prose]), 200).expect("text");
    assert!(
        text.pages[0].contains("Mill\tOutput 2022\tStaff\nUpper mill\t412\t14\nWeir mill\t1,380\nOld mill\t\t7\n"),
        "{:?}",
        text.pages[0]
    );
    assert!(text.pages[0].ends_with("Prices follow in spring."), "{:?}", text.pages[0]);
    assert!(!text.pages[1].contains('\t'), "{:?}", text.pages[1]);
}

fn files_without_a_table_are_read() {
    let whole = pdf(&numbered(2, 2));
    let table = whole.windows(5).position(|window| window == b"xref\n").expect("a table");
    let text = read(&whole[..table], 200).expect("text");
    assert_eq!(text.pages.len(), 2);
    assert!(text.pages[1].contains("Page 2 line 2 reports a rate of 2.2 percent."), "{text:?}");
}

fn long_files_are_cut_and_say_so() {
    let text = read(&pdf(&numbered(12, 1)), 5).expect("text");
    assert_eq!(text.pages.len(), 5);
    assert!(!text.complete);
}

fn widths_of_several_glyphs_at_once_are_read() {
    // Each glyph is half as wide as the font is high, and is placed by itself; behind the year is room for one more.
    let shown = |text: &str| {
        text.chars().fold(String::new(), |mut codes, c| {
            let _ = write!(codes, "<{:04x}> Tj 6 0 Td ", u32::from(c));
            codes
        })
    };
    let content = format!("BT /F1 12 Tf 72 720 Td {} 6 0 Td {} ET", shown("2019"), shown("office"));
    for widths in [
        "[48 57 500 97 122 500]",
        "[48 57 500 97 [500 500 500 500 500 500 500 500 500 500 500 500 500 500 500]]",
        "7 0 R",
    ] {
        let objects = [
            "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
            "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>"
                .to_owned(),
            format!("<</Length {}>>\nstream\n{content}\nendstream", content.len()),
            "<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[6 0 R]/ToUnicode 8 0 R>>"
                .to_owned(),
            format!(
                "<</Type/Font/Subtype/CIDFontType2/BaseFont/A/FontDescriptor<</Type/FontDescriptor>>/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 0/W {widths}>>"
            ),
            "[9 0 R 57 500 97 122 500]".to_owned(),
            format!("<</Length {}>>\nstream\n{TO_UNICODE}\nendstream", TO_UNICODE.len()),
            "48".to_owned(),
        ];
        let text = read(&assemble(&objects), 200).expect("text");
        assert_eq!(text.pages[0].trim(), "2019 office", "{widths}");
    }
}

/// Codes that are the characters themselves.
const TO_UNICODE: &str = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0020> <007e> <0020> endbfrange
endcmap CMapName currentdict /CMap defineresource pop end end";

fn two_hundred_pages_are_read() {
    let text = read(&pdf(&numbered(200, 40)), 200).expect("text");
    assert!(text.complete && text.pages.len() == 200);
}

fn broken_files_cost_nothing_else() {
    let good = pdf(&numbered(3, 5));
    // The same numbers every time: a run can be repeated.
    let mut state = 7_u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits")
    };
    for round in 0..40 {
        let mut file = good.clone();
        if round % 2 == 0 {
            file.truncate(next() % file.len());
        } else {
            for _ in 0..=next() % 60 {
                let at = next() % file.len();
                file[at] = u8::try_from(next() % 256).expect("a byte");
            }
        }
        // Whatever comes out, this process goes on.
        let _ = read(&file, 200);
    }
    assert!(read(&good, 200).is_some());
}

fn hostile_files_cost_nothing_else() {
    let page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>".to_owned();
    let catalog = "<</Type/Catalog/Pages 2 0 R>>".to_owned();
    let one = "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned();
    let stream = |content: &str| format!("<</Length {}>>\nstream\n{content}\nendstream", content.len());
    let bomb = {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        let zeros = vec![b' '; 1 << 20];
        for _ in 0..200 {
            encoder.write_all(&zeros).expect("memory");
        }
        encoder.finish().expect("memory")
    };
    let mut bombed = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>endobj\n".to_vec();
    write!(bombed, "4 0 obj<</Filter/FlateDecode/Length {}>>\nstream\n", bomb.len()).expect("memory");
    bombed.extend_from_slice(&bomb);
    bombed.extend_from_slice(b"\nendstream endobj\ntrailer<</Root 1 0 R/Size 5>>\n%%EOF\n");
    let hostile: Vec<Vec<u8>> = vec![
        Vec::new(),
        b"%PDF-1.4\n".to_vec(),
        b"%PDF-1.4\n%%EOF\n".to_vec(),
        [b"%PDF-1.4\n".to_vec(), vec![b'['; 200_000]].concat(),
        [b"%PDF-1.4\n".to_vec(), b"<<".repeat(100_000)].concat(),
        assemble(&[catalog.clone(), "<</Type/Pages/Kids[2 0 R]/Count 1>>".to_owned()]),
        assemble(&[catalog.clone(), "<</Type/Pages/Kids[2 0 R 2 0 R]/Count 4000000000>>".to_owned()]),
        assemble(&["1 0 R".to_owned(), "2 0 R".to_owned()]),
        assemble(&[catalog.clone(), one.clone(), page.clone(), stream(&"q ".repeat(100_000))]),
        assemble(&[catalog.clone(), one.clone(), page.clone(), stream(&"[".repeat(200_000))]),
        assemble(&[catalog.clone(), one, page, stream(&format!("BT ({}) Tj ET", "(".repeat(100_000)))]),
        bombed,
    ];
    for (number, file) in hostile.iter().enumerate() {
        let start = Instant::now();
        let _ = read(file, 200);
        println!("  hostile {number}: {:.1} s", start.elapsed().as_secs_f64());
    }
    assert!(read(&pdf(&numbered(1, 1)), 200).is_some());
}
