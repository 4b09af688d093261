// Deciding a position by hand: dice that are held by clicking, a button that rolls the others, a card that is filled by clicking.

import { h } from '../dom.js';
import { scoreCard } from './card.js';
import { diceRow } from './dice.js';
import { t } from './texts.js';

/** What the dice of a position score in each open box, from advice that ranks every action. */
export function scoresOf(advice) {
  return new Proxy(Object.fromEntries((advice?.actions ?? [])
    .filter((action) => action.action === 'score')
    .map((action) => [action.category, { ...action, legal: true }])), {
    get: (boxes, box) => boxes[box] ?? (advice ? { legal: false, reason: t('joker') } : undefined),
  });
}

/** The dice with what is held, and the button that rolls the others: for the panel of the dice. */
export function holding({ position, held, fresh, locked, onhold, onroll }) {
  const rollable = position.rolls_left > 0 && !locked;
  const rest = held.filter((hold) => !hold).length;
  return [
    diceRow({
      dice: position.dice, rolled: fresh, pressed: held, disabled: !rollable,
      marks: position.rolls_left > 0 ? held.map((hold) => (hold ? true : undefined)) : [],
      onclick: (i) => onhold(held.with(i, !held[i])),
    }),
    h('div.row', {},
      h('button.button.primary', { type: 'button', 'data-key': 'roll', disabled: !rollable || rest === 0, onclick: onroll },
        position.rolls_left > 0 ? t('rollAgain', { n: rest }) : t('noRolls')),
      h('span.small.soft', {}, position.rolls_left > 0 ? t('holdHelp', { n: position.rolls_left }) : t('scoreHelp'))),
  ];
}

/** The card to score in. */
export const scoring = ({ position, advice, locked, onscore }) => {
  const scores = scoresOf(advice);
  return scoreCard({
    position, scores,
    usable: (box) => Boolean(!locked && advice && !(box in position.scorecard) && scores[box].legal),
    onbox: (box) => onscore(scores[box]),
  });
};
