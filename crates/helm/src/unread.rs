//! Values that a chart declares and no template names.

use crate::chart::Chart;
use kapstan_document::{Map, Node, Span, Value};
use rustc_hash::FxHashMap;

/// A default value that no template names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The names that lead to it, with dots between them.
    pub path: String,
    /// Where the chart declares it.
    pub span: Span,
}

/// The default values of a chart and its subcharts that no template can read by name, sorted as they are declared.
///
/// A name counts wherever an action of a template has it, as a field or in quotes: in templates of any of the charts, in
/// their other files, and in the values themselves, those of a user (`values`) too, because `tpl` may read all of these. So
/// what is reported is surely read nowhere; a table that is used as a whole counts as read with all that it holds.
pub fn unread(chart: &Chart, values: &Node) -> Vec<Unread> {
    let mut names = Names::default();
    names.of_chart(chart);
    names.of_value(values);
    let mut found = Vec::new();
    in_chart(chart, "", &names, &mut found);
    found
}

fn in_chart(chart: &Chart, prefix: &str, names: &Names, found: &mut Vec<Unread>) {
    let is_subchart = |name: &str| {
        let is_alias = |dependency: &crate::Dependency| dependency.known_as() == name;
        chart.metadata.dependencies.iter().flatten().any(is_alias)
            || chart.dependencies.iter().any(|subchart| subchart.name() == name)
    };
    if let Some(values) = chart.values.as_ref().and_then(Node::as_map) {
        for (key, value) in values.iter() {
            let Some(name) = key.as_str() else { continue };
            if !matches!(name, "global" | "tags") && !is_subchart(name) {
                in_value(name, key.span, value, prefix, names, found);
            }
        }
    }
    for subchart in &chart.dependencies {
        in_chart(subchart, &format!("{prefix}{}.", subchart.name()), names, found);
    }
}

fn in_value(name: &str, span: Span, value: &Node, prefix: &str, names: &Names, found: &mut Vec<Unread>) {
    let path = format!("{prefix}{name}");
    match (names.0.get(name), value.as_map().filter(|map: &&Map| !map.is_empty())) {
        (None, _) => found.push(Unread { path, span }),
        (Some(Use::Fields), Some(map)) => {
            let prefix = format!("{path}.");
            for (key, value) in map.iter() {
                let Some(name) = key.as_str() else { continue };
                in_value(name, key.span, value, &prefix, names, found);
            }
        }
        _ => {}
    }
}

/// How a name is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// Only fields of it are.
    Fields,
    /// It may be read as a whole.
    Whole,
}

/// The names that templates and conditions have.
#[derive(Default)]
struct Names(FxHashMap<String, Use>);

impl Names {
    fn of_chart(&mut self, chart: &Chart) {
        for file in chart.templates.iter().chain(&chart.files) {
            self.of_text(&String::from_utf8_lossy(&file.data));
        }
        chart.values.iter().for_each(|values| self.of_value(values));
        for dependency in chart.metadata.dependencies.iter().flatten() {
            dependency.condition.split([',', '.']).for_each(|name| self.add(name.trim(), Use::Whole));
        }
        chart.dependencies.iter().for_each(|subchart| self.of_chart(subchart));
    }

    /// The names in the texts that a value holds.
    fn of_value(&mut self, value: &Node) {
        if let Some(text) = value.as_str() {
            self.of_text(text);
        } else if let Value::Seq(items) = &value.value {
            items.iter().for_each(|item| self.of_value(item));
        } else if let Some(map) = value.as_map() {
            map.iter().for_each(|(_, value)| self.of_value(value));
        }
    }

    fn of_text(&mut self, text: &str) {
        let mut rest = text;
        while let Some(start) = rest.find("{{") {
            let (action, behind) = action(&rest[start + 2..]);
            self.of_action(action);
            rest = behind;
        }
    }

    fn of_action(&mut self, text: &str) {
        let is_part = |character: char| character.is_alphanumeric() || character == '_';
        let mut fields = text.split('.').skip(1).peekable();
        while let Some(after_dot) = fields.next() {
            let end = after_dot.find(|character| !is_part(character)).unwrap_or(after_dot.len());
            let has_field =
                end == after_dot.len() && fields.peek().is_some_and(|next| next.starts_with(is_part));
            self.add(&after_dot[..end], if has_field { Use::Fields } else { Use::Whole });
        }
        for quoted in text.split(['"', '`', '\'']) {
            // Odd and even parts alike: one kind of quotes may be within another.
            if quoted.len() < 256 && !quoted.contains(char::is_whitespace) {
                quoted.split('.').for_each(|name| self.add(name, Use::Whole));
            }
        }
    }

    fn add(&mut self, name: &str, how: Use) {
        if name.is_empty() {
            return;
        }
        match self.0.get_mut(name) {
            Some(known) if how == Use::Whole => *known = how,
            Some(_) => {}
            None => drop(self.0.insert(name.to_owned(), how)),
        }
    }
}

/// An action behind its `{{`, empty for a comment, and what follows it.
fn action(text: &str) -> (&str, &str) {
    let begin = text.strip_prefix("- ").map_or(text, str::trim_start);
    if begin.starts_with("/*") {
        return ("", begin.split_once("*/").map_or("", |(_, behind)| behind));
    }
    let mut quote = None;
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match quote {
            Some(_) if is_escaped => is_escaped = false,
            Some(b'`') if byte == b'`' => quote = None,
            Some(b'`') => {}
            Some(_) if byte == b'\\' => is_escaped = true,
            Some(mark) if byte == mark => quote = None,
            Some(_) => {}
            None if matches!(byte, b'"' | b'`' | b'\'') => quote = Some(byte),
            None if text.as_bytes()[..at].ends_with(b"}") && byte == b'}' => {
                return (&text[..at - 1], &text[at + 1..]);
            }
            None => {}
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, LoadOptions, Profile};
    use kapstan_diagnostic::Sources;
    use kapstan_files::Memory;
    use std::path::Path;

    #[test]
    fn names_that_no_template_has_are_found() {
        let files = Memory::new()
            .with("c/Chart.yaml", b"apiVersion: v2\nname: c\nversion: 1.0.0\ndependencies:\n- {name: s, version: 1.0.0, condition: s.enabled}\n")
            .with("c/values.yaml", b"a: 1\nb: {c: 1, d: 2}\ne: {f: 1}\n'g-h': 1\nunread: 1\ns: {enabled: true, x: 1}\nglobal: {y: 1}\n")
            .with("c/templates/t.yaml", b"{{ .Values.a }}{{ .Values.b.c }}{{ toYaml .Values.e }}{{ index .Values \"g-h\" }}")
            .with("c/charts/s/Chart.yaml", b"apiVersion: v2\nname: s\nversion: 1.0.0\n")
            .with("c/charts/s/values.yaml", b"x: 1\nz: 1\nenabled: false\n")
            .with("c/charts/s/templates/t.yaml", b"{{ .Values.x }}");
        let sources = Sources::new();
        let options = LoadOptions { profile: Profile::V4_2, limits: Limits::default(), sources: &sources };
        let chart = Chart::load(&files, Path::new("c"), &options).unwrap();
        let found: Vec<_> =
            unread(&chart, &Map::new().into()).into_iter().map(|unread| unread.path).collect();
        assert_eq!(found, ["b.d", "unread", "s.z"]);
    }

    #[test]
    fn names_count_where_actions_have_them() {
        let files = Memory::new()
            .with("c/Chart.yaml", "apiVersion: v2\nname: c\nversion: 1.0.0\n")
            .with("c/values.yaml", "a: '{{ .Values.viaTpl }}'\nviaTpl: 1\nviaUser: 1\nviaFile: 1\ninText: 1\ninComment: 1\nq: 1\n")
            .with("c/notes.txt", "{{ .Values.viaFile }}")
            .with(
                "c/templates/t.yaml",
                "# .Values.inText\n{{- /* .Values.inComment */ -}}{{ tpl .Values.a . }}{{ \"}}\" }}{{ '\\'' }}{{ `\\` }}{{ .q }}",
            );
        let sources = Sources::new();
        let options = LoadOptions { profile: Profile::V4_2, limits: Limits::default(), sources: &sources };
        let chart = Chart::load(&files, Path::new("c"), &options).unwrap();
        let mut values = Map::new();
        values.insert("x", "{{ .Values.viaUser }}");
        let found: Vec<_> = unread(&chart, &values.into()).into_iter().map(|unread| unread.path).collect();
        assert_eq!(found, ["inText", "inComment"]);
    }
}
