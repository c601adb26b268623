//! The outside judge of `--judge`: a command of the user's, or an endpoint that speaks the chat completions of `OpenAI`.
//!
//! The key of an endpoint comes from the environment variable `CITED_JUDGE_KEY` and from nowhere else. Of an address
//! `https://host/v1#NAME` the part behind the `#` names the model.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use url::Url;

use super::lent_command::Lent;
use crate::cli::settings::Settings;
use cited_core::error::Result;
use cited_core::page::sha256_hex;
use cited_fetch::post::Unanswered;
use cited_judge::outside::{LONGEST_ANSWER, Memory, OutsideJudge, Panel, Question};

/// The variable that holds the key of an endpoint.
pub const KEY_VARIABLE: &str = "CITED_JUDGE_KEY";
/// An endpoint wraps its answer; so much of it is read.
const LONGEST_REPLY: usize = 4 * LONGEST_ANSWER;

/// The judge that the settings name, if they name one: an address when it begins like one, else a command. What it says is kept beside the
/// pages, where these are.
///
/// # Errors
/// When it is empty or an address that cannot be used.
pub fn panel(settings: &Settings) -> Result<Option<Panel>> {
    let Some(named) = &settings.work.judge else { return Ok(None) };
    let judge = LentJudge::open(named, settings)?;
    let folder = settings.fetch.cache.as_ref().map(|cache| cache.folder.join("judge"));
    let named = judge.lent.named.clone();
    let mut panel = Panel::new(judge);
    panel.memory = folder.map(|folder| -> Box<dyn Memory> { Box::new(Answers { folder, named }) });
    (panel.concurrency, panel.budget) = (settings.work.judge_concurrency, settings.work.judge_budget);
    Ok(Some(panel))
}

/// Answers in a folder, one file each, named for who was asked what.
struct Answers {
    folder: PathBuf,
    named: String,
}

/// An older answer may be another model's of the same name.
const KEPT: Duration = Duration::from_hours(30 * 24);

impl Answers {
    fn file(&self, question: &str) -> PathBuf {
        self.folder.join(sha256_hex(format!("{}\n{question}", self.named).as_bytes()))
    }
}

impl Memory for Answers {
    fn recall(&self, question: &str) -> Option<String> {
        let file = self.file(question);
        let age = file.metadata().ok()?.modified().ok()?.elapsed().unwrap_or_default();
        (age <= KEPT).then(|| std::fs::read_to_string(&file).ok()).flatten()
    }

    fn keep(&self, question: &str, answer: &str) {
        // An answer that cannot be kept costs another question, and nothing else.
        let _ = std::fs::create_dir_all(&self.folder)
            .and_then(|()| tempfile::NamedTempFile::new_in(&self.folder))
            .and_then(|mut part| part.write_all(answer.as_bytes()).map(|()| part))
            .map(|part| part.persist(self.file(question)));
    }
}

/// A command that reads the question as JSON and writes its answer as JSON, or an endpoint of the form that `OpenAI`'s chat completions
/// made common.
struct LentJudge {
    lent: Lent,
    /// The model that an endpoint is asked for.
    model: String,
    patience: Duration,
    /// How plainly it must be asked, as far as it is known.
    plainness: AtomicUsize,
    /// The tokens that its replies say they took.
    tokens: AtomicU64,
}

/// A request that sets nothing beside its question.
const PLAINEST: usize = 2;

/// How an endpoint says that it has no time now; it is asked again after so many seconds each, or when it says.
const BUSY: [u16; 2] = [429, 503];
const PAUSES: [u64; 2] = [1, 4];

/// No other request is let in, either.
const UNAUTHORIZED: u16 = 401;

impl LentJudge {
    fn open(named: &str, settings: &Settings) -> Result<LentJudge> {
        let mut lent = Lent::open("judge", named, KEY_VARIABLE, settings)?;
        let mut model = String::new();
        if let Some(address) = &mut lent.address {
            address.fragment().unwrap_or("default").clone_into(&mut model);
            address.set_fragment(None);
            if !address.path().ends_with("/chat/completions") {
                let path = format!("{}/chat/completions", address.path().trim_end_matches('/'));
                address.set_path(&path);
            }
        }
        let (patience, plainness, tokens) = (settings.work.judge_timeout, AtomicUsize::new(0), AtomicU64::new(0));
        Ok(LentJudge { lent, model, patience, plainness, tokens })
    }

    /// What is asked. Not every endpoint knows `response_format`, and the prompt says the same in words; nor does every model let its
    /// temperature be set. The plainer, the less is set.
    fn body(&self, question: &Question<'_>, plainness: usize) -> Value {
        let mut body = json!({
            "model": self.model,
            "messages": [{"role": "user", "content": question.prompt}],
        });
        if plainness < PLAINEST {
            body["temperature"] = 0.into();
        }
        if plainness == 0 {
            let form = json!({"name": "verdict", "strict": true, "schema": question.answer_schema});
            body["response_format"] = json!({"type": "json_schema", "json_schema": form});
        }
        body
    }

    /// The message of a reply, or why there is none; with it, whether a plainer request may be understood.
    fn message(&self, address: &Url, body: &Value) -> std::result::Result<String, (bool, String)> {
        let send = || {
            let body = body.to_string().into_bytes();
            self.lent.send(address, Some(body), self.patience, LONGEST_REPLY)
        };
        let mut reply = send();
        for pause in PAUSES {
            let wanted = match &reply {
                Err(Unanswered::Status(status, after)) if BUSY.contains(status) => *after,
                Err(Unanswered::TimedOut) => None,
                _ => break,
            };
            std::thread::sleep(wanted.unwrap_or(Duration::from_secs(pause)).min(self.patience));
            reply = send();
        }
        let reply = reply.map_err(|why| {
            let other = |status| !BUSY.contains(&status) && status != UNAUTHORIZED;
            (matches!(why, Unanswered::Status(status, _) if other(status)), why.to_string())
        })?;
        let reply: Value = serde_json::from_str(&reply).map_err(|_| (false, "its reply is not JSON".to_owned()))?;
        let took = reply.pointer("/usage/total_tokens").and_then(Value::as_u64);
        self.tokens.fetch_add(took.unwrap_or(0), Ordering::Relaxed);
        let message = reply.pointer("/choices/0/message");
        let part = |part: &Value| part.as_str().or_else(|| part.get("text")?.as_str()).map(str::to_owned);
        let content = message.map(|message| match message.get("content") {
            Some(Value::String(text)) if !text.trim().is_empty() => text.clone(),
            // In parts, as messages to a model may be.
            Some(Value::Array(parts)) => parts.iter().filter_map(part).collect(),
            Some(value @ Value::Object(_)) => value.to_string(),
            // Some make the form of an answer a tool. Who refuses, or thinks until its room is full, says nothing.
            _ => message.pointer("/tool_calls/0/function/arguments").map_or_else(String::new, |arguments| {
                arguments.as_str().map_or_else(|| arguments.to_string(), str::to_owned)
            }),
        });
        // Some say what they do not understand with status 200.
        let is_refused = reply.get("error").is_some_and(|error| !error.is_null());
        content.ok_or_else(|| (is_refused, "its reply has no message".to_owned()))
    }
}

impl OutsideJudge for LentJudge {
    fn ask(&self, question: &Question<'_>) -> std::result::Result<String, String> {
        let Some(address) = &self.lent.address else {
            let question = serde_json::to_vec(question).map_err(|error| error.to_string())?;
            return self.lent.ask(question, self.patience, LONGEST_ANSWER).map_err(|why| why.to_string());
        };
        let known = self.plainness.load(Ordering::Relaxed);
        let mut refused = String::new();
        for plainness in known..=PLAINEST {
            match self.message(address, &self.body(question, plainness)) {
                Ok(message) => {
                    self.plainness.fetch_max(plainness, Ordering::Relaxed);
                    return Ok(message);
                }
                Err((false, why)) => return Err(why),
                Err((true, why)) => refused = why,
            }
        }
        Err(refused)
    }

    fn tokens(&self) -> Option<u64> {
        Some(self.tokens.load(Ordering::Relaxed)).filter(|tokens| *tokens > 0)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::{Duration, Instant};

    use super::{LentJudge, OutsideJudge as _, Question};
    use crate::cli::layers::Typed;
    use crate::cli::settings::Settings;
    use cited_judge::SourceText;

    fn settings(timeout: &str) -> Settings {
        let typed = Typed::default().with("judge-timeout", timeout);
        Settings::resolve(&typed, std::path::Path::new("/nonexistent")).unwrap()
    }

    fn check(command: &str, expected: Result<&str, &str>) {
        let judge = LentJudge::open(command, &settings("2")).unwrap();
        let begun = Instant::now();
        let answer = judge.ask(&Question::new(&["A claim."], &SourceText::new("A passage.", "")));
        match expected {
            Ok(text) => assert_eq!(answer.as_deref(), Ok(text), "{command}"),
            Err(part) => assert!(answer.as_ref().is_err_and(|why| why.contains(part)), "{command}: {answer:?}"),
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{command}");
    }

    #[test]
    fn a_command_answers_or_is_ended() {
        check("cat > /dev/null; printf '{}'", Ok("{}"));
        check("printf unread", Ok("unread"));
        check("grep -o '\"text\":\"[^\"]*\"'", Ok("\"text\":\"A claim.\"\n"));
        // Cargo has set this one for us; it is none that a judge gets.
        check("printf \"${CARGO_MANIFEST_DIR-none} ${PATH:+path}\"", Ok("none path"));
        check("exit 3", Err("3"));
        check("sleep 100", Err("took longer than 2 s"));
        check("sleep 100 & sleep 100", Err("took longer than 2 s"));
        check("cat /dev/zero", Err("more than"));
        check("printf '\\377'", Err("UTF-8"));
        check("no-such-command-anywhere", Err("127"));
    }

    #[test]
    fn an_address_with_a_password_is_refused() {
        let lent = |named: &str| LentJudge::open(named, &settings("2"));
        for bad in ["", "  ", "https://user:secret@judge.example/v1", "http://"] {
            assert!(lent(bad).is_err(), "{bad}");
        }
        assert!(lent("http://127.0.0.1:1/v1#small").unwrap().model == "small");
    }
}
