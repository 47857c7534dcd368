x: {{ .Release.Name }}
