{ a: { b: '?{base64:b||rot13}' } }
