local f(n) = 1 + f(n + 1);
{ a: { x: f(0) } }
