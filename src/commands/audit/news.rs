//! What is new, sent to the webhooks of the settings.

use crate::audit::AuditReport;
use crate::cli::say;
use crate::cli::settings::Settings;
use crate::error::Result;
use crate::fetch::webhook::{Webhook, shown};
use crate::render::audit::json;
use crate::setup::block_on;

/// Sends what is new to every webhook; one that does not take it is told of. Gives whether all took it: without news, they did.
///
/// # Errors
/// When the settings of the network cannot be used.
pub fn send(report: &AuditReport, settings: &Settings) -> Result<bool> {
    let webhooks = &settings.audit.webhooks;
    if webhooks.is_empty() || !report.has_news() {
        return Ok(true);
    }
    let body = json::render(&report.of_news())?;
    let mut fetch = settings.network.fetch.clone();
    fetch.extra_ca_pem.extend(crate::setup::trusted(&settings.network)?);
    let webhook = Webhook::new(&fetch)?;
    let key = settings.audit.webhook_key.as_deref();
    block_on(async {
        let mut all = true;
        for address in webhooks {
            if let Err(why) = webhook.send(address, body.as_bytes(), key).await {
                all = false;
                say(format_args!("the webhook at {} did not take the news: {why}\n", shown(address.as_str())));
            }
        }
        Ok(all)
    })
}
