use super::Member;
use super::manifest_json::{nested, quoted, scalar};
use crate::session::runtime_error;
use crate::text_of::text_of;
use jrsonnet_evaluator::val::ArrValue;
use jrsonnet_evaluator::{ObjValue, Result, Val};

pub(super) const MEMBERS: &[Member] = &[
    ("manifestToml", &["value"], |given| manifest(&given.value(0)?, "  ")),
    ("manifestTomlEx", &["value", "indent"], |given| manifest(&given.value(0)?, &text_of(&given.value(1)?)?)),
];

fn manifest(value: &Val, indent: &str) -> Result<Val> {
    match value {
        Val::Obj(object) => Ok(Writer { indent }.body(object, &[], "")?.into()),
        other => Err(runtime_error(&format!("TOML body must be an object. Got {}", other.value_type()))),
    }
}

struct Writer<'a> {
    indent: &'a str,
}

/// What becomes a section of its own.
enum Section {
    Table(ObjValue),
    Tables(Vec<ObjValue>),
}

impl Section {
    /// None for what is written behind its key.
    fn of(value: &Val) -> Result<Option<Self>> {
        Ok(match value {
            Val::Obj(object) => Some(Self::Table(object.clone())),
            Val::Arr(items) if !items.is_empty() => {
                let mut tables = Vec::new();
                for item in items.iter() {
                    match item? {
                        Val::Obj(object) => tables.push(object),
                        _ => return Ok(None),
                    }
                }
                Some(Self::Tables(tables))
            }
            _ => None,
        })
    }
}

impl Writer<'_> {
    /// The fields of a table: plain values first, then its sections.
    fn body(&self, object: &ObjValue, path: &[String], margin: &str) -> Result<String> {
        nested(|| {
            let (mut plain, mut sections) = (Vec::new(), Vec::new());
            for (name, value) in object.iter() {
                let value = value?;
                match Section::of(&value)? {
                    None => plain.push(format!(
                        "{margin}{} = {}",
                        key(&name)?,
                        self.value(&value, false, margin)?
                    )),
                    Some(section) => {
                        let path: Vec<String> = path.iter().cloned().chain([key(&name)?]).collect();
                        sections.push(self.section(&section, &path, margin)?);
                    }
                }
            }
            let parts: Vec<String> = [plain.join("\n")].into_iter().chain(sections).collect();
            Ok(parts.join("\n\n"))
        })
    }

    fn section(&self, section: &Section, path: &[String], margin: &str) -> Result<String> {
        let name = path.join(".");
        match section {
            Section::Table(table) => self.table(table, &format!("{margin}[{name}]"), path, margin),
            Section::Tables(tables) => {
                let header = format!("{margin}[[{name}]]");
                let parts = tables.iter().map(|table| self.table(table, &header, path, margin));
                Ok(parts.collect::<Result<Vec<_>>>()?.join("\n\n"))
            }
        }
    }

    fn table(&self, table: &ObjValue, header: &str, path: &[String], margin: &str) -> Result<String> {
        let newline = if table.is_empty() { "" } else { "\n" };
        let inner = format!("{margin}{}", self.indent);
        Ok(format!("{header}{newline}{}", self.body(table, path, &inner)?))
    }

    fn value(&self, value: &Val, is_inline: bool, margin: &str) -> Result<String> {
        match value {
            Val::Null => Err(runtime_error("Tried to manifest \"null\"")),
            Val::Arr(items) if items.is_empty() => Ok("[]".to_owned()),
            Val::Arr(items) => nested(|| self.array(items, is_inline, margin)),
            Val::Obj(object) => nested(|| {
                let mut fields = Vec::new();
                for (name, field) in object.iter() {
                    fields.push(format!("{} = {}", key(&name)?, self.value(&field?, true, "")?));
                }
                Ok(format!("{{ {} }}", fields.join(", ")))
            }),
            other => Ok(scalar(other)?.unwrap_or_default()),
        }
    }

    fn array(&self, items: &ArrValue, is_inline: bool, margin: &str) -> Result<String> {
        let (newline, inner) =
            if is_inline { (" ", String::new()) } else { ("\n", format!("{margin}{}", self.indent)) };
        let mut lines = Vec::new();
        for item in items.iter() {
            lines.push(format!("{inner}{}", self.value(&item?, true, "")?));
        }
        let margin = if is_inline { "" } else { margin };
        Ok(format!("[{newline}{}{newline}{margin}]", lines.join(&format!(",{newline}"))))
    }
}

fn key(name: &str) -> Result<String> {
    let is_bare = name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_' || it == '-');
    if is_bare { Ok(name.to_owned()) } else { quoted(name) }
}
