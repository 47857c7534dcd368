use super::Setting;
use super::arguments::VersionArguments;
use crate::cli::Failure;
use kapstan_gotemplate::{Functions, Options, Set, Value};
use kapstan_helm::Profile;
use std::io::Write;

/// Prints the version of the Helm that is followed, in the forms in which tools look for it.
pub(super) fn run(setting: &Setting<'_>, arguments: &VersionArguments) -> Result<(), Failure> {
    if !arguments.words.is_empty() {
        return Err(setting.refused("\"helm version\" accepts no arguments\n\nUsage:  helm version [flags]"));
    }
    let (version, kube_client) = match setting.profile {
        Profile::V4_2 => ("v4.2.4", "v1.36"),
        Profile::V3 => ("v3.21.4", ""),
    };
    let go = "go1.26.8";
    let text = if let Some(template) = &arguments.template {
        let fields = [
            ("Version", version),
            ("GitCommit", ""),
            ("GitTreeState", "clean"),
            ("GoVersion", go),
            ("KubeClientVersion", kube_client),
        ];
        formatted(setting, template, &fields)?
    } else if arguments.short {
        format!("{version}\n")
    } else {
        let kube_client = match kube_client {
            "" => String::new(),
            version => format!(", KubeClientVersion:\"{version}\""),
        };
        format!(
            "version.BuildInfo{{Version:\"{version}\", GitCommit:\"\", GitTreeState:\"clean\", GoVersion:\"{go}\"{kube_client}}}\n"
        )
    };
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}

fn formatted(setting: &Setting<'_>, template: &str, fields: &[(&str, &str)]) -> Result<String, Failure> {
    let mut set = Set::new("_", Functions::builtins());
    let data = Value::map(fields.iter().map(|(name, text)| (*name, Value::str(*text))));
    set.parse("_", template).map_err(|error| setting.refused(error.to_string()))?;
    let text = set.execute("_", data, &Options::default());
    Ok(text.map_err(|error| setting.refused(error.to_string()))?.to_string())
}
