use super::ast::{Command, Identifier, Operand, Pipe, Variable};
use super::literal::{number, unquote};
use super::parser::{Outcome, Parser};
use super::print::Print;
use super::token::TokenKind;
use crate::format::quote;
use crate::value::{Text, Value};
use std::rc::Rc;

/// How deep parentheses may nest, as in Go.
const MOST_PARENTHESES: usize = 10_000;

impl Parser<'_> {
    /// A pipeline and the token that ends it.
    pub(super) fn pipeline(&mut self, context: &str, end: TokenKind) -> Outcome<Pipe> {
        let position = self.peek_non_space().position;
        let mut pipe = Pipe { position, is_assignment: false, variables: Vec::new(), commands: Vec::new() };
        self.declarations(&mut pipe, context)?;
        loop {
            let token = self.next_non_space();
            match token.kind {
                kind if kind == end => break,
                TokenKind::Bool
                | TokenKind::CharacterConstant
                | TokenKind::Complex
                | TokenKind::Dot
                | TokenKind::Field
                | TokenKind::Identifier
                | TokenKind::Number
                | TokenKind::Nil
                | TokenKind::RawString
                | TokenKind::String
                | TokenKind::Variable
                | TokenKind::LeftParenthesis => {
                    self.put_back(token);
                    let command = self.command()?;
                    pipe.commands.push(command);
                }
                _ => return self.unexpected(&token, context),
            }
        }
        self.check_pipeline(&pipe, context)?;
        Ok(pipe)
    }

    /// `$x :=`, `$x =`, and in a range also `$i, $x :=`.
    fn declarations(&mut self, pipe: &mut Pipe, context: &str) -> Outcome<()> {
        while self.peek_non_space().kind == TokenKind::Variable {
            let name = self.next();
            let after = self.peek().clone();
            let next = self.peek_non_space().clone();
            let is_comma = next.kind == TokenKind::Character && *next.text == *b",";
            if !is_comma && !matches!(next.kind, TokenKind::Assign | TokenKind::Declare) {
                // The blank behind a variable is what separates it from an argument.
                if after.kind == TokenKind::Space {
                    self.put_back(after);
                }
                self.put_back(name);
                return Ok(());
            }
            self.next_non_space();
            let text: Rc<[u8]> = Rc::from(&*name.text);
            self.scope.variables.push(Rc::clone(&text));
            pipe.variables.push(Variable { position: name.position, name: text, fields: Vec::new() });
            if !is_comma {
                pipe.is_assignment = next.kind == TokenKind::Assign;
                return Ok(());
            }
            if context != "range" || pipe.variables.len() >= 2 {
                return self.error(format!("too many declarations in {context}"));
            }
            let follows = self.peek_non_space().kind;
            if !matches!(
                follows,
                TokenKind::Variable | TokenKind::RightDelimiter | TokenKind::RightParenthesis
            ) {
                return self.error("range can only initialize variables");
            }
        }
        Ok(())
    }

    fn check_pipeline(&self, pipe: &Pipe, context: &str) -> Outcome<()> {
        if pipe.commands.is_empty() {
            return self.error(format!("missing value for {context}"));
        }
        for (index, command) in pipe.commands.iter().enumerate().skip(1) {
            if matches!(
                command.operands[0],
                Operand::Bool { .. }
                    | Operand::Dot { .. }
                    | Operand::Nil { .. }
                    | Operand::Number(_)
                    | Operand::String { .. }
            ) {
                return self.error(format!("non executable command in pipeline stage {}", index + 1));
            }
        }
        Ok(())
    }

    /// Operands up to a pipe, which is taken, or a closing token, which is left.
    fn command(&mut self) -> Outcome<Command> {
        let mut command = Command { position: self.peek_non_space().position, operands: Vec::new() };
        loop {
            self.peek_non_space();
            if let Some(operand) = self.operand()? {
                command.operands.push(operand);
            }
            let token = self.next();
            match token.kind {
                TokenKind::Space => continue,
                TokenKind::RightDelimiter | TokenKind::RightParenthesis => self.put_back(token),
                TokenKind::Pipe => {}
                _ => return self.unexpected(&token, "operand"),
            }
            break;
        }
        if command.operands.is_empty() {
            return self.error("empty command");
        }
        Ok(command)
    }

    /// A term and the fields behind it; none where no operand stands.
    fn operand(&mut self) -> Outcome<Option<Operand>> {
        let Some(term) = self.term()? else { return Ok(None) };
        if self.peek().kind != TokenKind::Field {
            return Ok(Some(term));
        }
        let position = self.peek().position;
        let mut names = Vec::new();
        while self.peek().kind == TokenKind::Field {
            names.push(Text::from(&self.next().text[1..]));
        }
        Ok(Some(match term {
            // The place of a longer chain is that of its second part.
            Operand::Field { names: mut first, .. } => {
                first.append(&mut names);
                Operand::Field { position, names: first }
            }
            Operand::Variable(variable) => {
                Operand::Variable(Variable { position, name: variable.name, fields: names })
            }
            Operand::Bool { .. }
            | Operand::String { .. }
            | Operand::Number(_)
            | Operand::Nil { .. }
            | Operand::Dot { .. } => {
                return self.error(format!("unexpected . after term {}", quote(&term.text())));
            }
            base => Operand::Chain { position, base: Box::new(base), names },
        }))
    }

    fn term(&mut self) -> Outcome<Option<Operand>> {
        let token = self.next_non_space();
        let position = token.position;
        Ok(Some(match token.kind {
            TokenKind::Identifier => {
                let name = std::str::from_utf8(&token.text).unwrap_or_default();
                let Some(function) = self.functions.get(name) else {
                    return self.error(format!("function {} not defined", quote(&token.text)));
                };
                Operand::Identifier(Identifier { position, function: Rc::clone(function) })
            }
            TokenKind::Dot => Operand::Dot { position },
            TokenKind::Nil => Operand::Nil { position },
            TokenKind::Variable => {
                let Some(name) = self.scope.variables.iter().find(|name| ***name == *token.text) else {
                    return self.error(format!("undefined variable {}", quote(&token.text)));
                };
                Operand::Variable(Variable { position, name: Rc::clone(name), fields: Vec::new() })
            }
            TokenKind::Field => Operand::Field { position, names: vec![token.text[1..].into()] },
            TokenKind::Bool => Operand::Bool { position, value: *token.text == *b"true" },
            TokenKind::CharacterConstant | TokenKind::Complex | TokenKind::Number => {
                match number(&token.text, token.kind, position) {
                    Ok(number) => Operand::Number(Box::new(number)),
                    Err(message) => return self.error(message),
                }
            }
            TokenKind::LeftParenthesis => {
                if self.scope.parentheses >= MOST_PARENTHESES {
                    return self.error("max expression depth exceeded");
                }
                self.check_depth()?;
                self.scope.parentheses += 1;
                let pipe = self.pipeline("parenthesized pipeline", TokenKind::RightParenthesis)?;
                self.scope.parentheses -= 1;
                Operand::Pipe(Box::new(pipe))
            }
            TokenKind::String | TokenKind::RawString => match unquote(&token.text) {
                Ok(value) => Operand::String {
                    position,
                    quoted: (&*token.text).into(),
                    value: Value::Str(value.into()),
                },
                Err(message) => return self.error(message),
            },
            _ => {
                self.put_back(token);
                return Ok(None);
            }
        }))
    }
}
