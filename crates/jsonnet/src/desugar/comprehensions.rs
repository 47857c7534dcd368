//! Comprehensions of arrays, item by item.

use super::Writer;
use super::tree::{EVALUATED, std_member};
use crate::loops::{ALL, EACH};
use jrsonnet_ir::{CompSpec, Expr, LiteralType};

impl Writer<'_> {
    /// Whether jrsonnet may evaluate an array comprehension at once: it goes through what is evaluated already, and gives
    /// what evaluates its parts when they are needed.
    pub(super) fn is_known(&self, item: &Expr, specs: &[CompSpec]) -> bool {
        let is_lazy = match item {
            Expr::Obj(_) | Expr::Function(..) | Expr::Arr(_) | Expr::Str(_) | Expr::Num(_) => true,
            Expr::Literal(literal) => !matches!(literal, LiteralType::Super),
            _ => false,
        };
        is_lazy
            && specs.iter().all(|spec| match spec {
                CompSpec::IfSpec(_) => true,
                CompSpec::ForSpec(source) => {
                    !self.redefines_std
                        && matches!(&source.over, Expr::Apply(function, ..)
                            if std_member(function).is_some_and(|name| EVALUATED.contains(&name)))
                }
            })
    }

    pub(super) fn array_comprehension(&mut self, item: &Expr, specs: &[CompSpec]) {
        match specs.split_first() {
            None => {
                self.push("[");
                self.in_brackets(item);
                self.push("]");
            }
            Some((CompSpec::IfSpec(condition), rest)) => {
                self.push("if ");
                self.in_brackets(&condition.cond);
                self.push(" then (");
                self.array_comprehension(item, rest);
                self.push(") else []");
            }
            Some((CompSpec::ForSpec(source), rest)) => {
                self.call(if rest.is_empty() { EACH } else { ALL }, |writer| {
                    writer.in_brackets(&source.over);
                    writer.push(", function(");
                    writer.pattern(&source.destruct);
                    writer.push(") ");
                    match rest {
                        [] => writer.expression(item),
                        _ => writer.array_comprehension(item, rest),
                    }
                });
            }
        }
    }

    pub(super) fn comprehension(&mut self, specs: &[CompSpec]) {
        for spec in specs {
            match spec {
                CompSpec::IfSpec(condition) => {
                    self.push(" if ");
                    self.in_brackets(&condition.cond);
                }
                CompSpec::ForSpec(source) => {
                    self.push(" for ");
                    self.pattern(&source.destruct);
                    self.push(" in ");
                    self.in_brackets(&source.over);
                }
            }
        }
    }
}
