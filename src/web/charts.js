import { s } from './dom.js';

class DrawnChart extends HTMLElement {
	#draw;
	#width = 0;
	#observer = new ResizeObserver(() => this.#update());

	connectedCallback() {
		this.#observer.observe(this);
	}

	set draw(draw) {
		this.#draw = draw;
		this.#width = 0;
		this.#update();
	}

	#update() {
		const width = this.clientWidth;
		if (!this.#draw || !width || width === this.#width) return;
		this.#width = width;
		this.replaceChildren(this.#draw(width));
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

const [LEFT, TOP, BOTTOM, HEIGHT, RIGHT] = [56, 8, 200, 244, 12];

const scale = (low, high, from, to) => (value) => from + ((value - low) / (high - low || 1)) * (to - from);

// Axes, marked at `rows` and `columns` (`py` and `px` tell where, `y` and `x` in which words), and what is drawn in
// them.
function framed({ width, label, unit, rows, columns, px, py, x, y }, ...drawn) {
	const right = width - RIGHT;
	const level = (style, at) => s(`line.${style}`, { x1: LEFT, x2: right, y1: at, y2: at });
	const text = (left, top, anchor, words) => s('text', { x: left, y: top, 'text-anchor': anchor }, words);
	return s(
		'svg.chart',
		{ width, height: HEIGHT, role: 'img', 'aria-label': label },
		rows.map((value) => [level('grid', py(value)), text(LEFT - 8, py(value) + 4, 'end', y(value))]),
		columns.map((value) => text(px(value), BOTTOM + 18, 'middle', x(value))),
		text(right, HEIGHT - 4, 'end', unit),
		drawn,
		level('axis', BOTTOM),
	);
}

// A curve: `points` are `[x, value, ...bands]`, a band and the `domain` of the values `[low, high]`, x by its
// logarithm where `log`, `exact` a level to compare, `label` for screen readers.
export function curve({ points, exact, domain, log, ...words }) {
	const [on, off] = log ? [Math.log10, (power) => 10 ** power] : [Number, Number];
	const [first, last] = [points[0], points.at(-1)].map(([x]) => on(x));
	const [x1, x2] = [LEFT, words.width - RIGHT];
	const across = scale(first, last, x1, x2);
	const px = (x) => across(on(x));
	const py = scale(...domain, BOTTOM, TOP);
	const path = (all) => all.map(([x, y], i) => `${i ? 'L' : 'M'}${px(x).toFixed(1)} ${py(y).toFixed(1)}`).join('');
	const side = (at, end) => points.map((point) => [point[0], point[at][end]]);
	const band = (at) => s('path.band', { d: `${path([...side(at, 1), ...side(at, 0).reverse()])}Z` });
	const columns = ticks(first, last, words.width / 96)
		.filter(Number.isInteger)
		.map(off);
	return framed(
		{ ...words, px, py, rows: ticks(...domain, 4), columns },
		s('clipPath', { id: 'shown' }, s('rect', { x: x1, y: TOP, width: x2 - x1, height: BOTTOM - TOP })),
		s(
			'g',
			{ 'clip-path': 'url(#shown)' },
			points[0].slice(2).map((_, i) => band(i + 2)),
			s('path.curve', { d: path(points) }),
		),
		exact !== undefined && s('line.exact', { x1, x2, y1: py(exact), y2: py(exact) }),
	);
}

// How often values fell between others: `bins` are `[from, to, share]`; what is above `mark` is paler.
export function histogram({ bins, mark = Infinity, ...words }) {
	const [low, high] = [bins[0][0], bins.at(-1)[1]];
	const most = Math.max(...bins.map(([, , share]) => share));
	const px = scale(low, high, LEFT, words.width - RIGHT);
	const py = scale(0, most, BOTTOM, TOP);
	const at = px(mark);
	return framed(
		{ ...words, px, py, rows: ticks(0, most, 4), columns: ticks(low, high, words.width / 64) },
		bins.map(([from, to, share]) =>
			s(`rect.bar${from > mark ? '.pale' : ''}`, {
				x: px(from),
				width: Math.max(1, px(to) - px(from) - 1),
				y: py(share),
				height: BOTTOM - py(share),
			}),
		),
		mark > low && mark < high && s('line.exact', { x1: at, x2: at, y1: TOP, y2: BOTTOM }),
	);
}
