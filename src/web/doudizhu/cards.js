import { h, language, roam, s } from '../kit.js';
import { t } from './texts.js';

export const RANKS = [...'3456789TJQKA2BR'];
const SUITS = [...'SHCD'];

// The deck's ids, a column a rank.
export const COLUMNS = [...RANKS.slice(0, 13).map((rank) => SUITS.map((suit) => suit + rank)), ['B', 'R']];

const SHAPES = {
	S: 'M12 2C5 8.5 2 11.5 2 15a4.6 4.6 0 0 0 8.6 2.4L9 22h6l-1.6-4.6A4.6 4.6 0 0 0 22 15c0-3.5-3-6.5-10-13z',
	H: 'M12 21.5C5 15.5 2 12 2 8.2A5.1 5.1 0 0 1 12 6.5 5.1 5.1 0 0 1 22 8.2c0 3.8-3 7.3-10 13.3z',
	C: 'M12 2a4.6 4.6 0 0 0-3.6 7.5 4.7 4.7 0 1 0 2.4 7.6L9.3 22h5.4l-1.5-4.9a4.7 4.7 0 1 0 2.4-7.6A4.6 4.6 0 0 0 12 2z',
	D: 'M12 1.5 20 12 12 22.5 4 12z',
	joker: 'M12 2l3 6.6 7 .8-5.2 4.8 1.4 7-6.2-3.5-6.2 3.5 1.4-7L2 9.4l7-.8z',
};

const NUMERALS = '三四五六七八九十';

// In upper case and half width, with digits for Chinese numerals.
const folded = (token) =>
	[...token.normalize('NFKC').replaceAll('\ufe0f', '').toUpperCase().replace('二', '2')]
		.map((c) => RANKS[NUMERALS.indexOf(c)] ?? c)
		.join('');

// The card of a token in any notation of the service; null if it is no card.
export function readCard(token) {
	const text = folded(token);
	const joker = ['B X 小 小王 小鬼', 'R D 大 大王 大鬼 RJ'].findIndex((names) => names.split(' ').includes(text));
	if (joker >= 0) return { rank: 'BR'[joker] };
	const [, before, rank, after] = /^([SHCD♠♥♣♦])?(10|[2-9TJQKA])([SHCD♠♥♣♦])?$/.exec(text) ?? [];
	if (!rank) return null;
	const suit = before ?? after;
	return { rank: rank === '10' ? 'T' : rank, suit: SUITS['♠♥♣♦'.indexOf(suit)] ?? suit };
}

// The tokens of a typed hand; a suit may be on either side.
export const tokensOf = (text) =>
	text
		.replaceAll('\ufe0f', '')
		.match(/[♠♥♣♦](10|１０|[^\s,，、])|(10|１０|[BR]J|[小大][王鬼]?|[^\s,，、])[♠♥♣♦]?/giu) ?? [];

// The ids of a hand's cards; a card without a suit takes the first that is free.
export function seats(tokens) {
	const taken = new Set();
	const cards = tokens.map(readCard).filter(Boolean);
	for (const { rank, suit } of cards.sort((a, b) => !a.suit - !b.suit)) {
		taken.add(suit ? suit + rank : COLUMNS.flat().find((id) => id.at(-1) === rank && !taken.has(id)));
	}
	return taken;
}

export function written(rank) {
	if (rank === 'T') return '10';
	return language() === 'zh' ? ({ B: '小', R: '大' }[rank] ?? rank) : rank;
}

export function cardName({ rank, suit }) {
	const name = t('ranks').split(',')[RANKS.indexOf(rank)];
	return suit ? t('card', { suit: t(suit), rank: name }) : name;
}

const red = ({ rank, suit }) => (suit === 'H' || suit === 'D' || rank === 'R' ? '.red' : '');
const shape = (name, x, y, size) =>
	s('path', { d: SHAPES[name], transform: `translate(${x} ${y}) scale(${size / 24})` });

export const face = (card) =>
	h(
		`span.face${red(card)}`,
		{ 'aria-hidden': 'true' },
		written(card.rank),
		s('svg', { viewBox: '0 0 24 24' }, shape(card.suit ?? 'joker', 0, 0, 24)),
	);

function drawn(card) {
	const { rank, suit } = card;
	const sign = suit ?? ('BR'.includes(rank) && 'joker');
	const text = (x, y, size) =>
		s('text', { x, y, 'text-anchor': 'middle', 'font-size': rank === 'T' ? size * 0.75 : size }, written(rank));
	return s(
		`svg.card${red(card)}`,
		{ viewBox: '0 0 40 56' },
		s('rect', { x: 0.5, y: 0.5, width: 39, height: 55, rx: 4 }),
		text(9.5, 17, 16),
		sign ? [shape(sign, 4.5, 21, 10), s('g.whole', shape(sign, 17, 31, 19))] : s('g.whole', text(30, 50, 13)),
	);
}

// A play in a fan, its kickers a little apart.
export function fan({ kind, cards }) {
	const read = cards.map(readCard);
	const body = /^triple_/.test(kind)
		? 3
		: /^four_/.test(kind)
			? 4
			: { plane_singles: 0.75, plane_pairs: 0.6 }[kind] * cards.length;
	return h(
		'span.fan',
		{ role: 'img', 'aria-label': read.map(({ rank }) => cardName({ rank })).join(', ') },
		read.map((card, i) => h(i === Math.round(body) ? 'span.kicker' : 'span', drawn(card))),
	);
}

const STEPS = { ArrowLeft: -4, ArrowRight: 4, ArrowUp: -1, ArrowDown: 1 };

let reached = 'S3';

function reach(event) {
	for (const card of event.currentTarget.querySelectorAll('button')) card.tabIndex = card === event.target ? 0 : -1;
	reached = event.target.value;
}

export const deck = ({ held, onclick }) =>
	h(
		'div.deck',
		{ role: 'group', 'aria-label': t('deck'), onkeydown: (event) => roam(event, STEPS), onfocusin: reach },
		COLUMNS.map((ids) =>
			h(
				'div',
				ids.map((id) =>
					h(
						'button',
						{
							value: id,
							key: `card-${id}`,
							'aria-pressed': String(held.has(id)),
							tabindex: id === reached ? '0' : '-1',
							onclick: () => onclick(id),
						},
						h('span.unseen', cardName(readCard(id))),
						face(readCard(id)),
					),
				),
			),
		),
	);
