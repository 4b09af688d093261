// Charts in SVG, drawn for the width they have: `<drawn-chart>` calls its `.draw(width)` for an SVG element whenever that changes.

import { s } from './dom.js';

/** `<drawn-chart>`: set `.draw`, a function of the width in pixels that returns an SVG element (see `plot`). */
export class DrawnChart extends HTMLElement {
  #draw;
  #width = 0;
  #observer = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry.contentRect.width);
    if (width === this.#width) return;
    this.#width = width;
    this.#update();
  });

  connectedCallback() {
    this.#observer.observe(this);
  }

  disconnectedCallback() {
    this.#observer.disconnect();
  }

  set draw(draw) {
    this.#draw = draw;
    this.#update();
  }

  #update() {
    if (this.#draw && this.#width > 0) this.replaceChildren(this.#draw(this.#width));
  }
}
customElements.define('drawn-chart', DrawnChart);

/** A function from values in `[low, high]` to pixels in `[from, to]`, by logarithms where `log`. */
export function scale([low, high], [from, to], log = false) {
  const place = log ? Math.log10 : (value) => value;
  const span = place(high) - place(low) || 1;
  return (value) => from + ((place(value) - place(low)) / span) * (to - from);
}

/** Round values between `low` and `high`, about `count` of them; powers of ten where `log`. */
export function ticks(low, high, count, log = false) {
  if (log) {
    const first = Math.ceil(Math.log10(low) - 1e-9);
    const last = Math.floor(Math.log10(high) + 1e-9);
    const step = Math.max(1, Math.ceil((last - first + 1) / count));
    return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => 10 ** (first + i * step));
  }
  const rough = (high - low) / count || 1;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * ([1, 2, 5].find((m) => m * unit >= rough) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step);
}

/**
 * Axes and grid of a chart, ready for marks: `{svg, x, y}`, `x` and `y` from values to pixels. `label` is what screen readers say.
 * An axis is `{domain: [low, high], log?, format(value), label?}`.
 */
export function plot({ width, height = 240, label, x, y, left = 56 }) {
  const [top, right, bottom] = [y.label ? 24 : 8, 12, x.label ? 44 : 24];
  const px = scale(x.domain, [left, width - right], x.log);
  const py = scale(y.domain, [height - bottom, top], y.log);
  const svg = s('svg.chart', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label });
  for (const value of ticks(...y.domain, Math.max(2, Math.floor(height / 56)), y.log)) {
    svg.append(
      s('line.grid', { x1: left, x2: width - right, y1: py(value), y2: py(value) }),
      s('text', { x: left - 8, y: py(value), dy: '.35em', 'text-anchor': 'end' }, y.format(value)));
  }
  for (const value of ticks(...x.domain, Math.max(2, Math.floor(width / 96)), x.log)) {
    svg.append(s('text', { x: px(value), y: height - bottom + 18, 'text-anchor': 'middle' }, x.format(value)));
  }
  svg.append(s('line.axis', { x1: left, x2: width - right, y1: height - bottom, y2: height - bottom }));
  if (x.label) svg.append(s('text', { x: width - right, y: height - 4, 'text-anchor': 'end' }, x.label));
  if (y.label) svg.append(s('text', { x: 0, y: 12 }, y.label));
  return { svg, x: px, y: py };
}

const path = (points) => points.map(([a, b], i) => `${i ? 'L' : 'M'}${a.toFixed(1)} ${b.toFixed(1)}`).join('');

/** A curve through `[x, y]` values of a plot. */
export const curve = (on, points) => s('path.curve', { d: path(points.map(([a, b]) => [on.x(a), on.y(b)])) });

/** The area between two curves, from `[x, low, high]` values. */
export function band(on, points) {
  const upper = points.map(([a, , high]) => [on.x(a), on.y(high)]);
  const lower = points.map(([a, low]) => [on.x(a), on.y(low)]).reverse();
  return s('path.band', { d: `${path([...upper, ...lower])}Z` });
}
