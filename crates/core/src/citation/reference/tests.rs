use super::{Name, Reference, is_same_name, name_words};

/// Stops of several bytes stand where names may end.
#[test]
fn entries_with_wide_stops_are_read_wherever_they_end() {
    for text in
        ["王伟，李娜。 Tides of the coast．远岸的潮汐。 - 海岸记录: 2019．Doe, J。", "內戰時期五．二○ 潮汐的起因:"]
    {
        for (end, _) in text.char_indices() {
            Reference::parse(&text[..end]);
        }
    }
    let read = Reference::parse(", 王伟、李娜 (2019). 远岸的潮汐. 海岸记录.");
    assert_eq!((read.title.as_deref(), read.year), (Some("远岸的潮汐"), Some(2019)));
    let read = Reference::parse("王伟。 远岸的潮汐。 海岸记录，2019。");
    assert_eq!((read.title.as_deref(), read.year), (Some("远岸的潮汐"), Some(2019)));
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table")]
fn entries_in_the_layouts_of_styles() {
    let check = |text: &str, authors: &str, title: &str, container: &str, year: i16| {
        let read = Reference::parse(text);
        let names: Vec<String> = read.authors.iter().map(Name::shown).collect();
        assert_eq!(names.join("; ").replace('.', ""), authors.replace('.', ""), "{text}");
        assert_eq!(read.title.as_deref().unwrap_or_default(), title, "{text}");
        assert_eq!(read.container.as_deref().unwrap_or_default(), container, "{text}");
        assert_eq!(read.year.unwrap_or_default(), year, "{text}");
    };
    let (names, title) = ("Doe, J.; Roe, A. K.; Poe, E.", "Tides of the far coast");
    check(
        "Roe, K., & Doe, J. (Eds.). (2019). Tides of the far coast. Coast Press.",
        "Roe, K; Doe, J",
        title,
        "Coast Press",
        2019,
    );
    check(
        "Doe, J., Roe, A. K., & Poe, E. (2019). Tides of the far coast. *Coastal Records*, 3(2), 1–9. https://doi.org/10.5555/a",
        names,
        title,
        "Coastal Records",
        2019,
    );
    check(
        "J. Doe, A. K. Roe, and E. Poe, “Tides of the far coast,” in *CVPR*, 2019, doi: 10.5555/a.",
        names,
        title,
        "CVPR",
        2019,
    );
    check(
        "Jane Doe, Ann K. Roe, and Ed Poe. 2019. Tides of the far coast. In CVPR 1–9. DOI:https://doi.org/10.5555/a",
        "Doe, Jane; Roe, Ann K.; Poe, Ed",
        title,
        "CVPR",
        2019,
    );
    check(
        "Doe, Jane, Ann K. Roe, and Ed Poe. “Tides of the far coast.” Coastal Records 3(2), 1–9, 2019.",
        "Doe, Jane; Roe, Ann K.; Poe, Ed",
        title,
        "Coastal Records",
        2019,
    );
    check(
        "Doe J, Roe AK, Poe E. Tides of the far coast. Coastal Records. 2019;3(2), 1–9. doi:10.5555/a",
        "Doe, J; Roe, AK; Poe, E",
        title,
        "Coastal Records",
        2019,
    );
    check("DOE J, ROE A K, et al. Tides of the far coast[C]//CVPR, 2019.", "DOE, J; ROE, A K", title, "CVPR", 2019);
    check(
        "Jane Doe and David P. Roe. Tides of the far coast. J. Mach. Learn. Res., 2019. doi:10.5555/a",
        "Doe, Jane; Roe, David P.",
        title,
        "J. Mach. Learn. Res",
        2019,
    );
    check(
        "王小明, 李红. 海岸地衣的季节变化研究[J]. 海洋学报, 2016, 38(4): 12-19.",
        "王小明; 李红",
        "海岸地衣的季节变化研究",
        "海洋学报",
        2016,
    );
    check(
        "R., Mallika B., Ann Roe, and Fang-Yi Yu. Subspace Differential Privacy. ICLR, 2022.",
        "R, Mallika B; Roe, Ann; Yu, Fang-Yi",
        "Subspace Differential Privacy",
        "ICLR",
        2022,
    );
    check("A., P. L., & Das, R. (2021). Tides of the far coast.", "A, P L; Das, R", title, "", 2021);
    check(
        "M. d. F. F. Roe, C. D. DA FONSECA. Tides of the far coast. bioRxiv, 2023.",
        "Roe, M d F F; DA FONSECA, C D",
        title,
        "bioRxiv",
        2023,
    );
    check("Ayan Das and Jane Doe. Tides of the far coast. ICLR, 2030.", "Das, Ayan; Doe, Jane", title, "ICLR", 2030);
    check("Tides and nothing else", "", "", "", 0);
    check(
        "The Tide Group, J. Doe, A. K. Roe, B. Moe, and E. Poe, “Tides of the far coast,” in *CVPR*, 2019.",
        "The Tide Group; Doe, J.; Roe, A. K.; Moe, B.; Poe, E.",
        title,
        "CVPR",
        2019,
    );
    check("van, der Doe A, A Roe, Moe, and Poe. “Tides of the far coast.” In CVPR, 2019.", "", title, "CVPR", 2019);
    check(
        "A. PL, Korda N, Munos R. Tides of the far coast. CVPR. 2021.",
        "PL, A.; Korda, N; Munos, R",
        title,
        "CVPR",
        2021,
    );
    let two = "Doe, E. P.; Roe, A.";
    check(
        "Doe, E. P., and Roe, A.: Tides of the far coast, in: Coastal Records 38 (1971), S. 5–9.",
        two,
        title,
        "Coastal Records",
        1971,
    );
    check(
        "Doe, Jane: Tides of the far coast. A survey, in: Coast 8 (1989), S. 1–9.",
        "Doe, Jane",
        "Tides of the far coast. A survey",
        "Coast",
        1989,
    );
    check(
        "Doe, Jane, and Ann Roe. 2001. “Tides of the far coast.” *Coastal Records* 91 (5): 13–40.",
        "Doe, Jane; Roe, Ann",
        title,
        "Coastal Records",
        2001,
    );
    check(
        "Doe, J., & Initiative, A. D. N. (2026). Tides of the far coast. *Coast*.",
        "Doe, J.; Initiative, A. D. N.",
        title,
        "Coast",
        2026,
    );
    check(
        "Doe, J., Roe, K., et al.: Tides of the far coast, Coast Syst. Sci. Data, 12, 32–33, 2020.",
        "Doe, J.; Roe, K.",
        title,
        "Coast Syst. Sci. Data",
        2020,
    );
    check(
        "Doe, J. (1970), ‘Tides of the far “coast”’, *Coastal Records*, 84(3): 48–50.",
        "Doe, J.",
        "Tides of the far “coast”",
        "Coastal Records",
        1970,
    );
    check(
        "Doe, J., Roe, K.: Tides of the far coast. In: Poe, G., Coe, S. (eds.) CAV 2011. LNCS, vol. 6806, pp. 5–9. Harrow (2011)",
        "Doe, J.; Roe, K.",
        title,
        "CAV",
        2011,
    );
    check(
        "Doe, Jane. “BEE: Tides of the far coast.” *Coast*, 2019.",
        "Doe, Jane",
        "BEE: Tides of the far coast",
        "Coast",
        2019,
    );
    check(
        "C. Doe, D. HE, and S. Roe. Tides of the far coast. bioRxiv, 2026.",
        "Doe, C; HE, D; Roe, S",
        title,
        "bioRxiv",
        2026,
    );
    check(
        "DOE, E. P.; ROE, A. Tides of the far coast. **Coastal Records**, Lindos, v. 3, n. 2, p. 1-9, 2019.",
        "DOE, E. P.; ROE, A.",
        title,
        "Coastal Records",
        2019,
    );
    check(
        "E. P. Doe and A. Roe, *Tides of the far coast*, Coast. Rec. (2) **180** (2014), no. 1, 1–45.",
        two,
        title,
        "Coast. Rec. (2)",
        2014,
    );
    check(
        "Соколова В. И., Громов А. Понятие меры // Вопросы философии. – 2015. – № 8. – С. 112–124.",
        "Соколова, В. И.; Громов, А.",
        "Понятие меры",
        "Вопросы философии",
        2015,
    );
    check(
        "E. P. Doe, A. Roe, *Tides of the far coast*, „Coastal Records” 2019, nr 1, s. 7–9.",
        two,
        title,
        "Coastal Records",
        2019,
    );
    check(
        "Doe, E. P. and Roe, A. (2019) ‘Tides: the boys’ coast’, *Coastal Records*, 3(2), pp. 7–9.",
        two,
        "Tides: the boys’ coast",
        "Coastal Records",
        2019,
    );
    // Where there is no title, a journal is none.
    check("E. P. Doe and A. Roe, Coast. Rec. B **99**, 205411 (2019).", "", "", "", 2019);
    check("E. P. Doe and A. Roe, *J. Coast. Rec. A*, 2018, **6**, 8120–8129.", two, "", "", 2018);
    check(
        "Doe, E. P., and Roe, A. (2016). Tides of the far coast. Coast Rep. *14*, 1930–1941.",
        two,
        title,
        "Coast Rep",
        2016,
    );
    check(
        "E. P. Doe, A. Roe, *Tides of the far coast*, in «Coastal Records», XLV, 2010, 134, pp. 4-8.",
        two,
        title,
        "Coastal Records",
        2010,
    );
    check(
        "김서연, 박준호. (2020). 도시 하천 복원. *한국환경과학회지*, 29(5), 487-496.",
        "김서연; 박준호",
        "도시 하천 복원",
        "한국환경과학회지",
        2020,
    );
    check("Kocsis Doe – Balogh Roe (2017). Tides of the far coast. Coast Rep.", "", title, "Coast Rep", 2017);
    check("Doe, Jane. “Tides of the far coast.” 2026.", "Doe, Jane", title, "", 2026);
    check(
        "D. P. Doe and D. D. Roe. Tides of the far coast. CVPR, 2021.",
        "Doe, D. P.; Roe, D. D.",
        title,
        "CVPR",
        2021,
    );
    check("Das A, Roe KL. Tides of the far coast. CVPR. 2021.", "Das, A; Roe, KL", title, "CVPR", 2021);
    check(
        "Doe AK. Grundfragen der Gezeiten. Lindos: Harrow; 1933.",
        "Doe, AK",
        "Grundfragen der Gezeiten",
        "Lindos: Harrow",
        1933,
    );
}

#[test]
fn titles_with_stops_before_the_venue_and_bodies_in_the_place_of_authors() {
    let check = |text: &str, authors: &str, title: &str, container: &str| {
        let read = Reference::parse(text);
        let names: Vec<String> = read.authors.iter().map(Name::shown).collect();
        assert_eq!(names.join("; "), authors, "{text}");
        assert_eq!((read.title.as_deref(), read.container.as_deref()), (Some(title), Some(container)), "{text}");
        assert_eq!(read.year, Some(2012), "{text}");
    };
    let two = "Doe, J; Roe, AK";
    for (title, journal) in [
        ("Tides and tolls. A tale of the coast", "J Coast Hist"),
        ("Who pays? Who rides? Fares of the coast", "J Coast Hist"),
        ("Tides of the far coast", "Rev. Küste. Hist"),
        ("Tides of the far coast", "Annalen. Küste und Meer"),
    ] {
        check(&format!("Doe J, Roe AK. {title}. {journal}. 2012;38(4):411-429."), two, title, journal);
        check(&format!("Doe J, Roe AK. {title}. {journal}. 2012 Mar 3;38:1820."), two, title, journal);
    }
    let title = "Tides and tolls. A tale of the coast";
    check(&format!("Doe, J. (2012). {title}. *Küste*, 38(4), 411–429."), "Doe, J", title, "Küste");
    for body in ["The Editors of The Coast", "The Tide Study Group", "Ministério da Costa"] {
        let title = "Tides of the far coast";
        check(&format!("{body}. {title}. Coast. 2012;3(2):1-9."), body, title, "Coast");
    }
    // Bodies beside each other, before persons and behind them.
    let title = "Tides of the far coast";
    for (written, read) in [
        ("The Tide Study Group, Doe J, Roe AK", "The Tide Study Group; Doe, J; Roe, AK"),
        ("Tide Review Team and Jane Roe Foundation", "Tide Review Team; Jane Roe Foundation"),
        ("Doe J, Roe AK, Tide Review Team", "Doe, J; Roe, AK; Tide Review Team"),
    ] {
        check(&format!("{written}. {title}. Coast. 2012;3(2):1-9."), read, title, "Coast");
        check(&format!("{written} (2012). {title}. *Coast*, 3(2), 1–9."), read, title, "Coast");
    }
    check(&format!("The Tide Study Group. 2012. {title}. Coast 3, 1–9."), "The Tide Study Group", title, "Coast");
    check(&format!("Tide Review Team, “{title},” *Coast*, 2012."), "Tide Review Team", title, "Coast");
    // A title that nobody is named for.
    assert_eq!(Reference::parse("Tides of the Royal Society. Coastal Records. 2012;3:1-9.").title, None);
}

#[test]
fn names_in_the_layouts_of_abnt_and_din() {
    let check = |text: &str, authors: &str, container: &str, year: i16| {
        let read = Reference::parse(text);
        let names: Vec<String> = read.authors.iter().map(Name::shown).collect();
        assert_eq!(names.join("; ").trim_end_matches('.'), authors, "{text}");
        assert_eq!(read.title.as_deref(), Some("Tides of the far coast"), "{text}");
        assert_eq!((read.container.as_deref().unwrap_or_default(), read.year), (container, Some(year)), "{text}");
    };
    let (one, two) = ("DOE, Jane", "DOE, Jane; DE LA ROE, Ann K");
    check(
        "DOE, Jane; DE LA ROE, Ann K. Tides of the far coast. **Coastal Records**, Lindos, v. 3, n. 2, p. 71-94, nov. 2007.",
        two,
        "Coastal Records",
        2007,
    );
    check(
        "GARCIA, Maria; SILVA, João. Tides of the far coast. **Coastal Records**, v. 3, n. 2, p. 71-94, 2007.",
        "GARCIA, Maria; SILVA, João",
        "Coastal Records",
        2007,
    );
    check(
        "DOE, Jane *et al*. Tides of the far coast. Coastal Records, v. 3, n. 2, p. 17-19, 2011.",
        one,
        "Coastal Records",
        2011,
    );
    check(
        "DOE, Jane, 1971. Tides of the far coast. In: *Coastal Records*. 57(1), S. 1–35.",
        one,
        "Coastal Records",
        1971,
    );
    check(
        "DOE, Jane. Tides of the far coast. *Coastal Records*, 1980, vol. 35, n° 1, p. 63-72.",
        one,
        "Coastal Records",
        1980,
    );
    check(
        "Doe, J. (1904/1988). Tides of the far coast. *Coastal Records*, *19*(1), 22–87.",
        "Doe, J",
        "Coastal Records",
        1904,
    );
    check("Doe, J. Tides of the far coast. Coastal Records 1974, S. 1529 ff.", "Doe, J", "Coastal Records", 1974);
    let all = "Doe, J.; Roe, K.; the Tide Mapping Initiative";
    check(
        "Doe, J., K. Roe, and the Tide Mapping Initiative. “Tides of the far coast.” In ACL, 2026.",
        all,
        "ACL",
        2026,
    );
}

#[test]
fn volumes_and_pages() {
    let check = |text: &str, volume: &str, pages: &str| {
        let read = Reference::parse(&format!("Doe, J. (2015). Tides of the far coast. {text}"));
        let found = [read.volume, read.pages].map(Option::unwrap_or_default);
        assert_eq!(found, [volume, pages], "{text}");
    };
    check("Coast, vol. 27, no. 3, pp. 303–304.", "27", "303–304");
    check("Coast, vol. 27, n° 3, 2015, p. 303-304.", "27", "303–304");
    check("Coast, 13e année, n° 4, 2015, p. 725-753.", "", "");
    check("Coast, vol. 16, núm. 63, pp. 347-431.", "16", "347–431");
    check("Coast 53 (2015), Nr. 7, S. 643–652.", "53", "643–652");
    check("Coast 21, 7 (July 2015), 558–565.", "21", "558–565");
    check("Coast 55 supl 2:S151-S160.", "55", "S151–S160");
    check("Coast, 2(8), e124.", "2", "e124");
    check("*Coast* 40, n.º 1 (2020): 421-439.", "40", "421–439");
    check("In Advances in Tides, volume 33, 2015.", "33", "");
}

#[test]
fn a_page_is_no_year() {
    for text in [
        "Coast. 2012;379(9828):1820.",
        "Coast 2012;379:1995-2004.",
        "*Coast* 37, no. 2 (2012): 1905.",
        "Coast, 2012: 2015.",
    ] {
        assert_eq!(
            Reference::parse(&format!("Doe J, Roe AK. Tides of the far coast. {text}")).year,
            Some(2012),
            "{text}"
        );
    }
}

#[test]
fn names_are_compared_without_what_writers_vary() {
    let words = |name: &str| name_words(name).collect::<Vec<_>>();
    assert_eq!(words("Müller, H."), words("Mueller H"));
    assert_eq!(words("J. van der Berg"), ["berg"]);
    assert_eq!(words("O’Neil, C."), ["oneil"]);
    assert!(is_same_name("dostoevsky", "dostoyevsky") && is_same_name("nielsen", "nielson"));
    assert!(!is_same_name("smith", "smits-jones") && !is_same_name("lee", "li"));
}
