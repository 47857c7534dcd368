package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"text/template"

	"github.com/BurntSushi/toml"
	"sigs.k8s.io/yaml"
	pretty "sigs.k8s.io/yaml/goyaml.v3"
)

func orEmpty(text string, err error) string {
	if err != nil {
		return ""
	}
	return text
}

func orPanic(text string, err error) string {
	if err != nil {
		panic(err)
	}
	return text
}

func asYaml(value any) (string, error) {
	text, err := yaml.Marshal(value)
	return strings.TrimSuffix(string(text), "\n"), err
}

func asPrettyYaml(value any) (string, error) {
	var text bytes.Buffer
	encoder := pretty.NewEncoder(&text)
	encoder.SetIndent(2)
	err := encoder.Encode(value)
	return strings.TrimSuffix(text.String(), "\n"), err
}

func asJson(value any) (string, error) {
	text, err := json.Marshal(value)
	return string(text), err
}

func asToml(value any) (string, error) {
	var text bytes.Buffer
	err := toml.NewEncoder(&text).Encode(value)
	return text.String(), err
}

func readMap(read func([]byte, *map[string]any) error) func(string) map[string]any {
	return func(text string) map[string]any {
		result := map[string]any{}
		if err := read([]byte(text), &result); err != nil {
			result["Error"] = err.Error()
		}
		return result
	}
}

func readList(read func([]byte, *[]any) error) func(string) []any {
	return func(text string) []any {
		result := []any{}
		if err := read([]byte(text), &result); err != nil {
			result = []any{err.Error()}
		}
		return result
	}
}

// helmFunctions are the functions that Helm puts over sprig's, save those that need its engine.
func helmFunctions() template.FuncMap {
	return template.FuncMap{
		"toYaml":       func(v any) string { return orEmpty(asYaml(v)) },
		"mustToYaml":   func(v any) string { return orPanic(asYaml(v)) },
		"toYamlPretty": func(v any) string { return orEmpty(asPrettyYaml(v)) },
		"toJson":       func(v any) string { return orEmpty(asJson(v)) },
		"mustToJson":   func(v any) string { return orPanic(asJson(v)) },
		"toToml": func(v any) string {
			text, err := asToml(v)
			if err != nil {
				return err.Error()
			}
			return text
		},
		"mustToToml":    func(v any) string { return orPanic(asToml(v)) },
		"fromYaml":      readMap(func(b []byte, m *map[string]any) error { return yaml.Unmarshal(b, m) }),
		"fromYamlArray": readList(func(b []byte, l *[]any) error { return yaml.Unmarshal(b, l) }),
		"fromJson":      readMap(func(b []byte, m *map[string]any) error { return json.Unmarshal(b, m) }),
		"fromJsonArray": readList(func(b []byte, l *[]any) error { return json.Unmarshal(b, l) }),
		"fromToml":      readMap(func(b []byte, m *map[string]any) error { return toml.Unmarshal(b, m) }),
		"getHostByName": func(string) string { return "" },
	}
}
