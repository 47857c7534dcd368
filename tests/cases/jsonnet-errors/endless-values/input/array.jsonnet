{ a: std.makeArray(2e9, function(i) i) }
