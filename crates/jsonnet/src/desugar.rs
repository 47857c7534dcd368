use crate::loops::{ALL, EACH, SLICE};
use crate::operators::{EQUAL, FORMAT_OR_MODULO, PLUS, TIMES, TRACE};
use crate::slashes::original_offset;
use crate::steps::{is_step, single_values};
use crate::tail_calls::{LOOP, MOST_PARAMETERS, ROUND};
use jrsonnet_ir::{
    ArgsDesc, AssertStmt, BinaryOpType, BindSpec, CompSpec, Destruct, Expr, ExprParams, FieldMember,
    FieldName, IfElse, ImportKind, LiteralType, ObjBody, Span, Visibility,
};
use rustc_hash::FxHashSet;
use std::fmt::Write as _;
use std::ops::Range;

/// A source in which the operators that jrsonnet works differently are calls of our own functions.
///
/// C++ jsonnet does the same before it evaluates; jrsonnet takes nothing but text, so that the syntax tree is written out
/// again. [`Desugared::original`] leads from its places to those of the user's text.
pub(crate) struct Desugared {
    pub(crate) text: String,
    /// Stretches of the new text and of the original one, inner ones before those around them.
    places: Vec<(Range<u32>, Range<u32>)>,
}

/// Writes out the tree of a file; `traced_as` is the name that `std.trace` shows.
pub(crate) fn desugar(tree: &Expr, original: &str, traced_as: &str) -> Desugared {
    let mut writer = Writer {
        out: Desugared { text: String::with_capacity(original.len() * 2), places: Vec::new() },
        original,
        traced_as,
        redefines_std: binds_std(original),
        single_values: single_values(tree),
    };
    writer.expression(tree);
    writer.out
}

impl Desugared {
    /// The same for a text in which the slashes still have their backslashes.
    pub(crate) fn in_text_with(mut self, missing: &[u32]) -> Self {
        if !missing.is_empty() {
            for (_, original) in &mut self.places {
                *original = original_offset(missing, original.start)..original_offset(missing, original.end);
            }
        }
        self
    }

    /// The place in the user's text that a place in the new text stands for.
    pub(crate) fn original(&self, start: u32, end: u32) -> Range<u32> {
        let around = self.places.iter().filter(|(new, _)| new.start <= start && end <= new.end);
        around.min_by_key(|(new, _)| new.end - new.start).map_or(0..0, |(_, original)| original.clone())
    }
}

/// Whether a file may give the name `std` to something of its own.
fn binds_std(text: &str) -> bool {
    ["local std", "std =", "std=", "(std", ", std", ",std", "for std"].iter().any(|form| text.contains(form))
}

/// The place of what is not in the original.
const NOWHERE: Range<u32> = 0..0;

/// The value of a field before it is added to another.
const OWN: &str = "kapstan__own";

struct Writer<'a> {
    out: Desugared,
    original: &'a str,
    traced_as: &'a str,
    redefines_std: bool,
    single_values: FxHashSet<String>,
}

impl Writer<'_> {
    fn push(&mut self, text: &str) {
        self.out.text.push_str(text);
    }

    fn at(&self) -> u32 {
        u32::try_from(self.out.text.len()).unwrap_or(u32::MAX)
    }

    /// Says that what was written since `start` stands for a stretch of the original.
    fn stands_for(&mut self, start: u32, original: Range<u32>) {
        let end = self.at();
        self.out.places.push((start..end, original));
    }

    fn string(&mut self, text: &str) {
        self.out.text.push('"');
        for character in text.chars() {
            match character {
                '"' => self.push("\\\""),
                '\\' => self.push("\\\\"),
                '\n' => self.push("\\n"),
                control if control.is_control() => {
                    let _ = write!(self.out.text, "\\u{:04x}", u32::from(control));
                }
                plain => self.out.text.push(plain),
            }
        }
        self.out.text.push('"');
    }

    fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.push(", ");
            }
            each(self, item);
        }
    }

    fn in_brackets(&mut self, expression: &Expr) {
        self.push("(");
        self.expression(expression);
        self.push(")");
    }

    /// What is evaluated when it is needed. A step becomes a call, so that it counts as one.
    fn lazy(&mut self, expression: &Expr) {
        if !is_step(expression, &self.single_values) {
            return self.in_brackets(expression);
        }
        self.push("(function() ");
        self.expression(expression);
        self.push(")");
        let start = self.at();
        self.push("()");
        self.stands_for(start, NOWHERE);
    }

    fn expression(&mut self, expression: &Expr) {
        match expression {
            Expr::Literal(literal) => self.push(literal_text(*literal)),
            Expr::Str(text) => self.string(text),
            Expr::Num(number) => {
                let _ = write!(self.out.text, "{:?}", number.get());
            }
            Expr::Var(name) => {
                let start = self.at();
                self.push(&name.value);
                self.stands_for(start, range(&name.span));
            }
            Expr::Arr(items) => {
                self.push("[");
                self.list(items, Self::lazy);
                self.push("]");
            }
            Expr::ArrComp(item, specs) if self.is_known(item, specs) => {
                self.push("[");
                self.in_brackets(item);
                self.comprehension(specs);
                self.push("]");
            }
            Expr::ArrComp(item, specs) => self.array_comprehension(item, specs),
            Expr::Obj(body) => self.object(body),
            Expr::ObjExtend(left, body) => self.call(PLUS, |writer| {
                writer.in_brackets(left);
                writer.push(", ");
                writer.object(body);
            }),
            Expr::UnaryOp(operator, operand) => {
                let _ = write!(self.out.text, "{operator}");
                self.in_brackets(operand);
            }
            Expr::BinaryOp(operation) => self.binary(&operation.lhs, operation.op, &operation.rhs),
            Expr::AssertExpr(assertion) => {
                self.assertion(&assertion.assert, "Assertion failed.");
                self.push("; ");
                self.expression(&assertion.rest);
            }
            Expr::LocalExpr(binds, body) => {
                self.locals(binds);
                self.expression(body);
            }
            Expr::Import(kind, path) => self.import(kind.value, &kind.span, path),
            Expr::ErrorStmt(span, message) => {
                let start = self.at();
                self.push("error ");
                self.stands_for(start, span.1..self.greedy_end(span.2));
                self.in_brackets(message);
            }
            Expr::Apply(function, arguments, tailstrict) => self.apply(function, arguments, *tailstrict),
            Expr::Index { indexable, parts } => {
                let begin = self.begin(indexable);
                match &**indexable {
                    Expr::Literal(literal) => self.push(literal_text(*literal)),
                    Expr::Var(_) => self.expression(indexable),
                    _ => self.in_brackets(indexable),
                }
                for part in parts {
                    let start = self.at();
                    self.push("[");
                    self.expression(&part.value);
                    self.push("]");
                    self.stands_for(start, begin.unwrap_or(part.span.1)..part.span.2);
                }
            }
            Expr::Function(parameters, body) => self.function(parameters, body),
            Expr::IfElse(choice) => {
                self.condition(choice);
                self.in_brackets(&choice.cond_then);
                if let Some(otherwise) = &choice.cond_else {
                    self.push(" else ");
                    self.expression(otherwise);
                }
            }
            Expr::Slice(slice) => self.call(SLICE, |writer| {
                writer.in_brackets(&slice.value);
                for bound in [&slice.slice.start, &slice.slice.end, &slice.slice.step] {
                    writer.push(", ");
                    match bound {
                        Some(bound) => writer.in_brackets(&bound.value),
                        None => writer.push("null"),
                    }
                }
            }),
        }
    }

    fn locals(&mut self, binds: &[BindSpec]) {
        self.push("local ");
        self.list(binds, Self::bind);
        self.push("; ");
    }

    fn condition(&mut self, choice: &IfElse) {
        let start = self.at();
        self.push("if ");
        self.in_brackets(&choice.cond.cond);
        self.stands_for(start, choice.cond.span.1..self.greedy_end(choice.cond.span.2));
        self.push(" then ");
    }

    fn function(&mut self, parameters: &ExprParams, body: &Expr) {
        if is_loop(parameters, body) {
            return self.round_trip("anonymous", parameters, body);
        }
        self.push("function(");
        self.parameters(parameters);
        self.push(") ");
        self.expression(body);
    }

    /// A function that is a loop.
    fn round_trip(&mut self, name: &str, parameters: &ExprParams, body: &Expr) {
        self.call(LOOP, |writer| {
            writer.string(name);
            writer.push(", function(");
            writer.parameters(parameters);
            writer.push(") ");
            writer.last(body);
        });
    }

    /// The last expression of a loop.
    fn last(&mut self, body: &Expr) {
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

    fn call(&mut self, function: &str, arguments: impl FnOnce(&mut Self)) {
        self.push(function);
        self.push("(");
        arguments(self);
        self.push(")");
    }

    fn binary(&mut self, left: &Expr, operator: BinaryOpType, right: &Expr) {
        let function = match operator {
            BinaryOpType::Add => PLUS,
            BinaryOpType::Mul => TIMES,
            BinaryOpType::Mod => FORMAT_OR_MODULO,
            BinaryOpType::Eq | BinaryOpType::Neq => EQUAL,
            _ => {
                self.in_brackets(left);
                let _ = write!(self.out.text, " {operator} ");
                match right {
                    // `in super` is an operator of its own.
                    Expr::Literal(LiteralType::Super) => self.push("super"),
                    _ => self.in_brackets(right),
                }
                return;
            }
        };
        let start = self.at();
        if operator == BinaryOpType::Neq {
            self.push("!");
        }
        self.call(function, |writer| {
            writer.in_brackets(left);
            writer.push(", ");
            writer.in_brackets(right);
        });
        if let (Some(begin), Some(end)) = (self.begin(left), end(right)) {
            self.stands_for(start, begin..end);
        }
    }

    fn apply(&mut self, function: &Expr, arguments: &jrsonnet_ir::Spanned<ArgsDesc>, tailstrict: bool) {
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

    fn import(&mut self, kind: ImportKind, keyword: &Span, path: &Expr) {
        let start = self.at();
        self.push(match kind {
            ImportKind::Normal => "import",
            ImportKind::Str => "importstr",
            ImportKind::Bin => "importbin",
        });
        self.stands_for(start, keyword.1..self.greedy_end(keyword.2));
        self.push(" ");
        self.expression(path);
    }

    fn object(&mut self, body: &ObjBody) {
        self.push("{");
        match body {
            ObjBody::MemberList(members) => {
                for bind in &members.locals {
                    self.push("local ");
                    self.bind(bind);
                    self.push(", ");
                }
                for assertion in &members.asserts {
                    self.assertion(assertion, "Object assertion failed.");
                    self.push(", ");
                }
                self.list(&members.fields, Self::field);
            }
            ObjBody::ObjComp(comprehension) => {
                for bind in &comprehension.locals {
                    self.push("local ");
                    self.bind(bind);
                    self.push(", ");
                }
                self.field(&comprehension.field);
                self.comprehension(&comprehension.compspecs);
            }
        }
        self.push("}");
    }

    fn field(&mut self, field: &FieldMember) {
        let start = self.at();
        match &field.name.value {
            FieldName::Fixed(name) => self.string(name),
            FieldName::Dyn(name) => {
                self.push("[");
                self.expression(name);
                self.push("]");
            }
        }
        self.stands_for(start, range(&field.name.span));
        let loops = field.params.as_ref().is_some_and(|parameters| is_loop(parameters, &field.value));
        if let Some(parameters) = field.params.as_ref().filter(|_| !loops) {
            self.push("(");
            self.parameters(parameters);
            self.push(")");
        }
        // What is added to text becomes text, in the form of C++ jsonnet; containers are added as jrsonnet adds them.
        let added = match &field.name.value {
            FieldName::Fixed(name) if field.plus && field.params.is_none() && !is_container(&field.value) => {
                Some(name)
            }
            _ => None,
        };
        if field.plus && added.is_none() {
            self.push("+");
        }
        self.push(match field.visibility {
            Visibility::Normal => ": ",
            Visibility::Hidden => ":: ",
            Visibility::Unhide => "::: ",
        });
        match (&field.params, added) {
            (Some(parameters), _) if loops => self.round_trip(field_name(field), parameters, &field.value),
            (_, Some(name)) => self.added(name, &field.value),
            _ => self.lazy(&field.value),
        }
    }

    /// The value of a field that is added to the one that it replaces.
    fn added(&mut self, name: &str, value: &Expr) {
        let _ = write!(self.out.text, "(local {OWN} = ");
        self.lazy(value);
        self.push("; if ");
        self.string(name);
        self.push(" in super then ");
        self.call(PLUS, |writer| {
            writer.push("super[");
            writer.string(name);
            writer.push("], ");
            writer.push(OWN);
        });
        let _ = write!(self.out.text, " else {OWN})");
    }

    fn assertion(&mut self, assertion: &AssertStmt, otherwise: &str) {
        self.push("assert ");
        let start = self.at();
        self.in_brackets(&assertion.assertion.value);
        self.stands_for(start, range(&assertion.assertion.span));
        self.push(" : ");
        match &assertion.message {
            Some(message) => self.in_brackets(message),
            None => self.string(otherwise),
        }
    }

    fn bind(&mut self, bind: &BindSpec) {
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

    fn parameters(&mut self, parameters: &ExprParams) {
        self.list(&parameters.exprs, |writer, parameter| {
            writer.pattern(&parameter.destruct);
            if let Some(default) = &parameter.default {
                writer.push("=");
                writer.lazy(default);
            }
        });
    }

    fn pattern(&mut self, pattern: &Destruct) {
        let Destruct::Full(name) = pattern;
        let start = self.at();
        self.push(&name.value);
        self.stands_for(start, range(&name.span));
    }

    /// Whether jrsonnet may evaluate an array comprehension at once: it goes through what is evaluated already, and gives
    /// what evaluates its parts when they are needed.
    fn is_known(&self, item: &Expr, specs: &[CompSpec]) -> bool {
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

    fn array_comprehension(&mut self, item: &Expr, specs: &[CompSpec]) {
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

    fn comprehension(&mut self, specs: &[CompSpec]) {
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

    /// Where an expression begins in the original, if the tree tells.
    fn begin(&self, expression: &Expr) -> Option<u32> {
        match expression {
            Expr::Var(name) => Some(name.span.1),
            Expr::Index { indexable, .. } => self.begin(indexable),
            Expr::Apply(function, arguments, _) => self.begin(function).or(Some(arguments.span.1)),
            Expr::BinaryOp(operation) => self.begin(&operation.lhs),
            Expr::ObjExtend(left, _) => self.begin(left),
            Expr::Slice(slice) => self.begin(&slice.value),
            Expr::Import(keyword, _) => Some(keyword.span.1),
            Expr::ErrorStmt(keyword, _) => Some(keyword.1),
            _ => None,
        }
    }

    /// The end of an expression that reaches as far as it can, from behind its keyword.
    fn greedy_end(&self, from: u32) -> u32 {
        let end = crate::nesting::expression_end(self.original, from as usize);
        u32::try_from(end).unwrap_or(from)
    }
}

fn end(expression: &Expr) -> Option<u32> {
    match expression {
        Expr::Var(name) => Some(name.span.2),
        Expr::Index { parts, .. } => parts.last().map(|part| part.span.2),
        Expr::Apply(_, arguments, _) => Some(arguments.span.2),
        Expr::BinaryOp(operation) => end(&operation.rhs),
        _ => None,
    }
}

/// Members of `std` whose arrays hold nothing but evaluated items.
const EVALUATED: &[&str] =
    &["objectFields", "objectFieldsAll", "range", "split", "splitLimit", "stringChars"];

/// The name of a member of `std`.
fn std_member(function: &Expr) -> Option<&str> {
    let Expr::Index { indexable, parts } = function else { return None };
    match (&**indexable, &parts[..]) {
        (Expr::Var(name), [part]) if &*name.value == "std" => match &part.value {
            Expr::Str(member) => Some(member),
            _ => None,
        },
        _ => None,
    }
}

fn field_name(field: &FieldMember) -> &str {
    match &field.name.value {
        FieldName::Fixed(name) => name,
        FieldName::Dyn(_) => "anonymous",
    }
}

/// Whether a function ends in calls marked `tailstrict`, and its arguments can be handed from round to round.
fn is_loop(parameters: &ExprParams, body: &Expr) -> bool {
    let mut defaults = parameters.exprs.iter().rev().map(|parameter| parameter.default.is_some());
    parameters.exprs.len() <= MOST_PARAMETERS
        && !defaults.by_ref().skip(1).any(|has_default| has_default)
        && ends_in_rounds(body)
}

fn is_container(expression: &Expr) -> bool {
    matches!(expression, Expr::Obj(_) | Expr::Arr(_) | Expr::ArrComp(..))
}

/// Whether the last thing that a function does may be a call marked `tailstrict`.
fn ends_in_rounds(body: &Expr) -> bool {
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

fn range(span: &Span) -> Range<u32> {
    span.1..span.2
}

fn literal_text(literal: LiteralType) -> &'static str {
    match literal {
        LiteralType::This => "self",
        LiteralType::Super => "super",
        LiteralType::Dollar => "$",
        LiteralType::Null => "null",
        LiteralType::True => "true",
        LiteralType::False => "false",
    }
}
