{ a: std.foldl(function(a, b) a + a, std.range(1, 60), 'x') }
