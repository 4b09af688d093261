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

export const hintRows = (plays, onpick) =>
	ranked(
		plays.map((play) => ({
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
		})),
		{ digits: 0 },
	);
