//! The probability of reaching each state of one set of filled boxes with each number of points.

/// Probabilities below this are cut at both ends of a state's points. All that is lost is less than 1e-14.
const NEGLIGIBLE: f64 = 1e-21;

/// The probability of reaching each state of one set with each number of points. All share one list: hundreds of thousands of
/// short ones would leave holes in memory.
#[derive(Default)]
pub(crate) struct Reached {
    pub(crate) lanes: Vec<Span>,
    pub(crate) chances: Vec<f64>,
}

/// The position of one state's probabilities in the list, and the points of the first.
#[derive(Clone, Copy, Default)]
pub(crate) struct Span {
    pub(crate) points: u32,
    start: u32,
    pub(crate) length: u32,
}

impl Reached {
    pub(crate) fn none(lanes: usize) -> Self {
        Self { lanes: vec![Span::default(); lanes], chances: Vec::new() }
    }

    /// All zeros, with the length that every span needs.
    pub(crate) fn laid_out(mut lanes: Vec<Span>) -> Self {
        let mut end = 0;
        for span in &mut lanes {
            span.start = end;
            end += span.length;
        }
        Self { lanes, chances: vec![0.0; end as usize] }
    }

    pub(crate) fn of(&self, span: Span) -> &[f64] {
        &self.chances[span.start as usize..][..span.length as usize]
    }

    /// Adds probabilities with the points of `span`, scaled, to a state whose own span covers it.
    #[inline(always)]
    pub(crate) fn add(&mut self, lane: usize, span: Span, chances: &[f64], chance: f64) {
        let own = self.lanes[lane];
        let place = own.start + span.points.saturating_sub(own.points);
        add(&mut self.chances[place as usize..], chances, chance);
    }

    /// The same without negligible probabilities at both ends.
    pub(crate) fn cut(&self) -> Self {
        let matters = |chance: &f64| *chance >= NEGLIGIBLE;
        let mut kept = Self {
            lanes: Vec::with_capacity(self.lanes.len()),
            chances: Vec::with_capacity(self.chances.len()),
        };
        for &span in &self.lanes {
            let chances = self.of(span);
            let first = chances.iter().position(matters).unwrap_or_default();
            let end = chances.iter().rposition(matters).map_or(first, |last| last + 1);
            let (points, start) = (span.points + first as u32, kept.chances.len() as u32);
            kept.lanes.push(Span { points, start, length: (end - first) as u32 });
            kept.chances.extend_from_slice(&chances[first..end]);
        }
        kept.chances.shrink_to_fit();
        kept
    }
}

impl Span {
    /// The same probabilities with more points.
    pub(crate) fn moved(self, points: u16) -> Self {
        Self { points: self.points + u32::from(points), ..self }
    }

    /// Grows to take in another.
    pub(crate) fn cover(&mut self, other: Self) {
        if self.length == 0 {
            *self = other;
            return;
        }
        let end = (self.points + self.length).max(other.points + other.length);
        self.points = self.points.min(other.points);
        self.length = end - self.points;
    }
}

/// Adds scaled probabilities, element by element.
#[inline(always)]
pub(crate) fn add(to: &mut [f64], from: &[f64], chance: f64) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += from * chance;
    }
}
