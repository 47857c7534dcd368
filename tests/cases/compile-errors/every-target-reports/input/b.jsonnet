error 'second'
