//! Which variable a name means: Jinja2's rules for scopes (its `idtracking`), with all their corners.

use super::names::{Child, children};
use crate::ast::{Expr, ExprKind, Stmt, StmtKind, Use};
use indexmap::{IndexMap, IndexSet};
use kapstan_document::Text;

/// A variable: its name and the level of the scope that it belongs to. Scopes side by side share variables, as they do
/// in the Python code that Jinja2 generates.
pub(super) type Ident = (u32, Text);

/// What a variable holds when its scope begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Load {
    Parameter,
    Resolve(Text),
    Alias(Ident),
    Undefined,
}

/// Names of one scope.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    pub level: u32,
    pub parent: Option<usize>,
    /// Which function the scope runs in.
    pub function: usize,
    pub refs: IndexMap<Text, Ident>,
    pub loads: IndexMap<Ident, Load>,
    pub stores: IndexSet<Text>,
}

/// All scopes of a template.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    pub all: Vec<Scope>,
}

impl Scopes {
    pub(super) fn add(&mut self, parent: Option<usize>, function: usize) -> usize {
        let level = parent.map_or(0, |parent| self.all[parent].level + 1);
        self.all.push(Scope {
            level,
            parent,
            function,
            refs: IndexMap::new(),
            loads: IndexMap::new(),
            stores: IndexSet::new(),
        });
        self.all.len() - 1
    }

    fn copy(&mut self, scope: usize) -> usize {
        self.all.push(self.all[scope].clone());
        self.all.len() - 1
    }

    /// The variable that a name means, and the function that it belongs to.
    pub(super) fn find(&self, scope: usize, name: &str) -> Option<(&Ident, usize)> {
        let mut at = Some(scope);
        while let Some(index) = at {
            let scope = &self.all[index];
            if let Some(ident) = scope.refs.get(name) {
                return Some((ident, scope.function));
            }
            at = scope.parent;
        }
        None
    }

    fn find_ident(&self, scope: Option<usize>, name: &str) -> Option<Ident> {
        self.find(scope?, name).map(|found| found.0.clone())
    }

    /// The function that a variable of an outer scope belongs to.
    pub(super) fn function_of(&self, scope: usize, ident: &Ident) -> Option<usize> {
        let mut at = Some(scope);
        while let Some(index) = at {
            let scope = &self.all[index];
            if scope.level == ident.0 && scope.refs.contains_key(&ident.1) {
                return Some(scope.function);
            }
            at = scope.parent;
        }
        None
    }

    fn define(&mut self, scope: usize, name: &Text, load: Load) {
        let scope = &mut self.all[scope];
        let ident = (scope.level, name.clone());
        scope.refs.insert(name.clone(), ident.clone());
        scope.loads.insert(ident, load);
    }

    pub(super) fn declare_parameter(&mut self, scope: usize, name: &Text) {
        self.all[scope].stores.insert(name.clone());
        self.define(scope, name, Load::Parameter);
    }

    fn store(&mut self, scope: usize, name: &Text) {
        self.all[scope].stores.insert(name.clone());
        if self.all[scope].refs.contains_key(name) {
            return;
        }
        let outer = self.find_ident(self.all[scope].parent, name);
        self.define(scope, name, outer.map_or(Load::Undefined, Load::Alias));
    }

    fn load(&mut self, scope: usize, name: &Text) {
        if self.find(scope, name).is_none() {
            self.define(scope, name, Load::Resolve(name.clone()));
        }
    }

    /// Takes over what the branches of a condition did.
    fn merge_branches(&mut self, scope: usize, branches: [usize; 3]) {
        let mut stored: IndexSet<Text> = IndexSet::new();
        for branch in branches {
            stored.extend(self.all[branch].stores.iter().cloned());
        }
        stored.retain(|name| !self.all[scope].stores.contains(name));
        for branch in branches {
            let branch = self.all[branch].clone();
            let scope = &mut self.all[scope];
            scope.refs.extend(branch.refs);
            scope.loads.extend(branch.loads);
            scope.stores.extend(branch.stores);
        }
        for name in stored {
            let Some(target) = self.find_ident(Some(scope), &name) else { continue };
            let outer = self.find_ident(self.all[scope].parent, &name);
            let load = outer.map_or_else(|| Load::Resolve(name), Load::Alias);
            self.all[scope].loads.insert(target, load);
        }
    }

    /// Names that are set in a scope or around it, with their variables.
    pub(super) fn stored_names(&self, scope: usize) -> Vec<Text> {
        let mut names: IndexSet<Text> = IndexSet::new();
        let mut at = Some(scope);
        while let Some(index) = at {
            let mut stores: Vec<_> = self.all[index].stores.iter().cloned().collect();
            stores.sort();
            names.extend(stores);
            at = self.all[index].parent;
        }
        names.into_iter().collect()
    }

    /// Looks at everything below a statement whose scope this is.
    pub(super) fn analyze_children(&mut self, scope: usize, stmt: &Stmt) {
        children(stmt, &mut |child| match child {
            Child::Expr(expr) => self.expr(scope, expr, false),
            Child::Body(body) => self.body(scope, body),
        });
    }

    pub(super) fn body(&mut self, scope: usize, body: &[Stmt]) {
        for stmt in body {
            self.statement(scope, stmt);
        }
    }

    /// Looks at an expression; with `as_param`, its names are parameters.
    pub(super) fn expr(&mut self, scope: usize, expr: &Expr, as_param: bool) {
        match &expr.kind {
            ExprKind::Name(name, used) => match used {
                _ if as_param => self.declare_parameter(scope, name),
                Use::Param => self.declare_parameter(scope, name),
                Use::Store => self.store(scope, name),
                Use::Load => self.load(scope, name),
            },
            ExprKind::NamespaceAttr(name, _) => self.load(scope, name),
            _ => expr.each_child(&mut |child| self.expr(scope, child, as_param)),
        }
    }

    /// Looks at a statement inside of a scope: statements with scopes of their own show only what runs outside of them.
    fn statement(&mut self, scope: usize, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::If { arms, otherwise } => self.branches(scope, arms, otherwise),
            StmtKind::Macro(name, _) => self.store(scope, name),
            StmtKind::Import { template, target, .. } => {
                self.expr(scope, template, false);
                self.store(scope, target);
            }
            StmtKind::FromImport { template, names, .. } => {
                self.expr(scope, template, false);
                for (name, alias) in names {
                    self.store(scope, alias.as_ref().unwrap_or(name));
                }
            }
            StmtKind::Set(target, value) => {
                self.expr(scope, value, false);
                self.expr(scope, target, false);
            }
            StmtKind::For(node) => self.expr(scope, &node.iter, false),
            StmtKind::CallBlock(call, _) => self.expr(scope, call, false),
            StmtKind::FilterBlock(filter, _) => self.expr(scope, filter, false),
            StmtKind::With { values, .. } => {
                values.iter().for_each(|value| self.expr(scope, value, false));
            }
            StmtKind::SetBlock(target, ..) => self.expr(scope, target, false),
            StmtKind::Autoescape(..) | StmtKind::Block(_) => {}
            StmtKind::Output(_) | StmtKind::Extends(_) | StmtKind::Include { .. } | StmtKind::Do(_) => {
                self.analyze_children(scope, stmt);
            }
        }
    }

    fn branches(&mut self, scope: usize, arms: &[crate::ast::If], otherwise: &[Stmt]) {
        let Some((first, rest)) = arms.split_first() else { return };
        self.expr(scope, &first.test, false);
        let before = self.copy(scope);
        let body = self.copy(before);
        self.body(body, &first.body);
        let elif = self.copy(before);
        // Jinja2 takes each `elif` for a condition of its own, without branches of its own.
        for arm in rest {
            self.branches(elif, std::slice::from_ref(arm), &[]);
        }
        let last = self.copy(before);
        self.body(last, otherwise);
        self.merge_branches(scope, [body, elif, last]);
    }
}
