{ a: { p: '?{plain:p}', b: 'x ?{base64:b} y ?{base64:b}', list: ['?{env:e}'], '?{plain:p}': 'a key' } }
