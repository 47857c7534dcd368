#!/usr/bin/env python3
"""Compares kapstan's rendering of random charts with Helm's.

    cargo build -p kapstan-helm --example template
    python3 tests/differential/helm/compare.py --own target/debug/examples/template --helm4 HELM --helm3 HELM
        [--first 1] [--count 200] [--show 3] [--keep FOLDER] [--tame]

Each seed makes a chart with subcharts, conditions, tags, aliases, imports, globals, nulls, schemas, odd manifests and hooks,
and a command line of values files and assignments. Output and error texts are compared under both profiles; lines that
Helm logs are left aside. Exits with 1 when there is any difference; shows the first few.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

KEYS = ["a", "b", "c", "d", "k1", "dash-ed", "sub", "one", "deep"]
SCALARS = ["1", "0", "-3", "1.5", "1000000", "true", "false", "null", "~", "text", "'1'", "''", "[]", "{}", "[1, x]", "[{a: 1}]",
           "0x10", "1e3", "'yes'", "2001-01-01", "12345678901"]
ASSIGNED = ["1", "0", "-5", "true", "null", "x", "1.5", "007", "{a,b}", "{}", "", "a\\,b", "TRUE", "99999999999999999999", "{1,null}"]
ODD_SETS = ["a[0", "a", "a=1,b,c=2", "a={x", "a[-1]=1", "a[x]=1", "a[70000]=1", "a[0]b=1", "a.b", "a.", "=1", ".a=1", "a..b=1", "a=1,", "a=1,a.b=2",
            "a[0].b=1,a[0].c=2", "a[1][0]=x", "a\\", "a=\\", "a\\.b=1", "b={a,{b}}", "c={a}x=1", "a[0]", "a[0]=", "a[]=1", "", ",", "a=1,,b=2", "é=ü"]
JSON = ['a=1', 'a={"x":[1,null]}', 'a=', 'a=,b=2', '{"a":{"q":1}}', ' {"b":null} ', 'a=[1', 'a={"x":1} , b="s"', 'a=1 b=2', 'sub={"v":1}', 'a.b[1]=true']
MANIFESTS = [
    "kind: ConfigMap\nmetadata: {name: m}\n", "kind: Deployment\n---\nkind: Service\n", "---\nkind: Zebra\n---\n", "---kind: Secret\n",
    "# only a comment\n", "\n\n", "kind: Pod\nmetadata:\n  annotations: {helm.sh/hook: test}\n", "kind: Job\nmetadata:\n  annotations:\n    'helm.sh/hook': pre-install, post-upgrade\n    helm.sh/hook-weight: '3'\n",
    "kind: Job\nmetadata: {annotations: {helm.sh/hook: crd-install}}\n", "metadata: {annotations: {a: 1, b: true}}\n", "metadata: x\n", "- a\n", "a: b: c\n",
    "kind: 3\n", "kind: [a]\n", "metadata: {annotations: [a]}\n", "metadata: {annotations: {a: {}}}\n", "text\n", "a: |\n  x\n---\n  y\n", "a: 1\n--- # c\nb: 2\n", "a: 1\r\n---\r\nb: 2\r\n",
    "apiVersion: []\n", "kind: ClusterRole\n\n\n---\n\n\nkind: Namespace\n\n\n", "kind: ValidatingWebhookConfiguration\n---\nkind: APIService\n", "a: &x [1]\nb: *x\n", "a: *nope\n", "a: 'x\n", "\ta: 1\n", "KIND: Pod\nKind: Job\n",
]
BROKEN = {"metadata: x\n", "- a\n", "a: b: c\n", "kind: [a]\n", "metadata: {annotations: [a]}\n", "metadata: {annotations: {a: {}}}\n", "text\n",
          "a: 1\r\n---\r\nb: 2\r\n", "apiVersion: []\n", "a: *nope\n", "a: 'x\n", "\ta: 1\n"}
SCHEMAS = [
    '{"type":"object"}', '{"properties":{"a":{"type":"string"}}}', '{"properties":{"b":{"type":["integer","null"]}}}', '{"required":["zz"]}', '{"additionalProperties":false}',
    '{"properties":{"a":{"enum":[1,"x",null]}}}', '{"properties":{"a":{"minimum":100000}}}', '{"properties":{"c":{"anyOf":[{"type":"string"},{"type":"array"}]}}}', '{"not":{}}', '{"type":3}', '{',
]
READS = [
    "{{ .Values.a }}", "{{ .Values.sub }}", "{{ .Release.Name }}-{{ .Release.IsInstall }}", "{{ .Chart.Name }} {{ .Chart.Version }}", "{{ .Template.Name }} {{ .Template.BasePath }}", "{{ .Values.a.b }}", "{{ .Capabilities.KubeVersion }}",
    "{{ .Values.global }}", "{{ .Files.Get \"conf/x.txt\" }}", "{{ range $p, $b := .Files.Glob \"conf/**\" }}{{ $p }},{{ end }}", "{{ .Chart.Dependencies | len }}", "{{ .Subcharts | len }}", "{{ include \"shared\" . }}",
    "{{ required \"need d\" .Values.d }}", "{{ fail \"stop\" }}", "{{ .Values.deep.x.y }}", "{{ if .Values.b }}on{{ else }}off{{ end }}", "{{ .Chart.Nope }}", "{{ .Values.AsMap | len }}", "{{ typeOf .Values.a }}", "{{ tpl \"{{ .Chart.Name }}\" . }}",
]


class Maker:
    def __init__(self, seed, is_tame=False):
        self.random = random.Random(seed)
        self.is_tame = is_tame
        self.manifests = [text for text in MANIFESTS if text not in BROKEN] if is_tame else MANIFESTS
        self.reads = [text for text in READS if not any(word in text for word in ["fail", "required", ".Nope", ".y", "a.b"])] if is_tame else READS

    def choose(self, items):
        return self.random.choice(items)

    def maybe(self, chance=0.3):
        return self.random.random() < chance

    def tree(self, depth=0):
        """A mapping in flow style."""
        parts = []
        for key in self.random.sample(KEYS, self.random.randint(0, 4)):
            value = self.tree(depth + 1) if depth < 3 and self.maybe(0.45) else self.choose(SCALARS)
            parts.append(f"{key}: {value}")
        if depth == 0 and self.maybe(0.4):
            parts.append(f"global: {self.tree(1) if self.maybe(0.9) else self.choose(SCALARS)}")
        return "{" + ", ".join(parts) + "}"

    def values(self, subcharts):
        text = ""
        for key in self.random.sample(KEYS, self.random.randint(0, 5)):
            if key in subcharts and self.maybe(0.8):
                continue
            text += f"{key}: {self.tree(1) if self.maybe() else self.choose(SCALARS)}\n"
        for name in subcharts:
            if f"\n{name}:" not in "\n" + text and self.maybe(0.5):
                text += f"{name}: {self.tree(0) if self.is_tame or self.maybe(0.97) else self.choose(SCALARS)}\n"
        if self.maybe(0.5):
            text += f"global: {self.tree(1)}\n"
        if self.maybe(0.2):
            text += "tags: {" + ", ".join(f"{t}: {self.choose(['true', 'false', 'x'])}" for t in ["t1", "t2"] if self.maybe(0.6)) + "}\n"
        if self.maybe(0.1):
            text += "---\n" + f"a: {self.choose(SCALARS)}\nb: {self.tree(1)}\n"
        return text

    def chart(self, folder, name, depth=0):
        os.makedirs(f"{folder}/templates", exist_ok=True)
        subcharts, dependencies = [], []
        for child in self.random.sample(["sub", "one", "leaf"], self.random.choice([0, 0, 1, 2]) if depth < 2 else 0):
            self.chart(f"{folder}/charts/{child}", child, depth + 1)
            names = [child]
            if self.maybe(0.7):
                names = [self.declare(child, dependencies)]
                if self.maybe(0.15):
                    names.append(self.declare(child, dependencies, alias=f"{child}2"))
            subcharts += names
        text = f"apiVersion: {self.choose(['v2', 'v2', 'v2', 'v1'])}\nname: {name}\nversion: {self.choose(['1.2.3', '0.1.0', '1.10', 'v2.0.0'])}\n"
        if not self.is_tame and self.maybe(0.1):
            text += f"kubeVersion: '{self.choose(['>=1.20', '<1.10', '>=1.20-0', '1.36.x', 'bad'])}'\n"
        if not self.is_tame and self.maybe(0.1):
            text += f"type: {self.choose(['library', 'application', 'other'])}\n"
        if self.maybe(0.2):
            text += "keywords: [a, 1]\nannotations: {x: 1, y: z}\nmaintainers: [{name: N, email: e}]\n"
        if dependencies:
            body = "dependencies:\n" + "".join(dependencies)
            if text.startswith("apiVersion: v1"):
                self.write(f"{folder}/requirements.yaml", body)
            else:
                text += body
        self.write(f"{folder}/Chart.yaml", text)
        if self.maybe(0.85):
            self.write(f"{folder}/values.yaml", self.values(subcharts))
        if not self.is_tame and self.maybe(0.06):
            self.write(f"{folder}/values.schema.json", self.choose(SCHEMAS))
        if self.maybe(0.3):
            self.write(f"{folder}/conf/x.txt", "hello\nworld\n")
        self.write(f"{folder}/templates/all.yaml", "all: {{ printf \"%v\" .Values | quote }}\n")
        self.write(f"{folder}/templates/_h.tpl", "{{ define \"shared\" }}from " + name + "{{ end }}")
        for number in range(self.random.randint(0, 2)):
            body = self.choose(self.manifests) if self.maybe(0.6) else f"v{number}: {self.choose(self.reads)}\n"
            self.write(f"{folder}/templates/m{number}.yaml", body)
        if self.maybe(0.2):
            self.write(f"{folder}/templates/NOTES.txt", "Notes of {{ .Chart.Name }}\n")
        if self.maybe(0.2):
            self.write(f"{folder}/crds/crd.yaml", "kind: CustomResourceDefinition\n\n")
        if depth == 0 and self.maybe(0.1):
            self.write(f"{folder}/.helmignore", self.choose(["*.txt\n", "!x\n", "conf/\n", "/crds\n", "**\n", "templates/m0.yaml\n", "# c\n\n"]))

    def declare(self, child, dependencies, alias=None):
        if alias is None and self.maybe(0.25):
            alias = f"al-{child}"
        known = alias or child
        entry = f"  - name: {child}\n    version: '{self.choose(['*', '>=0.0.0', '1.x', '>=0.1', '~1.2', ''])}'\n"
        if alias:
            entry += f"    alias: {alias}\n"
        if self.maybe(0.3):
            entry += f"    condition: {self.choose([known + '.b', 'a', 'deep.a', known + '.a,b', 'global.a'])}\n"
        if self.maybe(0.3):
            entry += f"    tags: [{self.choose(['t1', 't2', 't1, t2'])}]\n"
        if self.maybe(0.25):
            entry += f"    import-values: [{self.choose(['a', '{child: a, parent: b}', '{child: deep, parent: .}', '{child: d.a, parent: c.d}', 'data'])}]\n"
        dependencies.append(entry)
        return known

    @staticmethod
    def write(path, text):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", newline="") as file:
            file.write(text)

    def flags(self, folder):
        flags = []
        if self.maybe(0.5):
            self.write(f"{folder}/v1.yaml", self.values(["sub", "one", "al-sub", "sub2"]))
            flags += ["--values", "v1.yaml"]
        if self.is_tame:
            return flags + ["--include-crds", "true"]
        if self.maybe(0.15):
            self.write(f"{folder}/v2.yaml", self.choose(["a: 1\n---\nb: 2\n", "[a]\n", "x: [\n", "", "null\n", "a: {b: null}\n", "--- x\n", "a: .nan\n"]))
            flags += ["--values", "v2.yaml"]
        for flag in ["--set", "--set-string"]:
            while self.maybe(0.35):
                path = ".".join(self.random.sample(KEYS + ["global", "l[0]", "sub.deep"], 1 if self.is_tame else self.random.randint(1, 3)))
                flags += [flag, self.choose(ODD_SETS) if not self.is_tame and self.maybe(0.25) else f"{path}={self.choose(ASSIGNED)}"]
        if self.maybe(0.15):
            flags += ["--set-json", self.choose(JSON)]
        if self.maybe(0.1):
            flags += ["--set-literal", self.choose(["a=x,y={z}\\.", "a.b=1", "a[1]=x", "a", "a[0", "a=1"])]
        if self.maybe(0.1):
            flags += ["--set-file", self.choose(["a=c/Chart.yaml", "a=nope", "sub.a=c/Chart.yaml,b=nope"])]
        if self.maybe(0.1):
            flags += ["--kube-version", self.choose(["1.20", "v1.33.4-gke.1", "x", "1", "1.9.0+k3s"])]
        if self.maybe(0.1):
            flags += ["--show-only", self.choose(["templates/all.yaml", "templates/*", "nope", "charts/*/templates/all.yaml"])]
        if self.maybe(0.15):
            flags += ["--include-crds", "true"]
        return flags


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=60)
    errors = [line for line in done.stderr.decode(errors="replace").split("\n")]
    if "Error: " in done.stderr.decode(errors="replace"):
        start = next(at for at, line in enumerate(errors) if line.startswith("Error: "))
        errors = errors[start:]
    else:
        errors = []
    # Helm lists these in an order that changes from run to run.
    errors = [re.sub("(?<=additional properties ).*(?= not allowed)", lambda names: ", ".join(sorted(names[0].split(", "))), line) for line in errors]
    return done.returncode, done.stdout.decode(errors="replace"), "\n".join(errors)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--own", required=True)
    parser.add_argument("--helm4")
    parser.add_argument("--helm3")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--show", type=int, default=3)
    parser.add_argument("--keep")
    parser.add_argument("--tame", action="store_true", help="leave out most of what is an error")
    options = parser.parse_args()
    own = os.path.abspath(options.own)
    totals = {"same": 0, "different": 0, "failing": 0}
    for seed in range(options.first, options.first + options.count):
        folder = tempfile.mkdtemp(prefix="helm-compare-")
        maker = Maker(seed, options.tame)
        maker.chart(f"{folder}/c", "c")
        flags = maker.flags(folder)
        is_different = False
        for profile, helm in [("4", options.helm4), ("3", options.helm3)]:
            if not helm:
                continue
            ours = run([own, profile, "rel", "c", *flags], folder)
            of_helm = [flag for flag in flags if flag != "true"]
            theirs = run([os.path.expanduser(helm), "template", "rel", "c", *of_helm], folder)
            totals["failing"] += theirs[0] != 0
            if ours == theirs:
                totals["same"] += 1
                continue
            totals["different"] += 1
            is_different = True
            if options.show > 0:
                options.show -= 1
                print(f"== seed {seed} profile {profile} {' '.join(flags)}")
                for name, mine, peer in zip(["exit", "out", "err"], ours, theirs):
                    if mine != peer:
                        print(f"-- {name} kapstan:\n{mine}\n-- {name} helm:\n{peer}")
        if is_different and options.keep:
            shutil.copytree(folder, f"{options.keep}/{seed}", dirs_exist_ok=True)
        shutil.rmtree(folder)
    print(totals)
    sys.exit(1 if totals["different"] else 0)


if __name__ == "__main__":
    main()
