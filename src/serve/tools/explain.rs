//! `explain`: what a kind of finding means and what to do about it, and what a check looks for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tool::{Answer, Call, Context};
use crate::serve::problem::{Problem, Result};
use cited_report::explain::{Explanation, all};

/// Tells what the code of a finding means (such as `dead-source` or `number-mismatch`) and what to do about it, or what a check of the
/// judge asks (such as `other-number`). Without one it lists all codes and checks.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The code of a finding, such as `dead-source`, or the name of a check, such as `other-number`. Leave it out for all of them.
    code: Option<String>,
}

/// What names mean.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// What was asked for, or all codes and checks.
    explanations: Vec<Explanation>,
}

pub fn run(_: &Context, input: &Input, _: &Call) -> Result<Answer> {
    let Some(asked) = input.code.as_deref().map(str::trim) else {
        let explanations: Vec<Explanation> = all(false).collect();
        let lines = explanations.iter().map(|one| format!("{}: {}\n", one.name, one.meaning));
        return Answer::new(&lines.collect::<String>(), &Output { explanations });
    };
    let known = || all(false).map(|one| one.name).collect::<Vec<_>>().join(", ");
    let missing = || format!("no finding and no check is named `{asked}`; the names are {}", known());
    let one = all(true).find(|one| one.name == asked).ok_or_else(|| Problem::arguments(missing()))?;
    Answer::new(&one.text(), &Output { explanations: vec![one] })
}
