one
{{ .a.b.c }}
