{ a: { list: [{ x: 1 }], none: [], empty: {} } }
