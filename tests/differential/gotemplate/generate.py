#!/usr/bin/env python3
"""Writes generated templates for compare.py, one JSON object a line: `generate.py COUNT [SEED]`.

Everything the language has is in the grammar below, well-formed for the most part. How well its types fit differs from
template to template, and some are broken afterwards by taking out, doubling or putting in pieces of text.
"""

import json
import random
import sys

DATA = {
    "n": 3,
    "f": 2.5,
    "big": 1234567,
    "zero": 0,
    "neg": -4,
    "s": "text",
    "empty": "",
    "u": "héllo <b>&'\"\u4e16\u0001",
    "t": True,
    "no": False,
    "nil": None,
    "list": ["a", 1, None, True, {"k": "v"}, ["x"]],
    "nums": [3, 1.5, 1e21, -0.00001],
    "items": [{"name": "one", "v": 1}, {"name": "two", "v": None}, {"name": "three"}],
    "none": [],
    "map": {"b": 2, "a": "x", "c": {"d": {"e": "deep"}}, "z": None},
    "hollow": {},
}

FIELDS = [
    ".n", ".f", ".big", ".zero", ".neg", ".s", ".empty", ".u", ".t", ".no", ".nil", ".list", ".nums", ".items", ".none",
    ".map", ".hollow", ".map.a", ".map.c.d.e", ".map.z", ".missing", ".map.missing", ".missing.x", ".nil.x", ".map.z.y",
    ".s.x", ".n.x.y", ".list.x", ".map.c.d", ".t.x", ".name", ".v", ".hollow.a.b",
]
VARIABLES = ["$x", "$y", "$i", "$"]
LITERALS = [
    "1", "0", "-3", "42", "1.5", "1e6", "0x1F", "0b11", "0o17", "017", "1_000", "'a'", "'\\n'", "'世'", "1i", "1e3", "-0",
    '"str"', '""', '"a\\tb\\x41\\u00e9"', "`raw\\n`", "true", "false", "nil", "1e400", "0x1p-2", "+7", "9223372036854775807",
    "9223372036854775808", "18446744073709551616", ".5", "5.", "1e-7", "100000", "1000000", "123456789.0", "1+2i",
]
BUILTINS = ["and", "call", "html", "index", "js", "len", "not", "or", "print", "printf", "println", "slice", "urlquery",
            "eq", "ge", "gt", "le", "lt", "ne"]
HELPERS = ["list", "words", "upto", "dict", "labels", "upper", "quote", "add", "wide", "unsigned", "half", "flip",
           "nothing", "bytes", "size", "count", "boom", "any"]
VERBS = "vdsqxXtTbocUeEfFgGOw!z"
FLAGS = ["", "+", "-", "#", "0", " ", "+v", "#+", "-0", "08", "5", "-5", "05", ".2", ".0", "8.3", "-8.3", "+.2", "*", ".*",
         "[1]", "[2]", "[3]", "[0]", "[x]", "[2]*", "# ", "+08.2", "# 3", ". ", "1000000000", ".70000", "70000", "070000", "[1]5", "6.", "[2].3"]


class Grammar:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, items):
        return self.random.choice(items)

    def chance(self, share):
        return self.random.random() < share

    def format(self):
        parts = []
        for _ in range(self.random.randint(1, 3)):
            parts.append(self.pick(["", "a", "é ", "100%% ", "x="]))
            parts.append("%" + self.pick(FLAGS) + self.pick(VERBS))
        if self.chance(0.05):
            parts.append("%")
        return '"' + "".join(parts) + '"'

    def typed(self, kind, depth):
        """An operand that is of that type, most of the time."""
        if self.chance(1 - self.care) and self.chance(0.3):
            return self.operand(depth)
        simple = {
            "string": [".s", ".empty", ".u", ".map.a", '"str"', "`raw`", '"a b c"', ".map.c.d.e", '"\\u00e9\\n"'],
            "int": ["0", "1", "2", "3", "42", "-1", "0x1F", "'a'", "1e3", "0o17", "1_000"],
            "float": [".n", ".f", ".big", ".zero", ".neg", "1.5", "1e6", "0.00001", "(index $.nums 2)", "1e21", ".5"],
            "bool": [".t", ".no", "true", "false"],
            "list": [".list", ".nums", ".items", ".none", "(list 1 nil `x`)"],
            "map": [".map", ".hollow", ".map.c", "$", '(dict "p" 1 "q" .s)'],
        }
        if kind == "any":
            kind = self.pick(list(simple))
        if depth <= 0 or self.chance(0.5):
            operand = self.pick(simple[kind])
            # The root has the fields wherever this stands.
            return "$" + operand if operand.startswith(".") and not operand[1].isdigit() else operand
        return "(" + self.typed_call(kind, depth - 1) + ")"

    def typed_call(self, kind, depth):
        patterns = {
            "string": ["print A*", "println A*", "printf F A*", "printf F A A", "printf F A", "html A*", "js A*", "urlquery A*",
                       "upper S", "quote A", "slice S 0", "A | quote", "S | upper"],
            "int": ["len S", "len L", "add I I", "count L", "size M", "M | size", "len M"],
            "float": ["half D", "D | half"],
            "bool": ["not A", "eq S S", "ne S S", "lt I I", "le D D", "gt S S", "ge D D", "flip B", "eq I I I", "eq A nil"],
            "list": ["list A*", "slice L 0", "words S", "or L A"],
            "map": ["dict S A", "and A M", 'set (dict) "k" A'],
        }
        names = {"A": "any", "S": "string", "I": "int", "D": "float", "B": "bool", "L": "list", "M": "map"}
        if kind == "any":
            kind = self.pick(list(patterns))
        words = []
        for word in self.pick(patterns[kind]).split(" "):
            if word == "F":
                words.append(self.format())
            elif word == "A*":
                words += [self.typed("any", depth) for _ in range(self.random.randint(0, 3))]
            else:
                words.append(self.typed(names[word], depth) if word in names else word)
        return " ".join(words)

    def operand(self, depth):
        roll = self.random.random()
        if roll < 0.34:
            return self.pick(FIELDS)
        if roll < 0.56:
            return self.pick(LITERALS)
        if roll < 0.66:
            return self.pick(VARIABLES) + (self.pick(FIELDS) if self.chance(0.3) else "")
        if roll < 0.72:
            return "."
        if roll < 0.76:
            return self.pick(["nothing", "list", "dict", "print"])
        if depth <= 0:
            return self.pick(FIELDS)
        inner = "(" + self.pipeline(depth - 1) + ")"
        return inner + (self.pick(FIELDS) if self.chance(0.25) else "")

    def call(self, depth):
        roll = self.random.random()
        operand = lambda: self.operand(depth - 1)
        if roll < 0.16:
            arguments = " ".join(operand() for _ in range(self.random.randint(0, 3)))
            return f"printf {self.format()} {arguments}"
        if roll < 0.22:
            return f"index {self.pick(['.list', '.map', '.nums', '.s', '.items', '$'])} {self.pick(['0', '1', '5', '.n', '6', '-1', chr(34) + 'a' + chr(34), 'nil', 'wide 1', '.s'])}"
        if roll < 0.28:
            bounds = " ".join(self.pick(["0", "1", "2", "3", "9", "-1", ".n", "nil"]) for _ in range(self.random.randint(0, 4)))
            return f"slice {self.pick(['.s', '.list', '.u', '.map', '(bytes .s)', '.nil', '(words .u)'])} {bounds}"
        if roll < 0.42:
            return f"{self.pick(['eq', 'ne', 'lt', 'le', 'gt', 'ge'])} {operand()} {operand()}" + (f" {operand()}" if self.chance(0.2) else "")
        name = self.pick(BUILTINS + HELPERS)
        arguments = [operand() for _ in range(self.random.choice([0, 1, 1, 1, 2, 2, 3]))]
        return " ".join([name] + arguments)

    def command(self, depth):
        if self.chance(0.55):
            return self.call(depth)
        operand = self.operand(depth)
        return operand + (" " + self.operand(depth - 1) if self.chance(0.04) else "")

    def pipeline(self, depth):
        if self.chance(self.care):
            call = self.typed_call("any", depth) if self.chance(0.8) else self.typed("any", depth)
            return call + (" | " + self.pick(["print", "quote", "html", "js", "any", "printf " + self.format(), "urlquery", "not"]) if self.chance(0.2) else "")
        stages = [self.command(depth)]
        while self.chance(0.22) and len(stages) < 4:
            stages.append(self.pick(["print", "printf " + self.format(), "len", "upper", "quote", "html", "js", "urlquery",
                                     "not", "index .map", "list", "and .t", "or .no", "eq 1", "any", ".s", ".", "count", "size",
                                     "add 1", "half", "printf", "println", "$x", "nothing"]))
        return " | ".join(stages)

    def space(self):
        return self.pick(["", " ", " ", "  ", "\n", "\t"])

    def action(self, text):
        left, right = self.pick([("{{", "}}")] * 6 + [("{{- ", "}}"), ("{{", " -}}"), ("{{- ", " -}}"), ("{{-\n", "\t-}}")])
        return left + self.space() + text + self.space() + right

    def text(self):
        return self.pick(["", " ", "\n", "a", "line\n  ", "é", "  \n\t", "{", "}}", "x: "])

    def body(self, depth, in_range=False):
        return "".join(self.node(depth, in_range) + self.text() for _ in range(self.random.randint(1, 3)))

    def node(self, depth, in_range):
        roll = self.random.random()
        if depth <= 0 or roll < 0.42:
            return self.action(self.pipeline(2))
        if roll < 0.50:
            return self.action(f"{self.pick(['$x', '$y', '$i'])} {self.pick([':=', ':=', '='])} {self.pipeline(1)}")
        if roll < 0.62:
            return self.branch("if", depth, in_range)
        if roll < 0.71:
            return self.branch("with", depth, in_range)
        if roll < 0.86:
            return self.loop(depth)
        if roll < 0.91:
            return self.action(f'template "{self.pick(["T", "U", "deep", "none"])}" {self.pick(["", ".", ".map", ".n", "$x", "(list 1 2)", "nil"])}')
        if roll < 0.93:
            return self.action(f'block "B{self.random.randint(0, 2)}" {self.pick([".", ".map", "1"])}') + self.body(depth - 1) + self.action("end")
        if roll < 0.96 and in_range:
            return self.action("if " + self.pipeline(0)) + self.action(self.pick(["break", "continue"])) + self.action("end")
        if self.chance(0.9):
            return self.pick(["{{/* comment */}}", "{{- /* c\n */ -}}"])
        return self.pick(["{{ /* no */ }}", self.action("break"), self.action("")])

    def branch(self, keyword, depth, in_range):
        parts = [self.action(f"{keyword} {self.header(depth)}"), self.body(depth - 1, in_range)]
        while self.chance(0.2):
            parts += [self.action(f"else {keyword} {self.pipeline(1)}"), self.body(depth - 1, in_range)]
        if self.chance(0.4):
            parts += [self.action("else"), self.body(depth - 1, in_range)]
        return "".join(parts) + self.action("end")

    def header(self, depth):
        declares = self.pick(["", "", "", "$x := ", "$y := ", "" if self.care > 0.5 else "$x = "])
        return declares + self.pipeline(1)

    def loop(self, depth):
        over = "$" + self.pick([".list", ".items", ".map", ".none", ".nums", ".hollow"]) if self.care > 0.5 and self.chance(0.7) else self.pick([".list", ".items", ".map", ".none", ".nil", ".n", "3", "(upto 3)", ".nums", ".s", "(words .u)", ".missing",
                          "(labels \"a\" \"b\")", "(wide 2)", "(bytes .s)", "0", "-2", "$", ".hollow", "(list 1 nil .map)"])
        if self.chance(0.1) and self.care < 0.95:
            over = self.pipeline(1)
        variables = self.pick(["", "", "$i := ", "$i, $x := ", "$i, $x := ", "$x = ", "$i, $x = "])
        if self.chance(0.04):
            variables = self.pick(["$i, $x, $y := ", "$i, ", "$i, 1 := "])
        parts = [self.action(f"range {variables}{over}"), self.body(depth - 1, True)]
        if self.chance(0.3):
            parts += [self.action("else"), self.body(depth - 1, self.chance(0.3))]
        return "".join(parts) + self.action("end")

    def template(self):
        self.care = self.pick([0.0, 0.9, 0.98, 1.0, 1.0, 1.0])
        start = "".join(self.pick(["{{ $x := .map }}", "{{ $y := 1 }}", "{{ $i := .n }}", ""]) for _ in range(3))
        if self.care > 0.5 or self.chance(0.5):
            start = "{{ $x := .map }}{{ $y := 1 }}{{ $i := \"i\" }}"
        text = start + self.body(self.random.randint(1, 3))
        if self.chance(0.15):
            text += self.action(f'define "{self.pick(["T", "V", "page", "T"])}"') + self.body(1) + self.action("end")
        return self.broken(text) if self.chance(0.15) else text

    def broken(self, text):
        for _ in range(self.random.randint(1, 2)):
            if not text:
                break
            at = self.random.randrange(len(text))
            end = min(len(text), at + self.random.randint(1, 4))
            roll = self.random.random()
            if roll < 0.4:
                text = text[:at] + text[end:]
            elif roll < 0.6:
                text = text[:end] + text[at:]
            else:
                text = text[:at] + self.pick(list("{}()|\"'`$.:=,-/*\\ \n%#!&@") + ["{{", "}}", "end", "else", "é", "\u2028"]) + text[at:]
        return text

    def defines(self):
        return self.pick([
            "",
            '{{ define "T" }}[{{ . }}]{{ end }}{{ define "deep" }}{{ .c.d.e }}{{ end }}',
            '{{ define "T" }}{{ .a.b.c }}{{ end }}{{ define "U" }}<{{ template "T" . }}>{{ end }}',
            '{{ define "T" }}\n{{ range . }}{{ .x }}{{ end }}{{ end }}\n{{ define "U" }}{{ $ }}{{ end }}',
        ])


def main():
    count = int(sys.argv[1])
    grammar = Grammar(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for _ in range(count):
        request = {
            "template": grammar.template(),
            "defines": grammar.defines(),
            "data": DATA if grammar.chance(0.97) else grammar.pick([None, 1, "s", [1, 2], {}]),
            "missing": grammar.pick(["", "", "zero", "zero", "error"]),
        }
        print(json.dumps(request))


main()
