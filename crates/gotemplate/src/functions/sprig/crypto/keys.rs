//! Private keys of all kinds: making, writing and reading them.

use super::super::give;
use super::super::host::{Random, with_random};
use super::der::{OCTET_STRING, Reader, SEQUENCE, bit_string, element, identifier, sequence, small_integer};
use super::pem;
use super::rsa::{RsaKey, dsa_key};
use crate::functions::{Call, CallError, Outcome};
use ed25519_dalek::Signer;
use p256::elliptic_curve::sec1::ToEncodedPoint;

/// `1.2.840.113549.1.1.1`
const RSA: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01];
/// `1.2.840.113549.1.1.11`
const RSA_WITH_SHA_256: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B];
/// `1.2.840.10045.2.1`
const ELLIPTIC: &[u8] = &[0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01];
/// `1.2.840.10045.3.1.7`
const P_256: &[u8] = &[0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07];
/// `1.2.840.10045.4.3.2`
const ECDSA_WITH_SHA_256: &[u8] = &[0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02];
/// `1.3.101.112`
const ED25519: &[u8] = &[0x2B, 0x65, 0x70];

const NULL: &[u8] = &[0x05, 0x00];

/// A private key.
pub(super) enum PrivateKey {
    Rsa(Box<RsaKey>),
    Elliptic(p256::SecretKey),
    Ed25519(ed25519_dalek::SigningKey),
    /// As it is written; it can not sign certificates.
    Dsa(Vec<u8>),
}

impl PrivateKey {
    /// A new RSA key of 2048 bits, as certificates get it.
    pub(super) fn for_certificate(random: &mut Random) -> Result<Self, CallError> {
        Ok(Self::Rsa(Box::new(RsaKey::generate(random, 2048)?)))
    }

    /// As PEM, each kind in its own form.
    pub(super) fn to_pem(&self) -> String {
        match self {
            Self::Rsa(key) => pem::encode("RSA PRIVATE KEY", &key.to_der()),
            Self::Dsa(der) => pem::encode("DSA PRIVATE KEY", der),
            Self::Elliptic(key) => pem::encode("EC PRIVATE KEY", &elliptic_der(key)),
            Self::Ed25519(key) => {
                let inner = element(OCTET_STRING, &element(OCTET_STRING, key.as_bytes()));
                let der = sequence(&[small_integer(0), sequence(&[identifier(ED25519)]), inner]);
                pem::encode("PRIVATE KEY", &der)
            }
        }
    }

    /// Reads a key in PEM. An error is Go's text, but for what is wrong inside of the key.
    pub(super) fn from_pem(text: &[u8]) -> Result<Self, String> {
        const MALFORMED: &str = "asn1: structure error: the key is malformed";
        let block = pem::decode(text).ok_or("no PEM data in input")?;
        let label = block.label.as_str();
        if label == "PRIVATE KEY" {
            return from_pkcs8(&block.bytes).ok_or_else(|| format!("decoding PEM as PKCS#8: {MALFORMED}"));
        }
        let Some(kind) = label.strip_suffix(" PRIVATE KEY") else {
            return Err(format!("no private key data in PEM block of type {label}"));
        };
        let key = match kind {
            "RSA" => rsa_from_der(&block.bytes),
            "EC" => elliptic_from_der(&block.bytes),
            "DSA" => Reader(&block.bytes).expect(SEQUENCE).map(|_| Self::Dsa(block.bytes.clone())),
            _ => return Err(format!("invalid private key type {kind}")),
        };
        key.ok_or_else(|| format!("parsing {kind} private key from PEM: {MALFORMED}"))
    }

    /// The public half: what its algorithm is called, and its bits. None for DSA.
    fn public_parts(&self) -> Option<(Vec<u8>, Vec<u8>)> {
        match self {
            Self::Rsa(key) => Some((sequence(&[identifier(RSA), NULL.to_vec()]), key.public_der())),
            Self::Elliptic(key) => {
                let point = key.public_key().to_encoded_point(false);
                let algorithm = sequence(&[identifier(ELLIPTIC), identifier(P_256)]);
                Some((algorithm, point.as_bytes().to_vec()))
            }
            Self::Ed25519(key) => {
                Some((sequence(&[identifier(ED25519)]), key.verifying_key().as_bytes().to_vec()))
            }
            Self::Dsa(_) => None,
        }
    }

    /// The public half as certificates hold it.
    pub(super) fn public_info(&self) -> Option<Vec<u8>> {
        let (algorithm, bits) = self.public_parts()?;
        Some(sequence(&[algorithm, bit_string(&bits)]))
    }

    /// The bits of the public half.
    pub(super) fn public_bits(&self) -> Option<Vec<u8>> {
        self.public_parts().map(|(_, bits)| bits)
    }

    /// What the algorithm of its signatures is called.
    pub(super) fn signature_algorithm(&self) -> Option<Vec<u8>> {
        match self {
            Self::Rsa(_) => Some(sequence(&[identifier(RSA_WITH_SHA_256), NULL.to_vec()])),
            Self::Elliptic(_) => Some(sequence(&[identifier(ECDSA_WITH_SHA_256)])),
            Self::Ed25519(_) => Some(sequence(&[identifier(ED25519)])),
            Self::Dsa(_) => None,
        }
    }

    /// A signature.
    pub(super) fn sign(&self, message: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Rsa(key) => key.sign(message),
            Self::Elliptic(key) => {
                let signature: p256::ecdsa::Signature = p256::ecdsa::SigningKey::from(key).sign(message);
                Some(signature.to_der().as_bytes().to_vec())
            }
            Self::Ed25519(key) => Some(Signer::sign(key, message).to_bytes().to_vec()),
            Self::Dsa(_) => None,
        }
    }
}

fn elliptic_der(key: &p256::SecretKey) -> Vec<u8> {
    let point = key.public_key().to_encoded_point(false);
    sequence(&[
        small_integer(1),
        element(OCTET_STRING, &key.to_bytes()),
        element(0xA0, &identifier(P_256)),
        element(0xA1, &bit_string(point.as_bytes())),
    ])
}

fn from_pkcs8(bytes: &[u8]) -> Option<PrivateKey> {
    let mut outer = Reader(Reader(bytes).expect(SEQUENCE)?);
    outer.number()?;
    let mut algorithm = Reader(outer.expect(SEQUENCE)?);
    let inner = outer.expect(OCTET_STRING)?;
    // The arm of elliptic curves in PKCS 8 names the curve outside of the key.
    match algorithm.expect(0x06)? {
        RSA => rsa_from_der(inner),
        ELLIPTIC => elliptic_from_der(inner),
        ED25519 => {
            let seed = Reader(inner).expect(OCTET_STRING)?.try_into().ok()?;
            Some(PrivateKey::Ed25519(ed25519_dalek::SigningKey::from_bytes(&seed)))
        }
        _ => None,
    }
}

fn rsa_from_der(bytes: &[u8]) -> Option<PrivateKey> {
    let mut numbers = Reader(Reader(bytes).expect(SEQUENCE)?);
    numbers.number()?;
    let (modulus, exponent, private) = (numbers.number()?, numbers.number()?, numbers.number()?);
    let primes = [numbers.number()?, numbers.number()?];
    if &primes[0] * &primes[1] != modulus || primes.iter().any(|prime| prime.bits() < 2) {
        return None;
    }
    Some(PrivateKey::Rsa(Box::new(RsaKey { modulus, exponent, private, primes })))
}

fn elliptic_from_der(bytes: &[u8]) -> Option<PrivateKey> {
    let mut parts = Reader(Reader(bytes).expect(SEQUENCE)?);
    parts.number()?;
    let scalar = parts.expect(OCTET_STRING)?;
    if let Some(curve) = parts.next()
        && curve.tag == 0xA0
        && curve.content != identifier(P_256)
    {
        return None;
    }
    p256::SecretKey::from_slice(scalar).ok().map(PrivateKey::Elliptic)
}

/// `genPrivateKey`: a new key in PEM; a kind that is not known gives a text that says so.
pub(super) fn generate(call: &mut Call<'_>) -> Outcome {
    let key = with_random(call, |random| match call.text(0) {
        b"" | b"rsa" => Ok(Some(PrivateKey::Rsa(Box::new(RsaKey::generate(random, 4096)?)))),
        b"dsa" => dsa_key(random).map(|der| Some(PrivateKey::Dsa(der))),
        b"ecdsa" => elliptic(random).map(Some),
        b"ed25519" => Ok(Some(PrivateKey::Ed25519(ed25519_dalek::SigningKey::from_bytes(&random.bytes()?)))),
        _ => Ok::<_, CallError>(None),
    })?;
    match key {
        Some(key) => give(key.to_pem()),
        None => give([b"Unknown type ", call.text(0)].concat()),
    }
}

fn elliptic(random: &mut Random) -> Result<PrivateKey, CallError> {
    loop {
        // Few numbers of 256 bits are none of the curve.
        if let Ok(key) = p256::SecretKey::from_slice(&random.bytes::<32>()?) {
            return Ok(PrivateKey::Elliptic(key));
        }
    }
}
