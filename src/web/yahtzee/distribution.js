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
		const [size, bins] = binsOf(pmf);
		const median = percentiles.find((one) => one.percent === 50).score;
		return [
			h('drawn-chart', {
				draw: (width) =>
					histogram({
						width,
						mark,
						bins,
						lines: [[median + 0.5, t('median', { n: median })]],
						range: (from, to) => (to - from > 1 ? `${Math.ceil(from)}–${Math.floor(to)}` : String(Math.ceil(from))),
						label: t('likely'),
						units: [t('final_score'), t('games')],
						x: number,
						y: percent,
					}),
			}),
			h('p.small', t('bins', { n: size })),
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
			figures(percentiles.slice(1, 9).map((one) => [`${one.percent}%`, `≤ ${number(one.score)}`])),
		];
	}
}

function reachOf(pmf) {
	let [low, high] = [0, pmf.length - 1];
	for (let left = pmf[0]; left < TAIL; left += pmf[low]) low += 1;
	for (let left = pmf[high]; left < TAIL; left += pmf[high]) high -= 1;
	return [low, high];
}

// The probabilities in bins of a round width, the same on every screen; first that width.
function binsOf(pmf) {
	const [low, high] = reachOf(pmf);
	const size = [1, 2, 5, 10, 20, 50].find((width) => (high - low) / width < 40) ?? 100;
	const first = Math.floor(low / size) * size;
	const bins = Array.from({ length: Math.floor((high - first) / size) + 1 }, (_, i) => {
		const from = first + i * size;
		return [from - 0.5, from + size - 0.5, sum(pmf.slice(from, from + size))];
	});
	return [size, bins];
}
