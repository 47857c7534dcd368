//! Questions about a piece of the syntax tree.

use crate::tail_calls::MOST_PARAMETERS;
use jrsonnet_ir::{Expr, ExprParams, FieldMember, FieldName, LiteralType, Span};
use std::ops::Range;

/// Members of `std` whose arrays hold nothing but evaluated items.
pub(super) const EVALUATED: &[&str] =
    &["objectFields", "objectFieldsAll", "range", "split", "splitLimit", "stringChars"];

pub(super) fn end(expression: &Expr) -> Option<u32> {
    match expression {
        Expr::Var(name) => Some(name.span.2),
        Expr::Index { parts, .. } => parts.last().map(|part| part.span.2),
        Expr::Apply(_, arguments, _) => Some(arguments.span.2),
        Expr::BinaryOp(operation) => end(&operation.rhs),
        _ => None,
    }
}

/// The name of a member of `std`.
pub(super) fn std_member(function: &Expr) -> Option<&str> {
    let Expr::Index { indexable, parts } = function else { return None };
    match (&**indexable, &parts[..]) {
        (Expr::Var(name), [part]) if &*name.value == "std" => match &part.value {
            Expr::Str(member) => Some(member),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn field_name(field: &FieldMember) -> &str {
    match &field.name.value {
        FieldName::Fixed(name) => name,
        FieldName::Dyn(_) => "anonymous",
    }
}

/// Whether a function ends in calls marked `tailstrict`, and its arguments can be handed from round to round.
pub(super) fn is_loop(parameters: &ExprParams, body: &Expr) -> bool {
    let mut defaults = parameters.exprs.iter().rev().map(|parameter| parameter.default.is_some());
    parameters.exprs.len() <= MOST_PARAMETERS
        && !defaults.by_ref().skip(1).any(|has_default| has_default)
        && ends_in_rounds(body)
}

pub(super) fn is_container(expression: &Expr) -> bool {
    matches!(expression, Expr::Obj(_) | Expr::Arr(_) | Expr::ArrComp(..))
}

/// Whether the last thing that a function does may be a call marked `tailstrict`.
pub(super) fn ends_in_rounds(body: &Expr) -> bool {
    match body {
        Expr::LocalExpr(_, body) => ends_in_rounds(body),
        Expr::AssertExpr(assertion) => ends_in_rounds(&assertion.rest),
        Expr::IfElse(choice) => {
            ends_in_rounds(&choice.cond_then) || choice.cond_else.as_ref().is_some_and(ends_in_rounds)
        }
        Expr::Apply(_, arguments, tailstrict) => *tailstrict && arguments.names.is_empty(),
        _ => false,
    }
}

pub(super) fn range(span: &Span) -> Range<u32> {
    span.1..span.2
}

pub(super) fn literal_text(literal: LiteralType) -> &'static str {
    match literal {
        LiteralType::This => "self",
        LiteralType::Super => "super",
        LiteralType::Dollar => "$",
        LiteralType::Null => "null",
        LiteralType::True => "true",
        LiteralType::False => "false",
    }
}
