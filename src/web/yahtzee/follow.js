import { NO_DICE } from './position.js';
import { rollsOf } from './rules.js';

export const missing = ({ dice }) => dice.filter((face) => face === 0).length;

// The position after an action: the rerolled dice, or all of the next turn, are still to be entered.
export function after(position, action) {
	const next = { ...position, chosen: '' };
	if (action.action === 'reroll') {
		const keep = [...action.keep];
		const dice = position.dice.map((face) => {
			const at = keep.indexOf(face);
			return at < 0 ? 0 : keep.splice(at, 1)[0];
		});
		return { ...next, dice, rolls_left: position.rolls_left - 1 };
	}
	return {
		...next,
		dice: NO_DICE,
		rolls_left: rollsOf(position.rules) - 1,
		scorecard: { ...position.scorecard, [action.category]: action.box_points },
		yahtzee_bonuses: position.yahtzee_bonuses + Number(action.yahtzee_bonus > 0),
	};
}

// Fills dice that are still to be entered, from `at` on if that one is.
export function entered({ dice }, faces, at = -1) {
	const filled = [...dice];
	for (const face of faces) {
		const place = filled[at] === 0 ? at : filled.indexOf(0);
		if (place >= 0) filled[place] = face;
	}
	return filled;
}
