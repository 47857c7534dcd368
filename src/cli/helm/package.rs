use super::arguments::PackageArguments;
use super::template::load;
use super::{Setting, dependency_build};
use crate::cli::Failure;
use kapstan_files::slashed;
use kapstan_helm::{PackageOptions, package};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::SystemTime;

/// Packs charts into archives.
pub(super) fn run(setting: &Setting<'_>, arguments: &PackageArguments) -> Result<(), Failure> {
    if arguments.charts.is_empty() {
        return Err(setting.refused("need at least one argument, the path to the chart"));
    }
    let options = PackageOptions {
        version: arguments.version.clone(),
        app_version: arguments.app_version.clone(),
        profile: setting.profile,
        now: Some(SystemTime::now()),
    };
    for path in &arguments.charts {
        if arguments.dependency_update {
            // Helm does not tell of this one.
            dependency_build::bring_together(setting, path, true, &mut std::io::sink())?;
        }
        let packed = package(&load(setting, path)?, &options).map_err(|error| setting.failure(error))?;
        let place = match &*arguments.destination {
            folder if folder == Path::new(".") => std::path::absolute(&packed.name)?,
            folder => folder.join(&packed.name),
        };
        write(&place, &packed.archive).map_err(|error| {
            setting.refused(format!("failed to save: cannot write `{}`: {error}", place.display()))
        })?;
        writeln!(std::io::stdout(), "Successfully packaged chart and saved it to: {}", slashed(&place))?;
    }
    Ok(())
}

/// Writes an archive beside its place first: what was there stays until all of it is written.
pub(super) fn write(place: &Path, archive: &[u8]) -> std::io::Result<()> {
    let folder = place.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(archive)?;
    #[cfg(unix)]
    fs::set_permissions(file.path(), std::os::unix::fs::PermissionsExt::from_mode(0o644))?;
    file.persist(place)?;
    Ok(())
}
