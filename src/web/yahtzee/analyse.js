// Any position: set it up, see every action ranked, grade one.

import { latest } from '../api.js';
import { announce, h, redraw } from '../dom.js';
import { field, problemNote, segmented, select, verdict } from '../elements.js';
import { number, signed } from '../i18n.js';
import { remember } from '../url.js';
import { figures, headline, rankedActions } from './answer.js';
import { scoreCard } from './card.js';
import { die, diceRow } from './dice.js';
import { openPicker } from './picker.js';
import { PRESETS, adviceRequest, diceOf, nameOf, ofQuery, possiblePoints, scoreRequest, toQuery } from './position.js';
import { t } from './texts.js';

const ALL = 50;
const FEW = 8;

export class Analyse {
  root = h('div.board');
  #position;
  #advice;
  #scores = {};
  #problem;
  #preview;
  #all = false;
  #askAdvice = latest();
  #askScores = latest();
  #dice = h('section.panel.stack.dice-panel');
  #answer = h('section.panel.stack.answer-panel');
  #card = h('section.panel.stack.card-panel');
  #code = h('section.panel.code-panel', { hidden: true }, h('request-code'));

  constructor() {
    this.root.append(this.#dice, this.#answer, this.#card, this.#code);
    const preview = (event) => this.#show(event.target.closest?.('.choice')?.dataset.key.slice('choice-'.length));
    for (const type of ['pointerover', 'focusin']) this.#answer.addEventListener(type, preview);
    for (const type of ['pointerleave', 'focusout']) this.#answer.addEventListener(type, () => this.#show());
  }

  restore(query) {
    this.#position = ofQuery(query);
    this.#ask();
  }

  render() {
    if (this.#position) this.#ask();
  }

  #change(change) {
    this.#position = { ...this.#position, chosen: '', ...change };
    this.#ask();
  }

  async #ask() {
    const position = this.#position;
    remember('yahtzee', toQuery(position));
    const request = adviceRequest(position, ALL);
    this.#draw();
    const scores = this.#askScores(scoreRequest(position)).catch(() => null);
    try {
      const advice = await this.#askAdvice(request);
      if (!advice) return;
      this.#advice = advice;
      this.#problem = null;
    } catch (problem) {
      this.#advice = null;
      this.#problem = problem;
    }
    const boxes = (await scores)?.boxes ?? [];
    if (position !== this.#position) return;
    this.#scores = Object.fromEntries(boxes.map((box) => [box.category, box]));
    this.#code.hidden = false;
    this.#code.firstChild.request = request;
    this.#draw();
    announce(this.#advice?.explanation ?? this.#problem.message);
  }

  #draw() {
    this.#drawDice();
    this.#drawAnswer();
    this.#drawCard();
  }

  /** Marks on the dice what one of the ranked rows would keep; without a name, what the best action keeps. */
  #show(name) {
    if (name === this.#preview) return;
    this.#preview = name;
    this.#drawDice();
  }

  #faults(pointer) {
    return this.#problem?.at?.(pointer) ?? [];
  }

  #drawDice() {
    const { dice, rolls_left: rollsLeft } = this.#position;
    const shown = this.#advice?.actions.find((action) => nameOf(action) === this.#preview) ?? this.#advice?.best;
    const set = (i, face) => this.#change({ dice: dice.with(i, face) });
    redraw(this.#dice,
      h('h2', {}, t('dice')),
      diceRow({
        dice, marks: shown?.keep_mask,
        onclick: (i, button) => openPicker(button, t('pick'), [1, 2, 3, 4, 5, 6].map((face) => ({
          content: die(face), label: String(face), chosen: face === dice[i], onpick: () => set(i, face),
        })), '.faces'),
        ondigit: (i, face) => {
          set(i, face);
          this.#dice.querySelector(`[data-key="die-${Math.min(i + 1, 4)}"]`)?.focus();
        },
      }),
      h('div.row.inputs', {},
        segmented({
          label: t('rollsLeft'), name: 'rolls', options: [[0, '0'], [1, '1'], [2, '2']], value: rollsLeft,
          onchange: (value) => this.#change({ rolls_left: value }),
        }),
        field({
          label: t('typed'), faults: this.#faults('/dice'),
          control: h('input', {
            type: 'text', inputmode: 'numeric', autocomplete: 'off', maxlength: 24, value: dice.join(' '), 'data-key': 'typed',
            oninput: (event) => {
              const typed = diceOf(event.target.value);
              if (typed.length === 5) this.#change({ dice: typed });
            },
            onchange: (event) => this.#change({ dice: diceOf(event.target.value) }),
          }),
        }),
        h('button.button', {
          type: 'button', 'data-key': 'random',
          onclick: () => this.#change({ dice: Array.from({ length: 5 }, () => 1 + Math.floor(Math.random() * 6)) }),
        }, t('roll'))),
      this.#faults('/rolls_left').length > 0 && h('p.fault', { role: 'alert' }, this.#faults('/rolls_left').join(' ')),
      h('p.small.soft', {}, t('dieHelp')));
  }

  #drawAnswer() {
    const advice = this.#advice;
    const told = ['/dice', '/rolls_left', '/scorecard', '/yahtzee_bonuses', '/rules', '/objective'];
    if (!advice) {
      redraw(this.#answer, h('h2', {}, t('answer')), problemNote(this.#problem, told));
      return;
    }
    const { best, chosen, objective } = advice;
    const list = objective === 'turn' ? [[t('expectedBox'), number(best.value, 2)]] : [
      [t('expectedFinal'), number(advice.expected_final, 2)],
      [t('soFar'), number(advice.points_so_far)],
      [t('toCome'), number(best.value, 2)],
      this.#position.rolls_left === 2 && [t('luck'), signed(best.value - advice.turn_start_value, 2)],
    ].filter(Boolean);
    redraw(this.#answer,
      h('h2', {}, t('answer')),
      headline(best),
      h('p', {}, advice.explanation),
      figures(list),
      chosen && h('p.row.mine', {}, h('b', {}, t('yours')), verdict(chosen.grade),
        h('span.soft.figure', {}, t('rankOf', { rank: chosen.rank, n: advice.action_count }))),
      h('h3.small.soft', {}, t('costs')),
      rankedActions(advice, {
        shown: this.#all ? ALL : FEW, chosen: this.#position.chosen, nameOf,
        onpick: (name) => this.#change({ chosen: name === this.#position.chosen ? '' : name }),
      }),
      h('div.row', {},
        advice.action_count > FEW && h('button.quiet', {
          type: 'button', 'data-key': 'all', 'aria-expanded': String(this.#all),
          onclick: () => { this.#all = !this.#all; this.#drawAnswer(); },
        }, this.#all ? t('showFew') : t('showAll', { n: advice.action_count })),
        h('span.small.soft', {}, t('grading'))));
  }

  #drawCard() {
    const position = this.#position;
    const best = this.#advice?.best;
    redraw(this.#card,
      h('h2', {}, t('card')),
      scoreCard({
        position, scores: this.#scores, best: best?.category, faults: (pointer) => this.#faults(pointer),
        onbox: (box, button) => this.#pickPoints(box, button),
        onbonuses: (count) => this.#change({ yahtzee_bonuses: count }),
      }),
      h('div.row.inputs', {},
        select({
          label: t('rules'), name: 'rules', options: PRESETS.map((name) => [name, t(name)]), value: position.rules,
          faults: this.#faults('/rules'), onchange: (rules) => this.#change({ rules }),
        }),
        segmented({
          label: t('objective'), name: 'objective', options: [['game', t('game')], ['turn', t('turn')]], value: position.objective,
          onchange: (objective) => this.#change({ objective }),
        }),
        h('button.button', {
          type: 'button', 'data-key': 'clear', onclick: () => this.#change({ scorecard: {}, yahtzee_bonuses: 0 }),
        }, t('clear'))));
  }

  #pickPoints(box, button) {
    const { scorecard, yahtzee_bonuses: bonuses } = this.#position;
    const held = scorecard[box];
    const now = this.#scores[box];
    const fill = (points) => {
      const rest = { ...scorecard };
      if (points === undefined) delete rest[box];
      else rest[box] = points;
      this.#change({ scorecard: rest, yahtzee_bonuses: rest.yahtzee === 50 ? bonuses : 0 });
    };
    const points = possiblePoints(box).map((n) => ({
      content: String(n), label: t('points', { n }), chosen: n === held, onpick: () => fill(n),
    }));
    if (now?.legal) points.unshift({ content: t('thisRoll', { n: now.box_points }), onpick: () => fill(now.box_points) });
    if (held !== undefined) points.unshift({ content: t('open'), onpick: () => fill(undefined) });
    openPicker(button, t('choosePoints', { box: t(box) }), points, '.numbers');
  }
}
