{
  mappings: [{ a: 1 }, { b: 2 }],
  mixed: [1, null, {}, [], 'text', 'a\nb', true, [1, 2], { x: [1] }],
  one: [{ a: 1 }],
  scalar: ['only'],
}
