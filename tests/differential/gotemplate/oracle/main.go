// The peer of compare.py: text/template and a few functions, over one JSON object a line.
package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/template"
)

type request struct {
	Template string `json:"template"`
	Defines  string `json:"defines"`
	Data     any    `json:"data"`
	Missing  string `json:"missing"`
}

func helpers() template.FuncMap {
	return template.FuncMap{
		"list":  func(items ...any) []any { return items },
		"words": func(s string) []string { return strings.Fields(s) },
		"upto": func(n int) []int {
			r := make([]int, 0, max(n, 0))
			for i := 0; i < n; i++ {
				r = append(r, i)
			}
			return r
		},
		"dict": func(items ...any) map[string]any {
			m := map[string]any{}
			for i := 0; i+1 < len(items); i += 2 {
				m[fmt.Sprint(items[i])] = items[i+1]
			}
			return m
		},
		"labels": func(items ...string) map[string]string {
			m := map[string]string{}
			for _, s := range items {
				m[s] = strings.ToUpper(s)
			}
			return m
		},
		"upper":    strings.ToUpper,
		"quote":    func(v any) string { return fmt.Sprintf("%q", fmt.Sprint(v)) },
		"add":      func(a, b int) int { return a + b },
		"wide":     func(n int) int64 { return int64(n) },
		"unsigned": func(n int) uint64 { return uint64(n) },
		"half":     func(f float64) float64 { return f / 2 },
		"flip":     func(b bool) bool { return !b },
		"nothing":  func() any { return nil },
		"bytes":    func(s string) []byte { return []byte(s) },
		"size":     func(m map[string]any) int { return len(m) },
		"count":    func(l []any) int { return len(l) },
		"set":      func(m map[string]any, k string, v any) map[string]any { m[k] = v; return m },
		"boom":     func(s string) (string, error) { return "", errors.New(s) },
		"any":      func(v any) any { return v },
	}
}

func run(r request) (out string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	t := template.New("main").Funcs(helpers())
	if r.Missing != "" {
		t.Option("missingkey=" + r.Missing)
	}
	if r.Defines != "" {
		if _, err := t.New("defines").Parse(r.Defines); err != nil {
			return "", err
		}
	}
	if _, err := t.New("page").Parse(r.Template); err != nil {
		return "", err
	}
	var buf bytes.Buffer
	err = t.ExecuteTemplate(&buf, "page", r.Data)
	return buf.String(), err
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<26)
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	for in.Scan() {
		var r request
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			panic(err)
		}
		out, err := run(r)
		kind := "out"
		if err != nil {
			kind, out = "error", err.Error()
		}
		fmt.Fprintf(w, "%s %s\n", kind, hex.EncodeToString([]byte(out)))
	}
}
