//! Values that a chart declares and no template names.

use crate::chart::Chart;
use kapstan_document::{Map, Node, Span};
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
/// A name counts wherever a template of any of the charts has it, as a field or in quotes, so that what is reported is
/// surely read nowhere; a table that is used as a whole counts as read with all that it holds.
pub fn unread(chart: &Chart) -> Vec<Unread> {
    let mut names = Names::default();
    names.of_chart(chart);
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
        for template in &chart.templates {
            self.of_text(&String::from_utf8_lossy(&template.data));
        }
        for dependency in chart.metadata.dependencies.iter().flatten() {
            dependency.condition.split([',', '.']).for_each(|name| self.add(name.trim(), Use::Whole));
        }
        chart.dependencies.iter().for_each(|subchart| self.of_chart(subchart));
    }

    fn of_text(&mut self, text: &str) {
        let is_part = |character: char| character.is_alphanumeric() || character == '_';
        let mut fields = text.split('.').skip(1).peekable();
        while let Some(after_dot) = fields.next() {
            let end = after_dot.find(|character| !is_part(character)).unwrap_or(after_dot.len());
            let has_field =
                end == after_dot.len() && fields.peek().is_some_and(|next| next.starts_with(is_part));
            self.add(&after_dot[..end], if has_field { Use::Fields } else { Use::Whole });
        }
        for quoted in text.split(['"', '`', '\'']) {
            // Odd and even parts alike: quotes may be those of YAML.
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
        let found: Vec<_> = unread(&chart).into_iter().map(|unread| unread.path).collect();
        assert_eq!(found, ["b.d", "unread", "s.z"]);
    }
}
