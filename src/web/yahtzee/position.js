import { post } from '../kit.js';
import { rulesOfText, rulesText, switchesOf } from './rules.js';

export const UPPER = ['ones', 'twos', 'threes', 'fours', 'fives', 'sixes'];
export const LOWER = [
	'three_of_a_kind',
	'four_of_a_kind',
	'full_house',
	'small_straight',
	'large_straight',
	'yahtzee',
	'chance',
];
export const BOXES = [...UPPER, ...LOWER];

// What is meant where nothing is said.
const USUAL = { yahtzee_bonuses: 0, rules: 'official', objective: 'game', risk: false };
// Shown where the address says nothing: a first roll.
const START = { dice: [1, 3, 3, 4, 6], rolls_left: 2, scorecard: {}, chosen: '', ...USUAL };
// A game in its middle.
export const EXAMPLE = {
	...START,
	scorecard: { twos: 6, fours: 12, sixes: 18, four_of_a_kind: 0, small_straight: 30, yahtzee: 50 },
};
// Dice that are still to be entered are 0.
export const NO_DICE = [0, 0, 0, 0, 0];

export const isOver = ({ scorecard }) => BOXES.every((box) => box in scorecard);

const whole = (text) => (/^\d{1,4}$/.test(text) ? Number(text) : text);
const facesOf = (text) => text.split(',').filter(Boolean).map(whole);
const unusual = (position) =>
	Object.fromEntries(
		Object.keys(USUAL)
			.map((key) => [key, position[key]])
			.filter(([key, value]) => value !== undefined && value !== USUAL[key]),
	);

// Typed dice: `13346`, `1 3 3 4 6`, `1,3,3,4,6`.
export const diceOf = (text) => (text.match(/\d/g) ?? []).map(Number);

export function ofQuery(query) {
	const position = { ...START, scorecard: {} };
	for (const [name, text] of query) {
		const box = BOXES.includes(name);
		if (!box && (name === 'scorecard' || !Object.hasOwn(START, name))) continue;
		if (box) position.scorecard[name] = whole(text);
		else position[name] = ({ dice: facesOf, rules: rulesOfText, risk: (word) => word === 'true' }[name] ?? whole)(text);
	}
	return position;
}

// A position in the service's own names for links.
export const toQuery = (position) => ({
	dice: position.dice.join(','),
	rolls_left: position.rolls_left,
	...position.scorecard,
	...unusual(position),
	rules: rulesText(position.rules),
	chosen: position.chosen,
});

// `reroll:3,3` or `score:threes`, as links write an action.
export const nameOf = (action) =>
	action.action === 'reroll' ? `reroll:${action.keep.join(',')}` : `score:${action.category}`;

export function actionOf(name) {
	const [action, of = ''] = name.split(':');
	return action === 'reroll' ? { action, keep: facesOf(of) } : { action, category: of };
}

// What is asked about a card alone; what has its usual value is left out.
export function cardOf(position) {
	const { objective, risk, ...rest } = unusual(position);
	return { scorecard: position.scorecard, ...rest };
}

export const bodyOf = (position, limit) => ({
	dice: position.dice,
	rolls_left: position.rolls_left,
	scorecard: position.scorecard,
	...unusual(position),
	limit,
	chosen: position.chosen ? actionOf(position.chosen) : undefined,
});

export const adviceRequest = (position, limit) => post('yahtzee/best-action', bodyOf(position, limit));

export function possiblePoints(box, rules) {
	const switches = switchesOf(rules);
	const face = UPPER.indexOf(box) + 1;
	if (face) return [0, 1, 2, 3, 4, 5].map((n) => n * face);
	const fixed = switches.box_points[box];
	if (fixed) return [0, fixed];
	const alike = switches.of_a_kind_scores === 'matching_dice' && { three_of_a_kind: 3, four_of_a_kind: 4 }[box];
	const sums = alike ? [1, 2, 3, 4, 5, 6].map((n) => n * alike) : Array.from({ length: 26 }, (_, i) => i + 5);
	return box === 'chance' ? sums : [0, ...sums];
}

export const takesBonuses = ({ scorecard: { yahtzee }, rules }) =>
	yahtzee > 0 || (yahtzee === 0 && switchesOf(rules).yahtzee_bonus.after_zero);

// What a card holds; `each` is a Yahtzee bonus.
export function totals({ scorecard, yahtzee_bonuses: count, rules }) {
	const {
		upper_bonus: { threshold, points },
		yahtzee_bonus,
	} = switchesOf(rules);
	const counted = (value) => Number(value) || 0;
	const sum = (boxes) => boxes.reduce((all, box) => all + counted(scorecard[box]), 0);
	const [upper, upperPoints, each] = [sum(UPPER), counted(points), counted(yahtzee_bonus.points)];
	// A threshold below 1 is rejected: a bonus must be earned.
	const upperBonus = threshold > 0 && upper >= threshold ? upperPoints : 0;
	const bonuses = each * counted(count);
	return { upper, upperPoints, threshold, upperBonus, each, bonuses, total: upper + upperBonus + sum(LOWER) + bonuses };
}
