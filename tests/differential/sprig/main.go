// Answers templates on standard input, one JSON string a line, as text/template with sprig does.
// Each answer is a line too: {"out": ...} or {"error": ...}.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"text/template"

	"github.com/Masterminds/sprig/v3"
)

type answer struct {
	Out   string `json:"out"`
	Error string `json:"error,omitempty"`
}

func run(text string, data map[string]any) answer {
	functions := sprig.TxtFuncMap()
	delete(functions, "env")
	delete(functions, "expandenv")
	for name, function := range helmFunctions() {
		functions[name] = function
	}
	parsed, err := template.New("t").Option("missingkey=zero").Funcs(functions).Parse(text)
	if err != nil {
		return answer{Error: err.Error()}
	}
	var out bytes.Buffer
	if err := parsed.Execute(&out, data); err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Out: fmt.Sprintf("%x", out.Bytes())}
}

func main() {
	var data map[string]any
	if len(os.Args) > 1 {
		text, err := os.ReadFile(os.Args[1])
		if err == nil {
			err = json.Unmarshal(text, &data)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
	pristine, _ := json.Marshal(data)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<26)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		var text string
		if err := json.Unmarshal(lines.Bytes(), &text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		// Calls may change the data, so each template has its own.
		var own map[string]any
		_ = json.Unmarshal(pristine, &own)
		if err := encoder.Encode(run(text, own)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		// The next one may end the process.
		out.Flush()
	}
}
