use super::examples;
use super::helm::{HelmArguments, ValueFlags};
use super::itself::ItselfArguments;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// The one command table: help, completions and manual come from it.
#[derive(Debug, Parser)]
#[command(
    name = "kapstan",
    about = "Turns configuration sources into checked Kubernetes manifests, offline.",
    disable_version_flag = true,
    disable_help_subcommand = true,
    infer_long_args = true,
    args_override_self = true,
    subcommand_required = false,
    help_template = HELP
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// The commands by what one wants to do: clap's own list knows no tasks.
const HELP: &str = "\
{about}

Usage: kapstan COMMAND [OPTIONS]

Make the manifests:
  compile    c   Compile targets into compiled/
  list           List targets and their labels
  helm           Render Helm charts

Understand the inventory:
  inventory  i   Show the inventory, and where its values come from
  searchvar  sv  Find the files that declare a variable

Keep secrets as references:
  refs       r   Write, reveal, update and validate references

Keep the repository in order:
  lint       l   Check inventory files, classes and references
  init           Start a repository from a working skeleton

Evaluate one file:
  eval       e   Evaluate a jsonnet file
  template       Run a Go template with values

Work with Argo CD:
  argocd         Generate manifests as its plugin

The program itself:
  self           Update it, go back, remove it, show its version
  completions    Print what a shell needs to complete commands
  man            Print or write the manual pages

Options:
{options}

`kapstan COMMAND --help` explains a command and shows examples.
Kapitan's command lines work unchanged, and so does its `.kapitan`.";

#[derive(Debug, Args)]
pub(crate) struct Global {
    /// Print the version
    #[arg(long)]
    pub(crate) version: bool,
    /// How messages are written: text or json
    #[arg(long, value_enum, default_value = "text", global = true, value_name = "FORMAT")]
    #[arg(hide_possible_values = true, help_heading = "Messages", display_order = 900)]
    pub(crate) message_format: MessageFormat,
    /// When messages are coloured: auto, always or never
    #[arg(long, value_enum, default_value = "auto", global = true, value_name = "WHEN")]
    #[arg(hide_possible_values = true, help_heading = "Messages", display_order = 901)]
    pub(crate) color: Color,
    /// Accepted for scripts written for Kapitan; kapstan has no worker processes
    #[arg(long, hide = true, value_parser = ["spawn", "fork", "forkserver"])]
    pub(crate) mp_method: Option<String>,
    #[command(flatten)]
    pub(crate) profiling: Profiling,
}

/// Kapitan's profiler flags: accepted, without effect.
#[derive(Debug, Args)]
pub(crate) struct Profiling {
    #[arg(long, hide = true)]
    profile: bool,
    #[arg(long, hide = true)]
    profile_workers: bool,
    #[arg(long, hide = true)]
    profile_serial: bool,
    #[arg(long, hide = true, value_parser = ["html", "text", "json", "speedscope"])]
    profile_format: Option<String>,
    #[arg(long, hide = true)]
    profile_interval: Option<f64>,
    #[arg(long, hide = true)]
    profile_output_dir: Option<PathBuf>,
    #[arg(long, hide = true)]
    memory_profile: bool,
    #[arg(long, hide = true)]
    memory_profile_top: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MessageFormat {
    /// For people
    Text,
    /// One JSON object a line
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Compile targets into compiled/
    #[command(visible_alias = "c")]
    #[command(after_long_help = examples::COMPILE)]
    Compile(Box<CompileArguments>),
    /// List targets and their labels
    #[command(after_help = examples::LIST)]
    List(ListArguments),
    /// Show the inventory, or where its values come from
    #[command(visible_alias = "i")]
    #[command(after_long_help = examples::INVENTORY)]
    Inventory(InventoryArguments),
    /// Find the files that declare a variable
    #[command(visible_alias = "sv")]
    #[command(after_help = examples::SEARCHVAR)]
    Searchvar(SearchvarArguments),
    /// Write, reveal, update and validate references
    #[command(visible_alias = "r")]
    #[command(after_long_help = examples::REFS)]
    Refs(Box<RefsArguments>),
    /// Check inventory files, classes and references
    #[command(visible_alias = "l")]
    #[command(after_help = examples::LINT)]
    Lint(LintArguments),
    /// Start a repository from the skeleton that kapstan carries
    #[command(after_help = examples::INIT)]
    Init(InitArguments),
    /// Evaluate a jsonnet file
    #[command(visible_alias = "e")]
    #[command(after_help = examples::EVAL)]
    Eval(EvalArguments),
    /// Render Helm charts as Helm does
    #[command(after_help = examples::HELM)]
    Helm(Box<HelmArguments>),
    /// Run a Go template with values
    #[command(after_help = examples::TEMPLATE)]
    Template(Box<TemplateArguments>),
    /// Generate manifests for Argo CD, as its plugin
    #[command(after_help = examples::ARGOCD)]
    Argocd(ArgocdArguments),
    /// Update kapstan, go back, remove it, show its version
    #[command(name = "self", after_help = examples::SELF)]
    Itself(ItselfArguments),
    /// Print what a shell needs to complete commands
    #[command(after_help = examples::COMPLETIONS)]
    Completions(CompletionsArguments),
    /// Print or write the manual pages
    #[command(after_help = examples::MAN)]
    Man(ManArguments),
    /// Renamed to refs
    #[command(hide = true, alias = "s")]
    Secrets(SecretsArguments),
}

/// How the inventory is read; shared by several commands.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct BackendArguments {
    /// Whose rules the inventory follows: reclass or reclass-rs [default: reclass]
    #[arg(long, value_parser = ["reclass", "reclass-rs", "omegaconf"], hide_possible_values = true, value_name = "BACKEND", help_heading = "The inventory")]
    pub(crate) inventory_backend: Option<String>,
    /// Rewrite the inventory for the chosen backend: there is nothing to do for reclass and reclass-rs
    #[arg(long, help_heading = "Accepted as Kapitan does, without effect", hide_short_help = true)]
    pub(crate) migrate: bool,
    /// Name targets by their path below targets/, dots between
    #[arg(long, help_heading = "The inventory")]
    pub(crate) compose_target_name: bool,
    /// Expand patterns in classes: lists
    #[arg(long, help_heading = "The inventory")]
    pub(crate) enable_class_wildcards: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ArgocdArguments {
    #[command(subcommand)]
    pub(crate) command: ArgocdCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ArgocdCommand {
    /// Compile the targets of an application and print their manifests
    Generate,
}

#[derive(Debug, Args)]
pub(crate) struct CompileArguments {
    #[command(flatten)]
    pub(crate) backend: BackendArguments,
    /// Where inputs and imports are looked for [default: . lib]
    #[arg(long, short = 'J', num_args = 1.., value_name = "JPATH", help_heading = "Where things are")]
    pub(crate) search_paths: Option<Vec<PathBuf>>,
    /// A Python file of Jinja2 filters, which kapstan cannot run; also -J2F
    #[arg(long, value_name = "FPATH", help_heading = "Where things are")]
    pub(crate) jinja2_filters: Option<PathBuf>,
    /// Which Helm compile items follow: 4.2 or 3 [default: 4.2]
    #[arg(long, value_parser = ["4.2", "4", "3"], hide_possible_values = true, value_name = "VERSION")]
    pub(crate) helm_compat: Option<String>,
    /// Say more
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Pruning is a setting of each compile item
    #[arg(long, help_heading = "Accepted as Kapitan does, without effect", hide_short_help = true)]
    pub(crate) prune: bool,
    /// Say only what went wrong
    #[arg(long)]
    pub(crate) quiet: bool,
    /// The folder that holds compiled/ [default: .]
    #[arg(long, value_name = "PATH", help_heading = "Where things are")]
    pub(crate) output_path: Option<PathBuf>,
    /// Fetch dependencies first
    #[arg(long, help_heading = "Dependencies")]
    pub(crate) fetch: bool,
    /// Fetch dependencies again that are there
    #[arg(long, help_heading = "Dependencies")]
    pub(crate) force_fetch: bool,
    /// Deprecated; use --force-fetch
    #[arg(long, help_heading = "Accepted as Kapitan does, without effect", hide_short_help = true)]
    pub(crate) force: bool,
    /// Kapitan has no validation any more
    #[arg(long, help_heading = "Accepted as Kapitan does, without effect", hide_short_help = true)]
    pub(crate) validate: bool,
    /// How many targets are compiled at a time [default: one per CPU]
    #[arg(long, short, value_name = "INT", allow_negative_numbers = true)]
    pub(crate) parallelism: Option<i64>,
    /// Blanks of an indentation step in YAML and JSON [default: 2]
    #[arg(
        long,
        short,
        value_name = "INT",
        allow_negative_numbers = true,
        help_heading = "How files are written"
    )]
    pub(crate) indent: Option<i64>,
    /// The folder of references [default: ./refs]
    #[arg(long, value_name = "PATH", help_heading = "Where things are")]
    pub(crate) refs_path: Option<PathBuf>,
    /// Replace references by what they stand for (writes secrets in plain text)
    #[arg(long, overrides_with = "no_reveal", help_heading = "References")]
    pub(crate) reveal: bool,
    /// Keep references
    #[arg(long, overrides_with = "reveal", help_heading = "References")]
    pub(crate) no_reveal: bool,
    /// Put the content of reference files into the output
    #[arg(long, help_heading = "References")]
    pub(crate) embed_refs: bool,
    /// The inventory [default: ./inventory]
    #[arg(long, value_name = "PATH", help_heading = "Where things are")]
    pub(crate) inventory_path: Option<PathBuf>,
    /// Accepted, without effect: the inventory is always shared
    #[arg(long, value_name = "BOOL", hide = true)]
    pub(crate) inventory_pool_cache: Option<String>,
    /// Accepted, without effect: kapstan keeps no cache of results
    #[arg(long, short, hide = true)]
    pub(crate) cache: bool,
    /// Do not compare the version in .kapitan
    #[arg(long)]
    pub(crate) ignore_version_check: bool,
    /// Accepted: both jsonnet engines give the same result
    #[arg(long, hide = true)]
    pub(crate) use_go_jsonnet: bool,
    /// Accepted, without effect, as in Kapitan
    #[arg(long, value_name = "PATH", hide = true)]
    pub(crate) schemas_path: Option<PathBuf>,
    /// How strings of several lines are written: literal, folded or double-quotes [default: literal]
    #[arg(long, short = 'L', value_parser = ["literal", "folded", "double-quotes"], hide_possible_values = true, value_name = "STYLE", help_heading = "How files are written")]
    pub(crate) yaml_multiline_string_style: Option<String>,
    /// Write null as nothing
    #[arg(long, help_heading = "How files are written")]
    pub(crate) yaml_dump_null_as_empty: bool,
    /// Accepted: kapstan's own writer is used
    #[arg(long, hide = true)]
    pub(crate) yaml_use_rapidyaml: bool,
    /// Targets to compile [default: all]
    #[arg(long, short, num_args = 1.., value_name = "TARGET", conflicts_with = "labels", help_heading = "Which targets")]
    pub(crate) targets: Option<Vec<String>>,
    /// Compile the targets that have all of these labels
    #[arg(long, short, num_args = 0.., value_name = "KEY=VALUE", help_heading = "Which targets")]
    pub(crate) labels: Option<Vec<String>>,
    /// Show what would change in compiled/, and write nothing
    #[arg(long, help_heading = "Beyond Kapitan")]
    pub(crate) diff: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    pub(crate) backend: BackendArguments,
    /// The inventory [default: ./inventory]
    #[arg(long, value_name = "PATH")]
    pub(crate) inventory_path: Option<PathBuf>,
    /// Only the targets that have all of these labels
    #[arg(long, short, num_args = 1.., value_name = "KEY=VALUE")]
    pub(crate) labels: Option<Vec<String>>,
    /// How the list is written
    #[arg(long, short, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) output: OutputFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// For people
    Text,
    /// For programs
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct InventoryArguments {
    #[command(subcommand)]
    pub(crate) command: Option<InventoryCommand>,
    #[command(flatten)]
    pub(crate) backend: BackendArguments,
    /// The target to show [default: all]
    #[arg(long, short, value_name = "TARGET")]
    pub(crate) target_name: Option<String>,
    /// The inventory [default: ./inventory]
    #[arg(long, value_name = "PATH")]
    pub(crate) inventory_path: Option<PathBuf>,
    /// One level of keys joined by dots
    #[arg(long, short = 'F')]
    pub(crate) flat: bool,
    /// Show what a pattern finds: parameters.mysql.storage_class, storage_class or storage_*
    #[arg(long, short, value_name = "PATTERN")]
    pub(crate) pattern: Option<String>,
    /// Say more
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Blanks of an indentation step [default: 2]
    #[arg(long, short, value_name = "INT", allow_negative_numbers = true)]
    pub(crate) indent: Option<i64>,
    /// Show topics instead of targets
    #[arg(long, num_args = 0..=1, default_missing_value = "", value_name = "NAME")]
    pub(crate) topics: Option<String>,
    /// Accepted, without effect, as in Kapitan
    #[arg(long, short = 'L', hide = true, value_parser = ["literal", "folded", "double-quotes"])]
    pub(crate) multiline_string_style: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum InventoryCommand {
    /// Show which classes and lines set a value, in order
    #[command(after_help = examples::EXPLAIN)]
    Explain(ExplainArguments),
    /// Render every target and report every problem
    Check(CheckArguments),
    /// Name the targets that a file reaches
    Deps(DepsArguments),
    /// List classes
    Classes(ClassesArguments),
}

/// Where the inventory is and how it is read, for the commands below `inventory`.
#[derive(Clone, Debug, Args)]
pub(crate) struct PlaceArguments {
    #[command(flatten)]
    pub(crate) backend: BackendArguments,
    /// The inventory [default: ./inventory]
    #[arg(long, value_name = "PATH")]
    pub(crate) inventory_path: Option<PathBuf>,
    /// How the result is written
    #[arg(long, short, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) output: OutputFormat,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// The target
    pub(crate) target: String,
    /// The value: keys joined by dots or colons [default: every value]
    pub(crate) path: Option<String>,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
}

#[derive(Debug, Args)]
pub(crate) struct DepsArguments {
    /// A class or target file
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ClassesArguments {
    /// Only those that no target uses
    #[arg(long)]
    pub(crate) unused: bool,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
}

#[derive(Debug, Args)]
pub(crate) struct SearchvarArguments {
    /// The variable: parameters.mysql.storage_class, storage_class or storage_*
    #[arg(value_name = "VARNAME")]
    pub(crate) searchvar: String,
    /// The inventory [default: ./inventory]
    #[arg(long, value_name = "PATH")]
    pub(crate) inventory_path: Option<PathBuf>,
    /// Say more
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Show values as YAML
    #[arg(long, short)]
    pub(crate) pretty_print: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RefsArguments {
    #[command(flatten)]
    pub(crate) backend: BackendArguments,
    /// Write a reference: TYPE:PATH
    #[arg(long, short, value_name = "TOKENNAME")]
    pub(crate) write: Option<String>,
    /// Encrypt a reference again, for other recipients or another key
    #[arg(long, value_name = "TOKENNAME")]
    pub(crate) update: Option<String>,
    /// Encrypt the references of all targets again where recipients or keys changed
    #[arg(long)]
    pub(crate) update_targets: bool,
    /// Check recipients and keys of the references of all targets
    #[arg(long)]
    pub(crate) validate_targets: bool,
    /// Encode the content with base64 first; also -b64
    #[arg(long)]
    pub(crate) base64: bool,
    /// The content is not text
    #[arg(long)]
    pub(crate) binary: bool,
    /// Show what references stand for
    #[arg(long, short)]
    pub(crate) reveal: bool,
    /// A reference to reveal, as text: ?{base64:my/ref:1234abcd}
    #[arg(long, value_name = "REFTAG")]
    pub(crate) tag: Option<String>,
    /// A reference file to reveal, - for standard input; also -rf
    #[arg(long, value_name = "REFFILENAME")]
    pub(crate) ref_file: Option<PathBuf>,
    /// A file or folder to reveal, or the content to write; - for standard input
    #[arg(long, short, value_name = "FILENAME")]
    pub(crate) file: Option<PathBuf>,
    /// Take recipients or the key from this target
    #[arg(long, short, value_name = "TARGET")]
    pub(crate) target_name: Option<String>,
    /// The inventory [default: ./inventory]
    #[arg(long, value_name = "PATH")]
    pub(crate) inventory_path: Option<PathBuf>,
    /// Recipients of gpg
    #[arg(long, short = 'R', num_args = 1.., value_name = "RECIPIENT")]
    pub(crate) recipients: Option<Vec<String>>,
    /// Key of a cloud key service
    #[arg(long, short = 'K', value_name = "KEY")]
    pub(crate) key: Option<String>,
    /// How to log in at vault
    #[arg(long, value_name = "AUTH")]
    pub(crate) vault_auth: Option<String>,
    /// Mount point at vault [default: secret]
    #[arg(long, value_name = "MOUNT")]
    pub(crate) vault_mount: Option<String>,
    /// Path at vault [default: the reference's]
    #[arg(long, value_name = "PATH")]
    pub(crate) vault_path: Option<String>,
    /// Key at vault
    #[arg(long, value_name = "KEY")]
    pub(crate) vault_key: Option<String>,
    /// The folder of references [default: ./refs]
    #[arg(long, value_name = "PATH")]
    pub(crate) refs_path: Option<PathBuf>,
    /// Say more
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LintArguments {
    /// Exit with 1 when there is a warning
    #[arg(long)]
    pub(crate) fail_on_warning: bool,
    /// Do not look for unused classes
    #[arg(long)]
    pub(crate) skip_class_checks: bool,
    /// Do not check the form of YAML files
    #[arg(long)]
    pub(crate) skip_yamllint: bool,
    /// Look for reference files that no compiled file uses
    #[arg(long)]
    pub(crate) search_secrets: bool,
    /// The folder of references [default: ./refs]
    #[arg(long, value_name = "PATH")]
    pub(crate) refs_path: Option<PathBuf>,
    /// The compiled tree [default: ./compiled]
    #[arg(long, value_name = "PATH")]
    pub(crate) compiled_path: Option<PathBuf>,
    /// The inventory [default: ./inventory]
    #[arg(long, value_name = "PATH")]
    pub(crate) inventory_path: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    /// The folder to fill; made if it is not there
    #[arg(long, default_value = "./", value_name = "PATH")]
    pub(crate) directory: PathBuf,
    /// Kapitan's templates come from git, which this version does not fetch
    #[arg(long = "template_git_url", alias = "template-git-url", value_name = "URL", hide = true)]
    pub(crate) template_git_url: Option<String>,
    /// See --template_git_url
    #[arg(long = "checkout_ref", alias = "checkout-ref", value_name = "REF", hide = true)]
    pub(crate) checkout_ref: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct EvalArguments {
    /// The file
    pub(crate) jsonnet_file: PathBuf,
    /// How the result is written [default: yaml]
    #[arg(long, value_parser = ["yaml", "json"], value_name = "FORMAT")]
    pub(crate) output: Option<String>,
    /// External variables: NAME=VALUE
    #[arg(long, num_args = 0.., value_name = "VAR")]
    pub(crate) vars: Option<Vec<String>>,
    /// Where imports are looked for [default: .]
    #[arg(long, short = 'J', num_args = 1.., value_name = "JPATH")]
    pub(crate) search_paths: Option<Vec<PathBuf>>,
}

#[derive(Debug, Args)]
pub(crate) struct TemplateArguments {
    /// The template
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) flags: ValueFlags,
}

#[derive(Debug, Args)]
pub(crate) struct SecretsArguments {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub(crate) rest: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// bash, zsh, fish or powershell
    #[arg(value_enum, hide_possible_values = true)]
    pub(crate) shell: Shell,
}

/// A shell that completes commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shell {
    /// bash
    Bash,
    /// zsh
    Zsh,
    /// fish
    Fish,
    /// PowerShell
    Powershell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArguments {
    /// The command, as one types it: inventory explain [default: kapstan itself]
    #[arg(value_name = "COMMAND", num_args = 0.., conflicts_with = "output")]
    pub(crate) command: Vec<String>,
    /// Write every page into this folder; made if it is not there
    #[arg(long, short, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
}
