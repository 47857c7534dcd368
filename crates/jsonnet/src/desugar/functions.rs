//! Functions, their calls, and loops of calls marked `tailstrict`.

use super::Writer;
use super::tree::{is_loop, range, std_member};
use crate::operators::TRACE;
use crate::tail_calls::{LOOP, ROUND};
use jrsonnet_ir::{ArgsDesc, BindSpec, Destruct, Expr, ExprParams};

impl Writer<'_> {
    pub(super) fn function(&mut self, parameters: &ExprParams, body: &Expr) {
        if is_loop(parameters, body) {
            return self.round_trip("anonymous", parameters, body);
        }
        self.push("function(");
        self.parameters(parameters);
        self.push(") ");
        self.expression(body);
    }

    /// A function that is a loop.
    pub(super) fn round_trip(&mut self, name: &str, parameters: &ExprParams, body: &Expr) {
        self.call(LOOP, |writer| {
            writer.string(name);
            writer.push(", function(");
            writer.parameters(parameters);
            writer.push(") ");
            writer.last(body);
        });
    }

    /// The last expression of a loop.
    pub(super) fn last(&mut self, body: &Expr) {
        match body {
            Expr::LocalExpr(binds, body) => {
                self.locals(binds);
                self.last(body);
            }
            Expr::AssertExpr(assertion) => {
                self.assertion(&assertion.assert, "Assertion failed.");
                self.push("; ");
                self.last(&assertion.rest);
            }
            Expr::IfElse(choice) => {
                self.condition(choice);
                self.push("(");
                self.last(&choice.cond_then);
                self.push(")");
                if let Some(otherwise) = &choice.cond_else {
                    self.push(" else ");
                    self.last(otherwise);
                }
            }
            Expr::Apply(function, arguments, true) if arguments.names.is_empty() => {
                let whole = self.begin(function).unwrap_or(arguments.span.1)..arguments.span.2;
                let start = self.at();
                self.call(ROUND, |writer| {
                    writer.in_brackets(function);
                    writer.push(", [");
                    writer.list(&arguments.unnamed, |writer, argument| writer.in_brackets(argument));
                    writer.push("]");
                });
                self.stands_for(start, whole);
            }
            _ => self.expression(body),
        }
    }

    pub(super) fn call(&mut self, function: &str, arguments: impl FnOnce(&mut Self)) {
        self.push(function);
        self.push("(");
        arguments(self);
        self.push(")");
    }

    pub(super) fn apply(
        &mut self,
        function: &Expr,
        arguments: &jrsonnet_ir::Spanned<ArgsDesc>,
        tailstrict: bool,
    ) {
        let begin = self.begin(function).unwrap_or(arguments.span.1);
        let whole = begin..arguments.span.2;
        let start = self.at();
        let traces = !self.redefines_std && std_member(function) == Some("trace");
        if traces {
            self.push(TRACE);
        } else if matches!(function, Expr::Var(_)) {
            self.expression(function);
        } else {
            self.in_brackets(function);
        }
        let arguments_start = self.at();
        self.push("(");
        if traces {
            let line =
                self.original.as_bytes()[..begin as usize].iter().filter(|byte| **byte == b'\n').count() + 1;
            let place = format!("{}:{line}", self.traced_as);
            self.string(&place);
            self.push(", ");
        }
        self.list(&arguments.unnamed, Self::lazy);
        for (index, (name, value)) in arguments.names.iter().zip(&arguments.values).enumerate() {
            if index > 0 || !arguments.unnamed.is_empty() {
                self.push(", ");
            }
            self.push(name);
            self.push(" = ");
            self.lazy(value);
        }
        self.push(")");
        self.stands_for(arguments_start, whole.clone());
        if tailstrict {
            self.push(" tailstrict");
        }
        self.stands_for(start, whole);
    }

    pub(super) fn bind(&mut self, bind: &BindSpec) {
        match bind {
            BindSpec::Field { into, value } => {
                self.pattern(into);
                self.push(" = ");
                self.lazy(value);
            }
            BindSpec::Function { name, params, value } => {
                self.push(name);
                if is_loop(params, value) {
                    self.push(" = ");
                    return self.round_trip(name, params, value);
                }
                self.push("(");
                self.parameters(params);
                self.push(") = ");
                self.in_brackets(value);
            }
        }
    }

    pub(super) fn parameters(&mut self, parameters: &ExprParams) {
        self.list(&parameters.exprs, |writer, parameter| {
            writer.pattern(&parameter.destruct);
            if let Some(default) = &parameter.default {
                writer.push("=");
                writer.lazy(default);
            }
        });
    }

    pub(super) fn pattern(&mut self, pattern: &Destruct) {
        let Destruct::Full(name) = pattern;
        let start = self.at();
        self.push(&name.value);
        self.stands_for(start, range(&name.span));
    }
}
