import { entry, get, h, hrefOf, linkButton, number, problemNote, redraw, select, signed } from '../kit.js';
import { betName, outcomeName, pays } from './names.js';
import { t } from './texts.js';
import { betOf, bodyOf, facts, groups, listed, View } from './wager.js';

const COLUMNS = {
	chance: (bet) => bet.per_bet_made.win,
	made: (bet) => bet.house_edge.per_bet_made,
	resolved: (bet) => bet.house_edge.per_bet_resolved,
	roll: (bet) => bet.house_edge.per_roll,
	rolls: (bet) => bet.expected_rolls,
};
// A name without what it says in brackets, which the details have.
const shortName = (bet) => betName(bet).replace(/ \(.*\)$/, '');

// How much of a bet the casino keeps, in four steps.
const tintOf = (edge) => ['none', 'low', 'middle'].find((_, i) => edge < [1e-9, 0.02, 0.06][i]) ?? 'high';

const EDGES = ['made', 'resolved', 'roll'];
const CLOSED = '-';

const fact = (name, { value, fraction }, unit = '') => [
	name,
	number(unit ? value * 100 : value, 4) + unit,
	fraction.replace(/\/1$/, ''),
];

export class Bets extends View {
	state = { group: '', find: '', sort: '', bet: 'pass_line', odds: '3-4-5x' };
	#bet;

	load() {
		const { bet } = this.state;
		if (bet !== CLOSED)
			this.ask(get(`craps/odds/${encodeURIComponent(bet)}`, bodyOf(this.state, ['odds'])), (answer) => {
				this.#bet = answer;
			});
	}

	draw() {
		const { group, find, sort, bet: id } = this.state;
		const key = sort.replace('-', '');
		const value = COLUMNS[key];
		const rows = listed(group).filter((bet) => betName(bet).toLowerCase().includes(find.toLowerCase()));
		if (value) rows.sort((a, b) => value(a).value - value(b).value);
		if (key === 'bet') rows.sort((a, b) => betName(a).localeCompare(betName(b), undefined, { numeric: true }));
		if (key !== sort) rows.reverse();
		this.#drawDetails();
		redraw(
			this.dice,
			h(
				'div.row.inputs',
				select({
					label: t('bets'),
					name: 'group',
					value: group,
					onchange: (now) => this.change({ group: now }),
					options: [['', t('all')], ...groups().map((name) => [name, t(name)])],
				}),
				entry({
					label: t('find'),
					name: 'find',
					value: find,
					oninput: (event) => event.isComposing || this.#find(event.target.value),
					oncompositionend: (event) => this.#find(event.target.value),
				}),
			),
			h(
				'table.table',
				{ 'aria-label': t('bets') },
				this.#header(),
				h(
					'tbody',
					rows.map((bet) => this.#row(bet)),
				),
			),
			!rows.length && !this.unlisted && h('p.soft', t('nothing')),
			problemNote(this.unlisted),
			h('p.small', t('conventions')),
			rows.every((bet) => bet.id !== id) && [this.answer, this.code],
		);
		this.answer.hidden = id === CLOSED;
	}

	#find(text) {
		this.keep({ find: text });
		this.draw();
	}

	#header() {
		const sorter = (key, rowspan, style = '') => {
			const now = { [key]: 'ascending', [`-${key}`]: 'descending' }[this.state.sort];
			return h(
				`th${style}`,
				{ scope: 'col', 'aria-sort': now, rowspan },
				h('button', { key, onclick: () => this.change({ sort: now === 'ascending' ? `-${key}` : key }) }, t(key)),
			);
		};
		return h(
			'thead',
			h(
				'tr',
				sorter('bet', 2, '.left'),
				h('th.left.extra', { scope: 'col', rowspan: 2 }, t('pays')),
				sorter('chance', 2, '.extra'),
				h('th.over', { colspan: 3, scope: 'colgroup' }, t('edge')),
				sorter('rolls', 2, '.extra'),
			),
			h(
				'tr',
				EDGES.map((key) => sorter(key)),
			),
		);
	}

	#row(bet) {
		const open = bet.id === this.state.bet;
		return [
			h(
				`tr.bet${open ? '.opened' : ''}`,
				{ onclick: () => this.change({ bet: open ? CLOSED : bet.id }) },
				h('th.left', { scope: 'row' }, h('button', { key: bet.id, 'aria-expanded': String(open) }, shortName(bet))),
				h('td.left.extra', pays(bet.pays)),
				Object.entries(COLUMNS).map(([key, of]) =>
					h(
						EDGES.includes(key) ? `td.tint-${tintOf(of(bet).value)}` : 'td.extra',
						{ title: of(bet).fraction },
						key === 'rolls' ? number(of(bet).value, 2) : `${number(of(bet).value * 100, 2)}%`,
					),
				),
			),
			open && h('tr', h('td.left', { colspan: 7 }, this.answer, this.code)),
		];
	}

	#drawDetails() {
		const { bet: id } = this.state;
		const bet = this.#bet?.id === id ? this.#bet : betOf(id);
		const { with_odds: odds } = bet;
		redraw(
			this.answer,
			h(
				'div.stack',
				h('h2', betName(bet)),
				bet.pays && h('p', `${t('pays')} ${pays(bet.pays)}`),
				this.fields('odds'),
				problemNote(this.problem),
				odds && [
					h('h3', t('with_the_odds')),
					facts([
						fact(t('edge_on_all_money'), odds.edge_on_action, '%'),
						fact(t('action'), odds.expected_action),
						[t('deviation'), number(odds.standard_deviation, 4)],
					]),
				],
				h(
					'p.row',
					linkButton(),
					['simulation', 'bankroll'].map((mode) =>
						h('a', { href: hrefOf('craps', { mode, ...bodyOf(this.state, ['bet', 'odds']) }) }, t(mode)),
					),
				),
			),
			bet.pays && [
				h(
					'div',
					h('h3', t('edge')),
					facts([...EDGES.map((key) => fact(t(key), COLUMNS[key](bet), '%')), fact(t('rolls'), bet.expected_rolls)]),
				),
				h(
					'div',
					h('h3', t('outcomes')),
					facts(
						(odds ?? bet).outcomes.map(({ label, net, probability }) =>
							fact(`${outcomeName(label)} ${signed(net.value, net.value % 1 ? 2 : 0)}`, probability, '%'),
						),
					),
				),
			],
		);
	}
}
