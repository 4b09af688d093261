// A view of a tab: places for what is asked (`dice`), the answer, the request and more (`card`); and how a question is asked.

import { latest } from './api.js';
import { h } from './dom.js';

/** Milliseconds that an answer may take before the view is drawn without it; a faster one comes without a flicker. */
const PATIENCE = 120;

export class Board {
  dice = h('section.panel.stack.dice-panel');
  answer = h('section.panel.stack');
  card = h('section.panel.stack.card-panel');
  code = h('request-code.panel', { hidden: true });
  problem = null;
  /** Whether an answer is awaited: what is shown may be older. */
  waiting = false;
  #latest = latest();

  /** `cardFirst`: on a phone the card follows the dice, else the answer does. */
  constructor({ cardFirst = false } = {}) {
    const side = h('div.side', {}, this.answer, this.code);
    this.root = h('div.board', {}, this.dice, cardFirst ? [this.card, side] : [side, this.card]);
  }

  wait(whether) {
    this.waiting = whether;
    this.root.setAttribute('aria-busy', whether);
  }

  /** Asks, shows the request, and gives the answer to `take(answer)`; then draws. `answer` is null where there is a problem. */
  async ask(request, take) {
    this.wait(true);
    const slow = setTimeout(() => this.draw(), PATIENCE);
    let answer = null;
    let problem = null;
    try {
      answer = await this.#latest(request);
      if (!answer) return;
    } catch (error) {
      if (!error.elsewhere) throw error;
      problem = error;
    } finally {
      clearTimeout(slow);
    }
    this.wait(false);
    this.problem = problem;
    this.code.hidden = false;
    this.code.request = request;
    await take(answer);
    this.draw();
  }
}
