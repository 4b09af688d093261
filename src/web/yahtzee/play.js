// A whole game: the page rolls, the player decides, the service grades every decision.

import { latest, post } from '../api.js';
import { announce, h, redraw } from '../dom.js';
import { copyButton, gradeName, gradeOf, problemNote, select, verdict } from '../elements.js';
import { number, signed } from '../i18n.js';
import { hrefOf, linkTo, remember } from '../url.js';
import { actionNodes, actionText, figures } from './answer.js';
import { Board } from './board.js';
import { scoreCard } from './card.js';
import { smallDice } from './dice.js';
import { holding, scoring } from './decide.js';
import { movesOfText, movesToText, newSeed, replay, tally } from './game.js';
import { PRESETS, bodyOf, toQuery } from './position.js';
import { t } from './texts.js';

const NOTHING_HELD = [false, false, false, false, false];
const RECENT = 6;

export class Play extends Board {
  #seed;
  #moves = [];
  #rules = 'official';
  #game;
  #advices = [];
  #now;
  #held = NOTHING_HELD;
  #problem;
  #locked = true;
  #all = false;
  #ask = latest();

  constructor() {
    super({ cardFirst: true });
  }

  get query() {
    return { mode: 'play', seed: this.#seed, rules: this.#rules === 'official' ? '' : this.#rules, moves: movesToText(this.#moves) };
  }

  restore(query) {
    const seed = query.get('seed')?.slice(0, 32) || this.#seed || newSeed();
    const rules = PRESETS.find((name) => name === query.get('rules')) ?? 'official';
    const moves = query.has('seed') ? movesOfText(query.get('moves')) : this.#moves;
    this.#start(seed, rules, moves);
  }

  render() {
    if (this.#game) this.#start(this.#seed, this.#rules, this.#moves);
  }

  #start(seed, rules, moves = []) {
    this.#seed = seed;
    this.#rules = rules;
    this.#moves = moves;
    this.#advices = [];
    this.#now = null;
    this.#held = NOTHING_HELD;
    this.#continue();
  }

  #move(move) {
    this.#moves = [...this.#moves, move];
    this.#continue();
  }

  /** Plays on from the moves: asks for the grades that are not known yet and for the value of the new roll, in one request. */
  async #continue() {
    const game = replay({ seed: this.#seed, moves: this.#moves, rules: this.#rules });
    this.#game = game;
    this.#locked = true;
    remember('yahtzee', this.query);
    const known = this.#advices.length;
    const bodies = game.decisions.slice(known).map(({ position }) => bodyOf(position, 1));
    if (game.now) bodies.push(bodyOf(game.now, 50));
    const request = post('yahtzee/best-action/batch', { requests: bodies });
    this.#draw();
    try {
      const answer = await this.#ask(request);
      if (!answer) return;
      const refused = answer.results.find((one) => one.problem);
      if (refused) throw Object.assign(new Error(), { elsewhere: () => [refused.problem.errors?.[0]?.detail ?? refused.problem.detail] });
      const advices = answer.results.map((one) => one.result);
      this.#now = game.now ? advices.pop() : null;
      this.#advices = [...this.#advices, ...advices];
      this.#problem = null;
      this.#locked = false;
      this.#held = NOTHING_HELD;
      this.showRequest(request);
    } catch (problem) {
      if (!problem.elsewhere) throw problem;
      this.#problem = problem;
    }
    this.#draw();
    announce([this.#feedback(), game.now ? game.now.dice.join(' ') : t('over')].filter(Boolean).join('. '));
  }

  #feedback() {
    const { chosen, best } = this.#advices.at(-1) ?? {};
    if (!chosen) return '';
    const cost = chosen.loss < 1e-9 ? '' : `, ${t('lossOf', { n: number(chosen.loss, 2) })}. ${t('bestWas')} ${actionText(best)}`;
    return `${actionText(chosen)}: ${gradeName(chosen.grade)}${cost}`;
  }

  #draw() {
    const { now, card, fresh, turn } = this.#game;
    const again = h('button.button', { type: 'button', 'data-key': 'new', onclick: () => this.#start(newSeed(), this.#rules) }, t('newGame'));
    redraw(this.dice,
      h('h2', {}, now ? t('turnOf', { n: turn + 1 }) : t('over')),
      now ? holding({
        position: now, held: this.#held, fresh: this.#locked ? [] : fresh, locked: this.#locked,
        onhold: (held) => { this.#held = held; this.#draw(); },
        onroll: () => this.#move({ keep: this.#held.reduce((bits, hold, i) => bits | (hold << i), 0) }),
      }) : h('div.row', {}, again),
      now && this.#lastDecision());
    redraw(this.card,
      h('h2', {}, t('card')),
      now ? scoring({
        position: now, advice: this.#now, locked: this.#locked,
        onscore: (box) => this.#move({ box: box.category, points: box.box_points, bonuses: box.yahtzee_bonus / 100 }),
      }) : scoreCard({ position: card, usable: () => false }),
      h('div.row.inputs.bottom-aligned', {},
        select({
          label: t('rules'), name: 'rules', options: PRESETS.map((name) => [name, t(name)]), value: this.#rules,
          onchange: (rules) => this.#start(newSeed(), rules),
        }),
        now && again,
        copyButton(() => linkTo('yahtzee', this.query), t('copyGame'))),
      h('p.small.soft', {}, t('seedIs', { seed: this.#seed })));
    this.#drawAnswer();
  }

  #drawAnswer() {
    const { decisions, now } = this.#game;
    const advices = this.#advices.slice(0, decisions.length);
    if (!advices.length && !this.#now) {
      redraw(this.answer, h('h2', {}, t('tally')), problemNote(this.#problem));
      return;
    }
    const { luck, lost, lucks, start } = tally(decisions.slice(0, advices.length), advices, this.#now);
    redraw(this.answer,
      h('h2', {}, t(now ? 'tally' : 'worst')),
      problemNote(this.#problem),
      !now && this.#worst(decisions, advices),
      figures([
        [t('atStart'), number(start, 2)],
        [t('byLuck'), signed(luck, 2)],
        [t('byMistakes'), signed(-lost, 2)],
        [t(now ? 'nowExpected' : 'finalScore'), number(start + luck - lost, now ? 2 : 0)],
      ]),
      this.#now && h('p.small.soft.figure', {}, t('luckOfRoll', { n: signed(lucks.at(-1), 2) })),
      advices.length > 0 && this.#history(decisions, advices));
  }

  /** What the player did last, and what it cost. */
  #lastDecision() {
    const last = this.#advices.at(-1);
    if (!last) return h('p.last', {}, t('begin'));
    const { chosen, best } = last;
    const cost = chosen.loss >= 1e-9;
    return h('div.last.row', {}, h('span.soft', {}, t('lastDecision')), actionNodes(chosen),
      h('span.row.figure', {}, verdict(chosen.grade), cost && `−${number(chosen.loss, 2)}`),
      cost && h('span.row.soft', {}, t('bestWas'), actionNodes(best)));
  }

  #line({ position, turn }, { chosen, best }, detailed) {
    return h('li', {}, h('a.decision', { href: hrefOf('yahtzee', toQuery(position)) },
      h('span.rank', {}, turn + 1),
      smallDice(position.dice),
      h('span.what', {}, actionNodes(chosen), detailed && h('span.row.soft.small', {}, t('bestWas'), actionNodes(best))),
      h(`span.loss.verdict.grade-${gradeOf(chosen.loss)}`, {}, h('span', {}, chosen.loss < 1e-9 ? t('best') : `−${number(chosen.loss, 2)}`))));
  }

  #worst(decisions, advices) {
    const order = advices.map((advice, i) => ({ advice, decision: decisions[i] }))
      .filter(({ advice }) => advice.chosen.loss >= 1e-9).sort((a, b) => b.advice.chosen.loss - a.advice.chosen.loss).slice(0, 3);
    if (!order.length) return h('p', {}, t('flawless'));
    return h('ol.decisions', {}, order.map(({ decision, advice }) => this.#line(decision, advice, true)));
  }

  #history(decisions, advices) {
    const lines = advices.map((advice, i) => this.#line(decisions[i], advice)).reverse();
    return [
      h('h3.small.soft', {}, t('decisions')),
      h('ol.decisions', {}, this.#all ? lines : lines.slice(0, RECENT)),
      lines.length > RECENT && h('button.quiet.more', {
        type: 'button', 'data-key': 'all', 'aria-expanded': String(this.#all), onclick: () => { this.#all = !this.#all; this.#drawAnswer(); },
      }, this.#all ? t('showFew') : t('showAll', { n: lines.length })),
    ];
  }
}
