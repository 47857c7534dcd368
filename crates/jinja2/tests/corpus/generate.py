"""Writes snippets that pair every operator, filter, test and method with values of every kind.

Usage: python generate.py > SNIPPETS.txt; then oracle.py as usual. What comes out is the same every time.
"""

import itertools
import random

VALUES = [
    "none", "true", "false", "0", "1", "-7", "42", "10**25", "1.5", "-0.5", "2.0", "1e20", "''", "'a'", "'Abc dEf'",
    "'é日本 x'", "'1.5'", "' 42 '", "'a,b,,c'", "'<b>&\\'\"'", "'line one\\nline  two\\n\\nend'", "[]", "[1, 2, 3]",
    "[3, 'a', none]", "['b', 'A', 'c', 'a']", "[[1, 2], [3]]", "[{'a': 1, 'b': 'x'}, {'a': 2}]", "()", "(1, 'x')",
    "{}", "{'a': 1, 'b': [2]}", "{1: 'x', none: 2}", "range(4)", "app", "items", "text", "nope", "app.nope",
    "'x'|safe", "nums|map('string')", "app.env.items()", "{'b': 1.0, 'A': true}",
]
OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "~", "==", "!=", "<", "<=", ">", ">=", "in", "not in", "and", "or"]
FILTERS = [
    "abs", "attr('a')", "attr('upper')", "batch(2)", "batch(2, 'z')|list", "capitalize", "center(9)", "count", "default('d')",
    "default('d', true)", "dictsort", "dictsort(true, 'value')", "dictsort(by='bad')", "e", "filesizeformat",
    "filesizeformat(true)", "first", "float", "float(7)", "forceescape", "format(1)", "format(1, 2)", "groupby('a')",
    "groupby('a', default=0)", "indent", "indent(2, true)", "indent('>>', blank=true)", "int", "int(5)", "int(base=16)",
    "int(0, 0)", "items|list", "join", "join('-')", "join(', ', attribute='a')", "last", "length", "list", "lower",
    "map('upper')|list", "map(attribute='a')|list", "map(attribute='a', default='-')|list", "map('int', 9)|list", "max", "min",
    "max(attribute='a')", "pprint", "reject|list", "reject('string')|list", "rejectattr('b')|list", "replace('a', 'X')",
    "replace('', '-', 2)", "reverse", "reverse|list", "round", "round(1)", "round(1, 'floor')", "round(-1)", "round(2, 'bad')",
    "safe", "select|list", "select('odd')|list", "select('eq', 1)|list", "selectattr('a', 'gt', 1)|list", "slice(2)|list",
    "slice(3, 'f')|list", "sort", "sort(reverse=true)", "sort(attribute='a')", "sort(case_sensitive=true)", "string", "striptags",
    "sum", "sum(attribute='a')", "sum(start=10)", "title", "tojson", "tojson(2)", "tojson(indent='.')", "trim", "trim('a')",
    "truncate(5)", "truncate(5, true, '~', 0)", "truncate(3, leeway=0)", "unique|list", "unique(true)|list", "upper", "urlencode",
    "urlize", "wordcount", "wordwrap(5)", "wordwrap(5, false)", "wordwrap(9, wrapstring='|')", "xmlattr", "sha256", "b64encode", "b64decode",
    "yaml", "toml", "bool", "to_datetime", "strftime(0)", "regex_replace('[a-z]', '<\\\\g<0>>')", "regex_replace('x*', '-')",
    "regex_escape", "regex_search('(.)(b)?', '\\\\1', '\\\\2')", "regex_search('B', ignorecase=true)",
    "regex_findall('(a)|(b)')", "regex_findall('^.', multiline=true)", "ternary(1, 2)", "ternary(1, 2, 3)", "shuffle(7)",
    "shuffle('s')", "shuffle(2.5)", "merge_strategic", "reverse|join", "list|length", "nosuch", "upper(1)", "replace()", "indent(x=1)",
]
TESTS = [
    "odd", "even", "divisibleby(3)", "divisibleby 2", "defined", "undefined", "none", "boolean", "true", "false", "integer", "float",
    "lower", "upper", "string", "mapping", "number", "sequence", "iterable", "callable", "escaped", "sameas(none)", "in([1, 'a', none])",
    "eq(1)", "ne('a')", "gt(1)", "le 2", "filter", "test", "nosuch", "not odd",
]
METHODS = [
    "upper()", "title()", "swapcase()", "capitalize()", "strip('a ')", "split()", "split(',')", "split(None, 1)", "rsplit(' ', 1)",
    "splitlines()", "splitlines(true)", "join(['x', 'y'])", "join([1])", "replace('a', 'b')", "startswith('a')", "endswith(('c', 'F'))",
    "find('b')", "index('b')", "rfind('e')", "count('a')", "partition('b')", "rpartition(',')", "center(8, '*')", "ljust(6)",
    "rjust(6, '0')", "zfill(6)", "expandtabs()", "format(1, a=2)", "encode()", "isdigit()", "isalpha()", "isalnum()", "isupper()",
    "istitle()", "isspace()", "isidentifier()", "removeprefix('A')", "removesuffix('f')", "append(1)", "pop()", "pop(0)", "pop('a')",
    "pop('zz', 9)", "index(2)", "count(1)", "copy()", "keys()", "values()", "items()", "items()|list", "get('a')", "get('q', 0)",
    "setdefault('a', 5)", "update({'z': 1})", "update(z=1)", "sort()", "reverse()", "insert(0, 1)", "remove(9)", "extend([1])", "nosuch()",
    "a", "0", "b", "real", "is_integer()", "bit_length()", "__len__()", "__class__.__name__", "year", "upper(1)", "split(1)", "append()", "clear()",
]
FORMATS = [
    "%s", "%r", "%d", "%5d|", "%-5d|", "%05d", "%+d", "%x", "%#x", "%o", "%e", "%.3e", "%f", "%.1f", "%08.2f", "%g", "%.3g", "%c",
    "%10s|", "%-10s|", "%.2s", "%%", "%s %s", "%(a)s", "%q", "%", "%*d", "%i", "%5.1f|", "% d", "%a",
]
SPECS = [
    "", "5", "<5", ">5", "^7", "*^7", "05", "+", ",", "_", ".2f", ",.2f", "e", ".3e", "g", ".2", "%", ".1%", "d", "x", "#x", "b", "#b", "o",
    "c", "s", "10s", ".2s", "08.3f", "+.1f", "=+8", "n", "X", "G", "q", "5.", ">>8", "0>6", " ",
]
SLICES = ["1", "-1", "9", "1:", ":-1", "::2", "::-1", "1:2", "-2:", "5:1", "'a'", "none", "::0", "1.5", "true", "nope"]
TEMPLATES = [
    "{% for x in V %}{{ x }};{% else %}E{% endfor %}", "{% for a, b in V %}{{ a }}={{ b }};{% endfor %}",
    "{% for x in V %}{{ loop.index }}/{{ loop.length }}{{ loop.last }}{{ loop.nextitem|default('-') }};{% endfor %}",
    "{% for x in V if x %}{{ loop.index0 }}{{ x }};{% endfor %}", "{% if V %}T{% elif not V %}F{% endif %}",
    "{% set a, b = V %}{{ a }}{{ b }}", "{% set x = V %}{{ x }}|{{ [x] }}|{{ {'k': x} }}", "{{ V if V else 'no' }}",
    "{% set d = {} %}{% do d.update({V: 1}) %}{{ d }}", "{{ not V }} {{ V is V }}", "{{ -V }}", "{{ +V }}", "{{ V(1) }}", "{{ V.x.y }}", "{{ V['x'] }}",
    "{% with q = V %}{{ q }}{% endwith %}", "{% macro m(p=V) %}{{ p }}{% endmacro %}{{ m() }}", "{{ dict(V) }}", "{{ range(V) }}",
    "{{ [V, V]|unique|list }}", "{{ namespace(V) }}", "{{ cycler(V).next() }}", "{{ m(*V) if false else 'z' }}{{ dict(**V) }}", "{% include V %}",
    "{{ V ~ V }}", "{{ (V,) < (V,) }}", "{{ [V] == [V] }}", "{% filter upper %}{{ V }}{% endfilter %}", "{% set t %}{{ V }}{% endset %}{{ t|length }}",
    "{% autoescape true %}{{ V }}{{ V ~ '<' }}{% endautoescape %}", "{% for x in V recursive %}{{ x }}{% endfor %}", "{{ '%s' % V }}", "{{ '{}'.format(V) }}",
    "{{ lipsum is callable }}{{ V is sameas V }}", "{{ V|list|sort|first }}", "{% print V, 1 %}",
]
WHITESPACE = ["", " ", "\n", "\n  ", "  \n", "\t", "x", " y\n", "\n\n"]
TAGS = [
    "{% if true %}", "{%- if true %}", "{%+ if true %}", "{% if true -%}", "{% endif %}", "{%- endif -%}", "{%+ endif +%}", "{{ 1 }}", "{{- 2 -}}",
    "{# c #}", "{#- c -#}", "{#+ c +#}", "{% raw %}", "{%- raw -%}", "{% endraw %}", "{%- endraw %}", "{% endraw -%}", "{{ '}}' }}", "{% set x = 1 %}",
]
PIECES = TAGS + [
    "{{", "}}", "{%", "%}", "{#", "#}", "x", "1", "'s'", "+", "*", "(", ")", "[", "]", "{", "}", ".", ",", ":", "|", "is", "in", "not", "if", "else",
    "for", "endfor", "{% for a in nums %}", "{% endfor %}", "{% block b %}", "{% endblock %}", "{% macro m(a, b=1) %}", "{% endmacro %}", "{{ m(2) }}",
    "{% call m(1) %}", "{% endcall %}", "{% filter upper %}", "{% endfilter %}", "{% set q %}", "{% endset %}", "{% with z = 1 %}", "{% endwith %}", "\n",
    "{% elif x %}", "{% else %}", "{% do nums.append(1) %}", "{{ nums }}", "{{ loop.index }}", "{% extends 'main' %}", "{% import 'z' as z %}", "$", "'", "\\",
]


def snippets():
    for op, left, right in itertools.product(OPERATORS, VALUES, VALUES):
        if "**" in op and ("10**25" in (left, right) or "1e20" in right):
            continue
        yield f"{{{{ ({left}) {op} ({right}) }}}}"
    for value in VALUES:
        yield from (f"{{{{ ({value})|{use} }}}}" for use in FILTERS)
        yield from (f"{{{{ ({value}) is {use} }}}}" for use in TESTS)
        yield from (f"{{% set v = {value} %}}{{{{ v.{use} }}}} {{{{ v }}}}" for use in METHODS)
        yield from (f"{{{{ '{use}' % ({value}) }}}}" for use in FORMATS)
        yield from (f"{{{{ '{{:{use}}}'.format({value}) }}}}" for use in SPECS)
        yield from (f"{{{{ ({value})[{use}] }}}}" for use in SLICES)
        yield from (use.replace("V", f"({value})") for use in TEMPLATES)
    dice = random.Random(4)
    for _ in range(4000):
        parts = (dice.choice(WHITESPACE) + dice.choice(TAGS) for _ in range(dice.randint(1, 6)))
        yield "".join(parts) + dice.choice(WHITESPACE)
    for _ in range(4000):
        yield dice.choice(["", "{{ ", "{% if "]) + " ".join(dice.choice(PIECES) for _ in range(dice.randint(1, 9)))


print("%%%\n".join(snippet + "\n" for snippet in snippets()), end="")
