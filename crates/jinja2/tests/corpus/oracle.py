"""Renders the snippets of this folder with real Jinja2, set up as Kapitan sets it up.

Usage: python oracle.py SNIPPETS.txt > EXPECTED.jsonl   (needs jinja2 and kapitan)

A snippet file holds snippets separated by lines that are `%%%`. Within a snippet, a line `%file NAME` starts a further
template. One line of JSON per snippet comes out: the result, or the error as Kapitan words it.
"""

import json
import os
import re
import sys
import traceback

import jinja2
import kapitan.utils  # must come first: the two import each other
from kapitan import jinja2_filters

HERE = os.path.dirname(os.path.abspath(__file__))


def environment(files):
    def load(name):
        return (files[name], name, None) if name in files else None

    env = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FunctionLoader(load),
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.do"],
    )
    jinja2_filters.load_jinja2_filters(env)
    return env


def split(snippet):
    files, name = {}, "main"
    lines = []
    for line in snippet.split("\n"):
        if line.startswith("%file "):
            files[name] = "\n".join(lines)
            name, lines = line[len("%file ") :], []
        else:
            lines.append(line)
    files[name] = "\n".join(lines)
    return files


def render(files, context):
    env = environment(files)
    try:
        return {"ok": env.get_template("main").render(context)}
    except jinja2.TemplateError as error:
        places = ("top-level template code", "template", "<module>")
        frames = [f for f in traceback.extract_tb(sys.exc_info()[2]) if f[2] in places]
        at = f"{frames[-1][0]}:{frames[-1][1]}" if frames else "?"
        return {"error": f"Jinja2 TemplateError: {error}, at {at}"}
    except Exception as error:
        return {"error": str(error)}


def snippets(path):
    with open(path, encoding="utf-8", newline="") as f:
        return [s.removesuffix("\n") for s in f.read().split("%%%\n")]


def main():
    with open(os.path.join(HERE, "context.json"), encoding="utf-8") as f:
        context = f.read()
    for snippet in snippets(sys.argv[1]):
        result = render(split(snippet), json.loads(context))
        result = {kind: re.sub("0x[0-9a-f]{8,}", "0x0", text) for kind, text in result.items()}
        print(json.dumps({"snippet": snippet, **result}, ensure_ascii=False))


main()
