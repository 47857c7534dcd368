{
  a: {
    'a.b': { x: 1 }, e: {}, l: [1, 2], lst: [{ a: 1, b: { c: 2 } }, { a: 2 }], z: 1, s: 'q"\n\té', none: [], nul: null, b: true, f: 1.5, sci: 1e-7,
    nested: [[1, 2], ['a']],
  },
  b: { a: { b: { c: 1 }, d: 2 } },
  c: { a: [{}] },
}
