use super::Copies;
use super::tree::{Defaults, Tree};
use crate::error::Result;
use crate::values::{Coalescer, Nulls, deep_copy, table_at};
use crate::{Profile, log};
use kapstan_diagnostic::Diagnostic;
use kapstan_document::{Map as NodeMap, Node};
use kapstan_gotemplate::value::Numbers;
use kapstan_gotemplate::{Map, Value};

/// Lets every chart take over what it imports of its subcharts' defaults, subcharts first.
pub(super) fn import(
    tree: &mut Tree<'_>,
    profile: Profile,
    copies: &mut Copies,
    warnings: &mut Vec<Diagnostic>,
) -> Result<()> {
    for subchart in &mut tree.dependencies {
        import(subchart, profile, copies, warnings)?;
    }
    let Some(mut declared) = tree.metadata.dependencies.take() else { return Ok(()) };
    if profile.is_v3() && copies.is_another(tree.chart) {
        declared.iter_mut().for_each(|dependency| dependency.import_values.clear());
    }
    let mut coalescer = Coalescer::new(profile, Nulls::Keep);
    let defaults = coalescer.chart(tree, &Map::new())?;
    let imported = Map::new();
    for dependency in &mut declared {
        let mut imports = Vec::new();
        for entry in std::mem::take(&mut dependency.import_values) {
            let Some((child, parent)) = ends(&entry) else { continue };
            match table_at(&defaults, &format!("{}.{child}", dependency.name)) {
                Ok(table) => {
                    let placed = placed(&parent, table);
                    coalescer.tables(&imported, &placed, "", Nulls::Keep);
                }
                Err(problem) => {
                    let is_name = entry.as_str().is_some();
                    warnings.push(missing(&dependency.name, &problem, is_name, profile));
                }
            }
            imports.push(pair(&child, &parent));
        }
        dependency.import_values = imports;
    }
    let own = deep_copy(&defaults);
    coalescer.tables(&own, &imported, "", Nulls::Keep);
    warnings.append(&mut coalescer.warnings);
    tree.values = Some(Defaults::Table(own));
    tree.metadata.dependencies = Some(declared);
    Ok(())
}

/// Takes the imports out of the lists that several copies of a chart share: the last copy has emptied them for all.
pub(super) fn forget(tree: &mut Tree<'_>, copies: &Copies) {
    if copies.has_several(tree.chart) {
        let declared = tree.metadata.dependencies.iter_mut().flatten();
        declared.for_each(|dependency| dependency.import_values.clear());
    }
    tree.dependencies.iter_mut().for_each(|subchart| forget(subchart, copies));
}

/// That there is nothing to take over, which Helm says in two ways.
fn missing(chart: &str, problem: &str, is_name: bool, profile: Profile) -> Diagnostic {
    let message = format!("nothing to import from chart `{chart}`: {problem}");
    let line = match (profile.is_v3(), is_name) {
        (true, true) => format!("dependencies.go:287: Warning: ImportValues missing table: {problem}"),
        (true, false) => {
            format!("dependencies.go:270: Warning: ImportValues missing table from chart {chart}: {problem}")
        }
        (false, true) => log::record("WARN", "ImportValues missing table", &[("error", problem)]),
        (false, false) => {
            let attributes = [("chart", chart), ("error", problem)];
            log::record("WARN", "ImportValues missing table from chart", &attributes)
        }
    };
    Diagnostic::warning("helm::values", message).with_peer_text(line)
}

/// What an entry takes from where to where.
fn ends(entry: &Node) -> Option<(String, String)> {
    if let Some(name) = entry.as_str() {
        return Some((format!("exports.{name}"), ".".to_owned()));
    }
    entry.as_map()?;
    let end = |name: &str| entry.get(name).map_or_else(|| "<nil>".to_owned(), shown);
    Some((end("child"), end("parent")))
}

fn shown(node: &Node) -> String {
    Value::from_node(node, Numbers::Float64)
        .map_or_else(|_| String::new(), |value| crate::values::plain(&value))
}

/// The pair as templates see it afterwards.
fn pair(child: &str, parent: &str) -> Node {
    let mut map = NodeMap::new();
    map.insert("child", child);
    map.insert("parent", parent);
    Node::from(map)
}

/// A table inside of new ones along a path; `.` is the table itself.
fn placed(path: &str, table: Map) -> Map {
    if path == "." {
        return table;
    }
    path.rsplit('.').fold(table, |inner, name| Map::from_entries([(name, Value::Map(inner))]))
}
