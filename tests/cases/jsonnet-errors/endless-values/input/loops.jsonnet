{ a: std.length([x for x in std.range(1, 1e9)]) }
