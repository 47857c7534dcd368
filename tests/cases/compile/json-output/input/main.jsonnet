{ obj: { b: [1, 'é', '😀', null, true], a: {}, c: [], quote: '"\\/\n\t\u0001\u007f' }, text: 'just text', number: 5, list: [[], [1]] }
