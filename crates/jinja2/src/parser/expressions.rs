use super::Parser;
use crate::ast::{Arguments, BinaryOp, CompareOp, Expr, ExprKind, Literal, UnaryOp, Use};
use crate::error::{Outcome, quoted};
use crate::lexer::Token;
use kapstan_document::Text;

/// What may stand in a tuple, and where it ends.
#[derive(Clone, Copy, Default)]
pub(super) struct TupleRules {
    /// Names and literals only, as in targets.
    pub simple: bool,
    /// `a if b` is not taken as one expression.
    pub without_condition: bool,
    /// A word that ends the tuple.
    pub end: Option<&'static str>,
    /// `()` is fine.
    pub in_parentheses: bool,
    /// `ns.attr` is fine.
    pub with_namespace: bool,
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Outcome<Expr> {
        self.stack.check()?;
        let mut line = self.line();
        let mut expr = self.or()?;
        while self.skip_name("if")? {
            let test = Box::new(self.or()?);
            let otherwise = if self.skip_name("else")? { Some(Box::new(self.expression()?)) } else { None };
            expr = self.node(ExprKind::Cond { test, then: Box::new(expr), otherwise }, line)?;
            line = self.line();
        }
        Ok(expr)
    }

    fn or(&mut self) -> Outcome<Expr> {
        let mut line = self.line();
        let mut left = self.and()?;
        while self.skip_name("or")? {
            let right = self.and()?;
            left = self.node(ExprKind::Or(Box::new(left), Box::new(right)), line)?;
            line = self.line();
        }
        Ok(left)
    }

    fn and(&mut self) -> Outcome<Expr> {
        let mut line = self.line();
        let mut left = self.not()?;
        while self.skip_name("and")? {
            let right = self.not()?;
            left = self.node(ExprKind::And(Box::new(left), Box::new(right)), line)?;
            line = self.line();
        }
        Ok(left)
    }

    fn not(&mut self) -> Outcome<Expr> {
        let line = self.line();
        if self.skip_name("not")? {
            self.stack.check()?;
            let operand = Box::new(self.not()?);
            return self.node(ExprKind::Unary(UnaryOp::Not, operand), line);
        }
        self.compare()
    }

    fn compare(&mut self) -> Outcome<Expr> {
        let mut line = self.line();
        let first = self.sum()?;
        let mut rest = Vec::new();
        while let Some(op) = self.compare_op()? {
            rest.push((op, self.sum()?));
            line = self.line();
        }
        if rest.is_empty() { Ok(first) } else { self.node(ExprKind::Compare(Box::new(first), rest), line) }
    }

    fn compare_op(&mut self) -> Outcome<Option<CompareOp>> {
        let op = match self.token() {
            Token::Op("==") => CompareOp::Eq,
            Token::Op("!=") => CompareOp::Ne,
            Token::Op("<") => CompareOp::Lt,
            Token::Op("<=") => CompareOp::LtEq,
            Token::Op(">") => CompareOp::Gt,
            Token::Op(">=") => CompareOp::GtEq,
            Token::Name(name) if &**name == "in" => CompareOp::In,
            Token::Name(name) if &**name == "not" => {
                if !matches!(self.look()?, Token::Name(next) if &**next == "in") {
                    return Ok(None);
                }
                self.next()?;
                CompareOp::NotIn
            }
            _ => return Ok(None),
        };
        self.next()?;
        Ok(Some(op))
    }

    /// A chain of operators of one rank, from the left.
    fn chain(
        &mut self,
        operators: &[(&str, BinaryOp)],
        operand: impl Fn(&mut Self) -> Outcome<Expr>,
    ) -> Outcome<Expr> {
        let mut line = self.line();
        let mut left = operand(self)?;
        while let Some((_, op)) = operators.iter().find(|(text, _)| self.is_op(text)) {
            self.next()?;
            let right = operand(self)?;
            left = self.node(ExprKind::Binary(*op, Box::new(left), Box::new(right)), line)?;
            line = self.line();
        }
        Ok(left)
    }

    fn sum(&mut self) -> Outcome<Expr> {
        self.chain(&[("+", BinaryOp::Add), ("-", BinaryOp::Sub)], Self::concat)
    }

    fn concat(&mut self) -> Outcome<Expr> {
        let line = self.line();
        let first = self.product()?;
        if !self.is_op("~") {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.skip_op("~")? {
            parts.push(self.product()?);
        }
        self.node(ExprKind::Concat(parts), line)
    }

    fn product(&mut self) -> Outcome<Expr> {
        let operators =
            [("*", BinaryOp::Mul), ("/", BinaryOp::Div), ("//", BinaryOp::FloorDiv), ("%", BinaryOp::Mod)];
        self.chain(&operators, Self::power)
    }

    fn power(&mut self) -> Outcome<Expr> {
        self.chain(&[("**", BinaryOp::Pow)], |parser| parser.unary(true))
    }

    fn unary(&mut self, with_filter: bool) -> Outcome<Expr> {
        self.stack.check()?;
        let line = self.line();
        let op = match self.token() {
            Token::Op("-") => Some(UnaryOp::Neg),
            Token::Op("+") => Some(UnaryOp::Pos),
            _ => None,
        };
        let node = if let Some(op) = op {
            self.next()?;
            let operand = Box::new(self.unary(false)?);
            self.node(ExprKind::Unary(op, operand), line)?
        } else {
            self.primary(false)?
        };
        let node = self.postfix(node)?;
        if with_filter { self.filters_and_tests(node) } else { Ok(node) }
    }

    pub(super) fn primary(&mut self, with_namespace: bool) -> Outcome<Expr> {
        let line = self.line();
        let literal = match self.token().clone() {
            Token::Name(name) => {
                self.next()?;
                return self.name(name, line, with_namespace);
            }
            Token::Str(first) => {
                self.next()?;
                Literal::Str(self.more_strings(first)?)
            }
            Token::Int(value) => {
                self.next()?;
                Literal::Int(value)
            }
            Token::Float(value) => {
                self.next()?;
                Literal::Float(value)
            }
            Token::Op("(") => {
                self.next()?;
                let tuple = self.tuple(TupleRules { in_parentheses: true, ..TupleRules::default() })?;
                self.expect_op(")")?;
                return Ok(tuple);
            }
            Token::Op("[") => return self.list(),
            Token::Op("{") => return self.dict(),
            other => return self.fail(format!("unexpected {}", quoted(other.describe())), line),
        };
        self.node(ExprKind::Literal(literal), line)
    }

    fn name(&mut self, name: Text, line: u32, with_namespace: bool) -> Outcome<Expr> {
        let kind = match &*name {
            "true" | "True" => ExprKind::Literal(Literal::Bool(true)),
            "false" | "False" => ExprKind::Literal(Literal::Bool(false)),
            "none" | "None" => ExprKind::Literal(Literal::None),
            _ if with_namespace && self.is_op(".") => {
                self.next()?;
                ExprKind::NamespaceAttr(name, self.expect_name()?.1)
            }
            _ => ExprKind::Name(name, Use::Load),
        };
        self.node(kind, line)
    }

    /// Strings next to each other are one.
    fn more_strings(&mut self, first: Text) -> Outcome<Text> {
        if !matches!(self.token(), Token::Str(_)) {
            return Ok(first);
        }
        let mut whole = String::from(&*first);
        while let Token::Str(part) = self.token() {
            whole.push_str(part);
            self.next()?;
        }
        Ok(whole.into())
    }

    fn is_tuple_end(&self, end: Option<&str>) -> bool {
        matches!(self.token(), Token::VariableEnd | Token::BlockEnd | Token::Op(")"))
            || end.is_some_and(|word| self.is_name(word))
    }

    /// One expression, or several with commas.
    pub(super) fn tuple(&mut self, rules: TupleRules) -> Outcome<Expr> {
        let mut line = self.line();
        let mut items = Vec::new();
        let mut is_tuple = false;
        loop {
            if !items.is_empty() {
                self.expect_op(",")?;
            }
            if self.is_tuple_end(rules.end) {
                break;
            }
            items.push(if rules.simple {
                self.primary(rules.with_namespace)?
            } else if rules.without_condition {
                self.stack.check()?;
                self.or()?
            } else {
                self.expression()?
            });
            if !self.is_op(",") {
                break;
            }
            is_tuple = true;
            line = self.line();
        }
        if !is_tuple {
            if let Some(only) = items.pop() {
                return Ok(only);
            }
            if !rules.in_parentheses {
                let message = format!("Expected an expression, got {}", quoted(self.token().describe()));
                return self.fail(message, self.line());
            }
        }
        self.node(ExprKind::Tuple(items), line)
    }

    fn list(&mut self) -> Outcome<Expr> {
        let line = self.expect_op("[")?;
        let mut items = Vec::new();
        while !self.is_op("]") {
            if !items.is_empty() {
                self.expect_op(",")?;
            }
            if self.is_op("]") {
                break;
            }
            items.push(self.expression()?);
        }
        self.expect_op("]")?;
        self.node(ExprKind::List(items), line)
    }

    fn dict(&mut self) -> Outcome<Expr> {
        let line = self.expect_op("{")?;
        let mut items = Vec::new();
        while !self.is_op("}") {
            if !items.is_empty() {
                self.expect_op(",")?;
            }
            if self.is_op("}") {
                break;
            }
            let key = self.expression()?;
            self.expect_op(":")?;
            items.push((key, self.expression()?));
        }
        self.expect_op("}")?;
        self.node(ExprKind::Dict(items), line)
    }

    fn postfix(&mut self, mut node: Expr) -> Outcome<Expr> {
        loop {
            node = match self.token() {
                Token::Op(".") => self.attribute(node)?,
                Token::Op("[") => self.subscript(node)?,
                Token::Op("(") => self.call(node)?,
                _ => return Ok(node),
            };
        }
    }

    fn filters_and_tests(&mut self, mut node: Expr) -> Outcome<Expr> {
        loop {
            node = match self.token() {
                Token::Op("|") => {
                    self.next()?;
                    self.filter(Some(node))?
                }
                Token::Name(name) if &**name == "is" => self.test(node)?,
                Token::Op("(") => self.call(node)?,
                _ => return Ok(node),
            };
        }
    }

    fn attribute(&mut self, node: Expr) -> Outcome<Expr> {
        let (line, _) = self.next()?;
        let (name_line, name) = self.next()?;
        match name {
            Token::Name(name) => self.node(ExprKind::GetAttr(Box::new(node), name), line),
            Token::Int(index) => {
                let index = self.node(ExprKind::Literal(Literal::Int(index)), name_line)?;
                self.node(ExprKind::GetItem(Box::new(node), Box::new(index)), line)
            }
            _ => self.fail("expected name or number", name_line),
        }
    }

    fn subscript(&mut self, node: Expr) -> Outcome<Expr> {
        let (line, _) = self.next()?;
        let mut arguments = Vec::new();
        while !self.is_op("]") {
            if !arguments.is_empty() {
                self.expect_op(",")?;
            }
            arguments.push(self.index()?);
        }
        self.expect_op("]")?;
        let argument = match arguments.pop() {
            Some(only) if arguments.is_empty() => only,
            last => {
                arguments.extend(last);
                self.node(ExprKind::Tuple(arguments), line)?
            }
        };
        self.node(ExprKind::GetItem(Box::new(node), Box::new(argument)), line)
    }

    fn index(&mut self) -> Outcome<Expr> {
        let line = self.line();
        let start = if self.is_op(":") {
            None
        } else {
            let node = self.expression()?;
            if !self.is_op(":") {
                return Ok(node);
            }
            Some(Box::new(node))
        };
        self.next()?;
        let at_end = |parser: &Self| parser.is_op("]") || parser.is_op(",");
        let stop = if self.is_op(":") || at_end(self) { None } else { Some(Box::new(self.expression()?)) };
        let step =
            if self.skip_op(":")? && !at_end(self) { Some(Box::new(self.expression()?)) } else { None };
        self.node(ExprKind::Slice([start, stop, step]), line)
    }

    fn arguments(&mut self) -> Outcome<Arguments> {
        let line = self.expect_op("(")?;
        let mut arguments = Arguments::default();
        let mut require_comma = false;
        while !self.is_op(")") {
            if require_comma {
                self.expect_op(",")?;
                if self.is_op(")") {
                    break;
                }
            }
            require_comma = true;
            if !self.argument(&mut arguments)? {
                return self.fail("invalid syntax for function call expression", line);
            }
        }
        self.expect_op(")")?;
        Ok(arguments)
    }

    /// Adds the next argument; false if it may not stand behind those before.
    fn argument(&mut self, arguments: &mut Arguments) -> Outcome<bool> {
        let no_stars = arguments.star.is_none() && arguments.star_star.is_none();
        if self.is_op("*") {
            if !no_stars {
                return Ok(false);
            }
            self.next()?;
            arguments.star = Some(Box::new(self.expression()?));
        } else if self.is_op("**") {
            if arguments.star_star.is_some() {
                return Ok(false);
            }
            self.next()?;
            arguments.star_star = Some(Box::new(self.expression()?));
        } else if let (Token::Name(name), true) = (self.token().clone(), self.is_keyword()?) {
            if arguments.star_star.is_some() {
                return Ok(false);
            }
            self.next()?;
            self.next()?;
            let value = self.expression()?;
            arguments.keyword.push((name, value));
        } else {
            if !no_stars || !arguments.keyword.is_empty() {
                return Ok(false);
            }
            let value = self.expression()?;
            arguments.positional.push(value);
        }
        Ok(true)
    }

    fn is_keyword(&mut self) -> Outcome<bool> {
        Ok(matches!(self.token(), Token::Name(_)) && *self.look()? == Token::Op("="))
    }

    fn call(&mut self, node: Expr) -> Outcome<Expr> {
        let line = self.line();
        let arguments = self.arguments()?;
        self.node(ExprKind::Call(Box::new(node), arguments), line)
    }

    /// One filter, behind its `|`.
    fn filter(&mut self, node: Option<Expr>) -> Outcome<Expr> {
        let (line, name) = self.dotted_name()?;
        let arguments = if self.is_op("(") { self.arguments()? } else { Arguments::default() };
        self.node(ExprKind::Filter(node.map(Box::new), name, arguments), line)
    }

    /// The filters of a `filter` or `set` block, if there are any.
    pub(super) fn block_filters(&mut self, mut at_start: bool) -> Outcome<Option<Expr>> {
        let mut node = None;
        while at_start || self.skip_op("|")? {
            node = Some(self.filter(node)?);
            at_start = false;
        }
        Ok(node)
    }

    fn dotted_name(&mut self) -> Outcome<(u32, Text)> {
        let (line, name) = self.expect_name()?;
        if !self.is_op(".") {
            return Ok((line, name));
        }
        let mut whole = String::from(&*name);
        while self.skip_op(".")? {
            whole.push('.');
            whole.push_str(&self.expect_name()?.1);
        }
        Ok((line, whole.into()))
    }

    fn test(&mut self, node: Expr) -> Outcome<Expr> {
        let (line, _) = self.next()?;
        let negated = self.skip_name("not")?;
        let (_, name) = self.dotted_name()?;
        let mut arguments = Arguments::default();
        match self.token() {
            Token::Op("(") => arguments = self.arguments()?,
            Token::Name(word) if matches!(&**word, "else" | "or" | "and") => {}
            Token::Name(word) if &**word == "is" => {
                return self.fail("You cannot chain multiple tests with is", self.line());
            }
            Token::Name(_) | Token::Str(_) | Token::Int(_) | Token::Float(_) | Token::Op("[" | "{") => {
                let argument = self.primary(false)?;
                arguments.positional.push(self.postfix(argument)?);
            }
            _ => {}
        }
        let node = self.node(ExprKind::Test(Box::new(node), name, arguments), line)?;
        if negated { self.node(ExprKind::Unary(UnaryOp::Not, Box::new(node)), line) } else { Ok(node) }
    }
}
