// A whole game: the page rolls, the player decides, the service grades every decision.

import {
  Board, Problem, announce, figures, gradeName, h, hrefOf, linkButton, linkTo, moreButton, number, post, problemNote, ranked,
  redraw, remember, signed,
} from '../kit.js';
import { actionNodes, actionText, judged } from './answer.js';
import { rulesSelect, scoreCard } from './card.js';
import { smallDice } from './dice.js';
import { holding, scoring } from './decide.js';
import { movesOfText, movesToText, newSeed, replay, tally } from './game.js';
import { PRESETS, bodyOf, toQuery, totals } from './position.js';
import { t } from './texts.js';

const NONE = Array(5).fill(false);
const RECENT = 6;

const better = (best) => h('span.row.small', t('bestWas'), actionNodes(best));

export class Play extends Board {
  #seed;
  #moves = [];
  #rules = 'official';
  #game;
  /** The advice on each decision so far, and on the position to decide. */
  #advices = [];
  #now;
  #held = NONE;
  #fresh = NONE;
  #all = false;

  constructor() {
    super({ cardFirst: true });
  }

  get query() {
    return { mode: 'play', seed: this.#seed, rules: this.#rules === 'official' ? '' : this.#rules, moves: movesToText(this.#moves) };
  }

  restore(query) {
    const seed = query.get('seed')?.slice(0, 32);
    const rules = PRESETS.find((name) => name === query.get('rules'));
    if (seed) this.#start(seed, rules, movesOfText(query.get('moves')));
    else this.#start(this.#seed ?? newSeed(), rules ?? this.#rules, this.#moves);
  }

  render() {
    this.#start(this.#seed, this.#rules, this.#moves);
  }

  #start(seed, rules = 'official', moves = []) {
    this.#seed = seed;
    this.#rules = rules;
    this.#moves = moves;
    this.#advices = [];
    this.#continue();
  }

  #move(move) {
    if (this.waiting) return;
    this.#moves = [...this.#moves, move];
    this.#continue();
  }

  /** Plays on: one request asks for the grades that are not known yet and for the value of the new roll. */
  #continue() {
    const game = replay({ seed: this.#seed, moves: this.#moves, rules: this.#rules });
    this.#game = game;
    this.#now = null;
    this.#held = NONE;
    remember('yahtzee', this.query);
    const bodies = game.decisions.slice(this.#advices.length).map(({ position }) => bodyOf(position, 1));
    if (game.now) bodies.push(bodyOf(game.now, 50));
    this.ask(post('yahtzee/best-action/batch', { requests: bodies }), (answer) => {
      const refused = answer?.results.find((one) => one.problem);
      if (refused) this.problem = new Problem(refused.problem);
      if (this.problem) return;
      const advices = answer.results.map((one) => one.result);
      this.#now = game.now && advices.pop();
      this.#advices = [...this.#advices, ...advices];
      this.#fresh = game.fresh;
      const last = this.#advices.at(-1);
      announce([
        last && `${actionText(last.chosen)}: ${gradeName(last.chosen.grade)}`, game.now ? game.now.dice.join(' ') : t('over'),
      ].filter(Boolean).join('. '));
    });
  }

  draw() {
    const { now, card, turn } = this.#game;
    const locked = this.waiting || !this.#now;
    const again = h('button.button', { key: 'new', onclick: () => this.#start(newSeed(), this.#rules) }, t('newGame'));
    redraw(this.dice,
      h('h2', now ? t('turnOf', { n: turn + 1 }) : t('over')),
      now ? holding({
        position: now, held: this.#held, fresh: this.#fresh, locked,
        onhold: (held) => { if (!this.waiting) { this.#held = held; this.draw(); } },
        onroll: () => this.#move({ keep: this.#held.reduce((bits, hold, i) => bits | (hold << i), 0) }),
      }) : [h('div.headline', t('points', { n: totals(card).total })), again],
      now && this.#lastDecision());
    this.#fresh = NONE;
    redraw(this.card,
      h('h2', t('card')),
      now ? scoring({
        position: now, advice: this.#now, locked,
        onscore: (box) => this.#move({ box: box.category, points: box.box_points, bonuses: box.yahtzee_bonus / 100 }),
      }) : scoreCard({ position: card, usable: () => false }),
      h('div.row.inputs.bottom-aligned',
        rulesSelect(this.#rules, (rules) => this.#start(newSeed(), rules)),
        now && again,
        linkButton(() => linkTo('yahtzee', this.query))),
      h('p.small', t('seedIs', { seed: this.#seed })));
    this.#drawAnswer();
  }

  #lastDecision() {
    const last = this.#advices.at(-1);
    if (!last) return null;
    const { chosen, best } = last;
    return h('div.last.row', h('span.soft', t('lastDecision')), actionNodes(chosen), judged(last, false),
      chosen.grade !== 'best' && better(best));
  }

  #drawAnswer() {
    const { decisions, now } = this.#game;
    const known = this.#advices.map((advice, i) => ({ ...decisions[i], advice }));
    const done = known.length === decisions.length && (this.#now || !now);
    const { luck, lost, last, start } = done ? tally(known, this.#now) : {};
    redraw(this.answer,
      h('h2', t(now ? 'tally' : 'worst')),
      problemNote(this.problem),
      !now && this.#worst(known),
      done && figures([
        [t('atStart'), number(start, 2)],
        [t('byLuck'), signed(luck, 2)],
        [t('byMistakes'), signed(-lost, 2)],
        [t(now ? 'nowExpected' : 'finalScore'), number(start + luck - lost, now ? 2 : 0)],
      ]),
      done && now && h('p.small', `${t('luck')}: ${signed(last, 2)}`),
      known.length > 0 && [
        h('h3', t('decisions')),
        this.#lines(known.toReversed().slice(0, this.#all ? known.length : RECENT)),
        known.length > RECENT && moreButton(this.#all, known.length, () => { this.#all = !this.#all; this.#drawAnswer(); }),
      ]);
  }

  #lines(decisions, detailed) {
    return ranked(decisions.map(({ position, turn, advice: { chosen, best } }) => ({
      key: `${turn}-${position.rolls_left}`, rank: turn + 1, loss: chosen.loss, href: hrefOf('yahtzee', toQuery(position)),
      what: [smallDice(position.dice), h('span.row', actionNodes(chosen)), detailed && better(best)],
    })));
  }

  #worst(known) {
    const worst = known.filter(({ advice }) => advice.chosen.grade !== 'best')
      .sort((a, b) => b.advice.chosen.loss - a.advice.chosen.loss).slice(0, 3);
    return worst.length ? this.#lines(worst, true) : h('p', t('flawless'));
  }
}
