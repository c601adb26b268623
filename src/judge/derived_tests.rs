use crate::claim::ClaimKind;
use crate::judge::{ClaimText, Settings, SourceText, Standing, judge};

/// Judges a claim by a page, and says what its number may have been worked out from, if from anything.
fn check(page: &str, claim: &str, from: Option<&str>) {
    let verdict = judge(&ClaimText::new(claim, ClaimKind::Plain), &SourceText::new(page, ""), &Settings::default());
    let told = verdict.reason.split_once("numbers that give ").and_then(|(_, rest)| rest.split_once(": "));
    let told = told.map(|(_, from)| from.to_owned());
    let proved = verdict.derivation.as_ref().map(|derivation| {
        let operands: Vec<&str> = derivation.operands.iter().map(|operand| operand.text.trim()).collect();
        operands.join(", ")
    });
    assert_eq!(told.clone().or(proved.clone()).as_deref(), from, "{claim}: {verdict:?}");
    // What is worked out by a step that the claim names is proved; what may be worked out somehow is not.
    if told.is_some() {
        assert_eq!((verdict.standing, verdict.hard), (Standing::Weak, false), "{claim}");
    } else if proved.is_some() {
        assert_eq!(verdict.standing, Standing::Supported, "{claim}");
    }
}

const FIRM: &str = "Sales came to 1,250 million euros in 2022, up from 1.1 billion the year before. The firm employs 8,400 people, 600 of them in Poland.";
const VOTE: &str = "On Tuesday 312 members voted for the bill and 287 against it, with 14 abstentions.";
const RAIN: &str = "Rainfall last year was 412 mm, 38% below the average of 665 mm.";
const LIFE: &str = "Marie Curie was born in 1867. She won the prize in 1903 and died in 1934.";
const TRAFFIC: &str =
    "Some 23,000 vehicles cross the bridge every day. It opened in 1998 after ten years of construction.";

const TOWN: &str = "The town grew from 480,000 to 512,000 people between 2011 and 2021.";
const SHIP: &str = "She crossed the Atlantic 416 times in 27 years of service.";

#[test]
fn what_a_writer_worked_out_is_told_from_what_is_missing() {
    let press = "Total revenue was $412.6 million, an increase of 18% compared to $349.7 million in the third quarter of 2023. Cloud \
                 revenue was $268.1 million, up 31% year over year, and represented 65% of total revenue. License revenue declined 12% to \
                 $54.3 million, and services revenue was $90.2 million, up 7%. Gross margin was 71.8%, net income $64.7 million, or $0.90 \
                 per share, of 72 million shares, and cash flow $71.3 million.";
    check(
        press,
        "Total revenue increased by $62.9 million compared to the third quarter of 2023.",
        Some("$412.6 million, $349.7 million"),
    );
    check(FIRM, "Sales grew by 14% in 2022.", Some("1,250 million euros, 1.1 billion"));
    check(FIRM, "Sales rose by €150 million in 2022.", Some("1,250 million euros, 1.1 billion"));
    check(FIRM, "About 7% of the people work in Poland.", Some("8,400, 600"));
    check(FIRM, "Sales grew by 18% in 2022.", None);
    check(FIRM, "About 9% of the people work in Poland.", None);
    check(VOTE, "The bill passed by 25 votes.", Some("312, 287"));
    check(VOTE, "In all, 613 members voted or abstained.", Some("312, 287, 14"));
    check(VOTE, "The bill passed by 35 votes.", None);
    check(VOTE, "The bill passed with 25 votes.", None);
    check(RAIN, "Rainfall was 62% of the average.", Some("38%"));
    check(RAIN, "There was 253 mm less rain than on average.", Some("412 mm, 665 mm"));
    check(RAIN, "Rainfall was 72% of the average.", None);
    check(LIFE, "Curie died at the age of 67.", Some("1867, 1934"));
    check(LIFE, "Curie was 36 when she won the prize.", Some("1867, 1903"));
    check(LIFE, "Curie died at the age of 77.", None);
    check(TRAFFIC, "More than 8 million vehicles cross the bridge each year.", Some("23,000"));
    check(TRAFFIC, "More than 10 million vehicles cross the bridge each year.", None);
    check(TRAFFIC, "Construction began in 1988.", Some("1998, ten years"));
    check(TRAFFIC, "Construction began in 1983.", None);
    check(TOWN, "The town gained 32,000 people.", Some("480,000, 512,000"));
    check(TOWN, "The town lost 32,000 people.", None);
    check(SHIP, "On average she crossed about 15 times a year.", Some("416 times, 27 years"));
    check(SHIP, "On average she crossed about 25 times a year.", None);
}

#[test]
fn other_languages_work_out_too() {
    check(
        "Der Anteil stieg auf 44 Prozent, drei Prozentpunkte mehr als im Vorjahr. Bei der Eiche sank er von 41 auf 34 Prozent.",
        "Der Anteil lag im Vorjahr bei 41 Prozent.",
        Some("44 Prozent, drei Prozentpunkte"),
    );
    check(
        "The share is 38%, two points more than a year earlier.",
        "A year earlier the share was 36%.",
        Some("38%, two"),
    );
    check(
        "Gross margin improved by 210 basis points to 71.8%.",
        "Gross margin had been 69.7%.",
        Some("71.8%, 210 basis points"),
    );
    let page = "员工总数约15万人，其中研发人员占40%。";
    check(page, "研发人员约有6万人。", Some("15万, 40%"));
    check(
        "Le budget s'élève à 1,3 milliard d'euros, dont 45 % pour les écoles.",
        "Les écoles reçoivent 585 millions d'euros.",
        Some("1,3 milliard d'euros, 45 %"),
    );
    check(
        "Im Vorjahr wurden 1.840 Wohnungen gebaut, 2021 waren es noch 2.300.",
        "Der Wohnungsbau ging um 20 Prozent zurück.",
        Some("1.840, 2.300"),
    );
}

#[test]
fn a_value_for_another_span_of_time_is_no_other_value() {
    let claim = ClaimText::new("More than 10 million vehicles cross the bridge each year.", ClaimKind::Plain);
    let verdict = judge(&claim, &SourceText::new(TRAFFIC, ""), &Settings::default());
    assert_ne!(verdict.standing, Standing::Contradicted, "{verdict:?}");
}
