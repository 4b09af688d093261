// A game that the page rolls for: everything follows from its seed and its moves, so that a link holds a whole game.

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

/** The face that a die shows: the same for a seed, turn, roll and place whatever was kept, so that games can be compared. */
const rolledFace = (seed, turn, roll, place) => drawn(`${seed}/${turn}/${roll}/${place}`, 1, 6);
const firstRoll = (seed, turn) => [0, 1, 2, 3, 4].map((place) => rolledFace(seed, turn, 0, place));

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
 * Plays the moves: `{decisions, now, card, fresh}`. A decision is `{position, turn}`, its position with `chosen`; `now` the
 * position to decide (null when the game is over); `card` the card as it stands; `fresh[i]` whether die i was rolled last. Moves
 * after the first that cannot be played are left out, of `moves` too.
 */
export function replay({ seed, moves, rules }) {
  const decisions = [];
  let [turn, roll, dice] = [0, 0, firstRoll(seed, 0)];
  let fresh = [true, true, true, true, true];
  let card = { scorecard: {}, yahtzee_bonuses: 0, rules };
  const here = (chosen) => ({ dice, rolls_left: 2 - roll, ...card, objective: 'game', chosen });
  for (const move of moves) {
    const reroll = 'keep' in move;
    if (turn === 13 || (reroll ? roll === 2 : move.box in card.scorecard)) break;
    const kept = (place) => Boolean(move.keep & (1 << place));
    const chosen = reroll ? `reroll:${dice.filter((_, place) => kept(place)).sort().join(',')}` : `score:${move.box}`;
    decisions.push({ position: here(chosen), turn });
    if (reroll) {
      roll += 1;
      fresh = dice.map((_, place) => !kept(place));
      dice = dice.map((face, place) => (kept(place) ? face : rolledFace(seed, turn, roll, place)));
    } else {
      turn += 1;
      [roll, dice, fresh] = [0, firstRoll(seed, turn), [true, true, true, true, true]];
      card = {
        rules,
        scorecard: { ...card.scorecard, [move.box]: move.points },
        yahtzee_bonuses: card.yahtzee_bonuses + move.bonuses,
      };
    }
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
