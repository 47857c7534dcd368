// The loops of loops.rs in Go: `go run loops.go`.
package main

import (
	"fmt"
	"strings"
	"text/template"
	"time"
)

var loops = [][2]string{
	{"item fields only", "{{ range .items }}{{ .name }}: {{ .value }} {{ .on }} {{ .meta.app }}\n{{ end }}"},
	{"$.deep.k0.k1.k2.k3.s", "{{ range .items }}{{ $.deep.k0.k1.k2.k3.s }}{{ .name }}\n{{ end }}"},
	{"with $root.deep.k1", "{{ $root := . }}{{ range .items }}{{ with $root.deep.k1 }}{{ .k0.k1.k2.s }}{{ end }}\n{{ end }}"},
	{"template \"T\" $", "{{ range .items }}{{ template \"T\" $ }}\n{{ end }}"},
	{"nested range of all leaves", "{{ range .deep }}{{ range . }}{{ range . }}{{ range . }}{{ .s }}\n{{ end }}{{ end }}{{ end }}{{ end }}"},
	{"include \"T\" $", "{{ range .items }}{{ include \"T\" $ }}\n{{ end }}"},
	{"conditions and variables", "{{ range $i, $x := .items }}{{ if and $x.on (eq $x.name \"item-7\") }}{{ $i }}{{ else if not $x.on }}{{ $y := $x.name }}{{ printf \"%s-%d\" $y $i }}{{ end }}{{ end }}"},
}

func deep(levels int) any {
	if levels == 0 {
		return map[string]any{"s": "leaf", "n": 1.0}
	}
	m := map[string]any{}
	for i := range 6 {
		m[fmt.Sprintf("k%d", i)] = deep(levels - 1)
	}
	return m
}

func main() {
	items := []any{}
	for i := range 1000 {
		meta := map[string]any{"app": "web", "tier": "front"}
		items = append(items, map[string]any{"name": fmt.Sprintf("item-%d", i), "value": float64(i), "on": i%2 == 0, "meta": meta})
	}
	data := map[string]any{"deep": deep(4), "items": items}
	t := template.New("bench")
	t.Funcs(template.FuncMap{"include": func(name string, data any) (string, error) {
		var out strings.Builder
		err := t.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}})
	template.Must(t.New("defines").Parse("{{ define \"T\" }}{{ .deep.k0.k1.k2.k3.s }}{{ end }}"))
	for _, loop := range loops {
		page := template.Must(t.New(loop[0]).Parse(loop[1]))
		best := time.Hour
		for range 50 {
			var out strings.Builder
			start := time.Now()
			if err := page.Execute(&out, data); err != nil {
				panic(err)
			}
			best = min(best, time.Since(start))
		}
		fmt.Printf("%-30s %8.3f ms\n", loop[0], float64(best.Microseconds())/1000)
	}
}
