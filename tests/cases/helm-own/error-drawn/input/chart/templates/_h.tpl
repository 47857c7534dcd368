{{- define "outer" }}{{ include "inner" . }}{{ end }}
{{- define "inner" }}
{{ .Values.no.such }}{{ end }}
