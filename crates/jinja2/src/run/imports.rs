use super::statements::values_of;
use super::{Activation, Context, Layer, Run};
use crate::error::{Class, Outcome, RenderError, raise};
use crate::print;
use crate::program::{Program, Slot};
use crate::value::{Entries, Object, Value};
use kapstan_document::Text;
use std::rc::Rc;
use std::sync::Arc;

impl Run<'_> {
    /// The template of that name.
    pub(super) fn template(&self, name: &Value) -> Outcome<Arc<Program>> {
        self.stack.check()?;
        match name {
            Value::Str(name) | Value::Markup(name) => self.env.program(name, self.stack),
            Value::Undefined(undefined) => undefined.fail(),
            _ => raise(Class::Attribute, format!("'{}' object has no attribute 'split'", name.type_name())),
        }
    }

    /// The first template that exists of a name or several.
    fn any_template(&self, names: &Value) -> Outcome<Arc<Program>> {
        if matches!(names, Value::Str(_) | Value::Markup(_) | Value::Undefined(_)) {
            return self.template(names);
        }
        if !crate::ops::is_true(names)? {
            return raise(Class::TemplateNotFound, "Tried to select from an empty list of templates.");
        }
        let mut tried = Vec::new();
        for name in self.items(names)? {
            match self.template(&name) {
                Err(error) if matches!(error.class, Class::TemplateNotFound | Class::Undefined) => {
                    tried.push(match &name {
                        Value::Undefined(undefined) => undefined.message()?,
                        name => print::str(name)?.to_string(),
                    });
                }
                result => return result,
            }
        }
        let message = format!("none of the templates given were found: {}", tried.join(", "));
        Err(RenderError::new(Class::TemplateNotFound, message))
    }

    pub(super) fn include(
        &self,
        name: &Value,
        ignore_missing: bool,
        locals: Option<&[(Text, Slot)]>,
        scope: &Rc<Activation>,
    ) -> Outcome<()> {
        let program = match self.any_template(name) {
            Err(error) if ignore_missing && error.class == Class::TemplateNotFound => return Ok(()),
            program => program?,
        };
        let Some(locals) = locals else {
            if let Object::Module { text, .. } = &*self.default_module(&program)? {
                self.write(text)?;
            }
            return Ok(());
        };
        let layer = scope.context.snapshot(values_of(locals, scope));
        self.run_root(&program, &Rc::new(Context::new(&program, layer)))
    }

    pub(super) fn import(
        &self,
        name: &Value,
        locals: Option<&[(Text, Slot)]>,
        scope: &Rc<Activation>,
    ) -> Outcome<Rc<Object>> {
        let program = self.template(name)?;
        match locals {
            None => self.default_module(&program),
            Some(locals) => {
                let layer = scope.context.snapshot(values_of(locals, scope));
                self.module(&program, Context::new(&program, layer))
            }
        }
    }

    /// The module of a template without context: made once.
    fn default_module(&self, program: &Arc<Program>) -> Outcome<Rc<Object>> {
        if let Some(module) = self.modules.borrow().get(&program.name) {
            return Ok(module.clone());
        }
        let layer = Rc::new(Layer::root(Layer::globals()));
        let module = self.module(program, Context::new(program, layer))?;
        self.modules.borrow_mut().insert(program.name.clone(), module.clone());
        Ok(module)
    }

    fn module(&self, program: &Arc<Program>, context: Context) -> Outcome<Rc<Object>> {
        let context = Rc::new(context);
        let text = self.captured(|| self.run_root(program, &context))?;
        let exports = Value::dict(Entries::default());
        let Value::Dict(exports) = exports else { return raise(Class::Runtime, "no exports") };
        let vars = context.vars.borrow();
        for name in context.exported.borrow().iter() {
            if let Some(value) = vars.get(name) {
                exports.insert(Value::Str(name.clone()), value.clone())?;
            }
        }
        Ok(Rc::new(Object::Module { name: program.name.clone(), exports, text: text.into() }))
    }
}
