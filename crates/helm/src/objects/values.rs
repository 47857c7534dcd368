use crate::Profile;
use crate::values::{table_at, value_at};
use kapstan_document::yaml::go;
use kapstan_gotemplate::{Call, CallError, Function, Map, MapType, Outcome, Type, Value};

/// A map of values under the name that Go has for them, with the methods of that.
pub(crate) fn as_values(map: &Map, profile: Profile) -> Map {
    map.with_type(if profile.is_v3() { &VALUES_V3 } else { &VALUES })
}

static VALUES: MapType = MapType { name: "common.Values", element: Type::Any, methods: METHODS };
static VALUES_V3: MapType = MapType { name: "chartutil.Values", element: Type::Any, methods: METHODS_V3 };

static METHODS: &[Function] = &[
    Function::new("AsMap", &[], Type::Map(&kapstan_gotemplate::value::ANY_MAP), as_map),
    Function::new("Encode", &[WRITER], Type::Any, encode),
    Function::new("PathValue", &[Type::String], Type::Any, path_value),
    Function::new("Table", &[Type::String], Type::Map(&VALUES), table),
    Function::new("YAML", &[], Type::String, yaml),
];
static METHODS_V3: &[Function] = &[
    Function::new("AsMap", &[], Type::Map(&kapstan_gotemplate::value::ANY_MAP), as_map),
    Function::new("Encode", &[WRITER], Type::Any, encode),
    Function::new("PathValue", &[Type::String], Type::Any, path_value),
    Function::new("Table", &[Type::String], Type::Map(&VALUES_V3), table),
    Function::new("YAML", &[], Type::String, yaml),
];

/// What `Encode` writes to, of which a template has none.
const WRITER: Type = Type::Object("io.Writer");

fn receiver(call: &Call<'_>) -> Map {
    call.receiver().as_map().cloned().unwrap_or_default()
}

#[expect(clippy::unnecessary_wraps, reason = "the signature of functions of templates")]
fn as_map(call: &mut Call<'_>) -> Outcome {
    let map = receiver(call);
    // Go makes a new map where this one is empty.
    let map = if map.is_empty() { Map::new() } else { map };
    Ok(Value::Map(map.with_type(&kapstan_gotemplate::value::ANY_MAP)))
}

fn yaml(call: &mut Call<'_>) -> Outcome {
    let values = Value::Map(receiver(call));
    go::write(&values, go::MAX_WRITE_DEPTH)
        .map(|text| Value::str(&*text))
        .map_err(|error| CallError::new(error.to_string()))
}

fn encode(_: &mut Call<'_>) -> Outcome {
    Err(CallError::new("there is nothing to write to"))
}

fn table(call: &mut Call<'_>) -> Outcome {
    let map = receiver(call);
    let found = table_at(&map, &call.str(0)).map_err(CallError::new)?;
    Ok(Value::Map(found.with_type(map.map_type())))
}

fn path_value(call: &mut Call<'_>) -> Outcome {
    let path = call.str(0);
    if path.is_empty() {
        return Err(CallError::new("YAML path cannot be empty"));
    }
    let last = path.rsplit('.').next().unwrap_or_default();
    value_at(&receiver(call), &path)
        .ok_or_else(|| CallError::new(format!("{} is not a value", crate::go::quote(last))))
}
