import { post } from '../kit.js';
import { COLUMNS, readCard, tokensOf } from './cards.js';

const EXAMPLE = 'S3,H4,C4,D4,S5,H5,C5,D5,H6,C7,S8,D9,HT,SJ,DJ,CQ,SK,H2,B,R';

export function ofQuery(query) {
	const [hand, cards, rules, beat, kind] = ['hand', 'cards', 'rules', 'beat', 'beat_kind'].map(
		(name) => query.get(name) ?? '',
	);
	const own = hand ? typed(hand) : { hand, cards: (cards || EXAMPLE).split(',') };
	return { ...own, rules: rules || 'standard', beat, beat_kind: kind };
}

export const toQuery = (position) => ({ ...position, cards: position.cards?.join(',') });

// The hand of a text, Chinese numerals as digits; with suits in it, the cards that it names.
export const typed = (given) => {
	const text = given.replace(/[三四五六七八九十二]/g, (c) => readCard(c).rank);
	return /[♠♥♣♦]/.test(text) ? { hand: '', cards: tokensOf(text) } : { hand: text, cards: null };
};

export const held = (ids) => ({ hand: '', cards: ids.length ? COLUMNS.flat().filter((id) => ids.includes(id)) : null });

export function dealt(count) {
	const left = COLUMNS.flat();
	return held(Array.from({ length: count }, () => left.splice(Math.floor(Math.random() * left.length), 1)[0]));
}

export const tokens = ({ hand, cards }) => cards ?? tokensOf(hand);

export function without(position, play) {
	const left = [...tokens(position)];
	for (const token of play.cards) left.splice(left.indexOf(token), 1);
	return position.cards && left.length ? { hand: '', cards: left } : typed(left.join(' '));
}

// A hand without suits; what cannot be read stays. `BJ` would be a joker's other name.
export const handText = ({ hand, cards }) =>
	cards
		?.map((token) => readCard(token)?.rank ?? token)
		.join('')
		.replace(/[BR](?=J)/g, '$& ') ?? hand;

const asked = ({ hand, cards, rules }) => ({ ...(cards ? { cards } : { hand }), rules });

export const minPlaysRequest = (position) => post('doudizhu/min-plays', asked(position));

export const readingsRequest = ({ beat, rules }) => post('doudizhu/recognize', asked({ ...typed(beat), rules }));

// What can be played, all or the best; `kind` where the cards on the table leave it open.
export const playsRequest = (position, kind, all) =>
	post('doudizhu/plays', {
		...asked(position),
		beat: position.beat || undefined,
		beat_kind: kind || undefined,
		limit: all ? 1000 : undefined,
	});
