//! Where settings come from: the settings file, the environment, flags. Later ones win; each remembers where it is from.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

use clap::ValueEnum;

use cited_core::error::{Error, Result};

/// The name that settings files are found by.
pub const FILE_NAME: &str = "cited.toml";

/// Environment variables with this prefix are settings: `CITED_ON_DEAD` is `on-dead`.
pub const VARIABLE_PREFIX: &str = "CITED_";

/// Settings that lead requests elsewhere, trust somebody new or name a place to write to. A document comes with its folder, and a settings file in
/// that folder may be as foreign as the document: these count only in a file that the user names, in the environment or
/// as flags.
const USERS_ONLY: [&str; 13] = [
    "agent",
    "allow-net",
    "archive",
    "cacert",
    "cache",
    "connect-to",
    "contact",
    "index",
    "judge",
    "proxy",
    "save",
    "search",
    "state",
];

/// Settings that name files to read. In a file that was only found they name none outside its own folder: what came with a
/// document reads nothing of the user's.
const FILES: [&str; 2] = ["baseline", "research"];

/// Variables of this prefix that are no settings: keys, which are never shown among them.
const SECRETS: [&str; 3] = ["JUDGE_KEY", "SEARCH_KEY", "TOKEN"];

/// How alike two names are for one to be offered for the other, 0 to 1: with one letter in three wrong they still are.
const ALIKE: f64 = 0.6;

/// Where a setting comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Nobody set it.
    Default,
    /// A settings file.
    File(PathBuf),
    /// The variable of this name.
    Variable(String),
    /// The command line.
    Flag,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File(path) => write!(f, "{}", path.display()),
            Origin::Variable(name) => write!(f, "environment variable {name}"),
            Origin::Flag => f.write_str("command line"),
        }
    }
}

/// A setting as it is in force, for `cited show settings`.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct InForce {
    /// Its name.
    pub name: &'static str,
    /// Its value or values.
    pub values: Vec<String>,
    /// Where it comes from.
    pub origin: String,
}

#[derive(Debug, Clone)]
struct Given {
    texts: Vec<String>,
    origin: Origin,
    /// What relative paths start from.
    base: PathBuf,
}

/// All settings as given, by name, the strongest only.
#[derive(Debug, Default)]
pub struct Layers {
    given: BTreeMap<String, Given>,
    in_force: Vec<InForce>,
}

impl Layers {
    /// What the settings file and the environment give. Without `named`, the file is the nearest `cited.toml` in
    /// `folder` or above.
    ///
    /// # Errors
    /// When the file cannot be read or is not TOML of this kind.
    pub fn read(
        named: Option<&Path>,
        folder: &Path,
        variables: impl Iterator<Item = (String, String)>,
    ) -> Result<Layers> {
        let mut layers = Layers::default();
        let found = || folder.ancestors().map(|folder| folder.join(FILE_NAME)).find(|path| path.is_file());
        if let Some(path) = named.map(Path::to_path_buf).or_else(found) {
            let here = std::env::current_dir().ok();
            let path = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_path_buf)).unwrap_or(path);
            let text = std::fs::read_to_string(&path).map_err(|error| Error::read(&path, error))?;
            layers.add_file(&path, &text, named.is_some())?;
        }
        for (variable, text) in variables {
            if let Some(name) = variable.strip_prefix(VARIABLE_PREFIX).filter(|name| !SECRETS.contains(name)) {
                let name = name.to_ascii_lowercase().replace('_', "-");
                let texts = text.split(',').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty());
                let texts = texts.collect();
                layers.given.insert(name, Given { texts, origin: Origin::Variable(variable), base: PathBuf::new() });
            }
        }
        Ok(layers)
    }

    fn add_file(&mut self, path: &Path, text: &str, named: bool) -> Result<()> {
        let wrong = |what: String| Error::settings(format!("{}: {what}", path.display()));
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| wrong(error.to_string()))?;
        let base = path.parent().unwrap_or(Path::new("")).to_path_buf();
        for (name, value) in table {
            if USERS_ONLY.contains(&name.as_str()) && !named {
                return Err(wrong(format!(
                    "`{name}` has no force in a settings file that was only found beside the document; name the file with --config, or use --{name}"
                )));
            }
            let texts = texts(&value)
                .ok_or_else(|| wrong(format!("`{name}` must be a text, a number, true, false, or a list of them")))?;
            if let Some(text) =
                texts.iter().find(|text| !named && FILES.contains(&name.as_str()) && leads_out(&base, text))
            {
                return Err(wrong(format!(
                    "`{name}` leads out of the folder of a settings file that was only found beside the document ({text}); name the file with --config, or use {}",
                    if name == "research" { "-r".to_owned() } else { format!("--{name}") }
                )));
            }
            self.given.insert(name, Given { texts, origin: Origin::File(path.to_path_buf()), base: base.clone() });
        }
        Ok(())
    }

    /// Takes a setting that has any number of values.
    pub fn list<T>(
        &mut self,
        name: &'static str,
        flags: Vec<String>,
        read: impl Fn(&str, &Path) -> std::result::Result<T, String>,
    ) -> Result<Vec<T>> {
        let mut given = self.given.remove(name);
        if !flags.is_empty() {
            given = Some(Given { texts: flags, origin: Origin::Flag, base: PathBuf::new() });
        }
        let Some(given) = given else {
            self.in_force.push(InForce { name, values: Vec::new(), origin: Origin::Default.to_string() });
            return Ok(Vec::new());
        };
        let values = given.texts.iter().map(|text| {
            read(text, &given.base)
                .map_err(|reason| Error::settings(format!("{name} = `{text}` ({}): {reason}", given.origin)))
        });
        let values = values.collect::<Result<Vec<T>>>()?;
        let shown = given.texts.iter().map(|text| without_password(text)).collect();
        self.in_force.push(InForce { name, values: shown, origin: given.origin.to_string() });
        Ok(values)
    }

    /// Takes a setting that has one value, or none.
    pub fn one<T>(
        &mut self,
        name: &'static str,
        flag: Option<String>,
        read: impl Fn(&str, &Path) -> std::result::Result<T, String>,
    ) -> Result<Option<T>> {
        if let (None, Some(given)) = (&flag, self.given.get(name))
            && given.texts.len() > 1
        {
            return Err(Error::settings(format!("{name} ({}) takes one value", given.origin)));
        }
        Ok(self.list(name, flag.into_iter().collect(), read)?.pop())
    }

    /// Takes a secret, which only the environment may hold: files are shared, and command lines are seen by others. What it
    /// is appears nowhere.
    pub fn secret<T>(
        &mut self,
        name: &'static str,
        read: impl Fn(&str) -> std::result::Result<T, String>,
    ) -> Result<Option<T>> {
        let Some(given) = self.given.remove(name) else {
            self.in_force.push(InForce { name, values: Vec::new(), origin: Origin::Default.to_string() });
            return Ok(None);
        };
        let variable = format!("{VARIABLE_PREFIX}{}", name.to_uppercase().replace('-', "_"));
        if !matches!(given.origin, Origin::Variable(_)) {
            return Err(Error::settings(format!(
                "{}: `{name}` belongs into the environment, as {variable}",
                given.origin
            )));
        }
        let value = read(&given.texts.join(",")).map_err(|reason| Error::settings(format!("{variable}: {reason}")))?;
        self.in_force.push(InForce { name, values: vec!["(not shown)".to_owned()], origin: given.origin.to_string() });
        Ok(Some(value))
    }

    /// Takes a setting with a fixed set of values.
    pub fn choice<T: ValueEnum + Copy>(&mut self, name: &'static str, flag: Option<T>, default: T) -> Result<T> {
        let value = self.choice_or_none(name, flag)?;
        Ok(self.or_default(value, default, word))
    }

    /// Takes a setting with a fixed set of values, if it was given.
    pub fn choice_or_none<T: ValueEnum + Copy>(&mut self, name: &'static str, flag: Option<T>) -> Result<Option<T>> {
        self.one(name, flag.as_ref().map(word), |text, _| {
            T::from_str(text, false).map_err(|_| {
                let known: Vec<String> = T::value_variants().iter().map(word).collect();
                format!("must be one of {}", known.join(", "))
            })
        })
    }

    /// Takes a setting that is true or false.
    pub fn switch(&mut self, name: &'static str, flag: Option<bool>) -> Result<bool> {
        let value = self.one(name, flag.map(|flag| flag.to_string()), |text, _| match text {
            "true" | "1" | "on" | "yes" => Ok(true),
            "false" | "0" | "off" | "no" => Ok(false),
            _ => Err("must be true or false".to_owned()),
        })?;
        Ok(self.or_default(value, false, bool::to_string))
    }

    /// Takes a number that `admits` admits; `otherwise` says which these are.
    pub fn number<T: FromStr + ToString>(
        &mut self,
        name: &'static str,
        flag: Option<T>,
        admits: impl Fn(&T) -> bool,
        otherwise: &str,
    ) -> Result<Option<T>> {
        self.one(name, flag.map(|flag| flag.to_string()), |text, _| {
            text.parse().ok().filter(&admits).ok_or_else(|| format!("must be {otherwise}"))
        })
    }

    /// Takes a count of at least one.
    pub fn count(&mut self, name: &'static str, flag: Option<usize>, default: usize) -> Result<usize> {
        let value = self.count_given(name, flag)?;
        Ok(self.or_default(value, default, usize::to_string))
    }

    /// The same where it matters whether anybody gave one.
    pub fn count_given(&mut self, name: &'static str, flag: Option<usize>) -> Result<Option<usize>> {
        self.number(name, flag, |count| *count > 0, "a whole number of at least 1")
    }

    /// Shows the value of the setting that was taken last as `shown` gives it: without a password, for one.
    pub fn show_as(&mut self, shown: impl Fn(&str) -> String) {
        for value in self.in_force.last_mut().into_iter().flat_map(|taken| &mut taken.values) {
            *value = shown(value);
        }
    }

    /// The value, or the default, which then is in force.
    pub fn or_default<T>(&mut self, value: Option<T>, default: T, show: impl Fn(&T) -> String) -> T {
        value.unwrap_or_else(|| {
            if let Some(last) = self.in_force.last_mut() {
                last.values = vec![show(&default)];
            }
            default
        })
    }

    /// What is in force, after everything known was taken.
    ///
    /// # Errors
    /// When something was given that nothing took: an unknown key of the settings file, or a variable that looks like a
    /// misspelt setting.
    pub fn finish(self) -> Result<Vec<InForce>> {
        for (name, given) in &self.given {
            let nearest = nearest(name, self.in_force.iter().map(|setting| setting.name));
            match (&given.origin, nearest) {
                // Others may well use our prefix for their own purposes: `CITED_VERSION` in a build script.
                (Origin::Variable(_), None) => {}
                (Origin::Variable(variable), Some(nearest)) => {
                    let meant = nearest.to_uppercase().replace('-', "_");
                    return Err(Error::settings(format!(
                        "environment variable {variable}: no such setting; did you mean {VARIABLE_PREFIX}{meant}?"
                    )));
                }
                (origin, nearest) => {
                    let advice = match nearest {
                        Some(nearest) => format!("did you mean `{nearest}`?"),
                        None => "`cited show settings` lists them".to_owned(),
                    };
                    return Err(Error::settings(format!("{origin}: unknown key `{name}`; {advice}")));
                }
            }
        }
        Ok(self.in_force)
    }
}

/// Whether a path, read from `base`, leads out of it: by name, or by a link on its way.
fn leads_out(base: &Path, path: &str) -> bool {
    if !Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return true;
    }
    let folder = if base.as_os_str().is_empty() { Path::new(".") } else { base };
    match (folder.canonicalize(), folder.join(path).canonicalize()) {
        (Ok(folder), Ok(real)) => !real.starts_with(folder),
        // One that is not there is told when it is read.
        _ => false,
    }
}

/// How a value of a fixed set is written.
fn word<T: ValueEnum>(value: &T) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// A scalar, a list of scalars or a table of texts as texts.
fn texts(value: &toml::Value) -> Option<Vec<String>> {
    match value {
        toml::Value::String(text) => Some(vec![text.clone()]),
        toml::Value::Integer(number) => Some(vec![number.to_string()]),
        toml::Value::Float(number) => Some(vec![number.to_string()]),
        toml::Value::Boolean(switch) => Some(vec![switch.to_string()]),
        toml::Value::Datetime(time) => Some(vec![time.to_string()]),
        toml::Value::Array(values) => {
            let nested = values.iter().any(|value| value.is_array() || value.is_table());
            (!nested).then(|| values.iter().filter_map(texts).flatten().collect())
        }
        // A table says of each of its names what it is.
        toml::Value::Table(rows) => {
            rows.iter().map(|(name, value)| Some(format!("{name}={}", value.as_str()?))).collect()
        }
    }
}

/// The known name that is most like `name`, if any is like it at all.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let alike = |known: &str| strsim::normalized_damerau_levenshtein(name, known);
    let best = known.map(|known| (alike(known), known)).max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 >= ALIKE).then_some(best.1)
}

/// An address without the name and password in it, for whoever looks on.
fn without_password(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let host = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest[..host].rfind('@') {
        Some(at) => format!("{scheme}://(not shown)@{}", &rest[at + 1..]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cited_core::decide::Treatment;

    fn layers(file: &str, named: bool, variables: &[(&str, &str)]) -> Result<Layers> {
        let variables = variables.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        let mut layers = Layers::read(None, Path::new("/nonexistent"), variables)?;
        let from_environment = std::mem::take(&mut layers.given);
        layers.add_file(Path::new("dir/cited.toml"), file, named)?;
        layers.given.extend(from_environment);
        Ok(layers)
    }

    #[test]
    fn flags_win_over_variables_and_these_over_the_file() {
        let take = |variables: &[(&str, &str)], flag| {
            let mut layers = layers("on-dead = 'todo'", false, variables).unwrap();
            let value = layers.choice("on-dead", flag, Treatment::Drop).unwrap();
            (value, layers.finish().unwrap()[0].origin.clone())
        };
        let variable = [("CITED_ON_DEAD", "mark")];
        assert_eq!(take(&[], None), (Treatment::Todo, "dir/cited.toml".into()));
        assert_eq!(take(&variable, None), (Treatment::Mark, "environment variable CITED_ON_DEAD".into()));
        assert_eq!(take(&variable, Some(Treatment::Keep)), (Treatment::Keep, "command line".into()));
    }

    #[track_caller]
    fn check_refused(file: &str, variables: &[(&str, &str)], expected: &str) {
        let take = || {
            let mut layers = layers(file, false, variables)?;
            layers.choice("on-dead", None, Treatment::Drop)?;
            layers.count("per-host", None, 1)?;
            layers.finish()
        };
        assert_eq!(take().unwrap_err().to_string(), expected);
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
            "on-dead = `perhaps` (dir/cited.toml): must be one of drop, mark, todo, keep, fail",
        );
        check_refused("per-host = 0", &[], "per-host = `0` (dir/cited.toml): must be a whole number of at least 1");
        check_refused("per-host = [1, 2]", &[], "per-host (dir/cited.toml) takes one value");
    }

    #[test]
    fn a_found_file_names_no_files_outside_its_folder() {
        let check = |file: &str, expected: bool| {
            assert_eq!(layers(file, false, &[]).is_err(), expected, "{file}");
            assert!(layers(file, true, &[]).is_ok(), "{file}");
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
        for name in USERS_ONLY {
            let file = format!("{name} = 'x'");
            assert!(layers(&file, false, &[]).unwrap_err().to_string().contains("--config"), "{name}");
            assert!(layers(&file, true, &[]).is_ok(), "{name}");
        }
    }
}
