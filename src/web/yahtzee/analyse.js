// Any position: set it up, see every action ranked, grade one.

import { Board, announce, field, figures, h, moreButton, number, problemNote, redraw, remember, segmented, signed } from '../kit.js';
import { headline, judged, rankedActions } from './answer.js';
import { rulesSelect, scoreCard } from './card.js';
import { scoresOf } from './decide.js';
import { die, diceRow } from './dice.js';
import { openPicker } from './picker.js';
import { adviceRequest, diceOf, nameOf, ofQuery, possiblePoints, toQuery } from './position.js';
import { t } from './texts.js';

const ALL = 50;
const FEW = 8;

export class Analyse extends Board {
  #position;
  #advice;
  #preview;
  #all = false;
  /** What is being typed, as it is. */
  #typed;

  constructor() {
    super();
    const preview = (event) => this.#show(event.target.closest?.('.choice')?.dataset.key.slice('choice-'.length));
    for (const type of ['pointerover', 'focusin']) this.answer.addEventListener(type, preview);
    for (const type of ['pointerleave', 'focusout']) this.answer.addEventListener(type, () => this.#show());
  }

  get query() {
    return this.#position ? toQuery(this.#position) : {};
  }

  restore(query) {
    this.#position = ofQuery(query);
    this.render();
  }

  #change(change, typed) {
    this.#typed = typed;
    this.#position = { ...this.#position, chosen: '', ...change };
    this.render();
  }

  render() {
    remember('yahtzee', this.query);
    this.ask(adviceRequest(this.#position, ALL), (advice) => {
      this.#advice = advice;
      announce(advice?.explanation ?? this.problem.message);
    });
  }

  draw() {
    this.#drawDice();
    this.#drawCard();
    this.#drawAnswer();
  }

  /** Marks on the dice what one of the ranked rows would keep; without a name, what the best action keeps. */
  #show(name) {
    if (name === this.#preview) return;
    this.#preview = name;
    this.#drawDice();
  }

  #faults(pointer) {
    return this.problem?.at(pointer);
  }

  #drawDice() {
    const { dice, rolls_left: rollsLeft } = this.#position;
    const advice = this.waiting ? null : this.#advice;
    const shown = advice?.actions.find((action) => nameOf(action) === this.#preview) ?? advice?.best;
    const set = (i, face) => this.#change({ dice: this.#position.dice.with(i, face) });
    redraw(this.dice,
      h('div.heading', h('h2', t('dice')),
        h('button.quiet', {
          key: 'random',
          onclick: () => this.#change({ dice: Array.from({ length: 5 }, () => 1 + Math.floor(Math.random() * 6)) }),
        }, t('roll'))),
      diceRow({
        dice, marks: shown?.keep_mask,
        onclick: (i, button) => openPicker(button, t('pick'), [1, 2, 3, 4, 5, 6].map((face) => ({
          content: die(face), label: String(face), chosen: face === dice[i], onpick: () => set(i, face),
        }))),
        ondigit: (i, face) => {
          set(i, face);
          this.dice.querySelector(`[data-key="die-${Math.min(i + 1, 4)}"]`)?.focus();
        },
      }),
      h('div.row.inputs',
        segmented({
          label: t('rollsLeft'), name: 'rolls', options: [[0, '0'], [1, '1'], [2, '2']], value: rollsLeft,
          faults: this.#faults('/rolls_left'), onchange: (value) => this.#change({ rolls_left: value }),
        }),
        field({ label: t('typed'), faults: this.#faults('/dice'), control: this.#typing(dice) })),
      h('p.small', t('dieHelp')));
  }

  #typing(dice) {
    return h('input', {
      type: 'text', inputmode: 'numeric', autocomplete: 'off', maxlength: 24, value: this.#typed ?? dice.join(' '), key: 'typed',
      oninput: ({ target: { value } }) => {
        this.#typed = value;
        if (diceOf(value).length === 5) this.#change({ dice: diceOf(value) }, value);
      },
      onchange: ({ target }) => this.#change({ dice: diceOf(target.value) }),
    });
  }

  #drawAnswer() {
    const advice = this.#advice;
    if (!advice) {
      redraw(this.answer, h('h2', t('answer')),
        problemNote(this.problem) || h('p.soft', t(this.problem ? 'mend' : 'asking')));
      return;
    }
    const { best, chosen } = advice;
    const name = this.#position.chosen;
    redraw(this.answer,
      h('h2', t('answer')),
      headline(best),
      h('p', advice.explanation),
      figures(advice.objective === 'turn' ? [[t('expectedBox'), number(best.value, 2)]] : [
        [t('expectedFinal'), number(advice.expected_final, 2)],
        [t('soFar'), number(advice.points_so_far)],
        [t('toCome'), number(best.value, 2)],
        ...(this.#position.rolls_left === 2 ? [[t('luck'), signed(best.value - advice.turn_start_value, 2)]] : []),
      ]),
      chosen && h('p.row.mine', h('b', t('yours')), judged(advice)),
      h('h3', t('costs')),
      rankedActions(advice, {
        shown: this.#all ? ALL : FEW, chosen: name, onpick: (picked) => this.#change({ chosen: picked === name ? '' : picked }),
      }),
      h('div.row',
        advice.action_count > FEW
          && moreButton(this.#all, advice.action_count, () => { this.#all = !this.#all; this.#drawAnswer(); }),
        h('span.small', t('grading'))));
  }

  #drawCard() {
    const position = this.#position;
    redraw(this.card,
      h('div.heading', h('h2', t('card')),
        h('button.quiet', { key: 'clear', onclick: () => this.#change({ scorecard: {}, yahtzee_bonuses: 0 }) }, t('clear'))),
      scoreCard({
        position, scores: scoresOf(this.#advice), best: this.#advice?.best.category, faults: (pointer) => this.#faults(pointer),
        onbox: (box, button) => this.#pickPoints(box, button),
        onbonuses: (count) => this.#change({ yahtzee_bonuses: count }),
      }),
      h('div.row.inputs',
        rulesSelect(position.rules, (rules) => this.#change({ rules }), this.#faults('/rules')),
        segmented({
          label: t('objective'), name: 'objective', options: [['game', t('game')], ['turn', t('turn')]], value: position.objective,
          faults: this.#faults('/objective'), onchange: (objective) => this.#change({ objective }),
        })));
  }

  #pickPoints(box, button) {
    const { scorecard, yahtzee_bonuses: bonuses } = this.#position;
    const now = scoresOf(this.#advice)[box];
    const fill = (points) => () => {
      const { [box]: _, ...rest } = scorecard;
      if (points !== undefined) rest[box] = points;
      this.#change({ scorecard: rest, yahtzee_bonuses: rest.yahtzee === 50 ? bonuses : 0 });
    };
    const possible = possiblePoints(box);
    openPicker(button, t('choosePoints', { box: t(box) }), [
      ...(box in scorecard ? [{ content: t('open'), wide: true, onpick: fill(undefined) }] : []),
      ...(now?.legal ? [{ content: t('thisRoll', { n: now.box_points }), wide: true, onpick: fill(now.box_points) }] : []),
      ...possible.map((n) => ({ content: n, label: t('points', { n }), chosen: n === scorecard[box], onpick: fill(n) })),
    ], Math.min(6, possible.length));
  }
}
