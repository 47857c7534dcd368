{ a: { from: 'one' } }
