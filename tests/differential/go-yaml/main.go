// Command oracle answers for the Go libraries that Helm reads and writes documents with.
//
// A request is a line of JSON, {"op": ..., "value": ...} or {"op": ..., "text": ...}; an answer is a line
// {"out": ...} or {"err": ...}. Numbers without point and exponent are integers, others doubles, {"$bytes": base64} is a
// string of any bytes.
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
	yaml3 "sigs.k8s.io/yaml/goyaml.v3"
)

type request struct {
	Op    string          `json:"op"`
	Value json.RawMessage `json:"value"`
	Text  *string         `json:"text"`
	Bytes *string         `json:"bytes"`
}

type answer struct {
	Out *string `json:"out,omitempty"`
	Err *string `json:"err,omitempty"`
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == "-measure" {
		measure(os.Args[2])
		return
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		line, err := in.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			return
		}
		var asked request
		if err := json.Unmarshal(line, &asked); err != nil {
			panic(err)
		}
		text, problem := run(asked)
		given := answer{Out: &text}
		if problem != nil {
			message := problem.Error()
			given = answer{Err: &message}
		}
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(given); err != nil {
			panic(err)
		}
	}
}

// measure prints how fast the libraries write and read a YAML file, in megabytes of YAML a second.
func measure(path string) {
	read, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	var value any
	if err := yaml.Unmarshal(read, &value); err != nil {
		panic(err)
	}
	for _, op := range []string{"yaml", "pretty", "json", "load"} {
		best := time.Duration(math.MaxInt64)
		for range 3 {
			start := time.Now()
			if op == "load" {
				var again any
				err = yaml.Unmarshal(read, &again)
			} else {
				_, err = write(op, value)
			}
			if err != nil {
				panic(err)
			}
			best = min(best, time.Since(start))
		}
		fmt.Printf("Go, %-17s %8.1f MB/s\n", op, float64(len(read))/1e6/best.Seconds())
	}
}

func run(asked request) (text string, problem error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			problem = fmt.Errorf("panic: %v", thrown)
		}
	}()
	if asked.Text != nil || asked.Bytes != nil {
		var read []byte
		if asked.Bytes != nil {
			read, problem = base64.StdEncoding.DecodeString(*asked.Bytes)
			if problem != nil {
				panic(problem)
			}
		} else {
			read = []byte(*asked.Text)
		}
		return load(asked.Op, read)
	}
	return write(asked.Op, value(asked.Value))
}

func write(op string, value any) (string, error) {
	switch op {
	case "yaml":
		text, err := yaml.Marshal(value)
		return string(text), err
	case "pretty":
		var text bytes.Buffer
		encoder := yaml3.NewEncoder(&text)
		encoder.SetIndent(2)
		err := encoder.Encode(value)
		return text.String(), err
	case "json":
		text, err := json.Marshal(value)
		return string(text), err
	case "json-pretty":
		text, err := json.MarshalIndent(value, "", "  ")
		return string(text), err
	case "json-raw":
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		err := encoder.Encode(&value)
		return strings.TrimSuffix(text.String(), "\n"), err
	case "toml":
		var text bytes.Buffer
		err := toml.NewEncoder(&text).Encode(value)
		if err != nil {
			return "", err
		}
		return text.String(), nil
	}
	panic("unknown op " + op)
}

func load(op string, read []byte) (string, error) {
	switch op {
	case "load":
		var value any
		err := yaml.Unmarshal(read, &value)
		return show(value), err
	case "load-map":
		value := map[string]any{}
		err := yaml.Unmarshal(read, &value)
		return show(value), err
	case "load-list":
		value := []any{}
		err := yaml.Unmarshal(read, &value)
		return show(value), err
	case "documents":
		var shown []string
		reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(read)))
		for {
			part, err := reader.Read()
			if err == io.EOF {
				break
			}
			if err != nil {
				return "", err
			}
			shown = append(shown, string(part))
		}
		return show(shown), nil
	case "from-json":
		value := map[string]any{}
		err := json.Unmarshal(read, &value)
		return show(value), err
	case "from-json-list":
		value := []any{}
		err := json.Unmarshal(read, &value)
		return show(value), err
	case "from-json-any":
		var value any
		err := json.Unmarshal(read, &value)
		return show(value), err
	case "from-toml":
		value := map[string]any{}
		err := toml.Unmarshal(read, &value)
		return show(value), err
	}
	panic("unknown op " + op)
}

// show writes a value with its types: what Go's %v could not tell apart.
func show(value any) string {
	var out strings.Builder
	shown(&out, value)
	return out.String()
}

func shown(out *strings.Builder, value any) {
	switch value := value.(type) {
	case nil:
		out.WriteString("null")
	case bool:
		fmt.Fprint(out, value)
	case int64:
		fmt.Fprintf(out, "i%d", value)
	case float64:
		if math.IsNaN(value) {
			out.WriteString("nan")
			return
		}
		fmt.Fprintf(out, "f%016x", math.Float64bits(value))
	case string:
		quoted(out, value)
	case time.Time:
		switch value.Location().String() {
		case "time-local":
			quoted(out, value.Format("15:04:05.999999999"))
		case "date-local":
			fmt.Fprintf(out, "t%s", value.Format("2006-01-02"))
		case "datetime-local":
			fmt.Fprintf(out, "t%s", value.Format("2006-01-02T15:04:05.999999999"))
		default:
			fmt.Fprintf(out, "t%s", value.Format(time.RFC3339Nano))
		}
	case []string:
		list := make([]any, len(value))
		for at, item := range value {
			list[at] = item
		}
		shown(out, list)
	case []any:
		out.WriteString("[")
		for at, item := range value {
			if at > 0 {
				out.WriteString(",")
			}
			shown(out, item)
		}
		out.WriteString("]")
	case []map[string]any:
		out.WriteString("[")
		for at, item := range value {
			if at > 0 {
				out.WriteString(",")
			}
			shown(out, item)
		}
		out.WriteString("]")
	case map[string]any:
		keys := make([]string, 0, len(value))
		for key := range value {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		out.WriteString("{")
		for at, key := range keys {
			if at > 0 {
				out.WriteString(",")
			}
			quoted(out, key)
			out.WriteString(":")
			shown(out, value[key])
		}
		out.WriteString("}")
	default:
		fmt.Fprintf(out, "%T %v", value, value)
	}
}

func quoted(out *strings.Builder, text string) {
	out.WriteString("\"")
	for _, byte := range []byte(text) {
		if byte < ' ' || byte > '~' || byte == '"' || byte == '\\' {
			fmt.Fprintf(out, "\\%02x", byte)
		} else {
			out.WriteByte(byte)
		}
	}
	out.WriteString("\"")
}

// value decodes what is to be written: what Helm's values hold, and what functions make of them.
func value(text json.RawMessage) any {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var read any
	if err := decoder.Decode(&read); err != nil {
		panic(err)
	}
	return converted(read)
}

func converted(read any) any {
	switch read := read.(type) {
	case json.Number:
		literal := read.String()
		if strings.ContainsAny(literal, ".eE") {
			float, _ := strconv.ParseFloat(literal, 64)
			return float
		}
		if integer, err := strconv.ParseInt(literal, 10, 64); err == nil {
			return integer
		}
		unsigned, err := strconv.ParseUint(literal, 10, 64)
		if err != nil {
			float, _ := strconv.ParseFloat(literal, 64)
			return float
		}
		return unsigned
	case []any:
		for at, item := range read {
			read[at] = converted(item)
		}
		return read
	case map[string]any:
		if encoded, ok := read["$bytes"].(string); ok && len(read) == 1 {
			bytes, err := base64.StdEncoding.DecodeString(encoded)
			if err != nil {
				panic(err)
			}
			return string(bytes)
		}
		for key, item := range read {
			read[key] = converted(item)
		}
		return read
	}
	return read
}
