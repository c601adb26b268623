//! The house as it is built: which file uses what of which other file, read from the imports and paths in the code.
//!
//! Within a crate no two files, no ring of files, and no two rooms (files and folders of one folder) use each other. Code of tests is left out.
//! `cargo test --test house -- --nocapture` prints what it counted.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A module of the crate.
#[derive(Debug, Default)]
struct Module {
    file: PathBuf,
    /// The code without comments, texts and tests.
    tokens: Vec<String>,
    /// Names that it passes on: what it calls them, and the path behind them. `*` for all of a module.
    passes_on: Vec<(String, Vec<String>)>,
}

type Modules = BTreeMap<Vec<String>, Module>;
/// What a file uses of another: from, to, and the names.
type Uses = BTreeMap<(String, String), BTreeSet<String>>;

/// The folders of sources: one a crate. That no two crates use each other is held by Cargo.
fn crates() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = vec![("cited".to_owned(), root.join("src"))];
    for entry in std::fs::read_dir(root.join("crates")).expect("the folder of crates") {
        let path = entry.expect("a crate").path();
        found.push((path.file_name().expect("a name").to_string_lossy().into_owned(), path.join("src")));
    }
    found.sort();
    found
}

#[test]
fn files_and_rooms_use_each_other_one_way() {
    let mut faults = String::new();
    for (name, sources) in crates() {
        let modules = modules(&sources);
        let uses = uses(&modules);
        println!("{name}: {} files, {} uses", modules.len(), uses.len());
        for uses in std::iter::once(&uses).chain(of_rooms(&uses).values()) {
            for circle in circles(uses) {
                let _ = writeln!(faults, "{name}: a circle of {}: {}", circle.len(), list(&circle));
                let inside = |(from, to): &(String, String)| circle.contains(from) && circle.contains(to);
                for ((from, to), names) in uses.iter().filter(|(pair, _)| inside(pair)) {
                    let _ = writeln!(faults, "    {from} -> {to}: {}", list(names));
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

fn list(names: &BTreeSet<String>) -> String {
    names.iter().cloned().collect::<Vec<_>>().join(", ")
}

/// What the rooms of each folder, which are its files and folders, use of each other.
fn of_rooms(uses: &Uses) -> BTreeMap<&str, Uses> {
    let mut folders: BTreeMap<&str, Uses> = BTreeMap::new();
    for ((from, to), names) in uses {
        let same = from.split('/').zip(to.split('/')).take_while(|(one, other)| one == other);
        let shared: usize = same.map(|(part, _)| part.len() + 1).sum();
        let room = |file: &str| {
            let first = file[shared..].split('/').next().unwrap_or_default();
            first.strip_suffix(".rs").unwrap_or(first).to_owned()
        };
        if room(from) != room(to) {
            let rooms = folders.entry(&from[..shared]).or_default();
            rooms.entry((room(from), room(to))).or_default().extend(names.iter().cloned());
        }
    }
    folders
}

/// All modules of the crate but those of tests.
fn modules(root: &Path) -> Modules {
    let mut modules = Modules::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("a file of sources").path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let inside = path.strip_prefix(root).expect("it is in the folder").to_path_buf();
            if inside.extension().is_none_or(|ending| ending != "rs") {
                continue;
            }
            let mut name: Vec<String> =
                inside.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
            if name.last().is_some_and(|last| matches!(last.as_str(), "mod" | "lib")) {
                name.pop();
            }
            let is_test = |part: &String| part == "tests" || part.ends_with("_tests") || part == "properties";
            if name == ["main"] || name.iter().any(is_test) {
                continue;
            }
            let tokens = without_tests(&tokens(&std::fs::read_to_string(&path).expect("text")));
            modules.insert(name, Module { file: inside, tokens, passes_on: Vec::new() });
        }
    }
    let names: BTreeSet<Vec<String>> = modules.keys().cloned().collect();
    for (name, module) in &mut modules {
        module.passes_on = imports(&module.tokens, name, &names)
            .into_iter()
            .filter(|import| import.passed_on)
            .map(|import| (import.called, import.path))
            .collect();
    }
    modules
}

/// Which file uses an item of which other file.
fn uses(modules: &Modules) -> Uses {
    let names: BTreeSet<Vec<String>> = modules.keys().cloned().collect();
    let mut uses = Uses::new();
    for (name, module) in modules {
        let mut add = |path: &[String]| {
            if let Some(target) = defined_in(path, modules, 0)
                && target != module.file
            {
                let called = path.last().cloned().unwrap_or_default();
                uses.entry((shown(&module.file), shown(&target))).or_default().insert(called);
            }
        };
        let imports = imports(&module.tokens, name, &names);
        // Names of modules are followed to what is used of them.
        let mut called: BTreeMap<&str, &[String]> = BTreeMap::new();
        for import in imports.iter().filter(|import| !import.passed_on) {
            if is_module(&import.path, modules) {
                called.insert(&import.called, &import.path);
            } else {
                add(&import.path);
            }
        }
        let children: Vec<(String, Vec<String>)> = names
            .iter()
            .filter(|other| other.len() == name.len() + 1 && other.starts_with(name))
            .filter_map(|other| Some((other.last()?.clone(), other.clone())))
            .collect();
        for (own, path) in &children {
            called.entry(own).or_insert(path);
        }
        let tokens = &module.tokens;
        let mut at = 0;
        while at < tokens.len() {
            if tokens[at] == "use" && (at == 0 || tokens[at - 1] != ":") {
                while at < tokens.len() && tokens[at] != ";" {
                    at += 1;
                }
                continue;
            }
            let begins = at == 0 || tokens[at - 1] != "::";
            if begins && tokens.get(at + 1).is_some_and(|next| next == "::") {
                let mut path = vec![tokens[at].clone()];
                let mut end = at + 1;
                while tokens.get(end).is_some_and(|token| token == "::")
                    && tokens.get(end + 1).is_some_and(|token| is_name(token))
                {
                    path.push(tokens[end + 1].clone());
                    end += 2;
                }
                if let Some(path) = absolute(&path, name).or_else(|| {
                    let first = called.get(path[0].as_str())?;
                    Some(first.iter().chain(&path[1..]).cloned().collect())
                }) {
                    // A function may be called like a module beside it.
                    let is_called = tokens.get(end).is_some_and(|token| token == "(");
                    match path.split_last() {
                        Some((_, parent)) if is_called && modules.contains_key(&path) => add(parent),
                        _ if !is_module(&path, modules) => add(&path),
                        _ => {}
                    }
                }
                at = end;
                continue;
            }
            at += 1;
        }
    }
    uses
}

fn shown(file: &Path) -> String {
    file.to_string_lossy().replace('\\', "/")
}

fn is_module(path: &[String], modules: &Modules) -> bool {
    modules.contains_key(path) || {
        let Some((last, before)) = path.split_last() else { return true };
        modules.get(before).is_some_and(|module| {
            module.passes_on.iter().any(|(called, path)| called == last && modules.contains_key(path))
        })
    }
}

/// The file that defines what `path` names: names that are passed on are followed.
fn defined_in(path: &[String], modules: &Modules, depth: usize) -> Option<PathBuf> {
    if depth > 8 {
        return None;
    }
    let mut own = path.len();
    while own > 0 && !modules.contains_key(&path[..own]) {
        own -= 1;
    }
    let module = modules.get(&path[..own])?;
    let Some(name) = path.get(own) else { return Some(module.file.clone()) };
    for (called, behind) in &module.passes_on {
        if called == name && *behind != path {
            let whole: Vec<String> = behind.iter().chain(&path[own + 1..]).cloned().collect();
            return defined_in(&whole, modules, depth + 1);
        }
    }
    for (called, behind) in &module.passes_on {
        if called == "*"
            && let Some(other) = modules.get(behind)
            && defines(&other.tokens, name)
        {
            return Some(other.file.clone());
        }
    }
    Some(module.file.clone())
}

fn defines(tokens: &[String], name: &str) -> bool {
    let kinds = ["fn", "struct", "enum", "const", "static", "type", "trait", "union"];
    tokens.windows(2).any(|pair| kinds.contains(&pair[0].as_str()) && pair[1] == name)
}

/// One name that a `use` brings.
struct Import {
    called: String,
    path: Vec<String>,
    /// Whether others get it from here: `pub use`.
    passed_on: bool,
}

/// What the `use` lines of a module bring from the crate.
fn imports(tokens: &[String], module: &[String], names: &BTreeSet<Vec<String>>) -> Vec<Import> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] != "use" {
            at += 1;
            continue;
        }
        let passed_on = at > 0 && (tokens[at - 1] == "pub" || tokens[at - 1] == ")");
        let end = (at..tokens.len()).find(|at| tokens[*at] == ";").unwrap_or(tokens.len());
        let mut leaves = Vec::new();
        tree(&tokens[at + 1..end], &mut 0, &[], &mut leaves);
        for (path, called) in leaves {
            let whole = absolute(&path, module).or_else(|| {
                // A path that begins with a module below this one.
                let child: Vec<String> = module.iter().chain(path.first()).cloned().collect();
                names.contains(&child).then(|| module.iter().chain(&path).cloned().collect())
            });
            if let Some(path) = whole {
                let called = called.unwrap_or_else(|| path.last().cloned().unwrap_or_default());
                let path = if called == "*" { path[..path.len() - 1].to_vec() } else { path };
                found.push(Import { called, path, passed_on });
            }
        }
        at = end;
    }
    found
}

/// The leaves of a tree of imports, each with the name after `as`.
fn tree(tokens: &[String], at: &mut usize, before: &[String], leaves: &mut Vec<(Vec<String>, Option<String>)>) {
    let mut path = before.to_vec();
    while let Some(token) = tokens.get(*at) {
        match token.as_str() {
            "{" => {
                *at += 1;
                while tokens.get(*at).is_some_and(|token| token != "}") {
                    tree(tokens, at, &path, leaves);
                    if tokens.get(*at).is_some_and(|token| token == ",") {
                        *at += 1;
                    }
                }
                *at += 1;
                return;
            }
            "::" => *at += 1,
            "as" => {
                leaves.push((path, tokens.get(*at + 1).cloned()));
                *at += 2;
                return;
            }
            "," | "}" => break,
            "self" if !path.is_empty() => *at += 1,
            _ => {
                path.push(token.clone());
                *at += 1;
            }
        }
    }
    leaves.push((path, None));
}

/// A path from the root of the crate; `None` for one that does not begin with `crate`, `self` or `super`.
fn absolute(path: &[String], module: &[String]) -> Option<Vec<String>> {
    let mut base = match path.first()?.as_str() {
        "crate" => Vec::new(),
        "self" => module.to_vec(),
        "super" => module.split_last()?.1.to_vec(),
        _ => return None,
    };
    for part in &path[1..] {
        if part == "super" {
            base.pop();
        } else {
            base.push(part.clone());
        }
    }
    Some(base)
}

fn is_name(token: &str) -> bool {
    token.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
}

/// Names and signs of a source, without comments and texts.
fn tokens(source: &str) -> Vec<String> {
    let bytes: Vec<char> = source.chars().collect();
    let mut out: Vec<String> = Vec::new();
    let mut at = 0;
    let get = |at: usize| bytes.get(at).copied().unwrap_or('\0');
    while at < bytes.len() {
        let c = get(at);
        if c == '/' && get(at + 1) == '/' {
            while at < bytes.len() && get(at) != '\n' {
                at += 1;
            }
        } else if c == '/' && get(at + 1) == '*' {
            while at < bytes.len() && !(get(at) == '*' && get(at + 1) == '/') {
                at += 1;
            }
            at += 2;
        } else if c == 'r' && (get(at + 1) == '"' || get(at + 1) == '#' && matches!(get(at + 2), '"' | '#')) {
            let hashes = (at + 1..bytes.len()).take_while(|at| get(*at) == '#').count();
            at += 2 + hashes;
            while at < bytes.len() && !(get(at) == '"' && (1..=hashes).all(|hash| get(at + hash) == '#')) {
                at += 1;
            }
            at += 1 + hashes;
            out.push("\"\"".to_owned());
        } else if c == '"' {
            at += 1;
            while at < bytes.len() && get(at) != '"' {
                at += if get(at) == '\\' { 2 } else { 1 };
            }
            at += 1;
            out.push("\"\"".to_owned());
        } else if c == '\'' && (get(at + 1) == '\\' || get(at + 2) == '\'') {
            at += if get(at + 1) == '\\' { 3 } else { 2 };
            while at < bytes.len() && get(at) != '\'' {
                at += 1;
            }
            at += 1;
        } else if c.is_alphanumeric() || c == '_' {
            let start = at;
            while get(at).is_alphanumeric() || get(at) == '_' {
                at += 1;
            }
            out.push(bytes[start..at].iter().collect());
        } else if c == ':' && get(at + 1) == ':' {
            out.push("::".to_owned());
            at += 2;
        } else {
            if !c.is_whitespace() {
                out.push(c.to_string());
            }
            at += 1;
        }
    }
    out
}

/// The same without what stands behind `#[cfg(test)]` or another `cfg` that needs `test`.
fn without_tests(tokens: &[String]) -> Vec<String> {
    let mut out = Vec::new();
    let mut at = 0;
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token == text);
    while at < tokens.len() {
        if is(at, "#") && is(at + 1, "[") && is(at + 2, "cfg") {
            let end = (at..tokens.len()).find(|at| tokens[*at] == "]").unwrap_or(tokens.len());
            let needs_test = (at..end).any(|at| is(at, "test")) && !(at..end).any(|at| is(at, "not"));
            if needs_test {
                at = past_item(tokens, end + 1);
                continue;
            }
        }
        out.push(tokens[at].clone());
        at += 1;
    }
    out
}

/// The place behind the item that begins at `at`.
fn past_item(tokens: &[String], mut at: usize) -> usize {
    let mut depth = 0usize;
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => {
                depth = depth.saturating_sub(1);
                if depth == 0 && token == "}" {
                    return at;
                }
            }
            ";" if depth == 0 => return at,
            _ => {}
        }
    }
    at
}

/// The rings of files that use each other (strongly connected parts of more than one file), largest first.
fn circles(uses: &Uses) -> Vec<BTreeSet<String>> {
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut back: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in uses.keys() {
        next.entry(from).or_default().push(to);
        next.entry(to).or_default();
        back.entry(to).or_default().push(from);
        back.entry(from).or_default();
    }
    // Kosaraju's way: the order in which a walk ends, then the walks against the arrows.
    let mut ended: Vec<&str> = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for start in next.keys() {
        let mut open = vec![(*start, 0)];
        while let Some((file, place)) = open.pop() {
            if place == 0 && !seen.insert(file) {
                continue;
            }
            match next[file].get(place) {
                Some(other) => {
                    open.push((file, place + 1));
                    open.push((other, 0));
                }
                None => ended.push(file),
            }
        }
    }
    let mut circles = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for start in ended.into_iter().rev() {
        let mut circle = BTreeSet::new();
        let mut open = vec![start];
        while let Some(file) = open.pop() {
            if seen.insert(file) {
                circle.insert(file.to_owned());
                open.extend(&back[file]);
            }
        }
        if circle.len() > 1 {
            circles.push(circle);
        }
    }
    circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    circles
}
