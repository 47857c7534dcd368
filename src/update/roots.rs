use std::env;
use std::path::{Path, PathBuf};
use ureq::tls::{Certificate, PemItem, parse_pem};

/// Where systems keep the certificates that they trust, in one file.
const BUNDLES: &[&str] = &[
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
    "/usr/local/share/certs/ca-root-nss.crt",
];

/// The certificates to trust: those compiled in, and those of the system or, instead of these, of `SSL_CERT_FILE`.
///
/// Those compiled in make it work where there is no system around; the others where a company has its own.
pub(super) fn trusted() -> Vec<Certificate<'static>> {
    let compiled_in = webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter();
    let mut roots: Vec<_> = compiled_in.map(|root| Certificate::from_der(root).to_owned()).collect();
    roots.extend(of_system());
    roots
}

fn of_system() -> Vec<Certificate<'static>> {
    let named = env::var_os("SSL_CERT_FILE").filter(|name| !name.is_empty()).map(PathBuf::from);
    let bundle = named.or_else(|| BUNDLES.iter().map(PathBuf::from).find(|bundle| bundle.is_file()));
    bundle.map_or_else(of_platform, |bundle| in_file(&bundle))
}

/// What cannot be read is not trusted, and no reason to fail before a connection does.
fn in_file(bundle: &Path) -> Vec<Certificate<'static>> {
    let text = std::fs::read(bundle).unwrap_or_default();
    let items = parse_pem(&text).filter_map(Result::ok);
    let certificates = items.filter_map(|item| match item {
        PemItem::Certificate(certificate) => Some(certificate),
        _ => None,
    });
    certificates.collect()
}

#[cfg(windows)]
fn of_platform() -> Vec<Certificate<'static>> {
    let found = rustls_native_certs::load_native_certs().certs;
    found.iter().map(|root| Certificate::from_der(root).to_owned()).collect()
}

#[cfg(not(windows))]
fn of_platform() -> Vec<Certificate<'static>> {
    Vec::new()
}
