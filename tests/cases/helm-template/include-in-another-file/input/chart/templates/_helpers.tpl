{{ define "chart.name" }}{{ .Chart.Name }}-{{ .Release.Name }}{{ end }}
