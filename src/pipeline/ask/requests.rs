//! What is asked for sources, how many at once, and what came back.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::pipeline::options::{Progress, Watch};
use crate::pipeline::read::Read;
use cited_core::claim::ClaimKind;
use cited_core::outcome::Fetched;
use cited_core::source::SourceId;
use cited_fetch::{Fetcher, Request, Supports, fetch_all};
use cited_judge::{ClaimText, Settings, SourceText, Standing, judge};

/// What asking gave, by source; sources that nobody had a reason to ask are absent.
pub(in crate::pipeline) type Answers = BTreeMap<SourceId, Arc<Fetched>>;

/// What the links of the prose answered, by address; the addresses of sources are among them.
pub(in crate::pipeline) type Links = BTreeMap<String, Arc<Fetched>>;

/// What is asked for one source at these addresses.
pub(super) fn request<'r>(read: &'r Read, id: SourceId, claims: Vec<&'r str>, addresses: Vec<String>) -> Request<'r> {
    let source = read.registry.get(id);
    Request {
        addresses,
        accessed: read.accessed(source),
        titles: source.titles.clone(),
        supports: read.options.support.then(|| supports_any(claims.clone())),
        claims,
        ..Request::default()
    }
}

/// What was asked for with the answers, in their order, many asked at once.
pub(super) async fn fetched<K>(
    read: &Read,
    asked: impl Iterator<Item = (K, Request<'_>)>,
    fetcher: &dyn Fetcher,
    watch: Watch<'_>,
) -> Vec<(K, Fetched)> {
    let (asked, requests): (Vec<K>, Vec<Request<'_>>) = asked.unzip();
    let tell = |fetched: &Fetched| watch(Progress::Fetched(fetched));
    asked.into_iter().zip(fetch_all(fetcher, &requests, read.options.concurrency, &tell).await).collect()
}

/// What is known of a source without an address.
pub(super) fn nothing_to_ask(read: &Read) -> Fetched {
    Fetched::unasked("", "no address", read.options.now)
}

/// Whether a text supports one of `claims`: chooses among the copies of an archive.
pub(in crate::pipeline) fn supports_any(claims: Vec<&str>) -> Supports<'_> {
    Arc::new(move |text| {
        let source = SourceText::new(text, "");
        claims.iter().any(|claim| {
            let claim = ClaimText::new(claim, ClaimKind::Plain);
            judge(&claim, &source, &Settings::default()).standing == Standing::Supported
        })
    })
}
