//! The log, JSON lines on standard error.

use serde_json::{Value, json};

use crate::cli::say;

/// A line of the log, JSON on standard error. It never holds what clients sent or pages say.
pub fn log(event: &Value) {
    let mut line = json!({"time": jiff::Timestamp::now().to_string()});
    if let (Some(line), Some(event)) = (line.as_object_mut(), event.as_object()) {
        line.extend(event.clone());
    }
    say(format_args!("{line}\n"));
}
