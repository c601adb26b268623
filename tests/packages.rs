//! What a release carries (`deploy/packages/build.py`): the archive, the Python wheel, the npm packages and the Debian package are built of this very
//! program, installed each into an environment of its own, and run. What a machine lacks (Python with venv, npm, dpkg-deb) is skipped with a
//! word.

use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// What a program prints; none where it is not there.
#[track_caller]
fn run(program: impl AsRef<std::ffi::OsStr>, arguments: &[&str], folder: &Path) -> Option<String> {
    let output = Command::new(program).args(arguments).current_dir(folder).output().ok()?;
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{arguments:?}: {out}{err}");
    Some(out.into_owned())
}

/// The packages of this program; none where there is no Python.
fn packages(folder: &Path) -> Option<Vec<PathBuf>> {
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let program = folder.join("cited");
    std::fs::copy(env!("CARGO_BIN_EXE_cited"), &program).expect("a copy");
    // A debug build is large.
    let _ = Command::new("strip").arg(&program).status();
    let script = Path::new(ROOT).join("deploy/packages/build.py").display().to_string();
    run("python3", &[&script, "cited", "--target", &target, "--out", "dist"], folder)?;
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder.join("dist")).ok()?.map(|file| file.expect("a file").path()).collect();
    files.sort();
    Some(files)
}

fn ending<'a>(files: &'a [PathBuf], ending: &str) -> &'a str {
    let file = files.iter().rfind(|file| file.to_string_lossy().ends_with(ending));
    file.and_then(|file| file.to_str()).unwrap_or_else(|| panic!("no {ending} in {files:?}"))
}

#[test]
#[cfg(target_os = "linux")]
fn each_package_installs_the_program() {
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path();
    let Some(files) = packages(folder) else {
        println!("skipped: Python is not installed");
        return;
    };
    let version = format!("cited {}\n", env!("CARGO_PKG_VERSION"));
    let says = |program: PathBuf| assert_eq!(run(program, &["--version"], folder).as_deref(), Some(version.as_str()));
    // The archive, by its checksum.
    let dist = folder.join("dist");
    run("sha256sum", &["-c", ending(&files, ".sha256")], &dist);
    run("tar", &["xzf", ending(&files, "-gnu.tar.gz")], folder);
    says(folder.join(format!(
        "cited-{}-{}-unknown-linux-gnu/cited",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH
    )));
    if Command::new("python3")
        .args(["-m", "venv", "env"])
        .current_dir(folder)
        .status()
        .is_ok_and(|status| status.success())
    {
        let wheel = ending(&files, ".whl");
        run(
            folder.join("env/bin/pip"),
            &["install", "--quiet", "--no-index", "--disable-pip-version-check", wheel],
            folder,
        );
        says(folder.join("env/bin/cited"));
        assert!(folder.join("env/share/man/man1/cited-verify.1").is_file());
    } else {
        println!("skipped: python3 -m venv is not there");
    }
    let main = format!("dist/cited-{}.tgz", env!("CARGO_PKG_VERSION"));
    let own = files
        .iter()
        .find(|file| file.to_string_lossy().contains("cited-linux-"))
        .expect("the package of this platform");
    let arguments = ["install", "--offline", "--no-audit", "--no-fund", "--omit=optional", "--prefix", "node"];
    if run("npm", &["--version"], folder).is_some() {
        let own = format!("./dist/{}", own.file_name().and_then(|name| name.to_str()).expect("a name"));
        run("npm", &[&arguments[..], &[&own, &format!("./{main}")]].concat(), folder);
        says(folder.join("node/node_modules/.bin/cited"));
    } else {
        println!("skipped: npm is not installed");
    }
    if run("dpkg-deb", &["-x", ending(&files, ".deb"), "deb"], folder).is_some() {
        says(folder.join("deb/usr/bin/cited"));
        let fields =
            run("dpkg-deb", &["-f", ending(&files, ".deb"), "Package", "Version"], folder).expect("it is there");
        assert_eq!(fields, format!("Package: cited\nVersion: {}\n", env!("CARGO_PKG_VERSION")));
        assert!(folder.join("deb/usr/share/bash-completion/completions/cited").is_file());
    } else {
        println!("skipped: dpkg-deb is not installed");
    }
}

/// The workflow of a release, the one that `deploy` has for an audit, and the action.
#[test]
fn the_workflows_pass_a_linter() {
    let Some(linter) = std::env::var_os("CITED_ZIZMOR") else {
        println!("skipped: zizmor is not installed; `bash .ci/test` installs it");
        return;
    };
    let lint = |files: &[&str]| {
        let options = ["--offline", "--no-progress", "--config", ".github/zizmor.yml"];
        let output = Command::new(&linter).args(options).args(files).current_dir(ROOT).output().expect("it starts");
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (passes, told) = lint(&[".github/workflows/release.yml", "deploy/github-audit.yml", "action.yml"]);
    assert!(passes, "{told}");
    // It looks at what it is given.
    let folder = tempfile::tempdir().expect("a folder");
    let bad = folder.path().join("bad.yml");
    std::fs::write(&bad, "on: issues\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ github.event.issue.title }}\n").expect("a file");
    let (passes, told) = lint(&[&bad.display().to_string()]);
    assert!(!passes && told.contains("template-injection"), "{told}");
}
