//! Writes values that come in on standard input, for comparing the writers with the Python libraries they follow; see
//! `peers/compare_writers.py` for the encoding of requests.

use kapstan_document::yaml::{self, Aliases, MultilineStyle};
use kapstan_document::{
    Date, DateTime, Int, Key, Map, Node, Scalar, Span, Value, WriteError, json, prune, toml,
};
use std::io::{self, BufRead, Write};
use std::sync::Arc;

fn main() -> io::Result<()> {
    let mut input = Input { reader: io::stdin().lock(), containers: Vec::new() };
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut line = String::new();
    while input.reader.read_line(&mut line)? > 0 {
        input.containers.clear();
        let node = input.node()?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let (status, text) = match answer(&words, &node) {
            Ok(text) => ("ok", text),
            Err(error) => ("error", error.peer_text().to_owned()),
        };
        write!(out, "{status} {}\n{text}", text.len())?;
        line.clear();
        if input.reader_is_drained() {
            out.flush()?;
        }
    }
    Ok(())
}

fn answer(words: &[&str], node: &Node) -> Result<String, WriteError> {
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<usize>().ok());
    match words {
        ["yaml", rest @ ..] => {
            let (rule, options) = yaml_options(rest);
            if rule == "documents" {
                yaml::write_documents(node, &options)
            } else {
                yaml::write(node, &options)
            }
        }
        ["json", ..] => {
            let options = json::WriteOptions { indent: number(1), sort_keys: words[2] == "sorted" };
            json::write_with(node, options)
        }
        ["prune"] => yaml::write(&prune(node)?, &yaml::WriteOptions::plain()),
        _ => toml::write(node),
    }
}

/// `rule profile style indent flag...`
fn yaml_options<'w>(words: &[&'w str]) -> (&'w str, yaml::WriteOptions) {
    let [rule, profile, style, indent, flags @ ..] = words else { return ("", yaml::WriteOptions::plain()) };
    let indent = indent.parse().unwrap_or(2);
    let mut options = match *profile {
        "compiled" => yaml::WriteOptions::compiled(MultilineStyle::from_name(style), indent),
        "inventory" => yaml::WriteOptions::inventory(indent),
        "flat" => yaml::WriteOptions::inventory_flat(indent),
        "helm" => yaml::WriteOptions::helm_values(),
        "revealed" => yaml::WriteOptions::revealed(),
        _ => yaml::WriteOptions::plain(),
    };
    options.null_as_empty = flags.contains(&"empty");
    if flags.contains(&"aliases") {
        options.aliases = Aliases::Always;
    }
    (rule, options)
}

struct Input<R> {
    reader: R,
    /// The containers of this value so far, each of which `r` can name by its number.
    containers: Vec<Node>,
}

impl<R: BufRead> Input<R> {
    fn reader_is_drained(&mut self) -> bool {
        self.reader.fill_buf().is_ok_and(<[u8]>::is_empty)
    }

    fn node(&mut self) -> io::Result<Node> {
        let mut kind = [0];
        self.reader.read_exact(&mut kind)?;
        Ok(match kind[0] {
            b'l' => {
                let count = self.number()?;
                let items = (0..count).map(|_| self.node()).collect::<io::Result<Vec<Node>>>()?;
                self.container(Value::from(items))
            }
            kind @ (b'm' | b'S') => {
                let count = self.number()?;
                let mut map = Map::new();
                for _ in 0..count {
                    let key = self.node()?;
                    let scalar =
                        key.value.as_scalar().ok_or_else(|| io::Error::other("a container as key"))?;
                    let value = if kind == b'm' { self.node()? } else { Node::NULL };
                    map.insert(Key::at(scalar, Span::NONE), value);
                }
                self.container(if kind == b'm' { Value::from(map) } else { Value::Set(Arc::new(map)) })
            }
            b'r' => {
                let number: usize = self.number()?;
                self.containers[number].clone()
            }
            kind => self.scalar(kind)?.into(),
        })
    }

    fn container(&mut self, value: Value) -> Node {
        let node = Node::from(value);
        self.containers.push(node.clone());
        node
    }

    fn scalar(&mut self, kind: u8) -> io::Result<Value> {
        Ok(match kind {
            b't' => true.into(),
            b'f' => false.into(),
            b'i' => Int::from_big(self.number()?).into(),
            b'd' => f64::from_bits(self.number()?).into(),
            b's' => String::from_utf8(self.bytes()?).map_err(io::Error::other)?.into(),
            b'b' => Value::Bytes(self.bytes()?.into()),
            b'D' => Value::Date(self.date()?),
            b'T' => {
                let date = self.date()?;
                let (hour, minute, second) = (self.number()?, self.number()?, self.number()?);
                let microsecond = self.number()?;
                let offset: i32 = self.number()?;
                // No zone is that far from UTC.
                let offset_minutes = (offset != 9999).then_some(offset);
                let time = DateTime { date, hour, minute, second, microsecond, offset_minutes };
                Scalar::DateTime(Arc::new(time)).into()
            }
            _ => Value::Null,
        })
    }

    fn date(&mut self) -> io::Result<Date> {
        Ok(Date { year: self.number()?, month: self.number()?, day: self.number()? })
    }

    fn bytes(&mut self) -> io::Result<Vec<u8>> {
        let length: usize = self.number()?;
        let mut bytes = vec![0; length];
        self.reader.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// A number that ends in a semicolon.
    fn number<N: std::str::FromStr>(&mut self) -> io::Result<N> {
        let mut text = Vec::new();
        self.reader.read_until(b';', &mut text)?;
        text.pop();
        let text = String::from_utf8(text).map_err(io::Error::other)?;
        text.parse().map_err(|_| io::Error::other(format!("not a number: {text}")))
    }
}
