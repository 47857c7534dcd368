local kap = import 'lib/kapitan.libjsonnet';
local schema = { type: 'object', properties: { port: { type: 'integer', maximum: 65535 } }, required: ['port'] };
{ a: { good: kap.jsonschema({ port: 80 }, schema), bad: kap.jsonschema({ port: 70000 }, schema), missing: kap.jsonschema({}, schema) } }
