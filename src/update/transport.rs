use super::mirror::Mirror;
use super::{problem, roots};
use crate::program;
use self_update::http::HeaderMap;
use self_update::http::header::CONTENT_LENGTH;
use self_update::http_client::{HttpClient, HttpResponse};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::time::Duration;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Proxy};

/// No archive is larger; what comes after this many bytes is not read.
const LARGEST_ARCHIVE: u64 = 256 << 20;
/// Connecting takes no longer.
const CONNECTING: Duration = Duration::from_secs(20);
/// A server that says nothing for so long is given up.
const SILENCE: Duration = Duration::from_secs(30);
/// No download takes longer in all.
const DOWNLOAD: Duration = Duration::from_secs(30 * 60);

/// Reads files of a mirror. Fails rather than read more than it should.
pub(super) struct Transport {
    source: Source,
}

enum Source {
    Web(Agent),
    Disk,
}

/// Why a file could not be read.
#[derive(Debug)]
pub(super) enum Error {
    /// There is none.
    NotFound,
    /// Anything else, in words.
    Failed(String),
}

impl Transport {
    /// For the files of this mirror: over https with the proxy that the environment names, or from the disk.
    ///
    /// Redirections never lead from https to http. A server of this machine is reached without a proxy.
    pub(super) fn new(mirror: &Mirror) -> Self {
        let Mirror::Web(base) = mirror else { return Self { source: Source::Disk } };
        let is_https = base.starts_with("https://");
        let roots = if is_https { RootCerts::from(roots::trusted()) } else { RootCerts::WebPki };
        let config = Agent::config_builder()
            .tls_config(TlsConfig::builder().root_certs(roots).build())
            .https_only(is_https)
            .proxy(if mirror.is_loopback() { None } else { Proxy::try_from_env() })
            .user_agent(program::name_and_version().replace(' ', "/"))
            .accept_encoding("identity")
            .timeout_connect(Some(CONNECTING))
            .timeout_per_read(Some(SILENCE))
            .timeout_global(Some(DOWNLOAD))
            .build();
        Self { source: Source::Web(Agent::new_with_config(config)) }
    }

    /// The bytes of a small file.
    pub(super) fn read(&self, place: &str, limit: u64) -> Result<Vec<u8>, Error> {
        let (_, body) = self.open(place)?;
        let mut bytes = Vec::new();
        Capped { body, left: limit }.read_to_end(&mut bytes).map_err(|error| Error::failed(&error))?;
        Ok(bytes)
    }

    /// A file's length, where it is known, and its bytes.
    fn open(&self, place: &str) -> Result<(Option<u64>, Box<dyn Read>), Error> {
        match &self.source {
            Source::Disk => {
                let file = File::open(place).map_err(|error| Error::of_disk(&error))?;
                let length = file.metadata().map_err(|error| Error::of_disk(&error))?.len();
                Ok((Some(length), Box::new(file)))
            }
            Source::Web(agent) => {
                let response = agent.get(place).call().map_err(|error| Error::of_web(&error))?;
                let length = response.body().content_length();
                Ok((length, Box::new(response.into_body().into_reader())))
            }
        }
    }
}

impl Error {
    fn failed(error: &dyn std::error::Error) -> Self {
        Self::Failed(error.to_string())
    }

    fn of_disk(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::NotFound { Self::NotFound } else { Self::failed(error) }
    }

    fn of_web(error: &ureq::Error) -> Self {
        match error {
            ureq::Error::StatusCode(404 | 410) => Self::NotFound,
            ureq::Error::StatusCode(status) => Self::Failed(format!("the server answers {status}")),
            other => Self::failed(other),
        }
    }

    /// The problem, with the file that could not be had.
    pub(super) fn about(&self, place: &str) -> Box<kapstan_diagnostic::Diagnostic> {
        match self {
            Self::NotFound => problem("update::not-found", format!("there is no `{place}`")),
            Self::Failed(why) => problem("update::cannot-fetch", format!("cannot read `{place}`: {why}")),
        }
    }
}

/// What self_update downloads with.
impl HttpClient for Transport {
    fn get(
        &self,
        url: &str,
        _: &HeaderMap,
        _: Option<Duration>,
    ) -> self_update::Result<Box<dyn HttpResponse>> {
        let (length, body) = self.open(url).map_err(|error| match error {
            Error::NotFound => self_update::Error::http_status_error(404, url),
            Error::Failed(why) => self_update::Error::transport(why),
        })?;
        let mut headers = HeaderMap::new();
        headers.extend(length.map(|length| (CONTENT_LENGTH, length.into())));
        let body = Capped { body, left: LARGEST_ARCHIVE };
        Ok(Box::new(Response { headers, body: Marked { body } }))
    }
}

struct Response {
    headers: HeaderMap,
    body: Marked,
}

impl HttpResponse for Response {
    fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    fn body(self: Box<Self>) -> Box<dyn Read> {
        Box::new(self.body)
    }
}

/// Marks errors of reading, which self_update mixes with those of writing.
struct Marked {
    body: Capped,
}

/// Why the rest of a file could not be read.
#[derive(Debug)]
pub(super) struct Unreadable(String);

impl Unreadable {
    /// The reason behind an error of self_update, if that is what it is about.
    pub(super) fn behind(error: &io::Error) -> Option<&str> {
        Some(&error.get_ref()?.downcast_ref::<Self>()?.0)
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

impl std::error::Error for Unreadable {}

impl Read for Marked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.body.read(buffer).map_err(|error| io::Error::other(Unreadable(error.to_string())))
    }
}

/// Fails at the first byte too many.
struct Capped {
    body: Box<dyn Read>,
    left: u64,
}

impl Read for Capped {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.body.read(buffer)?;
        self.left = self
            .left
            .checked_sub(count as u64)
            .ok_or_else(|| io::Error::other("it is larger than any such file is"))?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::{Error, Transport};
    use crate::update::mirror::Mirror;

    #[test]
    fn files_are_read_up_to_a_limit() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("f"), "12345").unwrap();
        let mirror = Mirror::Folder(folder.path().into());
        let transport = Transport::new(&mirror);
        assert_eq!(transport.read(&mirror.file("f"), 5).unwrap(), b"12345");
        assert!(matches!(transport.read(&mirror.file("f"), 4), Err(Error::Failed(_))));
        assert!(matches!(transport.read(&mirror.file("g"), 4), Err(Error::NotFound)));
    }
}
