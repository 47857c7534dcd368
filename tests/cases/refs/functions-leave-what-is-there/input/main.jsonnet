{ a: { p: '?{plain:p||random:str}' } }
