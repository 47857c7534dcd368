//! Which subcharts a chart is made of: aliases, tags, conditions, and the values that a parent takes over.

mod check;
mod copies;
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
use copies::Copies;
use kapstan_diagnostic::Diagnostic;
use kapstan_gotemplate::Map;

/// The chart as it is rendered with these values: without what is switched off, under its aliases, with the values that
/// it takes over from its subcharts. Warnings are added.
pub(crate) fn process(
    tree: &mut Tree,
    values: &Map,
    profile: Profile,
    warnings: &mut Vec<Diagnostic>,
) -> Result<()> {
    enable::enable(tree, values, "", profile, &mut Copies::default(), warnings)?;
    let mut copies = Copies::default();
    import::import(tree, profile, &mut copies, warnings)?;
    if profile.is_v3() {
        import::forget(tree, &copies);
    }
    Ok(())
}
