//! `explain`: what a kind of finding means and what to do about it, and what a sign looks for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call::Call;
use super::context::Context;
use super::failure::Failure;
use super::tool::{Annotations, Tool, Typed, given, run, schema};
use crate::finding::{Code, Severity};
use crate::judge::signs;

pub const TOOL: Tool = Tool {
    name: "explain",
    title: "Explain a finding",
    description: "Tells what the code of a finding means (such as `dead-source` or `number-mismatch`) and what to do about it, or what a \
                  sign of a verdict looks for (such as `less-surely`). Without one it lists all codes and signs.",
    annotations: Annotations { read_only: true, open_world: false },
    input: schema::<Input>,
    output: given::<Output>,
    run: run::<Explain>,
};

struct Explain;

/// Which finding.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The code of a finding, such as `dead-source`, or the name of a sign, such as `less-surely`. Leave it out for all of them.
    #[serde(default)]
    code: Option<String>,
}

/// What findings mean.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// The code that was asked for, or all of them.
    codes: Vec<Explained>,
    /// The sign that was asked for, or all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    signs: Vec<ExplainedSign>,
}

/// What one sign looks for.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ExplainedSign {
    /// Its name, as in verdicts.
    sign: &'static str,
    /// What it looks for, in a few lines.
    meaning: &'static str,
    /// The same with pages and claims that show it, Markdown; only when one sign was asked for.
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

impl Typed for Explain {
    type Input = Input;
    type Output = Output;

    fn run(_: &Context, input: Input, _: &Call) -> Result<Output, Failure> {
        let explained = |code: Code, whole: bool| Explained {
            code,
            severity: code.severity(),
            meaning: code.meaning().lines().map(str::trim).collect::<Vec<_>>().join(" "),
            page: whole.then(|| code.page().to_owned()),
        };
        let sign = |(sign, page): (&'static str, &'static str), whole: bool| ExplainedSign {
            sign,
            meaning: page.lines().next().unwrap_or_default(),
            page: whole.then_some(page),
        };
        let Some(asked) = input.code else {
            let codes = Code::ALL.iter().map(|code| explained(*code, false)).collect();
            return Ok(Output { codes, signs: signs::pages().map(|page| sign(page, false)).collect() });
        };
        if let Some(code) = Code::named(asked.trim()) {
            return Ok(Output { codes: vec![explained(code, true)], signs: Vec::new() });
        }
        if let Some(page) = signs::pages().find(|(id, _)| *id == asked.trim()) {
            return Ok(Output { codes: Vec::new(), signs: vec![sign(page, true)] });
        }
        let known: Vec<&str> =
            Code::ALL.iter().map(|code| code.as_str()).chain(signs::pages().map(|(id, _)| id)).collect();
        let message = format!("no finding and no sign is named `{asked}`; the names are {}", known.join(", "));
        Err(Failure::arguments(message))
    }

    fn text(output: &Output) -> String {
        match (output.codes.as_slice(), output.signs.as_slice()) {
            ([Explained { code, severity, page: Some(page), .. }], _) => format!("{code} ({severity})\n\n{page}\n"),
            (_, [ExplainedSign { sign, page: Some(page), .. }]) => format!("{sign} (sign)\n\n{page}"),
            (codes, signs) => {
                let codes = codes.iter().map(|one| format!("{}: {}\n", one.code, one.meaning));
                codes.chain(signs.iter().map(|one| format!("{}: {}\n", one.sign, one.meaning))).collect()
            }
        }
    }
}
