{
  a: error 'no',
}
