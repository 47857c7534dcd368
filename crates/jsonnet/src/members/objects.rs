use super::Member;
use super::arguments::Arguments;
use super::calls::later_two;
use crate::operators::equals;
use jrsonnet_evaluator::val::MemoizedClosureThunk;
use jrsonnet_evaluator::{IStr, ObjValue, ObjValueBuilder, Result, Thunk, Val};

pub(super) const MEMBERS: &[Member] = &[
    ("mapWithKey", &["func", "obj"], |given| {
        let (function, object) = (given.function(0)?, given.object(1)?);
        let call = |name: &IStr| {
            later_two(&function, Thunk::evaluated(Val::string(name.clone())), field(&object, name))
        };
        Ok(build(object.fields().into_iter().map(|name| (call(&name), name))))
    }),
    ("objectRemoveKey", &["obj", "key"], |given| {
        let object = given.object(0)?;
        let mut kept = Vec::new();
        for name in object.fields() {
            if !equals(&Val::string(name.clone()), &given.value(1)?)? {
                kept.push((field(&object, &name), name));
            }
        }
        Ok(build(kept))
    }),
    ("mergePatch", &["target", "patch"], merge_patch),
];

fn field(object: &ObjValue, name: &IStr) -> Thunk<Val> {
    object.get_lazy_or_bail(name.clone())
}

fn build(fields: impl IntoIterator<Item = (Thunk<Val>, IStr)>) -> Val {
    let mut builder = ObjValueBuilder::new();
    for (value, name) in fields {
        builder.field(name).thunk(value);
    }
    Val::Obj(builder.build())
}

fn merge_patch(given: &Arguments<'_>) -> Result<Val> {
    merged(&given.lazy(0), given.value(1)?)
}

/// Only visible fields count, and fields are merged when they are asked for.
fn merged(target: &Thunk<Val>, patch: Val) -> Result<Val> {
    let Val::Obj(patch) = patch else { return Ok(patch) };
    let target = target.evaluate()?.as_obj().unwrap_or_else(ObjValue::empty);
    let (old_names, new_names) = (target.fields(), patch.fields());
    let untouched = old_names.iter().filter(|name| new_names.binary_search(name).is_err());
    let mut fields: Vec<_> = untouched.map(|name| (field(&target, name), name.clone())).collect();
    for name in new_names {
        let new = patch.get_or_bail(name.clone())?;
        if !matches!(new, Val::Null) {
            let was_there = old_names.binary_search(&name).is_ok();
            let old = if was_there { field(&target, &name) } else { Thunk::evaluated(Val::Null) };
            let both = MemoizedClosureThunk::new((old, new), |(old, new)| merged(&old, new));
            fields.push((Thunk::new(both), name));
        }
    }
    Ok(build(fields))
}
