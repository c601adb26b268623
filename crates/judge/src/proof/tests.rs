//! Pages with tables and values, and what they prove.

use crate::{ClaimText, Settings, SourceText, judge};
use cited_core::claim::ClaimKind;
use cited_core::verdict::CheckKind;
use cited_core::verdict::Standing;

const MILLS: &str = "Mills of the valley\n\nTable 1. Mills and output by district, output in thousands of tonnes\n\nDistrict\tMills\tOutput\t\t\n\t\t2021\t2022\tChange, %\nUpper Brenn\t14\t40.0\t44.0\t10.0\nLower Brenn\t9\t25.0\t20.0\t-20.0\nTarn\t22\t120.5\t118.0\t-2.1\nAll districts\t45\t185.5\t182.0\t-1.9\n\nFigures for 2022 were revised in March.";

const TENTS: &str = "Tents compared\n\nFeature\tKite\tKite Max\nSize\nFloor area (m²)\t4.2\t6.8\nHeight\t120 cm\t185 cm\nGeneral\nWeight\t2,400 g\t3.9 kg\nPrice incl. VAT\t€219\t€349";

#[track_caller]
fn check(page: &str, claim: &str, expected: Standing, reason: &str) {
    let source = SourceText::new(page, "");
    let verdict = judge(&ClaimText::new(claim, ClaimKind::Quantitative), &source, &Settings::default());
    assert_eq!((verdict.standing, verdict.reason.contains(reason)), (expected, true), "{claim}: {verdict:?}");
}

#[test]
fn a_cell_says_what_its_heads_and_its_title_make_of_it() {
    let has = |claim, words| check(MILLS, claim, Standing::Supported, words);
    has(
        "Tarn produced 118,000 tonnes in 2022.",
        "118.0 (Tarn, Output, 2022, Table 1. Mills and output by district, output in thousands of tonnes)",
    );
    has("Upper Brenn has 14 mills and Lower Brenn has 9.", "14 (Upper Brenn, Mills)");
    has(
        "In 2021 the mills of Upper Brenn had an output of 40 thousand tonnes.",
        "40.0 (Upper Brenn, Output, 2021, Table 1.",
    );
    let has = |claim, words| check(TENTS, claim, Standing::Supported, words);
    has("The Kite Max has a floor area of 6.8 square metres.", "6.8 (Size, Floor area (m²), Kite Max)");
    has("The Kite weighs 2.4 kg.", "2,400 g (General, Weight, Kite)");
    has("The Kite Max costs about €350.", "€349 (General, Price incl. VAT, Kite Max)");
}

#[test]
fn a_value_follows_from_cells_by_the_step_that_the_claim_names() {
    let follows = |claim, words| check(MILLS, claim, Standing::Supported, words);
    follows("Output in Lower Brenn fell by a fifth between 2021 and 2022.", "25.0 → 20.0 = fifth");
    follows("Upper Brenn and Lower Brenn together have 23 mills.", "14 + 9 = 23");
    follows("Output in Tarn fell by 2,500 tonnes between 2021 and 2022.", "120.5 − 118.0 = 2,500");
}

#[test]
fn a_column_says_who_has_the_most() {
    let has = |claim, words| check(MILLS, claim, Standing::Supported, words);
    has("Tarn has the most mills.", "22 (Tarn) > 2 others");
    has("In 2022 Lower Brenn had the lowest output.", "20.0 (Lower Brenn) < 2 others");
    has("Tarn had the highest output in 2022, 118,000 tonnes.", "118.0 (Tarn) > 2 others");
    let differs = |claim, words| check(MILLS, claim, Standing::Contradicted, words);
    differs("Upper Brenn has the most mills.", "not the most in the table of the source: 14 (Upper Brenn) < 22 (Tarn)");
    differs("Tarn has the fewest mills.", "22 (Tarn) > 14 (Upper Brenn)");
    let years = "Salt harvest by works, tonnes\n\nWorks\t2020\t2021\t2022\nOld Vennel\t3,980\t4,466\t4,702\nHasp Row\t2,204\t2,618\t2,577\nDunnoch\t4,015\t4,390\t4,155";
    check(years, "Hasp Row had its highest harvest in 2021.", Standing::Supported, "2,618 (2021) > 2 others");
    check(years, "Dunnoch had its lowest harvest in 2022.", Standing::Contradicted, "4,155 (2022) > 4,015 (2020)");
    let bridges = "Bridges\n\nBridge\tLength (m)\tOpened\nSperrin Leap\t412\t2016\nPenny Crossing\t98\t1889\nGoat Stride\t119\t1934";
    check(
        bridges,
        "The longest of the bridges is Sperrin Leap, at 412 metres.",
        Standing::Supported,
        "412 (Sperrin Leap)",
    );
    check(bridges, "Penny Crossing, opened in 1889, is the oldest of the bridges.", Standing::Supported, "");
    for claim in [
        "Goat Stride, opened in 1934, is the oldest of the bridges.",
        "The fastest bridge is Goat Stride, at 119 metres.",
    ] {
        let standing =
            judge(&ClaimText::new(claim, ClaimKind::Plain), &SourceText::new(bridges, ""), &Settings::default())
                .standing;
        assert_ne!(standing, Standing::Supported, "{claim}");
    }
    for claim in [
        "Upper Brenn had the highest output in 2022, 44,000 tonnes.",
        "Tarn had the highest rise in output in 2022.",
        "Tarn had its highest output in 2022.",
        "Most mills of Tarn had an output in 2022.",
        "Tarn has the oldest mills.",
        "In the hills Upper Brenn has the most mills.",
    ] {
        let source = SourceText::new(MILLS, "");
        let standing = judge(&ClaimText::new(claim, ClaimKind::Plain), &source, &Settings::default()).standing;
        assert!(!matches!(standing, Standing::Supported | Standing::Contradicted), "{claim}: {standing:?}");
    }
}

#[test]
fn another_value_in_the_cell_that_is_meant_is_a_contradiction() {
    let differs = |claim, words| check(MILLS, claim, Standing::Contradicted, words);
    differs("Lower Brenn had an output of 44,000 tonnes in 2022.", "20.0 (Lower Brenn, Output, 2022, Table 1.");
    differs("Upper Brenn and Lower Brenn together have 31 mills.", "14 + 9 = 23");
    differs("Output in Tarn rose between 2021 and 2022.", "120.5 → 118.0");
}

#[test]
fn what_may_be_rounded_or_told_in_thousands_is_no_contradiction() {
    let thousands = "All figures are thousands.\n\nPort\tContainers\nTarn\t845\nAverill\t1,190\nBrenn\t77";
    let rounded = "Wool\n\nDistrict\tWool (t)\nUpper Brenn\t14.4\nLower Brenn\t9.4\nTarn\t22.1";
    for (page, claim) in [
        (thousands, "Tarn handled 845,000 containers."),
        (rounded, "Upper Brenn and Lower Brenn together had 23.9 t of wool."),
    ] {
        let claim = ClaimText::new(claim, ClaimKind::Quantitative);
        let verdict = judge(&claim, &SourceText::new(page, ""), &Settings::default());
        assert_ne!(verdict.standing, Standing::Contradicted, "{verdict:?}");
    }
}

#[test]
fn a_thing_may_be_named_by_its_number() {
    let looms = "Looms\n\nMill\tLooms\tSpindles\nMill 7\t114\t2,300\nMill 8\t96\t1,900\nMill 9\t130\t2,750";
    check(looms, "In the valley Mill 8 has 1,900 spindles.", Standing::Supported, "1,900 (Mill 8, Spindles)");
}

#[test]
fn what_the_heads_do_not_account_for_is_not_proved() {
    for claim in [
        "Tarn produced 118,000 tonnes of flour in 2022 because its mills were rebuilt with grants.",
        "Tarn may have produced 118,000 tonnes in 2022.",
        "Mellin produced 118,000 tonnes in 2022.",
        "Output in Lower Brenn rose from 20,000 tonnes to 25,000 tonnes.",
        "The Kite has a floor area of 6.8 square metres.",
        "Output in Lower Brenn rose by 20% in 2022.",
        "Upper Brenn has nine mills and Lower Brenn 14.",
        "Output in Upper Brenn fell by 10% in 2022.",
    ] {
        let page = if claim.contains("Kite") { TENTS } else { MILLS };
        let verdict =
            judge(&ClaimText::new(claim, ClaimKind::Quantitative), &SourceText::new(page, ""), &Settings::default());
        assert_ne!(verdict.standing, Standing::Supported, "{claim}: {verdict:?}");
    }
}

#[test]
fn a_cell_of_the_draft_has_what_its_head_says_as_the_page_has() {
    let page = "Quotas\n\nCity\tQuota (thousand bikes)\tPeak (dB)\nBergen\t41\t84\nOslo\t52\t74\nGraz\t17\t69";
    check(page, "Bergen, Quota (thousand bikes): 41", Standing::Supported, "");
    check(page, "Oslo, Peak (dB): 74", Standing::Supported, "");
    check(page, "Oslo, Peak (dB): 94", Standing::Contradicted, "");
    let prose = "In 2022 Norway had 632 heat pumps per 1,000 households, more than any other country of the north.";
    check(prose, "Norway, Heat pumps per 1,000 households: 632", Standing::Supported, "");
}

#[test]
fn a_value_in_other_figures_is_the_value() {
    let page = "Earth is the third planet. The Earth orbits the Sun at an average distance of 149.6 million km. The dividend is USD 0.54 per share.";
    check(page, "The Earth orbits the Sun at ~150 million km.", Standing::Supported, "");
    check(page, "The dividend is 54 US cents per share.", Standing::Supported, "");
}

#[test]
fn what_a_value_follows_from_is_pinned() {
    let source = SourceText::new(MILLS, "");
    let claim = ClaimText::new("Upper Brenn and Lower Brenn together have 23 mills.", ClaimKind::Quantitative);
    let verdict = judge(&claim, &source, &Settings::default());
    let derivation = verdict.derivation.unwrap();
    let operands: Vec<&str> = derivation.operands.iter().map(|operand| operand.text.as_str()).collect();
    assert_eq!(operands, ["14", "9"]);
    assert!(derivation.operands.iter().all(|operand| operand.offsets.slice(MILLS) == operand.text));
    assert!(verdict.checks.iter().any(|check| check.kind == CheckKind::Derived));
}

#[test]
fn a_value_that_a_cell_has_with_its_heads_is_not_missing() {
    let page = "Strom\n\nTräger\t2021\t2022\t2023¹\n\tGWh\nWind\t1.120\t3.120\t3.460\nPhotovoltaik\t2.010\t2.410\t2.871\nKohle\t1.200\t1.100\t980\n\nDas sind 1,5 Prozent.";
    for (claim, missing) in
        [("Sonnenanlagen erzeugten 2023 rund 2,87 TWh.", false), ("Sonnenanlagen erzeugten 2023 genau 3,99 TWh.", true)]
    {
        let verdict =
            judge(&ClaimText::new(claim, ClaimKind::Quantitative), &SourceText::new(page, ""), &Settings::default());
        assert_eq!(verdict.against.is_some(), missing, "{claim}: {verdict:?}");
    }
}

#[test]
fn a_table_in_any_writing_proves_what_its_cells_say() {
    let lighthouse = "Orsund lighthouse\n\nIt stands on the outer skerry.\n\nBuilt: 1874\nTower height: 31 m\nKeeper: Harald Moen\nVisitors in 2022: 12,400\nVisitors in 2023: 15,500";
    let lines = "lines\n\nname\tstations\tlength km\nHarbour line\t14\t11.2\nHill line\t9\t6.8\nRing line\t21\t17.5";
    let library = "Accounts of Tarn library\n\nIncome and spending (£000)\n\n\t2022\t2023\nGrants\t845\t912\nBook fund\t61\t58\nWages\t1,204\t1,310";
    let dams = "Power of the dams\n\nDam\t2022\t2023\n\tGWh\tGWh\nUpper dam\t187\t240\nMill dam\t61\t55";
    let water = "Water\n\nDistrict\tHomes\tFarms\n\tmillion litres\nNorth\t41\t112\nSouth\t37\t86";
    for (page, right, wrong) in [
        (
            lighthouse,
            "The tower of Orsund lighthouse is 31 metres high.",
            "The tower of Orsund lighthouse is 38 metres high.",
        ),
        (lighthouse, "Visitors rose by 25% between 2022 and 2023.", "Visitors rose by 35% between 2022 and 2023."),
        (lines, "The Hill line is 6.8 km long.", "The Hill line is 17.5 km long."),
        (
            lines,
            "The Harbour line and the Hill line together have 23 stations.",
            "The Harbour line and the Hill line together have 30 stations.",
        ),
        (
            library,
            "Tarn library received grants of £912,000 in 2023.",
            "Tarn library received grants of £845,000 in 2023.",
        ),
        (library, "Wages came to £1.31 million in 2023.", "Wages came to £1.52 million in 2023."),
        (dams, "The Mill dam gave power of 55 million kWh in 2023.", "The Upper dam gave power of 187 GWh in 2023."),
        (
            water,
            "Farms in the North district used 112 million litres of water.",
            "Farms in the South district used 112 million litres of water.",
        ),
    ] {
        let standing = |claim| {
            judge(&ClaimText::new(claim, ClaimKind::Quantitative), &SourceText::new(page, ""), &Settings::default())
                .standing
        };
        assert_eq!(standing(right), Standing::Supported, "{right}");
        assert_ne!(standing(wrong), Standing::Supported, "{wrong}");
    }
}

#[test]
fn a_sum_is_not_missing_where_a_column_gives_it() {
    let page = "Wet days\n\nMonth\tWet days\nJanuary\t14\nFebruary\t11\nMarch\t16\nApril\t12";
    let claim = ClaimText::new("It rained on 53 days.", ClaimKind::Quantitative);
    let verdict = judge(&claim, &SourceText::new(page, ""), &Settings::default());
    assert_eq!(verdict.against, None, "{verdict:?}");
}

const FERRIES: &str = "Ferries of the sound\n\nFerry\tFlag\tBuilt\tPassengers\tState\nAlca\tNorway\t1978\t310\tin service\nBrisa\tDenmark\t1994\t640\tin service\nCorvo\tDenmark\t2003\t900\tlaid up\nDelfin\tNorway\t2011\t1,200\tin service\nErla\tFinland\t1986\t450\tlaid up\nFjord Star\tDenmark\t1999\t720\tin service";

#[test]
fn rows_are_counted() {
    let has = |claim, words| check(FERRIES, claim, Standing::Supported, words);
    has("Three of the six ferries sail under the flag of Denmark.", "3 of 6 rows: Denmark (Flag)");
    has("Two ferries are laid up.", "2 of 6 rows: laid up (State)");
    has("Four ferries carry more than 500 passengers.", "4 of 6 rows: > 500 (Passengers)");
    has("Half of the ferries were built before 1995.", "3 of 6 rows: < 1995 (Built)");
    has("Most ferries are in service.", "4 of 6 rows: in service (State)");
    has("All ferries were built after 1970.", "6 of 6 rows: > 1970 (Built)");
    has("No ferry carries more than 1,500 passengers.", "0 of 6 rows: > 1,500 (Passengers)");
    has("All ferries of Norway are in service.", "2 of 2 rows: Norway (Flag), in service (State)");
    has("Erla is the only ferry with the flag of Finland.", "1 of 6 rows: Finland (Flag)");
    let differs = |claim, words| check(FERRIES, claim, Standing::Contradicted, words);
    differs("Two of the six ferries have the flag of Denmark.", "not Two in the table of the source: 3 of 6 rows");
    differs("All ferries were built after 1980.", "not All in the table of the source: 5 of 6 rows");
    differs("No ferry has more than 1,000 passengers.", "1 of 6 rows: > 1,000 (Passengers)");
    // Said of all together.
    let districts = "Ferries of the sound\n\nDistrict\tFerries\nTarn\t5\nBrenn\t4\nAverill\t3";
    for (claim, page) in [
        ("In all, the districts have 12 ferries.", districts),
        ("All districts have 12 ferries.", districts),
        ("All ferries but two are in service.", FERRIES),
        ("Two more ferries have the flag of Denmark.", FERRIES),
        ("Two ferries have the flag of Denmark.", FERRIES),
        ("All of the ferries except two are in service.", FERRIES),
    ] {
        let source = SourceText::new(page, "");
        let verdict = judge(&ClaimText::new(claim, ClaimKind::Quantitative), &source, &Settings::default());
        assert_ne!(verdict.standing, Standing::Contradicted, "{claim}: {verdict:?}");
    }
    for claim in [
        "Four ferries are laid up.",
        "Two of the six ferries are laid up because of strikes in the harbour of Tarn.",
        "Two ferries may be laid up.",
        "Most ferries are laid up.",
        "Three ferries carry more than 640 passengers.",
        "All ferries but two are in service.",
        "Erla is the only ferry that is laid up.",
        "The six ferries have a crew of seven.",
    ] {
        let source = SourceText::new(FERRIES, "");
        let verdict = judge(&ClaimText::new(claim, ClaimKind::Quantitative), &source, &Settings::default());
        assert_ne!(verdict.standing, Standing::Supported, "{claim}: {verdict:?}");
    }
}

#[test]
fn a_column_says_in_which_place_a_row_is() {
    let has = |claim, words| check(FERRIES, claim, Standing::Supported, words);
    has("Delfin carries the most passengers.", "1,200 (Delfin) > 5 others");
    has("Corvo carries the second most passengers.", "900 (Corvo) is number 2 of 6");
    has("Brisa is the third-oldest ferry.", "1994 (Brisa) is number 3 of 6");
    has("Alca and Erla are the two oldest ferries.", "1986 (Erla) is number 2 of 6");
    has("Brisa is one of the three oldest ferries.", "1994 (Brisa) is number 3 of 6");
    let differs = |claim, words| check(FERRIES, claim, Standing::Contradicted, words);
    differs("Brisa is the second-oldest ferry.", "not the second-oldest in the table of the source");
    differs("Brisa is one of the two oldest ferries.", "1994 (Brisa) is number 3 of 6");
    for claim in ["Erla is the third-oldest ferry.", "Delfin is one of the oldest ferries."] {
        let source = SourceText::new(FERRIES, "");
        let verdict = judge(&ClaimText::new(claim, ClaimKind::Plain), &source, &Settings::default());
        assert_ne!(verdict.standing, Standing::Supported, "{claim}: {verdict:?}");
    }
}

#[test]
fn a_share_is_of_the_whole_column() {
    let power = "Power of the valley\n\nSource\t2021 (GWh)\t2022 (GWh)\nWind\t310\t420\nHydro\t500\t480\nGas\t190\t300\nTotal\t1,000\t1,200";
    let has = |page, claim, words| check(page, claim, Standing::Supported, words);
    has(power, "In 2022 wind accounted for 35% of the power of the valley.", "420 of 1,200 = 35%");
    let farms = "Farms of the province\n\nDistrict\tFarms\nDunmarsh\t36\nOver Brenn\t14\nTarn Side\t50";
    has(farms, "Dunmarsh has 36% of all farms of the province.", "36 of 100 = 36%");
    has(power, "Power from wind rose by 110 GWh in 2022.", "420 − 310 = 110 GWh");
    let source = SourceText::new(power, "");
    for claim in [
        "In 2022 wind accounted for 42% of the power of the valley.",
        "In 2022 hydro made more than half of the power of the valley.",
        "Power from hydro rose by 20 GWh in 2022.",
    ] {
        let verdict = judge(&ClaimText::new(claim, ClaimKind::Quantitative), &source, &Settings::default());
        assert_ne!(verdict.standing, Standing::Supported, "{claim}: {verdict:?}");
    }
}

#[test]
fn numbers_of_names_stand_in_heads_and_small_counts_in_cells() {
    let stores = "Stores measured\n\nMetric\tquillstore 3.2\tmapleKV 0.14\nRead latency, µs\t540\t610\nCrashes\t2\t8";
    let has = |claim, words| check(stores, claim, Standing::Supported, words);
    has("The read latency of mapleKV 0.14 was 610 µs.", "610 (Read latency, µs, mapleKV 0.14)");
    has("There were eight crashes of mapleKV 0.14.", "8 (Crashes, mapleKV 0.14)");
    let source = SourceText::new(stores, "");
    for claim in ["The read latency of mapleKV 0.15 was 610 µs.", "There were eight crashes of quillstore 3.2."] {
        let verdict = judge(&ClaimText::new(claim, ClaimKind::Quantitative), &source, &Settings::default());
        assert_ne!(verdict.standing, Standing::Supported, "{claim}: {verdict:?}");
    }
}

#[test]
fn a_column_gives_each_row_its_unit() {
    let city = "Kennzahlen der Stadt\n\nKennzahl\tEinheit\t2022\t2023\nFahrgäste der Stadtbahn\tMio.\t7,9\t9,1\nRadwege\tkm\t212\t231\nZugelassene Pkw\tAnzahl\t35.480\t35.155";
    let has = |claim, words| check(city, claim, Standing::Supported, words);
    has("Die Radwege der Stadt waren 2023 zusammen 231 km lang.", "231 (Radwege, 2023)");
    has("2023 hatte die Stadtbahn 9,1 Millionen Fahrgäste.", "9,1 (Fahrgäste der Stadtbahn, 2023)");
    let claim = ClaimText::new("Rund 9 Millionen Fahrgäste hatte 2023 die Stadtbahn.", ClaimKind::Quantitative);
    let verdict = judge(&claim, &SourceText::new(city, ""), &Settings::default());
    assert_ne!(verdict.standing, Standing::Contradicted, "{verdict:?}");
}

#[test]
fn what_fell_did_not_rise_from_one_version_to_the_next() {
    let scan = "Latency of brindlestore\n\nWorkload\tbrindlestore 5.1\tbrindlestore 5.2\nRange scan, ms\t27.5\t41.0\nRead, ms\t2.4\t1.9";
    check(
        scan,
        "From brindlestore 5.1 to brindlestore 5.2 the latency of the range scan rose by 49%.",
        Standing::Supported,
        "27.5 → 41.0 = 49%",
    );
    let claim = ClaimText::new(
        "From brindlestore 5.1 to brindlestore 5.2 the latency of the range scan fell by 49%.",
        ClaimKind::Quantitative,
    );
    let verdict = judge(&claim, &SourceText::new(scan, ""), &Settings::default());
    assert_ne!(verdict.standing, Standing::Supported, "{verdict:?}");
}

#[test]
fn a_number_that_only_parts_others_is_not_missing() {
    let page = "Bridges\n\nBridge\tLength (m)\nGoat Stride\t119\nPenny Crossing\t98\nSperrin Leap\t412\n\nThe bridges of the valley are described here at some length, one after the other.";
    for (claim, missing) in [
        ("Goat Stride is longer than 100.5 m and stands in the hills.", false),
        ("The bridges of the hills carry 37,500 cars.", true),
    ] {
        let verdict =
            judge(&ClaimText::new(claim, ClaimKind::Quantitative), &SourceText::new(page, ""), &Settings::default());
        assert_eq!(verdict.against.is_some(), missing, "{claim}: {verdict:?}");
    }
}

#[test]
fn what_a_reader_may_work_out_of_a_table_is_not_missing() {
    let table = "Ferries\n\nDistrict\tRoute\tPassengers (thousands)\t\t\tStaff\n\t\t2022\t2023\tof them online\nNorth\tArnby\t486\t531\t377\t41\nNorth\tMerrick\t198\t187\t92\t23\nCentral\tHallam\t742\t803\t641\t77\nSouth\tOrla\t95\t104\t29\t11\nAll routes\t\t1,521\t1,625\t1,139\t152";
    let kept = |claim| {
        let source = SourceText::new(table, "");
        let verdict = judge(&ClaimText::new(claim, ClaimKind::Quantitative), &source, &Settings::default());
        assert!(!verdict.hard || verdict.standing == Standing::Supported, "{claim}: {verdict:?}");
    };
    // The rows of a group.
    kept("The northern district moved 718,000 passengers in 2023.");
    // A part of the total, from another column of its row.
    kept("Some 70% of the passengers bought their ticket online.");
    check(
        table,
        "The northern district moved 735,000 passengers in 2023.",
        Standing::Unverifiable,
        "number not in source: 735,000",
    );
}

#[test]
fn what_another_step_gives_is_no_contradiction() {
    let table = "Members of the club\n\nSection\t2021\t2022\nGirls\t97\t118\nBoys\t99\t93\nVeterans\t31\t30";
    let not = |claim| {
        let source = SourceText::new(table, "");
        let verdict = judge(&ClaimText::new(claim, ClaimKind::Quantitative), &source, &Settings::default());
        assert_ne!(verdict.standing, Standing::Contradicted, "{claim}: {verdict:?}");
    };
    not("The gap closed: girls and boys had 211 members in 2022.");
    // Two moves, each in a year of its own.
    not("The section of the boys fell in 2021 and made good for its losses in 2022.");
    check(table, "The boys fell from 2021 to 2022.", Standing::Supported, "99 → 93");
    check(table, "The boys rose in 2022 above their number of 2021.", Standing::Weak, "");
}

#[test]
fn what_a_cell_says_in_small_words_tells_it_from_others() {
    let table = "Trimmers\n\nModel\tMade in\tRating\nAlder\tPoland\tvery good\nBrisk\tChina\tfair\nFernhill\tChina\tgood\nKestrel\tVietnam\tgood\nNorrland\tSweden\tvery good";
    check(
        table,
        "None of the trimmers rated very good is made in China.",
        Standing::Supported,
        "0 of 5 rows: very good",
    );
    // *Good* may be said of what is very good, too.
    check(table, "None of the trimmers rated good is made in China.", Standing::Weak, "");
}
