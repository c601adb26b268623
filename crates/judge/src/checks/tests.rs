//! The pages of the checks are their tests.

use std::collections::BTreeSet;

use super::{CHECKS, pages};
use crate::{ClaimText, Settings, SkippedChecks, SourceText, judge};
use cited_core::claim::ClaimKind;
use cited_core::page::Page;
use cited_core::verdict::{Standing, Verdict};

fn judged(claim: &str, page: &str, settings: &Settings) -> Verdict {
    judge(&ClaimText::new(claim, ClaimKind::Plain), &SourceText::new(page, ""), settings)
}

#[test]
fn no_two_checks_have_one_id() {
    let ids: BTreeSet<&str> = pages().map(|(id, _)| id).collect();
    assert_eq!(ids.len(), CHECKS.len());
}

/// Quoted lines are the page; each item below is a claim on it, with the check that decides, or that this one does not.
#[test]
fn a_check_does_what_its_page_says() {
    let mut wrong = Vec::new();
    for (id, page) in pages() {
        let lines = page.lines().filter_map(|line| line.strip_prefix("> "));
        let source = lines.collect::<Vec<_>>().join("\n");
        let (mut decided, mut left) = (0, 0);
        for line in page.lines() {
            let Some((wanted, claim)) = line.strip_prefix("- ").and_then(|item| item.split_once(": ")) else {
                continue;
            };
            let found = judged(claim, &source, &Settings::default());
            let is_it = found.check.as_deref() == Some(id);
            match wanted {
                "not" => left += usize::from(!is_it),
                _ => decided += usize::from(is_it),
            }
            if is_it == (wanted == "not") {
                wrong.push(format!("{id}: {line}: {:?} {}", found.check, found.reason));
            }
        }
        assert!(decided + left > 0, "{id} has no examples");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_number_is_another_one_behind_a_label_too_and_behind_until() {
    let check = |claim: &str, page: &str, expected: Option<&str>| {
        assert_eq!(judged(claim, page, &Settings::default()).check.as_deref(), expected, "{claim}");
    };
    let page = "The terminal at Lindos opened early. The terminal employs 43 people all year round. It is closed until 8 March 2026.";
    check("Jobs: The terminal employs 34 people all year round.", page, Some("other-number"));
    check("Jobs: the terminal employs 34 people all year round.", page, Some("other-number"));
    check("In 2019: The terminal employs 34 people all year round.", page, None);
    check("It is closed until 5 March 2026.", page, Some("other-number"));
    let page = "La carrera de Almira. El precio fue de 11 euros, con viento flojo de levante. Ganó Ana Ruiz.";
    check("El precio fue de 19 euros.", page, Some("number-not-found"));
}

#[test]
fn another_number_in_words_and_another_unit_are_another_value() {
    for (claim, page) in [
        ("The inn was closed for nine weeks.", "The inn was closed for four weeks."),
        ("The dairy employs twenty-four people.", "The dairy employs forty-two people."),
        ("Sales of bread fell by a quarter in spring.", "Sales of bread fell by a third in spring."),
        ("Die Mühle steht elf Monate im Jahr still.", "Die Mühle steht sechs Monate im Jahr still."),
        ("The dam cost 9 billion euros to build.", "The dam cost 9 million euros to build."),
        ("The path round the lake is 12 km long.", "The path round the lake is 12 miles long."),
        ("The walk takes 75 hours with a guide.", "The walk takes 75 minutes with a guide."),
    ] {
        let verdict = judged(claim, page, &Settings::default());
        assert_eq!(verdict.check.as_deref(), Some("other-number"), "{claim}: {verdict:?}");
    }
    let (claim, page) = ("The roof of the hall cost 193.000 euros.", "The roof of the hall cost 193,000 euros.");
    assert_ne!(judged(claim, page, &Settings::default()).standing, Standing::Contradicted);
}

/// Where a sentence of the page has the rest of the claim and another value in its place, a value that the page lacks is marked: in words of any
/// language as in figures, in a sentence of a few words, in a bound and behind *about*.
#[test]
fn a_value_that_the_page_lacks_is_marked_where_the_rest_of_the_claim_stands() {
    let check = |page: &str, claim: &str, marked: bool| {
        let verdict = judged(claim, page, &Settings::default());
        assert_eq!(verdict.check.as_deref() == Some("number-not-found"), marked, "{claim}: {verdict:?}");
    };
    for (page, wrong, right) in [
        ("It has ten arches of grey stone. It opened in 1892.", "It has twelve arches.", "It has ten arches."),
        ("It has 10 arches of grey stone. It opened in 1892.", "It has 12 arches.", "It has ten arches."),
        (
            "Tiene diez arcos de piedra gris. Se abrió en 1892 y costó 2 millones de pesetas.",
            "Tiene doce arcos.",
            "Tiene 10 arcos.",
        ),
        (
            "La entrada cuesta seis euros, y los miércoles es gratis.",
            "La entrada cuesta cuatro euros.",
            "La entrada cuesta seis euros.",
        ),
        (
            "Elle est ouverte trente-cinq heures par semaine, du mardi au samedi. Elle est gratuite.",
            "Elle est ouverte quarante-cinq heures par semaine.",
            "Elle est ouverte 35 heures par semaine.",
        ),
        ("Il compte vingt-quatre lits et un poêle.", "Il compte vingt-huit lits.", "Il compte vingt-quatre lits."),
        (
            "Sie hat elf Mitarbeiter, die meisten in Teilzeit.",
            "Sie hat siebzehn Mitarbeiter.",
            "Sie hat elf Mitarbeiter.",
        ),
        (
            "El coste por kilómetro bajó de 1,12 a 0,81 euros, sobre todo por la energía.",
            "El coste por kilómetro bajó de 1,12 a 0,71 euros.",
            "El coste por kilómetro bajó de 1,12 a 0,81 euros.",
        ),
        (
            "In spring 480 plants were marked in the dunes. The rest was left alone.",
            "More than 500 plants were marked.",
            "More than 450 plants were marked.",
        ),
        (
            "In 2024 about 256,000 tourists visited the mine. Most of them came from Saxony.",
            "In 2024 about 265,000 tourists visited the mine.",
            "In 2024 about 260,000 tourists visited the mine.",
        ),
        (
            "Le refuge accueille environ 1 720 randonneurs par an, presque tous en juin. Il compte vingt-quatre lits.",
            "Le refuge accueille environ 1 270 randonneurs par an.",
            "Le refuge accueille environ 1 700 randonneurs par an.",
        ),
        (
            "Ilse Tamm was born on 9 July 1912 in the house by the gate.",
            "Its discoverer, Ilse Tamm, was born on 9 July 1921.",
            "Its discoverer, Ilse Tamm, was born on 9 July 1912.",
        ),
    ] {
        check(page, wrong, true);
        check(page, right, false);
    }
    for (page, claim) in [
        ("The company employs 1,940 people, 610 of them on shore.", "The company employs 1,330 people at sea."),
        ("All but three of the 22 joints have been replaced.", "Nineteen of the 22 joints have been replaced."),
        ("Women earned 88% of what men earned.", "Women earn 12% less than men."),
        ("Her book went through six editions in German, Russian and Polish.", "Her book went through three languages."),
    ] {
        check(page, claim, false);
    }
}

#[test]
fn a_sentence_of_the_page_is_one_behind_a_label_too() {
    let page = "Skarholm has one inn near the pier. The first ferry leaves the old pier at 6.40 a.m. on weekdays.";
    for (label, check) in [("Hours", Some("verbatim")), ("Opening Hours", Some("verbatim")), ("Anna Bergqvist", None)] {
        let claim = format!("{label}: The first ferry leaves the old pier at 6.40 a.m. on weekdays.");
        assert_eq!(judged(&claim, page, &Settings::default()).check.as_deref(), check, "{claim}");
    }
}

#[test]
fn a_check_that_is_turned_off_is_not_asked() {
    let (page, claim) = ("The line carries 4,310 cars a year.", "The line carries 5,200 cars a year.");
    let without = SkippedChecks::from(["other-number"]);
    let settings = Settings { without, ..Settings::default() };
    assert_eq!(judged(claim, page, &Settings::default()).check.as_deref(), Some("other-number"));
    assert_ne!(judged(claim, page, &settings).check.as_deref(), Some("other-number"));
}

/// What was cut off, is an excerpt, or raises doubt about itself proves nothing by what it lacks.
#[test]
fn only_a_page_that_was_read_whole_proves_by_what_it_lacks() {
    let told = "The council of Vlissing met on Monday to speak about the old bridge. Several shop owners had asked for an answer \
                before the summer, since their goods come by road. ";
    let page = Page::of_text(told.repeat(3), "text/html");
    let number = "The council of Vlissing spent 41 million euros on the bridge.";
    let quotation = "The council of Vlissing said that “we have no money left for repairs of this kind”.";
    for (page, lacks) in [
        (page.clone(), true),
        (Page { complete: false, ..page.clone() }, false),
        (Page { doubted: true, ..page }, false),
    ] {
        let source = SourceText::of_page(&page);
        let hard = |claim| judge(&ClaimText::new(claim, ClaimKind::Plain), &source, &Settings::default()).hard;
        assert_eq!((hard(number), hard(quotation)), (lacks, lacks), "{} {}", page.complete, page.doubted);
    }
}

/// What the user asks for decides between support and a weak likeness, and between that and none.
#[test]
fn thresholds_move_what_a_verdict_is_called() {
    let page = "The line carries 4,310 cars a year across the fjord.";
    let standing =
        |claim, supported, weak| judged(claim, page, &Settings { supported, weak, ..Settings::default() }).standing;
    let claim = "The line carries 4,310 cars a year.";
    assert_eq!((standing(claim, 0.6, 0.3), standing(claim, 0.99, 0.3)), (Standing::Supported, Standing::Weak));
    let claim = "The line carries 4,310 new cars a year for free.";
    assert_eq!((standing(claim, 0.6, 0.3), standing(claim, 0.6, 0.6)), (Standing::Weak, Standing::Unverifiable));
}

/// What is missing is told as it is written, with what the page has in its place.
#[test]
fn what_is_missing_is_told_by_its_name() {
    let instead = |own: &str, other: &str| format!("the source does not say “{own}”; it says “{other}”");
    for (claim, page, reason) in [
        ("The study proves that tea helps.", "The study suggests that tea helps.", instead("proves", "suggests")),
        ("GPT-4 solves most of the tasks.", "GPT-3.5 solves most of the tasks.", instead("GPT-4", "GPT-3.5")),
        ("Windows 11 needs a lot of memory.", "Windows 10 needs a lot of memory.", instead("Windows 11", "Windows 10")),
        (
            "GPT-4 proves that sparse models win.",
            "The report says GPT-3.5 suggests that sparse models win.",
            "the source says something similar, but without “GPT-4”, “proves”".to_owned(),
        ),
        (
            "Hens are fine, up to six of them, but cockerels are not.",
            "You can keep up to six hens on your plot. Cockerels are not allowed.",
            "the source says something similar, but without “fine”".to_owned(),
        ),
        (
            "Für vier Personen ergeben sich daraus etwa 73 Kilowattstunden pro Jahr.",
            "In einem Vier-Personen-Haushalt summiere sich das auf 37 Kilowattstunden im Jahr.",
            "“73 Kilowattstunden” is not on the page; the sentence nearest to the claim has “37 Kilowattstunden”"
                .to_owned(),
        ),
    ] {
        assert_eq!(judged(claim, page, &Settings::default()).reason, reason);
    }
}

/// A number behind a name tells which thing of that name is meant: another one is another thing, and nothing is proved of it.
#[test]
fn the_number_of_a_name_is_no_other_number() {
    for (claim, page) in [
        ("Apple sold the iPhone 13 in 40 countries at once.", "Apple sold the iPhone 12 in 40 countries at once."),
        (
            "Goal 13 of the agenda asks for action on the climate.",
            "Goal 7 of the agenda asks for action on the climate.",
        ),
        ("Python 3.12 removed an old module from its library.", "Python 3.11 removed an old module from its library."),
    ] {
        assert_ne!(judged(claim, page, &Settings::default()).standing, Standing::Contradicted, "{claim}");
    }
}

/// What the page of a plant says of it: of its numbers those whose bit is set.
fn write_page(numbers: [u32; 3], has: u8) -> String {
    let number = |at: usize| if has & (1 << at) == 0 { String::new() } else { format!("{} ", numbers[at]) };
    format!("The plant of Lund has {}halls, {}workers and {}trucks.", number(0), number(1), number(2))
}

proptest::proptest! {
    /// One number of several is more than none, and more that is found is never less.
    #[test]
    fn confidence_does_not_fall_with_the_evidence(numbers in proptest::array::uniform3(20_u32..90_000), less: u8, more: u8) {
        let all = 0b111;
        let sure = |has: u8| judged(&write_page(numbers, all), &write_page(numbers, has), &Settings::default()).confidence;
        let (less, more) = (less & more & all, more & all);
        let (one, other) = (sure(less), sure(more));
        proptest::prop_assert!(one <= other, "{numbers:?}: {less:b} gives {one}, {more:b} gives {other}");
    }
}

#[test]
fn one_number_of_several_is_more_than_none() {
    let sure = |has| {
        judged(&write_page([120, 4_500, 38], 0b111), &write_page([120, 4_500, 38], has), &Settings::default())
            .confidence
    };
    assert!(sure(0) < sure(0b10) && sure(0b10) < sure(0b11) && sure(0b11) < sure(0b111));
}

/// What the page denies in a clause of its own, says of few, of what was, or of all but one, is not said of the claim, in any language.
#[test]
fn what_a_clause_takes_back_supports_nothing() {
    for (page, claim) in [
        ("The tool reads PDF files but does not write them.", "The tool reads and writes PDF files."),
        ("The tool reads PDF files but never writes them.", "The tool reads and writes PDF files."),
        ("The tool reads PDF files but is unable to write them.", "The tool reads and writes PDF files."),
        ("Guests can read pages but cannot edit them.", "Guests can read and edit pages."),
        ("The farm grows plums but no longer sells them.", "The farm grows and sells plums."),
        ("Guests can read pages but cannot edit them.", "Guests cannot read pages."),
        ("The farm grows plums, although it does not sell them.", "The farm grows and sells plums."),
        ("The farm grows plums but rarely sells them.", "The farm grows and sells plums."),
        ("Der Verein sammelt Uhren, repariert sie aber nicht.", "Der Verein sammelt und repariert Uhren."),
        ("La empresa fabrica bicicletas, pero no las exporta.", "La empresa fabrica y exporta bicicletas."),
        ("La empresa fabrica bicicletas, pero ya no las exporta.", "La empresa fabrica y exporta bicicletas."),
        ("The farm used to grow plums.", "The farm grows plums."),
        ("Few visitors complained about the noise.", "Visitors complained about the noise."),
        ("Pocos visitantes se quejaron del ruido.", "Los visitantes se quejaron del ruido."),
        ("Apart from Oslo, all cities banned diesel buses.", "Oslo banned diesel buses."),
        ("Außer Oslo haben alle Städte Dieselbusse verboten.", "Oslo hat Dieselbusse verboten."),
        ("Instead of a bridge, the town built a tunnel.", "The town built a bridge and a tunnel."),
    ] {
        let verdict = judged(claim, page, &Settings::default());
        assert_ne!(verdict.standing, Standing::Supported, "{claim} by {page}: {verdict:?}");
    }
    for (page, claim) in [
        ("The tool reads PDF files but does not write them.", "The tool reads PDF files."),
        ("The tool is used to grow plums with care.", "The tool is used to grow plums."),
        ("A few visitors complained about the noise at night.", "Visitors complained about the noise at night."),
        ("Instead of a bridge, the town built a tunnel.", "The town built a tunnel."),
    ] {
        let verdict = judged(claim, page, &Settings::default());
        assert_eq!(verdict.standing, Standing::Supported, "{claim} by {page}: {verdict:?}");
    }
}

/// Two things in each other's place, a value on the other side of a bound or for another span of time, a change as what it led to: none of
/// them is what the page says, in any language.
#[test]
fn what_changes_places_or_sides_supports_nothing() {
    for (page, wrong, right) in [
        (
            "Der Verband zählt 38 Vereine mit 4.260 Parzellen.",
            "Der Verband hat 4.260 Vereine und 38 Parzellen.",
            "Der Verband hat 38 Vereine und 4.260 Parzellen.",
        ),
        (
            "The league runs 16 courts for 940 players.",
            "The league has 940 courts and 16 players.",
            "The league has 16 courts and 940 players.",
        ),
        (
            "La liga tiene 16 pistas con 940 jugadores.",
            "La liga tiene 940 pistas y 16 jugadores.",
            "La liga tiene 16 pistas y 940 jugadores.",
        ),
        (
            "On y vendait d'abord des chevaux ; les légumes sont arrivés plus tard.",
            "On y vendait d'abord des légumes ; les chevaux sont arrivés plus tard.",
            "On y vendait d'abord des chevaux ; les légumes sont arrivés plus tard.",
        ),
        (
            "Zuerst webte man dort Leinen; die Seide kam nach dem Krieg.",
            "Zuerst webte man dort Seide; Leinen kam nach dem Krieg.",
            "Zuerst webte man dort Leinen; Seide kam nach dem Krieg.",
        ),
        (
            "El tejado fue pagado por la fundación y el municipio paga la luz.",
            "El municipio pagó el tejado y la fundación paga la luz.",
            "El tejado fue pagado por la fundación, y el municipio paga la luz.",
        ),
        (
            "Half of the swimmers are older than twelve.",
            "Half of the swimmers are under twelve.",
            "Half of the swimmers are over twelve.",
        ),
        (
            "Die Hälfte der Schwimmer ist jünger als zwölf.",
            "Die Hälfte der Schwimmer ist über zwölf.",
            "Die Hälfte der Schwimmer ist unter zwölf.",
        ),
        (
            "La mitad de los nadadores son mayores de doce años.",
            "La mitad de los nadadores son menores de doce años.",
            "La mitad de los nadadores son mayores de doce años.",
        ),
        (
            "Der Anteil der Radfahrer steigt bis 2030 auf 38 Prozent.",
            "Der Anteil der Radfahrer steigt um 38 Prozent.",
            "Der Anteil der Radfahrer steigt auf 38 Prozent.",
        ),
        (
            "The fare of the ferry rose to 15 euros in May.",
            "The fare of the ferry rose 15 euros in May.",
            "In May the fare of the ferry rose to 15 euros.",
        ),
        (
            "El precio del billete subió a 15 euros en mayo.",
            "El precio del billete subió 15 euros en mayo.",
            "En mayo el precio del billete subió a 15 euros.",
        ),
        (
            "Les cantines de la ville sont à côté des écoles. Elles nourrissent 14 300 enfants par jour.",
            "Elles nourrissent 14 300 enfants par an.",
            "Elles nourrissent 14 300 enfants par jour.",
        ),
        (
            "The model gives 21,000 passengers on a weekday by 2035.",
            "The tram has 21,000 passengers on a weekday.",
            "The model gives 21,000 passengers on a weekday by 2035.",
        ),
    ] {
        let standing = |claim| judged(claim, page, &Settings::default()).standing;
        assert_ne!(standing(wrong), Standing::Supported, "{wrong}");
        assert_eq!(standing(right), Standing::Supported, "{right}");
    }
    // What stands on both sides of *and* may change places.
    let page = "The film stars Mary-Kate and Ashley Olsen.";
    let verdict = judged("The film stars Ashley and Mary-Kate Olsen.", page, &Settings::default());
    assert_eq!(verdict.standing, Standing::Supported, "{verdict:?}");
}

/// What a reader is told of a claim that is not confirmed is so.
#[test]
fn no_reason_names_what_the_page_has() {
    let by = |page: &str, claim: &str| judged(claim, page, &Settings::default());
    let capacity = by("The plant has a capacity of 909,000 cubic metres a day.", "Plant, Capacity (m³/day): 909,000");
    assert!(!capacity.reason.contains("909"), "{capacity:?}");
    let open = by("The bridge was built by Acme for the town.", "For the town Acme built the old bridge by night.");
    assert!(open.confidence < Settings::default().supported - 0.005, "{open:?}");
}

/// What a page has otherwise than as a plain fact confirms itself, and not the plain fact.
#[test]
fn bounds_hearsay_opinions_order_in_time_and_denials_are_no_plain_facts_in_any_language() {
    let is_said = |claim, page| judged(claim, page, &Settings::default()).standing == Standing::Supported;
    for (page, plain) in [
        ("Le bassin contient jusqu'à 300 poissons.", "Le bassin contient 300 poissons."),
        ("El archivo guarda más de 12.000 mapas.", "El archivo guarda 12.000 mapas."),
        ("Zwischen einem Viertel und der Hälfte der Moore ging verloren.", "Die Hälfte der Moore ging verloren."),
        ("On dit que le moine a caché un coffre.", "Le moine a caché un coffre."),
        ("Se dice que el monje escondió un cofre.", "El monje escondió un cofre."),
        ("Der Bürgermeister verkauft angeblich den Hafen.", "Der Bürgermeister verkauft den Hafen."),
        ("据说这位画家把信埋在花园里。", "这位画家把信埋在花园里。"),
        ("Jeanne Roussel estime que ce pont est une honte.", "Ce pont est une honte."),
        ("La alcaldesa cree que el puente es una vergüenza.", "El puente es una vergüenza."),
        ("El puerto perdió tráfico tras la huelga.", "El puerto perdió tráfico debido a la huelga."),
        ("Nach dem Sturm fiel die Heizung aus.", "Wegen dem Sturm fiel die Heizung aus."),
        ("El club renunció a vender el estadio.", "El club vendió el estadio."),
        ("Le conseil a renoncé à rénover la piscine.", "Le conseil a rénové la piscine."),
        ("市政府放弃修建新的体育馆。", "市政府修建新的体育馆。"),
    ] {
        assert_eq!((is_said(plain, page), is_said(page, page)), (false, true), "{page}");
    }
    // What was found is so.
    for (page, plain, expected) in [
        ("The report found that the bridge carries lorries.", "The bridge carries lorries.", true),
        ("Les chercheurs ont constaté que le pont bouge.", "Le pont bouge.", true),
    ] {
        assert_eq!(is_said(plain, page), expected, "{page}");
    }
}

/// A short sentence beside a frame in another language is in the language of its own words.
#[test]
fn a_sentence_under_a_foreign_menu_is_in_its_own_language() {
    let frame = "Home Topics About us Newsletter Contact. Our year in pictures. Seven questions to our readers. We have 3 open jobs. All \
        rights reserved. Terms of use.";
    let check = |claim: &str, said: &str, is_foreign: bool| {
        let found = judged(claim, &format!("{said}\n\n{frame}"), &Settings::default());
        assert_eq!(found.reason.contains("in another language"), is_foreign, "{claim}: {said}: {}", found.reason);
    };
    let claim = "Müller zeigt, dass das Moor 5,2 Meter tief ist.";
    check(claim, "Das Moor ist 5,2 Meter tief. Heute brüten dort 46 Paare.", false);
    check(claim, "The bog is 5.2 metres deep. It has 46 pairs of birds.", true);
}

/// What is larger for one than for another is not larger for the other, whatever stands in brackets behind each.
#[test]
fn two_things_are_not_exchanged_round_a_comparison() {
    let page = "The effect was larger among girls (27 minutes) than among boys (14 minutes).";
    let standing = |claim| judged(claim, page, &Settings::default()).standing;
    assert_eq!(standing("The effect was larger among girls than among boys."), Standing::Supported);
    assert_eq!(standing("The effect was larger among boys than among girls."), Standing::Weak);
}

/// A value between two names is that of one of them, though *and* stands there, too.
#[test]
fn two_names_are_not_exchanged_round_a_value() {
    for (page, turned) in [
        ("Tarn has 57 mills and Brenn 32.", "Brenn has 57 mills and Tarn 32."),
        (
            "La almazara de Valdecuna molturó 5,7 millones de kilos y la de Peñaloza, 3,2 millones.",
            "La almazara de Peñaloza molturó 5,7 millones de kilos y la de Valdecuna 3,2 millones.",
        ),
        (
            "Stavkirken i Lom fikk 12 000 gjester og Ringebu 9 000.",
            "Stavkirken i Ringebu fikk 12 000 gjester og Lom 9 000.",
        ),
    ] {
        assert_eq!(judged(page, page, &Settings::default()).standing, Standing::Supported, "{page}");
        assert_eq!(judged(turned, page, &Settings::default()).standing, Standing::Weak, "{turned}");
    }
    let both = "Brenn and Tarn have 57 mills together.";
    assert_eq!(
        judged(both, "Tarn and Brenn have 57 mills together.", &Settings::default()).standing,
        Standing::Supported
    );
}
