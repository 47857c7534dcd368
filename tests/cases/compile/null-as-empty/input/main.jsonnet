{ a: { n: null, l: [null, 1], m: { x: null } }, docs: [null, null, { a: null }] }
