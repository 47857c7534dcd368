{
  a: {
    lines: 'a\nb', one: 'plain',
    long: 'aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjj kkkk llll mmmm nnnn oooo pppp qqqq rrrr ssss\nb tttt uuuu',
  },
}
