use super::{Outcome, problem};
use self_update::version::cmp_versions;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use ureq::http::Uri;

/// Where the project's own releases lie.
const HOME: &str = "https://github.com/kapstan/kapstan/releases";

/// A place that holds releases, or one of them: a web server that gives out files, or a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mirror {
    /// A URL without a slash at its end.
    Web(String),
    /// A folder of this machine.
    Folder(PathBuf),
}

/// A line of releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    /// What is meant for everyone.
    Stable,
    /// What comes before that.
    Preview,
}

/// Which release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The newest of a channel.
    Newest(Channel),
    /// This one, written without `v`.
    Version(String),
}

impl Wanted {
    /// The release of this version, also written with `v`. Nothing if it is no version.
    pub(crate) fn version(text: &str) -> Option<Self> {
        let version = text.strip_prefix('v').unwrap_or(text);
        cmp_versions(version, version).is_ok().then(|| Self::Version(version.to_owned()))
    }
}

impl Mirror {
    /// Reads a URL or a folder, the latter relative to `folder`. Nothing stands for the project's own releases.
    ///
    /// Fails for a URL that is not https, unless it leads to this machine.
    pub(crate) fn read(given: Option<&str>, folder: &Path) -> Outcome<Self> {
        let given = given.unwrap_or(HOME);
        if !given.contains("://") {
            return Ok(Self::Folder(folder.join(given)));
        }
        let text = given.trim_end_matches('/');
        let unusable = |why: &str| problem("update::mirror", format!("the mirror `{text}` {why}"));
        let uri: Uri = text.parse().map_err(|_| unusable("is not a URL"))?;
        match uri.scheme_str() {
            Some("https") => Ok(Self::Web(text.to_owned())),
            Some("http") if is_loopback(&uri) => Ok(Self::Web(text.to_owned())),
            Some("http") => Err(unusable("is not safe: use https")),
            _ => Err(unusable("is neither https nor a folder")),
        }
    }

    /// The flat folder of a release. A folder that holds a manifest itself is one.
    pub(crate) fn of_release(&self, wanted: &Wanted) -> Self {
        let below = match wanted {
            Wanted::Newest(Channel::Stable) => "latest/download".to_owned(),
            Wanted::Newest(Channel::Preview) => "download/channel-preview".to_owned(),
            Wanted::Version(version) => format!("download/v{version}"),
        };
        match self {
            Self::Web(base) => Self::Web(format!("{base}/{below}")),
            Self::Folder(folder) if folder.join("manifest.json").is_file() => self.clone(),
            Self::Folder(folder) => Self::Folder(folder.join(below)),
        }
    }

    /// Where a file of a release lies, as its user would write it.
    pub(crate) fn file(&self, name: &str) -> String {
        match self {
            Self::Web(base) => format!("{base}/{name}"),
            Self::Folder(folder) => folder.join(name).display().to_string(),
        }
    }

    /// Whether it is a server of this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        match self {
            Self::Web(base) => base.parse().is_ok_and(|uri| is_loopback(&uri)),
            Self::Folder(_) => false,
        }
    }
}

fn is_loopback(uri: &Uri) -> bool {
    let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::{Channel, Mirror, Wanted};
    use std::path::Path;

    #[test]
    fn mirrors_are_https_or_of_this_machine() {
        let here = Path::new("/here");
        for good in
            ["https://a.example/x/", "http://127.0.0.1:8080/x", "http://localhost/x", "http://[::1]:1/x"]
        {
            let web = Mirror::Web(good.trim_end_matches('/').to_owned());
            assert_eq!(Mirror::read(Some(good), here), Ok(web), "{good}");
        }
        for bad in [
            "http://a.example/x",
            "http://127.0.0.1@a.example/",
            "http://127.0.0.1.a.example/",
            "ftp://127.0.0.1/",
            "https://",
            "://",
        ] {
            assert!(Mirror::read(Some(bad), here).is_err(), "{bad}");
        }
        assert_eq!(Mirror::read(Some("a/b"), here), Ok(Mirror::Folder("/here/a/b".into())));
    }

    #[test]
    fn releases_lie_as_on_github() {
        let mirror = Mirror::Web("https://a.example/r".to_owned());
        for (wanted, expected) in [
            (Wanted::Newest(Channel::Stable), "https://a.example/r/latest/download/f"),
            (Wanted::Newest(Channel::Preview), "https://a.example/r/download/channel-preview/f"),
            (Wanted::Version("1.2.3".to_owned()), "https://a.example/r/download/v1.2.3/f"),
        ] {
            assert_eq!(mirror.of_release(&wanted).file("f"), expected);
        }
    }
}
