use crate::session::runtime_error;
use jrsonnet_evaluator::{Result, ResultExt as _, Val, ensure_sufficient_stack};
use kapstan_document::{Int, Key, Map, Node, Value};

/// How deep a result may nest; C++ jsonnet runs out of its 500 stack frames.
const DEEPEST: usize = 500;

/// The value as Kapitan gets it: written as JSON by C++ jsonnet and read by Python.
pub(crate) fn manifest(value: &Val) -> Result<Node> {
    at_depth(value, 0)
}

fn at_depth(value: &Val, depth: usize) -> Result<Node> {
    if depth > DEEPEST {
        return Err(jrsonnet_evaluator::error::ErrorKind::StackOverflow.into());
    }
    let value = match value {
        Val::Null => Value::Null,
        Val::Bool(value) => Value::Bool(*value),
        Val::Num(number) => number_value(number.get()),
        Val::Str(text) => Value::Str((&*text.into_flat()).into()),
        Val::Arr(items) => ensure_sufficient_stack(|| {
            let mut nodes = Vec::with_capacity(items.len() as usize);
            for (index, item) in items.iter().enumerate() {
                let item = item.with_description(|| format!("elem <{index}> evaluation"))?;
                nodes.push(at_depth(&item, depth + 1)?);
            }
            Ok::<_, jrsonnet_evaluator::Error>(nodes.into())
        })?,
        Val::Obj(object) => ensure_sufficient_stack(|| {
            object.run_assertions()?;
            let mut map = Map::new();
            for (name, field) in object.iter() {
                let field = field.with_description(|| format!("field <{name}> evaluation"))?;
                map.insert(Key::new(&*name), at_depth(&field, depth + 1)?);
            }
            Ok::<_, jrsonnet_evaluator::Error>(map.into())
        })?,
        Val::Func(_) => return Err(runtime_error("couldn't manifest function in JSON output.")),
    };
    Ok(value.into_node())
}

/// An integer where the double is integral: C++ jsonnet writes those without a point, and Python reads them so.
fn number_value(number: f64) -> Value {
    Int::from_f64_exact(number).map_or(Value::Float(number), Value::Int)
}

trait IntoNode {
    fn into_node(self) -> Node;
}

impl IntoNode for Value {
    fn into_node(self) -> Node {
        Node::new(self, kapstan_document::Span::NONE)
    }
}
