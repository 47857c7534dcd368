local kap = import 'lib/kapitan.libjsonnet';
{ a: kap.inventory('none') }
