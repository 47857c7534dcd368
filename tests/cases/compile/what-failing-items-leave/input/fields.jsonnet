{ a: 'text', b: { no: 'text' }, c: 'never written' }
