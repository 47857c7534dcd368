local base = { name: 'base', hidden:: 1, upper: std.asciiUpper(self.name), nested+: { a: 1 }, list: [1] };
local f(x, y=2) = x * y;
{
  a: base { name: 'derived', nested+: { b: super.a + 1 }, list+: [2], shown: self.hidden },
  b: { [k]: f(std.length(k)) for k in ['x', 'yy'] },
  c: { l: [x for x in std.range(1, 10) if x % 2 == 0], lazy: [1, error 'never'][0], 'if': if false then 1, text: |||
    block
      text
  ||| },
  assert self.b.x == 2 : 'wrong',
}
