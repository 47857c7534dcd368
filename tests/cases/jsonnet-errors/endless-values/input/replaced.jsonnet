{ a: local s = std.repeat('x', 1e5); std.strReplace(s, 'x', s) }
