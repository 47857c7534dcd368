"""Compares kapstan's readers and writers of Go's formats with the Go libraries that Helm uses.

    cd tests/differential/go-yaml && go build -o /tmp/oracle . && cd -
    cargo build --release -p kapstan-document --example go_formats
    python3 tests/differential/go-yaml/compare.py --peer /tmp/oracle --own target/release/examples/go_formats \
        [--count 20000] [--seed 1] [--ops yaml,pretty,json,...] [--show 5]

Values and texts are generated from a seed, so that a difference can be shown again. Where Go's own answer changes from
run to run (its order of keys contradicts itself for some sets of them) nothing is compared.

Exits with 1 when there is any difference; shows the first few.
"""

import argparse
import base64
import json
import random
import subprocess
import sys

WRITERS = ["yaml", "pretty", "json", "json-pretty", "json-raw", "toml"]

WORDS = ["a", "foo", "bar baz", "true", "yes", "no", "null", "~", "y", "N", "on", "Off", "-", "?", ":", "=", "<<", "key: value", "a:b", "a: ", ":a", "?a", "-a",
    "- a", "? a", ": a", "a#b", "a #b", "#a", "[", "]", "{", "}", "[]", "{}", "a,b", ",", "&a", "*a", "!a", "|", ">", "'", '"', "it's", 'say "x"', "%", "@", "`", "%a",
    "@a", "`a", "---", "...", "--- a", "...a", "----", "-- -", "...."]
NUMBERS = ["0", "1", "-1", "+1", "007", "0755", "0o17", "0o-7", "-0o7", "0x1F", "0X1f", "-0x1f", "0b101", "0b-1", "-0b1", "089", "1_000", "1__0", "_1", "1_", "1.5", "1.", ".5", "-.5",
    "+.5", ".5_0", "._5", "1e3", "1E3", "1e+3", "1e-3", "1e", "e1", ".e1", "1e400", ".1e400", "12345678901234567890", "123456789012345678901234567890", "-9223372036854775808",
    "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", ".inf", "-.inf", "+.Inf", ".INF", ".nan", ".NaN", "-.nan", "inf", "nan", "Infinity",
    "1:30", "1:60", "12:30:45", "1:30:59.5", "-1:5", "1:5_0", "1_0:5.", "1:05:", "10.0.0.1", "1.2.3", "2001-01-02", "2001-1-2", "2001-02-30", "2001-13-01", "2001-01-02T03:04:05Z",
    "2001-01-02t03:04:05.5+01:00", "2001-01-02 03:04:05", "2001-01-02  3:4:5.123", "2001-01-02 03:04:05 -5", "2001-01-02T24:00:00Z", "2001-01", "0000-01-01", "2024-02-29", "1e2.5", "0x",
    "0b", "0o8", "0x1p3", "1p3", "+", "--1", "1-2", "1+1", "0.0", "-0", "00", "0_7", "0x_1", "0_x1", "1,000", "100Mi", "1k", "1.5e10", "v1.2", "1.10", "3.0"]
READERS = ["load", "load-map", "load-list", "documents", "from-json", "from-json-list", "from-json-any", "from-toml"]

FRAGMENTS = ["a: 1\n", "b: [1, x]\n", "c: {d: e}\n", "- a\n- b\n", "k:\n  - x\n  - y: z\n", "s: |\n  text\n\n  more\n", "f: >-\n  folded\n  text\n", "q: \"a\\tb\"\n", "r: 'it''s'\n",
    "x: &a {m: 1, n: 2}\ny: *a\n", "z: {<<: *a, n: 3}\n", "<<: {a: 1}\n", "<<: [{a: 1}, {a: 2, b: 3}]\n", "n: 0755\n", "t: 2001-01-02\n", "y: no\n", "on: off\n", "~: x\n", "? [a]\n: b\n",
    "? {a: 1}\n: b\n", "1: one\n", "1.5: x\n", "0.1: x\n", "1e3: x\n", "true: x\n", "i: .inf\n", "i: .nan\n", "u: 18446744073709551615\n", "18446744073709551615: x\n", "b: !!binary aGk=\n",
    "b: !!binary a\n", "s: !!str 5\n", "i: !!int '5'\n", "i: !!int x\n", "f: !!float 5\n", "n: !!null x\n", "o: !foo bar\n", "m: !!map {a: b}\n", "d: !!timestamp 2001-01-01\n", "d: !!timestamp x\n", "# note\n",
    "---\n", "...\n", "--- # note\n", "--- text\n", "\n", "  indented: 1\n", "\tx: 1\n", "a: b: c\n", "- - 1\n  - 2\n", "a: *nobody\n", "rec: &r [*r]\n", "x: &b [a, b]\n<<: *b\n", "e:\n", "m: |+\n  a\n\n",
    "{{ .Values.x }}\n", "a: {{ x }}\n", "%YAML 1.1\n---\n", "%YAML 1.2\n---\n", "%TAG ! tag:x:\n---\n", "a: 'x\n", 'a: "x\n', "a: [1, 2\n", "a: {b: 1\n", "a: @x\n", "a: `x\n", "a: %x\n", "key: value\n  more\n",
    "a: \"\\q\"\n", "? a\n", ": b\n", "a:b\n", "a: - b\n", "- a: 1\n b: 2\n", "a:\n- b\n- c\n", "  - d\n"]
# Where go-yaml differs from libyaml, whose reader is kapstan's.
ODD_FRAGMENTS = ["a: \"\\/\"\n", "a: \"\\'\"\n", "{a:, b: 1}\n", "[a?b, c]\n", "{a? b: c}\n", "{a: !!str,}\n", "a: !x[1]\n"]
PIECES = ["\n", " ", "  ", "\t", ":", ": ", "- ", "-", "?", ",", "[", "]", "{", "}", "#", " #", "&a", "*a", "!", "!!", "|", ">", "'", '"', "\\", "%", "@", "`", "x", "0", "~", "<<", "=", "\r\n", "\x85", "\u2028", "\ufeff", "é", "🎉", "\x00",
    "\x07", "---", "...", "|2", ">-", "\n\n", "\n  ", "a: ", "x" * 1030]
TOML_FRAGMENTS = ["a = 1\n", "b = 'raw'\n", 'c = "text\\n"\n', "d = 1.5\n", "e = [1, 2.5, 'x']\n", "f = {x = 1, y = {z = 2}}\n", "[t]\n", "[t.u]\n", "[[l]]\n", "[[l.m]]\n", "g.h = 1\n", "g.i.j = 'x'\n", "t.v = 2\n", '"q k" = 1\n', "'' = 2\n",
    'm = """\nlines\n  more \\\n   joined"""\n', "n = '''\nraw\nlines'''\n", "o = true\n", "p = false # note\n", "# comment\n", "\n", "q = 0x1F\n", "r = 0o17\n", "s = 0b101\n", "u = 1_000\n", "v = -0\n", "w = +1e3\n", "x = inf\n", "y = -nan\n",
    "z = 2001-02-03\n", "aa = 2001-02-03T04:05:06Z\n", "ab = 2001-02-03 04:05:06.25+01:30\n", "ac = 2001-02-03t04:05:06\n", "ad = 07:32:00\n", "ae = 2001-02-30\n", "af = 07\n", "ag = 1__0\n", "ah = .5\n", "ai = 5.\n", "aj = 9223372036854775808\n", "ak = 1e400\n",
    "al = [\n  1, # one\n  2,\n]\n", "am = [{a = 1}, {b = 2}]\n", "an = [[1], ['a']]\n", "ao = {}\n", "ap = []\n", "aq = {x.y = 1, x.z = 2}\n", "ar = {x = 1, x = 2}\n", "e = [3]\n", "f.n = 1\n", "[f]\n", "[e]\n", "[[f]]\n", "[[e]]\n", "as = yes\n", "at = nope\n",
    "au = {a = 1,}\n", "av = {\n a = 1\n}\n", "aw = \"\\u00e9\\U0001F389\\x41\\e\"\n", 'ax = "\\ud800"\n', "[ a . b ]\n", "[a.'b c']\n", "[]\n", "[.a]\n", "[a]]\n", "[[a]\n", "= 1\n", "a\n", "a =\n", "a = 1 2\n", "2001 = 1\n", "ay = 1979-05-27T07:32Z\n"]
TOML_PIECES = ["\n", " ", "\t", "=", ".", ",", "[", "]", "{", "}", "#", '"', "'", '"""', "'''", "\\", "\\q", "a", "1", "0", "_", "-", "+", ":", "e", "é", "\x00", "\x07", "\x7f", "\r", "\r\n", "inf", "nan", "true", "0x", "0b", "T", "Z", "\x85", "\ufeff"]
JSON_PIECES = ["{", "}", "[", "]", ",", ":", '"', "\\", "\\u", "\\ud800", "\\udc00", "\\x", "\\/", "tru", "true", "null", "nul", "fals", "-", "-0", "01", "1.", "1e", "1e+", "1e400", "1.5", ".", "e", "E5", " ", "\n", "\t", "\x01", "\x7f", "é", "\xa0",
    "'", "a", "1 2", "{}", "[]", '"":', "NaN", "\ufeff"]
LETTERS = list("abcxyzABZ019") + ["ä", "é", "ß", "中", "ا", "٣", "🎉", "\u00a0", "\u3000", "\u2028", "\u2029", "\ufeff", "\ue000", "\ufffd", "\u200b"]
CONTROLS = ["\x00", "\x01", "\x07", "\x08", "\t", "\x0b", "\x0c", "\r", "\x1b", "\x1f", "\x7f", "\x80", "\x85", "\x9f", "\ufffe", "\uffff", "\U0001ffff"]
SIGNS = list("-?:,[]{}#&*!|>'\"%@`=~<./\\_+()$^;")


def text(chance, fragments, pieces):
    """A document put together from fragments, most of the time damaged in a few places."""
    text = "".join(chance.choice(fragments) for _ in range(chance.choice([1, 1, 2, 2, 3, 5, 8])))
    if chance.random() < 0.3:
        text = "".join("  " * chance.choice([0, 0, 1]) + line for line in text.splitlines(True))
    return damaged(chance, text, pieces)


def damaged(chance, text, pieces):
    for _ in range(chance.choice([0, 0, 1, 1, 2, 3])):
        at = chance.randint(0, len(text))
        if chance.random() < 0.5:
            text = text[:at] + chance.choice(pieces) + text[at:]
        else:
            text = text[:at] + text[at + chance.randint(1, 4) :]
    return text


class Values:
    """Generates values as JSON: what a chart's values hold, and what nobody would write."""

    def __init__(self, chance):
        self.chance = chance

    def word(self):
        kind = self.chance.random()
        if kind < 0.3:
            return self.chance.choice(WORDS)
        if kind < 0.6:
            return self.chance.choice(NUMBERS)
        length = self.chance.choice([1, 2, 3, 5, 8, 12, 30, 90])
        pool = self.chance.choice([LETTERS[:12], LETTERS, LETTERS[:12] + SIGNS, SIGNS, LETTERS[:12] + [" "] * 4, LETTERS + SIGNS + [" "] * 5])
        return "".join(self.chance.choice(pool) for _ in range(length))

    def string(self):
        kind = self.chance.random()
        if kind < 0.35:
            return self.word()
        if kind < 0.55:
            return self.line(self.chance.randint(1, 40))
        if kind < 0.75:
            return self.lines()
        if kind < 0.8:
            return self.chance.choice([" ", "\n", "\t", "-", "'", "\"", "\u2028"]) * self.chance.randint(1, 3) + self.word()
        if kind < 0.85:
            return self.word() + self.chance.choice([" ", "\n", "\t", ":", "'", "\u2029", " #"]) * self.chance.randint(1, 3)
        if kind < 0.9:
            pool = CONTROLS + LETTERS + [" ", "\n"]
            return "".join(self.chance.choice(pool) for _ in range(self.chance.randint(1, 8)))
        if kind < 0.93:
            return self.line(20) + self.chance.choice(CONTROLS) + self.line(20)
        if kind < 0.95:
            pool = ["\x85", " ", "a", "---", "...", "\t", "\n", "b"]
            return "".join(self.chance.choice(pool) for _ in range(self.chance.randint(1, 8)))
        if kind < 0.97:
            return "\n".join(self.chance.choice(["", " ", "a", " b", "c ", "\td", "é", "\u2028", "🎉", "a\tb"]) for _ in range(self.chance.randint(1, 6)))
        return ""

    def line(self, words):
        blanks = [" "] * 8 + ["  ", "   ", " # ", ": ", " - ", ", "]
        text = ""
        for _ in range(words):
            text += self.chance.choice(["lorem", "ipsum", "a", "é" * self.chance.randint(1, 9), "x" * self.chance.randint(1, 100), "it's", self.word()])
            text += self.chance.choice(blanks if self.chance.random() < 0.5 else [" "])
        return text if self.chance.random() < 0.2 else text.strip()

    def lines(self):
        parts = [self.chance.choice(["", self.line(3), "key: value", "  indented", "\ttab", "- item", "#!/bin/sh", "trailing ", self.line(30)]) for _ in range(self.chance.randint(1, 6))]
        return "\n".join(parts) + self.chance.choice(["", "\n", "\n\n", "\n\n\n", " ", "\n "])

    def key(self):
        kind = self.chance.random()
        if kind < 0.5:
            return self.chance.choice("abcdefgh") + self.chance.choice(["", "1", "2", "10", "01", "-b", "_b", ".b", "B", "ä", "1b", "00", "100000000000000000000", "٣"])
        if kind < 0.7:
            return self.word()
        if kind < 0.8:
            return "".join(self.chance.choice("ab012-._٣äA ") for _ in range(self.chance.randint(1, 5)))
        if kind < 0.85:
            return self.chance.choice(["k", "é", "<", "\t", "k "]) * self.chance.choice([60, 63, 64, 65, 126, 127, 128, 129, 170, 171, 200, 500, 511, 512, 1000, 1022, 1023, 1024, 1025])
        return self.string()

    def number(self):
        kind = self.chance.random()
        if kind < 0.3:
            return self.chance.randint(-1000, 1000)
        if kind < 0.5:
            return self.chance.choice([0, 2**31, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63), 2**63, 2**64 - 1, 10**18])
        if kind < 0.7:
            return self.chance.choice([0.0, -0.0, 0.5, 1.5, 1e5, 1e6, 999999.0, 1234567.5, 1e-4, 1e-5, 1e-6, 1e-7, 1e18, 1e19, -1e19, 1.8446744073709552e19, 1e20, 1e21, 1e22, 9.223372036854775e18,
                9.223372036854776e18, 5e-324, 1.7976931348623157e308, 123456789012.0, 0.1 + 0.2, 2.0**53, 2.0**62, 2.0**63, 2.0**64, -(2.0**63)])
        if kind < 0.85:
            return self.chance.uniform(-1, 1) * 10.0 ** self.chance.randint(-12, 25)
        return float(self.chance.getrandbits(self.chance.randint(1, 70)))

    def value(self, depth=0):
        kind = self.chance.random()
        if depth < 5 and kind < 0.25:
            size = self.chance.choice([0, 1, 1, 2, 3, 5])
            return {self.key(): self.value(depth + 1) for _ in range(size)}
        if depth < 5 and kind < 0.4:
            return [self.value(depth + 1) for _ in range(self.chance.choice([0, 1, 2, 3]))]
        if kind < 0.47:
            return self.chance.choice([None, True, False])
        if kind < 0.57:
            return self.number()
        if kind < 0.575:
            return {"$bytes": base64.b64encode(bytes(self.chance.choice([0x61, 0x20, 0xc3, 0xa4, 0xe2, 0x80, 0xa8, 0xff, 0x0a]) for _ in range(self.chance.choice([1, 3, 8, 60])))).decode()}
        return self.string()

    def tables(self, depth=0):
        """What TOML has a form for, most of the time."""
        size = self.chance.choice([0, 1, 2, 3, 4])
        return {self.key(): self.table_value(depth) for _ in range(size)}

    def table_value(self, depth):
        kind = self.chance.random()
        if depth < 4 and kind < 0.2:
            return self.tables(depth + 1)
        if depth < 4 and kind < 0.3:
            return [self.tables(depth + 1) for _ in range(self.chance.choice([0, 1, 2, 3]))]
        if depth < 4 and kind < 0.42:
            return [self.table_value(depth + 1) for _ in range(self.chance.choice([0, 1, 2, 3]))]
        if kind < 0.45:
            return None
        if kind < 0.55:
            return self.chance.choice([True, False])
        return self.number() if kind < 0.7 else self.string()


def requests(op, chance, count, odd):
    values = Values(chance)
    if op.startswith("from-json"):
        for _ in range(count):
            written = json.dumps(values.value(), ensure_ascii=chance.random() < 0.5, indent=chance.choice([None, None, 1]))
            yield {"op": op, "text": damaged(chance, written, JSON_PIECES)}
        return
    if op not in WRITERS:
        for _ in range(count):
            if op == "from-toml":
                yield {"op": op, "text": text(chance, TOML_FRAGMENTS, TOML_PIECES)}
                continue
            yield {"op": op, "text": text(chance, FRAGMENTS + (ODD_FRAGMENTS if odd else []), PIECES)}
        return
    for _ in range(count):
        yield {"op": op, "value": values.tables() if op == "toml" and chance.random() < 0.95 else values.value()}


def answers(program, asked):
    lines = "".join(json.dumps(one) + "\n" for one in asked)
    done = subprocess.run([program], input=lines.encode(), stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--peer", required=True)
    parser.add_argument("--own", required=True)
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ops", default=",".join(WRITERS + READERS))
    parser.add_argument("--odd", action="store_true", help="also what go-yaml's scanner takes otherwise than libyaml's")
    parser.add_argument("--show", type=int, default=5)
    arguments = parser.parse_args()
    failed = False
    for op in arguments.ops.split(","):
        chance = random.Random(f"{arguments.seed} {op}")
        asked = list(requests(op, chance, arguments.count, arguments.odd))
        expected, given = answers(arguments.peer, asked), answers(arguments.own, asked)
        different = [at for at in range(len(asked)) if expected[at] != given[at]]
        again = [asked[at] for at in different for _ in range(12)]
        repeated = answers(arguments.peer, again) if again else []
        undecided = {at for number, at in enumerate(different) if any(one != expected[at] for one in repeated[number * 12 : number * 12 + 12])}
        different = [at for at in different if at not in undecided]
        refused = sum("err" in one for one in expected)
        print(f"{op}: {len(asked)} asked, {refused} refused by Go, {len(undecided)} undecided, {len(different)} different")
        failed |= bool(different)
        different.sort(key=lambda at: len(json.dumps(asked[at])))
        for at in different[: arguments.show]:
            print("  asked", json.dumps(asked[at]))
            print("  Go   ", json.dumps(expected[at]))
            print("  own  ", json.dumps(given[at]))
    sys.exit(failed)


if __name__ == "__main__":
    main()
