//! Which expressions are steps of the stack: evaluated late, they lead straight to the value of another object, so that
//! a chain of them may be as long as the program likes. jrsonnet counts calls only.

use jrsonnet_ir::visit::{self, Visitor};
use jrsonnet_ir::{BinaryOpType, BindSpec, CompSpec, Destruct, Expr, ExprParams, LiteralType, ObjBody};
use rustc_hash::{FxHashMap, FxHashSet};

/// The names that a file binds once, at its top: there is one value of each, and no chain passes by it twice.
pub(crate) fn single_values(tree: &Expr) -> FxHashSet<String> {
    let mut names = Names::default();
    names.visit_expr(tree);
    let mut single = FxHashSet::default();
    let mut rest = tree;
    while let Expr::LocalExpr(binds, body) = rest {
        let once = binds.iter().map(bound_name).filter(|name| names.0.get(*name) == Some(&1));
        single.extend(once.map(str::to_owned));
        rest = body;
    }
    single
}

/// How often each name is bound.
#[derive(Default)]
struct Names(FxHashMap<String, usize>);

impl Names {
    fn add(&mut self, name: &str) {
        *self.0.entry(name.to_owned()).or_default() += 1;
    }

    fn pattern(&mut self, pattern: &Destruct) {
        let Destruct::Full(name) = pattern;
        self.add(&name.value);
    }

    fn binds(&mut self, binds: &[BindSpec]) {
        for bind in binds {
            self.add(bound_name(bind));
            if let BindSpec::Function { params, .. } = bind {
                self.parameters(params);
            }
        }
    }

    fn parameters(&mut self, parameters: &ExprParams) {
        for parameter in parameters.exprs.iter() {
            self.pattern(&parameter.destruct);
        }
    }

    fn comprehension(&mut self, specs: &[CompSpec]) {
        for spec in specs {
            if let CompSpec::ForSpec(source) = spec {
                self.pattern(&source.destruct);
            }
        }
    }

    fn object(&mut self, body: &ObjBody) {
        match body {
            ObjBody::MemberList(members) => {
                self.binds(&members.locals);
                for parameters in members.fields.iter().filter_map(|field| field.params.as_ref()) {
                    self.parameters(parameters);
                }
            }
            ObjBody::ObjComp(comprehension) => {
                self.binds(&comprehension.locals);
                self.comprehension(&comprehension.compspecs);
            }
        }
    }
}

impl Visitor for Names {
    fn visit_expr(&mut self, expression: &Expr) {
        match expression {
            Expr::LocalExpr(binds, _) => self.binds(binds),
            Expr::Function(parameters, _) => self.parameters(parameters),
            Expr::ArrComp(_, specs) => self.comprehension(specs),
            Expr::Obj(body) | Expr::ObjExtend(_, body) => self.object(body),
            _ => {}
        }
        visit::visit_expr(self, expression);
    }
}

fn bound_name(bind: &BindSpec) -> &str {
    match bind {
        BindSpec::Field { into: Destruct::Full(name), .. } => &name.value,
        BindSpec::Function { name, .. } => name,
    }
}

/// Whether an expression is a step. `single` are the names that stand for one value.
pub(crate) fn is_step(expression: &Expr, single: &FxHashSet<String>) -> bool {
    let is_step = |expression: &Expr| is_step(expression, single);
    match expression {
        Expr::Index { indexable, parts } => match &**indexable {
            Expr::Var(name) => &*name.value != "std" && !single.contains(&*name.value),
            // Fields of one object are as many as its text has.
            Expr::Literal(_) => !matches!(&parts[..], [part] if matches!(part.value, Expr::Str(_))),
            _ => true,
        },
        Expr::Apply(function, ..) => is_step(function),
        Expr::IfElse(choice) => {
            is_step(&choice.cond.cond)
                || is_step(&choice.cond_then)
                || choice.cond_else.as_ref().is_some_and(is_step)
        }
        Expr::LocalExpr(_, body) => is_step(body),
        Expr::AssertExpr(assertion) => is_step(&assertion.rest),
        Expr::Slice(slice) => is_step(&slice.value),
        Expr::UnaryOp(_, operand) => is_step(operand),
        Expr::BinaryOp(operation) => match operation.op {
            BinaryOpType::Add
            | BinaryOpType::Mul
            | BinaryOpType::Mod
            | BinaryOpType::Eq
            | BinaryOpType::Neq => false,
            _ => {
                is_step(&operation.lhs)
                    || !matches!(operation.rhs, Expr::Literal(LiteralType::Super)) && is_step(&operation.rhs)
            }
        },
        _ => false,
    }
}
