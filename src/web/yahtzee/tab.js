// The Yahtzee tab: analyse a position, play a game, decide the position of the day. `mode` in the address tells which.

import { h, redraw } from '../dom.js';
import { segmented } from '../elements.js';
import { follow, hrefOf } from '../url.js';
import { Analyse } from './analyse.js';
import { Daily } from './daily.js';
import { Play } from './play.js';
import { t } from './texts.js';

export default class YahtzeeTab extends HTMLElement {
  #modes = { analyse: new Analyse(), play: new Play(), daily: new Daily() };
  #mode;
  #head = h('div.modes');

  restore(query) {
    const asked = query.get('mode');
    this.#mode = Object.hasOwn(this.#modes, asked ?? '') ? asked : 'analyse';
    this.#drawHead();
    this.replaceChildren(this.#head, this.#modes[this.#mode].root);
    this.#modes[this.#mode].restore(query);
  }

  render() {
    this.#drawHead();
    this.#modes[this.#mode].render();
  }

  #drawHead() {
    redraw(this.#head,
      h('h1.unseen', {}, t('title')),
      segmented({
        label: t('mode'), name: 'mode', unseen: true, value: this.#mode, options: Object.keys(this.#modes).map((mode) => [mode, t(mode)]),
        onchange: (mode) => follow(hrefOf('yahtzee', this.#modes[mode].query)),
      }));
  }
}
