#!/usr/bin/env python3
"""Packs a built cited for one platform: an archive with its checksum, a Python wheel, two npm packages, a Debian package.

    deploy/packages/build.py target/release/cited --target x86_64-unknown-linux-gnu --out dist

The version is that of Cargo.toml. Each package carries the program, its manual pages and its completions; nothing is downloaded when it is
installed. Only the standard library of Python is needed; the same input gives the same bytes.
"""

import argparse
import base64
import gzip
import hashlib
import io
import json
import re
import subprocess
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# 1 January 2020: zip knows no time before 1980.
EPOCH = 1577836800
SUMMARY = "Checks whether the sources of a document say what it claims, and repairs its citations"
# Rust's name of a platform, and how wheels, npm and Debian call it.
TARGETS = {
    "x86_64-unknown-linux-gnu": ("manylinux_2_36_x86_64", "linux", "x64", "amd64"),
    "aarch64-unknown-linux-gnu": ("manylinux_2_36_aarch64", "linux", "arm64", "arm64"),
    "x86_64-unknown-linux-musl": ("musllinux_1_2_x86_64", "linux-musl", "x64", None),
    "x86_64-apple-darwin": ("macosx_10_12_x86_64", "darwin", "x64", None),
    "aarch64-apple-darwin": ("macosx_11_0_arm64", "darwin", "arm64", None),
    "x86_64-pc-windows-msvc": ("win_amd64", "win32", "x64", None),
}


def version():
    return re.search(r'(?m)^version = "([^"]+)"', (ROOT / "Cargo.toml").read_text()).group(1)


def tar(files):
    """A gzipped tar of `(name, bytes, mode)`."""
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=6, mtime=EPOCH) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for name, data, mode in files:
            member = tarfile.TarInfo(name)
            member.size, member.mode, member.mtime = len(data), mode, EPOCH
            archive.addfile(member, io.BytesIO(data))
    return out.getvalue()


def extras(program):
    """Manual pages and completions, as the program itself writes them: `(kind, name, bytes)`."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "man", "--dir", folder], check=True, stdout=subprocess.DEVNULL)
        pages = [("man", page.name, page.read_bytes()) for page in sorted(Path(folder).iterdir())]
    shells = {"bash": "cited.bash", "zsh": "_cited", "fish": "cited.fish"}
    said = lambda shell: subprocess.run([program, "completions", shell], check=True, capture_output=True).stdout
    return pages + [(shell, name, said(shell)) for shell, name in shells.items()]


def archive(out, target, program, name, more):
    top = f"cited-{version()}-{target}"
    texts = [(f"{top}/{text}", (ROOT / text).read_bytes(), 0o644) for text in ("README.md", "LICENSE-MIT", "LICENSE-APACHE")]
    rest = [(f"{top}/{'man' if kind == 'man' else 'completions'}/{file}", data, 0o644) for kind, file, data in more]
    packed = tar([(f"{top}/{name}", program, 0o755), *texts, *rest])
    (out / f"{top}.tar.gz").write_bytes(packed)
    (out / f"{top}.tar.gz.sha256").write_text(f"{hashlib.sha256(packed).hexdigest()}  {top}.tar.gz\n")


def wheel(out, tag, program, name, more):
    """A wheel whose only content is a script that is a program (PEP 427, PEP 491)."""
    info, data = f"cited-{version()}.dist-info", f"cited-{version()}.data"
    metadata = (
        f"Metadata-Version: 2.1\nName: cited\nVersion: {version()}\nSummary: {SUMMARY}\nLicense: MIT OR Apache-2.0\n"
        f"Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n{(ROOT / 'README.md').read_text()}"
    )
    pages = [(f"{data}/data/share/man/man1/{file}", page, 0o644) for kind, file, page in more if kind == "man"]
    files = [
        (f"{data}/scripts/{name}", program, 0o755),
        *pages,
        (f"{info}/METADATA", metadata.encode(), 0o644),
        (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: cited\nRoot-Is-Purelib: false\nTag: py3-none-{tag}\n".encode(), 0o644),
    ]
    digest = lambda content: base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    record = "".join(f"{path},sha256={digest(content)},{len(content)}\n" for path, content, _ in files)
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode(), 0o644))
    with zipfile.ZipFile(out / f"cited-{version()}-py3-none-{tag}.whl", "w", zipfile.ZIP_DEFLATED) as packed:
        for path, content, mode in files:
            member = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
            member.external_attr, member.compress_type = (0o100000 | mode) << 16, zipfile.ZIP_DEFLATED
            packed.writestr(member, content)


def npm(out, system, cpu, program, name):
    """The package of this platform, and the one that people install: it takes that of their platform along and runs its program."""
    about = {"version": version(), "description": SUMMARY, "license": "MIT OR Apache-2.0"}
    system, _, libc = system.partition("-")
    own = f"cited-{system}-{cpu}{'-' + libc if libc else ''}"
    manifest = {"name": own, **about, "os": [system], "cpu": [cpu], "files": [name]}
    if system == "linux":
        manifest["libc"] = [libc or "glibc"]
    package = lambda manifest: ("package/package.json", (json.dumps(manifest, indent=2) + "\n").encode(), 0o644)
    (out / f"{own}-{version()}.tgz").write_bytes(tar([package(manifest), (f"package/{name}", program, 0o755)]))
    names = [f"cited-{s.partition('-')[0]}-{c}{'-' + s.partition('-')[2] if '-' in s else ''}" for _, s, c, _ in TARGETS.values()]
    manifest = {"name": "cited", **about, "bin": {"cited": "cited.js"}, "optionalDependencies": {name: version() for name in names}}
    script = (ROOT / "deploy/packages/cited.js").read_bytes()
    (out / f"cited-{version()}.tgz").write_bytes(tar([package(manifest), ("package/cited.js", script, 0o755)]))


def debian(out, machine, program, more):
    """A package of three members in an `ar` archive (deb(5))."""
    places = {"man": "share/man/man1", "bash": "share/bash-completion/completions", "zsh": "share/zsh/vendor-completions", "fish": "share/fish/vendor_completions.d"}
    packed = lambda kind, file, data: (f"./usr/{places[kind]}/{file}.gz", gzip.compress(data, mtime=EPOCH), 0o644) if kind == "man" else (f"./usr/{places[kind]}/{'cited' if kind == 'bash' else file}", data, 0o644)
    rest = [packed(*one) for one in more]
    licence = ("./usr/share/doc/cited/copyright", (ROOT / "LICENSE-MIT").read_bytes(), 0o644)
    size = sum(len(data) for _, data, _ in rest) + len(program)
    control = (
        f"Package: cited\nVersion: {version()}\nArchitecture: {machine}\nMaintainer: the authors of cited <cited@localhost>\n"
        f"Installed-Size: {-(-size // 1024)}\nDepends: libc6, libgcc-s1, ca-certificates\nSection: text\nPriority: optional\nDescription: {SUMMARY}\n"
    )
    members = [
        ("debian-binary", b"2.0\n"),
        ("control.tar.gz", tar([("./control", control.encode(), 0o644)])),
        ("data.tar.gz", tar([("./usr/bin/cited", program, 0o755), licence, *rest])),
    ]
    body = b"!<arch>\n"
    for name, data in members:
        body += f"{name:<16}{EPOCH:<12}{0:<6}{0:<6}{100644:<8}{len(data):<10}`\n".encode() + data + b"\n" * (len(data) % 2)
    (out / f"cited_{version()}_{machine}.deb").write_bytes(body)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program", type=Path, help="the program that was built")
    arguments.add_argument("--target", choices=TARGETS, required=True, help="the platform that it was built for")
    arguments.add_argument("--out", type=Path, default=Path("dist"), help="the folder for the packages")
    given = arguments.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    tag, system, cpu, machine = TARGETS[given.target]
    program, name = given.program.read_bytes(), "cited.exe" if system == "win32" else "cited"
    more = extras(given.program.resolve())
    archive(given.out, given.target, program, name, more)
    wheel(given.out, tag, program, name, more)
    npm(given.out, system, cpu, program, name)
    if machine:
        debian(given.out, machine, program, more)


if __name__ == "__main__":
    main()
