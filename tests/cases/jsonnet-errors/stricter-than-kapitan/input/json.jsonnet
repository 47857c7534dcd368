{ a: std.parseJson('{') }
