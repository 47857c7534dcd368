use super::Member;
use super::manifest_json::{nested, quoted};
use crate::number_text::number_text;
use crate::session::runtime_error;
use crate::text_of::text_of;
use jrsonnet_evaluator::{IStr, ObjValue, Result, Val};

pub(super) const MEMBERS: &[Member] = &[
    ("manifestIni", &["ini"], |given| ini(&given.object(0)?).map(Val::from)),
    ("manifestPython", &["v"], |given| python(&given.value(0)?).map(Val::from)),
    ("manifestPythonVars", &["conf"], |given| {
        let mut text = String::new();
        for (name, value) in given.object(0)?.iter() {
            text.push_str(&format!("{name} = {}\n", python(&value?)?));
        }
        Ok(text.into())
    }),
    ("manifestXmlJsonml", &["value"], |given| match given.value(0)? {
        value @ Val::Arr(_) => xml(&value).map(Val::from),
        other => {
            let kind = other.value_type();
            Err(runtime_error(&format!("Expected a JSONML value (an array), got {kind}")))
        }
    }),
];

fn ini(object: &ObjValue) -> Result<String> {
    let mut lines = Vec::new();
    if object.has_field("main".into()) {
        section(&object.get_or_bail("main".into())?, &mut lines)?;
    }
    let sections = expect_object(object.get_or_bail("sections".into())?)?;
    for (name, body) in sections.iter() {
        lines.push(format!("[{name}]"));
        section(&body?, &mut lines)?;
    }
    lines.push(String::new());
    Ok(lines.join("\n"))
}

fn section(body: &Val, lines: &mut Vec<String>) -> Result<()> {
    for (name, value) in expect_object(body.clone())?.iter() {
        let mut line = |value: &Val| {
            lines.push(format!("{name} = {}", text_of(value)?));
            Ok::<_, jrsonnet_evaluator::Error>(())
        };
        match value? {
            Val::Arr(values) => values.iter().try_for_each(|value| line(&value?))?,
            value => line(&value)?,
        }
    }
    Ok(())
}

fn expect_object(value: Val) -> Result<ObjValue> {
    match value {
        Val::Obj(object) => Ok(object),
        other => {
            let kind = other.value_type();
            Err(runtime_error(&format!(
                "Builtin function objectFieldsEx expected (object, boolean) but got ({kind}, boolean)"
            )))
        }
    }
}

fn python(value: &Val) -> Result<String> {
    Ok(match value {
        Val::Null => "None".to_owned(),
        Val::Bool(true) => "True".to_owned(),
        Val::Bool(false) => "False".to_owned(),
        Val::Num(number) => number_text(number.get()),
        Val::Str(text) => quoted(&text.into_flat())?,
        Val::Func(_) => return Err(runtime_error("cannot manifest function")),
        Val::Arr(items) => nested(|| {
            let items = items.iter().map(|item| python(&item?));
            Ok(format!("[{}]", items.collect::<Result<Vec<_>>>()?.join(", ")))
        })?,
        Val::Obj(object) => nested(|| {
            let field =
                |(name, value): (IStr, Result<Val>)| Ok(format!("{}: {}", quoted(&name)?, python(&value?)?));
            Ok(format!("{{{}}}", object.iter().map(field).collect::<Result<Vec<_>>>()?.join(", ")))
        })?,
    })
}

/// `["tag", {attribute: value}, child, ...]`; nothing is escaped.
fn xml(value: &Val) -> Result<String> {
    if let Val::Str(text) = value {
        return Ok(text.into_flat().to_string());
    }
    let Val::Arr(items) = value else {
        let kind = value.value_type();
        return Err(runtime_error(&format!("can only index objects, strings, and arrays, got {kind}.")));
    };
    let missing = || runtime_error("array bounds error: 0 not within [0, 0)");
    let tag = tag(&items.get(0)?.ok_or_else(missing)?)?;
    let (mut attributes, mut children) = (String::new(), 1);
    if let Some(Val::Obj(object)) = items.get(1)? {
        children = 2;
        for (name, value) in object.iter() {
            attributes.push_str(&format!(" {name}=\"{}\"", text_of(&value?)?));
        }
    }
    nested(|| {
        let content = items.iter().skip(children).map(|child| xml(&child?)).collect::<Result<String>>()?;
        Ok(format!("<{tag}{attributes}>{content}</{tag}>"))
    })
}

/// A string, or strings that are joined.
fn tag(value: &Val) -> Result<String> {
    match value {
        Val::Str(text) => Ok(text.into_flat().to_string()),
        Val::Arr(parts) => nested(|| parts.iter().map(|part| tag(&part?)).collect()),
        other => Err(runtime_error(&format!("Expected string or array, got {}", other.value_type()))),
    }
}
