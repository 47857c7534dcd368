use crate::chart::Chart;
use std::collections::HashMap;

/// Which charts were met already.
///
/// A chart that stands in the tree under several aliases has one list of declarations in Helm 3: what the first copy
/// changes there, names that become aliases and imports that are done, the next one finds changed.
#[derive(Default)]
pub(super) struct Copies(HashMap<*const Chart, usize>);

impl Copies {
    /// Whether the chart was met before; from now on it was.
    pub(super) fn is_another(&mut self, chart: &Chart) -> bool {
        let count = self.0.entry(std::ptr::from_ref(chart)).or_default();
        *count += 1;
        *count > 1
    }

    /// Whether the chart was met more than once.
    pub(super) fn has_several(&self, chart: &Chart) -> bool {
        self.0.get(&std::ptr::from_ref(chart)).is_some_and(|count| *count > 1)
    }
}
