"""Compares kapstan's writers with the Python libraries they follow, on random values.

    cargo build --release -p kapstan-document --example write
    <python of a Kapitan installation> compare_writers.py target/release/examples/write [--seed N] [--strings N] [--trees N] [--length N]

Every way in which Kapitan calls PyYAML, json and toml is tried on strings and trees that are made to be difficult:
blanks and line feeds in all places, words around the width of the line, what looks like something else, characters of
all classes, deep and shared containers. Prints the first differences, and how many there are of each kind.

A request is a line of words and a value: `n`, `t`, `f`, `i<digits>;`, `d<bits>;`, `s<length>;<bytes>`, `b<length>;<bytes>`,
`D<y>;<m>;<d>;`, `T<y>;<m>;<d>;<h>;<m>;<s>;<us>;<minutes or 9999>;`, `l<count>;...`, `m<count>;...`, `S<count>;...`, and
`r<n>;` for the n-th container that was complete before. An answer is `ok` or `error`, a length, and the text.
"""

import argparse
import collections
import datetime
import itertools
import json
import random
import struct
import subprocess
import sys
import threading
import types

import kapitan.cli  # noqa: F401  (loads what registers resolvers globally)
import toml
import yaml
from kapitan import cached
from kapitan.inputs.helm import _helm_str_representer
from kapitan.utils import PrettyDumper, prune_empty


class HelmDumper(yaml.SafeDumper):
    """What kapitan.inputs.helm makes of the safe dumper, without changing that for the others."""


HelmDumper.add_representer(str, _helm_str_representer)

# ---------------------------------------------------------------------------------------------- values

SPECIAL = (
    "\0\x01\x07\x08\t\x0b\x0c\r\x1b\x1f\x7f\x80\x85\xa0\xad\xe9\xff\u0131\u0663\u2028\u2029\u200b\u3000\ud7ff\ue000"
    "\ufeff\ufffd\ufffe\uffff\U00010000\U0001f600\U000e0001\U0010ffff"
)
SIGNS = "#,[]{}&*!|>'\"%@`?:-.=<~+_\\/^$;()0123456789"
WORDS = (
    "yes No TRUE off null ~ on y n 1 0 -1 +1 0x1f 0b10 0o17 017 08 1_000 1.5 1. .5 1e3 1.0e+3 .inf -.INF .nan .NaN 1:30 "
    "190:20:30 1:99 2020-01-01 2020-1-1 2001-12-14T21:59:43.10-05:00 = << --- ... a: b: c #d - -a ? ?a : :a a,b x=y"
).split()


def text(rng):
    """A string: mostly short and difficult, sometimes long enough to be broken."""
    kind = rng.random()
    if kind < 0.2:
        return "".join(rng.choice("ab \n:#-") for _ in range(rng.randint(0, 9)))
    if kind < 0.35:
        return "".join(rng.choice(SIGNS + "abe \n") for _ in range(rng.randint(1, 8)))
    if kind < 0.45:
        return "".join(rng.choice("0123456789-+.:_eEx oTtZ") for _ in range(rng.randint(1, 12)))
    if kind < 0.55:
        return rng.choice(["", " ", "\n", "+", "-"]) + rng.choice(WORDS) + rng.choice(["", "", " ", "\n", ":", "0"])
    if kind < 0.65:
        return "".join(rng.choice(SPECIAL + "aZ0 \n'\"\\") for _ in range(rng.randint(1, 12)))
    if kind < 0.7:
        return chr(rng.choice([rng.randrange(0xD800), rng.randrange(0xE000, 0x110000)])) * rng.randint(1, 3)
    return paragraph(rng)


def paragraph(rng):
    """Words and the blanks between them, of one flavour for the whole string."""
    joints = rng.choice([[" "], [" ", "  "], [" ", "\n"], [" ", "\n", "\n\n"], [" ", "\n "], [" ", " \n", "\t"], [" ", "   ", "\n  "]])
    letters = rng.choice(["x", "x", "x'", 'x"\\', "xé", "x\n", "x:#", "x,\u2028"])
    parts = []
    for _ in range(rng.choice([2, 5, 12, 30])):
        length = rng.choice([0, 1, 2, 5, 8, 20, 60, rng.randint(70, 90), 130])
        parts.append("".join(rng.choice(letters) if rng.random() < 0.2 else "x" for _ in range(length)))
        parts.append(rng.choice(joints))
    if rng.random() < 0.7:
        parts.pop()
    return rng.choice(["", "", "", " ", "\n", "é", "- "]) + "".join(parts) + rng.choice(["", "", "\n", "\n\n", " "])


def key(rng):
    kind = rng.random()
    if kind < 0.5:
        return "".join(rng.choice("abcXYZ_-.") for _ in range(rng.randint(1, 8)))
    if kind < 0.8:
        return text(rng)
    return rng.choice("kK \n'") + "k" * rng.randint(115, 130)


def number(rng):
    return rng.choice(
        [
            rng.randint(-10, 100),
            rng.randint(-(2**70), 2**70),
            rng.random() * 10 ** rng.randint(-12, 25),
            struct.unpack("<d", struct.pack("<Q", rng.getrandbits(64)))[0],
            float(rng.randint(-5, 5)),
            rng.choice([float("inf"), float("-inf"), float("nan"), -0.0, 1e16, 1e-5, 1e22, 123456789012345680.0]),
        ]
    )


def moment(rng):
    day = datetime.date(rng.randint(1, 9999), rng.randint(1, 12), rng.randint(1, 28))
    if rng.random() < 0.4:
        return day
    zone = rng.choice([None, None, datetime.timezone(datetime.timedelta(minutes=rng.randint(-1439, 1439))), datetime.timezone.utc])
    micro = rng.choice([0, 0, rng.randrange(1000000)])
    return datetime.datetime(day.year, day.month, day.day, rng.randrange(24), rng.randrange(60), rng.randrange(60), micro, zone)


def scalar(rng, odd):
    kind = rng.random()
    if kind < 0.6:
        return text(rng)
    if kind < 0.8:
        return number(rng)
    if kind < 0.9 or not odd:
        return rng.choice([None, True, False])
    if kind < 0.96:
        return moment(rng)
    return bytes(rng.randrange(256) for _ in range(rng.choice([0, 1, 5, 56, 57, 58, 200])))


def mapping_key(rng, flavour):
    if flavour == "text":
        return key(rng)
    if flavour == "numbers":
        return rng.choice([rng.randint(-5, 300), rng.random() * 10, rng.choice([True, False]), number(rng)])
    if flavour == "moments":
        return moment(rng)
    return scalar(rng, odd=True)


def tree(rng, depth, odd, shared=None):
    """A value of at most that depth; `odd` admits dates, bytes, sets and keys that are no strings."""
    if shared and rng.random() < 0.25:
        return rng.choice(shared)
    kind = rng.random()
    if depth == 0 or kind < 0.3:
        return scalar(rng, odd)
    count = rng.choice([0, 1, 1, 2, 3, 4, rng.randint(0, 9)])
    if kind < 0.55:
        value = [tree(rng, depth - 1, odd, shared) for _ in range(count)]
    elif kind < 0.95 or not odd:
        flavour = rng.choice(["text"] * 8 + (["numbers", "moments", "mixed"] if odd else []))
        value = {mapping_key(rng, flavour): tree(rng, depth - 1, odd, shared) for _ in range(count)}
    else:
        # The order of a set hangs on hashes where its members cannot be sorted.
        value = {key(rng) for _ in range(count)}
    if shared is not None:
        shared.append(value)
    return value


def deep(rng):
    """A chain of containers around one value, beyond the column where lines are broken."""
    value = scalar(rng, odd=True)
    for _ in range(rng.randint(20, 60)):
        value = rng.choice([lambda v: [v], lambda v: {"k": v}, lambda v: [1, v], lambda v: {key(rng): v, "z": text(rng)}])(value)
    return value


# ---------------------------------------------------------------------------------------------- requests


def encode(value, out, seen):
    if value is None:
        out.append(b"n")
    elif value is True or value is False:
        out.append(b"t" if value else b"f")
    elif isinstance(value, int):
        out.append(b"i%d;" % value)
    elif isinstance(value, float):
        out.append(b"d%d;" % struct.unpack("<Q", struct.pack("<d", value)))
    elif isinstance(value, str):
        data = value.encode()
        out.append(b"s%d;%s" % (len(data), data))
    elif isinstance(value, bytes):
        out.append(b"b%d;%s" % (len(value), value))
    elif isinstance(value, datetime.datetime):
        offset = value.utcoffset()
        minutes = 9999 if offset is None else int(offset.total_seconds() // 60)
        fields = (value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond, minutes)
        out.append(b"T" + b"".join(b"%d;" % field for field in fields))
    elif isinstance(value, datetime.date):
        out.append(b"D%d;%d;%d;" % (value.year, value.month, value.day))
    elif id(value) in seen:
        out.append(b"r%d;" % seen[id(value)])
    else:
        if isinstance(value, list):
            out.append(b"l%d;" % len(value))
            for item in value:
                encode(item, out, seen)
        elif isinstance(value, dict):
            out.append(b"m%d;" % len(value))
            for name, item in value.items():
                encode(name, out, seen)
                encode(item, out, seen)
        else:
            out.append(b"S%d;" % len(value))
            for item in value:
                encode(item, out, seen)
        seen[id(value)] = len(seen)


def answers(program, requests):
    """The status and text for each of the requests, given as words and value."""
    process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def feed():
        for words, value in requests:
            out = [words.encode() + b"\n"]
            encode(value, out, {})
            process.stdin.write(b"".join(out))
        process.stdin.close()

    threading.Thread(target=feed, daemon=True).start()
    for _ in requests:
        header = process.stdout.readline().split()
        if not header:
            raise SystemExit(f"the program ended early, with status {process.wait()}")
        yield header[0].decode(), process.stdout.read(int(header[1])).decode()
    process.wait()


# ---------------------------------------------------------------------------------------------- the peers


class WithoutAliases:
    def ignore_aliases(self, data):
        return True


UNALIASED = {}


def dumper(base, aliases):
    if aliases:
        return base
    return UNALIASED.setdefault(base, type(base.__name__, (WithoutAliases, base), {}))


def peer_yaml(words, value):
    rule, profile, style, indent, *flags = words
    cached.args = types.SimpleNamespace(yaml_dump_null_as_empty="empty" in flags)
    base, settings = {
        "compiled": lambda: (PrettyDumper.get_dumper_for_style(style), {"indent": int(indent)}),
        "inventory": lambda: (PrettyDumper, {"indent": int(indent)}),
        "flat": lambda: (yaml.Dumper, {"indent": int(indent), "width": 10000}),
        "plain": lambda: (yaml.SafeDumper, {}),
        "helm": lambda: (HelmDumper, {}),
        "revealed": lambda: (PrettyDumper, {"explicit_start": True}),
    }[profile]()
    if rule == "documents" and not value:
        return ""
    dump = yaml.dump_all if rule == "documents" and not isinstance(value, dict) else yaml.dump
    return dump(value, Dumper=dumper(base, "aliases" in flags), default_flow_style=False, **settings)


def peer(words, value):
    kind, *rest = words.split()
    if kind == "yaml":
        return peer_yaml(rest, value)
    if kind == "json":
        indent = None if rest[0] == "-" else int(rest[0])
        return json.dumps(value, indent=indent, sort_keys=rest[1] == "sorted")
    if kind == "prune":
        return yaml.dump(prune_empty(value), Dumper=dumper(yaml.SafeDumper, False), default_flow_style=False)
    return toml.dumps(value)


def ways(rng):
    """One of the ways to write, at random."""
    kind = rng.random()
    if kind < 0.5:
        style = rng.choice(["literal", "folded", "double-quotes", "none"])
        words = f"yaml {rng.choice(['document', 'document', 'documents'])} compiled {style} {rng.choice([0, 1, 2, 2, 2, 3, 4, 8, 9, 10])}"
        return words + rng.choice(["", "", " empty"])
    profile = rng.choice(["inventory", "flat", "plain", "helm", "revealed"])
    return f"yaml {rng.choice(['document', 'document', 'documents'])} {profile} none {rng.choice([2, 2, 3, 4, 9])}"


# ---------------------------------------------------------------------------------------------- comparison


def short_strings(length):
    """Every string of up to that length from the characters that decide most."""
    for count in range(length + 1):
        yield from map("".join, itertools.product("a :#-'\n", repeat=count))


def plan(rng, strings, trees, length):
    """All the requests."""
    short = list(short_strings(length))
    for begin in range(0, len(short), 50):
        some = short[begin : begin + 50]
        for style in ("literal", "folded", "double-quotes", "none"):
            yield f"yaml document compiled {style} 2", {f"k{n}": item for n, item in enumerate(some)}
            yield f"yaml document compiled {style} 4", [dict.fromkeys(some, [1])]
    for _ in range(strings // 20):
        words = ways(rng)
        values = [text(rng) for _ in range(10)]
        yield words, {f"k{n}": item for n, item in enumerate(values)} | {text(rng): n for n in range(10)}
    for _ in range(strings // 200):
        yield "json 2 sorted", {text(rng): text(rng) for _ in range(10)}
    for _ in range(strings // 20):
        yield "toml", {text(rng): text(rng) for _ in range(2)}
    for _ in range(trees):
        yield ways(rng), tree(rng, rng.randint(1, 5), odd=True)
        yield ways(rng), [tree(rng, 3, odd=True) for _ in range(rng.randint(0, 4))]
        yield ways(rng) + " aliases", tree(rng, 5, odd=True, shared=[])
    for _ in range(trees // 20):
        yield ways(rng), deep(rng)
    for _ in range(trees):
        odd = rng.random() < 0.1
        indent = rng.choice(["-", "0", "2", "4"])
        yield f"json {indent} {rng.choice(['sorted', 'sorted', 'unsorted'])}", tree(rng, 4, odd)
        yield "toml", {key(rng): tree(rng, 4, odd) for _ in range(rng.randint(0, 5))}
        yield "toml", tree(rng, 4, odd)
        yield "prune", tree(rng, 5, odd)


def matches(words, expected, status, actual):
    if isinstance(expected, str):
        return status == "ok" and actual == expected
    return status == "error" and actual == f"{type(expected).__name__}: {expected}"


def show(words, value, expected, status, actual):
    """Prints a difference: texts from a little before the place where they part."""
    if not isinstance(expected, str):
        print(f"--- {words}\nvalue:    {value!r:.500}\nexpected: {expected!r}\nactual:   {status} {actual!r:.500}")
        return
    pairs = enumerate(zip(expected, actual))
    same = next((at for at, (left, right) in pairs if left != right), min(len(expected), len(actual)))
    begin = max(0, same - 200)
    print(f"--- {words}, at {same}\nexpected: {expected[begin:same + 100]!r}\nactual:   {status} {actual[begin:same + 100]!r}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strings", type=int, default=20000)
    parser.add_argument("--trees", type=int, default=1000)
    parser.add_argument("--length", type=int, default=3)
    parser.add_argument("--show", type=int, default=5)
    options = parser.parse_args()
    requests = list(plan(random.Random(options.seed), options.strings, options.trees, options.length))
    done, differences = collections.Counter(), collections.Counter()
    for (words, value), (status, actual) in zip(requests, answers(options.program, requests)):
        kind = " ".join(word for word in words.split() if not word.isdigit())
        try:
            expected = peer(words, value)
        except Exception as error:  # whatever the library raises is its answer
            expected = error
        done[kind] += 1
        if not matches(words, expected, status, actual):
            differences[kind] += 1
            if sum(differences.values()) <= options.show:
                show(words, value, expected, status, actual)
    for kind in sorted(done):
        print(f"{done[kind]:8} {kind}: {differences[kind]} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
