//! Python's `pprint.pformat`.

use super::Call;
use crate::error::Outcome;
use crate::ops;
use crate::print;
use crate::run::{Bound, Run};
use crate::text;
use crate::value::{Dict, Value};
use kapstan_document::Member;
use std::rc::Rc;

const WIDTH: usize = 80;

pub(super) fn pprint(call: &Call<'_>, args: &Bound) -> Outcome<Value> {
    let mut pretty = Pretty { run: call.run, out: String::new() };
    pretty.value(args.value(0), 0, 0, 1)?;
    Ok(pretty.out.into())
}

struct Pretty<'a> {
    run: &'a Run<'a>,
    out: String,
}

impl Pretty<'_> {
    fn value(&mut self, value: &Value, indent: usize, allowance: usize, level: usize) -> Outcome<()> {
        self.run.stack.check()?;
        let flat = self.flat(value)?;
        self.run.spend_text(flat.len())?;
        if text::length(&flat) + indent + allowance <= WIDTH {
            self.out.push_str(&flat);
            return Ok(());
        }
        match value {
            Value::Dict(dict) if dict.len() > 0 => {
                self.out.push('{');
                self.entries(&self.sorted(dict)?, indent + 1, allowance + 1, level)?;
                self.out.push('}');
            }
            Value::List(list) => {
                let items = list.items().clone();
                self.sequence(&items, "[", "]", indent, allowance, level)?;
            }
            Value::Tuple(tuple) => {
                let close = if tuple.items.len() == 1 { ",)" } else { ")" };
                self.sequence(&tuple.items, "(", close, indent, allowance, level)?;
            }
            Value::Str(text) if !text.is_empty() && Member::of(text).is_none() => {
                self.string(text, indent, allowance, level)?
            }
            _ => self.out.push_str(&flat),
        }
        Ok(())
    }

    /// On one line, dicts sorted.
    fn flat(&self, value: &Value) -> Outcome<String> {
        self.run.stack.check()?;
        let joined = |items: &[Value]| -> Outcome<String> {
            let parts = items.iter().map(|item| self.flat(item)).collect::<Outcome<Vec<_>>>()?;
            Ok(parts.join(", "))
        };
        Ok(match value {
            Value::Dict(dict) => {
                let mut parts = Vec::new();
                for (key, value) in self.sorted(dict)? {
                    parts.push(format!("{}: {}", self.flat(&key)?, self.flat(&value)?));
                }
                format!("{{{}}}", parts.join(", "))
            }
            Value::List(list) => format!("[{}]", joined(&list.items())?),
            Value::Tuple(tuple) if !tuple.is_group => {
                let comma = if tuple.items.len() == 1 { "," } else { "" };
                format!("({}{comma})", joined(&tuple.items)?)
            }
            _ => print::repr(value)?,
        })
    }

    /// Entries by key; keys that do not compare go by their types.
    fn sorted(&self, dict: &Rc<Dict>) -> Outcome<Vec<(Value, Value)>> {
        let mut pairs = dict.pairs()?;
        let class_of = |value: &Value| format!("<class '{}'>", value.type_name());
        pairs.sort_by(|(a, _), (b, _)| {
            let is_less = |a: &Value, b: &Value| ops::less(self.run, a, b).ok();
            match (is_less(a, b), is_less(b, a)) {
                (Some(true), _) => std::cmp::Ordering::Less,
                (_, Some(true)) => std::cmp::Ordering::Greater,
                (Some(_), Some(_)) => std::cmp::Ordering::Equal,
                _ => class_of(a).cmp(&class_of(b)),
            }
        });
        Ok(pairs)
    }

    fn new_line(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    fn entries(
        &mut self,
        pairs: &[(Value, Value)],
        indent: usize,
        allowance: usize,
        level: usize,
    ) -> Outcome<()> {
        for (at, (key, value)) in pairs.iter().enumerate() {
            let is_last = at + 1 == pairs.len();
            let key = self.flat(key)?;
            self.out.push_str(&key);
            self.out.push_str(": ");
            let allowance = if is_last { allowance } else { 1 };
            self.value(value, indent + text::length(&key) + 2, allowance, level + 1)?;
            if !is_last {
                self.out.push(',');
                self.new_line(indent);
            }
        }
        Ok(())
    }

    fn sequence(
        &mut self,
        items: &[Value],
        open: &str,
        close: &str,
        indent: usize,
        allowance: usize,
        level: usize,
    ) -> Outcome<()> {
        self.out.push_str(open);
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.out.push(',');
                self.new_line(indent + 1);
            }
            let allowance = if at + 1 == items.len() { allowance + close.len() } else { 1 };
            self.value(item, indent + 1, allowance, level + 1)?;
        }
        self.out.push_str(close);
        Ok(())
    }

    /// A long string is broken at its blanks.
    fn string(&mut self, whole: &str, indent: usize, allowance: usize, level: usize) -> Outcome<()> {
        let (indent, allowance) = if level == 1 { (indent + 1, allowance + 1) } else { (indent, allowance) };
        let width = WIDTH.saturating_sub(indent);
        let lines = text::split_lines(whole, true);
        let repr_of = |text: &str| crate::error::quoted(text);
        let fits = |text: &str, width: usize| text::length(&repr_of(text)) <= width;
        let mut chunks = Vec::new();
        let mut last_repr = String::new();
        for (at, line) in lines.iter().enumerate() {
            let is_last_line = at + 1 == lines.len();
            let first_width = if is_last_line { width.saturating_sub(allowance) } else { width };
            last_repr = repr_of(line);
            if fits(line, first_width) {
                chunks.push(last_repr.clone());
                continue;
            }
            let parts = words_with_blanks(line);
            let mut current = String::new();
            for (at, part) in parts.iter().enumerate() {
                let is_end = is_last_line && at + 1 == parts.len();
                let width = if is_end { width.saturating_sub(allowance) } else { width };
                let candidate = format!("{current}{part}");
                if fits(&candidate, width) {
                    current = candidate;
                } else {
                    if !current.is_empty() {
                        chunks.push(repr_of(&current));
                    }
                    current = (*part).to_owned();
                }
            }
            if !current.is_empty() {
                chunks.push(repr_of(&current));
            }
        }
        if chunks.len() == 1 {
            self.out.push_str(&last_repr);
            return Ok(());
        }
        if level == 1 {
            self.out.push('(');
        }
        for (at, chunk) in chunks.iter().enumerate() {
            if at > 0 {
                self.new_line(indent);
            }
            self.out.push_str(chunk);
        }
        if level == 1 {
            self.out.push(')');
        }
        Ok(())
    }
}

/// Words, each with the blanks behind it.
fn words_with_blanks(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut in_blanks = false;
    for (at, c) in line.char_indices() {
        let is_blank = text::is_space(c);
        if in_blanks && !is_blank {
            parts.push(&line[start..at]);
            start = at;
        }
        in_blanks = is_blank;
    }
    if start < line.len() {
        parts.push(&line[start..]);
    }
    parts
}
