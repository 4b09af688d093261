//! Bets as data: states and rules, or a collection of rolls, written by a caller.
//!
//! A definition becomes an [`Automaton`] like any bet of the table, so everything that is computed of a bet is computed of it.

mod fault;
mod pattern;

use super::automaton::{Automaton, Outcome, Settlement, Step};
use super::dice::Dice;
use super::fraction::{self, Fraction};

pub use fault::{DefinitionFault, PayoffFault};
pub use pattern::Pattern;

/// The most states that a definition may list.
pub const MOST_STATES: usize = 64;
/// The most states that a collection may come to.
pub const MOST_COLLECTED_STATES: u64 = 4_096;
/// The most ways in which a bet may end.
pub const MOST_OUTCOMES: usize = 64;
/// Numerators and denominators of payoffs are below this.
pub const PAYOFF_LIMIT: u32 = 1_000_000;

/// A bet that a caller defines.
///
/// ```
/// use kibitz_craps::definition::{BetDefinition, Collection, DefinedBet, Pattern, Payoff};
/// use kibitz_craps::fraction::{parse, text};
///
/// // Four numbers before a seven, for 70 to 1.
/// let flaming_four = BetDefinition::Collect(Collection {
///     items: [2, 3, 11, 12].map(|total| (Pattern::Total(total), 1)).to_vec(),
///     until: vec![Pattern::Total(7)],
///     pays: vec![(4, Payoff::new(parse("70").unwrap()).unwrap())],
/// });
/// let bet = DefinedBet::new(None, flaming_four).unwrap();
/// assert_eq!(text(&bet.value().house_edge.per_bet_made), "857/4620");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BetDefinition {
    /// States, the place of the first one, and what each roll does.
    States {
        /// The states in the order of the definition.
        states: Vec<State>,
        /// The index of the state in which the bet begins.
        start: usize,
    },
    /// Rolls to collect.
    Collect(Collection),
}

/// A state of a bet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Its name, by which rules lead to it.
    pub name: String,
    /// Its rules. The first that matches a roll counts; a roll that none matches leaves the state as it is.
    pub rules: Vec<Rule>,
}

/// What some rolls do to a bet in a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The rolls.
    pub on: Vec<Pattern>,
    /// What they do.
    pub then: Then,
}

/// What a roll does to a bet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Then {
    /// It takes the bet to the state of this name.
    Go(String),
    /// It settles the bet.
    Settle {
        /// What the player gains for each unit of the stake.
        pays: Payoff,
        /// Whether a payoff of nothing is a push: the bet was not decided.
        is_push: bool,
        /// The name of the outcome. If it is absent: `win`, `push`, `break_even` or `lose`.
        label: Option<String>,
    },
}

/// Rolls to collect before others, paid by how many items were completed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collection {
    /// What is collected, and how often each must be rolled.
    pub items: Vec<(Pattern, u8)>,
    /// The rolls that end the bet.
    pub until: Vec<Pattern>,
    /// The payoffs by the number of completed items; every other number loses the stake.
    pub pays: Vec<(usize, Payoff)>,
}

/// The gain for each unit of the stake: at least -1, in numbers below [`PAYOFF_LIMIT`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payoff(Fraction);

impl Payoff {
    /// Checks a payoff.
    ///
    /// # Errors
    /// A loss above the stake, and numbers that are too large.
    pub fn new(gain: Fraction) -> Result<Self, PayoffFault> {
        let limit = PAYOFF_LIMIT.into();
        if gain < -fraction::one() {
            Err(PayoffFault::AboveStake)
        } else if gain.numer() >= &limit || gain.denom() >= &limit {
            Err(PayoffFault::TooLarge)
        } else {
            Ok(Self(gain))
        }
    }
}

/// A bet that a caller defined, ready to be solved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinedBet {
    name: Option<String>,
    definition: BetDefinition,
    automaton: Automaton,
}

impl DefinedBet {
    /// Checks a definition.
    ///
    /// # Errors
    /// Every fault.
    pub fn new(name: Option<String>, definition: BetDefinition) -> Result<Self, Vec<DefinitionFault>> {
        let automaton = match &definition {
            BetDefinition::States { states, start } => of_states(states, *start)?,
            BetDefinition::Collect(collection) => of_collection(collection)?,
        };
        if automaton.outcomes().len() > MOST_OUTCOMES {
            return Err(vec![DefinitionFault::TooManyOutcomes { found: automaton.outcomes().len() }]);
        }
        let outcomes = automaton.outcomes();
        let ends_in = |settlement| {
            let steps = &mut automaton.states().iter().flatten();
            steps.any(
                |step| matches!(step, Step::Settle(outcome) if outcomes[*outcome].settlement == settlement),
            )
        };
        let (can_win, can_lose) = (ends_in(Settlement::Win), ends_in(Settlement::Lose));
        if matches!(definition, BetDefinition::Collect(_)) && !never_settling(automaton.states()).is_empty() {
            return Err(vec![DefinitionFault::NeverSettles { state: None }]);
        }
        if !(can_win && can_lose) {
            return Err(vec![DefinitionFault::OneSided { can_win }]);
        }
        Ok(Self { name, definition, automaton })
    }

    /// The name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The definition.
    pub const fn definition(&self) -> &BetDefinition {
        &self.definition
    }

    /// The bet's whole course.
    pub const fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// Solves the bet.
    pub fn value(&self) -> super::value::BetValue {
        super::value::BetValue::of_automaton(&self.automaton)
    }
}

/// The outcomes of a bet, each once.
#[derive(Default)]
struct Outcomes(Vec<Outcome>);

impl Outcomes {
    fn index_of(&mut self, pays: &Payoff, is_push: bool, label: Option<&str>) -> usize {
        let (settlement, usual) = match pays.0.cmp(&fraction::zero()) {
            std::cmp::Ordering::Greater => (Settlement::Win, "win"),
            std::cmp::Ordering::Equal if is_push => (Settlement::Push, "push"),
            std::cmp::Ordering::Equal => (Settlement::BreakEven, "break_even"),
            std::cmp::Ordering::Less => (Settlement::Lose, "lose"),
        };
        let outcome = Outcome { label: label.unwrap_or(usual).to_owned(), settlement, net: pays.0.clone() };
        self.0.iter().position(|known| *known == outcome).unwrap_or_else(|| {
            self.0.push(outcome);
            self.0.len() - 1
        })
    }
}

fn of_states(states: &[State], start: usize) -> Result<Automaton, Vec<DefinitionFault>> {
    let (mut faults, mut outcomes, mut table) = (Vec::new(), Outcomes::default(), Vec::new());
    for (number, state) in states.iter().enumerate() {
        let mut steps = [None; Dice::COUNT];
        for (index, rule) in state.rules.iter().enumerate() {
            let step = match &rule.then {
                Then::Go(name) => match states.iter().position(|state| state.name == *name) {
                    Some(next) => Step::Go(next),
                    None => {
                        faults.push(DefinitionFault::UnknownState {
                            state: number,
                            rule: index,
                            name: name.clone(),
                        });
                        continue;
                    }
                },
                Then::Settle { pays, is_push, label } => {
                    Step::Settle(outcomes.index_of(pays, *is_push, label.as_deref()))
                }
            };
            let matched: Vec<_> = Dice::ALL
                .iter()
                .filter(|dice| rule.on.iter().any(|pattern| pattern.matches(**dice)))
                .collect();
            // `hard 5` means no roll at all, which is harmless; a rule behind others that take all its rolls is a mistake.
            if !matched.is_empty() && matched.iter().all(|dice| steps[dice.index()].is_some()) {
                faults.push(DefinitionFault::NeverMatches { state: number, rule: index });
            }
            for dice in matched {
                steps[dice.index()].get_or_insert(step);
            }
        }
        table.push(steps.map(|step| step.unwrap_or(Step::Go(number))));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let reached = reached_from(&table, start);
    if let Some(&state) = never_settling(&table).iter().find(|state| reached[**state]) {
        return Err(vec![DefinitionFault::NeverSettles { state: Some(states[state].name.clone()) }]);
    }
    // States are explored from the start, so that those that cannot be reached are left out.
    Ok(Automaton::explore(outcomes.0, start, |&state, dice| table[state][dice.index()]))
}

fn of_collection(collection: &Collection) -> Result<Automaton, Vec<DefinitionFault>> {
    let Collection { items, until, pays } = collection;
    let states = items.iter().fold(1u64, |states, (_, times)| states.saturating_mul(u64::from(*times) + 1));
    if states > MOST_COLLECTED_STATES {
        return Err(vec![DefinitionFault::TooManyStates { found: states }]);
    }
    let mut outcomes = Outcomes::default();
    let lost = Payoff(-fraction::one());
    // By the number of completed items.
    let ends: Vec<usize> = (0..=items.len())
        .map(|completed| {
            let pays = pays.iter().find(|(number, _)| *number == completed).map_or(&lost, |(_, pays)| pays);
            outcomes.index_of(pays, false, Some(&completed.to_string()))
        })
        .collect();
    let completed = |left: &[u8]| left.iter().filter(|&&left| left == 0).count();
    let start: Vec<u8> = items.iter().map(|(_, times)| *times).collect();
    let automaton = Automaton::explore(outcomes.0, start, |left: &Vec<u8>, dice| {
        if until.iter().any(|pattern| pattern.matches(dice)) {
            return Step::Settle(ends[completed(left)]);
        }
        let rolled =
            |(left, (pattern, _)): (&u8, &(Pattern, u8))| left.saturating_sub(pattern.matches(dice).into());
        let left: Vec<u8> = left.iter().zip(items).map(rolled).collect();
        if completed(&left) == items.len() { Step::Settle(ends[items.len()]) } else { Step::Go(left) }
    });
    Ok(automaton)
}

/// Which states a bet can come to.
fn reached_from(states: &[[Step<usize>; Dice::COUNT]], start: usize) -> Vec<bool> {
    let (mut reached, mut open) = (vec![false; states.len()], vec![start]);
    while let Some(state) = open.pop() {
        if !std::mem::replace(&mut reached[state], true) {
            open.extend(states[state].iter().filter_map(|step| match step {
                Step::Go(next) => Some(*next),
                Step::Settle(_) => None,
            }));
        }
    }
    reached
}

/// The states, in ascending order, from which no roll ever settles the bet.
fn never_settling(states: &[[Step<usize>; Dice::COUNT]]) -> Vec<usize> {
    let mut settles: Vec<bool> =
        states.iter().map(|steps| steps.iter().any(|step| matches!(step, Step::Settle(_)))).collect();
    loop {
        let found: Vec<usize> = (0..states.len())
            .filter(|&state| !settles[state])
            .filter(|&state| {
                states[state].iter().any(|step| matches!(step, Step::Go(next) if settles[*next]))
            })
            .collect();
        if found.is_empty() {
            break;
        }
        found.into_iter().for_each(|state| settles[state] = true);
    }
    (0..states.len()).filter(|&state| !settles[state]).collect()
}
