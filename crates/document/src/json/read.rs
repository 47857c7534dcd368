use super::Error;
use crate::short_strings::ShortStrings;
use crate::{Int, Key, Map, Node, Span, Value, python};
use kapstan_diagnostic::SourceId;
use std::sync::Arc;

/// How deep containers may nest. Python reads a little less than twice that; what walks a value there stops earlier.
const MAX_DEPTH: usize = 500;

/// The value of a JSON text, as Python's `json.load` reads it: `NaN` and `Infinity` are numbers, integers have any size
/// (up to 4300 digits), and of equal keys the last value counts, at the first place.
///
/// Every key and value has its place in `source`. Fails where Python fails, with its words and place; further for bytes
/// that are no UTF-8, for halves of surrogate pairs, which no other format could hold, and for containers deeper than
/// five hundred levels.
pub fn load(bytes: &[u8], source: SourceId) -> Result<Node, Error> {
    let text = std::str::from_utf8(bytes).map_err(|invalid| {
        let readable = String::from_utf8_lossy(&bytes[..invalid.valid_up_to()]);
        Error::at("The text is not UTF-8", &readable, invalid.valid_up_to())
    })?;
    if text.starts_with('\u{feff}') {
        return Err(Error::at("Unexpected UTF-8 BOM (decode using utf-8-sig)", text, 0));
    }
    let mut reader = Reader { text, at: 0, source, depth: 0, strings: ShortStrings::default() };
    reader.skip_blanks();
    let value = reader.value()?;
    reader.skip_blanks();
    if reader.at < text.len() {
        return Err(reader.error("Extra data", reader.at));
    }
    Ok(value)
}

pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    /// In bytes.
    pub(super) at: usize,
    source: SourceId,
    depth: usize,
    /// Keys and short strings, each once.
    pub(super) strings: ShortStrings,
}

const WORDS: [(&str, Value); 6] = [
    ("null", Value::Null),
    ("true", Value::Bool(true)),
    ("false", Value::Bool(false)),
    ("NaN", Value::Float(f64::NAN)),
    ("Infinity", Value::Float(f64::INFINITY)),
    ("-Infinity", Value::Float(f64::NEG_INFINITY)),
];

impl Reader<'_> {
    pub(super) fn error(&self, problem: &str, offset: usize) -> Error {
        Error::at(problem, self.text, offset)
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn value(&mut self) -> Result<Node, Error> {
        let start = self.at;
        let value = match self.peek() {
            Some(b'"') => Value::Str(self.string()?),
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::array)?,
            Some(b'n' | b't' | b'f' | b'N' | b'I') => self.word()?,
            Some(b'-') if self.text[start..].starts_with("-I") => self.word()?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => return Err(self.error("Expecting value", start)),
        };
        Ok(Node { value, span: self.span(start) })
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.source, start, self.at)
    }

    fn word(&mut self) -> Result<Value, Error> {
        let rest = &self.text[self.at..];
        let (word, value) = WORDS
            .iter()
            .find(|(word, _)| rest.starts_with(word))
            .ok_or_else(|| self.error("Expecting value", self.at))?;
        self.at += word.len();
        Ok(value.clone())
    }

    fn number(&mut self) -> Result<Value, Error> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let digits =
            |from: usize| from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let unsigned = start + usize::from(bytes[start] == b'-');
        let whole_end = match bytes.get(unsigned) {
            Some(b'0') => unsigned + 1,
            Some(b'1'..=b'9') => digits(unsigned),
            _ => return Err(self.error("Expecting value", start)),
        };
        let mut end = whole_end;
        if bytes.get(end) == Some(&b'.') && digits(end + 1) > end + 1 {
            end = digits(end + 1);
        }
        if let Some(b'e' | b'E') = bytes.get(end) {
            let exponent = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            if exponent <= bytes.len() && digits(exponent) > exponent {
                end = digits(exponent);
            }
        }
        self.at = end;
        let literal = &self.text[start..end];
        if end == whole_end {
            if let Ok(small) = literal.parse() {
                return Ok(Value::Int(Int::Small(small)));
            }
            return python::parse_int(literal, 10)
                .map(Value::Int)
                .map_err(|problem| self.error(&problem, start));
        }
        python::parse_float(literal).map(Value::Float).map_err(|problem| self.error(&problem, start))
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Value, Error>) -> Result<Value, Error> {
        if self.depth == MAX_DEPTH {
            return Err(self.error("Containers nest deeper than 500 levels", self.at));
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Result<Value, Error> {
        let mut map = Map::new();
        self.skip_blanks();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(map.into());
        }
        loop {
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.error("Expecting property name enclosed in double quotes", start));
            }
            let name = self.string()?;
            let key = Key::at(crate::Scalar::Str(name), self.span(start));
            self.skip_blanks();
            if self.peek() != Some(b':') {
                return Err(self.error("Expecting ':' delimiter", self.at));
            }
            self.at += 1;
            self.skip_blanks();
            let value = self.value()?;
            map.insert(key, value);
            if self.ends_with(b'}')? {
                return Ok(Value::Map(Arc::new(map)));
            }
        }
    }

    fn array(&mut self) -> Result<Value, Error> {
        let mut items = Vec::new();
        self.skip_blanks();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(items.into());
        }
        loop {
            items.push(self.value()?);
            if self.ends_with(b']')? {
                return Ok(Value::Seq(Arc::new(items)));
            }
        }
    }

    /// Behind an item: whether the container ends here. Passes over the comma otherwise.
    fn ends_with(&mut self, close: u8) -> Result<bool, Error> {
        self.skip_blanks();
        let found = self.peek();
        if found != Some(close) && found != Some(b',') {
            return Err(self.error("Expecting ',' delimiter", self.at));
        }
        self.at += 1;
        if found == Some(close) {
            return Ok(true);
        }
        self.skip_blanks();
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::repr;
    use kapstan_diagnostic::Sources;

    fn loaded(text: &[u8]) -> Result<Node, Error> {
        load(text, Sources::new().add("a.json", text))
    }

    #[test]
    fn values() {
        for (text, expected) in [
            (" null ", "None"),
            ("[true,false]", "[True, False]"),
            ("[NaN, Infinity, -Infinity]", "[nan, inf, -inf]"),
            ("[0, -0, 12, -0.0, 1.50, 1e5, 1E-2, 2e+3]", "[0, 0, 12, -0.0, 1.5, 100000.0, 0.01, 2000.0]"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("1e400", "inf"),
            (r#""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é""#, r#"'a"\\/\x08\x0c\n\r\té😀é'"#),
            (r#"{"b": 1, "a": {}, "b": []}"#, "{'b': [], 'a': {}}"),
            ("[ ]", "[]"),
        ] {
            assert_eq!(repr(&loaded(text.as_bytes()).expect(text).value), expected);
        }
    }

    #[test]
    fn errors_are_python_s() {
        for (text, expected) in [
            ("", "Expecting value: line 1 column 1 (char 0)"),
            ("[1,\n é]", "Expecting value: line 2 column 2 (char 5)"),
            ("[1,]", "Expecting value: line 1 column 4 (char 3)"),
            ("[1 2]", "Expecting ',' delimiter: line 1 column 4 (char 3)"),
            ("{\"é\" 1}", "Expecting ':' delimiter: line 1 column 6 (char 5)"),
            ("{a: 1}", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
            ("1 2", "Extra data: line 1 column 3 (char 2)"),
            ("01", "Extra data: line 1 column 2 (char 1)"),
            ("1.", "Extra data: line 1 column 2 (char 1)"),
            ("-", "Expecting value: line 1 column 1 (char 0)"),
            ("tru", "Expecting value: line 1 column 1 (char 0)"),
            ("[\"a", "Unterminated string starting at: line 1 column 2 (char 1)"),
            ("\"a\nb\"", "Invalid control character at: line 1 column 3 (char 2)"),
            (r#""\x""#, "Invalid \\escape: line 1 column 2 (char 1)"),
            (r#""\u12g4""#, "Invalid \\uXXXX escape: line 1 column 3 (char 2)"),
            ("\u{feff}1", "Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)"),
        ] {
            assert_eq!(loaded(text.as_bytes()).expect_err(text).to_string(), expected);
        }
    }

    #[test]
    fn what_python_takes_and_nothing_else_does_is_refused() {
        loaded(br#""\ud800""#).expect_err("half a pair");
        loaded(b"\"\xff\"").expect_err("no UTF-8");
        loaded("[".repeat(5000).as_bytes()).expect_err("too deep");
        loaded(("[".repeat(500) + &"]".repeat(500)).as_bytes()).expect("deep");
    }

    #[test]
    fn places() {
        let text = "{\"é\": [1, \"x\"]}";
        let node = loaded(text.as_bytes()).expect("an object");
        let at = |span: Span| &text[span.start()..span.end()];
        let (key, value) = node.as_map().and_then(|map| map.at(0)).expect("an entry");
        assert_eq!((at(key.span), at(value.span)), ("\"é\"", "[1, \"x\"]"));
        assert_eq!(at(value.as_seq().expect("an array")[1].span), "\"x\"");
    }
}
