{ a: local f(s) = f(s + s); f('x') }
