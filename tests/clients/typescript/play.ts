// Plays with a client that openapi-typescript has generated: the types are what is tested, so no value is cast.
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

type Schemas = components['schemas'];

const client = createClient<paths>({ baseUrl: process.argv[2] ?? 'http://127.0.0.1:8080' });

/** The answer, or an error with the problem's own words. */
function ok<T>({ data, error }: { data?: T; error?: Schemas['Problem'] }): T {
	if (error) throw new Error(`${error.code}: ${error.detail}`);
	assert(data);
	return data;
}

let state = 1;
const die = (): number => {
	state = (state * 48271) % 2147483647;
	return 1 + (state % 6);
};

/** A game of 13 turns by the best actions. Returns its points. */
async function game(rules: Schemas['RulesInput']): Promise<number> {
	const scorecard: Schemas['ScorecardInput'] = {};
	let [bonuses, points] = [0, 0];
	for (let turn = 0; turn < 13; turn++) {
		let dice = Array.from({ length: 5 }, die);
		for (let rolls = 2; ; rolls--) {
			const card = { dice, scorecard, yahtzee_bonuses: bonuses, rules };
			const { best } = ok(await client.POST('/yahtzee/best-action', { body: { ...card, rolls_left: rolls } }));
			if (best.action === 'score') {
				const { boxes } = ok(await client.POST('/yahtzee/score', { body: card }));
				const box = boxes.find(({ category }) => category === best.category);
				assert(box?.legal);
				scorecard[box.category] = box.box_points;
				if (box.yahtzee_bonus > 0) bonuses++;
				points += box.box_points + box.upper_bonus + box.yahtzee_bonus;
				break;
			}
			dice = [...best.keep, ...Array.from({ length: 5 - best.keep.length }, die)];
		}
	}
	assert.equal(Object.keys(scorecard).length, 13);
	return points;
}

async function hand(): Promise<void> {
	let cards = '33344455667789TJQKA2';
	const { min_plays: least } = ok(await client.POST('/doudizhu/min-plays', { body: { hand: cards } }));
	let played = 0;
	for (; cards; played++) {
		const { plays } = ok(await client.POST('/doudizhu/plays', { body: { hand: cards, limit: 1 } }));
		assert(plays[0]);
		for (const card of plays[0].cards) {
			assert(typeof card === 'string');
			cards = cards.replace(card, '');
		}
	}
	assert.equal(played, least);
}

async function simulation(): Promise<void> {
	const body = { kind: 'decisions', bet: 'pass_line', odds: '3-4-5x', decisions: 100_000 } as const;
	let job = ok(await client.POST('/craps/simulations', { body }));
	const path = { id: job.id };
	while (job.status === 'queued' || job.status === 'running') {
		await new Promise((done) => setTimeout(done, 50));
		job = ok(await client.GET('/craps/simulations/{id}', { params: { path } }));
	}
	assert.equal(job.status, 'succeeded');
	assert(job.result && 'decisions' in job.result);
	assert.equal(job.result.decisions, 100_000);
	// The events of a job that has ended: one, whose data is the job.
	const events = ok(await client.GET('/craps/simulations/{id}/events', { params: { path }, parseAs: 'text' }));
	assert(JSON.stringify(events).includes('event: succeeded'));
}

async function houseRules(): Promise<void> {
	const rules = { upper_bonus: { points: 50 }, rolls_per_turn: 2 };
	const body = { dice: [1, 3, 3, 4, 6], rolls_left: 1 };
	const answer = ok(await client.POST('/yahtzee/best-action', { body: { ...body, rules } }));
	assert.equal(answer.rules, 'official');
	assert(answer.house_rules);
	assert.deepEqual(answer.house_rules, { base: 'official', ...rules });
	const again = ok(await client.POST('/yahtzee/best-action', { body: { ...body, rules: answer.house_rules } }));
	assert.deepEqual(again, answer);
}

async function batch(): Promise<void> {
	// @ts-expect-error: an element of a batch is a request
	const wrong: Schemas['BestActionBatchRequest'] = { requests: [42, 'nonsense', { dicee: 1 }] };
	assert.equal(wrong.requests.length, 3);
	const requests = [
		{ dice: [6, 6, 6, 6, 6], rolls_left: 0 },
		{ dice: [1, 2, 3, 4, 5], rolls_left: 0, scorecard: { threes: 4 } },
	];
	const { results } = ok(await client.POST('/yahtzee/best-action/batch', { body: { requests } }));
	const [first, second] = results;
	assert(first && 'result' in first && first.result.best.action === 'score');
	assert(second && 'problem' in second);
	assert.equal(second.problem.errors?.[0]?.pointer, '/scorecard/threes');
}

async function distribution(): Promise<void> {
	for (const [body, wanted] of [
		[{ scorecard: {}, targets: [250] }, 'distribution_job'],
		[
			{
				scorecard: {
					ones: 3,
					twos: 6,
					threes: 9,
					fours: 12,
					fives: 15,
					sixes: 18,
					three_of_a_kind: 22,
					four_of_a_kind: 0,
				},
				targets: [250],
			},
			'distribution',
		],
	] as const) {
		const answer = ok(await client.POST('/yahtzee/distribution', { body: { ...body, targets: [...body.targets] } }));
		assert.equal(answer.object, wanted);
		if (answer.object === 'distribution') assert(answer.at_least[0] && answer.at_least[0].probability > 0);
		else ok(await client.POST('/yahtzee/distributions/{id}/cancel', { params: { path: { id: answer.id } } }));
	}
}

async function problem(): Promise<void> {
	const { error } = await client.POST('/yahtzee/best-action', { body: { dice: [1, 2, 3, 4, 7], rolls_left: 0 } });
	assert(error);
	assert.equal(error.code, 'invalid_request');
	assert.deepEqual(
		error.errors?.map(({ pointer, code }) => [pointer, code]),
		[['/dice/4', 'out_of_range']],
	);
}

const points = await game('official');
await hand();
await simulation();
await houseRules();
await batch();
await distribution();
await problem();
console.log(
	`TypeScript: a game of ${points} points, a hand, a simulation, house rules, a batch, a distribution, a problem`,
);
