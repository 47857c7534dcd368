use super::loops::Recursion;
use super::{Activation, BlockCode, Context, Generator, Iter, Loop, Run, Step, framed};
use crate::error::{Class, Outcome, Part, RenderError, quoted, raise, type_error, value_error};
use crate::program::{Exports, For, Load, Slot, Stmt, StmtKind, Target};
use crate::value::{Object, Undefined, Value};
use crate::{markup, ops, print};
use kapstan_document::Text;
use rustc_hash::FxHashMap;
use std::rc::Rc;

impl Run<'_> {
    /// Runs statements.
    pub(crate) fn body(&self, body: &[Stmt], scope: &Rc<Activation>) -> Outcome<()> {
        for stmt in body {
            self.spend(1)?;
            scope.line.set(stmt.line);
            self.statement(stmt, scope)?;
        }
        Ok(())
    }

    fn statement(&self, stmt: &Stmt, scope: &Rc<Activation>) -> Outcome<()> {
        match &stmt.kind {
            StmtKind::Text(text) => self.write(text)?,
            StmtKind::Print(expr, escape) => {
                let value = self.eval(expr, scope)?;
                self.print(&value, self.escapes(*escape, scope))?;
            }
            StmtKind::UnlessExtending(body) => {
                if scope.parent_template.borrow().is_none() {
                    self.body(body, scope)?;
                }
            }
            StmtKind::Enter(loads) => self.enter(loads, scope),
            StmtKind::Leave(slots) => slots.iter().for_each(|slot| scope.set(*slot, None)),
            StmtKind::If(arms, otherwise) => {
                for (line, test, body) in arms {
                    scope.line.set(*line);
                    if ops::is_true(&self.eval(test, scope)?)? {
                        return self.nested(body, scope);
                    }
                }
                self.nested(otherwise, scope)?;
            }
            StmtKind::For(node) => {
                let items = self.eval(&node.iter, scope)?;
                self.for_loop(node, items, scope, None, stmt.line)?;
            }
            StmtKind::RecursiveFor(code) => {
                let items = self.eval(&code.iter, scope)?;
                let recursion = Recursion { code: code.clone(), scope: self.hold(scope) };
                let text = self.recursive_loop(&recursion, items, 0)?;
                self.write(&text)?;
            }
            StmtKind::Macro(code, slot, exports) => {
                scope.set(*slot, Some(self.make_macro(code, scope)));
                self.export(exports, scope);
            }
            StmtKind::CallBlock(code, slot) => scope.set(*slot, Some(self.make_macro(code, scope))),
            StmtKind::FilterBlock(body, filter, escape) => {
                let text: Text = self.captured(|| self.nested(body, scope))?.into();
                scope.line.set(stmt.line);
                let text = if self.escapes(*escape, scope) { Value::Markup(text) } else { Value::Str(text) };
                let value = self.eval_block_filter(filter, &text, scope)?;
                // Jinja2 joins the result to what stands around it without making it a string first.
                if value.as_str().is_none() {
                    let kind = value.type_name();
                    return type_error(format!("sequence item: expected str instance, {kind} found"));
                }
                self.print(&value, false)?;
            }
            StmtKind::Set(target, value, exports) => {
                if has_namespace(target) {
                    self.check_namespaces(target, scope)?;
                }
                let value = self.eval(value, scope)?;
                self.assign(target, value, scope)?;
                self.export(exports, scope);
            }
            StmtKind::SetBlock(target, body, filter, exports) => {
                let text: Text = self.captured(|| self.nested(body, scope))?.into();
                scope.line.set(stmt.line);
                let escaped = scope.context.autoescape.get();
                let mut value = Value::Str(text);
                if let Some(filter) = filter {
                    value = self.eval_block_filter(filter, &value, scope)?;
                }
                if let (true, Value::Str(text)) = (escaped, &value) {
                    value = Value::Markup(text.clone());
                }
                self.assign(target, value, scope)?;
                self.export(exports, scope);
            }
            StmtKind::Do(expr) => {
                self.eval(expr, scope)?;
            }
            StmtKind::Block { name, locals, required } => {
                self.block(name, locals.as_deref(), *required, scope)?
            }
            StmtKind::Extends(template) => {
                if scope.parent_template.borrow().is_some() {
                    return raise(Class::TemplateRuntime, "extended multiple times");
                }
                let name = self.eval(template, scope)?;
                let parent = self.template(&name)?;
                scope.context.add_blocks(&parent);
                *scope.parent_template.borrow_mut() = Some(parent);
            }
            StmtKind::Include { template, ignore_missing, locals } => {
                let name = self.eval(template, scope)?;
                self.include(&name, *ignore_missing, locals.as_deref(), scope)?;
            }
            StmtKind::Import { template, slot, locals, exports } => {
                let name = self.eval(template, scope)?;
                let module = self.import(&name, locals.as_deref(), scope)?;
                scope.set(*slot, Some(Value::Object(module)));
                self.export(exports, scope);
            }
            StmtKind::FromImport { template, names, locals, exports, place } => {
                let name = self.eval(template, scope)?;
                let module = self.import(&name, locals.as_deref(), scope)?;
                for (name, slot) in names {
                    scope.set(*slot, Some(imported(&module, name, place)?));
                }
                self.export(exports, scope);
            }
            StmtKind::LoadSelf(slot) => {
                scope.set(*slot, Some(Value::object(Object::Template(scope.context.clone()))));
            }
            StmtKind::LoadSuper(slot, name) => scope.set(*slot, Some(super_of(name, scope))),
            StmtKind::Autoescape(value, body) => {
                let value = ops::is_true(&self.eval(value, scope)?)?;
                let before = scope.context.autoescape.replace(value);
                let result = self.nested(body, scope);
                scope.context.autoescape.set(before);
                result?;
            }
            StmtKind::Fail(error) => return Err(error.clone()),
        }
        Ok(())
    }

    fn nested(&self, body: &[Stmt], scope: &Rc<Activation>) -> Outcome<()> {
        self.stack.check()?;
        self.body(body, scope)
    }

    fn print(&self, value: &Value, escape: bool) -> Outcome<()> {
        match value {
            Value::Str(text) | Value::Markup(text) if !escape => self.write(text),
            Value::Markup(text) => self.write(text),
            _ => {
                let mut text = String::new();
                print::write_str(value, &mut text)?;
                self.spend(text.len() / 64)?;
                if escape { self.write(&markup::escaped(&text)) } else { self.write(&text) }
            }
        }
    }

    fn enter(&self, loads: &[Load], scope: &Rc<Activation>) {
        for load in loads {
            match load {
                Load::Resolve(slot, name) => scope.set(*slot, scope.context.resolve(name)),
                Load::Alias(slot, outer) => scope.set(*slot, scope.get(*outer)),
                Load::Missing(slot) => scope.set(*slot, None),
            }
        }
    }

    fn make_macro(&self, code: &std::sync::Arc<crate::program::Macro>, scope: &Rc<Activation>) -> Value {
        Value::object(Object::Macro {
            code: code.clone(),
            program: scope.program.clone(),
            scope: self.hold(scope),
        })
    }

    /// Makes names that were set at the top of a template visible to others.
    fn export(&self, exports: &Exports, scope: &Activation) {
        for (name, slot) in &exports.names {
            let Some(value) = scope.get(Slot { up: 0, index: *slot }) else { continue };
            scope.context.vars.borrow_mut().insert(name.clone(), value);
            if name.starts_with('_') {
                continue;
            }
            let mut exported = scope.context.exported.borrow_mut();
            if exports.exported {
                exported.insert(name.clone());
            } else {
                exported.remove(name);
            }
        }
    }

    fn check_namespaces(&self, target: &Target, scope: &Activation) -> Outcome<()> {
        match target {
            Target::Slot(_) => Ok(()),
            Target::Tuple(items) => items.iter().try_for_each(|item| self.check_namespaces(item, scope)),
            Target::NamespaceAttr(slot, ..) => match scope.get(*slot) {
                Some(Value::Object(object)) if matches!(*object, Object::Namespace(_)) => Ok(()),
                _ => raise(Class::TemplateRuntime, "cannot assign attribute on non-namespace object"),
            },
        }
    }

    /// Sets what a target names.
    pub(super) fn assign(&self, target: &Target, value: Value, scope: &Activation) -> Outcome<()> {
        match target {
            Target::Slot(slot) => scope.set(*slot, Some(value)),
            Target::NamespaceAttr(slot, attribute) => {
                if let Some(Value::Object(object)) = scope.get(*slot)
                    && let Object::Namespace(attributes) = &*object
                {
                    attributes.insert(Value::Str(attribute.clone()), value)?;
                }
            }
            Target::Tuple(targets) => {
                let items = self.unpacked(&value, targets.len())?;
                for (target, item) in targets.iter().zip(items) {
                    self.assign(target, item, scope)?;
                }
            }
        }
        Ok(())
    }

    /// As many items as there are targets, with Python's errors.
    fn unpacked(&self, value: &Value, count: usize) -> Outcome<Vec<Value>> {
        if let Value::Tuple(tuple) = value
            && tuple.items.len() == count
        {
            return Ok(tuple.items.clone());
        }
        let mut iter = match self.iterate(value) {
            Err(error) if error.class == Class::Type => {
                let kind = value.type_name();
                return raise(Class::Type, format!("cannot unpack non-iterable {kind} object"));
            }
            iter => iter?,
        };
        let mut items = Vec::with_capacity(count);
        while let Some(item) = iter.next(self)? {
            if items.len() == count {
                return value_error(format!("too many values to unpack (expected {count})"));
            }
            items.push(item);
        }
        if items.len() < count {
            let got = items.len();
            return value_error(format!("not enough values to unpack (expected {count}, got {got})"));
        }
        Ok(items)
    }

    fn loop_items(&self, node: &For, items: &Value, scope: &Rc<Activation>) -> Outcome<Iter> {
        let Some(condition) = &node.condition else {
            return self.iterate(items);
        };
        let outer = scope.recursion.as_ref().and_then(|state| state.recursion.as_ref());
        let outer = outer.map_or(scope, |recursion| &recursion.scope);
        let inner = Rc::new(Activation::inside(outer, &condition.function));
        let generator = Generator::value(
            ("generator", "t_1"),
            items.clone(),
            Step::Condition { code: condition.clone(), scope: inner },
            &scope.context,
        );
        self.iterate(&generator)
    }

    fn for_loop(
        &self,
        node: &For,
        items: Value,
        scope: &Rc<Activation>,
        recursion: Option<(Recursion, usize)>,
        line: u32,
    ) -> Outcome<()> {
        let mut iter = self.loop_items(node, &items, scope)?;
        let state = node.loop_slot.map(|slot| {
            let depth = recursion.as_ref().map_or(0, |recursion| recursion.1);
            let recursion = recursion.map(|recursion| recursion.0);
            (slot, Rc::new(Object::Loop(Loop::new(iter.clone(), recursion, depth))))
        });
        let mut is_empty = true;
        loop {
            scope.line.set(line);
            let next = match &state {
                Some((slot, object)) => {
                    let Object::Loop(state) = &**object else { break };
                    scope.set(*slot, Some(Value::Object(object.clone())));
                    state.next(self)?
                }
                None => iter.next(self)?,
            };
            let Some(item) = next else { break };
            is_empty = false;
            self.assign(&node.target, item, scope)?;
            self.enter(&node.enter, scope);
            self.nested(&node.body, scope)?;
        }
        if let Some((slot, _)) = &state {
            scope.set(*slot, None);
        }
        node.leave.iter().for_each(|slot| scope.set(*slot, None));
        match &node.otherwise {
            Some(otherwise) if is_empty => self.nested(otherwise, scope),
            _ => Ok(()),
        }
    }

    /// Calls the function that a recursive loop is.
    pub(super) fn recursive_loop(
        &self,
        recursion: &Recursion,
        items: Value,
        depth: usize,
    ) -> Outcome<String> {
        self.stack.check()?;
        self.spend(1)?;
        let code = &recursion.code;
        let scope = Rc::new(Activation::inside(&recursion.scope, &code.function));
        scope.line.set(code.line);
        let text = self.captured(|| {
            code.function.body.iter().try_for_each(|stmt| match &stmt.kind {
                StmtKind::For(node) => {
                    self.for_loop(node, items.clone(), &scope, Some((recursion.clone(), depth)), stmt.line)
                }
                _ => self.statement(stmt, &scope),
            })
        });
        text.map_err(|error| framed(error, &scope, Part::Loop))
    }

    fn block(
        &self,
        name: &Text,
        locals: Option<&[(Text, Slot)]>,
        required: bool,
        scope: &Rc<Activation>,
    ) -> Outcome<()> {
        let context = match locals {
            Some(locals) => Rc::new(scope.context.derived(values_of(locals, scope))),
            None => scope.context.clone(),
        };
        let versions = scope.context.blocks.borrow().get(name).cloned().unwrap_or_default();
        if required && versions.len() <= 1 {
            let message = format!("Required block {} not found", quoted(name));
            return Err(RenderError::new(Class::TemplateRuntime, message));
        }
        match versions.first() {
            Some(code) => self.run_block(name, code, &context),
            None => Ok(()),
        }
    }
}

fn has_namespace(target: &Target) -> bool {
    match target {
        Target::Slot(_) => false,
        Target::NamespaceAttr(..) => true,
        Target::Tuple(items) => items.iter().any(has_namespace),
    }
}

/// The values of variables that are set.
pub(super) fn values_of(locals: &[(Text, Slot)], scope: &Activation) -> FxHashMap<Text, Value> {
    locals.iter().filter_map(|(name, slot)| Some((name.clone(), scope.get(*slot)?))).collect()
}

fn imported(module: &Rc<Object>, name: &Text, place: &str) -> Outcome<Value> {
    let Object::Module { name: template, exports, .. } = &**module else {
        return Ok(Value::None);
    };
    if let Some(value) = exports.get_str(name)? {
        return Ok(value);
    }
    Ok(Undefined::because(format!(
        "the template {} (imported on {place}) does not export the requested name {}",
        quoted(template),
        quoted(name)
    )))
}

/// `super` in a block: the version behind the one that is running.
fn super_of(name: &Text, scope: &Activation) -> Value {
    let index = scope.program.blocks.iter().position(|(block, _)| block == name).unwrap_or(0);
    let current = BlockCode { program: scope.program.clone(), index };
    let versions = scope.context.blocks.borrow().get(name).cloned().unwrap_or_default();
    let depth = versions.iter().position(|version| *version == current).map_or(versions.len(), |at| at + 1);
    super_at(name, &scope.context, versions, depth)
}

/// A version of a block, or undefined where there is none.
pub(crate) fn super_at(name: &Text, context: &Rc<Context>, versions: Vec<BlockCode>, depth: usize) -> Value {
    if depth >= versions.len() {
        return Undefined::because(format!("there is no parent block called {}.", quoted(name)));
    }
    Value::object(Object::Block { name: name.clone(), context: context.clone(), versions, depth })
}
