import { actionOf, BOXES } from './position.js';
import { rollsOf } from './rules.js';

export const newSeed = () => String(crypto.getRandomValues(new Uint32Array(1))[0]);

// 32 bits of a text: FNV-1a, then the finaliser of MurmurHash3.
function hash(text) {
	let bits = 2166136261;
	for (let i = 0; i < text.length; i += 1) bits = Math.imul(bits ^ text.charCodeAt(i), 16777619);
	bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
	bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
	return (bits ^ (bits >>> 16)) >>> 0;
}

export const drawn = (text, low, high) => low + Math.floor((hash(text) / 2 ** 32) * (high - low + 1));

// Moves in an address: a number is a reroll (bit i: die i is kept), a letter a box in card order with its points and
// `b` for a Yahtzee bonus.
export const movesToText = (moves) =>
	moves
		.map((move) =>
			'keep' in move
				? move.keep
				: `${String.fromCharCode(65 + BOXES.indexOf(move.box))}${move.points}${'b'.repeat(move.bonuses)}`,
		)
		.join('-');

function moveOf(token) {
	if (/^([0-9]|[12][0-9]|30)$/.test(token)) return { keep: Number(token) };
	const [, letter, points, bonus] = /^([A-M])(\d{1,4})(b?)$/.exec(token) ?? [];
	return letter && { box: BOXES[letter.charCodeAt(0) - 65], points: Number(points), bonuses: bonus.length };
}

// Moves of an address, up to the first that is none.
export function movesOfText(text) {
	const moves = (text ? text.split('-') : []).map(moveOf);
	const end = moves.indexOf(undefined);
	return end < 0 ? moves : moves.slice(0, end);
}

// Plays the moves up to the first that cannot be played: `{decisions, now, card, fresh, turn}`. A decision is
// `{position, turn}`; `now` the position to decide, null when the game is over; `fresh[i]` whether die i was rolled
// last.
export function replay({ seed, moves, rules }) {
	const decisions = [];
	let [turn, roll, dice, fresh] = [0, 0, [0, 0, 0, 0, 0]];
	let card = { scorecard: {}, yahtzee_bonuses: 0, rules, objective: 'game' };
	const last = rollsOf(rules) - 1;
	const here = (chosen) => ({ dice, rolls_left: last - roll, ...card, chosen });
	const throwDice = (kept) => {
		fresh = dice.map((_, place) => !(kept & (1 << place)));
		dice = dice.map((face, place) => (fresh[place] ? drawn(`${seed}/${turn}/${roll}/${place}`, 1, 6) : face));
	};
	throwDice(0);
	for (const { keep, box, points, bonuses } of moves) {
		if (turn === 13 || (box ? box in card.scorecard : roll === last)) break;
		const kept = dice.filter((_, place) => keep & (1 << place)).sort();
		decisions.push({ position: here(box ? `score:${box}` : `reroll:${kept.join(',')}`), turn });
		if (box) {
			card = {
				...card,
				scorecard: { ...card.scorecard, [box]: points },
				yahtzee_bonuses: card.yahtzee_bonuses + bonuses,
			};
			turn += 1;
			roll = 0;
		} else {
			roll += 1;
		}
		throwDice(box ? 0 : keep);
	}
	moves.length = decisions.length;
	return { decisions, now: turn === 13 ? null : here(''), card, fresh, turn };
}

export function turnsOf(decisions) {
	const turns = [];
	for (const {
		position: { dice, chosen },
		turn,
	} of decisions) {
		turns[turn] ??= { rolls: [], keeps: [] };
		const { keep, category } = actionOf(chosen);
		turns[turn].rolls.push(dice);
		if (keep) turns[turn].keeps.push(keep);
		else turns[turn].category = category;
	}
	return turns.filter((turn) => turn.category);
}
