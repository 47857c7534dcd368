#!/usr/bin/env python3
"""Packs a folder into an archive whose bytes depend on the files alone.

    pack.py OUTPUT FOLDER        OUTPUT ends in .tar.gz or .zip

Members are the files of FOLDER with their paths in it, sorted, owned by 0, dated SOURCE_DATE_EPOCH (0 without it), readable
by everyone, executable if the file is.
"""

import io
import os
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path


def epoch() -> int:
    """The date of everything: SOURCE_DATE_EPOCH, or 1970."""
    return int(os.environ.get("SOURCE_DATE_EPOCH", "0"))


def tar(members, date: int) -> bytes:
    """A ustar archive of (name, mode, owner, bytes); bytes of None make a folder."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, mode, owner, content in members:
            entry = tarfile.TarInfo(name)
            entry.mode, entry.uid, entry.gid, entry.mtime = mode, owner, owner, date
            if content is None:
                entry.type = tarfile.DIRTYPE
                archive.addfile(entry)
            else:
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def gzip(content: bytes) -> bytes:
    """The gzip program's bytes, which do not change with the zlib that Python was built with."""
    return subprocess.run(["gzip", "-n", "-9"], input=content, stdout=subprocess.PIPE, check=True).stdout


def zip_(members, date: int) -> bytes:
    """A zip archive of (name, mode, owner, bytes). The format's years begin in 1980."""
    stamp = time.gmtime(max(date, 315532800))[:6]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, mode, _, content in members:
            entry = zipfile.ZipInfo(name, stamp)
            entry.create_system, entry.compress_type = 3, zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, content)
    return buffer.getvalue()


def members_of(folder: Path):
    files = sorted((path for path in folder.rglob("*") if path.is_file()), key=lambda path: path.relative_to(folder).as_posix())
    for path in files:
        mode = 0o755 if os.access(path, os.X_OK) else 0o644
        yield path.relative_to(folder).as_posix(), mode, 0, path.read_bytes()


def main(output: str, folder: str) -> None:
    members = list(members_of(Path(folder)))
    if not members:
        sys.exit(f"pack.py: nothing in {folder}")
    content = zip_(members, epoch()) if output.endswith(".zip") else gzip(tar(members, epoch()))
    Path(output).write_bytes(content)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: pack.py OUTPUT FOLDER")
    main(sys.argv[1], sys.argv[2])
