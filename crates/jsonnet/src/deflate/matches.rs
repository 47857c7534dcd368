use super::huffman::Encoder;

const WINDOW: usize = 1 << 15;
const SHORTEST: usize = 3;
const LONGEST: usize = 258;
/// So much text is kept ahead while there is any.
const AHEAD: usize = LONGEST + SHORTEST + 1;
const FARTHEST: usize = WINDOW - AHEAD;
/// A match of three bytes is not worth a distance above this.
const TOO_FAR: usize = 4096;
/// Level 9: after a match of this length the search is shortened to a quarter of the longest chain.
const GOOD: usize = 32;
const CHAIN: usize = 4096;

/// Finds matches lazily: a match is used only if the next byte does not begin a longer one.
///
/// Positions count from the start of the data. zlib's window moves by half when it is full; `base` is where it begins, and
/// like zlib nothing at that very byte is ever matched.
pub(super) struct Matcher<'a> {
    data: &'a [u8],
    base: usize,
    /// How much of the data is in the window.
    filled: usize,
    at: usize,
    block_start: usize,
    /// The last position of each hash, and for each position the one before it with the same hash; 0 is none.
    heads: Vec<usize>,
    earlier: Vec<usize>,
    match_start: usize,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(data: &'a [u8]) -> Self {
        let (heads, earlier) = (vec![0; WINDOW], vec![0; WINDOW]);
        Self { data, base: 0, filled: 0, at: 0, block_start: 0, heads, earlier, match_start: 0 }
    }

    pub(super) fn run(mut self, out: &mut Encoder) {
        let (mut length, mut literal_waits) = (SHORTEST - 1, false);
        loop {
            if self.ahead() < AHEAD {
                self.fill();
                if self.ahead() == 0 {
                    break;
                }
            }
            let head = if self.ahead() >= SHORTEST { self.insert(self.at) } else { 0 };
            let (previous_length, previous_start) = (length, self.match_start);
            length = SHORTEST - 1;
            if head > self.base && previous_length < LONGEST && self.at - head <= FARTHEST {
                length = self.longest(head, previous_length);
                if length == SHORTEST && self.at - self.match_start > TOO_FAR {
                    length = SHORTEST - 1;
                }
            }
            if previous_length >= SHORTEST && length <= previous_length {
                let last_insert = self.filled - SHORTEST;
                let is_full = out.copy(self.at - 1 - previous_start, previous_length);
                for _ in 0..previous_length - 2 {
                    self.at += 1;
                    if self.at <= last_insert {
                        self.insert(self.at);
                    }
                }
                self.at += 1;
                (literal_waits, length) = (false, SHORTEST - 1);
                if is_full {
                    self.end_block(out, false);
                }
            } else if literal_waits {
                if out.literal(self.data[self.at - 1]) {
                    self.end_block(out, false);
                }
                self.at += 1;
            } else {
                literal_waits = true;
                self.at += 1;
            }
        }
        if literal_waits {
            out.literal(self.data[self.at - 1]);
        }
        self.end_block(out, true);
    }

    fn ahead(&self) -> usize {
        self.filled - self.at
    }

    /// Reads as much as the window holds, and moves the window first when its second half is nearly used up.
    fn fill(&mut self) {
        loop {
            if self.at - self.base >= WINDOW + FARTHEST {
                self.base += WINDOW;
            }
            let room = 2 * WINDOW - (self.filled - self.base);
            self.filled = (self.filled + room).min(self.data.len());
            if self.ahead() >= AHEAD || self.filled == self.data.len() {
                return;
            }
        }
    }

    /// Notes a position; returns the last one with the same three bytes, or one with the same hash.
    fn insert(&mut self, at: usize) -> usize {
        let [first, second, third] = [0, 1, 2].map(|offset| usize::from(self.data[at + offset]));
        let hash = ((first << 10) ^ (second << 5) ^ third) & (WINDOW - 1);
        let head = std::mem::replace(&mut self.heads[hash], at);
        self.earlier[at & (WINDOW - 1)] = head;
        head
    }

    /// The longest match that is longer than `previous_length`, along the chain of positions with the same hash.
    fn longest(&mut self, head: usize, previous_length: usize) -> usize {
        let most = LONGEST.min(self.ahead());
        let mut chain = if previous_length >= GOOD { CHAIN >> 2 } else { CHAIN };
        let limit = self.base.max(self.at.saturating_sub(FARTHEST));
        let (mut best, mut candidate) = (previous_length, head);
        loop {
            // Only a match that agrees in the byte behind the best one so far can be longer.
            let may_be_longer = best < most && self.data[candidate + best] == self.data[self.at + best];
            let length = if may_be_longer { self.common(candidate, most) } else { 0 };
            if length > best {
                self.match_start = candidate;
                best = length;
                if length >= most {
                    break;
                }
            }
            candidate = self.earlier[candidate & (WINDOW - 1)];
            chain -= 1;
            if candidate <= limit || chain == 0 {
                break;
            }
        }
        best.min(self.ahead())
    }

    fn common(&self, candidate: usize, most: usize) -> usize {
        let (left, right) = (&self.data[candidate..], &self.data[self.at..self.at + most]);
        left.iter().zip(right).take_while(|(left, right)| left == right).count()
    }

    fn end_block(&mut self, out: &mut Encoder, is_last: bool) {
        // What has left the window can no longer be stored as it is.
        let stored = (self.block_start >= self.base).then(|| &self.data[self.block_start..self.at]);
        out.end_block(stored, is_last);
        self.block_start = self.at;
    }
}
