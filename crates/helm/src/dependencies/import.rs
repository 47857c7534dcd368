use super::tree::{Defaults, Tree};
use crate::Profile;
use crate::error::Result;
use crate::values::{Coalescer, Nulls, deep_copy, table_at};
use kapstan_document::{Map as NodeMap, Node};
use kapstan_gotemplate::value::Numbers;
use kapstan_gotemplate::{Map, Value};

/// Lets every chart take over what it imports of its subcharts' defaults, subcharts first.
pub(super) fn import(tree: &mut Tree<'_>, profile: Profile, warnings: &mut Vec<String>) -> Result<()> {
    for subchart in &mut tree.dependencies {
        import(subchart, profile, warnings)?;
    }
    let Some(mut declared) = tree.metadata.dependencies.take() else { return Ok(()) };
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
                Err(problem) => warnings.push(format!(
                    "Warning: ImportValues missing table from chart {}: {problem}",
                    dependency.name
                )),
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
