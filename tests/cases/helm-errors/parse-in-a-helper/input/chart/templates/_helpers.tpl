{{ define "x" }}

{{ if }}
{{ end }}{{ end }}
