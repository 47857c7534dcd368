//! RSA and DSA: making keys, and RSA's signatures.

use super::super::host::Random;
use super::der::{element, integer, sequence, small_integer};
use crate::functions::CallError;
use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;
use crypto_bigint::BoxedUint;
use crypto_primes::hazmat::{SetBits, SmallFactorsSieveFactory};
use crypto_primes::{Flavor, is_prime, sieve_and_find};
use num_bigint::BigUint;
use num_traits::Zero;
use sha2::{Digest, Sha256};

/// A private key of RSA.
#[derive(Clone, Debug)]
pub(super) struct RsaKey {
    pub(super) modulus: BigUint,
    pub(super) exponent: BigUint,
    pub(super) private: BigUint,
    pub(super) primes: [BigUint; 2],
}

fn no_prime<E>(_: E) -> CallError {
    "no prime number was found".into()
}

/// A random prime with its two highest bits set, so that a product of two has exactly the bits of both.
fn prime(random: &mut Random, bits: u32) -> Result<BigUint, CallError> {
    let mut stream = ChaCha20Rng::from_seed(random.bytes()?);
    let candidates =
        SmallFactorsSieveFactory::<BoxedUint>::new(Flavor::Any, bits, SetBits::TwoMsb).map_err(no_prime)?;
    let found = sieve_and_find(&mut stream, candidates, |_, candidate| is_prime(Flavor::Any, candidate))
        .map_err(no_prime)?
        .ok_or_else(|| no_prime(()))?;
    Ok(BigUint::from_bytes_be(&found.to_be_bytes()))
}

impl RsaKey {
    /// A new key of so many bits.
    pub(super) fn generate(random: &mut Random, bits: u32) -> Result<Self, CallError> {
        loop {
            let (p, q) = (prime(random, bits.div_ceil(2))?, prime(random, bits / 2)?);
            if p != q
                && let Some(key) = Self::of_primes(p, q)
            {
                return Ok(key);
            }
        }
    }

    /// The key of two primes; none where they do not suit the exponent.
    fn of_primes(p: BigUint, q: BigUint) -> Option<Self> {
        let exponent = BigUint::from(65_537u32);
        let totient = (&p - 1u8) * (&q - 1u8);
        let private = exponent.modinv(&totient)?;
        Some(Self { modulus: &p * &q, exponent, private, primes: [p, q] })
    }

    /// As PKCS 1.
    pub(super) fn to_der(&self) -> Vec<u8> {
        let [p, q] = &self.primes;
        let coefficient = q.modinv(p).unwrap_or_default();
        let numbers = [
            &self.modulus,
            &self.exponent,
            &self.private,
            p,
            q,
            &(&self.private % (p - 1u8)),
            &(&self.private % (q - 1u8)),
            &coefficient,
        ];
        let mut parts = vec![small_integer(0)];
        parts.extend(numbers.map(integer));
        sequence(&parts)
    }

    /// The public half, as PKCS 1.
    pub(super) fn public_der(&self) -> Vec<u8> {
        sequence(&[integer(&self.modulus), integer(&self.exponent)])
    }

    /// A signature by PKCS 1 v1.5 over SHA-256; none where the key is too short for it.
    pub(super) fn sign(&self, message: &[u8]) -> Option<Vec<u8>> {
        // The identifier of SHA-256 with its NULL.
        const SHA_256: &[u8] =
            &[0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00];
        let digest =
            sequence(&[SHA_256.to_vec(), element(super::der::OCTET_STRING, &Sha256::digest(message))]);
        let size = usize::try_from(self.modulus.bits().div_ceil(8)).ok()?;
        let padding = size.checked_sub(digest.len() + 3).filter(|padding| *padding >= 8)?;
        let padded = [&[0, 1], vec![0xFF; padding].as_slice(), &[0], &digest].concat();
        let signed = self.power(&BigUint::from_bytes_be(&padded)).to_bytes_be();
        Some([vec![0; size - signed.len()], signed].concat())
    }

    /// The private operation, by each prime on its own.
    fn power(&self, number: &BigUint) -> BigUint {
        let [p, q] = &self.primes;
        let Some(coefficient) = q.modinv(p) else { return number.modpow(&self.private, &self.modulus) };
        let by_p = number.modpow(&(&self.private % (p - 1u8)), p);
        let by_q = number.modpow(&(&self.private % (q - 1u8)), q);
        let difference = (&by_p + p - &by_q % p) % p;
        by_q + (coefficient * difference % p) * q
    }
}

/// A private key of DSA, as OpenSSL writes it: parameters of 2048 and 256 bits.
pub(super) fn dsa_key(random: &mut Random) -> Result<Vec<u8>, CallError> {
    let divisor = prime(random, 256)?;
    let one = BigUint::from(1u8);
    let modulus = loop {
        let mut bytes: [u8; 256] = random.bytes()?;
        bytes[0] |= 0x80;
        let candidate = BigUint::from_bytes_be(&bytes);
        // One more than a multiple of twice the divisor.
        let candidate = &candidate - &candidate % (&divisor * 2u8) + &one;
        if candidate.bits() == 2048
            && !has_small_factor(&candidate)
            && is_prime(Flavor::Any, &boxed(&candidate))
        {
            break candidate;
        }
    };
    let power = (&modulus - &one) / &divisor;
    let generator = (2u32..)
        .map(|base| BigUint::from(base).modpow(&power, &modulus))
        .find(|generator| *generator > one)
        .unwrap_or_default();
    let private = loop {
        let candidate = BigUint::from_bytes_be(&random.bytes::<32>()?) % &divisor;
        if !candidate.is_zero() {
            break candidate;
        }
    };
    let public = generator.modpow(&private, &modulus);
    let numbers = [modulus, divisor, generator, public, private];
    Ok(sequence(&[vec![small_integer(0)], numbers.iter().map(integer).collect()].concat()))
}

fn boxed(number: &BigUint) -> BoxedUint {
    BoxedUint::from_be_slice_vartime(&number.to_bytes_be())
}

fn has_small_factor(number: &BigUint) -> bool {
    (3u32..2000).step_by(2).any(|factor| (number % factor).is_zero())
}
