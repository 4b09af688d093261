import { h, s } from './dom.js';
import { table } from './elements.js';
import { texts } from './i18n.js';

const t = texts({
	point: ['Point at the chart, or touch it, to read values.', '指向或触摸图表即可读数。'],
	as_table: '以表格显示',
});

// What `draw(width)` returns, with a line that reads values off it, and its values as a table.
class DrawnChart extends HTMLElement {
	#draw;
	#width = 0;
	#open = false;
	#observer = new ResizeObserver(() => this.#update());
	#readout = h('p.small.readout');

	connectedCallback() {
		this.#observer.observe(this);
		for (const type of ['pointermove', 'pointerdown']) this.addEventListener(type, this.#read);
	}

	set draw(draw) {
		this.#draw = draw;
		this.#width = 0;
		this.#update();
	}

	#read = ({ target, clientX }) => {
		const chart = target.closest('.chart');
		if (chart) this.#readout.textContent = chart.tell(clientX - chart.getBoundingClientRect().left);
	};

	#update() {
		const width = this.clientWidth;
		if (!this.#draw || !width || width === this.#width) return;
		this.#width = width;
		const chart = this.#draw(width);
		this.#readout.textContent = t('point');
		const ontoggle = ({ target }) => {
			this.#open = target.open;
			if (this.#open && !target.querySelector('table')) target.append(table(chart.heads, chart.rows));
		};
		this.replaceChildren(
			chart,
			this.#readout,
			h('details', { open: this.#open, ontoggle }, h('summary', { key: 'as-table' }, t('as_table'))),
		);
	}
}
customElements.define('drawn-chart', DrawnChart);

// Round values from `low` to `high`, about `count` of them.
function ticks(low, high, count) {
	const rough = (high - low) / count || 1;
	const unit = 10 ** Math.floor(Math.log10(rough));
	const step = unit * ([1, 2, 5].find((m) => m * unit >= rough) ?? 10);
	const first = Math.ceil(low / step - 1e-9);
	return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step);
}

const [LEFT, TOP, BOTTOM, HEIGHT, RIGHT] = [56, 24, 216, 260, 12];

const scale = (low, high, from, to) => (value) => from + ((value - low) / (high - low || 1)) * (to - from);
const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

const text = (x, y, anchor, words, style = '') => s(`text${style}`, { x, y, 'text-anchor': anchor }, words);

// Axes, marked at `rows` and `columns` (`py` and `px` tell where, `y` and `x` in which words, `units` what they are),
// and what is drawn in them.
function framed({ width, label, units, rows, columns, px, py, x, y, links }, ...drawn) {
	const right = width - RIGHT;
	const level = (style, at) => s(`line.${style}`, { x1: LEFT, x2: right, y1: at, y2: at });
	return s(
		'svg.chart',
		{ width, height: HEIGHT, role: links ? 'group' : 'img', 'aria-label': label },
		rows.map((value) => [level('grid', py(value)), text(LEFT - 8, py(value) + 4, 'end', y(value))]),
		columns.map((value) => text(px(value), BOTTOM + 18, 'middle', x(value))),
		text(right, HEIGHT - 4, 'end', units[0]),
		text(0, 12, 'start', units[1]),
		drawn,
		level('axis', BOTTOM),
	);
}

const POWERS = [Math.log10, (power) => 10 ** power];

// A curve: `points` are `[x, value, ...bands]`, a band and the `domain` of the values `[low, high]`, x and the values by
// their logarithms if `log`, `exact` a level to compare, `label` for screen readers, `units` of x and of the values.
// `marks` are `{x, y, href, label, style}`, `names` are
// `[x, value, text, below?]`.
export function curve({ points, exact, domain, log, marks = [], names = [], ...words }) {
	const [on, off] = log ? POWERS : [Number, Number];
	const [first, last] = [points[0], points.at(-1)].map(([x]) => on(x));
	const [x1, x2] = [LEFT, words.width - RIGHT];
	const across = scale(first, last, x1, x2);
	const px = (x) => across(on(x));
	const [low, high] = domain.map(on);
	const up = scale(low, high, BOTTOM, TOP);
	const py = (value) => up(log && value <= domain[0] ? low : on(value));
	const path = (all) => all.map(([x, y], i) => `${i ? 'L' : 'M'}${px(x).toFixed(1)} ${py(y).toFixed(1)}`).join('');
	const side = (at, end) => points.map((point) => [point[0], point[at][end]]);
	const band = (at) => s('path.band', { d: `${path([...side(at, 1), ...side(at, 0).reverse()])}Z` });
	const whole = (from, to, count) => ticks(from, to, count).filter(Number.isInteger).map(off);
	const { x, y, units } = words;
	const chart = framed(
		{
			...words,
			px,
			py,
			rows: log ? whole(low, high, 4) : ticks(...domain, 4),
			columns: whole(first, last, words.width / 96),
			links: marks.length,
		},
		s('clipPath', { id: 'shown' }, s('rect', { x: x1, y: TOP, width: x2 - x1, height: BOTTOM - TOP })),
		s(
			'g',
			{ 'clip-path': 'url(#shown)' },
			points[0].slice(2).map((_, i) => band(i + 2)),
			s('path.curve', { d: path(points) }),
		),
		exact !== undefined && s('line.exact', { x1, x2, y1: py(exact), y2: py(exact) }),
		names.map(([at, value, name, below = -6]) =>
			text(px(at), clamp(py(value) + below, TOP + 10, BOTTOM - 4), 'start', name, '.name'),
		),
		marks.map(({ x: at, y: value, href, label, style }) =>
			s(
				'a',
				{ href, 'aria-label': label },
				// A finger is wider than the dot.
				s('circle', { cx: px(at), cy: py(value), r: 22, fill: 'transparent' }),
				s(`circle.mark.${style}`, { cx: px(at), cy: py(value), r: 6 }),
				s('title', label),
			),
		),
	);
	const told = points.filter(([at], i) => at !== points[i + 1]?.[0]);
	return Object.assign(chart, {
		heads: units,
		rows: told.map(([at, value]) => [x(at), y(value)]),
		tell: (left) => {
			const near = told.findLast(([at]) => px(at) <= left + 2) ?? told[0];
			return `${units[0]} ${x(near[0])}: ${y(near[1])} (${units[1]})`;
		},
	});
}

// How often values fell between others: `bins` are `[from, to, share]`; what is above `mark` is paler. `lines` are
// `[value, name]`, `range(from, to)` words for a bin.
export function histogram({ bins, mark = Infinity, lines = [], range, ...words }) {
	const [low, high] = [bins[0][0], bins.at(-1)[1]];
	const most = Math.max(...bins.map(([, , share]) => share));
	const px = scale(low, high, LEFT, words.width - RIGHT);
	const py = scale(0, most, BOTTOM, TOP);
	const inside = [...lines, [mark]].filter(([value]) => value > low && value < high);
	const { x, y, units } = words;
	const named = range ?? ((from, to) => `${x(from)}–${x(to)}`);
	const chart = framed(
		{ ...words, px, py, rows: ticks(0, most, 4), columns: ticks(low, high, words.width / 64) },
		bins.map(([from, to, share]) =>
			s(`rect.bar${from > mark ? '.pale' : ''}`, {
				x: px(from),
				width: Math.max(1, px(to) - px(from) - 1),
				y: py(share),
				height: BOTTOM - py(share),
			}),
		),
		inside.map(([value, name]) => [
			s('line.exact', { x1: px(value), x2: px(value), y1: TOP, y2: BOTTOM }),
			name && text(px(value) + 4, TOP + 10, 'start', name, '.name'),
		]),
	);
	const told = ([from, to, share]) => [named(from, to), y(share)];
	return Object.assign(chart, {
		heads: units,
		rows: bins.map(told),
		tell: (left) => told(bins.find(([, to]) => px(to) >= left) ?? bins.at(-1)).join(': '),
	});
}
