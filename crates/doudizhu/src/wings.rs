//! The wings of the planes that a line has taken out.
//!
//! Once no more runs are taken, ranks held equally often are alike, but for what the planes still to be served say of
//! them: a wing is never of the body's rank. So wings are chosen by groups of like ranks, not rank by rank.

use super::card::Rank;
use super::counts::lanes::{self, Held};
use super::kickers::KickerRule;
use super::play::Kind;
use super::search::{Search, floor};
use super::shape_table::Table;

/// The wings open to one plane.
struct Choice {
    plane: usize,
    /// How many cards one wing is: 1 or 2.
    size: u8,
    /// How many wings the planes after this one may carry.
    slots_after: usize,
    groups: [Group; MOST_GROUPS],
    number_of_groups: usize,
}

/// Ranks that are alike as wings.
#[derive(Clone, Copy, Default)]
struct Group {
    ranks: u64,
    /// How many wings one rank may give.
    most_of_one: u8,
    /// How many of the ranks may give wings.
    most_ranks: usize,
    /// How many wings this group and those after it can give.
    supply: usize,
}

/// At most one group a rank, one for the jokers, and an empty one to end with.
const MOST_GROUPS: usize = 15;

/// The wings of one plane while they are being chosen.
#[derive(Clone, Copy)]
struct Wings {
    /// How many are still to be found.
    need: u8,
    taken: u64,
    /// The cards left beside them.
    left: u64,
}

impl<T: Table> Search<'_, T> {
    /// Tries every choice of wings for the planes from number `plane` on, which may carry `slots` wings in all.
    pub(super) fn choose_wings(&mut self, plane: usize, left: u64, slots: usize) {
        if self.is_hopeless(floor::<T>(T::held(left), left, lanes::RANKS, slots)) {
            return;
        }
        if plane == self.planes {
            return self.consider(left);
        }
        let length = self.runs[plane].length;
        let slots_after = slots - usize::from(length);
        for kind in [Kind::PlaneSingles, Kind::PlanePairs] {
            let choice = self.wings_open_to(plane, kind, left, slots_after);
            self.pick(&choice, 0, Wings { need: length, taken: 0, left });
        }
        self.wings[plane] = 0;
        self.choose_wings(plane + 1, left, slots_after);
    }

    /// Finds the wings still needed in the groups from number `at` on, then serves the next plane.
    fn pick(&mut self, choice: &Choice, at: usize, wings: Wings) {
        if wings.need == 0 {
            self.wings[choice.plane] = wings.taken;
            return self.choose_wings(choice.plane + 1, wings.left, choice.slots_after);
        }
        let group = choice.groups[at];
        if usize::from(wings.need) > group.supply {
            return;
        }
        self.steps += 1;
        let slots = usize::from(wings.need) + choice.slots_after;
        if self.is_hopeless(floor::<T>(T::held(wings.left), wings.left, lanes::RANKS, slots)) {
            return;
        }
        self.pick_in_group(choice, at, group.ranks, group.most_of_one, wings);
    }

    /// Takes `each` wings from none or some of the group's `ranks`, fewer from others, then goes on to the next group.
    fn pick_in_group(&mut self, choice: &Choice, at: usize, ranks: u64, each: u8, wings: Wings) {
        if each == 0 {
            return self.pick(choice, at + 1, wings);
        }
        let most = lanes::number(ranks).min(usize::from(wings.need / each)).min(choice.groups[at].most_ranks);
        for number in (0..=most).rev() {
            let others = (0..number).fold(ranks, |rest, _| rest & rest.wrapping_sub(1));
            let cards = (ranks ^ others) * u64::from(each * choice.size);
            let wings = Wings {
                need: wings.need - each * number as u8,
                taken: wings.taken + cards,
                left: wings.left - cards,
            };
            self.pick_in_group(choice, at, others, each - 1, wings);
        }
    }

    fn wings_open_to(&self, plane: usize, kind: Kind, left: u64, slots_after: usize) -> Choice {
        let run = self.runs[plane];
        let rule = KickerRule::of_known(self.rules, kind, Rank::ALL[usize::from(run.start)], run.length);
        let groups = [Group::default(); MOST_GROUPS];
        let mut choice = Choice { plane, size: rule.size, slots_after, groups, number_of_groups: 0 };
        let (held, limits) = (T::held(left), Held::of(rule.limits.bits()));
        for times in rule.size..=if T::IS_WIDE { 8 } else { 4 } {
            let ranks = if T::IS_WIDE { lanes::held_exactly(left, times) } else { held.exactly(times) };
            // No rank gives more than four wings' cards.
            for most in rule.size..times.min(5) {
                self.split(plane + 1, ranks & limits.exactly(most), most / rule.size, &mut choice);
            }
            if times <= 4 {
                self.split(plane + 1, ranks & limits.at_least(times), times / rule.size, &mut choice);
            }
            if times == 1 {
                let most_ranks = if rule.both_jokers { 2 } else { 1 };
                choice.push(Group { ranks: left & lanes::JOKERS, most_of_one: 1, most_ranks, supply: 0 });
            }
        }
        choice.add_up();
        choice
    }

    /// Splits ranks by what the planes from number `plane` on say of them.
    fn split(&self, plane: usize, ranks: u64, most_of_one: u8, choice: &mut Choice) {
        if plane >= self.planes || ranks == 0 {
            return choice.push(Group { ranks, most_of_one, most_ranks: 13, supply: 0 });
        }
        let body = self.body(plane);
        let beside = if self.rules.lengthening_wings { 0 } else { (body << 4 | body >> 4) & !body };
        for part in [body, beside, !body & !beside] {
            self.split(plane + 1, ranks & part, most_of_one, choice);
        }
    }
}

impl Choice {
    fn push(&mut self, group: Group) {
        if group.ranks != 0 {
            self.groups[self.number_of_groups] = group;
            self.number_of_groups += 1;
        }
    }

    fn add_up(&mut self) {
        let mut supply = 0;
        for group in self.groups[..self.number_of_groups].iter_mut().rev() {
            supply += lanes::number(group.ranks).min(group.most_ranks) * usize::from(group.most_of_one);
            group.supply = supply;
        }
    }
}
