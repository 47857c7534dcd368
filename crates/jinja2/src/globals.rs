//! Functions and classes that every template sees.

use crate::error::{Class, Outcome, raise, type_error, value_error};
use crate::methods;
use crate::run::{Args, Run, Signature, bind};
use crate::value::{Dict, Entries, Object, Range, Value};
use crate::{markup, ops, print};
use std::cell::Cell;
use std::rc::Rc;

/// Calls one of them, or a class that a value named with `__class__`.
pub(crate) fn call(run: &Run, name: &str, args: Args) -> Outcome<Value> {
    match name {
        "range" => range(args),
        "dict" => mapping(run, "dict", args).map(Value::Dict),
        "namespace" => mapping(run, "dict", args).map(|dict| Value::object(Object::Namespace(dict))),
        "cycler" => {
            if let Some((name, _)) = args.named.first() {
                let name = crate::error::quoted(name);
                return type_error(format!("Cycler.__init__() got an unexpected keyword argument {name}"));
            }
            if args.positional.is_empty() {
                return raise(Class::Runtime, "at least one item has to be provided");
            }
            Ok(Value::object(Object::Cycler { items: args.positional, at: Cell::new(0) }))
        }
        "joiner" => {
            let signature = Signature { name: "Joiner.__init__", params: &["sep"], required: 0, hidden: 1 };
            let separator = bind(&signature, args)?.given(0).cloned().unwrap_or_else(|| ", ".into());
            Ok(Value::object(Object::Joiner { separator, used: Cell::new(false) }))
        }
        "lipsum" => lipsum(run, args),
        "str" => match args.positional.first() {
            Some(value) => print::str(value).map(Value::Str),
            None => Ok("".into()),
        },
        "list" | "tuple" => {
            let items = args.positional.first().map_or(Ok(Vec::new()), |value| run.items(value))?;
            Ok(if name == "list" { Value::list(items) } else { Value::tuple(items) })
        }
        "bool" => Ok(Value::Bool(args.positional.first().map_or(Ok(false), ops::is_true)?)),
        "int" | "float" => {
            let value = args.positional.first().cloned().unwrap_or(Value::int(0));
            if name == "int" {
                crate::filters::to_int(&value)
            } else {
                crate::filters::to_float(&value).map(Value::Float)
            }
        }
        _ => type_error(format!("cannot create '{name}' instances")),
    }
}

fn range(args: Args) -> Outcome<Value> {
    if !args.named.is_empty() {
        return type_error("range() takes no keyword arguments");
    }
    let bounds = args.positional.iter().map(methods::index).collect::<Outcome<Vec<_>>>();
    let (start, stop, step) = match args.positional.len() {
        0 => return type_error("range expected at least 1 argument, got 0"),
        1 => (0, bounds?[0], 1),
        2 => {
            let bounds = bounds?;
            (bounds[0], bounds[1], 1)
        }
        3 => {
            let bounds = bounds?;
            (bounds[0], bounds[1], bounds[2])
        }
        given => return type_error(format!("range expected at most 3 arguments, got {given}")),
    };
    if step == 0 {
        return value_error("range() arg 3 must not be zero");
    }
    Ok(Value::Range(Rc::new(Range { start, stop, step })))
}

fn mapping(run: &Run, name: &str, args: Args) -> Outcome<Rc<Dict>> {
    let dict = Dict::new(Entries::default());
    methods::update(run, &dict, name, args)?;
    Ok(Rc::new(dict))
}

const WORDS: &[&str] = &[
    "ad", "amet", "aliquam", "at", "augue", "congue", "diam", "dolor", "elit", "est", "et", "felis", "id",
    "ipsum", "lectus", "lorem", "magna", "massa", "mattis", "mi", "nec", "nibh", "non", "odio", "quis",
    "sed", "sit", "turpis", "ut", "velit", "vitae",
];

/// Text without meaning: it differs from run to run, in Jinja2 as well as here.
fn lipsum(run: &Run, args: Args) -> Outcome<Value> {
    let signature = Signature {
        name: "generate_lorem_ipsum",
        params: &["n", "html", "min", "max"],
        required: 0,
        hidden: 0,
    };
    let bound = bind(&signature, args)?;
    let number = |at: usize, default: i64| bound.given(at).map_or(Ok(default), methods::index);
    let (count, least, most) = (number(0, 5)?, number(2, 20)?, number(3, 100)?);
    let html = bound.given(1).map_or(Ok(true), ops::is_true)?;
    if least >= most {
        return value_error(format!("empty range for randrange() ({least}, {most}, {})", most - least));
    }
    let mut paragraphs = Vec::new();
    for _ in 0..count {
        let span = u64::try_from(most - least).unwrap_or(1);
        let words = least + i64::try_from(run.random() % span).unwrap_or(0);
        run.spend(usize::try_from(words).unwrap_or(0))?;
        let words: Vec<&str> = (0..words)
            .map(|_| WORDS[usize::try_from(run.random() % WORDS.len() as u64).unwrap_or(0)])
            .collect();
        paragraphs.push(methods::capitalize(&words.join(" ")) + ".");
    }
    if !html {
        return Ok(paragraphs.join("\n\n").into());
    }
    let wrapped: Vec<String> =
        paragraphs.iter().map(|text| format!("<p>{}</p>", markup::escaped(text))).collect();
    Ok(Value::Markup(wrapped.join("\n").into()))
}
