//! Which subcharts a chart is made of: aliases, tags, conditions, and the values that a parent takes over.

mod check;
mod enable;
mod import;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use check::check;
pub use check::missing;
pub(crate) use tree::Tree;

use crate::Profile;
use crate::error::Result;
use kapstan_gotemplate::Map;

/// The chart as it is rendered with these values: without what is switched off, under its aliases, with the values that
/// it takes over from its subcharts. Warnings are added.
pub(crate) fn process(
    tree: &mut Tree,
    values: &Map,
    profile: Profile,
    warnings: &mut Vec<String>,
) -> Result<()> {
    enable::enable(tree, values, "", profile, warnings)?;
    import::import(tree, profile, warnings)
}
