//! The graph of dice multisets: what every expectation and every choice of dice walks along.
//!
//! All 462 multisets of up to five dice, numbered by size and then in lexicographic order, so that
//! a step "throw one more die" goes through the numbers downwards and a step "leave one die out"
//! goes through them upwards.

/// How many dice are thrown.
pub const DIE_COUNT: usize = 5;

/// Multisets of 0 to 5 dice.
pub(crate) const KEEP_COUNT: usize = 462;
/// The first multiset of five dice; those before it are the keeps that throw at least one die.
pub(crate) const FIRST_ROLL: usize = 210;
/// Multisets of five dice.
pub(crate) const ROLL_COUNT: usize = KEEP_COUNT - FIRST_ROLL;
/// The first keep of four dice: those before it stay keeps when one more die is thrown.
pub(crate) const FIRST_OF_FOUR: usize = 84;

/// Pairs of a roll and a keep of fewer than five of its dice.
const PART_COUNT: usize = 4116;

/// The multisets and their neighbours.
pub(crate) struct Graph {
    /// The sorted faces; zeros after the last.
    pub(crate) faces: [[u8; DIE_COUNT]; KEEP_COUNT],
    /// How often each face is there.
    pub(crate) counts: [[u8; 6]; KEEP_COUNT],
    /// How many dice.
    pub(crate) size: [u8; KEEP_COUNT],
    /// The multiset with one more die of each face.
    pub(crate) plus: [[u16; 6]; FIRST_ROLL],
    /// The keep with one die fewer, for each distinct face in it; padded by repeating the last.
    pub(crate) minus: [[u8; DIE_COUNT]; KEEP_COUNT],
    /// How many distinct faces.
    pub(crate) distinct: [u8; KEEP_COUNT],
    /// In how many of 7,776 ways each roll falls.
    pub(crate) ways: [u16; ROLL_COUNT],
    /// How likely each roll is.
    pub(crate) chance: [f64; ROLL_COUNT],
    /// The proper parts of each roll, one after the other, those with more dice first and then in
    /// lexicographic order.
    parts: [u8; PART_COUNT],
    /// Where the parts of each roll begin.
    first_part: [u16; ROLL_COUNT + 1],
}

/// The one graph; constants alone.
pub(crate) static GRAPH: Graph = GRAPH_DATA;
const GRAPH_DATA: Graph = Graph::new();

impl Graph {
    const fn new() -> Self {
        let mut graph = Self {
            faces: [[0; DIE_COUNT]; KEEP_COUNT],
            counts: [[0; 6]; KEEP_COUNT],
            size: [0; KEEP_COUNT],
            plus: [[0; 6]; FIRST_ROLL],
            minus: [[0; DIE_COUNT]; KEEP_COUNT],
            distinct: [0; KEEP_COUNT],
            ways: [0; ROLL_COUNT],
            chance: [0.0; ROLL_COUNT],
            parts: [0; PART_COUNT],
            first_part: [0; ROLL_COUNT + 1],
        };
        // Multisets of one size grow from those one smaller by appending a face that is not below
        // the last, in order: that keeps the lexicographic order.
        let mut next = 1;
        let mut id = 0;
        while id < FIRST_ROLL {
            let size = graph.size[id] as usize;
            let mut face = if size == 0 { 1 } else { graph.faces[id][size - 1] };
            while face <= 6 {
                graph.faces[next] = graph.faces[id];
                graph.faces[next][size] = face;
                graph.counts[next] = graph.counts[id];
                graph.counts[next][face as usize - 1] += 1;
                graph.size[next] = size as u8 + 1;
                next += 1;
                face += 1;
            }
            id += 1;
        }
        assert!(next == KEEP_COUNT);
        graph.join()
    }

    const fn join(mut self) -> Self {
        let mut id = 0;
        while id < FIRST_ROLL {
            let mut face = 0;
            while face < 6 {
                let mut wanted = self.counts[id];
                wanted[face] += 1;
                let bigger = self.find(self.size[id] + 1, wanted);
                self.plus[id][face] = bigger as u16;
                // Smaller multisets come in descending order of the face taken out, which no pass minds.
                let mut slot = self.distinct[bigger] as usize;
                self.distinct[bigger] += 1;
                while slot < DIE_COUNT {
                    self.minus[bigger][slot] = id as u8;
                    slot += 1;
                }
                face += 1;
            }
            id += 1;
        }
        let mut roll = 0;
        while roll < ROLL_COUNT {
            self.ways[roll] = arrangements(self.counts[FIRST_ROLL + roll]);
            self.chance[roll] = self.ways[roll] as f64 / 7776.0;
            roll += 1;
        }
        self.divide()
    }

    const fn divide(mut self) -> Self {
        let (mut next, mut roll) = (0, 0);
        while roll < ROLL_COUNT {
            let mut size = DIE_COUNT as u32;
            while size > 0 {
                size -= 1;
                // The first die is the highest bit: among masks of one size, a larger one takes
                // earlier dice, and the dice are sorted.
                let mut mask = 1u32 << DIE_COUNT;
                while mask > 0 {
                    mask -= 1;
                    if mask.count_ones() == size
                        && takes_first_of_equals(&self.faces[FIRST_ROLL + roll], mask)
                    {
                        self.parts[next] = self.part(roll, mask);
                        next += 1;
                    }
                }
            }
            roll += 1;
            self.first_part[roll] = next as u16;
        }
        assert!(next == PART_COUNT);
        self
    }

    const fn part(&self, roll: usize, mask: u32) -> u8 {
        let (mut keep, mut die) = (0, 0);
        while die < DIE_COUNT {
            if taken(mask, die) {
                keep = self.plus[keep][self.faces[FIRST_ROLL + roll][die] as usize - 1] as usize;
            }
            die += 1;
        }
        keep as u8
    }

    /// The keeps of fewer than five dice of a roll, those with more dice first and then in
    /// lexicographic order.
    #[inline(always)]
    pub(crate) fn parts_of(&self, roll: usize) -> &[u8] {
        &self.parts[self.first_part[roll] as usize..self.first_part[roll + 1] as usize]
    }

    /// The multiset of these counts, sought among those of its size.
    const fn find(&self, size: u8, counts: [u8; 6]) -> usize {
        let mut id = FIRST_OF_SIZE[size as usize];
        while code(self.counts[id]) != code(counts) {
            id += 1;
        }
        id
    }
}

/// Where the multisets of each size begin.
const FIRST_OF_SIZE: [usize; 6] = [0, 1, 7, 28, 84, FIRST_ROLL];

/// The counts as one number.
const fn code(counts: [u8; 6]) -> u64 {
    u64::from_le_bytes([counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], 0, 0])
}

/// Keeps of up to three dice: the keep with one more die of each face.
pub(crate) static ONE_MORE_DIE: [[u8; 6]; FIRST_OF_FOUR] = {
    let mut rows = [[0; 6]; FIRST_OF_FOUR];
    let mut keep = 0;
    while keep < FIRST_OF_FOUR {
        rows[keep] = offset(GRAPH_DATA.plus[keep], 0);
        keep += 1;
    }
    rows
};

/// Keeps of four dice: the roll that each face of the last die completes.
pub(crate) static LAST_DIE: [[u8; 6]; FIRST_ROLL - FIRST_OF_FOUR] = {
    let mut rows = [[0; 6]; FIRST_ROLL - FIRST_OF_FOUR];
    let mut keep = FIRST_OF_FOUR;
    while keep < FIRST_ROLL {
        rows[keep - FIRST_OF_FOUR] = offset(GRAPH_DATA.plus[keep], FIRST_ROLL);
        keep += 1;
    }
    rows
};

const fn offset(ids: [u16; 6], first: usize) -> [u8; 6] {
    let mut small = [0; 6];
    let mut face = 0;
    while face < 6 {
        small[face] = (ids[face] as usize - first) as u8;
        face += 1;
    }
    small
}

/// The rolls with a number of distinct faces, each with the keeps of four of its dice.
pub(crate) struct Fours<const FACES: usize, const COUNT: usize>(pub(crate) [(u8, [u8; FACES]); COUNT]);

pub(crate) static FOURS_1: Fours<1, 6> = Fours::new();
pub(crate) static FOURS_2: Fours<2, 60> = Fours::new();
pub(crate) static FOURS_3: Fours<3, 120> = Fours::new();
pub(crate) static FOURS_4: Fours<4, 60> = Fours::new();
pub(crate) static FOURS_5: Fours<5, 6> = Fours::new();

impl<const FACES: usize, const COUNT: usize> Fours<FACES, COUNT> {
    const fn new() -> Self {
        let mut rolls = [(0, [0; FACES]); COUNT];
        let (mut next, mut roll) = (0, 0);
        while roll < ROLL_COUNT {
            if GRAPH_DATA.distinct[FIRST_ROLL + roll] as usize == FACES {
                rolls[next].0 = roll as u8;
                let mut slot = 0;
                while slot < FACES {
                    rolls[next].1[slot] = GRAPH_DATA.minus[FIRST_ROLL + roll][slot];
                    slot += 1;
                }
                next += 1;
            }
            roll += 1;
        }
        assert!(next == COUNT);
        Self(rolls)
    }
}

const fn taken(mask: u32, die: usize) -> bool {
    mask >> (DIE_COUNT - 1 - die) & 1 == 1
}

/// Whether of equal dice the first are taken: one mask for each multiset.
const fn takes_first_of_equals(faces: &[u8; DIE_COUNT], mask: u32) -> bool {
    let mut die = 1;
    while die < DIE_COUNT {
        if faces[die] == faces[die - 1] && taken(mask, die) && !taken(mask, die - 1) {
            return false;
        }
        die += 1;
    }
    true
}

/// 5! over the factorials of the counts.
const fn arrangements(counts: [u8; 6]) -> u16 {
    const FACTORIAL: [u16; 6] = [1, 1, 2, 6, 24, 120];
    let mut ways = 120;
    let mut i = 0;
    while i < 6 {
        ways /= FACTORIAL[counts[i] as usize];
        i += 1;
    }
    ways
}
