'only text'
