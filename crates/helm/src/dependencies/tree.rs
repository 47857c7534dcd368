use crate::Profile;
use crate::chart::{Chart, Metadata};
use crate::error::{Error, Result};
use crate::values::{deep_copy, table_of};
use kapstan_document::Node;
use kapstan_gotemplate::Map;

/// A chart in the making: its names and values change while dependencies are processed, the chart itself does not.
#[derive(Clone, Debug)]
pub(crate) struct Tree<'c> {
    pub(crate) chart: &'c Chart,
    pub(crate) metadata: Metadata,
    /// The default values; none where the chart has none.
    pub(crate) values: Option<Defaults<'c>>,
    pub(crate) dependencies: Vec<Self>,
    /// Whether it stands here because it is declared; otherwise only because it lies there.
    pub(crate) is_declared: bool,
}

/// The default values of a chart.
#[derive(Clone, Debug)]
pub(crate) enum Defaults<'c> {
    /// As they were read. They are copied once, where the chart stands alone.
    Read(&'c Node),
    /// To be copied again for every chart above.
    Table(Map),
}

impl Defaults<'_> {
    /// A copy of them, to change.
    pub(crate) fn copy(&self, chart: &Chart) -> Result<Map> {
        match self {
            Self::Read(node) => table(node, chart),
            Self::Table(table) => Ok(deep_copy(table)),
        }
    }
}

fn table(values: &Node, chart: &Chart) -> Result<Map> {
    table_of(values).map_err(|error| {
        Error::new("helm::values-too-deep", error.to_string()).within(&format!("values of {}", chart.place))
    })
}

impl<'c> Tree<'c> {
    pub(crate) fn new(chart: &'c Chart) -> Result<Self> {
        Self::within(chart, chart.dependencies.is_empty())
    }

    fn within(chart: &'c Chart, is_alone: bool) -> Result<Self> {
        let values = match &chart.values {
            None => None,
            Some(values) if is_alone => Some(Defaults::Read(values)),
            Some(values) => Some(Defaults::Table(table(values, chart)?)),
        };
        let dependencies =
            chart.dependencies.iter().map(|chart| Tree::within(chart, false)).collect::<Result<_>>()?;
        Ok(Self { chart, metadata: chart.metadata.clone(), values, dependencies, is_declared: false })
    }

    /// The paths of its subcharts, with each the path under which those lie that nobody declares, when its own are these.
    ///
    /// Helm 3 has one copy of such a subchart for all aliases of its parent: it lies under the last one, or where the parent
    /// declares nothing, under the name that the parent has without an alias.
    pub(crate) fn subchart_paths(
        &self,
        path: &str,
        undeclared: &str,
        profile: Profile,
    ) -> Vec<(String, String)> {
        let path_of = |subchart: &Self| {
            let parent = if subchart.is_declared { path } else { undeclared };
            format!("{parent}/charts/{}", subchart.metadata.name)
        };
        let undeclared_of = |subchart: &Self| {
            if !profile.is_v3() || !subchart.is_declared {
                return path_of(subchart);
            }
            if subchart.chart.metadata.dependencies.is_none() {
                return format!("{path}/charts/{}", subchart.chart.name());
            }
            let is_same = |other: &&Self| other.is_declared && std::ptr::eq(other.chart, subchart.chart);
            self.dependencies.iter().rfind(is_same).map_or_else(|| path_of(subchart), path_of)
        };
        self.dependencies.iter().map(|subchart| (path_of(subchart), undeclared_of(subchart))).collect()
    }

    /// Whether only its partials count.
    pub(crate) fn is_library(&self) -> bool {
        self.metadata.kind.eq_ignore_ascii_case("library")
    }
}
