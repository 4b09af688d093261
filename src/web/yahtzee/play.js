import {
	announce,
	Board,
	button,
	gradeName,
	h,
	linkButton,
	moreButton,
	number,
	Problem,
	post,
	problemNote,
	punctuated,
	redraw,
	remember,
	signed,
} from '../kit.js';
import { actionNodes, better, decisionRows, judged } from './answer.js';
import { scoreCard, scoring } from './card.js';
import { holding } from './dice.js';
import { Distribution } from './distribution.js';
import { movesOfText, movesToText, newSeed, replay, turnsOf } from './game.js';
import { bodyOf, totals } from './position.js';
import { likelyAfter, reviewRequest, sumOf, tally, turnsTable } from './review.js';
import { rulesFields, rulesOfText, rulesText } from './rules.js';
import { t } from './texts.js';

const NONE = Array(5).fill(false);
const RECENT = 6;

export class Play extends Board {
	#seed;
	#moves = [];
	#rules = 'official';
	#game;
	// The advice on each decision so far, and on the position to decide.
	#advices = [];
	#now;
	#review;
	#distribution = new Distribution(this);
	#held = NONE;
	#fresh = NONE;
	#all = false;
	// Games before the last moves; whether the best action of now is shown.
	#past = [];
	#hint = false;

	constructor() {
		super({ cardFirst: true });
	}

	get query() {
		return { mode: 'play', seed: this.#seed, rules: rulesText(this.#rules), moves: movesToText(this.#moves) };
	}

	restore(query) {
		const seed = query.get('seed')?.slice(0, 32);
		const rules = rulesOfText(query.get('rules'));
		if (seed) this.#start(seed, rules, movesOfText(query.get('moves')));
		else this.#start(this.#seed ?? newSeed(), query.has('rules') ? rules : this.#rules, this.#moves);
	}

	render() {
		this.#start(this.#seed, this.#rules, this.#moves);
	}

	#start(seed, rules, moves = []) {
		this.#seed = seed;
		this.#rules = rules;
		this.#moves = moves;
		this.#advices = [];
		this.#continue();
	}

	// What a step back leads to.
	#keep() {
		this.#past.push([this.#seed, this.#rules, this.#moves]);
	}

	#renew(rules = this.#rules) {
		this.#keep();
		this.#start(newSeed(), rules);
	}

	#takeBack() {
		const before = this.#past.pop();
		if (before) this.#start(...before);
		// A link holds the moves, not what came before them.
		else if (this.#moves.length) this.#start(this.#seed, this.#rules, this.#moves.slice(0, -1));
	}

	#move(move) {
		if (this.waiting) return;
		this.#keep();
		this.#moves = [...this.#moves, move];
		this.#continue();
	}

	// One request asks for the grades not known yet and for the value of the new roll.
	#continue() {
		const game = replay({ seed: this.#seed, moves: this.#moves, rules: this.#rules });
		this.#game = game;
		this.#now = null;
		this.#hint = false;
		this.#held = NONE;
		remember('yahtzee', this.query);
		this.#review = null;
		if (!game.now)
			return this.ask(reviewRequest({ turns: turnsOf(game.decisions) }, this.#rules), (review) => {
				this.#review = review;
				announce(t('over'));
			});
		const bodies = game.decisions.slice(this.#advices.length).map(({ position }) => bodyOf(position, 1));
		bodies.push(bodyOf(game.now, 50));
		this.ask(post('yahtzee/best-action/batch', { requests: bodies }), (answer) => {
			const refused = answer?.results.find((one) => one.problem);
			if (refused) this.problem = new Problem(refused.problem);
			if (this.problem) return;
			const advices = answer.results.map((one) => one.result);
			this.#now = advices.pop();
			this.#advices = [...this.#advices, ...advices];
			this.#fresh = game.fresh;
			const last = this.#advices.at(-1);
			announce([last && gradeName(last.chosen.grade), game.now.dice.join(' ')].filter(Boolean).join('. '));
		});
	}

	draw() {
		const { now, card, turn } = this.#game;
		const locked = this.waiting || !this.#now;
		const again = button('new', t('new_game'), () => this.#renew());
		redraw(
			this.dice,
			h(
				'div.heading',
				h('h2', now ? t('turnOf', { n: turn + 1 }) : t('over')),
				h(
					'div',
					now &&
						h(
							'button.quiet',
							{
								key: 'hint',
								'aria-pressed': String(this.#hint),
								onclick: () => {
									this.#hint = !this.#hint;
									this.draw();
								},
							},
							t('hint'),
						),
					h(
						'button.quiet',
						{
							key: 'back',
							'aria-disabled': !this.#past.length && !this.#moves.length && 'true',
							onclick: () => this.#takeBack(),
						},
						t('take_back'),
					),
				),
			),
			now
				? holding({
						position: now,
						held: this.#held,
						fresh: this.#fresh,
						locked,
						onhold: (held) => {
							if (!this.waiting) {
								this.#held = held;
								this.draw();
							}
						},
						onroll: () => this.#move({ keep: this.#held.reduce((bits, hold, i) => bits | (hold << i), 0) }),
					})
				: [h('div.headline', t('points', { n: totals(card).total })), again],
			now && h('div.last.row', { 'aria-live': 'polite' }, this.#hint ? this.#shownHint() : this.#lastDecision()),
		);
		this.#fresh = NONE;
		redraw(
			this.card,
			h('h2', t('card')),
			now
				? scoring({
						position: now,
						advice: this.#now,
						locked,
						onscore: (box) =>
							this.#move({ box: box.category, points: box.box_points, bonuses: Number(box.yahtzee_bonus > 0) }),
					})
				: scoreCard({ position: card, usable: () => false }),
			rulesFields(
				() => this.#rules,
				(rules) => this.#renew(rules),
				this.faults,
			),
			h('div.row', now && again, linkButton()),
			h('p.small', t('seedIs', { seed: this.#seed })),
		);
		this.#drawAnswer();
		this.#distribution.show(...(likelyAfter(this.#review, this.#rules) ?? []));
	}

	#shownHint() {
		return this.#now ? [h('span.soft', t('bestWas')), actionNodes(this.#now.best)] : null;
	}

	#lastDecision() {
		const last = this.#advices.at(-1);
		if (!last) return null;
		const { chosen, best } = last;
		return [
			h('span.soft', t('lastDecision')),
			actionNodes(chosen),
			judged(last, false),
			chosen.grade !== 'best' && better(best),
		];
	}

	#drawAnswer() {
		// On a phone the review of a finished game comes before its card.
		const over = Boolean(this.#review);
		if (over !== (this.root.lastElementChild === this.card)) this.root.insertBefore(this.card, over ? null : this.side);
		if (over)
			return redraw(this.answer, sumOf(this.#review, this.#rules), h('h2', t('turns')), turnsTable(this.#review));
		const known = this.#advices.map((advice, i) => ({ ...this.#game.decisions[i], advice }));
		redraw(
			this.answer,
			h('h2', t('tally')),
			problemNote(this.problem),
			this.#now && this.#tally(this.#now),
			known.length > 0 && [
				h('h3', t('decisions')),
				decisionRows(known.toReversed().slice(0, this.#all ? known.length : RECENT)),
				known.length > RECENT &&
					moreButton(this.#all, known.length, () => {
						this.#all = !this.#all;
						this.#drawAnswer();
					}),
			],
		);
	}

	// What the game owes to luck and to mistakes: start + luck - mistakes is what is expected now.
	#tally({ best, expected_final: expected, turn_start_value: before }) {
		const start = (this.#advices[0] ?? this.#now).turn_start_value;
		const lost = this.#advices.reduce((sum, { chosen }) => sum + chosen.loss, 0);
		const last = this.#advices.at(-1)?.chosen;
		return [
			tally(start, expected + lost - start, lost, [t('expected_now'), number(expected, 2)]),
			h(
				'p.small',
				punctuated(`${t('luck')}: ${signed(best.value - (last?.action === 'reroll' ? last.value : before))}`),
			),
		];
	}
}
