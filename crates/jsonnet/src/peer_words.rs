use crate::operators::{mismatch_text, plural};
use jrsonnet_evaluator::error::ErrorKind;
use jrsonnet_ir::BinaryOpType;

/// The words of C++ jsonnet for an error of jrsonnet.
pub(crate) fn runtime_words(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::RuntimeError(text) => match &**text {
            "shift by negative exponent" => "shift by negative exponent.".to_owned(),
            text => text.to_owned(),
        },
        ErrorKind::AssertionFailed(text) => text.to_string(),
        ErrorKind::NoSuchField(name, _) => format!("field does not exist: {name}"),
        ErrorKind::ArrayBoundsError(index, length) => {
            format!("array bounds error: {index} not within [0, {length})")
        }
        ErrorKind::StringBoundsError(index, length) => {
            format!("string bounds error: {index} not within [0, {length})")
        }
        ErrorKind::BinaryOperatorDoesNotOperateOnValues(operator, left, right) => {
            binary_words(*operator, &left.to_string(), &right.to_string())
        }
        ErrorKind::UnaryOperatorDoesNotOperateOnType(operator, kind) => {
            format!("unary operator {operator} does not operate on {}.", plural(&kind.to_string()))
        }
        ErrorKind::UndefinedExternalVariable(name) => format!("undefined external variable: {name}"),
        ErrorKind::OnlyFunctionsCanBeCalledGot(kind) => format!("only functions can be called, got {kind}"),
        ErrorKind::FunctionParameterNotBoundInCall(name, _) => {
            format!("function parameter {name} not bound in call.")
        }
        ErrorKind::TooManyArgsFunctionHas(count, _) => {
            format!("too many args, function has {count} parameter(s)")
        }
        ErrorKind::UnknownFunctionParameter(name) => format!("function has no parameter {name}"),
        ErrorKind::BindingParameterASecondTime(name) => format!("binding parameter a second time: {name}"),
        ErrorKind::DuplicateFieldName(name) => format!("duplicate field name: \"{name}\""),
        ErrorKind::FieldMustBeStringGot(kind) => format!("field name must be string, got: {kind}"),
        ErrorKind::ValueIndexMustBeTypeGot(value, _, index) => {
            index_words(&value.to_string(), &index.to_string())
        }
        ErrorKind::FractionalIndex => "array index was not integer.".to_owned(),
        ErrorKind::NoSuperFound => "attempt to use super when there is no super class.".to_owned(),
        ErrorKind::TypeMismatch("if condition", _, found) => {
            format!("condition must be boolean, got {found}.")
        }
        ErrorKind::ConvertNumValue(error) => match error.to_string().as_str() {
            "float out of safe int range" => {
                "numeric value outside safe integer range for bitwise operation.".to_owned()
            }
            _ => "overflow".to_owned(),
        },
        ErrorKind::DivisionByZero => "division by zero.".to_owned(),
        ErrorKind::StackOverflow | ErrorKind::InfiniteRecursionDetected => {
            "max stack frames exceeded.".to_owned()
        }
        other => other.to_string(),
    }
}

fn binary_words(operator: BinaryOpType, left: &str, right: &str) -> String {
    match operator {
        BinaryOpType::In if right != "object" => {
            format!("the right hand side of the 'in' operator should be an object, got {right}")
        }
        BinaryOpType::In => {
            format!("the left hand side of the 'in' operator should be a string,  got {left}")
        }
        _ => mismatch_text(&operator.to_string(), left, right),
    }
}

fn index_words(value: &str, index: &str) -> String {
    match value {
        "object" => format!("object index must be string, got {index}."),
        "string" => format!("string index must be a number, got {index}."),
        "array" => format!("array index must be number, got {index}."),
        other => format!("can only index objects, strings, and arrays, got {other}."),
    }
}

/// The words of C++ jsonnet for what jrsonnet finds in a source before it is evaluated.
pub(crate) fn static_words(message: &str) -> String {
    for (start, words) in [
        ("undefined local: ", "Unknown variable: "),
        ("local is already defined in the current frame: ", "duplicate local var: "),
    ] {
        if let Some(name) = message.strip_prefix(start) {
            return format!("{words}{name}");
        }
    }
    match message {
        "`self` used outside of object" => "Can't use self outside of an object.",
        "`super` used outside of object" => "Can't use super outside of an object.",
        "`$` used outside of object" => "No top-level object found.",
        "unexpected end of file" => "unexpected end of file.",
        "unterminated double-quoted string" | "unterminated single-quoted string" => "unterminated string",
        "unterminated multi-line comment" => "multi-line comment has no terminating */.",
        "unterminated text block" => "text block not terminated with |||",
        "text block first line must be indented" => "text block's first line must start with whitespace.",
        "expected '}', got end of file" => "expected a comma before next field.",
        "expected ']', got end of file" => "expected a comma before next array element.",
        other => other,
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_the_words_of_the_peer() {
        assert_eq!(
            binary_words(BinaryOpType::Lt, "null", "null"),
            "binary operator < does not operate on null."
        );
        assert_eq!(
            binary_words(BinaryOpType::Sub, "string", "number"),
            "binary operator - requires matching types, got string and number."
        );
        assert_eq!(static_words("undefined local: x"), "Unknown variable: x");
        assert_eq!(index_words("null", "string"), "can only index objects, strings, and arrays, got null.");
    }
}
