use super::flags::{DependencyFlags, GlobalFlags, ShowFlags, TemplateFlags, ValueFlags, truth};
use crate::cli::arguments::{Color, MessageFormat, OutputFormat};
use crate::cli::examples;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// The command line of a program that is called `helm`.
#[derive(Debug, Parser)]
#[command(
    name = "helm",
    about = "Renders Helm charts as Helm does, offline: this is kapstan.",
    disable_version_flag = true,
    disable_help_subcommand = true,
    args_override_self = true
)]
pub(crate) struct HelmProgram {
    #[command(flatten)]
    pub(crate) helm: HelmArguments,
    /// When messages are coloured: auto, always or never
    #[arg(long, alias = "colour", value_enum, default_value = "auto", global = true, value_name = "WHEN")]
    #[arg(hide_possible_values = true)]
    pub(crate) color: Color,
    /// How messages are written where they are not Helm's: text or json
    #[arg(long, value_enum, default_value = "text", global = true, value_name = "FORMAT", hide = true)]
    pub(crate) message_format: MessageFormat,
}

#[derive(Debug, Args)]
pub(crate) struct HelmArguments {
    #[command(flatten)]
    pub(crate) global: HelmGlobal,
    #[command(subcommand)]
    pub(crate) command: Option<HelmCommand>,
}

/// What every command below `helm` takes.
#[derive(Debug, Args)]
pub(crate) struct HelmGlobal {
    /// Which Helm to follow: 4.2 or 3; also `helm-compat` in .kapitan, KAPSTAN_HELM_COMPAT [default: 4.2]
    #[arg(long, global = true, value_name = "VERSION", value_parser = ["4.2", "4", "3"], hide_possible_values = true)]
    pub(crate) helm_compat: Option<String>,
    /// Word errors as Helm does, in one line
    #[arg(long, global = true, action = ArgAction::SetTrue)]
    pub(crate) helm_errors: bool,
    #[command(flatten)]
    pub(crate) flags: GlobalFlags,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HelmCommand {
    /// Render a chart and print its manifests
    #[command(after_help = examples::HELM_TEMPLATE)]
    Template(Box<TemplateArguments>),
    /// Check a chart for problems
    Lint(Box<LintArguments>),
    /// Show what a chart holds
    #[command(visible_alias = "inspect")]
    Show(ShowArguments),
    /// Pack a chart folder into an archive
    Package(PackageArguments),
    /// Look at the charts that a chart depends on, or bring them together
    #[command(visible_aliases = ["dep", "dependencies"])]
    Dependency(DependencyArguments),
    /// List values that nobody declares or reads
    Values(Box<ValuesArguments>),
    /// Print the version of Helm that is followed
    Version(VersionArguments),
    /// What else Helm has.
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

#[derive(Debug, Args)]
pub(crate) struct TemplateArguments {
    /// The release's name, then the chart: a folder or an archive
    #[arg(value_name = "[NAME] CHART")]
    pub(crate) words: Vec<String>,
    #[command(flatten)]
    pub(crate) flags: TemplateFlags,
}

#[derive(Debug, Args)]
pub(crate) struct LintArguments {
    /// The charts: folders or archives
    #[arg(value_name = "CHART")]
    pub(crate) charts: Vec<String>,
    /// Fail on warnings too
    #[arg(long, action = ArgAction::Set, num_args = 0..=1, require_equals = true, value_name = "BOOL", value_parser = truth)]
    #[arg(default_missing_value = "true", default_value = "false", hide_default_value = true)]
    pub(crate) strict: bool,
    /// Lint the charts under charts/ too
    #[arg(long, action = ArgAction::Set, num_args = 0..=1, require_equals = true, value_name = "BOOL", value_parser = truth)]
    #[arg(default_missing_value = "true", default_value = "false", hide_default_value = true)]
    pub(crate) with_subcharts: bool,
    /// Only say what is wrong
    #[arg(long, action = ArgAction::Set, num_args = 0..=1, require_equals = true, value_name = "BOOL", value_parser = truth)]
    #[arg(default_missing_value = "true", default_value = "false", hide_default_value = true)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) flags: ValueFlags,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// What to show
    #[arg(value_enum)]
    pub(crate) what: Option<Shown>,
    /// The chart: a folder or an archive
    pub(crate) chart: Vec<String>,
    /// Print only what a JSONPath template makes of the values: {.image.tag}
    #[arg(long = "jsonpath", value_name = "TEMPLATE")]
    pub(crate) json_path: Option<String>,
    #[command(flatten)]
    pub(crate) flags: ShowFlags,
}

/// A part of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shown {
    /// Everything
    All,
    /// Chart.yaml
    Chart,
    /// Custom resource definitions
    Crds,
    /// The README
    Readme,
    /// values.yaml
    Values,
}

impl Shown {
    /// The word for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Chart => "chart",
            Self::Crds => "crds",
            Self::Readme => "readme",
            Self::Values => "values",
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct PackageArguments {
    /// The charts: folders
    #[arg(value_name = "CHART")]
    pub(crate) charts: Vec<String>,
    /// The folder for the archives
    #[arg(long, short, value_name = "FOLDER", default_value = ".")]
    pub(crate) destination: PathBuf,
    /// Set the chart's version
    #[arg(long, value_name = "VERSION")]
    pub(crate) version: Option<String>,
    /// Set the version of what the chart installs
    #[arg(long, value_name = "VERSION")]
    pub(crate) app_version: Option<String>,
    /// Bring together what the charts depend on, as `helm dependency update` does
    #[arg(long, short = 'u', action = ArgAction::Set, num_args = 0..=1, require_equals = true, value_name = "BOOL", value_parser = truth)]
    #[arg(default_missing_value = "true", default_value = "false", hide_default_value = true)]
    pub(crate) dependency_update: bool,
    #[command(flatten)]
    pub(crate) flags: DependencyFlags,
}

#[derive(Debug, Args)]
pub(crate) struct DependencyArguments {
    #[command(subcommand)]
    pub(crate) command: Option<DependencyCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DependencyCommand {
    /// List them, and whether each is there
    #[command(visible_alias = "ls")]
    List(DependencyListArguments),
    /// Bring the charts together that Chart.lock names
    Build(DependencyBuildArguments),
    /// Choose versions, bring the charts together and write Chart.lock
    #[command(visible_alias = "up")]
    Update(DependencyBuildArguments),
    /// What else Helm has.
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

#[derive(Debug, Args)]
pub(crate) struct DependencyListArguments {
    /// The chart: a folder or an archive [default: this folder]
    pub(crate) chart: Option<String>,
    /// How wide a column may be
    #[arg(long, value_name = "CHARACTERS", default_value_t = 80)]
    pub(crate) max_col_width: usize,
}

#[derive(Debug, Args)]
pub(crate) struct DependencyBuildArguments {
    /// The chart: a folder [default: this folder]
    pub(crate) chart: Vec<String>,
    #[command(flatten)]
    pub(crate) flags: DependencyFlags,
}

#[derive(Debug, Args)]
pub(crate) struct ValuesArguments {
    /// The chart: a folder or an archive
    pub(crate) chart: String,
    /// List what is set and not declared, and what is declared and not read
    #[arg(long, required = true)]
    pub(crate) unused: bool,
    /// How the result is written
    #[arg(long, short, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) output: OutputFormat,
    #[command(flatten)]
    pub(crate) flags: ValueFlags,
}

#[derive(Debug, Args)]
pub(crate) struct VersionArguments {
    /// Nothing: what stands there is refused
    #[arg(hide = true)]
    pub(crate) words: Vec<String>,
    /// Only the number
    #[arg(long, action = ArgAction::Set, num_args = 0..=1, require_equals = true, value_name = "BOOL", value_parser = truth)]
    #[arg(default_missing_value = "true", default_value = "false", hide_default_value = true)]
    pub(crate) short: bool,
    /// Accepted as Helm does, without effect
    #[arg(long, short, hide = true, action = ArgAction::Set, num_args = 0..=1, require_equals = true, value_name = "BOOL", value_parser = truth)]
    #[arg(default_missing_value = "true", default_value = "false", hide_default_value = true)]
    pub(crate) client: bool,
    /// Print it with a Go template: {{.Version}}
    #[arg(long, value_name = "TEMPLATE")]
    pub(crate) template: Option<String>,
}
