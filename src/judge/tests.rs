use proptest::prelude::*;

use super::{CheckKind, CheckResult, ClaimText, Settings, SourceText, Standing, Verdict, judge};
use crate::claim::ClaimKind;
use crate::quantity::Habit;

fn verdict(claim: &str, source: &str) -> Verdict {
    judge(&ClaimText::new(claim, ClaimKind::Plain), &SourceText::new(source, "0"), &Settings::default())
}

/// What the signs of a room are held to: a page supports a claim, or does not and says nothing against it either.
#[track_caller]
pub(in crate::judge) fn check_support(page: &str, claim: &str, supported: bool) {
    let verdict = verdict(claim, page);
    assert_eq!(verdict.standing == Standing::Supported, supported, "{claim}: {verdict:?}");
    assert_ne!(verdict.standing, Standing::Contradicted, "{claim}: {verdict:?}");
}

/// The same for rows of a page, a claim that it supports, and one that it does not.
pub(in crate::judge) fn check_table(table: &[(&str, &str, &str)]) {
    for (page, right, wrong) in table {
        assert_eq!(verdict(right, page).standing, Standing::Supported, "{right}");
        assert_ne!(verdict(wrong, page).standing, Standing::Supported, "{wrong}");
    }
}

fn check(claim: &str, source: &str, standing: Standing, reason: &str) {
    let verdict = verdict(claim, source);
    assert_eq!(verdict.standing, standing, "{claim:?} by {source:?}: {verdict:?}");
    assert!(verdict.reason.contains(reason), "{claim:?} by {source:?}: {:?}", verdict.reason);
    let proven = matches!(standing, Standing::Contradicted);
    assert!(!proven || verdict.hard, "a contradiction without a hard check: {verdict:?}");
}

#[test]
fn a_month_that_looks_like_a_hedge_is_none() {
    let source = SourceText::new("Revenue fell 8% in May. It was a hard year.", "");
    let claim = ClaimText::new("Revenue rose 8% in May.", ClaimKind::Quantitative);
    assert_eq!(judge(&claim, &source, &Settings::default()).standing, Standing::Contradicted);
}

#[test]
fn a_denial_of_others_than_the_passage_counts_is_no_clash() {
    let devices = "Sur les douze appareils immergés, neuf sont récupérés en trois mois.";
    let verdict = verdict("Trois des douze appareils immergés n'ont pas été récupérés.", devices);
    assert_ne!(verdict.standing, Standing::Contradicted, "{verdict:?}");
    let all = "Les douze appareils immergés sont récupérés.";
    check("Les douze appareils immergés n'ont pas été récupérés.", all, Standing::Contradicted, "it does not deny it");
}

#[test]
fn a_denied_comparison_denies_a_difference() {
    let page = "Adults pay £6.50, up from £5.00 before the closure; children under 16 pay £3.00, as they did before.";
    let same = verdict("Children under 16 do not have to pay more than they did before the closure.", page);
    assert_ne!(same.standing, Standing::Contradicted, "{same:?}");
    check("Children under 16 do not pay.", page, Standing::Contradicted, "it does not deny it");
}

#[test]
fn what_the_greatest_value_of_a_sentence_leaves_is_not_missing() {
    let page = "The repair of the bridge cost 42 million crowns, of which the state paid 28 million crowns, the town 10 million crowns, and donors gave the rest. It was finished in spring.";
    for (claim, missing) in [
        ("Donors gave 4 million crowns for the repair of the bridge.", false),
        ("Without the state, 14 million crowns were left to pay for the repair of the bridge.", false),
        ("Donors gave 23 million crowns for the repair of the bridge.", true),
    ] {
        assert_eq!(verdict(claim, page).hard, missing, "{claim}: {:?}", verdict(claim, page));
    }
}

#[test]
fn a_bound_of_something_else_is_no_value() {
    let page = "At week 24 63% of patients had serum urate below 6 mg/dL. At baseline mean serum urate was 8.3 mg/dL.";
    let mean = verdict("Mean serum urate at baseline was 6 mg/dL.", page);
    assert_ne!(mean.standing, Standing::Supported, "{mean:?}");
    check("At week 24 63% of patients had serum urate below 6 mg/dL.", page, Standing::Supported, "");
}

#[test]
fn a_claim_of_one_word_and_a_quotation_quotes() {
    check(
        "It “found nine leaks and two cracks”.",
        "It found two cracks and nine leaks.",
        Standing::Contradicted,
        "quote",
    );
    check("“It found nine leaks and two cracks.”", "It found nine leaks and two cracks.", Standing::Supported, "");
}

#[test]
fn a_sentence_writes_decimals_as_its_document_does() {
    let page = "Der Fluss ist 1,2 km lang. Die Stadt hat 12.500 Einwohner und 4,5 % Leerstand.";
    let text = "Der Fluss ist 1.200 km lang.";
    let habit =
        Habit::of("Der Fluss ist 1.200 km lang. Die Stadt hat nach der Zählung 12.500 Einwohner und 4,5 % Leerstand.");
    let claim = ClaimText::new(text, ClaimKind::Plain).written_by(habit);
    let verdict = judge(&claim, &SourceText::new(page, "0"), &Settings::default());
    assert_eq!(verdict.standing, Standing::Contradicted, "{verdict:?}");
    // What a sentence shows itself goes before.
    let english = ClaimText::new("The river is 1.200 km long, and that is the best guess.", ClaimKind::Plain);
    let page = "The river is 1.2 km long, and that is the best guess.";
    let verdict = judge(&english.written_by(habit), &SourceText::new(page, "0"), &Settings::default());
    assert_eq!(verdict.standing, Standing::Supported, "{verdict:?}");
}

#[test]
fn numbers_are_compared_at_the_precision_of_the_claim() {
    use Standing::{Contradicted, Supported};
    check(
        "The model scores 94.2% on MMLU.",
        "The model scores 49.2% on MMLU.",
        Contradicted,
        "number not in source: 94.2% (source has 49.2%)",
    );
    check("The corpus has 1.2 million documents.", "The corpus contains 1,200,000 documents.", Supported, "");
    check(
        "Revenue rose 18% week over week.",
        "Revenue rose 8% week over week.",
        Contradicted,
        "number not in source: 18% (source has 8%)",
    );
    check(
        "Latency fell from 30 ms to 12 ms.",
        "Latency rose from 12 ms to 30 ms.",
        Contradicted,
        "numbers in a different order in source",
    );
    check("Latency fell from 30 ms to 12 ms.", "Latency fell from 30 ms to 12 ms.", Supported, "");
    check("收入增长了18%。", "收入增长了8%。", Contradicted, "number not in source: 18% (source has 8%)");
    check(
        "Der Umsatz stieg um 18 %.",
        "Der Umsatz stieg um 8 %.",
        Contradicted,
        "number not in source: 18 % (source has 8 %)",
    );
    check(
        "La empresa creció un 12 % en 2023.",
        "La empresa creció un 21 % en 2023.",
        Contradicted,
        "(source has 21 %)",
    );
    check("La société compte 1 200 salariés.", "La société compte 2 100 salariés.", Contradicted, "(source has 2 100)");
    check("Выручка выросла на 18 %.", "Выручка выросла на 8 %.", Contradicted, "(source has 8 %)");
    check("売上高は120億円だった。", "売上高は210億円だった。", Contradicted, "(source has 210億円)");
}

#[test]
fn nothing_about_the_number_is_guessed() {
    // The orbit is worded so differently that only the number speaks for it.
    let orbit =
        verdict("The Earth orbits the Sun at ~150 million km.", "Earth's orbital distance averages 149.6 million km.");
    assert!(!orbit.hard && orbit.standing != Standing::Contradicted, "{orbit:?}");
    let found = orbit.checks.iter().find(|check| check.kind == CheckKind::Quantity);
    assert_eq!(found.map(|check| &check.result), Some(&CheckResult::Agrees));
}

#[test]
fn the_right_number_of_the_wrong_thing_is_no_support() {
    let daily = verdict("12% of adults use AI tools.", "12% of adults use AI tools daily.");
    assert!(matches!(daily.standing, Standing::Weak | Standing::Unverifiable) && !daily.hard, "{daily:?}");
    check(
        "The model scores 94.2% on MMLU.",
        "The model scores 94.2% on HellaSwag and 49.2% on MMLU.",
        Standing::Contradicted,
        "(source has 49.2%)",
    );
    let other = verdict("McKinsey reports that 12% of adults use AI tools daily.", "45% of adults use AI tools.");
    assert_eq!(other.standing, Standing::Unverifiable, "{other:?}");
}

#[test]
fn both_surveys_are_supported_by_their_own_source() {
    for (claim, page, address) in [
        ("Pew reports that 45% of adults use AI tools.", "45% of adults use AI tools.", "https://pew.example/ai"),
        (
            "McKinsey reports that 12% of adults use AI tools daily.",
            "12% of adults use AI tools daily.",
            "https://mckinsey.example/ai",
        ),
    ] {
        // A source need not name itself: its address does.
        let source = SourceText::new(page, "").about(address);
        let verdict = judge(&ClaimText::new(claim, ClaimKind::Attribution), &source, &Settings::default());
        assert_eq!((verdict.standing, verdict.hard), (Standing::Supported, true), "{claim:?}: {verdict:?}");
    }
}

#[test]
fn a_number_that_is_nowhere_is_absent_only_from_a_whole_page() {
    let page = "The harbour handled record traffic. Its cranes were renewed, and 4 berths were added in spring.";
    let claim = ClaimText::new("The harbour employs 1,340 people.", ClaimKind::Quantitative);
    let whole = judge(&claim, &SourceText::new(page, ""), &Settings::default());
    assert_eq!((whole.standing, whole.hard), (Standing::Unverifiable, true), "{whole:?}");
    assert_eq!(whole.reason, "number not in source: 1,340");
    let cut = judge(&claim, &SourceText::new(page, "").complete(false), &Settings::default());
    assert!(!cut.hard, "{cut:?}");
}

#[test]
fn quotations_have_to_be_there() {
    let page = "“We will not raise prices this year,” the chief executive said on Monday.";
    check("She said “we will not raise prices this year”.", page, Standing::Supported, "quotation");
    check("She said “we will surely cut prices this year”.", page, Standing::Contradicted, "quote not in source");
    check("They call it “”.", page, Standing::Contradicted, "empty quotation");
    let german =
        "„Wir werden die Preise in diesem Jahr nicht erhöhen“, sagte die Chefin am Montag, als sie gefragt wurde.";
    let translated = verdict("When she was asked, she said that “we will not raise prices this year”.", german);
    assert!(!translated.hard, "a translated quotation is no misquotation: {translated:?}");
}

#[test]
fn opposites_contradict_where_the_words_are_the_same() {
    use Standing::Contradicted;
    check(
        "The study found that exercise does not reduce mortality.",
        "The study found that exercise reduces mortality.",
        Contradicted,
        "opposite",
    );
    check("Revenue fell 8% in 2023.", "Revenue rose 8% in 2023.", Contradicted, "“rose”, not “fell”");
    check(
        "The largest plant stands in the north of the city.",
        "The smallest plant stands in the north of the city.",
        Contradicted,
        "“smallest”, not “largest”",
    );
    check(
        "Jane Roe died on May 3, 1977.",
        "Jane Roe (born May 3, 1977) is a singer.",
        Contradicted,
        "“born”, not “died”",
    );
    for (claim, source) in [
        ("The library is not only fast but also small.", "The library is fast and small."),
        (
            "An allophone is a resident whose language is not French.",
            "An allophone is a resident whose language is neither French nor English.",
        ),
        ("Revenue rose 8% in 2023.", "Revenue rose 8% in 2023 and fell in 2024."),
        ("Jane Roe died in 2009.", "Jane Roe (born Jane Doe; May 13, 1922 – April 25, 2009) was an American actress."),
    ] {
        let verdict = verdict(claim, source);
        assert_ne!(verdict.standing, Contradicted, "{claim:?} by {source:?}: {verdict:?}");
    }
}

#[test]
fn the_words_round_a_number_say_what_it_is_of() {
    use Standing::{Contradicted, Unverifiable, Weak};
    let page = "It is reported that there are more than 70 Chinese translations of the novella in print.";
    let claim = "The novella, which children love, has more than 49 Chinese translations.";
    // More than 70 are more than 49 as well: nothing is wrong, and it is not what the source says.
    check(claim, page, Weak, "something like it");
    check(&claim.replace("more than 49", "49"), page, Unverifiable, "not in source: 49");
    check(
        "As I Lay Dying is a 1925 Southern Gothic novel by William Faulkner.",
        "As I Lay Dying is a 1930 Southern Gothic novel by the American author William Faulkner.",
        Contradicted,
        "(source has 1930)",
    );
    // The year stands on the page, beside something else.
    check(
        "The harbour bridge was opened to traffic in 1987.",
        "The harbour bridge was opened to traffic by the mayor in 1991. In the town, a theatre closed in 1987 after a fire.",
        Unverifiable,
        "1987 (the passage has 1991)",
    );
    // Restricted in the claim and not on the page: another thing.
    let daily = verdict("12% of adults use AI tools daily.", "45% of adults use AI tools.");
    assert_ne!(daily.standing, Contradicted, "{daily:?}");
    let dated = verdict("He died in Calgary on May 19 2018.", "The naturalist died on May 7 in Calgary. He was 76.");
    assert_eq!((dated.standing, dated.hard), (Unverifiable, false), "{dated:?}");
    let decade =
        verdict("The film was shown in the 1950's.", "The film was shown to large crowds in halls everywhere.");
    assert!(matches!(decade.standing, Weak), "{decade:?}");
    let page = "Winesburg is a 1919 novel by Anderson. The 2008 novel Indignation is set in Winesburg too.";
    let century = verdict("Winesburg is a novel written in the 1900's.", page);
    assert!(!century.reason.starts_with("number not"), "{century:?}");
}

#[test]
fn what_a_sentence_denies_or_only_would_have_had_is_no_support() {
    let none = "None of the 412 volunteers had to stay in hospital. The trial was unlike the earlier one.";
    let neither = "This trial was neither funded nor reviewed by the manufacturer. It lasted three years.";
    let would = "Had it passed, shops would have been allowed to open on Sundays from July. They stay shut.";
    check_table(&[
        (none, "None of the 412 volunteers had to stay in hospital.", "The 412 volunteers had to stay in hospital."),
        (
            neither,
            "The trial was neither funded nor reviewed by the manufacturer.",
            "The trial was funded by the manufacturer.",
        ),
        (
            would,
            "Had it passed, shops would have been allowed to open on Sundays from July.",
            "Shops were allowed to open on Sundays from July.",
        ),
    ]);
    // Denied in other words, or once for both, it is the same.
    for claim in ["The trial was not funded by the manufacturer.", "The manufacturer neither funded nor reviewed it."] {
        assert_ne!(verdict(claim, neither).standing, Standing::Contradicted, "{claim}");
    }
    check(
        "The trial was neither funded nor reviewed by the manufacturer.",
        "The trial was funded and reviewed by the manufacturer. It lasted three years.",
        Standing::Contradicted,
        "source says the opposite",
    );
}

#[test]
fn a_quotation_with_other_small_words_is_noted_and_no_contradiction() {
    let page = "The chief executive said that the company failed to get the balance right after raising prices.";
    let claim = "The company “did not get the balance right”, said the chief executive.";
    check(claim, page, Standing::Weak, "slightly other words");
    check(
        "The company “got the balance right after raising prices”, said the chief executive.",
        page,
        Standing::Contradicted,
        "quote not in source",
    );
    // What leaves a little is no full denial, and one full denial is as good as another.
    let page =
        "An engineer noted that “the pumps were rarely tested under load”. The crew never answered the call for help.";
    for altered in ["“the pumps were never tested under load”", "“the pumps were not tested under load”"] {
        check(&format!("An engineer noted that {altered}."), page, Standing::Contradicted, "quote not in source");
    }
    check("An engineer noted that “the pumps were rarely tested under load”.", page, Standing::Supported, "");
    check("The report says that “the crew did not answer the call”.", page, Standing::Weak, "slightly other words");
    // Nor with another writing of its numbers.
    check(
        "They write that “97.1 percent of the 1200 ferries were repaired”.",
        "They write that 97.1% of the 1,200 ferries were repaired at once.",
        Standing::Weak,
        "slightly other words",
    );
    check(
        "They write that “97.1 percent of the 1200 ferries were repaired”.",
        "They write that 79.1% of the 1,200 ferries were repaired at once.",
        Standing::Contradicted,
        "",
    );
    check(
        "She said “we may raise the prices this year”.",
        "“We will raise prices this year,” she said.",
        Standing::Contradicted,
        "quote not in source",
    );
}

#[test]
fn only_what_the_other_says_can_be_denied() {
    for (claim, source) in [
        ("Phelps and Reggi were the champions but did not compete.", "Phelps and Reggi were the champions."),
        (
            "Jeong has refused to work under FNC Entertainment.",
            "Jeong repeatedly turned down offers to work under FNC Entertainment.",
        ),
    ] {
        let verdict = verdict(claim, source);
        assert_ne!(verdict.standing, Standing::Contradicted, "{claim:?} by {source:?}: {verdict:?}");
    }
}

#[test]
fn a_page_about_the_subject_need_not_repeat_its_name() {
    let claim = ClaimText::new("The Silver Searcher has had no release since 2018.", ClaimKind::Plain);
    let page = || SourceText::new("Releases. Latest: 2.2.0, 2018-08-07. No release since 2018.", "");
    let named = page().about("https://github.com/ggreer/the_silver_searcher/releases");
    let verdict = judge(&claim, &named, &Settings::default());
    // The names of the page count as found: the first features are the parts of the claim's words.
    let found = |source: &SourceText<'_>| super::examined::examine(&claim, source, f64::MAX).features[0];
    assert!(found(&named) > found(&page()) + 0.2, "{verdict:?}");
    assert!(matches!(verdict.standing, Standing::Weak | Standing::Supported), "{verdict:?}");
}

#[test]
fn the_passage_is_a_slice_of_the_page_wherever_it_stands() {
    let filler = "Nothing of interest happened on that day in the valley. ".repeat(3000);
    let page = format!("{filler}The bridge carried 48,211 cars a day in 2022. {filler}");
    let verdict = verdict("In 2022 the bridge carried 48,211 cars a day.", &page);
    assert_eq!(verdict.standing, Standing::Supported, "{verdict:?}");
    let passage = verdict.passage.unwrap();
    assert_eq!(passage.offsets.of(&page), passage.text);
    assert!(passage.text.contains("48,211"));
}

proptest! {
    #[test]
    fn any_claim_can_be_judged_by_any_page(claim in "\\PC{0,80}", page in "\\PC{0,160}") {
        let verdict = verdict(&claim, &page);
        prop_assert!((0.0..=1.0).contains(&verdict.confidence));
        if let Some(passage) = verdict.passage {
            prop_assert_eq!(page.get(passage.offsets.start..passage.offsets.end), Some(passage.text.as_str()));
        }
    }

    #[test]
    fn claims_like_soup_never_panic(
        claim in "[a-cA-C0-9 \u{a0}\u{3000}.,%$€“”\"'年月日万から到至不没–-]{0,60}",
        page in "[a-cA-C0-9 \u{a0}\u{3000}.,%$€“”\"'年月日万から到至不没。\n–-]{0,120}",
    ) {
        let verdict = verdict(&claim, &page);
        prop_assert!(verdict.standing != Standing::Contradicted || verdict.hard);
    }

    #[test]
    fn a_page_never_contradicts_its_own_sentence(words in proptest::collection::vec(
        "(not|no|rose|fell|12%|30 ms|from|to|the|market|price|2019|more|less|than|and|1,200|0\\.5|-3|\\$3 million|in March|on 5 May,|two|a third|\
          2 dozen|10–12|2000 years|half|about|Vlissing|“so it was said”|[a-z]{3,7})",
        4..14,
    ), lead in "(|The town reports: )") {
        let sentence = format!("{}.", words.join(" "));
        let page = format!("Some other words first. {lead}{sentence} And some more words later.");
        let verdict = verdict(&sentence, &page);
        prop_assert_ne!(verdict.standing, Standing::Contradicted);
        prop_assert!(!verdict.reason.starts_with("number not in"), "{:?}", verdict);
    }
}

/// What the number checks say of a claim, whatever its words are worth.
fn check_number(claim: &str, source: &str, noticed: bool) {
    let verdict = verdict(claim, source);
    assert_eq!(verdict.reason.starts_with("number not"), noticed, "{claim:?} by {source:?}: {verdict:?}");
}

#[test]
fn an_end_of_a_range_that_is_nowhere_is_noticed() {
    let page = "The test shows the mean level of sugar over the past 3 months. It was approved in 2002.";
    check_number("The test shows the mean level of sugar over the past 2 to 9 months.", page, true);
    let page = "The change takes place over the academic year 2018-2019.";
    check_number("The change takes place over the academic year 2012–19.", page, true);
    check_number("The change takes place over the academic year 2018–19.", page, false);
    let page = "He missed the playoffs once, in 2007 -- 08.";
    check_number("He missed the playoffs once, in 2007-2008.", page, false);
}

#[test]
fn a_bound_or_a_range_of_something_else_is_nothing_of_a_value() {
    let page = "The platform sells products of over 700 boutiques around the world and has 10 offices.";
    check_number("The offices of the platform stand in over 8 locations around the world.", page, true);
    let page = "Lamps use up to 90 percent less electricity. The ban began on September 1, 2018.";
    check_number("Lamps use 1 percent less electricity.", page, true);
    let page = "The hub gives access to over 3,000 titles. Fewer than 40 of them cost money.";
    check_number("The hub gives access to over 3,400 titles.", page, true);
    check_number("The hub gives access to over 3,000 titles.", page, false);
    check_number("Fewer than 30 of the titles cost money.", page, true);
}

#[test]
fn what_is_open_or_in_other_words_is_not_absent() {
    let page = "The album was released on May 9, 2006. They had three children.";
    check_number("The album was released in or before 2009.", page, false);
    check_number("The album was released in 2009.", page, true);
    check_number("They had 3 kids.", page, false);
    // The page of a thing whose name ends in a number need not repeat it.
    let page = "Produced by Illumination, the film was directed by Pierre Coffin in France.";
    check_number("Blade Fighter 2 was directed by Pierre Coffin.", page, false);
    check_number("Remember Me 2 was directed by Pierre Coffin.", page, false);
    check_number("Harbour (2008 film) was directed by Pierre Coffin.", page, false);
    check_number("The 2008 film was directed by Pierre Coffin.", page, true);
    let page = "Jane Roe (born February 7, 1978) is a comedian.";
    check_number("Jane Roe was born in the 1970's.", page, false);
}

#[test]
fn a_number_that_names_is_compared_with_the_page_s() {
    let page = "An A1C test tells whether you are at risk of type 2 diabetes. It shows the past 3 months.";
    check_number("The best test for type 3 diabetes is the A1C test.", page, true);
    check_number("The best test for type 2 diabetes is the A1C test.", page, false);
    check_number("The best test for level 3 diabetes is the A1C test.", page, false);
    let page = "SRGP-1 is a GTPase activating protein for CED-10. SHP2 and SHP-1 are enzymes, as are DUB-4 and 5.";
    check_number("SRGP-1 is a GTPase activating protein for CED-10.", page, false);
    check_number("SRGP-1 is a GTPase activating protein for CED-30.", page, true);
    check_number("SHP-2 is an enzyme.", page, false);
    check_number("DUB-5 is an enzyme.", page, false);
    check_number("DUB-7 is an enzyme.", page, true);
}

#[test]
fn a_space_of_several_bytes_before_a_numbered_thing_is_a_space() {
    let page = "An A1C test tells the risk of\u{a0}type 2 diabetes\u{3000}in 5\u{85}people.";
    check_number("The A1C test tells the risk of\u{a0}type 2 diabetes.", page, false);
    check_number("The A1C test tells the risk of\u{3000}type 3 diabetes.", page, true);
}

#[test]
fn a_term_has_both_its_ends() {
    let page =
        "Jane Roe, born in 1957, served as ambassador to Japan from 2013 to 2017. She left Japan in January 2021.";
    check_number("Jane Roe served as ambassador to Japan from 2013 to 2017.", page, false);
    check_number("Jane Roe served as ambassador to Japan from 2013 to 2021.", page, true);
    check_number("Jane Roe served as ambassador to Japan from 1957 to 2017.", page, true);
    check_number("Jane Roe served as ambassador to Japan in 2013–2017.", page, false);
    let page = "Jane Roe served as ambassador to Japan from 2000 to 2001 and from 2005 to 2013.";
    check_number("Jane Roe served as ambassador to Japan from 2005 to 2013.", page, false);
}

#[test]
fn a_life_begins_with_its_first_date_and_ends_with_its_last() {
    for page in [
        "Jane Roe (May 13, 1922 – April 25, 2009) was an American actress and singer.",
        "Jane Roe ( May 13 , 1922 -- April 25 , 2009 ) was an American actress and singer.",
    ] {
        for (claim, agrees) in [
            ("Jane Roe, an American actress, was born in 1922.", true),
            ("Jane Roe, an American actress, was born in 2009.", false),
            ("Jane Roe, an American actress, died in 2009.", true),
            ("Jane Roe, an American actress, died in 1922.", false),
        ] {
            let verdict = verdict(claim, page);
            let number = verdict.checks.iter().find(|check| check.kind == CheckKind::Quantity);
            assert_eq!(number.is_some_and(|check| check.result == CheckResult::Agrees), agrees, "{claim}: {verdict:?}");
        }
    }
}

/// Whether a claim is removed on the word of this page.
fn is_disproved(claim: &str, page: &str) -> bool {
    let verdict = verdict(claim, page);
    verdict.hard && verdict.standing != Standing::Supported || verdict.standing == Standing::Contradicted
}

#[test]
fn the_same_value_in_another_writing_is_no_other_value() {
    for (claim, page) in [
        ("The sin tax on tobacco raised 40 million crowns.", "The sin tax on tobacco raised 40 million crowns."),
        ("A sin tax on tobacco raised 40 million crowns.", "The tax on tobacco raised 40 million crowns."),
        ("The town of Averill has 12,345 inhabitants.", "The town of Averill has 12 345 inhabitants. It is old."),
        ("Die Stadt Averill hat 12.345 Einwohner.", "Die Stadt Averill hat 12 345 Einwohner und liegt am Fluss."),
        (
            "La ville d'Averill compte 12 345 habitants.",
            "La ville d'Averill compte 12\u{202f}345 habitants selon le recensement.",
        ),
        (
            "La ciudad de Averill tiene 12.345 habitantes.",
            "La ciudad de Averill tiene 12 345 habitantes según el censo.",
        ),
        ("A cidade de Averill tem 12.345 habitantes.", "A cidade de Averill tem 12 345 habitantes segundo o censo."),
        ("La città di Averill ha 12.345 abitanti.", "La città di Averill ha 12 345 abitanti secondo il censimento."),
        ("De stad Averill heeft 12.345 inwoners.", "De stad Averill heeft 12 345 inwoners volgens de telling."),
        ("Miasto Averill ma 12 345 mieszkańców.", "Miasto Averill ma 12\u{a0}345 mieszkańców, jak podał urząd."),
        ("Staden Averill har 12 345 invånare.", "Staden Averill har 12\u{a0}345 invånare och ligger vid havet."),
        ("В городе Аверилл живёт 12 345 человек.", "В городе Аверилл живёт 12\u{a0}345 человек, и он очень стар."),
        ("阿维里市有12万人口。", "阿维里市有120,000人口，位于河边。"),
        ("アヴェリル市の人口は12万人です。", "アヴェリル市の人口は120,000人です。川の近くにあります。"),
        ("Readers gave the guide 4.5 out of 5.", "Readers gave the guide 4.5/5 in the survey."),
        ("The economy contracted by 2.2% in 2023.", "In 2023 the economy had growth of −2.2%."),
        ("The economy contracted by 12% in 2020.", "The economy had negative growth of 12% in 2020."),
        ("Die Wirtschaft schrumpfte 2023 um 2,2 Prozent.", "Das Wachstum der Wirtschaft lag 2023 bei −2,2 Prozent."),
        ("Le PIB a reculé de 2,2 % en 2023.", "La croissance du PIB en 2023 est de −2,2 %."),
        ("It was 20 degrees below zero in Carrow.", "In Carrow it was −20 degrees."),
        ("The trial enrolled 1,056 adults in Carrow.", "The trial enrolled 1, 056 adults in Carrow."),
        ("总额达到9610亿美元。", "总额达到961 billion美元。"),
        ("A ticket costs 9.99 euros in Tarn.", "A ticket costs 9,99 € in Tarn."),
        ("The survey asked 1,500 people in Tarn.", "The survey asked 1500 people in Tarn."),
    ] {
        assert!(!is_disproved(claim, page), "{claim} by {page}: {:?}", verdict(claim, page));
    }
}

#[test]
fn another_value_in_another_writing_is_no_support() {
    for (claim, page) in [
        ("The town of Averill has 12 inhabitants.", "The town of Averill has 12 345 inhabitants. It is old."),
        ("The town of Averill has 345 inhabitants.", "The town of Averill has 12 345 inhabitants. It is old."),
        ("Die Stadt Averill hat 12.354 Einwohner.", "Die Stadt Averill hat 12 345 Einwohner und liegt am Fluss."),
        (
            "La ville d'Averill compte 12 354 habitants.",
            "La ville d'Averill compte 12\u{202f}345 habitants selon le recensement.",
        ),
        ("В городе Аверилл живёт 12 354 человек.", "В городе Аверилл живёт 12\u{a0}345 человек, и он очень стар."),
        ("Readers gave the guide 4.5 out of 5.", "Readers gave the guide 4.5/10 in the survey."),
        ("It was 20 degrees above zero in Carrow.", "In Carrow it was 20 degrees below zero."),
        ("The run used 10^25 operations.", "The run used 1025 operations."),
        ("The ferry to Tarn takes 2h 45m.", "The ferry to Tarn takes 2 hours 54 minutes."),
        (
            "Tarn handled 845 containers in 2023.",
            "In thousands\n\nPort\tContainers 2022\tContainers 2023\nTarn\t790\t845\nAverill\t1,210\t1,190",
        ),
        ("总额达到9610亿美元。", "总额达到961 million美元。"),
    ] {
        let verdict = verdict(claim, page);
        assert_ne!(verdict.standing, Standing::Supported, "{claim} by {page}: {verdict:?}");
    }
}

#[test]
fn heads_of_tables_multiply_in_many_languages() {
    for (claim, page) in [
        (
            "Tarn handled 845,000 containers in 2023.",
            "Port\tContainers 2022 (thousands)\tContainers 2023 (thousands)\nTarn\t790\t845\nAverill\t1,210\t1,190",
        ),
        (
            "Tarn had exports of USD 5.7 million in 2023.",
            "Country\tExports 2022, USD thousand\tExports 2023, USD thousand\nTarn\t5,300\t5,700\nCarrow\t4,100\t3,900",
        ),
        (
            "Tarn hatte 2023 einen Umsatz von 4,3 Millionen Euro.",
            "Ort\tUmsatz 2022 (Mio. Euro)\tUmsatz 2023 (Mio. Euro)\nTarn\t3,9\t4,3\nCarrow\t7,1\t7,4",
        ),
        (
            "Tarn a reçu 912 000 visiteurs en 2023.",
            "Ville\tVisiteurs 2022 (en milliers)\tVisiteurs 2023 (en milliers)\nTarn\t845\t912\nCarrow\t310\t298",
        ),
        (
            "Tarn recibió 912.000 visitantes en 2023.",
            "Ciudad\tVisitantes 2022 (en miles)\tVisitantes 2023 (en miles)\nTarn\t845\t912\nCarrow\t310\t298",
        ),
        (
            "Tarn recebeu 912 mil visitantes em 2023.",
            "Cidade\tVisitantes 2022 (em milhares)\tVisitantes 2023 (em milhares)\nTarn\t845\t912\nCarrow\t310\t298",
        ),
        (
            "Tarn ha ricevuto 912.000 visitatori nel 2023.",
            "Città\tVisitatori 2022 (in migliaia)\tVisitatori 2023 (in migliaia)\nTarn\t845\t912\nCarrow\t310\t298",
        ),
        (
            "Tarn kreeg in 2023 912.000 bezoekers.",
            "Stad\tBezoekers 2022 (x duizend)\tBezoekers 2023 (x duizend)\nTarn\t845\t912\nCarrow\t310\t298",
        ),
        (
            "Tarn odwiedziło w 2023 roku 912 000 osób.",
            "Miasto\tOsoby 2022 (tys.)\tOsoby 2023 (tys.)\nTarn\t845\t912\nCarrow\t310\t298",
        ),
        (
            "Tarn hade 912 000 besökare 2023.",
            "Stad\tBesökare 2022 (tusental)\tBesökare 2023 (tusental)\nTarn\t845\t912\nCarrow\t310\t298",
        ),
        (
            "В 2023 году Тарн посетили 912 000 человек.",
            "Город\tПосетители 2022 (тыс.)\tПосетители 2023 (тыс.)\nТарн\t845\t912\nКэрроу\t310\t298",
        ),
        ("塔恩市2023年有120万人口。", "城市\t2022年人口（万人）\t2023年人口（万人）\n塔恩市\t118\t120\n卡罗市\t85\t86"),
        (
            "ターン市の2023年の売上は120億円です。",
            "市\t2022年売上（億円）\t2023年売上（億円）\nターン市\t118\t120\nカロ市\t85\t86",
        ),
    ] {
        assert!(!is_disproved(claim, page), "{claim} by {page}: {:?}", verdict(claim, page));
    }
}
