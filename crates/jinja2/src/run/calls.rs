use super::{Activation, Context, Run, framed};
use crate::error::{Class, Outcome, Part, RenderError, quoted, type_error};
use crate::program::{Macro, Program, StmtKind};
use crate::value::{Entries, Key, Object, Undefined, Value, to_node};
use crate::{globals, methods};
use kapstan_document::Text;
use std::rc::Rc;
use std::sync::Arc;

/// The arguments of a call.
#[derive(Clone, Default)]
pub(crate) struct Args {
    pub positional: Vec<Value>,
    pub named: Vec<(Text, Value)>,
}

impl Args {
    pub(crate) fn of(positional: Vec<Value>) -> Self {
        Self { positional, named: Vec::new() }
    }

    /// Removes a named argument.
    pub(crate) fn take(&mut self, name: &str) -> Option<Value> {
        let at = self.named.iter().position(|(found, _)| &**found == name)?;
        Some(self.named.remove(at).1)
    }

    /// The named arguments as a dict.
    pub(crate) fn named_dict(&self) -> Value {
        let entry = |(name, value): &(Text, Value)| {
            (Key::Str(name.clone()), (Value::Str(name.clone()), value.clone()))
        };
        Value::dict(self.named.iter().map(entry).collect::<Entries>())
    }
}

/// Arguments, each at the place of its parameter.
pub(crate) struct Bound(Vec<Option<Value>>);

impl Bound {
    /// The argument, if it was given.
    pub(crate) fn given(&self, at: usize) -> Option<&Value> {
        self.0.get(at)?.as_ref()
    }

    /// The argument, or `None` where it was not given.
    pub(crate) fn value(&self, at: usize) -> &Value {
        self.given(at).unwrap_or(&Value::None)
    }
}

/// What Python's own binding of arguments to parameters says.
pub(crate) struct Signature {
    /// The function's name in Python.
    pub name: &'static str,
    pub params: &'static [&'static str],
    /// How many of the parameters have no default.
    pub required: usize,
    /// How many arguments Jinja2 adds in front that nobody writes.
    pub hidden: usize,
}

/// Brings arguments to their parameters, with Python's errors.
pub(crate) fn bind(signature: &Signature, args: Args) -> Outcome<Bound> {
    let Signature { name, params, required, hidden } = *signature;
    let given = args.positional.len();
    let mut bound: Vec<Option<Value>> = args.positional.into_iter().map(Some).take(params.len()).collect();
    bound.resize(params.len(), None);
    for (keyword, value) in args.named {
        match params.iter().position(|param| **param == *keyword) {
            None => {
                return type_error(format!(
                    "{name}() got an unexpected keyword argument {}",
                    quoted(&keyword)
                ));
            }
            Some(at) if bound[at].is_some() => {
                return type_error(format!("{name}() got multiple values for argument {}", quoted(&keyword)));
            }
            Some(at) => bound[at] = Some(value),
        }
    }
    if given > params.len() {
        let (least, most) = (required + hidden, params.len() + hidden);
        let takes = if least == most { most.to_string() } else { format!("from {least} to {most}") };
        let plural = if most == 1 { "" } else { "s" };
        let given = given + hidden;
        let were = if given == 1 { "was" } else { "were" };
        return type_error(format!(
            "{name}() takes {takes} positional argument{plural} but {given} {were} given"
        ));
    }
    let missing: Vec<&str> = params[..required]
        .iter()
        .zip(&bound)
        .filter(|(_, value)| value.is_none())
        .map(|(param, _)| *param)
        .collect();
    if missing.is_empty() { Ok(Bound(bound)) } else { Err(missing_arguments(name, &missing)) }
}

fn missing_arguments(name: &str, missing: &[&str]) -> Box<RenderError> {
    let names: Vec<String> = missing.iter().map(|name| quoted(name)).collect();
    let list = match names.as_slice() {
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [most @ .., last] => format!("{}, and {last}", most.join(", ")),
        [] => String::new(),
    };
    let plural = if missing.len() == 1 { "" } else { "s" };
    let message = format!("{name}() missing {} required positional argument{plural}: {list}", missing.len());
    RenderError::new(Class::Type, message)
}

impl Run<'_> {
    /// Calls a value.
    pub(crate) fn call(&self, callee: &Value, args: Args, context: &Rc<Context>) -> Outcome<Value> {
        let not_callable = || type_error(format!("'{}' object is not callable", callee.type_name()));
        let object = match callee {
            Value::Undefined(undefined) => return undefined.fail(),
            Value::Object(object) => object,
            _ => return not_callable(),
        };
        match &**object {
            Object::Macro { code, program, scope } => self.call_macro(code, program, scope, args, context),
            Object::Method { receiver, name } => methods::call(self, receiver, name, args, context),
            Object::Builtin(name) => globals::call(self, name, args),
            Object::Host { function, .. } => {
                let positional = args.positional.iter().map(|value| to_node(value, "pass", self.stack));
                let positional = positional.collect::<Outcome<Vec<_>>>()?;
                let named = args
                    .named
                    .iter()
                    .map(|(name, value)| Ok((name.clone(), to_node(value, "pass", self.stack)?)));
                let named = named.collect::<Outcome<Vec<_>>>()?;
                let result = function.call(&positional, &named);
                let node = result.map_err(|message| RenderError::new(Class::Compile, message))?;
                Ok(crate::value::from_node(&node, None))
            }
            Object::Loop(state) => self.call_loop(state, args, context),
            Object::Block { name, context, versions, depth } => {
                let text = self.captured(|| self.run_block(name, &versions[*depth], context))?;
                Ok(if context.autoescape.get() { Value::Markup(text.into()) } else { text.into() })
            }
            Object::Joiner { separator, used } => {
                if used.replace(true) {
                    Ok(separator.clone())
                } else {
                    Ok("".into())
                }
            }
            _ => not_callable(),
        }
    }

    /// Calls a value from inside a built-in method, where no template's context is at hand.
    pub(crate) fn call_plain(&self, callee: &Value, positional: Vec<Value>) -> Outcome<Value> {
        let context = match callee {
            Value::Object(object) => match &**object {
                Object::Macro { scope, .. } => scope.context.clone(),
                _ => Rc::new(Context::empty()),
            },
            _ => Rc::new(Context::empty()),
        };
        self.call(callee, Args::of(positional), &context)
    }

    fn call_macro(
        &self,
        code: &Arc<Macro>,
        program: &Arc<Program>,
        outer: &Rc<Activation>,
        mut args: Args,
        context: &Rc<Context>,
    ) -> Outcome<Value> {
        self.stack.check()?;
        self.spend(1)?;
        let scope = Rc::new(Activation::new(program, &outer.context, &code.function, Some(outer)));
        scope.line.set(code.line);
        let given = args.positional.len();
        let extra = args.positional.split_off(given.min(code.params.len()));
        let mut found_caller =
            given >= code.params.len() && code.params.iter().any(|param| &*param.name == "caller");
        let mut values: Vec<Option<Value>> =
            std::mem::take(&mut args.positional).into_iter().map(Some).collect();
        for param in &code.params[values.len()..] {
            values.push(args.take(&param.name));
            found_caller |= &*param.name == "caller";
        }
        if let (Some(slot), false) = (code.caller, found_caller) {
            let caller = args.take("caller").filter(|caller| !matches!(caller, Value::None));
            scope.set(slot, Some(caller.unwrap_or_else(|| Undefined::because("No caller defined"))));
        }
        let name = || code.name.as_ref().map_or_else(|| "None".to_owned(), |name| quoted(name));
        if let Some(slot) = code.kwargs {
            scope.set(slot, Some(args.named_dict()));
        } else if let Some((first, _)) = args.named.first() {
            if args.named.iter().any(|(name, _)| &**name == "caller") {
                return type_error(format!(
                    "macro {} was invoked with two values for the special caller argument. This is most likely a bug.",
                    name()
                ));
            }
            return type_error(format!("macro {} takes no keyword argument {}", name(), quoted(first)));
        }
        if let Some(slot) = code.varargs {
            scope.set(slot, Some(Value::tuple(extra)));
        } else if !extra.is_empty() {
            let count = code.params.len();
            return type_error(format!("macro {} takes not more than {count} argument(s)", name()));
        }
        let text = self.captured(|| self.macro_body(code, &scope, values));
        let part = || Part::Macro(code.name.as_deref().unwrap_or_default().to_owned());
        let text = text.map_err(|error| framed(error, &scope, part()))?;
        Ok(if context.autoescape.get() { Value::Markup(text.into()) } else { text.into() })
    }

    fn macro_body(&self, code: &Macro, scope: &Rc<Activation>, values: Vec<Option<Value>>) -> Outcome<()> {
        for (param, value) in code.params.iter().zip(&values) {
            scope.set(param.slot, value.clone());
        }
        // Names are looked up before the defaults, which may use them.
        let body = match code.function.body.split_first() {
            Some((first, rest)) if matches!(first.kind, StmtKind::Enter(_)) => {
                self.body(std::slice::from_ref(first), scope)?;
                rest
            }
            _ => &code.function.body[..],
        };
        scope.line.set(code.line);
        for (param, value) in code.params.iter().zip(values) {
            if value.is_none() {
                let default = match &param.default {
                    Some(default) => self.eval(default, scope)?,
                    None => Undefined::because(format!("parameter {} was not provided", quoted(&param.name))),
                };
                scope.set(param.slot, Some(default));
            }
        }
        self.body(body, scope)
    }

    fn call_loop(&self, state: &super::Loop, mut args: Args, context: &Rc<Context>) -> Outcome<Value> {
        let Some(recursion) = &state.recursion else {
            return type_error("The loop must have the 'recursive' marker to be called recursively.");
        };
        let signature =
            Signature { name: "LoopContext.__call__", params: &["iterable"], required: 1, hidden: 1 };
        args.named.retain(|(name, _)| &**name != "caller");
        let bound = bind(&signature, args)?;
        let text = self.recursive_loop(recursion, bound.value(0).clone(), state.depth + 1)?;
        Ok(if context.autoescape.get() { Value::Markup(text.into()) } else { text.into() })
    }
}
