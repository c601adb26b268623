//! `cited show`: what cited sees of a document, a page, many addresses, or its own settings.

use std::path::Path;

use super::input::STANDARD;
use super::{input, output};
use crate::cli::args::{ShowFormat, TalkFlags};
use crate::cli::settings::{InForce, Settings, Typed};
use crate::pipeline::Progress;
use crate::setup::read_page::{ShownPage, facts};
use crate::setup::{SILENT, Setup, block_on};
use cited_core::address::is_web;
use cited_core::citation::{self, KnownLabels};
use cited_core::claim;
use cited_core::error::{Error, Result};
use cited_core::markdown::Document;
use cited_core::page::Page;
use cited_core::source::research::read_research;
use cited_fetch::{Request, fetch_each, in_turns};
use cited_report::findings::{self, Texts, shown};
use cited_report::printers::pretty as json;
use cited_report::view;

/// Shows something.
///
/// # Errors
/// When it cannot be read, or the settings cannot be used.
pub fn run(what: &[String], format: Option<ShowFormat>, liveness: bool, typed: &Typed) -> Result<()> {
    let first = what.first().map_or("", String::as_str);
    let folder = Path::new(first).parent().filter(|folder| folder.is_dir()).unwrap_or(Path::new(""));
    let settings = Settings::resolve(typed, folder)?;
    match what {
        [one] if one == "settings" && !liveness && !Path::new(one).exists() => {
            if format == Some(ShowFormat::Json) {
                return output::print(&json(&settings.in_force)?);
            }
            let width = settings.in_force.iter().map(|setting| setting.name.len()).max().unwrap_or(0);
            let lines = settings.in_force.iter().map(|InForce { name, values, origin }| {
                let value = if values.is_empty() { "(none)".to_owned() } else { values.join(", ") };
                format!("{name:width$} = {value}  # {origin}\n")
            });
            output::print(&lines.collect::<String>())
        }
        [one] if is_web(one) && !liveness => {
            let setup = Setup::asking(&settings, &SILENT)?;
            let fetched = setup.fetch(one, Vec::new())?;
            setup.finish()?;
            let text = |page: &Page| format!("\n{}\n", page.text.chars().map(shown).collect::<String>());
            output::print(&match format.unwrap_or_default() {
                ShowFormat::Json => json(&ShownPage::new(&fetched))?,
                ShowFormat::Text => facts(&fetched) + &fetched.page.as_ref().map(text).unwrap_or_default(),
            })
        }
        addresses if first == STANDARD || addresses.iter().all(|what| is_web(what)) => {
            let lines =
                if first == STANDARD { input::read(Path::new(STANDARD))?.text } else { addresses.join("\n").into() };
            let addresses: Vec<String> =
                lines.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
            let setup = Setup::asking(&settings, &TalkFlags::default())?;
            let shown = show_many(&addresses, liveness, format.unwrap_or(ShowFormat::Json), &setup);
            setup.finish().and(shown)
        }
        [path] if !liveness => show_document(Path::new(path), &settings, format.unwrap_or_default()),
        others => Err(Error::usage(format!(
            "{}: show takes one document, one or more http(s) addresses, `settings` or `-`; with --liveness addresses or `-`",
            others.join(" ")
        ))),
    }
}

/// A document: its claims, markers and sources as cited sees them.
fn show_document(path: &Path, settings: &Settings, format: ShowFormat) -> Result<()> {
    let draft = input::read(path)?;
    let research = input::research(path, &settings.research, &[])?;
    let document = Document::read(draft.text.clone());
    let mut known = KnownLabels::default();
    for file in &research {
        known.add_file(&read_research(&file.path, &file.text).entries, "");
    }
    let citations = citation::read(&document, &known);
    let claims = claim::split(&document, &citations);
    let texts = Texts::new(&draft, &research);
    let view = view::view(texts.document(), &citations, &claims);
    match format {
        ShowFormat::Json => output::print(&json(&view)?),
        ShowFormat::Text => {
            output::print(&view.for_people(texts.document()))?;
            output::print(&findings::text::render(&citations.findings, &texts))
        }
    }
}

/// Asks every address and prints one line for each as it is decided: JSON, unless text was asked for. At a `glance` only
/// whether it is alive.
fn show_many(addresses: &[String], glance: bool, format: ShowFormat, setup: &Setup) -> Result<()> {
    let reporter = &setup.reporter;
    reporter.note(Progress::Fetching(addresses.len()));
    let mut printed = Ok(());
    let work = async {
        let request = |address: &str| Request { addresses: vec![address.to_owned()], glance, ..Request::default() };
        let requests = in_turns(addresses).into_iter().map(request);
        fetch_each(
            setup,
            requests,
            setup.options.concurrency,
            || true,
            |_| {},
            async |_, fetched| {
                if printed.is_ok() {
                    reporter.note(Progress::Fetched(&fetched));
                    let line = match format {
                        ShowFormat::Text => {
                            let reason = Some(&fetched.reason).filter(|reason| !reason.is_empty());
                            let reason = reason.map_or_else(String::new, |reason| format!(" ({reason})"));
                            let line = format!("{:<11} {}{reason}", fetched.in_words(), fetched.address);
                            Ok(line.chars().map(shown).collect())
                        }
                        ShowFormat::Json => {
                            let shown = ShownPage { page: None, ..ShownPage::new(&fetched) };
                            serde_json::to_string(&shown).map_err(Error::defect)
                        }
                    };
                    printed = line.and_then(|line| reporter.bar.suspend(|| output::print(&(line + "\n"))));
                }
            },
        )
        .await;
        Ok(())
    };
    block_on(work)?;
    printed
}
