// A position of Yahtzee: `{dice, rolls_left, scorecard, yahtzee_bonuses, rules, objective, chosen}`, from and to the address, and the
// question it makes. What the address says is not judged here: the service does, and its words are shown at the field.

import { post } from '../api.js';

export const UPPER = ['ones', 'twos', 'threes', 'fours', 'fives', 'sixes'];
export const LOWER = [
  'three_of_a_kind', 'four_of_a_kind', 'full_house', 'small_straight', 'large_straight', 'yahtzee', 'chance',
];
export const BOXES = [...UPPER, ...LOWER];
export const PRESETS = ['official', 'free_joker', 'no_yahtzee_bonus', 'plain'];

/** Shown where the address says nothing. */
export const EXAMPLE = {
  dice: [1, 3, 3, 4, 6], rolls_left: 2, scorecard: { ones: 3, yahtzee: 50 }, yahtzee_bonuses: 0, rules: 'official', objective: 'game',
  chosen: '',
};

const whole = (text) => (/^\d{1,4}$/.test(text) ? Number(text) : text);

/** Dice from what somebody typed: `13346`, `1 3 3 4 6`, `1,3,3,4,6`. */
export const diceOf = (text) => (text.match(/\d/g) ?? []).map(Number);

export function ofQuery(query) {
  const own = ['dice', 'rolls_left', 'yahtzee_bonuses', 'rules', 'objective', 'chosen', ...BOXES];
  if (!own.some((name) => query.has(name))) return structuredClone(EXAMPLE);
  const scorecard = {};
  for (const box of BOXES) if (query.has(box)) scorecard[box] = whole(query.get(box));
  return {
    dice: query.has('dice') ? query.get('dice').split(',').filter(Boolean).map(whole) : [...EXAMPLE.dice],
    rolls_left: whole(query.get('rolls_left') ?? '2'),
    scorecard,
    yahtzee_bonuses: whole(query.get('yahtzee_bonuses') ?? '0'),
    rules: query.get('rules') ?? 'official',
    objective: query.get('objective') ?? 'game',
    chosen: query.get('chosen') ?? '',
  };
}

/** The address of a position, in the service's own names for links. */
export const toQuery = (position) => ({
  dice: position.dice.join(','),
  rolls_left: position.rolls_left,
  ...position.scorecard,
  yahtzee_bonuses: position.yahtzee_bonuses || '',
  rules: position.rules === 'official' ? '' : position.rules,
  objective: position.objective === 'game' ? '' : position.objective,
  chosen: position.chosen,
});

/** `reroll:3,3` or `score:threes`, as links write an action. */
export const nameOf = (action) => (action.action === 'reroll' ? `reroll:${action.keep.join(',')}` : `score:${action.category}`);

/** The action of such a name. */
export function actionOf(name) {
  const [action, of = ''] = name.split(':');
  if (action === 'reroll') return { action, keep: of ? of.split(',').map(whole) : [] };
  return { action, category: of };
}

/** The body that asks about a position; what has its usual value is left out. */
export function bodyOf(position, limit) {
  const body = { dice: position.dice, rolls_left: position.rolls_left, scorecard: position.scorecard };
  if (position.yahtzee_bonuses) body.yahtzee_bonuses = position.yahtzee_bonuses;
  if (position.rules !== 'official') body.rules = position.rules;
  if (position.objective !== 'game') body.objective = position.objective;
  if (limit !== 5) body.limit = limit;
  if (position.chosen) body.chosen = actionOf(position.chosen);
  return body;
}

export const adviceRequest = (position, limit) => post('yahtzee/best-action', bodyOf(position, limit));

export const scoreRequest = ({ dice, scorecard, rules }) =>
  post('yahtzee/score', { dice, scorecard, ...(rules === 'official' ? {} : { rules }) });

/** The points that a box can hold. */
export function possiblePoints(box) {
  const face = UPPER.indexOf(box) + 1;
  if (face) return [0, 1, 2, 3, 4, 5].map((n) => n * face);
  const fixed = { full_house: 25, small_straight: 30, large_straight: 40, yahtzee: 50 }[box];
  if (fixed) return [0, fixed];
  const sums = Array.from({ length: 26 }, (_, i) => i + 5);
  return box === 'chance' ? sums : [0, ...sums];
}

/** What a card holds: `{upper, upperBonus, bonuses, total}`. */
export function totals({ scorecard, yahtzee_bonuses: bonuses, rules }) {
  const sum = (boxes) => boxes.reduce((all, box) => all + (Number(scorecard[box]) || 0), 0);
  const upper = sum(UPPER);
  const upperBonus = rules !== 'plain' && upper >= 63 ? 35 : 0;
  const hundreds = 100 * (Number(bonuses) || 0);
  return { upper, upperBonus, bonuses: hundreds, total: upper + upperBonus + sum(LOWER) + hundreds };
}
