// Dice in SVG, and the five of a position.

import { h, s } from '../dom.js';
import { t } from './texts.js';

const [LOW, MID, HIGH] = [27, 50, 73];
const PIPS = [
  [],
  [[MID, MID]],
  [[LOW, LOW], [HIGH, HIGH]],
  [[LOW, LOW], [MID, MID], [HIGH, HIGH]],
  [[LOW, LOW], [HIGH, LOW], [LOW, HIGH], [HIGH, HIGH]],
  [[LOW, LOW], [HIGH, LOW], [MID, MID], [LOW, HIGH], [HIGH, HIGH]],
  [[LOW, LOW], [HIGH, LOW], [LOW, MID], [HIGH, MID], [LOW, HIGH], [HIGH, HIGH]],
];

/** One die; a face that no die has is written out. */
export function die(face) {
  const marks = PIPS[face]?.map(([cx, cy]) => s('circle', { cx, cy, r: 9.5 }))
    ?? [s('text', { x: 50, y: 64, 'text-anchor': 'middle', 'font-size': 40 }, String(face ?? '').slice(0, 3))];
  return s('svg.die', { viewBox: '0 0 100 100', 'aria-hidden': 'true' },
    s('rect', { x: 3, y: 3, width: 94, height: 94, rx: 20 }), marks);
}

/** Small dice in a line, for sentences and rows. */
export const smallDice = (faces) => h('span.small-dice', { role: 'img', 'aria-label': faces.join(' ') }, faces.map(die));

/**
 * The five dice. `marks[i]` is true (kept), false (rerolled) or absent; `onclick(i, button)` and `ondigit(i, face)` make them
 * buttons that can be set; `pressed[i]` makes them toggles. `rolled[i]` lets a die roll once.
 */
export function diceRow({ dice, marks = [], pressed, rolled = [], onclick, ondigit }) {
  return h('div.dice', { role: 'group', 'aria-label': t('dice') }, dice.slice(0, 5).map((face, i) => {
    const mark = marks[i] === undefined ? '' : marks[i] ? '.kept' : '.rerolled';
    const word = marks[i] === undefined ? '' : t(marks[i] ? 'kept' : 'rerolled');
    return h(`div.place${mark}${rolled[i] ? '.rolled' : ''}`, {},
      h('button.die-button', {
        type: 'button', 'data-key': `die-${i}`, 'aria-disabled': !onclick && 'true', 'aria-pressed': pressed && String(Boolean(pressed[i])),
        'aria-label': [t('die', { n: i + 1, face }), word].filter(Boolean).join(', '),
        onclick: (event) => onclick?.(i, event.currentTarget),
        onkeydown: (event) => {
          if (/^[1-6]$/.test(event.key) && ondigit) ondigit(i, Number(event.key));
        },
      }, die(face)),
      h('span.word', { 'aria-hidden': 'true' }, word));
  }));
}
