use super::{Compiler, Frame};
use crate::ast::{self, ExprKind, Literal, UnaryOp};
use crate::error::{Class, Outcome, RenderError, quoted};
use crate::program::{Arguments, Escape, Expr};

impl Compiler<'_> {
    pub(super) fn expr(&mut self, node: &ast::Expr, frame: Frame) -> Outcome<Expr> {
        self.stack.check()?;
        Ok(match &node.kind {
            ExprKind::Literal(literal) => literal_expr(literal),
            ExprKind::Name(name, _) => Expr::Var(self.variable(name, frame)?, name.clone()),
            ExprKind::NamespaceAttr(name, _) => Expr::Var(self.variable(name, frame)?, name.clone()),
            ExprKind::Tuple(items) => Expr::Tuple(self.exprs(items, frame)?),
            ExprKind::List(items) => Expr::List(self.exprs(items, frame)?),
            ExprKind::Dict(items) => Expr::Dict(
                items
                    .iter()
                    .map(|(key, value)| Ok((self.expr(key, frame)?, self.expr(value, frame)?)))
                    .collect::<Outcome<_>>()?,
            ),
            ExprKind::Binary(op, left, right) => Expr::Binary(*op, self.pair(left, right, frame)?),
            ExprKind::Unary(UnaryOp::Neg, operand) => negated(self.expr(operand, frame)?),
            ExprKind::Unary(op, operand) => Expr::Unary(*op, Box::new(self.expr(operand, frame)?)),
            ExprKind::And(left, right) => Expr::And(self.pair(left, right, frame)?),
            ExprKind::Or(left, right) => Expr::Or(self.pair(left, right, frame)?),
            ExprKind::Compare(first, rest) => {
                let first = Box::new(self.expr(first, frame)?);
                let rest = rest.iter().map(|(op, operand)| Ok((*op, self.expr(operand, frame)?)));
                Expr::Compare(first, rest.collect::<Outcome<_>>()?)
            }
            ExprKind::Concat(items) => Expr::Concat(self.exprs(items, frame)?, self.escape),
            ExprKind::Cond { test, then, otherwise } => {
                self.condition(node.line, test, then, otherwise.as_deref(), frame)?
            }
            ExprKind::GetAttr(object, name) => {
                Expr::GetAttr(Box::new(self.expr(object, frame)?), name.clone())
            }
            ExprKind::GetItem(object, argument) => self.item(object, argument, frame)?,
            ExprKind::Slice(_) => return Err(RenderError::new(Class::Compile, "invalid syntax")),
            ExprKind::Call(callee, arguments) => self.call(callee, arguments, frame)?,
            ExprKind::Filter(operand, name, arguments) => {
                self.check_known(self.known.filters.contains_key(&**name), "filter", name, node.line, frame)?;
                let operand = match operand {
                    Some(operand) => Some(Box::new(self.expr(operand, frame)?)),
                    None => None,
                };
                Expr::Filter(name.clone(), operand, Box::new(self.arguments(arguments, frame)?))
            }
            ExprKind::Test(operand, name, arguments) => {
                self.check_known(self.known.tests.contains_key(&**name), "test", name, node.line, frame)?;
                let operand = Box::new(self.expr(operand, frame)?);
                Expr::Test(name.clone(), operand, Box::new(self.arguments(arguments, frame)?))
            }
        })
    }

    fn exprs(&mut self, items: &[ast::Expr], frame: Frame) -> Outcome<Vec<Expr>> {
        items.iter().map(|item| self.expr(item, frame)).collect()
    }

    fn pair(&mut self, left: &ast::Expr, right: &ast::Expr, frame: Frame) -> Outcome<Box<(Expr, Expr)>> {
        Ok(Box::new((self.expr(left, frame)?, self.expr(right, frame)?)))
    }

    fn condition(
        &mut self,
        line: u32,
        test: &ast::Expr,
        then: &ast::Expr,
        otherwise: Option<&ast::Expr>,
        frame: Frame,
    ) -> Outcome<Expr> {
        let frame = Frame { soft: true, rootlevel: false, ..frame };
        let then = self.expr(then, frame)?;
        let test = self.expr(test, frame)?;
        let otherwise = match otherwise {
            Some(otherwise) => Ok(Box::new(self.expr(otherwise, frame)?)),
            None => Err(format!(
                "the inline if-expression on {} evaluated to false and no else section was defined.",
                self.position(line)
            )
            .into()),
        };
        Ok(Expr::Cond(Box::new((test, then)), otherwise))
    }

    /// A place of the template in words.
    pub(super) fn position(&self, line: u32) -> String {
        format!("line {line} in {}", quoted(self.name))
    }

    fn item(&mut self, object: &ast::Expr, argument: &ast::Expr, frame: Frame) -> Outcome<Expr> {
        let ExprKind::Slice(parts) = &argument.kind else {
            return Ok(Expr::GetItem(self.pair(object, argument, frame)?));
        };
        let object = Box::new(self.expr(object, frame)?);
        let mut bounds = [None, None, None];
        for (bound, part) in bounds.iter_mut().zip(parts) {
            if let Some(part) = part {
                *bound = Some(self.expr(part, frame)?);
            }
        }
        Ok(Expr::Slice(object, Box::new(bounds)))
    }

    pub(super) fn call(
        &mut self,
        callee: &ast::Expr,
        arguments: &ast::Arguments,
        frame: Frame,
    ) -> Outcome<Expr> {
        let callee = Box::new(self.expr(callee, frame)?);
        Ok(Expr::Call(callee, Box::new(self.arguments(arguments, frame)?)))
    }

    fn arguments(&mut self, arguments: &ast::Arguments, frame: Frame) -> Outcome<Arguments> {
        let positional = self.exprs(&arguments.positional, frame)?;
        let keyword =
            arguments.keyword.iter().map(|(name, value)| Ok((name.clone(), self.expr(value, frame)?)));
        let keyword = keyword.collect::<Outcome<_>>()?;
        let star = arguments.star.as_deref().map(|value| self.expr(value, frame)).transpose()?;
        let star_star = arguments.star_star.as_deref().map(|value| self.expr(value, frame)).transpose()?;
        Ok(Arguments { positional, keyword, star, star_star, caller: None })
    }

    /// Filters and tests must exist, but inside of conditions only when they are used.
    fn check_known(&self, known: bool, kind: &str, name: &str, line: u32, frame: Frame) -> Outcome<()> {
        if known || frame.soft {
            return Ok(());
        }
        let mut error =
            crate::error::syntax_error(format!("No {kind} named {}.", quoted(name)), self.file, line);
        error.hint = self.known.hint(kind, name);
        Err(error)
    }

    pub(super) fn escape_of(&self) -> Escape {
        self.escape
    }
}

fn literal_expr(literal: &Literal) -> Expr {
    match literal {
        Literal::None => Expr::None,
        Literal::Bool(value) => Expr::Bool(*value),
        Literal::Int(value) => Expr::Int(value.clone()),
        Literal::Float(value) => Expr::Float(*value),
        Literal::Str(value) => Expr::Str(value.clone()),
    }
}

fn negated(operand: Expr) -> Expr {
    match operand {
        Expr::Float(value) => Expr::Float(-value),
        Expr::Int(kapstan_document::Int::Small(value)) if value > i64::MIN => {
            Expr::Int(kapstan_document::Int::Small(-value))
        }
        operand => Expr::Unary(UnaryOp::Neg, Box::new(operand)),
    }
}
