use super::cursor::Cursor;
use super::error::{Error, quoted_rune};
use super::item::{Entries, Item};
use super::table::{Document, Slot, Table, dotted};
use super::{scalar, string};
use crate::{Scalar, Text};

/// The entries of a TOML text, as `github.com/BurntSushi/toml` 1.6 reads it: TOML 1.1, integers of 64 bits, doubles.
///
/// Fails where the peer fails, with its words, and for arrays and inline tables that nest deeper than `depth`.
pub fn load(bytes: &[u8], depth: usize) -> Result<Entries, Error> {
    let mark =
        [&b"\xff\xfe"[..], b"\xfe\xff", b"\xef\xbb\xbf"].into_iter().find(|mark| bytes.starts_with(mark));
    let bytes = &bytes[mark.map_or(0, <[u8]>::len)..];
    if bytes.iter().take(6).any(|byte| *byte == 0) {
        let message = "files cannot contain NULL bytes; probably using UTF-16; TOML files must be UTF-8";
        return Err(Error::new(message, 1, 0));
    }
    let cursor = Cursor::new(bytes);
    let mut reader = Reader { cursor, document: Document::default(), key: None, key_line: 1, levels: depth };
    match reader.document() {
        Ok(()) => Ok(reader.document.root.into_entries()),
        Err(error) => Err(error.behind_key(|| reader.last_key())),
    }
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    document: Document,
    /// The last part of the key whose value is read.
    key: Option<Text>,
    /// The line of the key that was read last.
    key_line: usize,
    /// How many more arrays and inline tables may be opened inside each other.
    levels: usize,
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
        match (&self.document.context[..], self.key.as_ref().filter(|key| !key.is_empty())) {
            (context, None) => dotted(context),
            ([], Some(key)) => key.to_string(),
            (context, Some(key)) => format!("{}.{}", dotted(context), key),
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
    fn name(&mut self) -> Result<Text, Error> {
        if matches!(self.cursor.peek()?, '"' | '\'') {
            return string::short(&mut self.cursor).map(Into::into);
        }
        let is_bare = |next: char| next.is_ascii_alphanumeric() || matches!(next, '_' | '-');
        self.cursor.take_while(is_bare).map(Into::into)
    }

    /// The parts of a key, with its `=`.
    fn key(&mut self) -> Result<Vec<Text>, Error> {
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
            let path: Vec<Text> = self.document.context.iter().chain([name]).cloned().collect();
            self.document.implicit.insert(dotted(&path));
            self.document.enter(&path, false).map_err(|message| self.refused(message))?;
        }
        let value = self.value(false)?;
        self.document.set(&last, Slot::Value(value.clone())).map_err(|message| self.refused(message))?;
        if let Some(mut table) = inline.take() {
            for name in &names {
                if table.get_mut(name).is_none() {
                    table.set(name, Slot::Table(Table::default()));
                }
                let Some(Slot::Table(inner)) = table.get_mut(name) else {
                    let context = dotted(&self.document.context);
                    return Err(self.refused(format!("{} is not a table", super::error::quoted(&context))));
                };
                table = inner;
            }
            table.set(&last, Slot::Value(value));
        }
        Ok(())
    }

    fn value(&mut self, is_in_array: bool) -> Result<Item, Error> {
        self.cursor.skip_blanks()?;
        match self.cursor.peek()? {
            '[' => self.nested(Self::array),
            '{' if is_in_array => self.nested(|reader| reader.inline_table(true)),
            '{' => self.nested(|reader| reader.inline_table(false)),
            '"' | '\'' => string::value(&mut self.cursor).map(|text| Item::Scalar(Scalar::Str(text.into()))),
            _ => scalar::plain(&mut self.cursor),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Item, Error>) -> Result<Item, Error> {
        let levels = self.levels.checked_sub(1);
        self.levels = levels.ok_or_else(|| self.cursor.error("values nest too deep"))?;
        self.cursor.next()?;
        let value = read(self);
        self.levels += 1;
        value
    }

    fn array(&mut self) -> Result<Item, Error> {
        let key = dotted(self.document.context.iter().chain(&self.key));
        self.document.arrays.insert(key);
        let mut items = Vec::new();
        loop {
            self.cursor.skip_lines()?;
            if self.cursor.accept(']')? {
                return Ok(Item::List(items));
            }
            if self.cursor.accept(',')? {
                return Err(self.cursor.error("unexpected comma"));
            }
            items.push(self.value(true)?);
            self.cursor.skip_lines()?;
            if self.cursor.accept(']')? {
                return Ok(Item::List(items));
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

    fn inline_table(&mut self, is_in_array: bool) -> Result<Item, Error> {
        let (outer_context, outer_key) = (self.document.context.clone(), self.key.take());
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
        Ok(Item::Table(table.into_entries()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::item::Moment;
    use super::*;

    fn loaded(text: &str) -> Result<String, Error> {
        load(text.as_bytes(), 50).map(|entries| shown(&Item::Table(entries)))
    }

    fn shown(item: &Item) -> String {
        let table = |entries: &Entries| {
            let entries: Vec<String> =
                entries.iter().map(|(key, item)| format!("{key}={}", shown(item))).collect();
            format!("{{{}}}", entries.join(" "))
        };
        match item {
            Item::Scalar(scalar) => crate::python::scalar_repr(scalar),
            Item::Moment(Moment::Zoned(text)) => format!("zoned {text}"),
            Item::Moment(Moment::Local(text)) => format!("local {text}"),
            Item::Moment(Moment::Date(text) | Moment::Time(text)) => text.clone(),
            Item::List(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(" ")),
            Item::Table(entries) => table(entries),
            Item::Tables(tables) => format!("[[{}]]", tables.iter().map(table).collect::<Vec<_>>().join(" ")),
        }
    }

    #[test]
    fn values() {
        for (text, expected) in [
            ("", "{}"),
            ("a = 1\nb.c = 'x'\n[t]\nd = [1.5, true]", "{a=1 b={c='x'} t={d=[1.5 True]}}"),
            ("[[l]]\nn = 1\n[[l]]\n[l.m]\nk = {x.y = 1,\n}", "{l=[[{n=1} {m={k={x={y=1}}}}]]}"),
            ("a = 0x1F\nb = -1_0\nc = 1e3\nd = inf", "{a=31 b=-10 c=1000.0 d=inf}"),
            ("a = \"\"\"\nx \\\n   y\"\"\"\"\nb = '''\n\\n'''", r#"{a='x y"' b='\\n'}"#),
            (r#"a = "\u00e9\x41\t""#, r"{a='éA\t'}"),
            ("a = [{b = 1}, {b = 2}]", "{a=[{b=1} {b=2}]}"),
            ("a = 07:32\nb = 07:32:00.50", "{a=07:32:00 b=07:32:00.5}"),
            ("a = 2001-02-03\nb = 2001-02-03 04:05:06.25z", "{a=2001-02-03 b=zoned 2001-02-03T04:05:06.25Z}"),
            ("a = 2001-02-03t04:05", "{a=local 2001-02-03T04:05:00}"),
        ] {
            assert_eq!(loaded(text).as_deref(), Ok(expected), "{text}");
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
