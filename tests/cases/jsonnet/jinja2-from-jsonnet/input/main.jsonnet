local kap = import 'lib/kapitan.libjsonnet';
{ a: { text: kap.jinja2_template('t.j2', { name: 'x', list: [1, true, null] }) } }
