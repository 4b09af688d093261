// The Yahtzee tab: analyse a position, play a game, solve the daily position.

import { h } from '../dom.js';
import { Analyse } from './analyse.js';
import { t } from './texts.js';

export default class YahtzeeTab extends HTMLElement {
  #analyse = new Analyse();

  restore(query) {
    this.replaceChildren(h('h1.unseen', {}, t('title')), this.#analyse.root);
    this.#analyse.restore(query);
  }

  render() {
    this.#analyse.render();
  }
}
