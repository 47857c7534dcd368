//! From the events of a document to its value, in one pass.

use super::error::{Error, Stage};
use super::scalar::{Meaning, is_merge, meaning};
use super::{go_syntax, merge};
use crate::short_strings::ShortStrings;
use crate::view::key_text;
use crate::yaml::reader::Reader;
use crate::yaml::{CollectionEvent, Event, EventKind, Limits, Mark, ScalarEvent};
use crate::{Int, Key, Map, Node, Scalar, Span, Value};
use kapstan_diagnostic::SourceId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Builds the value of a document.
///
/// go-yaml reads a document to its end before it decodes it: what is wrong with a value counts only when nothing is
/// wrong with the text.
pub(super) struct Builder<'a> {
    reader: Reader<'a>,
    /// The file, and where the text begins in it. None where offsets are not those of the file.
    place: Option<(SourceId, usize)>,
    limits: Limits,
    anchors: FxHashMap<&'a str, Anchored>,
    open: Vec<Open<'a>>,
    /// How many of the open collections are inside of a key, where keys keep their types for the message.
    inside_key: usize,
    strings: ShortStrings,
    work: Work,
    has_infinities: bool,
    /// The first thing that go-yaml's decoder refuses.
    refused: Option<Error>,
    /// The first thing that the step into JSON refuses.
    no_json: Option<Error>,
}

/// What an alias may stand for.
enum Anchored {
    /// Still open: an alias inside of it makes it contain itself.
    Open,
    Done {
        part: Part,
        /// How many steps decoding takes.
        steps: u64,
    },
}

/// A value and what is known of it.
#[derive(Clone)]
struct Part {
    node: Node,
    mark: Mark,
    /// Where it ends, in bytes of the text.
    end: usize,
    /// How deep collections nest in it.
    height: usize,
    is_alias: bool,
}

/// A collection whose end has not come yet.
struct Open<'a> {
    parts: Parts,
    anchor: Option<&'a str>,
    start: Mark,
    /// The end of the last part, which ends a collection in block style.
    last_end: usize,
    is_flow: bool,
    height: usize,
    /// The steps before it began.
    steps_before: u64,
}

enum Parts {
    Seq(Vec<Node>),
    Map(Map, Next),
}

/// What comes next in a mapping.
enum Next {
    Key,
    Value(Key),
    /// The value of `<<`.
    Merged,
    /// The value of a key that cannot be one.
    Nothing,
    /// The value of a key that JSON cannot have: the type and the text that Go shows for it.
    Unsupported(&'static str, String),
}

/// go-yaml's measure against aliases that multiply.
#[derive(Default)]
struct Work {
    steps: u64,
    by_aliases: u64,
}

impl Work {
    /// Whether aliases make up too much of the work.
    fn is_excessive(&self) -> bool {
        self.by_aliases > 100 && self.steps > 1000 && self.exceeds_ratio()
    }

    #[expect(clippy::cast_precision_loss, reason = "go-yaml calculates with doubles")]
    fn exceeds_ratio(&self) -> bool {
        const LOW: u64 = 400_000;
        const HIGH: u64 = 4_000_000;
        let allowed = match self.steps {
            ..=LOW => 0.99,
            HIGH.. => 0.10,
            steps => 0.99 - 0.89 * ((steps - LOW) as f64 / (HIGH - LOW) as f64),
        };
        self.by_aliases as f64 / self.steps as f64 > allowed
    }
}

impl<'a> Builder<'a> {
    pub(super) fn new(text: &'a str, place: Option<(SourceId, usize)>, limits: Limits) -> Self {
        Self {
            reader: Reader::new(text).as_go_yaml(),
            place,
            limits,
            anchors: FxHashMap::default(),
            open: Vec::new(),
            inside_key: 0,
            strings: ShortStrings::default(),
            work: Work::default(),
            has_infinities: false,
            refused: None,
            no_json: None,
        }
    }

    /// The value of the first document, null without any; and whether it may have doubles that JSON has no text for.
    pub(super) fn first_document(mut self) -> Result<(Node, bool), Error> {
        let mut root = Node::NULL;
        loop {
            let Event { kind, start, end } = self.reader.next_event().map_err(Error::syntax)?;
            let part = match kind {
                EventKind::StreamStart => continue,
                EventKind::DocumentStart { version: Some((1, minor)), .. } if minor != 1 => {
                    return Err(Error::syntax(crate::yaml::Error::new(
                        "found incompatible YAML document",
                        start,
                    )));
                }
                EventKind::DocumentStart { .. } => {
                    self.work.steps += 1;
                    continue;
                }
                EventKind::StreamEnd | EventKind::DocumentEnd { .. } => break,
                EventKind::Alias { anchor } => self.alias(anchor, start)?,
                EventKind::Scalar(event) => self.scalar(event, start, end),
                EventKind::SequenceStart(event) => {
                    self.begin(Parts::Seq(Vec::new()), &event, start)?;
                    continue;
                }
                EventKind::MappingStart(event) => {
                    self.begin(Parts::Map(Map::new(), Next::Key), &event, start)?;
                    continue;
                }
                EventKind::SequenceEnd | EventKind::MappingEnd => self.end(end),
            };
            if let Some(part) = part
                && let Some(node) = self.take(part)
            {
                root = node;
            }
        }
        match self.refused.or(self.no_json) {
            Some(error) => Err(error),
            None => Ok((root, self.has_infinities)),
        }
    }

    /// Counts a step of decoding.
    fn count(&mut self, mark: Mark) {
        self.work.steps += 1;
        self.check_work(mark);
    }

    fn check_work(&mut self, mark: Mark) {
        if self.refused.is_none() && self.work.is_excessive() {
            self.refuse("document contains excessive aliasing", mark);
        }
    }

    fn refuse(&mut self, text: impl Into<String>, mark: Mark) {
        if self.refused.is_none() {
            self.refused = Some(Error::value(text, mark));
        }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        self.place.map_or(Span::NONE, |(source, offset)| Span::new(source, offset + start, offset + end))
    }

    fn alias(&mut self, anchor: &str, mark: Mark) -> Result<Option<Part>, Error> {
        self.count(mark);
        match self.anchors.get(anchor) {
            None => Err(Error::value(format!("unknown anchor '{anchor}' referenced"), mark)),
            Some(Anchored::Open) => {
                self.refuse(format!("anchor '{anchor}' value contains itself"), mark);
                Ok(Some(Part { node: Node::NULL, mark, end: 0, height: 0, is_alias: true }))
            }
            Some(Anchored::Done { part, steps }) => {
                let part = Part { is_alias: true, mark, ..part.clone() };
                self.work.steps = self.work.steps.saturating_add(*steps);
                self.work.by_aliases = self.work.by_aliases.saturating_add(*steps);
                self.check_work(mark);
                if self.open.len() + part.height > self.limits.depth {
                    return Err(Error::too_deep(self.limits.depth, mark));
                }
                Ok(Some(part))
            }
        }
    }

    fn scalar(&mut self, event: ScalarEvent<'a>, start: Mark, end: Mark) -> Option<Part> {
        if let Some(Open { parts: Parts::Map(_, next @ Next::Key), .. }) = self.open.last_mut()
            && is_merge(&event)
        {
            *next = Next::Merged;
            return None;
        }
        self.count(start);
        let anchor = event.anchor();
        let scalar = match meaning(event) {
            Ok(Meaning::Text(text)) => Scalar::Str(self.strings.share(&text)),
            Ok(Meaning::Value(value)) => value,
            Err(problem) => {
                self.refuse(problem, start);
                Scalar::Null
            }
        };
        let node = Node::new(scalar, self.span(start.offset, end.offset));
        let part = Part { node, mark: start, end: end.offset, height: 0, is_alias: false };
        if let Some(anchor) = anchor {
            self.anchors.insert(anchor, Anchored::Done { part: part.clone(), steps: 1 });
        }
        Some(part)
    }

    fn begin(&mut self, parts: Parts, event: &CollectionEvent<'a>, start: Mark) -> Result<(), Error> {
        if self.open.len() >= self.limits.depth {
            return Err(Error::too_deep(self.limits.depth, start));
        }
        let steps_before = self.work.steps;
        // A sequence of mappings to merge is no value of its own.
        let is_merged = matches!(
            (&parts, self.open.last()),
            (Parts::Seq(_), Some(Open { parts: Parts::Map(_, Next::Merged), .. }))
        );
        if !is_merged {
            self.count(start);
        }
        if self.inside_key > 0
            || matches!(self.open.last(), Some(Open { parts: Parts::Map(_, Next::Key), .. }))
        {
            self.inside_key += 1;
        }
        if let Some(anchor) = event.anchor() {
            self.anchors.insert(anchor, Anchored::Open);
        }
        let (anchor, is_flow) = (event.anchor(), event.flow);
        self.open.push(Open { parts, anchor, start, last_end: 0, is_flow, height: 1, steps_before });
        Ok(())
    }

    /// The end of the innermost collection. In block style its event stands where the next thing begins, so it is the
    /// end of the last part that counts.
    fn end(&mut self, end: Mark) -> Option<Part> {
        let Open { parts, anchor, start, last_end, is_flow, height, steps_before } = self.open.pop()?;
        self.inside_key = self.inside_key.saturating_sub(1);
        let end = if !is_flow && last_end > start.offset { last_end } else { end.offset };
        let value = match parts {
            Parts::Seq(items) => Value::Seq(Arc::new(items)),
            Parts::Map(map, _) => Value::Map(Arc::new(map)),
        };
        let node = Node { value, span: self.span(start.offset, end) };
        let part = Part { node, mark: start, end, height, is_alias: false };
        if let Some(anchor) = anchor {
            let steps = self.work.steps - steps_before;
            self.anchors.insert(anchor, Anchored::Done { part: part.clone(), steps });
        }
        Some(part)
    }

    /// Hands a value to the innermost collection; without one it is the root, and comes back.
    fn take(&mut self, part: Part) -> Option<Node> {
        if let Value::Float(value) = part.node.value {
            self.has_infinities |= !value.is_finite();
        }
        let Some(open) = self.open.last_mut() else { return Some(part.node) };
        if !part.is_alias {
            open.last_end = part.end.max(open.last_end);
        }
        open.height = open.height.max(part.height + 1);
        let next = match &mut open.parts {
            Parts::Seq(items) => {
                items.push(part.node);
                return None;
            }
            Parts::Map(_, next) => std::mem::replace(next, Next::Key),
        };
        match next {
            Next::Key => self.key(part),
            Next::Value(key) => self.insert(key, part.node),
            Next::Merged => self.merge(&part),
            Next::Nothing => {}
            Next::Unsupported(go_type, key) => self.unsupported(go_type, &key, &part.node),
        }
        None
    }

    fn insert(&mut self, key: Key, value: Node) {
        if let Some(Open { parts: Parts::Map(map, _), .. }) = self.open.last_mut() {
            map.insert(key, value);
        }
    }

    fn merge(&mut self, part: &Part) {
        if self.refused.is_none()
            && let Some(Open { parts: Parts::Map(map, _), .. }) = self.open.last_mut()
        {
            self.refused = merge::merge(map, &part.node, part.is_alias, part.mark).err();
        }
    }

    /// Takes a key: any value that is no collection. It becomes a string.
    fn key(&mut self, part: Part) {
        let next = match part.node.value.as_scalar() {
            None => {
                let shown = go_syntax::value(&part.node.value);
                self.refuse(format!("invalid map key: {shown}"), part.mark);
                Next::Nothing
            }
            Some(scalar) if self.inside_key > 0 => Next::Value(Key::at(scalar, part.node.span)),
            Some(text @ Scalar::Str(_)) => Next::Value(Key::at(text, part.node.span)),
            Some(Scalar::Null) => Next::Unsupported("%!s(<nil>)", "<nil>".to_owned()),
            Some(scalar @ Scalar::Int(Int::Big(_))) => {
                Next::Unsupported("uint64", go_syntax::scalar(&scalar))
            }
            Some(scalar) => {
                let text = self.strings.share(&key_text(&scalar));
                Next::Value(Key::at(Scalar::Str(text), part.node.span))
            }
        };
        if let Some(Open { parts: Parts::Map(_, place), .. }) = self.open.last_mut() {
            *place = next;
        }
    }

    fn unsupported(&mut self, go_type: &str, key: &str, value: &Node) {
        if self.no_json.is_none() {
            let value_text = match &value.value {
                Value::Null => "<nil>".to_owned(),
                value => go_syntax::value(value),
            };
            let text = format!("unsupported map key of type: {go_type}, key: {key}, value: {value_text}");
            self.no_json = Some(Error::at_stage(Stage::IntoJson, text, value.span));
        }
    }
}
