{ a: std.range(1, 2e9) }
