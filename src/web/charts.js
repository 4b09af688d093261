// A chart in SVG, drawn for the width it has: `<drawn-chart>` calls its `.draw(width)` for an SVG element whenever that changes.

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

/** Round values from `low` to `high`, about `count` of them. */
function ticks(low, high, count) {
  const rough = (high - low) / count || 1;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * ([1, 2, 5].find((m) => m * unit >= rough) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step);
}

const [LEFT, TOP, BOTTOM, HEIGHT, RIGHT] = [56, 8, 200, 244, 12];

/** How high a value stands in a domain. */
const heights = (low, high) => (value) => BOTTOM - ((value - low) / (high - low)) * (BOTTOM - TOP);

/** A chart's axes, marked at `rows` and `columns` (`py` and `px` tell where, `y` and `x` in which words), and what is drawn in them. */
function framed({ width, label, unit, rows, columns, px, py, x, y }, ...drawn) {
  const right = width - RIGHT;
  const level = (style, at) => s(`line.${style}`, { x1: LEFT, x2: right, y1: at, y2: at });
  const text = (left, top, anchor, words) => s('text', { x: left, y: top, 'text-anchor': anchor }, words);
  return s('svg.chart', { width, height: HEIGHT, role: 'img', 'aria-label': label },
    rows.map((value) => [level('grid', py(value)), text(LEFT - 8, py(value) + 4, 'end', y(value))]),
    columns.map((value) => text(px(value), BOTTOM + 18, 'middle', x(value))),
    text(right, HEIGHT - 4, 'end', unit), drawn, level('axis', BOTTOM));
}

/**
 * How an estimate narrows on what is exact: `points` are `[trials, estimate, wide interval, narrow interval]`, trials by logarithms;
 * `domain` is `[low, high]` of the estimates. `label` is for screen readers.
 */
export function narrowing({ points, exact, domain, ...words }) {
  const right = words.width - RIGHT;
  const [first, last] = [points[0], points.at(-1)].map(([trials]) => Math.log10(trials));
  const px = (trials) => LEFT + ((Math.log10(trials) - first) / (last - first || 1)) * (right - LEFT);
  const py = heights(...domain);
  const path = (all) => all.map(([trials, value], i) => `${i ? 'L' : 'M'}${px(trials).toFixed(1)} ${py(value).toFixed(1)}`).join('');
  const side = (at, end) => points.map((point) => [point[0], point[at][end]]);
  const band = (at) => s('path.band', { d: `${path([...side(at, 1), ...side(at, 0).reverse()])}Z` });
  const powers = ticks(first, last, words.width / 96).filter(Number.isInteger);
  return framed({ ...words, px, py, rows: ticks(...domain, 4), columns: powers.map((power) => 10 ** power) },
    s('clipPath', { id: 'shown' }, s('rect', { x: LEFT, y: TOP, width: right - LEFT, height: BOTTOM - TOP })),
    s('g', { 'clip-path': 'url(#shown)' }, band(2), band(3), s('path.curve', { d: path(points) })),
    exact !== undefined && s('line.exact', { x1: LEFT, x2: right, y1: py(exact), y2: py(exact) }));
}

/** How often values fell between others: `bins` are `[from, to, share]`. */
export function histogram({ bins, ...words }) {
  const [low, high] = [bins[0][0], bins.at(-1)[1]];
  const most = Math.max(...bins.map(([, , share]) => share));
  const px = (value) => LEFT + ((value - low) / (high - low)) * (words.width - RIGHT - LEFT);
  const py = heights(0, most);
  return framed({ ...words, px, py, rows: ticks(0, most, 4), columns: ticks(low, high, words.width / 64) },
    bins.map(([from, to, share]) => s('rect.bar', { x: px(from), width: Math.max(1, px(to) - px(from) - 1), y: py(share), height: BOTTOM - py(share) })));
}
