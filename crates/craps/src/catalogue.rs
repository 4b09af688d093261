//! The table of all bets: id, name, group, what it pays in words, and its rule.
//!
//! Names, groups and pay tables follow the usual tables of American casinos, with the variants that differ
//! between casinos as separate bets.

use super::group::Group;
use super::line::{Line, Side};
use super::rule::{Commission, Pay, Rule, buy, lay, pays};

/// One row of the table.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) id: &'static str,
    pub(crate) name: &'static str,
    pub(crate) group: Group,
    pub(crate) pays: &'static str,
    pub(crate) rule: Rule,
}

const fn entry(id: &'static str, name: &'static str, group: Group, pays: &'static str, rule: Rule) -> Entry {
    Entry { id, name, group, pays, rule }
}

const RIGHT: Line = Line { side: Side::Right, barred: None };

const fn wrong(barred: u8) -> Line {
    Line { side: Side::Wrong, barred: Some(barred) }
}

/// The number before a seven.
const fn win(number: u8, win: u16, stake: u16) -> Rule {
    Rule::Number { number, side: Side::Right, pays: pays(win, stake) }
}

/// A seven before the number.
const fn against(number: u8, win: u16, stake: u16) -> Rule {
    Rule::Number { number, side: Side::Wrong, pays: pays(win, stake) }
}

type Totals<const N: usize> = [(u8, Pay); N];

const fn field(two: u16, twelve: u16) -> Totals<7> {
    let even = pays(1, 1);
    [(2, pays(two, 1)), (3, even), (4, even), (9, even), (10, even), (11, even), (12, pays(twelve, 1))]
}
const FIELD_2X_2X: Totals<7> = field(2, 2);
const FIELD_2X_3X: Totals<7> = field(2, 3);
const FIELD_3X_2X: Totals<7> = field(3, 2);
const FIELD_3X_3X: Totals<7> = field(3, 3);

/// Four units at 30 to 1 and 15 to 1, three of which are lost.
const HORN: Totals<4> = [(2, pays(27, 4)), (3, pays(12, 4)), (11, pays(12, 4)), (12, pays(27, 4))];
/// The horn and a unit on any seven, whose 4 to 1 pays for the other four units.
const WORLD: Totals<5> =
    [(2, pays(26, 5)), (3, pays(11, 5)), (7, pays(0, 5)), (11, pays(11, 5)), (12, pays(26, 5))];
/// A unit on any craps at 7 to 1 and a unit on eleven at 15 to 1.
const C_AND_E: Totals<4> = [(2, pays(6, 2)), (3, pays(6, 2)), (11, pays(14, 2)), (12, pays(6, 2))];

/// Five units: one on each of 2, 3, 11 and 12, and one more on `high`.
const fn horn_high(high: u8) -> Totals<4> {
    const fn net(total: u8, single: u16, high: u8) -> (u8, Pay) {
        (total, if total == high { pays(2 * single - 3, 5) } else { pays(single - 4, 5) })
    }
    [net(2, 30, high), net(3, 15, high), net(11, 15, high), net(12, 30, high)]
}

const SMALL: [u8; 5] = [2, 3, 4, 5, 6];
const TALL: [u8; 5] = [8, 9, 10, 11, 12];
const ALL: [u8; 10] = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12];

#[rustfmt::skip]
pub(crate) static CATALOGUE: [Entry; 110] = [
    entry("pass_line", "Pass line", Group::Line, "1 to 1", Rule::Line(RIGHT)),
    entry("come", "Come", Group::Line, "1 to 1", Rule::Line(RIGHT)),
    entry("dont_pass", "Don't pass, bar 12", Group::Line, "1 to 1", Rule::Line(wrong(12))),
    entry("dont_pass_bar2", "Don't pass, bar 2", Group::Line, "1 to 1", Rule::Line(wrong(2))),
    entry("dont_pass_bar3", "Don't pass, bar 3", Group::Line, "1 to 1", Rule::Line(wrong(3))),
    entry("dont_come", "Don't come, bar 12", Group::Line, "1 to 1", Rule::Line(wrong(12))),
    entry("dont_come_bar2", "Don't come, bar 2", Group::Line, "1 to 1", Rule::Line(wrong(2))),
    entry("crapless_pass", "Pass line, crapless craps", Group::Variant, "1 to 1", Rule::Crapless),
    entry("odds_take_4", "Odds behind pass/come, point 4", Group::Odds, "2 to 1", win(4, 2, 1)),
    entry("odds_take_5", "Odds behind pass/come, point 5", Group::Odds, "3 to 2", win(5, 3, 2)),
    entry("odds_take_6", "Odds behind pass/come, point 6", Group::Odds, "6 to 5", win(6, 6, 5)),
    entry("odds_take_8", "Odds behind pass/come, point 8", Group::Odds, "6 to 5", win(8, 6, 5)),
    entry("odds_take_9", "Odds behind pass/come, point 9", Group::Odds, "3 to 2", win(9, 3, 2)),
    entry("odds_take_10", "Odds behind pass/come, point 10", Group::Odds, "2 to 1", win(10, 2, 1)),
    entry("odds_lay_4", "Odds behind don't, point 4", Group::Odds, "1 to 2", against(4, 1, 2)),
    entry("odds_lay_5", "Odds behind don't, point 5", Group::Odds, "2 to 3", against(5, 2, 3)),
    entry("odds_lay_6", "Odds behind don't, point 6", Group::Odds, "5 to 6", against(6, 5, 6)),
    entry("odds_lay_8", "Odds behind don't, point 8", Group::Odds, "5 to 6", against(8, 5, 6)),
    entry("odds_lay_9", "Odds behind don't, point 9", Group::Odds, "2 to 3", against(9, 2, 3)),
    entry("odds_lay_10", "Odds behind don't, point 10", Group::Odds, "1 to 2", against(10, 1, 2)),
    entry("put_4", "Put 4 (line bet made after the come-out, no odds)", Group::Line, "1 to 1", win(4, 1, 1)),
    entry("put_5", "Put 5 (line bet made after the come-out, no odds)", Group::Line, "1 to 1", win(5, 1, 1)),
    entry("put_6", "Put 6 (line bet made after the come-out, no odds)", Group::Line, "1 to 1", win(6, 1, 1)),
    entry("put_8", "Put 8 (line bet made after the come-out, no odds)", Group::Line, "1 to 1", win(8, 1, 1)),
    entry("put_9", "Put 9 (line bet made after the come-out, no odds)", Group::Line, "1 to 1", win(9, 1, 1)),
    entry("put_10", "Put 10 (line bet made after the come-out, no odds)", Group::Line, "1 to 1", win(10, 1, 1)),
    entry("place_4", "Place 4 to win", Group::Place, "9 to 5", win(4, 9, 5)),
    entry("place_5", "Place 5 to win", Group::Place, "7 to 5", win(5, 7, 5)),
    entry("place_6", "Place 6 to win", Group::Place, "7 to 6", win(6, 7, 6)),
    entry("place_8", "Place 8 to win", Group::Place, "7 to 6", win(8, 7, 6)),
    entry("place_9", "Place 9 to win", Group::Place, "7 to 5", win(9, 7, 5)),
    entry("place_10", "Place 10 to win", Group::Place, "9 to 5", win(10, 9, 5)),
    entry("place_lose_4", "Place 4 to lose", Group::Place, "5 to 11", against(4, 5, 11)),
    entry("place_lose_5", "Place 5 to lose", Group::Place, "5 to 8", against(5, 5, 8)),
    entry("place_lose_6", "Place 6 to lose", Group::Place, "4 to 5", against(6, 4, 5)),
    entry("place_lose_8", "Place 8 to lose", Group::Place, "4 to 5", against(8, 4, 5)),
    entry("place_lose_9", "Place 9 to lose", Group::Place, "5 to 8", against(9, 5, 8)),
    entry("place_lose_10", "Place 10 to lose", Group::Place, "5 to 11", against(10, 5, 11)),
    entry("buy_4_upfront", "Buy 4, 5% commission up front", Group::Buy, "13 to 7 on bet + commission", buy(4, Commission::UpFront)),
    entry("buy_4_on_win", "Buy 4, 5% commission on win only", Group::Buy, "39 to 20", buy(4, Commission::OnWin)),
    entry("buy_5_upfront", "Buy 5, 5% commission up front", Group::Buy, "29 to 21 on bet + commission", buy(5, Commission::UpFront)),
    entry("buy_5_on_win", "Buy 5, 5% commission on win only", Group::Buy, "29 to 20", buy(5, Commission::OnWin)),
    entry("buy_6_upfront", "Buy 6, 5% commission up front", Group::Buy, "23 to 21 on bet + commission", buy(6, Commission::UpFront)),
    entry("buy_6_on_win", "Buy 6, 5% commission on win only", Group::Buy, "23 to 20", buy(6, Commission::OnWin)),
    entry("buy_8_upfront", "Buy 8, 5% commission up front", Group::Buy, "23 to 21 on bet + commission", buy(8, Commission::UpFront)),
    entry("buy_8_on_win", "Buy 8, 5% commission on win only", Group::Buy, "23 to 20", buy(8, Commission::OnWin)),
    entry("buy_9_upfront", "Buy 9, 5% commission up front", Group::Buy, "29 to 21 on bet + commission", buy(9, Commission::UpFront)),
    entry("buy_9_on_win", "Buy 9, 5% commission on win only", Group::Buy, "29 to 20", buy(9, Commission::OnWin)),
    entry("buy_10_upfront", "Buy 10, 5% commission up front", Group::Buy, "13 to 7 on bet + commission", buy(10, Commission::UpFront)),
    entry("buy_10_on_win", "Buy 10, 5% commission on win only", Group::Buy, "39 to 20", buy(10, Commission::OnWin)),
    entry("lay_4_upfront", "Lay 4, 5% commission up front", Group::Lay, "19 to 41 on bet + commission", lay(4, Commission::UpFront)),
    entry("lay_4_on_win", "Lay 4, 5% commission on win only", Group::Lay, "19 to 40", lay(4, Commission::OnWin)),
    entry("lay_5_upfront", "Lay 5, 5% commission up front", Group::Lay, "19 to 31 on bet + commission", lay(5, Commission::UpFront)),
    entry("lay_5_on_win", "Lay 5, 5% commission on win only", Group::Lay, "19 to 30", lay(5, Commission::OnWin)),
    entry("lay_6_upfront", "Lay 6, 5% commission up front", Group::Lay, "19 to 25 on bet + commission", lay(6, Commission::UpFront)),
    entry("lay_6_on_win", "Lay 6, 5% commission on win only", Group::Lay, "19 to 24", lay(6, Commission::OnWin)),
    entry("lay_8_upfront", "Lay 8, 5% commission up front", Group::Lay, "19 to 25 on bet + commission", lay(8, Commission::UpFront)),
    entry("lay_8_on_win", "Lay 8, 5% commission on win only", Group::Lay, "19 to 24", lay(8, Commission::OnWin)),
    entry("lay_9_upfront", "Lay 9, 5% commission up front", Group::Lay, "19 to 31 on bet + commission", lay(9, Commission::UpFront)),
    entry("lay_9_on_win", "Lay 9, 5% commission on win only", Group::Lay, "19 to 30", lay(9, Commission::OnWin)),
    entry("lay_10_upfront", "Lay 10, 5% commission up front", Group::Lay, "19 to 41 on bet + commission", lay(10, Commission::UpFront)),
    entry("lay_10_on_win", "Lay 10, 5% commission on win only", Group::Lay, "19 to 40", lay(10, Commission::OnWin)),
    entry("field_2x_2x", "Field, 2 and 12 pay double", Group::Field, "1 to 1; 2 and 12: 2 to 1", Rule::Totals(&FIELD_2X_2X)),
    entry("field_2x_3x", "Field, 2 pays double, 12 triple", Group::Field, "1 to 1; 2: 2 to 1; 12: 3 to 1", Rule::Totals(&FIELD_2X_3X)),
    entry("field_3x_2x", "Field, 2 pays triple, 12 double", Group::Field, "1 to 1; 2: 3 to 1; 12: 2 to 1", Rule::Totals(&FIELD_3X_2X)),
    entry("field_3x_3x", "Field, 2 and 12 pay triple", Group::Field, "1 to 1; 2 and 12: 3 to 1", Rule::Totals(&FIELD_3X_3X)),
    entry("big_6", "Big 6", Group::Big, "1 to 1", win(6, 1, 1)),
    entry("big_8", "Big 8", Group::Big, "1 to 1", win(8, 1, 1)),
    entry("hard_4", "Hard 4", Group::Hardway, "7 to 1", Rule::Hardway { number: 4, pays: pays(7, 1) }),
    entry("hard_6", "Hard 6", Group::Hardway, "9 to 1", Rule::Hardway { number: 6, pays: pays(9, 1) }),
    entry("hard_8", "Hard 8", Group::Hardway, "9 to 1", Rule::Hardway { number: 8, pays: pays(9, 1) }),
    entry("hard_10", "Hard 10", Group::Hardway, "7 to 1", Rule::Hardway { number: 10, pays: pays(7, 1) }),
    entry("any_seven", "Any seven (big red)", Group::Prop, "4 to 1", Rule::Totals(&[(7, pays(4, 1))])),
    entry("any_craps", "Any craps", Group::Prop, "7 to 1", Rule::Totals(&[(2, pays(7, 1)), (3, pays(7, 1)), (12, pays(7, 1))])),
    entry("aces_2", "Craps 2 (aces)", Group::Prop, "30 to 1", Rule::Totals(&[(2, pays(30, 1))])),
    entry("ace_deuce_3", "Craps 3 (ace-deuce)", Group::Prop, "15 to 1", Rule::Totals(&[(3, pays(15, 1))])),
    entry("yo_11", "Yo (11)", Group::Prop, "15 to 1", Rule::Totals(&[(11, pays(15, 1))])),
    entry("boxcars_12", "Craps 12 (boxcars)", Group::Prop, "30 to 1", Rule::Totals(&[(12, pays(30, 1))])),
    entry("aces_2_30for1", "Craps 2, 30 FOR 1", Group::PropForOne, "29 to 1", Rule::Totals(&[(2, pays(29, 1))])),
    entry("yo_11_15for1", "Yo, 15 FOR 1", Group::PropForOne, "14 to 1", Rule::Totals(&[(11, pays(14, 1))])),
    entry("any_seven_4for1", "Any seven, 4 FOR 1", Group::PropForOne, "3 to 1", Rule::Totals(&[(7, pays(3, 1))])),
    entry("any_craps_7for1", "Any craps, 7 FOR 1", Group::PropForOne, "6 to 1", Rule::Totals(&[(2, pays(6, 1)), (3, pays(6, 1)), (12, pays(6, 1))])),
    entry("horn", "Horn (1 unit split evenly on 2, 3, 11, 12)", Group::Prop, "2/12: 27 to 4; 3/11: 3 to 1", Rule::Totals(&HORN)),
    entry("horn_high_2", "Horn high 2 (5 units, 2 on the 2)", Group::Prop, "see outcomes", Rule::Totals(&horn_high(2))),
    entry("horn_high_3", "Horn high 3 (5 units, 2 on the 3)", Group::Prop, "see outcomes", Rule::Totals(&horn_high(3))),
    entry("horn_high_11", "Horn high 11 (5 units, 2 on the 11)", Group::Prop, "see outcomes", Rule::Totals(&horn_high(11))),
    entry("horn_high_12", "Horn high 12 (5 units, 2 on the 12)", Group::Prop, "see outcomes", Rule::Totals(&horn_high(12))),
    entry("world", "World / whirl (horn + any seven, 5 parts)", Group::Prop, "2/12: 26 to 5; 3/11: 11 to 5; 7: push", Rule::Totals(&WORLD)),
    entry("c_and_e", "C & E (half any craps, half eleven)", Group::Prop, "2/3/12: 3 to 1; 11: 7 to 1", Rule::Totals(&C_AND_E)),
    entry("hop_easy", "Hop, easy (e.g. 3-4)", Group::Hop, "15 to 1", Rule::Hop { faces: [3, 4], pays: pays(15, 1) }),
    entry("hop_hard", "Hop, hard (e.g. 3-3)", Group::Hop, "30 to 1", Rule::Hop { faces: [3, 3], pays: pays(30, 1) }),
    entry("hop_easy_15for1", "Hop, easy, 15 FOR 1", Group::Hop, "14 to 1", Rule::Hop { faces: [3, 4], pays: pays(14, 1) }),
    entry("hop_hard_30for1", "Hop, hard, 30 FOR 1", Group::Hop, "29 to 1", Rule::Hop { faces: [3, 3], pays: pays(29, 1) }),
    entry("small_30_150", "Small (2-6 before a 7), 30 to 1", Group::Bonus, "30 to 1", Rule::Collect { numbers: &SMALL, pays: pays(30, 1) }),
    entry("tall_30_150", "Tall (8-12 before a 7), 30 to 1", Group::Bonus, "30 to 1", Rule::Collect { numbers: &TALL, pays: pays(30, 1) }),
    entry("all_30_150", "All (2-6 and 8-12 before a 7), 150 to 1", Group::Bonus, "150 to 1", Rule::Collect { numbers: &ALL, pays: pays(150, 1) }),
    entry("small_34_175", "Small (2-6 before a 7), 34 to 1", Group::Bonus, "34 to 1", Rule::Collect { numbers: &SMALL, pays: pays(34, 1) }),
    entry("tall_34_175", "Tall (8-12 before a 7), 34 to 1", Group::Bonus, "34 to 1", Rule::Collect { numbers: &TALL, pays: pays(34, 1) }),
    entry("all_34_175", "All (2-6 and 8-12 before a 7), 175 to 1", Group::Bonus, "175 to 1", Rule::Collect { numbers: &ALL, pays: pays(175, 1) }),
    entry("small_34_174", "Small (2-6 before a 7), 34 to 1", Group::Bonus, "34 to 1", Rule::Collect { numbers: &SMALL, pays: pays(34, 1) }),
    entry("tall_34_174", "Tall (8-12 before a 7), 34 to 1", Group::Bonus, "34 to 1", Rule::Collect { numbers: &TALL, pays: pays(34, 1) }),
    entry("all_34_174", "All (2-6 and 8-12 before a 7), 174 to 1", Group::Bonus, "174 to 1", Rule::Collect { numbers: &ALL, pays: pays(174, 1) }),
    entry("small_29_149", "Small (2-6 before a 7), 29 to 1", Group::Bonus, "29 to 1", Rule::Collect { numbers: &SMALL, pays: pays(29, 1) }),
    entry("tall_29_149", "Tall (8-12 before a 7), 29 to 1", Group::Bonus, "29 to 1", Rule::Collect { numbers: &TALL, pays: pays(29, 1) }),
    entry("all_29_149", "All (2-6 and 8-12 before a 7), 149 to 1", Group::Bonus, "149 to 1", Rule::Collect { numbers: &ALL, pays: pays(149, 1) }),
    entry("fire_24_249_999", "Fire bet, 24/249/999 to 1 for 4/5/6 points", Group::Fire, "4 points: 24 to 1; 5 points: 249 to 1; 6 points: 999 to 1", Rule::Fire { pays: [0, 0, 0, 0, 24, 249, 999] }),
    entry("fire_25_250_1000", "Fire bet, 25/250/1000 to 1 for 4/5/6 points", Group::Fire, "4 points: 25 to 1; 5 points: 250 to 1; 6 points: 1000 to 1", Rule::Fire { pays: [0, 0, 0, 0, 25, 250, 1000] }),
    entry("fire_10_200_2000", "Fire bet, 10/200/2000 to 1 for 4/5/6 points", Group::Fire, "4 points: 10 to 1; 5 points: 200 to 1; 6 points: 2000 to 1", Rule::Fire { pays: [0, 0, 0, 0, 10, 200, 2000] }),
    entry("fire_9_199_1999", "Fire bet, 9/199/1999 to 1 for 4/5/6 points", Group::Fire, "4 points: 9 to 1; 5 points: 199 to 1; 6 points: 1999 to 1", Rule::Fire { pays: [0, 0, 0, 0, 9, 199, 1999] }),
    entry("fire_5_25_200_500", "Fire bet, 5/25/200/500 to 1 for 3/4/5/6 points", Group::Fire, "3 points: 5 to 1; 4 points: 25 to 1; 5 points: 200 to 1; 6 points: 500 to 1", Rule::Fire { pays: [0, 0, 0, 5, 25, 200, 500] }),];
