import {
	amount,
	announce,
	Board,
	button,
	entry,
	figures,
	h,
	histogram,
	Job,
	number,
	percent,
	post,
	problemNote,
	redraw,
} from '../kit.js';
import { t } from './texts.js';

// What is less likely at either end is not drawn.
const TAIL = 5e-4;

const sum = (shares) => shares.reduce((all, share) => all + share, 0);

export class Distribution extends Board {
	#card;
	#given;
	#score;
	#found;
	#job = new Job('yahtzee/distributions', ({ result }) => {
		this.#found = result;
		if (!this.#job.busy) this.draw();
		return t('states');
	});

	constructor({ side }) {
		super();
		side.append(this.answer, this.code);
	}

	// A card to start from (none or a full one hides all), and the score that was reached.
	show(card, score) {
		this.answer.hidden = !card || Object.keys(card.scorecard).length === 13;
		const other = JSON.stringify(card) !== JSON.stringify(this.#card);
		// What was typed over the score stays until another is given.
		if (other || score !== this.#given) this.#given = this.#score = score;
		if (other) {
			this.stop();
			this.#job.end();
			[this.#card, this.#found, this.problem, this.code.hidden] = [card, null, null, true];
			this.#job.follow();
		}
		if (this.#job.busy) this.#job.draw();
		this.draw();
	}

	#ask() {
		this.ask(
			post('yahtzee/distribution', { ...this.#card, full: true }),
			(answer) => {
				this.#found = answer?.pmf && answer;
				this.#job.follow(answer?.id && answer);
				announce(this.#told());
			},
			(answer) => this.#job.end(answer),
		);
	}

	get #mark() {
		return Number.isInteger(this.#score) && this.#score >= 0 ? this.#score : undefined;
	}

	#told() {
		const n = this.#mark;
		if (!this.#found || n === undefined) return '';
		const { pmf } = this.#found;
		const [low, high] = reachOf(pmf);
		const chance = (from, to) => percent(sum(pmf.slice(from, to)), 2);
		const outside = n < low || n > high;
		return (
			t('beats', { n, less: chance(0, n), more: chance(n + 1) }) +
			(outside ? t('outside', { low, high, least: pmf.findIndex(Boolean), most: pmf.length - 1 }) : '')
		);
	}

	draw() {
		if (!this.code.hidden) this.code.draw();
		redraw(
			this.answer,
			h('h2', t('likely')),
			problemNote(this.problem),
			this.#found
				? this.#shown(this.#found)
				: !this.#job.busy &&
						h(
							'div.row',
							button('likely', t('show'), () => this.#ask()),
							this.#given === undefined && h('p.small', t('likelyHelp')),
						),
			!this.#found && this.#job.root,
		);
	}

	#shown({ mean, standard_deviation: deviation, mode, percentiles, pmf }) {
		const [score, mark] = [this.#score, this.#mark];
		return [
			h('drawn-chart', {
				draw: (width) =>
					histogram({
						width,
						mark,
						bins: binsOf(pmf, width / 5),
						label: t('likely'),
						unit: t('final_score'),
						x: number,
						y: percent,
					}),
			}),
			entry({
				label: t('your_score'),
				name: 'score',
				inputmode: 'numeric',
				value: score ?? '',
				faults: score === mark ? [] : [t('noScore')],
				onchange: (text) => {
					this.#score = text ? amount(text) : undefined;
					this.draw();
					announce(this.#told());
				},
			}),
			h('p', this.#told()),
			figures([
				[t('mean'), number(mean, 2)],
				[t('standard_deviation'), number(deviation, 2)],
				[t('likeliest'), number(mode)],
			]),
			h('h3', t('percentiles')),
			figures(percentiles.slice(1, 9).map((one) => [`${one.percent}%`, number(one.score)])),
		];
	}
}

function reachOf(pmf) {
	let [low, high] = [0, pmf.length - 1];
	for (let left = pmf[0]; left < TAIL; left += pmf[low]) low += 1;
	for (let left = pmf[high]; left < TAIL; left += pmf[high]) high -= 1;
	return [low, high];
}

// The probabilities in at most `most` bins of equal width.
function binsOf(pmf, most) {
	const [low, high] = reachOf(pmf);
	const size = Math.ceil((high - low + 1) / most);
	return Array.from({ length: Math.ceil((high - low + 1) / size) }, (_, i) => {
		const from = low + i * size;
		const to = Math.min(from + size, high + 1);
		return [from - 0.5, to - 0.5, sum(pmf.slice(from, to))];
	});
}
