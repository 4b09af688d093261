// The bets, views that ask about them, and figures below each other.

import { Board, ask, field, get, h, remember, select } from '../kit.js';
import { betName } from './names.js';
import { t } from './texts.js';

const CHOICES = { odds: ['none', '1x', '2x', '3-4-5x', '5x', '10x', '20x', '100x'], when_short: ['stop', 'partial', 'no_odds'] };

const UNITS = ['bankroll', 'target', 'stake'];

let list = [];
let asked;

export const bets = () => (asked ??= ask(get('craps/odds')).then((answer) => { list = answer.bets; }, () => { asked = null; }));

/** The bet of an id; where there is none, one without figures. */
export const betOf = (id) => list.find((bet) => bet.id === id) ?? { id, name: id };

export const groups = () => [...new Set(list.map((bet) => bet.group))];

export const listed = (group) => list.filter((bet) => !group || bet.group === group);

/** What was typed (`1,000,000`, `1e6`) as a number; for the service to judge where it is none. */
export function amount(text) {
  const value = Number(text.replace(/[\s,_]/g, '') || NaN);
  return Number.isFinite(value) ? value : text;
}

/** What a state says of `names`, as a request does; of odds only where the bet takes them. */
export function bodyOf(state, names) {
  const odds = state.odds !== 'none' && /^(pass_line|come|dont_(pass|come)(_bar\d)?)$/.test(state.bet);
  return Object.fromEntries(names.filter((name) => state[name] && (odds || !CHOICES[name]))
    .map((name) => [name, name === 'bet' || CHOICES[name] ? state[name] : amount(state[name])]));
}

/** A view whose `state` the address holds; `load` asks the service. */
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

  /** Changes the state, where it has the names of the change. */
  keep(change) {
    for (const name of Object.keys(this.state)) this.state[name] = change[name] ?? this.state[name];
    remember('craps', this.query);
  }

  async change(change) {
    this.keep(change);
    await bets();
    // Once the focus has moved on from the field, so that drawing keeps it.
    setTimeout(() => {
      this.draw();
      this.load();
    });
  }

  /** Where the request says it. */
  pointer(name) {
    return `/${name}`;
  }

  fields(...names) {
    return h('div.row.inputs', names.map((name) => this.#field(name)));
  }

  #field(name) {
    const value = this.state[name];
    const onchange = (now) => this.change({ [name]: now });
    const label = UNITS.includes(name) ? t('units', { name: t(name) }) : t(name);
    const common = { label, name, value, faults: this.problem?.at(this.pointer(name)), onchange };
    const odds = { bet: this.state.bet, odds: name === 'odds' ? '1x' : this.state.odds };
    if (CHOICES[name]) {
      const options = [...new Set([...CHOICES[name], value])].map((key) => [key, /^\d/.test(key) ? key : t(key)]);
      return bodyOf(odds, ['odds']).odds && select({ ...common, options });
    }
    if (name !== 'bet') {
      return field({ ...common, control: h('input', { autocomplete: 'off', key: name, value, onchange: ({ target }) => onchange(target.value.trim()) }) });
    }
    const options = groups().map((group) => [t(group), listed(group).map((bet) => [bet.id, betName(bet)])]);
    return select({ ...common, options: betOf(value).group ? options : [[value, value], ...options] });
  }
}

/** Figures below each other: `[name, value, small print?]`. */
export const facts = (rows) => h('dl.facts', rows.map(([name, value, print = '']) => h(`div${print.length > 16 ? '.long' : ''}`,
  h('dt', name), print && h('dd.print', print), h('dd', value))));
