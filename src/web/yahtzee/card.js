import { faultNote, h } from '../kit.js';
import { BOXES, LOWER, possiblePoints, takesBonuses, totals, UPPER } from './position.js';
import { t } from './texts.js';

// What a roll would score: a zero looks like nothing, so that it is not taken for points.
const gain = (points) => (points ? `+${points}` : h('span.unseen', '0'));

// The card of a position: what its dice score (see scoresOf), the `best` box, which are `usable(box)`, what a click
// does (`onbox(box, button)`), what the service said (`faults(pointer)`).
export function scoreCard({ position, scores = {}, best, usable = () => true, onbox, faults = () => {}, onbonuses }) {
	const { scorecard, yahtzee_bonuses: bonuses } = position;
	const sums = totals(position);

	function row(box) {
		const filled = box in scorecard;
		const score = scores[box];
		const legal = score?.legal ?? true;
		const said = filled ? t('holds') : legal ? t('wouldScore') : score.reason;
		const state = filled ? '.filled' : box === best ? '.best' : legal ? '' : '.illegal';
		return h(
			'li',
			h(
				`button.box${state}`,
				{
					key: `box-${box}`,
					title: !filled && !legal && score.reason,
					'aria-disabled': !usable(box) && 'true',
					onclick: (event) => usable(box) && onbox(box, event.currentTarget),
				},
				h('span', t(box), box === best && h('span.unseen', `, ${t('best')}`)),
				h('span.unseen', said),
				h('span.points', filled ? scorecard[box] : !score ? '' : legal ? gain(score.box_points) : '–'),
			),
			faultNote(faults(`/scorecard/${box}`)),
		);
	}

	const sum = (name, points, style = '') => h(`li.sum${style}`, h('span', name), h('span.points', points));
	const step = (by, sign) =>
		h(
			'button',
			{
				key: `bonus${sign}`,
				'aria-label': `${t('yahtzee_bonus')} ${sign}${sums.each}`,
				'aria-disabled': bonuses + by < 0 && 'true',
				onclick: () => bonuses + by >= 0 && onbonuses(bonuses + by),
			},
			sign,
		);
	return h(
		'div.score-card',
		h(
			'ul',
			{ 'aria-label': t('upper') },
			UPPER.map(row),
			sum(t('subtotal'), sums.upperPoints ? `${sums.upper} / ${sums.threshold}` : sums.upper),
			sum(t('upper_bonus'), sums.upperBonus),
		),
		h(
			'ul',
			{ 'aria-label': t('lower') },
			LOWER.map(row),
			sums.each > 0 &&
				h(
					'li.sum',
					h('span', t('yahtzee_bonus')),
					onbonuses && (takesBonuses(position) || bonuses > 0)
						? h('span.stepper', step(-1, '−'), h('span.points', sums.bonuses), step(1, '+'))
						: h('span.points', sums.bonuses),
				),
			h('li', faultNote(faults('/yahtzee_bonuses'))),
			sum(t('total'), sums.total, '.total'),
		),
	);
}

// What the dice score, from advice that ranks every action: `{box: {legal, reason, box_points, ...}}`.
export function scoresOf(advice) {
	const of = (box) => advice.actions.find(({ category }) => category === box);
	return Object.fromEntries(
		advice ? BOXES.map((box) => [box, { legal: Boolean(of(box)), reason: t('barred'), ...of(box) }]) : [],
	);
}

export function scoring({ position, advice, locked, onscore }) {
	const scores = scoresOf(advice);
	return scoreCard({
		position,
		scores,
		usable: (box) => Boolean(!locked && !(box in position.scorecard) && scores[box]?.legal),
		onbox: (box) => onscore(scores[box]),
	});
}

// What may be picked for a box, and in how many columns: `now` is what the dice score in it, `fill(points)` what a choice
// does.
export function pointChoices({ box, rules, now, filled, fill }) {
	const possible = possiblePoints(box, rules);
	const choices = [
		filled !== undefined && { content: t('open'), wide: true, onpick: fill() },
		now?.legal && { content: t('thisRoll', { n: now.box_points }), wide: true, onpick: fill(now.box_points) },
		...possible.map((n) => ({ content: n, label: t('points', { n }), chosen: n === filled, onpick: fill(n) })),
	];
	return [choices.filter(Boolean), Math.min(6, possible.length)];
}
