{ a: { b: '<?{base64:b}>', bin: '?{base64:bin}' } }
