use super::{Activation, Args, Run};
use crate::ast::UnaryOp;
use crate::error::{Class, Outcome, raise, type_error};
use crate::filters::Call;
use crate::program::{self, Escape, Expr};
use crate::value::{Entries, Undefined, Value};
use crate::{markup, methods, ops, print};
use std::rc::Rc;

impl Run<'_> {
    /// Evaluates an expression.
    pub(crate) fn eval(&self, expr: &Expr, scope: &Rc<Activation>) -> Outcome<Value> {
        Ok(match expr {
            Expr::None => Value::None,
            Expr::Bool(value) => Value::Bool(*value),
            Expr::Int(value) => Value::Int(value.clone()),
            Expr::Float(value) => Value::Float(*value),
            Expr::Str(value) => Value::Str(value.clone()),
            Expr::Var(slot, name) => scope.get(*slot).unwrap_or_else(|| Undefined::name(name)),
            _ => return self.eval_deep(expr, scope),
        })
    }

    fn eval_deep(&self, expr: &Expr, scope: &Rc<Activation>) -> Outcome<Value> {
        self.stack.check()?;
        Ok(match expr {
            Expr::Tuple(items) => Value::tuple(self.eval_all(items, scope)?),
            Expr::List(items) => Value::list(self.eval_all(items, scope)?),
            Expr::Dict(items) => self.eval_dict(items, scope)?,
            Expr::Binary(op, operands) => {
                let left = self.eval(&operands.0, scope)?;
                let right = self.eval(&operands.1, scope)?;
                ops::binary(self, *op, &left, &right)?
            }
            Expr::Unary(op, operand) => {
                let operand = self.eval(operand, scope)?;
                match op {
                    UnaryOp::Not => Value::Bool(!ops::is_true(&operand)?),
                    UnaryOp::Neg => ops::negate(&operand)?,
                    UnaryOp::Pos => ops::positive(&operand)?,
                }
            }
            Expr::And(operands) => {
                let left = self.eval(&operands.0, scope)?;
                if ops::is_true(&left)? { self.eval(&operands.1, scope)? } else { left }
            }
            Expr::Or(operands) => {
                let left = self.eval(&operands.0, scope)?;
                if ops::is_true(&left)? { left } else { self.eval(&operands.1, scope)? }
            }
            Expr::Compare(first, rest) => {
                let mut left = self.eval(first, scope)?;
                for (op, operand) in rest {
                    let right = self.eval(operand, scope)?;
                    if !ops::compare(self, *op, &left, &right)? {
                        return Ok(Value::Bool(false));
                    }
                    left = right;
                }
                Value::Bool(true)
            }
            Expr::Concat(items, escape) => self.eval_concat(items, *escape, scope)?,
            Expr::Cond(parts, otherwise) => {
                if ops::is_true(&self.eval(&parts.0, scope)?)? {
                    self.eval(&parts.1, scope)?
                } else {
                    match otherwise {
                        Ok(otherwise) => self.eval(otherwise, scope)?,
                        Err(reason) => Undefined::lenient(reason),
                    }
                }
            }
            Expr::GetAttr(object, name) => {
                let object = self.eval(object, scope)?;
                ops::get_attribute(self, &object, name)?
            }
            Expr::GetItem(operands) => {
                let object = self.eval(&operands.0, scope)?;
                let argument = self.eval(&operands.1, scope)?;
                ops::get_item(self, &object, &argument)?
            }
            Expr::Slice(object, bounds) => {
                let object = self.eval(object, scope)?;
                let mut values = [Value::None, Value::None, Value::None];
                for (value, bound) in values.iter_mut().zip(&**bounds) {
                    if let Some(bound) = bound {
                        *value = self.eval(bound, scope)?;
                    }
                }
                ops::slice(self, &object, &values)?
            }
            Expr::Call(callee, arguments) => self.eval_call(callee, arguments, scope)?,
            Expr::Filter(name, operand, arguments) => {
                let operand = match operand {
                    Some(operand) => self.eval(operand, scope)?,
                    // The text of a block, which the statement puts there.
                    None => Value::None,
                };
                self.eval_filter(name, operand, arguments, scope)?
            }
            Expr::Test(name, operand, arguments) => {
                let operand = self.eval(operand, scope)?;
                let args = self.eval_args(arguments, Some(operand), scope)?;
                match self.env.known.tests.get(&**name) {
                    Some(test) => test.call(&Call { run: self, context: &scope.context }, args)?,
                    None => return self.unknown("test", name),
                }
            }
            _ => return self.eval(expr, scope),
        })
    }

    fn unknown<T>(&self, kind: &str, name: &str) -> Outcome<T> {
        let message = format!("No {kind} named {} found.", crate::error::quoted(name));
        let mut error = crate::error::RenderError::new(Class::TemplateRuntime, message);
        error.hint = self.env.known.hint(kind, name);
        Err(error)
    }

    /// Applies a filter to a value that is there already.
    pub(super) fn eval_filter(
        &self,
        name: &str,
        operand: Value,
        arguments: &program::Arguments,
        scope: &Rc<Activation>,
    ) -> Outcome<Value> {
        let args = self.eval_args(arguments, Some(operand), scope)?;
        match self.env.known.filters.get(name) {
            Some(filter) => filter.call(&Call { run: self, context: &scope.context }, args),
            None => self.unknown("filter", name),
        }
    }

    /// Applies a filter chain of a block to the block's text: the innermost filter has no operand of its own.
    pub(super) fn eval_block_filter(
        &self,
        expr: &Expr,
        text: &Value,
        scope: &Rc<Activation>,
    ) -> Outcome<Value> {
        self.stack.check()?;
        let Expr::Filter(name, operand, arguments) = expr else {
            return self.eval(expr, scope);
        };
        let operand = match operand {
            Some(inner) => self.eval_block_filter(inner, text, scope)?,
            None => text.clone(),
        };
        self.eval_filter(name, operand, arguments, scope)
    }

    fn eval_all(&self, items: &[Expr], scope: &Rc<Activation>) -> Outcome<Vec<Value>> {
        items.iter().map(|item| self.eval(item, scope)).collect()
    }

    fn eval_dict(&self, items: &[(Expr, Expr)], scope: &Rc<Activation>) -> Outcome<Value> {
        let mut pairs = Vec::with_capacity(items.len());
        for (key, value) in items {
            pairs.push((self.eval(key, scope)?, self.eval(value, scope)?));
        }
        let dict = Value::dict(Entries::default());
        if let Value::Dict(dict) = &dict {
            for (key, value) in pairs {
                dict.insert(key, value)?;
            }
        }
        Ok(dict)
    }

    fn eval_concat(&self, items: &[Expr], escape: Escape, scope: &Rc<Activation>) -> Outcome<Value> {
        let values = self.eval_all(items, scope)?;
        if self.escapes(escape, scope) && values.iter().any(|value| matches!(value, Value::Markup(_))) {
            return markup::joined(&values);
        }
        let mut text = String::new();
        for value in &values {
            print::write_str(value, &mut text)?;
        }
        self.spend_text(text.len())?;
        Ok(text.into())
    }

    /// Whether text is escaped at a place.
    pub(super) fn escapes(&self, escape: Escape, scope: &Activation) -> bool {
        match escape {
            Escape::Never => false,
            Escape::Always => true,
            Escape::Ask => scope.context.autoescape.get(),
        }
    }

    fn eval_call(
        &self,
        callee: &Expr,
        arguments: &program::Arguments,
        scope: &Rc<Activation>,
    ) -> Outcome<Value> {
        if let Expr::GetAttr(object, name) = callee {
            let object = self.eval(object, scope)?;
            // A method that is called at once needs no object that binds it.
            if let Some(method) = methods::find(&object, name) {
                let args = self.eval_args(arguments, None, scope)?;
                return methods::call(self, &object, method, args, &scope.context);
            }
            let callee = ops::get_attribute(self, &object, name)?;
            let args = self.eval_args(arguments, None, scope)?;
            return self.call(&callee, args, &scope.context);
        }
        let callee = self.eval(callee, scope)?;
        let args = self.eval_args(arguments, None, scope)?;
        self.call(&callee, args, &scope.context)
    }

    fn eval_args(
        &self,
        arguments: &program::Arguments,
        first: Option<Value>,
        scope: &Rc<Activation>,
    ) -> Outcome<Args> {
        let mut args = Args::default();
        args.positional.extend(first);
        for argument in &arguments.positional {
            args.positional.push(self.eval(argument, scope)?);
        }
        for (name, argument) in &arguments.keyword {
            args.named.push((name.clone(), self.eval(argument, scope)?));
        }
        if let Some(star) = &arguments.star {
            let items = self.eval(star, scope)?;
            match self.items(&items) {
                Ok(items) => args.positional.extend(items),
                Err(error) if error.class == Class::Type => {
                    let kind = items.type_name();
                    return type_error(format!("Value after * must be an iterable, not {kind}"));
                }
                Err(error) => return Err(error),
            }
        }
        if let Some(star_star) = &arguments.star_star {
            self.spread(&self.eval(star_star, scope)?, &mut args)?;
        }
        if let Some(slot) = arguments.caller {
            args.named.extend(scope.get(slot).map(|caller| ("caller".into(), caller)));
        }
        Ok(args)
    }

    /// Adds the entries of a mapping as named arguments.
    fn spread(&self, value: &Value, args: &mut Args) -> Outcome<()> {
        let Value::Dict(dict) = value else {
            if let Value::Undefined(undefined) = value {
                return undefined.fail();
            }
            let kind = value.type_name();
            return type_error(format!(
                "jinja2.runtime.Context.call() argument after ** must be a mapping, not {kind}"
            ));
        };
        for (key, value) in dict.pairs()? {
            let Some(name) = key.as_str() else {
                return raise(Class::Type, "keywords must be strings");
            };
            if args.named.iter().any(|(given, _)| given == name) {
                let name = crate::error::quoted(name);
                return type_error(format!("got multiple values for keyword argument {name}"));
            }
            args.named.push((name.clone(), value));
        }
        Ok(())
    }
}
