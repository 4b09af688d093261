// Deciding a position by hand: dice that are held by clicking, a button that rolls the others, a card that is filled by clicking.

import { h } from '../kit.js';
import { scoreCard } from './card.js';
import { diceRow } from './dice.js';
import { BOXES } from './position.js';
import { t } from './texts.js';

export function holding({ position, held, fresh, locked, onhold, onroll }) {
  const left = position.rolls_left;
  const rest = held.filter((hold) => !hold).length;
  const idle = locked || left === 0 || rest === 0;
  return [
    diceRow({
      dice: position.dice, rolled: fresh, pressed: left > 0 && held,
      marks: left > 0 ? held.map((hold) => hold || undefined) : [],
      onclick: (i) => left > 0 && !locked && onhold(held.with(i, !held[i])),
    }),
    h('div.row',
      // Not `disabled`: the button keeps the focus from roll to roll.
      h('button.button.primary', { key: 'roll', 'aria-disabled': idle && 'true', onclick: () => idle || onroll() },
        left > 0 ? t('rollAgain', { n: rest }) : t('noRolls')),
      h('span.small', left > 0 ? t('holdHelp', { n: left }) : t('scoreHelp'))),
  ];
}

/** What the dice score in each box, from advice that ranks every action: `{box: {legal, reason, box_points, ...}}`. */
export function scoresOf(advice) {
  const of = (box) => advice.actions.find(({ category }) => category === box);
  return Object.fromEntries(advice ? BOXES.map((box) => [box, { legal: Boolean(of(box)), reason: t('joker'), ...of(box) }]) : []);
}

/** The card to score in, from such advice. */
export function scoring({ position, advice, locked, onscore }) {
  const scores = scoresOf(advice);
  return scoreCard({
    position, scores,
    usable: (box) => Boolean(!locked && !(box in position.scorecard) && scores[box]?.legal),
    onbox: (box) => onscore(scores[box]),
  });
}
