use crate::chart::File;
use crate::glob::Glob;
use crate::{Profile, go};
use base64::Engine;
use kapstan_gotemplate::value::STRING_LIST;
use kapstan_gotemplate::{Call, CallError, Function, List, Map, MapType, Outcome, Type, Value};

/// `.Files`: the files of a chart that are neither templates nor Helm's own.
pub(crate) fn files(files: &[File], profile: Profile) -> Value {
    let entries = files.iter().map(|file| (file.name.as_str(), Value::Bytes((&*file.data).into())));
    Value::Map(Map::typed_entries(if profile.is_v3() { &FILES_V3 } else { &FILES }, entries))
}

static FILES: MapType = MapType { name: "engine.files", element: Type::Bytes, methods: METHODS };
static FILES_V3: MapType = MapType { name: "engine.files", element: Type::Bytes, methods: METHODS_V3 };

static METHODS: &[Function] = &[
    Function::new("AsConfig", &[], Type::String, as_config),
    Function::new("AsSecrets", &[], Type::String, as_secrets),
    Function::new("Get", &[Type::String], Type::String, get),
    Function::new("GetBytes", &[Type::String], Type::Bytes, get_bytes),
    Function::new("Glob", &[Type::String], Type::Map(&FILES), glob),
    Function::new("Lines", &[Type::String], Type::List(&STRING_LIST), lines),
];
static METHODS_V3: &[Function] = &[
    Function::new("AsConfig", &[], Type::String, as_config),
    Function::new("AsSecrets", &[], Type::String, as_secrets),
    Function::new("Get", &[Type::String], Type::String, get),
    Function::new("GetBytes", &[Type::String], Type::Bytes, get_bytes),
    Function::new("Glob", &[Type::String], Type::Map(&FILES_V3), glob),
    Function::new("Lines", &[Type::String], Type::List(&STRING_LIST), lines_v3),
];

fn receiver(call: &Call<'_>) -> Map {
    call.receiver().as_map().cloned().unwrap_or_else(|| Map::typed(&FILES))
}

/// The content of the file that the first argument names; none where there is no such file.
fn content(call: &Call<'_>) -> Option<std::rc::Rc<[u8]>> {
    match receiver(call).get(call.text(0)) {
        Some(Value::Bytes(bytes)) => Some(bytes),
        _ => None,
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the signature of functions of templates")]
fn get(call: &mut Call<'_>) -> Outcome {
    Ok(Value::str(&*content(call).unwrap_or_default()))
}

#[expect(clippy::unnecessary_wraps, reason = "the signature of functions of templates")]
fn get_bytes(call: &mut Call<'_>) -> Outcome {
    Ok(Value::Bytes(content(call).unwrap_or_default()))
}

#[expect(clippy::unnecessary_wraps, reason = "the signature of functions of templates")]
fn glob(call: &mut Call<'_>) -> Outcome {
    let glob = Glob::new(&call.str(0));
    let entries = receiver(call).snapshot().into_iter().filter(|(name, _)| glob.matches(&name.to_str()));
    Ok(Value::Map(Map::typed_entries(receiver(call).map_type(), entries)))
}

/// Helm 4 takes the last character off without looking whether there is one.
fn lines(call: &mut Call<'_>) -> Outcome {
    if content(call).is_some_and(|content| content.is_empty()) {
        return Err(CallError::new("runtime error: index out of range [-1]"));
    }
    lines_v3(call)
}

#[expect(clippy::unnecessary_wraps, reason = "the signature of functions of templates")]
fn lines_v3(call: &mut Call<'_>) -> Outcome {
    let Some(content) = content(call).filter(|content| !content.is_empty()) else {
        return Ok(Value::List(List::strings::<&str>([])));
    };
    let text = content.strip_suffix(b"\n").unwrap_or(&content);
    Ok(Value::List(List::strings(text.split(|byte| *byte == b'\n'))))
}

/// The contents by the names of the files without their folders, as YAML; of equal names the last one by path.
fn as_config(call: &mut Call<'_>) -> Outcome {
    as_yaml(call, |content| String::from_utf8_lossy(content).into_owned())
}

/// The same in base64.
fn as_secrets(call: &mut Call<'_>) -> Outcome {
    as_yaml(call, |content| base64::engine::general_purpose::STANDARD.encode(content))
}

#[expect(clippy::unnecessary_wraps, reason = "the signature of functions of templates")]
fn as_yaml(call: &mut Call<'_>, shown: impl Fn(&[u8]) -> String) -> Outcome {
    let mut files = kapstan_document::Map::new();
    for (name, content) in receiver(call).snapshot() {
        let Value::Bytes(content) = content else { continue };
        files.insert(go::base(&name.to_str()), shown(&content));
    }
    // As Helm, which shows nothing where a file cannot be written.
    Ok(Value::str(crate::yaml::write(&files.into()).unwrap_or_default()))
}
