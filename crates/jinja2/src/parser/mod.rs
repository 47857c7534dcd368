//! Tokens to a tree, by Jinja2's grammar, with its error texts.

mod expressions;
mod statements;

use crate::ast::{Expr, ExprKind, Stmt};
use crate::error::{Outcome, quoted, syntax_error};
use crate::lexer::{Lexer, Token};
use crate::stack::{StackLimit, too_deep};
use kapstan_document::Text;
use std::collections::VecDeque;

/// Deeper expressions are refused. Python gives up at about the same depth.
const MAX_DEPTH: u16 = 300;

/// Parses a template. `file` is what the loader called it.
pub(crate) fn parse(source: &str, file: &str, stack: StackLimit) -> Outcome<Vec<Stmt>> {
    let mut parser = Parser {
        lexer: Lexer::new(source, file),
        file,
        current: (1, Token::End),
        ahead: VecDeque::new(),
        tags: Vec::new(),
        ends: Vec::new(),
        stack,
    };
    parser.next()?;
    parser.body(None)
}

/// Names of tags that end a body.
type Ends = &'static [&'static str];

struct Parser<'a> {
    lexer: Lexer<'a>,
    file: &'a str,
    current: (u32, Token),
    ahead: VecDeque<(u32, Token)>,
    /// The tags that are open.
    tags: Vec<Text>,
    /// The ends that are awaited.
    ends: Vec<Ends>,
    stack: StackLimit,
}

impl Parser<'_> {
    fn line(&self) -> u32 {
        self.current.0
    }

    fn token(&self) -> &Token {
        &self.current.1
    }

    /// Goes one token ahead and returns the one before.
    fn next(&mut self) -> Outcome<(u32, Token)> {
        let following = match self.ahead.pop_front() {
            Some(token) => token,
            None => self.lexer.next()?.unwrap_or((self.current.0, Token::End)),
        };
        Ok(std::mem::replace(&mut self.current, following))
    }

    /// The token after the current one.
    fn look(&mut self) -> Outcome<&Token> {
        if self.ahead.is_empty() {
            let following = self.lexer.next()?.unwrap_or((self.current.0, Token::End));
            self.ahead.push_back(following);
        }
        Ok(&self.ahead[0].1)
    }

    fn fail<T>(&self, message: impl Into<String>, line: u32) -> Outcome<T> {
        Err(syntax_error(message, self.file, line))
    }

    fn is_op(&self, op: &str) -> bool {
        matches!(self.token(), Token::Op(found) if *found == op)
    }

    fn is_name(&self, name: &str) -> bool {
        matches!(self.token(), Token::Name(found) if &**found == name)
    }

    fn skip_op(&mut self, op: &str) -> Outcome<bool> {
        let found = self.is_op(op);
        if found {
            self.next()?;
        }
        Ok(found)
    }

    fn skip_name(&mut self, name: &str) -> Outcome<bool> {
        let found = self.is_name(name);
        if found {
            self.next()?;
        }
        Ok(found)
    }

    fn expect(&mut self, found: bool, what: &str) -> Outcome<(u32, Token)> {
        if found {
            return self.next();
        }
        let what = quoted(what);
        if *self.token() == Token::End {
            return self.fail(format!("unexpected end of template, expected {what}."), self.line());
        }
        let message = format!("expected token {what}, got {}", quoted(self.token().describe()));
        self.fail(message, self.line())
    }

    fn expect_op(&mut self, op: &str) -> Outcome<u32> {
        self.expect(self.is_op(op), op).map(|token| token.0)
    }

    fn expect_word(&mut self, word: &str) -> Outcome<u32> {
        self.expect(self.is_name(word), word).map(|token| token.0)
    }

    fn expect_name(&mut self) -> Outcome<(u32, Text)> {
        match self.expect(matches!(self.token(), Token::Name(_)), "name")? {
            (line, Token::Name(name)) => Ok((line, name)),
            (line, _) => self.fail("expected name", line),
        }
    }

    fn expect_token(&mut self, token: &Token) -> Outcome<u32> {
        self.expect(self.token() == token, token.describe()).map(|token| token.0)
    }

    /// A node over its children, unless that makes the tree too deep.
    fn node(&self, kind: ExprKind, line: u32) -> Outcome<Expr> {
        let mut node = Expr { line, depth: 0, kind };
        let mut below = 0;
        node.each_child(&mut |child| below = below.max(child.depth));
        if below >= MAX_DEPTH {
            return Err(too_deep());
        }
        node.depth = below + 1;
        Ok(node)
    }
}
