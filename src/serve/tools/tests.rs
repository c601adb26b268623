//! Every tool, called in process.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::{Call, Context, Step, TOOLS, call, tool};
use crate::cli::args::ServiceFlags;
use crate::cli::settings::{Settings, Typed};
use cited_core::error::Result;
use cited_core::shape::fault;

/// The flags of a service, as they are typed.
#[derive(clap::Parser)]
struct Flags {
    #[command(flatten)]
    service: ServiceFlags,
}

/// The settings of a service that asks nobody.
fn settings(more: &[(&str, &str)]) -> Result<Settings> {
    let typed = Typed::default().with("offline", &true).with("cache", "off");
    let typed = more.iter().fold(typed, |typed, (name, value)| typed.with(name, value));
    Settings::resolve(&typed, &std::env::temp_dir())
}

fn context_of(set: &[(&str, &str)], flags: &[&str]) -> Arc<Context> {
    let flags = ["tools"].iter().chain(flags);
    let flags = <Flags as clap::Parser>::parse_from(flags).service;
    Arc::new(Context::new(flags, settings(set).unwrap()).unwrap())
}

fn context() -> Arc<Context> {
    context_of(&[], &[])
}

fn run(context: &Context, name: &str, arguments: Value) -> std::result::Result<Value, crate::serve::problem::Problem> {
    let tool = tool(name).unwrap();
    let answer = (tool.run)(context, arguments, &Call::default())?;
    let validator = jsonschema::validator_for(tool.output.as_value()).unwrap();
    let faults: Vec<String> = validator.iter_errors(&answer.value).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{name}: {faults:?}");
    assert!(!answer.text.trim().is_empty());
    Ok(answer.value)
}

#[test]
fn the_table_has_names_texts_and_schemas() {
    for (i, tool) in TOOLS.iter().enumerate() {
        assert!(!TOOLS[..i].iter().any(|other| other.name == tool.name), "{}", tool.name);
        for schema in [tool.input.as_value(), tool.output.as_value()] {
            jsonschema::validator_for(schema).unwrap_or_else(|error| panic!("{}: {error}", tool.name));
            assert_eq!(schema["type"], "object", "{}", tool.name);
        }
        assert_eq!(tool.input.as_value()["additionalProperties"], false, "{}", tool.name);
        assert!(
            tool.description.len() > 100 && !tool.description.contains("  "),
            "{}: {}",
            tool.name,
            tool.description
        );
    }
}

#[test]
fn malformed_calls_say_what_is_wrong() {
    let context = context();
    for (name, arguments, words) in [
        ("explain", json!({"code": "no-such-code"}), "no finding and no check is named"),
        ("explain", json!({"kode": "dead-source"}), "unknown field `kode`"),
        ("check_claim", json!({"claim": "x"}), "--search"),
        ("check_claim", json!({"claim": " ", "pages": [{"text": "x"}]}), "`claim` is empty"),
        ("check_claim", json!({"claim": "x", "pages": []}), "`pages` is empty"),
        ("check_claim", json!({"pages": []}), "`claim` is missing"),
        ("check_claim", json!({"claim": "x", "pages": [{}]}), "give `url` or `text`"),
        ("check_claim", json!({"claim": "x", "pages": [{"path": "/etc/passwd"}]}), "unknown field"),
        ("check_claim", json!(["x"]), "is a list"),
        ("check_references", json!({}), "give one of `text`, `path` or `entries`"),
        ("check_references", json!({"text": "", "path": "../x"}), "--root"),
        ("verify_draft", json!({}), "give one of `text`, `path`, and nothing"),
        ("check_references", json!({"text": "x", "entries": ["A, B. (2019). C."]}), "give one of"),
        ("check_references", json!({"entries": ["A, B. (2019). C."], "indexes": ["x"]}), "there are crossref"),
        ("check_references", json!({"entries": ["A, B. (2019). C."], "kinds": ["x"]}), "kinds"),
        ("show_source", json!({}), "`url` is missing"),
        ("show_source", json!({"url": "x", "path": "../x"}), "unknown field"),
        ("verify_citations", json!({}), "give either"),
        ("verify_citations", json!({"text": "x", "sources": [{"title": "t"}]}), "give `content`"),
        ("verify_citations", json!({"text": "x", "maxUnverifiableRatio": 3}), "maxUnverifiableRatio"),
        ("verify_citations", json!({"text": "x", "supportThreshold": 1.5}), "from 0 to 1"),
        ("verify_citations", json!({"text": "x", "unverifiableThreshold": -0.1}), "from 0 to 1"),
        ("verify_draft", json!({"text": ""}), "is empty"),
        ("verify_draft", json!({"text": "x", "output": "/tmp/x.md"}), "--root"),
        ("verify_draft", json!({"text": "x", "policies": {"on_dead": "explode"}}), "should be one of drop"),
        ("verify_draft", json!({"text": "x", "connect_to": ["::127.0.0.1:80"]}), "unknown field"),
        ("verify_draft", json!({"text": "x", "allow_net": ["10.0.0.0/8"]}), "unknown field"),
        ("gate", json!({}), "give one of"),
        ("gate", json!({"ledger": {}, "data": [{"name": "../x.csv", "content": ""}]}), "is no name of a file"),
    ] {
        let failure = run(&context, name, arguments.clone()).unwrap_err();
        let known = [403, 422].contains(&failure.status.as_u16());
        assert!(known && failure.message.contains(words), "{name} {arguments}: {failure:?}");
    }
}

#[test]
fn one_claim_by_texts() {
    let value = run(
        &context(),
        "check_claim",
        json!({
            "claim": "The model scores 94.2% on MMLU.",
            "pages": [
                {"text": "The model scores 49.2% on MMLU.", "url": "https://a.example/"},
                {"url": "https://b.example/"},
            ],
        }),
    );
    let value = value.unwrap();
    assert_eq!(value["verdict"], "contradicted");
    assert_eq!(value["reason"], "number not in source: 94.2% (source has 49.2%)");
    assert_eq!(value["pages"][0]["passage"]["text"], "The model scores 49.2% on MMLU.");
    assert_eq!(value["pages"][0]["passage"]["offsets"], json!([0, 31]));
    // Nobody was asked, and nothing follows from that.
    assert_eq!(
        (&value["pages"][1]["standing"], &value["pages"][1]["outcome"]),
        (&json!("unchecked"), &json!("unasked"))
    );
}

#[test]
fn codes_and_checks_are_explained() {
    let value = run(&context(), "explain", json!({"code": "other-number"})).unwrap();
    assert!(value["explanations"][0]["meaning"].as_str().unwrap().contains("- other-number: "), "{value}");
    let all = run(&context(), "explain", json!({})).unwrap();
    assert!(all["explanations"].as_array().unwrap().len() > 70, "{all}");
}

#[test]
fn citations_in_the_shape_of_agentos() {
    let check = |arguments: Value, expected: Value| {
        let value = run(&context(), "verify_citations", arguments.clone()).unwrap();
        for (key, wanted) in expected.as_object().unwrap() {
            let found =
                if key.starts_with('/') { value.pointer(key).unwrap_or(&Value::Null) } else { &value[key.as_str()] };
            assert_eq!(found, wanted, "{key} of {arguments}: {value:#}");
        }
    };
    let tokyo = [
        json!({"content": "Tokyo proper has a population of about 14 million.", "url": "https://example.com"}),
        json!({"content": "Tokyo is the capital of Japan, established in 1603.", "url": "https://example.com/history"}),
    ];
    // Nothing is grounded without sources.
    check(
        json!({"text": "Tokyo has 14 million people.", "maxUnverifiableRatio": 1.0}),
        json!({"overallGrounded": false, "totalClaims": 1, "unverifiableCount": 1, "summary": "0/1 claims verified (0%)",
            "/guard/action": "flag", "/guard/reason": "GROUNDING_UNVERIFIABLE"}),
    );
    // What its documentation promises.
    check(
        json!({"text": "The Earth orbits the Sun at ~150 million km.",
            "sources": [{"content": "The Earth orbits the Sun at an average distance of 149.6 million km."}]}),
        json!({"supportedCount": 1, "summary": "1/1 claims verified (100%)", "overallGrounded": true, "/guard/action": "pass"}),
    );
    check(
        json!({"claims": ["The capital of Japan is Tokyo, established in 1603."], "sources": [tokyo[1]], "compat": "agentos"}),
        json!({"totalClaims": 1, "/claims/0/source/index": 0, "/claims/0/source/url": "https://example.com/history", "contradictedCount": 0}),
    );
    check(
        json!({"text": "Tokyo was established in 1457.", "sources": [tokyo[1]], "contradictionAction": "block"}),
        json!({"totalClaims": 1, "supportedCount": 0, "overallGrounded": false}),
    );
    check(
        json!({"text": "The model scores 94.2% on MMLU.", "sources": [{"content": "The model scores 49.2% on MMLU."}],
            "contradictionAction": "block"}),
        json!({"contradictedCount": 1, "overallGrounded": false, "/guard/action": "block",
            "/guard/reason": "GROUNDING_CONTRADICTION", "/claims/0/verdict": "contradicted"}),
    );
    // What a total on one side alone does not hide.
    check(
        json!({"text": "58 companies took part in the trial.", "sources": [
            {"content": "In total, 61 companies took part in the trial."}, {"content": "58 companies took part in the trial."}]}),
        json!({"supportedCount": 1, "/claims/0/contradictedBy": [0], "overallGrounded": false, "/guard/reason": "GROUNDING_CONTRADICTION"}),
    );
    check(
        json!({"text": "Nothing here. Is it?", "compat": "agentos", "sources": [tokyo[0]]}),
        json!({"totalClaims": 0, "supportedRatio": 0.0, "summary": "0/0 claims verified (0%)", "overallGrounded": false}),
    );
    check(
        json!({"claims": ["Penguins are birds of the southern seas.", "The bridge opened in 1932."],
            "sources": [{"content": "The bridge opened in 1932."}], "maxUnverifiableRatio": 0.4, "unverifiableAction": "block"}),
        json!({"supportedCount": 1, "unverifiableCount": 1, "supportedRatio": 0.5, "summary": "1/2 claims verified (50%)",
            "/guard/action": "block", "/guard/reason": "GROUNDING_UNVERIFIABLE", "overallGrounded": false}),
    );
    // A source is a page as the other tools take it.
    let bridge = "The bridge opened in 1932.";
    check(
        json!({"claims": [bridge], "sources": [{"text": bridge}]}),
        json!({"supportedCount": 1, "overallGrounded": true}),
    );
    // An address alone is read; nobody can be asked here, and that is said.
    check(
        json!({"claims": ["The bridge opened in 1932."], "sources": [{"url": "https://a.example/"}]}),
        json!({"overallGrounded": false, "unverifiableCount": 1,
            "/notes/0": "https://a.example/: not asked: offline; it speaks neither for nor against a claim"}),
    );
}

/// Thresholds are settings of the service, which an argument overrides.
#[test]
fn what_counts_is_a_setting() {
    let context = |set: &[(&str, &str)]| context_of(set, &[]);
    let strict = [("unverifiable-threshold", "0.5")];
    let light = |set: &[(&str, &str)], more: Value| {
        let mut arguments = json!({"claims": ["The speed of light is 300,000 km/s in a vacuum."],
            "sources": [{"content": "Light travels at 299,792 km/s in vacuum."}]});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        run(&context(set), "verify_citations", arguments).unwrap()["claims"][0]["verdict"].clone()
    };
    assert_eq!(light(&[], json!({})), "weak");
    assert_eq!(light(&strict, json!({})), "unverifiable");
    assert_eq!(light(&strict, json!({"unverifiableThreshold": 0.3})), "weak");
    // What is called supported is what the confidence says.
    assert_eq!(light(&[], json!({"supportThreshold": 0.3})), "supported");
    assert_eq!(light(&strict, json!({"supportThreshold": 0.99})), "unverifiable");
    let reversed = [("support-threshold", "0.2"), ("unverifiable-threshold", "0.5")];
    assert_eq!(light(&reversed, json!({})), "supported");
}

#[cfg(unix)]
#[test]
fn what_no_source_shows_is_searched_for() {
    let context = context_of(&[("search", "echo https://mars.example/")], &[]);
    let value = run(
        &context,
        "verify_citations",
        json!({"claims": ["Mars has two moons."], "sources": [{"content": "Venus is hot."}], "webFallback": true}),
    )
    .unwrap();
    // The page cannot be read offline: then nothing is verified.
    assert_eq!((&value["unverifiableCount"], &value["overallGrounded"]), (&json!(1), &json!(false)));
    let value = run(&context, "check_claim", json!({"claim": "Mars has two moons."})).unwrap();
    assert_eq!((&value["searched"], &value["pages"][0]["page"]), (&json!(true), &json!("https://mars.example/")));
}

#[test]
fn a_draft_is_verified_and_written_where_that_is_allowed() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    let context = context_of(&[], &["--root", root.to_str().unwrap()]);
    let draft = "# T\n\nThe bridge opened in 1932 [1].\n\n## Sources\n\n[1] A page. https://a.example/\n";
    std::fs::write(root.join("x-draft.md"), draft).unwrap();
    let value = run(&context, "verify_draft", json!({"path": "x-draft.md", "output": "x.md", "record": true})).unwrap();
    // Nobody could be asked: no claim goes, and nothing is written.
    let brief = draft.replace("a.example/", "a.example/ (not verified: offline)");
    assert_eq!((&value["verdict"], &value["brief"]), (&json!("blocked"), &json!(brief)));
    assert_eq!(value["written"], json!([]));
    assert_eq!(value["record"]["schema"], "cited/record/1");
    std::fs::write(root.join("mine.md"), "Words of somebody else.").unwrap();
    for (arguments, status) in [
        (json!({"path": "x-draft.md", "output": "x-draft.md"}), 422),
        (json!({"path": "x-draft.md", "output": "mine.md"}), 422),
        (json!({"path": "x-draft.md", "output": "../x.md"}), 403),
        (json!({"path": "../x-draft.md"}), 403),
    ] {
        let failure = run(&context, "verify_draft", arguments.clone()).unwrap_err();
        assert_eq!(failure.status, status, "{arguments}: {failure:?}");
    }
}

#[test]
fn progress_grows_and_a_cancelled_call_ends() {
    let steps: Arc<Mutex<Vec<Step>>> = Arc::default();
    let told = Arc::clone(&steps);
    let one = Call { listener: Some(Arc::new(move |step| told.lock().unwrap().push(step))), ..Call::default() };
    let tool = tool("check_claim").unwrap();
    let pages = json!({"claim": "x", "pages": [{"url": "https://a.example/"}, {"url": "https://b.example/"}]});
    (tool.run)(&context(), pages.clone(), &one).unwrap();
    // Each page is asked for, and then the claim is judged by it.
    let done: Vec<_> = steps.lock().unwrap().iter().map(|step| step.done).collect();
    assert_eq!(done, [1, 2, 3, 4]);
    let cancelled = Call::default();
    cancelled.cancelled.cancel();
    assert_eq!((tool.run)(&context(), pages, &cancelled).unwrap_err().status, 409);
}

#[test]
fn calls_wait_for_their_turn_and_too_many_are_refused() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let context = context_of(&[], &["--at-once", "1", "--queue", "1"]);
    runtime.block_on(async {
        let place = context.acquire_permit(false).await.unwrap();
        let arguments = json!({"code": "dead-source"});
        let explain = tool("explain").unwrap();
        let waiting = tokio::spawn(call(Arc::clone(&context), explain, arguments.clone(), Call::default()));
        while context.load() != (1, 1) {
            tokio::task::yield_now().await;
        }
        let refused = call(Arc::clone(&context), explain, arguments, Call::default()).await.unwrap_err();
        assert_eq!(refused.status, 429);
        drop(place);
        assert!(waiting.await.unwrap().is_ok());
    });
}

#[test]
fn faults_are_told_with_their_place_in_plain_words() {
    let check = |tool: &str, arguments: Value, wrong: Option<&str>| {
        let tool = TOOLS.iter().find(|one| one.name == tool).unwrap();
        let found = fault(tool.input.as_value(), &arguments, false);
        assert_eq!(found.as_deref(), wrong, "{arguments}");
    };
    check("explain", json!([]), Some("is a list and should be an object"));
    check("explain", json!({"code": []}), Some("`code`: is a list and should be a text"));
    check("explain", json!({"code": null}), None);
    check("explain", json!({"kode": "x"}), Some("unknown field `kode`; there are code"));
    check("check_claim", json!({"pages": []}), Some("`claim` is missing"));
    check(
        "verify_citations",
        json!({"text": "x", "sources": {}}),
        Some("`sources`: is an object and should be a list"),
    );
    check("check_claim", json!({"claim": "x", "pages": [{"text": "x"}]}), None);
    let not_an_object = "`pages/1`: is a list and should be an object";
    check("check_claim", json!({"claim": "x", "pages": [{"text": "x"}, ["x"]]}), Some(not_an_object));
    let part = |chars: Value| json!({"url": "https://a.example/", "max_chars": chars});
    check("show_source", part(json!([1])), Some("`max_chars`: is a list and should be a whole number"));
    check("show_source", part(json!(0.5)), Some("`max_chars`: is a number and should be a whole number"));
    check("show_source", part(json!(-1)), Some("`max_chars`: is -1 and should be at least 0"));
    let other = "`policies/on_dead`: is \"explode\" and should be one of drop, mark, todo, keep, fail";
    check("verify_draft", json!({"text": "x", "policies": {"on_dead": "explode"}}), Some(other));
    check("verify_citations", json!({"claims": ["x"], "sources": [{"content": "x"}]}), None);
    // A ledger is whatever the gate makes of it.
    check("gate", json!({"ledger": {"claims": [[1], {"x": []}]}}), None);
    check("gate", json!({"ledger": []}), None);
}

/// What stands in the list of tools is read by a model before every conversation.
#[test]
fn a_list_of_tools_is_short_and_names_no_types_of_ours() {
    let mut bytes = 0;
    for tool in TOOLS.iter() {
        let (input, output) = (tool.input.as_value(), tool.output.as_value());
        let text = format!("{input}{output}");
        assert!(!text.contains("\"uint") && !text.contains("\"double"), "{}", tool.name);
        bytes += text.len() + tool.description.len();
    }
    assert!(bytes < 37_000, "{bytes}");
}
