//! Regular expressions.

use super::give;
use super::host::regexp;
use super::strings::MAX_TEXT;
use crate::functions::{Body, Call, CallError, Function, Outcome};
use crate::standard::regexp::{Regexp, quote_meta};
use crate::value::{List, STRING_LIST, Type, Value};
use Type::{Bool, Int, String as Str};
use std::rc::Rc;

const STRINGS: Type = Type::List(&STRING_LIST);

const fn replacing(name: &'static str, body: Body) -> Function {
    Function::new(name, &[Str, Str, Str], Str, body)
}

pub(super) const ROWS: &[Function] = &[
    Function::new("regexMatch", &[Str, Str], Bool, |call| {
        give(regexp(call, call.text(0)).is_ok_and(|regexp| regexp.is_match(call.text(1))))
    }),
    Function::new("mustRegexMatch", &[Str, Str], Bool, |call| {
        give(regexp(call, call.text(0))?.is_match(call.text(1)))
    }),
    Function::new("regexFind", &[Str, Str], Str, |call| give(compiled(call)?.find(call.text(1)))),
    Function::new("mustRegexFind", &[Str, Str], Str, |call| give(compiled(call)?.find(call.text(1)))),
    Function::new("regexFindAll", &[Str, Str, Int], STRINGS, find_all),
    Function::new("mustRegexFindAll", &[Str, Str, Int], STRINGS, find_all),
    replacing("regexReplaceAll", replace_all),
    replacing("mustRegexReplaceAll", replace_all),
    replacing("regexReplaceAllLiteral", replace_literal),
    replacing("mustRegexReplaceAllLiteral", replace_literal),
    Function::new("regexSplit", &[Str, Str, Int], STRINGS, split),
    Function::new("mustRegexSplit", &[Str, Str, Int], STRINGS, split),
    Function::new("regexQuoteMeta", &[Str], Str, |call| give(quote_meta(call.text(0)))),
];

/// The first argument, compiled. The plain functions panic where the others return an error.
fn compiled(call: &Call<'_>) -> Result<Rc<Regexp>, CallError> {
    let expression = call.text(0);
    regexp(call, expression).map_err(|error| {
        if call.name().starts_with("must") {
            error.into()
        } else {
            Regexp::panic_text(expression, &error).into()
        }
    })
}

fn texts<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Value {
    List::strings(pieces).into()
}

fn find_all(call: &mut Call<'_>) -> Outcome {
    let text = call.text(1);
    let found = compiled(call)?.find_all(text, call.int(2));
    if found.is_empty() {
        return Ok(List::nil(&STRING_LIST).into());
    }
    Ok(texts(found.into_iter().map(|(from, to)| &text[from..to])))
}

fn replace_all(call: &mut Call<'_>) -> Outcome {
    check_replacement(call)?;
    give(compiled(call)?.replace_all(call.text(1), call.text(2)))
}

fn replace_literal(call: &mut Call<'_>) -> Outcome {
    check_replacement(call)?;
    give(compiled(call)?.replace_literal(call.text(1), call.text(2)))
}

/// There are not more matches than places in the text.
fn check_replacement(call: &Call<'_>) -> Result<(), CallError> {
    let most = (call.text(1).len() + 1).saturating_mul(call.text(2).len());
    if most > MAX_TEXT.saturating_mul(4) {
        return Err(format!("the result could be longer than {MAX_TEXT} bytes").into());
    }
    Ok(())
}

fn split(call: &mut Call<'_>) -> Outcome {
    let regexp = compiled(call)?;
    if call.int(2) == 0 {
        return Ok(List::nil(&STRING_LIST).into());
    }
    Ok(texts(regexp.split(call.text(1), call.int(2)).into_iter()))
}
