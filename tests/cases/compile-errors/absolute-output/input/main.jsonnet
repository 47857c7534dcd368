{ '/kapstan-escaped': { a: 1 } }
