local kap = import 'lib/kapitan.libjsonnet';
{ a: { sha: kap.sha256('héllo'), empty: kap.sha256(''), gz: kap.gzip_b64('hello'), gz_empty: kap.gzip_b64('') } }
