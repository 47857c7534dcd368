use super::bits::Bits;

const LITERALS: usize = 286;
const DISTANCES: usize = 30;
const LENGTH_CODES: usize = 19;
const END: usize = 256;
/// zlib ends a block after so many literals and copies.
const SYMBOLS: usize = (1 << 14) - 1;
const LONGEST_CODE: usize = 15;

const LENGTH_EXTRA: [u32; 29] =
    [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_EXTRA: [u32; DISTANCES] =
    [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
const LENGTH_CODE_ORDER: [usize; LENGTH_CODES] =
    [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// A literal (distance 0), or a copy of so many bytes more than three from this far back.
#[derive(Clone, Copy)]
struct Symbol {
    distance: usize,
    value: usize,
}

/// Collects the symbols of a block and writes it in the shortest of the three forms.
pub(super) struct Encoder {
    out: Bits,
    symbols: Vec<Symbol>,
    literals: [u32; LITERALS],
    distances: [u32; DISTANCES],
}

impl Default for Encoder {
    fn default() -> Self {
        Self { out: Bits::default(), symbols: Vec::new(), literals: [0; LITERALS], distances: [0; DISTANCES] }
    }
}

/// The codes of one alphabet: lengths, the codes themselves, and the highest symbol in use.
struct Codes {
    lengths: Vec<usize>,
    codes: Vec<u32>,
    last: usize,
}

impl Encoder {
    /// Adds a byte; returns whether the block is full.
    pub(super) fn literal(&mut self, byte: u8) -> bool {
        self.symbols.push(Symbol { distance: 0, value: byte.into() });
        self.literals[usize::from(byte)] += 1;
        self.symbols.len() == SYMBOLS
    }

    /// Adds a copy; returns whether the block is full.
    pub(super) fn copy(&mut self, distance: usize, length: usize) -> bool {
        let value = length - 3;
        self.symbols.push(Symbol { distance, value });
        self.literals[END + 1 + length_code(value).0] += 1;
        self.distances[distance_code(distance).0] += 1;
        self.symbols.len() == SYMBOLS
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.out.into_bytes()
    }

    /// Ends the block; `stored` is its content, if it can still be stored uncompressed.
    pub(super) fn end_block(&mut self, stored: Option<&[u8]>, is_last: bool) {
        self.literals[END] = 1;
        let (fixed_literals, fixed_distances) = fixed();
        let literals = Codes::for_frequencies(&self.literals, LONGEST_CODE);
        let distances = Codes::for_frequencies(&self.distances, LONGEST_CODE);
        let header = Header::new(&literals, &distances);
        let dynamic = self.size(&literals, &distances) + header.size();
        let fixed = self.size(&fixed_literals, &fixed_distances);
        let (dynamic, fixed) = ((dynamic + 10) >> 3, (fixed + 10) >> 3);
        let last = u32::from(is_last);
        match stored {
            Some(bytes) if bytes.len() + 4 <= dynamic.min(fixed) => self.store(bytes, last),
            _ if fixed <= dynamic => {
                self.out.put(2 + last, 3);
                self.write(&fixed_literals, &fixed_distances);
            }
            _ => {
                self.out.put(4 + last, 3);
                header.write(&mut self.out, &literals, &distances);
                self.write(&literals, &distances);
            }
        }
        self.symbols.clear();
        self.literals = [0; LITERALS];
        self.distances = [0; DISTANCES];
    }

    /// The bits of the block's content.
    fn size(&self, literals: &Codes, distances: &Codes) -> usize {
        let literal = |(symbol, count): (usize, &u32)| {
            let extra = symbol.checked_sub(END + 1).map_or(0, |code| LENGTH_EXTRA[code]);
            *count as usize * (literals.lengths[symbol] + extra as usize)
        };
        let distance = |(symbol, count): (usize, &u32)| {
            *count as usize * (distances.lengths[symbol] + DISTANCE_EXTRA[symbol] as usize)
        };
        self.literals.iter().enumerate().map(literal).sum::<usize>()
            + self.distances.iter().enumerate().map(distance).sum::<usize>()
    }

    fn store(&mut self, bytes: &[u8], last: u32) {
        let length = u16::try_from(bytes.len()).unwrap_or(u16::MAX);
        self.out.put(last, 3);
        self.out.align();
        self.out.bytes(&length.to_le_bytes());
        self.out.bytes(&(!length).to_le_bytes());
        self.out.bytes(bytes);
    }

    fn write(&mut self, literals: &Codes, distances: &Codes) {
        for symbol in &self.symbols {
            if symbol.distance == 0 {
                literals.put(&mut self.out, symbol.value);
                continue;
            }
            let (code, rest, extra) = length_code(symbol.value);
            literals.put(&mut self.out, END + 1 + code);
            self.out.put(rest, extra);
            let (code, rest, extra) = distance_code(symbol.distance);
            distances.put(&mut self.out, code);
            self.out.put(rest, extra);
        }
        literals.put(&mut self.out, END);
    }
}

/// The code of a length, what to add to its base, and in how many bits.
fn length_code(value: usize) -> (usize, u32, u32) {
    if value == 255 {
        return (28, 0, 0);
    }
    in_steps(value, &LENGTH_EXTRA[..28])
}

fn distance_code(distance: usize) -> (usize, u32, u32) {
    in_steps(distance - 1, &DISTANCE_EXTRA)
}

fn in_steps(value: usize, extra: &[u32]) -> (usize, u32, u32) {
    let mut base = 0;
    for (code, &bits) in extra.iter().enumerate() {
        let next = base + (1 << bits);
        if value < next {
            return (code, u32::try_from(value - base).unwrap_or_default(), bits);
        }
        base = next;
    }
    (extra.len() - 1, 0, 0)
}

/// The codes that the format fixes.
fn fixed() -> (Codes, Codes) {
    let length = |symbol: usize| match symbol {
        0..144 => 8,
        144..256 => 9,
        256..280 => 7,
        _ => 8,
    };
    (Codes::new((0..288).map(length).collect(), 287), Codes::new(vec![5; DISTANCES], DISTANCES - 1))
}

impl Codes {
    fn new(lengths: Vec<usize>, last: usize) -> Self {
        let mut count = [0_u32; LONGEST_CODE + 1];
        for &length in &lengths {
            count[length] += 1;
        }
        count[0] = 0;
        let mut next = [0_u32; LONGEST_CODE + 2];
        for length in 1..=LONGEST_CODE {
            next[length + 1] = (next[length] + count[length]) << 1;
        }
        let code = |&length: &usize| {
            if length == 0 {
                return 0;
            }
            let code = next[length];
            next[length] += 1;
            code.reverse_bits() >> (32 - length)
        };
        let codes = lengths.iter().map(code).collect();
        Self { lengths, codes, last }
    }

    fn put(&self, out: &mut Bits, symbol: usize) {
        out.put(self.codes[symbol], u32::try_from(self.lengths[symbol]).unwrap_or_default());
    }

    /// Huffman codes of bounded length. Ties are broken as zlib breaks them: by the depth of the subtree.
    fn for_frequencies(frequencies: &[u32], longest: usize) -> Self {
        let mut tree = Tree::new(frequencies);
        tree.join();
        let lengths = tree.lengths(longest);
        Self::new(lengths, tree.last)
    }
}

/// A Huffman tree while it is built, with zlib's heap.
struct Tree {
    frequency: Vec<u32>,
    depth: Vec<usize>,
    parent: Vec<usize>,
    heap: Vec<usize>,
    /// Nodes in the order in which they left the heap: by rising frequency.
    taken: Vec<usize>,
    leaves: usize,
    last: usize,
}

impl Tree {
    fn new(frequencies: &[u32]) -> Self {
        let leaves = frequencies.len();
        let mut frequency = frequencies.to_vec();
        let mut heap: Vec<usize> = (0..leaves).filter(|symbol| frequency[*symbol] > 0).collect();
        let mut last = heap.last().copied().unwrap_or_default();
        let mut is_any = !heap.is_empty();
        // The format wants two codes even where one or none is used.
        while heap.len() < 2 {
            let forced = match (is_any, last) {
                (false, _) => 0,
                (true, 0 | 1) => last + 1,
                (true, _) => 0,
            };
            if !is_any || last < 2 {
                last = forced;
            }
            is_any = true;
            frequency[forced] = 1;
            heap.push(forced);
        }
        frequency.resize(2 * leaves, 0);
        let (depth, parent) = (vec![0; 2 * leaves], vec![0; 2 * leaves]);
        let mut tree = Self { frequency, depth, parent, heap, taken: Vec::new(), leaves, last };
        for index in (0..tree.heap.len() / 2).rev() {
            tree.sink(index);
        }
        tree
    }

    fn is_before(&self, left: usize, right: usize) -> bool {
        (self.frequency[left], self.depth[left]) <= (self.frequency[right], self.depth[right])
    }

    fn sink(&mut self, from: usize) {
        let (node, mut hole) = (self.heap[from], from);
        loop {
            let mut child = 2 * hole + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.is_before(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            if self.is_before(node, self.heap[child]) {
                break;
            }
            self.heap[hole] = self.heap[child];
            hole = child;
        }
        self.heap[hole] = node;
    }

    /// Joins the two rarest nodes until one is left.
    fn join(&mut self) {
        let mut node = self.leaves;
        loop {
            let rarest = self.heap.swap_remove(0);
            self.sink(0);
            let second = self.heap[0];
            self.taken.extend([rarest, second]);
            self.frequency[node] = self.frequency[rarest] + self.frequency[second];
            self.depth[node] = self.depth[rarest].max(self.depth[second]) + 1;
            self.parent[rarest] = node;
            self.parent[second] = node;
            self.heap[0] = node;
            self.sink(0);
            node += 1;
            if self.heap.len() < 2 {
                break;
            }
        }
        self.taken.push(self.heap[0]);
    }

    fn lengths(&self, longest: usize) -> Vec<usize> {
        let mut lengths = vec![0; 2 * self.leaves];
        let mut count = vec![0_usize; longest + 1];
        let mut too_long = 0_usize;
        for &node in self.taken.iter().rev().skip(1) {
            let length = lengths[self.parent[node]] + 1;
            too_long += usize::from(length > longest);
            lengths[node] = length.min(longest);
            if node < self.leaves {
                count[lengths[node]] += 1;
            }
        }
        if too_long > 0 {
            self.shorten(&mut lengths, &mut count, too_long);
        }
        lengths.truncate(self.leaves);
        lengths
    }

    /// Moves leaves so that no code is too long, then deals the lengths out again from the rarest symbol on.
    fn shorten(&self, lengths: &mut [usize], count: &mut [usize], too_long: usize) {
        let longest = count.len() - 1;
        let mut left = too_long;
        while left > 0 {
            let Some(length) = (1..longest).rev().find(|length| count[*length] > 0) else { break };
            count[length] -= 1;
            count[length + 1] += 2;
            count[longest] -= 1;
            left = left.saturating_sub(2);
        }
        let mut leaves = self.taken.iter().filter(|node| **node < self.leaves);
        for length in (1..=longest).rev() {
            for &leaf in leaves.by_ref().take(count[length]) {
                lengths[leaf] = length;
            }
        }
    }
}

/// How the code lengths of a block are themselves written.
struct Header {
    /// Symbol, repetition, and in how many bits the repetition is.
    steps: Vec<(usize, u32, u32)>,
    codes: Codes,
    used: usize,
}

impl Header {
    fn new(literals: &Codes, distances: &Codes) -> Self {
        let mut steps = Vec::new();
        runs(&literals.lengths[..=literals.last], &mut steps);
        runs(&distances.lengths[..=distances.last], &mut steps);
        let mut frequencies = [0; LENGTH_CODES];
        for (symbol, ..) in &steps {
            frequencies[*symbol] += 1;
        }
        let codes = Codes::for_frequencies(&frequencies, 7);
        let is_used = |index: &usize| codes.lengths[LENGTH_CODE_ORDER[*index]] > 0;
        let used = (3..LENGTH_CODES).rev().find(is_used).unwrap_or(2) + 1;
        Self { steps, codes, used }
    }

    fn size(&self) -> usize {
        let step = |(symbol, _, extra): &(usize, u32, u32)| self.codes.lengths[*symbol] + *extra as usize;
        self.steps.iter().map(step).sum::<usize>() + 3 * self.used + 14
    }

    fn write(&self, out: &mut Bits, literals: &Codes, distances: &Codes) {
        let number = |value: usize| u32::try_from(value).unwrap_or_default();
        out.put(number(literals.last + 1 - 257), 5);
        out.put(number(distances.last), 5);
        out.put(number(self.used - 4), 4);
        for symbol in &LENGTH_CODE_ORDER[..self.used] {
            out.put(number(self.codes.lengths[*symbol]), 3);
        }
        for &(symbol, repetition, extra) in &self.steps {
            self.codes.put(out, symbol);
            out.put(repetition, extra);
        }
    }
}

/// The runs of equal lengths, cut as zlib cuts them.
fn runs(lengths: &[usize], steps: &mut Vec<(usize, u32, u32)>) {
    let mut previous = None;
    let (mut count, mut most, mut least) = (0, 7, 4);
    if lengths[0] == 0 {
        (most, least) = (138, 3);
    }
    for (index, &length) in lengths.iter().enumerate() {
        let next = lengths.get(index + 1).copied();
        count += 1;
        if count < most && next == Some(length) {
            continue;
        }
        if count < least {
            steps.extend((0..count).map(|_| (length, 0, 0)));
        } else if length != 0 {
            if previous != Some(length) {
                steps.push((length, 0, 0));
                count -= 1;
            }
            steps.push((16, count - 3, 2));
        } else if count <= 10 {
            steps.push((17, count - 3, 3));
        } else {
            steps.push((18, count - 11, 7));
        }
        (count, previous) = (0, Some(length));
        (most, least) = match next {
            Some(0) => (138, 3),
            Some(next) if next == length => (6, 3),
            _ => (7, 4),
        };
    }
}
