local kap = import 'lib/kapitan.libjsonnet';
{ a: kap.topics('none') }
