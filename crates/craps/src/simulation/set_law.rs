//! The exact mean and variance of the net and of the rolls of a set of bets.

use super::set::Group;
use super::table::Table;
use crate::dice::Dice;

/// The law of a decision of a set whose bets all fit one table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SetLaw {
    /// Variance of the net, in units squared.
    pub(super) net_variance: f64,
    pub(super) mean_rolls: f64,
    pub(super) rolls_variance: f64,
}

impl SetLaw {
    /// From each state the first two moments of what is still to come: the second follows from the first, since
    /// E[(now + later)^2] = E[now^2] + 2 E[now later] + E[later^2].
    pub(super) fn of(group: &Group) -> Self {
        let table = &group.table;
        let rolls_from = |row: usize| if group.draws && row == table.start_row() { 0.0 } else { 1.0 };
        let worth = |_: usize, cell: usize| group.worth[cell].0 as f64;
        let roll = |row: usize, _: usize| rolls_from(row);
        let [net, net_squared] = moments(table, worth);
        let [rolls, rolls_squared] = moments(table, roll);
        Self {
            net_variance: (net_squared - net * net).max(0.0),
            mean_rolls: rolls,
            rolls_variance: (rolls_squared - rolls * rolls).max(0.0),
        }
    }
}

/// The first two moments of the sum, from the start to the end, of what each roll adds: a function of the row and the cell.
fn moments(table: &Table, now: impl Fn(usize, usize) -> f64) -> [f64; 2] {
    let mean_of = |row: usize, figure: &dyn Fn(f64, usize) -> f64| {
        let figures = table.row(row).map(|(next, cell)| figure(now(row, cell), next));
        figures.sum::<f64>() / Dice::COUNT as f64
    };
    let known = |figure: &dyn Fn(f64, usize) -> f64| -> Vec<f64> {
        (0..table.rows()).map(|row| if table.is_end(row) { 0.0 } else { mean_of(row, figure) }).collect()
    };
    let first = to_come(table, &known(&|now, _| now));
    let second = to_come(table, &known(&|now, next| now * now + 2.0 * now * first[next]));
    [first[table.start_row()], second[table.start_row()]]
}

/// Solves `x = known + Q x` by Gauss-Seidel sweeps against the direction of play.
fn to_come(table: &Table, known: &[f64]) -> Vec<f64> {
    /// Far more than any set needs.
    const SWEEPS: usize = 10_000;
    let mut values = vec![0.0f64; known.len()];
    for _ in 0..SWEEPS {
        let (mut change, mut largest) = (0.0f64, 0.0f64);
        for row in (0..known.len()).rev().filter(|&row| !table.is_end(row)) {
            let (mut stay, mut elsewhere) = (0.0, 0.0);
            for (next, _) in table.row(row) {
                if next == row { stay += 1.0 } else { elsewhere += values[next] }
            }
            let pairs = Dice::COUNT as f64;
            let value = (pairs * known[row] + elsewhere) / (pairs - stay);
            change = change.max((value - values[row]).abs());
            largest = largest.max(value.abs());
            values[row] = value;
        }
        if change <= 1e-14 * largest {
            break;
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::super::set::Set;
    use crate::automaton::Automaton;
    use crate::fraction::{self, Fraction};
    use crate::net::NetDistribution;
    use crate::wager::Wager;
    use crate::{bet::Bet, chain};

    fn set(wagers: &[Wager]) -> (Set, Vec<Automaton>) {
        let automata: Vec<_> = wagers.iter().map(Wager::automaton).collect();
        let nets: Vec<Vec<i64>> = automata
            .iter()
            .map(|automaton| {
                automaton.outcomes().iter().map(|o| fraction::value(&o.net).round() as i64).collect()
            })
            .collect();
        (Set::new(&automata, &nets), automata)
    }

    /// A bet beside itself wins or loses twice as much, after as many rolls.
    #[test]
    fn a_bet_made_twice_has_four_times_its_variance() {
        let come = Wager::new(Bet::COME, "1x".parse().unwrap(), None).unwrap();
        let flat = |id| Wager::flat(Bet::from_id(id).unwrap());
        for wager in [come, flat("pass_line"), flat("hop_hard"), flat("small_30_150"), flat("any_seven")] {
            let (set, automata) = set(&[wager.clone(), wager.clone()]);
            let law = set.law().unwrap();
            let solution = chain::solve(&automata[0]);
            let nets = automata[0]
                .outcomes()
                .iter()
                .map(|o| Fraction::from_float(fraction::value(&o.net).round()).unwrap());
            let variance = NetDistribution::new(nets.zip(solution.probabilities.iter().cloned())).variance();
            for (got, want) in [
                (law.net_variance, 4.0 * fraction::value(&variance)),
                (law.mean_rolls, fraction::value(&solution.expected_rolls)),
                (law.rolls_variance, fraction::value(&solution.rolls_variance)),
            ] {
                assert!((got - want).abs() <= 1e-10 * want.max(1.0), "{:?}: {got} {want}", wager.bet());
            }
        }
    }

    /// Pass and don't pass cancel but for the bar: twelve on the come-out loses one unit.
    #[test]
    fn bets_against_each_other_hardly_vary() {
        let (set, _) = set(&[Wager::flat(Bet::PASS_LINE), Wager::flat(Bet::DONT_PASS)]);
        let law = set.law().unwrap();
        assert!((law.net_variance - 35.0 / 1296.0).abs() < 1e-13, "{law:?}");
        assert!((law.mean_rolls - 557.0 / 165.0).abs() < 1e-12, "{law:?}");
    }
}
