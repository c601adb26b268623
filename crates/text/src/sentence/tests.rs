//! Sentence ends in many languages. `|` marks where a sentence ends; it is no part of the text.

use proptest::prelude::*;

use super::sentences;

/// Splits `marked` without its marks, and expects the ends at the marks.
#[track_caller]
fn check(marked: &str) {
    let text = marked.replace('|', "");
    let expected: Vec<_> = marked.split('|').map(str::trim).collect();
    let found: Vec<_> = sentences(&text).into_iter().map(|span| span.slice(&text)).collect();
    assert_eq!(found, expected, "of {text:?}");
}

#[test]
fn english() {
    check("It works.| It is fast.");
    check("The furnace reaches 1,600 °C.| Glass resists it.| Limes have vitamin C.| Sailors ate them.");
    check("Read https://a.example/z.| Kettles whistle.");
    check("It was built after World War I.| Borders moved.| George W. Bush won against J. Kerry.");
    check("Smith et al. measured it.| The rest follows.");
    check("Smith et al. (2020) measured it.");
    check("Tools, e.g. grep and i.e. others, work.| E.g. This one.");
    check("The U.S. economy grew.| The U.K. did not.");
    check("Made in the U.S.| The rest came later.");
    check("The U.S. Government said so.");
    check("See Fig. 3 and Eq. 4.| No. 5 is Table 2.| No.| It is not.");
    check("Vol. IV and Fig. S3 show p. 12 and pp. 3-4.");
    check("Dr. Smith met Mr. J. R. R. Tolkien on St. James Street.| They spoke.");
    check("It cost $4.5 bn. in 2020.| Sales rose.");
    check("It opens at 9 a.m. and closes at 5 p.m. on Mon.| Then it rests.");
    check("It closes at 5 p.m.| The staff leave.");
    check("Jeopardy! is a show.| Yahoo! Inc. was sold.| It is gone!");
    check("It was 3.14, then 2.71.| Version 1.2.3 came.| v2.0.| Next.");
    check("Python 3.12 is out.| In 2020.| It rose.");
    check("Visit https://example.com/a.b?c=d.e for more.| It is at example.com.| Good.");
    check("Wait... what?| Then…| Nothing.");
    check("He waited … and left.| He said \"It is done.\"| She left.");
    check("He said “It is done. Go home.” and left.| She stayed.");
    check("It works (see the note. It is long.) and so on.| Good.");
    check("It works.| (It is fast.)| Then it stops.");
    check("It works (e.g. here).| And there.");
    check("Use Node.js or .NET.| macOS works.| iPhone too.");
    check("Is it so?| Yes!| Really?!| OK.");
    check("1. First things come.| 2 comes next.");
    check("A. Einstein wrote it.| B. Russell did not.");
    check("Apple Inc. reported growth.| Google Inc.| In 2020 it rose.");
    check("John F. Kennedy Jr. flew.| Vitamin C.| The best.");
    check("Approx. 5 kg vs. 6 kg.| Jan. 5 was cold.");
    check("He holds a Ph.D. in law.| The M.D. left.");
    check("It measured 5\" by 7\".| It fits.| The \"box\" is small.");
    check("The end.| — A dash begins.");
    check("One: two; three, four.");
    check("It sold well.| > 400 people came.| + 3% was the growth.| <5 were ill.");
    check("It is so for approx. > 400 people.| It holds. = 3 is a sum.");
    check("No stop at the end");
    check("Prices rose 45%.| $5 bn was lost.| 12 left.");
    check("It grew (by 5%).| It shrank [sic].| Done.");
    check("It sank.[4]| The town mourned.[a][12]| So they say.[citation needed]| It rose.[5");
    check("It sank.[4] in May.| Of 3.[4] it is said.| See fig. 3.[2]| It grew.");
    check("它沉没了。[4]|城镇哀悼。");
    check("Gov. A.B. Smith wrote ch. 3, sec. 2.1.| It ends.");
    check("etc. and so on, cf. Smith.| Cf. Jones.");
    check("The file a.out runs.| The .exe does not.");
    check("It costs 5 USD.| 👍 The rest is free.");
    check("At 10:30 a.m. EST it began.| Nos. 3 and 4 lost.");
    check("He asked, \"Why?\" and left.| \"Because.\"| She knew.");
}

#[test]
fn chinese() {
    check("中国经济增长5.2%。|其中，出口增长。");
    check("他说：“好。我走了。”|然后走了。");
    check("真的吗？|是的！|很好。");
    check("增长率为3.5%（见表1。下同）。|完成。");
    check("他走了……然后回来。|结束。");
    check("价格为1.5亿元。|U.S. 的经济。");
    check("使用Node.js开发。|版本2.0发布。");
    check("你好吗?|我很好!|再见.");
    check("《你好！李焕英》上映。|票房高。");
    check("他走了。|“你好”是问候。");
    check("结果显示，AI（e.g. GPT-4）更好。|另见https://a.cn/b.c。");
    check("“真的吗？”|他问。|没有人回答。");
}

#[test]
fn japanese() {
    check("彼は行った。|そして帰った。");
    check("彼は「行く。」と言った。|そして帰った。");
    check("「本当ですか？」と聞いた。|彼は答えた。");
    check("Yahoo！の株価は1.5%上昇した。|次。");
    check("売上は100億円(前年比5%増。過去最高。)となった。|以上。");
    check("「終わり。」|次の話。");
}

#[test]
fn korean() {
    check("경제가 성장했다.| 수출은 5.2% 늘었다.| 정말인가?| 그렇다.");
    check("그는 \"간다. 온다.\"고 말했다.| 끝.");
}

#[test]
fn german() {
    check("Das gilt z. B. für Berlin.| Es gilt d. h. immer.");
    check("Am 3. Mai begann es.| Im 19. Jahrhundert endete es.");
    check("Der 2. Weltkrieg endete 1945.| Danach begann der Aufbau.");
    check("Dr. Müller usw. kamen.| Prof. Dr. Schmidt nicht.");
    check("Er sagte: „Das ist gut. Ja.“| Dann ging er.");
    check("Es kostet 1.200 Euro bzw. 5 Mio. Euro.| Das ist viel.");
    check("Siehe Abb. 3 und Nr. 5, vgl. Kap. 2.| Ende.");
    check("Ludwig XIV. war König.| Er regierte lang.");
    check("Die Fa. Bosch u. a. Firmen stiegen ein.");
    check("»Es ist gut. Wirklich.«| Er ging.");
}

#[test]
fn french() {
    check("M. Dupont est venu.| Mme Durand aussi.");
    check("Il a dit : « C'est bon. Oui ! »| Puis il est parti.");
    check("Voir p. ex. la fig. 3, art. 5, etc. pour plus.| Fin.");
    check("Est-ce vrai ?| Oui !| C'est fini.");
    check("Env. 5 % des hab. sont partis.| Ils reviendront.");
    check("Le prix est de 1,5 M€.| Il monte.");
}

#[test]
fn spanish() {
    check("El Sr. García llegó a las 5 p. m. y salió.| ¿Por qué?| ¡No sé!");
    check("Llegó a las 5 p.m. a Madrid.| Salió.");
    check("EE. UU. creció un 2,5 %.| España no.");
    check("Véase p. ej. la pág. 5.| Fin.");
    check("La Dra. López vive en la Av. Central núm. 5.| ¿Y él?");
}

#[test]
fn italian_and_portuguese() {
    check("Il Sig. Rossi è arrivato.| La dott.ssa Bianchi, ecc. no.");
    check("Vedi fig. 3, p. es. qui.| Fine.");
    check("It ran at 47 km/h.| Nineteen were hurt.| It is below 30 mL/min.| Meloxarin helps.");
    check("O Dr. Silva mora na Av. Paulista.| Ele saiu às 17 h.| Fim.");
}

#[test]
fn russian() {
    check("Это рост, т. е. увеличение.| Да.");
    check("Т. е. Россия растёт.| Это хорошо.");
    check("В 2018 г. Россия выросла.| В 2019 г. спад.");
    check("Это было в 2018 г.| В России рос ВВП.");
    check("А. С. Пушкин родился в Москве.| Он умер.");
    check("Цена 5 тыс. руб. за кг.| Это много.| См. рис. 3.");
    check("Книги, журналы и т. д. стоят дорого.| «Да. Нет.»| Он ушёл.");
    check("Почему?| Потому!| Так и есть…");
}

#[test]
fn other_scripts() {
    check("भारत बढ़ा।| निर्यात ५% बढ़ा।| क्या यह सच है?| हाँ।");
    check("نما الاقتصاد.| هل هذا صحيح؟| نعم.");
    check("הכלכלה צמחה.| האם זה נכון?| כן.");
    check("Η οικονομία αναπτύχθηκε.| Είναι αλήθεια.");
    check("De heer Dr. Jansen kwam, d.w.z. laat.| Hij ging.");
    check("Spotkanie o 5 godz. było m.in. długie.| Koniec.");
    check("Det kostar t.ex. 5 kr. i dag.| Slut.");
}

#[test]
fn a_very_long_quotation_is_split() {
    let text = format!("“{}” He said.", "It is so. ".repeat(200));
    assert!(sentences(&text).len() > 100);
}

/// Text that is dense in what sentence ends are decided by.
fn texts() -> impl Strategy<Value = String> {
    let atoms = prop::sample::select(vec![
        ".", "!", "?", "。", "？", "…", " ", "  ", "\"", "“", "”", "(", ")", "「", "」", "«", "»", "A", "b", "The",
        "e.g", "Fig", "3", "z", "B", "中", "と", "é", "İ", "т", "е", "\n", "•", "-", "’", "u", "S", "iP", "。」", ".)",
        "．", "№",
    ]);
    prop_oneof![prop::collection::vec(atoms, 0..60).prop_map(|atoms| atoms.concat()), any::<String>()]
}

proptest! {
    #[test]
    fn sentences_hold_every_word_in_order(text in texts()) {
        let found = sentences(&text);
        let mut last = 0;
        for span in &found {
            prop_assert!(span.start >= last && span.end > span.start);
            prop_assert!(!text[last..span.start].contains(char::is_alphanumeric));
            prop_assert_eq!(span.slice(&text).trim(), span.slice(&text));
            last = span.end;
        }
        prop_assert!(!text[last..].contains(char::is_alphanumeric));
    }

}

#[test]
fn abbreviations_that_are_common_words_end_sentences_before_a_capital() {
    for word in ["set", "max", "min", "mar", "co", "op", "dept", "est", "inc", "jan", "mm", "m", "mill", "gem", "cat"] {
        check(&format!("The thing is a {word}.| Wolves eat deer."));
    }
    check("That was two years ago.| Wolves eat deer.");
    check("She told me.| Wolves eat deer.");
    check("O rio corre para o mar.| Lobos comem veados.");
    check("The dept. of health and the max. of 40 are given.");
    check("On Mar. 5 and Jan. 7 the Acme Co. Limited met.");
    check("Die Brücke hat eine max. Höhe von 40 Metern und ist nicht für alle Schiffe hoch genug.");
}
