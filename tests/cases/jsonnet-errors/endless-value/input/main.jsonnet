local a = { b: a };
{ a: a }
