use super::error::Error;
use crate::short_strings::ShortStrings;
use crate::{Key, Map, Node, Scalar, Span, Text, Value};
use kapstan_diagnostic::SourceId;
use std::sync::Arc;

/// The value of a JSON text, as `json.Unmarshal` reads it into an `interface{}`.
///
/// Every key and value has its place in `source`. Integers of 64 bits stay integers, although Go has doubles for them.
/// Of equal keys the last value counts; what is no UTF-8 and halves of surrogate pairs are U+FFFD. Fails where Go
/// fails, with its words, and for containers that nest deeper than `depth`.
pub fn load(bytes: &[u8], source: SourceId, depth: usize) -> Result<Node, Error> {
    let strings = ShortStrings::default();
    let mut reader = Reader { bytes, at: 0, source, levels: depth, strings, out_of_range: None };
    let root = reader.value()?;
    if reader.peek().is_some() {
        return Err(reader.unexpected("after top-level value"));
    }
    reader.out_of_range.map_or(Ok(root), Err)
}

/// What Go reads a value as into a type whose kind is a map; null is an empty one. `go_type` is the name of that type, as
/// messages have it: `map[string]interface {}`.
pub fn expect_map(root: Node, go_type: &str) -> Result<Node, Error> {
    match root.value {
        Value::Map(_) => Ok(root),
        Value::Null => Ok(Node::new(Map::new(), root.span)),
        _ => Err(Error::wrong_kind(&root, go_type)),
    }
}

/// The same for a type whose kind is a slice: `[]interface {}`.
pub fn expect_list(root: Node, go_type: &str) -> Result<Node, Error> {
    match root.value {
        Value::Seq(_) => Ok(root),
        Value::Null => Ok(Node::new(Vec::new(), root.span)),
        _ => Err(Error::wrong_kind(&root, go_type)),
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    source: SourceId,
    /// How many more containers may be opened inside each other.
    levels: usize,
    strings: ShortStrings,
    /// The first number that is too large, which counts when the text is JSON.
    out_of_range: Option<Error>,
}

impl Reader<'_> {
    /// The next byte that is no blank; none at the end.
    fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.bytes.get(self.at) {
            self.at += 1;
        }
        self.bytes.get(self.at).copied()
    }

    /// The next byte cannot stand here.
    fn unexpected(&self, context: &str) -> Error {
        match self.bytes.get(self.at) {
            Some(byte) => Error::invalid_character(*byte, context, self.at),
            None => Error::unexpected_end(self.at),
        }
    }

    /// The same inside of a word, a number or an escape: Go gives it a blank to see whether it may end there.
    fn unexpected_inside(&self, context: &str) -> Error {
        Error::invalid_character(self.bytes.get(self.at).copied().unwrap_or(b' '), context, self.at)
    }

    fn value(&mut self) -> Result<Node, Error> {
        let next = self.peek();
        let start = self.at;
        let value = match next {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::array)?,
            Some(b'"') => Value::Str(self.string()?),
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => return Err(self.unexpected("looking for beginning of value")),
        };
        Ok(Node { value, span: self.span(start) })
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.source, start, self.at)
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Value, Error>) -> Result<Value, Error> {
        self.levels = self.levels.checked_sub(1).ok_or_else(|| Error::too_deep(self.at))?;
        self.at += 1;
        let value = read(self);
        self.levels += 1;
        value
    }

    fn object(&mut self) -> Result<Value, Error> {
        let mut map = Map::new();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(map.into());
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("looking for beginning of object key string"));
            }
            let start = self.at;
            let key = Scalar::Str(self.string()?);
            let key = Key::at(key, self.span(start));
            if self.peek() != Some(b':') {
                return Err(self.unexpected("after object key"));
            }
            self.at += 1;
            let value = self.value()?;
            map.insert(key, value);
            if self.ends_with(b'}', "after object key:value pair")? {
                return Ok(Value::Map(Arc::new(map)));
            }
        }
    }

    fn array(&mut self) -> Result<Value, Error> {
        let mut items = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(items.into());
        }
        loop {
            items.push(self.value()?);
            if self.ends_with(b']', "after array element")? {
                return Ok(Value::Seq(Arc::new(items)));
            }
        }
    }

    /// Behind an item: whether the container ends here. Passes over the comma otherwise.
    fn ends_with(&mut self, close: u8, context: &str) -> Result<bool, Error> {
        let found = self.peek();
        if found != Some(close) && found != Some(b',') {
            return Err(self.unexpected(context));
        }
        self.at += 1;
        Ok(found == Some(close))
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, Error> {
        for expected in word.chars() {
            if self.bytes.get(self.at).copied().map(char::from) != Some(expected) {
                return Err(self.unexpected_inside(&format!("in literal {word} (expecting '{expected}')")));
            }
            self.at += 1;
        }
        Ok(value)
    }

    fn number(&mut self) -> Result<Value, Error> {
        let start = self.at;
        self.at += usize::from(self.bytes[start] == b'-');
        match self.bytes.get(self.at) {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits("")?,
            _ => return Err(self.unexpected_inside("in numeric literal")),
        }
        let whole_end = self.at;
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits("after decimal point in numeric literal")?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            self.at += 1;
            self.at += usize::from(matches!(self.bytes.get(self.at), Some(b'+' | b'-')));
            self.digits("in exponent of numeric literal")?;
        }
        let text = std::str::from_utf8(&self.bytes[start..self.at]).unwrap_or_default();
        if self.at == whole_end
            && text != "-0"
            && let Ok(value) = text.parse::<i64>()
        {
            return Ok(value.into());
        }
        let value = text.parse::<f64>().unwrap_or(f64::INFINITY);
        if !value.is_finite() && self.out_of_range.is_none() {
            self.out_of_range = Some(Error::number_out_of_range(text, start));
        }
        Ok(Value::Float(value))
    }

    /// At least one digit.
    fn digits(&mut self, context: &str) -> Result<(), Error> {
        let count = self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count == 0 {
            return Err(self.unexpected_inside(context));
        }
        self.at += count;
        Ok(())
    }

    /// The string whose opening quote is next.
    fn string(&mut self) -> Result<Text, Error> {
        self.at += 1;
        let bytes = self.bytes;
        let rest = &bytes[self.at..];
        let plain = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)).unwrap_or(rest.len());
        if rest.get(plain) == Some(&b'"') {
            self.at += plain + 1;
            return Ok(self.strings.share(&super::valid(&rest[..plain])));
        }
        let mut value = Vec::from(&rest[..plain]);
        self.at += plain;
        loop {
            match bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(self.strings.share(&super::valid(&value)));
                }
                Some(b'\\') => {
                    self.at += 1;
                    let character = self.escape()?;
                    value.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
                None | Some(0..0x20) => return Err(self.unexpected("in string literal")),
                Some(byte) => {
                    value.push(*byte);
                    self.at += 1;
                }
            }
        }
    }

    /// The character that the escape behind a backslash stands for.
    fn escape(&mut self) -> Result<char, Error> {
        let character = match self.bytes.get(self.at) {
            Some(kind @ (b'"' | b'\\' | b'/')) => char::from(*kind),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode_escape();
            }
            _ => return Err(self.unexpected_inside("in string escape code")),
        };
        self.at += 1;
        Ok(character)
    }

    /// Behind `\u`: four digits, or two escapes that make one character. Half a pair is U+FFFD.
    fn unicode_escape(&mut self) -> Result<char, Error> {
        let high = self.hex_digits()?;
        if !(0xd800..0xdc00).contains(&high) || !self.bytes[self.at..].starts_with(b"\\u") {
            return Ok(char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let behind_high = self.at;
        self.at += 2;
        let low = self.hex_digits()?;
        if (0xdc00..0xe000).contains(&low) {
            let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
            return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        self.at = behind_high;
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn hex_digits(&mut self) -> Result<u32, Error> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.bytes.get(self.at).and_then(|byte| char::from(*byte).to_digit(16));
            code = code * 16
                + digit.ok_or_else(|| self.unexpected_inside("in \\u hexadecimal character escape"))?;
            self.at += 1;
        }
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::repr;
    use kapstan_diagnostic::Sources;

    fn loaded(text: &[u8]) -> Result<Node, Error> {
        load(text, Sources::new().add("a.json", text), 500)
    }

    #[test]
    fn values() {
        for (text, expected) in [
            (" null ", "None"),
            (r#"{"b": [1, -0, 1.5, 1e2], "a": {}, "b": true}"#, "{'b': True, 'a': {}}"),
            ("[1, -0, 1.5, 1E+2, 9223372036854775808]", "[1, -0.0, 1.5, 100.0, 9.223372036854776e+18]"),
            (r#""\ud83d\ude00 \ud83d \ud83d\u0041 \/""#, "'😀 \u{fffd} \u{fffd}A /'"),
        ] {
            assert_eq!(repr(&loaded(text.as_bytes()).expect(text).value), expected);
        }
        assert_eq!(loaded(b"\"a\xff\"").expect("a string").as_str(), Some("a\u{fffd}"));
    }

    #[test]
    fn errors_are_go_s() {
        for (text, expected) in [
            ("", "unexpected end of JSON input"),
            ("[1", "unexpected end of JSON input"),
            ("\"a", "unexpected end of JSON input"),
            ("tru", "invalid character ' ' in literal true (expecting 'e')"),
            ("-", "invalid character ' ' in numeric literal"),
            ("1.", "invalid character ' ' after decimal point in numeric literal"),
            ("1ex", "invalid character 'x' in exponent of numeric literal"),
            ("01", "invalid character '1' after top-level value"),
            ("[1 2]", "invalid character '2' after array element"),
            ("{a: 1}", "invalid character 'a' looking for beginning of object key string"),
            (r#"{"a" 1}"#, "invalid character '1' after object key"),
            (r#"{"a": 1 "b"}"#, "invalid character '\"' after object key:value pair"),
            ("[1,]", "invalid character ']' looking for beginning of value"),
            ("'a'", "invalid character '\\'' looking for beginning of value"),
            ("é", "invalid character 'Ã' looking for beginning of value"),
            ("\"a\nb\"", "invalid character '\\n' in string literal"),
            (r#""\x""#, "invalid character 'x' in string escape code"),
            (r#""\u12g4""#, "invalid character 'g' in \\u hexadecimal character escape"),
            ("1e400", "json: cannot unmarshal number 1e400 into Go value of type float64"),
        ] {
            assert_eq!(loaded(text.as_bytes()).expect_err(text).to_string(), expected);
        }
        loaded("[".repeat(5000).as_bytes()).expect_err("too deep");
        let list = loaded(b"[]").expect("a list");
        assert_eq!(
            expect_map(list, "map[string]interface {}").map_err(|error| error.to_string()),
            Err("json: cannot unmarshal array into Go value of type map[string]interface {}".to_owned())
        );
    }
}
