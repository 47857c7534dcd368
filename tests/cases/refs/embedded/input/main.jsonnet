{ a: { b: '?{base64:b}', sub: '?{base64:y@a.b}' } }
