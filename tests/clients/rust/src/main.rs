//! Plays with a client that progenitor has generated. Its types are checked by the compiler.

use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;

use client::{ByteStream, Client, Error, types};
use futures::StreamExt;

#[allow(unused, clippy::all)]
mod client {
    include!(concat!(env!("OUT_DIR"), "/builder.rs"));
}

/// Compiled, not called.
#[allow(unused, clippy::all)]
mod positional {
    include!(concat!(env!("OUT_DIR"), "/positional.rs"));
}

type Failed = Box<dyn std::error::Error>;

/// Dice that are the same in every run.
struct Cup(u32);

impl Cup {
    fn roll(&mut self) -> types::Die {
        self.0 = (u64::from(self.0) * 48_271 % 2_147_483_647) as u32;
        die(1 + self.0 % 6)
    }
}

fn die(face: u32) -> types::Die {
    types::Die(NonZeroU32::new(face).expect("a face"))
}

fn dice(faces: [u32; 5]) -> types::Dice {
    types::Dice(faces.map(die))
}

/// All bytes of an answer.
async fn all_of(mut stream: ByteStream) -> Result<Vec<u8>, Failed> {
    let mut bytes = Vec::new();
    while let Some(some) = stream.next().await {
        bytes.extend_from_slice(&some?);
    }
    Ok(bytes)
}

/// A game of 13 turns by the best actions. Returns its points.
async fn game(client: &Client) -> Result<i32, Failed> {
    let (mut cup, mut filled, mut bonuses, mut points) = (Cup(1), Vec::new(), 0, 0);
    for _ in 0..13 {
        let mut dice = [(); 5].map(|()| cup.roll());
        let mut scored = None;
        for rolls_left in [2, 1, 0] {
            let request = types::BestActionRequest::builder()
                .dice(types::Dice(dice.clone()))
                .rolls_left(rolls_left)
                .filled(types::FilledBoxes(filled.clone()))
                .yahtzee_bonuses(types::YahtzeeBonuses(bonuses));
            match client.post_best_action().body(request).send().await?.into_inner().best {
                types::Action::ScoreAction(action) => {
                    scored = Some(action.category);
                    break;
                }
                types::Action::RerollAction(action) => {
                    let mut kept = action.keep.0.into_iter();
                    dice = [(); 5].map(|()| kept.next().unwrap_or_else(|| cup.roll()));
                }
            }
        }
        let category = scored.ok_or("no box after the last roll")?;
        let request = types::ScoreRequest::builder()
            .dice(types::Dice(dice))
            .filled(types::FilledBoxes(filled.clone()))
            .yahtzee_bonuses(types::YahtzeeBonuses(bonuses));
        let scores = client.post_score().body(request).send().await?.into_inner();
        let entry = scores.boxes.iter().find(|entry| entry.category == category).ok_or("no such box")?;
        assert!(entry.legal);
        filled.push(types::FilledBox { category, points: entry.box_points });
        bonuses += i32::from(entry.yahtzee_bonus.0 > 0);
        points += entry.box_points + entry.upper_bonus.0 + entry.yahtzee_bonus.0;
    }
    Ok(points)
}

async fn hand(client: &Client) -> Result<(), Failed> {
    let mut cards = "33344455667789TJQKA2".to_owned();
    let request = types::MinPlaysRequest::builder().hand(types::HandText::try_from(&*cards)?);
    let least = client.post_min_plays().body(request).send().await?.min_plays;
    let mut played = 0;
    while !cards.is_empty() {
        let request = types::PlaysRequest::builder()
            .hand(types::HandText::try_from(&*cards)?)
            .limit(NonZeroU32::MIN);
        let plays = client.post_plays().body(request).send().await?.into_inner().plays;
        for card in &plays[0].cards.0 {
            let types::CardToken::CardText(card) = card else { panic!("{card:?} is no text") };
            cards = cards.replacen(card.as_str(), "", 1);
        }
        played += 1;
    }
    assert_eq!(played, least.get());
    Ok(())
}

async fn simulation(client: &Client) -> Result<(), Failed> {
    let request = types::SimulationRequest::from(types::DecisionsRequest::try_from(
        types::DecisionsRequest::builder()
            .kind(types::DecisionsRequestKind::Decisions)
            .bet(types::CrapsBetId::PassLine)
            .odds("3-4-5x".parse::<types::CrapsOdds>()?)
            .decisions(NonZeroU64::new(100_000).ok_or("none")?),
    )?);
    let mut job = client.post_simulation().body(request).send().await?.into_inner();
    while matches!(job.status, types::JobStatus::Queued | types::JobStatus::Running) {
        tokio::time::sleep(Duration::from_millis(50)).await;
        job = client.get_simulation().id(&*job.id).send().await?.into_inner();
    }
    assert_eq!(job.status, types::JobStatus::Succeeded);
    let Some(types::SimulationResult::DecisionsResult(result)) = job.result else { panic!("{:?}", job.result) };
    assert_eq!(result.decisions.get(), 100_000);
    // The events of a job that has ended: one, whose data is the job.
    let events = client.get_simulation_events().id(&*job.id).send().await?.into_inner();
    let text = String::from_utf8(all_of(events).await?)?;
    let data = text.lines().find_map(|line| line.strip_prefix("data: ")).ok_or("no data")?;
    let last: types::SimulationJob = serde_json::from_str(data)?;
    assert_eq!((last.id, last.seed), (job.id, job.seed));
    Ok(())
}

async fn house_rules(client: &Client) -> Result<(), Failed> {
    let rules: types::HouseRules = types::HouseRules::builder()
        .upper_bonus(types::HouseRulesUpperBonus { points: Some(50), threshold: None })
        .rolls_per_turn(NonZeroU32::new(2))
        .try_into()?;
    let mut request: types::BestActionRequest = types::BestActionRequest::builder()
        .dice(dice([1, 3, 3, 4, 6]))
        .rolls_left(1)
        .rules(types::RulesInput::from(rules))
        .try_into()?;
    let answer = client.post_best_action().body(request.clone()).send().await?.into_inner();
    assert_eq!(answer.rules, types::Preset::Official);
    let shown = answer.house_rules.ok_or("no house rules")?;
    let expected = serde_json::json!({"base": "official", "upper_bonus": {"points": 50}, "rolls_per_turn": 2});
    assert_eq!(serde_json::to_value(&shown)?, expected);
    request.rules = Some(shown.into());
    let again = client.post_best_action().body(request).send().await?.into_inner();
    assert_eq!(serde_json::to_value(again.best)?, serde_json::to_value(answer.best)?);
    Ok(())
}

async fn batch(client: &Client) -> Result<(), Failed> {
    let good: types::BestActionRequest =
        types::BestActionRequest::builder().dice(dice([6; 5])).rolls_left(0).try_into()?;
    let mut bad = good.clone();
    bad.scorecard = Some(types::ScorecardInput { threes: Some(4), ..Default::default() });
    let request = types::BestActionBatchRequest { requests: vec![good, bad] };
    let results = client.post_best_action_batch().body(request).send().await?.into_inner().results;
    assert!(matches!(&results[0], types::BestActionBatchItem::BestActionBatchResult(_)), "{:?}", results[0]);
    let types::BestActionBatchItem::BatchProblem(bad) = &results[1] else { panic!("{:?}", results[1]) };
    assert_eq!(bad.problem.errors[0].pointer, "/scorecard/threes");
    Ok(())
}

async fn distribution(client: &Client) -> Result<(), Failed> {
    let filled = |count| {
        let boxes = [("ones", 3), ("twos", 6), ("threes", 9), ("fours", 12), ("fives", 15), ("sixes", 18), ("chance", 20)];
        let fill = |&(name, points): &(&str, i32)| Ok(types::FilledBox { category: name.parse()?, points });
        boxes[..count].iter().map(fill).collect::<Result<Vec<_>, types::error::ConversionError>>()
    };
    for count in [7, 0] {
        let request = types::DistributionRequest::builder().filled(types::FilledBoxes(filled(count)?));
        match client.post_distribution().body(request).send().await?.into_inner() {
            types::DistributionAnswer::Variant0(distribution) => assert!(count == 7 && distribution.mean > 0.0),
            types::DistributionAnswer::Variant1(job) => {
                assert_eq!(count, 0);
                client.cancel_distribution().id(job.id).send().await?;
            }
        }
    }
    Ok(())
}

async fn problem(client: &Client) -> Result<(), Failed> {
    let request = types::BestActionRequest::builder().dice(dice([1, 2, 3, 4, 7])).rolls_left(0);
    let Err(Error::ErrorResponse(answer)) = client.post_best_action().body(request).send().await else {
        panic!("seven is no face")
    };
    // progenitor leaves `application/problem+json` to the caller.
    let problem: types::Problem = serde_json::from_slice(&all_of(answer.into_inner()).await?)?;
    assert_eq!(problem.code, types::ProblemCode::InvalidRequest);
    assert_eq!((&*problem.errors[0].pointer, &*problem.errors[0].code), ("/dice/4", "out_of_range"));
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failed> {
    let client = Client::new(&std::env::args().nth(1).ok_or("the address of the service")?);
    let points = game(&client).await?;
    hand(&client).await?;
    simulation(&client).await?;
    house_rules(&client).await?;
    batch(&client).await?;
    distribution(&client).await?;
    problem(&client).await?;
    println!("Rust: a game of {points} points, a hand, a simulation, house rules, a batch, a distribution, a problem");
    Ok(())
}
