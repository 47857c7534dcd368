/// Bits written from the lowest of each byte on.
#[derive(Default)]
pub(super) struct Bits {
    bytes: Vec<u8>,
    pending: u64,
    count: u32,
}

impl Bits {
    pub(super) fn put(&mut self, value: u32, length: u32) {
        self.pending |= u64::from(value) << self.count;
        self.count += length;
        while self.count >= 8 {
            self.bytes.push(self.pending.to_le_bytes()[0]);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    /// Fills the last byte with zeros.
    pub(super) fn align(&mut self) {
        if self.count > 0 {
            self.put(0, 8 - self.count);
        }
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(super) fn into_bytes(mut self) -> Vec<u8> {
        self.align();
        self.bytes
    }
}
