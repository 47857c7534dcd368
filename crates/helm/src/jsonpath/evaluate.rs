use super::compare::{Basic, holds};
use super::parse::{Filter, Slice, Step};
use crate::values::plain;
use crate::yaml;
use kapstan_document::json::go::{self, Style};
use kapstan_document::{Map, Node, Value};
use kapstan_gotemplate::value::Numbers;

/// How many values a template may meet on its way.
const MOST_ITEMS: usize = 10_000_000;

/// How many ranges may be within one another.
const MOST_RANGES: usize = 500;

/// A value on the way.
#[derive(Clone, Copy, Debug)]
enum Item<'n> {
    Node(&'n Node),
    Text(&'n [u8]),
    Int(i64),
    Float(f64),
    Bool(bool),
    /// A byte of a text.
    Byte(u8),
    /// What a range over nothing runs with, to find its end.
    Nothing,
}

/// What a step finds. Where it fails, what it had in hand: a filter that asks whether something exists looks at that.
type Found<'n> = Result<Vec<Item<'n>>, Vec<Item<'n>>>;

/// What the parts of a template make of a value.
pub(super) fn print<'n>(parts: &'n [Step], value: &'n Node) -> Option<String> {
    let mut evaluator = Evaluator { parts, begun: 0, inside: 0, ended: 0, last_end: None, left: MOST_ITEMS };
    let mut text = Vec::new();
    for results in evaluator.find(0, Item::Node(value))? {
        for (at, item) in results.iter().enumerate() {
            if at > 0 {
                text.push(b' ');
            }
            item.write(&mut text)?;
        }
    }
    Some(String::from_utf8_lossy(&text).into_owned())
}

struct Evaluator<'n> {
    parts: &'n [Step],
    /// The ranges that were met and have not begun.
    begun: usize,
    /// The ranges that run.
    inside: usize,
    /// The ends that were met and end nothing yet.
    ended: usize,
    last_end: Option<usize>,
    /// How many values may still be met.
    left: usize,
}

impl<'n> Evaluator<'n> {
    /// The results of the parts from `start` on, up to the end of a range.
    fn find(&mut self, start: usize, data: Item<'n>) -> Option<Vec<Vec<Item<'n>>>> {
        let mut all = Vec::new();
        let mut at = start;
        while let Some(part) = self.parts.get(at) {
            let results = self.step(vec![data], part).ok()?;
            self.spend(1)?;
            if self.ended > 0 && self.ended <= self.inside {
                self.ended -= 1;
                self.last_end = Some(at);
                break;
            }
            if self.begun == 0 {
                all.push(results);
                at += 1;
                continue;
            }
            self.begun -= 1;
            self.inside += 1;
            if self.inside > MOST_RANGES {
                return None;
            }
            if results.is_empty() {
                self.find(at + 1, Item::Nothing)?;
            }
            for value in results {
                all.extend(self.find(at + 1, value)?);
            }
            self.inside -= 1;
            at = self.last_end.filter(|end| *end > at).unwrap_or(at) + 1;
        }
        Some(all)
    }

    fn spend(&mut self, count: usize) -> Option<()> {
        self.left = self.left.checked_sub(count)?;
        Some(())
    }

    fn step(&mut self, input: Vec<Item<'n>>, step: &'n Step) -> Found<'n> {
        let each = |item: Item<'n>| Ok(vec![item; input.len()]);
        let found = match step {
            Step::Text(text) => Ok(vec![Item::Text(text)]),
            Step::Int(number) => each(Item::Int(*number)),
            Step::Float(number) => each(Item::Float(*number)),
            Step::Bool(truth) => each(Item::Bool(*truth)),
            Step::Word(word) => return self.word(input, word),
            Step::Field(name) => field(&input, name),
            Step::Members => Ok(input.iter().flat_map(|item| item.members()).collect()),
            Step::Below => {
                let mut found = Vec::new();
                match self.below(input, &mut found) {
                    Some(()) => Ok(found),
                    None => Err(Vec::new()),
                }
            }
            Step::Slice(slice) => members_of(input, *slice),
            Step::Union(parts) => self.union(&input, parts),
            Step::Filter(filter) => self.filter(&input, filter),
            Step::Action(steps) => self.steps(input, steps),
        };
        let count = found.as_ref().map_or(1, Vec::len);
        if self.spend(count).is_none() { Err(Vec::new()) } else { found }
    }

    fn steps(&mut self, input: Vec<Item<'n>>, steps: &'n [Step]) -> Found<'n> {
        steps.iter().try_fold(input, |input, step| self.step(input, step))
    }

    fn word(&mut self, input: Vec<Item<'n>>, word: &str) -> Found<'n> {
        match word {
            "range" => {
                self.begun += 1;
                Ok(input)
            }
            "end" if self.inside > 0 => {
                self.ended += 1;
                Ok(Vec::new())
            }
            "end" => Err(Vec::new()),
            _ => Err(input),
        }
    }

    /// The values that hold others, each before those within it.
    fn below(&mut self, input: Vec<Item<'n>>, found: &mut Vec<Item<'n>>) -> Option<()> {
        for item in input {
            let members = item.members();
            if !members.is_empty() {
                self.spend(members.len())?;
                found.push(item);
                self.below(members, found)?;
            }
        }
        Some(())
    }

    fn union(&mut self, input: &[Item<'n>], parts: &'n [Vec<Step>]) -> Found<'n> {
        let mut all = Vec::new();
        for steps in parts {
            all.extend(self.steps(input.to_vec(), steps).map_err(|_| input.to_vec())?);
        }
        Ok(all)
    }

    fn filter(&mut self, input: &[Item<'n>], filter: &'n Filter) -> Found<'n> {
        let mut kept = Vec::new();
        for item in input {
            let Some(list) = item.list() else { return Err(input.to_vec()) };
            for member in list {
                let member = Item::Node(member);
                let left = self.steps(vec![member], &filter.left);
                let Some((operator, right)) = &filter.right else {
                    if !left.unwrap_or_else(|in_hand| in_hand).is_empty() {
                        kept.push(member);
                    }
                    continue;
                };
                let left = left.map_err(|_| input.to_vec())?;
                let left = match left[..] {
                    [] => continue,
                    [left] => left,
                    _ => return Err(input.to_vec()),
                };
                let right = self.steps(vec![member], right).map_err(|_| input.to_vec())?;
                let right = match right[..] {
                    [] => continue,
                    [right] => right,
                    _ => return Err(input.to_vec()),
                };
                let sides = left.basic().zip(right.basic());
                match sides.and_then(|(left, right)| holds(operator, &left, &right)) {
                    Some(true) => kept.push(member),
                    Some(false) => {}
                    None => return Err(kept),
                }
            }
        }
        Ok(kept)
    }
}

fn field<'n>(input: &[Item<'n>], name: &str) -> Found<'n> {
    if input.is_empty() {
        return Ok(Vec::new());
    }
    let map = |item: &Item<'n>| if let Item::Node(node) = item { node.as_map() } else { None };
    let found = input.iter().filter_map(|item| map(item)?.get(name)).map(Item::Node);
    let found: Vec<_> = found.collect();
    if found.is_empty() { Err(found) } else { Ok(found) }
}

fn members_of(input: Vec<Item<'_>>, slice: Slice) -> Found<'_> {
    let mut found = Vec::new();
    for item in &input {
        if item.is_null() {
            continue;
        }
        let Some(list) = item.list() else { return Err(input) };
        let length = i64::try_from(list.len()).unwrap_or(i64::MAX);
        let from_end = |at: i64| if at < 0 { at.saturating_add(length) } else { at };
        let from = from_end(slice.from.unwrap_or(0));
        let to = match slice.to {
            // The member behind the last one but none is the last one.
            Some(0) if slice.is_one => length,
            Some(to) => from_end(to),
            None => length,
        };
        if from == to {
            return Ok(found);
        }
        let by = slice.by.unwrap_or(1);
        if from < 0 || from >= length || to < 0 || to > length || from > to || by <= 0 {
            return Err(input);
        }
        let at = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
        found.extend(list[at(from)..at(to)].iter().step_by(at(by)).map(Item::Node));
    }
    Ok(found)
}

impl<'n> Item<'n> {
    fn is_null(&self) -> bool {
        matches!(self, Self::Node(node) if node.is_null())
    }

    fn list(&self) -> Option<&'n [Node]> {
        match self {
            Self::Node(Node { value: Value::Seq(items), .. }) => Some(items),
            _ => None,
        }
    }

    /// The members of a mapping by their keys, those of a list, the bytes of a text.
    fn members(&self) -> Vec<Self> {
        if let Some(items) = self.list() {
            return items.iter().map(Self::Node).collect();
        }
        match self {
            Self::Node(node) if node.as_str().is_some() => {
                bytes(node.as_str().unwrap_or_default().as_bytes())
            }
            Self::Node(node) => node.as_map().map(sorted).unwrap_or_default(),
            Self::Text(text) => bytes(text),
            _ => Vec::new(),
        }
    }

    /// The value as comparisons see it.
    fn basic(&self) -> Option<Basic<'n>> {
        Some(match *self {
            Self::Node(node) => match &node.value {
                Value::Bool(truth) => Basic::Bool(*truth),
                Value::Int(number) => Basic::Float(number.to_f64()),
                Value::Float(number) => Basic::Float(*number),
                _ => Basic::Text(node.as_str()?.as_bytes()),
            },
            Self::Text(text) => Basic::Text(text),
            Self::Int(number) => Basic::Int(number),
            Self::Float(number) => Basic::Float(number),
            Self::Bool(truth) => Basic::Bool(truth),
            Self::Byte(byte) => Basic::Byte(byte),
            Self::Nothing => return None,
        })
    }

    fn write(&self, text: &mut Vec<u8>) -> Option<()> {
        let shown = match *self {
            Self::Node(node) => shown(node)?,
            Self::Text(written) => {
                text.extend_from_slice(written);
                return Some(());
            }
            Self::Int(number) => number.to_string(),
            Self::Float(number) => plain(&kapstan_gotemplate::Value::Float64(number)),
            Self::Bool(truth) => truth.to_string(),
            Self::Byte(byte) => byte.to_string(),
            Self::Nothing => "<no value>".to_owned(),
        };
        text.extend_from_slice(shown.as_bytes());
        Some(())
    }
}

/// Containers as JSON, others as `fmt` shows them.
fn shown(node: &Node) -> Option<String> {
    if node.is_null() {
        return Some("null".to_owned());
    }
    if matches!(node.value, Value::Seq(_)) || node.as_map().is_some() {
        let depth = kapstan_document::yaml::go::MAX_WRITE_DEPTH;
        return go::write(&yaml::with_doubles(node.clone()), Style::Compact, depth).ok();
    }
    kapstan_gotemplate::Value::from_node(node, Numbers::Float64).ok().map(|value| plain(&value))
}

fn bytes<'n>(text: &[u8]) -> Vec<Item<'n>> {
    text.iter().copied().map(Item::Byte).collect()
}

fn sorted(map: &Map) -> Vec<Item<'_>> {
    let mut entries: Vec<_> = map.iter().map(|(key, value)| (key.as_str(), value)).collect();
    entries.sort_by_key(|(key, _)| *key);
    entries.into_iter().map(|(_, value)| Item::Node(value)).collect()
}
