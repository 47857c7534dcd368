//! From a chart and values to manifests.

mod failure;
mod functions;
mod lookup;
mod options;
mod templates;
mod text;

pub use options::RenderOptions;
pub use text::render_text;

use crate::capabilities::{Capabilities, KubeVersion};
use crate::chart::{Chart, File};
use crate::dependencies::{self, Tree};
use crate::error::{Error, Result};
use crate::manifests::{Manifest, Rendered, RenderedFile, sort};
use crate::objects;
use crate::values::{Coalescer, Nulls, check_schemas, table_of};
use crate::{Profile, check_release_name, go, log, version};
use kapstan_diagnostic::Diagnostic;
use kapstan_document::Node;
use kapstan_gotemplate::{LARGE_STACK, Map, Value, on_large_stack};
use templates::Templates;

/// Renders a chart with the values of a user, which are a mapping ([`crate::user_values`]).
///
/// What comes out is what `helm template` prints, in parts. Fails as Helm fails, with its texts; nothing of a failed
/// rendering counts. Runs on a thread of its own with a large stack.
pub fn render(chart: &Chart, values: &Node, options: &RenderOptions<'_>) -> Result<Rendered> {
    on_large_stack(LARGE_STACK + (16 << 20), || render_here(chart, values, options))
        .unwrap_or_else(|error| Err(Error::new("helm::no-thread", format!("no room for a thread: {error}"))))
}

/// Refuses charts that are there for others to use.
pub fn check_installable(chart: &Chart) -> Result<()> {
    match chart.metadata.kind.as_str() {
        "" | "application" => Ok(()),
        kind => Err(Error::new("helm::not-installable", format!("{kind} charts are not installable"))),
    }
}

/// The output of every template for `helm lint`, in which a release that does not exist yet is neither an installation nor
/// an upgrade. None where dependencies or values do not come together, of which the linter says nothing.
pub(crate) fn render_for_lint(
    chart: &Chart,
    values: &Node,
    options: &RenderOptions<'_>,
) -> Option<Result<Vec<RenderedFile>>> {
    let options = RenderOptions { release_name: "test-release".to_owned(), lint: true, ..options.clone() };
    on_large_stack(LARGE_STACK + (16 << 20), || lint_here(chart, values, &options)).ok().flatten()
}

fn lint_here(chart: &Chart, values: &Node, options: &RenderOptions<'_>) -> Option<Result<Vec<RenderedFile>>> {
    let capabilities = capabilities(options).ok()?;
    let user = table_of(values).ok()?;
    let mut tree = Tree::new(chart).ok()?;
    dependencies::process(&mut tree, &user, options.profile, &mut Vec::new()).ok()?;
    // Helm brings values together twice here, so that what a null took out comes back.
    let once = Coalescer::new(options.profile, Nulls::Remove).chart(&tree, &user).ok()?;
    let merged = match Coalescer::new(options.profile, Nulls::Remove).chart(&tree, &once) {
        Ok(merged) => merged,
        Err(error) => return Some(Err(error)),
    };
    if !options.skip_schema
        && let Err(error) = check_schemas(&tree, &merged)
    {
        return Some(Err(error));
    }
    Some(gathered(&tree, &merged, &capabilities, options).render(options))
}

fn render_here(chart: &Chart, values: &Node, options: &RenderOptions<'_>) -> Result<Rendered> {
    let capabilities = capabilities(options)?;
    check_installable(chart)?;
    let mut warnings = Vec::new();
    let rendered = render_checked(chart, values, &capabilities, options, &mut warnings);
    match rendered {
        Ok(rendered) => Ok(Rendered { warnings, ..rendered }),
        Err(error) => Err(error.after(warnings)),
    }
}

/// Renders a chart that may be installed; the warnings are added, also where it fails.
fn render_checked(
    chart: &Chart,
    values: &Node,
    capabilities: &Capabilities,
    options: &RenderOptions<'_>,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Rendered> {
    warnings.extend(chart.all_warnings());
    if chart.metadata.deprecated {
        warnings.push(deprecated(chart, options.profile));
    }
    dependencies::check(chart, options.profile)?;
    check_release_name(&options.release_name, options.profile)?;
    let user = table_of(values).map_err(|error| Error::new("helm::values-too-deep", error.to_string()))?;
    let mut tree = Tree::new(chart)?;
    dependencies::process(&mut tree, &user, options.profile, warnings).map_err(|error| {
        if options.profile.is_v3() { error } else { error.within("chart dependencies processing failed") }
    })?;
    let mut coalescer = Coalescer::new(options.profile, Nulls::Remove);
    let merged = coalescer.chart(&tree, &user);
    warnings.append(&mut coalescer.warnings);
    let merged = merged?;
    if !options.skip_schema {
        check_schemas(&tree, &merged)?;
    }
    let files = files(&tree, &merged, capabilities, options).map_err(|error| {
        if error.rendered().is_some() { error } else { error.with_rendered("\n".to_owned()) }
    })?;
    finish(&tree, files, warnings, options)
}

/// The output of every template.
fn files(
    tree: &Tree<'_>,
    values: &Map,
    capabilities: &Capabilities,
    options: &RenderOptions<'_>,
) -> Result<Vec<RenderedFile>> {
    check_kube_version(tree, capabilities, options)?;
    gathered(tree, values, capabilities, options).render(options)
}

/// The templates of all charts with what they see.
fn gathered(
    tree: &Tree<'_>,
    values: &Map,
    capabilities: &Capabilities,
    options: &RenderOptions<'_>,
) -> Templates {
    let top = Top { capabilities: objects::capabilities(capabilities), release: release(options), options };
    let mut templates = Templates::default();
    let paths = (tree.metadata.name.clone(), tree.metadata.name.clone());
    top.chart(tree, Value::Map(objects::as_values(values, options.profile)), &paths, true, &mut templates);
    templates
}

/// What happens to the output of templates.
fn finish(
    tree: &Tree<'_>,
    files: Vec<RenderedFile>,
    warnings: &mut Vec<Diagnostic>,
    options: &RenderOptions<'_>,
) -> Result<Rendered> {
    const NOTES: &str = "NOTES.txt";
    let (notes, files): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| file.path.ends_with(NOTES));
    let own = go::join(&tree.metadata.name, "templates/NOTES.txt");
    let shown = notes.iter().filter(|file| options.subchart_notes || file.path == own);
    let shown: Vec<_> = shown.map(|file| String::from_utf8_lossy(&file.text)).collect();
    let mut sorted = sort(files, options)?;
    warnings.append(&mut sorted.warnings);
    let mut crds = Vec::new();
    if options.include_crds {
        let name = &tree.metadata.name;
        take_crds(tree, &(name.clone(), name.clone()), options.profile, &mut crds);
    }
    Ok(Rendered {
        crds,
        manifests: sorted.manifests,
        hooks: sorted.hooks,
        notes: shown.join("\n"),
        warnings: Vec::new(),
        profile: options.profile,
        post_rendered: None,
    })
}

fn capabilities(options: &RenderOptions<'_>) -> Result<Capabilities> {
    let mut capabilities = Capabilities::assumed(options.profile);
    if let Some(version) = options.kube_version.as_deref().filter(|version| !version.is_empty()) {
        capabilities.kube_version = KubeVersion::parse(version, options.profile)?;
    }
    capabilities.api_versions.extend(options.api_versions.iter().cloned());
    Ok(capabilities)
}

fn check_kube_version(
    tree: &Tree<'_>,
    capabilities: &Capabilities,
    options: &RenderOptions<'_>,
) -> Result<()> {
    let wanted = &tree.metadata.kube_version;
    let KubeVersion { version, normalized, .. } = &capabilities.kube_version;
    let given = if options.profile.is_v3() { version } else { normalized };
    if wanted.is_empty() || version::is_in_range(wanted, given) {
        return Ok(());
    }
    let text =
        format!("chart requires kubeVersion: {wanted} which is incompatible with Kubernetes {version}");
    let diagnostic = Diagnostic::error(
        "helm::kube-version",
        format!("chart `{}` needs Kubernetes `{wanted}`, not `{version}`", tree.metadata.name),
    );
    Err(Error::with_peer(diagnostic.with_hint("`--kube-version` says which one is meant"), text))
}

fn deprecated(chart: &Chart, profile: Profile) -> Diagnostic {
    let line = if profile.is_v3() {
        "WARNING: This chart is deprecated".to_owned()
    } else {
        log::record("WARN", "this chart is deprecated", &[])
    };
    Diagnostic::warning("helm::deprecated", format!("chart `{}` is deprecated", chart.name()))
        .with_peer_text(line)
}

fn release(options: &RenderOptions<'_>) -> Value {
    Value::map([
        ("Name", Value::str(&options.release_name)),
        ("Namespace", Value::str(&options.namespace)),
        ("IsUpgrade", Value::Bool(options.is_upgrade)),
        ("IsInstall", Value::Bool(!options.is_upgrade && !options.lint)),
        ("Revision", Value::Int(i64::from(!options.lint))),
        ("Service", Value::str("Helm")),
    ])
}

/// What all charts of a rendering have in common.
struct Top<'o> {
    capabilities: Value,
    release: Value,
    options: &'o RenderOptions<'o>,
}

impl Top<'_> {
    /// Gathers the templates of a chart and its subcharts; what templates of the chart see is returned.
    /// Its paths are those of [`Tree::subchart_paths`].
    fn chart(
        &self,
        tree: &Tree<'_>,
        values: Value,
        paths: &(String, String),
        is_root: bool,
        templates: &mut Templates,
    ) -> Map {
        let profile = self.options.profile;
        let (path, undeclared) = paths;
        let subcharts = Map::new();
        let top = Map::from_entries([
            ("Chart", objects::chart(&tree.metadata, is_root, profile)),
            ("Files", objects::files(&tree.chart.files, profile)),
            ("Release", self.release.clone()),
            ("Capabilities", self.capabilities.clone()),
            ("Values", values.clone()),
            ("Subcharts", Value::Map(subcharts.clone())),
        ]);
        for (subchart, paths) in tree.dependencies.iter().zip(tree.subchart_paths(path, undeclared, profile))
        {
            let name = &subchart.metadata.name;
            let inner = match values.as_map().and_then(|values| values.get(name)) {
                Some(Value::Map(inner)) => inner,
                _ => Map::new(),
            };
            let inner = Value::Map(objects::as_values(&inner, profile));
            let top = self.chart(subchart, inner, &paths, false, templates);
            subcharts.insert(name.as_str(), Value::Map(top));
        }
        for file in &tree.chart.templates {
            if !tree.is_library() || go::base(&file.name).starts_with('_') {
                let data = objects::as_values(&top, profile);
                templates.add(go::join(path, &file.name), file, data, go::join(path, "templates"));
            }
        }
        top
    }
}

fn is_crd(name: &str) -> bool {
    let extension = go::extension(name).to_lowercase();
    name.starts_with("crds/") && matches!(extension.as_str(), ".yaml" | ".yml" | ".json")
}

/// The files under `crds/` of a chart, then those of its subcharts.
pub(crate) fn crd_files(chart: &Chart) -> Vec<&File> {
    let own = chart.files.iter().filter(|file| is_crd(&file.name));
    own.chain(chart.dependencies.iter().flat_map(|subchart| crd_files(subchart))).collect()
}

/// The same of a chart whose dependencies are processed.
fn take_crds(tree: &Tree<'_>, paths: &(String, String), profile: Profile, crds: &mut Vec<Manifest>) {
    let (path, undeclared) = paths;
    for file in tree.chart.files.iter().filter(|file| is_crd(&file.name)) {
        crds.push(Manifest {
            path: go::join(path, &file.name),
            content: String::from_utf8_lossy(&file.data).into_owned(),
            api_version: String::new(),
            kind: "CustomResourceDefinition".to_owned(),
            name: String::new(),
        });
    }
    for (subchart, paths) in tree.dependencies.iter().zip(tree.subchart_paths(path, undeclared, profile)) {
        take_crds(subchart, &paths, profile, crds);
    }
}
