//! Stands in for the crate `syn-dissect-closure` of the registry (`[patch.crates-io]` in the root's `Cargo.toml`), so that
//! two builds of kapstan give the same bytes.
//!
//! The macro `Thunk!` of jrsonnet asks it which variables a closure captures, and makes a tuple of them. The original keeps
//! the names in a `HashSet`, whose order is another one in every run of the compiler; so are the types of jrsonnet's thunks
//! then, and the code. In comes what the original takes; out goes what it gives, with the names sorted. The work is left to
//! the original. Goes once that has an order of its own: 0.2.1 has none.

use ::syn_dissect_closure as unordered;
use proc_macro2::Ident;
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprBlock, ExprClosure, Item, Stmt, parse_quote};

/// Splits a closure into the expression that collects what it captures, the closure that takes this as its first argument,
/// and the names of what is captured, sorted.
///
/// Behaviour: `split_env` of syn-dissect-closure 0.1.0, but for the order.
pub fn split_env(closure: ExprClosure) -> (Expr, ExprClosure, Vec<Ident>) {
    let (_, mut closure, mut captured) = unordered::split_env(closure);
    captured.sort();
    closure.inputs[0] = parse_quote!((#(#captured,)*));
    SortImports.visit_expr_mut(&mut closure.body);
    (parse_quote!((#(#captured,)*)), closure, captured)
}

/// Sorts the blocks `{ use A; use B; }` with which the original checks that names it takes for constants are some.
struct SortImports;

impl VisitMut for SortImports {
    fn visit_expr_block_mut(&mut self, block: &mut ExprBlock) {
        let statements = &mut block.block.stmts;
        if statements.iter().all(|statement| matches!(statement, Stmt::Item(Item::Use(_)))) {
            statements.sort_by_cached_key(|statement| statement.to_token_stream().to_string());
        }
        visit_mut::visit_expr_block_mut(self, block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        let closure = parse_quote!(move || { use_all(eta, zeta, iota, alpha, theta, beta) });
        let (environment, closure, captured) = split_env(closure);
        let names: Vec<String> = captured.iter().map(Ident::to_string).collect();
        assert_eq!(names, ["alpha", "beta", "eta", "iota", "theta", "zeta"]);
        let tuple = "(alpha , beta , eta , iota , theta , zeta ,)";
        assert_eq!(environment.to_token_stream().to_string(), tuple);
        assert_eq!(closure.inputs[0].to_token_stream().to_string(), tuple);
    }

    #[test]
    fn the_same_closure_gives_the_same_text() {
        let text = || {
            let closure = parse_quote!(move || match found {
                A => {
                    use_both(B, C);
                    D
                }
                Some(E) =>
                    if let F = other {
                        Ok(G)
                    } else {
                        H
                    },
                _ => fall_back(first, second, third),
            });
            let (environment, closure, _) = split_env(closure);
            format!("{} {}", environment.to_token_stream(), closure.to_token_stream())
        };
        let once = text();
        assert!((0..50).all(|_| text() == once));
    }
}
