{ a: std.repeat('text', 2e9) }
