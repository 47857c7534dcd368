use super::{LintSeverity, Linter};
use crate::values::{Coalescer, Nulls, schema_problem, table_of};
use crate::yaml;
use kapstan_document::yaml::go;

const FILE: &str = "values.yaml";

/// Whether the values are a mapping, and what the schema has against them.
pub(super) fn check(linter: &mut Linter<'_>) {
    let data = linter.read(FILE);
    let missing = data.is_none().then(|| "file does not exist".to_owned());
    if !linter.rule(LintSeverity::Info, FILE, missing) {
        return;
    }
    let problem = problem(linter, &data.unwrap_or_default());
    linter.error(FILE, problem);
}

fn problem(linter: &Linter<'_>, data: &[u8]) -> Option<String> {
    let source = linter.options.sources.add(FILE, data);
    let go_type = if linter.profile().is_v3() { "chartutil.Values" } else { "common.Values" };
    let read = yaml::read(data, source).map_err(|error| error.text);
    let read = read.and_then(|node| go::expect_map(node, go_type).map_err(|error| error.to_string()));
    let defaults = match read {
        Ok(node) => yaml::with_doubles(node),
        Err(problem) => return Some(format!("unable to parse YAML: {problem}")),
    };
    let schema = linter.read("values.schema.json").filter(|schema| !schema.is_empty())?;
    if linter.options.skip_schema && !linter.profile().is_v3() {
        return None;
    }
    let (values, defaults) = (table_of(linter.values).ok()?, table_of(&defaults).ok()?);
    Coalescer::new(linter.profile(), Nulls::Remove).tables(&values, &defaults, "", Nulls::Remove);
    schema_problem(&schema, &values)
}
