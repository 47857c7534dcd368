//! Functions that make keys.

use super::text::not_an_integer;
use super::{Chain, function_error};
use crate::error::{Error, Raised};
use crate::python::{no_attribute, parse_int};
use crate::reference::decoded_text;
use crate::secret::Secret;
use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;
use crypto_bigint::BoxedUint;
use crypto_primes::hazmat::{SetBits, SmallFactorsSieveFactory};
use crypto_primes::{Flavor, is_prime, sieve_and_find};
use kapstan_document::Value;
use num_bigint::BigUint;
use pkcs8::der::asn1::{BitStringRef, UintRef};
use pkcs8::der::pem::PemLabel;
use pkcs8::der::{Decode, Document, Encode, SecretDocument};
use pkcs8::spki::SubjectPublicKeyInfoRef;
use pkcs8::{AlgorithmIdentifierRef, LineEnding, ObjectIdentifier, PrivateKeyInfo};

const ED25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");
const ELLIPTIC: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.2.1");

const DEFAULT_BITS: i64 = 4096;
const MIN_BITS: i64 = 1024;
/// Larger keys take minutes.
const MAX_BITS: i64 = 16384;

/// `ed25519`: a private key as PKCS 8 in PEM.
pub(super) fn ed25519(chain: &mut Chain<'_>, _parameters: &[&str]) -> Result<(), Error> {
    let mut seed = [0; 32];
    chain.fill(&mut seed)?;
    // The key is an OCTET STRING of its own within that of PKCS 8.
    let mut inner = vec![0x04, 0x20];
    inner.extend(seed);
    let algorithm = AlgorithmIdentifierRef { oid: ED25519, parameters: None };
    chain.secret = Some(private_pem(algorithm, &inner)?);
    Ok(())
}

/// `rsa[:bits]`: a private key as PKCS 8 in PEM.
pub(super) fn rsa(chain: &mut Chain<'_>, parameters: &[&str]) -> Result<(), Error> {
    let bits = match parameters.first() {
        None => DEFAULT_BITS,
        Some(bits) => parse_int(bits).ok_or_else(|| not_an_integer(bits))?,
    };
    if bits < MIN_BITS {
        let peer_text = "key_size must be at least 1024-bits.";
        return Err(Error::new(
            "refs::function",
            format!("an RSA key has at least {MIN_BITS} bits, not {bits}"),
        )
        .raised(Raised::Value, peer_text));
    }
    let bits = u32::try_from(bits).ok().filter(|bits| i64::from(*bits) <= MAX_BITS).ok_or_else(|| {
        Error::new(
            "refs::function",
            format!("an RSA key of {bits} bits is larger than the {MAX_BITS} allowed"),
        )
    })?;
    let (mut first, mut second) = ([0; 32], [0; 32]);
    loop {
        chain.fill(&mut first)?;
        chain.fill(&mut second)?;
        let (p, q) = rayon::join(|| prime(first, bits.div_ceil(2)), || prime(second, bits / 2));
        if let Some(inner) = rsa_private_key(&p?, &q?)? {
            chain.secret = Some(private_pem(pkcs1::ALGORITHM_ID, inner.as_bytes())?);
            return Ok(());
        }
    }
}

/// A random prime with its two highest bits set, so that a product of two has exactly the bits of both.
fn prime(seed: [u8; 32], bits: u32) -> Result<BigUint, Error> {
    let failed = |_| Error::new("refs::function", "no prime number was found");
    let mut random = ChaCha20Rng::from_seed(seed);
    let candidates =
        SmallFactorsSieveFactory::<BoxedUint>::new(Flavor::Any, bits, SetBits::TwoMsb).map_err(failed)?;
    let found = sieve_and_find(&mut random, candidates, |_, candidate| is_prime(Flavor::Any, candidate))
        .map_err(failed)?
        .ok_or_else(|| Error::new("refs::function", "no prime number was found"))?;
    Ok(BigUint::from_bytes_be(&found.to_be_bytes()))
}

/// The key of two primes, as PKCS 1; none where they do not suit the exponent.
fn rsa_private_key(p: &BigUint, q: &BigUint) -> Result<Option<SecretDocument>, Error> {
    let one = BigUint::from(1u8);
    let exponent = BigUint::from(65537u32);
    let (p, q) = if p > q { (p, q) } else { (q, p) };
    let (p_less, q_less) = (p - &one, q - &one);
    let (Some(private), Some(coefficient)) = (exponent.modinv(&(&p_less * &q_less)), q.modinv(p)) else {
        return Ok(None);
    };
    let numbers = [
        p * q,
        exponent,
        private.clone(),
        p.clone(),
        q.clone(),
        &private % p_less,
        &private % q_less,
        coefficient,
    ]
    .map(|number| number.to_bytes_be());
    let number = |at: usize| UintRef::new(&numbers[at]).map_err(unwritable);
    let key = pkcs1::RsaPrivateKey {
        modulus: number(0)?,
        public_exponent: number(1)?,
        private_exponent: number(2)?,
        prime1: number(3)?,
        prime2: number(4)?,
        exponent1: number(5)?,
        exponent2: number(6)?,
        coefficient: number(7)?,
        other_prime_infos: None,
    };
    SecretDocument::try_from(&key).map(Some).map_err(unwritable)
}

fn private_pem(algorithm: AlgorithmIdentifierRef<'_>, inner: &[u8]) -> Result<Secret, Error> {
    let document = SecretDocument::encode_msg(&PrivateKeyInfo::new(algorithm, inner)).map_err(unwritable)?;
    let pem = document.to_pem(PrivateKeyInfo::PEM_LABEL, LineEnding::LF).map_err(unwritable)?;
    Ok(Secret::new(&**pem))
}

/// `rsapublic`, which derives the public half of any key as well.
pub(super) fn rsa_public_key(chain: &mut Chain<'_>, _parameters: &[&str]) -> Result<(), Error> {
    derive_public_key(chain, "rsapublic", "RSA public key")
}

/// `publickey`: the public half of the key that was revealed, as SubjectPublicKeyInfo in PEM.
pub(super) fn public_key(chain: &mut Chain<'_>, _parameters: &[&str]) -> Result<(), Error> {
    derive_public_key(chain, "publickey", "public key")
}

fn derive_public_key(chain: &mut Chain<'_>, name: &str, what: &str) -> Result<(), Error> {
    let hint = format!("write something like `||reveal:path/to/private_key|{name}`");
    let Some(secret) = chain.secret.take().filter(|secret| !secret.expose().is_empty()) else {
        let peer_text = format!(
            "Ref error: eval_func: {what} cannot be derived; try something like '|reveal:path/to/encrypted_private_key|{name}'"
        );
        return Err(
            function_error(format!("there is no private key in front of `{name}`"), peer_text).hint(hint)
        );
    };
    let secret = match chain.revealed_is_encoded {
        Some(false) => secret,
        Some(true) => match decoded_text(&Value::from(secret.into_exposed()))? {
            Value::Str(decoded) => Secret::new(&*decoded),
            _ => return Err(unreadable("it is no text")),
        },
        None => {
            let message = "the private key must come from the function `reveal`";
            let peer_text = no_attribute("FunctionContext", "ref_encoding");
            return Err(Error::new("refs::function", message)
                .hint(hint)
                .raised(Raised::Attribute, peer_text));
        }
    };
    chain.secret = Some(Secret::new(public_pem(&secret)?));
    Ok(())
}

/// The public half of a private key in PEM: PKCS 8 (RSA, Ed25519, elliptic curves), PKCS 1 or SEC 1.
fn public_pem(secret: &Secret) -> Result<String, Error> {
    let text = secret.expose();
    let begin = text.find("-----BEGIN ").ok_or_else(|| unreadable("it is not in PEM"))?;
    let (label, document) =
        SecretDocument::from_pem(text[begin..].trim_end()).map_err(|_| unreadable("its PEM is broken"))?;
    match label {
        "PRIVATE KEY" => {
            let key = PrivateKeyInfo::try_from(document.as_bytes()).map_err(broken)?;
            match key.algorithm.oid {
                pkcs1::ALGORITHM_OID => rsa_public_pem(key.private_key),
                ED25519 => ed25519_public_pem(key.private_key),
                ELLIPTIC => elliptic_public_pem(key.private_key, key.algorithm),
                _ => Err(unreadable("it is of a kind that is not known here")),
            }
        }
        "RSA PRIVATE KEY" => rsa_public_pem(document.as_bytes()),
        "EC PRIVATE KEY" => {
            let key = sec1::EcPrivateKey::from_der(document.as_bytes()).map_err(broken)?;
            let curve = key.parameters.as_ref().and_then(|parameters| parameters.named_curve());
            let curve = curve.ok_or_else(|| unreadable("it does not name its curve"))?;
            let algorithm = AlgorithmIdentifierRef { oid: ELLIPTIC, parameters: Some((&curve).into()) };
            elliptic_public_pem(document.as_bytes(), algorithm)
        }
        _ => Err(unreadable("it is of a kind that is not known here")),
    }
}

fn rsa_public_pem(inner: &[u8]) -> Result<String, Error> {
    let key = pkcs1::RsaPrivateKey::try_from(inner).map_err(broken)?;
    let public = key.public_key().to_der().map_err(unwritable)?;
    to_public_pem(pkcs1::ALGORITHM_ID, &public)
}

fn ed25519_public_pem(inner: &[u8]) -> Result<String, Error> {
    let seed = inner.strip_prefix(&[0x04, 0x20]).and_then(|seed| <&[u8; 32]>::try_from(seed).ok());
    let seed = seed.ok_or_else(|| unreadable("its content is broken"))?;
    let public = ed25519_dalek::SigningKey::from_bytes(seed).verifying_key();
    to_public_pem(AlgorithmIdentifierRef { oid: ED25519, parameters: None }, public.as_bytes())
}

/// The public point is taken as it stands in the key; deriving it would need the arithmetic of each curve.
fn elliptic_public_pem(inner: &[u8], algorithm: AlgorithmIdentifierRef<'_>) -> Result<String, Error> {
    let key = sec1::EcPrivateKey::from_der(inner).map_err(broken)?;
    let public = key.public_key.ok_or_else(|| unreadable("it does not hold its public point"))?;
    to_public_pem(algorithm, public)
}

fn to_public_pem(algorithm: AlgorithmIdentifierRef<'_>, public: &[u8]) -> Result<String, Error> {
    let subject_public_key = BitStringRef::from_bytes(public).map_err(unwritable)?;
    let info = SubjectPublicKeyInfoRef { algorithm, subject_public_key };
    let document = Document::encode_msg(&info).map_err(unwritable)?;
    document.to_pem(SubjectPublicKeyInfoRef::PEM_LABEL, LineEnding::LF).map_err(unwritable)
}

fn broken<E>(_: E) -> Error {
    unreadable("its content is broken")
}

fn unreadable(why: &str) -> Error {
    Error::new("refs::function", format!("the revealed secret is not a private key that can be read: {why}"))
        .raised(Raised::Value, "Could not deserialize key data.")
}

fn unwritable<E>(_: E) -> Error {
    Error::new("refs::function", "the key can not be written")
}
