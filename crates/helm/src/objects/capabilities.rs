use crate::{Capabilities, KubeVersion, Profile};
use kapstan_gotemplate::value::{Json, ObjectRef};
use kapstan_gotemplate::{Call, Function, List, ListType, Object, Outcome, Text, Type, Value};

/// `.Capabilities`
pub(crate) fn capabilities(capabilities: &Capabilities) -> Value {
    let is_v3 = capabilities.profile.is_v3();
    let versions = capabilities.api_versions.iter().map(Value::str).collect();
    let version_set = if is_v3 { &VERSION_SET_V3 } else { &VERSION_SET };
    Value::object(All {
        is_v3,
        kube_version: ObjectRef::new(Kube { version: capabilities.kube_version.clone(), is_v3 }),
        api_versions: List::typed(version_set, versions),
        helm_version: ObjectRef::new(Helm { profile: capabilities.profile }),
    })
}

static HAS: &[Function] = &[Function::new("Has", &[Type::String], Type::Bool, has)];
static VERSION_SET: ListType = ListType { name: "common.VersionSet", element: Type::String, methods: HAS };
static VERSION_SET_V3: ListType =
    ListType { name: "chartutil.VersionSet", element: Type::String, methods: HAS };

#[expect(clippy::unnecessary_wraps, reason = "the signature of functions of templates")]
fn has(call: &mut Call<'_>) -> Outcome {
    let wanted = call.text(0);
    let is_there = call.receiver().as_list().is_some_and(|versions| {
        versions.iter().any(|version| version.as_text().is_some_and(|version| version.as_bytes() == wanted))
    });
    Ok(Value::Bool(is_there))
}

struct All {
    is_v3: bool,
    kube_version: ObjectRef,
    api_versions: List,
    helm_version: ObjectRef,
}

impl Object for All {
    fn type_name(&self) -> &'static str {
        if self.is_v3 { "*chartutil.Capabilities" } else { "*common.Capabilities" }
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("KubeVersion", Value::Object(self.kube_version.clone())),
            ("APIVersions", Value::List(self.api_versions.clone())),
            ("HelmVersion", Value::Object(self.helm_version.clone())),
        ]
    }

    fn methods(&self) -> &'static [Function] {
        const COPY: &[Function] = &[Function::new("Copy", &[], Type::Object("*common.Capabilities"), itself)];
        const COPY_V3: &[Function] =
            &[Function::new("Copy", &[], Type::Object("*chartutil.Capabilities"), itself)];
        if self.is_v3 { COPY_V3 } else { COPY }
    }
}

/// Nothing of it can be changed, so that it serves as its own copy.
#[expect(clippy::unnecessary_wraps, reason = "the signature of functions of templates")]
fn itself(call: &mut Call<'_>) -> Outcome {
    Ok(call.receiver().clone())
}

/// `.Capabilities.KubeVersion`
struct Kube {
    version: KubeVersion,
    is_v3: bool,
}

impl Kube {
    fn shown(&self) -> &str {
        if self.is_v3 { &self.version.version } else { &self.version.normalized }
    }
}

impl Object for Kube {
    fn type_name(&self) -> &'static str {
        if self.is_v3 { "chartutil.KubeVersion" } else { "common.KubeVersion" }
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let KubeVersion { version, major, minor, .. } = &self.version;
        vec![("Version", Value::str(version)), ("Major", Value::str(major)), ("Minor", Value::str(minor))]
    }

    fn methods(&self) -> &'static [Function] {
        const METHODS: &[Function] = &[
            Function::new("GitVersion", &[], Type::String, git_version),
            Function::new("String", &[], Type::String, shown_version),
        ];
        METHODS
    }

    /// `String` is a method of the pointer, so that `%v` shows the struct, and Helm 4's has a field that nobody sees.
    fn string(&self) -> Option<Text> {
        let KubeVersion { version, normalized, major, minor } = &self.version;
        Some(if self.is_v3 {
            format!("{{{version} {major} {minor}}}").into()
        } else {
            format!("{{{version} {normalized} {major} {minor}}}").into()
        })
    }

    fn action_text(&self) -> Option<Text> {
        Some(self.shown().into())
    }
}

fn kube<'c>(call: &'c Call<'_>) -> Option<&'c Kube> {
    call.receiver().as_object()
}

#[expect(clippy::unnecessary_wraps, reason = "the signature of functions of templates")]
fn git_version(call: &mut Call<'_>) -> Outcome {
    Ok(kube(call).map_or(Value::Nil, |kube| Value::str(&kube.version.version)))
}

#[expect(clippy::unnecessary_wraps, reason = "the signature of functions of templates")]
fn shown_version(call: &mut Call<'_>) -> Outcome {
    Ok(kube(call).map_or(Value::Nil, |kube| Value::str(kube.shown())))
}

/// `.Capabilities.HelmVersion`
struct Helm {
    profile: Profile,
}

/// What the releases that are followed say of themselves.
const GO_VERSION: &str = "go1.26.8";

impl Object for Helm {
    fn type_name(&self) -> &'static str {
        "version.BuildInfo"
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let version = if self.profile.is_v3() { "v3.21.4" } else { "v4.2.4" };
        let mut fields = vec![
            ("Version", Value::str(version)),
            ("GitCommit", Value::str("")),
            ("GitTreeState", Value::str("clean")),
            ("GoVersion", Value::str(GO_VERSION)),
        ];
        if !self.profile.is_v3() {
            fields.push(("KubeClientVersion", Value::str("v1.36")));
        }
        fields
    }

    fn json(&self) -> Json {
        let names = |field| match field {
            "Version" => "version",
            "GitCommit" => "git_commit",
            "GitTreeState" => "git_tree_state",
            "GoVersion" => "go_version",
            _ => "kube_client_version",
        };
        let fields = self.fields().into_iter().filter(|(_, value)| value.is_truthy());
        Json::of_struct(fields.map(|(field, value)| (names(field), value)))
    }
}
