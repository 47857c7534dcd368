"""Compares kapstan's functions for templates with sprig's, called from templates, results and error texts.

    cd tests/differential/sprig && go build -o /tmp/sprig-oracle . && cd -
    cargo build -p kapstan-gotemplate --example answers
    python3 tests/differential/sprig/compare.py --peer /tmp/sprig-oracle --own target/debug/examples/answers \
        [--count 20000] [--seed 1] [--only regexFind,date] [--show 20]

Every function is called with arguments of the types it wants, of wrong types and in wrong numbers; what it gives is shown
by its type, as JSON and printed. Calls are generated from a seed, so that a difference can be shown again. Functions
whose answer is random are compared by type and length, functions that look at the clock only by their errors.

Exits with 1 when there is any difference; shows the first of each function.
"""

import argparse
import collections
import json
import random
import subprocess
import sys
import tempfile

STRINGS = [
    "", "a", "abc", "Hello World", "hello, wOrld", " padded  text ", "a/b/c", "a,b,,c", "foo_bar-baz qux", "HTTPServer2xx", "fooBarBAZ9", "Bld4Floor3rd", "éàü ñ", "straße ǆ İ", "🎉 party",
    "line one\nline two\n\nline four", "tab\there", 'quo"te', "back\\slash", "it's", "<b>&amp;</b>", "\u0000\u0001\u007f", "\u00a0\u2028", "0", "1", "-1", "42", "0x1F", "010", "0o17", "0b11", "1_000", "1.5", "1e3",
    "12.00", "1.", ".5", "true", "false", "nil", "null", "NaN", "Inf", "9223372036854775807", "9223372036854775808", "99999999999999999999", "1.2.3", "v1.2.3-beta.1+build", "1.2", "not a version",
    "aGVsbG8=", "aGVsbG8", "!!!!", "NBSWY3DP", "MFRGG===", "http://user:pw@host:80/p/a%20th?q=1#frag", "mailto:x@y", "//h/p", "a b:c", "[::1]", "2h45m", "-1.5h", "300ms", "1d", "3", "2024-02-29",
    "2023-02-29", "10:11:12", "2006-01-02", "15:04:05", "Mon Jan _2 15:04:05 2006", "2006-01-02T15:04:05Z07:00", "02 Jan 06 15:04 MST", "Monday 3:04PM .000 002 __2", "UTC", "Local", "Nowhere/Land",
    "a: 1\nb: [x, 2.5, ~]\n", "- 1\n- x: y\n", "a: [1", "a: b: c", '{"a": 1, "b": [true, null, 1.5e3]}', "[1, 2,", '{"a" 1}', '"text"', "{}", "[]", "x = 1\ny = [1, 2]\n[t]\nz = 'q'\n", "x = ", "int", "string",
    "map[string]interface {}", "slice", "*semver.Version", "semver.Version", "../../a/./b//c.tar.gz", "/", "/abs/path.ext", "the quick brown fox jumps over the lazy dog", "supercalifragilisticexpialidocious word",
]
REGEXES = [
    "", "a", "[a-z]+", "^a", "c$", "(a)(b)?", "(?i)HELLO", "(?P<first>\\w+) (?P<second>\\w+)", "o*", "x*", "\\d+", "[^a-z]", "\\bw", "a|b", "(", "[", "a**", "*", "\\", "a{2,1}", "a{1001}", "(?=x)", "\\p{Greek}", "\\p{Nope}", "[[:alpha:]]+",
    "[[:nope:]]", "\\Qa.b\\E", ".", "(?s).+", "(?m)^.", "\\s+", "(?U)l+", "[z-a]", "\\x41", "\\y", "a)", "\\pL", "[\\d\\s]", "é", "(?i)É", "\\n", "\\.", "[.]", "(l+)(o)?", "$", "^", "\\B", "a{,2}",
]
TEMPLATES = ["", "x", "$1", "${1}W", "$1W", "$$", "${first}-$second", "$0", "${0}", "$", "${", "$9", "<$2>", "${1", "a$1b", "$01"]
VERSIONS = ["1.2.3", "v1.2.3", "1.2", "1", "0.0.1", "1.2.3-beta.1", "2.0.0-rc.1+build.5", "1.25.3-gke.100", "0.2.9", "10.0.0", "1.2.3.4", "01.2.3", "1.2.3-01", "x", "", "1.2.3+", "18446744073709551616", "v", "1.x"]
CONSTRAINTS = [">=1.2.0", "^1.2", "~1.2.3", "1.x", "*", "", ">1", "<2.0.0", "!=1.2.3", "=1.2.3", ">=1.25-0", ">=1.0.0, <2.0.0", ">=1.0.0 <2.0.0", "1.2 - 1.4", "^0.2", "^0.0.3", "~0", "~>1.2", "=>1", "=<2", "1.2.3 || 2.x", ">=1.2.3-alpha",
    "bad", ">=", "1.2.3,", "||", "!=1.x", "!=1.2", "<=1.2", ">1.2", "^*", "~0.0.0", "1.2.3-beta.1", "<1.2.3-rc", "v1.2.3", "1.2.3 - 2", "^1.2.3-beta", ">= 1.2 < 3 || 5"]
INTEGERS = ["0", "1", "2", "3", "5", "-1", "-3", "7", "10", "100", "9223372036854775807", "-9223372036854775808"]
SMALL = ["0", "1", "2", "3", "5", "-1", "-3", "7", "10", "20", "40"]
FLOATS = ["0.0", "1.5", "-2.5", "3.14159", "1e6", "1e21", "1e-7", "0.1", "2.675", "1e300", "-0.5", "123456789.125"]

DATA = {
    "s": "text", "e": "", "n": 3, "f": 2.5, "z": 0, "neg": -7, "big": 1e21, "t": True, "no": False, "nil": None,
    "l": ["c", "a", "b", "a"], "mixed": [1, "x", None, True, {"k": "v"}, [1], 2.5, ""], "numbers": [3, 1, 2, 1], "el": [], "nested": [["a"], ["b", "c"], []],
    "m": {"a": 1, "b": "two", "c": {"d": {"e": "deep"}, "x": None}, "l": [1, 2]}, "em": {}, "o": {"a": 5, "b": "", "c": {"d": {"f": 1}, "x": 2}, "new": {"k": "v"}, "l": [], "nul": None},
    "url": {"scheme": "http", "host": "h:80", "path": "/p a", "query": "q=1", "fragment": "f", "userinfo": "u:p"}, "badurl": {"host": 1},
}
LISTS = [".l", ".mixed", ".numbers", ".el", ".nested", '(list 1 "a" nil)', "(list)", '(splitList "," "a,b")', "(until 4)", "(list 1 1.0 1)", '(list (dict "a" 1) (dict "a" 1))', "(chunk 2 (list 1 2 3))", "(.m.l)", '(list "b" "a")', '(toStrings (list 1 2))']
MAPS = [".m", ".em", ".o", '(dict "a" 1 "b" (dict "c" 2))', "(dict)", '(dict "a")', '(dict 1 2 nil 3)', ".m.c", '(dict "x" (dict "y" (list 1)))', ".url", '(deepCopy .m)', '(fromJson "{\\"a\\":{\\"b\\":null}}")']
ANY_VALUES = [".s", ".e", ".n", ".f", ".z", ".neg", ".big", ".t", ".no", ".nil", ".missing", "nil", "true", "false", '(int64 5)', '(int 5)', '(semver "1.2.3")', '(split "," "a,b")', "1", "0", "-5", "2.5", "'x'", '"text"', '""', '"12"', "(list)", '(toDate "2006-01-02" "2024-02-29")', '(toDate "2006-01-02" "2024-02-29").Month']

# The types of parameters: s string, i int, n small int, f float, b bool, l list, m map, a any, r regex, t replacement,
# v version, c constraint, d date, D date or number, z zone, L layout, u uint32, k key of a map; a star repeats.
FUNCTIONS = {
    "hello": "", "trim": "s", "trimAll": "ss", "trimall": "ss", "trimPrefix": "ss", "trimSuffix": "ss", "upper": "s", "lower": "s", "title": "s", "untitle": "s", "swapcase": "s", "nospace": "s", "initials": "s", "contains": "ss",
    "hasPrefix": "ss", "hasSuffix": "ss", "replace": "sss", "repeat": "ns", "trunc": "ns", "substr": "nns", "indent": "ns", "nindent": "ns", "plural": "ssi", "quote": "a*", "squote": "a*", "cat": "a*", "toString": "a", "toStrings": "a",
    "join": "sa", "sortAlpha": "a", "split": "ss", "splitn": "sns", "splitList": "ss", "abbrev": "ns", "abbrevboth": "nns", "wrap": "ns", "wrapWith": "nss", "camelcase": "s", "snakecase": "s", "kebabcase": "s",
    "atoi": "s", "int": "a", "int64": "a", "float64": "a", "toDecimal": "a", "add1": "a", "add": "a*", "sub": "aa", "div": "aa", "mod": "aa", "mul": "aa*", "max": "aa*", "biggest": "aa*", "min": "aa*", "add1f": "a", "addf": "a*", "subf": "aa*",
    "mulf": "aa*", "divf": "aa*", "maxf": "aa*", "minf": "aa*", "floor": "a", "ceil": "a", "round": "anf", "until": "n", "untilStep": "nnn", "seq": "nnn",
    "list": "a*", "tuple": "a*", "append": "la", "push": "la", "mustAppend": "la", "mustPush": "la", "prepend": "la", "mustPrepend": "la", "concat": "l*", "first": "l", "mustFirst": "l", "last": "l", "mustLast": "l", "rest": "l",
    "mustRest": "l", "initial": "l", "mustInitial": "l", "reverse": "l", "mustReverse": "l", "uniq": "l", "mustUniq": "l", "compact": "l", "mustCompact": "l", "without": "la*", "mustWithout": "la*", "has": "al", "mustHas": "al",
    "slice": "lnn", "mustSlice": "lnn", "chunk": "nl", "mustChunk": "nl", "dict": "aaaa*", "get": "mk", "set": "mka", "unset": "mk", "hasKey": "mk", "pluck": "km*", "keys": "m", "values": "m", "pick": "mkk*", "omit": "mkk*",
    "dig": "kkam", "merge": "mm*", "mustMerge": "mm*", "mergeOverwrite": "mm*", "mustMergeOverwrite": "mm*", "deepCopy": "a", "mustDeepCopy": "a",
    "default": "aa", "empty": "a", "coalesce": "a*", "all": "a*", "any": "a*", "ternary": "aab", "typeOf": "a", "typeIs": "sa", "typeIsLike": "sa", "kindOf": "a", "kindIs": "sa", "deepEqual": "aa",
    "toYaml": "a", "mustToYaml": "a", "toYamlPretty": "a", "toJson": "a", "mustToJson": "a", "toPrettyJson": "a", "mustToPrettyJson": "a", "toRawJson": "a", "mustToRawJson": "a", "fromYaml": "s", "fromYamlArray": "s", "fromJson": "s",
    "fromJsonArray": "s", "mustFromJson": "s", "toToml": "m", "mustToToml": "m", "fromToml": "s", "b64enc": "s", "b64dec": "s", "b32enc": "s", "b32dec": "s", "sha1sum": "s", "sha256sum": "s", "sha512sum": "s", "adler32sum": "s",
    "base": "s", "dir": "s", "clean": "s", "ext": "s", "isAbs": "s", "osBase": "s", "osDir": "s", "osClean": "s", "osExt": "s", "osIsAbs": "s", "urlParse": "s", "urlJoin": "m",
    "regexMatch": "rs", "mustRegexMatch": "rs", "regexFind": "rs", "mustRegexFind": "rs", "regexFindAll": "rsn", "mustRegexFindAll": "rsn", "regexReplaceAll": "rst", "mustRegexReplaceAll": "rst", "regexReplaceAllLiteral": "rst",
    "mustRegexReplaceAllLiteral": "rst", "regexSplit": "rsn", "mustRegexSplit": "rsn", "regexQuoteMeta": "s", "semver": "v", "semverCompare": "cv",
    "date": "LD", "dateInZone": "LDz", "date_in_zone": "LDz", "htmlDate": "D", "htmlDateInZone": "Dz", "dateModify": "sd", "date_modify": "sd", "mustDateModify": "sd", "must_date_modify": "sd", "ago": "D", "duration": "a", "durationRound": "a",
    "toDate": "Ls", "mustToDate": "Ls", "unixEpoch": "d", "now": "", "derivePassword": "ussss", "encryptAES": "ss", "decryptAES": "ss", "bcrypt": "s", "htpasswd": "ss", "genPrivateKey": "s", "genCA": "sn", "genCAWithKey": "sns", "genSelfSignedCert": "slln",
    "genSelfSignedCertWithKey": "sllns", "genSignedCert": "sllna", "genSignedCertWithKey": "sllnas", "buildCustomCert": "ss", "randAlphaNum": "n", "randAlpha": "n", "randNumeric": "n", "randAscii": "n", "randBytes": "n", "randInt": "nn", "shuffle": "s",
    "uuidv4": "", "getHostByName": "s", "fail": "s",
}
# Compared by type and length only.
RANDOM = {"encryptAES", "bcrypt", "htpasswd", "randAlphaNum", "randAlpha", "randNumeric", "randAscii", "randBytes", "shuffle", "uuidv4"}
# Compared by their errors only: they look at the clock, or make keys.
ERRORS_ONLY = {"now", "ago", "genPrivateKey", "genCA", "genCAWithKey", "genSelfSignedCert", "genSelfSignedCertWithKey", "genSignedCert", "genSignedCertWithKey", "randInt"}
# Slow ones are called less.
SLOW = {"genPrivateKey", "genCA", "genSelfSignedCert", "genSignedCert", "bcrypt", "htpasswd", "derivePassword"}


def literal(text):
    """A Go string literal."""
    out = '"'
    for char in text:
        if char in '"\\':
            out += "\\" + char
        elif char == "\n":
            out += "\\n"
        elif char == "\t":
            out += "\\t"
        elif ord(char) < 32 or ord(char) == 127:
            out += f"\\x{ord(char):02x}"
        else:
            out += char
    return out + '"'


def any_value(chance):
    return chance.choice([
        lambda: chance.choice(ANY_VALUES), lambda: chance.choice(ANY_VALUES), lambda: literal(chance.choice(STRINGS)), lambda: chance.choice(INTEGERS), lambda: chance.choice(FLOATS), lambda: chance.choice(LISTS), lambda: chance.choice(MAPS),
    ])()


def argument(chance, kind):
    # What is no date is now for the functions of dates.
    if kind not in "D" and chance.random() < 0.04:
        # Counts that Go would try to make room for are left out.
        return chance.choice(ANY_VALUES + LISTS + MAPS + ['"3"']) if kind == "n" else any_value(chance)
    if kind == "s":
        if chance.random() < 0.08:
            return literal("".join(chance.choice("abcXYZ019_- ./:,é\n\t\"'\\{}[]%🎉<>=+*^$#") for _ in range(chance.randint(0, 12))))
        return chance.choice([".s", ".e"]) if chance.random() < 0.05 else literal(chance.choice(STRINGS))
    simple = {"i": INTEGERS, "n": SMALL, "f": FLOATS + ["1"], "b": ["true", "false", ".t", ".no"], "l": LISTS, "m": MAPS, "D": ["0", "1700000000", "(int64 1e9)", "-62135596800", '(toDate "2006-01-02" "2024-02-29")', '(toDate "2006-01-02" "bad")'],
        "d": ['(toDate "2006-01-02" "2024-02-29")', '(toDate "15:04:05" "10:11:12")', '(toDate "2006-01-02" "bad")', '(toDate "2006-01-02T15:04:05Z07:00" "2024-02-29T01:02:03.456+02:00")'], "z": ['"UTC"', '"Local"', '""', '"Nowhere/Land"'], "u": ["1", "0", "4294967295", "-1", "1.5"]}
    if kind in simple:
        return chance.choice(simple[kind])
    if kind == "a":
        return any_value(chance)
    if kind == "k":
        return chance.choice(['"a"', '"b"', '"c"', '"d"', '"x"', '"nope"', '""', ".s"])
    texts = {"r": REGEXES, "t": TEMPLATES, "v": VERSIONS, "c": CONSTRAINTS, "L": STRINGS[60:76] + ["2006-01-02 15:04:05.999 -0700 MST", "Jan 2, 2006 at 3:04pm (MST)", "06/1/2", "Z0700 Z07:00:00 -07"]}
    return literal(chance.choice(texts[kind]))


def call(chance, name):
    signature = FUNCTIONS[name]
    kinds = list(signature.rstrip("*"))
    if signature.endswith("*"):
        kinds += [kinds[-1]] * chance.choice([0, 0, 1, 2])
        if chance.random() < 0.2:
            kinds = kinds[:-1]
    if name in ("seq", "round", "slice", "mustSlice", "default", "dict") and chance.random() < 0.5:
        kinds = kinds[: chance.randint(0, len(kinds))]
    if chance.random() < 0.03:
        kinds = kinds[:-1] if chance.random() < 0.5 else kinds + ["a"]
    arguments = [argument(chance, kind) for kind in kinds]
    if arguments and chance.random() < 0.15:
        return f"{arguments[-1]} | {name} {' '.join(arguments[:-1])}".rstrip()
    return f"{name} {' '.join(arguments)}".rstrip()


def template(chance, name):
    expression = call(chance, name)
    if name in ERRORS_ONLY:
        return "{{ $x := " + expression + " }}{{ typeOf $x }}"
    if name in RANDOM:
        return "{{ $x := " + expression + " }}{{ typeOf $x }} {{ len $x }}"
    if name == "keys":
        return "{{ $x := " + expression + " }}{{ typeOf $x }} {{ $x | sortAlpha | toJson }}"
    if name == "values":
        return "{{ $x := " + expression + " }}{{ typeOf $x }} {{ len $x }}"
    form = chance.random()
    if form < 0.15:
        return "{{ " + expression + " }}"
    if form < 0.3:
        return "{{ $x := " + expression + ' }}{{ printf "%T %v %q" $x $x $x }}'
    if form < 0.4:
        return "{{ $x := " + expression + ' }}{{ printf "%#v" $x }}'
    if name in ("set", "unset", "merge", "mergeOverwrite", "mustMerge", "mustMergeOverwrite"):
        return "{{ $x := " + expression + " }}{{ $x | toJson }} {{ .m | toJson }} {{ .o | toJson }}"
    return "{{ $x := " + expression + " }}{{ typeOf $x }} {{ $x | toJson }}"


def answers(command, lines, may_die):
    """The answers to all lines; none for one that ends Go's process, as what has no end does."""
    found = []
    while len(found) < len(lines):
        done = subprocess.run(command, input="".join(lines[len(found) :]), capture_output=True, text=True, check=False)
        found += [json.loads(line) for line in done.stdout.splitlines()]
        if len(found) < len(lines):
            if not may_die:
                sys.exit(f"{command[0]} ended with {done.returncode} at {lines[len(found)]}{done.stderr[:2000]}")
            found.append(None)
    return found


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--peer", required=True)
    arguments.add_argument("--own", required=True)
    arguments.add_argument("--count", type=int, default=20000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--only", default="")
    arguments.add_argument("--show", type=int, default=40)
    arguments.add_argument("--each", type=int, default=1, help="differences to show of each function")
    given = arguments.parse_args()
    chance = random.Random(given.seed)
    names = [name for name in given.only.split(",") if name] or sorted(FUNCTIONS)
    each = max(1, given.count // len(names))
    calls = [(name, template(chance, name)) for name in names for _ in range(max(1, each // 20) if name in SLOW else each)]
    lines = [json.dumps(text) + "\n" for _, text in calls]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as data:
        json.dump(DATA, data)
        data.flush()
        peer = answers([given.peer, data.name], lines, True)
        own = answers([given.own, data.name], lines, False)
    differing = collections.defaultdict(list)
    errors = 0
    for (name, text), theirs, ours in zip(calls, peer, own):
        if theirs is None:
            print(f"Go ends at {text}")
            continue
        errors += "error" in theirs
        looks_at_clock = name == "durationRound" and "toDate" in text
        if theirs != ours and not looks_at_clock:
            differing[name].append((text, theirs, ours))
    shown = 0
    for name in sorted(differing, key=lambda name: -len(differing[name])):
        print(f"{name}: {len(differing[name])} differ")
        for text, theirs, ours in differing[name][: given.each]:
            if shown < given.show:
                shown += 1
                show = lambda answer: answer.get("error") or repr(bytes.fromhex(answer["out"]).decode(errors="replace"))
                print(f"    {text}\n      peer {show(theirs)}\n      own  {show(ours)}")
    total = sum(map(len, differing.values()))
    print(f"{len(calls)} calls of {len(names)} functions, {errors} of them errors: {len(calls) - total} agree, {total} differ")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
