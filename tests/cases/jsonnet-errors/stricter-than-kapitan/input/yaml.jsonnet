{ a: std.parseYaml('a: [') }
