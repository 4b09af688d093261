//! Every bet's automaton against a judge at the table, who knows the bets by their names and what they pay in words.

use kibitz::craps::automaton::{Automaton, Step};
use kibitz::craps::bet::Bet;
use kibitz::craps::dice::Dice;
use kibitz::craps::fraction::Fraction;
use kibitz::craps::group::Group;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::fuzz::{fuzz, seeds};

/// What a bet comes to: the rolls it lay on the table, and its net for a unit staked.
type Course = (usize, Fraction);

fn fraction(numerator: i64, denominator: i64) -> Fraction {
    Fraction::new(numerator.into(), denominator.into())
}

const POINTS: [u8; 6] = [4, 5, 6, 8, 9, 10];

/// The first odds named in words: `9 to 5`, `13 to 7 on bet + commission`.
fn odds(words: &str) -> Fraction {
    let words: Vec<&str> = words.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let at = words.iter().position(|&word| word == "to").unwrap();
    fraction(words[at - 1].parse().unwrap(), words[at + 1].parse().unwrap())
}

/// The numbers in an id: `place_lose_4` has 4, `fire_24_249_999` has three.
fn numbers(id: &str) -> Vec<u8> {
    id.split('_').filter_map(|part| part.parse().ok()).collect()
}

fn win(pays: &Fraction) -> Option<Fraction> {
    Some(pays.clone())
}

fn lost() -> Option<Fraction> {
    Some(fraction(-1, 1))
}

/// Asks after each roll whether the bet is settled, and with what net.
fn lie(rolls: &[[u8; 2]], mut settled: impl FnMut([u8; 2], u8) -> Option<Fraction>) -> Option<Course> {
    rolls.iter().enumerate().find_map(|(at, &dice)| settled(dice, dice[0] + dice[1]).map(|net| (at + 1, net)))
}

fn number_before_seven(rolls: &[[u8; 2]], number: u8, pays: &Fraction) -> Option<Course> {
    lie(rolls, |_, total| match total {
        7 => lost(),
        total if total == number => win(pays),
        _ => None,
    })
}

fn seven_before_number(rolls: &[[u8; 2]], number: u8, pays: &Fraction) -> Option<Course> {
    lie(rolls, |_, total| match total {
        7 => win(pays),
        total if total == number => lost(),
        _ => None,
    })
}

fn line(rolls: &[[u8; 2]], id: &str) -> Option<Course> {
    let even = fraction(1, 1);
    let wrong = id.starts_with("dont");
    let barred = id.split_once("bar").map_or(12, |(_, number)| number.parse().unwrap());
    let mut point = None;
    lie(rolls, |_, total| {
        let shooter_wins = match (point, total) {
            (None, 2 | 3 | 12) if wrong && total == barred => return Some(fraction(0, 1)),
            (None, 7 | 11) => true,
            (None, 2 | 3 | 12) | (Some(_), 7) => false,
            (None, _) => {
                point = Some(total);
                return None;
            }
            (Some(point), total) if point == total => true,
            _ => return None,
        };
        if shooter_wins == wrong { lost() } else { win(&even) }
    })
}

fn crapless(rolls: &[[u8; 2]]) -> Option<Course> {
    let first = rolls.first()?;
    if first[0] + first[1] == 7 {
        return Some((1, fraction(1, 1)));
    }
    let (more, net) = number_before_seven(&rolls[1..], first[0] + first[1], &fraction(1, 1))?;
    Some((more + 1, net))
}

/// Units on single totals, each paid to one and the others lost.
fn several(rolls: &[[u8; 2]], units: &[(&[u8], i64, i64)]) -> Option<Course> {
    let staked: i64 = units.iter().map(|(_, units, _)| units).sum();
    lie(rolls, |_, total| {
        let returned: i64 = units
            .iter()
            .filter(|(totals, ..)| totals.contains(&total))
            .map(|(_, units, pays)| units * (pays + 1))
            .sum();
        Some(fraction(returned - staked, staked))
    })
}

fn one_roll(rolls: &[[u8; 2]], totals: &[u8], pays: &Fraction) -> Option<Course> {
    lie(rolls, |_, total| if totals.contains(&total) { win(pays) } else { lost() })
}

fn proposition(rolls: &[[u8; 2]], id: &str, pays: &str) -> Option<Course> {
    let horn = |high: u8| [2, 3, 11, 12].map(|total| (total, if total == high { 2 } else { 1 }));
    let of_horn = |high, more: &[(&[u8], i64, i64)]| {
        let singles = horn(high)
            .map(|(total, units)| ([total], units, if total == 3 || total == 11 { 15 } else { 30 }));
        let singles = singles.iter().map(|(total, units, pays)| (&total[..], *units, *pays));
        several(rolls, &singles.chain(more.iter().copied()).collect::<Vec<_>>())
    };
    match id {
        "horn" => of_horn(0, &[]),
        "world" => of_horn(0, &[(&[7], 1, 4)]),
        "c_and_e" => several(rolls, &[(&[2, 3, 12], 1, 7), (&[11], 1, 15)]),
        id if id.starts_with("horn_high") => of_horn(numbers(id)[0], &[]),
        id if id.starts_with("any_seven") => one_roll(rolls, &[7], &odds(pays)),
        id if id.starts_with("any_craps") => one_roll(rolls, &[2, 3, 12], &odds(pays)),
        id => one_roll(rolls, &numbers(id)[..1], &odds(pays)),
    }
}

fn field(rolls: &[[u8; 2]], id: &str) -> Option<Course> {
    let times: Vec<i64> = id.split('_').filter_map(|part| part.strip_suffix('x')?.parse().ok()).collect();
    lie(rolls, |_, total| {
        Some(fraction(
            match total {
                2 => times[0],
                12 => times[1],
                3 | 4 | 9 | 10 | 11 => 1,
                _ => -1,
            },
            1,
        ))
    })
}

fn hardway(rolls: &[[u8; 2]], number: u8, pays: &Fraction) -> Option<Course> {
    lie(rolls, |[first, second], total| match total {
        7 => lost(),
        total if total == number => {
            if first == second {
                win(pays)
            } else {
                lost()
            }
        }
        _ => None,
    })
}

fn hop(rolls: &[[u8; 2]], id: &str, pays: &Fraction) -> Option<Course> {
    lie(rolls, |mut dice, _| {
        dice.sort_unstable();
        let named = if id.contains("hard") { [3, 3] } else { [3, 4] };
        if dice == named { win(pays) } else { lost() }
    })
}

fn bonus(rolls: &[[u8; 2]], id: &str, pays: &Fraction) -> Option<Course> {
    let mut missing: Vec<u8> = match id.split_once('_').unwrap().0 {
        "small" => (2..=6).collect(),
        "tall" => (8..=12).collect(),
        _ => (2..=6).chain(8..=12).collect(),
    };
    lie(rolls, |_, total| {
        missing.retain(|&number| number != total);
        if total == 7 {
            lost()
        } else if missing.is_empty() {
            win(pays)
        } else {
            None
        }
    })
}

fn fire(rolls: &[[u8; 2]], pays: &str) -> Option<Course> {
    let pays_for = |points: usize| {
        let row = pays.split("; ").find(|row| row.starts_with(&format!("{points} points")));
        row.map_or(fraction(-1, 1), odds)
    };
    let (mut made, mut point) = (Vec::new(), None);
    lie(rolls, |_, total| match point {
        None => {
            point = POINTS.contains(&total).then_some(total);
            None
        }
        Some(_) if total == 7 => Some(pays_for(made.len())),
        Some(number) if number == total => {
            point = None;
            if !made.contains(&number) {
                made.push(number);
            }
            (made.len() == 6).then(|| pays_for(6))
        }
        Some(_) => None,
    })
}

/// How a bet fares on these rolls; `None` where they do not settle it.
fn judge(bet: Bet, rolls: &[[u8; 2]]) -> Option<Course> {
    let (id, pays) = (bet.id(), bet.pays());
    let number = || numbers(id)[0];
    match bet.group() {
        Group::Line if id.starts_with("put") => number_before_seven(rolls, number(), &odds(pays)),
        Group::Line => line(rolls, id),
        Group::Variant => crapless(rolls),
        Group::Odds if id.contains("lay") => seven_before_number(rolls, number(), &odds(pays)),
        Group::Place if id.contains("lose") => seven_before_number(rolls, number(), &odds(pays)),
        Group::Lay => seven_before_number(rolls, number(), &odds(pays)),
        Group::Odds | Group::Place | Group::Buy | Group::Big => {
            number_before_seven(rolls, number(), &odds(pays))
        }
        Group::Field => field(rolls, id),
        Group::Hardway => hardway(rolls, number(), &odds(pays)),
        Group::Prop | Group::PropForOne => proposition(rolls, id, pays),
        Group::Hop => hop(rolls, id, &odds(pays)),
        Group::Bonus => bonus(rolls, id, &odds(pays)),
        Group::Fire => fire(rolls, pays),
    }
}

/// How a bet's automaton fares, from one of its starts.
fn follow(automaton: &Automaton, start: usize, rolls: &[[u8; 2]]) -> Option<Course> {
    let mut state = automaton.starts()[start].0;
    for (at, &faces) in rolls.iter().enumerate() {
        match automaton.states()[state][Dice::new(faces).unwrap().index()] {
            Step::Go(next) => state = next,
            Step::Settle(outcome) => return Some((at + 1, automaton.outcomes()[outcome].net.clone())),
        }
    }
    None
}

fn throw(rolls: usize, random: &mut ChaCha8Rng) -> Vec<[u8; 2]> {
    // Loaded dice for a part: sevens seldom come, so that the long bets get far.
    let shy = random.random_bool(0.5);
    std::iter::repeat_with(|| [random.random_range(1..=6), random.random_range(1..=6)])
        .filter(|dice: &[u8; 2]| !shy || dice[0] + dice[1] != 7 || dice[0] == 1)
        .take(rolls)
        .collect()
}

#[test]
fn fuzz_every_bet_as_the_table_plays_it() {
    let bets: Vec<_> = Bet::all().map(|bet| (bet, bet.automaton())).collect();
    fuzz(64, &seeds(), |seed| {
        let rolls = throw(60, &mut ChaCha8Rng::seed_from_u64(seed));
        for (bet, automaton) in &bets {
            assert_eq!(automaton.starts().len(), 1);
            assert_eq!(follow(automaton, 0, &rolls), judge(*bet, &rolls), "{} on {rolls:?}", bet.id());
        }
    });
}

/// Place, buy and hardway bets made once the puck is set, and off while it is off.
#[test]
fn fuzz_bets_that_are_off_on_the_come_out() {
    let groups = [Group::Place, Group::Buy, Group::Lay, Group::Hardway];
    let bets: Vec<_> = Bet::all()
        .filter(|bet| groups.contains(&bet.group()))
        .map(|bet| (bet, bet.automaton().off_on_come_outs()))
        .collect();
    fuzz(64, &seeds(), |seed| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let rolls = throw(60, &mut random);
        let start = random.random_range(0..POINTS.len());
        // What the bet sees: its own rolls only, each with its place among all.
        let mut puck = Some(POINTS[start]);
        let (mut seen, mut places) = (Vec::new(), Vec::new());
        for (at, &dice) in rolls.iter().enumerate() {
            let total = dice[0] + dice[1];
            match puck {
                Some(point) => {
                    seen.push(dice);
                    places.push(at + 1);
                    if total == 7 || total == point {
                        puck = None;
                    }
                }
                None => puck = POINTS.contains(&total).then_some(total),
            }
        }
        for (bet, automaton) in &bets {
            let expected = judge(*bet, &seen).map(|(rolls, net)| (places[rolls - 1], net));
            assert_eq!(follow(automaton, start, &rolls), expected, "{} from {start} on {rolls:?}", bet.id());
        }
    });
}
