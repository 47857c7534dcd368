//! Stands in for the crate `syn-dissect-closure` of the registry (`[patch.crates-io]` in the root's `Cargo.toml`), so that
//! two builds of kapstan give the same bytes.
//!
//! The macro `Thunk!` of jrsonnet asks which variables a closure captures, and makes a tuple of them. The registry's crate
//! keeps the names in a `HashSet`, whose order is another one in every run of the compiler; so are the types of jrsonnet's
//! thunks then, and the code. Here the names are sorted. A name too many or too few cannot get into a program: jrsonnet
//! does not compile then. Goes once the registry's crate has an order: 0.2.1 has none.

use proc_macro2::Ident;
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::{
    Arm, Block, Expr, ExprCall, ExprClosure, ExprForLoop, ExprIf, ExprPath, ExprWhile, Item, Local, PatIdent,
    parse_quote,
};

/// Splits a closure into the expression that collects what it captures, the closure that takes this as its first argument,
/// and the names of what is captured, sorted.
///
/// Captured are names in lower case that are read and not bound in the closure; what is called by such a name is a
/// function. What macros in the closure are given is not looked at.
pub fn split_env(mut closure: ExprClosure) -> (Expr, ExprClosure, Vec<Ident>) {
    let mut captures = Captures::default();
    captures.visit_expr_closure(&closure);
    let names: Vec<Ident> = captures.found.into_iter().collect();
    closure.inputs.insert(0, parse_quote!((#(#names,)*)));
    (parse_quote!((#(#names,)*)), closure, names)
}

/// Constants, types' values and variants have names in upper case.
fn is_variable(name: &Ident) -> bool {
    name.to_string().starts_with(|first: char| first.is_lowercase() || first == '_')
}

/// Names that are free in what is visited.
#[derive(Default)]
struct Captures {
    found: BTreeSet<Ident>,
    /// What is bound where the visit stands, the innermost scope last.
    bound: Vec<Ident>,
}

impl Captures {
    /// What is bound in there is unknown behind it.
    fn in_scope(&mut self, visit: impl FnOnce(&mut Self)) {
        let outside = self.bound.len();
        visit(self);
        self.bound.truncate(outside);
    }
}

impl<'ast> Visit<'ast> for Captures {
    fn visit_expr_path(&mut self, path: &'ast ExprPath) {
        if let Some(name) = path.path.get_ident().filter(|name| is_variable(name))
            && !self.bound.contains(name)
        {
            self.found.insert(name.clone());
        }
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if !matches!(*call.func, Expr::Path(_)) {
            self.visit_expr(&call.func);
        }
        call.args.iter().for_each(|argument| self.visit_expr(argument));
    }

    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        if is_variable(&pattern.ident) {
            self.bound.push(pattern.ident.clone());
        }
        visit::visit_pat_ident(self, pattern);
    }

    /// A variable is known behind its `let`, not in it.
    fn visit_local(&mut self, local: &'ast Local) {
        if let Some(init) = &local.init {
            self.visit_local_init(init);
        }
        self.visit_pat(&local.pat);
    }

    fn visit_expr_let(&mut self, condition: &'ast syn::ExprLet) {
        self.visit_expr(&condition.expr);
        self.visit_pat(&condition.pat);
    }

    fn visit_block(&mut self, block: &'ast Block) {
        self.in_scope(|captures| visit::visit_block(captures, block));
    }

    fn visit_expr_closure(&mut self, closure: &'ast ExprClosure) {
        self.in_scope(|captures| visit::visit_expr_closure(captures, closure));
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        self.in_scope(|captures| visit::visit_arm(captures, arm));
    }

    fn visit_expr_while(&mut self, repeated: &'ast ExprWhile) {
        self.in_scope(|captures| visit::visit_expr_while(captures, repeated));
    }

    /// What the condition binds is unknown behind `else`.
    fn visit_expr_if(&mut self, choice: &'ast ExprIf) {
        self.in_scope(|captures| {
            captures.visit_expr(&choice.cond);
            captures.visit_block(&choice.then_branch);
        });
        if let Some((_, otherwise)) = &choice.else_branch {
            self.visit_expr(otherwise);
        }
    }

    fn visit_expr_for_loop(&mut self, repeated: &'ast ExprForLoop) {
        self.visit_expr(&repeated.expr);
        self.in_scope(|captures| {
            captures.visit_pat(&repeated.pat);
            captures.visit_block(&repeated.body);
        });
    }

    /// An item sees no variables.
    fn visit_item(&mut self, _item: &'ast Item) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens;

    fn captured(closure: ExprClosure) -> String {
        let (environment, closure, names) = split_env(closure);
        let tuple = environment.to_token_stream().to_string();
        assert_eq!(closure.inputs[0].to_token_stream().to_string(), tuple);
        let names: Vec<String> = names.iter().map(Ident::to_string).collect();
        assert_eq!(
            tuple.split([' ', ',', '(', ')']).filter(|word| !word.is_empty()).collect::<Vec<_>>(),
            names
        );
        names.join(" ")
    }

    #[test]
    fn names_are_sorted() {
        let closure = parse_quote!(move || work(&eta, zeta.iota, [theta; 3], Alpha { beta, gamma: delta }));
        assert_eq!(captured(closure), "beta delta eta theta zeta");
    }

    #[test]
    fn what_is_bound_inside_is_not_captured() {
        let closure = parse_quote!(move || {
            let full = full.evaluate()?;
            let Some(part) = full.part(at) else { return Err(reason) };
            for (name, has) in &names {
                if let Some(has) = has
                    && name.len() > most
                {
                    count(has)
                } else {
                    has.count()
                }
            }
            while let Some(next) = rest.next() {
                next.go()
            }
            match part {
                Found(part) if part > least => part,
                None => none.map(|left| left + right),
                _ => MOST,
            }
        });
        assert_eq!(captured(closure), "at full least most names none reason rest right");
    }

    #[test]
    fn functions_and_paths_are_not_captured() {
        assert_eq!(captured(parse_quote!(|| evaluate(core::mem::take(4), Ok, NONE))), "");
        assert_eq!(captured(parse_quote!(|| (table.run)(work()))), "table");
    }

    #[test]
    fn a_scope_ends() {
        assert_eq!(
            captured(parse_quote!(|| {
                {
                    let a = 1;
                }
                a
            })),
            "a"
        );
        assert_eq!(captured(parse_quote!(|| if let Some(a) = b { a } else { a })), "a b");
    }
}
