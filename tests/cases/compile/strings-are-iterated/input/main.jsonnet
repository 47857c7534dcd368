{ text: 'abc', quoted: 'y 1' }
