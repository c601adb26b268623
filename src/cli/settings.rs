//! The settings in force: what the settings file, the environment and the command line say, later ones over earlier ones, read by one table of
//! arguments. Each remembers where it is from.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, LazyLock};

use clap::error::ContextKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args as Group, Command, FromArgMatches as _};

use super::args::{self, Args, WorkFlags};
pub use super::args::{InForce, Settings};
use crate::pipeline::Options;
use cited_core::error::{Error, Result};
use cited_core::pattern::Pattern;
use cited_fetch::document::Limits;
use cited_fetch::pdf;
use cited_fetch::{Bundle, CachePlace, Credentials, Save};

/// Pages of a PDF that are read.
pub const MOST_PDF_PAGES: usize = 200;

/// The variable that holds the account that the Wayback Machine is asked with to keep pages. Files are shared, and command lines are seen
/// by others.
const ACCOUNT: &str = "CITED_SAVE_CREDENTIALS";

/// The table of settings, with the default that this machine gives.
fn table() -> Command {
    static CACHE: LazyLock<String> =
        LazyLock::new(|| users_cache().map_or_else(|| "off".to_owned(), |folder| folder.display().to_string()));
    let table = Settings::augment_args(Command::new("settings").no_binary_name(true));
    let table = table.mut_arg("cache", |arg| arg.default_value(CACHE.as_str()));
    ["on_denied", "on_unsupported", "on_unverifiable"].into_iter().fold(table, |table, of_evidence| {
        table.mut_arg(of_evidence, |arg| arg.default_value_if("strict_evidence", "true", "drop"))
    })
}

impl Settings {
    /// Merges what was typed with the settings file and the environment of this process. Without a file that was named, it is the nearest
    /// `cited.toml` in `folder` or above.
    ///
    /// # Errors
    /// When the file cannot be read or is not TOML of this kind, a value cannot be used, or something was given that the table does not have: an unknown
    /// key of the settings file, or a variable that looks like a misspelt setting.
    pub fn resolve(typed: &Typed, folder: &Path) -> Result<Settings> {
        let folder = std::path::absolute(Path::new(".").join(folder)).unwrap_or_else(|_| folder.to_path_buf());
        let table = table();
        let mut layers = Layers { table: &table, given: BTreeMap::new() };
        let named = typed.0.get("config").and_then(|paths| paths.last()).map(PathBuf::from);
        let found = || folder.ancestors().map(|folder| folder.join(FILE_NAME)).find(|path| path.is_file());
        if let Some(path) = named.clone().or_else(found) {
            let here = std::env::current_dir().ok();
            let path = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_path_buf)).unwrap_or(path);
            let text = std::fs::read_to_string(&path).map_err(|error| Error::read(&path, error))?;
            layers.add_file(&path, &text, named.is_some())?;
        }
        for (variable, text) in std::env::vars_os() {
            if let (Some(variable), Some(text)) = (variable.to_str(), text.to_str()) {
                layers.add_variable(variable, text)?;
            }
        }
        for (name, texts) in &typed.0 {
            layers.given.insert(name.clone(), (texts.clone(), "command line".to_owned()));
        }
        let (matches, in_force) = layers.parse()?;
        let read = Settings::from_arg_matches(&matches).map_err(|error| Error::defect(error.to_string()))?;
        Ok(Settings { fetch: read.fetching()?, in_force, ..read })
    }

    /// How drafts are checked and what becomes of their claims; the judge and the indexes are not open yet.
    pub fn options(&self) -> Options {
        let WorkFlags { works, notes, style, clauses, support, .. } = self.work;
        let without = self.checks_off.iter().copied().collect();
        let judging = cited_judge::Settings { without, ..cited_judge::Settings::default() };
        Options { policy: self.policy, notes, style, clauses, support, judging, works, ..Options::default() }
    }

    fn fetching(&self) -> Result<cited_fetch::Settings> {
        let asking = self.network.clone();
        let standard = cited_fetch::Settings::default();
        let contact = asking.contact;
        let user_agent = || cited_fetch::Settings::user_agent_of(contact.as_deref());
        let account = std::env::var(ACCOUNT).ok().map(|account| Credentials::parse(&account)).transpose();
        let credentials = account.map_err(|why| Error::usage(format!("environment variable {ACCOUNT}: {why}")))?;
        let folder = asking.cache.filter(|folder| folder != Path::new("off"));
        let certificate = |path: &PathBuf| std::fs::read(path).map_err(|error| Error::read(path, error));
        let extra_ca_pem = asking.cacert.iter().map(certificate).collect::<Result<_>>()?;
        Ok(cited_fetch::Settings {
            user_agent: asking.user_agent.clone().unwrap_or_else(user_agent),
            email: contact.filter(|contact| !contact.contains("://")),
            robots: asking.robots,
            save: asking.save.then_some(Save { credentials, interval: None }),
            concurrency: asking.concurrency,
            per_host: asking.per_host,
            host_pause: asking.pause,
            allow_net: asking.allow_net,
            connect_to: asking.connect_to,
            proxy: asking.proxy,
            extra_ca_pem,
            archives: asking.archive.into_iter().flatten().collect(),
            bundle: asking
                .replay
                .map(Bundle::Replay)
                .or(self.record.clone().map(Bundle::Record))
                .unwrap_or(Bundle::None),
            cache: folder.map(|folder| CachePlace { folder, max_age: asking.max_age }),
            reading: Limits { pdf: pdf::ourselves(MOST_PDF_PAGES), ..Limits::default() },
            offline: asking.offline,
            clock: asking.now.map_or(standard.clock.clone(), |now| Arc::new(move || now)),
            ..standard.with_timeout(asking.timeout)
        })
    }
}

/// Where programs of this user keep what they can fetch again: `$XDG_CACHE_HOME/cited` (XDG Base Directory), `%LOCALAPPDATA%`
/// on Windows. `None` when the system does not say.
pub fn users_cache() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = variable("XDG_CACHE_HOME")
        .or_else(|| variable("LOCALAPPDATA"))
        .or_else(|| Some(variable("HOME")?.join(if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" })));
    folder.map(|folder| folder.join("cited"))
}

/// The name that settings files are found by.
const FILE_NAME: &str = "cited.toml";

/// Environment variables with this prefix are settings: `CITED_ON_DEAD` is `on-dead`.
const VARIABLE_PREFIX: &str = "CITED_";

/// Settings that lead requests elsewhere, trust somebody new or name a place to write to. A document comes with its folder, and a settings file in
/// that folder may be as foreign as the document: these count only in a file that the user names, in the environment or
/// as flags.
const USERS_ONLY: &str = "agent allow-net archive cacert cache connect-to contact index judge proxy save search state";

/// Settings that name files to read. In a file that was only found they name none outside its own folder: what came with a
/// document reads nothing of the user's.
const FILES: [&str; 2] = ["baseline", "research"];

/// Arguments of the table that are for one run alone, and no settings.
const OF_ONE_RUN: [&str; 4] = ["config", "decisions", "record", "replay"];

/// Variables of this prefix that are no settings: keys, which are never shown among them.
const SECRETS: [&str; 4] = ["JUDGE_KEY", "SAVE_CREDENTIALS", "SEARCH_KEY", "TOKEN"];

/// How alike two names are for one to be offered for the other, 0 to 1: with one letter in three wrong they still are.
const ALIKE: f64 = 0.6;

/// What stands as the origin of what nobody set.
pub const DEFAULT: &str = "default";

/// What was typed, by the names of the settings.
#[derive(Debug, Clone, Default)]
pub struct Typed(BTreeMap<String, Vec<String>>);

impl Typed {
    /// The command line of this process, and which settings of the table it has; a wrong one ends it with a message.
    pub fn of_process() -> (Args, Typed) {
        let command = args::command();
        let matches = command.clone().get_matches();
        let args = Args::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        (args, Typed::read(&table(), &command, &matches))
    }

    /// The arguments of a command, as typed, that are of the table: of the same name, read as the same type.
    fn read(table: &Command, command: &Command, matches: &ArgMatches) -> Typed {
        if let Some((name, inner)) = matches.subcommand()
            && let Some(command) = command.find_subcommand(name)
        {
            return Typed::read(table, command, inner);
        }
        let is_of_table = |own: &&Arg| {
            let mut known = table.get_arguments().filter(|known| known.get_id() == own.get_id());
            known.any(|known| known.get_value_parser().type_id() == own.get_value_parser().type_id())
        };
        let is_typed = |own: &&Arg| matches.value_source(own.get_id().as_str()) == Some(ValueSource::CommandLine);
        let typed = command.get_arguments().filter(is_of_table).filter(is_typed);
        Typed(typed.map(|own| (name_of(own), raw(matches, own))).collect())
    }

    /// The same with one more value of a setting.
    #[must_use]
    pub fn with<V: ToString + ?Sized>(mut self, name: &str, value: &V) -> Typed {
        self.0.entry(name.to_owned()).or_default().push(value.to_string());
        self
    }
}

/// The name of a setting: that of its argument, as users write it.
fn name_of(arg: &Arg) -> String {
    arg.get_id().as_str().replace('_', "-")
}

/// The values of an argument, as they were given.
fn raw(matches: &ArgMatches, arg: &Arg) -> Vec<String> {
    let values = matches.get_raw(arg.get_id().as_str()).into_iter().flatten();
    values.map(|value| value.to_string_lossy().into_owned()).collect()
}

/// All settings of a table as given, by name, the strongest only: the values, and where they are from.
#[derive(Debug)]
struct Layers<'t> {
    table: &'t Command,
    given: BTreeMap<String, (Vec<String>, String)>,
}

impl Layers<'_> {
    /// The arguments of the table that are settings.
    fn settings(&self) -> impl Iterator<Item = &Arg> {
        self.table.get_arguments().filter(|arg| !OF_ONE_RUN.contains(&&*name_of(arg)))
    }

    fn add_file(&mut self, path: &Path, text: &str, named: bool) -> Result<()> {
        let wrong = |what: String| Error::usage(format!("{}: {what}", path.display()));
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| wrong(error.to_string()))?;
        let base = path.parent().unwrap_or(Path::new(""));
        let names: Vec<String> = self.settings().map(name_of).collect();
        for (name, value) in table {
            let refused = |why: &str| wrong(format!("`{name}` {why}; name the file with --config, or use --{name}"));
            if !named && USERS_ONLY.split(' ').any(|known| known == name) {
                return Err(refused("has no force in a settings file that was only found beside the document"));
            }
            let mut texts = texts(&value);
            let is_file = !named && FILES.contains(&name.as_str());
            if let Some(text) = texts.iter().find(|text| is_file && leads_out(base, text)) {
                let found = "the folder of a settings file that was only found beside the document";
                return Err(refused(&format!("leads out of {found} ({text})")));
            }
            let Some(arg) = self.settings().find(|arg| name_of(arg) == name) else {
                let advice = advice(&name, names.iter().map(String::as_str), "show settings");
                return Err(wrong(format!("unknown key `{name}`; {advice}")));
            };
            if arg.get_value_parser().type_id() == TypeId::of::<PathBuf>() {
                // What is written in place of a path is none. A path starts from the folder of the file.
                let paths = texts.iter_mut().filter(|text| *text != "off" && !text.contains("://"));
                paths.for_each(|text| *text = base.join(&*text).to_string_lossy().into_owned());
            }
            self.given.insert(name, (texts, path.display().to_string()));
        }
        Ok(())
    }

    fn add_variable(&mut self, variable: &str, text: &str) -> Result<()> {
        let name = variable.strip_prefix(VARIABLE_PREFIX).filter(|name| !SECRETS.contains(name));
        let Some(name) = name.map(|name| name.to_ascii_lowercase().replace('_', "-")) else { return Ok(()) };
        let origin = format!("environment variable {variable}");
        let names: Vec<String> = self.settings().map(name_of).collect();
        if names.contains(&name) {
            let texts = text.split(',').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty());
            self.given.insert(name, (texts.collect(), origin));
        } else if let Some(nearest) = nearest(&name, names.iter().map(String::as_str)) {
            // Others may well use our prefix for their own purposes: `CITED_VERSION` in a build script.
            let meant = nearest.to_uppercase().replace('-', "_");
            return Err(Error::usage(format!("{origin}: no such setting; did you mean {VARIABLE_PREFIX}{meant}?")));
        }
        Ok(())
    }

    fn parse(&self) -> Result<(ArgMatches, Vec<InForce>)> {
        let mut arguments = Vec::new();
        for arg in self.table.get_arguments() {
            let name = name_of(arg);
            let long = arg.get_long().unwrap_or(&name);
            let texts = self.given.get(&name).into_iter().flat_map(|(texts, _)| texts);
            arguments.extend(texts.map(|text| format!("--{long}={text}")));
        }
        let matches = self.table.clone().try_get_matches_from(arguments).map_err(|error| self.unusable(&error))?;
        let in_force = self.settings().map(|arg| {
            let name = name_of(arg);
            let values = raw(&matches, arg).iter().map(|value| shown(&name, value)).collect();
            InForce { values, origin: self.given.get(&name).map_or(DEFAULT, |(_, origin)| origin).to_owned(), name }
        });
        let in_force = in_force.collect();
        Ok((matches, in_force))
    }

    /// Says of a value that cannot be used where it is from, and else what is said of a flag.
    fn unusable(&self, error: &clap::Error) -> Error {
        let shown = error.get(ContextKind::InvalidArg).map(ToString::to_string).unwrap_or_default();
        let long = shown.trim_start_matches('-').split([' ', '[', '=']).next();
        let arg = self.table.get_arguments().find(|arg| arg.get_long() == long);
        let origin = arg.and_then(|arg| self.given.get(&name_of(arg))).map_or(DEFAULT, |(_, origin)| origin);
        let told = error.to_string();
        let told = told.trim_start_matches("error: ").split("\n\n").next().unwrap_or_default();
        Error::usage(format!("{origin}: {}", told.lines().map(str::trim).collect::<Vec<_>>().join(" ")))
    }
}

/// A value as others may see it.
fn shown(name: &str, value: &str) -> String {
    if name == "state" { cited_audit::store::shown(value) } else { without_password(value) }
}

/// Whether a path, read from `base`, leads out of it: by name, or by a link on its way.
fn leads_out(base: &Path, path: &str) -> bool {
    let is_below = Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    // One that is not there is told when it is read.
    let leaves = |folder: PathBuf| folder.join(path).canonicalize().is_ok_and(|real| !real.starts_with(folder));
    !is_below || Path::new(".").join(base).canonicalize().is_ok_and(leaves)
}

/// A scalar, a list or a table of texts as texts.
fn texts(value: &toml::Value) -> Vec<String> {
    match value {
        toml::Value::String(text) => vec![text.clone()],
        toml::Value::Array(values) => values.iter().flat_map(texts).collect(),
        // A table says of each of its names what it is.
        toml::Value::Table(rows) => {
            rows.iter().map(|(name, value)| format!("{name}={}", texts(value).join(","))).collect()
        }
        scalar => vec![scalar.to_string()],
    }
}

/// What to do about a name that nothing has: the one that may be meant, or the command that lists them.
pub fn advice<'a>(name: &str, known: impl Iterator<Item = &'a str>, lister: &str) -> String {
    match nearest(name, known) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("`cited {lister}` lists them"),
    }
}

/// The known name that is most like `name`, if any is like it at all.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let alike = |known: &str| strsim::normalized_damerau_levenshtein(name, known);
    let best = known.map(|known| (alike(known), known)).max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 >= ALIKE).then_some(best.1)
}

/// An address without the name and password in it, for whoever looks on.
fn without_password(text: &str) -> String {
    static USER: Pattern = Pattern::new("://[^/?#]*@");
    USER.replace(text, "://(not shown)@").into_owned()
}

#[cfg(test)]
mod tests {
    use clap::ArgAction;

    use super::*;
    use cited_core::decide::Treatment;

    #[derive(clap::Args)]
    struct Table {
        /// What becomes of claims.
        #[arg(long, value_enum, default_value = "drop")]
        on_dead: Treatment,
        /// How many are asked at once.
        #[arg(long, value_parser = crate::cli::args::count::<usize>)]
        per_host: Option<usize>,
        /// Whether there are notes.
        #[arg(long, action = ArgAction::Set, value_parser = clap::builder::BoolishValueParser::new())]
        notes: Option<bool>,
    }

    fn table() -> Command {
        let more = ["baseline", "research"].map(|name| Arg::new(name).long(name).action(ArgAction::Append));
        let more = more.into_iter().chain(USERS_ONLY.split(' ').map(|name| Arg::new(name).long(name)));
        Table::augment_args(Command::new("table").no_binary_name(true)).args(more)
    }

    fn parse(
        file: &str,
        named: bool,
        variables: &[(&str, &str)],
        flag: Option<&str>,
    ) -> Result<(ArgMatches, Vec<InForce>)> {
        let table = table();
        let mut layers = Layers { table: &table, given: BTreeMap::new() };
        layers.add_file(Path::new("dir/cited.toml"), file, named)?;
        variables.iter().try_for_each(|(name, text)| layers.add_variable(name, text))?;
        if let Some(flag) = flag {
            layers.given.insert("on-dead".to_owned(), (vec![flag.to_owned()], "command line".to_owned()));
        }
        layers.parse()
    }

    #[test]
    fn flags_win_over_variables_and_these_over_the_file() {
        let take = |variables: &[(&str, &str)], flag: Option<&str>| {
            let (matches, in_force) = parse("on-dead = 'todo'", false, variables, flag).unwrap();
            let table = Table::from_arg_matches(&matches).unwrap();
            assert_eq!((table.per_host, table.notes), (None, None));
            (table.on_dead, in_force.into_iter().find(|one| one.name == "on-dead").unwrap().origin)
        };
        let variable = [("CITED_ON_DEAD", "mark")];
        assert_eq!(take(&[], None), (Treatment::Todo, "dir/cited.toml".into()));
        assert_eq!(take(&variable, None), (Treatment::Mark, "environment variable CITED_ON_DEAD".into()));
        assert_eq!(take(&variable, Some("keep")), (Treatment::Keep, "command line".into()));
    }

    #[track_caller]
    fn check_refused(file: &str, variables: &[(&str, &str)], expected: &str) {
        let error = parse(file, false, variables, None).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn what_cannot_be_used_is_refused_with_advice() {
        check_refused("on-daed = 'keep'", &[], "dir/cited.toml: unknown key `on-daed`; did you mean `on-dead`?");
        check_refused("colour = 'no'", &[], "dir/cited.toml: unknown key `colour`; `cited show settings` lists them");
        check_refused(
            "",
            &[("CITED_PERHOST", "2")],
            "environment variable CITED_PERHOST: no such setting; did you mean CITED_PER_HOST?",
        );
        check_refused(
            "on-dead = 'perhaps'",
            &[],
            "dir/cited.toml: invalid value 'perhaps' for '--on-dead <ON_DEAD>' [possible values: drop, mark, todo, keep, fail]",
        );
        check_refused(
            "notes = 'perhaps'",
            &[],
            "dir/cited.toml: invalid value 'perhaps' for '--notes <NOTES>': value was not a boolean",
        );
        check_refused(
            "per-host = 0",
            &[],
            "dir/cited.toml: invalid value '0' for '--per-host <PER_HOST>': must be a whole number of at least 1",
        );
        check_refused(
            "per-host = [1, 2]",
            &[],
            "dir/cited.toml: the argument '--per-host <PER_HOST>' cannot be used multiple times",
        );
    }

    #[test]
    fn a_found_file_names_no_files_outside_its_folder() {
        let check = |file: &str, expected: bool| {
            assert_eq!(parse(file, false, &[], None).is_err(), expected, "{file}");
            assert!(parse(file, true, &[], None).is_ok(), "{file}");
        };
        check("research = 'a.md'", false);
        check("research = ['./notes/a.md', 'b.md']", false);
        check("baseline = '.cited/baseline.json'", false);
        check("research = '/etc/passwd'", true);
        check("research = ['a.md', '../a.md']", true);
        check("research = 'notes/../../a.md'", true);
        check("baseline = '../baseline.json'", true);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_leads_out_of_a_folder_too() {
        let root = tempfile::tempdir().unwrap();
        let inside = root.path().join("inside");
        std::fs::create_dir(&inside).unwrap();
        std::fs::write(root.path().join("secret.md"), "secret").unwrap();
        std::fs::write(inside.join("a.md"), "text").unwrap();
        std::os::unix::fs::symlink(root.path().join("secret.md"), inside.join("link.md")).unwrap();
        std::os::unix::fs::symlink("a.md", inside.join("near.md")).unwrap();
        let check = |path: &str, expected: bool| assert_eq!(leads_out(&inside, path), expected, "{path}");
        check("link.md", true);
        check("near.md", false);
        check("a.md", false);
        check("none.md", false);
    }

    #[test]
    fn a_found_file_cannot_lead_requests_elsewhere() {
        for name in USERS_ONLY.split(' ') {
            let file = format!("{name} = 'x'");
            assert!(parse(&file, false, &[], None).unwrap_err().to_string().contains("--config"), "{name}");
            assert!(parse(&file, true, &[], None).is_ok(), "{name}");
        }
    }
}
