use super::Outcome;
use super::executable::Executable;
use super::receipt::Receipt;
use kapstan_diagnostic::Diagnostic;
use std::env;
use std::path::{Path, PathBuf};

/// Where the program finds itself.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    pub(super) executable: Executable,
    /// The file of the receipt, where there is one.
    pub(super) receipt_file: Option<PathBuf>,
    is_unmanaged: bool,
    is_in_container: bool,
}

/// Package managers that keep their programs in folders of their own: a part of the path, who it is, and what updates.
const KEEPERS: &[(&str, &str, &str)] = &[
    ("/Cellar/", "Homebrew", "brew upgrade kapstan"),
    ("/nix/store/", "Nix", "nix profile upgrade kapstan"),
    ("/gnu/store/", "Guix", "guix upgrade kapstan"),
    ("/snap/", "snap", "snap refresh kapstan"),
    ("/scoop/apps/", "Scoop", "scoop update kapstan"),
    ("/chocolatey/lib/", "Chocolatey", "choco upgrade kapstan"),
    ("/WinGet/Packages/", "WinGet", "winget upgrade kapstan"),
    ("/.cargo/bin/", "Cargo", "cargo install kapstan"),
];

/// Folders that belong to the system's package manager.
const SYSTEM_FOLDERS: &[&str] = &["/usr/bin", "/usr/sbin", "/bin", "/sbin", "/usr/libexec"];

/// Package managers of systems: where they keep their database, who it is, and what updates.
const SYSTEMS: &[(&str, &str, &str)] = &[
    ("/var/lib/dpkg", "dpkg", "apt-get install --only-upgrade kapstan"),
    ("/lib/apk/db", "apk", "apk upgrade kapstan"),
    ("/var/lib/pacman", "pacman", "pacman -Syu kapstan"),
    ("/usr/lib/sysimage/rpm", "rpm", "dnf upgrade kapstan"),
    ("/var/lib/rpm", "rpm", "dnf upgrade kapstan"),
];

impl Surroundings {
    /// Looks at the running file, the environment and the marks that containers leave.
    pub(crate) fn look() -> Outcome<Self> {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let marks = ["/.dockerenv", "/run/.containerenv"];
        Ok(Self {
            executable: Executable::running()?,
            receipt_file: receipt_file(),
            is_unmanaged: is_set("KAPSTAN_UNMANAGED"),
            is_in_container: is_set("KUBERNETES_SERVICE_HOST")
                || (cfg!(unix) && marks.iter().any(|mark| Path::new(mark).exists())),
        })
    }

    /// The receipt of the program that runs, or nothing where there is none and it is changed all the same.
    ///
    /// Fails where the file belongs to somebody else, and, unless `is_forced`, where no installer has put it there.
    pub(super) fn may_change(&self, is_forced: bool) -> Outcome<Option<Receipt>> {
        if let Some(problem) = self.other_owner() {
            return Err(Box::new(problem));
        }
        let receipt = match &self.receipt_file {
            Some(file) => Receipt::read(file)?,
            None => None,
        };
        let elsewhere = match receipt {
            Some(receipt) if self.executable.is_at(receipt.path()) => return Ok(Some(receipt)),
            other => other,
        };
        if is_forced {
            return Ok(None);
        }
        Err(Box::new(self.without_receipt(elsewhere.as_ref())))
    }

    fn other_owner(&self) -> Option<Diagnostic> {
        let path = self.executable.path();
        let owned = |who: &str, how: &str| {
            let message = format!("`{}` belongs to {who}, which updates it", path.display());
            Diagnostic::error("update::owner", message).with_hint(format!("run `{how}`"))
        };
        if self.is_unmanaged {
            let message = "this kapstan is not to change itself: `KAPSTAN_UNMANAGED` is set";
            return Some(
                Diagnostic::error("update::owner", message).with_hint("update it the way it came here"),
            );
        }
        let text = path.to_string_lossy().replace('\\', "/");
        if let Some((_, who, how)) = KEEPERS.iter().find(|(part, _, _)| text.contains(part)) {
            return Some(owned(who, how));
        }
        let is_of_system = SYSTEM_FOLDERS.iter().any(|folder| self.executable.folder() == Path::new(folder));
        let mut systems = SYSTEMS.iter().filter(|_| is_of_system);
        systems.find(|(database, _, _)| Path::new(database).exists()).map(|(_, who, how)| owned(who, how))
    }

    fn without_receipt(&self, elsewhere: Option<&Receipt>) -> Diagnostic {
        let path = self.executable.path().display();
        if let Some(receipt) = elsewhere {
            let installed = receipt.path().display();
            let message = format!("the installer put kapstan at `{installed}`, and this is `{path}`");
            return Diagnostic::error("update::owner", message)
                .with_hint(format!("run `{installed}`"))
                .with_hint("`--force` changes this file all the same");
        }
        if self.is_in_container {
            let message = format!("`{path}` belongs to the image of a container");
            return Diagnostic::error("update::owner", message)
                .with_hint("take a newer image: what changes in a container is lost with it")
                .with_hint("`--force` changes the file all the same");
        }
        Diagnostic::error("update::owner", format!("`{path}` was not installed by kapstan's installer"))
            .with_hint("update it the way it came here, or install kapstan with its installer")
            .with_hint("`--force` changes the file all the same")
    }
}

/// The receipt of the user, in the first of the places where installers put it that holds one: `%LOCALAPPDATA%` on
/// Windows, and `$XDG_CONFIG_HOME` or `~/.config`, which the shell script uses there too.
fn receipt_file() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let (local, home) = if cfg!(windows) { (folder("LOCALAPPDATA"), "USERPROFILE") } else { (None, "HOME") };
    let configuration = folder("XDG_CONFIG_HOME").or_else(|| Some(folder(home)?.join(".config")));
    let mut files =
        local.into_iter().chain(configuration).map(|folder| folder.join("kapstan").join("receipt.json"));
    files.find(|file| file.exists())
}
