use crate::chart::{Chart, Metadata};
use crate::error::{Error, Result};
use crate::values::table_of;
use kapstan_gotemplate::Map;

/// A chart in the making: its names and values change while dependencies are processed, the chart itself does not.
#[derive(Clone, Debug)]
pub(crate) struct Tree<'c> {
    pub(crate) chart: &'c Chart,
    pub(crate) metadata: Metadata,
    /// The default values; none where the chart has none.
    pub(crate) values: Option<Map>,
    pub(crate) dependencies: Vec<Self>,
}

impl<'c> Tree<'c> {
    pub(crate) fn new(chart: &'c Chart) -> Result<Self> {
        let values = chart.values.as_ref().map(table_of).transpose().map_err(|error| {
            Error::new("helm::values-too-deep", error.to_string())
                .within(&format!("values of {}", chart.place))
        })?;
        let dependencies = chart.dependencies.iter().map(|chart| Tree::new(chart)).collect::<Result<_>>()?;
        Ok(Self { chart, metadata: chart.metadata.clone(), values, dependencies })
    }

    /// Whether only its partials count.
    pub(crate) fn is_library(&self) -> bool {
        self.metadata.kind.eq_ignore_ascii_case("library")
    }
}
