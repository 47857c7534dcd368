error 'no'
