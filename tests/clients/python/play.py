"""Plays with a client that openapi-python-client has generated; mypy judges its types."""

import random
import sys
import time
from typing import TypeVar

from kibitz_client import Client
from kibitz_client.api.craps import get_simulation, post_simulation
from kibitz_client.api.dou_dizhu import post_min_plays, post_plays
from kibitz_client.api.yahtzee import cancel_distribution, post_best_action, post_best_action_batch, post_distribution, post_score
from kibitz_client.models import (
    BatchProblem,
    BestActionBatchRequest,
    BestActionBatchResult,
    BestActionRequest,
    CrapsBetId,
    DecisionsRequest,
    DecisionsRequestKind,
    DecisionsResult,
    Distribution,
    DistributionJob,
    DistributionRequest,
    HouseRules,
    HouseRulesUpperBonus,
    JobStatus,
    MinPlaysRequest,
    PlaysRequest,
    Preset,
    Problem,
    ProblemCode,
    ScorecardInput,
    ScoreAction,
    ScoreRequest,
)

T = TypeVar("T")


def ok(answer: T | Problem | None) -> T:
    """The answer; an error with the problem's own words if there is none."""
    if answer is None or isinstance(answer, Problem):
        raise RuntimeError(answer)
    return answer


def game(client: Client) -> int:
    """A game of 13 turns by the best actions. Returns its points."""
    dice_of = random.Random(1)
    card, bonuses, points = ScorecardInput(), 0, 0
    for _ in range(13):
        dice = [dice_of.randint(1, 6) for _ in range(5)]
        for rolls_left in (2, 1, 0):
            request = BestActionRequest(dice=dice, rolls_left=rolls_left, scorecard=card, yahtzee_bonuses=bonuses)
            best = ok(post_best_action.sync(client=client, body=request)).best
            if isinstance(best, ScoreAction):
                break
            dice = best.keep + [dice_of.randint(1, 6) for _ in range(5 - len(best.keep))]
        assert isinstance(best, ScoreAction)
        request_of_score = ScoreRequest(dice=dice, scorecard=card, yahtzee_bonuses=bonuses)
        boxes = ok(post_score.sync(client=client, body=request_of_score)).boxes
        box = next(box for box in boxes if box.category == best.category)
        assert box.legal
        setattr(card, box.category.value, box.box_points)
        bonuses += box.yahtzee_bonus > 0
        points += box.box_points + box.upper_bonus + box.yahtzee_bonus
    assert len(card.to_dict()) == 13
    return points


def hand(client: Client) -> None:
    cards = "33344455667789TJQKA2"
    least = ok(post_min_plays.sync(client=client, body=MinPlaysRequest(hand=cards))).min_plays
    played = 0
    while cards:
        plays = ok(post_plays.sync(client=client, body=PlaysRequest(hand=cards, limit=1))).plays
        for card in plays[0].cards:
            assert isinstance(card, str)
            cards = cards.replace(card, "", 1)
        played += 1
    assert played == least


def simulation(client: Client) -> None:
    request = DecisionsRequest(kind=DecisionsRequestKind.DECISIONS, bet=CrapsBetId.PASS_LINE, odds="3-4-5x", decisions=100_000)
    job = ok(post_simulation.sync(client=client, body=request))
    while job.status in (JobStatus.QUEUED, JobStatus.RUNNING):
        time.sleep(0.05)
        job = ok(get_simulation.sync(job.id, client=client))
    assert job.status == JobStatus.SUCCEEDED
    assert isinstance(job.result, DecisionsResult) and job.result.decisions == 100_000


def house_rules(client: Client) -> None:
    rules = HouseRules(upper_bonus=HouseRulesUpperBonus(points=50), rolls_per_turn=2)
    request = BestActionRequest(dice=[1, 3, 3, 4, 6], rolls_left=1, rules=rules)
    answer = ok(post_best_action.sync(client=client, body=request))
    assert answer.rules == Preset.OFFICIAL
    assert isinstance(answer.house_rules, HouseRules)
    assert answer.house_rules.to_dict() == {"base": "official", **rules.to_dict()}
    request.rules = answer.house_rules
    assert ok(post_best_action.sync(client=client, body=request)) == answer


def batch(client: Client) -> None:
    good = BestActionRequest(dice=[6, 6, 6, 6, 6], rolls_left=0)
    bad = BestActionRequest(dice=[1, 2, 3, 4, 5], rolls_left=0, scorecard=ScorecardInput(threes=4))
    results = ok(post_best_action_batch.sync(client=client, body=BestActionBatchRequest(requests=[good, bad]))).results
    assert isinstance(results[0], BestActionBatchResult) and isinstance(results[0].result.best, ScoreAction)
    assert isinstance(results[1], BatchProblem) and results[1].problem.code == ProblemCode.INVALID_REQUEST


def distribution(client: Client) -> None:
    late = ScorecardInput(ones=3, twos=6, threes=9, fours=12, fives=15, sixes=18, three_of_a_kind=22, four_of_a_kind=0)
    answer = ok(post_distribution.sync(client=client, body=DistributionRequest(scorecard=late, targets=[250])))
    assert isinstance(answer, Distribution) and answer.at_least[0].probability > 0
    job = ok(post_distribution.sync(client=client, body=DistributionRequest()))
    assert isinstance(job, DistributionJob)
    ok(cancel_distribution.sync(job.id, client=client))


def problem(client: Client) -> None:
    answer = post_best_action.sync(client=client, body=BestActionRequest(dice=[1, 2, 3, 4, 7], rolls_left=0))
    assert isinstance(answer, Problem) and answer.code == ProblemCode.INVALID_REQUEST
    assert isinstance(answer.errors, list) and answer.errors[0].pointer == "/dice/4"


def main() -> None:
    client = Client(base_url=sys.argv[1])
    points = game(client)
    for play in (hand, simulation, house_rules, batch, distribution, problem):
        play(client)
    print(f"Python: a game of {points} points, a hand, a simulation, house rules, a batch, a distribution, a problem")


main()
