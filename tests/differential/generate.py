#!/usr/bin/env python3
"""Writes random Kapitan repositories, and compares what kapstan and Kapitan make of them.

    generate.py write SEED FOLDER          one repository
    generate.py compare FIRST COUNT        repositories FIRST .. FIRST+COUNT-1, each compared as `repository` does
    generate.py pack SEED COUNT            the same with many independent targets in one repository, which is faster

The same seed gives the same repository. What it draws from: classes in chains and with references, overrides, odd
scalars; items of jsonnet, jinja2, copy and remove with every option; references; the options of compile.
"""

import importlib.machinery
import importlib.util
import os
import random
import shutil
import sys
import tempfile

WORDS = ["alpha", "beta", "gamma", "delta", "port", "name", "env", "size", "host", "list", "deep", "x", "y1", "with-dash", "with_under"]
LISTS = ["list", "port"]
MAPPINGS = ["deep", "host"]
PLAIN = [
    "1", "0", "-7", "017", "0o17", "0x1F", "1_000", "1.5", "1e3", "1.0e+3", ".5", "-.inf", ".nan", "yes", "No", "on", "true", "~", "null", "",
    "1:30", "22:22:22", "2020-01-01", "2001-12-14t21:59:43.10-05:00", "text", "two words", "a#b", "a:b", "http://h:80/p", "08", "1.2.3", "=", "-x",
    "y", "n", "é", "0b11", "12345678901234567890", "1e400", "1.7976931348623157e+308", "0.1", "100000.0", "1.0e-5",
]
QUOTED = [
    '"tab\\there"', '"line\\nbreak"', '"line\\n\\n"', '"\\nlead"', "'it''s'", '" lead"', '"trail "', '"\\u00e9\\U0001F600"', '"yes"', "'1'", '"a: b"',
    '"# no"', '"- a"', '"\\x07"', '"a \\nb"', '"{}"', "'*a'", '"%d"', '"@at"', '"' + "long words here " * 9 + '"', '"' + "x" * 90 + ' y"', '"a\\r\\nb"',
]


class Repository:
    def __init__(self, seed, folder, prefix=""):
        self.draw = random.Random(seed)
        self.folder = folder
        self.prefix = prefix

    def write(self, path, text):
        path = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)

    def chance(self, of):
        return self.draw.random() < of

    def scalar(self, paths):
        if paths and self.chance(0.25):
            path = self.draw.choice(paths)
            return self.draw.choice(["${%s}", '"pre ${%s} post"', '"${%s}${%s}"', '"\\\\${%s}"']).replace("%s", path)
        return self.draw.choice(PLAIN if self.chance(0.7) else QUOTED)

    def node(self, key, paths, depth, indent):
        """YAML text for what stands after `key:`. The key says of which kind it is, so that merges are legal."""
        if depth > 0 and key in LISTS:
            items = [self.item(paths, depth - 1, indent + 2) for _ in range(self.draw.randint(0, 3))]
            return "\n" + "".join(" " * indent + "- " + item for item in items) if items else " []\n"
        if depth > 0 and key in MAPPINGS:
            return self.mapping(paths, depth - 1, indent + 2) or " {}\n"
        return " " + (self.scalar(paths) if key not in LISTS + MAPPINGS else "null") + "\n"

    def item(self, paths, depth, indent):
        if depth > 0 and self.chance(0.3):
            keys = self.draw.sample(WORDS, self.draw.randint(1, 3))
            return (" " * indent).join(f"{key}:{self.node(key, paths, depth - 1, indent + 2)}" for key in keys)
        return self.scalar(paths) + "\n"

    def mapping(self, paths, depth, indent):
        keys = self.draw.sample(WORDS, self.draw.randint(0, 4))
        return "\n" + "".join(f"{' ' * indent}{key}:{self.node(key, paths, depth, indent)}" for key in keys) if keys else ""

    def parameters(self, paths, typed):
        """Parameters of one class. Keys say which kind they hold, so that most merges are legal; a few are not."""
        text = ""
        for number in range(self.draw.randint(1, 5)):
            key = f"{self.draw.choice(typed)}{number}"
            prefix = "~" if self.chance(0.08) else ""
            if key.startswith("s"):
                text += f"  {prefix}{key}: {self.scalar(paths)}\n"
            elif key.startswith("l"):
                items = "".join(f"    - {self.item(paths, 2, 6)}" for _ in range(self.draw.randint(1, 4)))
                text += f"  {prefix}{key}:\n{items}"
            else:
                text += f"  {prefix}{key}:{self.mapping(paths, 2, 4) or ' {}' + chr(10)}"
        return text

    def build(self, target):
        """Writes one target with all that belongs to it."""
        p = self.prefix
        count = self.draw.randint(1, 5)
        # References point at keys that every target defines, so that most of them lead somewhere.
        paths = ["known:a", "known:b", "known:c:d", "_reclass_:name:short"] + (["known:list", "known:c"] if self.chance(0.1) else [])
        for number in range(count):
            included = [f"{p}c{n}" for n in range(number + 1, count) if self.chance(0.3)]
            classes = "classes:\n" + "".join(f"  - {name}\n" for name in included) if included else ""
            applications = f"applications: [{', '.join(self.draw.sample(WORDS, 2))}]\n" if self.chance(0.3) else ""
            body = self.parameters(paths, ["s", "l", "m"])
            self.write(f"inventory/classes/{p}c{number}.yml", f"{classes}{applications}parameters:\n{body}")
        chosen = [f"{p}c{n}" for n in range(count) if self.chance(0.7)] or [f"{p}c0"]
        items = "".join(self.compile_item(number) for number in range(self.draw.randint(1, 5)))
        known = "  known: {a: 1, b: two words, c: {d: true, e: [1, x]}, list: [1, two, 3.0]}\n"
        style = f"  multiline_string_style: {self.draw.choice(['literal', 'folded', 'double-quotes'])}\n" if self.chance(0.2) else ""
        self.write(
            f"inventory/targets/{target}.yml",
            "classes:\n" + "".join(f"  - {name}\n" for name in chosen) + "parameters:\n" + known + style
            + self.parameters(paths, ["s", "l", "m"])
            + f"  kapitan:\n    vars: {{target: {target}}}\n    labels: {{tier: {self.draw.choice(['web', 'db'])}}}\n    compile:\n" + items,
        )

    def compile_item(self, number):
        kind = self.draw.choice(["jsonnet", "jsonnet", "jinja2", "jinja2", "copy"])
        name = f"{self.prefix}in{number}"
        output = self.draw.choice([".", f"out{number}", "deep/er"])
        options = {"input_type": kind, "output_path": output}
        if kind == "jsonnet":
            self.write(f"{name}.jsonnet", self.jsonnet(number))
            options["input_paths"] = f"[{name}.jsonnet]"
            options["output_type"] = self.draw.choice(["yaml", "yaml", "yml", "json", "auto", "toml" if self.chance(0.3) else "yaml"])
            if self.chance(0.4):
                options["prune"] = self.draw.choice(["true", "false"])
        elif kind == "jinja2":
            for part in range(self.draw.randint(1, 3)):
                self.write(f"{name}/{self.draw.choice(['a', 'b', 'sub/c'])}{part}.{self.draw.choice(['txt', 'j2', 'sh'])}", self.jinja2())
            options["input_paths"] = f"[{name}]" if self.chance(0.7) else f"['{name}/*']"
            if self.chance(0.3):
                options["suffix_remove"] = "true"
            if self.chance(0.3):
                options["input_params"] = "{own: [1, {a: b}]}"
        else:
            self.write(f"{name}/file{number}", "copied {{ x }} ?{plain:none}\n")
            options["input_paths"] = f"[{name}]"
        lines = [f"{key}: {value}" for key, value in options.items()]
        return "      - " + "\n        ".join(lines) + "\n"

    def jsonnet_value(self, depth):
        kind = self.draw.random()
        if depth <= 0 or kind < 0.55:
            return self.draw.choice([
                "null", "true", "1", "-0.0", "1e-7", "1/3", "1e21", "123456789012345678", "''", "'yes'", "'a\\nb'", "'a\\nb\\n'", "' x'", "'é'", "'# c'", "'0o7'",
                "'1.5'", "'" + "word " * 20 + "'", "'a: b'", "'line \\nb'", "'- a'", "'\\tq'", "{}", "[]", "p.known", "p.known.list", "inv.classes", "'%s' % p.known.a",
                "std.length(p.known.c)", "kap.sha256('x')", "std.toString(p.known)", "kap.yaml_dump(p.known)", "'?{base64:shared}'", "'<?{plain:open}>'",
            ])
        if kind < 0.75:
            return "[" + ", ".join(self.jsonnet_value(depth - 1) for _ in range(self.draw.randint(0, 4))) + "]"
        keys = self.draw.sample(WORDS + ["1", "true", "a b", "é"], self.draw.randint(0, 4))
        return "{" + ", ".join(f"'{key}': {self.jsonnet_value(depth - 1)}" for key in keys) + "}"

    def jsonnet(self, number):
        fields = [f"  'f{n}{self.draw.choice(['', '', '.json', '.yaml', '/sub'])}-{number}': {{ v: {self.jsonnet_value(4)} }}," for n in range(self.draw.randint(1, 4))]
        if self.chance(0.3):
            fields.append(f"  'list-{number}': [{', '.join(self.jsonnet_value(2) for _ in range(3))}],")
        return "local kap = import 'lib/kapitan.libjsonnet';\nlocal inv = kap.inventory();\nlocal p = inv.parameters;\n{\n" + "\n".join(fields) + "\n}\n"

    def jinja2(self):
        pieces = [
            "{{ inventory.parameters.known }}", "{{ inventory.parameters.known.list | join('-') }}", "{{ target }}", "{% for k, v in inventory.parameters.known | dictsort %}\n{{ k }}={{ v }}\n{% endfor %}",
            "{{ inventory.parameters | yaml }}", "{{ inventory.parameters.known.b | upper | b64encode }}", "{% if inventory.parameters.s0 is defined %}\ns0 {{ inventory.parameters.s0 }}\n{% endif %}",
            "{{ inventory.parameters.l0 | default([]) | length }}", "{{ inventory.classes }}", "?{base64:shared} ?{plain:open}", "{{ [3, 1, 2] | sort }} {{ 7 // 2 }} {{ 1 / 4 }}", "{{ 'a,b' | replace(',', '\\n') | indent(2) }}",
            "{% set x = namespace(n=1) %}{{ x.n }}", "{{ inventory.parameters.m0 | default({}) | tojson }}", "{{ '%05.1f' | format(3.14159) }}", "{{ inventory.parameters.known | toml }}", "{{ inventory.parameters.known.c | to_json if false else 'no' }}",
            "{# a comment #}", "  {% if true %}  \n  kept\n  {% endif %}  ", "{% macro m(a) %}[{{ a }}]{% endmacro %}{{ m(1) }}{{ m('x') }}", "{{ 'x' | sha256 }}", "{{ inventory.parameters.known.list | merge_strategic }}", "tail\n",
        ]
        pieces = [piece for piece in pieces if "to_json if" not in piece]
        return "\n".join(self.draw.choice(pieces) for _ in range(self.draw.randint(1, 6))) + self.draw.choice(["", "\n", "\n\n"])

    def shared(self):
        self.write("refs/shared", "data: aGVsbG8=\nencoding: original\ntype: base64\n")
        self.write("refs/open", "data: in the open\nencoding: original\ntype: plain\n")

    def options(self):
        """Arguments of compile that fit any of the repositories."""
        chosen = []
        for choices in (["-L", "literal"], ["-L", "folded"], ["-L", "double-quotes"], ["--yaml-dump-null-as-empty"], ["--indent", "4"], ["--reveal"], ["--embed-refs"]):
            if self.chance(0.12) and not (choices[0] == "-L" and "-L" in chosen):
                chosen += choices
        return chosen


def write(seed, folder):
    repository = Repository(seed, folder)
    repository.shared()
    for number in range(repository.draw.randint(1, 3)):
        repository.prefix = f"p{number}"
        repository.build(f"t{number}")
    return repository.options()


def pack(seed, count, folder):
    """Many targets that have nothing to do with each other; those that Kapitan refuses are found by `compare`."""
    options = []
    for number in range(count):
        repository = Repository(seed * 100_003 + number, folder, f"p{number}")
        repository.shared()
        repository.build(f"t{number}")
        options = options or repository.options()
    return options


def comparison():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "repository")
    loader = importlib.machinery.SourceFileLoader("repository", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("repository", loader))
    loader.exec_module(module)
    return module


def compare_all(seeds, build):
    repository = comparison()
    different = []
    for seed in seeds:
        folder = tempfile.mkdtemp()
        options = build(seed, folder)
        differences = repository.compare(folder, options, True)
        if differences:
            different.append(seed)
            print(f"== seed {seed} {' '.join(options)}")
            print("\n".join(differences), flush=True)
        shutil.rmtree(folder)
    print(f"{len(seeds)} repositories, {len(different)} different: {different}")
    return 1 if different else 0


def main():
    words = sys.argv[1:]
    if len(words) == 3 and words[0] == "write":
        print("compile", *write(int(words[1]), words[2]))
    elif len(words) == 3 and words[0] == "compare":
        first, count = int(words[1]), int(words[2])
        sys.exit(compare_all(range(first, first + count), write))
    elif len(words) == 3 and words[0] == "pack":
        count = int(words[2])
        sys.exit(compare_all([int(words[1])], lambda seed, folder: pack(seed, count, folder)))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
