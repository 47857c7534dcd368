//! Walks through parsed templates in the order in which Jinja2 does, looking for names.

use crate::ast::{Block, Expr, ExprKind, MacroBody, OutputPart, Stmt, StmtKind, Use};
use std::collections::HashSet;

/// A child of a statement.
pub(super) enum Child<'a> {
    Expr(&'a Expr),
    Body(&'a [Stmt]),
}

/// What stands directly below a statement, in Jinja2's order.
pub(super) fn children<'a>(stmt: &'a Stmt, visit: &mut dyn FnMut(Child<'a>)) {
    match &stmt.kind {
        StmtKind::Output(parts) => {
            for part in parts {
                if let OutputPart::Expr(expr) = part {
                    visit(Child::Expr(expr));
                }
            }
        }
        StmtKind::For(node) => {
            visit(Child::Expr(&node.target));
            visit(Child::Expr(&node.iter));
            visit(Child::Body(&node.body));
            visit(Child::Body(&node.otherwise));
            node.test.iter().for_each(|test| visit(Child::Expr(test)));
        }
        StmtKind::If { arms, otherwise } => {
            for arm in arms {
                visit(Child::Expr(&arm.test));
                visit(Child::Body(&arm.body));
            }
            visit(Child::Body(otherwise));
        }
        StmtKind::Macro(_, node) => macro_children(node, visit),
        StmtKind::CallBlock(call, node) => {
            visit(Child::Expr(call));
            macro_children(node, visit);
        }
        StmtKind::FilterBlock(filter, body) => {
            visit(Child::Body(body));
            visit(Child::Expr(filter));
        }
        StmtKind::With { targets, values, body } => {
            targets.iter().chain(values).for_each(|expr| visit(Child::Expr(expr)));
            visit(Child::Body(body));
        }
        StmtKind::Block(node) => visit(Child::Body(&node.body)),
        StmtKind::Extends(template)
        | StmtKind::Include { template, .. }
        | StmtKind::Import { template, .. }
        | StmtKind::FromImport { template, .. } => visit(Child::Expr(template)),
        StmtKind::Set(target, value) => {
            visit(Child::Expr(target));
            visit(Child::Expr(value));
        }
        StmtKind::SetBlock(target, filter, body) => {
            visit(Child::Expr(target));
            filter.iter().for_each(|filter| visit(Child::Expr(filter)));
            visit(Child::Body(body));
        }
        StmtKind::Do(value) => visit(Child::Expr(value)),
        StmtKind::Autoescape(value, body) => {
            visit(Child::Expr(value));
            visit(Child::Body(body));
        }
    }
}

fn macro_children<'a>(node: &'a MacroBody, visit: &mut dyn FnMut(Child<'a>)) {
    node.params.iter().chain(&node.defaults).for_each(|expr| visit(Child::Expr(expr)));
    visit(Child::Body(&node.body));
}

/// Which of `names` a body reads before it sets them. Blocks are not looked into.
pub(super) fn undeclared<'a>(body: &[Stmt], names: &[&'a str]) -> HashSet<&'a str> {
    let mut search = Undeclared { names: names.iter().copied().collect(), found: HashSet::new() };
    search.body(body);
    search.found
}

struct Undeclared<'a> {
    names: HashSet<&'a str>,
    found: HashSet<&'a str>,
}

impl Undeclared<'_> {
    fn body(&mut self, body: &[Stmt]) {
        for stmt in body {
            if matches!(stmt.kind, StmtKind::Block(_)) {
                continue;
            }
            children(stmt, &mut |child| match child {
                Child::Expr(expr) => self.expr(expr),
                Child::Body(body) => self.body(body),
            });
        }
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Name(name, used) = &expr.kind {
            match self.names.get(&**name).copied() {
                Some(name) if *used == Use::Load => {
                    self.found.insert(name);
                }
                Some(name) => {
                    self.names.remove(name);
                }
                None => {}
            }
            return;
        }
        expr.each_child(&mut |child| self.expr(child));
    }
}

/// Every block of a template, wherever it stands.
pub(super) fn blocks(body: &[Stmt]) -> Vec<&Block> {
    // Jinja2 finds those of outer statements first, so that "defined twice" names the same one.
    let mut found = Vec::new();
    for stmt in body {
        if let StmtKind::Block(block) = &stmt.kind {
            found.push(block);
        }
        children(stmt, &mut |child| {
            if let Child::Body(body) = child {
                found.extend(blocks(body));
            }
        });
    }
    found
}

/// Whether `wanted` holds for a statement anywhere in a body.
pub(super) fn any_statement(body: &[Stmt], wanted: &dyn Fn(&Stmt) -> bool) -> bool {
    body.iter().any(|stmt| {
        let mut found = wanted(stmt);
        children(stmt, &mut |child| {
            if let Child::Body(body) = child {
                found = found || any_statement(body, wanted);
            }
        });
        found
    })
}

/// The first place, in Jinja2's order, where something below a `for` sets `loop`.
pub(super) fn sets_loop(stmt: &Stmt) -> Option<u32> {
    fn in_expr(expr: &Expr) -> Option<u32> {
        if let ExprKind::Name(name, Use::Store) = &expr.kind {
            return (&**name == "loop").then_some(expr.line);
        }
        let mut found = None;
        expr.each_child(&mut |child| found = found.or_else(|| in_expr(child)));
        found
    }
    let mut found = None;
    children(stmt, &mut |child| {
        found = found.or_else(|| match child {
            Child::Expr(expr) => in_expr(expr),
            Child::Body(body) => body.iter().find_map(sets_loop),
        });
    });
    found
}

/// Whether Jinja2 evaluates an expression while it compiles: no names, no calls.
pub(super) fn is_constant(expr: &Expr) -> bool {
    if matches!(expr.kind, ExprKind::Name(..) | ExprKind::Call(..) | ExprKind::NamespaceAttr(..)) {
        return false;
    }
    let mut constant = true;
    expr.each_child(&mut |child| constant = constant && is_constant(child));
    constant
}
