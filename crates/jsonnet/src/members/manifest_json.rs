use super::Member;
use super::arguments::Arguments;
use crate::bounds::check_text;
use crate::number_text::number_text;
use crate::session::runtime_error;
use crate::text_of::{quote, text_of};
use jrsonnet_evaluator::{Result, Thunk, Val, ensure_sufficient_stack, in_description_frame};

pub(super) const MEMBERS: &[Member] = &[
    ("manifestJson", &["value"], |given| json(&given.value(0)?, "    ", "\n", ": ")),
    ("manifestJsonMinified", &["value"], |given| json(&given.value(0)?, "", "", ":")),
    ("manifestJsonEx", &["value", "indent", "newline?", "key_val_sep?"], manifest_json_ex),
];

/// What is put between the parts may be any value; its text counts.
fn manifest_json_ex(given: &Arguments<'_>) -> Result<Val> {
    let value = given.value(0)?;
    if !matches!(value, Val::Arr(_) | Val::Obj(_)) {
        return json(&value, "", "", "");
    }
    let text = |index: usize, otherwise: &str| match given.optional(index).map(Thunk::evaluate).transpose()? {
        Some(value) => text_of(&value),
        None => Ok(otherwise.to_owned()),
    };
    json(&value, &text(1, "")?, &text(2, "\n")?, &text(3, ": ")?)
}

fn json(value: &Val, indent: &str, newline: &str, separator: &str) -> Result<Val> {
    let mut writer = Writer { out: String::new(), indent, newline, separator };
    writer.write(value, "")?;
    Ok(writer.out.into())
}

struct Writer<'a> {
    out: String,
    indent: &'a str,
    newline: &'a str,
    separator: &'a str,
}

impl Writer<'_> {
    fn write(&mut self, value: &Val, margin: &str) -> Result<()> {
        check_text(self.out.len())?;
        if let Some(text) = scalar(value)? {
            self.out.push_str(&text);
            return Ok(());
        }
        let inner = format!("{margin}{}", self.indent);
        nested(|| match value {
            Val::Arr(items) => {
                self.open('[');
                for (index, item) in items.iter().enumerate() {
                    self.next(index, &inner);
                    self.write(&item?, &inner)?;
                }
                self.close(']', margin);
                Ok(())
            }
            Val::Obj(object) => {
                self.open('{');
                for (index, (name, field)) in object.iter().enumerate() {
                    self.next(index, &inner);
                    self.out.push_str(&quoted(&name)?);
                    self.out.push_str(self.separator);
                    self.write(&field?, &inner)?;
                }
                self.close('}', margin);
                Ok(())
            }
            _ => Ok(()),
        })
    }

    fn open(&mut self, bracket: char) {
        self.out.push(bracket);
        self.out.push_str(self.newline);
    }

    fn next(&mut self, index: usize, margin: &str) {
        if index > 0 {
            self.out.push(',');
            self.out.push_str(self.newline);
        }
        self.out.push_str(margin);
    }

    fn close(&mut self, bracket: char, margin: &str) {
        self.out.push_str(self.newline);
        self.out.push_str(margin);
        self.out.push(bracket);
    }
}

/// A step into a value, which counts as a step of the stack.
pub(super) fn nested<T>(step: impl FnOnce() -> Result<T>) -> Result<T> {
    in_description_frame(|| "manifestation".to_owned(), || ensure_sufficient_stack(step))
}

/// The text of what is no container; a function has none.
pub(super) fn scalar(value: &Val) -> Result<Option<String>> {
    Ok(Some(match value {
        Val::Null => "null".to_owned(),
        Val::Bool(value) => value.to_string(),
        Val::Num(number) => number_text(number.get()),
        Val::Str(text) => quoted(&text.into_flat())?,
        Val::Func(_) => return Err(runtime_error("Tried to manifest function")),
        Val::Arr(_) | Val::Obj(_) => return Ok(None),
    }))
}

/// A JSON string. A null character cannot be taken out of a text, see [`super::items::Items`], and so not be escaped.
pub(super) fn quoted(text: &str) -> Result<String> {
    if text.contains('\0') {
        return Err(runtime_error("codepoint takes a string of length 1, got length 0"));
    }
    let mut out = String::with_capacity(text.len() + 2);
    quote(text, &mut out);
    Ok(out)
}
