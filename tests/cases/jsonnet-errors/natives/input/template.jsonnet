local kap = import 'lib/kapitan.libjsonnet';
{ a: kap.jinja2_template('none.j2', {}) }
