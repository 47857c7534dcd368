use super::{Copies, Tree};
use crate::chart::Dependency;
use crate::error::Result;
use crate::values::{Coalescer, Nulls, table_at, value_at};
use crate::{Profile, log, version};
use kapstan_diagnostic::Diagnostic;
use kapstan_gotemplate::{Map, Value};

/// Puts the subcharts into the order of the declarations, under their aliases, and takes out what is switched off.
///
/// `path` is how the values name this chart: `sub.child.`.
pub(super) fn enable(
    tree: &mut Tree<'_>,
    values: &Map,
    path: &str,
    profile: Profile,
    copies: &mut Copies,
    warnings: &mut Vec<Diagnostic>,
) -> Result<()> {
    let Some(mut declared) = tree.metadata.dependencies.take() else { return Ok(()) };
    if profile.is_v3() && copies.is_another(tree.chart) {
        declared.iter_mut().for_each(rename);
    }
    tree.dependencies = chosen(&tree.dependencies, &declared);
    for dependency in &mut declared {
        rename(dependency);
        dependency.enabled = true;
    }
    let mut coalescer = Coalescer::new(profile, Nulls::Remove);
    let merged = coalescer.chart(tree, values);
    warnings.append(&mut coalescer.warnings);
    let merged = merged?;
    by_tags(&mut declared, &merged, profile, warnings);
    by_conditions(&mut declared, &merged, path, profile, warnings);
    let is_off =
        |name: &str| declared.iter().any(|dependency| !dependency.enabled && dependency.name == name);
    tree.dependencies.retain(|subchart| !is_off(&subchart.metadata.name));
    for subchart in &mut tree.dependencies {
        let path = format!("{path}{}.", subchart.metadata.name);
        enable(subchart, &merged, &path, profile, copies, warnings)?;
    }
    let kept: Vec<Dependency> =
        declared.iter().filter(|dependency| !is_off(&dependency.name)).cloned().collect();
    // A list that has become empty is one that Go never made.
    tree.metadata.dependencies = (!kept.is_empty()).then_some(kept);
    Ok(())
}

/// The alias is the name from now on.
fn rename(dependency: &mut Dependency) {
    if !dependency.alias.is_empty() {
        dependency.name.clone_from(&dependency.alias);
    }
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

fn by_tags(declared: &mut [Dependency], values: &Map, profile: Profile, warnings: &mut Vec<Diagnostic>) {
    let Ok(tags) = table_at(values, "tags") else { return };
    for dependency in declared {
        let (mut has_on, mut has_off) = (false, false);
        for tag in &dependency.tags {
            match tags.get(tag) {
                Some(Value::Bool(true)) => has_on = true,
                Some(Value::Bool(false)) => has_off = true,
                Some(_) => warnings.push(not_a_switch(("tag", tag), &dependency.name, profile)),
                None => {}
            }
        }
        dependency.enabled = has_on || !has_off;
    }
}

fn by_conditions(
    declared: &mut [Dependency],
    values: &Map,
    path: &str,
    profile: Profile,
    warnings: &mut Vec<Diagnostic>,
) {
    for dependency in declared {
        for condition in dependency.condition.trim().split(',').filter(|condition| !condition.is_empty()) {
            match value_at(values, &format!("{path}{condition}")) {
                Some(Value::Bool(value)) => {
                    dependency.enabled = value;
                    break;
                }
                Some(_) => warnings.push(not_a_switch(("path", condition), &dependency.name, profile)),
                None => {}
            }
        }
    }
}

/// That what should switch a subchart is no boolean.
fn not_a_switch((kind, name): (&str, &str), chart: &str, profile: Profile) -> Diagnostic {
    let line = match (profile.is_v3(), kind) {
        (true, "tag") => {
            format!("dependencies.go:95: Warning: Tag '{name}' for chart {chart} returned non-bool value")
        }
        (true, _) => format!(
            "dependencies.go:64: Warning: Condition path '{name}' for chart {chart} returned non-bool value"
        ),
        (false, _) => log::record("WARN", "returned non-bool value", &[(kind, name), ("chart", chart)]),
    };
    Diagnostic::warning("helm::values", format!("`{name}`, which switches chart `{chart}`, is no boolean"))
        .with_peer_text(line)
}
