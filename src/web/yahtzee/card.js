// The score card: boxes that hold points, boxes that are open with what the dice would score there, and the sums.

import { faultNote, h, select } from '../kit.js';
import { t } from './texts.js';
import { LOWER, PRESETS, UPPER, totals } from './position.js';

/**
 * The card of a position. `scores` tell of each box whether and for what its dice score there (see scoresOf), `best` the box to score
 * in, `usable(box)` whether it can be clicked, `onbox(box, button)` what a click does, `faults(pointer)` what the service said.
 */
export function scoreCard({ position, scores = {}, best, usable = () => true, onbox, faults = () => {}, onbonuses }) {
  const { scorecard, rules, yahtzee_bonuses: bonuses } = position;
  const sums = totals(position);

  function row(box) {
    const filled = box in scorecard;
    const score = scores[box];
    const legal = score?.legal ?? true;
    const said = filled ? t('holds') : legal ? t('wouldScore') : score.reason;
    const state = filled ? '.filled' : box === best ? '.best' : legal ? '' : '.illegal';
    return h('li',
      h(`button.box${state}`, {
        key: `box-${box}`, title: !filled && !legal && score.reason, 'aria-disabled': !usable(box) && 'true',
        onclick: (event) => usable(box) && onbox(box, event.currentTarget),
      },
      h('span', t(box), box === best && h('span.unseen', `, ${t('best')}`)),
      h('span.unseen', said),
      h('span.points', filled ? scorecard[box] : !score ? '' : legal ? score.box_points : '–')),
      faultNote(faults(`/scorecard/${box}`)));
  }

  const sum = (name, points, style = '') => h(`li.sum${style}`, h('span', name), h('span.points', points));
  const step = (by, sign) => h('button', {
    key: `bonus${sign}`, 'aria-label': `${t('yahtzeeBonuses')} ${sign}100`, 'aria-disabled': bonuses + by < 0 && 'true',
    onclick: () => bonuses + by >= 0 && onbonuses(bonuses + by),
  }, sign);
  const wrong = faultNote(faults('/yahtzee_bonuses'));
  return h('div.score-card',
    h('ul', { 'aria-label': t('upper') },
      UPPER.map(row),
      rules !== 'plain' && sum(t('subtotal'), `${sums.upper} / 63`),
      rules !== 'plain' && sum(t('bonus'), sums.upperBonus)),
    h('ul', { 'aria-label': t('lower') },
      LOWER.map(row),
      ['official', 'free_joker'].includes(rules) && h('li.sum',
        h('span', t('yahtzeeBonuses')),
        onbonuses && (scorecard.yahtzee === 50 || bonuses > 0) ? h('span.stepper',
          step(-1, '−'), h('span.points', sums.bonuses), step(1, '+')) : h('span.points', sums.bonuses)),
      wrong && h('li', wrong),
      sum(t('total'), sums.total, '.total')));
}

export const rulesSelect = (value, onchange, faults) =>
  select({ label: t('rules'), name: 'rules', options: PRESETS.map((name) => [name, t(name)]), value, faults, onchange });
