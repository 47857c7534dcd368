{{ define "d" }}  
{{/* only this */}}{{ end }}