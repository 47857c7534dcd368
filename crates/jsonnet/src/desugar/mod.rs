mod comprehensions;
mod functions;
mod objects;
mod tree;

use crate::loops::SLICE;
use crate::operators::{EQUAL, FORMAT_OR_MODULO, PLUS, TIMES};
use crate::slashes::original_offset;
use crate::steps::{is_step, single_values};
use jrsonnet_ir::{BinaryOpType, BindSpec, Expr, IfElse, ImportKind, LiteralType, Span};
use rustc_hash::FxHashSet;
use std::fmt::Write as _;
use std::ops::Range;
use tree::{end, literal_text, range};

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
