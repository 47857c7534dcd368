use crate::cli::arguments::OutputFormat;
use crate::cli::examples;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ItselfArguments {
    #[command(subcommand)]
    pub(crate) command: ItselfCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ItselfCommand {
    /// Install the newest version, or the one that is named
    #[command(after_help = examples::UPDATE)]
    Update(UpdateArguments),
    /// Copy kapstan into a folder, for containers that share it
    Install(InstallArguments),
    /// Exchange kapstan with the version that was there before
    Rollback(RollbackArguments),
    /// Remove kapstan and what its installer put beside it
    Uninstall(UninstallArguments),
    /// Prove a downloaded release: the signature of its sums, and its files
    #[command(after_help = examples::VERIFY)]
    Verify(VerifyArguments),
    /// Show the version, and what is inside
    Version(VersionArguments),
}

#[derive(Debug, Args)]
pub(crate) struct UpdateArguments {
    /// The version to install, also an older one [default: the newest of the channel]
    #[arg(conflicts_with = "channel")]
    pub(crate) version: Option<String>,
    /// Which releases to look at: stable or preview
    #[arg(long, value_enum, default_value = "stable", hide_possible_values = true)]
    pub(crate) channel: ChannelArgument,
    /// Only say whether there is an update: exit status 0 if not, 100 if so
    #[arg(long, conflicts_with_all = ["dry_run", "force"])]
    pub(crate) check: bool,
    /// Verify the release and say what would be done, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Where releases lie: an https URL or a folder; also KAPSTAN_RELEASES [default: the project's]
    #[arg(long, value_name = "URL|FOLDER")]
    pub(crate) mirror: Option<String>,
    /// The minisign key to trust instead of the project's, or a file with it; also KAPSTAN_PUBLIC_KEY
    #[arg(long, value_name = "KEY|FILE")]
    pub(crate) public_key: Option<String>,
    /// Install although no installer put kapstan here, and although it is this version already
    #[arg(long)]
    pub(crate) force: bool,
    /// How the result is written
    #[arg(long, short, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) output: OutputFormat,
}

#[derive(Debug, Args)]
pub(crate) struct InstallArguments {
    /// Where the copy goes, as kapstan; made if it is missing
    #[arg(long, value_name = "FOLDER")]
    pub(crate) to: PathBuf,
}

/// A line of releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChannelArgument {
    /// What is meant for everyone
    Stable,
    /// What comes before that
    Preview,
}

#[derive(Debug, Args)]
pub(crate) struct RollbackArguments {
    /// How the result is written
    #[arg(long, short, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) output: OutputFormat,
}

#[derive(Debug, Args)]
pub(crate) struct UninstallArguments {
    /// Say what would be removed, and remove nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// How the result is written
    #[arg(long, short, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) output: OutputFormat,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// The list of sums, with its signature and the files beside it
    #[arg(default_value = "SHA256SUMS", value_name = "LIST")]
    pub(crate) list: PathBuf,
    /// The version that it has to be
    #[arg(long = "release", value_name = "VERSION")]
    pub(crate) release: Option<String>,
    /// The minisign key to trust instead of the project's, or a file with it; also KAPSTAN_PUBLIC_KEY
    #[arg(long, value_name = "KEY|FILE")]
    pub(crate) public_key: Option<String>,
    /// How the result is written
    #[arg(long, short, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) output: OutputFormat,
}

#[derive(Debug, Args)]
pub(crate) struct VersionArguments {
    /// Also target, commit and the crates that it is made of
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// How it is written
    #[arg(long, short, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) output: OutputFormat,
}
