import {
	announce,
	Board,
	button,
	entry,
	figures,
	h,
	linkButton,
	moreButton,
	noAnswer,
	number,
	redraw,
	remember,
	segmented,
	signed,
} from '../kit.js';
import { headline, judged, rankedActions } from './answer.js';
import { pointChoices, scoreCard, scoresOf } from './card.js';
import { diceRow, die, face } from './dice.js';
import { Distribution } from './distribution.js';
import { after, entered, missing } from './follow.js';
import { pad } from './pad.js';
import { openPicker } from './picker.js';
import {
	adviceRequest,
	cardOf,
	diceOf,
	EXAMPLE,
	isOver,
	NO_DICE,
	nameOf,
	ofQuery,
	takesBonuses,
	toQuery,
	totals,
} from './position.js';
import { rollsOf, rulesFields } from './rules.js';
import { t } from './texts.js';

const ALL = 50;
const FEW = 8;

export class Analyse extends Board {
	#position;
	#advice;
	#preview;
	#all = false;
	#typed;
	// Positions before the shown one, and the key of what to focus once it is drawn.
	#past = [];
	#aim;
	// The last answer, dimmed while there is no other.
	#last;
	#bar = h('div.answer-bar');
	#distribution = new Distribution(this);

	constructor() {
		super({ cardFirst: true });
		this.root.append(this.#bar);
		this.root.addEventListener('keydown', this.#digit);
		const preview = (event) => this.#show(event.target.closest('.choice')?.dataset.key.slice(7));
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
		// What is typed on is one step back, not one for each key.
		if (typed === undefined || this.#typed === undefined) this.#past.push(this.#position);
		this.#typed = typed;
		this.#position = { ...this.#position, chosen: '', ...change };
		if (change.rules) this.#position.rolls_left = Math.min(this.#position.rolls_left, rollsOf(change.rules) - 1);
		this.render();
	}

	#undo() {
		if (!this.#past.length) return;
		this.#typed = undefined;
		this.#position = this.#past.pop();
		this.render();
	}

	// What the answer is about to lead to: the row that was picked, else the best action.
	get #next() {
		const { chosen } = this.#position;
		return this.#advice?.actions.find((action) => nameOf(action) === chosen) ?? this.#advice?.best;
	}

	#accept() {
		if (this.waiting || !this.#next) return;
		this.#change(after(this.#position, this.#next));
		this.#aimAtDice();
	}

	#enter(faces, at) {
		if (this.waiting) return;
		let position = this.#position;
		if (!missing(position)) {
			if (this.#next?.action !== 'reroll') return;
			position = after(position, this.#next);
		}
		this.#change({ ...position, dice: entered(position, faces, at) });
		this.#aimAtDice();
	}

	// Focuses the next die to be entered; if there is none, what goes on, once the answer is there.
	#aimAtDice() {
		const next = this.#position.dice.indexOf(0);
		this.#aim = next < 0 ? 'accept' : `die-${next}`;
		if (!this.waiting) this.#focus();
	}

	#focus() {
		const found = [...this.root.querySelectorAll(`[data-key="${this.#aim}"]`)];
		const shown = found.find((element) => element.checkVisibility());
		if (!shown) return;
		this.#aim = null;
		shown.focus({ preventScroll: true });
	}

	// A digit enters a die wherever no text is typed.
	#digit = (event) => {
		const { key, target } = event;
		if (!/^[1-6]$/.test(key) || event.ctrlKey || event.metaKey || event.altKey || target.closest('input, select'))
			return;
		const at = /^die-(\d)$/.exec(target.dataset.key)?.[1];
		if (at === undefined || missing(this.#position)) {
			event.preventDefault();
			this.#enter([Number(key)], Number(at));
		}
	};

	render() {
		remember('yahtzee', this.query);
		if (missing(this.#position) || isOver(this.#position)) {
			this.stop();
			this.problem = null;
			this.#advice = null;
			this.code.hidden = true;
			announce(t(isOver(this.#position) ? 'over' : 'enterRoll'));
			return this.draw();
		}
		this.ask(adviceRequest(this.#position, ALL), (advice) => {
			this.#advice = advice;
			this.#last = advice ?? this.#last;
			announce(advice?.explanation);
		});
	}

	draw() {
		this.#drawDice();
		this.#drawCard();
		this.#drawAnswer();
		this.#distribution.show(cardOf(this.#position));
		if (this.#aim && !this.waiting) this.#focus();
	}

	// Marks on the dice what a ranked row would keep, else the best action.
	#show(name) {
		if (name === this.#preview) return;
		this.#preview = name;
		this.#drawDice();
	}

	#drawDice() {
		const { dice, rolls_left: rollsLeft } = this.#position;
		const advice = this.waiting ? null : this.#advice;
		const shown = advice?.actions.find((action) => nameOf(action) === this.#preview) ?? advice?.best;
		const set = (i, face) => this.#change({ dice: this.#position.dice.with(i, face) });
		redraw(
			this.dice,
			h(
				'div.heading',
				h('h2', t('dice')),
				h(
					'div',
					h(
						'button.quiet',
						{ key: 'undo', 'aria-disabled': !this.#past.length && 'true', onclick: () => this.#undo() },
						t('undo'),
					),
					button('random', t('random_dice'), () => this.#change({ dice: dice.map(face) }), 'button.quiet'),
				),
			),
			diceRow({
				dice,
				marks: shown?.keep_mask ?? (missing(this.#position) ? dice.map((face) => face > 0 || undefined) : []),
				onclick: (i, button) =>
					openPicker(
						button,
						t('pick'),
						[1, 2, 3, 4, 5, 6].map((face) => ({
							content: die(face),
							label: String(face),
							chosen: face === dice[i],
							onpick: () => {
								set(i, face);
								this.#aimAtDice();
							},
						})),
					),
				ondigit: (i, face) => {
					if (missing(this.#position)) return;
					set(i, face);
					this.dice.querySelector(`[data-key="die-${Math.min(i + 1, 4)}"]`)?.focus();
				},
			}),
			this.#pad(),
			h(
				'div.row.inputs',
				segmented({
					label: t('rolls_left'),
					name: 'rolls',
					options: [0, 1, 2].slice(0, rollsOf(this.#position.rules)).map((n) => [n, n]),
					value: rollsLeft,
					faults: this.faults('/rolls_left'),
					onchange: (value) => this.#change({ rolls_left: value }),
				}),
				this.#typing(dice),
			),
			h('p.small', t('dieHelp')),
		);
	}

	#pad() {
		const { rolls_left: rollsLeft } = this.#position;
		const open = missing(this.#position);
		const next = this.#next;
		const room = open || (rollsLeft && next?.action === 'reroll' ? 5 - next.keep.length : 0);
		const label = t(open ? 'whatRolled' : room ? 'rolledAgain' : 'padIdle', { n: room });
		return h(
			'div',
			h(
				'div.heading',
				h('p.small', label),
				button('new', t('new_roll'), () => this.#change({ dice: NO_DICE }), 'button.quiet'),
			),
			pad({ label, room, onpick: (faces) => this.#enter(faces) }),
		);
	}

	#typing(dice) {
		return entry({
			label: t('type_the_dice'),
			name: 'typed',
			faults: this.faults('/dice'),
			inputmode: 'numeric',
			maxlength: 24,
			value: this.#typed ?? dice.filter(Boolean).join(' '),
			oninput: ({ target: { value } }) => {
				this.#typed = value;
				if (diceOf(value).length === 5) this.#change({ dice: diceOf(value) }, value);
			},
			onchange: (text) => this.#change({ dice: diceOf(text) }),
		});
	}

	#dimmed() {
		return (
			this.#last &&
			h('div.dimmed.stack', { inert: true }, headline(this.#last.best, 'div.row'), h('p', this.#last.explanation))
		);
	}

	#acceptButton(key) {
		const next = this.#next;
		const word = next.action === 'reroll' ? 'next_roll' : 'score_it';
		return button(key, t(word), () => this.#accept(), 'button.button.primary');
	}

	#drawAnswer() {
		const advice = this.#advice;
		redraw(this.#bar, advice && [headline(this.#next, 'div.brief'), this.#acceptButton('accept')]);
		this.#bar.hidden = !advice;
		if (isOver(this.#position))
			return redraw(
				this.answer,
				h('h2', t('over')),
				h('div.headline', t('points', { n: totals(this.#position).total })),
				button('again', t('new_game'), () => this.#change({ ...this.#position, scorecard: {}, yahtzee_bonuses: 0 })),
			);
		if (missing(this.#position))
			return redraw(this.answer, h('h2', t('answer')), h('p.soft', t('enterRoll')), this.#dimmed());
		if (!advice) return redraw(this.answer, h('h2', t('answer')), noAnswer(this.problem), this.#dimmed());
		const { best, chosen } = advice;
		const name = this.#position.chosen;
		redraw(
			this.answer,
			h('h2', t('answer')),
			h('div.row.go', headline(best), this.#acceptButton('accept')),
			h('p', advice.explanation),
			figures(
				advice.objective === 'turn'
					? [[t('expectedBox'), number(best.value, 2)]]
					: [
							[t('expected_final_score'), number(advice.expected_final, 2)],
							[t('points_so_far'), number(advice.points_so_far)],
							[t('toCome'), number(best.value, 2)],
							this.#position.rolls_left === rollsOf(this.#position.rules) - 1 && [
								t('luck'),
								signed(best.value - advice.turn_start_value),
							],
						],
			),
			h('h3', t('costs')),
			rankedActions(advice, {
				shown: this.#all ? ALL : FEW,
				chosen: name,
				onpick: (picked) => this.#change({ chosen: picked === name ? '' : picked }),
			}),
			h(
				'div.row',
				advice.action_count > FEW &&
					moreButton(this.#all, advice.action_count, () => {
						this.#all = !this.#all;
						this.#drawAnswer();
					}),
				chosen ? h('span.row.mine', h('b', t('your_move')), judged(advice)) : h('span.small', t('grading')),
			),
		);
	}

	#drawCard() {
		const position = this.#position;
		redraw(
			this.card,
			h(
				'div.heading',
				h('h2', t('card')),
				h(
					'div',
					button('example', t('load_example'), () => this.#change(EXAMPLE), 'button.quiet'),
					button('clear', t('clear'), () => this.#change({ scorecard: {}, yahtzee_bonuses: 0 }), 'button.quiet'),
				),
			),
			scoreCard({
				position,
				scores: scoresOf(this.#advice),
				best: this.#advice?.best.category,
				faults: this.faults,
				onbox: (box, button) => this.#pickPoints(box, button),
				onbonuses: (count) => this.#change({ yahtzee_bonuses: count }),
			}),
			rulesFields(
				() => this.#position.rules,
				(rules) => this.#change({ rules }),
				this.faults,
			),
			segmented({
				label: t('best_for'),
				name: 'objective',
				options: ['game', 'turn'].map((name) => [name, t(name)]),
				value: position.objective,
				faults: this.faults('/objective'),
				onchange: (objective) => this.#change({ objective, risk: objective === 'game' && position.risk }),
			}),
			position.objective === 'game' &&
				segmented({
					label: t('risk'),
					name: 'risk',
					options: [false, true].map((shown) => [shown, t(String(shown))]),
					value: position.risk,
					faults: this.faults('/risk'),
					onchange: (risk) => this.#change({ risk }),
				}),
			h('div.row', linkButton()),
		);
	}

	#pickPoints(box, button) {
		const { scorecard, yahtzee_bonuses: bonuses, rules } = this.#position;
		const now = scoresOf(this.#advice)[box];
		const fill = (points) => () => {
			const { [box]: _, ...rest } = scorecard;
			if (points !== undefined) rest[box] = points;
			this.#change({ scorecard: rest, yahtzee_bonuses: takesBonuses({ scorecard: rest, rules }) ? bonuses : 0 });
		};
		openPicker(
			button,
			t('choosePoints', { box: t(box) }),
			...pointChoices({ box, rules, now, filled: scorecard[box], fill }),
		);
	}
}
