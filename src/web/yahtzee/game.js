// A game that the page rolls for: everything follows from its seed and its moves, so that a link holds a whole game.
// The same seed, turn, roll and place show the same face whatever was kept, so that games can be compared.

import { BOXES } from './position.js';

/** A seed that nobody can foresee. */
export const newSeed = () => String(crypto.getRandomValues(new Uint32Array(1))[0]);

/** 32 bits that a text stands for: FNV-1a, then the finaliser of MurmurHash3. */
export function hash(text) {
  let bits = 2166136261;
  for (let i = 0; i < text.length; i += 1) bits = Math.imul(bits ^ text.charCodeAt(i), 16777619);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** A whole number from `low` to `high` that a text stands for. */
export const drawn = (text, low, high) => low + Math.floor((hash(text) / 2 ** 32) * (high - low + 1));

/**
 * Moves as an address holds them, joined by `-`: a number is a reroll (bit i: die i is kept), a letter a box in card order with the
 * points entered and `b` for each bonus of 100.
 */
export const movesToText = (moves) => moves.map((move) =>
  ('keep' in move ? move.keep : `${String.fromCharCode(65 + BOXES.indexOf(move.box))}${move.points}${'b'.repeat(move.bonuses)}`)).join('-');

function moveOf(token) {
  if (/^([0-9]|[12][0-9]|30)$/.test(token)) return { keep: Number(token) };
  const [, letter, points, bonus] = /^([A-M])(\d{1,2})(b?)$/.exec(token) ?? [];
  return letter && { box: BOXES[letter.charCodeAt(0) - 65], points: Number(points), bonuses: bonus.length };
}

/** Moves of an address, up to the first that is none. */
export function movesOfText(text) {
  const moves = (text ? text.split('-') : []).map(moveOf);
  const end = moves.indexOf(undefined);
  return end < 0 ? moves : moves.slice(0, end);
}

/**
 * Plays the moves: `{decisions, now, card, fresh, turn}`. A decision is `{position, turn}`, its position with `chosen`; `now` the
 * position to decide (null when the game is over); `fresh[i]` whether die i was rolled last. Moves from the first that cannot be
 * played on are left out, of `moves` too.
 */
export function replay({ seed, moves, rules }) {
  const decisions = [];
  let [turn, roll, dice, fresh] = [0, 0, [0, 0, 0, 0, 0]];
  let card = { scorecard: {}, yahtzee_bonuses: 0, rules, objective: 'game' };
  const here = (chosen) => ({ dice, rolls_left: 2 - roll, ...card, chosen });
  const throwDice = (kept) => {
    fresh = dice.map((_, place) => !(kept & (1 << place)));
    dice = dice.map((face, place) => (fresh[place] ? drawn(`${seed}/${turn}/${roll}/${place}`, 1, 6) : face));
  };
  throwDice(0);
  for (const { keep, box, points, bonuses } of moves) {
    if (turn === 13 || (box ? box in card.scorecard : roll === 2)) break;
    const kept = dice.filter((_, place) => keep & (1 << place)).sort();
    decisions.push({ position: here(box ? `score:${box}` : `reroll:${kept.join(',')}`), turn });
    if (box) {
      card = { ...card, scorecard: { ...card.scorecard, [box]: points }, yahtzee_bonuses: card.yahtzee_bonuses + bonuses };
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

/**
 * What a game owes to luck and to mistakes, from the decisions with the advice on each, and the advice on the position to decide.
 * The luck of a roll is what the best action is worth after it, less what was expected before it. `last` is that of the last roll.
 */
export function tally(decisions, now) {
  let [luck, lost, last, kept] = [0, 0, 0, null];
  const rolled = ({ best, turn_start_value: start }) => {
    last = best.value - (kept ?? start);
    luck += last;
  };
  for (const { advice } of decisions) {
    rolled(advice);
    lost += advice.chosen.loss;
    kept = advice.chosen.action === 'reroll' ? advice.chosen.value : null;
  }
  if (now) rolled(now);
  return { luck, lost, last, start: (decisions[0]?.advice ?? now).turn_start_value };
}
