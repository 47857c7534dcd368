{
  port(c):: if std.isNumber(c.port) then c else error 'port of %s is no number' % c.port,
}
