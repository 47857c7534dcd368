{
  a: {
    lines: 'a\nb', ended: 'a\nb\n', indented: 'a\n  b\nc\n', empty: 'a\n\nb',
    long: 'aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjj kkkk llll mmmm nnnn oooo pppp qqqq rrrr ssss\nb',
  },
}
