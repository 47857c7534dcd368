{ 'a.yaml/b': { y: 1 }, a: { x: 1 } }
