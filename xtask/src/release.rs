//! Cuts a release: one version everywhere, one section of the changelog, one commit, one tag. What follows the tag is
//! `.github/workflows/release.yml`'s.

use std::path::Path;
use std::process::Command;

use crate::Result;

/// The root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Sets the version, closes the section of what is unreleased in the changelog, commits and tags.
#[derive(clap::Args)]
pub struct Arguments {
    /// The version, such as 0.2.0
    version: String,
    /// The day of the release
    #[arg(long, value_name = "DATE")]
    date: Option<jiff::civil::Date>,
    /// Says what would be changed, and changes nothing
    #[arg(long)]
    dry_run: bool,
}

pub fn run(arguments: &Arguments) -> Result {
    let version = &arguments.version;
    let numbers: Vec<Option<u64>> = version.split('.').map(|number| number.parse().ok()).collect();
    if numbers.len() != 3 || numbers.contains(&None) {
        return Err(format!("{version} is no version: give three numbers, such as 0.2.0").into());
    }
    let root = Path::new(ROOT);
    let (manifest, changelog) = (root.join("Cargo.toml"), root.join("CHANGELOG.md"));
    let (cargo, changes) = (std::fs::read_to_string(&manifest)?, std::fs::read_to_string(&changelog)?);
    let before = cargo.split_once("[workspace.package]\nversion = \"").and_then(|(_, rest)| rest.split_once('"'));
    let before = before.ok_or("Cargo.toml has no version of the workspace")?.0.to_owned();
    if !changes.contains("\n## Unreleased\n") {
        return Err("CHANGELOG.md has no section of what is unreleased".into());
    }
    let date = arguments.date.unwrap_or_else(|| jiff::Zoned::now().date());
    let cargo = cargo.replace(&format!("version = \"{before}\""), &format!("version = \"{version}\""));
    let changes = changes.replacen("\n## Unreleased\n", &format!("\n## {version} ({date})\n"), 1);
    println!(
        "{before} -> {version}: Cargo.toml, Cargo.lock; CHANGELOG.md: {version} ({date}); commit and tag v{version}"
    );
    if arguments.dry_run {
        return Ok(());
    }
    if !output("git", &["status", "--porcelain"])?.is_empty() {
        return Err("there are changes that are not committed".into());
    }
    std::fs::write(&manifest, cargo)?;
    std::fs::write(&changelog, changes)?;
    output("cargo", &["update", "--workspace", "--offline"])?;
    output("git", &["commit", "--all", "--message", &format!("cited {version}")])?;
    output("git", &["tag", "--annotate", &format!("v{version}"), "--message", &format!("cited {version}")])?;
    println!("done; `git push --follow-tags` releases it");
    Ok(())
}

/// What a program prints; an error when it fails.
fn output(program: &str, arguments: &[&str]) -> Result<String> {
    let output = Command::new(program).args(arguments).current_dir(ROOT).output()?;
    if !output.status.success() {
        return Err(format!("{program} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
