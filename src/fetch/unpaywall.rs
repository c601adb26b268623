//! Free copies of a paper by its DOI, from Unpaywall (<https://unpaywall.org/products/api>). The service asks for an e-mail
//! address with each request and allows 100,000 a day.

use serde_json::Value;
use url::Url;

use super::looker::Looker;
use super::transport::{Ask, Purpose};

/// Where the service is.
const SERVICE: &str = "https://api.unpaywall.org/v2/";

/// Copies that are looked at.
const MOST: usize = 3;

/// Addresses of free copies, the best first; none when the service knows none or does not answer.
pub async fn copies(looker: &Looker<'_>, doi: &str, email: Option<&str>, origin: &str) -> Vec<Url> {
    let Ok(mut url) = Url::parse(SERVICE) else { return Vec::new() };
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(doi.split('/'));
    }
    let private = email.map(|email| ("email", email.to_owned()));
    let ask = Ask { private, ..Ask::get(url, Purpose::Work, origin) };
    let Ok(answer) = looker.ask(ask).await.result else { return Vec::new() };
    if answer.status != 200 {
        return Vec::new();
    }
    let body = super::decode::decode(&answer.body, answer.header("content-encoding").as_deref(), 4 << 20);
    addresses(&serde_json::from_slice(&body.bytes).unwrap_or_default())
}

fn addresses(answer: &Value) -> Vec<Url> {
    let best = answer.get("best_oa_location").into_iter();
    let others = answer.get("oa_locations").and_then(Value::as_array).into_iter().flatten();
    let mut found: Vec<Url> = Vec::new();
    for place in best.chain(others) {
        // The whole text before the page about it.
        for field in ["url_for_pdf", "url_for_landing_page"] {
            let url = place.get(field).and_then(Value::as_str).and_then(|text| Url::parse(text).ok());
            found.extend(url.filter(|url| matches!(url.scheme(), "http" | "https") && !found.contains(url)));
        }
    }
    found.truncate(MOST);
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::addresses;

    #[test]
    fn the_best_place_comes_first_and_none_twice() {
        let place = |pdf: &str, page: &str| json!({"url_for_pdf": pdf, "url_for_landing_page": page});
        let best = place("https://a.example/x.pdf", "https://a.example/x");
        let other = json!({"url_for_pdf": null, "url_for_landing_page": "https://b.example/x"});
        let answer = json!({"best_oa_location": best, "oa_locations": [best, other, place("ftp://c.example/", "")]});
        let found: Vec<String> = addresses(&answer).into_iter().map(String::from).collect();
        assert_eq!(found, ["https://a.example/x.pdf", "https://a.example/x", "https://b.example/x"]);
        assert!(addresses(&json!({"best_oa_location": null})).is_empty());
        assert!(addresses(&json!([])).is_empty());
    }
}
