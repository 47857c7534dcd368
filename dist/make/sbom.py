#!/usr/bin/env python3
"""Writes the bill of materials of a release: CycloneDX 1.5, from Cargo's own records.

    sbom.py VERSION OUTPUT

Components are the crates that the program is compiled from, on any platform: what `cargo metadata --locked` reaches from
package `kapstan` by normal and build dependencies. Checksums of crates are those of Cargo.lock. The same commit gives the
same bytes.
"""

import json
import subprocess
import sys
import time
import tomllib
import uuid
from pathlib import Path

import pack

ROOT = Path(__file__).resolve().parents[2]


def metadata() -> dict:
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    return json.loads(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout)


def checksums() -> dict:
    """SHA-256 by name and version, for crates from a registry."""
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())
    return {(crate["name"], crate["version"]): crate["checksum"] for crate in lock["package"] if "checksum" in crate}


def dependencies(node: dict) -> list:
    """What is compiled into the node, or runs to build it; not what only its tests use."""
    shipped = lambda dependency: any(kind["kind"] != "dev" for kind in dependency["dep_kinds"])
    return sorted({dependency["pkg"] for dependency in node["deps"] if shipped(dependency)})


def reached(nodes: dict, start: str) -> list:
    seen, open_ = {start}, [start]
    while open_:
        for dependency in dependencies(nodes[open_.pop()]):
            if dependency not in seen:
                seen.add(dependency)
                open_.append(dependency)
    return sorted(seen)


def purl(package: dict) -> str:
    return f"pkg:cargo/{package['name']}@{package['version']}"


def component(package: dict, sums: dict) -> dict:
    result = {
        "type": "library",
        "bom-ref": purl(package),
        "name": package["name"],
        "version": package["version"],
        "scope": "required",
        "purl": purl(package),
    }
    if package.get("description"):
        result["description"] = " ".join(package["description"].split())
    if package.get("license"):
        # Old crates write `/` for OR, which SPDX does not know.
        result["licenses"] = [{"expression": package["license"].replace("/", " OR ").replace("  ", " ")}]
    checksum = sums.get((package["name"], package["version"]))
    if checksum:
        result["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if package.get("repository"):
        result["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return result


def bill(version: str) -> dict:
    known = metadata()
    packages = {package["id"]: package for package in known["packages"]}
    nodes = {node["id"]: node for node in known["resolve"]["nodes"]}
    start = next(id_ for id_ in known["workspace_members"] if packages[id_]["name"] == "kapstan")
    sums = checksums()
    members = reached(nodes, start)
    program = component(packages[start], sums) | {"type": "application", "version": version, "bom-ref": "kapstan", "purl": f"pkg:cargo/kapstan@{version}"}
    program.pop("scope")
    reference = lambda id_: "kapstan" if id_ == start else purl(packages[id_])
    result = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(pack.epoch())),
            "component": program,
        },
        "components": sorted((component(packages[id_], sums) for id_ in members if id_ != start), key=lambda c: c["bom-ref"]),
        "dependencies": sorted(
            ({"ref": reference(id_), "dependsOn": sorted(reference(d) for d in dependencies(nodes[id_]))} for id_ in members),
            key=lambda d: d["ref"],
        ),
    }
    content = json.dumps(result, sort_keys=True)
    return {"serialNumber": "urn:uuid:" + str(uuid.uuid5(uuid.NAMESPACE_URL, content))} | result


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: sbom.py VERSION OUTPUT")
    Path(sys.argv[2]).write_text(json.dumps(bill(sys.argv[1]), indent=2, sort_keys=True) + "\n")
