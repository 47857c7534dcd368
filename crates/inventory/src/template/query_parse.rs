use super::ParseError;
use super::parse::place;
use super::query::{Comparison, Connective, Operand, Query, Shape, Test};
use crate::path::split;
use crate::rules::Syntax;
use kapstan_document::{Node, Text, python};

/// Reads what stands between the sentinels of an inventory query.
///
/// Behaviour: the expression grammar of reclass: `[options] path`, `[options] path if test ...` and
/// `[options] if test ...`, where words end at blanks only and keywords need no blank behind them.
pub(super) fn parse_query(text: &str, syntax: &Syntax) -> Result<Query, ParseError> {
    let mut scanner = Scanner { text, at: 0 };
    // Options change nothing where the exports of all nodes are rendered before they are asked for.
    while scanner.keyword("+IgnoreErrors") || scanner.keyword("+AllEnvs") {}
    let start = scanner.at;
    if let Some(word) = scanner.word() {
        let path: Vec<Text> = split(word, &syntax.delimiter).skip(1).map(Text::from).collect();
        let after_word = scanner.at;
        if scanner.keyword("IF")
            && let Ok(tests) = scanner.tests(syntax)
        {
            return Ok(Query { text: text.into(), shape: Shape::Values { path, tests } });
        }
        scanner.at = after_word;
        if scanner.is_at_end() {
            return Ok(Query { text: text.into(), shape: Shape::Values { path, tests: Vec::new() } });
        }
    }
    scanner.at = start;
    if scanner.keyword("IF") {
        let tests = scanner.tests(syntax)?;
        return Ok(Query { text: text.into(), shape: Shape::Nodes { tests } });
    }
    scanner.word();
    if scanner.keyword("IF") {
        scanner.tests(syntax)?;
    }
    Err(scanner.error("'IF'"))
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    fn is_at_end(&mut self) -> bool {
        self.skip_blanks();
        self.at == self.text.len()
    }

    /// In any case of letters.
    fn keyword(&mut self, keyword: &str) -> bool {
        self.skip_blanks();
        let rest = self.text.as_bytes().get(self.at..self.at + keyword.len());
        let found = rest.is_some_and(|rest| rest.eq_ignore_ascii_case(keyword.as_bytes()));
        if found {
            self.at += keyword.len();
        }
        found
    }

    /// Visible ASCII characters up to a blank.
    fn word(&mut self) -> Option<&'a str> {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let length = rest.find(|character: char| !character.is_ascii_graphic()).unwrap_or(rest.len());
        self.at += length;
        (length > 0).then(|| &rest[..length])
    }

    fn tests(&mut self, syntax: &Syntax) -> Result<Vec<(Connective, Test)>, ParseError> {
        let mut tests = vec![(Connective::And, self.test(syntax)?)];
        while !self.is_at_end() {
            let connective = if self.keyword("AND") {
                Connective::And
            } else if self.keyword("OR") {
                Connective::Or
            } else {
                return Err(self.error("end of text"));
            };
            tests.push((connective, self.test(syntax)?));
        }
        Ok(tests)
    }

    fn test(&mut self, syntax: &Syntax) -> Result<Test, ParseError> {
        let left = self.operand(syntax)?;
        self.skip_blanks();
        let comparison = if self.keyword("==") {
            Comparison::Equal
        } else if self.keyword("!=") {
            Comparison::NotEqual
        } else {
            return Err(self.error("{'==' | '!='}"));
        };
        let right = self.operand(syntax)?;
        // Whichever side names the exports; the right one where both do.
        let mut test = Test { export: None, parameter: None, value: None, comparison };
        for operand in [left, right] {
            match operand {
                Operand::Export(path) => test.export = Some(path),
                Operand::Parameter(path) => test.parameter = Some(path),
                Operand::Value(value) => test.value = Some(value),
            }
        }
        if test.export.is_none() {
            let (column, line) = place(self.text, self.at);
            let message = "a test in an inventory query must name an export: `exports:...`".to_owned();
            return Err(ParseError { message, column, line, peer: "Expression error: No export".to_owned() });
        }
        Ok(test)
    }

    fn operand(&mut self, syntax: &Syntax) -> Result<Operand, ParseError> {
        self.skip_blanks();
        if let Some(number) = self.number() {
            return Ok(Operand::Value(number));
        }
        let Some(word) = self.word() else { return Err(self.error("W:(!-~)")) };
        let mut path = split(word, &syntax.delimiter);
        let first = path.next().unwrap_or_default();
        let rest = || path.map(Text::from).collect();
        Ok(match first.to_lowercase().as_str() {
            "exports" => Operand::Export(rest()),
            "self" => Operand::Parameter(rest()),
            "true" => Operand::Value(true.into()),
            "false" => Operand::Value(false.into()),
            _ => Operand::Value(word.into()),
        })
    }

    /// A number: an integer must be a word of its own, a decimal fraction need not.
    fn number(&mut self) -> Option<Node> {
        let rest = &self.text[self.at..];
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let sign = usize::from(rest.starts_with('-'));
        let whole = digits(&rest[sign..]);
        let after = &rest[sign + whole..];
        if whole > 0 && !after.starts_with(|character: char| character.is_ascii_graphic()) {
            self.at += sign + whole;
            return python::parse_int(&rest[..sign + whole], 10).ok().map(Node::from);
        }
        let fraction = digits(after.strip_prefix('.')?);
        if whole + fraction == 0 {
            return None;
        }
        let length = sign + whole + 1 + fraction;
        self.at += length;
        rest[..length].parse::<f64>().ok().map(Node::from)
    }

    fn error(&mut self, expected: &str) -> ParseError {
        self.skip_blanks();
        let (column, line) = place(self.text, self.at);
        let words = match expected {
            "'IF'" => "`if`",
            "end of text" => "`and`, `or` or the end of the query",
            "{'==' | '!='}" => "`==` or `!=`",
            _ => "a word",
        };
        let message = format!("expected {words} in the inventory query");
        ParseError { message, column, line, peer: format!("Expected {expected} at char {column}") }
    }
}
