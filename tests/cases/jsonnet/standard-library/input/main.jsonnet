{
  a: {
    fmt: '%s %d %05.2f %x %-5s|%5s|' % ['a', 42, 3.14159, 255, 'l', 'r'],
    named: '%(x)s-%(y)03d' % { x: 'q', y: 7 },
    manifest: std.manifestYamlDoc({ a: [1, { b: 'c\nd' }], e: {} }),
    json: std.manifestJsonEx({ x: [1, {}] }, '  '),
    ini: std.manifestIni({ main: { a: '1' }, sections: { s: { k: 'v' } } }),
    sorted: std.sort([3, 1, 2]), set: std.set(['b', 'a', 'b']), uniq: std.uniq([1, 1, 2]),
    split: std.split('a,b,c', ','), join: std.join('-', ['x', 'y']), md5: std.md5('a'), b64: std.base64('hi'),
    fold: std.foldl(function(a, b) a + b, [1, 2, 3], 0), merged: std.mergePatch({ a: 1, b: 2 }, { b: null, c: 3 }),
    parse: std.parseJson('{"a": [1.5, null]}'), range: std.range(1, 3), lower: std.asciiLower('ABC'), rep: std.strReplace('aXb', 'X', '--'),
    pruned: std.prune({ a: [], b: { c: null }, d: 1 }), escaped: std.escapeStringJson('a"b\n'), pow: std.pow(2, 10), mod: 7 % 3, str: std.toString({ a: 1.0 }),
  },
}
