#!/usr/bin/env python3
"""Writes what tells programs about a release, from the files that lie in its folder.

    describe.py manifest VERSION FOLDER       manifest.json, which `kapstan self update` reads
    describe.py provenance VERSION FOLDER     kapstan-VERSION.intoto.jsonl: an in-toto statement with SLSA provenance
    describe.py packages VERSION FOLDER       kapstan.rb for Homebrew, kapstan.json for Scoop, from dist/templates
    describe.py installers VERSION FOLDER KEY...   install.sh and install.ps1 with the version, the keys and the checksums

Needs the archives in FOLDER; provenance needs Git's records as well.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

DIST = Path(__file__).resolve().parents[1]
SOURCE = "https://github.com/kapstan/kapstan"


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def archives(version: str, folder: Path) -> dict:
    """The archives of the release by target."""
    found = {}
    for path in sorted(folder.iterdir()):
        match = re.fullmatch(rf"kapstan-{re.escape(version)}-(.+?)\.(?:tar\.gz|zip)", path.name)
        if match and not match[1].endswith("-airgap"):
            found[match[1]] = path
    if not found:
        sys.exit(f"describe.py: no archive of {version} in {folder}")
    return found


def manifest(version: str, folder: Path) -> None:
    assets = [{"name": path.name, "url": path.name, "digest": "sha256:" + sha256(path)} for path in archives(version, folder).values()]
    document = {"schema": 1, "releases": [{"version": version, "assets": assets}]}
    (folder / "manifest.json").write_text(json.dumps(document, indent=2) + "\n")


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=DIST.parent, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def provenance(version: str, folder: Path) -> None:
    """Who built what from what. The statement is covered by the signature of SHA256SUMS, as every file of a release."""
    targets = archives(version, folder)
    environment = os.environ
    if environment.get("GITHUB_ACTIONS") == "true":
        server = environment["GITHUB_SERVER_URL"]
        builder = f"{server}/{environment['GITHUB_WORKFLOW_REF']}"
        invocation = f"{server}/{environment['GITHUB_REPOSITORY']}/actions/runs/{environment['GITHUB_RUN_ID']}/attempts/{environment['GITHUB_RUN_ATTEMPT']}"
    else:
        builder, invocation = f"{SOURCE}/blob/main/dist/release", None
    inputs = [{"uri": f"git+{SOURCE}", "digest": {"gitCommit": git("rev-parse", "HEAD")}}]
    for name in ("Cargo.lock", "rust-toolchain.toml", "cross/build"):
        inputs.append({"uri": f"{SOURCE}/{name}", "digest": {"sha256": sha256(DIST.parent / name)}})
    details = {"builder": {"id": builder}}
    if invocation:
        details["metadata"] = {"invocationId": invocation}
    statement = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": path.name, "digest": {"sha256": sha256(path)}} for path in targets.values()],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": f"{SOURCE}/blob/main/docs/releasing.md",
                "externalParameters": {"version": version, "targets": list(targets)},
                "internalParameters": {"profile": "dist", "SOURCE_DATE_EPOCH": environment.get("SOURCE_DATE_EPOCH", "0")},
                "resolvedDependencies": inputs,
            },
            "runDetails": details,
        },
    }
    (folder / f"kapstan-{version}.intoto.jsonl").write_text(json.dumps(statement, separators=(",", ":")) + "\n")


def packages(version: str, folder: Path) -> None:
    sums = {target: sha256(path) for target, path in archives(version, folder).items()}
    (folder / "kapstan.rb").write_text(homebrew(version, sums))
    (folder / "kapstan.json").write_text(scoop(version, sums))


def homebrew(version: str, sums: dict) -> str:
    """The formula; what stands between `# if TARGET` and `# end` is kept for targets of the release."""
    lines, keep = [], True
    for line in (DIST / "templates/kapstan.rb").read_text().splitlines():
        word = line.strip()
        if word.startswith("# if "):
            keep = word.removeprefix("# if ") in sums
        elif word == "# end":
            keep = True
        elif keep:
            lines.append(re.sub(r"@SHA256 (\S+)@", lambda match: sums[match[1]], line.replace("@VERSION@", version)))
    return "\n".join(lines) + "\n"


def scoop(version: str, sums: dict) -> str:
    """The manifest of Scoop, with the architectures of the release."""
    document = json.loads((DIST / "templates/kapstan.json").read_text().replace("@VERSION@", version))
    for name, entry in list(document["architecture"].items()):
        target = entry["hash"]
        if target in sums:
            entry["hash"] = sums[target]
        else:
            del document["architecture"][name], document["autoupdate"]["architecture"][name]
    return json.dumps(document, indent=4) + "\n"


def installers(version: str, folder: Path, keys: list) -> None:
    sums = "\n".join(f"{sha256(path)}  {path.name}" for path in archives(version, folder).values())
    values = {"version": version, "keys": "\n".join(keys), "sums": sums}
    for name, variable in (("install.sh", "release_{}={}\n"), ("install.ps1", "$Release_{} = {}\n")):
        text = (DIST / name).read_text()
        for what, value in values.items():
            empty = variable.format(what, "''")
            if text.count(empty) != 1:
                sys.exit(f"describe.py: dist/{name} does not say {empty.strip()} once")
            text = text.replace(empty, variable.format(what, f"'{value}'"))
        (folder / name).write_text(text)
    (folder / "install.sh").chmod(0o755)


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[1] not in ("manifest", "provenance", "packages", "installers"):
        sys.exit(__doc__)
    action, version, folder, *rest = sys.argv[1:]
    if action == "installers":
        installers(version, Path(folder), rest)
    else:
        {"manifest": manifest, "provenance": provenance, "packages": packages}[action](version, Path(folder))
