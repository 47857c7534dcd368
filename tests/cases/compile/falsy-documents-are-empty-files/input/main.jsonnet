{ a: {}, b: [], c: '', d: 0, e: false, f: null }
