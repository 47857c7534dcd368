//! Jinja2's own filters: one line each in one table.

mod getter;
mod html;
mod json;
mod numbers;
mod pretty;
mod select;
mod sequences;
mod text;
mod urlize;
mod wrap;

pub(crate) use getter::Getter;
pub(crate) use numbers::{to_float, to_int};
pub(crate) use sequences::sliced;

use crate::error::{Outcome, type_error};
use crate::run::{Args, Bound, Context, Run, Signature, bind};
use crate::value::Value;
use std::rc::Rc;

/// Where a filter or test runs.
pub(crate) struct Call<'a> {
    pub run: &'a Run<'a>,
    pub context: &'a Rc<Context>,
}

/// A filter or test.
pub(crate) struct Filter {
    pub name: &'static str,
    signature: Signature,
    code: Code,
}

enum Code {
    /// Takes arguments that were brought to their parameters.
    Bound(fn(&Call<'_>, &Bound) -> Outcome<Value>),
    /// Takes arguments as they come.
    Raw(fn(&Call<'_>, Args) -> Outcome<Value>),
    /// Built into Python: exactly that many arguments, none by name.
    Builtin(fn(&Call<'_>, &[Value]) -> Outcome<Value>),
}

/// A filter whose Python function has parameters; `hidden` counts those that Jinja2 fills.
pub(crate) const fn filter(
    name: &'static str,
    python: &'static str,
    hidden: usize,
    required: usize,
    params: &'static [&'static str],
    run: fn(&Call<'_>, &Bound) -> Outcome<Value>,
) -> Filter {
    Filter { name, signature: Signature { name: python, params, required, hidden }, code: Code::Bound(run) }
}

/// A filter that takes any arguments.
pub(crate) const fn raw(name: &'static str, run: fn(&Call<'_>, Args) -> Outcome<Value>) -> Filter {
    let signature = Signature { name, params: &[], required: 0, hidden: 0 };
    Filter { name, signature, code: Code::Raw(run) }
}

/// A filter that is a function built into Python.
pub(crate) const fn builtin(
    name: &'static str,
    python: &'static str,
    count: usize,
    run: fn(&Call<'_>, &[Value]) -> Outcome<Value>,
) -> Filter {
    let signature = Signature { name: python, params: &[], required: count, hidden: 0 };
    Filter { name, signature, code: Code::Builtin(run) }
}

impl Filter {
    /// Applies it: the value is the first argument.
    pub(crate) fn call(&self, call: &Call<'_>, args: Args) -> Outcome<Value> {
        call.run.spend(1)?;
        match self.code {
            Code::Bound(run) => run(call, &bind(&self.signature, args)?),
            Code::Raw(run) => run(call, args),
            Code::Builtin(run) => {
                let Signature { name, required, .. } = self.signature;
                if !args.named.is_empty() {
                    return type_error(format!("{name}() takes no keyword arguments"));
                }
                let given = args.positional.len();
                if given == required {
                    return run(call, &args.positional);
                }
                if required == 1 {
                    return type_error(format!("{name}() takes exactly one argument ({given} given)"));
                }
                type_error(format!("{name} expected {required} arguments, got {given}"))
            }
        }
    }
}

/// The table.
pub(crate) const FILTERS: &[Filter] = &[
    builtin("abs", "abs", 1, numbers::abs),
    filter("attr", "do_attr", 1, 2, &["obj", "name"], select::attr),
    filter("batch", "do_batch", 0, 2, &["value", "linecount", "fill_with"], sequences::batch),
    filter("capitalize", "do_capitalize", 0, 1, &["s"], text::capitalize),
    filter("center", "do_center", 0, 1, &["value", "width"], text::center),
    builtin("count", "len", 1, sequences::length),
    filter("d", "do_default", 0, 1, &["value", "default_value", "boolean"], select::default),
    filter("default", "do_default", 0, 1, &["value", "default_value", "boolean"], select::default),
    filter(
        "dictsort",
        "do_dictsort",
        0,
        1,
        &["value", "case_sensitive", "by", "reverse"],
        sequences::dictsort,
    ),
    builtin("e", "escape", 1, html::escape),
    builtin("escape", "escape", 1, html::escape),
    filter("filesizeformat", "do_filesizeformat", 0, 1, &["value", "binary"], numbers::file_size),
    filter("first", "sync_do_first", 1, 1, &["seq"], sequences::first),
    filter("float", "do_float", 0, 1, &["value", "default"], numbers::float),
    filter("forceescape", "do_forceescape", 0, 1, &["value"], html::force_escape),
    raw("format", text::format),
    filter(
        "groupby",
        "sync_do_groupby",
        1,
        2,
        &["value", "attribute", "default", "case_sensitive"],
        sequences::groupby,
    ),
    filter("indent", "do_indent", 0, 1, &["s", "width", "first", "blank"], wrap::indent),
    filter("int", "do_int", 0, 1, &["value", "default", "base"], numbers::int),
    filter("items", "do_items", 0, 1, &["value"], sequences::items),
    filter("join", "sync_do_join", 1, 1, &["value", "d", "attribute"], sequences::join),
    filter("last", "do_last", 1, 1, &["seq"], sequences::last),
    builtin("length", "len", 1, sequences::length),
    filter("list", "sync_do_list", 0, 1, &["value"], sequences::list),
    filter("lower", "do_lower", 0, 1, &["s"], text::lower),
    raw("map", select::map),
    filter("max", "do_max", 1, 1, &["value", "case_sensitive", "attribute"], sequences::max),
    filter("min", "do_min", 1, 1, &["value", "case_sensitive", "attribute"], sequences::min),
    filter("pprint", "do_pprint", 0, 1, &["value"], pretty::pprint),
    filter("random", "do_random", 1, 1, &["seq"], sequences::random),
    raw("reject", select::reject),
    raw("rejectattr", select::rejectattr),
    filter("replace", "do_replace", 1, 3, &["s", "old", "new", "count"], text::replace),
    filter("reverse", "do_reverse", 0, 1, &["value"], sequences::reverse),
    filter("round", "do_round", 0, 1, &["value", "precision", "method"], numbers::round),
    filter("safe", "do_mark_safe", 0, 1, &["value"], html::safe),
    raw("select", select::select),
    raw("selectattr", select::selectattr),
    filter("slice", "sync_do_slice", 0, 2, &["value", "slices", "fill_with"], sequences::slice),
    filter("sort", "do_sort", 1, 1, &["value", "reverse", "case_sensitive", "attribute"], sequences::sort),
    filter("string", "soft_str", 0, 1, &["s"], text::string),
    filter("striptags", "do_striptags", 0, 1, &["value"], html::striptags),
    filter("sum", "sync_do_sum", 1, 1, &["iterable", "attribute", "start"], sequences::sum),
    filter("title", "do_title", 0, 1, &["s"], text::title),
    filter("tojson", "do_tojson", 1, 1, &["value", "indent"], json::tojson),
    filter("trim", "do_trim", 0, 1, &["value", "chars"], text::trim),
    filter("truncate", "do_truncate", 1, 1, &["s", "length", "killwords", "end", "leeway"], wrap::truncate),
    filter("unique", "sync_do_unique", 1, 1, &["value", "case_sensitive", "attribute"], sequences::unique),
    filter("upper", "do_upper", 0, 1, &["s"], text::upper),
    filter("urlencode", "do_urlencode", 0, 1, &["value"], html::urlencode),
    filter(
        "urlize",
        "do_urlize",
        1,
        1,
        &["value", "trim_url_limit", "nofollow", "target", "rel", "extra_schemes"],
        urlize::urlize,
    ),
    filter("wordcount", "do_wordcount", 0, 1, &["s"], text::wordcount),
    filter(
        "wordwrap",
        "do_wordwrap",
        1,
        1,
        &["s", "width", "break_long_words", "wrapstring", "break_on_hyphens"],
        wrap::wordwrap,
    ),
    filter("xmlattr", "do_xmlattr", 1, 1, &["d", "autospace"], html::xmlattr),
];
