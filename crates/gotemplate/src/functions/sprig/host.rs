//! What functions need of the world outside: a clock with zones, and randomness.

use crate::functions::{Call, CallError};
use crate::standard::regexp::Regexp;
pub use crate::standard::time::{Clock, FixedClock, Zone};
use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::rc::Rc;

/// The world as templates see it; given along with the options of an execution.
pub struct Host {
    clock: Box<dyn Clock>,
    random: RefCell<Random>,
    /// Expressions that were compiled before: templates use the same few again and again.
    regexps: RefCell<FxHashMap<Vec<u8>, Rc<Regexp>>>,
    names: Option<Names>,
}

/// Looks the addresses of a host up; none where it has none.
pub type Names = fn(&str) -> Vec<String>;

/// So many expressions are kept.
const MAX_REGEXPS: usize = 256;

impl Host {
    /// A host with that clock and source of randomness.
    pub fn new(clock: impl Clock + 'static, random: Random) -> Self {
        Self {
            clock: Box::new(clock),
            random: RefCell::new(random),
            regexps: RefCell::default(),
            names: None,
        }
    }

    /// The same host, where templates may look up names of hosts.
    pub fn with_names(self, names: Names) -> Self {
        Self { names: Some(names), ..self }
    }
}

/// How names of hosts are looked up, where templates may.
pub(super) fn names(call: &Call<'_>) -> Option<Names> {
    call.host::<Host>()?.names
}

/// Where random bytes come from.
#[derive(Debug)]
pub struct Random(Source);

#[derive(Debug)]
enum Source {
    System,
    Seeded(Box<ChaCha20Rng>),
}

impl Random {
    /// The system's, fit for keys.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// A stream that the seed decides: the same templates in the same order give the same bytes at every run. What it
    /// makes is as secret as the seed.
    pub fn seeded(seed: &[u8]) -> Self {
        Self(Source::Seeded(Box::new(ChaCha20Rng::from_seed(Sha256::digest(seed).into()))))
    }

    /// Fills all of `bytes`. Fails where the system has none to give.
    pub(super) fn fill(&mut self, bytes: &mut [u8]) -> Result<(), CallError> {
        match &mut self.0 {
            Source::System => getrandom::fill(bytes).map_err(|error| CallError::new(error.to_string())),
            Source::Seeded(stream) => {
                stream.fill_bytes(bytes);
                Ok(())
            }
        }
    }

    /// So many bytes.
    pub(super) fn bytes<const N: usize>(&mut self) -> Result<[u8; N], CallError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    /// A number below `bound`, each as likely as the others.
    pub(super) fn below(&mut self, bound: u64) -> Result<u64, CallError> {
        // Numbers from where the last whole multiple ends on would favour the small ones.
        let end = u64::MAX - u64::MAX % bound.max(1);
        loop {
            let number = u64::from_le_bytes(self.bytes()?);
            if number < end {
                return Ok(number % bound.max(1));
            }
        }
    }
}

/// The clock of a call; one that stands at the beginning of 1970 where the host gave none.
pub(super) fn clock<'a>(call: &'a Call<'_>) -> &'a dyn Clock {
    static EPOCH: FixedClock = FixedClock { second: 0, nanosecond: 0 };
    call.host::<Host>().map_or(&EPOCH, |host| &*host.clock)
}

/// Works with the randomness of a call: the system's where the host gave none.
pub(super) fn with_random<T>(call: &Call<'_>, work: impl FnOnce(&mut Random) -> T) -> T {
    match call.host::<Host>() {
        Some(host) => work(&mut host.random.borrow_mut()),
        None => work(&mut Random::system()),
    }
}

/// An expression, compiled once for a host. An error is Go's text.
pub(super) fn regexp(call: &Call<'_>, expression: &[u8]) -> Result<Rc<Regexp>, String> {
    let Some(host) = call.host::<Host>() else { return Regexp::compile(expression).map(Rc::new) };
    if let Some(known) = host.regexps.borrow().get(expression) {
        return Ok(Rc::clone(known));
    }
    let compiled = Rc::new(Regexp::compile(expression)?);
    let mut regexps = host.regexps.borrow_mut();
    if regexps.len() >= MAX_REGEXPS {
        regexps.clear();
    }
    regexps.insert(expression.to_vec(), Rc::clone(&compiled));
    Ok(compiled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_everything() {
        let numbers = |seed: &[u8]| {
            let mut random = Random::seeded(seed);
            (0..20).map(|_| random.below(1000).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(numbers(b"a"), numbers(b"a"));
        assert_ne!(numbers(b"a"), numbers(b"b"));
        assert!(numbers(b"a").iter().all(|number| *number < 1000));
    }
}
