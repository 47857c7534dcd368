use kapstan_diagnostic::Diagnostic;
use kapstan_document::{Int, Key, Map, Member, Node, Scalar, Span, Text, Value};

/// What a field may hold. Strings are strict (no numbers), booleans are lax (`yes`, `"on"`, `1`), as in Kapitan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Text,
    Flag,
    Texts,
    Mapping,
    TextMapping,
    OutputType,
    /// A boolean or a string, kept as it is; 0 and 1 are booleans.
    FlagOrText,
}

/// What a field is when it is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Absent {
    /// Not allowed.
    Required,
    Null,
    Flag(bool),
    Text(&'static str),
    NoItems,
    NoEntries,
}

/// A row of a model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    pub(super) nullable: bool,
    pub(super) absent: Absent,
}

/// A field that may not be null.
pub(super) const fn field(name: &'static str, shape: Shape, absent: Absent) -> Field {
    Field { name, shape, nullable: false, absent }
}

/// A field that may be null.
pub(super) const fn nullable(name: &'static str, shape: Shape, absent: Absent) -> Field {
    Field { name, shape, nullable: true, absent }
}

/// Reads the fields of a model out of a mapping, in the order of the table, defaults filled in.
///
/// `what` names the thing in messages: "compile item", "git dependency". Everything that is wrong is added to `problems`.
pub(super) fn read_fields(
    what: &str,
    fields: &[Field],
    given: &Map,
    place: Span,
    problems: &mut Vec<Diagnostic>,
) -> Map {
    let mut read = Map::with_capacity(fields.len());
    for field in fields {
        let value = match given.get_entry(field.name) {
            Some((_, value)) => match field.read(value) {
                Ok(value) => value,
                Err(expected) => {
                    problems.push(wrong_type(what, field.name, expected, value, place));
                    continue;
                }
            },
            None if field.absent == Absent::Required => {
                let message = format!("{what} has no `{}`", field.name);
                problems.push(Diagnostic::error("compile::missing-field", message).at(place));
                continue;
            }
            None => field.default(),
        };
        read.insert(field.name, value);
    }
    refuse_unknown(what, fields, given, problems);
    read
}

fn refuse_unknown(what: &str, fields: &[Field], given: &Map, problems: &mut Vec<Diagnostic>) {
    for (key, _) in given.iter() {
        if key.as_str().is_some_and(|name| fields.iter().any(|field| field.name == name)) {
            continue;
        }
        let name = kapstan_document::python::str(&Value::from(key.scalar.clone())).into_owned();
        let mut problem =
            Diagnostic::error("compile::unknown-field", format!("{what} has no field `{name}`")).at(key.span);
        if let Some(near) = nearest(&name, fields.iter().map(|field| field.name)) {
            problem = problem.with_hint(format!("did you mean `{near}`?"));
        } else {
            let names: Vec<String> = fields.iter().map(|field| format!("`{}`", field.name)).collect();
            problem = problem.with_hint(format!("its fields are {}", names.join(", ")));
        }
        problems.push(problem);
    }
}

/// The candidate that a mistyped name most probably means.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    kapstan_diagnostic::nearest(name, candidates)
}

pub(super) fn wrong_type(what: &str, name: &str, expected: &str, found: &Node, place: Span) -> Diagnostic {
    let message = format!("`{name}` of {what} must be {expected}, not {}", found.value.kind());
    Diagnostic::error("compile::wrong-type", message).at(found.span.or(place))
}

impl Field {
    /// The value as Kapitan keeps it, or what was expected instead.
    fn read(&self, value: &Node) -> Result<Node, &'static str> {
        if self.nullable && value.is_null() {
            return Ok(value.clone());
        }
        match self.shape {
            Shape::Text => lax_text(value).ok_or("a string"),
            Shape::Flag => lax_flag(value).map(|flag| Node::new(flag, value.span)).ok_or("a boolean"),
            Shape::Texts => lax_texts(value).ok_or("a list of strings"),
            Shape::Mapping if value.as_map().is_some() => Ok(value.clone()),
            Shape::Mapping => Err("a mapping"),
            Shape::TextMapping => lax_text_mapping(value).ok_or("a mapping from strings to strings"),
            Shape::OutputType => lax_text(value)
                .filter(|name| name.as_str().and_then(super::OutputType::named).is_some())
                .ok_or("one of `json`, `yaml`, `yml`, `plain`, `toml`, `auto`"),
            Shape::FlagOrText if matches!(value.value, Value::Bool(_) | Value::Str(_)) => Ok(value.clone()),
            Shape::FlagOrText => match (lax_text(value), lax_flag(value)) {
                (Some(text), _) => Ok(text),
                (None, flag) => flag.map(|flag| Node::new(flag, value.span)).ok_or("a boolean or a string"),
            },
        }
    }

    fn default(&self) -> Node {
        match self.absent {
            Absent::Required | Absent::Null => Node::NULL,
            Absent::Flag(flag) => flag.into(),
            Absent::Text(text) => text.into(),
            Absent::NoItems => Vec::new().into(),
            Absent::NoEntries => Map::new().into(),
        }
    }
}

/// A string as pydantic takes it: also bytes that are UTF-8.
pub(super) fn lax_text(value: &Node) -> Option<Node> {
    match &value.value {
        Value::Str(_) => Some(value.clone()),
        Value::Bytes(bytes) => Some(Node::new(std::str::from_utf8(bytes).ok()?, value.span)),
        _ => None,
    }
}

/// A list of strings as pydantic takes it: also a set.
fn lax_texts(value: &Node) -> Option<Node> {
    match &value.value {
        Value::Seq(items) if items.iter().all(|item| item.as_str().is_some()) => Some(value.clone()),
        Value::Seq(items) => {
            let texts = items.iter().map(lax_text).collect::<Option<Vec<_>>>()?;
            Some(Node::new(texts, value.span))
        }
        Value::Set(members) => {
            let texts = members.keys().map(|key| lax_text(&Node::new(key.scalar.clone(), key.span)));
            Some(Node::new(texts.collect::<Option<Vec<_>>>()?, value.span))
        }
        _ => None,
    }
}

/// A mapping from strings to strings as pydantic takes it.
pub(super) fn lax_text_mapping(value: &Node) -> Option<Node> {
    let entries = value.as_map()?;
    if entries.iter().all(|(key, value)| key.as_str().is_some() && value.as_str().is_some()) {
        return Some(value.clone());
    }
    let mut texts = Map::with_capacity(entries.len());
    for (key, value) in entries.iter() {
        let name = text_of(&lax_text(&Node::new(key.scalar.clone(), key.span))?)?;
        texts.insert(Key::at(Scalar::Str(name), key.span), lax_text(value)?);
    }
    Some(Node::new(texts, value.span))
}

/// A boolean as pydantic takes it: also 0 and 1, and the words of YAML in any case.
fn lax_flag(value: &Node) -> Option<bool> {
    match &value.value {
        Value::Bytes(_) => lax_flag(&lax_text(value)?),
        Value::Bool(flag) => Some(*flag),
        Value::Int(Int::Small(0)) => Some(false),
        Value::Int(Int::Small(1)) => Some(true),
        Value::Float(0.0) => Some(false),
        Value::Float(1.0) => Some(true),
        Value::Str(word) => match word.to_ascii_lowercase().as_str() {
            "0" | "off" | "f" | "false" | "n" | "no" => Some(false),
            "1" | "on" | "t" | "true" | "y" | "yes" => Some(true),
            _ => None,
        },
        _ => None,
    }
}

/// The string entries of a mapping that was read as [`Shape::TextMapping`].
pub(super) fn text_entries(map: &Map) -> Vec<(Text, Text)> {
    let entries = map.iter().filter_map(|(key, value)| match (&key.scalar, &value.value) {
        (Scalar::Str(key), Value::Str(value)) => Some((key.clone(), value.clone())),
        _ => None,
    });
    entries.collect()
}

/// The string items of a sequence that was read as [`Shape::Texts`], with their places.
pub(super) fn text_items(node: Option<&Node>) -> Vec<(Text, Span)> {
    let items = node.and_then(Node::as_seq).unwrap_or_default();
    items.iter().filter_map(|item| Some((text_of(item)?, item.span))).collect()
}

/// The shared string that a node is.
pub(super) fn text_of(node: &Node) -> Option<Text> {
    if let Value::Str(text) = &node.value { Some(text.clone()) } else { None }
}

/// Makes the string in a field the member of an enumeration that it is in Kapitan's models.
pub(super) fn as_member(shown: &mut Map, field: &'static str, enumeration: &str) {
    if let Some(node) = shown.get(field)
        && let Some(member) = node.as_str().and_then(|text| Member::named(enumeration, text))
    {
        let member = Node::new(member.text(), node.span);
        shown.insert(field, member);
    }
}

/// Refuses keys of a model that are no strings, which reclass-rs leaves as they are.
pub(super) fn refuse_other_keys(what: &str, given: &Map, problems: &mut Vec<Diagnostic>) {
    for key in given.keys().filter(|key| key.as_str().is_none()) {
        let name = kapstan_document::python::scalar_str(&key.scalar);
        let message = format!("the key `{name}` of {what} is no string");
        let problem = Diagnostic::error("compile::wrong-type", message).at(key.span);
        problems.push(problem.with_hint("put it in quotes"));
    }
}

/// Entries of `given` that no field of the table names, in their order.
pub(super) fn others<'a>(given: &'a Map, fields: &'a [&str]) -> impl Iterator<Item = (&'a Key, &'a Node)> {
    given.iter().filter(|(key, _)| !key.as_str().is_some_and(|name| fields.contains(&name)))
}
