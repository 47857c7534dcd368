//! `semver` and its objects, `semverCompare`.

use super::give;
use crate::functions::{Call, CallError, Function, Outcome};
use crate::semver::{Constraints, Version};
use crate::value::{Json, Object, Text, Type, Value};
use Type::{Bool, Int, String as Str, Uint64};
use std::cmp::Ordering;

const POINTER: Type = Type::Object("*semver.Version");
const STRUCT: Type = Type::Object("semver.Version");

pub(super) const ROWS: &[Function] = &[
    Function::new("semver", &[Str], POINTER, |call| {
        let version = Version::parse(call.text(0))?;
        Ok(Value::object(VersionObject { version, is_pointer: true }))
    }),
    Function::new("semverCompare", &[Str, Str], Bool, |call| {
        let constraints = Constraints::parse(call.text(0))?;
        give(constraints.check(&Version::parse(call.text(1))?))
    }),
];

/// Whether a value is a version.
pub(super) fn is_version(value: &Value) -> bool {
    value.as_object::<VersionObject>().is_some()
}

/// A version of nothing but zeros.
pub(super) fn no_version() -> Value {
    Value::object(VersionObject { version: Version::default(), is_pointer: true })
}

/// A version in a template: `*semver.Version`, or `semver.Version` as what `IncPatch` and its kin return.
struct VersionObject {
    version: Version,
    is_pointer: bool,
}

impl Object for VersionObject {
    fn type_name(&self) -> &'static str {
        if self.is_pointer { "*semver.Version" } else { "semver.Version" }
    }

    fn methods(&self) -> &'static [Function] {
        if self.is_pointer { METHODS } else { &METHODS[OF_POINTERS..] }
    }

    fn string(&self) -> Option<Text> {
        Some(self.version.to_string().into())
    }

    fn is_equal(&self, other: &dyn Object) -> bool {
        let other: &dyn std::any::Any = other;
        other.downcast_ref::<Self>().is_some_and(|other| {
            self.version == other.version && self.is_pointer == other.is_pointer && !self.is_pointer
        })
    }

    fn json(&self) -> Json {
        Json::Value(Value::str(self.version.to_string()))
    }
}

/// Those of pointers come first: a struct does not have them.
const METHODS: &[Function] = &[
    Function::new("Original", &[], Str, |call| give(receiver(call)?.original.as_str())),
    Function::new("Compare", &[POINTER], Int, |call| {
        Ok(Value::Int(match compare(call)? {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        }))
    }),
    Function::new("LessThan", &[POINTER], Bool, |call| give(compare(call)?.is_lt())),
    Function::new("LessThanEqual", &[POINTER], Bool, |call| give(compare(call)?.is_le())),
    Function::new("GreaterThan", &[POINTER], Bool, |call| give(compare(call)?.is_gt())),
    Function::new("GreaterThanEqual", &[POINTER], Bool, |call| give(compare(call)?.is_ge())),
    Function::new("Equal", &[POINTER], Bool, |call| give(compare(call)?.is_eq())),
    Function::new("Major", &[], Uint64, |call| Ok(Value::Uint64(receiver(call)?.major))),
    Function::new("Minor", &[], Uint64, |call| Ok(Value::Uint64(receiver(call)?.minor))),
    Function::new("Patch", &[], Uint64, |call| Ok(Value::Uint64(receiver(call)?.patch))),
    Function::new("Prerelease", &[], Str, |call| give(receiver(call)?.prerelease.as_str())),
    Function::new("Metadata", &[], Str, |call| give(receiver(call)?.metadata.as_str())),
    Function::new("String", &[], Str, |call| give(receiver(call)?.to_string())),
    Function::new("IncPatch", &[], STRUCT, |call| {
        let version = receiver(call)?;
        // A pre-release comes before the version that it is one of.
        let step = if version.prerelease.is_empty() { 1 } else { 0 };
        advanced(version, version.major, version.minor, next(version.patch, step, "patch")?)
    }),
    Function::new("IncMinor", &[], STRUCT, |call| {
        let version = receiver(call)?;
        advanced(version, version.major, next(version.minor, 1, "minor")?, 0)
    }),
    Function::new("IncMajor", &[], STRUCT, |call| {
        let version = receiver(call)?;
        advanced(version, next(version.major, 1, "major")?, 0, 0)
    }),
    Function::new("SetPrerelease", &[Str], STRUCT, |call| {
        structure(receiver(call)?.with_prerelease(&call.str(0))?)
    }),
    Function::new("SetMetadata", &[Str], STRUCT, |call| {
        structure(receiver(call)?.with_metadata(&call.str(0))?)
    }),
];

/// How many methods are those of pointers.
const OF_POINTERS: usize = 7;

fn receiver<'a>(call: &Call<'a>) -> Result<&'a Version, CallError> {
    version(call.receiver())
}

fn version(value: &Value) -> Result<&Version, CallError> {
    let object = value.as_object::<VersionObject>().map(|object| &object.version);
    object.ok_or_else(|| "runtime error: invalid memory address or nil pointer dereference".into())
}

fn compare(call: &Call<'_>) -> Result<Ordering, CallError> {
    Ok(receiver(call)?.compare(version(call.arg(0))?))
}

fn next(number: u64, step: u64, name: &str) -> Result<u64, CallError> {
    let advanced = number.checked_add(step);
    advanced.ok_or_else(|| format!("{name} version increment would overflow uint64").into())
}

fn advanced(version: &Version, major: u64, minor: u64, patch: u64) -> Outcome {
    structure(version.advanced(major, minor, patch))
}

fn structure(version: Version) -> Outcome {
    Ok(Value::object(VersionObject { version, is_pointer: false }))
}
