"""Compares what kapstan loads from YAML (or JSON) with what PyYAML inside Kapitan (or Python's json) loads.

Usage: compare.py [--json] [--all] [--seed N] [--count N] [--program PATH] [FILE...]

Run it with a Python that has Kapitan installed. Texts are made from the seed; files are added as they are and with seeded
mutations. The program is an example of kapstan-document, built beforehand:

    cargo build --release -p kapstan-document --examples

Every difference in value, error text, line or column is printed; the exit status tells whether there was one. What
contains itself is left out: kapstan refuses it, PyYAML builds it.
"""

import argparse
import json
import random
import subprocess
import sys
import threading

SCALARS = (
    "0 1 7 8 9 00 12 60 59 5 a e E x o b _ __ - + . : :0 :30 0b 0o 0x e+3 E-2 .inf .Inf .nan .NaN 2001 -12 -14 T t Z z "
    "01:02:03 +05:30 yes No TRUE on off null ~ y n << = f true é ٣ inf e5 2020-02-30 10:20 0.5 .5 1. !"
).split() + [" ", "\t", " -5"]
SCALAR_TAGS = [""] * 8 + [
    f"{tag} " for tag in "!!int !!float !!bool !!null !!str !!timestamp !!binary ! !!merge !!value".split()
]
ATOMS = ["a", "b", "c", "k", "12", "yes"] * 8 + [
    "1", "1.0", "true", "~", "x y", "'1'", '"q"', "2020-01-01", "<<", "=", "!!str 1", "!!binary aGk=", "! '1'",
    "!!int x", "!x z", "2020-13-01", "!!set {a, b}", "!!omap [a: 1, b: 2]", "!!omap [a]", "!!pairs [a: 1, a: 2]",
    "!!pairs [{a: 1, b: 2}]", "!!str [a]", "!!str {=: v}", "!!map a", "!!seq {a: b}", "!!int {=: 12}", "!!null ''",
]  # fmt: skip
FRAGMENTS = [
    "- ", "? ", ": ", "a: ", "&a ", "*a", "<<: ", "!!str ", "!!set ", "!x ", "[", "]", "{", "}", ",", "\n", "  ", "'",
    '"', "|", ">", "#", "---\n", "...\n", "\t", "%YAML 1.1\n", "1", "true", "2020-01-01", "=", "!!omap ", "! ",
]  # fmt: skip
JSON_PARTS = [
    "{", "}", "[", "]", ",", ":", '"a"', '"b"', '"', "\\", "\\u", "\\u00e9", "\\ud83d\\ude00", "00", "1", "-", "0", ".",
    "e", "E+", "1.5", "1e5", "null", "true", "NaN", "-Infinity", " ", "\n", "é", "\x01", "\\n", "\\x", '"k": ', "[1]",
]  # fmt: skip


def scalar_text(rng):
    word = "".join(rng.choice(SCALARS) for _ in range(rng.choice([1, 1, 2, 2, 3, 3, 4, 5, 6])))
    tag = rng.choice(SCALAR_TAGS)
    return rng.choice([f"{tag}{word}", f"{tag}{word}", f"k: {tag}{word}", f"- {word}", f"{tag}'{word}'", f"{tag}{word}: 1"])


class Documents:
    """Documents with anchors, aliases, merge keys and tags."""

    def __init__(self, rng):
        self.rng = rng

    def text(self):
        self.unused, self.budget = list("ABCD"), 30
        nodes = [self.node(3) for _ in range(self.rng.randint(1, 4))]
        if self.rng.random() < 0.4:
            return "\n".join(f"- {node}" for node in nodes)
        return "\n".join(f"{self.rng.choice(['a', 'b', 'c', '<<'])}: {node}" for node in nodes)

    def node(self, depth):
        rng = self.rng
        self.budget -= 1
        if rng.random() < 0.12 and len(self.unused) < 4:
            return f"*{rng.choice([name for name in 'ABCD' if name not in self.unused])} "
        anchor = f"&{self.unused.pop(0)} " if self.unused and rng.random() < 0.2 else ""
        if depth == 0 or self.budget < 0 or rng.random() < 0.4:
            return anchor + rng.choice(ATOMS)
        if rng.random() < 0.35:
            tag = rng.choice([""] * 6 + ["!!seq ", "!!omap ", "!!set "])
            return f"{anchor}{tag}[{', '.join(self.node(depth - 1) for _ in range(rng.randint(0, 3)))}]"
        tag = rng.choice([""] * 8 + ["!!map ", "!!set ", "!x "])
        return f"{anchor}{tag}{{{', '.join(self.entry(depth) for _ in range(rng.randint(0, 4)))}}}"

    def entry(self, depth):
        key = self.rng.choice(["<<", "<<", "=", "? [a]"] + ATOMS[:60])
        return f"{key} : {self.node(depth - 1)}"


def mutated(rng, text, others):
    data = bytearray(text)
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(data))
        kind = rng.random()
        if kind < 0.4:
            data[at:at] = rng.choice(FRAGMENTS).encode()
        elif kind < 0.7:
            del data[at : at + rng.randint(1, 4)]
        else:
            other = rng.choice(others)
            start = rng.randint(0, len(other))
            data[at:at] = other[start : start + rng.randint(1, 20)]
    return bytes(data)


def texts(options):
    rng = random.Random(options.seed)
    if options.json:
        for _ in range(options.count):
            yield "".join(rng.choice(JSON_PARTS) for _ in range(rng.randint(1, 8))).encode()
        return
    documents = Documents(rng)
    for _ in range(options.count):
        yield (scalar_text(rng) if rng.random() < 0.6 else documents.text()).encode()
    files = [open(path, "rb").read() for path in options.files]
    yield from files
    for _ in range(options.count if files else 0):
        yield mutated(rng, rng.choice(files), files)


class OrderedSet(dict):
    __hash__ = None


def shown(value, above=()):
    """As repr(), with sets in the order of the text and tuples as lists."""
    if id(value) in above:
        raise RecursionError
    inside = above + (id(value),)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(shown(item, inside) for item in value) + "]"
    if isinstance(value, OrderedSet):
        return "{" + ", ".join(map(repr, value)) + "}" if value else "set()"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {shown(item, inside)}" for key, item in value.items()) + "}"
    return repr(value)


def kapitan_loader():
    import kapitan.cli  # noqa: F401  Its imports change the loader.
    from kapitan.utils import YamlLoader

    class Loader(YamlLoader):
        pass

    def construct_set(self, node):
        members = OrderedSet()
        yield members
        members.update(self.construct_mapping(node))

    Loader.add_constructor("tag:yaml.org,2002:set", construct_set)
    return Loader


def expected(text, options, loader):
    if options.json:
        try:
            return "=" + shown(json.loads(text.decode()))
        except Exception as error:
            return "!" + repr(str(error))
    import yaml

    try:
        load = (lambda text: list(yaml.load_all(text, loader))) if options.all else lambda text: yaml.load(text, loader)
        return "=" + shown(load(text))
    except yaml.YAMLError as error:
        return "!" + repr(str(error))
    except RecursionError:
        return None
    except Exception as error:
        return "!" + repr(f"{type(error).__name__}: {error}")


def run(options):
    inputs = list(texts(options))
    framed = b"".join(b"%d\n" % len(text) + text for text in inputs)
    command = [options.program] + (["--all"] if options.all else [])
    answers = subprocess.run(command, input=framed, stdout=subprocess.PIPE, check=True).stdout.decode().split("\n")
    loader = None if options.json else kapitan_loader()
    differences = 0
    for text, answer in zip(inputs, answers, strict=False):
        wanted = expected(text, options, loader)
        if wanted is not None and wanted != answer and "itself" not in answer:
            differences += 1
            print(f"{text!r}\n  expected {wanted}\n  found    {answer}")
    print(f"{len(inputs)} texts, {differences} differences")
    return differences


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--program")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    name = "load_json_repr" if options.json else "load_repr"
    options.program = options.program or f"target/release/examples/{name}"
    sys.setrecursionlimit(100_000)
    threading.stack_size(512 << 20)
    outcome = []
    worker = threading.Thread(target=lambda: outcome.append(run(options)))
    worker.start()
    worker.join()
    sys.exit(1 if outcome != [0] else 0)


if __name__ == "__main__":
    main()
