Hello, {{ .name | upper }}!
{{ range $k, $v := .ports }}{{ $k }}={{ $v }}
{{ end }}{{ include "tail" . }}
{{- define "tail" }}{{ tpl "{{ .name }}" . }}{{ end }}
