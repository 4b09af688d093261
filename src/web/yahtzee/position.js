// A position of Yahtzee: `{dice, rolls_left, scorecard, yahtzee_bonuses, rules, objective, chosen}`, from and to the address, and the
// question it makes.

import { post } from '../kit.js';

export const UPPER = ['ones', 'twos', 'threes', 'fours', 'fives', 'sixes'];
export const LOWER = [
  'three_of_a_kind', 'four_of_a_kind', 'full_house', 'small_straight', 'large_straight', 'yahtzee', 'chance',
];
export const BOXES = [...UPPER, ...LOWER];
export const PRESETS = ['official', 'free_joker', 'no_yahtzee_bonus', 'plain'];

/** What is meant where nothing is said. */
const USUAL = { yahtzee_bonuses: 0, rules: 'official', objective: 'game' };
const FIELDS = ['dice', 'rolls_left', 'chosen', ...Object.keys(USUAL)];
/** Shown where the address says nothing. */
const EXAMPLE = { dice: [1, 3, 3, 4, 6], rolls_left: 2, scorecard: { ones: 3, yahtzee: 50 }, chosen: '', ...USUAL };

const whole = (text) => (/^\d{1,4}$/.test(text) ? Number(text) : text);
const facesOf = (text) => text.split(',').filter(Boolean).map(whole);
const unusual = (position) => Object.fromEntries(Object.keys(USUAL).map((key) => [key, position[key]]).filter(([key, value]) => value !== USUAL[key]));

/** Dice from what somebody typed: `13346`, `1 3 3 4 6`, `1,3,3,4,6`. */
export const diceOf = (text) => (text.match(/\d/g) ?? []).map(Number);

export function ofQuery(query) {
  const position = { ...EXAMPLE, scorecard: {} };
  let said = false;
  for (const [name, text] of query) {
    const box = BOXES.includes(name);
    if (!box && !FIELDS.includes(name)) continue;
    said = true;
    if (box) position.scorecard[name] = whole(text);
    else position[name] = (name === 'dice' ? facesOf : whole)(text);
  }
  return said ? position : EXAMPLE;
}

/** The address of a position, in the service's own names for links. */
export const toQuery = (position) => ({
  dice: position.dice.join(','), rolls_left: position.rolls_left, ...position.scorecard, ...unusual(position), chosen: position.chosen,
});

/** `reroll:3,3` or `score:threes`, as links write an action. */
export const nameOf = (action) => (action.action === 'reroll' ? `reroll:${action.keep.join(',')}` : `score:${action.category}`);

export function actionOf(name) {
  const [action, of = ''] = name.split(':');
  return action === 'reroll' ? { action, keep: facesOf(of) } : { action, category: of };
}

/** The body that asks about a position; what has its usual value is left out. */
export const bodyOf = (position, limit) => ({
  dice: position.dice, rolls_left: position.rolls_left, scorecard: position.scorecard, ...unusual(position), limit,
  chosen: position.chosen ? actionOf(position.chosen) : undefined,
});

export const adviceRequest = (position, limit) => post('yahtzee/best-action', bodyOf(position, limit));

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
