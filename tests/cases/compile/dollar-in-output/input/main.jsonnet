local kap = import 'lib/kapitan.libjsonnet';
{ a: { price: kap.inventory().parameters.price } }
