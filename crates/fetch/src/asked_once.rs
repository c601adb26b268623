//! What is asked once a run, whoever wants it first; the others wait for the answer.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::{Mutex, OnceCell};

/// Answers by what was asked.
pub type AskedOnce<T> = Mutex<HashMap<String, Arc<OnceCell<T>>>>;

/// Where an answer is kept: whoever comes first asks.
pub async fn cell_of<T>(all: &AskedOnce<T>, asked: impl Into<String>) -> Arc<OnceCell<T>> {
    Arc::clone(all.lock().await.entry(asked.into()).or_default())
}
