{ a: { from: 'two' } }
