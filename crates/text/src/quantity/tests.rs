use proptest::prelude::*;

use super::{Agreement, Bound, Dimension, Measure, Quantity, compare, is_measured, quantities};

fn first(text: &str) -> Quantity {
    quantities(text).into_iter().find(|q| !q.is_label()).unwrap_or_else(|| panic!("no quantity in {text:?}"))
}

fn check_pair(claim: &str, source: &str, expected: Agreement) {
    assert_eq!(
        compare(&first(claim), &first(source)),
        expected,
        "{claim:?} against {source:?}\n{:?}\n{:?}",
        first(claim),
        first(source)
    );
}

fn check_value(text: &str, measure: Measure, value: f64) {
    let q = first(text);
    assert_eq!(q.measure, measure, "{text:?}: {q:?}");
    assert!((q.value - value).abs() <= 1e-6 * value.abs().max(1e-6), "{text:?}: {q:?}");
}

#[test]
fn the_numbers_of_the_rule_book_read_as_they_are_meant() {
    check_value("1,200,000", Measure::Count, 1_200_000.0);
    check_value("1.2 million", Measure::Count, 1_200_000.0);
    check_value("120万", Measure::Count, 1_200_000.0);
    check_value("Der Korpus enthält 1.200 Dokumente und ist groß", Measure::Count, 1200.0);
    check_value("94.2% of", Measure::Percent, 94.2);
    check_pair("~150 million km", "149.6 million km", Agreement::Same);
    check_pair("94.2%", "49.2%", Agreement::Different);
    check_pair("1.200 Dokumente", "1200 Dokumente", Agreement::Same);
    // Who writes 12 does not write 12,000; a decimal point may be meant.
    for (one, other, agreement) in [
        ("12,000 books", "12 books", Agreement::Different),
        ("12 books", "12,000 books", Agreement::Different),
        ("1,500 books", "1.5 books", Agreement::Different),
        ("12.000 books", "12 books", Agreement::Compatible),
        ("12.000 books", "12,000 books", Agreement::Same),
        ("1.500 kg", "1.5 kg", Agreement::Compatible),
        ("1.234 kg", "1,234 kg", Agreement::Same),
        ("$350,000", "$350", Agreement::Different),
        ("1.200", "1,2", Agreement::Compatible),
    ] {
        check_pair(one, other, agreement);
    }
}

#[test]
fn one_of_so_many_is_a_share() {
    check_value("une sur quatre", Measure::Percent, 25.0);
    check_value("uno de cada 5", Measure::Percent, 20.0);
    check_value("einer von zehn", Measure::Percent, 10.0);
    check_value("один из 4", Measure::Percent, 25.0);
    check_value("jeder zweite", Measure::Percent, 50.0);
    check_value("каждый пятый", Measure::Percent, 20.0);
}

#[test]
fn names_do_not_tell_how_a_text_writes_decimals() {
    for text in ["Los Angeles sold 600,000 tickets", "600,000 bats, LA Times", "Rio de Janeiro sold 600,000 tickets"] {
        check_value(text, Measure::Count, 600_000.0);
    }
    check_value("Los Angeles spent $2 billion", Measure::Money("$"), 2.0e9);
    check_value("Der Korpus enthält 1.200 Dokumente", Measure::Count, 1200.0);
    check_value("Rio de Janeiro spent 2 billion reais", Measure::Money("BRL"), 2.0e9);
    check_value("Le prix est de 1.200 euros", Measure::Money("EUR"), 1200.0);
    // A line in another language than those around it.
    let framed = |line: &str| {
        format!(
            "{line}\n\nThe following page was published by the organisation for its readers and is kept as it was first written.\n"
        )
    };
    check_value(&framed("Der Verband hat im Jahr nach der Zählung 1.200 Mitglieder"), Measure::Count, 1200.0);
    let shown = quantities(&framed("In Falkenried leuchten 9.400 Laternen"));
    let readings = [Some(shown[0].value), shown[0].alternative];
    assert!(readings.contains(&Some(9400.0)), "{shown:?}");
    for line in [
        "Zwölftausend Arbeiter waren im Jahr nach der Zählung dort",
        "Douze mille ouvriers travaillaient dans les mines pendant les années de la guerre",
    ] {
        check_value(&framed(line), Measure::Count, 12_000.0);
    }
}

#[test]
fn a_comma_ends_a_date_without_a_year() {
    let read = |text| -> Vec<String> { quantities(text).iter().map(|q| q.span.slice(text).to_owned()).collect() };
    assert_eq!(read("In November, 3 judges came."), ["3"]);
    assert_eq!(read("On 14 December, 6 days after her birth"), ["14 December", "6 days"]);
    assert_eq!(read("by 5 May, 12 people"), ["5 May", "12"]);
    assert_eq!(read("On March 12, 2020, 5 people"), ["March 12, 2020", "5"]);
    assert_eq!(read("in March, 2020"), ["March, 2020"]);
}

#[test]
fn thousands_behind_a_space() {
    check_pair("There are 2 000 ducks and 1.5 geese.", "There are 2,000 ducks", Agreement::Same);
    check_pair("There are 12\u{a0}000 ducks and 1.5 geese.", "There are 12,000 ducks", Agreement::Same);
}

#[test]
fn digits_of_other_scripts() {
    check_pair("طوله ٦٦٥٠ كيلومترا", "it is 6650 long", Agreement::Same);
    check_pair("٥٫٢٪", "5.2%", Agreement::Same);
    check_pair("۱۲۰۰", "1,200", Agreement::Same);
    check_pair("१२ लोग", "12 people", Agreement::Same);
}

#[test]
fn fractions_and_speeds_in_other_writings() {
    check_pair("arranged in 3 tiers", "arranged in three tiers", Agreement::Same);
    check_pair("les deux tiers", "les 2/3", Agreement::Same);
    check_pair("more than 2 dozen lords", "more than two dozen lords", Agreement::Same);
    check_pair("some 2 dozen lords", "some 24 lords", Agreement::Same);
    check_pair("6.01 miles/s", "9.68 km/s", Agreement::Same);
    check_value("a 5-minute walk", Measure::Physical(Dimension::Duration), 300.0);
}

#[test]
fn speeds_amounts_and_parts_as_they_are_said() {
    for (one, other) in [
        ("131 km/h", "131 kilometres an hour"),
        ("81 mph", "131 kilometres an hour"),
        ("40 mph", "40 miles an hour"),
        ("118 km/h", "118 kilomètres à l'heure"),
        ("160 km/h", "160 Kilometern pro Stunde"),
        ("1.5米/秒", "每秒1.5米"),
        ("90 km/h", "時速90キロ"),
        ("Le coût est de 412 M€ au total", "Le coût est de 412 millions d'euros"),
        ("37 M€ de plus", "37 millions d'euros de plus"),
        ("Umsatz von 12 Mio. € im Jahr", "12 Millionen Euro"),
        ("33 % des habitants", "Un tiers des habitants"),
        ("33 Prozent der Fahrgäste", "Ein Drittel der Fahrgäste"),
        ("25 Prozent der Wege", "ein Viertel der Wege"),
        ("el 33 % de los hogares", "un tercio de los hogares"),
        ("1.5天", "1天半"),
        ("0,41 Euro pro kWh", "41 Cent je Kilowattstunde"),
        ("1,2 ettari di bosco", "12.000 metri quadrati di bosco"),
        ("7.400 migliaia di euro", "7,4 milioni di euro"),
        ("3 kilometrów kwadratowych", "300 hektarów"),
        ("0,5 Hektar", "5000 Quadratmetern"),
        ("84,000 m²", "8.4 hectares"),
        ("18 megalitres", "18 million litres"),
        ("3,2 kilovatios hora", "3,2 kWh"),
        ("40 hectolitres", "4,000 litres"),
    ] {
        check_pair(one, other, Agreement::Same);
    }
}

#[test]
fn a_magnitude_alone_is_no_number() {
    assert!(quantities("产品 | 收入（亿元） | 毛利率").is_empty());
    check_value("收入48.6亿元", Measure::Money("CNY"), 4.86e9);
    check_value("一亿元", Measure::Money("CNY"), 1e8);
}

#[test]
fn ranges_that_share_one_end_differ() {
    check_pair("5-10 mg a day", "5-50 mg a day", Agreement::Different);
    check_pair("1,500–2,000 mm", "1,200–2,000 mm", Agreement::Different);
    check_pair("1,500–2,000 mm", "between 1500 and 2000 mm", Agreement::Same);
    check_pair("1500-2000 mm", "1,500 to 2,000 mm", Agreement::Same);
    check_pair("5-10 mg a day", "6-12 mg a day", Agreement::Compatible);
    check_pair("1990–2000", "the years 1990 to 2000", Agreement::Same);
    assert!(first("In 1990, 2000 km of road were built").is_temporal());
}

#[test]
fn times_of_day_and_times_taken() {
    for (one, other, expected) in [
        ("at 14:35", "at 2:35 p.m.", Agreement::Same),
        ("um 14:35 Uhr", "um 14.35 Uhr", Agreement::Same),
        ("um 14 Uhr", "at 14:00", Agreement::Same),
        ("à 14h35", "à 14 h 35", Agreement::Same),
        ("à 14h35", "at 14:35", Agreement::Same),
        ("at 6.35pm", "at 18:35", Agreement::Same),
        ("at 14:35", "at 16:35", Agreement::Different),
        // In the afternoon, perhaps.
        ("at 2:35", "at 14:35", Agreement::Same),
        ("at 14:35", "at 2:35", Agreement::Compatible),
        ("at 02:35", "at 14:35", Agreement::Different),
        ("at 2:35 a.m.", "at 14:35", Agreement::Different),
        ("in 2:04:11", "in 2:05:48", Agreement::Different),
        ("in 2:04:11", "in 2:04:48", Agreement::Different),
        ("in 2:04", "in 2:04:48", Agreement::Same),
        ("in 2:05", "in 2:04:48", Agreement::Compatible),
        ("in 2:04:48", "in 2:04", Agreement::Compatible),
        ("in 1:59.40", "in 1:59.55", Agreement::Different),
        ("in 1:59.40", "in 1:59.40", Agreement::Same),
        ("in 2:04:11", "in 2 hours", Agreement::Compatible),
        ("in 2:04:11", "in 2 h 5 min", Agreement::Unrelated),
        ("in 2:04", "in 2 h 4 min", Agreement::Same),
        ("in 4:11", "in 4 minutes and 11 seconds", Agreement::Same),
        ("a ratio of 4:1", "a ratio of 5:1", Agreement::Different),
        ("a ratio of 4:1", "a ratio of 1:4", Agreement::Different),
    ] {
        check_pair(one, other, expected);
    }
    check_value("1.50 Uhren", Measure::Count, 1.5);
    check_value("14.35 hours", Measure::Physical(Dimension::Duration), 51660.0);
}

#[test]
fn what_an_amount_is_given_for() {
    for (one, other, expected) in [
        ("403 kg/ha", "403 kg per hectare", Agreement::Same),
        ("0.403 t/ha", "403 kg per hectare", Agreement::Same),
        ("roughly 400 kg per hectare", "403 kg/ha", Agreement::Same),
        ("around 90 g/m²", "92 grams per square metre", Agreement::Same),
        ("3.42 kg/ha", "3.42 t/ha", Agreement::Different),
        ("12 mg/dL", "12 g/dL", Agreement::Different),
        ("12 mg/dL", "0.12 g/L", Agreement::Same),
        ("5 mU/cell", "5 mU/cell", Agreement::Same),
        ("0.35 €/kWh", "350 €/MWh", Agreement::Same),
        ("0.35 €/kWh", "0.35 €/MWh", Agreement::Different),
        ("5–10 kg/ha", "5 to 10 kilograms per hectare", Agreement::Same),
        ("$3.10 a gallon", "$3.10 per gallon", Agreement::Same),
        ("5 m³/s", "5 m³/min", Agreement::Different),
        ("5 kg/m²", "5 kg/m", Agreement::Unrelated),
        ("15 m³/min", "250 l/s", Agreement::Same),
        ("15 m³/min", "250 litres of water a second", Agreement::Same),
        ("1.5 m³/min", "250 litres of water a second", Agreement::Different),
        ("3 t of winter wheat per hectare", "3,000 kg/ha", Agreement::Same),
        // What one side does not say of it.
        ("5 mg/kg", "5 mg", Agreement::Compatible),
        ("400 kg per hectare", "400 kg of grain on each hectare", Agreement::Compatible),
        ("400 kg per hectare", "300 kg of grain on each hectare", Agreement::Unrelated),
        // The judge asks for what span of time a value is given.
        ("30 mg/day", "30 mg a day", Agreement::Compatible),
        ("1.44 mm/yr", "1.44 mm", Agreement::Compatible),
        ("30 mg/day", "210 mg/week", Agreement::Same),
        ("$15 an hour", "$15/h", Agreement::Same),
    ] {
        check_pair(one, other, expected);
    }
}

#[test]
fn a_unit_is_said_once_for_several_values() {
    for (text, expected) in [
        ("La commune a replanté 310 hectares en 2018, 365 en 2020 et 402 en 2022.", vec!["310 ha", "365 ha", "402 ha"]),
        ("It carried 140 tonnes of silt in 2015, 165 in 2017 and 190 in 2019.", vec!["140 t", "165 t", "190 t"]),
        ("It sold 3.4 million tickets in May, 3.6 in June.", vec!["3.4 million", "3.6 million"]),
        ("It cost €5 in Lyon, 7 in Metz and 9 in Nice.", vec!["€5", "€7", "€9"]),
        ("They moved 12 t in May, 15 lorries in June.", vec!["12 t", "15"]),
        ("They moved 12 t in Lyon. 15 in Metz were late.", vec!["12 t", "15"]),
        ("They moved 12 t by boat, 15 in June.", vec!["12 t", "15"]),
    ] {
        let amounts: Vec<Quantity> = quantities(text).into_iter().filter(|q| !q.is_temporal()).collect();
        let read: Vec<Quantity> = expected.iter().map(|written| quantities(written).remove(0)).collect();
        assert_eq!(amounts.len(), read.len(), "{text}: {amounts:?}");
        for (own, wanted) in amounts.iter().zip(&read) {
            assert_eq!(compare(wanted, own), Agreement::Same, "{text}: {own:?}");
        }
    }
}

#[test]
fn a_capital_k_is_a_thousand_or_a_kelvin() {
    check_pair("reaches 1 million–2 million K", "reaches 1,000,000–2,000,000 K", Agreement::Same);
    check_pair("some 6000 K hot", "some 6,000 K hot", Agreement::Same);
    check_value("earns 50 K a year", Measure::Count, 50_000.0);
    check_value("earns 50K a year", Measure::Count, 50_000.0);
}

#[test]
fn a_year_or_an_amount() {
    check_pair("the last 2000 years", "the last 2,000 years", Agreement::Same);
    check_pair("a depth of 2000 m", "2,000 metres deep", Agreement::Same);
    check_pair("from +1870 m to +1903 m", "from +1,870 m to +1,903 m", Agreement::Same);
    check_value("to +1903 m", Measure::Physical(Dimension::Length), 1903.0);
    check_pair("It weighs 1950 kg", "It weighs 1,950 kg", Agreement::Same);
    check_pair("built 2000 years ago", "built two thousand years ago", Agreement::Same);
    check_pair("2050 feet long", "2,050 feet long", Agreement::Same);
    check_pair("2050 feet long", "2,500 feet long", Agreement::Different);
    check_pair("makes 1900 MW", "makes 1,900 MW", Agreement::Same);
    check_pair("ist 1900 Meter hoch", "ist 1.900 Meter hoch", Agreement::Same);
    check_pair("hace 2000 años", "hace 2.000 años", Agreement::Same);
    for year in [
        "In 2019 hours worked fell.",
        "the 2019 second quarter",
        "2019 in review",
        "the 2010 T cells",
        "since 2010 days have grown warmer",
        "the 2019 Times list",
    ] {
        assert!(first(year).is_temporal(), "{year:?}: {:?}", first(year));
    }
}

#[test]
fn pounds_may_be_money() {
    check_pair("£3.2m", "3.2 million pounds", Agreement::Same);
    check_pair("3.2 million pounds", "£3.2m", Agreement::Same);
    check_pair("£3.2m", "3.4 million pounds", Agreement::Unrelated);
    check_pair("£3", "3 kg", Agreement::Unrelated);
    check_pair("3 pounds", "1.36 kg", Agreement::Same);
}

#[test]
fn what_is_released_in_millions_is_no_version() {
    check_value(
        "It will release 30 million barrels.",
        Measure::Physical(Dimension::Volume),
        30.0e6 * 0.158_987_294_928,
    );
    check_value("It will release 30 barrels.", Measure::Physical(Dimension::Volume), 30.0 * 0.158_987_294_928);
}

#[test]
fn a_half_behind_a_number_or_its_unit_is_part_of_it() {
    check_value("two and a half of them", Measure::Count, 2.5);
    check_value("more than 4 and a half million copies", Measure::Count, 4_500_000.0);
    check_value("four-and-a-half million copies", Measure::Count, 4_500_000.0);
    check_value("one and a half million people", Measure::Count, 1_500_000.0);
    check_value("about zweieinhalb Millionen", Measure::Count, 2_500_000.0);
    check_value("half a million people", Measure::Count, 500_000.0);
    check_value("Half an hour later", Measure::Physical(Dimension::Duration), 1800.0);
    check_value("half a percentage point", Measure::Points, 0.5);
    check_value("an hour and a half", Measure::Physical(Dimension::Duration), 5400.0);
    check_value("a million and a half copies", Measure::Count, 1_500_000.0);
    check_value("two million, and a half of them", Measure::Count, 2_000_000.0);
    check_value("two million and a half of them", Measure::Count, 2_000_000.0);
}

fn check_measured(text: &str, expected: bool) {
    assert_eq!(is_measured(text), expected, "{text:?}: {:?}", quantities(text));
}

#[test]
fn what_only_numbers_or_names_is_no_measurement() {
    for text in [
        "Scenario 2: Prices stay flat.",
        "- Use case 1: triage",
        "误区3：忽略睡眠。",
        "It offers 24/7 support, and always did.",
        "他们使用百度云。万元户很多。",
        "The 9/11 attacks changed it.",
        "Steps 1 and 2 are done.",
        "Sections 3, 4 and 5 are binding.",
        "GB/T 11291.2 applies.",
        "A 401(k) is a plan.",
        "It listens on 127.0.0.1.",
        "Exit code 2 means failure.",
    ] {
        check_measured(text, false);
    }
    for text in [
        "Steps 1 and 20 people.",
        "It fell by 24/72 of it.",
        "In 2 of 9/11 cases it failed.",
        "Revenue: 5 units",
        "Sales by region in 2024: up 5",
        "The total was 45: nobody left.",
        "it took 3: the last was late",
        "Chrome 120.0.6099.71 has it.",
        "Since version 1.2.3.4 it is stable.",
    ] {
        check_measured(text, true);
    }
}

#[test]
fn what_numbers_the_items_of_a_list_is_no_measurement() {
    for text in [
        "Players go through stages: 1) ascent, 2) mastery.",
        "The reasons are 1) speed and 2) cost.",
        "They are (1) speed, and (2) cost.",
        "玩家经历的阶段可分为：1) 上升：玩家已经学会了基础知识。2) 精通。",
        "阶段可分为：（1）上升；（2）精通。",
        "阶段可分为：1、上升；2、精通。",
        "1. Define the scope. 2. Collect the invoices. 3. Compare them.",
        "المراحل هي: 1) الصعود؛ 2) الإتقان.",
    ] {
        check_measured(text, false);
    }
    for text in [
        "It fell (from 9 to 5) in a year.",
        "各组人数分别为：3、5、7。",
        "Costs rose (by 4) and fell (by 12).",
        "Sales in thousands: 12.",
        "It rose to 2. The next was 3. Nothing followed.",
        "增长了（约12）倍。",
    ] {
        check_measured(text, true);
    }
}

#[test]
fn what_a_bit_holds_is_no_measurement() {
    for text in [
        "A bit can only be in one of two states (0 or 1).",
        "Bits are either 0 or 1, which is why logic is built on them.",
        "Classical bits, which can only be 0 or 1 at any time, are stable.",
        "Measuring the qubit gives 1 or 0, respectively.",
        "The drug A-769662 activates it.",
        "Ein Bit ist entweder 0 oder 1.",
        "每个比特只能是0或1。",
        "Un bit vaut 0 ou 1.",
    ] {
        check_measured(text, false);
    }
    for text in [
        "In each group 0 or 1 patients relapsed.",
        "It was seen in 0 or 1 of the patients.",
        "In the state 40 people died.",
        "In the state 0.5% of them are treated.",
        "The scores were 0 and 2.",
        "每户有0或1个孩子。",
    ] {
        check_measured(text, true);
    }
}

#[test]
fn a_label_of_a_full_width_digit_is_not_empty() {
    let spans: Vec<_> = quantities("𐖗\\０").into_iter().map(|q| q.span).collect();
    assert_eq!(spans, [crate::Span::new(5, 8)]);
}

#[test]
fn a_sign_between_two_numbers_belongs_to_one() {
    for text in ["二$0$S", "5 $0$", "二$0$", "3€0€", "二€0€S"] {
        let spans: Vec<_> = quantities(text).into_iter().map(|q| q.span).collect();
        assert!(spans.is_sorted_by(|one, next| one.end <= next.start), "{text}: {spans:?}");
    }
}

proptest! {
    #[test]
    fn spans_are_in_order_and_on_character_boundaries(text in "\\PC{0,80}") {
        let mut last = 0;
        for q in quantities(&text) {
            prop_assert!(q.span.start >= last && q.span.start < q.span.end);
            prop_assert!(text.get(q.span.start..q.span.end).is_some());
            last = q.span.end;
        }
    }

    #[test]
    fn number_like_soup_never_panics(text in "[-0-9.,:/%$€kKmMB年月日万亿百十一二三分之の世纪 a-cft²°½'’()|⟩:：；;。*ST\\[\\]\u{a0}–]{0,60}") {
        let mut last = 0;
        for q in quantities(&text) {
            prop_assert!(q.span.start >= last && q.span.start < q.span.end, "{:?} {:?}", text, q);
            prop_assert!(text.get(q.span.start..q.span.end).is_some());
            last = q.span.end;
        }
    }
}

/// Both values are read, and are the same; `at` is how the text round them writes.
#[track_caller]
fn check_same(one: &str, other: &str) {
    check_pair(one, other, Agreement::Same);
    check_pair(other, one, Agreement::Same);
}

/// The values are read, and are not the same, either way.
#[track_caller]
fn check_other(one: &str, other: &str) {
    for (claim, source) in [(one, other), (other, one)] {
        let agreement = compare(&first(claim), &first(source));
        assert_ne!(agreement, Agreement::Same, "{claim:?} {:?} {source:?} {:?}", first(claim), first(source));
    }
}

#[test]
fn thousands_are_parted_by_spaces_in_any_language() {
    for text in [
        "The town has 12 345 people",
        "The town has 12\u{a0}345 people",
        "The town has 12\u{202f}345 people",
        "The town has 12\u{2009}345 people",
        "Die Stadt hat nach der Zählung 12 345 Einwohner",
        "La ville compte 12\u{202f}345 habitants dans la vallée",
        "В городе живет 12 345 человек",
    ] {
        check_same(text, "It has 12,345 people");
        check_other(text, "It has 12 people");
        check_other(text, "It has 345 people");
    }
    check_same("a total of 1 234 567 visits", "1,234,567 visits");
    // Numbers of a row, a name and its number, a day and a count are numbers of their own.
    let read = |text: &str| -> Vec<String> { quantities(text).iter().map(|q| q.span.slice(text).to_owned()).collect() };
    assert_eq!(read("The rows were 912 845 700"), ["912", "845", "700"]);
    assert_eq!(read("The port of Tarn 912 845\nThe end"), ["912", "845"]);
    assert_eq!(read("In 2023 450 people came"), ["2023", "450"]);
    assert_eq!(read("the Boeing 737 800 seats")[1..], ["800"]);
    assert!(read("[1,1'-Biphenyl]-4-ol was not made").is_empty());
}

#[test]
fn powers_of_ten_stand_alone_too() {
    for text in ["about 10^25 operations", "10²⁵ operations", "10^{25} operations", "$10^{25}$ operations"] {
        check_value(text, Measure::Count, 1e25);
    }
    check_same("1 × 10^25 operations", "10²⁵ operations");
    check_same("240,000 particles", "2.4 ± 1.3 × 10^5 particles");
    check_same("240,000 particles", "2.4 × 10^5 ± 1.3 × 10^4 particles");
    check_same("240,000–310,000 particles", "2.4–3.1 × 10^5 particles");
    check_same("2.4 mm", "2.4 ± 0.3 mm");
    check_other("2.4 mm", "2.4 ± 0.3 cm");
    check_same("$10^6$ steps", "1,000,000 steps");
    check_same("$1.5 \\times 10^{6}$ steps", "1,500,000 steps");
    check_value("It costs $10", Measure::Money("$"), 10.0);
    for other in ["1025 operations", "10 operations", "10^24 operations", "10²⁶ operations"] {
        check_other("10^25 operations", other);
    }
    check_value("10 m² of land", Measure::Physical(Dimension::Area), 10.0);
}

#[test]
fn marks_out_of_so_many() {
    for text in [
        "rated 4.5/5 by users",
        "rated 4.5 / 5 by users",
        "rated 4.5 out of 5 by users",
        "mit 4,5 von 5 bewertet und gut",
    ] {
        check_same(text, "4.5 out of 5");
        check_other(text, "4.6 out of 5");
        check_other(text, "4.5 out of 10");
        check_other(text, "4.5%");
    }
    check_same("8/10 of them", "8 out of 10");
}

#[test]
fn times_taken_in_hours_and_minutes() {
    for text in [
        "It takes 2h 45m by train",
        "It takes 2h45m by train",
        "It takes 2 hours 45 minutes",
        "2 h 45 min",
        "165 minutes",
    ] {
        check_same(text, "It takes 2 hours and 45 minutes");
        check_other(text, "It takes 2 hours 54 minutes");
    }
    check_same("1h 5m 30s", "1 hour 5 minutes 30 seconds");
    check_value("a wall of 45m in length", Measure::Physical(Dimension::Length), 45.0);
    check_value("45m behind the 2h queue", Measure::Physical(Dimension::Length), 45.0);
}

#[test]
fn degrees_below_zero() {
    for text in [
        "It was 20 degrees Celsius below zero",
        "It was minus 20 degrees Celsius",
        "Es waren 20 Grad Celsius unter null, und der Wind war kalt",
        "Il faisait 20 degrés Celsius au-dessous de zéro dans la vallée",
        "Se midieron 20 grados Celsius bajo cero en la ciudad",
        "температура была 20 градусов Цельсия ниже нуля",
        "当天最低气温达到零下20摄氏度",
    ] {
        check_same(text, "It was -20 °C");
        check_other(text, "It was 20 °C");
    }
    check_other("20 degrees below zero", "20 degrees above zero");
    for text in ["La media fue de 19 grados", "Es waren 19 Grad", "Het was 19 graden", "Było 19 stopni"] {
        check_same(text, "It was 19 °C");
        check_value(text, Measure::Physical(Dimension::Degrees), 19.0);
    }
    check_same("所要時間は70分です", "It takes 70 minutes");
    check_other("20 degrees below zero", "20 degrees below the mean");
}

#[test]
fn signs_of_money_and_units_beside_figures() {
    check_same("The coffee costs 9,99 € and the tea is free", "9.99 €");
    check_same("It costs €9,99 and is good", "9.99 €");
    check_other("The coffee costs 9,99 € and the tea is free", "999 €");
    check_other("The coffee costs 9,99 € and the tea is free", "9 €");
    check_same("总额为961 billion美元", "US$961 billion");
    check_other("总额为961 billion美元", "US$961 million");
    check_same("9,999 € in the account of the firm", "9999 €");
}

#[test]
fn figures_whose_signs_were_parted() {
    check_same("The sample had 1, 056 adults", "1,056 adults");
    check_other("The sample had 1, 056 adults", "56 adults");
    check_same("The rate was 98. 7 % of the sample", "98.7%");
    check_other("The rate was 98. 7 % of the sample", "7%");
    check_same("1, 056 adults and 2, 345 children", "1,056 adults");
    let read = |text: &str| -> Vec<f64> { quantities(text).iter().map(|q| q.value).collect() };
    assert_eq!(read("They had 1, 056 adults and 2, 345 children"), [1056.0, 2345.0]);
    // A list is a list.
    assert_eq!(read("They had 1, 156 and 300 of them"), [1.0, 156.0, 300.0]);
    assert_eq!(read("The values were 12, 345, 678 and 901"), [12.0, 345.0, 678.0, 901.0]);
    assert_eq!(read("It ended in 1998. 7 people died"), [1998.0, 7.0]);
}

#[test]
fn counts_that_look_like_years() {
    for text in [
        "About 1500 people came",
        "a survey with 2000 participants from 2000 households",
        "more than 2000 people took part",
    ] {
        assert_eq!(first(text).measure, Measure::Count, "{text}");
    }
    for text in ["In 2000 people voted", "the 2019 students", "since 1990 people have left"] {
        assert!(matches!(first(text).measure, Measure::Date(_)), "{text}");
    }
    check_same("2000 people", "2,000 people");
}

/// How a value may be written where decimals stand behind a point, and behind a comma.
fn writings(value: u64, decimals: u64, comma: bool) -> Vec<String> {
    let groups = |sign: &str| {
        let digits = value.to_string();
        let mut out = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                out.push_str(sign);
            }
            out.push(digit);
        }
        out
    };
    let (group, mark) = if comma { (".", ",") } else { (",", ".") };
    [value.to_string(), groups(group), groups("\u{a0}"), groups("\u{202f}"), groups("\u{2009}"), groups("’")]
        .map(|whole| format!("{whole}{mark}{decimals:02}"))
        .into()
}

proptest! {
    #[test]
    fn a_number_is_the_same_in_every_writing_of_its_language(value in 0u64..100_000_000, decimals in 0u64..100, comma: bool, other in 1u64..1_000_000) {
        let (before, behind) = if comma {
            ("Der Wert ist nach der Messung ", " Meter und nicht mehr")
        } else {
            ("The value of the measurement is ", " meters and not more")
        };
        let read = |written: &str| first(&format!("{before}{written}{behind}"));
        let all = writings(value, decimals, comma);
        for one in &all {
            for two in &all {
                prop_assert_eq!(compare(&read(one), &read(two)), Agreement::Same, "{} {}", one, two);
            }
            for two in writings(value + other, decimals, comma) {
                prop_assert_ne!(compare(&read(one), &read(&two)), Agreement::Same, "{} {}", one, two);
            }
        }
    }
}

#[test]
fn number_words_and_months_are_those_of_the_language() {
    let read = |text: &str| -> Vec<String> {
        quantities(text).iter().filter(|q| q.is_measured()).map(|q| q.span.slice(text).to_owned()).collect()
    };
    for text in [
        "The troops were ordered to seize the town and the quince trees of the valley",
        "They bought a quart of milk and an elf for the tree in the hall",
        "Ten kraj jest jednym z tych, który nie ma dostępu do morza",
    ] {
        assert_eq!(read(text), [""; 0], "{text}");
    }
    assert_eq!(read("Le village compte seize familles et il est très ancien"), ["seize"]);
    assert_eq!(read("El pueblo tiene quince familias y es muy antiguo"), ["quince"]);
    let mars = quantities("The rover of the Mars 2020 mission has landed on the plain");
    assert!(mars.iter().all(|q| !matches!(q.measure, Measure::Date(date) if date.month.is_some())), "{mars:?}");
    let mars = quantities("La loi est entrée en vigueur en mars 2020 dans tout le pays");
    assert!(mars.iter().any(|q| matches!(q.measure, Measure::Date(date) if date.month == Some(3))), "{mars:?}");
    assert_eq!(first("It was a fast 100 m race of the boys").bound, Bound::Exact);
    assert_eq!(first("Es waren fast 100 m und nicht mehr").bound, Bound::About);
    assert_eq!(first("Most of the walls are older than 40 years").bound, Bound::AtLeast);
    assert_eq!(first("Die Bewohner des Hauses sind jünger als 40 Jahre").bound, Bound::AtMost);
}

#[test]
fn magnitude_words_of_every_language() {
    // One row a language: the words that make a thousand, a million and so on of a number.
    let table: &[(&str, &[(&str, f64)])] = &[
        ("en", &[("thousand", 1e3), ("million", 1e6), ("billion", 1e9), ("trillion", 1e12)]),
        ("de", &[("Tausend", 1e3), ("Tsd", 1e3), ("Mio", 1e6), ("Millionen", 1e6), ("Mrd", 1e9), ("Billionen", 1e12)]),
        ("fr", &[("mille", 1e3), ("milliers", 1e3), ("millions", 1e6), ("milliards", 1e9), ("Md", 1e9)]),
        ("es", &[("mil", 1e3), ("millones", 1e6), ("mil millones", 1e9), ("billones", 1e12)]),
        ("pt", &[("mil", 1e3), ("milhão", 1e6), ("milhões", 1e6), ("mil milhões", 1e9), ("bilhão", 1e9)]),
        ("pt", &[("bilhões", 1e9), ("trilhões", 1e12), ("Milhões", 1e6)]),
        ("it", &[("mila", 1e3), ("milioni", 1e6), ("mln", 1e6), ("miliardi", 1e9), ("mld", 1e9)]),
        ("nl", &[("duizend", 1e3), ("miljoen", 1e6), ("mln", 1e6), ("miljard", 1e9), ("biljoen", 1e12)]),
        (
            "pl",
            &[("tysięcy", 1e3), ("tys", 1e3), ("miliony", 1e6), ("milionów", 1e6), ("miliardów", 1e9), ("mld", 1e9)],
        ),
        ("cs", &[("tisíc", 1e3), ("tis", 1e3), ("milionů", 1e6), ("miliardy", 1e9), ("bilionů", 1e12)]),
        ("sv", &[("tusen", 1e3), ("miljoner", 1e6), ("miljarder", 1e9), ("mdr", 1e9)]),
        ("da", &[("tusind", 1e3), ("millioner", 1e6), ("mio", 1e6), ("milliarder", 1e9), ("mia", 1e9)]),
        ("no", &[("tusen", 1e3), ("millioner", 1e6), ("mill", 1e6), ("milliarder", 1e9), ("mrd", 1e9)]),
        ("fi", &[("tuhatta", 1e3), ("miljoonaa", 1e6), ("milj", 1e6), ("miljardia", 1e9), ("mrd", 1e9)]),
        ("ru", &[("тысяч", 1e3), ("тыс", 1e3), ("миллионами", 1e6), ("млн", 1e6), ("миллиардов", 1e9), ("трлн", 1e12)]),
        ("uk", &[("тисяч", 1e3), ("тис", 1e3), ("мільйонів", 1e6), ("млн", 1e6), ("мільярди", 1e9), ("млрд", 1e9)]),
        ("tr", &[("bin", 1e3), ("milyon", 1e6), ("milyar", 1e9), ("trilyon", 1e12)]),
        ("zh", &[("万", 1e4), ("百万", 1e6), ("亿", 1e8), ("十亿", 1e9)]),
        ("ko", &[("천", 1e3), ("만", 1e4), ("백만", 1e6), ("억", 1e8), ("조", 1e12)]),
        ("ar", &[("ألف", 1e3), ("مليون", 1e6), ("ملايين", 1e6), ("مليار", 1e9)]),
        ("hi", &[("हज़ार", 1e3), ("लाख", 1e5), ("करोड़", 1e7), ("अरब", 1e9)]),
        ("id", &[("ribu", 1e3), ("juta", 1e6), ("miliar", 1e9), ("triliun", 1e12)]),
        ("vi", &[("nghìn", 1e3), ("triệu", 1e6), ("tỷ", 1e9)]),
    ];
    for (language, words) in table {
        for (word, factor) in *words {
            for text in [format!("4 {word}"), format!("4 {word}.")] {
                let found = quantities(&text);
                let value = found.first().map(|quantity| quantity.value);
                assert_eq!(value, Some(4.0 * factor), "{language}: {text}");
            }
        }
    }
    check_pair("O estado tem 3,5 milhões de carros.", "O estado tem 3.500.000 carros.", Agreement::Same);
    check_pair("O estado tem 3,5 milhões de carros.", "O estado tem 350.000 carros.", Agreement::Different);
    check_pair("A dívida é de 2,5 bilhões de reais.", "A dívida é de R$ 2.500 milhões.", Agreement::Same);
    check_pair("Жителей 640 тыс. человек.", "Жителей 0,64 млн человек.", Agreement::Same);
    // In another language the word is no magnitude.
    let german = quantities("Ich war nie so froh wie heute, und mit 40 bin ich endlich zu Hause.");
    assert_eq!(german.first().map(|quantity| quantity.value), Some(40.0));
}

#[test]
fn a_note_mark_behind_a_unit_is_no_part_of_it() {
    for text in ["It holds 1,250 Wh¹ at most.", "It holds 1,250 Wh¹."] {
        assert_eq!(quantities(text)[0].measure, quantities("1,250 Wh")[0].measure, "{text}");
    }
    assert_eq!(compare(&quantities("54 US cents")[0], &quantities("USD 0.54")[0]), Agreement::Same);
    assert_eq!(quantities("58 m²")[0].measure, quantities("58 square metres")[0].measure);
}

/// Sentences that somebody wrote without sight of the code: whose numbers measure something, and whose only number items.
#[test]
fn numbers_of_lists_that_nobody_looked_at() {
    let cases = include_str!("../../../../testdata/blind/lists/sentences.jsonl");
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for case in cases.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()) {
        let (text, measured) = (case["text"].as_str().unwrap(), case["measured"].as_bool().unwrap());
        match (is_measured(text), measured) {
            (true, false) => ours.push(text.to_owned()),
            (false, true) => theirs.push(text.to_owned()),
            _ => {}
        }
    }
    // Left are ordinals (*1°*, *N.º 1*), Devanagari, and values in brackets (*noise (31)*), which may be citations.
    assert!(
        ours.len() <= 4 && theirs.len() <= 15,
        "{} measured, {} not:\n{ours:#?}\n{theirs:#?}",
        ours.len(),
        theirs.len()
    );
}

/// The quantities and figures that a text has in words.
fn values_in_words(text: &str) -> Vec<f64> {
    let read = quantities(text);
    let (exact, inexact) = super::figures(text, &read, |q| q.value >= 2.0);
    let exact = exact.iter().map(|figure| figure.value);
    let inexact = inexact.iter().map(|_| f64::INFINITY);
    read.iter().filter(|q| q.spelled && q.value >= 2.0).map(|q| q.value).chain(exact).chain(inexact).collect()
}

#[test]
fn numbers_are_read_in_words_of_many_languages() {
    for (text, value) in [
        ("La flotta ha sei traghetti e non ne vende.", 6.0),
        ("La rete serve quattordici porti.", 14.0),
        ("La rete serve novantanove porti.", 99.0),
        ("A frota tem vinte e dois navios.", 22.0),
        ("De vloot heeft veertien schepen.", 14.0),
        ("De vloot heeft tweeëntwintig schepen.", 22.0),
        ("Flotan har fjorton fartyg.", 14.0),
        ("Flota ma czternaście statków.", 14.0),
        ("Flota ma dwadzieścia trzy statki i nie jest mała.", 23.0),
        ("Das Netz hat neunundneunzig Häfen.", 99.0),
        ("La red tiene treinta y cinco puertos.", 35.0),
        ("La red tiene doscientos veinte puertos.", 220.0),
        ("У сети двести тридцать пять портов.", 235.0),
        ("Filoda on dört gemi var ve bu daha çok.", 14.0),
        ("في الميناء أربعة عشر سفينة.", 14.0),
        ("في الميناء خمسة وعشرون سفينة.", 25.0),
        ("배가 열네 척 있다.", 14.0),
        ("배가 이십삼 척 있다.", 23.0),
        ("बेड़े में चौदह जहाज हैं।", 14.0),
        ("बेड़े में पंद्रह जहाज हैं।", 15.0),
        ("它们运营九条航线。", 9.0),
        ("船队有七艘渡轮。", 7.0),
        ("店が百軒ある。", 100.0),
        ("港が三つある。", 3.0),
        ("猫が七匹いる。", 7.0),
        ("Decenas de puertos cerraron.", f64::INFINITY),
        ("Le réseau dessert des dizaines de ports.", f64::INFINITY),
        ("Il y a mille ports.", 1000.0),
    ] {
        assert!(values_in_words(text).contains(&value), "{text}: {:?}", values_in_words(text));
    }
    for text in [
        "The rent is due on Friday.",
        "Otto Hahn war der Leiter des Instituts.",
        "La tasa es del doce por ciento.",
        "Le bâtiment est neuf.",
    ] {
        let two = |value: &&f64| **value >= 2.0 && [12.0, 9.0].iter().all(|other| (**value - other).abs() > 0.5);
        assert_eq!(values_in_words(text).iter().find(two), None, "{text}");
    }
}
