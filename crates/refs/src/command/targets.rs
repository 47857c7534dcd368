use super::backend_settings;
use super::update::{seal_for_recipients, seal_with_key, write_back};
use crate::backend::Backend;
use crate::error::{Error, Raised};
use crate::python::repr_set;
use crate::reference::{Reference, Seal, fingerprints, malformed};
use crate::references::{Context, References};
use crate::secret_text;
use crate::tag::Tag;
use kapstan_diagnostic::Diagnostic;
use kapstan_document::{Node, Text, Value};
use kapstan_files::{Files, Kind};
use std::io;
use std::path::{Path, PathBuf};

/// What was found in the refs folders of the targets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TargetsReport {
    /// What Kapitan says of it, line by line.
    pub lines: Vec<String>,
    /// The tags whose key or recipients are not those of their target; after an update, those that were brought up to it.
    pub mismatched: Vec<String>,
    /// References that could not be looked at, or not be encrypted again.
    pub problems: Vec<Diagnostic>,
}

impl TargetsReport {
    /// Whether everything is as the inventory says.
    pub fn is_clean(&self) -> bool {
        self.mismatched.is_empty() && self.problems.is_empty()
    }
}

/// Compares the key or the recipients of each reference below `<refs>/<target>/` with what the target says
/// (`refs --validate-targets`).
///
/// `targets` are the names of all targets; `secrets` tells the `parameters.kapitan.secrets` of one, and is asked only
/// for those that have references. Goes on after problems and collects them. Behaviour: Kapitan's, without the mistakes
/// because of which it fails for gkms, azkms and vaulttransit.
pub fn validate_targets(references: &References, targets: &[&str], secrets: SecretsOf<'_>) -> TargetsReport {
    go_through(references, targets, secrets, false)
}

/// Encrypts anew what [`validate_targets`] finds (`refs --update-targets`).
pub fn update_targets(references: &References, targets: &[&str], secrets: SecretsOf<'_>) -> TargetsReport {
    go_through(references, targets, secrets, true)
}

type SecretsOf<'a> = &'a dyn Fn(&str) -> Result<Option<Node>, Vec<Diagnostic>>;

fn go_through(
    references: &References,
    targets: &[&str],
    secrets: SecretsOf<'_>,
    updates: bool,
) -> TargetsReport {
    let mut report = TargetsReport::default();
    let mut names = targets.to_vec();
    names.sort_unstable();
    // A target with a `/` or `.` in its name has no folder of its own as far as Kapitan can see.
    for name in names.into_iter().filter(|name| !name.contains('/') && !matches!(*name, "." | ".." | "")) {
        let folder = references.settings.refs_path.join(name);
        let files = match files_below(&*references.host.files, &folder, MAX_FOLDERS) {
            Ok(files) => files,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                continue;
            }
            Err(error) => {
                let message = format!("`{}` can not be read: {error}", folder.display());
                report.problems.push(Diagnostic::error("refs::unreadable", message));
                continue;
            }
        };
        if files.is_empty() {
            continue;
        }
        let secrets = match secrets(name) {
            Ok(Some(secrets)) if secrets.value.is_truthy() => secrets,
            Ok(_) => {
                let message = format!(
                    "`parameters.kapitan.secrets` is not set for target `{name}`, which has references"
                );
                let peer_text = format!("parameters.kapitan.secrets not defined in {name}");
                let problem = Error::new("refs::missing-setting", message).raised(Raised::Kapitan, peer_text);
                report.problems.push(problem.into_diagnostic());
                continue;
            }
            Err(problems) => {
                report.problems.extend(problems);
                continue;
            }
        };
        for file in files {
            if let Err(error) = look_at(references, &file, &secrets, updates, &mut report) {
                report.problems.push(error.in_file(&file).into_diagnostic());
            }
        }
    }
    report
}

const MAX_FOLDERS: usize = 100;

fn look_at(
    references: &References,
    file: &Path,
    secrets: &Node,
    updates: bool,
    report: &mut TargetsReport,
) -> Result<(), Error> {
    let text = tag_text(references, file)?;
    let backend = Tag::find(&text).and_then(|tag| Backend::from_name(tag.type_name()));
    let encrypts = |backend: &Backend| {
        backend.is_key_service() || matches!(backend, Backend::Gpg | Backend::VaultTransit)
    };
    let Some(backend) = backend.filter(encrypts) else {
        report.lines.push(format!("Invalid secret {text}, could not get type, skipping"));
        return Ok(());
    };
    let Some(settings) = backend_settings(Some(secrets), backend) else { return Ok(()) };
    let tag = Tag::at_start(&text)?;
    let reference = references.get(&tag, &Context::NONE)?;
    let wanted = Wanted::of(backend, settings)?;
    let Some(lines) = wanted.mismatch(&reference) else { return Ok(()) };
    if updates {
        let sealed = match &wanted {
            Wanted::Recipients(recipients) => seal_for_recipients(reference, recipients)?,
            Wanted::Key(key) => seal_with_key(reference, key)?,
        };
        write_back(references, &tag, sealed)?;
    } else {
        report.lines.extend(lines.into_iter().map(|line| line.replace("{tag}", &text)));
    }
    report.mismatched.push(text);
    Ok(())
}

/// The tag of a ref file: its type is its own, its path that below the refs folder.
fn tag_text(references: &References, file: &Path) -> Result<String, Error> {
    let bytes =
        references.host.files.read(file).map_err(|error| {
            Error::new("refs::unreadable", format!("the ref file can not be read: {error}"))
        })?;
    let document = secret_text::load_bytes(&bytes)?;
    let fields = document.as_map().ok_or_else(|| malformed("it is not a mapping"))?;
    // Files of old times have no type; they are GnuPG's.
    let type_name = fields.get("type").map_or("gpg", |node| node.as_str().unwrap_or_default());
    let path = file.strip_prefix(&references.settings.refs_path).unwrap_or(file);
    let path: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    Ok(format!("?{{{type_name}:{}}}", path.join("/")))
}

/// Who shall be able to open the references of a target.
enum Wanted {
    Recipients(Vec<Text>),
    Key(Value),
}

impl Wanted {
    fn of(backend: Backend, settings: &Node) -> Result<Self, Error> {
        let setting = |name: &str| settings.get(name).filter(|node| !node.is_null());
        if backend == Backend::Gpg {
            let recipients = setting("recipients").cloned().unwrap_or_else(|| Vec::new().into());
            return fingerprints(&recipients).map(Self::Recipients);
        }
        // Vault's own name for it is `crypto_key`; Kapitan looks for `key` here.
        let key =
            setting("crypto_key").filter(|_| backend == Backend::VaultTransit).or_else(|| setting("key"));
        Ok(Self::Key(key.map_or(Value::Null, |key| key.value.clone())))
    }

    /// What to say where a reference is not as wanted; `{tag}` stands for its tag.
    fn mismatch(&self, reference: &Reference) -> Option<Vec<String>> {
        match (self, &reference.seal) {
            (Self::Recipients(wanted), Seal::Recipients(there)) => {
                if wanted == there {
                    return None;
                }
                let without = |from: &[Text], other: &[Text]| {
                    let missing: Vec<Text> =
                        from.iter().filter(|one| !other.contains(one)).cloned().collect();
                    (!missing.is_empty()).then(|| repr_set(missing.iter().map(|one| &**one)))
                };
                let removed = without(there, wanted).map(|set| format!("{set} needs removal"));
                let added = without(wanted, there).map(|set| format!("{set} needs addition"));
                Some(
                    ["{tag} recipient mismatch".to_owned()].into_iter().chain(removed).chain(added).collect(),
                )
            }
            (Self::Key(wanted), Seal::Key(there)) if wanted == there => None,
            (Self::Key(wanted), Seal::Vault(settings)) if settings.get("crypto_key") == text_of(wanted) => {
                None
            }
            _ => Some(vec!["{tag} key mismatch".to_owned()]),
        }
    }
}

fn text_of(value: &Value) -> Option<&str> {
    if let Value::Str(text) = value { Some(text) } else { None }
}

/// All files below a folder, in the order of their names, those of a folder in front of those of its folders. Links to
/// folders are not followed.
pub(super) fn files_below(files: &dyn Files, folder: &Path, depth: usize) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = Vec::new();
    for entry in files.list(folder)? {
        match entry.kind {
            Some(Kind::File) => found.push(folder.join(entry.name)),
            Some(Kind::Folder) if !entry.is_link => folders.push(folder.join(entry.name)),
            _ => {}
        }
    }
    for folder in folders {
        if depth > 0 {
            found.extend(files_below(files, &folder, depth - 1)?);
        }
    }
    Ok(found)
}
