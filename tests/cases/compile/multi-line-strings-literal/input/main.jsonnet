{
  a: {
    lines: 'a\nb', ended: 'a\nb\n', more: 'a\nb\n\n', leading: '\na', blank: ' a\nb', only: '\n', two: '\n\n',
    trailing: 'a \nb', last: 'a\nb ', tab: 'a\tb\nc', accent: 'é\nb', carriage: 'a\r\nb\r\n', list: ['a\nb'],
    long: 'aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjj kkkk llll mmmm nnnn oooo pppp qqqq rrrr ssss\nb',
  },
  z: { end: 'x\n\n' },
}
