{ a: { lines: 'a\nb' } }
