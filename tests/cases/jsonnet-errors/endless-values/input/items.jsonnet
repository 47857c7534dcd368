{ a: std.repeat([1, 2], 2e9) }
