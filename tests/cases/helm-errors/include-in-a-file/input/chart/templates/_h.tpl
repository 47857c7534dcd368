{{ define "outer" }}
{{ include "inner" .Values }}{{ end }}
{{ define "inner" }}{{ .none.x }}{{ end }}
