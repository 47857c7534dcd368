
{{ define "h" }}{{ required "deep" nil }}{{ end }}