use super::Tree;
use crate::chart::Dependency;
use crate::error::Result;
use crate::values::{Coalescer, Nulls, table_at, value_at};
use crate::{Profile, version};
use kapstan_gotemplate::{Map, Value};

/// Puts the subcharts into the order of the declarations, under their aliases, and takes out what is switched off.
///
/// `path` is how the values name this chart: `sub.child.`.
pub(super) fn enable(
    tree: &mut Tree<'_>,
    values: &Map,
    path: &str,
    profile: Profile,
    warnings: &mut Vec<String>,
) -> Result<()> {
    let Some(mut declared) = tree.metadata.dependencies.take() else { return Ok(()) };
    tree.dependencies = chosen(&tree.dependencies, &declared);
    for dependency in &mut declared {
        if !dependency.alias.is_empty() {
            dependency.name.clone_from(&dependency.alias);
        }
        dependency.enabled = true;
    }
    let mut coalescer = Coalescer::new(profile, Nulls::Remove);
    let merged = coalescer.chart(tree, values)?;
    warnings.append(&mut coalescer.warnings);
    by_tags(&mut declared, &merged, warnings);
    by_conditions(&mut declared, &merged, path, warnings);
    let is_off =
        |name: &str| declared.iter().any(|dependency| !dependency.enabled && dependency.name == name);
    tree.dependencies.retain(|subchart| !is_off(&subchart.metadata.name));
    for subchart in &mut tree.dependencies {
        let path = format!("{path}{}.", subchart.metadata.name);
        enable(subchart, &merged, &path, profile, warnings)?;
    }
    let kept: Vec<Dependency> =
        declared.iter().filter(|dependency| !is_off(&dependency.name)).cloned().collect();
    // A list that has become empty is one that Go never made.
    tree.metadata.dependencies = (!kept.is_empty()).then_some(kept);
    Ok(())
}

/// First the subcharts that no declaration is about, then for each declaration the first one it is about.
fn chosen<'c>(subcharts: &[Tree<'c>], declared: &[Dependency]) -> Vec<Tree<'c>> {
    let is_meant = |subchart: &Tree<'_>, dependency: &Dependency| {
        subchart.metadata.name == dependency.name
            && version::is_in_range(&dependency.version, &subchart.metadata.version)
    };
    let others =
        subcharts.iter().filter(|subchart| !declared.iter().any(|dependency| is_meant(subchart, dependency)));
    let mut chosen: Vec<Tree<'c>> = others.cloned().collect();
    for dependency in declared {
        let Some(meant) = subcharts.iter().find(|subchart| is_meant(subchart, dependency)) else { continue };
        let mut copy = Tree { is_declared: true, ..meant.clone() };
        if !dependency.alias.is_empty() {
            copy.metadata.name.clone_from(&dependency.alias);
        }
        chosen.push(copy);
    }
    chosen
}

fn by_tags(declared: &mut [Dependency], values: &Map, warnings: &mut Vec<String>) {
    let Ok(tags) = table_at(values, "tags") else { return };
    for dependency in declared {
        let (mut has_on, mut has_off) = (false, false);
        for tag in &dependency.tags {
            match tags.get(tag) {
                Some(Value::Bool(true)) => has_on = true,
                Some(Value::Bool(false)) => has_off = true,
                Some(_) => warnings.push(format!(
                    "Warning: Tag '{tag}' for chart {} returned non-bool value",
                    dependency.name
                )),
                None => {}
            }
        }
        dependency.enabled = has_on || !has_off;
    }
}

fn by_conditions(declared: &mut [Dependency], values: &Map, path: &str, warnings: &mut Vec<String>) {
    for dependency in declared {
        for condition in dependency.condition.trim().split(',').filter(|condition| !condition.is_empty()) {
            match value_at(values, &format!("{path}{condition}")) {
                Some(Value::Bool(value)) => {
                    dependency.enabled = value;
                    break;
                }
                Some(_) => warnings.push(format!(
                    "Warning: Condition path '{condition}' for chart {} returned non-bool value",
                    dependency.name
                )),
                None => {}
            }
        }
    }
}
