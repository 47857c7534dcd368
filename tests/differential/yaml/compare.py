"""Compares kapstan's YAML reader with libyaml, as PyYAML's C loader shows it.

Run it with a Python that has PyYAML and its C extension:

    cargo build --release -p kapstan-document --example yaml_events
    python tests/differential/yaml/compare.py --reader target/release/examples/yaml_events \
        [--suite DIRECTORY] [--mutations 20000] [--seed 1]

DIRECTORY holds YAML files to start from; files of the yaml-test-suite (`src/*.yaml`) are recognised, and the
documents in them are used. Without it the documents in this folder are all there is. Mutations are made from a
seed, so that a difference can be shown again. Documents are given as bytes: some mutations break the encoding, and
some documents are given in UTF-16.

Exits with 1 when there is any difference in events, marks or error texts; shows the first few.
"""

import argparse
import json
import pathlib
import random
import struct
import subprocess
import sys

import yaml

FRAGMENTS = [
    "- ", "? ", ": ", ":", "\n", "\r\n", "\r", "\n\n", " ", "  ", "    ", "\t", "#", " # note\n", "|", ">", "|-\n", ">+\n", "|2\n ", ">-1\n",
    "\"", "'", "''", "\\", "\\x41", "\\u263a", "\\U0001f600", "\\ud800", "\\q", "\\\n", "[", "]", "{", "}", ",", "[]", "{}", "? [", "{a: b}",
    "[a, b]", "&a ", "&a", "*a", "*a ", "!", "!!", "!!str ", "!a ", "!a!b ", "!<tag:x> ", "!%41 ", "!%c3%a4 ", "!%ff ", "!%00 ", "---", "--- ", "---\n",
    "\n---\n", "...", "\n...\n", "%YAML 1.1\n", "%YAML 1.2\n", "%YAML 1.3\n", "%TAG ! tag:x:\n", "%TAG !a! tag:y:\n", "%FOO\n", "\ufeff", "\x85",
    "\u2028", "\u2029", "\xa0", "\xe4", "\u263a", "\U0001f600", "\x00", "\x07", "\x1b", "\x7f", "\x80", "\ufffe", "@", "`", "%", "a", "a: b\n",
    "a: b", "- a\n", "-", "?", "key: |\n  text\n", "k: >\n  a\n  b\n\n   c\n", "~", "=", "<<: *a\n", "x" * 1021, " " * 1020, "0", "  - ", "\n  ", "\n\t",
]


def suite_documents(path):
    """The documents of a yaml-test-suite file, with the characters that stand for others replaced."""
    text = path.read_text(encoding="utf-8")
    try:
        tests = yaml.safe_load(text)
    except yaml.YAMLError:
        tests = None
    if not (isinstance(tests, list) and tests and isinstance(tests[0], dict) and "yaml" in tests[0]):
        return [text]
    documents = []
    for test in tests:
        document = test.get("yaml")
        if document is None:
            continue
        for written, meant in [("␣", " "), ("———»", "\t"), ("——»", "\t"), ("—»", "\t"), ("»", "\t"), ("↵", ""), ("∎\n", ""), ("←", "\r"), ("⇔", "\ufeff")]:
            document = document.replace(written, meant)
        documents.append(document)
    return documents


def mutate(chance, seeds):
    """One to four changes to a document: a fragment put in, bytes taken out, or bytes of another document put in."""
    data = chance.choice(seeds)
    for _ in range(chance.randint(1, 4)):
        at = chance.randint(0, len(data))
        kind = chance.randrange(3)
        if kind == 0:
            data = data[:at] + chance.choice(FRAGMENTS).encode() + data[at:]
        elif kind == 1:
            data = data[:at] + data[at + chance.randint(1, 4):]
        else:
            other = chance.choice(seeds)
            start = chance.randint(0, len(other))
            data = data[:at] + other[start:start + chance.randint(1, 20)] + data[at:]
    return data


def recode(chance, data):
    """Now and then the same text in UTF-16, perhaps with a byte missing."""
    if chance.random() > 0.03:
        return data
    order = chance.choice(["le", "be"])
    mark = b"\xff\xfe" if order == "le" else b"\xfe\xff"
    data = mark + data.decode("utf-8", "replace").encode("utf-16-" + order)
    if chance.random() < 0.3:
        at = chance.randint(0, len(data))
        data = data[:at] + data[at + 1:]
    return data


def describe_mark(data, mark):
    index = mark.index if len(data) < 4096 else None
    return [mark.line, mark.column, index]


def describe_event(event):
    name = type(event).__name__[:-len("Event")]
    if name == "DocumentStart":
        tags = [list(pair) for pair in (event.tags or {}).items()]
        return [name, event.explicit, list(event.version) if event.version else None, tags]
    if name == "DocumentEnd":
        return [name, event.explicit]
    if name == "Alias":
        return [name, event.anchor]
    if name == "Scalar":
        return [name, event.anchor, event.tag, list(event.implicit), event.style or "", event.value]
    if name in ("SequenceStart", "MappingStart"):
        return [name, event.anchor, event.tag, event.implicit, event.flow_style]
    return [name]


def describe(data):
    """What libyaml says: events with their marks, and the error text."""
    events = []
    try:
        for event in yaml.parse(data, Loader=yaml.CLoader):
            events.append([describe_event(event), describe_mark(data, event.start_mark), describe_mark(data, event.end_mark)])
    except yaml.YAMLError as error:
        return [events, str(error)]
    except UnicodeDecodeError:
        # libyaml lets ill-formed escapes in tags pass, and Python cannot show them.
        return [events, "UnicodeDecodeError"]
    return [events, None]


def normalise(data, described):
    """Marks without the index where the decoded text is long."""
    if len(data) < 1024:
        return described
    events = [[event, start[:2], end[:2]] for event, start, end in described[0]]
    return [events, described[1]]


def run_reader(reader, documents):
    stream = b"".join(struct.pack("<I", len(data)) + data for data in documents)
    result = subprocess.run([reader], input=stream, stdout=subprocess.PIPE, check=False)
    lines = result.stdout.split(b"\n")[:-1]
    if result.returncode != 0 or len(lines) != len(documents):
        print(f"the reader failed at document {len(lines)}: {documents[min(len(lines), len(documents) - 1)]!r}")
        sys.exit(1)
    return [json.loads(line) for line in lines]


def is_same(data, ours, theirs):
    if theirs[1] == "UnicodeDecodeError":
        return ours[1] is not None
    if ours[0] is None:
        # `decode` refuses the text before there is any event.
        return ours[1] == theirs[1]
    return normalise(data, ours) == normalise(data, theirs)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--reader", required=True)
    arguments.add_argument("--suite", type=pathlib.Path)
    arguments.add_argument("--mutations", type=int, default=20000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--show", type=int, default=5)
    arguments = arguments.parse_args()
    folders = [pathlib.Path(__file__).parent / "documents"] + ([arguments.suite] if arguments.suite else [])
    files = sorted(file for folder in folders for file in folder.rglob("*.yaml"))
    seeds = [document.encode() for file in files for document in suite_documents(file)]
    chance = random.Random(arguments.seed)
    documents = seeds + [recode(chance, mutate(chance, seeds)) for _ in range(arguments.mutations)]
    differences = refused = 0
    for begin in range(0, len(documents), 2000):
        batch = documents[begin:begin + 2000]
        for data, ours in zip(batch, run_reader(arguments.reader, batch)):
            theirs = describe(data)
            refused += theirs[1] is not None
            if not is_same(data, ours, theirs):
                differences += 1
                if differences <= arguments.show:
                    show(data, ours, theirs)
    print(f"{len(seeds)} documents, {arguments.mutations} mutations, {refused} refused by libyaml, {differences} differences")
    sys.exit(1 if differences else 0)


def show(data, ours, theirs):
    print(f"--- {data!r}")
    for mine, its in zip(ours[0] or [], theirs[0]):
        if normalise(data, [[mine], None]) != normalise(data, [[its], None]):
            print(f"  kapstan {mine}\n  libyaml {its}")
            break
    else:
        print(f"  {len(ours[0] or [])} and {len(theirs[0])} events")
    print(f"  kapstan {ours[1]!r}\n  libyaml {theirs[1]!r}")


if __name__ == "__main__":
    main()
