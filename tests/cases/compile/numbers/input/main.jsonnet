{
  a: [{
    big: 1e100, edge: 9007199254740993, long: 123456789012345678, third: 1 / 3, small: 1e-7, whole: 1.0,
    minus_zero: -0.0, sum: 0.1 + 0.2, million: 1e6, huge: 1.5e300, tiny: 5e-324, exponent: 1e21, negative: -42, half: 0.5,
  }],
}
