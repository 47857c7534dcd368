//! Keys that a mapping has twice, as the strict reader of Helm 4 finds them.

use crate::go;
use kapstan_document::Scalar;
use kapstan_document::yaml::{Dialect, EventKind, Reader, ScalarEvent, ScalarStyle, resolve_plain};
use kapstan_gotemplate::{Value, format};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many keys of merged mappings are looked at.
const MOST_MERGED: usize = 100_000;

/// What is wrong with the first document of a text: `line 5: key "version" already set in map`. Nothing for what is no YAML.
pub(super) fn find(text: &str) -> Vec<String> {
    let mut search = Search { left: MOST_MERGED, ..Search::default() };
    let mut reader = Reader::new(text);
    while let Ok(event) = reader.next_event() {
        let line = event.start.line + 1;
        match event.kind {
            EventKind::StreamEnd | EventKind::DocumentEnd { .. } => break,
            EventKind::Scalar(scalar) => search.scalar(&scalar, line),
            EventKind::Alias { anchor } => search.value(line, Some(anchor)),
            EventKind::SequenceStart(_) => search.open.push(Open { line, ..Open::default() }),
            EventKind::MappingStart(start) => search.open.push(Open {
                is_map: true,
                line,
                anchor: start.anchor().map(str::to_owned),
                ..Open::default()
            }),
            EventKind::SequenceEnd | EventKind::MappingEnd => search.close(),
            EventKind::StreamStart | EventKind::DocumentStart { .. } => {}
        }
    }
    search.problems
}

/// A key as Go shows it, and whether it is a fraction: `1` and `1.0` look the same and are not.
type Key = (String, bool);

#[derive(Default)]
struct Search {
    open: Vec<Open>,
    /// The keys of the mappings with an anchor, with the lines of their values.
    anchors: FxHashMap<String, Vec<(Key, u32)>>,
    problems: Vec<String>,
    left: usize,
}

/// A collection that is being read.
#[derive(Default)]
struct Open {
    is_map: bool,
    line: u32,
    anchor: Option<String>,
    keys: FxHashSet<Key>,
    set: Vec<(Key, u32)>,
    /// The key whose value comes next.
    waiting: Option<Waiting>,
}

enum Waiting {
    Key(Key),
    Merge,
}

impl Search {
    fn scalar(&mut self, scalar: &ScalarEvent<'_>, line: u32) {
        match self.open.last_mut() {
            Some(open) if open.is_map && open.waiting.is_none() => {
                open.waiting = Some(match key(scalar) {
                    None => Waiting::Merge,
                    Some(key) => Waiting::Key(key),
                });
            }
            _ => self.value(line, None),
        }
    }

    /// A value is read, in this line; perhaps it stands elsewhere, under an anchor.
    fn value(&mut self, line: u32, anchor: Option<&str>) {
        let Some(open) = self.open.last_mut().filter(|open| open.is_map) else { return };
        match open.waiting.take() {
            // No key that Go takes: the reader has complained.
            None => open.waiting = Some(Waiting::Key((String::new(), true))),
            Some(Waiting::Key(key)) => self.set(key, line),
            Some(Waiting::Merge) => {
                let merged = anchor.and_then(|anchor| self.anchors.get(anchor)).cloned();
                self.merge(merged.unwrap_or_default());
            }
        }
    }

    fn close(&mut self) {
        let Some(closed) = self.open.pop() else { return };
        if let Some(anchor) = closed.anchor {
            self.anchors.insert(anchor, closed.set.clone());
        }
        let is_merged = self.open.last().is_some_and(|open| matches!(open.waiting, Some(Waiting::Merge)));
        if is_merged && closed.is_map {
            self.merge(closed.set);
            self.open.last_mut().into_iter().for_each(|open| open.waiting = None);
        } else {
            self.value(closed.line, None);
        }
    }

    fn merge(&mut self, keys: Vec<(Key, u32)>) {
        let count = keys.len().min(self.left);
        self.left -= count;
        keys.into_iter().take(count).for_each(|(key, line)| self.set(key, line));
    }

    fn set(&mut self, key: Key, line: u32) {
        let Some(open) = self.open.last_mut() else { return };
        if open.keys.insert(key.clone()) {
            open.set.push((key, line));
        } else {
            self.problems.push(format!("line {line}: key {} already set in map", key.0));
        }
    }
}

/// What a scalar is as a key; none for the one that merges.
fn key(scalar: &ScalarEvent<'_>) -> Option<Key> {
    let is_plain = scalar.style == ScalarStyle::Plain && scalar.tag().is_none();
    let resolved = match is_plain {
        true if scalar.value == "<<" => return None,
        true => resolve_plain(Dialect::GoYamlV2, &scalar.value),
        false => Scalar::Str((&*scalar.value).into()),
    };
    let shown = match &resolved {
        Scalar::Null => "<nil>".to_owned(),
        Scalar::Bool(truth) => truth.to_string(),
        Scalar::Int(number) => number.to_string(),
        Scalar::Float(number) => {
            let shown = format::printf(b"%#v", &[Value::Float64(*number)]);
            shown.map(|text| text.to_string()).unwrap_or_default()
        }
        Scalar::Str(text) => go::quote(text),
        _ => go::quote(&scalar.value),
    };
    Some((shown, matches!(resolved, Scalar::Float(_))))
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn second_keys_are_found() {
        let text = "a: 1\nb: {c: 1, c: 2}\na:\n  x: 1\n1: x\n'1': y\n1: z\non: 1\ntrue: 2\n";
        assert_eq!(
            find(text),
            [
                "line 2: key \"c\" already set in map",
                "line 4: key \"a\" already set in map",
                "line 7: key 1 already set in map",
                "line 9: key true already set in map",
            ]
        );
        assert_eq!(
            find(
                "a: &a {x: 1, y: 2}\nb:\n  x: 0\n  <<: *a\nc: [{<<: *a, z: 1}]\nd: [1, {e: 1, f: 2, e: 3}]\n"
            ),
            ["line 1: key \"x\" already set in map", "line 6: key \"e\" already set in map"]
        );
        assert_eq!(find("a: 1\n---\na: 1\na: 2\n").len(), 0);
        assert_eq!(find("a: [\n").len(), 0);
    }
}
