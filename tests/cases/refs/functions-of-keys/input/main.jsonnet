{
  a: {
    ed25519: '?{base64:public/ed25519||reveal:private/ed25519|publickey}',
    rsa: '?{base64:public/rsa||reveal:private/rsa|publickey}',
    old: '?{plain:public/old||reveal:private/plain|rsapublic}',
  },
}
