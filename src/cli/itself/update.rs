use super::arguments::{ChannelArgument, UpdateArguments};
use super::{given, keys_given};
use crate::cli::Failure;
use crate::cli::arguments::OutputFormat;
use crate::cli::exit::Exit;
use crate::program;
use crate::report::Reporter;
use crate::update::{self, Channel, Mirror, Newest, Request, Surroundings, Updated, Wanted};
use serde_json::json;
use std::env;
use std::io::Write;

/// Installs a release, or says whether there is one to install.
pub(super) fn run(reporter: &Reporter, arguments: &UpdateArguments) -> Result<(), Failure> {
    let folder = env::current_dir()?;
    let mirror = given(arguments.mirror.as_ref(), "KAPSTAN_RELEASES");
    let mirror = Mirror::read(mirror.as_deref(), &folder)?;
    let keys = keys_given(arguments.public_key.as_ref(), &folder)?;
    let request = Request {
        mirror: &mirror,
        keys: &keys,
        wanted: wanted(arguments)?,
        is_forced: arguments.force,
        is_dry_run: arguments.dry_run,
        progress: &|text| reporter.note(text),
    };
    if arguments.check {
        return tell_newest(&update::check(&request)?, arguments.output);
    }
    let updated = update::update(&Surroundings::look()?, &request)?;
    reporter.report_all(&updated.warnings);
    tell(&updated, arguments)
}

fn wanted(arguments: &UpdateArguments) -> Result<Wanted, Failure> {
    let channel = match arguments.channel {
        ChannelArgument::Stable => Channel::Stable,
        ChannelArgument::Preview => Channel::Preview,
    };
    let Some(version) = &arguments.version else { return Ok(Wanted::Newest(channel)) };
    let unusable = || Failure::Usage(format!("`{version}` is not a version: one looks like `1.2.3`"));
    Wanted::version(version).ok_or_else(unusable)
}

fn tell_newest(newest: &Newest, output: OutputFormat) -> Result<(), Failure> {
    let (current, version) = (program::version(), &newest.version);
    let mut out = std::io::stdout().lock();
    match output {
        OutputFormat::Json => {
            writeln!(
                out,
                "{}",
                json!({ "current": current, "available": version, "update": newest.is_update })
            )?;
        }
        OutputFormat::Text if newest.is_update => {
            writeln!(out, "kapstan {version} is available; this is {current}")?;
        }
        OutputFormat::Text => writeln!(out, "kapstan {current} is up to date")?,
    }
    if newest.is_update { Err(Failure::Silent(Exit::Available)) } else { Ok(()) }
}

fn tell(updated: &Updated, arguments: &UpdateArguments) -> Result<(), Failure> {
    let (current, version) = (program::version(), &updated.newest.version);
    let mut out = std::io::stdout().lock();
    if arguments.output == OutputFormat::Json {
        let place = updated.exchanged.as_ref();
        let shown = json!({
            "from": current,
            "to": version,
            "archive": updated.archive,
            "update": updated.newest.is_update,
            "changed": place.is_some(),
            "path": place.map(|place| place.path.to_string_lossy()),
            "previous": place.map(|place| place.previous.to_string_lossy()),
        });
        return Ok(writeln!(out, "{shown}")?);
    }
    match &updated.exchanged {
        Some(place) => {
            writeln!(out, "kapstan {version} is installed at {}", place.path.display())?;
            writeln!(out, "`kapstan self rollback` brings {current} back")?;
        }
        None if updated.newest.is_update => {
            writeln!(out, "would install kapstan {version} in place of {current}, from {}", updated.archive)?;
        }
        None => writeln!(out, "kapstan {current} is up to date")?,
    }
    Ok(())
}
