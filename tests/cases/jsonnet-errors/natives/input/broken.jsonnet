local kap = import 'lib/kapitan.libjsonnet';
{ a: kap.jinja2_template('broken.j2', {}) }
