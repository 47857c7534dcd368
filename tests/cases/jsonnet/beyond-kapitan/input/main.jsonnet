{ a: { sha1: std.sha1('a'), sha256: std.sha256('a'), sha512: std.sha512('a'), sha3: std.sha3('a'), added: { a: 'x' } + { a+: [0.1] } } }
