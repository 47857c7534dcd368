use crate::Profile;
use kapstan_diagnostic::Sources;
use kapstan_document::Node;
use kapstan_gotemplate::functions::sprig::Host;

/// How a chart is rendered.
#[derive(Clone)]
pub struct RenderOptions<'o> {
    /// Which Helm is followed.
    pub profile: Profile,
    /// `.Release.Name`
    pub release_name: String,
    /// `.Release.Namespace`
    pub namespace: String,
    /// Whether this is an upgrade and no installation (`--is-upgrade`).
    pub is_upgrade: bool,
    /// Whether CRDs are part of the output (`--include-crds`).
    pub include_crds: bool,
    /// Whether the notes of subcharts count (`--render-subchart-notes`).
    pub subchart_notes: bool,
    /// Whether values are not checked against schemas (`--skip-schema-validation`).
    pub skip_schema: bool,
    /// Whether a missing key of values is an error, as under `helm lint --strict`.
    pub strict: bool,
    /// Whether `required` and `fail` let things pass, as under `helm lint`.
    pub lint: bool,
    /// API versions beyond those that Helm assumes (`--api-versions`).
    pub api_versions: Vec<String>,
    /// The version of Kubernetes (`--kube-version`); none is what Helm assumes.
    pub kube_version: Option<String>,
    /// What `lookup` finds: objects of a cluster; offline there are none.
    pub objects: &'o [Node],
    /// Makes the clock and the randomness that functions get.
    pub host: &'o (dyn Fn() -> Host + Sync),
    /// Where the files that messages point into are kept.
    pub sources: &'o Sources,
    /// How many threads may read what large charts render.
    pub threads: usize,
}

impl<'o> RenderOptions<'o> {
    /// As `helm template NAME CHART` without flags.
    pub fn new(
        release_name: impl Into<String>,
        host: &'o (dyn Fn() -> Host + Sync),
        sources: &'o Sources,
    ) -> Self {
        Self {
            profile: Profile::default(),
            release_name: release_name.into(),
            namespace: "default".to_owned(),
            is_upgrade: false,
            include_crds: false,
            subchart_notes: false,
            skip_schema: false,
            strict: false,
            lint: false,
            api_versions: Vec::new(),
            kube_version: None,
            objects: &[],
            host,
            sources,
            threads: 1,
        }
    }
}
