{ a: std.char(55296) }
