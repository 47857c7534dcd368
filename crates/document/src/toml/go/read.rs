use super::cursor::Cursor;
use super::error::{Error, quoted_rune};
use super::table::{Document, Name, Slot, Table, dotted};
use super::{scalar, string};
use crate::{Node, Span, Text, Value};
use kapstan_diagnostic::SourceId;

/// The value of a TOML text, as `github.com/BurntSushi/toml` 1.6 reads it: TOML 1.1, integers of 64 bits, doubles; points
/// in time without zone have no offset, times of day are strings, and fractions of a second end with microseconds.
///
/// Keys and values have their places in `source`, tables that of their name. Fails where the peer fails, with its
/// words, and for arrays and inline tables that nest deeper than `depth`.
pub fn load(bytes: &[u8], source: SourceId, depth: usize) -> Result<Node, Error> {
    let mark =
        [&b"\xff\xfe"[..], b"\xfe\xff", b"\xef\xbb\xbf"].into_iter().find(|mark| bytes.starts_with(mark));
    let shift = mark.map_or(0, <[u8]>::len);
    let bytes = &bytes[shift..];
    if bytes.iter().take(6).any(|byte| *byte == 0) {
        let message = "files cannot contain NULL bytes; probably using UTF-16; TOML files must be UTF-8";
        return Err(Error::new(message, 1, 0));
    }
    let mut reader = Reader {
        cursor: Cursor::new(bytes),
        document: Document::default(),
        key: None,
        key_line: 1,
        levels: depth,
        place: (source, shift),
    };
    if let Err(error) = reader.document() {
        return Err(error.behind_key(|| reader.last_key()));
    }
    Ok(reader.document.root.into_node(Span::new(source, shift, shift + bytes.len())))
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    document: Document,
    /// The last part of the key whose value is read.
    key: Option<Name>,
    /// The line of the key that was read last.
    key_line: usize,
    /// How many more arrays and inline tables may be opened inside each other.
    levels: usize,
    /// The file, and how many bytes of it stand in front of the text.
    place: (SourceId, usize),
}

impl Reader<'_> {
    fn document(&mut self) -> Result<(), Error> {
        loop {
            self.cursor.skip_lines()?;
            if self.cursor.is_at_end() {
                return Ok(());
            }
            if self.cursor.accept('[')? {
                self.header()?;
            } else {
                let context = self.document.context.clone();
                self.entry(None)?;
                (self.document.context, self.key) = (context, None);
            }
            self.end_of_line()?;
        }
    }

    fn end_of_line(&mut self) -> Result<(), Error> {
        self.cursor.skip_blanks()?;
        if self.cursor.is_at_end() || matches!(self.cursor.peek()?, '#' | '\n' | '\r') {
            return Ok(());
        }
        let found = self.cursor.next()?;
        Err(self.unexpected(found, "expected a top-level item to end with a newline, comment, or EOF,"))
    }

    /// `found` has been taken, and something else was expected.
    fn unexpected(&self, found: char, expected: &str) -> Error {
        self.cursor.error_behind(found, format!("{expected} but got {} instead", quoted_rune(found)))
    }

    fn last_key(&self) -> String {
        match (&self.document.context[..], self.key.as_ref().filter(|key| !key.text.is_empty())) {
            (context, None) => dotted(context),
            ([], Some(key)) => key.text.to_string(),
            (context, Some(key)) => format!("{}.{}", dotted(context), key.text),
        }
    }

    /// A problem with a key that has been read.
    fn refused(&self, message: String) -> Error {
        Error::new(message, self.key_line, self.cursor.at)
    }

    fn header(&mut self) -> Result<(), Error> {
        let is_array = self.cursor.accept('[')?;
        let line = self.cursor.line;
        let mut names = Vec::new();
        loop {
            self.cursor.skip_blanks()?;
            match self.cursor.peek()? {
                '.' => {
                    let message = "unexpected table separator (table names cannot be empty)";
                    return Err(self.cursor.error_here(message));
                }
                next if next == ']' || self.cursor.is_at_end() => {
                    let message = "unexpected end of table name (table names cannot be empty)";
                    return Err(self.cursor.error_here(message));
                }
                _ => names.push(self.name()?),
            }
            self.cursor.skip_blanks()?;
            match self.cursor.next()? {
                '.' => {}
                ']' => break,
                found => return Err(self.unexpected(found, "expected '.' or ']' to end table name,")),
            }
        }
        if is_array {
            let found = self.cursor.next()?;
            if found != ']' {
                return Err(self.unexpected(found, "expected end of table array name delimiter ']',"));
            }
        }
        self.key_line = line;
        self.document.enter(&names, is_array).map_err(|message| self.refused(message))
    }

    /// A part of a key.
    fn name(&mut self) -> Result<Name, Error> {
        let start = self.cursor.at;
        let text: Text = if matches!(self.cursor.peek()?, '"' | '\'') {
            string::short(&mut self.cursor)?.into()
        } else {
            self.cursor.take_while(|next| next.is_ascii_alphanumeric() || matches!(next, '_' | '-'))?.into()
        };
        Ok(Name { text, span: self.span(start) })
    }

    fn span(&self, start: usize) -> Span {
        let (source, shift) = self.place;
        Span::new(source, shift + start, shift + self.cursor.at)
    }

    /// The parts of a key, with its `=`.
    fn key(&mut self) -> Result<Vec<Name>, Error> {
        self.cursor.skip_blanks()?;
        match self.cursor.peek()? {
            '.' => return Err(self.cursor.error_here("unexpected '.': keys cannot start with a '.'")),
            next if next == '=' || self.cursor.is_at_end() => {
                return Err(self.cursor.error_here("unexpected '=': key name appears blank"));
            }
            _ => {}
        }
        let line = self.cursor.line;
        let mut names = vec![self.name()?];
        loop {
            self.cursor.skip_blanks()?;
            if self.cursor.is_at_end() {
                return Err(self.cursor.error("unexpected EOF; expected key separator '='"));
            }
            match self.cursor.next()? {
                '=' => break,
                '.' => {}
                '\n' => {
                    let message = "expected '.' or '=', but got '\\n' instead";
                    return Err(self.cursor.error_before_break(message));
                }
                found => return Err(self.unexpected(found, "expected '.' or '=',")),
            }
            self.cursor.skip_blanks()?;
            match self.cursor.peek()? {
                '.' => return Err(self.cursor.error_here("unexpected '.'")),
                next if next == '=' || self.cursor.is_at_end() => {
                    return Err(self.cursor.error_here("unexpected '='"));
                }
                _ => names.push(self.name()?),
            }
        }
        self.key_line = line;
        Ok(names)
    }

    /// A key and its value, in the current table and in the inline table that is made of it.
    fn entry(&mut self, mut inline: Option<&mut Table>) -> Result<(), Error> {
        let mut names = self.key()?;
        let Some(last) = names.pop() else { return Ok(()) };
        self.key = Some(last.clone());
        for name in &names {
            let path: Vec<Name> = self.document.context.iter().chain([name]).cloned().collect();
            self.document.implicit.insert(dotted(&path));
            self.document.enter(&path, false).map_err(|message| self.refused(message))?;
        }
        let value = self.value(false)?;
        self.document.set(&last, Slot::Value(value.clone())).map_err(|message| self.refused(message))?;
        if let Some(mut table) = inline.take() {
            for name in &names {
                if table.get_mut(&name.text).is_none() {
                    table.set(name, Slot::Table(Table::default()));
                }
                let Some(Slot::Table(inner)) = table.get_mut(&name.text) else {
                    let context = dotted(&self.document.context);
                    return Err(self.refused(format!("{} is not a table", super::error::quoted(&context))));
                };
                table = inner;
            }
            table.set(&last, Slot::Value(value));
        }
        Ok(())
    }

    fn value(&mut self, is_in_array: bool) -> Result<Node, Error> {
        self.cursor.skip_blanks()?;
        let start = self.cursor.at;
        let value = match self.cursor.peek()? {
            '[' => self.nested(Self::array)?,
            '{' if is_in_array => self.nested(|reader| reader.inline_table(true))?,
            '{' => self.nested(|reader| reader.inline_table(false))?,
            '"' | '\'' => Value::Str(string::value(&mut self.cursor)?.into()),
            _ => scalar::plain(&mut self.cursor)?,
        };
        Ok(Node { value, span: self.span(start) })
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Value, Error>) -> Result<Value, Error> {
        let levels = self.levels.checked_sub(1);
        self.levels = levels.ok_or_else(|| self.cursor.error("values nest too deep"))?;
        self.cursor.next()?;
        let value = read(self);
        self.levels += 1;
        value
    }

    fn array(&mut self) -> Result<Value, Error> {
        let key = dotted(self.document.context.iter().chain(&self.key));
        self.document.arrays.insert(key);
        let mut items = Vec::new();
        loop {
            self.cursor.skip_lines()?;
            if self.cursor.accept(']')? {
                return Ok(items.into());
            }
            if self.cursor.accept(',')? {
                return Err(self.cursor.error("unexpected comma"));
            }
            items.push(self.value(true)?);
            self.cursor.skip_lines()?;
            if self.cursor.accept(']')? {
                return Ok(items.into());
            }
            if !self.cursor.accept(',')? {
                let found = self.shown()?;
                let message = format!("expected a comma (',') or array terminator (']'), but got {found}");
                return Err(self.cursor.error(message));
            }
        }
    }

    /// The next character as messages show it.
    fn shown(&mut self) -> Result<String, Error> {
        if self.cursor.is_at_end() {
            return Ok("end of file".to_owned());
        }
        Ok(format!("'{}'", self.cursor.next()?))
    }

    fn inline_table(&mut self, is_in_array: bool) -> Result<Value, Error> {
        let (outer_context, outer_key) = (self.document.context.clone(), self.key.take());
        let start = self.cursor.at;
        self.document.context.extend(outer_key.clone());
        let context = self.document.context.clone();
        self.document.implicit.insert(dotted(&context));
        self.document.enter(&context, is_in_array).map_err(|message| self.refused(message))?;
        let context = self.document.context.clone();
        let mut table = Table::default();
        loop {
            self.cursor.skip_lines()?;
            if self.cursor.accept('}')? {
                break;
            }
            if self.cursor.accept(',')? {
                return Err(self.cursor.error("unexpected comma"));
            }
            self.entry(Some(&mut table))?;
            self.document.context.clone_from(&context);
            self.cursor.skip_lines()?;
            if self.cursor.accept('}')? {
                break;
            }
            if !self.cursor.accept(',')? {
                let found = self.shown()?;
                let message = "expected a comma or an inline table terminator '}', but got";
                return Err(self.cursor.error(format!("{message} {found} instead")));
            }
        }
        (self.document.context, self.key) = (outer_context, outer_key);
        Ok(table.into_node(self.span(start)).value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::repr;
    use kapstan_diagnostic::Sources;

    fn loaded(text: &str) -> Result<Node, Error> {
        load(text.as_bytes(), Sources::new().add("a.toml", text.as_bytes()), 50)
    }

    #[test]
    fn values() {
        for (text, expected) in [
            ("", "{}"),
            ("a = 1\nb.c = 'x'\n[t]\nd = [1.5, true]", "{'a': 1, 'b': {'c': 'x'}, 't': {'d': [1.5, True]}}"),
            (
                "[[l]]\nn = 1\n[[l]]\n[l.m]\nk = {x.y = 1,\n}",
                "{'l': [{'n': 1}, {'m': {'k': {'x': {'y': 1}}}}]}",
            ),
            ("a = 0x1F\nb = -1_0\nc = 1e3\nd = inf", "{'a': 31, 'b': -10, 'c': 1000.0, 'd': inf}"),
            ("a = \"\"\"\nx \\\n   y\"\"\"\"\nb = '''\n\\n'''", r#"{'a': 'x y"', 'b': '\\n'}"#),
            (r#"a = "\u00e9\x41\t""#, r"{'a': 'éA\t'}"),
            ("a = [{b = 1}, {b = 2}]", "{'a': [{'b': 1}, {'b': 2}]}"),
            ("a = 07:32\nb = 07:32:00.50", "{'a': '07:32:00', 'b': '07:32:00.5'}"),
            (
                "a = 2001-02-03\nb = 2001-02-03 04:05:06.25z",
                "{'a': datetime.date(2001, 2, 3), 'b': datetime.datetime(2001, 2, 3, 4, 5, 6, 250000, \
                 tzinfo=datetime.timezone.utc)}",
            ),
        ] {
            assert_eq!(repr(&loaded(text).expect(text).value), expected, "{text}");
        }
    }

    #[test]
    fn errors_are_the_peer_s() {
        let a = |message: &str| format!("toml: line 1 (last key \"a\"): {message}");
        for (text, expected) in [
            ("a = ", a("unexpected EOF; expected value")),
            ("a =\nb = 1", a("expected value but found '\\n' instead")),
            ("a = 07", a("Invalid integer \"07\": cannot have leading zeroes")),
            ("a = 5.", a("Invalid float \"5.\": '.' must be followed by one or more digits")),
            ("a = 2001-02-30", a("invalid datetime: \"2001-02-30\"")),
            ("a = [1 2]", a("expected a comma (',') or array terminator (']'), but got '2'")),
            ("a = 'x", a("unexpected EOF; expected \"'\"")),
            (r#"a = "\q""#, a("invalid escape in string '\\q'")),
            ("a = \u{1}", a("TOML files cannot contain control characters: '0x01'")),
        ] {
            assert_eq!(loaded(text).expect_err(text).to_string(), expected);
        }
        for (text, expected) in [
            ("a", "toml: line 1: unexpected EOF; expected key separator '='"),
            ("a = 1\na = 2", "toml: line 2 (last key \"a\"): Key 'a' has already been defined."),
            ("[t]\n[t]", "toml: line 2: Key 't' has already been defined."),
            ("a.b = nope", "toml: line 1 (last key \"a.b\"): expected value but found \"nope\" instead"),
            (
                "[t]\na = 1 2",
                "toml: line 2 (last key \"t\"): expected a top-level item to end with a newline, comment, or EOF, \
                 but got '2' instead",
            ),
        ] {
            assert_eq!(loaded(text).expect_err(text).to_string(), expected);
        }
        loaded(&format!("a = {}", "[".repeat(5000))).expect_err("too deep");
    }
}
