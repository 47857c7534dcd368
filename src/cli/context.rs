use super::arguments::BackendArguments;
use super::dotfile::{Dotfile, Section};
use super::{Failure, Persona};
use crate::report::Reporter;
use kapstan_compile::{Finished, Host, Targets};
use kapstan_diagnostic::Sources;
use kapstan_document::Text;
use kapstan_files::{Disk, Files};
use kapstan_inventory::{Backend, Inventory, Settings};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// What every command has at hand.
pub(crate) struct Context<'r> {
    pub(crate) persona: Persona,
    pub(crate) reporter: &'r Reporter,
    pub(crate) sources: Arc<Sources>,
    pub(crate) files: Arc<dyn Files>,
    pub(crate) dotfile: Dotfile,
    pub(crate) folder: PathBuf,
}

impl<'r> Context<'r> {
    /// Looks at the current folder and its `.kapitan`.
    pub(crate) fn new(
        persona: Persona,
        reporter: &'r Reporter,
        sources: Arc<Sources>,
    ) -> Result<Self, Failure> {
        let folder = std::env::current_dir()?;
        let dotfile = Dotfile::read(Path::new(".kapitan"), &sources)?;
        let files: Arc<dyn Files> = Arc::new(Disk::new(&folder));
        Ok(Self { persona, reporter, sources, files, dotfile, folder })
    }

    /// A path as the user means it, absolute.
    pub(crate) fn absolute(&self, path: impl AsRef<Path>) -> PathBuf {
        let joined = self.folder.join(path);
        let mut clean = PathBuf::new();
        for part in joined.components() {
            match part {
                std::path::Component::CurDir => {}
                std::path::Component::ParentDir => {
                    clean.pop();
                }
                other => clean.push(other),
            }
        }
        clean
    }

    /// The inventory folder: flag, dotfile, default.
    pub(crate) fn inventory_path(
        &self,
        flag: Option<&PathBuf>,
        section: Section<'_>,
    ) -> Result<PathBuf, Failure> {
        let from_dotfile = section.path("inventory-path")?;
        Ok(flag.cloned().or(from_dotfile).unwrap_or_else(|| "./inventory".into()))
    }

    /// Opens the inventory of a command.
    pub(crate) fn targets(
        &self,
        backend: &BackendArguments,
        flag: Option<&PathBuf>,
        section: Section<'_>,
    ) -> Result<Arc<Targets>, Failure> {
        let path = self.inventory_path(flag, section)?;
        let settings = Settings {
            path,
            backend: self.backend(backend)?,
            compose_target_name: self.composes_names(backend),
            class_wildcards: backend.enable_class_wildcards
                || self.dotfile.section("inventory_backend").flag("enable-class-wildcards"),
        };
        let inventory = Inventory::open(self.files.clone(), self.sources.clone(), settings)?;
        Ok(Arc::new(Targets::new(inventory, Arc::new(|name: &str| std::env::var(name).ok()))))
    }

    fn backend(&self, arguments: &BackendArguments) -> Result<Backend, Failure> {
        let section = self.dotfile.section("inventory_backend");
        let name = match &arguments.inventory_backend {
            Some(name) => Some(name.clone()),
            None => {
                section.choice("inventory-backend", &["reclass", "reclass-rs", "omegaconf"], self.reporter)?
            }
        };
        match name.as_deref() {
            Some("reclass-rs") => Ok(Backend::ReclassRs),
            Some("omegaconf") => Err(unavailable("the inventory backend `omegaconf`")),
            // An unknown name in the dotfile stands for the default, as in Kapitan. There is nothing to migrate to it.
            _ => Ok(Backend::Reclass),
        }
    }

    fn composes_names(&self, arguments: &BackendArguments) -> bool {
        let global = self.dotfile.section("global");
        let in_dotfile = if global.says("compose-target-name") {
            global.flag("compose-target-name")
        } else {
            self.dotfile.section("compile").flag("compose-node-name")
        };
        arguments.compose_target_name || in_dotfile
    }
}

/// What this version does not do, as a failure.
pub(crate) fn unavailable(what: &str) -> Failure {
    let message = format!("this version of kapstan has no support for {what}");
    vec![kapstan_diagnostic::Diagnostic::error("unavailable", message)].into()
}

/// The outside, as a compile run sees it.
pub(crate) struct Outside;

impl Host for Outside {
    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn run(&self, command: &str, variables: &[(Text, Text)]) -> io::Result<Finished> {
        let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("/bin/sh", "-c") };
        let pairs = variables.iter().map(|(name, value)| (&**name, &**value));
        let output = std::process::Command::new(shell)
            .arg(flag)
            .arg(command)
            .env_clear()
            .envs(pairs)
            .stdin(std::process::Stdio::null())
            .output()?;
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok(Finished { is_success: output.status.success(), stderr })
    }

    fn now(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
    }

    fn zone(&self, time: i64) -> (i32, String) {
        let time = jiff::Timestamp::from_second(time).unwrap_or_default();
        let zone = jiff::tz::TimeZone::system();
        let info = zone.to_offset_info(time);
        (info.offset().seconds(), info.abbreviation().to_owned())
    }

    fn random(&self) -> u64 {
        use std::hash::{BuildHasher, Hasher};
        // Each state of the standard hasher is seeded by the system.
        std::hash::RandomState::new().build_hasher().finish()
    }

    fn for_templates(&self, seed: Option<&str>) -> kapstan_gotemplate::functions::sprig::Host {
        super::helm::host(seed)
    }

    fn filter(&self, program: &str, arguments: &[String], text: &str) -> Result<String, String> {
        super::helm::filter(program, arguments, text)
    }

    fn trace(&self, line: &str) {
        use std::io::Write;
        // Nobody is left to tell when standard error is closed.
        let _ = writeln!(io::stderr().lock(), "{line}");
    }
}

/// The outside, as references see it.
pub(crate) fn references_host(context: &Context<'_>, refs_path: &Path) -> kapstan_refs::Host {
    kapstan_refs::Host {
        files: context.files.clone(),
        store: Arc::new(kapstan_refs::DiskStore::new(&context.folder, refs_path)),
        environment: Arc::new(|name: &str| std::env::var(name).ok()),
        randomness: Arc::new(kapstan_refs::SystemRandomness),
    }
}
