use super::Member;
use super::arguments::Arguments;
use super::items::length;
use super::manifest_json::{nested, quoted, scalar};
use jrsonnet_evaluator::{Result, Val};

pub(super) const MEMBERS: &[Member] = &[
    ("manifestYamlDoc", &["value", "indent_array_in_object?", "quote_keys?"], |given| {
        document(&given.value(0)?, given, [1, 2]).map(Val::from)
    }),
    (
        "manifestYamlStream",
        &["value", "indent_array_in_object?", "c_document_end?", "quote_keys?"],
        manifest_yaml_stream,
    ),
];

fn manifest_yaml_stream(given: &Arguments<'_>) -> Result<Val> {
    let mut text = "---\n".to_owned();
    for (index, item) in given.array(0)?.iter().enumerate() {
        if index > 0 {
            text.push_str("\n---\n");
        }
        text.push_str(&document(&item?, given, [1, 3])?);
    }
    text.push_str(if given.flag(2, true)? { "\n...\n" } else { "\n" });
    Ok(text.into())
}

/// `options` are the places of `indent_array_in_object` and `quote_keys`, each looked at where it matters.
fn document(value: &Val, given: &Arguments<'_>, options: [usize; 2]) -> Result<String> {
    let mut writer = Writer { out: String::new(), given, options };
    writer.write(value, "")?;
    Ok(writer.out)
}

struct Writer<'a> {
    out: String,
    given: &'a Arguments<'a>,
    options: [usize; 2],
}

impl Writer<'_> {
    fn write(&mut self, value: &Val, margin: &str) -> Result<()> {
        match value {
            Val::Arr(items) if items.is_empty() => self.out.push_str("[]"),
            Val::Arr(items) => nested(|| {
                for (index, item) in items.iter().enumerate() {
                    self.next(index, margin);
                    self.item(&item?, margin)?;
                }
                Ok(())
            })?,
            Val::Obj(_) if length(value)? == 0 => self.out.push_str("{}"),
            Val::Obj(object) => nested(|| {
                for (index, (name, field)) in object.iter().enumerate() {
                    self.next(index, margin);
                    self.field(&name, field, margin)?;
                }
                Ok(())
            })?,
            Val::Str(text) => self.text(&text.into_flat(), margin)?,
            other => self.out.push_str(&scalar(other)?.unwrap_or_default()),
        }
        Ok(())
    }

    fn next(&mut self, index: usize, margin: &str) {
        if index > 0 {
            self.out.push('\n');
            self.out.push_str(margin);
        }
    }

    fn item(&mut self, item: &Val, margin: &str) -> Result<()> {
        self.out.push('-');
        let inner = format!("{margin}  ");
        match item {
            Val::Arr(items) if !items.is_empty() => {
                self.out.push('\n');
                self.out.push_str(&inner);
                self.write(item, &inner)
            }
            Val::Obj(_) if length(item)? > 0 => {
                self.out.push(' ');
                self.write(item, &inner)
            }
            _ => {
                self.out.push(' ');
                self.write(item, margin)
            }
        }
    }

    fn field(&mut self, name: &str, value: Result<Val>, margin: &str) -> Result<()> {
        let is_bare = !self.given.flag(self.options[1], true)? && is_safe_bare(name);
        self.out.push_str(&if is_bare { name.to_owned() } else { quoted(name)? });
        self.out.push(':');
        let value = value?;
        let inner = match &value {
            Val::Arr(items) if !items.is_empty() => {
                let indents = self.given.flag(self.options[0], false)?;
                if indents { format!("{margin}  ") } else { margin.to_owned() }
            }
            Val::Obj(_) if length(&value)? > 0 => format!("{margin}  "),
            _ => {
                self.out.push(' ');
                return self.write(&value, margin);
            }
        };
        self.out.push('\n');
        self.out.push_str(&inner);
        self.write(&value, &inner)
    }

    /// Only what ends in a line feed becomes a block.
    fn text(&mut self, text: &str, margin: &str) -> Result<()> {
        let Some(lines) = text.strip_suffix('\n') else {
            self.out.push_str(&quoted(text)?);
            return Ok(());
        };
        self.out.push('|');
        for line in lines.split('\n') {
            self.out.push('\n');
            self.out.push_str(margin);
            self.out.push_str("  ");
            self.out.push_str(line);
        }
        Ok(())
    }
}

const RESERVED: &[&str] = &[
    "true", "false", "yes", "no", "on", "off", "y", "n", ".nan", "-.inf", "+.inf", ".inf", "null", "-",
    "---", "",
];

/// Whether a key is written without quotes: nothing in it, nor all of it, means something else in YAML.
fn is_safe_bare(key: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    let only = |text: &str, others: &str| text.chars().all(|it| it.is_ascii_digit() || others.contains(it));
    let has_only_safe = key.chars().all(|it| it.is_ascii_alphanumeric() || "_-/.".contains(it));
    let dashes = key.matches('-').count();
    let starts = |prefix: &str| {
        key.starts_with(prefix) || key.strip_prefix('-').is_some_and(|it| it.starts_with(prefix))
    };
    let is_date = only(key, "-") && dashes == 2;
    let is_integer = only(&lower, "_-") && dashes < 2;
    let is_binary = only(&lower, "b_-") && key.len() > 2 && starts("0b");
    let is_float =
        only(&lower, "e._-") && key.matches('.').count() == 1 && dashes < 3 && lower.matches('e').count() < 2;
    let is_hexadecimal = only(&lower, "abcdefx_-") && dashes < 2 && key.len() > 2 && starts("0x");
    has_only_safe
        && !RESERVED.contains(&&*lower)
        && !(is_date || is_integer || is_binary || is_float || is_hexadecimal)
}

#[cfg(test)]
mod tests {
    use super::is_safe_bare;

    #[test]
    fn keys_that_mean_something_else_are_quoted() {
        for key in ["a", "a-b", "a.b/c", "1a", "0xg", "1-2-3-4", "e1", "1.2.3", "A_b"] {
            assert!(is_safe_bare(key), "{key}");
        }
        for key in [
            "",
            "Yes",
            "~",
            "a b",
            "12",
            "-1",
            "1_0",
            "2020-01-01",
            "0b1",
            "-0x1F",
            "1.5",
            "1e.5",
            "é",
            "a:b",
            "---",
        ] {
            assert!(!is_safe_bare(key), "{key}");
        }
    }
}
