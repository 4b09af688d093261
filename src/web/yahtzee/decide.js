// Deciding a position by hand: dice that are held by clicking, a button that rolls the others, a card that is filled by clicking.

import { h } from '../dom.js';
import { scoreCard } from './card.js';
import { diceRow } from './dice.js';
import { BOXES } from './position.js';
import { t } from './texts.js';

/** The dice with what is held, and the button that rolls the others: for the panel of the dice. */
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
    h('div.row', {},
      // Not `disabled`: the button keeps the focus from roll to roll.
      h('button.button.primary', { key: 'roll', 'aria-disabled': idle && 'true', onclick: () => idle || onroll() },
        left > 0 ? t('rollAgain', { n: rest }) : t('noRolls')),
      h('span.small.soft', {}, left > 0 ? t('holdHelp', { n: left }) : t('scoreHelp'))),
  ];
}

/** The card to score in, from advice that ranks every action. */
export function scoring({ position, advice, locked, onscore }) {
  const scores = {};
  for (const box of advice ? BOXES : []) {
    const action = advice.actions.find(({ category }) => category === box);
    scores[box] = { legal: Boolean(action), reason: t('joker'), ...action };
  }
  return scoreCard({
    position, scores,
    usable: (box) => Boolean(!locked && !(box in position.scorecard) && scores[box]?.legal),
    onbox: (box) => onscore(scores[box]),
  });
}
