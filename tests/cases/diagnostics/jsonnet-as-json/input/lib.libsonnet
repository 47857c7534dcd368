{ check(n):: if n < 0 then error 'must not be negative' else n }
