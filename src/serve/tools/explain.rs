//! `explain`: what a kind of finding means and what to do about it, and what a check looks for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call::Call;
use super::context::Context;
use super::failure::Failure;
use super::tool::{Annotations, Tool, given, schema, typed};
use cited_core::finding::{Code, Severity};
use cited_judge::checks;

pub const TOOL: Tool = Tool {
    name: "explain",
    title: "Explain a finding",
    description: "Tells what the code of a finding means (such as `dead-source` or `number-mismatch`) and what to do about it, or what a \
                  check of the judge asks (such as `other-number`). Without one it lists all codes and checks.",
    annotations: Annotations { read_only: true, open_world: false },
    input: schema::<Input>,
    output: given::<Output>,
    run: |context, arguments, call| typed((context, arguments, call), run, text),
};

/// Which finding.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The code of a finding, such as `dead-source`, or the name of a check, such as `other-number`. Leave it out for all of them.
    code: Option<String>,
}

/// What findings mean.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// The code that was asked for, or all of them.
    codes: Vec<Explained>,
    /// The check that was asked for, or all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    checks: Vec<ExplainedCheck>,
}

/// What one check asks.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ExplainedCheck {
    /// Its name, as in verdicts.
    check: &'static str,
    /// What it looks for, in a few lines.
    meaning: &'static str,
    /// The same with pages and claims that show it, Markdown; only when one check was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<&'static str>,
}

/// What one kind of finding means.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Explained {
    /// The code.
    code: Code,
    /// How much it matters.
    severity: Severity,
    /// What it means, in a line or two.
    meaning: String,
    /// More about it and what to do, Markdown; only when one code was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
}

fn run(_: &Context, input: &Input, _: &Call) -> Result<Output, Failure> {
    let explained = |code: Code, whole: bool| Explained {
        code,
        severity: code.severity(),
        meaning: code.meaning().lines().map(str::trim).collect::<Vec<_>>().join(" "),
        page: whole.then(|| code.page().to_owned()),
    };
    let check = |(check, page): (&'static str, &'static str), whole: bool| ExplainedCheck {
        check,
        meaning: page.lines().next().unwrap_or_default(),
        page: whole.then_some(page),
    };
    let Some(asked) = &input.code else {
        let codes = Code::ALL.iter().map(|code| explained(*code, false)).collect();
        return Ok(Output { codes, checks: checks::pages().map(|page| check(page, false)).collect() });
    };
    if let Some(code) = Code::named(asked.trim()) {
        return Ok(Output { codes: vec![explained(code, true)], checks: Vec::new() });
    }
    if let Some(page) = checks::pages().find(|(id, _)| *id == asked.trim()) {
        return Ok(Output { codes: Vec::new(), checks: vec![check(page, true)] });
    }
    let known: Vec<&str> =
        Code::ALL.iter().map(|code| code.as_str()).chain(checks::pages().map(|(id, _)| id)).collect();
    let message = format!("no finding and no check is named `{asked}`; the names are {}", known.join(", "));
    Err(Failure::arguments(message))
}

fn text(output: &Output) -> String {
    match (output.codes.as_slice(), output.checks.as_slice()) {
        ([Explained { code, severity, page: Some(page), .. }], _) => format!("{code} ({severity})\n\n{page}\n"),
        (_, [ExplainedCheck { check, page: Some(page), .. }]) => format!("{check} (check)\n\n{page}"),
        (codes, checks) => {
            let codes = codes.iter().map(|one| format!("{}: {}\n", one.code, one.meaning));
            codes.chain(checks.iter().map(|one| format!("{}: {}\n", one.check, one.meaning))).collect()
        }
    }
}
