import {
	announce,
	Board,
	button,
	entry,
	figures,
	h,
	moreButton,
	noAnswer,
	number,
	redraw,
	remember,
	segmented,
	signed,
} from '../kit.js';
import { headline, judged, rankedActions } from './answer.js';
import { scoreCard, scoresOf } from './card.js';
import { diceRow, die, face } from './dice.js';
import { Distribution } from './distribution.js';
import { openPicker } from './picker.js';
import { adviceRequest, cardOf, diceOf, nameOf, ofQuery, possiblePoints, takesBonuses, toQuery } from './position.js';
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
	#distribution = new Distribution(this);

	constructor() {
		super();
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
		this.#typed = typed;
		this.#position = { ...this.#position, chosen: '', ...change };
		if (change.rules) this.#position.rolls_left = Math.min(this.#position.rolls_left, rollsOf(change.rules) - 1);
		this.render();
	}

	render() {
		remember('yahtzee', this.query);
		this.ask(adviceRequest(this.#position, ALL), (advice) => {
			this.#advice = advice;
			announce(advice?.explanation);
		});
	}

	draw() {
		this.#drawDice();
		this.#drawCard();
		this.#drawAnswer();
		this.#distribution.show(cardOf(this.#position));
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
				button('random', t('random_dice'), () => this.#change({ dice: dice.map(face) }), 'button.quiet'),
			),
			diceRow({
				dice,
				marks: shown?.keep_mask,
				onclick: (i, button) =>
					openPicker(
						button,
						t('pick'),
						[1, 2, 3, 4, 5, 6].map((face) => ({
							content: die(face),
							label: String(face),
							chosen: face === dice[i],
							onpick: () => set(i, face),
						})),
					),
				ondigit: (i, face) => {
					set(i, face);
					this.dice.querySelector(`[data-key="die-${Math.min(i + 1, 4)}"]`)?.focus();
				},
			}),
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

	#typing(dice) {
		return entry({
			label: t('type_the_dice'),
			name: 'typed',
			faults: this.faults('/dice'),
			inputmode: 'numeric',
			maxlength: 24,
			value: this.#typed ?? dice.join(' '),
			oninput: ({ target: { value } }) => {
				this.#typed = value;
				if (diceOf(value).length === 5) this.#change({ dice: diceOf(value) }, value);
			},
			onchange: (text) => this.#change({ dice: diceOf(text) }),
		});
	}

	#drawAnswer() {
		const advice = this.#advice;
		if (!advice) return redraw(this.answer, h('h2', t('answer')), noAnswer(this.problem));
		const { best, chosen } = advice;
		const name = this.#position.chosen;
		redraw(
			this.answer,
			h('h2', t('answer')),
			headline(best),
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
			chosen && h('p.row.mine', h('b', t('your_move')), judged(advice)),
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
				h('span.small', t('grading')),
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
				button('clear', t('clear'), () => this.#change({ scorecard: {}, yahtzee_bonuses: 0 }), 'button.quiet'),
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
				onchange: (objective) => this.#change({ objective }),
			}),
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
		const possible = possiblePoints(box, rules);
		openPicker(
			button,
			t('choosePoints', { box: t(box) }),
			[
				box in scorecard && { content: t('open'), wide: true, onpick: fill() },
				now?.legal && { content: t('thisRoll', { n: now.box_points }), wide: true, onpick: fill(now.box_points) },
				...possible.map((n) => ({
					content: n,
					label: t('points', { n }),
					chosen: n === scorecard[box],
					onpick: fill(n),
				})),
			].filter(Boolean),
			Math.min(6, possible.length),
		);
	}
}
