{ a: local l = std.range(1, 1e4); std.flattenArrays([l for i in l]) }
