import {
	announce,
	ask,
	Board,
	button,
	copyButton,
	gradeName,
	h,
	hrefOf,
	linkTo,
	post,
	problemNote,
	redraw,
	remember,
	signed,
	storage,
} from '../kit.js';
import { actionNodes, headline, judged, rankedActions } from './answer.js';
import { scoreCard, scoring } from './card.js';
import { diceRow, holding } from './dice.js';
import { drawn } from './game.js';
import { adviceRequest, bodyOf, nameOf } from './position.js';
import { t } from './texts.js';

const CANDIDATES = 16;
// How many points better the best action should be: less is a matter of taste, more is obvious.
const TELLING = 0.8;

// Swedes write dates as ISO 8601 does.
const today = () => new Date().toLocaleDateString('sv');
const isDay = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
const dayAfter = (day, days) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

// A card as the best play fills it with a day's dice, and of some rolls the one that tests most.
async function positionOf(day) {
	const card = { scorecard: {}, yahtzee_bonuses: 0 };
	for (let turn = 0, turns = drawn(`${day}/turns`, 3, 9); turn < turns; turn += 1) {
		const played = await ask(
			post('yahtzee/turn', { seed: drawn(`${day}/turn/${turn}`, 0, 2 ** 31), scorecard: card.scorecard }),
		);
		const { category, box_points: points, yahtzee_bonus: bonus } = played.steps.at(-1).best;
		card.scorecard[category] = points;
		card.yahtzee_bonuses += bonus / 100;
	}
	const positions = Array.from({ length: CANDIDATES }, (_, i) => ({
		dice: [0, 1, 2, 3, 4].map((place) => drawn(`${day}/dice/${i}/${place}`, 1, 6)),
		rolls_left: drawn(`${day}/rolls/${i}`, 1, 2),
		...card,
		rules: 'official',
		objective: 'game',
		chosen: '',
	}));
	const { results } = await ask(
		post('yahtzee/best-action/batch', { requests: positions.map((position) => bodyOf(position, 2)) }),
	);
	const distance = results.map(({ result }) => Math.abs(result.actions[1].loss - TELLING));
	return positions[distance.indexOf(Math.min(...distance))];
}

export class Daily extends Board {
	#day;
	#chosen = '';
	#positions = {};
	#position;
	#advice;
	#held = [];

	get query() {
		return { mode: 'daily', date: this.#day, chosen: this.#chosen };
	}

	restore(query) {
		const day = isDay(query.get('date')) ? query.get('date') : today();
		this.#show(day, query.get('chosen') ?? storage.get(`daily-${day}`) ?? '');
	}

	render() {
		this.#show(this.#day, this.#chosen);
	}

	#show(day, chosen) {
		this.#day = day;
		this.#chosen = chosen;
		this.#held = Array(5).fill(false);
		remember('yahtzee', this.query);
		let position;
		this.ask(
			async () => {
				this.#positions[day] ??= await positionOf(day);
				position = { ...this.#positions[day], chosen };
				return adviceRequest(position, 50);
			},
			(advice) => {
				// A link may name an action that this position does not have.
				if (chosen && this.problem?.status === 422) return this.#show(day, '');
				this.#position = position;
				this.#advice = advice;
				if (advice)
					announce(chosen ? `${gradeName(advice.chosen.grade)}. ${advice.explanation}` : position.dice.join(' '));
			},
		);
	}

	#decide(name) {
		if (this.waiting) return;
		storage.set(`daily-${this.#day}`, name);
		this.#show(this.#day, name);
	}

	#result() {
		const { chosen, action_count: count } = this.#advice;
		const line = [
			document.title,
			this.#day,
			gradeName(chosen.grade),
			signed(-chosen.loss),
			t('rankOf', { rank: chosen.rank, n: count }),
		].join(' · ');
		return `${line}\n${linkTo(hrefOf('yahtzee', { mode: 'daily', date: this.#day }))}`;
	}

	draw() {
		const [position, advice] = [this.#position, this.#advice];
		const chosen = advice?.chosen;
		this.answer.hidden = !chosen && !this.problem;
		this.code.hidden = !chosen;
		if (this.problem) redraw(this.answer, problemNote(this.problem));
		if (!advice) return;
		const step = (days, text) =>
			h(
				'a.quiet',
				{ href: hrefOf('yahtzee', { mode: 'daily', date: dayAfter(this.#day, days) }), key: `day-${days}` },
				text,
			);
		redraw(
			this.dice,
			h(
				'div.row.days',
				step(-1, t('previous')),
				h('h2', this.#day),
				this.#day < today() ? step(1, t('next')) : h('span.quiet'),
			),
			chosen
				? diceRow({ dice: position.dice, marks: advice.best.keep_mask })
				: [
						h('p', t('dailyTask', { n: position.rolls_left })),
						holding({
							position,
							held: this.#held,
							locked: this.waiting,
							onhold: (held) => {
								this.#held = held;
								this.draw();
							},
							onroll: () =>
								this.#decide(nameOf({ action: 'reroll', keep: position.dice.filter((_, i) => this.#held[i]).sort() })),
						}),
						h('p.small', t('dailyHow')),
					],
		);
		redraw(
			this.card,
			h('h2', t('card')),
			chosen
				? scoreCard({ position, usable: () => false, best: advice.best.category })
				: scoring({
						position,
						advice,
						locked: this.waiting,
						onscore: ({ category }) => this.#decide(`score:${category}`),
					}),
		);
		if (chosen) this.#drawAnswer(advice);
	}

	#drawAnswer(advice) {
		const { chosen } = advice;
		redraw(
			this.answer,
			h('h2', t('your_move')),
			h('div.headline', actionNodes(chosen)),
			h('p.row', judged(advice)),
			h('pre.result', { tabindex: '0', role: 'region', 'aria-label': t('copy_result') }, this.#result()),
			h(
				'div.row',
				copyButton(() => this.#result(), t('copy_result'), 'button.button.primary'),
				button('again', t('decide_again'), () => this.#decide('')),
			),
			h('h2', t('answer')),
			headline(advice.best),
			h('p', advice.explanation),
			h('h3', t('costs')),
			rankedActions(advice, { shown: 6, chosen: this.#chosen }),
		);
	}
}
