{ b: [1, { c: null }], a: 'yes' }
