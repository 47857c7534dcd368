use super::Call;
use crate::error::{Class, Outcome, raise, type_error};
use crate::methods;
use crate::ops;
use crate::print;
use crate::run::{Args, Bound};
use crate::text::{is_space, is_word};
use crate::value::Value;
use kapstan_document::Text;

/// `soft_str(value)`: HTML stays HTML.
fn soft(value: &Value) -> Outcome<(Text, bool)> {
    Ok((print::str(value)?, matches!(value, Value::Markup(_))))
}

fn wrap(text: String, is_markup: bool) -> Value {
    if is_markup { Value::Markup(text.into()) } else { text.into() }
}

pub(super) fn string(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    match args.value(0) {
        value @ (Value::Str(_) | Value::Markup(_)) => Ok(value.clone()),
        value => print::str(value).map(Value::Str),
    }
}

pub(super) fn upper(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let (text, is_markup) = soft(args.value(0))?;
    Ok(wrap(text.to_uppercase(), is_markup))
}

pub(super) fn lower(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let (text, is_markup) = soft(args.value(0))?;
    Ok(wrap(methods::lower(&text), is_markup))
}

pub(super) fn capitalize(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let (text, is_markup) = soft(args.value(0))?;
    Ok(wrap(methods::capitalize(&text), is_markup))
}

pub(super) fn title(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let (text, _) = soft(args.value(0))?;
    let is_break = |c: char| matches!(c, '-' | '(' | '{' | '[' | '<') || is_space(c);
    let mut out = String::with_capacity(text.len());
    let mut at_start = true;
    for c in text.chars() {
        if at_start || is_break(c) {
            out.extend(c.to_uppercase());
        } else {
            out.extend(c.to_lowercase());
        }
        at_start = is_break(c);
    }
    Ok(out.into())
}

pub(super) fn center(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let (text, is_markup) = soft(args.value(0))?;
    let width = args.given(1).map_or(Ok(80), methods::index)?;
    let width = ops::count_of(width);
    call.run.spend_text(width)?;
    Ok(wrap(methods::center(&text, width, ' '), is_markup))
}

pub(super) fn trim(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let (text, is_markup) = soft(args.value(0))?;
    let chars = match args.value(1) {
        Value::None => None,
        value => match value.as_str() {
            Some(chars) => Some(chars.clone()),
            None => return type_error("strip arg must be None or str"),
        },
    };
    Ok(wrap(methods::stripped(&text, chars.as_deref(), true, true).to_owned(), is_markup))
}

pub(super) fn replace(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let count = match args.value(3) {
        Value::None => -1,
        count => methods::index(count)?,
    };
    let (value, old, new) = (args.value(0), args.value(1), args.value(2));
    let is_markup = |value: &Value| matches!(value, Value::Markup(_));
    if !call.context.autoescape.get() {
        let (text, old, new) = (print::str(value)?, print::str(old)?, print::str(new)?);
        return methods::replace(call.run, &text, &old, &new, count).map(Value::from);
    }
    let escaped = is_markup(old) || is_markup(new) && !is_markup(value);
    let text = if escaped { crate::markup::escape(value)? } else { print::str(value)? };
    if !escaped && !is_markup(value) {
        return methods::replace(call.run, &text, &print::str(old)?, &print::str(new)?, count)
            .map(Value::from);
    }
    let (old, new) = (crate::markup::escape(old)?, crate::markup::escape(new)?);
    Ok(Value::Markup(methods::replace(call.run, &text, &old, &new, count)?.into()))
}

pub(super) fn format(call: &Call<'_>, mut args: Args) -> Outcome<Value> {
    if args.positional.is_empty() {
        return type_error("do_format() missing 1 required positional argument: 'value'");
    }
    let value = args.positional.remove(0);
    if !args.positional.is_empty() && !args.named.is_empty() {
        let message = "can't handle positional and keyword arguments at the same time";
        return raise(Class::FilterArgument, message);
    }
    let format = match value {
        Value::Str(_) | Value::Markup(_) => value,
        value => Value::Str(print::str(&value)?),
    };
    let operand = if args.named.is_empty() {
        Value::tuple(std::mem::take(&mut args.positional))
    } else {
        args.named_dict()
    };
    ops::binary(call.run, crate::ast::BinaryOp::Mod, &format, &operand)
}

pub(super) fn wordcount(_call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let (text, _) = soft(args.value(0))?;
    Ok(Value::size(text.split(|c| !is_word(c)).filter(|word| !word.is_empty()).count()))
}
