//! Positions that public solvers get wrong, and errors that must name everything at fault.

use std::sync::LazyLock;

use kibitz::chinese::InChinese;
use kibitz::yahtzee::{
    Action, Advice, ByCategory, Category, Dice, GameTable, ImpossibleAction, Keep, Objective, Position,
    Rules, Scorecard,
};

static OFFICIAL: LazyLock<GameTable> = LazyLock::new(|| GameTable::build_blocking(&Rules::OFFICIAL));
static PLAIN: LazyLock<GameTable> = LazyLock::new(|| GameTable::build_blocking(&Rules::PLAIN));

/// A card with these open boxes; the upper boxes hold `upper`, the Yahtzee box `yahtzee`.
fn card(rules: &Rules, open: &[Category], upper: [i64; 6], yahtzee: i64) -> Scorecard {
    let points = ByCategory::of_boxes(rules.sheet.boxes(), |category| {
        let points = match category {
            Category::Yahtzee => yahtzee,
            Category::Chance => 20,
            upper_box if upper_box.is_upper() => upper[category.index()],
            _ => 0,
        };
        (!open.contains(&category)).then_some(points)
    });
    Scorecard::new(rules, &points, 0).unwrap()
}

fn advise(table: &GameTable, dice: [u8; 5], left: i64, card: Scorecard, objective: Objective) -> Advice {
    table.advise(&Position::new(table.rules(), Dice::new(dice).unwrap(), left, card).unwrap(), objective)
}

fn keep(faces: &[u8]) -> Action {
    Action::Reroll(Keep::new(faces).unwrap())
}

fn close(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-9, "{value} is not {expected}");
}

#[test]
fn a_forced_joker_goes_to_its_own_open_upper_box() {
    use Category::*;
    let card = card(&Rules::OFFICIAL, &[Fours, FullHouse, Chance], [2, 4, 3, 0, 5, 6], 50);
    assert_eq!(card.state().upper_subtotal(), 20);
    let advice = advise(&OFFICIAL, [4; 5], 0, card, Objective::Game);
    assert_eq!(advice.actions().len(), 1);
    assert_eq!(advice.best().action, Action::Score(Fours));
    let refused =
        advice.position().check(&Rules::OFFICIAL, Objective::Game, Action::Score(Chance)).unwrap_err();
    assert_eq!(refused.code(), "joker_own_upper_box_first");
    assert_eq!(
        refused.to_string(),
        "chance may not be filled: a joker must be scored in fours while that box is open"
    );
}

#[test]
fn a_joker_counts_full_value_and_the_bonus_only_after_fifty() {
    use Category::*;
    let open = [Sixes, FullHouse, SmallStraight, LargeStraight];
    let with = |yahtzee| card(&Rules::OFFICIAL, &open, [4, 2, 9, 0, 15, 0], yahtzee);
    assert_eq!(with(50).state().upper_subtotal(), 30);
    for (yahtzee, bonus) in [(50, 100), (0, 0)] {
        let advice = advise(&OFFICIAL, [4; 5], 0, with(yahtzee), Objective::Game);
        let legal: Vec<_> = advice.actions().iter().map(|ranked| ranked.action).collect();
        assert_eq!(legal.len(), 3);
        assert!(!legal.contains(&Action::Score(Sixes)));
        let large = advice.scores()[LargeStraight];
        assert_eq!((large.box_points, large.yahtzee_bonus), (40, bonus));
    }
    let advice = advise(&OFFICIAL, [4; 5], 0, with(50), Objective::Game);
    assert_eq!(advice.best().action, Action::Score(LargeStraight));
    close(advice.best().value, 197.9796376434);
}

#[test]
fn a_further_yahtzee_in_a_wrong_upper_box_still_earns_the_bonus() {
    use Category::*;
    let card = card(&Rules::OFFICIAL, &[Fours], [3, 6, 9, 0, 15, 18], 50);
    let advice = advise(&OFFICIAL, [2; 5], 1, card, Objective::Game);
    assert_eq!(advice.best().action, Action::Score(Fours));
    close(advice.best().value, 100.0);
    assert_eq!(advice.scores()[Fours].box_points, 0);
}

#[test]
fn the_upper_bonus_and_the_yahtzee_bonus_come_in_one_move() {
    use Category::*;
    let card = card(&Rules::OFFICIAL, &[Sixes, Chance], [3, 6, 9, 12, 15, 0], 50);
    let advice = advise(&OFFICIAL, [6; 5], 0, card, Objective::Game);
    let sixes = advice.scores()[Sixes];
    assert_eq!((sixes.box_points, sixes.upper_bonus, sixes.yahtzee_bonus), (30, 35, 100));
    close(advice.best().value, 190.6118206942);
}

#[test]
fn one_turn_alone_breaks_a_made_full_house() {
    let advice = advise(&OFFICIAL, [5, 5, 5, 2, 2], 2, Scorecard::empty(OFFICIAL.rules()), Objective::Turn);
    assert_eq!(advice.best().action, keep(&[5, 5, 5]));
    assert!((advice.best().value - 25.985).abs() < 5e-4);
    assert_eq!((advice.turn_start_value(), advice.expected_final()), (None, None));
    let advice = advise(&OFFICIAL, [6, 6, 1, 2, 3], 2, Scorecard::empty(OFFICIAL.rules()), Objective::Turn);
    assert_eq!(advice.best().action, keep(&[2, 3]));
}

#[test]
fn five_equal_dice_are_no_full_house() {
    let card = card(&Rules::PLAIN, &[Category::FullHouse], [0; 6], 0);
    let advice = advise(&PLAIN, [2; 5], 2, card, Objective::Game);
    assert_eq!(advice.best().action, keep(&[2, 2, 2]));
    assert!((advice.best().value - 7.0409).abs() < 5e-5);
}

#[test]
fn keeping_nothing_ties_with_keeping_any_one_die() {
    let card = card(&Rules::OFFICIAL, &[Category::Yahtzee], [0; 6], 0);
    let advice = advise(&OFFICIAL, [1, 2, 3, 4, 6], 1, card, Objective::Game);
    close(advice.best().value, 1.0 / 1296.0 * 50.0);
    close(advice.best().value, 0.0385802469);
    let top: Vec<_> =
        advice.actions().iter().take_while(|ranked| ranked.loss == 0.0).map(|r| r.action).collect();
    assert_eq!(top, [keep(&[1]), keep(&[2]), keep(&[3]), keep(&[4]), keep(&[6]), keep(&[])]);
}

#[test]
fn a_turn_may_stop_early_and_all_five_kept_is_no_reroll() {
    let advice = advise(&OFFICIAL, [1, 1, 2, 3, 4], 2, Scorecard::empty(OFFICIAL.rules()), Objective::Game);
    assert!((advice.best().value - 251.131).abs() < 5e-4);
    let best_now = advice.actions().iter().find(|ranked| matches!(ranked.action, Action::Score(_))).unwrap();
    assert!((best_now.value - 246.555).abs() < 5e-4);
    let all_five =
        advice.position().check(&Rules::OFFICIAL, Objective::Game, keep(&[1, 1, 2, 3, 4])).unwrap_err();
    assert_eq!(all_five, ImpossibleAction::AllFiveKept);
    assert_eq!(
        advice.position().check(&Rules::OFFICIAL, Objective::Game, keep(&[5])).unwrap_err(),
        ImpossibleAction::NotOnTheTable
    );
    let last = advise(&OFFICIAL, [1, 1, 2, 3, 4], 0, Scorecard::empty(OFFICIAL.rules()), Objective::Game);
    assert_eq!(
        last.position().check(&Rules::OFFICIAL, Objective::Game, keep(&[1])).unwrap_err(),
        ImpossibleAction::NoRollLeft
    );
}

#[test]
fn both_faults_of_a_position_are_listed() {
    let full = card(&Rules::OFFICIAL, &[], [0; 6], 0);
    let faults = Position::new(&Rules::OFFICIAL, Dice::new([1; 5]).unwrap(), 3, full).unwrap_err();
    assert_eq!(faults.iter().map(|fault| fault.code()).collect::<Vec<_>>(), ["rolls_left", "game_over"]);
}

/// The example of the interface's documentation.
#[test]
fn the_example_is_answered_as_documented_and_explained_in_both_languages() {
    let mut points = ByCategory::default();
    points[Category::Ones] = Some(3);
    points[Category::Yahtzee] = Some(50);
    let card = Scorecard::new(&Rules::OFFICIAL, &points, 0).unwrap();
    let advice = advise(&OFFICIAL, [1, 3, 3, 4, 6], 2, card, Objective::Game);
    assert_eq!(advice.best().action, keep(&[3, 3]));
    assert!((advice.best().value - 252.2129).abs() < 5e-5);
    assert!((advice.expected_final().unwrap() - 305.2129).abs() < 5e-5);
    let (_, threes) = advice.find(Action::Score(Category::Threes)).unwrap();
    assert!((threes.value - 239.8834).abs() < 5e-5 && (threes.loss - 12.3296).abs() < 1e-4);
    assert_eq!(advice.actions().len(), 34);
    assert_eq!(
        advice.in_english(),
        "Keep 3 3 and reroll the other three dice: the turn then most often ends in threes (50%) or full house (16%); \
         over the whole game this is worth 1.81 points more than keeping 3 3 4; scoring chance for 17 points now would \
         cost 15.92 points."
    );
    assert_eq!(
        advice.in_chinese(),
        "保留 3 3，重掷其余三枚骰子：本回合最可能记入三点（50%），或记入葫芦（16%）；从整局看，比保留 3 3 4 平均多得 1.81 \
         分；若现在就在机会记 17 分，平均会损失 15.92 分。"
    );
}

#[test]
fn explanations_say_what_is_special() {
    use Category::*;
    let last = |open| card(&Rules::OFFICIAL, &[open], [0; 6], 0);
    let small = advise(&OFFICIAL, [1, 2, 3, 4, 6], 1, last(LargeStraight), Objective::Game).in_english();
    assert!(
        small.starts_with(
            "Keep 1 2 3 4 and reroll the other die: large straight is then made 17% of the time;"
        )
    );
    let done = advise(&OFFICIAL, [1, 2, 3, 4, 5], 0, last(LargeStraight), Objective::Game);
    assert_eq!(done.in_english(), "Score large straight for 40 points: it is the last open box.");
    assert_eq!(done.in_chinese(), "记入大顺，得 40 分：这是最后一个空格。");
    let joker = card(&Rules::OFFICIAL, &[Fours, Sixes, Chance], [3, 6, 9, 0, 15, 0], 50);
    let forced = advise(&OFFICIAL, [4; 5], 0, joker, Objective::Game);
    assert_eq!(
        forced.in_english(),
        "Score fours for 120 points (100 of them bonus): the rules allow no other box."
    );
    let zero = advise(&OFFICIAL, [2, 2, 3, 4, 6], 0, last(FullHouse), Objective::Game);
    assert_eq!(zero.in_english(), "Put a zero in full house: it is the last open box.");
    let tied = card(&Rules::PLAIN, &[LargeStraight, Yahtzee], [0; 6], 0);
    let tied = advise(&PLAIN, [1, 1, 2, 2, 3], 0, tied, Objective::Turn);
    assert_eq!(tied.in_english(), "Put a zero in large straight: this ties with putting a zero in Yahtzee.");
    assert_eq!(tied.in_chinese(), "在大顺填 0 分：与在快艇填 0 分同样好。");
}
