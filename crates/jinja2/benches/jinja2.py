"""Renders benches/service.j2 with Jinja2 and prints renders per second: parsed once, and parsed every time as Kapitan
does. Usage: python jinja2.py (needs jinja2)."""

import json
import os
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
sys.path = [path for path in sys.path if os.path.abspath(path or ".") != here]

import jinja2  # noqa: E402

context = json.load(open(os.path.join(here, "..", "tests", "corpus", "context.json")))
source = open(os.path.join(here, "service.j2")).read()


def environment():
    return jinja2.Environment(
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.do"]
    )


def rate(render, count):
    start = time.process_time()
    for _ in range(count):
        render()
    return count / (time.process_time() - start)


template = environment().from_string(source)
print(f"jinja2, parsed once: {rate(lambda: template.render(context), 2000):.0f} renders/s")
print(f"jinja2, parsed every time: {rate(lambda: environment().from_string(source).render(context), 50):.0f} renders/s")
