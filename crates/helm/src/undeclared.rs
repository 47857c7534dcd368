//! Values that a user sets and no chart knows of.

use crate::chart::Chart;
use kapstan_document::{Map, Node, Span};

/// A value that no chart declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undeclared {
    /// The names that lead to it, with dots between them.
    pub path: String,
    /// Where the user sets it; nowhere for an assignment.
    pub span: Span,
    /// A name beside it that the chart does declare and that may be meant.
    pub near: Option<String>,
}

/// The values of a user for which neither the chart nor its subcharts have a default, sorted as they are set.
///
/// A table that is empty or null by default may hold anything. `global` and `tags` belong to all charts.
pub fn undeclared(chart: &Chart, values: &Node) -> Vec<Undeclared> {
    let mut found = Vec::new();
    if let Some(values) = values.as_map() {
        in_chart(chart, values, "", &mut found);
    }
    found
}

fn in_chart(chart: &Chart, values: &Map, prefix: &str, found: &mut Vec<Undeclared>) {
    let defaults = chart.values.as_ref().and_then(Node::as_map);
    for (key, value) in values.iter() {
        let Some(name) = key.as_str().filter(|name| !matches!(*name, "global" | "tags")) else { continue };
        let path = join(prefix, name);
        let default = defaults.and_then(|defaults| defaults.get(name));
        match (subchart(chart, name), value.as_map()) {
            (Some(subchart), Some(inner)) => in_chart(subchart, inner, &path, found),
            (Some(_), None) => {}
            (None, _) => {
                let beside = defaults.into_iter().flat_map(Map::keys).filter_map(|key| key.as_str());
                let subcharts = chart.dependencies.iter().map(|subchart| subchart.name());
                in_table(name, key.span, value, default, &path, beside.chain(subcharts), found);
            }
        }
    }
}

fn in_table<'n>(
    name: &str,
    span: Span,
    value: &Node,
    default: Option<&Node>,
    path: &str,
    beside: impl Iterator<Item = &'n str>,
    found: &mut Vec<Undeclared>,
) {
    let Some(default) = default else {
        let near = kapstan_diagnostic::nearest(name, beside).map(str::to_owned);
        return found.push(Undeclared { path: path.to_owned(), span, near });
    };
    let (Some(values), Some(defaults)) = (value.as_map(), default.as_map().filter(|map| !map.is_empty()))
    else {
        return;
    };
    for (key, value) in values.iter() {
        let Some(name) = key.as_str() else { continue };
        let beside: Vec<&str> = defaults.keys().filter_map(|key| key.as_str()).collect();
        in_table(name, key.span, value, defaults.get(name), &join(path, name), beside.into_iter(), found);
    }
}

/// The subchart that a name of the values stands for: its own name, or an alias.
fn subchart<'c>(chart: &'c Chart, name: &str) -> Option<&'c Chart> {
    let declared =
        chart.metadata.dependencies.iter().flatten().find(|dependency| dependency.known_as() == name);
    let name = declared.map_or(name, |dependency| &dependency.name);
    chart.dependencies.iter().map(|subchart| &**subchart).find(|subchart| subchart.name() == name)
}

fn join(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, LoadOptions, Profile, yaml};
    use kapstan_diagnostic::Sources;
    use kapstan_files::Memory;
    use std::path::Path;

    #[test]
    fn values_without_a_default_are_found() {
        let files = Memory::new()
            .with("web/Chart.yaml", "name: web\nversion: 1\napiVersion: v2\ndependencies: [{name: db, version: '*', alias: store}]\n")
            .with("web/values.yaml", "image: {tag: x, name: z}\nlabels: {}\nextra: null\n")
            .with("web/charts/db/Chart.yaml", "name: db\nversion: 1\n")
            .with("web/charts/db/values.yaml", "port: 1\n");
        let sources = Sources::new();
        let options = LoadOptions { profile: Profile::V4_2, limits: Limits::default(), sources: &sources };
        let chart = Chart::load(&files, Path::new("web"), &options).unwrap();
        let text: &[u8] = b"image: {tagg: 1, tag: 2}\nlabels: {a: 1}\nextra: {b: 1}\nglobal: {c: 1}\nstore: {port: 2, pord: 3}\nnew: {d: 1}\n";
        let values = yaml::read(text, sources.add("v", text)).unwrap();
        let found = undeclared(&chart, &values);
        let shown: Vec<_> = found.iter().map(|one| (one.path.as_str(), one.near.as_deref())).collect();
        assert_eq!(shown, [("image.tagg", Some("tag")), ("store.pord", Some("port")), ("new", None)]);
        assert_eq!(found[0].span.start(), 8);
    }
}
