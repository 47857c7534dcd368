use super::{Compiler, Frame, names};
use crate::ast::{self, ExprKind, Literal, MacroBody, OutputPart};
use crate::error::{Class, Outcome, RenderError};
use crate::program::{
    Condition, Escape, Exports, Expr, For, Macro, Param, RecursiveFor, Stmt, StmtKind, Target,
};
use kapstan_document::Text;
use std::sync::Arc;

impl Compiler<'_> {
    pub(super) fn body(&mut self, body: &[ast::Stmt], frame: Frame, out: &mut Vec<Stmt>) -> Outcome<()> {
        self.stack.check()?;
        for stmt in body {
            self.statement(stmt, frame, out)?;
            if std::mem::take(&mut self.is_over) {
                break;
            }
        }
        Ok(())
    }

    fn body_of(&mut self, body: &[ast::Stmt], frame: Frame) -> Outcome<Vec<Stmt>> {
        let mut out = Vec::new();
        self.body(body, frame, &mut out)?;
        Ok(out)
    }

    fn statement(&mut self, stmt: &ast::Stmt, frame: Frame, out: &mut Vec<Stmt>) -> Outcome<()> {
        use ast::StmtKind as Ast;
        let line = Some(stmt.line);
        match &stmt.kind {
            Ast::Output(parts) => self.output(parts, frame, out)?,
            Ast::For(node) => self.for_loop(stmt, node, frame, out)?,
            Ast::If { arms, otherwise } => {
                let frame = Frame { soft: true, rootlevel: false, ..frame };
                let mut compiled = Vec::new();
                for arm in arms {
                    let line = self.line(Some(arm.line));
                    let test = self.expr(&arm.test, frame)?;
                    compiled.push((line, test, self.body_of(&arm.body, frame)?));
                }
                let first = compiled.first().map_or(stmt.line, |arm| arm.0);
                let otherwise = self.body_of(otherwise, frame)?;
                out.push(Stmt { line: first, kind: StmtKind::If(compiled, otherwise) });
            }
            Ast::Macro(name, node) => {
                let compiled = self.macro_body(Some(name), node, stmt.line, frame)?;
                let slot = self.own_variable(name, frame)?;
                let exports = exports(frame, true, vec![(name.clone(), slot)]);
                let kind = StmtKind::Macro(Arc::new(compiled), slot, exports);
                out.push(Stmt { line: self.line(None), kind });
            }
            Ast::CallBlock(call, node) => {
                let compiled = self.macro_body(None, node, stmt.line, frame)?;
                let slot = self.nameless(frame.function);
                out.push(Stmt { line: self.line(None), kind: StmtKind::CallBlock(Arc::new(compiled), slot) });
                let line = self.line(line);
                let mut call = self.expr(call, frame)?;
                if let Expr::Call(_, arguments) = &mut call {
                    arguments.caller = Some(crate::program::Slot { up: 0, index: slot });
                }
                out.push(Stmt { line, kind: StmtKind::Print(call, Escape::Never) });
            }
            Ast::FilterBlock(filter, body) => {
                let inner = self.inner(frame);
                self.scopes.analyze_children(inner.scope, stmt);
                self.push_enter(inner, out);
                let body = self.body_of(body, inner)?;
                let line = self.line(line);
                let filter = self.expr(filter, inner)?;
                out.push(Stmt { line, kind: StmtKind::FilterBlock(body, filter, self.escape_of()) });
                self.push_leave(inner, out);
            }
            Ast::With { targets, values, body } => self.with(targets, values, body, frame, out)?,
            Ast::Block(node) => self.block(node, frame, out)?,
            Ast::Extends(template) => self.extends(template, stmt.line, frame, out)?,
            Ast::Include { template, ignore_missing, with_context } => {
                let line = self.line(line);
                let template = self.expr(template, frame)?;
                let locals = if *with_context { Some(self.locals(frame)?) } else { None };
                let kind = StmtKind::Include { template, ignore_missing: *ignore_missing, locals };
                out.push(Stmt { line, kind });
            }
            Ast::Import { template, target, with_context } => {
                let line = self.line(line);
                let slot = self.own_variable(target, frame)?;
                let template = self.expr(template, frame)?;
                let locals = if *with_context { Some(self.locals(frame)?) } else { None };
                let exports = exports(frame, false, vec![(target.clone(), slot)]);
                out.push(Stmt { line, kind: StmtKind::Import { template, slot, locals, exports } });
            }
            Ast::FromImport { template, names, with_context } => {
                let line = self.line(line);
                let template = self.expr(template, frame)?;
                let locals = if *with_context { Some(self.locals(frame)?) } else { None };
                let (mut found, mut set) = (Vec::new(), Vec::new());
                for (name, alias) in names {
                    let alias = alias.as_ref().unwrap_or(name);
                    let slot = self.own_variable(alias, frame)?;
                    found.push((name.clone(), slot));
                    set.push((alias.clone(), slot));
                }
                let place = self.position(stmt.line);
                let exports = exports(frame, false, set);
                out.push(Stmt {
                    line,
                    kind: StmtKind::FromImport { template, names: found, locals, exports, place },
                });
            }
            Ast::Set(target, value) => {
                let line = self.line(line);
                let compiled = self.target(target, frame)?;
                let value = self.expr(value, frame)?;
                let exports = self.target_exports(target, frame)?;
                out.push(Stmt { line, kind: StmtKind::Set(compiled, value, exports) });
            }
            Ast::SetBlock(target, filter, body) => {
                let inner = Frame { checks_output: false, ..self.inner(frame) };
                self.scopes.body(inner.scope, body);
                self.push_enter(inner, out);
                let body = self.body_of(body, inner)?;
                let line = self.line(line);
                let compiled = self.target(target, frame)?;
                let filter = filter.as_ref().map(|filter| self.expr(filter, inner)).transpose()?;
                let exports = self.target_exports(target, frame)?;
                out.push(Stmt { line, kind: StmtKind::SetBlock(compiled, body, filter, exports) });
                self.push_leave(inner, out);
            }
            Ast::Do(value) => {
                let line = self.line(line);
                let value = self.expr(value, frame)?;
                out.push(Stmt { line, kind: StmtKind::Do(value) });
            }
            Ast::Autoescape(value, body) => self.autoescape(stmt, value, body, frame, out)?,
        }
        Ok(())
    }

    fn output(&mut self, parts: &[OutputPart], frame: Frame, out: &mut Vec<Stmt>) -> Outcome<()> {
        if frame.checks_output && self.has_known_extends {
            return Ok(());
        }
        let mut compiled: Vec<Stmt> = Vec::new();
        for part in parts {
            let (line, kind) = match part {
                OutputPart::Data(text) => (self.line(None), StmtKind::Text(text.clone())),
                OutputPart::Expr(expr) => {
                    // What is constant leaves no trace in the lines, unless it fails.
                    let line = if names::is_constant(expr) { expr.line } else { self.line(Some(expr.line)) };
                    (line, StmtKind::Print(self.expr(expr, frame)?, self.escape_of()))
                }
            };
            match (compiled.last_mut(), &kind) {
                (Some(Stmt { kind: StmtKind::Text(before), .. }), StmtKind::Text(text)) => {
                    *before = format!("{before}{text}").into();
                }
                _ => compiled.push(Stmt { line, kind }),
            }
        }
        if frame.checks_output {
            out.push(Stmt { line: self.line(None), kind: StmtKind::UnlessExtending(compiled) });
        } else {
            out.extend(compiled);
        }
        Ok(())
    }

    fn for_loop(
        &mut self,
        stmt: &ast::Stmt,
        node: &ast::For,
        frame: Frame,
        out: &mut Vec<Stmt>,
    ) -> Outcome<()> {
        let uses_loop = node.recursive
            || names::undeclared(&node.body, &["loop"]).contains("loop")
            || names::any_statement(
                std::slice::from_ref(stmt),
                &|stmt| matches!(&stmt.kind, ast::StmtKind::Block(block) if block.scoped),
            );
        let condition = match &node.test {
            Some(test) => Some(Arc::new(self.loop_condition(node, test, frame)?)),
            None => None,
        };
        if let Some(line) = names::sets_loop(stmt) {
            return self.fail("Can't assign to special loop variable in for-loop target", line);
        }
        let outer = if node.recursive {
            let function = self.add_function(Some(frame.function));
            Frame { function, checks_output: false, ..frame }
        } else {
            frame
        };
        let function = outer.function;
        let inner_of = |compiler: &mut Self| Frame {
            scope: compiler.scopes.add(Some(frame.scope), function),
            function,
            toplevel: false,
            rootlevel: false,
            soft: false,
            checks_output: frame.checks_output,
        };
        let inner = inner_of(self);
        let else_frame = inner_of(self);
        if uses_loop {
            self.scopes.declare_parameter(inner.scope, &"loop".into());
        }
        self.scopes.expr(inner.scope, &node.target, true);
        self.scopes.body(inner.scope, &node.body);
        self.scopes.body(else_frame.scope, &node.otherwise);
        let items = node.recursive.then(|| self.nameless(function));
        let loop_slot = if uses_loop { Some(self.own_variable("loop", inner)?) } else { None };
        let line = self.line(Some(stmt.line));
        let target = self.target(&node.target, inner)?;
        let iter = match items {
            Some(index) => Expr::Var(crate::program::Slot { up: 0, index }, "".into()),
            None => self.expr(&node.iter, frame)?,
        };
        let enter = self.enter(inner);
        let body = self.body_of(&node.body, inner)?;
        let leave = self.leave(inner);
        let otherwise =
            if node.otherwise.is_empty() { None } else { Some(self.else_body(&node.otherwise, else_frame)?) };
        let compiled = For { target, iter, body, enter, leave, otherwise, loop_slot, condition };
        let compiled = Stmt { line, kind: StmtKind::For(Box::new(compiled)) };
        if node.recursive {
            let function = self.function(function, vec![compiled]);
            let line = self.line(Some(stmt.line));
            let iter = self.expr(&node.iter, frame)?;
            out.push(Stmt {
                line,
                kind: StmtKind::RecursiveFor(Arc::new(RecursiveFor { function, iter, line })),
            });
        } else {
            out.push(compiled);
        }
        Ok(())
    }

    fn else_body(&mut self, body: &[ast::Stmt], frame: Frame) -> Outcome<Vec<Stmt>> {
        let mut out = Vec::new();
        self.push_enter(frame, &mut out);
        self.body(body, frame, &mut out)?;
        self.push_leave(frame, &mut out);
        Ok(out)
    }

    fn loop_condition(&mut self, node: &ast::For, test: &ast::Expr, frame: Frame) -> Outcome<Condition> {
        let inner = self.inner_function(frame);
        self.scopes.expr(inner.scope, &node.target, true);
        self.scopes.expr(inner.scope, test, false);
        let line = self.line(Some(test.line));
        let mut out = Vec::new();
        self.push_enter(inner, &mut out);
        let target = self.target(&node.target, inner)?;
        let test = self.expr(test, inner)?;
        Ok(Condition { function: self.function(inner.function, out), target, test, line })
    }

    fn macro_body(
        &mut self,
        name: Option<&Text>,
        node: &MacroBody,
        line: u32,
        frame: Frame,
    ) -> Outcome<Macro> {
        let inner = self.inner_function(frame);
        let analyze = |compiler: &mut Self| {
            node.params
                .iter()
                .chain(&node.defaults)
                .for_each(|expr| compiler.scopes.expr(inner.scope, expr, false));
            compiler.scopes.body(inner.scope, &node.body);
        };
        analyze(self);
        let names: Vec<Text> = node.params.iter().filter_map(name_of).collect();
        let undeclared = names::undeclared(&node.body, &["caller", "kwargs", "varargs"]);
        let special = |compiler: &mut Self, special: &str| -> Outcome<Option<u32>> {
            if !undeclared.contains(special) || names.iter().any(|name| &**name == special) {
                return Ok(None);
            }
            compiler.scopes.declare_parameter(inner.scope, &special.into());
            compiler.own_variable(special, inner).map(Some)
        };
        let caller = special(self, "caller")?;
        let kwargs = special(self, "kwargs")?;
        let varargs = special(self, "varargs")?;
        if let Some(at) = names.iter().position(|name| &**name == "caller")
            && undeclared.contains("caller")
            && names.len() - at > node.defaults.len()
        {
            let message = "When defining macros or call blocks the special \"caller\" argument must be omitted \
                               or be given a default.";
            return self.fail(message, line);
        }
        analyze(self);
        let line = self.line(Some(line));
        let mut out = Vec::new();
        self.push_enter(inner, &mut out);
        let without_default = names.len().saturating_sub(node.defaults.len());
        let mut params = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let slot = self.own_variable(name, inner)?;
            let default = at.checked_sub(without_default).and_then(|at| node.defaults.get(at));
            let default = default.map(|default| self.expr(default, inner)).transpose()?;
            params.push(Param { name: name.clone(), slot, default });
        }
        self.body(&node.body, inner, &mut out)?;
        let function = self.function(inner.function, out);
        Ok(Macro { name: name.cloned(), params, caller, kwargs, varargs, line, function })
    }

    fn with(
        &mut self,
        targets: &[ast::Expr],
        values: &[ast::Expr],
        body: &[ast::Stmt],
        frame: Frame,
        out: &mut Vec<Stmt>,
    ) -> Outcome<()> {
        let inner = self.inner(frame);
        targets.iter().for_each(|target| self.scopes.expr(inner.scope, target, false));
        self.scopes.body(inner.scope, body);
        self.push_enter(inner, out);
        for (target, value) in targets.iter().zip(values) {
            let line = self.line(None);
            let target = self.target(target, inner)?;
            let value = self.expr(value, frame)?;
            out.push(Stmt { line, kind: StmtKind::Set(target, value, Exports::default()) });
        }
        self.body(body, inner, out)?;
        self.push_leave(inner, out);
        Ok(())
    }

    fn block(&mut self, node: &ast::Block, frame: Frame, out: &mut Vec<Stmt>) -> Outcome<()> {
        if frame.toplevel && self.has_known_extends {
            return Ok(());
        }
        let locals = if node.scoped { Some(self.locals(frame)?) } else { None };
        let line = self.line(Some(node.line));
        let kind = StmtKind::Block { name: node.name.clone(), locals, required: node.required };
        let block = Stmt { line, kind };
        out.push(if frame.toplevel && self.extends > 0 {
            Stmt { line, kind: StmtKind::UnlessExtending(vec![block]) }
        } else {
            block
        });
        Ok(())
    }

    fn extends(&mut self, template: &ast::Expr, line: u32, frame: Frame, out: &mut Vec<Stmt>) -> Outcome<()> {
        if !frame.toplevel {
            return self.fail("cannot use extend from a non top-level scope", line);
        }
        if self.has_known_extends {
            let error = RenderError::new(Class::TemplateRuntime, "extended multiple times");
            out.push(Stmt { line: self.line(None), kind: StmtKind::Fail(error) });
            self.is_over = true;
            return Ok(());
        }
        let line = self.line(Some(line));
        let template = self.expr(template, frame)?;
        out.push(Stmt { line, kind: StmtKind::Extends(template) });
        self.has_known_extends = frame.rootlevel;
        self.extends += 1;
        Ok(())
    }

    fn autoescape(
        &mut self,
        stmt: &ast::Stmt,
        value: &ast::Expr,
        body: &[ast::Stmt],
        frame: Frame,
        out: &mut Vec<Stmt>,
    ) -> Outcome<()> {
        let inner = self.inner(frame);
        self.scopes.analyze_children(inner.scope, stmt);
        self.push_enter(inner, out);
        let before = self.escape;
        let line = self.line(None);
        let compiled = self.expr(value, inner)?;
        self.escape = match &value.kind {
            ExprKind::Literal(literal) if is_true(literal) => Escape::Always,
            ExprKind::Literal(_) => Escape::Never,
            _ => Escape::Ask,
        };
        let body = self.body_of(body, inner)?;
        self.escape = before;
        out.push(Stmt { line, kind: StmtKind::Autoescape(compiled, body) });
        self.push_leave(inner, out);
        Ok(())
    }

    fn target(&mut self, target: &ast::Expr, frame: Frame) -> Outcome<Target> {
        Ok(match &target.kind {
            ExprKind::NamespaceAttr(name, attr) => {
                Target::NamespaceAttr(self.variable(name, frame)?, attr.clone())
            }
            ExprKind::Tuple(items) => {
                Target::Tuple(items.iter().map(|item| self.target(item, frame)).collect::<Outcome<_>>()?)
            }
            ExprKind::Name(name, _) => Target::Slot(self.own_variable(name, frame)?),
            other => return self.fail(format!("can't assign to '{}'", other.name()), target.line),
        })
    }

    fn target_exports(&mut self, target: &ast::Expr, frame: Frame) -> Outcome<Exports> {
        fn collect(target: &ast::Expr, names: &mut Vec<Text>) {
            names.extend(name_of(target));
            if let ExprKind::Tuple(items) = &target.kind {
                items.iter().for_each(|item| collect(item, names));
            }
        }
        let mut names = Vec::new();
        collect(target, &mut names);
        let mut set = Vec::new();
        for name in names {
            let slot = self.own_variable(&name, frame)?;
            set.push((name, slot));
        }
        Ok(exports(frame, true, set))
    }
}

fn exports(frame: Frame, exported: bool, names: Vec<(Text, u32)>) -> Exports {
    if frame.toplevel { Exports { names, exported } } else { Exports::default() }
}

fn name_of(expr: &ast::Expr) -> Option<Text> {
    if let ExprKind::Name(name, _) = &expr.kind { Some(name.clone()) } else { None }
}

fn is_true(literal: &Literal) -> bool {
    match literal {
        Literal::None => false,
        Literal::Bool(value) => *value,
        Literal::Int(value) => *value != kapstan_document::Int::Small(0),
        Literal::Float(value) => *value != 0.0,
        Literal::Str(value) => !value.is_empty(),
    }
}
