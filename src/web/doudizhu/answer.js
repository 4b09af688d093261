import { h, language, percent, ranked } from '../kit.js';
import { fan } from './cards.js';
import { t } from './texts.js';

export const nameOf = (play) => (language() === 'zh' ? play.name_zh : play.name);
const otherName = (play) => (language() === 'zh' ? play.name : play.name_zh);

function shares({ card_count: n, percentile }) {
	const written = Object.fromEntries(Object.entries(percentile).map(([name, share]) => [name, percent(share, 2)]));
	return [
		h(
			'div.shares',
			{ 'aria-hidden': 'true' },
			['fewer', 'same', 'more'].map((name) => h('i', { style: { 'flex-grow': percentile[name] } })),
		),
		h('p.small', t('shares', { n, ...written })),
	];
}

export const leastPlays = (answer) => [
	h('p.fewest', t('plays', { n: answer.min_plays })),
	h(
		'ol.plays',
		answer.plays.map((play) =>
			h(
				'li',
				h(
					'div.row',
					h('b', nameOf(play)),
					h('span.small', { lang: language() === 'zh' ? 'en' : 'zh-Hans' }, otherName(play)),
				),
				fan(play),
			),
		),
	),
	h('p', answer.explanation),
	answer.percentile && shares(answer),
];

// Plays in groups that cost the same, and passing where a play is to be beaten.
export function hintRows({ plays, total, min_plays: least }, { shown, pass, onpick }) {
	const rows = plays.slice(0, shown).map((play) => ({
		key: play.kind + play.cards,
		loss: play.loss,
		onclick: () => onpick(play),
		what: [
			fan(play),
			h(
				'span',
				nameOf(play),
				h('span.soft', ` · ${t(play.min_plays_left ? 'left' : 'last', { n: play.min_plays_left })}`),
			),
			['bomb', 'rocket'].map((what) => play[`splits_${what}`] && h('span.splits', t(what))),
		],
	}));
	// Who passes plays nothing now, and as many plays as before later.
	if (pass)
		rows.push({
			key: 'pass',
			loss: 0,
			what: [h('b', t('pass')), h('span.soft', `${t('left', { n: least })} · ${t('turnGone')}`)],
		});
	const losses = [...new Set(rows.map(({ loss }) => loss))].sort((a, b) => a - b);
	return losses.map((loss) => {
		const group = rows.filter((row) => row.loss === loss);
		// The answer may end within a group.
		const known = plays.length === total || plays.at(-1).loss > loss;
		const n = known ? plays.filter((play) => play.loss === loss).length : '…';
		return h(
			'div.ties',
			h('h4', t(loss ? 'moreWays' : 'fewestWays', { n, loss })),
			ranked(
				group.map((row) => ({ ...row, rank: losses.indexOf(loss) + 1 })),
				{ tell: (cost) => `+${cost}` },
			),
		);
	});
}
