//! The outside judge as an endpoint: a loopback server that speaks chat completions.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};

use assert_cmd::Command;
use serde_json::{Value, json};

const DRAFT: &str = "# Heat pumps\n\nThe units of the field test still gave heat at low temperatures [1].\n\n\
    A secret sentence that no source speaks of may follow.\n\n## Sources\n\n1. A field test: https://journal.example/field-test\n";

fn serve(reply: String) -> (u16, Receiver<String>) {
    serve_each(vec![reply])
}

/// Answers requests with these replies (head and body) in turn, the last one for ever, and hands on what it was sent.
fn serve_each(replies: Vec<String>) -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (send, requests) = channel();
    std::thread::spawn(move || {
        for (turn, stream) in listener.incoming().enumerate() {
            let reply = &replies[turn.min(replies.len() - 1)];
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut head, mut length) = (String::new(), 0);
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                if line.trim().is_empty() {
                    break;
                }
                if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                head.push_str(&line);
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            // The client may have gone; that is its business.
            let _ = send.send(head + "\n" + &String::from_utf8(body).unwrap());
            let _ = stream.write_all(reply.as_bytes());
        }
    });
    (port, requests)
}

fn ok(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
}

fn completion(content: &str) -> String {
    ok(&json!({"choices": [{"message": {"role": "assistant", "content": content}}]}).to_string())
}

/// What the checks say of the claim by themselves.
const WITHOUT: &str = "weak";

/// Runs cited with this reply and checks the standing of the claim and how often the endpoint was asked.
fn check(reply: String, standing: &str, asked: usize) -> Vec<String> {
    check_each(vec![reply], standing, asked)
}

fn check_each(replies: Vec<String>, standing: &str, asked: usize) -> Vec<String> {
    let (port, requests) = serve_each(replies);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("draft.md"), DRAFT).unwrap();
    let bundle = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/example/heat-pumps.warc.gz");
    Command::cargo_bin("cited")
        .unwrap()
        .current_dir(folder.path())
        .env("CITED_JUDGE_KEY", "sesame-123")
        .args(["verify", "draft.md", "-o", "out.md", "-q", "--cache", "off", "--replay"])
        .arg(bundle)
        .args(["--judge", &format!("http://127.0.0.1:{port}/v1#small")])
        .assert()
        // A run whose judge could not be read is not fine.
        .code(if standing == WITHOUT { 3 } else { 0 });
    let record = std::fs::read_to_string(folder.path().join("out.record.json")).unwrap();
    assert!(!record.contains("sesame"), "the key is in the record");
    let record: Value = serde_json::from_str(&record).unwrap();
    let found = &record["verifications"][0]["sources_reconciled"][0]["verdict"];
    assert_eq!(found, standing);
    let (questions, tokens) = (&record["judge"]["questions"], &record["judge"]["tokens"]);
    assert!(questions == 1 && tokens.as_u64() > Some(0), "the record says what was asked: {}", record["judge"]);
    let requests: Vec<String> = requests.try_iter().collect();
    assert_eq!(requests.len(), asked, "{requests:?}");
    requests
}

#[test]
fn an_endpoint_gets_the_claim_and_the_passage_and_nothing_else() {
    let answer = r#"{"verdict": "supported", "confidence": 0.95, "quotation": "the units still gave 2.1 kWh of heat"}"#;
    let requests = check(completion(answer), "supported", 1);
    let (head, body) = requests[0].split_once("\n\n").or(requests[0].split_once("\r\n\n")).unwrap();
    assert!(head.starts_with("POST /v1/chat/completions HTTP/1.1"), "{head}");
    assert!(head.to_lowercase().contains("authorization: bearer sesame-123"), "{head}");
    let body: Value = serde_json::from_str(body).unwrap();
    assert_eq!((&body["model"], &body["temperature"]), (&json!("small"), &json!(0)));
    let prompt = body["messages"][0]["content"].as_str().unwrap();
    assert!(prompt.contains("still gave heat at low temperatures") && prompt.contains("2.1 kWh"), "{prompt}");
    assert!(!prompt.contains("secret sentence") && prompt.contains("journal.example"), "{prompt}");
}

#[test]
fn without_a_usable_answer_the_verdict_of_the_checks_stands_and_the_run_fails() {
    check(completion("Yes, it is supported."), WITHOUT, 2);
    check(ok("{}"), WITHOUT, 1);
    check(ok(&"x".repeat(1 << 20)), WITHOUT, 1);
    // It may be the form of answers that it cannot take.
    check("HTTP/1.1 500 Oops\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_owned(), WITHOUT, 3);
    // No redirect is followed, and the key goes nowhere else.
    let (port, others) = serve(completion("{}"));
    let moved = format!(
        "HTTP/1.1 307 Moved\r\nlocation: http://127.0.0.1:{port}/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    );
    check(moved, WITHOUT, 3);
    assert_eq!(others.try_iter().count(), 0);
}

#[test]
fn an_endpoint_that_lets_nothing_be_set_is_asked_plainly() {
    let answer = r#"{"verdict": "supported", "confidence": 0.95, "quotation": "the units still gave 2.1 kWh of heat"}"#;
    let refused = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_owned();
    let requests = check_each(vec![refused.clone(), refused.clone(), completion(answer)], "supported", 3);
    assert!(requests[1].contains("\"temperature\":") && !requests[2].contains("\"temperature\":"), "{requests:?}");
    // Who refuses everything has not answered.
    check(refused, WITHOUT, 3);
    // A refusal may have the status of an answer.
    let told = ok(r#"{"error": {"message": "response_format is not supported"}}"#);
    check_each(vec![told, completion(answer)], "supported", 2);
}

/// A reply with a status and a JSON body.
fn status(status: u16, body: &Value) -> String {
    let body = body.to_string();
    format!(
        "HTTP/1.1 {status} -\r\nretry-after: 0\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// A completion with this message, and what else stands beside it.
fn message(message: Value, finish: &str) -> String {
    let usage = json!({"prompt_tokens": 1200, "completion_tokens": 60, "total_tokens": 1260});
    let mut choice = json!({"index": 0, "logprobs": null, "finish_reason": finish});
    choice["message"] = message;
    status(200, &json!({"id": "chatcmpl-1", "object": "chat.completion", "choices": [choice], "usage": usage}))
}

/// The shapes of request and answer of five kinds of endpoint: what they refuse at first, where they put an answer, and what is none.
#[test]
fn five_kinds_of_endpoint_are_understood() {
    let said = json!({"answers": [{"id": 1, "quotation": "the units still gave 2.1 kWh of heat", "missing": "", "verdict": "supported",
        "confidence": 0.95}]});
    let text = said.to_string();
    let error = |text: &str, kind: &str| json!({"error": {"message": text, "type": kind, "param": null, "code": null}});
    let plain = || message(json!({"role": "assistant", "content": text, "refusal": null}), "stop");
    let fixed = error("Unsupported value: 'temperature' does not support 0 with this model.", "invalid_request_error");
    let unknown =
        error("litellm.UnsupportedParamsError: model does not support parameters: ['response_format']", "None");
    let loading = json!({"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}});
    let no_grammar =
        json!({"object": "error", "message": "response_format", "type": "BadRequestError", "param": null, "code": 400});
    let not_there = error("model \"small\" not found, try pulling it first", "api_error");
    let thought = format!("<think>It may be {{\"verdict\": \"partly\"}}.</think>\n\n```json\n{text}\n```");
    for (kind, replies, standing, asked) in [
        ("hosted", vec![plain()], "supported", 1),
        (
            "hosted, of a model that fixes its temperature",
            vec![status(400, &fixed), status(400, &fixed), plain()],
            "supported",
            3,
        ),
        ("hosted, busy", vec![status(429, &error("Rate limit reached", "requests")), plain()], "supported", 2),
        (
            "hosted, refusing",
            vec![message(json!({"role": "assistant", "content": null, "refusal": "I cannot."}), "stop")],
            WITHOUT,
            2,
        ),
        ("Ollama", vec![message(json!({"role": "assistant", "content": thought}), "stop")], "supported", 1),
        ("Ollama, without the model", vec![status(404, &not_there)], WITHOUT, 3),
        (
            "Ollama, thinking until its room is full",
            vec![message(json!({"role": "assistant", "content": "", "reasoning": text}), "length")],
            WITHOUT,
            2,
        ),
        (
            "llama.cpp, still loading",
            vec![
                status(503, &loading),
                message(json!({"role": "assistant", "reasoning_content": "Hm.", "content": text}), "stop"),
            ],
            "supported",
            2,
        ),
        (
            "llama.cpp, cut off",
            vec![message(json!({"role": "assistant", "content": &text[..60]}), "length"), plain()],
            "supported",
            2,
        ),
        (
            "vLLM, without grammars",
            vec![
                status(400, &no_grammar),
                message(
                    json!({"role": "assistant", "content": text, "tool_calls": [], "reasoning_content": null}),
                    "stop",
                ),
            ],
            "supported",
            2,
        ),
        ("a proxy", vec![status(422, &unknown), plain()], "supported", 2),
        ("a proxy that fails", vec![status(500, &unknown), plain()], "supported", 2),
        ("a proxy that reads the answer", vec![message(json!({"content": said}), "stop")], "supported", 1),
    ] {
        eprintln!("{kind}");
        let requests = check_each(replies, standing, asked);
        let body = |request: &str| -> Value { serde_json::from_str(request.split_once("\n\n").unwrap().1).unwrap() };
        let first = body(&requests[0]);
        let answers = &first["response_format"]["json_schema"]["schema"]["properties"]["answers"];
        // A small model that is held to a form without an end lists answers until its room is full.
        assert_eq!((&answers["minItems"], &answers["maxItems"]), (&json!(1), &json!(1)));
        let form = &answers["items"];
        // Who holds a model strictly to a form wants the type of each field, and all of them.
        let fields = form["properties"].as_object().unwrap();
        assert!(fields.values().all(|field| field["type"].is_string()), "{form}");
        assert_eq!(form["required"].as_array().unwrap().len(), fields.len());
        if kind.contains("proxy") && asked == 2 || kind.contains("vLLM") {
            assert!(!requests[1].contains("response_format"), "{kind}");
        }
    }
    // It can lower, too.
    let lower = r#"{"verdict": "not_in_source", "confidence": 0.9, "missing": "low temperatures"}"#;
    check(completion(lower), "unverifiable", 1);
}

/// Runs the gate with a criterion that this reply judges, and checks what it comes to and how often the judge was asked.
fn check_gate(reply: String, says: &str, exit: i32, asked: usize) -> Vec<String> {
    let (port, requests) = serve(reply);
    let folder = tempfile::tempdir().unwrap();
    let criteria = json!({
        "criteria": [{"name": "tone", "type": "agent", "check": "Is it sober?", "timeout": 5}],
        "agent": {"endpoint": format!("http://127.0.0.1:{port}/judge")}
    });
    std::fs::write(folder.path().join("c.json"), criteria.to_string()).unwrap();
    std::fs::write(folder.path().join("brief.md"), "An amazing week.\n").unwrap();
    let run = Command::cargo_bin("cited")
        .unwrap()
        .current_dir(folder.path())
        .env("CITED_JUDGE_KEY", "sesame-123")
        .args(["gate", "--criteria", "c.json", "--artifact", "brief.md"])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(told.contains(says) && !told.contains("sesame"), "{told}");
    assert_eq!(run.status.code(), Some(exit), "{told}");
    let requests: Vec<String> = requests.try_iter().collect();
    assert_eq!(requests.len(), asked, "{requests:?}");
    requests
}

#[test]
fn a_criterion_is_judged_at_an_endpoint() {
    let answer = json!({"verdict": "pass", "findings": [{"message": "commas", "confidence": 20}]}).to_string();
    let requests = check_gate(ok(&answer), "passed tone", 0, 1);
    assert!(requests[0].starts_with("POST /judge HTTP/1.1"), "{}", requests[0]);
    assert!(requests[0].to_lowercase().contains("authorization: bearer sesame-123"), "{}", requests[0]);
    assert!(requests[0].contains("Is it sober?") && requests[0].contains("An amazing week."), "{}", requests[0]);
    let found = json!({"verdict": "pass", "findings": [{"message": "“amazing” is no sober word", "confidence": 90}]});
    check_gate(ok(&found.to_string()), "failed tone", 1, 1);
    check_gate(ok("It passes."), "error tone", 1, 2);
    // It is read as leniently as a judge of claims: other keys are passed over.
    check_gate(ok("{\"verdict\": \"pass\", \"findings\": [], \"more\": 1}"), "passed tone", 0, 1);
    check_gate("HTTP/1.1 500 Oops\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_owned(), "error tone", 1, 1);
}

/// What stands for the library: of one text beside another it says that it is entailed when a word stands in both.
const STUB: &str = r#"
def pipeline(task, model):
    assert (task, model) == ("text-classification", "stub")
    def read(pairs, top_k, truncation):
        assert top_k is None and truncation == "only_first"
        def scores(entails, contradicts):
            return [{"label": "ENTAILMENT", "score": entails}, {"label": "NEUTRAL", "score": 1 - entails - contradicts},
                    {"label": "CONTRADICTION", "score": contradicts}]
        def score(text, claim):
            if "nowhere" in claim:
                return scores(0.01, 0.98)
            return scores(0.97 if "heat" in text else 0.6, 0.01)
        return [score(pair["text"], pair["text_pair"]) for pair in pairs]
    return read
"#;

/// The program of docs/judges: what it says is what its model says, in a form that is understood.
#[test]
fn a_program_holds_an_entailment_model() {
    let has = |program: &str| std::process::Command::new(program).arg("--version").output().is_ok();
    if !has("python3") || !has("curl") {
        eprintln!("skipped: the program of docs/judges needs python3 and curl");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("transformers.py"), STUB).unwrap();
    let mut program = std::process::Command::new("python3")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/judges/entailment.py"))
        .args(["stub", "0"])
        .env("PYTHONPATH", folder.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut address = String::new();
    BufReader::new(program.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let judge = format!("curl -sf --data-binary @- {}", address.trim());
    std::fs::write(folder.path().join("heat.txt"), "Old units went on in the cold and gave heat.\n").unwrap();
    std::fs::write(folder.path().join("cold.txt"), "Old units went on in the cold and gave up.\n").unwrap();
    let said = |claim: &str, page: &str| {
        let args = ["judge", claim, page, "--format", "json", "--judge", &judge];
        let output = Command::cargo_bin("cited").unwrap().current_dir(folder.path()).args(args).output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        (answer["standing"].as_str().unwrap_or_default().to_owned(), answer["confidence"].as_f64().unwrap())
    };
    let found = [
        said("Warmth came from ancient machines.", "heat.txt"),
        said("Warmth came from ancient machines.", "cold.txt"),
        said("Warmth came from nowhere at all.", "cold.txt"),
    ];
    program.kill().unwrap();
    program.wait().unwrap();
    let verdicts: Vec<&str> = found.iter().map(|(verdict, _)| verdict.as_str()).collect();
    assert_eq!(verdicts, ["supported", "weak", "contradicted"], "{found:?}");
    assert!(found[0].1 >= 0.97, "{found:?}");
}
