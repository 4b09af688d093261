// The places of a view: dice and card, and beside them the answer and the request that was made.

import { h } from '../dom.js';

export class Board {
  dice = h('section.panel.stack.dice-panel');
  answer = h('section.panel.stack');
  card = h('section.panel.stack.card-panel');
  code = h('request-code.panel', { hidden: true });

  /** `cardFirst`: on a phone the card follows the dice, else the answer does. */
  constructor({ cardFirst = false } = {}) {
    const side = h('div.side', {}, this.answer, this.code);
    this.root = h('div.board', {}, this.dice, cardFirst ? [this.card, side] : [side, this.card]);
  }

  showRequest(request) {
    this.code.hidden = false;
    this.code.request = request;
  }
}
