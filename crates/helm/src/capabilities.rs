use crate::error::{Error, Result};
use crate::{Profile, go};

/// What templates may ask of the cluster and of Helm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// The version of Kubernetes.
    pub kube_version: KubeVersion,
    /// The API versions that exist: `apps/v1`, or with a kind where the user says so.
    pub api_versions: Vec<String>,
    /// Which Helm is followed.
    pub profile: Profile,
}

/// A version of Kubernetes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KubeVersion {
    /// The whole version: `v1.33.4-gke.1`; with Helm 3 its numbers only.
    pub version: String,
    /// The numbers alone: what constraints are checked with.
    pub normalized: String,
    /// The first number.
    pub major: String,
    /// The second number.
    pub minor: String,
}

impl KubeVersion {
    /// Reads a version as `--kube-version` takes it: two or more numbers, perhaps with a `v` before and anything behind.
    pub fn parse(text: &str, profile: Profile) -> Result<Self> {
        let numbers = numbers_of(text).map_err(|problem| {
            Error::new("helm::kube-version", format!("invalid kube version '{text}': {problem}"))
        })?;
        let shown: Vec<String> = numbers.iter().map(u64::to_string).collect();
        let normalized = format!("v{}", shown.join("."));
        let full = if text.starts_with('v') { text.to_owned() } else { format!("v{text}") };
        Ok(Self {
            version: if profile.is_v3() { normalized.clone() } else { full },
            normalized,
            major: shown[0].clone(),
            minor: shown[1].clone(),
        })
    }

    /// The version that Helm assumes without `--kube-version`.
    pub fn assumed() -> Self {
        let version = "v1.36.0".to_owned();
        Self { normalized: version.clone(), version, major: "1".to_owned(), minor: "36".to_owned() }
    }
}

/// The numbers of a version; fails in the words of Kubernetes' own reader.
fn numbers_of(text: &str) -> std::result::Result<Vec<u64>, String> {
    let quoted = go::quote(text);
    let is_blank = |character: char| matches!(character, ' ' | '\t' | '\n' | '\r' | '\x0c');
    let rest = text.trim_start_matches(is_blank);
    let rest = rest.strip_prefix('v').unwrap_or(rest);
    let end = end_of_numbers(rest);
    // What follows may be anything, but on one line.
    if end == 0 || rest[end..].contains('\n') {
        return Err(format!("could not parse {quoted} as version"));
    }
    let parts: Vec<&str> = rest[..end].split('.').collect();
    if parts.len() < 2 {
        return Err(format!("illegal version string {quoted}"));
    }
    let mut numbers = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        if at == 0 && part.starts_with('0') && *part != "0" {
            return Err(format!("illegal zero-prefixed version component {} in {quoted}", go::quote(part)));
        }
        numbers.push(part.parse().map_err(|_| {
            let part = go::quote(part);
            format!(
                "illegal non-numeric version component {part} in {quoted}: strconv.ParseUint: parsing {part}: value out of \
                 range"
            )
        })?);
    }
    Ok(numbers)
}

/// The length of the numbers with dots between them that a text begins with.
fn end_of_numbers(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = digits(0);
    while end > 0 && bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    end
}

impl Capabilities {
    /// What Helm assumes where nothing else is said.
    pub fn assumed(profile: Profile) -> Self {
        let api_versions = API_VERSIONS.iter().map(|version| (*version).to_owned()).collect();
        Self { kube_version: KubeVersion::assumed(), api_versions, profile }
    }
}

/// The API versions that Helm 4.2.4 and 3.21.4 know of, in their order.
const API_VERSIONS: &[&str] = &[
    "v1",
    "admissionregistration.k8s.io/v1",
    "admissionregistration.k8s.io/v1alpha1",
    "admissionregistration.k8s.io/v1beta1",
    "internal.apiserver.k8s.io/v1alpha1",
    "apps/v1",
    "apps/v1beta1",
    "apps/v1beta2",
    "authentication.k8s.io/v1",
    "authentication.k8s.io/v1alpha1",
    "authentication.k8s.io/v1beta1",
    "authorization.k8s.io/v1",
    "authorization.k8s.io/v1beta1",
    "autoscaling/v1",
    "autoscaling/v2",
    "batch/v1",
    "batch/v1beta1",
    "certificates.k8s.io/v1",
    "certificates.k8s.io/v1beta1",
    "certificates.k8s.io/v1alpha1",
    "coordination.k8s.io/v1alpha2",
    "coordination.k8s.io/v1beta1",
    "coordination.k8s.io/v1",
    "discovery.k8s.io/v1",
    "discovery.k8s.io/v1beta1",
    "events.k8s.io/v1",
    "events.k8s.io/v1beta1",
    "extensions/v1beta1",
    "flowcontrol.apiserver.k8s.io/v1",
    "flowcontrol.apiserver.k8s.io/v1beta1",
    "flowcontrol.apiserver.k8s.io/v1beta2",
    "flowcontrol.apiserver.k8s.io/v1beta3",
    "networking.k8s.io/v1",
    "networking.k8s.io/v1beta1",
    "node.k8s.io/v1",
    "node.k8s.io/v1alpha1",
    "node.k8s.io/v1beta1",
    "policy/v1",
    "policy/v1beta1",
    "rbac.authorization.k8s.io/v1",
    "rbac.authorization.k8s.io/v1beta1",
    "rbac.authorization.k8s.io/v1alpha1",
    "resource.k8s.io/v1",
    "resource.k8s.io/v1beta2",
    "resource.k8s.io/v1beta1",
    "resource.k8s.io/v1alpha3",
    "scheduling.k8s.io/v1alpha2",
    "scheduling.k8s.io/v1beta1",
    "scheduling.k8s.io/v1",
    "storage.k8s.io/v1beta1",
    "storage.k8s.io/v1",
    "storage.k8s.io/v1alpha1",
    "storagemigration.k8s.io/v1beta1",
    "apiextensions.k8s.io/v1beta1",
    "apiextensions.k8s.io/v1",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kube_versions_are_read_loosely() {
        let read = |text: &str, profile| {
            KubeVersion::parse(text, profile)
                .map(|version| (version.version, version.normalized, version.minor))
        };
        let owned = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(read("v1.33.4-gke.1", Profile::V4_2).unwrap(), owned("v1.33.4-gke.1", "v1.33.4", "33"));
        assert_eq!(read("v1.33.4-gke.1", Profile::V3).unwrap(), owned("v1.33.4", "v1.33.4", "33"));
        assert_eq!(read("1.20", Profile::V4_2).unwrap(), owned("v1.20", "v1.20", "20"));
        assert_eq!(read("1.20+", Profile::V4_2).unwrap(), owned("v1.20+", "v1.20", "20"));
        for (text, problem) in [
            ("x", "could not parse \"x\" as version"),
            ("1", "illegal version string \"1\""),
            ("01.2", "illegal zero-prefixed version component \"01\" in \"01.2\""),
        ] {
            let error = read(text, Profile::V4_2).unwrap_err();
            assert_eq!(error.text(), format!("invalid kube version '{text}': {problem}"));
        }
    }
}
