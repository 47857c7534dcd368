//! Names of objects as Kubernetes allows them.

use crate::go;
use crate::name::is_dns_name;

/// What is wrong with the name of an object, if anything.
pub(super) fn problem(kind: &str, name: &str) -> Option<String> {
    let problems: Vec<String> = match &*kind.to_lowercase() {
        "certificatesigningrequest" => Vec::new(),
        "role" | "clusterrole" | "rolebinding" | "clusterrolebinding" => path_segment(name),
        "service" => label_1035(name),
        "namespace" => label_1123(name),
        _ => subdomain(name),
    };
    if problems.is_empty() {
        return None;
    }
    let quoted = go::quote(name);
    let mut shown: Vec<String> =
        problems.iter().map(|problem| format!("metadata.name: Invalid value: {quoted}: {problem}")).collect();
    let shown = if shown.len() == 1 { shown.remove(0) } else { format!("[{}]", shown.join(", ")) };
    Some(format!("object name does not conform to Kubernetes naming requirements: {quoted}: {shown}"))
}

fn too_long(name: &str, most: usize) -> Option<String> {
    (name.len() > most).then(|| format!("must be no more than {most} characters"))
}

fn subdomain(name: &str) -> Vec<String> {
    let text = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start \
                and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
                '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    too_long(name, 253).into_iter().chain((!is_dns_name(name)).then(|| text.to_owned())).collect()
}

fn label_1123(name: &str) -> Vec<String> {
    let text = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end \
                with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
                '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
    let subdomain = "must not contain dots";
    let is_label = is_dns_name(name) && !name.contains('.');
    let problem = if is_dns_name(name) && name.contains('.') { subdomain } else { text };
    too_long(name, 63).into_iter().chain((!is_label).then(|| problem.to_owned())).collect()
}

fn label_1035(name: &str) -> Vec<String> {
    let text = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic \
                character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation \
                is '[a-z]([-a-z0-9]*[a-z0-9])?')";
    let is_label = is_dns_name(name)
        && !name.contains('.')
        && name.starts_with(|first: char| first.is_ascii_lowercase());
    too_long(name, 63).into_iter().chain((!is_label).then(|| text.to_owned())).collect()
}

fn path_segment(name: &str) -> Vec<String> {
    if name == "." || name == ".." {
        return vec![format!("may not be '{name}'")];
    }
    let bad = ["/", "%"].into_iter().filter(|bad| name.contains(bad));
    bad.map(|bad| format!("may not contain '{bad}'")).collect()
}
