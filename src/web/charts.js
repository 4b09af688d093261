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

const [LEFT, TOP, BOTTOM, HEIGHT] = [56, 8, 200, 244];

/**
 * How an estimate narrows on what is exact: `points` are `[trials, estimate, wide interval, narrow interval]`, trials by logarithms;
 * `domain` is `[low, high]` of the estimates, `x` and `y` write numbers. `label` is for screen readers.
 */
export function narrowing({ width, label, unit, points, exact, domain: [low, high], x, y }) {
  const right = width - 12;
  const ends = [points[0], points.at(-1)].map(([trials]) => Math.log10(trials));
  const px = (trials) => LEFT + ((Math.log10(trials) - ends[0]) / (ends[1] - ends[0] || 1)) * (right - LEFT);
  const py = (value) => BOTTOM - ((value - low) / (high - low)) * (BOTTOM - TOP);
  const path = (all) => all.map(([trials, value], i) => `${i ? 'L' : 'M'}${px(trials).toFixed(1)} ${py(value).toFixed(1)}`).join('');
  const side = (at, end) => points.map((point) => [point[0], point[at][end]]);
  const band = (at) => s('path.band', { d: `${path([...side(at, 1), ...side(at, 0).reverse()])}Z` });
  const level = (style, value) => s(`line.${style}`, { x1: LEFT, x2: right, y1: py(value), y2: py(value) });
  const text = (left, top, anchor, words) => s('text', { x: left, y: top, 'text-anchor': anchor }, words);
  return s('svg.chart', { width, height: HEIGHT, role: 'img', 'aria-label': label },
    ticks(low, high, 4).map((value) => [level('grid', value), text(LEFT - 8, py(value) + 4, 'end', y(value))]),
    ticks(...ends, width / 96).filter(Number.isInteger).map((power) => text(px(10 ** power), BOTTOM + 18, 'middle', x(10 ** power))),
    text(right, HEIGHT - 4, 'end', unit),
    s('clipPath', { id: 'shown' }, s('rect', { x: LEFT, y: TOP, width: right - LEFT, height: BOTTOM - TOP })),
    s('g', { 'clip-path': 'url(#shown)' }, band(2), band(3), s('path.curve', { d: path(points) })),
    level('axis', low), exact !== undefined && level('exact', exact));
}
