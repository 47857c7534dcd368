use num_bigint::BigUint;

const SIZE: usize = 624;
const SHIFT: usize = 397;

/// The Mersenne Twister, as CPython's `random` seeds and reads it.
pub(super) struct Twister {
    state: Vec<u32>,
    at: usize,
}

impl Twister {
    /// Seeded with an integer that is not negative.
    pub(super) fn new(seed: &BigUint) -> Self {
        let mut key = seed.to_u32_digits();
        if key.is_empty() {
            key.push(0);
        }
        let mut twister = Self { state: Self::start(19_650_218), at: SIZE };
        let state = &mut twister.state;
        let (mut i, mut j) = (1, 0);
        for _ in 0..SIZE.max(key.len()) {
            let mixed = (state[i - 1] ^ (state[i - 1] >> 30)).wrapping_mul(1_664_525);
            state[i] = (state[i] ^ mixed).wrapping_add(key[j]).wrapping_add(u32::try_from(j).unwrap_or(0));
            i += 1;
            if i == SIZE {
                state[0] = state[SIZE - 1];
                i = 1;
            }
            j = (j + 1) % key.len();
        }
        for _ in 1..SIZE {
            let mixed = (state[i - 1] ^ (state[i - 1] >> 30)).wrapping_mul(1_566_083_941);
            state[i] = (state[i] ^ mixed).wrapping_sub(u32::try_from(i).unwrap_or(0));
            i += 1;
            if i == SIZE {
                state[0] = state[SIZE - 1];
                i = 1;
            }
        }
        state[0] = 0x8000_0000;
        twister
    }

    fn start(seed: u32) -> Vec<u32> {
        let mut state = vec![seed];
        for i in 1..SIZE {
            let before = state[i - 1];
            let next = (before ^ (before >> 30)).wrapping_mul(1_812_433_253);
            state.push(next.wrapping_add(u32::try_from(i).unwrap_or(0)));
        }
        state
    }

    fn refill(&mut self) {
        for i in 0..SIZE {
            let bits = self.state[i] & 0x8000_0000 | self.state[(i + 1) % SIZE] & 0x7fff_ffff;
            let twist = if bits & 1 == 0 { 0 } else { 0x9908_b0df };
            self.state[i] = self.state[(i + SHIFT) % SIZE] ^ (bits >> 1) ^ twist;
        }
        self.at = 0;
    }

    fn next(&mut self) -> u32 {
        if self.at == SIZE {
            self.refill();
        }
        let mut y = self.state[self.at];
        self.at += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    /// A number below `limit`, as CPython's `_randbelow` draws it.
    pub(super) fn below(&mut self, limit: u32) -> u32 {
        let bits = u32::BITS - limit.leading_zeros();
        loop {
            let drawn = self.next() >> (32 - bits);
            if drawn < limit {
                return drawn;
            }
        }
    }
}

/// CPython's hash of a finite double, which seeds its generator.
pub(super) fn float_hash(value: f64) -> u64 {
    const BITS: u32 = 61;
    const MODULUS: u64 = (1 << BITS) - 1;
    if value.is_infinite() {
        return if value > 0.0 { 314_159 } else { 314_159u64.wrapping_neg() };
    }
    if value.is_nan() {
        return 0;
    }
    // The fraction lies between 0.5 and 1; it is read 28 bits at a time.
    let (mut fraction, mut exponent) = (value.abs(), 0i32);
    while fraction >= 1.0 {
        fraction /= 2.0;
        exponent += 1;
    }
    while fraction != 0.0 && fraction < 0.5 {
        fraction *= 2.0;
        exponent -= 1;
    }
    let mut hash: u64 = 0;
    while fraction != 0.0 {
        hash = (hash << 28) & MODULUS | hash >> (BITS - 28);
        fraction *= 268_435_456.0;
        exponent -= 28;
        let whole = fraction.trunc();
        fraction -= whole;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "below 2^28 and not negative"
        )]
        let digit = whole as u64;
        hash += digit;
        if hash >= MODULUS {
            hash -= MODULUS;
        }
    }
    let turn = exponent.rem_euclid(61).unsigned_abs();
    let hash = (hash << turn) & MODULUS | hash >> (BITS - turn);
    let hash = if value < 0.0 { hash.wrapping_neg() } else { hash };
    if hash == u64::MAX { u64::MAX - 1 } else { hash }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_of_doubles_are_cpythons() {
        assert_eq!(float_hash(1.5), 1_152_921_504_606_846_977);
        assert_eq!(float_hash(-0.1), 230_584_300_921_369_408u64.wrapping_neg());
        assert_eq!(float_hash(2.0), 2);
    }
}
