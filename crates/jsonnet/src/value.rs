use crate::host::Watched;
use crate::opaque::Opaque;
use crate::session::runtime_error;
use jrsonnet_evaluator::ordering::{FieldIndex, SuperDepth};
use jrsonnet_evaluator::val::{ArrValue, ArrayLike};
use jrsonnet_evaluator::{
    EnumFields, EnumFieldsHandler, FieldVisibility, GetFor, HasFieldIncludeHidden, IStr, NumValue, ObjValue,
    ObjValueBuilder, ObjectCore, Result, SupThis, Thunk, Val, Visibility,
};
use jrsonnet_gcmodule::Trace;
use kapstan_document::{Int, Map, Node, Place, Scalar, Value, Witness};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

const UNKNOWN_TYPE: &str = "Unrecognized type return from Python Jsonnet native extension.";
const NON_STRING_KEY: &str = "Non-string key in dict returned from Python Jsonnet native extension.";
const TOO_LARGE: &str = "Python int too large to convert to C long";

/// Which documents can become jsonnet values, each looked through once.
#[derive(Default)]
pub(crate) struct Checks(RefCell<FxHashMap<*const Map, Checked>>);

/// A document, and why it cannot become a jsonnet value if it cannot.
type Checked = (Arc<Map>, Option<&'static str>);

impl Checks {
    /// Fails where Kapitan's Python binding would refuse some part of the document, needed or not.
    pub(crate) fn check(&self, node: &Node) -> Result<()> {
        let Value::Map(map) = &node.value else {
            return refusal(node).map_or(Ok(()), |reason| Err(runtime_error(reason)));
        };
        // The map is kept, so that its address stays its own.
        let known = self.0.borrow().get(&Arc::as_ptr(map)).map(|(_, reason)| *reason);
        let reason = known.unwrap_or_else(|| {
            let reason = refusal(node);
            self.0.borrow_mut().insert(Arc::as_ptr(map), (map.clone(), reason));
            reason
        });
        reason.map_or(Ok(()), |reason| Err(runtime_error(reason)))
    }
}

/// Why the document cannot become a jsonnet value; the first reason in document order.
fn refusal(node: &Node) -> Option<&'static str> {
    match &node.value {
        Value::Null | Value::Bool(_) | Value::Float(_) | Value::Str(_) | Value::Bytes(_) => None,
        Value::Int(Int::Small(_)) => None,
        Value::Int(Int::Big(_)) => Some(TOO_LARGE),
        Value::Date(_) | Value::DateTime(_) | Value::Set(_) => Some(UNKNOWN_TYPE),
        Value::Seq(items) => items.iter().find_map(refusal),
        Value::Map(map) => map.iter().find_map(|(key, value)| match key.scalar {
            Scalar::Str(_) => refusal(value),
            _ => Some(NON_STRING_KEY),
        }),
    }
}

/// A document as a jsonnet value. Containers stay shared; their parts are converted when asked for.
pub(crate) fn to_jsonnet(watched: &Watched) -> Result<Val> {
    View { node: watched.document.clone(), witness: watched.witness.clone() }.into_value()
}

/// A part of a document, and who wants to know what is read of it.
#[derive(Clone)]
struct View {
    node: Node,
    witness: Option<(Rc<dyn Witness>, Place)>,
}

impl View {
    fn into_value(self) -> Result<Val> {
        Ok(match &self.node.value {
            Value::Null => Val::Null,
            Value::Bool(value) => Val::Bool(*value),
            Value::Int(value) => number(value.to_f64())?,
            Value::Float(value) => number(*value)?,
            Value::Str(text) => Val::string(&**text),
            Value::Bytes(bytes) => Val::Arr(bytes.iter().map(|byte| Val::Num((*byte).into())).collect()),
            Value::Seq(items) if items.is_empty() => {
                self.enumerated();
                Val::Arr(ArrValue::empty())
            }
            Value::Seq(items) => Val::Arr(ArrValue::new(SharedSequence {
                converted: Opaque(RefCell::new(FxHashMap::default())),
                length: u32::try_from(items.len()).unwrap_or(u32::MAX),
                view: Opaque(self),
            })),
            Value::Map(_) => {
                let mut builder = ObjValueBuilder::new();
                builder.extend_with_core(SharedMap(Opaque(self)));
                Val::Obj(builder.build())
            }
            Value::Date(_) | Value::DateTime(_) | Value::Set(_) => return Err(runtime_error(UNKNOWN_TYPE)),
        })
    }

    fn map(&self) -> Option<&Map> {
        self.node.as_map()
    }

    fn part(&self, key: &str, node: Option<&Node>) -> Option<Self> {
        let witness =
            self.witness.as_ref().map(|(witness, place)| (witness.clone(), witness.entered(*place, key)));
        node.map(|node| Self { node: node.clone(), witness })
    }

    fn enumerated(&self) {
        if let Some((witness, place)) = &self.witness {
            witness.enumerated(*place);
        }
    }
}

fn number(value: f64) -> Result<Val> {
    NumValue::new(value).map(Val::Num).ok_or_else(|| runtime_error("not a number"))
}

/// The fields of a mapping.
#[derive(Debug, Trace)]
struct SharedMap(Opaque<View>);

impl ObjectCore for SharedMap {
    fn enum_fields_core(&self, super_depth: &mut SuperDepth, handler: &mut EnumFieldsHandler<'_>) -> bool {
        self.0.enumerated();
        let Some(map) = self.0.map() else { return true };
        let mut index = FieldIndex::default();
        for name in map.keys().filter_map(|key| key.as_str()) {
            let field = EnumFields::Normal(Visibility::Normal);
            if handler(*super_depth, index, name.into(), field) == ControlFlow::Break(()) {
                return false;
            }
            index = index.next();
        }
        true
    }

    fn has_field_include_hidden_core(&self, name: IStr) -> HasFieldIncludeHidden {
        match self.find(&name) {
            Some(_) => HasFieldIncludeHidden::Exists,
            None => HasFieldIncludeHidden::NotFound,
        }
    }

    fn get_for_core(&self, key: IStr, _sup_this: SupThis, omit_only: bool) -> Result<GetFor> {
        if omit_only {
            return Ok(GetFor::NotFound);
        }
        Ok(match self.find(&key) {
            Some(part) => GetFor::Final(part.into_value()?),
            None => GetFor::NotFound,
        })
    }

    fn field_visibility_core(&self, field: IStr) -> FieldVisibility {
        match self.find(&field) {
            Some(_) => FieldVisibility::Found(Visibility::Normal),
            None => FieldVisibility::NotFound,
        }
    }

    fn run_assertions_core(&self, _sup_this: SupThis) -> Result<()> {
        Ok(())
    }
}

impl SharedMap {
    fn find(&self, key: &str) -> Option<View> {
        self.0.part(key, self.0.map().and_then(|map| map.get(key)))
    }
}

/// The items of a sequence. Converted containers are kept, so that what jsonnet evaluated in them stays.
#[derive(Debug, Trace)]
struct SharedSequence {
    view: Opaque<View>,
    length: u32,
    converted: Opaque<RefCell<FxHashMap<u32, Val>>>,
}

impl ArrayLike for SharedSequence {
    fn len(&self) -> u32 {
        self.view.enumerated();
        self.length
    }

    fn get(&self, index: u32) -> Result<Option<Val>> {
        if let Some(value) = self.converted.borrow().get(&index) {
            return Ok(Some(value.clone()));
        }
        let node = self.view.node.as_seq().and_then(|items| items.get(index as usize));
        let Some(part) = self.view.part(&index.to_string(), node) else { return Ok(None) };
        let value = part.into_value()?;
        if matches!(value, Val::Obj(_) | Val::Arr(_)) {
            self.converted.borrow_mut().insert(index, value.clone());
        }
        Ok(Some(value))
    }

    fn get_lazy(&self, index: u32) -> Option<Thunk<Val>> {
        self.get(index).transpose().map(Thunk::result)
    }
}

/// An object whose fields are made when they are asked for: all targets by name, each resolved only if it is read.
#[derive(Debug, Trace)]
pub(crate) struct LazyFields {
    pub(crate) names: Opaque<Vec<Arc<str>>>,
    pub(crate) make: Opaque<MakeField>,
}

/// Makes the value of a field.
pub(crate) type MakeField = Box<dyn Fn(&str) -> Result<Val>>;

impl LazyFields {
    pub(crate) fn into_value(self) -> Val {
        let mut builder = ObjValueBuilder::new();
        builder.extend_with_core(self);
        Val::Obj(builder.build())
    }

    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| **known == *name)
    }
}

impl ObjectCore for LazyFields {
    fn enum_fields_core(&self, super_depth: &mut SuperDepth, handler: &mut EnumFieldsHandler<'_>) -> bool {
        let mut index = FieldIndex::default();
        for name in self.names.iter() {
            let field = EnumFields::Normal(Visibility::Normal);
            if handler(*super_depth, index, (&**name).into(), field) == ControlFlow::Break(()) {
                return false;
            }
            index = index.next();
        }
        true
    }

    fn has_field_include_hidden_core(&self, name: IStr) -> HasFieldIncludeHidden {
        if self.has(&name) { HasFieldIncludeHidden::Exists } else { HasFieldIncludeHidden::NotFound }
    }

    fn get_for_core(&self, key: IStr, _sup_this: SupThis, omit_only: bool) -> Result<GetFor> {
        if omit_only || !self.has(&key) {
            return Ok(GetFor::NotFound);
        }
        (self.make)(&key).map(GetFor::Final)
    }

    fn field_visibility_core(&self, field: IStr) -> FieldVisibility {
        if self.has(&field) { FieldVisibility::Found(Visibility::Normal) } else { FieldVisibility::NotFound }
    }

    fn run_assertions_core(&self, _sup_this: SupThis) -> Result<()> {
        Ok(())
    }
}

/// An object of plain values.
pub(crate) fn object(fields: impl IntoIterator<Item = (String, Val)>) -> Val {
    let mut builder = ObjValue::builder();
    for (name, value) in fields {
        builder.field(name).value(value);
    }
    Val::Obj(builder.build())
}
