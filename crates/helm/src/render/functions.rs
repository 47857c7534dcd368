use super::lookup::{LOOKUP, lookup};
use super::options::RenderOptions;
use kapstan_gotemplate::functions::{helm, sprig};
use kapstan_gotemplate::{Functions, Value};

/// What Helm 4 added.
const NOT_IN_HELM_3: [&str; 2] = ["mustToYaml", "mustToToml"];

/// The functions that templates of charts may call.
pub(super) fn functions(options: &RenderOptions<'_>) -> Functions {
    let functions = sprig::functions().with(helm::ROWS);
    let functions = if options.profile.is_v3() { functions.without(&NOT_IN_HELM_3) } else { functions };
    let functions = if options.lint { functions.with(helm::LINT_ROWS) } else { functions };
    let objects: Vec<Value> = lookup_objects(options);
    functions.with_closure(LOOKUP, move |call| lookup(&objects, call))
}

fn lookup_objects(options: &RenderOptions<'_>) -> Vec<Value> {
    let objects = options.objects.iter().filter(|_| !options.lint);
    objects.filter_map(|object| crate::values::value_of(object).ok()).collect()
}
