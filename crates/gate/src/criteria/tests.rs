//! The machine: where criteria end, what a log says of its run, and what is read strictly.

use std::collections::HashMap;

use proptest::prelude::*;

use super::machine::{Failed as FailedGate, State};
use super::run::{Event, Line, World, read_log, run};
use super::*;

/// A world in which each criterion gives one status after another, the last one for ever.
#[derive(Debug, Clone, Default)]
struct Script {
    statuses: HashMap<String, Vec<Status>>,
    /// What was evaluated so far, as files on disk would be: it outlives a kill.
    asked: HashMap<String, usize>,
    log: String,
    /// Fixers that ran.
    fixed: Vec<String>,
}

impl World for Script {
    fn evaluate(&mut self, criterion: &Criterion) -> CriterionResult {
        let statuses = &self.statuses[&criterion.name];
        let asked = self.asked.entry(criterion.name.clone()).or_default();
        let status = statuses[(*asked).min(statuses.len() - 1)];
        *asked += 1;
        CriterionResult::new(&criterion.name, status, "as written")
    }

    fn fix(&mut self, role: &str, _: &[CriterionResult]) -> FixResult {
        self.fixed.push(role.to_owned());
        FixResult { role: role.to_owned(), finished: true, evidence: String::new(), duration_ms: 0 }
    }

    fn keep(&mut self, event: Event) -> Result<(), String> {
        let seq = self.log.lines().count() as u64 + 1;
        let line = Line { seq, event, at: jiff::Timestamp::UNIX_EPOCH };
        self.log.push_str(&serde_json::to_string(&line).unwrap());
        self.log.push('\n');
        Ok(())
    }
}

fn criterion(name: &str, on_fail: OnFail, attempts: u32) -> Criterion {
    let max_retries = (on_fail != OnFail::Fix).then(|| attempts - 1);
    Criterion { max_retries, ..Criterion::new(name, Kind::Command, on_fail) }
}

use OnFail::{Fail, Fix, Retry};
use Status::{Error, Failed, Passed, Skipped};

/// Runs criteria with these statuses; gives the state at the end, the last statuses, and the fixers that ran.
#[track_caller]
fn check(criteria: &[(&str, OnFail, u32, &[Status])], allow_empty: bool, state: State, last: &[Status], fixed: usize) {
    let list: Vec<Criterion> =
        criteria.iter().map(|(name, on_fail, attempts, _)| criterion(name, *on_fail, *attempts)).collect();
    let statuses = criteria.iter().map(|(name, _, _, statuses)| ((*name).to_owned(), statuses.to_vec()));
    let mut world = Script { statuses: statuses.collect(), ..Script::default() };
    let report = run(&list, allow_empty, None, &mut world).unwrap();
    let found: Vec<Status> = report.results.iter().map(|result| result.status).collect();
    assert_eq!((report.state, found.as_slice(), world.fixed.len()), (state, last, fixed));
}

#[test]
fn criteria_end_where_they_should() {
    check(&[("a", Fail, 1, &[Passed]), ("b", Fail, 1, &[Passed])], false, State::Completed, &[Passed, Passed], 0);
    check(
        &[("a", Fail, 1, &[Failed]), ("b", Fail, 1, &[Passed])],
        false,
        State::ValidationFailed,
        &[Failed, Skipped],
        0,
    );
    check(&[("a", Fail, 1, &[Error])], false, State::ValidationFailed, &[Error], 0);
    check(&[("a", Retry, 2, &[Failed, Passed])], false, State::Completed, &[Passed], 0);
    check(
        &[("a", Retry, 2, &[Failed, Failed, Passed]), ("b", Fail, 1, &[Passed])],
        false,
        State::ValidationFailed,
        &[Failed, Passed],
        0,
    );
    check(&[("a", Fix, 1, &[Failed, Passed])], false, State::Completed, &[Passed], 1);
    check(&[("a", Fix, 1, &[Error, Failed, Failed, Passed])], false, State::Completed, &[Passed], 3);
    check(&[("a", Fix, 1, &[Failed])], false, State::Disputed, &[Failed], 3);
    // What can be fixed is fixed before the verdict, and what failed beside it is asked again.
    check(
        &[("a", Fix, 1, &[Failed, Passed]), ("b", Retry, 1, &[Failed, Passed])],
        false,
        State::Completed,
        &[Passed; 2],
        1,
    );
    check(
        &[("a", Fix, 1, &[Failed, Passed]), ("b", Fail, 1, &[Failed])],
        false,
        State::ValidationFailed,
        &[Passed, Failed],
        1,
    );
    // What was not evaluated is not fixed.
    check(
        &[("a", Fail, 1, &[Failed]), ("b", Fix, 1, &[Failed])],
        false,
        State::ValidationFailed,
        &[Failed, Skipped],
        0,
    );
    // What a judge or command calls skipped was not evaluated.
    check(&[("a", Fail, 1, &[Skipped])], false, State::ValidationFailed, &[Error], 0);
    check(&[], false, State::ValidationFailed, &[], 0);
    check(&[], true, State::Completed, &[], 0);
}

#[test]
fn three_rounds_of_rework_by_the_author_are_disputed() {
    let criteria = [criterion("a", Retry, 1)];
    let mut world = Script { statuses: HashMap::from([("a".to_owned(), vec![Failed])]), ..Script::default() };
    let mut states = Vec::new();
    for round in 0..4 {
        let reworked = (round > 0).then(|| read_log(&world.log).unwrap().1);
        assert_eq!(reworked.as_ref().map_or(0, |gate| gate.0), u32::max(round, 1) - 1);
        states.push(run(&criteria, false, reworked, &mut world).unwrap().state);
    }
    let failed = State::ValidationFailed;
    assert_eq!(states, [failed, failed, failed, State::Disputed]);
    // What is disputed is not reworked, nor is a log that was cut or changed.
    let last = |lines: usize| world.log.split_inclusive('\n').take(lines).collect::<String>();
    assert_eq!(read_log(&last(4)), Ok((4, FailedGate(0))));
    for log in [world.log.as_str(), &last(3), last(4).trim_end(), &last(4).replace("\"seq\":3", "\"seq\":4"), ""] {
        assert!(read_log(log).is_err(), "{log}");
    }
}

proptest! {
    #[test]
    fn any_log_is_read_or_refused(log in "(\\{\"seq\":[0-3],\"event\":\"state_changed\"[^}]{0,30}\\}\n|\\PC{0,20}\n?){0,5}") {
        let _ = read_log(&log);
    }

    #[test]
    fn any_criteria_file_is_read_or_refused(text in "\\PC{0,80}") {
        let _ = read::read(&text, false);
        let _ = read::read(&text, true);
    }
}

#[track_caller]
fn check_refused(file: &str, expected: &str) {
    let why = read::read(file, !file.starts_with('{')).expect_err("it is refused");
    assert!(why.contains(expected), "{why}");
}

#[test]
fn criteria_files_are_read_strictly() {
    let one = |fields: &str| format!(r#"{{"criteria": [{{"name": "a", {fields}}}]}}"#);
    assert_eq!(
        read::read(&one(r#""type": "command", "check": "true""#), false).unwrap().criteria[0].time().as_secs(),
        30
    );
    let toml = "[[criteria]]\nname = 'a'\ntype = 'command'\ncheck = 'true'\nonFail = 'retry'\nmaxRetries = 2\n";
    assert_eq!(read::read(toml, true).unwrap().criteria[0].attempts(), 3);
    check_refused("{}", "`criteria` is missing");
    check_refused("criteria = 1", "`criteria`: is a whole number and should be a list");
    check_refused(r#"{"criteria": [], "criteria": []}"#, "named twice");
    check_refused(
        &one(r#""type": "magic", "check": "true""#),
        "`criteria/0/type`: is \"magic\" and should be one of command",
    );
    check_refused(&one(r#""type": "command", "check": "true", "passed": true"#), "unknown field `passed`");
    check_refused(&one(r#""type": "command", "check": " ""#), "`check` is empty");
    check_refused(&one(r#""type": "command", "check": "true", "timeout": 0"#), "`timeout` must be more than 0");
    check_refused(&one(r#""type": "command", "check": "true", "inputs": {"a": 1}"#), "only a script takes `inputs`");
    check_refused(&one(r#""type": "script", "check": "../evil""#), "is no name of a plugin");
    check_refused(&one(r#""type": "assertion", "check": "file_exists""#), "is no assertion");
    check_refused(&one(r#""type": "assertion", "check": "true:x""#), "`true` is no assertion");
    check_refused(&one(r#""type": "assertion", "check": "regex:(:x""#), "is no pattern");
    // What is missing for a criterion is said; it is then not passed.
    let note = |fields: &str| read::read(&one(fields), false).unwrap().notes.join("; ");
    assert!(
        note(r#""type": "command", "check": "true", "onFail": "fix""#).contains("no fixer has the role `debugger`")
    );
    assert!(note(r#""type": "command", "check": "true""#).is_empty());
    let bare = r#"[{"name": "a", "type": "command", "check": "true"}]"#;
    assert_eq!(read::read(bare, false).unwrap().criteria.len(), 1);
    let twice = r#"{"criteria": [{"name": "a", "type": "command", "check": "x"}, {"name": "a", "type": "command", "check": "y"}]}"#;
    check_refused(twice, "two criteria have this name");
}

/// Whoever wrote a file reads what is wrong with it, and not how it is read.
#[test]
fn errors_speak_of_the_file() {
    let one = |fields: &str| format!(r#"{{"criteria": [{{"name": "a", "type": "command", "check": "x", {fields}}}]}}"#);
    let listed = |fields: &str| format!(r#"[{{"name": "a", "type": "command", "check": "x", {fields}}}]"#);
    let mut wrong: Vec<String> =
        [r#""x""#, "5", r#"{"criteria": {}}"#, r#"["x"]"#, r#"{"criteria": [5]}"#, r#"{"nodes": "x"}"#]
            .map(str::to_owned)
            .to_vec();
    for fields in [
        r#""maxRetries": -1"#,
        r#""maxRetries": "2""#,
        r#""timeout": "5 s""#,
        r#""inputs": ["a"]"#,
        r#""onFail": "explode""#,
        r#""fixRole": 5"#,
    ] {
        wrong.extend([one(fields), listed(fields)]);
    }
    wrong.push(r#"{"criteria": [], "fixers": []}"#.to_owned());
    wrong.push(r#"{"criteria": [], "agent": {"command": 5}}"#.to_owned());
    for text in wrong {
        let why = read::read(&text, false).unwrap_err();
        for ours in ["invalid type", "invalid value", "expected", "struct", "sequence", " map", "u32", "f64", "variant"]
        {
            assert!(!why.contains(ours), "{text}: {why}");
        }
    }
}

#[test]
fn plugins_get_what_they_ask_for() {
    let manifest = r#"{"name": "p", "version": "1", "description": "d", "entrypoint": "run.sh",
        "inputs": {"path": {"required": true}, "level": {"default": 2}, "note": {}}}"#;
    let plugin = plugin::read(manifest, "p").unwrap();
    let given = |text: &str| serde_json::from_str::<plugin::Inputs>(text).unwrap();
    assert_eq!(plugin::inputs(&plugin, &given("{}")).unwrap_err(), "plugin `p` needs the input `path`");
    assert_eq!(plugin::inputs(&plugin, &given(r#"{"path": "x", "q": 1}"#)).unwrap_err(), "plugin `p` has no input `q`");
    let all = plugin::inputs(&plugin, &given(r#"{"path": "x"}"#)).unwrap();
    let variables = plugin::variables(&all);
    let variables: Vec<String> = variables.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(variables, ["INPUT_LEVEL=2", "level=2", "INPUT_PATH=x", "path=x"]);
    // What a program gets of ours is not replaced.
    let ours = plugin::variables(&given(r#"{"PATH": "x", "LD_PRELOAD": "x", "a b": 1}"#));
    assert_eq!(
        ours.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["INPUT_LD_PRELOAD", "INPUT_PATH", "INPUT_A_B"]
    );
    assert!(plugin::read(manifest, "q").unwrap_err().contains("its folder `q`"));
    assert!(plugin::read(&manifest.replace("run.sh", "../run.sh"), "p").unwrap_err().contains("no path inside"));
    assert!(
        plugin::read(&manifest.replace("\"version\"", "\"verzion\""), "p")
            .unwrap_err()
            .contains("`version` is missing")
    );
    let more = manifest
        .replace("\"version\"", "\"tags\": [], \"version\"")
        .replace("\"required\"", "\"type\": 1, \"required\"");
    assert_eq!(plugin::read(&more, "p").unwrap().unknown(), ["inputs.path.type", "tags"]);
}

#[test]
fn what_a_judge_says_is_read_whatever_a_model_writes_round_it() {
    let weighed = |answer: &str| {
        let result = agent::weigh("c", answer)?;
        Ok::<_, String>((result.status, result.findings.len(), result.questions.len()))
    };
    let remark = |confidence: &str| format!(r#"{{"message": "m", "confidence": {confidence}}}"#);
    let answer = |verdict: &str, remarks: &[&str]| {
        let remarks: Vec<String> = remarks.iter().map(|confidence| remark(confidence)).collect();
        format!(r#"{{"verdict": "{verdict}", "findings": [{}]}}"#, remarks.join(", "))
    };
    assert_eq!(weighed(&answer("pass", &[])), Ok((Passed, 0, 0)));
    assert_eq!(weighed(&answer("pass", &["81", "80", "50", "49", "0"])), Ok((Failed, 1, 2)));
    assert_eq!(weighed(&answer("pass", &["0.81", "0.8", "\"50%\"", "0.49"])), Ok((Failed, 1, 2)));
    assert_eq!(weighed(&answer("pass", &["80"])), Ok((Passed, 0, 1)));
    assert_eq!(weighed(&answer("fail", &["10"])), Ok((Failed, 0, 0)));
    for passed in [
        r#"{"verdict": "pass"}"#,
        r#"{"verdict": "pass", "findings": [], "note": "x"}"#,
        "{'Verdict': 'Passed.', 'findings': null,}",
        &format!("Sure!\n```json\n{}\n```", answer("pass", &[])),
        &format!("<think>{}</think>{{\"result\": {}}}", answer("fail", &[]), answer("PASS", &[])),
    ] {
        assert_eq!(weighed(passed), Ok((Passed, 0, 0)), "{passed}");
    }
    // What is said in words alone counts as sure, and of two verdicts the worse.
    assert_eq!(weighed(r#"{"verdict": "pass", "findings": ["It is not sober."]}"#), Ok((Failed, 1, 0)));
    assert_eq!(weighed(&format!("{}{}", answer("pass", &[]), answer("fail", &[]))), Ok((Failed, 0, 0)));
    for wrong in [
        "",
        "pass",
        "{}",
        &answer("maybe", &[]),
        &answer("not passed", &[]),
        &answer("pass", &["101"]),
        &answer("pass", &["-1"]),
        r#"{"verdict": "pass", "findings": [{"confidence": 90}]}"#,
        r#"{"verdict": "pass", "findings": "none"}"#,
    ] {
        assert!(weighed(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn events_have_the_names_that_were_agreed() {
    let line = Line {
        seq: 1,
        event: Event::FixStarted { role: "r".into(), criteria: vec![] },
        at: jiff::Timestamp::UNIX_EPOCH,
    };
    let text = serde_json::to_string(&line).unwrap();
    assert_eq!(text, r#"{"seq":1,"event":"fix_started","role":"r","criteria":[],"at":"1970-01-01T00:00:00Z"}"#);
    assert_eq!(serde_json::from_str::<Line>(&text).unwrap(), line);
}
