//! `explain`: what a kind of finding means and what to do about it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call::Call;
use super::context::Context;
use super::failure::Failure;
use super::tool::{Annotations, Tool, Typed, given, run, schema};
use crate::finding::{Code, Severity};

pub const TOOL: Tool = Tool {
    name: "explain",
    title: "Explain a finding",
    description: "Tells what the code of a finding means (such as `dead-source` or `number-mismatch`) and what to do about it. \
                  Without a code it lists all codes.",
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
    /// The code of a finding, such as `dead-source`. Leave it out for all codes.
    #[serde(default)]
    code: Option<String>,
}

/// What findings mean.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// The code that was asked for, or all of them.
    codes: Vec<Explained>,
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
        let Some(asked) = input.code else {
            return Ok(Output { codes: Code::ALL.iter().map(|code| explained(*code, false)).collect() });
        };
        let Some(code) = Code::named(asked.trim()) else {
            let known: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
            let message = format!("no finding has the code `{asked}`; the codes are {}", known.join(", "));
            return Err(Failure::arguments(message));
        };
        Ok(Output { codes: vec![explained(code, true)] })
    }

    fn text(output: &Output) -> String {
        match output.codes.as_slice() {
            [Explained { code, severity, page: Some(page), .. }] => format!("{code} ({severity})\n\n{page}\n"),
            all => {
                let lines: Vec<String> = all.iter().map(|one| format!("{}: {}", one.code, one.meaning)).collect();
                lines.join("\n") + "\n"
            }
        }
    }
}
