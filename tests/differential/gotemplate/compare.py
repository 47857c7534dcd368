#!/usr/bin/env python3
"""Compares kapstan's Go templates with Go's: results and error texts, byte for byte.

    (cd oracle && go build -o ../oracle.bin .)
    cargo build -p kapstan-gotemplate --example execute
    generate.py 20000 1 >cases
    compare.py cases oracle.bin target/debug/examples/execute

Prints what differs, and fails when something does.
"""

import json
import re
import subprocess
import sys


def answers(program, path):
    with open(path, "rb") as cases:
        done = subprocess.run([program], stdin=cases, stdout=subprocess.PIPE, check=True, timeout=120)
    for line in done.stdout.decode().splitlines():
        kind, _, text = line.partition(" ")
        yield kind, bytes.fromhex(text)


def normal(answer):
    """Without what differs from run to run in Go itself: addresses."""
    kind, text = answer
    return kind, re.sub(rb"0[xX]?[cC]0[0-9a-fA-F]{8}|%!?p?c0[0-9a-f]{8}|824[0-9]{9}", b"ADDRESS", text)


def main():
    path, peer, own = sys.argv[1:4]
    with open(path) as cases:
        requests = [json.loads(line) for line in cases]
    total = different = errors = 0
    for request, theirs, ours in zip(requests, answers(peer, path), answers(own, path), strict=True):
        total += 1
        errors += theirs[0] == "error"
        if normal(theirs) == normal(ours):
            continue
        different += 1
        if different <= 40:
            print("template:", repr(request["template"]), "defines:", repr(request["defines"]), request["missing"])
            print("  go:     ", *theirs)
            print("  kapstan:", *ours)
    print(f"{total} templates, {errors} of them errors, {different} different")
    sys.exit(different > 0)


main()
