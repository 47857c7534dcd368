#!/usr/bin/env python3
"""Writes the container image of a release, without a container engine.

    image.py --version V --output IMAGE.tar [--layout FOLDER] ARCHITECTURE=BINARY...

ARCHITECTURE is amd64, 386 or arm64. The image is FROM scratch: /kapstan (the entrypoint), /tmp and /work (the working
folder), nothing else; it runs as 65532. The tar is an OCI image layout and a docker-archive at once, so that `docker load`,
`podman load` and `skopeo copy oci-archive:` take it; docker-archive knows one platform, and gets the first one named.
dist/image/Dockerfile says the same for a builder. The same binaries and SOURCE_DATE_EPOCH give the same bytes.
"""

import argparse
import hashlib
import json
import time
from pathlib import Path

import pack

USER = 65532
SOURCE = "https://github.com/kapstan/kapstan"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
INDEX = "application/vnd.oci.image.index.v1+json"
CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"


def as_json(value) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


class Layout:
    """The files of an OCI image layout, by path."""

    def __init__(self):
        self.files = {"oci-layout": as_json({"imageLayoutVersion": "1.0.0"})}

    def blob(self, media_type: str, content: bytes) -> dict:
        """Adds a blob and returns its descriptor."""
        digest = hashlib.sha256(content).hexdigest()
        self.files[f"blobs/sha256/{digest}"] = content
        return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(content)}

    def write_folder(self, folder: Path) -> None:
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def write_tar(self, output: Path) -> None:
        members = [(name, 0o644, 0, content) for name, content in sorted(self.files.items())]
        output.write_bytes(pack.tar(members, pack.epoch()))


def labels(version: str) -> dict:
    return {
        "org.opencontainers.image.title": "kapstan",
        "org.opencontainers.image.description": "Turns configuration sources into checked Kubernetes manifests.",
        "org.opencontainers.image.licenses": "Apache-2.0",
        "org.opencontainers.image.source": SOURCE,
        "org.opencontainers.image.version": version,
    }


def add_platform(layout: Layout, version: str, architecture: str, binary: Path):
    """Adds the image of one platform; returns the descriptors of its manifest, its config and its layer."""
    date = pack.epoch()
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(date))
    root = pack.tar(
        [
            ("kapstan", 0o755, 0, binary.read_bytes()),
            ("tmp", 0o1777, 0, None),
            ("work", 0o777, 0, None),
        ],
        date,
    )
    layer = layout.blob(LAYER, pack.gzip(root))
    config = layout.blob(
        CONFIG,
        as_json(
            {
                "architecture": architecture,
                "os": "linux",
                "created": created,
                "config": {
                    "Entrypoint": ["/kapstan"],
                    "Env": ["HOME=/tmp", "PATH=/"],
                    "Labels": labels(version),
                    "User": f"{USER}:{USER}",
                    "WorkingDir": "/work",
                },
                "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(root).hexdigest()]},
                "history": [{"created": created, "created_by": "dist/make/image.py"}],
            }
        ),
    )
    manifest = layout.blob(
        MANIFEST, as_json({"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [layer]})
    )
    return {**manifest, "platform": {"os": "linux", "architecture": architecture}}, config, layer


def build(version: str, binaries: dict) -> Layout:
    layout = Layout()
    platforms = [add_platform(layout, version, name, path) for name, path in binaries.items()]
    index = layout.blob(
        INDEX, as_json({"schemaVersion": 2, "mediaType": INDEX, "manifests": [manifest for manifest, _, _ in platforms]})
    )
    named = {**index, "annotations": {"org.opencontainers.image.ref.name": version}}
    layout.files["index.json"] = as_json({"schemaVersion": 2, "mediaType": INDEX, "manifests": [named]})
    _, config, layer = platforms[0]
    path = lambda descriptor: "blobs/sha256/" + descriptor["digest"].removeprefix("sha256:")
    layout.files["manifest.json"] = as_json(
        [{"Config": path(config), "Layers": [path(layer)], "RepoTags": [f"ghcr.io/kapstan/kapstan:{version}"]}]
    )
    return layout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", required=True)
    parser.add_argument("--output", required=True, type=Path)
    parser.add_argument("--layout", type=Path)
    parser.add_argument("binaries", nargs="+", metavar="ARCHITECTURE=BINARY")
    arguments = parser.parse_args()
    binaries = {}
    for binary in arguments.binaries:
        architecture, _, path = binary.partition("=")
        if architecture not in ("amd64", "386", "arm64"):
            parser.error(f"no architecture `{architecture}`")
        binaries[architecture] = Path(path)
    layout = build(arguments.version, binaries)
    layout.write_tar(arguments.output)
    if arguments.layout:
        layout.write_folder(arguments.layout)


if __name__ == "__main__":
    main()
