//! The exact distribution of the final score, against distributions of independent programs.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use kibitz::yahtzee::{
    ByCategory, CardState, Category, DistributionWork, GameTable, Moments, RollsPerTurn, Rules, Scorecard,
    Sheet,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Published {
    mean: f64,
    sd: f64,
    mode: u32,
    percentiles: BTreeMap<String, u32>,
    p_at_least: BTreeMap<String, f64>,
    pmf: Vec<f64>,
}

fn published(name: &str) -> Published {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/yahtzee/distributions").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn whole_games_are_as_published() {
    for (rules, name) in [(Rules::PLAIN, "seed.json"), (Rules::NO_YAHTZEE_BONUS, "no-yahtzee-bonus.json")] {
        let published = published(name);
        let table = Arc::new(GameTable::build_blocking(&rules));
        let found = DistributionWork::new(Arc::clone(&table), &Scorecard::empty(&rules)).run_blocking();
        assert!((found.total() - 1.0).abs() < 1e-12, "{}", found.total());
        let most = found.probabilities().len().max(published.pmf.len());
        for score in 0..most {
            let [ours, theirs] =
                [found.probabilities(), &published.pmf].map(|pmf| pmf.get(score).copied().unwrap_or(0.0));
            // They are written with six digits.
            assert!((ours - theirs).abs() < 1e-9 + 5e-6 * theirs, "{name}: {score} has {ours}, not {theirs}");
        }
        assert!((found.mean() - published.mean).abs() < 1e-8);
        assert!((found.mean() - table.expected_final()).abs() < 1e-9);
        assert!((found.standard_deviation() - published.sd).abs() < 1e-8);
        assert_eq!(found.mode(), published.mode);
        for (percent, score) in &published.percentiles {
            let probability = percent.parse::<f64>().unwrap() / 100.0;
            assert_eq!(found.quantile(probability), *score, "{name}: {percent}");
        }
        for (target, probability) in &published.p_at_least {
            let ours = found.at_least(target.parse().unwrap());
            assert!((ours - probability).abs() < 1e-9, "{name}: {target}: {ours}, not {probability}");
        }
    }
}

/// The rules in which everything matters, from the middle of a game; mean and standard deviation are known otherwise.
#[test]
fn bonuses_and_jokers_keep_mean_and_deviation() {
    let house = Rules { rolls_per_turn: RollsPerTurn::Two, ..Rules::FREE_JOKER };
    for (rules, yahtzee) in [(Rules::OFFICIAL, 50), (Rules::OFFICIAL, 0), (house, 50)] {
        let table = Arc::new(GameTable::build_blocking(&rules));
        let moments = Moments::build_blocking(&table);
        let mut points = ByCategory::default();
        for (category, entered) in [
            (Category::Yahtzee, yahtzee),
            (Category::Ones, 3),
            (Category::Twos, 6),
            (Category::Chance, 22),
            (Category::FourOfAKind, 0),
            (Category::SmallStraight, 30),
        ] {
            points[category] = Some(entered);
        }
        let card = Scorecard::new(&rules, &points, 0).unwrap();
        let found = DistributionWork::new(Arc::clone(&table), &card).run_blocking();
        assert!(found.at_least(5_000).is_sign_positive(), "no score has no chance, not -0");
        assert_eq!(found.at_least(0), 1.0, "any score will do");
        assert!((found.total() - 1.0).abs() < 1e-12);
        let mean = f64::from(card.points_so_far()) + table.value(card.state());
        assert!((found.mean() - mean).abs() < 1e-9, "{} is not {mean}", found.mean());
        let scatter = moments.standard_deviation(&table, card.state());
        assert!((found.standard_deviation() - scatter).abs() < 1e-7, "{}", found.standard_deviation());
    }
}

#[test]
fn chunks_between_barriers_may_run_in_any_order() {
    let table = Arc::new(GameTable::build_blocking(&Rules::OFFICIAL));
    let mut points = ByCategory::of_boxes(Sheet::YAHTZEE.boxes(), |category| {
        Some(if category == Category::Chance { 20 } else { 0 })
    });
    for category in [Category::Sixes, Category::FullHouse, Category::Yahtzee] {
        points[category] = None;
    }
    let card = Scorecard::new(&Rules::OFFICIAL, &points, 0).unwrap();
    let one = DistributionWork::new(Arc::clone(&table), &card).run_blocking();
    let work = DistributionWork::new(Arc::clone(&table), &card);
    let mut states = 0;
    let ends = work.barriers().iter().skip(1).copied().chain([work.chunks()]);
    for (first, end) in work.barriers().to_vec().into_iter().zip(ends) {
        for chunk in (first..end).rev() {
            states += work.run_chunk(chunk);
        }
    }
    assert_eq!(work.result().unwrap(), one);
    assert_eq!(states, DistributionWork::states(&table, card.state()));
    assert!(states >= 7, "{states}");
    assert_eq!(work.start(), card.state());
    assert!(DistributionWork::states(&table, CardState::default()) > 300_000);
}
