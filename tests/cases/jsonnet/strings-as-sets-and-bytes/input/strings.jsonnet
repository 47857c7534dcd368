{
  strings: {
    member: std.setMember('c', '-0123456789abc'),
    other: std.setMember('x', '-0123456789abc'),
    encoded: std.base64('hé'),
    decoded: std.base64Decode('w6k='),
    array: std.base64([104, 233]),
  },
}
