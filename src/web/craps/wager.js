import { amount, ask, Board, entry, get, h, problemNote, remember, select } from '../kit.js';
import { betName } from './names.js';
import { t } from './texts.js';

const CHOICES = {
	odds: ['none', '1x', '2x', '3-4-5x', '5x', '10x', '20x', '100x'],
	when_short: ['stop', 'partial', 'no_odds'],
};

const UNITS = ['bankroll', 'target', 'stake'];

let list = [];
let asked;

export const betOf = (id) => list.find((bet) => bet.id === id) ?? { id, name: id };

export const groups = () => [...new Set(list.map((bet) => bet.group))];

export const listed = (group) => list.filter((bet) => !group || bet.group === group);

// What a state says of `names`; of odds only where the bet takes them.
export function bodyOf(state, names) {
	const odds = state.odds !== 'none' && /^(pass_line|come|dont_(pass|come)(_bar\d)?)$/.test(state.bet);
	return Object.fromEntries(
		names
			.filter((name) => state[name] && (odds || !CHOICES[name]))
			.map((name) => [name, name === 'bet' || CHOICES[name] ? state[name] : amount(state[name])]),
	);
}

// A view whose `state` the address holds; `load` asks the service.
export class View extends Board {
	get query() {
		return { mode: this.mode, ...this.state };
	}

	restore(query) {
		this.first ??= { ...this.state };
		this.change({ ...this.first, ...Object.fromEntries(query) });
	}

	render() {
		this.change({});
	}

	keep(change) {
		for (const name of Object.keys(this.state)) this.state[name] = change[name] ?? this.state[name];
		remember('craps', this.query);
	}

	// Waits for the list of bets; `unlisted` is why there is none.
	listed() {
		asked ??= ask(get('craps/odds'));
		return asked.then(
			({ bets }) => {
				list = bets;
				this.unlisted = null;
			},
			(problem) => {
				asked = null;
				this.unlisted = Object.assign(problem, { retry: () => this.listed().then(() => this.render()) });
			},
		);
	}

	async change(change) {
		this.keep(change);
		await this.listed();
		// Once the focus has moved on from the field, so that drawing keeps it.
		setTimeout(() => {
			this.draw();
			this.load();
		});
	}

	pointer(name) {
		return `/${name}`;
	}

	fields(...names) {
		return [
			names[0] === 'bet' && problemNote(this.unlisted),
			h(
				'div.row.inputs',
				names.map((name) => this.#field(name)),
			),
		];
	}

	#field(name) {
		const value = this.state[name];
		const onchange = (now) => this.change({ [name]: now });
		const label = UNITS.includes(name) ? t('units', { name: t(name) }) : t(name);
		const common = { label, name, value, faults: this.faults(this.pointer(name)), onchange };
		const odds = { bet: this.state.bet, odds: name === 'odds' ? '1x' : this.state.odds };
		if (CHOICES[name]) {
			const options = CHOICES[name].map((key) => [key, /^\d/.test(key) ? key : t(key)]);
			return bodyOf(odds, ['odds']).odds && select({ ...common, options });
		}
		if (name !== 'bet') return entry(common);
		return select({
			...common,
			options: groups().map((group) => [t(group), listed(group).map((bet) => [bet.id, betName(bet)])]),
		});
	}
}

// Figures below each other: `[name, value, small print?]`.
export const facts = (rows) =>
	h(
		'dl.facts',
		rows.map(([name, value, print = '']) =>
			h(`div${print.length > 16 ? '.long' : ''}`, h('dt', name), print && h('dd.print', print), h('dd', value)),
		),
	);
