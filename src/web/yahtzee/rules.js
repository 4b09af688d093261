import { amount, ask, button, entry, h, number, post, problemNote, punctuated, select, signed } from '../kit.js';
import { t } from './texts.js';

const OFFICIAL = {
	upper_bonus: { points: 35, threshold: 63 },
	yahtzee_bonus: { points: 100, after_zero: false },
	joker: { kind: 'forced', after_zero: true },
	full_house_from_five_of_a_kind: false,
	of_a_kind_scores: 'all_dice',
	rolls_per_turn: 3,
	box_points: { full_house: 25, small_straight: 30, large_straight: 40, yahtzee: 50 },
};
const BARE = { yahtzee_bonus: { points: 0 }, joker: { kind: 'none' } };
const PRESETS = {
	official: {},
	free_joker: { joker: { kind: 'free' } },
	no_yahtzee_bonus: BARE,
	plain: { ...BARE, upper_bonus: { points: 0 } },
};
const BOTH = [true, false];
const CHOICES = {
	kind: ['none', 'forced', 'free', 'loose'],
	after_zero: BOTH,
	full_house_from_five_of_a_kind: BOTH,
	of_a_kind_scores: ['all_dice', 'matching_dice'],
	rolls_per_turn: [1, 2, 3],
};

const CUSTOM = 'custom';

const baseOf = (rules) => rules.base ?? rules;

const mapped = (object, change) =>
	Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));

const isGroup = (name) => OFFICIAL[name].constructor === Object;

// Every switch of rules. What is no switch is left out: the service says what is wrong with it.
export const switchesOf = (rules) =>
	mapped(OFFICIAL, (usual, name) =>
		isGroup(name)
			? mapped(usual, (value, inner) => rules[name]?.[inner] ?? PRESETS[baseOf(rules)]?.[name]?.[inner] ?? value)
			: (rules[name] ?? usual),
	);

export const rollsOf = (rules) => CHOICES.rolls_per_turn.find((n) => n === rules.rolls_per_turn) ?? 3;

function over(base, switches) {
	const usual = switchesOf(base);
	const changed = Object.entries(switches).filter(
		([name, value]) => JSON.stringify(value) !== JSON.stringify(usual[name]),
	);
	return changed.length ? { base, ...Object.fromEntries(changed) } : base;
}

const written = (value) => (value.trim ? value : JSON.stringify(value));

// Rules in an address, and of one.
export const rulesText = (rules) => (rules === 'official' ? '' : written(rules));
export function rulesOfText(text) {
	try {
		const rules = JSON.parse(text) ?? 'official';
		return rules.constructor === Object ? { ...rules, base: rules.base ?? 'official' } : rules;
	} catch {
		return text || 'official';
	}
}

let asked = {};
// What games are worth under the presets.
const usual = {};

function worthOf(base) {
	usual[base] ??= ask(post('yahtzee/rules', { base })).catch(() => {
		delete usual[base];
		return {};
	});
	return usual[base];
}

function worth(rules) {
	const key = rulesText(rules);
	if (asked.key !== key) asked = { key, answer: ask(post('yahtzee/rules', rules.base ? rules : { base: rules })) };
	const line = h('p.small', { 'aria-live': 'polite' }, '…');
	asked.answer.then(
		async ({ expected_final: mean, standard_deviation: deviation }) => {
			const base = rules.base && (await worthOf(rules.base)).expected_final;
			const against = base ? t('against', { difference: signed(mean - base), base: t(rules.base) }) : '';
			line.textContent = t('worth', { mean: number(mean, 2), deviation: number(deviation, 2), against });
		},
		(problem) => {
			asked = {};
			problem.retry = () => line.replaceWith(worth(rules));
			// A switch that is wrong says so itself.
			line.replaceChildren(problem.status === 422 ? '' : problemNote(problem));
		},
	);
	return line;
}

let open = false;

// A choice of a preset, and a drawer with every switch of the rules that `now()` are. `faults(pointer)` is what the
// service said.
export function rulesFields(now, onchange, faults) {
	const rules = now();
	function one(group, name, value) {
		const said = faults(`/rules/${group}${name && `/${name}`}`) ?? [];
		open ||= said.length > 0;
		const set = (to) => {
			const all = switchesOf(now());
			onchange(over(baseOf(now()), { ...all, [group]: name ? { ...all[group], [name]: to } : to }));
		};
		const options = CHOICES[name || group];
		const label = ['', 'points', 'kind'].includes(name) ? t(group) : punctuated(`${t(group)}: ${t(name)}`);
		const common = { label, name: `${group}/${name}`, value: written(value), faults: said };
		return options
			? select({
					...common,
					options: options.map((option) => [String(option), group === 'rolls_per_turn' ? option : t(String(option))]),
					onchange: (to) => set(options.find((option) => String(option) === to)),
				})
			: entry({ ...common, inputmode: 'numeric', onchange: (text) => set(amount(text)) });
	}
	const custom = Object.hasOwn(PRESETS, rules.base ?? '');
	const fields = Object.entries(switchesOf(rules)).map(([group, value]) =>
		isGroup(group) ? Object.entries(value).map(([name, inner]) => one(group, name, inner)) : one(group, '', value),
	);
	const value = () => (open ? worth(rules) : '');
	const drawer = h(
		'details.stack',
		{
			open,
			ontoggle: () => {
				open = drawer.open;
				drawer.lastChild.replaceWith(value());
			},
		},
		h('summary', { key: 'switches' }, t(rules.base ? 'house_rules' : 'every_rule')),
		h('div.rules', fields),
		custom && button('reset', t('reset', { base: t(rules.base) }), () => onchange(rules.base)),
		value(),
	);
	return [
		select({
			label: t('rules'),
			name: 'rules',
			options: [
				...(custom ? [[CUSTOM, t('custom', { base: t(rules.base) })]] : []),
				...Object.keys(PRESETS).map((name) => [name, t(name)]),
			],
			value: custom ? CUSTOM : written(baseOf(rules)),
			onchange: (name) => name !== CUSTOM && onchange(name),
			faults: faults(rules.base ? '/rules/base' : '/rules'),
		}),
		drawer,
	];
}
