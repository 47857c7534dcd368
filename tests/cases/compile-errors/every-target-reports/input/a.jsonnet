error 'first'
