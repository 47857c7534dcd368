//! Reading JSON, as Go's `encoding/json` does into an `interface {}`: numbers are doubles, errors are Go's.

use super::runes;
use crate::format::quote;
use crate::value::{List, Map, Text, Value};

/// What Go allows.
const MAX_DEPTH: usize = 10_000;

/// A text that was read.
pub(crate) struct Read {
    pub(crate) value: Value,
    /// What is wrong with a number that is no double; nil stands for it in the value.
    pub(crate) number_error: Option<String>,
}

/// Reads a text of one value. An error is Go's text for what is no JSON.
pub(crate) fn read(text: &[u8]) -> Result<Read, String> {
    let mut reader = Reader { text, at: 0, number_error: None };
    let value = reader.document()?;
    reader.skip_blanks();
    if reader.at < text.len() {
        return Err(reader.unexpected("after top-level value"));
    }
    Ok(Read { value, number_error: reader.number_error })
}

/// What Go calls the kind of a value where another was wanted.
pub(crate) fn kind_name(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "bool",
        Value::Float64(_) => "number",
        Value::Str(_) => "string",
        Value::List(_) => "array",
        _ => "object",
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    number_error: Option<String>,
}

/// A container that is not closed yet. Containers stand in a list of their own, so that depth costs no stack.
enum Open {
    List(Vec<Value>),
    Map(Map, Text),
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// The error for the byte that is next, where a blank could be.
    fn unexpected(&self, context: &str) -> String {
        match self.peek() {
            None => "unexpected end of JSON input".to_owned(),
            Some(_) => self.wrong(context),
        }
    }

    /// The error for the byte that is next, where no blank could be. Go takes the end of a text for one.
    fn wrong(&self, context: &str) -> String {
        format!("invalid character {} {context}", shown(self.peek().unwrap_or(b' ')))
    }

    fn document(&mut self) -> Result<Value, String> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            self.skip_blanks();
            let mut value = match self.peek() {
                Some(opening @ (b'[' | b'{')) => {
                    self.at += 1;
                    if open.len() >= MAX_DEPTH {
                        return Err("exceeded max depth".to_owned());
                    }
                    self.skip_blanks();
                    match (opening, self.peek()) {
                        (b'[', Some(b']')) => {
                            self.at += 1;
                            Value::list(Vec::new())
                        }
                        (b'{', Some(b'}')) => {
                            self.at += 1;
                            Value::Map(Map::new())
                        }
                        (b'[', _) => {
                            open.push(Open::List(Vec::new()));
                            continue;
                        }
                        _ => {
                            let key = self.key()?;
                            open.push(Open::Map(Map::new(), key));
                            continue;
                        }
                    }
                }
                _ => self.scalar()?,
            };
            // What is complete goes into what holds it, which may complete that in turn.
            loop {
                let Some(container) = open.pop() else { return Ok(value) };
                self.skip_blanks();
                let next = self.peek();
                match (container, next) {
                    (Open::List(mut items), Some(end @ (b',' | b']'))) => {
                        self.at += 1;
                        items.push(value);
                        if end == b',' {
                            open.push(Open::List(items));
                            break;
                        }
                        value = Value::List(List::new(items));
                    }
                    (Open::List(_), _) => return Err(self.unexpected("after array element")),
                    (Open::Map(map, key), Some(end @ (b',' | b'}'))) => {
                        self.at += 1;
                        map.insert(key, value);
                        if end == b',' {
                            self.skip_blanks();
                            let key = self.key()?;
                            open.push(Open::Map(map, key));
                            break;
                        }
                        value = Value::Map(map);
                    }
                    (Open::Map(..), _) => return Err(self.unexpected("after object key:value pair")),
                }
            }
        }
    }

    /// A key and the colon behind it.
    fn key(&mut self) -> Result<Text, String> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("looking for beginning of object key string"));
        }
        let key = self.string()?;
        self.skip_blanks();
        if self.peek() != Some(b':') {
            return Err(self.unexpected("after object key"));
        }
        self.at += 1;
        Ok(key)
    }

    fn scalar(&mut self) -> Result<Value, String> {
        match self.peek() {
            Some(b'"') => self.string().map(Value::Str),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::Nil),
            _ => Err(self.unexpected("looking for beginning of value")),
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, String> {
        for expected in word.bytes() {
            if self.peek() != Some(expected) {
                let expected = char::from(expected);
                return Err(self.wrong(&format!("in literal {word} (expecting '{expected}')")));
            }
            self.at += 1;
        }
        Ok(value)
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    fn number(&mut self) -> Result<Value, String> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else if self.digits() == 0 {
            return Err(self.wrong("in numeric literal"));
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            if self.digits() == 0 {
                return Err(self.wrong("after decimal point in numeric literal"));
            }
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if self.digits() == 0 {
                return Err(self.wrong("in exponent of numeric literal"));
            }
        }
        let text = &self.text[start..self.at];
        if let Some(number) = super::number::parse_float(text) {
            return Ok(Value::Float64(number));
        }
        let text = String::from_utf8_lossy(text);
        let error = format!("json: cannot unmarshal number {text} into Go value of type float64");
        self.number_error.get_or_insert(error);
        Ok(Value::Nil)
    }

    fn string(&mut self) -> Result<Text, String> {
        self.at += 1;
        let mut out = Vec::new();
        loop {
            let plain =
                self.text[self.at..].iter().take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20));
            let run = &self.text[self.at..self.at + plain.count()];
            match std::str::from_utf8(run) {
                Ok(_) => out.extend_from_slice(run),
                Err(_) => runes::runes(run).for_each(|(rune, _)| runes::push(&mut out, rune)),
            }
            self.at += run.len();
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out.into());
                }
                Some(b'\\') => self.escape(&mut out)?,
                _ => return Err(self.unexpected("in string literal")),
            }
        }
    }

    fn escape(&mut self, out: &mut Vec<u8>) -> Result<(), String> {
        self.at += 1;
        let plain = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => byte,
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                self.at += 1;
                let unit = self.unit()?;
                runes::push(out, self.character(unit));
                return Ok(());
            }
            _ => return Err(self.wrong("in string escape code")),
        };
        self.at += 1;
        out.push(plain);
        Ok(())
    }

    /// Four hexadecimal digits.
    fn unit(&mut self) -> Result<u32, String> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            unit = unit * 16 + digit.ok_or_else(|| self.wrong("in \\u hexadecimal character escape"))?;
            self.at += 1;
        }
        Ok(unit)
    }

    /// The character of a unit, with the second half of a pair where there is one; U+FFFD for a half on its own.
    fn character(&mut self, unit: u32) -> char {
        if (0xD800..0xDC00).contains(&unit) && self.text[self.at..].starts_with(b"\\u") {
            let digits =
                self.text.get(self.at + 2..self.at + 6).and_then(|digits| std::str::from_utf8(digits).ok());
            let low = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
            if let Some(low) = low.filter(|low| (0xDC00..0xE000).contains(low)) {
                self.at += 6;
                let code = 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                return char::from_u32(code).unwrap_or(runes::ERROR);
            }
        }
        char::from_u32(unit).unwrap_or(runes::ERROR)
    }
}

/// A byte between single quotes, as the character of that number.
fn shown(byte: u8) -> String {
    match byte {
        b'\'' => "'\\''".to_owned(),
        b'"' => "'\"'".to_owned(),
        byte => {
            let quoted = quote(char::from(byte).encode_utf8(&mut [0; 4]).as_bytes());
            format!("'{}'", &quoted[1..quoted.len() - 1])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_values() {
        for (text, expected) in [
            ("null", "<nil>"),
            (
                r#" {"b": [1, 2.5, "x", true, null, {}], "a": {"c": []}} "#,
                "map[a:map[c:[]] b:[1 2.5 x true <nil> map[]]]",
            ),
            (r#""\u00e9\ud83c\udf89\ud800\n\/""#, "é🎉\u{FFFD}\n/"),
            ("-0.5e-1", "-0.05"),
            (r#"{"a":1,"a":2}"#, "map[a:2]"),
        ] {
            let value = read(text.as_bytes()).unwrap_or_else(|why| panic!("{text}: {why}")).value;
            assert_eq!(crate::format::value_text(&value).unwrap(), expected);
        }
        let deep = [b"[".repeat(9_999), b"]".repeat(9_999)].concat();
        assert!(read(&deep).is_ok());
    }

    #[test]
    fn refuses_with_the_texts_of_go() {
        for (text, expected) in [
            ("", "unexpected end of JSON input"),
            ("x", "invalid character 'x' looking for beginning of value"),
            ("[1 2]", "invalid character '2' after array element"),
            ("[1,]", "invalid character ']' looking for beginning of value"),
            (r#"{"a" 1}"#, "invalid character '1' after object key"),
            (r#"{"a":1 "b"}"#, "invalid character '\"' after object key:value pair"),
            ("{a}", "invalid character 'a' looking for beginning of object key string"),
            (r#"{"a":1,}"#, "invalid character '}' looking for beginning of object key string"),
            ("1 2", "invalid character '2' after top-level value"),
            ("tru", "invalid character ' ' in literal true (expecting 'e')"),
            ("[1", "unexpected end of JSON input"),
            ("\"a", "unexpected end of JSON input"),
            ("\"\\", "invalid character ' ' in string escape code"),
            ("trux", "invalid character 'x' in literal true (expecting 'e')"),
            ("01", "invalid character '1' after top-level value"),
            ("1.", "invalid character ' ' after decimal point in numeric literal"),
            ("1.x", "invalid character 'x' after decimal point in numeric literal"),
            ("-x", "invalid character 'x' in numeric literal"),
            ("1ex", "invalid character 'x' in exponent of numeric literal"),
            ("\"\n\"", "invalid character '\\n' in string literal"),
            (r#""\q""#, "invalid character 'q' in string escape code"),
            (r#""\u12g4""#, "invalid character 'g' in \\u hexadecimal character escape"),
            ("'", "invalid character '\\'' looking for beginning of value"),
            ("é", "invalid character 'Ã' looking for beginning of value"),
        ] {
            assert_eq!(read(text.as_bytes()).err().as_deref(), Some(expected), "{text}");
        }
        let number = read(b"[1e400]").unwrap();
        let expected = "json: cannot unmarshal number 1e400 into Go value of type float64";
        assert_eq!(number.number_error.as_deref(), Some(expected));
        assert_eq!(read(&b"[".repeat(10_001)).err().as_deref(), Some("exceeded max depth"));
    }
}
