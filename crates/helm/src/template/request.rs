use crate::{OutputOptions, ValueOptions};

/// What `helm template` is asked for, beside the chart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The release's name, where one is given.
    pub name: Option<String>,
    /// `--generate-name`
    pub generate_name: bool,
    /// `--name-template`
    pub name_template: Option<String>,
    /// `--namespace`
    pub namespace: Option<String>,
    /// `--debug`
    pub is_debug: bool,
    /// `--is-upgrade`
    pub is_upgrade: bool,
    /// Where values come from.
    pub values: ValueOptions,
    /// `--skip-schema-validation`
    pub skip_schema_validation: bool,
    /// `--kube-version`
    pub kube_version: Option<String>,
    /// `--api-versions`
    pub api_versions: Vec<String>,
    /// `--include-crds`
    pub include_crds: bool,
    /// `--skip-tests`
    pub skip_tests: bool,
    /// `--no-hooks`
    pub no_hooks: bool,
    /// `--show-only`
    pub show_only: Vec<String>,
    /// `--output-dir`
    pub output_dir: Option<String>,
    /// `--release-name`
    pub release_name: bool,
    /// `--dependency-update`
    pub updates_dependencies: bool,
    /// `--enable-dns`
    pub enable_dns: bool,
    /// `--seed`: what random values are drawn from.
    pub seed: Option<String>,
    /// `--post-renderer`
    pub post_renderer: Option<String>,
    /// `--post-renderer-args`
    pub post_renderer_arguments: Vec<String>,
}

impl Request {
    /// What of the rendering is printed.
    pub fn output(&self) -> OutputOptions {
        OutputOptions { no_hooks: self.no_hooks, skip_tests: self.skip_tests }
    }
}
