use super::output::Output;
use super::{Flavor, WriteError, order, scalar, through_json};
use crate::json::go::valid;
use crate::write_error::MAX_BYTES;
use crate::{Shape, View};
use std::borrow::Cow;

/// Writes a value by walking down; its depth is bounded.
pub(super) struct Writer {
    pub(super) out: Output,
    pub(super) flavor: Flavor,
    depth: usize,
}

/// Where a value is to be written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It is all there is.
    Root,
    /// Behind `-`, `?` or the `:` of an explicit key: a container begins on the same line.
    Inline,
    /// Behind `key:`.
    Entry,
}

impl Writer {
    pub(super) fn new(flavor: Flavor, depth: usize) -> Self {
        Self { out: Output::new(), flavor, depth }
    }

    pub(super) fn document<V: View>(mut self, value: &V) -> Result<String, WriteError> {
        self.node(value, Place::Root, 0, 0)?;
        Ok(self.out.finish())
    }

    /// Writes a value whose parent's lines begin at `indent`.
    fn node<V: View>(
        &mut self,
        value: &V,
        place: Place,
        indent: usize,
        level: usize,
    ) -> Result<(), WriteError> {
        self.check_size(level)?;
        value.view(|shape| match shape {
            Shape::List(items) => self.list(items, place, indent, level),
            Shape::Map(entries) | Shape::Struct(entries) => self.map(entries, place, indent, level),
            Shape::Bytes(bytes) if self.flavor == Flavor::V3 => self.bytes(bytes, place, indent),
            scalar => self.scalar(&scalar, place, indent),
        })
    }

    fn list<V: View>(
        &mut self,
        items: &[V],
        place: Place,
        indent: usize,
        level: usize,
    ) -> Result<(), WriteError> {
        if items.is_empty() {
            self.word("[]", place);
            return Ok(());
        }
        let indent = self.list_indent(place, indent);
        for (at, item) in items.iter().enumerate() {
            self.item(at, place, indent);
            self.node(item, Place::Inline, indent, level + 1)?;
        }
        Ok(())
    }

    /// To go-yaml v3 bytes are a sequence of numbers.
    fn bytes(&mut self, bytes: &[u8], place: Place, indent: usize) -> Result<(), WriteError> {
        if bytes.is_empty() {
            self.word("[]", place);
        }
        let indent = self.list_indent(place, indent);
        for (at, byte) in bytes.iter().enumerate() {
            self.item(at, place, indent);
            self.out.push(&format!(" {byte}"));
        }
        Ok(())
    }

    fn list_indent(&self, place: Place, indent: usize) -> usize {
        match place {
            Place::Root => 0,
            Place::Entry if self.flavor == Flavor::V2 => indent,
            Place::Entry | Place::Inline => indent + 2,
        }
    }

    fn item(&mut self, at: usize, place: Place, indent: usize) {
        self.begin_line(at, place, indent);
        self.out.push("-");
    }

    fn map<V: View>(
        &mut self,
        entries: Vec<(&[u8], &V)>,
        place: Place,
        indent: usize,
        level: usize,
    ) -> Result<(), WriteError> {
        if entries.is_empty() {
            self.word("{}", place);
            return Ok(());
        }
        let indent = if place == Place::Root { 0 } else { indent + 2 };
        for (at, (key, value)) in self.sorted(entries)?.iter().enumerate() {
            self.begin_line(at, place, indent);
            let place = self.key(key, indent);
            self.node(*value, place, indent, level + 1)?;
        }
        Ok(())
    }

    /// The entries in the order in which they are written, with the keys that they have then.
    fn sorted<'a, V>(
        &self,
        entries: Vec<(&'a [u8], &'a V)>,
    ) -> Result<Vec<(Cow<'a, str>, &'a V)>, WriteError> {
        let mut texts = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            let text = match self.flavor {
                Flavor::V2 => through_json::key(key)?,
                Flavor::V3 => valid(key),
            };
            texts.push((text, value));
        }
        order::sort(&mut texts, self.flavor);
        Ok(texts)
    }

    fn key(&mut self, key: &str, indent: usize) -> Place {
        let is_simple = scalar::write_key(&mut self.out, key, indent, self.flavor);
        if !is_simple {
            self.out.next_line(indent);
        }
        self.out.push(":");
        if is_simple { Place::Entry } else { Place::Inline }
    }

    /// The first line of a container may go on where its parent's stands.
    fn begin_line(&mut self, at: usize, place: Place, indent: usize) {
        if at == 0 && place == Place::Inline {
            self.out.push(" ");
        } else {
            self.out.next_line(indent);
        }
    }

    fn check_size(&self, level: usize) -> Result<(), WriteError> {
        if level > self.depth {
            return Err(WriteError::TooDeep);
        }
        if self.out.text.len() > MAX_BYTES { Err(WriteError::TooLong) } else { Ok(()) }
    }

    fn scalar<V>(&mut self, shape: &Shape<'_, V>, place: Place, indent: usize) -> Result<(), WriteError> {
        if place != Place::Root {
            self.out.push(" ");
        }
        let indent = if place == Place::Root { 2 } else { indent + 2 };
        scalar::write(&mut self.out, shape, indent, self.flavor)
    }

    /// What stands on the line whatever its length.
    fn word(&mut self, text: &str, place: Place) {
        if place != Place::Root {
            self.out.push(" ");
        }
        self.out.push(text);
    }
}
