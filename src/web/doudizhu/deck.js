// The whole deck to click: cards of the hand are pressed. One stop of the tab key; arrows lead on.

import { h, roam } from '../kit.js';
import { COLUMNS, cardName, face, readCard } from './cards.js';
import { t } from './texts.js';

const STEPS = { ArrowLeft: -4, ArrowRight: 4, ArrowUp: -1, ArrowDown: 1 };

let reached = 'S3';

function reach(event) {
  for (const card of event.currentTarget.querySelectorAll('button')) card.tabIndex = card === event.target ? 0 : -1;
  reached = event.target.value;
}

/** The deck; `held` has the ids of the hand's cards, `onclick(id)` takes one in or out. */
export const deck = ({ held, onclick }) => h('div.deck', { role: 'group', 'aria-label': t('deck'), onkeydown: (event) => roam(event, STEPS), onfocusin: reach },
  COLUMNS.map((ids) => h('div', ids.map((id) => h('button', {
    value: id, key: `card-${id}`, 'aria-pressed': String(held.has(id)), tabindex: id === reached ? '0' : '-1',
    onclick: () => onclick(id),
  }, h('span.unseen', cardName(readCard(id))), face(readCard(id)))))));
