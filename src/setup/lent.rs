//! What the user lends, as a judge, a search or a judge of criteria: a command that reads a question on its standard input and answers on its
//! standard output, or an address that is sent it; within a time and a length. A command runs as programs of the gate do.
//!
//! The judge of `--judge` is asked a question as JSON, or, as an endpoint, by the chat completions of `OpenAI`. Of an address
//! `https://host/v1#NAME` the part behind the `#` names the model.
//!
//! The search of `--search` gives addresses for a claim. What it gives is no evidence; it goes through the same checks as any source.
//! A command reads `{"claim": …, "most": …}` on its standard input. An address with `{claim}` in it is asked with GET, the
//! claim in its place; any other gets the same JSON with POST. The answer is JSON, or an address a line. Of JSON every `url`,
//! `link` or `href` counts, in order, wherever it stands: `SearXNG`, Brave and most other engines answer so.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use url::Url;

use crate::cli::settings::Settings;
use cited_core::address::is_web;
use cited_core::error::{self, Error};
use cited_core::page::sha256_hex;
use cited_fetch::post::{Post, Unanswered, post};
use cited_gate::process::{End, Ended, Job, Output, Program, run};
use cited_judge::outside::{LONGEST_ANSWER, Memory, OutsideJudge, Panel, Question};

/// The setting that names a search.
pub const SEARCH: &str = "search";
/// The variable that holds the key of a search; it is sent as `Authorization: Bearer` and `X-Subscription-Token`.
const SEARCH_KEY: &str = "CITED_SEARCH_KEY";
/// The variable that holds the key of a judge.
const JUDGE_KEY: &str = "CITED_JUDGE_KEY";

/// A command or an address.
#[derive(Debug)]
pub struct Lent {
    /// As the setting names it.
    pub named: String,
    /// The address that it is; none for a command.
    pub address: Option<Url>,
    /// Names of further variables that a command gets of the environment.
    pub allowed: Vec<String>,
    /// The key of an address, if there is one.
    key: Option<String>,
    /// The certificates that are trusted beside the system's.
    trusted: Vec<Vec<u8>>,
}

/// What it answers, or why it does not.
type Answer = Result<String, Unanswered>;

impl Lent {
    /// What a setting lends. The key of an address stands in a variable, and never in it.
    ///
    /// # Errors
    /// When it is empty or an address that cannot be used.
    pub fn open(setting: &str, named: &str, settings: &Settings) -> error::Result<Lent> {
        let key_variable = if setting == SEARCH { SEARCH_KEY } else { JUDGE_KEY };
        let wrong = |why: &str| Err(Error::usage(format!("{setting}: {why}")));
        let named = named.trim().to_owned();
        if named.is_empty() {
            return wrong("name a command or an http or https address");
        }
        let address = match is_web(&named).then(|| Url::parse(&named.replace(PLACE, "claim"))).transpose() {
            Err(_) => return wrong("the address cannot be read"),
            Ok(Some(url)) if !url.username().is_empty() || url.password().is_some() => {
                return wrong(&format!("an address holds no password; put the key into {key_variable}"));
            }
            Ok(address) => address,
        };
        let key = std::env::var(key_variable).ok().filter(|key| !key.is_empty());
        Ok(Lent { named, address, allowed: Vec::new(), key, trusted: settings.fetch.extra_ca_pem.clone() })
    }

    /// Sends an address a body, or only asks it without one; gives the answer.
    fn send(&self, address: &Url, body: Option<Vec<u8>>, timeout: Duration, longest: usize) -> Answer {
        post(&Post { address, key: self.key.as_deref(), body, timeout, longest, trusted: &self.trusted })
    }

    /// Asks it a question. What a command says on standard error is dropped.
    ///
    /// # Errors
    /// When there is no answer: a command does not start, takes too long, writes too much or no text, or ends in failure.
    pub fn ask(&self, question: Vec<u8>, patience: Duration, longest: usize) -> Answer {
        if let Some(address) = &self.address {
            return self.send(address, Some(question), patience, longest);
        }
        let ended = run(Job {
            program: Program::shell(&self.named),
            folder: Path::new("."),
            allowed: &self.allowed,
            variables: Vec::new(),
            input: question,
            timeout: patience,
            output: Output { kept: longest, flood: longest as u64, errors: false },
        });
        Err(Unanswered::Failed(match ended.end {
            End::Flooded(_) => format!("it wrote more than {longest} bytes"),
            End::Exit(0) => match String::from_utf8(ended.stdout) {
                Ok(answer) => return Ok(answer),
                Err(_) => "its output is not UTF-8".to_owned(),
            },
            // What it wrote is no answer, and is not shown.
            _ => Ended { stdout: Vec::new(), ..ended }.evidence(patience),
        }))
    }
}

/// An endpoint wraps its answer; so much of it is read.
const LONGEST_REPLY: usize = 4 * LONGEST_ANSWER;

/// The judge that the settings name, if they name one: an address when it begins like one, else a command. What it says is kept beside the
/// pages, where these are.
///
/// # Errors
/// When it is empty or an address that cannot be used.
pub fn panel(settings: &Settings) -> error::Result<Option<Panel>> {
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
    fn open(named: &str, settings: &Settings) -> error::Result<LentJudge> {
        let mut lent = Lent::open("judge", named, settings)?;
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
    fn message(&self, address: &Url, body: &Value) -> Result<String, (bool, String)> {
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
        let content = reply.pointer("/choices/0/message").map(|message| {
            let content = &message["content"];
            content.as_str().map_or_else(|| content.to_string(), str::to_owned)
        });
        // Some say what they do not understand with status 200.
        let is_refused = reply.get("error").is_some_and(|error| !error.is_null());
        content.ok_or_else(|| (is_refused, "its reply has no message".to_owned()))
    }
}

impl OutsideJudge for LentJudge {
    fn ask(&self, question: &Question<'_>) -> Result<String, String> {
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

/// What stands in an address for the claim.
const PLACE: &str = "{claim}";
/// The longest answer that is read, in bytes.
const LONGEST_LIST: usize = 4 << 20;
/// How long a search may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// The longest claim that is searched for, in bytes: engines cut or refuse longer ones.
const LONGEST_CLAIM: usize = 1000;
/// Names under which engines give addresses.
const ADDRESS_KEYS: [&str; 3] = ["url", "link", "href"];

impl Lent {
    /// At most `most` addresses for a claim, best first. Blocks its thread.
    ///
    /// # Errors
    /// In words: the search could not be asked, or its answer cannot be read.
    pub fn find(&self, claim: &str, most: usize) -> Result<Vec<String>, String> {
        let claim = &claim[..claim.floor_char_boundary(LONGEST_CLAIM)];
        let command = || format!("the command `{}`", self.named);
        let name = self.address.as_ref().map_or_else(command, |url| url.origin().ascii_serialization());
        let answer = if self.address.is_some() && self.named.contains(PLACE) {
            let encoded: String = url::form_urlencoded::byte_serialize(claim.as_bytes()).collect();
            let url = Url::parse(&self.named.replace(PLACE, &encoded)).map_err(|error| error.to_string())?;
            self.send(&url, None, PATIENCE, LONGEST_LIST)
        } else {
            self.ask(json!({"claim": claim, "most": most}).to_string().into_bytes(), PATIENCE, LONGEST_LIST)
        };
        let hits = answer.map_err(|why| why.to_string()).and_then(|answer| addresses_in(&answer));
        let mut hits = hits.map_err(|why| format!("{name}: {why}; try it by hand"))?;
        hits.truncate(most);
        Ok(hits)
    }
}

/// The addresses of an answer, each once.
///
/// # Errors
/// When it is neither JSON nor has a line with an address: a page for people, or a message. No answer at all is nothing found.
fn addresses_in(answer: &str) -> Result<Vec<String>, String> {
    let mut hits = Vec::new();
    match serde_json::from_str(answer) {
        Ok(value) => collect(&value, &mut hits),
        Err(_) => {
            let lines = answer.lines().map(str::trim).filter(|line| is_web(line));
            hits.extend(lines.map(str::to_owned));
            if hits.is_empty() && !answer.trim().is_empty() {
                return Err("its answer is no JSON and has no line with an address".to_owned());
            }
        }
    }
    let mut seen = HashSet::new();
    hits.retain(|hit| is_web(hit) && seen.insert(hit.clone()));
    Ok(hits)
}

/// The addresses in a value; the reader of JSON keeps its depth within bounds.
fn collect(value: &Value, hits: &mut Vec<String>) {
    match value {
        Value::String(text) if is_web(text) => hits.push(text.to_owned()),
        Value::Array(all) => all.iter().for_each(|one| collect(one, hits)),
        Value::Object(fields) => {
            let url = ADDRESS_KEYS.iter().find_map(|key| fields.get(*key)?.as_str()).filter(|url| is_web(url));
            hits.extend(url.map(str::to_owned));
            // Pictures and profiles beside a hit are no hits.
            let nested = fields.values().filter(|value| url.is_none() && (value.is_array() || value.is_object()));
            nested.for_each(|value| collect(value, hits));
        }
        _ => {}
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::cli::settings::Typed;
    use cited_judge::SourceText;

    const LONGEST: usize = 32 << 20;

    fn settings(timeout: &str) -> Settings {
        let typed = Typed::default().with("judge-timeout", timeout);
        Settings::resolve(&typed, Path::new("/nonexistent")).unwrap()
    }

    fn ask(command: &str, question: &[u8], patience: Duration) -> Result<String, String> {
        let lent = Lent::open("judge", command, &settings("2")).unwrap();
        lent.ask(question.to_vec(), patience, LONGEST).map_err(|why| why.to_string())
    }

    #[track_caller]
    fn check(command: &str, expected: Result<&str, &str>) {
        let answer = ask(command, b"question", Duration::from_millis(400));
        match (answer, expected) {
            (Ok(answer), Ok(expected)) => assert_eq!(answer, expected, "{command}"),
            (Err(error), Err(expected)) => assert!(error.contains(expected), "{error}"),
            (answer, expected) => panic!("{command}: {answer:?}, not {expected:?}"),
        }
    }

    #[test]
    fn answers_are_taken_and_failures_told() {
        check("cat", Ok("question"));
        check("echo a; exec <&-", Ok("a\n"));
        check("echo a; exit 3", Err("exit status 3"));
        check("printf '\\377'", Err("not UTF-8"));
        // Cargo has set this one for us; it is none that a program of the user gets.
        check("echo \"${CARGO_MANIFEST_DIR-none} ${PATH:+path}\"", Ok("none path\n"));
        check("no-such-command-here 2>/dev/null", Err("exit status 127"));
    }

    #[test]
    fn what_takes_too_long_is_ended_with_all_that_it_started() {
        let marker = tempfile::tempdir().unwrap();
        let file = marker.path().join("alive");
        let command = format!("trap '' TERM; (sleep 3; touch {}) & wait", file.display());
        check(&command, Err("took longer than 0.4 s"));
        std::thread::sleep(Duration::from_millis(1200));
        assert!(!file.exists(), "a child lived on");
    }

    #[test]
    fn what_left_the_group_and_holds_the_pipes_is_not_waited_for() {
        if std::process::Command::new("setsid").arg("true").status().is_err() {
            return;
        }
        let begun = std::time::Instant::now();
        check("setsid sleep 20 & echo a", Ok("a\n"));
        check("setsid sleep 20 & sleep 20", Err("took longer than 0.4 s"));
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    }

    #[test]
    fn a_flood_is_cut_off() {
        let answer = ask("yes", b"", Duration::from_secs(20));
        assert!(answer.unwrap_err().contains("more than 33554432 bytes"));
    }

    fn check_judge(command: &str, expected: Result<&str, &str>) {
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
        check_judge("cat > /dev/null; printf '{}'", Ok("{}"));
        check_judge("printf unread", Ok("unread"));
        check_judge("grep -o '\"text\":\"[^\"]*\"'", Ok("\"text\":\"A claim.\"\n"));
        // Cargo has set this one for us; it is none that a judge gets.
        check_judge("printf \"${CARGO_MANIFEST_DIR-none} ${PATH:+path}\"", Ok("none path"));
        check_judge("exit 3", Err("3"));
        check_judge("sleep 100", Err("took longer than 2 s"));
        check_judge("sleep 100 & sleep 100", Err("took longer than 2 s"));
        check_judge("cat /dev/zero", Err("more than"));
        check_judge("printf '\\377'", Err("UTF-8"));
        check_judge("no-such-command-anywhere", Err("127"));
    }

    #[test]
    fn an_address_with_a_password_is_refused() {
        let lent = |named: &str| LentJudge::open(named, &settings("2"));
        for bad in ["", "  ", "https://user:secret@judge.example/v1", "http://"] {
            assert!(lent(bad).is_err(), "{bad}");
        }
        assert!(lent("http://127.0.0.1:1/v1#small").unwrap().model == "small");
    }

    fn check_hits(answer: &str, expected: &str) {
        let hits = addresses_in(answer).unwrap();
        assert_eq!(hits.join(" "), expected, "{answer}");
    }

    #[test]
    fn addresses_are_found_in_the_answers_of_engines() {
        check_hits("https://a.example/\n\nhttps://b.example/\n", "https://a.example/ https://b.example/");
        check_hits(r#"["https://a.example/", "no address", "https://a.example/"]"#, "https://a.example/");
        check_hits(
            r#"{"query": "q", "results": [{"url": "https://a.example/", "title": "A", "engines": ["x"]}]}"#,
            "https://a.example/",
        );
        check_hits(
            r#"{"web": {"results": [{"title": "A", "url": "https://a.example/", "profile": {"img": "https://i.example/"}}]}}"#,
            "https://a.example/",
        );
        check_hits(r#"{"organic": [{"link": "https://a.example/"}], "knowledgeGraph": {}}"#, "https://a.example/");
        check_hits(r#"{"results": [{"url": "file:///etc/passwd"}, {"url": "javascript:alert(1)"}]}"#, "");
        check_hits("", "");
        check_hits(r#"{"results": []}"#, "");
        for answer in ["nothing", "<!doctype html><a href=\"https://a.example/\">A</a>"] {
            assert!(addresses_in(answer).unwrap_err().contains("no JSON"), "{answer}");
        }
    }

    #[test]
    fn a_command_gets_the_claim_as_json() {
        let open = |named: &str| Lent::open(SEARCH, named, &settings("2"));
        let search = open("grep -q '\"claim\":\"Mars\"' && echo https://m.example/").unwrap();
        assert_eq!(search.find("Mars", 3).unwrap(), ["https://m.example/"]);
        let why = search.find("Venus", 3).unwrap_err();
        assert!(
            why.contains("the command `grep") && why.contains("exit status") && why.contains("try it by hand"),
            "{why}"
        );
        let missing = open("no-such-program-of-cited").unwrap().find("Mars", 3).unwrap_err();
        assert!(missing.contains("no-such-program-of-cited"), "{missing}");
        let nobody = open("http://127.0.0.1:1/?q={claim}&key=secret").unwrap().find("Mars", 3).unwrap_err();
        assert!(nobody.starts_with("http://127.0.0.1:1: no connection; try it by hand"), "{nobody}");
        assert!(!nobody.contains("secret"));
        assert!(open("https://user:secret@s.example/").is_err());
        assert!(open("  ").is_err());
    }
}
