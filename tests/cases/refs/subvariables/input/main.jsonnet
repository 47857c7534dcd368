{ a: { deep: '?{base64:y@a.b}', top: 'x ?{base64:y@c} y', open: '?{plain:p@a.b}' } }
