local c = { replicas: 1 };
{ a: c.replica }
