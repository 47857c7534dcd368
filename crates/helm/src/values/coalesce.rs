//! How the values of a user and the defaults of a chart and its subcharts become one.

use super::table::{as_table, deep_copy, remove_nulls};
use crate::Profile;
use crate::dependencies::Tree;
use crate::error::{Error, Result};
use crate::log;
use kapstan_diagnostic::Diagnostic;
use kapstan_gotemplate::{Map, Text, Value};

/// The key of what all charts see.
const GLOBAL: &str = "global";

/// Whether nulls go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nulls {
    /// A null takes out what it meets: what templates get to see.
    Remove,
    /// A null stays, because it will be met again.
    Keep,
}

/// Brings values together and collects what does not fit.
pub(crate) struct Coalescer {
    profile: Profile,
    nulls: Nulls,
    pub(crate) warnings: Vec<Diagnostic>,
}

impl Coalescer {
    pub(crate) fn new(profile: Profile, nulls: Nulls) -> Self {
        Self { profile, nulls, warnings: Vec::new() }
    }

    /// The values of a chart and, inside, of its subcharts; `over` wins and stays as it is.
    ///
    /// Fails where what should be the values of a subchart is no table.
    pub(crate) fn chart(&mut self, chart: &Tree, over: &Map) -> Result<Map> {
        let values = deep_copy(over);
        self.level(chart, &values, "")?;
        Ok(values)
    }

    fn level(&mut self, chart: &Tree, values: &Map, prefix: &str) -> Result<()> {
        self.defaults(chart, values, prefix)?;
        let prefix = concat(prefix, &chart.metadata.name);
        for subchart in &chart.dependencies {
            let name = &subchart.metadata.name;
            let inner = match values.get(name) {
                None => {
                    let new = Map::new();
                    values.insert(name.as_str(), Value::Map(new.clone()));
                    new
                }
                Some(Value::Map(map)) => map,
                Some(other) => {
                    let shown = super::show::as_bool(&other);
                    let text = format!("type mismatch on {name}: {shown}");
                    return Err(Error::new("helm::type-mismatch", text));
                }
            };
            self.globals(&inner, values, &prefix);
            self.level(subchart, &inner, &prefix)?;
        }
        Ok(())
    }

    /// Adds what a chart has for default.
    fn defaults(&mut self, chart: &Tree, values: &Map, prefix: &str) -> Result<()> {
        let prefix = concat(prefix, &chart.metadata.name);
        let Some(defaults) = &chart.values else { return Ok(()) };
        let cleans = self.nulls == Nulls::Remove && !self.profile.is_v3();
        for (key, default) in defaults.copy(chart.chart)?.snapshot() {
            match values.get(&key) {
                None if cleans && matches!(default, Value::Nil) => {}
                None => {
                    if cleans && let Value::Map(table) = &default {
                        remove_nulls(table);
                    }
                    values.insert(key, default);
                }
                Some(Value::Nil) if self.nulls == Nulls::Remove => {
                    values.remove(&key);
                }
                Some(Value::Map(over)) => self.default_table(chart, &key, &over, default, &prefix),
                Some(_) => {}
            }
        }
        Ok(())
    }

    fn default_table(&mut self, chart: &Tree, key: &Text, over: &Map, default: Value, prefix: &str) {
        let Value::Map(default) = default else {
            if !matches!(default, Value::Nil) {
                self.warn(237, &format!("warning: skipped value for {prefix}.{key}: Not a table."));
            }
            return;
        };
        // Nulls for a subchart are still to meet that chart's own defaults.
        let is_subchart = chart.dependencies.iter().any(|subchart| *key == subchart.metadata.name.as_str());
        let nulls = if is_subchart { Nulls::Keep } else { self.nulls };
        if nulls == Nulls::Remove && !self.profile.is_v3() {
            remove_nulls(&default);
        }
        self.tables(over, &default, &concat(prefix, &key.to_str()), nulls);
    }

    /// Merges `under` into `over`, which wins. Both may change.
    pub(crate) fn tables(&mut self, over: &Map, under: &Map, prefix: &str, nulls: Nulls) {
        let had_value: Vec<Text> =
            under.entries().iter().filter(|(_, value)| !value.is_nil()).map(|(key, _)| key.clone()).collect();
        let nulls_over: Vec<Text> =
            over.entries().iter().filter(|(_, value)| value.is_nil()).map(|(key, _)| key.clone()).collect();
        for key in nulls_over {
            under.insert(key, Value::Nil);
        }
        for (key, value) in under.snapshot() {
            match (over.get(&key), &value) {
                (Some(Value::Nil), _) if nulls == Nulls::Remove && had_value.binary_search(&key).is_ok() => {
                    over.remove(&key);
                }
                (None, _) => over.insert(key, value),
                (Some(Value::Map(over)), Value::Map(under)) => {
                    self.tables(&over, under, &concat(prefix, &key.to_str()), nulls);
                }
                (Some(_), Value::Map(_)) => {
                    let path = concat(prefix, &key.to_str());
                    let shown = super::show::plain(&value);
                    self.warn(
                        316,
                        &format!("warning: cannot overwrite table with non table for {path} ({shown})"),
                    );
                }
                (Some(over), value) if as_table(&over).is_some() && !value.is_nil() => {
                    let path = concat(prefix, &key.to_str());
                    let shown = super::show::plain(value);
                    let text = format!(
                        "warning: destination for {path} is a table. Ignoring non-table value ({shown})"
                    );
                    self.warn(319, &text);
                }
                _ => {}
            }
        }
    }

    /// Lets what all charts see flow down into the values of a subchart.
    ///
    /// As in Helm a table among them is copied one level deep only: what lies deeper is the same in all charts, and gets
    /// what any of them adds.
    fn globals(&mut self, values: &Map, parent: &Map, prefix: &str) {
        let own = match values.get(GLOBAL) {
            None => Map::new(),
            Some(Value::Map(map)) => map,
            Some(_) => {
                return self
                    .warn(138, "warning: skipping globals because destination global is not a table.");
            }
        };
        let above = match parent.get(GLOBAL) {
            None => Map::new(),
            Some(Value::Map(map)) => map,
            Some(_) => {
                return self.warn(145, "warning: skipping globals because source global is not a table.");
            }
        };
        for (key, value) in above.snapshot() {
            match (&value, own.get(&key)) {
                (Value::Map(table), None) => own.insert(key, Value::Map(table.shallow_copy())),
                (Value::Map(table), Some(Value::Map(known))) => {
                    let copy = table.shallow_copy();
                    self.tables(&copy, &known, &concat(prefix, &key.to_str()), Nulls::Keep);
                    own.insert(key, Value::Map(copy));
                }
                (Value::Map(_), Some(_)) => {
                    let quoted = crate::go::quote(&key.to_str());
                    self.warn(
                        161,
                        &format!("Conflict: cannot merge map onto non-map for {quoted}. Skipping."),
                    );
                }
                (_, Some(Value::Map(_))) => self.warn(175, &format!("key {key} is table. Skipping")),
                _ => own.insert(key, value),
            }
        }
        values.insert(GLOBAL, Value::Map(own));
    }

    /// Says what does not fit; the line is that of Helm 3's `coalesce.go`, which it prints.
    fn warn(&mut self, line: u16, text: &str) {
        let place = format!("coalesce.go:{line}");
        self.warnings.push(log::printed(self.profile, "helm::values", &place, text));
    }
}

fn concat(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") }
}
