//! What pages and ways say against themselves, one a row.

use http::header::HeaderMap;
use http::header::HeaderValue;
use url::Url;

use super::super::document::{self, Document, Limits};
use super::super::transport::{Answer, BodyEnd};
use super::absence;
use super::way::{Sibling, by_redirect, same_place};

fn read(body: &str) -> Document {
    let mut headers = HeaderMap::new();
    headers.insert("content-type", HeaderValue::from_static("text/html; charset=utf-8"));
    let answer = Answer { status: 200, headers, body: body.to_owned().into(), end: BodyEnd::Complete };
    let url = Url::parse("https://a.example/x").unwrap();
    document::read(&answer, &url, &Limits { max_body: 1 << 20, ..Limits::default() })
}

/// Whether a page speaks so plainly against itself that it is dead where no sibling can be asked.
#[track_caller]
fn check(title: &str, text: &str, gone: bool) {
    let nav = "<nav><a href=/>Home</a> <a href=/a>About us</a></nav>";
    let body = format!("<title>{title}</title><body>{nav}<main>{text}</main><footer>© Site</footer>");
    let found = absence::find_doubt(&read(&body), &Url::parse("https://a.example/x").unwrap());
    assert_eq!(
        found.as_ref().is_some_and(|doubt| doubt.up_to > Sibling::Same),
        gone,
        "{title} / {text:.60}: {found:?}"
    );
}

fn long() -> String {
    "<p>The measured values were stable over the whole year, and every station reported them on time.</p>".repeat(20)
}

#[test]
fn error_pages_in_many_languages() {
    for (title, text) in [
        ("Page not found | Acme", "Sorry, we can't find that page."),
        ("404", "Not here."),
        ("404 Not Found", "nginx"),
        ("Acme: Error 404", "Oops."),
        ("Oops! - 404 Page Not Found - Acme", "Try our search."),
        ("Acme", "<h1>Page not found</h1><p>Try the search box.</p>"),
        ("Loopback Times", "<h1>Oops!</h1><p>We can&#39;t find that page. Error 404. Try the search box.</p>"),
        ("Acme", "The page you are looking for has moved."),
        ("Seite nicht gefunden – Beispiel GmbH", "Leider gibt es diese Seite nicht."),
        ("Beispiel", "<p>Die angeforderte Seite konnte nicht gefunden werden.</p>"),
        ("Page introuvable | Exemple", "Désolé."),
        ("Exemple", "Oups ! La page que vous recherchez n’existe plus."),
        ("Página no encontrada - Ejemplo", "Lo sentimos."),
        ("Página não encontrada", "Desculpe."),
        ("Pagina non trovata", "Ci dispiace."),
        ("Pagina niet gevonden | Voorbeeld", "Sorry."),
        ("Sidan hittades inte", "Tyvärr."),
        ("Siden blev ikke fundet", "Beklager."),
        ("Sivua ei löytynyt", "Pahoittelut."),
        ("Nie znaleziono strony", "Przepraszamy."),
        ("Stránka nenalezena", "Omlouváme se."),
        ("Az oldal nem található", "Sajnáljuk."),
        ("Pagina nu a fost găsită", "Ne pare rău."),
        ("Sayfa bulunamadı", "Üzgünüz."),
        ("Страница не найдена — Пример", "Извините."),
        ("Пример", "К сожалению, запрашиваемая страница не существует."),
        ("Сторінку не знайдено", "Вибачте."),
        ("Η σελίδα δεν βρέθηκε", "Λυπούμαστε."),
        ("הדף לא נמצא", "מצטערים."),
        ("الصفحة غير موجودة", "عذرا."),
        ("صفحه یافت نشد", "متأسفیم."),
        ("पृष्ठ नहीं मिला", "क्षमा करें।"),
        ("ไม่พบหน้านี้", "ขออภัย"),
        ("Không tìm thấy trang", "Xin lỗi."),
        ("Halaman tidak ditemukan", "Maaf."),
        ("ページが見つかりません | 例", "申し訳ありません。"),
        ("例", "お探しのページは見つかりませんでした。"),
        ("页面不存在", "抱歉。"),
        ("示例", "抱歉，您访问的页面不存在。"),
        ("找不到網頁", "抱歉。"),
        ("페이지를 찾을 수 없습니다", "죄송합니다."),
        ("No s'ha trobat la pàgina", "Ho sentim."),
        (
            "Page not found | Acme",
            "<h1>Page not found</h1><p>Sorry, the page you are looking for does not exist.</p><p>You may want to go to our home \
             page, read the newest posts about tools for teams and how they are made, write to the people who answer questions \
             all day long, or search for what you had in mind.</p>",
        ),
    ] {
        check(title, text, true);
    }
}

#[test]
fn pages_about_errors_are_pages() {
    let article = format!("<h1>How to fix a 404 error</h1>{}", long());
    check("How to fix a 404 Page Not Found error", &article, false);
    check("What does “404 not found” mean?", "A 404 not found status says that a page is missing.", false);
    check("Why page not found errors hurt", "They do.", false);
    check("Error handling in Rust", "Errors are values. A function returns a result.", false);
    check("The Peugeot 404", "The Peugeot 404 was built from 1960 to 1975.", false);
    check("Room 404", "Room 404 is on the fourth floor.", false);
    check("Lost and found", "The umbrella was not found.", false);
    check("Gold", "In 1852 gold was not found here, but copper was.", false);
    check("OWL", "The property has been removed from the vocabulary.", false);
    check("Life", &format!("<p>The page you are looking for is a book by Doe.</p>{}", long()), false);
    check("HTTP", "The error 404 was named after nothing in particular.", false);
    check("Note 17", "The message “page not found” appears when the cache is cold.", false);
    check("Note 18", "Visitors who see that a page does not exist go back to the search engine at once.", false);
    // Short ones.
    let http = "<p>The HTTP 404 Not Found status code indicates that the server cannot find the requested resource. Links that \
        lead to a 404 page are often called broken or dead links and can be subject to link rot, which annoys readers.</p>";
    check("404 Not Found - HTTP | Docs", http, false);
    check("404 Not Found - HTTP | Docs", &format!("<h1>404 Not Found</h1>{http}"), false);
    check("HTTP 404 - Wikipedia", http, false);
    check("Fix “Page not found” errors in Drupal", http, false);
    // A long page that calls itself so: a probe has to tell.
    check("404 Not Found - HTTP | Docs", &long(), false);
    check("Page not found", &long(), false);
    // Nothing is told, but much is there.
    check("Page not found", &"<p>Mill pond</p>".repeat(120), false);
}

#[test]
fn parked_domains() {
    check("example-domain.com is for sale", "This domain may be for sale. Buy this domain. Sponsored listings.", true);
    check("beispiel.de", "Diese Domain steht zum Verkauf. Domain kaufen.", true);
    check("Domain for sale", "Call us.", true);
    check("A history of domain names", &format!("“Buy this domain”, sponsored listings. {}", long()), false);
    let quoted = "“This domain is for sale. Buy this domain.” Such pages earn money through sponsored listings and related \
        searches, and whoever has mistyped an address sees them. Their owners hold thousands of names, most of them for a year \
        or less, and sell few.";
    check("This domain is for sale: inside domain parking", quoted, false);
    check("Inside domain parking", quoted, false);
    check("House", "The house is for sale.", false);
}

#[track_caller]
fn way(from: &str, to: &str, expected: Option<(&str, bool)>) {
    let found = by_redirect(&Url::parse(from).unwrap(), &Url::parse(to).unwrap());
    assert_eq!(found.as_ref().map(|s| (s.rule.as_str(), s.up_to > Sibling::Same)), expected, "{from} -> {to}");
}

#[test]
fn redirects_that_lead_astray() {
    let home = Some(("redirect-to-home", false));
    way("https://a.example/blog/v1", "https://a.example/", home);
    way("https://a.example/blog/v1", "https://www.a.example/?utm_source=x", home);
    way("https://a.example/blog/v1", "https://other.example/", home);
    way("https://a.example/blog/v1", "https://a.example/index.html", home);
    way("https://a.example/blog/v1", "https://a.example/en/", home);
    way("https://a.example/?p=12", "https://a.example/", home);
    way("https://a.example/x", "https://a.example/404", Some(("redirect-to-error", true)));
    way("https://a.example/x", "https://a.example/errors/404.html", Some(("redirect-to-error", true)));
    way("https://a.example/x", "https://a.example/notfound?u=/x", Some(("redirect-to-error", true)));
    for name in [
        "NotFound.aspx",
        "pagenotfound.html",
        "err404",
        "nicht-gefunden",
        "Seite_nicht_gefunden.php",
        "error-404.html",
        "404-error",
        "Error",
        "p%C3%A1gina-no-encontrada",
    ] {
        way("https://a.example/x", &format!("https://a.example/{name}"), Some(("redirect-to-error", true)));
    }
    way("https://a.example/a/b/c", "https://a.example/products", Some(("redirect-collapsed", false)));
    way("https://a.example/blog/2019/post", "https://a.example/blog/", Some(("redirect-collapsed", false)));
    way("https://a.example/docs/page", "https://a.example/docs/home.html", Some(("redirect-unrelated", false)));
}

#[test]
fn redirects_that_stay() {
    for (from, to) in [
        ("http://a.example/about", "https://a.example/about/"),
        ("https://a.example/about", "https://www.a.example/About.html"),
        ("https://a.example/index.html", "https://a.example/"),
        ("https://a.example/", "https://a.example/en/"),
        ("https://a.example/docs/index.html", "https://a.example/docs/"),
        ("https://a.example/docs/page", "https://a.example/en/docs/page"),
        ("https://a.example/2019/05/post", "https://a.example/post"),
        ("https://old.example/post-title", "https://new.example/blog/post-title"),
        ("https://a.example/404", "https://a.example/en/404"),
        ("https://a.example/?lang=de", "https://a.example/de/"),
    ] {
        way(from, to, None);
    }
}

#[test]
fn redirects_that_lose_the_slug_are_no_error_by_themselves() {
    for (from, to) in [
        ("https://a.example/x", "https://a.example/lost-and-found"),
        ("https://a.example/x", "https://a.example/peugeot-404"),
        ("https://a.example/x", "https://a.example/errors-in-variables"),
        ("https://a.example/error-handling/intro", "https://a.example/error-handling/introduction"),
        ("https://a.example/?p=12", "https://a.example/2019/post"),
        ("https://a.example/x", "https://a.example/y"),
    ] {
        way(from, to, Some(("redirect-unrelated", false)));
    }
}

#[test]
fn the_same_place() {
    let same = |one: &str, other: &str| same_place(&Url::parse(one).unwrap(), &Url::parse(other).unwrap());
    assert!(same("http://a.example/x", "https://www.a.example/x/"));
    assert!(!same("http://a.example/x", "http://a.example/y"));
    assert!(!same("http://a.example/x?id=1", "http://a.example/x?id=2"));
}
