{ a: { x: 1 }, 'b.yaml': { y: 1 } }
