{
  a: {
    hashed: '?{base64:hashed||reveal:source|sha256}',
    salted: '?{plain:salted||reveal:open|sha256:salt}',
    auth: '?{base64:auth||basicauth:user:pass}',
    encoded: '?{base64:encoded||reveal:source|base64}',
  },
}
