//! The functions that create a reference: `||random:str:32|sha256|base64`.

mod keys;
mod make;
mod text;

use crate::backend::Backend;
use crate::error::{Error, Raised};
use crate::python::repr_list;
use crate::references::{Context, References};
use crate::secret::Secret;
use crate::tag::Tag;
use kapstan_diagnostic::nearest;

/// A chain of functions at work.
pub(crate) struct Chain<'a> {
    references: &'a References,
    context: &'a Context<'a>,
    backend: Backend,
    token: &'a str,
    /// What the functions so far have made.
    secret: Option<Secret>,
    /// Whether `base64` was among them.
    is_encoded: bool,
    /// Whether the reference that `reveal` read is encoded; none where nothing was revealed.
    revealed_is_encoded: Option<bool>,
}

/// A function: how many parameters it takes, and what it does to the chain.
struct Function {
    name: &'static str,
    parameters: std::ops::RangeInclusive<usize>,
    run: fn(&mut Chain<'_>, &[&str]) -> Result<(), Error>,
}

const fn function(
    name: &'static str,
    parameters: std::ops::RangeInclusive<usize>,
    run: fn(&mut Chain<'_>, &[&str]) -> Result<(), Error>,
) -> Function {
    Function { name, parameters, run }
}

/// In the order in which Kapitan's message lists them.
const FUNCTIONS: &[Function] = &[
    function("randomstr", 0..=1, text::randomstr),
    function("random", 0..=3, text::random),
    function("sha256", 0..=1, text::sha256),
    function("ed25519", 0..=0, keys::ed25519),
    function("rsa", 0..=1, keys::rsa),
    function("rsapublic", 0..=0, keys::rsa_public_key),
    function("publickey", 0..=0, keys::public_key),
    function("reveal", 1..=1, text::reveal),
    function("loweralphanum", 0..=1, text::loweralphanum),
    function("basicauth", 0..=2, text::basicauth),
];

impl References {
    /// Creates the reference of a tag with functions, unless another target has done so meanwhile.
    pub(crate) fn generate(&self, tag: &Tag<'_>, context: &Context<'_>) -> Result<(), Error> {
        let functions = tag.functions.unwrap_or_default();
        let parts: Vec<&str> = tag.token.split(':').collect();
        let backend = self.backend(tag.type_name())?;
        let generate = || {
            let mut chain = Chain::new(self, context, backend, tag.token);
            for function in functions.strip_prefix("||").unwrap_or(functions).split('|') {
                chain.run(function.trim())?;
            }
            chain.into_reference()
        };
        // Only tokens of two and five parts can be written; what the functions have to say comes first, as in Kapitan.
        let ([_, path] | [_, path, _, _, _]) = parts[..] else {
            generate()?;
            return Err(Error::new(
                "refs::malformed-tag",
                format!("`{}` names no reference to create", tag.token),
            )
            .raised(Raised::Ref, format!("{}: is not a valid token", tag.token)));
        };
        let is_there = || self.get(tag, context).is_ok();
        if let Some(created) = self.create(path, is_there, generate)? {
            context.observer.ref_file_created(&created);
        }
        Ok(())
    }
}

impl<'a> Chain<'a> {
    fn new(references: &'a References, context: &'a Context<'a>, backend: Backend, token: &'a str) -> Self {
        Self {
            references,
            context,
            backend,
            token,
            secret: None,
            is_encoded: false,
            revealed_is_encoded: None,
        }
    }

    fn run(&mut self, call: &str) -> Result<(), Error> {
        let mut parts = call.split(':');
        let name = parts.next().unwrap_or_default();
        let parameters: Vec<&str> = parts.collect();
        if name == "base64" {
            self.is_encoded = true;
            return Ok(());
        }
        let Some(function) = FUNCTIONS.iter().find(|function| function.name == name) else {
            return Err(unknown(name));
        };
        if !function.parameters.contains(&parameters.len()) {
            return Err(wrong_number(function, &parameters));
        }
        // Kapitan takes every `TypeError` for one about the number of parameters.
        (function.run)(self, &parameters).map_err(|error| match error.is(Raised::Type) {
            true => error.raised_again(Raised::Ref, too_many_arguments(function, &parameters)),
            false => error,
        })
    }
}

fn unknown(name: &str) -> Error {
    let names: Vec<&str> = FUNCTIONS.iter().map(|function| function.name).collect();
    let peer_text = format!("{name}: unknown ref function used. Choose one of: {}", repr_list(&names));
    let hint = match nearest(name, names.iter().copied().chain(["base64"])) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the functions are: {}, base64", names.join(", ")),
    };
    function_error(format!("there is no function `{name}` for references"), peer_text).hint(hint)
}

fn wrong_number(function: &Function, parameters: &[&str]) -> Error {
    let name = function.name;
    let (least, most) = (function.parameters.start(), function.parameters.end());
    let expected = match (least, most) {
        (_, 0) => "takes no parameters".to_owned(),
        (1, 1) => "takes one parameter".to_owned(),
        _ => format!("takes at most {most}"),
    };
    let message = format!("the function `{name}` {expected}, but {} are given", parameters.len());
    function_error(message, too_many_arguments(function, parameters))
}

fn too_many_arguments(function: &Function, parameters: &[&str]) -> String {
    let name = function.name;
    // The parameters of `basicauth` are a user and a password.
    let shown = if name == "basicauth" { &["…"][..] } else { parameters };
    format!("{}: too many arguments for function {name}", repr_list(shown))
}

/// An error that Kapitan raises as `RefError`.
fn function_error(message: impl Into<String>, peer_text: impl Into<String>) -> Error {
    Error::new("refs::function", message).raised(Raised::Ref, peer_text)
}
