use super::field::{Absent, Field, Shape, field, nullable, read_fields, wrong_type};
use kapstan_diagnostic::Diagnostic;
use kapstan_document::{Map, Node};

const KEY: &[Field] = &[field("key", Shape::Text, Absent::Required)];

/// The fields of both vault back-ends, in the order in which Kapitan shows them; the engine and the mount differ.
const VAULT: [Field; 13] = [
    nullable("addr", Shape::Text, Absent::Null),
    nullable("skip_verify", Shape::Flag, Absent::Flag(true)),
    nullable("client_key", Shape::Text, Absent::Null),
    nullable("client_cert", Shape::Text, Absent::Null),
    nullable("cacert", Shape::Text, Absent::Null),
    nullable("capath", Shape::Text, Absent::Null),
    nullable("namespace", Shape::Text, Absent::Null),
    field("engine", Shape::Text, Absent::Required),
    nullable("auth", Shape::Text, Absent::Null),
    nullable("crypto_key", Shape::Text, Absent::Null),
    nullable("always_latest", Shape::Flag, Absent::Flag(false)),
    nullable("mount", Shape::Text, Absent::Null),
    nullable("key", Shape::Text, Absent::Null),
];

/// Settings of vault that may also be spelled, or given in the environment, as `VAULT_<NAME>`.
const FROM_ENVIRONMENT: &[&str] =
    &["addr", "skip_verify", "client_key", "client_cert", "cacert", "capath", "namespace"];

/// The back-ends, in the order in which Kapitan shows them.
const BACKENDS: &[&str] = &["gpg", "awskms", "vaultkv", "gkms", "vaulttransit", "azkms"];

/// Reads `secrets`, as Kapitan shows it. `variable` tells a variable of the environment.
pub(super) fn read(
    node: &Node,
    variable: &dyn Fn(&str) -> Option<String>,
    problems: &mut Vec<Diagnostic>,
) -> Option<Node> {
    let Some(given) = node.as_map() else {
        problems.push(wrong_type("`kapitan`", "secrets", "a mapping", node, node.span));
        return None;
    };
    let table: Vec<Field> =
        BACKENDS.iter().map(|name| nullable(name, Shape::Mapping, Absent::Null)).collect();
    let mut read = read_fields("`secrets`", &table, given, node.span, problems);
    for (name, settings) in read.iter_mut() {
        let (Some(name), Some(given)) = (name.as_str(), settings.as_map()) else { continue };
        let what = format!("`secrets.{name}`");
        let place = settings.span;
        let shown = match name {
            "gpg" => read_gpg(given, settings, problems),
            "vaultkv" => {
                read_fields(&what, &vault("kv-v2", "secret"), &vault_given(given, variable), place, problems)
            }
            "vaulttransit" => read_fields(
                &what,
                &vault("transit", "transit"),
                &vault_given(given, variable),
                place,
                problems,
            ),
            _ => read_fields(&what, KEY, given, place, problems),
        };
        *settings = Node::new(shown, place);
    }
    Some(Node::new(read, node.span))
}

fn vault(engine: &'static str, mount: &'static str) -> Vec<Field> {
    let mut fields = VAULT.to_vec();
    for field in &mut fields {
        match field.name {
            "engine" => field.absent = Absent::Text(engine),
            "mount" => field.absent = Absent::Text(mount),
            _ => {}
        }
    }
    fields
}

/// What is given for vault, from the file or the environment, under the short names.
fn vault_given(given: &Map, variable: &dyn Fn(&str) -> Option<String>) -> Map {
    let mut short = given.clone();
    for name in FROM_ENVIRONMENT {
        let long = format!("VAULT_{}", name.to_ascii_uppercase());
        let value = short
            .remove(&long)
            .or_else(|| if given.contains(name) { None } else { variable(&long).map(Node::from) });
        if let Some(value) = value {
            short.insert(*name, value);
        }
    }
    short
}

fn read_gpg(given: &Map, node: &Node, problems: &mut Vec<Diagnostic>) -> Map {
    let mut rest = given.clone();
    let recipients = rest.remove("recipients").unwrap_or_else(|| Vec::new().into());
    let mut read = read_fields("`secrets.gpg`", &[], &rest, node.span, problems);
    let is_text_mapping = |item: &Node| {
        let entries = item.as_map()?;
        entries.iter().all(|(key, value)| key.as_str().is_some() && value.as_str().is_some()).then_some(())
    };
    let is_right =
        recipients.as_seq().is_some_and(|items| items.iter().all(|item| is_text_mapping(item).is_some()));
    if !is_right {
        let expected = "a list of mappings from strings to strings";
        problems.push(wrong_type("`secrets.gpg`", "recipients", expected, &recipients, node.span));
    }
    read.insert("recipients", recipients);
    read
}
