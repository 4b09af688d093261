import {
	button,
	curve,
	h,
	histogram,
	Job,
	language,
	linkButton,
	number,
	percent,
	post,
	problemNote,
	redraw,
	s,
	segmented,
	signed,
	table,
} from '../kit.js';
import { ENDS, EXAMPLE, NAMES } from './bankroll.js';
import { betName, outcomeName } from './names.js';
import { t } from './texts.js';
import { betOf, bodyOf, facts, View } from './wager.js';

const KINDS = {
	decisions: ['bet', 'odds', 'stake', 'set', 'decisions', 'seed'],
	sessions: [...NAMES, 'sessions', 'seed'],
};
const WAGER = ['bet', 'odds', 'stake'];

// Further bets as the address holds them, `pass_line*2x*1,place_6*none*6`.
const wagersOf = (text) =>
	(text ? text.split(/,(?=[a-z])/) : []).map((one) => {
		const [bet, odds = 'none', stake = '1'] = one.split('*');
		return { bet, odds, stake };
	});
const textOf = (wagers) => wagers.map((one) => WAGER.map((name) => one[name]).join('*')).join();

export class Simulation extends View {
	mode = 'simulation';
	state = { kind: 'decisions', ...EXAMPLE, decisions: '10000000', sessions: '20000', seed: '42', set: '' };
	#asked;
	#job = new Job('craps/simulations', (job) => this.#told(job));
	#title = h('h2');
	#chart = h('drawn-chart');
	#found = h('div.stack');

	constructor() {
		super();
		this.answer.append(this.#title, this.#job.root, this.#chart, this.#found);
	}

	get query() {
		const { kind } = this.state;
		return Object.fromEntries([
			['mode', this.mode],
			...['kind', ...KINDS[kind]].map((name) => [name, this.state[name]]),
		]);
	}

	// The bets made together, the last from the fields; null for one of one unit.
	get #wagers() {
		const { kind, set, stake } = this.state;
		return kind === 'decisions' && (set || stake !== '1') ? [...wagersOf(set), this.state] : null;
	}

	pointer(name) {
		return this.#wagers && WAGER.includes(name) ? `/bets/${this.#wagers.length - 1}/${name}` : super.pointer(name);
	}

	async restore(query) {
		const { kind, ...asked } = Object.fromEntries(query);
		this.keep({ set: '', ...asked, kind: Object.keys(KINDS).find((one) => one === kind) });
		await this.listed();
		if (this.#asked === JSON.stringify(this.query)) this.draw();
		else this.#run();
	}

	// Drawing after an amount would take away the button that is being clicked.
	change(change) {
		this.keep(change);
		if (['kind', 'bet', 'odds', 'set', undefined].includes(Object.keys(change)[0])) this.draw();
	}

	#run() {
		const { kind } = this.state;
		this.#job.end();
		this.draw();
		const wagers = this.#wagers
			? { bets: this.#wagers.map((one) => bodyOf(one, WAGER)) }
			: bodyOf(this.state, ['bet', 'odds']);
		const rest = bodyOf(this.state, kind === 'sessions' ? KINDS.sessions : ['decisions', 'seed']);
		this.ask(
			post('craps/simulations', { kind, ...wagers, ...rest }),
			(job) => {
				if (!job) return;
				this.keep({ seed: String(job.seed) });
				this.#asked = JSON.stringify(this.query);
				this.#job.follow(job);
			},
			(job) => this.#job.end(job),
		);
	}

	draw() {
		const { kind } = this.state;
		const onsubmit = (event) => {
			event.preventDefault();
			this.#run();
		};
		redraw(
			this.dice,
			h(
				'form.stack',
				{ onsubmit },
				segmented({
					label: t('simulation'),
					name: 'kind',
					value: kind,
					onchange: (now) => this.change({ kind: now }),
					options: Object.keys(KINDS).map((one) => [one, t(one)]),
				}),
				kind === 'decisions' && this.#others(),
				this.fields(...(kind === 'decisions' ? WAGER : NAMES)),
				kind === 'decisions' &&
					button(
						'add',
						t('add'),
						() => this.change({ set: textOf([...wagersOf(this.state.set), this.state]) }),
						'button.quiet.more',
					),
				this.fields(...KINDS[kind].slice(-2)),
				problemNote(this.problem),
				h(
					'div.row',
					h('button.button.primary', { key: 'run', type: 'submit' }, t('run')),
					h('button.button', { key: 'new', type: 'submit', onclick: () => this.keep({ seed: '' }) }, t('new_seed')),
				),
			),
		);
		this.answer.hidden = !this.#job.now;
		this.#job.draw();
	}

	#others() {
		const others = wagersOf(this.state.set);
		return (
			others.length > 0 &&
			h(
				'ul.history',
				others.map((one, i) =>
					h(
						'li.heading',
						h(
							'span',
							betName(betOf(one.bet)),
							h('span.soft', [one.odds === 'none' ? '' : ` · ${t('odds')} ${one.odds}`, ` · × ${one.stake}`]),
						),
						button(
							`remove-${i}`,
							t('remove'),
							() => this.change({ set: textOf(others.toSpliced(i, 1)) }),
							'button.quiet',
						),
					),
				),
			)
		);
	}

	// Shows a job, and returns what it counts.
	#told({ result, request: { kind }, timing }) {
		this.answer.hidden = false;
		this.#chart.hidden = !result;
		this.#title.textContent = t(kind === 'sessions' ? 'success' : 'mean_net');
		redraw(
			this.#found,
			result && [h('p.small', t('bands')), estimatesOf(result)],
			result &&
				!this.#job.busy &&
				h(
					'div.row',
					h('a.button', { download: 'craps.csv', href: `data:text/csv,${encodeURIComponent(csvOf(result))}` }, 'CSV'),
					linkButton(),
				),
		);
		redraw(this.card, result && countsOf(result));
		if (result) this.#chart.draw = chartOf(result);
		return t(kind) + (timing?.rolls_per_second ? t('speed', { n: compact(timing.rolls_per_second) }) : '');
	}
}

const compact = (value) => value.toLocaleString(language(), { notation: 'compact', maximumSignificantDigits: 3 });

const digitsOf = (error) => (error > 0 ? Math.min(9, Math.max(0, Math.ceil(1 - Math.log10(error)))) : 2);

const trials = (point) => point.decisions ?? point.sessions;

// How far the estimate is from the exact value (else from the last estimate), and how far it may be: on logarithmic axes
// chance falls along a straight line.
const chartOf =
	({ convergence, mean_net: net, success }) =>
	(width) => {
		const { estimate, exact = estimate } = net ?? success;
		const half = ([low, high]) => (high - low) / 2;
		const points = convergence
			.filter((point) => half(point.confidence_95) > 0)
			.map((point) => {
				const [anytime, once] = [point.anytime_95 ?? point.confidence_95, point.confidence_95].map(half);
				return [trials(point), Math.abs(point.estimate - exact), [0, anytime], [0, once]];
			});
		if (points.length < 2) return s('svg.chart');
		const [middle, last] = [points[Math.floor(points.length * 0.4)], points.at(-1)];
		const domain = [last[3][1] / 20, Math.max(...points.map((point) => point[2][1])) * 1.2];
		return curve({
			width,
			points,
			log: true,
			names: [
				[middle[0], middle[2][1], t('anytime')],
				[middle[0], middle[3][1], t('once'), 16],
			].slice(success ? 1 : 0),
			label: t('distance'),
			units: [t(net ? 'decisions' : 'sessions'), t('distance')],
			x: compact,
			domain,
			y: (value) => number(value, digitsOf(value)),
		});
	};

function estimatesOf({ win_rate, mean_net, rolls_per_decision, rounds, final_bankroll: final }) {
	const all = final
		? { mean_final: final.mean, expected_rounds: rounds }
		: { chance: win_rate, mean_net, rolls: rolls_per_decision };
	return facts(
		Object.entries(all).map(
			([name, { estimate, standard_error: error, anytime_95: anytime, confidence_95: fixed, exact, z }]) => {
				const factor = name === 'chance' ? 100 : 1;
				const write = (value) => number(value * factor, digitsOf(error * factor));
				const [low, high] = (anytime ?? fixed).map(write);
				return [
					t(name),
					write(estimate),
					t('interval', { low, high }) +
						(exact === undefined ? '' : t('against', { exact: write(exact), z: signed(z) })),
				];
			},
		),
	);
}

function comparison(rows) {
	const most = Math.max(...rows.flatMap(([, observed, exact = 0]) => [observed, exact])) / 100;
	const written = (value, write, digits) => (Number.isFinite(value) ? write(value, digits) : '–');
	return table(
		[t('outcome'), t('observed'), t('exact'), 'z'],
		rows.map(([name, observed, exact, z]) => [
			[
				name,
				h(
					'span.amount',
					h('i', { style: { width: `${observed / most}%` } }),
					exact >= 0 && h('b', { style: { left: `${exact / most}%` } }),
				),
			],
			written(observed * 100, number, 3),
			written(exact * 100, number, 3),
			written(z, signed, 2),
		]),
	);
}

function countsOf(result) {
	const { sessions, decisions, final_bankroll: final } = result;
	const ends = () => {
		const bins = final.histogram.map(({ from, to, count }) => [from, to, count / sessions]);
		const draw = (width) =>
			histogram({
				width,
				label: t('final'),
				units: [t('units', { name: t('final') }), t('sessions')],
				bins,
				x: number,
				y: (share) => percent(share, 0),
			});
		return [
			comparison(Object.keys(ENDS).map((end) => [t(end), result[end].estimate, result[end].exact, result[end].z])),
			h('h2', t('final')),
			h('drawn-chart', { draw }),
		];
	};
	const outcomes = ({ bet, outcomes: list, chi_squared: chi }) => [
		result.bets && h('h3', betName(betOf(bet))),
		comparison(
			list.map(({ label, observed, exact }) => [
				outcomeName(label),
				observed,
				exact,
				(observed - exact) / Math.sqrt((exact * (1 - exact)) / decisions) || 0,
			]),
		),
		chi &&
			h(
				'p.small',
				t('chi', {
					statistic: number(chi.statistic, 2),
					freedom: chi.degrees_of_freedom,
					share: percent(chi.p_value, chi.p_value < 0.01 ? 3 : 0),
				}),
				t(chi.p_value < 0.001 ? 'fitBad' : 'fitGood'),
			),
	];
	return [h('h2', t('outcome')), sessions ? ends() : (result.bets ?? [result]).map(outcomes)];
}

function csvOf(result) {
	const rows = ['what,n,estimate,exact,confidence_95_low,confidence_95_high,anytime_95_low,anytime_95_high'];
	for (const { bet, outcomes = [] } of result.bets ?? [result]) {
		for (const { label, count, observed, exact } of outcomes)
			rows.push(`${result.bets ? `${bet} ${label}` : label},${count},${observed},${exact},,,,`);
	}
	for (const { from, count } of result.final_bankroll?.histogram ?? [])
		rows.push(`final from ${from},${count},${count / result.sessions},,,,,`);
	for (const point of result.convergence)
		rows.push(`convergence,${trials(point)},${point.estimate},,${point.confidence_95},${point.anytime_95}`);
	return rows.join('\n');
}
