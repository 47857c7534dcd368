//! What `--set`, `--set-string`, `--set-file`, `--set-json` and `--set-literal` do to values.

use super::scan::{Scanner, Stop};
use crate::{Profile, go};
use kapstan_document::{Int, Map, Node, Span, Value};
use std::sync::Arc;

/// How the right side of an assignment is read.
pub(super) enum Form<'f> {
    /// Typed as `--set` does, or a string always.
    Text { is_string: bool },
    /// The name of a file whose content is the value.
    File(&'f dyn Fn(&str) -> Result<Vec<u8>, String>),
    /// JSON.
    Json,
    /// All of the rest, and nothing is special in it.
    Literal,
}

/// A path may not have more names than this.
const MOST_NAMES: usize = 30;
/// An index may not be greater.
const LAST_INDEX: i64 = 65_536;
/// Lists of lists may not nest deeper; Helm has no bound there.
const DEEPEST_LIST: usize = 400;

/// Why an assignment ends: the text does, or it is wrong.
enum End {
    Text,
    Wrong(String),
}

type Step<T = ()> = Result<T, End>;

/// Lays the assignments of one argument over values, which are a mapping.
///
/// Fails in Helm's words; what came before stays assigned.
pub(super) fn assign(text: &str, values: &mut Node, form: &Form<'_>, profile: Profile) -> Result<(), String> {
    let is_literal = matches!(form, Form::Literal);
    let mut parser = Parser { scanner: Scanner::new(text, is_literal), form, profile };
    loop {
        match parser.key(values, 0) {
            Ok(()) => {}
            Err(End::Text) => return Ok(()),
            Err(End::Wrong(problem)) => return Err(problem),
        }
    }
}

struct Parser<'p> {
    scanner: Scanner<'p>,
    form: &'p Form<'p>,
    profile: Profile,
}

impl Parser<'_> {
    fn key(&mut self, data: &mut Node, level: usize) -> Step {
        let stops = if matches!(self.form, Form::Literal) { "=[." } else { "=[,." };
        let (name, stop) = self.scanner.until(stops);
        match stop {
            Stop::End if name.is_empty() => Err(End::Text),
            Stop::End => wrong(format!("key {} has no value", go::quote(&name))),
            Stop::At('[') => self.indexed(data, &name, level),
            Stop::At('.') => self.nested(data, &name, level + 1),
            Stop::At(',') => wrong(format!("key {} has no value (cannot end with ,)", go::quote(&name))),
            Stop::At(_) => {
                let (value, end) = self.value()?;
                set(data, &name, value);
                end
            }
        }
    }

    fn indexed(&mut self, data: &mut Node, name: &str, level: usize) -> Step {
        let index = self.index()?;
        let list = match take(data, name) {
            Some(found) => as_list(found)?,
            None => Vec::new(),
        };
        let (list, end) = self.item(list, index, level, 0);
        set(data, name, Node::from(list));
        end
    }

    fn nested(&mut self, data: &mut Node, name: &str, level: usize) -> Step {
        if level > MOST_NAMES {
            return wrong(format!(
                "value name nested level is greater than maximum supported nested level of {MOST_NAMES}"
            ));
        }
        let known = take(data, name);
        let is_known = known.is_some();
        let mut inner = known.map_or_else(|| Ok(empty()), as_mapping)?;
        let end = self.key(&mut inner, level);
        let is_empty = inner.as_map().is_none_or(Map::is_empty);
        if end.is_ok() && is_empty {
            return wrong(format!("key map {} has no value", go::quote(name)));
        }
        if is_known {
            put_back(data, name, inner);
        } else if !is_empty {
            set(data, name, inner);
        }
        end
    }

    /// The number in brackets.
    fn index(&mut self) -> Step<i64> {
        let (digits, stop) = self.scanner.until("]");
        if matches!(stop, Stop::End) {
            // Helm 4 takes the end inside of brackets for the end of everything.
            return if self.profile.is_v3() {
                wrong("error parsing index: EOF".to_owned())
            } else {
                Err(End::Text)
            };
        }
        atoi(&digits).map_err(|problem| End::Wrong(format!("error parsing index: {problem}")))
    }

    /// What follows the brackets of an index, and the list with it.
    fn item(&mut self, mut list: Vec<Node>, index: i64, level: usize, depth: usize) -> (Vec<Node>, Step) {
        if index < 0 {
            return (list, wrong(format!("negative {index} index not allowed")));
        }
        if depth > DEEPEST_LIST {
            return (list, wrong(format!("lists nest deeper than {DEEPEST_LIST} levels")));
        }
        let (name, stop) = self.scanner.until("[.=");
        if !name.is_empty() {
            let shown: Vec<String> = name.chars().map(quote_rune).collect();
            return (list, wrong(format!("unexpected data at end of array index: [{}]", shown.join(" "))));
        }
        let at = usize::try_from(index).unwrap_or(usize::MAX);
        let made = match stop {
            Stop::End => return (list, Err(End::Text)),
            Stop::At('=') => match self.value() {
                Ok((value, end)) => {
                    let placed = place(&mut list, index, value);
                    // The end of the text after a value is met again by who comes next.
                    return (
                        list,
                        placed.and(match end {
                            Err(End::Wrong(problem)) => wrong(problem),
                            _ => Ok(()),
                        }),
                    );
                }
                Err(end) => return (list, Err(end)),
            },
            Stop::At('[') => self.index_of_index(&mut list, at, level, depth),
            Stop::At(_) => {
                let inner = list.get_mut(at).map(|item| std::mem::replace(item, Node::NULL));
                let mut inner = inner.filter(|item| item.as_map().is_some()).unwrap_or_else(empty);
                self.key(&mut inner, level).map(|()| inner)
            }
        };
        match made {
            Ok(value) => {
                let placed = place(&mut list, index, value);
                (list, placed)
            }
            Err(end) => (list, Err(end)),
        }
    }

    /// A list within a list.
    fn index_of_index(&mut self, list: &mut [Node], at: usize, level: usize, depth: usize) -> Step<Node> {
        let next = self.index()?;
        let inner = match list.get_mut(at).map(|item| std::mem::replace(item, Node::NULL)) {
            Some(item) if !item.is_null() => as_list(item)?,
            _ => Vec::new(),
        };
        let (inner, end) = self.item(inner, next, level, depth + 1);
        end.map(|()| Node::from(inner))
    }

    /// The value behind `=`, and whether the text ended with it.
    fn value(&mut self) -> Step<(Node, Step)> {
        match self.form {
            Form::Json => self.json().map(|value| (value, Ok(()))),
            Form::Literal => {
                let (text, _) = self.scanner.until("");
                Ok((Node::from(text), Ok(())))
            }
            _ if self.scanner.is_at_end() => Ok((Node::from(""), Err(End::Text))),
            _ if self.scanner.eat('{') => self.braces().map(|list| (Node::from(list), Ok(()))),
            _ => {
                let (text, _) = self.scanner.until(",");
                Ok((self.read(&text)?, Ok(())))
            }
        }
    }

    /// `{a,b}`, the opening brace read.
    fn braces(&mut self) -> Step<Vec<Node>> {
        let mut list = Vec::new();
        loop {
            let (text, stop) = self.scanner.until(",}");
            match stop {
                Stop::End => return wrong("list must terminate with '}'".to_owned()),
                Stop::At(character) => {
                    if character == '}' {
                        self.scanner.eat(',');
                    }
                    list.push(self.read(&text)?);
                    if character == '}' {
                        return Ok(list);
                    }
                }
            }
        }
    }

    fn json(&mut self) -> Step<Node> {
        if self.scanner.skip_blanks_and_comma() {
            return Ok(Node::NULL);
        }
        let (value, length) = super::json::first(self.scanner.rest()).map_err(End::Wrong)?;
        self.scanner.advance(length);
        self.scanner.skip_blanks_and_comma();
        Ok(value)
    }

    fn read(&self, text: &str) -> Step<Node> {
        match self.form {
            Form::Text { is_string: false } => Ok(typed(text)),
            Form::File(read) => {
                let content = read(text).map_err(End::Wrong)?;
                Ok(match String::from_utf8(content) {
                    Ok(text) => Node::from(text),
                    Err(error) => Node::new(Value::Bytes(error.into_bytes().into()), Span::NONE),
                })
            }
            _ => Ok(Node::from(text)),
        }
    }
}

fn wrong<T>(problem: String) -> Step<T> {
    Err(End::Wrong(problem))
}

/// What `--set` makes of a text: booleans, null and decimal integers; everything else stays a string.
fn typed(text: &str) -> Node {
    if text.eq_ignore_ascii_case("true") {
        return Node::from(true);
    }
    if text.eq_ignore_ascii_case("false") {
        return Node::from(false);
    }
    if text.eq_ignore_ascii_case("null") {
        return Node::NULL;
    }
    if (text == "0" || !text.starts_with('0'))
        && let Ok(number) = text.parse::<i64>()
    {
        return Node::new(Value::Int(Int::Small(number)), Span::NONE);
    }
    Node::from(text)
}

/// Go's `strconv.Atoi`.
fn atoi(digits: &str) -> Result<i64, String> {
    digits.parse().map_err(|error: std::num::ParseIntError| {
        use std::num::IntErrorKind::{NegOverflow, PosOverflow};
        let reason = match error.kind() {
            PosOverflow | NegOverflow => "value out of range",
            _ => "invalid syntax",
        };
        format!("strconv.Atoi: parsing {}: {reason}", go::quote(digits))
    })
}

fn place(list: &mut Vec<Node>, index: i64, value: Node) -> Step {
    if index > LAST_INDEX {
        return wrong(format!("index of {index} is greater than maximum supported index of {LAST_INDEX}"));
    }
    let at = usize::try_from(index).unwrap_or(0);
    if list.len() <= at {
        list.resize(at + 1, Node::NULL);
    }
    list[at] = value;
    Ok(())
}

/// A character as `%q` shows it.
fn quote_rune(character: char) -> String {
    match character {
        '\'' => "'\\''".to_owned(),
        '"' => "'\"'".to_owned(),
        _ => {
            let quoted = go::quote(character.encode_utf8(&mut [0; 4]));
            format!("'{}'", &quoted[1..quoted.len() - 1])
        }
    }
}

fn empty() -> Node {
    Node::from(Map::new())
}

/// Sets a key; an empty one is not set.
fn set(data: &mut Node, name: &str, value: Node) {
    if !name.is_empty() {
        put_back(data, name, value);
    }
}

fn put_back(data: &mut Node, name: &str, value: Node) {
    if let Some(map) = data.as_map_mut() {
        map.insert(name, value);
    }
}

/// Takes what a key holds, so that it can be changed without a copy; it is put back.
fn take(data: &mut Node, name: &str) -> Option<Node> {
    let slot = data.as_map_mut()?.get_mut(name)?;
    Some(std::mem::replace(slot, Node::NULL))
}

fn as_list(node: Node) -> Step<Vec<Node>> {
    match node.value {
        Value::Seq(items) => Ok(Arc::unwrap_or_clone(items)),
        _ => wrong(conversion(&node, "[]interface {}")),
    }
}

fn as_mapping(node: Node) -> Step<Node> {
    if node.as_map().is_some() { Ok(node) } else { wrong(conversion(&node, "map[string]interface {}")) }
}

/// Go's words for a value that is not of the type that it is taken for.
fn conversion(node: &Node, wanted: &str) -> String {
    format!(
        "unable to parse key: interface conversion: interface {{}} is {}, not {wanted}",
        go_type(&node.value)
    )
}

/// The Go type of a user's value.
fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "nil",
        Value::Bool(_) => "bool",
        Value::Int(_) => "int64",
        Value::Float(_) => "float64",
        Value::Seq(_) => "[]interface {}",
        Value::Map(_) | Value::Set(_) => "map[string]interface {}",
        _ => "string",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kapstan_document::json;

    fn run(before: &str, text: &str, form: &Form<'_>) -> String {
        let sources = kapstan_diagnostic::Sources::new();
        let source = sources.add("before", before.as_bytes());
        let mut values = json::load(before.as_bytes(), source).unwrap();
        match assign(text, &mut values, form, Profile::V4_2) {
            Ok(()) => json::write(&values, 0).unwrap().replace(['\n', ' '], ""),
            Err(problem) => problem,
        }
    }

    #[test]
    fn assignments_are_typed() {
        for (text, expected) in [
            ("a=1,b=true,c=NULL,d=x", r#"{"a":1,"b":true,"c":null,"d":"x"}"#),
            ("a=-5,b=+5,c=0,d=007,e=1.5,f=1e3", r#"{"a":-5,"b":5,"c":0,"d":"007","e":"1.5","f":"1e3"}"#),
            ("a.b.c=1,a.b.d=2", r#"{"a":{"b":{"c":1,"d":2}}}"#),
            (r"a\.b=x\,y", r#"{"a.b":"x,y"}"#),
            ("a={x,1,},b={}", r#"{"a":["x",1,""],"b":[""]}"#),
            ("a[2]=x,a[0].k=1", r#"{"a":[{"k":1},null,"x"]}"#),
            ("a[0][1]=x", r#"{"a":[[null,"x"]]}"#),
            ("a=", r#"{"a":""}"#),
            ("=1,a=2", r#"{"a":2}"#),
            ("a[0", "{}"),
            ("a", r#"key "a" has no value"#),
            ("a=1,b,c=2", r#"key "b" has no value (cannot end with ,)"#),
            ("a={x", "list must terminate with '}'"),
            ("a[-1]=1", "negative -1 index not allowed"),
            ("a[x]=1", r#"error parsing index: strconv.Atoi: parsing "x": invalid syntax"#),
            ("a[65537]=1", "index of 65537 is greater than maximum supported index of 65536"),
            ("a[0]b=1", "unexpected data at end of array index: ['b']"),
            (
                "a=1,a.b=2",
                "unable to parse key: interface conversion: interface {} is int64, not map[string]interface {}",
            ),
            (
                "a=1,a[0]=2",
                "unable to parse key: interface conversion: interface {} is int64, not []interface {}",
            ),
        ] {
            assert_eq!(run("{}", text, &Form::Text { is_string: false }), expected, "{text}");
        }
        let deep = "a.".repeat(31) + "b=1";
        assert_eq!(
            run("{}", &deep, &Form::Text { is_string: false }),
            "value name nested level is greater than maximum supported nested level of 30"
        );
        let lists = format!("a{}=1", "[0]".repeat(100_000));
        assert_eq!(run("{}", &lists, &Form::Text { is_string: false }), "lists nest deeper than 400 levels");
    }

    #[test]
    fn what_was_there_is_kept_beside_it() {
        let before = r#"{"a":{"x":1},"l":[1,"b"],"n":null}"#;
        for (text, expected) in [
            ("a.y=2", r#"{"a":{"x":1,"y":2},"l":[1,"b"],"n":null}"#),
            ("l[1].k=2", r#"{"a":{"x":1},"l":[1,{"k":2}],"n":null}"#),
            (
                "n.x=1",
                "unable to parse key: interface conversion: interface {} is nil, not map[string]interface {}",
            ),
        ] {
            assert_eq!(run(before, text, &Form::Text { is_string: false }), expected, "{text}");
        }
    }

    #[test]
    fn other_forms_read_their_own_way() {
        assert_eq!(run("{}", "a=1,b=true", &Form::Text { is_string: true }), r#"{"a":"1","b":"true"}"#);
        assert_eq!(run("{}", r"a.b=x\,{y},z=1", &Form::Literal), r#"{"a":{"b":"x\\,{y},z=1"}}"#);
        assert_eq!(
            run("{}", r#"a={"x":[1, null]} , b=,c[1]="s""#, &Form::Json),
            r#"{"b":null,"a":{"x":[1.0,null]},"c":[null,"s"]}"#
        );
        let read =
            |path: &str| if path == "f" { Ok(b"text".to_vec()) } else { Err(format!("open {path}: no")) };
        assert_eq!(run("{}", "a=f", &Form::File(&read)), r#"{"a":"text"}"#);
        assert_eq!(run("{}", "a=g", &Form::File(&read)), "open g: no");
    }
}
