use super::keys::Keys;
use super::mirror::{Mirror, Wanted};
use super::transport::{Error, Transport};
use super::{Outcome, problem};
use crate::program::TARGET;
use self_update::backends::manifest::parse_manifest;
use self_update::version::cmp_versions;
use self_update::{Release, ReleaseAsset, ReleaseSource};
use sha2::{Digest, Sha256};
use std::cmp::Ordering;

const MANIFEST: &str = "manifest.json";
const SUMS: &str = "SHA256SUMS";
/// How the names of the signatures go on behind that of the list: a release may be signed with two keys while they change.
pub(super) const SIGNATURE_ENDS: &[&str] = &[".minisig", ".next.minisig"];
/// Manifests and sums are some kilobytes.
pub(super) const LARGEST_LIST: u64 = 1 << 20;
pub(super) const LARGEST_SIGNATURE: u64 = 16 << 10;

/// A release whose signature was found good.
#[derive(Debug)]
pub(super) struct Verified {
    /// Its version.
    pub(super) version: String,
    /// The archive for this program's target: where it lies.
    pub(super) archive: String,
    archive_name: String,
    digest: String,
}

impl Verified {
    /// Finds a release and verifies it as far as that needs no archive: manifest, sums, signature.
    pub(super) fn find(
        transport: &Transport,
        mirror: &Mirror,
        wanted: &Wanted,
        keys: &Keys,
    ) -> Outcome<Self> {
        let folder = mirror.of_release(wanted);
        let manifest = read(transport, &folder, MANIFEST)?;
        let version = version_in(&manifest, wanted, &folder)?;
        let sums = read(transport, &folder, SUMS)?;
        keys.verify(&sums, &signatures(transport, &folder)?, &format!("kapstan {version}"))?;
        let sums = String::from_utf8_lossy(&sums);
        let changed = |name: &str| {
            let message = format!("`{}` is not the file that was signed", folder.file(name));
            problem("update::digest", message)
        };
        if sum(&sums, MANIFEST) != Some(&hex(&Sha256::digest(&manifest))) {
            return Err(changed(MANIFEST));
        }
        let archive_name = archive_name(&version);
        let digest = sum(&sums, &archive_name).ok_or_else(|| {
            problem("update::target", format!("release {version} has no archive for `{TARGET}`"))
        })?;
        let digest = format!("sha256:{digest}");
        Ok(Self { archive: folder.file(&archive_name), version, archive_name, digest })
    }

    /// How this release's version compares with another one.
    pub(super) fn compare(&self, version: &str) -> Ordering {
        cmp_versions(&self.version, version).unwrap_or(Ordering::Equal)
    }

    fn as_release(&self) -> self_update::Result<Release> {
        let archive = ReleaseAsset::new(&*self.archive_name, &*self.archive).with_digest(&*self.digest);
        Release::builder().version(&*self.version).asset(archive).build()
    }
}

/// What self_update installs from: this one release, whose archive has the digest that was signed.
impl ReleaseSource for Verified {
    fn get_releases(&self) -> self_update::Result<Vec<Release>> {
        Ok(vec![self.as_release()?])
    }
}

fn archive_name(version: &str) -> String {
    let end = if cfg!(windows) { "zip" } else { "tar.gz" };
    format!("kapstan-{version}-{TARGET}.{end}")
}

fn read(transport: &Transport, folder: &Mirror, name: &str) -> Outcome<Vec<u8>> {
    let place = folder.file(name);
    transport.read(&place, LARGEST_LIST).map_err(|error| error.about(&place))
}

/// The version to take: the newest that the manifest names, or the one that is wanted.
fn version_in(manifest: &[u8], wanted: &Wanted, folder: &Mirror) -> Outcome<String> {
    let place = folder.file(MANIFEST);
    let text = String::from_utf8_lossy(manifest);
    let releases = parse_manifest(&text, "")
        .map_err(|error| problem("update::manifest", format!("`{place}` is no manifest: {error}")))?;
    let mut versions = releases.iter().map(Release::version);
    let found = match wanted {
        Wanted::Version(version) => versions.find(|found| found == version),
        Wanted::Newest(_) => versions.max_by(|a, b| cmp_versions(a, b).unwrap_or(Ordering::Equal)),
    };
    found.map(str::to_owned).ok_or_else(|| {
        let what = match wanted {
            Wanted::Version(version) => format!("the release {version}"),
            Wanted::Newest(_) => "a release".to_owned(),
        };
        problem("update::not-found", format!("`{place}` does not name {what}"))
    })
}

/// The signatures that are there.
fn signatures(transport: &Transport, folder: &Mirror) -> Outcome<Vec<Vec<u8>>> {
    let mut found = Vec::new();
    for end in SIGNATURE_ENDS {
        let place = folder.file(&format!("{SUMS}{end}"));
        match transport.read(&place, LARGEST_SIGNATURE) {
            Ok(signature) => found.push(signature),
            Err(Error::NotFound) => {}
            Err(error) => return Err(error.about(&place)),
        }
    }
    if found.is_empty() {
        let message = format!(
            "the release has no signature: there is no `{}`",
            folder.file(&format!("{SUMS}{}", SIGNATURE_ENDS[0]))
        );
        return Err(problem("update::signature", message));
    }
    Ok(found)
}

/// The sum of a file in a list as `sha256sum` writes it.
fn sum<'s>(sums: &'s str, name: &str) -> Option<&'s str> {
    let lines = sums.lines().filter_map(|line| line.split_once([' ', '\t']));
    let mut named = lines.filter(|(_, file)| file.trim_start_matches([' ', '*']) == name);
    named.next().map(|(sum, _)| sum).filter(|sum| sum.len() == 64)
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::{hex, sum, version_in};
    use crate::update::mirror::{Channel, Mirror, Wanted};

    #[test]
    fn sums_are_found_by_the_whole_name() {
        let a = "a".repeat(64);
        let b = "b".repeat(64);
        let sums = format!("{a}  kapstan.txt\n{b} *an\nshort  c\n");
        assert_eq!(sum(&sums, "kapstan.txt"), Some(&*a));
        assert_eq!(sum(&sums, "an"), Some(&*b));
        for name in ["txt", "c", "", "kapstan"] {
            assert_eq!(sum(&sums, name), None, "{name}");
        }
        assert_eq!(hex(&[0, 255, 16]), "00ff10");
    }

    #[test]
    fn the_newest_version_is_taken_by_precedence() {
        let manifest = br#"{"schema":1,"releases":[
            {"version":"0.9.0","assets":[]},{"version":"0.10.0-rc.1","assets":[]},{"version":"../x","assets":[]}]}"#;
        let folder = Mirror::Folder("/r".into());
        let take = |wanted| version_in(manifest, &wanted, &folder).ok();
        assert_eq!(take(Wanted::Newest(Channel::Stable)).as_deref(), Some("0.10.0-rc.1"));
        assert_eq!(take(Wanted::Version("0.9.0".into())).as_deref(), Some("0.9.0"));
        assert_eq!(take(Wanted::Version("../x".into())), None);
        assert!(version_in(b"{}", &Wanted::Newest(Channel::Stable), &folder).is_err());
    }
}
