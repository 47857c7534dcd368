//! Functions that make texts.

use super::{Chain, function_error};
use crate::error::{Error, Raised};
use crate::python::{parse_int, repr_list, type_name};
use crate::secret::Secret;
use crate::tag::Tag;
use base64::{Engine, engine::general_purpose::STANDARD};
use kapstan_diagnostic::Diagnostic;
use kapstan_document::{Value, python::repr_str};
use sha2::{Digest, Sha256};

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS: &str = "0123456789";
const PUNCTUATION: &str = r##"!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~"##;

/// More characters than this are a mistake.
const MAX_CHARACTERS: i64 = 1 << 20;

/// The types of `random`, in the order in which Kapitan's message lists them, with their characters and lengths.
const RANDOM_TYPES: [(&str, &[&str], i64); 7] = [
    ("str", &[LOWER, UPPER, DIGITS, "-_"], 43),
    ("int", &[DIGITS], 16),
    ("loweralpha", &[LOWER], 8),
    ("upperalpha", &[UPPER], 8),
    ("loweralphanum", &[LOWER, DIGITS], 8),
    ("upperalphanum", &[UPPER, DIGITS], 8),
    ("special", &[LOWER, UPPER, DIGITS], 8),
];

/// `random[:type[:characters[:special characters]]]`
pub(super) fn random(chain: &mut Chain<'_>, parameters: &[&str]) -> Result<(), Error> {
    let name = parameters.first().copied().unwrap_or("str");
    let Some((_, pools, default_length)) = RANDOM_TYPES.iter().find(|(known, ..)| *known == name) else {
        let names = RANDOM_TYPES.map(|(name, ..)| name);
        let peer_text = format!("{name}: unknown random type used. Choose one of {}", repr_list(&names));
        return Err(function_error(format!("`random` makes no type `{name}`"), peer_text)
            .hint(format!("the types are: {}", names.join(", "))));
    };
    let length = match parameters.get(1) {
        None | Some(&"") => *default_length,
        Some(length) => number_of_characters(length)?,
    };
    let special = parameters.get(2).copied().unwrap_or(PUNCTUATION);
    if name != "special" && special != PUNCTUATION {
        let peer_text = format!(
            "Ref error: eval_func: {name} has no option to use special characters. Use type special instead, i.e. ||random:special:{special}"
        );
        return Err(function_error(format!("`random:{name}` takes no special characters"), peer_text)
            .hint(format!("use `random:special:{length}:{special}`")));
    }
    let mut pool: Vec<u8> = pools.concat().into_bytes();
    if name == "special" {
        pool.extend(special.bytes().filter(u8::is_ascii_graphic));
    }
    pool.sort_unstable();
    pool.dedup();
    chain.secret = Some(choose(chain, &pool, length)?);
    Ok(())
}

fn number_of_characters(length: &str) -> Result<i64, Error> {
    let Some(number) = parse_int(length) else {
        let peer_text = format!("Ref error: eval_func: {length} cannot be converted into integer.");
        return Err(function_error(format!("`{length}` is not a number of characters"), peer_text));
    };
    if number > MAX_CHARACTERS {
        let message = format!("{number} random characters are more than the {MAX_CHARACTERS} allowed");
        return Err(Error::new("refs::function", message));
    }
    Ok(number)
}

/// Draws characters, each as probable as the others.
fn choose(chain: &Chain<'_>, pool: &[u8], length: i64) -> Result<Secret, Error> {
    let length = usize::try_from(length).unwrap_or(0);
    let fair = 256 - 256 % pool.len();
    let mut chosen = String::with_capacity(length);
    let mut bytes = [0; 64];
    while chosen.len() < length {
        chain.fill(&mut bytes)?;
        let fair_bytes = bytes.iter().map(|byte| usize::from(*byte)).filter(|byte| *byte < fair);
        chosen.extend(fair_bytes.take(length - chosen.len()).map(|byte| char::from(pool[byte % pool.len()])));
    }
    Ok(Secret::new(chosen))
}

/// `randomstr[:characters]`, the old name of `random:str`.
pub(super) fn randomstr(chain: &mut Chain<'_>, parameters: &[&str]) -> Result<(), Error> {
    deprecated(chain, "randomstr", "random:str");
    random(chain, &["str", parameters.first().copied().unwrap_or_default()])
}

/// `loweralphanum[:characters]`, the old name of `random:loweralphanum`.
pub(super) fn loweralphanum(chain: &mut Chain<'_>, parameters: &[&str]) -> Result<(), Error> {
    deprecated(chain, "loweralphanum", "random:loweralphanum");
    random(chain, &["loweralphanum", parameters.first().copied().unwrap_or_default()])
}

fn deprecated(chain: &Chain<'_>, old: &str, new: &str) {
    let warning =
        Diagnostic::warning("refs::deprecated", format!("the function `{old}` is deprecated, use `{new}`"))
            .with_peer_text(format!("DeprecationWarning: {old} is deprecated. Use {new} instead"));
    chain.context.observer.warned(warning);
}

/// `sha256[:salt]`
pub(super) fn sha256(chain: &mut Chain<'_>, parameters: &[&str]) -> Result<(), Error> {
    let Some(secret) = chain.secret.as_ref().filter(|secret| !secret.expose().is_empty()) else {
        let peer_text =
            "Ref error: eval_func: nothing to sha256 hash; try something like '|random:str|sha256'";
        return Err(function_error("there is nothing to hash in front of `sha256`", peer_text)
            .hint("write something like `||random:str|sha256`"));
    };
    let salt = parameters.first().copied().unwrap_or_default();
    let digest = Sha256::digest(format!("{salt}:{}", secret.expose()));
    chain.secret = Some(Secret::new(digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>()));
    Ok(())
}

/// `reveal:path`: the secret of another reference of the same type.
pub(super) fn reveal(chain: &mut Chain<'_>, parameters: &[&str]) -> Result<(), Error> {
    let path = parameters.first().copied().unwrap_or_default();
    let text = format!("?{{{}:{path}}}", chain.backend.name());
    let tag = Tag::at_start(&text)?;
    let reference = match chain.references.get(&tag, chain.context) {
        Err(error) if error.is(Raised::Key) || error.is(Raised::FromFunction) => {
            let token = chain.token;
            let peer_text =
                format!("|reveal function error: {path} file in {token}|reveal:{path} does not exist");
            return Err(error.raised_again(Raised::Ref, peer_text).hint(
                "create it first: elsewhere in the same mapping, or in a compile item in front of this one",
            ));
        }
        other => other?,
    };
    chain.revealed_is_encoded = Some(reference.is_encoded());
    match reference.reveal(&*chain.references.host.environment)? {
        Value::Str(secret) => chain.secret = Some(Secret::new(&*secret)),
        Value::Null => chain.secret = None,
        other => {
            let kind = type_name(&other);
            let message = format!("the revealed reference `{path}` is of type `{kind}`, not a string");
            let peer_text = crate::python::no_attribute(kind, "encode");
            return Err(Error::new("refs::not-a-string", message).raised(Raised::Attribute, peer_text));
        }
    }
    Ok(())
}

/// `basicauth[:user[:password]]`
pub(super) fn basicauth(chain: &mut Chain<'_>, parameters: &[&str]) -> Result<(), Error> {
    let given = |at: usize| parameters.get(at).copied().filter(|parameter| !parameter.is_empty());
    let user = match given(0) {
        Some(user) => Secret::new(user),
        None => choose(chain, LOWER.as_bytes(), 8)?,
    };
    let password = match given(1) {
        Some(password) => Secret::new(password),
        None => choose(chain, [LOWER, UPPER, DIGITS].concat().as_bytes(), 8)?,
    };
    let both = format!("{}:{}", user.expose(), password.expose());
    chain.secret = Some(Secret::new(STANDARD.encode(both)));
    Ok(())
}

impl Chain<'_> {
    pub(super) fn fill(&self, bytes: &mut [u8]) -> Result<(), Error> {
        self.references.host.randomness.fill(bytes).map_err(|error| {
            Error::new("refs::no-randomness", format!("the system gives no random bytes: {error}"))
        })
    }
}

/// What `int()` says of a text that is none.
pub(super) fn not_an_integer(text: &str) -> Error {
    Error::new("refs::function", format!("`{text}` is not a number"))
        .raised(Raised::Value, format!("invalid literal for int() with base 10: {}", repr_str(text)))
}
