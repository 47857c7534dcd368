use super::request::Request;

/// A flag of `helm template`: the command line is made of these, and `helm_params` of compile items name them.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// Its name, behind `--`.
    pub name: &'static str,
    /// The letter behind `-`.
    pub short: Option<char>,
    /// What it takes, as help texts name that: empty for a switch.
    pub value: &'static str,
    /// What it means without a value; a value is then written behind `=` only.
    pub optional_value: Option<&'static str>,
    /// What it is for, in a line.
    pub help: &'static str,
    /// What it does to a request.
    pub effect: Effect,
}

/// What a flag does to a request.
#[derive(Clone, Copy, Debug)]
pub enum Effect {
    /// Sets it; `--flag=false` unsets it.
    Switch(fn(&mut Request) -> &mut bool),
    /// The last one counts.
    Text(fn(&mut Request) -> &mut Option<String>),
    /// Each counts, as it is.
    Texts(fn(&mut Request) -> &mut Vec<String>),
    /// Each counts, taken apart at commas.
    List(fn(&mut Request) -> &mut Vec<String>),
    /// Nothing without a cluster: accepted as Helm does.
    Nothing,
    /// It would ask the network or a cluster, which is refused.
    Outside(&'static str),
}

impl Flag {
    /// The flag of this name, of `helm template` or of every command.
    pub fn named(name: &str) -> Option<&'static Self> {
        FLAGS.iter().chain(GLOBAL_FLAGS).find(|flag| flag.name == name)
    }

    /// Whether it stands for itself, without a value.
    pub fn is_switch(&self) -> bool {
        self.value.is_empty()
    }

    /// Notes it in a request. A switch takes Go's words for true and false.
    ///
    /// Fails with Helm's text.
    pub fn apply(&self, value: &str, request: &mut Request) -> Result<(), String> {
        match self.effect {
            Effect::Switch(field) => *field(request) = self.truth(value)?,
            Effect::Text(field) => *field(request) = Some(value.to_owned()),
            Effect::Texts(field) => field(request).push(value.to_owned()),
            Effect::List(field) => field(request).extend(comma_separated(value)),
            Effect::Nothing if self.is_switch() => drop(self.truth(value)?),
            Effect::Nothing => {}
            Effect::Outside(_) if self.is_switch() && !self.truth(value)? => {}
            // Tools pass on what they were not given.
            Effect::Outside(_) if !self.is_switch() && value.is_empty() => {}
            Effect::Outside(why) => return Err(format!("--{} {why}", self.name)),
        }
        Ok(())
    }

    fn truth(&self, value: &str) -> Result<bool, String> {
        match value {
            "1" | "t" | "T" | "TRUE" | "true" | "True" => Ok(true),
            "0" | "f" | "F" | "FALSE" | "false" | "False" => Ok(false),
            _ => {
                let (shown, name) = (crate::go::quote(value), self.name);
                let cause = format!("strconv.ParseBool: parsing {shown}: invalid syntax");
                Err(format!("invalid argument {shown} for \"--{name}\" flag: {cause}"))
            }
        }
    }
}

/// The fields of a line of comma-separated values, quoted as such lines are.
fn comma_separated(line: &str) -> Vec<String> {
    if line.is_empty() {
        return Vec::new();
    }
    let mut fields = vec![String::new()];
    let mut characters = line.chars().peekable();
    let mut is_quoted = false;
    while let Some(character) = characters.next() {
        let field = fields.last_mut().expect("there is always one field");
        match character {
            '"' if is_quoted && characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            '"' if is_quoted => is_quoted = false,
            '"' if field.is_empty() => is_quoted = true,
            ',' if !is_quoted => fields.push(String::new()),
            other => field.push(other),
        }
    }
    fields
}

const NETWORK: &str = "needs the network: charts are not fetched";
const CLUSTER: &str = "needs a cluster, and kapstan renders without one";

const fn flag(name: &'static str, value: &'static str, help: &'static str, effect: Effect) -> Flag {
    let optional_value = if value.is_empty() { Some("true") } else { None };
    Flag { name, short: None, value, optional_value, help, effect }
}

impl Flag {
    const fn or(self, letter: char) -> Self {
        Self { short: Some(letter), ..self }
    }

    const fn alone(self, value: &'static str) -> Self {
        Self { optional_value: Some(value), ..self }
    }
}

const fn switch(name: &'static str, help: &'static str, field: fn(&mut Request) -> &mut bool) -> Flag {
    flag(name, "", help, Effect::Switch(field))
}

const fn unused_switch(name: &'static str, help: &'static str) -> Flag {
    flag(name, "", help, Effect::Nothing)
}

const fn unused(name: &'static str, value: &'static str, help: &'static str) -> Flag {
    flag(name, value, help, Effect::Nothing)
}

/// The flags of `helm template`, those of Helm 4.2 and of Helm 3, by their use.
pub const FLAGS: &[Flag] = &[
    flag(
        "values",
        "FILE",
        "A file with values; several are merged in their order",
        Effect::List(|request| &mut request.values.files),
    )
    .or('f'),
    flag(
        "set",
        "KEY=VALUE,...",
        "Set values; numbers, booleans and null are what they look like",
        Effect::Texts(|request| &mut request.values.set),
    ),
    flag(
        "set-string",
        "KEY=VALUE,...",
        "Set values that are strings",
        Effect::Texts(|request| &mut request.values.strings),
    ),
    flag(
        "set-file",
        "KEY=FILE,...",
        "Set values to the contents of files",
        Effect::Texts(|request| &mut request.values.set_files),
    ),
    flag(
        "set-json",
        "KEY=JSON,...",
        "Set values to JSON, or all that one JSON object holds",
        Effect::Texts(|request| &mut request.values.json),
    ),
    flag(
        "set-literal",
        "KEY=TEXT",
        "Set a value to a text in which no character is special",
        Effect::Texts(|request| &mut request.values.literals),
    ),
    switch("skip-schema-validation", "Leave the values unchecked by the chart's JSON Schema", |request| {
        &mut request.skip_schema_validation
    }),
    switch("generate-name", "Make the release name up, and take no NAME", |request| {
        &mut request.generate_name
    })
    .or('g'),
    flag(
        "name-template",
        "TEMPLATE",
        "Make the release name with a template",
        Effect::Text(|request| &mut request.name_template),
    ),
    switch("is-upgrade", "Set .Release.IsUpgrade instead of .Release.IsInstall", |request| {
        &mut request.is_upgrade
    }),
    flag(
        "kube-version",
        "VERSION",
        "The Kubernetes version of .Capabilities.KubeVersion",
        Effect::Text(|request| &mut request.kube_version),
    ),
    flag(
        "api-versions",
        "GROUP/VERSION,...",
        "More API versions for .Capabilities.APIVersions",
        Effect::List(|request| &mut request.api_versions),
    )
    .or('a'),
    switch("include-crds", "Print the chart's CRDs first", |request| &mut request.include_crds),
    switch("skip-tests", "Leave out the hooks of `helm test`", |request| &mut request.skip_tests),
    switch("no-hooks", "Leave out all hooks", |request| &mut request.no_hooks),
    flag(
        "show-only",
        "TEMPLATE",
        "Print only what comes from a template; may be repeated",
        Effect::Texts(|request| &mut request.show_only),
    )
    .or('s'),
    flag(
        "output-dir",
        "FOLDER",
        "Write files into a folder instead of printing",
        Effect::Text(|request| &mut request.output_dir),
    ),
    switch("release-name", "Put the release name into the path below --output-dir", |request| {
        &mut request.release_name
    }),
    flag(
        "post-renderer",
        "PROGRAM",
        "Pipe the manifests through a program",
        Effect::Text(|request| &mut request.post_renderer),
    ),
    flag(
        "post-renderer-args",
        "ARGUMENT",
        "An argument for that program; may be repeated",
        Effect::Texts(|request| &mut request.post_renderer_arguments),
    ),
    flag(
        "seed",
        "TEXT",
        "Draw random values from a seed, so that each run gives the same",
        Effect::Text(|request| &mut request.seed),
    ),
    unused("version", "VERSION", "Which version of a chart in a repository"),
    unused_switch("devel", "Also versions of a chart that are not released yet"),
    flag("repo", "URL", "The repository that the chart is in", Effect::Outside(NETWORK)),
    switch("dependency-update", "Bring missing dependencies together first: charts in folders", |request| {
        &mut request.updates_dependencies
    }),
    flag(
        "verify",
        "",
        "Verify the signature of the chart's archive",
        Effect::Outside("checks the signature of an archive, and kapstan checks none of charts"),
    ),
    unused("keyring", "FILE", "Keys for --verify"),
    unused("username", "NAME", "A user of the repository"),
    unused("password", "PASSWORD", "That user's password"),
    unused_switch("pass-credentials", "Send them to every host"),
    unused("ca-file", "FILE", "Certificates that servers are checked with"),
    unused("cert-file", "FILE", "A certificate of the client"),
    unused("key-file", "FILE", "The key of that certificate"),
    unused_switch("insecure-skip-tls-verify", "Take every certificate"),
    unused_switch("plain-http", "Fetch without encryption"),
    flag("validate", "", "Check the manifests against a cluster", Effect::Outside(CLUSTER)),
    unused("dry-run", "MODE", "`client`: there is no other way here").alone("unset"),
    switch("enable-dns", "Let templates look up names of hosts: getHostByName", |request| {
        &mut request.enable_dns
    }),
    unused_switch("atomic", "Of `helm install`"),
    unused_switch("create-namespace", "Of `helm install`"),
    unused("description", "TEXT", "Of `helm install`"),
    unused_switch("disable-openapi-validation", "Of `helm install`"),
    unused_switch("force", "Of `helm install`"),
    unused_switch("force-conflicts", "Of `helm install`"),
    unused_switch("force-replace", "Of `helm install`"),
    unused_switch("hide-notes", "Of `helm install`"),
    unused("labels", "NAME=VALUE,...", "Of `helm install`").or('l'),
    unused_switch("render-subchart-notes", "Of `helm install`: notes are not printed"),
    unused_switch("replace", "Of `helm install`"),
    unused_switch("rollback-on-failure", "Of `helm install`"),
    unused_switch("server-side", "Of `helm install`"),
    unused_switch("skip-crds", "Of `helm install`"),
    unused_switch("take-ownership", "Of `helm install`"),
    unused("timeout", "DURATION", "Of `helm install`"),
    unused("wait", "STRATEGY", "Of `helm install`").alone("watcher"),
    unused_switch("wait-for-jobs", "Of `helm install`"),
];

/// The flags of `helm dependency build` and `update`: all about downloads.
pub const DEPENDENCY_FLAGS: &[Flag] = &[
    unused_switch("skip-refresh", "Do not look for newer indexes of repositories"),
    unused_switch("verify", "Verify the signatures of what is downloaded"),
    unused("keyring", "FILE", "Keys for --verify"),
    unused("username", "NAME", "A user of the repository"),
    unused("password", "PASSWORD", "That user's password"),
    unused("ca-file", "FILE", "Certificates that servers are checked with"),
    unused("cert-file", "FILE", "A certificate of the client"),
    unused("key-file", "FILE", "The key of that certificate"),
    unused_switch("insecure-skip-tls-verify", "Take every certificate"),
    unused_switch("plain-http", "Fetch without encryption"),
];

/// The flags of every command of Helm. Most are about clusters and downloads.
pub const GLOBAL_FLAGS: &[Flag] = &[
    flag(
        "namespace",
        "NAME",
        "The namespace of the release; also HELM_NAMESPACE [default: default]",
        Effect::Text(|request| &mut request.namespace),
    )
    .or('n'),
    switch("debug", "Print what was rendered, also where it is no YAML", |request| &mut request.is_debug),
    unused("burst-limit", "NUMBER", "Of clusters"),
    unused("content-cache", "FOLDER", "Of downloads"),
    unused("kube-apiserver", "ADDRESS", "Of clusters"),
    unused("kube-as-group", "GROUP", "Of clusters"),
    unused("kube-as-user", "USER", "Of clusters"),
    unused("kube-ca-file", "FILE", "Of clusters"),
    unused("kube-context", "NAME", "Of clusters"),
    unused_switch("kube-insecure-skip-tls-verify", "Of clusters"),
    unused("kube-tls-server-name", "NAME", "Of clusters"),
    unused("kube-token", "TOKEN", "Of clusters"),
    unused("kubeconfig", "FILE", "Of clusters"),
    unused("qps", "NUMBER", "Of clusters"),
    unused("registry-config", "FILE", "Of downloads"),
    unused("repository-cache", "FOLDER", "Of downloads"),
    unused("repository-config", "FILE", "Of downloads"),
];

#[cfg(test)]
mod tests {
    use super::{Effect, FLAGS, Flag, GLOBAL_FLAGS, comma_separated};
    use crate::template::Request;

    #[test]
    fn names_and_letters_are_unique() {
        let mut names: Vec<_> = FLAGS.iter().chain(GLOBAL_FLAGS).map(|flag| flag.name).collect();
        let mut letters: Vec<_> = FLAGS.iter().chain(GLOBAL_FLAGS).filter_map(|flag| flag.short).collect();
        let counts = (names.len(), letters.len());
        names.sort_unstable();
        names.dedup();
        letters.sort_unstable();
        letters.dedup();
        assert_eq!((names.len(), letters.len()), counts);
    }

    #[test]
    fn only_switches_take_nothing() {
        for flag in FLAGS.iter().chain(GLOBAL_FLAGS) {
            let is_switch = matches!(flag.effect, Effect::Switch(_));
            assert!(!is_switch || flag.is_switch(), "{}", flag.name);
            assert!(!flag.is_switch() || flag.optional_value == Some("true"), "{}", flag.name);
        }
    }

    #[test]
    fn flags_change_the_request() {
        let mut request = Request::default();
        let mut apply = |name: &str, value: &str| Flag::named(name).expect(name).apply(value, &mut request);
        assert_eq!(apply("no-hooks", "true"), Ok(()));
        assert_eq!(apply("api-versions", "a/v1,\"b,c\",d"), Ok(()));
        assert_eq!(apply("set", "a=1,b=2"), Ok(()));
        assert_eq!(apply("timeout", "5m"), Ok(()));
        let problem = apply("no-hooks", "maybe").unwrap_err();
        assert!(
            problem.ends_with("\"--no-hooks\" flag: strconv.ParseBool: parsing \"maybe\": invalid syntax"),
            "{problem}"
        );
        assert!(apply("repo", "https://example.com").unwrap_err().contains("needs the network"));
        assert_eq!(apply("validate", "false"), Ok(()));
        assert!(apply("validate", "true").is_err());
        assert!(request.no_hooks);
        assert_eq!(request.api_versions, ["a/v1", "b,c", "d"]);
        assert_eq!(request.values.set, ["a=1,b=2"]);
    }

    #[test]
    fn commas_separate() {
        assert_eq!(comma_separated(""), Vec::<String>::new());
        assert_eq!(comma_separated("a"), ["a"]);
        assert_eq!(comma_separated("a,,b"), ["a", "", "b"]);
        assert_eq!(comma_separated("\"a \"\"b\"\"\",c"), ["a \"b\"", "c"]);
    }
}
