//! `cited model`: models of the user's are added, calibrated and listed.

#[cfg(feature = "model")]
pub use with::run;
#[cfg(not(feature = "model"))]
pub use without::run;

#[cfg(not(feature = "model"))]
mod without {
    use crate::cli::args::ModelWork;
    use crate::cli::exit::Exit;
    use crate::error::{Error, Result};

    /// Says that there are none in this build.
    ///
    /// # Errors
    /// Always.
    pub fn run(_: ModelWork) -> Result<Exit> {
        Err(Error::settings("model: this program was built without the feature `model`"))
    }
}

#[cfg(feature = "model")]
mod with {
    use std::fmt::Write as _;
    use std::io::Read as _;
    use std::path::Path;

    use serde::Deserialize;
    use serde_json::Value;

    use crate::cli::args::{AddModel, CalibrateModel, ModelWork};
    use crate::cli::exit::Exit;
    use crate::cli::settings::{Flags, Settings};
    use crate::commands::input::STANDARD;
    use crate::commands::judge_claim::Read;
    use crate::commands::output;
    use crate::error::{Error, Result};
    use crate::judge::meaning::{EntailmentModel as _, is_settled, read_units};
    use crate::judge::model::calibration::{Calibration, Known, Measure};
    use crate::judge::model::labels::{Meaning, meaning_of};
    use crate::judge::{self, Standing};
    use crate::pipeline::judge_prepared;
    use crate::setup::model::LazyModel;
    use crate::setup::model::folder::{Files, Loaded};
    use crate::setup::model::registry::{Entry, Registry, place_of};
    use crate::setup::{SILENT, Setup};
    use crate::text::escape;

    /// A claim, and passages that say it, deny it, and have nothing to do with it.
    const PROBE: (&str, [&str; 3]) =
        ("The bridge is open.", ["The bridge is open.", "The bridge is not open.", "Fish is sold in the market."]);

    /// Does what was asked.
    ///
    /// # Errors
    /// When a model cannot be used, or the claims are no claims, or too few.
    pub fn run(work: ModelWork) -> Result<Exit> {
        let registry = Registry::of_the_user().ok_or_else(|| {
            Error::settings("model: the system names no folder for settings of yours; set XDG_CONFIG_HOME to one")
        })?;
        match work {
            ModelWork::Add(add) => {
                let (entry, files, loaded) = take(&registry, &add)?;
                let told = told(&entry, &files, &loaded)?;
                keep(&registry, &entry)?;
                output::print(&told)?;
            }
            ModelWork::Calibrate(calibrate) => self::calibrate(&registry, *calibrate)?,
            ModelWork::List => output::print(&listed(&registry)?)?,
        }
        Ok(Exit::Done)
    }

    fn keep(registry: &Registry, entry: &Entry) -> Result<()> {
        let (path, text) = registry.written(entry)?;
        output::write(&[(&path, &text)])
    }

    /// Loads a model and makes its entry. Files that are as they were keep their calibration.
    fn take(registry: &Registry, add: &AddModel) -> Result<(Entry, Files, Loaded)> {
        let place = place_of(&add.path).map_err(|error| Error::read(&add.path, error))?;
        let named = add.name.clone().or_else(|| Some(registry.at(&place).ok()??.name));
        let name = named.or_else(|| Registry::name_for(&place));
        let name = name.filter(|name| Registry::is_name(name)).ok_or_else(|| {
            Error::usage("model: give it a name with --name: small letters, digits, `.`, `_` and `-`, and not `none` or `embedded`")
        })?;
        let before = registry.named(&name)?;
        if let Some(before) = before.as_ref().filter(|before| before.path != place) {
            let shown = before.path.display();
            return Err(Error::usage(format!(
                "model: {name} is the name of {shown}; give this one another with --name"
            )));
        }
        let files = Files::find(&place)?;
        let loaded = files.load(files.recipe().clone())?;
        let calibration = before.filter(|before| before.sha256 == loaded.sha256).and_then(|before| before.calibration);
        let mut entry = Entry::new(&name, &place, &loaded.sha256, loaded.bytes);
        entry.calibration = calibration;
        Ok((entry, files, loaded))
    }

    /// What is said of a model that was added; it has to answer a question first.
    fn told(entry: &Entry, files: &Files, loaded: &Loaded) -> Result<String> {
        let encoder = &loaded.encoder;
        let (claim, passages) = PROBE;
        let read = encoder.read(&passages.map(|passage| (passage, claim)));
        let read = read.map_err(|why| Error::settings(format!("model: {}: {why}", files.folder.display())))?;
        let read: [_; 3] =
            read.try_into().map_err(|_| Error::defect("a model answered other questions than it was asked"))?;
        let within = |path: &Path| path.strip_prefix(&files.folder).unwrap_or(path).display().to_string();
        let (kind, tokens) = encoder.words();
        let recipe = encoder.recipe();
        let mut told = format!("added {}: {}\n", entry.name, entry.path.display());
        let mut line = |name: &str, text: String| {
            let _ = writeln!(told, "  {name:<10} {}", escape::plain(&text));
        };
        let counts = if encoder.counts_whole() { ", whole numbers" } else { "" };
        line("model", format!("{}, {}{counts}", within(&files.model), megabytes(loaded.bytes)));
        line("tokenizer", format!("{kind}, {tokens} tokens"));
        line("labels", recipe.labels.join(", "));
        line("length", format!("{} tokens", recipe.longest));
        let [own, denial, other] = read.map(|one| one.entails);
        line(
            "probe",
            format!("a sentence is entailed by itself {own:.2}, by its denial {denial:.2}, by another {other:.2}"),
        );
        if own <= denial.max(other) {
            line("doubt", "its own words should entail a sentence most; see whether the labels are right".to_owned());
        }
        if !files.others.is_empty() {
            let others: Vec<String> = files.others.iter().map(|path| within(path)).collect();
            line("others", format!("{}; name the file to use another", others.join(", ")));
        }
        line("worth", worth(entry));
        Ok(told)
    }

    fn worth(entry: &Entry) -> String {
        let Some(calibration) = &entry.calibration else {
            return format!(
                "not calibrated: it may lower a verdict and raises none; `cited model calibrate {} CLAIMS.jsonl` finds out how far it can be trusted",
                entry.name
            );
        };
        let limit = |limit: Option<f64>, does: &str, never: &str| {
            limit.map_or_else(|| never.to_owned(), |limit| format!("{does} {limit:.2} on"))
        };
        format!(
            "calibrated: {}, {}",
            limit(calibration.entailment, "raises a claim from an entailment of", "raises no claim to supported"),
            limit(calibration.contradiction, "contradicts from", "contradicts none")
        )
    }

    fn megabytes(bytes: u64) -> String {
        format!("{:.1} MB", bytes as f64 / 1e6)
    }

    fn listed(registry: &Registry) -> Result<String> {
        let mut told = String::new();
        for entry in registry.all()? {
            let gone = if entry.path.exists() { "" } else { " (not there any more)" };
            let _ = writeln!(
                told,
                "{}: {}{gone}\n  {}, {}",
                entry.name,
                entry.path.display(),
                megabytes(entry.bytes),
                worth(&entry)
            );
        }
        if told.is_empty() {
            told.push_str("no model was added; `cited model add FOLDER` adds one\n");
        }
        Ok(told)
    }

    /// A claim with its answer, as it is written.
    #[derive(Debug, Deserialize)]
    struct Line {
        claim: String,
        page: String,
        label: Value,
    }

    fn lines(path: &Path) -> Result<Vec<(Line, Meaning)>> {
        let shown = path.display();
        let mut text = String::new();
        if path == Path::new(STANDARD) {
            std::io::stdin().read_to_string(&mut text).map_err(|error| Error::read("standard input", error))?;
        } else {
            text = std::fs::read_to_string(path).map_err(|error| Error::read(path, error))?;
        }
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines
            .map(|(number, line)| {
                let number = number + 1;
                let read: Line = serde_json::from_str(line).map_err(|error| {
                    Error::input(format!(
                        "{shown}:{number}: not a line {{\"claim\": …, \"page\": …, \"label\": …}}: {error}"
                    ))
                })?;
                let label = read.label.as_str().map_or_else(|| read.label.to_string(), str::to_owned);
                let meaning = meaning_of(&label).ok_or_else(|| {
                    let label = escape::plain(&label);
                    Error::input(format!(
                        "{shown}:{number}: {label} is no label; it has to be supported, contradicted or unverifiable"
                    ))
                })?;
                Ok((read, meaning))
            })
            .collect()
    }

    /// Claims with known answers, as far as the model was asked about them.
    #[derive(Default)]
    struct Asked {
        known: Vec<Known>,
        /// Claims that an exact check decided.
        decided: usize,
        /// Claims whose page has no text.
        unread: usize,
        /// Claims that are longer than the model reads.
        long: usize,
    }

    impl Asked {
        fn ask(setup: &Setup, lines: &[(Line, Meaning)], model: &LazyModel, limits: &judge::Settings) -> Result<Asked> {
            let options = setup.options();
            let room = model.recipe().room();
            let mut asked = Asked::default();
            // Claims of one page in a row have it read once.
            for of_page in lines.chunk_by(|(one, _), (next, _)| one.page == next.page) {
                let Some((Line { page, .. }, _)) = of_page.first() else { continue };
                let read = Read::page(setup, page)?;
                let source = read.prepared();
                for (Line { claim, page, .. }, answer) in of_page {
                    let verdict = judge_prepared(claim, &source, &options, limits);
                    if verdict.standing == Standing::Unchecked {
                        asked.unread += 1;
                    } else if is_settled(&verdict) {
                        asked.decided += 1;
                    } else if !model.takes(claim) {
                        asked.long += 1;
                    } else {
                        let entailment = read_units(claim, &verdict, &source, room, model);
                        asked.known.push(Known {
                            page: page.clone(),
                            claim: claim.clone(),
                            answer: *answer,
                            words: verdict.confidence,
                            supported: verdict.standing == Standing::Supported,
                            read: entailment.map_err(|why| model.failure().unwrap_or_else(|| Error::settings(why)))?,
                        });
                    }
                }
            }
            Ok(asked)
        }

        fn told(&self, all: usize) -> String {
            let mut told = format!("{all} claims, {} of them for the model", self.known.len());
            for (count, what) in [
                (self.decided, "decided without it"),
                (self.unread, "with no text to judge by"),
                (self.long, "longer than it reads"),
            ] {
                if count > 0 {
                    let _ = write!(told, ", {count} {what}");
                }
            }
            told
        }
    }

    fn calibrate(registry: &Registry, args: CalibrateModel) -> Result<()> {
        let CalibrateModel { model, claims: path, network } = args;
        let lines = lines(&path)?;
        let known = match model.to_str().filter(|name| Registry::is_name(name)) {
            Some(name) => registry.named(name)?,
            None => None,
        };
        let (name, place) = known.map_or((None, model), |entry| (Some(entry.name), entry.path));
        let (mut entry, files, loaded) = take(registry, &AddModel { path: place, name })?;
        let settings = Settings::resolve(Flags { network, ..Flags::default() })?;
        let setup = Setup::asking(&settings, &SILENT)?;
        let limits = judge::Settings::default();
        let model = LazyModel::loaded(files, loaded.encoder);
        let asked = Asked::ask(&setup, &lines, &model, &limits);
        setup.web.close()?;
        let asked = asked?;
        let mut told = asked.told(lines.len());
        let calibration = Calibration::find(&asked.known, limits.supported)
            .map_err(|why| Error::input(format!("{}: {told}: {why}; nothing was kept", path.display())))?;
        let figures = &calibration.figures;
        let _ = writeln!(told, "\n{} to fit, {} to measure\n", figures.fitted, figures.measured);
        let _ = writeln!(told, "{:<22} {:>7} {:>18}", "", "right", "calibration error");
        let rows = [
            ("words alone", figures.words),
            ("the model as it is", figures.published),
            ("both, calibrated", figures.calibrated),
        ];
        for (name, Measure { right, error }) in rows {
            let _ = writeln!(told, "{name:<22} {right:>7.3} {error:>18.3}");
        }
        let _ =
            writeln!(told, "\nof the measured claims it would raise {}, {} rightly", figures.raised, figures.rightly);
        entry.calibration = Some(calibration);
        let _ = writeln!(told, "{}: {}", entry.name, worth(&entry));
        keep(registry, &entry)?;
        output::print(&told)
    }
}
