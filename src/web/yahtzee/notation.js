import { BOXES } from './position.js';
import { t } from './texts.js';

// A game in lines, a turn each: `13346 33 / 33325 333 / 33366 FH`. A roll is followed by what was kept of it, the last
// one by the box.

const CODES = ['1S', '2S', '3S', '4S', '5S', '6S', '3K', '4K', 'FH', 'SS', 'LS', 'Y', 'C'];
const plain = (text) => text.toLowerCase().replace(/[\s_-]/g, '');

// The box of a code, or of its name in the language of the page.
function boxOf(text) {
	const at = CODES.indexOf(text.toUpperCase().replace(/^([1-6])$/, '$1S'));
	return BOXES[at] ?? BOXES.find((box) => [box, t(box)].some((name) => plain(name) === plain(text)));
}

export const isNotation = (text) => !/^\s*(["[{]|$)/.test(text);

const written = ({ rolls, keeps = [], category }) =>
	rolls
		.map((roll, i) => [roll.join(''), i < rolls.length - 1 ? keeps[i].join('') || '-' : CODES[BOXES.indexOf(category)]])
		.map((pair) => pair.join(' '))
		.join(' / ');

export const toNotation = (turns) => turns.map(written).join('\n');

// The turns of a text; calls `fail(line, text)` with the first part that is none.
export function ofNotation(text, fail) {
	return text
		.split(/[\n;；]/)
		.map((line, i) => [line.trim(), i + 1])
		.filter(([line]) => line)
		.map(([line, n]) => {
			const turn = { rolls: [], keeps: [] };
			const parts = line.split(/[/／]/);
			for (const [i, part] of parts.entries()) {
				const [, dice, rest] = /^\s*([1-6](?:[\s,]*[1-6]){4})(?![1-6])\s*(.*?)\s*$/.exec(part) ?? fail(n, part.trim());
				turn.rolls.push([...dice.replace(/\D/g, '')].map(Number));
				const after = rest.replace(/^(keep|kept|保留)\s*/i, '');
				if (i === parts.length - 1) turn.category = boxOf(after) ?? fail(n, part.trim());
				else if (/^[1-6\s,]*$|^-$/.test(after)) turn.keeps.push([...after.replace(/\D/g, '')].map(Number));
				else fail(n, part.trim());
			}
			return turn;
		});
}
