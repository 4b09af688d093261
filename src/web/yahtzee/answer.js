import { h, hrefOf, number, ranked, verdict } from '../kit.js';
import { smallDice } from './dice.js';
import { nameOf, toQuery } from './position.js';
import { t } from './texts.js';

export function actionNodes(action) {
	if (action.action === 'reroll')
		return action.keep.length ? [h('span', t('keep')), smallDice(action.keep)] : h('span', t('keepAll'));
	return [
		h('b', t(action.category)),
		h('span.soft', t('points', { n: action.box_points + action.upper_bonus + action.yahtzee_bonus })),
	];
}

export const headline = (best, style = 'div.headline') =>
	h(
		style,
		best.action === 'score' && h('span', t('score')),
		actionNodes(best),
		best.action === 'reroll' && best.keep.length > 0 && h('span.soft', t('reroll', { n: 5 - best.keep.length })),
	);

export const judged = ({ chosen, action_count: count }, ranks = true) => [
	verdict(chosen.grade),
	chosen.grade !== 'best' && h('span', `−${number(chosen.loss, 2)}`),
	ranks && h('span.soft', t('rankOf', { rank: chosen.rank, n: count })),
];

export function rankedActions(advice, { shown, chosen, onpick }) {
	const rows = advice.actions
		.map((action, index) => ({ action, rank: index + 1, name: nameOf(action) }))
		.filter(({ rank, name }) => rank <= shown || name === chosen);
	return ranked(
		rows.map(({ action, rank, name }) => ({
			key: name,
			rank,
			loss: action.loss,
			pressed: name === chosen,
			what: [
				actionNodes(action),
				action.standard_deviation !== undefined && h('span.small', `± ${number(action.standard_deviation, 1)}`),
				name === chosen && h('span.yours', t('your_move')),
			],
			onclick: onpick && (() => onpick(name)),
		})),
	);
}

export const better = (best) => h('span.row.small', t('bestWas'), actionNodes(best));

// Decisions, `{position, turn, advice}`, each a link to its analysis; in detail with what was best.
export const decisionRows = (decisions, detailed) =>
	ranked(
		decisions.map(({ position, turn, advice: { chosen, best } }) => ({
			key: `${turn}-${position.rolls_left}`,
			rank: turn + 1,
			loss: chosen.loss,
			href: hrefOf('yahtzee', toQuery(position)),
			what: [smallDice(position.dice), h('span.row', actionNodes(chosen)), detailed && better(best)],
		})),
	);
