#!/usr/bin/env python3
"""Writes random inventories: generate.py FOLDER FIRST LAST [FLAVOUR]

Each seed from FIRST to LAST makes FOLDER/SEED with targets, classes and sometimes a reclass-config.yml. They cover nested classes,
relative and interpolated names, merges of every kind of value, prefixes, references in all forms, escapes, queries and settings.
FLAVOUR `tame` leaves out what nearly always ends in an error, so that more inventories render.
"""
import os
import random
import sys

KEYS = ["a", "b", "c", "d", "e", "f", "x.y", "k-1"]
CLASSES = ["c0", "c1", "c2", "c3", "c4", "p.q", "p.r", "p.s.t", "p", "p.s", "env.dev", "env.prod", "u.v.w"]
SCALARS = ["1", "'1'", "two", "true", "no", "null", "~", "1.5", "1e3", "0x1f", "017", "2020-01-01", "''", "' s '", "'a\\b'",
           "\"t\\tab\"", "'multi\n\n  line'", "12:30", "2001-12-14 21:59:43.10 -5", "1e20", "-0.0", ".inf", "é", "'$x'"]
ESCAPES = [r"\${%s}", r"\\${%s}", r"\\\${%s}", r"\\\\${%s}", r"${%s}\}", r"\\} ${%s}", r"$${%s}", r"${%s}}", r"\$${%s}",
           r"x\${y}z", r"a\b${%s}", r"\$[x] ${%s}", "tab\tx\t${%s}\ty", r"${%s}\\"]

BASE = """parameters:
  s0: text
  s1: 7
  n0: null
  d0: {k: v, j: {i: 1, h: "${s0}"}, l: [1, "${s1}"], 1: one}
  d1: {k: "${d0:j}", =c: fixed, m: "${d0:k}-${s1}"}
  l0: [1, {x: "${s0}", ~y: 2}, [3]]
  l1: ${l0}
  env: dev
  pick: k
  name: s0
"""
KNOWN = ["s0", "s1", "n0", "d0", "d0:k", "d0:j", "d0:j:h", "d0:l", "d0:1", "d1", "d1:k:i", "d1:m", "l0", "l1", "l0:1:x", "l0:-2:x", "env",
         "_reclass_:name:short", "_reclass_:name:parts", "d0:${pick}", "${name}", "d1:${d0:nope}"]


class Maker:
    def __init__(self, seed, tame):
        self.random = random.Random(seed)
        self.tame = tame

    def chance(self, of_100):
        return self.random.random() * 100 < of_100

    def pick(self, items):
        return self.random.choice(items)

    def path(self, depth=2):
        parts = [self.pick(KEYS) for _ in range(self.random.randint(1, depth))]
        if self.chance(6):
            parts[self.random.randrange(len(parts))] = self.pick(["0", "1", "-1", "k"])
        if self.chance(4):
            parts = ["_reclass_"] + self.pick([["name", "full"], ["environment"], ["name", "parts"], ["name"]])
        return ":".join(parts)

    def reference(self, depth=0):
        if self.tame and self.chance(85):
            return "${%s}" % self.pick(KNOWN[:-1] if self.chance(97) else KNOWN)
        if depth < 2 and self.chance(10):
            outer = self.pick(KEYS)
            return "${%s:%s}" % (outer, self.reference(depth + 1)) if self.chance(60) else "${%s}" % self.reference(depth + 1)
        return "${%s}" % self.path(1 if self.tame else 2)

    def text(self):
        kind = self.random.random()
        if kind < 0.55:
            return self.reference()
        if kind < 0.8:
            return self.pick(["pre-", "", "a b ", "/"]) + self.reference() + self.pick(["-post", "", " "]) + self.pick(["", self.reference()])
        if kind < 0.97 or self.tame:
            form = self.pick(ESCAPES)
            path = self.pick(["s0", "s1", "d0:k"]) if self.tame else self.path(1)
            return form % path if "%s" in form else form
        return self.pick(["${", "${}", "${a", "a ${b", "${a:${b}", "$[", "$[]", "${a}${"])

    def quoted(self, text):
        return "'" + text.replace("'", "''") + "'" if "\t" not in text else '"' + text.replace("\\", "\\\\").replace("\t", "\\t") + '"'

    def query(self):
        path = "exports:" + self.pick(["ea", "eb", "ec", "ea:x"])
        operand = self.pick(["1", "two", "true", "self:a", "self:b", "1.5"])
        test = "exports:%s %s %s" % (self.pick(["ea", "eb", "ec"]), self.pick(["==", "!="]), operand)
        if self.chance(30):
            test += " %s exports:%s == %s" % (self.pick(["and", "or", "AND"]), self.pick(["ea", "eb"]), self.pick(["1", "two"]))
        option = self.pick(["", "", "+AllEnvs ", "+IgnoreErrors ", "+allenvs +ignoreerrors "])
        return self.pick(["$[ %s%s ]" % (option, path), "$[ %s%s if %s ]" % (option, path, test), "$[ %sif %s ]" % (option, test)])

    def value(self, depth):
        """A value as YAML flow text."""
        kind = self.random.random()
        if depth >= 3 or kind < 0.35:
            return self.pick(SCALARS)
        if kind < 0.6:
            return self.quoted(self.text())
        if kind < 0.8:
            return self.mapping(depth + 1)
        return "[" + ", ".join(self.value(depth + 1) for _ in range(self.random.randint(0, 3))) + "]"

    def key(self, nested):
        key = self.pick(KEYS)
        if self.chance(6):
            key = self.pick(["~", "~", "~", "~~"] if self.tame and self.chance(85) else ["~", "=", "~="]) + key
        elif self.tame and not nested and self.chance(20):
            key = self.pick(["s0", "d0", "d1", "l0", "n0"])
        elif nested and self.chance(6):
            return self.pick(["1", "true", "null", "2020-01-01", "1.5", "'1'", "'${a}'", "'a:b'"])
        return "'%s'" % key

    def shaped(self, key, depth):
        """Tame inventories give each key one kind of value, so that most merges succeed."""
        known = {"s0": 0, "d0": 1, "d1": 1, "l0": 2, "n0": 0}
        kind = known.get(key, "abcdefx k".index(key[0]) % 4 if key[0] in "abcdefx k" else 0)
        if self.chance(6):
            return self.pick(["null", self.quoted(self.reference())])
        if depth >= 3 or kind == 0:
            return self.pick(SCALARS) if self.chance(60) else self.quoted(self.text())
        if kind == 1:
            return self.mapping(depth + 1)
        if kind == 2:
            return "[" + ", ".join(self.pick([self.pick(SCALARS), self.quoted(self.text()), self.mapping(depth + 2)]) for _ in range(self.random.randint(0, 3))) + "]"
        return self.pick(SCALARS)

    def mapping(self, depth):
        entries = {}
        for _ in range(self.random.randint(0, 4)):
            key = self.key(True)
            bare = key.strip("'").lstrip("~=")
            entries[key] = self.shaped(bare, depth) if self.tame and bare else self.value(depth)
        return "{" + ", ".join("%s: %s" % item for item in entries.items()) + "}"

    def parameters(self):
        lines = {}
        for _ in range(self.random.randint(0, 6)):
            key = self.key(self.chance(10))
            bare = key.strip("'").lstrip("~=")
            lines[key] = self.shaped(bare, 0) if self.tame and bare else self.value(0)
        if self.chance(8):
            lines["env"] = self.pick(["dev", "prod", "'${a}'"])
        if self.chance(4):
            lines["q%d" % self.random.randint(0, 1)] = self.quoted(self.query())
        return lines

    def classes(self, allowed, is_target):
        listed = [self.pick(allowed) for _ in range(self.random.randint(0, 4))] if allowed else []
        for at, name in enumerate(listed):
            if self.tame and self.chance(92):
                continue
            if self.chance(6):
                listed[at] = self.pick(["env.${env}", "${cls}", "p.${a}", "env.${_reclass_:name:full}"])
            elif self.chance(6):
                listed[at] = self.pick([".", "..", "..."]) + name.split(".")[-1]
            elif self.chance(1):
                listed[at] = self.pick(["missing", "a b", "a/b"])
        return (["base"] if self.tame and is_target else []) + listed

    def entity(self, allowed, is_target=False):
        out = []
        listed = self.classes(allowed, is_target)
        if listed:
            out.append("classes: [" + ", ".join(self.quoted(name) for name in listed) + "]")
        if self.chance(30):
            names = [self.pick(["", "", "~"]) + self.pick(["app1", "app2", "app3"]) for _ in range(self.random.randint(1, 4))]
            out.append("applications: [" + ", ".join(self.quoted(name) for name in names) + "]")
        if self.chance(8):
            out.append("environment: " + self.pick(["dev", "prod", "null"]))
        parameters = self.parameters()
        if parameters:
            out.append("parameters:")
            out.extend("  %s: %s" % item for item in parameters.items())
        if self.chance(15):
            out.append("exports:")
            for key in self.random.sample(["ea", "eb", "ec"], self.random.randint(1, 3)):
                out.append("  %s: %s" % (key, self.pick(["1", "two", "true", "'${a}'", "{x: 1, y: '${b}'}", "[1, two]", "'${_reclass_:name:full}'"])))
        return "\n".join(out) + "\n"

    def config(self):
        switches = ["allow_scalar_over_dict", "allow_scalar_over_list", "allow_list_over_scalar", "allow_dict_over_scalar", "allow_none_override",
                    "automatic_parameters", "group_errors", "ignore_overwritten_missing_references", "strict_constant_parameters", "ignore_class_notfound"]
        lines = ["%s: %s" % (name, self.pick(["true", "true", "false"])) for name in switches if self.chance(30)]
        if self.chance(20):
            lines.append("class_mappings: ['t* %s', '/^t(\\d)$/ c\\\\1']" % self.pick(CLASSES))
        if self.chance(10):
            lines.append("default_environment: prod")
        if self.chance(5):
            lines.append("dict_key_override_prefix: '^'")
        if self.chance(5):
            lines.append("delimiter: '.'")
        if self.chance(5):
            lines.append("reference_sentinels: ['<<', '>>']")
        return "\n".join(lines) + "\n"


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def generate(folder, seed, tame):
    maker = Maker(seed, tame)
    present = [name for name in CLASSES if name in ("env.dev", "env.prod") or maker.chance(70)]
    for at, name in enumerate(present):
        # Mostly classes include those before them; seldom any, which may make a circle.
        allowed = CLASSES if maker.chance(3) else present[:at]
        path = name.replace(".", "/") + maker.pick([".yml", ".yml", "/init.yml", ".yaml"])
        write(os.path.join(folder, "classes", path), maker.entity(allowed))
    for number in range(maker.random.randint(1, 3)):
        write(os.path.join(folder, "targets", "t%d.yml" % number), maker.entity(present, True))
    if tame:
        write(os.path.join(folder, "classes", "base.yml"), BASE)
    if maker.chance(30):
        write(os.path.join(folder, "reclass-config.yml"), maker.config())


def main():
    folder, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    tame = sys.argv[4:] == ["tame"]
    for seed in range(first, last + 1):
        generate(os.path.join(folder, str(seed)), seed, tame)
        print(os.path.join(folder, str(seed)))


if __name__ == "__main__":
    main()
